"""Runs commands and tells what each did to the world: `python audited.py '[["compare", "Liberators"], ["units"]]'`.

Python reports every file that is opened for writing, made, renamed or removed, and every socket, whoever asks for it. Sockets are
refused on the spot. The last line on stdout is JSON, for each command: the exit code, the paths that were touched, the sockets that
were wanted, and the files that were read.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

TOUCHING = {
    "os.mkdir": 1,
    "os.rename": 2,
    "os.remove": 1,
    "os.rmdir": 1,
    "os.link": 2,
    "os.symlink": 2,
    "os.truncate": 1,
    "os.chmod": 1,
}
touched: set[str] = set()
wanted: set[str] = set()
opened: set[str] = set()
watching = False


def hook(event: str, given: tuple[Any, ...]) -> None:
    """What Python calls before it does something."""
    if not watching:
        return
    if event.startswith("socket.") or event in ("urllib.Request", "http.client.connect"):
        wanted.add(event)
        raise PermissionError(f"{event} is not allowed here")
    if event == "open" and isinstance(given[0], (str, bytes, os.PathLike)):
        path, _, flags = given
        writing = flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
        (touched if writing else opened).add(os.path.abspath(os.fsdecode(path)))
    for path in given[: TOUCHING.get(event, 0)]:
        if isinstance(path, (str, bytes, os.PathLike)):
            touched.add(os.path.abspath(os.fsdecode(path)))


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    from mathhammer.cli import main

    sys.addaudithook(hook)
    told = []
    for words in json.loads(sys.argv[1]):
        watching = True
        code = main(words)
        watching = False
        told.append(
            {"code": code, "touched": sorted(touched), "wanted": sorted(wanted), "opened": sorted(opened)}
        )
        for seen in (touched, wanted, opened):
            seen.clear()
    print()
    print(json.dumps(told))
