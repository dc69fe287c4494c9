"""What a case of a game with symbol dice expects: fractions as text, distributions, disks and steps."""

from __future__ import annotations

from fractions import Fraction
from math import isclose
from typing import Any

import mathhammer as mh

EXACT = 1e-12
READING = 1e-9  # `approx` holds rounded floats


def agree_key(key: str, got: Any, wanted: Any) -> None:
    """One key of what is expected; some are compared in a way of their own."""
    if key == "violations":
        assert set(got) == set(wanted)
    elif key == "log":  # the order inside a step is free
        assert sorted(map(repr, got)) == sorted(map(repr, wanted))
    elif key == "final":
        _agree_disks(got, wanted)
    elif key == "steps":
        _agree_steps(got, wanted)
    else:
        agree(key, got, wanted)


def agree(name: str, got: Any, wanted: Any, tolerance: float = EXACT) -> None:
    """Walks through what is expected; a text such as "1/6" is a fraction, a mapping of numbers to texts a distribution."""
    if isinstance(wanted, bool) or wanted is None:
        assert got is wanted, f"{name}: {got!r}, expected {wanted!r}"
    elif isinstance(wanted, (int, float)):
        assert isclose(got, wanted, rel_tol=0, abs_tol=tolerance), f"{name}: {got!r}, expected {wanted!r}"
    elif isinstance(wanted, str):
        fraction = _fraction(wanted)
        if fraction is None:
            assert got == wanted, f"{name}: {got!r}, expected {wanted!r}"
        else:
            assert isclose(got, fraction, rel_tol=0, abs_tol=tolerance), f"{name}: {got!r}, expected {wanted}"
    elif isinstance(wanted, list):
        assert len(got) == len(wanted), f"{name}: {len(got)} entries, expected {len(wanted)}"
        for place, (mine, theirs) in enumerate(zip(got, wanted, strict=True)):
            agree(f"{name}[{place}]", mine, theirs, tolerance)
    elif _is_distribution(wanted):
        chances = got.to_dict() if isinstance(got, mh.Pmf) else got
        chances_wanted = {_value(key): chance for key, chance in wanted.items()}
        for value in {*chances, *chances_wanted}:
            agree(f"{name}[{value}]", chances.get(value, 0.0), chances_wanted.get(value, "0/1"), tolerance)
    else:
        for key, theirs in wanted.items():
            agree(f"{name}.{key}", got[key], theirs, tolerance)


def _fraction(text: str) -> float | None:
    try:
        return float(Fraction(text)) if "/" in text else None
    except ValueError:
        return None


def _value(key: str) -> Any:
    numbers = tuple(int(part) for part in key.split(","))
    return numbers if len(numbers) > 1 else numbers[0]


def _is_distribution(wanted: dict[str, Any]) -> bool:
    return bool(wanted) and all(key.replace(",", "").isdigit() for key in wanted)


def _agree_disks(got: dict[str, Any], wanted: dict[str, Any]) -> None:
    assert set(got) == set(wanted)
    for name, disk in wanted.items():
        for key, value in disk.items():
            if not (key == "damage" and disk["destroyed"]):  # a destroyed disk's damage means nothing
                agree(f"{name}.{key}", got[name][key], value)


def _agree_steps(got: list[dict[str, Any]], wanted: list[dict[str, Any]]) -> None:
    assert len(got) == len(wanted)
    gone = False
    for place, step in enumerate(wanted):
        for key, value in step.items():
            if key == "destroyed" or not gone:
                agree(f"step {place}.{key}", got[place][key], value)
        gone = gone or step["destroyed"]
