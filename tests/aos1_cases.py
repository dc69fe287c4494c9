"""A case of `vectors/aos1.json` as units and arguments of `fight`."""

from __future__ import annotations

from typing import Any

import mathhammer as mh

WEAPON_KEYS = set("name type models attacks hit wound rend damage".split())
TARGET_KEYS = set(
    "models wounds wounds_suffered save ward bravery slain_earlier_this_turn charged in_cover".split()
)
MODIFIER_KEYS = set(
    "hit wound save attacks rend damage reroll_hit reroll_wound reroll_save reroll_ward mortal_wounds "
    "mystic_shield bravery inspiring_presence allocation".split()
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


def dice(value: Any) -> Any:
    return int(value) if isinstance(value, str) and value.isdigit() else value


def _weapon(weapon: dict[str, Any]) -> dict[str, Any]:
    made = {key: value for key, value in only(weapon, WEAPON_KEYS).items() if key != "type"}
    return made | {
        "kind": weapon["type"],
        "attacks": dice(weapon["attacks"]),
        "damage": dice(weapon["damage"]),
    }


def _change(op: dict[str, Any], stat: str) -> dict[str, Any]:
    only(op, {"op", "value", "by", "weapon"})
    sign = {"set": "=", "mul": "x", "div": "/"}.get(op["op"], "")
    text = f"{sign}{op['value']}" if sign else f"{op['value']:+d}"
    made = {stat: text, "enemy": op.get("by") == "enemy"}
    return made | ({"weapon": op["weapon"]} if "weapon" in op else {})


def effects_of(modifiers: dict[str, Any]) -> list[dict[str, Any]]:
    """The modifiers of a case that are effects; the rest are options."""
    only(modifiers, MODIFIER_KEYS)
    made: list[dict[str, Any]] = []
    made += [{f"{roll}_roll": value} for roll in ("hit", "wound") for value in modifiers.get(roll, [])]
    made += [{"save_roll": value, "on": "target"} for value in modifiers.get("save", [])]
    made += [_change(op, stat) for stat in ("attacks", "rend", "damage") for op in modifiers.get(stat, [])]
    for roll in ("hit", "wound", "save", "ward"):
        mode = modifiers.get(f"reroll_{roll}", "none")
        if mode != "none":
            made.append({f"reroll_{roll}": mode, "on": "unit" if roll in ("hit", "wound") else "target"})
    return made + [{"mortal_damage": dice(text)} for text in modifiers.get("mortal_wounds", [])]


def ask(case: dict[str, Any], **how: Any) -> mh.Result:
    """The case put to `fight`."""
    only(case, CASE_KEYS)
    state, target, modifiers = (
        only(case["attacker_state"], {"phase"}),
        only(case["target"], TARGET_KEYS),
        case["modifiers"],
    )
    weapons = [_weapon(weapon) for weapon in case["weapons"]]
    most = max((weapon["models"] for weapon in weapons), default=1)
    attacker = mh.make_unit("aos1", {"name": "attacker", "models": most, "wounds": 1, "weapon": weapons})
    wards = target.get("ward") or []
    fields = {"name": "target", "models": target["models"], "wounds": target["wounds"]}
    fields |= {key: target[key] for key in ("save", "bravery") if target.get(key) is not None}
    defender = mh.make_unit("aos1", fields).with_lost(target.get("wounds_suffered", 0))
    renamed = {"charged": "target_charged", "in_cover": "target_in_cover"}
    options = {
        "slain_earlier_this_turn": target.get("slain_earlier_this_turn", 0),
        "mystic_shields": modifiers.get("mystic_shield", 0),
        "bravery": sum(modifiers.get("bravery", [])),
        "inspiring_presence": modifiers.get("inspiring_presence", False),
        "allocation": modifiers.get("allocation", "wounded_first"),
    }
    return mh.fight(
        attacker,
        defender,
        weapons=[weapon["name"] for weapon in weapons],
        situation=[flag for key, flag in renamed.items() if target.get(key)],
        phase=state["phase"],
        effects=[*effects_of(modifiers), *({"ward": ward, "on": "target"} for ward in wards)],
        options=options | case.get("options", {}),
        **how,
    )
