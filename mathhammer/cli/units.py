"""`mathhammer units` and `mathhammer show`: what the datasheets hold."""

from __future__ import annotations

import click

from mathhammer.cli.options import system_option
from mathhammer.cli.output import print_table, write_text
from mathhammer.cli.records import TABLES, GameRecord, game_records, record_profile, records_named
from mathhammer.datasheets.library import TARGETS, Sheet, UnknownUnitError, find_sheet, sheets
from mathhammer.errors import BadInputError, did_you_mean
from mathhammer.games.discovery import attacks_of, game_keys, get_game
from mathhammer.tables import as_table
from mathhammer.units.unit import Unit


@click.command()
@click.argument("word", required=False)
@system_option
def units(word: str | None, system: str | None, datasheets: str | None) -> None:
    """All units, or those with a word in their name, faction or keywords.

    \b
    Example:
      mathhammer units rat --system aos4
    """
    rows = []
    for key in (system,) if system else game_keys():
        for sheet in sheets(key, datasheets):
            if sheet.path.name == TARGETS and word is None:
                continue
            hay = " ".join([sheet.name, sheet.faction, *map(str, sheet.fields.get("keywords", []))]).lower()
            if word is None or word.lower() in hay:
                points = sheet.fields.get("points")
                rows.append(
                    (
                        sheet.name,
                        key,
                        sheet.faction,
                        str(sheet.fields.get("models", 1)),
                        "-" if points is None else str(points),
                    )
                )
    rows += [found.row() for found in game_records(system) if word is None or word.lower() in found.words()]
    if not rows:
        raise BadInputError(f"units: none with {word!r} (try a shorter word, or mathhammer units)")
    print_table(("Unit", "System", "Faction", "Models", "Points"), rows, (False, False, False, True, True))


@click.command()
@click.argument("name")
@system_option
def show(name: str, system: str | None, datasheets: str | None) -> None:
    """One unit with its profile, weapons and effects.

    \b
    Example:
      mathhammer show "Clawlord on Gnaw-beast"
    """
    found = look_up(name, system, datasheets)
    write_text(
        "\n".join(
            record_profile(found) if isinstance(found, GameRecord) else profile(found.unit(), found.faction)
        ),
        None,
    )


def look_up(name: str, system: str | None, own: str | None) -> Sheet | GameRecord:
    """The unit, disk or card of that name, in one game or in whichever has it."""
    found: list[Sheet | GameRecord] = [*records_named(name, system)]
    unknown: UnknownUnitError | None = None
    if system not in TABLES:
        try:
            found.append(find_sheet(name, system, own, "show"))
        except UnknownUnitError as error:
            unknown = error
    if len(found) == 1:
        return found[0]
    if found:
        raise BadInputError(
            f"show: {name!r} is a unit of {' and '.join(sorted({f.system for f in found}))} (say which "
            "system)"
        )
    games = game_keys() if system is None else (system,)
    known = [record.name for record in game_records(system)] + [
        sheet.name for game in games for sheet in sheets(game, own)
    ]
    raise UnknownUnitError(
        f"show: no unit {name!r} in {' or '.join(games)}{did_you_mean(name, known)}"
    ) from unknown


def profile(unit: Unit, faction: str) -> list[str]:
    """A unit as players read it."""
    game, attacks = get_game(unit.system), attacks_of(unit.system)
    needs = {
        field.name
        for field in (*attacks.unit_fields, *attacks.weapon_fields, *attacks.group_fields)
        if field.kind == "need"
    }

    def told(name: str, value: object) -> str:
        return f"{value}+" if name in needs else str(value)

    points = "" if unit.points is None else f", {unit.points} points"
    lines = [f"{unit.name} ({faction}, {game.title})", f"{unit.models} models{points}"]
    lines.append(
        ", ".join(
            f"{name.replace('_', ' ')} {told(name, value)}"
            for name, value in unit.stats
            if value not in (None, False)
        )
    )
    if len(unit.groups) > 1:
        for group in unit.groups:
            stats = ", ".join(
                f"{name.replace('_', ' ')} {told(name, value)}"
                for name, value in group.stats
                if value not in (None, False)
            )
            lines.append(f"  {group.models} {group.name}: {stats}")
    if unit.keywords:
        lines.append("keywords: " + ", ".join(sorted(unit.keywords)))
    shown = [
        field.name
        for field in attacks.weapon_fields
        if any(weapon.stat(field.name) is not None for weapon in unit.weapons)
    ]
    rows = []
    for weapon in unit.weapons:
        carried = "all" if weapon.bearers is None else str(weapon.bearers)
        figures = ["-" if weapon.stat(s) is None else told(s, weapon.stat(s)) for s in shown]
        reach = "-" if weapon.range is None else f'{weapon.range}"'
        name = weapon.name + (" (optional)" if weapon.optional else "")
        rows.append(
            (
                name,
                weapon.kind,
                reach,
                carried,
                str(weapon.attacks),
                *figures,
                str(weapon.damage),
                ", ".join(weapon.abilities),
            )
        )
    if rows:
        head = (
            "Weapon",
            "Kind",
            "Range",
            "Models",
            "Attacks",
            *(s.replace("_", " ").capitalize() for s in shown),
            "Damage",
            "Abilities",
        )
        lines += ["", as_table(head, rows, (False, False, True, True, *([True] * (len(shown) + 2)), False))]
    for effect in unit.effects:
        when = " and ".join(condition.text for condition in effect.when)
        changes = ", ".join(
            f"{key} {', '.join(map(str, value)) if isinstance(value, tuple) else value}"
            for key, value in effect.changes
        )
        limits = [f"on {effect.on}"] if effect.on != "unit" else []
        limits += [f"with {effect.weapon}"] if effect.weapon else []
        limits += [f"when {when}"] if when else []
        lines += ["", f"{effect.name}: {changes}" + (f" ({'; '.join(limits)})" if limits else "")]
    return lines
