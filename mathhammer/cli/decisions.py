"""What the commands that decide share: the lines above an answer, and the beginning of a JSON document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from mathhammer._version import __version__
from mathhammer.cli.answer import Answer, Part
from mathhammer.cli.options import (
    Function,
    ManyTargets,
    circumstances,
    find_many,
    find_units,
    is_list,
    situation_option,
    split_all,
    switch_values,
    system_option,
)
from mathhammer.cli.output import remark
from mathhammer.compare.asking import asked
from mathhammer.decide.blows import Blow, Member
from mathhammer.decide.showing import OfOneAttack
from mathhammer.errors import BadInputError
from mathhammer.games.discovery import get_game
from mathhammer.tables import Column, Table
from mathhammer.units.circumstances import LISTED, SMALLEST, Conditions, not_counted_text, shared
from mathhammer.units.unit import Unit
from mathhammer.views import view


def decision_lines(blows: Sequence[Blow], *targets: Unit, listed: bool) -> list[str]:
    """The lines above a table: what all blows hold under, the target, and what is not counted; `listed`: the
    attackers come from a list, with their sizes.
    """
    missing = not_counted_text(_missing(blows))
    size = [f"{t.label}: {_left(t)}" for t in targets]
    return [str(_conditions(blows, listed)), *size, *([missing] if missing else [])]


def _left(target: Unit) -> str:
    wounds = target.health - target.lost
    models = f"{target.models_left} {'model' if target.models_left == 1 else 'models'}"
    return f"{models}, {wounds} wounds" + (f", {target.points} points" if target.points else "")


def _conditions(blows: Sequence[Blow], listed: bool) -> Conditions:
    return shared([blow.conditions for blow in blows], sizes_are=LISTED if listed else SMALLEST)


def _missing(blows: Sequence[Blow]) -> list[str]:
    return list(dict.fromkeys(rule for blow in blows for rule in blow.missing))


def decision_head(
    command: str,
    blows: Sequence[Blow],
    attackers: Sequence[Unit],
    targets: Sequence[Unit],
    options: Mapping[str, Any],
    *,
    listed: bool,
) -> dict[str, Any]:
    """The beginning of a JSON document: schema, version, game, conditions, and the question."""
    system = targets[0].system
    return {
        "schema": f"mathhammer-{command}/1",
        "mathhammer": __version__,
        "system": system,
        "title": get_game(system).title,
        "method": "exact",
        "conditions": _conditions(blows, listed).to_dict(),
        "not_counted": _missing(blows),
        "asked": asked(attackers, targets, options),
    }


def one_attack(where: str, options: Mapping[str, Any]) -> tuple[Unit, Unit, dict[str, Any]]:
    """The two units of a question about one attack, and what `fight` takes besides them."""
    names, buffs = [options["attacker"], options["target"]], split_all(options["buffs"])
    attacker, target = find_units(names, options["system"], options["datasheets"], where, buffs)
    return attacker, target, circumstances(where, [attacker], options)


def one_attack_answer(
    command: str,
    answer: OfOneAttack,
    columns: Sequence[Column],
    below: Sequence[str],
    more: Mapping[str, Any],
) -> Answer:
    """The answer about one attack: its table with the lines below it; `more` is for JSON."""
    rows, missing = answer.rows(), not_counted_text(answer.not_counted)
    parts: list[Part] = [
        str(answer.conditions),
        *([missing] if missing else []),
        f"{answer.attacker.label} against {answer.target.label}",
        Table(columns, rows),
        *below,
    ]
    return Answer(
        parts=lambda: parts,
        document=lambda: (
            {
                "schema": f"mathhammer-{command}/1",
                "mathhammer": __version__,
                "system": answer.attacker.system,
                "conditions": answer.conditions.to_dict(),
                "not_counted": list(answer.not_counted),
                "attacker": answer.attacker.label,
                "target": answer.target.label,
                "goal": answer.goal,
                "rows": rows,
            }
            | dict(more)
        ),
        records=lambda: (list(rows[0]), [list(row.values()) for row in rows]),
    )


class ManyUnits(ManyTargets):
    """A command whose list of units takes every word up to the next option."""

    many = ("--with", "--against")


def is_listed(names: Sequence[str], where: str) -> bool:
    """Whether any of these is the file of a list."""
    return any(is_list(name, where) for name in names)


def army_members(
    where: str, names: Sequence[str], system: str | None, options: Mapping[str, Any]
) -> list[Member]:
    """The units of an army list in a file, or of names and factions."""
    if not is_listed(names, where):
        return [Member(unit) for unit in find_many(names, system, options["datasheets"], where)]
    if len(names) > 1:
        raise BadInputError(f"{where}: a list and {len(names) - 1} more (give one list, or units)")
    from mathhammer.cli.list_files import open_list  # loaded only for lists

    one = open_list(names[0], options["datasheets"], one_of_two=True)
    if one.coverage.missing:
        remark(f"{one.name}: {one.coverage}")
    if system is not None and one.roster.system != system:
        raise BadInputError(
            f"{where}: {one.name} is a list of {get_game(one.roster.system).title} (choose one game)"
        )
    return [Member(unit, friends) for unit, friends in view("roster_members", one.roster)]


def decision_options(function: Function) -> Function:
    """What holds for all attacks of a decision: kind of attack, situation, distance, round, abilities."""
    options = [
        click.option(
            "--kind",
            type=click.Choice(["melee", "ranged"]),
            help="Only this kind of attack. Default: the better one of each unit.",
        ),
        situation_option("For all attacks: charged, target in cover ...; with commas, or repeated."),
        click.option("--distance", type=float, metavar="INCHES", help="Distance to the targets."),
        click.option("--round", "battle_round", type=int, metavar="N", help="The battle round."),
        click.option("--use", "used", multiple=True, metavar="ABILITY", help="An ability that is used."),
        click.option(
            "--option", "switches", multiple=True, metavar="NAME=VALUE", help="A switch for an unclear rule."
        ),
    ]
    for option in reversed(options):
        function = option(function)
    return system_option(function)


def decision_how(options: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of `fight` for all attacks of a decision."""
    return {
        "weapons": options["kind"],
        "situation": split_all(options["situation"]),
        "distance": options["distance"],
        "round": options["battle_round"],
        "use": tuple(options["used"]),
        "options": switch_values(options["switches"]) or None,
    }
