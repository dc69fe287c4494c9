"""The questions one can ask about Diskwars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mathhammer.dice.pmf import Pmf
from mathhammer.errors import BadInputError
from mathhammer.games.diskwars.army import army
from mathhammer.games.diskwars.combat_die import Faces, combat_die
from mathhammer.games.diskwars.disk import (
    RESIST_MODES,
    Disk,
    Part,
    disempower,
    end_phase,
    land,
    read_disk,
    read_tags,
    suffered,
    weaken,
)
from mathhammer.games.diskwars.mass_battle import melee
from mathhammer.games.diskwars.ranged import (
    Shot,
    read_shot,
    read_volley,
    roll_outcome,
    volley_of,
)
from mathhammer.games.diskwars.regiments import regiments
from mathhammer.games.diskwars.turns import command_order, initiative, victory
from mathhammer.games.diskwars.whole_round import round_of_disks
from mathhammer.games.diskwars.words import DAMAGE_TYPES
from mathhammer.games.fields import Fields, choice, listed, whole
from mathhammer.games.game import Question
from mathhammer.pools.battle import Asked, Scattered

Odds = dict[str, Any]
EVENTS = ("end_phase", "lose_empowerment", "stamina")


def ranged(
    *,
    range: str,
    target: Mapping[str, Any],
    dice: int | None = None,
    strength: int | str | None = None,
    damage_type: str | None = None,
    neighbours: Sequence[Mapping[str, Any]] = (),
    cover: bool = False,
    convert: Mapping[str, str] | None = None,
    resist_mode: str = "instance",
    faces: Faces = None,
    shooter: str | None = None,
    reach: str | None = None,
    method: str = "exact",
    trials: int = 100_000,
    seed: int = 0,
) -> Asked:
    """A ranged attack (DW-RNG, DW-SCA): what it does to the target and to the disks it may scatter to.

    `range` is the measured distance; `shooter` names a datasheet for dice, strength, damage type and `reach`,
    the longest range of the weapon, beyond which nothing is answered (DW-RNG-1).

    >>> from mathhammer import odds
    >>> answer = odds("diskwars", "ranged", shooter="Reikland Crossbowmen", range="medium",
    ...     target={"id": "shaman", "stamina": 4})
    >>> answer["disks"][0]["p_destroyed"], answer["dice_set"]
    (0.5, 'assumed_default')
    """
    shot = read_shot(
        "ranged",
        dice=dice,
        strength=strength,
        damage_type=damage_type,
        range=range,
        target=target,
        neighbours=neighbours,
        cover=cover,
        convert=convert,
        resist_mode=resist_mode,
        faces=faces,
        shooter=shooter,
        reach=reach,
    )

    def read(volley: Scattered, seen: int | None) -> Odds:
        return {**_shot_answer(shot, volley, seen), "method": method}

    return Asked("ranged", volley_of(shot), read, method, trials, seed)


def _shot_answer(shot: Shot, volley: Scattered, trials: int | None) -> Odds:
    rows = read_volley(shot, volley, trials)
    return {
        "dice_rolled": shot.dice,
        "p_no_hit_anywhere": volley.nothing,
        "chaos_first_roll": Pmf(Pmf.of(volley.noted).probs.copy(), trials),
        "disks": rows,
        "target_allowed": not shot.disks[0].is_immune({"ranged"}),  # DW-DMG-6
        "dice_set": shot.used.name,
        "explain": _explain_shot(shot, volley.nothing, trials, rows),
    }


def _explain_shot(shot: Shot, nothing: float, trials: int | None, rows: Sequence[Mapping[str, Any]]) -> str:
    strength = (
        str(shot.strengths[0])
        if len(shot.strengths) == 1
        else "D6, rolled once for the whole attack (DW-RNG-7)"
    )
    lines = [
        f"Dice set: {shot.used}; each die counts as: {shot.die}.",
        (
            f"{shot.dice} combat dice{' after cover (DW-TER-3)' if shot.cover else ' (DW-RNG-2)'}, "
            f"strength {strength}."
        ),
    ]
    if shot.range == "siege":
        lines.append("Siege range: plain hits are void, crits count (DW-RNG-4).")
    if len(shot.disks) > 1:
        names = ", ".join(disk.id for disk in shot.disks[1:])
        lines.append(f"Each scatter is rolled once more, dealt out in turn to: {names} (DW-SCA-1, DW-SCA-3).")
    else:
        lines.append("No neighbour in short range: scatter does nothing (DW-SCA-2).")
    if shot.disks[0].is_immune({"ranged"}):
        lines.append(
            f"{shot.disks[0].id} is immune to ranged attacks and may not be chosen as target (DW-DMG-6)."
        )
    for disk, row in zip(shot.disks, rows, strict=True):
        lines.append(
            f"{disk.id} (stamina {disk.endurance}, toughness {disk.toughness}, {disk.damage} damage, "
            f"{disk.wounds} wounds): one packet "
            f"(DW-RNG-8), mean {row['expected_damage']:.4f}; wound {row['p_wound']:.4f}, destroyed "
            f"{row['p_destroyed']:.4f} (DW-DMG-2, "
            f"DW-DMG-3), activation token {row['p_activation_token']:.4f} (DW-RNG-5)."
        )
    source = "exact" if trials is None else f"{trials} trials"
    lines.append(f"No hit or crit on any disk: {nothing:.4f} ({source}).")
    return "\n".join(lines)


def ranged_roll(
    *,
    rolled: Sequence[str],
    range: str,
    target: Mapping[str, Any],
    rerolled: Sequence[str] = (),
    dice: int | None = None,
    strength: int | str | None = None,
    damage_type: str | None = None,
    neighbours: Sequence[Mapping[str, Any]] = (),
    cover: bool = False,
    convert: Mapping[str, str] | None = None,
    resist_mode: str = "instance",
    faces: Faces = None,
    shooter: str | None = None,
    reach: str | None = None,
) -> Odds:
    """What one given roll does: `rolled` are the dice as they fell, `rerolled` the scattered dice thrown
    again.

    >>> roll = ["miss", "crit", "chaos"]
    >>> ranged_roll(rolled=roll, shooter="Reikland Crossbowmen", range="medium",
    ...     target={"stamina": 4})["disks"][0]["damage"]
    3
    """
    shot = read_shot(
        "ranged_roll",
        dice=dice,
        strength=strength,
        damage_type=damage_type,
        range=range,
        target=target,
        neighbours=neighbours,
        cover=cover,
        convert=convert,
        resist_mode=resist_mode,
        faces=faces,
        shooter=shooter,
        reach=reach,
    )
    if len(shot.strengths) > 1:
        raise BadInputError("ranged_roll: strength is 'd6' (give the number that was rolled)")
    return {**roll_outcome(shot, shot.strengths[0], rolled, rerolled), "dice_set": shot.used.name}


def damage_sequence(
    *, disk: Mapping[str, Any], packets: Sequence[Mapping[str, Any]], resist_mode: str = "instance"
) -> Odds:
    """Damage packets on one disk, one after the other (DW-DMG-2 to DW-DMG-8).

    A packet has `amount` and `tags`, or `parts` with several of them (a mixed packet); or it is an `event`:
    "end_phase", "lose_empowerment" or "stamina" with its `change`.

    >>> steps = damage_sequence(disk={"stamina": 4, "toughness": 1}, packets=[{"amount": 9},
    ...     {"amount": 4}])["steps"]
    >>> [step["destroyed"] for step in steps]
    [False, True]
    """
    choice("damage_sequence", "resist mode", resist_mode, RESIST_MODES)
    now, _ = read_disk("damage_sequence: disk", disk)
    steps = []
    for number, mapping in enumerate(listed("damage_sequence", "packets", packets), 1):
        now, applied, wound = _packet(f"damage_sequence: packet {number}", now, mapping, resist_mode)
        steps.append(
            {
                "applied": applied,
                "wound": wound,
                "damage": now.damage,
                "wounds": now.wounds,
                "destroyed": now.destroyed,
            }
        )
    lines = [
        f"Packet {n}: {s['applied']} damage{', a wound' if s['wound'] else ''}; {s['damage']} "
        f"damage and {s['wounds']} wounds lie on it"
        f"{', destroyed' if s['destroyed'] else ''} (DW-DMG-2 to DW-DMG-4)."
        for n, s in enumerate(steps, 1)
    ]
    return {"steps": steps, "dice_set": "none (no dice are rolled)", "explain": "\n".join(lines)}


def _packet(where: str, disk: Disk, mapping: Any, resist_mode: str) -> tuple[Disk, int, int]:
    fields = Fields(where, mapping, "amount and tags, parts, or an event")
    event, parts = fields.take("event", None), fields.take("parts", None)
    if event is not None:
        choice(where, "event", event, EVENTS)
        change = fields.whole("change", 0, low=-100, high=100)
        fields.reject_unknown()
        if event == "end_phase":
            return end_phase(disk), 0, 0
        after, wound = disempower(disk) if event == "lose_empowerment" else weaken(disk, change)
        return after, 0, wound
    if parts is None:
        shares = [Part(fields.whole("amount", high=10_000), read_tags(where, fields.take("tags", ())))]
    else:
        shares = []
        for part in listed(where, "parts", parts):
            share = Fields(f"{where}: part", part, "amount and tags")
            shares.append(Part(share.whole("amount", high=10_000), read_tags(where, share.take("tags", ()))))
            share.reject_unknown()
    fields.reject_unknown()
    amount = suffered(disk, shares, resist_mode)
    after, wound = land(disk, amount)
    return after, amount, wound


def _one_packet(where: str, disk: Disk, amounts: Mapping[int, float], tags: frozenset[str]) -> Odds:
    """What a packet of random size does to a disk."""
    damage: dict[int, float] = {}
    wound = destroyed = 0.0
    for amount, chance in amounts.items():
        applied = suffered(disk, [Part(amount, tags)])
        after, wounds = land(disk, applied)
        damage[applied] = damage.get(applied, 0.0) + chance
        wound += chance * wounds
        destroyed += chance * after.destroyed
    mean = sum(amount * chance for amount, chance in damage.items())
    text = (
        f"{where}: mean damage {mean:.4f}, wound {wound:.4f}, destroyed {destroyed:.4f} (DW-DMG-2 "
        "to DW-DMG-6)."
    )
    return {
        "damage": Pmf.of(damage),
        "expected_damage": mean,
        "p_wound": wound,
        "p_destroyed": destroyed,
        "explain": text,
    }


def dangerous_terrain(*, disk: Mapping[str, Any], damage_type: str = "physical") -> Odds:
    """A flip or reinforcement that ends on dangerous terrain: a D6 of damage in one packet (DW-TER-6).

    >>> round(dangerous_terrain(disk={"stamina": 4, "damage": 1})["p_destroyed"], 6)
    0.666667
    """
    choice("dangerous_terrain", "damage type", damage_type, DAMAGE_TYPES)
    found, _ = read_disk("dangerous_terrain: disk", disk)
    tags = frozenset({damage_type, "dangerous_terrain"})
    return {
        **_one_packet("Dangerous terrain (DW-TER-6)", found, dict.fromkeys((1, 2, 3, 4, 5, 6), 1 / 6), tags),
        "dice_set": "D6",
    }


def impact(*, x: int, disks: Sequence[Mapping[str, Any]]) -> Odds:
    """Impact X after a flip: X physical damage to every disk newly pinned, friend or foe (DW-KW-IMPACT).

    >>> impact(x=2, disks=[{"id": "a", "stamina": 2}, {"id": "b", "stamina": 2,
    ...     "terrain": ["fortified"]}])["destroyed"]
    ['a']
    """
    amount = whole("impact", "x", x, 0, 100)
    rows = []
    for number, mapping in enumerate(listed("impact", "disks", disks), 1):
        disk, _ = read_disk(f"impact: disk {number}", mapping, f"disk {number}")
        row = _one_packet(
            f"Impact {amount} on {disk.id}", disk, {amount: 1.0}, frozenset({"physical", "impact"})
        )
        rows.append({"id": disk.id, **row})
    return {
        "disks": rows,
        "destroyed": [row["id"] for row in rows if row["p_destroyed"] == 1.0],
        "dice_set": "none (no dice are rolled)",
        "explain": "\n".join(row["explain"] for row in rows),
    }


def magic(*, x: int, target: Mapping[str, Any]) -> Odds:
    """Magic X: X magic damage to one enemy within medium range; no ranged attack, no dice (DW-KW-MAGIC).

    >>> magic(x=3, target={"stamina": 4, "resist": ["magic"]})["expected_damage"]
    2.0
    """
    amount = whole("magic", "x", x, 0, 100)
    disk, _ = read_disk("magic: target", target, "target")
    answer = _one_packet(f"Magic {amount}", disk, {amount: 1.0}, frozenset({"magic", "magic_x"}))
    return {
        **answer,
        "target_allowed": not disk.is_immune({"magic_x"}),
        "dice_set": "none (no dice are rolled)",
    }


def unstable(*, faces: Faces = None) -> Odds:
    """The chance that an unstable battle ability also strikes its user: chaos on one combat die (DW-CMD-7).

    >>> round(unstable()["p_backlash"], 6)
    0.166667
    """
    die, used = combat_die("unstable", faces)
    chance = sum(face == ("chaos",) for face in die.faces) / len(die.faces)
    return {
        "p_backlash": chance,
        "dice_set": used.name,
        "explain": f"Dice set: {used}. One die for each use (DW-CMD-7): {chance:.4f}.",
    }


QUESTIONS: dict[str, Question] = {
    "ranged": ranged,
    "ranged_roll": ranged_roll,
    "melee": melee,
    "round": round_of_disks,
    "regiments": regiments,
    "damage_sequence": damage_sequence,
    "dangerous_terrain": dangerous_terrain,
    "impact": impact,
    "magic": magic,
    "unstable": unstable,
    "initiative": initiative,
    "command_order": command_order,
    "victory": victory,
    "army": army,
}
