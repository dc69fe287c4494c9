"""Lists damaged on their way: a thousand seeded versions of our own lists never lose a unit in silence."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from roster_files import ROSTERS, SHARED, SHEETS, needs_shared

import mathhammer as mh
from mathhammer.battlescribe.convert import convert, store
from mathhammer.lists import Roster, read_rosters
from mathhammer.names import normal

TEXTS = (
    "aos_app.txt",
    "sigdex.txt",
    "newrecruit_aos.txt",
    "listbot.txt",
    "wh40k_app.txt",
    "bcp.txt",
    "newrecruit_gw.txt",
    "wtc.txt",
    "wtc_compact.txt",
    "newrecruit_native.txt",
    "listforge.txt",
    "warorgan.txt",
)
REAL = sorted((SHARED / "rosters").rglob("*.txt"))
EACH = 84  # versions of each: more than a thousand in all
Damage = Callable[[list[str], random.Random], list[str]]


def at(lines: list[str], dice: random.Random) -> int:
    return dice.choice([place for place, line in enumerate(lines) if line.strip()] or [0])


def dropped(lines: list[str], dice: random.Random) -> list[str]:
    place = at(lines, dice)
    return lines[:place] + lines[place + 1 :]


def stripped(lines: list[str], dice: random.Random) -> list[str]:
    return [line.strip() for line in lines]


def unindented(lines: list[str], dice: random.Random) -> list[str]:
    place = at(lines, dice)
    return [*lines[:place], lines[place].strip(), *lines[place + 1 :]]


def changed(lines: list[str], dice: random.Random) -> list[str]:
    place = at(lines, dice)
    spot = dice.randrange(len(lines[place]))
    line = lines[place][:spot] + dice.choice("abcXYZ019 ()-•:,") + lines[place][spot + 1 :]
    return [*lines[:place], line, *lines[place + 1 :]]


def unbracketed(lines: list[str], dice: random.Random) -> list[str]:
    held = [place for place, line in enumerate(lines) if set(line) & set("()[]")] or [0]
    place = dice.choice(held)
    mark = dice.choice([mark for mark in "()[]" if mark in lines[place]] or ["("])
    return [*lines[:place], lines[place].replace(mark, "", 1), *lines[place + 1 :]]


def joined(lines: list[str], dice: random.Random) -> list[str]:
    place = min(at(lines, dice), len(lines) - 2)
    return [*lines[:place], f"{lines[place]} {lines[place + 1].strip()}", *lines[place + 2 :]]


def remarked(lines: list[str], dice: random.Random) -> list[str]:
    place = at(lines, dice)
    remark = dice.choice([" - my favourite", " (painted!)", " *", ", new", " <3"])
    return [*lines[:place], lines[place] + remark, *lines[place + 1 :]]


def told(lines: list[str], dice: random.Random) -> list[str]:
    place = at(lines, dice)
    return [*lines[:place], "these are the ones my sister painted", *lines[place:]]


def cut(lines: list[str], dice: random.Random) -> list[str]:
    return lines[: max(3, dice.randrange(len(lines)))]


def rebulleted(lines: list[str], dice: random.Random) -> list[str]:
    mark = dice.choice("*-◦·")
    return [line.replace("•", mark) for line in lines]


DAMAGES: tuple[Damage, ...] = (
    dropped,
    dropped,
    stripped,
    unindented,
    changed,
    changed,
    unbracketed,
    joined,
    remarked,
    told,
    cut,
    rebulleted,
)


def units(rosters: tuple[Roster, ...]) -> Counter[tuple[str, int | None]]:
    """What the lists hold, by name and points."""
    return Counter((normal(entry.name), entry.points) for army in rosters for entry in army.entries)


def sizes(rosters: tuple[Roster, ...]) -> Counter[str]:
    """How many models of each unit fight."""
    counts: Counter[str] = Counter()
    for army in rosters:
        for entry in army.entries:
            counts[normal(entry.name)] += entry.unit.models if entry.unit else 0
    return counts


def remarks(rosters: tuple[Roster, ...]) -> Counter[str]:
    """Everything that is said about the lists."""
    said = [text for army in rosters for text in (*army.warnings, *map(str, army.missing))]
    return Counter(text.partition("line ")[2].partition(": ")[2] or text for text in said)


def lost_in_silence(
    text: str, seed: str, damages: Sequence[Damage], datasheets: Path = SHEETS
) -> list[object]:
    """Of so many damaged versions of a list those that lose a unit, or models of one, and say nothing new."""
    whole = read_rosters(text, datasheets=datasheets)
    dice = random.Random(f"lists as they are: {seed}")
    silent: list[object] = []
    for version in range(EACH):
        lines = text.splitlines()
        done = [dice.choice(damages) for _ in range(1 + version % 2)]
        for damage in done:
            lines = damage(lines, dice)
        try:
            hurt = read_rosters("\n".join(lines) + "\n", datasheets=datasheets)
        except mh.BadInputError as error:
            assert str(error).strip()
            continue
        lost = units(whole) - units(hurt)
        if {dropped, cut} & set(done):  # a line without points that is gone leaves no trace
            lost = Counter({unit: number for unit, number in lost.items() if unit[1] is not None})
        fewer = sizes(whole) - sizes(hurt)
        if (lost or fewer) and not remarks(hurt) - remarks(whole):
            silent.append(([damage.__name__ for damage in done], lost, fewer, "\n".join(lines)))
    return silent


@pytest.mark.parametrize("name", TEXTS)
def test_no_unit_is_lost_in_silence(name: str) -> None:
    text = (ROSTERS / name).read_text(encoding="utf-8")
    if name == "newrecruit_aos.txt":  # its reinforced unit has the price of a single one
        text = text.replace("(140)", "(280)").replace("(290 points)", "(430 points)")
    silent = lost_in_silence(text, name, DAMAGES)
    assert not silent, silent[0]


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The units of Age of Sigmar as an import writes them: their names tell where two lines ran into one."""
    folder = tmp_path_factory.mktemp("imported")
    store(convert(SHARED / "catalogues" / "aos4", "aos4"), folder)
    return folder


@pytest.mark.slow
@needs_shared
@pytest.mark.parametrize("path", REAL, ids=lambda path: path.name)
def test_no_unit_of_a_real_list_is_lost_in_silence(path: Path, imported: Path) -> None:
    """A line that is gone leaves no trace where it has no points; any other damage does."""
    damages = [damage for damage in DAMAGES if damage not in (dropped, cut)]
    silent = lost_in_silence(path.read_text(encoding="utf-8"), path.name, damages, imported)
    assert not silent, silent[0]


def test_there_are_a_thousand_versions() -> None:
    assert EACH * len(TEXTS) >= 1000
