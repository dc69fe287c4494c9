"""`mathhammer chart`: one picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mathhammer.cli.completion import complete_charts, complete_units
from mathhammer.cli.options import (
    ManyTargets,
    attackers_of,
    fight_arguments,
    fight_options,
    find_units,
    models_option,
    targets_option,
)
from mathhammer.cli.output import remark
from mathhammer.cli.registering import command
from mathhammer.errors import BadInputError, UnknownNameError
from mathhammer.files import replace_files
from mathhammer.plots.kinds import CHART_KINDS

PLAIN = ("of", "against", "rounds", "subtitle", "credit", "preset", "per_100")


@command(
    "chart",
    "A picture for a blog post: many kinds of charts, light or dark.",
    rank=150,
    cls=ManyTargets,
    epilog="\b\nKinds:\n" + "\n".join(f"  {kind:<12} {line}" for kind, (_, line, _) in CHART_KINDS.items()),
)
@click.argument("kind", shell_complete=complete_charts)
@click.argument("units", nargs=-1, required=True, shell_complete=complete_units)
@targets_option()
@models_option
@fight_options
@click.option(
    "--of", metavar="WHAT", help="slain, lost, damage or p_destroyed. Default: what suits the kind."
)
@click.option(
    "--against",
    default="save",
    show_default=True,
    metavar="STAT",
    help="For a curve: the characteristic that changes.",
)
@click.option("--rounds", type=click.IntRange(1, 50), default=5, show_default=True, help="For a duel.")
@click.option("--per-100-points", "per_100", is_flag=True, help="For breakeven: for each 100 points.")
@click.option("--title", metavar="TEXT", help="A headline of your own.")
@click.option("--subtitle", metavar="TEXT", default="", help="A line of your own below it.")
@click.option("--credit", metavar="TEXT", default="", help="Whose chart it is, at the bottom.")
@click.option(
    "--preset",
    type=click.Choice(["blog", "phone", "card"]),
    default="blog",
    show_default=True,
    help="The size: 1600 dots wide; 1080 x 1350, upright; 1200 x 630, for the preview of a link.",
)
@click.option("--dark", is_flag=True, help="Light on dark.")
@click.option(
    "--alt", is_flag=True, help="Also write the words for readers who cannot see the chart, to FILE.txt."
)
@click.option("-o", "output", metavar="FILE", help="The picture, .png or .svg. Default: SVG to stdout.")
def chart(**options: Any) -> None:
    """A chart of what UNITS do to targets.

    \b
    Examples:
      mathhammer chart at_least Liberators "Rat Ogors" --vs Clanrats > slain.svg
      mathhammer chart curve Liberators "Rat Ogors" --vs Clanrats --dark > save.svg
      mathhammer chart duel Liberators --vs "Rat Ogors" --rounds 4 > duel.svg
    """
    if options["kind"] not in CHART_KINDS:
        raise UnknownNameError("chart", "kind", options["kind"], CHART_KINDS)
    if options["alt"] and options["output"] is None:
        raise BadInputError("chart: --alt writes beside a file (name one with -o)")
    asked: dict[str, Any] = {
        "kind": options["kind"],
        "theme": "dark" if options["dark"] else "light",
        "title": options["title"],
    }
    asked |= {name: options[name] for name in PLAIN}
    asked |= _armies(options) if options["kind"] == "armies" else _units(options)
    from mathhammer.plots.asking import Chart  # matplotlib only now
    from mathhammer.plots.chart import draw_chart
    from mathhammer.plots.saving import alt_text, picture_form, render_figure

    form = "svg" if options["output"] is None else picture_form(options["output"])
    ax = draw_chart(Chart(**asked))
    picture = render_figure(ax, form)
    if options["output"] is None:
        click.echo(picture.decode(), nl=False)
        return
    files = {Path(options["output"]): picture}
    if options["alt"]:
        files[Path(f"{options['output']}.txt")] = (alt_text(ax) + "\n").encode()
    replace_files(files)


def _units(options: dict[str, Any]) -> dict[str, Any]:
    """Who attacks whom, and how."""
    own = options["datasheets"]
    attackers = attackers_of("chart", options["units"], options)
    targets = find_units(options["targets"], attackers[0].system, own, "chart")
    return {
        "attackers": tuple(attackers),
        "targets": tuple(targets),
        "fight_options": fight_arguments("chart", attackers, options),
    }


def _armies(options: dict[str, Any]) -> dict[str, Any]:
    """Two lists from their files."""
    if len(options["units"]) != 2:
        raise BadInputError(f"chart: {len(options['units'])} lists for armies (give two list files)")
    from mathhammer.cli.list_files import open_list  # readers of lists only now

    one, other = (open_list(file, options["datasheets"], one_of_two=True) for file in options["units"])
    for known in (one, other):
        remark(f"{known.name}: {known.coverage}")
    return {"attackers": one.units, "targets": other.units, "names": (one.name, other.name)}
