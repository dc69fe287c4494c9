"""Folders of vectors: every case of every file, whatever game it is for. A file that cannot be read is a case that fails."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from mathhammer.games.discovery import game_keys

HEAD = set(
    "schema schema_version system game title source ruleset tolerance_abs faces_note options_default".split()
)
LISTS = ("cases", "aux_cases")


class NoVectorsError(Exception):
    """A folder without a case; the text says why."""


@dataclass(frozen=True, slots=True)
class Case:
    """A case of a file: its game, its content, and why it cannot be asked, if it cannot."""

    id: str
    game: str = ""
    data: dict[str, Any] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)  # the file's `options_default`
    fault: str = ""

    @property
    def rules(self) -> tuple[str, ...]:
        """The ids of the rules that it exercises."""
        return tuple(self.data.get("rules", self.data.get("rule_ids", ())))


@cache
def cases_of(folder: Path, known: Collection[str] = game_keys()) -> tuple[Case, ...]:
    """All cases of a folder; an error if it does not exist or holds no case."""
    if not folder.is_dir():
        raise NoVectorsError(f"--vectors {folder}: no such folder")
    files = sorted(folder.glob("*.json"))
    if not files:
        raise NoVectorsError(f"--vectors {folder}: no vectors in it (files such as aos4.json)")
    cases = tuple(case for file in files for case in _cases_in(file, known))
    if all(case.fault for case in cases):
        raise NoVectorsError(f"--vectors {folder}: no case in it ({'; '.join(case.fault for case in cases)})")
    return cases


def _cases_in(file: Path, known: Collection[str]) -> Iterator[Case]:
    """The cases of a file; one that fails where it is not a file of vectors for a game that is here."""
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except (ValueError, OSError) as error:
        yield Case(file.name, fault=f"{file.name}: not JSON ({error})")
        return
    fault = _fault_of(file, content, known)
    if fault:
        yield Case(file.name, fault=f"{file.name}: {fault}")
        return
    for part in LISTS:
        for place, data in enumerate(content.get(part, []), 1):
            if isinstance(data, dict) and isinstance(data.get("id"), str):
                yield Case(data["id"], _game_of(file, content), data, content.get("options_default", {}))
            else:
                name = f"{file.name} {part} {place}"
                yield Case(name, fault=f"{name}: not a case with an id")


def _fault_of(file: Path, content: Any, known: Collection[str]) -> str:
    if not isinstance(content, dict):
        return "not a file of vectors (it needs a list `cases`)"
    if unknown := sorted(set(content) - HEAD - set(LISTS)):
        return f"unknown entries {unknown} (known: {sorted([*HEAD, *LISTS])})"
    if not all(isinstance(content.get(part, []), list) for part in LISTS):
        return "`cases` and `aux_cases` are lists"
    if not any(content.get(part) for part in LISTS):
        return "no case in it"
    game = _game_of(file, content)
    return "" if game in known else f"no game {game!r} here (known: {', '.join(known)})"


def _game_of(file: Path, content: dict[str, Any]) -> str:
    return str(content.get("system", content.get("game", file.stem)))
