"""Weapon abilities: how a game registers them, and the draft of an attack that they edit."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from mathhammer.engine.chain import Chain
from mathhammer.errors import UnknownNameError
from mathhammer.units.effects import Change, Facts


@dataclass(frozen=True, slots=True)
class Draft:
    """An attack while it is being built: the chain, and the changes of characteristics
    still to be applied.
    """

    chain: Chain
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class Ability:
    """A weapon ability: its spelling, the rule it cites, and the edit it makes."""

    name: str
    rule: str
    pattern: re.Pattern[str]
    edit: Callable[[Draft, Facts, str], Draft]
    crit: bool = False  # triggered by a critical hit, where only one such ability may be chosen
    doc: str = ""


@dataclass(slots=True)
class Abilities:
    """The weapon abilities of a game; `@abilities.add(...)` registers one function."""

    known: list[Ability] = field(default_factory=list)

    def add(
        self, name: str, *, rule: str, pattern: str | None = None, crit: bool = False
    ) -> Callable[..., Any]:
        """Registers the decorated edit under a name; `pattern` is for names with a number
        or keyword inside.
        """

        def register(edit: Callable[[Draft, Facts, str], Draft]) -> Callable[[Draft, Facts, str], Draft]:
            spelled = re.compile(pattern or re.escape(name), re.IGNORECASE)
            self.known.append(Ability(name, rule, spelled, edit, crit, (edit.__doc__ or "").strip()))
            return edit

        return register

    def find(self, text: str) -> tuple[Ability, str]:
        """The ability of that spelling, and what stands in its brackets or behind it (a
        keyword, a number).
        """
        squeezed = " ".join(text.split())
        for ability in self.known:
            if found := ability.pattern.fullmatch(squeezed):
                return ability, next((part for part in found.groups() if part), "")
        raise UnknownNameError("weapon", "ability", text, [ability.name for ability in self.known])
