"""Uprising: Curse of the Last Emperor: the rules of `UP-*` as a `Game` that answers questions."""

from __future__ import annotations

from mathhammer.engine.plan import Plan
from mathhammer.errors import BadInputError
from mathhammer.games.abilities import Abilities
from mathhammer.games.game import Fight, Game, Question
from mathhammer.games.uprising.fights import battle, campaign, round_
from mathhammer.games.uprising.quests import best_cunning, hero_dice, pool, quest
from mathhammer.games.uprising.records import RECORDS
from mathhammer.games.uprising.scoring import (
    build,
    place_skeletons,
    production,
    raise_threat,
    scoring,
    soft_target,
)

QUESTIONS: dict[str, Question] = {
    "pool": pool,
    "quest": quest,
    "best_cunning": best_cunning,
    "hero_dice": hero_dice,
    "round": round_,
    "battle": battle,
    "campaign": campaign,
    "scoring": scoring,
    "place_skeletons": place_skeletons,
    "raise_threat": raise_threat,
    "soft_target": soft_target,
    "build": build,
    "production": production,
}


def plan(fight: Fight) -> Plan:
    """No fight of unit against unit exists here: an error that names the questions instead."""
    raise BadInputError(
        f"fight: uprising has no hit, wound and save rolls for {fight.attacker.name} (ask "
        "mathhammer.odds('uprising', ...) one of:"
        f" {', '.join(QUESTIONS)})"
    )


GAME = Game(
    key="uprising",
    title="Uprising: Curse of the Last Emperor",
    wounds="threat",
    plan=plan,
    unit_fields=(),
    weapon_fields=(),
    effect_fields=(),
    abilities=Abilities(),
    situations={},
    commands={},
    options={},
    questions=QUESTIONS,
    records=RECORDS,
)
