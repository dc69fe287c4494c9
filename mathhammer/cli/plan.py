"""`mathhammer plan`: who attacks whom this turn."""

from __future__ import annotations

from typing import Any

import click

from mathhammer.cli.answer import Answer, Part
from mathhammer.cli.completion import complete_many
from mathhammer.cli.decisions import (
    army_members,
    decision_head,
    decision_how,
    decision_lines,
    decision_options,
    is_listed,
)
from mathhammer.cli.options import FORMATS, answer_options
from mathhammer.cli.output import progress, remark
from mathhammer.cli.registering import command
from mathhammer.decide.plan import GOALS, MOST_ON_ONE, SECONDS, Asked, TurnPlan, plan_of
from mathhammer.decide.reach import reach_file
from mathhammer.errors import BadInputError
from mathhammer.tables import Column, Table
from mathhammer.text import percent

COLUMNS = (
    Column("Target", "target"),
    Column("Attackers, in this order", lambda row: " + ".join(row["attackers"]), prose=True),
    Column("Value", lambda row: f"{row['value']:.1f}", right=True),
    Column("Lost", lambda row: f"{row['lost']:.2f}", right=True, rank=2),
    Column("Destroyed", lambda row: percent(row["p_destroyed"]), right=True),
    Column("Command points", lambda row: str(row["command_points"]), right=True, rank=1),
)
SHOWN = {"removed": "points removed", "destroyed": "points of destroyed units"}


@command("plan", "Who should attack whom this turn, with which commands?", rank=15)
@click.argument("army", shell_complete=complete_many)
@click.argument("foe", shell_complete=complete_many)
@click.option(
    "--points", type=int, default=0, show_default=True, metavar="N", help="Command points to spend."
)
@click.option(
    "--goal",
    type=click.Choice(GOALS),
    default="removed",
    show_default=True,
    help="The most points by the share of wounds lost, or of units that are destroyed.",
)
@click.option(
    "--weight", "weights", multiple=True, metavar="TARGET=N", help="Its worth, instead of its points."
)
@click.option(
    "--destroy",
    multiple=True,
    metavar="TARGET",
    help="Only this: the best chance that it is destroyed, with all others that are named so.",
)
@click.option(
    "--reach", metavar="FILE", help="Who can attack whom: TOML with [can] and [cannot], attacker = [targets]."
)
@click.option("--split", is_flag=True, help="Units may fire different ranged weapons at different targets.")
@click.option(
    "--most", type=int, default=MOST_ON_ONE, show_default=True, help="The most attackers on one target."
)
@click.option("--seconds", type=float, default=SECONDS, show_default=True, help="Time for the solver.")
@decision_options
@answer_options(*FORMATS)
def plan(**options: Any) -> None:
    """Who attacks whom, with which weapons and commands, for the most points removed; and a proof of it.

    ARMY and FOE are files of lists, factions, or units with " + " between them. Each unit attacks once; any
    number may attack one target, each what the ones before have left. The best plan is found by an integer
    program over exact values; "proven" means that no plan is better, and greedy is what comes of always
    taking the attack that adds most.

    \b
    Examples:
      mathhammer plan "Liberators + Rat Ogors" "Clanrats + Stormvermin" --system aos4 --points 1
      mathhammer plan "Space Marines" Orks --kind ranged --split --destroy Nobz
    """
    army = names(options["army"])
    ours = army_members("plan", army, options["system"], options)
    theirs = army_members("plan", names(options["foe"]), ours[0].unit.system, options)
    asked = Asked(
        options["points"],
        options["goal"],
        weights_of(options["weights"]),
        options["destroy"],
        None if options["reach"] is None else reach_file(options["reach"]),
        options["split"],
        options["most"],
        options["seconds"],
    )
    with progress("weighing sets") as tell:
        answer = plan_of(ours, theirs, decision_how(options), asked, tell)
    for unit, reason in answer.skipped:
        remark(f"left out: {unit}: {reason}")
    listed = is_listed(army, "plan")
    head = decision_lines(answer.blows, listed=listed)
    rows = answer.rows()
    units = [[member.unit for member in side] for side in (ours, theirs)]
    Answer(
        parts=lambda: [*head, *_parts(answer)],
        document=lambda: (
            decision_head("plan", answer.blows, units[0], units[1], options, listed=listed)
            | {
                "goal": answer.goal,
                "value": answer.value,
                "greedy": answer.greedy,
                "bound": answer.bound,
                "gap": answer.gap,
                "proven": answer.proven,
                "columns": answer.columns,
                "most": answer.most,
                "larger_sets_in_part": answer.larger,
                "idle": list(answer.idle),
                "spare": list(answer.spare),
                "rows": rows,
            }
        ),
        records=lambda: (
            list(rows[0]),
            [[row["target"], " + ".join(row["attackers"]), *list(row.values())[2:]] for row in rows],
        ),
    ).write(options)


def names(text: str) -> list[str]:
    """The units of an argument.

    >>> names("Liberators + 40 Clanrats")
    ['Liberators', '40 Clanrats']
    """
    found = [word.strip() for word in text.split(" + ") if word.strip()]
    if not found:
        raise BadInputError("plan: no units (give a list, a faction, or units with ' + ' between them)")
    return found


def weights_of(texts: tuple[str, ...]) -> dict[str, float] | None:
    """Weights of targets from `TARGET=N`.

    >>> weights_of(("Clanrats=2",))
    {'Clanrats': 2.0}
    """
    weights = {}
    for text in texts:
        name, equals, number = text.rpartition("=")
        try:
            weights[name.strip()] = float(number)
        except ValueError:
            equals = ""
        if not equals:
            raise BadInputError(f"plan: --weight {text!r} (write TARGET=N, such as Clanrats=2)")
    return weights or None


def _parts(answer: TurnPlan) -> list[Part]:
    columns = [column for column in COLUMNS if column.heading != "Value" or answer.goal != "chance"]
    parts: list[Part] = [Table(columns, answer.rows())]
    if answer.idle:
        parts.append(f"nothing to do: {', '.join(answer.idle)}")
    if answer.spare:
        parts.append(f"hardly needed, less than 0.1% together: {', '.join(answer.spare)}")
    if answer.goal == "chance":
        value, greedy = (percent(share) for share in (answer.value, answer.greedy))
        parts.append(f"all of them destroyed: {value}; a greedy choice: {greedy}")
    else:
        value, greedy = (f"{one:.1f}" for one in (answer.value, answer.greedy))
        parts.append(f"{SHOWN[answer.goal]}: {value}; a greedy choice: {greedy}")
    return [*parts, proof(answer)]


def proof(answer: TurnPlan) -> str:
    """What is proven, in words."""
    sets = f"{answer.columns:,} sets that matter"
    if answer.most < answer.attackers or answer.larger:
        sets += f": all of up to {answer.most} attackers on one target"
    sets += ", and the most promising larger ones" if answer.larger else ""
    if answer.proven:
        return f"proven best, gap 0 ({sets})"
    return f"stopped by the time limit: another plan is at most {percent(answer.gap)} better ({sets})"
