"""A question of the page: units against targets, read, checked and bounded."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from mathhammer.compare.matchups import targets_of
from mathhammer.dataclass import dataclass
from mathhammer.datasheets.asked import asked_unit
from mathhammer.datasheets.typed import asked_target
from mathhammer.errors import BadInputError, TooLargeError
from mathhammer.games.weapon_choice import ALL, BEST, KINDS
from mathhammer.serve.fields import Field, read_fields
from mathhammer.serve.limits import bounded
from mathhammer.units.unit import Unit

MOST_FIGHTS = 48  # attackers times targets
MOST_TRIALS = 200_000
WHERE = "answer"
FIELDS = (
    Field("system", "text", "The game, by its key. Default: the one that has the first attacker."),
    Field("attackers", "texts", 'Units or expressions, such as "10 Liberators: charged".', least=1, most=6),
    Field("targets", "texts", "Units, expressions or profiles. Default: the reference targets.", ()),
    Field("weapons", "text", "best, melee, ranged, all, or names with commas; for all attackers."),
    Field("situation", "texts", "Situations of all attacks, such as charged.", ()),
    Field("commands", "texts", "Commands in use in all attacks.", ()),
    Field("use", "texts", "Abilities in use, of whoever has them.", ()),
    Field("friends", "texts", "Units whose gifts the attackers have.", (), most=4),
    Field("target_friends", "texts", "Units whose gifts the targets have.", (), most=4),
    Field("distance", "number", "Inches between the units.", high=200),
    Field("round", "whole", "The battle round.", low=1, high=20),
    Field("options", "switches", "Readings of unclear rules, by name."),
    Field("method", "choice", "How it is worked out.", "exact", choices=("exact", "simulate")),
    Field("trials", "whole", "Trials of a simulation.", low=1, high=MOST_TRIALS),
    Field("seed", "whole", "Seed of a simulation.", 0, high=2**31),
    Field("by_save", "whole", "The target, counted from 0, of the table by save.", 0, high=MOST_FIGHTS),
)
REQUIRED = ("attackers",)


@dataclass(frozen=True, slots=True)
class Question:
    """A question that was read: its units, what goes to `fight`, and its fields as they were given."""

    attackers: tuple[Unit, ...]
    targets: tuple[Unit, ...]
    how: Mapping[str, Any]
    given: Mapping[str, Any]

    @property
    def system(self) -> str:
        """The game."""
        return self.attackers[0].system


def read_question(given: Any) -> Question:
    """A question from its JSON; an error in one sentence where something is wrong with it.

    >>> read_question({"attackers": ["Liberators"], "targets": ["Clanrats"]}).system
    'aos4'
    >>> read_question({"attackers": ["Liberators"], "seed": -1})
    Traceback (most recent call last):
    mathhammer.errors.BadInputError: answer: seed is -1 (give a whole number from 0 to 2147483648)
    """
    fields = read_fields(WHERE, FIELDS, given)
    if fields["attackers"] is None:
        raise BadInputError(f"{WHERE}: no attackers (give a list of units, such as ['Liberators'])")
    attackers = same_game(fields["attackers"], fields["system"])
    system = attackers[0].system
    named = [asked_target(text, system, None, WHERE) for text in fields["targets"]]
    targets = targets_of(attackers, named)
    bounded([*attackers, *targets])
    if len(attackers) * len(targets) > MOST_FIGHTS:
        raise TooLargeError(
            f"{WHERE}: {len(attackers)} attackers and {len(targets)} targets (at most {MOST_FIGHTS} pairs)"
        )
    return Question(tuple(attackers), tuple(targets), _how(fields, system), fields)


def same_game(texts: Sequence[str], system: str | None) -> list[Unit]:
    """Units of one game, which the first of them tells."""
    units: list[Unit] = []
    for text in texts:
        units.append(asked_unit(text, system or (units[0].system if units else None), None, WHERE))
    return units


def _how(fields: Mapping[str, Any], system: str) -> dict[str, Any]:
    """What goes to `fight`."""
    weapons: Any = fields["weapons"] or None
    if weapons is not None and weapons not in (*KINDS, BEST, ALL):
        weapons = tuple(name.strip() for name in weapons.split(",") if name.strip())
    how: dict[str, Any] = {
        "weapons": weapons,
        "situation": fields["situation"],
        "distance": fields["distance"],
        "round": fields["round"],
        "commands": fields["commands"],
        "friends": same_game(fields["friends"], system),
        "target_friends": same_game(fields["target_friends"], system),
        "use": fields["use"],
        "options": fields["options"] or None,
        "method": fields["method"],
    }
    bounded([*how["friends"], *how["target_friends"]])
    if fields["method"] == "simulate":
        how |= {"trials": fields["trials"] or MOST_TRIALS, "seed": fields["seed"]}
    elif fields["trials"] is not None:
        raise BadInputError(f"{WHERE}: trials are for a simulation (give method simulate)")
    return how


def command_line(question: Question) -> str:
    """The `mathhammer` command that gives the same.

    >>> print(command_line(read_question({"attackers": ["10 Liberators"], "targets": ["Clanrats"]})))
    mathhammer compare '10 Liberators' --vs Clanrats --system aos4
    """
    given = question.given
    words = ["mathhammer", "compare", *given["attackers"]]
    words += ["--vs", *given["targets"]] if given["targets"] else []
    words += ["--system", question.system]
    words += ["--weapons", given["weapons"]] if given["weapons"] else []
    repeated = {"situation": "situation", "commands": "command", "use": "use", "friends": "with"}
    for name, option in (repeated | {"target_friends": "target-with"}).items():
        words += [word for value in given[name] for word in (f"--{option}", value)]
    words += [] if given["distance"] is None else ["--distance", f"{given['distance']:g}"]
    words += [] if given["round"] is None else ["--round", str(given["round"])]
    for name, value in (given["options"] or {}).items():
        words += ["--option", f"{name}={value}"]
    if given["method"] == "simulate":
        words += ["--method", "simulate", "--trials", str(question.how["trials"])]
        words += ["--seed", str(given["seed"])]
    return shlex.join(words)


def python_line(question: Question) -> str:
    """The Python line that gives the same.

    >>> print(python_line(read_question({"attackers": ["Liberators"], "targets": ["Clanrats"]})))
    mathhammer.compare(['Liberators'], ['Clanrats'], system='aos4')
    """
    given = question.given
    parts = [repr(list(given["attackers"]))]
    parts += [repr(list(given["targets"]))] if given["targets"] else []
    parts.append(f"system={question.system!r}")
    parts += [] if question.how["weapons"] is None else [f"weapons={question.how['weapons']!r}"]
    parts += [f"{name}={list(given[name])!r}" for name in ("situation", "commands", "use") if given[name]]
    for name in ("friends", "target_friends"):
        units = ", ".join(f"mathhammer.unit({text!r}, {question.system!r})" for text in given[name])
        parts += [f"{name}=[{units}]"] if units else []
    parts += [f"{name}={given[name]!r}" for name in ("distance", "round") if given[name] is not None]
    parts += [f"options={dict(given['options'])!r}"] if given["options"] else []
    if given["method"] == "simulate":
        parts += ["method='simulate'", f"trials={question.how['trials']}", f"seed={given['seed']}"]
    return f"mathhammer.compare({', '.join(parts)})"
