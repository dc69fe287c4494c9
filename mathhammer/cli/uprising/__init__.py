"""Commands of Uprising."""

COMMANDS = {
    "quest": ("uprising.quest", "Uprising: the chance of a quest and the best split of cunning dice."),
    "battle": ("uprising.battle", "Uprising: a combat, or several in a row, until one side is gone."),
}
ASKED_WITH = "mathhammer battle"
