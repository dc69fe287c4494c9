"""Warhammer: Diskwars: the rules of `DW-*` as a `Game` that answers questions."""

from __future__ import annotations

from mathhammer.games.diskwars.army import check
from mathhammer.games.diskwars.odds import QUESTIONS
from mathhammer.games.diskwars.records import RECORDS
from mathhammer.games.game import ArmyRules, Game

GAME = Game(
    key="diskwars",
    title="Warhammer: Diskwars",
    questions=QUESTIONS,
    general="hero",
    records=RECORDS,
    army=ArmyRules(check),
)
