"""What a shell completes: units, factions, situations, commands, weapons, kinds of charts, rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click

from mathhammer.errors import MathhammerError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def _items(names: Iterable[str], typed: str) -> list[str]:
    wanted = typed.lower()
    return [name for name in dict.fromkeys(names) if name.lower().startswith(wanted)]


def _system(ctx: click.Context) -> str | None:
    system: str | None = ctx.params.get("system")
    return system


def _unit_names(system: str | None, *, factions: bool) -> list[str]:
    from mathhammer.datasheets.library import sheets
    from mathhammer.games.discovery import game_keys, get_game

    names: list[str] = []
    for key in (system,) if system else game_keys():
        if get_game(key).attacks is None:
            continue
        known = sheets(key)
        names += [sheet.name for sheet in known]
        names += [sheet.faction for sheet in known] if factions else []
    return names


def complete_units(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Names of units."""
    del param
    return _quietly(lambda: _items(_unit_names(_system(ctx), factions=False), incomplete))


def complete_many(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Names of units and of factions."""
    del param
    return _quietly(lambda: _items(_unit_names(_system(ctx), factions=True), incomplete))


def complete_situations(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Situations of the game, or of all games."""
    del param
    return _quietly(lambda: _items(_words(_system(ctx), "situations"), incomplete))


def complete_commands(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Commands of the game, or of all games."""
    del param
    return _quietly(lambda: _items(_words(_system(ctx), "commands"), incomplete))


def complete_weapons(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The kinds of attack, and the weapons of the units that are named so far."""
    del param
    return _quietly(lambda: _items(["best", "melee", "ranged", "all", *_weapons(ctx)], incomplete))


def complete_charts(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Kinds of charts."""
    from mathhammer.plots.kinds import CHART_KINDS

    del ctx, param
    return _items(CHART_KINDS, incomplete)


def complete_rules(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Ids of rules."""
    from mathhammer.conformance import rules

    del ctx, param
    return _quietly(lambda: _items((rule.id for rule in rules()), incomplete))


def complete_files(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Files: the shell knows them."""
    from click.shell_completion import CompletionItem

    del ctx, param
    return [CompletionItem(incomplete, type="file")]


def _words(system: str | None, what: str) -> list[str]:
    from mathhammer.games.discovery import game_keys, get_game

    games = [get_game(key).attacks for key in ((system,) if system else game_keys())]
    return [name for attacks in games if attacks is not None for name in getattr(attacks, what)]


def _weapons(ctx: click.Context) -> list[str]:
    from mathhammer.datasheets.asked import asked_unit

    named = [*(ctx.params.get("attackers") or ()), *(ctx.params.get("units") or ())]
    named += ctx.args  # where click has not come to the arguments yet
    named += [name for key in ("unit", "attacker") if (name := ctx.params.get(key))]
    units = [asked_unit(name, _system(ctx), None, "completion") for name in named]
    return [weapon.name for unit in units for weapon in unit.weapons]


def _quietly(find: Callable[[], list[str]]) -> list[str]:
    """Nothing is completed where something is wrong: the command itself says what."""
    try:
        return find()
    except MathhammerError:
        return []
