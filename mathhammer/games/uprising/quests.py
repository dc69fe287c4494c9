"""Questions about rolls outside combat: pools, hero dice, quests, the best split of cunning dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from mathhammer.dataclass import dataclass
from mathhammer.dice.pmf import Pmf
from mathhammer.dice.rerolls import ChosenReroll, best_rerolls
from mathhammer.dice.symbols import Counts, Distribution, pool_distribution
from mathhammer.errors import BadInputError
from mathhammer.games.fields import Fields, choice, listed, whole
from mathhammer.games.uprising.pools import (
    MOST_DICE,
    SYMBOLS,
    DiceBox,
    Faces,
    dice_box,
    in_words,
    read_pool,
    read_reroll,
)
from mathhammer.pools.battle import Asked, PoolRoll

Odds = dict[str, Any]
ATTRIBUTES = {"might": "red", "magic": "purple", "charisma": "blue"}  # UP-HERO-1
MOST_GOALS = 10
AIMS = ("chance", "points")


@dataclass(frozen=True, slots=True)
class Goal:
    """At least so many skulls, shields and bolts in one roll, and the points it is worth."""

    least: Counts
    vp: int = 0

    def met(self, counts: Counts) -> bool:
        """True when the roll shows enough; symbols are not used up (UP-QST-2)."""
        return all(shown >= wanted for shown, wanted in zip(counts, self.least, strict=True))

    def __str__(self) -> str:
        wanted = [f"{number} {symbol}" for number, symbol in zip(self.least, SYMBOLS, strict=True) if number]
        return " and ".join(wanted) + (f" ({self.vp} VP)" if self.vp else "")


@dataclass(frozen=True, slots=True)
class Quest:
    """Goals on one roll, how many of them are needed, and the points for success."""

    goals: tuple[Goal, ...]
    need: int
    success_vp: int

    def met(self, counts: Counts) -> int:
        """How many goals a roll meets."""
        return sum(goal.met(counts) for goal in self.goals)

    def vp(self, counts: Counts) -> int:
        """Points of a roll: goal bonuses of all goals met, on success only (UP-QST-4)."""
        if self.met(counts) < self.need:
            return 0
        return self.success_vp + sum(goal.vp for goal in self.goals if goal.met(counts))

    def worth(self, counts: Counts, aim: str) -> int:
        """What a roll is worth to whoever plays for the chance of success, or for points."""
        return self.vp(counts) if aim == "points" else int(self.met(counts) >= self.need)


def hero_dice(
    *, might: int = 0, magic: int = 0, charisma: int = 0, cunning: int = 0, yellow: int = 0
) -> Odds:
    """The dice of a hero's attributes (UP-HERO-1); `yellow` of the cunning dice are yellow, the others white
    (UP-HERO-3).

    Quests and all other rolls outside combat use them, without god powers (UP-QST-5).

    >>> hero_dice(magic=1, cunning=3, yellow=2)["pool"]
    {'purple': 1, 'yellow': 2, 'white': 1}
    """
    points = {"might": might, "magic": magic, "charisma": charisma}
    pool = {colour: whole("hero_dice", name, points[name], 0, 20) for name, colour in ATTRIBUTES.items()}
    cunning = whole("hero_dice", "cunning", cunning, 0, 20)
    pool["yellow"] = whole("hero_dice", "yellow", yellow, 0, cunning)
    pool["white"] = cunning - pool["yellow"]
    return {
        "pool": {colour: number for colour, number in pool.items() if number},
        "dice_set": "none (no dice are rolled)",
    }


def hero_pool(where: str, hero: Any) -> tuple[str, ...]:
    if hero is None:
        return ()
    fields = Fields(f"{where}: hero", hero, "might, magic, charisma, cunning, yellow")
    given = {name: fields.whole(name, 0, high=20) for name in (*ATTRIBUTES, "cunning", "yellow")}
    fields.reject_unknown()
    return read_pool(where, hero_dice(**given)["pool"])


def _roll(where: str, box: DiceBox, colours: Sequence[str], reroll: Any) -> PoolRoll:
    """The dice of a pool, and what of them is rerolled."""
    dice = box.pool(where, colours)
    return PoolRoll(dice, SYMBOLS, tuple(read_reroll(where, reroll, len(dice))))


def _quest_roll(roll: PoolRoll, asked: Quest, best: str | None) -> PoolRoll | ChosenReroll:
    """The roll of a quest: blanks are rolled again, or what is best for an aim (UP-RR-1)."""
    if best is None or not roll.rerolls:
        return roll
    return ChosenReroll(
        roll.dice, roll.symbols, roll.rerolls[0], lambda counts: float(asked.worth(counts, best))
    )


def pool(
    *,
    pool: Mapping[str, int],
    reroll: int | str = 0,
    faces: Faces = None,
    method: str = "exact",
    trials: int = 100_000,
    seed: int = 0,
) -> Asked:
    """What a pool shows: the joint distribution of (skulls, shields, bolts) and their means (UP-DICE-2).

    >>> from mathhammer import odds
    >>> answer = odds("uprising", "pool", pool={"blue": 1, "white": 1})
    >>> round(answer["joint"][1, 1, 0], 6), round(answer["mean"][0], 6)
    (0.166667, 0.833333)
    """
    box = dice_box("pool", faces)
    colours = read_pool("pool", pool)
    lines = [f"Dice set: {box.used}.", f"Pool: {in_words(colours)}{_reroll_text(reroll)}."]

    def read(distribution: Distribution, seen: int | None) -> Odds:
        answer = {"method": method, "dice_set": box.used.name}
        return {**_pool_answer(distribution, lines), **answer, **({} if seen is None else {"trials": seen})}

    return Asked("pool", _roll("pool", box, colours, reroll), read, method, trials, seed)


def _pool_answer(distribution: Distribution, lines: Sequence[str]) -> Odds:
    means = [float(mean) for mean in distribution.means()]
    shown = ", ".join(f"{mean:.4f} {symbol}s" for mean, symbol in zip(means, SYMBOLS, strict=True))
    return {
        "joint": distribution.probs(),
        "mean": means,
        "explain": "\n".join([*lines, f"Mean: {shown} (UP-DICE-2)."]),
    }


def _reroll_text(reroll: Any, aim: str | None = None) -> str:
    if not reroll or reroll == "all":
        return ", all dice thrown again (UP-RR-1)" if reroll else ""
    if aim is not None:
        number = "any number of" if reroll == "any" else f"up to {reroll}"
        return f", {number} dice rerolled as is best for {aim} (UP-RR-1)"
    return f", up to {reroll} blanks rerolled, the strongest colour first (UP-RR-3)"


def _read_quest(where: str, goals: Any, need: Any, success_vp: Any) -> Quest:
    notes = []
    for number, entry in enumerate(listed(where, "goals", goals), 1):
        fields = Fields(f"{where}: goal {number}", entry, "skull, shield or bolt with a minimum, and vp")
        least = tuple(fields.whole(symbol, 0, high=200) for symbol in SYMBOLS)
        notes.append(Goal(least, fields.whole("vp", 0, high=100)))
        fields.reject_unknown()
        if not any(least):
            raise BadInputError(
                f"{where}: goal {number} asks for nothing (give skull, shield or bolt with a minimum)"
            )
    if not 1 <= len(notes) <= MOST_GOALS:
        raise BadInputError(f"{where}: {len(notes)} goals (give 1 to {MOST_GOALS})")
    return Quest(
        tuple(notes),
        whole(where, "need", need, 1, len(notes)),
        whole(where, "success_vp", success_vp, 0, 100),
    )


def quest(
    *,
    goals: Sequence[Mapping[str, int]],
    pool: Mapping[str, int] | None = None,
    hero: Mapping[str, int] | None = None,
    need: int = 1,
    success_vp: int = 0,
    reroll: int | str = 0,
    best: str | None = None,
    faces: Faces = None,
    method: str = "exact",
    trials: int = 100_000,
    seed: int = 0,
) -> Asked:
    """A quest: goals are thresholds on one roll, `need` of them must be met (UP-QST-1, UP-QST-2,
    UP-QST-3, UP-QST-4).

    `pool` and the dice of `hero` are rolled together. Blanks are rerolled, the strongest die first (UP-RR-3);
    with `best` "chance" or "points" whatever dice serve success or points best (UP-RR-1).

    >>> from mathhammer import odds
    >>> answer = odds("uprising", "quest", pool={"purple": 1, "yellow": 2, "white": 1},
    ...     goals=[{"skull": 3}, {"shield": 1}, {"bolt": 1}], need=2)
    >>> round(answer["p_success"], 6)
    0.308642
    """
    box = dice_box("quest", faces)
    colours = read_pool("quest", pool or {}) + hero_pool("quest", hero)
    asked = _read_quest("quest", goals, need, success_vp)
    aim = None if best is None else choice("quest", "aim of best play", best, AIMS)
    again = _reroll_text(reroll, aim)
    lines = [f"Dice set: {box.used}.", f"Pool: {in_words(colours)}{again} (UP-QST-1)."]

    def read(distribution: Distribution, seen: int | None) -> Odds:
        answer = _quest_answer(asked, distribution, seen)
        explained = "\n".join([*lines, *_explain_quest(asked, answer)])
        return {**answer, "method": method, "dice_set": box.used.name, "explain": explained}

    roll = _quest_roll(_roll("quest", box, colours, reroll), asked, aim)
    return Asked("quest", roll, read, method, trials, seed)


def _quest_answer(asked: Quest, distribution: Distribution, seen: int | None) -> Odds:
    met = distribution.of(asked.met)
    points = distribution.of(asked.vp)
    mean = sum((value * chance for value, chance in points.items()), Fraction(0))
    answer: Odds = {
        "p_success": float(distribution.chance(lambda counts: asked.met(counts) >= asked.need)),
        "p_goal": [float(distribution.chance(goal.met)) for goal in asked.goals],
        "goals_met": Pmf(
            Pmf.of({number: float(chance) for number, chance in met.items()}).probs.copy(), seen
        ),
        "expected_vp": float(mean),
    }
    if seen is not None:
        spread = float(
            sum((value * value * chance for value, chance in points.items()), Fraction(0)) - mean * mean
        )
        share = answer["p_success"]
        answer["trials"] = seen
        answer["standard_errors"] = {
            "p_success": (share * (1 - share) / seen) ** 0.5,
            "expected_vp": (max(0.0, spread) / seen) ** 0.5,
        }
    return answer


def _explain_quest(asked: Quest, answer: Odds) -> list[str]:
    lines = [
        f"Goal {n}, {goal}: {chance:.4f}."
        for n, (goal, chance) in enumerate(zip(asked.goals, answer["p_goal"], strict=True), 1)
    ]
    lines.append(
        f"{asked.need} of {len(asked.goals)} goals on one roll (UP-QST-2, UP-QST-3): "
        f"{answer['p_success']:.4f}."
    )
    lines.append(f"Expected points, bonuses on success only (UP-QST-4): {answer['expected_vp']:.4f}.")
    return lines


def best_cunning(
    *,
    goals: Sequence[Mapping[str, int]],
    cunning: int,
    pool: Mapping[str, int] | None = None,
    hero: Mapping[str, int] | None = None,
    need: int = 1,
    success_vp: int = 0,
    reroll: int | str = 0,
    by: str = "chance",
    best: str | None = None,
    faces: Faces = None,
) -> Odds:
    """The split of cunning dice into white and yellow with the best chance of success, or with `by` "points"
    the most expected points (UP-HERO-3); fewest yellow among equals. `best` is as for a quest.

    >>> best = best_cunning(pool={"purple": 1}, cunning=3, goals=[{"skull": 3}, {"shield": 1},
    ...     {"bolt": 1}], need=2)
    >>> best["yellow"], best["white"]
    (0, 3)
    """
    box = dice_box("best_cunning", faces)
    colours = read_pool("best_cunning", pool or {}) + hero_pool("best_cunning", hero)
    points = whole("best_cunning", "cunning", cunning, 0, MOST_DICE - len(colours))
    asked = _read_quest("best_cunning", goals, need, success_vp)
    choice("best_cunning", "by", by, AIMS)
    aim = None if best is None else choice("best_cunning", "aim of best play", best, AIMS)
    chances: list[Fraction] = []
    means: list[Fraction] = []
    for yellow in range(points + 1):
        split = (*colours, *["yellow"] * yellow, *["white"] * (points - yellow))
        roll = _quest_roll(_roll("best_cunning", box, split, reroll), asked, aim)
        if isinstance(roll, ChosenReroll):
            distribution = best_rerolls(roll)
        else:
            distribution = pool_distribution(roll.dice, roll.symbols, roll.rerolls)
        chances.append(distribution.chance(lambda counts: asked.met(counts) >= asked.need))
        means.append(sum((vp * chance for vp, chance in distribution.of(asked.vp).items()), Fraction(0)))
    wanted = means if by == "points" else chances
    choose = wanted.index(max(wanted))
    lines = [f"Dice set: {box.used}.", f"Pool besides cunning: {in_words(colours)}."]
    lines += [
        f"{n} yellow, {points - n} white: success {float(chance):.4f}, points {float(mean):.4f}."
        for n, (chance, mean) in enumerate(zip(chances, means, strict=True))
    ]
    lines.append(f"Best by {by} (UP-HERO-3): {choose} yellow, {points - choose} white.")
    return {
        "yellow": choose,
        "white": points - choose,
        "p_success": float(chances[choose]),
        "expected_vp": float(means[choose]),
        "p_by_yellow": [float(chance) for chance in chances],
        "vp_by_yellow": [float(mean) for mean in means],
        "dice_set": box.used.name,
        "explain": "\n".join(lines),
    }
