"""The attack sequence of Age of Sigmar, 1st edition, as a plan for the engines."""

from __future__ import annotations

from collections.abc import Iterable

from mathhammer.dice.pmf import Pmf
from mathhammer.engine.chain import Chain, Modifier, Reroll, Roll, Stage, chances
from mathhammer.engine.plan import Group, Packet, Plan, Target, Volley
from mathhammer.errors import BadInputError, UnknownNameError
from mathhammer.games.abilities import Draft
from mathhammer.games.aos1.triggers import (
    ABILITIES,
    BETTER_DAMAGE,
    BETTER_SAVE,
    BETTER_WOUND,
    MORTAL,
    trigger_of,
    with_triggers,
)
from mathhammer.games.applying_effects import Armed, edited, rerolled_dice
from mathhammer.games.game import Fight
from mathhammer.games.gathering import defence_changes
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
from mathhammer.units.unit import Weapon

REROLLS: dict[str, Reroll] = FAILED
STATS = {
    "attacks": "Attacks characteristic",
    "hit": "To Hit characteristic",
    "wound": "To Wound characteristic",
    "rend": "Rend characteristic, as a plain number",
    "damage": "Damage characteristic",
}
ALLOCATIONS = ("wounded_first", "fresh_first")
PHASE_OF = {"melee": "combat", "ranged": "shooting"}
MORTAL_TEXT = "Mortal wounds: no hit, wound or save roll (AOS1-MORTAL)"


def plan(fight: Fight) -> Plan:
    """All attacks of a unit on one enemy unit (AOS1-ATTACK): a volley for each weapon that may attack."""
    _check(fight)
    return plan_of(ABILITIES, fight, target_of(fight), _attack, MORTAL_TEXT)


def _attack(fight: Fight, armed: Armed, ward: Roll) -> str | tuple[Volley, str]:
    return _why_not(armed.weapon, armed.facts) or (_volley(fight, armed, ward), "")


def target_of(fight: Fight) -> Target:
    """AOS1-DAMAGE: all wounds of the action are one pool that fills model after model.

    AOS1-SILENT-4: the model wounded earlier comes first, or last when the defender spares it.
    """
    unit = fight.target
    (models, hurt), *_ = unit.left()
    wounds = int(unit.groups[0].stat("wounds"))
    if "target_empowered" in fight.situation.flags:  # AOS1-TRIUMPH
        if unit.models != 1:
            raise BadInputError(
                f"fight: {unit.name} has {unit.models} models (target_empowered is for a general on his own)"
            )
        wounds += 1
    if fight.option("allocation") == "fresh_first" and hurt and models > 1:
        groups = (Group(unit.name, models - 1, wounds), Group(f"{unit.name} (wounded)", 1, wounds, hurt))
        return Target(groups, ((0, 1),), spills=True)
    return Target((Group(unit.name, models, wounds, hurt),), spills=True)


# --- who may attack ---------------------------------------------------------------------------------------


def _check(fight: Fight) -> None:
    allocation = fight.option("allocation")
    if allocation not in ALLOCATIONS:
        raise UnknownNameError("fight", "allocation", allocation, ALLOCATIONS)
    if fight.option("mystic_shields") < 0:
        raise BadInputError(
            f"fight: option mystic_shields is {fight.option('mystic_shields')} (give 0 or more)"
        )
    if fight.option("least_characteristic") not in (0, 1):
        raise BadInputError(
            f"fight: option least_characteristic is {fight.option('least_characteristic')} (give 0 or "
            "1, AOS1-SILENT-15)"
        )
    kinds = {weapon.kind for weapon in fight.weapons}
    if len(kinds) > 1 and fight.situation.phase is None:
        raise BadInputError(
            "fight: missile weapons shoot, melee weapons strike in the combat phase (AOS1-ATTACK; "
            "choose one kind)"
        )
    if "inspired" in fight.situation.commands and "ranged" in kinds:
        raise BadInputError("fight: inspired is for a combat phase (AOS1-TRIUMPH; use it with melee weapons)")


def _why_not(weapon: Weapon, facts: Facts) -> str:
    """Why this weapon may not attack; empty when it may. Enemies within 3 inches keep
    nobody from shooting.
    """
    if "befuddled" in facts.flags:
        return "the unit cannot attack (AOS1-TERRAIN-5)"
    if facts.phase in PHASE_OF.values() and facts.phase != PHASE_OF[weapon.kind]:
        return f"{weapon.kind} weapons are not used in the {facts.phase} phase (AOS1-ATTACK)"
    if weapon.kind == "ranged":
        for move in ("ran", "retreated"):
            if move in facts.flags:
                return f"the unit {move} and does not shoot (AOS1-MOVE)"
        if facts.distance is not None and weapon.range is not None and facts.distance > weapon.range:
            return f"{facts.distance:g} inches away, range {weapon.range} (AOS1-ATTACK)"
    return ""


# --- one weapon -------------------------------------------------------------------------------------------

STAGES = (
    Stage("hits", entering=("wound", BETTER_WOUND)),
    Stage("wounds", entering=("save", BETTER_SAVE)),
    Stage("unsaved", entering=("damage", BETTER_DAMAGE)),
)


def _volley(fight: Fight, armed: Armed, ward_roll: Roll) -> Volley:
    weapon, facts, changes = armed.weapon, armed.facts, armed.changes
    draft = edited(Draft(_chain(fight, weapon, facts)), changes, REROLLS, frozenset(STATS))
    draft = edited(draft, defence_changes(fight, facts, weapon), REROLLS, frozenset({"save"}))
    by_stat = {stat: [change for change in draft.changes if change.stat == stat] for stat in (*STATS, "save")}
    least = fight.option("least_characteristic")
    bearers = fight.attacker.bearers(weapon)
    more = int(weapon.stat("leader_attacks", 0))
    leaders = 1 if more and bearers else 0
    notes = [attacks_note(armed, bearers, by_stat["attacks"])]
    notes += [f"Leader: {more:+d} Attacks"] if leaders else []
    attacks = number_of_attacks(armed, bearers, by_stat["attacks"], least, leaders, more)
    damage = changed_dice(rerolled_dice(weapon.damage, "reroll_damage", changes), by_stat["damage"], least)
    notes += told("Damage", weapon.damage, by_stat["damage"])
    printed = int(weapon.stat("rend", 0))
    rend = changed(printed, by_stat["rend"], 0)
    notes += told("Rend", printed, by_stat["rend"])
    chain = draft.chain
    if rend:
        chain = chain.edit("save", modifiers=(Modifier(-rend, "Rend (AOS1-ATTACK)"),))
    triggered = with_triggers(with_needs(chain, by_stat, 0, notes), weapon, armed.abilities, by_stat["rend"])
    notes += [f"{trigger_of(held)} ({held.ability.rule})" for held in armed.abilities]
    ward = chances(ward_roll).passed
    if ward:
        notes.append(f"Ward {ward_roll.needs}+ ignores each wound with chance {ward:.4g} (AOS1-SILENT-5)")
    groups = len(target_of(fight).groups)
    kinds = {"damage": damage}
    if triggered.damage is not None:
        kinds[BETTER_DAMAGE] = changed_dice(triggered.damage, by_stat["damage"], least)
    if triggered.mortals:  # AOS1-MORTAL
        kinds[MORTAL] = Pmf.constant(1)
    packets = tuple(
        Packet(kind, (harm,) * groups, (1.0,) * groups, (ward,) * groups) for kind, harm in kinds.items()
    )
    return Volley(weapon.name, attacks, triggered.chain, packets, tuple(notes))


def _chain(fight: Fight, weapon: Weapon, facts: Facts) -> Chain:
    """AOS1-ATTACK: no natural 1 or 6, no critical and no cap on modifiers (AOS1-SILENT-1)."""
    fails = 1 if fight.option("ones_always_fail") else 0
    hit = Roll(
        needs=weapon.stat("hit"),
        modifiers=(Modifier(1, "Damned (AOS1-TERRAIN-1)"),) if "damned" in facts.flags else (),
        fails_up_to=fails,
        # AOS1-TRIUMPH
        reroll=frozenset({REROLLS["failed"]}) if "inspired" in fight.situation.commands else frozenset(),
        on_success=("wound",),
    )
    wound = Roll(
        needs=weapon.stat("wound"),
        fails_up_to=fails,
        # AOS1-TERRAIN-5
        reroll=frozenset({REROLLS["failed"]}) if "ensorcelled" in facts.flags else frozenset(),
        on_success=("save",),
    )
    save = Roll(
        needs=fight.target.stat("save"),  # AOS1-SILENT-6: none means that nothing is saved
        modifiers=tuple(sorted(_save_modifiers(fight, facts))),
        fails_up_to=fails,
        on_fail=("damage",),
    )
    return Chain("hit", (("hit", hit), ("save", save), ("wound", wound)), STAGES)


def _save_modifiers(fight: Fight, facts: Facts) -> Iterable[Modifier]:
    exposed = facts.phase == "combat" and "target_charged" in facts.flags
    if "target_in_cover" in facts.flags and not exposed:
        yield Modifier(1, "Cover (AOS1-COVER)")
    shields = fight.option("mystic_shields")
    if not fight.option("mystic_shields_stack"):  # AOS1-SILENT-7
        shields = min(1, shields)
    if shields:
        yield Modifier(shields, "Mystic Shield (AOS1-MYSTIC-SHIELD)")
