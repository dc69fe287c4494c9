"""Profiles typed in one line, such as `20x 3+ 3+ -1 2 crit(mortal)`: a scanner that the
games give their words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mathhammer.dice.notation import parse_dice
from mathhammer.errors import BadInputError
from mathhammer.games.abilities import Abilities, Ability
from mathhammer.games.buff_words import loose_pattern, spelled_out

DICE = r"(?:\d{0,3}D[36](?:[+-]\d{1,3})?|\d{1,4})"
Reader = Callable[[dict[str, Any], re.Match[str]], bool | None]  # False: it is not its word after all
Word = tuple[str, Reader]


def scan(text: str, words: Sequence[Word], example: str, *, buffs: bool = False) -> dict[str, Any]:
    """Reads the line word by word; each word fills fields, and an unknown one is an error with an example.

    With `buffs`, what is between commas and no word goes to the field `words`, for others to read.
    """
    if len(text) > 300:
        raise BadInputError(f"quick: {len(text)} characters are too many (write something like {example!r})")
    fields: dict[str, Any] = {}
    rest = text.strip()
    compiled = [(re.compile(pattern + r"(?=[\s,;]|$)", re.IGNORECASE), reader) for pattern, reader in words]
    between, unread = ",", False  # what stands before the rest, and whether the word before it was read
    while rest:
        for pattern, reader in compiled:
            if (match := pattern.match(rest)) and reader(fields, match) is not False:
                end, unread = match.end(), False
                break
        else:
            if not buffs or not re.match(r"[a-z+-]|\d\+", rest, re.IGNORECASE):
                raise BadInputError(
                    f"quick: cannot read {rest.split()[0]!r} in {text!r} (write something like {example!r})"
                )
            # behind a comma all up to the next one, else word by word
            part = re.split("[,;]" if "," in between or ";" in between else r"[\s,;]", rest, maxsplit=1)[0]
            found = fields.setdefault("words", [])
            found[len(found) - unread :] = [" ".join([*found[len(found) - unread :], part.strip()])]
            end, unread = len(part), True
        between = rest[end:][: len(rest[end:]) - len(rest[end:].lstrip(" ,;\t"))]
        unread = unread and "," not in between and ";" not in between
        rest = rest[end + len(between) :]
    return fields


def put(name: str, kind: Callable[[str], Any] = int, group: int = 1) -> Reader:
    """A reader that stores one part of the word, once."""

    def read(fields: dict[str, Any], found: re.Match[str]) -> None:
        if name in fields:
            raise BadInputError(f"quick: {name} is given twice ({fields[name]} and {found[group]})")
        fields[name] = kind(found[group])

    return read


def dice(text: str) -> str | int:
    """A number or dice text, checked."""
    return int(text) if text.isdigit() else str(parse_dice(text))


def attack_words() -> tuple[Word, ...]:
    """`20x` is twenty attacks, `5x2` five models with two each, `5xD6` five that roll."""

    def models_and_attacks(fields: dict[str, Any], found: re.Match[str]) -> None:
        put("models")(fields, found)
        put("attacks", dice, 2)(fields, found)

    return (
        (rf"(\d{{1,3}})\s?x\s?({DICE})", models_and_attacks),
        (rf"({DICE})\s?x", put("attacks", dice)),
        (r"(melee|ranged)", put("kind", str.lower)),
    )


def attacks_first(fields: dict[str, Any], found: re.Match[str]) -> None:
    """Dice in the place of the attacks are attacks, later ones the damage."""
    put("attacks" if set(fields) <= {"kind", "range"} else "damage", dice)(fields, found)


def ability_words(abilities: Abilities) -> tuple[Word, ...]:
    """Every weapon ability as people type it: `crit(mortal)`, `sustained hits 1`; or its beginning."""

    def spelled(fields: dict[str, Any], text: str) -> None:
        fields.setdefault("abilities", []).append(text)

    def whole(ability: Ability) -> Word:
        return loose_pattern(ability).pattern, lambda fields, found: spelled(
            fields, spelled_out(ability, found.groupdict())
        )

    def beginning(fields: dict[str, Any], found: re.Match[str]) -> bool:
        typed = _squeezed(found[1])
        near = [ability for ability in abilities.known if _squeezed(ability.name).startswith(typed)]
        if not near:
            return False
        if near[0].pattern.groups:
            raise BadInputError(
                f"quick: {found[1]!r} is not complete (write something like {near[0].example!r})"
            )
        spelled(fields, near[0].name)
        return True

    longest_first = sorted(abilities.known, key=lambda ability: -len(ability.name))
    return (*map(whole, longest_first), (r"([a-z][\w()+-]*(?:\s?\([^)]{1,20}\))?)", beginning))


def _squeezed(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def target_words(wounds: str, spelled: str, flags: Sequence[str] = ()) -> tuple[Word, ...]:
    """What targets of every game have: wounds (a field, and how people write it), models, save, KEYWORDS in
    capitals, cover; and the yes-or-no fields of this game.
    """

    def keyword(fields: dict[str, Any], found: re.Match[str]) -> None:
        fields.setdefault("keywords", []).append(found[1])

    def flag(name: str) -> Word:
        return name.replace("_", r"[\s_-]"), lambda fields, _found: fields.update({name: True})

    def cover(fields: dict[str, Any], _found: re.Match[str]) -> None:
        fields.setdefault("words", []).append("in cover")

    return (
        (rf"(?:{spelled})\s?(\d{{1,3}})", put(wounds)),
        (r"x\s?(\d{1,3})", put("models")),
        (r"(\d{1,3})\s?models", put("models")),
        (r"(?:sv|save)?\s?(\d{1,2})\+", put("save")),
        (r"-|no save()", lambda _fields, _found: None),
        (r"(?:in |has )?(?:the )?(?:benefit of )?cover", cover),
        *map(flag, flags),
        (r"(?-i:([A-Z][A-Z' -]{1,30}[A-Z]))", keyword),
    )


def hit_then_wound(fields: dict[str, Any], found: re.Match[str]) -> None:
    """The first `3+` is the roll to hit, the second the roll to wound."""
    put("wound" if "hit" in fields else "hit")(fields, found)


def complete(fields: dict[str, Any], text: str, example: str, parts: Mapping[str, str]) -> dict[str, Any]:
    """The fields, if none is missing; `parts` says what each looks like in the example."""
    for name, what in parts.items():
        if name not in fields:
            raise BadInputError(
                f"quick: no {name} in {text!r} (write something like {example!r}; {name} is the {what!r})"
            )
    return fields
