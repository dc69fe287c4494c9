"""The attack sequence of Age of Sigmar, 4th edition, as a plan for the engines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from mathhammer.dice.notation import Dice, parse_dice
from mathhammer.dice.pmf import Pmf
from mathhammer.engine.chain import Chain, Lane, Modifier, Reroll, Roll, Stage, chances, flow
from mathhammer.engine.plan import Group, Packet, Plan, Target, Volley
from mathhammer.errors import BadInputError, UnknownNameError
from mathhammer.games.abilities import Ability, Draft
from mathhammer.games.aos4.abilities import ABILITIES
from mathhammer.games.aos4.turns import ONE_COMMAND, TURNS, one_command
from mathhammer.games.applying_effects import (
    Active,
    abilities_of,
    attack_changes,
    defence_changes,
    edited,
    extra_mortals,
    facts_of,
    rerolled_dice,
)
from mathhammer.games.game import Fight
from mathhammer.games.sigmar.attack import FAILED, changed, changed_dice, listed, told, ward_roll, with_needs
from mathhammer.units.effects import Change, Facts, parse_change
from mathhammer.units.unit import Unit, Weapon

REROLLS: dict[str, Reroll] = {**FAILED, "non_crit": "non_crit"}
LEAST = 1  # AOS4-AMB-8: no characteristic but Rend falls below it
STATS = {
    "attacks": "Attacks characteristic",
    "hit": "Hit characteristic",
    "wound": "Wound characteristic",
    "rend": "Rend characteristic",
    "damage": "Damage characteristic",
}
LOWER_IS_BETTER = {"hit", "wound"}
# an action that deals nothing but mortal damage
NO_WEAPON = Weapon("", "melee", parse_dice(0), parse_dice(0))


def plan(fight: Fight) -> Plan:
    """One ATTACK ability (AOS4-17.0) against one unit: a volley for each weapon that may attack.

    All attacks of a weapon are worked out at once, which changes no chance (AOS4-17.3); damage waits for all
    of them (AOS4-18.0).
    """
    _check(fight)
    volleys: list[Volley] = []
    skipped: list[tuple[str, str]] = []
    choices: list[tuple[str, str]] = []
    mortals: Counter[tuple[str, Dice]] = Counter()
    warded = 0.0
    for weapon in fight.weapons or (NO_WEAPON,):
        facts = facts_of(fight, weapon)
        changes = attack_changes(fight, facts, weapon)
        ward = ward_roll(fight, facts, weapon)
        if reason := _why_not(fight, weapon, facts, changes):
            skipped.append((weapon.name, reason))
            continue
        if weapon is not NO_WEAPON:
            volley, choice = _best_volley(fight, weapon, facts, changes, ward)
            volleys.append(volley)
            choices += [(weapon.name, choice)] if choice else []
        warded = chances(ward).passed
        mortals |= Counter(extra_mortals(changes))  # once for the action, however many weapons see it
    for source, dice in mortals.elements():
        volleys.append(mortal_volley(source, dice.pmf(), warded))
    return Plan(tuple(volleys), target_of(fight.target), tuple(skipped), tuple(choices))


def mortal_volley(name: str, pool: Pmf, ward: float) -> Volley:
    """Mortal damage that goes straight into the pool: AOS4-17.2."""
    packet = Packet("mortal", (pool,), (1.0,), (ward,))
    stages = (Stage("mortal", entering=("mortal",)),)
    return Volley(
        name,
        Pmf.constant(1),
        Chain("mortal", (), stages),
        (packet,),
        ("Mortal damage: no hit, wound or save roll (AOS4-17.2)",),
    )


def target_of(unit: Unit) -> Target:
    """AOS4-18.2: points go to the unit one at a time and spill from model to model; after the last one they
    vanish (AOS4-18.4).
    """
    (models, hurt), *_ = unit.left()
    return Target((Group(unit.name, models, unit.groups[0].stat("health"), hurt),), spills=True)


# --- who may attack
# -----------------------------------------------------------------------------------------------


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
    # AOS4-SP-3: cards may go together
    if not one_command(commands - TURNS.defensive) and not fight.option("spearhead"):
        raise BadInputError(f"fight: {ONE_COMMAND} (AOS4-C-1.2; drop covering_fire or all_out_attack)")


def _why_not(fight: Fight, weapon: Weapon, facts: Facts, changes: list[Active]) -> str:
    """Why this weapon may not attack this target; empty when it may."""
    abilities = abilities_of(weapon, changes)
    flying = "FLY" in facts.target_keywords
    distance = facts.distance
    if weapon.kind == "melee":
        return ""
    if "in_combat" in facts.flags and "Shoot in Combat" not in abilities:
        return "ranged weapons are silent in combat without Shoot in Combat (AOS4-16.0)"
    for move in ("ran", "retreated"):
        if move in facts.flags:
            return f"the unit {move} and does not shoot (AOS4-14.1)"
    if distance is not None and weapon.range is not None and distance > weapon.range:
        return f"{distance:g} inches away, range {weapon.range} (AOS4-16.0)"
    near = "in_combat" in facts.flags or (distance is not None and distance <= 3)  # AOS4-7.0
    # AOS4-SP-5: no exception
    if "target_obscured" in facts.flags and not flying and (fight.option("spearhead") or not near):
        return "the target is obscured (AOS4-T-1.2)"
    if _guarded(facts) and "INFANTRY" in facts.target_keywords and distance is not None and distance > 12:
        return "a guarded infantry hero cannot be picked from more than 12 inches (AOS4-25.0)"
    return ""


def _guarded(facts: Facts) -> bool:
    hero = "HERO" in facts.target_keywords and not facts.target_keywords & {"MONSTER", "WAR MACHINE"}
    return hero and "target_guarded" in facts.flags


# --- one weapon
# ---------------------------------------------------------------------------------------------------


def _best_volley(
    fight: Fight, weapon: Weapon, facts: Facts, changes: list[Active], ward: Roll
) -> tuple[Volley, str]:
    """The volley with the critical ability that the caller chose, or the one with the highest mean damage."""
    if "Companion" in weapon.abilities:  # AOS4-20.0: nor do friends give it abilities
        changes = [change for change in changes if change.key != "gain" or change.enemy]
    found = [ABILITIES.find(name) for name in abilities_of(weapon, changes)]
    crits = [(ability, detail) for ability, detail in found if ability.crit]
    chosen = dict(fight.choices).get(weapon.name)
    if chosen is not None:
        wanted, _ = ABILITIES.find(chosen)
        names = [ability.name for ability, _ in crits]
        if wanted.name not in names:
            raise UnknownNameError(f"fight: {weapon.name}", "critical ability", chosen, names)
        crits = [(wanted, "")]
    others = [(ability, detail) for ability, detail in found if not ability.crit]
    # AOS4-20.0: of several abilities triggered by critical hits exactly one is used.
    options = [[*others, crit] for crit in crits] or [others]
    built = [_volley(fight, weapon, facts, changes, abilities, ward) for abilities in options]
    best = max(range(len(built)), key=lambda index: _mean_damage(built[index])) if len(built) > 1 else 0
    return built[best], crits[best][0].name if len(crits) > 1 else ""


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


def _volley(
    fight: Fight,
    weapon: Weapon,
    facts: Facts,
    changes: list[Active],
    abilities: list[tuple[Ability, str]],
    ward_roll: Roll,
) -> Volley:
    companion = any(ability.name == "Companion" for ability, _ in abilities)
    if companion:  # AOS4-20.0: friendly improvements do not reach it; AOS4-AMB-5: its own abilities do
        changes = [change for change in changes if change.enemy or _worsens(weapon, change)]
    # AOS4-AMB-6: the champion's bonus is a friendly ability, so a Companion weapon goes without.
    # AOS4-SP-1: Spearhead plays without the command models module.
    champions = 0 if companion or fight.option("spearhead") else _champions(fight.attacker, weapon)
    strike = _strike(
        weapon,
        fight.attacker.bearers(weapon),
        champions,
        Facts(facts.flags, facts.keywords, facts.target_keywords, 0, 0),  # all that the abilities look at
        tuple(changes),
        tuple(abilities),
        fight.situation.commands,
        bool(fight.option("crit_always_hits")),
    )
    notes = list(strike.notes)
    save = _save(fight, facts, weapon, strike.rend, notes)
    ward = chances(ward_roll).passed
    if ward:
        notes.append(f"Ward {ward_roll.needs}+ ignores each point with chance {ward:.4g} (AOS4-18.1)")
    chain = Chain("hit", (("hit", strike.hit), ("save", save), ("wound", strike.wound), *strike.fans), STAGES)
    kinds = {"damage": strike.damage, "mortal": strike.damage, "extra mortal": Pmf.constant(1)}
    reached = flow(chain).entering
    packets = tuple(Packet(kind, (pmf,), (1.0,), (ward,)) for kind, pmf in kinds.items() if kind in reached)
    return Volley(weapon.name, strike.attacks, chain, packets, tuple(notes))


@lru_cache(maxsize=16384)
def _strike(
    weapon: Weapon,
    bearers: int,
    champions: int,
    facts: Facts,
    changes: tuple[Active, ...],
    abilities: tuple[tuple[Ability, str], ...],
    commands: tuple[str, ...],
    crit_always_hits: bool,
) -> Strike:
    """Everything that does not depend on the target's save and ward; memoised, because whole armies ask for
    it again and again.
    """
    draft = edited(
        Draft(_chain(weapon, facts, commands, crit_always_hits)), changes, REROLLS, frozenset(STATS)
    )
    for ability, detail in abilities:
        draft = ability.edit(draft, facts, detail)
    by_stat = {stat: [change for change in draft.changes if change.stat == stat] for stat in STATS}
    notes: list[str] = []
    attacks = _attacks(weapon, bearers, champions, changes, by_stat["attacks"], notes)
    damage = changed_dice(rerolled_dice(weapon.damage, "reroll_damage", changes), by_stat["damage"], LEAST)
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


def _chain(weapon: Weapon, facts: Facts, commands: tuple[str, ...], crit_always_hits: bool) -> Chain:
    """Hit and wound rolls of AOS4-17.0 with the caps of AOS4-17.1, and the modifiers of the situation."""
    hit = Roll(
        needs=weapon.stat("hit"),
        modifiers=tuple(sorted(_hit_modifiers(weapon, facts, commands))),
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


def _hit_modifiers(weapon: Weapon, facts: Facts, commands: tuple[str, ...]) -> Iterable[Modifier]:
    if "all_out_attack" in commands:  # reaches Companion weapons too
        yield Modifier(1, "All-out Attack (AOS4-C-6.0)")
    if "covering_fire" in commands:
        yield Modifier(-1, "Covering Fire (AOS4-C-4.0)")
    if (
        "target_in_cover" in facts.flags
        and "target_charged" not in facts.flags
        and "FLY" not in facts.target_keywords
    ):
        yield Modifier(-1, "Cover (AOS4-T-1.2)")
    if weapon.kind == "ranged" and _guarded(facts):
        yield Modifier(-1, "Guarded Hero (AOS4-25.0)")


def _save(fight: Fight, facts: Facts, weapon: Weapon, rend: int, notes: list[str]) -> Roll:
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
    guards = defence_changes(fight, facts, weapon)
    if not guards:
        return roll
    draft = edited(Draft(Chain("save", (("save", roll),))), guards, REROLLS, frozenset({"save"}))
    lane = with_needs(draft.chain, {"save": draft.changes}, LEAST, notes).lane("save")
    assert isinstance(lane, Roll)
    return lane


# --- characteristics
# ----------------------------------------------------------------------------------------------


def _worsens(weapon: Weapon, change: Active) -> bool:
    """Whether a friendly change makes the weapon worse, so that it reaches a Companion too."""
    if change.key in ("hit_roll", "wound_roll"):
        return bool(change.value < 0)
    if change.key not in STATS:
        return False
    made = parse_change(change.key, change.value)
    rolled = {"attacks": weapon.attacks, "damage": weapon.damage}
    before = (
        round(rolled[change.key].pmf().mean()) if change.key in rolled else int(weapon.stat(change.key, 0))
    )
    after = changed(before, [made], least=0)
    return after > before if change.key in LOWER_IS_BETTER else after < before


def _attacks(
    weapon: Weapon,
    bearers: int,
    champions: int,
    changes: tuple[Active, ...],
    stat: list[Change],
    notes: list[str],
) -> Pmf:
    """AOS4-26.0: random Attacks are rolled for each model and weapon (AOS4-AMB-9); AOS4-CM-1.0: champions
    have one more, after it.
    """
    champions = min(bearers, champions)
    dice = rerolled_dice(weapon.attacks, "reroll_attacks", changes)
    notes.append(
        f"Attacks: {bearers} {'model' if bearers == 1 else 'models'} x {weapon.attacks}" + listed(stat)
    )
    plain = changed_dice(dice, stat, LEAST).power(bearers - champions)
    if not champions:
        return plain
    notes.append(f"Champions: {champions}, +1 Attacks each (AOS4-CM-1.0)")
    return plain.convolve(changed_dice(dice, [*stat, Change("attacks", "add", 1)], LEAST).power(champions))


_RATIO = re.compile(r"CHAMPION(?: \((\d{1,3})/(\d{1,3})\))?")


def _champions(unit: Unit, weapon: Weapon) -> int:
    """How many bearers are champions: stated on the weapon, or by keyword, on what most models carry."""
    stated = weapon.stat("champions")
    if stated is not None:
        return int(stated)
    found = next((match for match in map(_RATIO.fullmatch, sorted(unit.keywords)) if match), None)
    if found is None:
        return 0
    partial = [
        w for w in unit.weapons if w.kind == weapon.kind and w.bearers is not None and w.bearers < unit.models
    ]
    if weapon in partial and weapon != max(partial, key=lambda w: w.bearers or 0):
        return 0
    # they are not the first to fall
    return 1 if found[1] is None else unit.models * int(found[1]) // int(found[2])
