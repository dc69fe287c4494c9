"""Duels: solved by hand, against literal dice, exact against simulate, orders of fighting, messages, the command."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from roster_files import ROSTERS, zipped

import mathhammer as mh
from mathhammer.cli import main
from mathhammer.duel.advice import advise
from mathhammer.duel.strikes import States, healing, rallying
from mathhammer.units.unit import Unit

Z = 6.2
TRIALS = 40_000


def aos(name: str = "Orc", models: int = 1, health: int = 1, attacks: int = 1, **more: Any) -> Unit:
    """Models that slay with a quarter of their attacks, as long as nobody saves."""
    axe = {"name": "Axe", "attacks": attacks, "hit": 4, "wound": 4, "damage": 1}
    return mh.make_unit("aos4", {"name": name, "models": models, "health": health, "weapon": [axe], **more})


def marine(name: str = "Marine", models: int = 1, wounds: int = 1, skill: int = 4, **more: Any) -> Unit:
    """Models that hit on 4+ and wound their like on 4+, against no save."""
    blade = {"name": "Blade", "attacks": 1, "skill": skill, "strength": 4, "ap": 0, "damage": 1}
    return mh.make_unit(
        "wh40k10",
        {"name": name, "models": models, "wounds": wounds, "toughness": 4, "weapon": [blade], **more},
    )


# --- solved by hand -----------------------------------------------------------------------------------------------


def test_one_exchange_by_hand() -> None:
    # In a's turn a strikes first: 1/4; else b 1/4. In b's turn b strikes first.
    found = mh.duel(aos(), aos(), rounds=1)
    stand = (3 / 4) ** 2
    assert found.p_win == pytest.approx(1 / 4 + stand * 3 / 4 * 1 / 4)
    assert found.p_lose == pytest.approx(3 / 4 * 1 / 4 + stand * 1 / 4)
    assert found.p_draw == pytest.approx(stand**2)
    assert [point.turn for point in found.course] == ["a", "b"]
    assert found.course[0].p_win == pytest.approx(1 / 4)
    assert found.names == ("Orc (a)", "Orc (b)")


def test_until_the_end_by_hand() -> None:
    # The pair of turns repeats with chance (3/4)^4, so the first round's chances are scaled up by a geometric series.
    once = mh.duel(aos(), aos(), rounds=1)
    found = mh.duel(aos(), aos(), rounds=None)
    assert found.p_win == pytest.approx(once.p_win / (1 - (3 / 4) ** 4), abs=1e-9)
    assert found.p_win + found.p_lose == pytest.approx(1.0, abs=1e-9)
    assert "at most 50 rounds" in found.explain()


def test_fewer_models_make_fewer_attacks() -> None:
    # Two against one: after losing one model, a strikes with one attack only.
    found = mh.duel(aos(models=2), aos("Elf", models=1, attacks=1), first="b", rounds=1)
    # b's turn: b slays one with 1/4; then a has one or two attacks.
    hurt = 1 / 4
    kills_with = {1: 1 / 4, 2: 1 - (3 / 4) ** 2}
    after = {1: hurt * (1 - kills_with[1]), 2: (1 - hurt) * (1 - kills_with[2])}
    assert found.course[0].p_win == pytest.approx(1 - sum(after.values()))
    # a's turn: a strikes first, then b again.
    stands = {left: chance * (1 - kills_with[left]) for left, chance in after.items()}
    assert found.p_win == pytest.approx(1 - sum(stands.values()))
    assert found.p_lose == pytest.approx(stands[1] / 4)  # only a last model can be slain


def test_only_the_named_weapons_are_used() -> None:
    # The axe slays with 1/4, the club with 1/9; b has no weapon.
    club = {"name": "Club", "attacks": 1, "hit": 5, "wound": 5, "damage": 1}
    axe = {"name": "Axe", "attacks": 1, "hit": 4, "wound": 4, "damage": 1}
    both, target = aos(weapon=[axe, club]), aos("Target", weapon=[])
    for names, chance in (
        (["axe"], 1 / 4),
        ("Club", 1 / 9),
        (["Axe", "Club"], 1 - 3 / 4 * 8 / 9),
        (None, 1 - 3 / 4 * 8 / 9),
    ):
        assert mh.duel(both, target, rounds=1, weapons={"a": names}).course[0].p_win == pytest.approx(chance)


def test_attacks_that_need_much_room_are_worked_out_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same duel with room for all states of the target at once, and with room for one: 7 lengths of the queue times 6 states."""
    groups = [
        {"name": "Guards", "models": 3, "wounds": 1, "save": 5},
        {"name": "Chief", "models": 1, "wounds": 2, "save": 2},
    ]

    def fought(name: str) -> mh.Duel:
        blade = {"name": "Blade", "attacks": 1, "skill": 4, "strength": 4, "ap": 0, "damage": 1}
        band = mh.make_unit(
            "wh40k10", {"name": name, "models": 4, "toughness": 4, "group": groups, "weapon": [blade]}
        )
        return mh.duel(monster(), band, rounds=2)

    whole = fought("Band")
    monkeypatch.setattr("mathhammer.engine.exact.MOST_CELLS", 50)
    piece_by_piece = fought("Band of another name")
    assert piece_by_piece.fates[1].lost.probs == pytest.approx(whole.fates[1].lost.probs, abs=1e-12)
    assert piece_by_piece.p_lose == pytest.approx(whole.p_lose, abs=1e-12)


def test_overkill_and_lost_before() -> None:
    # One blow of 2 on a model that has 1 of 2 wounds left.
    heavy = mh.make_unit(
        "aos4",
        {
            "name": "Ogre",
            "health": 4,
            "weapon": [{"name": "Club", "attacks": 1, "hit": 2, "wound": 2, "damage": 2}],
        },
    )
    target = aos(models=2, health=2).with_lost(1)
    found = mh.duel(heavy, target, rounds=1, weapons={"b": "ranged"})
    hit = 25 / 36
    laws = {0: (1 - hit) ** 2, 1: 2 * hit * (1 - hit), 2: hit**2}
    assert found.fates[1].lost.to_dict() == pytest.approx({1: laws[0], 3: laws[1], 4: laws[2]})
    assert found.p_win == pytest.approx(laws[2])


# --- order of fighting ----------------------------------------------------------------------------------------------

SURE = {"name": "Doom", "attacks": 40, "hit": 2, "wound": 2, "damage": 3}


def sure(name: str, **more: Any) -> Unit:
    """Whoever strikes first has won, near enough."""
    return mh.make_unit("aos4", {"name": name, "health": 1, "weapon": [SURE], **more})


@pytest.mark.parametrize(
    ("ours", "theirs", "winner"),
    [
        (None, None, "a"),  # AOS4-13.1, AOS4-19.0: the active player picks first
        (None, "first", "b"),
        ("first", "first", "a"),
        ("last", None, "b"),
        ("last", "last", "a"),
        ("first", "last", "a"),
    ],
)
def test_strike_first_and_last(ours: str | None, theirs: str | None, winner: str) -> None:
    a, b = (
        sure(name, **({"strike": strike} if strike else {})) for name, strike in (("A", ours), ("B", theirs))
    )
    for method in ("exact", "simulate"):
        found = mh.duel(a, b, rounds=1, method=method, trials=2000 if method == "simulate" else None)
        assert (found.p_win if winner == "a" else found.p_lose) == pytest.approx(1.0, abs=1e-6)


def killer(name: str, **more: Any) -> Unit:
    doom = {"name": "Doom", "attacks": 60, "skill": 2, "strength": 10, "ap": -6, "damage": 3}
    return mh.make_unit("wh40k10", {"name": name, "wounds": 1, "toughness": 4, "weapon": [doom], **more})


@pytest.mark.parametrize(
    ("how", "ours", "theirs", "winner"),
    [
        ({}, False, False, "b"),  # WH40K-FIGHTORDER: the other player picks first
        ({"situation": "charged"}, False, False, "a"),  # WH40K-CHARGE: a charging unit has Fights First
        ({"situation": "charged"}, False, True, "b"),
        ({}, True, False, "a"),
        ({}, True, True, "b"),
    ],
)
def test_fights_first(how: dict[str, Any], ours: bool, theirs: bool, winner: str) -> None:
    a, b = killer("A", fights_first=ours), killer("B", fights_first=theirs)
    for method in ("exact", "simulate"):
        found = mh.duel(a, b, rounds=1, method=method, trials=2000 if method == "simulate" else None, **how)
        assert (found.p_win if winner == "a" else found.p_lose) == pytest.approx(1.0, abs=1e-6)


def test_the_side_that_goes_first() -> None:
    assert mh.duel(sure("A"), sure("B"), first="b", rounds=1).p_lose == pytest.approx(1.0)
    found = mh.duel(sure("A"), sure("B"), rounds=1)
    assert found.going_first == pytest.approx(1.0)
    assert found.other_first.going_first == pytest.approx(1.0)


# --- charges ----------------------------------------------------------------------------------------------------------


def test_charge_odds_in_each_game() -> None:
    # AOS4-14.3: 9 inches need a 9 (10/36); WH40K-CHARGE: Engagement Range makes it an 8 (15/36)
    assert mh.duel(aos(), aos(), distance=9).first_charge == pytest.approx(10 / 36)
    assert mh.duel(marine(), marine(), distance=9).first_charge == pytest.approx(15 / 36)
    assert mh.duel(aos(), aos(), distance=9, commands=["reroll_charge"]).first_charge == pytest.approx(
        1 - (26 / 36) ** 2
    )
    assert mh.duel(aos(), aos()).first_charge is None
    assert mh.duel(aos(), aos(), distance=2.5).first_charge is None  # within 3 inches is in combat


def test_charges_are_declared_within_12_inches() -> None:
    """WH40K-CHARGE, AOS1-CHARGE."""
    sword = {"name": "Sword", "attacks": 1, "hit": 4, "wound": 4, "damage": 1}
    old = mh.make_unit(
        "aos1", {"name": "Old", "models": 1, "wounds": 1, "save": 6, "bravery": 10, "weapon": [sword]}
    )
    assert mh.duel(marine(), marine(), distance=12).first_charge == pytest.approx(3 / 36)
    assert mh.duel(old, old, distance=12).first_charge == pytest.approx(1 / 36)
    for unit in (marine(), old):
        with pytest.raises(mh.BadInputError, match=r"never meet: 12\.1 inches apart, no charge reaches"):
            mh.duel(unit, unit, distance=12.1)


def test_first_edition_players_begin_later_rounds_by_turns_of_a_coin() -> None:
    """AOS1-ROUND: round two is a-b or b-a, each with chance 1/2; whoever has the turn strikes first."""
    sword = {"name": "Sword", "attacks": 1, "hit": 4, "wound": 4, "damage": 1}
    old = mh.make_unit("aos1", {"name": "Old", "models": 1, "wounds": 1, "bravery": 10, "weapon": [sword]})
    kill, stand = 1 / 4, (3 / 4) ** 2

    def wins(turns: str) -> float:
        return sum(stand**place * (kill if turn == "a" else 3 / 4 * kill) for place, turn in enumerate(turns))

    assert mh.duel(old, old, rounds=2, priority="fixed").p_win == pytest.approx(wins("abab"))
    assert mh.duel(old, old, rounds=2, priority="roll").p_win == pytest.approx(
        (wins("abab") + wins("abba")) / 2
    )


def test_charges_are_made_in_turn() -> None:
    harmless = aos(attacks=0, weapon=[{"name": "Fist", "attacks": 1, "hit": 6, "wound": 6, "damage": 1}])
    p = 10 / 36
    found = mh.duel(harmless, harmless, distance=9, rounds=2)
    assert [point.p_charged for point in found.course] == pytest.approx(
        [p, (1 - p) * p, (1 - p) ** 2 * p, (1 - p) ** 3 * p], rel=0.1
    )
    assert found.course[0].p_engaged == pytest.approx(
        p * (35 / 36) ** 2
    )  # both strike and both are still there
    assert found.p_charge["a"] == found.course[0].p_charged + found.course[2].p_charged
    only_b = mh.duel(harmless, harmless, distance=9, rounds=2, charge="b")
    assert only_b.p_charge["a"] == 0.0
    assert only_b.course[1].p_charged == pytest.approx(p)


def test_charges_of_whoever_has_the_turn() -> None:
    """With a priority roll nobody knows whose turn it is: the chance is that of four charge rolls, one after the other."""
    wall = aos("Wall", health=30)
    assert mh.duel(wall, wall, distance=9, rounds=2, priority="roll").p_charge == {
        "any": pytest.approx(1 - (26 / 36) ** 4)
    }


def test_a_charge_counts_where_rules_ask_for_it() -> None:
    lance = {
        "name": "Lance",
        "attacks": 1,
        "hit": 4,
        "wound": 4,
        "damage": 1,
        "abilities": ["Charge (+1 Damage)"],
    }
    rider = mh.make_unit("aos4", {"name": "Rider", "health": 2, "weapon": [lance]})
    target = aos(health=2, attacks=0, weapon=[])
    walked = mh.duel(rider, target, rounds=1, first="a")
    charged = mh.duel(rider, target, rounds=1, situation="charged")
    assert walked.p_win == pytest.approx(1 / 16)  # two blows of 1, one in each turn
    assert charged.course[0].p_win == pytest.approx(1 / 4)  # one blow of 2
    rolled = mh.duel(rider, target, rounds=1, distance=9)
    assert rolled.course[0].p_win == pytest.approx(
        1 / 4 * 10 / 36
    )  # AOS4-14.4: without the charge nobody is there to fight


def test_units_approach_by_their_move() -> None:
    walker = aos(move=5)
    found = mh.duel(walker, walker, distance=24, approach="both", rounds=3)
    assert found.setup.distances() == [(19.0, 14.0), (9.0, 4.0), (4.0, 4.0)]
    assert found.course[1].p_charged == 0.0  # 14 inches
    assert found.course[2].p_charged == pytest.approx(10 / 36)


def test_shooting_depends_on_range_and_combat() -> None:
    bow = {"name": "Bow", "kind": "ranged", "range": 12, "attacks": 1, "hit": 4, "wound": 4, "damage": 1}
    archer = mh.make_unit("aos4", {"name": "Archer", "health": 1, "weapon": [bow]})
    target = aos("Target", health=1, weapon=[])
    assert mh.duel(archer, target, distance=12, rounds=1).p_win == pytest.approx(1 / 4)
    with pytest.raises(mh.BadInputError, match="never meet: 13 inches apart"):
        mh.duel(archer, target, distance=13, rounds=1)
    with pytest.raises(mh.BadInputError, match="cannot hurt each other"):
        mh.duel(archer, target, rounds=1)  # AOS4-16.0: silent in combat
    pistol = {
        "name": "Gun",
        "kind": "ranged",
        "range": 12,
        "attacks": 1,
        "skill": 4,
        "strength": 4,
        "ap": 0,
        "damage": 1,
    }
    melta = {**pistol, "abilities": ["Rapid Fire 1"]}
    for distance, attacks in ((12, 1), (6, 2)):  # half range is known from the distance
        shooter = mh.make_unit("wh40k10", {"name": "Shooter", "wounds": 1, "toughness": 4, "weapon": [melta]})
        found = mh.duel(shooter, marine(models=3), distance=distance, rounds=1, charge="none")
        assert found.course[0].models[1] == pytest.approx(3 - attacks / 4)


# --- against an independent account ---------------------------------------------------------------------------------


def literal(
    rng: random.Random, a: int, b: int, first: int, rounds: int, charge: int | None
) -> tuple[int, int]:
    """Two units of one-wound models with two attacks each on 3+ and 4+ against a 5+ save, dice by dice."""
    left = [a, b]
    apart = charge is not None

    def strike(side: int) -> None:
        slain = 0
        for _ in range(2 * left[side]):
            if rng.randint(1, 6) >= 3 and rng.randint(1, 6) >= 4 and rng.randint(1, 6) < 5:
                slain += 1
        left[1 - side] = max(0, left[1 - side] - slain)

    for _ in range(rounds):
        for active in (first, 1 - first):
            if (
                apart
                and min(left) > 0
                and charge is not None
                and rng.randint(1, 6) + rng.randint(1, 6) >= charge
            ):
                apart = False
            if not apart:
                for side in (active, 1 - active):
                    if left[side]:
                        strike(side)
    return left[0], left[1]


@pytest.mark.parametrize(
    ("a", "b", "first", "rounds", "charge"), [(3, 4, 0, 2, None), (5, 3, 1, 1, None), (4, 4, 0, 3, 7)]
)
def test_literal_dice(a: int, b: int, first: int, rounds: int, charge: int | None) -> None:
    sword = {"name": "Sword", "attacks": 2, "hit": 3, "wound": 4, "damage": 1}
    one, other = (
        mh.make_unit("aos4", {"name": n, "models": m, "health": 1, "save": 5, "weapon": [sword]})
        for n, m in (("A", a), ("B", b))
    )
    found = mh.duel(one, other, first="ab"[first], rounds=rounds, distance=None if charge is None else charge)
    rng, games = random.Random(7), 20_000
    ends = [literal(rng, a, b, first, rounds, charge) for _ in range(games)]
    for place in (0, 1):
        for left in range((a, b)[place] + 1):
            chance = found.models[place][left]
            seen = sum(end[place] == left for end in ends) / games
            assert abs(seen - chance) <= Z * np.sqrt(max(chance * (1 - chance), 1 / games) / games)


@pytest.mark.parametrize(
    ("system", "a", "b"),
    [
        ("aos4", "Liberators", "Rat Ogors"),
        ("wh40k10", "Boyz", "Intercessor Squad"),
        ("aos4", "Clawlord on Gnaw-beast", "Rat Ogors"),
    ],
)
def test_strike_back_state_by_state(system: str, a: str, b: str) -> None:
    """The first exchange again, with one `fight` for every state: nothing is shared between states here."""
    one, other = mh.load_unit(a, system), mh.load_unit(b, system)
    melee = {"a": "melee", "b": "melee"}
    found = mh.duel(one, other, rounds=1, weapons=melee, first="a" if system == "aos4" else "b")
    struck = mh.fight(one, other, weapons="melee").lost  # a strikes first in both games here
    lost: dict[int, float] = {}
    for loss, chance in struck.to_dict().items():
        back = (
            mh.fight(other.with_lost(loss), one, weapons="melee").lost.to_dict()
            if loss < other.health
            else {0: 1.0}
        )
        for harm, share in back.items():
            lost[harm] = lost.get(harm, 0.0) + chance * share
    half = found.course[0]
    models = sum(
        chance * (one.with_lost(harm).models_left if harm < one.health else 0)
        for harm, chance in lost.items()
    )
    assert half.models[0] == pytest.approx(models, abs=1e-9)
    assert half.p_win == pytest.approx(struck[other.health], abs=1e-9)
    assert half.p_lose == pytest.approx(lost.get(one.health, 0.0), abs=1e-9)


# --- exact and simulate agree ----------------------------------------------------------------------------------------


def rats(system: str = "aos1", models: int = 10, bravery: int = 4) -> Unit:
    spear = {"name": "Spear", "attacks": 1, "hit": 4, "wound": 4, "damage": 1}
    return mh.make_unit(
        system,
        {"name": "Rats", "models": models, "wounds": 1, "save": 6, "bravery": bravery, "weapon": [spear]},
    )


def cornered() -> Unit:
    effect = {"name": "Cornered", "when": ["damaged"], "attacks": "+3"}
    big = {"name": "Big", "when": ["models >= 3"], "hit_roll": 1}
    return aos("Beasts", models=4, health=3, attacks=2, effect=[effect, big])


def monster() -> Unit:
    claws = {
        "name": "Claws",
        "attacks": 6,
        "skill": 3,
        "strength": 8,
        "ap": -2,
        "damage": "D3",
        "abilities": ["Devastating Wounds"],
    }
    hurt = {"name": "Damaged", "when": ["lost >= 6"], "hit_roll": -1}
    fields = {"name": "Monster", "wounds": 10, "toughness": 9, "save": 3, "fnp": 5, "keywords": ["monster"]}
    return mh.make_unit("wh40k10", {**fields, "weapon": [claws], "effect": [hurt]})


def blasters() -> Unit:
    mortar = {
        "name": "Mortar",
        "kind": "ranged",
        "range": 36,
        "attacks": "D6",
        "skill": 4,
        "strength": 5,
        "ap": -1,
        "damage": 1,
        "abilities": ["Blast"],
    }
    knife = {"name": "Knife", "attacks": 1, "skill": 5, "strength": 3, "ap": 0, "damage": 1}
    fields = {"name": "Blasters", "models": 3, "wounds": 2, "toughness": 4, "save": 4}
    return mh.make_unit("wh40k10", {**fields, "weapon": [mortar, knife]})


def load(system: str, name: str, models: int | None = None) -> Unit:
    unit = mh.load_unit(name, system)
    return unit if models is None else unit.with_models(models)


DUELS: dict[str, tuple[Unit, Unit, dict[str, Any]]] = {
    "tiny": (aos(), aos(), {}),
    "lines": (load("aos4", "Liberators"), load("aos4", "Clanrats"), {"distance": 9}),
    "reroll": (
        load("aos4", "Liberators"),
        load("aos4", "Rat Ogors"),
        {"distance": 9, "commands": {"b": ["reroll_charge"]}},
    ),
    "b first": (load("aos4", "Liberators"), load("aos4", "Stormvermin"), {"first": "b", "rounds": 3}),
    "attack and defence": (
        load("aos4", "Liberators"),
        load("aos4", "Rat Ogors"),
        {"commands": {"a": ["all_out_attack@1"], "b": ["all_out_defence@2a"]}},
    ),
    "strike first": (
        aos(models=5, attacks=3, strike="first"),
        aos("Elf", models=6, attacks=3),
        {"first": "b"},
    ),
    "strike last": (aos(models=5, attacks=3, strike="last"), aos("Elf", models=6, attacks=3), {}),
    "damaged": (cornered(), aos("Elf", models=9, attacks=3), {}),
    "damaged against damaged": (cornered(), cornered(), {"distance": 8}),
    "priority": (load("aos4", "Liberators"), load("aos4", "Clanrats"), {"distance": 9, "priority": "roll"}),
    "rally": (
        load("aos4", "Liberators").with_lost(4),
        load("aos4", "Clanrats"),
        {"distance": 11, "rally": "a"},
    ),
    "heal": (cornered(), aos("Elf", models=9, attacks=2), {"heal": {"a": "D3"}}),
    "approach": (load("aos4", "Rat Ogors"), load("aos4", "Liberators"), {"distance": 20, "approach": "both"}),
    "a ward": (aos(models=5, health=2, attacks=3, ward=5), aos("Elf", models=6, attacks=3, ward=4), {}),
    "40k lines": (load("wh40k10", "Intercessor Squad"), load("wh40k10", "Boyz"), {"distance": 9}),
    "40k charge": (
        load("wh40k10", "Boyz"),
        load("wh40k10", "Intercessor Squad"),
        {"distance": 7, "commands": ["reroll_charge"], "rounds": 2},
    ),
    "40k monster": (monster(), load("wh40k10", "Intercessor Squad"), {}),
    "40k monsters": (monster(), monster(), {"first": "b"}),
    "40k blast": (blasters(), load("wh40k10", "Boyz"), {"distance": 30, "approach": "b"}),
    "40k save again": (
        load("wh40k10", "Intercessor Squad"),
        monster(),
        {"commands": {"a": ["command_reroll_save"]}},
    ),
    "40k zero damage": (
        monster(),
        mh.make_unit(
            "wh40k10",
            {
                "name": "Lucky",
                "wounds": 8,
                "toughness": 6,
                "save": 4,
                "damage_zero_uses": 2,
                "weapon": [{"name": "Fist", "attacks": 4, "skill": 3, "strength": 10, "ap": -2, "damage": 2}],
            },
        ),
        {},
    ),
    "40k attached": (
        mh.attach(load("wh40k10", "Captain"), load("wh40k10", "Intercessor Squad")),
        load("wh40k10", "Boyz"),
        {"distance": 8},
    ),
    "aos1": (load("aos1", "Liberators"), load("aos1", "Clanrats"), {"distance": 7}),
    "aos1 horde": (rats(models=12), rats(models=15, bravery=6), {"distance": 5, "first": "b"}),
    "aos1 priority": (
        load("aos1", "Orruk Brutes"),
        load("aos1", "Stormvermin"),
        {"distance": 9, "priority": "roll"},
    ),
}


@pytest.mark.needs_jit
@pytest.mark.parametrize("name", list(DUELS))
def test_exact_and_simulate_agree(name: str) -> None:
    a, b, how = DUELS[name]
    exact = mh.duel(a, b, **how)
    played = mh.duel(a, b, method="simulate", trials=TRIALS, seed=11, **how)
    assert played.trials == TRIALS
    pairs = [(exact.p_win, played.p_win), (exact.p_lose, played.p_lose), (exact.p_ahead, played.p_ahead)]
    for place in (0, 1):
        pairs += [
            (exact.models[place][left], played.models[place][left])
            for left in range((a, b)[place].models + 1)
        ]
    pairs += [(here.p_win, there.p_win) for here, there in zip(exact.course, played.course, strict=True)]
    pairs += [
        (here.p_engaged, there.p_engaged) for here, there in zip(exact.course, played.course, strict=True)
    ]
    pairs += [
        (here.p_charged, there.p_charged) for here, there in zip(exact.course, played.course, strict=True)
    ]
    for chance, seen in pairs:
        assert abs(seen - chance) <= Z * np.sqrt(max(chance * (1 - chance), 1 / TRIALS) / TRIALS)
    for place in (0, 1):
        error = max(exact.fates[place].lost.sd(), 1e-3) / TRIALS**0.5
        assert abs(exact.fates[place].lost.mean() - played.fates[place].lost.mean()) <= Z * error
        assert exact.models[place].probs.sum() == pytest.approx(1.0, abs=1e-9)


def test_there_are_enough_duels() -> None:
    assert len(DUELS) >= 20


@pytest.mark.needs_jit
def test_same_seed_same_bits_for_any_threads() -> None:
    a, b, how = DUELS["40k attached"]
    one, two, other = (
        mh.duel(a, b, method="simulate", trials=9000, seed=s, threads=t, **how)
        for s, t in ((5, 1), (5, 3), (6, 1))
    )
    assert one.course == two.course
    assert one.models == two.models
    assert one.models != other.models


# --- battleshock, healing, Rally, priority -----------------------------------------------------------------------------


def test_battleshock_by_hand() -> None:
    # One wound that mortally strikes one of two models every turn; the other flees on D6 + 1 above its Bravery.
    doom = {"name": "Doom", "mortal_damage": 1}
    fist = {"name": "Fist", "attacks": 1, "hit": 6, "wound": 6, "damage": 1}
    slayer = mh.make_unit("aos1", {"name": "Slayer", "wounds": 9, "weapon": [fist], "effect": [doom]})
    for bravery, faces in ((2, 5), (4, 3), (9, 0)):
        cowards = mh.make_unit(
            "aos1", {"name": "Cowards", "models": 2, "wounds": 1, "save": 2, "bravery": bravery}
        )
        found = mh.duel(slayer, cowards, rounds=1)
        through = 1 / 6 * 1 / 6 * 1 / 6  # the fist slays the other one as well
        assert found.course[0].p_win == pytest.approx(through + (1 - through) * faces / 6)
        assert found.p_win == pytest.approx(1.0)  # the next turn gets the last one
    calm = mh.make_unit("aos1", {"name": "Calm", "models": 2, "wounds": 1, "save": 2})  # no bravery, no test
    assert mh.duel(slayer, calm, rounds=1).course[0].p_win == pytest.approx(1 / 216)
    calm = mh.make_unit("aos1", {"name": "Calm", "models": 2, "wounds": 1, "save": 2, "weapon": [fist]})
    brave = mh.make_unit(
        "aos1", {"name": "Brave", "models": 2, "wounds": 9, "bravery": 9, "weapon": [fist], "effect": [doom]}
    )
    played = mh.duel(
        brave, calm, rounds=1, method="simulate", trials=2000
    )  # one side would test, the other never does
    chance = mh.duel(brave, calm, rounds=1).course[0].p_win
    assert abs(played.course[0].p_win - chance) <= Z * (chance * (1 - chance) / 2000) ** 0.5


def test_the_wounded_model_flees_first() -> None:
    states = States.of(mh.make_unit("aos1", {"name": "Guard", "models": 3, "wounds": 2}))
    assert states.at_models().tolist() == [6, 4, 2, 0]


def test_healing_and_rally_laws() -> None:
    """AOS4-21.0: healing brings nobody back; AOS4-22.0: Rally does, and what is left over heals."""
    states = States.of(aos(models=3, health=3))
    healed = healing(states, mh.Pmf.constant(2))
    assert healed[5].tolist()[3] == 1.0  # two wounds on the second model: both healed
    assert healed[3][3] == 1.0  # a whole model is gone: nothing to heal
    assert healed[9][9] == 1.0  # nobody left
    rallied = rallying(states, mh.Pmf.constant(4))
    assert rallied[5][1] == 1.0  # three points return a model, one heals
    assert rallied[2][0] == 1.0
    assert rallied[9][9] == 1.0


def test_rally_only_while_free() -> None:
    hurt = aos(models=4).with_lost(2)
    harmless = aos(
        "Wall",
        models=1,
        health=30,
        weapon=[{"name": "Fist", "attacks": 1, "hit": 6, "wound": 6, "damage": 1}],
    )
    bow = {"name": "Bow", "kind": "ranged", "range": 20, "attacks": 1, "hit": 6, "wound": 6, "damage": 1}
    archer = aos("Archers", models=4, weapon=[bow]).with_lost(2)
    rallied = mh.duel(archer, harmless, rounds=1, distance=12, charge="none", rally="a")
    assert rallied.models[0].to_dict() == pytest.approx(
        {2: 1 / 64, 3: 6 / 64, 4: 57 / 64}
    )  # of six dice on 4+: none, one, more
    engaged = mh.duel(hurt, harmless, rounds=1, rally="a")
    assert engaged.models[0].at_least(3) == 0.0


def test_a_healing_loop_ends() -> None:
    troll = aos("Troll", health=6, attacks=1)
    found = mh.duel(troll, troll, rounds=None, heal={"a": 6, "b": 6})
    assert found.course[-1].round == 50
    assert found.p_draw > 0.99


def test_priority_roll_mixes_the_orders() -> None:
    a, b = aos(models=3, attacks=2), aos("Elf", models=3, attacks=2)
    rolled = mh.duel(a, b, rounds=2, priority="roll")
    fixed = mh.duel(a, b, rounds=2)
    assert rolled.course[1].p_win == pytest.approx(fixed.course[1].p_win)
    assert rolled.p_win < fixed.p_win
    assert [point.turn for point in rolled.course] == ["first", "second"] * 2
    assert "21/36" in rolled.explain()


# --- results -------------------------------------------------------------------------------------------------------------


def test_points_and_survivors() -> None:
    found = mh.duel(aos(models=4, points=100), aos("Elf", points=60), rounds=1)
    assert found.points_lost[1] == pytest.approx(60 * found.p_win)
    assert found.points_lost[0] == pytest.approx(25 * (4 - found.models[0].mean()))
    assert found.trade == pytest.approx(found.points_lost[1] - found.points_lost[0])
    assert found.by_round == found.course[1:2]
    assert found.to_dict()["p_win"] == found.p_win
    assert found.standard_error(0.5) == 0.0


def test_explain_names_rules_and_assumptions() -> None:
    text = mh.duel(
        load("aos4", "Liberators"),
        load("aos4", "Rat Ogors"),
        distance=9,
        commands=["all_out_attack@1", "reroll_charge"],
    ).explain()
    for part in (
        "AOS4-14.3",
        "AOS4-19.0",
        "AOS4-C-6.0",
        "AOS4-C-5.0",
        "nobody moves before a charge",
        "Casualties",
        "Points count by models lost",
    ):
        assert part in text
    text = mh.duel(load("wh40k10", "Boyz"), load("wh40k10", "Intercessor Squad"), distance=9).explain()
    assert "WH40K-FIGHTORDER" in text
    assert "AOS1-BATTLESHOCK" in mh.duel(rats(), rats(), rounds=1).explain()


def test_advice_compares_exact_values() -> None:
    a, b = load("aos4", "Liberators"), load("aos4", "Rat Ogors")
    fought = mh.duel(a, b, distance=9, rounds=3)
    found = advise(fought, "a")
    assert [one.gain for one in found] == sorted((one.gain for one in found), reverse=True)
    for one in found:
        again = mh.duel(a, b, distance=9, rounds=3, commands=[str(one.use)])
        assert again.p_win == pytest.approx(one.wins)
        assert one.gain == pytest.approx(again.p_win - again.p_lose - fought.p_win + fought.p_lose)
        assert one.trade == pytest.approx(again.trade - fought.trade)
    names = {one.use.command for one in found}
    assert names == {"all_out_attack", "all_out_defence", "reroll_charge"}
    theirs = advise(fought, "b")
    assert max(one.gain for one in theirs) > 0


def test_command_reroll_now_or_later() -> None:
    fought = mh.duel(marine(models=5), marine("Xenos", models=5), rounds=2)
    found = {str(one.use): one for one in advise(fought, "a")}
    assert found["command_reroll_wound@1a-melee"].gain > found["command_reroll_wound@2b-melee"].gain > 0
    captain = mh.attach(load("wh40k10", "Captain"), load("wh40k10", "Intercessor Squad"))
    refused = [
        one.refused for one in advise(mh.duel(captain, load("wh40k10", "Boyz"), rounds=1), "a") if one.refused
    ]
    assert any("name a single weapon" in text for text in refused)


# --- whole lists ---------------------------------------------------------------------------------------------------------


@pytest.mark.needs_jit
def test_lists_fight_by_policy() -> None:
    ours = [load("aos4", "Liberators"), load("aos4", "Liberators")]
    theirs = [load("aos4", "Clanrats"), load("aos4", "Rat Ogors")]
    found = {
        policy: mh.duel(ours, theirs, policy=policy, trials=2000)
        for policy in ("nearest", "points", "weakest")
    }
    for policy, fought in found.items():
        assert fought.method == "simulate"
        assert [fate.side for fate in fought.fates] == ["a", "a", "b", "b"]
        assert fought.p_ahead + fought.p_behind <= 1.0
        assert fought.points_lost[0] > 0 < fought.points_lost[1]
        assert fought.setup.distance == 24.0
        assert "No terrain" in fought.explain()
        assert {"nearest": "first enemy as listed", "points": "most points", "weakest": "fewest wounds"}[
            policy
        ] in fought.explain()
    assert found["nearest"].points_lost != found["points"].points_lost


@pytest.mark.needs_jit
def test_a_few_against_one() -> None:
    # Two single orcs in combat with one: each of the three strikes once a turn, the active side first.
    found = mh.duel([aos(), aos()], aos("Elf", models=1), rounds=1, distance=1, trials=40_000)
    miss = 3 / 4
    first = 1 - miss**1  # a picks first, then b, then a again
    after_b = miss * miss  # the first orc missed, and so did the elf
    hit_b = miss * (1 - miss)
    first += after_b * (1 - miss) + hit_b * (
        1 - miss
    )  # the second orc is still there either way: the elf strikes the first listed
    assert abs(found.course[0].p_win - first) <= Z * (first * (1 - first) / 40_000) ** 0.5


def test_nobody_shoots_at_enemies_that_fight_his_friends() -> None:
    """WH40K-BGNT: after the first turn the only enemy is in combat with a friend of the gunner."""
    gun = {
        "name": "Gun",
        "kind": "ranged",
        "range": 36,
        "attacks": 1,
        "skill": 4,
        "strength": 8,
        "ap": -6,
        "damage": 50,
    }
    giant, gunner = marine("Giant", wounds=50), marine("Gunner", wounds=50, weapon=[gun])
    once = 1 / 2 * 5 / 6  # it hits and wounds in the first turn or never
    found = mh.duel(
        [marine("Friend", wounds=50), gunner], giant, rounds=3, distance=3, trials=40_000, charge="a"
    )
    assert abs(found.p_win - once) <= Z * (once * (1 - once) / 40_000) ** 0.5


def test_shooters_stay_back_and_models_strike_with_one_weapon() -> None:
    fought = mh.duel([blasters(), monster()], [load("wh40k10", "Boyz")] * 2, trials=500)
    assert [fighter.charges for fighter in fought.setup.fighters[0]] == [False, True]
    assert fought.setup.halt(0, 0) == 36.0
    assert "WH40K-PRECISION" in fought.explain()
    two = {"attacks": 3, "skill": 3, "strength": 4, "ap": 0}
    both = mh.make_unit(
        "wh40k10",
        {
            "name": "Both",
            "models": 3,
            "wounds": 2,
            "toughness": 4,
            "weapon": [{"name": "Sword", "damage": 1, **two}, {"name": "Axe", "damage": 2, **two}],
        },
    )
    fought = mh.duel([both, both], [load("wh40k10", "Intercessor Squad")], trials=500)
    assert fought.setup.fighters[0][0].weapons["melee"] == ("Axe",)


# --- messages ------------------------------------------------------------------------------------------------------------

WALL = aos("Wall", health=5, weapon=[])
MESSAGES: list[tuple[Any, Any, dict[str, Any], str]] = [
    (
        WALL,
        WALL,
        {},
        r"duel: Wall \(a\) and Wall \(b\) cannot hurt each other \(give one of them weapons that get through\)",
    ),
    (
        aos(),
        WALL,
        {"distance": 30},
        r"duel: Orc and Wall never meet: 30 inches apart, no charge reaches and nobody shoots so far",
    ),
    (
        aos(),
        aos(),
        {"rounds": 0},
        r"duel: 0 rounds \(give 1 to 50, or None: until one side is gone, at most 50\)",
    ),
    (aos(), aos(), {"rounds": 10**9}, r"duel: 1000000000 rounds \(give 1 to 50"),
    (aos(), aos(), {"first": "c"}, r"duel: unknown first 'c' \(known: 'a', 'b'\)"),
    (aos(), aos(), {"distance": -1}, r"duel: distance -1 \(give inches from 0 on\)"),
    (aos(), aos(), {"distance": float("nan")}, r"duel: distance nan"),
    (aos(), aos(), {"charge": "all"}, r"duel: unknown charge 'all'"),
    (aos(), aos(), {"priority": "dice"}, r"duel: unknown priority 'dice'"),
    (
        marine(),
        marine(),
        {"priority": "roll"},
        r"duel: nobody rolls for the first turn of a round in Warhammer 40,000",
    ),
    (marine(), marine(), {"rally": "a"}, r"duel: there is no Rally in Warhammer 40,000"),
    (aos(), marine(), {}, r"duel: units of aos4 and wh40k10 \(choose one game\)"),
    (aos(), "Orc", {}, r"duel: b: 'Orc' is no unit \(use load_unit or make_unit\)"),
    (aos(), [], {}, r"duel: b: \[\] is no unit"),
    (
        aos(),
        aos(),
        {"commands": ["all_out_atack"]},
        r"duel: a: unknown command 'all_out_atack' \(did you mean 'all_out_attack'\?\)",
    ),
    (
        aos(),
        aos(),
        {"commands": {"b": ["covering_fire"]}},
        r"duel: b: covering_fire is no step of a duel \(ask fight for it\)",
    ),
    (
        aos(),
        aos(),
        {"commands": ["all_out_attack@9"]},
        r"duel: a: all_out_attack@9 is never used \(the duel has rounds 1 to 5\)",
    ),
    (
        aos(),
        aos(),
        {"commands": ["all out"]},
        r"duel: a: cannot read 'all out' \(write a command, or command@round",
    ),
    (aos(), aos(), {"commands": {"c": []}}, r"duel: unknown commands 'c'"),
    (
        aos(),
        aos(),
        {"commands": ["all_out_attack", "all_out_defence"]},
        r"duel: a: all_out_attack and all_out_defence in one phase \(a unit uses one command per phase, AOS4-C-1.2; say when",
    ),
    (
        marine(),
        marine(),
        {"commands": ["command_reroll_hit", "command_reroll_save"]},
        r"duel: a: command_reroll_hit and command_reroll_save in one phase \(a stratagem is used once per phase, WH40K-CPLIMIT",
    ),
    (
        aos(),
        aos(),
        {"situation": "in_combat"},
        r"duel: a: 'in_combat' follows from the duel itself \(leave it out\)",
    ),
    (aos(), aos(), {"situation": "flying"}, r"duel: a: unknown situation 'flying'"),
    (aos(), aos(), {"situation": "charged", "distance": 9}, r"duel: a: 'charged' and a distance"),
    (aos(), aos(), {"weapons": ["Sword"]}, r"duel: Orc: unknown weapon 'Sword'"),
    (aos(), aos(), {"method": "guess"}, r"duel: unknown method 'guess'"),
    (aos(), aos(), {"trials": 100}, r'duel: trials are for a simulation \(use method="simulate"\)'),
    (aos(), aos(), {"method": "simulate", "trials": 0}, r"duel: trials 0 \(give a whole number from 1 to"),
    (aos(), aos(), {"method": "simulate", "seed": -1}, r"duel: seed -1 \(give a whole number from 0"),
    (
        aos(),
        aos(),
        {"method": "simulate", "threads": 0},
        r"duel: threads 0 \(give a whole number from 1 on\)",
    ),
    (
        aos(move=5),
        aos(),
        {"distance": 20, "approach": "both", "priority": "roll"},
        r'approach together with priority "roll" is not worked out exactly',
    ),
    (rats(), rats(), {"options": {"allocation": "fresh_first"}}, r"duel: fresh_first is not covered"),
    (
        [WALL, WALL],
        WALL,
        {},
        r"duel: no unit of either side can hurt an enemy \(give one of them weapons that get through\)",
    ),
    (
        [aos(), aos()],
        aos(),
        {"method": "exact"},
        r'duel: 3 units at once have too many states for exact \(use method="simulate"\)',
    ),
    ([aos(), aos()], aos(), {"commands": ["all_out_attack"]}, r"duel: commands with several units on a side"),
    ([aos()] * 101, aos(), {}, r"duel: 102 units \(give at most 100 of both sides together\)"),
    (
        [aos()] * 50,
        aos(),
        {"trials": 10**8},
        r"duel: 100000000 trials of 51 units would take hours \(ask for at most",
    ),
    (
        marine(),
        marine("Horde", models=1000, wounds=7),
        {"method": "simulate", "trials": 100},
        r"duel: Marine against Horde has too many states \(use fewer models\)",
    ),
    (
        aos(models=1000, health=4),
        aos(models=1000, health=4),
        {},
        r'duel: exact needs 48 million states for these units \(use method="simulate"\)',
    ),
    (
        mh.make_unit("wh40k10", {"name": "Hurt", "wounds": 4, "toughness": 4, "wounded": 2}),
        marine(),
        {},
        r"duel: Hurt has wounded models \(say with_lost for the whole unit instead\)",
    ),
    (
        mh.make_unit(
            "wh40k10",
            {
                "name": "Sniper",
                "wounds": 1,
                "toughness": 4,
                "weapon": [
                    {
                        "name": "Knife",
                        "attacks": 1,
                        "skill": 3,
                        "strength": 4,
                        "ap": 0,
                        "damage": 1,
                        "abilities": ["Precision"],
                    }
                ],
            },
        ),
        mh.attach(load("wh40k10", "Captain"), load("wh40k10", "Intercessor Squad")),
        {},
        r"duel: Sniper may pick the Character in Intercessor Squad with Captain \(a duel keeps one order of losses",
    ),
]


@pytest.mark.parametrize(
    ("a", "b", "how", "message"), MESSAGES, ids=[text[:60] for _, _, _, text in MESSAGES]
)
def test_messages(a: Any, b: Any, how: dict[str, Any], message: str) -> None:
    with pytest.raises(mh.MathhammerError, match=message):
        mh.duel(a, b, **how)


def test_advice_messages() -> None:
    with pytest.raises(mh.BadInputError, match="advice is for two single units"):
        advise(mh.duel([aos(), aos()], aos(), trials=10), "a")
    with pytest.raises(mh.BadInputError, match="advice compares exact values"):
        advise(mh.duel(aos(), aos(), method="simulate", trials=10), "a")


# --- the command ------------------------------------------------------------------------------------------------------------


def run(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> tuple[str, str]:
    assert main(["duel", *words]) == code
    captured = capsys.readouterr()
    return captured.out, captured.err


def test_the_command_shows_the_numbers_of_duel(capsys: pytest.CaptureFixture[str]) -> None:
    out, err = run(
        capsys,
        "Liberators",
        "Rat Ogors",
        "--distance",
        "9",
        "--rounds",
        "3",
        "--first",
        "rat ogors",
        "--reroll-charge",
        "a",
    )
    found = mh.duel(
        load("aos4", "Liberators"),
        load("aos4", "Rat Ogors"),
        distance=9,
        rounds=3,
        first="b",
        commands=["reroll_charge"],
    )
    assert f"win {found.p_win:.1%}, lose {found.p_lose:.1%}, draw {found.p_draw:.1%}" in out
    assert f"Going first is worth {found.going_first:+.1%}" in out
    assert f"{found.models[0].mean():.2f} ± {found.models[0].sd():.2f}" in out
    assert "27.8% a roll" in out
    assert err == ""


def test_the_command_as_json_file_and_account(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = (
        "Boyz",
        "Intercessor Squad",
        "--distance",
        "8",
        "--rounds",
        "2",
        "--command",
        "a:reroll_charge@1",
        "--heal",
        "b:1",
    )
    out, _ = run(capsys, *words, "--format", "json", "--advise")
    told = json.loads(out)
    assert told["schema"] == "mathhammer-duel/1"
    assert told["method"] == "exact"
    assert told["answer"]["p_win"] + told["answer"]["p_lose"] + told["answer"]["p_draw"] == pytest.approx(1.0)
    assert told["advice"][0]["gain"] >= told["advice"][1]["gain"]
    run(capsys, *words, "-o", str(tmp_path / "duel.txt"))
    assert "Going first" in (tmp_path / "duel.txt").read_text(encoding="utf-8")
    out, _ = run(capsys, *words, "--explain")
    assert "WH40K-CHARGE" in out
    out, _ = run(capsys, *words, "--method", "simulate", "--trials", "500", "--seed", "3")
    assert "Simulated, 500 trials, seed 3" in out
    out, _ = run(capsys, *words, "--advise")
    assert "as it is" in out


def test_the_command_reads_lists(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name, unit in (("one", "Liberators"), ("two", "Clanrats")):
        unit_lines = f'[[regiment.unit]]\nname = "{unit}"\npoints = 120\n' * 2
        (tmp_path / f"{name}.toml").write_text(
            f'system = "aos4"\nfaction = "x"\n[[regiment]]\n{unit_lines}', encoding="utf-8"
        )
    out, _ = run(
        capsys,
        str(tmp_path / "one.toml"),
        str(tmp_path / "two.toml"),
        "--trials",
        "500",
        "--policy",
        "points",
        "--rounds",
        "end",
    )
    assert "This battle assumes:" in out
    assert out.count("Liberators") == 2
    assert "most points" in out
    _, err = run(capsys, str(tmp_path / "three.toml"), "Clanrats", code=2)
    assert "three.toml: no such file (give a list, or the name of a unit)" in err


def test_the_command_reads_zipped_lists(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name in ("list", "list2"):
        (tmp_path / f"{name}.rosz").write_bytes(zipped((ROSTERS / "glass.ros").read_bytes()))
    out, err = run(capsys, str(tmp_path / "list.rosz"), str(tmp_path / "list2.rosz"), "--trials", "500")
    assert "Shard Wardens with Choir Marshal  b" in out  # whom the list lets lead a unit fights with it
    assert "Humming not understood" in err


def test_other_games_in_the_same_words(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = run(capsys, "Orc Boyz: counter 3", "Marienburg Swordsmen: stamina 6, counter 2")
    assert "Marienburg Swordsmen  B" in out
    out, _ = run(capsys, "3 Younglings, Koloth", "Imperial Guard 3", "--system", "uprising")
    assert "Clash rounds" in out
    _, err = run(capsys, "Orc Boyz: counter 3", "Marienburg Swordsmen: stamina 6", "--advise", code=2)
    assert "--advise is not for diskwars (its duels are mathhammer clash)" in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["Liberators", "Clanrats", "--rounds", "many"], "--rounds 'many' (give 1 to 50, or end)"),
        (
            ["Liberators", "Clanrats", "--command", "all_out_attack"],
            "write a:NAME or b:NAME, such as a:all_out_attack@1",
        ),
        (["Liberators", "Clanrats", "--heal", "D3"], "write a:DICE or b:DICE, such as a:D3"),
        (
            ["Liberators", "Clanrats", "--first", "Skaven"],
            "--first 'Skaven' is neither side (give a, b, or one of 'Liberators', 'Clanrats')",
        ),
        (["Librators", "Clanrats"], "no unit 'Librators'"),
    ],
)
def test_what_the_command_refuses(capsys: pytest.CaptureFixture[str], words: list[str], message: str) -> None:
    out, err = run(capsys, *words, code=2)
    assert message in err
    assert out == ""
