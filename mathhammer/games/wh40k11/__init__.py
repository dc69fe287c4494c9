"""Warhammer 40,000, 11th edition app texts to September 2026: the rules of `WH40K11-*` as a `Game`."""

from __future__ import annotations

import re
from dataclasses import replace

from mathhammer.engine.plan import Target
from mathhammer.games.game import ArmyRules, Attacks, Field, Game, Lists
from mathhammer.games.situations import COMMON_SITUATIONS
from mathhammer.games.wh40k import fields
from mathhammer.games.wh40k.control import control_left
from mathhammer.games.wh40k.melee import ways_to_strike
from mathhammer.games.wh40k.models import attack_view, guard_view
from mathhammer.games.wh40k.quick import probe_weapon, quick_target, weapon_reader
from mathhammer.games.wh40k11.abilities import ABILITIES
from mathhammer.games.wh40k11.allocation import allocation_of
from mathhammer.games.wh40k11.attached import attach
from mathhammer.games.wh40k11.attack import decisions, optional, plan
from mathhammer.games.wh40k11.odds import QUESTIONS
from mathhammer.games.wh40k11.options import OPTIONS, READINGS
from mathhammer.games.wh40k11.reactions import TURNS
from mathhammer.games.wh40k11.shooting import looked_at
from mathhammer.units.unit import Unit

INVULNERABLE = (
    Field("invuln_ranged", "need", doc="invulnerable save against ranged attacks only (WH40K11-02.02)"),
    Field("invuln_melee", "need", doc="invulnerable save against melee attacks only (WH40K11-02.02)"),
)
GROUP_FIELDS = (
    *fields.GROUP_FIELDS,
    *INVULNERABLE,
    Field("visible", "flag", default=True, doc="whether Precision may choose this Character (WH40K11-24.28)"),
)


def _target(unit: Unit) -> Target:
    return allocation_of(unit).target


ATTACKS = Attacks(
    wounds="wounds",
    plan=plan,
    target_of=_target,
    views=(attack_view, guard_view),
    looked_at=looked_at,
    unit_fields=(
        Field("toughness", "number", required=True, low=1, high=100, doc="Toughness of the unit"),
        *(
            replace(field, required=field.name == "wounds")
            for field in GROUP_FIELDS
            if field.name not in ("character", "visible")
        ),
        Field("leadership", "number", low=4, high=9, doc="Leadership, 6 means 6+"),
        Field("surcharge_from", "number", low=2, high=20, doc="from this copy in a list on it costs more"),
        Field("surcharge", "number", high=500, doc="so many points (WH40K11-MFM-TIERS)"),
        Field("role", "choice", choices=("leader", "support"), doc="how it joins a unit (WH40K11-19.01)"),
        Field("stealth", "flag", doc="Stealth: the unit has cover (WH40K11-24.33)"),
        Field("lone_operative", "flag", doc="Lone Operative (WH40K11-24.24)"),
        Field("lone_operative_range", "number", low=9, high=30, doc="its inches, where they are not 12"),
        Field("fights_first", "flag", doc="Fights First (WH40K11-24.13)"),
        Field("deadly_demise", "dice", doc="Deadly Demise (WH40K11-24.08)"),
        Field(
            "damage_zero_uses",
            "number",
            high=20,
            doc="so many attacks have their Damage set to 0 (WH40K11-05.04-ZERO)",
        ),
        Field(
            "unmodified_wound_fails_up_to",
            "number",
            high=5,
            doc="unmodified Wound rolls up to this fail (WH40K11-05.02)",
        ),
    ),
    group_fields=GROUP_FIELDS,
    weapon_fields=(
        *fields.WEAPON_FIELDS,
        Field(
            "crit_wound_ap",
            "number",
            default=0,
            high=6,
            doc="Critical Wounds have AP better by this (WH40K11-05.03.02)",
        ),
    ),
    effect_fields=fields.EFFECT_FIELDS,
    abilities=ABILITIES,
    situations={
        "half_range": "the target is within half range",
        "stationary": "the attacking unit did not move",
        "short_move": "no model of it moved more than 3 inches (WH40K11-24.16)",
        "set_up_this_turn": "the attacking unit was set up this turn (WH40K11-24.16)",
        "charged": "the attacking unit made a charge move this turn",
        "advanced": "the attacking unit Advanced: assault shooting (WH40K11-10.05)",
        "engaged": "the attacking unit is engaged: close-quarters shooting (WH40K11-10.06)",
        "engaged_elsewhere": "it is engaged with another unit than the target (WH40K11-10.06)",
        "indirect": "indirect shooting, also at what it sees (WH40K11-10.07)",
        "fell_back": "the attacking unit fell back this turn",
        "battle_shocked": "the attacking unit is battle-shocked (WH40K11-01.07)",
        "overwatch": "snap shooting, as in Fire Overwatch: only unmodified 6s hit (WH40K11-15.09)",
        "plunging_fire": "improves Ballistic Skill by 1 (WH40K11-22.05)",
        "split_attacks": "melee attacks are split over several units (WH40K11-24.06)",
        "damaged": "the attacking unit has a wounded model (known without saying when it has lost wounds)",
        "target_unseen": "no model of the target is visible (WH40K11-10.07)",
        "target_seen_by_friend": "the target is visible to a friendly unit (WH40K11-10.07)",
        "target_in_cover": "the target has cover: Ballistic Skill is worse by 1 (WH40K11-13.08)",
        "target_charged": "the target made a charge move this turn",
        "target_engaged": "the target is an engaged Monster or Vehicle (WH40K11-17.03)",
        "target_battle_shocked": "the target is battle-shocked (WH40K11-01.07)",
        **COMMON_SITUATIONS,
        "target_damaged": "the target has a wounded model (known without saying when it has lost wounds)",
    },
    commands={
        "smokescreen": "the target Smoke unit has cover (WH40K11-15.10)",
        "epic_challenge": "melee attacks of the Character have Precision (WH40K11-15.03)",
        "command_reroll_hit": "one failed Hit roll is rolled again (WH40K11-15.02)",
        "command_reroll_wound": "one failed Wound roll is rolled again (WH40K11-15.02)",
        "command_reroll_attacks": (
            "the lowest roll for a number of attacks is rolled again if below its average (WH40K11-15.02)"
        ),
        "command_reroll_damage": (
            "the first damage roll that takes less than a new one would is rolled again (WH40K11-15.02)"
        ),
        "command_reroll_save": "the target rolls one failed save again (WH40K11-15.02)",
    },
    options=OPTIONS,
    readings=READINGS,
    called={
        f"command_reroll_{roll}": f"Command Re-roll ({roll})"
        for roll in ("hit", "wound", "attacks", "damage", "save")
    },
    turns=TURNS,
    aftermath=control_left,
    fires_copies=True,
    attach=attach,
    ways_to_strike=ways_to_strike(lambda weapon: ABILITIES.carried(weapon, "extra")),
    decisions=decisions,
    optional=optional,
    # WH40K11-22.01: the same aura counts once
    stacking=frozenset({"unit"}),
    quick=(weapon_reader(ABILITIES), quick_target),
    probe=probe_weapon,
    quick_body={"toughness": 4, "wounds": 1},
)


def _army() -> ArmyRules:
    """Loaded where lists are checked or made."""
    from mathhammer.games.wh40k11.army import ARMY

    return ARMY


GAME = Game(
    key="wh40k11",
    title="Warhammer 40,000, 11th edition",
    short="Warhammer 40,000 11",
    small_library=True,
    questions=QUESTIONS,
    attacks=ATTACKS,
    army=_army,
    lists=Lists(
        "wh40k",
        ids=("sys-352e-adc2-7639-d610",),
        names=("warhammer 40,000 11th edition",),
        marks=(
            re.compile(r".*\(\d{1,2} detachment points?\)", re.IGNORECASE),
            re.compile(r"(?:\+ ?)?force dispositions?\b.*", re.IGNORECASE),
            re.compile(r"attached units?(?: \d{1,2})?", re.IGNORECASE),
            re.compile(r"\W{0,3}attached as: .*", re.IGNORECASE),
            re.compile(r"\W{0,3}enhancements?: .+ \(upgrade\)", re.IGNORECASE),
            re.compile(r"exported with app version: v(?:[2-9]|1\d)\..*", re.IGNORECASE),
            # an army of the 10th edition has one detachment
            re.compile(r"\+ ?detachments?: [^(]{1,100}, [^(]{1,100}(?: \(.*\))?", re.IGNORECASE),
            re.compile(r"detachments: [^(]{1,100}, .{1,100}", re.IGNORECASE),
        ),
    ),
    general="warlord",
    block="detachment",
)
