"""A duel of two units on the page, round by round."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from mathhammer.datasheets.asked import asked_unit
from mathhammer.duel import duel
from mathhammer.duel.document import duel_document
from mathhammer.errors import BadInputError, TooLargeError
from mathhammer.serve.fields import Field, read_fields
from mathhammer.serve.limits import bounded
from mathhammer.serve.taking import rounds_csv, rounds_markdown
from mathhammer.units.unit import Unit

MOST_STATES = 10_000  # wounds of one unit times wounds of the other
WHO = ("both", "a", "b", "none")
WHERE = "duel"
FIELDS = (
    Field("system", "text", "The game, by its key. Default: the one that has the first unit."),
    Field("a", "text", "One side: a unit or an expression."),
    Field("b", "text", "The other side."),
    Field("first", "choice", "Who has the first turn.", "a", choices=("a", "b")),
    Field("rounds", "whole", "Battle rounds.", 5, low=1, high=10),
    Field("distance", "number", "Inches between them. Default: they begin in combat.", high=100),
    Field("charge", "choice", "Who charges.", "both", choices=WHO),
    Field("approach", "choice", "Who moves towards the enemy.", "none", choices=WHO),
)
REQUIRED = ("a", "b")


def answer_duel(question: Mapping[str, Any]) -> dict[str, Any]:
    """Two units fight it out: the document of `mathhammer duel --format json`, with its rounds.

    >>> found = answer_duel({"a": "Liberators", "b": "Clanrats", "rounds": 2})
    >>> [one["round"] for one in found["rounds"]], found["command"]
    ([1, 2], 'mathhammer duel Liberators Clanrats --rounds 2 --system aos4')
    """
    fields = read_fields(WHERE, FIELDS, question)
    for side in REQUIRED:
        if not fields[side]:
            raise BadInputError(f"{WHERE}: no unit for side {side} (give its name)")
    one = asked_unit(fields["a"], fields["system"], None, WHERE)
    other = asked_unit(fields["b"], one.system, None, WHERE)
    bounded([one, other])
    if (one.health + 1) * (other.health + 1) > MOST_STATES:
        raise TooLargeError(
            f"{WHERE}: {one.health} and {other.health} wounds are too many for the page (take smaller units, "
            "or the command line)"
        )
    how = {name: fields[name] for name in ("first", "rounds", "distance", "charge", "approach")}
    found = duel(one, other, **how)
    rounds = [
        {
            "round": point.round,
            "p_win": point.p_win,
            "p_lose": point.p_lose,
            "models": list(point.models),
            "points_lost": list(point.points_lost),
            "p_engaged": point.p_engaged,
        }
        for point in found.by_round
    ]
    document = duel_document(found, ())
    return document | {
        "csv": rounds_csv(rounds),
        "markdown": rounds_markdown(rounds, found.names, document["conditions"]["text"]),
        "names": list(found.names),
        "rounds": rounds,
        "models_at_least": [[left.at_least(k) for k in range(len(left))] for left in found.models],
        "command": command_line(fields, one),
        "python": python_line(fields, one),
        "explain": found.explain(),
    }


def _said(fields: Mapping[str, Any]) -> dict[str, Any]:
    """What is not as it is when nobody says so."""
    usual = {field.name: field.default for field in FIELDS}
    return {
        name: fields[name]
        for name in ("first", "rounds", "distance", "charge", "approach")
        if fields[name] != usual[name]
    }


def command_line(fields: Mapping[str, Any], one: Unit) -> str:
    """The `mathhammer` command that gives the same duel."""
    words = ["mathhammer", "duel", fields["a"], fields["b"]]
    for name, value in _said(fields).items():
        words += [f"--{name}", f"{value:g}" if name == "distance" else str(value)]
    return shlex.join([*words, "--system", one.system])


def python_line(fields: Mapping[str, Any], one: Unit) -> str:
    """The Python line that gives the same duel."""
    said = {"rounds": fields["rounds"], **_said(fields)}
    parts = [repr(fields["a"]), repr(fields["b"]), f"system={one.system!r}"]
    return f"mathhammer.duel({', '.join([*parts, *(f'{name}={value!r}' for name, value in said.items())])})"
