"""Bands of distance: how far apart units are while an attack between them stays the same."""

from __future__ import annotations

from math import nextafter

from mathhammer.checks import MOST_INCHES
from mathhammer.duel.fighter import Fighter
from mathhammer.duel.setup import Setup
from mathhammer.games.discovery import attacks_of
from mathhammer.games.gathering import ENEMY_SCOPES
from mathhammer.units.conditions import DISTANCES


def distances_read(fighter: Fighter) -> list[float]:
    """Distances that the rules of a unit and of its friends, and its weapons' abilities, ask for."""
    asked = [
        float(condition.value)
        for effect in fighter.effects()
        for condition in effect.when
        if condition.subject in DISTANCES or (condition.subject == "near" and effect.on in ENEMY_SCOPES)
    ]
    return [*asked, *attacks_of(fighter.unit.system).distances(fighter.unit, fighter.effects())]


def band_edges(setup: Setup, side: int, u: int) -> list[float]:
    """The distances up to which the shooting of a unit is the same, in order: an attack at an edge is right
    for the whole band that ends there. Empty when it does not shoot at units that it is apart from.

    A rule about a distance may change just below it (`>= 10`) or at it (`<= 10`), so both are edges. A unit
    that is not in combat is farther away than combat reaches.
    """
    one = setup.fighters[side][u]
    shooting = one.shooting()
    farthest = max((MOST_INCHES if w.range is None else float(w.range) for w in shooting), default=0.0)
    ranges = [float(weapon.range) for weapon in shooting if weapon.range is not None]
    read = [*setup.turns.distances]
    for fighter in (one, *setup.fighters[1 - side]):
        read += distances_read(fighter)
    edges = {farthest, *ranges, *(value / 2 for value in ranges)}
    edges |= {edge for value in read for edge in (nextafter(value, 0.0), value)}
    return sorted(edge for edge in edges if setup.turns.reach < edge <= farthest)
