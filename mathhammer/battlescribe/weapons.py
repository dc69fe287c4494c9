"""Weapon profiles as the fields of a datasheet."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import field
from typing import Any

from mathhammer.battlescribe.abilities import read_abilities
from mathhammer.battlescribe.profiles import Profile
from mathhammer.battlescribe.values import UnreadableError, count, inches, number, roll
from mathhammer.dataclass import dataclass
from mathhammer.games.discovery import family_of
from mathhammer.text import fold

_TOGETHER = re.compile(r"[Ss]elect up to (\d) (?:different )?([A-Z][^.,;:]{0,60}?) weapons")
_MODE = re.compile(r"➤ ?(.+?) [-–] (.+)")


@dataclass(frozen=True, slots=True)
class WeaponRead:
    """A weapon profile read: its datasheet fields (None when it has no numbers), and what
    was not understood.
    """

    name: str
    kind: str
    fields: dict[str, Any] | None
    problem: str = ""
    understood: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    family: str = field(default="")  # profiles of one weapon of which one is chosen share it


def spelled(name: str) -> tuple[str, str]:
    """A weapon's name without catalogue marks, and the family of which it is one mode (empty when it has no
    modes).

    >>> spelled("➤ Plasma pistol - supercharge"), spelled("Great Cannon: Grapeshot")
    (('Plasma pistol (supercharge)', 'Plasma pistol'), ('Great Cannon: Grapeshot', 'Great Cannon'))
    >>> spelled("Chainblade")
    ('Chainblade', '')
    """
    plain = name.rstrip("*").strip()
    if match := _MODE.fullmatch(plain):
        return f"{match[1]} ({match[2]})", match[1]
    plain = plain.removeprefix("➤").strip()
    family, colon, _ = plain.partition(": ")
    return plain, family if colon else ""


def used_together(texts: Iterable[str]) -> dict[str, int]:
    """How many profiles of one weapon are used at once, where a text says so.

    >>> used_together(["First select up to 2 different Star Powers weapons."])
    {'Star Powers': 2}
    """
    found = (match for text in texts for match in _TOGETHER.finditer(fold(text)))
    return {match[2]: int(match[1]) for match in found}


def read_weapon(system: str, profile: Profile) -> WeaponRead:
    """A weapon profile as datasheet fields.

    >>> axe = Profile("Axe", "melee", (("Atk", "2"), ("Hit", "3+"), ("Wnd", "4+"), ("Rnd", "-"),
    ...     ("Dmg", "D3"), ("Ability", "Companion")))
    >>> read_weapon("aos4", axe).fields["damage"]
    'D3'
    >>> read_weapon("aos4", Profile("Beam", "ranged", (("Atk", "1"), ("Rng", '9"'), ("Hit", "3+"),
    ...     ("Wnd", "⟝See⟞")))).problem
    "Wnd '⟝See⟞' is not a number"
    """
    name, family = spelled(profile.name)
    known, unknown = read_abilities(system, profile.get("Ability", "Keywords"))
    read = WeaponRead(name, profile.kind, None, "", known, unknown, family)
    reading = _sigmar if family_of(system) == "sigmar" else _wh40k
    try:
        fields = reading(profile, known)
    except UnreadableError as error:
        return WeaponRead(name, profile.kind, None, str(error), known, unknown, family)
    fields = {"name": name, "kind": profile.kind, **fields}
    if known:
        fields["abilities"] = list(known)
    return WeaponRead(name, profile.kind, fields, read.problem, known, unknown, family)


def _value(profile: Profile, reading: Any, *names: str) -> Any:
    try:
        return reading(profile.get(*names))
    except UnreadableError as error:
        raise UnreadableError(f"{names[0]} {error}") from None


def _range(profile: Profile, *names: str) -> dict[str, Any]:
    if profile.kind != "ranged":
        return {}
    reach = _value(profile, inches, *names)
    return {"range": reach} if isinstance(reach, int) and reach > 0 else {}


def _sigmar(profile: Profile, known: tuple[str, ...]) -> dict[str, Any]:  # noqa: ARG001  both games have one signature
    fields = _range(profile, "Rng")
    fields["attacks"] = _value(profile, count, "Atk")
    for key, name in (("hit", "Hit"), ("wound", "Wnd")):
        need = _value(profile, roll, name)
        if need is None:
            raise UnreadableError(f"{name} {profile.get(name)!r} is not a roll of a D6")
        fields[key] = need
    rend = abs(_value(profile, number, "Rnd"))
    if rend:
        fields["rend"] = rend
    fields["damage"] = _value(profile, count, "Dmg")
    return fields


def _wh40k(profile: Profile, known: tuple[str, ...]) -> dict[str, Any]:
    fields = {} if profile.get("Range").strip().lower() == "melee" else _range(profile, "Range")
    fields["attacks"] = _value(profile, count, "A")
    skill = (
        _value(profile, roll, "BS", "WS") if profile.kind == "ranged" else _value(profile, roll, "WS", "BS")
    )
    if skill is not None:
        fields["skill"] = skill
    elif "Torrent" not in known:  # only a weapon that hits without a roll may lack a skill
        raise UnreadableError(
            f"{'BS' if profile.kind == 'ranged' else 'WS'} {profile.get('BS', 'WS')!r} is not a roll of a D6"
        )
    fields["strength"] = _value(profile, number, "S")
    fields["ap"] = -abs(_value(profile, number, "AP"))
    fields["damage"] = _value(profile, count, "D")
    return fields
