"""The turn of Age of Sigmar, 1st edition, between two sides (AOS1-ROUND)."""

from __future__ import annotations

from mathhammer.games.aos1.battleshock import aftermath
from mathhammer.games.turns import Charge, Fight, HelpItself, Move, Shoot, Tests, Turns

CHARGE = Charge(slack=0.5, within=12.0)  # AOS1-CHARGE: the first model ends within half an inch

TURNS = Turns(
    steps=(
        HelpItself(),
        Move(halt=4.0, running="ran"),
        Shoot(engaged="near_enemy"),
        CHARGE,
        Fight(active_first=True),  # AOS1-CHARGE
        Tests(aftermath, stat="bravery"),  # AOS1-BATTLESHOCK
    ),
    reach=3.0,
    p_same_player_first=0.5,  # AOS1-ROUND
    rolls_priority=True,  # AOS1-ROUND
    phase_of={"inspired": "melee"},
    once=frozenset({"inspired"}),  # AOS1-TRIUMPH: one combat phase
    rules={
        "shoot": "its units shoot, near the enemy too (AOS1-MOVE)",
        "charge": "2D6, declared within 12 inches, and it must end within half an inch (AOS1-CHARGE)",
        "reroll_charge": "the whole charge roll again (AOS1-SILENT-13)",
        "fight": "the active player's unit first (AOS1-CHARGE)",
        "heal": "healing in its own hero phase removes wounds but returns no model",
        "battleshock": (
            "units that lost models this turn test; the wounded model flees first (AOS1-BATTLESHOCK)"
        ),
        "priority": "each player begins a later round with chance 1/2 (AOS1-ROUND); the winner goes first",
    },
)
