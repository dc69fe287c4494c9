"""Datasheets: TOML files of units, found and read."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from mathhammer.dataclass import dataclass
from mathhammer.datasheets.lines import placed, shown
from mathhammer.datasheets.reading import read_unit
from mathhammer.datasheets.values import raise_faults
from mathhammer.errors import BadInputError, MathhammerError, UnknownNameError, did_you_mean
from mathhammer.files import parse_toml
from mathhammer.games.discovery import DEFAULT, attacks_of, game_keys, get_game, meant_editions
from mathhammer.games.records import data_folder
from mathhammer.units.unit import Unit

HEADER = ("system", "faction", "source", "checked")
TARGETS = "targets.toml"
MOST_BYTES = 20_000_000
IMPORTED = "# made by mathhammer import: your own changes are lost when you import again"
UNIT_BEGINS = "\n[[unit]]\n"
_ESCAPED_NAME = r"""name["']?\s*=\s*"[^"\n]*\\"""


@dataclass(frozen=True, slots=True)
class Sheet:
    """One unit of a file before it is checked: where it stands, and its plain mapping."""

    system: str
    faction: str
    path: Path
    index: int
    fields: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The unit's name."""
        return str(self.fields.get("name", ""))

    @property
    def priced(self) -> bool:
        """Whether it has points: copies of a unit that come with a bundle have none."""
        return bool(self.fields.get("points"))

    def unit(self) -> Unit:
        """The unit itself; an error with file and line when something is wrong with it."""
        unit, faults = read_unit(self.system, self.fields, ("unit", self.index))
        if faults:
            text = self.path.read_text(encoding="utf-8")
            raise_faults([placed(fault, self.path, text) for fault in faults])
        return unit


def user_folder() -> Path:
    """The folder for a person's own datasheets: MATHHAMMER_DATASHEETS, else where the system keeps such data
    (on Linux ~/.local/share/mathhammer/datasheets).
    """
    if given := os.environ.get("MATHHAMMER_DATASHEETS"):
        return Path(given)
    from platformdirs import user_data_path  # a little late: it is not needed where a folder is given

    try:
        folder = user_data_path("mathhammer", appauthor=False) / "datasheets"
    except RuntimeError:  # a process of a user whom the system does not know
        folder = Path("~")
    if not folder.is_absolute():  # the same in older versions of platformdirs, which give "~" back
        raise BadInputError(
            "datasheets: you have no home folder (set MATHHAMMER_DATASHEETS to one for your own)"
        )
    return folder


def folders(own: str | Path | None = None) -> tuple[Path, ...]:
    """Where datasheets are looked for: the caller's own folder, or the user's (`user_folder`), first; then
    the shipped one.
    """
    given = own or os.environ.get("MATHHAMMER_DATASHEETS")
    if not given:
        try:
            imported = user_folder()
        except BadInputError:  # no home, so nothing of one's own in it
            return (data_folder(),)
        # also where a home may not be entered
        return (imported, data_folder()) if os.path.isdir(imported) else (data_folder(),)
    folder = Path(given)
    if folder.is_file():
        return (folder, data_folder())
    if folder.name in game_keys() and any(folder.glob("*.toml")):
        raise BadInputError(
            f"datasheets: {folder} is the folder of one game (give the one above it: {folder.parent})"
        )
    if not folder.is_dir():
        raise BadInputError(
            f"datasheets: {folder} is not a folder (give one that holds {DEFAULT}/*.toml and the like)"
        )
    return (folder, data_folder())


def load_unit(name: str, system: str | None = None, *, datasheets: str | Path | None = None) -> Unit:
    """The unit of that name, in any case; without `system`, from whichever game has it (the current edition,
    if several).

    >>> load_unit("liberators", system="aos4").models
    5
    >>> load_unit("Librators", system="aos4")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    mathhammer...UnknownUnitError: load_unit: no unit 'Librators' in aos4 (did you mean 'Liberators'?)
    """
    return find_sheet(name, system, datasheets, where="load_unit").unit()


def find_sheet(name: str, system: str | None, own: str | Path | None, where: str) -> Sheet:
    """The sheet of a unit by name; the caller's own folder wins over the shipped one."""
    if not isinstance(name, str):
        raise BadInputError(f"{where}: {name!r:.60} is not a name (give the name of a unit)")
    if system is not None:
        attacks_of(system, where)
    systems = (system,) if system is not None else game_keys()
    by_game: dict[str, Sheet] = {}
    for key in systems:
        for sheet in _sheets_named(name.strip().lower(), key, own):
            by_game.setdefault(key, sheet)
    by_game = {key: by_game[key] for key in meant_editions(by_game)}
    if len(by_game) > 1:
        raise BadInputError(f"{where}: {name!r} is a unit of {' and '.join(by_game)} (say which system)")
    if not by_game:
        known = [sheet.name for key in systems for sheet in sheets(key, own)]
        raise UnknownUnitError(
            f"{where}: no unit {name!r} in {' or '.join(systems)}{did_you_mean(name, known)}"
        )
    return next(iter(by_game.values()))


def _sheets_named(name: str, system: str, own: str | Path | None) -> Iterator[Sheet]:
    """Units of that name, of each folder those with points first; files in which no text ends with the name
    are not even parsed.
    """
    for folder in folders(own):
        found: list[Sheet] = []
        for path in _files(folder / system):
            text = _text(path)
            if folder == data_folder() or text.startswith(IMPORTED):
                found += _by_names(path, text, system, name)
            else:
                text = text.lower()
                # a backslash may spell any character of a name
                if f'{name}"' in text or f"{name}'" in text or re.search(_ESCAPED_NAME, text):
                    found += (sheet for sheet in read_sheets(path, system) if sheet.name.lower() == name)
            if found and found[-1].priced:
                break
        yield from sorted(found, key=lambda sheet: not sheet.priced)


def _by_names(path: Path, text: str, system: str, name: str) -> Iterator[Sheet]:
    """Units of that name in a shipped file, or in one that an import wrote: only they are parsed.

    In these files every unit begins with its name.
    """
    if f'"{name}"' not in text.lower():
        return
    head, *units = text.split(UNIT_BEGINS)
    for index, unit in enumerate(units):
        if f'"{name}"' in unit.partition("\n")[0].lower():
            content = parse_toml(f"{head}{UNIT_BEGINS}{unit}", shown(path))
            found = Sheet(system, str(content.get("faction", "")), path, index, content["unit"][0])
            if content.get("system") == system and found.name.lower() == name:
                yield found


class UnknownUnitError(UnknownNameError):
    """No unit of that name; the sentence says where it was looked for.

    >>> str(UnknownUnitError("compare: no unit 'X' in aos4"))
    "compare: no unit 'X' in aos4"
    """

    def __init__(self, sentence: str) -> None:
        MathhammerError.__init__(self, sentence)


def sheets(system: str, own: str | Path | None = None) -> tuple[Sheet, ...]:
    """All units of a game, unchecked, those of the caller's own folder first; reference targets last."""
    every: list[Sheet] = []
    for folder in folders(own):
        every += _sheets_of(folder / system, system)
    return tuple(every)


@lru_cache(maxsize=64)
def _sheets_of(folder: Path, system: str) -> tuple[Sheet, ...]:
    return tuple(sheet for path in _files(folder) for sheet in read_sheets(path, system))


def _files(folder: Path) -> list[Path]:
    """The datasheets of a folder, reference targets last; a file in the place of the folder above stands for
    itself, in its own game.
    """
    if folder.parent.is_file():
        return [folder.parent] if parse(folder.parent).get("system") == folder.name else []
    return (
        sorted(folder.glob("*.toml"), key=lambda path: (path.name == TARGETS, path.name))
        if folder.is_dir()
        else []
    )


def reference_targets(system: str, own: str | Path | None = None) -> tuple[Unit, ...]:
    """The reference targets of a game: what a unit is compared against when nobody says.

    >>> len(reference_targets("aos4"))
    8
    """
    get_game(system)
    paths = {sheet.path: None for sheet in sheets(system, own) if sheet.path.name == TARGETS}
    if not paths:
        raise BadInputError(f"datasheets: {system} has no reference targets (say against whom)")
    first = next(iter(paths))
    return tuple(sheet.unit() for sheet in sheets(system, own) if sheet.path == first)


def read_sheets(path: Path, system: str) -> Iterator[Sheet]:
    """The units of one file, unchecked; files of a game that hold no units give none."""
    content = parse(path)
    if content.get("system") != system:
        raise BadInputError(f'{shown(path)}: system is {content.get("system")!r} (write system = "{system}")')
    units = content.get("unit", [])
    if not isinstance(units, list) or not all(isinstance(unit, dict) for unit in units):
        raise BadInputError(f"{shown(path)}: unit must be a list of tables (write [[unit]])")
    for index, unit in enumerate(units):
        yield Sheet(system, str(content.get("faction", "")), path, index, unit)


def parse(path: Path) -> dict[str, Any]:
    """A TOML file as a mapping, or one sentence."""
    return parse_toml(_text(path), shown(path))


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise BadInputError(f"{shown(path)}: larger than {MOST_BYTES // 10**6} MB (split it)")
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BadInputError(f"{shown(path)}: no such file") from None
    except UnicodeDecodeError:
        raise BadInputError(f"{shown(path)}: not UTF-8 text (save it as UTF-8)") from None
    except OSError as error:
        raise BadInputError(f"{shown(path)}: cannot be read ({error.strerror})") from None
