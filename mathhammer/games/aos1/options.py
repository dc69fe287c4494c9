"""Options of Age of Sigmar, 1st edition: what its rules are silent about, and what is on the table."""

from __future__ import annotations

from mathhammer.games.options import Option, defaults

READINGS = {
    "ones_always_fail": Option(
        False,
        "an unmodified 1 is like any other roll",
        True,
        "it always fails, as in later editions",
        "AOS1-SILENT-1",
    ),
    "allocation": Option(
        "wounded_first",
        "a model that is wounded already takes the next wounds",
        "fresh_first",
        "its owner spares it as long as others stand",
        "AOS1-SILENT-4",
    ),
    "mystic_shields": Option(
        0,
        "Mystic Shields on the target",
        1,
        "one of them, or more",
        "AOS1-MYSTIC-SHIELD",
        circumstance=True,
    ),
    "mystic_shields_stack": Option(
        True, "several Mystic Shields add up", False, "one of them counts", "AOS1-SILENT-7"
    ),
    "least_characteristic": Option(
        0, "a characteristic may fall to 0", 1, "it never falls below 1", "AOS1-SILENT-15"
    ),
    "slain_earlier_this_turn": Option(
        0,
        "models of the target slain before this attack",
        1,
        "so many count for its battleshock",
        "AOS1-BATTLESHOCK",
        circumstance=True,
    ),
    "bravery": Option(
        0,
        "other changes of the target's Bravery together",
        1,
        "so much is added to it",
        "AOS1-BATTLESHOCK",
        circumstance=True,
    ),
    "inspiring_presence": Option(
        False,
        "the target takes its battleshock test",
        True,
        "it takes none, by the command Inspiring Presence",
        "AOS1-COMMAND",
        circumstance=True,
    ),
}
OPTIONS = defaults(READINGS)
