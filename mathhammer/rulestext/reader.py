"""The reading of an ability: its sentences, with the points of their lists."""

from __future__ import annotations

import re
from dataclasses import replace

from mathhammer.rulestext import matters
from mathhammer.rulestext.about import subject
from mathhammer.rulestext.afterwards import one_roll
from mathhammer.rulestext.clauses import State, clause_by_clause, fresh
from mathhammer.rulestext.frame import Cond, Frame, merged
from mathhammer.rulestext.gaining import WEAPON_ABILITIES
from mathhammer.rulestext.normal import LONGEST, Passage, passages, split_sentences
from mathhammer.rulestext.opening import opening
from mathhammer.rulestext.reading import Reading, RulesText
from mathhammer.text import clip

_ONE_OF = re.compile(
    r"(?:(?:you can )?(?:select|pick|choose)|picks?) (?:one|1|up to \w+) (?:of the (?:following|"
    r"effects|abilities|bullet)|effect|ability)",
    re.IGNORECASE,
)


_ATTACHING = re.compile(
    r"\b(?:can be attached to|list of units|can be (?:included|taken) in|regiment options|include up "
    r"to)\b[^.]*$",
    re.IGNORECASE,
)


_FOLLOWING = re.compile(
    r"(?:,? ?(?:then )?(?:and )?(?:you can |you must |that unit can |this unit can |it can "
    r")?)?\b(?:select|pick|choose|apply|use) (?:up to )?(?:one|1|\w+) (?:different )?(?:of the "
    r"(?:following|effects)|effects?\b|from the following).*$",
    re.IGNORECASE | re.DOTALL,
)


_NAMED_POINT = re.compile(r"(?P<name>[A-Z0-9][^:.]{1,50}?)(?: \([^)]*\))?: (?P<text>.+)", re.DOTALL)


def read(rule: RulesText, family: str) -> Reading:
    """The reading of one ability."""
    state = State(family)
    frame, untold = opening(rule, family)
    base = frame
    for passage in passages(rule.text):
        frame = _passage(passage, frame, base, state)
    effects = merged(one_roll(state.found))
    unread = [text for text in state.unread if text]
    if rest := rule.text[LONGEST:].strip():  # what is too long is named, as all that is not understood
        unread.append(clip(rest))
    if effects:
        unread += [*untold, *state.loose]
    if "attack" in rule.keywords.lower().replace("attacks", "").split(", "):
        effects = [
            replace(e, changes={**e.changes, "no_attack": True}) if "mortal" in e.changes else e
            for e in effects
        ]
    about = "combat" if "sheet.ability" in state.used else subject(effects, unread)
    if about == "none":
        effects = []
    return Reading(
        about, tuple(effect.mapping() for effect in effects), tuple(unread), tuple(dict.fromkeys(state.used))
    )


def _passage(passage: Passage, frame: Frame, base: Frame, state: State) -> Frame:
    """One sentence, or a sentence with its points."""
    if not passage.points:
        return clause_by_clause(passage.text, frame, base, state)
    if _ATTACHING.search(passage.text):
        return frame
    before = len(state.unread)
    choice = bool(_ONE_OF.search(passage.text)) or bool(
        re.search(r"(?:one|1) of the following|must decide whether", passage.text, re.IGNORECASE)
    )
    if choice and (told := _abilities(passage, frame, base, state)) is not None:
        return told
    head = passage.text.rstrip(":")
    if choice:
        head = _FOLLOWING.sub("", head).strip(" ,.")
    loose = len(state.loose)
    opened = (
        clause_by_clause(head, frame, base, state, lead=True) if head else fresh(passage.text, frame, base)
    )
    failed = len(state.unread) > before or len(state.loose) > loose
    for point in passage.points:
        start = replace(opened, use="choice") if choice else opened
        text = point
        if choice:
            named = _NAMED_POINT.fullmatch(point)
            name = named["name"] if named else point.split(".")[0][:60]
            text = named["text"] if named else point
            start = start.when((_chosen(name),))
        elif (named := _NAMED_POINT.fullmatch(point)) and not re.match(
            r"(?:if|on|each|while|when|until|for)\b", point, re.IGNORECASE
        ):
            text = named["text"]
        if failed:
            if matters.kind(text) != "none":
                state.unread.append(text)
            continue
        inner = start
        for number, sentence in enumerate(split_sentences(text)):
            inner = clause_by_clause(sentence, inner, start, state, inside=number == 0)
    return replace(opened, alts=frame.alts, needs=frame.needs)


def _abilities(passage: Passage, frame: Frame, base: Frame, state: State) -> Frame | None:
    """A choice between weapon abilities that stand alone in a list."""
    points = [point.strip(" .;") for point in passage.points]
    names = [WEAPON_ABILITIES.fullmatch(point) for point in points]
    if not all(names):
        return None
    joined = "; ".join(points)
    return clause_by_clause(f"{passage.text.rstrip(': ')}: {joined}", frame, base, state)


def _chosen(name: str) -> tuple[Cond, ...]:
    """The condition that this one of several was chosen."""
    return (Cond(f"if {name.strip().rstrip('.')}"),)
