"""Situations and commands as people write them: case, spaces, hyphens and underscores do not matter."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from mathhammer.errors import BadInputError, UnknownNameError
from mathhammer.games.game import Attacks
from mathhammer.units.conditions import from_the_other_side
from mathhammer.units.unit import PLAIN, Unit

OTHER_SIDE = "target_"  # begins a flag that is about the unit on the other side


@lru_cache(maxsize=4096)
def squeezed(text: str) -> str:
    """What two spellings of one word share.

    >>> squeezed("All-out Attack") == squeezed("all_out_attack")
    True
    """
    return re.sub(r"[\s_\-'’]+", "", text.lower())


def _meant(word: str, known: Iterable[str]) -> str | None:
    return next((name for name in known if squeezed(name) == squeezed(word)), None)


def flag_named(attacks: Attacks, word: str, where: str = "fight") -> str:
    """The situation that a word means; `half_range:Meltagun` is for one weapon.

    >>> from mathhammer.games.discovery import attacks_of
    >>> flag_named(attacks_of("aos4"), "Target in cover")
    'target_in_cover'
    """
    name, colon, only = word.partition(":")
    if name in attacks.situations:
        return word
    found = _meant(name, attacks.situations)
    if found is None:
        if command := _meant(name, attacks.commands):
            raise BadInputError(
                f"{where}: {word!r} is a command, not a situation (give it as a command: {command})"
            )
        raise UnknownNameError(where, "situation", word, attacks.situations)
    return f"{found}{colon}{only.strip()}"


def command_named(attacks: Attacks, word: str, where: str = "fight") -> str:
    """The command that a word means.

    >>> from mathhammer.games.discovery import attacks_of
    >>> command_named(attacks_of("aos4"), "All-out Attack")
    'all_out_attack'
    >>> command_named(attacks_of("wh40k10"), "Command Re-roll (hit)")
    'command_reroll_hit'
    """
    known = commands_of(attacks, reactions=where == "duel")
    found = word if word in known else command_meant(attacks, word, known)
    if found is None:
        raise UnknownNameError(where, "command", word, known)
    return found


def command_meant(attacks: Attacks, word: str, known: Iterable[str]) -> str | None:
    """The one of these commands that a word means, by its key or as its game calls it; None where it means
    none.

    >>> from mathhammer.games.discovery import attacks_of
    >>> command_meant(attacks_of("wh40k10"), "go to ground", ["go_to_ground"])
    'go_to_ground'
    """
    keys = list(known)
    called = (key for key in keys if squeezed(attacks.called.get(key, key)) == squeezed(word))
    return _meant(word, keys) or next(called, None)


def commands_of(attacks: Attacks, *, reactions: bool) -> dict[str, str]:
    """The commands of a game with what they do; those that are steps of a duel only where they are asked for.

    >>> from mathhammer.games.discovery import attacks_of
    >>> [len(commands_of(attacks_of("aos4"), reactions=also)) for also in (False, True)]
    [3, 7]
    """
    known = dict(attacks.commands)
    if reactions and attacks.turns is not None:
        known |= {one.command: one.rule for one in attacks.turns.reactions if one.command not in known}
    return known


def own_flag(attacks: Attacks, word: str) -> str | None:
    """The flag that a word about a unit means, seen from that unit; None where it means none.

    >>> from mathhammer.games.discovery import attacks_of
    >>> [own_flag(attacks_of("aos4"), word) for word in ("charged", "in cover", "target in cover", "fnord")]
    ['charged', 'in_cover', 'target_in_cover', None]
    """
    own = {*attacks.situations, *(flag.removeprefix(OTHER_SIDE) for flag in attacks.situations)}
    return _meant(word, sorted(own))


def defensive(attacks: Attacks) -> frozenset[str]:
    """The commands of the unit that is attacked."""
    return frozenset() if attacks.turns is None else attacks.turns.defensive


def stance_flags(attacks: Attacks, attacker: Unit, target: Unit) -> tuple[str, ...]:
    """The situations that the expressions of both units bring, as the attacker sees them."""
    if attacker.stance is PLAIN and target.stance is PLAIN:
        return ()
    theirs = map(from_the_other_side, sorted(target.stance.flags))
    return tuple(flag for flag in (*sorted(attacker.stance.flags), *theirs) if flag in attacks.situations)


def stance_commands(attacks: Attacks, attacker: Unit, target: Unit) -> tuple[str, ...]:
    """The commands that the expressions of both units bring: each side's own."""
    if attacker.stance is PLAIN and target.stance is PLAIN:
        return ()
    guarding = defensive(attacks)
    return (
        *(command for command in attacker.stance.commands if command not in guarding),
        *(command for command in target.stance.commands if command in guarding),
    )
