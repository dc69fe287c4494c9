"""`mathhammer quick`: what is typed is read as players mean it, shown, or refused."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

import mathhammer as mh
from mathhammer.cli import main


def quick(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert main(["quick", *words]) == code
    captured = capsys.readouterr()
    return captured.err if code else captured.out


def rows(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(quick(capsys, *words, "--format", "json"))["rows"]
    return found


@pytest.mark.parametrize(
    "weapon", ["10x2 BS3+ S8 AP-2 D3", "10x2 3+ S8 AP-2 D3 heavy", '10x2 24" 3+ S8 AP-2 D3']
)
def test_weapons_that_shoot_meet_cover(capsys: pytest.CaptureFixture[str], weapon: str) -> None:
    """W7: BS, a range or an ability of guns mean ranged."""
    words = ["--system", "wh40k10", weapon, "--vs", "T6 3+ W6 x3", "--situation", "target_in_cover"]
    (row,) = rows(capsys, *words)
    assert (row["kind"], row["damage"]) == ("ranged", pytest.approx(12.67, abs=0.005))
    (melee,) = rows(capsys, "--system", "wh40k10", "10x2 WS3+ S8 AP-2 D3", *words[3:])
    assert (melee["kind"], melee["damage"]) == ("melee", pytest.approx(15.48, abs=0.005))


def test_what_was_read_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """B5, B6: D6 is a die, and the profile is shown."""
    words = ["--system", "wh40k10", "1xD6+1 3+ S10 AP-3 D6 blast, melta 2", "--vs", "T12 2+ 4++ W16"]
    out = quick(capsys, *words)
    assert "read: 1 x D6+1 attacks, skill 3+, strength 10, ap -3, damage D6, Blast, Melta 2, ranged" in out
    assert "read: 1 model, toughness 12, wounds 16, save 2+, invuln 4+" in out
    assert rows(capsys, *words)[0]["damage"] == pytest.approx(1.75, abs=0.005)


def test_names_of_units_are_units(capsys: pytest.CaptureFixture[str]) -> None:
    """B5: a unit's name was a keyword of a target with one wound."""
    clanrats, libs = rows(capsys, "10x2 3+ 3+ -1 2", "--vs", "Clanrats", "10 Liberators: in cover")
    assert (clanrats["target_models"], libs["target_models"]) == (20, 10)
    typed = {"name": "W", "models": 10, "attacks": 2, "hit": 3, "wound": 3, "rend": 1, "damage": 2}
    unit = mh.make_unit("aos4", {"name": "U", "models": 10, "health": 1, "weapon": [typed]})
    assert clanrats["damage"] == pytest.approx(mh.fight(unit, "Clanrats").damage.mean())
    assert libs["damage"] == pytest.approx(mh.fight(unit, "10 Liberators: in cover").damage.mean())


@pytest.mark.parametrize(
    ("typed", "attacks", "rend", "damage"),
    [
        ("20x 3+ 3+ 0 1", 20, 0, "damage 1"),
        ("20x 3+ 3+ - 1", 20, 0, "damage 1"),
        ("2D6 3+ 3+ -1 D3", 7, 1, "damage D3"),
        ("D6 3+ 3+ rend 2 2", 3.5, 2, "damage 2"),
        ("20 3+ 3+ 1", 20, 0, "damage 1"),
    ],
)
def test_random_attacks_and_no_rend(
    capsys: pytest.CaptureFixture[str], typed: str, attacks: float, rend: int, damage: str
) -> None:
    (row,) = rows(capsys, typed, "--vs", "4+ health 2 x10")
    assert row["funnel"]["attacks"] == pytest.approx(attacks)
    read = next(
        line for line in quick(capsys, typed, "--vs", "4+ health 2 x10").splitlines() if "read" in line
    )
    assert damage in read
    assert (f"rend {rend}" in read) == (rend > 0)


@pytest.mark.parametrize("spelled", ["crit(2 hits)", "Crit (2 Hits)", "crit( 2hits )", "CRIT(2HITS)"])
def test_spaces_in_abilities_do_not_matter(capsys: pytest.CaptureFixture[str], spelled: str) -> None:
    assert "Crit (2 Hits)" in quick(capsys, f"20x 3+ 3+ -1 2 {spelled}", "--vs", "4+ x10").splitlines()[1]
    assert "Charge (+1 Damage)" in quick(capsys, "20x 3+ 3+ -1 2 charge(+1 damage)", "--vs", "4+ x10")


def test_target_words_are_understood(capsys: pytest.CaptureFixture[str]) -> None:
    """W8."""
    gun = ["--system", "wh40k10", "20x BS3+ S5 AP-1 D2"]
    plain, hidden, half, hard, covered = rows(
        capsys, *gun, "--vs", "T4 3+ W2 x10", "T4 3+ W2 x10 stealth", "T4 3+ W2 x10, halve damage",
        "T4 3+ W2 x10 transhuman", "T4 3+ W2 x10, in cover",
    )  # fmt: skip
    assert hidden["lost"] == pytest.approx(plain["lost"] * (1 / 2) / (2 / 3), rel=0.02)
    assert half["lost"] == pytest.approx(plain["lost"] / 2, rel=0.02)
    assert hard["lost"] == pytest.approx(plain["lost"] * (1 / 2) / (2 / 3), rel=0.02)
    assert covered["lost"] == pytest.approx(plain["lost"] * (1 / 3) / (1 / 2), rel=0.02)
    heroes = rows(
        capsys, "20x 3+ 3+ 2 anti-hero", "--vs", "4+ health 9", "4+ health 9 HERO", "4+ hero health 9"
    )
    assert heroes[0]["damage"] < heroes[1]["damage"] == heroes[2]["damage"]


@pytest.mark.parametrize("word", ["fnord", "ethereal", "Clanratz"])
def test_unknown_target_words_are_refused(capsys: pytest.CaptureFixture[str], word: str) -> None:
    assert re.match(rf"quick: '4\+ health 2 x10 {word}': cannot read '{word}' ", quick(
        capsys, "20x 3+ 3+ -1 2", "--vs", f"4+ health 2 x10 {word}", code=2
    ))  # fmt: skip


def test_a_name_points_and_rerolls(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["20x 3+ 3+ -1 2, reroll hits", "--vs", "4+ health 2 x10", "--name", "Lads", "--points", "120"]
    (row,) = rows(capsys, *words)
    (plain,) = rows(capsys, "20x 3+ 3+ -1 2", "--vs", "4+ health 2 x10")
    assert (row["attacker"], row["points"]) == ("Lads: reroll hits", 120)
    assert row["damage_per_100"] == pytest.approx(row["damage"] / 1.2)
    assert row["damage"] == pytest.approx(plain["damage"] * 4 / 3)
