"""Imported datasheets put in place: all of them, or nothing is changed."""

from __future__ import annotations

from pathlib import Path

from mathhammer.bsdata.sheets import MARK, Report
from mathhammer.errors import BadInputError
from mathhammer.files import replace_files


def store(report: Report, folder: Path) -> Path:
    """Writes the datasheets of a report below `folder`; gives the folder of the game.

    On any failure the old state comes back. A killed import leaves some factions old and some new, each of them whole; the next one
    completes it. Files that no import has made are never touched.
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


def _refuse_own(path: Path) -> None:
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            first = file.readline(200).rstrip("\n")
    except FileNotFoundError:
        return
    except OSError as error:
        raise BadInputError(f"{path}: cannot be read ({error.strerror})") from None
    if first != MARK:
        raise BadInputError(f"{path}: is there already and was not made by an import (choose another folder with -o)")
