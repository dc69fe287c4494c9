"""Situations that rules of several games ask for, and that only a player can tell."""

from __future__ import annotations

COMMON_SITUATIONS: dict[str, str] = {
    "below_half": "the attacking unit is below half of its starting strength (known when it has lost models)",
    "below_starting": "the attacking unit is below its starting strength (known when it has lost models)",
    "closest_target": "the target is the closest one that may be picked",
    "on_objective": "the attacking unit is in range of an objective",
    "moved": "the attacking unit moved",
    "moved_over": "the attacking unit moved over the target",
    "set_up": "the attacking unit was set up this turn",
    "disembarked": "the attacking unit left a transport this turn",
    "facing_charge": "the attacking unit is in combat with a unit that charged this turn",
    "my_turn": "it is the attacking side's own turn (known after a charge)",
    "enemy_turn": "it is the turn of the target's side (known after its charge)",
    "in_territory": "the attacking unit is in its own territory",
    "in_enemy_territory": "the attacking unit is in the enemy's territory",
    "target_below_half": "the target is below half of its starting strength (known when it has lost models)",
    "target_below_starting": "the target is below its starting strength (known when it has lost models)",
    "target_on_objective": "the target is in range of an objective",
    "target_moved": "the target moved",
    "target_retreated": "the target retreated or fell back this turn",
    "target_set_up": "the target was set up this turn",
    "target_in_territory": "the target is in its own territory",
}
