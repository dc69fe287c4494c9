"""The files of dice and records that come with the games: what a damaged installation says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import mathhammer as mh
from mathhammer.games.records import data_folder, dice_sets, load, records

DICE = '[[set]]\nname = "{name}"\ndefault = {default}\nconfidence = "high"\nsource = "none"\nfaces = {{ hit = 1 }}\n'


def two_sets(first: str, second: str, default: str) -> str:
    return (
        'system = "game"\n'
        + DICE.format(name=first, default="true")
        + DICE.format(name=second, default=default)
    )


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installation of its own, with one game that no other test knows."""
    monkeypatch.setattr("mathhammer.games.records.FOLDERS", (tmp_path / "nowhere", tmp_path))
    for cached in (load, dice_sets, records):
        cached.cache_clear()
    (tmp_path / "game").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("content", "call", "message"),
    [
        (
            None,
            lambda: load("game", "dice.toml"),
            "datasheets/game/dice.toml: there is no such file (install mathhammer again)",
        ),
        (
            b'system = "other"',
            lambda: load("game", "dice.toml"),
            "datasheets/game/dice.toml: system is 'other' (write system = 'game')",
        ),
        (
            two_sets("one", "one", "false").encode(),
            lambda: dice_sets("game"),
            "datasheets/game/dice.toml: the sets are ['one', 'one'] (give each its own name, and exactly one default = true)",
        ),
        (
            two_sets("one", "two", "true").encode(),
            lambda: dice_sets("game"),
            "datasheets/game/dice.toml: the sets are ['one', 'two'] (give each its own name, and exactly one default = true)",
        ),
        (
            b'system = "game"\n[[disk]]\nname = "Orc Boyz"\n[[disk]]\nname = "orc boyz"\n',
            lambda: records("game", "dice.toml", "disk"),
            "datasheets/game/dice.toml: disk 'orc boyz' is there twice (give each name once)",
        ),
    ],
)
def test_messages(folder: Path, content: bytes | None, call: Callable[[], Any], message: str) -> None:
    if content is not None:
        (folder / "game" / "dice.toml").write_bytes(content)
    with pytest.raises(mh.BadInputError) as caught:
        call()
    assert str(caught.value) == message


@pytest.mark.parametrize("content", [b"system = game", b'system = "\xff"'])
def test_what_is_no_toml(folder: Path, content: bytes) -> None:
    (folder / "game" / "dice.toml").write_bytes(content)
    with pytest.raises(
        mh.BadInputError, match=r"^datasheets/game/dice\.toml: no valid TOML: .+ \(mend that line\)$"
    ):
        load("game", "dice.toml")


def test_no_data_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mathhammer.games.records.FOLDERS", (tmp_path / "nowhere",))
    with pytest.raises(mh.BadInputError) as caught:
        data_folder()
    assert (
        str(caught.value)
        == "datasheets: no folder found beside or inside the package (install mathhammer again)"
    )
