"""A JSON Schema of a game's datasheets, made from the same fields that check them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mathhammer.datasheets.reading import (
    ABILITY,
    COMMON_EFFECT,
    COMMON_GROUP,
    COMMON_UNIT,
    COMMON_WEAPON,
)
from mathhammer.games.discovery import attacks_of, get_game
from mathhammer.games.game import Field

CHANGE = r"^([+\-=x*/]\s?\d{1,3}|\+\s?\d{0,2}[Dd][36](\+\d{1,2})?)( per .+| limit \d{1,3})?$"
DICE = r"^\s*(\d*[Dd][36](\s*[+-]\s*\d+)?|\d+)\s*$"


def json_schema(system: str) -> dict[str, Any]:
    """The schema of a datasheet file of that game.

    >>> json_schema("aos4")["properties"]["unit"]["items"]["properties"]["save"]["maximum"]
    6
    """
    game = get_game(system)
    records = {table: _table(kind.fields) for table, kind in game.records.items()} or {"unit": _unit(system)}
    header = {
        "system": {"const": system},
        "faction": {"type": "string"},
        "source": {"type": "string", "description": "where the figures come from"},
        "checked": {"description": "the day they were looked up"},
    }
    if game.records:
        del header["faction"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"mathhammer datasheet: {game.title}",
        "type": "object",
        "required": [*header, *([] if game.records else ["unit"])],
        "additionalProperties": False,
        "properties": header | {table: {"type": "array", "items": one} for table, one in records.items()},
    }


def _unit(system: str) -> dict[str, Any]:
    attacks = attacks_of(system, "schema")
    weapon = _table((*COMMON_WEAPON, *attacks.weapon_fields))
    abilities = [ability.example for ability in attacks.abilities.known]
    weapon["properties"]["abilities"]["examples"] = [abilities]
    unit = _table((*COMMON_UNIT, *attacks.unit_fields))
    unit["properties"]["weapon"] = {"type": "array", "items": weapon}
    effect = _table((*COMMON_EFFECT, *attacks.effect_fields))
    unit["properties"]["effect"] = {"type": "array", "items": effect}
    ability = _table(ABILITY)
    # what a rule's text says may have words that the game cannot act on
    ability["properties"]["effect"] = {"type": "array", "items": {"type": "object"}}
    unit["properties"]["ability"] = {"type": "array", "items": ability}
    if attacks.group_fields:
        unit["properties"]["group"] = {
            "type": "array",
            "items": _table((*COMMON_GROUP, *attacks.group_fields)),
        }
        unit["required"] = ["name"]  # the groups may carry the rest
    return unit


def _table(fields: Sequence[Field]) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": [field.name for field in fields if field.required],
        "properties": {field.name: {"description": field.doc} | _value(field) for field in fields},
    }


def _value(field: Field) -> dict[str, Any]:
    if field.kind == "mapping":
        return {"type": "object", "additionalProperties": _value(field.fields[0])}
    if field.kind in ("table", "tables"):
        table = _table(field.fields)
        return table if field.kind == "table" else {"type": "array", "items": table}
    texts: dict[str, Any] = (
        {"type": "string", "enum": list(field.choices)} if field.choices else {"type": "string"}
    )
    whole = {"type": "integer", "minimum": field.low, "maximum": field.most}
    kinds: dict[str, dict[str, Any]] = {
        "need": {"type": "integer", "minimum": 2, "maximum": field.most},
        "number": whole,
        "dice": {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "string", "pattern": DICE}]},
        "text": {"type": "string"},
        "flag": {"type": "boolean"},
        "words": {"type": "array", "items": texts},
        "change": {"type": "string", "pattern": CHANGE},
        "modifier": {"anyOf": [whole, {"type": "string", "pattern": r"^[+-]\d+$"}]},
        "reroll": {
            "anyOf": [texts, {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 6}}]
        },
        "choice": texts,
        "checked": {},
    }
    return kinds[field.kind]
