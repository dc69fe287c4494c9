"""A case of `vectors/aos4.json` as units and arguments of `fight`."""

from __future__ import annotations

from typing import Any

import mathhammer as mh

ABILITIES = {
    "crit_two_hits": "Crit (2 Hits)",
    "crit_auto_wound": "Crit (Auto-wound)",
    "crit_mortal": "Crit (Mortal)",
    "charge_damage": "Charge (+1 Damage)",
    "companion": "Companion",
    "shoot_in_combat": "Shoot in Combat",
}
WEAPON_KEYS = set(
    "name type models champions attacks hit wound rend damage abilities anti crit_choice crit_on".split()
)
TARGET_KEYS = set(
    "models health damage_allocated save ward keywords charged in_cover obscured near_friendly_non_hero".split()
)
STATE_KEYS = {"charged", "in_combat", "distance"}
MODIFIER_KEYS = set(
    "hit wound save commands attacks rend damage reroll_hit reroll_wound reroll_save reroll_ward crit_on mortal_damage".split()
)
CASE_KEYS = {
    "id",
    "system",
    "kind",
    "rules",
    "note",
    "weapons",
    "attacker_state",
    "target",
    "modifiers",
    "options",
    "expect",
}


def only(mapping: dict[str, Any], known: set[str]) -> dict[str, Any]:
    """The mapping itself; an input that nobody reads is a failure, not a skip."""
    unknown = set(mapping) - known
    assert not unknown, f"unknown inputs {sorted(unknown)}"
    return mapping


def told_apart(case: dict[str, Any], lists: tuple[str, ...]) -> dict[str, Any]:
    """The case with weapons of one name numbered; modifiers that name them are meant for each."""
    names = [weapon["name"] for weapon in case["weapons"]]
    if len(set(names)) == len(names):
        return case
    fresh = [f"{name} {place}" for place, name in enumerate(names, 1)]
    modifiers = dict(case["modifiers"])
    for key in lists:
        entries = []
        for entry in modifiers.get(key, []):
            own = [new for new, old in zip(fresh, names, strict=True) if old == entry.get("weapon")]
            entries += [entry | {"weapon": new} for new in own] if "weapon" in entry else [entry]
        modifiers[key] = entries
    weapons = [weapon | {"name": new} for weapon, new in zip(case["weapons"], fresh, strict=True)]
    return case | {"weapons": weapons, "modifiers": modifiers}


def dice(value: Any) -> Any:
    return int(value) if isinstance(value, str) and value.isdigit() else value


def _weapon(weapon: dict[str, Any]) -> dict[str, Any]:
    only(weapon, WEAPON_KEYS)
    made = {
        "name": weapon["name"],
        "kind": weapon["type"],
        "models": weapon["models"],
        "attacks": dice(weapon["attacks"]),
        "hit": weapon["hit"],
        "wound": weapon["wound"],
        "rend": weapon["rend"],
        "damage": dice(weapon["damage"]),
        "champions": weapon.get("champions", 0),
        "abilities": [ABILITIES[name] for name in weapon.get("abilities", [])]
        + [f"Anti-{x} (+1 Rend)" for x in weapon.get("anti", [])],
    }
    if "crit_on" in weapon:
        made["crit_on"] = weapon["crit_on"]
    return made


def _change(op: dict[str, Any], stat: str) -> dict[str, Any]:
    only(op, {"op", "value", "by", "weapon"})
    sign = {"set": "=", "mul": "x", "div": "/"}.get(op["op"], "")
    text = f"{sign}{op['value']}" if sign else f"{op['value']:+d}"
    made = {stat: text, "enemy": op.get("by") == "enemy"}
    return made | ({"weapon": op["weapon"]} if "weapon" in op else {})


def _effects(modifiers: dict[str, Any]) -> list[dict[str, Any]]:
    only(modifiers, MODIFIER_KEYS)
    made: list[dict[str, Any]] = []
    made += [{f"{roll}_roll": value} for roll in ("hit", "wound") for value in modifiers.get(roll, [])]
    made += [{"save_roll": value, "on": "target"} for value in modifiers.get("save", [])]
    made += [_change(op, stat) for stat in ("attacks", "rend", "damage") for op in modifiers.get(stat, [])]
    for roll in ("hit", "wound", "save", "ward"):
        mode = modifiers.get(f"reroll_{roll}", "none")
        if mode != "none":
            made.append({f"reroll_{roll}": mode, "on": "unit" if roll in ("hit", "wound") else "target"})
    made += [{"crit_on": modifiers["crit_on"]}] if "crit_on" in modifiers else []
    made += [{"mortal_damage": dice(text)} for text in modifiers.get("mortal_damage", [])]
    return made


def ask(case: dict[str, Any], **how: Any) -> mh.Result:
    """The case put to `fight`."""
    only(case, CASE_KEYS)
    case = told_apart(case, ("attacks", "rend", "damage"))
    state, target, modifiers = (
        only(case["attacker_state"], STATE_KEYS),
        only(case["target"], TARGET_KEYS),
        case["modifiers"],
    )
    weapons = [_weapon(weapon) for weapon in case["weapons"]]
    most = max((weapon["models"] for weapon in weapons), default=1)
    attacker = mh.make_unit("aos4", {"name": "attacker", "models": most, "health": 1, "weapon": weapons})
    wards = target["ward"]
    fields = {
        "name": "target",
        "models": target["models"],
        "health": target["health"],
        "keywords": target["keywords"],
    }
    fields |= {"save": target["save"]} if target["save"] is not None else {}
    fields |= {"ward": wards[0]} if wards else {}
    defender = mh.make_unit("aos4", fields).with_lost(target["damage_allocated"])
    flags = [name for name in ("charged", "in_combat") if state.get(name)]
    renamed = {
        "charged": "target_charged",
        "in_cover": "target_in_cover",
        "obscured": "target_obscured",
        "near_friendly_non_hero": "target_guarded",
    }
    flags += [flag for key, flag in renamed.items() if target.get(key)]
    return mh.fight(
        attacker,
        defender,
        weapons=[weapon["name"] for weapon in weapons],
        situation=flags,
        distance=state.get("distance"),
        commands=modifiers.get("commands", ()),
        effects=[*_effects(modifiers), *({"ward": ward, "on": "target"} for ward in wards[1:])],
        choices={w["name"]: ABILITIES[w["crit_choice"]] for w in case["weapons"] if w.get("crit_choice")},
        options=case.get("options"),
        **how,
    )
