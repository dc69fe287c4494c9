"""Options for unclear rules of Warhammer 40,000, 11th edition (section 17 of its rules)."""

from __future__ import annotations

from mathhammer.games.options import Option, defaults

READINGS = {
    "precision_choice": Option(
        "character",
        "attacks with Precision go to a Character of the target",
        "none",
        "they are allocated like others",
        "WH40K11-24.28",
    ),
    "precision_target": Option(
        "",
        "the first listed Character that is visible and lives",
        "NAME",
        "the Character group of that name",
        "WH40K11-24.28",
        circumstance=True,
    ),
    "devastating_reduced": Option(
        "no",
        "what reduces the Damage of allocated attacks does nothing to Devastating Wounds",
        "yes",
        "it reduces them too",
        "WH40K11-24.10",
    ),
    "extra_attacks": Option(
        "modifiable",
        "any rule changes the Attacks of weapons with Extra Attacks",
        "named",
        "only rules that name the weapon do",
        "WH40K11-24.11",
    ),
    "snap_torrent": Option(
        "automatic",
        "Torrent weapons hit automatically in snap shooting",
        "sixes",
        "they hit on unmodified 6s like others",
        "WH40K11-24.37",
    ),
    "critical_pool": Option(
        "first",
        "wounds whose AP a Critical Wound improves are saved before the others",
        "last",
        "they are saved after the others",
        "WH40K11-05.03.02",
    ),
    "stratagem_keywords": Option(
        "required",
        "Smokescreen for a unit without the keyword is an error",
        "ignored",
        "any unit may use it",
        "WH40K11-15.10",
    ),
}
OPTIONS = defaults(READINGS)
