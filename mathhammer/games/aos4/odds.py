"""The other dice of Age of Sigmar, 4th edition: charges, runs, Rally, magic, prayers, priority."""

from __future__ import annotations

from collections.abc import Callable
from operator import add

from mathhammer.dice.notation import parse_dice
from mathhammer.dice.pmf import Pmf
from mathhammer.errors import BadInputError
from mathhammer.games.aos4.rally import rally_points, spend_points
from mathhammer.games.aos4.turns import CHARGE
from mathhammer.games.sigmar.odds import (
    D3,
    ONE_DIE,
    TWO_DICE,
    Odds,
    casting,
    mortal_losses,
    reach,
    rolled_again,
)
from mathhammer.games.turns import inches


def charge(
    *,
    needed: int | None = None,
    distance: float | str | None = None,
    modifier: int = 0,
    reroll: bool = False,
    reroll_dice: str = "all",
) -> Odds:
    """A charge roll (AOS4-14.3), or a Counter-charge (AOS4-C-5.0): the 2D6 that are needed, or the inches
    between the bases.
    """
    if (needed is None) == (distance is None):
        raise BadInputError(
            "charge: give either needed= (the total on 2D6) or distance= (inches between bases)"
        )
    if reroll_dice not in ("all", "subset"):
        raise BadInputError(f"charge: reroll_dice {reroll_dice!r} (give 'all' or 'subset', AOS4-AMB-20)")
    if distance is not None:
        needed = CHARGE.total(inches(distance))
    assert needed is not None
    wanted = needed - modifier
    chance = TWO_DICE.at_least(wanted)
    # AOS4-C-5.0 Forward to Victory: a reaction to a roll that is seen (AOS4-5.2), so only a failed one is
    # taken again; AOS4-AMB-20: all of it, or as AOS4-2.2 says one die or both
    if reroll:
        chance = rolled_again(wanted, add, whole=reroll_dice == "all")
    return {"needed": needed, "p_success": chance, "reroll_dice": reroll_dice if reroll else "none"}


def run(*, move: int = 0, at_the_double: bool = False) -> Odds:
    """A run (AOS4-14.1): Move + D6, or + 6 with At the Double (AOS4-C-3.0)."""
    rolled = Pmf.constant(6) if at_the_double else ONE_DIE
    return reach(move, rolled)


def redeploy() -> Odds:
    """Redeploy (AOS4-C-3.0): a move of up to D6 inches."""
    return reach(0, ONE_DIE)


def mortal(pool: Pmf, *, health: int, models: int, damage_allocated: int, ward: int | None) -> Odds:
    """What a pool of mortal damage does to a unit (AOS4-17.2, 18.1, 18.2)."""
    if health < 1 or models < 1 or not 0 <= damage_allocated < health:
        raise BadInputError("odds: give health and models of at least 1, and damage_allocated below health")
    if ward is not None and not 2 <= ward <= 6:
        raise BadInputError(f"odds: ward {ward}+ (give 2 to 6, or leave it out)")
    kept, slain = mortal_losses(pool, models, health, damage_allocated, ward)
    return {
        "mean_damage": kept.mean(),
        "damage_pmf": kept,
        "mean_slain": slain.mean(),
        "slain_pmf": slain,
        "p_destroyed": slain[models],
    }


def retreat(*, health: int = 1, models: int = 1, damage_allocated: int = 0, ward: int | None = None) -> Odds:
    """Retreat (AOS4-14.1): D3 mortal damage to the unit itself."""
    return mortal(D3, health=health, models=models, damage_allocated=damage_allocated, ward=ward)


def power_through(
    *, health: int = 1, models: int = 1, damage_allocated: int = 0, ward: int | None = None
) -> Odds:
    """Power Through (AOS4-C-8.0): D3 mortal damage to an enemy of lower Health."""
    return mortal(D3, health=health, models=models, damage_allocated=damage_allocated, ward=ward)


def mortal_dice(
    *,
    dice: int,
    needs: int = 4,
    each: str | int = 1,
    health: int = 1,
    models: int = 1,
    damage_allocated: int = 0,
    ward: int | None = None,
) -> Odds:
    """A number of dice, each of which deals mortal damage on a value (AOS4-17.2)."""
    if not 0 <= dice <= 1000 or not 1 <= needs <= 7:
        raise BadInputError(f"mortal dice: {dice} dice on {needs}+ (give 0 to 1000 dice and 1 to 7)")
    pool = parse_dice(each).pmf().repeat(Pmf.binomial(dice, (7 - needs) / 6))
    return mortal(pool, health=health, models=models, damage_allocated=damage_allocated, ward=ward)


def rally(*, health: int, slain: int = 0, damage_allocated: int = 0, musician: bool = False) -> Odds:
    """Rally (AOS4-C-2.0): points on 4+, first to return models (AOS4-22.0), then to heal (AOS4-21.0)."""
    if health < 1 or slain < 0 or not 0 <= damage_allocated < health:
        raise BadInputError(
            "rally: give health of at least 1, slain of at least 0, and damage_allocated below health"
        )
    points = rally_points(musician)

    def spent(value: int) -> tuple[int, int]:
        return spend_points(value, health=health, slain=slain, wounds=damage_allocated)

    returned, healed = points.map(lambda value: spent(value)[0]), points.map(lambda value: spent(value)[1])
    return {
        "mean_points": points.mean(),
        "points_pmf": points,
        "mean_models_returned": returned.mean(),
        "returned_pmf": returned,
        "p_at_least_one_returned": returned.at_least(1),
        "mean_healed": healed.mean(),
        "healed_pmf": healed,
    }


def cast(
    *,
    value: int,
    modifier: int = 0,
    unbind: bool = False,
    unbind_modifier: int = 0,
    miscast: bool = True,
    intervention: bool = False,
) -> Odds:
    """A casting roll (AOS4-M-2.0), with an enemy's attempt to unbind it (AOS4-M-4.0); a double 1 is a
    miscast.

    `intervention` is Magical Intervention (AOS4-C-2.0); `miscast=False` is Spearhead (AOS4-SP-1).
    """
    change = modifier - (1 if intervention else 0)
    succeeds, resolved = casting(TWO_DICE, value, change, unbind_modifier if unbind else None, miscast)
    return {
        "p_cast_roll_succeeds": succeeds,
        "p_resolved": resolved,
        "p_miscast": TWO_DICE[2] if miscast else 0.0,
    }


def unbind(*, roll: int, modifier: int = 0) -> Odds:
    """Unbinding a casting roll (AOS4-M-4.0): 2D6 strictly higher."""
    return {"p_unbound": TWO_DICE.at_least(roll + 1 - modifier)}


def prayer(*, value: int, ritual_points: int = 0, modifier: int = 0) -> Odds:
    """A prayer (AOS4-M-3.0): a 1 fails and costs D3 ritual points; else roll and stored points together.

    An answered prayer empties the store, one that falls short leaves it as it was (AOS4-AMB-24).
    """
    if ritual_points < 0:
        raise BadInputError(f"prayer: {ritual_points} ritual points (give 0 or more)")
    answered = sum(ONE_DIE[face] for face in range(2, 7) if face + modifier + ritual_points >= value)
    left = {0: answered, ritual_points: 0.0}
    left[ritual_points] += 1.0 - ONE_DIE[1] - answered
    for lost in range(1, 4):  # AOS4-AMB-17: never below 0
        kept = max(0, ritual_points - lost)
        left[kept] = left.get(kept, 0.0) + ONE_DIE[1] * D3[lost]
    return {"p_answered_now": answered, "p_fail_and_lose_points": ONE_DIE[1], "points_left_pmf": Pmf.of(left)}


def ritual_bank(*, turns: int, ritual_points: int = 0, modifier: int = 0) -> Odds:
    """Ritual points after some turns of banking (AOS4-M-3.0): never below 0 (AOS4-AMB-17), modified rolls
    count (AOS4-AMB-16).
    """
    if not 0 <= turns <= 100 or ritual_points < 0:
        raise BadInputError(
            f"ritual bank: {turns} turns from {ritual_points} points (give 0 to 100 turns, 0 points or more)"
        )
    stored = {ritual_points: 1.0}
    for _ in range(turns):
        after: dict[int, float] = {}
        for points, chance in stored.items():
            for lost in range(1, 4):
                after[max(0, points - lost)] = (
                    after.get(max(0, points - lost), 0.0) + chance * ONE_DIE[1] * D3[lost]
                )
            for face in range(2, 7):
                gained = points + max(1, face + modifier)  # AOS4-27.0: no roll below 1
                after[gained] = after.get(gained, 0.0) + chance * ONE_DIE[face]
        stored = after
    points_pmf = Pmf.of(stored)
    return {"mean_points": points_pmf.mean(), "points_pmf": points_pmf}


def banish(*, value: int, other_enemy_manifestations: int = 0, modifier: int = 0) -> Odds:
    """Banishing a manifestation (AOS4-M-7.2): 2D6, +1 for each further enemy manifestation."""
    if other_enemy_manifestations < 0:
        raise BadInputError("banish: other_enemy_manifestations must be 0 or more")
    return {"p_banished": TWO_DICE.at_least(value - other_enemy_manifestations - modifier)}


def place_of_power() -> Odds:
    """A hero at a place of power (AOS4-T-1.2): a 1 is D3 mortal damage, anything else helps."""
    return {"p_harmed": ONE_DIE[1], "p_helped": ONE_DIE.at_least(2), "mean_damage": ONE_DIE[1] * D3.mean()}


def priority() -> Odds:
    """The priority roll (AOS4-12.0): a tie goes to whoever had the first turn last round."""
    tie = sum(ONE_DIE[face] ** 2 for face in range(1, 7))
    wins = (1.0 - tie) / 2
    return {"p_previous_first_chooses": wins + tie, "p_previous_second_chooses": wins, "p_tie": tie}


def roll_off() -> Odds:
    """A roll-off (AOS4-2.2), such as the one for territories (AOS4-9.1.2): the higher die wins, ties are
    rolled again.
    """
    tie = sum(ONE_DIE[face] ** 2 for face in range(1, 7))
    return {"p_win": (1.0 - tie) / 2 / (1.0 - tie), "p_tie": tie, "mean_rolls": 1.0 / (1.0 - tie)}


def command_points(
    *,
    first_round: bool = False,
    points_unspent: int = 0,
    underdog: bool = False,
    fewer_auxiliaries: bool = False,
) -> Odds:
    """The command points of a battle round (AOS4-C-1.1): 4, one for the underdog, one for fewer auxiliary
    units (AOS4-AC-3.6).

    In the first round a list that leaves at least 50 points of the limit unspent has one more (AOS4-AC-1.2.1,
    AOS4-AMB-15).
    """
    if points_unspent < 0:
        raise BadInputError(f"command points: {points_unspent} points unspent (give 0 or more)")
    return {"command_points": 4 + underdog + fewer_auxiliaries + (first_round and points_unspent >= 50)}


QUESTIONS: dict[str, Callable[..., Odds]] = {
    "charge": charge,
    "run": run,
    "redeploy": redeploy,
    "retreat": retreat,
    "power_through": power_through,
    "mortal_dice": mortal_dice,
    "rally": rally,
    "cast": cast,
    "unbind": unbind,
    "pray": prayer,
    "prayer": prayer,
    "ritual_bank": ritual_bank,
    "banish": banish,
    "place_of_power": place_of_power,
    "priority": priority,
    "roll_off": roll_off,
    "command_points": command_points,
}
