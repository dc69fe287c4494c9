"""`mathhammer conformance`: every rule, where it is implemented, what tests it, or why it is left out."""

from __future__ import annotations

from collections.abc import Sequence

import click

from mathhammer.cli.answer import Answer, Part
from mathhammer.cli.completion import complete_rules
from mathhammer.cli.options import FORMATS, answer_options
from mathhammer.cli.registering import command
from mathhammer.conformance import Count, Rule, counts, find_rules, rules
from mathhammer.games.discovery import game_keys
from mathhammer.tables import Column, Table

COLUMNS = ("system", "id", "label", "status", "out", "code", "tests", "vectors", "unnoticed", "state")
WANTING = ("missing", "cited, not tested")
SHOWN = (
    Column("Rule", lambda rule: rule.id),
    Column("What", lambda rule: rule.label, prose=True),
    Column("Where", lambda rule: place(rule), prose=True, rank=3),
    Column("Tests", lambda rule: "-" if rule.out else str(len(rule.tests)), right=True, rank=1),
    Column("Vectors", lambda rule: "-" if rule.out else str(len(rule.vectors)), right=True, rank=2),
)
SUMMARY = (
    Column("Game", "system"),
    Column("Rules", "rules", right=True),
    Column("Covered", "covered", right=True),
    Column("Out of scope", "out_of_scope", right=True),
    Column("Missing", "missing", right=True),
    Column("Cited, not tested", "cited_not_tested", right=True),
)


@command("conformance", "Every rule of every game: where it is implemented and what tests it.", rank=200)
@click.argument("ids", nargs=-1, metavar="[ID]...", shell_complete=complete_rules)
@click.option("--system", type=click.Choice(game_keys()), help="Only the rules of one game.")
@click.option(
    "--missing",
    is_flag=True,
    help=(
        "Only rules without code, without a test and a vector, or whose tests do not fail when the code is "
        "taken away; exit code 1 if there are any."
    ),
)
@answer_options(*FORMATS)
def conformance(
    ids: tuple[str, ...], system: str | None, missing: bool, form: str, output: str | None
) -> int:
    """Every rule of every game: where it is implemented, which tests and vectors exercise it, or why it is
    out of scope.

    With ids (or the beginning of several), all places of these rules are listed.

    \b
    Examples:
      mathhammer conformance --system aos1
      mathhammer conformance WH40K-DEVW AC-3.1 DW-ARMY
      mathhammer conformance --missing
    """
    every = rules(system)
    asked: Sequence[Rule] = find_rules("conformance", ids, every) if ids else every
    wanting = [rule for rule in asked if rule.status in WANTING]
    shown = wanting if missing else asked
    summary = [as_row(count) for count in counts(asked)]

    def parts() -> list[Part]:
        if ids and form == "table":
            return [line for rule in shown for line in lines(rule)]
        table: list[Part] = [Table(SHOWN, shown), ""] if shown else []
        return [*table, Table(SUMMARY, summary)]

    mappings = [as_mapping(rule) for rule in shown]
    Answer(
        parts,
        lambda: {"schema": "mathhammer-conformance/1", "rules": mappings, "summary": summary},
        lambda: (COLUMNS, [list(mapping.values()) for mapping in mappings]),
    ).write({"form": form, "output": output})
    return 1 if missing and wanting else 0


def as_mapping(rule: Rule) -> dict[str, str]:
    """A rule for programs."""
    return {
        name: "; ".join(value) if isinstance(value, tuple) else value
        for name, value in ((c, getattr(rule, c)) for c in COLUMNS)
    }


def as_row(count: Count) -> dict[str, str | int]:
    """How a game stands, for programs."""
    return {
        "system": count.system,
        "rules": count.ids,
        "covered": count.covered,
        "out_of_scope": count.out,
        "missing": count.missing,
        "cited_not_tested": count.untested,
    }


def place(rule: Rule) -> str:
    """The first place of a rule's code and how many there are besides, or why it is out of scope."""
    if rule.out:
        return f"out of scope: {rule.out}"
    more = f" and {len(rule.code) - 1} more" if len(rule.code) > 1 else ""
    return (rule.code[0] if rule.code else "nowhere") + more


def lines(rule: Rule) -> list[str]:
    """A rule with all its places."""
    head = f"{rule.id}: {rule.label} ({rule.status})"
    dated = [f"  state    {rule.state}"] if rule.state else []
    if rule.out:
        return [head, f"  {rule.out}", *dated]
    places = [
        f"  {name if number == 0 else '':7}  {where}"
        for name, wheres in (("code", rule.code), ("tests", rule.tests))
        for number, where in enumerate(wheres)
    ]
    vectors = [f"  vectors  {', '.join(rule.vectors)}"] if rule.vectors else []
    unnoticed = [f"  nobody notices when this is taken away: {where}" for where in rule.unnoticed]
    return [head, *places, *vectors, *unnoticed, *dated]
