"""A mapping (one `[[unit]]` of a datasheet) checked against a game's fields and turned into a `Unit`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from mathhammer.checks import is_whole
from mathhammer.dataclass import dataclass
from mathhammer.datasheets.noting import without_notes
from mathhammer.datasheets.values import Fault, FieldReader, raise_faults
from mathhammer.dice.notation import parse_dice
from mathhammer.errors import BadInputError, MathhammerError, did_you_mean
from mathhammer.games.discovery import attacks_of
from mathhammer.games.effect_words import DEFENCE
from mathhammer.games.game import Attacks, Field
from mathhammer.games.needs import parse_needs
from mathhammer.units.abilities import ABOUT, Ability, same_rule
from mathhammer.units.conditions import Condition, as_switch, parse_condition, switch
from mathhammer.units.effects import SCOPES, Effect
from mathhammer.units.unit import MOST_MODELS, ModelGroup, Unit, Weapon
from mathhammer.units.weapon_names import meant, names_weapon

HANDED = ("led", "friends", "friends_attacker")  # scopes of units that stand by
USE = r"choice(?: (?:once|twice) per (?:battle|round|turn|phase))?"
MOST_POINTS = 100_000
COMMON_UNIT = (
    Field("name", "text", required=True, doc="the unit's name"),
    Field("models", "number", default=1, low=1, high=MOST_MODELS, doc="the minimum size"),
    Field("points", "number", high=MOST_POINTS, doc="points at the minimum size"),
    Field(
        "prices",
        "mapping",
        fields=(Field("points", "number", high=MOST_POINTS),),
        doc="points by size where they are not in proportion: { 5 = 75, 10 = 150 }, each up to that size",
    ),
    Field("model_names", "words", default=(), doc="what its models are called in army lists"),
    Field("wargear", "words", default=(), doc="what its models may carry that is no weapon"),
    Field(
        "shields",
        "mapping",
        fields=(Field("invuln", "need"),),
        doc='invulnerable saves that wargear gives whoever carries it in a list: { "Storm shield" = 4 }',
    ),
    Field("move", "dice", doc="Move in inches, a number or dice text"),
    Field("keywords", "words", default=(), doc="keywords, in any case"),
    Field("source", "text", doc="where the figures come from, if not as for the whole file"),
    Field(
        "not_covered", "words", default=(), doc="rules of the unit that are not modelled, as 'Name (reason)'"
    ),
)
COMMON_WEAPON = (
    Field("name", "text", required=True, doc="the weapon's name"),
    Field("kind", "choice", default="melee", choices=("melee", "ranged"), doc="melee or ranged"),
    Field("range", "number", low=1, doc="range in inches, for ranged weapons"),
    Field("models", "number", low=1, high=MOST_MODELS, doc="who carries it; left out: every model"),
    Field("attacks", "dice", required=True, doc="Attacks, a number or dice text"),
    Field("damage", "dice", required=True, doc="Damage, a number or dice text"),
    Field("abilities", "words", default=(), doc="weapon abilities"),
    Field("optional", "flag", default=False, doc="an alternative that is used only when named"),
    Field("copies", "number", default=1, low=1, high=20, doc="how many of it each bearer has"),
    Field("group", "text", doc="the models that carry it, by the name of their group"),
)


def _names(_where: str, name: str, value: Any) -> tuple[str, ...]:
    words = (value,) if isinstance(value, str) else value
    if not isinstance(words, (list, tuple)) or not all(
        isinstance(word, str) and word.strip() for word in words
    ):
        raise BadInputError(f"{name} {value!r:.60} (give the name of a weapon, or a list of them)")
    return tuple(word.strip() for word in words)


COMMON_EFFECT = (
    Field("name", "text", default="", doc="the rule's name"),
    Field("when", "words", default=(), doc="conditions that must all hold"),
    Field("on", "choice", default="unit", choices=tuple(SCOPES), doc="whom it acts on"),
    Field("weapon", "checked", check=_names, doc="the only weapon it acts on, or a list of them"),
    Field("use", "text", doc="choice: it is off until it is used; a limit may follow: once per battle"),
    Field("needs", "text", doc="a roll that it depends on: 3+, 2-3, 2D6 7+, cast 6, chant 4, >= save"),
    Field("enemy", "flag", default=False, doc="the other side's doing (a Companion weapon is not spared it)"),
)
LONGEST_TEXT = 20_000  # characters of an ability


def _sentences(_where: str, name: str, value: Any) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > LONGEST_TEXT:
        raise BadInputError(f"{name} {value!r:.60} (give the text of the rule)")
    return value.strip()


def _phrases(_where: str, name: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)) or not all(
        isinstance(word, str) and word.strip() for word in value
    ):
        raise BadInputError(f"{name} {value!r:.60} (give a list of texts)")
    return tuple(" ".join(word.split()) for word in value)


ABILITY = (
    Field("name", "text", required=True, doc="the rule's name; its effects have it too"),
    Field("about", "choice", default="combat", choices=ABOUT, doc="combat, dice (other rolls), or none"),
    Field("rest", "checked", default=(), check=_phrases, doc="what matters and no effect says, in words"),
    Field("text", "checked", check=_sentences, doc="the rule's text, in files of your own"),
)
COMMON_GROUP = (
    Field("name", "text", required=True, doc="the name of these models"),
    Field("models", "number", default=1, low=1, high=MOST_MODELS, doc="how many they are"),
)


@dataclass(slots=True, kw_only=True)
class _Reader(FieldReader):
    system: str
    attacks: Attacks
    groups: tuple[ModelGroup, ...] = ()  # the models of the unit in hand, and its weapons
    weapons: tuple[Weapon, ...] = ()

    def unit(self, mapping: Mapping[str, Any], path: tuple[str | int, ...]) -> Unit:
        name = str(mapping.get("name", "a unit without a name"))
        fields = (*COMMON_UNIT, *self.attacks.unit_fields)
        grouped = bool(mapping.get("group"))
        if grouped:  # the groups carry their own profile
            own = {f.name for f in self.attacks.group_fields}
            fields = tuple(replace(f, required=False, default=None) if f.name in own else f for f in fields)
        values = self.take(mapping, fields, ("weapon", "effect", "group", "ability"), name, path)
        groups = self._groups(mapping, values, name, path)
        models = sum(group.models for group in groups)
        weapons = tuple(
            self._weapon(item, name, models, (*path, "weapon", index))
            for index, item in enumerate(self.tables(mapping, "weapon", name, path))
        )
        repeated = {w.name for w in weapons if sum(w.name == v.name for v in weapons) > 1}
        for weapon_name in sorted(repeated):
            self.fault(name, f"two weapons are called {weapon_name!r} (give each its own name)", path)
        self.groups, self.weapons = groups, weapons
        arms = [w.name for w in weapons]
        effects = [
            self.effect(item, name, arms, (*path, "effect", index))
            for index, item in enumerate(self.tables(mapping, "effect", name, path))
        ]
        abilities = self._abilities(mapping, name, arms, effects, path)
        stats = tuple((f.name, values[f.name]) for f in self.attacks.unit_fields)
        return Unit(
            system=self.system,
            name=name,
            groups=groups,
            wounds=self.attacks.wounds,
            stats=(*stats, ("move", values["move"])),
            weapons=weapons,
            effects=tuple(effects),
            abilities=abilities,
            keywords=frozenset(word.upper() for word in values["keywords"] or ()),
            points=values["points"],
            prices=self._prices(values["prices"] or {}, name, (*path, "prices")),
            minimum=models,
            not_covered=tuple(values["not_covered"] or ()),
        )

    def _prices(
        self, given: Mapping[str, Any], name: str, path: tuple[str | int, ...]
    ) -> tuple[tuple[int, int], ...]:
        """Points by size, the sizes growing."""
        sizes = {size: int(size) for size in given if size.isascii() and size.isdecimal() and len(size) < 5}
        for size in given:
            if not is_whole(sizes.get(size), 1, MOST_MODELS):
                wanted = f"give a whole number of models from 1 to {MOST_MODELS}"
                self.fault(name, f"prices: size {size!r:.20} ({wanted})", path)
        return tuple(sorted((size, given[text]) for text, size in sizes.items() if given[text] is not None))

    def _groups(
        self, mapping: Mapping[str, Any], values: dict[str, Any], name: str, path: tuple[str | int, ...]
    ) -> tuple[ModelGroup, ...]:
        if not mapping.get("group"):
            own = {f.name: values.get(f.name, f.default) for f in self.attacks.group_fields}
            own[self.attacks.wounds] = values.get(self.attacks.wounds) or 1
            return (ModelGroup(name, values["models"] or 1, tuple(own.items())),)
        groups = []
        inherited = {f.name for f in self.attacks.unit_fields}
        for index, item in enumerate(self.tables(mapping, "group", name, path)):
            where, below = f"{name}, {item.get('name', 'a group')}", (*path, "group", index)
            fields = (*COMMON_GROUP, *self.attacks.group_fields)
            taken = self.take(item, fields, (), where, below)
            stats = {
                f.name: values[f.name]
                if f.name not in item and f.name in inherited and values[f.name] is not None
                else taken[f.name]
                for f in self.attacks.group_fields
            }
            if stats.get(self.attacks.wounds) is None:
                self.fault(
                    where, f"{self.attacks.wounds} is missing (give it for the unit or for each group)", below
                )
                stats[self.attacks.wounds] = 1
            groups.append(ModelGroup(str(taken["name"]), taken["models"] or 1, tuple(stats.items())))
        total = sum(group.models for group in groups)
        if "models" in mapping and groups and values["models"] != total:
            self.fault(
                name,
                f"models is {values['models']} but the groups have {total} (make them agree)",
                (*path, "models"),
            )
        return tuple(groups)

    def _weapon(
        self, mapping: Mapping[str, Any], unit: str, models: int, path: tuple[str | int, ...]
    ) -> Weapon:
        where = f"{unit}, {mapping.get('name', 'a weapon without a name')}"
        values = self.take(mapping, (*COMMON_WEAPON, *self.attacks.weapon_fields), (), where, path)
        bearers = values["models"]
        if bearers is not None and bearers > models:
            self.fault(
                where,
                f"{bearers} models carry it, the unit has {models} (give 1 to {models})",
                (*path, "models"),
            )
        if values["range"] is not None and values["kind"] == "melee":
            self.fault(
                where, 'a melee weapon has no range (drop it, or write kind = "ranged")', (*path, "range")
            )
        for ability in values["abilities"] or ():
            self._ability(ability, where, (*path, "abilities"))
        stats = tuple((f.name, values[f.name]) for f in self.attacks.weapon_fields)
        nothing = parse_dice(0)
        return Weapon(
            name=str(values["name"]),
            kind=values["kind"],
            attacks=values["attacks"] or nothing,
            damage=values["damage"] or nothing,
            stats=stats,
            abilities=tuple(values["abilities"] or ()),
            bearers=bearers,
            range=values["range"],
            optional=bool(values["optional"]),
            copies=values["copies"] or 1,
            groups=() if values["group"] is None else (values["group"],),
        )

    def _ability(self, text: str, where: str, path: tuple[str | int, ...]) -> None:
        try:
            self.attacks.abilities.find(text)
        except MathhammerError as error:
            self.fault(where, str(error).removeprefix("weapon: "), path)

    def _abilities(
        self,
        mapping: Mapping[str, Any],
        unit: str,
        weapons: Sequence[str],
        effects: list[Effect],
        path: tuple[str | int, ...],
    ) -> tuple[Ability, ...]:
        """The named rules of a unit; their effects go to the others. An effect of the unit that has the name
        of a rule stands for what the rule says (it was worked out by hand).
        """
        by_hand = [effect for effect in effects if effect.name]
        abilities: dict[str, Ability] = {}
        for index, item in enumerate(self.tables(mapping, "ability", unit, path)):
            below = (*path, "ability", index)
            where = f"{unit}, {item.get('name', 'an ability without a name')}"
            values = self.take(item, ABILITY, ("effect",), where, below)
            name = str(values["name"])
            if name in abilities:
                self.fault(where, "two abilities have this name (give each its own)", below)
            own = [
                self.effect({**one, "name": name}, unit, weapons, (*below, "effect", number), lenient=True)
                for number, one in enumerate(self.tables(item, "effect", where, below))
            ]
            if known := [effect for effect in by_hand if same_rule(effect.name, name)]:
                own = known
                abilities[name] = Ability(name, "combat", (), len(own))
                continue
            effects += own
            abilities[name] = Ability(name, values["about"] or "combat", values["rest"] or (), len(own))
        return tuple(abilities.values())

    def effect(
        self,
        mapping: Mapping[str, Any],
        unit: str,
        weapons: Sequence[str] | None,
        path: tuple[str | int, ...],
        *,
        lenient: bool = False,
    ) -> Effect:
        """One effect; `weapons` are the names it may be limited to (None: any). What an ability says, which
        is `lenient`, may have words that the game cannot act on.
        """
        where = ", ".join(part for part in (unit, str(mapping.get("name", "an effect"))) if part)
        fields = self.attacks.effect_fields
        given, notes = without_notes(mapping, fields, self._is_ability, lenient=lenient)
        values = self.take(given, (*COMMON_EFFECT, *fields), (), where, path)
        named = values["weapon"] or ()
        if named and weapons is not None and values["on"] == "unit":
            named, unknown = meant(named, weapons)
            for weapon in unknown:
                if lenient:
                    notes = (*notes, f"no weapon {weapon!r}")
                    continue
                hint = did_you_mean(weapon, weapons)
                self.fault(where, f"no weapon {weapon!r} in this unit{hint}", (*path, "weapon"))
            named = named or unknown
        conditions, group = self._when(values["when"] or (), where, path, handed=values["on"] in HANDED)
        if lenient:
            conditions = tuple(map(self._of_members, conditions))
        for key in ("gain", "lose"):
            for ability in values.get(key) or ():
                if key == "gain" or not switch(ability).startswith("all"):
                    self._ability(ability, where, (*path, key))
        self._use(values, where, path)
        changes = tuple(
            (f.name, values[f.name]) for f in self.attacks.effect_fields if values[f.name] is not None
        )
        if lenient and group is not None:
            group, changes, beside = self._of_models(group, changes)
            notes = (*notes, *beside)
        if not changes and not notes and not set(mapping) - {f.name for f in COMMON_EFFECT}:
            self.fault(where, "changes nothing (give at least one change)", path)
        return Effect(
            name=str(values["name"]),
            changes=changes,
            when=conditions,
            on=values["on"],
            weapon=named,
            enemy=bool(values["enemy"]),
            group=group,
            use=values["use"] or "",
            needs=values["needs"] or "",
            noted=notes,
        )

    def _of_members(self, condition: Condition) -> Condition:
        """A condition about models of the unit under the name of their group; where it has no such group, the
        player says whether it holds.
        """
        if condition.subject != "contains":
            return condition
        name = self._group_of(str(condition.value))
        return as_switch(condition) if name is None else replace(condition, value=switch(name))

    def _of_models(
        self, named: str, changes: tuple[tuple[str, Any], ...]
    ) -> tuple[str | None, tuple[tuple[str, Any], ...], list[str]]:
        """An effect that concerns certain models only: their group, what of it can be counted, and the rest
        in words. Attacks are theirs where the weapons say who carries them.
        """
        group = self._group_of(named)
        if group is not None and len(self.groups) == 1:
            return None, changes, []
        told = any(weapon.groups for weapon in self.weapons)
        kept = tuple(one for one in changes if group is not None and (told or one[0] in DEFENCE))
        beside = [
            f"{key.replace('_', ' ')} {', '.join(value) if isinstance(value, tuple) else value} for {named}"
            for key, value in changes
            if (key, value) not in kept
        ]
        return group, kept, beside

    def _group_of(self, named: str) -> str | None:
        return next((group.name for group in self.groups if names_weapon(named, group.name)), None)

    def _is_ability(self, text: str) -> bool:
        try:
            self.attacks.abilities.find(text)
        except MathhammerError:
            return False
        return True

    def _when(
        self, texts: Sequence[str], where: str, path: tuple[str | int, ...], *, handed: bool
    ) -> tuple[tuple[Condition, ...], str | None]:
        """The conditions, and the only models that the effect concerns (`model NAME`); of a unit that hands
        something to others, the player says what is true of itself.
        """
        conditions: list[Condition] = []
        group = None
        for text in texts:
            if text.startswith("model "):
                group = text.removeprefix("model ").strip()
                continue
            try:
                condition = parse_condition(text, self.attacks.situations)
                conditions.append(as_switch(condition) if handed and condition.own else condition)
            except MathhammerError as error:
                self.fault(where, str(error).removeprefix("condition: "), (*path, "when"))
        return tuple(conditions), group

    def _use(self, values: Mapping[str, Any], where: str, path: tuple[str | int, ...]) -> None:
        """Whether somebody has to use it, and a roll that it needs, are written as they should be."""
        if values["use"] and not re.fullmatch(USE, values["use"]):
            self.fault(
                where, f"use {values['use']!r} (write choice, or choice once per battle)", (*path, "use")
            )
        if values["needs"]:
            try:
                parse_needs("needs", values["needs"])
            except MathhammerError as error:
                self.fault(where, str(error), (*path, "needs"))
        if (values["use"] or values["needs"]) and not values["name"]:
            self.fault(where, "name is missing (a rule that is used, or rolls, needs one)", path)


def read_unit(
    system: str, mapping: Mapping[str, Any], path: tuple[str | int, ...] = (), where: str = "datasheets"
) -> tuple[Unit, list[Fault]]:
    """The unit and all that is wrong with it; a unit with faults must not be used."""
    reader = _Reader(system=system, attacks=attacks_of(system, where))
    return reader.unit(mapping, path), reader.faults


def make_unit(system: str, mapping: Mapping[str, Any]) -> Unit:
    """A unit from a mapping with the fields of a datasheet's `[[unit]]`.

    >>> rats = make_unit("aos4", {"name": "Rats", "models": 20, "health": 1, "save": 5})
    >>> rats.models, rats.stat("save")
    (20, 5)
    """
    if not isinstance(mapping, Mapping):
        raise BadInputError(
            f"make_unit: {type(mapping).__name__} is not a mapping (give the fields of one unit)"
        )
    unit, faults = read_unit(system, mapping, where="make_unit")
    raise_faults(faults)
    return unit


def make_effects(
    system: str, effects: Sequence[Effect | Mapping[str, Any]] | Effect | Mapping[str, Any]
) -> tuple[Effect, ...]:
    """Effects from mappings with the fields of a datasheet's `[[unit.effect]]`; one, or several."""
    if isinstance(effects, str) or not isinstance(effects, (Iterable, Effect)):
        raise BadInputError(f"effects: {effects!r:.60} is not an effect (write {{...}} or a list of them)")
    listed = (effects,) if isinstance(effects, (Mapping, Effect)) else tuple(effects)
    for one in listed:
        if not isinstance(one, (Mapping, Effect)):
            raise BadInputError(f"effects: {one!r:.60} is not an effect (write {{...}} or a list of them)")
    reader = _Reader(system=system, attacks=attacks_of(system))
    read = tuple(
        e if isinstance(e, Effect) else reader.effect(e, "", None, (i,)) for i, e in enumerate(listed)
    )
    raise_faults(reader.faults)
    return read
