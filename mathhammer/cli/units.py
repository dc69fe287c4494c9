"""`mathhammer units` and `mathhammer show`: what the datasheets hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import click

from mathhammer.cli.answer import Answer, Part
from mathhammer.cli.completion import complete_units
from mathhammer.cli.options import FORMATS, answer_options, system_option
from mathhammer.cli.own_games import own_games
from mathhammer.cli.records import GameRecord, game_records, record_profile, records_named
from mathhammer.cli.registering import command
from mathhammer.datasheets.asked import faction_names
from mathhammer.datasheets.library import TARGETS, Sheet, UnknownUnitError, find_sheet, sheets
from mathhammer.errors import BadInputError, did_you_mean
from mathhammer.games.ability_states import rule_states
from mathhammer.games.discovery import attacks_of, game_keys, get_game
from mathhammer.games.game import Attacks
from mathhammer.games.profile_text import stat_text, stats_text
from mathhammer.tables import Column, Table
from mathhammer.units.unit import Unit

SHOWN = (
    Column("Unit", "unit"),
    Column("System", "system", rank=2),
    Column("Faction", "faction", rank=1),
    Column("Models", "models", right=True),
    Column("Points", "points", right=True),
)
RULES = (
    Column("Rule", lambda one: one.name),
    Column("In a fight", lambda one: one.state, prose=True),
    Column("Change", lambda one: one.change, prose=True),
)
RECORDS = ("unit", "system", "faction", "models", "points")


@command("units", "All units, or those with a word in their name.", rank=80)
@click.argument("word", required=False)
@system_option
@answer_options(*FORMATS)
def units(
    word: str | None, system: str | None, datasheets: str | None, form: str, output: str | None
) -> None:
    """All units, or those with a word in their name, faction or keywords.

    \b
    Example:
      mathhammer units rat --system aos4
    """
    rows = [
        dict(zip(RECORDS, row, strict=True))
        for row in (*sheet_rows(word, system, datasheets), *record_rows(word, system))
    ]
    if not rows:
        near = did_you_mean(word or "", faction_names(system, datasheets))
        hint = near if "did you mean" in near else " (try a shorter word, or mathhammer units)"
        raise BadInputError(f"units: none with {word!r}{hint}")
    Answer(
        parts=lambda: [Table(SHOWN, rows)],
        document=lambda: {"schema": "mathhammer-units/1", "units": rows},
        records=lambda: (RECORDS, [list(row.values()) for row in rows]),
    ).write({"form": form, "output": output})


def sheet_rows(word: str | None, system: str | None, own: str | None) -> Iterator[tuple[Any, ...]]:
    """Units with weapons, of one game or of all."""
    for key in (system,) if system else game_keys():
        for sheet in sheets(key, own):
            if sheet.path.name == TARGETS and word is None:
                continue
            hay = " ".join([sheet.name, sheet.faction, *map(str, sheet.fields.get("keywords", []))]).lower()
            if word is None or word.lower() in hay:
                fields = sheet.fields
                yield sheet.name, key, sheet.faction, fields.get("models", 1), fields.get("points")


def record_rows(word: str | None, system: str | None) -> Iterator[tuple[Any, ...]]:
    """Disks, cards and the like, of one game or of all."""
    for record in game_records(system):
        if word is None or word.lower() in record.words():
            yield record.row()


@command("show", "One unit with its profile, weapons and effects.", rank=90)
@click.argument("name", shell_complete=complete_units)
@system_option
@answer_options("table", "json", "md")
def show(name: str, system: str | None, datasheets: str | None, form: str, output: str | None) -> None:
    """One unit with its profile, weapons and effects.

    \b
    Example:
      mathhammer show "Clawlord on Gnaw-beast"
    """
    one = look_up(name, system, datasheets)

    def parts() -> list[Part]:
        return record_profile(one) if isinstance(one, GameRecord) else profile(one.unit(), one.faction)

    about = {"schema": "mathhammer-unit/1", "system": one.system, "faction": one.faction}

    def document() -> dict[str, Any]:
        states = [] if isinstance(one, GameRecord) else [asdict(rule) for rule in rule_states(one.unit())]
        return about | {"unit": dict(one.fields)} | ({"rules": states} if states else {})

    Answer(parts, document).write({"form": form, "output": output})


def look_up(name: str, system: str | None, own: str | None) -> Sheet | GameRecord:
    """The unit, disk or card of that name, in one game or in whichever has it."""
    matches: list[Sheet | GameRecord] = [*records_named(name, system)]
    unknown: UnknownUnitError | None = None
    if system not in own_games():
        try:
            matches.append(find_sheet(name, system, own, "show"))
        except UnknownUnitError as error:
            unknown = error
    if len(matches) == 1:
        return matches[0]
    if matches:
        systems = sorted({match.system for match in matches})
        raise BadInputError(f"show: {name!r} is a unit of {' and '.join(systems)} (say which system)")
    games = game_keys() if system is None else (system,)
    known = [record.name for record in game_records(system)] + [
        sheet.name for game in games for sheet in sheets(game, own)
    ]
    raise UnknownUnitError(
        f"show: no unit {name!r} in {' or '.join(games)}{did_you_mean(name, known)}"
    ) from unknown


def profile(unit: Unit, faction: str) -> list[Part]:
    """A unit as players read it."""
    game, attacks = get_game(unit.system), attacks_of(unit.system)
    points = "" if unit.points is None else f", {unit.points} points"
    parts: list[Part] = [
        f"{unit.name} ({faction}, {game.title})",
        f"{unit.models} {'model' if unit.models == 1 else 'models'}{points}",
    ]
    parts.append(stats_text(attacks, unit.stats))
    if len(unit.groups) > 1:
        parts += [
            f"  {group.models} {group.name}: {stats_text(attacks, group.stats)}" for group in unit.groups
        ]
    if unit.keywords:
        parts.append("keywords: " + ", ".join(sorted(unit.keywords)))
    if unit.weapons:
        parts += ["", Table(weapon_columns(attacks, unit), unit.weapons, stacked=1)]
    if states := list(rule_states(unit)):
        parts += ["", Table(RULES, states, grouped=True)]
        if used := next((effect.name for effect in unit.effects if effect.use), ""):
            parts += ["", f'use a rule with --use "{used}", or as a word: "{unit.name}: {used}"']
    return parts


def weapon_columns(attacks: Attacks, unit: Unit) -> list[Column]:
    """The columns of a unit's weapons: the characteristics that at least one of them has."""
    stats = [
        field.name
        for field in attacks.weapon_fields
        if any(weapon.stat(field.name) is not None for weapon in unit.weapons)
    ]

    def stat(name: str) -> Column:
        return Column(
            name.replace("_", " ").capitalize(), lambda w: stat_text(attacks, name, w.stat(name)), right=True
        )

    return [
        Column("Weapon", lambda w: w.label + (" (optional)" if w.optional else ""), prose=True),
        Column("Kind", lambda w: w.kind),
        Column("Range", lambda w: "-" if w.range is None else f'{w.range}"', right=True),
        Column("Models", lambda w: "all" if w.bearers is None else str(w.bearers), right=True),
        Column("Attacks", lambda w: str(w.attacks), right=True),
        *map(stat, stats),
        Column("Damage", lambda w: str(w.damage), right=True),
        Column("Abilities", lambda w: ", ".join(w.abilities), prose=True),
    ]
