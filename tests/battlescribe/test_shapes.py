"""Catalogues of unusual shape, built where they are read: default models and weapons, saves told in words, what is left out."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from catalogue_shapes import (
    BLADE,
    BODY,
    PICK,
    blade,
    carried,
    converted,
    entry,
    made,
    profile,
)

import mathhammer as mh
from mathhammer.battlescribe.convert import convert, store

# --- models and points ----------------------------------------------------------------------------------------------------


def test_limits_that_are_no_numbers_limit_nothing(tmp_path: Path) -> None:
    """-1 stands for no limit; a word is not a number."""
    group = entry("Wardens", "group", entry("Warden", "model", least="many", most=-1), least=5, id="g")
    assert made(tmp_path, group)["models"] == 5


def test_only_points_that_are_numbers_are_points(tmp_path: Path) -> None:
    costs = '<costs><cost name="Glory" value="3"/><cost name="pts" value="{}"/></costs>'
    assert made(tmp_path, more=costs.format("95"))["points"] == 95
    assert "points" not in made(tmp_path, more=costs.format("lots"))


def test_a_unit_without_a_number_of_models_has_one(tmp_path: Path) -> None:
    """The first kind that it lists, and what it could carry is what it carries."""
    first = entry("Warden", "model", entry("Blade", "upgrade", profiles=blade()), id="a")
    second = entry("Cantor", "model", entry("Hammer", "upgrade", profiles=blade("Hammer")), id="b")
    unit = made(tmp_path, first, second)
    assert (unit["models"], carried(unit)) == (1, {"Blade": (None, False), "Hammer": (None, True)})


def test_no_model_at_all_is_one_model(tmp_path: Path) -> None:
    unit = made(tmp_path, profiles=blade())
    assert (unit["models"], carried(unit)) == (1, {"Blade": (None, False)})
    assert carried(made(tmp_path)) == {}


def test_rules_of_a_model_are_not_rules_of_the_unit(tmp_path: Path) -> None:
    def ruled(*names: str) -> str:
        listed = "".join(f'<rule name="{name}"/>' for name in names)
        return f"<rules>{listed}</rules>"

    unit = made(
        tmp_path,
        entry("Warden", "model", least=3, more=ruled("Stealth")),
        more=ruled("Leader", "Deadly Demise D3"),
    )
    assert (unit.get("stealth"), unit["deadly_demise"]) == (None, "D3")
    assert made(tmp_path, entry("Warden", "model", least=3), more=ruled("Stealth"))["stealth"] is True


def test_a_unit_whose_profile_is_only_an_option_is_left_out(tmp_path: Path) -> None:
    summoned = entry("Summoned", "upgrade", profiles=profile("Summoned", "Unit", BODY), id="s")
    good = entry("Good", "unit", profiles=profile("Good", "Unit", BODY), id="g")
    report = converted(
        tmp_path,
        entry("Summoner", "unit", entry("Acolyte", "model", summoned, least=1, id="m"), id="u"),
        good,
    )
    assert report.left_out == ["C, Summoner: it has no profile"]


def test_models_that_stand_as_upgrades(tmp_path: Path) -> None:
    """Upgrades that must be there and have the profile of models are the models of a unit without others."""
    grots = entry(
        "Grot", "upgrade", profiles=profile("Grot", "Unit", BODY) + blade(), least=10, most=10, id="s"
    )
    report = converted(tmp_path, entry("Grots", "unit", entry("Grots", "group", grots, id="g"), id="u"))
    (text,) = report.files.values()
    (unit,) = tomllib.loads(text)["unit"]
    assert (unit["models"], unit["wounds"], carried(unit)) == (10, 1, {"Blade": (None, False)})
    assert report.left_out == []


def test_a_move_that_is_no_number_is_said(tmp_path: Path) -> None:
    report = converted(
        tmp_path, entry("Wardens", "unit", profiles=profile("Wardens", "Unit", BODY | {"M": "far"}), id="u")
    )
    assert report.problems == ["C, Wardens: Move 'far' is not a number or dice text"]


# --- weapons --------------------------------------------------------------------------------------------------------------


def test_a_group_that_wants_one_takes_the_first(tmp_path: Path) -> None:
    choice = entry(
        "Weapon",
        "group",
        *(entry(name, "upgrade", profiles=blade(name), id=name) for name in ("Axe", "Sword")),
        least=1,
        id="g",
    )
    assert carried(made(tmp_path, entry("Warden", "model", choice, least=3))) == {
        "Axe": (None, False),
        "Sword": (None, True),
    }


def test_what_is_offered_and_required_is_carried(tmp_path: Path) -> None:
    """The same profile by two links: first as an option, then as what every model has."""
    link = '<infoLinks><infoLink name="Axe" type="profile" targetId="axe"/></infoLinks>'
    offered = entry("Old axe", "upgrade", more=link, id="x")
    required = entry("Axe", "upgrade", more=link, least=1, id="y")
    shared = f"<sharedProfiles>{profile('Axe', 'Melee Weapons', BLADE, 'axe')}</sharedProfiles>"
    assert carried(made(tmp_path, entry("Warden", "model", offered, required, least=3), shared=shared)) == {
        "Axe": (None, False)
    }
    assert carried(made(tmp_path, entry("Warden", "model", required, offered, least=3), shared=shared)) == {
        "Axe": (None, False)
    }


def test_weapons_of_the_unit_go_to_most_models(tmp_path: Path) -> None:
    models = (
        entry("Warden", "model", least=4, id="a"),
        entry(
            "Cantor",
            "model",
            entry("Hammer", "upgrade", profiles=blade("Hammer"), least=1, id="h"),
            least=1,
            id="b",
        ),
    )
    option = entry("Spear", "upgrade", profiles=blade("Spear"), id="s")
    unit = made(tmp_path, *models, option, profiles=blade())
    assert (unit["models"], carried(unit)) == (
        5,
        {"Blade": (1, False), "Spear": (1, True), "Hammer": (1, False)},
    )


def test_an_upgrade_inside_itself_ends(tmp_path: Path) -> None:
    kit = entry(
        "Kit",
        "upgrade",
        '<entryLink name="Kit" targetId="k" type="selectionEntry"/>',
        profiles=blade(),
        least=1,
        id="k",
    )
    assert carried(made(tmp_path, entry("Warden", "model", kit, least=2, id="m"))) == {"Blade": (None, False)}


def test_profiles_in_groups_of_information(tmp_path: Path) -> None:
    own = f"<infoGroups><infoGroup name='Own'><profiles>{blade('Axe')}</profiles></infoGroup></infoGroups>"
    shared = f"<sharedInfoGroups><infoGroup name='Shared' id='ig'><profiles>{blade('Bow', Range='12&quot;')}</profiles></infoGroup></sharedInfoGroups>"
    link = "<infoLinks><infoLink name='Shared' type='infoGroup' targetId='ig'/></infoLinks>"
    kits = (entry("Axe", "upgrade", more=own, least=1, id="a"), entry("Bow", "upgrade", more=link, id="b"))
    assert carried(made(tmp_path, entry("Warden", "model", *kits, least=2), shared=shared)) == {
        "Axe": (None, False),
        "Bow": (None, True),
    }


@pytest.mark.parametrize(
    ("system", "kind", "values", "problem"),
    [
        ("wh40k10", "Melee Weapons", BLADE | {"WS": "N/A"}, "WS 'N/A' is not a roll of a D6"),
        ("wh40k10", "Ranged Weapons", BLADE | {"Range": '12"', "BS": "-"}, "BS '-' is not a roll of a D6"),
        ("aos4", "Melee Weapon", PICK | {"Hit": "-"}, "Hit '-' is not a roll of a D6"),
    ],
)
def test_weapons_that_cannot_be_read_are_said(
    tmp_path: Path, system: str, kind: str, values: dict[str, str], problem: str
) -> None:
    arms = entry("Odd", "upgrade", profiles=profile("Odd", kind, values), least=1, id="o")
    unit = made(tmp_path, entry("Warden", "model", arms, least=1), system=system)
    assert unit["problems"] == [f"C, Wardens: Odd: {problem}; the weapon is left out"]
    assert carried(unit) == {}


@pytest.mark.rule("AOS4-CM-1.0")
def test_champions_are_told_only_where_the_keyword_does_not_say_it(tmp_path: Path) -> None:
    """AOS4-CM-1.0: the keyword gives the champion's attack to a weapon of all; a champion's own weapon must be told."""
    pick, club = (
        entry(name, "upgrade", profiles=profile(name, "Melee Weapon", PICK), least=1, id=name)
        for name in ("Pick", "Club")
    )
    champion = entry("Champion", "upgrade", least=1, id="ch")

    def champions(*leader: str) -> dict[str, Any]:
        models = (
            entry("Guard", "model", pick, least=9, id="g"),
            entry("Leader", "model", *leader, least=1, id="l"),
        )
        unit = made(tmp_path, *models, system="aos4")
        return {weapon["name"]: weapon.get("champions") for weapon in unit["weapon"]}

    assert champions(champion, pick) == {"Pick": None}
    assert champions(champion, club) == {"Pick": 0, "Club": 1}


# --- saves told in words --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "fields"),
    [
        ("Invulnerable Save", "The statue has a 4+ invulnerable save.", {"invuln": 4}),
        ("Invulnerable Save", "It has a 5+ invulnerable save against melee attacks.", {"melee": 5}),
        (
            "Invulnerable Save",
            "4+ against ranged attacks and 5+ against melee attacks.",
            {"ranged": 4, "melee": 5},
        ),
        (
            "Invulnerable Save",
            "5+ against melee attacks and 4+ against ranged attacks.",
            {"ranged": 4, "melee": 5},
        ),
        (
            "Invulnerable Save (4+*)",
            "*Only while it stands on a hill.",
            {"problem": "an invulnerable save depends on a text"},
        ),
        ("Invulnerable Save", "See the bearer.", {"problem": "an invulnerable save depends on a text"}),
    ],
)
def test_invulnerable_saves(tmp_path: Path, name: str, text: str, fields: dict[str, Any]) -> None:
    unit = made(tmp_path, profiles=profile(name, "Abilities", {"Description": text}))
    found = {"invuln": unit["invuln"]} if "invuln" in unit else {}
    found |= {effect["when"][0]: effect["invuln"] for effect in unit.get("effect", [])}
    if unit["problems"]:
        found["problem"] = "; ".join(unit["problems"]).removeprefix("C, Wardens: ")
    assert found == fields


# --- files ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limit", "value", "message"),
    [
        ("MOST_FILES", 1, "{folder}: 2 catalogues (a game has at most 1)"),
        ("MOST_BYTES", 20, "{folder}/g.gst: larger than 0 MB (no real catalogue is)"),
        ("MOST_TOTAL", 20, "{folder}: more than 0 MB of catalogues (give one game's folder)"),
    ],
)
def test_catalogues_have_largest_sizes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, value: int, message: str
) -> None:
    monkeypatch.setattr(f"mathhammer.battlescribe.catalogues.{limit}", value)
    with pytest.raises(mh.BadInputError) as caught:
        converted(tmp_path, entry("Good", "unit", profiles=profile("Good", "Unit", BODY), id="g"))
    assert str(caught.value) == message.format(folder=tmp_path)


def test_a_catalogue_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "c.cat").touch()
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(mh.BadInputError) as caught:
        convert(tmp_path, "wh40k10")
    assert str(caught.value) == f"{tmp_path / 'c.cat'}: cannot be read (Permission denied)"


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    report = converted(tmp_path, entry("Good", "unit", profiles=profile("Good", "Unit", BODY), id="g"))
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "wh40k10").symlink_to(tmp_path / "nowhere")
    with pytest.raises(mh.BadInputError) as caught:
        store(report, tmp_path / "out")
    assert str(caught.value) == f"{tmp_path / 'out'}: cannot be written (File exists)"
    with pytest.raises(mh.BadInputError) as caught:
        store(report, tmp_path / "c.cat")  # a file stands there
    assert (
        str(caught.value) == f"{tmp_path / 'c.cat' / 'wh40k10' / 'c.toml'}: cannot be read (Not a directory)"
    )
