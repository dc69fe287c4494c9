"""The commands of Diskwars: rounds, regiments, best strikes, reach."""

from __future__ import annotations

import json

import pytest

import mathhammer as mh
from mathhammer.cli import main


def run(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> tuple[str, str]:
    assert main(list(words)) == code
    return capsys.readouterr()


ROUND = (
    "round",
    "Orc Boyz: counter 3, toughness 1",
    "Karl Franz",
    "--event",
    "shoot Reikland Crossbowmen, medium, cover",
    "--event",
    "dangerous physical",
    "--event",
    "clash Karl Franz > Orc Boyz",
)


def test_round_prints_the_numbers_of_odds(capsys: pytest.CaptureFixture[str]) -> None:
    wanted = mh.odds(
        "diskwars",
        "round",
        disks=["Orc Boyz: counter 3, toughness 1, owner A", "Karl Franz: owner B"],
        events=[
            {"shot": {"shooter": "Reikland Crossbowmen", "range": "medium", "cover": True}},
            {"dangerous": "physical"},
            {"clash": {"pins": [["Karl Franz", "Orc Boyz"]]}},
        ],
    )
    chance = wanted["disks"]["Orc Boyz"]["p_destroyed"]
    out, err = run(capsys, *ROUND)
    assert out.splitlines()[1].split()[:3] == ["Orc", "Boyz", f"{chance:.1%}"]
    assert f"Orc Boyz in the end: destroyed {chance:.1%}" in out
    assert err == ""
    document = json.loads(run(capsys, *ROUND, "--format", "json")[0])
    assert document["answer"]["disks"]["Orc Boyz"]["p_destroyed"] == pytest.approx(chance)
    played, _ = run(capsys, *ROUND, "--method", "simulate", "--trials", "1000")
    assert "s.e." in played
    assert (
        "1. Reikland Crossbowmen at Orc Boyz: 2 dice at medium range" in run(capsys, *ROUND, "--explain")[0]
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["Orc Boyz", "--event", "hit it"],
            "round: --event: cannot read 'hit it' (write something like 'shoot 3 dice",
        ),
        (
            ["Orc Boyz", "--event", "magic lots"],
            "round: --event: cannot read 'magic lots' (write something like 'magic 2')",
        ),
        (["Orc Boyz", "--event", "clash Karl Franz"], "round: --event: 'clash Karl Franz' pins no disk"),
        (["Orc Boyz", "--event", "shoot 3 dice"], "round: --event: 'shoot 3 dice' has no range"),
        (["Orc Boyz", "--event", "shoot 3 dice, meduim"], "round: --event: cannot read 'meduim' in "),
        (["Wolf Riders", "--event", "magic 1"], "round: the stamina of Wolf Riders is not known"),
        (
            ["Orc Boyz", "Karl Franz", "--event", "clash Karl Franz > Orc Boyz"],
            "round: the counter of Orc Boyz is not known (write 'Orc Boyz: counter 4')",
        ),
    ],
)
def test_round_messages(capsys: pytest.CaptureFixture[str], words: list[str], message: str) -> None:
    out, err = run(capsys, "round", *words, code=2)
    assert out == ""
    assert err.startswith(message)


def test_best_strikes_in_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    pins = ("Karl Franz>Arrer Boyz: counter 3, stamina 6", "Karl Franz>Orc Boyz: counter 3")
    usual, _ = run(capsys, "clash", *pins)
    assert "Orc Boyz    B         0" in usual
    best, _ = run(capsys, "clash", *pins, "--best", "A")
    assert "Karl Franz strikes Orc Boyz (attack)" in best
    assert "destroyed" in best
    _, err = run(capsys, "clash", *pins, "--best", "C", code=2)
    assert err == "melee: best is 'C' (give both, or the owner of disks: A or B)\n"


def test_regiments_are_found_and_played(capsys: pytest.CaptureFixture[str]) -> None:
    assert "Grimgor regiment" in run(capsys, "units", "regiment", "--system", "diskwars")[0]
    out, _ = run(capsys, "show", "Grimgor")
    assert out.startswith("Grimgor regiment (orc, Warhammer: Diskwars)")
    assert "command cards: Waaagh!, Stärke des Gork" in out
    assert run(capsys, "show", "Karl Franz")[0].startswith("Karl Franz (empire, ")  # the disk
    words = ("regiments", "Grimgor", "--vs", "Karl Franz")
    _, err = run(capsys, *words, code=2)
    assert err.startswith("regiments: a: Grimgor: attack, counter, stamina not known")
    out, err = run(capsys, *words, "--assume", "attack 3, counter 3, stamina 4")
    assert "Best pairing: 3 of b and 0 of a are destroyed" in out
    assert "assumed: Orc Boyz: counter 3\n" in err
    _, err = run(capsys, *words, "--assume", "speed 3", code=2)
    assert err == "regiments: --assume: cannot read 'speed 3' (write 'attack 3, counter 3, stamina 4')\n"
    _, err = run(capsys, "duel", "Grimgor regiment", "Karl Franz regiment", code=2)
    assert err.startswith("regiments: a: Grimgor: attack")


def test_reach_in_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("shoot", "Reikland Crossbowmen", "--at", "Orc Boyz", "--range", "siege")
    _, err = run(capsys, *words, code=2)
    assert err.startswith("ranged: Reikland Crossbowmen reaches medium range, the target is at siege range")
    assert "3 combat dice at siege range" in run(capsys, *words, "--reach", "siege")[0]


@pytest.mark.parametrize(
    ("system", "name", "commands"),
    [
        ("diskwars", "Orc Boyz", "mathhammer shoot, clash, round or regiments"),
        ("uprising", "Younglings", "mathhammer battle, recruit or quest"),
    ],
)
def test_compare_points_to_the_commands_of_the_game(
    capsys: pytest.CaptureFixture[str], system: str, name: str, commands: str
) -> None:
    for words in (["compare", name, "--vs", name, "--system", system], ["compare", name, "--vs", name]):
        _, err = run(capsys, *words, code=2)
        assert f"(use {commands})" in err
        assert "has no attack rolls" in err


def test_chance_takes_disks_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("chance", "--system", "diskwars", "magic", "--x", "4", "--target", "Orc Boyz: damage 1")
    assert "destroyed: 100.00%" in run(capsys, *words)[0]
