"""What strangers may send in, one function for each kind: an answer or a sentence comes back, soon and in little memory.

A kind takes bytes and raises whatever is not one of our errors. `tests/fuzzing.py` looks for such bytes with the help of coverage,
`tests/test_fuzzing.py` tries some in every run of the suite.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

from asking_page import ask
from garbled_files import SEEDS
from places import ROOT
from roster_files import FIXTURES, SHEETS

import mathhammer as mh
from mathhammer.battlescribe.convert import convert
from mathhammer.cli.quick import typed_attacker
from mathhammer.datasheets.checking import check_file
from mathhammer.datasheets.typed import typed_target
from mathhammer.dice.notation import parse_dice
from mathhammer.lists import read_rosters
from mathhammer.plots.post import make_post, read_post
from mathhammer.rulestext import RulesText, read_rule
from mathhammer.rulestext.grammar import productions

GAMES = ("aos4", "wh40k10", "wh40k11", "aos1")
BODIES = {"aos4": {"health": 2}, "wh40k10": {"toughness": 4, "wounds": 2}}


def chosen(data: bytes, most: int) -> tuple[int, str]:
    """What the first byte chooses, and the rest as text."""
    return (data[0] if data else 0) % most, data[1:].decode("utf-8", "replace")


@cache
def place() -> Path:
    """A folder for this process."""
    return Path(tempfile.mkdtemp(prefix="fuzz"))


def dice(data: bytes) -> None:
    """Dice text, such as 2D6+1."""
    parse_dice(data.decode("utf-8", "replace")).pmf()


def expression(data: bytes) -> None:
    """A unit and how it fights, put against another one."""
    number, text = chosen(data, len(GAMES))
    unit = mh.unit(text, system=GAMES[number])
    assert unit.label
    assert 0.0 <= mh.fight(unit, unit).p_destroyed <= 1.0 + 1e-9


def quick(data: bytes) -> None:
    """A weapon and a target typed in one line each."""
    number, text = chosen(data, len(GAMES))
    weapon, _, target = text.partition("|")
    options = {
        "weapons": None,
        "weapons_text": [weapon],
        "buffs": (),
        "name": "you",
        "points": None,
        "datasheets": None,
    }
    attacker = typed_attacker(GAMES[number], options)
    mh.fight(attacker, typed_target(GAMES[number], target, None))


def ability(data: bytes) -> None:
    """The text of an ability; what is read is taken by a unit."""
    number, text = chosen(data, len(BODIES))
    system = list(BODIES)[number]
    reading = read_rule(RulesText(text), system)
    weapon = {"name": "w", "attacks": 1, "damage": 1}
    weapon |= {"hit": 4, "wound": 4} if system == "aos4" else {"skill": 4, "strength": 4}
    effects = [{"name": "Rule", **effect} for effect in reading.effects]
    mh.make_unit(system, {"name": "U", "weapon": [weapon], "effect": effects, **BODIES[system]})


def datasheet(data: bytes) -> None:
    """A file of units, checked as `mathhammer check` does."""
    number, _ = chosen(data, len(GAMES))
    folder = place() / GAMES[number]
    folder.mkdir(exist_ok=True)
    path = folder / "made.toml"
    path.write_bytes(data[1:])
    for fault in check_file(path):
        assert str(fault).strip()


def post(data: bytes) -> None:
    """The file of a blog post; only its tables are made, as pictures take long."""
    path = place() / "post.toml"
    path.write_bytes(data)
    asked = read_post(path)
    assert all(name.strip() for name in asked.files())
    if all(entry["kind"] == "compare" for entry in asked.tables):
        made = place() / "made"
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir()
        make_post(replace(asked, charts=(), path=made / "post.toml"))


def roster(data: bytes) -> None:
    """An army list of any format."""
    for one in read_rosters(data):
        assert one.name is not None


def catalogue(data: bytes) -> None:
    """A catalogue of the community, beside the game system that it belongs to."""
    number, _ = chosen(data, 2)
    system = ("aos4", "wh40k10")[number]
    folder = place() / f"catalogues-{system}"
    if not folder.exists():
        shutil.copytree(FIXTURES / "bsdata" / system, folder)
    (folder / CATALOGUES[number].name).write_bytes(data[1:])
    convert(folder, system)


def page(data: bytes) -> None:
    """What is sent to the page, over HTTP."""
    number, text = chosen(data, 5)
    if number == 4:
        found = ask(
            "GET", "/api/unit?" + "".join(c if c.isalnum() else f"%{ord(c) % 256:02x}" for c in text[:200])
        )
    else:
        where = ("answer", "duel", "list", "lists")[number]
        found = ask("POST", f"/api/{where}", content=data[1:], headers={"content-type": "application/json"})
    assert found.status_code in (200, 400, 413, 422), (found.status_code, found.text[:200])
    assert found.status_code == 200 or found.json()["error"].strip()


CATALOGUES = [
    next((FIXTURES / "bsdata" / system).glob(f"{name}.cat"))
    for system, name in (("aos4", "Emberfolk"), ("wh40k10", "Xenos - Glass Choir"))
]
KINDS: dict[str, Callable[[bytes], None]] = {
    "dice": dice,
    "expression": expression,
    "quick": quick,
    "ability": ability,
    "datasheet": datasheet,
    "post": post,
    "roster": roster,
    "catalogue": catalogue,
    "page": page,
}
EXPRESSIONS = (
    "10 Liberators: charged, all-out attack",
    "40 Clanrats: in cover, ward 6+, 3 lost",
    "Rat Ogors: +1 to hit, reroll wounds, Crit (Mortal), -1 rend, half damage",
    "Liberators with Lord-Celestant: melee",
    "Intercessor Squad: 4+ invuln, ap -1, +1 strength",
    "reinforced Brutes x2: crit on 5+",
)
QUICK = (
    "20x 3+ 3+ -1 2 crit(mortal)|4+ ward 5+ health 2 x10",
    "5x2 3+ 4+ -1 D3, reroll hits|3+ health 3 x5, in cover",
    "1xD6+1 3+ S10 AP-3 D6 blast, melta 2|T12 2+ 4++ W16, MONSTER",
    "10x2 BS3+ S8 AP-2 D3|T6 3+ W6 x3, stealth",
)
POST = b"""system = "aos4"
[[table]]
file = "slain.md"
kind = "compare"
attackers = ["Liberators: charged"]
targets = ["Clanrats"]
[[chart]]
file = "slain"
kind = "at_least"
attackers = ["Liberators"]
targets = ["Clanrats"]
title = "Slain"
"""
QUESTIONS = (
    (
        0,
        {
            "attackers": ["10 Liberators: charged"],
            "targets": ["Clanrats", "4+ health 2 x10"],
            "system": "aos4",
            "distance": 9,
        },
    ),
    (1, {"a": "Liberators", "b": "Rat Ogors", "system": "aos4", "rounds": 2}),
    (2, {"lists": ["bGlzdA=="]}),
    (3, {"lists": ["bGlzdA==", "bGlzdA=="], "system": "wh40k10"}),
)


def seeds(kind: str) -> list[bytes]:
    """Inputs of a kind to begin with."""
    if kind == "dice":
        return [b"2D6+1", b"D3", b"12", b"3d6-2", b"D6+D3"]
    if kind in ("expression", "quick"):
        texts = EXPRESSIONS if kind == "expression" else QUICK
        return [bytes([number]) + text.encode() for text in texts for number in range(len(GAMES))]
    if kind == "ability":
        return [
            bytes([number]) + production.example.encode()
            for number, system in enumerate(BODIES)
            for production in productions()
            if not production.family or system.startswith(production.family)
        ]
    if kind == "datasheet":
        files = [*sorted(SHEETS.rglob("*.toml")), *sorted((ROOT / "datasheets").rglob("reference*.toml"))]
        return [bytes([number]) + path.read_bytes() for path in files for number in (0, 1)]
    if kind == "post":
        return [POST, (ROOT / "notebooks" / "post.toml").read_bytes()]
    if kind == "roster":
        return list(SEEDS.values())
    if kind == "catalogue":
        return [bytes([number]) + path.read_bytes() for number, path in enumerate(CATALOGUES)]
    return [bytes([number]) + json.dumps(question).encode() for number, question in QUESTIONS]
