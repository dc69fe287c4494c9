"""Weapon abilities: how a game states one as a whole, and the draft of an attack that they edit."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import field, replace
from typing import Any

from mathhammer.dataclass import dataclass
from mathhammer.dice.notation import Dice, parse_dice
from mathhammer.engine.chain import Chain, Fan, Modifier
from mathhammer.errors import BadInputError, UnknownNameError
from mathhammer.units.conditions import Facts, switch
from mathhammer.units.effects import Active, Change
from mathhammer.units.unit import Weapon


@dataclass(frozen=True, slots=True)
class Draft:
    """An attack while it is being built: the chain, and changes of characteristics still to be applied."""

    chain: Chain
    changes: tuple[Change, ...] = ()
    dice: tuple[tuple[str, Dice], ...] = ()  # random bonuses: characteristic and what is rolled

    def edit(self, roll: str, **fields: Any) -> Draft:
        """The draft with fields of one roll edited."""
        return replace(self, chain=self.chain.edit(roll, **fields))

    def with_fan(self, lane: str, fan: Fan) -> Draft:
        """The draft with a lane that turns one token into a rolled number of them."""
        return replace(self, chain=self.chain.with_fan(lane, fan))

    def modify(self, roll: str, value: int, source: str) -> Draft:
        """The draft with a modifier of a roll."""
        return self.edit(roll, modifiers=(Modifier(value, source),))

    def add(self, stat: str, number: int | Dice, source: str) -> Draft:
        """The draft with more of a characteristic, fixed or rolled."""
        if isinstance(number, Dice) and not number.fixed:
            return replace(self, dice=(*self.dice, (stat, number)))
        plus = number.plus if isinstance(number, Dice) else number
        return replace(self, changes=(*self.changes, Change(stat, "add", plus, source))) if plus else self

    def rolled(self, stat: str) -> Dice | None:
        """What is rolled on top of a characteristic."""
        bonuses = [dice for name, dice in self.dice if name == stat]
        if len(bonuses) > 1:
            raise ValueError(f"two rolled bonuses of {stat} (only one is covered)")
        return bonuses[0] if bonuses else None


Edit = Callable[[Draft, Facts, "WeaponAbility"], Draft]


@dataclass(frozen=True, slots=True, eq=False)
class Ability:
    """A weapon ability with its whole rule: what it edits, and what it says elsewhere.

    Every hook gets facts with just what `reads` names; reading anything else is an error.
    """

    name: str
    rule: str
    pattern: re.Pattern[str]
    doc: str = ""
    reads: tuple[str, ...] = ()
    edit: Edit | None = None
    critical: bool = False  # triggered by a critical hit, where only one such ability may be chosen
    may_attack: Callable[[Facts], str] | None = None  # a reason against attacking; empty: none
    allows: frozenset[str] = frozenset()  # situations that silence weapons without it
    cover: Callable[[Facts], bool | None] | None = None  # True: gives cover, False: takes it away
    reached_by: Callable[[Weapon, Active], bool] | None = None  # which changes act on a weapon with it
    picks_characters: bool = False
    once: bool = False  # the weapon is used once in a battle
    extra: bool = False  # used besides another melee weapon
    instead: bool = False  # used instead of the bearer's other weapons
    lower_is_better: bool = False  # of two numbers the lower one is worth more
    distances: Callable[[WeaponAbility], tuple[float, ...]] | None = None  # at which it starts or ends

    @property
    def example(self) -> str:
        """A spelling: the name with a number and a keyword in it.

        >>> from mathhammer.games.wh40k10.abilities import ABILITIES
        >>> [ability.example for ability in ABILITIES.known if ability.example != ability.name]
        ['Rapid Fire 2', 'Melta 2', 'Sustained Hits 2', 'Anti-KEYWORD 4+', 'Conversion 2']
        """
        blank = "KEYWORD" if "keyword" in self.pattern.groupindex else "2"
        return re.sub(r"\bX\b", blank, self.name).replace("n+", "4+")

    def unfinished(self, text: str) -> bool:
        """Whether a text is this ability without its number."""
        start = re.split(r" ?X\b| n\+", self.name)[0].lower()
        if "number" not in self.pattern.groupindex:
            return False
        rest = text.lower().removeprefix(start)
        return rest != text.lower() and not any(letter.isdigit() for letter in rest)


@dataclass(frozen=True, slots=True)
class WeaponAbility:
    """An ability as a weapon has it: with its keyword and its number."""

    ability: Ability
    keyword: str = ""
    number: Dice | None = None
    scope: str = ""  # keywords of targets against which alone it works: "A/B", or "NON-A/B"

    def fits(self, keywords: frozenset[str]) -> bool:
        """Whether it works against a target with these keywords.

        >>> from mathhammer.games.wh40k11.abilities import ABILITIES
        >>> held = ABILITIES.find("Sustained Hits 1: non-monster/vehicle")
        >>> held.fits(frozenset({"INFANTRY"})), held.fits(frozenset({"INFANTRY", "MONSTER"}))
        (True, False)
        """
        if not self.scope:
            return True
        return bool(self.scoped_to & keywords) != self.scope.startswith("NON-")

    @property
    def scoped_to(self) -> frozenset[str]:
        """The keywords that its scope names.

        >>> from mathhammer.games.wh40k11.abilities import ABILITIES
        >>> sorted(ABILITIES.find("Sustained Hits 1: non-monster/vehicle").scoped_to)
        ['MONSTER', 'VEHICLE']
        """
        return frozenset(self.scope.removeprefix("NON-").split("/")) if self.scope else frozenset()

    def __str__(self) -> str:
        number = "" if self.number is None else f" {self.number}"
        return f"{self.ability.name.removesuffix(' X')}{number}"

    def edit(self, draft: Draft, facts: Facts) -> Draft:
        """The draft with the edit made, if it makes one."""
        if self.ability.edit is None:
            return draft
        return self.ability.edit(draft, facts.only(self.ability.reads), self)

    def worth(self) -> float:
        """How good its number is."""
        mean = 0.0 if self.number is None else self.number.pmf().mean()
        return -mean if self.ability.lower_is_better else mean


@dataclass(slots=True)
class Abilities:
    """The weapon abilities of a game; `@abilities.add(...)` registers one function."""

    known: list[Ability] = field(default_factory=list)
    scoped: bool = False  # whether keywords may stand behind an ability: "Lethal Hits: VEHICLE"
    _read: dict[str, WeaponAbility] = field(default_factory=dict, repr=False)
    _of: dict[tuple[str, ...], tuple[WeaponAbility, ...]] = field(default_factory=dict, repr=False)
    _words: dict[tuple[str, ...], frozenset[str]] = field(default_factory=dict, repr=False)

    def add(
        self, name: str, *, rule: str, pattern: str | None = None, **hooks: Any
    ) -> Callable[[Edit], Edit]:
        """Registers the decorated edit under a name.

        `pattern` is for names with a `keyword` or a `number` inside (as named groups); `hooks` are the other
        fields of `Ability`.
        """

        def register(edit: Edit) -> Edit:
            self.tag(name, rule=rule, pattern=pattern, doc=(edit.__doc__ or "").strip(), edit=edit, **hooks)
            return edit

        return register

    def tag(self, name: str, *, rule: str, doc: str, pattern: str | None = None, **hooks: Any) -> Ability:
        """Registers an ability that edits no roll: all that it says is in its hooks."""
        spelling = re.compile(pattern or re.escape(name), re.IGNORECASE)
        ability = Ability(name, rule, spelling, doc, **hooks)
        if "distance" in ability.reads and ability.distances is None:
            raise ValueError(f"{name} reads the distance (say with distances= where it starts or ends)")
        self.known.append(ability)
        return ability

    def find(self, text: str) -> WeaponAbility:
        """The ability of that spelling, with the keyword and the number that are in it."""
        if text not in self._read:
            self._read[text] = self._parse(text)
        return self._read[text]

    def _parse(self, text: str) -> WeaponAbility:
        squeezed, scope = " ".join(text.split()), ""
        if self.scoped:
            squeezed, _, scope = (part.strip() for part in squeezed.partition(":"))
        for ability in self.known:
            if match := ability.pattern.fullmatch(squeezed):
                parts = match.groupdict()
                number = parts.get("number")
                return WeaponAbility(
                    ability,
                    (parts.get("keyword") or "").upper(),
                    None if number is None else parse_dice(number),
                    scope.upper(),
                )
        for ability in self.known:
            if ability.unfinished(squeezed):
                raise BadInputError(
                    f"weapon: {text!r} needs its number (write something like {ability.example!r})"
                )
        raise UnknownNameError("weapon", "ability", text, [ability.example for ability in self.known])

    def of(self, names: tuple[str, ...]) -> tuple[WeaponAbility, ...]:
        """The abilities of these spellings, each once."""
        if names not in self._of:
            self._of[names] = tuple(dict.fromkeys(self.find(name) for name in names))
        return self._of[names]

    def words(self, names: tuple[str, ...]) -> frozenset[str]:
        """The abilities of these spellings as conditions name them: with and without their numbers.

        >>> from mathhammer.games.wh40k10.abilities import ABILITIES
        >>> sorted(ABILITIES.words(("Sustained Hits 2", "Psychic")))
        ['psychic', 'sustained hits', 'sustained hits 2']
        """
        if names not in self._words:
            texts = [*names, *(held.ability.name.removesuffix(" X") for held in self.of(names))]
            self._words[names] = frozenset(map(switch, texts))
        return self._words[names]

    def carried(self, weapon: Weapon, hook: str) -> bool:
        """Whether a printed ability of the weapon has this hook.

        >>> from mathhammer.games.wh40k10.abilities import ABILITIES
        >>> claw = Weapon("Claw", "melee", parse_dice(1), parse_dice(1), abilities=("Extra Attacks",))
        >>> ABILITIES.carried(claw, "extra")
        True
        """
        return any(getattr(held.ability, hook) for held in self.of(weapon.abilities))


def reads_of(abilities: Iterable[WeaponAbility]) -> frozenset[str]:
    """All that these abilities look at."""
    return frozenset(name for held in abilities for name in held.ability.reads)


def looked_at_by(
    abilities: Sequence[WeaponAbility], facts: Facts, own: frozenset[str], words: frozenset[str]
) -> Facts:
    """The facts with no more than abilities and the rolls themselves look at (`own`; of the keywords of a
    target `words`), so that many targets share one answer.

    >>> facts = Facts(frozenset(), frozenset(), frozenset({"FLY", "CLANRATS"}), 5, 1)
    >>> looked_at_by((), facts, frozenset({"target_keywords"}), frozenset({"FLY", "HERO"})).target_keywords
    frozenset({'FLY'})
    """
    named = {held.keyword for held in abilities}.union(*(held.scoped_to for held in abilities))
    return facts.only(tuple(sorted(reads_of(abilities) | own)), words | named)


def distances_of(abilities: Iterable[WeaponAbility]) -> list[float]:
    """All distances at which these abilities start or end."""
    return [
        distance
        for held in abilities
        if held.ability.distances is not None
        for distance in held.ability.distances(held)
    ]


def strongest(abilities: Iterable[WeaponAbility]) -> tuple[WeaponAbility, ...]:
    """WH40K-DUP: of one ability from several sources the better one; for each keyword, where it has one."""
    best: dict[tuple[str, str], WeaponAbility] = {}
    for held in abilities:
        key = (held.ability.name, held.keyword)
        if key not in best or held.worth() > best[key].worth():
            best[key] = held
    return tuple(best.values())
