"""Whole armies at once: every attacker against every target, exact, with work shared between targets that are
alike.

A plan depends on a target only through what its rules look at, and on its size only through where the
packets land. So targets are grouped by what a plan sees of them; the distribution of what reaches them is
worked out once for a group; and what n packets (or points) do to a shape of target is a table. What does
not fit this is put to the exact engine one by one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mathhammer.dice.sums import power, repeat
from mathhammer.engine.exact import end_states, pool
from mathhammer.engine.landing import land, step
from mathhammer.engine.plan import Packet, Plan, Target, Volley
from mathhammer.engine.result import Result
from mathhammer.engine.table import compile_volley
from mathhammer.errors import BadInputError
from mathhammer.fight import make_question, plan_fight, plans_of
from mathhammer.games.discovery import attacks_of
from mathhammer.games.weapon_choice import KINDS, Names, NoWeaponError, ways_to_attack
from mathhammer.units.conditions import ATTACK_OWN
from mathhammer.units.effects import Effect
from mathhammer.units.unit import PLAIN, Unit

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
VALUES = ("damage", "lost", "slain", "p_destroyed")  # the numbers of a cell, in this order
# behind them stands what the attacker used: a place in this, or NO_WEAPON
USED = (*KINDS, "named weapons")
NO_WEAPON = -1
# conditions that a shared plan cannot answer
COUNTING = {"models", "target_models", "lost", "target_lost", "wounds", "target_wounds"} | ATTACK_OWN


@dataclass(frozen=True, slots=True, eq=False)
class Sweep:
    """Targets that any number of attackers are put against, sorted once; `how` is what
    `fight` takes besides the method.
    """

    targets: tuple[Unit, ...]
    how: Mapping[str, Any]
    special: tuple[bool, ...]
    shapes: tuple[Target | None, ...]
    # of each target: number of its view, or of its attack view and of its guard view; -1 when special
    views: tuple[Ints, ...]
    # where damage pools: targets of one view, and at how many points they and their models fall
    pools: tuple[tuple[Ints, Ints, Ints], ...]
    # what n packets of a harm do to every target, as far as it was needed
    tables: dict[tuple[object, ...], Array]
    compiled: bool  # numba's loops instead of numpy: worth their loading for large questions

    @staticmethod
    def of(targets: Sequence[Unit], compiled: bool = False, **how: Any) -> Sweep:
        """The targets, sorted by what plans see of them."""
        special = tuple(map(_special, targets))
        shapes = tuple(
            None if alone else _shape(target) for target, alone in zip(targets, special, strict=True)
        )
        split = attacks_of(targets[0].system).views if targets else None
        keys = split or (_whole_view,)
        views = tuple(
            _numbered([None if alone else key(t) for t, alone in zip(targets, special, strict=True)])
            for key in keys
        )
        pools = (
            ()
            if split
            else tuple(
                _pool_group(views[0], view, shapes) for view in range(int(views[0].max(initial=-1)) + 1)
            )
        )
        return Sweep(tuple(targets), how, special, shapes, views, pools, {}, compiled)

    def row(self, attacker: Unit) -> Array:
        """The numbers of one attacker against every target, and what it used: [target, value]."""
        cells = np.full((len(self.targets), len(VALUES) + 1), float(NO_WEAPON))
        try:
            ways = ways_to_attack(attacker, self.how.get("weapons"))
        except NoWeaponError:
            cells[:, : len(VALUES)] = 0.0
            return cells
        rows, used = self._rows(ways)
        # a choice between kinds of attack or melee weapons is made for each target by itself, as in a fight
        best = rows[:, :, VALUES.index("lost")].argmax(axis=0)
        cells[:, : len(VALUES)] = rows[best, np.arange(len(self.targets))]
        cells[:, len(VALUES)] = np.array(used)[best]
        return cells

    def _rows(self, ways: Sequence[tuple[Unit, Names]]) -> tuple[Array, list[int]]:
        """The numbers of every way to attack that the rules allow, and what each of them uses."""
        rows, used, refused = [], [], []
        for way, names in ways:
            try:
                rows.append(self._row(way, names))
            except BadInputError as error:
                refused.append(error)
            else:
                used.append(KINDS.index(names) if isinstance(names, str) and names in KINDS else len(KINDS))
        if not rows:
            raise refused[0]
        return np.array(rows), used

    def _row(self, attacker: Unit, weapons: Names) -> Array:
        cells = np.zeros((len(self.targets), len(VALUES)))
        effects = tuple(effect for effect in self.how.get("effects", ()) if isinstance(effect, Effect))
        friends = [
            effect
            for friend in (
                *self.how.get("friends", ()),
                *self.how.get("target_friends", ()),
                *attacker.stance.friends,
            )
            for effect in friend.effects
        ]
        counting = _counts((*attacker.effects, *effects, *friends)) or len(effects) != len(
            self.how.get("effects", ())
        )
        reads = attacks_of(attacker.system).reads(attacker, (*effects, *friends))
        alone = counting or "target_models" in reads
        asked = replace(self, how={**self.how, "weapons": weapons})
        for index, special in enumerate(self.special):
            if special or alone:
                cells[index] = asked._alone(attacker, index)
        if not alone and not all(self.special):
            if len(self.views) == 2:
                asked._by_halves(attacker, cells)
            else:
                asked._by_views(attacker, cells)
        return cells

    def _plan(self, attacker: Unit, index: int) -> Plan:
        return plan_fight(attacker, self.targets[index], **self.how)

    def _alone(self, attacker: Unit, index: int) -> Array:
        """The numbers of one cell by itself; rules with a roll of their own make it a mixture."""
        parts = plans_of(make_question(attacker, self.targets[index], **self.how))
        return sum((chance * _exactly(plan) for chance, plan in parts), np.zeros(len(VALUES)))

    def _by_views(self, attacker: Unit, cells: Array) -> None:
        """Damage that pools: one plan for all targets that look the same, whatever their size."""
        for members, ends, places in self.pools:
            cells[members] = _pooled(pool(self._plan(attacker, int(members[0])), None), ends, places)

    def _by_halves(self, attacker: Unit, cells: Array) -> None:
        """Damage lost with the model: chains shared by what the attack sees, packets by
        what the harm depends on.
        """
        strikes, guards = self.views
        plans = [
            self._plan(attacker, int(np.argmax(guards == guard))) for guard in range(int(guards.max()) + 1)
        ]
        known: dict[tuple[str, ...], tuple[list[Any], Ints]] = {}
        for strike in range(int(strikes.max()) + 1):
            members = np.flatnonzero(strikes == strike)
            plan = self._plan(attacker, int(members[0]))
            if not plan.volleys:
                continue
            volley = plan.volleys[0]
            kinds = [packet.kind for packet in volley.packets]
            classes: list[Any] = []
            numbers = np.full(len(members), -1)
            if len(plan.volleys) == 1 and not volley.again:
                classes, every = known.get(tuple(kinds)) or known.setdefault(
                    tuple(kinds), _classes(plans, kinds)
                )
                numbers = every[guards[members]]
            for index in members[numbers < 0].tolist():
                cells[index] = self._alone(attacker, index)
            for number in sorted(set(numbers.tolist()) - {-1}):
                through, harm = classes[int(guards[members[np.argmax(numbers == number)]])]
                distribution = _landing_distribution(volley, through, self.compiled)
                table = self._table(harm, len(distribution) - 1)
                _fill(distribution, table, members, numbers, number, cells, self.compiled)

    def _table(self, harm: Any, most: int) -> Array:
        """What n packets of one harm come to on average, for every target: [target, n, value]."""
        size = 1 << max(4, (most - 1).bit_length())
        if (harm, size) not in self.tables:
            damage, ward, tracks, _ = harm
            packet = Packet("landed", damage, (1.0,), ward, None, tracks)
            empty = np.zeros((size + 1, len(VALUES)))
            self.tables[harm, size] = np.stack(
                [
                    empty if shape is None else _packet_rows(packet, shape, size, self.compiled)
                    for shape in self.shapes
                ]
            )
        return self.tables[harm, size]


def _classes(plans: list[Plan], kinds: list[str]) -> tuple[list[Any], Ints]:
    classes = [_class(plan, kinds) for plan in plans]
    return classes, _numbered(classes)


def _class(plan: Plan, kinds: list[str]) -> tuple[tuple[float, ...], Any] | None:
    """How often packets of these kinds get through, and what they then all do; None when they differ."""
    if len(plan.volleys) != 1 or plan.target.uses:  # limited uses are part of the target's state
        return None
    packets = {packet.kind: packet for packet in plan.volleys[0].packets}
    ours = [packets[kind] for kind in kinds if kind in packets]
    harms = {_harm(packet) for packet in ours}
    if len(ours) != len(kinds) or len(harms) != 1:
        return None
    return tuple(packet.through[0] for packet in ours), harms.pop()


def _numbered(keys: Sequence[Any]) -> Ints:
    """Equal keys get equal numbers, from 0 on; None gets -1."""
    numbers: dict[Any, int] = {}
    return np.array(
        [-1 if key is None else numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64
    )


def _counts(effects: Sequence[Effect]) -> bool:
    """Whether an effect looks at numbers of models or wounds, or at Strength against Toughness, rolls dice of
    its own, or deals mortal wounds: what depends on each target by itself.
    """
    return any(
        effect.needs
        or any(condition.subject in COUNTING for condition in effect.when)
        or any(key == "mortal" or " per " in str(value) for key, value in effect.changes)
        for effect in effects
    )


@lru_cache(maxsize=16384)
def _special(target: Unit) -> bool:
    """Whether a target shares no plan: several kinds of models, already hurt, limited
    uses, rules that count models.
    """
    shared = attacks_of(target.system).target_of is not None
    return (
        not shared
        or len(target.groups) > 1
        or target.lost > 0
        or target.stance != PLAIN
        or _counts(target.effects)
        or bool(target.stat("damage_zero_uses"))
    )


@lru_cache(maxsize=16384)
def _whole_view(target: Unit) -> object:
    """All that a plan may depend on: everything but names, weapons and numbers of models and wounds."""
    return tuple(pair for pair in target.stats if pair[0] != target.wounds), target.keywords, target.effects


@lru_cache(maxsize=16384)
def _shape(target: Unit) -> Target:
    shape = attacks_of(target.system).target_of
    assert shape is not None
    return replace(shape(target), groups=tuple(replace(group, name="") for group in shape(target).groups))


def _harm(packet: Packet) -> tuple[object, ...]:
    return packet.damage, packet.ward, packet.tracks, packet.cap


def _exactly(plan: Plan) -> Array:
    """The numbers of one plan from the exact engine."""
    result = Result("", "", plan, end_states(plan))
    lost = result.lost.mean()
    if plan.target.spills:
        harm = pool(plan, None)
        return np.array([harm @ np.arange(len(harm)), lost, result.slain.mean(), result.p_destroyed])
    return np.array([lost, lost, result.slain.mean(), result.p_destroyed])


# --- pools ------------------------------------------------------------------------------------------------


def _pool_group(views: Ints, view: int, shapes: Sequence[Target | None]) -> tuple[Ints, Ints, Ints]:
    """Targets of one view; the points that destroy each, and the points at which its models fall (padded with
    a far away one).
    """
    members = np.flatnonzero(views == view)
    landings = [land(shape) for index in members.tolist() if (shape := shapes[index]) is not None]
    ends = np.array([landing.states - 1 for landing in landings])
    falls = [np.flatnonzero(np.diff(landing.slain)) + 1 for landing in landings]
    places = np.full((len(landings), max(map(len, falls))), np.iinfo(np.int64).max)
    for row, points in enumerate(falls):
        places[row, : len(points)] = points
    return members, ends, places


def _pooled(distribution: Array, ends: Ints, places: Ints) -> Array:
    """Means from the tail of the pool: wounds lost are the sum of P(at least k), models slain of P(at least
    their last point).
    """
    last = len(distribution)
    tail = np.zeros(last + 1)  # P(at least k), and 0 beyond the end
    tail[:last] = np.cumsum(distribution[::-1])[::-1]
    sums = np.cumsum(tail) - tail[0]
    capped = np.minimum(ends, last)
    values = np.empty((len(ends), len(VALUES)))
    values[:, 0] = sums[-1]
    values[:, 1] = sums[capped]
    values[:, 2] = tail[np.minimum(places, last)].sum(axis=1)
    values[:, 3] = tail[capped]
    return values


# --- packets ----------------------------------------------------------------------------------------------


@lru_cache(maxsize=65536)
def _landing_distribution(strike: Volley, through: tuple[float, ...], compiled: bool) -> Array:
    """The distribution of the number of packets that get past their saves, over all attacks of a weapon."""
    table = compile_volley(strike)
    if compiled:
        distribution: Array = _loops().landing_distribution(
            table.probs, table.packets, np.array(through), strike.attacks.probs
        )
        return distribution
    one = np.zeros(int(table.packets.sum(axis=1).max(initial=0)) + 1)
    for chance, counts in zip(table.probs, table.packets.tolist(), strict=True):
        distribution = np.ones(1)
        for number, past in zip(counts, through, strict=True):
            for _ in range(number):
                distribution = np.convolve(distribution, (1.0 - past, past))
        one[: len(distribution)] += chance * distribution
    counts = strike.attacks.probs
    return power(one, len(counts) - 1, None) if counts[-1] == 1.0 else repeat(one, counts, None)


@lru_cache(maxsize=65536)
def _packet_rows(packet: Packet, shape: Target, most: int, compiled: bool) -> Array:
    """What n packets come to on average, n = 0 .. most: [n, value]."""
    landing = land(shape)
    values = np.stack([landing.lost, landing.lost, landing.slain, ~landing.alive], axis=1).astype(np.float64)
    one = step(packet, shape)
    if compiled:
        rows: Array = _loops().packet_rows(one, values, landing.start, most)
        return rows
    rows = np.empty((most + 1, len(VALUES)))
    now = np.zeros(landing.states)
    now[landing.start] = 1.0
    for n in range(most + 1):
        rows[n] = now @ values
        now = now @ one
    return rows


def _fill(
    distribution: Array, table: Array, members: Ints, numbers: Ints, number: int, cells: Array, compiled: bool
) -> None:
    """The cells of those members that have the number: the distribution of packets weighs the rows
    of each target's table.
    """
    if compiled:
        _loops().fill_cells(distribution, table, members, numbers, number, cells)
    else:
        part = members[numbers == number]
        cells[part] = distribution @ table[part, : len(distribution)]


def _loops() -> ModuleType:
    from mathhammer.compare import sweep_kernels as walk_kernels  # numba is loaded only here

    return walk_kernels
