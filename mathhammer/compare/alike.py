"""Targets that are alike to every attack: sorted by what plans can see of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mathhammer.dataclass import dataclass
from mathhammer.engine.landing import land
from mathhammer.engine.plan import Target
from mathhammer.games.bearing import LOOKED_AT, UNSEEN, as_target, counts_itself, rolls, text_of_effects
from mathhammer.games.discovery import attacks_of
from mathhammer.games.gathering import known_as
from mathhammer.games.weapon_choice import words_of
from mathhammer.units.conditions import switch
from mathhammer.units.unit import PLAIN, Stats, Unit

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Views:
    """Numbers of targets that are equal where they are alike to an attacker; -1: it shares no plan."""

    each: tuple[Ints, ...]  # of its view, or of its attack view and of its guard view
    whole: Ints  # of all that bears, its size included
    # where damage pools: targets of one view, and at how many points they and their models fall
    pools: tuple[tuple[Ints, Ints, Ints], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Alike:
    """Targets with the rules that bear on them, sorted for every attacker by what its rules look at."""

    targets: tuple[Unit, ...]
    special: tuple[bool, ...]  # which share no plan
    shapes: tuple[Target, ...]  # each size and kind of models once
    sizes: Ints  # of each target: the number of its shape; -1 when special
    words: frozenset[str]  # every keyword of a target
    always: frozenset[str]  # those at which rules of friends look
    known: dict[tuple[frozenset[str], bool], Views]

    @staticmethod
    def of(targets: Sequence[Unit], how: Mapping[str, Any]) -> Alike:
        """The targets, as far as they can be sorted without an attacker."""
        used = frozenset(map(switch, words_of("use", how.get("use", ()))))
        bare = tuple(as_target(unit, used) for unit in targets)
        special = tuple(map(is_special, bare))
        known = [None if alone else shape_of(unit) for unit, alone in zip(bare, special, strict=True)]
        shapes = tuple(dict.fromkeys(shape for shape in known if shape is not None))
        words = frozenset[str]().union(*map(known_as, bare))
        friends = [*how.get("friends", ()), *how.get("target_friends", ())]
        text = text_of_effects([effect for unit in friends for effect in unit.effects])
        text += text_of_effects(how.get("effects", ()))
        always = frozenset(word for word in words if word in text)
        return Alike(bare, special, shapes, numbered(known), words, always, {})

    def to(self, attacker: Unit, looked_at: frozenset[str] = LOOKED_AT, sized: bool = False) -> Views:
        """The targets as the rules of an attacker tell them apart; `looked_at`: keywords at which the game
        itself looks here, `sized`: also by how many they are.
        """
        friends = [effect for friend in attacker.stance.friends for effect in friend.effects]
        text = text_of_effects((*attacker.effects, *friends))
        text += "\n".join(str(word) for weapon in attacker.weapons for word in weapon.abilities).upper()
        named = frozenset(word for word in self.words if word in looked_at or word in text) | self.always
        if (named, sized) not in self.known:
            self.known[named, sized] = self._sorted(named, sized)
        return self.known[named, sized]

    def _sorted(self, named: frozenset[str], sized: bool) -> Views:
        split = attacks_of(self.targets[0].system).views if self.targets else None
        sizes = self.sizes.tolist()
        keys = [
            None if size < 0 else _keys(unit, split, self.shapes[size], named, sized)
            for unit, size in zip(self.targets, sizes, strict=True)
        ]
        each = tuple(
            numbered([None if key is None else key[place] for key in keys])
            for place in range(2 if split else 1)
        )
        whole = numbered(
            [None if key is None else (key, size) for key, size in zip(keys, sizes, strict=True)]
        )
        last = -1 if split else int(each[0].max(initial=-1))
        pools = tuple(pool_group(each[0], view, self.sizes, self.shapes) for view in range(last + 1))
        return Views(each, whole, pools)


def _keys(unit: Unit, split: Any, shape: Target, named: frozenset[str], sized: bool) -> tuple[object, ...]:
    """What plans can see of a target, for each view of its game."""
    words = known_as(unit)
    own = text_of_effects(unit.effects)
    seen = replace(
        unit,
        keywords=frozenset(word for word in words if word in named or word in own),
        stats=_seen(unit.stats),
        groups=tuple(replace(group, stats=_seen(group.stats)) for group in unit.groups),
    )
    if split is None:
        return ((whole_view(seen), shape if sized or counts_itself(unit.effects) else None),)
    both = tuple(view(seen) for view in split)
    if not counts_itself(unit.effects):
        return ((both[0], unit.models_left), both[1]) if sized else both
    return (both, shape), (both, shape)


def _seen(stats: Stats) -> Stats:
    return tuple(pair for pair in stats if pair[0] not in UNSEEN)


def numbered(keys: Sequence[Any]) -> Ints:
    """Equal keys get equal numbers, from 0 on; None gets -1.

    >>> numbered(["a", "b", None, "a"]).tolist()
    [0, 1, -1, 0]
    """
    numbers: dict[Any, int] = {}
    return np.array(
        [-1 if key is None else numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64
    )


@lru_cache(maxsize=16384)
def is_special(target: Unit) -> bool:
    """Whether a target shares no plan: several kinds of models, already hurt, limited uses, a unit of its own
    circumstances, rules with dice of their own.
    """
    shared = attacks_of(target.system).target_of is not None
    return (
        not shared
        or len(target.groups) > 1
        or target.lost > 0
        or replace(target.stance, buffs=(), words=(), weapons=None) != PLAIN
        or rolls(target.effects)
        or bool(target.stat("damage_zero_uses"))
        or any(effect.change("damage_zero_uses") for effect in target.effects)
    )


def whole_view(target: Unit) -> object:
    """All that a plan may depend on: everything but names, weapons and numbers of models and wounds."""
    return tuple(pair for pair in target.stats if pair[0] != target.wounds), target.keywords, target.effects


@lru_cache(maxsize=16384)
def shape_of(target: Unit) -> Target:
    """The models of a target as engines see them, without names."""
    shape = attacks_of(target.system).target_of
    assert shape is not None
    return replace(shape(target), groups=tuple(replace(group, name="") for group in shape(target).groups))


def pool_group(views: Ints, view: int, sizes: Ints, shapes: Sequence[Target]) -> tuple[Ints, Ints, Ints]:
    """Targets of one view; the points that destroy each, and the points at which its models fall (padded with
    a far away one).
    """
    members = np.flatnonzero(views == view)
    landings = [land(shapes[size]) for size in sizes[members].tolist()]
    ends = np.array([landing.states - 1 for landing in landings])
    falls = [np.flatnonzero(np.diff(landing.slain)) + 1 for landing in landings]
    places = np.full((len(landings), max(map(len, falls))), np.iinfo(np.int64).max)
    for row, points in enumerate(falls):
        places[row, : len(points)] = points
    return members, ends, places
