"""The turn of Age of Sigmar, 1st edition, between two units (AOS1-ROUND)."""

from __future__ import annotations

from mathhammer.games.turns import Turns

TURNS = Turns(
    engaged="near_enemy",
    reach=3.0,
    charge_slack=0.5,
    charge_within=12.0,
    active_first=True,
    again=0.5,  # AOS1-ROUND
    only={"inspired": "melee"},
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
