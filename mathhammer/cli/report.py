"""`mathhammer report`: army lists as one HTML page."""

from __future__ import annotations

import click

from mathhammer.cli.output import write_text
from mathhammer.errors import BadInputError
from mathhammer.lists.readers import read_roster


@click.command()
@click.argument("lists", nargs=-1, required=True)
@click.option("--datasheets", metavar="DIR", help="Your own datasheets; they win over the shipped ones.")
@click.option("-o", "output", metavar="FILE", help="The page; left out: to stdout.")
def report(lists: tuple[str, ...], datasheets: str | None, output: str | None) -> None:
    """One page about a list, or about two lists against each other; it needs no network and no other file.

    LISTS are one or two files of any known format. The page holds the list, heat maps whose cells open the
    distribution, tables to sort; light or dark as the reader's browser is.

    \b
    Examples:
      mathhammer report tests/fixtures/rosters/kilns.ros > kilns.html
      mathhammer report tests/fixtures/rosters/kilns.ros tests/fixtures/rosters/kilns.ros > mirror.html
    """
    from mathhammer.report import make_report

    if len(lists) > 2:
        raise BadInputError(f"report: {len(lists)} lists (give one or two)")
    rosters = [read_roster(file, datasheets=datasheets) for file in lists]
    for roster in rosters:
        for line in (*roster.warnings, *(f"missing: {name}" for name in roster.missing)):
            click.echo(line, err=True)
    write_text(make_report(rosters).rstrip("\n"), output)
