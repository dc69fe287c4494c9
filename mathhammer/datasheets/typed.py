"""Targets that are typed in one line, such as `4+ ward 5+ health 2 x10`: no datasheet needed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from mathhammer.datasheets.asked import Own, asked_unit, with_words
from mathhammer.datasheets.library import UnknownUnitError, sheets
from mathhammer.datasheets.reading import make_unit
from mathhammer.errors import BadInputError
from mathhammer.games.discovery import DEFAULT, game_keys, get_game
from mathhammer.games.game import Attacks
from mathhammer.units.unit import Unit


def readers_of(key: str) -> tuple[Attacks, Any, Any]:
    """How weapons and targets of a game are read; an error where nobody writes them in one line."""
    game = get_game(key)
    if game.attacks is None or game.attacks.quick is None:
        raise BadInputError(
            f"quick: {game.title} has no one-line profiles (see mathhammer chance --system {key})"
        )
    return game.attacks, *game.attacks.quick


_PROFILE = r"(?i)(?<![\w:+-])(?:\d{1,2}\+|t ?\d|(?:health|wounds|w) ?\d)"


def asked_target(text: str, system: str | None, own: Own, where: str) -> Unit:
    """The target of an expression, or where no unit is called so, of a profile that is typed in one line.

    >>> asked_target("4+ ward 5+ health 2 x10", "aos4", None, "compare").health
    20
    >>> asked_target("Clanrats: ward 5+", "aos4", None, "compare").label
    'Clanrats: ward 5+'
    """
    try:
        return asked_unit(text, system, own, where)
    except UnknownUnitError:
        if ":" in text or not re.search(_PROFILE, text):
            raise
    return typed_profile(system or DEFAULT, text, own)


def typed_target(key: str, text: str, own: Own) -> Unit:
    """The unit of that name, or the profile that was typed."""
    if not text.strip():
        raise BadInputError("quick: an empty target (give a profile, or the name of a unit)")
    try:
        return asked_unit(text, key, own, "quick")
    except UnknownUnitError:
        return typed_profile(key, text, own)


def typed_profile(key: str, text: str, own: Own) -> Unit:
    """The target of a profile in one line; the text is its name.

    >>> typed_profile("wh40k10", "T4 3+ 4++ W2 x10", None).models
    10
    """
    fields = readers_of(key)[2](text)
    keywords, words = (
        sorted_out(found, known_keywords(own)) if (found := fields.pop("words", [])) else ([], [])
    )
    fields["keywords"] = [*fields.get("keywords", ()), *keywords]
    unit = with_words(make_unit(key, {"name": text} | fields), words, f"quick: {text!r}", own)
    # the text says it all: it is the name of the row
    return replace(unit, stance=replace(unit.stance, words=()))


def known_keywords(own: Own) -> set[str]:
    """Every keyword that a unit of any game has."""
    known = (sheet for key in game_keys() if get_game(key).attacks for sheet in sheets(key, own))
    return {str(word).upper() for sheet in known for word in sheet.fields.get("keywords", ())}


def sorted_out(words: Sequence[str], known: set[str]) -> tuple[list[str], list[str]]:
    """Words that are keywords, alone or together, and the others.

    >>> sorted_out(["hero infantry", "in cover"], {"HERO", "INFANTRY"})
    (['HERO', 'INFANTRY'], ['in cover'])
    """
    keywords: list[str] = []
    others: list[str] = []
    for word in words:
        parts = [word.upper()] if word.upper() in known else word.upper().split()
        if set(parts) <= known:
            keywords += parts
        else:
            others.append(word)
    return keywords, others
