"""Clauses from left to right: each opens something, changes something, or is named as not understood."""

from __future__ import annotations

import re
from dataclasses import field, replace

from mathhammer.dataclass import dataclass
from mathhammer.rulestext import matters
from mathhammer.rulestext.afterwards import counted_by_use, replace_earlier, with_companion
from mathhammer.rulestext.aiming import aimed
from mathhammer.rulestext.conditions import condition
from mathhammer.rulestext.frame import ALWAYS, Alts, Change, Cond, Frame
from mathhammer.rulestext.grammar import starting_with
from mathhammer.rulestext.normal import LONGEST_SENTENCE
from mathhammer.rulestext.placing import on_the_roll
from mathhammer.rulestext.productions import Production, Said, first_word
from mathhammer.rulestext.switches import switch

_GAP = re.compile(
    r"[\s,;:.!]*(?:(?:and|but|then|also|or|in addition|as well as|immediately)\b[\s,]*)*", re.IGNORECASE
)


_CUT = re.compile(
    r"[,;:.]|(?= (?:and|if|while|until|for the rest|for attacks|instead|but|that|select|pick|choose|"
    r"roll|when|or|then|unless|provided|on a|to a|as well|during|within|at the|in (?:your|the|"
    r"addition)|with|is|are|this|the|it|you|\(|after|before|equal)\b)|(?= \()|$",
    re.IGNORECASE,
)


_QUALIFIER = re.compile(r" ?,? ?(?P<word>if|while|provided(?: that)?|as long as) (?P<cond>.+)", re.IGNORECASE)


_TAIL = re.compile(
    r"\s*(?:(?:for|until) the (?:rest|remainder|end|start) of [^,;:.]*?(?:phase|turn|round|battle)|"
    r"until (?:the start of )?your next [^,;:.]*?(?:turn|phase)|until the (?:start|end) of "
    r"[^,;:.]*?(?:phase|turn|round|battle)|for that attack|"
    r"\(?to a (?:minimum|maximum) of (?:0|1|3)\)?|as well|instead(?! of)|as normal|this (?:phase|"
    r"turn)|after (?:the|that) [\w' ]*ability has been resolved|in addition to any other [^,;:.]+|"
    r"for the rest of the turn|,? irrespective of [^.;]*|"
    r",? instead of (?:only )?(?:on )?(?:an? )?(?:unmodified )?(?:roll of )?6)",
    re.IGNORECASE,
)
# What stands behind a condition and belongs to it.
_AND_MORE = re.compile(r" and (?:is|are|has|have|was|were|not|within|in|only)\b", re.IGNORECASE)
_AIMED = re.compile(r" for attacks that target (?P<whom>[^,;:]+)", re.IGNORECASE)


_LEADING_WORDS = re.compile(
    r"(?:if|each time|when|whenever|while|after|before|at the|in your|in the|until|for|unless|once|"
    r"during|where|on an?|select|pick|choose|instead|otherwise|every time|just|just after|the first|"
    r"as long|provided|roll|whilst|to do so|twice|other than|except|immediately|then)\b",
    re.IGNORECASE,
)


_GOES_ON = re.compile(
    r"(?:(?:if|when) (?:you|it|they|this \w+|the bearer|that \w+) do(?:es)?\b|until |while (?:that|"
    r"it|they|this|a (?:unit|model) is|empowered)|on an? |for each |that |those |the targets?\b|"
    r"then\b|roll |if (?:that|the (?:roll|target|result)|it)\b|it |they |otherwise|each (?:target|of "
    r"those)|in addition, (?:that|until|it|the target|if that|if the|while that)|subtract|add|"
    r"inflict|if [^,]+, (?:add|subtract) \d (?:to|from) (?:the|that|each) (?:dice )?roll)",
    re.IGNORECASE,
)


# A sentence that still hangs on what the roll of the sentence before must show.
_SAME_ROLL = re.compile(r"(?:then|it can|inflict|if the target is (?:not )?an?)\b", re.IGNORECASE)
# One case after another: what was asked of the target before is not asked any more.
_ANOTHER_KIND = re.compile(r"if the target is (?:not )?an? ", re.IGNORECASE)


_BACK = re.compile(
    r"^in addition, (?:add|subtract|you can re-roll|re-roll)[^,]*(?:hit|wound) roll\b(?! (?:made|for))|"
    r"\b(?:that|such a|those) (?:attack|weapon|attacks|weapons)\b|\bas well$|\binstead\b|\bthose attacks\b",
    re.IGNORECASE,
)


_OWN_ATTACK = re.compile(
    r"\beach time (?!an attack is made with (?:such|that|those|this))[^,]*\battacks?\b", re.IGNORECASE
)


_FALLEN = re.compile(r"(?:the|that|those) destroyed models?\b|after the first is used", re.IGNORECASE)


# What stands behind a change and limits it must be understood.
_QUALIFIES = re.compile(
    r"(?:adding|subtracting|unless|except|excluding|instead|otherwise|where|or|that|which|but|up to|"
    r"including|\()",
    re.IGNORECASE,
)


_ACTION = re.compile(
    r"\b(?:can|cannot|must|may|gains?|set|remove|place|you|eligible|not|treat|treated|counts?|move|"
    r"moves|remains?|more than \d+|wholly|through|make|makes|has|have|is considered|become|becomes|"
    r"ends|expended|vice versa)\b",
    re.IGNORECASE,
)


_COMPANION = re.compile(r",? ?\(?including (?:its |their )?Companion(?: weapons)?\)?$", re.IGNORECASE)


_LIST_GOES_ON = re.compile(r", [a-z]\w*(?: \w+)?,? (?:or|and) [a-z]\w*$")
_OR = re.compile(r"\bor\b", re.IGNORECASE)
_NEXT_BAND = re.compile(r"on an? |for each |on \d", re.IGNORECASE)


_INSTEAD = re.compile(r"\binstead\b(?! of)", re.IGNORECASE)


@dataclass(slots=True)
class State:
    """What has been read so far."""

    family: str
    found: list[Change] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    loose: list[str] = field(default_factory=list)  # clauses that may limit an effect, if there is one
    used: list[str] = field(default_factory=list)


def fresh(text: str, frame: Frame, base: Frame) -> Frame:
    """The frame with which a sentence begins: what was said before lasts where the sentence goes on."""
    kept = replace(
        base,
        it=frame.it,
        foe=frame.foe,
        roll=frame.roll,
        rolls=frame.rolls,
        mark=frame.mark,
        status=frame.status,
        bearers=frame.bearers,
        given=frame.given,
        options=frame.options,
        victim=frame.victim,
        last=frame.last,
    )
    if frame.mark and frame.mark in text.lower():
        kept = replace(kept, use=frame.use, limit=frame.limit)
    if _GOES_ON.match(text) or re.search(r"\b(?:that (?:enemy )?(?:unit|model)|those units)\b", text):
        kept = replace(kept, use=frame.use, limit=frame.limit, phase=frame.phase, led=frame.led)
        if frame.roll is not None or re.match(
            r"(?:if|when) (?:you|it|they|this \w+|the bearer) do|until |then\b", text, re.IGNORECASE
        ):
            kept = replace(
                kept,
                weapon=frame.weapon,
                alts=_still_asked(text, frame),
                needs=frame.needs if not frame.own_needs else base.needs,
                against=frame.against,
            )
    if text.lower().startswith("otherwise") and frame.last is not None:
        kept = replace(frame, roll=None, on="", by=None, against=None)
    if frame.on and _SAME_ROLL.match(text):
        kept = replace(kept, on=frame.on)
    if _FALLEN.match(text):
        kept = replace(frame, weapon=())
    if _BACK.search(text) and not _OWN_ATTACK.match(text):
        kept = replace(
            kept,
            by=frame.by,
            against=frame.against,
            attack=frame.attack,
            alts=frame.alts,
            use=frame.use,
            limit=frame.limit,
            weapon=frame.weapon,
            phase=frame.phase,
            needs=frame.needs,
            on=frame.on,
        )
    return kept


def _still_asked(text: str, frame: Frame) -> Alts:
    """The conditions that hold on: not those of another case, nor the result of a test that is over."""
    over: set[Cond] = set()
    if _ANOTHER_KIND.match(text):
        over = {cond for way in frame.last or () for cond in way}
    elif text.lower().startswith("then"):
        over = {cond for way in frame.alts for cond in way if cond.word in ("failed test", "passed test")}
    return tuple(dict.fromkeys(tuple(cond for cond in way if cond not in over) for way in frame.alts))


def clause_by_clause(
    text: str, frame: Frame, base: Frame, state: State, *, lead: bool = False, inside: bool = False
) -> Frame:
    """Read one sentence; the frame at its end."""
    text = text.strip().rstrip(".! ")
    if len(text) > LONGEST_SENTENCE:
        state.unread.append(text[:LONGEST_SENTENCE])
        return frame
    now = (
        frame if inside or (lead and frame is not base and _GOES_ON.match(text)) else fresh(text, frame, base)
    )
    rolled = now
    start, position, changed = len(state.found), 0, False
    began, before = 0, start
    instead = bool(_INSTEAD.search(text))
    while True:
        gap = _GAP.match(text, position)
        if gap is not None and ";" in gap[0] and now.roll is not None and _NEXT_BAND.match(text, gap.end()):
            now = replace(rolled, on="")
        if changed and position < len(text) and gap is not None and not gap[0].strip(" "):
            del state.found[before:]  # a change whose limits are not understood is not half applied
            state.unread.append(text[began:].strip())
            return now
        position = gap.end() if gap else position
        if position >= len(text):
            break
        step = _step(text, position, now, state)
        if step is None:
            skipped = _skip(text, position)
            if skipped is None:
                if matters.kind(text[position:]) != "none" or (
                    len(state.found) > start and _QUALIFIES.match(text, position)
                ):
                    state.unread.append(text[position:].rstrip("."))
                elif position or lead:
                    state.loose.append(text[position:])
                return now
            position, changed = skipped, False
            continue
        either = changed and not instead and gap is not None and _OR.search(gap[0])
        if either and step[2].part == "change":
            del state.found[before:]  # one of two changes by choice: both at once would be too much
            state.unread.append(text[began:].strip())
            return now
        began, before = position, len(state.found)
        position, now, rule, effects = step
        changed = rule.part == "change"
        state.used.append(rule.id)
        state.found += effects
        if rule.id == "companion.too":
            with_companion(state.found)
        if rule.id == "aside.cumulative":
            counted_by_use(state.found)
        if rule.id in ("roll", "roll.number", "roll.adding") and not now.on:
            rolled = now
    if instead and len(state.found) > start:
        replace_earlier(state.found, state.unread, start)
    return now


def _step(
    text: str, position: int, frame: Frame, state: State
) -> tuple[int, Frame, Production, list[Change]] | None:
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
        if rule.pattern.match(text, position) is None:  # it fits no end
            continue
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


def _change(
    rule: Production, match: re.Match[str], text: str, end: int, frame: Frame
) -> tuple[int, Frame, Production, list[Change]] | None:
    """A change with what stands behind it: conditions, and how long it lasts."""
    said = rule.build(match, replace(frame, extra=None))
    more: Alts = ALWAYS
    stop = end
    if companion := _COMPANION.search(text, end):
        frame = replace(frame, companion=True)
        text = text[: companion.start()] + " " * len(companion[0]) + text[companion.end() :]
        said = rule.build(match, replace(frame, extra=None))
    if (at := _AIMED.match(text, stop)) and (
        moved := aimed(at["whom"], replace(frame, by=frame.by or frame.it))
    ):
        frame, stop = replace(frame, alts=moved.alts), at.end()
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
    if said is None or (changes := on_the_roll(said.changes, frame)) is None:
        return None
    after = said.frame if said.frame is not None else frame
    if said.frame is not None:
        after = replace(after, alts=frame.alts, extra=None, use=after.use or frame.use)
    return stop, replace(after, extra=None), rule, changes


def _behind(text: str, position: int, frame: Frame, said: Said | None) -> tuple[Alts, int] | None:
    """The condition behind a change, and where it ends."""
    match = _QUALIFIER.match(text, position)
    if match is None:
        return None
    start = match.start("cond")
    told = frame
    if (
        said is not None
        and said.changes
        and frame.by is None
        and said.changes[0].on in ("friends", "enemies")
    ):
        told = replace(
            frame,
            it=replace(
                frame.it, side="friends" if said.changes[0].on == "friends" else "foes", alts=ALWAYS, also=()
            ),
        )
    ends = [cut.start() for cut in _CUT.finditer(text, start + 1)]
    for end in reversed(ends):
        alts = condition(text[start:end], told)
        if alts is not None and (_LIST_GOES_ON.match(text, end) or _AND_MORE.match(text, end)):
            break
        if alts is not None:
            return alts, end
    for end in [len(text)] if _LIST_GOES_ON.search(text, start) else ends:  # a switch for all of it
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
