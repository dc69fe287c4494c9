"""The attacks of a duel: which weapons, commands and circumstances each has, and what it does."""

from __future__ import annotations

from mathhammer.duel.commands import REROLL, SIDES
from mathhammer.duel.fighter import Fighter, Scene
from mathhammer.duel.setup import Setup
from mathhammer.duel.strikes import Strike, make_strike
from mathhammer.fight import make_question
from mathhammer.games.game import Fight as Question
from mathhammer.games.turns import Shoot


def strike_of(setup: Setup, attacker: int, u: int, v: int, scene: Scene) -> Strike | None:
    """What unit `u` of side `attacker` does to unit `v` of the other side; None when it has no such
    weapon.
    """
    one, other = setup.fighters[attacker][u], setup.fighters[1 - attacker][v]
    names = _loaded(setup, one, scene)
    if not names:
        return None
    question = _question(setup, attacker, (one, other), names, scene)
    if question not in setup.strikes:
        setup.strikes[question] = make_strike(question, one.states, other.states)
    return setup.strikes[question]


def _question(
    setup: Setup, attacker: int, units: tuple[Fighter, Fighter], names: tuple[str, ...], scene: Scene
) -> Question:
    one, other = units
    away = 0.0 if scene.engaged else scene.distance
    return make_question(
        one.acting(scene),
        other.acting(scene),
        weapons=scene.kind if names == one.usual(scene.kind) else names,
        situation=_flags(setup, attacker, one, scene),
        distance=None if scene.kind == "melee" else away,
        round=scene.round if setup.asks_round else None,
        commands=commands_in_use(setup, attacker, scene),
        friends=one.friends,
        target_friends=other.friends,
        choices={name: choice for name, choice in one.choices.items() if name in names},
        options=setup.options_of(attacker),
    )


def _loaded(setup: Setup, one: Fighter, scene: Scene) -> tuple[str, ...]:
    """The weapons of a unit for an attack; those that are used once only in the first turn in which it
    attacks.
    """
    names = one.weapons.get(scene.kind, ())
    first = scene.round == 1 and (scene.kind == "ranged" or scene.turn == setup.first)
    if first or not setup.fires_once:
        return names
    spent = {weapon.name for weapon in one.armed() if setup.attacks.abilities.carried(weapon, "once")}
    return tuple(name for name in names if name not in spent)


def _flags(setup: Setup, attacker: int, one: Fighter, scene: Scene) -> tuple[str, ...]:
    """The situation of an attack: what its side said, and what follows from the scene."""
    flags = list(one.flags)
    shoot = setup.turns.step(Shoot)
    if scene.kind == "ranged" and scene.engaged and shoot is not None:
        flags.append(shoot.engaged)
    reaction = setup.turns.reaction(scene.reaction)
    flags += [reaction.flag] if reaction is not None and reaction.flag else []
    flags += ["charged"] if scene.charged else []
    flags += ["stationary"] if scene.still and "stationary" in setup.attacks.situations else []
    flags += ["target_charged"] if scene.target_charged else []
    if setup.asks_turn:
        flags.append("my_turn" if scene.turn == SIDES[attacker] else "enemy_turn")
    return tuple(dict.fromkeys(flags))


def commands_in_use(setup: Setup, attacker: int, scene: Scene) -> tuple[str, ...]:
    """The commands of both sides that act on this attack; an attack out of turn is made by one of its own."""
    turns = setup.turns
    commands = [scene.reaction] if scene.reaction in setup.attacks.commands else []
    for side, defending in ((attacker, False), (1 - attacker, True)):
        for use in setup.fighters[side][0].commands:
            fits = (
                use.command != REROLL
                and turns.reaction(use.command) is None
                and (defending or not scene.reaction)
                and (use.command in turns.defensive) == defending
                and turns.phase_of.get(use.command, scene.kind) == scene.kind
            )
            if fits and use.when(scene.round, scene.turn, scene.kind):
                commands.append(use.command)
    return tuple(dict.fromkeys(commands))
