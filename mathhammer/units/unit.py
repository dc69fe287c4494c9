"""`Unit`, `Weapon` and `Situation`: what a player puts on the table, the same for every game."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mathhammer.checks import is_whole
from mathhammer.dataclass import dataclass
from mathhammer.dice.notation import Dice
from mathhammer.errors import BadInputError
from mathhammer.units.abilities import Ability
from mathhammer.units.effects import Effect

Stats = tuple[tuple[str, Any], ...]
MOST_MODELS = 1000


def _stat(stats: Stats, name: str, default: Any) -> Any:
    for key, value in stats:
        if key == name:
            return default if value is None else value
    return default


@dataclass(frozen=True, slots=True)
class Weapon:
    """A weapon of a unit: `bearers` models carry it, or every model when None.

    Each of them has so many `copies` of it; with `groups` they are models of these groups.
    """

    name: str
    kind: str
    attacks: Dice
    damage: Dice
    stats: Stats = ()
    abilities: tuple[str, ...] = ()
    bearers: int | None = None
    range: int | None = None
    optional: bool = False
    copies: int = 1
    groups: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """Its name, with how many of it a bearer has where that is more than one.

        >>> from dataclasses import replace
        >>> from mathhammer import load_unit
        >>> guns = load_unit("Forgefiend", "wh40k10").weapons[0]
        >>> guns.label, replace(guns, copies=1).label
        ('2 x Hades autocannon', 'Hades autocannon')
        """
        return self.name if self.copies == 1 else f"{self.copies} x {self.name}"

    @property
    def copies_note(self) -> str:
        """How its copies are told where attacks are multiplied out; nothing where there is one."""
        return "" if self.copies == 1 else f" x {self.copies} copies"

    def stat(self, name: str, default: Any = None) -> Any:
        """A characteristic that this game's weapons have, such as `hit` or `strength`."""
        return _stat(self.stats, name, default)


@dataclass(frozen=True, slots=True)
class ModelGroup:
    """Models of a unit that share a profile, in the order in which they are allocated attacks."""

    name: str
    models: int
    stats: Stats = ()

    def stat(self, name: str, default: Any = None) -> Any:
        """A characteristic of these models."""
        return _stat(self.stats, name, default)


@dataclass(frozen=True, slots=True)
class Stance:
    """How a unit fights, as an expression says it: flags and commands from its own side, weapons, friends.

    `words` are the words of the expression as people read them; tables tell units apart by them.
    """

    flags: frozenset[str] = frozenset()
    commands: tuple[str, ...] = ()
    weapons: str | tuple[str, ...] | None = None
    friends: tuple[Unit, ...] = ()
    buffs: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    used: frozenset[str] = frozenset()  # abilities in use, and switches that are on


PLAIN = Stance()  # of a unit that no expression says anything of


@dataclass(frozen=True, slots=True, repr=False)
class Unit:
    """A unit of any game: model groups, weapons and effects; `lost` wounds are already gone.

    >>> from mathhammer import make_unit
    >>> rats = make_unit("aos4", {"name": "Rats", "models": 10, "health": 2})
    >>> rats.with_lost(3).models_left, rats.with_lost(3).damaged
    (9, True)
    >>> rats
    Unit(Rats, aos4: 10 models, health 20)
    """

    system: str
    name: str
    groups: tuple[ModelGroup, ...]
    wounds: str  # the characteristic that counts a model's wounds: "health" or "wounds"
    stats: Stats = ()
    weapons: tuple[Weapon, ...] = ()
    effects: tuple[Effect, ...] = ()
    keywords: frozenset[str] = frozenset()
    points: int | None = None
    prices: tuple[tuple[int, int], ...] = ()  # (models, points), growing: units of up to so many models
    minimum: int = 1
    lost: int = 0
    led_by: frozenset[str] = frozenset()  # keywords and names of the models that lead it
    bodyguard: frozenset[str] = frozenset()  # names of the groups that its leaders lead
    survivors: Unit | None = None  # what it is once its bodyguard is gone
    not_covered: tuple[str, ...] = ()  # its rules that are not modelled
    abilities: tuple[Ability, ...] = ()  # its named rules; what they do is among the effects
    stance: Stance = PLAIN

    def __hash__(self) -> int:
        """A cheap hash: units that are equal agree in these fields, and others seldom do."""
        return hash(
            (self.system, self.name, self.points, self.lost, len(self.weapons), self.groups[0].models)
        )

    def __repr__(self) -> str:
        return f"Unit({self.name}, {self.system}: {self._size()})"

    def _size(self) -> str:
        models = f"{self.models} {'model' if self.models == 1 else 'models'}"
        lost = f", {self.lost} lost" if self.lost else ""
        points = "" if self.points is None else f", {self.points} points"
        return f"{models}, {self.wounds} {self.health}{lost}{points}"

    def _repr_html_(self) -> str:
        """How a notebook shows it: its size, characteristics and weapons."""
        from mathhammer.dice.card import unit_card  # only where something is shown

        return unit_card(
            f"{self.name} ({self.system})",
            [self._size(), ", ".join(f"{key} {value}" for key, value in self.stats if value)],
            [
                (
                    weapon.label,
                    weapon.kind,
                    self.bearers(weapon),
                    str(weapon.attacks),
                    str(weapon.damage),
                    ", ".join(
                        [*(f"{key} {value}" for key, value in weapon.stats if value), *weapon.abilities]
                    ),
                )
                for weapon in self.weapons
            ],
        )

    def stat(self, name: str, default: Any = None) -> Any:
        """A characteristic of the whole unit."""
        return _stat(self.stats, name, default)

    @property
    def label(self) -> str:
        """Its name with all that makes it another row of a table: size, losses, friends, words.

        >>> from mathhammer import make_unit
        >>> rats = make_unit("aos4", {"name": "Rats", "models": 10, "health": 1})
        >>> rats.label, rats.with_models(20).with_lost(3).label
        ('Rats', '20 Rats: 3 lost')
        """
        if self.stance is PLAIN and not self.lost and self.models == self.minimum:
            return self.name
        size = "" if self.models == self.minimum else f"{self.models} "
        friends = "".join(f" with {friend.name}" for friend in self.stance.friends)
        words = [*([f"{self.lost} lost"] if self.lost else []), *self.stance.words]
        return f"{size}{self.name}{friends}" + (f": {', '.join(words)}" if words else "")

    @property
    def models(self) -> int:
        """How many models the unit has at full strength."""
        return sum(group.models for group in self.groups)

    @property
    def reinforced_size(self) -> int:
        """How many models it has when it is reinforced (AOS4-AC-3.3)."""
        return 2 * self.models

    @property
    def health(self) -> int:
        """All wounds of the unit at full strength."""
        return sum(group.models * int(group.stat(self.wounds)) for group in self.groups)

    @property
    def models_left(self) -> int:
        """How many models are left after the wounds already lost."""
        return sum(models for models, _ in self.left())

    @property
    def damaged(self) -> bool:
        """True when a model that is left has lost wounds."""
        return any(hurt > 0 for _, hurt in self.left())

    def now(self) -> Unit:
        """The unit as rules see it: once the bodyguard of an Attached unit is gone, its leaders are on their
        own.

        >>> import mathhammer as mh
        >>> captain, guards = (mh.load_unit(name, "wh40k10") for name in ("Captain", "Intercessor Squad"))
        >>> squad = mh.attach(captain, guards)
        >>> squad.with_lost(9).now().name, squad.with_lost(10).now().name
        ('Intercessor Squad with Captain', 'Captain')
        """
        if self.survivors is None or not self.lost:
            return self
        guards = [models for group, (models, _) in self._with_left() if group.name in self.bodyguard]
        return self if any(guards) else replace(self.survivors, lost=self.lost)

    def standing(self) -> frozenset[str]:
        """What its losses say of it: damaged, below its starting strength, below half of it (WH40K-HALF).

        >>> from mathhammer import make_unit
        >>> rats = make_unit("aos4", {"name": "Rats", "models": 10, "health": 2})
        >>> sorted(rats.with_lost(13).standing()), sorted(rats.with_lost(1).standing())
        (['below_half', 'below_starting', 'damaged'], ['damaged'])
        """
        if not self.lost:
            return frozenset()
        former = frozenset() if self.survivors is not None else self.bodyguard
        groups = [
            (group, models, hurt) for group, (models, hurt) in self._with_left() if group.name not in former
        ]
        full, left = sum(group.models for group, _, _ in groups), sum(models for _, models, _ in groups)
        hurt = sum(wounds for _, _, wounds in groups)
        if full == 1:
            full = sum(int(group.stat(self.wounds)) for group, _, _ in groups)
            left = full - hurt
        states = {"damaged": hurt > 0, "below_starting": left < full, "below_half": 2 * left < full}
        return frozenset(name for name, holds in states.items() if holds)

    def _with_left(self) -> tuple[tuple[ModelGroup, tuple[int, int]], ...]:
        return tuple(zip(self.groups, self.left(), strict=True))

    def left(self) -> tuple[tuple[int, int], ...]:
        """For each group: models left, and wounds lost by the first of them."""
        if not self.lost:
            return tuple((group.models, 0) for group in self.groups)
        rest = self.lost
        groups = []
        for group in self.groups:
            each = int(group.stat(self.wounds))
            taken = min(rest, each * group.models)
            rest -= taken
            groups.append((group.models - taken // each, taken % each))
        return tuple(groups)

    def bearers(self, weapon: Weapon) -> int:
        """How many models that are left carry the weapon.

        The owner picks (AOS4-18.3): casualties come first from models without a special weapon, then from the
        weapon with the most bearers left.
        """
        models, left = self.models, self.models_left
        if weapon.groups:
            of_group = [
                (group.models, alive)
                for group, (alive, _) in self._with_left()
                if group.name in weapon.groups
            ]
            models, left = sum(full for full, _ in of_group), sum(alive for _, alive in of_group)
        if weapon.bearers is None or weapon.bearers >= models:
            return left
        alike = [
            w
            for w in self.weapons
            if (w.kind, w.optional, w.groups) == (weapon.kind, weapon.optional, weapon.groups)
        ]
        carried = {w.name: w.bearers for w in alike if _partial(w, models)}
        counts = {name: number or 0 for name, number in carried.items()}
        gone = models - left
        while gone and sum(counts.values()) > left:
            most = max(counts, key=lambda name: counts[name])
            counts[most] -= 1
        return min(left, counts.get(weapon.name, weapon.bearers))

    def with_models(self, models: int) -> Unit:
        """The same unit with another number of models: weapons that some carry grow in proportion.

        >>> from mathhammer import make_unit
        >>> make_unit("aos4", {"name": "Rats", "models": 10, "health": 1}).with_models(20).models
        20
        """
        if not is_whole(models, 1, MOST_MODELS):
            raise BadInputError(
                f"{self.name}: {models!r} models (give a whole number from 1 to {MOST_MODELS})"
            )
        models, groups = int(models), list(self.groups)
        largest = max(range(len(groups)), key=lambda place: (groups[place].models, -place))
        rest = self.models - groups[largest].models
        if self.bodyguard or models <= rest:
            raise BadInputError(
                f"{self.name}: has several kinds of models (say how many of each in the datasheet)"
            )
        # of several kinds the largest grows: sergeants and weapon teams stay as they are
        before, grows = groups[largest].models, groups[largest].name
        groups[largest] = replace(groups[largest], models=models - rest)

        def sized(weapon: Weapon) -> Weapon:
            if weapon.bearers is None or (weapon.groups and grows not in weapon.groups):
                return weapon
            share = (models - rest, before) if weapon.groups == (grows,) else (models, self.models)
            return replace(weapon, bearers=max(1, weapon.bearers * share[0] // share[1]))

        weapons = tuple(map(sized, self.weapons))
        return replace(self, groups=tuple(groups), weapons=weapons, points=self.price(models))

    def price(self, models: int) -> int | None:
        """What it costs with so many models: as its datasheet says by size, else in proportion.

        >>> from mathhammer import make_unit
        >>> squad = {"name": "Rats", "models": 5, "health": 1, "points": 70, "prices": {"5": 70, "10": 150}}
        >>> [make_unit("aos4", squad).price(models) for models in (5, 6, 10, 20)]
        [70, 150, 150, 300]
        """
        for size, points in self.prices:
            if models <= size:
                return points
        if self.prices:  # more than there may be: in proportion to the largest
            size, points = self.prices[-1]
            return points * models // size
        return None if self.points is None else self.points * models // self.models

    def with_lost(self, lost: int) -> Unit:
        """The same unit after losing so many wounds in all; some of its models may be gone.

        >>> from mathhammer import make_unit
        >>> make_unit("aos4", {"name": "Rats", "models": 10, "health": 1}).with_lost(4).models_left
        6
        """
        if not is_whole(lost, 0, self.health - 1):
            raise BadInputError(
                f"{self.name}: {lost!r} wounds lost (give 0 to {self.health - 1}: at least one is left)"
            )
        return replace(self, lost=int(lost))


def _partial(weapon: Weapon, models: int) -> bool:
    return weapon.bearers is not None and weapon.bearers < models


@dataclass(frozen=True, slots=True)
class Situation:
    """The circumstances of a fight: flags, distance, battle round, phase, and commands in use."""

    flags: frozenset[str] = frozenset()
    distance: float | None = None
    round: int | None = None
    phase: str | None = None
    commands: tuple[str, ...] = ()
    used: frozenset[str] = frozenset()  # switches that are on, abilities in use among them
