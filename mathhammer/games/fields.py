"""Plain mappings read field by field: each value checked, unknown names refused with a suggestion."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any

from mathhammer import checks
from mathhammer.dataclass import dataclass
from mathhammer.errors import BadInputError, UnknownNameError

REQUIRED: Any = object()


def whole(where: str, name: str, value: Any, low: int = 0, high: int = 1000) -> int:
    """The value as a whole number within bounds.

    >>> whole("battle: b", "threat", 3, 1, 7)
    3
    >>> whole("battle: b", "threat", -1, 1, 7)
    Traceback (most recent call last):
    mathhammer.errors.BadInputError: battle: b: threat is -1 (give a whole number from 1 to 7)
    """
    return checks.whole(f"{where}: {name} is", value, low, high)


def choice(where: str, name: str, value: Any, known: Iterable[str]) -> str:
    """The value if it is one of the known words.

    >>> choice("ranged", "range", "lnog", ["short", "long"])
    Traceback (most recent call last):
    mathhammer.errors.UnknownNameError: ranged: unknown range 'lnog' (did you mean 'long'?)
    """
    names = list(known)
    if not isinstance(value, str) or value not in names:
        raise UnknownNameError(where, name, str(value), names)
    return value


def flag(where: str, name: str, value: Any) -> bool:
    """The value if it is true or false.

    >>> flag("ranged", "cover", True)
    True
    """
    if not isinstance(value, bool):
        raise BadInputError(f"{where}: {name} is {value!r} (give true or false)")
    return value


def listed(where: str, name: str, value: Any) -> list[Any]:
    """The value if it is a list.

    >>> listed("melee", "pins", "a, b")
    Traceback (most recent call last):
    mathhammer.errors.BadInputError: melee: pins is 'a, b' (give a list)
    """
    if isinstance(value, (str, bytes)) or not isinstance(value, (list, tuple)):
        raise BadInputError(f"{where}: {name} is {value!r} (give a list)")
    return list(value)


def mapped(where: str, value: Any, wanted: str) -> Mapping[str, Any]:
    """The value if it is a mapping with names as keys.

    >>> mapped("ranged: target", 4, "the fields of a disk")
    Traceback (most recent call last):
    mathhammer.errors.BadInputError: ranged: target: int is not a mapping (give the fields of a disk)
    """
    if not isinstance(value, Mapping):
        raise BadInputError(f"{where}: {type(value).__name__} is not a mapping (give {wanted})")
    for key in value:
        if not isinstance(key, str):
            raise BadInputError(f"{where}: {key!r} is not a name (give {wanted})")
    return value


@dataclass(slots=True)
class Fields:
    """A mapping while it is read; `reject_unknown` refuses fields that were not read.

    >>> disk = Fields("target", {"stamina": 4, "stamna": 3}, "the fields of a disk")
    >>> disk.whole("stamina")
    4
    >>> disk.reject_unknown()
    Traceback (most recent call last):
    mathhammer.errors.UnknownNameError: target: unknown field 'stamna' (did you mean 'stamina'?)
    """

    where: str
    mapping: Mapping[str, Any]
    wanted: str = "named fields"
    known: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        mapped(self.where, self.mapping, self.wanted)

    def take(self, name: str, default: Any = REQUIRED) -> Any:
        """The value as it stands; an error if it must be there and is not."""
        self.known.append(name)
        value = self.mapping.get(name, default)
        if value is REQUIRED:
            raise BadInputError(f"{self.where}: {name} is missing (give {self.wanted})")
        return value

    def whole(self, name: str, default: Any = REQUIRED, low: int = 0, high: int = 1000) -> int:
        """A whole number within bounds."""
        return whole(self.where, name, self.take(name, default), low, high)

    def maybe_whole(self, name: str, low: int = 0, high: int = 1000) -> int | None:
        """A whole number within bounds, or None where nothing is given."""
        value = self.take(name, None)
        return None if value is None else whole(self.where, name, value, low, high)

    def flag(self, name: str, default: bool = False) -> bool:
        """True or false."""
        return flag(self.where, name, self.take(name, default))

    def text(self, name: str, default: Any = REQUIRED) -> str:
        """A text."""
        value = self.take(name, default)
        if not isinstance(value, str):
            raise BadInputError(f"{self.where}: {name} is {value!r} (give text)")
        return value

    def choice(self, name: str, known: Iterable[str], default: Any = REQUIRED) -> str:
        """One of the known words."""
        return choice(self.where, name, self.take(name, default), known)

    def words(self, name: str, known: Iterable[str]) -> tuple[str, ...]:
        """A list of known words; none when left out."""
        names = list(known)
        return tuple(choice(self.where, name, word, names) for word in self.list(name))

    def list(self, name: str) -> list[Any]:
        """A list; empty when left out."""
        return listed(self.where, name, self.take(name, ()))

    def reject_unknown(self) -> None:
        """Raises for a field that was not read."""
        for name in self.mapping:
            if name not in self.known:
                raise UnknownNameError(self.where, "field", name, self.known)
