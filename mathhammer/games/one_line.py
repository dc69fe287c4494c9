"""Profiles typed in one line, such as `20x 3+ 3+ -1 2 crit(mortal)`: a scanner that the
games give their words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from mathhammer.dice.notation import parse_dice
from mathhammer.errors import BadInputError, did_you_mean
from mathhammer.games.abilities import Abilities

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
            if found := pattern.match(rest):
                reader(fields, found)
                rest = rest[found.end() :].lstrip(" ,;\t")
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


def ability_word(abilities: Abilities) -> Word:
    """A weapon ability in any spelling: `crit(mortal)` for `Crit (Mortal)`, `lethal` for `Lethal Hits`."""

    def squeezed(text: str) -> str:
        return re.sub(r"[^a-z0-9]", "", text.lower())

    def read(fields: dict[str, Any], found: re.Match[str]) -> None:
        word = found[1]
        known = [ability.name for ability in abilities.known]
        near = [name for name in known if squeezed(name).startswith(squeezed(word))]
        if not any(ability.pattern.fullmatch(word) for ability in abilities.known):
            if not near:
                raise BadInputError(f"quick: unknown ability {word!r}{did_you_mean(word, known)}")
            word = near[0]
        fields.setdefault("abilities", []).append(word)

    return (r"([a-z][\w()+-]*(?:\s?\([^)]{1,20}\))?)", read)
