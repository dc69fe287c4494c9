"""What changes in rolls: modifiers, re-rolls, criticals, rolls that fail, modifiers that are ignored."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from mathhammer.rulestext import amounts
from mathhammer.rulestext.amounts import ROLLS, SIGNS, signed
from mathhammer.rulestext.arms import arms, whose
from mathhammer.rulestext.frame import Change, Frame, Who
from mathhammer.rulestext.placing import after_roll, attacks, said, theirs
from mathhammer.rulestext.productions import Said, production
from mathhammer.rulestext.whiles import under

OF_ATTACKS = ("hit", "wound")


_ROLL_NAMES = re.compile(r"\b(?:rolls?|tests?|the|each|any|that|made|taken|of its)\b", re.IGNORECASE)


def _roll_names(text: str) -> tuple[str, ...] | None:
    found = amounts.names(re.sub(r" +", " ", _ROLL_NAMES.sub("", text)).strip(), ROLLS)
    return None if found is None else tuple(dict.fromkeys(found))


def _spread(frame: Frame, rolls: tuple[str, ...], meant: Who | None, make: Any) -> Said | None:
    """Changes of several rolls: those of attacks follow the attacks, the others are the unit's."""
    base = after_roll(frame)
    if base is None:
        return None
    found: list[Change] = []
    placed: list[Change] | None
    for name in rolls:
        change = make(name)
        if name in OF_ATTACKS:
            if base.by is None and base.against is None:
                if meant is None:
                    return None
                placed = theirs(base, meant, change)
            else:
                placed = attacks(base, change)
        elif name in ("save", "ward", "invuln") and base.against is not None and meant is None:
            placed = theirs(base, base.against, change)
        else:
            placed = theirs(base, meant or base.it, change, timed=name in ("save", "ward"))
        if placed is None:
            return None
        found += placed
    return said(found)


def _for(text: str | None, frame: Frame, rolls: tuple[str, ...]) -> tuple[Frame, Who | None] | None:
    """Whose rolls are meant."""
    if not text:
        return frame, None
    meant = whose(text, frame)
    if meant is not None and meant.reach != "attacker":
        return replace(frame, by=None, against=None), meant
    armed = arms(text, frame)
    if armed is None:
        return None
    moved, meant = armed
    if moved.against is not None and any(name not in OF_ATTACKS for name in rolls):
        return moved, None
    return moved, meant if moved.by is None and moved.against is None else None


@production(
    "roll.modifier",
    "change",
    r"(?P<verb>add|subtract) (?P<n>\d{1,2}|one|two|three|D3|D6) (?:to|from) "
    r"(?:the |that |any |each |its |their )?<rolls> ?(?:rolls?|tests?|it)"
    r"(?: and (?:the |any )?<rolls2> (?:rolls?|tests?))?(?: (?:made|taken|"
    r"rolled))?(?: (?:for|by) <arms>)?(?: (?:this|that) phase)?",
    "Add 1 to hit rolls for this unit.",
)
def _modifier(match: re.Match[str], frame: Frame) -> Said | None:
    rolls = _roll_names(match["rolls"] + (f" and {match['rolls2']}" if match["rolls2"] else ""))
    value = amounts.number(match["n"])
    if rolls is None or "damage" in rolls:
        return None
    placed = _for(match["arms"], frame, rolls)
    if placed is None:
        return None
    sign = SIGNS[match["verb"].lower()]
    change = signed(value * sign) if value is not None else f"{'+' if sign > 0 else '-'}{match['n'].upper()}"
    return _spread(placed[0], rolls, placed[1], lambda name: {f"{name}_roll": change})


@production(
    "roll.modifier-own",
    "change",
    r"(?P<verb>add|subtract) <n> (?:to|from) (?P<whose>[^,;:]+?(?:'s|s')) <rolls> (?:rolls|tests)",
    "Add 1 to this unit's chanting rolls.",
)
def _modifier_own(match: re.Match[str], frame: Frame) -> Said | None:
    rolls, value = _roll_names(match["rolls"]), amounts.number(match["n"])
    meant = whose(match["whose"].removesuffix("'s").removesuffix("'"), frame)
    if rolls is None or value is None or meant is None or "damage" in rolls:
        return None
    change = signed(value * SIGNS[match["verb"].lower()])
    return _spread(replace(frame, by=None, against=None), rolls, meant, lambda name: {f"{name}_roll": change})


@production(
    "reroll.that-test",
    "change",
    r"(?:you can )?re-roll (?:that|the) test",
    "Each time you take a Battle-shock test for this unit, you can re-roll that test.",
    family="wh40k",
)
def _reroll_test(match: re.Match[str], frame: Frame) -> Said | None:
    return (
        None
        if frame.test is None
        else said(theirs(frame, frame.test, {"reroll_battleshock": "any"}, timed=False))
    )


@production(
    "roll.that-test",
    "change",
    r"(?P<verb>add|subtract) <n> (?:to|from) (?:that|the|this) (?:test|result)(?: result)?",
    "While this model is leading a unit, each time you take a Battle-shock test for that unit, add 1 "
    "to that test.",
)
def _that_test(match: re.Match[str], frame: Frame) -> Said | None:
    value = amounts.number(match["n"])
    if value is None or frame.test is None:
        return None
    return said(
        theirs(
            frame, frame.test, {"battleshock_roll": signed(value * SIGNS[match["verb"].lower()])}, timed=False
        )
    )


@production(
    "reroll",
    "change",
    r"(?:you (?:can|may|must) |your opponent (?:can|must) )?re-roll (?:the |a |any |all |each |that |"
    r"one |one of the |its )?<rolls> ?(?:rolls?|tests?|saves)?(?: and (?:you can |re-roll )*(?:the |"
    r"a )?<rolls2> (?:rolls?|tests?))?(?P<ones> of 1)?(?: (?:made|taken))?(?: (?:for|by) "
    r"<arms>)?(?P<one> per (?:phase|turn))?",
    "You can re-roll charge rolls made for friendly Moss Guard units.",
)
def _reroll(match: re.Match[str], frame: Frame) -> Said | None:
    names = match["rolls"] + (f" and {match['rolls2']}" if match["rolls2"] else "")
    rolls = _roll_names(names)
    low = match[0].lower()
    if rolls is None or match["one"] or ("must" in low.split("re-roll")[0] and "opponent" in low):
        return None
    placed = _for(match["arms"], frame, rolls)
    if placed is None:
        return None
    value = "ones" if match["ones"] else "any"
    if " one " in low[: low.find("roll", low.find("re-roll") + 7) + 5] and not match["ones"]:
        value = "one die"
    if value == "ones" and match["rolls2"] and " of 1" in low and low.count(" of 1") < 2:
        value = "ones"
    return _spread(placed[0], rolls, placed[1], lambda name: {f"reroll_{name}": value})


@production(
    "reroll.one-of-each",
    "change",
    r"(?:you can )?re-roll one (?P<names>(?:(?:Hit|Wound|Damage|save) rolls?(?:, |,? (?:and/or|and|"
    r"or) )?(?:one )?)+)(?: made for <arms>)?(?: when resolving (?:those|its|that unit's) attacks)?",
    "Each time this unit is selected to shoot, you can re-roll one Hit roll and one Wound roll.",
)
def _one_of_each(match: re.Match[str], frame: Frame) -> Said | None:
    names = re.findall(r"hit|wound|damage|save", match["names"].lower())
    if " or " in match["names"] and len(names) > 1:
        return None
    placed = _for(match["arms"], frame, tuple(names))
    if placed is None:
        return None
    moved, meant = placed
    if meant is None and moved.by is None and moved.against is None:
        meant = frame.it
    return _spread(moved, tuple(names), meant, lambda name: {f"reroll_{name}": "one die"})


@production(
    "no-reroll",
    "change",
    r"(?:you )?cannot re-roll (?:the )?<rolls>(?: rolls?| saves)?(?: (?:made|taken) for <arms>)?",
    "You cannot re-roll invulnerable saves made for this unit.",
)
def _no_reroll(match: re.Match[str], frame: Frame) -> Said | None:
    text = (
        match["rolls"].lower().removesuffix("s").removesuffix(" save")
        if "invuln" in match["rolls"].lower()
        else match["rolls"]
    )
    rolls = ("invuln",) if "invuln" in text.lower() else _roll_names(text)
    if rolls is None:
        return None
    meant = whose(match["arms"], frame) if match["arms"] else frame.it
    return None if meant is None else said(theirs(frame, meant, {"no_reroll": list(rolls)}))


@production(
    "crit",
    "change",
    r"(?:an? |that attack scores |any )?(?:successful )?(?:unmodified )?(?P<roll>hit|wound) rolls? "
    r"of (?P<n>[2-6])\+? ?(?:\+|or more|or better)?(?: (?:made )?for <arms>)? (?:always )?(?:scores?|"
    r"is|are|counts? as) (?:an? |always )?(?:critical (?:hits?|wounds?))",
    "Each time this unit makes an attack, an unmodified Hit roll of 5+ scores a Critical Hit.",
)
def _crit(match: re.Match[str], frame: Frame) -> Said | None:
    return _critical(match, frame, match["roll"].lower())


@production(
    "crit.is-scored",
    "change",
    r"(?:an? |that attack scores an? )?critical (?P<roll>hit|wound)s? (?:is|are)? ?(?:scored )?on "
    r"(?:an? )?(?:successful )?(?:unmodified )?(?:successful )?(?:hit |wound )?rolls? of "
    r"(?P<n>[2-6])\+?(?P<arms>)",
    "Each time this unit makes an attack, a Critical Hit is scored on an unmodified Hit roll of 5+.",
)
def _crit_scored(match: re.Match[str], frame: Frame) -> Said | None:
    return _critical(match, frame, match["roll"].lower())


@production(
    "crit.score",
    "change",
    r"<arms> scores? (?:an? )?critical hits?(?: on)? (?:on )?(?:an? )?(?:unmodified )?(?:hit "
    r")?rolls? of (?P<n>[2-6])(?:\+| or more)(?P<roll>)",
    "This unit's attacks score critical hits on unmodified hit rolls of 5+.",
)
def _crit_score(match: re.Match[str], frame: Frame) -> Said | None:
    return _critical(match, frame, "hit")


def _critical(match: re.Match[str], frame: Frame, roll: str) -> Said | None:
    base = after_roll(frame)
    if base is None:
        return None
    if match["arms"]:
        armed = arms(match["arms"], base)
        if armed is None:
            return None
        base = armed[0]
    if base.by is None:
        return None
    key = "crit_on" if roll == "hit" else "crit_wound_on"
    return said(attacks(base, {key: int(match["n"])}))


@production(
    "no-crit",
    "change",
    r"<arms> (?:do not|cannot|never) score critical hits|critical hits cannot be scored (?:by|for) <arms2>",
    "Attacks that target this unit cannot score critical hits.",
)
def _no_crit(match: re.Match[str], frame: Frame) -> Said | None:
    armed = arms(match["arms"] or match["arms2"], frame)
    return None if armed is None else said(attacks(armed[0], {"no_crit": True}))


@production(
    "fails",
    "change",
    r"(?:an? |that attack's )?unmodified (?P<roll>hit|wound) rolls? of 1-(?P<n>[2-5]) (?:always "
    r")?fails?(?:[^,;:]*)",
    "Each time an attack targets this unit, an unmodified Wound roll of 1-3 fails.",
)
def _fails(match: re.Match[str], frame: Frame) -> Said | None:
    return said(attacks(frame, {f"{match['roll'].lower()}_fails_up_to": int(match["n"])}))


@production(
    "fails.aos",
    "change",
    r"if the unmodified (?P<roll>hit|wound) roll for <arms> is (?:a )?1-(?P<n>[2-5])(?: and "
    r"<clause>)?, (?:the|that) attack fails and the attack sequence ends",
    "If the unmodified wound roll for an attack that targets this unit is 1-3, the attack fails and "
    "the attack sequence ends.",
)
def _fails_aos(match: re.Match[str], frame: Frame) -> Said | None:
    armed = arms(re.sub(r"^an? ", "", match["arms"]), frame)
    if armed is None:
        return None
    base = armed[0]
    if match["clause"]:
        held = under(match["clause"], replace(base, attack=True), switches=False)
        if held is None:
            return None
        base = held
    return said(attacks(base, {f"{match['roll'].lower()}_fails_up_to": int(match["n"])}))


@production(
    "ignore",
    "change",
    r"(?:you (?:can|may) )?ignore (?:any(?: or all| and all)? |all |any or all )?(?P<sign>negative |"
    r"positive )?modifiers (?:to|of) <words>",
    "Each time this unit makes an attack, you can ignore any or all modifiers to the Hit roll.",
)
def _ignore(match: re.Match[str], frame: Frame) -> Said | None:
    positive = (match["sign"] or "").strip().lower() == "positive"
    text = match["words"].lower()
    text, _, whom = text.partition(" for ")
    words = []
    for part in re.split(
        r",? and/or |,? and |, ", text.replace("any or all modifiers to", "").replace("any modifiers to", "")
    ):
        part = (
            part.replace("modifiers to", "")
            .strip()
            .removeprefix("the ")
            .removeprefix("that ")
            .removeprefix("its ")
        )
        part = re.sub(r"^(?:that )?attack'?s? ", "", part)
        if re.fullmatch(r"hit rolls?|(?:the )?hit roll", part):
            words.append("hit_penalties")
        elif re.fullmatch(r"wound rolls?", part):
            words.append("wound_penalties")
        elif re.fullmatch(r"save rolls?|saves?(?: made)?", part):
            words.append("save_bonuses" if positive else "save_penalties")
        elif re.fullmatch(
            r"(?:ballistic skill|weapon skill)(?: or weapon skill)?(?: characteristics?)?(?: (?:of|"
            r"on) .+)?|ballistic skill or weapon skill characteristics?.*",
            part,
        ):
            words.append("skill_penalties")
        else:
            return None
    if positive and words != ["save_bonuses"]:
        return None
    words = list(dict.fromkeys(words))
    if whom:
        placed = _for(
            match["words"][len(text) + 5 :],
            frame,
            ("save",) if "save_penalties" in words or positive else ("hit",),
        )
        if placed is None:
            return None
        moved, meant = placed
        if meant is not None:
            return said(theirs(moved, meant, {"ignore": words}))
        return said(attacks(moved, {"ignore": words}))
    return said(attacks(frame, {"ignore": words}))


@production(
    "auto-hit",
    "change",
    r"(?:that attack |those attacks |<arms> )automatically (?P<what>hits?|wounds?)(?: the target)?",
    "Each time this unit makes a ranged attack, that attack automatically hits.",
)
def _auto(match: re.Match[str], frame: Frame) -> Said | None:
    moved = frame
    if match["arms"]:
        armed = arms(match["arms"], frame)
        if armed is None:
            return None
        moved = armed[0]
    return said(attacks(moved, {"auto_hit" if match["what"].startswith("hit") else "auto_wound": True}))
