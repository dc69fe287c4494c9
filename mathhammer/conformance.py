"""Which rules of each game are implemented where, which tests and vectors exercise them, and which are out of
scope.

The rules stand in `games/<game>/rules.toml`; where they are cited was found in the sources and is kept in
`conformance.json`.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from mathhammer.dataclass import dataclass
from mathhammer.errors import UnknownNameError
from mathhammer.games.discovery import game_keys

HERE = Path(__file__).parent
STORED = HERE / "conformance.json"
STATUSES = ("covered", "out of scope", "missing", "cited, not tested")
# Ids may be written without their game where only one game has such: AC-3.1 of Age of Sigmar 4, SILENT-4 of
# Age of Sigmar 1.
SHORT = {"AOS4": re.compile(r"(?:AC|AMB|BT|BW|CM|C|M|SP|T)-\d+(?:\.\d+)*"), "AOS1": re.compile(r"SILENT-\d+")}


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: what it is about, the places of the code and the tests that cite it, the vectors that name it,
    or why it is left out.

    `unnoticed` are the places that can be knocked out without a test marked with the rule failing; `fixed`
    says why a rule has no place that could be.

    >>> Rule("X-1", "aos4", "an idea", code=("a.py",), tests=("test_a.py",)).status
    'covered'
    >>> (Rule("X-2", "aos4", "an idea", code=("a.py",)).status,
    ...  Rule("X-3", "aos4", "a pile-in", out="movement").status)
    ('missing', 'out of scope')
    >>> Rule("X-4", "aos4", "an idea", code=("a.py",), tests=("test_a.py",), unnoticed=("a.py: f",)).status
    'cited, not tested'
    """

    id: str
    system: str
    label: str
    out: str = ""
    fixed: str = ""
    code: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    vectors: tuple[str, ...] = ()
    unnoticed: tuple[str, ...] = ()
    state: str = ""  # of which day its text is, where the game's list says it

    @property
    def status(self) -> str:
        """Covered by code and by a test or vector that fails without it, out of scope, or what is wanting."""
        if self.out:
            return "out of scope"
        if not self.code or not (self.tests or self.vectors):
            return "missing"
        return "cited, not tested" if self.unnoticed else "covered"


@dataclass(frozen=True, slots=True)
class Count:
    """How many rules a game has, and how they stand."""

    system: str
    ids: int
    covered: int
    out: int
    missing: int
    untested: int


def listed(system: str) -> dict[str, dict[str, str]]:
    """The rules of a game as its list has them: id to label, `out` with the reason where one is left out,
    `fixed` with the reason where one cannot be knocked out, and `state` with the day of its text where it is
    told.

    >>> listed("aos4")["AOS4-15.3"]["label"]
    'pile-in'
    """
    path = HERE / "games" / system / "rules.toml"
    if not path.is_file():
        return {}
    document: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    dated = {"state": document["state"]} if "state" in document else {}
    return {
        rule: dated | ({"label": entry} if isinstance(entry, str) else dict(entry))
        for rule, entry in document["rules"].items()
    }


@cache
def rules(system: str | None = None) -> tuple[Rule, ...]:
    """All rules, or those of one game, in the order of their list.

    >>> [rule.label for rule in rules("wh40k10") if rule.id == "WH40K-SVT"]
    ['Strength against Toughness']
    """
    stored: dict[str, dict[str, list[str]]] = json.loads(STORED.read_text(encoding="utf-8"))["rules"]
    every = []
    for key in game_keys() if system is None else (system,):
        for rule, entry in listed(key).items():
            cited = {name: tuple(places) for name, places in stored.get(rule, {}).items()}
            out, fixed, state = (entry.get(name, "") for name in ("out", "fixed", "state"))
            every.append(Rule(rule, key, entry["label"], out, fixed, **cited, state=state))
    return tuple(every)


def full_id(text: str) -> str:
    """An id as the lists have it, from what people write.

    >>> full_id("ac-3.1"), full_id("wh40k-seq")
    ('AOS4-AC-3.1', 'WH40K-SEQ')
    """
    name = text.strip().upper()
    return next((f"{game}-{name}" for game, pattern in SHORT.items() if pattern.fullmatch(name)), name)


def find_rules(where: str, names: Iterable[str], among: Sequence[Rule]) -> list[Rule]:
    """The rules of these ids; the beginning of several ids stands for all of them.

    >>> [rule.id for rule in find_rules("conformance", ["UP-DICE"], rules("uprising"))]
    ['UP-DICE-1', 'UP-DICE-2', 'UP-DICE-3', 'UP-DICE-4']
    """
    by_id = {rule.id: rule for rule in among}
    asked: dict[str, Rule] = {}
    for name in names:
        wanted = full_id(name)
        family = [rule for rule in among if rule.id.startswith(f"{wanted}-")]
        if wanted in by_id:
            asked[wanted] = by_id[wanted]
        elif family:
            asked |= {rule.id: rule for rule in family}
        else:
            raise UnknownNameError(where, "rule", name, by_id)
    return list(asked.values())


def counts(among: Sequence[Rule]) -> list[Count]:
    """How the rules of each game stand.

    >>> counts([Rule("X-1", "aos4", "an idea"), Rule("X-2", "aos4", "a pile-in", out="movement")])
    [Count(system='aos4', ids=2, covered=0, out=1, missing=1, untested=0)]
    """
    games = []
    for system in dict.fromkeys(rule.system for rule in among):
        stands = [rule.status for rule in among if rule.system == system]
        games.append(
            Count(
                system,
                len(stands),
                *(stands.count(status) for status in STATUSES),
            )
        )
    return games
