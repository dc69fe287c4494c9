"""The most memory that large questions take, each in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
CATALOGUES = HERE.parent.parent / "shared" / "data" / "catalogues"
# What getrusage says of a process counts the one that started it, until it has become its own program.
PEAK = """
import resource
[own] = [line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")]
children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(int(own) // 1024, children // 1024)
"""
MATRIX = """
from growth import unit
from mathhammer.compare.matrix import fill_matrix
units = [unit("{system}", 1 + n % 10, 1 + n % 5, 1, n) for n in range(2000)]
fill_matrix(units, units)
"""
TILE = """
import tempfile
import mathhammer as mh
with tempfile.TemporaryDirectory() as folder:
    mh.atlas("{system}", folder, workers=1)
"""
IMPORT = """
import tempfile
from mathhammer.cli import main
with tempfile.TemporaryDirectory() as folder:
    main(["import", {path!r}, "--system", "{system}", "-o", folder])
"""


def peak(code: str) -> str:
    """Megabytes of the process, and of the largest that it started."""
    done = subprocess.run(
        [sys.executable, "-c", code + PEAK], capture_output=True, text=True, check=True, cwd=HERE
    )
    own, children = done.stdout.split()[-2:]
    return f"| {own} | {children if children != '0' else '-'} |"


def memory_lines() -> list[str]:
    """The table."""
    lines = [
        "| question | MB | MB of each helping process |",
        "|---|---|---|",
        f"| nothing but Python | {peak('')[2:]}",
    ]
    for system in ("aos4", "wh40k10"):
        lines.append(f"| matrix of 2,000 x 2,000, {system} {peak(MATRIX.format(system=system))}")
        lines.append(f"| atlas of the shipped units, {system} {peak(TILE.format(system=system))}")
        if (path := CATALOGUES / system).is_dir():
            lines.append(
                f"| import of all catalogues, {system} {peak(IMPORT.format(system=system, path=str(path)))}"
            )
    return lines


if __name__ == "__main__":
    print("\n".join(memory_lines()))
