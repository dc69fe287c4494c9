"""The turn of Warhammer 40,000, 10th edition, between two units."""

from __future__ import annotations

from collections.abc import Sequence

from mathhammer.games.turns import FIRST, NORMAL, Turns
from mathhammer.units.unit import Unit


def rank(unit: Unit) -> int:
    """WH40K-FIGHTORDER: Fights First units, then the rest."""
    return FIRST if unit.stat("fights_first") else NORMAL


def clash(commands: Sequence[str]) -> str:
    """WH40K-CPLIMIT: a stratagem is used once in a phase, whatever Command Re-roll rolls again."""
    rerolls = {command for command in commands if command.startswith("command_reroll")}
    return "a stratagem is used once per phase, WH40K-CPLIMIT" if len(rerolls) > 1 else ""


TURNS = Turns(
    engaged="engaged",
    reach=1.0,
    charge_slack=1.0,
    charge_within=12.0,
    active_first=False,
    charge_strikes_first=True,
    rank=rank,
    shoot_into_combat=False,
    guards=frozenset({"go_to_ground", "smokescreen", "command_reroll_save"}),
    only={"go_to_ground": "ranged", "smokescreen": "ranged", "epic_challenge": "melee"},
    clash=clash,
    one_melee_weapon=True,  # WH40K-ATTACKS
    once=frozenset({"One Shot"}),  # WH40K-ONESHOT
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
