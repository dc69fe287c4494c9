"""Points and pieces outside combat: chapter scoring, skeletons that become hordes, threat,
costs, production.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mathhammer.errors import BadInputError
from mathhammer.games.fields import Fields, choice, listed, mapped, whole
from mathhammer.games.records import find_record
from mathhammer.games.uprising.combat import HORDE

Odds = dict[str, Any]
RESOURCES = ("salt", "plunder", "food")
SKELETONS = 11  # UP-GEN-2
NO_DICE = "none (no dice are rolled)"


def _graveyard(where: str, value: Any) -> int:
    """Points of a graveyard: 2 for each faction in it, however many pieces (UP-VP-4)."""
    pieces = mapped(where, value, "faction (or skeletons, garrisons) to number of pieces")
    return 2 * sum(whole(where, name, number) > 0 for name, number in pieces.items())


def _players(players: Any, bought: str) -> tuple[list[int], list[int]]:
    """The points of each player, and how many of them were bought (UP-VP-4: they may be given to any)."""
    choice("scoring", "way to give bought points", bought, ("best", "buyer"))
    entries = listed("scoring", "players", players)
    totals, given, free = [0] * len(entries), [0] * len(entries), 0
    for number, entry in enumerate(entries):
        where = f"scoring: player {number + 1}"
        fields = Fields(where, entry, "havens, hex_vp, resources, to and vp")
        totals[number] += 2 * fields.whole("havens", 0, high=5) + fields.whole("hex_vp", 0)
        totals[number] += fields.whole("vp", 0)
        points, to = fields.whole("resources", 0) // 5, fields.take("to", None)
        fields.reject_unknown()
        if to is None and bought == "best":
            free += points
        else:
            owner = number if to is None else whole(where, "to", to, 1, len(entries)) - 1
            given[owner] += points
    totals = [total + more for total, more in zip(totals, given, strict=True)]
    for _ in range(free):  # UP-VP-5: the player furthest behind decides
        last = totals.index(min(totals))
        totals[last] += 1
        given[last] += 1
    return totals, given


def scoring(
    *,
    players: Sequence[Mapping[str, int]] = (),
    bought: str = "best",
    empire: Mapping[str, Any] | None = None,
    chaos: Mapping[str, Any] | None = None,
) -> Odds:
    """The points of a chapter (UP-VP-4) and whether the players win (UP-VP-5).

    A player gives `havens`, `hex_vp`, `resources` spent and `vp` so far; the Empire `garrison_hexes`,
    `legions`, Chaos `curses`, `hordes`, and both `graveyard` (faction to pieces) and `vp`. A point bought
    with resources may go to any player (UP-VP-4): a player's `to` is the number of the player who gets his;
    with `bought` "best" all others go where players are furthest behind, with "buyer" to whoever pays.

    >>> scoring(players=[{"havens": 3, "hex_vp": 2}], chaos={"graveyard": {"krowh": 1,
    ...     "druwhn": 2}})["players"]
    [8]
    """
    totals, given = _players(players, bought)
    nemesis = {}
    for name, mapping, pieces in (
        ("empire", empire, ("garrison_hexes", "legions")),
        ("chaos", chaos, ("curses", "hordes")),
    ):
        fields = Fields(f"scoring: {name}", mapping or {}, f"{pieces[0]}, {pieces[1]}, graveyard and vp")
        points = sum(fields.whole(piece, 0) for piece in (*pieces, "vp"))
        nemesis[name] = points + _graveyard(f"scoring: {name}: graveyard", fields.take("graveyard", {}))
        fields.reject_unknown()
    win = bool(totals) and min(totals) > max(nemesis.values())
    lines = [f"Player {n}: {value}." for n, value in enumerate(totals, 1)] + [
        f"{name}: {value}." for name, value in nemesis.items()
    ]
    lines.append(f"Every player above both (UP-VP-5): {'yes' if win else 'no'}.")
    return {
        "players": totals,
        "bought": given,
        **nemesis,
        "players_win": win,
        "dice_set": NO_DICE,
        "explain": "\n".join(lines),
    }


def place_skeletons(*, hexes: Mapping[str, int], placed: Sequence[str], reserve: int | None = None) -> Odds:
    """Skeletons placed one after the other: three on a hex become a horde; with none in reserve a hex of them
    does (UP-SKE-3, UP-SKE-4).

    `reserve` is what is left of the 11 skeletons; left out, all that do not stand on these hexes.

    >>> place_skeletons(hexes={"A": 2, "B": 1}, placed=["B", "A"])["hexes"]
    {'A': 0, 'B': 2}
    """
    standing: dict[str, int] = {}
    for name, number in mapped("place_skeletons", hexes, "hex to number of skeletons").items():
        standing[name] = whole("place_skeletons", name, number, 0, HORDE - 1)
    free = SKELETONS - sum(standing.values())
    if free < 0:
        raise BadInputError(
            f"place_skeletons: {SKELETONS - free} skeletons stand already (there are {SKELETONS}, UP-GEN-2)"
        )
    left = free if reserve is None else whole("place_skeletons", "reserve", reserve, 0, free)
    hordes: list[str] = []
    points = 0
    for name in listed("place_skeletons", "placed", placed):
        if not isinstance(name, str):
            raise BadInputError(f"place_skeletons: {name!r} is not a hex (give names of hexes)")
        standing.setdefault(name, 0)
        if left == 0:
            chosen = next((other for other in standing if standing[other]), None)
            if chosen is None:
                points += 1
                continue
            left += standing[chosen]
            standing[chosen] = 0
            hordes.append(chosen)
            continue
        standing[name] += 1
        left -= 1
        if standing[name] == HORDE:
            standing[name] = 0
            left += HORDE
            hordes.append(name)
    text = (
        f"New hordes: {', '.join(hordes) if hordes else 'none'} (UP-SKE-3, UP-SKE-4); {points} VP for Chaos."
    )
    return {
        "hexes": standing,
        "hordes": hordes,
        "reserve": left,
        "chaos_vp": points,
        "dice_set": NO_DICE,
        "explain": text,
    }


def raise_threat(*, threat: int, by: int = 2, most: int = 7) -> Odds:
    """Threat after an event: what goes beyond the maximum is points for that faction (UP-THR-1).

    >>> raise_threat(threat=6)["vp"]
    1
    """
    most = whole("raise_threat", "most", most, 1, 20)
    raised = whole("raise_threat", "threat", threat, 1, most) + whole("raise_threat", "by", by, 0, 20)
    return {"threat": min(most, raised), "vp": max(0, raised - most), "dice_set": NO_DICE}


def build(
    *,
    units: Mapping[str, int] | None = None,
    towers: int = 0,
    walls: int = 0,
    pay: Mapping[str, str] | None = None,
) -> Odds:
    """What units and defences cost to build (UP-ECO-2, UP-UNIT-2, UP-DEF-1); `pay` chooses the resource where
    a unit leaves it open.

    >>> build(units={"Younglings": 2, "Spearsingers": 1}, towers=1, pay={"Younglings": "plunder"})["cost"]
    {'salt': 2, 'plunder': 5, 'food': 0}
    """
    total = dict.fromkeys(RESOURCES, 0)
    total["plunder"] += whole("build", "towers", towers, 0, 10) + whole("build", "walls", walls, 0, 10)
    wanted_units = mapped("build: units", units or {}, "unit to number")
    chosen = mapped("build: pay", pay or {}, "unit to resource")
    for name in chosen:
        choice("build: pay", "unit", name, wanted_units)
    for name, number in wanted_units.items():
        record = find_record("uprising", "units.toml", "player_unit", name, "build")
        count = whole("build", name, number, 0, record["number"])
        options: list[Mapping[str, int]] = record["cost"]
        if "any" in options[0]:
            options = [{resource: options[0]["any"]} for resource in RESOURCES]
        wanted = choice("build: pay", "resource", chosen.get(name, next(iter(options[0]))), RESOURCES)
        paid = next((option for option in options if wanted in option), None)
        if paid is None:
            raise BadInputError(
                f"build: {name} cannot be paid with {wanted} (give one of "
                f"{', '.join(next(iter(o)) for o in options)})"
            )
        for resource, price in paid.items():
            total[resource] += count * price
    return {"cost": total, "dice_set": NO_DICE}


def production(*, circle: Mapping[str, int], hexes: Sequence[Mapping[str, int]] = ()) -> Odds:
    """What havens bring: the last uncovered circle of the board and the resources of each haven's hex
    (UP-ECO-3).

    >>> production(circle={"salt": 5}, hexes=[{"salt": 2}, {"food": 2}])["resources"]
    {'salt': 7, 'plunder': 0, 'food': 2}
    """
    total = dict.fromkeys(RESOURCES, 0)
    for number, source in enumerate([circle, *listed("production", "hexes", hexes)]):
        fields = Fields(
            f"production: {f'hex {number}' if number else 'circle'}", source, "salt, plunder, food"
        )
        for resource in RESOURCES:
            total[resource] += fields.whole(resource, 0)
        fields.reject_unknown()
    return {"resources": total, "dice_set": NO_DICE}


def soft_target(*, hexes: Mapping[str, Mapping[str, Any]]) -> Odds:
    """Where a legion or horde goes: the haven with the fewest units, then the enemy hex with the fewest, then
    an empty one.

    That is UP-NEM-2 and UP-NEM-3. Each hex gives `units` (units, levels or threat of its enemies there) and
    whether it has a `haven`; equals stay in the order given.

    >>> soft_target(hexes={"north": {"units": 2}, "south": {"units": 1}, "east": {}})["order"]
    ['south', 'north', 'east']
    """
    ranks: dict[str, tuple[int, int]] = {}
    for name, mapping in mapped("soft_target: hexes", hexes, "hex to its units and haven").items():
        fields = Fields(f"soft_target: {name}", mapping, "units and haven")
        haven, number = fields.flag("haven"), fields.whole("units", 0, high=100)
        fields.reject_unknown()
        ranks[name] = (0 if haven else 1 if number else 2, number)
    if not ranks:
        raise BadInputError("soft_target: no hexes (give at least one, with its units and haven)")
    order = sorted(ranks, key=lambda name: ranks[name])
    text = (
        f"First choice: {order[0]}. Havens, then enemy hexes, then empty ones, each with the fewest "
        "units first (UP-NEM-2, UP-NEM-3)."
    )
    return {"choice": order[0], "order": order, "dice_set": NO_DICE, "explain": text}
