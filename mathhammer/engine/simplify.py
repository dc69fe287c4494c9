"""Plans made smaller without changing an answer: packets that do the same to the target become one kind.

Against models that are all alike, a save is a chance like any other, so it moves into the chain; wounds that
face a save and wounds that face none then differ in nothing, and a queue of them is needed no longer.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from mathhammer.engine.chain import Chain, Gate
from mathhammer.engine.plan import Packet, Plan, Volley

LANDED = "landed"


@lru_cache(maxsize=4096)
def merged(plan: Plan) -> Plan:
    """The same plan with as few kinds of packets as give the same answer; memoised."""
    target = plan.target
    packets = [packet for volley in plan.volleys for packet in volley.packets]
    if (
        target.spills
        or len(target.groups) != 1
        or target.uses
        or any(packet.cap is not None for packet in packets)
    ):
        return plan
    if len({_harm(packet) for packet in packets}) == 1:  # all the same: the order of landing does not matter
        return replace(plan, volleys=tuple(_joined(volley, volley.packets) for volley in plan.volleys))
    if len(plan.volleys) == 1:
        return replace(plan, volleys=(_joined(plan.volleys[0], _first_alike(plan.volleys[0])),))
    return plan


def _harm(packet: Packet) -> tuple[object, ...]:
    """What a packet does once it is past the save."""
    return packet.damage, packet.ward, packet.tracks


def _first_alike(volley: Volley) -> tuple[Packet, ...]:
    """The packets that land one after the other at the start and do the same."""
    order = sorted(volley.packets, key=lambda packet: -1 if packet.rank is None else packet.rank)
    if not order or sum(packet.rank is None for packet in order) != 1:
        return ()
    alike = 1
    while alike < len(order) and _harm(order[alike]) == _harm(order[0]):
        alike += 1
    return tuple(order[:alike])


def _joined(volley: Volley, alike: tuple[Packet, ...]) -> Volley:
    """The volley with these packets as one kind that has passed the save already."""
    if not alike:
        return volley
    gates = tuple((packet.kind, Gate(packet.through[0], LANDED)) for packet in alike)
    landed = Packet(LANDED, alike[0].damage, (1.0,), alike[0].ward, None, alike[0].tracks)
    others = tuple(packet for packet in volley.packets if packet not in alike)
    again = tuple(replace(one, chain=_with(one.chain, gates)) for one in volley.again)
    return replace(volley, chain=_with(volley.chain, gates), packets=(landed, *others), again=again)


def _with(chain: Chain, gates: tuple[tuple[str, Gate], ...]) -> Chain:
    return replace(chain, lanes=(*chain.lanes, *gates))
