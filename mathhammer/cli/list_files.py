"""Army lists that a command is given: files, or stdin; what is wrong with them goes to stderr."""

from __future__ import annotations

import sys
from pathlib import Path

from mathhammer.battlescribe.tree import MOST_BYTES
from mathhammer.cli.output import remark
from mathhammer.lists.loading import LoadedList, load_list, load_lists

Datasheets = str | Path | None


def open_lists(file: str, datasheets: Datasheets) -> tuple[LoadedList, ...]:
    """All lists of a file, or of stdin for `-`."""
    return tuple(with_remarks(one) for one in load_lists(_given(file), datasheets=datasheets))


def open_list(file: str, datasheets: Datasheets, *, one_of_two: bool = False) -> LoadedList:
    """The list of a file, or of stdin for `-`; one of two says whose remarks these are."""
    return with_remarks(load_list(_given(file), datasheets=datasheets), one_of_two=one_of_two)


def with_remarks(one: LoadedList, *, one_of_two: bool = False) -> LoadedList:
    """The list, after its remarks went to stderr."""
    for line in one.remarks:
        remark(f"{one.name}: {line}" if one_of_two else line)
    return one


def _given(file: str) -> str | bytes:
    return sys.stdin.buffer.read(MOST_BYTES + 1) if file == "-" else file
