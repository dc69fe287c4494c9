"""The turn of Warhammer 40,000, 11th edition, between two sides, and stratagems that are steps of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mathhammer.engine.plan import Plan
from mathhammer.games.turns import (
    FIRST,
    NORMAL,
    Charge,
    Fight,
    HelpItself,
    Move,
    Reaction,
    Shoot,
    Turns,
    gained,
)
from mathhammer.games.wh40k.stratagems import ONE_STRATAGEM, one_reroll
from mathhammer.games.wh40k11.abilities import REACH
from mathhammer.games.wh40k11.charging import CHARGE
from mathhammer.games.wh40k11.odds import deadly_demise, explosives, mortal_dice
from mathhammer.units.unit import Unit


def rank(unit: Unit, foe: Unit, charged: bool, _options: Mapping[str, Any]) -> int:
    """WH40K11-12.04: Fights First units, then the rest; every model must have it (WH40K11-24.13)."""
    ruled = "fights first" in gained(unit, foe, charged)
    return FIRST if unit.stat("fights_first") or ruled else NORMAL


def demise(unit: Unit, other: Unit) -> Plan | None:
    """WH40K11-24.08: what a slain model does to another unit; None where it has no Deadly Demise."""
    mortals = unit.now().stat("deadly_demise")
    return None if mortals is None else deadly_demise(target=other, mortals=str(mortals)).plan


def _needs_keyword(rule: str, *keywords: str) -> Callable[[Unit, Unit], str]:
    def able(unit: Unit, _foe: Unit) -> str:
        listed = " and ".join(keyword.capitalize() for keyword in keywords)
        return "" if unit.keywords & set(keywords) else f"it is for {listed} units ({rule})"

    return able


def _not_titanic(unit: Unit, _foe: Unit) -> str:
    return "a Titanic unit cannot use it (WH40K11-15.08)" if "TITANIC" in unit.keywords else ""


def _already_next(_unit: Unit, _foe: Unit) -> str:
    """WH40K11-15.12: after an enemy unit has fought, the own unit fights next; of two it does anyway."""
    return "between two units it changes nothing, as its unit fights next anyway (WH40K11-15.12)"


def _impact(unit: Unit, foe: Unit) -> Plan:
    """WH40K11-15.06: what the charger does to the enemy; its own mortal wounds are the question's."""
    return mortal_dice(target=foe, dice=int(unit.stat("toughness")), success_on=5, cap=6).plan


REACTIONS = (
    Reaction(
        "counter_offensive",
        Fight,
        "hurt",
        "its unit fights next (WH40K11-15.12)",
        own_turn=False,
        able=_already_next,
    ),
    Reaction(
        "fire_overwatch",
        Move,
        "shoot",
        "shoots at the end of the enemy's Movement phase, and only unmodified 6s hit (WH40K11-15.08)",
        own_turn=False,
        within=24.0,  # WH40K11-15.09
        flag="overwatch",
        able=_not_titanic,
    ),
    Reaction(
        "explosives",
        Shoot,
        "hurt",
        "six dice, a mortal wound on each 4+, at an enemy within 8 inches (WH40K11-15.05)",
        before=True,
        within=8.0,  # WH40K11-15.05
        harm=lambda _unit, foe: explosives(target=foe).plan,
        able=_needs_keyword("WH40K11-15.05", "EXPLOSIVES", "GRENADES"),
    ),
    Reaction(
        "crushing_impact",
        Charge,
        "hurt",
        "after its charge: a die for each point of Toughness, a mortal wound on each 5+; its own on each 1 "
        "are left out (WH40K11-15.06)",
        when="charged",
        harm=_impact,
        able=_needs_keyword("WH40K11-15.06", "MONSTER", "VEHICLE"),
    ),
    Reaction(
        "fall_back",
        Move,
        "leave",
        "an ordered retreat by its Move; it neither shoots nor charges in that turn (WH40K11-09.07)",
        before=True,
        when="engaged",
    ),
)

TURNS = Turns(
    steps=(
        HelpItself(),
        Move(halt=REACH + 1.0, running="advanced"),
        Shoot(engaged="engaged", into_combat=False),  # WH40K11-10.06
        CHARGE,
        Fight(active_first=True, rank=rank),  # WH40K11-12.04, WH40K11-12.05
    ),
    reach=REACH,
    distances=(12.0,),  # WH40K11-24.24
    defensive=frozenset({"smokescreen", "command_reroll_save"}),
    phase_of={"smokescreen": "ranged", "epic_challenge": "melee"},
    conflict=lambda commands: "" if one_reroll(commands) else f"{ONE_STRATAGEM}, WH40K11-15.01",
    rules={
        "shoot": "its units shoot; engaged ones only with Close-quarters weapons, Monsters and Vehicles with "
        "all (WH40K11-10.06)",
        "charge": "2D6 inches, which must reach a target within 12 (WH40K11-11.04)",
        "reroll_charge": "Command Re-roll: the whole charge roll again (WH40K11-15.02)",
        "fight": "a unit that charged and units with Fights First, then the rest; the player whose turn it "
        "is picks first (WH40K11-12.04)",
        "heal": "healing in its own Command phase, wound by wound (WH40K11-02.02.04)",
        "once": "One Shot weapons are used in the first round and never again (WH40K11-24.26)",
        "battleshock": "Battle-shock changes no attack and is left out (WH40K11-08.03)",
    },
    demise=demise,
    demise_reach=6.0,  # WH40K11-24.08: inches
    reactions=REACTIONS,
)
