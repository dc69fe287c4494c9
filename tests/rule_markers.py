"""Which rules a test exercises: the ids of its `rule` markers, each a rule that a game lists."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import pytest

from mathhammer.conformance import listed
from mathhammer.games.discovery import game_keys


@cache
def known_rules() -> frozenset[str]:
    """The ids of all rules of all games."""
    return frozenset(rule for key in game_keys() for rule in listed(key))


def rules_of(item: pytest.Item) -> tuple[str, ...]:
    """The ids of an item's markers, each once."""
    ids = [rule for mark in item.iter_markers("rule") for rule in mark.args]
    return tuple(dict.fromkeys(ids))


def unknown_rules(items: Iterable[pytest.Item]) -> list[str]:
    """A sentence for every marker without an id, or with an id that is not a rule."""
    faults = {}
    for item in items:
        for mark in item.iter_markers("rule"):
            if mark.kwargs or not mark.args:
                faults[f"{item.nodeid}: a rule marker takes ids (for instance rule('WH40K-LANCE'))"] = None
        for rule in rules_of(item):
            if rule not in known_rules():
                faults[f"{item.nodeid}: unknown rule {rule!r} in a marker (see games/*/rules.toml)"] = None
    return list(faults)
