"""Magic of Age of Sigmar, 4th edition: casting, unbinding, prayers, banishing."""

from __future__ import annotations

from itertools import product

from mathhammer.dice.pmf import Pmf
from mathhammer.errors import BadInputError
from mathhammer.games.sigmar.odds import D3, FACES, ONE_DIE, TWO_DICE, Odds, casting

DROPS = ("none", "lowest", "highest")
MOST_TRIES = 20
Rolls = dict[tuple[int, bool], float]  # (total, whether it is a miscast) -> chance


def cast(
    *,
    value: int,
    modifier: int = 0,
    unbind: bool = False,
    unbind_modifier: int = 0,
    miscast: bool = True,
    intervention: bool = False,
    dice: int = 2,
    drop: str = "none",
    reroll: bool = False,
) -> Odds:
    """A casting roll (AOS4-M-2.0), with an enemy's attempt to unbind it (AOS4-M-4.0); two 1s are a miscast.

    `intervention` is Magical Intervention (AOS4-C-2.0); `miscast=False` is Spearhead (AOS4-SP-1); `dice` and
    `drop` are for rules such as three dice without the lowest; `reroll` takes a failed roll again, all of it
    (AOS4-AMB-20).
    """
    change = modifier - (1 if intervention else 0)
    rolls = _rolls(dice, drop, miscast)
    if reroll:
        rolls = _taken_again(rolls, value - change)
    able = {total: chance for (total, failed), chance in rolls.items() if not failed}
    succeeds, resolved = casting(able, value, change, unbind_modifier if unbind else None)
    return {
        "p_cast_roll_succeeds": succeeds,
        "p_resolved": resolved,
        "p_miscast": sum(chance for (_, failed), chance in rolls.items() if failed),
    }


def _rolls(dice: int, drop: str, miscast: bool) -> Rolls:
    """Every casting roll: what is left of the dice, and whether at least two of them are 1s."""
    if dice not in (2, 3, 4) or drop not in DROPS or (drop != "none" and dice == 2):
        raise BadInputError(
            f"cast: {dice} dice, drop {drop!r} (give 2 to 4 dice; drop lowest or highest of 3 or more)"
        )
    rolls: Rolls = {}
    for thrown in product(FACES, repeat=dice):
        kept = sorted(thrown)
        kept = kept[1:] if drop == "lowest" else kept[:-1] if drop == "highest" else kept
        key = (sum(kept), miscast and kept.count(1) >= 2)
        rolls[key] = rolls.get(key, 0.0) + 1 / 6**dice
    return rolls


def _taken_again(rolls: Rolls, wanted: int) -> Rolls:
    """The rolls when a failed one is taken again as a whole."""
    again = sum(chance for (total, failed), chance in rolls.items() if failed or total < wanted)
    return {
        (total, failed): chance * (again if failed or total < wanted else 1.0 + again)
        for (total, failed), chance in rolls.items()
    }


def spells(
    *,
    value: int,
    tries: int = 2,
    one_caster: bool = False,
    modifier: int = 0,
    unbind: bool = False,
    unbind_modifier: int = 0,
) -> Odds:
    """Several tries of spells of one casting value: how many are resolved.

    Each spell is tried by one caster in a turn unless it is UNLIMITED (AOS4-M-5.0), so these are several
    casters, or with `one_caster` one Wizard of that power level with as many spells (AOS4-M-1.1), whom a
    miscast stops (AOS4-M-2.0). With `unbind` an enemy answers each spell.
    """
    if not 1 <= tries <= MOST_TRIES:
        raise BadInputError(f"spells: {tries} tries (give 1 to {MOST_TRIES})")
    one = cast(value=value, modifier=modifier, unbind=unbind, unbind_modifier=unbind_modifier)
    resolved, stops = one["p_resolved"], one["p_miscast"] if one_caster else 0.0
    going, ended = {0: 1.0}, dict[int, float]()
    for _ in range(tries):
        after: dict[int, float] = {}
        for number, chance in going.items():
            ended[number] = ended.get(number, 0.0) + chance * stops
            after[number + 1] = after.get(number + 1, 0.0) + chance * resolved
            after[number] = after.get(number, 0.0) + chance * (1.0 - resolved - stops)
        going = after
    total = Pmf.of({n: going.get(n, 0.0) + ended.get(n, 0.0) for n in range(tries + 1)})
    return {
        "p_at_least_one": total.at_least(1),
        "p_all": total[tries],
        "mean_resolved": total.mean(),
        "resolved_pmf": total,
    }


def unbind(*, roll: int, modifier: int = 0) -> Odds:
    """Unbinding a casting roll (AOS4-M-4.0): 2D6 strictly higher."""
    return {"p_unbound": TWO_DICE.at_least(roll + 1 - modifier)}


def prayer(*, value: int, ritual_points: int = 0, modifier: int = 0, falls_short: str = "bank") -> Odds:
    """A prayer (AOS4-M-3.0): a 1 fails and costs D3 ritual points; else roll and stored points together.

    An answered prayer empties the store. The choice follows the roll, so what falls short is banked;
    `falls_short="nothing"` leaves the store as it was (AOS4-AMB-24).
    """
    if ritual_points < 0:
        raise BadInputError(f"prayer: {ritual_points} ritual points (give 0 or more)")
    if falls_short not in ("bank", "nothing"):
        raise BadInputError(f"prayer: falls_short {falls_short!r} (give 'bank' or 'nothing', AOS4-AMB-24)")
    answered, left = _prayed(value, ritual_points, modifier, bank=falls_short == "bank")
    left[0] = left.get(0, 0.0) + answered
    return {
        "p_answered_now": answered,
        "p_fail_and_lose_points": ONE_DIE[1],
        "points_left_pmf": Pmf.of(left),
        "falls_short": falls_short,
    }


def _prayed(value: int | None, points: int, modifier: int, *, bank: bool) -> tuple[float, dict[int, float]]:
    """The chance that a prayer of this value is answered, and the points stored if it is not; without a value
    every roll is banked.
    """
    answered, left = 0.0, dict[int, float]()
    for lost in range(1, 4):  # AOS4-M-3.0: an unmodified 1; AOS4-AMB-17: never below 0
        kept = max(0, points - lost)
        left[kept] = left.get(kept, 0.0) + ONE_DIE[1] * D3[lost]
    for face in range(2, 7):
        rolled = max(1, face + modifier)  # AOS4-27.0: no roll below 1; AOS4-AMB-16: the modified roll counts
        if value is not None and rolled + points >= value:
            answered += ONE_DIE[face]
            continue
        stored = points + rolled if bank else points
        left[stored] = left.get(stored, 0.0) + ONE_DIE[face]
    return answered, left


def prayers(*, value: int, turns: int, ritual_points: int = 0, modifier: int = 0) -> Odds:
    """One prayer over several turns with best play (AOS4-M-3.0): answered as soon as roll and stored points
    reach its value, banked until then.
    """
    if not 1 <= turns <= 100 or ritual_points < 0:
        raise BadInputError(
            f"prayers: {turns} turns from {ritual_points} points (give 1 to 100 turns, 0 points or more)"
        )
    stored, done, by_turn = {ritual_points: 1.0}, 0.0, dict[str, float]()
    for turn in range(1, turns + 1):
        after: dict[int, float] = {}
        for points, chance in stored.items():
            answered, left = _prayed(value, points, modifier, bank=True)
            done += chance * answered
            for kept, share in left.items():
                after[kept] = after.get(kept, 0.0) + chance * share
        stored = after
        by_turn[f"p_answered_by_turn_{turn}"] = done
    return {"p_answered": done, **by_turn}


def ritual_bank(
    *, turns: int, start: int | None = None, ritual_points: int | None = None, modifier: int = 0
) -> Odds:
    """Ritual points after some turns of banking (AOS4-M-3.0), from `start` points on (also `ritual_points`):
    never below 0 (AOS4-AMB-17), modified rolls count (AOS4-AMB-16).
    """
    if start is not None and ritual_points is not None:
        raise BadInputError("ritual bank: start and ritual_points are the same thing (give one of them)")
    begin = start if start is not None else ritual_points or 0
    if not 0 <= turns <= 100 or begin < 0:
        raise BadInputError(
            f"ritual bank: {turns} turns from {begin} points (give 0 to 100 turns, 0 points or more)"
        )
    stored = {begin: 1.0}
    for _ in range(turns):
        after: dict[int, float] = {}
        for points, chance in stored.items():
            for kept, share in _prayed(None, points, modifier, bank=True)[1].items():
                after[kept] = after.get(kept, 0.0) + chance * share
        stored = after
    points_pmf = Pmf.of(stored)
    return {"mean_points": points_pmf.mean(), "points_pmf": points_pmf}


def banish(*, value: int, other_enemy_manifestations: int = 0, modifier: int = 0) -> Odds:
    """Banishing a manifestation (AOS4-M-7.2): 2D6, +1 for each further enemy manifestation."""
    if other_enemy_manifestations < 0:
        raise BadInputError("banish: other_enemy_manifestations must be 0 or more")
    return {"p_banished": TWO_DICE.at_least(value - other_enemy_manifestations - modifier)}
