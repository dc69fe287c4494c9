"""Attacks that a clause speaks of: whose, of which kind, with which weapon, at whom, or against whom."""

from __future__ import annotations

import re
from dataclasses import replace

from mathhammer.rulestext.aiming import aimed, with_arms
from mathhammer.rulestext.arms import arms
from mathhammer.rulestext.conditions import condition
from mathhammer.rulestext.frame import Frame, Who, one
from mathhammer.rulestext.productions import Said, goes_on, production
from mathhammer.rulestext.weapon_words import KINDS
from mathhammer.rulestext.whiles import under
from mathhammer.rulestext.who import who

_GOES_ON = re.compile(r" (?:that|which|with|against|and|or)\b", re.IGNORECASE)


@production(
    "attack.makes",
    "lead",
    r"(?:each time|when(?:ever)?|if) <who> (?:makes?|resolves?|made) (?:an? |(?:its|their|any|one or "
    r"more|those) )?(?P<kind>melee|ranged|psychic|combat|shooting)?\b ?attacks?(?: (?:made )?with "
    r"<arms>)?(?: (?:that|which) (?:targets?|is allocated to|are allocated to) (?P<whom>[^;:]+?)| "
    r"against (?P<whom2>[^;:]+?)| (?:this|that) phase)?(?: (?:while|if) (?P<cond>[^,;:]+?))?",
    "Each time a model in this unit makes a melee attack that targets a Monster unit, add 1 to the "
    "Wound roll.",
    soft=True,
)
def _makes(match: re.Match[str], frame: Frame) -> Said | None:
    by = who(match["who"], frame)
    if by is None or by.also or by.reach == "attacker":
        return None
    if (by.side == "foes" and (match["whom"] or match["whom2"])) or _GOES_ON.match(match.string, match.end()):
        return None
    return _attacks(match, frame, by)


@production(
    "attack.targets",
    "lead",
    r"each time <who> (?:targets|attacks) (?P<whom>[^;:]+?) with (?:an? )?(?P<kind>melee|ranged)? "
    r"?(?:attack|weapon)(?P<arms>)(?P<whom2>)(?P<cond>)",
    "Each time this unit targets an enemy unit with a melee attack, re-roll a Wound roll of 1.",
    soft=True,
)
def _targets(match: re.Match[str], frame: Frame) -> Said | None:
    by = who(match["who"], frame)
    return None if by is None or by.also else _attacks(match, frame, by)


@production(
    "attack.made-by",
    "lead",
    r"each time an? (?P<kind>melee|ranged|psychic)? ?attack made by <who>(?: with <arms>)? "
    r"(?:targets|is allocated to) (?P<whom>[^;:]+?)(?P<whom2>)(?P<cond>)",
    "Each time a melee attack made by this unit is allocated to a Vehicle model, add 1 to the Damage "
    "characteristic of that attack.",
    soft=True,
)
def _made_by(match: re.Match[str], frame: Frame) -> Said | None:
    by = who(match["who"], frame)
    return None if by is None or by.also else _attacks(match, frame, by)


def _attacks(match: re.Match[str], frame: Frame, by: Who) -> Said | None:
    """The attacks of one side, of a kind, with a weapon, against a target."""
    moved = replace(frame, by=by, attack=True)
    if by.side != "self" or frame.it.side == "self":
        moved = replace(moved, it=by)
    kind = (match["kind"] or "").lower()
    if kind:
        moved = moved.when(one("weapon has Psychic") if kind == "psychic" else one(KINDS[kind]))
    if match["arms"]:
        armed = with_arms(match["arms"], moved)
        if armed is None:
            return None
        moved = armed
    whom = match["whom"] or match["whom2"]
    if whom:
        pointed = aimed(whom, moved)
        if pointed is None:
            return None
        moved = pointed
    if match["cond"]:
        held = under(match["cond"], moved)
        if held is None:
            return None
        moved = held
    return goes_on(moved)


@production(
    "attack.against",
    "lead",
    r"(?:each time|when(?:ever)?|if) (?:an?|one or more) (?P<kind>melee|ranged|psychic|combat|"
    r"shooting)? ?attacks?(?: (?:made )?with (?P<stat>an? (?:Strength|Damage) characteristic of "
    r"\d(?: or (?:less|more))?|an Armour Penetration characteristic of -?\d(?: or (?:-\d|less|"
    r"worse))?))?(?: made by (?P<foe>an? enemy [^;:,]+?))? (?:targets?|is allocated to|is made "
    r"(?:against|that targets)|would be allocated to|are allocated to) <who>(?: (?:while|if) "
    r"(?P<cond>[^,;:]+?))?",
    "Each time a ranged attack targets this unit, subtract 2 from the Wound roll.",
    soft=True,
)
def _against(match: re.Match[str], frame: Frame) -> Said | None:
    meant = who(match["who"], frame)
    if meant is None or meant.also:
        return None
    moved = replace(frame, against=meant, attack=True, by=None)
    if meant.side != "foes":
        moved = replace(moved, it=meant if meant.side != "self" else frame.it)
    kind = (match["kind"] or "").lower()
    if kind:
        moved = moved.when(one("weapon has Psychic") if kind == "psychic" else one(KINDS[kind]))
    if match["stat"]:
        alts = condition("the " + match["stat"].split(" ", 1)[1], moved)
        if alts is None:
            return None
        moved = moved.when(alts)
    if match["foe"]:
        foe = who(match["foe"], frame)
        if foe is None:
            return None
        moved = replace(moved.when(foe.alts), foe=foe)
    if match["cond"]:
        held = under(match["cond"], moved)
        if held is None:
            return None
        moved = held
    return goes_on(moved)


@production(
    "attack.by-enemy",
    "lead",
    r"each time (?P<foe>(?:an?|that) enemy (?:unit|model)[^,;:]*?) (?:makes an? (?P<kind>melee|"
    r"ranged)? ?attack that targets|targets) <who>(?: with an? (?P<kind2>melee|ranged)? ?attack)?",
    'Each time an enemy unit within 12" of this unit makes an attack that targets this unit, '
    "subtract 1 from the Hit roll.",
    soft=True,
)
def _by_enemy(match: re.Match[str], frame: Frame) -> Said | None:
    meant, foe = who(match["who"], frame), who(match["foe"], frame)
    if meant is None or foe is None or meant.side == "foes":
        return None
    kind = match["kind"] or match["kind2"]
    moved = replace(frame, against=meant, attack=True, by=None, foe=foe).when(foe.alts)
    return goes_on(moved.when(one(kind.lower())) if kind else moved)


@production(
    "attack.weapon",
    "lead",
    r"(?:each time|when) an attack is made with (?:such a|that|this|those) weapons?",
    "Select one melee weapon equipped by the bearer. Each time an attack is made with that weapon, "
    "add 1 to the Wound roll.",
    soft=True,
)
def _made_with(match: re.Match[str], frame: Frame) -> Said | None:
    chosen = any(cond.word == "if the chosen weapon" for way in frame.alts for cond in way)
    return goes_on(replace(frame, by=frame.it, attack=True)) if chosen or frame.weapon else None


@production(
    "event.save-roll",
    "lead",
    r"(?:each time you make|for each) an? ?unmodified save roll of (?P<n>\d) for (?:an? )?<arms>",
    "Each time you make an unmodified save roll of 6 for a combat attack that targets this unit, "
    "inflict 1 mortal damage on the attacking unit.",
    family="sigmar",
)
def _save_roll(match: re.Match[str], frame: Frame) -> Said | None:
    armed = arms(match["arms"], frame)
    if armed is None or armed[0].against is None:
        return None
    return goes_on(armed[0].when(one(f"save_roll {match['n']}")))


@production(
    "companion.too",
    "lead",
    r"this (?:ability )?also affects Companion weapons",
    "Add 3 to the Rend characteristic of this unit's melee weapons. This ability also affects "
    "Companion weapons.",
    family="sigmar",
)
def _companion_too(match: re.Match[str], frame: Frame) -> Said:
    return goes_on(frame)


@production(
    "event.crit",
    "lead",
    r"(?:each time|if|for each) <arms> scores? (?:an?|one or more|any) critical (?P<what>hits?|"
    r"wounds?)(?: (?:against|on) [^,;:]+)?",
    "Each time this unit's attack scores a critical hit, inflict 1 mortal damage on the target in "
    "addition to any normal damage.",
)
def _crits(match: re.Match[str], frame: Frame) -> Said | None:
    armed = arms(re.sub(r"^(?:an?|one of) ", "", match["arms"]), frame)
    if armed is None or armed[0].by is None:
        return None
    return goes_on(
        replace(
            armed[0],
            crit="mortal_on_crit" if match["what"].lower().startswith("hit") else "mortal_on_crit_wound",
        )
    )


@production(
    "event.hit-roll",
    "lead",
    r"(?:for each unmodified hit roll of (?P<n>\d) for <arms>|each time (?:an|the) unmodified hit "
    r"roll for <arms2> is (?:a )?(?P<n2>\d))",
    "For each unmodified hit roll of 1 for a combat attack that targets this unit, inflict 1 mortal "
    "damage on the attacking unit.",
)
def _hit_roll(match: re.Match[str], frame: Frame) -> Said | None:
    armed = arms(re.sub(r"^an? ", "", match["arms"] or match["arms2"]), frame)
    if armed is None or armed[0].against is None:
        return None
    return goes_on(armed[0].when(one(f"hit_roll {match['n'] or match['n2']}")))
