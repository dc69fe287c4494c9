"""What each help is worth to a unit here: one more to hit, a re-roll, a ward, a command, a point of a
characteristic.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import Any

from mathhammer.compare.ability_worth import ability_rows
from mathhammer.compare.worth import measured
from mathhammer.dataclass import dataclass
from mathhammer.errors import BadInputError
from mathhammer.fight import fight, use_of
from mathhammer.games.discovery import attacks_of
from mathhammer.games.game import Attacks
from mathhammer.games.telling import command_text
from mathhammer.games.weapon_choice import NoWeaponError
from mathhammer.units.unit import Unit

# Every column of a row, in order, and what it holds.
COLUMNS: dict[str, str] = {
    "help": "what helps",
    "kind": "roll, re-roll, command, protection, characteristic, or ability: of the unit or its opponent",
    "side": "attack: the unit strikes better; defence: it suffers less",
    "opponent": "whom it fights",
    "weapons": "melee or ranged: what the attacker uses",
    "before": "mean damage dealt (attack) or wounds lost (defence) without it",
    "change": "what it changes of that mean; for defence, wounds spared",
    "share": "the change as a share of what was there before; None where nothing was",
    "slain": "change of the mean models slain, or of own models spared",
    "p_destroyed": "change of the chance to destroy, or to survive",
    "points": "what the change is worth: points more removed, or own points spared; None without points",
}

SIDES = ("attack", "defence")


@dataclass(frozen=True, slots=True)
class Buff:
    """One buff: effects or commands, for the unit that attacks or for the one that defends."""

    name: str
    kind: str
    side: str
    effects: tuple[Mapping[str, Any], ...] = ()
    commands: tuple[str, ...] = ()


def buffs_of(attacks: Attacks) -> Iterator[Buff]:
    """Everything that the game's effect language and commands can do for a unit."""
    known = {field.name for field in attacks.effect_fields}

    def one(name: str, kind: str, side: str, **change: Any) -> Iterator[Buff]:
        if set(change) <= known:
            yield Buff(name, kind, side, ({**change, "on": "unit" if side == "attack" else "target"},))

    yield from one("+1 to hit", "roll", "attack", hit_roll=1)
    yield from one("+1 to wound", "roll", "attack", wound_roll=1)
    for roll in ("hit", "wound"):
        yield from one(f"re-roll {roll} rolls of 1", "re-roll", "attack", **{f"reroll_{roll}": "ones"})
        yield from one(f"re-roll failed {roll} rolls", "re-roll", "attack", **{f"reroll_{roll}": "failed"})
    yield from one("critical hits on 5+", "roll", "attack", crit_on=5)
    for stat, change in (
        ("attacks", "+1"),
        ("rend", "+1"),
        ("ap", "-1"),
        ("strength", "+1"),
        ("damage", "+1"),
    ):
        yield from one(
            f"+1 {stat.upper() if stat == 'ap' else stat.capitalize()}",
            "characteristic",
            "attack",
            **{stat: change},
        )
    for stat in ("hit", "wound", "skill"):
        yield from one(f"{stat.capitalize()} one better", "characteristic", "attack", **{stat: "-1"})
    yield from one("+1 to save", "protection", "defence", save_roll=1)
    yield from one("re-roll saves of 1", "protection", "defence", reroll_save="ones")
    for value in (6, 5, 4):
        yield from one(f"ward {value}+", "protection", "defence", ward=value)
        yield from one(f"Feel No Pain {value}+", "protection", "defence", fnp=value)
    yield from one("Save one better", "characteristic", "defence", save="-1")
    yield from one("+1 Toughness", "characteristic", "defence", toughness="+1")
    for command in attacks.commands:
        if command == attacks.best_reroll:  # the command line's `reroll` weighs it against the fixed ones
            continue
        name = command_text(attacks, command)
        yield Buff(name, "command", "attack", commands=(command,))
        yield Buff(name, "command", "defence", commands=(command,))


def value_rows(unit: Unit, opponents: Sequence[Unit], **fight_options: Any) -> list[dict[str, Any]]:
    """What each buff, and each ability of the unit and its opponents, changes against each opponent, the most
    valuable first; what changes nothing is left out. An ability is compared with the unit that lacks it; one
    of an opponent has a negative worth.

    Defence is measured against opponents that carry weapons; when none does, against the unit itself.
    """
    if not opponents:
        raise BadInputError("value: no opponent (say against whom)")
    rows: list[dict[str, Any]] = []
    armed = [opponent for opponent in opponents if opponent.weapons] or ([unit] if unit.weapons else [])
    for buff in buffs_of(attacks_of(unit.system)):
        for opponent in opponents if buff.side == "attack" else armed:
            attacker, target = (unit, opponent) if buff.side == "attack" else (opponent, unit)
            if attacker.weapons and (
                row := _row(buff, unit, attacker, target, fight_options if buff.side == "attack" else {})
            ):
                rows.append(row | ({"opponent": f"{unit.label} (itself)"} if opponent is unit else {}))
    for opponent in opponents:
        rows += ability_rows(unit, opponent, fight_options)
    return sorted(rows, key=_place)


def _place(row: Mapping[str, Any]) -> tuple[float, str, str]:
    return -inf if row["share"] is None else -row["share"], row["help"], row["opponent"]


def joined_rows(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Buffs that come to the same against the same opponent as one row with all their names."""
    alike: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in rows:
        numbers = tuple(round(row[name], 9) for name in ("before", "change", "slain", "p_destroyed"))
        key = (row["side"], row["opponent"], *numbers)
        alike[key] = (
            dict(row) if key not in alike else alike[key] | {"help": f"{alike[key]['help']}, {row['help']}"}
        )
    return list(alike.values())


def mean_rows(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What each buff is worth on average over all opponents against which a buff of its side helps; one that
    does nothing to some of them counts as 0 there.
    """
    opponents = {side: {row["opponent"] for row in rows if row["side"] == side} for side in SIDES}
    names: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for row in rows:
        names.setdefault((row["side"], row["help"]), []).append(row)
    before = {side: _mean_before(rows, side) for side in SIDES}
    means = []
    for (side, name), found in names.items():
        number = len(opponents[side])
        sums = {
            key: sum(row[key] or 0.0 for row in found) / number
            for key in ("change", "slain", "p_destroyed", "points")
        }
        about = {
            "help": name,
            "kind": found[0]["kind"],
            "side": side,
            "opponent": f"{number} on average" if number > 1 else found[0]["opponent"],
        }
        share = sums["change"] / before[side] if before[side] > 1e-12 else None
        means.append(
            dict.fromkeys(COLUMNS)
            | about
            | sums
            | {"before": before[side], "share": share, "weapons": found[0]["weapons"]}
        )
    return sorted(means, key=_place)


def _mean_before(rows: Sequence[Mapping[str, Any]], side: str) -> float:
    by_opponent = {row["opponent"]: row["before"] for row in rows if row["side"] == side}
    return sum(by_opponent.values()) / len(by_opponent) if by_opponent else 0.0


def _row(
    buff: Buff, unit: Unit, attacker: Unit, target: Unit, fight_options: dict[str, Any]
) -> dict[str, Any] | None:
    fight_options = use_of(fight_options, attacker, target)
    try:
        before = fight(attacker, target, **fight_options)
    except NoWeaponError:  # nothing of that kind, so nothing to help with
        return None
    used = tuple(fight_options.get("commands", ()))
    if set(buff.commands) & set(used):
        return None
    more = {
        **fight_options,
        "effects": (*fight_options.get("effects", ()), *buff.effects),
        "commands": (*used, *buff.commands),
    }
    try:
        after = fight(attacker, target, **more)
    # a command that these weapons, or the commands in use, do not allow is worth nothing here
    except BadInputError:
        return None
    row = measured(before, after, unit, target, buff.side)
    return None if row["change"] <= 1e-12 else {"help": buff.name, "kind": buff.kind} | row
