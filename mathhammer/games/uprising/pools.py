"""Coloured dice: faces as data, pools of colours, and what they show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mathhammer.dataclass import dataclass
from mathhammer.dice.symbols import Die, make_die
from mathhammer.errors import BadInputError
from mathhammer.games.fields import choice, listed, mapped, whole
from mathhammer.games.records import DiceSet, chosen_dice

SYMBOLS = ("skull", "shield", "bolt")
COLOURS = ("black", "purple", "red", "blue", "yellow", "white")  # UP-DICE-4: the strongest first
LETTERS = {"K": "black", "P": "purple", "R": "red", "B": "blue", "Y": "yellow", "W": "white"}
FACE_LETTERS = {"S": "skull", "H": "shield", "B": "bolt"}
MOST_DICE = 60
Faces = str | Mapping[str, Sequence[Sequence[str]]] | None


@dataclass(frozen=True, slots=True)
class DiceBox:
    """The dice of a set by colour."""

    used: DiceSet
    dice: Mapping[str, Die]

    def die(self, where: str, colour: str) -> Die:
        """The die of a colour; an error where the set has none."""
        if colour not in self.dice:
            raise BadInputError(
                f"{where}: no faces are given for {colour} dice (give them: faces = {{{colour!r}: "
                "[[...], "
                "...]})"
            )
        return self.dice[colour]

    def pool(self, where: str, colours: Iterable[str]) -> tuple[Die, ...]:
        """The dice of a pool, the strongest colour first."""
        return tuple(self.die(where, colour) for colour in strongest_first(colours))


def dice_box(where: str, faces: Faces) -> DiceBox:
    """The dice of a set (UP-DICE-3): the default, one by its name, or faces of one's own.

    >>> str(dice_box("pool", "alt").dice["purple"])
    'bolt, bolt+skull, skull, skull, skull, blank'
    """
    used = chosen_dice("uprising", where, faces)
    dice = {}
    for colour, sides in used.faces.items():
        choice(f"{where}: faces", "colour", colour, COLOURS)
        dice[colour] = make_die(where, colour, spelled_out(sides), SYMBOLS)
    return DiceBox(used, dice)


def spelled_out(sides: Any) -> Any:
    """Faces as lists of symbols, none for a blank (UP-DICE-1); the data files write S, H, B and -."""
    if not isinstance(sides, (list, tuple)):
        return sides
    return [
        [FACE_LETTERS.get(c, c) for c in side if c != "-"] if isinstance(side, str) else side
        for side in sides
    ]


def strongest_first(colours: Iterable[str]) -> list[str]:
    """Colours in the order of their strength (UP-DICE-4).

    >>> strongest_first(["white", "black", "blue"])
    ['black', 'blue', 'white']
    """
    return sorted(colours, key=COLOURS.index)


def read_colours(where: str, name: str, value: Any) -> tuple[str, ...]:
    """A list of colours; text such as "WWB" will do as well.

    >>> read_colours("battle: a", "archery", ["white", "blue"]), read_colours("datasheet", "row", "WB")
    (('white', 'blue'), ('white', 'blue'))
    """
    if isinstance(value, str):
        return tuple(LETTERS[choice(where, f"{name} letter", letter, LETTERS)] for letter in value)
    colours = tuple(choice(where, f"{name} colour", colour, COLOURS) for colour in listed(where, name, value))
    if len(colours) > MOST_DICE:
        raise BadInputError(f"{where}: {len(colours)} dice in {name} (give at most {MOST_DICE})")
    return colours


def read_pool(where: str, pool: Any) -> tuple[str, ...]:
    """A pool from colour to number.

    >>> read_pool("pool", {"white": 2, "red": 1})
    ('white', 'white', 'red')
    >>> read_pool("pool", {"pink": 1})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    mathhammer.errors.UnknownNameError: pool: unknown colour 'pink' (known: 'black', 'blue', ...)
    """
    colours: list[str] = []
    for colour, number in mapped(where, pool, "colour to number of dice").items():
        choice(where, "colour", colour, COLOURS)
        colours += [colour] * whole(where, colour, number, 0, MOST_DICE)
    if len(colours) > MOST_DICE:
        raise BadInputError(f"{where}: {len(colours)} dice (give at most {MOST_DICE})")
    return tuple(colours)


def read_reroll(where: str, reroll: Any, dice: int) -> tuple[int, ...]:
    """Rerolls of up to so many blanks, "any" for as many as there are (UP-RR-1); the AI's choice and the
    default (UP-RR-3).

    "all" throws every die again, which leaves the distribution of the pool as it is.

    >>> read_reroll("pool", "any", 4), read_reroll("pool", 0, 4), read_reroll("pool", "all", 4)
    ((4,), (), ())
    """
    if reroll == "any":
        return (dice,)
    if reroll == "all":
        return ()
    number = whole(where, "reroll", reroll, 0, MOST_DICE)
    return (number,) if number else ()


def in_words(colours: Iterable[str]) -> str:
    """A pool for people.

    >>> in_words(["white", "blue", "white"])
    'blue, 2 white'
    """
    ordered = strongest_first(colours)
    parts = [
        colour if ordered.count(colour) == 1 else f"{ordered.count(colour)} {colour}"
        for colour in dict.fromkeys(ordered)
    ]
    return ", ".join(parts) if parts else "no dice"
