"""The file from which an interrupted matrix goes on."""

from __future__ import annotations

import hashlib
import io
import time
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mathhammer.errors import BadInputError
from mathhammer.files import replace_file
from mathhammer.units.unit import Unit

Array = NDArray[np.float64]
SAVE_EVERY = 2.0  # seconds between two writings of the file to go on from


def fingerprint(attackers: Sequence[Unit], targets: Sequence[Unit], how: Any) -> str:
    text = repr(stable((tuple(attackers), tuple(targets), sorted(how.items()))))
    return hashlib.sha256(text.encode()).hexdigest()


def stable(thing: Any) -> Any:
    """Values in a form that prints alike in every process: units with all their fields, sets in order."""
    if isinstance(thing, Unit):
        return tuple(stable(getattr(thing, field.name)) for field in fields(thing))
    if isinstance(thing, (set, frozenset)):
        return sorted(map(stable, thing), key=repr)
    if isinstance(thing, Mapping):
        return sorted((key, stable(value)) for key, value in thing.items())
    return tuple(map(stable, thing)) if isinstance(thing, (list, tuple)) else thing


def _state_of(path: Path) -> tuple[int, ...]:
    """What changes when a file is replaced or written to."""
    about = path.stat()
    return about.st_ino, about.st_mtime_ns, about.st_size


class Checkpoint:
    """Finished rows in a file, written whole: an interruption leaves the file as it was, or newer.

    Two runs of one question may share the file: each takes over the rows that the other has written since it
    last looked.
    """

    def __init__(self, path: Path | None, fingerprint: str, values: Array) -> None:
        self.path, self.fingerprint, self.values = path, fingerprint, values
        self.done = np.zeros(len(values), dtype=np.bool_)
        self.written = time.monotonic()
        self.seen: tuple[int, ...] | None = None  # the file as this run last read or wrote it
        if path is not None:
            self._take_over(path)

    def _take_over(self, path: Path) -> None:
        """Reads the file if it is not the one that this run knows."""
        try:
            now = _state_of(path)
        except FileNotFoundError:
            return
        except OSError as error:
            raise BadInputError(f"matrix: {path}: cannot be read ({error.strerror})") from None
        if now != self.seen:
            self._read(path)
            self.seen = now

    def _read(self, path: Path) -> None:
        try:
            with np.load(path, allow_pickle=False) as stored:
                if str(stored["fingerprint"]) != self.fingerprint:
                    raise BadInputError(
                        f"matrix: {path} belongs to another question (delete it, or name another file)"
                    )
                done, values = stored["done"], stored["values"]
        except BadInputError:  # said already
            raise
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            raise BadInputError(
                f"matrix: {path} is not a file of an interrupted matrix (delete it, or name another file)"
            ) from None
        if (done.shape, done.dtype, values.shape, values.dtype) != (
            self.done.shape,
            self.done.dtype,
            self.values.shape,
            self.values.dtype,
        ):
            raise BadInputError(
                f"matrix: {path} is not a file of an interrupted matrix (delete it, or name another file)"
            )
        fresh = done & ~self.done
        self.done |= fresh
        self.values[fresh] = values[fresh]

    def mark(self, places: list[int]) -> None:
        """Notes finished rows, and writes them now and then."""
        self.done[places] = True
        if self.path is not None and time.monotonic() - self.written > SAVE_EVERY:
            self.write()

    def write(self) -> None:
        """Writes all finished rows to a temporary file and puts it in place."""
        if self.path is None:
            return
        self._take_over(self.path)
        stored = io.BytesIO()
        np.savez_compressed(
            stored, fingerprint=np.array(self.fingerprint), done=self.done, values=self.values
        )
        replace_file(self.path, stored.getvalue())
        self.seen = _state_of(self.path)
        self.written = time.monotonic()
