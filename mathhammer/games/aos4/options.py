"""Options of Age of Sigmar, 4th edition."""

from __future__ import annotations

from mathhammer.games.options import Option, defaults

READINGS = {
    "crit_always_hits": Option(
        True,
        "a critical hit is a hit, whatever is subtracted",
        False,
        "a critical that misses after modifiers is a miss",
        "AOS4-AMB-1",
    ),
    "save_cap_includes_rend": Option(
        True,
        "Rend is part of the sum that adds +1 to a save at most",
        False,
        "the bonuses alone are +1 at most, then Rend is subtracted",
        "AOS4-AMB-2",
    ),
    "spearhead": Option(
        False,
        "a full battle with all modules",
        True,
        "a game of Spearhead: no command models, cards together, Obscuring without an exception",
        "AOS4-SP-1",
        circumstance=True,
    ),
    "charge_reroll": Option(
        "all",
        "in duels: a charge is rolled again with all its dice",
        "subset",
        "one die or both may be rolled again",
        "AOS4-AMB-20",
    ),
    "companion_set": Option(
        "worse",
        "a friendly rule that sets a characteristic reaches a Companion weapon where it worsens it",
        "never",
        "it never does",
        "AOS4-20.0",
    ),
}
OPTIONS = defaults(READINGS)
