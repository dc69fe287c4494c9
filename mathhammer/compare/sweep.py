"""Whole armies at once: every attacker against every target, exact, with work shared between targets that are
alike.

A plan depends on a target only through what its rules look at, and on its size only through where the
packets land. So targets are grouped by what a plan sees of them; the distribution of what reaches them is
worked out once for a group; and what n packets (or points) do to a shape of target is a table. What does
not fit this is put to the exact engine one by one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mathhammer.compare.alike import Alike, Views, numbered
from mathhammer.compare.landed import (
    VALUES,
    Array,
    Ints,
    exactly,
    landed_packet,
    landing_distribution,
    loops,
    packet_rows,
    pooled,
    walked,
)
from mathhammer.dataclass import dataclass
from mathhammer.engine.exact import pool
from mathhammer.engine.mixing import check_mixed
from mathhammer.engine.plan import Packet, Plan, Volley
from mathhammer.errors import BadInputError, TooLargeError
from mathhammer.fight import make_question, plan_fight, plans_of
from mathhammer.games.bearing import LOOKED_AT, as_attacker, counts_itself, counts_target, rolls
from mathhammer.games.discovery import attacks_of
from mathhammer.games.weapon_choice import KINDS, Names, NoWeaponError, ways_to_attack, words_of
from mathhammer.games.words import command_named, flag_named
from mathhammer.units.conditions import switch
from mathhammer.units.effects import Effect
from mathhammer.units.unit import Unit

# behind them stands what the attacker used: a place in this, or NO_WEAPON
USED = (*KINDS, "named weapons")
NO_WEAPON = -1
MOST_TABLES = 128  # kept at a time, about 1 MB each for a whole game
Kinds = tuple[tuple[str, tuple[str, ...]], ...]  # of each volley its name, and the kinds of its packets


@dataclass(frozen=True, slots=True, eq=False)
class Sweep:
    """Targets that any number of attackers are put against, sorted once; `how` is what
    `fight` takes besides the method.
    """

    alike: Alike
    how: Mapping[str, Any]
    # what n packets of a harm do to every shape of target, as far as it was needed
    tables: dict[tuple[object, ...], Array]
    compiled: bool  # numba's loops instead of numpy: worth their loading for large questions
    # where it is not None, targets that are too much work for the exact engine are noted here, with the
    # reason, and have no numbers; else the whole row is refused
    refused: dict[int, str] | None = None

    @staticmethod
    def of(targets: Sequence[Unit], compiled: bool = False, **how: Any) -> Sweep:
        """The targets, sorted by what plans see of them."""
        return Sweep(Alike.of(targets, how), how, {}, compiled)

    @property
    def targets(self) -> tuple[Unit, ...]:
        """The targets, with the rules that bear on them."""
        return self.alike.targets

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
        if self.refused:
            without = list(self.refused)
            cells[without, : len(VALUES)], cells[without, len(VALUES)] = 0.0, NO_WEAPON
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
        used = frozenset(map(switch, words_of("use", self.how.get("use", ()))))
        attacker = as_attacker(attacker, used)
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
        every = (*attacker.effects, *effects, *friends)
        each = rolls(every) or len(effects) != len(self.how.get("effects", ()))
        reads = attacks_of(attacker.system).reads(attacker, (*effects, *friends))
        counting = counts_target(attacker.effects) or counts_itself((*effects, *friends))
        asked = replace(self, how={**self.how, "weapons": weapons})
        members = np.arange(len(self.targets))
        if each:
            asked._one_by_one(attacker, members, cells)
            return cells
        views = self.alike.to(attacker, self._looked_at(attacker), sized="target_models" in reads)
        if counting:
            asked._by_kind(attacker, members, views, cells)
            return cells
        asked._one_by_one(attacker, np.flatnonzero(self.alike.special), cells)
        if not all(self.alike.special):
            (asked._by_halves if len(views.each) == 2 else asked._by_views)(attacker, views, cells)
        return cells

    def _looked_at(self, attacker: Unit) -> frozenset[str]:
        """The keywords of a target at which the game looks in this situation."""
        attacks = attacks_of(attacker.system)
        if attacks.looked_at is None:
            return LOOKED_AT
        said = words_of("situation", self.how.get("situation", ()))
        used = words_of("commands", self.how.get("commands", ()))
        flags = attacker.stance.flags | {flag_named(attacks, flag) for flag in said}
        commands = frozenset({*(command_named(attacks, one) for one in used), *attacker.stance.commands})
        return attacks.looked_at(flags, commands)

    def _one_by_one(self, attacker: Unit, members: Ints, cells: Array) -> None:
        for index in members.tolist():
            cells[index] = self._alone(attacker, index)

    def _by_kind(self, attacker: Unit, members: Ints, views: Views, cells: Array) -> None:
        """One plan for all targets that are alike in everything, their size included."""
        known: dict[int, int] = {}
        for index in members.tolist():
            kind = int(views.whole[index])
            if kind < 0:
                cells[index] = self._alone(attacker, index)
            else:
                self._as(known.setdefault(kind, index), attacker, index, cells)

    def _as(self, first: int, attacker: Unit, index: int, cells: Array) -> None:
        """The numbers of a target that is like an earlier one, or is the first of its kind."""
        if first == index:
            cells[index] = self._alone(attacker, index)
            return
        cells[index] = cells[first]
        if self.refused is not None and first in self.refused:
            self.refused[index] = self.refused[first]

    def _plan(self, attacker: Unit, index: int) -> Plan:
        return plan_fight(attacker, self.targets[index], **self.how)

    def _alone(self, attacker: Unit, index: int) -> Array:
        """The numbers of one cell by itself; rules with a roll of their own make it a mixture."""
        try:
            parts = plans_of(make_question(attacker, self.targets[index], **self.how))
            check_mixed([plan for _, plan in parts])
            return sum((chance * exactly(plan) for chance, plan in parts), np.zeros(len(VALUES)))
        except TooLargeError as error:
            if self.refused is None:
                raise
            self.refused[index] = str(error)
            return np.zeros(len(VALUES))

    def _by_views(self, attacker: Unit, views: Views, cells: Array) -> None:
        """Damage that pools: one plan for all targets that look the same, whatever their size."""
        for members, ends, places in views.pools:
            cells[members] = pooled(pool(self._plan(attacker, int(members[0])), None), ends, places)

    def _by_halves(self, attacker: Unit, views: Views, cells: Array) -> None:
        """Damage lost with the model: chains shared by what the attack sees, packets by
        what the harm depends on.
        """
        striking, guarding = self._both_plans(attacker, views)
        strikes, guards = views.each
        known: dict[Kinds, tuple[list[Any], Ints]] = {}
        for plan, members in _by_strike(striking, strikes):
            classes: list[Any] = []
            numbers = np.full(len(members), -1)
            if not any(volley.again or volley.apart for volley in plan.volleys):
                kinds = tuple((volley.name, _kinds(volley)) for volley in plan.volleys)
                classes, every = known.get(kinds) or known.setdefault(kinds, _classes(guarding, kinds))
                numbers = every[guards[members]]
            rest = members[numbers < 0]
            self._by_harm(attacker, plan, rest, [guarding[guard] for guard in guards[rest].tolist()], cells)
            for number in sorted(set(numbers.tolist()) - {-1}):
                part = members[numbers == number]
                harms = classes[int(guards[part[0]])]
                sizes, back = np.unique(self.alike.sizes[part], return_inverse=True)
                cells[part] = self._landed(plan, harms, sizes)[back]

    def _by_harm(
        self, attacker: Unit, strike: Plan, members: Ints, guarding: Sequence[Plan], cells: Array
    ) -> None:
        """Targets that are attacked alike: those to which the same packets do the same are one."""
        kinds = [(volley.name, _kinds(volley)) for volley in strike.volleys]
        known: dict[object, int] = {}
        for index, plan in zip(members.tolist(), guarding, strict=True):
            size = int(self.alike.sizes[index])
            same = [(volley.name, _kinds(volley)) for volley in plan.volleys] == kinds
            body = replace(plan.target, groups=())
            harm = tuple(volley.packets for volley in plan.volleys), body, size
            key = harm if same else (index,)
            self._as(known.setdefault(key, index), attacker, index, cells)

    def _both_plans(self, attacker: Unit, views: Views) -> tuple[list[Plan], list[Plan]]:
        """A plan for each attack view and one for each guard view: a target may stand for one of both."""
        strikes, guards = views.each
        striking: dict[int, Plan] = {}
        guarding: dict[int, Plan] = {}
        pairs = zip(strikes.tolist(), guards.tolist(), strict=True)
        for index, (strike, guard) in enumerate(pairs):
            if strike >= 0 and (strike not in striking or guard not in guarding):
                plan = self._plan(attacker, index)
                striking.setdefault(strike, plan)
                guarding.setdefault(guard, plan)
        return [striking[view] for view in range(len(striking))], [
            guarding[view] for view in range(len(guarding))
        ]

    def _landed(self, plan: Plan, harms: Any, sizes: Ints) -> Array:
        """What the volleys of a plan come to for each of these shapes: [shape, value]."""
        counts = [
            landing_distribution(volley, through, self.compiled)
            for volley, (through, _) in zip(plan.volleys, harms, strict=True)
        ]
        if len(counts) == 1:
            table = self._table(harms[0][1], len(counts[0]) - 1)
            if not self.compiled:
                weighed: Array = counts[0] @ table[sizes, : len(counts[0])]
                return weighed
            rows = np.zeros((len(self.alike.shapes), len(VALUES)))
            loops().fill_cells(counts[0], table, sizes, np.zeros_like(sizes), 0, rows)
            return rows[sizes]
        return np.stack(
            [
                walked(counts, [harm for _, harm in harms], self.alike.shapes[size], self.compiled)
                for size in sizes
            ]
        )

    def _table(self, harm: Any, most: int) -> Array:
        """What n packets of one harm come to on average, for every shape: [shape, n, value]."""
        size = 1 << max(4, (most - 1).bit_length())
        if (harm, size) not in self.tables:
            packet = landed_packet(harm)
            while len(self.tables) >= MOST_TABLES:  # the oldest goes
                del self.tables[next(iter(self.tables))]
            self.tables[harm, size] = np.stack(
                [packet_rows(packet, shape, size, self.compiled) for shape in self.alike.shapes]
            )
        return self.tables[harm, size]


def _by_strike(plans: Sequence[Plan], strikes: Ints) -> list[tuple[Plan, Ints]]:
    """Targets that are attacked alike, whatever they then do about it, with a plan that says how."""
    alike: dict[tuple[object, ...], list[int]] = {}
    for view, plan in enumerate(plans):
        if plan.volleys:
            one = tuple((v.name, v.attacks, v.chain, _kinds(v), v.again, v.apart) for v in plan.volleys)
            alike.setdefault(one, []).append(view)
    return [(plans[views[0]], np.flatnonzero(np.isin(strikes, views))) for views in alike.values()]


def _kinds(volley: Volley) -> tuple[str, ...]:
    return tuple(packet.kind for packet in volley.packets)


def _classes(plans: list[Plan], kinds: Kinds) -> tuple[list[Any], Ints]:
    classes = [_class(plan, kinds) for plan in plans]
    return classes, numbered(classes)


def _class(plan: Plan, kinds: Kinds) -> tuple[tuple[tuple[float, ...], Any], ...] | None:
    """Of each volley, how often packets of these kinds get through, and what they then all do; None when
    they differ, or wait for packets of other volleys.
    """
    if len(plan.volleys) != len(kinds) or plan.target.uses:  # limited uses are part of the target's state
        return None
    found, queued = [], False
    for volley, (name, those) in zip(plan.volleys, kinds, strict=True):
        packets = {packet.kind: packet for packet in volley.packets}
        ours = [packets[kind] for kind in those if kind in packets]
        harms = {_harm(packet) for packet in ours}
        if volley.name != name or len(ours) != len(those) or len(harms) != 1:
            return None
        queued |= any(packet.rank is not None for packet in ours)
        found.append((tuple(packet.through[0] for packet in ours), harms.pop()))
    # of packets that all do the same the order does not matter; others land as they come, if none waits
    if len(found) > 1 and queued and len({harm for _, harm in found}) > 1:
        return None
    if len(found) > 1 and any(harm[-1] is not None for _, harm in found):  # so many of a kind count
        return None
    return tuple(found)


def _harm(packet: Packet) -> tuple[object, ...]:
    return packet.damage, packet.ward, packet.tracks, packet.cap
