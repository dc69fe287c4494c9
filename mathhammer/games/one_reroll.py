"""One die of a whole batch rolled again, picked once the batch is seen: a rule of the unit, or a command."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from mathhammer.engine.chain import Chain, Gate, Lane, Roll, chances, first_fails, flow
from mathhammer.engine.plan import Again, Volley
from mathhammer.games.effect_words import ONE_DIE
from mathhammer.units.effects import Active


def single_rerolls(changes: Iterable[Active]) -> frozenset[str]:
    """The kinds of rolls of which rules of the unit roll one die again."""
    return frozenset(change.key.removeprefix("reroll_") for change in changes if change.value == ONE_DIE)


def best_reroll(volleys: list[Volley]) -> list[Volley]:
    """One die of one weapon is rolled again: of several weapons the one for which it is worth most, on
    average.
    """
    rolling = [place for place, volley in enumerate(volleys) if volley.again]
    if len(rolling) < 2:
        return volleys
    best = max(rolling, key=lambda place: worth(volleys[place]))
    return [volley if place == best else replace(volley, again=()) for place, volley in enumerate(volleys)]


def turned_to_six(changes: Iterable[Active]) -> frozenset[str]:
    """The kinds of rolls of which one failed die counts as an unmodified 6."""
    return frozenset(roll for change in changes if change.key == "one_six" for roll in change.value)


def batch_again(
    rolls: frozenset[str], chain: Chain, sixes: frozenset[str] = frozenset()
) -> tuple[Chain, tuple[Again, ...]]:
    """With fast dice: after the batch, one failed die of each of these rolls is rolled again; of `sixes` it
    counts as a 6 instead.

    WH40K-REROLL: not a die that another rule has rolled again, and the new roll stands.
    """
    rolls = rolls | sixes
    able: dict[str, Roll] = {}
    for roll in ("hit", "wound"):
        lane = chain.lane(roll)
        if roll in rolls and isinstance(lane, Roll) and not lane.auto and first_fails(lane):
            able[roll] = lane
    counting = chain
    for roll, lane in able.items():
        counting = _with_failures(counting, roll, lane)
    agains = []
    for roll in able:
        # the die that is rolled again fails for good; what comes after it may still fail and count
        again = counting.edit(roll, no_reroll=True).without_fail(roll)
        if roll in sixes:
            again = again.with_six(roll)
        agains.append(Again(f"failed {roll}", replace(again, start=roll)))
    return counting, tuple(agains)


def worth(volley: Volley) -> float:
    """The mean damage that the further tries of a volley add."""
    total = 0.0
    for again in volley.again:
        fails = flow(volley.chain).entering.get(again.kind, 0.0)
        some = sum(
            chance * (1.0 - (1.0 - min(1.0, fails)) ** number)
            for number, chance in volley.attacks.to_dict().items()
        )
        entering = flow(again.chain).entering
        total += some * sum(
            entering.get(packet.kind, 0.0) * packet.through[0] * packet.damage[0].mean()
            for packet in volley.packets
        )
    return total


def _with_failures(chain: Chain, roll: str, lane: Roll) -> Chain:
    """The chain with a token for each failed die that may still be rolled again."""
    if not lane.reroll:
        return chain.with_fail(roll, f"failed {roll}")
    gate = Gate(first_fails(lane) / chances(lane).fail, f"failed {roll}")
    failing = chain.with_fail(roll, f"{roll} not rolled again")
    lanes: list[tuple[str, Lane]] = [*failing.lanes, (f"{roll} not rolled again", gate)]
    return replace(failing, lanes=tuple(sorted(lanes, key=lambda named: named[0])))
