"""Age of Sigmar, 1st edition (the four-page rules): the rules of `AOS1-*` as a `Game`."""

from __future__ import annotations

from mathhammer.games.aos1.attack import REROLLS, STATS, plan
from mathhammer.games.aos1.battleshock import aftermath
from mathhammer.games.aos1.odds import QUESTIONS
from mathhammer.games.aos1.options import OPTIONS, READINGS
from mathhammer.games.aos1.quick import quick_target, quick_weapon
from mathhammer.games.aos1.triggers import ABILITIES
from mathhammer.games.aos1.turns import TURNS
from mathhammer.games.effect_words import effect_fields
from mathhammer.games.game import ArmyRules, Attacks, Field, Game
from mathhammer.games.sigmar.quick import probe_weapon
from mathhammer.units.effects import SCOPES

# There are no criticals, so these words say nothing here.
UNKNOWN_HERE = ("crit_on", "mortal_on_crit")

ATTACKS = Attacks(
    wounds="wounds",
    plan=plan,
    pools=True,
    aftermath=aftermath,
    unit_fields=(
        Field("wounds", "number", required=True, low=1, doc="Wounds of each model"),
        Field("save", "need", doc="Save, 4 means 4+; left out: none (AOS1-SILENT-6)"),
        Field("bravery", "number", high=20, doc="Bravery; left out: battleshock is not worked out"),
        Field("ward", "need", doc="a roll that ignores wounds, 6 means 6+ (AOS1-SILENT-5)"),
    ),
    weapon_fields=(
        Field("hit", "need", required=True, doc="To Hit, 3 means 3+"),
        Field("wound", "need", required=True, doc="To Wound, 3 means 3+"),
        Field(
            "rend",
            "number",
            default=0,
            high=10,
            doc="Rend as a plain number: 1 where the warscroll prints -1",
        ),
        Field(
            "leader_attacks",
            "number",
            default=0,
            high=20,
            doc="how many more attacks the unit's leader makes with it",
        ),
    ),
    effect_fields=(
        *(
            f
            for f in effect_fields(STATS, {"save": "Save characteristic"}, REROLLS)
            if f.name not in UNKNOWN_HERE
        ),
        Field("ward", "need", doc="a roll that ignores wounds; the best one counts"),
        Field("bravery", "change", doc="Bravery characteristic, for battleshock (AOS1-BATTLESHOCK)"),
    ),
    abilities=ABILITIES,
    situations={
        "charged": "the attacking unit charged this turn",
        "near_enemy": (
            "the attacking unit is within 3 inches of the enemy; it may shoot all the same (AOS1-MOVE)"
        ),
        "ran": "the attacking unit ran this turn and does not shoot (AOS1-MOVE)",
        "retreated": "the attacking unit retreated this turn and does not shoot (AOS1-MOVE)",
        "stationary": "the attacking unit did not move this turn",
        "half_range": "the target is within half range",
        "damaged": "the attacking unit is damaged (known without saying when it has lost wounds)",
        "damned": "the attacking unit made the sacrifice at Damned terrain: +1 to hit (AOS1-TERRAIN-1)",
        "ensorcelled": (
            "the attacking unit rolled 2 or more at Mystical terrain: failed wound rolls again "
            "(AOS1-TERRAIN-5)"
        ),
        "befuddled": "the attacking unit rolled 1 at Mystical terrain and cannot attack (AOS1-TERRAIN-5)",
        "target_charged": "the target charged this turn",
        "target_in_cover": "all models of the target are in or on a terrain feature: +1 to save (AOS1-COVER)",
        "target_damaged": "the target is damaged (known without saying when it has lost wounds)",
        "target_inspiring_terrain": (
            "the target is within 3 inches of Inspiring terrain: +1 Bravery (AOS1-TERRAIN-3)"
        ),
        "target_afraid": (
            "the target is within 3 inches of a unit that Sinister terrain made fearsome: -1 "
            "Bravery (AOS1-TERRAIN-6)"
        ),
        "target_empowered": "the target is a general with the triumph Empowered: +1 Wounds (AOS1-TRIUMPH)",
    },
    commands={
        "inspired": "the triumph Inspired: failed hit rolls of this combat phase again (AOS1-TRIUMPH)",
    },
    options=OPTIONS,
    readings=READINGS,
    target_options=frozenset({"mystic_shields", "slain_earlier_this_turn", "bravery", "inspiring_presence"}),
    turns=TURNS,
    stacking=frozenset(SCOPES),  # AOS1-SILENT-1, AOS1-SILENT-7: no limit is stated
    quick=(quick_weapon, quick_target),
    probe=probe_weapon,
    quick_body={"wounds": 1},
)


def _army() -> ArmyRules:
    """Loaded where lists are checked or made."""
    from mathhammer.games.aos1.army import check

    return ArmyRules(check)


GAME = Game(
    key="aos1",
    title="Age of Sigmar, 1st edition",
    short="Age of Sigmar 1",
    questions=QUESTIONS,
    attacks=ATTACKS,
    army=_army,
)
