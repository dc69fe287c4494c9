"""Uprising: Curse of the Last Emperor: the rules of `UP-*` as a `Game` that answers questions."""

from __future__ import annotations

from mathhammer.games.game import Game, Question
from mathhammer.games.uprising.campaigns import campaign
from mathhammer.games.uprising.fights import battle
from mathhammer.games.uprising.one_round import round_
from mathhammer.games.uprising.quests import best_cunning, hero_dice, pool, quest
from mathhammer.games.uprising.records import RECORDS
from mathhammer.games.uprising.recruiting import recruit
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
    "recruit": recruit,
    "scoring": scoring,
    "place_skeletons": place_skeletons,
    "raise_threat": raise_threat,
    "soft_target": soft_target,
    "build": build,
    "production": production,
}


GAME = Game(
    key="uprising",
    title="Uprising: Curse of the Last Emperor",
    questions=QUESTIONS,
    records=RECORDS,
)
