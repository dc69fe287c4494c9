"""Whom a phrase means: this unit, the unit it leads, friends, enemies."""

from __future__ import annotations

import re
from dataclasses import replace

from mathhammer.rulestext.frame import NOBODY, SELF, Alts, Cond, Frame, Of, Who, both, one
from mathhammer.rulestext.keywords import any_of
from mathhammer.rulestext.tails import tails

# "models in", "each model in", "one of the models from"
_MODELS = re.compile(
    r"(?:(?:all|an?|any|each|every|one|those|other|up to \w+|one or more) )?(?:of the )?(?:other "
    r")?models? (?:in|from) (?=.)",
    re.IGNORECASE,
)


_SELF = re.compile(
    r"(?:this (?:model|unit|manifestation|terrain feature|fortification|psyker|transport|vehicle|hero|knight|"
    r"warscroll|swarm|character|warlord)(?:'s unit)?|the bearer(?:'s unit)?|bearer|(?:your|this) "
    r"hero(?:'s unit)?|this|your warlord|"
    r"the (?:unit|model|hero|friendly unit) using this ability|the unit with this ability|itself|"
    r"this (?-i:[A-Z])[\w-]+(?: model| unit)?(?:'s unit)?|your general|(?:one or more |an? )?(?:models?|"
    r"units?) with this ability)",
    re.IGNORECASE,
)


_NAMES = r"(?:(?-i:[A-Z])[\w'-]* )*"
_THAT = re.compile(
    rf"(?:that|those|the) (?:friendly )?{_NAMES}(?:units?|models?|manifestations?|hero|psyker|character)|"
    r"the targets?(?: units?)?|each target|that target|both targets|those targets|them|they|"
    r"that model's unit|each of those units|each of the targets",
    re.IGNORECASE,
)
_THAT_KIND = re.compile(r"that (?P<kind>(?-i:[A-Z])[\w' -]*)", re.IGNORECASE)
_IT = re.compile(r"it|they|them|that unit|those units|the unit|such a (?:unit|model)", re.IGNORECASE)
_THAT_FOE = re.compile(
    rf"(?:that|those|the) (?:same )?enemy {_NAMES}"
    r"(?:units?|models?|hero|monster|manifestations?|psyker|wizard|priest|general|(?-i:[A-Z])[\w'-]*)|"
    r"(?:that|those|the) (?:(?:attacking|targeted|selected|picked) (?:unit|model)s?|attacker|"
    r"opponent's unit)|such an enemy unit",
    re.IGNORECASE,
)
_SIDE = re.compile(
    r"(?P<art>(?:(?:all|an?|any|each|every|one|other|another|those|the|up to \w+|any number of|one "
    r"or more|1 or more|both|1|2|3) )*)"
    r"(?:(?:other|different|visible|eligible|such|non-visible|new|closest|damaged(?= enemy)) )*"
    r"(?P<pre>(?:(?!That\b|This\b|The\b|D\d|Each\b|All\b|Up\b)(?:non-)?(?-i:[A-Z])[\w-]+ "
    r")*)(?P<side>friendly|enemy|opposing)\b ?(?P<what>[^;:()]*?)?"
    r"(?P<noun>\b(?:units?|models?)\b)?(?P<tail>(?: ?\(| (?:within|wholly|in|that|which|contesting|"
    r"on the|from "
    r"your|with|anywhere|to be|hit|while|equipped|being|visible|and (?:is|are|in|within|wholly|that|"
    r"has|have|visible|not)|it|this|can|has|when|whose|using|they|passed)\b).*)?$",
    re.IGNORECASE,
)


_ARMY = re.compile(
    r"(?:(?:all|an?|any|each|every|one|other|another|those|up to \w+) )*(?P<what>[A-Z][^,;:()]*?) "
    r"?(?P<noun>\b(?:units?|models?)\b) "
    r"(?:from|in) your (?:Crusade )?army(?P<tail>.*)$"
)


_NAMED_MODEL = re.compile(
    r"(?:this unit's|the bearer's unit's|an?|the|this) (?P<name>[A-Z][\w'-]*(?: (?:of|the|"
    r"[A-Z][\w'-]*))*?)(?: models?)?(?: in this unit)?"
)


_TARGET = re.compile(r"(?:the|each|that) targets?(?: units?)?", re.IGNORECASE)


_BOTH_SIDES = re.compile(
    r"(?:(?:each|any number of|every|all|one|an?|any|other|another|up to \w+) )*units? \((?:friendly "
    r"(?:or|and) enemy|enemy (?:or|and) friendly)\)(?P<tail>.*)",
    re.IGNORECASE,
)


_RENOWN = re.compile(
    r"(?:(?:each|all|every|any|one|an?) )*units? in this (?P<what>Regiment of (?:Renown|\w+)|Army of "
    r"Renown)(?P<tail>.*)",
    re.IGNORECASE,
)


_SOME_MODELS = re.compile(
    r"(?:an?|each|every|the)? ?(?P<name>champions?|(?-i:[A-Z])[\w'-]*(?: (?:of|the|for|"
    r"(?-i:[A-Z])[\w'-]*))*?)(?: models?)? in (?P<unit>this unit|that unit|the bearer's unit|it)",
    re.IGNORECASE,
)


_REGIMENT = re.compile(
    r"(?:(?:each|all|other|any) )*units (?P<what>in the regiment of [^,;]{3,60})", re.IGNORECASE
)
_ONE = re.compile(r"\b(?:an?|one|another|each|every|1)\b", re.IGNORECASE)


def who(text: str, frame: Frame, lenient: bool = False) -> Who | None:
    """Whom a whole phrase means; None where that is not understood. `lenient`: a last relative clause that is
    not understood becomes a switch.

    >>> who("models in this unit", Frame())
    Who(side='self', alts=((),), picked=False, reach='', also=(), weapon=())
    """
    text = text.strip().rstrip(".,;").removeprefix("both ")
    for joint in (" and up to ", " and all ", " and each ", " and ", " or "):
        head, sep, tail = text.partition(joint)
        if (
            sep
            and _SELF.fullmatch(_bare(head))
            and (
                joint != " and "
                or tail.lower().startswith(
                    (
                        "friendly",
                        "other friendly",
                        "any ",
                        "all ",
                        "each ",
                        "a friendly",
                        "the target",
                        "that ",
                        "those ",
                    )
                )
            )
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
        with_leader = frame.led and frame.it.side == "led" and plain.lower().endswith("unit")
        return frame.it if with_leader else SELF
    if _THAT_FOE.fullmatch(plain):
        if plain.lower().endswith(("attacking unit", "attacker", "attacking model")):
            return Who("foes", picked=False, reach="attacker")
        return frame.foe or (frame.it if frame.it.side == "foes" else None)
    if _TARGET.fullmatch(plain) and frame.it.side == "self" and not frame.it.also:
        if frame.by is not None and frame.by.side != "foes":
            return Who("foes")
        return frame.foe
    if "friendly" in plain.lower() and _THAT.fullmatch(plain) and frame.it.side not in ("friends", "led"):
        return frame.it.also[0] if frame.it.also else None
    if plain.lower() == "those units" and frame.it.side == "self" and not frame.it.also:
        return None
    if _IT.fullmatch(plain) or _THAT.fullmatch(plain):
        return frame.it if frame.it is not NOBODY else None
    if match := _THAT_KIND.fullmatch(plain):
        return next(
            (one for one in (frame.it, frame.foe) if one is not None and _is_a(one, match["kind"])), None
        )
    if match := _RENOWN.fullmatch(plain):
        return tails(
            match["tail"].strip(), Who("friends", one(f"if in this {match['what']}")), frame, lenient
        )
    if match := _REGIMENT.fullmatch(plain):
        return Who("friends", one(f"if {match['what']}"))
    if (match := _SOME_MODELS.fullmatch(text)) is not None:
        whole = who(match["unit"], frame)
        return None if whole is None else whole.that(one(f"model {match['name']}"))
    return _of_a_side(plain, frame, lenient)


_OR = re.compile(r" or (?=(?:an?|one or more|another|friendly|enemy) )", re.IGNORECASE)


def _either(text: str, frame: Frame) -> Who | None:
    """ "A friendly X unit or a friendly Y unit": one side, either kind."""
    for match in _OR.finditer(text):
        first, second = who(text[: match.start()], frame), who(text[match.end() :], frame)
        if (
            first is not None
            and second is not None
            and first.side == second.side
            and first.side in ("friends", "foes")
        ):
            return replace(first, alts=(*first.alts, *second.alts))
    return None


_AND = re.compile(
    r",? and (?=(?:(?:an?|one|each|all|any|every|up to \w+) )?(?:(?:other|different|visible) "
    r")*(?:friendly|enemy) )",
    re.IGNORECASE,
)


def _pair(text: str, frame: Frame, lenient: bool) -> Who | None:
    """ "A friendly X unit and a friendly Y unit": both, each with its own conditions."""
    match = _AND.search(text)
    if match is None:
        return None
    first = who(text[: match.start()], frame, lenient)
    second = who(text[match.end() :], frame, lenient)
    if first is None or second is None or first.side != second.side or first.side not in ("friends", "foes"):
        return None
    return replace(first, also=(*first.also, second))


def _is_a(meant: Who, kind: str) -> bool:
    """Whether units that are meant have that keyword in every way."""
    return all(any(cond.word == f"has {kind.upper()}" and not cond.no for cond in way) for way in meant.alts)


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
    what = f"{match.groupdict().get('pre') or ''}{match['what'] or ''}".strip()
    single = _ONE.search(match.groupdict().get("art") or "") is not None
    found: Alts | None = None
    if (match["noun"] or "").lower().endswith("s") and " and " in what:
        found = _nature(what.replace(" and ", " or "), of, plural=False)  # type: ignore[arg-type]
    if found is None:
        found = _nature(what, of, plural=match["noun"] is None and not single)  # type: ignore[arg-type]
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
    found = any_of(what, of, plural)
    return None if found is None else both(found, (tuple(states),))
