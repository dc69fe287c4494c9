"""`mathhammer report`: army lists as one HTML page."""

from __future__ import annotations

from typing import Any

import click

from mathhammer.cli.completion import complete_files
from mathhammer.cli.list_files import open_list
from mathhammer.cli.lists.asking import how_of, list_options
from mathhammer.cli.output import write_text
from mathhammer.cli.registering import command
from mathhammer.errors import BadInputError


@command("report", "Army lists as one HTML page: heat maps, distributions, tables to sort.", rank=170)
@click.argument("lists", nargs=-1, required=True, shell_complete=complete_files)
@list_options
@click.option("-o", "output", metavar="FILE", help="The page. Default: stdout.")
def report(**options: Any) -> None:
    """One page about a list, or about two lists against each other; it needs no network and no other file.

    LISTS are one or two files of any known format. The page holds the list, heat maps whose cells open the
    distribution, tables to sort; light or dark as the reader's browser is.

    \b
    Examples:
      mathhammer report tests/fixtures/rosters/kilns.ros > kilns.html
      mathhammer report tests/fixtures/rosters/kilns.ros tests/fixtures/rosters/kilns.ros > mirror.html
    """
    from mathhammer.report import make_report

    files = options["lists"]
    if len(files) > 2:
        raise BadInputError(f"report: {len(files)} lists (give one or two)")
    rosters = [open_list(file, options["datasheets"], one_of_two=len(files) == 2).roster for file in files]
    how = how_of(rosters[0].system, options)
    page = make_report(rosters, auras=not options["no_auras"], anyway=options["anyway"], **how)
    write_text(page.rstrip("\n"), options["output"])
