"""An explorer for notebooks: turn the knobs of a fight and see what comes out; without
ipywidgets, a table says it.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from html import escape
from typing import Any

from mathhammer.compare.buffs import value_rows
from mathhammer.compare.controls import commands_for, situations_for
from mathhammer.compare.matchups import named_units, targets_of
from mathhammer.dataclass import dataclass
from mathhammer.datasheets.asked import with_words
from mathhammer.engine.result import Result
from mathhammer.errors import MathhammerError, UnknownNameError
from mathhammer.fight import fight
from mathhammer.games.buff_words import offered_buffs
from mathhammer.games.discovery import attacks_of
from mathhammer.games.weapon_choice import KINDS, kinds_of
from mathhammer.units.effects import usable
from mathhammer.units.unit import Unit

# knob -> (field of an effect, whom it is on, what it says)
KNOBS: dict[str, tuple[str, str, str]] = {
    "to_hit": ("hit_roll", "unit", "to hit"),
    "to_wound": ("wound_roll", "unit", "to wound"),
    "to_save": ("save_roll", "target", "to save"),
}


MOST_MODELS = 60  # that the knob of models goes to, unless a unit has more


@dataclass(frozen=True, slots=True)
class Explorer:
    """Units to choose from on both sides, and knobs: models, modifiers, situation."""

    attackers: tuple[Unit, ...]
    targets: tuple[Unit, ...]

    def result(
        self,
        attacker: str = "",
        target: str = "",
        *,
        models: int | None = None,
        situation: tuple[str, ...] = (),
        words: tuple[str, ...] = (),
        target_words: tuple[str, ...] = (),
        **knobs: int,
    ) -> Result:
        """The fight at one setting of the knobs; the first unit of each side where no name is given. `words`
        are those of an expression, such as "charged", for either side.

        >>> from mathhammer import load_unit
        >>> explorer = Explorer((load_unit("Liberators", "aos4"),), (load_unit("Clanrats", "aos4"),))
        >>> round(explorer.result(to_hit=1).slain.mean() - explorer.result().slain.mean(), 2)
        1.3
        """
        for knob in knobs:
            if knob not in KNOBS:
                raise UnknownNameError("explore", "knob", knob, KNOBS)
        striking, struck = _pick(self.attackers, attacker), _pick(self.targets, target)
        if models is not None and models != striking.models:
            striking = striking.with_models(models)
        striking = with_words(striking, words, f"explore: {striking.name}")
        struck = with_words(struck, target_words, f"explore: {struck.name}")
        effects: list[Mapping[str, Any]] = [
            {KNOBS[knob][0]: turned, "on": KNOBS[knob][1], "name": f"{turned:+d} {KNOBS[knob][2]}"}
            for knob, turned in knobs.items()
            if turned
        ]
        return fight(striking, struck, situation=situation, effects=effects)

    def __repr__(self) -> str:
        return (
            f"Explorer({', '.join(unit.label for unit in self.attackers)} against "
            f"{', '.join(unit.label for unit in self.targets)})"
        )

    def rows(self) -> list[dict[str, Any]]:
        """What each help is worth to the first attacker against the first target, the most valuable first."""
        return value_rows(self.attackers[0], [self.targets[0]])

    def _repr_html_(self) -> str:
        """The plain form: the result as it stands, and a table of what each knob would change."""
        cells = "".join(
            (
                f"<tr><td>{escape(row['help'])}</td><td>{escape(row['side'])}</td><td "
                f'style="text-align:right">{row["change"]:+.2f}</td></tr>'
            )
            for row in self.rows()[:12]
        )
        return (
            f"{self.result()._repr_html_()}<table><tr><th>Buff</th><th>Side</th><th>Change of the "
            f"mean</th></tr>{cells}</table>"
        )


def explore(
    attackers: Any, targets: Any = None, *, system: str | None = None, plain: bool | None = None
) -> Any:
    """An explorer of units (or of their names): ipywidgets where they are installed, else the plain table.

    Parameters
    ----------
    attackers, targets
        Units or names; without targets, the game's reference targets.
    plain
        True for the table, False for widgets; left out: widgets where they are installed.

    >>> explore("Liberators", "Clanrats", system="aos4", plain=True).rows()[0]["help"]
    '+1 Damage'
    """
    striking = named_units(attackers, system, where="explore")
    struck = targets_of(
        striking,
        None if targets is None else named_units(targets, system or striking[0].system, where="explore"),
    )
    explorer = Explorer(tuple(striking), tuple(struck))
    if plain is None:
        plain = importlib.util.find_spec("ipywidgets") is None
    return explorer if plain else _widgets(explorer)


def offered(units: tuple[Unit, ...], side: str) -> list[str]:
    """The words that a side may be given, as on the page of `mathhammer serve`: kinds of weapons, abilities
    to use, situations, commands, buffs.

    >>> from mathhammer import load_unit
    >>> "in cover" in offered((load_unit("Clanrats", "aos4"),), "target")
    True
    """
    attacks = attacks_of(units[0].system)
    kinds = KINDS if side == "attacker" and any(len(kinds_of(unit)) > 1 for unit in units) else ()
    abilities = usable([effect for unit in units for effect in unit.effects]).values()
    said = [one["word"] for one in (*situations_for(attacks, side), *commands_for(attacks, side))]
    return list(dict.fromkeys([*kinds, *abilities, *said, *offered_buffs(attacks, side)]))


def _widgets(explorer: Explorer) -> Any:
    """Knobs beside a chart that is drawn anew whenever one is turned."""
    import ipywidgets as widgets  # only in notebooks

    knobs: dict[str, Any] = {
        "attacker": widgets.Dropdown(
            options=[unit.label for unit in explorer.attackers], description="Attacker"
        ),
        "target": widgets.Dropdown(options=[unit.label for unit in explorer.targets], description="Target"),
        "models": widgets.IntSlider(
            value=explorer.attackers[0].models,
            min=1,
            max=max(MOST_MODELS, *(unit.models for unit in explorer.attackers)),
            description="Models",
            continuous_update=False,
        ),
    }
    sides = (("words", "attacker", explorer.attackers), ("target_words", "target", explorer.targets))
    for name, side, units in sides:
        knobs[name] = widgets.SelectMultiple(
            options=offered(units, side), description=f"Of the {side}", rows=8
        )
    for knob, (_, _, words) in KNOBS.items():
        knobs[knob] = widgets.IntSlider(
            value=0, min=-1, max=1, description=words.capitalize(), continuous_update=False
        )
    picture = widgets.HTML()

    def draw(_: object = None) -> None:
        from mathhammer.plots import plot_pmf, render_figure

        set_to = {name: knob.value for name, knob in knobs.items()}
        try:
            result = explorer.result(set_to.pop("attacker"), set_to.pop("target"), **set_to)
        except MathhammerError as error:  # such as an ability that the other unit has: said in its place
            picture.value = f"<p>{escape(str(error))}</p>"
            return
        picture.value = (
            scaled(render_figure(plot_pmf(result), "svg").decode().partition("?>")[2]) + result._repr_html_()
        )

    def other_size(change: Mapping[str, Any]) -> None:
        knobs["models"].value = _pick(explorer.attackers, change["new"]).models

    knobs["attacker"].observe(other_size, names="value")  # another unit begins with its own size
    for knob in knobs.values():
        knob.observe(draw, names="value")
    draw()
    picture.layout = widgets.Layout(flex="1 1 480px", min_width="0", max_width="100%")
    knobs_column = widgets.VBox(list(knobs.values()), layout=widgets.Layout(flex="0 0 320px", width="320px"))
    # side by side where there is room for both, else one below the other
    return widgets.HBox([knobs_column, picture], layout=widgets.Layout(flex_flow="row wrap"))


def scaled(svg: str) -> str:
    """A picture that is never wider than its place.

    >>> "<svg style='max-width:100%;height:auto' width='800pt'>" in scaled("<svg width='800pt'></svg>")
    True
    """
    inside = svg.replace("<svg ", "<svg style='max-width:100%;height:auto' ", 1)
    return f"<div style='max-width:100%;overflow:auto'>{inside}</div>"


def _pick(units: tuple[Unit, ...], name: str) -> Unit:
    if not name:
        return units[0]
    named = [unit for unit in units if unit.label == name] or [unit for unit in units if unit.name == name]
    if not named:
        raise UnknownNameError("explore", "unit", name, [unit.label for unit in units])
    return named[0]
