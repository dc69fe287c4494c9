"""The simulating engine: seeds, threads, chunks, stopping, samples, refusals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mathhammer as mh
from mathhammer.engine.stage_tables import alias_rows

SWORD = {
    "name": "Sword",
    "attacks": 3,
    "hit": 3,
    "wound": 4,
    "rend": 1,
    "damage": 2,
    "abilities": ["Crit (Mortal)"],
}
CLAW = {"name": "Claw", "attacks": "D6", "hit": 4, "wound": 3, "damage": "D6", "abilities": ["Crit (2 Hits)"]}
HERO = mh.make_unit("aos4", {"name": "Hero", "models": 3, "health": 6, "weapon": [SWORD, CLAW]})
RATS = mh.make_unit("aos4", {"name": "Rats", "models": 20, "health": 1, "save": 6, "ward": 6})


def play(**how: object) -> mh.Result:
    return mh.fight(HERO, RATS, method="simulate", **how)  # type: ignore[arg-type]


@pytest.mark.needs_jit
def test_the_same_seed_gives_the_same_bits_for_any_number_of_threads() -> None:
    one = play(trials=300_001, seed=5, threads=1)
    for threads in (2, 3, 7):
        more = play(trials=300_001, seed=5, threads=threads)
        assert np.array_equal(one.damage.probs, more.damage.probs)
        assert np.array_equal(one.end, more.end)


@pytest.mark.needs_jit
def test_more_trials_continue_the_same_stream() -> None:
    few, many = play(trials=5000, seed=9, samples=True), play(trials=20_000, seed=9, samples=True)
    assert few.samples is not None
    assert many.samples is not None
    assert np.array_equal(few.samples["damage"], many.samples["damage"][:5000])


@pytest.mark.needs_jit
def test_another_seed_gives_other_dice() -> None:
    assert play(trials=50_000, seed=1).damage != play(trials=50_000, seed=2).damage


@pytest.mark.needs_jit
def test_samples_are_the_trials_themselves() -> None:
    result = play(trials=12_345, seed=3, samples=True)
    assert result.samples is not None
    assert {key: len(values) for key, values in result.samples.items()} == {
        "lost": 12_345,
        "slain": 12_345,
        "damage": 12_345,
    }
    for law, key in ((result.lost, "lost"), (result.slain, "slain"), (result.damage, "damage")):
        assert law.mean() == pytest.approx(result.samples[key].mean())
        assert np.bincount(result.samples[key], minlength=len(law)) / 12_345 == pytest.approx(law.probs)
    assert play(trials=100).samples is None


@pytest.mark.needs_jit
def test_samples_of_a_run_that_stops_are_those_it_played() -> None:
    result = play(trials=5_000_000, standard_error=0.01, seed=3, samples=True)
    assert result.samples is not None
    assert result.trials == len(result.samples["damage"]) < 5_000_000
    assert result.samples["damage"].mean() == pytest.approx(result.damage.mean())


@pytest.mark.needs_jit
def test_standard_errors_shrink_as_they_should() -> None:
    few, many = play(trials=10_000, seed=1), play(trials=1_000_000, seed=1)
    assert few.lost.standard_error() / many.lost.standard_error() == pytest.approx(10.0, rel=0.05)
    assert mh.fight(HERO, RATS).lost.standard_error() == 0.0


@pytest.mark.needs_jit
def test_a_wanted_standard_error_decides_the_number_of_trials() -> None:
    for threads in (1, 2):
        result = play(standard_error=0.004, seed=2, threads=threads)
        assert result.lost.standard_error() <= 0.004
        assert result.trials is not None
        assert result.trials < 10_000_000
        assert result.lost.mean() == pytest.approx(mh.fight(HERO, RATS).lost.mean(), abs=6.2 * 0.004)


@pytest.mark.needs_jit
def test_progress_is_told_to_the_end() -> None:
    seen: list[tuple[int, int]] = []
    play(trials=1_000_000, progress=lambda done, wanted: seen.append((done, wanted)))
    assert seen[-1] == (1_000_000, 1_000_000)
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})
    assert len(seen) > 2


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"trials": 0}, "simulate: trials 0 (give a whole number from 1 on)"),
        ({"trials": 1.5}, "simulate: trials 1.5 (give a whole number from 1 on)"),
        ({"trials": 10**12}, "simulate: 2.7e+13 attacks to roll would take hours (ask for fewer trials)"),
        ({"seed": -1}, "simulate: seed -1 (give a whole number from 0 to 2**63 - 1)"),
        ({"threads": 0}, "simulate: threads 0 (give a whole number from 1 on)"),
        ({"standard_error": float("nan")}, "simulate: standard_error nan (give a number above 0)"),
        (
            {"trials": 10**10, "samples": True},
            "simulate: samples of 10000000000 trials do not fit into memory (ask for at most 10**9)",
        ),
    ],
)
def test_messages(how: dict[str, object], message: str) -> None:
    with pytest.raises(mh.MathhammerError) as caught:
        play(**how)
    assert str(caught.value) == message


AXE = {"name": "Axe", "hit": 3, "wound": 4}


@pytest.mark.parametrize(
    ("models", "weapons", "message"),
    [
        (  # the first two share the 16-bit counter of the pool, the third does not fit into it any more
            1,
            [AXE | {"name": name, "attacks": 300, "damage": 100} for name in "abc"],
            "simulate: 300 packets of up to 100 damage are too many (split the attacks)",
        ),
        (
            10,
            [AXE | {"attacks": 1000, "damage": 1000}],
            "simulate: a damage pool of up to 10000000 points is too large (split the attacks)",
        ),
    ],
)
def test_a_pool_that_does_not_fit_is_refused(
    models: int, weapons: list[dict[str, object]], message: str
) -> None:
    many = mh.make_unit("aos4", {"name": "Many", "models": models, "health": 1, "weapon": weapons})
    with pytest.raises(mh.TooLargeError) as caught:
        mh.fight(many, RATS, method="simulate", trials=1000)
    assert str(caught.value) == message


@given(
    st.lists(
        st.lists(st.floats(0.0, 1.0), min_size=5, max_size=5).filter(lambda row: sum(row) > 0.1),
        min_size=1,
        max_size=4,
    )
)
@settings(max_examples=40)
def test_alias_tables_hold_their_distribution(weights: list[list[float]]) -> None:
    rows = np.array([[w / sum(row) for w in row] for row in weights])
    cuts, other = alias_rows(rows)
    share = np.zeros_like(rows)
    for index, column in np.ndindex(*rows.shape):
        keep = (
            (float(cuts[index, column]) + 1.0) / 2**32
            if cuts[index, column] == 0xFFFFFFFF
            else float(cuts[index, column]) / 2**32
        )
        share[index, column] += keep / rows.shape[1]
        share[index, other[index, column]] += (1.0 - keep) / rows.shape[1]
    assert share == pytest.approx(rows, abs=1e-8)


def squad_with_captain(models: int) -> mh.Unit:
    groups = [
        {"name": "Squad", "models": models, "wounds": 6, "save": 5},
        {"name": "Captain", "models": 1, "wounds": 6, "character": True},
    ]
    return mh.make_unit(
        "wh40k10", {"name": "Joined", "models": models + 1, "toughness": 4, "group": groups, "attached": True}
    )


def gunners(attacks: int, weapons: int = 1) -> mh.Unit:
    gun = {
        "kind": "ranged",
        "range": 24,
        "attacks": attacks,
        "skill": 3,
        "strength": 5,
        "ap": -1,
        "damage": "D3",
    }
    guns = [
        gun | {"name": f"Gun {n}", "abilities": ["Devastating Wounds", "Precision"][: 2 - n % 2]}
        for n in range(weapons)
    ]
    return mh.make_unit(
        "wh40k10", {"name": "Gunners", "models": 1, "toughness": 4, "wounds": 1, "save": 4, "weapon": guns}
    )


@pytest.mark.needs_jit
@pytest.mark.parametrize(
    "attacks", [12, 40]
)  # the second needs more rows than are kept, so its packets land one by one
def test_packets_land_together_or_one_by_one(attacks: int) -> None:
    attacker, target = gunners(attacks), squad_with_captain(7)
    exact = mh.fight(attacker, target)
    played = mh.fight(attacker, target, method="simulate", trials=400_000, seed=3)
    for name in ("lost", "slain"):
        law, seen = getattr(exact, name), getattr(played, name)
        assert abs(seen.mean() - law.mean()) < 6.2 * law.sd() / 400_000**0.5
        assert abs(seen.var() - law.var()) < 6.2 * law.var() * (3 / 400_000) ** 0.5
    assert played.groups["Captain"].p_destroyed == pytest.approx(
        exact.groups["Captain"].p_destroyed, abs=6.2 * 0.5 / 400_000**0.5
    )


@pytest.mark.needs_jit
def test_what_exact_refuses_can_be_simulated() -> None:
    attacker, target = gunners(30, weapons=4), squad_with_captain(20)
    with pytest.raises(mh.TooLargeError, match='use method="simulate"'):
        mh.fight(attacker, target)
    whole, halves = (
        mh.fight(attacker, target, method="simulate", trials=30_000, seed=5, threads=threads)
        for threads in (1, 2)
    )
    assert whole.lost == halves.lost
    unsaved = 120 * 4 / 6 * 4 / 6 * 2.0  # wounds of 120 attacks, were there no saves
    assert 0.4 * unsaved < whole.lost.mean() < unsaved


@pytest.mark.parametrize("method", ["exact", "simulate"])
def test_a_target_of_too_many_states(method: str) -> None:
    horde = mh.make_unit("wh40k10", {"name": "Horde", "models": 1000, "toughness": 4, "wounds": 6, "save": 4})
    with pytest.raises(
        mh.TooLargeError,
        match=r"fight: the target has 6001 states \(at most 5000: split it into smaller units\)",
    ):
        mh.fight(gunners(1), horde, method=method)


def test_one_trial_is_a_simulation() -> None:
    one = mh.fight("Liberators", "Clanrats", method="simulate", trials=1, seed=3)
    assert sorted(one.slain.probs)[-1] == 1.0
    with pytest.raises(mh.BadInputError, match="simulate: trials"):
        mh.fight("Liberators", "Clanrats", method="simulate", trials=0)


def test_two_re_rolls_of_one_die_each_in_both_engines() -> None:
    """One failed hit and one failed wound may be rolled again: failures of two rolls are counted apart."""
    again = [{"name": "Aim", "reroll_hit": "one die"}, {"name": "Grudge", "reroll_wound": "one die"}]
    gun = {"name": "Gun", "attacks": 5, "skill": 4, "strength": 4, "ap": -1, "damage": "D3"}
    attacker = mh.make_unit(
        "wh40k10", {"name": "A", "wounds": 1, "toughness": 4, "weapon": [gun], "effect": again}
    )
    target = mh.make_unit("wh40k10", {"name": "T", "models": 6, "wounds": 2, "toughness": 5, "save": 4})
    exact = mh.fight(attacker, target)
    seen = mh.fight(attacker, target, method="simulate", trials=400_000, seed=8)
    assert abs(seen.lost.mean() - exact.lost.mean()) < 6.2 * exact.lost.sd() / 400_000**0.5
    assert abs(seen.lost.at_least(3) - exact.lost.at_least(3)) < 6.2 * 0.5 / 400_000**0.5


@pytest.mark.parametrize("roll", ["hit", "wound"])
def test_one_re_roll_where_damage_pools_and_criticals_do_something_else(roll: str) -> None:
    axe = {"name": "Axe", "attacks": 4, "hit": 4, "wound": 4, "damage": "D3", "abilities": ["Crit (Mortal)"]}
    aim = {"name": "Aim", f"reroll_{roll}": "one die"}
    attacker = mh.make_unit("aos4", {"name": "A", "health": 1, "weapon": [axe], "effect": [aim]})
    target = mh.make_unit("aos4", {"name": "T", "models": 6, "health": 2, "save": 5, "ward": 6})
    exact = mh.fight(attacker, target)
    seen = mh.fight(attacker, target, method="simulate", trials=400_000, seed=8)
    assert abs(seen.damage.mean() - exact.damage.mean()) < 6.2 * exact.damage.sd() / 400_000**0.5
    for points in range(1, 6):
        assert abs(seen.damage.at_least(points) - exact.damage.at_least(points)) < 6.2 * 0.5 / 400_000**0.5
