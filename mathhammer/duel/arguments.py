"""The arguments of a duel, checked once, at the edge, and how a checked duel becomes an answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import isfinite
from typing import Any

from mathhammer.dice.notation import parse_dice
from mathhammer.duel.commands import SIDES, Use, check_commands
from mathhammer.duel.exact import run_exactly
from mathhammer.duel.fighter import Fighter, Scene
from mathhammer.duel.orders import GAP, orders
from mathhammer.duel.result import Duel, read_moments
from mathhammer.duel.setup import MOST_ROUNDS, Setup, label, side_index
from mathhammer.duel.strikes import States
from mathhammer.errors import BadInputError, TooLargeError, UnknownNameError
from mathhammer.games.discovery import get_game
from mathhammer.games.game import Game
from mathhammer.units.unit import Unit

POLICIES = ("nearest", "points", "weakest")
WHO = ("both", "a", "b", "none")
OWN_FLAGS = (
    "damaged",
    "target_damaged",
    "target_charged",
    "engaged",
    "in_combat",
    "near_enemy",
    "target_empowered",
    "overwatch",
)


def fought(
    a: Any,
    b: Any,
    *,
    first: Any,
    rounds: Any,
    distance: Any,
    charge: Any,
    approach: Any,
    commands: Any,
    weapons: Any,
    situation: Any,
    friends: Any,
    choices: Any,
    options: Any,
    rally: Any,
    heal: Any,
    priority: Any,
    policy: Any,
    method: Any,
    trials: Any,
    seed: Any,
    threads: Any,
) -> Duel:
    """The answer of a duel; the arguments are those of `duel`."""
    sides = (_units(a, "a"), _units(b, "b"))
    system = _game(sides)
    per_side = {
        "commands": _by_side("commands", commands),
        "weapons": _by_side("weapons", weapons),
        "situation": _by_side("situation", situation),
        "friends": _by_side("friends", friends),
        "choices": choices or {},
        "heal": heal or {},
    }
    for name in ("choices", "heal"):
        for side in per_side[name]:
            side_index(name, side)
    several = max(map(len, sides)) > 1
    approach = approach or ("both" if several else "none")
    charging, moving, rallying = _who("charge", charge), _who("approach", approach), _who("rally", rally)
    fighters = [
        tuple(
            _fighter(system, unit, side, per_side, side in charging, side in moving, side in rallying)
            for unit in units
        )
        for side, units in zip(SIDES, sides, strict=True)
    ]
    if several:
        fighters = [_army(system, fighters[side], sides[1 - side]) for side in (0, 1)]
        if (
            "precision_choice" in system.fighting("duel").options
        ):  # WH40K-PRECISION: losses keep one order here
            options = {"precision_choice": "none"} | dict(options or {})
        distance = GAP if distance is None else distance
    setup = Setup(
        system=system,
        fighters=(fighters[0], fighters[1]),
        first=SIDES[side_index("first", first)],
        rounds=_rounds(rounds),
        open_end=rounds is None,
        distance=_distance(distance),
        priority=_choice("priority", priority, ("fixed", "roll")),
        policy=_choice("policy", policy, POLICIES),
        options=options,
    )
    _check(setup, sides, per_side)
    method = method or ("simulate" if several else "exact")
    _choice("method", method, ("exact", "simulate"))
    if method == "exact":
        if several:
            count = sum(map(len, sides))
            raise TooLargeError(
                f'duel: {count} units at once have too many states for exact (use method="simulate")'
            )
        if trials is not None:
            raise BadInputError('duel: trials are for a simulation (use method="simulate")')
    played = _player(method, trials, seed, threads)
    return played(setup)


def _player(method: str, trials: int | None, seed: int, threads: int | None) -> Callable[[Setup], Duel]:
    """How a setup becomes an answer; the answer can then ask for the same duel with the other side first."""

    def played(setup: Setup) -> Duel:
        other = replace(setup, first="b" if setup.first == "a" else "a")
        if method == "exact":
            refuse_harmless(setup)
            return read_moments(setup, run_exactly(setup), lambda: played(other))
        from mathhammer.duel.simulate import simulate_duel  # numba is loaded only here

        if max(map(len, setup.fighters)) == 1:
            refuse_harmless(setup)
        return simulate_duel(setup, trials, seed, threads, lambda: played(other))

    return played


def refuse_harmless(setup: Setup) -> None:
    """Refuses a duel in which nothing can ever happen."""
    meet = setup.engaged_at_start
    scenes: list[tuple[int, Scene]] = []
    for number, away in enumerate(setup.distances(), 1):
        for turn, far in zip((setup.first, "b" if setup.first == "a" else "a"), away, strict=True):
            side = SIDES.index(turn)
            one = setup.fighters[side][0]
            scenes.append((side, Scene("ranged", number, turn, engaged=meet, distance=far)))
            if one.charges and one.melee and not meet:
                meet = setup.charge_chance(side, number, turn, far) > 0.0
            if meet:
                scenes += [
                    (who, Scene("melee", number, turn, engaged=True, charged=who == side)) for who in (0, 1)
                ]
        if meet and number > 1:
            break
    for side, scene in scenes:
        law = setup.law(side, 0, 0, scene)
        if law is not None and not law.idle:
            return
    names = label(setup.fighters)
    if not meet:
        raise BadInputError(
            f"duel: {names[0]} and {names[1]} never meet: {setup.distance:g} inches apart, no charge "
            "reaches and nobody shoots so far "
            '(give a smaller distance, or approach="both")'
        )
    raise BadInputError(
        f"duel: {names[0]} and {names[1]} cannot hurt each other (give one of them weapons that get through)"
    )


# --- arguments
# ----------------------------------------------------------------------------------------------------


def _units(given: Any, side: str) -> tuple[Unit, ...]:
    listed = getattr(given, "units", given)  # a roster has units
    units = (
        (listed,)
        if isinstance(listed, Unit)
        else tuple(listed)
        if isinstance(listed, Sequence) and not isinstance(listed, str)
        else ()
    )
    if not units or not all(isinstance(unit, Unit) for unit in units):
        raise BadInputError(f"duel: {side}: {given!r:.60} is no unit (use load_unit or make_unit)")
    return units


def _game(sides: tuple[tuple[Unit, ...], tuple[Unit, ...]]) -> Game:
    systems = sorted({unit.system for side in sides for unit in side})
    if len(systems) > 1:
        raise BadInputError(f"duel: units of {' and '.join(systems)} (choose one game)")
    system = get_game(systems[0])
    if system.fighting("duel").turns is None:
        raise BadInputError(f"duel: {system.title} has no turns here (ask fight for one attack)")
    return system


def _by_side(name: str, given: Any) -> dict[str, Any]:
    if isinstance(given, Mapping):
        for side in given:
            side_index(name, side)
        return dict(given)
    return {"a": given} if given else {}


def _who(name: str, who: str) -> tuple[str, ...]:
    _choice(name, who, WHO)
    return SIDES if who == "both" else () if who == "none" else (who,)


def _choice(name: str, given: str, known: Sequence[str]) -> str:
    if given not in known:
        raise UnknownNameError("duel", name, str(given), known)
    return given


def _rounds(rounds: int | None) -> int:
    if rounds is None:
        return MOST_ROUNDS
    if isinstance(rounds, bool) or not isinstance(rounds, int) or not 1 <= rounds <= MOST_ROUNDS:
        raise BadInputError(
            f"duel: {rounds!r} rounds (give 1 to {MOST_ROUNDS}, or None: until one side is gone, at "
            f"most {MOST_ROUNDS})"
        )
    return rounds


def _distance(distance: float | None) -> float | None:
    if distance is None:
        return None
    if isinstance(distance, bool) or not (
        isinstance(distance, (int, float)) and isfinite(distance) and 0 <= distance <= 1000
    ):
        raise BadInputError(f"duel: distance {distance!r} (give inches from 0 on)")
    return float(distance)


def _fighter(
    system: Game,
    unit: Unit,
    side: str,
    per_side: Mapping[str, Any],
    charges: bool,
    moves: bool,
    rallies: bool,
) -> Fighter:
    flags = _words(per_side["situation"].get(side, ()))
    for flag in flags:
        if flag.partition(":")[0] in OWN_FLAGS:
            raise BadInputError(f"duel: {side}: {flag!r} follows from the duel itself (leave it out)")
        if flag.partition(":")[0] not in system.fighting("duel").situations:
            raise UnknownNameError(f"duel: {side}", "situation", flag, system.fighting("duel").situations)
    heals = per_side["heal"].get(side)
    return Fighter(
        states=States.of(unit),
        lost=unit.lost,
        weapons=_kinds(unit, per_side["weapons"].get(side)),
        flags=tuple(flag for flag in flags if flag != "charged"),
        charged="charged" in flags,
        friends=tuple(per_side["friends"].get(side, ())),
        choices=dict(per_side["choices"].get(side, {})),
        commands=tuple(Use.read(side, text) for text in _words(per_side["commands"].get(side, ()))),
        charges=charges,
        approaches=moves,
        rallies=rallies,
        heals=None if heals is None else parse_dice(heals).pmf(),
    )


def _army(system: Game, fighters: tuple[Fighter, ...], foes: tuple[Unit, ...]) -> tuple[Fighter, ...]:
    found = []
    for fighter in fighters:
        weapons, forward = orders(system, fighter.unit, foes)
        found.append(replace(fighter, weapons=weapons, charges=fighter.charges and forward))
    return tuple(found)


def _words(given: Any) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def _kinds(unit: Unit, wanted: Any) -> dict[str, tuple[str, ...]]:
    """Weapon names of each kind: those that are wanted, or the usual ones."""
    chosen = [weapon for weapon in unit.weapons if not weapon.optional]
    if wanted in ("melee", "ranged"):
        chosen = [weapon for weapon in chosen if weapon.kind == wanted]
    elif wanted is not None:
        by_name = {weapon.name.lower(): weapon for weapon in unit.weapons}
        for name in _words(wanted):
            if name.lower() not in by_name:
                raise UnknownNameError(
                    f"duel: {unit.name}", "weapon", name, [weapon.name for weapon in unit.weapons]
                )
        chosen = [by_name[name.lower()] for name in dict.fromkeys(_words(wanted))]
    return {kind: tuple(w.name for w in chosen if w.kind == kind) for kind in ("melee", "ranged")}


def _check(
    setup: Setup, sides: tuple[tuple[Unit, ...], tuple[Unit, ...]], per_side: Mapping[str, Any]
) -> None:
    turns = setup.turns
    if setup.priority == "roll" and turns.again is None:
        raise BadInputError(
            f"duel: nobody rolls for the first turn of a round in {setup.system.title} (leave priority out)"
        )
    if (setup.options or {}).get("allocation") == "fresh_first":
        raise BadInputError("duel: fresh_first is not covered (wounded models go first here, AOS1-SILENT-4)")
    for side, fighters in zip(SIDES, setup.fighters, strict=True):
        if any(fighter.rallies for fighter in fighters) and turns.rally is None:
            raise BadInputError(f"duel: there is no Rally in {setup.system.title} (leave rally out)")
        if fighters[0].charged and not setup.engaged_at_start:
            raise BadInputError(
                f"duel: {side}: 'charged' and a distance (the charge is rolled here; leave one of them out)"
            )
    if max(map(len, sides)) > 1:
        given = [name for name in ("commands", "weapons", "choices", "heal") if per_side[name]]
        given += ["rally"] if any(fighter.rallies for side in setup.fighters for fighter in side) else []
        if given:
            raise BadInputError(
                f"duel: {given[0]} with several units on a side (only two single units have it)"
            )
    check_commands(setup)
