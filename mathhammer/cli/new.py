"""`mathhammer new unit`: a commented datasheet to fill in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date

import click

from mathhammer.cli.output import write_text
from mathhammer.cli.registering import command
from mathhammer.datasheets.library import user_folder
from mathhammer.datasheets.reading import ABILITY, COMMON_EFFECT, COMMON_UNIT, COMMON_WEAPON
from mathhammer.errors import BadInputError
from mathhammer.games.discovery import attacks_of, game_keys, get_game
from mathhammer.games.game import Field

# what the template holds as it stands
UNIT = {"name": '"My unit"', "models": "5", "points": "100", "keywords": '["infantry"]'}
WEAPON = {"name": '"My weapon"', "attacks": "2", "damage": "1", "kind": '"melee"', "skill": "4"}
# examples in its comments: of a field, and of a kind of field
SHOWN = {"when": '["charged"]', "weapon": '"My weapon"', "move": "6", "range": "18", "models": "5"}
KINDS = {"need": "4", "dice": '"D6"', "text": '"..."', "flag": "true", "words": '["..."]', "change": '"+1"'}
KINDS |= {"modifier": '"+1"', "reroll": '"ones"'}


@click.command("unit", short_help="A datasheet with one unit, every field explained.")
@click.argument("system", type=click.Choice(game_keys()))
@click.option("-o", "output", metavar="FILE", help="Write to a file. Default: stdout.")
def unit(system: str, output: str | None) -> None:
    """A datasheet with one unit, every field explained; `mathhammer check FILE` says what is wrong."""
    write_text("\n".join(template(system)), output)


@command(
    "new",
    "A commented template: new unit SYSTEM.",
    rank=96,
    cls=click.Group,
    commands=[unit],
    invoke_without_command=True,
)
@click.pass_context
def new(ctx: click.Context) -> None:
    """Templates to fill in.

    \b
    Example:
      mathhammer new unit aos4 > my_rats.toml
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def template(system: str) -> Iterator[str]:
    """The lines of a datasheet that is right as it stands, with everything else as comments."""
    attacks = attacks_of(system, "new")
    known = [ability.example for ability in attacks.abilities.known]
    some = dict.fromkeys(("abilities", "gain", "lose"), f'["{known[0]}"]' if known else "[]")
    yield f"# A datasheet of {get_game(system).title}."
    yield "# Lines that begin with # are left out: take the sign away to use them."
    yield f"# Check it with `mathhammer check FILE`, and put it into {_home(system)}"
    yield "# (or into a folder of that name in one that you name with --datasheets)."
    yield f'system = "{system}"'
    yield 'faction = "My faction"'
    yield 'source = "where the figures come from"'
    yield f"checked = {date.today().isoformat()}"
    yield ""
    yield "[[unit]]"
    yield from _lines((*COMMON_UNIT, *attacks.unit_fields), UNIT)
    yield ""
    yield "  [[unit.weapon]]               # once for each weapon"
    yield from _lines((*COMMON_WEAPON, *attacks.weapon_fields), WEAPON, some, "  ")
    yield f"  # abilities are: {', '.join(known) or 'none in this game'}"
    yield ""
    yield "  # [[unit.effect]]             # a special rule: when it holds, on whom, what it changes"
    yield from _lines((*COMMON_EFFECT, *attacks.effect_fields), None, some, "  ")
    yield "  # [[unit.ability]]            # a rule with a name, and [[unit.ability.effect]] below it"
    yield from _lines(ABILITY, None, some, "  ")
    yield f"  # conditions for when: {', '.join(attacks.situations)},"
    yield "  #   melee, ranged, has KEYWORD, target has KEYWORD, models >= 10, distance <= 12, not ..."


def _home(system: str) -> str:
    try:
        return str(user_folder() / system)
    except BadInputError:  # a machine without a home folder
        return f"FOLDER/{system}"


def _lines(
    fields: Sequence[Field],
    held: Mapping[str, str] | None,
    some: Mapping[str, str] | None = None,
    indent: str = "",
) -> Iterator[str]:
    """A line for each field: what is held, or must be there, as it is; the rest as a comment with an example.

    With nothing held all are comments.
    """
    examples = SHOWN | dict(some or {}) | dict(held or {})
    for field in fields:
        wanted = held is not None and (field.required or field.name in held)
        value = examples.get(field.name) or _example(field)
        yield f"{indent}{'' if wanted else '# '}{field.name} = {value}".ljust(32) + f"# {field.doc}"


# where the kind of a field tells nothing
SPECIAL = {
    "prices": "{ 5 = 75, 10 = 150 }",
    "shields": '{ "Storm shield" = 4 }',
    "mortal": '{ dice = "models", on = "4+", each = "1" }',
    "fight_on_death": '"4+"',
    "use": '"choice"',
    "needs": '"4+"',
    "weapon": '"My weapon"',
    "rest": '["..."]',
    "text": '"..."',
}


def _example(field: Field) -> str:
    if field.name in SPECIAL:
        return SPECIAL[field.name]
    if field.choices and field.kind != "reroll":
        return f'["{field.choices[0]}"]' if field.kind == "words" else f'"{field.choices[0]}"'
    return KINDS.get(field.kind) or str(max(field.low, min(field.most, 4)))
