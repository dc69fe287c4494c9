"""Battleshock of Age of Sigmar, 1st edition: models that flee after models were slain (AOS1-BATTLESHOCK)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from mathhammer.dice.notation import parse_dice
from mathhammer.dice.pmf import Pmf
from mathhammer.errors import BadInputError
from mathhammer.games.game import Fight
from mathhammer.games.gathering import defence_changes, facts_of
from mathhammer.games.sigmar.attack import NO_WEAPON, changed
from mathhammer.units.effects import parse_change

ONE_DIE = parse_dice("D6").pmf()
TEN = 10  # models that give a point of Bravery


def models_that_flee(left: int, slain: int, bravery: int, die: Pmf = ONE_DIE) -> Pmf:
    """How many of the models left flee when `slain` models died this turn.

    >>> models_that_flee(left=12, slain=5, bravery=6).probs.round(3).tolist()
    [0.333, 0.167, 0.167, 0.167, 0.167]
    """
    if left == 0 or slain == 0:  # AOS1-SILENT-8: no test for a unit that is gone or that lost nobody
        return Pmf.constant(0)
    steady = bravery + left // TEN  # AOS1-SILENT-12: one for each full ten still there
    return die.map(lambda face: min(left, max(0, face + slain - steady)))


def bravery_of(fight: Fight) -> int | None:
    """The target's Bravery with all that changes it; None when its datasheet does not say."""
    printed = fight.target.stat("bravery")
    if printed is None:
        return None
    flags = fight.situation.flags
    inspired = int("target_inspiring_terrain" in flags)  # AOS1-TERRAIN-3
    afraid = int("target_afraid" in flags)  # AOS1-TERRAIN-6
    weapon = fight.weapons[0] if fight.weapons else NO_WEAPON
    acting = defence_changes(fight, facts_of(fight, weapon), weapon)
    changes = [
        parse_change(change.key, change.value, change.source, change.enemy)
        for change in acting
        if change.key == "bravery"
    ]
    changed_by_rules = changed(int(printed), changes, 0)
    return changed_by_rules + inspired - afraid + int(fight.option("bravery"))


def aftermath(fight: Fight, slain: Pmf) -> Mapping[str, Pmf]:
    """Who flees after the fight: `fled`, `models_lost` (slain and fled), `models_left`, and `gone`, which is
    1 where nobody is left.

    Each depends on how many were slain, so they are worked out case by case; nothing when Bravery is unknown.
    """
    earlier = fight.option("slain_earlier_this_turn")
    if earlier < 0:
        raise BadInputError(f"fight: option slain_earlier_this_turn is {earlier} (give 0 or more)")
    bravery = bravery_of(fight)
    if bravery is None:
        return {}
    before = fight.target.models_left
    distributions: dict[str, dict[int, float]] = {
        "fled": {},
        "models_lost": {},
        "models_left": {},
        "gone": {0: 0.0, 1: 0.0},
    }
    for dead, chance in slain.to_dict().items():
        left = before - dead
        calm = fight.option("inspiring_presence")  # AOS1-COMMAND: no test at all
        flee = Pmf.constant(0) if calm else models_that_flee(left, dead + earlier, bravery)
        for fled, share in flee.to_dict().items():
            for name, value in (
                ("fled", fled),
                ("models_lost", dead + fled),
                ("models_left", left - fled),
                ("gone", int(left == fled)),
            ):
                distributions[name][value] = distributions[name].get(value, 0.0) + chance * share
    return {
        name: replace(Pmf.of(distribution), trials=slain.trials)
        for name, distribution in distributions.items()
    }
