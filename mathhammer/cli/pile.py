"""`mathhammer pile`: several units at one target, one after the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from mathhammer.cli.answer import Answer, Part
from mathhammer.cli.completion import complete_many, complete_units
from mathhammer.cli.decisions import army_members, decision_head, decision_lines, is_listed
from mathhammer.cli.options import (
    FORMATS,
    ManyTargets,
    answer_options,
    attackers_of,
    circumstance_options,
    circumstances,
    find_units,
    models_option,
    system_option,
)
from mathhammer.cli.output import remark
from mathhammer.cli.registering import command
from mathhammer.decide.blows import Member
from mathhammer.decide.pile import ORDERS, Pile, pile_of
from mathhammer.errors import BadInputError
from mathhammer.tables import Column, Table
from mathhammer.text import percent

COLUMNS = (
    Column("After", "attacker"),
    Column("Attack", "kind", rank=2),
    Column("Lost", lambda row: f"{row['lost']:.2f}", right=True),
    Column("Wasted", lambda row: f"{row['wasted']:.2f}", right=True, rank=1),
    Column("Models left", lambda row: f"{row['models_left']:.2f}", right=True),
    Column("Not needed", lambda row: percent(1.0 - row["p_needed"]), right=True, rank=3),
    Column("Destroyed", lambda row: percent(row["p_destroyed"]), right=True),
)


@command("pile", "Several units at one target, one after the other: is it gone?", rank=12, cls=ManyTargets)
@click.argument("attackers", nargs=-1, required=True, shell_complete=complete_many)
@click.option(
    "--vs", "targets", multiple=True, metavar="TARGET", shell_complete=complete_units, help="The one target."
)
@click.option(
    "--order",
    type=click.Choice(ORDERS),
    default="given",
    show_default=True,
    help="As the units are given, or the order with the best chance; shooting comes before combat.",
)
@models_option
@circumstance_options
@system_option
@answer_options(*FORMATS)
def pile(**options: Any) -> None:
    """Do these kill it? Several units attack one target, each what the ones before have left of it.

    ATTACKERS are units, or the file of a list for all of its units in their order. Shooting comes before
    combat; --weapons all lets every unit do both. "Wasted" is damage that takes nothing
    away; "Not needed" is the chance that the target is gone before the unit attacks.

    \b
    Examples:
      mathhammer pile Liberators "Rat Ogors" --vs Clanrats
      mathhammer pile "Intercessor Squad: ranged" Captain --vs Boyz --order best
    """
    if len(options["targets"]) != 1:
        raise BadInputError(f"pile: {len(options['targets'])} targets (give one: --vs TARGET)")
    listed = is_listed(options["attackers"], "pile")
    if listed:
        members = _listed(options)
    else:
        members = [Member(unit) for unit in attackers_of("pile", options["attackers"], options)]
    attackers = [member.unit for member in members]
    (target,) = find_units(options["targets"], attackers[0].system, options["datasheets"], "pile")
    how = circumstances("pile", attackers, options)
    left_out: list[str] | None = [] if listed else None
    answer = pile_of(members, target, how, options["order"], left_out)
    for line in left_out or ():
        remark(f"left out: {line}")
    rows = answer.rows()
    head = decision_lines(answer.blows, target, listed=listed)

    def parts() -> list[Part]:
        return [*head, Table(COLUMNS, rows), order_line(answer)]

    Answer(
        parts=parts,
        document=lambda: (
            decision_head("pile", answer.blows, attackers, [target], options, listed=listed)
            | {
                "rows": rows,
                "order_matters": answer.order_matters,
                "best_order": list(answer.best_order),
                "best_p_destroyed": answer.best_p_destroyed,
            }
        ),
        records=lambda: (list(rows[0]), [list(row.values()) for row in rows]),
    ).write(options)


def _listed(options: Mapping[str, Any]) -> list[Member]:
    """The units of a list, one after the other; they have their sizes."""
    for name, given in (("--models", options["models"]), ("--buff", options["buffs"])):
        if given:
            raise BadInputError(f"pile: {name} with a list (leave it out, or name the units)")
    return army_members("pile", options["attackers"], options["system"], options)


def order_line(answer: Pile) -> str:
    """What the order is worth, in words."""
    if answer.order_matters is None:
        return "order: not searched (too many orders)"
    gain = answer.best_p_destroyed - answer.p_destroyed
    if not answer.order_matters:
        return "order: it does not matter here"
    if gain < 0.0005:
        return "order: this is the best one"
    return f"best order: {', '.join(answer.best_order)} ({percent(answer.best_p_destroyed)} destroyed)"
