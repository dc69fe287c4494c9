"""Real files, cut and garbled: read or refused with a sentence, in stated time and memory.

Of every file as many versions are tried as hypothesis' profile has examples, of catalogues a twentieth: 60 and 3 by default, twenty
times as many with `--hypothesis-profile=deep`. The shipped datasheets are always here; real lists and catalogues lie beside the project.
"""

from __future__ import annotations

import random
import resource
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from garbled_files import mutated
from hypothesis import settings
from places import ROOT
from roster_files import SHARED, needs_shared

import mathhammer as mh
from mathhammer.battlescribe.convert import convert
from mathhammer.datasheets.checking import check_file
from mathhammer.datasheets.library import sheets
from mathhammer.dice.notation import parse_dice
from mathhammer.lists import read_rosters

SECONDS = 10.0  # for one file, however it is garbled; a real catalogue of some megabytes takes one or two
MEGABYTES = 1500  # more than the process had before
SHIPPED = sorted((ROOT / "datasheets").rglob("*.toml"))
LISTS = sorted(path for path in (SHARED / "rosters").rglob("*") if path.is_file()) if SHARED.is_dir() else []
CATALOGUES = sorted((SHARED / "bsdata").rglob("*.cat")) if SHARED.is_dir() else []


def versions(share: int = 1) -> int:
    """How many garbled versions of a file are tried."""
    return max(1, settings().max_examples // share)


def read_or_refused(read: Callable[[], object]) -> None:
    """An answer, or an error of ours with a sentence; in time, and without filling the memory."""
    before, started = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    try:
        read()
    except mh.MathhammerError as error:
        assert str(error).strip()
    assert time.process_time() - started < SECONDS
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024 < MEGABYTES


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_garbled_datasheets(path: Path, tmp_path: Path) -> None:
    dice = random.Random(f"mathhammer {path.name}")
    system = path.parent.name
    for number in range(versions()):
        folder = tmp_path / str(number) / system
        folder.mkdir(parents=True)
        made = folder / path.name
        made.write_bytes(mutated(path.read_bytes(), dice))
        read_or_refused(lambda made=made: check_file(made))
        read_or_refused(
            lambda folder=folder: [
                sheet.unit() for sheet in sheets(system, folder.parent) if sheet.path.is_relative_to(folder)
            ]
        )


@pytest.mark.slow
@needs_shared
@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.name)
def test_garbled_lists(path: Path) -> None:
    dice = random.Random(f"mathhammer {path.name}")
    for _ in range(versions()):
        data = mutated(path.read_bytes(), dice)
        read_or_refused(lambda data=data: read_rosters(data))


@pytest.mark.slow
@needs_shared
@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.name)
def test_garbled_catalogues(path: Path, tmp_path: Path) -> None:
    dice = random.Random(f"mathhammer {path.name}")
    system = path.relative_to(SHARED / "bsdata").parts[0]
    for other in path.parent.iterdir():
        if other != path and other.suffix in (".gst", ".cat"):
            (tmp_path / other.name).symlink_to(other)
    for _ in range(versions(share=20)):
        (tmp_path / path.name).write_bytes(mutated(path.read_bytes(), dice))
        read_or_refused(lambda: convert(tmp_path, system))


def test_garbled_dice_text() -> None:
    dice = random.Random("mathhammer dice")
    for _ in range(50 * settings().max_examples):
        text = mutated(dice.choice(["2D6+1", "D3", "12", "3d6-2"]).encode(), dice).decode("utf-8", "replace")
        read_or_refused(lambda text=text: parse_dice(text).pmf())
