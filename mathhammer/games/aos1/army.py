"""Army building of Age of Sigmar, 1st edition: there is nothing that a list could break (AOS1-ARMY)."""

from __future__ import annotations

from mathhammer.units.findings import Finding
from mathhammer.units.roster import Roster


def check(roster: Roster) -> list[Finding]:
    """One note, whatever the list holds.

    >>> [str(finding) for finding in check(Roster("aos1"))]
    ['note AOS1-ARMY: no points and no limits: 0 units, all of them allowed']
    """
    number = len(roster.entries)
    return [
        Finding(
            "note",
            "AOS1-ARMY",
            f"no points and no limits: {number} {'unit' if number == 1 else 'units'}, all of them allowed",
        )
    ]
