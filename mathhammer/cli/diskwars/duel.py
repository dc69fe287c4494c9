"""`mathhammer duel` of two disks: a clash."""

from __future__ import annotations

from typing import Any

from mathhammer.cli.diskwars.clash import clash
from mathhammer.cli.diskwars.regiments import regiments
from mathhammer.cli.duel_options import own_options_only
from mathhammer.games.records import same_name


def run(options: dict[str, Any]) -> None:
    """A clash: who has the first turn pins the other."""
    words = own_options_only(options, "diskwars", "clash")
    upper, lower = options["a"], options["b"]
    if all(same_name(name).endswith(" regiment") for name in (upper, lower)):
        regiments.main([upper, "--vs", lower, *words], standalone_mode=False)
        return
    if options["first"].lower() == "b":
        upper, lower = lower, upper
    clash.main([f"{upper} > {lower}", *words], standalone_mode=False)
