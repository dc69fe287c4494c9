"""Exact duels: solved by hand, against literal dice, state by state, orders of fighting."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from duel_units import aos, killer, monster, sure

import mathhammer as mh

Z = 6.2


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


@pytest.mark.slow
@pytest.mark.rule("AOS4-13.1", "AOS4-19.0")
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


@pytest.mark.slow
@pytest.mark.rule("WH40K-FIGHTORDER", "WH40K-CHARGE")
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


@pytest.mark.rule("AOS1-ROUND")
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


@pytest.mark.rule("AOS4-12.0", "AOS4-13.0")
def test_priority_roll_mixes_the_orders() -> None:
    a, b = aos(models=3, attacks=2), aos("Elf", models=3, attacks=2)
    rolled = mh.duel(a, b, rounds=2, priority="roll")
    fixed = mh.duel(a, b, rounds=2)
    assert rolled.course[1].p_win == pytest.approx(fixed.course[1].p_win)
    assert rolled.p_win < fixed.p_win
    assert [point.turn for point in rolled.course] == ["first", "second"] * 2
    assert "21/36" in rolled.explain()
    kill, stand = 1 / 4, (3 / 4) ** 2

    def wins(turns: str) -> float:
        return sum(stand**place * (kill if turn == "a" else 3 / 4 * kill) for place, turn in enumerate(turns))

    single = mh.duel(aos(), aos(), rounds=2, priority="roll")
    assert single.p_win == pytest.approx((21 * wins("abab") + 15 * wins("abba")) / 36)


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
