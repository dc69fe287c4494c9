"""Conditions that open a clause: if, while, unless, a status, a unit that is led or near, a test."""

from __future__ import annotations

import re
from dataclasses import replace

from mathhammer.rulestext.conditions import condition
from mathhammer.rulestext.frame import Alts, Frame, Who, both, one
from mathhammer.rulestext.keywords import any_of
from mathhammer.rulestext.placing import after_roll
from mathhammer.rulestext.predicates import predicate
from mathhammer.rulestext.productions import Said, goes_on, production
from mathhammer.rulestext.switches import switch
from mathhammer.rulestext.tails import near_words, tails
from mathhammer.rulestext.who import who


def under(text: str, frame: Frame, switches: bool = True) -> Frame | None:
    """The frame under a condition in words; a switch where it is not understood and may be one."""
    alts = condition(text, frame)
    if alts is None and switches:
        alts = switch(text)
    return None if alts is None else frame.when(alts)


@production(
    "test.taken",
    "lead",
    r"(?:each time|when|if) (?:you take (?:an? )?(?:battle-shock|leadership)(?: or leadership)? "
    r"tests? for <who>|<who2> takes an? (?:battle-shock|leadership)(?: or (?:leadership|"
    r"battle-shock))? test|an? (?:battle-shock|leadership)(?: or leadership)? test is taken for "
    r"<who3>)",
    "Each time you take a Battle-shock test for this unit, add 1 to that test.",
    family="wh40k",
)
def _taken(match: re.Match[str], frame: Frame) -> Said | None:
    meant = who(match["who"] or match["who2"] or match["who3"], frame)
    return None if meant is None or meant.also else goes_on(replace(frame, test=meant, it=meant))


@production(
    "chanted",
    "lead",
    r"(?:in addition, )?if the (?P<kind>chanting|casting) roll was (?:an? )?(?:unmodified )?(?P<n>\d+)\+",
    "If the chanting roll was 8+, this unit has Ward (2+).",
    family="sigmar",
)
def _chanted(match: re.Match[str], frame: Frame) -> Said:
    word = "chant" if match["kind"].lower() == "chanting" else "cast"
    return goes_on(replace(frame, needs=f"{word} {match['n']}", own_needs=True))


@production(
    "status.given",
    "lead",
    r"<who> (?:is|are) (?P<what>suppressed|stupefied|pinned|shaken|marked|disrupted|tagged|cursed|"
    r"hexed|blinded|dazed|weakened|distracted|[a-z]+ed)",
    'Select one enemy unit within 12" of this unit. Until the end of the turn, that enemy unit is '
    "pinned. While a unit is pinned, subtract 2 from Charge rolls made for it and subtract 3 from "
    "Advance rolls made for it.",
)
def _given(match: re.Match[str], frame: Frame) -> Said | None:
    meant = who(match["who"], frame)
    if (
        meant is None
        or meant.side == "self"
        or match["what"].lower()
        in (
            "destroyed",
            "removed",
            "selected",
            "picked",
            "allocated",
            "healed",
            "affected",
            "used",
            "required",
            "attached",
            "banished",
            "damaged",
        )
    ):
        return None
    base = after_roll(frame)
    if base is None:
        return None
    return goes_on(replace(frame, status=match["what"].lower(), bearers=meant, given=base.needs))


@production(
    "status.while",
    "lead",
    r"while (?:a|an enemy|the|that|an? \w+) (?:unit|model|target) is (?P<what>[a-z]+ed)",
    'Select one enemy unit within 12" of this unit. Until the end of the turn, that enemy unit is '
    "dazed. While a unit is dazed, each time a model in that unit makes a melee attack, subtract 2 "
    "from the Wound roll.",
)
def _while_status(match: re.Match[str], frame: Frame) -> Said | None:
    if frame.bearers is None or match["what"].lower() != frame.status:
        return None
    meant = frame.bearers
    moved = replace(frame, it=meant, foe=meant if meant.side == "foes" else frame.foe, roll=None)
    return goes_on(replace(moved, needs=frame.given) if frame.given else moved)


@production(
    "status.empowered",
    "lead",
    r"while (?:it is |(?:this|that) (?:unit|model) is )?empowered",
    "You can spend 1 Pain token to Empower this unit. While Empowered, each time a model in this "
    "unit makes a melee attack, add 2 to the Wound roll.",
    family="wh40k",
)
def _empowered(match: re.Match[str], frame: Frame) -> Said | None:
    return goes_on(frame.chosen()) if frame.use else None


@production(
    "while.leading",
    "lead",
    r"while leading an? (?P<what>.+?) ?unit",
    "While leading a Guard unit, it has the Stealth ability.",
    family="wh40k",
)
def _while_leading(match: re.Match[str], frame: Frame) -> Said | None:
    alts = condition(f"this model is leading a {match['what']} unit", frame)
    return None if alts is None else goes_on(frame.when(alts))


@production(
    "status.affected",
    "lead",
    r"while (?:a|an?) (?:friendly )?(?:unit|model) is (?P<what>affected by (?:this ability|[A-Z][\w' ]+))",
    "While a model is affected by this ability, add 1 to Hit rolls made for it.",
)
def _affected(match: re.Match[str], frame: Frame) -> Said:
    return goes_on(replace(frame, it=Who("friends", one(f"if {match['what']}"))))


@production(
    "unless",
    "lead",
    r"unless <words>",
    "Unless it is leading a unit, this model has the Lone Operative ability.",
)
def _unless(match: re.Match[str], frame: Frame) -> Said | None:
    alts = condition(match["words"], frame)
    if alts is None or len(alts) != 1 or len(alts[0]) != 1:
        return None
    held = alts[0][0]
    return goes_on(frame.when(((replace(held, no=not held.no),),)))


_MODIFIES_ROLL = re.compile(
    r", (?:add|subtract) \d (?:to|from) (?:the|that|each|this) (?:dice )?(?:roll|result)\b", re.IGNORECASE
)


@production(
    "if",
    "lead",
    r"(?:if|provided(?: that)?|while|as long as|when|where|unless) <words>",
    "If this unit charged this turn, it has Ward (5+).",
)
def _if(match: re.Match[str], frame: Frame) -> Said | None:
    if match[0].lower().startswith("unless"):
        return None
    if frame.roll is not None and _MODIFIES_ROLL.match(match.string, match.end()):
        return None  # it holds for the modifier of that roll alone
    text = match["words"]
    spoken_of = frame.by or frame.against  # of whose attacks it is a condition
    if spoken_of is None and (lead := _leading(text, frame)):
        return goes_on(lead)
    if (aura := _aura(text, frame)) is not None:
        return goes_on(aura)
    alts = condition(text, frame)
    return None if alts is None else goes_on(replace(frame.when(alts), last=alts))


_LEADING = re.compile(
    r"(?P<who>this model|the bearer|this unit|this psyker|your hero|it) is leading (?:a|an|any|its) "
    r"(?P<what>.*?) ?unit(?P<tail>.*)",
    re.IGNORECASE,
)


def _leading(text: str, frame: Frame) -> Frame | None:
    """The frame of what happens while this model leads a unit: "that unit" is the unit it leads."""
    match = _LEADING.fullmatch(text.strip())
    if match is None:
        return None
    led = Who("led")
    if match["what"].strip():
        has = any_of(match["what"], "friend")
        if has is None:
            return None
        led = led.that(has)
    if match["tail"].startswith(" and "):
        own = predicate(match["tail"].removeprefix(" and "), "self", frame)
        return None if own is None else replace(frame.when(own), it=led, led=True)
    if match["tail"].strip():
        alts = condition("that unit" + match["tail"].replace(" that ", " ", 1), replace(frame, it=led))
        if alts is None:
            return None
        led = led.that(alts)
    return replace(frame, it=led, led=True)


_AURA = re.compile(
    r'(?P<who>.+?) (?:is|are) (?P<tail>(?:wholly )?within \d+" of .+|'
    r"within (?:this unit's|its) combat range|in combat with .+|within "
    r"Engagement Range of .+)",
    re.IGNORECASE,
)


_TARGET = re.compile(r"(?:the|that) target(?: unit)?", re.IGNORECASE)


_STATE = re.compile(
    r"(?P<who>(?:an?|each|any|one or more) (?:other )?(?:friendly|enemy) .+?) "
    r"(?P<what>(?:is|are|has|have) .+)",
    re.IGNORECASE,
)


def _aura(text: str, frame: Frame) -> Frame | None:
    """While friends or enemies are near, or are something: they are who "that unit" means from here on."""
    match = _AURA.fullmatch(text.strip()) or _STATE.fullmatch(text.strip())
    if match is None:
        return None
    meant = who(match["who"], frame)
    if meant is None or meant.side not in ("friends", "foes") or meant is frame.it:
        return None
    if meant.reach == "attacker" or (frame.attack and _TARGET.fullmatch(match["who"])):
        return None  # a condition of the attack that is spoken of
    parts = match.groupdict()
    if "tail" in parts:
        near = tails(parts["tail"], meant, frame)
    else:
        alts = predicate(parts["what"], meant.of, frame)
        near = None if alts is None else meant.that(alts)
    if near is None:
        return None
    told = _for_itself(near, text)
    return replace(frame, it=near, foe=near if near.side == "foes" else frame.foe, near=told)


_DISTANCE = re.compile(r"within (?P<n>\d+)\"", re.IGNORECASE)


def _for_itself(near: Who, text: str) -> Alts:
    """What it means for this unit that they are near: it has the condition too."""
    words = {cond.word for way in near.alts for cond in way}
    if near.side == "foes":
        said = next((word for word in ("in_combat", "engaged") if word in words), "")
        return one(said, "self") if said else one(f"if {text.strip()}")
    match = _DISTANCE.search(text)
    distance = match["n"] if match else "3"
    bare = replace(
        near, alts=tuple(tuple(cond for cond in way if cond.word.startswith("has ")) for way in near.alts)
    )
    return near_words(bare, distance) or one(f"if {text.strip()}")


@production(
    "test.result",
    "lead",
    r"if (?:that|the|it|this) ?(?:battle-shock|leadership)? ?(?:test )?(?:is |was )?(?P<how>failed|"
    r"passed|fails|passes)(?: (?:that|the|this) (?:\w+ )?test)?",
    "That unit must take a Battle-shock test. If that test is failed, it suffers D3 mortal wounds.",
)
def _tested(match: re.Match[str], frame: Frame) -> Said:
    return goes_on(
        frame.when(one("passed test" if match["how"].lower().startswith("pass") else "failed test"))
    )


@production(
    "otherwise",
    "lead",
    r"otherwise",
    "If this unit charged this turn, roll 6 dice. Otherwise, roll 3 dice. For each 4+, this unit "
    "suffers 1 mortal wound.",
)
def _otherwise(match: re.Match[str], frame: Frame) -> Said | None:
    if frame.last is None or any(len(way) != 1 for way in frame.last):
        return None
    never = tuple(replace(way[0], no=not way[0].no) for way in frame.last)
    kept = tuple(tuple(c for c in way if c not in [w[0] for w in frame.last]) for way in frame.alts)
    return goes_on(replace(frame, alts=both(tuple(dict.fromkeys(kept)), (never,)), last=None))
