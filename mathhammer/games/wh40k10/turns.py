"""The turn of Warhammer 40,000, 10th edition, between two sides."""

from __future__ import annotations

from collections.abc import Collection

from mathhammer.games.turns import FIRST, NORMAL, Charge, Fight, HelpItself, Move, Shoot, Turns, gained
from mathhammer.units.unit import Unit


def rank(unit: Unit, foe: Unit, charged: bool) -> int:
    """WH40K-FIGHTORDER: Fights First units, then the rest."""
    return FIRST if unit.stat("fights_first") or "fights first" in gained(unit, foe, charged) else NORMAL


ONE_STRATAGEM = "a stratagem is used once per phase"


def one_reroll(commands: Collection[str]) -> bool:
    """WH40K-CPLIMIT: whether one phase may have all of these: Command Re-roll once, whatever it rolls again.

    >>> one_reroll(["command_reroll_hit", "go_to_ground"])
    True
    >>> one_reroll(["command_reroll_hit", "command_reroll_save"])
    False
    """
    return len({command for command in commands if command.startswith("command_reroll")}) <= 1


# WH40K-CHARGE: into Engagement Range; WH40K-FIGHTORDER: a unit that charged fights first
CHARGE = Charge(slack=1.0, within=12.0, strikes_first=True)

TURNS = Turns(
    steps=(
        HelpItself(),
        Move(halt=2.0),
        Shoot(engaged="engaged", into_combat=False),  # WH40K-BGNT
        CHARGE,
        Fight(active_first=False, rank=rank),  # WH40K-FIGHTORDER
    ),
    reach=1.0,  # Engagement Range
    distances=(12.0,),  # WH40K-LONEOP
    defensive=frozenset({"go_to_ground", "smokescreen", "command_reroll_save"}),
    phase_of={"go_to_ground": "ranged", "smokescreen": "ranged", "epic_challenge": "melee"},
    conflict=lambda commands: "" if one_reroll(commands) else f"{ONE_STRATAGEM}, WH40K-CPLIMIT",
    rules={
        "shoot": (
            "its units shoot; in Engagement Range only Pistols, Monsters and Vehicles do "
            "(WH40K-PISTOL, WH40K-BGNT)"
        ),
        "charge": "2D6 inches, declared within 12, into Engagement Range (WH40K-CHARGE)",
        "reroll_charge": "Command Re-roll: the whole charge roll again (WH40K-CMDREROLL)",
        "fight": (
            "a unit that charged and units with Fights First, then the rest; the other player picks "
            "first (WH40K-FIGHTORDER)"
        ),
        "heal": (
            "healing in its own Command phase gives lost wounds back to the wounded model and returns "
            "none (WH40K-HEAL)"
        ),
        "once": "One Shot weapons are used in the first round and never again (WH40K-ONESHOT)",
        "battleshock": "Battle-shock changes no attack and is left out (WH40K-BSHOCK)",
    },
)
