"""`mathhammer duel` of two sides of Uprising: a combat."""

from __future__ import annotations

from typing import Any

from mathhammer.cli.duel_options import own_options_only
from mathhammer.cli.uprising.battle import battle


def run(options: dict[str, Any]) -> None:
    """A combat until one side is gone."""
    words = own_options_only(options, "uprising", "battle")
    if options["method"] == "simulate":
        words += ["--method", "simulate", "--seed", str(options["seed"])]
        words += ["--trials", str(options["trials"])] if options["trials"] is not None else []
    battle.main([options["a"], "--vs", options["b"], *words], standalone_mode=False)
