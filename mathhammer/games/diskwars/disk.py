"""A disk and what damage does to it: packets, resistance, immunity, wounds, toughness, empowerment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from mathhammer.dataclass import dataclass
from mathhammer.errors import BadInputError
from mathhammer.games.diskwars.text import read_disk_text
from mathhammer.games.diskwars.words import ROLES, TAGS, TERRAIN, Role
from mathhammer.games.fields import Fields, choice, mapped
from mathhammer.games.records import find_record

RESIST_MODES = ("instance", "per_hit")
MOST = 100  # the largest figure on a disk
# DW-GEN-6: what is printed on a disk
PROFILE = ("attack", "counter", "stamina", "toughness", "swift", "slow", "resist", "immune", "berserk")
WANTED = "the fields of a disk, such as id, owner, attack, counter, stamina, toughness"


@dataclass(frozen=True, slots=True)
class Disk:
    """A disk as it lies on the table: its profile, and the tokens on it.

    >>> Disk("Orc Boyz", attack=5, stamina=4, empowered=True).strength("attack")
    6
    """

    id: str
    stamina: int
    owner: str = ""
    attack: int = 0
    counter: int = 0
    toughness: int = 0
    damage: int = 0
    wounds: int = 0
    activated: bool = False
    empowered: bool = False
    berserk: bool = False
    destroyed: bool = False
    swift: frozenset[str] = frozenset()
    slow: frozenset[str] = frozenset()
    resist: frozenset[str] = frozenset()
    immune: frozenset[str] = frozenset()
    terrain: frozenset[str] = frozenset()

    def strength(self, role: Role) -> int:
        """Attack or counter with the empowerment token."""
        return (self.attack if role == "attack" else self.counter) + self.empowered  # DW-EMP-1

    @property
    def endurance(self) -> int:
        """Stamina with the empowerment token."""
        return self.stamina + self.empowered  # DW-EMP-1

    def is_swift(self, role: Role) -> bool:
        """True when that strike comes early."""
        # DW-TER-4, default: counter
        return role in self.swift or (role == "counter" and "defensive" in self.terrain)

    def is_immune(self, tags: Iterable[str]) -> bool:
        """True when damage with one of these tags does nothing."""
        shielded = self.immune | {"impact"} if "fortified" in self.terrain else self.immune  # DW-TER-1
        return not shielded.isdisjoint(tags)


@dataclass(frozen=True, slots=True)
class Part:
    """A share of a packet: so much damage, `times` times, with its tags."""

    amount: int
    tags: frozenset[str]
    times: int = 1


def suffered(disk: Disk, parts: Sequence[Part], mode: str = "instance") -> int:
    """What a packet does after immunity and resistance.

    >>> stone = Disk("x", stamina=4, resist=frozenset({"physical"}))
    >>> hits = [Part(3, frozenset({"physical"}), times=3)]
    >>> suffered(stone, hits), suffered(stone, hits, "per_hit")
    (5, 6)
    """
    total = 0
    whole: dict[frozenset[str], int] = {}
    for part in parts:
        if disk.is_immune(part.tags):  # DW-DMG-6
            continue
        if mode == "per_hit" and not disk.resist.isdisjoint(part.tags):
            total += part.times * halved(part.amount)
        else:  # DW-DMG-5: a mixed packet is split by tag first
            whole[part.tags] = whole.get(part.tags, 0) + part.times * part.amount
    return total + sum(
        amount if disk.resist.isdisjoint(tags) else halved(amount) for tags, amount in whole.items()
    )


def halved(amount: int) -> int:
    """Half, rounded up (DW-DMG-5)."""
    return (amount + 1) // 2


def land(disk: Disk, amount: int) -> tuple[Disk, int]:
    """The disk after one packet, and the wounds it caused: never more than one (DW-DMG-4).

    >>> hurt, wound = land(Disk("troll", stamina=4, toughness=1), 20)
    >>> (hurt.damage, hurt.wounds, hurt.destroyed, wound)
    (0, 1, False, 1)
    """
    if disk.destroyed:
        return disk, 0
    damage = disk.damage + amount
    if damage < disk.endurance:
        return replace(disk, damage=damage), 0
    if disk.wounds >= disk.toughness:  # DW-DMG-3
        return replace(disk, damage=damage, wounds=disk.wounds + 1, destroyed=True), 1
    return replace(disk, damage=0, wounds=disk.wounds + 1), 1


def weaken(disk: Disk, change: int) -> tuple[Disk, int]:
    """The disk after its stamina changed; damage that is already there may now wound it at once (DW-DMG-8).

    >>> weaken(Disk("x", stamina=4, damage=3), -1)[1]
    1
    """
    return land(replace(disk, stamina=max(1, disk.stamina + change)), 0)


def disempower(disk: Disk) -> tuple[Disk, int]:
    """The disk after losing its empowerment token in mid-round (DW-EMP-1, DW-DMG-8).

    >>> disempower(Disk("x", stamina=4, damage=4, empowered=True))[0].destroyed
    True
    """
    return land(replace(disk, empowered=False), 0)


def end_phase(disk: Disk) -> Disk:
    """The disk after the end phase: every token leaves except wounds (DW-DMG-7).

    >>> end_phase(Disk("x", stamina=4, damage=4, empowered=True)).damage
    0
    """
    return disk if disk.destroyed else replace(disk, damage=0, activated=False, empowered=False)


def read_disk(
    where: str, mapping: Any, default_id: str = "disk", extra: Sequence[str] = ()
) -> tuple[Disk, Mapping[str, Any]]:
    """A disk from its fields, and the values of the `extra` fields that this question allows.

    `disk` names a datasheet whose figures stand in for those that are left out; text as one types it will do.

    >>> read_disk("ranged: target", {"disk": "Orc Boyz", "counter": 3})[0].stamina
    4
    """
    given = mapped(where, read_disk_text(where, mapping) if isinstance(mapping, str) else mapping, WANTED)
    if "disk" in given:
        if not isinstance(given["disk"], str):
            raise BadInputError(f"{where}: disk is {given['disk']!r} (give the name of a datasheet)")
        record = find_record("diskwars", "disks.toml", "disk", given["disk"], where)
        given = {"id": record["name"], **{k: v for k, v in record.items() if k in PROFILE}, **given}
    fields = Fields(where, given, WANTED)
    fields.take("disk", None)
    disk = Disk(
        id=fields.text("id", default_id),
        stamina=fields.whole("stamina", low=1, high=MOST),
        owner=str(fields.take("owner", "")),
        attack=fields.whole("attack", 0, high=MOST),
        counter=fields.whole("counter", 0, high=MOST),
        toughness=fields.whole("toughness", 0, high=MOST),
        damage=fields.whole("damage", 0, high=MOST),
        wounds=fields.whole("wounds", 0, high=MOST),
        activated=fields.flag("activated"),
        empowered=fields.flag("empowered"),
        berserk=fields.flag("berserk"),
        swift=frozenset(fields.words("swift", ROLES)),
        slow=frozenset(fields.words("slow", ROLES)),
        resist=frozenset(fields.words("resist", TAGS)),
        immune=frozenset(fields.words("immune", TAGS)),
        terrain=frozenset(fields.words("terrain", TERRAIN)),
    )
    more = {name: fields.take(name, None) for name in extra}
    fields.reject_unknown()
    if disk.damage >= disk.endurance:
        raise BadInputError(
            f"{where}: {disk.damage} damage on stamina {disk.endurance} (that is a wound already: give "
            "less damage)"
        )
    if disk.wounds > disk.toughness:
        raise BadInputError(
            f"{where}: {disk.wounds} wounds on toughness {disk.toughness} (such a disk is destroyed: "
            "give fewer wounds)"
        )
    return disk, more


def read_tags(where: str, tags: Any) -> frozenset[str]:
    """The tags of some damage, checked.

    >>> sorted(read_tags("packet 1", ["magic"]))
    ['magic']
    """
    fields = Fields(where, {"tags": tags})
    return frozenset(choice(where, "tag", tag, TAGS) for tag in fields.list("tags"))
