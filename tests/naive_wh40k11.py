"""The referee for Warhammer 40,000, 11th edition: every die of every attack of one game after the other.

It imports nothing from the package and shares no code with it. A case is an attack case of `tests/vectors/wh40k11.json`.
Save dice are rolled for a whole set of attacks, sorted, and applied one by one, as the rules say.
"""

from __future__ import annotations

import math
import random
import re
from typing import Any

OUTSIDE = set(
    "rapid_fire blast cleave assault pistol close_quarters one_shot extra_attacks hazardous".split()
)
WIDER = ["none", "ones", "failed", "noncrit"]


class Models:
    """One allocation group on the table: models, and what the wounded one has lost."""

    def __init__(self, group: dict[str, Any], place: int) -> None:
        self.group = group
        self.place = place
        self.models = group["models"]
        self.lost = group.get("wounded", 0)
        self.character = bool(group.get("character"))

    def take(self, wounds: int) -> int:
        """One model loses so many wounds; what exceeds it is lost."""
        taken = min(wounds, self.group["wounds"] - self.lost)
        self.lost += taken
        if self.lost >= self.group["wounds"]:
            self.models, self.lost = self.models - 1, 0
        return taken


class Game:
    """One game: the dice, the target's groups, and what it has lost."""

    def __init__(self, case: dict[str, Any], rng: random.Random) -> None:
        self.case = case
        self.rng = rng
        self.state = case.get("attacker_state", {})
        self.modifiers = case.get("modifiers", {})
        self.target = case["target"]
        self.keywords = {word.upper() for word in self.target.get("keywords", [])}
        self.size = sum(group["models"] for group in self.target["groups"])
        self.groups = [Models(group, place) for place, group in enumerate(self.target["groups"])]
        self.uses = self.target.get("damage_zero_uses", 0)
        self.lost = 0

    def d6(self) -> int:
        return self.rng.randrange(6) + 1

    def roll(self, text: Any, reroll: str = "none") -> int:
        found = re.fullmatch(r"(\d*)D(\d)([+-]\d+)?", str(text).upper())
        if not found:
            return int(text)
        number, sides = int(found[1] or 1), int(found[2])

        def one() -> int:
            return (self.d6() + 1) // 2 if sides == 3 else self.d6()

        dice = [one() for _ in range(number)]
        if reroll == "ones":
            dice = [one() if die == 1 else die for die in dice]
        if reroll == "low" and sum(dice) < number * (sides + 1) / 2:
            dice = [one() for _ in range(number)]
        return sum(dice) + int(found[3] or 0)

    # --- who is hit -----------------------------------------------------------------------------------------

    def order(self) -> list[Models]:
        """Groups as the defender declares them: others before characters, wounded ones first."""
        alive = [group for group in self.groups if group.models]
        return sorted(alive, key=lambda g: (g.character, g.lost == 0, g.place))

    def chosen(self, weapon: dict[str, Any]) -> Models | None:
        """The character that a Precision attack picks."""
        if (
            not weapon.get("abilities", {}).get("precision")
            or self.state.get("precision_choice", "character") != "character"
        ):
            return None
        named = self.state.get("precision_target")
        for group in self.groups:
            fits = group.character and group.group.get("visible", True) and group.models
            if fits and named in (None, group.group["name"]):
                return group
        return None

    def mortal(self, weapon: dict[str, Any], wounds: int, first: Models | None, one_model: bool) -> None:
        """Mortal wounds on one model, or one after the other."""
        for lump in [wounds] if one_model else [1] * wounds:
            order = ([first] if first is not None and first.models else []) + self.order()
            if order:
                self.lose(order[0], lump, weapon, mortal=True)

    def lose(self, models: Models, wounds: int, weapon: dict[str, Any], mortal: bool) -> None:
        group = models.group
        pains = [group.get("fnp")]
        pains += [group.get("fnp_mortal")] if mortal else []
        pains += [group.get("fnp_psychic")] if weapon.get("abilities", {}).get("psychic") else []
        pain = min((p for p in pains if p), default=7)
        self.lost += models.take(sum(self.d6() < pain for _ in range(wounds)))


def changed(value: int, ops: list[tuple[str, int]], low: int | None, high: int | None) -> int:
    """Set, multiply, add, divide, subtract; one rounding up; limits; what is set to 0 stays 0."""
    number = float(value)
    sets = [by for op, by in ops if op == "set"]
    if sets:
        number = float(sets[-1])
        if number == 0:
            return 0
    for op, by in ops:
        number = number * by if op == "mul" else number
    number += sum(by for op, by in ops if op == "add")
    for op, by in ops:
        number = number / by if op == "div" else number
    number -= sum(by for op, by in ops if op == "sub")
    result = math.ceil(number - 1e-9)
    result = result if low is None else max(low, result)
    return result if high is None else min(high, result)


def ops_of(game: Game, stat: str, weapon: dict[str, Any]) -> list[tuple[str, int]]:
    found = []
    for entry in game.modifiers.get("characteristics", []):
        if entry["stat"] == stat and entry.get("weapon", weapon["name"]) == weapon["name"]:
            better = "sub" if stat in ("skill", "Sv", "AP") else "add"
            worse = "add" if better == "sub" else "sub"
            found.append(({"improve": better, "worsen": worse}.get(entry["op"], entry["op"]), entry["value"]))
    return found


def works(game: Game, weapon: dict[str, Any], name: str) -> Any:
    """The value of an ability that works against this target; None: it does not."""
    value = weapon.get("abilities", {}).get(name)
    words = weapon.get("ability_scopes", {}).get(name)
    if not value or not words:
        return value or None
    without = {word[4:] for word in words if word.startswith("NON-")}
    plain = {word for word in words if not word.startswith("NON-")}
    fits = bool(plain & game.keywords) or (bool(without) and not without & game.keywords)
    return value if fits else None


class Profile:
    """All that decides the attacks of a weapon in this situation; equal ones are identical attacks."""

    def __init__(self, game: Game, weapon: dict[str, Any]) -> None:
        state, target, mods = game.state, game.target, game.modifiers
        get = lambda name: works(game, weapon, name)  # noqa: E731
        ranged = weapon.get("type", "ranged") == "ranged"
        close = bool(get("close_quarters") or get("pistol"))
        shooting = state.get("shooting_type", "normal")
        engaged = shooting == "close_quarters"
        beside = state.get("target_engaged_with_attacker", engaged)
        unseen = state.get("target_visible", True) is False
        indirect = bool(get("indirect_fire")) and (shooting == "indirect" or unseen)
        psychic = bool(get("psychic"))
        cover = bool(target.get("cover") or target.get("stealth") or indirect) and ranged
        skill_ops = ops_of(game, "skill", weapon)
        skill_ops += [("add", 1)] if cover and not get("ignores_cover") else []
        skill_ops += [("sub", 1)] if ranged and state.get("plunging_fire") else []
        if psychic or mods.get("ignore_negative_skill_modifiers"):
            skill_ops = [op for op in skill_ops if op[0] != "add"]
        self.skill = None if weapon["skill"] is None else changed(weapon["skill"], skill_ops, 2, 6)
        hits = [*mods.get("hit", []), weapon.get("hit_mod", 0)]
        moved = state.get("stationary") or state.get("short_move")
        heavy = moved and not state.get("set_up_this_turn") and shooting in ("normal", "indirect")
        hits += [1] if get("heavy") and heavy and ranged else []
        big = engaged and state.get("monster_vehicle")
        hits += [-1] if ranged and big and not (close and beside) else []
        hits += [-1] if ranged and target.get("engaged") and not (close and beside) else []
        if psychic or mods.get("ignore_negative_hit_modifiers"):
            hits = [one for one in hits if one > 0]
        wounds = [*mods.get("wound", []), weapon.get("wound_mod", 0)]
        wounds += [1] if get("lance") and state.get("charged") else []
        if mods.get("ignore_negative_wound_modifiers"):
            wounds = [one for one in wounds if one > 0]
        self.hit_mod, self.wound_mod = max(-1, min(1, sum(hits))), max(-1, min(1, sum(wounds)))
        self.snap = shooting == "snap"
        spotted = state.get("stationary") and state.get("target_seen_by_friend")
        self.fails = (3 if spotted else 5) if indirect else 1
        self.reroll_hits = "none" if indirect or self.snap else weapon.get("reroll_hits", "none")
        twin = "failed" if get("twin_linked") else "none"
        self.reroll_wounds = max(weapon.get("reroll_wounds", "none"), twin, key=WIDER.index)
        self.crit_hit = weapon.get("crit_hit_on", 6)
        anti = [e["value"] for e in get("anti") or [] if e["keyword"].upper() in game.keywords]
        self.crit_wound = min([weapon.get("crit_wound_on", 6), *anti])
        self.strength = changed(weapon["strength"], ops_of(game, "S", weapon), 1, None)
        toughness = changed(target["toughness"], ops_of(game, "T", weapon), 1, None)
        ratio = self.strength / toughness
        self.wound_on = 2 if ratio >= 2 else 3 if ratio > 1 else 4 if ratio == 1 else 6 if ratio <= 0.5 else 5
        self.ap = changed(weapon["ap"], ops_of(game, "AP", weapon), None, 0)
        half = weapon.get("half_range", state.get("half_range", False))
        self.damage_ops = ops_of(game, "D", weapon) + (
            [("add", get("melta"))] if get("melta") and half else []
        )
        self.damage = (str(weapon["damage"]), weapon.get("reroll_damage", "none"))
        self.crit_ap = weapon.get("crit_wound_ap", 0)
        self.mortals = (weapon.get("mortal_on_crit_hit", 0), weapon.get("mortal_on_crit_wound", 0))
        self.lethal = bool(get("lethal_hits")) and weapon.get("lethal_choice", "always") != "never"
        self.torrent, self.devastating = bool(get("torrent")), bool(get("devastating_wounds"))
        self.sustained = str(get("sustained_hits") or 0)
        named = {name for name in weapon.get("abilities", {}) if get(name)} - OUTSIDE
        self.named = frozenset(named - {"lethal_hits"} | ({"lethal_hits"} if self.lethal else set()))

    def key(self) -> tuple[Any, ...]:
        return tuple(str(sorted(v)) if isinstance(v, frozenset) else str(v) for v in vars(self).values())


def may_attack(game: Game, weapon: dict[str, Any]) -> bool:
    """Whether the weapon may attack in this situation."""
    state, ability = game.state, weapon.get("abilities", {})
    if weapon.get("type", "ranged") != "ranged":
        return True
    shooting = state.get("shooting_type", "normal")
    engaged = shooting == "close_quarters"
    close = ability.get("close_quarters") or ability.get("pistol")
    if shooting == "assault" and not ability.get("assault"):
        return False
    if engaged and not state.get("monster_vehicle") and not close:
        return False
    beside = state.get("target_engaged_with_attacker", engaged)
    if ability.get("blast") and ((engaged and beside) or game.target.get("engaged")):
        return False
    return bool(state.get("target_visible", True) is not False or ability.get("indirect_fire"))


def attack_dice(game: Game, weapon: dict[str, Any]) -> int:
    """How many dice the copies of a weapon have."""
    total = 0
    for _ in range(weapon.get("count", 1)):
        rolled = game.roll(weapon["attacks"], weapon.get("reroll_attacks", "none"))
        total += changed(rolled, ops_of(game, "A", weapon), 1, None)
        fives = game.size // 5
        total += int(works(game, weapon, "blast") or 0) * fives
        if weapon.get("single_target", True):
            total += int(works(game, weapon, "cleave") or 0) * fives
        if weapon.get("half_range", game.state.get("half_range", False)):
            total += game.roll(works(game, weapon, "rapid_fire") or 0)
    return total


def tested(
    game: Game, needs: int, modifier: int, crit_on: int, reroll: str, fails: int, plain: int, snap: bool
) -> str:
    """One die: fail, success or crit; re-rolled once."""

    def judge(die: int) -> str:
        if die <= fails or (snap and die != 6):
            return "fail"
        if die >= crit_on:
            return "crit"
        return "success" if die + modifier >= needs and die > plain else "fail"

    die = game.d6()
    seen = judge(die)
    again = {
        "none": False,
        "ones": die == 1 and seen == "fail",
        "failed": seen == "fail",
        "noncrit": seen != "crit",
    }[reroll]
    return judge(game.d6()) if again else seen


def wounds_of(game: Game, profile: Profile, number: int) -> dict[str, int]:
    """All hit and wound rolls of a set: wounds of each kind."""
    found = {"ordinary": 0, "critical": 0, "devastating": 0, "mortal": 0}
    plain = game.target.get("unmodified_wound_fails_up_to", 0)

    def wound() -> None:
        seen = tested(
            game,
            profile.wound_on,
            profile.wound_mod,
            profile.crit_wound,
            profile.reroll_wounds,
            1,
            plain,
            False,
        )
        if seen == "crit":
            found["mortal"] += profile.mortals[1]
            kind = "devastating" if profile.devastating else "critical" if profile.crit_ap else "ordinary"
            found[kind] += 1
        elif seen == "success":
            found["ordinary"] += 1

    for _ in range(number):
        if profile.torrent:
            wound()
            continue
        seen = tested(
            game,
            profile.skill or 7,
            profile.hit_mod,
            profile.crit_hit,
            profile.reroll_hits,
            profile.fails,
            0,
            profile.snap,
        )
        if seen == "fail":
            continue
        if seen == "crit":
            found["mortal"] += profile.mortals[0]
            for _ in range(game.roll(profile.sustained)):
                wound()
        if seen == "crit" and profile.lethal:
            found["ordinary"] += 1
        else:
            wound()
    return found


def saved_on(game: Game, models: Models, weapon: dict[str, Any], ap: int, die: int) -> bool:
    """Whether this die saves a model of the group."""
    group = models.group
    every, armour = sum(game.modifiers.get("save", [])), sum(game.modifiers.get("armour_save", []))
    kind = weapon.get("type", "ranged")
    invulns = [group.get("invuln"), group.get(f"invuln_{kind}")]
    if die == 1:
        return False
    if any(invuln and die + every >= invuln for invuln in invulns):
        return True
    sv = group.get("save")
    return sv is not None and die + every + armour + ap >= changed(sv, ops_of(game, "Sv", weapon), 2, None)


def save_pool(
    game: Game, profile: Profile, weapon: dict[str, Any], number: int, ap: int, first: Models | None
) -> None:
    """So many save dice, sorted, applied from the lowest."""
    order = game.order()
    if first is not None and first.models:
        order = [first, *(group for group in order if group is not first)]
    if not order:
        return
    dice = []
    for _ in range(number):
        die = game.d6()
        mode = order[0].group.get("reroll_saves", "none")
        failed = not saved_on(game, order[0], weapon, ap, die)
        if (mode == "ones" and die == 1) or (mode == "failed" and failed):
            die = game.d6()
        dice.append(die)
    for die in sorted(dice):
        while order and not order[0].models:
            order.pop(0)
        if not order:
            return
        models = order[0]
        if saved_on(game, models, weapon, ap, die):
            continue
        group = models.group
        ops = list(profile.damage_ops)
        ops += [("set", group["damage_set"])] if group.get("damage_set") is not None else []
        ops += [("div", 2)] if group.get("halve_damage") else []
        ops += [("sub", group["damage_reduction"])] if group.get("damage_reduction") else []
        if game.uses:
            game.uses -= 1
            ops = [("set", 0)]
        game.lose(models, changed(game.roll(*profile.damage), ops, 1, None), weapon, mortal=False)


def play_one(case: dict[str, Any], rng: random.Random) -> Game:
    """One game."""
    game = Game(case, rng)
    sets: list[tuple[tuple[Any, ...], Profile, list[dict[str, Any]]]] = []
    for weapon in case["weapons"]:
        if not may_attack(game, weapon):
            continue
        profile = Profile(game, weapon)
        key = (weapon.get("type", "ranged"), *profile.key())
        same = next((entry for entry in sets if entry[0] == key), None)
        if same is None:
            sets.append((key, profile, [weapon]))
        else:
            same[2].append(weapon)
    for _, profile, weapons in sets:
        weapon = weapons[0]
        found = wounds_of(game, profile, sum(attack_dice(game, one) for one in weapons))
        first: Models | None = None
        for pool in weapon.get("pools", ["critical", "other"]):
            if pool == "critical" and not profile.crit_ap:
                continue
            first = game.chosen(weapon)
            if pool == "critical":
                save_pool(game, profile, weapon, found["critical"], profile.ap - profile.crit_ap, first)
            else:
                save_pool(game, profile, weapon, found["ordinary"], profile.ap, first)
        for _ in range(found["devastating"]):
            rolled = changed(game.roll(*profile.damage), profile.damage_ops, 1, None)
            game.mortal(weapon, rolled, first, one_model=True)
        game.mortal(weapon, found["mortal"], None, one_model=False)
    return game


def play(case: dict[str, Any], seed: int, games: int) -> dict[str, list[int]]:
    """Wounds lost, models slain and whether the characters are gone, in every game."""
    rng = random.Random(seed)
    seen: dict[str, list[int]] = {"lost": [], "slain": [], "characters": []}
    for _ in range(games):
        game = play_one(case, rng)
        seen["lost"].append(game.lost)
        seen["slain"].append(sum(group.group["models"] - group.models for group in game.groups))
        seen["characters"].append(int(not any(group.models for group in game.groups if group.character)))
    return seen
