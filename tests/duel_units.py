"""Units for duels, made by hand."""

from __future__ import annotations

from typing import Any

import mathhammer as mh
from mathhammer.units.unit import Unit


def aos(name: str = "Orc", models: int = 1, health: int = 1, attacks: int = 1, **more: Any) -> Unit:
    """Models that slay with a quarter of their attacks, as long as nobody saves."""
    axe = {"name": "Axe", "attacks": attacks, "hit": 4, "wound": 4, "damage": 1}
    return mh.make_unit("aos4", {"name": name, "models": models, "health": health, "weapon": [axe], **more})


def marine(name: str = "Marine", models: int = 1, wounds: int = 1, skill: int = 4, **more: Any) -> Unit:
    """Models that hit on 4+ and wound their like on 4+, against no save."""
    blade = {"name": "Blade", "attacks": 1, "skill": skill, "strength": 4, "ap": 0, "damage": 1}
    return mh.make_unit(
        "wh40k10",
        {"name": name, "models": models, "wounds": wounds, "toughness": 4, "weapon": [blade], **more},
    )


SURE = {"name": "Doom", "attacks": 40, "hit": 2, "wound": 2, "damage": 3}


def sure(name: str, **more: Any) -> Unit:
    """Whoever strikes first has won, near enough."""
    return mh.make_unit("aos4", {"name": name, "health": 1, "weapon": [SURE], **more})


def killer(name: str, **more: Any) -> Unit:
    doom = {"name": "Doom", "attacks": 60, "skill": 2, "strength": 10, "ap": -6, "damage": 3}
    return mh.make_unit("wh40k10", {"name": name, "wounds": 1, "toughness": 4, "weapon": [doom], **more})


def rats(system: str = "aos1", models: int = 10, bravery: int = 4, **more: Any) -> Unit:
    spear = {"name": "Spear", "attacks": 1, "hit": 4, "wound": 4, "damage": 1}
    return mh.make_unit(
        system,
        {
            "name": "Rats",
            "models": models,
            "wounds": 1,
            "save": 6,
            "bravery": bravery,
            "weapon": [spear],
            **more,
        },
    )


def cornered() -> Unit:
    effect = {"name": "Cornered", "when": ["damaged"], "attacks": "+3"}
    big = {"name": "Big", "when": ["models >= 3"], "hit_roll": 1}
    return aos("Beasts", models=4, health=3, attacks=2, effect=[effect, big])


def monster() -> Unit:
    claws = {
        "name": "Claws",
        "attacks": 6,
        "skill": 3,
        "strength": 8,
        "ap": -2,
        "damage": "D3",
        "abilities": ["Devastating Wounds"],
    }
    hurt = {"name": "Damaged", "when": ["lost >= 6"], "hit_roll": -1}
    fields = {"name": "Monster", "wounds": 10, "toughness": 9, "save": 3, "fnp": 5, "keywords": ["monster"]}
    return mh.make_unit("wh40k10", {**fields, "weapon": [claws], "effect": [hurt]})


def blasters() -> Unit:
    mortar = {
        "name": "Mortar",
        "kind": "ranged",
        "range": 36,
        "attacks": "D6",
        "skill": 4,
        "strength": 5,
        "ap": -1,
        "damage": 1,
        "abilities": ["Blast"],
    }
    knife = {"name": "Knife", "attacks": 1, "skill": 5, "strength": 3, "ap": 0, "damage": 1}
    fields = {"name": "Blasters", "models": 3, "wounds": 2, "toughness": 4, "save": 4}
    return mh.make_unit("wh40k10", {**fields, "weapon": [mortar, knife]})


def load(system: str, name: str, models: int | None = None) -> Unit:
    unit = mh.load_unit(name, system)
    return unit if models is None else unit.with_models(models)
