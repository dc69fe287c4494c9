"""What each ability is worth here: the fight with it and without it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from mathhammer.compare.worth import measured
from mathhammer.errors import BadInputError
from mathhammer.fight import fight, use_of
from mathhammer.units.conditions import PICKED, TRIGGERS, switch
from mathhammer.units.unit import Unit


def ability_rows(unit: Unit, opponent: Unit, how: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """What each ability of both units changes for the unit when it attacks, and when it is attacked; an
    ability that somebody has to use is taken as used.
    """
    for owner in (unit,) if unit is opponent else (unit, opponent):
        for name, chosen in ways_to_use(owner):
            with_it, without = using(owner, name, chosen), lacking(owner, name)
            label = name if not chosen else f"{name} ({', '.join(sorted(chosen))})"
            shown = label if owner is unit else f"{opponent.name}: {label}"
            for side in ("attack", "defence"):
                pairs = [(one, opponent) if owner is unit else (unit, one) for one in (without, with_it)]
                row = _row(pairs, unit, side, how if side == "attack" else {})
                if row is not None:
                    kind = "ability" if owner is unit else "ability of the opponent"
                    yield {"help": shown, "kind": kind} | row


def _row(
    pairs: list[tuple[Unit, Unit]], unit: Unit, side: str, how: Mapping[str, Any]
) -> dict[str, Any] | None:
    """The columns of an ability; None where it changes nothing, or one of the units does not attack."""
    fights = pairs if side == "attack" else [(other, one) for one, other in pairs]
    try:
        before, after = (
            fight(attacker, target, **use_of(how, attacker, target)) for attacker, target in fights
        )
    except BadInputError:  # without a weapon, or where the rules do not allow it, it is worth nothing here
        return None
    row = measured(before, after, unit, fights[0][1], side)
    return row if abs(row["change"]) > 1e-12 else None


def ways_to_use(unit: Unit) -> Iterator[tuple[str, frozenset[str]]]:
    """The named rules of a unit, one with a choice once for each: the switches that it needs.

    >>> from mathhammer import make_unit
    >>> vow = {"name": "Vow", "effect": [
    ...     {"use": "choice", "when": [f"if {what}"], change: "+1"}
    ...     for what, change in (("rage", "attacks"), ("calm", "hit_roll"))]}
    >>> cult = make_unit("aos4", {"name": "Cult", "health": 1, "ability": [vow]})
    >>> [(name, sorted(chosen)) for name, chosen in ways_to_use(cult)]
    [('Vow', ['rage']), ('Vow', ['calm'])]
    """
    ways = dict.fromkeys(
        (
            effect.name,
            frozenset(
                str(one.value)
                for one in effect.when
                if one.subject == "used" and not one.negated and one.value not in (PICKED, *TRIGGERS)
            ),
        )
        for effect in unit.effects
        if effect.name
    )
    chosen = {name for name, switches in ways if switches}
    yield from ((name, switches) for name, switches in ways if switches or name not in chosen)


def using(unit: Unit, name: str, switches: frozenset[str] = frozenset()) -> Unit:
    """The unit while it uses an ability."""
    used = unit.stance.used | switches | {switch(name)}
    return replace(unit, stance=replace(unit.stance, used=used))


def lacking(unit: Unit, name: str) -> Unit:
    """The unit without an ability."""
    return replace(unit, effects=tuple(effect for effect in unit.effects if effect.name != name))
