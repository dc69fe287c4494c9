"""Options for unclear rules of Warhammer 40,000, 10th edition."""

from __future__ import annotations

from mathhammer.games.options import Option, defaults

READINGS = {
    "save_cap": Option(
        "net",
        "AP and all bonuses of a save are summed, and the sum is +1 at most",
        "bonus",
        "the bonuses alone are +1 at most, then AP is added",
        "WH40K-SAVECAP",
    ),
    "precision_choice": Option(
        "character",
        "attacks with Precision go to the Character of an Attached unit",
        "none",
        "they are allocated like others",
        "WH40K-PRECISION",
    ),
    "plunging_fire": Option(
        "sum",
        "Plunging Fire and what worsens AP are summed, then AP is 0 at worst",
        "after_limit",
        "AP is worsened to 0 at most, then Plunging Fire improves it",
        "WH40K-PLUNGE",
    ),
    "stratagem_keywords": Option(
        "required",
        "Smokescreen and Go to Ground for a unit without the keyword are an error",
        "ignored",
        "any unit may use them",
        "WH40K-SMOKE",
    ),
    "attached_fights_first": Option(
        "all",
        "in duels: an Attached unit has Fights First where every model has it",
        "any",
        "one model with it is enough",
        "WH40K-FIGHTORDER",
    ),
    "damage_reroll": Option(
        "in_turn",
        "Command Re-roll takes the first damage roll that is worse than a new one",
        "after_all",
        "it takes the lowest once all are seen, against a single model",
        "WH40K-CMDREROLL",
    ),
    "characters_protected": Option(
        "attached",
        "models of a character group are protected in an Attached unit alone",
        "always",
        "they are protected in any unit",
        "WH40K-ATTACHED",
    ),
}
OPTIONS = defaults(READINGS)
