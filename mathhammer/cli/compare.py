"""`mathhammer compare`: units against targets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

from mathhammer.cli.answer import Answer
from mathhammer.cli.asking import asked, conditions_document, conditions_parts
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
from mathhammer.cli.output import progress, remark, sparkline, sparkline_scale
from mathhammer.cli.registering import command
from mathhammer.compare.idle import idle_words
from mathhammer.compare.matchups import COLUMNS, Matchup, matchups, rows_of, targets_of
from mathhammer.errors import BadInputError
from mathhammer.tables import Column, Table
from mathhammer.text import percent

SORTS = {
    "damage": "damage",
    "slain": "slain",
    "destroyed": "p_destroyed",
    "points": "damage_per_100",
    "name": "attacker",
}
Row = dict[str, Any]
Compared = tuple[Matchup, Row]  # a fight, and its numbers


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
      mathhammer compare "Khorne Berzerkers: charged" --system wh40k10,wh40k11
    """
    if "," in (options["system"] or ""):
        from mathhammer.cli.editions import compare_editions  # only when asked for

        compare_editions(options)
        return
    own = options["datasheets"]
    attackers = attackers_of("compare", options["attackers"], options)
    given = find_units(options["targets"], attackers[0].system, own, "compare")
    arguments = fight_arguments("compare", attackers, options)
    targets = targets_of(attackers, given, own)
    fights: list[Matchup] = []
    with progress("fighting") as tell:
        for matchup in matchups(attackers, targets, **arguments):
            fights.append(matchup)
            tell(len(fights), len(attackers) * len(targets))
    for line in idle_words(fights, arguments):
        remark(line)
    write_compared(ordered(fights, options["sort"]), options, asked(attackers, targets, options))
    if options["chart"]:
        from mathhammer.plots import plot_pmf, save_figure  # matplotlib only when asked for

        results = [matchup.result for matchup in fights if matchup.result is not None]
        save_figure(plot_pmf(*results), options["chart"])


def ordered(fights: Sequence[Matchup], sort: str | None) -> list[Compared]:
    """Fights with their numbers, those of one target together; both in the order that is wanted."""
    compared = list(zip(fights, rows_of(fights), strict=True))
    groups: dict[Any, list[Compared]] = {}
    for one in compared:
        groups.setdefault(one[0].target, []).append(one)
    if sort is not None:
        key = SORTS[sort]

        def place(one: Compared) -> Any:
            return one[1][key] if key == "attacker" else -(one[1][key] or 0.0)

        for rows in groups.values():
            rows.sort(key=place)
        if key != "attacker":
            return [one for rows in sorted(groups.values(), key=lambda rows: place(rows[0])) for one in rows]
    return [one for rows in groups.values() for one in rows]


def write_compared(
    compared: Sequence[Compared], options: dict[str, Any], question: dict[str, Any], read: Sequence[str] = ()
) -> None:
    """Writes fights and their numbers, below what was read of the question; remarks go to stderr."""
    fights = [matchup for matchup, _ in compared]
    for line in notes(fights):
        remark(line)
    per_100 = options.get("per_100_points", False)
    unpriced = [matchup.attacker.name for matchup in fights if not matchup.attacker.points]
    if per_100 and unpriced:
        raise BadInputError(f"compare: {unpriced[0]} has no points (drop --per-100-points)")
    results = [matchup.result for matchup in fights if matchup.result is not None]
    shown = columns(compared, per_100, full=options.get("full", False))
    several = len(fights) > len({matchup.target for matchup in fights})
    Answer(
        parts=lambda: [
            *conditions_parts(results, fights[0].attacker.system),
            *read,
            Table(shown, compared, grouped=several, best=is_best if several else None),
            *([] if read else plain_targets(fights)),
        ],
        document=lambda: (
            conditions_document("compare", fights[0].attacker.system, results, question)
            | {"rows": [row_document(*one) for one in compared]}
        ),
        records=lambda: (list(COLUMNS), [[row[name] for name in COLUMNS] for _, row in compared]),
    ).write(options)


def plain_targets(fights: Sequence[Matchup]) -> list[str]:
    """What targets without weapons are, such as the reference targets: their names do not tell."""
    targets = list(dict.fromkeys(matchup.target for matchup in fights if not matchup.target.weapons))
    if not targets:
        return []
    from mathhammer.cli.units import defence_text  # loads records of other games

    return ["", *(f"{unit.name}: {defence_text(unit)}" for unit in targets)]


def is_best(one: Compared) -> bool:
    """Whether nobody does more to this target."""
    return bool(one[1]["rank"] == 1)


def notes(fights: Sequence[Matchup]) -> list[str]:
    """What a reader of the numbers should know."""
    lines: dict[str, None] = {}
    for matchup in fights:
        who, whom = matchup.attacker.name, matchup.target.name
        if matchup.result is None:
            lines[f"{who}: no such weapon, so there is nothing to compare"] = None
            continue
        for weapon, reason in matchup.result.skipped.items():
            lines[f"{who}, {weapon}: does not attack {whom}, {reason}"] = None
        cost = matchup.result.own_lost
        if cost is not None:
            by = matchup.attacker.label
            lines[f"{by}: loses {cost.mean():.2f} wounds on average by its own attack on {whom}"] = None
        for weapon, choice in matchup.result.choices.items():
            lines[f"{who}, {weapon}: {choice} chosen against {whom}, the highest mean damage"] = None
    return list(lines)


def columns(compared: Sequence[Compared], per_100: bool, *, full: bool) -> list[Column]:
    """The columns for people; on a narrow terminal the drawing goes first, what was asked for goes late."""
    fights = [matchup for matchup, _ in compared]
    fled = any(matchup.result is not None and "fled" in matchup.result.aftermath for matchup in fights)
    several = len(fights) > len({matchup.target for matchup in fights})
    per = " per 100 pts" if per_100 else ""
    more = [
        Column("Overkill", number("overkill", ".2f"), right=True, rank=4),
        Column("Points removed", number("points_removed", ".1f"), right=True, rank=2),
        Column("Beats first", chance("p_more"), right=True, rank=3),
        Column("Rank", number("rank", "d"), right=True, rank=5),
    ]
    whole = [
        Column("Destroyed", chance("p_destroyed"), right=True),
        Column("Per 100 pts", number("damage_per_100", ".2f"), right=True, rank=9),
    ]
    return [
        Column("Target", lambda one: one[1]["target"]),
        Column("Attacker", lambda one: one[1]["attacker"]),
        Column("Kind", lambda one: one[1]["kind"] or "-"),
        Column(
            f"Damage{per}",
            spread("damage", per_100),
            right=True,
            brief=spread("damage", per_100, briefly=True),
            brief_rank=6,
        ),
        Column(
            f"Slain{per}",
            spread("slain", per_100),
            right=True,
            rank=1,
            brief=spread("slain", per_100, briefly=True),
            brief_rank=7,
        ),
        Column(f"Damage{per} 10/50/90 %", tenths(per_100), right=True, rank=8),
        *([] if per_100 else whole),
        *(more if full else []),
        *([Column("Fled", fled_models, right=True, rank=1)] if fled and not per_100 else []),
        *([Column("Gone", gone_after, right=True, rank=1)] if fled and not per_100 else []),
        *([Column("Best", lambda one: "*" if is_best(one) else "", rank=9)] if several else []),
        *([] if per_100 else [Column("Distribution", drawn(fights), rank=10)]),
    ]


def spread(what: str, per_100: bool, *, briefly: bool = False) -> Callable[[Compared], str]:
    """A mean with its spread, and with the error of the mean where it was simulated."""

    def show(one: Compared) -> str:
        row = one[1]
        if row[what] is None:
            return "-"
        scale = 100.0 / row["points"] if per_100 else 1.0
        if briefly:
            return f"{row[what] * scale:.2f}"
        error = row[f"{what}_se"] * scale
        played = f" (se {error:.1g})" if error and what == "damage" else ""
        return f"{row[what] * scale:.2f} ± {row[f'{what}_sd'] * scale:.2f}{played}"

    return show


def number(key: str, form: str) -> Callable[[Compared], str]:
    """A number of a row; what is not known is a dash."""
    return lambda one: "-" if one[1][key] is None else format(one[1][key], form)


def chance(key: str) -> Callable[[Compared], str]:
    """A chance of a row."""
    return lambda one: "-" if one[1][key] is None else percent(one[1][key])


def tenths(per_100: bool) -> Callable[[Compared], str]:
    """What one roll in ten, the middle roll and nine in ten stay at or below."""

    def show(one: Compared) -> str:
        row = one[1]
        values = [row[key] for key in ("p10", "p50", "p90")]
        if None in values:
            return "-"
        return "/".join(f"{100 * value / row['points']:.1f}" if per_100 else str(value) for value in values)

    return show


def drawn(fights: Sequence[Matchup]) -> Callable[[Compared], str]:
    """The distributions of one target on one scale."""
    harms: dict[Any, list[Any]] = {}
    for matchup in fights:
        if matchup.result is not None:
            harms.setdefault(matchup.target, []).append(matchup.harm)
    scales = {target: sparkline_scale(pmfs) for target, pmfs in harms.items()}
    return lambda one: "" if one[0].result is None else sparkline(one[0].harm, scale=scales[one[0].target])


def gone_after(one: Compared) -> str:
    """The chance that nobody is left once models have fled."""
    pmf = None if one[0].result is None else one[0].result.aftermath.get("gone")
    return "-" if pmf is None else percent(pmf.mean())


def fled_models(one: Compared) -> str:
    """Models that flee after the fight, where the game and the datasheet say so."""
    pmf = None if one[0].result is None else one[0].result.aftermath.get("fled")
    return "-" if pmf is None else f"{pmf.mean():.2f} ± {pmf.sd():.2f}"


def row_document(matchup: Matchup, row: Row) -> dict[str, Any]:
    """A row as JSON: every number, both distributions, and how they came about."""
    result = matchup.result
    if result is None:
        return dict(row)
    return row | {
        "slain_pmf": {str(value): chance for value, chance in result.slain.to_dict().items()},
        "damage_pmf": {str(value): chance for value, chance in matchup.harm.to_dict().items()},
        "funnel": dict(result.funnel),
        "aftermath": {name: pmf.mean() for name, pmf in result.aftermath.items()},
        "own_lost": None if result.own_lost is None else result.own_lost.mean(),
        "skipped": dict(result.skipped),
        "choices": dict(result.choices),
        "not_counted": list(result.not_counted),
    }
