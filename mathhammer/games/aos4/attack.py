"""The attack sequence of Age of Sigmar, 4th edition, as a plan for the engines."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from mathhammer.dataclass import dataclass
from mathhammer.dice.pmf import Pmf
from mathhammer.engine.chain import Chain, Lane, Modifier, Reroll, Roll, Stage, chances, flow
from mathhammer.engine.plan import Group, Packet, Plan, Target, Volley
from mathhammer.errors import BadInputError, UnknownNameError
from mathhammer.games.abilities import Draft, looked_at_by
from mathhammer.games.aos4.abilities import ABILITIES, COMPANION
from mathhammer.games.aos4.turns import DEFENSIVE, ONE_COMMAND, one_command
from mathhammer.games.applying_effects import Armed, arm, covered, edited, reaching, rerolled_dice
from mathhammer.games.game import Fight
from mathhammer.games.gathering import defence_changes, facts_of
from mathhammer.games.one_reroll import batch_again, single_rerolls, turned_to_six
from mathhammer.games.sigmar.attack import (
    FAILED,
    attacks_note,
    changed,
    changed_dice,
    number_of_attacks,
    plan_of,
    told,
    with_needs,
)
from mathhammer.units.conditions import Facts
from mathhammer.units.effects import Active
from mathhammer.units.unit import Unit, Weapon

# AOS4-AMB-3: "failed" is judged before modifiers; "any" is a permission without that word. AOS4-AMB-21:
# nobody has to reroll, so a die that succeeds in the end is always kept.
REROLLS: dict[str, Reroll] = {**FAILED, "non_crit": "non_crit"}
LEAST = 1  # AOS4-AMB-8: no characteristic but Rend falls below it
STATS = {
    "attacks": "Attacks characteristic",
    "hit": "Hit characteristic",
    "wound": "Wound characteristic",
    "rend": "Rend characteristic",
    "damage": "Damage characteristic",
}
LOOKED_AT = frozenset({"flags", "target_keywords"})  # by the rolls themselves, besides abilities
COMBAT_RANGE, GUARDED = 3.0, 12.0  # AOS4-7.0, AOS4-25.0: inches
CHAMPION = Active("attacks", "+1", "champion", enemy=False)
MORTAL = "Mortal damage: no hit, wound or save roll (AOS4-17.2)"


def plan(fight: Fight) -> Plan:
    """One ATTACK ability (AOS4-17.0) against one unit: a volley for each weapon that may attack.

    All attacks of a weapon are worked out at once, which changes no chance (AOS4-17.3); damage waits for all
    of them (AOS4-18.0).
    """
    _check(fight)
    return plan_of(ABILITIES, fight, target_of(fight.target), _attack, MORTAL)


def _attack(fight: Fight, armed: Armed, ward: Roll) -> str | tuple[Volley, str]:
    if fight.option("companion_set") == "never" and any(
        held.ability is COMPANION for held in armed.abilities
    ):
        kept = tuple(c for c in armed.changes if c.enemy or not str(c.value).startswith("="))
        armed = replace(armed, changes=kept)
    return _why_not(fight, armed) or _best_volley(fight, armed, ward)


def optional(fight: Fight) -> dict[str, dict[str, str]]:
    """AOS4-20.0: weapons with several critical abilities, exactly one of which is used."""
    found: dict[str, dict[str, str]] = {}
    for weapon in fight.weapons:
        held = arm(ABILITIES, fight, weapon, facts_of(fight, weapon)).abilities
        crits = {one.ability.name: one.ability.name for one in held if one.ability.critical}
        found |= {weapon.name: crits} if len(crits) > 1 else {}
    return found


def target_of(unit: Unit) -> Target:
    """AOS4-18.2: points go to the unit one at a time and spill from model to model; after the last one they
    vanish (AOS4-18.4).
    """
    (models, hurt), *_ = unit.left()
    return Target((Group(unit.name, models, unit.groups[0].stat("health"), hurt),), spills=True)


@lru_cache(maxsize=1024)
def looked_at(situations: frozenset[str], commands: frozenset[str]) -> frozenset[str]:
    """The keywords of a target at which an attack looks: FLY always, as rules may give cover."""
    found = {"FLY"}
    found |= {"HERO", "INFANTRY", "MONSTER", "WAR MACHINE"} if "target_guarded" in situations else set()
    found |= {"FACTION TERRAIN", "MANIFESTATION"} if "covering_fire" in commands else set()
    return frozenset(found)


# --- who may attack ---------------------------------------------------------------------------------------


def _check(fight: Fight) -> None:
    kinds = {weapon.kind for weapon in fight.weapons}
    if len(kinds) > 1:
        raise BadInputError(
            "fight: melee and ranged weapons are never part of one attack (AOS4-16.0; choose one kind)"
        )
    commands = set(fight.situation.commands)
    if "covering_fire" in commands and "melee" in kinds:
        raise BadInputError("fight: covering_fire is a command to shoot (use it with ranged weapons)")
    if "covering_fire" in commands and "in_combat" in fight.situation.flags:
        raise BadInputError(
            "fight: covering_fire is for units that are not in combat (AOS4-C-4.0; drop one of them)"
        )
    if "covering_fire" in commands and fight.target.keywords & {"MANIFESTATION", "FACTION TERRAIN"}:
        raise BadInputError(
            f"fight: covering_fire may not pick {fight.target.name}, a manifestation or faction terrain "
            "(AOS4-C-4.0)"
        )
    if (
        not one_command(commands - DEFENSIVE)
        and not fight.option("spearhead")  # AOS4-SP-3: cards may go together
    ):
        raise BadInputError(f"fight: {ONE_COMMAND} (AOS4-C-1.2; drop covering_fire or all_out_attack)")


def _why_not(fight: Fight, armed: Armed) -> str:
    """Why this weapon may not attack this target; empty when it may."""
    weapon, facts, distance = armed.weapon, armed.facts, armed.facts.distance
    if weapon.kind == "melee":
        return ""
    in_combat = "in_combat" in facts.flags
    if in_combat and not any("in_combat" in held.ability.allows for held in armed.abilities):
        return "ranged weapons are silent in combat without Shoot in Combat (AOS4-16.0)"
    for move in ("ran", "retreated"):
        if move in facts.flags:
            return f"the unit {move} and does not shoot (AOS4-14.1)"
    if distance is not None and weapon.range is not None and distance > weapon.range:
        return f"{distance:g} inches away, range {weapon.range} (AOS4-16.0)"
    near = in_combat or (distance is not None and distance <= COMBAT_RANGE)
    flying = "FLY" in facts.target_keywords
    # AOS4-SP-5: no exception
    if "target_obscured" in facts.flags and not flying and (fight.option("spearhead") or not near):
        return "the target is obscured (AOS4-T-1.2)"
    far = distance is not None and distance > GUARDED
    if far and _guarded(facts) and "INFANTRY" in facts.target_keywords:
        return "a guarded infantry hero cannot be picked from more than 12 inches (AOS4-25.0)"
    return ""


def _guarded(facts: Facts) -> bool:
    hero = "HERO" in facts.target_keywords and not facts.target_keywords & {"MONSTER", "WAR MACHINE"}
    return hero and "target_guarded" in facts.flags


# --- one weapon -------------------------------------------------------------------------------------------


def _best_volley(fight: Fight, armed: Armed, ward: Roll) -> tuple[Volley, str]:
    """The volley with the critical ability that the caller chose, or the one with the highest mean damage."""
    crits = [held for held in armed.abilities if held.ability.critical]
    chosen = dict(fight.choices).get(armed.weapon.name)
    if chosen is not None:
        wanted = ABILITIES.find(chosen)
        if wanted not in crits:
            names = [held.ability.name for held in crits]
            raise UnknownNameError(f"fight: {armed.weapon.name}", "critical ability", chosen, names)
        crits = [wanted]
    others = tuple(held for held in armed.abilities if not held.ability.critical)
    # AOS4-20.0: of several abilities triggered by critical hits exactly one is used.
    options = [(*others, crit) for crit in crits] or [others]
    volleys = [_volley(fight, replace(armed, abilities=abilities), ward) for abilities in options]
    best = max(range(len(volleys)), key=lambda index: _mean_damage(volleys[index])) if len(volleys) > 1 else 0
    return volleys[best], crits[best].ability.name if len(crits) > 1 else ""


def _mean_damage(volley: Volley) -> float:
    entering = flow(volley.chain).entering
    return sum(entering.get(packet.kind, 0.0) * packet.damage[0].mean() for packet in volley.packets)


@dataclass(frozen=True, slots=True)
class Strike:
    """A weapon's attacks before the target does anything about them: hit and wound rolls, Damage, Rend."""

    attacks: Pmf
    hit: Roll
    wound: Roll
    damage: Pmf
    rend: int
    fans: tuple[tuple[str, Lane], ...]
    notes: tuple[str, ...]


def _volley(fight: Fight, armed: Armed, ward_roll: Roll) -> Volley:
    words = looked_at(armed.facts.flags, frozenset(fight.situation.commands))
    strike = _strike(
        replace(armed, facts=looked_at_by(armed.abilities, armed.facts, LOOKED_AT, words)),
        fight.attacker.bearers(armed.weapon),
        _champions(fight, armed),
        fight.situation.commands,
        bool(fight.option("crit_always_hits")),
        covered(defence_changes(fight, armed.facts, armed.weapon)),
    )
    notes = list(strike.notes)
    save = _save(fight, armed, strike.rend, notes)
    ward = chances(ward_roll).passed
    if ward:
        notes.append(f"Ward {ward_roll.needs}+ ignores each point with chance {ward:.4g} (AOS4-18.1)")
    lanes = (("hit", strike.hit), ("save", save), ("wound", strike.wound), *strike.fans)
    chain, again = batch_again(
        single_rerolls(armed.changes), Chain("hit", lanes, STAGES), turned_to_six(armed.changes)
    )
    kinds = {"damage": strike.damage, "mortal": strike.damage, "extra mortal": Pmf.constant(1)}
    reached = flow(chain).entering
    packets = tuple(Packet(kind, (pmf,), (1.0,), (ward,)) for kind, pmf in kinds.items() if kind in reached)
    return Volley(armed.weapon.name, strike.attacks, chain, packets, tuple(notes), again)


@lru_cache(maxsize=16384)
def _strike(
    armed: Armed,
    bearers: int,
    champions: int,
    commands: tuple[str, ...],
    crit_always_hits: bool,
    cover: bool | None,
) -> Strike:
    """Everything that does not depend on the target's save and ward; memoised, because whole armies ask for
    it again and again.
    """
    weapon, facts, changes = armed.weapon, armed.facts, armed.changes
    chain = _chain(weapon, facts, commands, crit_always_hits, cover)
    draft = edited(Draft(chain), changes, REROLLS, frozenset(STATS))
    for held in armed.abilities:
        draft = held.edit(draft, facts)
    by_stat = {stat: [change for change in draft.changes if change.stat == stat] for stat in STATS}
    champions = min(bearers, champions)
    notes = [attacks_note(armed, bearers, by_stat["attacks"])]
    notes += [f"Champions: {champions}, +1 Attacks each (AOS4-CM-1.0)"] if champions else []
    attacks = number_of_attacks(
        armed, bearers, by_stat["attacks"], LEAST, champions, 1, draft.rolled("attacks")
    )
    rolled = rerolled_dice(weapon.damage, "reroll_damage", changes)
    damage = changed_dice(rolled, by_stat["damage"], LEAST, draft.rolled("damage"))
    notes += told("Damage", weapon.damage, by_stat["damage"])
    rend = changed(weapon.stat("rend", 0), by_stat["rend"], least=0)
    notes += told("Rend", weapon.stat("rend", 0), by_stat["rend"])
    lanes = dict(with_needs(draft.chain, by_stat, LEAST, notes).lanes)
    hit, wound = lanes.pop("hit"), lanes.pop("wound")
    assert isinstance(hit, Roll)
    assert isinstance(wound, Roll)
    return Strike(attacks, hit, wound, damage, rend, tuple(lanes.items()), tuple(notes))


STAGES = (
    Stage("hits", leaving="hit"),
    Stage("wounds", entering=("save",)),
    Stage("unsaved", entering=("damage",)),
    Stage("mortal", entering=("mortal", "extra mortal")),
)


def _chain(
    weapon: Weapon, facts: Facts, commands: tuple[str, ...], crit_always_hits: bool, cover: bool | None
) -> Chain:
    """Hit and wound rolls of AOS4-17.0 with the caps of AOS4-17.1, and the modifiers of the situation;
    `cover`: a rule gives the target cover, or takes it away.
    """
    hit = Roll(
        needs=weapon.stat("hit"),
        modifiers=tuple(sorted(_hit_modifiers(weapon, facts, commands, cover))),
        limit=(-1, 1),
        limit_source="AOS4-17.1",
        crit_on=weapon.stat("crit_on", 6),
        crit_succeeds=crit_always_hits,  # AOS4-AMB-1, AOS4-AMB-11
        fails_up_to=1,
        on_success=("wound",),
    )
    wound = Roll(
        needs=weapon.stat("wound"),
        limit=(-1, 1),
        limit_source="AOS4-17.1",
        fails_up_to=1,
        on_success=("save",),
    )
    return Chain("hit", (("hit", hit), ("wound", wound)), STAGES)


def _hit_modifiers(
    weapon: Weapon, facts: Facts, commands: tuple[str, ...], cover: bool | None
) -> Iterable[Modifier]:
    if "all_out_attack" in commands:  # reaches Companion weapons too
        yield Modifier(1, "All-out Attack (AOS4-C-6.0)")
    if "covering_fire" in commands:
        yield Modifier(-1, "Covering Fire (AOS4-C-4.0)")
    if (
        ("target_in_cover" in facts.flags or cover is True)
        and cover is not False
        and "target_charged" not in facts.flags
        and "FLY" not in facts.target_keywords
    ):
        yield Modifier(-1, "Cover (AOS4-T-1.2)")
    if weapon.kind == "ranged" and _guarded(facts):
        yield Modifier(-1, "Guarded Hero (AOS4-25.0)")


def _save(fight: Fight, armed: Armed, rend: int, notes: list[str]) -> Roll:
    """The target's save roll against this Rend: AOS4-17.0, capped at +1 (AOS4-17.1)."""
    modifiers = (
        [Modifier(1, "All-out Defence (AOS4-C-7.0)")] if "all_out_defence" in fight.situation.commands else []
    )
    if rend:  # AOS4-AMB-2: whether the cap counts it
        modifiers.append(
            Modifier(-rend, "Rend (AOS4-17.0)", capped=bool(fight.option("save_cap_includes_rend")))
        )
    roll = Roll(
        needs=fight.target.stat("save"),  # AOS4-AMB-10: none means that nothing is saved
        modifiers=tuple(sorted(modifiers)),
        limit=(None, 1),
        limit_source="AOS4-17.1",
        fails_up_to=1,
        on_fail=("damage",),
    )
    guards = defence_changes(fight, armed.facts, armed.weapon)
    if not guards:
        return roll
    draft = edited(Draft(Chain("save", (("save", roll),))), guards, REROLLS, frozenset({"save"}))
    lane = with_needs(draft.chain, {"save": draft.changes}, LEAST, notes).lane("save")
    assert isinstance(lane, Roll)
    return lane


_RATIO = re.compile(r"CHAMPION(?: \((\d{1,3})/(\d{1,3})\))?")


def _champions(fight: Fight, armed: Armed) -> int:
    """How many bearers are champions: stated on the weapon, or by keyword, on what most models carry.

    AOS4-CM-1.0: each attacks once more.
    """
    unit, weapon = fight.attacker, armed.weapon
    # AOS4-AMB-6: their bonus is a friendly ability, so a Companion weapon goes without. AOS4-SP-1: Spearhead
    # plays without the command models module.
    if fight.option("spearhead") or not reaching(weapon, armed.abilities, [CHAMPION]):
        return 0
    stated = weapon.stat("champions")
    if stated is not None:
        return int(stated)
    ratio = next((match for match in map(_RATIO.fullmatch, sorted(unit.keywords)) if match), None)
    if ratio is None:
        return 0
    partial = [
        w for w in unit.weapons if w.kind == weapon.kind and w.bearers is not None and w.bearers < unit.models
    ]
    if weapon in partial and weapon != max(partial, key=lambda w: w.bearers or 0):
        return 0
    # they are not the first to fall
    return 1 if ratio[1] is None else unit.models * int(ratio[1]) // int(ratio[2])
