"""The turn of Warhammer 40,000, 10th edition, between two sides, and stratagems that are steps of it."""

from __future__ import annotations

from collections.abc import Callable

from mathhammer.engine.plan import Plan
from mathhammer.games.turns import Charge, Fight, HelpItself, Move, Reaction, Shoot, Turns
from mathhammer.games.wh40k.stratagems import ONE_STRATAGEM, one_reroll
from mathhammer.games.wh40k10.odds import deadly_demise, grenade, tank_shock
from mathhammer.games.wh40k10.turns import CHARGE, DEFENSIVE, rank
from mathhammer.units.unit import Unit


def demise(unit: Unit, other: Unit) -> Plan | None:
    """WH40K-DEADLY: what a slain model of a unit does to another unit; None where it has no Deadly Demise."""
    mortals = unit.now().stat("deadly_demise")
    return None if mortals is None else deadly_demise(target=other, mortals=str(mortals))


def _needs_keyword(keyword: str, rule: str) -> Callable[[Unit, Unit], str]:
    def able(unit: Unit, _foe: Unit) -> str:
        return "" if keyword in unit.keywords else f"it is for {keyword.capitalize()} units ({rule})"

    return able


def _not_titanic(unit: Unit, _foe: Unit) -> str:
    return "a Titanic unit cannot use it (WH40K-OVERWATCHSTRAT)" if "TITANIC" in unit.keywords else ""


def _already_next(_unit: Unit, _foe: Unit) -> str:
    """WH40K-COUNTER: after an enemy unit has fought, the own unit fights next; of two it does anyway."""
    return "between two units it changes nothing, as its unit fights next anyway (WH40K-COUNTER)"


REACTIONS = (
    Reaction(
        "counter_offensive",
        Fight,
        "hurt",
        "its unit fights next (WH40K-COUNTER)",
        own_turn=False,
        able=_already_next,
    ),
    Reaction(
        "fire_overwatch",
        Charge,
        "shoot",
        "shoots before the enemy charges, and only unmodified 6s hit (WH40K-OVERWATCHSTRAT)",
        before=True,
        own_turn=False,
        within=24.0,  # WH40K-OVERWATCHSTRAT
        flag="overwatch",
        able=_not_titanic,
    ),
    Reaction(
        "grenade",
        Shoot,
        "hurt",
        "six dice, a mortal wound on each 4+, at an enemy within 8 inches (WH40K-GRENADE)",
        before=True,
        within=8.0,  # WH40K-GRENADE
        harm=lambda _unit, foe: grenade(target=foe),
        able=_needs_keyword("GRENADES", "WH40K-GRENADE"),
    ),
    Reaction(
        "tank_shock",
        Charge,
        "hurt",
        "after its charge: a die for each point of Toughness, a mortal wound on each 5+ (WH40K-TANKSHOCK)",
        when="charged",
        harm=lambda unit, foe: tank_shock(target=foe, toughness=int(unit.stat("toughness"))),
        able=_needs_keyword("VEHICLE", "WH40K-TANKSHOCK"),
    ),
    Reaction(
        "fall_back",
        Move,
        "leave",
        "leaves combat by its Move, and neither shoots nor charges in that turn (WH40K-DESPERATE)",
        before=True,
        when="engaged",
    ),
)

TURNS = Turns(
    steps=(
        HelpItself(),
        Move(halt=2.0, running="advanced"),
        Shoot(engaged="engaged", into_combat=False),  # WH40K-BGNT
        CHARGE,
        Fight(active_first=False, rank=rank),  # WH40K-FIGHTORDER
    ),
    reach=1.0,  # Engagement Range
    distances=(12.0,),  # WH40K-LONEOP
    defensive=DEFENSIVE,
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
    demise=demise,
    demise_reach=6.0,  # WH40K-DEADLY: inches
    reactions=REACTIONS,
)
