"""Mortal wounds of the 11th edition: packets of one point without a save, which spill (WH40K11-06.02)."""

from __future__ import annotations

from dataclasses import replace

from mathhammer.dice.notation import parse_dice
from mathhammer.dice.pmf import Pmf
from mathhammer.engine.chain import Chain, Stage
from mathhammer.engine.plan import Packet, Volley
from mathhammer.games.game import Fight
from mathhammer.games.gathering import defence_changes, facts_of
from mathhammer.games.wh40k.rules_besides import NO_WEAPON
from mathhammer.games.wh40k11.allocation import Allocation
from mathhammer.games.wh40k11.defence import Blow, packets


def mortal_packet(fight: Fight, allocation: Allocation, psychic: bool = False) -> Packet:
    """A mortal wound as a packet of one point, which lands at once.

    WH40K11-22.03: those of a psychic attack meet the Feel No Pain against such.
    """
    blow = Blow("ranged", psychic, 0, 0, parse_dice(1), (), None)
    facts = facts_of(fight, NO_WEAPON)
    guards = tuple(defence_changes(fight, facts, NO_WEAPON))
    (packet,), _ = packets(fight, blow, guards, allocation, False, ("extra mortal",))
    return replace(packet, rank=None)


def mortal_volley(
    fight: Fight, source: str, dealt: Pmf, allocation: Allocation, unwarded: bool = False
) -> Volley:
    """Mortal wounds of a rule; no Feel No Pain is rolled for `unwarded` ones."""
    packet = mortal_packet(fight, allocation)
    if unwarded:
        packet = replace(packet, ward=(0.0,) * len(packet.ward))
    return Volley(
        source,
        dealt,
        Chain("extra mortal", (), (Stage("mortal", entering=("extra mortal",)),)),
        (packet,),
        ("Mortal wounds: no save (WH40K11-06.02)",),
        apart=True,
    )
