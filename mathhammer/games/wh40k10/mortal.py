"""Mortal wounds of 40k: packets of one point that no save stops, and that spill (WH40K-MORTAL)."""

from __future__ import annotations

from dataclasses import replace

from mathhammer.dice.notation import parse_dice
from mathhammer.dice.pmf import Pmf
from mathhammer.engine.chain import Chain, Stage
from mathhammer.engine.plan import Packet, Volley
from mathhammer.games.game import Fight
from mathhammer.games.gathering import defence_changes, facts_of
from mathhammer.games.wh40k.rules_besides import NO_WEAPON
from mathhammer.games.wh40k10.defence import Blow, packets


def mortal_packets(
    fight: Fight, index: int, tracks: tuple[int, ...], psychic: bool = False
) -> tuple[Packet, ...]:
    """Mortal wounds as packets of one point, which spill; with an index below 0 they land at once."""
    blow = Blow(psychic, 0, parse_dice(1), (), None, "", index)
    facts = facts_of(fight, NO_WEAPON)
    guards = tuple(defence_changes(fight, facts, NO_WEAPON))
    landing = packets(fight, facts, blow, guards, tracks, ("extra mortal",))[0]
    return landing if index >= 0 else tuple(replace(packet, rank=None) for packet in landing)


def mortal_volley(
    fight: Fight, source: str, dealt: Pmf, index: int, tracks: tuple[int, ...], unwarded: bool = False
) -> Volley:
    """Mortal wounds of a rule: after all attacks (WH40K-MORTALADD), or with an index below 0 before them; no
    Feel No Pain is rolled for `unwarded` ones.
    """
    landing = mortal_packets(fight, index, tracks)
    if unwarded:
        landing = tuple(replace(packet, ward=(0.0,) * len(packet.ward)) for packet in landing)
    return Volley(
        source,
        dealt,
        Chain("extra mortal", (), (Stage("mortal", entering=("extra mortal",)),)),
        landing,
        ("Mortal wounds: no save (WH40K-MORTAL)",),
    )
