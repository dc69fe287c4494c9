"""`Script`: a duel or a whole battle as plain arrays, for the kernel that plays it."""

from __future__ import annotations

from dataclasses import field
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mathhammer.checks import MOST_INCHES
from mathhammer.dataclass import dataclass
from mathhammer.duel import kernels
from mathhammer.duel.attacks import strike_of
from mathhammer.duel.bands import band_edges
from mathhammer.duel.commands import SIDES
from mathhammer.duel.consequences import chance_to_reply, demise_of, dies_fighting
from mathhammer.duel.fighter import Scene
from mathhammer.duel.moving import (
    charge_chances,
    charge_modifier,
    charge_reaches,
    halt_of,
    move_of,
    rerolls_charge,
)
from mathhammer.duel.reactions import harm_of, harm_step, in_use, leaving_distance
from mathhammer.duel.result import points_lost
from mathhammer.duel.setup import Setup
from mathhammer.duel.states import Array
from mathhammer.duel.strikes import Strike
from mathhammer.duel.upkeep import flight_of, help_of
from mathhammer.games.turns import (
    NORMAL,
    OUT_OF_REACH,
    Charge,
    Fight,
    HelpItself,
    Move,
    Shoot,
    Tests,
    Turns,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Script(NamedTuple):
    """A compiled battle. Units of a come first; `at` is 2 x round + 1 in b's turn, mapped to the tables in
    force then.

    Tables are rows of cumulated chances. `melee[at, how, u, v]` is the number of a table, how: 0 plain, 1
    it charged, 2 its target did; `shots[at, band, u, v]` the same for shooting, the last band while in
    combat; -1: it does nothing.
    """

    rounds: int
    first: int
    again: float  # chance that whoever began a round begins the next
    policy: int
    steps: Ints  # codes of the steps of a turn, in order
    active_first: int
    charge_first: int
    into_combat: int
    reaches: Floats  # [total]: the largest distance at which a charge needs no more than that
    engaged: int  # whether the sides begin in combat
    side: Ints  # [unit]
    start: Ints  # [unit]: its first state
    states: Ints  # [unit]
    models: Ints  # [unit, state]
    wounds: Ints  # [unit, state]: wounds left
    numbers: Ints  # [row, state]: how a unit in that state looks to its attacks
    worth: Floats  # [unit, state]: points lost
    rank: Ints  # [u, v, whether it charged]: when u is picked against v
    reply: Floats  # [unit]: the chance that a slain model of it attacks before it is removed
    demise: Ints  # [u, v]: table of what a slain model of u does to v when it explodes; -1: nothing
    demise_reach: float
    charges: Ints  # [unit]: whether it charges
    charged: Ints  # [unit]: whether it counts as having charged at the start
    moves: Floats  # [unit]
    halts: Floats  # [unit]
    gap: float
    bands: Floats  # [unit, band]: largest distance of each band
    odds: Floats  # [at, side, needed total]
    melee: Ints  # [at, 3, u, v]
    shots: Ints  # [at, bands + 1, u, v]
    own: Ints  # [unit, 2]: table of what it does for itself, free and in combat
    # [table, 7]: first entry, width, whether a row is for every state of the target, first gain, table of
    # what it costs the attacker, how often it is made, row of `numbers`
    tables: Ints
    chances: Floats  # cumulated
    gains: Floats  # expected points for each class and state, in the order of the tables
    acts: Ints  # [reaction]: what it does
    moments: Ints  # [reaction]: 0 apart, 1 in combat, 2 after a charge
    reach: Floats  # [reaction]: inches to the enemy where they are apart
    users: Ints  # [at, reaction]: the side that uses it; -1: neither
    answers: (
        Ints  # [at, reaction, bands + 1]: table of what it does, by distance for shooting, else the last one
    )
    leaves: Floats  # [side]: how far from the enemy it stands after it has left combat
    flees: Floats  # [unit, slain, left, fled], cumulated; of length 0 where no unit tests
    falls: Ints  # [unit, models left]: the state that keeps the most wounds


MOST_UNITS = 100  # of both sides together
CODES = {
    HelpItself: kernels.HELP,
    Move: kernels.MOVE,
    Shoot: kernels.SHOOT,
    Charge: kernels.CHARGE,
    Fight: kernels.FIGHT,
    Tests: kernels.TESTS,
}
ACTS = {
    "shoot": kernels.SHOOTS,
    "hurt": kernels.HURTS,
    "charge": kernels.CHARGES,
    "leave": kernels.LEAVES,
    "withdraw": kernels.WITHDRAWS,
}
MOMENTS = ("apart", "engaged", "charged")
POLICIES = {"nearest": kernels.NEAREST, "points": kernels.POINTS, "weakest": kernels.WEAKEST}


# --- strikes to tables ------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Tables:
    rows: list[list[int]] = field(default_factory=list)
    chances: list[Array] = field(default_factory=list)
    gains: list[Array] = field(default_factory=list)
    known: dict[Any, int] = field(default_factory=dict)
    looks: dict[bytes, int] = field(default_factory=dict)  # how attackers look in their states -> row
    seen: list[Ints] = field(default_factory=list)  # those rows
    entries: int = 0
    valued: int = 0

    def add(self, strike: Strike | None, worth: Array) -> int:
        """The number of a strike's table; -1 when it does nothing."""
        if strike is None or strike.idle:
            return -1
        own = b"" if strike.own is None else strike.own.tobytes()
        look = strike.numbers.tobytes()
        key = (
            strike.shift,
            strike.rows.shape,
            strike.rows.tobytes(),
            worth.tobytes(),
            own,
            strike.times,
            look,
        )
        if key not in self.known:
            after = np.stack([strike.matrix(number) @ worth for number in range(len(strike.rows))])
            if look not in self.looks:
                self.looks[look] = len(self.seen)
                self.seen.append(strike.numbers)
            more = [self.own(strike.own), strike.times, self.looks[look]]
            self.known[key] = self._store(strike.rows, strike.shift, (after - worth).ravel(), more)
        return self.known[key]

    def own(self, step: Array | None) -> int:
        """The number of the table of what a unit does to itself."""
        return -1 if step is None else self._store(step, False, np.zeros(0), [-1, 1, 0])

    def _store(self, rows: Array, shift: bool, gains: Array, more: list[int]) -> int:
        number = len(self.rows)
        self.rows.append([self.entries, rows.shape[-1], int(shift), self.valued, *more])
        self.chances.append(np.cumsum(rows, axis=-1).ravel())
        self.gains.append(gains)
        self.entries += rows.size
        self.valued += gains.size
        return number


def compile_script(setup: Setup) -> Script:
    """The setup as the kernel reads it."""
    everyone = [(side, u) for side in (0, 1) for u in range(len(setup.fighters[side]))]
    fighters = [setup.fighters[side][u] for side, u in everyone]
    most = max(fighter.states.number for fighter in fighters)
    worth = [points_lost(setup, side, u) for side, u in everyone]
    tables = _Tables()
    bands = _bands(setup, everyone)
    melee, shots = _attacks(setup, everyone, bands, (worth, tables))
    demise = np.full((len(everyone), len(everyone)), -1, dtype=np.int64)
    for i, j in _pairs(everyone):  # i slays a model of j
        demise[j, i] = tables.own(demise_of(setup, everyone[i][0], (everyone[i][1], everyone[j][1])))
    reactions = _reactions(setup, bands, tables, worth)
    own = [
        [tables.own(help_of(setup, side, u, engaged)) for engaged in (False, True)] for side, u in everyone
    ]
    return Script(
        **_turn(setup),
        **_units(setup, everyone),
        numbers=_padded([*tables.seen, np.zeros(1, dtype=np.int64)], most),
        demise=demise,
        demise_reach=setup.turns.demise_reach,
        reply=np.array([_reply(setup, side, u) for side, u in everyone]),
        worth=_padded(worth, most),
        bands=bands,
        melee=melee,
        shots=shots,
        own=np.array(own),
        tables=np.array(tables.rows, dtype=np.int64).reshape(-1, 7),
        chances=np.concatenate([np.zeros(0), *tables.chances]),
        gains=np.concatenate([np.zeros(0), *tables.gains]),
        **reactions,
        flees=_flights([flight_of(setup, side, u) for side, u in everyone]),
    )


def _turn(setup: Setup) -> dict[str, Any]:
    """The turn of the game: its steps, and what they read."""
    turns = setup.turns
    shoot, charge, fight = turns.step(Shoot), turns.step(Charge), turns.step(Fight)
    again = turns.p_same_player_first if setup.priority == "roll" else None
    return {
        "rounds": setup.rounds,
        "first": SIDES.index(setup.first),
        "again": 1.0 if again is None else again,
        "policy": POLICIES[setup.policy],
        "steps": np.array(_steps(turns), dtype=np.int64),
        "active_first": int(fight is not None and fight.active_first),
        "charge_first": int(charge is not None and charge.strikes_first),
        "into_combat": int(shoot is not None and shoot.into_combat),
        "reaches": np.full(OUT_OF_REACH, -1.0) if charge is None else charge_reaches(charge),
        "engaged": int(setup.engaged_at_start),
        "gap": setup.distance or 0.0,
        "odds": _odds(setup),
    }


def _units(setup: Setup, everyone: list[tuple[int, int]]) -> dict[str, Any]:
    """What each unit brings."""
    fighters = [setup.fighters[side][u] for side, u in everyone]
    states = [fighter.states for fighter in fighters]
    most = max(each.number for each in states)
    fight = setup.turns.step(Fight)
    return {
        "side": np.array([side for side, _ in everyone]),
        "start": np.array([fighter.states.start(fighter.lost) for fighter in fighters]),
        "states": np.array([each.number for each in states]),
        "models": _padded([each.models() for each in states], most),
        "wounds": _padded([each.unit.health - each.lost() for each in states], most),
        "rank": np.array(
            [
                [
                    [
                        NORMAL
                        if fight is None
                        else fight.rank(one.unit, other.unit, bool(charged), setup.all_options)
                        for charged in (0, 1)
                    ]
                    for other in states
                ]
                for one in states
            ]
        ),
        "charges": np.array([int(fighter.charges and fighter.melee) for fighter in fighters]),
        "charged": np.array([int(fighter.charged) for fighter in fighters]),
        "moves": np.array([move_of(setup, side, u) for side, u in everyone]),
        "halts": np.array([halt_of(setup, side, u) for side, u in everyone]),
        "falls": _padded([each.at_models() * (each.uses + 1) for each in states], 1 + most),
    }


def _padded(rows: list[Any], width: int) -> Any:
    padded = np.zeros((len(rows), width), dtype=rows[0].dtype)
    for row, values in zip(padded, rows, strict=True):
        row[: len(values)] = values
    return padded


def _flights(flights: list[Array | None]) -> Array:
    size = max((len(flight) for flight in flights if flight is not None), default=0)
    if size == 0:
        return np.zeros((0, 0, 0, 0))
    cumulated = np.ones((len(flights), size, size, size))  # no model flees
    for place, flight in enumerate(flights):
        if flight is not None:
            cumulated[place, : len(flight), : len(flight), : len(flight)] = np.cumsum(flight, axis=-1)
    return cumulated


def _bands(setup: Setup, everyone: list[tuple[int, int]]) -> Array:
    """For each unit the distances up to which its shooting is the same; -1 where it does not shoot."""
    edges = [band_edges(setup, side, u) or [-1.0] for side, u in everyone]
    most = max(map(len, edges))
    return np.array([[*row, *[row[-1]] * (most - len(row))] for row in edges])


def _attacks(
    setup: Setup, everyone: list[tuple[int, int]], bands: Array, filled: tuple[list[Array], _Tables]
) -> tuple[Ints, Ints]:
    """The numbers of the tables of all attacks, for every turn; fills in the tables."""
    worth, tables = filled

    def table(i: int, j: int, scene: Scene) -> int:
        (side, u), (_, v) = everyone[i], everyone[j]
        return tables.add(strike_of(setup, side, u, v, scene), worth[j])

    units, times, number = len(everyone), 2 * setup.rounds, bands.shape[1]
    melee = np.full((times, 3, units, units), -1, dtype=np.int64)
    shots = np.full((times, 2 * number + 1, units, units), -1, dtype=np.int64)
    changing = setup.changes_with_time
    for at in range(times if changing else 1):
        scene_of = partial(Scene, round=at // 2 + 1, turn=SIDES[at % 2])
        for i, j in _pairs(everyone):
            for how in range(3):
                scene = scene_of("melee", engaged=True, charged=how == 1, target_charged=how == 2)
                melee[at, how, i, j] = table(i, j, scene)
            for band in range(number):
                if bands[i, band] >= 0 and (band == 0 or bands[i, band] > bands[i, band - 1]):
                    for still in (0, 1):
                        away = float(bands[i, band])
                        scene = scene_of("ranged", engaged=False, distance=away, still=bool(still))
                        shots[at, band + still * number, i, j] = table(i, j, scene)
            shots[at, -1, i, j] = table(i, j, scene_of("ranged", engaged=True, still=True))
    if not changing:
        melee[1:], shots[1:] = melee[0], shots[0]
    return melee, shots


def _steps(turns: Turns) -> list[int]:
    """The codes of a turn's steps in order, with the reactions before and after them."""
    codes: list[int] = []
    for step in turns.steps:
        around = [
            (one.before, kernels.FIRST_REACTION + number)
            for number, one in enumerate(turns.reactions)
            if isinstance(step, one.step)
        ]
        codes += [code for before, code in around if before]
        codes.append(CODES[type(step)])
        codes += [code for before, code in around if not before]
    return codes


def _reactions(setup: Setup, bands: Array, tables: _Tables, worth: list[Array]) -> dict[str, Any]:
    """What the reactions of the game do, and who uses them when; only single units do."""
    reactions, times = setup.turns.reactions, 2 * setup.rounds
    users = np.full((times, len(reactions)), -1, dtype=np.int64)
    answers = np.full((times, len(reactions), bands.shape[1] + 1), -1, dtype=np.int64)
    for at in range(0 if setup.several else times):
        for number, reaction in enumerate(reactions):
            side = in_use(setup, reaction, at // 2 + 1, SIDES[at % 2])
            if side is None:
                continue
            users[at, number] = side
            if reaction.act == "shoot":
                for band, away in enumerate(bands[side]):
                    scene = Scene(
                        "ranged",
                        at // 2 + 1,
                        SIDES[at % 2],
                        engaged=False,
                        distance=float(away),
                        reaction=reaction.command,
                    )
                    strike = strike_of(setup, side, 0, 0, scene) if away >= 0 else None
                    answers[at, number, band] = tables.add(strike, worth[1 - side])
            elif reaction.act == "hurt":
                answers[at, number, -1] = tables.add(harm_of(setup, side, reaction), worth[1 - side])
            elif reaction.harm is not None:
                one = setup.fighters[side][0]
                answers[at, number, -1] = tables.own(harm_step(reaction, one, one))
    return {
        "acts": np.array([ACTS[one.act] for one in reactions], dtype=np.int64),
        "moments": np.array([MOMENTS.index(one.when) for one in reactions], dtype=np.int64),
        "reach": np.array([MOST_INCHES if one.within is None else one.within for one in reactions]),
        "users": users,
        "answers": answers,
        "leaves": np.array([leaving_distance(setup, side) for side in (0, 1)]),
    }


def _pairs(everyone: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Every unit with every enemy, by their places."""
    places = range(len(everyone))
    return [(i, j) for i in places for j in places if everyone[i][0] != everyone[j][0]]


def _reply(setup: Setup, side: int, u: int) -> float:
    """The chance that a slain model of a unit attacks before it is removed."""
    needed = dies_fighting(setup, side, u)
    return 0.0 if needed is None else chance_to_reply(needed)


def _odds(setup: Setup) -> Array:
    """The chance of a charge for every turn, side and needed total."""
    chances = np.empty((2 * setup.rounds, 2, OUT_OF_REACH + 1))
    known: dict[tuple[bool, int], Array] = {}
    for at in range(2 * setup.rounds):
        for side in (0, 1):
            how = rerolls_charge(setup, side, at // 2 + 1, SIDES[at % 2]), charge_modifier(setup, side)
            if how not in known:
                known[how] = charge_chances(setup, *how)
            chances[at, side] = known[how]
    return chances
