"""Regiment against regiment: what each disk does to each disk in a clash, and how to pair them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from math import perm
from typing import Any

from mathhammer.errors import BadInputError, TooLargeError, UnknownNameError
from mathhammer.games.diskwars.best_strikes import Score, score
from mathhammer.games.diskwars.disk import PROFILE, RESIST_MODES, Disk, read_disk
from mathhammer.games.diskwars.melee import Table, fight_clashes
from mathhammer.games.diskwars.text import read_disk_text
from mathhammer.games.fields import choice, listed, mapped
from mathhammer.games.records import records, same_name

Odds = dict[str, Any]
NEEDED = ("attack", "counter", "stamina")
MOST_PAIRINGS = 100_000


def disks_of(where: str, regiment: Any) -> list[str]:
    """The disks of a ready-made regiment, its hero first, or a list of disks.

    >>> disks_of("regiments: a", "Grimgor")
    ['Grimgor', 'Orc Boyz', 'Orc Boyz', 'Orc Boyz', 'Arrer Boyz', 'Rock Lobber']
    """
    if not isinstance(regiment, str):
        return [str(name) for name in listed(where, "disks", regiment)]
    known = records("diskwars", "disks.toml", "regiment")
    name = same_name(regiment).removesuffix(" regiment")
    disks = records("diskwars", "disks.toml", "disk")
    if name not in known and same_name(regiment) in disks:
        return [disks[same_name(regiment)]["name"]]
    if name not in known:
        raise UnknownNameError(where, "regiment", regiment, [record["name"] for record in known.values()])
    return [known[name]["name"], *known[name]["units"]]


def _figures(where: str, given: Any) -> dict[str, dict[str, Any]]:
    """Figures of disks by their compared names, from texts such as "Arrer Boyz: counter 3"."""
    found: dict[str, dict[str, Any]] = {}
    for text in listed(where, "figures", given):
        fields = read_disk_text(where, str(text))
        found[same_name(fields["id"])] = {k: v for k, v in fields.items() if k in PROFILE}
    return found


def _side(
    where: str, names: Sequence[str], owner: str, figures: Mapping[str, Any], assumed: Mapping[str, Any]
) -> tuple[list[Disk], list[str]]:
    """The disks of a side, and which of their figures are assumed."""
    sheets = records("diskwars", "disks.toml", "disk")
    disks, told = [], []
    for number, name in enumerate(names):
        known = {k: v for k, v in sheets.get(same_name(name), {}).items() if k in PROFILE}
        known |= figures.get(same_name(name), {})
        missing = [figure for figure in NEEDED if figure not in known]
        if [figure for figure in missing if figure not in assumed]:
            raise BadInputError(
                f"{where}: {name}: {', '.join(missing)} not known (give figures such as '{name}: "
                f"{', '.join(f'{figure} 4' for figure in missing)}', or say what to assume)"
            )
        if missing:
            told.append(f"{name}: {', '.join(f'{figure} {assumed[figure]}' for figure in missing)}")
        copy = names[:number].count(name) + 1
        label = name if names.count(name) == 1 else f"{name}#{copy}"
        fields = {**{figure: assumed[figure] for figure in missing}, **known}
        disks.append(read_disk(where, {"id": f"{label} ({owner})", "owner": owner, **fields})[0])
    return disks, list(dict.fromkeys(told))


def regiments(
    *,
    a: str | Sequence[str],
    b: str | Sequence[str],
    figures: Sequence[str] = (),
    assume: Mapping[str, int] | None = None,
    resist_mode: str = "instance",
) -> Odds:
    """Two regiments against each other: every disk of a pins every disk of b in turn (no dice, DW-MEL-3), and
    the pairing that is best for a.

    `a` and `b` are ready-made regiments by the name of their hero, or lists of disks; `figures` are texts
    such as "Arrer Boyz: counter 3, stamina 4"; `assume` are the attack, counter and stamina of disks for
    which they are not known, and the answer names those disks.

    >>> answer = regiments(a=["Orc Boyz"], b=["Marienburg Swordsmen"],
    ...     figures=["Orc Boyz: counter 3", "Marienburg Swordsmen: attack 3, stamina 4"])
    >>> answer["clashes"][0]["b_destroyed"], answer["clashes"][0]["a_destroyed"]
    (True, False)
    """
    choice("regiments", "resist mode", resist_mode, RESIST_MODES)
    said = _figures("regiments", figures)
    assumed = {
        name: value
        for name, value in mapped("regiments: assume", assume or {}, "attack, counter, stamina").items()
        if choice("regiments: assume", "figure", name, NEEDED)
    }
    sides, told = [], []
    for owner, given in (("a", a), ("b", b)):
        disks, lines = _side(
            f"regiments: {owner}", disks_of(f"regiments: {owner}", given), owner, said, assumed
        )
        if not disks:
            raise BadInputError(f"regiments: {owner}: no disks (give a regiment, or a list of disks)")
        sides.append(disks)
        told += lines
    pairs = {
        (upper.id, lower.id): _clash(upper, lower, resist_mode) for upper in sides[0] for lower in sides[1]
    }
    best = _pairing(sides[0], sides[1], pairs)
    rows = [
        {
            "a": upper,
            "b": lower,
            "a_destroyed": after[0].destroyed,
            "b_destroyed": after[1].destroyed,
            "a_damage": after[0].damage,
            "b_damage": after[1].damage,
            "a_wounds": after[0].wounds,
            "b_wounds": after[1].wounds,
        }
        for (upper, lower), after in pairs.items()
    ]
    paired = [pairs[pair] for pair in best]
    return {
        "clashes": rows,
        "pairing": [list(pair) for pair in best],
        "a_lost": sum(after[0].destroyed for after in paired),
        "b_lost": sum(after[1].destroyed for after in paired),
        "assumed": told,
        "dice_set": "none (no dice are rolled)",
        "explain": "\n".join(_lines(pairs, best, told)),
    }


def _clash(upper: Disk, lower: Disk, resist_mode: str) -> tuple[Disk, Disk]:
    """Both disks after a clash in which the upper one attacks."""
    table = Table((upper, lower), ((upper.id, lower.id),), {})
    after, _ = fight_clashes(table, resist_mode)
    return after[upper.id], after[lower.id]


def _pairing(
    ours: Sequence[Disk], theirs: Sequence[Disk], pairs: Mapping[tuple[str, str], tuple[Disk, Disk]]
) -> list[tuple[str, str]]:
    """Each disk of the smaller side in one clash, as is best for a: enemy disks destroyed less own ones."""
    few, many = sorted((ours, theirs), key=len)
    if perm(len(many), len(few)) > MOST_PAIRINGS:
        raise TooLargeError(
            f"regiments: more than {MOST_PAIRINGS} ways to pair {len(ours)} and {len(theirs)} disks (give "
            "fewer disks)"
        )
    best: tuple[Score, list[tuple[str, str]]] | None = None
    for order in permutations(many, len(few)):
        met = zip(few, order, strict=True)
        chosen = [(x.id, y.id) if few is ours else (y.id, x.id) for x, y in met]
        value = score([disk for pair in chosen for disk in pairs[pair]], "a")
        if best is None or value > best[0]:
            best = value, chosen
    assert best is not None
    return best[1]


def _lines(
    pairs: Mapping[tuple[str, str], tuple[Disk, Disk]], best: Sequence[tuple[str, str]], told: Sequence[str]
) -> list[str]:
    lines = ["Disks of a pin disks of b, one clash each: attack and counter, no dice (DW-MEL-3)."]
    for upper, lower in best:
        first, second = pairs[upper, lower]
        fates = ", ".join(f"{disk.id} {fate(disk)}" for disk in (first, second))
        lines.append(f"{upper} on {lower}: {fates} (DW-DMG-2, DW-DMG-3).")
    return [*lines, *(f"Assumed: {line}." for line in told)]


def fate(disk: Disk) -> str:
    """What became of a disk, in words.

    >>> fate(Disk("x", stamina=4, damage=3))
    'stands with 3 damage'
    """
    if disk.destroyed:
        return "is destroyed"
    parts = [f"{disk.wounds} wounds"] if disk.wounds else []
    parts += [f"{disk.damage} damage"] if disk.damage else []
    return f"stands with {' and '.join(parts)}" if parts else "stands unharmed"
