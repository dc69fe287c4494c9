"""Which words matter: a clause that was not understood and has none of them changes no number."""

from __future__ import annotations

import re

# Words of attacks, wounds and dice.
_COMBAT = re.compile(
    r"\b(?:attacks?|hits?|wounds?|wounded|saves?|ward|damage|mortal|heal(?:s|ed|ing)?|slain|slay|"
    r"critical|crit|strength|toughness|"
    r"armour penetration|ap|rend|health|feel no pain|invulnerable|fights?|fought|strike-(?:first|"
    r"last)|stealth|"
    r"benefits? of cover|lone operative|weapons?|ballistic|destroyed|regains?|returned|return|"
    r"suffers?|suffer|"
    r"dice instead|appl(?:y|ies) the (?:following )?effects?|effects? below|count(?:s)? as having "
    r"charged|fell back|rally|lethal|sustained|devastating|melee|ranged|modifiers?|hit points|"
    r"fight)\b|\[[A-Z]",
    re.IGNORECASE,
)
_DICE = re.compile(
    r"\b(?:(?:charge|run|advance|casting|chanting|unbinding|banishment|hazard\w*|battle-shock|"
    r"leadership|escape|save|hit|wound|ward|damage) "
    r"(?:rolls?|tests?)|re-rolls?|rolls? (?:for|made)|leadership characteristic|battle-shocked)\b",
    re.IGNORECASE,
)
# Sentences with such words that change no number all the same.
_HARMLESS = tuple(
    re.compile(text, re.IGNORECASE)
    for text in (
        r".*\b(?:is|are) eligible to (?:shoot|charge|declare|fight)\b.*",
        r".*\bcan (?:declare a charge|shoot|charge|be selected to (?:shoot|declare))\b.*(?:fell back|"
        r"advanced|fall back|advance|disembark|set up).*",
        r".*\bcan use (?:shoot|charge|move|run|a? ?(?:shoot|charge))\b.*\beven if\b.*",
        r".*\bcan use charge abilities\b.*",
        r".*\bcannot (?:be (?:targeted|selected|picked|chosen)|use|declare|charge|end|make|target|"
        r"move|advance|be set up|contest)\b.*",
        r".*\b(?:no|without any) mortal damage (?:is|being) inflicted\b.*",
        r".*\bas if it were your (?:movement|shooting|charge|hero|combat) phase\b.*",
        r".*\beach (?:unit|model|target|ability) can only be\b.*",
        r".*\bcan only be (?:picked|selected|chosen|targeted|used|attached|included)\b.*",
        r".*\b(?:command points?|CP|stratagems?|experience|XP|victory points?|yield points|YP|"
        r"resource|requisition|honour)\b.*",
        r".*\bgains? (?:an additional )?(?:\d+|D3|D6|one|an?) ?(?:additional )?[\w' -]*?(?:tokens?|"
        r"points?|CP|XP|YP)\b.*",
        r".*\bis now a (?:Crusade Relic|crusade relic)\b.*",
        r".*\bstarting strength is increased\b.*",
        r".*\bOut of Action\b.*",
        r".*\bcannot pick this upgrade\b.*",
        r".*\bcan make an? [\w' ]*moves?\b.*",
        r".*\bset (?:it |them |that unit |this unit )?up\b.*",
        r".*\b(?:attached|joins?|join|transport capacity|embark\w*|disembark\w*|reserves|deep strike|"
        r"deploy\w*|redeploy\w*|infiltrators|scouts)\b.*",
        r".*\b(?:control score|objective control|objective marker remains|level of control|remains "
        r"under your control)\b.*",
        r".*\b(?:pile-in|consolidat\w+) moves?\b.*",
        r".*\b(?:normal move|move ability|move of up to|moves? (?:through|across|over)|can move|"
        r"terrain feature)\b.*",
        r".*\bregiment options?\b.*",
        r".*\b(?:must|can only) (?:be )?targets?(?:ed)?\b.*",
        r".*\bthis (?:unit|model) (?:can be|counts as)\b.*",
        r".*\bunits? can be (?:affected|targeted|picked|selected)\b.*",
        r".*\bkeywords?\b[^,;]*",
    )
)


def kind(text: str) -> str:
    """What a clause that was not understood may be about: combat, dice, or none.

    >>> kind("subtract 1 from the Damage"), kind("you gain 1CP"), kind("add 2 to charge rolls")
    ('combat', 'none', 'dice')
    """
    if harmless(text):
        return "none"
    if _COMBAT.search(text):
        return "combat"
    return "dice" if _DICE.search(text) else "none"


def harmless(text: str) -> bool:
    """Whether a clause with words of combat is known to change no number."""
    low = text.strip()
    return not _STRONG.search(low) and any(pattern.fullmatch(low) for pattern in _HARMLESS)


# Words that always matter, whatever stands beside them.
_STRONG = re.compile(
    r"\b(?:add|subtract|improve|worsen|re-roll|ignore|halve|double|inflict|suffers?|mortal wounds|"
    r"regains?|returned|must take|"
    r"invulnerable|feel no pain|critical|unmodified|fights? first|strike-(?:first|last)|stealth|"
    r"benefit of cover|"
    r"lone operative|characteristic|fight (?:again|twice))\b|crit \(|heal \(|ward \(|\[[A-Z]|(?<!can "
    r")(?<!cannot )\buse a fight ability",
    re.IGNORECASE,
)
