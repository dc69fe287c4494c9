"""`mathhammer list check`: whether an army list is legal."""

from __future__ import annotations

from typing import Any

import click

from mathhammer.cli.answer import Answer
from mathhammer.cli.completion import complete_files
from mathhammer.cli.list_files import open_lists
from mathhammer.cli.lists.show import known_line
from mathhammer.cli.options import datasheets_option
from mathhammer.lists.legality import check_list
from mathhammer.lists.loading import LoadedList
from mathhammer.units.findings import Finding

Checked = tuple[LoadedList, tuple[Finding, ...]]


@click.command()
@click.argument("file", shell_complete=complete_files)
@click.option(
    "--limit",
    type=click.IntRange(1, 1_000_000),
    metavar="POINTS",
    help="The points limit, where the list does not say.",
)
@datasheets_option
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def check(file: str, limit: int | None, datasheets: str | None, form: str) -> int:
    """Whether a list is legal: every broken rule with its id and unit; exit code 1 when one is broken.

    \b
    Example:
      mathhammer list check tests/fixtures/rosters/kilns.ros --limit 2000
    """
    checked = [(one, check_list(one.roster, limit)) for one in open_lists(file, datasheets)]
    Answer(
        parts=lambda: [line for one in checked for line in lines(one)],
        document=lambda: {"schema": "mathhammer-list-check/1", "lists": [document(one) for one in checked]},
    ).write({"form": form})
    return 1 if any(finding.verdict == "broken" for _, findings in checked for finding in findings) else 0


def lines(checked: Checked) -> list[str]:
    """Every finding, and how many there are."""
    one, findings = checked
    broken = sum(finding.verdict == "broken" for finding in findings)
    unsure = sum(finding.verdict == "cannot check" for finding in findings)
    verdict = f"{broken} broken {'rule' if broken == 1 else 'rules'}" if broken else "no broken rule found"
    return [
        *known_line(one),
        *map(str, findings),
        f"{one.name}: {verdict}" + (f", {unsure} cannot be checked" if unsure else ""),
    ]


def document(checked: Checked) -> dict[str, Any]:
    """Findings for programs."""
    one, findings = checked
    return {
        "name": one.roster.name,
        "system": one.roster.system,
        "points": one.roster.points,
        "coverage": one.coverage.to_dict(),
        "legal": not any(finding.verdict == "broken" for finding in findings),
        "findings": [
            {"verdict": f.verdict, "rule": f.rule, "unit": f.unit, "what": f.what} for f in findings
        ],
    }
