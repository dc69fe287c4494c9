"""Options that the commands of Diskwars share."""

from __future__ import annotations

import click

from mathhammer.games.diskwars.disk import RESIST_MODES

resist_option = click.option(
    "--resist-mode",
    type=click.Choice(RESIST_MODES),
    default="instance",
    show_default=True,
    help="Resistance halves packets or hits.",
)
