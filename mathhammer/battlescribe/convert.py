"""Datasheets from catalogues: every unit of every faction written as TOML, and a report of
what was understood.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import field
from datetime import date
from pathlib import Path

from mathhammer.battlescribe.catalogues import Catalogue, Library, load
from mathhammer.battlescribe.entries import draft_of, unit_roots
from mathhammer.battlescribe.entry_facts import name_of
from mathhammer.battlescribe.listed_names import listed_names
from mathhammer.battlescribe.prices import prices_of, surcharge_of
from mathhammer.battlescribe.toml_text import field_lines, line_text
from mathhammer.battlescribe.unit_draft import DatasheetFields, make_fields
from mathhammer.battlescribe.values import UnreadableError
from mathhammer.dataclass import dataclass
from mathhammer.datasheets.library import IMPORTED, Sheet
from mathhammer.datasheets.reading import read_unit
from mathhammer.datasheets.understood import Understood, texts_of
from mathhammer.errors import BadInputError
from mathhammer.files import replace_files
from mathhammer.games.discovery import family_of
from mathhammer.text import clean

# names that mean something else: the reference targets, and the devices of Windows, whatever the ending
TAKEN = {
    "targets",
    "con",
    "prn",
    "aux",
    "nul",
    *(f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10)),
}
MARK = IMPORTED  # the first line of every file
TABLES = ("group", "weapon", "effect", "ability")


@dataclass(slots=True)
class Report:
    """What an import read, wrote, and could not understand."""

    system: str
    files: dict[str, str] = field(default_factory=dict)  # file name -> its text
    # catalogue -> units and weapon names in reach
    factions: dict[str, tuple[int, int]] = field(default_factory=dict)
    units: int = 0
    weapons: int = 0
    understood: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)
    left_out: list[str] = field(default_factory=list)  # units that have no profile to write
    twice: list[str] = field(default_factory=list)  # units that stand in one catalogue again, exactly alike
    problems: list[str] = field(default_factory=list)  # what is not in the figures
    dangling: int = 0
    abilities: Understood = field(default_factory=Understood)  # by catalogue

    @property
    def share(self) -> float:
        """Which part of all weapon abilities was understood."""
        total = self.understood.total() + self.unknown.total()
        return self.understood.total() / total if total else 1.0


def convert(path: Path, system: str, tell: Callable[[int, int], None] | None = None) -> Report:
    """Catalogues as datasheet texts; nothing is written yet."""
    library, wanted = load(path, system, tell)
    report = Report(system)
    for done, catalogue in enumerate(wanted, 1):
        _convert(library, catalogue, report)
        if tell is not None:
            tell(done, len(wanted))
    report.dangling = len(library.dangling)
    if not report.files:
        raise BadInputError(
            f"{path}: no unit found (give a folder with the faction catalogues and the .gst file)"
        )
    return report


def _convert(library: Library, catalogue: Catalogue, report: Report) -> None:
    units_made: dict[str, DatasheetFields] = {}
    names: set[str] = set()
    roots = 0
    for node, reach in unit_roots(library, catalogue):
        roots += 1
        names |= reach
        title = name_of(library, node) or "a unit without a name"
        try:
            draft = draft_of(library, catalogue, node)
            draft.prices = prices_of(library, node, draft.models)
            draft.surcharge = surcharge_of(library, node)
            draft.model_names, draft.wargear = listed_names(library, node)
            unit = make_fields(draft)
        except UnreadableError as error:
            report.left_out.append(f"{catalogue.name}, {title}: {error}")
            continue
        fighting, faults = read_unit(library.system, unit.fields)
        if faults:
            report.left_out.append(f"{catalogue.name}, {faults[0]}")
            continue
        if _placed(title, unit, units_made):
            faction = faction_of(library.system, catalogue.name)
            report.abilities.add(faction, fighting, texts_of(unit.fields))
        else:
            report.twice.append(f"{catalogue.name}, {title}")
    for unit in units_made.values():
        report.understood += unit.understood
        report.unknown += unit.unknown
        report.weapons += unit.weapons
        report.problems += [
            f"{catalogue.name}, {unit.fields['name']}: {problem}" for problem in unit.problems
        ]
    if roots:
        report.factions[catalogue.name] = (roots, len(names))
    if units_made:
        report.units += len(units_made)
        report.files[_file_name(catalogue.name, report.files)] = to_toml(
            library.system, catalogue, list(units_made.values())
        )


def _placed(title: str, unit: DatasheetFields, made: dict[str, DatasheetFields]) -> bool:
    """Puts a unit into the file under a name of its own; False when the very same unit is there already.

    Of variants of different size the largest has the plain name and goes first, as players and lists name it.
    """
    first = made.get(title)
    if first is not None and not _same(first, unit) and unit.fields["models"] > first.fields["models"]:
        del made[title]
        _name(title, unit, made)
        unit = first
    key, copy = title, 2
    while key in made:
        if _same(made[key], unit):
            return False
        models = unit.fields["models"]
        sized = f"{title} ({models} model{'s' if models > 1 else ''})"
        if made[title].fields["models"] != models and sized not in made:
            key = sized
        else:
            key, copy = f"{title} ({copy})", copy + 1
    _name(key, unit, made)
    return True


def _name(key: str, unit: DatasheetFields, made: dict[str, DatasheetFields]) -> None:
    unit.fields["name"] = key
    made[key] = unit


def _same(one: DatasheetFields, other: DatasheetFields) -> bool:
    return all(
        one.fields.get(key) == other.fields.get(key)
        for key in {*one.fields, *other.fields} - {"name", "source"}
    )


def _file_name(faction: str, taken: dict[str, str]) -> str:
    """A file name from a faction's: letters and digits only, so that no name leads out of the folder."""
    plain = unicodedata.normalize("NFKD", faction).encode("ascii", "ignore").decode()
    stem = re.sub(r"[^a-z0-9]+", "_", plain.lower().replace("'", "")).strip("_")[:80] or "catalogue"
    name, copy = f"{stem}.toml", 2
    while name in taken or name.removesuffix(".toml") in TAKEN:
        name, copy = f"{stem}_{copy}.toml", copy + 1
    return name


def faction_of(system: str, name: str) -> str:
    """The faction as players say it: 40k catalogues put the alliance in front.

    >>> (faction_of("wh40k10", "Chaos - World Eaters"),
    ...  faction_of("aos4", "Stormcast Eternals - Astral Templars"))
    ('World Eaters', 'Stormcast Eternals - Astral Templars')
    """
    return name.rpartition(" - ")[2] if family_of(system) == "wh40k" else name


def to_toml(system: str, catalogue: Catalogue, units: list[DatasheetFields]) -> str:
    """A datasheet file."""
    source = (
        f"BSData catalogue {catalogue.path.name}, revision "
        f"{clean(catalogue.root.get('revision'))[:10] or 'unknown'}"
    )
    lines = [
        MARK,
        f"system = {line_text(system)}",
        f"faction = {line_text(faction_of(system, catalogue.name))}",
        f"source = {line_text(source)}",
    ]
    lines.append(f"checked = {date.today().isoformat()}")
    for unit in units:
        lines += ["", "[[unit]]", *field_lines(unit.fields, "", TABLES)]
        for key in TABLES:
            for table in unit.fields.get(key, []):
                lines += ["", f"  [[unit.{key}]]", *field_lines(table, "  ")]
                if key == "weapon" and (words := unit.notes.get(table["name"])):
                    lines.append(f"  # not understood: {', '.join(dict.fromkeys(words))}")
        lines += [f"  # not covered: {problem}" for problem in unit.problems]
    return "\n".join(lines) + "\n"


def sheets_of(report: Report) -> Iterator[Sheet]:
    """The units of a report as they would be read from its files, one file at a time."""
    for name, text in report.files.items():
        content = tomllib.loads(text)
        for place, unit in enumerate(content.get("unit", ())):
            yield Sheet(report.system, str(content.get("faction", "")), Path(name), place, unit)


def store(report: Report, folder: Path) -> Path:
    """Writes the datasheets of a report below `folder`; gives the folder of the game.

    On any failure the old state comes back. A killed import leaves some factions old and some new, each of
    them whole; the next one completes it. Files that no import has made are never touched.
    """
    target = folder / report.system
    for name in report.files:
        _refuse_own(target / name)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInputError(f"{folder}: cannot be written ({error.strerror})") from None
    replace_files({target / name: text.encode() for name, text in report.files.items()})
    return target


def is_imported(path: Path) -> bool:
    """Whether an import has made a file."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.readline(200).rstrip("\n") == MARK
    except FileNotFoundError:
        return False
    except OSError as error:
        raise BadInputError(f"{path}: cannot be read ({error.strerror})") from None


def _refuse_own(path: Path) -> None:
    if not is_imported(path) and path.exists():
        raise BadInputError(
            f"{path}: is there already and was not made by an import (choose another folder with -o)"
        )
