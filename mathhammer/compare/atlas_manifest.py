"""The manifest of an atlas: its question, its tiles, and what could not be computed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mathhammer._version import __version__
from mathhammer.compare.atlas import SCHEMA, Part, Tile
from mathhammer.compare.atlas_tiles import COLUMNS, refusal, tile_about
from mathhammer.compare.checkpoint import stable
from mathhammer.errors import BadInputError
from mathhammer.files import PART, make_folder, replace_file
from mathhammer.games import discovery
from mathhammer.games.discovery import get_game
from mathhammer.games.weapon_choice import kinds_of

MANIFEST = "manifest.json"


def begin(folder: Path, parts: Sequence[Part], tiles: Sequence[Tile]) -> Path:
    """The full path of an atlas with its manifest: a new folder, or the one of the same question."""
    if not folder.exists():
        make_folder(folder)
    if not folder.is_dir():
        raise BadInputError(f"atlas: {folder} is not a folder (name another one)")
    path = folder / MANIFEST
    if path.exists():
        if _read(path).get("question") != question_of(parts):
            raise BadInputError(
                f"atlas: {folder} holds the atlas of another question, or of other datasheets (name another "
                "folder, or delete it)"
            )
        return folder.resolve()
    if any(not entry.name.endswith(PART) for entry in folder.iterdir()):
        raise BadInputError(f"atlas: {folder} holds other files (name a new folder)")
    _write(path, _document(parts, tiles) | {"complete": False})
    return folder.resolve()


def finish(folder: Path, parts: Sequence[Part], tiles: Sequence[Tile]) -> dict[str, Any]:
    """Writes into the manifest that all is there, and what could not be computed, as the tiles say."""
    refused: list[Any] = []
    for tile in tiles:
        about = tile_about(folder / tile.path, parts[tile.part], tile)
        if about is None:
            raise BadInputError(f"atlas: {folder / tile.path} is gone (the same command works it out again)")
        system = parts[tile.part].system
        keys = ("attacker", "target", "situation", "reason")
        refused += [{"system": system} | dict(zip(keys, one, strict=True)) for one in about["refused"]]
    document = _document(parts, tiles)
    document["refused"] += refused
    document["complete"] = True
    _write(folder / MANIFEST, document)
    return _read(folder / MANIFEST)


def question_of(parts: Sequence[Part]) -> str:
    """What tells the question of an atlas from every other one."""
    return hashlib.sha256(" ".join(part.question for part in parts).encode()).hexdigest()


def _read(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        content = None
    if not isinstance(content, dict) or content.get("schema") != SCHEMA:
        raise BadInputError(f"atlas: {path} is not the manifest of an atlas (name another folder)")
    return content


def _write(path: Path, document: dict[str, Any]) -> None:
    text = json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False)
    replace_file(path, (text + "\n").encode())


def _document(parts: Sequence[Part], tiles: Sequence[Tile]) -> dict[str, Any]:
    """The whole manifest, as far as it is known before the first fight."""
    return {
        "schema": SCHEMA,
        "mathhammer": __version__,
        "question": question_of(parts),
        "method": "exact",
        "seed": None,
        "cells": sum(len(part.units) ** 2 * len(part.situations) for part in parts),
        "columns": dict(COLUMNS),
        "games": [_game(part) for part in parts],
        "tiles": [_tile(tile, parts[tile.part]) for tile in tiles],
        "refused": [one for part in parts for one in _wordless(part)],
    }


def _game(part: Part) -> dict[str, Any]:
    units = zip(part.names, part.units, part.factions, strict=True)
    return {
        "system": part.system,
        "title": get_game(part.system).title,
        "rules": rules_version(part.system),
        "datasheets": dict(part.sources),
        "situations": [_situation(one) for one in part.situations],
        "units": [
            {
                "name": name,
                "factions": list(factions),
                "models": unit.models,
                "health": unit.health,
                "points": unit.points,
                "kinds": list(kinds_of(unit)),
                "not_covered": list(unit.not_covered),
            }
            for name, unit, factions in units
        ],
        "no_weapon": [name for name, unit in zip(part.names, part.units, strict=True) if not kinds_of(unit)],
        "unread": [{"unit": name, "reason": reason} for name, reason in part.unread],
    }


def rules_version(system: str) -> str:
    """The hash of the list of rules of a game, which changes with them."""
    path = Path(discovery.__file__).parent / system / "rules.toml"
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _situation(one: Any) -> dict[str, Any]:
    how = {
        key: [unit.name for unit in value] if key in ("friends", "target_friends") else stable(value)
        for key, value in one.how.items()
    }
    more = {"buffs": list(one.buffs), "target_buffs": list(one.target_buffs)}
    return {"name": one.name} | how | {key: words for key, words in more.items() if words}


def _tile(tile: Tile, part: Part) -> dict[str, Any]:
    return {
        "path": tile.path,
        "system": part.system,
        "attackers": list(tile.attackers),
        "situations": list(tile.situations),
        "rows": tile.rows(len(part.units)),
    }


def _wordless(part: Part) -> list[dict[str, str]]:
    """The targets that do not take the words of a situation."""
    return [
        {"system": part.system, "attacker": "", "target": name, "situation": one.name, "reason": why}
        for one in part.situations
        if one.target_buffs
        for name, unit in zip(part.names, part.units, strict=True)
        if (why := refusal(unit, one.target_buffs))
    ]
