"""Runs a command again and again, each time in a process of its own that is struck by a signal one moment later.

    python killing.py SIGNAL MOMENTS TEMPLATE FOLDER WORD...

A moment is just before or just after one of the calls by which files come to be; with a number for MOMENTS instead of `calls`, so
many runs are struck at random times. The folder TEMPLATE is copied to FOLDER/0, FOLDER/1
and so on; `{}` in a word is that copy. It ends with the first run that nothing struck, and prints how each run ended, as JSON.
One undisturbed run in FOLDER/first comes before, and the others are forked from it, so that each takes milliseconds; every run is a
real process that is really killed.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mathhammer.cli import main
from mathhammer.compare import checkpoint, matrix

CALLS = ("open", "fsync", "chmod", "link", "replace", "unlink", "mkdir")


def strike(moment: int, number: int) -> None:
    """From now on the process is struck at that moment."""
    left = [moment]

    def struck_around(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            for after in (False, True):
                answer = real(*given, **named) if after else None
                left[0] -= 1
                if left[0] == -1:
                    os.kill(os.getpid(), number)
            return answer

        return call

    for name in CALLS:
        setattr(os, name, struck_around(getattr(os, name)))


def run(number: int, moments: int | None, template: Path, folder: Path, words: list[str]) -> list[int]:
    """How each run ended: the exit code, or minus the signal; the last one was not struck."""
    checkpoint.SAVE_EVERY, matrix.PIECE = -1.0, 1  # every row is written at once
    os.fsync = lambda _: None  # the machine stays on: a moment, but no waiting for the disk
    shutil.copytree(template, folder / "first")
    os.chdir(folder / "first")
    began = time.monotonic()
    for _ in range(2):  # from here on everything is loaded and warm; the second run says how long one takes
        began = time.monotonic()
        if main([word.replace("{}", str(folder / "first")) for word in words]) != 0:
            return []
    each = time.monotonic() - began
    ended: list[int] = []
    chance = random.Random(1)
    struck = True
    while struck:
        place = folder / str(len(ended))
        shutil.copytree(template, place)
        last = moments is not None and len(ended) == moments
        pid = os.fork()
        if pid == 0:
            os.chdir(place)
            if moments is None:
                strike(len(ended), number)
            code = main([word.replace("{}", str(place)) for word in words])
            os._exit(code)
        if moments is not None and not last:
            time.sleep(chance.uniform(0.0, each))
            os.kill(pid, number)  # one that has ended by itself waits to be asked how
        ended.append(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
        struck = ended[-1] != 0 if moments is None else not last
    return ended


if __name__ == "__main__":
    every = None if sys.argv[2] == "calls" else int(sys.argv[2])
    print(
        json.dumps(
            run(signal.Signals[sys.argv[1]], every, Path(sys.argv[3]), Path(sys.argv[4]), sys.argv[5:])
        )
    )
