"""How much of the rules text of units is understood: abilities whole, in part, not at all, by faction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any

from mathhammer.dataclass import dataclass
from mathhammer.units.unit import Unit

Key = tuple[str, str]  # of an ability: its name, and its text (else what was read of it)


@dataclass(frozen=True, slots=True)
class Share:
    """How many abilities about combat were read whole, in part, and not at all; others are beside combat.

    >>> str(Share(3, 1, 0, 5))
    '3 of 4 whole, 1 in part, 0 not read'
    """

    whole: int = 0
    part: int = 0
    unread: int = 0
    beside: int = 0

    @property
    def all(self) -> int:
        """All abilities about combat."""
        return self.whole + self.part + self.unread

    @property
    def share(self) -> float:
        """The share that was read whole; 1 where there is none."""
        return self.whole / self.all if self.all else 1.0

    def __str__(self) -> str:
        return f"{self.whole} of {self.all} whole, {self.part} in part, {self.unread} not read"

    def to_dict(self) -> dict[str, Any]:
        """The numbers for programs.

        >>> Share(1, 0, 1, 2).to_dict()["share"]
        0.5
        """
        return {
            "combat": self.all,
            "whole": self.whole,
            "part": self.part,
            "unread": self.unread,
            "beside_combat": self.beside,
            "share": self.share,
        }


@dataclass(slots=True)
class Understood:
    """The abilities of many units, each once: by faction, or by whatever they are sorted by.

    >>> from mathhammer import make_unit
    >>> song = {"name": "Song", "rest": ["loud"]}
    >>> rats = make_unit("aos4", {"name": "Rats", "health": 1, "ability": [song]})
    >>> found = Understood()
    >>> found.add("Skaven", rats)
    >>> str(found.total), found.unread.most_common()
    ('0 of 1 whole, 0 in part, 1 not read', [('loud', 1)])
    """

    groups: dict[str, dict[Key, str]] = field(default_factory=dict)
    units: Counter[str] = field(default_factory=Counter)
    rests: dict[Key, tuple[str, ...]] = field(default_factory=dict)

    def add(self, group: str, unit: Unit, texts: Mapping[str, str] | None = None) -> None:
        """Takes the abilities of a unit in; `texts` tells abilities of one name apart."""
        self.units[group] += 1
        states = self.groups.setdefault(group, {})
        for ability in unit.abilities:
            key = (ability.name, (texts or {}).get(ability.name, repr((ability.rest, ability.effects))))
            states[key] = ability.state if ability.about == "combat" else "beside"
            if ability.about == "combat" and ability.rest:
                self.rests[key] = ability.rest

    def share(self, group: str) -> Share:
        """Those of one faction."""
        return _share(self.groups.get(group, {}).values())

    @property
    def total(self) -> Share:
        """All of them, one that several factions have counted once."""
        every: dict[Key, str] = {}
        for states in self.groups.values():
            every |= states
        return _share(every.values())

    @property
    def unread(self) -> Counter[str]:
        """The words that were not understood, and in how many abilities they stand."""
        return Counter(words for rest in self.rests.values() for words in dict.fromkeys(rest))


def _share(states: Iterable[str]) -> Share:
    found = Counter(states)
    return Share(found["whole"], found["part"], found["unread"], found["beside"])


def texts_of(fields: Mapping[str, Any]) -> dict[str, str]:
    """The texts of a unit's abilities by name.

    >>> texts_of({"ability": [{"name": "Song", "text": "It sings."}]})
    {'Song': 'It sings.'}
    """
    return {
        str(one["name"]): str(one.get("text", "")) for one in fields.get("ability", ()) if one.get("text")
    }
