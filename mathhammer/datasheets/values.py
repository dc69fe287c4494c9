"""Values of datasheets checked against the fields of a game: every fault, with its path."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from mathhammer.checks import is_whole, whole
from mathhammer.dataclass import dataclass
from mathhammer.dice.notation import parse_dice
from mathhammer.errors import BadInputError, MathhammerError, did_you_mean, printable
from mathhammer.games.effect_words import scaled_change
from mathhammer.games.game import Field

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong, and where: unit and weapon for people, the path of keys for
    finding the line.
    """

    where: str
    what: str
    path: Path = ()

    def __str__(self) -> str:
        return printable(f"{self.where}: {self.what}")


@dataclass(slots=True)
class FieldReader:
    """Reads mappings by tables of fields, and collects what is wrong with them."""

    faults: list[Fault] = field(default_factory=list)

    def fault(self, where: str, what: str, path: Path) -> None:
        self.faults.append(Fault(where, what, path))

    def take(
        self,
        mapping: Mapping[str, Any],
        fields: Sequence[Field],
        extra: Sequence[str],
        where: str,
        path: Path,
    ) -> dict[str, Any]:
        """All fields with their checked values; every unknown, missing or bad one becomes a fault."""
        known = [f.name for f in fields]
        for key in mapping:
            if key not in known and key not in extra:
                self.fault(
                    where, f"unknown field {key!r}{did_you_mean(str(key), [*known, *extra])}", (*path, key)
                )
        values: dict[str, Any] = {}
        for spec in fields:
            values[spec.name] = spec.default
            if spec.name in mapping:
                below = (*path, spec.name)
                if spec.fields:
                    values[spec.name] = self.nested(spec, mapping[spec.name], where, below)
                    continue
                try:
                    if spec.check is not None:
                        values[spec.name] = spec.check(where, spec.name, mapping[spec.name])
                    else:
                        values[spec.name] = checked(spec, mapping[spec.name])
                except MathhammerError as error:
                    self.fault(where, str(error).removeprefix(f"{where}: "), below)
            elif spec.required:
                self.fault(where, f"{spec.name} is missing ({spec.doc})", path)
        return values

    def tables(self, mapping: Mapping[str, Any], key: str, where: str, path: Path) -> list[Mapping[str, Any]]:
        """The tables of a list; none where something else stands there."""
        tables = mapping.get(key, [])
        if not isinstance(tables, (list, tuple)) or not all(isinstance(item, Mapping) for item in tables):
            self.fault(where, f"{key} must be a list of tables (write [[unit.{key}]])", (*path, key))
            return []
        return list(tables)

    def nested(self, spec: Field, value: Any, where: str, path: Path) -> Any:
        """The values of a table, of a list of tables, or of a mapping of names to values."""
        inside = f"{where}: {spec.name}"
        if spec.kind == "tables":
            if not isinstance(value, (list, tuple)) or (not value and spec.required):
                self.fault(where, f"{spec.name} {value!r:.60} (give a list of tables: {spec.doc})", path)
                return []
            one = replace(spec, kind="table")
            return [
                self.nested(replace(one, name=f"{spec.name} {index + 1}"), item, where, (*path, index))
                for index, item in enumerate(value)
            ]
        if not isinstance(value, Mapping):
            self.fault(where, f"{spec.name} {value!r:.60} (give a table: {spec.doc})", path)
            return {}
        if spec.kind == "table":
            return self.take(value, spec.fields, (), inside, path)
        items = [replace(spec.fields[0], name=str(key)) for key in value]
        return self.take({str(key): item for key, item in value.items()}, items, (), inside, path)


def _need(spec: Field, value: Any) -> int:
    most = spec.most
    number = value[:-1] if isinstance(value, str) and value.endswith("+") else value
    number = (
        int(number)
        if isinstance(number, str) and number.isascii() and number.isdigit() and len(number) < 4
        else number
    )
    if not is_whole(number, 2, most):
        raise BadInputError(
            f"{spec.name} {_shown(value)} is not a roll of a D6 (give 2 to {most}, 3 means 3+)"
        )
    return int(number)


def _shown(value: Any) -> str:
    return f"{value}+" if isinstance(value, int) and not isinstance(value, bool) else repr(value)


def _number(spec: Field, value: Any) -> int:
    return whole(spec.name, value, spec.low, spec.most)


def _dice(spec: Field, value: Any) -> Any:
    try:
        return parse_dice(value)
    except MathhammerError as error:
        raise BadInputError(f"{spec.name}: {str(error).removeprefix('dice: ')}") from None
    except TypeError:
        raise BadInputError(
            f"{spec.name}: {value!r} is not dice text (write a number, D3, D6, 2D6 or D6+1)"
        ) from None


def _text(spec: Field, value: Any) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > 300 or not value.isprintable():
        raise BadInputError(f"{spec.name} {value!r:.60} (give a line of text)")
    return value.strip()


def _flag(spec: Field, value: Any) -> bool:
    if not isinstance(value, bool):
        raise BadInputError(f"{spec.name} {value!r} (give true or false)")
    return value


def _choice(spec: Field, value: Any) -> str:
    if value not in spec.choices:
        raise BadInputError(f"{spec.name} {value!r}{did_you_mean(str(value), spec.choices)}")
    return str(value)


def _words(spec: Field, value: Any) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)):
        raise BadInputError(f"{spec.name} {value!r:.60} (give a list of texts)")
    words = tuple(_text(spec, word) for word in value)
    return tuple(_choice(spec, word) for word in words) if spec.choices else words


def _change(spec: Field, value: Any) -> str:
    return scaled_change(spec.name, value)


def _modifier(spec: Field, value: Any) -> int:
    number = value
    if (
        isinstance(value, str)
        and value[:1] in "+-"
        and value[1:].isascii()
        and value[1:].isdigit()
        and len(value) < 4
    ):
        number = int(value)
    if not is_whole(number, spec.low, spec.most):
        raise BadInputError(f"{spec.name} {value!r} (write '+1' or '-1')")
    return int(number)


def _reroll(spec: Field, value: Any) -> str | tuple[int, ...]:
    if isinstance(value, (list, tuple)) and value and all(face in range(1, 7) for face in value):
        return tuple(sorted(set(value)))
    if not isinstance(value, str):
        raise BadInputError(
            f"{spec.name} {value!r} (give one of {', '.join(spec.choices)}, or a list of faces)"
        )
    return _choice(spec, value)


_CHECKS: dict[str, Callable[[Field, Any], Any]] = {
    "need": _need,
    "number": _number,
    "dice": _dice,
    "text": _text,
    "flag": _flag,
    "words": _words,
    "change": _change,
    "modifier": _modifier,
    "reroll": _reroll,
    "choice": _choice,
}


def checked(spec: Field, value: Any) -> Any:
    """The value of a field in its right type, or an error that says what would be right."""
    return _CHECKS[spec.kind](spec, value)


def raise_faults(faults: Sequence[Fault]) -> None:
    """Raises one error that lists every fault, a line each."""
    if faults:
        raise BadInputError("\n".join(map(str, faults)))
