"""What predicates with words of their own stand for: distances, combat, keywords, leaders."""

from __future__ import annotations

import re

from mathhammer.rulestext.frame import Alts, Cond, Frame, Of, both, one
from mathhammer.rulestext.keywords import any_of, none_of
from mathhammer.rulestext.who import who


def a_unit(text: str, of: Of, frame: Frame) -> Alts | None:
    side = "friendly" if of == "friend" else "enemy"
    if of == "self":
        return None
    words = re.sub(
        r"^(an?|the) (?:enemy |friendly |visible )*", rf"\1 {side} ", text, count=1, flags=re.IGNORECASE
    )
    meant = who(words, frame)
    return None if meant is None else meant.alts


def all_of(conds: tuple[Cond, ...] | None) -> Alts | None:
    return None if conds is None else (conds,)


def status(text: str) -> str:
    return "within Contagion Range" if text.lower().startswith("within contagion") else text


def models(match: re.Match[str], of: Of, sign: str) -> Alts:
    words = {"five": "5", "ten": "10", "six": "6", "three": "3"}
    return one(f"models {sign} {words.get(match['n'].lower(), match['n'])}", of)


def engaged(match: re.Match[str], of: Of, frame: Frame) -> Alts | None:
    if match["whom"] and who(match["whom"], frame) is None:
        return None
    return one("engaged", "" if of == "foe" else of, bool(match["no"]))


def in_combat(match: re.Match[str], of: Of, frame: Frame) -> Alts | None:
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


def within(match: re.Match[str], of: Of, frame: Frame, no: bool) -> Alts | None:
    text = match["whom"].strip()
    low = text.lower()
    if low.startswith(
        ("the attacker", "the attacking", "the target of that attack", "the target of the attack")
    ):
        return one(f"target_within {match['n']}", "", no)
    whom = who(text, frame)
    if whom is None:
        return None
    distance = match["n"]
    if of == "foe" and whom.side in ("self", "friends", "led") and whom.alts == ((),):
        return one(f"target_within {distance}" if frame.by or frame.against else f"within {distance}", "", no)
    if of == "self" and whom.side == "foes":
        if whom is frame.foe or frame.against is not None or (frame.by is not None and whom.alts == ((),)):
            return one(f"target_within {distance}", "", no)
        return None
    if of == "friend" and whom.side == "self":
        return one(f"within {distance}", "", no)
    if whom.side == "friends" and of in ("self", "friend"):
        ways = []
        for way in whom.alts:
            has = [
                cond.word.removeprefix("has ") for cond in way if cond.word.startswith("has ") and not cond.no
            ]
            if len(has) != len(way) or not has:
                return None
            ways.append((Cond(f"near {' '.join(has)} {distance}", of if of == "self" else "", no),))
        return tuple(ways)
    return None


def kind_of(match: re.Match[str], of: Of) -> Alts | None:
    found = any_of(match["what"], of)
    if found is None or not match["but"]:
        return found
    lacks = none_of(match["but"], of)
    return None if lacks is None else both(found, (lacks,))


def names_of(what: str) -> list[str] | None:
    found = any_of(what, "")
    if found is None or any(cond.no for way in found for cond in way):
        return None
    return [" ".join(cond.word.removeprefix("has ") for cond in way) for way in found]


def led_by(what: str) -> Alts | None:
    found = names_of(what)
    return None if found is None else tuple((Cond(f"led {name}"),) for name in found)


def leading_kind(what: str) -> Alts | None:
    found = names_of(what)
    return None if found is None else tuple((Cond(f"leading {name}", "self"),) for name in found)
