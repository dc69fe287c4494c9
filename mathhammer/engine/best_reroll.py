"""The best use of a single re-roll over the stages of an action, by dynamic programming.

An action is rolled weapon by weapon: the number of attacks, all hit rolls, all wound rolls, then each damage
roll as it comes. After each of them the player has seen what was rolled, and decides whether to roll one die
again or to keep the re-roll. Worked backwards: what every situation leads to, with the re-roll and without.

What a situation leads to is a row: the chance of each state of the target in the end, and behind these the
chance that the re-roll is used at each stage. So the answer is a whole distribution, not just its mean.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from mathhammer.dataclass import dataclass
from mathhammer.dice.pmf import Pmf
from mathhammer.dice.sums import power
from mathhammer.engine.chain import Chain, Roll, chances, first_fails
from mathhammer.engine.exact import end_states
from mathhammer.engine.landing import Landing, land, step
from mathhammer.engine.plan import Packet, Plan, Volley
from mathhammer.engine.table import outcomes
from mathhammer.errors import BadInputError, TooLargeError

Array = NDArray[np.float64]
SURE = 1e-9  # worths closer than this are the same
STAGES = ("attacks", "hit", "wound", "damage")
MOST_ATTACKS = 40
FACES = ("failed", "successful", "critical")
Seen = tuple[str, int, int]  # which die may be rolled again; the roll, or successes; and dice of the batch
Counts = tuple[int, ...]
Leads = tuple[Array, Array]  # where every state of the target leads to: without the re-roll, and with it


@dataclass(frozen=True, slots=True)
class _Face:
    """A kind of result of one die: its chance, what it sends on, and whether the die may be rolled again."""

    chance: float
    sends: tuple[tuple[Counts, float], ...]
    fresh: float  # the share of such dice that no other rule has rolled again
    again: float  # its chance when the die is rolled again


@dataclass(frozen=True, slots=True, eq=False)
class Policy:
    """Decides by what is worth more in the end; notes what it decided, for the table of a policy."""

    worth: Array  # of each entry of a row
    allowed: frozenset[str]
    notes: list[tuple[str, Seen, bool]]

    def better(self, keep: Array, again: Array, stage: str, what: Seen, state: int) -> Array:
        """Row by row the better of keeping the re-roll and using it now; noted for one state."""
        used = again.copy()
        used[:, len(self.worth) - len(STAGES) + STAGES.index(stage)] += 1.0
        take = used @ self.worth > keep @ self.worth + SURE
        self.notes.append((stage, what, bool(take[state])))
        return np.where(take[:, None], used, keep)


def best_rows(
    plan: Plan, worth: Array, allowed: frozenset[str], bearers: Mapping[str, int]
) -> tuple[Array, Policy]:
    """The row of the start of a plan under the best policy: chances of all states, then of use by stage.
    `bearers` are the models with each weapon: random numbers of attacks are rolled for each of them.
    """
    landing = land(plan.target)
    if plan.target.spills or len(plan.target.tracks) > 1:
        raise BadInputError("reroll: not for damage that spills, or for attacks that pick Characters")
    if any(volley.again for volley in plan.volleys):
        raise BadInputError("reroll: another rule rolls one die again (leave that rule out)")
    size = landing.states + len(STAGES)
    end = np.eye(landing.states, size)
    policy = Policy(np.concatenate([worth, np.zeros(len(STAGES))]), allowed, [])
    leads: Leads = (end, end)
    for volley in reversed(plan.volleys):
        leads = _Action(volley, landing, plan, policy, leads, bearers.get(volley.name, 1)).attacks()
    plain = leads[0][landing.start][: landing.states]
    if not np.allclose(plain, end_states(plan), rtol=0.0, atol=1e-9):
        raise BadInputError("reroll: weapons whose wounds wait for each other (ask for one weapon)")
    return leads[1][landing.start], policy


@dataclass(frozen=True, slots=True, eq=False)
class _Action:
    """One weapon: `after` is where the target's states lead to once its attacks are done."""

    volley: Volley
    landing: Landing
    plan: Plan
    policy: Policy
    after: Leads
    bearers: int

    def attacks(self) -> Leads:
        """Before the number of attacks is rolled."""
        number = self.volley.attacks
        if len(number) - 1 > MOST_ATTACKS:
            raise TooLargeError(f"reroll: up to {len(number) - 1} attacks (at most {MOST_ATTACKS})")
        stage = self._stages()
        each = _root(number, self.bearers)
        plain = self._mean(number.to_dict(), stage, 0)
        if "attacks" not in self.policy.allowed or each is None or len(each.to_dict()) < 2:
            return plain, self._mean(number.to_dict(), stage, 1)
        total = np.zeros_like(plain)
        for (sum_of, low), chance in _with_lowest(each, self.bearers).items():
            again = self._mean({sum_of - low + new: p for new, p in each.to_dict().items()}, stage, 0)
            keep = stage(sum_of)[1]
            best = self.policy.better(keep, again, "attacks", ("roll", low, 0), self.landing.start)
            total += chance * best
        return plain, total

    def _mean(self, chances_of: dict[int, float], stage: Callable[[int], Leads], which: int) -> Array:
        return sum((p * stage(n)[which] for n, p in chances_of.items()), np.zeros_like(self.after[0]))

    def _stages(self) -> Callable[[int], Leads]:
        """Where a number of attacks leads to."""
        chain, kinds = self.volley.chain, tuple(packet.kind for packet in self.volley.packets)
        land_all = cache(self._landed)
        rolls = [name for name, lane in chain.lanes if isinstance(lane, Roll)]
        if not set(rolls) <= {"hit", "wound"}:
            raise BadInputError(f"reroll: {self.volley.name} has rolls that are not covered")
        wound = self._rolled("wound", kinds, land_all) if "wound" in rolls else None
        if chain.start == "hit":
            hit = self._rolled("hit", ("wound", *kinds), lambda c: self._wounds(wound, c, land_all))
            return cache(lambda n: hit(n, (0,) * (1 + len(kinds))))
        if chain.start == "wound" and wound is not None:
            return cache(lambda n: wound(n, (0,) * len(kinds)))
        sent = _sent(chain, (chain.start,), kinds, ())
        return cache(lambda n: _mixed(_powered(sent, n), (0,) * len(kinds), land_all))

    @staticmethod
    def _wounds(
        wound: Callable[[int, Counts], Leads] | None, counts: Counts, land_all: Callable[[Counts], Leads]
    ) -> Leads:
        return land_all(counts[1:]) if wound is None or not counts[0] else wound(counts[0], counts[1:])

    def _rolled(
        self, name: str, kinds: tuple[str, ...], following: Callable[[Counts], Leads]
    ) -> Callable[[int, Counts], Leads]:
        """Where so many dice of a roll lead to, with what is there already."""
        lane = self.volley.chain.lane(name)
        assert isinstance(lane, Roll)
        faces = _faces(self.volley.chain, name, lane, kinds)
        after = cache(following)
        able = name in self.policy.allowed and not lane.auto

        @cache
        def of(dice: int, before: Counts) -> Leads:
            plain = with_it = np.zeros_like(self.after[0])
            for counts, chance in _multinomial(dice, [face.chance for face in faces]):
                now = _together(faces, counts, before)
                plain = plain + chance * _expected(now, after, 0)
                keep = _expected(now, after, 1)
                best = keep
                for place in range(len(faces)) if able else ():
                    share = _some_fresh(counts[place], faces[place].fresh)
                    if share:
                        again = self._again(faces, counts, place, before, after)
                        what = (FACES[place], counts[1] + counts[2], dice)
                        better = self.policy.better(keep, again, name, what, self.landing.start)
                        best = self._best_of(best, share * better + (1.0 - share) * keep)
                with_it = with_it + chance * best
            return plain, with_it

        return of

    def _best_of(self, one: Array, other: Array) -> Array:
        worth = self.policy.worth
        take = other @ worth > one @ worth + SURE
        return np.where(take[:, None], other, one)

    @staticmethod
    def _again(
        faces: list[_Face], counts: Counts, place: int, before: Counts, after: Callable[[Counts], Leads]
    ) -> Array:
        """One die of a face is rolled again; the new roll stands."""
        less = tuple(n - (number == place) for number, n in enumerate(counts))
        parts = []
        for number, face in enumerate(faces):
            if face.again:
                more = tuple(n + (one == number) for one, n in enumerate(less))
                parts.append(face.again * _expected(_together(faces, more, before), after, 0))
        return sum(parts[1:], parts[0])

    def _landed(self, counts: Counts) -> Leads:
        """Where packets lead to that land one after the other: those that land at once first."""
        ranks = [packet.rank for packet in self.volley.packets]
        order = sorted(range(len(counts)), key=lambda n: (ranks[n] is not None, ranks[n] or 0))
        waiting = [n for n in order if counts[n]]
        if not waiting:
            return self.after
        first = waiting[0]
        rest = self._landed(tuple(n - (place == first) for place, n in enumerate(counts)))
        packet = self.volley.packets[first]
        matrix = step(packet, self.plan.target)
        plain = matrix @ rest[0]
        if "damage" not in self.policy.allowed or all(len(d.to_dict()) < 2 for d in packet.damage):
            return plain, matrix @ rest[1]
        return plain, self._damage(packet, rest)

    def _damage(self, packet: Packet, rest: Leads) -> Array:
        """A packet that may be rolled again once its damage is seen."""
        target, landing = self.plan.target, self.landing
        groups = np.maximum(landing.group[0], 0)
        through = np.where(landing.alive, np.array(packet.through)[groups], 0.0)
        sure = (1.0,) * len(packet.through)
        most = max(len(damage) for damage in packet.damage)
        chance = np.array([[damage[x] for x in range(most)] for damage in packet.damage])[groups]
        steps = [
            step(replace(packet, through=sure, damage=tuple(Pmf.constant(x) for _ in sure)), target)
            for x in range(most)
        ]
        again = sum((chance[:, x, None] * (steps[x] @ rest[0]) for x in range(most)), np.zeros_like(rest[0]))
        total = (1.0 - through)[:, None] * rest[1]
        for x in range(most):
            if chance[:, x].any():
                best = self.policy.better(steps[x] @ rest[1], again, "damage", ("roll", x, 0), landing.start)
                total = total + (through * chance[:, x])[:, None] * best
        return total


def _faces(chain: Chain, name: str, lane: Roll, kinds: tuple[str, ...]) -> list[_Face]:
    """Fail, success and critical of a roll, with what each sends to the next stage."""
    first, new = chances(lane), chances(replace(lane, reroll=frozenset()))
    untouched = 0.0 if lane.reroll else 1.0
    crit = (lane.on_success if lane.on_crit is None else lane.on_crit) + lane.added_on_crit
    fresh = first_fails(lane) / first.fail if first.fail else 0.0
    stops = ("hit", "wound") if name == "hit" else (name,)
    return [
        _Face(chance, tuple(_sent(chain, sends, kinds, stops).items()), share, again)
        for chance, sends, share, again in (
            (first.fail, lane.on_fail, fresh, new.fail),
            (first.success, lane.on_success, untouched, new.success),
            (first.crit, crit, untouched, new.crit),
        )
    ]


def _sent(
    chain: Chain, tokens: tuple[str, ...], kinds: tuple[str, ...], stops: tuple[str, ...]
) -> dict[Counts, float]:
    """What tokens come to at the next roll, or as packets: lanes that stop are not rolled yet."""
    lanes = [(name, lane) for name, lane in chain.lanes if name not in stops]
    go = ("go", Roll(needs=None, auto=True, on_success=tokens))
    probs, numbers = outcomes(Chain("go", tuple(sorted([*lanes, go], key=lambda one: one[0]))), kinds)
    return {tuple(map(int, row)): float(p) for p, row in zip(probs, numbers, strict=True)}


def _multinomial(dice: int, chance: list[float]) -> Iterator[tuple[Counts, float]]:
    fail, success, crit = chance
    for good in range(dice + 1):
        for best in range(dice - good + 1):
            bad = dice - good - best
            p = comb(dice, good) * comb(dice - good, best) * fail**bad * success**good * crit**best
            if p > 0.0:
                yield (bad, good, best), p


def _some_fresh(number: int, share: float) -> float:
    """The chance that at least one of so many dice may still be rolled again."""
    return 1.0 - (1.0 - share) ** number if number else 0.0


def _powered(sent: dict[Counts, float], times: int) -> dict[Counts, float]:
    total: dict[Counts, float] = {(0,) * len(next(iter(sent))): 1.0}
    for _ in range(times):
        more: dict[Counts, float] = {}
        for a, p in total.items():
            for b, q in sent.items():
                key = tuple(x + y for x, y in zip(a, b, strict=True))
                more[key] = more.get(key, 0.0) + p * q
        total = more
    return total


def _together(faces: list[_Face], counts: Counts, before: Counts) -> dict[Counts, float]:
    """What dice of these faces send on, with what is there already."""
    total = {before: 1.0}
    for face, number in zip(faces, counts, strict=True):
        for _ in range(number):
            more: dict[Counts, float] = {}
            for a, p in total.items():
                for b, q in face.sends:
                    # a stage further on counts fewer kinds: the roll that was made is gone
                    key = tuple(x + y for x, y in zip(_padded(a, len(b)), b, strict=True))
                    more[key] = more.get(key, 0.0) + p * q
            total = more
    return total


def _padded(counts: Counts, size: int) -> Counts:
    return counts + (0,) * (size - len(counts))


def _expected(now: dict[Counts, float], after: Callable[[Counts], Leads], which: int) -> Array:
    parts = [p * after(counts)[which] for counts, p in now.items()]
    return sum(parts[1:], parts[0])


def _mixed(sent: dict[Counts, float], before: Counts, after: Callable[[Counts], Leads]) -> Leads:
    now = {tuple(x + y for x, y in zip(before, key, strict=True)): p for key, p in sent.items()}
    return _expected(now, after, 0), _expected(now, after, 1)


def _root(total: Pmf, number: int) -> Pmf | None:
    """The distribution of which `total` is the sum of so many; None where there is none."""
    if number == 1:
        return total
    probs = total.probs
    low = int(np.flatnonzero(probs)[0])
    if low % number or (len(probs) - 1) % number:
        return None
    size = (len(probs) - 1 - low) // number + 1
    shifted = probs[low:]
    root = np.zeros(size)
    root[0] = shifted[0] ** (1.0 / number)
    for k in range(1, size):  # each coefficient follows from those before it
        so_far = power(root[: k + 1], number, None)
        root[k] = (shifted[k] - (so_far[k] if len(so_far) > k else 0.0)) / (number * root[0] ** (number - 1))
    each = np.concatenate([np.zeros(low // number), np.maximum(root, 0.0)])
    if not np.allclose(power(each / each.sum(), number, None), probs, rtol=0.0, atol=1e-9):
        return None
    return Pmf(each / each.sum())


def _with_lowest(each: Pmf, number: int) -> dict[tuple[int, int], float]:
    """The chance of each sum of so many rolls with the lowest of them."""
    found: dict[tuple[int, int], float] = {}
    for low in each.to_dict():
        at_least, above = each.probs.copy(), each.probs.copy()
        at_least[:low] = 0.0
        above[: low + 1] = 0.0
        share = power(at_least, number, None) - power(above, number, None)
        found |= {(total, low): float(p) for total, p in enumerate(share) if p > 1e-15}
    return found
