"""What must hold: "this unit charged this turn", "the target is a Monster", and switches for all else."""

from __future__ import annotations

import re

from mathhammer.rulestext.frame import SELF, Alts, Frame, Of, Who, both, one
from mathhammer.rulestext.predicate_kinds import led_by
from mathhammer.rulestext.predicates import predicate
from mathhammer.rulestext.weapon_words import weapon_words
from mathhammer.rulestext.who import who

_SUBJECT = re.compile(
    r"(?P<who>.+?) (?P<what>(?:is|are|was|were|has|have|had|made|makes|did|does|do|charged|remained|"
    r"advanced|fell|"
    r"disembarked|contains?|includes|can|used|arrived|ended|ran|retreated)\b.*)",
    re.IGNORECASE,
)


_STRENGTH = re.compile(
    r"the Strength (?:characteristic )?of (?:that|the|this) attack is (?P<not>not )?(?P<how>greater|"
    r"higher|lower|less)(?: than)? (?:or equal to )?(?:the )?"
    r"(?:Toughness characteristic of [^,]+|(?:[^,]+'s|its|their) Toughness(?: characteristic)?)|"
    r"that attack's Strength(?: characteristic)? is (?P<how2>greater|higher) than [^,]+ Toughness[^,]*",
    re.IGNORECASE,
)


_ATTACK_STAT = re.compile(
    r"(?:the |that |an )?(?:attack(?:'s)? )?(?:has an? )?(?P<stat>Strength|Damage|Armour "
    r"Penetration) characteristic (?:of (?:that|the) attack )?(?:is |of )(?P<value>-?\d|0)(?: or "
    r"(?P<how>less|lower|more|higher|greater|worse|better|-\d))?",
    re.IGNORECASE,
)


_TARGET = re.compile(
    r"(?:the target(?: of (?:that|the|this|those) attacks?)?|that attack's target|its target|the "
    r"(?:attack's )?target unit|that target)",
    re.IGNORECASE,
)


_ATTACK_TARGETS = re.compile(
    r"(?:that|the) attack (?:targets?|targeted|is allocated to|was made against|is made against) "
    r"(?P<whom>.+)|(?:it|that model|this model|the bearer|that unit|this unit) (?:targets?|is "
    r"targeting) (?P<whom2>.+)",
    re.IGNORECASE,
)


_A_TARGET = re.compile(r"^(?:an?|one or more|any) (?!friendly|enemy)")


_ATTACK_KIND = re.compile(
    r"(?:that|the) attack is (?:a )?(?P<kind>melee|ranged)(?: attack)?|(?:that attack )?(?:is|was) "
    r"made with (?:a |an )?(?P<arms>.+)",
    re.IGNORECASE,
)


_TURN = re.compile(r"it is (?P<whose>your|your opponent's|the enemy|not your) turn", re.IGNORECASE)


_ROUND = re.compile(
    r"it is the (?P<n>first|second|third|fourth|fifth) (?:battle )?round(?P<later> or later| onwards)?",
    re.IGNORECASE,
)


_LED_BY = re.compile(
    r"(?:an?|one or more) (?P<what>(?-i:[A-Z]).*?)(?: models?| units?)? (?:is|are) (?:leading|attached to) "
    r"(?:this|the bearer's|that|a) (?:unit|model)",
    re.IGNORECASE,
)


_TOKEN = re.compile(
    r"(?:this unit's|the bearer's|its) (?P<name>(?-i:[A-Z])[\w' -]+?) is on the battlefield|"
    r"(?P<name2>(?-i:[A-Z])[\w' -]+?) is in this unit",
    re.IGNORECASE,
)


_ON_MAP = re.compile(
    r"(?:this (?:unit|model|manifestation)|the bearer|the caster|it) is on the battlefield", re.IGNORECASE
)


_THERE = re.compile(
    r"there (?:is|are) (?:an?|one or more|any|at least one) (?P<name>(?-i:[A-Z])[\w' -]+?) models? "
    r"in this unit",
    re.IGNORECASE,
)


_MODELS_HERE = re.compile(r"there are (?P<n>\d+)(?P<more> or more)? models in this unit", re.IGNORECASE)


_AHEAD = re.compile(
    r"they are (?:(?:wholly )?within (?P<n>\d+)\" of (?P<whom>[^,]+)|in combat with (?P<whom2>[^,]+))",
    re.IGNORECASE,
)


_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}


_BOTH = re.compile(r",? and (?:if |while )?(?=(?:this|that|the|it|they|your|there|an? )\b)", re.IGNORECASE)


_EITHER = re.compile(r",? or (?:if |while )?(?=(?:this|that|the|it|they) )", re.IGNORECASE)


def condition(text: str, frame: Frame) -> Alts | None:
    """What a whole "if ..." or "while ..." says; None where it is not understood.

    >>> condition("this unit charged this turn", Frame())
    ((Cond(word='charged', of='self', no=False),),)
    """
    text = text.strip().rstrip(".,")
    found = _single(text, frame)
    if found is not None:
        return found
    for joint, join in ((_BOTH, both), (_EITHER, lambda a, b: (*a, *b))):
        parts = joint.split(text, maxsplit=1)
        if len(parts) == 2:
            first = condition(parts[0], frame)
            second = None if first is None else condition(parts[1], frame)
            if first is not None and second is not None:
                return join(first, second)
    return None


def _single(text: str, frame: Frame) -> Alts | None:
    if match := _STRENGTH.fullmatch(text):
        low = (match["how"] or match["how2"]).lower() in ("lower", "less")
        if low or match["not"]:
            return None
        return one("strength > toughness")
    if match := _ATTACK_STAT.fullmatch(text):
        return _attack_stat(match)
    if match := _ATTACK_TARGETS.fullmatch(text):
        whom = _enemy(match["whom"] or match["whom2"], frame)
        return target_of(whom) if whom is not None else None
    if match := _ATTACK_KIND.fullmatch(text):
        return one(match["kind"].lower()) if match["kind"] else weapon_words(match["arms"])
    if match := _TURN.fullmatch(text):
        return (
            one("my_turn", no=match["whose"].lower() == "not your")
            if match["whose"].lower().endswith("your")
            else one("enemy_turn")
        )
    if match := _ROUND.fullmatch(text):
        return one(f"round {'>=' if match['later'] else '=='} {_ORDINALS[match['n'].lower()]}")
    if match := _LED_BY.fullmatch(text):
        return led_by(match["what"])
    if match := _TOKEN.fullmatch(text):
        return one(f"contains {match['name'] or match['name2']}", "self")
    if match := _THERE.fullmatch(text):
        return one(f"contains {match['name']}", "self")
    if match := _MODELS_HERE.fullmatch(text):
        return one(f"models {'>=' if match['more'] else '=='} {match['n']}", "self")
    if _ON_MAP.fullmatch(text):
        return ((),)
    if frame.it.side == "self" and (match := _AHEAD.fullmatch(text)):
        near = who(match["whom"] or match["whom2"], frame)
        if near is None or near.side != "self":
            return None
        return one(f"within {match['n']}" if match["n"] else "in_combat")
    match = _SUBJECT.fullmatch(text)
    while match is not None:
        subject = _subject(match["who"], frame)
        if subject is not None:
            return predicate(match["what"], subject, frame)
        return None
    return None


def _enemy(text: str, frame: Frame) -> Who | None:
    """Whom an attack targets: who is not said to be a friend is an enemy."""
    whom = who(text, frame)
    return whom if whom is not None else who(_A_TARGET.sub("an enemy ", text), frame)


def _subject(text: str, frame: Frame) -> Of | None:
    if _TARGET.fullmatch(text) and (frame.by is not None or frame.attack):
        return "foe"
    if (
        frame.by is not None
        and frame.by.side != "foes"
        and text.lower() in ("that enemy unit", "that enemy model")
    ):
        return "foe"
    if text.lower() == "that unit" and frame.foe is not None and frame.by is frame.it is SELF:
        return "foe"  # of itself the text would say "this unit"
    meant = who(text, frame)
    return None if meant is None or meant.also else meant.of


def _attack_stat(match: re.Match[str]) -> Alts | None:
    stat, value, how = match["stat"].lower(), match["value"], (match["how"] or "").lower()
    if stat == "armour penetration":
        if how.startswith("-"):
            return one(f"ap <= {how.removeprefix('-')}")
        return one(f"ap == {value.removeprefix('-')}") if not how else None
    sign = {"": "==", "less": "<=", "lower": "<=", "more": ">=", "higher": ">=", "greater": ">="}.get(how)
    return None if sign is None else one(f"{stat} {sign} {value}")


def target_of(whom: Who | None) -> Alts | None:
    """The conditions under which attacks are made against these: a picked enemy, or an enemy of a kind."""
    if whom is None or whom.side != "foes":
        return None
    if whom.picked:
        picked = one(f"target_picked {whom.reach}".strip())
        kept = tuple(
            tuple(cond for cond in way if cond.of == "foe" and cond.word.startswith(("has ", "is ")))
            for way in whom.alts
        )
        return both(picked, kept)
    return whom.alts
