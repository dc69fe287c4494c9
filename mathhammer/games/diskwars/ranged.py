"""Ranged attacks: the distribution of damaging dice for each disk, exact or played, and what it
means for the disks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mathhammer.dataclass import dataclass
from mathhammer.dice.pmf import Pmf
from mathhammer.dice.symbols import Die
from mathhammer.errors import BadInputError
from mathhammer.games.diskwars.combat_die import Faces, combat_die, meanings, read_symbols
from mathhammer.games.diskwars.disk import RESIST_MODES, Disk, Part, land, read_disk, suffered
from mathhammer.games.diskwars.words import DAMAGE_TYPES
from mathhammer.games.fields import choice, flag, listed, whole
from mathhammer.games.records import DiceSet, find_record
from mathhammer.pools.battle import FaceEffect, Scattered, ScatterVolley

RANGES = ("short", "medium", "long", "siege")
MOST_SHOTS = 100
MOST_NEIGHBOURS = 20
# What a symbol does, after conversions: a scattered die is rolled just once more, where a scatter or chaos
# does nothing (DW-SCA-1). Cover takes no die from the second roll (DW-SCA-5).
SECOND_ROLL = {"hit": FaceEffect(damaging=1), "crit": FaceEffect(damaging=1, crit=1)}
# DW-RNG-6: a miss does nothing
FIRST_ROLL = {**SECOND_ROLL, "scatter": FaceEffect(scatters=1), "chaos": FaceEffect(noted=1)}


@dataclass(frozen=True, slots=True)
class Shot:
    """A ranged attack, checked: what each symbol counts as, the dice of that meaning, and
    who may be struck.
    """

    meaning: Mapping[str, str]
    die: Die
    dice: int
    strengths: tuple[int, ...]  # each equally likely
    tags: frozenset[str]
    disks: tuple[Disk, ...]  # the target, then the neighbours in scatter order
    resist_mode: str
    used: DiceSet
    range: str
    cover: bool

    def packet(self, disk: Disk, strength: int, damaging: int) -> int:
        """The one packet that a disk takes (DW-RNG-8): strength for each hit and crit (DW-RNG-3), after
        resistance and immunity.
        """
        return suffered(disk, [Part(strength, self.tags, damaging)], self.resist_mode)


def read_shot(
    where: str,
    *,
    dice: int | None,
    strength: int | str | None,
    damage_type: str | None,
    range: str,
    target: Mapping[str, Any],
    neighbours: Sequence[Mapping[str, Any]],
    cover: bool,
    convert: Mapping[str, str] | None,
    resist_mode: str,
    faces: Faces,
    shooter: str | None,
    reach: str | None = None,
) -> Shot:
    """A ranged attack from plain values, checked."""
    choice(where, "range", range, RANGES)
    if shooter is not None:
        profile = _profile(where, shooter)
        reach = profile.get("range") if reach is None else reach
        dice = profile.get("dice") if dice is None else dice
        strength = profile.get("strength") if strength is None else strength
        damage_type = profile.get("damage_type") if damage_type is None else damage_type
    for name, value in (("dice", dice), ("strength", strength)):
        if value is None:
            raise BadInputError(f"{where}: {name} is missing (give it, or a shooter whose datasheet has it)")
    check_reach(where, range, reach, shooter)
    choice(where, "resist mode", resist_mode, RESIST_MODES)
    # DW-RNG-10: a friend may be the target as well as an enemy
    struck, _ = read_disk(f"{where}: target", target, "target")
    covered = flag(where, "cover", cover) or "cover" in struck.terrain
    rolled = whole(where, "dice", dice, 1, MOST_SHOTS)  # DW-RNG-2
    die, used = combat_die(where, faces)
    meaning = meanings(where, convert, siege=range == "siege")
    return Shot(
        meaning=meaning,
        die=die.changed(meaning.get),
        dice=max(1, rolled - 1) if covered else rolled,  # DW-TER-3
        strengths=read_strengths(where, strength),
        tags=frozenset({choice(where, "damage type", damage_type or "physical", DAMAGE_TYPES), "ranged"}),
        disks=(struck, *_scatter_order(where, neighbours, struck)),
        resist_mode=resist_mode,
        used=used,
        range=range,
        cover=covered,
    )


def check_reach(where: str, measured: str, reach: str | None, shooter: str | None) -> None:
    """Refuses a target beyond the longest range of the weapon (DW-RNG-1); a reach that is not known refuses
    nothing.
    """
    if reach is None:
        return
    choice(where, "reach", reach, RANGES)
    if RANGES.index(measured) > RANGES.index(reach):
        who = "the weapon" if shooter is None else shooter
        raise BadInputError(
            f"{where}: {who} reaches {reach} range, the target is at {measured} range (give a nearer "
            "range, or another reach, DW-RNG-1)"
        )


def _profile(where: str, shooter: str) -> Mapping[str, Any]:
    record = find_record("diskwars", "disks.toml", "disk", shooter, where)
    profiles: list[Mapping[str, Any]] = record.get("ranged", [])
    if len(profiles) != 1:  # DW-RNG-11: one profile per attack, the player's choice
        raise BadInputError(
            f"{where}: {record['name']} has {len(profiles)} known ranged profiles (give dice and "
            "strength instead)"
        )
    return profiles[0]


def read_strengths(where: str, strength: Any) -> tuple[int, ...]:
    """The strengths that an attack may have, each as likely as any other.

    >>> read_strengths("ranged", "d6"), read_strengths("ranged", 4)
    ((1, 2, 3, 4, 5, 6), (4,))
    """
    if isinstance(strength, str):
        if strength.lower() not in ("d6", "w6"):
            raise BadInputError(f"{where}: strength is {strength!r} (give a whole number or 'd6')")
        return (1, 2, 3, 4, 5, 6)  # DW-RNG-7, DW-DIE-2: one D6 for the whole attack
    return (whole(where, "strength", strength, 0, 100),)


def _scatter_order(where: str, neighbours: Any, target: Disk) -> list[Disk]:
    """The candidates (DW-SCA-2) nearest first; engaged disks before all others, the larger overlap first
    (DW-SCA-3, DW-SCA-4).
    """
    candidates = []
    for number, mapping in enumerate(listed(where, "neighbours", neighbours), 1):
        place = f"{where}: neighbour {number}"
        disk, more = read_disk(place, mapping, f"neighbour {number}", ("engaged", "overlap", "distance"))
        engaged = flag(place, "engaged", more["engaged"] or False)
        numbers = [_measure(place, name, more[name]) for name in ("overlap", "distance")]
        candidates.append(
            (not engaged, -numbers[0] if engaged else 0.0, 0.0 if engaged else numbers[1], number, disk)
        )
    if len(candidates) > MOST_NEIGHBOURS:
        raise BadInputError(f"{where}: {len(candidates)} neighbours (give at most {MOST_NEIGHBOURS})")
    ordered = [entry[4] for entry in sorted(candidates, key=lambda entry: entry[:4])]
    names = [target.id, *(disk.id for disk in ordered)]
    if len(set(names)) != len(names):
        raise BadInputError(f"{where}: the disks are {names} (give each an id of its own)")
    return ordered


def _measure(where: str, name: str, value: Any) -> float:
    if value is None:
        return 0.0
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 1e6:
        raise BadInputError(f"{where}: {name} is {value!r} (give a number from 0 on)")
    return float(value)


def recipients(scatters: int, neighbours: int) -> tuple[int, ...]:
    """For which disk each scattered die is rolled again: the neighbours 1, 2, ... in turn (DW-SCA-3); without
    any, for none (DW-SCA-2).

    >>> recipients(4, 3), recipients(4, 0)
    ((1, 2, 3, 1), ())
    """
    return tuple(1 + number % neighbours for number in range(scatters)) if neighbours else ()


def volley_of(shot: Shot) -> ScatterVolley:
    """The shot as an engine sees it."""
    faces = [face[0] for face in shot.die.faces]
    return ScatterVolley(
        dice=shot.dice,
        first=tuple(FIRST_ROLL.get(face, FaceEffect()) for face in faces),
        second=tuple(SECOND_ROLL.get(face, FaceEffect()) for face in faces),
        recipients=recipients(shot.dice, len(shot.disks) - 1),
        targets=len(shot.disks),
        strengths=len(shot.strengths),
    )


def read_volley(shot: Shot, volley: Scattered, trials: int | None) -> list[dict[str, Any]]:
    """What a volley means for each disk: damage, wounds, destruction, activation tokens."""
    rows = []
    for disk, chances in zip(shot.disks, volley.struck, strict=True):
        damage: dict[int, float] = {}
        wound = destroyed = token = 0.0
        for (number, damaging, crit), chance in chances.items():
            amount = shot.packet(disk, shot.strengths[number], damaging)
            damage[amount] = damage.get(amount, 0.0) + chance
            after, wounds = land(disk, amount)
            wound += chance * wounds
            destroyed += chance * after.destroyed
            # DW-RNG-5: one token at most, also on an immune disk
            token += chance * (crit and not disk.activated)
        packet = Pmf(Pmf.of(damage).probs.copy(), trials)
        rows.append(
            {
                "id": disk.id,
                "damage": packet,
                "expected_damage": sum(amount * chance for amount, chance in damage.items()),
                "p_wound": wound,
                "p_destroyed": destroyed,
                "p_activation_token": token,
            }
        )
    return rows


def roll_outcome(shot: Shot, strength: int, rolled: Any, rerolled: Any) -> dict[str, Any]:
    """What one given roll does: symbols as the dice show them, before conversions; one
    strength for all dice (DW-SCA-6).
    """
    shown = [shot.meaning[symbol] for symbol in read_symbols("ranged_roll: rolled", rolled, shot.dice)]
    first = [FIRST_ROLL.get(symbol, FaceEffect()) for symbol in shown]
    turns = recipients(sum(effect.scatters for effect in first), len(shot.disks) - 1)
    again = read_symbols("ranged_roll: rerolled", rerolled, len(turns))
    per_disk = [first, *([] for _ in shot.disks[1:])]
    for disk_number, symbol in zip(turns, again, strict=True):
        per_disk[disk_number].append(SECOND_ROLL.get(shot.meaning[symbol], FaceEffect()))
    rows = []
    for disk, effects in zip(shot.disks, per_disk, strict=True):
        amount = shot.packet(disk, strength, sum(effect.damaging for effect in effects))
        after, wounds = land(disk, amount)
        rows.append(
            {
                "id": disk.id,
                "damage": amount,
                "wound": wounds,
                "destroyed": after.destroyed,
                "activation_token": any(effect.crit for effect in effects) and not disk.activated,
            }
        )
    return {
        "dice_rolled": shot.dice,
        "chaos_first_roll": sum(effect.noted for effect in first),
        "disks": rows,
    }
