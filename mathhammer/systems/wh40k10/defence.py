"""What the target does about an attack that wounded: saves, damage, Feel No Pain, who is hit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mathhammer.chain import Chain, Group, Modifier, Packet, Reroll, Roll, Target, chances
from mathhammer.dice import Dice
from mathhammer.effects import Change, Facts, parse_change
from mathhammer.pmf import Pmf
from mathhammer.systems import Draft, Fight
from mathhammer.systems._edits import Active, edited
from mathhammer.systems.wh40k10.characteristics import changed, changed_dice
from mathhammer.units import ModelGroup, Unit, Weapon

REROLLS: dict[str, Reroll] = {"ones": "ones", "failed": "fails", "any": "fails", "non_crit": "non_crit", "noncrit": "non_crit"}


@dataclass(frozen=True, slots=True)
class Blow:
    """An attack that wounded, as the target sees it: its weapon, AP and Damage, and what acts on them."""

    weapon: Weapon
    abilities: frozenset[str]
    ap: int
    damage: Dice
    damage_changes: tuple[Change, ...]
    melta: Dice | None
    cover: str  # where the Benefit of Cover comes from; empty: none
    index: int  # place of the weapon in the order of attacks


def target_of(unit: Unit, apart: bool, uses: int) -> Target:
    """WH40K-ALLOC: groups in order; Characters get a track of their own (`apart`) when a weapon may pick them."""
    groups = []
    for group, (models, hurt) in zip(unit.groups, unit.left(), strict=True):
        groups.append(Group(group.name, models, int(group.stat("wounds")), hurt or int(group.stat("wounded", 0))))
    alive = [index for index, group in enumerate(groups) if group.models > 0]
    kept = tuple(groups[index] for index in alive)
    characters = [place for place, index in enumerate(alive) if unit.groups[index].stat("character")]
    others = [place for place in range(len(alive)) if place not in characters]
    if apart and characters and others:
        return Target(kept, (tuple(others), tuple(characters)), uses=uses)
    return Target(kept, ((*others, *characters),), uses=uses)


def packets(fight: Fight, facts: Facts, blow: Blow, changes: list[Active], tracks: tuple[int, ...], kinds: Sequence[str], notes: list[str]) -> tuple[Packet, ...]:
    """What each kind of packet does to each model group of the target that is left."""
    unit = fight.target
    groups = [group for group, (models, _) in zip(unit.groups, unit.left(), strict=True) if models > 0]
    saves = [_save(fight, facts, blow, changes, group, notes if place == 0 else []) for place, group in enumerate(groups)]
    full = tuple(_damage(blow, group, changes, ()) for group in groups)
    spared = None
    if uses_of(fight):
        if "command_reroll_save" in fight.situation.commands:  # WH40K-CMDREROLL: the first failed save is rolled again
            spared = tuple(law.mix(Pmf.constant(0), 1.0 - save) for law, save in zip(full, saves, strict=True))
        else:  # WH40K-DZERO: the first attacks that reach the damage step
            zero = (Change("damage", "set", 0, "damage becomes 0 (WH40K-DZERO)"),)
            spared = tuple(_damage(blow, group, changes, zero) for group in groups)
    psychic = "Psychic" in blow.abilities
    plain = tuple(_fnp(group, changes, mortal=False, psychic=psychic) for group in groups)
    mortal = tuple(_fnp(group, changes, mortal=True, psychic=psychic) for group in groups)
    if plain[0]:
        notes.append(f"Feel No Pain ignores each wound with chance {plain[0]:.4g} (WH40K-FNP)")
    always = (1.0,) * len(groups)
    one = (Pmf.constant(1),) * len(groups)
    through = tuple(1.0 - save for save in saves)
    reroll_only = spared is not None and "command_reroll_save" in fight.situation.commands
    made = {
        "ordinary": Packet("ordinary", full, through, plain, tracks=tracks, spared=spared),
        # WH40K-DEVW: no save, after everything else, and what exceeds the model is lost
        "devastating": Packet("devastating", full, always, mortal, 2 * blow.index, tracks, None if reroll_only else spared),
        # WH40K-MORTALADD: after the damage of the weapon (WH40K-DEVWORDER), one point each, so they spill
        "extra mortal": Packet("extra mortal", one, always, mortal, 2 * blow.index + 1, tracks),
    }
    return tuple(made[kind] for kind in kinds)


def uses_of(fight: Fight) -> int:
    """How many limited uses the target has left: one Command Re-roll, or attacks whose damage becomes 0."""
    if "command_reroll_save" in fight.situation.commands:
        return 1
    return int(fight.target.stat("damage_zero_uses", 0))


def _for_group(changes: list[Active], group: ModelGroup) -> list[Active]:
    return [change for change in changes if change.group in (None, group.name)]


def _save(fight: Fight, facts: Facts, blow: Blow, changes: list[Active], group: ModelGroup, notes: list[str]) -> float:
    """The chance of the better saving throw of these models (WH40K-SAVE, WH40K-INV)."""
    own = _for_group(changes, group)
    moves = [parse_change("save", change.value, change.source) for change in own if change.key == "save"]
    printed = group.stat("save")
    sv = None if printed is None else changed(printed, moves, "save")
    everything = [Modifier(change.value, change.source) for change in own if change.key == "save_roll"]
    armour = [Modifier(change.value, change.source) for change in own if change.key == "armour_save_roll"]
    if blow.ap:
        armour.append(Modifier(blow.ap, "AP (WH40K-SAVE)", capped=fight.option("save_cap") == "net"))
    # WH40K-COVER: armour saves against ranged attacks, not for 3+ or better against AP 0 (both modified)
    if blow.cover and sv is not None and not (sv <= 3 and blow.ap == 0):
        armour.append(Modifier(1, blow.cover))
    invulns = [group.stat("invuln"), *(change.value for change in own if change.key == "invuln")]
    if "go_to_ground" in fight.situation.commands and "INFANTRY" in facts.target_keywords:
        invulns.append(6)  # WH40K-GOTOGROUND
    invuln = min((value for value in invulns if value), default=None)
    rolls = {
        "Armour save": _throw(sv, [*everything, *armour], own, group),
        "Invulnerable save": _throw(invuln, everything, own, group),
    }
    name, best = max(rolls.items(), key=lambda item: chances(item[1]).passed)
    if best.needs is not None:
        listed = "".join(f", {m.value:+d} {m.source}" for m in best.modifiers)
        notes.append(f"{name}: {best.needs}+{listed}; saved with chance {chances(best).passed:.4g}")
    return chances(best).passed


def _throw(needs: int | None, modifiers: list[Modifier], changes: list[Active], group: ModelGroup) -> Roll:
    """WH40K-SAVECAP: never improved by more than +1; an unmodified 1 fails, a 6 is nothing special."""
    roll = Roll(needs=needs, modifiers=tuple(sorted(modifiers)), limit=(None, 1), limit_source="WH40K-SAVECAP", fails_up_to=1)
    chain = Chain("save", (("save", roll),))
    again = group.stat("reroll_saves", "none")
    if again != "none":  # WH40K-SAVEREROLL
        chain = chain.edit("save", reroll=frozenset({REROLLS[again]}))
    wanted = [change for change in changes if change.key == "reroll_save" or (change.key == "ignore" and "save_penalties" in change.value)]
    lane = edited(Draft(chain), wanted, REROLLS, frozenset()).chain.lane("save")
    assert isinstance(lane, Roll)
    return lane


def _damage(blow: Blow, group: ModelGroup, changes: list[Active], first: tuple[Change, ...]) -> Pmf:
    """Damage after all modifiers: WH40K-DMGRED, HALVE, DZERO and MELTA in the order of WH40K-MODORDER."""
    own = _for_group(changes, group)
    moves = [*first, *blow.damage_changes]
    if group.stat("damage_set") is not None:
        moves.append(Change("damage", "set", int(group.stat("damage_set"))))
    if group.stat("halve_damage") or any(change.key == "halve_damage" for change in own):
        moves.append(Change("damage", "div", 2))
    reductions = [int(group.stat("damage_reduction", 0)), *(change.value for change in own if change.key == "damage_reduction")]
    moves += [Change("damage", "add", -value) for value in reductions if value]
    return changed_dice(blow.damage, moves, "damage", blow.melta)


def _fnp(group: ModelGroup, changes: list[Active], *, mortal: bool, psychic: bool) -> float:
    """WH40K-FNP: the best Feel No Pain that applies, as the chance to ignore one wound."""
    values = [group.stat("fnp"), *(change.value for change in _for_group(changes, group) if change.key == "fnp")]
    values += [group.stat("fnp_mortal")] if mortal else []
    values += [group.stat("fnp_psychic")] if psychic else []
    best = min((value for value in values if value), default=None)
    return 0.0 if best is None else (7 - best) / 6
