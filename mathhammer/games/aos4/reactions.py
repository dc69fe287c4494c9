"""Commands of Age of Sigmar, 4th edition, that are steps of their own in a duel, and Retreat."""

from __future__ import annotations

from dataclasses import replace

from mathhammer.engine.chain import chances
from mathhammer.engine.plan import Plan
from mathhammer.games.aos4.attack import MORTAL, target_of
from mathhammer.games.aos4.options import OPTIONS
from mathhammer.games.aos4.turns import TURNS
from mathhammer.games.game import Fight
from mathhammer.games.gathering import facts_of
from mathhammer.games.sigmar.attack import NO_WEAPON, mortal_volley, ward_roll
from mathhammer.games.sigmar.odds import D3
from mathhammer.games.turns import Charge, Move, Reaction, Shoot
from mathhammer.games.turns import Fight as Fighting
from mathhammer.units.unit import Unit


def _d3(_user: Unit, hurt: Unit) -> Plan:
    """D3 mortal damage (AOS4-17.2), which meets the ward."""
    fight = Fight(hurt, hurt, (), options=tuple(OPTIONS.items()))
    ward = chances(ward_roll(fight, facts_of(fight, NO_WEAPON), NO_WEAPON)).passed
    return Plan((mortal_volley("mortal damage", D3, ward, 1, MORTAL),), target_of(hurt))


def _stronger(unit: Unit, foe: Unit) -> str:
    each = [int(one.groups[0].stat("health")) for one in (unit, foe)]
    return "" if each[1] < each[0] else "the enemy has no lower Health (AOS4-C-8.0)"


REACTIONS = (
    Reaction(
        "redeploy",
        Move,
        "withdraw",
        "moves up to D6 inches away after the enemy's movement, which counts as a run (AOS4-C-3.0)",
        own_turn=False,
    ),
    Reaction(
        "covering_fire",
        Shoot,
        "shoot",
        "shoots in the enemy's shooting phase at -1 to hit (AOS4-C-4.0)",
        own_turn=False,
    ),
    Reaction(
        "counter_charge",
        Charge,
        "charge",
        "charges in the enemy's charge phase (AOS4-C-5.0)",
        own_turn=False,
    ),
    Reaction(
        "power_through",
        Fighting,
        "hurt",
        "at the end of a turn in which it charged: D3 mortal damage to an enemy of lower Health (AOS4-C-8.0)",
        when="charged",
        harm=_d3,
        able=_stronger,
    ),
    Reaction(
        "retreat",
        Move,
        "leave",
        "suffers D3 mortal damage and leaves combat by its Move; no shooting and no charge then (AOS4-14.1)",
        before=True,
        when="engaged",
        harm=_d3,
    ),
)
DUELS = replace(TURNS, reactions=REACTIONS)
