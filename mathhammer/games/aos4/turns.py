"""The turn of Age of Sigmar, 4th edition, between two sides (AOS4-13.0)."""

from __future__ import annotations

from collections.abc import Collection

from mathhammer.games.aos4.rally import lost_after_rally
from mathhammer.games.turns import FIRST, LAST, NORMAL, Charge, Fight, HelpItself, Move, Shoot, Turns, gained
from mathhammer.units.unit import Unit


def rank(unit: Unit, foe: Unit, charged: bool) -> int:
    """AOS4-13.1, AOS4-19.0: Strike-first units, then the others, then Strike-last units; a unit with both
    counts as having neither.
    """
    words = gained(unit, foe, charged) | {f"strike {unit.stat('strike')}"}
    first, last = "strike first" in words, "strike last" in words
    return NORMAL if first == last else FIRST if first else LAST


ONE_COMMAND = "a unit uses one command per phase"


def one_command(commands: Collection[str]) -> bool:
    """AOS4-C-1.2: whether a unit may use all of these in one phase: one command, however often it is named.

    >>> one_command(["all_out_attack", "all_out_attack"]), one_command(["all_out_attack", "covering_fire"])
    (True, False)
    """
    return len(set(commands)) <= 1


OUTSIDE = 3.01  # inches, just outside combat range (AOS4-7.0)
CHARGE = Charge(slack=0.5)  # AOS4-14.3: it ends within half an inch

TURNS = Turns(
    steps=(  # AOS4-13.0
        HelpItself(lost_after_rally),  # AOS4-C-2.0
        Move(halt=OUTSIDE),
        Shoot(engaged="in_combat"),
        CHARGE,
        Fight(active_first=True, rank=rank),  # AOS4-13.1; AOS4-14.4: units in combat, and those that charged
    ),
    reach=3.0,  # AOS4-7.0
    distances=(3.0, 12.0),  # AOS4-7.0: obscured targets; AOS4-25.0: guarded heroes
    p_same_player_first=21 / 36,  # AOS4-12.0
    defensive=frozenset({"all_out_defence"}),
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
)
