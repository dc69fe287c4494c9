"""What a roll is worth once its bolts are spent: shields that are cancelled, god powers, what they leave."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import NamedTuple

from mathhammer.dataclass import dataclass
from mathhammer.dice.symbols import Counts
from mathhammer.games.uprising.forces import UNTOUCHED, Ground, defences
from mathhammer.games.uprising.powers import Power
from mathhammer.games.uprising.side import Side
from mathhammer.pools.battle import Effort


class Mark(NamedTuple):
    """What is to be remembered of a roll besides damage."""

    used: int  # once-per-combat powers, as bits
    placed: int = 0  # skeletons after damage
    killed: int = 0  # most expensive units of the enemy before damage
    grown: int = 0  # own threat before damage
    razed: int = 0  # defences of the enemy after damage
    cursed: bool = False
    left: bool = False


@dataclass(frozen=True, slots=True)
class Spent:
    """What a roll is worth once its bolts are spent: skulls, shields, shields cancelled, pieces destroyed
    outright, points, uses of powers, and what is to be remembered.
    """

    skulls: int
    shields: int
    cancels: int
    mark: Mark
    outright: int = 0
    points: int = 0
    uses: int = 0

    @property
    def effort(self) -> Effort:
        """The same for the engines."""
        return Effort(
            self.skulls,
            self.shields,
            self.cancels,
            self.mark,
            self.outright,
            self.mark.grown,
            self.points,
        )


def damage(skulls: int, shields: int, cancels: int) -> int:
    """The damage that skulls do through shields, some of which bolts cancel (UP-SYM-1, UP-BOLT-1).

    >>> damage(2, 2, 1)
    1
    """
    return max(0, skulls - max(0, shields - cancels))


@dataclass(frozen=True, slots=True)
class Table:
    """What a side has to know to spend its bolts."""

    terrain: str
    enemy: Side
    standing: int = 1
    used: int = 0
    ground: Ground = UNTOUCHED


def bolts_of(side: Side, bolts: int, table: Table) -> int:
    """The bolts that work: none against the Siren, none of players and Empire on a cursed hex (UP-TER-7)."""
    void = table.terrain == "cursed" and side.faction != "chaos"
    return 0 if table.enemy.stops_bolts or void else bolts


def spend(side: Side, rolled: Counts, table: Table, fed: tuple[int, ...] | None = None) -> Spent:
    """A roll after all bolts are spent: god powers as far as their limits allow, then enemy shields; or the
    bolts that `fed` gives to each power.

    >>> emperor = Side("card", "empire", "New Emperor", 2, powers=(Power("vp", 2, "round"),))
    >>> spent = spend(emperor, (2, 1, 2), Table("ice", Side("units", "player", "players", 3)))
    >>> spent.cancels, spent.points, spent.uses
    (1, 2, 1)
    """
    skulls, shields, bolts = rolled
    bolts = bolts_of(side, bolts, table)
    spent = Spent(skulls, shields, bolts, Mark(table.used))
    # UP-BOLT-3, UP-BOLT-4, UP-BOLT-5: powers first, as far as they go; players with god_power_first alike
    # (UP-BOLT-2)
    for place, power in enumerate(side.powers):
        most = _most(power, place, spent.cancels, spent.mark.used)
        spent = _feed(side, table, spent, place, most if fed is None else min(most, fed[place]))
    return replace(spent, shields=0) if table.enemy.stops_shields else spent


def _most(power: Power, place: int, bolts: int, used: int) -> int:
    """How many bolts a power takes now (UP-CMB-9)."""
    if power.limit == "none":
        return bolts
    return 0 if power.limit == "combat" and used >> place & 1 else min(bolts, 1)


def _feed(side: Side, table: Table, spent: Spent, place: int, fed: int) -> Spent:
    """The roll after so many bolts went into one power."""
    if not fed:
        return spent
    power, enemy, mark = side.powers[place], table.enemy, spent.mark
    amount = fed * power.n
    if power.limit == "combat":
        mark = mark._replace(used=mark.used | 1 << place)
    changes: dict[str, int] = {}
    if power.effect in ("skulls", "shields"):
        changes[power.effect] = getattr(spent, power.effect) + amount
    elif power.effect == "vp":
        changes["points"] = spent.points + amount
    elif power.effect == "skeleton":  # UP-SKE-2
        mark = mark._replace(placed=mark.placed + amount)
    elif power.effect == "destroy":
        taken = fed * (power.threat if enemy.kind == "card" else power.units)
        mark = mark._replace(killed=mark.killed + (0 if enemy.kind == "card" else taken))
        changes["outright"] = spent.outright + taken
    elif power.effect == "grow":  # UP-THR-1: beyond the maximum it is points
        grown = min(amount, side.most - table.standing - mark.grown)
        mark = mark._replace(grown=mark.grown + grown)
        changes["points"] = spent.points + amount - grown
    elif power.effect == "raze":
        if enemy.kind == "card":
            changes["outright"] = spent.outright + amount
        mark = mark._replace(razed=min(mark.razed + amount, len(defences(enemy, table.ground))))
    elif power.effect == "curse":
        mark = mark._replace(cursed=table.terrain != "cursed")
    elif power.effect == "leave":
        mark = mark._replace(left=True)
    return replace(spent, cancels=spent.cancels - fed, uses=spent.uses + fed, mark=mark, **changes)


def ways_to_spend(side: Side, rolled: Counts, table: Table) -> tuple[Spent, ...]:
    """All ways to spend the bolts of a roll, where its owner chooses freely (UP-BOLT-2); else the one way."""
    if side.policy != "best" or not side.powers:
        return (spend(side, rolled, table),)
    bolts = bolts_of(side, rolled[2], table)
    each = [range(_most(power, n, bolts, table.used), -1, -1) for n, power in enumerate(side.powers)]
    ways = [spend(side, rolled, table, fed) for fed in product(*each) if sum(fed) <= bolts]
    return tuple(dict.fromkeys(ways))
