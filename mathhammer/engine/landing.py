"""`Landing`: the target as a small Markov chain of states, and what each packet does to them."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mathhammer.dataclass import dataclass
from mathhammer.dice.pmf import SAME, Pmf
from mathhammer.dice.sums import power
from mathhammer.engine.chain import Chain
from mathhammer.engine.plan import Packet, Target, Volley
from mathhammer.engine.table import outcomes
from mathhammer.errors import TooLargeError

Array = NDArray[np.float64]
NONE = np.ones(1)  # no damage, for certain
Ints = NDArray[np.int64]
MOST_STATES = 5_000  # a step has so many rows and columns


@dataclass(frozen=True, slots=True, eq=False)
class Landing:
    """The states of a target: where it starts, and wounds lost, models slain and groups gone in each.

    A state is a place on every track (wounds lost along it, model after model) and the limited uses left.
    """

    start: int
    lost: Ints
    slain: Ints
    gone: NDArray[np.bool_]  # [group, state]
    alive: NDArray[np.bool_]
    group: Ints  # [track, state]: who takes the next packet there; -1 when the track is empty
    left: Ints  # [track, state]: wounds left on that model
    stride: tuple[int, ...]  # of each track
    uses: Ints
    lost_of: Ints  # [group, state]: wounds lost by each group
    slain_of: Ints  # [group, state]

    @property
    def states(self) -> int:
        """How many states there are."""
        return len(self.lost)


@lru_cache(maxsize=4096)
def land(target: Target) -> Landing:
    """The states of a target, memoised."""
    per_track = [_track(target, members) for members in target.tracks]
    shape = [*(len(place.group) for place in per_track), target.uses + 1]
    grid = np.indices(shape).reshape(len(shape), -1)
    strides = [int(np.prod(shape[axis + 1 :])) for axis in range(len(shape))]
    places = range(len(per_track))
    gone = np.zeros((len(target.groups), grid.shape[1]), dtype=np.bool_)
    for axis in places:
        for member, empty in per_track[axis].gone.items():
            gone[member] = empty[grid[axis]]
    nothing = np.zeros(grid.shape[1], dtype=np.int64)
    lost_of, slain_of = np.zeros((2, *gone.shape), dtype=np.int64)
    for axis in places:
        for member, (lost, slain) in per_track[axis].each.items():
            lost_of[member], slain_of[member] = lost[grid[axis]], slain[grid[axis]]
    return Landing(
        start=target.uses,  # nothing lost yet, all limited uses left
        lost=sum((grid[axis] for axis in places), nothing),
        slain=sum((per_track[axis].slain[grid[axis]] for axis in places), nothing),
        gone=gone,
        alive=~np.logical_and.reduce(gone, axis=0),
        group=np.array([per_track[axis].group[grid[axis]] for axis in places]),
        left=np.array([per_track[axis].left[grid[axis]] for axis in places]),
        stride=tuple(strides[: len(per_track)]),
        uses=grid[-1],
        lost_of=lost_of,
        slain_of=slain_of,
    )


def check_states(target: Target) -> None:
    """Refuses a target whose steps would not fit into memory."""
    states = land(target).states
    if states > MOST_STATES:
        raise TooLargeError(
            f"fight: the target has {states} states (at most {MOST_STATES}: split it into smaller units)"
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Track:
    group: Ints
    left: Ints
    slain: Ints
    gone: dict[int, NDArray[np.bool_]]
    each: dict[int, tuple[Ints, Ints]]  # wounds lost and models slain of each group, at every place


def _track(target: Target, members: tuple[int, ...]) -> _Track:
    group: list[int] = []
    left: list[int] = []
    slain: list[int] = []
    ends: dict[int, int] = {}
    dead = 0
    for member in members:
        models = target.groups[member]
        for number in range(models.models):
            places = models.wounds - (models.hurt if number == 0 else 0)  # a wounded model has fewer places
            group += [member] * places
            left += range(places, 0, -1)
            slain += [dead] * places
            dead += 1
        ends[member] = len(group)
    place = np.arange(len(group) + 1)
    return _Track(
        group=np.array([*group, -1]),
        left=np.array([*left, 0]),
        slain=np.array([*slain, dead]),
        gone={member: place >= end for member, end in ends.items()},
        each={
            member: _shares(np.array([*group, -1]) == member, np.array([*slain, dead])) for member in members
        },
    )


def _shares(here: NDArray[np.bool_], slain: Ints) -> tuple[Ints, Ints]:
    """Wounds lost and models slain of one group, from the places at which it is hit and the models slain."""
    before = np.concatenate([[0], np.cumsum(here)[:-1]])
    fallen = np.concatenate([[0], np.cumsum(np.diff(slain) * here[:-1])])
    return before, fallen


@lru_cache(maxsize=8192)
def step(packet: Packet, target: Target) -> Array:
    """What one packet does: the chance to go from each state to each other, [states, states], memoised."""
    return step_of(packet, target)


def step_of(packet: Packet, target: Target) -> Array:
    """The same, worked out anew."""
    landing = land(target)
    if packet.low:
        return _lowest_again(packet, landing)
    matrix = np.zeros((landing.states, landing.states))
    waiting = landing.alive.copy()
    np.fill_diagonal(matrix, np.where(waiting, 0.0, 1.0))
    for order, states in track_orders(packet.tracks, packet.picks, target):
        for track in order:
            here = waiting & states & (landing.group[track] >= 0)
            waiting &= ~here
            _land_on(matrix, packet, landing, track, np.flatnonzero(here))
    rest = np.flatnonzero(waiting)
    matrix[rest, rest] = 1.0  # nobody left whom this packet may reach
    matrix.setflags(write=False)
    return matrix


Orders = tuple[tuple[tuple[int, ...], NDArray[np.bool_]], ...]


@lru_cache(maxsize=4096)
def track_orders(tracks: tuple[int, ...], picks: tuple[int, ...], target: Target) -> Orders:
    """In which order tracks take packets, with the states in which they do so, memoised."""
    landing = land(target)
    if not target.ranks:
        return ((tracks, np.ones(landing.states, dtype=np.bool_)),)
    wounds = np.array([group.wounds for group in target.groups] + [0])
    whole = landing.left >= wounds[landing.group]  # nobody there is wounded
    found: dict[tuple[int, ...], NDArray[np.bool_]] = {}
    for state in range(landing.states):
        left = [track for track in range(len(target.ranks)) if landing.group[track, state] >= 0]
        left.sort(key=lambda track: (target.ranks[track], whole[track, state], track))
        first = [track for track in picks if track in left][:1]
        order = (*first, *(track for track in left if track not in first))
        found.setdefault(order, np.zeros(landing.states, dtype=np.bool_))[state] = True
    return tuple(found.items())


def _lowest_again(packet: Packet, landing: Landing) -> Array:
    """A step of one model whose limited uses hold the lowest damage roll so far (the most there is: none
    yet): a packet notes its roll, and at the end the lowest is rolled again where a new one is better on
    average.
    """
    damage, most = packet.damage[0], int(landing.lost.max())
    stride = landing.stride[0]
    matrix = np.zeros((landing.states, landing.states))
    for state in range(landing.states):
        lost, low = int(landing.lost[state]), int(landing.uses[state])
        if not landing.alive[state] or (packet.low == "again" and low >= damage.mean()):
            matrix[state, state] = 1.0
            continue
        through = packet.through[0] if packet.low == "note" else 1.0
        matrix[state, state] += 1.0 - through
        for value, chance in damage.to_dict().items():
            total = min(most, lost + value if packet.low == "note" else lost - low + value)
            matrix[state, total * stride + (min(low, value) if packet.low == "note" else low)] += (
                through * chance
            )
    matrix.setflags(write=False)
    return matrix


def _land_on(matrix: Array, packet: Packet, landing: Landing, track: int, states: Ints) -> None:
    groups, lefts = landing.group[track], landing.left[track]
    limited = (landing.uses > 0) & (packet.spared is not None or packet.reroll_low)
    for member, left, use in {(int(groups[s]), int(lefts[s]), bool(limited[s])) for s in states}:
        rows = states[(groups[states] == member) & (lefts[states] == left) & (limited[states] == use)]
        through = packet.through[member]
        matrix[rows, rows] += 1.0 - through
        for used, points in _damage(packet, member, left, use):
            for lost, chance in enumerate(points):
                matrix[rows, rows + lost * landing.stride[track] - used] += through * chance


def _damage(packet: Packet, member: int, left: int, use: bool) -> list[tuple[int, Array]]:
    """What a packet past the save takes from a model with `left` wounds: limited uses spent, with the chance
    of each loss.
    """
    keep = 1.0 - packet.ward[member]
    damage = packet.damage[member]
    if not use:
        return [(0, damage.thin(keep).cut(left).probs)]
    if packet.spared is not None:  # spent by the packet that reaches the damage step
        spent = packet.spends[member] if packet.spends else 1.0
        spared = packet.spared[member].thin(keep).cut(left).probs
        return [(0, (1.0 - spent) * damage.thin(keep).cut(left).probs), (1, spent * spared)]
    each = [Pmf.constant(value).thin(keep).cut(left) for value in range(len(damage))]
    new = damage.thin(keep).cut(left)
    low = [value for value, distribution in enumerate(each) if distribution.mean() < new.mean() - SAME]
    after = np.zeros(left + 1)
    for value in set(range(len(damage))).difference(low):
        after[: len(each[value])] += damage[value] * each[value].probs
    return [(0, after), (1, sum(damage[value] for value in low) * new.probs)]


def points(packet: Packet) -> Pmf:
    """What one packet adds to a pool: save, damage and ward in one distribution."""
    through = packet.through[0]
    dealt = packet.damage[0].thin(1.0 - packet.ward[0])
    return dealt if through == 1.0 else dealt.mix(Pmf.constant(0), through)


@lru_cache(maxsize=16384)
def attack_pool(chain: Chain, packets: tuple[Packet, ...], without: str | None = None) -> Array:
    """The damage of one attack; with `without`, only of outcomes that count nothing of that kind.

    Memoised by all that counts: weapons of any name and number share it.
    """
    kinds = tuple(packet.kind for packet in packets)
    chances, numbers = outcomes(chain, kinds if without is None else (*kinds, without))
    if without is not None:
        kept = numbers[:, -1] == 0
        chances, numbers = chances[kept], numbers[kept][:, :-1]
    dealt = [points(packet) for packet in packets]
    distributions = [NONE]
    for counts in numbers.tolist():
        distribution = NONE
        for number, harm in zip(counts, dealt, strict=True):
            if number:
                more = power(harm.probs, number, None)
                distribution = more if distribution is NONE else np.convolve(distribution, more)
        distributions.append(distribution)
    one = np.zeros(max(map(len, distributions)))
    for chance, distribution in zip(chances, distributions[1:], strict=True):
        one[: len(distribution)] += chance * distribution
    one.setflags(write=False)
    return one


def per_attack(volley: Volley) -> Array:
    """The damage of one attack that pools, all rolls and wards included."""
    return attack_pool(volley.chain, volley.packets)
