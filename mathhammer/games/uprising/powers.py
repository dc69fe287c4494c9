"""What bolts can be fed into: the god powers of cards and druids, as data (UP-THR-3)."""

from __future__ import annotations

from typing import Any

from mathhammer.dataclass import dataclass
from mathhammer.games.fields import Fields

# What a bolt becomes: skulls or shields of this round; `destroy` takes pieces of the enemy whatever its
# shields are, `grow` adds threat before damage, `raze` takes defences, `curse` curses the hex and `leave`
# ends the combat after damage, `vp` is points for its own faction. `none` does nothing to the dice.
EFFECTS = ("skulls", "shields", "destroy", "grow", "raze", "curse", "leave", "vp", "none")
LIMITS = ("round", "combat", "none")
PLAIN = {"none": 0, "curse": 0, "leave": 0, "destroy": 0}  # the usual n where it is not 1
WORDS = {
    "none": "nothing that concerns the dice",
    "skeleton": "a skeleton placed after damage (UP-SKE-2)",
    "curse": "the hex is cursed after damage (UP-TER-7, UP-NEM-3)",
    "leave": "it leaves the combat after damage",
}


@dataclass(frozen=True, slots=True)
class Power:
    """What a bolt can be fed into, how much of it, and how often.

    `units` and `threat` are what `destroy` takes: the most expensive units, or so much threat of a card.

    >>> str(Power("skulls", 2, "round"))
    '2 skulls'
    """

    effect: str
    n: int = 0
    limit: str = "round"
    units: int = 0
    threat: int = 0

    def __str__(self) -> str:
        if self.effect == "destroy":
            parts = ["the most expensive unit"] if self.units else []
            return " or ".join([*parts, f"{self.threat} threat"]) + " destroyed"
        if self.effect == "grow":
            return f"+{self.n} threat before damage"
        if self.effect == "raze":
            return f"{self.n} wall, tower, haven or threat removed"
        if self.effect == "vp":
            return f"{self.n} points for its faction"
        return WORDS.get(self.effect, f"{self.n} {self.effect}")

    @property
    def often(self) -> str:
        """How often it may be used, in words."""
        return "no limit" if self.limit == "none" else f"once per {self.limit}"


def read_power(where: str, mapping: Any) -> Power:
    """A god power as data (UP-THR-3).

    >>> read_power("battle: b", {"effect": "destroy", "units": 1, "threat": 2})
    Power(effect='destroy', n=0, limit='round', units=1, threat=2)
    """
    fields = Fields(f"{where}: god power", mapping, "effect, n, limit, units and threat")
    effect = fields.choice("effect", EFFECTS)
    power = Power(
        effect,
        fields.whole("n", PLAIN.get(effect, 1), high=20),
        fields.choice("limit", LIMITS, "round"),
        fields.whole("units", 0, high=1),
        fields.whole("threat", 0, high=20),
    )
    fields.reject_unknown()
    return power
