"""One row or more for every weapon ability: what it does to a plain weapon, worked out by hand.

The spellings here are those that other tests use, so a new ability needs a row and no other list.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from mathhammer.games.discovery import attacks_of


class Row(NamedTuple):
    """With the ability, and asked in this way, so many attacks come to a step of the funnel."""

    ability: str
    how: dict[str, Any]
    step: str
    wanted: float
    kind: str = "ranged"


# Five models with a gun (range 24, 2 attacks, 3+, S4, no AP, damage 1) or a blade (3 attacks, the same) against
# five models of Toughness 4 and Save 4+, INFANTRY and SMOKE.
WH40K10 = [
    Row("Rapid Fire 1", {"situation": "half_range"}, "attacks", 15.0),
    Row("Rapid Fire 1", {}, "attacks", 10.0),
    Row("Rapid Fire D3", {"situation": "half_range"}, "attacks", 20.0),
    Row("Blast", {}, "attacks", 15.0),
    Row("Heavy", {"situation": "stationary"}, "hits", 10 * 5 / 6),
    Row("Torrent", {}, "hits", 10.0),
    Row("Torrent", {"situation": "overwatch"}, "hits", 10.0),
    Row("Sustained Hits 2", {}, "hits", 10 * (4 / 6 + 2 / 6)),
    Row("Sustained Hits D3", {}, "hits", 10 * (4 / 6 + 2 / 6)),
    Row("Lethal Hits", {}, "wounds", 10 * (1 / 6 + 3 / 6 * 0.5)),
    Row("Twin-linked", {}, "wounds", 10 * 4 / 6 * 0.75),
    Row("Anti-INFANTRY 2+", {}, "wounds", 10 * 4 / 6 * 5 / 6),
    Row("Anti-VEHICLE 2+", {}, "wounds", 10 * 4 / 6 * 0.5),
    Row("Melta 2", {"situation": "half_range"}, "damage", 10 * 4 / 6 * 0.5 * 0.5 * 3),
    Row("Melta D3", {"situation": "half_range"}, "damage", 10 * 4 / 6 * 0.5 * 0.5 * 3),
    Row("Devastating Wounds", {}, "unsaved", 10 * 4 / 6 * (2 / 6 * 0.5 + 1 / 6)),
    Row("Ignores Cover", {"situation": "target_in_cover"}, "unsaved", 10 * 4 / 6 * 0.5 * 0.5),
    Row("Psychic", {"situation": "target_in_cover"}, "unsaved", 10 * 4 / 6 * 0.5 * 2 / 6),
    Row("Indirect Fire", {"situation": "target_unseen"}, "hits", 10 * 3 / 6),
    Row("Indirect Fire", {"situation": "target_unseen"}, "unsaved", 10 * 3 / 6 * 0.5 * 2 / 6),
    Row("One Shot", {"situation": "overwatch"}, "hits", 10 / 6),
    Row("Hazardous", {"commands": "smokescreen"}, "hits", 5.0),
    Row("Assault", {"situation": "advanced"}, "hits", 10 * 4 / 6),
    Row("Pistol", {"situation": "engaged"}, "hits", 10 * 4 / 6),
    Row("Precision", {"commands": "smokescreen"}, "unsaved", 5 * 0.5 * 2 / 6),
    Row("Conversion 12", {"distance": 12.5, "effects": [{"skill": "=5"}]}, "hits", 10 * 3 / 6),
    Row("Conversion 12", {"distance": 12, "effects": [{"skill": "=5"}]}, "hits", 10 * 2 / 6),
    Row("Conversion 12", {"effects": [{"skill": "=5"}]}, "hits", 10 * 2 / 6),
    Row("Lance", {"situation": "charged"}, "wounds", 15 * 4 / 6 * 4 / 6, "melee"),
    Row("Extra Attacks", {"effects": [{"attacks": "+1"}]}, "attacks", 15.0, "melee"),
    Row("Extra Attacks", {"effects": [{"attacks": "+1", "weapon": "Blade"}]}, "attacks", 20.0, "melee"),
]
# The same in the 11th edition.
WH40K11 = [
    Row("Rapid Fire 1", {"situation": "half_range"}, "attacks", 15.0),
    Row("Rapid Fire 2", {"situation": "half_range", "effects": [{"attacks": "/2"}]}, "attacks", 15.0),
    Row("Rapid Fire D3", {"situation": "half_range"}, "attacks", 20.0),
    Row("Blast", {}, "attacks", 15.0),
    Row("Blast 2", {}, "attacks", 20.0),
    Row("Heavy", {"situation": "stationary"}, "hits", 10 * 5 / 6),
    Row("Heavy", {"situation": "short_move"}, "hits", 10 * 5 / 6),
    Row("Heavy", {"situation": ["short_move", "set_up_this_turn"]}, "hits", 10 * 4 / 6),
    Row("Torrent", {}, "hits", 10.0),
    Row("Torrent", {"situation": "overwatch"}, "hits", 10.0),
    Row("Torrent", {"situation": "overwatch", "options": {"snap_torrent": "sixes"}}, "hits", 10 / 6),
    Row("Sustained Hits 2", {}, "hits", 10 * (4 / 6 + 2 / 6)),
    Row("Sustained Hits D3", {}, "hits", 10 * (4 / 6 + 2 / 6)),
    Row("Sustained Hits 2: INFANTRY/BEASTS", {}, "hits", 10 * (4 / 6 + 2 / 6)),
    Row("Sustained Hits 2: NON-INFANTRY", {}, "hits", 10 * 4 / 6),
    Row("Lethal Hits", {}, "wounds", 10 * (1 / 6 + 3 / 6 * 0.5)),
    Row("Lethal Hits", {"choices": {"Gun": "never"}}, "wounds", 10 * 4 / 6 * 0.5),
    Row("Twin-linked", {}, "wounds", 10 * 4 / 6 * 0.75),
    Row("Anti-INFANTRY 2+", {}, "wounds", 10 * 4 / 6 * 5 / 6),
    Row("Anti-VEHICLE 2+", {}, "wounds", 10 * 4 / 6 * 0.5),
    Row("Melta 2", {"situation": "half_range"}, "damage", 10 * 4 / 6 * 0.5 * 0.5 * 3),
    Row("Devastating Wounds", {}, "unsaved", 10 * 4 / 6 * (2 / 6 * 0.5 + 1 / 6)),
    Row("Ignores Cover", {"situation": "target_in_cover"}, "hits", 10 * 4 / 6),
    Row("Psychic", {"situation": "target_in_cover", "effects": [{"hit_roll": -1}]}, "hits", 10 * 4 / 6),
    Row("Indirect Fire", {"situation": "target_unseen"}, "hits", 10 / 6),
    Row(
        "Indirect Fire",
        {"situation": ["indirect", "stationary", "target_seen_by_friend"]},
        "hits",
        10 * 3 / 6,
    ),
    Row("One Shot", {"situation": "overwatch"}, "hits", 10 / 6),
    Row("Hazardous", {"commands": "smokescreen"}, "hits", 5.0),
    Row("Assault", {"situation": "advanced"}, "hits", 10 * 4 / 6),
    Row("Pistol", {"situation": "engaged"}, "hits", 10 * 4 / 6),
    Row("Close-quarters", {"situation": "engaged"}, "hits", 10 * 4 / 6),
    Row("Precision", {"commands": "smokescreen"}, "unsaved", 5 * 0.5 * 0.5),
    Row("Lance", {"situation": "charged"}, "wounds", 15 * 4 / 6 * 4 / 6, "melee"),
    Row("Cleave 1", {}, "attacks", 20.0, "melee"),
    Row("Cleave 1", {"situation": "split_attacks"}, "attacks", 15.0, "melee"),
    Row("Extra Attacks", {"effects": [{"attacks": "+1"}]}, "attacks", 20.0, "melee"),
    Row(
        "Extra Attacks",
        {"effects": [{"attacks": "+1"}], "options": {"extra_attacks": "named"}},
        "attacks",
        15.0,
        "melee",
    ),
]
# Five models with a sword (2 attacks, 4+, 4+, damage 1), or a bow of range 18, against a HERO with Save 4+.
AOS4 = [
    Row("Crit (2 Hits)", {}, "hits", 10 * (2 / 6 + 2 / 6), "melee"),
    Row("Crit (Auto-wound)", {}, "wounds", 10 * (1 / 6 + 2 / 6 * 0.5), "melee"),
    Row("Crit (Mortal)", {}, "mortal", 10 / 6, "melee"),
    Row("Anti-HERO (+1 Rend)", {}, "unsaved", 10 * 0.5 * 0.5 * 4 / 6, "melee"),
    Row("Anti-MONSTER (+1 Rend)", {}, "unsaved", 10 * 0.5 * 0.5 * 0.5, "melee"),
    Row("Anti-charge (+1 Rend)", {"situation": "target_charged"}, "unsaved", 10 * 0.5 * 0.5 * 4 / 6, "melee"),
    Row("Charge (+1 Damage)", {"situation": "charged"}, "damage", 10 * 0.5 * 0.5 * 0.5 * 2, "melee"),
    Row("Companion", {"effects": [{"hit_roll": 1}]}, "hits", 5.0, "melee"),
    Row("Companion", {"effects": [{"hit_roll": -1}]}, "hits", 10 * 2 / 6, "melee"),
    Row("Shoot in Combat", {"situation": "in_combat"}, "hits", 5.0, "ranged"),
]
# The same five models with a sword against five models with Save 4+, in the first edition.
AOS1 = [
    Row("6+ to hit: 1 extra hit", {}, "hits", 10 * (3 / 6 + 1 / 6), "melee"),
    Row("6+ to hit: 1 extra attack", {}, "hits", 10 * (3 / 6 + 1 / 6 * 3 / 6), "melee"),
    Row("6+ to hit: D3 mortal wounds", {}, "damage", 10 * (1 / 6 * 2 + 2 / 6 * 0.5 * 0.5), "melee"),
    Row("6+ to wound: 1 mortal wound besides", {}, "damage", 10 * 0.5 * (0.5 * 0.5 + 1 / 6), "melee"),
    Row("6+ to wound: rend 2", {}, "unsaved", 10 * 0.5 * (2 / 6 * 0.5 + 1 / 6 * 5 / 6), "melee"),
    Row("6+ to hit: damage 3", {}, "damage", 10 * 0.5 * 0.5 * (2 / 6 + 1 / 6 * 3), "melee"),
    Row(
        "6+ to hit: damage 3",
        {"effects": [{"hit_roll": 1}]},
        "damage",
        10 * 0.25 * (2 / 6 + 2 / 6 * 3),
        "melee",
    ),
]
ROWS = {"wh40k10": WH40K10, "wh40k11": WH40K11, "aos4": AOS4, "aos1": AOS1}


def spellings(game: str) -> list[str]:
    """Every ability of a game as a datasheet may write it."""
    return list(dict.fromkeys(row.ability for row in ROWS[game]))


def without_a_row(game: str) -> list[str]:
    """Abilities that no row tries."""
    abilities = attacks_of(game).abilities
    tried = {held.ability.name for held in abilities.of(tuple(spellings(game)))}
    return [ability.name for ability in abilities.known if ability.name not in tried]


def rules_of_rows() -> set[str]:
    """The ids of all rules that a row exercises."""
    return {rule_of(game, row) for game, rows in ROWS.items() for row in rows}


def rule_of(game: str, row: Row) -> str:
    """The id of the rule that a row exercises."""
    return attacks_of(game).abilities.find(row.ability).ability.rule
