"""`mathhammer matrix`: all against all."""

from __future__ import annotations

from typing import Any

import click

from mathhammer.cli.answer import Answer, Part
from mathhammer.cli.completion import complete_many
from mathhammer.cli.options import (
    FORMATS,
    ManyTargets,
    answer_options,
    fight_arguments,
    fight_options,
    find_many,
    split_all,
    targets_option,
)
from mathhammer.cli.output import progress, remark
from mathhammer.cli.registering import command
from mathhammer.cli.table_conditions import TableConditions, table_conditions
from mathhammer.compare.asking import asked
from mathhammer.compare.columns import matrix_table
from mathhammer.compare.landed import VALUES
from mathhammer.compare.matchups import targets_of
from mathhammer.compare.matrix import Matrix, fill_matrix
from mathhammer.compare.sweep import NO_WEAPON
from mathhammer.errors import BadInputError


@command("matrix", "Every attacker against every target, whole factions at once.", rank=20, cls=ManyTargets)
@click.argument("attackers", nargs=-1, required=True, shell_complete=complete_many)
@targets_option(what="Units or factions")
@fight_options
@click.option(
    "--value", type=click.Choice(VALUES), default="damage", show_default=True, help="What the table shows."
)
@click.option(
    "--workers", type=int, metavar="N", help="Processes to use. Default: one for each core when it pays."
)
@click.option("--resume", metavar="FILE", help="Keep finished rows in this file, and go on from it.")
@answer_options(*FORMATS)
def matrix(**options: Any) -> None:
    """Every attacker against every target, exact. A name may be a unit or a whole faction.

    \b
    Examples:
      mathhammer matrix Liberators "Rat Ogors" --vs Clanrats Stormvermin
      mathhammer matrix Skaven --value p_destroyed
      mathhammer matrix Skaven --weapons all --vs Clanrats "10 Liberators: in cover"
    """
    own = options["datasheets"]
    buffs = split_all(options["buffs"])
    attackers = find_many(options["attackers"], options["system"], own, "matrix", buffs)
    given = find_many(options["targets"], attackers[0].system, own, "matrix")
    targets = targets_of(attackers, given, own)
    arguments = fight_arguments("matrix", attackers, options)
    if arguments.pop("method") != "exact":
        raise BadInputError("matrix: is always exact (drop --method; compare simulates)")
    with progress("fighting") as tell:
        filled = fill_matrix(
            attackers,
            targets,
            workers=options["workers"],
            resume=options["resume"],
            progress=tell,
            **arguments,
        )
    unarmed = [
        unit.name for place, unit in enumerate(filled.attackers) if (filled.used[place] == NO_WEAPON).all()
    ]
    if unarmed:
        remark(f"no such weapon: {', '.join(unarmed)}")
    about = table_conditions(filled, arguments)
    answer(filled, options["value"], about, asked(attackers, targets, options)).write(options)


def answer(filled: Matrix, value: str, about: TableConditions, question: dict[str, Any]) -> Answer:
    """The matrix: wide for people, one row a pair for programs."""
    attackers, targets = [unit.label for unit in filled.attackers], [unit.label for unit in filled.targets]
    kinds = [[filled.kind(a, t) or None for t in range(len(targets))] for a in range(len(attackers))]

    def document() -> dict[str, Any]:
        head = about.document("matrix", question)
        names = {"attackers": attackers, "targets": targets, "kind": kinds}
        return head | names | {name: filled.of(name).tolist() for name in VALUES}

    def records() -> tuple[list[str], list[list[Any]]]:
        rows = [
            [attacker, target, kinds[a][t], *filled.values[a, t].tolist(), str(about.conditions)]
            for a, attacker in enumerate(attackers)
            for t, target in enumerate(targets)
        ]
        return ["attacker", "target", "kind", *VALUES, "conditions"], rows

    def parts() -> list[Part]:
        table, notes = matrix_table(filled, value)
        return [*about.lines(), table, *notes]

    return Answer(parts, document, records)
