"""A word to the user before a kernel is compiled: that takes seconds, once per machine."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any


def announce_compiling(kernel: Any, what: str) -> None:
    """Says on stderr that the kernel of something is about to be compiled, unless it is ready or in numba's cache."""
    if getattr(kernel, "signatures", True):  # compiled already, or a plain function because numba is switched off
        return
    file, folder = f"{kernel.__module__.rpartition('.')[2]}.{kernel.__name__}-*.nbi", kernel.stats.cache_path
    if folder is None:
        print(f"mathhammer: compiling the {what} kernel (every time, a few seconds; set NUMBA_CACHE_DIR to keep it)", file=sys.stderr)
    elif not any(Path(folder).glob(file)):
        print(f"mathhammer: compiling the {what} kernel (once per machine, a few seconds)", file=sys.stderr)
