"""Melee: clashes of attackers and defenders, mass battles from the top of the pile down,
strikes in three steps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from mathhammer.dataclass import dataclass
from mathhammer.errors import BadInputError
from mathhammer.games.diskwars.disk import Disk, Part, land, read_disk, suffered
from mathhammer.games.diskwars.words import ROLES, Role
from mathhammer.games.fields import Fields, choice, listed

STEPS = ("swift", "normal", "slow")  # DW-MEL-9
MELEE_TAGS = frozenset({"physical", "melee"})  # DW-DMG-1
MOST_DISKS = 200
Pin = tuple[str, str]  # (upper, lower), in direct contact
Node = tuple[str, Role]


@dataclass(frozen=True, slots=True)
class Table:
    """Disks in their order, who pins whom, and whom each disk chose to strike in each role."""

    disks: tuple[Disk, ...]
    pins: tuple[Pin, ...]
    chosen: Mapping[Node, str]


@dataclass(frozen=True, slots=True)
class Strike:
    """One strike of a clash."""

    striker: str
    victim: str
    role: Role
    step: str


def read_table(where: str, disks: Any, pins: Any, stacks: Any, targets: Any) -> Table:
    """The disks and pins of a melee, checked."""
    found: dict[str, Disk] = {}
    for number, mapping in enumerate(listed(where, "disks", disks), 1):
        disk, _ = read_disk(f"{where}: disk {number}", mapping, f"disk {number}")
        if disk.id in found:
            raise BadInputError(f"{where}: there are two disks {disk.id!r} (give each an id of its own)")
        if not disk.owner:
            raise BadInputError(
                f"{where}: {disk.id!r} has no owner (give its player: friends do not fight each other)"
            )
        found[disk.id] = disk
    if len(found) > MOST_DISKS:
        raise BadInputError(f"{where}: {len(found)} disks (give at most {MOST_DISKS})")
    pinned = _read_pins(where, found, pins, stacks)
    fields = Fields(f"{where}: targets", targets or {}, "attack and counter, each from disk to victim")
    chosen: dict[Node, str] = {}
    for role in ROLES:
        for striker, victim in Fields(
            f"{where}: targets: {role}", fields.take(role, {}), "disk to victim"
        ).mapping.items():
            for name in (striker, victim):
                choice(f"{where}: targets", "disk", name, found)
            pin = (striker, victim) if role == "attack" else (victim, striker)
            if pin not in pinned or found[striker].owner == found[victim].owner:
                must = "pin" if role == "attack" else "be pinned by"
                raise BadInputError(
                    f"{where}: {striker!r} cannot strike {victim!r} with its {role} (it must {must} "
                    "it, as "
                    "an enemy)"
                )
            chosen[striker, role] = victim
    fields.reject_unknown()
    return Table(tuple(found.values()), pinned, chosen)


def _read_pins(where: str, disks: Mapping[str, Disk], pins: Any, stacks: Any) -> tuple[Pin, ...]:
    pairs: list[Any] = listed(where, "pins", pins or ())
    for stack in listed(where, "stacks", stacks or ()):  # DW-MEL-1: a disk pins only the one directly beneath
        pile = listed(where, "stack", stack)
        pairs += list(pairwise(pile))
    found: dict[Pin, None] = {}
    for pair in pairs:
        if isinstance(pair, str) or not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise BadInputError(f"{where}: {pair!r} is not a pin (give [upper disk, lower disk])")
        for name in pair:
            choice(where, "disk", name, disks)
        if pair[0] == pair[1]:
            raise BadInputError(f"{where}: {pair[0]!r} pins itself (give [upper disk, lower disk])")
        found[pair[0], pair[1]] = None
    loop = find_loop(list(disks), list(found))
    if loop:
        raise BadInputError(
            f"{where}: impossible stack: {' on '.join([*loop, loop[0]])} (a disk cannot lie above and "
            "below another)"
        )
    return tuple(found)


def find_loop(nodes: Sequence[Any], edges: Sequence[tuple[Any, Any]]) -> list[Any]:
    """The nodes of a cycle in the order of its edges, or nothing.

    >>> find_loop(["a", "b", "c"], [("a", "b"), ("b", "c"), ("c", "b")])
    ['c', 'b']
    """
    left = set(nodes)
    while True:  # take away what nothing points to, until a cycle or nothing remains
        pointed = {low for high, low in edges if high in left and low in left}
        free = left - pointed
        if not free:
            break
        left -= free
    walk: list[Any] = []
    here = next((node for node in nodes if node in left), None)
    while here is not None and here not in walk:  # everything left has something above it: walk upwards
        walk.append(here)
        here = next(high for high, low in edges if low == here and high in left)
    return walk[walk.index(here) :][::-1] if walk else []


def clashes(table: Table) -> list[list[Pin]]:
    """The clashes in the order in which they are fought, each as its pins.

    A contested disk is two nodes (DW-MEL-2), as it fights twice (DW-MASS-1) and has one role in each clash
    (DW-MEL-7); a clash where it defends comes before the one where it attacks (DW-MASS-2). Owners do not
    split a clash (DW-MEL-8).
    """
    owner = {disk.id: disk.owner for disk in table.disks}
    # DW-GEN-4: whoever has another owner is an enemy
    hostile = [pin for pin in table.pins if owner[pin[0]] != owner[pin[1]]]
    label = {node: number for number, pin in enumerate(hostile) for node in _nodes(pin)}
    changed = True
    while changed:  # connected sets: the smallest label spreads along the pins
        changed = False
        for pin in hostile:
            attacker, defender = _nodes(pin)
            low = min(label[attacker], label[defender])
            changed = changed or label[attacker] != label[defender]
            label[attacker] = label[defender] = low
    groups: dict[int, list[Pin]] = {}
    for pin in hostile:
        groups.setdefault(label[_nodes(pin)[0]], []).append(pin)
    before = [
        (label[disk, "counter"], label[disk, "attack"])
        for disk, role in label
        if role == "attack" and (disk, "counter") in label
    ]
    if find_loop(list(groups), before):
        raise BadInputError(
            "melee: two clashes each have to be fought before the other (the rules are silent on such "
            "piles: lift a pin)"
        )
    ordered: list[list[Pin]] = []
    left = dict(groups)
    while left:  # DW-MEL-5: independent clashes in the order they were given
        ready = next(
            number for number in left if not any(low == number and high in left for high, low in before)
        )
        ordered.append(left.pop(ready))
    return ordered


def _nodes(pin: Pin) -> tuple[Node, Node]:
    return (pin[0], "attack"), (pin[1], "counter")


def options_of(clash: Sequence[Pin], disks: Mapping[str, Disk], role: Role) -> dict[str, list[str]]:
    """Whom each disk may strike in that role, among those that still stand (DW-MASS-3)."""
    victims: dict[str, list[str]] = {}
    for upper, lower in clash:
        if not (disks[upper].destroyed or disks[lower].destroyed):
            striker, victim = (upper, lower) if role == "attack" else (lower, upper)
            victims.setdefault(striker, []).append(victim)
    return victims


def strikes(clash: Sequence[Pin], disks: Mapping[str, Disk], chosen: Mapping[Node, str]) -> list[Strike]:
    """All strikes of a clash as they are declared before its first step: attackers first, then defenders
    (DW-MEL-4).

    Only pins of the beginning count: a disk that comes to lie on another in this phase starts nothing
    (DW-MEL-6).
    """
    strikes: list[Strike] = []
    for role in ROLES:
        for striker, options in options_of(clash, disks, role).items():
            disk = disks[striker]
            wanted = chosen.get((striker, role))
            everyone = disk.berserk and role == "attack"  # DW-KW-BERSERK
            # A choice that fell in an earlier clash is made anew: no disk may refuse to strike.
            struck = options if everyone else [wanted if wanted in options else options[0]]
            strikes += [Strike(striker, victim, role, step_of(disk, role)) for victim in struck]
    return strikes


def step_of(disk: Disk, role: Role) -> str:
    """When a disk strikes in that role: Swift early (DW-KW-SWIFT), Slow late (DW-KW-SLOW); both on one strike
    cancel out (DW-MEL-9).

    >>> step_of(Disk("a", stamina=3, swift=frozenset({"attack"})), "attack")
    'swift'
    """
    return STEPS[1 - disk.is_swift(role) + (role in disk.slow)]


def fight_clashes(
    table: Table, resist_mode: str = "instance"
) -> tuple[dict[str, Disk], list[dict[str, Any]]]:
    """The disks after all clashes, and a log of every packet."""
    disks = {disk.id: disk for disk in table.disks}
    log: list[dict[str, Any]] = []
    for clash in clashes(table):
        disks, packets = fight_one(clash, disks, table.chosen, resist_mode)
        log += packets
    return disks, log


def fight_one(
    clash: Sequence[Pin], before: Mapping[str, Disk], chosen: Mapping[Node, str], resist_mode: str
) -> tuple[dict[str, Disk], list[dict[str, Any]]]:
    """The disks after one clash, and a log of its packets."""
    disks = dict(before)
    log: list[dict[str, Any]] = []
    declared = strikes(clash, disks, chosen)
    for step in STEPS:
        packets: dict[str, list[Part]] = {}
        for strike in declared:  # a disk destroyed in an earlier step neither strikes nor is struck
            strength = disks[strike.striker].strength(strike.role)  # DW-MEL-3
            gone = disks[strike.striker].destroyed or disks[strike.victim].destroyed
            if strike.step == step and strength and not gone:
                packets.setdefault(strike.victim, []).append(Part(strength, MELEE_TAGS))
        for name, parts in packets.items():  # one packet per disk and step (DW-DMG-4)
            amount = suffered(disks[name], parts, resist_mode)
            disks[name], wound = land(disks[name], amount)
            log.append({"step": step, "disk": name, "damage": amount, "wound": wound})
    return disks, log
