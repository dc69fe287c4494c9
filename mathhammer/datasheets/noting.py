"""Changes of the effect language that a game cannot act on: kept as notes, so that answers can name them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mathhammer.datasheets.values import checked
from mathhammer.errors import MathhammerError
from mathhammer.games.effect_words import LANGUAGE, ONE_DIE
from mathhammer.games.game import Field

# what a change may be in rules text: `+D3`, `1 per slain`, `+1 per Hound limit 3`, `-1 limit 3`, `all`
_CHANGE = re.compile(
    r"[+\-=x*/] ?(?:[1-9]\d{0,2}|\d{0,2}[Dd][36](?:[+-]\d{1,2})?)(?: per \S.{0,80}?)?(?: limit \d{1,3})?"
)
_DICE = re.compile(
    r"(?:[1-9]\d{0,2}|\d{0,2}[Dd][36](?:[+-]\d{1,2})?|all|half|roll|health)"
    r"(?: per \S.{0,80}?)?(?: limit \d{1,3})?"
)
REROLLS = ("ones", "failed", "any", ONE_DIE)
LISTS = ("gain", "lose", "ignore", "no_reroll")


def without_notes(
    mapping: Mapping[str, Any],
    fields: Sequence[Field],
    known: Callable[[str], bool],
    *,
    lenient: bool,
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """An effect without the changes that this game cannot act on, and those in words.

    What is written as the language has it is kept as a note; where it is `lenient`, so are the words of
    other games and weapon abilities that are not `known`.
    """
    by_name = {field.name: field for field in fields}
    kept: dict[str, Any] = {}
    notes: list[str] = []
    for key, value in mapping.items():
        field = by_name.get(key)
        if field is None and not (lenient and key in LANGUAGE):
            kept[key] = value  # a field of every effect, or none at all
        elif field is not None and (lenient or key == "no_reroll") and key in LISTS and _is_list(value):
            right = [word for word in value if _fits(field, [word]) and (key != "gain" or known(word))]
            notes += [f"{_words(key)} {word}" for word in value if word not in right]
            if right:
                kept[key] = right
        elif field is not None and (_fits(field, value) or not _worded(field, value, lenient)):
            kept[key] = value
        else:
            notes.append(_text(key, value))
    return kept, tuple(notes)


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(word, str) for word in value)


def _fits(field: Field, value: Any) -> bool:
    try:
        if field.check is not None:
            field.check("", field.name, value)
        elif not field.fields:
            checked(field, value)
    except MathhammerError:
        return False
    return True


def _worded(field: Field, value: Any, lenient: bool) -> bool:
    """Whether a value is written as the language of rules has it; what was worked out by hand must count
    something that a game does not know, to be more than a slip.
    """
    if field.name == "mortal":
        parts = value if isinstance(value, Mapping) else {}
        return set(parts) <= {"dice", "on", "each"} and _DICE.fullmatch(str(parts.get("each"))) is not None
    if field.name.startswith("reroll_"):
        return value in REROLLS
    form = _DICE if field.kind == "dice" else _CHANGE
    if not isinstance(value, str) or form.fullmatch(value.strip()) is None:
        return False
    return lenient or " per " in value or " limit " in value


def _words(key: str) -> str:
    return key.replace("_", " ")


def _text(key: str, value: Any) -> str:
    """A change as people read it.

    >>> _text("save", "-1 limit 3"), _text("mortal", {"each": "1 per slain"}), _text("halve_damage", True)
    ('save -1 limit 3', 'mortal each 1 per slain', 'halve damage')
    """
    if value is True:
        return _words(key)
    if isinstance(value, Mapping):
        return f"{_words(key)} " + ", ".join(f"{name} {part}" for name, part in value.items())
    shown = ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
    return f"{_words(key)} {shown}"
