"""The other dice of Age of Sigmar, 4th edition: charges, runs, Rally, control, priority."""

from __future__ import annotations

from collections.abc import Callable
from operator import add

from mathhammer.dice.notation import parse_dice
from mathhammer.dice.pmf import Pmf
from mathhammer.errors import BadInputError
from mathhammer.games.aos4.control import control_of
from mathhammer.games.aos4.magic import banish, cast, prayer, prayers, ritual_bank, spells, unbind
from mathhammer.games.aos4.rally import rally_points, spend_points
from mathhammer.games.aos4.turns import CHARGE
from mathhammer.games.sigmar.odds import (
    D3,
    ONE_DIE,
    TWO_DICE,
    Odds,
    mortal_losses,
    reach,
    rolled_again,
)
from mathhammer.games.turns import inches
from mathhammer.units.unit import Unit


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


def threat(
    *,
    distance: float | str,
    move: int | str,
    modifier: int = 0,
    reroll: bool = False,
    reroll_dice: str = "all",
) -> Odds:
    """A move and then a charge over a distance (AOS4-14.1, AOS4-14.3): the chance to arrive.

    A unit that runs does not charge; a random Move is rolled each time (AOS4-26.0).
    """
    far = inches(distance)
    moves = parse_dice(move).pmf()
    chance = sum(
        share
        * float(
            charge(
                needed=CHARGE.total(max(inches(0), far - step)),
                modifier=modifier,
                reroll=reroll,
                reroll_dice=reroll_dice,
            )["p_success"]
        )
        for step, share in moves.to_dict().items()
    )
    return {"p_arrives": chance, "mean_move": moves.mean(), "reroll_dice": reroll_dice if reroll else "none"}


def run(*, move: int | str = 0, at_the_double: bool = False) -> Odds:
    """A run (AOS4-14.1): Move + D6, or + 6 with At the Double (AOS4-C-3.0); a random Move is rolled
    (AOS4-26.0).
    """
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


def control(*, target: Unit, lost: int | None = None) -> Odds:
    """The control score of a unit that contests an objective (AOS4-32.2): Control of each model left, one
    more with a standard bearer (AOS4-CM-3.0), at least 1.
    """
    left = target if lost is None else target.with_lost(lost)
    return {"models": left.models_left, "control_score": control_of(left, left.models_left)}


def objective(*, mine: int, theirs: int, held: str = "nobody") -> Odds:
    """Who controls an objective at the end of a turn (AOS4-32.1, AOS4-32.2): the higher score gains it, and
    control stays until the other side gains it; terrain is lost when nobody contests it (AOS4-32.3).
    """
    sides = ("mine", "theirs", "nobody")
    if held not in sides:
        raise BadInputError(f"objective: held by {held!r} (give mine, theirs or nobody)")
    if mine < 0 or theirs < 0:
        raise BadInputError(f"objective: scores of {mine} and {theirs} (give 0 or more)")
    after = "mine" if mine > theirs else "theirs" if theirs > mine else held
    contested = {"mine": mine > 0, "theirs": theirs > 0, "nobody": True}[after]
    return {"objective": after, "terrain": after if contested else "nobody"}


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
    "threat": threat,
    "redeploy": redeploy,
    "retreat": retreat,
    "power_through": power_through,
    "mortal_dice": mortal_dice,
    "rally": rally,
    "cast": cast,
    "spells": spells,
    "unbind": unbind,
    "pray": prayer,
    "prayer": prayer,
    "prayers": prayers,
    "ritual_bank": ritual_bank,
    "banish": banish,
    "control": control,
    "objective": objective,
    "place_of_power": place_of_power,
    "priority": priority,
    "roll_off": roll_off,
    "command_points": command_points,
}
