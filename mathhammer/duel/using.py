"""Abilities in a duel that somebody has to use: when each is in use, and how often it may be."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from mathhammer.duel.commands import Use
from mathhammer.errors import BadInputError
from mathhammer.units.conditions import switch
from mathhammer.units.effects import Effect

KINDS = ("ranged", "melee")
_TIMED = re.compile(r"([^@]{1,120}?)(?:@(\d{1,3})?([ab])?(?:-(melee|ranged))?)?")
_LIMIT = re.compile(r"choice (once|twice) per (battle|round|turn|phase)")


def read_use(side: str, text: str, effects: Iterable[Effect]) -> Use:
    """An ability in use from its text, under the name that its unit gives it: `Dark Pact`, `Dark Pact@1a`.

    >>> rite = Effect("Dark Rite", (("hit_roll", 1),), use="choice")
    >>> str(read_use("a", "dark-rite@2b-melee", [rite]))
    'Dark Rite@2b-melee'
    """
    match = _TIMED.fullmatch(text.strip())
    if match is None:
        raise BadInputError(
            f"duel: {side}: cannot read {text!r:.60} (write an ability, or with its time: Dark Pact@1a-melee)"
        )
    name = next((one.name for one in effects if switch(one.name) == switch(match[1])), switch(match[1]))
    return Use(name, int(match[2]) if match[2] else None, match[3], match[4])


def limit_of(name: str, effects: Iterable[Effect]) -> tuple[int, str]:
    """How often an ability may be used, and in what time; 0 where nothing limits it.

    >>> limit_of("Rite", [Effect("Rite", (), use="choice once per battle")])
    (1, 'battle')
    """
    for effect in effects:
        if switch(effect.name) == switch(name) and (match := _LIMIT.fullmatch(effect.use)):
            return (1 if match[1] == "once" else 2), match[2]
    return 0, ""


def kinds_of(name: str, effects: Iterable[Effect]) -> tuple[str, ...]:
    """The kinds of attack that an ability may act on."""
    found: set[str] = set()
    for effect in effects:
        if switch(effect.name) == switch(name):
            said = {str(one.value) for one in effect.when if one.value in KINDS and not one.negated}
            found |= said or set(KINDS)
    return tuple(kind for kind in KINDS if kind in found) or KINDS


def free_places(use: Use, effects: Iterable[Effect]) -> tuple[bool, bool, bool]:
    """What has to be chosen for a use whose number is limited: a round, a turn, a kind of attack."""
    effects = list(effects)
    per = limit_of(use.command, effects)[1]
    kind = use.kind is None and len(kinds_of(use.command, effects)) > 1
    return (
        per == "battle" and use.round is None,
        per in ("battle", "round") and use.turn is None,
        per in ("battle", "round", "turn") and kind,
    )


def usable(effects: Iterable[Effect], used: Iterable[Use]) -> Iterator[str]:
    """The abilities with a limit for the battle that are not in use yet."""
    taken = {switch(use.command) for use in used}
    names = dict.fromkeys(one.name for one in effects if one.use.endswith("per battle"))
    yield from (name for name in names if switch(name) not in taken)
