"""The words of Diskwars: roles, kinds of damage, terrain."""

from __future__ import annotations

from typing import Literal

Role = Literal["attack", "counter"]
ROLES: tuple[Role, Role] = ("attack", "counter")
DAMAGE_TYPES = ("physical", "magic")  # DW-DMG-1
TAGS = (*DAMAGE_TYPES, "ranged", "melee", "impact", "magic_x", "dangerous_terrain")
TERRAIN = ("cover", "defensive", "fortified")
