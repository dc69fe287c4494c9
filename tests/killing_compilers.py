"""The first compilation of a kernel, killed a hundred times at random moments; what is stored is whole or not there.

    python killing_compilers.py FOLDER TIMES

A kernel of the engine is compiled in forked processes that share one folder for machine code; whenever one of them has got to its end
the folder is emptied. Prints as JSON how each process ended, the last one undisturbed, and the words that the finished ones drew.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sys
import time
from pathlib import Path


def draws() -> list[int]:
    import numpy as np

    from mathhammer.engine import lane_kernels

    words = np.zeros(4, dtype=np.uint32)
    lane_kernels.fill(words, np.uint64(7))
    return [int(word) for word in words]


def compiled(result: Path) -> int:
    """In a process of its own: compiles the kernel, or takes it from the folder, and writes down what it draws."""
    pid = os.fork()
    if pid == 0:
        result.write_text(json.dumps(draws()), encoding="utf-8")
        os._exit(0)
    return pid


def killed(folder: Path, times: int) -> dict[str, object]:
    import mathhammer.engine.lane_kernels  # noqa: F401  # loaded, and not compiled

    cache, chance = Path(os.environ["NUMBA_CACHE_DIR"]), random.Random(3)
    began = time.monotonic()
    os.waitpid(compiled(folder / "right"), 0)
    each = time.monotonic() - began
    right = json.loads((folder / "right").read_text(encoding="utf-8"))
    shutil.rmtree(cache)
    ended, same = [], True
    for number in range(times + 1):
        pid = compiled(folder / str(number))
        if number < times:
            time.sleep(chance.uniform(0.5, 1.05) * each)  # machine code is stored near the end
            os.kill(pid, signal.SIGKILL)
        ended.append(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
        if ended[-1] == 0:
            same &= json.loads((folder / str(number)).read_text(encoding="utf-8")) == right
            if number < times:
                shutil.rmtree(cache, ignore_errors=True)
    return {"ended": ended, "right": same}


if __name__ == "__main__":
    print(json.dumps(killed(Path(sys.argv[1]), int(sys.argv[2]))))
