"""Commands of Diskwars."""

ASKED_WITH = "mathhammer shoot or clash"
