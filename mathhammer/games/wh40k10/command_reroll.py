"""Command Re-roll (WH40K-CMDREROLL) of an attacker: which roll it takes again, what it does not go with."""

from __future__ import annotations

from dataclasses import replace

from mathhammer.dice.pmf import Pmf
from mathhammer.engine.chain import Chain
from mathhammer.engine.plan import Packet, Target, Volley
from mathhammer.errors import BadInputError
from mathhammer.games.game import Fight


def lowest_of_all(fight: Fight) -> bool:
    """Whether Command Re-roll takes the lowest damage roll of all, once they are seen (`damage_reroll`)."""
    wanted = fight.option("damage_reroll") == "after_all"
    return wanted and "command_reroll_damage" in fight.situation.commands


def with_lowest_again(volleys: list[Volley], target: Target) -> tuple[list[Volley], Target]:
    """The volleys of a single weapon whose damage rolls are noted, with the lowest of them rolled again at
    the end where a new roll is better on average (WH40K-CMDREROLL); only against one model without Feel No
    Pain.
    """
    plain = [packet for volley in volleys for packet in volley.packets if packet.kind != "extra mortal"]
    single = len(target.groups) == 1 and target.groups[0].models == 1
    if len(volleys) != 1 or not single or any(any(packet.ward) for packet in plain):
        raise BadInputError(
            "fight: damage_reroll after_all is for one weapon against one model without Feel No Pain "
            "(WH40K-CMDREROLL; leave the option at in_turn)"
        )
    (volley,) = volleys
    noting = tuple(
        packet if packet.kind == "extra mortal" else replace(packet, low="note", reroll_low=False)
        for packet in volley.packets
    )
    damage = plain[0].damage
    again = Packet("again", damage, (1.0,), (0.0,), LAST, low="again")
    chain = Chain("again", (), ())
    rolled = Volley("Command Re-roll of the lowest damage", Pmf.constant(1), chain, (again,))
    return [replace(volley, packets=noting), rolled], replace(target, uses=len(damage[0]) - 1)


LAST = 1_000_000  # after all other packets
