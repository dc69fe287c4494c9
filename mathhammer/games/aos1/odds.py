"""The other dice of Age of Sigmar, 1st edition: charges, magic, battleshock, terrain, and who wins."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from operator import add

from mathhammer.dice.pmf import Pmf
from mathhammer.errors import BadInputError
from mathhammer.games.aos1.battleshock import models_that_flee
from mathhammer.games.aos1.turns import CHARGE, TURNS
from mathhammer.games.fields import choice, flag, whole
from mathhammer.games.sigmar.odds import (
    D3,
    FACES,
    ONE_DIE,
    TWO_DICE,
    Odds,
    casting,
    mortal_losses,
    reach,
    rolled_again,
)
from mathhammer.games.turns import inches

# AOS1-TRIUMPH, Blessed: after a 2D6 roll the lower die is set to 6.
TWO_DICE_BLESSED = Pmf.of({6 + best: (2 * best - 1) / 36 for best in FACES})


def _two_dice(blessed: bool) -> Pmf:
    return TWO_DICE_BLESSED if blessed else TWO_DICE


# --- moving -----------------------------------------------------------------------------------------------


def charge(
    *,
    needed: int | None = None,
    distance: float | str | None = None,
    modifier: int = 0,
    reroll: bool = False,
    reroll_dice: str = "all",
    blessed: bool = False,
) -> Odds:
    """A charge roll (AOS1-CHARGE): the 2D6 that are needed, or the distance to the enemy in inches.

    `reroll_dice` is "all" or "subset" (AOS1-SILENT-13); `blessed` sets one die to 6 (AOS1-TRIUMPH).
    """
    if (needed is None) == (distance is None):
        raise BadInputError(
            "charge: give either needed= (the total on 2D6) or distance= (inches to the enemy)"
        )
    choice("charge", "reroll_dice", reroll_dice, ("all", "subset"))
    flag("charge", "reroll", reroll)
    flag("charge", "blessed", blessed)
    eligible = True
    if distance is not None:
        away = inches(distance)
        eligible = away > TURNS.reach and CHARGE.within is not None and away <= CHARGE.within
        needed = CHARGE.total(away)
    assert needed is not None
    wanted = whole("charge", "needed", needed, 0, 100) - whole("charge", "modifier", modifier, -100, 100)
    chance = _two_dice(blessed).at_least(wanted)
    if reroll:  # AOS1-SILENT-13
        chance = rolled_again(wanted, _total(blessed), whole=reroll_dice == "all")
    return {
        "needed": needed,
        "p_success": chance if eligible else 0.0,
        "eligible": eligible,
        "reroll_dice": reroll_dice if reroll else "none",
    }


def _total(blessed: bool) -> Callable[[int, int], int]:
    """What two dice come to (AOS1-DICE)."""
    return (lambda a, b: max(a, b) + 6) if blessed else add


def run(*, move: int = 0, blessed: bool = False) -> Odds:
    """A run (AOS1-MOVE): Move + D6 inches; no shooting and no charge afterwards."""
    whole("run", "move", move)
    rolled = Pmf.constant(6) if flag("run", "blessed", blessed) else ONE_DIE
    return reach(move, rolled)


# --- magic ------------------------------------------------------------------------------------------------


def cast(
    *, value: int, modifier: int = 0, unbind: bool = False, unbind_modifier: int = 0, blessed: bool = False
) -> Odds:
    """A casting roll and one attempt to unbind it (AOS1-WIZARD); there is no miscast.

    Arcane terrain (AOS1-TERRAIN-2) is a `modifier` or `unbind_modifier` of 1.
    """
    whole("cast", "value", value, 0, 100)
    whole("cast", "modifier", modifier, -100, 100)
    whole("cast", "unbind_modifier", unbind_modifier, -100, 100)
    flag("cast", "unbind", unbind)
    rolls = _two_dice(flag("cast", "blessed", blessed))
    succeeds, resolved = casting(rolls.to_dict(), value, modifier, unbind_modifier if unbind else None)
    return {"p_cast_roll_succeeds": succeeds, "p_resolved": resolved, "p_miscast": 0.0}


def unbind(*, roll: int, modifier: int = 0, blessed: bool = False) -> Odds:
    """Unbinding a casting roll (AOS1-WIZARD): 2D6 strictly higher."""
    wanted = whole("unbind", "roll", roll, 0, 100) + 1 - whole("unbind", "modifier", modifier, -100, 100)
    return {"p_unbound": _two_dice(flag("unbind", "blessed", blessed)).at_least(wanted)}


def mortal_wounds(pool: Pmf, *, models: int, wounds: int, wounds_suffered: int, ward: int | None) -> Odds:
    """What a pool of mortal wounds does to a unit (AOS1-MORTAL, AOS1-DAMAGE, AOS1-SILENT-5)."""
    whole("mortal wounds", "models", models, 1)
    whole("mortal wounds", "wounds", wounds, 1)
    whole("mortal wounds", "wounds_suffered", wounds_suffered, 0, wounds - 1)
    warded = None if ward is None else whole("mortal wounds", "ward", ward, 2, 6)
    _, slain = mortal_losses(pool, models, wounds, wounds_suffered, warded)
    return {
        "mean_mortal_wounds": pool.mean(),
        "mortal_wounds_pmf": pool,
        "mean_slain": slain.mean(),
        "slain_pmf": slain,
        "p_destroyed": slain[models],
    }


def arcane_bolt(
    *,
    modifier: int = 0,
    unbind: bool = False,
    unbind_modifier: int = 0,
    blessed: bool = False,
    models: int = 1,
    wounds: int = 1,
    wounds_suffered: int = 0,
    ward: int | None = None,
) -> Odds:
    """Arcane Bolt (AOS1-ARCANE-BOLT): cast on 5, D3 mortal wounds on a unit of `models`
    with `wounds` each.
    """
    spell = cast(value=5, modifier=modifier, unbind=unbind, unbind_modifier=unbind_modifier, blessed=blessed)
    pool = D3.mix(Pmf.constant(0), spell["p_resolved"])
    return spell | mortal_wounds(
        pool, models=models, wounds=wounds, wounds_suffered=wounds_suffered, ward=ward
    )


def mystic_shield(
    *, modifier: int = 0, unbind: bool = False, unbind_modifier: int = 0, blessed: bool = False
) -> Odds:
    """Mystic Shield (AOS1-MYSTIC-SHIELD): cast on 6, +1 to save rolls until the caster's next hero phase."""
    return cast(value=6, modifier=modifier, unbind=unbind, unbind_modifier=unbind_modifier, blessed=blessed)


# --- battleshock and terrain ------------------------------------------------------------------------------


def battleshock(
    *,
    models_left: int,
    slain_this_turn: int,
    bravery: int,
    bravery_modifier: int = 0,
    inspiring_presence: bool = False,
    blessed: bool = False,
) -> Odds:
    """A battleshock test (AOS1-BATTLESHOCK): models that flee from a unit that lost some this turn.

    Models lost to Deadly terrain count as slain (AOS1-SILENT-9); `blessed` sets the die to 1 (AOS1-TRIUMPH).
    """
    whole("battleshock", "models_left", models_left)
    whole("battleshock", "slain_this_turn", slain_this_turn)
    steady = whole("battleshock", "bravery", bravery) + whole(
        "battleshock", "bravery_modifier", bravery_modifier, -100, 100
    )
    die = Pmf.constant(1) if flag("battleshock", "blessed", blessed) else ONE_DIE
    tested = not flag("battleshock", "inspiring_presence", inspiring_presence)
    fled = models_that_flee(models_left, slain_this_turn, steady, die) if tested else Pmf.constant(0)
    return {
        "mean_fled": fled.mean(),
        "fled_pmf": fled,
        "p_nobody_flees": fled[0],
        "p_all_flee": fled[models_left] if models_left else 0.0,
    }


def deadly_terrain(*, models: int) -> Odds:
    """Deadly terrain (AOS1-TERRAIN-4): each model that runs or charges there is slain on a 1."""
    slain = Pmf.binomial(whole("deadly terrain", "models", models), ONE_DIE[1])
    return {"mean_slain": slain.mean(), "slain_pmf": slain}


def damned_terrain(
    *, models: int = 1, wounds: int = 1, wounds_suffered: int = 0, ward: int | None = None
) -> Odds:
    """Damned terrain (AOS1-TERRAIN-1): what the D3 mortal wounds for +1 to hit cost the unit itself."""
    return mortal_wounds(D3, models=models, wounds=wounds, wounds_suffered=wounds_suffered, ward=ward)


def mystical_terrain() -> Odds:
    """Mystical terrain (AOS1-TERRAIN-5): a 1 befuddles the unit, anything else ensorcells it."""
    return {"p_befuddled": ONE_DIE[1], "p_ensorcelled": ONE_DIE.at_least(2)}


def mysterious_terrain() -> Odds:
    """The kind of a terrain feature (AOS1-TERRAIN): one face each."""
    kinds = ("damned", "arcane", "inspiring", "deadly", "mystical", "sinister")
    return {f"p_{kind}": ONE_DIE[face] for face, kind in enumerate(kinds, 1)}


def terrain_density(*, areas: int = 1, choice: int = 1) -> Odds:
    """Terrain features on so many areas of 24 inches (AOS1-TERRAIN); `choice` is the 0 to
    3 taken on 11 or 12.
    """
    whole("terrain density", "areas", areas, 0, 100)
    whole("terrain density", "choice", choice, 0, 3)
    features = {2: 0, 3: 0, 4: 2, 5: 2, 6: 1, 7: 1, 8: 1, 9: 2, 10: 2, 11: choice, 12: choice}
    distribution = TWO_DICE.map(lambda total: features[total]).power(areas)
    return {"features_pmf": distribution, "mean_features": distribution.mean()}


# --- the battle -------------------------------------------------------------------------------------------


def triumph() -> Odds:
    """The triumph after a major victory (AOS1-TRIUMPH): two faces each."""
    return {
        "p_blessed": ONE_DIE.at_most(2),
        "p_inspired": ONE_DIE[3] + ONE_DIE[4],
        "p_empowered": ONE_DIE.at_least(5),
    }


def priority() -> Odds:
    """The roll for a battle round (AOS1-ROUND) or for the table halves (AOS1-DEPLOY): the higher decides,
    ties again.

    So it is for every other roll-off, such as over a dispute (AOS1-SILENT-10).
    """
    tie = sum(ONE_DIE[face] ** 2 for face in FACES)
    return {"p_choose": 0.5, "p_tie": tie, "mean_rolls": 1.0 / (1.0 - tie)}


def victory(
    *, deployed: int, lost: int, enemy_deployed: int, enemy_lost: int, added: int = 0, enemy_added: int = 0
) -> Odds:
    """Who won (AOS1-VICTORY), counting the models deployed (AOS1-ARMY); those who fled are lost too
    (AOS1-SILENT-11).

    Models `added` in the battle do not raise the number deployed, but they count when lost. Equal shares are
    a draw (AOS1-SILENT-14), and so is it when both armies are gone.
    """
    share, gone = _losses("", deployed, lost, added)
    enemy_share, enemy_gone = _losses("enemy_", enemy_deployed, enemy_lost, enemy_added)
    if gone or enemy_gone:
        outcome = "draw" if gone and enemy_gone else "major_defeat" if gone else "major_victory"
    elif share == enemy_share:
        outcome = "draw"
    else:
        outcome = "minor_victory" if share < enemy_share else "minor_defeat"
    return {"outcome": outcome, "share_lost": float(share), "enemy_share_lost": float(enemy_share)}


def _losses(side: str, deployed: int, lost: int, added: int) -> tuple[Fraction, bool]:
    whole("victory", f"{side}deployed", deployed, 1, 10_000)
    whole("victory", f"{side}added", added, 0, 10_000)
    whole("victory", f"{side}lost", lost, 0, deployed + added)
    return Fraction(lost, deployed), lost == deployed + added


def sudden_death(*, models: int, enemy_models: int) -> Odds:
    """Whether one side is so outnumbered that it may pick an objective (AOS1-SUDDEN-DEATH): by a third or
    more.
    """
    whole("sudden death", "models", models, 1, 10_000)
    whole("sudden death", "enemy_models", enemy_models, 1, 10_000)
    small, large = sorted((models, enemy_models))
    outnumbered = 3 * large >= 4 * small
    return {
        "may_pick": outnumbered and models == small,
        "enemy_may_pick": outnumbered and enemy_models == small,
    }


QUESTIONS: dict[str, Callable[..., Odds]] = {
    "charge": charge,
    "run": run,
    "cast": cast,
    "unbind": unbind,
    "arcane_bolt": arcane_bolt,
    "mystic_shield": mystic_shield,
    "battleshock": battleshock,
    "deadly_terrain": deadly_terrain,
    "damned_terrain": damned_terrain,
    "mystical_terrain": mystical_terrain,
    "mysterious_terrain": mysterious_terrain,
    "terrain_density": terrain_density,
    "triumph": triumph,
    "priority": priority,
    "victory": victory,
    "sudden_death": sudden_death,
}
