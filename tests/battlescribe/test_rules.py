"""Rules text of catalogues and rosters: gathered, read once, kept with what was worked out by hand."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import mathhammer as mh
from mathhammer.battlescribe import understanding
from mathhammer.battlescribe.convert import convert, store
from mathhammer.battlescribe.rules import HungRule, plain_text
from mathhammer.rulestext import Reading, RulesText

READINGS: dict[str, Reading] = {
    "Glassy strikes.": Reading("combat", ({"when": ["melee"], "attacks": "+1"},)),
    "Glassy strikes, and a song.": Reading(
        "combat", ({"when": ["melee"], "attacks": "+1"},), ("and a song",)
    ),
    "The bearer is hard to hurt.": Reading("combat", ({"invuln": 4},)),
    "The bearer's unit is hard to hurt.": Reading("combat", ({"fnp": 6},)),
    "It walks.": Reading("none"),
    "Odd ends.": Reading("combat", ({"when": ["at midnight"], "hit_roll": "+1"}, {"hit_roll": "+1"})),
    "It casts.": Reading("combat", ({"needs": "cast 6", "use": "choice", "hit_roll": "+1"},)),
}


@pytest.fixture(autouse=True)
def reader(monkeypatch: pytest.MonkeyPatch) -> list[RulesText]:
    """A reader that knows a few invented sentences; what it was asked."""
    asked: list[RulesText] = []

    def read(rule: RulesText, _system: str) -> Reading:
        asked.append(rule)
        return READINGS.get(rule.text, Reading("combat", (), (rule.text,)))

    monkeypatch.setattr(understanding, "read_rule", read)
    monkeypatch.setattr(understanding, "_KNOWN", {})
    return asked


IDS = {"aos4": "e51d-b1a3-75fc-dc3g", "wh40k10": "sys-352e-adc2-7639-d6a9"}
BODY = {
    "aos4": {"Move": '5"', "Health": "2", "Save": "4+", "Control": "1"},
    "wh40k10": {"M": '6"', "T": "4", "SV": "4+", "W": "2", "LD": "7+", "OC": "1"},
}
ARM = {
    "aos4": {"Atk": "2", "Hit": "4+", "Wnd": "4+", "Rnd": "1", "Dmg": "1", "Ability": "-"},
    "wh40k10": {"Range": "Melee", "A": "2", "WS": "4+", "S": "4", "AP": "0", "D": "1", "Keywords": "-"},
}
ABILITY = {"aos4": "Ability (Passive)", "wh40k10": "Abilities"}


def profile(name: str, kind: str, values: dict[str, str], more: str = "") -> str:
    inside = "".join(
        f'<characteristic name="{key}">{value}</characteristic>' for key, value in values.items()
    )
    return f'<profile name="{name}" typeName="{kind}" {more}><characteristics>{inside}</characteristics></profile>'


def ability(system: str, name: str, text: str, kind: str = "", more: str = "", **values: str) -> str:
    key = "Effect" if system == "aos4" else "Description"
    return profile(name, kind or ABILITY[system], values | {key: text}, more)


def catalogue(
    system: str, abilities: str, *, name: str = "Glass Guard", gear: str = "", rules: str = ""
) -> str:
    """Five models with a blade; `gear` hangs on one of two kinds of models."""
    blade = profile("Blade", "Melee Weapons" if system == "wh40k10" else "Melee Weapon", ARM[system])
    one = '<constraint type="min" value="{0}" field="selections" scope="parent"/><constraint type="max" value="{0}" field="selections" scope="parent"/>'
    arm = f'<selectionEntry type="upgrade" name="Blade" id="b"><profiles>{blade}</profiles><constraints>{one.format(1)}</constraints></selectionEntry>'
    shield = f'<selectionEntry type="upgrade" name="Shield" id="s"><profiles>{gear}</profiles><constraints>{one.format(1)}</constraints></selectionEntry>'

    def model(kind: str, number: int, inside: str) -> str:
        return f'<selectionEntry type="model" name="{kind}" id="{kind}"><constraints>{one.format(number)}</constraints><selectionEntries>{inside}</selectionEntries></selectionEntry>'

    unit = profile(name, "Unit", BODY[system])
    return (
        f'<catalogue id="c" name="Glass" gameSystemId="{IDS[system]}" revision="1"><selectionEntries>'
        f'<selectionEntry type="unit" name="{name}" id="u"><profiles>{unit}{abilities}</profiles><rules>{rules}</rules>'
        f"<selectionEntries>{model('Guard', 4, arm)}{model('Bearer', 1, arm + (shield if gear else ''))}</selectionEntries>"
        f"</selectionEntry></selectionEntries></catalogue>"
    )


Imported = Callable[..., dict[str, Any]]


@pytest.fixture
def imported(tmp_path: Path) -> Imported:
    """The one unit of a catalogue as it is written and read again."""

    def make(system: str, abilities: str, **how: str) -> dict[str, Any]:
        folder = tmp_path / "in"
        folder.mkdir(exist_ok=True)
        (folder / "Glass.cat").write_text(catalogue(system, abilities, **how), encoding="utf-8")
        report = convert(folder, system)
        store(report, tmp_path / "out")
        (text,) = report.files.values()
        (unit,) = tomllib.loads(text)["unit"]
        return dict(unit)

    return make


@pytest.mark.parametrize("system", ["aos4", "wh40k10"])
def test_an_imported_unit_has_its_abilities(imported: Imported, tmp_path: Path, system: str) -> None:
    texts = [("Edges", "Glassy strikes."), ("Choir", "Glassy strikes, and a song."), ("Walk", "It walks.")]
    unit = imported(system, "".join(ability(system, name, text) for name, text in texts))
    assert unit["ability"] == [
        {"name": "Edges", "effect": [{"when": ["melee"], "attacks": "+1"}], "text": "Glassy strikes."},
        {
            "name": "Choir",
            "rest": ["and a song"],
            "effect": [{"when": ["melee"], "attacks": "+1"}],
            "text": "Glassy strikes, and a song.",
        },
        {"name": "Walk", "about": "none", "text": "It walks."},
    ]
    loaded = mh.load_unit("Glass Guard", system, datasheets=tmp_path / "out")
    assert [(one.name, one.state) for one in loaded.abilities] == [
        ("Edges", "whole"),
        ("Choir", "part"),
        ("Walk", "none"),
    ]
    result = mh.fight(loaded, loaded)
    assert result.plan.volleys[0].attacks.mean() == 5 * (2 + 1 + 1)
    assert result.not_counted == ("Glass Guard: Choir (in part not understood: and a song)",)


def test_what_stands_beside_a_spell_reaches_the_reader(imported: Imported, reader: list[RulesText]) -> None:
    spell = {"Timing": "Your Hero Phase", "Declare": "Pick a unit", "Keywords": "Spell", "Casting Value": "6"}
    imported("aos4", ability("aos4", "Chant", "It casts.", "Ability (Spell)", **spell))
    (rule,) = reader
    assert rule == RulesText(
        "It casts.",
        "Chant",
        "Ability (Spell)",
        "Your Hero Phase",
        "Pick a unit",
        "Spell",
        {"Casting Value": "6"},
    )


def test_marks_of_catalogues_are_taken_away() -> None:
    assert plain_text("Each ^^**Ember^^** unit\n\n\n  burns,  **twice**.") == "Each Ember unit\nburns, twice."


def test_core_rules_with_a_field_count_once(imported: Imported, reader: list[RulesText]) -> None:
    rules = "".join(
        f'<rule name="{name}"><description>Core words.</description></rule>'
        for name in (
            "Stealth",
            "Deadly Demise D3",
            "Feel No Pain 5+",
            "Fights First",
            "Lethal Hits",
            "Melta",
            "Anti-",
        )
    )
    save = ability("wh40k10", "Invulnerable Save (4+)", "Each statue has a 4+ invulnerable save.")
    unit = imported("wh40k10", save, rules=rules)
    assert "ability" not in unit
    assert reader == []
    assert [unit[key] for key in ("stealth", "deadly_demise", "fnp", "fights_first", "invuln")] == [
        True,
        "D3",
        5,
        True,
        4,
    ]


def test_other_rules_are_abilities_and_hidden_ones_are_not(imported: Imported) -> None:
    rule = '<rule name="Army Song"><description>Glassy strikes.</description></rule><rule name="Base Size"><description>32mm</description></rule>'
    unit = imported("wh40k10", ability("wh40k10", "Ghost", "It walks.", more='hidden="true"'), rules=rule)
    assert [one["name"] for one in unit["ability"]] == ["Army Song"]


def test_what_some_models_carry_is_not_given_to_all(imported: Imported) -> None:
    unit = imported("wh40k10", "", gear=ability("wh40k10", "Shield", "The bearer is hard to hurt."))
    assert unit["ability"] == [
        {"name": "Shield", "rest": ["for 1 of its 5 models: invuln 4"], "text": "The bearer is hard to hurt."}
    ]
    unit = imported("wh40k10", "", gear=ability("wh40k10", "Kit", "The bearer's unit is hard to hurt."))
    assert unit["ability"][0]["effect"] == [{"fnp": 6}]


def test_an_effect_that_the_game_refuses_is_put_into_words(imported: Imported) -> None:
    unit = imported("aos4", ability("aos4", "Odd", "Odd ends."))
    assert unit["ability"][0]["rest"] == ["hit roll +1 (when at midnight)"]
    assert unit["ability"][0]["effect"] == [{"hit_roll": "+1"}]


def test_two_abilities_of_one_name_keep_their_names_apart(imported: Imported) -> None:
    twice = ability("aos4", "Song", "It walks.") + ability("aos4", "Song", "Glassy strikes.")
    unit = imported("aos4", twice + ability("aos4", "Song", "It walks."))
    assert [(one["name"], one["text"]) for one in unit["ability"]] == [
        ("Song", "It walks."),
        ("Song (2)", "Glassy strikes."),
    ]


def test_one_text_is_read_once(imported: Imported, reader: list[RulesText]) -> None:
    imported("aos4", ability("aos4", "Song", "It walks."))
    imported("aos4", ability("aos4", "Song", "It walks."))
    assert len(reader) == 1


def test_quotes_and_lines_come_back(imported: Imported) -> None:
    words = "It's \"loud\" 'ere'\nand \\ more'''"
    unit = imported("aos4", ability("aos4", "Song", words.replace('"', "&quot;")))
    assert unit["ability"][0]["text"] == words


# --- rules worked out by hand -------------------------------------------------------------------------------


def test_effects_by_hand_are_kept_and_win(imported: Imported, tmp_path: Path) -> None:
    shipped = mh.load_unit("Rat Ogors", "aos4")
    (name,) = {effect.name for effect in shipped.effects}
    unit = imported("aos4", ability("aos4", name, "Glassy strikes."), name="Rat Ogors")
    assert {effect["name"] for effect in unit["effect"]} == {name}
    loaded = mh.load_unit("Rat Ogors", "aos4", datasheets=tmp_path / "out")
    assert loaded.effects == shipped.effects
    assert [(one.name, one.state) for one in loaded.abilities] == [(name, "whole")]


def test_every_shipped_effect_survives_an_import_of_its_unit() -> None:
    for system in ("aos4", "wh40k10"):
        for name, shipped in understanding._shipped(system).items():
            weapons = {"weapon": shipped["weapon"]}
            kept = understanding.with_rules_by_hand(system, {"name": name, **weapons})
            assert kept.get("effect", []) == shipped.get("effect", [])
            assert kept.get("not_covered", []) == shipped.get("not_covered", [])


def test_an_effect_by_hand_whose_weapon_is_gone_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = {
        "song": {
            "name": "Song",
            "faction": "Choir",
            "effect": [{"name": "Edge", "weapon": "Axe", "attacks": "+1"}],
            "damage_reduction": 1,
        }
    }
    monkeypatch.setattr(understanding, "_shipped", lambda _system: shipped)
    kept = understanding.with_rules_by_hand("wh40k10", {"name": "Song", "weapon": [{"name": "Horn"}]})
    assert kept == {
        "damage_reduction": 1,
        "name": "Song",
        "weapon": [{"name": "Horn"}],
        "not_covered": ["Edge (no weapon Axe)"],
    }
    read = {"name": "Hide", "effect": [{"damage_reduction": 1}]}
    kept = understanding.with_rules_by_hand("wh40k10", {"name": "Song", "ability": [read]})
    assert "damage_reduction" not in kept  # the text says it


def test_a_rule_under_another_spelling_counts_once_and_another_faction_keeps_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    by_hand = [{"name": "Damaged", "hit_roll": "-1"}, {"name": "Rage", "attacks": "+1"}]
    shipped = {"song": {"name": "Song", "faction": "Choir", "effect": by_hand}}
    monkeypatch.setattr(understanding, "_shipped", lambda _system: shipped)
    read = {"name": "Damaged: 1-4 wounds remaining", "effect": [{"when": ["wounds <= 4"], "hit_roll": "-1"}]}
    fields = {"name": "Song", "models": 1, "toughness": 4, "wounds": 8, "ability": [read]}
    ours = understanding.with_rules_by_hand("wh40k10", fields, "Xenos - Choir")
    assert [effect["name"] for effect in ours["effect"]] == ["Damaged", "Rage"]
    assert [effect.name for effect in mh.make_unit("wh40k10", ours).effects] == ["Damaged", "Rage"]
    theirs = understanding.with_rules_by_hand("wh40k10", fields, "Xenos - Others")
    assert [effect["name"] for effect in theirs["effect"]] == ["Damaged"]


# --- rosters --------------------------------------------------------------------------------------------------


def roster(system: str, abilities: str) -> str:
    blade = profile("Blade", "Melee Weapons" if system == "wh40k10" else "Melee Weapon", ARM[system])
    unit = profile("Glass Guard", "Unit", BODY[system])
    return (
        f'<roster name="Glass" gameSystemId="{IDS[system]}"><forces><force name="F" catalogueName="Glass"><selections>'
        f'<selection id="1" name="Glass Guard" type="unit" number="1"><profiles>{unit}{abilities}</profiles><selections>'
        f'<selection name="Guard" type="model" number="5"><selections><selection name="Blade" type="upgrade" number="5">'
        f"<profiles>{blade}</profiles></selection></selections></selection></selections></selection>"
        f"</selections></force></forces></roster>"
    )


@pytest.mark.parametrize("system", ["aos4", "wh40k10"])
def test_units_of_a_roster_have_their_abilities(system: str) -> None:
    texts = ability(system, "Edges", "Glassy strikes.") + ability(system, "Hum", "Nobody knows.")
    (entry,) = mh.read_roster(roster(system, texts)).entries
    assert entry.unit is not None
    assert [(one.name, one.state) for one in entry.unit.abilities] == [("Edges", "whole"), ("Hum", "unread")]
    assert mh.fight(entry.unit, entry.unit).not_counted == (
        "Glass Guard: Hum (not understood: Nobody knows.)",
    )


def test_a_rule_hangs_on_some_models() -> None:
    rule = RulesText("Its bearer sings.")
    assert not HungRule(rule).of_some
    assert HungRule(rule, "Guard").of_some
    assert not HungRule(RulesText("The bearer's unit sings."), "Guard").of_some


# --- how much is understood ---------------------------------------------------------------------------------


def test_a_report_counts_abilities_by_faction(imported: Imported, tmp_path: Path) -> None:
    texts = [("A", "Glassy strikes."), ("B", "Glassy strikes, and a song."), ("C", "Hm."), ("D", "It walks.")]
    imported("aos4", "".join(ability("aos4", name, text) for name, text in texts))
    report = convert(tmp_path / "in", "aos4")
    share = report.abilities.share("Glass")
    assert (share.whole, share.part, share.unread, share.beside) == (1, 1, 1, 1)
    assert report.abilities.total == share
    assert dict(report.abilities.unread) == {"and a song": 1, "Hm.": 1}


def test_a_text_without_end_is_cut(imported: Imported) -> None:
    unit = imported("aos4", ability("aos4", "Song", "la " * 20_000))
    assert len(unit["ability"][0]["text"]) <= 20_000
