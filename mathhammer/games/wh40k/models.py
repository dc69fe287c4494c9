"""Models of 40k that are attacked: what each edition reads of them in the same way."""

from __future__ import annotations

from collections.abc import Iterable

from mathhammer.dataclass import dataclass
from mathhammer.engine.chain import Reroll
from mathhammer.games.game import Fight
from mathhammer.games.gathering import defence_changes, effects_in_play, facts_of
from mathhammer.units.conditions import switch
from mathhammer.units.effects import Active, Change
from mathhammer.units.unit import ModelGroup, Unit

REROLLS: dict[str, Reroll] = {
    "ones": "ones",
    "failed": "fails",
    "any": "fails",
    "non_crit": "non_crit",
    "noncrit": "non_crit",
}


def attack_view(unit: Unit) -> tuple[object, ...]:
    """All of a target that decides whether and how attacks hit and wound it."""
    seen = ("toughness", "stealth", "lone_operative", "unmodified_wound_fails_up_to")
    return (*(unit.stat(name) for name in seen), unit.keywords, unit.effects)


def guard_view(unit: Unit) -> tuple[object, ...]:
    """All of a target that decides what a wound does to one of its models."""
    return tuple(pair for pair in unit.groups[0].stats if pair[0] != "wounds"), unit.keywords, unit.effects


def uses_of(fight: Fight) -> int:
    """How many limited uses the target has left: one Command Re-roll, or attacks whose damage becomes 0."""
    if {"command_reroll_save", "command_reroll_damage"} & set(fight.situation.commands):
        return 1
    printed = int(fight.target.stat("damage_zero_uses", 0))
    if not fight.weapons or not any(effect.change("damage_zero_uses") for effect in effects_in_play(fight)):
        return printed
    guards = defence_changes(fight, facts_of(fight, fight.weapons[0]), fight.weapons[0])
    return printed + sum(int(change.value) for change in guards if change.key == "damage_zero_uses")


def has_rule(unit: Unit, rule: str, guards: Iterable[Active]) -> bool:
    """Whether a unit has a rule such as Stealth: printed, or gained and not lost."""
    words = {
        key: {switch(word) for change in guards if change.key == key for word in change.value}
        for key in ("gain_unit", "lose_unit")
    }
    name = switch(rule)
    return (bool(unit.stat(rule)) or name in words["gain_unit"]) and name not in words["lose_unit"]


@dataclass(frozen=True, slots=True)
class Models:
    """Models of one group, and all that acts on their defence."""

    group: ModelGroup
    all_changes: tuple[Active, ...]

    @property
    def changes(self) -> list[Active]:
        """What acts on these models: everything that is not for another group."""
        return [change for change in self.all_changes if change.group in (None, self.group.name)]

    def best(self, key: str, *others: int | None) -> int | None:
        """The best x+ value of a kind, which is the lowest (WH40K-BESTWORST): printed, given by an effect, or
        one of the others.
        """
        values = [
            self.group.stat(key),
            *(change.value for change in self.changes if change.key == key),
            *others,
        ]
        return min((value for value in values if value), default=None)

    def damage_moves(self) -> list[Change]:
        """What these models make of the Damage of an attack: set, halved (WH40K-HALVE) and reduced
        (WH40K-DMGRED); WH40K11-05.04-MODIFY.
        """
        given = [self.group.stat("damage_set"), *(c.value for c in self.changes if c.key == "damage_set")]
        moves = [Change("damage", "set", int(value)) for value in given if value is not None]
        if self.group.stat("halve_damage") or any(change.key == "halve_damage" for change in self.changes):
            moves.append(Change("damage", "div", 2))
        reductions = [
            int(self.group.stat("damage_reduction", 0)),
            *(c.value for c in self.changes if c.key == "damage_reduction"),
        ]
        return moves + [Change("damage", "add", -value) for value in reductions if value]

    def fnp(self, *, mortal: bool, psychic: bool) -> float:
        """WH40K-FNP, WH40K11-24.12: the best Feel No Pain that applies, as the chance to ignore one wound."""
        if any(change.key == "no_ward" for change in self.changes):
            return 0.0
        against_mortal = self.best("fnp_mortal") if mortal else None
        against_psychic = self.best("fnp_psychic") if psychic else None  # WH40K-PSYCHIC, WH40K11-22.03
        best = self.best("fnp", against_mortal, against_psychic)
        return 0.0 if best is None else (7 - best) / 6
