"""`mathhammer conformance`: every rule, where it is implemented, what tests it, or why it is left out."""

from __future__ import annotations

from collections.abc import Sequence

import click

from mathhammer.cli.output import FORMATS, as_json, as_markdown, print_table, write_text
from mathhammer.conformance import Count, Rule, counts, find_rules, rules
from mathhammer.games.discovery import game_keys
from mathhammer.tables import as_csv, as_table

COLUMNS = ("system", "id", "label", "status", "out", "code", "tests", "vectors")
HEADINGS = ("Rule", "What", "Where", "Tests", "Vectors")
RIGHT = (False, False, False, True, True)
SUMMARY = ("Game", "Rules", "Covered", "Out of scope", "Missing")


@click.command()
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--system", type=click.Choice(game_keys()), help="Only the rules of one game.")
@click.option(
    "--missing",
    is_flag=True,
    help="Only rules without code, or without a test and a vector; exit code 1 if there are any.",
)
@click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True)
@click.option("-o", "output", metavar="FILE", help="Write to a file instead of stdout.")
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
    everything = rules(system)
    found: Sequence[Rule] = find_rules("conformance", ids, everything) if ids else everything
    wanting = [rule for rule in found if rule.status == "missing"]
    shown = wanting if missing else found
    summary = counts(found)
    if form == "json":
        document = {
            "schema": "mathhammer-conformance/1",
            "rules": [as_mapping(rule) for rule in shown],
            "summary": [as_row(c) for c in summary],
        }
        write_text(as_json(document), output)
    elif form == "csv":
        write_text(as_csv(COLUMNS, [list(as_mapping(rule).values()) for rule in shown]), output)
    elif ids and form == "table":
        write_text("\n".join(line for rule in shown for line in lines(rule)), output)
    else:
        write_tables(shown, summary, form, output)
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
    }


def cells(rule: Rule) -> tuple[str, ...]:
    """A rule as a row: the first place of the code, how many there are besides, how many
    tests and vectors.
    """
    if rule.out:
        return rule.id, rule.label, f"out of scope: {rule.out}", "-", "-"
    more = f" and {len(rule.code) - 1} more" if len(rule.code) > 1 else ""
    return (
        rule.id,
        rule.label,
        (rule.code[0] if rule.code else "nowhere") + more,
        str(len(rule.tests)),
        str(len(rule.vectors)),
    )


def lines(rule: Rule) -> list[str]:
    """A rule with all its places."""
    found = [f"{rule.id}: {rule.label} ({rule.status})"]
    if rule.out:
        return [*found, f"  {rule.out}"]
    for name, places in (("code", rule.code), ("tests", rule.tests)):
        found += [f"  {name if number == 0 else '':7}  {place}" for number, place in enumerate(places)]
    return [*found, f"  vectors  {', '.join(rule.vectors)}"] if rule.vectors else found


def write_tables(shown: Sequence[Rule], summary: Sequence[Count], form: str, output: str | None) -> None:
    """The rules, and below them how each game stands."""
    rows = [cells(rule) for rule in shown]
    totals = [tuple(str(value) for value in as_row(count).values()) for count in summary]
    right = (False, True, True, True, True)
    if form == "table" and output is None:
        if rows:
            print_table(HEADINGS, rows, RIGHT)
            click.echo()
        print_table(SUMMARY, totals, right)
        return
    table = as_markdown if form == "md" else as_table
    parts = [table(HEADINGS, rows, RIGHT)] if rows else []
    write_text("\n\n".join([*parts, table(SUMMARY, totals, right)]), output)
