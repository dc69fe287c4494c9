"""Switches for unclear rules of Warhammer 40,000, 10th edition, with their defaults."""

from __future__ import annotations

from typing import Any

OPTIONS: dict[str, Any] = {
    "save_cap": "net",  # WH40K-SAVECAP: or "bonus"
    "precision_choice": "character",  # WH40K-PRECISION: or "none"
    # WH40K-PLUNGE where something else worsens AP: all changes summed, then the limit; or "after_limit"
    "plunging_fire": "sum",
    "stratagem_keywords": "required",  # Smokescreen, Go to Ground without the keyword: an error; or "ignored"
    "attached_fights_first": "all",  # WH40K-FIGHTORDER: every model of an Attached unit has it; or "any"
    "damage_reroll": "in_turn",  # WH40K-CMDREROLL of damage: roll by roll; or "after_all", once all are seen
    "characters_protected": "attached",  # WH40K-ATTACHED: only in Attached units; or "always"
}
