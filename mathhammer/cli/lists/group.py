"""`mathhammer list`: the commands about army lists."""

from __future__ import annotations

import click

from mathhammer.cli.lists.check import check
from mathhammer.cli.lists.compare import compare
from mathhammer.cli.lists.coverage import coverage
from mathhammer.cli.lists.report import report
from mathhammer.cli.lists.show import show
from mathhammer.cli.registering import command


@command(
    "list",
    "Army lists: show, check, report and compare them.",
    rank=180,
    commands=[show, check, coverage, report, compare],
    cls=click.Group,
    invoke_without_command=True,
)
@click.pass_context
def list_(ctx: click.Context) -> None:
    """Army lists as New Recruit, BattleScribe, the official apps and others export them.

    \b
    Examples:
      mathhammer list show tests/fixtures/rosters/kilns.ros
      mathhammer list check tests/fixtures/rosters/kilns.ros --limit 2000
      mathhammer list report tests/fixtures/rosters/kilns.ros
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
