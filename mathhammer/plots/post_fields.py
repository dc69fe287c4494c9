"""The fields of a post: what each may hold, checked before anything is worked out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mathhammer.errors import BadInputError, UnknownNameError

HOW = ("weapons", "situation", "distance", "round", "commands", "options", "method", "trials", "seed")
UNITS = ("attackers", "targets", "models", "system", *HOW)
PLAIN = (*("kind", "of", "against", "rounds", "per_100"), *("title", "subtitle", "credit", "preset"))
FIELDS = {
    "post": ("system", "themes", "alt", "datasheets", "credit", "preset", "chart", "table"),
    "chart": ("file", "lists", *PLAIN, *UNITS),
    "table": ("file", "kind", "columns", "value", "rows", *UNITS),
}
TEXTS = frozenset("file kind of against title subtitle credit preset system datasheets value method".split())
WORDS = frozenset("attackers targets lists columns themes weapons situation commands".split())
WHOLE = frozenset("models rounds rows trials seed round".split())
FLAGS = frozenset({"alt", "per_100"})


def check_fields(where: str, kind: str, given: Mapping[str, Any]) -> None:
    """Refuses a field that is not known, or that holds something else than it should.

    >>> check_fields("post.toml, chart 1", "chart", {"title": 5})
    Traceback (most recent call last):
    mathhammer.errors.BadInputError: post.toml, chart 1: title 5 is not a text (write it in quotes)
    """
    for name, value in given.items():
        if name not in FIELDS[kind]:
            raise UnknownNameError(where, "field", name, FIELDS[kind])
        wanted = _wrong(name, value)
        if wanted:
            raise BadInputError(f"{where}: {name} {value!r:.60} {wanted}")
        if name in ("trials", "seed") and given.get("method") != "simulate":
            raise BadInputError(
                f'{where}: {name} without a simulation (write method = "simulate", or leave it out)'
            )


def _wrong(name: str, value: Any) -> str:
    """What is wrong with a value, and what would be right; empty where nothing is."""
    if name in TEXTS and not isinstance(value, str):
        return "is not a text (write it in quotes)"
    if name in WORDS and not _is_words(value):
        return "is not a word or a list of words (write them in quotes)"
    if name in WHOLE and (isinstance(value, bool) or not isinstance(value, int)):
        return "is not a whole number"
    if name in FLAGS and not isinstance(value, bool):
        return "is neither true nor false"
    if name == "distance" and (isinstance(value, bool) or not isinstance(value, int | float)):
        return "is not a number of inches"
    if name == "options" and not isinstance(value, dict):
        return "is not a table (write options = { name = value })"
    return ""


def _is_words(value: Any) -> bool:
    return isinstance(value, str) or (
        isinstance(value, list) and all(isinstance(word, str) for word in value)
    )


def check_places(path: Path, files: list[str], read: list[str]) -> None:
    """Refuses files that are made twice, that are outside of the post's folder, or that the post reads."""
    folder = path.parent
    inputs = {path.resolve(), *((folder / name).resolve() for name in read)}
    made: set[Path] = set()
    for name in files:
        place = (folder / name).resolve()
        if not place.is_relative_to(folder.resolve()):
            raise BadInputError(
                f"{path}: {name!r} is a link that leads outside the post's folder (remove it, or name "
                "another file)"
            )
        if place in made:
            raise BadInputError(f"{path}: {name!r} is made twice (give each its own file)")
        if place in inputs:
            raise BadInputError(f"{path}: {name!r} is read by the post (give what it makes another name)")
        made.add(place)
