"""Rules text as abilities of a datasheet: read, checked, and joined with what was worked out by hand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from mathhammer.battlescribe.rules import HungRule
from mathhammer.dataclass import dataclass
from mathhammer.datasheets.library import TARGETS, read_sheets
from mathhammer.datasheets.reading import read_unit
from mathhammer.games.records import data_folder
from mathhammer.names import normal, singular
from mathhammer.rulestext import Reading, RulesText, read_rule
from mathhammer.units.abilities import same_rule
from mathhammer.units.weapon_names import meant

# fields of a shipped unit that stand for a rule which catalogues have as text only
BY_HAND = (
    "damage_reduction halve_damage damage_set reroll_saves damage_zero_uses "
    "unmodified_wound_fails_up_to strike"
).split()
_CONTAINS = re.compile(r"((?:self )?)contains (.{1,80})")
Fields = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Members:
    """The models of a unit as its rules see them."""

    models: int
    kinds: Mapping[str, int]  # how many of each kind there are
    groups: Mapping[str, str]  # their names and keywords, as they are compared -> the group that they are

    def named(self, words: str) -> str | None:
        """The group of the models of a name or keyword, empty where they are none of their own; None: no such
        models.
        """
        return self.groups.get(singular(normal(words)))


def abilities_of(system: str, rules: Iterable[HungRule], members: Members) -> list[Fields]:
    """The rules of a unit as `[[unit.ability]]` tables, each once."""
    tables: dict[str, Fields] = {}
    for hung in rules:
        table = _table(system, hung, members)
        name, copy = table["name"], 2
        while name in tables and tables[name] != table | {"name": name}:
            name, copy = f"{table['name']} ({copy})", copy + 1
        tables[name] = table | {"name": name}
    return list(tables.values())


def _table(system: str, hung: HungRule, members: Members) -> Fields:
    rule = hung.rule
    reading = _reading(system, rule)
    effects, rest = [_of_members(effect, members) for effect in reading.effects], list(reading.rest)
    some, models = members.kinds.get(hung.models, members.models), members.models
    if effects and hung.of_some and some < models:
        rest = [f"for {some} of its {models} models: {change_words(effect)}" for effect in effects] + rest
        effects = []
    table: Fields = {"name": rule.name or "a rule without a name"}
    table |= {} if reading.about == "combat" else {"about": reading.about}
    table |= {"rest": rest} if rest else {}
    table |= {"effect": effects} if effects else {}
    return table | {"text": rule.text}


def _of_members(effect: Mapping[str, Any], members: Members) -> Fields:
    """An effect with `contains NAME` said of the group of these models. Models that are no group of their own
    are there as long as the unit is: its player loses them last.
    """
    when: list[str] = []
    for condition in effect.get("when", ()):
        match = _CONTAINS.fullmatch(condition)
        group = members.named(match[2]) if match else None
        if match is None or group is None:
            when.append(condition)
        elif group:
            when.append(f"{match[1]}contains {group}")
    rest = {key: value for key, value in effect.items() if key != "when"}
    return ({"when": when} if when else {}) | rest


_KNOWN: dict[tuple[Any, ...], Reading] = {}  # one text stands on many units
MOST_KNOWN = 50_000


def _reading(system: str, rule: RulesText) -> Reading:
    beside = (rule.kind, rule.timing, rule.declare, rule.keywords, *sorted(rule.more.items()))
    key = (system, rule.text, rule.name, *beside)
    if key not in _KNOWN:
        if len(_KNOWN) >= MOST_KNOWN:
            _KNOWN.clear()
        _KNOWN[key] = read_rule(rule, system)
    return _KNOWN[key]


def change_words(effect: Mapping[str, Any]) -> str:
    """An effect as a few words.

    >>> change_words({"on": "led", "when": ["melee"], "hit_roll": "+1"})
    'hit roll +1 (on led, when melee)'
    """
    limits = [
        f"{key} {_shown(effect[key])}" for key in ("on", "when", "use", "needs", "weapon") if key in effect
    ]
    changes = [
        f"{key.replace('_', ' ')} {_shown(value)}"
        for key, value in effect.items()
        if key not in ("on", "when", "use", "needs", "weapon", "name")
    ]
    return ", ".join(changes) + (f" ({', '.join(limits)})" if limits else "")


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return " ".join(f"{key} {part}" for key, part in value.items())
    return " and ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def checked_fields(system: str, fields: Fields) -> Fields:
    """The fields of a unit with every effect that the game refuses put into words."""
    _, faults = read_unit(system, fields)
    refused = {
        (fault.path[1], fault.path[3])
        for fault in faults
        if fault.path[:1] == ("ability",) and len(fault.path) > 3 and fault.path[2] == "effect"
    }
    if not refused:
        return fields
    abilities = []
    for place, ability in enumerate(fields["ability"]):
        effects = ability.get("effect", [])
        wrong = [effect for number, effect in enumerate(effects) if (place, number) in refused]
        table = {key: value for key, value in ability.items() if key not in ("effect", "rest")}
        right = [effect for effect in effects if effect not in wrong]
        rest = [*ability.get("rest", []), *map(change_words, wrong)]
        table |= ({"rest": rest} if rest else {}) | ({"effect": right} if right else {})
        abilities.append(table)
    return fields | {"ability": abilities}


def with_rules_by_hand(system: str, fields: Fields, catalogue: str = "") -> Fields:
    """The fields of a unit with the effects of the shipped unit of the same name: these were worked out by
    hand, and stand for what was read from a text of their name. Of a unit that several factions have, another
    faction's keeps those of the rules that it has too.
    """
    shipped = _shipped(system).get(str(fields.get("name", "")).lower())
    if shipped is None:
        return fields
    arms = [weapon["name"] for weapon in fields.get("weapon", [])]
    read = {ability["name"].lower() for ability in fields.get("ability", [])}
    read_words = {
        key for one in fields.get("ability", []) for effect in one.get("effect", []) for key in effect
    }
    effects, missing = list(fields.get("effect", [])), list(fields.get("not_covered", []))
    ours = shipped["faction"].lower() in (catalogue or shipped["faction"]).lower()
    for effect in shipped.get("effect", []):
        if not ours and not any(same_rule(effect.get("name", ""), name) for name in read):
            continue
        named = effect.get("weapon", [])
        lost = meant([named] if isinstance(named, str) else named, arms)[1]
        if lost and effect.get("on", "unit") == "unit":
            missing.append(f"{effect.get('name', 'a rule')} (no weapon {', '.join(lost)})")
        else:
            effects.append(dict(effect))
    for rule in shipped.get("not_covered", []):
        if ours and not any(same_rule(rule, name) for name in read):
            missing.append(rule)
    by_hand = {key: shipped[key] for key in BY_HAND if ours and key in shipped and key not in read_words}
    more = {"not_covered": missing} if missing else {}
    return {**by_hand, **fields, **more, **({"effect": effects} if effects else {})}


@lru_cache(maxsize=8)
def _shipped(system: str) -> dict[str, Fields]:
    """The shipped units that have rules worked out by hand, by name."""
    paths = [path for path in sorted((data_folder() / system).glob("*.toml")) if path.name != TARGETS]
    sheets = [sheet for path in paths for sheet in read_sheets(path, system)]
    by_hand = ("effect", "not_covered", *BY_HAND)
    return {
        sheet.name.lower(): dict(sheet.fields) | {"faction": sheet.faction}
        for sheet in sheets
        if any(key in sheet.fields for key in by_hand)
    }
