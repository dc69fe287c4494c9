"""Warhammer: Diskwars: the rules of `DW-*` as a `Game` that answers questions."""

from __future__ import annotations

from mathhammer.games.diskwars.odds import QUESTIONS
from mathhammer.games.diskwars.records import RECORDS
from mathhammer.games.game import ArmyRules, Game


def _army() -> ArmyRules:
    """Loaded where lists are checked or made."""
    from mathhammer.games.diskwars.army import check

    return ArmyRules(check)


GAME = Game(
    key="diskwars",
    title="Warhammer: Diskwars",
    questions=QUESTIONS,
    general="hero",
    records=RECORDS,
    army=_army,
)
