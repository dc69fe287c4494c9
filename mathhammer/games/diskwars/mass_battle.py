"""The question about a melee: all clashes of the pins, with strikes as said or as is best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mathhammer.games.diskwars.best_strikes import strike_lines, with_best_strikes
from mathhammer.games.diskwars.disk import RESIST_MODES, Disk
from mathhammer.games.diskwars.melee import Table, clashes, fight_clashes, read_table
from mathhammer.games.fields import choice


def melee(
    *,
    disks: Sequence[Mapping[str, Any] | str],
    pins: Sequence[Sequence[str]] = (),
    targets: Mapping[str, Mapping[str, str]] | None = None,
    stacks: Sequence[Sequence[str]] = (),
    resist_mode: str = "instance",
    best: str | None = None,
) -> dict[str, Any]:
    """All clashes of a melee phase, which roll no dice: what is on each disk in the end.

    `pins` are pairs (upper, lower); `stacks` are piles from top to bottom, the same said shorter. `targets`
    are the strikes of disks that have a choice; with `best` "both" all others are those of best play, with
    the name of an owner his (DW-MEL-4: the attacking side chooses first).

    >>> boyz = {"id": "boyz", "owner": "orc", "attack": 5, "counter": 3, "stamina": 4}
    >>> swords = {"id": "swords", "owner": "empire", "counter": 3, "stamina": 4}
    >>> melee(disks=[boyz, swords], pins=[["boyz", "swords"]])["final"]["swords"]["destroyed"]
    True
    """
    choice("melee", "resist mode", resist_mode, RESIST_MODES)
    table = read_table("melee", disks, pins, stacks, targets)
    if best is not None:
        table = with_best_strikes(table, best, resist_mode)
    after, log = fight_clashes(table, resist_mode)
    final = {
        name: {"damage": disk.damage, "wounds": disk.wounds, "destroyed": disk.destroyed}
        for name, disk in after.items()
    }
    return {
        "final": final,
        "strikes": [
            {"disk": disk, "role": role, "victim": victim} for (disk, role), victim in table.chosen.items()
        ],
        "log": log,
        "dice_set": "none (no dice are rolled)",
        "explain": _explain(table, after, log),
    }


def _explain(table: Table, after: Mapping[str, Disk], log: Sequence[Mapping[str, Any]]) -> str:
    lines = ["Melee: attack and counter are fixed figures, no dice are rolled (DW-MEL-3)."]
    for number, clash in enumerate(clashes(table), 1):
        pins = ", ".join(f"{upper} on {lower}" for upper, lower in clash)
        lines.append(f"Clash {number} (DW-MASS-2: from the top of the pile down): {pins}.")
    lines += strike_lines(table)
    for packet in log:
        wound = " and is wounded" if packet["wound"] else ""
        lines.append(f"  {packet['step']} step (DW-MEL-9): {packet['disk']} takes {packet['damage']}{wound}.")
    lost = [name for name, disk in after.items() if disk.destroyed]
    lines.append(f"Destroyed (DW-DMG-3): {', '.join(lost) if lost else 'none'}.")
    return "\n".join(lines)
