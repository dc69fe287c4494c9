"""The tiles of an atlas: worked out by the sweep, and written as Parquet files of their own."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mathhammer.compare.atlas import Part, Tile
from mathhammer.compare.atlas_situations import Situation
from mathhammer.compare.landed import VALUES
from mathhammer.compare.sweep import NO_WEAPON, USED, Sweep
from mathhammer.datasheets.asked import with_words
from mathhammer.errors import BadInputError, MathhammerError
from mathhammer.files import replace_file
from mathhammer.games.discovery import attacks_of
from mathhammer.games.weapon_choice import NoWeaponError
from mathhammer.units.unit import Unit

Array = NDArray[np.float64]
# Every column of a tile, and what it holds.
COLUMNS: dict[str, str] = {
    "attacker": "the attacking unit",
    "target": "the target",
    "situation": "the situation, by its name",
    "kind": "melee or ranged: what the attacker used; empty where it has no such weapon, or was refused",
    "damage": "mean damage: the pool after wards, overkill included, where damage pools; else wounds lost",
    "lost": "mean wounds that the target loses",
    "slain": "mean models slain",
    "p_destroyed": "chance that nothing of the target is left",
    "points_removed": "the target's points by the share of its wounds that it loses; empty without points",
}
ABOUT = b"mathhammer"  # where a tile keeps what it is about
EXTRA = "pip install 'mathhammer[dask]'"


def arrow() -> Any:
    """The library of the files; a sentence where it is not installed."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise BadInputError(f"atlas: needs pyarrow, which is not installed ({EXTRA})") from None
    return pyarrow


def write_tile(part: Part, tile: Tile, folder: str) -> str:
    """Works out a tile and puts its file in place, unless it is there already; gives its path."""
    path = Path(folder) / tile.path
    if tile_about(path, part, tile) is None:
        replace_file(path, tile_bytes(part, tile))
    return tile.path


def tile_about(path: Path, part: Part, tile: Tile) -> dict[str, Any] | None:
    """What a finished tile says of itself; None where it is not there, or not whole."""
    pyarrow = arrow()
    if not path.is_file():
        return None
    try:
        stored = pyarrow.parquet.read_metadata(path)
    except (pyarrow.ArrowException, OSError):
        return None
    about: dict[str, Any] = json.loads((stored.metadata or {}).get(ABOUT, b"{}"))
    rows = tile.rows(len(part.units))
    return about if stored.num_rows == rows and about.get("question") == part.question else None


def tile_bytes(part: Part, tile: Tile) -> bytes:
    """The file of a tile: one row for each attacker, situation and target, in this order."""
    pyarrow = arrow()
    attackers, situations = range(*tile.attackers), range(*tile.situations)
    shape = (len(attackers), len(situations), len(part.units))
    values = np.empty((*shape, len(VALUES) + 1))
    refused: list[tuple[str, str, str, str]] = []
    for row, attacker in enumerate(attackers):
        for column, situation in enumerate(situations):
            values[row, column], said = _row(part, attacker, situation)
            refused += [
                (part.names[attacker], target, part.situations[situation].name, why) for target, why in said
            ]
    places = np.indices(shape, dtype=np.int32).reshape(3, -1)
    names = [[part.names[place] for place in attackers], part.names]
    names.insert(2, [part.situations[place].name for place in situations])
    taken = (places[0], places[2], places[1])
    columns = [_named(pyarrow, place, known) for place, known in zip(taken, names, strict=True)]
    used = values[..., len(VALUES)].reshape(-1).astype(np.int32)
    empty = used == NO_WEAPON
    columns.append(_named(pyarrow, np.where(empty, 0, used + 1), ["", *USED]))
    for place in range(len(VALUES)):
        columns.append(pyarrow.array(values[..., place].reshape(-1).astype(np.float32), mask=empty))
    removed = values[..., VALUES.index("lost")] * _worth(part)
    columns.append(
        pyarrow.array(removed.reshape(-1).astype(np.float32), mask=empty | np.isnan(removed.reshape(-1)))
    )
    table = pyarrow.table(dict(zip(COLUMNS, columns, strict=True)))
    about = {"question": part.question, "refused": refused}
    table = table.replace_schema_metadata({ABOUT: json.dumps(about, ensure_ascii=False).encode()})
    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(table, sink, compression="zstd")
    return bytes(sink.getvalue())


def _named(pyarrow: Any, places: NDArray[Any], names: Sequence[str]) -> Any:
    return pyarrow.DictionaryArray.from_arrays(
        pyarrow.array(places, type=pyarrow.int32()), pyarrow.array(list(names), type=pyarrow.string())
    )


def _worth(part: Part) -> Array:
    """Points for each wound of every unit; not a number where it has no points."""
    return np.array([np.nan if u.points is None else u.points / u.health for u in part.units])


def _row(part: Part, place: int, situation: int) -> tuple[Array, list[tuple[str, str]]]:
    """The numbers of one attacker in one situation, and what was refused, with the reason: all targets as an
    empty name, or single ones.
    """
    empty = np.zeros((len(part.units), len(VALUES) + 1))
    empty[:, len(VALUES)] = NO_WEAPON
    asked = part.situations[situation]
    try:
        attacker = with_words(part.units[place], asked.buffs, "atlas")
    except MathhammerError as error:
        return empty, [("", str(error))]
    targets, wordless = _targets(part, asked)
    without: dict[int, str] = {}
    try:
        cells = replace(targets, how=dict(asked.how), refused=without).row(attacker)
        refused = _refused(part, without)
    except NoWeaponError:
        return empty, []
    except MathhammerError:  # of one target at least: each by itself
        cells, refused = _by_cells(part, asked, targets.targets, attacker)
    cells[wordless] = empty[wordless]
    return cells, refused


def _by_cells(
    part: Part, asked: Situation, targets: Sequence[Unit], attacker: Unit
) -> tuple[Array, list[tuple[str, str]]]:
    """A row in which something is refused: every target by itself."""
    cells = np.zeros((len(targets), len(VALUES) + 1))
    cells[:, len(VALUES)] = NO_WEAPON
    without: dict[int, str] = {}
    for place, target in enumerate(targets):
        try:
            alone = Sweep.of([target], compiled=_compiled(part.system), **asked.how)
            cells[place] = alone.row(attacker)[0]
        except MathhammerError as error:
            without[place] = str(error)
    if len(without) == len(targets) and len(set(without.values())) == 1:
        return cells, [("", without[0])]
    return cells, _refused(part, without)


def _refused(part: Part, without: Mapping[int, str]) -> list[tuple[str, str]]:
    return [(part.names[place], why) for place, why in sorted(without.items())]


def _compiled(system: str) -> bool:
    """Always the same for a game, so that numbers do not depend on the size of a tile."""
    return attacks_of(system).views is not None


_KNOWN: dict[tuple[object, ...], tuple[Sweep, list[int]]] = {}  # in this process
MOST_KNOWN = 16
SEEN = ("use", "friends", "target_friends")  # what of a situation decides which targets are alike


def _targets(part: Part, asked: Situation) -> tuple[Sweep, list[int]]:
    """The targets of a part, sorted once for all situations that change nothing about them, and those that do
    not take the words of the situation.
    """
    words, how = asked.target_buffs, {key: asked.how[key] for key in SEEN if key in asked.how}
    key = (part.question, words, repr(sorted(how.items())))
    if key not in _KNOWN:
        if len(_KNOWN) >= MOST_KNOWN:
            _KNOWN.clear()
        wordless = [place for place, unit in enumerate(part.units) if words and refusal(unit, words)]
        targets = [
            unit if place in wordless else with_words(unit, words, "atlas")
            for place, unit in enumerate(part.units)
        ]
        _KNOWN[key] = Sweep.of(targets, compiled=_compiled(part.system), **how), wordless
    return _KNOWN[key]


def refusal(unit: Unit, words: Sequence[str]) -> str:
    """Why a unit does not take some words; empty where it does."""
    try:
        with_words(unit, words, "atlas")
    except MathhammerError as error:
        return str(error)
    return ""
