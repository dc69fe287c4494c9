"""`Conditions`: under which an answer holds, in one line that every table, file and picture carries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from mathhammer.dataclass import dataclass

BOTH = "the better of melee and ranged"
APART = "melee and ranged apart"
SMALLEST = "smallest sizes unless named"
LISTED = "sizes as in the list"


@dataclass(frozen=True, slots=True)
class Conditions:
    """Game, method, the attacker's size, weapons and circumstances, the target's, and switched options.

    >>> print(Conditions("Age of Sigmar 4", "exact", 10, "melee", ("charged",), ("in cover",)))
    Age of Sigmar 4 · exact · 10 models, melee, charged · target in cover
    """

    game: str
    method: str = "exact"
    models: int | None = None  # None: of several sizes
    weapons: str = ""
    attacker: tuple[str, ...] = ()
    target: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    situation: tuple[str, ...] = ()  # the flags and commands of both sides, as `fight` takes them
    commands: tuple[str, ...] = ()

    def __str__(self) -> str:
        size = "" if self.models is None else f"{self.models} {'model' if self.models == 1 else 'models'}"
        parts = [
            self.game,
            self.method,
            ", ".join(word for word in (size, self.weapons, *self.attacker) if word),
            f"target {', '.join(self.target)}" if self.target else "",
            ", ".join(self.options),
        ]
        return " · ".join(part for part in parts if part)

    def to_dict(self) -> dict[str, Any]:
        """The parts by name, for programs.

        >>> Conditions("Age of Sigmar 4", models=5).to_dict()["models"]
        5
        """
        return {
            "text": str(self),
            "game": self.game,
            "method": self.method,
            "models": self.models,
            "weapons": self.weapons,
            "attacker": list(self.attacker),
            "target": list(self.target),
            "options": list(self.options),
            "situation": list(self.situation),
            "commands": list(self.commands),
        }


def shared(conditions: Sequence[Conditions], *, apart: bool = False, sizes_are: str = SMALLEST) -> Conditions:
    """What holds for every row of a table; what differs is in the rows. With `apart` each kind of attack has
    rows of its own; `sizes_are` says where sizes that differ come from.

    >>> both = [Conditions("Some game", "exact", 5, kind, ("charged",)) for kind in ("melee", "ranged")]
    >>> print(shared(both))
    Some game · exact · 5 models, the better of melee and ranged, charged
    >>> print(shared([Conditions(game, "exact", 5, "melee") for game in ("One game", "Other game")]))
    One game, Other game · exact · 5 models, melee
    """
    first = conditions[0]
    kinds = {one.weapons for one in conditions}
    sizes = {one.models for one in conditions}
    return Conditions(
        ", ".join(dict.fromkeys(one.game for one in conditions)),
        ", ".join(dict.fromkeys(one.method for one in conditions)),
        first.models if len(sizes) == 1 else None,
        first.weapons if len(kinds) == 1 else _kinds(kinds, apart),
        (*((sizes_are,) if len(sizes) > 1 else ()), *_in_all(one.attacker for one in conditions)),
        _in_all(one.target for one in conditions),
        _in_all(one.options for one in conditions),
        _in_all(one.situation for one in conditions),
        _in_all(one.commands for one in conditions),
    )


def _kinds(used: set[str], apart: bool) -> str:
    return (APART if apart else BOTH) if used <= {"melee", "ranged", ""} else ""


def _in_all(parts: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    first, *others = parts
    return tuple(part for part in first if all(part in other for other in others))


def not_counted_text(rules: Sequence[str], most: int = 6) -> str:
    """The rules that an answer leaves out, as one remark; empty where there is none.

    >>> not_counted_text(["Rats: Swarm (models return)"]), not_counted_text([])
    ('not counted: Rats: Swarm (models return)', '')
    """
    if not rules:
        return ""
    more = f" and {len(rules) - most} more" if len(rules) > most else ""
    return f"not counted: {'; '.join(rules[:most])}{more}"
