"""Whether a list is legal: each game's own check, and one way to ask for it."""

from __future__ import annotations

from dataclasses import replace

from mathhammer.games.discovery import get_game
from mathhammer.units.findings import Finding
from mathhammer.units.roster import Roster

ORDER = ("broken", "warning", "cannot check", "note")
ABSENT = ("no general", "no hero", "no warlord")


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
    findings = rules().check(roster)
    if has_gaps(roster):
        findings = [_doubted(finding) for finding in findings]
    return tuple(sorted(findings, key=lambda finding: ORDER.index(finding.verdict)))


def has_gaps(roster: Roster) -> bool:
    """Whether parts of a pasted list were lost or not understood: nothing can be said to be missing from it.

    >>> has_gaps(Roster("aos4", warnings=("line 3: not understood: 'Gneral'",))), has_gaps(Roster("aos4"))
    (True, False)
    """
    return any(
        warning.startswith(("line ", "units: "))
        or (warning.startswith("points: ") and "no points are given" not in warning)
        for warning in roster.warnings
    )


def _doubted(finding: Finding) -> Finding:
    """What a list lacks cannot be told from one with gaps."""
    if finding.verdict != "broken" or not finding.what.startswith(ABSENT):
        return finding
    return replace(finding, verdict="cannot check", what=f"{finding.what}; parts of the list were not read")
