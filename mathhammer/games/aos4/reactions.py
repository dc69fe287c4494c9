"""The turn of Age of Sigmar, 4th edition, between two sides (AOS4-13.0), with the commands that are steps of
their own, and Retreat.
"""

from __future__ import annotations

from mathhammer.engine.chain import chances
from mathhammer.engine.plan import Plan
from mathhammer.games.aos4.attack import MORTAL, target_of
from mathhammer.games.aos4.options import OPTIONS
from mathhammer.games.aos4.rally import lost_after_rally
from mathhammer.games.aos4.turns import CHARGE, DEFENSIVE, ONE_COMMAND, one_command, rank
from mathhammer.games.game import Fight
from mathhammer.games.gathering import facts_of
from mathhammer.games.sigmar.attack import NO_WEAPON, mortal_volley, ward_roll
from mathhammer.games.sigmar.odds import D3
from mathhammer.games.turns import Charge, HelpItself, Move, Reaction, Shoot, Turns
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

TURNS = Turns(
    steps=(  # AOS4-13.0
        HelpItself(lost_after_rally),  # AOS4-C-2.0
        Move(halt=3.01, running="ran"),  # AOS4-7.0: just outside of combat
        Shoot(engaged="in_combat"),
        CHARGE,
        Fighting(
            active_first=True, rank=rank
        ),  # AOS4-13.1; AOS4-14.4: units in combat, and those that charged
    ),
    reach=3.0,  # AOS4-7.0
    distances=(3.0, 12.0),  # AOS4-7.0: obscured targets; AOS4-25.0: guarded heroes
    p_same_player_first=21 / 36,  # AOS4-12.0
    defensive=DEFENSIVE,
    conflict=lambda commands: "" if one_command(commands) else f"{ONE_COMMAND}, AOS4-C-1.2",
    rules={
        "shoot": "its units shoot; in combat only with Shoot in Combat (AOS4-16.0)",
        "charge": "2D6, and it must end within half an inch (AOS4-14.3)",
        "reroll_charge": "Forward to Victory: the whole charge roll again (AOS4-C-5.0, AMB-20)",
        "fight": "Strike-first, then the others, then Strike-last; the active player picks first (AOS4-19.0)",
        "rally": (
            "Rally in its own hero phase while not in combat: models return first, then it heals (AOS4-C-2.0)"
        ),
        "heal": "healing in its own hero phase removes damage but returns no model (AOS4-21.0)",
        "priority": (
            "the first player of a round begins the next with chance 21/36 (AOS4-12.0); the winner goes first"
        ),
    },
    reactions=REACTIONS,
)
