"""Files that are replaced whole: never half a file, and the old one stays when something goes wrong."""

from __future__ import annotations

import os
from pathlib import Path

from mathhammer.errors import BadInputError


def replace_file(path: str | Path, data: bytes) -> None:
    """Writes a temporary file beside `path` and puts it in its place.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     replace_file(f"{folder}/note.txt", b"kept")
    ...     Path(folder, "note.txt").read_text(), len(os.listdir(folder))
    ('kept', 1)
    """
    import tempfile  # only when something is written: it costs milliseconds at every start

    target = Path(path)
    if target.is_dir() or not target.parent.is_dir():
        raise BadInputError(f"{path}: cannot be written (give a file in a folder that exists)")
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, 0o644)
        os.replace(temporary, target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
