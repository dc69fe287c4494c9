"""What both editions of Age of Sigmar share: the order of changes, changed needs in the rolls, the ward."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from mathhammer.dice.notation import Dice
from mathhammer.dice.pmf import Pmf
from mathhammer.engine.chain import Chain, Reroll, Roll
from mathhammer.games.abilities import Draft
from mathhammer.games.applying_effects import defence_changes, edited
from mathhammer.games.game import Fight
from mathhammer.units.effects import Change, Facts
from mathhammer.units.unit import Weapon

# AOS4-AMB-3, AOS1-SILENT-2: "failed" is judged before modifiers; "any" is a permission without that word.
# AOS4-AMB-21: nobody has to reroll, so a die that succeeds in the end is always kept.
FAILED: dict[str, Reroll] = {"ones": "ones", "failed": "unmodified_fails", "any": "fails"}


def changed(value: int, changes: Sequence[Change], least: int) -> int:
    """A characteristic after its changes (AOS4-27.0): set, then multiply and divide (rounded down at once,
    AOS4-AMB-12), then add.

    AoS 1 states no order and takes this one; what the value may not fall below is the edition's own
    (AOS4-AMB-8, AOS1-SILENT-15).
    """
    for change in changes:
        value = change.value if change.op == "set" else value
    for change in changes:
        value = (
            value * change.value
            if change.op == "mul"
            else value // change.value
            if change.op == "div"
            else value
        )
    return max(least, value + sum(change.value for change in changes if change.op == "add"))


def changed_dice(dice: Dice, changes: Sequence[Change], least: int) -> Pmf:
    """A characteristic that may be random: roll first, change afterwards."""
    return dice.pmf().map(lambda value: changed(value, changes, least)) if changes else dice.pmf()


def with_needs(chain: Chain, by_stat: Mapping[str, Sequence[Change]], least: int, notes: list[str]) -> Chain:
    """The chain with changed Hit, Wound and Save characteristics in its rolls."""
    lanes = []
    for name, lane in chain.lanes:
        changes = by_stat.get(name, ())
        if isinstance(lane, Roll) and changes and lane.needs is not None:
            notes += told(name.capitalize(), f"{lane.needs}+", changes)
            lane = replace(lane, needs=changed(lane.needs, changes, least))
        lanes.append((name, lane))
    return replace(chain, lanes=tuple(lanes))


def ward_roll(fight: Fight, facts: Facts, weapon: Weapon) -> Roll:
    """AOS4-18.1, AOS1-SILENT-5: one die for each point, mortal damage too; of several wards the best counts.

    AOS4-AMB-7: a 1 fails only where it is too low, and modifiers have no cap.
    """
    changes = defence_changes(fight, facts, weapon)
    values = [fight.target.stat("ward"), *(change.value for change in changes if change.key == "ward")]
    roll = Roll(needs=min((value for value in values if value), default=None))
    edits = [change for change in changes if change.key in ("ward_roll", "reroll_ward")]
    if not edits:
        return roll
    lane = edited(Draft(Chain("ward", (("ward", roll),))), edits, FAILED, frozenset()).chain.lane("ward")
    assert isinstance(lane, Roll)
    return lane


def told(name: str, before: object, changes: Sequence[Change]) -> list[str]:
    """A line for `explain` where something changed."""
    return [f"{name}: {before}{listed(changes)}"] if changes else []


def listed(changes: Sequence[Change]) -> str:
    """The changes, each with its source."""
    return "".join(f", {change}" for change in changes)
