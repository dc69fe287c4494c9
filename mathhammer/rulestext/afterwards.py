"""What later words change of earlier effects: instead, cumulative, one roll for all."""

from __future__ import annotations

import re
from dataclasses import replace

from mathhammer.rulestext.frame import Change

BEST_OF = ("reroll_", "ward", "fnp", "invuln", "crit_on", "crit_wound_on", "cover", "gain")


def one_roll(found: list[Change]) -> list[Change]:
    """A roll that decides more than mortal damage is one that all its effects need."""
    more = {
        change.roll.number
        for change in found
        if change.roll and change.needs and "mortal" not in change.changes
    }
    done = []
    for change in found:
        mortal = change.changes.get("mortal")
        if (
            change.roll
            and change.roll.number in more
            and isinstance(mortal, dict)
            and mortal.get("dice") == "1"
            and not change.needs
        ):
            bare = {key: value for key, value in mortal.items() if key == "each"}
            change = replace(change, needs=str(mortal["on"]), changes={**change.changes, "mortal": bare})
        done.append(change)
    return done


def with_companion(found: list[Change]) -> None:
    """ "This ability also affects Companion weapons": what was read so far reaches them."""
    found[:] = [
        replace(change, changes={**change.changes, "companion": True})
        if set(change.changes) & _OF_WEAPONS
        else change
        for change in found
    ]


def counted_by_use(found: list[Change]) -> None:
    """ "The effects are cumulative": what it adds is added each time it is used."""
    found[:] = [
        replace(
            change,
            changes={
                key: f"{value} per use" if _ADDS.fullmatch(str(value)) else value
                for key, value in change.changes.items()
            },
        )
        for change in found
    ]


_ADDS = re.compile(r"[+-]\d+")


_OF_WEAPONS = {"attacks", "damage", "rend", "hit", "wound", "hit_roll", "wound_roll", "gain"}


def replace_earlier(found: list[Change], unread: list[str], start: int) -> None:
    """What holds "instead" of an earlier change: the earlier one holds only where the later does not."""
    new = found[start:]
    for number in range(len(found)):
        earlier = found[number]
        if number >= start and (number == len(found) - 1 or not _same_key(earlier, new[-1])):
            continue
        for later in new:
            keys = set(later.changes) & set(earlier.changes)
            if (
                later is earlier
                or not keys
                or earlier.on != later.on
                or all(key.startswith(BEST_OF) for key in keys)
            ):
                continue
            if later.changes == earlier.changes and later.weapon == earlier.weapon:
                continue
            extra = [word for word in later.when if word not in earlier.when]
            apart = (
                {word.split(" ")[0] for word in later.when}
                & {word.split(" ")[0] for word in earlier.when}
                & {"lost", "models"}
            )
            if apart:
                continue
            if len(extra) != 1:
                unread.append("instead")
                continue
            earlier = replace(earlier, when=(*earlier.when, _negated(extra[0])))
        found[number] = earlier


def _same_key(first: Change, second: Change) -> bool:
    return bool(set(first.changes) & set(second.changes)) and len(second.when) > len(first.when)


def _negated(word: str) -> str:
    for yes, no in (
        ("has ", "lacks "),
        ("lacks ", "has "),
        ("target has ", "target lacks "),
        ("target lacks ", "target has "),
        ("not ", ""),
    ):
        if word.startswith(yes):
            return no + word.removeprefix(yes)
    return f"not {word}"
