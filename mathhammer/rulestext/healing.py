"""Wounds healed, models brought back or slain outright, damage that is ignored."""

from __future__ import annotations

import re

from mathhammer.rulestext import amounts
from mathhammer.rulestext.arms import whose
from mathhammer.rulestext.frame import Frame
from mathhammer.rulestext.placing import after_roll, given, said, theirs
from mathhammer.rulestext.productions import Said, production


@production(
    "heal.aos", "change", r"heal \(<dice>\) <who>", "Heal (D6) friendly Moss Guard units.", family="sigmar"
)
def _heal(match: re.Match[str], frame: Frame) -> Said | None:
    value = amounts.dice(match["dice"]) + (f" per {frame.per}" if frame.per else "")
    return given(match["who"], frame, {"heal": value})


_COUNTABLE = re.compile(r"(?!roll$|one of)[a-z][a-z' ]{0,39}", re.IGNORECASE)


@production(
    "heal.counted",
    "change",
    r"heal \(X\) <who>, where X is (?:equal to )?(?:an amount equal to )?(?:the )?(?:number of )?<clause>",
    "Heal (X) this unit, where X is the number of skulls it has.",
    family="sigmar",
)
def _heal_counted(match: re.Match[str], frame: Frame) -> Said | None:
    if not _COUNTABLE.fullmatch(match["clause"]):
        return None
    return given(match["who"], frame, {"heal": f"1 per {match['clause']}"})


@production(
    "heal",
    "change",
    r"<who> (?:regains?|heals?|can regain|has) (?:up to )?<dice> lost wounds?",
    "This model regains up to 3 lost wounds.",
    family="wh40k",
)
def _regains(match: re.Match[str], frame: Frame) -> Said | None:
    text = match["who"].strip()
    text = re.sub(
        r"^(?:one|a|each|every) (?:\w+ )?model(?: in| from)? (?=this|that|the|it)",
        "",
        text,
        flags=re.IGNORECASE,
    )
    return given(text, frame, {"heal": amounts.dice(match["dice"])})


@production(
    "heal.passive",
    "change",
    r"(?:up to )?<dice> (?:destroyed|slain) (?:[\w' ]+? )?models?(?: \(excluding [^)]+\))? (?:can be|"
    r"is|are) (?:returned|added back) to <who>(?: with [^,;:]+)?",
    "D3 destroyed models are returned to this unit.",
)
def _returned(match: re.Match[str], frame: Frame) -> Said | None:
    frame = frame.chosen() if "can be" in match[0].lower() else frame
    return given(match["who"], frame, {"return": amounts.dice(match["dice"])})


@production(
    "return",
    "change",
    r"(?:you can )?return (?:up to )?<dice> (?:destroyed|slain) (?:[\w' ]+? )?models?(?: \(excluding "
    r"[^)]+\))? (?:from [^,;:]+? )?to <who>(?: with [^,;:]+| at [^,;:]+)?",
    "Return D3 slain models to this unit.",
)
def _return(match: re.Match[str], frame: Frame) -> Said | None:
    frame = frame.chosen() if match[0].lower().startswith("you can") else frame
    return given(match["who"], frame, {"return": amounts.dice(match["dice"])})


@production(
    "return.health",
    "change",
    r"(?:you can )?return (?:a number of|any number of) slain models to <who> (?:with|that have) a "
    r"combined Health characteristic of (?:up to )?<dice>(?: or less)?(?: to (?:it|them|that unit))?",
    "Return a number of slain models to this unit with a combined Health characteristic of up to 3.",
    family="sigmar",
)
def _return_health(match: re.Match[str], frame: Frame) -> Said | None:
    return given(match["who"], frame, {"return_health": amounts.dice(match["dice"])})


@production(
    "return.roll",
    "change",
    r"return a number of slain models to <who> equal to the roll",
    "Roll a D3. On a 3+, return a number of slain models to this unit equal to the roll.",
    family="sigmar",
)
def _return_roll(match: re.Match[str], frame: Frame) -> Said | None:
    return None if frame.roll is None else given(match["who"], frame, {"return": "roll"})


@production(
    "no-heal",
    "change",
    r"<who> cannot be healed(?P<both>,? (?:and|or) (?:cannot )?have slain models returned(?: to "
    r"(?:it|them))?)?",
    'Pick an enemy unit within 12" of this unit. That enemy unit cannot be healed.',
    family="sigmar",
)
def _no_heal(match: re.Match[str], frame: Frame) -> Said | None:
    base = after_roll(frame)
    meant = whose(match["who"], frame)
    if base is None or meant is None:
        return None
    return said(
        theirs(base, meant, {"no_heal": True, **({"no_return": True} if match["both"] else {})}, timed=False)
    )


@production(
    "slay",
    "change",
    r"(?P<n>\d|D3|D6) models? in <who> (?:is|are) (?:slain|destroyed)",
    "1 model in this unit is slain.",
)
def _slay(match: re.Match[str], frame: Frame) -> Said | None:
    return given(match["who"], frame, {"slay": match["n"]})


@production(
    "banish",
    "change",
    r"<who> is banished(?: and removed from play)?",
    'Pick an enemy Manifestation within 12" of this unit. Roll a dice. On a 4+, that enemy '
    "Manifestation is banished and removed from play.",
    family="sigmar",
)
def _banish(match: re.Match[str], frame: Frame) -> Said | None:
    base = after_roll(frame)
    meant = whose(match["who"], frame)
    if base is None or meant is None or meant.side != "foes":
        return None
    return said(theirs(base, meant, {"banish": True}, timed=False))


@production(
    "slay.all",
    "change",
    r"<who> is (?:automatically )?destroyed",
    "Roll a dice. On a 1, this unit is destroyed.",
)
def _slay_all(match: re.Match[str], frame: Frame) -> Said | None:
    base = after_roll(frame)
    meant = whose(match["who"], frame)
    if base is None or meant is None or base is frame:
        return None
    return said(theirs(base, meant, {"slay": "all"}, timed=False))


@production(
    "ignore-points",
    "change",
    r"ignore the first (?P<n>\d+ )?damage points?(?: that (?:would be|is|are))? (?:allocated|"
    r"inflicted) (?:to|on) <who> (?:in )?(?P<span>each|this) (?P<what>phase|turn)",
    "Ignore the first 4 damage points that would be allocated to this unit each phase.",
    family="sigmar",
)
def _ignore_points(match: re.Match[str], frame: Frame) -> Said | None:
    meant = whose(match["who"], frame)
    if meant is None:
        return None
    number = (match["n"] or "1").strip()
    return said(
        theirs(frame, meant, {"damage_ignored": f"{number} per {match['what'].lower()}"}, timed=False)
    )
