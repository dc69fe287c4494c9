"""A plan as stages for the kernel: attacks that count packets, and packets that land."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mathhammer.dataclass import dataclass
from mathhammer.dice.pmf import Pmf
from mathhammer.dice.sums import power
from mathhammer.engine import kernels
from mathhammer.engine.landing import check_states, land, per_attack, points, step
from mathhammer.engine.lowest_first import lowest_first
from mathhammer.engine.plan import Packet, Plan, Target, Volley
from mathhammer.engine.stage_tables import Stage, StageBuilder
from mathhammer.engine.table import compile_volley, second_try
from mathhammer.errors import TooLargeError

Array = NDArray[np.float64]
Part = tuple[NDArray[np.int64], int]  # a histogram, and the block after its last one
MOST_DRAWS = 4 * 10**12  # attacks times trials: about an hour of two cores
MOST_ROW_ENTRIES = 4_000_000
MOST_POINTS = 10_000_000  # of damage in one pool
FEW_OUTCOMES = 5  # up to so many outcomes are worth folding save, damage and ward into the attack


@dataclass(frozen=True, slots=True)
class _Counted:
    """Packets of a kind that a counter counts, and how many there may be at the most."""

    packet: Packet
    counter: int
    most: int


@lru_cache(maxsize=256)
def compile_stages(plan: Plan) -> tuple[kernels.Stages, int]:
    """The stages of a plan, and how many different ends a trial may have; memoised."""
    builder = StageBuilder()
    if plan.target.spills:
        most = sum(
            (len(volley.attacks) - 1 + len(volley.again)) * (len(per_attack(volley)) - 1)
            for volley in plan.volleys
        )
        if most >= MOST_POINTS:
            raise TooLargeError(
                f"simulate: a damage pool of up to {most} points is too large (split the attacks)"
            )
        for volley in plan.volleys:
            _pool_volley(builder, volley)
        return builder.done(0), most + 1
    check_states(plan.target)
    queues: list[_Counted] = []
    for volley in plan.volleys:
        queued = _walk_volley(builder, volley, plan.target)
        if volley.apart:
            _land_queues(builder, plan.target, queued)
        else:
            queues += queued
    _land_queues(builder, plan.target, queues)
    landing = land(plan.target)
    return builder.done(landing.start), landing.states


def _land_queues(builder: StageBuilder, target: Target, queues: list[_Counted]) -> None:
    """Packets that waited, rank after rank."""
    if any(len(queue.packet.picks) > 1 and not queue.packet.saves for queue in queues):
        raise TooLargeError(
            "simulate: attacks that pick one of several models, and harm it once more, are not simulated "
            '(use method="exact")'
        )
    for queue in sorted(queues, key=lambda queue: queue.packet.rank or 0):
        _land_rows(builder, target, queue)


def _attack_stage(builder: StageBuilder, volley: Volley) -> Stage:
    """The attacks of a volley, with a table of their number unless there are always as many."""
    counts = volley.attacks.probs
    stage = Stage(kernels.ATTACKS, builder.counters, attacks=len(counts) - 1)
    if counts[-1] == 1.0:
        return stage
    return stage._replace(count_table=builder.rows(counts[None, :]), count_width=len(counts))


# --- damage that pools
# -------------------------------------------------------------------------------------------


def _pool_volley(builder: StageBuilder, volley: Volley) -> None:
    """Stages of a volley whose damage pools."""
    one = per_attack(volley)
    stage = _attack_stage(builder, volley)
    most = stage.attacks * (len(one) - 1)
    values = np.flatnonzero(one > 0.0)
    if not volley.again and len(values) <= FEW_OUTCOMES and builder.folded + most < 2**16:
        builder.folded += most
        order = sorted(values.tolist(), key=lambda value: -one[value])
        builder.add_attacks(stage._replace(counter=0), one[order], [{0: value} for value in order])
        return
    damages = [points(packet) for packet in volley.packets]
    different = list(dict.fromkeys(damages))  # kinds that deal the same share a counter
    counter_of = [builder.counters + different.index(damage) for damage in damages]
    tries = [(volley, stage)]
    for place in range(len(volley.again)):
        failures = builder.counters + len(different) + place
        counter_of.append(failures)
        tries.append(
            (second_try(volley, place), Stage(stage.kind, stage.counter, attacks=1, if_counter=failures))
        )
    largest = dict.fromkeys(counter_of, 0)
    for tried, attacks in tries:
        table = compile_volley(tried)
        # a later try counts only the failures of the tries that follow it
        columns = [*counter_of[: len(damages)], *counter_of[len(counter_of) - len(tried.again) :]]
        columns = columns if tried.again else counter_of[: len(damages)]
        adds = [_added(columns, counts) for counts in table.packets.tolist()]
        builder.add_attacks(attacks._replace(counters=len(set(counter_of))), table.probs, adds)
        for counter in set(columns):
            largest[counter] += attacks.attacks * max(add.get(counter, 0) for add in adds)
    for counter, damage in enumerate(different, builder.counters):
        _pool_rows(builder, damage, counter, largest[counter])
    builder.counters += len(set(counter_of))


def _added(counters: list[int], counts: list[int]) -> dict[int, int]:
    """What an outcome adds to each counter."""
    add: dict[int, int] = {}
    for counter, number in zip(counters, counts, strict=True):
        add[counter] = add.get(counter, 0) + number
    return add


def _pool_rows(builder: StageBuilder, damage: Pmf, counter: int, largest: int) -> None:
    """All packets of a kind at once, one draw from row (number) of the sums of their damage."""
    width = largest * (len(damage) - 1) + 1
    if largest >= 2**16 or (largest + 1) * width > MOST_ROW_ENTRIES:
        raise TooLargeError(
            f"simulate: {largest} packets of up to {len(damage) - 1} damage are too many (split the attacks)"
        )
    rows = np.zeros((largest + 1, width))
    for n in range(largest + 1):
        total = power(damage.probs, n, None)
        rows[n, : len(total)] = total
    builder.add(Stage(kernels.POOL, counter, table=builder.rows(rows), width=width, largest=largest))


# --- damage that is lost with the model it hits
# -------------------------------------------------------------------


def _walk_volley(builder: StageBuilder, volley: Volley, target: Target) -> list[_Counted]:
    """Stages of a volley whose excess damage is lost; gives its queued packets with their counters."""
    at_once = [k for k, packet in enumerate(volley.packets) if packet.rank is None]
    queued = [k for k, packet in enumerate(volley.packets) if packet.rank is not None]
    together = _commute([step(volley.packets[k], target) for k in at_once])
    kinds = [*queued, *at_once] if together else queued
    stage = _attack_stage(builder, volley)
    tries = [(volley, stage)]
    for place in range(
        len(volley.again)
    ):  # failures are kinds of their own, and a try looks at their counter
        kinds = [*kinds, len(volley.packets) + place]
        failures = builder.counters + len(kinds) - 1
        tries.append(
            (second_try(volley, place), Stage(stage.kind, stage.counter, attacks=1, if_counter=failures))
        )
    counter_of = {k: builder.counters + place for place, k in enumerate(kinds)}
    most = dict.fromkeys(kinds, 0)
    for tried, attacks in tries:
        attacks = attacks._replace(counters=len(kinds))
        table = compile_volley(tried)
        # a later try counts fewer kinds of failures: those of the tries that follow it
        ours, gone = len(volley.packets), len(volley.again) - len(tried.again)
        columns = {k: k if k < ours else k - gone for k in kinds if k < ours or k >= ours + gone}
        adds = [{counter_of[k]: counts[c] for k, c in columns.items()} for counts in table.packets.tolist()]
        if not together:  # kinds whose order matters: land attack by attack, by the number of the outcome
            attacks = _landing_each(builder, attacks, tried, target)
            adds = [{**add, attacks.outcome: outcome} for outcome, add in enumerate(adds)]
        builder.add_attacks(attacks, table.probs, adds)
        for k, column in columns.items():
            most[k] += attacks.attacks * int(table.packets[:, column].max())
    if max(most.values(), default=0) >= 2**16:
        raise TooLargeError(
            f"simulate: {max(most.values())} packets of one kind are too many (split the attacks)"
        )
    builder.counters += len(kinds) + (not together)
    if together:
        for k in at_once:
            _land_rows(builder, target, _Counted(volley.packets[k], counter_of[k], most[k]))
    return [_Counted(volley.packets[k], counter_of[k], most[k]) for k in queued]


def _landing_each(builder: StageBuilder, stage: Stage, volley: Volley, target: Target) -> Stage:
    """The same attacks, each of which moves the target by its outcome before the next one is rolled."""
    outcomes, size = len(compile_volley(volley).probs), land(target).states
    if outcomes * size * size > 4 * MOST_ROW_ENTRIES:
        raise TooLargeError(f"simulate: {outcomes} outcomes on {size} states are too many (split the target)")
    rows = builder.rows(_outcome_steps(volley, target).reshape(-1, size))
    outcome = stage.counter + stage.counters
    stage = stage._replace(kind=kernels.EACH, outcome=outcome, counters=stage.counters + 1)
    return stage._replace(table=rows, width=size, rows_each=size)


def _commute(steps: list[Array]) -> bool:
    return all(
        np.allclose(a @ b, b @ a, rtol=0.0, atol=1e-13) for i, a in enumerate(steps) for b in steps[i + 1 :]
    )


def _outcome_steps(volley: Volley, target: Target) -> Array:
    """What each outcome of one attack does at once, [outcome, state, state]."""
    table = compile_volley(volley)
    size = land(target).states
    result = np.empty((len(table.probs), size, size))
    for place, counts in enumerate(table.packets.tolist()):
        matrix = np.eye(size)
        for number, packet in zip(counts[: len(volley.packets)], volley.packets, strict=True):
            if packet.rank is None:
                matrix = matrix @ np.linalg.matrix_power(step(packet, target), number)
        result[place] = matrix
    return result


def _land_rows(builder: StageBuilder, target: Target, counted: _Counted) -> None:
    """All packets of a kind at once, one draw from row (number, state) of the powers of its step; too many
    rows: one by one.
    """
    packet, counter = counted.packet, counted.counter
    size = land(target).states
    largest = counted.most if packet.cap is None else min(counted.most, packet.cap)
    start = land(target).start
    fresh = not builder.landed()  # then a trial can only be in the first state, and needs no rows of others
    rows_each = 1 if fresh else size
    if (largest + 1) * rows_each * size > MOST_ROW_ENTRIES:
        if packet.saves:
            raise TooLargeError(
                f"simulate: {largest} saves at once on {size} states are too many (split the attacks)"
            )
        place, width = builder.steps(step(packet, target))
        builder.add(Stage(kernels.STEPS, counter, table=place, width=width, rows_each=size, largest=largest))
        return
    powers = _powers(np.eye(1, size, start) if fresh else np.eye(size), packet, target, largest)
    place = builder.rows(powers.reshape(-1, size))
    if fresh:
        # The kernel reads row `number * rows_each + state`, and every state is `start`: with one row for each
        # number it would read `start` rows too far, so the table is said to begin so many rows earlier.
        place -= start * size
    builder.add(Stage(kernels.ROWS, counter, table=place, width=size, rows_each=rows_each, largest=largest))


def _powers(start: Array, packet: Packet, target: Target, largest: int) -> Array:
    """What any number of packets of a kind does from each of these states: [number, start, state]."""
    if packet.saves:
        return lowest_first(start, packet, target, largest)
    one = step(packet, target)
    powers = np.empty((largest + 1, *start.shape))
    powers[0] = start
    for n in range(1, largest + 1):
        powers[n] = powers[n - 1] @ one
    return powers
