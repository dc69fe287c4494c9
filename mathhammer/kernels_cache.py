"""numba's `njit` for every kernel file: what was compiled is kept for the next time, where there is a place to keep it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba


def njit(**options: Any) -> Callable[[Any], Any]:
    """As numba's; a kernel that numba cannot keep is compiled in every process anew.

    numba keeps machine code beside the source, else in the user's cache folder, else where NUMBA_CACHE_DIR says. With a read-only
    installation and a read-only home there is no such place, and it would refuse the kernel.
    """

    def made(function: Any) -> Any:
        try:
            return numba.njit(cache=True, **options)(function)
        except RuntimeError:
            return numba.njit(**options)(function)

    return made
