"""A case of `vectors/wh40k10.json` as units and arguments of `fight` and `odds`."""

from __future__ import annotations

from typing import Any

from aos4_cases import only, told_apart

import mathhammer as mh

SPELLED = {"twin_linked": "Twin-linked"}
WEAPON_KEYS = set(
    "name type count attacks damage skill strength ap abilities crit_hit_on crit_wound_on reroll_hits reroll_wounds reroll_attacks "
    "reroll_damage hit_mod wound_mod mortal_on_crit_hit mortal_on_crit_wound half_range".split()
)
STATE_KEYS = set(
    "half_range stationary charged target_visible big_guns_penalty overwatch plunging_fire precision_choice distance".split()
)
TARGET_KEYS = set(
    "toughness keywords groups cover stealth unmodified_wound_fails_up_to damage_zero_uses".split()
)
GROUP_KEYS = set(
    "name models wounds save invuln fnp fnp_mortal fnp_psychic damage_reduction halve_damage damage_set reroll_saves wounded character".split()
)
MODIFIER_KEYS = set(
    "hit wound save armour_save ignore_negative_hit_modifiers ignore_negative_wound_modifiers characteristics".split()
)
STATS = {
    "A": "attacks",
    "skill": "skill",
    "S": "strength",
    "AP": "ap",
    "D": "damage",
    "T": "toughness",
    "Sv": "save",
}
CASE_KEYS = {
    "id",
    "kind",
    "rules",
    "note",
    "assumes",
    "weapons",
    "attacker_state",
    "target",
    "modifiers",
    "expect",
}


def target_unit(target: dict[str, Any]) -> mh.Unit:
    """The target with its model groups."""
    only(target, TARGET_KEYS)
    groups = [
        {key: value for key, value in only(group, GROUP_KEYS).items() if value is not None}
        for group in target["groups"]
    ]
    fields: dict[str, Any] = {
        "name": "target",
        "toughness": target["toughness"],
        "keywords": target.get("keywords", []),
        "group": groups,
        "attached": any(group.get("character") for group in groups),
    }
    fields |= {
        key: target[key]
        for key in ("stealth", "unmodified_wound_fails_up_to", "damage_zero_uses")
        if target.get(key)
    }
    return mh.make_unit("wh40k10", fields)


def weapon_fields(weapon: dict[str, Any]) -> dict[str, Any]:
    only(weapon, WEAPON_KEYS)
    abilities = []
    for name, value in weapon.get("abilities", {}).items():
        if name == "anti":
            abilities += [f"Anti-{entry['keyword']} {entry['value']}+" for entry in value]
        elif value:
            spelled = SPELLED.get(name, name.replace("_", " ").title())
            abilities.append(spelled if value is True else f"{spelled} {value}")
    made = {
        "name": weapon["name"],
        "kind": weapon.get("type", "ranged"),
        "models": weapon.get("count", 1),
        "attacks": weapon["attacks"],
        "strength": weapon["strength"],
        "ap": weapon["ap"],
        "damage": weapon["damage"],
        "abilities": abilities,
    }
    made |= {"skill": weapon["skill"]} if weapon.get("skill") is not None else {}
    made |= {"crit_on": weapon["crit_hit_on"]} if "crit_hit_on" in weapon else {}
    return made | ({"crit_wound_on": weapon["crit_wound_on"]} if "crit_wound_on" in weapon else {})


def weapon_effects(weapon: dict[str, Any]) -> list[dict[str, Any]]:
    keys = {
        "reroll_hits": "reroll_hit",
        "reroll_wounds": "reroll_wound",
        "reroll_attacks": "reroll_attacks",
        "reroll_damage": "reroll_damage",
        "hit_mod": "hit_roll",
        "wound_mod": "wound_roll",
        "mortal_on_crit_hit": "mortal_on_crit",
        "mortal_on_crit_wound": "mortal_on_crit_wound",
    }
    return [
        {ours: weapon[theirs], "weapon": weapon["name"]}
        for theirs, ours in keys.items()
        if weapon.get(theirs, 0) not in (0, "none")
    ]


def _characteristic(entry: dict[str, Any]) -> dict[str, Any]:
    only(entry, {"stat", "op", "value", "weapon"})
    stat, op, value = STATS[entry["stat"]], entry["op"], entry["value"]
    lower_is_better = stat in ("skill", "save", "ap")
    if op in ("improve", "worsen"):
        text = f"{value if (op == 'improve') != lower_is_better else -value:+d}"
    else:
        text = {
            "set": f"={value}",
            "div": f"/{value}",
            "mul": f"x{value}",
            "add": f"{value:+d}",
            "sub": f"{-value:+d}",
        }[op]
    made = {stat: text, "on": "target" if stat in ("toughness", "save") else "unit"}
    return made | ({"weapon": entry["weapon"]} if "weapon" in entry else {})


def effects_of(modifiers: dict[str, Any]) -> list[dict[str, Any]]:
    only(modifiers, MODIFIER_KEYS)
    made: list[dict[str, Any]] = [
        {f"{roll}_roll": value} for roll in ("hit", "wound") for value in modifiers.get(roll, [])
    ]
    made += [{"save_roll": value, "on": "target"} for value in modifiers.get("save", [])]
    made += [{"armour_save_roll": value, "on": "target"} for value in modifiers.get("armour_save", [])]
    made += [
        {"ignore": [f"{roll}_penalties"]}
        for roll in ("hit", "wound")
        if modifiers.get(f"ignore_negative_{roll}_modifiers")
    ]
    return made + [_characteristic(entry) for entry in modifiers.get("characteristics", [])]


def ask(case: dict[str, Any], **how: Any) -> mh.Result:
    """An attack case put to `fight`."""
    only(case, CASE_KEYS)
    case = told_apart(case, ("characteristics",))
    state, target = only(case["attacker_state"], STATE_KEYS), case["target"]
    weapons = [weapon_fields(weapon) for weapon in case["weapons"]]
    ordinary = [weapon["models"] for weapon in weapons if "Extra Attacks" not in weapon["abilities"]]
    keywords = ["VEHICLE"] if state.get("big_guns_penalty") else []
    attacker = mh.make_unit(
        "wh40k10",
        {
            "name": "attacker",
            "models": max(1, sum(ordinary)),
            "toughness": 4,
            "wounds": 1,
            "keywords": keywords,
            "weapon": weapons,
        },
    )
    flags = [name for name in ("stationary", "charged", "overwatch", "plunging_fire") if state.get(name)]
    flags += ["engaged"] if state.get("big_guns_penalty") else []
    flags += ["target_unseen"] if state.get("target_visible", True) is False else []
    flags += ["target_in_cover"] if target.get("cover") else []
    flags += [
        f"half_range:{w['name']}"
        for w in case["weapons"]
        if w.get("half_range", state.get("half_range", False))
    ]
    return mh.fight(
        attacker,
        target_unit(target),
        weapons=[weapon["name"] for weapon in weapons],
        situation=flags,
        distance=state.get("distance"),
        effects=[
            *effects_of(case["modifiers"]),
            *(effect for weapon in case["weapons"] for effect in weapon_effects(weapon)),
        ],
        options={"precision_choice": state["precision_choice"]} if "precision_choice" in state else None,
        **how,
    )
