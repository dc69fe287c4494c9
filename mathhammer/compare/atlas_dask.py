"""Dask as the executor of an atlas: a cluster that runs already, or one of our own on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor
from contextlib import contextmanager, nullcontext

from mathhammer.compare.atlas_tiles import EXTRA
from mathhammer.errors import BadInputError

PATIENCE = "10s"  # for a scheduler to answer


@contextmanager
def dask_executor(address: str | None, workers: int) -> Iterator[Executor]:
    """An executor of dask: of the cluster at that address, or of so many processes of our own."""
    try:
        from distributed import Client, KilledWorker, LocalCluster
        from distributed.comm.core import CommClosedError
    except ImportError:
        raise BadInputError(f"atlas: needs dask.distributed, which is not installed ({EXTRA})") from None
    own = address is None
    with (
        LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None)
        if own
        else nullcontext() as cluster
    ):
        try:
            client = Client(cluster if own else address, timeout=PATIENCE)
        except (OSError, ValueError, TimeoutError) as error:
            raise BadInputError(
                f"atlas: the scheduler at {address} does not answer ({type(error).__name__}; start it with "
                "dask scheduler, and give its address, such as tcp://host:8786)"
            ) from None
        with client:
            try:
                yield client.get_executor(pure=False)
            except (KilledWorker, CommClosedError, CancelledError) as error:
                raise BadInputError(
                    f"atlas: the dask cluster was lost ({type(error).__name__}; the same command goes on "
                    "from the finished tiles)"
                ) from None
