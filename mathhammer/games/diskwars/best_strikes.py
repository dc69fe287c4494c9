"""Best strikes of a melee: whom each disk should strike, when both players look ahead (DW-MEL-4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import product
from math import prod

from mathhammer.dataclass import dataclass
from mathhammer.errors import BadInputError, TooLargeError
from mathhammer.games.diskwars.disk import Disk
from mathhammer.games.diskwars.melee import Node, Pin, Table, clashes, fight_one, options_of
from mathhammer.games.diskwars.words import ROLES, Role

MOST_PLANS = 200_000  # strikes that are tried in all
Score = tuple[int, int, int]


@dataclass(slots=True)
class _Search:
    """Tries the strikes clash by clash; `choosing` are the owners who choose."""

    table: Table
    choosing: frozenset[str]
    owner: str
    resist_mode: str
    tried: int = 0
    known: dict[tuple[int, tuple[Disk, ...]], tuple[Score, dict[Node, str]]] = field(default_factory=dict)

    def best(self, left: Sequence[list[Pin]], disks: Mapping[str, Disk]) -> tuple[Score, dict[Node, str]]:
        """The outcome of the clashes that are left, and the strikes that lead to it."""
        if not left:
            return score(disks.values(), self.owner), {}
        key = (len(left), tuple(disks.values()))
        if key not in self.known:
            self.known[key] = self.sides(left, disks)
        return self.known[key]

    def sides(self, left: Sequence[list[Pin]], disks: Mapping[str, Disk]) -> tuple[Score, dict[Node, str]]:
        """DW-MEL-4: the attacking side chooses first, then the defending side."""
        clash = left[0]
        found: tuple[Score, dict[Node, str]] | None = None
        attackers = next((disks[upper].owner for upper, _ in clash), "")
        for attack in self.choices(clash, disks, "attack"):
            answer: tuple[Score, dict[Node, str]] | None = None
            for counter in self.choices(clash, disks, "counter"):
                self.tried += 1
                if self.tried > MOST_PLANS:
                    raise TooLargeError(
                        f"melee: more than {MOST_PLANS} ways to strike (say some of them with targets)"
                    )
                chosen = {**attack, **counter}
                after = fight_one(clash, disks, {**self.table.chosen, **chosen}, self.resist_mode)[0]
                value, later = self.best(left[1:], after)
                if answer is None or self.prefers(value, answer[0], attackers, attacking=False):
                    answer = value, {**chosen, **later}
            assert answer is not None  # there is always one way
            if found is None or self.prefers(answer[0], found[0], attackers, attacking=True):
                found = answer
        assert found is not None
        return found

    def prefers(self, new: Score, old: Score, attackers: str, attacking: bool) -> bool:
        """Whether the side that chooses now likes the new outcome better."""
        mine = (attackers == self.owner) == attacking
        return new > old if mine else new < old

    def choices(
        self, clash: Sequence[Pin], disks: Mapping[str, Disk], role: Role
    ) -> Iterator[dict[Node, str]]:
        """All ways in which one side of a clash may strike; one way where its owner does not choose."""
        nodes, ways = [], []
        for striker, victims in options_of(clash, disks, role).items():
            free = disks[striker].owner in self.choosing and (striker, role) not in self.table.chosen
            if free and len(victims) > 1 and not (disks[striker].berserk and role == "attack"):
                nodes.append((striker, role))
                ways.append(victims)
        if prod(map(len, ways)) > MOST_PLANS:
            raise TooLargeError(
                f"melee: more than {MOST_PLANS} ways to strike (say some of them with targets)"
            )
        for picked in product(*ways):
            yield dict(zip(nodes, picked, strict=True))


def score(disks: Iterable[Disk], owner: str) -> Score:
    """What a player likes: enemy disks destroyed less own ones, then wounds, then damage."""
    totals = [0, 0, 0]
    for disk in disks:
        sign = -1 if disk.owner == owner else 1
        for place, value in enumerate((disk.destroyed, disk.wounds, 0 if disk.destroyed else disk.damage)):
            totals[place] += sign * int(value)
    return totals[0], totals[1], totals[2]


def with_best_strikes(table: Table, best: str, resist_mode: str) -> Table:
    """The table with the strikes of best play: of one owner against the usual strikes of the other, or of
    "both". Strikes that are said stay.
    """
    owners = list(dict.fromkeys(disk.owner for disk in table.disks))
    if len(owners) != 2:
        raise BadInputError(f"melee: best strikes of {len(owners)} owners (two players have best strikes)")
    if best != "both" and best not in owners:
        raise BadInputError(
            f"melee: best is {best!r} (give both, or the owner of disks: {' or '.join(owners)})"
        )
    choosing = frozenset(owners if best == "both" else [best])
    owner = owners[0] if best == "both" else best
    search = _Search(table, choosing, owner, resist_mode)
    disks = {disk.id: disk for disk in table.disks}
    _, chosen = search.best(clashes(table), disks)
    return replace(table, chosen={**table.chosen, **chosen})


def strike_lines(table: Table) -> list[str]:
    """Whom each disk strikes that had a choice."""
    return [
        f"{striker} strikes {victim} with its {role} (DW-MEL-4)."
        for role in ROLES
        for (striker, own), victim in table.chosen.items()
        if own == role
    ]
