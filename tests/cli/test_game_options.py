"""Options of unclear rules: what each decides, and which of them a fight depends on."""

from __future__ import annotations

import json
from typing import Any

import pytest
from wh40k_units import blade, gun, squad

import mathhammer as mh
from mathhammer.cli import main
from mathhammer.conformance import listed
from mathhammer.games.discovery import attacks_of

SYSTEMS = ("aos1", "aos4", "wh40k10", "wh40k11")


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(list(words)) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_option_says_what_it_decides_and_by_which_rule(system: str) -> None:
    attacks, rules = attacks_of(system), listed(system)
    assert attacks.options == {name: option.default for name, option in attacks.readings.items()}
    for option in attacks.readings.values():
        assert option.other != option.default
        assert type(option.other) is type(option.default)
        assert option.what != option.otherwise
        assert all((option.what, option.otherwise))
        assert option.rule in rules


@pytest.mark.rule(
    "AOS1-SILENT-4",
    "AOS1-SILENT-15",
    "AOS4-AMB-2",
    "AOS4-SP-1",
    "WH40K-ATTACHED",
)
@pytest.mark.rule("AOS1-COMMAND", "AOS1-BATTLESHOCK", "AOS4-AMB-20", "WH40K-FIGHTORDER")
@pytest.mark.parametrize(
    ("system", "names"),
    [
        (
            "aos1",
            "ones_always_fail allocation mystic_shields mystic_shields_stack least_characteristic "
            "slain_earlier_this_turn bravery inspiring_presence",
        ),
        ("aos4", "crit_always_hits save_cap_includes_rend spearhead charge_reroll companion_set"),
        (
            "wh40k10",
            "save_cap precision_choice plunging_fire stratagem_keywords attached_fights_first damage_reroll "
            "characters_protected",
        ),
    ],
)
def test_no_option_is_missing(system: str, names: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(run(capsys, "options", system, "--format", "json"))["options"]
    assert [one["name"] for one in found] == names.split()


def test_the_command_lists_them(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "options", "wh40k10")
    assert out.splitlines()[0].split()[:2] == ["Option", "Default"]
    row = next(line for line in out.splitlines() if line.startswith("save_cap"))
    assert all(word in row for word in ("net", "bonus", "WH40K-SAVECAP"))
    everything = json.loads(run(capsys, "options", "--format", "json"))
    assert everything["schema"] == "mathhammer-options/1"
    assert {one["system"] for one in everything["options"]} == set(SYSTEMS)
    assert everything["options"][0] == {
        "system": "aos1",
        "name": "ones_always_fail",
        "default": "False",
        "what": "an unmodified 1 is like any other roll",
        "other": "True",
        "otherwise": "it always fails, as in later editions",
        "rule": "AOS1-SILENT-1",
    }


def test_a_game_without_attacks_has_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["options", "diskwars"]) == 2
    assert capsys.readouterr().err.startswith("mathhammer: ")


def test_explain_names_the_options_that_change_the_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "explain", "Intercessor Squad: ranged", "Boyz: in cover, +1 to save")
    assert "Options: save_cap net (WH40K-SAVECAP)" in out.splitlines()
    assert "Options:" not in run(capsys, "explain", "Intercessor Squad: ranged", "Boyz")
    out = run(capsys, "explain", "Liberators", "Clanrats: +1 to save, all-out defence")
    assert "Options: save_cap_includes_rend True (AOS4-AMB-2)" in out.splitlines()


SURE = {"name": "Sure", "on": "target", "save_roll": "+1"}
HARD: dict[str, Any] = {"ap": -1, "strength": 4}


@pytest.mark.rule("WH40K-SAVECAP", "WH40K-PRECISION", "WH40K-SMOKE")
def test_options_of_40k_that_matter() -> None:
    shooters, foe = squad(gun(**HARD)), squad(name="Foe", models=5, save=4)
    capped = {"situation": "target_in_cover", "effects": [SURE]}
    assert mh.fight(shooters, foe).options == ()
    assert mh.fight(shooters, foe, **capped).options == ("save_cap net (WH40K-SAVECAP)",)
    other = mh.fight(shooters, foe, options={"save_cap": "bonus"}, **capped)
    assert other.options == ("save_cap bonus (WH40K-SAVECAP)",)
    assert "save_cap bonus" in str(other.conditions)
    hidden = mh.fight(shooters, foe, commands="smokescreen", options={"stratagem_keywords": "ignored"})
    assert "stratagem_keywords ignored (WH40K-SMOKE)" in hidden.options
    captain = mh.load_unit("Captain", "wh40k10")
    led = mh.attach(captain, squad(name="Guards", models=5, save=4))
    sniper = squad(gun(abilities=["Precision"], **HARD))
    assert "precision_choice character (WH40K-PRECISION)" in mh.fight(sniper, led).options
    assert "precision_choice character (WH40K-PRECISION)" not in mh.fight(shooters, led).options


@pytest.mark.rule("AOS4-AMB-1", "AOS1-SILENT-7", "AOS1-SILENT-1")
def test_options_of_age_of_sigmar_that_matter() -> None:
    def clan(system: str, **weapon: Any) -> mh.Unit:
        axe = {"name": "Axe", "attacks": 2, "hit": 4, "wound": 4, "damage": 1} | weapon
        health = {"health": 1} if system == "aos4" else {"wounds": 1}
        return mh.make_unit(system, {"name": "Clan", "models": 5, "save": 5, "weapon": [axe], **health})

    worse = {"name": "Worse", "hit_roll": "-1"}
    plain, wild = clan("aos4"), clan("aos4", hit=6)
    assert mh.fight(plain, plain, effects=[worse]).options == ()
    assert mh.fight(wild, plain, effects=[worse]).options == ("crit_always_hits True (AOS4-AMB-1)",)
    spearhead = mh.fight(plain, plain, options={"spearhead": True})
    assert spearhead.options == ("spearhead True (AOS4-SP-1)",)
    old = clan("aos1")
    assert mh.fight(old, old).options == ()
    shields = mh.fight(old, old, options={"mystic_shields": 2}).options
    assert shields == ("mystic_shields 2 (AOS1-MYSTIC-SHIELD)", "mystic_shields_stack True (AOS1-SILENT-7)")
    better = mh.fight(old, old, effects=[{"name": "Better", "hit_roll": "+3"}]).options
    assert better == ("ones_always_fail False (AOS1-SILENT-1)",)


def test_an_option_that_matters_in_one_way_a_roll_comes_up() -> None:
    """A bonus behind a roll: the cap is looked at where it comes up."""
    ward = {"name": "Veil", "needs": "4+", "save_roll": "+1"}
    veiled = squad(blade(), name="Veiled", models=5, save=4, effect=[ward])
    result = mh.fight(squad(gun(**HARD)), veiled, situation="target_in_cover")
    assert result.branches
    assert result.options == ("save_cap net (WH40K-SAVECAP)",)
