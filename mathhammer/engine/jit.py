"""numba for every kernel file: stores machine code for the next time, and announces a first compilation."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba


def njit(**options: Any) -> Callable[[Any], Any]:
    """As numba's; a kernel that numba cannot keep is compiled in every process anew.

    numba keeps machine code beside the source, else in the user's cache folder, else where NUMBA_CACHE_DIR
    says. With a read-only installation and a read-only home there is no such place, and it would refuse the
    kernel.
    """

    def compiled(function: Any) -> Any:
        try:
            return numba.njit(cache=True, **options)(function)
        except RuntimeError:
            return numba.njit(**options)(function)

    return compiled


def announce_compiling(kernel: Any, what: str) -> None:
    """Says on stderr that the kernel of something is about to be compiled, unless it is
    ready or in numba's cache.
    """
    # compiled already, or a plain function because numba is switched off
    if getattr(kernel, "signatures", True):
        return
    file, folder = f"{kernel.__module__.rpartition('.')[2]}.{kernel.__name__}-*.nbi", kernel.stats.cache_path
    if folder is None:
        print(
            (
                f"mathhammer: compiling the {what} kernel (every time, a few seconds; set NUMBA_CACHE_DIR "
                "to keep it)"
            ),
            file=sys.stderr,
        )
    elif not any(Path(folder).glob(file)):
        print(f"mathhammer: compiling the {what} kernel (once per machine, a few seconds)", file=sys.stderr)
