"""Warhammer: Diskwars: the rules of `DW-*` as a `Game` that answers questions."""

from __future__ import annotations

from mathhammer.engine.plan import Plan
from mathhammer.errors import BadInputError
from mathhammer.games.abilities import Abilities
from mathhammer.games.diskwars.odds import QUESTIONS
from mathhammer.games.diskwars.records import RECORDS
from mathhammer.games.game import Fight, Game


def plan(fight: Fight) -> Plan:
    """No fight of unit against unit exists here: an error that names the questions instead."""
    raise BadInputError(
        f"fight: diskwars has no hit, wound and save rolls for {fight.attacker.name} (ask "
        "mathhammer.odds('diskwars', ...) one of:"
        f" {', '.join(QUESTIONS)})"
    )


GAME = Game(
    key="diskwars",
    title="Warhammer: Diskwars",
    wounds="toughness",
    plan=plan,
    unit_fields=(),
    weapon_fields=(),
    effect_fields=(),
    abilities=Abilities(),
    situations={},
    commands={},
    options={},
    questions=QUESTIONS,
    general="hero",
    records=RECORDS,
)
