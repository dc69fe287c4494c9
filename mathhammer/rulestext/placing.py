"""On whom a change acts: what a side has, what its attacks do, and what is done to those who attack it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from mathhammer.rulestext.arms import whose
from mathhammer.rulestext.frame import Change, Frame, Who, both, one
from mathhammer.rulestext.productions import Said, effect


def _with_phase(frame: Frame) -> Frame:
    """The phase in which it happens says which attacks are meant, where nothing else does."""
    words = {cond.word for way in frame.alts for cond in way}
    if not frame.phase or words & {"melee", "ranged"} or frame.weapon:
        return frame
    return frame.when(one(frame.phase))


def _where_near(frame: Frame, meant: Who) -> Frame:
    """What it means for this unit that others are near, where the change is this unit's."""
    return frame.when(frame.near) if meant.side == "self" and frame.near is not None else frame


def theirs(frame: Frame, meant: Who, changes: dict[str, Any], timed: bool = True) -> list[Change]:
    """Effects on what a side has, or on its own attacks."""
    others = frame
    frame = _where_near(frame, meant)
    if timed and "gain_unit" not in changes:
        frame = _with_phase(frame)
    if meant.reach == "attacker" or (meant.side == "foes" and frame.against is not None and not meant.picked):
        return on_attacker(frame, changes)
    found = effect(frame, meant.scope, changes, when=meant.alts, weapon=meant.weapon)
    for other in meant.also:
        found += theirs(others, other, changes, timed=timed)
    return found


def on_attacker(frame: Frame, changes: dict[str, Any]) -> list[Change]:
    """Effects on the enemy that attacks the unit, or the friend, that is spoken of."""
    meant = frame.against or frame.it
    frame = _where_near(frame, meant)
    if meant.side == "friends":
        return effect(frame, "friends_attacker", changes, when=meant.alts)
    return effect(frame, "attacker", changes, when=one("leading", "self") if meant.side == "led" else ((),))


def attacks(frame: Frame, changes: dict[str, Any]) -> list[Change] | None:
    """Effects on the attacks that are spoken of: a side's own, or those against it."""
    if frame.companion:
        changes = {**changes, "companion": True}
    if frame.by is not None:
        return theirs(frame, frame.by, changes)
    meant = frame.against
    if meant is None or meant.side == "foes":
        return None
    frame = _with_phase(_where_near(frame, meant))
    if meant.side == "friends":
        return effect(frame, "friends_attacker", changes, when=meant.alts)
    when = both(meant.alts, one("leading", "self")) if meant.side == "led" else meant.alts
    found = effect(frame, "attacker", changes, when=when)
    for other in meant.also:
        found += effect(frame, "friends_attacker", changes, when=other.alts)
    return found


def said(changes: list[Change] | None, frame: Frame | None = None) -> Said | None:
    """What a clause says, or that it was not understood."""
    return None if not changes else Said(tuple(changes), frame)


def after_roll(frame: Frame) -> Frame | None:
    """The frame under what the pending roll must show, as `needs`; None where it cannot be one roll."""
    if frame.roll is None or not frame.on:
        return frame
    if frame.roll.dice != "1":
        return None
    if frame.needs and not frame.needs.startswith(("cast", "chant")):
        return None
    if frame.needs:
        return None
    return replace(frame, needs=frame.roll.shows(frame.on))


def given(text: str, frame: Frame, changes: dict[str, Any]) -> Said | None:
    """What is given to somebody outside of attacks, on the roll that was told; None: not understood."""
    base, meant = after_roll(frame), whose(text, frame)
    return None if base is None or meant is None else said(theirs(base, meant, changes, timed=False))


def on_the_roll(changes: Iterable[Change], frame: Frame) -> list[Change] | None:
    """The changes under what the pending roll must show; None where that cannot be said."""
    if frame.roll is None or not frame.on:
        return list(changes)
    base = after_roll(frame)
    found = []
    for change in changes:
        told = change.needs != frame.needs or {"fight_on_death", "own_roll"} & change.changes.keys()
        if not told and "on" not in change.changes.get("mortal", {}):
            if base is None:
                return None
            change = replace(change, needs=base.needs)
        found.append(change)
    return found
