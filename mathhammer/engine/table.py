"""`AttackTable`: a volley compiled to a short list of joint outcomes with their chances."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mathhammer.dataclass import dataclass
from mathhammer.dice.pmf import Pmf
from mathhammer.engine.chain import Chain, Fan, Flow, Gate, Roll, chances, flow
from mathhammer.engine.plan import Volley
from mathhammer.errors import TooLargeError

Counts = tuple[int, ...]
Distribution = dict[Counts, float]
MOST_OUTCOMES = 20_000


@dataclass(frozen=True, slots=True, eq=False)
class AttackTable:
    """What one attack of a weapon produces: `packets[o, k]` packets of kind k with chance `probs[o]`."""

    attacks: Pmf
    kinds: tuple[str, ...]
    probs: NDArray[np.float64]
    packets: NDArray[np.uint8]
    flow: Flow


@lru_cache(maxsize=4096)
def compile_volley(volley: Volley) -> AttackTable:
    """The table of a volley, memoised."""
    kinds = tuple(packet.kind for packet in volley.packets)
    kinds += tuple(again.kind for again in volley.again)  # counted like packets, in the last columns
    probs, packets = outcomes(volley.chain, kinds)
    return AttackTable(volley.attacks, kinds, probs, packets, flow(volley.chain))


@lru_cache(maxsize=4096)
def outcomes(chain: Chain, kinds: tuple[str, ...]) -> tuple[NDArray[np.float64], NDArray[np.uint8]]:
    """What one token sent down a chain comes to: chances, and how many packets of each kind, the most
    probable outcome first.

    That order keeps the kernel's thresholds clear of 2^16.
    """
    ordered = sorted(_distribution(chain, kinds).items(), key=lambda item: (-item[1], item[0]))
    probs = np.array([chance for _, chance in ordered])
    packets = np.array([counts for counts, _ in ordered], dtype=np.uint8).reshape(len(ordered), len(kinds))
    probs.setflags(write=False)
    packets.setflags(write=False)
    return probs, packets


def second_try(volley: Volley, place: int) -> Volley:
    """One more try of a volley, as a volley of its own, with the tries that may follow it."""
    one, later = volley.again[place], volley.again[place + 1 :]
    return replace(volley, attacks=Pmf.constant(1), chain=one.chain, again=later)


def _distribution(chain: Chain, kinds: tuple[str, ...]) -> Distribution:
    nothing = (0,) * len(kinds)
    known: dict[str, Distribution] = {}

    def distribution_of(name: str) -> Distribution:
        if name not in known:
            lane = chain.lane(name)
            if lane is None:
                known[name] = {tuple(int(kind == name) for kind in kinds): 1.0}
            elif isinstance(lane, Fan):
                known[name] = _fan_out(distribution_of(lane.to), lane.pmf(), nothing)
            elif isinstance(lane, Gate):
                known[name] = _fan_out(
                    distribution_of(lane.to), Pmf.of([1.0 - lane.chance, lane.chance]), nothing
                )
            else:
                known[name] = _roll_out(lane)
        return known[name]

    def together(names: Counts | tuple[str, ...]) -> Distribution:
        distribution: Distribution = {nothing: 1.0}
        for name in names:
            distribution = _convolve(distribution, distribution_of(str(name)))
        return distribution

    def _roll_out(roll: Roll) -> Distribution:
        chance = chances(roll)
        crit = roll.on_success if roll.on_crit is None else roll.on_crit
        distribution: Distribution = {}
        for share, names in (
            (chance.fail, roll.on_fail),
            (chance.success, roll.on_success),
            (chance.crit, crit + roll.added_on_crit),
        ):
            if share > 0.0:
                for counts, p in together(names).items():
                    distribution[counts] = distribution.get(counts, 0.0) + share * p
        return distribution

    return distribution_of(chain.start)


def _convolve(a: Distribution, b: Distribution) -> Distribution:
    distribution: Distribution = {}
    for counts_a, p in a.items():
        for counts_b, q in b.items():
            counts = tuple(x + y for x, y in zip(counts_a, counts_b, strict=True))
            distribution[counts] = distribution.get(counts, 0.0) + p * q
    if len(distribution) > MOST_OUTCOMES or any(max(counts, default=0) > 255 for counts in distribution):
        raise TooLargeError("fight: one attack of this weapon has too many outcomes (use fewer extra hits)")
    return distribution


def _fan_out(one: Distribution, number: Pmf, nothing: Counts) -> Distribution:
    total: Distribution = {}
    so_far: Distribution = {nothing: 1.0}
    for n in range(len(number)):
        if number[n] > 0.0:
            for counts, p in so_far.items():
                total[counts] = total.get(counts, 0.0) + number[n] * p
        if n + 1 < len(number):
            so_far = _convolve(so_far, one)
    return total


def volley_funnel(volley: Volley) -> dict[str, float]:
    """The funnel of one weapon; saves are those of the target's first group."""
    table = compile_volley(volley)
    attacks = volley.attacks.mean()
    entering, leaving = table.flow.entering, table.flow.leaving
    rolls = bool(volley.chain.lanes)
    counts: dict[str, float] = {"attacks": attacks} if rolls else {}
    for stage in volley.chain.stages:
        if stage.leaving is not None:
            counts[stage.label] = attacks * leaving.get(stage.leaving, 0.0)
            counts["criticals"] = attacks * table.flow.crits.get(stage.leaving, 0.0)
        else:
            through = {
                packet.kind: packet.through[0] if stage.past_save else 1.0 for packet in volley.packets
            }
            counts[stage.label] = attacks * sum(
                entering.get(name, 0.0) * through.get(name, 1.0) for name in stage.entering
            )
    dealt = [
        (entering.get(p.kind, 0.0) * p.through[0], p.damage[0].mean(), p.ward[0])
        for p in volley.packets
        if p.low != "again"  # a roll again, not one more
    ]
    counts["damage before ward"] = attacks * sum(number * mean for number, mean, _ in dealt)
    counts["damage"] = attacks * sum(number * mean * (1.0 - ward) for number, mean, ward in dealt)
    return counts
