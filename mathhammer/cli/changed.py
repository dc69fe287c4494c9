"""`mathhammer changed`: what an update of datasheets or catalogues changes, and what it does to a list."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mathhammer._version import __version__
from mathhammer.battlescribe.places import WANTED, datasheets_at, sheets_in
from mathhammer.cli.answer import Answer, Part
from mathhammer.cli.completion import complete_files
from mathhammer.cli.options import answer_options
from mathhammer.cli.registering import command
from mathhammer.datasheets.changes import KINDS, Change, changes
from mathhammer.errors import BadInputError
from mathhammer.games.discovery import get_game, listed_games
from mathhammer.tables import Column, Table

if TYPE_CHECKING:
    from mathhammer.lists.update import UnitUpdate

SHOWN = 40  # changes, without --all
WORDS = {
    "new": ("unit is new", "units are new"),
    "gone": ("unit is gone", "units are gone"),
    "points": ("change of points", "changes of points"),
    "profile": ("change of a profile", "changes of profiles"),
    "weapon": ("change of a weapon", "changes of weapons"),
    "ability": ("change of an ability", "changes of abilities"),
}
ROWS = (
    Column("Faction", lambda row: row.faction, rank=1),
    Column("Unit", lambda row: row.unit),
    Column("Change", lambda row: row.text, prose=True),
)


@command(
    "changed", "What an update of catalogues or datasheets changes, and what it does to a list.", rank=195
)
@click.argument("old", metavar="OLD", shell_complete=complete_files)
@click.argument("new", metavar="NEW", shell_complete=complete_files)
@click.option(
    "--system", type=click.Choice(list(listed_games())), help="The game. Default: the one both have."
)
@click.option(
    "--list", "file", metavar="FILE", shell_complete=complete_files, help="An army list: points and damage."
)
@click.option("--all", "everything", is_flag=True, help="Every change, not only the first forty.")
@answer_options("table", "json", "csv", "md")
def changed(**options: Any) -> None:
    """What changed from OLD to NEW: points, profiles, weapons, abilities. Both are folders of datasheets, as
    an import writes them, or folders of catalogues.

    With --list: what it does to an army list, in points and in mean wounds taken from the reference targets.

    \b
    Example:
      mathhammer changed tests/fixtures/bsdata/aos4 tests/fixtures/datasheets --system aos4
    """
    old, new = Path(options["old"]), Path(options["new"])
    system = options["system"] or common_game(old, new)
    with datasheets_at(old, system) as before, datasheets_at(new, system) as after:
        found = changes(sheets_in(before, system), sheets_in(after, system))
        units = [] if options["file"] is None else update(options["file"], system, before, after)
    Answer(
        parts=lambda: [*(list_parts(units) if units else []), *change_parts(found, options["everything"])],
        document=lambda: document(system, found, units),
        records=lambda: (
            ("faction", "unit", "kind", "change"),
            [(one.faction, one.unit, one.kind, one.text) for one in found],
        ),
    ).write(options)


def common_game(old: Path, new: Path) -> str:
    """The one game of which both places have datasheets; where they do not say, an error asks for it."""
    for path in (old, new):
        if not path.exists():
            raise BadInputError(f"{path}: no such folder ({WANTED})")
    both = [
        key for key in listed_games() if all((path / key).is_dir() or path.name == key for path in (old, new))
    ]
    if len(both) != 1:
        known = ", ".join(listed_games())
        raise BadInputError(
            f"changed: {old} and {new} do not say of which game they are (give --system: {known})"
        )
    return both[0]


def update(file: str, system: str, old: Path, new: Path) -> list[UnitUpdate]:
    """A list under both sets of datasheets."""
    from mathhammer.cli.list_files import open_list  # only a list needs what fights need
    from mathhammer.lists.update import update_of

    roster = open_list(file, new).roster
    if roster.system != system:
        game, wanted = get_game(roster.system).title, get_game(system).title
        raise BadInputError(f"{file}: is for {game} (give a list of {wanted})")
    return update_of(roster, old, new)


def summary(found: Sequence[Change]) -> str:
    """How much changed, in one line.

    >>> summary([Change("Skaven", "Clanrats", "points", "points 150 -> 160")])
    '1 change of points'
    >>> summary([])
    'nothing changed'
    """
    counts = [(kind, sum(one.kind == kind for one in found)) for kind in KINDS]
    said = [f"{number} {WORDS[kind][number != 1]}" for kind, number in counts if number]
    return ", ".join(said) or "nothing changed"


def change_parts(found: Sequence[Change], everything: bool) -> list[Part]:
    """The changes as people read them."""
    shown = found if everything else found[:SHOWN]
    parts: list[Part] = [summary(found)]
    if shown:
        parts.append(Table(ROWS, shown))
    if len(shown) < len(found):
        parts.append(f"... and {len(found) - len(shown)} more (--all)")
    return parts


def _moved(old: float | None, new: float | None, digits: int) -> str:
    """A number before and after; once where it is the same."""
    before, after = ("-" if number is None else f"{number:.{digits}f}" for number in (old, new))
    return after if before == after else f"{before} -> {after}"


def list_parts(units: Sequence[UnitUpdate]) -> list[Part]:
    """The list as people read it."""
    known = [one for one in units if one.old.points is not None and one.new.points is not None]
    before = sum(one.old.points or 0 for one in known)
    after = sum(one.new.points or 0 for one in known)
    unknown = [one.name for one in units if one.old.damage is None or one.new.damage is None]
    columns = (
        Column("Unit", lambda row: row.name),
        Column("Models", lambda row: "-" if row.models is None else str(row.models), right=True, rank=1),
        Column("Points", lambda row: _moved(row.old.points, row.new.points, 0), right=True),
        Column("Damage", lambda row: _moved(row.old.damage, row.new.damage, 2), right=True),
    )
    counted = f"for {len(known)} of {len(units)} units, without enhancements"
    lines: list[Part] = [
        f"{before} -> {after} points ({after - before:+d}) {counted}",
        "damage: mean wounds that one action takes from a reference target",
        Table(columns, units),
    ]
    if unknown:
        lines.append(f"not on both sides: {', '.join(dict.fromkeys(unknown))}")
    return [*lines, ""]


def document(system: str, found: Sequence[Change], units: Sequence[UnitUpdate]) -> dict[str, Any]:
    """The changes for programs."""
    return {
        "schema": "mathhammer-changed/1",
        "mathhammer": __version__,
        "system": system,
        "changes": [
            {"faction": one.faction, "unit": one.unit, "kind": one.kind, "change": one.text} for one in found
        ],
        "list": [
            {
                "unit": one.name,
                "models": one.models,
                "old_points": one.old.points,
                "new_points": one.new.points,
                "old_damage": one.old.damage,
                "new_damage": one.new.damage,
            }
            for one in units
        ],
    }
