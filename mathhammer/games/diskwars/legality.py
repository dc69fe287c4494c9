"""Army building of Diskwars: the rules DW-ARMY-1 to DW-ARMY-14, asked of the game itself."""

from __future__ import annotations

from typing import Any

from mathhammer.errors import MathhammerError
from mathhammer.games.discovery import get_game
from mathhammer.units.findings import Finding
from mathhammer.units.roster import Block, Entry, Roster

GAME = "diskwars"


def check(roster: Roster) -> list[Finding]:
    """All findings about a Diskwars army; `limit` is the number of regiments agreed."""
    army: Any = get_game(GAME).questions["army"]
    try:
        answer = army(regiments=[_regiment(block) for block in roster.blocks], regiment_limit=roster.limit)
    except MathhammerError as error:
        return [Finding("cannot check", "DW-ARMY", str(error))]
    found = []
    for line in str(answer["explain"]).splitlines():
        rule, colon, what = line.partition(": ")
        if colon and rule.startswith("DW-ARMY-"):
            found.append(Finding("broken", rule, what.rstrip(".")))
    if roster.limit is None:
        found.append(
            Finding(
                "cannot check",
                "DW-ARMY-1",
                "how many regiments were agreed: the list has no limit (2 short, 3 long game)",
            )
        )
    found.append(
        Finding("note", "DW-ARMY-14", f"{answer['unspent_points']} unspent points: the initiative bonus")
    )
    return found


def _regiment(block: Block) -> dict[str, Any]:
    hero = next((entry for entry in block.entries if entry.general), None)
    units = [_disk(entry) for entry in block.entries if not entry.general]
    cards = [dict(card) if isinstance(card, tuple) else card for card in block.cards]
    return {"hero": None if hero is None else _disk(hero), "units": units, "commands": cards}


def _disk(entry: Entry) -> Any:
    return dict(entry.details) if entry.details else entry.name
