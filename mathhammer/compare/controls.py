"""What can be switched of a unit: size, weapons, abilities, situations, commands, buffs.

The page and the notebook's explorer offer just these; each is a word of the unit's expression.
"""

from __future__ import annotations

from typing import Any

from mathhammer.datasheets.asked import Own, asked_unit, first_known
from mathhammer.datasheets.library import UnknownUnitError
from mathhammer.datasheets.typed import asked_target
from mathhammer.games.ability_states import changes_text, rule_states
from mathhammer.games.buff_words import offered_buffs
from mathhammer.games.discovery import attacks_of
from mathhammer.games.game import Attacks
from mathhammer.games.profile_text import defence_text, stats_text, tells
from mathhammer.games.telling import command_text, flag_text
from mathhammer.games.weapon_choice import kinds_of
from mathhammer.games.words import OTHER_SIDE, defensive
from mathhammer.units.effects import usable
from mathhammer.units.unit import Unit, Weapon

SIDES = ("attacker", "target")
# a characteristic of a typed target: field, name, lowest, highest, at first, how it is written; what is no
# roll has no value "none", which stands one above the highest
SLIDERS: tuple[tuple[str, str, int, int, int, str], ...] = (
    ("toughness", "Toughness", 1, 14, 4, "T{}"),
    ("save", "Save", 2, 7, 4, "{}+"),
    ("invuln", "Invulnerable save", 2, 7, 7, "{}++"),
    ("ward", "Ward", 2, 7, 7, "ward {}+"),
    ("fnp", "Feel No Pain", 2, 7, 7, "fnp {}+"),
)
NONE = 7  # a roll that no die makes


def sliders(attacks: Attacks) -> list[dict[str, Any]]:
    """The characteristics of a target that can be typed, and how each is written in its line.

    >>> from mathhammer.games.discovery import attacks_of
    >>> [(one["name"], one["text"]) for one in sliders(attacks_of("aos4"))][:2]
    [('save', '{}+'), ('ward', 'ward {}+')]
    """
    if attacks.quick is None:
        return []
    fields = {field.name for field in attacks.unit_fields}
    known = [one for one in SLIDERS if one[0] in fields]
    known += [(attacks.wounds, attacks.wounds.capitalize(), 1, 30, 2, "wounds {}")]
    known += [("models", "Models", 1, 60, 10, "x{}")]
    keys = ("name", "label", "low", "high", "value", "text")
    return [dict(zip(keys, one, strict=True)) | {"none": NONE if one[3] == NONE else None} for one in known]


def situations_for(attacks: Attacks, side: str) -> list[dict[str, str]]:
    """The situations of a side, as words of its units.

    >>> from mathhammer.games.discovery import attacks_of
    >>> [one["word"] for one in situations_for(attacks_of("aos4"), "target")][:2]
    ['charged', 'in cover']
    """
    theirs = side == "target"
    return [
        {"word": flag_text(flag.removeprefix(OTHER_SIDE)), "what": what}
        for flag, what in attacks.situations.items()
        if flag.startswith(OTHER_SIDE) == theirs
    ]


def commands_for(attacks: Attacks, side: str) -> list[dict[str, str]]:
    """The commands that a side uses in a fight.

    >>> from mathhammer.games.discovery import attacks_of
    >>> [one["word"] for one in commands_for(attacks_of("aos4"), "target")]
    ['All-out Defence']
    """
    guarding = defensive(attacks)
    return [
        {"word": command_text(attacks, command), "what": what}
        for command, what in attacks.commands.items()
        if (command in guarding) == (side == "target")
    ]


def controls(text: str, system: str | None, side: str = "attacker", own: Own = None) -> dict[str, Any]:
    """A unit from its expression, with everything that can be switched of it; a target may be a profile that
    is typed in one line.

    >>> found = controls("10 Liberators: charged", "aos4")
    >>> found["name"], found["models"], found["words"], found["points"]
    ('Liberators', 10, ['charged'], 180)
    >>> controls("4+ health 2 x10", "aos4", "target")["profile"]
    True
    """
    try:
        expression, sheet = first_known(text, system, own, "unit")
    except UnknownUnitError:
        if side != "target":
            raise
        return _typed(asked_target(text, system, own, "unit"), text)
    unit, attacks = asked_unit(text, sheet.system, own, "unit"), attacks_of(sheet.system)
    plain = sheet.unit()
    effects = [effect for one in (plain, *unit.stance.friends) for effect in one.effects]
    used = usable(effects)
    return {
        "system": unit.system,
        "text": text,
        "profile": False,
        "name": sheet.name,
        "faction": sheet.faction,
        "label": unit.label,
        "models": unit.models,
        "smallest": plain.minimum,
        "sizes": _sizes(plain),
        "points": unit.points,
        "stats": stats_text(attacks, plain.stats),
        "leaders": list(expression.leaders),
        "words": list(expression.words),
        "kinds": list(kinds_of(plain)),
        "weapons": [_weapon(attacks, plain, weapon) for weapon in plain.weapons],
        "abilities": [
            {"word": name, "what": "; ".join(changes_text(e) for e in effects if e.name == name)}
            for name in used.values()
        ],
        "situations": situations_for(attacks, side),
        "commands": commands_for(attacks, side),
        "buffs": offered_buffs(attacks, side),
        "rules": [{"name": one.name, "state": one.state, "change": one.change} for one in rule_states(plain)],
    }


def _sizes(unit: Unit) -> list[int]:
    """The sizes that players field, where the unit can have another one."""
    if len(unit.groups) > 1 or unit.bodyguard:
        return [unit.models]
    priced = [models for models, _ in unit.prices]
    return sorted({unit.models, *(priced or [unit.reinforced_size])})


def _weapon(attacks: Attacks, unit: Unit, weapon: Weapon) -> dict[str, Any]:
    stats = stats_text(attacks, [(name, value) for name, value in weapon.stats if tells(name, value)])
    attacks_said = f"{weapon.attacks} {'attack' if str(weapon.attacks) == '1' else 'attacks'}"
    return {
        "name": weapon.name,
        "kind": weapon.kind,
        "optional": weapon.optional,
        "bearers": unit.bearers(weapon),
        "range": weapon.range,
        "text": ", ".join([attacks_said, stats, f"damage {weapon.damage}", *weapon.abilities]),
    }


def _typed(unit: Unit, text: str) -> dict[str, Any]:
    """A target that was typed: there is nothing to switch but its line."""
    empty: dict[str, list[Any]] = {
        name: []
        for name in ("leaders", "words", "kinds", "weapons", "abilities", "situations", "commands", "buffs")
    }
    return empty | {
        "system": unit.system,
        "text": text,
        "profile": True,
        "name": text,
        "faction": "",
        "label": unit.label,
        "models": unit.models,
        "smallest": unit.models,
        "sizes": [unit.models],
        "points": None,
        "stats": defence_text(unit),
        "rules": [],
    }
