"""The referee for Warhammer 40,000: every die of every attack, many games side by side.

It imports nothing from the package and shares no code with it. A case is an attack case of `tests/vectors/wh40k10.json`.
"""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

Rolls = np.ndarray


def _as_list(value: Any) -> list[Any]:
    return list(value or [])


class Battle:
    """So many games at once: the target's models in each, and the dice."""

    def __init__(self, case: dict[str, Any], seed: int, games: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.games = games
        self.case = case
        self.groups = case["target"]["groups"]
        self.models = [np.full(games, group["models"]) for group in self.groups]
        self.left = [np.full(games, group["wounds"] - group.get("wounded", 0)) for group in self.groups]
        self.lost = np.zeros(games, dtype=int)
        self.uses = np.full(games, case["target"].get("damage_zero_uses", 0))

    def d6(self) -> Rolls:
        return self.rng.integers(1, 7, self.games)

    def roll(self, text: Any, reroll: str = "none") -> Rolls:
        """Dice text, with the re-rolls of random numbers."""
        found = re.fullmatch(r"(\d*)D(\d)([+-]\d+)?", str(text).upper())
        if not found:
            return np.full(self.games, int(text))
        number, sides = int(found[1] or 1), int(found[2])

        def one() -> Rolls:
            return (self.d6() + 1) // 2 if sides == 3 else self.d6()

        dice = [one() for _ in range(number)]
        if reroll == "ones":
            dice = [np.where(die == 1, one(), die) for die in dice]
        total = sum(dice, np.zeros(self.games, dtype=int))
        if reroll == "low":
            again = sum((one() for _ in range(number)), np.zeros(self.games, dtype=int))
            total = np.where(total < number * (sides + 1) / 2, again, total)
        return total + int(found[3] or 0)


def _ops(case: dict[str, Any], stat: str, weapon: dict[str, Any]) -> list[dict[str, Any]]:
    entries = [e for e in _as_list(case["modifiers"].get("characteristics")) if e["stat"] == stat]
    entries = [e for e in entries if e.get("weapon", weapon["name"]) == weapon["name"]]
    if stat == "A" and weapon.get("abilities", {}).get("extra_attacks"):
        entries = [e for e in entries if "weapon" in e]
    return entries


def _apply(value: Rolls, ops: list[dict[str, Any]], stat: str) -> Rolls:
    """Set, divide, multiply, add, subtract; one rounding up; limits."""
    number = value.astype(float)
    zero = False
    for op in ops:
        if op["op"] == "set":
            number = np.full_like(number, op["value"])
            zero = stat == "D" and op["value"] == 0
    for op in ops:
        if op["op"] == "div":
            number = number / op["value"]
    for op in ops:
        if op["op"] == "mul":
            number = number * op["value"]
    for op in ops:
        better = {"skill": -1, "Sv": -1, "AP": -1}.get(stat, 1)
        change = {"add": 1, "sub": -1, "improve": better, "worsen": -better}.get(op["op"], 0)
        number = number + change * (op["value"] if change else 0)
    result = np.ceil(number - 1e-9).astype(int)
    if stat in ("A", "S", "T"):
        return np.maximum(1, result)
    if stat == "D":
        return np.maximum(0 if zero else 1, result)
    if stat in ("skill", "Sv"):
        return np.maximum(2, result)
    return np.minimum(0, result)  # AP


def _number(value: int, ops: list[dict[str, Any]], stat: str) -> int:
    return int(_apply(np.array([value]), ops, stat)[0])


def _test(
    battle: Battle,
    needs: int,
    modifier: int,
    crit_on: int,
    reroll: str,
    fails_up_to: int = 1,
    plain_fails: int = 0,
    only_six: bool = False,
) -> tuple[Rolls, Rolls]:
    def judge(die: Rolls) -> tuple[Rolls, Rolls]:
        allowed = (die > fails_up_to) & ((die == 6) | (not only_six))
        crit = (die >= crit_on) & allowed
        plain = (die + modifier >= needs) & (die > plain_fails) & allowed
        return crit | plain, crit

    die = battle.d6()
    success, crit = judge(die)
    again = {"none": die < 0, "ones": (die == 1) & ~success, "failed": ~success, "noncrit": ~crit}[reroll]
    return judge(np.where(again, battle.d6(), die))


def _wider(a: str, b: str) -> str:
    order = ["none", "ones", "failed", "noncrit"]
    return max(a, b, key=order.index)


def _land(
    battle: Battle, weapon: dict[str, Any], active: Rolls, ap: int, cover: bool, kind: str, precise: bool
) -> None:
    """One packet in every game where it is active: allocation, save, damage, Feel No Pain."""
    case, mods = battle.case, battle.case["modifiers"]
    characters = [i for i, g in enumerate(battle.groups) if g.get("character")]
    others = [i for i in range(len(battle.groups)) if i not in characters]
    waiting = active.copy()
    for index in [*characters, *others] if precise else [*others, *characters]:
        group = battle.groups[index]
        here = waiting & (battle.models[index] > 0)
        waiting &= ~here
        if not here.any():
            continue
        unsaved = here.copy()
        if kind == "ordinary":
            sv = group.get("save")
            sv = None if sv is None else _number(sv, _ops(case, "Sv", weapon), "Sv")
            bonus = sum(_as_list(mods.get("save")))
            armour_bonus = bonus + sum(_as_list(mods.get("armour_save"))) + ap
            if cover and sv is not None and not (sv <= 3 and ap == 0):
                armour_bonus += 1
            need_armour = 9 if sv is None else sv - min(1, armour_bonus)
            need_invuln = 9 if group.get("invuln") is None else group["invuln"] - min(1, bonus)
            need = max(2, min(need_armour, need_invuln))
            die = battle.d6()
            mode = group.get("reroll_saves", "none")
            again = {"none": die < 0, "ones": (die == 1) & (die < need), "failed": die < need}[mode]
            die = np.where(again, battle.d6(), die)
            unsaved &= die < need
        if kind == "mortal":
            damage = np.ones(battle.games, dtype=int)
        else:
            zeroed = unsaved & (battle.uses > 0)
            battle.uses = battle.uses - zeroed
            rolled = battle.roll(weapon["damage"], weapon.get("reroll_damage", "none"))
            ops = _ops(case, "D", weapon)
            if group.get("damage_set") is not None:
                ops = [*ops, {"op": "set", "value": group["damage_set"]}]
            if group.get("halve_damage"):
                ops = [*ops, {"op": "div", "value": 2}]
            if group.get("damage_reduction"):
                ops = [*ops, {"op": "sub", "value": group["damage_reduction"]}]
            melta = weapon.get("abilities", {}).get("melta")
            if melta and weapon.get("half_range", case["attacker_state"].get("half_range", False)):
                ops = [*ops, {"op": "add", "value": melta}]
            without_sets = [op for op in ops if op["op"] != "set"]
            damage = np.where(
                zeroed,
                _apply(rolled, [{"op": "set", "value": 0}, *without_sets], "D"),
                _apply(rolled, ops, "D"),
            )
        pains = [group.get("fnp")]
        pains += [group.get("fnp_mortal")] if kind != "ordinary" else []
        pains += [group.get("fnp_psychic")] if weapon.get("abilities", {}).get("psychic") else []
        pain = min((p for p in pains if p), default=7)
        kept = np.zeros(battle.games, dtype=int)
        for point in range(int(damage.max())):
            kept += (point < damage) & (battle.d6() < pain)
        dealt = np.where(unsaved, np.minimum(kept, battle.left[index]), 0)
        battle.left[index] = battle.left[index] - dealt
        battle.lost += dealt
        dead = battle.left[index] == 0
        battle.models[index] = battle.models[index] - dead
        battle.left[index] = np.where(dead, group["wounds"], battle.left[index])


def play(case: dict[str, Any], seed: int, games: int) -> dict[str, Rolls]:
    """Wounds lost and models slain in every game."""
    battle = Battle(case, seed, games)
    state, target, mods = case["attacker_state"], case["target"], case["modifiers"]
    keywords = {word.upper() for word in target.get("keywords", [])}
    size = sum(group["models"] for group in target["groups"])
    precise_wanted = state.get("precision_choice", "character") == "character"
    queues: list[tuple[dict[str, Any], Rolls, Rolls, int, bool, bool]] = []
    for weapon in case["weapons"]:
        abilities = weapon.get("abilities", {})
        ranged = weapon.get("type", "ranged") == "ranged"
        half = weapon.get("half_range", state.get("half_range", False))
        far = state.get("distance", 0) > abilities.get("conversion", 999)
        unseen = bool(abilities.get("indirect_fire")) and state.get("target_visible", True) is False
        ap_ops = _ops(case, "AP", weapon) + (
            [{"op": "improve", "value": 1}] if state.get("plunging_fire") and ranged else []
        )
        ap = _number(weapon["ap"], ap_ops, "AP")
        cover = ranged and not abilities.get("ignores_cover") and (bool(target.get("cover")) or unseen)
        hit_mods = [*_as_list(mods.get("hit")), weapon.get("hit_mod", 0)]
        hit_mods += [1] if abilities.get("heavy") and state.get("stationary") else []
        hit_mods += [-1] if ranged and target.get("stealth") else []
        hit_mods += [-1] if unseen else []
        hit_mods += [-1] if ranged and state.get("big_guns_penalty") and not abilities.get("pistol") else []
        wound_mods = [*_as_list(mods.get("wound")), weapon.get("wound_mod", 0)]
        wound_mods += [1] if abilities.get("lance") and state.get("charged") else []
        if mods.get("ignore_negative_hit_modifiers"):
            hit_mods = [m for m in hit_mods if m > 0]
        if mods.get("ignore_negative_wound_modifiers"):
            wound_mods = [m for m in wound_mods if m > 0]
        hit_mod, wound_mod = max(-1, min(1, sum(hit_mods))), max(-1, min(1, sum(wound_mods)))
        strength = _number(weapon["strength"], _ops(case, "S", weapon), "S")
        toughness = _number(target["toughness"], _ops(case, "T", weapon), "T")
        need_wound = (
            2
            if strength >= 2 * toughness
            else 3
            if strength > toughness
            else 4
            if strength == toughness
            else 6
            if 2 * strength <= toughness
            else 5
        )
        anti = [entry["value"] for entry in abilities.get("anti", []) if entry["keyword"].upper() in keywords]
        crit_wound = min([weapon.get("crit_wound_on", 6), *anti])
        reroll_wound = _wider(
            weapon.get("reroll_wounds", "none"), "failed" if abilities.get("twin_linked") else "none"
        )
        precise = bool(abilities.get("precision")) and precise_wanted
        waiting, mortal = np.zeros(games, dtype=int), np.zeros(games, dtype=int)

        def wound(active: Rolls) -> None:
            nonlocal waiting, mortal
            success, crit = _test(
                battle,
                need_wound,
                wound_mod,
                crit_wound,
                reroll_wound,
                plain_fails=target.get("unmodified_wound_fails_up_to", 0),
            )
            success, crit = success & active, crit & active
            mortal = mortal + crit * weapon.get("mortal_on_crit_wound", 0)
            if abilities.get("devastating_wounds"):
                waiting = waiting + crit
                success &= ~crit
            _land(battle, weapon, success, ap, cover, "ordinary", precise)

        for _ in range(weapon.get("count", 1)):
            ops = _ops(case, "A", weapon)
            ops = (
                [*ops, {"op": "add", "value": abilities["rapid_fire"]}]
                if abilities.get("rapid_fire") and half
                else ops
            )
            ops = [*ops, {"op": "add", "value": size // 5}] if abilities.get("blast") else ops
            number = _apply(battle.roll(weapon["attacks"], weapon.get("reroll_attacks", "none")), ops, "A")
            for attack in range(int(number.max())):
                active = attack < number
                if abilities.get("torrent"):
                    wound(active)
                    continue
                skill = _number(weapon["skill"], _ops(case, "skill", weapon), "skill")
                success, crit = _test(
                    battle,
                    skill,
                    hit_mod,
                    min(weapon.get("crit_hit_on", 6), 4 if far else 6),
                    weapon.get("reroll_hits", "none"),
                    3 if unseen else 1,
                    only_six=bool(state.get("overwatch")),
                )
                success, crit = success & active, crit & active
                mortal = mortal + crit * weapon.get("mortal_on_crit_hit", 0)
                if abilities.get("lethal_hits"):
                    _land(battle, weapon, crit, ap, cover, "ordinary", precise)
                    wound(success & ~crit)
                else:
                    wound(success)
                if "sustained_hits" in abilities:
                    extra = np.where(crit, battle.roll(abilities["sustained_hits"]), 0)
                    for hit in range(int(extra.max())):
                        wound(hit < extra)
        queues.append((weapon, waiting, mortal, ap, cover, precise))
    for weapon, waiting, mortal, ap, cover, precise in queues:
        for place in range(int(waiting.max())):
            _land(battle, weapon, place < waiting, ap, cover, "devastating", precise)
        for place in range(int(mortal.max())):
            _land(battle, weapon, place < mortal, ap, cover, "mortal", precise)
    slain = sum(
        (group["models"] - left for group, left in zip(battle.groups, battle.models, strict=True)),
        np.zeros(games, dtype=int),
    )
    assert math.isfinite(float(battle.lost.mean()))
    return {"lost": battle.lost, "slain": slain}
