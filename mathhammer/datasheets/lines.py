"""Where in a file a fault stands: the file's name, and the line if it is known."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from pathlib import Path

from mathhammer.datasheets.values import Fault

Keys = tuple[str | int, ...]


def placed(fault: Fault, path: Path, text: str) -> Fault:
    """The fault with the file in front, and with the line if it is known."""
    line = line_of(text, fault.path)
    place = shown(path) if line is None else f"{shown(path)}:{line}"
    return Fault(f"{place}, {fault.where}", fault.what, fault.path)


def shown(path: Path) -> str:
    """A file as a message names it: below `datasheets/`, or as it was given."""
    parts = path.parts
    if "_datasheets" in parts or "datasheets" in parts:
        start = max(index for index, part in enumerate(parts) if part in ("_datasheets", "datasheets"))
        return "/".join(("datasheets", *parts[start + 1 :]))
    return str(path)


def line_of(text: str, path: Keys) -> int | None:
    """The line of valid TOML on which a value stands, or the table that should hold it; None: not known.

    >>> line_of('system = "aos4"\\n[[unit]]\\nname = "A"\\nweapon = [{ hit = 3 },\\n  { hit = 1 }]',
    ...         ("unit", 0, "weapon", 1, "hit"))
    5
    """
    lines = _lines(text)
    return next((lines[path[:size]] for size in range(len(path), 0, -1) if path[:size] in lines), None)


@lru_cache(maxsize=4)
def _lines(text: str) -> dict[Keys, int]:
    scanner = _Scanner(text.replace("\r\n", "\n"))
    scanner.document()
    return scanner.lines


_BLANK = re.compile(r"(?:[ \t\n]|#[^\n]*)*")  # between two things, wherever lines may end
_BARE_KEY = re.compile(r"[\w-]+")
_BARE_VALUE = re.compile(r"[^,\]}#\n]+")
_STRING = re.compile(
    r'"""(?:\\.|[^\\])*?"""+' r"|'''.*?'''+" r'|"(?:\\.|[^"\\])*"' r"|'[^']*'", flags=re.DOTALL
)


class _Scanner:
    """Goes through a document that is known to be valid, and notes where each table, key and item begins."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.starts = [0, *(found.end() for found in re.finditer("\n", text))]
        self.lines: dict[Keys, int] = {}
        self.last: dict[Keys, int] = {}  # array of tables -> the number of its last one

    def document(self) -> None:
        """Headers and pairs to the end."""
        here: Keys = ()
        while self.blank() < len(self.text):
            if self.text[self.at] == "[":
                here = self.header()
            else:
                self.pair(here)

    def blank(self) -> int:
        """Skips spaces, ends of lines and comments."""
        match = _BLANK.match(self.text, self.at)
        self.at = self.at if match is None else match.end()
        return self.at

    def note(self, path: Keys, at: int) -> None:
        """A table that is opened a second time, by a dotted key or a deeper header, stays where it began."""
        self.lines.setdefault(path, bisect_right(self.starts, at))

    def header(self) -> Keys:
        """`[a.b]` or `[[a.b]]`: the table that it opens."""
        begin = self.at
        array = self.text.startswith("[[", begin)
        self.at += 2 if array else 1
        keys = self.keys()
        self.blank()
        self.at += 2 if array else 1
        path: Keys = ()
        for key in keys[:-1]:
            path = (*path, key)
            self.note(path, begin)
            path = (*path, self.last[path]) if path in self.last else path
        path = (*path, keys[-1])
        self.note(path, begin)
        if array:
            self.last[path] = self.last.get(path, -1) + 1
            path = (*path, self.last[path])
            self.note(path, begin)
        return path

    def keys(self) -> list[str]:
        """A key, or several with dots between them."""
        keys = []
        while True:
            self.blank()
            if self.text[self.at] in "\"'":
                keys.append(self.string()[1:-1])
            else:
                match = _BARE_KEY.match(self.text, self.at)
                assert match is not None, "valid TOML has a key here"
                keys.append(match[0])
                self.at = match.end()
            if self.text[self.blank()] != ".":
                return keys
            self.at += 1

    def pair(self, here: Keys) -> None:
        """`key = value` in a table."""
        begin = self.at
        path = here
        for key in self.keys():
            path = (*path, key)
            self.note(path, begin)
        self.at += 1  # the equals sign
        self.value(path)

    def value(self, path: Keys) -> None:
        """A value, and all that it holds."""
        opening = self.text[self.blank()]
        if opening in "\"'":
            self.string()
        elif opening in "[{":
            self.at += 1
            number = 0
            while self.text[self.blank()] not in "]}":
                if opening == "{":
                    self.pair(path)
                else:
                    self.note((*path, number), self.at)
                    self.value((*path, number))
                    number += 1
                if self.text[self.blank()] == ",":
                    self.at += 1
            self.at += 1
        else:
            match = _BARE_VALUE.match(self.text, self.at)
            assert match is not None, "valid TOML has a value here"
            self.at = match.end()

    def string(self) -> str:
        """A text in quotes of any kind, as it is written."""
        match = _STRING.match(self.text, self.at)
        assert match is not None, "valid TOML has a text here"
        self.at = match.end()
        return match[0]
