"""Sentences from left to right: every clause opens something, changes something, or is named as not understood."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from mathhammer.rulestext import asides, changes, harm, having, leads, matters  # noqa: F401 (they register)
from mathhammer.rulestext.conditions import condition, switch
from mathhammer.rulestext.frame import ALWAYS, NOBODY, Alts, Change, Frame, merged
from mathhammer.rulestext.normal import LONGEST_SENTENCE, Passage, passages, split_sentences
from mathhammer.rulestext.opening import opening
from mathhammer.rulestext.productions import Production, Said, first_word, starting_with
from mathhammer.rulestext.reading import About, Reading, RulesText

_GAP = re.compile(r"[\s,;:.!]*(?:(?:and|but|then|also|or|in addition|as well as|immediately)\b[\s,]*)*", re.IGNORECASE)
_CUT = re.compile(
    r"[,;:.]|(?= (?:and|if|while|until|for the rest|for attacks|instead|but|that|select|pick|choose|roll|when|or|then|unless|provided|on a|to a|as well|during|within|at the|in (?:your|the|addition)|with|is|are|this|the|it|you|\(|after|before|equal)\b)|(?= \()|$",
    re.IGNORECASE,
)
_QUALIFIER = re.compile(r" ?,? ?(?P<word>if|while|provided(?: that)?|as long as) (?P<cond>.+)", re.IGNORECASE)
_TAIL = re.compile(
    r"\s*(?:(?:for|until) the (?:rest|remainder|end|start) of [^,;:.]*?(?:phase|turn|round|battle)|until (?:the start of )?your next [^,;:.]*?(?:turn|phase)|until the (?:start|end) of [^,;:.]*?(?:phase|turn|round|battle)|for that attack|"
    r"\(?to a (?:minimum|maximum) of (?:0|1|3)\)?|as well|instead(?! of)|as normal|this (?:phase|turn)|after (?:the|that) [\w' ]*ability has been resolved|in addition to any other [^,;:.]+|for the rest of the turn)",
    re.IGNORECASE,
)
_LEADING_WORDS = re.compile(
    r"(?:if|each time|when|whenever|while|after|before|at the|in your|in the|until|for|unless|once|during|where|on an?|select|pick|choose|instead|otherwise|every time|just|just after|the first|as long|provided|roll|whilst|to do so|twice|other than|except|immediately|then)\b",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"(?:(?:if|when) (?:you|it|they|this \w+|the bearer|that \w+) do(?:es)?\b|until |while (?:that|it|they|this|a (?:unit|model) is|empowered)|on an? |for each |that |those |the targets?\b|then\b|roll |if (?:that|the (?:roll|target|result)|it)\b|it |they |otherwise|each (?:target|of those)|in addition, (?:that|until|it|the target|if that|if the|while that)|subtract|add|inflict)",
    re.IGNORECASE,
)
_BACK = re.compile(r"\b(?:that|such a|those) (?:attack|weapon|attacks|weapons)\b|\bas well$|\binstead\b|\bthose attacks\b", re.IGNORECASE)
_OWN_ATTACK = re.compile(r"\beach time (?!an attack is made with (?:such|that|those|this))[^,]*\battacks?\b", re.IGNORECASE)
_FALLEN = re.compile(r"(?:the|that|those) destroyed models?\b|after the first is used", re.IGNORECASE)
_ONE_OF = re.compile(r"(?:(?:you can )?(?:select|pick|choose)|picks?) (?:one|1|up to \w+) (?:of the (?:following|effects|abilities|bullet)|effect|ability)", re.IGNORECASE)
_ATTACHING = re.compile(r"\b(?:can be attached to|list of units|can be (?:included|taken) in|regiment options|include up to)\b[^.]*$", re.IGNORECASE)
_FOLLOWING = re.compile(r"(?:,? ?(?:then )?(?:and )?(?:you can |you must |that unit can |this unit can |it can )?)?\b(?:select|pick|choose|apply|use) (?:up to )?(?:one|1|\w+) (?:different )?(?:of the (?:following|effects)|effects?\b|from the following).*$", re.IGNORECASE | re.DOTALL)
_NAMED_POINT = re.compile(r"(?P<name>[A-Z0-9][^:.]{1,50}?)(?: \([^)]*\))?: (?P<text>.+)", re.DOTALL)
# What stands behind a change and limits it must be understood.
_QUALIFIES = re.compile(r"(?:adding|subtracting|unless|except|excluding|instead|otherwise|where|or|that|which|but|up to|including|\()", re.IGNORECASE)
_ACTION = re.compile(r"\b(?:can|cannot|must|may|gains?|set|remove|place|you|eligible|not|treat|treated|counts?|move|moves|remains?|more than \d+|wholly|through|make|makes|has|have|is considered|become|becomes|ends|expended|vice versa)\b", re.IGNORECASE)
_COMPANION = re.compile(r",? ?\(?including (?:its |their )?Companion(?: weapons)?\)?$", re.IGNORECASE)
_NEXT_BAND = re.compile(r"on an? |for each |on \d", re.IGNORECASE)
_INSTEAD = re.compile(r"\binstead\b(?! of)", re.IGNORECASE)
BEST_OF = ("reroll_", "ward", "fnp", "invuln", "crit_on", "crit_wound_on", "cover", "gain")


@dataclass(slots=True)
class _State:
    """What has been read so far."""

    family: str
    found: list[Change] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    loose: list[str] = field(default_factory=list)  # clauses that may limit an effect, if there is one
    used: list[str] = field(default_factory=list)


def read(rule: RulesText, family: str) -> Reading:
    """The reading of one ability."""
    state = _State(family)
    frame, untold = opening(rule, family)
    base = frame
    for passage in passages(rule.text):
        frame = _passage(passage, frame, base, state)
    effects = merged(_one_roll(state.found))
    unread = [text for text in state.unread if text]
    if effects:
        unread += [*untold, *state.loose]
    if "attack" in rule.keywords.lower().replace("attacks", "").split(", "):
        effects = [replace(e, changes={**e.changes, "no_attack": True}) if "mortal" in e.changes else e for e in effects]
    about = "combat" if "sheet.ability" in state.used else _about(effects, unread)
    if about == "none":
        effects = []
    return Reading(about, tuple(effect.mapping() for effect in effects), tuple(unread), tuple(dict.fromkeys(state.used)))


_NO_NUMBER = {"move", "control", "range"}
_DICE = {
    "charge_roll", "run_roll", "advance_roll", "cast_roll", "unbind_roll", "chant_roll", "banish_roll", "battleshock_roll",
    "reroll_charge", "reroll_run", "reroll_advance", "reroll_cast", "reroll_chant", "reroll_battleshock", "reroll_unbind", "reroll_banish",
    "reroll_hazardous", "reroll_escape", "leadership", "charge_dice", "battleshock_test", "own_roll", "no_attack",
}  # fmt: skip
_MOVES = {"Deep Strike", "Infiltrators", "Fly", "Firing Deck"}


def _about(effects: list[Change], unread: list[str]) -> About:
    """Combat, dice or none: by what changes, and by what was not understood."""
    keys = {key for effect in effects for key in effect.changes} - _NO_NUMBER
    named = [str(name) for effect in effects for key in ("gain_unit", "lose_unit") for name in effect.changes.get(key, ())]
    fighting = [name for name in named if having.UNIT_ABILITIES.fullmatch(name) and not name.startswith((*_MOVES, "Scouts"))]
    if not fighting and not _named_rule(named):
        keys -= {"gain_unit", "lose_unit"}
    kinds = {matters.kind(text) for text in unread}
    if keys - _DICE or "combat" in kinds:
        return "combat"
    return "dice" if keys or "dice" in kinds else "none"


def _named_rule(names: list[str]) -> bool:
    """Whether one of them is a status or a rule rather than a keyword or a way to be set up."""
    return any(name in ("Afflicted", "Suppressed") for name in names)


def _one_roll(found: list[Change]) -> list[Change]:
    """A roll that decides more than mortal damage is one that all its effects need."""
    more = {change.roll.number for change in found if change.roll and change.needs and "mortal" not in change.changes}
    done = []
    for change in found:
        mortal = change.changes.get("mortal")
        if change.roll and change.roll.number in more and isinstance(mortal, dict) and mortal.get("dice") == "1" and not change.needs:
            bare = {key: value for key, value in mortal.items() if key == "each"}
            change = replace(change, needs=str(mortal["on"]), changes={**change.changes, "mortal": bare})
        done.append(change)
    return done


def _passage(passage: Passage, frame: Frame, base: Frame, state: _State) -> Frame:
    """One sentence, or a sentence with its points."""
    if not passage.points:
        return _sentence(passage.text, frame, base, state)
    if _ATTACHING.search(passage.text):
        return frame
    before = len(state.unread)
    choice = bool(_ONE_OF.search(passage.text)) or bool(re.search(r"one of the following|1 of the following", passage.text, re.IGNORECASE))
    if choice and (told := _abilities(passage, frame, base, state)) is not None:
        return told
    head = passage.text.rstrip(":")
    if choice:
        head = _FOLLOWING.sub("", head).strip(" ,.")
    loose = len(state.loose)
    opened = _sentence(head, frame, base, state, lead=True) if head else _fresh(passage.text, frame, base)
    failed = len(state.unread) > before or len(state.loose) > loose
    for point in passage.points:
        start = replace(opened, use="choice") if choice else opened
        text = point
        if choice:
            named = _NAMED_POINT.fullmatch(point)
            name = named["name"] if named else point.split(".")[0][:60]
            text = named["text"] if named else point
            start = start.when(((switch_cond(name)),))
        elif (named := _NAMED_POINT.fullmatch(point)) and not re.match(r"(?:if|on|each|while|when|until|for)\b", point, re.IGNORECASE):
            text = named["text"]
        if failed:
            if matters.kind(text) != "none":
                state.unread.append(text)
            continue
        inner = start
        for number, sentence in enumerate(split_sentences(text)):
            inner = _sentence(sentence, inner, start, state, inside=number == 0)
    return replace(opened, alts=frame.alts, needs=frame.needs)


def _abilities(passage: Passage, frame: Frame, base: Frame, state: _State) -> Frame | None:
    """A choice between weapon abilities that stand alone in a list."""
    points = [point.strip(" .;") for point in passage.points]
    names = [having.WEAPON_ABILITIES.fullmatch(point) for point in points]
    if not all(names):
        return None
    joined = "; ".join(points)
    return _sentence(f"{passage.text.rstrip(': ')}: {joined}", frame, base, state)


def switch_cond(name: str) -> tuple[object, ...]:
    """The condition that this one of several was chosen."""
    from mathhammer.rulestext.frame import Cond

    return (Cond(f"if {name.strip().rstrip('.')}"),)


def _fresh(text: str, frame: Frame, base: Frame) -> Frame:
    """The frame with which a sentence begins: what was said before lasts where the sentence goes on from it."""
    kept = replace(
        base, it=frame.it, foe=frame.foe, roll=frame.roll, rolls=frame.rolls, mark=frame.mark, status=frame.status, bearers=frame.bearers, given=frame.given, options=frame.options, victim=frame.victim, last=frame.last,
    )
    if frame.mark and frame.mark in text.lower():
        kept = replace(kept, use=frame.use, limit=frame.limit)
    if _GOES_ON.match(text) or re.search(r"\b(?:that (?:enemy )?(?:unit|model)|those units)\b", text):
        kept = replace(kept, use=frame.use, limit=frame.limit, phase=frame.phase, led=frame.led)
        if frame.roll is not None or re.match(r"(?:if|when) (?:you|it|they|this \w+|the bearer) do|until |then\b", text, re.IGNORECASE):
            kept = replace(kept, weapon=frame.weapon, alts=frame.alts, needs=frame.needs if not frame.own_needs else base.needs, against=frame.against)
    if text.lower().startswith("otherwise") and frame.last is not None:
        kept = replace(frame, roll=None, on="", by=None, against=None)
    if _FALLEN.match(text):
        kept = replace(frame, weapon=())
    if _BACK.search(text) and not _OWN_ATTACK.match(text):
        kept = replace(kept, by=frame.by, against=frame.against, attack=frame.attack, alts=frame.alts, use=frame.use, limit=frame.limit, weapon=frame.weapon, phase=frame.phase, needs=frame.needs)
    return kept


def _sentence(text: str, frame: Frame, base: Frame, state: _State, *, lead: bool = False, inside: bool = False) -> Frame:
    """Read one sentence; the frame at its end."""
    text = text.strip().rstrip(".! ")
    if len(text) > LONGEST_SENTENCE:
        state.unread.append(text[:LONGEST_SENTENCE])
        return frame
    now = frame if inside or lead and frame is not base and _GOES_ON.match(text) else _fresh(text, frame, base)
    rolled = now
    start, position, changed = len(state.found), 0, False
    instead = bool(_INSTEAD.search(text))
    while True:
        gap = _GAP.match(text, position)
        if gap is not None and ";" in gap[0] and now.roll is not None and _NEXT_BAND.match(text, gap.end()):
            now = replace(rolled, on="")
        if changed and position < len(text) and gap is not None and not gap[0].strip(" "):
            state.unread.append(text[position:].strip())
            return now
        position = gap.end() if gap else position
        if position >= len(text):
            break
        step = _step(text, position, now, state)
        if step is None:
            skipped = _skip(text, position)
            if skipped is None:
                if matters.kind(text[position:]) != "none" or (len(state.found) > start and _QUALIFIES.match(text, position)):
                    state.unread.append(text[position:].rstrip("."))
                elif position:
                    state.loose.append(text[position:])
                return now
            position, changed = skipped, False
            continue
        position, now, rule, effects = step
        changed = rule.part == "change"
        state.used.append(rule.id)
        state.found += effects
        if rule.id == "companion.too":
            _with_companion(state)
        if rule.id == "aside.cumulative":
            _counted_by_use(state)
        if rule.id in ("roll", "roll.number", "roll.adding") and not now.on:
            rolled = now
    if instead and len(state.found) > start:
        _replace_earlier(state, start)
    return now


def _step(text: str, position: int, frame: Frame, state: _State) -> tuple[int, Frame, Production, list[Change]] | None:
    """The first production that fits here, with the end of its clause."""
    word = first_word(text[position : position + 40])
    ends = [match.start() for match in _CUT.finditer(text, position + 1)]
    hard = [end for end in ends if end == len(text) or text[end] in ",;:."]
    orders = {
        "change": ends[::-1],
        "aside": ends[::-1],
        "lead": hard[::-1],
        "soft": [*hard[::-1], *(end for end in reversed(ends) if end not in hard)],
        "switch": hard,
    }
    for rule in starting_with(word, state.family):
        order = orders["switch" if rule.id == "if.switch" else "soft" if rule.soft else rule.part]
        for end in order:
            match = rule.pattern.fullmatch(text, position, end)
            if match is None:
                continue
            if rule.part != "change":
                said = rule.build(match, frame)
                if said is not None and said.frame is not None:
                    return end, said.frame, rule, list(said.changes)
                continue
            if frame.crit and not rule.id.startswith(("mortal", "allocate")):
                continue
            done = _change(rule, match, text, end, frame)
            if done is not None:
                return done
    return None


def _change(rule: Production, match: re.Match[str], text: str, end: int, frame: Frame) -> tuple[int, Frame, Production, list[Change]] | None:
    """A change with what stands behind it: conditions, and how long it lasts."""
    said = rule.build(match, replace(frame, extra=None))
    more: Alts = ALWAYS
    stop = end
    if companion := _COMPANION.search(text, end):
        frame = replace(frame, companion=True)
        text = text[: companion.start()] + " " * len(companion[0]) + text[companion.end() :]
        said = rule.build(match, replace(frame, extra=None))
    while tail := _TAIL.match(text, stop):
        stop = tail.end()
    qualifier = _behind(text, stop, frame, said)
    if qualifier is not None:
        more, stop = qualifier
        while tail := _TAIL.match(text, stop):
            stop = tail.end()
    if companion and not text[stop : companion.start()].strip():
        stop = companion.end()
    if more != ALWAYS or rule.id == "own-roll":
        said = rule.build(match, replace(frame.when(more), extra=more))
    if said is None:
        return None
    after = said.frame if said.frame is not None else frame
    if said.frame is not None:
        after = replace(after, alts=frame.alts, extra=None, use=after.use or frame.use)
    return stop, replace(after, extra=None), rule, list(said.changes)


def _behind(text: str, position: int, frame: Frame, said: Said | None) -> tuple[Alts, int] | None:
    """The condition behind a change, and where it ends."""
    match = _QUALIFIER.match(text, position)
    if match is None:
        return None
    start = match.start("cond")
    told = frame
    if said is not None and said.changes and frame.by is None and said.changes[0].on in ("friends", "enemies"):
        told = replace(frame, it=replace(frame.it, side="friends" if said.changes[0].on == "friends" else "foes", alts=ALWAYS, also=()))
    ends = [cut.start() for cut in _CUT.finditer(text, start + 1)]
    for end in reversed(ends):
        alts = condition(text[start:end], told)
        if alts is not None:
            return alts, end
    for end in ends:
        if end == len(text) or text[end] in ".;,:":
            alts = switch(text[start:end])
            return None if alts is None else (alts, end)
    return None


def _skip(text: str, position: int) -> int | None:
    """Where to go on behind a clause that changes no number; None where it cannot be left out."""
    if _LEADING_WORDS.match(text, position) or _QUALIFIES.match(text, position):
        return None
    for end in sorted({match.start() for match in re.finditer(r"[,;:.]| and |$", text[position:])}):
        clause = text[position : position + end]
        if not clause.strip():
            continue
        if not _ACTION.search(clause) and (position or text[end : end + 5] == " and "):
            return None
        return position + end if matters.kind(clause) == "none" else None
    return None


def _with_companion(state: _State) -> None:
    """"This ability also affects Companion weapons": what was read so far reaches them."""
    state.found[:] = [
        replace(change, changes={**change.changes, "companion": True}) if set(change.changes) & _OF_WEAPONS else change
        for change in state.found
    ]


def _counted_by_use(state: _State) -> None:
    """"The effects are cumulative": what it adds is added each time it is used."""
    state.found[:] = [
        replace(change, changes={key: f"{value} per use" if _ADDS.fullmatch(str(value)) else value for key, value in change.changes.items()})
        for change in state.found
    ]


_ADDS = re.compile(r"[+-]\d+")
_OF_WEAPONS = {"attacks", "damage", "rend", "hit", "wound", "hit_roll", "wound_roll", "gain"}


def _replace_earlier(state: _State, start: int) -> None:
    """What holds "instead" of an earlier change: the earlier one holds only where the later does not."""
    new = state.found[start:]
    told = 0 if start else 0
    for number in range(told, len(state.found)):
        earlier = state.found[number]
        if number >= start and (number == len(state.found) - 1 or not _same_key(earlier, new[-1])):
            continue
        for later in new:
            keys = set(later.changes) & set(earlier.changes)
            if later is earlier or not keys or earlier.on != later.on or all(key.startswith(BEST_OF) for key in keys):
                continue
            if later.changes == earlier.changes and later.weapon == earlier.weapon:
                continue
            extra = [word for word in later.when if word not in earlier.when]
            apart = {word.split(" ")[0] for word in later.when} & {word.split(" ")[0] for word in earlier.when} & {"lost", "models"}
            if apart:
                continue
            if len(extra) != 1:
                state.unread.append("instead")
                continue
            earlier = replace(earlier, when=(*earlier.when, _negated(extra[0])))
        state.found[number] = earlier


def _same_key(first: Change, second: Change) -> bool:
    return bool(set(first.changes) & set(second.changes)) and len(second.when) > len(first.when)


def _negated(word: str) -> str:
    for yes, no in (("has ", "lacks "), ("lacks ", "has "), ("target has ", "target lacks "), ("target lacks ", "target has "), ("not ", "")):
        if word.startswith(yes):
            return no + word.removeprefix(yes)
    return f"not {word}"


__all__ = ["NOBODY", "read"]
