"""Combat: the pools of each round, what bolts are spent on, and how one state of a combat
leads to the next.
"""

from __future__ import annotations

from dataclasses import replace

from mathhammer.dataclass import dataclass
from mathhammer.dice.symbols import Counts
from mathhammer.errors import BadInputError
from mathhammer.games.uprising.bolts import Mark, Table, damage, ways_to_spend
from mathhammer.games.uprising.forces import (
    Force,
    Ground,
    Now,
    Over,
    Passed,
    Phase,
    defences,
    dice_of,
    fallen_bits,
    given_up,
    ways_to_give_up,
    without_the_best,
)
from mathhammer.games.uprising.pools import SYMBOLS, DiceBox, strongest_first
from mathhammer.games.uprising.side import Side
from mathhammer.pools.battle import Battle, Effort, Hand, Pick, Stage, State

HORDE = 3  # UP-SKE-3
FOREST_REROLLS = 2  # UP-TER-5
AFTER = ("archery_after", "clash_after")


def colours_of(side: Side, enemy: Side, now: Now, place: int, terrain: str) -> list[str]:
    """The dice a side rolls now, the strongest first (UP-CMB-4, UP-CMB-5, UP-CMB-6)."""
    own, standing = now.phase, now.standing[place]
    # gone, or about to be placed again after damage
    if standing == 0 or own == "choose":
        return []
    if own in AFTER:  # UP-CMB-8
        return strongest_first(side.bonus.get("after_damage", ()))
    archery = own == "archery"
    built = defences(side, now.ground)
    if side.copies_enemy_dice and not enemy.copies_enemy_dice:
        colours = colours_of(enemy, side, now, 1 - place, terrain)
    elif side.kind == "units":
        colours = dice_of(side, now.forces[place], archery, terrain == "badlands")
        colours += ["white"] * ("tower" in built)  # UP-DEF-2
        colours += ["blue"] * ("wall" in built and not archery)  # UP-DEF-3
    else:
        colours = list(side.rows[standing][0 if archery else 1])
    colours += side.bonus.get("archery" if archery else "clash", ())
    colours += side.bonus.get("first_clash", ()) if own == "first" else ()
    met = conditions(side, enemy, now.ground)
    for extra in side.extra:
        if extra.when == terrain or extra.when in met:
            colours += extra.archery if archery else extra.clash
    if terrain == "marsh":  # UP-TER-4
        colours = ["white" if colour == "red" else colour for colour in colours]
    colours = strongest_first(colours)
    if archery and terrain == "highlands":  # UP-TER-3
        return [now.die] if now.die and side.faction == "player" else colours[:1]
    return colours


def conditions(side: Side, enemy: Side, ground: Ground) -> frozenset[str]:
    """The conditions of its extra dice that are met: those said, and a haven or Empire units on the hex where
    the enemy has them (UP-THR-5).
    """
    here = enemy.faction == "empire" or "haven" in defences(enemy, ground)
    return side.conditions | {"haven_or_empire"} if here else side.conditions


def symbols_of(side: Side, now: Now, place: int) -> Counts:
    """The symbols that cards add now (UP-CMB-8)."""
    if now.standing[place] == 0 or now.phase == "choose":
        return (0,) * len(SYMBOLS)
    windows = {"archery": ("archery",), "first": ("clash", "first_clash"), "clash": ("clash",)}
    added = [side.symbols[w] for w in windows.get(now.phase, ("after_damage",)) if w in side.symbols]
    return tuple(sum(counts) for counts in zip(*added, strict=True)) if added else (0,) * len(SYMBOLS)


def rerolls_of(side: Side, now: Now, terrain: str) -> tuple[int, ...]:
    """The reroll effects of a side now, each of up to so many blanks (UP-RR-2)."""
    if now.phase in AFTER or now.phase == "choose":
        return ()
    forest = (FOREST_REROLLS,) if terrain == "forest" and now.phase == "archery" else ()
    return forest + ((side.reroll,) if side.reroll else ())


@dataclass(frozen=True, slots=True)
class Combat:
    """Two sides on a hex, with their dice; Empire and Chaos fight each other by the same rules (UP-CMB-2).

    With `best` players give up what they like and choose their die on highlands.
    """

    where: str
    a: Side
    b: Side
    terrain: str
    box: DiceBox
    best: bool = False
    hero_skulls: float | None = None  # mean skulls of the hero's dice

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

    @property
    def player(self) -> int:
        """The number of the players' side; 0 where there is none."""
        return int(self.b.faction == "player")

    def start(self, force: Force | None = None, ground: Ground | None = None) -> Now:
        """The first state, with all of side a or with what is left of it."""
        skipped = any(side.skips_archery for side in self.sides)
        forces = (self.a.force if force is None else force, self.b.force)
        now = Now("first" if skipped else "archery", forces, ground=ground or Ground())
        choosing = self.best and self.terrain_now(now) == "highlands" and not skipped
        return replace(now, phase="choose") if choosing and len(self.archery_dice(now)) > 1 else now

    def terrain_now(self, now: Now) -> str:
        """The terrain; a curse replaces it (UP-TER-7)."""
        return "cursed" if now.ground.cursed else self.terrain

    def archery_dice(self, now: Now) -> list[str]:
        """The colours that players may choose from on highlands (UP-TER-3)."""
        place = self.player
        full = replace(now, phase="archery", die="")
        # on ice the pool is the same, and not cut
        return list(dict.fromkeys(colours_of(self.sides[place], self.sides[1 - place], full, place, "ice")))

    def hand(self, now: Now, place: int) -> Hand:
        """The dice of one side now and what they are worth."""
        side, enemy = self.sides[place], self.sides[1 - place]
        terrain = self.terrain_now(now)
        table = Table(terrain, enemy, now.standing[place], now.used[place], now.ground)
        added = symbols_of(side, now, place)

        def worth(rolled: Counts) -> tuple[Effort, ...]:
            shown = tuple(map(int.__add__, rolled, added))
            if now.phase in AFTER:  # UP-CMB-8: skulls become damage on the spot
                return (Effort(shown[0], 0, 0, Mark(now.used[place])),)
            return tuple(spent.effort for spent in ways_to_spend(side, shown, table))

        dice = self.box.pool(self.where, colours_of(side, enemy, now, place, terrain))
        return Hand(dice, rerolls_of(side, now, terrain), worth)

    def stage(self, state: State) -> Stage | None:
        """The roll of both sides at once (UP-SYM-2) that a state of the combat waits for;
        None where it is over.
        """
        if not isinstance(state, Now):
            return None

        def after(to_a: int, to_b: int, mark_a: Mark, mark_b: Mark) -> State | Pick:
            if state.phase == "choose":
                dice = self.archery_dice(state)
                return Pick(tuple(replace(state, phase="archery", die=die) for die in dice))
            return self.after(state, (to_a, to_b), (mark_a, mark_b))

        return Stage(
            (self.hand(state, 0), self.hand(state, 1)),
            state.standing,
            after,
            state.phase in ("first", "clash"),
        )

    def after(self, now: Now, lost: tuple[int, int], marks: tuple[Mark, Mark]) -> State | Pick:
        """What follows from the losses and marks of both rolls; a `Pick` where players choose casualties."""
        fallen, razed = now.ground.fallen, now.ground.razed
        cursed = now.ground.cursed or any(mark.cursed for mark in marks)
        left: list[list[Force]] = []
        for place, side in enumerate(self.sides):
            own, enemy = marks[place], marks[1 - place]
            force = now.forces[place]
            if lost[place]:
                fallen |= fallen_bits(side, self.sides[1 - place])
            razed += enemy.razed if side.kind == "units" else 0
            if side.kind == "units":  # UP-SYM-3: a piece for each point
                rest = without_the_best(side, force, enemy.killed)
                number = sum(force) - sum(rest)
                ways = ways_to_give_up(rest, lost[place] - number) if self.best else None
                left.append([given_up(rest, lost[place] - number)] if ways is None else list(ways))
            elif cursed and not now.ground.cursed and side.kind == "garrison":  # UP-NEM-3
                fallen |= fallen_bits(side, self.sides[1 - place])
                left.append([(0,)])
            else:
                left.append([(force[0] + own.grown - lost[place] + own.placed,)])
        ground = Ground(cursed, razed, fallen)
        used = (marks[0].used, marks[1].used)
        gone = any(mark.left for mark in marks)
        states = [self.following(now.phase, (x, y), used, ground, gone) for x in left[0] for y in left[1]]
        return states[0] if len(states) == 1 else Pick(tuple(dict.fromkeys(states)))

    def following(
        self, phase: Phase, forces: tuple[Force, Force], used: tuple[int, int], ground: Ground, gone: bool
    ) -> State:
        """The state after a roll: the after-damage window where somebody rolls in it, the
        end, or the next round.
        """
        left = (sum(forces[0]), sum(forces[1]))
        if gone and all(left):
            return Over("left", forces, ground)
        rolls_after = any("after_damage" in {**side.bonus, **side.symbols} for side in self.sides)
        if rolls_after and phase in ("archery", "first", "clash") and any(left):
            return Now("archery_after" if phase == "archery" else "clash_after", forces, used, ground)
        if 0 in left:  # UP-CMB-3: both gone is a draw; UP-DEF-1: defences fall with the last unit
            return Over("draw" if left == (0, 0) else "win" if left[0] else "lose", forces, ground)
        if any(side.kind == "skeletons" and left[place] >= HORDE for place, side in enumerate(self.sides)):
            return Over("horde", forces, ground)
        return Now("first" if phase in ("archery", "archery_after") else "clash", forces, used, ground)

    def points(self, place: int) -> tuple[int, float | None]:
        """What a side scores for each piece of the other side, and for its destruction
        (UP-VP-1, UP-VP-2, UP-AFT-2); None: not known.
        """
        side, other = self.sides[place], self.sides[1 - place]
        each = int(side.faction == "player" and other.kind in ("garrison", "skeletons"))
        if other.hero_skulls_vp:
            return each, self.hero_skulls if side.faction == "player" else None
        return each, other.destroy_vp if other.kind == "card" else 0

    def battle(self, if_horde: bool = False) -> Battle:
        """This combat for the engines.

        With `if_horde` it is fought only where the combat before ended with a new horde (UP-SKE-3).
        """
        (each_a, end_a), (each_b, end_b) = self.points(0), self.points(1)

        def enter(state: State) -> State | None:
            force, ground = going_on(state)
            if if_horde and isinstance(state, Over) and state.outcome == "horde":
                return self.start(state.forces[0], state.ground)
            if not sum(force):
                return None
            return Passed(force, ground) if if_horde else self.start(force, ground)

        def scored(state: State) -> tuple[float, float]:
            if not isinstance(state, Over):
                return 0.0, 0.0
            gone = [number == 0 for number in state.standing]
            return (end_a or 0) * gone[1], (end_b or 0) * gone[0]

        return Battle(
            where=self.where,
            symbols=SYMBOLS,
            stage=self.stage,
            damage=damage,
            enter=enter,
            points_each=(each_a, each_b),
            points_end=scored,
        )


def going_on(state: State) -> tuple[Force, Ground]:
    """What is left of side a where it may go on, and the hex: it beat the enemy, or the enemy left."""
    if isinstance(state, Passed):
        return state.force, state.ground
    if isinstance(state, Over) and state.outcome in ("win", "left"):
        return state.forces[0], state.ground
    return (), Ground()


def cleared(state: State) -> int:
    """How many pieces of side a are left where the enemy is gone; 0 for every other end.

    >>> cleared(Over("win", ((3,), (0,)))), cleared(Over("horde", ((3,), (3,))))
    (3, 0)
    """
    return sum(going_on(state)[0])
