"""`compare` of two editions side by side."""

from __future__ import annotations

import json

import pytest

import mathhammer as mh
from mathhammer.cli import main

BOTH = ("--system", "wh40k10,wh40k11")


def test_two_editions_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "compare",
        "Immortals",
        "--weapons",
        "ranged",
        "--situation",
        "target in cover",
        "--vs",
        "Boyz",
        *BOTH,
    ]
    assert main(words) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Warhammer 40,000 10: exact · 5 models, ranged · target in cover"
    missing = "not counted: Immortals: Reanimation Protocols (counts in duels only)"
    assert lines[1] == f"Warhammer 40,000 10, {missing}"
    assert lines[2] == "Warhammer 40,000 11: exact · 5 models, ranged · target in cover"
    assert lines[3].startswith(f"Warhammer 40,000 11, {missing}")
    lines = lines[2:]
    assert lines[2].split()[:7] == ["Target", "Attacker", "Damage", "10", "Damage", "11", "Change"]
    means = [
        mh.fight(
            "Immortals", "Boyz", system=system, weapons="ranged", situation="target in cover"
        ).lost.mean()
        for system in ("wh40k10", "wh40k11")
    ]
    assert lines[3].split()[2:4] == [f"{mean:.2f}" for mean in means]
    assert lines[3].split()[4] == f"{100 * (means[1] / means[0] - 1):+.0f}"


def test_every_reference_target_and_both_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "Boyz", *BOTH, "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "mathhammer-compare-editions/1"
    assert document["systems"] == ["wh40k10", "wh40k11"]
    assert len(document["rows"]) == 8
    assert set(document["rows"][0]["editions"]) == {"wh40k10", "wh40k11"}
    assert main(["compare", "Boyz", *BOTH, "--format", "csv"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert rows[0].startswith("system,attacker,target")
    assert [row.split(",")[0] for row in rows[1:3]] == ["wh40k10", "wh40k11"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["compare", "Boyz", "--system", "wh40k10,wh40k99"],
            "compare: Invalid value for '--system': 'wh40k99'",
        ),
        (
            ["matrix", "Boyz", *BOTH],
            "matrix: Invalid value for '--system': 'wh40k10,wh40k11' are several games",
        ),
        (["compare", "Weirdboy", *BOTH], "compare: no unit 'Weirdboy' in wh40k11"),
        (["compare", "Boyz", "--system", "aos4,wh40k11"], "compare: no unit 'Boyz' in aos4"),
    ],
)
def test_what_it_refuses(capsys: pytest.CaptureFixture[str], words: list[str], message: str) -> None:
    assert main(words) == 2
    assert capsys.readouterr().err.startswith(message)


def test_weapons_that_one_edition_silences_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "compare",
        "Doomsday Ark",
        "--weapons",
        "ranged",
        "--situation",
        "engaged",
        "--vs",
        "Marines",
        *BOTH,
    ]
    assert main(words) == 0
    told = capsys.readouterr().err
    assert "Warhammer 40,000 11: Doomsday Ark, Doomsday cannon" in told
    assert "WH40K11-24.05" in told


def test_several_units_share_their_conditions_and_name_what_is_not_counted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["compare", "Khorne Berzerkers", "Necron Warriors", "--vs", "Marines", *BOTH]
    assert main(words) == 0
    lines = capsys.readouterr().out.splitlines()
    for line, edition in ((lines[0], 10), (lines[2], 11)):
        about = "exact · 10 models, the better of melee and ranged"
        assert line == f"Warhammer 40,000 {edition}: {about}"
    assert "not counted: " in lines[1]
    assert lines[4].split()[:3] == ["Target", "Attacker", "Kind"]
    assert [line.split()[3] for line in lines[5:7]] == ["melee", "ranged"]
    assert not any("-0 %" in line for line in lines)
    assert main([*words, "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    for system in ("wh40k10", "wh40k11"):
        assert document["conditions"][system]["models"] == 10
        assert any(rule.startswith("Necron Warriors: ") for rule in document["not_counted"][system])
