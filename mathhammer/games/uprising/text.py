"""Pools, heroes, goals and sides of Uprising as one types them: `2 red, blue`, `magic 1, cunning 3`, `3
Younglings, Koloth, tower`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from mathhammer.dataclass import dataclass
from mathhammer.errors import BadInputError, UnknownNameError, did_you_mean
from mathhammer.games.records import records, same_name
from mathhammer.games.uprising.pools import COLOURS, LETTERS, SYMBOLS
from mathhammer.games.uprising.quests import ATTRIBUTES
from mathhammer.games.uprising.scoring import RESOURCES
from mathhammer.games.uprising.side import DEFENCES, Side
from mathhammer.games.uprising.sides import CONDITIONS, MOST_THREAT, WINDOWS, read_side

POOL, HERO, GOAL = "2 red, blue, white", "magic 1, cunning 3", "2 skulls and 1 bolt, 1 VP"
UNITS, CARD, POWER, BONUS = (
    "3 Younglings, Koloth, tower",
    "Imperial Guard 5",
    "2 skulls per round",
    "first clash: red",
)
# UP-UNIT-2: colours that stand in where a figure's own die is not known.
PLACEHOLDERS = {
    "warrior": "blue",
    "archer": "yellow",
    "rider": "red",
    "elite warrior": "red",
    "elite archer": "purple",
    "elite rider": "red",
}
LIMITS = {"round": "round", "combat": "combat", "bolt": "none"}
_ITEM = re.compile(r"(?:(\d{1,3})(?: ?x | ))?([^\d ].*?)(?: (\d{1,3}))?")


@dataclass(frozen=True, slots=True)
class ReadSide:
    """A side as `odds` wants it, and what a reader should know about it."""

    fields: dict[str, Any]
    name: str
    remarks: tuple[str, ...] = field(default=())


def counted(where: str, text: str, example: str) -> list[tuple[int | None, str]]:
    """The parts of a text with their numbers, which stand in front or behind: `3 Younglings`, `cunning 3`,
    `tower`.

    >>> counted("quest", "2 red, blue and cunning 3", "...")
    [(2, 'red'), (None, 'blue'), (3, 'cunning')]
    """
    items: list[tuple[int | None, str]] = []
    for part in re.split(r" ?[,;+()] ?| and ", " ".join(text.split())):
        if part:
            item = _ITEM.fullmatch(part)
            if item is None or (item[1] and item[3]):
                raise BadInputError(f"{where}: cannot read {part!r} (write something like {example!r})")
            number = item[1] or item[3]
            items.append((int(number) if number else None, item[2].lower()))
    if not items:
        raise BadInputError(f"{where}: nothing in {text!r} (write something like {example!r})")
    return items


def _summed(
    where: str, text: str, known: Sequence[str], kind: str, example: str, default: int | None = 1
) -> dict[str, int]:
    """Numbers by name; a name that is left without a number counts `default`."""
    counts: dict[str, int] = {}
    for number, word in counted(where, text, example):
        name = word if word in known else word.removesuffix("s")
        if name not in known:
            raise UnknownNameError(where, kind, word, known)
        if number is None and default is None:
            raise BadInputError(f"{where}: {name} needs a number (write something like {example!r})")
        counts[name] = counts.get(name, 0) + (default or 0 if number is None else number)
    return counts


def read_pool_text(where: str, text: str) -> dict[str, int]:
    """Dice by colour; letters will do as well, as on the cards.

    >>> read_pool_text("quest", "2 red, blue"), read_pool_text("quest", "RRB")
    ({'red': 2, 'blue': 1}, {'red': 2, 'blue': 1})
    """
    if text and set(text) <= set(LETTERS):
        return {LETTERS[letter]: text.count(letter) for letter in dict.fromkeys(text)}
    return _summed(where, text, COLOURS, "colour", POOL)


def read_hero_text(where: str, text: str) -> dict[str, int]:
    """A hero's attributes; `yellow 2` chooses the colour of two cunning dice.

    >>> read_hero_text("quest", "magic 1, cunning 3")
    {'magic': 1, 'cunning': 3}
    """
    return _summed(where, text, (*ATTRIBUTES, "cunning", "yellow"), "attribute", HERO, default=None)


def read_resources_text(where: str, text: str) -> dict[str, int]:
    """Resources by name.

    >>> read_resources_text("recruit", "5 salt, 3 plunder")
    {'salt': 5, 'plunder': 3}
    """
    return _summed(where, text, RESOURCES, "resource", "5 salt, 3 plunder", default=None)


def read_goal_text(where: str, text: str) -> dict[str, int]:
    """A goal of a quest: symbols with the least number of each, and points.

    >>> read_goal_text("quest", "2 skulls and 1 bolt (1 VP)")
    {'skull': 2, 'bolt': 1, 'vp': 1}
    """
    return _summed(where, text, (*SYMBOLS, "vp"), "symbol", GOAL)


# --- sides ------------------------------------------------------------------------------------------------


def read_side_text(where: str, text: str) -> ReadSide:
    """A side of a combat: player units (with tower and wall), `2 skeletons`, `garrison 2`, or a legion or
    horde with its threat.

    >>> read_side_text("battle", "imperial guard 5").fields
    {'kind': 'card', 'name': 'Imperial Guard', 'threat': 5}
    """
    items = counted(where, text, UNITS)
    number, word = items[0]
    base = re.sub(r" (level|threat)$", "", word)
    cards = _named("card")
    if base in ("skeleton", "skeletons"):
        fields: dict[str, Any] = {"kind": "skeletons", "count": 1 if number is None else number}
    elif base in ("garrison", "garrisons"):
        fields = {"kind": "garrison", "level": _needed(where, number, "garrison", "level", "garrison 2")}
    elif same_name(base) in cards:
        name = cards[same_name(base)]["name"]
        threat = _needed(where, number, name, "threat", f"{name} 5")
        most = max((int(row) for row in cards[same_name(base)].get("rows", {})), default=MOST_THREAT)
        if not 1 <= threat <= most:
            raise BadInputError(f"{where}: {name} with threat {threat} (its card has 1 to {most})")
        fields = {"kind": "card", "name": name, "threat": threat}
    elif base in ("legion", "horde"):
        raise BadInputError(
            f"{where}: which {base}? (write its name and threat, such as {CARD!r}; mathhammer units "
            f"{base} lists them)"
        )
    else:
        return _player_side(where, text, items)
    for extra, condition in items[1:]:
        spelled = condition.replace(" ", "_")
        if condition == "reroll" and extra is not None:
            fields["reroll"] = extra
        elif fields["kind"] == "card" and spelled in CONDITIONS and extra is None:
            fields.setdefault("conditions", []).append(spelled)
        else:
            allowed = (
                (*(c.replace("_", " ") for c in CONDITIONS), "reroll 2")
                if fields["kind"] == "card"
                else ("reroll 2",)
            )
            raise BadInputError(
                f"{where}: {condition!r} does not go with {base}{did_you_mean(condition, allowed)}"
            )
    strength = fields.get("threat") or fields.get("level") or fields.get("count")
    label = (
        f"{strength} {'skeleton' if strength == 1 else 'skeletons'}"
        if fields["kind"] == "skeletons"
        else f"{fields.get('name', 'garrison')} {strength}"
    )
    return ReadSide(fields, label)


def _needed(where: str, number: int | None, name: str, figure: str, example: str) -> int:
    if number is None:
        raise BadInputError(f"{where}: {name} needs its {figure} (write {example!r})")
    return number


def _named(table: str) -> Mapping[str, Mapping[str, Any]]:
    return records("uprising", "units.toml", table)


def _player_side(where: str, text: str, items: Sequence[tuple[int | None, str]]) -> ReadSide:
    fields: dict[str, Any] = {"kind": "units", "units": []}
    remarks: dict[str, None] = {}
    for number, word in items:
        if word in DEFENCES and number is None:
            fields[word] = True
        elif word == "reroll" and number is not None:
            fields["reroll"] = number
        else:
            unit, remark = read_unit_word(where, word)
            fields["units"].append(unit | {"count": 1 if number is None else number})
            remarks |= {remark: None} if remark else {}
    return ReadSide(fields, " ".join(text.split()), tuple(remarks))


def read_unit_word(where: str, word: str) -> tuple[dict[str, Any], str]:
    """A player unit by its datasheet's name, or by class and colour (`red riders`, `archers`), and a remark
    on what is assumed.

    >>> read_unit_word("battle", "red riders")[0]
    {'name': 'red rider', 'die': 'red', 'archer': False, 'rider': True}
    """
    known = _named("player_unit")
    for spelling in (same_name(word), same_name(word) + "s"):
        if spelling in known:
            record = known[spelling]
            assumed = record["die_confidence"] == "low"
            return {
                "name": record["name"]
            }, f"{record['name']}: a {record['die']} die is assumed (UP-UNIT-2)" if assumed else ""
    parts = word.split()
    colour = parts.pop(0) if parts[0] in COLOURS else None
    kind = " ".join(parts).removesuffix("s").removeprefix("basic ") or "warrior"
    if kind not in PLACEHOLDERS:
        cards = [record["name"] for record in _named("card").values()]
        names = [record["name"] for record in known.values()]
        raise UnknownNameError(
            where,
            "unit or enemy",
            word,
            [*names, *cards, *DEFENCES, *(f"{kind}s" for kind in PLACEHOLDERS), "skeletons", "garrison"],
        )
    die = colour or PLACEHOLDERS[kind]
    unit = {
        "name": f"{die} {kind}",
        "die": die,
        "archer": kind.endswith("archer"),
        "rider": kind.endswith("rider"),
    }
    return (
        unit,
        ""
        if colour
        else (
            f"{kind}s: a {die} die each is assumed (UP-UNIT-2; write something like 'red {kind}s' for "
            "another)"
        ),
    )


def read_power_text(where: str, text: str) -> dict[str, Any]:
    """A druid's god power: what it adds, and how often bolts may be fed into it.

    >>> read_power_text("battle", "2 skulls per round")
    {'effect': 'skulls', 'n': 2, 'limit': 'round'}
    """
    power = re.fullmatch(
        r"(\d{1,2}) (skull|shield)s?(?: (?:once )?per (round|combat|bolt))?", " ".join(text.lower().split())
    )
    if power is None:
        raise BadInputError(
            f"{where}: cannot read the god power {text!r} (write something like {POWER!r}; per round, "
            "per combat or per bolt)"
        )
    return {"effect": f"{power[2]}s", "n": int(power[1]), "limit": LIMITS[power[3] or "round"]}


@dataclass(frozen=True, slots=True)
class Added:
    """Dice or symbols that a card or item adds: in which window, and of an item in which combat."""

    window: str
    dice: tuple[str, ...] = ()
    symbols: Mapping[str, int] = field(default_factory=dict)
    combat: int | None = None


def read_bonus_text(where: str, text: str) -> Added:
    """Dice or symbols that a card or item adds, and when.

    >>> read_bonus_text("battle", "first clash of 2: red")
    Added(window='first_clash', dice=('red',), symbols={}, combat=2)
    >>> read_bonus_text("battle", "clash: 1 skull").symbols
    {'skull': 1}
    """
    window, colon, added = text.partition(":")
    named = re.fullmatch(r"(.*?)(?: of (\d{1,2}))?", " ".join(window.lower().split()))
    assert named is not None  # it takes every text
    when = named[1].replace(" ", "_")
    if not colon:
        raise BadInputError(f"{where}: cannot read the bonus {text!r} (write something like {BONUS!r})")
    if when not in WINDOWS:
        raise UnknownNameError(
            where, "time of a bonus", window.strip(), [name.replace("_", " ") for name in WINDOWS]
        )
    if named[2] and when != "first_clash":
        raise BadInputError(
            f"{where}: {window.strip()!r} (only dice of an item, for a first clash, are for one combat)"
        )
    combat = int(named[2]) if named[2] else None
    words = [word.removesuffix("s") for _, word in counted(where, added, BONUS)]
    if set(words) <= set(SYMBOLS):
        return Added(when, symbols=_summed(where, added, SYMBOLS, "symbol", BONUS), combat=combat)
    dice = [c for c, number in read_pool_text(where, added.strip()).items() for _ in range(number)]
    return Added(when, tuple(dice), combat=combat)


def side_of(where: str, given: Any, fights: bool = True) -> Side:
    """A side from its fields, or from text as one types it.

    >>> side_of("battle: a", "3 Younglings, tower").strength
    3
    """
    return read_side(where, read_side_text(where, given).fields if isinstance(given, str) else given, fights)
