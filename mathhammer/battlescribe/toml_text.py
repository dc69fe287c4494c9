"""Fields of a datasheet as TOML."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from mathhammer.text import clean

_BARE = re.compile(r"[A-Za-z0-9_-]+")
LONG = 40  # characters from which a text of a list goes between three quotes


def field_lines(fields: Mapping[str, Any], indent: str, but: Iterable[str] = ()) -> list[str]:
    """A line for each field, but for those that are tables of their own.

    >>> field_lines({"name": "Song", "effect": [{"on": "led", "when": ["melee"], "ward": 6}]}, "  ")
    ['  name = "Song"', '  effect = [{ on = "led", when = ["melee"], ward = 6 }]']
    """
    left_out = set(but)
    return [
        f"{indent}{key} = {sentences(value) if key == 'text' else value_text(value)}"
        for key, value in fields.items()
        if key not in left_out
    ]


def value_text(value: Any) -> str:
    """A value as it stands behind the sign: numbers, texts, lists, tables in one line.

    >>> value_text({"each": "D3", "Storm shield": 4})
    '{ each = "D3", "Storm shield" = 4 }'
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {value_text(part)}" for key, part in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_item, value)) + "]"
    return line_text(str(value))


def _key(key: str) -> str:
    """A key, in quotes where it is more than letters, digits, - and _."""
    return key if _BARE.fullmatch(key) else line_text(key)


def _item(value: Any) -> str:
    """One of a list: words that were not understood may be long."""
    return sentences(value) if isinstance(value, str) and len(value) >= LONG else value_text(value)


def line_text(text: str) -> str:
    """A text of one line."""
    return json.dumps(clean(text), ensure_ascii=False)


def sentences(text: str) -> str:
    """A text of several lines. Between three single quotes nothing is escaped, and it is read fast.

    >>> print(sentences("It burns.\\nAll of it."))
    '''It burns.
    All of it.'''
    """
    lines = "\n".join(clean(line) for line in text.split("\n"))
    plain = "'''" not in lines and not lines.endswith("'")
    return f"'''{lines}'''" if plain else json.dumps(lines, ensure_ascii=False)
