"""`mathhammer import`: BSData catalogues into datasheets of one's own."""

from __future__ import annotations

from pathlib import Path

import click

from mathhammer.battlescribe.convert import Report, convert, faction_of, is_imported, sheets_of, store
from mathhammer.cli.answer import Answer, Part
from mathhammer.cli.changed import change_parts
from mathhammer.cli.changed import document as changed_document
from mathhammer.cli.completion import complete_files
from mathhammer.cli.coverage import SHOWN, share_line, understood_rows
from mathhammer.cli.output import progress, remark
from mathhammer.cli.registering import command
from mathhammer.datasheets.changes import Change, changes
from mathhammer.datasheets.library import read_sheets, user_folder
from mathhammer.errors import BadInputError
from mathhammer.games.discovery import listed_games
from mathhammer.games.records import data_folder
from mathhammer.tables import Column, Table


@command("import", "BSData catalogues into datasheets of your own.", rank=190)
@click.argument("source", metavar="DIR|FILE", shell_complete=complete_files)
@click.option(
    "--system", required=True, type=click.Choice(list(listed_games())), help="The game of the catalogues."
)
@click.option(
    "-o",
    "--output",
    "--datasheets",
    "output",
    metavar="DIR",
    help="Where datasheets go. Default: your own folder.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Form of the report.",
)
@click.option("--dry-run", is_flag=True, help="Only read and report; write nothing.")
@click.option("--check", is_flag=True, help="Only tell what changed since the last import; write nothing.")
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="List everything that was not understood, not only the most frequent.",
)
def import_(source: str, system: str, output: str | None, form: str, **flags: bool) -> None:
    """BSData catalogues (.gst and .cat, or .json) as datasheets, all factions of a folder at once.

    The catalogues are in the public repositories of the BSData organisation on GitHub, one for each game:
    get a copy, nothing is downloaded by itself. A single file is read together with the catalogues beside it.
    It completes, or nothing is changed.

    \b
    Example:
      mathhammer import tests/fixtures/bsdata/aos4 --system aos4 --dry-run
    """
    target = Path(output) if output else user_folder()
    everything = flags["everything"]
    with progress("importing") as tell:
        report = convert(Path(source), system, tell)
        folder = None if flags["dry_run"] or flags["check"] else store(report, target)
    if flags["check"]:
        found = since_last(report, Path(source), target)
        Answer(
            parts=lambda: change_parts(found, everything),
            document=lambda: changed_document(system, found, []),
        ).write({"form": form})
        return
    Answer(parts=lambda: lines(report, folder, everything), document=lambda: document(report, folder)).write(
        {"form": form}
    )
    if folder is not None and form == "text":
        found_there = folder.parent == user_folder()
        remark("every command finds them" if found_there else f"use them with --datasheets {folder.parent}")
        if kept := shipped_rules(report):
            remark(f"units that keep rules worked out by hand: {kept}")


def since_last(report: Report, source: Path, target: Path) -> list[Change]:
    """What the catalogues have that the last import into a folder had not, and the other way round; of a
    single catalogue only its own units.
    """
    folder = target / report.system
    files = sorted(folder.glob("*.toml")) if source.is_dir() else [folder / name for name in report.files]
    before = [sheet for file in files if is_imported(file) for sheet in read_sheets(file, report.system)]
    if not before:
        raise BadInputError(f"{folder}: holds no import to compare with (run it without --check first)")
    return changes(before, sheets_of(report))


def shipped_rules(report: Report) -> str:
    """The imported units that keep the effects of the shipped units of their names."""
    mine = {sheet.name for sheet in sheets_of(report)}
    paths = sorted((data_folder() / report.system).glob("*.toml"))
    shipped = [sheet for path in paths for sheet in read_sheets(path, report.system)]
    names = [sheet.name for sheet in shipped if sheet.fields.get("effect") and sheet.name in mine]
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")


FACTIONS = (
    Column("Faction", "group"),
    Column("Units", "units", right=True),
    Column("Weapons", "weapons", right=True, rank=2),
    *SHOWN[2:],
)


def faction_table(report: Report) -> Table:
    """Units, weapon names and abilities by faction."""
    weapons = {faction_of(report.system, name): number for name, (_, number) in report.factions.items()}
    found = report.abilities
    silent = [
        {"group": group, "units": found.units[group], **found.share(group).to_dict()}
        for group in sorted(found.groups)
        if not found.share(group).all
    ]
    rows = [row | {"weapons": weapons.get(row["group"])} for row in (*understood_rows(found), *silent)]
    return Table(FACTIONS, rows)


def lines(report: Report, folder: Path | None, everything: bool) -> list[Part]:
    """The report as people read it."""
    known, unknown = report.understood.total(), report.unknown.total()
    factions = f"{len(report.files)} {'faction' if len(report.files) == 1 else 'factions'}"
    where = "read" if folder is None else f"written to {folder}"
    text: list[Part] = [
        f"{factions}, {report.units} units, {report.weapons} weapons {where}",
        f"weapon abilities: {known} of {known + unknown} understood ({report.share:.1%})",
        share_line(report.abilities.total),
    ]
    text += [faction_table(report), ""] if report.abilities.total.all else []
    if report.unknown:
        shown = report.unknown.most_common(None if everything else 12)
        text.append(
            "kept as comments, not understood: " + ", ".join(f"{name} ({number})" for name, number in shown)
        )
    if everything:
        text += [
            f"  {name}: {units} units, {weapons} names of weapons"
            for name, (units, weapons) in report.factions.items()
        ]
    for title, things in (
        ("units left out", report.left_out),
        ("units that a catalogue has twice, written once", report.twice),
        ("rules not modelled", report.problems),
    ):
        if things:
            text.append(f"{title}: {len(things)}")
            text += [f"  {thing}" for thing in (things if everything else things[:8])]
            text += (
                [f"  ... and {len(things) - 8} more (--all)"] if len(things) > 8 and not everything else []
            )
    if report.dangling:
        text.append(f"links to catalogues that are not here: {report.dangling}")
    return text


def document(report: Report, folder: Path | None) -> dict[str, object]:
    """The report for programs."""
    return {
        "schema": "mathhammer-import/1",
        "system": report.system,
        "folder": None if folder is None else str(folder),
        "units": report.units,
        "weapons": report.weapons,
        "factions": {
            name: {"units": units, "weapon_names": weapons}
            for name, (units, weapons) in report.factions.items()
        },
        "abilities": {
            "total": report.abilities.total.to_dict(),
            "factions": {name: report.abilities.share(name).to_dict() for name in report.abilities.groups},
        },
        "abilities_understood": report.understood.total(),
        "abilities_not_understood": dict(report.unknown.most_common()),
        "left_out": report.left_out,
        "written_once": report.twice,
        "not_in_the_figures": report.problems,
        "dangling_links": report.dangling,
    }
