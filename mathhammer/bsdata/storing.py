"""Imported datasheets put in place: all of them, or nothing is changed."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from mathhammer.bsdata.sheets import MARK, Report
from mathhammer.errors import BadInputError


def store(report: Report, folder: Path) -> Path:
    """Writes the datasheets of a report below `folder`; gives the folder of the game.

    The files are written beside their place and moved there in one go; on any failure the old state comes back.
    """
    target = folder / report.system
    for name in report.files:
        _refuse_own(target / name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(dir=folder, prefix=f".{report.system}.new."))
    except OSError as error:
        raise BadInputError(f"{folder}: cannot be written ({error.strerror})") from None
    old = fresh.with_name(fresh.name.replace(".new.", ".old."))
    try:
        fresh.chmod(0o755)
        if target.is_dir():
            shutil.copytree(target, fresh, dirs_exist_ok=True, symlinks=True)
        for name, text in report.files.items():
            (fresh / name).write_text(text, encoding="utf-8")
        _swap(fresh, target, old)
    except OSError as error:
        raise BadInputError(f"{target}: cannot be written ({error.strerror}; nothing was changed)") from None
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)
    return target


def _swap(fresh: Path, target: Path, old: Path) -> None:
    there = target.is_dir()
    if there:
        os.replace(target, old)
    try:
        os.replace(fresh, target)
    except BaseException:
        if there:
            os.replace(old, target)
        raise


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
