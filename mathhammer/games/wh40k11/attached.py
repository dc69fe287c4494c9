"""Attached units of the 11th edition: one Leader and one Support unit join a bodyguard, and it stays one
unit.
"""

from __future__ import annotations

from dataclasses import replace

from mathhammer.errors import BadInputError
from mathhammer.games.wh40k import attach as shared
from mathhammer.units.unit import Unit

ROLES = ("leader", "support")


def attach(leader: Unit, bodyguard: Unit) -> Unit:
    """WH40K11-19.01: a bodyguard with at most one Leader and one Support unit is one unit for everything,
    also when the bodyguard is gone: then its Toughness is that of who is left (WH40K11-05.02.01), and what a
    leader gives goes on (WH40K11-19.04). Keywords are those of all parts (WH40K11-19.03, WH40K11-02.05.01).
    """
    taken = bodyguard.stat("roles", ())
    free = [role for role in ROLES if role not in taken]
    role = leader.stat("role", free[0] if free else ROLES[0])
    if role in taken:
        raise BadInputError(
            f"attach: {bodyguard.name} has a {role.capitalize()} unit already (at most one, WH40K11-19.01)"
        )
    attached = shared.attach(leader, bodyguard)
    roles = (*(pair for pair in attached.stats if pair[0] != "roles"), ("roles", (*taken, role)))
    attached = replace(attached, stats=roles)
    assert attached.survivors is not None
    gone = set(bodyguard.effects if bodyguard.survivors is None else ())
    left = replace(
        attached.survivors,
        name=attached.name,
        effects=tuple(effect for effect in attached.effects if effect not in gone),
    )
    return replace(attached, survivors=left)
