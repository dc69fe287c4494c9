"""What an action costs the attacker: Hazardous tests (WH40K-HAZ), and mortal wounds of rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mathhammer.dice.pmf import Pmf
from mathhammer.engine.chain import Chain, Roll, Stage
from mathhammer.engine.plan import Group, Packet, Plan, Target, Volley
from mathhammer.games.applying_effects import Armed
from mathhammer.games.game import Fight
from mathhammer.games.wh40k.rules_besides import own_mortals
from mathhammer.games.wh40k10.abilities import HAZARDOUS, PSYCHIC
from mathhammer.games.wh40k10.defence import target_of
from mathhammer.games.wh40k10.mortal import mortal_packets, mortal_volley
from mathhammer.units.unit import Unit

WOUNDS = 3  # WH40K-HAZ: mortal wounds of a failed test, all on one model
TEST = Roll(needs=2, on_fail=("extra mortal",))  # WH40K-HAZ: a 1 fails


def own_harm(fight: Fight, able: Sequence[Armed], back: Sequence[Volley] = ()) -> Plan | None:
    """The tests of the Hazardous weapons that attack, and what rules deal to the attacker, also by single
    dice of its attacks (`back`); None: nothing.
    """
    hazardous = [armed for armed in able if any(held.ability is HAZARDOUS for held in armed.abilities)]
    dealt = own_mortals(fight, able)
    if not hazardous and not dealt and not back:
        return None
    unit, whole = fight.attacker, bool(dealt or back)
    turned = Fight(fight.target, unit, (), target_friends=fight.friends, options=fight.options)
    volleys = [
        mortal_volley(turned, source, points, -1, (0,), unwarded) for source, points, unwarded in dealt
    ]
    volleys += [replace(volley, packets=mortal_packets(turned, -1, (0,))) for volley in back]
    target, places = (target_of(unit, False, 0), None) if whole else bearers_first(unit, hazardous)
    for armed in hazardous:
        psychic = any(held.ability is PSYCHIC for held in armed.abilities)
        (packet,) = mortal_packets(turned, 0, (0,), psychic)
        packet = hazard_packet(packet, places)
        bearers = unit.bearers(armed.weapon)
        tests = Pmf.constant(bearers * armed.weapon.copies)
        notes = (f"Hazardous: {bearers * armed.weapon.copies} tests, each 1 is 3 mortal wounds (WH40K-HAZ)",)
        capped = replace(packet, cap=bearers) if whole else packet
        volleys.append(
            Volley(armed.weapon.name, tests, Chain("test", (("test", TEST),), HAZARDS), (capped,), notes)
        )
    return Plan(tuple(volleys), target)


HAZARDS = (Stage("failed tests", entering=("extra mortal",)),)


def hazard_packet(packet: Packet, places: tuple[int, ...] | None) -> Packet:
    """A failed test as a packet: three wounds for one model, and the excess is lost; `places` are the groups
    of the unit that can be hurt.
    """
    kept = range(len(packet.damage)) if places is None else places
    return Packet(
        packet.kind,
        tuple(Pmf.constant(WOUNDS) for _ in kept),
        tuple(packet.through[place] for place in kept),
        tuple(packet.ward[place] for place in kept),
    )


def bearers_first(unit: Unit, hazardous: Sequence[Armed]) -> tuple[Target, tuple[int, ...]]:
    """WH40K-HAZ: only models with such a weapon are hurt, Characters last; the target of the tests, and which
    of the unit's groups that are left it holds.
    """
    groups: list[Group] = []
    places: list[int] = []
    alive = [
        (group, models, hurt)
        for group, (models, hurt) in zip(unit.groups, unit.left(), strict=True)
        if models
    ]
    left = {armed.weapon.name: unit.bearers(armed.weapon) for armed in hazardous}
    for place, (group, models, hurt) in enumerate(alive):
        bearing = 0
        for armed in hazardous:
            if not armed.weapon.groups or group.name in armed.weapon.groups:
                taken = min(models, left[armed.weapon.name])
                left[armed.weapon.name] -= taken
                bearing = max(bearing, taken)
        if bearing:
            wounds = int(group.stat("wounds"))
            groups.append(Group(group.name, bearing, wounds, hurt if bearing == models else 0))
            places.append(place)
    if not groups:  # whoever carried it is gone
        group, models, hurt = alive[0]
        return Target((Group(group.name, models, int(group.stat("wounds")), hurt),)), (0,)
    return Target(tuple(groups), (tuple(range(len(groups))),)), tuple(places)
