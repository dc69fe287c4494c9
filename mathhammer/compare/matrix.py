"""All against all, in pieces: any executor, with progress."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, as_completed
from contextlib import nullcontext
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mathhammer.checks import check_threads
from mathhammer.compare.checkpoint import Checkpoint, fingerprint
from mathhammer.compare.landed import VALUES
from mathhammer.compare.matchups import rows_for_all
from mathhammer.compare.sweep import NO_WEAPON, USED, Sweep
from mathhammer.dataclass import dataclass
from mathhammer.engine.jit import announce_compiling
from mathhammer.errors import BadInputError, TooLargeError
from mathhammer.games.discovery import attacks_of
from mathhammer.units.unit import Unit

Array = NDArray[np.float64]
Progress = Callable[[int, int], None]
MOST_CELLS = 50_000_000  # 1.6 GB of numbers
PIECE = 8  # attackers to a piece of work
MANY_CELLS = 20_000  # from here on, starting processes pays
COMPILED_CELLS = 100_000  # from here on, numba's loops pay for their loading
IN_FLIGHT = 64  # pieces handed out at a time, so that memory stays bounded


@dataclass(frozen=True, slots=True, eq=False)
class Matrix:
    """The numbers of every attacker against every target: `values[attacker, target,
    value]`, in the order of `VALUES`; and what each of them used, a place in `USED` or `NO_WEAPON`.
    """

    attackers: tuple[Unit, ...]
    targets: tuple[Unit, ...]
    values: Array
    used: NDArray[np.int64]

    def of(self, value: str) -> Array:
        """One kind of number: damage, lost, slain or p_destroyed."""
        if value not in VALUES:
            raise BadInputError(f"matrix: no value {value!r} (known: {', '.join(VALUES)})")
        return self.values[:, :, VALUES.index(value)]

    def kind(self, attacker: int, target: int) -> str:
        """What an attacker used against a target; empty where it has no such weapon."""
        used = int(self.used[attacker, target])
        return "" if used == NO_WEAPON else USED[used]


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

    `executor` is any of `concurrent.futures` (or dask's, loky's); without one, large questions go to
    `workers` processes (default: one for each core) and small ones stay here. `resume` names a file in
    which finished rows are kept and from which they are taken again. With `weapons="all"` every attacker is
    there once for each kind of attack that it has. `compiled` says whether numba's loops
    do the arithmetic or numpy does; left out, the size of the question decides.
    """
    if not attackers or not targets:
        raise BadInputError("matrix: nothing to compare (give at least one attacker and one target)")
    games = {unit.system for unit in (*attackers, *targets)}
    if len(games) > 1:
        raise BadInputError(f"matrix: units of {' and '.join(sorted(games))} (compare units of one game)")
    cells = len(attackers) * len(targets)
    if cells > MOST_CELLS:
        raise TooLargeError(f"matrix: {cells} cells (at most {MOST_CELLS}; split the attackers)")
    attackers, how = rows_for_all(attackers, how)
    values = np.zeros((len(attackers), len(targets), len(VALUES) + 1))
    checkpoint = Checkpoint(
        None if resume is None else Path(resume), fingerprint(attackers, targets, how), values
    )
    how = {**how, "compiled": _compiled(targets[0].system, cells) if compiled is None else compiled}
    missing = [place for place in range(len(attackers)) if not checkpoint.done[place]]
    pieces = [missing[start : start + PIECE] for start in range(0, len(missing), PIECE)]
    if progress is not None:
        progress(len(attackers) - len(missing), len(attackers))

    def take(piece: list[int], rows: Array) -> None:
        values[piece] = rows
        checkpoint.mark(piece)
        if progress is not None:
            progress(int(checkpoint.done.sum()), len(attackers))

    with _executor(executor, workers, len(missing) * len(targets), (tuple(targets), how)) as pool:
        try:
            if pool is None:
                sweep = Sweep.of(targets, **how)
                for piece in pieces:
                    take(piece, np.stack([sweep.row(attackers[place]) for place in piece]))
            else:
                ready = executor is None  # our own processes have the targets already
                _hand_out(
                    pool,
                    pieces,
                    lambda piece: _work(attackers, piece, None if ready else (tuple(targets), how)),
                    take,
                )
        finally:
            checkpoint.write()
    numbers, used = values[:, :, : len(VALUES)], values[:, :, len(VALUES)].astype(np.int64)
    return Matrix(tuple(attackers), tuple(targets), numbers, used)


def _compiled(system: str, cells: int) -> bool:
    """Whether numba pays: for many cells of a game whose damage is lost with the model it hits."""
    if cells < COMPILED_CELLS or attacks_of(system).views is None:
        return False
    # here, so that forked processes have it already
    from mathhammer.compare import sweep_kernels as walk_kernels

    announce_compiling(walk_kernels.landing_distribution, "matrix")
    return True


def _executor(executor: Executor | None, workers: int | None, cells: int, question: tuple[Any, ...]) -> Any:
    """The executor to use: the caller's, a process pool for large questions, or none."""
    if executor is not None:
        return nullcontext(executor)
    number = cores_here() if workers is None else check_threads("matrix", workers, "workers")
    if number == 1 or (workers is None and cells < MANY_CELLS):
        return nullcontext(None)
    context = multiprocessing.get_context(start_method())
    return ProcessPoolExecutor(number, mp_context=context, initializer=_prepare, initargs=question)


def cores_here() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def start_method() -> str:
    """How processes of our own are started: forked where that is safe, because it is faster."""
    return "fork" if "fork" in multiprocessing.get_all_start_methods() and not _threads_run() else "spawn"


def _threads_run() -> bool:
    """Whether other threads run: a process must not be forked then."""
    return threading.active_count() > 1


def _work(
    attackers: Sequence[Unit], piece: list[int], question: tuple[tuple[Unit, ...], Any] | None
) -> tuple[Any, ...]:
    """A piece of work as a function and its arguments."""
    some = tuple(attackers[place] for place in piece)
    return (
        (_prepared_rows, some) if question is None else (_rows, some, question[0], tuple(question[1].items()))
    )


def _hand_out(
    pool: Executor,
    pieces: list[list[int]],
    work: Callable[[list[int]], tuple[Any, ...]],
    take: Callable[..., None],
) -> None:
    for start in range(0, len(pieces), IN_FLIGHT):
        asked: dict[Future[Array], list[int]] = {}
        try:
            asked |= {pool.submit(*work(piece)): piece for piece in pieces[start : start + IN_FLIGHT]}
            for future in as_completed(asked):
                take(asked[future], future.result())
        except BrokenExecutor:
            raise BadInputError(
                "matrix: a process ended on its own, probably out of memory (use fewer workers)"
            ) from None
        finally:
            for future in asked:  # after an interruption nobody waits for the rest
                future.cancel()


# in a process of our own pool: what every piece of work is about
_QUESTION: list[tuple[tuple[Unit, ...], Any]] = []
_HERE: list[Sweep] = []  # and its targets, sorted once


def _prepare(targets: tuple[Unit, ...], how: Any) -> None:
    own_process()
    _QUESTION[:] = [(targets, how)]
    _HERE.clear()


def own_process() -> None:
    """Begins a process of our own: it ends with the one that started it, and leaves Ctrl-C to it."""
    gc.freeze()  # what is here stays, and looking through what is remembered again and again is slow
    gc.set_threshold(100_000)
    # Ctrl-C reaches every process of a terminal: the first one decides
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Ends this process when the one that started it is gone: a killed matrix leaves
    nobody waiting for work.
    """
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
    sweep = _sweep_here(targets, FrozenOptions(how))
    return np.stack([sweep.row(attacker) for attacker in attackers])


class FrozenOptions:
    """Keyword arguments as a key: equal when they print alike."""

    def __init__(self, how: tuple[tuple[str, Any], ...]) -> None:
        self.how, self.text = dict(how), repr(how)

    def __hash__(self) -> int:
        return hash(self.text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FrozenOptions) and self.text == other.text


@lru_cache(maxsize=4)
def _sweep_here(targets: tuple[Unit, ...], how: FrozenOptions) -> Sweep:
    return Sweep.of(targets, **how.how)
