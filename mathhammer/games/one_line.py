"""Profiles typed in one line, such as `20x 3+ 3+ -1 2 crit(mortal)`: a scanner that the
games give their words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mathhammer.dice.notation import parse_dice
from mathhammer.errors import BadInputError, did_you_mean
from mathhammer.games.abilities import Abilities, Ability

DICE = r"(?:\d{0,3}D[36](?:[+-]\d{1,3})?|\d{1,4})"
Reader = Callable[[dict[str, Any], re.Match[str]], None]
Word = tuple[str, Reader]


def scan(text: str, words: Sequence[Word], example: str) -> dict[str, Any]:
    """Reads the line word by word; each word fills fields, and an unknown one is an error with an example."""
    if len(text) > 300:
        raise BadInputError(f"quick: {len(text)} characters are too many (write something like {example!r})")
    fields: dict[str, Any] = {}
    rest = text.strip()
    compiled = [(re.compile(pattern + r"(?=[\s,;]|$)", re.IGNORECASE), reader) for pattern, reader in words]
    while rest:
        for pattern, reader in compiled:
            if match := pattern.match(rest):
                reader(fields, match)
                rest = rest[match.end() :].lstrip(" ,;\t")
                break
        else:
            raise BadInputError(
                f"quick: cannot read {rest.split()[0]!r} in {text!r} (write something like {example!r})"
            )
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

    return ((rf"(\d{{1,3}})x({DICE})", models_and_attacks), (rf"({DICE})x", put("attacks", dice)))


def ability_words(abilities: Abilities) -> tuple[Word, ...]:
    """Every weapon ability as people type it: `crit(mortal)`, `sustained hits 1`; or its beginning."""

    def spelled(fields: dict[str, Any], text: str) -> None:
        fields.setdefault("abilities", []).append(text)

    def whole(ability: Ability) -> Word:
        pattern = re.sub(r"\\ | ", r"\\s?", ability.pattern.pattern).replace(".{1,40}", r"[\w -]{1,30}")

        def read(fields: dict[str, Any], found: re.Match[str]) -> None:
            parts = found.groupdict()
            blank = parts.get("keyword") or parts.get("number") or "X"
            text = ability.name.replace("n+", f"{parts.get('number')}+")
            spelled(fields, re.sub(r"\bX\b", blank.strip().upper(), text))

        return pattern, read

    def beginning(fields: dict[str, Any], found: re.Match[str]) -> None:
        typed = _squeezed(found[1])
        near = [ability for ability in abilities.known if _squeezed(ability.name).startswith(typed)]
        if not near:
            known = [ability.example for ability in abilities.known]
            raise BadInputError(f"quick: unknown ability {found[1]!r}{did_you_mean(found[1], known)}")
        if near[0].pattern.groups:
            raise BadInputError(
                f"quick: {found[1]!r} is not complete (write something like {near[0].example!r})"
            )
        spelled(fields, near[0].name)

    longest_first = sorted(abilities.known, key=lambda ability: -len(ability.name))
    return (*map(whole, longest_first), (r"([a-z][\w()+-]*(?:\s?\([^)]{1,20}\))?)", beginning))


def _squeezed(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def target_words(wounds: str, spelled: str) -> tuple[Word, ...]:
    """What targets of every game have: wounds (a field, and how people write it), models, save, keywords."""

    def keyword(fields: dict[str, Any], found: re.Match[str]) -> None:
        fields.setdefault("keywords", []).append(found[1])

    return (
        (rf"(?:{spelled})\s?(\d{{1,3}})", put(wounds)),
        (r"x\s?(\d{1,3})", put("models")),
        (r"(\d{1,3})\s?models", put("models")),
        (r"(?:sv|save)?\s?(\d{1,2})\+", put("save")),
        (r"-|no save()", lambda _fields, _found: None),
        (r"([a-z][a-z ]{1,20}?)", keyword),
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
