"""`mathhammer help`: the help of a command."""

from __future__ import annotations

import click

from mathhammer.cli.registering import command
from mathhammer.errors import UnknownNameError


@command("help", "The help of a command.", rank=300)
@click.argument("names", nargs=-1, metavar="[COMMAND]...")
@click.pass_context
def help_(ctx: click.Context, names: tuple[str, ...]) -> None:
    """The help of a command, or of the whole program.

    \b
    Examples:
      mathhammer help compare
      mathhammer help list report
    """
    above = ctx.parent
    assert above is not None  # it is a command of the program
    for name in names:
        group = above.command
        known = group.list_commands(above) if isinstance(group, click.Group) else []
        if not isinstance(group, click.Group) or name not in known:
            raise UnknownNameError("help", "command", name, known)
        found = group.get_command(above, name)
        assert found is not None  # it is in the list
        above = click.Context(found, info_name=name, parent=above)
    click.echo(above.get_help())
