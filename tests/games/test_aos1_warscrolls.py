"""Age of Sigmar, 1st edition: rolls of so much or more, Bravery as an effect, split attacks, who is gone."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest

import mathhammer as mh
from mathhammer.games.aos1.battleshock import models_that_flee

LIMIT = 6.2
FACES = range(1, 7)


def unit(models: int, *weapons: dict[str, Any], **more: Any) -> Any:
    return mh.make_unit(
        "aos1", {"name": "Unit", "models": models, "wounds": 1, "weapon": list(weapons), **more}
    )


def sword(*abilities: str, **more: Any) -> dict[str, Any]:
    return {
        "name": "Sword",
        "attacks": 1,
        "hit": 4,
        "wound": 3,
        "rend": 1,
        "damage": 1,
        "abilities": list(abilities),
        **more,
    }


def target(models: int = 30, save: int | None = 4, **more: Any) -> Any:
    return unit(models, **({} if save is None else {"save": save}), **more)


# --- what one attack does, by every face of every die ------------------------------------------------------


def wounds_of(
    rule: dict[str, Any], better: bool, hit_bonus: int, wound_bonus: int
) -> Iterator[tuple[float, int]]:
    """(chance, damage) of one hit: wound roll, save roll, damage."""
    for wound in FACES:
        if wound + wound_bonus < 3:
            yield 1 / 6, 0
            continue
        strong = rule.get("roll") == "wound" and wound + wound_bonus >= rule["at"]
        kind = rule["kind"] if strong else ""
        if kind == "mortal":
            yield 1 / 6, rule["number"]
            continue
        rend = rule["number"] if (better and rule["kind"] == "rend") or kind == "rend" else 1
        harm = rule["number"] if (better and rule["kind"] == "damage") or kind == "damage" else 1
        more = rule["number"] if kind == "mortal besides" else 0
        for save in FACES:
            yield 1 / 36, more + (harm if save - rend < 4 else 0)


def attack_of(
    rule: dict[str, Any], hit_bonus: int = 0, wound_bonus: int = 0, extra: bool = True
) -> dict[int, float]:
    """The damage of one attack, every face looked at."""
    found: dict[int, float] = {}

    def add(chance: float, damage: int) -> None:
        found[damage] = found.get(damage, 0.0) + chance

    for hit in FACES:
        if hit + hit_bonus < 4:
            add(1 / 6, 0)
            continue
        strong = extra and rule.get("roll") == "hit" and hit + hit_bonus >= rule["at"]
        kind = rule["kind"] if strong else ""
        if kind == "mortal":
            add(1 / 6, rule["number"])
            continue
        hits = 1 + (rule["number"] if kind == "extra hits" else 0)
        sums: dict[int, float] = {rule["number"] if kind == "mortal besides" else 0: 1 / 6}
        for number in range(hits):
            better = strong and number == 0 and kind in ("rend", "damage")
            sums = joined(sums, wounds_of(rule, better, hit_bonus, wound_bonus))
        for _ in range(rule["number"] if kind == "extra attacks" else 0):
            sums = joined(
                sums, [(p, d) for d, p in attack_of(rule, hit_bonus, wound_bonus, extra=False).items()]
            )
        for damage, chance in sums.items():
            add(chance, damage)
    return found


def joined(sums: dict[int, float], more: Any) -> dict[int, float]:
    after: dict[int, float] = {}
    for (a, p), (q, b) in product(sums.items(), list(more)):
        after[a + b] = after.get(a + b, 0.0) + p * q
    return after


CASES = [
    ("6+ to hit: 1 extra hit", {"roll": "hit", "at": 6, "kind": "extra hits", "number": 1}),
    ("5+ to hit: 2 extra hits", {"roll": "hit", "at": 5, "kind": "extra hits", "number": 2}),
    ("6+ to hit: 1 extra attack", {"roll": "hit", "at": 6, "kind": "extra attacks", "number": 1}),
    ("6+ to hit: 2 mortal wounds", {"roll": "hit", "at": 6, "kind": "mortal", "number": 2}),
    ("6+ to wound: 2 mortal wounds", {"roll": "wound", "at": 6, "kind": "mortal", "number": 2}),
    (
        "5+ to wound: 1 mortal wound besides",
        {"roll": "wound", "at": 5, "kind": "mortal besides", "number": 1},
    ),
    ("6+ to hit: 1 mortal wound besides", {"roll": "hit", "at": 6, "kind": "mortal besides", "number": 1}),
    ("6+ to wound: rend 3", {"roll": "wound", "at": 6, "kind": "rend", "number": 3}),
    ("6+ to hit: rend 3", {"roll": "hit", "at": 6, "kind": "rend", "number": 3}),
    ("6+ to hit: damage 3", {"roll": "hit", "at": 6, "kind": "damage", "number": 3}),
    ("6+ to wound: damage 3", {"roll": "wound", "at": 6, "kind": "damage", "number": 3}),
]


@pytest.mark.rule("AOS1-ATTACK", "AOS1-MORTAL", "AOS1-SILENT-1")
@pytest.mark.parametrize("bonus", [0, 1, -1])
@pytest.mark.parametrize(("ability", "rule"), CASES)
def test_rolls_of_so_much_or_more(ability: str, rule: dict[str, Any], bonus: int) -> None:
    """AOS1-ATTACK, AOS1-SILENT-1: the roll counts with its modifiers; every face of hit, wound and save."""
    effects = [{"hit_roll": bonus, "wound_roll": bonus}] if bonus else []
    attacker = unit(1, sword(ability))
    exact = mh.fight(attacker, target(), effects=effects).damage.to_dict()
    wanted = attack_of(rule, bonus, bonus)
    for damage in set(wanted) | set(exact):
        assert exact.get(damage, 0.0) == pytest.approx(wanted.get(damage, 0.0), abs=1e-12)


@pytest.mark.rule("AOS1-ATTACK")
@pytest.mark.parametrize(("ability", "rule"), CASES)
def test_played_triggers_agree(ability: str, rule: dict[str, Any]) -> None:
    attacker = unit(6, sword(ability))
    exact = mh.fight(attacker, target())
    played = mh.fight(attacker, target(), method="simulate", trials=200_000, seed=6)
    assert exact.damage.mean() == pytest.approx(6 * sum(d * p for d, p in attack_of(rule).items()))
    assert abs(played.lost.mean() - exact.lost.mean()) / played.lost.standard_error() < LIMIT


@pytest.mark.rule("AOS1-ATTACK", "AOS1-MORTAL")
def test_triggers_by_literal_dice() -> None:
    """Random numbers, gifts of effects, wards: D3 mortal wounds besides on hit rolls of 5 or more, rolled out."""
    rng = np.random.default_rng(4)
    games = 400_000
    pool = np.zeros(games, dtype=int)
    for _ in range(3):
        hit, wound, save = (rng.integers(1, 7, games) for _ in range(3))
        pool += np.where(hit >= 5, (rng.integers(1, 7, games) + 1) // 2, 0)
        pool += (hit >= 4) & (wound >= 3) & (save - 1 < 4)
    kept = sum((n < pool) & (rng.integers(1, 7, games) < 5) for n in range(12))
    gift = {"name": "Gift", "gain": ["5+ to hit: D3 mortal wounds besides"]}
    result = mh.fight(unit(3, sword()), target(ward=5), effects=[gift])
    error = kept.std() / games**0.5
    assert abs(kept.mean() - result.damage.mean()) / error < LIMIT
    assert abs((kept >= 4).mean() - result.damage.at_least(4)) < LIMIT * (0.25 / games) ** 0.5


def test_explain_tells_the_trigger() -> None:
    told = mh.fight(unit(1, sword("6+ to hit: rend 3")), target()).explain()
    assert "A hit roll of 6 or more: rend 3 (AOS1-ATTACK)" in told


@pytest.mark.parametrize(
    ("abilities", "message"),
    [
        (
            ["6 to hit: 1 extra hit"],
            "Unit, Sword: unknown ability '6 to hit: 1 extra hit' (did you mean '6+ to hit: 2 extra hits'?)",
        ),
        (
            ["6+ to hit: 1 extra hit", "5+ to hit: damage 2"],
            "fight: Sword has two values of hit rolls that do something",
        ),
        (
            ["6+ to hit: 1 mortal wound", "6+ to hit: damage 2"],
            "fight: Sword ends an attack with mortal wounds and makes it",
        ),
        (
            ["6+ to hit: rend 2", "6+ to wound: damage 2"],
            "fight: Sword has Rend or Damage for hit and for wound rolls",
        ),
        (["6+ to wound: 1 extra hit"], "fight: Sword: extra hits come from hit rolls (write 6+ to hit)"),
    ],
)
def test_trigger_messages(abilities: list[str], message: str) -> None:
    with pytest.raises(mh.MathhammerError) as error:
        mh.fight(unit(1, sword(*abilities)), target())
    assert message in str(error.value)


# --- battleshock -------------------------------------------------------------------------------------------


@pytest.mark.rule("AOS1-BATTLESHOCK")
def test_bravery_is_an_effect() -> None:
    """AOS1-BATTLESHOCK: of the unit itself, of a friend, of the enemy, and only while its condition holds."""
    attacker = unit(10, sword())
    scary = unit(10, sword(), effect=[{"name": "Terror", "on": "target", "bravery": "-2"}])
    plain = mh.fight(attacker, target(10, None, bravery=5))
    slain = plain.slain.to_dict()

    def fled(bravery: int) -> float:
        return sum(
            chance * models_that_flee(10 - dead, dead, bravery).mean()
            for dead, chance in slain.items()
            if dead
        )

    brave = {"name": "Banner", "bravery": "+2"}
    crowd = {"name": "Crowd", "bravery": "+2", "when": ["models >= 20"]}
    assert plain.aftermath["fled"].mean() == pytest.approx(fled(5))
    own = mh.fight(attacker, target(10, None, bravery=5, effect=[brave]))
    assert own.aftermath["fled"].mean() == pytest.approx(fled(7))
    few = mh.fight(attacker, target(10, None, bravery=5, effect=[crowd]))
    assert few.aftermath["fled"].mean() == pytest.approx(fled(5))
    friend = unit(1, effect=[{**brave, "on": "friends"}])
    lent = mh.fight(attacker, target(10, None, bravery=5), target_friends=[friend])
    assert lent.aftermath["fled"].mean() == pytest.approx(fled(7))
    feared = mh.fight(scary, target(10, None, bravery=5))
    assert feared.aftermath["fled"].mean() == pytest.approx(fled(3))
    # in a duel too: who fears more flees more
    losses = [
        mh.duel(attacker, target(10, None, bravery=5, effect=effects), rounds=1, charge="none").p_win
        for effects in ([], [{"name": "Banner", "bravery": "+5"}])
    ]
    assert losses[0] > losses[1]


@pytest.mark.rule("AOS1-BATTLESHOCK", "AOS1-SILENT-8")
def test_gone_after_battleshock() -> None:
    """AOS1-BATTLESHOCK: nobody left because slain or fled, case by case; no test for a unit that is gone."""
    attacker, victims = unit(6, sword()), target(6, None, bravery=3)
    result = mh.fight(attacker, victims)
    gone = left_two = 0.0
    for dead, chance in result.slain.to_dict().items():
        for die in FACES:
            fled = min(6 - dead, max(0, die + dead - 3)) if dead and dead < 6 else 0
            gone += chance / 6 * (dead + fled == 6)
            left_two += chance / 6 * (dead + fled == 4)
    assert result.aftermath["gone"].mean() == pytest.approx(gone)
    assert result.aftermath["models_left"].to_dict()[0] == pytest.approx(gone)
    assert result.aftermath["models_left"].to_dict()[2] == pytest.approx(left_two)
    assert result.p_destroyed < gone
    played = mh.fight(attacker, victims, method="simulate", trials=200_000, seed=3)
    assert played.aftermath["gone"].mean() == pytest.approx(gone, abs=LIMIT * (0.25 / 200_000) ** 0.5)


# --- split attacks -----------------------------------------------------------------------------------------


@pytest.mark.rule("AOS1-ATTACK")
def test_split_attacks() -> None:
    """AOS1-ATTACK: three of five models on one unit, two on another, each as if only they attacked."""
    five = unit(5, sword(attacks=2))
    soft, hard = target(10, None), target(10, 3)
    first, second = mh.split(five, [(soft, 3), (hard, 2)])
    assert first.damage.to_dict() == pytest.approx(mh.fight(unit(3, sword(attacks=2)), soft).damage.to_dict())
    assert second.damage.to_dict() == pytest.approx(
        mh.fight(unit(2, sword(attacks=2)), hard).damage.to_dict()
    )
    played = mh.split(five, [(soft, 3), (hard, 2)], method="simulate", trials=100_000, seed=2)
    for one, other in zip(played, (first, second), strict=True):
        assert abs(one.lost.mean() - other.lost.mean()) / one.lost.standard_error() < LIMIT


@pytest.mark.rule("AOS1-ATTACK")
def test_split_attacks_keep_the_leader_the_special_weapons_and_the_size() -> None:
    """Two maces go with the first three models, as the leader does; rules that count models see all five."""
    mace = {"name": "Mace", "attacks": 2, "hit": 2, "wound": 2, "damage": 3, "models": 2}
    led = sword(leader_attacks=1, models=3)
    crowd = {"name": "Crowd", "hit_roll": 1, "when": ["models >= 5"]}
    five = unit(5, mace, led, effect=[crowd])
    soft = target(30, None)
    first, second = mh.split(five, [(soft, 3), (soft, 2)])
    maces = 2 * 2 * 1.0 * 5 / 6 * 3  # 2+ with +1 always hits
    sword_damage = 4 / 6 * 4 / 6
    assert first.damage.mean() == pytest.approx(
        maces + (1 + 1) * sword_damage
    )  # the third model is the leader
    assert second.damage.mean() == pytest.approx(2 * sword_damage)
    whole = mh.fight(five, soft)
    assert first.damage.mean() + second.damage.mean() == pytest.approx(whole.damage.mean())


@pytest.mark.parametrize(
    ("shares", "message"),
    [
        ([3, 3], "split: 6 models attack, Unit has 5 (give at most as many)"),
        ([0, 3], "split: Unit with 5 models attacks with [0, 3] (give each target 1 or more)"),
        ([], "split: Unit with 5 models attacks with [] (give each target 1 or more)"),
    ],
)
def test_split_messages(shares: list[int], message: str) -> None:
    with pytest.raises(mh.BadInputError) as error:
        mh.split(unit(5, sword()), [(target(), share) for share in shares])
    assert str(error.value) == message


# --- duels -------------------------------------------------------------------------------------------------


@pytest.mark.rule("AOS1-ROUND")
def test_players_roll_for_every_round() -> None:
    """AOS1-ROUND: 29.8 % where the order of turns stays at 31.0 %."""
    rolled = mh.duel("Liberators", "Stormvermin", system="aos1")
    fixed = mh.duel("Liberators", "Stormvermin", system="aos1", priority="fixed")
    assert (round(rolled.p_win, 3), round(fixed.p_win, 3)) == (0.298, 0.310)
    assert mh.duel("Liberators", "Stormvermin", system="aos1", priority="roll").p_win == rolled.p_win


@pytest.mark.rule("AOS1-ROUND", "AOS1-MOVE")
def test_rolled_turns_and_an_approach_are_exact() -> None:
    """AOS1-ROUND: whoever begins a round moves first, so the sides meet elsewhere; simulation rolls it out."""
    asked: dict[str, Any] = {"system": "aos1", "distance": 20, "approach": "both", "rounds": 4}
    exact = mh.duel("Liberators", "Stormvermin", **asked)
    played = mh.duel("Liberators", "Stormvermin", **asked, method="simulate", trials=200_000, seed=1)
    for name in ("p_win", "p_lose"):
        chance = getattr(exact, name)
        error = (chance * (1 - chance) / 200_000) ** 0.5
        assert abs(getattr(played, name) - chance) / error < LIMIT


@pytest.mark.rule("AOS1-TRIUMPH")
def test_inspired_is_for_one_combat_phase() -> None:
    """AOS1-TRIUMPH: 47.0 % at best, in the first phase or later; in every phase it was 57.9 %."""
    asked: dict[str, Any] = {"system": "aos1", "rounds": 2, "priority": "fixed"}
    best = mh.duel("Liberators", "Stormvermin", **asked, commands="inspired")
    assert round(best.p_win, 3) == 0.470
    each = [
        mh.duel("Liberators", "Stormvermin", **asked, commands=f"inspired@{when}").p_win
        for when in ("1a", "1b", "2a", "2b")
    ]
    assert best.p_win == pytest.approx(max(each))
    assert len({round(chance, 6) for chance in each}) == 4
    theirs = mh.duel("Liberators", "Stormvermin", **asked, commands={"b": "inspired"})
    lost = [
        mh.duel("Liberators", "Stormvermin", **asked, commands={"b": f"inspired@{when}"}).p_lose
        for when in ("1a", "1b", "2a", "2b")
    ]
    assert theirs.p_lose == pytest.approx(max(lost))
    played = mh.duel(
        "Liberators", "Stormvermin", **asked, commands="inspired", method="simulate", trials=200_000, seed=1
    )
    assert abs(played.p_win - best.p_win) < LIMIT * (0.25 / 200_000) ** 0.5
    with pytest.raises(
        mh.BadInputError, match=r"^duel: a: inspired is for one phase of the battle \(name it once\)$"
    ):
        mh.duel("Liberators", "Stormvermin", **asked, commands=["inspired@1a", "inspired@2a"])


@pytest.mark.rule("AOS1-MYSTIC-SHIELD", "AOS1-COMMAND", "AOS1-BATTLESHOCK")
def test_options_about_a_unit_are_for_its_side() -> None:
    """AOS1-MYSTIC-SHIELD: 48.2 % with the shield on Liberators, 28.5 % with one on each side."""
    asked: dict[str, Any] = {"system": "aos1", "priority": "fixed"}

    def chance(**options: Any) -> float:
        return mh.duel("Liberators", "Stormvermin", **asked, **options).p_win

    ours = chance(options={"a:mystic_shields": 1})
    assert round(ours, 3) == 0.482
    assert chance(options={"mystic_shields": 1}) == ours == chance(options={"a": {"mystic_shields": 1}})
    both = chance(options={"a:mystic_shields": 1, "b:mystic_shields": 1})
    assert round(both, 3) == 0.285
    theirs = chance(options={"b:mystic_shields": 1})
    assert theirs < chance() < ours
    # who takes no battleshock test keeps more models
    assert (
        chance(options={"a:inspiring_presence": True})
        > chance()
        > chance(options={"b:inspiring_presence": True})
    )
    assert chance(options={"a:bravery": 3}) > chance() > chance(options={"b:bravery": 3})
    played = mh.duel(
        "Liberators",
        "Stormvermin",
        **asked,
        options={"a:mystic_shields": 1},
        method="simulate",
        trials=200_000,
    )
    assert abs(played.p_win - ours) < LIMIT * (0.25 / 200_000) ** 0.5
    with pytest.raises(mh.MathhammerError, match=r"unknown option 'mystic_shield'"):
        chance(options={"b:mystic_shield": 1})


def test_words_with_the_prefix_of_a_side() -> None:
    asked: dict[str, Any] = {"system": "aos1", "rounds": 1}
    by_mapping = mh.duel("Liberators", "Stormvermin", **asked, situation={"b": "target_in_cover"})
    by_prefix = mh.duel("Liberators", "Stormvermin", **asked, situation=["b:target_in_cover"])
    assert by_prefix.p_win == by_mapping.p_win
    mixed = mh.duel("Liberators", "Stormvermin", **asked, situation=["damned", "B:target_in_cover"])
    assert (
        mixed.p_win
        == mh.duel(
            "Liberators", "Stormvermin", **asked, situation={"a": "damned", "b": "target_in_cover"}
        ).p_win
    )
    armed = mh.duel("Liberators", "Stormvermin", **asked, weapons="b:melee")
    assert armed.p_win == mh.duel("Liberators", "Stormvermin", **asked, weapons={"b": "melee"}).p_win
    commands = mh.duel("Liberators", "Stormvermin", **asked, commands=["b:inspired@1a"])
    assert (
        commands.p_win == mh.duel("Liberators", "Stormvermin", **asked, commands={"b": "inspired@1a"}).p_win
    )
