"""`mathhammer read`: what an ability says, a sentence or a file at a time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mathhammer.cli import main

SENTENCE = (
    "Each time this model makes a melee attack that targets a Monster unit, you can re-roll the Wound roll."
)


def test_a_sentence_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", SENTENCE, "--system", "wh40k10"]) == 0
    assert capsys.readouterr().out == (
        "About combat, read whole\n"
        "Changes           On               When                       Takes\n"
        "reroll wound any  the unit itself  melee, target has MONSTER  -\n"
        "read by: attack.makes, reroll\n"
    )


def test_words_that_are_not_understood_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    text = "This unit has Ward (2+). On a blue moon, its attacks hurt more."
    assert main(["read", text, "--system", "aos4"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("About combat, read in part\n")
    assert "not understood: On a blue moon, its attacks hurt more\n" in out


def test_what_is_not_about_combat(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "You gain 1CP.", "--system", "wh40k10"]) == 0
    assert capsys.readouterr().out == "Changes no number of combat or dice\n"


def test_what_stands_beside_it(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["read", "Heal (7) the target.", "--system", "aos4", "--kind", "Ability (Activated)"]
    words += ["--timing", "Once Per Battle, Your Hero Phase", "--format", "json"]
    words += ["--declare", 'Pick a friendly Moss unit within 6" of this unit to be the target.']
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out) == {
        "schema": "mathhammer-reading/1",
        "about": "combat",
        "effects": [
            {"on": "friends", "when": ["has MOSS", "within 6"], "use": "choice once per battle", "heal": "7"}
        ],
        "rest": [],
        "productions": ["heal.aos"],
    }


def test_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts, out = tmp_path / "texts.jsonl", tmp_path / "out.jsonl"
    rows = [
        {"id": "a", "text": SENTENCE},
        {"id": "b", "text": "You gain 1CP."},
        {"id": "c", "text": "It wounds."},
    ]
    texts.write_text("\n".join(json.dumps(row) for row in rows) + "\n", encoding="utf-8")
    assert main(["read", str(texts), "--system", "wh40k10", "-o", str(out)]) == 0
    found = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert found == [
        {
            "id": "a",
            "about": "combat",
            "effects": [{"when": ["melee", "target has MONSTER"], "reroll_wound": "any"}],
            "rest": [],
        },
        {"id": "b", "about": "none", "effects": [], "rest": []},
        {"id": "c", "about": "combat", "effects": [], "rest": ["It wounds"]},
    ]
    assert (
        capsys.readouterr().err == "3 texts, 2 of them about combat or dice: 1 read whole, 0 in part, 1 not\n"
    )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "holds no texts (give a JSON object a line, with id and text)"),
        ('{"id": 1, "text": "x"}\nnonsense', ":2: is not a JSON object (give one a line, with id and text)"),
        ("[1]", ":1: has no text (give a JSON object with id and text)"),
        (
            '{"text": "x", "timing": 3}',
            ":1: name, type, timing, declare and keywords are texts, more is an object",
        ),
    ],
)
def test_files_that_are_none(
    content: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = tmp_path / "texts.jsonl"
    texts.write_text(content, encoding="utf-8")
    assert main(["read", str(texts), "--system", "aos4"]) == 2
    error = capsys.readouterr().err
    assert error.startswith(str(texts))
    assert error.endswith(f"{said}\n")


def test_no_text_and_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", " ", "--system", "aos4"]) == 2
    assert capsys.readouterr().err == "read: there is no text (give a sentence, or a file of JSON lines)\n"
    assert main(["read", str(tmp_path / "none.jsonl"), "--system", "aos4"]) == 2
    assert "cannot be read (No such file or directory)" in capsys.readouterr().err
