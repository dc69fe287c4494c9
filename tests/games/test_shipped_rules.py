"""Rules of shipped datasheets that are effects: the numbers counted by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from wh40k_units import gun, squad

import mathhammer as mh
from mathhammer.cli import main
from mathhammer.dice.notation import parse_dice
from mathhammer.duel.telling import duel_conditions, duel_not_counted


def harmless(name: str, system: str) -> mh.Unit:
    """A shipped unit whose weapons make no attacks, so that only its rules hurt; no champion has one more."""
    unit = mh.load_unit(name, system)
    weapons = tuple(replace(weapon, attacks=parse_dice(0)) for weapon in unit.weapons)
    return replace(unit, weapons=weapons, keywords=unit.keywords - {"CHAMPION"})


def foe(system: str, **fields: Any) -> mh.Unit:
    stats = {"toughness": 4, "wounds": 50} if system == "wh40k10" else {"health": 50}
    return mh.make_unit(system, {"name": "Foe", "models": 1, **stats, **fields})


@pytest.mark.rule("WH40K-MORTAL", "AOS4-17.2")
@pytest.mark.parametrize(
    ("name", "system", "keywords", "mean"),
    [
        ("Lord Invocatus", "wh40k10", [], (2 * 1 + 2 * 2 + 5) / 6),  # 2-3: 1, 4-5: D3, 6: D3+3
        ("Einhyr Champion", "wh40k10", [], (4 * 2 + 5) / 6),  # 2-5: D3, 6: D3+3
        ("Deff Dread", "wh40k10", [], (4 * 2 + 5) / 6),
        ("Boingrot Bounderz", "aos4", [], 5 / 2),  # five models, each 1 on 4+
        ("Gore-gruntas", "aos4", ["infantry"], (2 + 3) / 3),  # a D3 of 2 or 3
        ("Gore-gruntas", "aos4", ["cavalry"], (3 + 4) / 3),  # one more against cavalry
    ],
)
def test_mortal_wounds_after_a_charge(name: str, system: str, keywords: list[str], mean: float) -> None:
    unit, target = harmless(name, system), foe(system, keywords=keywords)
    assert mh.fight(unit, target, weapons="melee").lost.mean() == pytest.approx(0)
    assert mh.fight(unit, target, weapons="melee", situation="charged").lost.mean() == pytest.approx(mean)


def test_the_bands_of_one_roll_are_one_roll() -> None:
    """A D6: nothing on a 1, one on 2-3, D3 on 4-5, four to six on a 6."""
    lost = mh.fight(
        harmless("Lord Invocatus", "wh40k10"), foe("wh40k10"), weapons="melee", situation="charged"
    ).lost
    expected = {0: 1 / 6, 1: 2 / 6 + 2 / 18, 2: 2 / 18, 3: 2 / 18, 4: 1 / 18, 5: 1 / 18, 6: 1 / 18}
    assert {value: chance for value, chance in lost.to_dict().items() if chance} == pytest.approx(expected)


@pytest.mark.parametrize(
    ("name", "system", "weapons", "mean"),
    [
        ("Ardboyz", "aos4", "melee", 10 / 6),  # ten models, each 1 on a 6
        ("Annihilation Barge", "wh40k10", "ranged", 2 / 3),  # D3 on 5+
        ("C'tan Shard of the Nightbringer", "wh40k10", "melee", 1.0),  # D3 on 4+
    ],
)
def test_mortal_wounds_of_every_attack(name: str, system: str, weapons: str, mean: float) -> None:
    lost = mh.fight(harmless(name, system), foe(system), weapons=weapons).lost
    assert lost.mean() == pytest.approx(mean)


@pytest.mark.rule("WH40K-LEADING")
def test_what_a_leader_gives_to_those_he_leads() -> None:
    """Khârn re-rolls ones to hit and wound while he leads, and not alone; nobody beside him has it."""
    kharn, band = mh.load_unit("Khârn the Betrayer", "wh40k10"), mh.load_unit("Khorne Berzerkers", "wh40k10")
    together = mh.attach(kharn, band)
    (axe,) = [weapon.name for weapon in kharn.weapons if weapon.kind == "melee"][:1]
    target = foe("wh40k10", toughness=4)
    alone = mh.fight(kharn, target, weapons=axe).funnel["hits"]
    led = mh.fight(together, target, weapons=axe).funnel["hits"]
    assert led == pytest.approx(alone * 7 / 6)
    assert not any("leads" in rule for rule in kharn.not_covered)


@pytest.mark.rule("WH40K-RETURNED", "WH40K-ATTACHED")
def test_necrons_reanimate_once_for_the_whole_unit() -> None:
    """D3 wounds in their own turn: two on average, with a leader too."""
    warriors, overlord = mh.load_unit("Necron Warriors", "wh40k10"), mh.load_unit("Overlord", "wh40k10")
    for unit in (warriors, mh.attach(overlord, warriors)):
        idle = squad(gun(attacks=1, skill=6, strength=1, ap=0, range=48), name="Idle", models=1)
        duel = mh.duel(unit.with_lost(5), idle, rounds=1, distance=40, charge="none", weapons={"a": "melee"})
        assert duel.models[0].mean() == pytest.approx(unit.models - 5 + 2 - 1 / 6 * 1 / 6 * 1 / 2)


def test_clanrats_return() -> None:
    rats = mh.load_unit("Clanrats", "aos4").with_lost(10)
    bow = {
        "name": "Bow",
        "kind": "ranged",
        "range": 48,
        "attacks": 1,
        "hit": 6,
        "wound": 6,
        "rend": 6,
        "damage": 1,
    }
    duel = mh.duel(rats, foe("aos4", weapon=[bow]), rounds=1, distance=40, charge="none")
    assert duel.models[0].mean() == pytest.approx(12 - 1 / 36)


@pytest.mark.rule("WH40K-MODROLL")
def test_guardian_protocols_need_a_noble_and_a_stronger_attack() -> None:
    guards = mh.load_unit("Lychguard", "wh40k10")
    led = mh.attach(mh.load_unit("Overlord", "wh40k10"), guards)

    def wounding(target: mh.Unit, strength: int) -> float:
        found = mh.fight(squad(gun(skill=2, strength=strength, attacks=6)), target).funnel
        return float(found["wounds"] / found["hits"])

    assert wounding(guards, 6) == pytest.approx(4 / 6)
    assert wounding(led, 6) == pytest.approx(3 / 6)
    assert wounding(led, 5) == pytest.approx(3 / 6)  # not stronger


def test_rules_that_are_used_or_said() -> None:
    """An ability is off, and named, until a word behind the colon uses it."""
    plain, fury = (
        mh.fight("Rat Ogors", "Liberators"),
        mh.fight("Rat Ogors: unleashed warp-fury", "Liberators"),
    )
    assert "Rat Ogors: Unleashed Warp-fury (not used)" in plain.not_counted
    assert not any("warp-fury" in rule.lower() for rule in fury.not_counted)
    assert fury.funnel["attacks"] > plain.funnel["attacks"]
    quiet, loud = mh.fight("Morkanaut", "Marines"), mh.fight("Morkanaut: waaagh", "Marines")
    assert "Morkanaut: Big an' Shooty (needs Waaagh)" in quiet.not_counted
    assert loud.lost.mean() > quiet.lost.mean()
    assert not any("Shooty" in rule for rule in mh.fight("Morkanaut: melee", "Marines").not_counted)


def test_what_one_side_uses_the_other_does_not() -> None:
    """Saves of 1 again are for those who use it: as a target it loses less, as an attacker it does not help."""
    name = "Tyranid Warriors with Melee Bio-weapons"

    def lost(attacker: str, target: str) -> float:
        return mh.fight(attacker, target, weapons="melee").lost.mean()

    used = f"{name}: bioregeneration"
    assert lost(name, used) < lost(name, name)
    assert lost(used, name) == pytest.approx(lost(name, name))
    table = mh.compare([name], [name, used], weapons="melee")
    assert table["lost"].tolist() == pytest.approx([lost(name, name), lost(name, used)])


@pytest.mark.parametrize("method", ["exact", "simulate"])
def test_abilities_in_use_act_in_duels(method: str) -> None:
    """Two combats, and D3 damage of its own in each: four or more (six of nine) slay an ogor of four Health."""
    how: dict[str, Any] = {} if method == "exact" else {"method": method, "trials": 20_000, "seed": 3}
    idle = foe("aos4", health=500)
    duel = mh.duel("Rat Ogors: unleashed warp-fury", idle, rounds=1, **how)
    near = 1e-12 if method == "exact" else 0.02
    assert duel.models[0].mean() == pytest.approx(3 - 6 / 9, abs=near)
    left = "Rat Ogors: Unleashed Warp-fury (not used)"
    assert left not in duel_not_counted(duel)
    assert left in duel_not_counted(mh.duel("Rat Ogors", idle, rounds=1))


def test_show_tells_what_a_rule_deals_and_when(capsys: pytest.CaptureFixture[str]) -> None:
    older = {"Flash Gitz": ("--system", "wh40k10")}  # also a unit of the 11th edition

    def shown(name: str) -> list[str]:
        assert main(["show", name, *older.get(name, ())]) == 0
        return [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]

    stampede = "Bloody Stampede works when melee and charged, on a roll of 6 mortal D3+3 (on target)"
    assert stampede in shown("Lord Invocatus")
    assert "Shield Bash works when melee mortal 1 on 6+, a die per model (on target)" in shown("Ardboyz")
    assert "Ammo Runt use it (once per battle), works when ranged gain Lethal Hits" in shown("Flash Gitz")


def test_a_duel_uses_once_what_is_used_once() -> None:
    duel = mh.duel("Slaughterbound: possessed lord", "Marines", rounds=1, system="wh40k10")
    assert duel_conditions(duel).endswith("a using Possessed Lord@1a")


@pytest.mark.parametrize(("situation", "again"), [([], 0), (["target_on_objective"], 1)])
def test_immortals_against_a_target_on_an_objective(situation: list[str], again: int) -> None:
    """Strength 5 against Toughness 5: 4+ with ones again (7/12), or all failed ones again (3/4)."""
    immortals = mh.load_unit("Immortals", "wh40k10")
    carbines = mh.fight(
        immortals, foe("wh40k10", toughness=5), weapons="Tesla carbine", situation=situation
    ).funnel
    assert carbines["wounds"] / carbines["hits"] == pytest.approx((7 / 12, 3 / 4)[again])


def test_the_closest_target_of_flash_gitz() -> None:
    gitz = mh.load_unit("Flash Gitz", "wh40k10")
    near = mh.fight(gitz, foe("wh40k10"), weapons="ranged", situation="closest_target").funnel["attacks"]
    assert near == pytest.approx(4 * gitz.models)
