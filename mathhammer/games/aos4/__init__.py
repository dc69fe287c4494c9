"""Warhammer Age of Sigmar, 4th edition: the rules of `AOS4-*` as a `Game`."""

from __future__ import annotations

from mathhammer.games.aos4.abilities import ABILITIES
from mathhammer.games.aos4.attack import REROLLS, STATS, looked_at, optional, plan, target_of
from mathhammer.games.aos4.control import control_left
from mathhammer.games.aos4.odds import QUESTIONS
from mathhammer.games.aos4.options import OPTIONS, READINGS
from mathhammer.games.aos4.quick import quick_target, quick_weapon
from mathhammer.games.aos4.reactions import TURNS
from mathhammer.games.effect_words import effect_fields, unit_words
from mathhammer.games.game import ArmyRules, Attacks, Field, Game, Lists
from mathhammer.games.sigmar.quick import probe_weapon
from mathhammer.games.situations import COMMON_SITUATIONS

ATTACKS = Attacks(
    wounds="health",
    plan=plan,
    optional=optional,
    target_of=target_of,
    looked_at=looked_at,
    pools=True,
    unit_fields=(  # AOS4-4.0
        Field("health", "number", required=True, low=1, doc="Health of each model"),
        Field("save", "need", doc="Save, 3 means 3+; left out: none"),
        Field("ward", "need", doc="Ward, 5 means 5+"),
        Field("control", "number", default=1, high=100, doc="Control of each model"),
        Field("strike", "choice", choices=("first", "last"), doc="Strike-first or Strike-last (AOS4-19.0)"),
    ),
    weapon_fields=(
        Field("hit", "need", required=True, doc="Hit, 3 means 3+"),
        Field("wound", "need", required=True, doc="Wound, 3 means 3+"),
        Field("rend", "number", default=0, high=10, doc="Rend as a plain number"),
        Field(
            "crit_on",
            "number",
            default=6,
            low=2,
            high=6,
            doc="unmodified hit rolls from here on are critical",
        ),
        Field("champions", "number", doc="how many bearers are champions, if the keyword cannot tell"),
    ),
    effect_fields=(
        *effect_fields(STATS, {"save": "Save characteristic"}, REROLLS),
        Field("ward", "need", doc="a ward; the best one counts"),
        Field("no_ward", "flag", doc="no ward rolls may be made"),
        *unit_words("health"),
    ),
    abilities=ABILITIES,
    situations={
        "charged": "the attacking unit charged this turn",
        "in_combat": "the attacking unit is in combat",
        "ran": "the attacking unit ran or redeployed this turn and does not shoot (AOS4-14.1, AOS4-C-3.0)",
        "retreated": "the attacking unit retreated this turn and does not shoot (AOS4-14.1)",
        "stationary": "the attacking unit did not move this turn",
        "half_range": "the target is within half range",
        "damaged": "the attacking unit is damaged (known without saying when it has lost wounds)",
        "target_charged": "the target charged this turn",
        "target_in_cover": "the target is behind or wholly on a Cover feature (AOS4-T-1.2)",
        "target_obscured": "the target is behind Obscuring terrain (AOS4-T-1.2)",
        "target_guarded": "a friendly unit that is not a hero is near the target hero (AOS4-25.0)",
        **COMMON_SITUATIONS,
        "target_damaged": "the target is damaged (known without saying when it has lost wounds)",
    },
    commands={
        "all_out_attack": "+1 to hit (AOS4-C-6.0)",
        "all_out_defence": "the target has +1 to save (AOS4-C-7.0)",
        "covering_fire": "shooting at -1 to hit (AOS4-C-4.0)",
    },
    options=OPTIONS,
    readings=READINGS,
    called={"all_out_attack": "All-out Attack", "all_out_defence": "All-out Defence"},
    turns=TURNS,
    aftermath=control_left,
    quick=(quick_weapon, quick_target),
    probe=probe_weapon,
    quick_body={"health": 1},
)


def _army() -> ArmyRules:
    """Loaded where lists are checked or made."""
    from mathhammer.games.aos4.army import ARMY

    return ARMY


GAME = Game(
    key="aos4",
    title="Warhammer Age of Sigmar, 4th edition",
    short="Age of Sigmar 4",
    questions=QUESTIONS,
    attacks=ATTACKS,
    army=_army,
    lists=Lists("sigmar", ids=("e51d-b1a3-75fc-dc3g",), names=("age of sigmar 4.0",)),
)
