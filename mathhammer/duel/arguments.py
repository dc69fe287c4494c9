"""The arguments of a duel, checked once, at the edge, and how a checked duel becomes an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from mathhammer.checks import check_inches, is_whole
from mathhammer.dataclass import dataclass
from mathhammer.dice.notation import parse_dice
from mathhammer.duel.commands import SIDES, Use, check_commands
from mathhammer.duel.exact import run_exactly
from mathhammer.duel.fighter import Fighter
from mathhammer.duel.orders import GAP, orders
from mathhammer.duel.possible import check_someone_can_attack
from mathhammer.duel.result import Duel, read_moments
from mathhammer.duel.setup import MOST_ROUNDS, Setup, side_index
from mathhammer.duel.sides import by_side, options_by_side, words_of
from mathhammer.duel.states import States
from mathhammer.duel.timing import at_the_best_time, check_once, check_uses
from mathhammer.duel.using import read_use
from mathhammer.errors import BadInputError, TooLargeError, UnknownNameError
from mathhammer.games.discovery import get_game
from mathhammer.games.game import Game
from mathhammer.games.turns import HelpItself
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The arguments of `duel` besides the units, as given: see there."""

    first: str
    rounds: int | None
    distance: float | None
    charge: str
    approach: str | None
    commands: Mapping[str, Any] | Sequence[str] | str
    weapons: Mapping[str, Any] | Sequence[str] | str | None
    situation: Mapping[str, Any] | Sequence[str] | str
    friends: Mapping[str, Sequence[Unit]] | Sequence[Unit]
    choices: Mapping[str, Mapping[str, str]] | None
    use: Mapping[str, Any] | Sequence[str] | str
    options: Mapping[str, Any] | None
    rally: str
    heal: Mapping[str, str | int] | None
    priority: str | None
    policy: str | None
    method: str | None
    trials: int | None
    seed: int
    threads: int | None


@dataclass(frozen=True, slots=True)
class Orders:
    """What one side brings besides its units, checked as far as that is possible without them."""

    side: str
    commands: tuple[str, ...]
    weapons: Any
    flags: tuple[str, ...]
    friends: tuple[Unit, ...]
    choices: Mapping[str, str]
    used: tuple[str, ...]
    heals: str | int | None
    charges: bool
    approaches: bool
    rallies: bool


def run_duel(a: Unit | Sequence[Unit], b: Unit | Sequence[Unit], request: Request) -> Duel:
    """The answer of a duel."""
    setup = make_setup(a, b, request)
    method = request.method or ("simulate" if setup.several else "exact")
    _choice("method", method, ("exact", "simulate"))
    if method == "exact":
        if setup.several:
            count = sum(map(len, setup.fighters))
            raise TooLargeError(
                f'duel: {count} units at once have too many states for exact (use method="simulate")'
            )
        if request.trials is not None:
            raise BadInputError('duel: trials are for a simulation (use method="simulate")')
    return _play(at_the_best_time(setup), method, request)


def _play(setup: Setup, method: str, request: Request) -> Duel:
    """A checked duel as an answer, which can then ask for the same duel with the other side first."""
    swapped = partial(_play_swapped, setup, method, request)
    if not setup.several:
        check_someone_can_attack(setup)
    if method == "exact":
        return read_moments(setup, run_exactly(setup), swapped)
    from mathhammer.duel.simulate import simulate_duel  # numba is loaded only here

    return simulate_duel(setup, request.trials, request.seed, request.threads, swapped)


def _play_swapped(setup: Setup, method: str, request: Request) -> Duel:
    return _play(setup.swapped(), method, request)


def make_setup(a: Unit | Sequence[Unit], b: Unit | Sequence[Unit], request: Request) -> Setup:
    """Everything about a duel, checked."""
    sides = (_units(a, "a"), _units(b, "b"))
    system = _game(sides)
    several = max(map(len, sides)) > 1
    orders_of = _orders(request, several)
    fighters = [tuple(_fighter(system, unit, orders_of[side]) for unit in sides[side]) for side in (0, 1)]
    (options, side_options), distance = options_by_side(system, request.options), request.distance
    if several:
        fighters = [_army(fighters[side], sides[1 - side]) for side in (0, 1)]
        if (
            "precision_choice" in system.fighting("duel").options
        ):  # WH40K-PRECISION: losses keep one order here
            options = {"precision_choice": "none"} | dict(options or {})
        distance = GAP if distance is None else distance
    setup = Setup(
        system=system,
        fighters=(fighters[0], fighters[1]),
        first=SIDES[side_index("first", request.first)],
        rounds=_rounds(request.rounds),
        open_end=request.rounds is None,
        distance=_distance(distance),
        priority=_priority(system, request.priority),
        policy=_choice("policy", request.policy or "points", POLICIES),
        options=options,
        side_options=side_options,
    )
    _check(setup, orders_of)
    return setup


def _orders(request: Request, several: bool) -> tuple[Orders, Orders]:
    """The request side by side."""
    commands, weapons = by_side("commands", request.commands), by_side("weapons", request.weapons)
    situation, friends = by_side("situation", request.situation), by_side("friends", request.friends)
    choices, heal = by_side("choices", request.choices), by_side("heal", request.heal)
    used = by_side("use", request.use)
    approach = request.approach or ("both" if several else "none")
    charging, moving = _who("charge", request.charge), _who("approach", approach)
    rallying = _who("rally", request.rally)
    one, other = (
        Orders(
            side,
            commands=words_of(commands.get(side, ())),
            weapons=weapons.get(side),
            flags=words_of(situation.get(side, ())),
            friends=tuple(friends.get(side, ())),
            choices=dict(choices.get(side, {})),
            used=words_of(used.get(side, ())),
            heals=heal.get(side),
            charges=side in charging,
            approaches=side in moving,
            rallies=side in rallying,
        )
        for side in SIDES
    )
    return one, other


# --- one argument after the other -------------------------------------------------------------------------


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
        raise BadInputError(f"duel: {side}: {given!r:.60} is not a unit (use load_unit or make_unit)")
    return units


def _game(sides: tuple[tuple[Unit, ...], tuple[Unit, ...]]) -> Game:
    systems = sorted({unit.system for side in sides for unit in side})
    if len(systems) > 1:
        raise BadInputError(f"duel: units of {' and '.join(systems)} (choose one game)")
    system = get_game(systems[0])
    if system.fighting("duel").turns is None:
        raise BadInputError(f"duel: {system.title} has no turns here (ask fight for one attack)")
    return system


def _priority(system: Game, given: str | None) -> str:
    """Who begins later rounds: as it is said, or as the game has it."""
    if given is None:
        turns = system.fighting("duel").turns
        return "roll" if turns is not None and turns.rolls_priority else "fixed"
    return _choice("priority", given, ("fixed", "roll"))


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
    if not is_whole(rounds, 1, MOST_ROUNDS):
        raise BadInputError(
            f"duel: {rounds!r} rounds (give 1 to {MOST_ROUNDS}, or None: until one side is gone, at "
            f"most {MOST_ROUNDS})"
        )
    return rounds


def _distance(distance: float | None) -> float | None:
    return None if distance is None else check_inches("duel", distance)


def _fighter(system: Game, unit: Unit, given: Orders) -> Fighter:
    side = given.side
    for flag in given.flags:
        if flag.partition(":")[0] in OWN_FLAGS:
            raise BadInputError(f"duel: {side}: {flag!r} follows from the duel itself (leave it out)")
        if flag.partition(":")[0] not in system.fighting("duel").situations:
            raise UnknownNameError(f"duel: {side}", "situation", flag, system.fighting("duel").situations)
    gifts = tuple(effect for friend in given.friends for effect in friend.effects)
    uses = [
        read_use(side, text, (*unit.effects, *gifts)) for text in (*given.used, *sorted(unit.stance.used))
    ]
    unit = replace(unit, stance=replace(unit.stance, used=frozenset())) if unit.stance.used else unit
    return Fighter(
        states=States.of(unit),
        lost=unit.lost,
        weapons=_kinds(unit, given.weapons),
        flags=tuple(flag for flag in given.flags if flag != "charged"),
        charged="charged" in given.flags,
        friends=given.friends,
        choices=given.choices,
        uses=tuple(dict.fromkeys(uses)),
        commands=tuple(Use.read(side, text) for text in given.commands),
        charges=given.charges,
        approaches=given.approaches,
        rallies=given.rallies,
        heals=None if given.heals is None else parse_dice(given.heals).pmf(),
    )


def _army(fighters: tuple[Fighter, ...], foes: tuple[Unit, ...]) -> tuple[Fighter, ...]:
    army = []
    for fighter in fighters:
        weapons, forward = orders(fighter.unit, foes)
        army.append(replace(fighter, weapons=weapons, charges=fighter.charges and forward))
    return tuple(army)


def _kinds(unit: Unit, wanted: Any) -> dict[str, tuple[str, ...]]:
    """Weapon names of each kind: those that are wanted, or the usual ones."""
    chosen = [weapon for weapon in unit.weapons if not weapon.optional]
    if wanted in ("melee", "ranged"):
        chosen = [weapon for weapon in chosen if weapon.kind == wanted]
    elif wanted is not None:
        by_name = {weapon.name.lower(): weapon for weapon in unit.weapons}
        for name in words_of(wanted):
            if name.lower() not in by_name:
                raise UnknownNameError(
                    f"duel: {unit.name}", "weapon", name, [weapon.name for weapon in unit.weapons]
                )
        chosen = [by_name[name.lower()] for name in dict.fromkeys(words_of(wanted))]
    return {kind: tuple(w.name for w in chosen if w.kind == kind) for kind in ("melee", "ranged")}


def _check(setup: Setup, given: tuple[Orders, Orders]) -> None:
    turns, title = setup.turns, setup.system.title
    if setup.priority == "roll" and turns.p_same_player_first is None:
        raise BadInputError(
            f"duel: nobody rolls for the first turn of a round in {title} (leave priority out)"
        )
    if any(
        (options or {}).get("allocation") == "fresh_first" for options in (setup.options, *setup.side_options)
    ):
        raise BadInputError("duel: fresh_first is not covered (wounded models go first here, AOS1-SILENT-4)")
    help_itself = turns.step(HelpItself)
    for orders_ in given:
        if orders_.rallies and (help_itself is None or help_itself.rally is None):
            raise BadInputError(f"duel: there is no Rally in {title} (leave rally out)")
        if "charged" in orders_.flags and not setup.engaged_at_start:
            raise BadInputError(
                f"duel: {orders_.side}: 'charged' and a distance (the charge is rolled here; leave one of "
                "them out)"
            )
    if setup.several:
        for name in ("commands", "weapons", "choices", "heals", "rallies"):
            if any(getattr(orders_, name) for orders_ in given):
                argument = {"heals": "heal", "rallies": "rally"}.get(name, name)
                raise BadInputError(
                    f"duel: {argument} with several units on a side (only two single units have it)"
                )
    check_commands(setup)
    check_once(setup)
    check_uses(setup)
