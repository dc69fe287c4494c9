"""How the answers of this package show themselves: as rows, as a frame, in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mathhammer.games.telling import conditions_of, not_counted
from mathhammer.units.circumstances import Conditions
from mathhammer.units.unit import Unit
from mathhammer.views import view

if TYPE_CHECKING:
    from pandas import DataFrame

    from mathhammer.games.game import Fight


class Shown:
    """An answer made of rows."""

    __slots__ = ()

    def rows(self) -> list[dict[str, Any]]:
        """The numbers, one row each."""
        raise NotImplementedError

    def to_frame(self) -> DataFrame:
        """A pandas frame of the rows."""
        frame: DataFrame = view("rows_frame", self.rows())
        return frame

    def _repr_html_(self) -> str:
        """How a notebook shows it."""
        from mathhammer.dice.card import rows_card  # only where something is shown

        rows = self.rows()
        heads = [name.replace("_", " ") for name in (rows[0] if rows else ())]
        cells = [[_cell(value) for value in row.values()] for row in rows]
        return rows_card(type(self).__name__, [repr(self)], [heads, *cells])


class OfOneAttack(Shown):
    """An answer about the attack of one unit on another."""

    __slots__ = ()

    attacker: Unit
    target: Unit
    goal: str
    question: Fight

    @property
    def conditions(self) -> Conditions:
        """Under which it holds."""
        return conditions_of(self.question)

    @property
    def not_counted(self) -> tuple[str, ...]:
        """Rules of both units that are not in it."""
        return not_counted(self.question)


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.3f}"
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
