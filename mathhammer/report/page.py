"""`make_report`: army lists in, one HTML page out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from mathhammer.report.heat import heat_map
from mathhammer.report.parts import report_parts
from mathhammer.units.roster import Roster

MOST_CARDS = 500  # distributions in one file; beyond that it would no longer be a few hundred kilobytes


def make_report(rosters: Sequence[Roster], *, auras: bool = True, anyway: bool = False, **how: Any) -> str:
    """The page for one list, or for two lists against each other; `how` goes to `fight`.

    Where less than nine tenths of a list's points are known, it says what the units do and gives no verdict,
    unless `anyway` asks for one.

    >>> from mathhammer.lists.readers import read_roster
    >>> head = 'system = "aos4"\\nname = "Rats"\\n'
    >>> army = read_roster(head + '[[regiment]]\\n[[regiment.unit]]\\nname = "Clanrats"\\n')
    >>> page = make_report([army])
    >>> page.startswith("<!doctype html>"), "://" in page, len(page) < 40_000
    (True, False, True)
    """
    parts = report_parts(rosters, how, auras=auras, anyway=anyway)
    return (
        _environment()
        .get_template("page.html.jinja")
        .render(
            title=parts.title,
            source=parts.source,
            style=_file("report.css"),
            script=_file("report.js"),
            verdict=parts.verdict,
            lists=parts.lists,
            maps=[heat_map(grid, f"g{number}") for number, grid in enumerate(parts.grids)],
            cards=sum(len(grid.rows) * len(grid.columns) for grid in parts.grids) <= MOST_CARDS,
            most_cards=MOST_CARDS,
            trade=parts.trade,
            lasting=parts.lasting,
        )
    )


@cache
def _environment() -> Environment:
    """Templates in which every value is escaped, and a name that is not given is an error."""
    return Environment(
        autoescape=True,
        undefined=StrictUndefined,
        loader=PackageLoader("mathhammer.report"),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _file(name: str) -> Markup:
    """A file that goes into the page as it is."""
    return Markup(files("mathhammer.report").joinpath("templates", name).read_text(encoding="utf-8"))
