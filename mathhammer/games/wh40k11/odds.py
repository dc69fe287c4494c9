"""The other dice of Warhammer 40,000, 11th edition: charges, tests, hazard rolls, stratagems.

Questions that hurt a unit give a plan; `odds` puts it to the exact engine like any attack.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from mathhammer.dice.notation import parse_dice
from mathhammer.dice.pmf import Pmf
from mathhammer.engine.chain import Chain, Fan, Lane, Reroll, Roll, chances
from mathhammer.engine.plan import Plan, Volley
from mathhammer.errors import BadInputError
from mathhammer.games.game import Fight, Hurting
from mathhammer.games.wh40k.odds import ONE_DIE, TWO_DICE, Odds, advance, control, objective, roll_2d6
from mathhammer.games.wh40k.rules_besides import MORTALS
from mathhammer.games.wh40k11.allocation import allocation_of
from mathhammer.games.wh40k11.charging import charge, threat
from mathhammer.games.wh40k11.hazards import FAILS_UP_TO, all_big, hazard_chain
from mathhammer.games.wh40k11.mortal import mortal_packet
from mathhammer.games.wh40k11.muster import muster, points, reserves
from mathhammer.games.wh40k11.options import OPTIONS as DEFAULTS
from mathhammer.games.wh40k11.strength import battle_shock, fight_order, half_strength, heal, leadership
from mathhammer.units.unit import Unit

OPTIONS = tuple(DEFAULTS.items())
MOST_WOUNDS = 6  # WH40K11-15.06: of either side
REROLLS = ("none", "one", "failed")


def _plan(target: Unit, number: int, chain: Chain, psychic: bool, cap: int | None = None) -> Plan:
    """So many dice, each of which may deal mortal wounds; WH40K11-06.02: they spill."""
    if not 0 <= number <= 1000:
        raise BadInputError(f"mortal dice: {number} dice (give 0 to 1000)")
    allocation = allocation_of(target.now())
    fight = Fight(target, target, (), options=OPTIONS)
    packet = mortal_packet(fight, allocation, psychic)
    if cap is not None:
        packet = replace(packet, rank=0, cap=cap)
    volley = Volley("mortal wounds", Pmf.constant(number), chain, (packet,))
    return Plan((volley,), allocation.target)


def mortal_dice(
    *,
    target: Unit,
    dice: int,
    success_on: int,
    mortals_each: str | int = 1,
    cap: int | None = None,
    psychic: bool = False,
) -> Hurting:
    """Dice that each deal mortal wounds on a number, at most `cap` in all."""
    if not 1 <= success_on <= 7:
        raise BadInputError(f"mortal dice: success on {success_on}+ (give 1 to 7)")
    lanes: tuple[tuple[str, Lane], ...] = (
        ("dice", Roll(needs=success_on, on_success=("wounds",))),
        ("wounds", Fan(parse_dice(mortals_each), "extra mortal")),
    )
    return Hurting(_plan(target, dice, Chain("dice", lanes, MORTALS), psychic, cap))


def explosives(*, target: Unit) -> Hurting:
    """The Explosives stratagem (WH40K11-15.05): six dice, a mortal wound on each 4+."""
    return mortal_dice(target=target, dice=6, success_on=4)


def deadly_demise(*, target: Unit, mortals: str | int, success_on: int = 6, psychic: bool = False) -> Hurting:
    """Deadly Demise (WH40K11-24.08) on one unit within 6 inches."""
    return mortal_dice(target=target, dice=1, success_on=success_on, mortals_each=mortals, psychic=psychic)


def crushing_impact(*, toughness: int, own: Unit, enemy: Unit, cap: int | None = None) -> Odds:
    """Crushing Impact (WH40K11-15.06): dice equal to the charger's Toughness; each 1 is a mortal wound on its
    own unit, each 5+ on the enemy, at most 6 each.
    """
    cap = MOST_WOUNDS if cap is None else cap
    hits = Pmf.of([2 / 3, 1 / 3]).power(toughness).cut(cap).mean()
    ones = Pmf.of([5 / 6, 1 / 6]).power(toughness).cut(cap).mean()
    back = Chain("dice", (("dice", Roll(needs=2, on_fail=("extra mortal",))),), MORTALS)
    return {
        "own": Hurting(_plan(own, toughness, back, False, cap)),
        "mean_own_mortal_wounds": ones,
        "enemy": mortal_dice(target=enemy, dice=toughness, success_on=5, cap=cap),
        "mean_enemy_mortal_wounds": hits,
    }


def hazard(
    *,
    target: Unit,
    rolls: int,
    modifier: int = 0,
    fails_up_to: int = FAILS_UP_TO,
    reroll: str = "none",
    all_monster_vehicle: bool | None = None,
    psychic: bool = False,
    leadership: int | None = None,
    leadership_modifier: int = 0,
    shocked: bool = False,
) -> Hurting:
    """Hazard rolls (WH40K11-06.03): each 1-2 is a mortal wound on the unit, or 3 if all of it are Monsters or
    Vehicles; `reroll` is "one" (Command Re-roll, WH40K11-15.02) or "failed" (every failed one).

    With `leadership` it is a desperate escape (WH40K11-09.07): the unit that is left then rolls for
    battle-shock, unless it is `shocked` already.
    """
    if reroll not in REROLLS:
        raise BadInputError(f"hazard: reroll {reroll!r} (give none, one or failed)")
    if not 0 <= rolls <= 1000:
        raise BadInputError(f"hazard: {rolls} rolls (give 0 to 1000)")
    each = 3 if (all_big(target) if all_monster_vehicle is None else all_monster_vehicle) else 1
    words: frozenset[Reroll] = frozenset({"fails"}) if reroll == "failed" else frozenset()
    chain = hazard_chain(fails_up_to, each, modifier, words)
    roll = dict(chain.lanes)["roll"]
    assert isinstance(roll, Roll)
    failed = Pmf.of([chances(roll).passed, chances(roll).fail]).power(rolls)
    plan = _plan(target, rolls, chain, psychic)
    if reroll == "one":  # the failures are counted first, and one of them is rolled again
        passed = chances(roll).passed
        again = Pmf.of([1.0 - passed, passed]).power_lowest_again(rolls)
        failed = again.map(lambda successes: rolls - successes)
        plan = _failed_rolls(plan, failed)

    def then(answer: Mapping[str, Any]) -> Odds:
        told = {"mean_failed": failed.mean()}
        if leadership is None:
            return told
        alive = 1.0 - answer["p_destroyed"]
        fails = 1.0 if shocked else 1.0 - TWO_DICE.at_least(leadership - leadership_modifier)
        return told | {"p_left_battle_shocked": alive * fails}

    return Hurting(plan, then)


def _failed_rolls(plan: Plan, failed: Pmf) -> Plan:
    """The plan in which so many rolls have failed."""
    (volley,) = plan.volleys
    wounds = Chain("wounds", tuple(lane for lane in volley.chain.lanes if lane[0] == "wounds"), MORTALS)
    return Plan((Volley(volley.name, failed, wounds, volley.packets),), plan.target)


def desperate_escape(
    *, target: Unit, leadership: int, modifier: int = 0, shocked: bool = False, reroll: str = "none"
) -> Hurting:
    """A desperate escape (WH40K11-09.07): a hazard roll for every model, then a battle-shock roll; a forced
    one has its modifiers (WH40K11-09.07.01).
    """
    return hazard(
        target=target,
        rolls=target.models_left,
        modifier=modifier,
        reroll=reroll,
        leadership=leadership,
        shocked=shocked,
    )


def disembark(*, target: Unit, modifier: int = 0) -> Hurting:
    """Leaving a destroyed Transport (WH40K11-18.05), or one that moved (a combat disembark, WH40K11-18.04): a
    hazard roll for every model before it is set up, and the unit is battle-shocked.
    """
    return hazard(target=target, rolls=target.models_left, modifier=modifier)


def super_heavy_walker(*, moves: int = 1) -> Odds:
    """Moves of a Super-heavy Walker that takes Mobile (WH40K11-24.35): after each a die, and on a 1 it is
    battle-shocked.
    """
    if not 1 <= moves <= 100:
        raise BadInputError(f"super-heavy walker: {moves} moves (give 1 to 100)")
    return {"p_battle_shocked": 1.0 - ONE_DIE.at_least(2) ** moves}


QUESTIONS: dict[str, Callable[..., Odds | Hurting]] = {
    "charge": charge,
    "advance": advance,
    "threat": threat,
    "control": control,
    "objective": objective,
    "battle_shock": battle_shock,
    "leadership": leadership,
    "half_strength": half_strength,
    "fight_order": fight_order,
    "heal": heal,
    "reserves": reserves,
    "points": points,
    "muster": muster,
    "explosives": explosives,
    "crushing_impact": crushing_impact,
    "deadly_demise": deadly_demise,
    "hazard": hazard,
    "desperate_escape": desperate_escape,
    "disembark": disembark,
    "super_heavy_walker": super_heavy_walker,
    "mortal_dice": mortal_dice,
    "roll_2d6": roll_2d6,
}
