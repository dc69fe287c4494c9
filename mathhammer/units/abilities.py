"""`Ability`: a named rule of a unit, what it is about, and the words of it that no effect says."""

from __future__ import annotations

import re
from typing import Literal

from mathhammer.dataclass import dataclass
from mathhammer.units.conditions import switch

About = Literal["combat", "dice", "none"]
ABOUT = ("combat", "dice", "none")
State = Literal["whole", "part", "unread", "none"]


@dataclass(frozen=True, slots=True)
class Ability:
    """A named rule of a unit; its effects are those of the unit that have its name.

    >>> Ability("Frenzy", effects=1).state, Ability("Frenzy", rest=("on a blue moon",)).state
    ('whole', 'unread')
    """

    name: str
    about: About = "combat"
    rest: tuple[str, ...] = ()  # what matters and no effect says
    effects: int = 0  # how many effects of the unit are its own

    @property
    def state(self) -> State:
        """Whether effects say it whole, in part, not at all, or it does not matter for combat and dice."""
        return reading_state(self.about, self.effects, self.rest)


_STEM = r"[,:(]"


def same_rule(one: str, other: str) -> bool:
    """Whether two names mean one rule of a unit: what stands behind a comma, a colon or in brackets tells its
    parts apart, and a catalogue may put the unit in front.

    >>> same_rule("Damaged", "Damaged: 1-5 wounds remaining"), same_rule("Rage, monsters", "Rage (Aura)")
    (True, True)
    >>> same_rule("Aetheric Song", "Singer Aetheric Song"), same_rule("Rage", "Rageborn")
    (True, False)
    """
    first, second = (switch(re.split(_STEM, name)[0]) for name in (one, other))
    return first == second or second.endswith(f" {first}") or first.endswith(f" {second}")


def reading_state(about: str, effects: int, rest: tuple[str, ...] | list[str]) -> State:
    """How much of a rule its effects say.

    >>> reading_state("none", 0, ()), reading_state("combat", 2, ["and more"])
    ('none', 'part')
    """
    if about == "none":
        return "none"
    if rest or not effects:
        return "part" if effects else "unread"
    return "whole"
