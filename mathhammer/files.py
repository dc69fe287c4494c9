"""Files: TOML is read with a sentence for what is wrong; what is written is replaced whole, never half a
file, and the old ones stay when something goes wrong.
"""

from __future__ import annotations

import os
import stat
import time
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from mathhammer.errors import BadInputError

PART = ".part"  # how the name of a temporary file ends
STALE_AFTER = 600.0  # seconds after which a temporary file is nobody's: whoever wrote it was killed


def parse_toml(text: str, where: str | Path) -> dict[str, Any]:
    """The tables of a TOML file, or a sentence with the file's name.

    >>> parse_toml("health = 2", "own.toml")
    {'health': 2}
    >>> parse_toml("health = ", "own.toml")
    Traceback (most recent call last):
    mathhammer.errors.BadInputError: own.toml: not TOML: Invalid value (at end of document)
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInputError(f"{where}: not TOML: {error}") from None
    except RecursionError:
        raise BadInputError(f"{where}: nested too deeply") from None
    except ValueError:  # what Python itself refuses to read: thousands of digits
        raise BadInputError(f"{where}: a number in it is too long") from None


def replace_file(path: str | Path, data: bytes) -> None:
    """Writes a temporary file beside `path` and puts it in its place.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     replace_file(f"{folder}/note.txt", b"kept")
    ...     Path(folder, "note.txt").read_text(), len(os.listdir(folder))
    ('kept', 1)
    """
    replace_files({Path(path): data})


def make_folder(path: str | Path) -> None:
    """A new folder, with those above it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     make_folder(f"{folder}/new/one")
    ...     Path(folder, "new", "one").is_dir()
    True
    """
    with _sentence(Path(path)):
        Path(path).mkdir(parents=True, exist_ok=True)


def replace_files(files: Mapping[Path, bytes]) -> None:
    """Several files in one go: all are written beside their places before the first is put there.

    On any failure or interruption the old ones come back. A killed process leaves each file either old or
    new, and whole.
    """
    waiting: list[tuple[Path, Path, Path]] = []  # as it was given, the temporary file, its place
    undo: list[tuple[Path | None, Path]] = []  # the old file under another name, its place
    try:
        for path, data in files.items():
            with _sentence(path):
                target = _place(path)
                if target is None:  # a device or a pipe has no old state to keep
                    path.write_bytes(data)
                    continue
                _remove_forsaken(target)
                waiting.append((path, _beside(target), target))
                _write(waiting[-1][1], data, target)
        for path, part, target in waiting:
            with _sentence(path):
                if len(waiting) > 1:  # a single one is either there or not
                    undo.append((_second_name(target) if target.exists() else None, target))
                os.replace(part, target)
    except BaseException:
        _put_back(undo, {target for _, part, target in waiting if not part.exists()})
        raise
    finally:
        for leftover in [*(part for _, part, _ in waiting), *(old for old, _ in undo if old is not None)]:
            with suppress(OSError):  # already in its place, or never made
                leftover.unlink()


@contextmanager
def _sentence(path: Path) -> Iterator[None]:
    """What the system says about a file, as one sentence."""
    try:
        yield
    except BadInputError:
        raise
    except OSError as error:
        raise BadInputError(
            f"{path}: cannot be written ({error.strerror or error}; nothing was changed)"
        ) from None
    except ValueError:
        raise BadInputError(f"{str(path)!r}: cannot be written (no file can have that name)") from None


def _place(path: Path) -> Path | None:
    """Where the file is in the end, behind all links; None for what is not a file, such as a
    device or a pipe.
    """
    try:
        mode = os.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        mode = stat.S_IFREG
    target = Path(os.path.realpath(path))
    if stat.S_ISDIR(mode) or (stat.S_ISREG(mode) and not target.parent.is_dir()):
        raise BadInputError(f"{path}: cannot be written (give a file in a folder that exists)")
    return target if stat.S_ISREG(mode) else None


def _beside(target: Path) -> Path:
    """A new hidden name in the same folder, short enough for every file system."""
    return target.with_name(f"{_start(target)}{os.urandom(6).hex()}{PART}")


def _start(target: Path) -> str:
    return f".{target.name[:40]}."


def _write(part: Path, data: bytes, target: Path) -> None:
    """A new file on the disk itself, with the rights of the one that it will replace."""
    with open(
        os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666), "wb"
    ) as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    if target.exists():
        part.chmod(stat.S_IMODE(target.stat().st_mode))


def _second_name(target: Path) -> Path:
    """The old file under a second name: a link, or a copy where the file system knows none."""
    old = _beside(target)
    try:
        os.link(target, old)
    except OSError:
        old.write_bytes(target.read_bytes())
    return old


def _put_back(undo: list[tuple[Path | None, Path]], replaced: set[Path]) -> None:
    for old, target in undo:
        if target in replaced and old is not None:
            os.replace(old, target)
        elif target in replaced:
            target.unlink(missing_ok=True)


def _remove_forsaken(target: Path) -> None:
    """Removes what killed processes left beside a file; a temporary file of a living one is seconds old."""
    with suppress(OSError):  # another process was faster, or the folder may not be listed
        for path in target.parent.iterdir():
            if path.name.startswith(_start(target)) and path.name.endswith(PART):
                about = path.stat()
                if time.time() - max(about.st_mtime, about.st_ctime) > STALE_AFTER:
                    path.unlink()
