"""Datasheets at a place that somebody names: there already, or made from its catalogues in passing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from mathhammer.battlescribe.catalogues import holds_catalogues
from mathhammer.battlescribe.convert import convert, store
from mathhammer.datasheets.library import TARGETS, Sheet, read_sheets
from mathhammer.errors import BadInputError

WANTED = "give a folder of datasheets as an import writes it, or of catalogues"


@contextmanager
def datasheets_at(path: Path, system: str) -> Iterator[Path]:
    """A folder of datasheets with one folder for the game inside: the place itself, or a passing one with
    what its catalogues hold.
    """
    if (path / system).is_dir() and any((path / system).glob("*.toml")):
        yield path
        return
    if path.name == system and any(path.glob("*.toml")):
        yield path.parent
        return
    if not path.exists():
        raise BadInputError(f"{path}: no such folder ({WANTED})")
    if not holds_catalogues(path):
        raise BadInputError(f"{path}: holds no datasheets of {system} and no catalogues ({WANTED})")
    with TemporaryDirectory(prefix="mathhammer-") as passing:
        store(convert(path, system), Path(passing))
        yield Path(passing)


def sheets_in(folder: Path, system: str) -> list[Sheet]:
    """All units of a game in one folder of datasheets, and in no other."""
    files = sorted((folder / system).glob("*.toml"))
    return [sheet for file in files if file.name != TARGETS for sheet in read_sheets(file, system)]
