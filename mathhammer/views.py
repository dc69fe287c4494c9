"""What is loaded only when it is asked for: frames and charts of a value, and names of a package.

This is the one place where a lower floor reaches a higher one, by name and only on request: a `Pmf` does not
need pandas or matplotlib to be a `Pmf`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

VIEWS = {
    "pmf_frame": "mathhammer.frames:pmf_frame",
    "pmf_plot": "mathhammer.plots.views:plot_one",
    "result_frame": "mathhammer.frames:result_frame",
    "result_plot": "mathhammer.plots.views:plot_result",
    "duel_frame": "mathhammer.frames:duel_frame",
    "duel_plot": "mathhammer.plots.views:plot_rounds",
    "roster_frame": "mathhammer.frames:roster_frame",
    "rows_frame": "mathhammer.frames:rows_frame",
    "roster_members": "mathhammer.lists.army:roster_members",
}


def view(name: str, thing: Any, **options: Any) -> Any:
    """What the function of that name makes of a thing."""
    module, _, function = VIEWS[name].partition(":")
    return getattr(importlib.import_module(module), function)(thing, **options)


def lazily(
    package: str, homes: Mapping[str, str], names: Sequence[str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a package: names of `homes` come from their modules."""

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = importlib.import_module(homes[name])
        return getattr(module, name, module)  # a module may itself be the name

    return get, lambda: list(names)
