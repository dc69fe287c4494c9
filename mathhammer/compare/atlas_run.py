"""The work on an atlas: tiles handed out to any executor, finished ones found, lost ones handed out again."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

from mathhammer.checks import check_threads
from mathhammer.compare.atlas import Part, Tile, parts_of, tiles_of
from mathhammer.compare.atlas_manifest import begin, finish
from mathhammer.compare.atlas_situations import check_situations, read_situations
from mathhammer.compare.atlas_tiles import arrow, tile_about, write_tile
from mathhammer.compare.matrix import cores_here, own_process, start_method
from mathhammer.dataclass import dataclass
from mathhammer.errors import BadInputError

Progress = Callable[[int, int], None]
TRIES = 3  # how often a tile is handed out when its worker is lost each time
IN_FLIGHT = 4  # tiles handed out for each worker, so that memory stays bounded
KINDS = ("processes", "dask")


@dataclass(frozen=True, slots=True)
class Atlas:
    """A finished atlas: its folder, and what its manifest says.

    >>> Atlas(Path("atlas"), {"cells": 4, "tiles": [{}, {}]})
    Atlas(atlas: 4 fights in 2 tiles)
    """

    folder: Path
    manifest: Mapping[str, Any]

    def __repr__(self) -> str:
        return f"Atlas({self.folder}: {self.manifest['cells']} fights in {len(self.manifest['tiles'])} tiles)"

    @property
    def tiles(self) -> list[Path]:
        """The Parquet files, in order."""
        return [self.folder / tile["path"] for tile in self.manifest["tiles"]]


def atlas(
    what: str | Path | Sequence[str | Path],
    folder: str | Path,
    *,
    situations: str | Path | Sequence[Mapping[str, Any]] | None = None,
    executor: Executor | str | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
    datasheets: str | Path | None = None,
    progress: Progress | None = None,
) -> Atlas:
    """All units against all units, in every situation, as Parquet files in a folder with a manifest.

    `what` is a game, or a folder of datasheets, or several of them; `situations` a TOML file with one
    `[[situation]]` each, or a list of the same mappings; left out, one plain situation. The work goes to
    `workers` processes (default: one for each core), to dask (`executor="dask"`, with `scheduler` the address
    of a cluster that runs), or to any `concurrent.futures.Executor`; all workers write to the folder.
    Finished tiles are found again, so that the same call goes on where a killed one stopped.

    >>> import tempfile, mathhammer as mh
    >>> with tempfile.TemporaryDirectory() as place:
    ...     made = mh.atlas("aos1", place + "/atlas", workers=1)
    ...     made.manifest["complete"], sorted(made.manifest["columns"])[:3]
    (True, ['attacker', 'damage', 'kind'])
    """
    arrow()
    parts, tiles = planned(what, situations, datasheets)
    pools = _pools(executor, workers, scheduler, len(tiles))
    place = begin(Path(folder), parts, tiles)
    missing = [tile for tile in tiles if tile_about(place / tile.path, parts[tile.part], tile) is None]
    done = len(tiles) - len(missing)
    if progress is not None:
        progress(done, len(tiles))

    def tell(left: int) -> None:
        if progress is not None:
            progress(len(tiles) - left, len(tiles))

    _work(parts, missing, place, pools, tell)
    return Atlas(Path(folder), finish(place, parts, tiles))


def planned(
    what: str | Path | Sequence[str | Path],
    situations: str | Path | Sequence[Mapping[str, Any]] | None = None,
    datasheets: str | Path | None = None,
) -> tuple[tuple[Part, ...], tuple[Tile, ...]]:
    """The question of an atlas, checked, and its tiles.

    >>> [part], tiles = planned("aos1", [{"name": "a"}, {"name": "b"}])
    >>> sum(tile.rows(len(part.units)) for tile in tiles) == 2 * len(part.units) ** 2
    True
    """
    asked = [what] if isinstance(what, (str, Path)) else list(what)
    if isinstance(situations, (str, Path)):
        told = read_situations(situations)
    else:
        told = [] if situations is None else check_situations(situations)
    parts = parts_of(asked, told, datasheets)
    return parts, tiles_of(parts)


@dataclass(frozen=True, slots=True)
class Pools:
    """Where work goes: how to open an executor, again if it was lost, and how many workers it has."""

    open: Callable[[], AbstractContextManager[Executor | None]]
    workers: int
    again: bool  # whether a new one can be opened


def _pools(executor: Executor | str | None, workers: int | None, scheduler: str | None, tiles: int) -> Pools:
    number = cores_here() if workers is None else check_threads("atlas", workers, "workers")
    if isinstance(executor, str) and executor not in KINDS:
        raise BadInputError(f"atlas: executor {executor!r} (write {' or '.join(KINDS)})")
    if scheduler is not None and executor not in (None, "dask"):
        raise BadInputError("atlas: a scheduler goes with dask (drop it, or write executor dask)")
    if executor == "dask" or scheduler is not None:
        from mathhammer.compare.atlas_dask import dask_executor

        return Pools(lambda: dask_executor(scheduler, number), number, False)
    if isinstance(executor, Executor):
        return Pools(lambda: nullcontext(executor), max(number, 8), False)
    if number == 1 or tiles < 2:
        return Pools(lambda: nullcontext(None), 1, False)
    return Pools(lambda: _processes(min(number, tiles)), number, True)


@contextmanager
def _processes(number: int) -> Iterator[Executor]:
    context = multiprocessing.get_context(start_method())
    with ProcessPoolExecutor(number, mp_context=context, initializer=own_process) as pool:
        try:
            yield pool
        except BaseException:  # nobody waits for the rest
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _work(
    parts: Sequence[Part], missing: Sequence[Tile], folder: Path, pools: Pools, tell: Callable[[int], None]
) -> None:
    """Hands out tiles until none is missing; those of a lost pool go to a new one."""
    waiting = list(missing)
    tries: dict[str, int] = {}
    while waiting:
        try:
            with pools.open() as pool:
                if pool is None:
                    _here(parts, waiting, folder, tell)
                else:
                    _handed_out(pool, parts, waiting, folder, pools.workers * IN_FLIGHT, tell)
        except BrokenExecutor:
            first = waiting[0].path if waiting else ""
            tries[first] = tries.get(first, 0) + 1
            if not pools.again or tries[first] >= TRIES:
                raise BadInputError(
                    "atlas: a process ended on its own, probably out of memory (use fewer workers; the same "
                    "command goes on from the finished tiles)"
                ) from None


def _here(parts: Sequence[Part], waiting: list[Tile], folder: Path, tell: Callable[[int], None]) -> None:
    while waiting:
        write_tile(parts[waiting[0].part], waiting[0], str(folder))
        del waiting[0]
        tell(len(waiting))


def _handed_out(
    pool: Executor,
    parts: Sequence[Part],
    waiting: list[Tile],
    folder: Path,
    most: int,
    tell: Callable[[int], None],
) -> None:
    """Keeps so many tiles in work, and takes those off `waiting` that are written."""
    asked: dict[Future[str], Tile] = {}
    coming = iter(list(waiting))
    try:
        while waiting:
            for tile in coming:
                asked[pool.submit(write_tile, parts[tile.part], tile, str(folder))] = tile
                if len(asked) >= most:
                    break
            for future in wait(asked, return_when=FIRST_COMPLETED).done:
                tile = asked.pop(future)
                future.result()
                if not (folder / tile.path).is_file():
                    raise BadInputError(
                        f"atlas: {tile.path} was written, but not here (workers need the same folder: "
                        f"{folder})"
                    )
                waiting.remove(tile)
                tell(len(waiting))
    finally:
        for future in asked:
            future.cancel()


def remaining(done: int, wanted: int, begun_with: int, seconds: float) -> str:
    """How long the rest will take, from what this run has done so far; empty while nothing is known.

    >>> remaining(30, 100, 10, 60.0), remaining(10, 100, 10, 5.0)
    ('about 4 min left', '')
    """
    fresh = done - begun_with
    if fresh <= 0:
        return ""
    left = seconds / fresh * (wanted - done)
    if left < 90:
        return f"about {left:.0f} s left"
    return f"about {left / 60:.0f} min left" if left < 5400 else f"about {left / 3600:.1f} h left"
