"""What stands behind a unit: near, in combat, hit by these attacks, with a keyword."""

from __future__ import annotations

import re
from dataclasses import replace

from mathhammer.rulestext.frame import SELF, Alts, Cond, Frame, Who, both, one
from mathhammer.rulestext.keywords import any_of, none_of
from mathhammer.rulestext.switches import switch
from mathhammer.rulestext.weapon_words import weapon_words

# What may stand behind a unit: each says one thing more of it.
_WITHIN = re.compile(
    r'(?:that (?:is|are|was) |which (?:is|are) |and )?(?:wholly )?within (\d{1,2})"(?: '
    r'horizontally)?(?: and (?P<n>\d)" vertically)?(?: of (?P<whom>[^,;]+?))?(?= and (?:is|are|'
    r"visible|in combat|not|has|that)|$| that | and visible|, | \(| which | to be)",
    re.IGNORECASE,
)


_RANGE = re.compile(
    r"(?:that (?:is|are) |and )?within (?:this (?:unit|model|manifestation|terrain feature)'s|its|"
    r"the bearer's|the target's|that unit's) combat range",
    re.IGNORECASE,
)


_COMBAT = re.compile(
    r"(?:that (?:is|are|was|were) |and (?:is|are )?|which (?:is|are) )?in combat(?: with "
    r"(?P<whom>(?:any |one or more |an? )?[^,;]+?))?(?= and |$| that |, )",
    re.IGNORECASE,
)


_ENGAGED = re.compile(
    r"(?:that (?:is|are) |and )?within Engagement Range(?: of (?P<whom>[^,;]+?))?(?= and |$| that |, | \()",
    re.IGNORECASE,
)


_EXCEPT = re.compile(
    r"\(?(?:excluding|except(?: for)?|other than) (?P<what>[^)]+?)\)?(?=$| within| wholly| that| in )",
    re.IGNORECASE,
)


_SEEN = re.compile(
    r"(?:that (?:is|are) |and |which (?:is|are) )?(?:(?:not )?visible(?: to [^,;]+?)?|on the "
    r"battlefield|from your army|in your army|"
    r"anywhere on the battlefield|at a time|of your choice|to be (?:the|its|a) targets?|from your "
    r"opponent's army|"
    r"that (?:has|have) not (?:been picked|already|used(?! (?:an?|any) (?:move|run|retreat|charge) )|fought|"
    r"shot)(?:(?! and (?:is|are|in|within|has)\b)[^,;])*|that (?:is|are) eligible to fight|"
    r"as the target|on your opponent's army roster)(?= |$)",
    re.IGNORECASE,
)


_HIT = re.compile(
    r"(?:that (?:was|were) |which (?:was|were) |it |and )?hit by (?:one or more|any|at least one) of "
    r"(?:those|its|that unit's|these|this (?:unit|model)'s|the bearer's) (?:\w+ )?attacks?"
    r"(?: (?:this|that) (?:phase|turn))?(?: (?:made )?(?:with|that had|by|from) "
    r"(?P<arms>[^,;]+?))?(?: this phase| this turn)?(?= and |$| \()",
    re.IGNORECASE,
)


_HURT = re.compile(
    r"that had any damage points allocated to it (?:(?P<p>this (?:phase|turn)) )?by this (?:unit|"
    r"manifestation)'s (?P<kind>shooting|combat)? ?attacks?(?: this (?:phase|turn))?",
    re.IGNORECASE,
)


_KEYWORD = re.compile(
    r"(?:and )?(?:that (?:has|have)|with|which (?:has|have)) the (?P<what>[\w' ,-]+?) keywords?(?= |$)",
    re.IGNORECASE,
)


_IS = re.compile(
    r"(?:and |that |which )+(?P<what>(?:is|are|was|were|has|have|had|can|cannot|did|does|made|"
    r"contains?|charged|used|moved|fell|retreated|disembarked|remained|advanced|made|"
    r"arrived)\b.+?)(?= and (?:that|is|are|in|within|has|have|was) |$)",
    re.IGNORECASE,
)


_IS_NOW = re.compile(
    r"\A(?:and |that |which )*(?:is|are) (?=(?:wholly )?within|in combat|visible)", re.IGNORECASE
)


_STATE_ONLY = re.compile(
    r"(?:and )?(?P<what>(?:not )?(?:below|at (?:its|their)|in combat|under orders|damaged|wholly "
    r"within (?:enemy|friendly)).*)",
    re.IGNORECASE,
)


_WEAPON = re.compile(
    r"(?:an?|its|this (?:model|unit)'s|the bearer's) (?P<name>(?!weapon)[\w' -]{3,40})", re.IGNORECASE
)


_THAT_NAME = re.compile(r"that (?P<name>[A-Z][\w' -]+)")
_FACING = re.compile(
    r"(?:that (?:is|are) |and (?:is|are )?)?in combat with (?:an?|any|1 or more|one or more) enemy "
    r"units? that (?:has |have )?charged(?: this turn)?",
    re.IGNORECASE,
)


_WHILE = re.compile(r"while (?:they are|it is|that unit is) (?=(?:wholly )?within|in combat)", re.IGNORECASE)


_OVER = re.compile(
    r"(?:that )?(?:this (?:unit|model|manifestation)|the bearer|it) (?:passed (?:across|over)|moved "
    r"(?:across|over|through))(?: (?:during|in|as part of) that move| this (?:turn|phase))?",
    re.IGNORECASE,
)


_MARKER = re.compile(
    r"(?:that (?:is|are) |and )?(?:within range of|contesting|wholly within range of) (?:an?|one or "
    r"more|any|the same|that|1 or more) objectives?(?: markers?)?(?: (?:that )?(?:you|your opponent) "
    r"(?:controls?|do(?:es)? not control))?",
    re.IGNORECASE,
)


_RELATIVE = re.compile(r"(?:and )?(?:that|which) ", re.IGNORECASE)


_MANY = re.compile(r"with (?P<n>\d+) or more models(?= |$)", re.IGNORECASE)


_FEW = re.compile(r"with (?P<n>\d+) or fewer models(?= |$)", re.IGNORECASE)


def tails(text: str, meant: Who, frame: Frame, lenient: bool = False) -> Who | None:
    """A unit with all that stands behind it; None where a word of it is not understood."""
    from mathhammer.rulestext.predicates import predicate  # phrases hold conditions, conditions hold phrases

    while text := _IS_NOW.sub("", text.strip(" ,"), count=1):
        if text.startswith("("):
            inner, bracket, after = text[1:].partition(")")
            if not bracket:
                return None
            if (match := _EXCEPT.fullmatch(inner)) is None:
                return None
            lacks = none_of(match["what"], meant.of)
            if lacks is None:
                return None
            meant, text = meant.that((lacks,)), after
            continue
        step = one_tail(text, meant, frame)
        if step is None and (state := _STATE_ONLY.match(text)):
            alts = predicate(f"is {state['what']}", meant.of, frame)
            step = None if alts is None else (meant.that(alts), len(text))
        if step is None and (match := _IS.match(text)):
            alts = predicate(match["what"], meant.of, frame)
            step = None if alts is None else (meant.that(alts), match.end())
        if step is None and lenient and _RELATIVE.match(text):
            told = switch(_RELATIVE.sub("it ", text, count=1))
            return None if told is None else meant.that(told)
        if step is None:
            return None
        meant, end = step
        text = text[end:]
        if text.startswith(" and ") and len(text) > 5:
            text = (
                text[5:]
                if not text.startswith((" and that", " and is", " and in ", " and within"))
                else text[1:]
            )
    return meant


def one_tail(text: str, meant: Who, frame: Frame) -> tuple[Who, int] | None:
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
        whom = _who(match["whom"] or "this unit", frame)
        if whom is None or (whom.side in ("friends",) and whom.alts != ((),)):
            return None
        return meant.that(one("engaged")), match.end()
    if match := _EXCEPT.match(text):
        lacks = none_of(match["what"], of)
        return None if lacks is None else (meant.that((lacks,)), match.end())
    if match := _KEYWORD.match(text):
        has = any_of(match["what"], of)
        return None if has is None else (meant.that(has), match.end())
    if match := _MANY.match(text):
        return meant.that(one(f"models >= {match['n']}", of)), match.end()
    if match := _FEW.match(text):
        return meant.that(one(f"models <= {match['n']}", of)), match.end()
    return None


def _who(text: str, frame: Frame) -> Who | None:
    from mathhammer.rulestext.who import who  # a phrase holds phrases

    return who(text, frame)


def _near(match: re.Match[str], meant: Who, frame: Frame) -> tuple[Who, int] | None:
    whom = _who(match["whom"], frame) if match["whom"] else SELF
    if match["whom"] and whom is None and match["whom"].lower() in ("them", "him", "her"):
        whom = SELF
    distance = match[1]
    if whom is None and match["whom"] and (named := _THAT_NAME.fullmatch(match["whom"])):
        return meant.that(one(f"near {named['name'].upper()} {distance}")), match.end()
    if whom is None:
        return None
    if whom.side in ("self", "led") or (whom is frame.it and whom.side == "friends" and meant.side == "foes"):
        return meant.that(one(f"within {distance}")), match.end()
    if whom.side == meant.side == "friends" and whom is frame.it:
        return meant.that(one(f"within {distance}")), match.end()
    near = near_words(whom, distance)
    return None if near is None else (meant.that(near), match.end())


def near_words(whom: Who, distance: str) -> Alts | None:
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
    whom = _who(match["whom"], frame)
    if whom is None:
        return None
    if whom.also:
        return None
    if (
        whom.side == "self"
        or (whom is frame.it and whom.side != meant.side)
        or (whom.side in ("friends", "foes") and whom.side != meant.side and whom.alts == ((),))
    ):
        return meant.that(one("in_combat")), match.end()
    if whom.side == "foes" and whom.alts == ((Cond("charged", "foe"),),):
        return meant.that(one("facing_charge")), match.end()
    return None
