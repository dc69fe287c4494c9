"""What there is to choose from: games, and units by a part of their name."""

from __future__ import annotations

from typing import Any

from mathhammer.compare.controls import SIDES, commands_for, controls, situations_for, sliders
from mathhammer.datasheets.library import TARGETS, Sheet, reference_targets, sheets
from mathhammer.errors import BadInputError
from mathhammer.games.buff_words import offered_buffs
from mathhammer.games.discovery import DEFAULT, attacks_of, game_keys, get_game
from mathhammer.games.profile_text import defence_text
from mathhammer.serve.fields import Field, read_fields

MOST_FOUND = 40
SEARCH = (
    Field("system", "text", "The game, by its key."),
    Field("q", "text", "A part of the name, the faction or a keyword.", ""),
)
UNIT = (
    Field("system", "text", "The game, by its key. Default: the one that has the unit."),
    Field("text", "text", "A unit or an expression; of a target also a profile in one line.", ""),
    Field("side", "choice", "Which side it is on.", "attacker", choices=SIDES),
)


def games() -> dict[str, Any]:
    """The games whose units attack, and which of them is shown first.

    >>> games()["first"] in [one["key"] for one in games()["games"]]
    True
    """
    fighting = [get_game(key) for key in game_keys() if get_game(key).attacks is not None]
    return {
        "first": DEFAULT,
        "games": [{"key": game.key, "title": game.title, "short": game.short_title} for game in fighting],
    }


def game_words(system: str) -> dict[str, Any]:
    """What a game knows: reference targets, situations, commands, buffs, and how a target is typed.

    >>> [one["label"] for one in game_words("aos4")["sliders"]]
    ['Save', 'Ward', 'Health', 'Models']
    """
    attacks = attacks_of(system, "games")
    targets = [{"name": unit.label, "text": defence_text(unit)} for unit in reference_targets(system)]
    words = {
        side: {
            "situations": situations_for(attacks, side),
            "commands": commands_for(attacks, side),
            "buffs": offered_buffs(attacks, side),
        }
        for side in SIDES
    }
    return {"key": system, "targets": targets, "sliders": sliders(attacks), "words": words}


def search(given: Any) -> dict[str, Any]:
    """Units of a game with a word in their name, faction or keywords; names that begin with it come first.

    >>> [one["name"] for one in search({"system": "aos4", "q": "clan"})["units"]][:1]
    ['Clanrats']
    """
    fields = read_fields("units", SEARCH, given)
    system = fields["system"] or DEFAULT
    attacks_of(system, "units")
    words = fields["q"].lower().split()
    found = [
        (place, sheet)
        for sheet in sheets(system)
        if sheet.path.name != TARGETS and (place := _place(sheet, words)) is not None
    ]
    found.sort(key=lambda one: (one[0], one[1].name))
    unique = list({sheet.name.lower(): sheet for _, sheet in reversed(found)}.values())[::-1]
    return {
        "found": len(unique),
        "units": [
            {"name": sheet.name, "faction": sheet.faction, "points": sheet.fields.get("points")}
            for sheet in unique[:MOST_FOUND]
        ],
    }


def _place(sheet: Sheet, words: list[str]) -> int | None:
    """How well a unit fits: 0 its name begins with the words, 1 they are in it, 2 elsewhere; None: not."""
    name = sheet.name.lower()
    if name.startswith(" ".join(words)):
        return 0
    if all(word in name for word in words):
        return 1
    rest = " ".join([name, sheet.faction, *map(str, sheet.fields.get("keywords", []))]).lower()
    return 2 if all(word in rest for word in words) else None


def unit(given: Any) -> dict[str, Any]:
    """A unit and everything that can be switched of it.

    >>> unit({"text": "10 Liberators: charged"})["models"]
    10
    """
    fields = read_fields("unit", UNIT, given)
    if not fields["text"].strip():
        raise BadInputError("unit: no text (give the name of a unit)")
    return controls(fields["text"], fields["system"] or None, fields["side"])
