"""Arguments of a duel side by side: mappings, or words with the prefix of a side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mathhammer.duel.commands import SIDES
from mathhammer.duel.setup import side_index
from mathhammer.games.game import Game


def words_of(given: Any) -> tuple[str, ...]:
    """One word or several as a tuple."""
    return (given,) if isinstance(given, str) else tuple(given)


def by_side(name: str, given: Any) -> dict[str, Any]:
    """What each side has: a mapping, words with the prefix of a side, or a plain value for a."""
    if isinstance(given, Mapping):
        for side in given:
            side_index(name, side)
        return dict(given)
    words = words_of(given) if given else ()
    if any(_sided(word) for word in words):
        sides: dict[str, Any] = {side: [] for side in SIDES}
        for word in words:
            sides[_sided(word) or "a"].append(word[2:].strip() if _sided(word) else word)
        return {side: words[0] if len(words) == 1 else words for side, words in sides.items() if words}
    return {"a": given} if given else {}


def _sided(word: Any) -> str:
    """The side that a word is for, from its prefix; empty without one."""
    return word[0].lower() if isinstance(word, str) and word[:2].lower() in ("a:", "b:") else ""


def options_by_side(
    system: Game, given: Mapping[str, Any] | None
) -> tuple[dict[str, Any] | None, tuple[dict[str, Any], dict[str, Any]]]:
    """Options of both sides, and of each: {"a": {...}} or "a:name"; a plain one about a unit is a's."""
    shared: dict[str, Any] = {}
    sides: dict[str, dict[str, Any]] = {side: {} for side in SIDES}
    for name, value in (given or {}).items():
        if name in SIDES and isinstance(value, Mapping):
            sides[name] |= value
        elif _sided(name):
            sides[_sided(name)][name[2:].strip()] = value
        elif name in system.fighting("duel").target_options:
            sides["a"][name] = value
        else:
            shared[name] = value
    return shared or None, (sides["a"], sides["b"])
