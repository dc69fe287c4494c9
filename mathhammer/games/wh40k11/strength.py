"""How a unit stands in the 11th edition: half-strength, battle-shock, the order of fighting, healing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mathhammer.dice.notation import parse_dice
from mathhammer.errors import BadInputError
from mathhammer.games.fields import Fields, choice
from mathhammer.games.wh40k.odds import TWO_DICE, Odds
from mathhammer.games.wh40k11.characteristics import LIMITS

MOST_PHASES = 20


def leadership(*, leadership: int, modifier: int = 0) -> Odds:
    """A Leadership roll (WH40K11-01.06): 2D6 of at least the Leadership."""
    return {"p_passed": _passes(leadership, modifier)}


def _passes(values: int | Sequence[int], modifier: int) -> float:
    """WH40K11-01.06: the best Leadership of the unit counts."""
    listed = [values] if isinstance(values, int) else list(values)
    low, high = LIMITS["leadership"]
    if not listed or low is None or high is None or not all(low <= value <= high for value in listed):
        raise BadInputError(
            f"battle_shock: Leadership {values!r} (give {low} to {high}, WH40K11-02.02.01-LIMITS)"
        )
    return TWO_DICE.at_least(min(listed) - modifier)


def battle_shock(
    *,
    leadership: int | Sequence[int],
    modifier: int = 0,
    reroll: str | bool = "none",
    shocked: bool = False,
    half_strength: bool = False,
    phases: int = 1,
    insane_bravery: bool = False,
) -> Odds:
    """Battle-shock rolls (WH40K11-01.07) in the own Command phases: of a unit that is shocked, until a roll
    succeeds, or that stays at or below half-strength, in every phase (WH40K11-08.03).

    Insane Bravery (WH40K11-15.04) is for the first roll of a unit that is not shocked.
    """
    if not 1 <= phases <= MOST_PHASES:
        raise BadInputError(f"battle_shock: {phases} phases (give 1 to {MOST_PHASES})")
    if insane_bravery and shocked:
        raise BadInputError(
            "battle_shock: Insane Bravery is not for a unit that is already shocked (WH40K11-15.04)"
        )
    once = _passes(leadership, modifier)
    passed = once + (1.0 - once) * once if reroll in ("failed", True) else once
    after: list[float] = []
    now = float(shocked)
    for phase in range(phases):
        sure = insane_bravery and phase == 0
        rolls = 1.0 if half_strength else now
        now = 0.0 if sure else rolls * (1.0 - passed)
        after.append(now)
    return {"p_pass": passed, "p_shocked_after": after}


def half_strength(
    *,
    starting_strength: int,
    models_left: int | None = None,
    wounds: int | None = None,
    wounds_left: int | None = None,
    shocked: bool = False,
) -> Odds:
    """How a unit stands (WH40K11-01.02.01): by its models, a single model by its wounds; at or below half it
    must roll for battle-shock, and as long as it is shocked (WH40K11-08.03).
    """
    single = starting_strength == 1
    full, left = (wounds, wounds_left) if single else (starting_strength, models_left)
    if full is None or left is None or not 0 <= left <= full:
        raise BadInputError(
            "half_strength: give models_left, for a single model wounds and wounds_left "
            "(never more than at the start)"
        )
    at_half, below = 2 * left == full, 2 * left < full
    return {
        "below_starting_strength": left < full,
        "at_half_strength": at_half,
        "below_half_strength": below,
        "must_roll": at_half or below or shocked,
    }


def fight_order(*, active: str, units: Sequence[Mapping[str, Any]]) -> Odds:
    """Who fights when (WH40K11-12.04): units with Fights First, and those that charged (WH40K11-11.04), in
    turn, the player whose turn it is first; then the rest, begun by whose selection it is.
    """
    choice("fight_order", "active", active, ("a", "b"))
    waiting: dict[str, dict[bool, list[str]]] = {side: {True: [], False: []} for side in ("a", "b")}
    for number, given in enumerate(units, 1):
        fields = Fields(f"fight_order: unit {number}", given, "id, owner, fights_first and charged")
        owner = fields.choice("owner", ("a", "b"))
        # WH40K11-24.13: a charge move gives Fights First
        first = fields.flag("fights_first") or fields.flag("charged")
        fields.known.append("charged")
        waiting[owner][first].append(fields.text("id"))
        fields.reject_unknown()
    order: list[str] = []
    turn = active
    for first in (True, False):
        while any(waiting[side][first] for side in waiting):
            if waiting[turn][first]:
                order.append(waiting[turn][first].pop(0))
            turn = "b" if turn == "a" else "a"
    return {"order": order}


def heal(
    *,
    group: Mapping[str, Any],
    models_left: int,
    points: int | str,
    wounded: int = 0,
    reroll: str = "none",
) -> Odds:
    """Healing of a unit, wound by wound (WH40K11-02.02.04): to a wounded model, else a destroyed model
    returns with one wound; never beyond the start.
    """
    fields = Fields("heal: group", group, "models and wounds")
    models, wounds = fields.whole("models", low=1), fields.whole("wounds", low=1)
    fields.reject_unknown()
    if not 1 <= models_left <= models or not 0 <= wounded < wounds:
        raise BadInputError(
            f"heal: {models_left} models left, {wounded} wounds lost (of {models} of {wounds})"
        )
    dice = parse_dice(points)
    rolled = (dice if reroll == "none" else dice.with_reroll("ones" if reroll == "ones" else "low")).pmf()
    missing = (models - models_left) * wounds + wounded
    regained = rolled.cut(missing)
    returned = regained.map(lambda value: -(-max(0, value - wounded) // wounds))
    return {
        "mean_models_returned": returned.mean(),
        "models_returned_pmf": returned,
        "mean_wounds_regained": regained.mean(),
        "wounds_regained_pmf": regained,
    }
