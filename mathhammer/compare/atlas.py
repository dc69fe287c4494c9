"""What an atlas is asked: games or folders of datasheets, all units against all units, in situations."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from mathhammer._version import __version__
from mathhammer.compare.atlas_situations import Situation, fitted
from mathhammer.compare.checkpoint import fingerprint
from mathhammer.dataclass import dataclass
from mathhammer.datasheets.library import TARGETS, Sheet, read_sheets, sheets
from mathhammer.errors import BadInputError, MathhammerError, did_you_mean
from mathhammer.games.discovery import attacks_of, game_keys, get_game
from mathhammer.units.unit import Unit

SCHEMA = "mathhammer-atlas/1"
ATTACKERS_EACH = 16  # of a tile, where the situations are few
MOST_ROWS = 400_000  # of a tile: what a worker holds in memory at a time


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One game of an atlas: its units under names that tell them apart, the factions of each, its situations,
    the files that they are from with their hashes, and the units that cannot be read, with the reason.
    """

    system: str
    units: tuple[Unit, ...]
    names: tuple[str, ...]
    factions: tuple[tuple[str, ...], ...]
    situations: tuple[Situation, ...]
    sources: tuple[tuple[str, str], ...]
    unread: tuple[tuple[str, str], ...] = ()
    question: str = ""  # what tells it from every other question, in every process the same

    def named(self) -> Part:
        """The same with what tells it from other questions, worked out once."""
        asked = [(one.name, one.how, one.buffs, one.target_buffs) for one in self.situations]
        about = {"asked": asked, "names": self.names, "version": __version__, "sources": self.sources}
        return replace(self, question=fingerprint(self.units, (), about))


@dataclass(frozen=True, slots=True)
class Tile:
    """A piece of an atlas in a file of its own: some attackers against all units, in some situations."""

    part: int
    path: str
    attackers: tuple[int, int]  # the first, and the first that is not in it
    situations: tuple[int, int]

    def rows(self, units: int) -> int:
        """How many rows it has."""
        return (self.attackers[1] - self.attackers[0]) * (self.situations[1] - self.situations[0]) * units


def parts_of(
    asked: Sequence[str | Path], situations: Sequence[Mapping[str, Any]], own: str | Path | None = None
) -> tuple[Part, ...]:
    """The games that are asked for by key or by a folder of datasheets, each with its situations.

    >>> [part] = parts_of(["aos1"], [{"name": "charge", "situation": "charged"}])
    >>> part.system, len(part.units) == len(set(part.names)), part.situations[0].how
    ('aos1', True, {'situation': ('charged',)})
    """
    if not asked:
        raise BadInputError("atlas: nothing to compare (give a game, or a folder of datasheets)")
    by_game: dict[str, list[Sheet]] = {}
    for one in asked:
        for key, found in _sheets_asked(one, own):
            by_game.setdefault(key, []).extend(found)
    _all_used(situations, by_game)
    return tuple(_part(key, found, situations, own) for key, found in by_game.items())


def _sheets_asked(asked: str | Path, own: str | Path | None) -> Iterator[tuple[str, list[Sheet]]]:
    """The sheets of a game, or those of a folder for each of its games."""
    if isinstance(asked, str) and asked in game_keys():
        attacks_of(asked, "atlas")
        yield asked, [sheet for sheet in sheets(asked, own) if sheet.path.name != TARGETS]
        return
    folder = Path(asked)
    if not folder.is_dir():
        raise BadInputError(
            f"atlas: {str(asked)!r} is neither a game nor a folder{did_you_mean(str(asked), game_keys())}"
        )
    games = [key for key in game_keys() if get_game(key).attacks is not None]
    inside = {key: folder / key for key in games if (folder / key).is_dir()}
    if folder.name in games and not inside:
        inside = {folder.name: folder}
    found = {key: _sheets_in(path, key) for key, path in inside.items()}
    if not any(found.values()):
        raise BadInputError(
            f"atlas: {folder} holds no units (give the folder that mathhammer import wrote, "
            f"with {'/*.toml, '.join(games)}/*.toml)"
        )
    yield from ((key, listed) for key, listed in found.items() if listed)


def _sheets_in(folder: Path, key: str) -> list[Sheet]:
    paths = [path for path in sorted(folder.glob("*.toml")) if path.name != TARGETS]
    return [sheet for path in paths for sheet in read_sheets(path, key)]


def _all_used(situations: Sequence[Mapping[str, Any]], games: Iterable[str]) -> None:
    """Refuses a situation for a game that is not asked for."""
    for one in situations:
        system = one.get("system")
        if system is not None and system not in games:
            raise BadInputError(
                f"atlas: situation {one.get('name')!r} is for {system!r}, which is not asked for"
                f"{did_you_mean(str(system), games)}"
            )


def _part(
    key: str, found: Sequence[Sheet], situations: Sequence[Mapping[str, Any]], own: str | Path | None
) -> Part:
    kept, unread = _read(_winning(found))
    if not kept:
        raise BadInputError(f"atlas: {key} has no units (give other datasheets)")
    units = tuple(unit for unit, _ in kept)
    asked = [one for one in situations if one.get("system") in (None, key)] or [{"name": "plain"}]
    if not situations:
        asked = [{"name": "plain"}]
    part = Part(
        key,
        units,
        tuple(_told_apart(kept)),
        tuple(factions for _, factions in kept),
        tuple(fitted(one, key, units, own) for one in asked),
        _hashes({sheet.path: None for sheet in found}, key),
        unread,
    )
    return part.named()


def _winning(found: Sequence[Sheet]) -> list[Sheet]:
    """Without the shipped sheets of units that stand in one's own datasheets."""
    first: dict[str, Path] = {}
    for sheet in found:
        first.setdefault(sheet.name.casefold(), sheet.path.parent)
    return [sheet for sheet in found if first[sheet.name.casefold()] == sheet.path.parent]


def _read(
    found: Sequence[Sheet],
) -> tuple[list[tuple[Unit, tuple[str, ...]]], tuple[tuple[str, str], ...]]:
    """The units with their factions, each unit once however many files have it, and what cannot be read.

    A copy without points, as bundles have them, is the unit with points if all else is the same.
    """
    alike: dict[Unit, dict[tuple[Any, ...], tuple[Unit, dict[str, None]]]] = {}
    unread: list[tuple[str, str]] = []
    for sheet in found:
        try:
            unit = sheet.unit()
        except MathhammerError as error:
            unread.append((sheet.name, str(error)))
            continue
        prices = alike.setdefault(replace(unit, points=None, prices=()), {})
        prices.setdefault((unit.points, unit.prices), (unit, {}))[1][sheet.faction] = None
    kept: list[tuple[Unit, tuple[str, ...]]] = []
    for prices in alike.values():
        priced = {price: one for price, one in prices.items() if price[0] is not None} or prices
        extra = [faction for price, one in prices.items() if price not in priced for faction in one[1]]
        for number, (unit, factions) in enumerate(priced.values()):
            more = extra if number == 0 else []
            kept.append((unit, tuple(dict.fromkeys((*factions, *more)))))
    return kept, tuple(unread)


def _told_apart(kept: Sequence[tuple[Unit, tuple[str, ...]]]) -> Iterator[str]:
    """A name for each unit: with its faction, or a number, where several have the same."""
    plain = [unit.name for unit, _ in kept]
    often = Counter(plain)
    longer = [
        name if often[name] == 1 else f"{name} ({factions[0]})"
        for name, (_, factions) in zip(plain, kept, strict=True)
    ]
    seen: dict[str, int] = {}
    for name in longer:
        seen[name] = seen.get(name, 0) + 1
        yield name if seen[name] == 1 else f"{name} #{seen[name]}"


def _hashes(paths: Iterable[Path], key: str) -> tuple[tuple[str, str], ...]:
    return tuple((f"{key}/{path.name}", hashlib.sha256(path.read_bytes()).hexdigest()) for path in paths)


def tiles_of(parts: Sequence[Part]) -> tuple[Tile, ...]:
    """The tiles of an atlas, in order: as many attackers and situations to each as memory allows.

    >>> from mathhammer import load_unit
    >>> units = (load_unit("Liberators", "aos4"),) * 20
    >>> part = Part("aos4", units, tuple(map(str, range(20))), ((),) * 20, (Situation("plain"),), ())
    >>> [(tile.path, tile.attackers) for tile in tiles_of([part])]
    [('aos4-00000.parquet', (0, 16)), ('aos4-00001.parquet', (16, 20))]
    """
    tiles: list[Tile] = []
    for place, part in enumerate(parts):
        number = 0
        units, situations = len(part.units), len(part.situations)
        together = max(1, min(situations, MOST_ROWS // units))
        each = max(1, min(ATTACKERS_EACH, MOST_ROWS // (units * together)))
        for first in range(0, units, each):
            for begin in range(0, situations, together):
                some = (first, min(first + each, units))
                when = (begin, min(begin + together, situations))
                tiles.append(Tile(place, f"{part.system}-{number:05}.parquet", some, when))
                number += 1
    return tuple(tiles)
