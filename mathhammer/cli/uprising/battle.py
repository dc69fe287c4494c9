"""`mathhammer battle`: a combat of Uprising, or several in a row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from mathhammer.cli.dice_answer import dice_options, draw, engine, spread, tenths, write_answer
from mathhammer.cli.options import ManyTargets, split
from mathhammer.cli.output import remark, sparkline
from mathhammer.cli.registering import command
from mathhammer.cli.uprising.quest import error_text
from mathhammer.errors import BadInputError
from mathhammer.games.uprising.campaigns import in_order
from mathhammer.games.uprising.explaining import number_text
from mathhammer.games.uprising.fights import AIMS
from mathhammer.games.uprising.sides import TERRAIN, read_side
from mathhammer.games.uprising.text import (
    ReadSide,
    read_bonus_text,
    read_hero_text,
    read_power_text,
    read_side_text,
    read_unit_word,
)
from mathhammer.odds import odds
from mathhammer.tables import Column, Table

SIDES = (
    Column("Side", 0),
    Column("Left in the end", 1, right=True),
    Column("10/50/90 %", 2, right=True, rank=2),
    Column("Lost", 3, right=True, rank=1),
    Column("Points", 4, right=True),
    Column("Distribution", 5, rank=3),
)
ENEMIES = (Column("Enemy", 0), Column("Cleared up to here", 1, right=True))
Answer = Mapping[str, Any]


@command(
    "battle", "Uprising: a combat, or several in a row, until one side is gone.", rank=140, cls=ManyTargets
)
@click.argument("side")
@click.option(
    "--vs",
    "enemies",
    multiple=True,
    required=True,
    metavar="ENEMY...",
    help="One or more enemies, each in quotes, fought one after the other.",
)
@click.option(
    "--terrain", type=click.Choice(TERRAIN), default="ice", show_default=True, help="Ice has no effect."
)
@click.option("--horde", metavar="HORDE", help="The horde that is fought where three skeletons become one.")
@click.option(
    "--order",
    type=click.Choice(["given", "rules"]),
    default="rules",
    show_default=True,
    help="Order of several enemies: garrisons and skeletons first, cards by initiative; or as given.",
)
@click.option(
    "--casualties",
    metavar="UNITS",
    help="Units in the order in which you give them up, with commas; else the weakest die first.",
)
@click.option(
    "--god-power",
    "powers",
    multiple=True,
    metavar="POWER",
    help="What your bolts feed first: '2 skulls per round' (or combat, or bolt).",
)
@click.option(
    "--bonus",
    "bonuses",
    multiple=True,
    metavar="DICE",
    help="Dice or symbols of a card: 'archery: red', 'clash: 1 skull' (or after damage) in every combat; "
    "'first clash: red' of an item that is discarded, 'first clash of 2: red' in the second combat.",
)
@click.option(
    "--best",
    type=click.Choice(AIMS),
    help="Best play of the units for the chance to win or for points: bolts, casualties, highlands die.",
)
@click.option("--hero", metavar="ATTRIBUTES", help="Your hero, whose dice give the points for the Courtesan.")
@dice_options
def battle(**options: Any) -> None:
    """Uprising: a combat until one side is gone; several enemies on the hex are fought one after the other.

    A side is text: units by name ('3 Younglings, Koloth'), by class ('3 archers, 2 riders') or by colour
    ('2 blue warriors'), with the words tower, wall, haven and reroll 2; '2 skeletons'; 'garrison 2'; a legion
    or horde with its threat ('Imperial Guard 5') and the words target marker (Executioner), haven or empire
    (False Messiah; known without saying where the other side has them) and reroll 2.

    \b
    Examples:
      mathhammer battle "3 Younglings, Koloth" --vs "Imperial Guard 3" --terrain forest
      mathhammer battle "3 archers, 2 riders, tower" --vs "2 skeletons" "garrison 1" --horde "Bloodwyrm 4"
    """
    own = read_side_text("battle", options["side"])
    own.fields.update(orders(own, options))
    foes = [read_side_text("battle: --vs", text) for text in options["enemies"]]
    horde = None if options["horde"] is None else read_side_text("battle: --horde", options["horde"])
    if horde is not None and horde.fields["kind"] != "card":
        raise BadInputError(
            f"battle: --horde: {horde.name} is not a horde (write something like 'Lich Queen 4')"
        )
    for line in dict.fromkeys(line for side in (own, *foes) for line in side.remarks):
        remark(line)
    for side in (own, *foes, *([horde] if horde else [])):
        read_side(f"battle: {side.name}", side.fields)  # a complaint names the side as it was typed
    hero = None if options["hero"] is None else read_hero_text("battle: --hero", options["hero"])
    details = engine(options) | {"terrain": options["terrain"], "best": options["best"], "hero": hero}
    if len(foes) == 1 and horde is None:
        answer = odds("uprising", "battle", a=own.fields, b=foes[0].fields, **details)
        table, lines = combat_text(own, foes[0], answer)
        distributions = {own.name: answer["survivors_a"], foes[0].name: answer["remaining_b"]}
        title = f"{own.name} against {foes[0].name}: wins {answer['p_win']:.1%}"
    else:
        details |= {"horde": None if horde is None else horde.fields, "order": options["order"]}
        details |= item_combat(options)
        answer = odds("uprising", "campaign", a=own.fields, enemies=[foe.fields for foe in foes], **details)
        table, lines = campaign_text(own, fought_in(foes, options["order"]), answer)
        distributions = {own.name: answer["survivors_a"]}
        title = (
            f"{own.name} against {len(foes)} {'enemy' if len(foes) == 1 else 'enemies'}: clears all "
            f"{answer['p_clear_through'][-1]:.1%}"
        )
    write_answer(options, "battle", "uprising", answer, [table, "", *lines])
    draw(options["chart"], distributions, "left in the end", title, "uprising")


def orders(own: ReadSide, options: Mapping[str, Any]) -> dict[str, Any]:
    """What the players decide: casualties, god powers, dice of items; only for a side of player units."""
    decisions: dict[str, Any] = {}
    if options["casualties"] is not None:
        decisions["casualty_order"] = [
            read_unit_word("battle: --casualties", word.lower())[0]["name"]
            for word in split(options["casualties"])
        ]
    if options["powers"]:
        decisions["god_power"] = [read_power_text("battle", text) for text in options["powers"]]
        decisions["bolt_policy"] = "god_power_first"
    if decisions and own.fields["kind"] != "units":
        raise BadInputError(
            f"battle: {own.name} takes no orders (--casualties and --god-power are for player units)"
        )
    bonus: dict[str, list[str]] = {}
    symbols: dict[str, dict[str, int]] = {}
    for text in options["bonuses"]:
        added = read_bonus_text("battle", text)
        if added.dice:
            bonus[added.window] = bonus.get(added.window, []) + list(added.dice)
        for symbol, number in added.symbols.items():
            window = symbols.setdefault(added.window, {})
            window[symbol] = window.get(symbol, 0) + number
    return decisions | ({"bonus": bonus} if bonus else {}) | ({"symbols": symbols} if symbols else {})


def item_combat(options: Mapping[str, Any]) -> dict[str, Any]:
    """The combat in which an item is used, where it is said."""
    said = {added.combat for text in options["bonuses"] if (added := read_bonus_text("battle", text)).combat}
    if len(said) > 1:
        raise BadInputError("battle: --bonus names several combats (an item is discarded in one)")
    return {"item_in": said.pop()} if said else {}


def fought_in(foes: Sequence[ReadSide], order: str) -> list[ReadSide]:
    """The enemies as they are fought (UP-CMB-7)."""
    if order == "given":
        return list(foes)
    sides = [read_side("battle: --vs", foe.fields) for foe in foes]
    names = {id(side): foe for side, foe in zip(sides, foes, strict=True)}
    return [names[id(side)] for side in in_order(sides)]


def item_line(foes: Sequence[ReadSide], answer: Answer) -> str:
    """Where an item is used, and what it would be worth elsewhere."""
    used = f"The item is used against {foes[answer['item_in'] - 1].name}"
    others = [
        f"against {foe.name} {answer['p_by_item'][place]:.1%}"
        for place, foe in enumerate(foes, 1)
        if answer["p_by_item"] and place != answer["item_in"]
    ]
    return f"{used} ({'; '.join(others)})" if others else used


def scoring_lines(answer: Answer) -> list[str]:
    """What the scoring of the chapter gets from a combat (UP-VP-3, UP-VP-4, UP-AFT-1)."""
    buried = [
        f"{faction} {vp:.2f} (graveyard)" for faction, vp in answer["expected_graveyard_vp"].items() if vp
    ]
    if answer["p_haven_lost"] is not None:
        haven = f"player {answer['expected_haven_vp']:.2f} (haven, lost {answer['p_haven_lost']:.1%})"
        buried.append(haven)
    return ["At scoring: " + ", ".join(buried)] if buried else []


def combat_text(own: ReadSide, foe: ReadSide, answer: Answer) -> tuple[Table, list[str]]:
    """One combat as people read it."""
    rows = []
    points = [number_text(vp, ".2f") for vp in answer["expected_vp"].values()]
    for place, (side, left) in enumerate(((own, answer["survivors_a"]), (foe, answer["remaining_b"]))):
        lost = answer[f"expected_losses_{'ab'[place]}"]
        rows.append((side.name, spread(left), tenths(left), f"{lost:.2f}", points[place], sparkline(left)))
    errors = answer.get("standard_errors", {})
    outcome = [
        f"{word} {answer[key]:.1%}{error_text(errors.get(key, 0.0), '.2%')}"
        for word, key in (("win", "p_win"), ("lose", "p_lose"), ("draw", "p_draw"))
    ]
    if answer["p_horde_formed"]:
        outcome.append(f"a horde is formed {answer['p_horde_formed']:.1%}")
    if answer["p_left"]:
        outcome.append(f"the enemy leaves {answer['p_left']:.1%}")
    lines = [
        ", ".join(outcome).capitalize(),
        (
            "Clash rounds: "
            f"{answer['expected_clash_rounds']:.3g}"
            f"{error_text(errors.get('expected_clash_rounds', 0.0), '.1g')}"
        ),
        *scoring_lines(answer),
    ]
    return Table(SIDES, rows), lines


def campaign_text(own: ReadSide, foes: Sequence[ReadSide], answer: Answer) -> tuple[Table, list[str]]:
    """Several combats in a row as people read them."""
    errors = answer.get("standard_errors", {})
    error = errors.get("p_clear_through", [0.0] * len(foes))
    rows = [
        (foe.name, f"{chance:.1%}{error_text(error[place], '.2%')}")
        for place, (foe, chance) in enumerate(zip(foes, answer["p_clear_through"], strict=True))
    ]
    left = answer["survivors_a"]
    lines = [
        f"{own.name}, left in the end: {spread(left)}, 10/50/90 %: {tenths(left)}  {sparkline(left)}",
        "Expected points: "
        + ", ".join(
            f"{faction} {number_text(vp, '.4g')}"
            + (error_text(errors.get("expected_vp_a", 0.0), ".1g") if place == 0 else "")
            for place, (faction, vp) in enumerate(answer["expected_vp"].items())
        ),
        *scoring_lines(answer),
    ]
    if answer["item_in"]:
        lines.append(item_line(foes, answer))
    if answer["p_horde_formed"]:
        lines.append(f"Skeletons become a horde: {answer['p_horde_formed']:.1%}")
    return Table(ENEMIES, rows), lines
