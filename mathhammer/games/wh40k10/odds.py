"""The other dice of Warhammer 40,000, 10th edition: charges, tests, and mortal wounds outside of attacks.

Questions that hurt a unit give a `Plan`; `odds` puts it to the exact engine like any attack.
"""

from __future__ import annotations

from collections.abc import Callable

from mathhammer.dice.notation import Dice, parse_dice
from mathhammer.dice.pmf import Pmf
from mathhammer.engine.chain import Chain, Fan, Roll, chances
from mathhammer.engine.plan import SLAIN, Group, Packet, Plan, Target, Volley
from mathhammer.errors import BadInputError
from mathhammer.games.game import Fight
from mathhammer.games.turns import charge_total
from mathhammer.games.wh40k.characteristics import LIMITS
from mathhammer.games.wh40k.odds import ONE_DIE, TWO_DICE, Odds, advance, control, objective, roll_2d6
from mathhammer.games.wh40k.rules_besides import MORTALS
from mathhammer.games.wh40k10.defence import target_of
from mathhammer.games.wh40k10.mortal import mortal_packets
from mathhammer.games.wh40k10.options import OPTIONS as DEFAULTS
from mathhammer.games.wh40k10.turns import CHARGE
from mathhammer.units.unit import Unit

OPTIONS = tuple(DEFAULTS.items())


def charge(
    *,
    needed: int | None = None,
    distance: float | None = None,
    modifier: int = 0,
    reroll: bool = False,
    pivot: float = 0,
    barricade: bool = False,
    heroic: bool = False,
    discard: str = "",
) -> Odds:
    """A charge roll (WH40K-CHARGE): the 2D6 that are needed, or the distance between the units in inches.

    `heroic` is Heroic Intervention (WH40K-HEROIC): within 6 inches, and without Fights First.
    """
    within = 6 if heroic else CHARGE.within or 0
    if (needed is None) == (distance is None):
        raise BadInputError(
            "charge: give either needed= (the total on 2D6) or distance= (inches between the units)"
        )
    if distance is not None:
        if not 0 <= distance <= within:
            rule = "WH40K-HEROIC" if heroic else "WH40K-CHARGE"
            raise BadInputError(
                f"charge: {distance:g} inches (a charge is declared within {within:g} inches, {rule})"
            )
        # Engagement Range is 2 inches across a barricade; the pivot value is paid from the roll (WH40K-PIVOT)
        needed = charge_total(distance + pivot, 2 if barricade else CHARGE.slack)
    assert needed is not None
    return (
        {"needed": needed}
        | roll_2d6(need=needed, modifier=modifier, reroll=reroll, discard=discard)
        | {"fights_first": not heroic}
    )


def battle_shock(*, leadership: int, modifier: int = 0, insane_bravery: bool = False) -> Odds:
    """A Battle-shock test (WH40K-BSHOCK): 2D6 of Leadership or more passes; Insane Bravery passes it outright
    (WH40K-BRAVERY).
    """
    low, high = LIMITS["leadership"]
    if low is None or high is None or not low <= leadership <= high:
        raise BadInputError(f"battle_shock: Leadership {leadership}+ (give {low} to {high}, WH40K-LIMITS)")
    passed = 1.0 if insane_bravery else TWO_DICE.at_least(leadership - modifier)
    return {"p_passed": passed, "p_battle_shocked": 1.0 - passed}


def leadership(*, leadership: int, modifier: int = 0) -> Odds:
    """A Leadership test (WH40K-LDTEST): the same roll, without Battle-shock."""
    return {"p_passed": battle_shock(leadership=leadership, modifier=modifier)["p_passed"]}


def half_strength(*, target: Unit) -> Odds:
    """Whether a unit is Below Half-strength, so that it tests for Battle-shock, or below Starting Strength
    (WH40K-HALF).
    """
    states = target.now().standing()
    return {
        "below_half_strength": "below_half" in states,
        "below_starting_strength": "below_starting" in states,
    }


def reserves(*, limit: int, points: int) -> Odds:
    """How many points may start in Strategic Reserves (WH40K-RESERVES): a quarter of the limit, embarked
    units too, Aircraft not.
    """
    if limit < 0 or points < 0:
        raise BadInputError(f"reserves: {points} points of {limit} (give 0 or more)")
    return {"most_points": limit // 4, "allowed": 4 * points <= limit}


def threat(
    *, distance: float, move: int | str, advance: bool = False, modifier: int = 0, reroll: bool = False
) -> Odds:
    """A move and then a charge over a distance (WH40K-ADVANCE, WH40K-CHARGE): the chance to arrive.

    `advance` is for units that may charge after an Advance; a charge is declared within 12 inches.
    """
    if not 0 <= distance <= 1000:
        raise BadInputError(f"threat: {distance:g} inches (give 0 or more)")
    moves = parse_dice(move).pmf()
    if advance:
        moves = moves.convolve(ONE_DIE)
    arrives = 0.0
    for step, share in moves.to_dict().items():
        left = max(0.0, distance - step)
        if left <= (CHARGE.within or 0):
            arrives += share * charge(distance=left, modifier=modifier, reroll=reroll)["p_success"]
    return {"p_arrives": arrives, "mean_move": moves.mean()}


def surge(*, reroll: bool = False) -> Odds:
    """A surge move of D6 inches (WH40K-SURGE)."""
    return advance(reroll=reroll)


def _dice_on(target: Unit, dice: int, needs: int, each: Dice, cap: int | None = None) -> Plan:
    """So many dice, each of which deals mortal wounds on a number: WH40K-MORTAL, they spill."""
    if not 0 <= dice <= 1000:
        raise BadInputError(f"mortal dice: {dice} dice (give 0 to 1000)")
    if not 1 <= needs <= 7:
        raise BadInputError(f"mortal dice: success on {needs}+ (give 1 to 7)")
    fight = Fight(target, target, (), options=OPTIONS)
    (packet,) = mortal_packets(fight, 0, (0,))
    lanes: tuple[tuple[str, Roll | Fan], ...] = (
        ("dice", Roll(needs=needs, on_success=("wounds",))),
        ("wounds", Fan(each, "extra mortal")),
    )
    capped = Packet(packet.kind, packet.damage, packet.through, packet.ward, 0, packet.tracks, cap=cap)
    volley = Volley("mortal wounds", Pmf.constant(dice), Chain("dice", lanes, MORTALS), (capped,))
    return Plan((volley,), target_of(target, False, 0))


def mortal_dice(
    *, target: Unit, dice: int, success_on: int, mortals_each: str | int = 1, cap: int | None = None
) -> Plan:
    """Dice that each deal mortal wounds on a number, at most `cap` in all."""
    return _dice_on(target, dice, success_on, parse_dice(mortals_each), cap)


def grenade(*, target: Unit) -> Plan:
    """The Grenade stratagem (WH40K-GRENADE): six dice, a mortal wound on each 4+."""
    return _dice_on(target, 6, 4, parse_dice(1))


def tank_shock(*, target: Unit, toughness: int) -> Plan:
    """Tank Shock (WH40K-TANKSHOCK): dice equal to the Vehicle's Toughness, a mortal wound
    on each 5+, at most 6.
    """
    return _dice_on(target, toughness, 5, parse_dice(1), cap=6)


def deadly_demise(*, target: Unit, mortals: str | int, success_on: int = 6) -> Plan:
    """Deadly Demise (WH40K-DEADLY) on one unit within 6 inches."""
    return _dice_on(target, 1, success_on, parse_dice(mortals))


def transport_destroyed(*, target: Unit, emergency: bool = False) -> Plan:
    """Passengers of a destroyed Transport (WH40K-TRANSPORT): a mortal wound for each 1, or
    1-3 in an emergency.
    """
    return _failing(target, target.models_left, 3 if emergency else 1, 1)


def _tests(number: int, roll: Roll, packet: Packet, command_reroll: bool) -> Volley:
    """Dice that hurt when they fail; with Command Re-roll, one failed die of the batch again
    (WH40K-CMDREROLL).
    """
    if not 0 <= number <= 1000:
        raise BadInputError(f"tests: {number} (give 0 to 1000)")
    if not command_reroll:
        return Volley("tests", Pmf.constant(number), Chain("test", (("test", roll),), MORTALS), (packet,))
    passed = chances(roll).passed
    failed = (
        Pmf.of([1.0 - passed, passed]).power_lowest_again(number).map(lambda successes: number - successes)
    )
    return Volley("tests", failed, Chain(packet.kind, (), MORTALS), (packet,))


def _failing(
    target: Unit,
    dice: int,
    fails_up_to: int,
    points: int,
    spill: bool = True,
    reroll: bool = False,
    command_reroll: bool = False,
    psychic: bool = False,
) -> Plan:
    """Dice that hurt when they are low; without `spill` the excess of each is lost with the model."""
    fight = Fight(target, target, (), options=OPTIONS)
    (packet,) = mortal_packets(fight, 0, (0,), psychic)
    damage = packet.damage if spill else (Pmf.constant(points),) * len(packet.damage)
    roll = Roll(
        needs=fails_up_to + 1,
        reroll=frozenset({"fails"}) if reroll else frozenset(),
        on_fail=("extra mortal",),
    )
    hurt = Packet(packet.kind, damage, packet.through, packet.ward, None, packet.tracks)
    return Plan((_tests(dice, roll, hurt, command_reroll),), target_of(target, False, 0))


def hazardous(
    *,
    target: Unit,
    tests: int,
    reroll_tests: bool = False,
    command_reroll: bool = False,
    psychic: bool = False,
) -> Plan:
    """Hazardous tests (WH40K-HAZ): each 1 is 3 mortal wounds on one bearer, the excess is lost.

    `target` holds the bearers in the order in which they are picked; `reroll_tests` rolls every failed
    test again, `command_reroll` one of them. The wounds of a `psychic` weapon meet the Feel No Pain
    against Psychic attacks.
    """
    if reroll_tests and command_reroll:  # WH40K-REROLL: a die is rolled again once
        raise BadInputError(
            "hazardous: reroll_tests and command_reroll together are not covered (drop one of them)"
        )
    return _failing(
        target, tests, 1, 3, spill=False, reroll=reroll_tests, command_reroll=command_reroll, psychic=psychic
    )


def desperate_escape(*, tests: int, models: int, command_reroll: bool = False) -> Plan:
    """Desperate Escape tests (WH40K-DESPERATE): each 1-2 destroys a model; with Command Re-roll one of them
    is rolled again.
    """
    if not 1 <= models <= 1000:
        raise BadInputError(f"desperate escape: {models} models (give 1 to 1000)")
    slain = Packet(SLAIN, (Pmf.constant(1),), (1.0,), (0.0,))
    volley = _tests(tests, Roll(needs=3, on_fail=(SLAIN,)), slain, command_reroll)
    return Plan((volley,), Target((Group("models", models, 1),)))


QUESTIONS: dict[str, Callable[..., Odds | Plan]] = {
    "charge": charge,
    "advance": advance,
    "surge": surge,
    "threat": threat,
    "control": control,
    "objective": objective,
    "battle_shock": battle_shock,
    "leadership": leadership,
    "half_strength": half_strength,
    "reserves": reserves,
    "grenade": grenade,
    "tank_shock": tank_shock,
    "deadly_demise": deadly_demise,
    "hazardous": hazardous,
    "desperate_escape": desperate_escape,
    "transport_destroyed": transport_destroyed,
    "mortal_dice": mortal_dice,
    "roll_2d6": roll_2d6,
}
