"""`Result`: what a fight comes to, as distributions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mathhammer.dataclass import dataclass
from mathhammer.dice.pmf import Pmf
from mathhammer.engine.explain import explain
from mathhammer.engine.landing import Landing, land
from mathhammer.engine.plan import Plan
from mathhammer.engine.table import volley_funnel
from mathhammer.errors import BadInputError
from mathhammer.units.circumstances import Conditions, not_counted_text
from mathhammer.views import view

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class GroupResult:
    """What became of one model group of the target."""

    name: str
    p_destroyed: float
    mean_lost: float  # wounds
    mean_slain: float  # models


@dataclass(frozen=True, repr=False, eq=False)
class Result:
    """Distributions of what the target lost, the funnel that led there, and how it was worked out.

    >>> import mathhammer as mh
    >>> rats = mh.make_unit("aos4", {"name": "Rats", "models": 10, "health": 1, "save": 6})
    >>> club = {"name": "Club", "attacks": 2, "hit": 4, "wound": 4, "damage": 1}
    >>> orc = mh.make_unit("aos4", {"name": "Orc", "models": 3, "health": 2, "weapon": [club]})
    >>> result = mh.fight(orc, rats)
    >>> round(result.slain.mean(), 4), round(result.slain.at_least(1), 4), result.p_destroyed
    (1.25, 0.7538, 0.0)
    """

    attacker: str
    target: str
    plan: Plan = field(repr=False)
    end: Array = field(repr=False)  # the chance of every state of the target
    method: str = "exact"
    trials: int | None = None
    seed: int | None = None
    pool: Callable[[], Pmf] | None = field(default=None, repr=False)
    after: Callable[[Pmf], Mapping[str, Pmf]] | None = field(default=None, repr=False)
    samples: Mapping[str, NDArray[np.int64]] | None = field(default=None, repr=False)
    edition: str = ""  # the game and edition whose rules were used
    # where rules roll dice of their own: the plan of each way in which they may come up, with its chance
    branches: tuple[tuple[float, Plan], ...] = field(default=(), repr=False)
    # wounds that the attack costs the attacker, and models; None: it costs nothing
    own_lost: Pmf | None = field(default=None, repr=False)
    own_slain: Pmf | None = field(default=None, repr=False)
    told: Callable[[], Conditions] | None = field(default=None, repr=False)
    untold: Callable[[], tuple[str, ...]] | None = field(default=None, repr=False)
    readings: Callable[[], tuple[str, ...]] | None = field(default=None, repr=False)
    acting: Callable[[], tuple[str, ...]] | None = field(default=None, repr=False)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Result):
            return NotImplemented
        return self._question() == other._question() and np.array_equal(self.end, other.end)

    def __hash__(self) -> int:
        return hash((self.attacker, self.target, self.method, self.trials, self.seed))

    def _question(self) -> tuple[object, ...]:
        """What was asked: with the chances of the target's states, all that a result comes from."""
        asked = (self.attacker, self.target, self.plan, self.branches, self.edition)
        return (*asked, self.method, self.trials, self.seed)

    @cached_property
    def conditions(self) -> Conditions:
        """Under which it holds: game, method, models, weapons, situation, commands, friends, buffs, options.

        >>> import mathhammer as mh
        >>> print(mh.fight("10 Liberators", "Clanrats", situation="target in cover").conditions)
        Age of Sigmar 4 · exact · 10 models, melee · target in cover
        """
        if self.trials is None:
            method = self.method
        else:
            method = f"simulated, {self.trials:,} trials, seed {self.seed}"
        return replace(Conditions(self.edition) if self.told is None else self.told(), method=method)

    @cached_property
    def not_counted(self) -> tuple[str, ...]:
        """Rules of both units that are noted in their datasheets and are not in these numbers."""
        return () if self.untold is None else self.untold()

    @cached_property
    def rules(self) -> tuple[str, ...]:
        """Abilities and other named rules of both sides that act on this attack, with what they change.

        >>> import mathhammer as mh
        >>> mh.fight("Clawlord on Gnaw-beast", "Clanrats").rules
        ()
        >>> mh.fight("Clawlord on Gnaw-beast: 1 lost", "Clanrats").rules
        ('Cornered Rat: attacks',)
        """
        return () if self.acting is None else self.acting()

    @cached_property
    def options(self) -> tuple[str, ...]:
        """Options of unclear rules that these numbers depend on, with their value and rule.

        >>> import mathhammer as mh
        >>> mh.fight("Intercessor Squad: ranged", "Boyz: in cover, +1 to save").options
        ('save_cap net (WH40K-SAVECAP)',)
        """
        return () if self.readings is None else self.readings()

    @property
    def weapons(self) -> str:
        """What was used: melee, ranged, or names of weapons."""
        return self.conditions.weapons

    @cached_property
    def _landing(self) -> Landing:
        return land(self.plan.target)

    def _pmf(self, values: NDArray[np.int64]) -> Pmf:
        counted: Array = np.bincount(values, weights=self.end)  # type: ignore[assignment]
        return Pmf(counted, self.trials)

    @cached_property
    def lost(self) -> Pmf:
        """Wounds that the target lost in this fight; overkill is not counted."""
        return self._pmf(self._landing.lost)

    @cached_property
    def slain(self) -> Pmf:
        """Models that were slain in this fight."""
        return self._pmf(self._landing.slain)

    @cached_property
    def damage(self) -> Pmf:
        """The damage pool after wards, overkill included; only where damage pools."""
        if self.pool is None:
            raise BadInputError("damage: this game has no damage pool (ask for lost instead)")
        return self.pool()

    @cached_property
    def aftermath(self) -> Mapping[str, Pmf]:
        """What the models slain lead to after the fight, such as models that flee; empty
        where nothing does.
        """
        return MappingProxyType({} if self.after is None else dict(self.after(self.slain)))

    @property
    def p_destroyed(self) -> float:
        """The chance that nothing of the target is left."""
        return float(self.end[~self._landing.alive].sum())

    @property
    def p_character_slain(self) -> float:
        """The chance that no Character of the target is left; an error where it has none.

        >>> import mathhammer as mh
        >>> captain, guards = (mh.load_unit(name, "wh40k10") for name in ("Captain", "Intercessor Squad"))
        >>> squad = mh.attach(captain, guards)
        >>> mh.fight(squad, squad, weapons="melee").p_character_slain < 0.01
        True
        """
        characters = self.plan.target.characters
        if not characters:
            raise BadInputError(f"p_character_slain: {self.target} has no Character (ask for p_destroyed)")
        return float(self.end[self._landing.gone[list(characters)].all(axis=0)].sum())

    @property
    def p_left_damaged(self) -> float:
        """The chance that the target survives with a wounded model."""
        landing = self._landing
        group, left = landing.group, landing.left
        wounds = np.array([g.wounds for g in self.plan.target.groups] + [0])
        hurt = ((group >= 0) & (left < wounds[group])).any(axis=0)
        for index, models in enumerate(self.plan.target.groups):
            if models.hurt:  # a wounded model that still waits behind others
                hurt |= ~landing.gone[index] & (group != index).all(axis=0)
        return float(self.end[landing.alive & hurt].sum())

    @cached_property
    def groups(self) -> Mapping[str, GroupResult]:
        """For each model group of the target: the chance that all of it is gone, and its mean losses.

        >>> import mathhammer as mh
        >>> captain, guards = (mh.load_unit(name, "wh40k10") for name in ("Captain", "Intercessor Squad"))
        >>> groups = mh.fight(guards, mh.attach(captain, guards), weapons="melee").groups
        >>> round(groups["Intercessor Squad"].mean_slain, 3), round(groups["Captain"].mean_slain, 3)
        (0.589, 0.0)
        """
        landing = self._landing
        return MappingProxyType(
            {
                g.name: GroupResult(
                    g.name,
                    float(self.end[landing.gone[i]].sum()),
                    float(self.end @ landing.lost_of[i]),
                    float(self.end @ landing.slain_of[i]),
                )
                for i, g in enumerate(self.plan.target.groups)
            }
        )

    @property
    def skipped(self) -> Mapping[str, str]:
        """Weapons that may not attack here, with the reason."""
        return MappingProxyType(dict(self.plan.skipped))

    @property
    def choices(self) -> Mapping[str, str]:
        """Abilities that were chosen for a weapon which has several to choose from."""
        return MappingProxyType(dict(self.plan.choices))

    @cached_property
    def funnel(self) -> Mapping[str, float]:
        """Mean attacks, hits, criticals, wounds, unsaved and damage; it ignores that targets run out."""
        total: dict[str, float] = {}
        for share, plan in self.branches or ((1.0, self.plan),):
            for volley in plan.volleys:
                for label, value in volley_funnel(volley).items():
                    total[label] = total.get(label, 0.0) + share * value
        return MappingProxyType(total)

    def to_frame(self) -> DataFrame:
        """A pandas frame of its distributions: of (slain, lost, damage), value, chance, at_least, at_most.

        >>> import mathhammer as mh
        >>> table = mh.fight("Liberators", "Clanrats", system="aos4").to_frame()
        >>> round(float(table.query("of == 'slain' and value == 6")["at_least"].iloc[0]), 3)
        0.603
        """
        frame: DataFrame = view("result_frame", self)
        return frame

    def plot(self, **options: Any) -> Axes:
        """A chart; `options` as for `plot_pmf`: `kind` ("pmf", "at_least", "at_most"), `of`, `ax` and so on.

        >>> import mathhammer as mh
        >>> mh.fight("Liberators", "Clanrats", system="aos4").plot(kind="at_least").get_xlabel()
        'models slain'
        """
        axes: Axes = view("result_plot", self, **options)
        return axes

    def __repr__(self) -> str:
        source = "exact" if self.trials is None else f"{self.trials} trials"
        return (
            f"Result({self.attacker} against {self.target}: {self.slain.mean():.4g} slain, "
            f"{self.lost.mean():.4g} wounds lost, destroyed {self.p_destroyed:.1%}, {source})"
        )

    def explain(self) -> str:
        """A readable account of how each number came about, with the rules it rests on."""
        return explain(self)

    def _repr_html_(self) -> str:
        """How a notebook shows it: models slain, wounds lost, the chance to destroy."""
        from mathhammer.dice.card import result_card  # only where something is shown

        cards = [self.slain.card("models slain"), self.lost.card("wounds lost")]
        cards += [] if self.pool is None else [self.damage.card("damage, overkill included")]
        missing = [line] if (line := not_counted_text(self.not_counted)) else []
        skipped = [f"{weapon} does not attack: {reason}" for weapon, reason in self.skipped.items()]
        return result_card(
            f"{self.attacker} against {self.target}",
            cards,
            [f"Target destroyed: {self.p_destroyed:.2%}", *skipped, str(self.conditions), *missing],
        )
