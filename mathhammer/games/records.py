"""Facts of the symbol-dice games from the datasheets folder: dice sets and named records,
with clear errors.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from mathhammer.dataclass import dataclass
from mathhammer.errors import BadInputError, UnknownNameError
from mathhammer.games.fields import Fields, listed, mapped
from mathhammer.games.game import Field

PACKAGE = Path(__file__).parent.parent
FOLDERS = (PACKAGE / "_datasheets", PACKAGE.parent / "datasheets")  # in a wheel, in a checkout
CONFIDENCE = ("high", "medium", "low")
DICE_SET = (
    Field("name", "text", required=True, doc="its name"),
    Field("source", "text", required=True, doc="where the faces come from"),
    Field("confidence", "choice", required=True, choices=CONFIDENCE, doc="how far to trust them"),
    Field("default", "flag", doc="whether it is used where none is named"),
)


@dataclass(frozen=True, slots=True)
class DiceSet:
    """The faces of a game's dice as some source gives them, and how far to trust it."""

    name: str
    faces: Mapping[str, Any]
    source: str
    confidence: str
    default: bool = False

    def __str__(self) -> str:
        return f"{self.name} (confidence {self.confidence}: {self.source})"


def data_folder() -> Path:
    """The folder of all datasheets, beside the package in a checkout or inside it in a wheel.

    >>> (data_folder() / "diskwars" / "dice.toml").is_file()
    True
    """
    for folder in FOLDERS:
        if folder.is_dir():
            return folder
    raise BadInputError("datasheets: no folder found beside or inside the package (install mathhammer again)")


@cache
def load(system: str, name: str) -> Mapping[str, Any]:
    """One TOML file of a game as a mapping.

    >>> load("diskwars", "dice.toml")["system"]
    'diskwars'
    """
    where = f"datasheets/{system}/{name}"
    path = data_folder() / system / name
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise BadInputError(f"{where}: there is no such file (install mathhammer again)") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInputError(f"{where}: no valid TOML: {error} (mend that line)") from error
    if content.get("system") != system:
        raise BadInputError(f"{where}: system is {content.get('system')!r} (write system = {system!r})")
    return content


@cache
def dice_sets(system: str) -> tuple[DiceSet, ...]:
    """All dice sets of a game; exactly one of them is the default.

    >>> [made.name for made in dice_sets("diskwars")]
    ['assumed_default', 'alt_lean']
    """
    file = f"datasheets/{system}/dice.toml"
    sets = []
    for record in listed(file, "set", load(system, "dice.toml").get("set", [])):
        sets.append(read_dice_set(file, record))
    names = [made.name for made in sets]
    if sum(made.default for made in sets) != 1 or len(set(names)) != len(names):
        raise BadInputError(
            f"{file}: the sets are {names} (give each its own name, and exactly one default = true)"
        )
    return tuple(sets)


def read_dice_set(where: str, record: Any) -> DiceSet:
    """One `[[set]]` of a dice file, checked.

    >>> read_dice_set("mine", {"name": "lean", "faces": {"hit": 1}, "source": "a blog",
    ...     "confidence": "low"}).default
    False
    """
    fields = Fields(where, record, "name, faces, source and confidence")
    dice_set = DiceSet(
        name=fields.text("name"),
        faces=mapped(f"{where}: faces", fields.take("faces"), "the faces"),
        source=fields.text("source"),
        confidence=fields.choice("confidence", CONFIDENCE),
        default=fields.flag("default"),
    )
    fields.reject_unknown()
    return dice_set


def chosen_dice(system: str, where: str, faces: str | Mapping[str, Any] | None) -> DiceSet:
    """The default set, a set by its name, or faces of one's own under the name `custom`.

    >>> (chosen_dice("diskwars", "ranged", None).name,
    ...  chosen_dice("diskwars", "ranged", "alt_lean").faces["miss"])
    ('assumed_default', 2)
    >>> chosen_dice("diskwars", "ranged", "lean")
    Traceback (most recent call last):
    mathhammer.errors.UnknownNameError: ranged: unknown dice set 'lean' (did you mean 'alt_lean'?)
    """
    if isinstance(faces, (str, type(None))):
        sets = dice_sets(system)
        for made in sets:
            if made.name == faces or (made.default and faces in (None, "default")):
                return made
        raise UnknownNameError(where, "dice set", str(faces), [made.name for made in sets])
    return DiceSet(
        "custom",
        mapped(f"{where}: faces", faces, "the faces, or the name of a dice set"),
        "given with the question",
        "high",
    )


def same_name(name: str) -> str:
    """A name as it is compared: in lower case, with spaces for underscores.

    >>> same_name("New_Emperor")
    'new emperor'
    """
    return " ".join(name.replace("_", " ").lower().split())


@cache
def records(system: str, name: str, table: str) -> Mapping[str, Mapping[str, Any]]:
    """The records of one table of a file by their compared names.

    >>> records("diskwars", "disks.toml", "disk")["orc boyz"]["attack"]
    5
    """
    file = f"datasheets/{system}/{name}"
    by_name: dict[str, Mapping[str, Any]] = {}
    for record in listed(file, table, load(system, name).get(table, [])):
        title = Fields(file, record, f"the fields of a {table}").text("name")
        if same_name(title) in by_name:
            raise BadInputError(f"{file}: {table} {title!r} is there twice (give each name once)")
        by_name[same_name(title)] = record
    return by_name


def find_record(system: str, name: str, table: str, wanted: str, where: str) -> Mapping[str, Any]:
    """The record of that name, or an error with a suggestion.

    >>> find_record("diskwars", "disks.toml", "disk", "Orc Boys", "melee")
    Traceback (most recent call last):
    mathhammer.errors.UnknownNameError: melee: unknown disk 'Orc Boys' (did you mean 'Orc Boyz'?)
    """
    known = records(system, name, table)
    if same_name(wanted) not in known:
        raise UnknownNameError(
            where, table.replace("_", " "), wanted, [record["name"] for record in known.values()]
        )
    return known[same_name(wanted)]
