"""A case of `vectors/wh40k11.json` as units and arguments of `fight` and `odds`."""

from __future__ import annotations

from typing import Any

import wh40k10_cases
from aos4_cases import only, told_apart

import mathhammer as mh

SPELLED = {"twin_linked": "Twin-linked", "close_quarters": "Close-quarters"}
WEAPON_KEYS = wh40k10_cases.WEAPON_KEYS | {
    "ability_scopes",
    "lethal_choice",
    "crit_wound_ap",
    "pools",
    "single_target",
}
STATE_KEYS = set(
    "shooting_type stationary short_move set_up_this_turn monster_vehicle target_engaged_with_attacker target_visible "
    "target_seen_by_friend plunging_fire half_range charged precision_choice precision_target".split()
)
TARGET_KEYS = wh40k10_cases.TARGET_KEYS | {"engaged"}
GROUP_KEYS = wh40k10_cases.GROUP_KEYS | {"invuln_ranged", "invuln_melee", "visible"}
MODIFIER_KEYS = wh40k10_cases.MODIFIER_KEYS | {"ignore_negative_skill_modifiers"}
FLAGS = "stationary short_move set_up_this_turn charged plunging_fire target_seen_by_friend".split()
TYPES = {
    "normal": [],
    "assault": ["advanced"],
    "close_quarters": ["engaged"],
    "indirect": ["indirect"],
    "snap": ["overwatch"],
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
    }
    fields |= {
        key: target[key]
        for key in ("stealth", "unmodified_wound_fails_up_to", "damage_zero_uses")
        if target.get(key)
    }
    return mh.make_unit("wh40k11", fields)


def _weapon(weapon: dict[str, Any]) -> dict[str, Any]:
    only(weapon, WEAPON_KEYS)
    abilities = []
    scopes = weapon.get("ability_scopes", {})
    for name, value in weapon.get("abilities", {}).items():
        scope = _scope(scopes.get(name, []))
        if name == "anti":
            abilities += [f"Anti-{entry['keyword']} {entry['value']}+{scope}" for entry in value]
        elif value:
            spelled = SPELLED.get(name, name.replace("_", " ").title())
            abilities.append((spelled if value is True else f"{spelled} {value}") + scope)
    plain = {key: value for key, value in weapon.items() if key in wh40k10_cases.WEAPON_KEYS}
    made = wh40k10_cases.weapon_fields(plain) | {"abilities": abilities}
    return made | ({"crit_wound_ap": weapon["crit_wound_ap"]} if "crit_wound_ap" in weapon else {})


def _scope(words: list[str]) -> str:
    """Keywords behind an ability, as a datasheet writes them."""
    without = [word.removeprefix("NON-") for word in words if word.startswith("NON-")]
    assert not without or len(without) == len(words), "one kind of scope at a time"
    return "" if not words else f": NON-{'/'.join(without)}" if without else f": {'/'.join(words)}"


def _flags(case: dict[str, Any]) -> list[str]:
    state, target = case["attacker_state"], case["target"]
    kind = state.get("shooting_type", "normal")
    flags = [*TYPES[kind], *(name for name in FLAGS if state.get(name))]
    if not state.get("target_engaged_with_attacker", True):
        flags = ["engaged_elsewhere" if flag == "engaged" else flag for flag in flags]
    flags += ["target_unseen"] if state.get("target_visible", True) is False else []
    flags += ["target_in_cover"] if target.get("cover") else []
    flags += ["target_engaged"] if target.get("engaged") else []
    flags += ["split_attacks"] if any(w.get("single_target") is False for w in case["weapons"]) else []
    return flags + [
        f"half_range:{w['name']}"
        for w in case["weapons"]
        if w.get("half_range", state.get("half_range", False))
    ]


def ask(case: dict[str, Any], **how: Any) -> mh.Result:
    """An attack case put to `fight`."""
    only(case, wh40k10_cases.CASE_KEYS)
    case = told_apart(case, ("characteristics",))
    case = {"attacker_state": {}, "modifiers": {}} | case
    state = only(case["attacker_state"], STATE_KEYS)
    weapons = [_weapon(weapon) for weapon in case["weapons"]]
    ordinary = [weapon["models"] for weapon in weapons if "Extra Attacks" not in weapon["abilities"]]
    attacker = mh.make_unit(
        "wh40k11",
        {
            "name": "attacker",
            "models": max(1, sum(ordinary)),
            "toughness": 4,
            "wounds": 1,
            "keywords": ["VEHICLE"] if state.get("monster_vehicle") else [],
            "weapon": weapons,
        },
    )
    options = {key: state[key] for key in ("precision_choice", "precision_target") if key in state}
    pools = [weapon["pools"][0] for weapon in case["weapons"] if "pools" in weapon]
    options |= {"critical_pool": "first" if pools[0] == "critical" else "last"} if pools else {}
    skill = case["modifiers"].get("ignore_negative_skill_modifiers")
    plain = {key: value for key, value in case["modifiers"].items() if not key.endswith("skill_modifiers")}
    only(case["modifiers"], MODIFIER_KEYS)
    return mh.fight(
        attacker,
        target_unit(case["target"]),
        weapons=[weapon["name"] for weapon in weapons],
        situation=_flags(case),
        effects=[
            *wh40k10_cases.effects_of(plain),
            *([{"ignore": ["skill_penalties"]}] if skill else []),
            *(effect for weapon in case["weapons"] for effect in wh40k10_cases.weapon_effects(weapon)),
        ],
        choices={w["name"]: w["lethal_choice"] for w in case["weapons"] if "lethal_choice" in w},
        options=options or None,
        **how,
    )
