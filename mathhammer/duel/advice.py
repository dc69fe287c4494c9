"""Advice: what one use of a command, stratagem or ability is worth in a duel, by comparing exact values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mathhammer.dataclass import dataclass
from mathhammer.duel.commands import REROLL, SIDES, Use, check_commands
from mathhammer.duel.exact import run_exactly
from mathhammer.duel.possible import check_someone_can_attack
from mathhammer.duel.result import Duel, read_moments
from mathhammer.duel.setup import Setup
from mathhammer.duel.using import kinds_of, limit_of, usable
from mathhammer.errors import BadInputError

ROUNDS_AHEAD = 2  # now or later: later is the next round


@dataclass(frozen=True, slots=True)
class Advice:
    """One use of a command or ability: what it changes for its side, or why it cannot be used."""

    use: Use
    rule: str
    wins: float = 0.0  # chance to win, with it
    gain: float = 0.0  # change of the chance to win less the chance to lose
    trade: float = 0.0  # change of the points removed less the points lost
    refused: str = ""


def advise(duel: Duel, side: str) -> tuple[Advice, ...]:
    """Every single use of a command, and of an ability that is used once in a battle, by a side in the first
    two rounds, the best first.

    >>> import mathhammer as mh
    >>> axe = {"name": "Axe", "attacks": 4, "hit": 4, "wound": 4, "damage": 1}
    >>> orc = mh.make_unit("aos4", {"name": "Orc", "health": 5, "save": 4, "weapon": [axe]})
    >>> best = advise(mh.duel(orc, orc, rounds=1), "a")[0]
    >>> str(best.use), best.gain > 0
    ('all_out_attack@1a-melee', True)
    """
    if duel.setup.several:
        raise BadInputError("duel: advice is for two single units (give one unit on each side)")
    if duel.method != "exact":
        raise BadInputError("duel: advice compares exact values (leave the method out)")
    place = SIDES.index(side)
    before = _value(duel, place)
    advice = []
    for use in uses(duel.setup, place):
        rule = _rule(duel.setup, place, use)
        try:
            after = _with(duel.setup, place, use)
        except BadInputError as error:  # a row of the answer, with the reason
            advice.append(Advice(use, rule, refused=str(error)))
            continue
        sign = 1.0 if side == "a" else -1.0
        wins = after.p_win if side == "a" else after.p_lose
        advice.append(
            Advice(use, rule, wins, _value(after, place) - before, sign * (after.trade - duel.trade))
        )
    return tuple(
        sorted(
            advice,
            key=lambda advice: (bool(advice.refused), -round(advice.gain, 12), -round(advice.trade, 9)),
        )
    )


def _rule(setup: Setup, place: int, use: Use) -> str:
    """What a command or an ability does, in words."""
    if is_ability(setup, place, use):
        times, per = limit_of(use.command, setup.fighters[place][0].effects())
        return f"ability, {'once' if times == 1 else 'twice'} per {per}"
    if use.command == REROLL:
        return setup.turns.rules["reroll_charge"]
    reaction = setup.turns.reaction(use.command)
    return setup.attacks.commands[use.command] if reaction is None else reaction.rule


def is_ability(setup: Setup, place: int, use: Use) -> bool:
    """Whether a use is of an ability, and not of a command."""
    return any(effect.use and effect.name == use.command for effect in setup.fighters[place][0].effects())


def _value(duel: Duel, place: int) -> float:
    ahead = duel.p_win - duel.p_lose
    return ahead if place == 0 else -ahead


def _with(setup: Setup, place: int, use: Use) -> Duel:
    fighters = list(setup.fighters)
    (one,) = fighters[place]
    if is_ability(setup, place, use):
        one = replace(one, uses=(*one.uses, use))
    else:
        one = replace(one, commands=(*one.commands, use))
    fighters[place] = (one,)
    changed = replace(setup, fighters=(fighters[0], fighters[1]))
    check_commands(changed)
    check_someone_can_attack(changed)
    return read_moments(
        changed,
        run_exactly(changed),
        lambda: _with(setup.swapped(), place, use),
    )


def uses(setup: Setup, place: int) -> Iterator[Use]:
    """Every command at every time at which a side could use it, in the first rounds."""
    turns, one, other = setup.turns, setup.fighters[place][0], setup.fighters[1 - place][0]
    for number in range(1, min(setup.rounds, ROUNDS_AHEAD) + 1):
        for turn in setup.order:
            own = turn == SIDES[place]
            if own and not setup.engaged_at_start and one.charges and one.melee:
                yield Use(REROLL, number, turn)
            for reaction in turns.reactions:
                if reaction.own_turn == own:
                    yield Use(reaction.command, number, turn)
            for command in setup.attacks.commands:
                if turns.reaction(command) is not None:
                    continue
                for kind in ("ranged", "melee"):
                    defensive = command in turns.defensive
                    striker = other if defensive else one
                    acts = kind == "melee" or own != defensive  # only the active side shoots
                    if turns.phase_of.get(command, kind) == kind and striker.weapons[kind] and acts:
                        yield Use(command, number, turn, kind)
            for name in usable(one.effects(), one.uses):
                for kind in kinds_of(name, one.effects()):
                    if one.weapons[kind] or other.weapons[kind]:
                        yield Use(name, number, turn, kind)
