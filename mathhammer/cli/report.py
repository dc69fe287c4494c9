"""`mathhammer report`: army lists as one HTML page."""

from __future__ import annotations

import click

from mathhammer.cli.completion import complete_files
from mathhammer.cli.list_files import open_list
from mathhammer.cli.options import datasheets_option
from mathhammer.cli.output import write_text
from mathhammer.cli.registering import command
from mathhammer.errors import BadInputError


@command("report", "Army lists as one HTML page: heat maps, distributions, tables to sort.", rank=170)
@click.argument("lists", nargs=-1, required=True, shell_complete=complete_files)
@datasheets_option
@click.option("-o", "output", metavar="FILE", help="The page. Default: stdout.")
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
    rosters = [open_list(file, datasheets, one_of_two=len(lists) == 2).roster for file in lists]
    write_text(make_report(rosters).rstrip("\n"), output)
