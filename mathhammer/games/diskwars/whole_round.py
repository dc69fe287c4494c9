"""A whole round on a table of disks: volleys, magic, dangerous ground and clashes as one distribution."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from mathhammer.dataclass import dataclass
from mathhammer.dice.pmf import Pmf
from mathhammer.errors import BadInputError
from mathhammer.games.diskwars.combat_die import Faces, combat_die
from mathhammer.games.diskwars.disk import RESIST_MODES, Disk, Part, end_phase, land, suffered
from mathhammer.games.diskwars.melee import Table, fight_clashes, read_table
from mathhammer.games.diskwars.ranged import Shot, read_shot, volley_of
from mathhammer.games.diskwars.words import DAMAGE_TYPES
from mathhammer.games.fields import Fields, choice, listed
from mathhammer.games.records import DiceSet
from mathhammer.pools.battle import Asked, EventChain, FaceEffect, ScatterVolley

Odds = dict[str, Any]
Disks = tuple[Disk, ...]
KINDS = ("shot", "magic", "impact", "dangerous", "clash", "end_phase")
Struck = tuple[tuple[int, bool], ...]  # for each disk: damaging dice, a crit among them


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happens in a round, in words and as what follows from the disks of the table."""

    text: str
    happens: Callable[[Disks], Mapping[Disks, float]]


def joint_volley(volley: ScatterVolley) -> dict[Struck, float]:
    """What a volley does to its target and to all it scatters to, together: die by die (DW-SCA-1, DW-SCA-3).

    >>> hit, scatter = FaceEffect(damaging=1), FaceEffect(scatters=1)
    >>> chances = joint_volley(ScatterVolley(1, (hit, scatter), (hit, FaceEffect()), (1,), 2, 1))
    >>> chances[(0, False), (1, False)], chances[(1, False), (0, False)]
    (0.25, 0.5)
    """
    state: dict[tuple[int, Struck], float] = {(0, ((0, False),) * volley.targets): 1.0}

    def added(struck: Struck, target: int, face: FaceEffect) -> Struck:
        damaging, crit = struck[target]
        now = (damaging + face.damaging, crit or bool(face.crit))
        return (*struck[:target], now, *struck[target + 1 :])

    for _ in range(volley.dice):
        after: dict[tuple[int, Struck], float] = {}
        for (scatters, struck), chance in state.items():
            for face in volley.first:
                share = chance / len(volley.first)
                if face.scatters and volley.recipients:
                    target = volley.recipients[scatters]
                    for again in volley.second:
                        key = (scatters + 1, added(struck, target, again))
                        after[key] = after.get(key, 0.0) + share / len(volley.second)
                else:
                    key = (scatters, added(struck, 0, face))
                    after[key] = after.get(key, 0.0) + share
        state = after
    chances: dict[Struck, float] = {}
    for (_, struck), chance in sorted(state.items()):
        chances[struck] = chances.get(struck, 0.0) + chance
    return chances


def _shot(shot: Shot, places: Sequence[int]) -> Callable[[Disks], Mapping[Disks, float]]:
    """The volley on the table: one packet for each disk (DW-RNG-8), tokens for crits (DW-RNG-5)."""

    @cache
    def volley(neighbours: int) -> dict[Struck, float]:
        return joint_volley(volley_of(replace(shot, disks=shot.disks[: 1 + neighbours])))

    def happens(disks: Disks) -> Mapping[Disks, float]:
        found: dict[Disks, float] = {}
        if disks[places[0]].destroyed:  # nobody shoots at a disk that is gone
            return {disks: 1.0}
        # DW-SCA-2: only disks that are still there are struck by a scatter
        there = [place for place in places if not disks[place].destroyed]
        chances = volley(len(there) - 1)
        for strength in shot.strengths:
            for struck, chance in chances.items():
                now = list(disks)
                for place, (damaging, crit) in zip(there, struck, strict=True):
                    disk = now[place]
                    token = disk.activated or crit
                    amount = shot.packet(disk, strength, damaging)
                    now[place] = replace(land(disk, amount)[0], activated=token)
                key = tuple(now)
                found[key] = found.get(key, 0.0) + chance / len(shot.strengths)
        return found

    return happens


def _packet(
    place: int, amounts: Sequence[int], tags: frozenset[str]
) -> Callable[[Disks], Mapping[Disks, float]]:
    """One packet on one disk, each amount as likely as any other (DW-TER-6, DW-KW-MAGIC, DW-KW-IMPACT)."""

    def happens(disks: Disks) -> Mapping[Disks, float]:
        found: dict[Disks, float] = {}
        for amount in amounts:
            disk = disks[place]
            hurt = land(disk, suffered(disk, [Part(amount, tags)]))[0]
            key = (*disks[:place], hurt, *disks[place + 1 :])
            found[key] = found.get(key, 0.0) + 1 / len(amounts)
        return found

    return happens


def _clash(table: Table, resist_mode: str) -> Callable[[Disks], Mapping[Disks, float]]:
    """All clashes of the pins (DW-MEL-3); disks that are gone by then pin nobody."""

    @cache
    def happens(disks: Disks) -> Mapping[Disks, float]:
        after, _ = fight_clashes(replace(table, disks=disks), resist_mode)
        return {tuple(after[disk.id] for disk in disks): 1.0}

    return happens


@dataclass(slots=True)
class _Reader:
    """Reads the events of a round."""

    table: Table
    faces: Faces
    resist_mode: str

    def place(self, where: str, given: Any) -> int:
        names = [disk.id for disk in self.table.disks]
        if given is None:
            return 0
        return names.index(choice(where, "disk", given, names))

    def read(self, where: str, mapping: Any) -> Event:
        """One event; `at` is the disk that it is about, else the first."""
        given = {mapping: True} if mapping == "end_phase" else mapping
        fields = Fields(where, given, f"one of {', '.join(KINDS)}, and at")
        kinds = [kind for kind in KINDS if kind in given]
        if len(kinds) != 1:
            raise BadInputError(f"{where}: {len(kinds)} kinds of event (give one of {', '.join(KINDS)})")
        kind, place = kinds[0], self.place(where, fields.take("at", None))
        what = fields.take(kind)
        fields.reject_unknown()
        name = self.table.disks[place].id
        if kind == "shot":
            return self.shot(where, what, place)
        if kind in ("magic", "impact"):
            amount = Fields(where, {kind: what}).whole(kind, high=100)
            magic = kind == "magic"
            tags = frozenset({"magic", "magic_x"} if magic else {"physical", "impact"})
            rule = "DW-KW-MAGIC" if magic else "DW-KW-IMPACT"
            return Event(f"{kind.capitalize()} {amount} on {name} ({rule})", _packet(place, [amount], tags))
        if kind == "dangerous":
            damage_type = choice(where, "damage type", what, DAMAGE_TYPES)
            tags = frozenset({damage_type, "dangerous_terrain"})
            text = f"Dangerous ground under {name}: D6 {damage_type} damage (DW-TER-6)"
            return Event(text, _packet(place, range(1, 7), tags))
        if kind == "end_phase":
            return Event(
                "End phase: damage and tokens leave (DW-DMG-7)",
                lambda disks: {tuple(end_phase(disk) for disk in disks): 1.0},
            )
        return self.clash(where, what)

    def shot(self, where: str, given: Any, place: int) -> Event:
        """A volley: the fields of a ranged attack, with names of disks as neighbours."""
        fields = Fields(where, given, "dice, strength, range, shooter, cover, neighbours ...")
        others = [self.place(where, name) for name in fields.list("neighbours")]
        names = ("dice", "strength", "damage_type", "shooter", "reach", "convert")
        values = {name: fields.take(name, None) for name in names}
        measured, cover = fields.take("range"), fields.flag("cover")
        fields.reject_unknown()
        disks = self.table.disks
        shot = read_shot(
            where,
            **values,
            range=measured,
            cover=cover or "cover" in disks[place].terrain,
            target={"id": disks[place].id, "stamina": disks[place].stamina},
            neighbours=[{"id": disks[n].id, "stamina": disks[n].stamina} for n in others],
            resist_mode=self.resist_mode,
            faces=self.faces,
        )
        who = values["shooter"] or "A volley"
        text = f"{who} at {disks[place].id}: {shot.dice} dice at {measured} range (DW-RNG-2, DW-RNG-8)"
        return Event(text, _shot(shot, [place, *others]))

    def clash(self, where: str, given: Any) -> Event:
        """All clashes of some pins, with strikes where a disk has a choice."""
        fields = Fields(where, {} if given is True else given, "pins and targets")
        pins, targets = fields.take("pins", self.table.pins), fields.take("targets", None)
        fields.reject_unknown()
        table = read_pinned(where, self.table, pins, targets)
        pairs = ", ".join(f"{upper} on {lower}" for upper, lower in table.pins)
        return Event(f"Clash: {pairs} (DW-MEL-3)", _clash(table, self.resist_mode))


def read_pinned(where: str, table: Table, pins: Any, targets: Any) -> Table:
    """The same disks with other pins and strikes."""
    disks = [{"id": d.id, "owner": d.owner, "stamina": d.stamina} for d in table.disks]
    read = read_table(where, disks, pins, (), targets)
    return replace(read, disks=table.disks)


def round_of_disks(
    *,
    disks: Sequence[Mapping[str, Any] | str],
    events: Sequence[Mapping[str, Any] | str],
    pins: Sequence[Sequence[str]] = (),
    resist_mode: str = "instance",
    faces: Faces = None,
    method: str = "exact",
    trials: int = 100_000,
    seed: int = 0,
) -> Asked:
    """A whole round: events one after the other on the disks of a table, as one distribution.

    An event is {"shot": {"dice": 3, "strength": 3, "range": "medium"}}, {"magic": 2}, {"impact": 1},
    {"dangerous": "physical"}, {"clash": {"pins": [["a", "b"]]}} or "end_phase"; `at` names its disk, else it
    is the first one. A shot may name `neighbours` among the disks, to which it scatters.

    >>> from mathhammer import odds
    >>> answer = odds("diskwars", "round", disks=["Shaman: stamina 4, owner orcs"],
    ...     events=[{"shot": {"dice": 1, "strength": 3, "range": "medium"}}, {"magic": 1}])
    >>> answer["disks"]["Shaman"]["p_destroyed"]
    0.5
    """
    choice("round", "resist mode", resist_mode, RESIST_MODES)
    _, used = combat_die("round", faces)
    owned = [
        disk if isinstance(disk, str) or "owner" in disk else {**disk, "owner": "A"}
        for disk in listed("round", "disks", disks)
    ]
    table = read_table("round", owned, pins, (), None)
    if not table.disks:
        raise BadInputError("round: no disks (give at least one)")
    reader = _Reader(table, faces, resist_mode)
    read_events = [
        reader.read(f"round: event {n}", event)
        for n, event in enumerate(listed("round", "events", events), 1)
    ]

    def read(ends: Mapping[Disks, float], seen: int | None) -> Odds:
        return {**_answer(table, read_events, ends, seen, used), "method": method}

    question = EventChain(table.disks, tuple(event.happens for event in read_events))
    return Asked("round", question, read, method, trials, seed)


def _answer(
    table: Table, events: Sequence[Event], ends: Mapping[Disks, float], seen: int | None, used: DiceSet
) -> Odds:
    rows: dict[str, Odds] = {}
    for place, before in enumerate(table.disks):
        states: dict[tuple[int, int], float] = {}
        gone = token = 0.0
        for disks, chance in ends.items():
            disk = disks[place]
            gone += chance * disk.destroyed
            token += chance * (disk.activated and not disk.destroyed)
            if not disk.destroyed:
                key = (disk.wounds, disk.damage)
                states[key] = states.get(key, 0.0) + chance
        wounds = _spread(states, 0, gone, before.toughness + 1)
        rows[before.id] = {
            "p_destroyed": gone,
            "p_activation_token": token,
            "wounds": Pmf(Pmf.of(wounds).probs.copy(), seen),
            "states": {key: states[key] for key in sorted(states)},
        }
        if seen is not None:
            rows[before.id]["standard_error"] = (max(0.0, gone * (1 - gone)) / seen) ** 0.5
    lines = [f"Dice set: {used}."]
    lines += [f"{number}. {event.text}." for number, event in enumerate(events, 1)]
    lines += [
        f"{name}: destroyed {row['p_destroyed']:.4f} (DW-DMG-2, DW-DMG-3)." for name, row in rows.items()
    ]
    answer: Odds = {"disks": rows, "dice_set": used.name, "explain": "\n".join(lines)}
    return answer | ({} if seen is None else {"trials": seen})


def _spread(states: Mapping[tuple[int, int], float], place: int, gone: float, most: int) -> dict[int, float]:
    """Wounds in the end; a destroyed disk has one more than its toughness (DW-DMG-3)."""
    spread = dict.fromkeys(range(most + 1), 0.0)
    for state, chance in states.items():
        spread[state[place]] += chance
    spread[most] += gone
    return spread
