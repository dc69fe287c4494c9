"""Commands of Diskwars."""

COMMANDS = {
    "shoot": ("diskwars.shoot", "Diskwars: a ranged attack, with scatter to the neighbours."),
    "clash": ("diskwars.clash", "Diskwars: melee, from one pin to a mass battle."),
}
ASKED_WITH = "mathhammer shoot or clash"
