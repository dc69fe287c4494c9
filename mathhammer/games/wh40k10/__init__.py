"""Warhammer 40,000, 10th edition with core rules update 1.6: the rules of `WH40K-*` as a `Game`."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from mathhammer.games.game import ArmyRules, Attacks, Field, Game, Lists
from mathhammer.games.situations import COMMON_SITUATIONS
from mathhammer.games.wh40k.attach import attach
from mathhammer.games.wh40k.control import control_left
from mathhammer.games.wh40k.fields import EFFECT_FIELDS, GROUP_FIELDS, WEAPON_FIELDS
from mathhammer.games.wh40k.melee import ways_to_strike
from mathhammer.games.wh40k.models import attack_view, guard_view
from mathhammer.games.wh40k.quick import probe_weapon, quick_target, weapon_reader
from mathhammer.games.wh40k10.abilities import ABILITIES
from mathhammer.games.wh40k10.attack import plan
from mathhammer.games.wh40k10.defence import target_of
from mathhammer.games.wh40k10.odds import QUESTIONS
from mathhammer.games.wh40k10.options import OPTIONS, READINGS
from mathhammer.games.wh40k10.reactions import TURNS
from mathhammer.games.wh40k10.weapons import looked_at

ATTACKS = Attacks(
    wounds="wounds",
    plan=plan,
    target_of=partial(target_of, apart=False, uses=0),
    views=(attack_view, guard_view),
    looked_at=looked_at,
    unit_fields=(
        Field("toughness", "number", required=True, low=1, high=100, doc="Toughness of the unit"),
        *(replace(field, required=field.name == "wounds") for field in GROUP_FIELDS[:-1]),
        Field("leadership", "number", low=4, high=9, doc="Leadership, 6 means 6+"),
        Field("attached", "flag", doc="an Attached unit: its Characters are protected (WH40K-ATTACHED)"),
        Field("stealth", "flag", doc="Stealth (WH40K-STEALTH)"),
        Field("lone_operative", "flag", doc="Lone Operative (WH40K-LONEOP)"),
        Field("fights_first", "flag", doc="Fights First (WH40K-FIGHTORDER)"),
        Field("deadly_demise", "dice", doc="Deadly Demise (WH40K-DEADLY)"),
        Field(
            "damage_zero_uses",
            "number",
            high=20,
            doc="so many attacks have their Damage set to 0 (WH40K-DZERO)",
        ),
        Field(
            "unmodified_wound_fails_up_to",
            "number",
            high=5,
            doc="unmodified Wound rolls up to this fail (WH40K-PRIORITY)",
        ),
    ),
    group_fields=GROUP_FIELDS,
    weapon_fields=WEAPON_FIELDS,
    effect_fields=EFFECT_FIELDS,
    abilities=ABILITIES,
    situations={
        "half_range": "the target is within half range",
        "stationary": "the attacking unit Remained Stationary",
        "charged": "the attacking unit made a Charge move this turn",
        "advanced": "the attacking unit Advanced this turn",
        "engaged": "the attacking unit is in Engagement Range (WH40K-BGNT, WH40K-PISTOL)",
        "engaged_elsewhere": "it is in Engagement Range of another unit than the target (WH40K-BGNT)",
        "fell_back": "the attacking unit Fell Back this turn",
        "battle_shocked": "the attacking unit is Battle-shocked (WH40K-BSHOCK)",
        "overwatch": "Fire Overwatch: only unmodified 6s hit (WH40K-OVERWATCH)",
        "plunging_fire": "improves AP of ranged attacks by 1 (WH40K-PLUNGE)",
        "damaged": "the attacking unit has a wounded model (known without saying when it has lost wounds)",
        "target_unseen": "no model of the target is visible (WH40K-INDIRECT)",
        "target_in_cover": "the target has the Benefit of Cover (WH40K-COVER)",
        "target_charged": "the target made a Charge move this turn",
        "target_engaged": "the target is in Engagement Range of the shooter's friends (WH40K-BGNT)",
        "target_battle_shocked": "the target is Battle-shocked (WH40K-BSHOCK)",
        **COMMON_SITUATIONS,
        "target_damaged": "the target has a wounded model (known without saying when it has lost wounds)",
    },
    commands={
        "go_to_ground": "the target Infantry has a 6+ invulnerable save and cover (WH40K-GOTOGROUND)",
        "smokescreen": "the target Smoke unit has cover and Stealth (WH40K-SMOKE)",
        "epic_challenge": "melee attacks of the Character have Precision (WH40K-EPIC)",
        "command_reroll_hit": "one failed Hit roll is rolled again (WH40K-CMDREROLL)",
        "command_reroll_wound": "one failed Wound roll is rolled again (WH40K-CMDREROLL)",
        "command_reroll_attacks": (
            "the lowest roll for a number of attacks is rolled again if below its average (WH40K-CMDREROLL)"
        ),
        "command_reroll_damage": (
            "the first damage roll that takes less than a new one would is rolled again (WH40K-CMDREROLL)"
        ),
        "command_reroll_best": (
            "the roll where it is worth most is rolled again, by what is seen so far (WH40K-CMDREROLL)"
        ),
        "command_reroll_save": "the target rolls its first failed save again (WH40K-CMDREROLL)",
    },
    one_reroll={roll: f"command_reroll_{roll}" for roll in ("attacks", "hit", "wound", "damage")},
    best_reroll="command_reroll_best",
    options=OPTIONS,
    readings=READINGS,
    called={
        "go_to_ground": "Go to Ground",
        **{
            f"command_reroll_{roll}": f"Command Re-roll ({roll})"
            for roll in ("hit", "wound", "attacks", "damage", "best", "save")
        },
    },
    turns=TURNS,
    aftermath=control_left,
    fires_copies=True,
    attach=attach,
    ways_to_strike=ways_to_strike(lambda weapon: ABILITIES.carried(weapon, "extra")),
    # WH40K-SAMENAME: what friends hand out are Auras, and a condition on others counts once
    stacking=frozenset({"unit"}),
    quick=(weapon_reader(ABILITIES), quick_target),
    probe=probe_weapon,
    quick_body={"toughness": 4, "wounds": 1},
)


def _army() -> ArmyRules:
    """Loaded where lists are checked or made."""
    from mathhammer.games.wh40k10.army import ARMY

    return ARMY


GAME = Game(
    key="wh40k10",
    title="Warhammer 40,000, 10th edition",
    short="Warhammer 40,000 10",
    questions=QUESTIONS,
    attacks=ATTACKS,
    army=_army,
    lists=Lists(
        "wh40k",
        ids=("sys-352e-adc2-7639-d6a9",),
        names=("warhammer 40,000", "warhammer 40,000 10th edition"),
        others=(("28ec-711c-d87f-3aeb", "Warhammer 40,000, 9th edition or older"),),
    ),
    general="warlord",
    block="detachment",
)
