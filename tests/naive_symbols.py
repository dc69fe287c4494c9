"""The referee of the symbol-dice games: rolls every die as the rules say, many games side by side.

It imports nothing from the package and shares no code with it. Inputs are those of a case of `tests/vectors`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Rolls = np.ndarray
STRONG_TO_WEAK = ["black", "purple", "red", "blue", "yellow", "white"]


# --- Diskwars -------------------------------------------------------------------------------------------------------


def hurt(disk: dict[str, Any], amount: int) -> tuple[bool, bool]:
    """Whether a fresh packet wounds the disk, and whether it destroys it."""
    stamina = disk["stamina"] + (1 if disk.get("empowered") else 0)
    if disk.get("damage", 0) + amount < stamina:
        return False, False
    return True, disk.get("wounds", 0) == disk.get("toughness", 0)


def packet(disk: dict[str, Any], tags: set[str], strength: int, hits: int, mode: str) -> int:
    if tags & set(disk.get("immune", [])):
        return 0
    if tags & set(disk.get("resist", [])):
        if mode == "per_hit":
            return hits * (strength // 2 + strength % 2)
        return (hits * strength) // 2 + (hits * strength) % 2
    return hits * strength


def ranged(case: dict[str, Any], games: int, seed: int) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    convert = case.get("convert", {})
    sides = [convert.get(symbol, symbol) for symbol, number in case["faces"].items() for _ in range(number)]
    names = np.array(sides)
    dice = case["dice"]
    if case.get("cover") and dice > 1:
        dice -= 1
    disks = [case["target"], *case.get("neighbours", [])]
    hits = np.zeros((len(disks), games), dtype=int)
    crits = np.zeros((len(disks), games), dtype=int)
    scattered = np.zeros(games, dtype=int)
    chaos = np.zeros(games, dtype=int)
    siege = case["range"] == "siege"
    for _ in range(dice):
        shown = names[rng.integers(0, len(sides), games)]
        crits[0] += shown == "crit"
        hits[0] += (shown == "hit") & (not siege)
        chaos += shown == "chaos"
        gone = shown == "scatter"
        if len(disks) > 1:
            again = names[rng.integers(0, len(sides), games)]
            for place in range(1, len(disks)):
                struck = gone & (scattered % (len(disks) - 1) == place - 1)
                crits[place] += struck & (again == "crit")
                hits[place] += struck & (again == "hit") & (not siege)
        scattered += gone
    strength = rng.integers(1, 7, games) if case["strength"] == "d6" else np.full(games, case["strength"])
    rows = []
    for place, disk in enumerate(disks):
        damage = np.zeros(games, dtype=int)
        wound = destroyed = 0
        for s in np.unique(strength):
            for k in np.unique(hits[place] + crits[place]):
                here = (strength == s) & (hits[place] + crits[place] == k)
                amount = packet(
                    disk, {case["damage_type"], "ranged"}, int(s), int(k), case.get("resist_mode", "instance")
                )
                damage[here] = amount
                wounds, dies = hurt(disk, amount)
                wound += wounds * here.sum()
                destroyed += dies * here.sum()
        token = 0 if disk.get("activated") else (crits[place] > 0).sum()
        rows.append(
            {
                "damage": damage,
                "p_wound": wound / games,
                "p_destroyed": destroyed / games,
                "p_activation_token": token / games,
            }
        )
    return {
        "disks": rows,
        "p_no_hit_anywhere": ((hits + crits).sum(axis=0) == 0).mean(),
        "chaos_first_roll": chaos,
    }


def initiative(bonuses: list[int], games: int, seed: int) -> list[float]:
    rng = np.random.default_rng(seed)
    wins = [0] * len(bonuses)
    for _ in range(games):
        left = list(range(len(bonuses)))
        while len(left) > 1:
            totals = {player: int(rng.integers(1, 7)) + bonuses[player] for player in left}
            left = [player for player in left if totals[player] == max(totals.values())]
        wins[left[0]] += 1
    return [number / games for number in wins]


def melee(disks: list[dict[str, Any]], pins: list[list[str]]) -> dict[str, dict[str, Any]] | None:
    """All clashes from the top down; every disk strikes the first living enemy it touches, in the order of the pins.

    None where no clash can come first.
    """
    table = {disk["id"]: {"wounds": 0, "damage": 0, "destroyed": False, **disk} for disk in disks}
    fights = [tuple(pin) for pin in pins if table[pin[0]]["owner"] != table[pin[1]]["owner"]]
    clashes: list[set[tuple[str, str]]] = []
    for fight in fights:
        touching = [
            clash for clash in clashes if any(fight[0] == pin[0] or fight[1] == pin[1] for pin in clash)
        ]
        clashes = [clash for clash in clashes if clash not in touching] + [{fight}.union(*touching)]
    while clashes:
        waiting = {pin[1] for clash in clashes for pin in clash}
        clash = next((c for c in clashes if not {pin[0] for pin in c} & waiting), None)
        if clash is None:
            return None
        clashes.remove(clash)
        pairs = [
            pin
            for pin in fights
            if pin in clash and not table[pin[0]]["destroyed"] and not table[pin[1]]["destroyed"]
        ]
        blows = []
        for name in dict.fromkeys(pin[0] for pin in pairs):
            under = [pin[1] for pin in pairs if pin[0] == name]
            blows += [
                (name, victim, "attack") for victim in (under if table[name].get("berserk") else under[:1])
            ]
        for name in dict.fromkeys(pin[1] for pin in pairs):
            blows.append((name, next(pin[0] for pin in pairs if pin[1] == name), "counter"))
        for moment in (-1, 0, 1):
            taken: dict[str, int] = {}
            for name, victim, stat in blows:
                when = (stat in table[name].get("slow", [])) - (stat in table[name].get("swift", []))
                if when == moment and not table[name]["destroyed"] and not table[victim]["destroyed"]:
                    taken[victim] = (
                        taken.get(victim, 0) + table[name].get(stat, 0) + bool(table[name].get("empowered"))
                    )
            for victim, amount in taken.items():
                disk = table[victim]
                amount = packet(disk, {"physical", "melee"}, amount, 1, "instance")
                wounded, dies = hurt(disk, amount)
                disk["damage"] = 0 if wounded else disk["damage"] + amount
                disk["wounds"] += wounded
                disk["destroyed"] = disk["destroyed"] or dies
    return {
        name: {key: disk[key] for key in ("damage", "wounds", "destroyed")} for name, disk in table.items()
    }


# --- Uprising -------------------------------------------------------------------------------------------------------


def throw(
    rng: np.random.Generator, faces: dict[str, Any], colours: list[str], games: int, rerolls: list[int]
) -> Rolls:
    """Skulls, shields and bolts of a pool in every game; each reroll effect takes blanks, the strongest colour first."""
    total = np.zeros((games, 3), dtype=int)
    left = [np.full(games, number) for number in rerolls]
    for colour in sorted(colours, key=STRONG_TO_WEAK.index):
        shows = np.array(
            [[face.count(symbol) for symbol in ("skull", "shield", "bolt")] for face in faces[colour]]
        )
        rolled = shows[rng.integers(0, len(shows), games)]
        for effect in left:
            again = (rolled.sum(axis=1) == 0) & (effect > 0)
            effect -= again
            rolled = np.where(again[:, None], shows[rng.integers(0, len(shows), games)], rolled)
        total += rolled
    return total


def quest(case: dict[str, Any], games: int, seed: int) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    colours = [colour for colour, number in case["pool"].items() for _ in range(number)]
    rolled = throw(rng, case["faces"], colours, games, [case["reroll"]] if case.get("reroll") else [])
    met = np.zeros(games, dtype=int)
    bonus = np.zeros(games, dtype=int)
    each = []
    for goal in case["goals"]:
        ok = np.ones(games, dtype=bool)
        for place, symbol in enumerate(("skull", "shield", "bolt")):
            ok &= rolled[:, place] >= goal.get(symbol, 0)
        each.append(ok.mean())
        met += ok
        bonus += ok * goal.get("vp", 0)
    success = met >= case["need"]
    return {
        "p_success": success.mean(),
        "p_goal": each,
        "goals_met": met,
        "vp": np.where(success, bonus + case.get("success_vp", 0), 0),
    }


def figures(side: dict[str, Any]) -> list[dict[str, Any]]:
    """The units of a player, those that die first at the front."""
    each = [unit for unit in side["units"] for _ in range(unit.get("count", 1))]
    weak_first = sorted(each, key=lambda unit: -STRONG_TO_WEAK.index(unit["die"]))
    wanted = side.get("casualty_order", [])
    chosen = [unit for name in wanted for unit in weak_first if unit["name"] == name]
    return chosen + [unit for unit in weak_first if unit["name"] not in wanted]


def size(side: dict[str, Any]) -> int:
    if side["kind"] == "units":
        return len(figures(side))
    return side.get("level") or side.get("count") or side["threat"]


def pool(side: dict[str, Any], alive: int, moment: str, terrain: str) -> list[str]:
    """The dice of a side in the archery round, the first clash or a later one."""
    shooting = moment == "archery"
    bonus = side.get("bonus", {})
    if side["kind"] == "units":
        units = figures(side)[-alive:]
        dice = []
        for unit in units:
            if not shooting or unit.get("archer") or (terrain == "badlands" and unit.get("rider")):
                dice.append(unit["die"])
        if side.get("tower"):
            dice.append("white")
        if side.get("wall") and not shooting:
            dice.append("blue")
    elif side["kind"] == "skeletons":
        dice = [] if shooting else [side.get("die", "red")] * alive
    else:
        dice = list(side["table"][str(alive)]["archery" if shooting else "clash"])
    dice += bonus.get("archery", []) if shooting else bonus.get("clash", [])
    if moment == "first":
        dice += bonus.get("first_clash", [])
    for extra in side.get("extra", []):
        if extra["when"] == terrain or extra["when"] in side.get("conditions", []):
            dice += extra.get("archery" if shooting else "clash", [])
    if terrain == "marsh":
        dice = ["white" if die == "red" else die for die in dice]
    if terrain == "highlands" and shooting:
        dice = sorted(dice, key=STRONG_TO_WEAK.index)[:1]
    return dice


def use_bolts(
    side: dict[str, Any], enemy: dict[str, Any], rolled: Rolls, used: Rolls, terrain: str
) -> tuple[Rolls, ...]:
    """Skulls, shields, cancelling bolts and new skeletons; `used` is updated for once-per-combat powers."""
    skulls, shields, bolts = rolled[:, 0].copy(), rolled[:, 1].copy(), rolled[:, 2].copy()
    if enemy.get("stops_bolts") or (terrain == "cursed" and side["faction"] in ("player", "empire")):
        bolts[:] = 0
    grown = np.zeros_like(bolts)
    if side["kind"] == "skeletons":
        grown, bolts = bolts, np.zeros_like(bolts)
    powers = side.get("god_power") or []
    for number, power in enumerate(powers if isinstance(powers, list) else [powers]):
        if power.get("limit") == "none":
            fed = bolts.copy()
        else:
            fed = np.minimum(bolts, 1)
            if power.get("limit") == "combat":
                fed = np.where(used[:, number], 0, fed)
                used[:, number] |= fed > 0
        bolts = bolts - fed
        if power["effect"] == "skulls":
            skulls += fed * power.get("n", 1)
        if power["effect"] == "shields":
            shields += fed * power.get("n", 1)
    if enemy.get("stops_shields"):
        shields[:] = 0
    return skulls, shields, bolts, grown


def battle(case: dict[str, Any], games: int, seed: int, standing: Rolls | None = None) -> dict[str, Any]:
    """A whole combat in every game, from a full side a or from what is left of it."""
    rng = np.random.default_rng(seed)
    sides = [case["a"], case["b"]]
    terrain = case.get("terrain", "ice")
    left = [
        np.full(games, size(sides[0])) if standing is None else standing.copy(),
        np.full(games, size(sides[1])),
    ]
    lost = [np.zeros(games, dtype=int), np.zeros(games, dtype=int)]
    used = [np.zeros((games, 4), dtype=bool), np.zeros((games, 4), dtype=bool)]
    rounds = np.zeros(games, dtype=int)
    horde = np.zeros(games, dtype=bool)
    moments = ["first"] if any(side.get("skips_archery") for side in sides) else ["archery", "first"]
    number = 0
    while True:
        running = (left[0] > 0) & (left[1] > 0) & ~horde
        if not running.any():
            break
        moment = moments[number] if number < len(moments) else "clash"
        number += 1
        rounds += running & (moment != "archery")
        before = [left[0].copy(), left[1].copy()]  # a game rolls once per round, whatever state it reaches
        for na, nb in sorted(
            {(int(x), int(y)) for x, y in zip(before[0][running], before[1][running], strict=True)}
        ):
            here = np.flatnonzero(running & (before[0] == na) & (before[1] == nb))
            worth = []
            for me, alive in ((0, na), (1, nb)):
                rerolls = [2] if terrain == "forest" and moment == "archery" else []
                rerolls += [sides[me]["reroll"]] if sides[me].get("reroll") else []
                rolled = throw(
                    rng, case["faces"], pool(sides[me], alive, moment, terrain), len(here), rerolls
                )
                mine = used[me][here]
                worth.append(use_bolts(sides[me], sides[1 - me], rolled, mine, terrain))
                used[me][here] = mine
            hits = [
                np.maximum(0, worth[1 - me][0] - np.maximum(0, worth[me][1] - worth[1 - me][2]))
                for me in (0, 1)
            ]
            now = []
            for me, alive in ((0, na), (1, nb)):
                dead = np.minimum(alive, hits[me])
                lost[me][here] += dead
                now.append(alive - dead + worth[me][3])
            late = [np.zeros(len(here), dtype=int), np.zeros(len(here), dtype=int)]
            for me in (0, 1):
                dice = sides[me].get("bonus", {}).get("after_damage", [])
                if dice:
                    late[1 - me] = throw(rng, case["faces"], dice, len(here), [])[:, 0] * (now[me] > 0)
            for me in (0, 1):
                dead = np.minimum(now[me], late[me])
                lost[me][here] += dead
                left[me][here] = now[me] - dead
        for me in (0, 1):
            if sides[me]["kind"] == "skeletons":
                horde |= (left[me] >= 3) & (left[1 - me] > 0)
    printed = sides[1].get("destroy_vp", 0)
    vp = (left[1] == 0) * printed if sides[1]["kind"] == "card" else lost[1].copy()
    return {
        "left": left,
        "lost": lost,
        "rounds": rounds,
        "horde": horde,
        "vp": vp * (sides[0]["faction"] == "player"),
    }


def campaign(case: dict[str, Any], games: int, seed: int) -> dict[str, Any]:
    """Side a against one enemy after the other, as long as it wins."""
    standing = np.full(games, size(case["a"]))
    going = np.ones(games, dtype=bool)
    vp = np.zeros(games, dtype=int)
    clear = []
    for number, enemy in enumerate(case["enemies"]):
        one = {"faces": case["faces"], "terrain": case.get("terrain", "ice"), "a": case["a"], "b": enemy}
        here = np.flatnonzero(going)
        done = battle(one, len(here), seed + number, standing[here])
        horde = done["horde"]
        if horde.any() and "horde" in case:
            again = battle(
                {**one, "b": case["horde"]}, int(horde.sum()), seed + 1000 + number, done["left"][0][horde]
            )
            done["left"][0][horde], done["left"][1][horde] = again["left"]
            done["vp"][horde] += again["vp"]
            done["horde"] = np.zeros(len(here), dtype=bool)
        vp[here] += done["vp"]
        standing[here] = done["left"][0]
        going[here] = (done["left"][0] > 0) & (done["left"][1] == 0) & ~done["horde"]
        clear.append(going.mean())
    return {"p_clear_through": clear, "vp": vp, "survivors": standing}
