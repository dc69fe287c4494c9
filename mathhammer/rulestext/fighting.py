"""Who fights when: slain models that strike, second strikes, charge and rally dice, tests."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from mathhammer.rulestext.arms import whose
from mathhammer.rulestext.conditions import condition
from mathhammer.rulestext.frame import Frame, Who
from mathhammer.rulestext.placing import after_roll, given, said, theirs
from mathhammer.rulestext.productions import Said, production
from mathhammer.rulestext.switches import switch


@production(
    "test",
    "change",
    r"(?:each )?<who> must (?:immediately |first )?take an? (?:battle-shock|leadership) test(?: before any "
    r"effects[^.;,]*)?(?P<minus>,? "
    r"(?P<verb>adding|subtracting) (?P<n>\d)(?: (?:to|from) (?:that|the) (?:test|result|roll))?(?: "
    r"if (?P<cond>[^,;:]+?))?)?",
    'Select one enemy unit within 6" of this unit. That enemy unit must immediately take a '
    "Battle-shock test.",
    family="wh40k",
)
def _test(match: re.Match[str], frame: Frame) -> Said | None:
    base = after_roll(frame)
    meant = whose(match["who"], frame)
    if base is None or meant is None:
        return None
    moved = replace(frame, it=meant, foe=meant if meant.side == "foes" else frame.foe)
    if "leadership" in match[0].lower():
        return Said((), moved) if not match["minus"] else None
    found = theirs(base, meant, {"battleshock_test": True}, timed=False)
    if match["minus"]:
        sign = "+" if match["verb"].lower() == "adding" else "-"
        alts = condition(match["cond"], moved) if match["cond"] else ((),)
        if alts is None:
            alts = switch(match["cond"])
        if alts is None:
            return None
        found += theirs(Frame(alts=alts), Who(meant.side), {"own_roll": f"{sign}{match['n']}"}, timed=False)
    return said(found, moved)


@production(
    "fights-fallen",
    "change",
    r"(?:that|the|those|it|each) ?(?:destroyed|slain)? ?(?:models?|unit)? (?:can|may) (?:fight|"
    r"shoot(?: or fight)?|(?:use|be picked to use) a (?:fight|shoot) ability|make (?:its "
    r")?attacks)(?: (?:before|after|as if|with|immediately)[^.;]*)?(?:,? and (?:it )?is then removed "
    r"from play)?",
    "Each time a model in this unit is destroyed by a melee attack, roll a dice. On a 6, that "
    "destroyed model can fight.",
)
def _fights_fallen(match: re.Match[str], frame: Frame) -> Said | None:
    words = {cond.word for way in frame.alts for cond in way}
    if not words & {"destroyed", "model_slain"} or (frame.roll is not None and not frame.on):
        return None
    alts = tuple(
        tuple(cond for cond in way if cond.word not in ("destroyed", "model_slain")) for way in frame.alts
    )
    value: Any = frame.on if frame.roll is not None else True
    moved = replace(frame, alts=alts, roll=None, against=None)
    return said(theirs(moved, frame.against or frame.it, {"fight_on_death": value}, timed=False))


@production(
    "charge.drop",
    "change",
    r"(?:when making charge rolls for <who>, )?(?:add 1 to the number of dice rolled|roll (?:1|one) "
    r"additional dice),? ?(?:to a maximum of 3,? ?)?(?:then|and) (?:remove|discard) a dice of your "
    r"choice(?: and use the remaining dice as the charge roll)?",
    "When making charge rolls for this unit, roll 1 additional dice, to a maximum of 3, and discard "
    "a dice of your choice.",
    family="sigmar",
)
def _charge_drop(match: re.Match[str], frame: Frame) -> Said | None:
    meant = whose(match["who"], frame) if match["who"] else frame.it
    base = after_roll(frame)
    return (
        None
        if meant is None or base is None
        else said(theirs(base, meant, {"charge_dice": "+1 drop 1"}, timed=False))
    )


@production(
    "rally.dice",
    "change",
    r"(?:you can make|make) (?P<n>\d|D3) additional rally rolls of D6",
    "If this unit uses the 'Rally' command, you can make 3 additional rally rolls of D6.",
    family="sigmar",
)
def _rally_dice(match: re.Match[str], frame: Frame) -> Said | None:
    return said(theirs(frame, frame.it, {"rally_dice": f"+{match['n']}"}, timed=False))


@production(
    "fights-twice",
    "change",
    r"<who> can use 2 fight abilities(?: in)? this (?:phase|turn)",
    "Friendly Moss Guard units can use 2 Fight abilities this phase.",
    family="sigmar",
)
def _twice(match: re.Match[str], frame: Frame) -> Said | None:
    return given(match["who"], frame, {"strike_again": True})


@production(
    "fights-again",
    "change",
    r"<who> can (?:fight|shoot) (?:one additional time|twice|again|a second time)",
    "That unit can fight one additional time.",
)
def _again(match: re.Match[str], frame: Frame) -> Said | None:
    base = after_roll(frame)
    meant = whose(match["who"], frame)
    return (
        None
        if base is None or meant is None
        else said(theirs(base.chosen(), meant, {"strike_again": True}, timed=False))
    )


@production(
    "fights-after",
    "change",
    r"<who> can (?:be picked to )?use a fight ability immediately after (?:the|that) fight ability "
    r"used by (?:this unit|that unit)(?: has been resolved)?",
    'Pick a friendly Guard unit within 12" of this unit. That unit can use a Fight ability '
    "immediately after that Fight ability used by this unit.",
    family="sigmar",
)
def _fights_after(match: re.Match[str], frame: Frame) -> Said | None:
    meant = whose(match["who"], frame)
    return (
        None
        if meant is None or meant.side != "friends"
        else said(theirs(frame, meant, {"fights_after": True}, timed=False))
    )


@production(
    "charge.dice",
    "change",
    r"(?P<verb>add|subtract) (?P<n>\d) (?:to|from) the number of dice rolled when making "
    r"(?P<what>charge|rally) rolls for <who>(?:,? to a (?:maximum|minimum) of \d)?",
    "Add 2 to the number of dice rolled when making charge rolls for this unit.",
    family="sigmar",
)
def _charge_dice(match: re.Match[str], frame: Frame) -> Said | None:
    base = after_roll(frame)
    meant = whose(match["who"], frame)
    if base is None or meant is None:
        return None
    sign = "+" if match["verb"].lower() == "add" else "-"
    return said(theirs(base, meant, {f"{match['what'].lower()}_dice": f"{sign}{match['n']}"}, timed=False))


@production(
    "rally",
    "change",
    r"you receive (?P<n>\d) additional rally points",
    "If this unit uses the 'Rally' command, you receive 3 additional rally points.",
    family="sigmar",
)
def _rally(match: re.Match[str], frame: Frame) -> Said | None:
    return said(theirs(frame, frame.it, {"rally_points": f"+{match['n']}"}, timed=False))
