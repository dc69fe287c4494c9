"""Disks as one types them: `Orc Boyz: counter 3, empowered`. Datasheets give what is left out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from mathhammer.errors import BadInputError, did_you_mean
from mathhammer.games.diskwars.words import ROLES, TAGS, TERRAIN
from mathhammer.games.records import records, same_name

NUMBERS = ("attack", "counter", "stamina", "toughness", "damage", "wounds", "overlap", "distance")
FLAGS = ("activated", "empowered", "berserk", "engaged")
LISTS = {"swift": ROLES, "slow": ROLES, "resist": TAGS, "immune": TAGS}
WORDS = (*NUMBERS, *FLAGS, *LISTS, *TERRAIN, "owner")
EXAMPLE = "attack 5, counter 3, stamina 4"


def known_disks() -> Mapping[str, Mapping[str, Any]]:
    """The datasheets of all disks by their compared names."""
    return records("diskwars", "disks.toml", "disk")


def read_disk_text(where: str, text: str) -> dict[str, Any]:
    """The fields of a disk from its name and what is said about it; `Orc Boyz#2` is a second disk of that
    kind.

    >>> read_disk_text("clash", "orc boyz#2: counter 3, swift attack")
    {'id': 'Orc Boyz#2', 'disk': 'Orc Boyz', 'counter': 3, 'swift': ['attack']}
    """
    text = text.strip()
    head, _, tail = text.partition(":")
    base, hash_, number = (" ".join(part.split()) for part in head.partition("#"))
    if not base or (hash_ and not number):
        raise BadInputError(f"{where}: {text!r} names no disk (write something like 'Orc Boyz: {EXAMPLE}')")
    record = known_disks().get(same_name(base))
    fields: dict[str, Any] = {"id": (base if record is None else record["name"]) + hash_ + number}
    if record is not None:
        fields["disk"] = record["name"]
    return fields | _figures(f"{where}: {fields['id']}", tail)


def _figures(where: str, text: str) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    words = re.split(r"[\s,]+", text.strip(" ,\t"))
    rest = [word for word in words if word]
    while rest:
        word = rest.pop(0).lower()
        if word not in WORDS:
            raise BadInputError(f"{where}: cannot read {word!r}{did_you_mean(word, WORDS)}")
        if word in NUMBERS:
            number = rest.pop(0) if rest else ""
            if not (number.isascii() and number.isdigit() and len(number) < 5):
                raise BadInputError(f"{where}: {word} needs a number (write {word} 4)")
            _once(where, fields, word, int(number))
        elif word in FLAGS:
            _once(where, fields, word, True)
        elif word in TERRAIN:
            fields.setdefault("terrain", []).append(word)
        elif word == "owner":
            if not rest:
                raise BadInputError(f"{where}: owner needs a name (write owner orcs)")
            _once(where, fields, word, rest.pop(0))
        elif rest and rest[0].lower() in LISTS[word]:
            fields.setdefault(word, []).append(rest.pop(0).lower())
        elif LISTS[word] is ROLES:  # Swift and Slow without more hold for both strikes
            fields[word] = list(ROLES)
        else:
            raise BadInputError(
                f"{where}: {word} needs a kind of damage{did_you_mean(rest[0] if rest else '', LISTS[word])}"
            )
    return fields


def _once(where: str, fields: dict[str, Any], word: str, value: Any) -> None:
    if word in fields:
        raise BadInputError(f"{where}: {word} is given twice ({fields[word]} and {value})")
    fields[word] = value


def need(where: str, disk: Mapping[str, Any], figure: str) -> None:
    """Raises when a figure that matters here is neither given nor in the datasheet:
    nothing is taken for 0 silently.
    """
    record = known_disks().get(same_name(disk.get("disk", "")), {})
    if figure in disk or figure in record:
        return
    if record:
        raise BadInputError(
            f"{where}: the {figure} of {record['name']} is not known (write '{disk['id']}: {figure} 4')"
        )
    if set(disk) <= {"id"}:
        names = [known["name"] for known in known_disks().values()]
        hint = did_you_mean(disk["id"], names) or f" (give its figures: '{disk['id']}: {EXAMPLE}')"
        raise BadInputError(f"{where}: unknown disk {disk['id']!r}{hint}")
    raise BadInputError(f"{where}: {disk['id']} has no {figure} (write '{disk['id']}: {figure} 4')")


EVENTS = ("shoot", "magic", "impact", "dangerous", "clash", "end phase")
EVENT = "shoot 3 dice, strength 3, medium"
_RANGES = ("short", "medium", "long", "siege")


def read_event_text(where: str, text: str) -> dict[str, Any]:
    """An event of a round: `shoot 3 dice, strength 3, medium, cover`, `shoot Bolt Thrower, siege`, `magic 2`,
    `impact 1`, `dangerous physical`, `clash Karl Franz > Orc Boyz`, `end phase`; each with `at DISK`.

    >>> read_event_text("round", "shoot 3 dice, strength d6, long, at Orc Boyz, neighbour Arrer Boyz")
    {'shot': {'dice': 3, 'strength': 'd6', 'range': 'long', 'neighbours': ['Arrer Boyz']}, 'at': 'Orc Boyz'}
    >>> read_event_text("round", "clash Karl Franz > Orc Boyz")
    {'clash': {'pins': [['Karl Franz', 'Orc Boyz']]}}
    """
    said = " ".join(text.split())
    kind = next(
        (kind for kind in EVENTS if said.lower() == kind or said.lower().startswith(f"{kind} ")), None
    )
    if kind is None:
        raise BadInputError(
            f"{where}: cannot read {text!r} (write something like {EVENT!r}, or one of "
            f"{', '.join(EVENTS[1:])})"
        )
    rest = said[len(kind) :].strip()
    if kind == "clash":
        pile = [part.strip() for part in rest.split(">")]
        if len(pile) < 2 or not all(pile):
            raise BadInputError(f"{where}: {text!r} pins no disk (write 'clash UPPER > LOWER')")
        return {"clash": {"pins": [list(pair) for pair in pairwise(pile)]}}
    words = [word.strip() for word in rest.split(",") if word.strip()]
    at = [word[3:].strip() for word in words if word.lower().startswith("at ")]
    words = [word for word in words if not word.lower().startswith("at ")]
    found: dict[str, Any] = {"at": at[-1]} if at else {}
    if kind == "end phase":
        return {"end_phase": True}
    if kind == "shoot":
        return {"shot": _shot_words(where, text, words)} | found
    if len(words) != 1 or (kind != "dangerous" and not words[0].isdigit()):
        example = f"{kind} physical" if kind == "dangerous" else f"{kind} 2"
        raise BadInputError(f"{where}: cannot read {text!r} (write something like {example!r})")
    return {kind: words[0] if kind == "dangerous" else int(words[0])} | found


def _shot_words(where: str, text: str, words: list[str]) -> dict[str, Any]:
    """The fields of a volley."""
    fields: dict[str, Any] = {}
    for word in words:
        low = word.lower()
        number = re.fullmatch(r"(\d{1,3}) dic?e", low)
        strength = re.fullmatch(r"strength (\d{1,3}|d6)", low)
        if number:
            fields["dice"] = int(number[1])
        elif strength:
            fields["strength"] = int(strength[1]) if strength[1].isdigit() else strength[1]
        elif low in _RANGES:
            fields["range"] = low
        elif low == "cover":
            fields["cover"] = True
        elif low in ("magic", "physical"):
            fields["damage_type"] = low
        elif low.startswith("neighbour "):
            fields.setdefault("neighbours", []).append(word[len("neighbour ") :].strip())
        elif same_name(word) in known_disks():
            fields["shooter"] = known_disks()[same_name(word)]["name"]
        else:
            names = [disk["name"] for disk in known_disks().values()]
            known = (*_RANGES, "cover", "3 dice", "strength 3", *names)
            raise BadInputError(f"{where}: cannot read {word!r} in {text!r}{did_you_mean(word, known)}")
    if "range" not in fields:
        raise BadInputError(f"{where}: {text!r} has no range (write something like {EVENT!r})")
    return fields
