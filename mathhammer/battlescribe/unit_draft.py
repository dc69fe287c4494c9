"""A unit put together from profiles: models, weapons and saves in, the fields of one
datasheet `[[unit]]` out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import field
from typing import Any

from mathhammer.battlescribe.profiles import FLAGS, Profile, keywords_of, ward_of
from mathhammer.battlescribe.rules import HungRule
from mathhammer.battlescribe.saves import Defence, column_save
from mathhammer.battlescribe.understanding import (
    Members,
    abilities_of,
    checked_fields,
    with_rules_by_hand,
)
from mathhammer.battlescribe.values import UnreadableError, count, inches, number, roll
from mathhammer.battlescribe.weapons import WeaponRead, read_weapon, used_together
from mathhammer.dataclass import dataclass
from mathhammer.games.discovery import attacks_of, family_of
from mathhammer.names import normal, singular
from mathhammer.units.copies import shares
from mathhammer.units.unit import MOST_MODELS


@dataclass(slots=True)
class ModelGroupDraft:
    """Identical models of a unit: how many, what they carry (profile and number for the
    whole kit), their own profile.
    """

    name: str
    models: int
    weapons: list[tuple[Profile, int]] = field(default_factory=list)
    profile: Profile | None = None
    champion: bool = False
    optional: list[tuple[Profile, int]] = field(default_factory=list)
    invulnerable: list[Defence] = field(default_factory=list)
    texts: list[HungRule] = field(default_factory=list)
    categories: list[str] = field(default_factory=list)  # keywords of these models
    shields: dict[str, Defence] = field(default_factory=dict)  # wargear that could be carried, and its save


@dataclass(slots=True)
class Draft:
    """All that a roster or a catalogue says about a unit."""

    system: str
    name: str
    points: int | None = None
    prices: dict[int, int] = field(default_factory=dict)  # size -> points, where they are not in proportion
    surcharge: tuple[int, int] | None = None  # from which copy in a list on it costs more, and how much
    categories: list[str] = field(default_factory=list)
    profile: Profile | None = None
    kits: list[ModelGroupDraft] = field(default_factory=list)
    invulnerable: list[Defence] = field(default_factory=list)
    pain: list[Defence] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    texts: list[HungRule] = field(default_factory=list)
    model_names: list[str] = field(default_factory=list)
    wargear: list[str] = field(default_factory=list)  # that is no weapon
    source: str = ""
    catalogue: str = ""  # the name of the one that it comes from
    unmarked: bool = False  # its models stand in the catalogue as upgrades
    exact: bool = False  # the models are those of a list, not the default ones of a catalogue

    @property
    def models(self) -> int:
        """How many models the kits have."""
        return sum(kit.models for kit in self.kits)


@dataclass(slots=True)
class DatasheetFields:
    """The datasheet fields of a unit, and what could not be said in them."""

    fields: dict[str, Any]
    problems: list[str] = field(default_factory=list)
    understood: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)
    notes: dict[str, list[str]] = field(default_factory=dict)  # weapon -> abilities not understood
    weapons: int = 0


def make_fields(draft: Draft) -> DatasheetFields:
    """The fields of a datasheet for a draft; an UnreadableError when the unit itself has
    no usable profile.
    """
    models = min(max(1, draft.models), MOST_MODELS)
    fields_made = DatasheetFields({"name": draft.name, "models": models})
    if draft.source:
        fields_made.fields["source"] = draft.source
    if draft.points is not None and draft.points >= 0:
        fields_made.fields["points"] = draft.points
    if draft.prices:
        fields_made.fields["prices"] = {str(size): points for size, points in draft.prices.items()}
    if draft.surcharge and any(one.name == "surcharge" for one in attacks_of(draft.system).unit_fields):
        fields_made.fields["surcharge_from"], fields_made.fields["surcharge"] = draft.surcharge
    body = _sigmar_body if family_of(draft.system) == "sigmar" else _wh40k_body
    fields_made.fields.update(body(draft, fields_made))
    fields_made.fields["keywords"] = keywords_of(draft.system, draft.categories)
    # a unit whose models have its own name needs no list of them
    if any(normal(name) != normal(draft.name) for name in draft.model_names):
        fields_made.fields["model_names"] = draft.model_names
    shields = {name: save.value for kit in draft.kits for name, save in kit.shields.items() if save.value}
    if shields:
        fields_made.fields["shields"] = shields
    if draft.wargear:
        fields_made.fields["wargear"] = draft.wargear
    weapons = _weapons(draft, models, fields_made)
    fields_made.weapons = len(weapons)
    if weapons:
        fields_made.fields["weapon"] = weapons
    _abilities(draft, models, fields_made)
    return fields_made


def _abilities(draft: Draft, models: int, made: DatasheetFields) -> None:
    """The rules of the unit and of the models that are there, with what was worked out by hand."""
    there = [kit for kit in draft.kits if kit.models]
    kinds: Counter[str] = Counter()
    own = {group["name"] for group in made.fields.get("group", ())}
    groups: dict[str, str] = {}
    for kit in there:
        kinds[kit.name] += kit.models
        group = kit.profile.name if kit.profile is not None and kit.profile.name in own else ""
        groups |= {singular(normal(word)): group for word in (kit.name, *kit.categories)}
    texts = (*draft.texts, *(text for kit in there for text in kit.texts))
    if abilities := abilities_of(draft.system, texts, Members(models, kinds, groups)):
        made.fields["ability"] = abilities
    made.fields = checked_fields(draft.system, with_rules_by_hand(draft.system, made.fields, draft.catalogue))
    read = {key for one in abilities for effect in one.get("effect", ()) for key in effect}
    said = {"invuln": DEPENDS.format("an invulnerable save"), "fnp": DEPENDS.format("a Feel No Pain")}
    gone = {text for key, text in said.items() if any(word.startswith(key) for word in read)}
    made.problems = [problem for problem in made.problems if problem not in gone]


DEPENDS = "{} depends on a text"


def _profile(draft: Draft) -> Profile:
    profile = draft.profile or next((kit.profile for kit in draft.kits if kit.profile), None)
    if profile is None:
        raise UnreadableError("it has no profile")
    return profile


def _move(profile: Profile, made: DatasheetFields, *names: str) -> dict[str, Any]:
    try:
        move = inches(profile.get(*names))
    except UnreadableError as error:
        made.problems.append(f"Move {error}")
        return {}
    return {} if move is None else {"move": move}


def _sigmar_body(draft: Draft, made: DatasheetFields) -> dict[str, Any]:
    profile = _profile(draft)
    health = number(profile.get("Health"))
    if health < 1:
        raise UnreadableError(f"Health {profile.get('Health')!r} is not a number")
    fields = {**_move(profile, made, "Move"), "health": health}
    save, ward = roll(profile.get("Save")), ward_of(draft.categories)
    fields |= {"save": save} if save else {}
    fields |= {"ward": ward} if ward else {}
    fields["control"] = max(0, number(profile.get("Control")))
    return fields


def _wh40k_body(draft: Draft, made: DatasheetFields) -> dict[str, Any]:
    stats: dict[tuple[int, int, int | None, int | None], tuple[Profile, int, str]] = {}
    there = [kit for kit in draft.kits if kit.models]  # kinds that could be there have no place in the unit
    for kit in there or [ModelGroupDraft(draft.name, 1)]:
        profile = kit.profile or _profile(draft)
        _column(profile, draft, kit)
        invuln = min((d.value for d in (*draft.invulnerable, *kit.invulnerable) if d.value), default=None)
        key = (number(profile.get("T")), number(profile.get("W")), roll(profile.get("SV", "Sv")), invuln)
        first, so_far, called = stats.get(key, (profile, 0, kit.name))
        stats[key] = (first, so_far + kit.models, called)
    (_, wounds, save, invuln), (most, _, _) = max(stats.items(), key=lambda pair: pair[1][1])
    toughness = max(key[0] for key in stats)  # WH40K-UNITT
    if toughness < 1:
        raise UnreadableError(f"T {most.get('T')!r} is not a number")
    fields = {**_move(most, made, "M"), "toughness": toughness}
    if len(stats) == 1:
        fields |= {
            "wounds": max(1, wounds),
            **({"save": save} if save else {}),
            **({"invuln": invuln} if invuln else {}),
        }
    pain = min((d.value for d in draft.pain if d.value), default=None)
    fields |= {"fnp": pain} if pain else {}
    leadership = number(most.get("LD"))
    fields |= {"leadership": leadership} if 4 <= leadership <= 9 else {}
    fields["objective_control"] = max(0, number(most.get("OC")))
    fields |= _rules(draft)
    if len(stats) > 1:
        rows = sorted(stats.items(), key=lambda pair: -pair[1][1])
        names = _group_names([(profile.name, called) for _, (profile, _, called) in rows])
        fields["group"] = [
            {
                "name": name,
                "models": models,
                "wounds": max(1, w),
                **({"save": s} if s else {}),
                **({"invuln": i} if i else {}),
            }
            for name, ((_, w, s, i), (_, models, _)) in zip(names, rows, strict=True)
        ]
    defences = [*draft.invulnerable, *(d for kit in there for d in kit.invulnerable)]
    made.problems += [DEPENDS.format("an invulnerable save")] if any(d.conditional for d in defences) else []
    made.problems += sorted(
        {
            f"{name} is not carried by default, its save counts where a list names it"
            if defence.value
            else f"{name} is not carried by default, its save is left out"
            for kit in draft.kits
            for name, defence in kit.shields.items()
        }
    )
    made.problems += [DEPENDS.format("a Feel No Pain")] if any(d.conditional for d in draft.pain) else []
    limited = {
        kind: value for d in defences for kind, value in (("ranged", d.ranged), ("melee", d.melee)) if value
    }
    if limited:
        fields["effect"] = [
            {"name": f"Invulnerable save, {kind}", "when": [kind], "invuln": value}
            for kind, value in limited.items()
        ]
    return fields


def _column(profile: Profile, draft: Draft, kit: ModelGroupDraft) -> None:
    """Notes the invulnerable save of a profile that has a column for it, where no text says it already."""
    save = column_save(profile.get("InSv"))
    told = any(d.value or d.ranged or d.melee for d in (*draft.invulnerable, *kit.invulnerable))
    if save is not None and not (save.conditional and told):
        kit.invulnerable.append(save)


def _group_names(pairs: list[tuple[str, str]]) -> list[str]:
    """A name of its own for each group: that of its profile, else that of its models."""
    names: list[str] = []
    for profile, called in pairs:
        name, copy = profile if profile not in names else called, 2
        while name in names:
            name, copy = f"{called} ({copy})", copy + 1
        names.append(name)
    return names


def _rules(draft: Draft) -> dict[str, Any]:
    """Core abilities of a unit that a datasheet has a field for."""
    rules: dict[str, Any] = {}
    roles = next((f.choices for f in attacks_of(draft.system).unit_fields if f.name == "role"), ())
    for rule in draft.rules:
        name = rule.lower().strip()
        if name in FLAGS:
            rules[FLAGS[name]] = True
        elif name in roles:
            rules["role"] = name
        elif name.startswith("deadly demise "):
            with suppress(UnreadableError):  # a demise without a value depends on a text
                rules["deadly_demise"] = count(name.removeprefix("deadly demise "))
    return rules


@dataclass(slots=True)
class _Row:
    read: WeaponRead
    fields: dict[str, Any]
    bearers: int = 0
    champions: int = 0
    spare: int = 0  # who has it without striking with it by default
    possible: int = 0  # how many could be there who carry it


def _weapons(draft: Draft, models: int, made: DatasheetFields) -> list[dict[str, Any]]:
    rows: dict[tuple[str, str, str], _Row] = {}
    champions = any(kit.champion for kit in draft.kits)
    refused: set[str] = set()
    counted: set[tuple[Profile, str]] = set()
    texts = (*draft.texts, *(one for kit in draft.kits for one in kit.texts))
    together = used_together(one.rule.text for one in texts)
    for kit in draft.kits:
        carried = [(profile, each, False) for profile, each in kit.weapons] + [
            (profile, each, True) for profile, each in kit.optional
        ]
        reads = [
            (read_weapon(draft.system, profile), profile, each, spare) for profile, each, spare in carried
        ]
        struck = _struck([(read, spare) for read, _, _, spare in reads], together)
        for index, (read, profile, each, _) in enumerate(reads):
            if (profile, profile.kind) not in counted:
                counted.add((profile, profile.kind))
                made.understood.update(read.understood)
                made.unknown.update(read.unknown)
                if read.unknown:
                    made.notes.setdefault(read.name, []).extend(read.unknown)
            if read.fields is None:
                if read.name not in refused:
                    made.problems.append(f"{read.name}: {read.problem}; the weapon is left out")
                    refused.add(read.name)
                continue
            if not struck[index] or not kit.models:
                row = rows.setdefault((read.name, read.kind, _key(read.fields)), _Row(read, read.fields))
                if kit.models:
                    row.spare += min(each, kit.models)
                else:
                    row.possible = max(row.possible, min(each, models))
                continue
            all_fire = read.kind == "ranged" and attacks_of(draft.system).fires_copies
            for copies, bearers in shares(each, kit.models, all_fire):
                fields = {**read.fields, **({"copies": copies} if copies > 1 else {})}
                row = rows.setdefault((fields["name"], read.kind, _key(fields)), _Row(read, fields))
                row.bearers += bearers
                row.champions += bearers if kit.champion else 0
    made_rows = list(rows.values())
    return _named(made_rows, models, champions and (draft.exact or not _as_keyword_says(made_rows, models)))


def _as_keyword_says(rows: list[_Row], models: int) -> bool:
    """Whether the keyword CHAMPION alone puts the champions where they are: on weapons of all, else on the
    most carried (AOS4-CM-1.0).
    """
    for kind in ("melee", "ranged"):
        struck = [row for row in rows if row.read.kind == kind and row.bearers]
        partial = [row for row in struck if row.bearers < models]
        most = max(partial, key=lambda row: row.bearers, default=None)
        if any((row.champions > 0) != (row not in partial or row is most) for row in struck):
            return False
    return True


def _key(fields: dict[str, Any]) -> str:
    return repr({key: value for key, value in fields.items() if key != "name"})


def _struck(reads: list[tuple[WeaponRead, bool]], together: Mapping[str, int]) -> list[bool]:
    """Which weapons a model uses unless told otherwise: the first mode of each, or so many together."""
    families: Counter[tuple[str, str]] = Counter()
    used = []
    for read, spare in reads:
        first = families[read.family, read.kind] < together.get(read.family, 1) or not read.family
        families[read.family, read.kind] += 1
        used.append(first and not spare and read.fields is not None)
    return used


def _named(rows: list[_Row], models: int, champions: bool) -> list[dict[str, Any]]:
    """The weapons as datasheet tables, each with a name of its own."""
    tables: list[dict[str, Any]] = []
    names = Counter(row.fields["name"] for row in rows)
    kinds = Counter((row.fields["name"], row.read.kind) for row in rows)
    taken: set[str] = set()
    for row in rows:
        name = row.fields["name"]
        if names[name] > 1 and row.read.kind == "ranged" and kinds[name, "melee"]:
            name = f"{name} (ranged)"
        plain, copy = name, 2
        while name in taken:
            name, copy = f"{plain} ({copy})", copy + 1
        taken.add(name)
        fields = {**row.fields, "name": name}
        bearers = row.bearers or max(row.spare, row.possible)
        if 0 < bearers < models:
            fields["models"] = bearers
        if row.bearers == 0:
            fields["optional"] = True
        if champions:
            fields["champions"] = row.champions
        tables.append(fields)
    return tables
