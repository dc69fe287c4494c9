"""Frozen dataclasses made quickly do what those of the standard library do."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import sys
from collections.abc import Callable
from dataclasses import field
from typing import Any, ClassVar

import pytest

from mathhammer.dataclass import dataclass as quick

OPTIONS = {"frozen": True, "slots": True}


def classes(dataclass: Callable[..., Any]) -> dict[str, type]:
    """The same classes, made in one way."""

    @dataclass(**OPTIONS)
    class Plain:
        """Two fields."""

        x: int
        y: tuple[int, ...] = (1, 2)
        kind: ClassVar[str] = "k"

    @dataclass(**OPTIONS)
    class Rich:
        """Every sort of field."""

        a: int
        b: list[int] = field(default_factory=list)
        c: int = field(default=3, compare=False)
        d: str = field(default="d", repr=False)
        e: int | None = field(default=None, init=False)
        f: dict[str, int] = field(default_factory=dict, init=False, compare=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "e", self.a * 2)

    @dataclass(**OPTIONS)
    class OwnHash:
        """A hash of its own."""

        a: int

        def __hash__(self) -> int:
            return 7

    @dataclass(**OPTIONS)
    class OwnEquality:
        """An equality of its own."""

        a: int
        b: int = 0

        def __eq__(self, other: object) -> bool:
            return isinstance(other, OwnEquality) and self.a == other.a

        def __repr__(self) -> str:
            return "mine"

    @dataclass(**OPTIONS, eq=False, repr=False)
    class Bare:
        """Known by identity."""

        a: int = 0

    @dataclass(**OPTIONS)
    class Nothing:
        """No fields."""

    @dataclass(**OPTIONS)
    class One:
        """One field."""

        a: Any

    @dataclass(**OPTIONS)
    class Heir(Plain):
        """A field more."""

        z: int = 9

    @dataclass(**OPTIONS, order=True)
    class Ordered:
        """Options that are left to the standard library."""

        a: int

    return {
        made.__name__: made for made in (Plain, Rich, OwnHash, OwnEquality, Bare, Nothing, One, Heir, Ordered)
    }


QUICK, STANDARD = classes(quick), classes(dataclasses.dataclass)
CALLS: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("Plain", (1,), {}),
    ("Plain", (1, (3,)), {}),
    ("Plain", (), {"y": (), "x": 4}),
    ("Rich", (1,), {}),
    ("Rich", (1, [2]), {"c": 8, "d": "other"}),
    ("OwnHash", (1,), {}),
    ("OwnEquality", (1, 2), {}),
    ("Nothing", (), {}),
    ("One", ("text",), {}),
    # from 3.13 on the standard library asks each field by itself, and nan is not nan; ours stays as it was
    *([("One", (float("nan"),), {})] if sys.version_info < (3, 13) else []),
    ("Heir", (1,), {"z": 2}),
    ("Ordered", (1,), {}),
]


@pytest.mark.parametrize(("name", "given", "named"), CALLS)
def test_instances_are_alike(name: str, given: tuple[Any, ...], named: dict[str, Any]) -> None:
    ours, theirs = QUICK[name](*given, **named), STANDARD[name](*given, **named)
    assert repr(ours) == repr(theirs)
    assert repr(dataclasses.asdict(ours)) == repr(dataclasses.asdict(theirs))
    again = QUICK[name](*given, **named)
    assert (ours == again) is (theirs == STANDARD[name](*given, **named))
    assert ours != theirs
    assert (ours == 5) is False
    if name == "Rich":
        with pytest.raises(TypeError, match="unhashable"):
            hash(ours)
    else:
        assert hash(ours) == hash(again) == hash(theirs)
    assert repr(copy.copy(ours)) == repr(copy.deepcopy(ours)) == repr(ours)
    assert not hasattr(ours, "__dict__")


@pytest.mark.parametrize("name", QUICK)
def test_classes_are_alike(name: str) -> None:
    ours: Any = QUICK[name]
    theirs: Any = STANDARD[name]
    assert inspect.signature(ours) == inspect.signature(theirs)
    assert [str(one) for one in dataclasses.fields(ours)] == [str(one) for one in dataclasses.fields(theirs)]
    assert ours.__match_args__ == theirs.__match_args__
    assert ours.__doc__ == theirs.__doc__
    assert ours.__slots__ == theirs.__slots__
    assert ours.__init__.__qualname__ == theirs.__init__.__qualname__
    assert (ours.__eq__ is object.__eq__) is (theirs.__eq__ is object.__eq__)
    assert (ours.__hash__ is object.__hash__) is (theirs.__hash__ is object.__hash__)


def test_the_first_instance_and_a_look_at_the_signature_compile_the_constructor() -> None:
    for first in (
        lambda made: made(1),
        inspect.signature,
        lambda made: inspect.signature(type("Sub", (made,), {})),
    ):
        made = classes(quick)["Plain"]
        waiting = made.__init__
        first(made)
        assert made.__init__ is not waiting
        assert list(inspect.signature(made).parameters) == ["x", "y"]


def test_a_default_that_all_instances_would_share_is_refused() -> None:
    said = []
    for made in (quick, dataclasses.dataclass):
        with pytest.raises(ValueError, match="mutable default") as caught:

            @made(**OPTIONS)
            class Shared:
                """A list for all."""

                a: list[int] = []  # noqa: RUF012

        said.append(str(caught.value))
    assert said[0] == said[1]


def test_equality_and_hashes_are_those_of_the_compared_fields() -> None:
    rich = QUICK["Rich"]
    assert rich(1, [1], 2) == rich(1, [1], 3)
    assert rich(1, [1]) != rich(1, [2])
    assert QUICK["OwnEquality"](1, 2) == QUICK["OwnEquality"](1, 3)
    assert QUICK["Bare"]() != QUICK["Bare"]()
    assert QUICK["Plain"](1).kind == "k"  # type: ignore[attr-defined]
    assert QUICK["Heir"](1) != QUICK["Plain"](1)


@pytest.mark.parametrize(
    ("wrong", "kind"),
    [
        (lambda made: setattr(made(1), "x", 2), dataclasses.FrozenInstanceError),
        (lambda made: delattr(made(1), "x"), dataclasses.FrozenInstanceError),
        (lambda made: made(), TypeError),
        (lambda made: made(1, 2, 3), TypeError),
        (lambda made: made(1, w=2), TypeError),
    ],
)
def test_errors_are_alike(wrong: Callable[[type], Any], kind: type[Exception]) -> None:
    said = []
    for made in (QUICK["Plain"], STANDARD["Plain"]):
        with pytest.raises(kind) as caught:
            wrong(made)
        said.append(str(caught.value))
    assert said[0] == said[1]


def test_nothing_new_is_set() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'new'"):
        QUICK["Plain"](1).new = 2  # type: ignore[attr-defined]


def test_a_changed_copy_runs_what_follows_the_constructor() -> None:
    changed: Any = dataclasses.replace(QUICK["Rich"](1), a=5)  # type: ignore[type-var]
    assert (changed.a, changed.e) == (5, 10)


def test_pickles() -> None:
    from mathhammer.dice.notation import parse_dice

    dice = parse_dice("2D6+1")
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(dice, protocol)) == dice


def test_a_class_that_cannot_be_compared_is_not_made() -> None:
    with pytest.raises(TypeError, match="cannot inherit non-frozen"):

        @quick(slots=True)
        class Open(QUICK["Plain"]):  # type: ignore[misc,name-defined]
            """Not frozen."""
