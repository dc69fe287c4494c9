"""Which units to build for the resources at hand, so that they win a combat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from typing import Any

from mathhammer.dataclass import dataclass
from mathhammer.errors import BadInputError, UnknownNameError
from mathhammer.games.fields import Fields, choice, flag, whole
from mathhammer.games.records import records, same_name
from mathhammer.games.uprising.combat import Combat
from mathhammer.games.uprising.explaining import BEST_TEXT, terrain_line
from mathhammer.games.uprising.fights import battle_answer, playing, read_aim, series_of
from mathhammer.games.uprising.pools import Faces, dice_box
from mathhammer.games.uprising.scoring import RESOURCES
from mathhammer.games.uprising.side import MOST_UNITS, Side
from mathhammer.games.uprising.sides import TERRAIN, read_side
from mathhammer.games.uprising.text import side_of
from mathhammer.pools.battle import Asked, BestOf, Ranked

Odds = dict[str, Any]
Price = tuple[int, ...]  # of each resource
MOST_SETS = 2000
DEFENCES = ("tower", "wall")  # UP-DEF-1: 1 plunder each
PLUNDER = RESOURCES.index("plunder")


@dataclass(frozen=True, slots=True)
class Recruits:
    """A set of units and defences that may be built."""

    people: str
    units: tuple[tuple[str, int], ...]
    defences: tuple[str, ...]

    def __str__(self) -> str:
        parts = [f"{number} {name}" if number > 1 else name for name, number in self.units]
        return ", ".join([*parts, *self.defences])

    def side(self, haven: bool) -> dict[str, Any]:
        """The set as a side of a combat."""
        units = [{"name": name, "count": number} for name, number in self.units]
        return {"kind": "units", "units": units, "haven": haven} | dict.fromkeys(self.defences, True)


@cache
def prices(name: str) -> tuple[Price, ...]:
    """What a unit may be paid with (UP-UNIT-2).

    >>> prices("younglings"), len(prices("sellswords"))
    (((2, 0, 0), (0, 2, 0)), 6)
    """
    found = []
    for cost in records("uprising", "units.toml", "player_unit")[name]["cost"]:
        if "any" in cost:
            found += [p for p in product(range(cost["any"] + 1), repeat=3) if sum(p) == cost["any"]]
        else:
            found.append(tuple(cost.get(resource, 0) for resource in RESOURCES))
    return tuple(found)


def payable(units: Mapping[str, int], defences: int, resources: Price) -> bool:
    """Whether the resources pay for these units and defences, in some way.

    >>> payable({"younglings": 2}, 1, (2, 3, 0)), payable({"younglings": 2}, 2, (2, 3, 0))
    (True, False)
    """
    left = {tuple(r - defences * (place == PLUNDER) for place, r in enumerate(resources))}
    for name, number in units.items():
        for _ in range(number):
            left = {
                tuple(r - p for r, p in zip(rest, price, strict=True))
                for rest in left
                for price in prices(name)
            }
            left = {rest for rest in left if min(rest) >= 0}
    return any(min(rest) >= 0 for rest in left)


def sets_for(resources: Price, people: str | None, haven: bool) -> Iterator[Recruits]:
    """All sets that the resources pay for and to which nothing can be added (UP-ECO-2, UP-UNIT-1)."""
    known = records("uprising", "units.toml", "player_unit")
    for faction in dict.fromkeys(record["people"] for record in known.values()):
        if people is not None and faction != people:
            continue
        own = {name: record for name, record in known.items() if record["people"] == faction}
        can: dict[tuple[tuple[int, ...], int], bool] = {}
        for counts in product(*(range(min(MOST_UNITS, r["number"]) + 1) for r in own.values())):
            for built in range(4 if haven else 1):
                if 0 < sum(counts) <= MOST_UNITS:
                    units = dict(zip(own, counts, strict=True))
                    can[counts, built] = payable(units, built.bit_count(), resources)
        for (counts, built), fits in can.items():
            bigger = [
                (tuple(n + (m == place) for m, n in enumerate(counts)), built) for place in range(len(counts))
            ]
            bigger += [(counts, built | bit) for bit in (1, 2) if not built & bit]
            if fits and not any(can.get(other, False) for other in bigger):
                names = [record["name"] for record in own.values()]
                units_built = tuple((name, n) for name, n in zip(names, counts, strict=True) if n)
                walls = tuple(name for bit, name in enumerate(DEFENCES) if built >> bit & 1)
                yield Recruits(faction, units_built, walls)


def recruit(
    *,
    resources: Mapping[str, int],
    b: Mapping[str, Any] | str,
    people: str | None = None,
    haven: bool = False,
    terrain: str = "ice",
    best: str | None = None,
    show: int = 10,
    faces: Faces = None,
    method: str = "exact",
    trials: int = 100_000,
    seed: int = 0,
) -> Asked:
    """Which units for these resources win: every set that they pay for against one enemy, best chance first.

    `resources` are salt, plunder and food; `people` is one faction, else all are tried; with `haven` towers
    and walls may be built too (UP-DEF-1). Sets to which something could be added are left out. Resources are
    not traded for others.

    >>> from mathhammer import odds
    >>> answer = odds("uprising", "recruit", resources={"salt": 4, "food": 3}, b="garrison 2",
    ...     people="Duerkhar")
    >>> [(row["units"], round(row["p_win"], 3)) for row in answer["sets"]][:2]
    [('2 Spearsingers', 0.426), ('Younglings, Spearsingers', 0.264)]
    """
    choice("recruit", "terrain", terrain, TERRAIN)
    aim = read_aim("recruit", best)
    box = dice_box("recruit", faces)
    flag("recruit", "haven", haven)
    given = Fields("recruit: resources", resources, "salt, plunder, food")
    purse = tuple(given.whole(resource, 0) for resource in RESOURCES)
    given.reject_unknown()
    enemy = side_of("recruit: b", b)
    made = list(sets_for(purse, None if people is None else _people(people), haven))
    if not made:
        raise BadInputError("recruit: these resources pay for no unit (give more salt, plunder or food)")
    if len(made) > MOST_SETS:
        raise BadInputError(f"recruit: {len(made)} sets of units (name one people, or give less)")
    # sets that roll the same dice are one combat
    sides = [playing(read_side("recruit", one.side(haven)), aim) for one in made]
    looks = [_look(side, enemy, terrain) for side in sides]
    combats: dict[tuple[Any, ...], Combat] = {}
    for look, side in zip(looks, sides, strict=True):
        combats.setdefault(look, Combat("recruit", side, enemy, terrain, box, bool(aim)))
    places = {look: place for place, look in enumerate(combats)}
    rows = whole("recruit", "show", show, 1, MOST_SETS)

    def read(ranked: Ranked, _: int | None) -> Odds:
        scores = [ranked.scores[places[look]] for look in looks]
        order = sorted(range(len(made)), key=lambda place: (-scores[place], place))
        chosen = list(combats.values())[ranked.best]
        best_set = str(made[looks.index(list(combats)[ranked.best])])
        return {
            "sets": [
                {"people": made[n].people, "units": str(made[n]), "p_win": scores[n]} for n in order[:rows]
            ],
            "tried": len(made),
            "best_set": best_set,
            "battle": battle_answer(chosen, method, ranked.series, aim),
            "method": method,
            "dice_set": box.used.name,
            "explain": "\n".join(
                [
                    f"Dice set: {box.used}.",
                    terrain_line(terrain),
                    *([BEST_TEXT[aim]] if aim else []),
                    f"{len(made)} sets of at most {MOST_UNITS} units are paid for and cannot be added to "
                    "(UP-UNIT-1, UP-UNIT-2, UP-ECO-2).",
                    *(f"{made[n]} ({made[n].people}): {scores[n]:.4f}." for n in order[:rows]),
                ]
            ),
        }

    question = BestOf(
        tuple(series_of([(combat, False)], aim) for combat in combats.values()),
        lambda series: sum(
            chance
            for state, chance in series.fights[0].ends.items()
            if getattr(state, "outcome", "") == "win"
        ),
    )
    return Asked("recruit", question, read, method, trials, seed)


def _look(side: Side, enemy: Side, terrain: str) -> tuple[Any, ...]:
    """What a combat sees of a side, whatever its units are called: riders on badlands, and what they cost
    where the enemy takes the most expensive one.
    """
    priced, riding = any(power.units for power in enemy.powers), terrain == "badlands"
    figures = tuple((f.die, f.archer, riding and f.rider, priced and f.cost) for f in side.figures)
    return figures, side.tower, side.wall, side.haven


def _people(name: str) -> str:
    known = dict.fromkeys(r["people"] for r in records("uprising", "units.toml", "player_unit").values())
    for people in known:
        if same_name(people) == same_name(str(name)):
            return str(people)
    raise UnknownNameError("recruit", "people", str(name), known)
