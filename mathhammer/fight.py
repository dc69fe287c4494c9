"""`fight`: one unit attacks another, and the answer is a `Result`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import numpy as np

from mathhammer.checks import check_inches, is_whole
from mathhammer.datasheets.asked import as_unit
from mathhammer.datasheets.reading import make_effects
from mathhammer.dice.pmf import Pmf
from mathhammer.engine.best_reroll import Array
from mathhammer.engine.exact import end_states, pool
from mathhammer.engine.mixing import mixed
from mathhammer.engine.plan import Plan
from mathhammer.engine.result import Result
from mathhammer.errors import BadInputError, TooLargeError, UnknownNameError
from mathhammer.games.branches import branches
from mathhammer.games.discovery import attacks_of, get_game
from mathhammer.games.game import Attacks, Fight
from mathhammer.games.rules_at_work import rules_at_work
from mathhammer.games.telling import conditions_of, not_counted
from mathhammer.games.weapon_choice import Names, chosen_weapons, ways_to_attack, words_of
from mathhammer.games.words import command_named, flag_named, stance_commands, stance_flags
from mathhammer.one_reroll import asks_for_best, end_with_best
from mathhammer.units.conditions import PHASES, switch
from mathhammer.units.effects import Effect, usable
from mathhammer.units.unit import Situation, Unit


def fight(
    attacker: Unit | str,
    target: Unit | str,
    *,
    system: str | None = None,
    weapons: Names | None = None,
    situation: Names = (),
    distance: float | None = None,
    round: int | None = None,
    phase: str | None = None,
    commands: Names = (),
    friends: Sequence[Unit] = (),
    target_friends: Sequence[Unit] = (),
    effects: Sequence[Effect | Mapping[str, Any]] | Effect | Mapping[str, Any] = (),
    choices: Mapping[str, str] | None = None,
    use: Names = (),
    options: Mapping[str, Any] | None = None,
    method: str = "exact",
    trials: int | None = None,
    standard_error: float | None = None,
    seed: int = 0,
    threads: int | None = None,
    samples: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Result:
    """What `attacker` does to `target` in one action, as distributions.

    Parameters
    ----------
    attacker, target
        Units, names of datasheets, or expressions such as "10 Liberators: charged" (see `mathhammer.unit`);
        `system` says of which game, where a name alone does not.
    weapons
        "best" (the default): the kind, melee or ranged, that does more to this target, and the result says
        which (`result.weapons`); "melee", "ranged" or weapon names.
    situation
        One flag or several, such as "charged" or "target in cover"; "half_range:Meltagun" is for one weapon
        only.
    distance, round, phase
        Inches to the target, battle round, phase: for rules that ask.
    commands
        Commands or stratagems in use, such as "all_out_attack".
    friends, target_friends
        Units whose gifts (effects on "friends") the attacker or the target has.
    effects
        Further effects: a mapping with the fields of a datasheet's effect, or a list of them.
    choices
        Weapon name -> ability, where a weapon has several that exclude each other.
    use
        Abilities of the units that somebody has to use ("Dark Pact"), and switches of their conditions
        ("under orders").
    options
        Switches for unclear rules, such as `crit_always_hits`.
    method
        "exact" (the default) or "simulate"; the rest is for simulation: `trials` or a wanted
        `standard_error` of the mean wounds lost, `seed`, `threads`, per-trial `samples`, a `progress`
        callback.

    The worked example of the rules, Liberators against a Clawlord on Gnaw-beast:

    >>> import mathhammer as mh
    >>> liberators = mh.make_unit("aos4", {
    ...     "name": "Liberators", "models": 5, "health": 2, "save": 3, "weapon": [
    ...         {"name": "Warhammer", "models": 4, "attacks": 2, "hit": 3, "wound": 3, "rend": 1, "damage": 1,
    ...          "abilities": ["Crit (Mortal)"]},
    ...         {"name": "Grandhammer", "models": 1, "attacks": 2, "hit": 3, "wound": 2, "rend": 1,
    ...     "damage": 2,
    ...          "abilities": ["Crit (Mortal)"]}]})
    >>> clawlord = mh.make_unit("aos4", {"name": "Clawlord on Gnaw-beast", "health": 7, "save": 4, "ward": 6,
    ...                                  "keywords": ["hero", "cavalry"]})
    >>> result = mh.fight(liberators, clawlord, weapons="melee", situation="charged")
    >>> round(result.damage.mean(), 3), round(result.p_destroyed, 4)
    (4.074, 0.0987)
    """
    attacker, target = both_units(attacker, target, system, "fight")
    question = make_question(
        attacker,
        target,
        weapons=weapons,
        situation=situation,
        distance=distance,
        round=round,
        phase=phase,
        commands=commands,
        friends=friends,
        target_friends=target_friends,
        effects=effects,
        choices=choices,
        use=use,
        options=options,
    )
    if use:
        check_use(use, (attacker, target, *question.friends, *question.target_friends), question.effects)
    if method not in ("exact", "simulate"):
        raise UnknownNameError("fight", "method", str(method), ["exact", "simulate"])
    parts = branches(question)
    if method == "exact":
        return mixed([(chance, _exactly(one)) for chance, one in parts])
    played = partial(
        _played,
        standard_error=standard_error,
        threads=threads,
        samples=samples,
        progress=progress,
    )
    if len(parts) == 1:
        return played(parts[0][1], trials=trials, seed=seed)
    if standard_error is not None or samples:
        raise BadInputError(
            "fight: a rule rolls a die of its own, so give trials (no standard_error and no samples)"
        )
    from mathhammer.engine.simulate import DEFAULT_TRIALS, shared_trials  # numba is loaded only here

    shares = shared_trials(
        [chance for chance, _ in parts], DEFAULT_TRIALS if trials is None else trials, seed
    )
    rolled = [
        (number, played(one, trials=number, seed=seed + n))
        for n, (number, (_, one)) in enumerate(zip(shares, parts, strict=True))
        if number
    ]
    return mixed([(number / sum(shares), result) for number, result in rolled])


def _exactly(question: Fight) -> Result:
    """One attack without a roll of a rule, worked out."""
    (plan, end), one, other = _ended(question), question.attacker.label, question.target.label
    damage = partial(_exact_pool, plan) if plan.target.spills else None
    result = Result(one, other, plan, end, pool=damage, **_about(question))
    if plan.own is None:
        return result
    cost = Result(one, one, plan.own, end_states(plan.own))
    return replace(result, own_lost=cost.lost, own_slain=cost.slain)


def _ended(question: Fight) -> tuple[Plan, Array]:
    """The plan of an attack, and the chances of the target's states after it."""
    if asks_for_best(question):
        return end_with_best(question, plan_of)
    plan = plan_of(question)
    return plan, _end_of(plan)


_ENDS: dict[int, tuple[Plan, Array]] = {}  # by the identity of plans, which `plan_of` remembers
MOST_ENDS = 4096


def _end_of(plan: Plan) -> Array:
    """The chances of the target's states after a plan, as long as the plan is remembered."""
    known = _ENDS.get(id(plan))
    if known is not None and known[0] is plan:
        return known[1]
    end = end_states(plan)
    end.setflags(write=False)
    if len(_ENDS) >= MOST_ENDS:
        _ENDS.clear()
    _ENDS[id(plan)] = (plan, end)
    return end


def _played(question: Fight, *, seed: int, **how: Any) -> Result:
    """The same, played."""
    from mathhammer.engine.simulate import simulate  # numba is loaded only here

    plan, one, other = plan_of(question), question.attacker.label, question.target.label
    result = replace(simulate(plan, attacker=one, target=other, seed=seed, **how), **_about(question))
    if plan.own is None:
        return result
    cost = simulate(
        plan.own, attacker=one, target=one, trials=result.trials, seed=seed + 1, threads=how["threads"]
    )
    return replace(result, own_lost=cost.lost, own_slain=cost.slain)


def _about(question: Fight) -> dict[str, Any]:
    """What a result says of its question besides the numbers."""
    game = get_game(question.attacker.system)
    aftermath = game.fighting("fight").aftermath
    return {
        "after": None if aftermath is None else partial(aftermath, question),
        "edition": game.title,
        "told": partial(conditions_of, question),
        "untold": partial(not_counted, question),
        "readings": partial(_options_that_matter, question),
        "acting": partial(rules_at_work, question),
    }


def _options_that_matter(question: Fight) -> tuple[str, ...]:
    """The options of an attack that would change its numbers if they were set otherwise, and circumstances
    that are said.
    """
    attacks = attacks_of(question.attacker.system)
    ways = [one for _, one in branches(replace(question, rolled=frozenset()))]
    found = []
    for name, value in question.options:
        option = attacks.readings[name]
        if option.circumstance:
            matters = value != option.default
        else:
            matters = any(_matters(one, name, option.other_than(value)) for one in ways)
        found += [f"{name} {value} ({option.rule})"] if matters else []
    return tuple(found)


def _matters(question: Fight, name: str, value: Any) -> bool:
    """Whether another value of an option changes what becomes of the target, or is refused."""
    plan = plan_of(question)
    try:
        other = plan_of(replace(question, options=tuple({**dict(question.options), name: value}.items())))
    except BadInputError:
        return True
    try:
        now, then = end_states(plan), end_states(other)
    except TooLargeError:  # what is simulated: another plan is then enough
        return plan != other
    return now.shape != then.shape or not np.allclose(now, then, rtol=0, atol=1e-12)


def both_units(a: Unit | str, b: Unit | str, system: str | None, where: str) -> tuple[Unit, Unit]:
    """Two units of one game, given or by name: the game of one that is given holds for the other's name."""
    given = next((unit.system for unit in (a, b) if isinstance(unit, Unit)), system)
    first = as_unit(a, given, where)
    return first, as_unit(b, given or first.system, where)


def check_use(
    use: Names, units: Iterable[Unit], effects: Iterable[Effect] = (), where: str = "fight"
) -> None:
    """Refuses to use what none of these units has: an ability that is used, or a switch of a condition."""
    known = usable([*effects, *(effect for unit in units for effect in unit.effects)])
    for word in words_of("use", use):
        if switch(word) not in known:
            raise UnknownNameError(where, "ability or switch", word, known.values())


def use_of(how: Mapping[str, Any], *units: Unit) -> dict[str, Any]:
    """The arguments of a fight with only those abilities in use that these units, or their friends, have."""
    if not how.get("use"):
        return dict(how)
    beside = (*how.get("friends", ()), *how.get("target_friends", ()))
    stances = (friend for unit in units for friend in unit.stance.friends)
    known = usable([effect for unit in (*units, *beside, *stances) for effect in unit.effects])
    return {**how, "use": tuple(word for word in words_of("use", how["use"]) if switch(word) in known)}


def plan_fight(attacker: Unit, target: Unit, **how: Any) -> Plan:
    """The plan of a fight, as an engine gets it; `how` is what `fight` takes besides the method."""
    return plan_of(make_question(attacker, target, **how))


def plans_of(question: Fight) -> list[tuple[float, Plan]]:
    """The plan of an attack, or where rules roll dice of their own one for each way, with its chance."""
    return [(chance, plan_of(one)) for chance, one in branches(question)]


def make_question(
    attacker: Unit,
    target: Unit,
    *,
    weapons: Names | None = None,
    situation: Names = (),
    distance: float | None = None,
    round: int | None = None,
    phase: str | None = None,
    commands: Names = (),
    friends: Sequence[Unit] = (),
    target_friends: Sequence[Unit] = (),
    effects: Sequence[Effect | Mapping[str, Any]] | Effect | Mapping[str, Any] = (),
    choices: Mapping[str, str] | None = None,
    use: Names = (),
    options: Mapping[str, Any] | None = None,
) -> Fight:
    """The question to the system, with everything checked once, at the edge."""
    for unit in (attacker, target):
        if not isinstance(unit, Unit):
            raise BadInputError(f"fight: {unit!r:.60} is not a unit (use load_unit or make_unit)")
    if attacker.system != target.system:
        raise BadInputError(
            f"fight: {attacker.name} plays {attacker.system}, {target.name} plays {target.system} "
            "(choose one game)"
        )
    attacks = attacks_of(attacker.system, "fight")
    used = (*words_of("commands", commands), *stance_commands(attacks, attacker, target))
    flags = (*words_of("situation", situation), *stance_flags(attacks, attacker, target))
    asked = _situation(attacks, flags, distance, round, phase, used)
    if use:
        asked = replace(asked, used=asked.used | frozenset(map(switch, words_of("use", use))))
    beside = (*_units("friends", friends), *attacker.stance.friends)
    behind = (*_units("target_friends", target_friends), *target.stance.friends)
    more = make_effects(attacker.system, effects) if effects else ()
    chosen = _choices(attacker, choices) if choices else ()
    switches = _options(attacks, options)
    questions = [
        Fight(way, target, chosen_weapons(way, names), asked, beside, behind, more, chosen, switches)
        for way, names in ways_to_attack(attacker, weapons)
    ]
    if chosen and attacks.decisions is not None:
        questions = [one for question in questions for one in attacks.decisions(question)]
    return questions[0] if len(questions) == 1 else _best(questions)


def _best(questions: Sequence[Fight]) -> Fight:
    """The question with the most wounds lost; a way that the rules do not allow here is none."""
    refused: list[BadInputError] = []
    best: tuple[float, Fight] | None = None
    for question in questions:
        try:
            lost = _mean_lost(question)
        except BadInputError as error:
            refused.append(error)
        else:
            best = (lost, question) if best is None or lost > best[0] else best
    if best is None:
        raise refused[0]
    return best[1]


def _units(name: str, given: Any) -> tuple[Unit, ...]:
    if given == ():
        return ()
    units = (given,) if isinstance(given, Unit) else given
    if isinstance(units, (str, Mapping)) or not isinstance(units, Iterable):
        raise BadInputError(f"fight: {name} is {given!r:.60} (give units, such as [load_unit(...)])")
    units = tuple(units)
    for unit in units:
        if not isinstance(unit, Unit):
            raise BadInputError(f"fight: {name}: {unit!r:.60} is not a unit (use load_unit or make_unit)")
    return units


@lru_cache(maxsize=4096)
def _mean_lost(question: Fight) -> float:
    """Mean wounds that the target loses; where that is too much work, mean damage before any is wasted."""
    total = 0.0
    for chance, one in branches(question):
        try:
            plan, end = _ended(one)
            total += chance * Result(one.attacker.name, one.target.name, plan, end).lost.mean()
        except TooLargeError:
            plan = plan_of(one)
            total += chance * Result(one.attacker.name, one.target.name, plan, np.zeros(0)).funnel["damage"]
    return total


def _exact_pool(plan: Plan) -> Pmf:
    return Pmf(pool(plan, None))


@lru_cache(maxsize=4096)
def plan_of(question: Fight) -> Plan:
    """The plan of a question, as an engine gets it."""
    attacks = attacks_of(question.attacker.system)
    if asks_for_best(question):  # a policy over the whole action, which no plan has
        raise BadInputError(
            f"fight: {attacks.best_reroll} is for an exact attack of one unit on one other "
            f"(here, choose one of {', '.join(attacks.one_reroll.values())})"
        )
    plan = attacks.plan(question)
    came = tuple(f"{name}: {needs}" for name, needs in sorted(question.rolled))
    return replace(plan, notes=came) if came else plan


def _situation(
    attacks: Attacks,
    flags: Sequence[str],
    distance: float | None,
    round: int | None,
    phase: str | None,
    commands: Sequence[str],
) -> Situation:
    flags = [flag_named(attacks, flag) for flag in flags]
    commands = [command_named(attacks, command) for command in commands]
    if phase is not None and phase not in PHASES:
        raise UnknownNameError("fight", "phase", str(phase), PHASES)
    if distance is not None:
        distance = check_inches("fight", distance)
    if round is not None and not is_whole(round, 1, 100):
        raise BadInputError(f"fight: battle round {round!r} (give a whole number from 1 on)")
    return Situation(frozenset(flags), distance, round, phase, tuple(dict.fromkeys(commands)))


def _choices(unit: Unit, choices: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    if not isinstance(choices, Mapping):
        raise BadInputError(f"fight: choices is {choices!r:.60} (give a mapping from weapon to ability)")
    names = {weapon.name for weapon in unit.weapons}
    for weapon in choices:
        if weapon not in names:
            raise UnknownNameError(f"fight: {unit.name}", "weapon", str(weapon), names)
    return tuple(sorted(choices.items()))


def _options(attacks: Attacks, options: Mapping[str, Any] | None) -> tuple[tuple[str, Any], ...]:
    if not options:
        return tuple(attacks.options.items())
    if not isinstance(options, Mapping):
        raise BadInputError(f"fight: options is {options!r:.60} (give a mapping from option to value)")
    for name, value in options.items():
        if name not in attacks.options:
            raise UnknownNameError("fight", "option", str(name), attacks.options)
        if type(value) is not type(attacks.options[name]):
            raise BadInputError(
                f"fight: option {name} is {value!r} (its default is {attacks.options[name]!r})"
            )
    return tuple({**attacks.options, **options}.items())
