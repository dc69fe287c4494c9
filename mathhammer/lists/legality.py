"""Whether a list is legal: each game's own check, and one way to ask for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from mathhammer.games.aos1 import army as legality_aos1
from mathhammer.games.aos4 import army as legality_aos4
from mathhammer.games.diskwars import legality as legality_diskwars
from mathhammer.games.wh40k10 import army as legality_wh40k10
from mathhammer.units.findings import Finding
from mathhammer.units.roster import Roster

CHECKS: dict[str, Callable[[Roster], list[Finding]]] = {
    "aos4": legality_aos4.check,
    "aos1": legality_aos1.check,
    "wh40k10": legality_wh40k10.check,
    "diskwars": legality_diskwars.check,
}
ORDER = ("broken", "warning", "cannot check", "note")


def check_list(roster: Roster, limit: int | None = None) -> tuple[Finding, ...]:
    """Everything that a list's game says about it; `limit` is the points limit where the list has none.

    >>> [str(finding) for finding in check_list(Roster("uprising"))]
    ['cannot check army: no rules for building armies are known for uprising']
    """
    if limit is not None:
        roster = replace(roster, limit=limit)
    if roster.system not in CHECKS:
        return (
            Finding("cannot check", "army", f"no rules for building armies are known for {roster.system}"),
        )
    return tuple(sorted(CHECKS[roster.system](roster), key=lambda finding: ORDER.index(finding.verdict)))
