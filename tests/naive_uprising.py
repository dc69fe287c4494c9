"""The referee of Uprising combats with card powers and best play: every face of every die is enumerated.

It imports nothing from the package and shares no code with it. A side is a dict: `units` (dicts with die, cost,
archer, rider; given up from the front), or `rows` (strength -> archery, clash) and `strength`; `faction`; and
what its card says: `power` (effect, n, limit, units, threat), `reroll`, `red_with` ("haven or empire"), `most`.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations, product
from typing import Any

ORDER = ["black", "purple", "red", "blue", "yellow", "white"]
# skulls, shields, bolts of each face
FACES = {
    "white": [(1, 1, 0), (1, 0, 0), (0, 1, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0)],
    "yellow": [(1, 0, 0)] * 4 + [(0, 0, 0)] * 2,
    "red": [(2, 0, 0), (1, 0, 1), (1, 0, 0), (1, 0, 0), (0, 0, 0), (0, 0, 0)],
    "blue": [(0, 1, 0)] * 2 + [(1, 0, 0)] * 3 + [(0, 0, 0)],
    "purple": [(0, 0, 2), (1, 0, 1), (1, 0, 0), (1, 0, 0), (1, 0, 0), (0, 0, 0)],
    "black": [(3, 0, 0), (2, 0, 0), (1, 0, 0), (1, 0, 0), (1, 0, 0), (0, 0, 1)],
}


@cache
def rolled(colours: tuple[str, ...], reroll: int = 0) -> dict[tuple[int, int, int], float]:
    """The chance of each sum of symbols: all faces; blanks are thrown again, the strongest die first."""
    found: Counter[tuple[int, int, int]] = Counter()
    dice = sorted(colours, key=ORDER.index)
    for faces in product(*(FACES[colour] for colour in dice)):
        blanks = [n for n, face in enumerate(faces) if face == (0, 0, 0)][:reroll]
        for again in product(*(FACES[dice[n]] for n in blanks)):
            shown = list(faces)
            for n, face in zip(blanks, again, strict=True):
                shown[n] = face
            total = tuple(sum(face[k] for face in shown) for k in range(3))
            found[total] += 1 / 6 ** (len(dice) + len(blanks))  # type: ignore[index]
    return dict(found)


def pool(
    side: dict[str, Any], alive: Any, enemy: dict[str, Any], moment: str, hex_: dict[str, Any]
) -> list[str]:
    shooting = moment == "archery"
    if "units" in side:
        dice = [
            side["units"][n]["die"]
            for n in alive
            if not shooting
            or side["units"][n].get("archer")
            or (hex_["terrain"] == "badlands" and side["units"][n].get("rider"))
        ]
        if not alive:
            return []
        dice += ["white"] if side.get("tower") and not hex_["cursed"] else []
        dice += ["blue"] if side.get("wall") and not hex_["cursed"] and not shooting else []
    else:
        if alive == 0:
            return []
        dice = list(side["rows"][alive][0 if shooting else 1])
        haven = any(enemy.get(name) for name in ("haven", "tower", "wall")) and not hex_["cursed"]
        if side.get("red_with") and (haven or enemy["faction"] == "empire"):
            dice += ["red"]
    dice += side.get("first", []) if moment == "first" else []
    if hex_["terrain"] == "highlands" and shooting:
        chosen = side.get("highlands", min(dice, key=ORDER.index, default=None))
        dice = [chosen] if chosen else []
    return dice


def uses(side: dict[str, Any], bolts: int, used: frozenset[int], free: bool) -> list[tuple[int, ...]]:
    """How many bolts go to each power: as many as may be, or every way to share them out."""
    most = [
        bolts if p["limit"] == "none" else 0 if p["limit"] == "combat" and n in used else 1
        for n, p in enumerate(side.get("powers", []))
    ]
    if free:
        return [way for way in product(*(range(m + 1) for m in most)) if sum(way) <= bolts]
    left, way = bolts, []
    for m in most:
        way.append(min(m, left))
        left -= way[-1]
    return [tuple(way)]


def settle(
    side: dict[str, Any], enemy: dict[str, Any], shown: tuple[int, int, int], way: tuple[int, ...], alive: Any
) -> dict[str, Any]:
    """What a roll comes to when the bolts are used in that way."""
    skulls, shields, bolts = shown
    out = {
        "skulls": skulls,
        "shields": shields,
        "cancels": bolts - sum(way),
        "destroy": 0,
        "grow": 0,
        "points": 0,
    }
    out |= {"curse": False, "leave": False, "skeletons": 0, "used": set()}
    for n, fed in enumerate(way):
        power = side["powers"][n]
        if fed and power["limit"] == "combat":
            out["used"].add(n)
        if power["effect"] in ("skulls", "shields"):
            out[power["effect"]] += fed * power["n"]
        if power["effect"] == "destroy":
            out["destroy"] += fed * (power.get("threat", 0) if enemy.get("card") else power.get("units", 0))
        if power["effect"] == "grow":
            out["grow"] = min(fed * power["n"], side["most"] - alive)
            out["points"] += fed * power["n"] - out["grow"]
        if power["effect"] == "vp":
            out["points"] += fed * power["n"]
        if power["effect"] == "curse" and fed:
            out["curse"] = True
        if power["effect"] == "leave" and fed:
            out["leave"] = True
        if power["effect"] == "skeletons":
            out["skeletons"] += fed
    return out


def after_losses(
    side: dict[str, Any], alive: Any, destroyed: int, lost: int, own: dict[str, Any], free: bool
) -> list[Any]:
    """What may be left of a side: the most expensive units go first, the owner chooses the others."""
    if "units" not in side:
        return [max(0, alive + own["grow"] - destroyed - lost) + own["skeletons"]]
    left = list(alive)
    for _ in range(min(destroyed, len(left))):
        left.remove(
            max(left, key=lambda n: (side["units"][n].get("cost", 0), -ORDER.index(side["units"][n]["die"])))
        )
    lost = min(lost, len(left))
    if free:
        return sorted({tuple(sorted(set(left) - set(gone))) for gone in combinations(left, lost)})
    return [tuple(left[lost:])]


def outcomes(
    a: dict[str, Any], b: dict[str, Any], state: Any, terrain: str, free: bool
) -> list[tuple[float, list[Any]]]:
    """(chance, the states that may follow, of which the player takes one); each with points of a and b."""
    moment, alive_a, alive_b, used_a, used_b, cursed = state
    hex_ = {"terrain": "cursed" if cursed else terrain, "cursed": cursed}
    sides, alive = (a, b), (alive_a, alive_b)
    pools = [
        rolled(tuple(pool(sides[n], alive[n], sides[1 - n], moment, hex_)), sides[n].get("reroll", 0))
        for n in (0, 1)
    ]
    found = []
    for (roll_a, p), (roll_b, q) in product(pools[0].items(), pools[1].items()):
        shown = []
        for n, roll in enumerate((roll_a, roll_b)):
            void = hex_["terrain"] == "cursed" and sides[n]["faction"] != "chaos"
            void = void or sides[1 - n].get("stops_bolts", False)
            shown.append((roll[0], roll[1], 0 if void else roll[2]))
        choices = []
        for way_a in uses(a, shown[0][2], used_a, free):
            for way_b in uses(b, shown[1][2], used_b, False):
                x = settle(a, b, shown[0], way_a, alive_a)
                y = settle(b, a, shown[1], way_b, alive_b)
                x["shields"] = 0 if b.get("stops_shields") else x["shields"]
                to_a = max(0, y["skulls"] - max(0, x["shields"] - y["cancels"]))
                to_b = max(0, x["skulls"] - max(0, y["shields"] - x["cancels"]))
                now_cursed = cursed or x["curse"] or y["curse"]
                for left_a in after_losses(a, alive_a, y["destroy"], to_a, x, free):
                    for left_b in after_losses(b, alive_b, x["destroy"], to_b, y, False):
                        if now_cursed and not cursed:
                            left_a = 0 if a.get("garrison") else left_a
                            left_b = 0 if b.get("garrison") else left_b
                        choices.append(
                            (
                                (
                                    "first" if moment == "archery" else "clash",
                                    left_a,
                                    left_b,
                                    used_a | x["used"],
                                    used_b | y["used"],
                                    now_cursed,
                                ),
                                x["leave"] or y["leave"],
                                (x["points"], y["points"]),
                            )
                        )
        found.append((p * q, choices))
    return found


def size(alive: Any) -> int:
    return len(alive) if isinstance(alive, tuple) else alive


def ended(state: Any, gone: bool) -> str | None:
    left = size(state[1]), size(state[2])
    if 0 in left:
        return "draw" if left == (0, 0) else "win" if left[0] else "lose"
    return "left" if gone else None


def begin(a: dict[str, Any], b: dict[str, Any], alive: Any = None, cursed: bool = False) -> Any:
    whole = [tuple(range(len(s["units"]))) if "units" in s else s["strength"] for s in (a, b)]
    moment = "first" if b.get("skips_archery") or a.get("skips_archery") else "archery"
    return (moment, whole[0] if alive is None else alive, whole[1], frozenset(), frozenset(), cursed)


def combat(a: dict[str, Any], b: dict[str, Any], terrain: str = "ice", start: Any = None) -> dict[str, Any]:
    """The chance of each (outcome, what is left of a, of b, cursed), and the points that powers bring."""
    mass = {start or begin(a, b): 1.0}
    ends: Counter[Any] = Counter()
    points = [0.0, 0.0]
    while sum(mass.values()) > 1e-13:
        after: Counter[Any] = Counter()
        for state, chance in mass.items():
            for share, ((following, gone, scored), *_) in outcomes(a, b, state, terrain, free=False):
                points[0] += chance * share * scored[0]
                points[1] += chance * share * scored[1]
                outcome = ended(following, gone)
                if outcome is None:
                    after[following] += chance * share
                else:
                    ends[outcome, following[1], following[2], following[5]] += chance * share
        mass = dict(after)
    return {"ends": dict(ends), "points": points}


def chance(ends: dict[Any, float], outcome: str) -> float:
    return sum(share for end, share in ends.items() if end[0] == outcome)


def best_value(
    a: dict[str, Any],
    b: dict[str, Any],
    terrain: str = "ice",
    points: bool = False,
    alive: Any = None,
    later: Any = None,
) -> float:
    """The best chance of a to win (or the most levels of b that it destroys), over all uses of bolts and all
    casualties: values are worked out again and again. `later` is what a victory is worth by who is left.
    """
    first = begin(a, b, alive)
    known = {first: outcomes(a, b, first, terrain, free=True)}
    waiting = [first]
    while waiting:
        for _, choices in known[waiting.pop()]:
            for following, gone, _ in choices:
                if ended(following, gone) is None and following not in known:
                    known[following] = outcomes(a, b, following, terrain, free=True)
                    waiting.append(following)
    values = dict.fromkeys(known, 0.0)

    def worth(state: Any, following: Any, gone: bool) -> float:
        end = ended(following, gone)
        earned = size(state[2]) - size(following[2]) if points else 0
        if end is None:
            return earned + values[following]
        if end == "win" and later is not None:
            return float(later(following[1]))
        return earned if points else float(end == "win")

    while True:
        moved = 0.0
        for state, rolls in known.items():
            value = 0.0
            for share, choices in rolls:
                value += share * max(worth(state, following, gone) for following, gone, _ in choices)
            moved = max(moved, abs(value - values[state]))
            values[state] = value
        if moved < 1e-13:
            return values[first]
