"""Answers as JSON can hold them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mathhammer.dice.pmf import Pmf


def plain(value: Any) -> Any:
    """An answer as JSON can hold it: distributions become mappings, keys become text.

    >>> plain({"p_win": 0.5, "left": Pmf.of([0.5, 0.5]), "joint": {(1, 0): 1.0}})
    {'p_win': 0.5, 'left': {'0': 0.5, '1': 0.5}, 'joint': {'1,0': 1.0}}
    """
    if isinstance(value, Pmf):
        return {str(number): chance for number, chance in value.to_dict().items()}
    if isinstance(value, Mapping):
        return {
            ",".join(map(str, key)) if isinstance(key, tuple) else str(key): plain(entry)
            for key, entry in value.items()
        }
    return [plain(entry) for entry in value] if isinstance(value, (list, tuple)) else value
