"""Whether a list is legal: each game's own check, and one way to ask for it."""

from __future__ import annotations

from dataclasses import replace

from mathhammer.games.discovery import get_game
from mathhammer.units.findings import Finding
from mathhammer.units.roster import Roster

ORDER = ("broken", "warning", "cannot check", "note")


def check_list(roster: Roster, limit: int | None = None) -> tuple[Finding, ...]:
    """Everything that a list's game says about it; `limit` is the points limit where the list has none.

    >>> [str(finding) for finding in check_list(Roster("uprising"))]
    ['cannot check army: no rules for building armies are known for uprising']
    """
    if limit is not None:
        roster = replace(roster, limit=limit)
    rules = get_game(roster.system).army
    if rules is None:
        return (
            Finding("cannot check", "army", f"no rules for building armies are known for {roster.system}"),
        )
    return tuple(sorted(rules().check(roster), key=lambda finding: ORDER.index(finding.verdict)))
