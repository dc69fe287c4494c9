"""Whom a phrase means: this unit, the unit it leads, friends, enemies, and what they must be."""

from __future__ import annotations

import re
from dataclasses import replace

from mathhammer.rulestext import keywords
from mathhammer.rulestext.frame import NOBODY, SELF, Alts, Cond, Frame, Of, Who, both, one

_FLAGS = re.IGNORECASE
# "models in", "each model in", "one of the models from"
_MODELS = re.compile(
    r"(?:(?:all|an?|any|each|every|one|those|other|up to \w+|one or more) )?(?:of the )?(?:other )?models? (?:in|from) (?=.)",
    _FLAGS,
)
_SELF = re.compile(
    r"(?:this (?:model|unit|manifestation|terrain feature|fortification|psyker|transport|vehicle|hero|knight|"
    r"warscroll|swarm|character|warlord)(?:'s unit)?|the bearer(?:'s unit)?|bearer|(?:your|this) hero(?:'s unit)?|this|your warlord|"
    r"the (?:unit|model|hero|friendly unit) using this ability|the unit with this ability|itself|"

    r"this (?-i:[A-Z])[\w-]+(?: model| unit)?(?:'s unit)?|your general|(?:one or more )?(?:models?|units?) with this ability)",
    _FLAGS,
)
_THAT = re.compile(
    r"(?:that|those|the) (?:friendly )?(?:\w[\w' -]{0,30} )?(?:units?|models?|manifestations?|hero|psyker|character)|"
    r"the targets?(?: units?)?|each target|that target|both targets|those targets|them|they|that model's unit|"
    r"each of those units|each of the targets",
    _FLAGS,
)
_IT = re.compile(r"it|they|them|that unit|those units|the unit|such a (?:unit|model)", _FLAGS)
_THAT_FOE = re.compile(
    r"(?:that|those|the) (?:(?:same )?enemy(?: (?!that\b|which\b|who\b|in\b|within\b)[\w-]+){0,3}|"
    r"(?:attacking|targeted|selected|picked) (?:unit|model)s?|attacker|opponent'?s? unit)|the attacking unit|such an enemy unit",
    _FLAGS,
)
_SIDE = re.compile(
    r"(?P<art>(?:(?:all|an?|any|each|every|one|other|another|those|the|up to \w+|any number of|one or more|1 or more|both|1|2|3) )*)"
    r"(?:(?:other|different|visible|eligible|such|non-visible|new|closest|damaged(?= enemy)) )*"
    r"(?P<side>friendly|enemy|opposing)\b ?(?P<what>[^;:()]*?)?"
    r"(?P<noun>\b(?:units?|models?)\b)?(?P<tail>(?: ?\(| (?:within|wholly|in|that|which|on the|from your|with|anywhere|to be|hit|while|equipped|being|visible|and (?:is|are|in|within|wholly|that|has|have|visible|not)|it|this|can|has|when|whose|using|they|passed)\b).*)?$",
    _FLAGS,
)
_ARMY = re.compile(
    r"(?:(?:all|an?|any|each|every|one|other|another|those|up to \w+) )*(?P<what>[A-Z][^,;:()]*?) ?(?P<noun>\b(?:units?|models?)\b) "
    r"(?:from|in) your (?:Crusade )?army(?P<tail>.*)$"
)
_NAMED_MODEL = re.compile(
    r"(?:this unit's|the bearer's unit's|an?|the|this) (?P<name>[A-Z][\w'-]*(?: (?:of|the|[A-Z][\w'-]*))*?)(?: models?)?(?: in this unit)?"
)
# What may stand behind a unit: each says one thing more of it.
_WITHIN = re.compile(r'(?:that (?:is|are|was) |which (?:is|are) |and )?(?:wholly )?within (\d{1,2})"(?: horizontally)?(?: and (?P<n>\d)" vertically)?(?: of (?P<whom>[^,;]+?))?(?= and (?:is|are|visible|in combat|not|has|that)|$| that | and visible|, | \(| which | to be)', _FLAGS)
_RANGE = re.compile(r"(?:that (?:is|are) |and )?within (?:this (?:unit|model|manifestation|terrain feature)'s|its|the bearer's|the target's|that unit's) combat range", _FLAGS)
_COMBAT = re.compile(
    r"(?:that (?:is|are|was|were) |and (?:is|are )?|which (?:is|are) )?in combat(?: with (?P<whom>(?:any |one or more |an? )?[^,;]+?))?(?= and |$| that |, )", _FLAGS
)
_ENGAGED = re.compile(
    r"(?:that (?:is|are) |and )?within Engagement Range(?: of (?P<whom>[^,;]+?))?(?= and |$| that |, | \()", _FLAGS
)
_EXCEPT = re.compile(r"\(?(?:excluding|except(?: for)?|other than) (?P<what>[^)]+?)\)?(?=$| within| wholly| that| in )", _FLAGS)
_SEEN = re.compile(
    r"(?:that (?:is|are) |and |which (?:is|are) )?(?:(?:not )?visible(?: to [^,;]+?)?|on the battlefield|from your army|in your army|"
    r"anywhere on the battlefield|at a time|of your choice|to be (?:the|its|a) targets?|from your opponent's army|"
    r"that (?:has|have) not (?:been picked|already|used|fought|shot)(?:(?! and (?:is|are|in|within|has)\b)[^,;])*|that (?:is|are) eligible to fight|"
    r"as the target|on your opponent's army roster)(?= |$)", _FLAGS,
)
_HIT = re.compile(
    r"(?:that (?:was|were) |which (?:was|were) |it |and )?hit by (?:one or more|any|at least one) of (?:those|its|that unit's|these|this (?:unit|model)'s|the bearer's) (?:\w+ )?attacks?"
    r"(?: (?:this|that) (?:phase|turn))?(?: (?:made )?(?:with|that had|by|from) (?P<arms>[^,;]+?))?(?: this phase| this turn)?(?= and |$| \()", _FLAGS,
)
_HURT = re.compile(
    r"that had any damage points allocated to it (?:(?P<p>this (?:phase|turn)) )?by this (?:unit|manifestation)'s (?P<kind>shooting|combat)? ?attacks?(?: this (?:phase|turn))?", _FLAGS
)
_KEYWORD = re.compile(
    r"(?:and )?(?:that (?:has|have)|with|which (?:has|have)) the (?P<what>[\w' ,-]+?) keywords?(?= |$)", _FLAGS
)
_IS = re.compile(r"(?:and |that |which )+(?P<what>(?:is|are|was|were|has|have|had|can|cannot|did|does|made|contains?|charged|used|moved|fell|retreated|disembarked|remained|advanced|made|arrived)\b.+?)(?= and (?:that|is|are|in|within|has|have|was) |$)", _FLAGS)
_TARGET = re.compile(r"(?:the|each|that) targets?(?: units?)?", _FLAGS)
_BOTH_SIDES = re.compile(r"(?:(?:each|any number of|every|all|one|an?|any|other|another|up to \w+) )*units? \((?:friendly (?:or|and) enemy|enemy (?:or|and) friendly)\)(?P<tail>.*)", _FLAGS)
_IS_NOW = re.compile(r"\A(?:and |that |which )*(?:is|are) (?=(?:wholly )?within|in combat|visible)", _FLAGS)
_STATE_ONLY = re.compile(r"(?:and )?(?P<what>(?:not )?(?:below|at (?:its|their)|in combat|under orders|damaged|wholly within (?:enemy|friendly)).*)", _FLAGS)
_RENOWN = re.compile(r"(?:(?:each|all|every|any|one|an?) )*units? in this (?P<what>Regiment of (?:Renown|\w+)|Army of Renown)(?P<tail>.*)", _FLAGS)
_SOME_MODELS = re.compile(r"(?:an?|each|every|the)? ?(?P<name>champions?|(?-i:[A-Z])[\w'-]*(?: (?:of|the|for|(?-i:[A-Z])[\w'-]*))*?)(?: models?)? in (?P<unit>this unit|that unit|the bearer's unit|it)", _FLAGS)
_WEAPON = re.compile(r"(?:an?|its|this (?:model|unit)'s|the bearer's) (?P<name>(?!weapon)[\w' -]{3,40})", _FLAGS)
_ONE = re.compile(r"\b(?:an?|one|another|each|every|1)\b", _FLAGS)
_FACING = re.compile(r"(?:that (?:is|are) |and (?:is|are )?)?in combat with (?:an?|any|1 or more|one or more) enemy units? that (?:has |have )?charged(?: this turn)?", _FLAGS)
_WHILE = re.compile(r"while (?:they are|it is|that unit is) (?=(?:wholly )?within|in combat)", _FLAGS)
_OVER = re.compile(r"(?:that )?(?:this (?:unit|model|manifestation)|the bearer|it) (?:passed (?:across|over)|moved (?:across|over|through))(?: (?:during|in|as part of) that move| this (?:turn|phase))?", _FLAGS)
_MARKER = re.compile(r"(?:that (?:is|are) |and )?(?:within range of|contesting|wholly within range of) (?:an?|one or more|any|the same|that|1 or more) objectives?(?: markers?)?(?: (?:that )?(?:you|your opponent) controls?)?", _FLAGS)
_RELATIVE = re.compile(r"(?:and )?(?:that|which) ", _FLAGS)
_MANY = re.compile(r"with (?P<n>\d+) or more models(?= |$)", _FLAGS)
_FEW = re.compile(r"with (?P<n>\d+) or fewer models(?= |$)", _FLAGS)


def who(text: str, frame: Frame, lenient: bool = False) -> Who | None:
    """Whom a whole phrase means; None where that is not understood. `lenient`: a last relative clause that is
    not understood becomes a switch.

    >>> who("models in this unit", Frame())
    Who(side='self', alts=((),), picked=False, reach='', also=())
    """
    text = text.strip().rstrip(".,;")
    for joint in (" and up to ", " and all ", " and each ", " and ", " or "):
        head, sep, tail = text.partition(joint)
        if sep and _SELF.fullmatch(_bare(head)) and (
            joint != " and "
            or tail.lower().startswith(("friendly", "other friendly", "any ", "all ", "each ", "a friendly", "the target", "that ", "those "))
        ):
            other = who(tail, frame, lenient)
            if other is not None and other.side == "friends":
                return replace(SELF, also=(other,))
    if (either := _either(text, frame)) is not None:
        return either
    if (pair := _pair(text, frame, lenient)) is not None:
        return pair
    plain = _bare(text)
    if plain.lower() in ("the caster", "the chanter"):
        return SELF if frame.caster else None
    if match := _BOTH_SIDES.fullmatch(plain):
        foes = tails(match["tail"].strip(), Who("foes"), frame, lenient)
        friends = tails(match["tail"].strip(), Who("friends"), frame, lenient)
        return None if foes is None or friends is None else replace(foes, also=(friends,))
    if _SELF.fullmatch(plain):
        return SELF
    if _THAT_FOE.fullmatch(plain):
        if plain.lower().endswith(("attacking unit", "attacker", "attacking model")):
            return Who("foes", picked=False, reach="attacker")
        return frame.foe or (frame.it if frame.it.side == "foes" else None)
    if _TARGET.fullmatch(plain) and frame.it.side == "self" and not frame.it.also:
        if frame.by is not None and frame.by.side != "foes":
            return Who("foes")
        return frame.foe
    if _IT.fullmatch(plain) or _THAT.fullmatch(plain):
        return frame.it if frame.it is not NOBODY else None
    if match := _RENOWN.fullmatch(plain):
        return tails(match["tail"].strip(), Who("friends", one(f"if in this {match['what']}")), frame, lenient)
    if (match := _SOME_MODELS.fullmatch(text)) is not None:
        whole = who(match["unit"], frame)
        return None if whole is None else whole.that(one(f"model {match['name']}"))
    return _of_a_side(plain, frame, lenient)


_OR = re.compile(r" or (?=(?:an?|one or more|another|friendly|enemy) )", _FLAGS)


def _either(text: str, frame: Frame) -> Who | None:
    """"A friendly X unit or a friendly Y unit": one side, either kind."""
    for match in _OR.finditer(text):
        first, second = who(text[: match.start()], frame), who(text[match.end() :], frame)
        if first is not None and second is not None and first.side == second.side and first.side in ("friends", "foes"):
            return replace(first, alts=(*first.alts, *second.alts))
    return None


_AND = re.compile(r",? and (?=(?:(?:an?|one|each|all|any|every|up to \w+) )?(?:(?:other|different|visible) )*(?:friendly|enemy) )", _FLAGS)


def _pair(text: str, frame: Frame, lenient: bool) -> Who | None:
    """"A friendly X unit and a friendly Y unit": both, each with its own conditions."""
    match = _AND.search(text)
    if match is None:
        return None
    first = who(text[: match.start()], frame, lenient)
    second = who(text[match.end() :], frame, lenient)
    if first is None or second is None or first.side != second.side or first.side not in ("friends", "foes"):
        return None
    return replace(first, also=(*first.also, second))


def _bare(text: str) -> str:
    """Without the words that only say which models of a unit."""
    text = _MODELS.sub("", text.strip(), count=1)
    low = text.lower()
    for tail in (" on the battlefield",):
        if low.endswith(tail):
            text = text[: -len(tail)]
    return text


def _of_a_side(text: str, frame: Frame, lenient: bool) -> Who | None:
    match = _SIDE.fullmatch(text)
    if match is not None:
        side, of = ("friends", "friend") if match["side"].lower() == "friendly" else ("foes", "foe")
    else:
        match = _ARMY.fullmatch(text)
        side, of = "friends", "friend"
        if match is None:
            return None
    what = (match["what"] or "").strip()
    single = _ONE.search(match.groupdict().get("art") or "") is not None
    found = _nature(what, of, plural=match["noun"] is None and not single)  # type: ignore[arg-type]
    if found is None and (match["noun"] or "").lower().endswith("s") and " and " in what:
        found = _nature(what.replace(" and ", " or "), of, plural=False)  # type: ignore[arg-type]
    if found is None:
        return None
    meant = Who(side, found)  # type: ignore[arg-type]
    return tails((match["tail"] or "").strip(), meant, frame, lenient)


def _nature(what: str, of: Of, plural: bool) -> Alts | None:
    """The keywords between "friendly" and "unit"; "Battle-shocked" and "damaged" are states."""
    states: list[Cond] = []
    for word, state in (("battle-shocked", "battle_shocked"), ("damaged", "damaged")):
        if what.lower().startswith(word):
            what = what[len(word) :].strip()
            states.append(Cond(state, of))
    found = keywords.any_of(what, of, plural)
    return None if found is None else both(found, (tuple(states),))


def tails(text: str, meant: Who, frame: Frame, lenient: bool = False) -> Who | None:
    """A unit with all that stands behind it; None where a word of it is not understood."""
    from mathhammer.rulestext.conditions import predicate

    while text := _IS_NOW.sub("", text.strip(" ,"), count=1):
        if text.startswith("("):
            inner, bracket, after = text[1:].partition(")")
            if not bracket:
                return None
            if (match := _EXCEPT.fullmatch(inner)) is None:
                return None
            lacks = keywords.none_of(match["what"], meant.of)
            if lacks is None:
                return None
            meant, text = meant.that((lacks,)), after
            continue
        step = _tail(text, meant, frame)
        if step is None and (state := _STATE_ONLY.match(text)):
            alts = predicate(f"is {state['what']}", meant.of, frame)
            step = None if alts is None else (meant.that(alts), len(text))
        if step is None and (match := _IS.match(text)):
            alts = predicate(match["what"], meant.of, frame)
            step = None if alts is None else (meant.that(alts), match.end())
        if step is None and lenient and _RELATIVE.match(text):
            from mathhammer.rulestext.conditions import switch

            told = switch(_RELATIVE.sub("it ", text, count=1))
            return None if told is None else meant.that(told)
        if step is None:
            return None
        meant, end = step
        text = text[end:]
        if text.startswith(" and ") and len(text) > 5:
            text = text[5:] if not text.startswith((" and that", " and is", " and in ", " and within")) else text[1:]
    return meant


def _tail(text: str, meant: Who, frame: Frame) -> tuple[Who, int] | None:
    """One qualifier at the start of the text, and where it ends."""
    of = meant.of
    if match := _WHILE.match(text):
        return meant, match.end()
    if match := _FACING.match(text):
        return meant.that(one("facing_charge")), match.end()
    if match := _OVER.match(text):
        return meant.that(one("moved_over")), match.end()
    if match := _MARKER.match(text):
        return meant.that(one("on_objective", of)), match.end()
    if match := _SEEN.match(text):
        return meant, match.end()
    if match := _HIT.match(text):
        alts = one("hit_by_this")
        if match["arms"]:
            arms = weapon_words(match["arms"])
            named = _WEAPON.fullmatch(match["arms"]) if arms is None else None
            if arms is None and named is None:
                return None
            if named is not None:
                meant = replace(meant, weapon=(named["name"],))
            alts = alts if arms is None else both(alts, arms)
        return meant.that(alts), match.end()
    if match := _HURT.match(text):
        return meant.that(one("damaged_by_this")), match.end()
    if match := _RANGE.match(text):
        return (meant.that(one("in_combat")) if of == "foe" else meant.that(one("within 3"))), match.end()
    if match := _WITHIN.match(text):
        return _near(match, meant, frame)
    if match := _COMBAT.match(text):
        return _combat(match, meant, frame)
    if match := _ENGAGED.match(text):
        whom = who(match["whom"] or "this unit", frame)
        if whom is None or (whom.side in ("friends",) and not whom.alts == ((),)):
            return None
        return meant.that(one("engaged")), match.end()
    if match := _EXCEPT.match(text):
        lacks = keywords.none_of(match["what"], of)
        return None if lacks is None else (meant.that((lacks,)), match.end())
    if match := _KEYWORD.match(text):
        has = keywords.any_of(match["what"], of)
        return None if has is None else (meant.that(has), match.end())
    if match := _MANY.match(text):
        return meant.that(one(f"models >= {match['n']}", of)), match.end()
    if match := _FEW.match(text):
        return meant.that(one(f"models <= {match['n']}", of)), match.end()
    return None


def _near(match: re.Match[str], meant: Who, frame: Frame) -> tuple[Who, int] | None:
    whom = who(match["whom"], frame) if match["whom"] else SELF
    if match["whom"] and whom is None:
        if match["whom"].lower() in ("them", "him", "her"):
            whom = SELF
    if whom is None:
        return None
    distance = match[1]
    if whom.side in ("self", "led") or (whom is frame.it and whom.side == "friends" and meant.side == "foes"):
        return meant.that(one(f"within {distance}")), match.end()
    if whom.side == meant.side == "friends" and whom is frame.it:
        return meant.that(one(f"within {distance}")), match.end()
    near = _near_words(whom, distance)
    return None if near is None else (meant.that(near), match.end())


def _near_words(whom: Who, distance: str) -> Alts | None:
    """`near KEYWORD N` for units of that keyword."""
    ways = []
    for way in whom.alts:
        has = [cond.word.removeprefix("has ") for cond in way if cond.word.startswith("has ") and not cond.no]
        if len(has) != len(way) or not has:
            return None
        ways.append((Cond(f"near {' '.join(has)} {distance}"),))
    return tuple(ways)


def _combat(match: re.Match[str], meant: Who, frame: Frame) -> tuple[Who, int] | None:
    if not match["whom"]:
        return meant.that(one("in_combat", meant.of if meant.side == "friends" else "")), match.end()
    whom = who(match["whom"], frame)
    if whom is None:
        return None
    if whom.also:
        return None
    if whom.side == "self" or whom is frame.it and whom.side != meant.side or (whom.side in ("friends", "foes") and whom.side != meant.side and whom.alts == ((),)):
        return meant.that(one("in_combat")), match.end()
    if whom.side == "foes" and whom.alts == ((Cond("charged", "foe"),),):
        return meant.that(one("facing_charge")), match.end()
    return None


_PSYCHIC = re.compile(r"(?:an?|the|one or more|any|with)? ?\[?(?P<what>psychic|torrent|blast|melta|heavy|assault|pistol|rapid fire|precision|twin-linked|extra attacks|companion|indirect fire|lance)\]?(?: weapons?| attacks?| ability)*", _FLAGS)
_KIND = re.compile(r"(?:an?|the|its|their|one or more|any)? ?(?P<kind>melee|ranged|combat|shooting)(?: weapons?| attacks?)?", _FLAGS)


def weapon_words(text: str) -> Alts | None:
    """Conditions of the weapon: its kind, or an ability that it has.

    >>> weapon_words("a Psychic weapon")
    ((Cond(word='weapon has Psychic', of='', no=False),),)
    """
    text = text.strip()
    if match := _KIND.fullmatch(text):
        return one("melee" if match["kind"].lower() in ("melee", "combat") else "ranged")
    if match := _PSYCHIC.fullmatch(text):
        return one(f"weapon has {match['what'].capitalize()}")
    if " or " in text:
        first, _, second = text.partition(" or ")
        ways = weapon_words(first), weapon_words(second)
        if ways[0] is not None and ways[1] is not None:
            return (*ways[0], *ways[1])
    if text.lower().startswith("that had the ") or text.lower().startswith("the ["):
        return weapon_words(text.removeprefix("that had ").removeprefix("the "))
    return None
