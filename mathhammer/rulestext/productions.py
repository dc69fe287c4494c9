"""Productions: a pattern of a clause, what it means, and a sentence that shows it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any, Literal

from mathhammer.dataclass import dataclass
from mathhammer.rulestext.amounts import BAND, DICE
from mathhammer.rulestext.frame import ALWAYS, Alts, Change, Frame, both, written

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


@dataclass(frozen=True, slots=True)
class Said:
    """What a clause says: effects, and what holds from here on."""

    changes: tuple[Change, ...] = ()
    frame: Frame | None = None
    unread: str = ""


def goes_on(frame: Frame) -> Said:
    """Nothing changes yet; this holds from here on."""
    return Said(frame=frame)


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
        ALL[id] = Production(
            id, part, re.compile(expand(pattern), re.IGNORECASE), build, example, family, soft
        )
        return build

    return add


_FIRST = re.compile(r"[\w'\[+-]+")


_PLAIN_HEAD = re.compile(r"([A-Za-z']+)(?= |\b)")
_GROUP_HEAD = re.compile(r"\((?:\?:|\?P<[a-z]+>)([A-Za-z' |-]+)\) ?(?![?*])")


@cache
def heads(pattern: str) -> frozenset[str] | None:
    """The words with which a clause of that pattern may begin; None: any."""
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


def effect(
    frame: Frame, on: str, changes: dict[str, Any], *, when: Alts = ALWAYS, weapon: tuple[str, ...] = ()
) -> list[Change]:
    """Effects on a scope under all that the frame says; one for each way to meet its conditions."""
    return [
        Change(on, way, frame.used, frame.needs, weapon or frame.weapon, changes, frame.roll)
        for way in written(both(frame.alts, when), on)
    ]
