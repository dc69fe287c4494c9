"""Combat: the pools of each round, what bolts are spent on, and how one state of a combat
leads to the next.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from mathhammer.dice.symbols import Counts
from mathhammer.errors import BadInputError
from mathhammer.games.uprising.pools import SYMBOLS, DiceBox, strongest_first
from mathhammer.games.uprising.sides import Side
from mathhammer.pools.battle import Battle, Effort, Hand, Stage, State

Phase = Literal["archery", "first", "clash", "archery_after", "clash_after"]
Outcome = Literal["win", "lose", "draw", "horde"]
HORDE = 3  # UP-SKE-3
FOREST_REROLLS = 2  # UP-TER-5


@dataclass(frozen=True, slots=True)
class Now:
    """A combat between two rolls: what stands on each side, and which once-per-combat
    powers are used up (as bits).
    """

    phase: Phase
    standing: tuple[int, int]
    used: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Over:
    """The end of a combat for side a; `horde` where skeletons became one while the other
    side still stands.
    """

    outcome: Outcome
    standing: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Passed:
    """A combat that need not be fought: no horde was formed, so much of side a goes on."""

    standing: int


@dataclass(frozen=True, slots=True)
class Spent:
    """What a roll is worth once its bolts are spent: skulls, shields, shields cancelled, skeletons placed,
    uses of powers.
    """

    skulls: int
    shields: int
    cancels: int
    used: int = 0
    placed: int = 0
    uses: int = 0


def damage(skulls: int, shields: int, cancels: int) -> int:
    """The damage that skulls do through shields, some of which bolts cancel (UP-SYM-1, UP-BOLT-1).

    >>> damage(2, 2, 1)
    1
    """
    return max(0, skulls - max(0, shields - cancels))


def spend(side: Side, rolled: Counts, used: int, terrain: str, enemy: Side) -> Spent:
    """A roll after all bolts are spent: god powers as far as their limits allow, then enemy shields.

    >>> from mathhammer.games.uprising.sides import Power
    >>> emperor = Side("card", "empire", "New Emperor", 2, powers=(Power("none", 0, "round"),))
    >>> spend(emperor, (2, 1, 2), 0, "ice", Side("units", "player", "players", 3))
    Spent(skulls=2, shields=1, cancels=1, used=0, placed=0, uses=1)
    """
    skulls, shields, bolts = rolled
    if enemy.stops_bolts or (terrain == "cursed" and side.faction != "chaos"):  # UP-TER-7
        bolts = 0
    placed = uses = 0
    # UP-BOLT-3, UP-BOLT-4, UP-BOLT-5: powers first, as far as they go; players with god_power_first alike
    # (UP-BOLT-2)
    for place, power in enumerate(side.powers):
        fed = bolts if power.limit == "none" else min(bolts, 1)
        if power.limit == "combat" and fed:  # UP-CMB-9
            fed = 0 if used >> place & 1 else fed
            used |= 1 << place
        bolts -= fed
        uses += fed
        skulls += fed * power.n if power.effect == "skulls" else 0
        shields += fed * power.n if power.effect == "shields" else 0
        placed += fed * power.n if power.effect == "skeleton" else 0  # UP-SKE-2
    if enemy.stops_shields:
        shields = 0
    return Spent(skulls, shields, bolts, used, placed, uses)


def colours_of(side: Side, enemy: Side, now: Now, place: int, terrain: str) -> list[str]:
    """The dice a side rolls now, the strongest first (UP-CMB-4, UP-CMB-5, UP-CMB-6)."""
    own, standing = now.phase, now.standing[place]
    # gone, or about to be placed again after damage
    if standing == 0:
        return []
    if own in ("archery_after", "clash_after"):  # UP-CMB-8
        return strongest_first(side.bonus.get("after_damage", ()))
    archery = own == "archery"
    if side.copies_enemy_dice and not enemy.copies_enemy_dice:
        colours = colours_of(enemy, side, now, 1 - place, terrain)
    elif side.kind == "units":
        alive = side.figures[len(side.figures) - standing :]
        riders = terrain == "badlands"  # UP-TER-2
        colours = [
            figure.die for figure in alive if not archery or figure.archer or (riders and figure.rider)
        ]
        colours += ["white"] * side.tower  # UP-DEF-2
        colours += ["blue"] * (side.wall and not archery)  # UP-DEF-3
    else:
        colours = list(side.rows[standing][0 if archery else 1])
    colours += side.bonus.get("archery" if archery else "clash", ())
    colours += side.bonus.get("first_clash", ()) if own == "first" else ()
    for extra in side.extra:
        if extra.when == terrain or extra.when in side.conditions:
            colours += extra.archery if archery else extra.clash
    if terrain == "marsh":  # UP-TER-4
        colours = ["white" if colour == "red" else colour for colour in colours]
    colours = strongest_first(colours)
    return colours[:1] if archery and terrain == "highlands" else colours  # UP-TER-3


def rerolls_of(side: Side, now: Now, terrain: str) -> tuple[int, ...]:
    """The reroll effects of a side now, each of up to so many blanks (UP-RR-2)."""
    if now.phase in ("archery_after", "clash_after"):
        return ()
    forest = (FOREST_REROLLS,) if terrain == "forest" and now.phase == "archery" else ()
    return forest + ((side.reroll,) if side.reroll else ())


@dataclass(frozen=True, slots=True)
class Combat:
    """Two sides on a hex, with their dice; Empire and Chaos fight each other by the same rules (UP-CMB-2)."""

    where: str
    a: Side
    b: Side
    terrain: str
    box: DiceBox

    def __post_init__(self) -> None:
        if self.a.faction == self.b.faction:  # UP-CMB-1
            raise BadInputError(
                f"{self.where}: both sides are {self.a.faction} (give enemies: players, Empire and Chaos "
                "fight each other)"
            )

    @property
    def sides(self) -> tuple[Side, Side]:
        """Both sides."""
        return self.a, self.b

    def start(self, standing: int | None = None) -> Now:
        """The first state, with all of side a or with what is left of it."""
        skipped = any(side.skips_archery for side in self.sides)
        return Now(
            "first" if skipped else "archery",
            (self.a.strength if standing is None else standing, self.b.strength),
        )

    def hand(self, now: Now, place: int) -> Hand:
        """The dice of one side now and what they are worth."""
        side, enemy = self.sides[place], self.sides[1 - place]
        after_damage = now.phase in ("archery_after", "clash_after")

        def worth(rolled: Counts) -> Effort:
            if after_damage:  # UP-CMB-8: skulls become damage on the spot
                return Effort(rolled[0], 0, 0, (now.used[place], 0))
            spent = spend(side, rolled, now.used[place], self.terrain, enemy)
            return Effort(spent.skulls, spent.shields, spent.cancels, (spent.used, spent.placed))

        dice = self.box.pool(self.where, colours_of(side, enemy, now, place, self.terrain))
        return Hand(dice, rerolls_of(side, now, self.terrain), worth)

    def stage(self, state: State) -> Stage | None:
        """The roll of both sides at once (UP-SYM-2) that a state of the combat waits for;
        None where it is over.
        """
        if not isinstance(state, Now):
            return None

        def after(to_a: int, to_b: int, mark_a: Any, mark_b: Any) -> State:
            # UP-SYM-3: a piece for each point
            left = (state.standing[0] - to_a + mark_a[1], state.standing[1] - to_b + mark_b[1])
            return self.following(state.phase, left, (mark_a[0], mark_b[0]))

        return Stage(
            (self.hand(state, 0), self.hand(state, 1)),
            state.standing,
            after,
            state.phase in ("first", "clash"),
        )

    def following(self, phase: Phase, left: tuple[int, int], used: tuple[int, int]) -> State:
        """The state after a roll: the after-damage window where somebody rolls in it, the
        end, or the next round.
        """
        rolls_after = any("after_damage" in side.bonus for side in self.sides)
        if rolls_after and phase in ("archery", "first", "clash") and any(left):
            return Now("archery_after" if phase == "archery" else "clash_after", left, used)
        if 0 in left:  # UP-CMB-3: both gone is a draw; UP-DEF-1: defences fall with the last unit
            return Over("draw" if left == (0, 0) else "win" if left[0] else "lose", left)
        if any(side.kind == "skeletons" and left[place] >= HORDE for place, side in enumerate(self.sides)):
            return Over("horde", left)
        return Now("first" if phase in ("archery", "archery_after") else "clash", left, used)

    def points(self, place: int) -> tuple[int, int]:
        """What a side scores for each piece of the other side, and for its destruction
        (UP-VP-1, UP-VP-2, UP-AFT-2).
        """
        side, other = self.sides[place], self.sides[1 - place]
        each = int(side.faction == "player" and other.kind in ("garrison", "skeletons"))
        return each, other.destroy_vp if other.kind == "card" else 0

    def battle(self, if_horde: bool = False) -> Battle:
        """This combat for the engines; its points are those of a player on side a.

        With `if_horde` it is fought only where the combat before ended with a new horde (UP-SKE-3).
        """
        each, end = self.points(0) if self.a.faction == "player" else (0, 0)

        def enter(state: State) -> State | None:
            alive = cleared(state)
            if if_horde and isinstance(state, Over) and state.outcome == "horde":
                return self.start(state.standing[0])
            if not alive:
                return None
            return Passed(alive) if if_horde else self.start(alive)

        return Battle(
            where=self.where,
            symbols=SYMBOLS,
            stage=self.stage,
            damage=damage,
            enter=enter,
            points_each=each,
            points_end=lambda state: end if isinstance(state, Over) and state.standing[1] == 0 else 0,
        )


def cleared(state: State) -> int:
    """What is left of side a where it has beaten the enemy; 0 for every other end.

    >>> cleared(Over("win", (3, 0))), cleared(Over("horde", (3, 3)))
    (3, 0)
    """
    if isinstance(state, Passed):
        return state.standing
    return state.standing[0] if isinstance(state, Over) and state.outcome == "win" else 0
