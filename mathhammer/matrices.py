"""All against all, in pieces: any executor, progress, and a file from which an interrupted run goes on."""

from __future__ import annotations

import hashlib
import io
import multiprocessing
import os
import signal
import threading
import time
import zipfile
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, as_completed
from contextlib import nullcontext
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mathhammer.compiling import announce_compiling
from mathhammer.errors import BadInputError, TooLargeError
from mathhammer.files import replace_file
from mathhammer.sweep import VALUES, Sweep
from mathhammer.systems import get_system
from mathhammer.units import Unit

Array = NDArray[np.float64]
Progress = Callable[[int, int], None]
MOST_CELLS = 50_000_000  # 1.6 GB of numbers
PIECE = 8  # attackers to a piece of work
MANY_CELLS = 20_000  # from here on, starting processes pays
COMPILED_CELLS = 100_000  # from here on, numba's loops pay for their loading
IN_FLIGHT = 64  # pieces handed out at a time, so that memory stays bounded
SAVE_EVERY = 2.0  # seconds between two writings of the file to go on from


@dataclass(frozen=True, slots=True, eq=False)
class Matrix:
    """The numbers of every attacker against every target: `values[attacker, target, value]`, in the order of `VALUES`."""

    attackers: tuple[Unit, ...]
    targets: tuple[Unit, ...]
    values: Array

    def of(self, value: str) -> Array:
        """One kind of number: damage, lost, slain or p_destroyed."""
        if value not in VALUES:
            raise BadInputError(f"matrix: no value {value!r} (known: {', '.join(VALUES)})")
        return self.values[:, :, VALUES.index(value)]


def fill_matrix(
    attackers: Sequence[Unit],
    targets: Sequence[Unit],
    *,
    executor: Executor | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
    resume: str | Path | None = None,
    compiled: bool | None = None,
    **how: Any,
) -> Matrix:
    """Every attacker against every target, exact.

    `executor` is any of `concurrent.futures` (or dask's, loky's); without one, large questions go to `workers` processes (default: one
    for each core) and small ones stay here. `resume` names a file in which finished rows are kept and from which they are taken again.
    `compiled` says whether numba's loops do the arithmetic or numpy does; left out, the size of the question decides.
    """
    if not attackers or not targets:
        raise BadInputError("matrix: nothing to compare (give at least one attacker and one target)")
    games = {unit.system for unit in (*attackers, *targets)}
    if len(games) > 1:
        raise BadInputError(f"matrix: units of {' and '.join(sorted(games))} (compare units of one game)")
    cells = len(attackers) * len(targets)
    if cells > MOST_CELLS:
        raise TooLargeError(f"matrix: {cells} cells (at most {MOST_CELLS}; split the attackers)")
    values = np.zeros((len(attackers), len(targets), len(VALUES)))
    kept = _Kept(None if resume is None else Path(resume), _fingerprint(attackers, targets, how), values)
    how = {**how, "compiled": _compiled(targets[0].system, cells) if compiled is None else compiled}
    missing = [place for place in range(len(attackers)) if not kept.done[place]]
    pieces = [missing[start : start + PIECE] for start in range(0, len(missing), PIECE)]
    if progress is not None:
        progress(len(attackers) - len(missing), len(attackers))

    def take(piece: list[int], rows: Array) -> None:
        values[piece] = rows
        kept.mark(piece)
        if progress is not None:
            progress(int(kept.done.sum()), len(attackers))

    with _executor(executor, workers, len(missing) * len(targets), (tuple(targets), how)) as pool:
        try:
            if pool is None:
                sweep = Sweep.of(targets, **how)
                for piece in pieces:
                    take(piece, np.stack([sweep.row(attackers[place]) for place in piece]))
            else:
                ready = executor is None  # our own processes have the targets already
                _hand_out(pool, pieces, lambda piece: _work(attackers, piece, None if ready else (tuple(targets), how)), take)
        finally:
            kept.write()
    return Matrix(tuple(attackers), tuple(targets), values)


def _compiled(system: str, cells: int) -> bool:
    """Whether numba pays: for many cells of a game whose damage is lost with the model it hits."""
    if cells < COMPILED_CELLS or get_system(system).views is None:
        return False
    from mathhammer import walk_kernels  # here, so that forked processes have it already

    announce_compiling(walk_kernels.landing_law, "matrix")
    return True


def _executor(executor: Executor | None, workers: int | None, cells: int, question: tuple[Any, ...]) -> Any:
    """The executor to use: the caller's, a process pool for large questions, or none."""
    if executor is not None:
        return nullcontext(executor)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    number = cores if workers is None else workers
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= 1024:
        raise BadInputError(f"matrix: workers {workers!r} (give a whole number from 1 on)")
    if number == 1 or (workers is None and cells < MANY_CELLS):
        return nullcontext(None)
    method = "fork" if "fork" in multiprocessing.get_all_start_methods() and not _threads_run() else "spawn"
    return ProcessPoolExecutor(number, mp_context=multiprocessing.get_context(method), initializer=_prepare, initargs=question)


def _threads_run() -> bool:
    """Whether other threads run: a process must not be forked then."""
    return threading.active_count() > 1


def _work(attackers: Sequence[Unit], piece: list[int], question: tuple[tuple[Unit, ...], Any] | None) -> tuple[Any, ...]:
    """A piece of work as a function and its arguments."""
    some = tuple(attackers[place] for place in piece)
    return (_prepared_rows, some) if question is None else (_rows, some, question[0], tuple(question[1].items()))


def _hand_out(pool: Executor, pieces: list[list[int]], work: Callable[[list[int]], tuple[Any, ...]], take: Callable[..., None]) -> None:
    for start in range(0, len(pieces), IN_FLIGHT):
        asked: dict[Future[Array], list[int]] = {}
        try:
            asked |= {pool.submit(*work(piece)): piece for piece in pieces[start : start + IN_FLIGHT]}
            for future in as_completed(asked):
                take(asked[future], future.result())
        except BrokenExecutor:
            raise BadInputError("matrix: a process ended on its own, perhaps for want of memory (use fewer workers)") from None
        finally:
            for future in asked:  # after an interruption nobody waits for the rest
                future.cancel()


_QUESTION: list[tuple[tuple[Unit, ...], Any]] = []  # in a process of our own pool: what every piece of work is about
_HERE: list[Sweep] = []  # and its targets, sorted once


def _prepare(targets: tuple[Unit, ...], how: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process of a terminal: the first one decides
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _QUESTION[:] = [(targets, how)]
    _HERE.clear()


def _end_with_parent() -> None:
    """Ends this process when the one that started it is gone: a killed matrix leaves nobody waiting for work."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _prepared_rows(attackers: tuple[Unit, ...]) -> Array:
    if not _HERE:  # only now, so that what is wrong with the question comes back as an error of this piece
        targets, how = _QUESTION[0]
        _HERE.append(Sweep.of(targets, **how))
    return np.stack([_HERE[0].row(attacker) for attacker in attackers])


def _rows(attackers: tuple[Unit, ...], targets: tuple[Unit, ...], how: tuple[tuple[str, Any], ...]) -> Array:
    """One piece of work for a process that knows nothing yet: rows of some attackers."""
    sweep = _sweep_here(targets, _Hashed(how))
    return np.stack([sweep.row(attacker) for attacker in attackers])


class _Hashed:
    """Keyword arguments as a key: equal when they print alike."""

    def __init__(self, how: tuple[tuple[str, Any], ...]) -> None:
        self.how, self.text = dict(how), repr(how)

    def __hash__(self) -> int:
        return hash(self.text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Hashed) and self.text == other.text


@lru_cache(maxsize=4)
def _sweep_here(targets: tuple[Unit, ...], how: _Hashed) -> Sweep:
    return Sweep.of(targets, **how.how)


def _fingerprint(attackers: Sequence[Unit], targets: Sequence[Unit], how: Any) -> str:
    text = repr((tuple(map(_stable, attackers)), tuple(map(_stable, targets)), sorted(how.items())))
    return hashlib.sha256(text.encode()).hexdigest()


def _stable(unit: Unit) -> tuple[object, ...]:
    """A unit in a form that prints alike in every process: sets have no order of their own."""
    return unit.system, unit.name, unit.groups, unit.stats, unit.weapons, unit.effects, sorted(unit.keywords), unit.points, unit.lost


def _state_of(path: Path) -> tuple[int, ...]:
    """What changes when a file is replaced or written to."""
    about = path.stat()
    return about.st_ino, about.st_mtime_ns, about.st_size


class _Kept:
    """Finished rows in a file, written whole: an interruption leaves the file as it was, or newer.

    Two runs of one question may share the file: each takes over the rows that the other has written since it last looked.
    """

    def __init__(self, path: Path | None, fingerprint: str, values: Array) -> None:
        self.path, self.fingerprint, self.values = path, fingerprint, values
        self.done = np.zeros(len(values), dtype=np.bool_)
        self.written = time.monotonic()
        self.seen: tuple[int, ...] | None = None  # the file as this run last read or wrote it
        if path is not None:
            self._take_over(path)

    def _take_over(self, path: Path) -> None:
        """Reads the file if it is not the one that this run knows."""
        try:
            now = _state_of(path)
        except FileNotFoundError:
            return
        except OSError as error:
            raise BadInputError(f"matrix: {path}: cannot be read ({error.strerror})") from None
        if now != self.seen:
            self._read(path)
            self.seen = now

    def _read(self, path: Path) -> None:
        try:
            with np.load(path, allow_pickle=False) as stored:
                if str(stored["fingerprint"]) != self.fingerprint:
                    raise BadInputError(f"matrix: {path} belongs to another question (delete it, or name another file)")
                done, values = stored["done"], stored["values"]
        except BadInputError:  # said already
            raise
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            raise BadInputError(f"matrix: {path} is no file of an interrupted matrix (delete it, or name another file)") from None
        if (done.shape, done.dtype, values.shape, values.dtype) != (self.done.shape, self.done.dtype, self.values.shape, self.values.dtype):
            raise BadInputError(f"matrix: {path} is no file of an interrupted matrix (delete it, or name another file)")
        fresh = done & ~self.done
        self.done |= fresh
        self.values[fresh] = values[fresh]

    def mark(self, places: list[int]) -> None:
        """Notes finished rows, and writes them now and then."""
        self.done[places] = True
        if self.path is not None and time.monotonic() - self.written > SAVE_EVERY:
            self.write()

    def write(self) -> None:
        """Writes all finished rows to a temporary file and puts it in place."""
        if self.path is None:
            return
        self._take_over(self.path)
        stored = io.BytesIO()
        np.savez_compressed(stored, fingerprint=np.array(self.fingerprint), done=self.done, values=self.values)
        replace_file(self.path, stored.getvalue())
        self.seen = _state_of(self.path)
        self.written = time.monotonic()
