"""Heat maps of a page: colours and texts of their cells, and the card behind each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from mathhammer.dataclass import dataclass
from mathhammer.dice.card import bars_svg
from mathhammer.engine.result import Result
from mathhammer.report.grid import BestAttack, Grid
from mathhammer.units.unit import Unit

DARK_INK_UP_TO = 0.76  # of the highest value, on a light page; beyond it white ink reads better
LIGHT_INK_UP_TO = 0.45  # the same on a dark page


@dataclass(frozen=True, slots=True)
class HeatCell:
    """A cell: its text and colour, or why there is nothing to show."""

    key: str
    text: str = ""
    share: str = "0"  # of the highest value
    classes: str = ""
    kind: str = ""  # m or r: melee or ranged
    why: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """The distribution behind a cell."""

    key: str
    title: str
    picture: Markup
    lost: str
    slain: str


@dataclass(frozen=True, slots=True)
class HeatMap:
    """A heat map as the page shows it."""

    key: str
    title: str
    what: str
    columns: Sequence[str]
    rows: Sequence[tuple[str, Sequence[HeatCell]]]
    cards: Sequence[Card]


def heat_map(grid: Grid, key: str) -> HeatMap:
    """The grid as the page shows it.

    >>> heat_map(Grid("Rats against all", "mean damage", (), (), ()), "g0").title
    'Rats against all'
    """
    rows = [
        (numbered(*row), [_cell(grid, attack, f"{key}-{r}-{c}") for c, attack in enumerate(grid.cells[r])])
        for r, row in enumerate(grid.rows)
    ]
    columns = [numbered(*column) for column in grid.columns]
    return HeatMap(key, grid.title, grid.what, columns, rows, list(_cards(grid, key)))


def numbered(unit: Unit, number: int) -> str:
    """A unit's name, with its number where there are several."""
    return unit.name if number == 1 else f"{unit.name} ×{number}"


def _cell(grid: Grid, attack: BestAttack, key: str) -> HeatCell:
    if attack.result is None:
        return HeatCell(key, why=attack.why)
    share = attack.value / grid.most
    ink = (" w" if share > DARK_INK_UP_TO else "") + (" k" if share > LIGHT_INK_UP_TO else "")
    text = f"{attack.value:.0f}" if grid.points else f"{attack.value:.1f}"
    return HeatCell(key, text, f"{share:.2f}", f"h{ink}", attack.kind[:1])


def _cards(grid: Grid, key: str) -> Iterator[Card]:
    for r, (unit, _) in enumerate(grid.rows):
        for c, (target, _) in enumerate(grid.columns):
            attack = grid.cells[r][c]
            if attack.result is not None:
                yield _card(f"{key}-{r}-{c}", unit, target, attack.kind, attack.result)


def _card(key: str, unit: Unit, target: Unit, kind: str, result: Result) -> Card:
    lost = result.lost
    low, middle, high = (lost.quantile(share) for share in (0.1, 0.5, 0.9))
    words = (
        f"{lost.mean():.1f} of {target.health} wounds lost on average, {low} to {high} in eight of ten rolls"
    )
    return Card(
        key,
        f"{unit.name} against {target.name}",
        Markup(bars_svg(lost.probs.tolist(), label=words, width=280, height=90, most=32)),
        f"{kind}: wounds lost {lost.mean():.1f} ± {lost.sd():.1f}, 10/50/90 %: {low}/{middle}/{high}",
        f"models slain {result.slain.mean():.1f}, destroyed {result.p_destroyed:.1%}",
    )
