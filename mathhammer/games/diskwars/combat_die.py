"""The combat die: five symbols, faces as data, and what the symbols count as."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mathhammer.dice.symbols import MOST_FACES, Die, make_die
from mathhammer.errors import BadInputError
from mathhammer.games.fields import choice, mapped, whole
from mathhammer.games.records import DiceSet, chosen_dice

SYMBOLS = ("hit", "crit", "miss", "scatter", "chaos")  # DW-DIE-1
Faces = str | Mapping[str, int] | None


def combat_die(where: str, faces: Faces) -> tuple[Die, DiceSet]:
    """The combat die with the faces of a set (DW-DIE-3), and that set.

    >>> die, used = combat_die("ranged", "alt_lean")
    >>> str(die), used.name
    ('hit, crit, miss, miss, scatter, chaos', 'alt_lean')
    """
    used = chosen_dice("diskwars", where, faces)
    sides: list[tuple[str]] = []
    for symbol, number in used.faces.items():
        choice(f"{where}: faces", "symbol", symbol, SYMBOLS)
        sides += [(symbol,)] * whole(f"{where}: faces", symbol, number, 0, MOST_FACES)
    return make_die(where, "combat", sides, SYMBOLS), used


def meanings(where: str, convert: Mapping[str, str] | None, siege: bool) -> dict[str, str]:
    """What each symbol counts as in every roll of an attack: conversions first, then siege range.

    >>> (meanings("ranged", {"miss": "hit"}, siege=False)["miss"],
    ...  meanings("ranged", {"crit": "hit"}, siege=True)["crit"])
    ('hit', 'miss')
    """
    meaning = {symbol: symbol for symbol in SYMBOLS}
    # DW-RNG-9: one step, no chain
    for old, new in mapped(f"{where}: convert", convert or {}, "symbol to symbol").items():
        meaning[choice(f"{where}: convert", "symbol", old, SYMBOLS)] = choice(
            f"{where}: convert", "symbol", new, SYMBOLS
        )
    if siege:  # DW-RNG-4: plain hits are void, in scatter re-rolls too
        meaning = {
            symbol: "miss" if counts_as == "hit" else counts_as for symbol, counts_as in meaning.items()
        }
    return meaning


def read_symbols(where: str, rolled: Any, wanted: int) -> tuple[str, ...]:
    """Symbols that dice showed, as many as were rolled.

    >>> read_symbols("ranged_roll", ["hit", "miss"], 2)
    ('hit', 'miss')
    """
    if isinstance(rolled, str) or not isinstance(rolled, (list, tuple)) or len(rolled) != wanted:
        raise BadInputError(
            f"{where}: {rolled!r} is not a roll of {wanted} dice (give a list of {wanted} symbols)"
        )
    return tuple(choice(where, "symbol", symbol, SYMBOLS) for symbol in rolled)
