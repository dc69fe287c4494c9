"""Frozen dataclasses with slots, made in a fraction of the time: a command makes eighty before it answers.

The standard library compiles six functions for each such class, and looks at every field several times. Here
only the constructor is compiled, with the first instance; what compares, shows and guards an instance is
shared, or a closure. `fields`, `replace`, `pickle`, equality, hashes, `repr` and errors are the same.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Sequence
from dataclasses import MISSING, Field, FrozenInstanceError
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

KNOWN = {"frozen", "slots", "eq", "repr"}

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass  # the same to a checker of types
else:

    def dataclass(**options: bool) -> Callable[[type], type]:
        """As `dataclasses.dataclass`; frozen classes with slots are made in a fraction of its time.

        Example:
            >>> from mathhammer.dataclass import dataclass
            >>> @dataclass(frozen=True, slots=True)
            ... class Point:
            ...     x: int
            ...     y: int = 0
            >>> Point(1), Point(1) == Point(1, 0)
            (Point(x=1, y=0), True)
        """
        quick = {"frozen": True, "slots": True} | options == options and options.keys() <= KNOWN

        def made(plain: type) -> type:
            if quick and not any(dataclasses.is_dataclass(base) for base in plain.__mro__[1:]):
                return _frozen(plain, eq=options.get("eq", True), shown=options.get("repr", True))
            return dataclasses.dataclass(**options)(plain)

        return made


@dataclasses.dataclass(frozen=True, slots=True)
class _Pattern:
    """What the standard library notes of such a class."""

    one: int


_PARAMS = _Pattern.__dataclass_params__  # type: ignore[attr-defined]
_IS_FIELD = dataclasses.fields(_Pattern)[0]._field_type  # type: ignore[attr-defined]


def _frozen(plain: type, eq: bool, shown: bool) -> type:
    """The class with its fields as slots, and the methods of a frozen dataclass that it lacks."""
    own = vars(plain)
    fields = _fields_of(plain)
    inside = {name: value for name, value in own.items() if name not in fields}
    for name in ("__dict__", "__weakref__"):
        inside.pop(name, None)
    inside["__slots__"] = tuple(fields)
    inside["__match_args__"] = tuple(name for name, field in fields.items() if field.init)
    inside["__dataclass_fields__"], inside["__dataclass_params__"] = fields, _PARAMS
    inside["__doc__"] = plain.__doc__ or plain.__name__
    inside["__signature__"] = _SIGNATURE
    cls: Any = type(plain)(plain.__name__, plain.__bases__, inside)
    cls.__qualname__ = plain.__qualname__
    given: dict[str, Any] = {
        "__init__": _late(cls, tuple(fields.values())),
        "__setattr__": _refuse_change,
        "__delattr__": _refuse_deletion,
        "__getstate__": _state,
        "__setstate__": _restore,
    }
    if shown:
        given["__repr__"] = _shown
    if eq:
        given["__eq__"], given["__hash__"] = _equality(
            [field.name for field in fields.values() if field.compare]
        )
    for name, function in given.items():
        if own.get(name) is None:  # Python gives a class that has its own equality a hash of None
            setattr(cls, name, function)
    return cls  # type: ignore[no-any-return]


def _fields_of(plain: type) -> dict[str, Field[Any]]:
    """The fields that the annotations of a class declare, without those of the class itself."""
    found: dict[str, Field[Any]] = {}
    for name, kind in inspect.get_annotations(plain).items():
        if str(kind).startswith(("ClassVar", "typing.ClassVar")):
            continue
        default = vars(plain).get(name, MISSING)
        if default.__class__.__hash__ is None:
            raise ValueError(
                f"mutable default {type(default)} for field {name} is not allowed: use default_factory"
            )
        made: Any = default if isinstance(default, Field) else dataclasses.field(default=default)
        made.name, made.type, made.kw_only, made._field_type = name, kind, False, _IS_FIELD
        found[name] = made
    return found


def _late(cls: Any, fields: Sequence[Field[Any]]) -> Any:
    """`__init__` up to the first instance: then it gives way to the compiled one."""

    def compiled() -> None:
        cls.__init__ = _constructor(cls, fields)

    def late(self: Any, *given: Any, **named: Any) -> None:
        compiled()
        cls.__init__(self, *given, **named)

    late.__name__, late.__qualname__, late.__module__ = (
        "__init__",
        f"{cls.__qualname__}.__init__",
        cls.__module__,
    )
    late.compiled = compiled  # type: ignore[attr-defined]
    return late


class _Signature:
    """`inspect.signature` asks for this first, then looks at the constructor: now the compiled one."""

    def __get__(self, _instance: object, owner: Any) -> Any:
        if compiled := getattr(owner.__init__, "compiled", None):
            compiled()
        raise AttributeError("__signature__")


_SIGNATURE = _Signature()


def _constructor(cls: type, fields: Sequence[Field[Any]]) -> Any:
    """`__init__`, with the signature that the fields ask for."""
    known: dict[str, Any] = {"_absent": dataclasses._HAS_DEFAULT_FACTORY}  # type: ignore[attr-defined]
    words, lines = ["self"], []
    for field in fields:
        name = value = field.name
        known[f"_set_{name}"] = getattr(cls, name).__set__
        if field.default is not MISSING:
            known[f"_default_{name}"] = field.default
            words += [f"{name}=_default_{name}"] * field.init
            value = name if field.init else f"_default_{name}"
        elif field.default_factory is not MISSING:
            known[f"_make_{name}"] = field.default_factory
            words += [f"{name}=_absent"] * field.init
            value = f"_make_{name}() if {name} is _absent else {name}" if field.init else f"_make_{name}()"
        else:
            words += [name] * field.init
        if field.init or value != name:
            lines.append(f" _set_{name}(self, {value})\n")
    if hasattr(cls, "__post_init__"):
        lines.append(" self.__post_init__()\n")
    exec(f"def __init__({', '.join(words)}):\n{''.join(lines) or ' pass'}", known)
    made = known["__init__"]
    made.__qualname__, made.__module__ = f"{cls.__qualname__}.__init__", cls.__module__
    made.__annotations__ = {field.name: field.type for field in fields if field.init} | {"return": None}
    return made


def _equality(names: Sequence[str]) -> tuple[Any, Any]:
    """`__eq__` and `__hash__` of what these fields hold."""
    found: Callable[[Any], Any] = attrgetter(*names) if names else tuple
    # one name gives its value by itself, several give a tuple
    values = found if len(names) > 1 else lambda thing: (found(thing),) if names else ()

    def equal(self: Any, other: object) -> Any:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    def hashed(self: Any) -> int:
        return hash(values(self))

    return equal, hashed


@recursive_repr()
def _shown(self: Any) -> str:
    fields = (
        f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self) if field.repr
    )
    return f"{type(self).__qualname__}({', '.join(fields)})"


def _refuse_change(self: Any, name: str, value: object) -> None:  # noqa: ARG001 (Python gives them)
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_deletion(self: Any, name: str) -> None:  # noqa: ARG001 (Python gives it)
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
