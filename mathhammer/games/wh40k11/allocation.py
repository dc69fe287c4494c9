"""Allocation groups of the 11th edition: who is hit first."""

from __future__ import annotations

from mathhammer.dataclass import dataclass
from mathhammer.engine.plan import Group, Target
from mathhammer.units.unit import ModelGroup, Unit


@dataclass(frozen=True, slots=True)
class Allocation:
    """The target as the engines see it, its tracks, and those of Characters that Precision may choose."""

    target: Target
    picks: tuple[int, ...] = ()

    @property
    def tracks(self) -> tuple[int, ...]:
        """All tracks."""
        return tuple(range(len(self.target.tracks)))


def allocation_of(unit: Unit, uses: int = 0, picking: bool = False, chosen: str = "") -> Allocation:
    """WH40K11-05.03: every Character alone, other models with the same Wounds and saves together; no
    Character before another model, and those with a wounded model first.

    Models that are always hit in one order share a track. With `picking`, Characters that Precision may
    choose have a track each: the one that is `chosen`, or the visible ones as they are listed.
    """
    alive = [
        (group, Group(group.name, models, int(group.stat("wounds")), hurt or int(group.stat("wounded", 0))))
        for group, (models, hurt) in zip(unit.groups, unit.left(), strict=True)
        if models > 0
    ]
    groups = tuple(left for _, left in alive)
    characters = tuple(place for place, (group, _) in enumerate(alive) if group.stat("character"))
    others = _alike([group for group, _ in alive], groups)
    # WH40K11-24.28: one visible Character's group
    seen = tuple(
        (place,)
        for place in characters
        if alive[place][0].stat("visible", True) and chosen in ("", groups[place].name)
    )
    picks = seen if picking and len(groups) > 1 else ()
    # WH40K11-19.02: Characters are protected by the order alone
    behind = [(place,) for place in sorted(characters, key=lambda place: (not groups[place].hurt, place))]
    fixed = _one_order(others, groups)
    if fixed and not picks:
        tracks = [tuple(place for track in (*others, *behind) for place in track)]
        return Allocation(Target(groups, tuple(tracks), uses=uses, characters=characters))
    front = [tuple(place for track in others for place in track)] if fixed and others else others
    every = (*front, *((place,) for place in characters))
    ranks = (*(0 for _ in front), *(1 for _ in characters))
    target = Target(groups, every, uses=uses, characters=characters, ranks=ranks)
    return Allocation(target, tuple(every.index(pick) for pick in picks))


def _alike(stats: list[ModelGroup], groups: tuple[Group, ...]) -> list[tuple[int, ...]]:
    """WH40K11-05.03-ORDER: models that differ only in other things than Wounds and saves are one group, and
    are hit as listed, wounded ones first.
    """
    found: dict[tuple[object, ...], list[int]] = {}
    for place, group in enumerate(stats):
        if not group.stat("character"):
            saves = tuple(group.stat(name) for name in ("save", "invuln", "invuln_ranged", "invuln_melee"))
            found.setdefault((groups[place].wounds, *saves), []).append(place)
    return [tuple(sorted(places, key=lambda p: (not groups[p].hurt, p))) for places in found.values()]


def _one_order(tracks: list[tuple[int, ...]], groups: tuple[Group, ...]) -> bool:
    """Whether the wounded groups are hit first as they are listed, so that no set of attacks changes the
    order.
    """
    hurt = [any(groups[place].hurt for place in track) for track in tracks]
    return not any(hurt[1:])
