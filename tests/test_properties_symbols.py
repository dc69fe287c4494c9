"""What must hold for whatever is thrown in the symbol-dice games: random disks, volleys, sides and battles."""

from __future__ import annotations

from math import sqrt
from typing import Any

import naive_symbols
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likelihood import LIMIT, likely

import mathhammer as mh
from mathhammer.games.diskwars.disk import TAGS
from mathhammer.games.uprising.pools import COLOURS, dice_box
from mathhammer.games.uprising.powers import LIMITS
from mathhammer.games.uprising.sides import CONDITIONS, TERRAIN

TRIALS = 20_000
FACES = {colour: [list(face) for face in die.faces] for colour, die in dice_box("tests", None).dice.items()}
SYMBOLS = ("hit", "crit", "miss", "scatter", "chaos")


def near(mean: float, seen: float, sd: float) -> None:
    """A seen mean fits; where almost nothing varies, a count of a few events is looked at elsewhere."""
    if sd * TRIALS > 50.0 or sd < 1e-12:
        assert abs(seen - mean) <= LIMIT * sd / sqrt(TRIALS) + 1e-9


# --- Diskwars -------------------------------------------------------------------------------------------------------------


@st.composite
def disks(draw: st.DrawFn, name: str) -> dict[str, Any]:
    """One disk as it may lie on the table."""
    stamina, toughness = draw(st.integers(1, 8)), draw(st.integers(0, 2))
    tags = st.lists(st.sampled_from(TAGS), max_size=2, unique=True)
    return {
        "id": name,
        "stamina": stamina,
        "toughness": toughness,
        "damage": draw(st.integers(0, stamina - 1)),
        "wounds": draw(st.integers(0, toughness)),
        "empowered": draw(st.booleans()),
        "activated": draw(st.booleans()),
        "resist": draw(tags),
        "immune": draw(tags) if draw(st.integers(0, 3)) == 0 else [],
    }


@st.composite
def shots(draw: st.DrawFn) -> dict[str, Any]:
    """One ranged attack on a disk with neighbours."""
    faces = draw(
        st.fixed_dictionaries({symbol: st.integers(0, 3) for symbol in SYMBOLS}).filter(
            lambda found: any(found.values())
        )
    )
    return {
        "faces": faces,
        "dice": draw(st.integers(1, 6)),
        "strength": draw(st.sampled_from([1, 2, 3, 6, "d6"])),
        "damage_type": draw(st.sampled_from(["physical", "magic"])),
        "range": draw(st.sampled_from(["short", "medium", "long", "siege"])),
        "cover": draw(st.booleans()),
        "convert": draw(
            st.sampled_from([{}, {"chaos": "hit"}, {"miss": "scatter"}, {"chaos": "scatter", "miss": "hit"}])
        ),
        "resist_mode": draw(st.sampled_from(["instance", "per_hit"])),
        "target": draw(disks("target")),
        "neighbours": [draw(disks(f"n{number}")) for number in range(draw(st.integers(0, 3)))],
    }


@given(shots(), st.integers(0, 2**32))
def test_volleys_three_ways(shot: dict[str, Any], seed: int) -> None:
    """Exact, simulated and thrown by the referee: the same damage on every disk, and laws that are laws."""
    with np.errstate(all="raise"):
        exact = mh.odds("diskwars", "ranged", **shot)
    played = mh.odds("diskwars", "ranged", **shot, method="simulate", trials=TRIALS, seed=seed)
    thrown = naive_symbols.ranged(shot, TRIALS, seed=seed)
    for mine, simulated, seen in zip(exact["disks"], played["disks"], thrown["disks"], strict=True):
        law = mine["damage"]
        assert law.probs.min() >= 0.0
        assert law.probs.sum() == pytest.approx(1.0, abs=1e-11)
        assert mine["p_destroyed"] <= mine["p_wound"] + 1e-12
        near(law.mean(), simulated["expected_damage"], law.sd())
        near(law.mean(), float(seen["damage"].mean()), law.sd())
        for key in ("p_wound", "p_destroyed", "p_activation_token"):
            assert likely(min(1.0, mine[key]), simulated[key], TRIALS)
            assert likely(min(1.0, mine[key]), float(seen[key]), TRIALS)


@given(shots())
def test_more_dice_and_more_strength_never_help_the_target(shot: dict[str, Any]) -> None:
    plain = mh.odds("diskwars", "ranged", **shot)["disks"][0]
    stronger = {"strength": shot["strength"] + 1} if shot["strength"] != "d6" else {"strength": 6}
    for more in ({"dice": shot["dice"] + 1}, stronger):
        after = mh.odds("diskwars", "ranged", **(shot | more))["disks"][0]
        assert after["p_destroyed"] >= plain["p_destroyed"] - 1e-12
        assert after["p_wound"] >= plain["p_wound"] - 1e-12


# --- Uprising -------------------------------------------------------------------------------------------------------------

DICE = st.lists(st.sampled_from(COLOURS), max_size=2)
POWER = st.fixed_dictionaries(
    {
        "effect": st.sampled_from(["skulls", "shields"]),
        "n": st.integers(1, 2),
        "limit": st.sampled_from(LIMITS[:2]),
    }
)
BONUS = st.fixed_dictionaries(
    {}, optional=dict.fromkeys(("archery", "clash", "first_clash", "after_damage"), DICE)
)


@st.composite
def players(draw: st.DrawFn) -> dict[str, Any]:
    """A side of player units."""
    made: dict[str, Any] = {
        "kind": "units",
        "faction": "player",
        "units": [
            {
                "name": f"u{number}",
                "die": draw(st.sampled_from(COLOURS)),
                "archer": draw(st.booleans()),
                "rider": draw(st.booleans()),
            }
            for number in range(draw(st.integers(1, 3)))
        ],
        "tower": draw(st.booleans()),
        "wall": draw(st.booleans()),
        "bonus": draw(BONUS),
        "reroll": draw(st.integers(0, 2)),
    }
    if draw(st.booleans()):
        made |= {"bolt_policy": "god_power_first", "god_power": draw(st.lists(POWER, min_size=1, max_size=2))}
    return made


@st.composite
def enemies(draw: st.DrawFn) -> dict[str, Any]:
    """A garrison, skeletons, or a card with dice at every threat."""
    kind = draw(st.sampled_from(["garrison", "skeletons", "card"]))
    common: dict[str, Any] = {"kind": kind, "bonus": draw(BONUS), "reroll": draw(st.integers(0, 1))}
    if kind == "skeletons":
        return common | {"faction": "chaos", "count": draw(st.integers(1, 2))}
    strength = draw(st.integers(1, 3))
    clash = st.lists(st.sampled_from(COLOURS), min_size=1, max_size=3)
    common["table"] = {
        str(row): {"archery": draw(DICE), "clash": draw(clash)} for row in range(1, strength + 1)
    }
    if kind == "garrison":
        return common | {"faction": "empire", "level": strength}
    common |= {
        "faction": draw(st.sampled_from(["empire", "chaos"])),
        "threat": strength,
        "stops_shields": draw(st.booleans()),
        "stops_bolts": draw(st.booleans()),
        "skips_archery": draw(st.booleans()),
        "destroy_vp": draw(st.integers(0, 3)),
    }
    if draw(st.booleans()):
        common["god_power"] = draw(POWER)
    if draw(st.booleans()):
        common |= {
            "extra": [{"when": draw(st.sampled_from([*TERRAIN, *CONDITIONS])), "clash": draw(DICE)}],
            "conditions": [CONDITIONS[0]],
        }
    return common


@pytest.mark.slow
@given(players(), enemies(), st.sampled_from([*TERRAIN, None]), st.integers(0, 2**32))
def test_battles_three_ways(a: dict[str, Any], b: dict[str, Any], terrain: str | None, seed: int) -> None:
    """Exact, simulated and thrown by the referee: the same ends, and chances that add up."""
    asked = {"a": a, "b": b} | ({} if terrain is None else {"terrain": terrain})
    try:
        with np.errstate(all="raise"):
            exact = mh.odds("uprising", "battle", **asked)
    except mh.MathhammerError as refused:
        assert "never ends" in str(refused) or "too" in str(refused)
        return
    ends = (
        "p_win",
        "p_lose",
        "p_draw",
        "p_horde_formed",
    )  # three skeletons become a horde, and the combat stops there
    assert sum(exact[key] for key in ends) == pytest.approx(1.0, abs=1e-11)
    for key in ("survivors_a", "remaining_b"):
        assert exact[key].probs.min() >= 0.0
        assert exact[key].probs.sum() == pytest.approx(1.0, abs=1e-11)
    played = mh.odds("uprising", "battle", **asked, method="simulate", trials=TRIALS, seed=seed)
    thrown = naive_symbols.battle({"faces": FACES, **asked}, TRIALS, seed=seed)
    left_a, left_b = thrown["left"]
    seen = (
        (left_a > 0) & (left_b == 0),
        (left_a == 0) & (left_b > 0),
        (left_a == 0) & (left_b == 0),
        thrown["horde"],
    )
    for key, in_play in zip(ends, seen, strict=True):
        assert likely(min(1.0, exact[key]), played[key], TRIALS)
        assert likely(min(1.0, exact[key]), float(in_play.mean()), TRIALS)
    near(exact["expected_survivors_a"], played["survivors_a"].mean(), exact["survivors_a"].sd())
    near(exact["expected_remaining_b"], played["remaining_b"].mean(), exact["remaining_b"].sd())


@pytest.mark.slow
@given(players(), enemies(), st.sampled_from(COLOURS))
def test_one_more_unit_never_lowers_the_chance_to_win(a: dict[str, Any], b: dict[str, Any], die: str) -> None:
    more = a | {"units": [*a["units"], {"name": "more", "die": die}], "casualty_order": ["more"]}
    try:
        without, with_it = (mh.odds("uprising", "battle", a=side, b=b)["p_win"] for side in (a, more))
    except mh.MathhammerError as refused:
        assert "never ends" in str(refused) or "too" in str(refused)
        return
    assert with_it >= without - 1e-9
