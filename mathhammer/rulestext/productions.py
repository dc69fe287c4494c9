"""Productions: a pattern of a clause, what it means, and a sentence that shows it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from mathhammer.rulestext.amounts import BAND, DICE
from mathhammer.rulestext.frame import Change, Frame

# What stands between < and > in a pattern.
PIECES = {
    "n": r"(?:\d{1,2}|one|two|three)",
    "dice": DICE,
    "band": BAND,
    "who": r"[^,;:]+?",
    "arms": r"[^;:]+?",
    "words": r"[^;:]+?",
    "clause": r"[^;:,]+?",
    "rolls": r"[A-Za-z][A-Za-z ,-]*?",
    "stats": r"[A-Za-z][A-Za-z ,]*?",
    "name": r"[^,;:]+?",
    "span": r"(?:until|for) [^,;:]*?(?:phase|turn|round|battle|resolved|move)",
}
_PIECE = re.compile(r"(?<!P)<([a-z]+)(\d?)>")
End = r"(?=[.,;:]|$| and | if | while | until | for the rest | instead\b| but )"


@dataclass(frozen=True, slots=True)
class Said:
    """What a clause says: effects, and what holds from here on."""

    changes: tuple[Change, ...] = ()
    frame: Frame | None = None
    unread: str = ""


Build = Callable[[re.Match[str], Frame], Said | None]
Part = Literal["lead", "change", "aside"]


@dataclass(frozen=True, slots=True)
class Production:
    """One pattern: `lead` opens a clause, `change` is what happens, `aside` matters for no number."""

    id: str
    part: Part
    pattern: re.Pattern[str]
    build: Build
    example: str
    family: str = ""  # only texts of these games
    soft: bool = False  # a lead that may end before a word, not only at a comma


ALL: dict[str, Production] = {}


def expand(pattern: str) -> str:
    """A pattern with its pieces written out.

    >>> expand("add <n> to it")
    'add (?P<n>(?:\\\\d{1,2}|one|two|three)) to it'
    """
    return _PIECE.sub(lambda match: f"(?P<{match[1]}{match[2]}>{PIECES[match[1]]})", pattern)


def production(
    id: str, part: Part, pattern: str, example: str, family: str = "", soft: bool = False
) -> Callable[[Build], Build]:
    """Register a clause that is read so."""

    def add(build: Build) -> Build:
        if id in ALL:
            raise ValueError(f"production {id} stands twice")
        ALL[id] = Production(id, part, re.compile(expand(pattern), re.IGNORECASE), build, example, family, soft)
        return build

    return add


_FIRST = re.compile(r"[\w'\[+-]+")


@cache
def _candidates(family: str) -> tuple[Production, ...]:
    return tuple(rule for rule in ALL.values() if rule.family in ("", family))


@cache
def starting_with(word: str, family: str) -> tuple[Production, ...]:
    """The productions whose clause may begin with that word, in their order."""
    order = {"lead": 0, "change": 1, "aside": 2}
    fitting = [rule for rule in _candidates(family) if _may_start(rule.pattern.pattern, word)]
    return tuple(sorted(fitting, key=lambda rule: order[rule.part]))


def _may_start(pattern: str, word: str) -> bool:
    """Whether a clause with that first word could match: plain first words of a pattern are compared."""
    heads = _heads(pattern)
    return heads is None or word in heads


_PLAIN_HEAD = re.compile(r"([A-Za-z']+)(?= |\b)")
_GROUP_HEAD = re.compile(r"\((?:\?:|\?P<[a-z]+>)([A-Za-z' |-]+)\) ?(?![?*])")


@cache
def _heads(pattern: str) -> frozenset[str] | None:
    if match := _PLAIN_HEAD.match(pattern):
        follow = pattern[match.end() : match.end() + 1]
        return None if follow in ("?", "|", "*") else frozenset({match[1].lower()})
    if match := _GROUP_HEAD.match(pattern):
        return frozenset(part.split(" ")[0].lower() for part in match[1].split("|"))
    return None


def first_word(text: str) -> str:
    """The first word of a clause, for the index."""
    match = _FIRST.match(text)
    return match[0].lower() if match else ""


def effect(frame: Frame, on: str, changes: dict[str, Any], *, when: Any = ((),), weapon: tuple[str, ...] = ()) -> list[Change]:
    """Effects on a scope under all that the frame says; one for each way to meet its conditions."""
    from mathhammer.rulestext.frame import both, written

    return [
        Change(on, way, frame.used, frame.needs, weapon or frame.weapon, changes, frame.roll)
        for way in written(both(frame.alts, when), on)
    ]
