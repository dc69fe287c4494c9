"""Ranged attacks: the law of damaging dice for each disk, exact or played, and what it
means for the disks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mathhammer.dice.pmf import Pmf
from mathhammer.dice.symbols import Die, pool_law
from mathhammer.errors import BadInputError
from mathhammer.games.diskwars.combat_die import Faces, combat_die, meanings, read_symbols
from mathhammer.games.diskwars.disk import DAMAGE_TYPES, RESIST_MODES, Disk, Part, land, read_disk, suffered
from mathhammer.games.fields import choice, flag, listed, whole
from mathhammer.games.records import DiceSet, find_record

RANGES = ("short", "medium", "long", "siege")
MOST_SHOTS = 100
MOST_NEIGHBOURS = 20
METHODS = ("exact", "simulate")
# For one disk: (strength, damaging dice, a crit among them) -> chance.
Struck = dict[tuple[int, int, bool], float]


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


@dataclass(frozen=True, slots=True)
class Volley:
    """What an engine finds out about a shot; `trials` is None when it is exact."""

    struck: tuple[Struck, ...]
    chaos: Mapping[int, float]
    nothing: float  # no effective hit or crit on any disk
    trials: int | None = None


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
) -> Shot:
    """A ranged attack from plain values, checked."""
    if shooter is not None:
        profile = _profile(where, shooter)
        dice = profile.get("dice") if dice is None else dice
        strength = profile.get("strength") if strength is None else strength
        damage_type = profile.get("damage_type") if damage_type is None else damage_type
    for name, value in (("dice", dice), ("strength", strength)):
        if value is None:
            raise BadInputError(f"{where}: {name} is missing (give it, or a shooter whose datasheet has it)")
    choice(where, "range", range, RANGES)
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
    found = []
    for number, mapping in enumerate(listed(where, "neighbours", neighbours), 1):
        place = f"{where}: neighbour {number}"
        disk, more = read_disk(place, mapping, f"neighbour {number}", ("engaged", "overlap", "distance"))
        engaged = flag(place, "engaged", more["engaged"] or False)
        numbers = [_measure(place, name, more[name]) for name in ("overlap", "distance")]
        found.append(
            (not engaged, -numbers[0] if engaged else 0.0, 0.0 if engaged else numbers[1], number, disk)
        )
    if len(found) > MOST_NEIGHBOURS:
        raise BadInputError(f"{where}: {len(found)} neighbours (give at most {MOST_NEIGHBOURS})")
    ordered = [entry[4] for entry in sorted(found, key=lambda entry: entry[:4])]
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


def scattered(scatters: int, neighbours: int) -> tuple[int, ...]:
    """How many scattered dice each neighbour gets: one each in order, then again from the nearest (DW-SCA-3).

    >>> scattered(4, 3), scattered(2, 0)
    ((2, 1, 1), ())
    """
    return tuple(len(range(place, scatters, neighbours)) for place in range(neighbours))


def fire_exact(shot: Shot) -> Volley:
    """The law of a volley by counting: hits and crits only, as a miss or chaos does nothing (DW-RNG-6)."""
    first = pool_law((shot.die,) * shot.dice, ("hit", "crit"))
    struck = [first.of(lambda counts: (counts[0] + counts[1], counts[1] > 0))]
    scatter = pool_law((shot.die,) * shot.dice, ("scatter",)).of(lambda counts: counts[0])
    near = len(shot.disks) - 1
    # DW-SCA-1: each scattered die is rolled once more; a scatter then does nothing. DW-SCA-5: no cover takes
    # a die from these
    for place in range(near):
        law: dict[tuple[int, bool], Any] = {}
        for scatters, chance in scatter.items():
            again = pool_law((shot.die,) * scattered(scatters, near)[place], ("hit", "crit"))
            for key, share in again.of(lambda counts: (counts[0] + counts[1], counts[1] > 0)).items():
                law[key] = law.get(key, 0) + chance * share
        struck.append(law)
    # No die does anything: it shows no hit or crit, and if it scatters to a neighbour it shows none the
    # second time.
    faces = len(shot.die.faces)
    idle = sum(face[0] not in ("hit", "crit") for face in shot.die.faces)
    scatter_faces = sum(face[0] == "scatter" for face in shot.die.faces) if near else 0
    quiet = (idle - scatter_faces) * faces + scatter_faces * idle
    each = 1.0 / len(shot.strengths)
    return Volley(
        struck=tuple(
            {
                (strength, k, crit): each * float(chance)
                for (k, crit), chance in law.items()
                for strength in shot.strengths
            }
            for law in struck
        ),
        chaos={
            k: float(chance)
            for k, chance in pool_law((shot.die,) * shot.dice, ("chaos",)).of(lambda c: c[0]).items()
        },
        nothing=quiet**shot.dice / faces ** (2 * shot.dice),
    )


def fire_simulated(shot: Shot, trials: int, seed: int) -> Volley:
    """The frequencies of a volley that is rolled `trials` times."""
    from mathhammer.pools.simulate import play_scatter

    names = [face[0] for face in shot.die.faces]
    played = play_scatter(
        names, shot.dice, len(shot.disks) - 1, len(shot.strengths), trials=trials, seed=seed
    )
    struck = []
    for table in played.struck:
        struck.append({(shot.strengths[s], k, crit): n / trials for (s, k, crit), n in table.items()})
    return Volley(
        tuple(struck), {k: n / trials for k, n in played.chaos.items()}, played.nothing / trials, trials
    )


def read_volley(shot: Shot, volley: Volley) -> list[dict[str, Any]]:
    """What a volley means for each disk: damage, wounds, destruction, activation tokens."""
    rows = []
    for disk, law in zip(shot.disks, volley.struck, strict=True):
        damage: dict[int, float] = {}
        wound = destroyed = token = 0.0
        for (strength, damaging, crit), chance in law.items():
            amount = shot.packet(disk, strength, damaging)
            damage[amount] = damage.get(amount, 0.0) + chance
            after, wounds = land(disk, amount)
            wound += chance * wounds
            destroyed += chance * after.destroyed
            # DW-RNG-5: one token at most, also on an immune disk
            token += chance * (crit and not disk.activated)
        packet = Pmf(Pmf.of(damage).probs.copy(), volley.trials)
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
    near = len(shot.disks) - 1
    again = read_symbols("ranged_roll: rerolled", rerolled, shown.count("scatter") if near else 0)
    per_disk = [shown, *([] for _ in range(near))]
    for number, symbol in enumerate(again):
        per_disk[1 + number % near].append(shot.meaning[symbol])
    rows = []
    for disk, symbols in zip(shot.disks, per_disk, strict=True):
        amount = shot.packet(disk, strength, symbols.count("hit") + symbols.count("crit"))
        after, wounds = land(disk, amount)
        rows.append(
            {
                "id": disk.id,
                "damage": amount,
                "wound": wounds,
                "destroyed": after.destroyed,
                "activation_token": "crit" in symbols and not disk.activated,
            }
        )
    return {"dice_rolled": shot.dice, "chaos_first_roll": shown.count("chaos"), "disks": rows}
