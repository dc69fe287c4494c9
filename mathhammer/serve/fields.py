"""Questions as JSON: which fields they have, what each may hold, and their schema. One table says both."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any, Literal

from mathhammer.dataclass import dataclass
from mathhammer.errors import BadInputError, did_you_mean

LONGEST = 300  # characters of a text
Kind = Literal["text", "texts", "number", "whole", "flag", "choice", "switches", "data"]


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a question: its kind and limits, and what stands there when it is left out."""

    name: str
    kind: Kind
    what: str
    default: Any = None
    low: float = 0
    high: float = 1000
    least: int = 0  # entries of a list
    most: int = 12
    choices: tuple[str, ...] = ()

    def schema(self) -> dict[str, Any]:
        """Its part of the JSON Schema.

        >>> Field("rounds", "whole", "Battle rounds.", low=1, high=10).schema()["maximum"]
        10
        """
        text = {"type": "string", "maxLength": LONGEST}
        forms: dict[str, dict[str, Any]] = {
            "text": text,
            "texts": {"type": "array", "items": text, "minItems": self.least, "maxItems": self.most},
            "number": {"type": "number", "minimum": self.low, "maximum": self.high},
            "whole": {"type": "integer", "minimum": self.low, "maximum": self.high},
            "flag": {"type": "boolean"},
            "choice": {"enum": list(self.choices)},
            "switches": {"type": "object", "maxProperties": self.most},
            "data": {"type": "string", "contentEncoding": "base64"},
        }
        return {"description": self.what} | forms[self.kind]

    def read(self, where: str, value: Any) -> Any:
        """The value, if it is one that the field may hold.

        >>> Field("rounds", "whole", "Battle rounds.", low=1, high=10).read("duel", 99)
        Traceback (most recent call last):
        mathhammer.errors.BadInputError: duel: rounds is 99 (give a whole number from 1 to 10)
        """
        if value is None:
            return self.default
        if not self._fits(value):
            raise BadInputError(f"{where}: {self.name} is {value!r:.60} (give {self._wanted()})")
        if self.kind == "texts":
            return tuple(_clean(where, self.name, text) for text in value)
        return _clean(where, self.name, value) if isinstance(value, str) else value

    def _fits(self, value: Any) -> bool:
        if self.kind == "choice":
            return isinstance(value, str) and value in self.choices
        if self.kind == "flag":
            return isinstance(value, bool)
        if self.kind in ("number", "whole"):
            kinds = int if self.kind == "whole" else (int, float)
            number = isinstance(value, kinds) and not isinstance(value, bool)
            return number and isfinite(value) and self.low <= value <= self.high
        if self.kind == "texts":
            listed = isinstance(value, (list, tuple)) and self.least <= len(value) <= self.most
            return listed and all(isinstance(text, str) and len(text) <= LONGEST for text in value)
        if self.kind == "switches":
            return isinstance(value, Mapping) and len(value) <= self.most
        return isinstance(value, str) and (self.kind == "data" or len(value) <= LONGEST)

    def _wanted(self) -> str:
        number = f"from {self.low} to {self.high}"
        return {
            "text": f"a text of at most {LONGEST} characters",
            "texts": f"a list of {self.least} to {self.most} texts of at most {LONGEST} characters",
            "number": f"a number {number}",
            "whole": f"a whole number {number}",
            "flag": "true or false",
            "choice": f"one of {', '.join(map(repr, self.choices))}",
            "switches": f"an object with at most {self.most} names",
            "data": "the bytes of a file in base64",
        }[self.kind]


def _clean(where: str, name: str, text: str) -> str:
    """A text that can be written down again: half of a pair of surrogates is no character."""
    if any(0xD800 <= ord(sign) <= 0xDFFF or sign == "\0" for sign in text):
        raise BadInputError(f"{where}: {name} holds something that is no character (write it anew)")
    return text


def read_fields(where: str, fields: tuple[Field, ...], given: Any) -> dict[str, Any]:
    """Every field of a question, checked; a name that it does not have is an error.

    >>> read_fields("answer", (Field("seed", "whole", "Seed.", default=0),), {})
    {'seed': 0}
    """
    if not isinstance(given, Mapping):
        raise BadInputError(f"{where}: the question is {given!r:.60} (give an object, such as {{}})")
    known = {field.name: field for field in fields}
    for name in given:
        if name not in known:
            raise BadInputError(
                f"{where}: unknown field {str(name)[:60]!r}{did_you_mean(str(name)[:60], known)}"
            )
    return {field.name: field.read(where, given.get(field.name)) for field in fields}


def object_schema(title: str, fields: tuple[Field, ...], required: tuple[str, ...]) -> dict[str, Any]:
    """The JSON Schema of a question.

    >>> object_schema("A duel", (Field("a", "text", "One side."),), ("a",))["required"]
    ['a']
    """
    return {
        "title": title,
        "type": "object",
        "properties": {field.name: field.schema() for field in fields},
        "required": list(required),
        "additionalProperties": False,
    }
