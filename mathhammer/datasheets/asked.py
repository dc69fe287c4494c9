"""Units that are asked for in words: names, expressions such as `10 Liberators: charged`, whole factions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from mathhammer.datasheets.buff_sets import buff_sets
from mathhammer.datasheets.library import TARGETS, Sheet, UnknownUnitError, find_sheet, sheets
from mathhammer.datasheets.reading import make_effects
from mathhammer.errors import BadInputError, MathhammerError, did_you_mean
from mathhammer.games.buff_words import EXAMPLES, buff_of
from mathhammer.games.discovery import attacks_of, game_keys, meant_editions
from mathhammer.games.game import Attacks
from mathhammer.games.telling import command_text, flag_text
from mathhammer.games.weapon_choice import ALL, BEST, KINDS
from mathhammer.games.words import command_meant, own_flag, squeezed
from mathhammer.units.conditions import switch
from mathhammer.units.effects import usable
from mathhammer.units.expressions import LONGEST, Expression, lost_in, readings
from mathhammer.units.unit import Stance, Unit

Own = str | Path | None
WEAPON_WORDS = {"melee": "melee", "ranged": "ranged", "shooting": "ranged", BEST: BEST, ALL: ALL}


def unit(text: str, system: str | None = None, *, datasheets: Own = None) -> Unit:
    """A unit and how it fights, from an expression: `[N] NAME [xN] [with LEADER] [: WORD, WORD, ...]`.

    A word is a size (`reinforced`, `3 lost`), a kind or name of weapons, a situation (`charged`, `in cover`),
    a command (`all-out attack`) or a buff (`+1 to hit`, `reroll wound rolls of 1`, `ward 5+`,
    `Crit (Mortal)`).

    >>> liberators = unit("10 Liberators: charged, all-out attack")
    >>> liberators.models, liberators.label
    (10, '10 Liberators: charged, All-out Attack')
    >>> unit("Liberators: chraged")
    Traceback (most recent call last):
    mathhammer.errors.BadInputError: unit: Liberators: cannot read 'chraged' (did you mean 'charged'?)
    """
    return asked_unit(text, system, datasheets, "unit")


def as_unit(given: Unit | str, system: str | None, where: str) -> Unit:
    """A unit as it is, or from its name or expression.

    >>> as_unit("40 Clanrats", "aos4", "fight").models
    40
    """
    if isinstance(given, str):
        return asked_unit(given, system, None, where)
    if not isinstance(given, Unit):
        raise BadInputError(f"{where}: {given!r:.60} is not a unit (give one, or its name)")
    return given


def asked_units(text: str, system: str | None, own: Own, where: str) -> list[Unit]:
    """The unit of an expression, or all units of a faction that can attack.

    >>> len(asked_units("Skaven", None, None, "matrix")) > 10
    True
    """
    return faction_units(text, system, own, where) or [asked_unit(text, system, own, where)]


def faction_units(name: str, system: str | None, own: Own, where: str) -> list[Unit]:
    """The units of a faction that can attack, of the current edition where several have it; none where there
    is no such faction. Where one's own datasheets have a unit of the same name, it is that one.
    """
    wanted = name.strip().lower()
    by_game: dict[str, list[Sheet]] = {}
    for key in (system,) if system else game_keys():
        members = [s for s in sheets(key, own) if s.faction.lower() == wanted and s.path.name != TARGETS]
        if members:
            by_game[key] = members
    games = meant_editions(by_game)
    if len(games) > 1:
        raise BadInputError(f"{where}: {name!r} is a faction of {' and '.join(games)} (say which system)")
    members = by_game[games[0]] if games else []
    first: dict[str, Path] = {}  # the file that a name is from
    units = [s.unit() for s in members if first.setdefault(s.name.casefold(), s.path) == s.path]
    return [unit for unit in units if any(not weapon.optional for weapon in unit.weapons)]


def faction_names(system: str | None, own: Own) -> list[str]:
    """The factions of one game, or of all.

    >>> "Skaven" in faction_names("aos4", None)
    True
    """
    keys = (system,) if system else game_keys()
    return list(dict.fromkeys(sheet.faction for key in keys for sheet in sheets(key, own)))


def asked_unit(text: str, system: str | None, own: Own, where: str, buffs: Iterable[str] = ()) -> Unit:
    """The unit of an expression, with further words for it."""
    if len(text) > LONGEST:
        raise BadInputError(f"{where}: {len(text)} characters are too many for a unit (at most {LONGEST})")
    expression, found = first_known(text, system, own, where)
    leaders = [find_sheet(name, found.system, own, where).unit() for name in expression.leaders]
    reader = _Words(found.unit(), f"{where}: {found.name}", own)
    if expression.models is not None:
        reader.unit = reader.unit.with_models(expression.models)
    for word in (*expression.words, *buffs):
        reader.take(word)
    return _joined(reader.stood(), leaders)


def with_words(unit: Unit, words: Sequence[str], where: str, own: Own = None) -> Unit:
    """A unit with words as behind the colon of an expression.

    >>> from mathhammer import load_unit
    >>> with_words(load_unit("Clanrats", "aos4"), ["in cover"], "unit").label
    'Clanrats: in cover'
    """
    reader = _Words(unit, where, own)
    for word in words:
        reader.take(word)
    return reader.stood() if words else unit


def first_known(text: str, system: str | None, own: Own, where: str) -> tuple[Expression, Sheet]:
    """The first reading of a text whose names are units; else the error of a leader that is none, or of the
    shortest name: it has no number and no words.

    >>> expression, sheet = first_known("10 liberators: charged", "aos4", None, "unit")
    >>> sheet.name, expression.models, expression.words
    ('Liberators', 10, ('charged',))
    """
    unknown: list[tuple[int, UnknownUnitError]] = []
    for expression in readings(text):
        sheet = None
        try:
            sheet = find_sheet(expression.name, system, own, where)
            for name in expression.leaders:
                find_sheet(name, sheet.system, own, where)
        except UnknownUnitError as error:
            if sheet is not None or not expression.leaders:
                unknown.append((0 if sheet is not None else len(expression.name), error))
        else:
            return expression, sheet
    raise min(unknown, key=lambda found: found[0])[1]


def _joined(unit: Unit, leaders: Sequence[Unit]) -> Unit:
    """The unit with its leaders: joined where the game's leaders join units, else as friends beside it."""
    attach = attacks_of(unit.system).attach
    for leader in leaders:
        if attach is not None and "CHARACTER" in leader.keywords:
            if unit.models != unit.minimum:  # its size is part of the name: the leader is not one of them
                unit = replace(unit, name=f"{unit.models} {unit.name}", minimum=unit.models)
            unit = attach(leader, unit)
        else:
            unit = replace(unit, stance=replace(unit.stance, friends=(*unit.stance.friends, leader)))
    return unit


class _Words:
    """A unit while the words of its expression are read."""

    def __init__(self, unit: Unit, where: str, own: Own) -> None:
        self.unit, self.where, self.own = unit, where, own
        self.attacks: Attacks = attacks_of(unit.system, where)
        self.flags: list[str] = []
        self.commands: list[str] = []
        self.weapons: list[str] = []
        self.used: list[str] = []
        self.buffs: list[str] = []
        self.shown: list[str] = []
        self.effects: list[dict[str, Any]] = []

    def take(self, word: str) -> None:
        """One word: a size, weapons, a situation, a command, a weapon's name, an ability or a buff."""
        if not (self._size(word) or self._stance(word) or self._buff(word) or self._set(word)):
            raise BadInputError(f"{self.where}: cannot read {word!r}{self._hint(word)}")

    def _hint(self, word: str) -> str:
        near = did_you_mean(word, self._known())
        return near or " (a word is a size, weapons, a situation, a command or a buff, such as '+1 to hit')"

    def _size(self, word: str) -> bool:
        lost = lost_in(word)
        if squeezed(word) == "reinforced":
            self.unit = self.unit.with_models(self.unit.reinforced_size)
        elif lost is not None:
            each = int(self.unit.groups[0].stat(self.unit.wounds)) if lost[1] else 1
            self.unit = self.unit.with_lost(lost[0] * each)
        else:
            return False
        return True

    def _stance(self, word: str) -> bool:
        plain = squeezed(word)
        if plain in WEAPON_WORDS:
            self.weapons = [WEAPON_WORDS[plain]]
            shown = WEAPON_WORDS[plain]
        elif (flag := own_flag(self.attacks, word)) is not None:
            self.flags.append(flag)
            shown = flag_text(flag)
        elif command := command_meant(self.attacks, word, self.attacks.commands):
            self.commands.append(command)
            shown = command_text(self.attacks, command)
        elif weapon := next((w.name for w in self.unit.weapons if squeezed(w.name) == plain), ""):
            self.weapons.append(weapon)
            shown = weapon
        elif ability := next((name for name in self._abilities() if squeezed(name) == plain), ""):
            self.used.append(switch(ability))
            shown = ability
        else:
            return False
        self.shown.append(shown)
        return True

    def _abilities(self) -> Iterator[str]:
        """What somebody may use or say of the unit: abilities that are off until then, and switches."""
        for unit in (self.unit, *self.unit.stance.friends):
            yield from usable(unit.effects).values()

    def _buff(self, word: str) -> bool:
        try:
            change = buff_of(self.attacks, word)
        except MathhammerError as error:
            raise BadInputError(f"{self.where}: {error}") from None
        if change is None:
            return False
        self.effects.append({"name": word, **change})
        self.buffs.append(word)
        self.shown.append(word)
        return True

    def _set(self, word: str) -> bool:
        """A set of buffs that the player has named."""
        named = {squeezed(name): words for name, words in buff_sets(self.own).items()}
        if squeezed(word) not in named:
            return False
        before = len(self.shown)
        for one in named[squeezed(word)]:
            if not (self._stance(one) or self._buff(one)):
                raise BadInputError(f"{self.where}: {word}: cannot read {one!r}{self._hint(one)}")
        self.shown[before:] = [word]
        return True

    def _known(self) -> Iterator[str]:
        yield from ("reinforced", "3 lost", *WEAPON_WORDS, *EXAMPLES)
        yield from (flag.replace("_", " ") for flag in self.attacks.situations)
        yield from (flag.removeprefix("target_").replace("_", " ") for flag in self.attacks.situations)
        yield from (command_text(self.attacks, command) for command in self.attacks.commands)
        yield from (weapon.name for weapon in self.unit.weapons)
        yield from self._abilities()
        yield from (ability.example for ability in self.attacks.abilities.known)

    def stood(self) -> Unit:
        """The unit with all that was read."""
        kinds = [word for word in self.weapons if word in (*KINDS, BEST, ALL)]
        before = self.unit.stance
        stance = Stance(
            before.flags | frozenset(self.flags),
            tuple(dict.fromkeys((*before.commands, *self.commands))),
            kinds[0] if kinds else tuple(self.weapons) or before.weapons,
            before.friends,
            (*before.buffs, *self.buffs),
            (*before.words, *self.shown),
            before.used | frozenset(self.used),
        )
        effects = make_effects(self.unit.system, self.effects) if self.effects else ()
        return replace(self.unit, stance=stance, effects=(*self.unit.effects, *effects))
