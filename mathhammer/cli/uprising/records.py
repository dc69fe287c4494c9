"""Units of the peoples, legions, hordes and garrisons as players read them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mathhammer.cli.answer import Part
from mathhammer.games.uprising.pools import in_words, read_colours
from mathhammer.games.uprising.powers import read_power
from mathhammer.tables import Column, Table

TABLES = (  # file, table, what one record is called
    ("units.toml", "player_unit", "unit"),
    ("units.toml", "card", "card"),
    ("units.toml", "garrison", "garrison"),
)
CARD_FLAGS = {
    "stops_shields": "its enemy cannot use shields",
    "stops_bolts": "its enemy cannot use bolts",
    "skips_archery": "it skips archery",
    "copies_enemy_dice": "it rolls the dice of its enemy",
}


def _unit_lines(fields: Mapping[str, Any]) -> list[Part]:
    costs = [
        " + ".join(
            f"{amount} {'of any resource' if name == 'any' else name}" for name, amount in cost.items()
        )
        for cost in fields["cost"]
    ]
    assumed = " (assumed, UP-UNIT-2)" if fields["die_confidence"] == "low" else ""
    return [
        f"{fields['rank']} {fields['class']}, {fields['number']} in the box, costs {' or '.join(costs)}",
        f"die: {fields['die']}{assumed}",
    ]


def _card_lines(fields: Mapping[str, Any]) -> list[Part]:
    words = [f"initiative {fields['initiative']}"] if "initiative" in fields else []
    words += [f"{fields['destroy_vp']} VP when destroyed"] if "destroy_vp" in fields else []
    words += ["a VP for each skull of the hero's dice when destroyed"] if fields.get("hero_skulls_vp") else []
    power = read_power(str(fields["name"]), fields.get("god_power", {"effect": "none"}))
    words.append(f"god power {power} ({power.often})")
    words += [f"rerolls up to {fields['reroll']} blanks"] if fields.get("reroll") else []
    words += [text for flag, text in CARD_FLAGS.items() if fields.get(flag)]
    for extra in fields.get("extra", []):
        dice = [
            f"{in_words(extra[window])} in {window}" for window in ("archery", "clash") if extra.get(window)
        ]
        words.append(f"with {extra['when'].replace('_', ' ')} also {' and '.join(dice)}")
    return [", ".join(words), *_rows(fields)]


def _rows(fields: Mapping[str, Any]) -> list[Part]:
    """The dice at each threat or level."""
    rows = []
    for number, row in fields.get("rows", {}).items():
        dice = [in_words(read_colours(str(fields["name"]), "row", letters)) for letters in row.split("|")]
        rows.append((number, *dice))
    first = Column("Level" if fields["name"] == "garrison" else "Threat", 0, right=True)
    return ["", Table([first, Column("Archery", 1), Column("Clash", 2)], rows), ""] if rows else []


PROFILES = {"unit": _unit_lines, "card": _card_lines, "garrison": _rows}
