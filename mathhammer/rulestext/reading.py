"""An ability as a catalogue writes it, and what was read from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from mathhammer.dataclass import dataclass
from mathhammer.units.abilities import About, State, reading_state


@dataclass(frozen=True, slots=True)
class RulesText:
    """One ability: its sentences, and what stands beside them on the sheet.

    >>> RulesText("This unit has Ward (2+).", name="Thick Hide").kind
    ''
    """

    text: str
    name: str = ""
    kind: str = ""  # of the catalogue: "Ability (Passive)", "Abilities", "rule"
    timing: str = ""
    declare: str = ""
    keywords: str = ""
    more: Mapping[str, str] = field(default_factory=dict)  # casting and chanting values


@dataclass(frozen=True, slots=True)
class Reading:
    """What an ability is about, its effects as a datasheet has them, and the words that were not understood.

    >>> Reading("combat", ({"ward": 6},), ()).state, Reading("combat", (), ("on a blue moon",)).state
    ('whole', 'unread')
    """

    about: About
    effects: tuple[Mapping[str, Any], ...] = ()
    rest: tuple[str, ...] = ()
    productions: tuple[str, ...] = ()  # ids of what was recognised, in the order of the text

    @property
    def state(self) -> State:
        """Whether it was read whole, in part, not at all, or does not matter in combat or for dice."""
        return reading_state(self.about, len(self.effects), self.rest)
