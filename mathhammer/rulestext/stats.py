"""Characteristics: added to, improved, set, halved."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from mathhammer.rulestext import amounts
from mathhammer.rulestext.amounts import SIGNS, STATS, WEAPON_STATS, signed
from mathhammer.rulestext.arms import arms, whose
from mathhammer.rulestext.frame import Frame, Who
from mathhammer.rulestext.placing import after_roll, attacks, said, theirs
from mathhammer.rulestext.productions import Said, production


def value_of(verb: str, stat: str, text: str) -> str | None:
    """A change of a characteristic as numbers are written: improving a save or AP lowers the number."""
    plain = amounts.dice(text)
    sign = SIGNS[verb.lower()]
    if verb.lower() in ("improve", "worsen", "improved", "worsened") and stat in amounts.LOW_IS_GOOD:
        sign = -sign
    elif stat == "save":  # "add 1 to a Save of 4+": 3+ or 5+, texts do not agree
        return None
    if plain.isdigit():
        return signed(int(plain) * sign)
    return f"+{plain}" if sign > 0 else None


def change_stats(frame: Frame, stats: tuple[str, ...], text: str, make: Any) -> Said | None:
    """Changes of characteristics of weapons, attacks or units that a phrase names."""
    base = after_roll(frame)
    if base is None:
        return None
    ours = all(stat in WEAPON_STATS for stat in stats)
    armed = arms(text, base) if ours else None
    if armed is not None:
        return _weapon_stats(armed[0], armed[1], stats, make)
    meant = whose(text, base)
    if meant is None or meant.reach == "attacker":
        return None
    if any(stat in WEAPON_STATS for stat in stats) and not all(
        stat in ("hit", "wound") or stat not in WEAPON_STATS for stat in stats
    ):
        return None
    change = {stat: make(stat) for stat in stats}
    if any(value is None for value in change.values()):
        return None
    return said(theirs(base, meant, change))


def _weapon_stats(frame: Frame, meant: Who, stats: tuple[str, ...], make: Any) -> Said | None:
    change = {stat: make(stat) for stat in stats}
    if any(value is None for value in change.values()):
        return None
    if frame.by is None and frame.against is None:
        frame = replace(frame, by=meant)
    if frame.against is not None and "damage" in change:
        return _less_damage(frame, change)
    return said(
        attacks(frame, change), replace(frame, by=None, weapon=frame.weapon) if frame.weapon else None
    )


def _less_damage(frame: Frame, change: dict[str, Any]) -> Said | None:
    """Damage of attacks against a unit is what the unit takes less."""
    value = change.pop("damage")
    if change or frame.against is None or frame.against.side == "foes":
        return None
    amount = str(value).removeprefix("-")
    key: dict[str, Any]
    if str(value).startswith("-") and amount.isdigit():
        key = {"damage_reduction": int(amount)}
    elif str(value) == "/2":
        key = {"halve_damage": True}
    elif str(value) == "=0" and (frame.limit or frame.use):
        key = {"damage_zero_uses": 1}
    elif str(value).startswith("=") and amount[1:].isdigit():
        key = {"damage_set": int(amount[1:])}
    else:
        return None
    return said(theirs(frame, frame.against, key))


def _stats(text: str) -> tuple[str, ...] | None:
    return amounts.names(re.sub(r" characteristics?\b", "", text, flags=re.IGNORECASE), STATS)


LIMIT = (
    r"(?: for (?:each|every) (?P<per>[^,;:()]+?))?(?:,? ?\(?to a (?P<end>minimum|maximum) of "
    r"\+?(?P<limit>\d+)(?:\+|\")?\)?)?"
)


_PER = (
    (
        re.compile(
            r"(?:(?P<n>\d+|two|three|five|ten) )?(?:other )?models? in (?:this unit|the bearer's "
            r"unit|that unit|it)",
            re.IGNORECASE,
        ),
        "model",
    ),
    (
        re.compile(
            r"(?:(?P<n>\d+|two|three|five|ten) )?(?:enemy )?models? in (?:the target(?: unit)?|that "
            r"enemy unit)",
            re.IGNORECASE,
        ),
        "target model",
    ),
    (
        re.compile(
            r"(?P<n>)damage points? (?:allocated to )?(?:this unit|it)(?: has)?|(?P<n2>)damage point "
            r"this unit has",
            re.IGNORECASE,
        ),
        "lost",
    ),
    (re.compile(r"(?P<n>)battle rounds?(?: .*)?", re.IGNORECASE), "round"),
    (re.compile(r"(?P<n>)(?:other )?friendly .+", re.IGNORECASE), "friend"),
    (re.compile(r"(?P<n>)(?:other )?enemy units? .+", re.IGNORECASE), "enemy"),
)


def _counted(text: str) -> str:
    """What a change is counted by: a word that fights know, or the words of the text."""
    for pattern, word in _PER:
        if match := pattern.fullmatch(text.strip()):
            number = match["n"]
            value = None if not number else amounts.number(number) or {"ten": 10}.get(number)
            return f"{value} {word}s" if value else word
    return text.strip()


def _limited(value: str | None, match: re.Match[str]) -> str | None:
    parts = match.groupdict()
    if value is not None and parts.get("per"):
        value = f"{value} per {_counted(parts['per'])}"
    if value is None or not parts.get("limit"):
        return value
    if parts["end"].lower() == "minimum" and parts["limit"] in ("0", "1"):
        return value
    return f"{value} limit {parts['limit']}"


@production(
    "stat.add",
    "change",
    rf"(?P<verb>add|subtract) <dice>\"? (?:to|from) (?:the )?<stats> characteristics? (?:of|for) "
    rf"<arms>{LIMIT}",
    "Add 4 to the Attacks characteristic of melee weapons equipped by models in this unit.",
)
@production(
    "stat.improve",
    "change",
    rf"(?P<verb>improve|worsen|increase|reduce) (?:the )?<stats>(?: characteristics?)? (?:of|for) "
    rf"<arms> by <dice>\"?{LIMIT}",
    "Improve the Armour Penetration characteristic of this unit's ranged weapons by 1.",
)
def _stat_add(match: re.Match[str], frame: Frame) -> Said | None:
    stats = _stats(match["stats"])
    if stats is None:
        return None
    return change_stats(
        frame,
        stats,
        match["arms"],
        lambda stat: _limited(value_of(match["verb"], stat, match["dice"]), match),
    )


@production(
    "stat.add-two",
    "change",
    r"(?P<verb>add) (?P<a>\d) to the (?P<stat>[A-Za-z ]+?) (?:characteristic )?and (?:add "
    r")?(?P<b>\d) to the (?P<stat2>[A-Za-z ]+?) characteristics? of <arms>",
    "Add 2 to the Strength and add 1 to the Attacks characteristics of the bearer's melee weapons.",
)
def _stat_two(match: re.Match[str], frame: Frame) -> Said | None:
    first, second = STATS.get(match["stat"].lower()), STATS.get(match["stat2"].lower())
    if first is None or second is None or first == second:
        return None
    values = {first: match["a"], second: match["b"]}
    return change_stats(
        frame, (first, second), match["arms"], lambda stat: value_of("add", stat, values[stat])
    )


@production(
    "stat.add-own",
    "change",
    rf"(?P<verb>add|subtract) <dice>\"? (?:to|from) (?P<whose>.+?(?:'s|s')|its|their) <stats> "
    rf"characteristics?{LIMIT}",
    "Add 9 to your hero's Health characteristic.",
)
@production(
    "stat.improve-own",
    "change",
    rf"(?P<verb>improve|worsen|increase|reduce) (?P<whose>.+?(?:'s|s')|its|their) <stats> "
    rf"characteristics? by <dice>\"?{LIMIT}",
    "Improve this unit's Save characteristic by 1.",
)
def _stat_add_own(match: re.Match[str], frame: Frame) -> Said | None:
    return _own_stats(
        match, frame, lambda stat: _limited(value_of(match["verb"], stat, match["dice"]), match)
    )


_POSSESSIVE = re.compile(r"(?:'s|')$")


def _own_stats(match: re.Match[str], frame: Frame, make: Any) -> Said | None:
    stats = _stats(match["stats"])
    if stats is None:
        return None
    return change_stats(frame, stats, _POSSESSIVE.sub("", match["whose"]), make)


@production(
    "stat.is-improved",
    "change",
    r"the <stats> characteristics? of <arms> (?:is|are) (?P<verb>improved|worsened|increased|"
    r"reduced) by <dice>\"?",
    "The Strength characteristic of this unit's melee weapons is increased by 1.",
)
def _stat_is_improved(match: re.Match[str], frame: Frame) -> Said | None:
    stats = _stats(match["stats"])
    verb = match["verb"].lower().removesuffix("d")
    if stats is None:
        return None
    verb = {"improve": "improve", "worsene": "worsen", "increase": "increase", "reduce": "reduce"}[verb]
    return change_stats(frame, stats, match["arms"], lambda stat: value_of(verb, stat, match["dice"]))


@production(
    "stat.change",
    "change",
    r"(?:you (?:can )?)?change (?:the )?<stats> characteristics? of <arms> to (?P<value>\d{1,2}|D3|"
    r"D6|2D6|D3\+\d)[+\"]?",
    "Change the Damage characteristic of this unit's Claws to 3.",
)
def _stat_change(match: re.Match[str], frame: Frame) -> Said | None:
    stats = _stats(match["stats"])
    if stats is None:
        return None
    moved = frame.chosen() if match[0].lower().startswith("you can") else frame
    return change_stats(moved, stats, match["arms"], lambda stat: f"={match['value']}")


@production(
    "stat.change-that",
    "change",
    r"(?:you (?:can )?)?change the Damage characteristic to 0",
    "Once per battle, when an attack is allocated to this model, you can change the Damage "
    "characteristic to 0.",
)
def _stat_change_that(match: re.Match[str], frame: Frame) -> Said | None:
    return change_stats(frame, ("damage",), "that attack", lambda stat: "=0")


@production(
    "stat.is",
    "change",
    r"(?:the )?<stats> characteristics? of <arms> (?:is|are|becomes?) (?:changed to "
    r")?(?P<value>\d{1,2}|D3|D6|2D6|D3\+\d|D6\+\d)[+\"]?(?: instead of [^,;:]+)?",
    "The Damage characteristic of this unit's Spears is 3.",
)
def _stat_is(match: re.Match[str], frame: Frame) -> Said | None:
    stats = _stats(match["stats"])
    if stats is None:
        return None
    return change_stats(frame, stats, match["arms"], lambda stat: f"={match['value']}")


@production(
    "stat.multiply",
    "change",
    r"(?P<verb>double|halve|half|multiply by 2) (?:the )?<stats> characteristics? of <arms>(?: "
    r"\(round(?:ing)? (?:up|down)\))?",
    "Each time an attack is allocated to this unit, halve the Damage characteristic of that attack.",
)
def _stat_multiply(match: re.Match[str], frame: Frame) -> Said | None:
    stats = _stats(match["stats"])
    if stats is None:
        return None
    value = "/2" if match["verb"].lower().startswith("hal") else "x2"
    return change_stats(frame, stats, match["arms"], lambda stat: value)
