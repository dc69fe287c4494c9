"""`mathhammer quick`: a profile typed in one line."""

from __future__ import annotations

from typing import Any

import click

from mathhammer.cli.compare import write_compared
from mathhammer.cli.options import (
    FORMATS,
    ManyTargets,
    answer_options,
    fight_arguments,
    fight_options,
    split_all,
)
from mathhammer.cli.output import remark
from mathhammer.cli.registering import command
from mathhammer.compare.answering import work_out
from mathhammer.compare.asking import asked
from mathhammer.datasheets.asked import with_words
from mathhammer.datasheets.reading import make_unit
from mathhammer.datasheets.typed import readers_of, typed_target
from mathhammer.games.discovery import DEFAULT, attacks_of
from mathhammer.games.profile_text import defence_text, stat_text, tells
from mathhammer.games.weapon_choice import KINDS
from mathhammer.units.unit import Unit, Weapon


@command("quick", "The same for a profile typed in one line, without a datasheet.", rank=60, cls=ManyTargets)
@click.argument("weapons_text", metavar="WEAPON...", nargs=-1, required=True)
@click.option(
    "--vs",
    "targets",
    multiple=True,
    required=True,
    metavar="TARGET...",
    help="One or more targets, each in quotes: a profile, or a unit.",
)
@click.option("--name", default="you", show_default=True, metavar="TEXT", help="What your unit is called.")
@click.option("--points", type=click.IntRange(1, 100_000), metavar="N", help="What your unit costs.")
@fight_options
@answer_options(*FORMATS)
def quick(**options: Any) -> None:
    """What a profile does that you type in one line: no datasheet needed. Several weapons strike together.

    What was read is printed above the numbers. Buffs and keywords of a target stand behind commas: in cover,
    stealth, MONSTER, -1 to be hit.

    \b
    Examples:
      mathhammer quick "20x 3+ 3+ -1 2 crit(mortal)" --vs "4+ ward 5+ health 2 x10"
      mathhammer quick "5x2 3+ 4+ -1 D3, reroll hits" --vs "3+ health 3 x5" Clanrats --command all_out_attack
    """
    key = options["system"] or DEFAULT
    attacker = typed_attacker(key, options)
    targets = [typed_target(key, text, options["datasheets"]) for text in options["targets"]]
    arguments = fight_arguments("quick", [attacker], options | {"weapons": None})
    typed = [unit for unit in targets if not unit.weapons]
    read = [f"read: {line}" for line in (*weapon_lines(attacker), *map(defence_text, typed))]
    found = work_out([attacker], targets, arguments)
    for line in found.remarks:
        remark(line)
    profiles = {"weapons": list(options["weapons_text"]), "targets": list(options["targets"]), "read": read}
    question = asked([attacker], targets, options) | profiles
    write_compared(found.compared, options, question, read)


def typed_attacker(key: str, options: dict[str, Any]) -> Unit:
    """The unit with the weapons that were typed, and with the buffs behind them."""
    attacks, read_weapon, _ = readers_of(key)
    forced = {"kind": options["weapons"]} if options["weapons"] in KINDS else {}
    weapons, words = [], [("--buff", word) for word in split_all(options["buffs"])]
    for number, text in enumerate(options["weapons_text"], 1):
        fields = read_weapon(text)
        words += [(repr(text), word) for word in fields.pop("words", [])]
        again = f" ({number})" if text in options["weapons_text"][: number - 1] else ""
        weapons.append({"name": text + again, "kind": "melee"} | forced | fields)
    models = max(weapon.get("models", 1) for weapon in weapons)
    body = {"name": options["name"], "models": models, "points": options["points"], **attacks.quick_body}
    unit = make_unit(
        key, {name: value for name, value in body.items() if value is not None} | {"weapon": weapons}
    )
    for text, word in words:
        unit = with_words(unit, [word], f"quick: {text}", options["datasheets"])
    return unit


def weapon_lines(unit: Unit) -> list[str]:
    """What was understood of the weapons."""
    attacks = attacks_of(unit.system)

    def line(weapon: Weapon) -> str:
        stats = [
            f"{name} {stat_text(attacks, name, value)}" for name, value in weapon.stats if tells(name, value)
        ]
        parts = [f"{unit.bearers(weapon)} x {weapon.attacks} attacks", *stats, f"damage {weapon.damage}"]
        return ", ".join([*parts, *weapon.abilities, weapon.kind])

    return [
        *map(line, unit.weapons),
        *([f"buffs: {', '.join(unit.stance.buffs)}"] if unit.stance.buffs else []),
    ]
