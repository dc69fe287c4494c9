"""What must hold for whatever legal units meet: random units, targets, effects and situations of all five games.

The number of inputs follows hypothesis' profile: `--hypothesis-profile=deep` tries twenty times as many.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import random_units
from hypothesis import assume, given
from hypothesis import strategies as st
from likelihood import LIMIT, likely, z_score

import mathhammer as mh
from mathhammer.games.discovery import attacks_of

TRIALS = 20_000
KINDS = st.sampled_from(["melee", "ranged"])


Meeting = tuple[mh.Unit, mh.Unit, dict[str, Any]]


@st.composite
def meetings(draw: st.DrawFn, system: str, alike: bool = False) -> Meeting:
    """An attacker, a target, and how they meet; what the rules forbid is not tried.

    With `alike` the target's models have one wound each, are all the same, and nothing about them is used up.
    """
    game, kind = attacks_of(system), draw(KINDS)
    attacker = mh.make_unit(system, draw(random_units.units(system, kind)))
    body = draw(random_units.units(system, kind))
    if alike:
        body = {key: value for key, value in body.items() if key not in ("group", "damage_zero_uses")}
        body |= {game.wounds: 1, "models": min(8, body["models"])}
    target = mh.make_unit(system, body)
    hurt = draw(st.integers(0, max(0, target.health - 1))) if draw(st.booleans()) else 0
    how: dict[str, Any] = {
        "weapons": kind,
        "situation": draw(st.lists(st.sampled_from(sorted(game.situations)), max_size=3, unique=True)),
        "commands": []
        if alike
        else draw(st.lists(st.sampled_from(sorted({*game.commands} - {game.best_reroll})), max_size=1)),
        "distance": draw(st.none() | random_units.INCHES),
        "round": draw(st.sampled_from([None, 1, 2])),
    }
    try:
        mh.fight(attacker, target.with_lost(hurt), **how)
    except mh.MathhammerError:
        assume(False)
    return attacker, target.with_lost(hurt), how


@pytest.mark.rule("AOS1-TRIUMPH")
@pytest.mark.parametrize("system", random_units.GAMES)
def test_laws_are_laws(system: str) -> None:
    """Chances are chances, they add up, nobody loses more than there is, and no warning is given."""

    @given(meetings(system))
    def check(meeting: Meeting) -> None:
        attacker, target, how = meeting
        with np.errstate(all="raise"):
            result = mh.fight(attacker, target, **how)
            laws = [result.lost, result.slain] + ([result.damage] if result.pool is not None else [])
        for law in laws:
            assert np.isfinite(law.probs).all()
            assert law.probs.min() >= 0.0
            assert law.probs.sum() == pytest.approx(1.0, abs=1e-11)
        more = (
            target.models_left if "target_empowered" in how["situation"] else 0
        )  # AOS1-TRIUMPH: a general has one more
        left = target.health - target.lost + more
        assert len(np.trim_zeros(result.lost.probs, "b")) - 1 <= left
        assert len(np.trim_zeros(result.slain.probs, "b")) - 1 <= target.models_left
        assert result.p_destroyed == pytest.approx(result.slain.at_least(target.models_left), abs=1e-11)
        assert result.p_destroyed == pytest.approx(result.lost.at_least(left), abs=1e-11)
        if result.pool is not None:
            assert result.lost.mean() <= result.damage.mean() + 1e-9

    check()


@pytest.mark.parametrize("system", random_units.GAMES)
def test_both_engines_give_the_same_means(system: str) -> None:
    @given(meetings(system), st.integers(0, 2**32))
    def check(meeting: Meeting, seed: int) -> None:
        attacker, target, how = meeting
        exact = mh.fight(attacker, target, **how)
        played = mh.fight(attacker, target, **how, method="simulate", trials=TRIALS, seed=seed, threads=1)
        for name in ("lost", "slain"):
            law, seen = getattr(exact, name), getattr(played, name)
            if (
                law.sd() * TRIALS > 50.0
            ):  # rarer than that, a mean is a count of a few events: the chance below looks at it
                assert abs(z_score(law, seen.mean(), TRIALS)) < LIMIT
        assert likely(min(1.0, exact.p_destroyed), played.p_destroyed, TRIALS)
        some = min(1.0, exact.lost.at_least(1))
        assert likely(some, played.lost.at_least(1), TRIALS)

    check()


BETTER: dict[str, list[dict[str, Any]]] = {
    "aos4": [
        {"hit_roll": "+1"},
        {"wound_roll": "+1"},
        {"attacks": "+1"},
        {"reroll_hit": "failed"},
        {"reroll_wound": "any"},
    ],
    "aos1": [
        {"hit_roll": "+1"},
        {"wound_roll": "+1"},
        {"attacks": "+1"},
        {"reroll_hit": "failed"},
        {"reroll_wound": "any"},
    ],
    "wh40k10": [
        {"hit_roll": "+1"},
        {"wound_roll": "+1"},
        {"attacks": "+1"},
        {"reroll_hit": "failed"},
        {"strength": "+1"},
        {"ap": "-1"},
    ],
}
BETTER["wh40k11"] = BETTER["wh40k10"]
WORSE: list[dict[str, Any]] = [{"save_roll": "+1", "on": "target"}, {"hit_roll": "-1"}, {"wound_roll": "-1"}]


@pytest.mark.slow
@pytest.mark.parametrize("system", random_units.GAMES)
def test_help_helps_and_hindrance_hinders(system: str) -> None:
    """One more to a roll, one more attack, a re-roll of failures: never less damage. The other way round for the target."""

    @given(meetings(system), st.sampled_from(BETTER[system]), st.sampled_from(WORSE))
    def check(meeting: Meeting, better: dict[str, Any], worse: dict[str, Any]) -> None:
        attacker, target, how = meeting
        # a die that succeeds is kept, so a better roll may leave fewer dice to be rolled again for criticals
        rerolled = any(
            key == "reroll_hit" for unit in (attacker, target) for e in unit.effects for key, _ in e.changes
        )
        assume(not (rerolled and any("Crit" in word for w in attacker.weapons for word in w.abilities)))
        plain = mh.fight(attacker, target, **how)
        how = how | {"choices": dict(plain.choices)}  # the best critical ability is that of the damage dealt
        helped, hindered = (mh.fight(attacker, target, **how, effects=[effect]) for effect in (better, worse))
        assert helped.lost.mean() >= plain.lost.mean() - 1e-9
        assert hindered.lost.mean() <= plain.lost.mean() + 1e-9
        assert helped.p_destroyed >= plain.p_destroyed - 1e-9

    check()


@pytest.mark.slow
@pytest.mark.parametrize("system", random_units.GAMES)
def test_the_order_of_weapons_where_it_cannot_matter(system: str) -> None:
    """Damage that pools, and models of one wound that are all alike: whatever comes first, the sum is the same."""

    @given(meetings(system, alike=system in ("wh40k10", "wh40k11")))
    def check(meeting: Meeting) -> None:
        attacker, target, how = meeting
        names = [weapon.name for weapon in attacker.weapons]
        there, back = (
            mh.fight(attacker, target, **(how | {"weapons": order})) for order in (names, names[::-1])
        )
        assert there.lost.probs == pytest.approx(back.lost.probs, abs=1e-11)
        assert there.slain.probs == pytest.approx(back.slain.probs, abs=1e-11)

    check()


@pytest.mark.slow
@pytest.mark.parametrize("system", random_units.GAMES)
def test_a_tougher_target_loses_no_more(system: str) -> None:
    """A better save, a ward, one more model: never more wounds lost of the first models, never a likelier end."""

    @given(st.data(), random_units.units(system), KINDS)
    def check(data: st.DataObject, body: dict[str, Any], kind: str) -> None:
        attacker = mh.make_unit(system, data.draw(random_units.units(system, kind)))
        body = {key: value for key, value in body.items() if key not in ("effect", "group")}
        body["models"] = min(body["models"], 8)
        tough = data.draw(st.sampled_from(["save", "fnp" if system == "wh40k10" else "ward", "models"]))
        more = (
            {"models": body["models"] + 1}
            if tough == "models"
            else {tough: max(2, (body.get(tough) or 6) - 1)}
        )
        try:
            plain = mh.fight(attacker, mh.make_unit(system, body), weapons=kind)
            tougher = mh.fight(attacker, mh.make_unit(system, body | more), weapons=kind)
        except mh.MathhammerError:
            assume(False)
        assume(not _counts_models(attacker))
        assert tougher.p_destroyed <= plain.p_destroyed + 1e-9
        if tough != "models":
            assert tougher.lost.mean() <= plain.lost.mean() + 1e-9

    check()


def _counts_models(attacker: mh.Unit) -> bool:
    """Whether more models in the target mean more attacks on it."""
    blast = any("Blast" in weapon.abilities for weapon in attacker.weapons)
    gained = any(
        "Blast" in value for effect in attacker.effects for key, value in effect.changes if key == "gain"
    )
    counting = any("models" in condition.text for effect in attacker.effects for condition in effect.when)
    return blast or gained or counting
