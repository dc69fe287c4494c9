"""`reroll`: where the one re-roll of an action belongs, what it is worth, and the policy in words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import Any

import numpy as np

from mathhammer.dataclass import dataclass
from mathhammer.decide.showing import OfOneAttack
from mathhammer.dice.pmf import Pmf
from mathhammer.engine.best_reroll import FACES, STAGES, SURE, Array, Seen
from mathhammer.engine.exact import end_states
from mathhammer.engine.landing import Landing, land
from mathhammer.errors import BadInputError, UnknownNameError
from mathhammer.fight import both_units, make_question, plans_of
from mathhammer.games.discovery import attacks_of, get_game
from mathhammer.games.game import Fight
from mathhammer.games.telling import command_text
from mathhammer.one_reroll import best_end
from mathhammer.units.unit import Unit

GOALS = ("lost", "destroyed")
BEST = "best"


@dataclass(frozen=True, slots=True, repr=False)
class Reroll(OfOneAttack):
    """What one re-roll is worth: without it, always for one kind of roll, and where it is worth most.

    >>> import mathhammer as mh
    >>> mh.reroll("Gladiator Lancer: Lancer laser destroyer", "Deff Dread")
    Reroll(Gladiator Lancer against Deff Dread: best 5.476 wounds lost, wound 5.014, without 4.051)
    """

    attacker: Unit
    target: Unit
    goal: str
    policies: tuple[tuple[str, Pmf, float], ...]  # name, wounds lost, chance to destroy; the best is first
    used: tuple[tuple[str, float], ...]  # stage -> the chance that the best policy uses it there
    advice: tuple[str, ...]  # the best policy in words
    question: Fight = field(repr=False)

    @property
    def lost(self) -> Pmf:
        """Wounds lost under the best policy."""
        return self.policies[0][1]

    @property
    def p_destroyed(self) -> float:
        """The chance to destroy the target under the best policy."""
        return self.policies[0][2]

    def rows(self) -> list[dict[str, Any]]:
        """One row for each policy.

        >>> import mathhammer as mh
        >>> [row["policy"] for row in mh.reroll("Captain: melee", "Boyz").rows()]
        ['best', 'hit', 'wound', 'without']
        """
        return [
            {"policy": name, "lost": lost.mean(), "p_destroyed": chance}
            for name, lost, chance in self.policies
        ]

    def __repr__(self) -> str:
        index = 1 if self.goal == "lost" else 2
        shown = [(one[0], f"{one[1].mean():.4g}" if index == 1 else f"{one[2]:.1%}") for one in self.policies]
        fixed = max(self.policies[1:], key=lambda one: one[1].mean() if index == 1 else one[2])[0]
        values = dict(shown)
        what = "wounds lost" if index == 1 else "destroyed"
        return (
            f"Reroll({self.attacker.name} against {self.target.name}: best {values[BEST]} {what}, "
            f"{fixed} {values[fixed]}, without {values['without']})"
        )


def reroll(
    attacker: Unit | str,
    target: Unit | str,
    *,
    system: str | None = None,
    goal: str = "lost",
    **how: Any,
) -> Reroll:
    """Where a single re-roll belongs in an action, such as Command Re-roll in Warhammer 40,000.

    The player sees each batch of dice before he decides: the number of attacks, the hits, the wounds, each
    damage roll. The best policy is found by dynamic programming, for the most wounds lost on average or with
    `goal="destroyed"` for the best chance to destroy the target. `how` is what `fight` takes besides
    the method.

    >>> import mathhammer as mh
    >>> answer = mh.reroll("Gladiator Lancer: Lancer laser destroyer", "Deff Dread")
    >>> {name: round(lost.mean(), 3) for name, lost, _ in answer.policies}
    {'best': 5.476, 'hit': 4.928, 'wound': 5.014, 'damage': 4.362, 'without': 4.051}
    """
    if goal not in GOALS:
        raise UnknownNameError("reroll", "goal", str(goal), GOALS)
    one, other = both_units(attacker, target, system, "reroll")
    attacks = attacks_of(one.system, "reroll")
    if not attacks.one_reroll:
        raise BadInputError(f"reroll: {get_game(one.system).title} has no command that takes one roll again")
    question = make_question(one, other, **how)
    if set(question.situation.commands) & {attacks.best_reroll, *attacks.one_reroll.values()}:
        raise BadInputError("reroll: a command takes a roll again already (leave it out)")
    fixed = _fixed(question, one, other, how)
    allowed = frozenset(fixed)
    end: Array | None = None
    notes: list[tuple[str, Seen, bool]] = []
    for chance, plan in plans_of(question):
        landing = land(plan.target)
        row, policy = best_end(question, plan, allowed, goal)
        end = chance * row if end is None else end + chance * row
        notes += policy.notes
    assert end is not None
    states = landing.states
    best = (BEST, *_numbers(landing, end[:states]))
    plain = ("without", *_ends(question))
    shown = [
        (name, *numbers) for name, numbers in fixed.items() if abs(numbers[0].mean() - plain[1].mean()) > SURE
    ]
    used = tuple((stage, float(p)) for stage, p in zip(STAGES, end[states:], strict=True))
    return Reroll(one, other, goal, (best, *shown, plain), used, tuple(_advice(notes)), question)


def _fixed(question: Fight, one: Unit, other: Unit, how: dict[str, Any]) -> dict[str, tuple[Pmf, float]]:
    """What comes of always taking one kind of roll again; not where another rule forbids it."""
    attacks = attacks_of(one.system)
    names = [weapon.name for weapon in question.weapons]
    found = {}
    for roll, command in attacks.one_reroll.items():
        commands = (*question.situation.commands, command)
        try:
            same = make_question(one, other, **{**how, "weapons": names, "commands": commands})
            found[roll] = _ends(same)
        except BadInputError:  # dice that another rule rolls again already
            continue
    return found


def _ends(question: Fight) -> tuple[Pmf, float]:
    lost, gone = np.zeros(0), 0.0
    for chance, plan in plans_of(question):
        numbers = _numbers(land(plan.target), end_states(plan))
        size = max(len(lost), len(numbers[0]))
        lost = np.pad(lost, (0, size - len(lost))) + chance * np.pad(
            numbers[0].probs, (0, size - len(numbers[0]))
        )
        gone += chance * numbers[1]
    return Pmf(lost / lost.sum()), gone


def _numbers(landing: Landing, end: Array) -> tuple[Pmf, float]:
    lost = np.bincount(landing.lost, weights=end)
    return Pmf(lost / lost.sum()), float(end[~landing.alive].sum())


def _advice(notes: Iterable[tuple[str, Seen, bool]]) -> list[str]:
    """The decisions of a policy against a target as it stands at first, in lines by stage and batch."""
    said: dict[tuple[str, str, int], dict[int, set[bool]]] = {}
    for stage, (face, seen, dice), took in notes:
        said.setdefault((stage, face, dice), {}).setdefault(seen, set()).add(took)
    lines = []
    for stage in STAGES:
        for face in ("roll", *FACES):
            batches = {key[2]: values for key, values in said.items() if key[:2] == (stage, face)}
            if face in FACES[1:] and not any(True in took for v in batches.values() for took in v.values()):
                continue
            for dice, values in sorted(batches.items(), reverse=True)[:MOST_LINES]:
                lines.append(_line(stage, face, dice, values))
    return lines


MOST_LINES = 4  # of one stage


def _line(stage: str, face: str, dice: int, values: dict[int, set[bool]]) -> str:
    what = {
        "attacks": "number of attacks: roll the lowest again if it is",
        "damage": "damage: roll again what is",
    }.get(stage, f"{stage}: of {dice} dice, roll a {face} one again with successes:")
    always = sorted(seen for seen, took in values.items() if took == {True})
    depends = sorted(seen for seen, took in values.items() if len(took) == 2)
    if len(always) == len(values):
        return f"{what} any"
    if not always and not depends:
        return f"{what} none"
    parts = [_ranges(always)] if always else []
    parts += [f"{_ranges(depends)} if the rest needs it less"] if depends else []
    return f"{what} {', and '.join(parts)}; else keep it"


def _ranges(numbers: list[int]) -> str:
    """Numbers in few words.

    >>> _ranges([1, 2, 3, 5]), _ranges([1, 3, 4])
    ('1-3, 5', '1, 3-4')
    """
    groups: list[list[int]] = []
    for number in numbers:
        if groups and number == groups[-1][-1] + 1:
            groups[-1].append(number)
        else:
            groups.append([number])
    return ", ".join(f"{g[0]}-{g[-1]}" if len(g) > 1 else str(g[0]) for g in groups)


def policy_names(answer: Reroll) -> dict[str, str]:
    """Each policy as its game calls it."""
    attacks = attacks_of(answer.attacker.system)
    names = {roll: command_text(attacks, command) for roll, command in attacks.one_reroll.items()}
    return {BEST: "where it is worth most", "without": "without a re-roll", **names}
