"""Looks for inputs that break something, led by coverage, with atheris; the kinds are in fuzz_kinds.py.

    pip install atheris
    python tests/fuzzing.py --inputs 100000 [KIND ...]

Each kind runs in a process of its own, for so many inputs; the seeds come first. What takes longer than the limit of processor time,
or grows the process beyond its memory, is a fault like any error that is not ours; its bytes are kept in the folder below --keep.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SECONDS = 20  # for one input, instrumented: about five times as slow as it is for a user
MEGABYTES = 2500  # the whole process, with everything that it has loaded and remembers


def child(kind: str, words: list[str]) -> None:
    """Runs in the process of one kind: the package is instrumented while it is imported."""
    import atheris

    with atheris.instrument_imports(include=["mathhammer"]):
        import fuzz_kinds

    import mathhammer as mh

    def one(data: bytes) -> None:
        try:
            fuzz_kinds.KINDS[kind](data)
        except mh.MathhammerError as error:
            assert str(error).strip(), "an error without a sentence"

    for number, seed in enumerate(fuzz_kinds.seeds(kind)):
        (Path(words[0]) / f"seed-{number}").write_bytes(seed)
    atheris.Setup([sys.argv[0], *words], one)
    atheris.Fuzz()


def fuzzed(kind: str, inputs: int, keep: Path) -> bool:
    """Whether so many inputs of a kind passed; says how many, in what time and memory."""
    with tempfile.TemporaryDirectory() as corpus:
        words = [
            corpus, f"-runs={inputs}", f"-timeout={SECONDS}", f"-rss_limit_mb={MEGABYTES}", "-seed=1",
            "-print_final_stats=1", "-max_len=65536", f"-artifact_prefix={keep}/{kind}-",
        ]  # fmt: skip
        done = subprocess.run(
            [sys.executable, __file__, "--child", kind, *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            env=os.environ | {"XDG_DATA_HOME": os.devnull},
        )
    stats = dict(re.findall(r"stat::(\w+):\s+(\d+)", done.stdout))
    seconds = re.search(r"Done \d+ runs in (\d+) second", done.stdout)
    passed = done.returncode == 0
    if not passed:
        print(done.stdout[-4000:])
    print(
        f"{kind}: {stats.get('number_of_executed_units', '?')} inputs in {seconds[1] if seconds else '?'} s, "
        f"slowest {stats.get('slowest_unit_time_sec', '?')} s, {stats.get('peak_rss_mb', '?')} MB, "
        f"{'none broke anything' if passed else 'FAULT'}",
        flush=True,
    )
    return passed


def main() -> None:
    """Fuzzes the named kinds, or all."""
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2], sys.argv[3:])
        return
    from fuzz_kinds import KINDS

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=", ".join(KINDS))
    parser.add_argument("--inputs", type=int, default=10_000, help="of each kind")
    parser.add_argument("--keep", type=Path, default=Path("fuzzing"), help="for inputs that break something")
    asked = parser.parse_args()
    asked.keep.mkdir(exist_ok=True)
    passed = [fuzzed(kind, asked.inputs, asked.keep.resolve()) for kind in asked.kinds or KINDS]
    sys.exit(not all(passed))


if __name__ == "__main__":
    main()
