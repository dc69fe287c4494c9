"""Dice that the ability itself rolls: how many, what they must show, what is added."""

from __future__ import annotations

import re
from dataclasses import replace

from mathhammer.rulestext import amounts
from mathhammer.rulestext.conditions import condition
from mathhammer.rulestext.frame import Frame, Roll, one
from mathhammer.rulestext.placing import after_roll, said
from mathhammer.rulestext.productions import Said, effect, goes_on, production
from mathhammer.rulestext.switches import switch
from mathhammer.rulestext.who import who


@production(
    "per.slain",
    "lead",
    r"for each (?:enemy )?model slain by this (?:ability|spell|prayer)",
    "For each model slain by this ability, Heal (4) this unit.",
    family="sigmar",
)
def _per_slain(match: re.Match[str], frame: Frame) -> Said:
    return goes_on(replace(frame, per="slain"))


@production(
    "roll.adding",
    "lead",
    r"(?:you can |then,? )?roll a dice,? (?:and )?add(?:ing)? (?P<clause>\d to the (?:result|roll|"
    r"dice roll) if [^;:.]+?)",
    'Select one enemy unit within 6" of this unit. Roll a dice, adding 1 to the result if this unit '
    "charged this turn. On a 4+, that enemy unit suffers D3 mortal wounds.",
)
def _roll_adding(match: re.Match[str], frame: Frame) -> Said | None:
    chosen = frame.chosen() if match[0].lower().startswith("you can") else frame
    return _added(
        match["clause"], replace(chosen, roll=Roll(number=frame.rolls + 1), on="", rolls=frame.rolls + 1)
    )


@production(
    "roll",
    "lead",
    r"(?:you can |you must |then,? |that player )?roll(?:s|ing)? (?:a(?: single)? dice|(?P<kind>D3|"
    r"2D6|a D3|a D6|one D3|one D6|one 2D6)|(?P<n>\d{1,2}|two|three|four|five|six|D3|D6|2D6|three D6|"
    r"six D6|\w+ D6) ?(?:dice|D6)?)(?P<each> for (?:each|every) <words>)?",
    "Roll a dice. On a 3+, this unit has Ward (2+).",
    soft=True,
)
def _roll(match: re.Match[str], frame: Frame) -> Said | None:
    if _INSTEAD.match(match.string, match.end()):
        return None
    told = after_roll(frame)  # a roll on which another roll hangs
    if told is None:
        return None
    chosen = told.chosen() if match[0].lower().startswith("you can") else told
    kind = (
        (match["kind"] or "").upper().removeprefix("A ").removeprefix("ONE ").replace("D6", "", 1)
        if match["kind"] and not match["kind"].upper().endswith("2D6")
        else ("2D6" if match["kind"] else "")
    )
    count = "1"
    if match["n"]:
        number = match["n"].lower().removesuffix(" d6")
        value = amounts.number(number)
        count = str(value) if value is not None else number.upper()
    roll = Roll(count, kind)
    if match["each"]:
        counted = _dice_for(match["words"], count, chosen)
        if counted is None:
            return None
        roll, chosen = replace(counted[0], kind=kind), counted[1]
    rolled = replace(chosen, roll=replace(roll, number=frame.rolls + 1), on="", rolls=frame.rolls + 1)
    return goes_on(rolled)


_INSTEAD = re.compile(r"\s*instead\b", re.IGNORECASE)
_ADDED = re.compile(
    r"(?P<n>\d) (?:to the (?:result|roll|dice roll))? ?(?:if|for each|while) (?P<cond>.+)", re.IGNORECASE
)


@production(
    "roll.added",
    "lead",
    r"adding (?P<clause>\d to the (?:result|roll|dice roll) if [^;:.]+?)",
    'Select one enemy unit within 6" of this unit. Roll one D6 for each model in this unit, adding 2 to '
    "the result if this unit charged this turn. For each 4+, that enemy unit suffers 1 mortal wound.",
)
def _roll_added(match: re.Match[str], frame: Frame) -> Said | None:
    return None if frame.roll is None else _added(match["clause"], frame)


def _added(text: str, frame: Frame) -> Said | None:
    """ "Adding 1 to the result if ...": a modifier of the roll that was just told."""
    match = _ADDED.fullmatch(text.strip())
    return None if match is None else _modified(match["cond"], f"+{match['n']}", frame)


def _modified(cond: str, by: str, frame: Frame) -> Said | None:
    """A modifier of the pending roll under a condition, which holds for nothing else."""
    alts = condition(cond, frame)
    if alts is None:
        alts = switch(cond)
    if alts is None:
        return None
    foes = any(cond.of == "foe" for way in alts for cond in way)
    scope = (
        "unit"
        if not foes
        else "attacker"
        if frame.foe is not None and frame.foe.reach == "attacker"
        else "enemies"
    )
    bare = Frame(alts=alts)
    return Said(tuple(effect(bare, scope, {"own_roll": by})), frame)


@production(
    "roll.modified",
    "lead",
    r"(?:if|while) (?P<cond>[^;:]+?), (?P<verb>add|subtract) (?P<n>\d) (?:to|from) (?:the|that|each|this) "
    r"(?:dice )?(?:roll|result)",
    'Pick an enemy unit within 12" of this unit. Roll a dice. If this unit charged this turn, add 2 to the '
    "roll. On a 4+, inflict D3 mortal damage on that enemy unit.",
)
def _roll_modified(match: re.Match[str], frame: Frame) -> Said | None:
    if frame.roll is None:
        return None
    sign = "+" if match["verb"].lower() == "add" else "-"
    return _modified(match["cond"], f"{sign}{match['n']}", frame)


_COUNTED = re.compile(
    r"(?:the )?(?:number of )?(?P<what>models in (?P<who>.+)|damage points (?P<who2>.+?) has|damage "
    r"points allocated to (?P<who3>.+))",
    re.IGNORECASE,
)


@production(
    "roll.named",
    "lead",
    r"make an? (?!casting|chanting|unbinding|banishment|charge|run|hit|wound|save|ward|rally)"
    r"[\w' -]+? roll of (?P<kind>D6|D3|2D6)",
    "Make a forging roll of D6. On a 4+, this unit has Ward (2+).",
    family="sigmar",
)
def _roll_named(match: re.Match[str], frame: Frame) -> Said:
    kind = "" if match["kind"].upper() == "D6" else match["kind"].upper()
    return goes_on(replace(frame, roll=Roll(kind=kind, number=frame.rolls + 1), on="", rolls=frame.rolls + 1))


@production(
    "roll.number",
    "lead",
    r"(?:you can |then,? )?(?:roll a number of dice|make a number of (?P<kind>D3|D6) rolls) equal to "
    r"(?:the )?<words>",
    'Pick an enemy unit within 12" of this unit. Roll a number of dice equal to the number of models '
    "in that enemy unit. For each 2+, inflict 3 mortal damage on that enemy unit.",
)
def _roll_number(match: re.Match[str], frame: Frame) -> Said | None:
    counted = _COUNTED.fullmatch(match["words"].strip())
    if counted is None:
        words = match["words"].strip()
        words, _, most = words.partition(", to a maximum of ")
        words = f"{words} limit {most}" if most else words
        words = "round" if words.lower() == "current battle round number" else words
        roll = Roll(
            f"1 per {words}",
            kind="D3" if (match["kind"] or "").upper() == "D3" else "",
            number=frame.rolls + 1,
        )
        return goes_on(replace(frame, roll=roll, on="", rolls=frame.rolls + 1))
    meant = who(counted["who"] or counted["who2"] or counted["who3"], frame)
    if meant is None:
        return None
    foes = meant.side == "foes"
    if counted["who"]:
        dice = "target models" if foes else "models"
    else:
        dice = "1 per target lost" if foes else "1 per lost"
    return goes_on(replace(frame, roll=Roll(dice, number=frame.rolls + 1), on="", rolls=frame.rolls + 1))


_ITS_MODELS = re.compile(
    r"(?:other )?model(?:s)?(?: in| from)? (?P<who>this unit|this model's unit|the bearer's unit|"
    r"that unit|the target unit|the target|it|that enemy unit|your unit|this unit's)(?P<tail> .*)?",
    re.IGNORECASE,
)


def _dice_for(text: str, count: str, frame: Frame) -> tuple[Roll, Frame] | None:
    """How many dice "for each ..." means: by models, or one for each of several units."""
    text = text.strip()
    if match := _ITS_MODELS.fullmatch(text):
        meant = who(match["who"], frame)
        if meant is None:
            return None
        moved = frame
        if tail := (match["tail"] or "").strip():
            if ", adding" in tail:  # a clause of its own
                return None
            if re.match(r"(?:(?:that|which) (?:is|are) )?within Engagement Range", tail, re.IGNORECASE):
                moved = frame if meant.side == "foes" else _engage(frame)
            elif re.match(r"(?:that (?:is|are) )?in combat", tail, re.IGNORECASE):
                moved = frame
            else:
                return None
        what = "target models" if meant.side == "foes" else "models"
        return Roll(what if count == "1" else f"{count} per {what.removesuffix('s')}"), moved
    if text.lower() in ("target", "of the targets", "of those units", "target unit", "of those targets"):
        return Roll(count, many=True), frame
    meant = who("each " + text if not text.startswith(("unit", "of ")) else text, frame)
    if meant is None or meant.also:
        return None
    moved = replace(frame, it=meant, foe=meant if meant.side == "foes" else frame.foe)
    return Roll(count, many=True), moved


def _engage(frame: Frame) -> Frame:
    """The picked enemy is one in engagement range."""
    if frame.foe is None:
        return frame
    foe = frame.foe.that(one("engaged"))
    return replace(frame, foe=foe, it=foe)


@production(
    "roll.band",
    "lead",
    r"(?:and )?(?:on|if the (?:roll|result) (?:is|was)|if you roll) (?:an? |an unmodified )?(?:roll "
    r"of |result of )?(?:an? )?<band>(?: or more)?",
    "Roll a dice. On a 4+, this unit has Ward (4+).",
    soft=True,
)
def _band(match: re.Match[str], frame: Frame) -> Said | None:
    if frame.roll is None:
        return None
    return goes_on(replace(frame, on=amounts.band(match["band"])))


@production(
    "roll.each",
    "lead",
    r"(?:and )?for (?:each|every) (?:dice |roll )?(?:that (?:is|was) |result of |roll of |roll that "
    r"is |dice that rolls )?(?:an? |unmodified )?<band>(?: rolled)?",
    'Pick an enemy unit within 12" of this unit. Roll 6 dice. For each 4+, inflict 1 mortal damage '
    "on that enemy unit.",
)
def _each(match: re.Match[str], frame: Frame) -> Said | None:
    return None if frame.roll is None else goes_on(replace(frame, on=amounts.band(match["band"])))


_LIMITS = {
    "save": "save",
    "health": "health",
    "control": "control",
    "wounds": "health",
    "toughness": "toughness",
}


@production(
    "roll.beats",
    "lead",
    r"(?:if|for each|each time|on|for every) (?:the|a|that|roll|dice roll)?(?: ?(?:roll|result|"
    r"dice))?(?: that)? ?(?P<how>exceeds|equals or exceeds|is (?:equal to or greater|greater|higher|"
    r"less|lower|equal to or higher) than|is equal to or greater than|is (?:equal to or less|less) "
    r"than|equals or is less than) (?:or equal to )?(?P<whose>the target's|that (?:enemy )?(?:unit|"
    r"hero|monster|model)'s|its|their|the target unit's|the (?:Save|Health|Control) characteristic "
    r"of (?:the target|that unit|that enemy unit)) ?(?P<stat>Save|Health|Control|Wounds|"
    r"Toughness)?(?: characteristic)?|if the (?:roll|result) (?P<how2>equals or exceeds|exceeds|is "
    r"equal to or greater than) the banishment value of (?:the|that) target",
    "Pick an enemy unit within 12\" of this unit. Roll a dice. If the roll exceeds that enemy unit's "
    "Save characteristic, inflict D3 mortal damage on that enemy unit.",
)
def _beats(match: re.Match[str], frame: Frame) -> Said | None:
    if frame.roll is None:
        return None
    if match["how2"]:
        return goes_on(
            replace(frame, on=">= banishment" if "equal" in match["how2"].lower() else "> banishment")
        )
    how = match["how"].lower()
    low = "less" in how or "lower" in how
    sign = ("<" if low else ">") + ("=" if "equal" in how else "")
    stat = match["stat"] or match["whose"].split(" ")[1]
    if stat.lower() not in _LIMITS:
        return None
    return goes_on(replace(frame, on=f"{sign} {_LIMITS[stat.lower()]}"))


@production(
    "own-roll",
    "change",
    r"(?P<verb>add|subtract) <n> (?:to|from) (?:the|that|each|this) (?:dice )?(?:roll|result)",
    'Pick an enemy unit within 12" of this unit. Roll a dice. Add 3 to the roll if this unit charged '
    "this turn. On a 4+, inflict D3 mortal damage on that enemy unit.",
)
def _own_roll(match: re.Match[str], frame: Frame) -> Said | None:
    value = amounts.number(match["n"])
    if frame.roll is None or value is None or (frame.extra is None and not frame.own_needs):
        return None
    if frame.own_needs:
        frame = replace(frame, extra=((),))
    assert frame.extra is not None

    sign = "+" if match["verb"].lower() == "add" else "-"
    needs = frame.needs if frame.own_needs else ""
    bare = replace(frame, alts=frame.extra, use="", limit="", needs=needs, weapon=(), roll=None)
    foes = any(cond.of == "foe" for way in frame.extra for cond in way)
    scope = (
        "enemies"
        if foes and frame.it.side == "foes"
        else frame.it.scope
        if foes or any(c.of == "friend" for w in frame.extra for c in w)
        else "unit"
    )
    return said(effect(bare, scope, {"own_roll": f"{sign}{value}"}))
