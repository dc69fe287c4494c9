"""Before and after: a unit without and with help, and what that changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

from mathhammer.compare.matchups import Matchup, matchups, targets_of
from mathhammer.errors import BadInputError
from mathhammer.games.discovery import attacks_of
from mathhammer.games.telling import command_text, flag_text
from mathhammer.plots.asking import (
    MOST_ROWS,
    WORDS,
    Chart,
    able,
    chart,
    conditions_of_chart,
    mean_of,
    one_kind,
    quantity_of,
    remarks_on,
)
from mathhammer.plots.finishing import LEAST_ROW, Entry, Words, finish
from mathhammer.plots.look import Look, LookWords
from mathhammer.plots.scales import Percents, name_rows
from mathhammer.plots.style import bare, canvas, get_theme, grid
from mathhammer.units.unit import PLAIN, Unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HELP = ("commands", "use", "friends")  # of the arguments of `fight`: what `after` has and `before` has not


def plot_before_after(
    names: Sequence[str],
    before: Sequence[float],
    after: Sequence[float],
    *,
    what: str = "mean damage",
    sides: tuple[str, str] = ("without", "with"),
    shares: bool = False,
    ax: Axes | None = None,
    **look: Unpack[LookWords],
) -> Axes:
    """A row for each name: a hollow dot before, a full one after, and the change in words.

    >>> ax = plot_before_after(["Rats", "Ogors"], [2.0, 4.0], [3.0, 5.0])
    >>> [text.get_text() for text in ax.texts]
    ['+1.0  (+50%)', '+1.0  (+25%)']
    """
    if not names or not len(names) == len(before) == len(after):
        raise BadInputError(
            "plot_before_after: names and numbers of different number (give one of each for every row)"
        )
    shown = Look(**look)
    theme = get_theme("chart", shown.theme)
    ax = canvas(ax, shown, (8.0, 2.0 + 0.4 * max(3, len(names))))
    for row, (old, new) in enumerate(zip(before, after, strict=True)):
        better = theme.colour(0) if new >= old else theme.colour(1)
        ax.plot([old, new], [row, row], color=better, linewidth=3.0, solid_capstyle="butt", zorder=2)
        ax.plot(old, row, "o", color=theme.background, markeredgecolor=theme.muted, markersize=8, zorder=3)
        ax.plot(new, row, "o", color=better, markersize=8, zorder=4)
        text = ax.annotate(
            change_text(old, new, shares),
            (max(old, new), row),
            xytext=(9, 0),
            textcoords="offset points",
            va="center",
        )
        text.set(color=theme.ink, fontsize=9.5)
    name_rows(ax, names)
    ax.set_ylim(len(names) - 0.4, -0.6)
    top = max(*before, *after)
    ax.set_xlim(-0.02 * (top or 1.0), 1.3 * (top or 1.0))
    if shares:
        ax.xaxis.set_major_formatter(Percents())
    ax.set_xticks([tick for tick in ax.get_xticks() if 0 <= tick <= (1.0 if shares else 1.04 * top)])
    ax.set_xlabel(what)
    bare(ax, "left")
    grid(ax, theme, "x")
    alt = " ".join(
        f"{name}: {old:.3g} {sides[0]}, {new:.3g} {sides[1]} ({change_text(old, new, shares)})."
        for name, old, new in zip(names, before, after, strict=True)
    )
    key = (Entry(sides[0], theme.muted), Entry(sides[1], theme.colour(0)))
    title = f"{what[:1].upper()}{what[1:]}, {sides[0]} and {sides[1]}"
    return finish(ax, shown, Words(title, alt, key=key, least=LEAST_ROW * len(names)))


def change_text(old: float, new: float, shares: bool = False) -> str:
    """What changes, in the unit and as a share.

    >>> change_text(2.0, 3.0), change_text(0.1, 0.15, shares=True), change_text(0.0, 1.0)
    ('+1.0  (+50%)', '+5.0 points of percent', '+1.0')
    """
    change = new - old
    if abs(change) < 1e-12:
        return "no change"
    if shares:
        return f"{100 * change:+.1f} points of percent"
    size = f"{change:+.1f}" if abs(change) >= 0.1 else f"{change:+.2f}"
    return f"{size}  ({change / old:+.0%})" if old > 1e-12 else size


@chart("before_after", "a unit without and with a buff, command or ability: what changes", rank=13)
def before_after_chart(asked: Chart) -> Axes:
    """Each attacker against each target, without and with its help; or two ways of one unit."""
    one_kind(asked)
    of = quantity_of(asked, "damage", tuple(WORDS))
    targets = targets_of(asked.attackers, asked.targets)
    pairs, sides, how = _pairs(asked)
    if len(pairs) * len(targets) > MOST_ROWS:
        raise BadInputError(f"chart: {len(pairs) * len(targets)} rows in one chart (at most {MOST_ROWS})")
    asked_for = [_row(pair, target, how) for pair in pairs for target in targets]
    able([one for row in asked_for for one in row])
    rows = [row for row in asked_for if None not in (row[0].result, row[1].result)]
    names = [_row_name(old.attacker, old.target, len(pairs), len(targets)) for old, _ in rows]
    whom = targets[0].label if len(targets) == 1 else f"{len(targets)} targets"
    who = pairs[0][1].name if len(pairs) == 1 else f"{len(pairs)} units"
    plain = replace(asked, attackers=tuple(old for old, _ in pairs), fight_options=how[0])
    return plot_before_after(
        names,
        [mean_of(old, of) for old, _ in rows],
        [mean_of(new, of) for _, new in rows],
        what=WORDS[of],
        sides=sides,
        shares=of == "p_destroyed",
        **asked.words(
            conditions_of_chart(plain, targets),
            remarks_on([one for row in asked_for for one in row]),
            f"{who} against {whom}: {WORDS[of]} {_sides_text(sides)}",
        ),
    )


def _sides_text(sides: tuple[str, str]) -> str:
    """Both sides in a headline: "without and with a thing", or "one and other".

    >>> _sides_text(("without Cover", "with Cover")), _sides_text(("plain", "+1 to hit"))
    ('without and with Cover', 'plain and +1 to hit')
    """
    shared = sides[0].removeprefix("without ")
    return f"without and with {shared}" if sides[1] == f"with {shared}" else " and ".join(sides)


Pair = tuple[Unit, Unit]
Ways = tuple[dict[str, Any], dict[str, Any]]


def _pairs(asked: Chart) -> tuple[list[Pair], tuple[str, str], Ways]:
    """Before and after of each unit, what the two are called, and the arguments of their fights."""
    how = dict(asked.fight_options)
    units = asked.attackers
    if len(units) == 2 and units[0].name == units[1].name and units[0] != units[1]:
        old, new = (", ".join(unit.stance.words) or "plain" for unit in units)
        return [(units[0], units[1])], (old, new), (how, how)
    plain = [bare_unit(unit) for unit in units]
    without = {name: given for name, given in how.items() if name not in HELP}
    pairs = list(zip(plain, units, strict=True))
    named = list(dict.fromkeys([*_help_words(units), *_option_words(asked, how)]))
    if not named:
        raise BadInputError(
            f"chart: {units[0].name} has nothing before and after (give --buff, --command, --use or "
            "--with, or the unit twice in two ways)"
        )
    words = ", ".join(named)
    return pairs, (f"without {words}", f"with {words}"), (without, how)


def bare_unit(unit: Unit) -> Unit:
    """The unit without buffs, commands, abilities in use and friends; its size and circumstances stay.

    >>> import mathhammer as mh
    >>> bare_unit(mh.unit("10 Liberators: charged, all-out attack, +1 to wound")).stance.flags
    frozenset({'charged'})
    """
    stance = unit.stance
    kept = replace(
        stance,
        commands=(),
        friends=(),
        buffs=(),
        used=frozenset(),
        words=tuple(word for word in stance.words if word in circumstances_of(unit)),
    )
    own = len(unit.effects) - len(stance.buffs)  # each buff is an effect behind the unit's own
    return replace(unit, stance=PLAIN if kept == PLAIN else kept, effects=unit.effects[:own])


def circumstances_of(unit: Unit) -> set[str]:
    """The words of a unit's expression that do not help it: situations and weapons."""
    weapons = unit.stance.weapons or ()
    return {flag_text(flag) for flag in unit.stance.flags} | (
        {weapons} if isinstance(weapons, str) else set(weapons)
    )


def _help_words(units: Sequence[Unit]) -> list[str]:
    """What helps the units, as far as their own expressions say it."""
    told: list[str] = []
    for unit in units:
        attacks = attacks_of(unit.system)
        told += [command_text(attacks, command) for command in unit.stance.commands]
        told += [
            *unit.stance.buffs,
            *sorted(unit.stance.used),
            *(friend.name for friend in unit.stance.friends),
        ]
    return told


def _option_words(asked: Chart, how: Mapping[str, Any]) -> list[str]:
    """What helps them all."""
    attacks = attacks_of(asked.attackers[0].system)
    commands = [command_text(attacks, command) for command in how.get("commands") or ()]
    return [*commands, *(how.get("use") or ()), *(friend.name for friend in how.get("friends") or ())]


def _row(pair: Pair, target: Unit, how: Ways) -> tuple[Matchup, Matchup]:
    """One unit against one target, before and after."""
    old, new = (next(iter(matchups([unit], [target], **one))) for unit, one in zip(pair, how, strict=True))
    return old, new


def _row_name(attacker: Unit, target: Unit, pairs: int, targets: int) -> str:
    if pairs == 1:
        return f"against {target.label}"
    return attacker.label if targets == 1 else f"{attacker.label} against {target.label}"
