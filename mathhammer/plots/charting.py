"""`chart`: a picture of a kind by its name, as `mathhammer chart` draws it."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from mathhammer.compare.matchups import Asked, named_targets, named_units
from mathhammer.plots.asking import Chart
from mathhammer.plots.chart import draw_chart
from mathhammer.units.roster import Roster

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LOOKS = frozenset(field.name for field in fields(Chart)) - {"kind", "attackers", "targets", "fight_options"}


def chart(
    kind: str, attackers: Asked, targets: Asked | None = None, *, system: str | None = None, **options: Any
) -> Axes:
    """A picture of what units do to targets; in a notebook it shows itself.

    The kinds are those of `mathhammer chart --help`. Units are asked for as in `compare`; for `armies`
    give two lists. `of`, `title`, `theme` and the other fields of `mathhammer.plots.Chart` say what is
    drawn and how it looks; all other options go to `fight`.

    >>> ax = chart("at_least", ["Liberators", "Rat Ogors"], "Clanrats", title="Who slays more")
    >>> ax.get_label().startswith("Who slays more. Liberators: 6.06 models slain on average")
    True
    """
    asked = {name: value for name, value in options.items() if name in LOOKS}
    how = {name: value for name, value in options.items() if name not in LOOKS}
    if isinstance(attackers, Roster) and isinstance(targets, Roster):
        asked = {"names": (attackers.name or "A", targets.name or "B"), **asked}
    attacking = named_units(attackers, system, where="chart")
    game = system or (attacking[0].system if attacking else None)
    against = [] if targets is None else named_targets(targets, game, where="chart")
    return draw_chart(Chart(kind, tuple(attacking), tuple(against), fight_options=how, **asked))
