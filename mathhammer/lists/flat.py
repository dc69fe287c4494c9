"""Bullets without indentation, as tournament sites store them: which are models, and what they carry."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from mathhammer.lists.text_parts import Part
from mathhammer.names import normal, singular
from mathhammer.units.roster import Entry, Item, Kind

# words of unit names that say nothing about their models, and the last words of names of those who lead them
FILLERS = frozenset("squad team unit pack mob band the of with and".split())
LEADERS = frozenset(
    (
        "sergeant champion leader nob superior prime exarch boss theyn alpha princeps captain hesyr kaptin "
        "sarge shasui shasvre felarch klaivex helliarch hekatrix sybarite solarite tempestor ancient"
    ).split()
)


_BEHIND = re.compile(r" (?:of|on|with|in|w/)", re.IGNORECASE)
FLAGS = ("warlord", "enhancement", "e: ", "b: ")  # what stands beside models and wargear


def words_of(name: str) -> list[str]:
    """The words of a name that tell, in the singular; what stands behind `w/` is wargear."""
    plain = singular(normal(name.partition(" w/")[0]))
    return [word for word in plain.split() if word not in FILLERS]


def like_model(unit: str, name: str) -> bool:
    """Whether a name is one of a model of that unit: its own words, or those of somebody who leads it.

    >>> like_model("Gutter Boyz", "Boy"), like_model("Forgefiend", "Forgefiend jaws")
    (True, False)
    >>> like_model("Jakhals", "Jakhal Pack Leader"), like_model("Khorne Berzerkers", "Icon of Khorne")
    (True, False)
    """
    own, words = set(words_of(unit)), words_of(name)
    last = words_of(_BEHIND.split(name, maxsplit=1)[0])[-1:]  # who it is stands before `of`, `on`, `with`
    return bool(words) and (set(words) <= own or (bool(last) and (last[0] in own or last[0] in LEADERS)))


def nested(unit: str, parts: Sequence[Part], continued: bool) -> list[Part]:
    """Bullets of one level as models with their wargear below.

    In the older layout of the app only the first item below a model has a bullet (`continued`): there a lone
    bullet before another one is a model. Where all have one, names tell; models go before wargear, so where
    one is named the first line is one too.
    """
    groups: list[list[Part]] = []
    for part in parts:
        if part.bullet or not groups:
            groups.append([part])
        else:
            groups[-1].append(part)
    plain = [group[0] for group in groups if not group[0].text.lower().startswith(FLAGS)]
    named = [part for part in plain if like_model(unit, part.text)]
    named += plain[:1] if named and plain[0].counted else []
    out: list[Part] = []
    model: Part | None = None
    empty = False  # a model always carries something
    for place, group in enumerate(groups):
        head, after = group[0], groups[place + 1][0] if place + 1 < len(groups) else None
        if head.text.lower().startswith(FLAGS):
            out += group
            continue
        ordered = continued and head.counted and after is not None and after.counted
        opens = ordered or (after is not None and any(head is part for part in named))
        if opens and len(group) == 1 and not empty:
            model, empty = head, True
            out.append(head)
        elif model is not None:
            model.parts += group
            empty = False
        else:
            out += group
    return out


def retold(entry: Entry, models: Sequence[str], weapons: Sequence[str]) -> Entry:
    """A unit whose models the list does not tell from their wargear, told by what the datasheet calls them;
    where it does not say, by their names alone.
    """
    known = {singular(normal(name)) for name in (*models, *(kind.name for kind in entry.kinds))}
    armed = {singular(normal(name.partition(" (")[0])) for name in weapons}

    def is_model(item: Item) -> bool:
        key = singular(normal(item.name.partition(" w/")[0]))
        return key not in armed and (key in known or (not models and like_model(entry.name, item.name)))

    kinds: list[Kind] = []
    items: list[Item] = []
    for item in _in_order(entry):
        if is_model(item):
            kinds.append(Kind(item.name, item.number))
        elif kinds:
            kinds[-1] = replace(kinds[-1], items=(*kinds[-1].items, item))
        else:
            items.append(item)
    if not kinds:
        return entry
    counted = entry.models in (None, sum(kind.number for kind in entry.kinds))
    number = sum(kind.number for kind in kinds) if counted else entry.models
    return replace(entry, kinds=tuple(kinds), items=tuple(items), models=number, told=True)


def _in_order(entry: Entry) -> list[Item]:
    """What the list names, models and what they carry, in its order."""
    kinds = [item for kind in entry.kinds for item in (Item(kind.name, kind.number), *kind.items)]
    return [*entry.items, *kinds]
