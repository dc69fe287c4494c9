"""What stands beside the sentences: the moment of use, the declaration, casting and chanting values."""

from __future__ import annotations

import re
from dataclasses import replace

from mathhammer.rulestext.conditions import condition
from mathhammer.rulestext.frame import NOBODY, SELF, Frame, Who
from mathhammer.rulestext.normal import normal, split_sentences
from mathhammer.rulestext.picks import picking
from mathhammer.rulestext.reading import RulesText
from mathhammer.rulestext.switches import switch
from mathhammer.rulestext.whiles import under
from mathhammer.rulestext.who import who

_ACTIVE = re.compile(r"Activated|Spell|Prayer|Command|Blood Tithe", re.IGNORECASE)
_LIMIT = re.compile(r"\bon(?:c)?e per (?P<span>turn|battle round|battle|phase)\b", re.IGNORECASE)
_VALUE = re.compile(r"\d{1,2}")
_CASTER = re.compile(
    r"(?:then,? )?pick (?P<whom>(?:an?|one) [^,;]*?) to (?:cast this spell|chant this prayer|be the caster)",
    re.IGNORECASE,
)
_USER = re.compile(
    r"(?:then,? )?pick (?P<whom>(?:an?|one|up to \d) [^,;]*?) to use this ability", re.IGNORECASE
)
_PICK = re.compile(
    r"(?:then,? )?pick (?:up to )?(?P<whom>[^;]*?)(?: to be (?:the|a|its)(?: second)? "
    r"(?P<mark>targets?|[\w' ]+))$",
    re.IGNORECASE,
)
_IF = re.compile(r"(?:if|while) (?P<cond>.+?), (?=(?:then )?pick )", re.IGNORECASE)
_COMMA = re.compile(r", (?=(?:then )?(?:pick|make) )|\. ")
_OTHER_PICK = re.compile(
    r"(?:then,? )?pick (?:up to )?(?P<whom>[^,;]*?)(?: to (?!use|cast|chant)[\w' ]+)?", re.IGNORECASE
)
_SELF_PICK = re.compile(
    r"(?:then )?pick (?:this (?:unit|manifestation)\b(?! and)|an objective|a point|a terrain feature)",
    re.IGNORECASE,
)
_MUST = re.compile(
    r"(?:that unit|the targets?|those units|they|it) must\b|.* cannot be picked to be the target",
    re.IGNORECASE,
)
_HAPPENS = re.compile(
    r"\b(?:inflict|mortal damage|allocate)\b|\bheal \(|(?:casting|chanting) roll for each", re.IGNORECASE
)
_OPPONENT = re.compile(
    r"Reaction: (?:your )?opponent declared a (?:shoot|fight|attack) ability", re.IGNORECASE
)
_ITSELF = re.compile(
    r"Reaction: you declared a (?:shoot|fight|attack) ability for this (?:unit|manifestation)", re.IGNORECASE
)
_CAST = re.compile(r"Spell|Prayer", re.IGNORECASE)
_COSTS = re.compile(r"\b(?:used|points?|tokens?|dice|command|spend|you have)\b", re.IGNORECASE)
_MORE = re.compile(
    r"\byou can (?:also )?pick (?:another|up to|1 additional|an additional|a second)", re.IGNORECASE
)
_ONLY_IF = re.compile(
    r"(?:you|this unit) can (?:only )?use this ability (?:only )?if (?P<cond>.+)", re.IGNORECASE
)
_SKIP = re.compile(
    r"(?:then,? )?make an? (?:casting|chanting) roll of .*|you (?:can|must|cannot|may) .*|this unit "
    r"can .*|if there is not a friendly .*",
    re.IGNORECASE,
)


def opening(rule: RulesText, family: str) -> tuple[Frame, list[str]]:
    """What holds for every sentence of the ability, and what of its declaration was not understood."""
    frame = Frame()
    if family != "sigmar":
        return frame, []
    if _ACTIVE.search(rule.kind) and rule.timing.strip().lower() != "passive":
        frame = frame.chosen()
        if limit := _LIMIT.search(rule.timing):
            frame = replace(frame, limit=f"once per {limit['span'].lower().replace('battle round', 'round')}")
    if _OPPONENT.search(rule.timing):
        frame = replace(frame, declared=Who("foes"))
    elif _ITSELF.search(rule.timing):
        frame = replace(frame, declared=SELF)
    if _CAST.search(rule.kind):
        frame = replace(frame, caster=True)
    for key, value in rule.more.items():
        number = _VALUE.match(str(value).strip())
        if number and key.lower().startswith(("casting", "chanting")):
            word = "cast" if key.lower().startswith("casting") else "chant"
            frame = replace(frame, needs=f"{word} {number[0]}")
    return declared(normal(rule.declare).replace("\n", " "), frame)


def declared(text: str, frame: Frame) -> tuple[Frame, list[str]]:
    """The frame after a declaration: conditions of use, and who was picked."""
    unread: list[str] = []
    for sentence in split_sentences(text):
        rest = sentence.strip().rstrip(".")
        if _MORE.search(rest):
            continue
        if match := _ONLY_IF.fullmatch(rest):
            alts = condition(match["cond"], frame)
            if alts is None and not _COSTS.search(match["cond"]):
                alts = switch(match["cond"])
            frame = frame if alts is None else frame.when(alts)
            continue
        if match := _IF.match(rest):
            cond = match["cond"]
            if not cond.lower().startswith(("there is not a friendly", "there are no friendly")):
                held = under(cond, frame)
                if held is None:
                    unread.append(cond)
                else:
                    frame = held
            rest = rest[match.end() :]
        for part in _COMMA.split(rest):
            frame = _part(part.strip().rstrip("."), frame, unread)
    return frame, unread


def _part(part: str, frame: Frame, unread: list[str]) -> Frame:
    if not part or _CASTER.fullmatch(part) or _SKIP.fullmatch(part):
        return frame
    if match := _USER.fullmatch(part):
        meant = who(match["whom"], frame, lenient=True)
        return replace(frame, it=meant if meant is not None else NOBODY)
    if match := _PICK.match(part):
        picked = picking(match["whom"], frame)
        if picked is None:
            if "enemy" in match["whom"] or "friendly" in match["whom"] or "unit" in match["whom"]:
                return replace(frame, it=NOBODY, foe=None)
            return frame
        mark = match["mark"].lower()
        return replace(picked, mark="" if mark.startswith("target") else mark)
    if (match := _OTHER_PICK.fullmatch(part)) and (
        picked := picking(match["whom"], frame, lenient=False)
    ) is not None:
        return picked
    if _SELF_PICK.match(part):
        return frame if "this" in part.lower().split(" ")[:3] else replace(frame, it=NOBODY)
    if part.lower().startswith(("pick", "then pick")):
        return replace(frame, it=NOBODY, foe=None)
    if _MUST.match(part) or _HAPPENS.search(part):
        unread.append(part)
    return frame
