"""The best plan over all sets of attackers: a few sets first, then those that can still make it better.

First the sets that are small or promising, their prices, and the best plan of them. Then, as long as there
are any, the sets that are worth more than their prices; and at last all that come so near to them that a
better plan may hold them. Where there is room for these, no plan with sets of any size is better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mathhammer.dataclass import dataclass
from mathhammer.decide.assigning import CLOSE, Program, Solution, priced, solve
from mathhammer.decide.blows import SURE
from mathhammer.decide.columns import Column, Goal, Option, Set, columns_on
from mathhammer.decide.prices import Hope, Prices
from mathhammer.units.unit import Unit

FIRST_ROOM = 24_000  # columns of all targets, before there are prices
ROOM = 300_000  # and after
ROUNDS = 30


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """A target with what can be done to it."""

    place: int
    target: Unit
    options: Sequence[Option]
    goal: Goal


@dataclass(frozen=True, slots=True)
class Weighed:
    """The best choice, and among which sets."""

    solution: Solution
    columns: int
    most: int  # all sets of up to so many attackers on one target that can matter were weighed
    whole: bool  # larger ones, too


def first_columns(field: Field, points: int, most: int, room: int) -> tuple[list[Column], int]:
    """Columns of a target; those with commands are weighed apart, as there are many more of them."""
    plain = [option for option in field.options if not option.blow.commands]
    if not plain:
        return [], most
    limits = (0, most, room)
    columns, tried = columns_on(field.place, field.target, plain, field.goal, limits)
    if len(plain) < len(field.options):
        limits = (points, most, room)
        more, fewer = columns_on(field.place, field.target, field.options, field.goal, limits)
        columns += [column for column in more if column.spends]
        tried = min(tried, fewer)
    return columns, tried


def best_choice(
    fields: Sequence[Field], program: Program, known: Sequence[Column], limits: tuple[int, int, float]
) -> Weighed:
    """The best plan; `program` holds the first columns, `known` is a plan, `limits`: the attackers on a
    target, those of which all sets are among the first columns, and seconds for the solver.
    """
    most, tried, seconds = limits
    weighed: dict[tuple[int, Set], Column] = {}
    _add(weighed, [*program.columns, *known])
    prices = _prices(program, weighed)
    if tried >= min(most, program.parts):
        solution = solve(replace(program, columns=list(weighed.values())), prices, known, seconds)
        return Weighed(solution, len(weighed), most, True)
    whole = False
    for _ in range(ROUNDS):
        found, reached = _hopeful(fields, prices, program, most, 0.0)
        whole = reached >= most
        if not _add(weighed, found):
            break
        prices = _prices(program, weighed)
    else:
        whole = False
    solution = solve(replace(program, columns=list(weighed.values())), prices, known, seconds / 2)
    if not solution.proven:
        found, reached = _hopeful(fields, prices, program, most, prices.total - solution.value)
        whole = whole and reached >= most
        _add(weighed, found)
        whole_program = replace(program, columns=list(weighed.values()))
        solution = solve(whole_program, prices, solution.chosen, seconds / 2)
    return Weighed(solution, len(weighed), most if whole else max(tried, reached), whole)


def _prices(program: Program, weighed: dict[tuple[int, Set], Column]) -> Prices:
    return priced(replace(program, columns=list(weighed.values())))


def _add(weighed: dict[tuple[int, Set], Column], columns: Sequence[Column]) -> int:
    """Takes up the sets that are new, or have a better order now; how many."""
    number = 0
    for one in columns:
        before = weighed.get((one.target, one.key))
        if before is None or one.value > before.value + SURE:
            weighed[one.target, one.key] = one
            number += 1
    return number


def _hopeful(
    fields: Sequence[Field], prices: Prices, program: Program, most: int, slack: float
) -> tuple[list[Column], int]:
    """The sets that are worth more than their prices, or less by no more than the slack; and up to how many
    attackers all of them are found.
    """
    least = CLOSE * max(1.0, abs(prices.total)) / program.targets - slack
    found, reached = [], most
    for field in fields:
        if not field.options:
            continue
        hope = Hope.of(field.target, field.options, field.goal, prices, (field.place, least))
        limits = (program.points, most, ROOM // len(fields))
        columns, tried = columns_on(field.place, field.target, field.options, field.goal, limits, hope)
        found += [column for column in columns if hope.beyond(column) > least]
        reached = min(reached, tried)
    return found, reached
