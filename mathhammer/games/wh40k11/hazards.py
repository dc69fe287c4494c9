"""What an action costs the attacker: hazard rolls (WH40K11-06.03), and mortal wounds of rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mathhammer.dice.notation import parse_dice
from mathhammer.dice.pmf import Pmf
from mathhammer.engine.chain import Chain, Fan, Modifier, Reroll, Roll
from mathhammer.engine.plan import Packet, Plan, Volley
from mathhammer.games.applying_effects import Armed
from mathhammer.games.game import Fight
from mathhammer.games.wh40k.abilities import BIG
from mathhammer.games.wh40k.rules_besides import MORTALS, own_mortals
from mathhammer.games.wh40k11.abilities import HAZARDOUS, psychic
from mathhammer.games.wh40k11.allocation import allocation_of
from mathhammer.games.wh40k11.mortal import mortal_packet, mortal_volley
from mathhammer.units.unit import Unit

FAILS_UP_TO = 2  # WH40K11-06.03
SMALL = frozenset({"INFANTRY", "MOUNTED", "BEASTS", "BEAST", "SWARM"})


def all_big(unit: Unit) -> bool:
    """Whether every model is a Monster or Vehicle; a unit with the keywords of both kinds is none such."""
    return bool(unit.keywords & BIG) and not unit.keywords & SMALL


def hazard_chain(
    fails_up_to: int, each: int, modifier: int = 0, reroll: frozenset[Reroll] = frozenset()
) -> Chain:
    """WH40K11-06.03: a hazard roll fails on 1-2 and deals 1 mortal wound, or 3 to Monsters and Vehicles."""
    roll = Roll(
        needs=fails_up_to + 1,
        modifiers=(Modifier(modifier, "modifier"),) if modifier else (),
        reroll=reroll,
        on_fail=("wounds",),
    )
    return Chain("roll", (("roll", roll), ("wounds", Fan(parse_dice(each), "extra mortal"))), MORTALS)


def own_harm(fight: Fight, able: Sequence[Armed], back: Sequence[Volley] = ()) -> Plan | None:
    """The hazard rolls of the weapons that attack, and what rules deal to the attacker, also by single dice
    of its attacks (`back`); None: nothing.
    """
    hazardous = [armed for armed in able if any(held.ability is HAZARDOUS for held in armed.abilities)]
    dealt = own_mortals(fight, able)
    if not hazardous and not dealt and not back:
        return None
    unit = fight.attacker
    turned = Fight(fight.target, unit, (), target_friends=fight.friends, options=fight.options)
    allocation = allocation_of(unit)
    volleys = [mortal_volley(turned, source, points, allocation, bare) for source, points, bare in dealt]
    volleys += [replace(volley, packets=(mortal_packet(turned, allocation),)) for volley in back]
    each = 3 if all_big(unit) else 1
    for armed in hazardous:
        number = unit.bearers(armed.weapon) * armed.weapon.copies
        steered = any(held.ability.edit is psychic for held in armed.abilities)
        packet: Packet = mortal_packet(turned, allocation, steered)
        wounds = "1 mortal wound" if each == 1 else f"{each} mortal wounds"
        notes = (f"Hazardous: {number} hazard rolls, each 1-2 is {wounds} (WH40K11-24.15)",)
        chain = hazard_chain(FAILS_UP_TO, each)
        # WH40K11-24.15: a hazard roll for each Hazardous weapon that was selected
        volleys.append(Volley(armed.weapon.name, Pmf.constant(number), chain, (packet,), notes, apart=True))
    return Plan(tuple(volleys), allocation.target)
