"""Wounds dealt and given back outside of attacks, and who strikes when."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from mathhammer.rulestext import amounts
from mathhammer.rulestext.arms import whose
from mathhammer.rulestext.conditions import condition, switch
from mathhammer.rulestext.frame import Frame, Who, one
from mathhammer.rulestext.placing import after_roll, attacks, said, theirs
from mathhammer.rulestext.productions import Said, effect, production




def _mortal(frame: Frame, meant: Who, each: str, no_ward: bool = False) -> Said | None:
    """Mortal damage on somebody, by the dice that were rolled for it."""
    change: dict[str, Any] = {"each": each}
    base = frame
    if frame.crit and meant.side == "foes" or frame.crit and meant is frame.it:
        return said(attacks(replace(frame, crit=""), {frame.crit: each})) if frame.roll is None else None
    if frame.roll is not None and (frame.on or frame.roll.dice != "1"):
        if not frame.on:
            return None
        change = {"dice": frame.roll.dice, "on": frame.roll.shows(frame.on), "each": each}
    elif each == "roll":
        return None
    full: dict[str, Any] = {"mortal": change}
    if no_ward:
        full["no_ward"] = True
    return said(theirs(base, meant, full, timed=False), replace(frame, victim=meant))


def _victim(text: str, frame: Frame) -> Who | None:
    low = text.strip().lower()
    if low in ("the attacking unit", "that attacking unit", "the attacker", "the enemy unit that made that attack", "the attacking model's unit"):
        return Who("foes", reach="attacker")
    return whose(text, frame)


@production("mortal.suffers", "change", r"<who> (?:suffers?|takes) <dice> mortal wounds?", "That enemy unit suffers D3 mortal wounds.", family="wh40k")
def _suffers(match: re.Match[str], frame: Frame) -> Said | None:
    meant = _victim(match["who"], frame)
    return None if meant is None else _mortal(frame, meant, amounts.dice(match["dice"]))


@production("mortal.inflict", "change", r"(?:immediately |that attack )?inflicts? (?:(?P<roll>an amount of mortal damage)|<dice> (?:points? of )?mortal damage) (?:on|to) <who>(?P<equal> equal to (?:the|that) (?:dice )?roll)?(?: (?:after|before) [^,;:.]+?(?:has|have) been resolved)?(?: in addition to (?:any|its) normal damage)?(?P<ward>, and ward rolls cannot be made for (?:those|that) damage points?)?", "Inflict D3 mortal damage on the target.", family="sigmar")
def _inflict(match: re.Match[str], frame: Frame) -> Said | None:
    if bool(match["roll"]) != bool(match["equal"]):
        return None
    meant = _victim(match["who"], frame)
    if meant is None:
        return None
    return _mortal(frame, meant, "roll" if match["equal"] else amounts.dice(match["dice"]), bool(match["ward"]))


@production("allocate", "change", r"allocate <dice> damage points? to <who>(?P<ward> \(ward rolls cannot be made for (?:those|that) damage points?\))?", "Allocate 3 damage points to the target.", family="sigmar")
def _allocate(match: re.Match[str], frame: Frame) -> Said | None:
    meant = _victim(match["who"], frame)
    return None if meant is None else _mortal(frame, meant, amounts.dice(match["dice"]), bool(match["ward"]))




@production("heal.aos", "change", r"heal \(<dice>\) <who>", "Heal (D3) this unit.", family="sigmar")
def _heal(match: re.Match[str], frame: Frame) -> Said | None:
    base = after_roll(frame)
    meant = whose(match["who"], frame)
    value = amounts.dice(match["dice"]) + (f" per {frame.per}" if frame.per else "")
    return None if base is None or meant is None else said(theirs(base, meant, {"heal": value}, timed=False))


@production("heal.counted", "change", r"heal \(X\) <who>, where X is (?:equal to )?(?:an amount equal to )?(?:the )?(?:number of )?<clause>", "Heal (X) this unit, where X is the number of skulls it has.", family="sigmar")
def _heal_counted(match: re.Match[str], frame: Frame) -> Said | None:
    base = after_roll(frame)
    meant = whose(match["who"], frame)
    if base is None or meant is None or match["clause"].lower() in ("roll", "one of the following"):
        return None
    return said(theirs(base, meant, {"heal": f"1 per {match['clause']}"}, timed=False))


@production("heal", "change", r"<who> (?:regains?|heals?|can regain|has) (?:up to )?<dice> lost wounds?", "This model regains up to 3 lost wounds.", family="wh40k")
def _regains(match: re.Match[str], frame: Frame) -> Said | None:
    text = match["who"].strip()
    text = re.sub(r"^(?:one|a|each|every) (?:\w+ )?model(?: in| from)? (?=this|that|the|it)", "", text, flags=re.IGNORECASE)
    base = after_roll(frame)
    meant = whose(text, frame)
    return None if base is None or meant is None else said(theirs(base, meant, {"heal": amounts.dice(match["dice"])}, timed=False))


@production("heal.passive", "change", r"(?:up to )?<dice> (?:destroyed|slain) (?:[\w' ]+? )?models?(?: \(excluding [^)]+\))? (?:can be|is|are) (?:returned|added back) to <who>(?: with [^,;:]+)?", "D3 destroyed models are returned to this unit.")
def _returned(match: re.Match[str], frame: Frame) -> Said | None:
    base = after_roll(frame)
    meant = whose(match["who"], frame)
    if base is None or meant is None:
        return None
    if "can be" in match[0].lower():
        base = base.chosen()
    return said(theirs(base, meant, {"return": amounts.dice(match["dice"])}, timed=False))


@production("return", "change", r"(?:you can )?return (?:up to )?<dice> (?:destroyed|slain) (?:[\w' ]+? )?models?(?: \(excluding [^)]+\))? (?:from [^,;:]+? )?to <who>(?: with [^,;:]+| at [^,;:]+)?", "Return D3 slain models to this unit.")
def _return(match: re.Match[str], frame: Frame) -> Said | None:
    base = after_roll(frame)
    meant = whose(match["who"], frame)
    if base is None or meant is None:
        return None
    if match[0].lower().startswith("you can"):
        base = base.chosen()
    return said(theirs(base, meant, {"return": amounts.dice(match["dice"])}, timed=False))


@production("return.health", "change", r"(?:you can )?return (?:a number of|any number of) slain models to <who> (?:with|that have) a combined Health characteristic of (?:up to )?<dice>(?: or less)?(?: to (?:it|them|that unit))?", "Return a number of slain models to this unit with a combined Health characteristic of up to 3.", family="sigmar")
def _return_health(match: re.Match[str], frame: Frame) -> Said | None:
    base = after_roll(frame)
    meant = whose(match["who"], frame)
    return None if base is None or meant is None else said(theirs(base, meant, {"return_health": amounts.dice(match["dice"])}, timed=False))


@production("no-heal", "change", r"<who> cannot be healed(?P<both>,? (?:and|or) (?:cannot )?have slain models returned(?: to (?:it|them))?)?", "The target cannot be healed.", family="sigmar")
def _no_heal(match: re.Match[str], frame: Frame) -> Said | None:
    base = after_roll(frame)
    meant = whose(match["who"], frame)
    if base is None or meant is None:
        return None
    return said(theirs(base, meant, {"no_heal": True, **({"no_return": True} if match["both"] else {})}, timed=False))


@production("slay", "change", r"(?P<n>\d|D3|D6) models? in <who> (?:is|are) (?:slain|destroyed)", "1 model in this unit is slain.")
def _slay(match: re.Match[str], frame: Frame) -> Said | None:
    base = after_roll(frame)
    meant = whose(match["who"], frame)
    return None if base is None or meant is None else said(theirs(base, meant, {"slay": match["n"]}, timed=False))


@production("banish", "change", r"<who> is banished(?: and removed from play)?", "Roll a dice. On a 4+, the target is banished and removed from play.", family="sigmar")
def _banish(match: re.Match[str], frame: Frame) -> Said | None:
    base = after_roll(frame)
    meant = whose(match["who"], frame)
    if base is None or meant is None or meant.side != "foes":
        return None
    return said(theirs(base, meant, {"banish": True}, timed=False))


@production("slay.all", "change", r"<who> is (?:automatically )?destroyed", "Roll a dice. On a 1, this unit is destroyed.")
def _slay_all(match: re.Match[str], frame: Frame) -> Said | None:
    base = after_roll(frame)
    meant = whose(match["who"], frame)
    if base is None or meant is None or base is frame:
        return None
    return said(theirs(base, meant, {"slay": "all"}, timed=False))


@production("test", "change", r"(?:each )?<who> must (?:immediately )?take an? (?:battle-shock|leadership) test(?P<minus>,? (?P<verb>adding|subtracting) (?P<n>\d)(?: (?:to|from) (?:that|the) (?:test|result|roll))?(?: if (?P<cond>[^,;:]+?))?)?", "That enemy unit must take a Battle-shock test.", family="wh40k")
def _test(match: re.Match[str], frame: Frame) -> Said | None:
    base = after_roll(frame)
    meant = whose(match["who"], frame)
    if base is None or meant is None:
        return None
    moved = replace(frame, it=meant, foe=meant if meant.side == "foes" else frame.foe)
    if "leadership" in match[0].lower():
        return Said((), moved) if not match["minus"] else None
    found = theirs(base, meant, {"battleshock_test": True}, timed=False)
    if match["minus"]:
        sign = "+" if match["verb"].lower() == "adding" else "-"
        alts = condition(match["cond"], moved) if match["cond"] else ((),)
        if alts is None:
            alts = switch(match["cond"])
        if alts is None:
            return None
        found += theirs(Frame(alts=alts), Who(meant.side), {"own_roll": f"{sign}{match['n']}"}, timed=False)
    return said(found, moved)


@production("mortal.instead", "change", r"<dice> mortal (?:wounds?|damage)(?: on the target| on it)?", "Roll a dice: on a 3+, that enemy unit suffers D3 mortal wounds, or 3 mortal wounds instead if it is a Monster.")
def _mortal_instead(match: re.Match[str], frame: Frame) -> Said | None:
    if frame.victim is None or frame.extra is None:
        return None
    return _mortal(frame, frame.victim, amounts.dice(match["dice"]))


@production("fights-fallen", "change", r"(?:that|the|those|it|each) ?(?:destroyed|slain)? ?(?:models?|unit)? (?:can|may) (?:fight|shoot(?: or fight)?|(?:use|be picked to use) a (?:fight|shoot) ability|make (?:its )?attacks)(?: (?:before|after|as if|with|immediately)[^.;]*)?(?:,? and (?:it )?is then removed from play)?", "Each time a model in this unit is destroyed by a melee attack, roll a dice. On a 4+, do not remove it from play; that destroyed model can fight after the attacking unit has finished making its attacks, and is then removed from play.")
def _fights_fallen(match: re.Match[str], frame: Frame) -> Said | None:
    words = {cond.word for way in frame.alts for cond in way}
    if not words & {"destroyed", "model_slain"} or (frame.roll is not None and not frame.on):
        return None
    alts = tuple(tuple(cond for cond in way if cond.word not in ("destroyed", "model_slain")) for way in frame.alts)
    value: Any = frame.on if frame.roll is not None else True
    moved = replace(frame, alts=alts, roll=None, against=None)
    return said(theirs(moved, frame.against or frame.it, {"fight_on_death": value}, timed=False))


@production("fight-on-death", "change", r"(?:each time |if )(?P<who>a model in [^,;:]+?|this model|the bearer|one or more models in [^,;:]+?) (?:is|are) destroyed by a (?P<kind>melee|ranged)? ?attack(?:,| and) (?:if (?:it|that model) has not (?:already )?fought this phase,? )?(?:you can )?roll a dice[:.,]? on a <band>, do not remove (?:it|that model|them) from play[;,.:]? ?(?:and )?(?:that|the) ?(?:destroyed)? ?model can (?:fight|shoot|make attacks)[^.;]*(?:,? (?:and )?(?:it )?is then removed from play)?", "Each time a model in this unit is destroyed by a melee attack, if that model has not fought this phase, roll a dice: on a 4+, do not remove it from play; that destroyed model can fight after the attacking unit has finished making its attacks, and is then removed from play.", family="wh40k")
def _fight_on_death(match: re.Match[str], frame: Frame) -> Said | None:
    meant = whose(re.sub(r"^one or more ", "a ", match["who"]), frame)
    if meant is None:
        return None
    kind = (match["kind"] or "").lower()
    moved = frame.when(one(kind)) if kind else frame
    return said(theirs(moved, meant, {"fight_on_death": match["band"]}, timed=False))


@production("charge.drop", "change", r"(?:when making charge rolls for <who>, )?(?:add 1 to the number of dice rolled|roll (?:1|one) additional dice),? ?(?:to a maximum of 3,? ?)?(?:then|and) (?:remove|discard) a dice of your choice(?: and use the remaining dice as the charge roll)?", "When making charge rolls for this unit, roll 1 additional dice, to a maximum of 3, and discard a dice of your choice.", family="sigmar")
def _charge_drop(match: re.Match[str], frame: Frame) -> Said | None:
    meant = whose(match["who"], frame) if match["who"] else frame.it
    base = after_roll(frame)
    return None if meant is None or base is None else said(theirs(base, meant, {"charge_dice": "+1 drop 1"}, timed=False))


@production("rally.dice", "change", r"(?:you can make|make) (?P<n>\d|D3) additional rally rolls of D6", "If this unit uses the 'Rally' command, you can make 3 additional rally rolls of D6.", family="sigmar")
def _rally_dice(match: re.Match[str], frame: Frame) -> Said | None:
    return said(theirs(frame, frame.it, {"rally_dice": f"+{match['n']}"}, timed=False))


@production("fights-twice", "change", r"<who> can use 2 fight abilities(?: in)? this (?:phase|turn)", "This unit can use 2 Fight abilities this phase.", family="sigmar")
def _twice(match: re.Match[str], frame: Frame) -> Said | None:
    base = after_roll(frame)
    meant = whose(match["who"], frame)
    return None if base is None or meant is None else said(theirs(base, meant, {"strike_again": True}, timed=False))


@production("fights-again", "change", r"<who> can (?:fight|shoot) (?:one additional time|twice|again|a second time)", "That unit can fight one additional time.")
def _again(match: re.Match[str], frame: Frame) -> Said | None:
    base = after_roll(frame)
    meant = whose(match["who"], frame)
    return None if base is None or meant is None else said(theirs(base.chosen(), meant, {"strike_again": True}, timed=False))


@production("sheet.replace-weapon", "change", r"replace (?:their|its|your hero's|this model's) (?P<kind>melee|ranged) weapons? with (?P<names>[^;:]+)", "Replace their melee weapon with a Long Spear.")
def _replace_weapon(match: re.Match[str], frame: Frame) -> Said | None:
    parts = re.split(r",? and |, ", match["names"])
    names = [re.sub(r"^(?:an?|the|\d) ", "", part.strip(), flags=re.IGNORECASE) for part in parts]
    return said(theirs(frame, Who("self"), {"lose_weapon": [match["kind"].lower()], "gain_weapon": names}, timed=False))


@production("fights-after", "change", r"<who> can (?:be picked to )?use a fight ability immediately after (?:the|that) fight ability used by (?:this unit|that unit)(?: has been resolved)?", "The target can be picked to use a Fight ability immediately after the Fight ability used by this unit has been resolved.", family="sigmar")
def _fights_after(match: re.Match[str], frame: Frame) -> Said | None:
    meant = whose(match["who"], frame)
    return None if meant is None or meant.side != "friends" else said(theirs(frame, meant, {"fights_after": True}, timed=False))


@production("ignore-points", "change", r"ignore the first (?P<n>\d+ )?damage points?(?: that (?:would be|is|are))? (?:allocated|inflicted) (?:to|on) <who> (?:in )?(?P<span>each|this) (?P<what>phase|turn)", "Ignore the first damage point that would be allocated to this unit each phase.", family="sigmar")
def _ignore_points(match: re.Match[str], frame: Frame) -> Said | None:
    meant = whose(match["who"], frame)
    if meant is None:
        return None
    number = (match["n"] or "1").strip()
    return said(theirs(frame, meant, {"damage_ignored": f"{number} per {match['what'].lower()}"}, timed=False))


@production("charge.dice", "change", r"(?P<verb>add|subtract) (?P<n>\d) (?:to|from) the number of dice rolled when making (?P<what>charge|rally) rolls for <who>(?:,? to a (?:maximum|minimum) of \d)?", "Add 1 to the number of dice rolled when making charge rolls for this unit, to a maximum of 3.", family="sigmar")
def _charge_dice(match: re.Match[str], frame: Frame) -> Said | None:
    base = after_roll(frame)
    meant = whose(match["who"], frame)
    if base is None or meant is None:
        return None
    sign = "+" if match["verb"].lower() == "add" else "-"
    return said(theirs(base, meant, {f"{match['what'].lower()}_dice": f"{sign}{match['n']}"}, timed=False))


@production("rally", "change", r"you receive (?P<n>\d) additional rally points", "If this unit uses the 'Rally' command, you receive 3 additional rally points.", family="sigmar")
def _rally(match: re.Match[str], frame: Frame) -> Said | None:
    return said(theirs(frame, frame.it, {"rally_points": f"+{match['n']}"}, timed=False))


@production("own-roll", "change", r"(?P<verb>add|subtract) <n> (?:to|from) (?:the|that|each|this) (?:dice )?(?:roll|result)", "Roll a dice. Add 1 to the roll if this unit charged this turn. On a 4+, inflict D3 mortal damage on the target.")
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
    scope = "enemies" if foes and frame.it.side == "foes" else frame.it.scope if foes or any(c.of == "friend" for w in frame.extra for c in w) else "unit"
    return said(effect(bare, scope, {"own_roll": f"{sign}{value}"}))
