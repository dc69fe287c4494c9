"""What a legality check finds: each with the rule, the unit concerned, and how sure it is."""

from __future__ import annotations

from typing import Literal

from mathhammer.dataclass import dataclass
from mathhammer.units.roster import Entry, Roster

Verdict = Literal["broken", "warning", "cannot check", "note"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding: a broken rule, a doubt, something the data does not tell, or a consequence worth knowing.

    >>> str(Finding("broken", "AC-3.1", "6 regiments (1 to 5 are allowed)"))
    'broken AC-3.1: 6 regiments (1 to 5 are allowed)'
    """

    verdict: Verdict
    rule: str
    what: str
    unit: str = ""

    def __str__(self) -> str:
        return f"{self.verdict} {self.rule}: {self.unit + ': ' if self.unit else ''}{self.what}"


def has(entry: Entry, *words: str) -> bool | None:
    """Whether a unit has one of the keywords; None when its keywords are not known.

    >>> has(Entry("Rats", keywords=("infantry",)), "hero"), has(Entry("Rats"), "hero")
    (False, None)
    """
    if entry.keywords in ((), ("legends",)) and entry.unit is None:
        return None
    known = {word.lower() for word in entry.keywords} | {
        word.lower() for word in (entry.unit.keywords if entry.unit else ())
    }
    return any(word in known for word in words)


def points_findings(roster: Roster, rule: str, limit: int | None) -> list[Finding]:
    """The sum against the limit and against the declared total."""
    findings = []
    total = max(roster.points, roster.declared or 0)
    if limit is None:
        findings.append(Finding("cannot check", rule, "the list has no points limit (give --limit)"))
    elif total > limit:
        findings.append(Finding("broken", rule, f"{total} points where {limit} are allowed"))
    if roster.difference:
        findings.append(
            Finding("warning", rule, f"{roster.declared} points declared, {roster.points} counted")
        )
    free = (
        ("terrain", "manifestation")
        if roster.declared is not None and not roster.difference
        else ("manifestation",)
    )
    unpriced = [
        e.name
        for block in roster.blocks
        if block.kind not in free
        for e in block.entries
        if e.points is None and not e.bundle
    ]
    if unpriced:
        findings.append(Finding("cannot check", rule, f"no points are given for {', '.join(unpriced[:5])}"))
    return findings


def named(entries: list[Entry] | tuple[Entry, ...]) -> str:
    """A few names in a row, each once.

    >>> named([Entry("A"), Entry("B"), Entry("A")])
    'A, B'
    """
    names = list(dict.fromkeys(entry.name for entry in entries))
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
