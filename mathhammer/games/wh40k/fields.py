"""Fields of a 40k datasheet that editions share."""

from __future__ import annotations

from mathhammer.games.effect_words import effect_fields, unit_words
from mathhammer.games.game import Field
from mathhammer.games.wh40k.models import REROLLS

STATS = {
    "attacks": "Attacks characteristic",
    "skill": "Ballistic or Weapon Skill",
    "strength": "Strength characteristic",
    "ap": "AP as it is written: -1 improves it",
    "damage": "Damage characteristic",
}
GROUP_FIELDS = (
    Field("wounds", "number", low=1, doc="Wounds of each model"),
    Field("save", "need", high=7, doc="Save, 3 means 3+; left out or 7: none"),
    Field("invuln", "need", doc="invulnerable save"),
    Field("fnp", "need", doc="Feel No Pain"),
    Field("fnp_mortal", "need", doc="Feel No Pain against mortal wounds only"),
    Field("fnp_psychic", "need", doc="Feel No Pain against Psychic attacks only"),
    Field("damage_reduction", "number", high=10, doc="subtracted from the Damage of each attack"),
    Field("halve_damage", "flag", doc="the Damage of each attack is halved"),
    Field("damage_set", "number", high=20, doc="the Damage of each attack is set to this"),
    Field("reroll_saves", "choice", choices=("none", "ones", "failed"), doc="saves that are rolled again"),
    Field("wounded", "number", high=1000, doc="wounds already lost by the first of these models"),
    Field("objective_control", "number", high=100, doc="Objective Control of each model"),
    Field("character", "flag", doc="a Character model, protected in an Attached unit"),
)
WEAPON_FIELDS = (
    Field("skill", "need", doc="Ballistic or Weapon Skill, 3 means 3+; left out with Torrent"),
    Field("strength", "number", required=True, low=1, high=100, doc="Strength"),
    Field("ap", "number", default=0, low=-10, high=0, doc="Armour Penetration, written -2"),
    Field(
        "crit_on",
        "number",
        default=6,
        low=2,
        high=6,
        doc="unmodified Hit rolls from here on are critical",
    ),
    Field(
        "crit_wound_on",
        "number",
        default=6,
        low=2,
        high=6,
        doc="unmodified Wound rolls from here on are critical",
    ),
)
EFFECT_FIELDS = (
    *effect_fields(
        STATS,
        {"save": "Save characteristic", "toughness": "Toughness characteristic"},
        REROLLS,
        wards=False,
        crits=("hit", "wound"),
    ),
    Field("crit_wound_on", "number", low=2, high=6, doc="unmodified Wound rolls from here on are critical"),
    Field("armour_save_roll", "modifier", low=-6, high=6, doc="added to armour saves only"),
    Field("invuln", "need", doc="an invulnerable save; the best one counts"),
    Field("fnp", "need", doc="Feel No Pain; the best one counts"),
    Field("damage_reduction", "number", low=1, high=10, doc="subtracted from the Damage of each attack"),
    Field("halve_damage", "flag", doc="the Damage of each attack is halved"),
    Field("mortal_on_crit_wound", "dice", doc="mortal wounds on top of each Critical Wound"),
    Field("fnp_mortal", "need", doc="Feel No Pain against mortal wounds only"),
    Field("fnp_psychic", "need", doc="Feel No Pain against Psychic attacks only"),
    Field("damage_set", "number", high=20, doc="the Damage of each attack is set to this"),
    Field("damage_zero_uses", "number", low=1, high=20, doc="so many attacks have their Damage set to 0"),
    Field("no_ward", "flag", doc="no Feel No Pain may be used"),
    *unit_words("wounds"),
)
