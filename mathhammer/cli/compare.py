"""`mathhammer compare`: units against targets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from mathhammer.cli.answer import Answer
from mathhammer.cli.completion import complete_units
from mathhammer.cli.options import (
    FORMATS,
    ManyTargets,
    answer_options,
    attackers_of,
    fight_arguments,
    fight_options,
    find_units,
    models_option,
    targets_option,
)
from mathhammer.cli.output import progress, remark, sparkline
from mathhammer.cli.registering import command
from mathhammer.compare.answering import SORTS, Compared, compared_document, is_best, work_out
from mathhammer.compare.asking import asked, conditions_parts
from mathhammer.compare.columns import columns, distributions
from mathhammer.compare.matchups import COLUMNS, Matchup, targets_of
from mathhammer.datasheets.library import UnknownUnitError
from mathhammer.datasheets.typed import asked_target
from mathhammer.errors import BadInputError
from mathhammer.games.profile_text import defence_text
from mathhammer.tables import Table
from mathhammer.units.unit import Unit


@command("compare", "What units do to targets: damage, kills, chance to destroy.", rank=10, cls=ManyTargets)
@click.argument("attackers", nargs=-1, required=True, shell_complete=complete_units)
@targets_option()
@models_option
@fight_options
@click.option(
    "--sort",
    type=click.Choice(list(SORTS)),
    help="Order of the rows of a target, and of the targets, best first. Default: as given.",
)
@click.option("--per-100-points", is_flag=True, help="Every number for each 100 points of the attacker.")
@click.option(
    "--full",
    is_flag=True,
    help="Also overkill, points removed, chance to do more than the first attacker, rank.",
)
@answer_options(*FORMATS)
@click.option(
    "--chart", metavar="FILE", help="Also draw the chances of at least k models slain (.png or .svg)."
)
def compare(**options: Any) -> None:
    """What units do to targets: damage, models slain, chance to destroy, damage per 100 points.

    A unit is a name, or an expression: "10 Liberators: charged, all-out attack", "40 Clanrats: in cover",
    "Liberators with Lord-Terminos: +1 to wound". Two expressions of one unit are two rows.

    \b
    Examples:
      mathhammer compare Liberators "Rat Ogors" --vs Clanrats
      mathhammer compare Liberators "Liberators: all-out attack" --vs "40 Clanrats: in cover"
      mathhammer compare Liberators --models 10 --situation charged --command all_out_attack --vs
      mathhammer compare Liberators "Rat Ogors" Stormvermin --vs Clanrats --full --sort points
      mathhammer compare Liberators "Rat Ogors" --vs "4+ ward 5+ health 2 x10"
      mathhammer compare "Khorne Berzerkers: charged" --system wh40k10,wh40k11
    """
    if "," in (options["system"] or ""):
        from mathhammer.cli.editions import compare_editions  # only when asked for

        compare_editions(options)
        return
    own = options["datasheets"]
    attackers = attackers_of("compare", options["attackers"], options)
    given = find_targets(options["targets"], attackers[0].system, own)
    arguments = fight_arguments("compare", attackers, options)
    targets = targets_of(attackers, given, own)
    with progress("fighting") as tell:
        found = work_out(attackers, targets, arguments, sort=options["sort"], tell=tell)
    for line in found.remarks:
        remark(line)
    write_compared(found.compared, options, asked(attackers, targets, options))
    if options["chart"]:
        from mathhammer.plots import plot_pmf, save_figure  # matplotlib only when asked for

        results = [matchup.result for matchup in found.fights if matchup.result is not None]
        save_figure(plot_pmf(*results), options["chart"])


def find_targets(texts: Sequence[str], system: str, own: str | None) -> list[Unit]:
    """The targets of these names, expressions, or profiles such as "4+ health 2 x10"."""
    try:
        return [asked_target(text, system, own, "compare") for text in texts]
    except UnknownUnitError:
        return find_units(texts, system, own, "compare")  # a record of another game is refused by its name


def write_compared(
    compared: Sequence[Compared], options: dict[str, Any], question: dict[str, Any], read: Sequence[str] = ()
) -> None:
    """Writes fights and their numbers, below what was read of the question."""
    fights = [matchup for matchup, _ in compared]
    per_100 = options.get("per_100_points", False)
    unpriced = [matchup.attacker.name for matchup in fights if not matchup.attacker.points]
    if per_100 and unpriced:
        raise BadInputError(f"compare: {unpriced[0]} has no points (drop --per-100-points)")
    results = [matchup.result for matchup in fights if matchup.result is not None]
    drawing = [] if per_100 else [distributions(fights, sparkline)]
    shown = [*columns(compared, per_100, full=options.get("full", False)), *drawing]
    several = len(fights) > len({matchup.target for matchup in fights})
    Answer(
        parts=lambda: [
            *conditions_parts(results, fights[0].attacker.system),
            *read,
            Table(shown, compared, grouped=several, best=is_best if several else None),
            *([] if read else plain_targets(fights)),
        ],
        document=lambda: compared_document(compared, question),
        records=lambda: (list(COLUMNS), [[row[name] for name in COLUMNS] for _, row in compared]),
    ).write(options)


def plain_targets(fights: Sequence[Matchup]) -> list[str]:
    """What targets without weapons are, such as the reference targets: their names do not tell."""
    targets = list(dict.fromkeys(matchup.target for matchup in fights if not matchup.target.weapons))
    if not targets:
        return []
    return ["", *(f"{unit.name}: {defence_text(unit)}" for unit in targets)]
