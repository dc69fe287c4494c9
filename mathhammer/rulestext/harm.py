"""Mortal wounds and mortal damage."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from mathhammer.rulestext import amounts
from mathhammer.rulestext.arms import whose
from mathhammer.rulestext.frame import Frame, Who
from mathhammer.rulestext.placing import attacks, said, theirs
from mathhammer.rulestext.productions import Said, production
from mathhammer.rulestext.who import who


def _mortal(frame: Frame, meant: Who, each: str, no_ward: bool = False) -> Said | None:
    """Mortal damage on somebody, by the dice that were rolled for it."""
    change: dict[str, Any] = {"each": each}
    base = frame
    if (frame.crit and meant.side == "foes") or (frame.crit and meant is frame.it):
        return said(attacks(replace(frame, crit=""), {frame.crit: each})) if frame.roll is None else None
    if frame.roll is not None and (frame.on or frame.roll.dice != "1"):
        if not frame.on:
            return None
        change = {"dice": frame.roll.dice, "on": frame.roll.shows(frame.on), "each": each}
    elif each == "roll":
        return None
    full: dict[str, Any] = {"mortal": change}
    if no_ward:
        full["no_ward"] = True
    return said(theirs(base, meant, full, timed=False), replace(frame, victim=meant))


def _victim(text: str, frame: Frame) -> Who | None:
    low = text.strip().lower()
    if low in (
        "the attacking unit",
        "that attacking unit",
        "the attacker",
        "the enemy unit that made that attack",
        "the attacking model's unit",
    ):
        return Who("foes", reach="attacker")
    return whose(text, frame) or who(text, frame, lenient=True)


@production(
    "mortal.suffers",
    "change",
    r"<who> (?:suffers?|takes) <dice> mortal wounds?",
    'Select one enemy unit within 6" of this unit. That enemy unit suffers D3 mortal wounds.',
    family="wh40k",
)
def _suffers(match: re.Match[str], frame: Frame) -> Said | None:
    meant = _victim(match["who"], frame)
    return None if meant is None else _mortal(frame, meant, amounts.dice(match["dice"]))


@production(
    "mortal.inflict",
    "change",
    r"(?:immediately |that attack )?inflicts? (?:(?P<roll>an amount of mortal damage)|<dice> "
    r"(?:points? of )?mortal damage) (?:on|to) <who>(?P<equal> equal to (?:the|that) (?:dice "
    r")?roll)?(?: (?:after|before) [^,;:.]+?(?:has|have) been resolved)?(?: in addition to (?:any|"
    r"its) normal damage)?(?P<ward>, and ward rolls cannot be made for (?:those|that) damage "
    r"points?)?",
    'Pick an enemy unit within 12" of this unit. Inflict D3 mortal damage on that enemy unit.',
    family="sigmar",
)
def _inflict(match: re.Match[str], frame: Frame) -> Said | None:
    if bool(match["roll"]) != bool(match["equal"]):
        return None
    meant = _victim(match["who"], frame)
    if meant is None:
        return None
    return _mortal(
        frame, meant, "roll" if match["equal"] else amounts.dice(match["dice"]), bool(match["ward"])
    )


@production(
    "allocate",
    "change",
    r"allocate <dice> damage points? to <who>(?P<ward> \(ward rolls cannot be made for (?:those|"
    r"that) damage points?\))?",
    'Pick an enemy unit within 12" of this unit. Allocate 3 damage points to that enemy unit.',
    family="sigmar",
)
def _allocate(match: re.Match[str], frame: Frame) -> Said | None:
    meant = _victim(match["who"], frame)
    return None if meant is None else _mortal(frame, meant, amounts.dice(match["dice"]), bool(match["ward"]))


@production(
    "mortal.instead",
    "change",
    r"<dice> mortal (?:wounds?|damage)(?: on the target| on it)?",
    'Select one enemy unit within 9" of this unit and roll a dice: on a 3+, that enemy unit suffers '
    "D3 mortal wounds, or 3 mortal wounds instead if it is a Monster.",
)
def _mortal_instead(match: re.Match[str], frame: Frame) -> Said | None:
    if frame.victim is None or frame.extra is None:
        return None
    return _mortal(frame, frame.victim, amounts.dice(match["dice"]))
