"""Commands of Diskwars."""

ASKED_WITH = "mathhammer shoot, clash, round or regiments"
