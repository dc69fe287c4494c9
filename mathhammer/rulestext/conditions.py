"""What must hold: "this unit charged this turn", "the target is a Monster", "that unit is below half strength"."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from mathhammer.rulestext import keywords
from mathhammer.rulestext.frame import Alts, Cond, Frame, Of, Who, both, one
from mathhammer.rulestext.who import who

_F = re.IGNORECASE
Build = Callable[[re.Match[str], Of, Frame], Alts | None]


@dataclass(frozen=True, slots=True)
class Predicate:
    """What a unit is or did: a pattern, and the condition that it stands for."""

    id: str
    pattern: re.Pattern[str]
    build: Build
    example: str


PREDICATES: list[Predicate] = []
THIS_TURN = r"(?: (?:earlier )?(?:this|in the same|during this|that|in that|the same|in the current) (?:turn|phase|battle round))?"


def says(id: str, pattern: str, word: str | Build, example: str, no: bool = False) -> None:
    """One more predicate; `word` is the condition, of whoever is spoken of."""

    def build(match: re.Match[str], of: Of, frame: Frame) -> Alts | None:
        negated = no != bool(match.groupdict().get("no"))
        return one(str(word), of, negated)

    PREDICATES.append(
        Predicate(id, re.compile(pattern, _F), build if isinstance(word, str) else word, example)
    )


BE = r"(?:is|are|was|were|has been|have been)"
NOT = r"(?P<no> not|n't)?"
says("if.charged", rf"(?:(?:has |have )?made a charge move|(?:has |have )?charged|ended a charge move|makes a charge move|used a charge ability){THIS_TURN}", "charged", "it charged this turn")
says("if.not-charged", rf"(?:did not|has not|have not) (?:charged?|made? a charge move){THIS_TURN}", "charged", "it did not charge this turn", no=True)
says("if.stationary", rf"(?:remained stationary|(?:has|have|did) not moved?){THIS_TURN}", "stationary", "it has not moved this turn")
says("if.advanced", rf"(?:has |have )?advanced{THIS_TURN}", "advanced", "it advanced this turn")
says("if.ran", rf"(?:used|has used) a run ability{THIS_TURN}|ran{THIS_TURN}", "ran", "it ran this turn")
says("if.fell-back", rf"(?:has |have )?(?:fell back|fallen back|used a retreat ability|retreated){THIS_TURN}", "retreated", "it fell back this turn")
says("if.disembarked", rf"(?:has |have )?disembarked(?: from (?:a|this|that|its) (?:transport|model|vehicle))?{THIS_TURN}", "disembarked", "it disembarked this turn")
says("if.set-up", rf"(?:{BE}|arrived){NOT} ?(?:set up(?: on the battlefield| as reinforcements| from reserves?| from strategic reserves)*|from (?:strategic )?reserves){THIS_TURN}", "set_up", "it was set up this turn")
says("if.not-set-up", rf"(?:has|have|was|were) not been set up(?: on the battlefield)?{THIS_TURN}", "set_up", "it has not been set up this turn", no=True)
says("if.below-half", rf"{BE}{NOT} below half[- ]strength", "below_half", "it is Below Half-strength")
says("if.below-starting", rf"{BE}{NOT} below (?:its|their|the)? ?starting strength", "below_starting", "it is below its Starting Strength")
says("if.starting", rf"{BE} at (?:its|their)? ?starting strength", "below_starting", "it is at its Starting Strength", no=True)
says("if.shocked", rf"{BE}{NOT} battle-shocked", "battle_shocked", "it is Battle-shocked")
says("if.done", r"(?:has|have) not (?:already |yet )?(?:fought|shot|been (?:picked|selected|chosen)|used|been used)\b[^,]*", lambda m, of, f: ((),), "it has not used a Fight ability this turn")
says("if.a-unit", rf"{BE} (?P<what>(?:an?|the) (?:enemy |friendly |visible )*(?:[A-Z][\w' ,-]*? )?(?:unit|model)s? .+)", lambda m, of, f: _a_unit(m["what"], of, f), "it is an enemy unit within range of an objective marker")
says("if.damaged", rf"{BE}{NOT} damaged|has (?:any|1 or more|one or more) damage points|(?:has|have) lost (?:one or more|1 or more|any) wounds", "damaged", "it is damaged")
says("if.objective", rf"(?:{BE}|remains?){NOT} (?:wholly )?(?:within (?:range|\d\") of|contesting|holding) (?:an?|one or more|any|1 or more|the|that|at least one) objectives?(?: markers?)?(?: (?:that )?(?:you|your army|your opponent|they|either player) (?:control|do not control)s?)?(?: that [^,]{{3,40}} control)?", "on_objective", "it is within range of an objective marker")
says("if.closest", rf"{BE}{NOT} the closest (?:eligible |visible )?(?:enemy )?(?:target|unit)(?: (?:for|to) [^,]{{3,60}})?", lambda m, of, f: one("closest_target", no=bool(m["no"])), "it is the closest eligible target")
says("if.half-range", rf"{BE} within half (?:the )?(?:weapon's )?range(?: of that weapon)?", lambda m, of, f: one("half_range"), "it is within half range")
says("if.engaged", rf"{BE}{NOT} within Engagement Range(?: of (?P<whom>.+))?", lambda m, of, f: _engaged(m, of, f), "it is within Engagement Range of one or more enemy units")
says("if.facing", rf"{BE} in combat with (?:an?|any|1 or more|one or more) enemy units? that charged{THIS_TURN}", "facing_charge", "it is in combat with an enemy unit that charged this turn")
says("if.combat", rf"{BE}{NOT} in combat(?: with (?P<whom>.+))?", lambda m, of, f: _in_combat(m, of, f), "it is in combat")
says("if.own-territory", rf"{BE}{NOT} (?:wholly )?(?:within|in) (?:your|friendly) (?:territory|deployment zone)", "in_territory", "it is wholly within friendly territory")
says("if.enemy-territory", rf"{BE}{NOT} (?:wholly )?(?:within|in) (?:enemy|your opponent's) (?:territory|deployment zone)", "in_enemy_territory", "it is within enemy territory")
says("if.within", rf'{BE}(?P<no> not|n\'t|)? (?:wholly )?within (?P<n>\d+)"(?: horizontally)? of (?P<whom>.+)', lambda m, of, f: _within(m, of, f, bool(m["no"].strip())), 'it is within 6" of this unit')
says("if.beyond", rf'{BE} (?:more|further) than (?P<n>\d+)"(?: away)? from (?P<whom>.+)', lambda m, of, f: _within(m, of, f, True), 'it is more than 12" from the target')
says("if.keyword", r"(?:has|have) the (?P<what>.+?) keywords?", lambda m, of, f: keywords.any_of(m["what"], of), "it has the Psyker keyword")
says("if.no-keyword", r"(?:does|do) not have the (?P<what>.+?) keywords?", lambda m, of, f: _wrap(keywords.none_of(m["what"], of)), "it does not have the Psyker keyword")
says("if.fly", r"(?:can|has|have) fly", lambda m, of, f: one("has FLY", of), "it can Fly")
says("if.kind", rf"{BE} (?:an? |the )?(?P<what>(?:non-)?[A-Z].*?)(?: units?| models?)?(?: \((?:excluding|except) (?P<but>[^)]+)\))?", lambda m, of, f: _kind(m, of), "it is a Monster or Vehicle unit")
says("if.not-kind", rf"{BE} not (?:an? |the )?(?P<what>(?:non-)?[A-Z].*?)(?: units?| models?)?", lambda m, of, f: _wrap(keywords.none_of(m["what"], of)), "it is not a Monster")
says("if.wounds-left", r"(?:has|have) (?:1 ?- ?)?(?P<n>\d+)(?: or (?:fewer|less))? wounds remaining", lambda m, of, f: one(f"wounds <= {m['n']}", of), "it has 1-6 wounds remaining")
says("if.damage-points", r"(?:has|have) (?P<n>\d+) or more damage points", lambda m, of, f: one(f"lost >= {m['n']}", of), "it has 10 or more damage points")
says("if.damage-point", r"(?:has|have) (?:exactly )?(?P<n>\d+) damage points?", lambda m, of, f: one(f"lost == {m['n']}", of), "it has 1 damage point")
says("if.models", r"(?:has|have|contains?) (?P<n>\d+|five|ten|six|three) or more models", lambda m, of, f: _models(m, of, ">="), "it contains 10 or more models")
says("if.few-models", r"(?:has|have|contains?) (?P<n>\d+|five|ten|six|three) or (?:fewer|less) models", lambda m, of, f: _models(m, of, "<="), "it has 5 or fewer models")
says("if.contains", r"contains (?:an?|one or more|at least one|any|1 or more) (?P<name>[A-Z][\w' -]+?)(?: models?| tokens?)?", lambda m, of, f: one(f"contains {m['name']}", of), "it contains a Standard Bearer")
says("if.includes-name", r"(?:includes|contains) (?P<name>(?-i:[A-Z])[\w' -]+?)", lambda m, of, f: one(f"contains {m['name']}", of), "it includes Ugrug")
says("if.within-bare", rf"{BE}{NOT} within (?P<n>\d+)\"", lambda m, of, f: one(f"target_within {m['n']}", "", bool(m["no"])) if f.against is not None or f.by is not None else None, 'it is within 12"')
says("if.warlord", r"contains (?:the enemy|an enemy|your opponent's) Warlord", lambda m, of, f: one("contains WARLORD", of), "it contains the enemy Warlord")
says("if.includes", r"(?:includes|has) (?:one or more|at least one|1 or more) (?P<name>[A-Z][\w' -]+?) models", lambda m, of, f: one(f"contains {m['name']}", of), "it includes one or more Heralds models")
says("if.led", rf"{BE} (?:being )?led by (?:an?|one or more|any) ?(?P<what>[A-Z].*?)(?: models?| units?)?", lambda m, of, f: _led(m["what"]), "it is led by a Captain")
says("if.leading-kind", rf"{BE} leading (?:an? )?(?P<what>[A-Z].*?)(?: unit)?", lambda m, of, f: _leading(m["what"]), "it is leading a Guard unit")
says("if.leading", rf"{BE}{NOT} (?:leading|attached to) a unit", "leading", "it is leading a unit")
says("if.pact", r"(?:made|makes|has made) a Dark Pact(?: this (?:phase|turn))?", lambda m, of, f: one("used Dark Pact", of), "it made a Dark Pact")
says("if.deep-strike", rf"{BE} set up(?: on the battlefield)? using the (?P<what>[A-Z][\w' -]+?) ability{THIS_TURN}", lambda m, of, f: one(f"used {m['what']}", of), "it was set up using the Deep Strike ability this turn")
says("if.used", rf"(?:has )?used the '(?P<what>[^']+(?:'s [^']+)?)' (?:ability|command){THIS_TURN}", lambda m, of, f: one(f"used {m['what']}", of), "it used the 'Brace' command this turn")
says("if.status", rf"{BE}{NOT} (?P<what>under orders|Afflicted|within Contagion Range(?: of .+)?|empowered|suppressed|pinned|shaken|spotted|hidden among the mobs|Diseased|Acquired|Strafed|stupefied)", lambda m, of, f: one(f"is {_status(m['what'])}", of, bool(m["no"])), "it is under orders")
says("if.oath", r"is your Oath of Moment target", lambda m, of, f: one("is Oath of Moment", of), "it is your Oath of Moment target")
says("if.waaagh", rf"{BE} under the effects? of (?P<what>[^,]+)", lambda m, of, f: one(f"is under the effect of {m['what']}", of), "it is under the effects of a Chant")
says("if.cover", rf"(?:has|have|{BE} in|{BE} receiving)(?: the)?(?: benefits? of)? cover", "in_cover", "it has the Benefit of Cover")
says("if.no-leader", rf"{BE} not leading a unit|{BE} not attached to a unit", "leading", "it is not leading a unit", no=True)


def _a_unit(text: str, of: Of, frame: Frame) -> Alts | None:
    side = "friendly" if of == "friend" else "enemy"
    if of == "self":
        return None
    words = re.sub(r"^(an?|the) (?:enemy |friendly |visible )*", rf"\1 {side} ", text, count=1, flags=_F)
    meant = who(words, frame)
    return None if meant is None else meant.alts


def _wrap(conds: tuple[Cond, ...] | None) -> Alts | None:
    return None if conds is None else (conds,)


def _status(text: str) -> str:
    return "within Contagion Range" if text.lower().startswith("within contagion") else text


def _models(match: re.Match[str], of: Of, sign: str) -> Alts:
    words = {"five": "5", "ten": "10", "six": "6", "three": "3"}
    return one(f"models {sign} {words.get(match['n'].lower(), match['n'])}", of)


def _engaged(match: re.Match[str], of: Of, frame: Frame) -> Alts | None:
    if match["whom"] and who(match["whom"], frame) is None:
        return None
    return one("engaged", "" if of == "foe" else of, bool(match["no"]))


def _in_combat(match: re.Match[str], of: Of, frame: Frame) -> Alts | None:
    if not match["whom"]:
        return one("in_combat", "" if of == "foe" else of, bool(match["no"]))
    whom = who(match["whom"], frame)
    if whom is None or match["no"]:
        return None
    if whom.side == "self" or (whom.side == "foes" and (whom is frame.foe or whom.alts == ((),))):
        return one("in_combat", "" if of == "foe" else of)
    if whom.side == "foes" and all(cond.of == "foe" for way in whom.alts for cond in way):
        return both(one("in_combat", of), whom.alts) if of in ("self", "friend") else None
    if whom.side == "friends" and of == "foe" and whom.alts == ((),):
        return one("in_combat")
    return None


def _within(match: re.Match[str], of: Of, frame: Frame, no: bool) -> Alts | None:
    text = match["whom"].strip()
    low = text.lower()
    if low.startswith(("the attacker", "the attacking", "the target of that attack", "the target of the attack")):
        return one(f"target_within {match['n']}", "", no)
    whom = who(text, frame)
    if whom is None:
        return None
    distance = match["n"]
    if of == "foe" and whom.side in ("self", "friends", "led") and whom.alts == ((),):
        return one(f"target_within {distance}" if frame.by or frame.against else f"within {distance}", "", no)
    if of == "self" and whom.side == "foes":
        if whom is frame.foe or frame.against is not None or frame.by is not None and whom.alts == ((),):
            return one(f"target_within {distance}", "", no)
        return None
    if of == "friend" and whom.side == "self":
        return one(f"within {distance}", "", no)
    if whom.side == "friends" and of in ("self", "friend"):
        ways = []
        for way in whom.alts:
            has = [cond.word.removeprefix("has ") for cond in way if cond.word.startswith("has ") and not cond.no]
            if len(has) != len(way) or not has:
                return None
            ways.append((Cond(f"near {' '.join(has)} {distance}", of if of == "self" else "", no),))
        return tuple(ways)
    return None


def _kind(match: re.Match[str], of: Of) -> Alts | None:
    found = keywords.any_of(match["what"], of)
    if found is None or not match["but"]:
        return found
    lacks = keywords.none_of(match["but"], of)
    return None if lacks is None else both(found, (lacks,))


def _names(what: str) -> list[str] | None:
    found = keywords.any_of(what, "")
    if found is None or any(cond.no for way in found for cond in way):
        return None
    return [" ".join(cond.word.removeprefix("has ") for cond in way) for way in found]


def _led(what: str) -> Alts | None:
    found = _names(what)
    return None if found is None else tuple((Cond(f"led {name}"),) for name in found)


def _leading(what: str) -> Alts | None:
    found = _names(what)
    return None if found is None else tuple((Cond(f"leading {name}", "self"),) for name in found)


def predicate(text: str, of: Of, frame: Frame) -> Alts | None:
    """The condition that a predicate stands for, of whoever is spoken of; None where it is not understood.

    >>> predicate("charged this turn", "self", Frame())
    ((Cond(word='charged', of='self', no=False),),)
    """
    text = text.strip().rstrip(".,")
    for rule in PREDICATES:
        match = rule.pattern.fullmatch(text)
        if match is not None:
            found = rule.build(match, of, frame)
            if found is not None:
                return found
    for joint in (" or ", " and ", ", or "):
        head, sep, tail = text.partition(joint)
        if sep:
            first, second = predicate(head, of, frame), predicate(tail, of, frame)
            if first is not None and second is not None:
                return both(first, second) if joint == " and " else (*first, *second)
    return None


_SUBJECT = re.compile(
    r"(?P<who>.+?) (?P<what>(?:is|are|was|were|has|have|had|made|makes|did|does|do|charged|remained|advanced|fell|"
    r"disembarked|contains?|includes|can|used|arrived|ended|ran|retreated)\b.*)", _F
)
_STRENGTH = re.compile(
    r"the Strength (?:characteristic )?of (?:that|the|this) attack is (?P<not>not )?(?P<how>greater|higher|lower|less)(?: than)? (?:or equal to )?(?:the )?"
    r"(?:Toughness characteristic of [^,]+|(?:[^,]+'s|its|their) Toughness(?: characteristic)?)|"
    r"that attack's Strength(?: characteristic)? is (?P<how2>greater|higher) than [^,]+ Toughness[^,]*", _F
)
_ATTACK_STAT = re.compile(
    r"(?:the |that |an )?(?:attack(?:'s)? )?(?:has an? )?(?P<stat>Strength|Damage|Armour Penetration) characteristic (?:of (?:that|the) attack )?(?:is |of )(?P<value>-?\d|0)(?: or (?P<how>less|lower|more|higher|greater|worse|better|-\d))?", _F
)
_TARGET = re.compile(r"(?:the target(?: of (?:that|the|this|those) attacks?)?|that attack's target|its target|the (?:attack's )?target unit|that target)", _F)
_ATTACK_TARGETS = re.compile(r"(?:that|the) attack (?:targets?|targeted|is allocated to|was made against|is made against) (?P<whom>.+)|(?:it|that model|this model|the bearer|that unit|this unit) (?:targets?|is targeting) (?P<whom2>.+)", _F)
_ATTACK_KIND = re.compile(r"(?:that|the) attack is (?:a )?(?P<kind>melee|ranged)(?: attack)?|(?:that attack )?(?:is|was) made with (?:a |an )?(?P<arms>.+)", _F)
_TURN = re.compile(r"it is (?P<whose>your|your opponent's|the enemy|not your) turn", _F)
_ROUND = re.compile(r"it is the (?P<n>first|second|third|fourth|fifth) (?:battle )?round(?P<later> or later| onwards)?", _F)
_LED_BY = re.compile(r"(?:an?|one or more) (?P<what>[A-Z].*?)(?: models?| units?)? (?:is|are) (?:leading|attached to) (?:this|the bearer's|that|a) (?:unit|model)", _F)
_TOKEN = re.compile(r"(?:this unit's|the bearer's|its) (?P<name>[A-Z][\w' -]+?) is on the battlefield|(?P<name2>[A-Z][\w' -]+?) is in this unit", _F)
_ON_MAP = re.compile(r"(?:this (?:unit|model|manifestation)|the bearer|the caster|it) is on the battlefield", _F)
_THERE = re.compile(r"there (?:is|are) (?:an?|one or more|any|at least one) (?P<name>(?-i:[A-Z])[\w' -]+?) models? in this unit", _F)
_AHEAD = re.compile(r"they are (?:(?:wholly )?within (?P<n>\d+)\" of (?P<whom>[^,]+)|in combat with (?P<whom2>[^,]+))", _F)
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}
_BOTH = re.compile(r",? and (?:if |while )?(?=(?:this|that|the|it|they|your|there|an? )\b)", _F)
_EITHER = re.compile(r",? or (?:if |while )?(?=(?:this|that|the|it|they) )", _F)


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
            first, second = condition(parts[0], frame), condition(parts[1], frame)
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
        whom = who(match["whom"] or match["whom2"], frame)
        return target_of(whom) if whom is not None else None
    if match := _ATTACK_KIND.fullmatch(text):
        from mathhammer.rulestext.who import weapon_words

        return one(match["kind"].lower()) if match["kind"] else weapon_words(match["arms"])
    if match := _TURN.fullmatch(text):
        return one("my_turn", no=match["whose"].lower() == "not your") if match["whose"].lower().endswith("your") else one("enemy_turn")
    if match := _ROUND.fullmatch(text):
        return one(f"round {'>=' if match['later'] else '=='} {_ORDINALS[match['n'].lower()]}")
    if match := _LED_BY.fullmatch(text):
        return _led(match["what"])
    if match := _TOKEN.fullmatch(text):
        return one(f"contains {match['name'] or match['name2']}", "self")
    if match := _THERE.fullmatch(text):
        return one(f"contains {match['name']}", "self")
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


def _subject(text: str, frame: Frame) -> Of | None:
    if _TARGET.fullmatch(text) and (frame.by is not None or frame.attack):
        return "foe"
    if frame.by is not None and frame.by.side != "foes" and text.lower() in ("that enemy unit", "that enemy model"):
        return "foe"
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
            tuple(cond for cond in way if cond.of == "foe" and cond.word.startswith(("has ", "is "))) for way in whom.alts
        )
        return both(picked, kept)
    return whom.alts


def switch(text: str) -> Alts | None:
    """Anything else, in the words of the text: a switch that the player sets.

    >>> switch("the moon is full")
    ((Cond(word='if the moon is full', of='', no=False),),)
    """
    words = text.strip().rstrip(".,")
    if not 3 <= len(words) <= 160 or _NO_SWITCH.search(words) or _SOMEBODY_NEW.match(words):
        return None
    return one(f"if {words}")


# "while a friendly unit is near ..., that unit ...": somebody is brought in, and must be understood
_SOMEBODY_NEW = re.compile(r"(?:an?|one or more|each|any|another|such an?) (?:other )?(?!of\b)(?:[\w'-]+ ){0,6}?(?:units?|models?)\b(?! (?:was|were|has|have) (?:been )?destroyed)", _F)
_NO_SWITCH = re.compile(r"\b(?:instead|roll(?:ed|s)?\b(?! off)|re-roll|unmodified|each time|for each|D6|D3|result|test)", _F)
