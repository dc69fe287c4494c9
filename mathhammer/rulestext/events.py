"""Things that happen: a charge, a move, being set up, being destroyed, damage dealt."""

from __future__ import annotations

import re
from dataclasses import replace

from mathhammer.rulestext.arms import arms
from mathhammer.rulestext.frame import Frame, Roll, Who, one
from mathhammer.rulestext.productions import Said, goes_on, production
from mathhammer.rulestext.weapon_words import KINDS
from mathhammer.rulestext.who import who


@production(
    "event.uses",
    "lead",
    r"(?:each time|when|if) <who> uses a (?P<what>fight|shoot|charge) ability(?: this (?:turn|"
    r"phase))?(?:,? after (?:that|the) (?:\w+ )?ability has been resolved)?",
    "Each time this unit uses a Fight ability, after that Fight ability has been resolved, Heal (4) "
    "this unit.",
    family="sigmar",
)
def _uses_attack(match: re.Match[str], frame: Frame) -> Said | None:
    meant = who(match["who"], frame)
    if meant is None or meant.also or meant.side == "foes":
        return None
    what = match["what"].lower()
    if what == "charge":
        return goes_on(replace(frame.when(one("charged", meant.of)), it=meant))
    return goes_on(replace(frame, it=meant, phase="melee" if what == "fight" else "ranged"))


@production(
    "event.own-move",
    "lead",
    r"(?:each time|after|when) <who> (?:ends|makes|has made) an? (?:normal|advance|fall back)(?:(?:, "
    r"| or |, or )(?:normal|advance|fall back|charge))* move",
    "Each time this unit ends a Normal move, you can select one enemy unit that it moved over during "
    "that move. That unit suffers D3 mortal wounds.",
    family="wh40k",
)
def _own_move(match: re.Match[str], frame: Frame) -> Said | None:
    meant = who(match["who"], frame)
    if meant is None or meant.side != "self":
        return None
    rest = match.string[match.end() :].lower()
    if "moved over" in rest or "moved across" in rest or "moved through" in rest:
        return goes_on(frame)
    return goes_on(frame.when(one("moved", "self")))


@production(
    "event.charge",
    "lead",
    r"(?:each time|when(?:ever)?|after|if|just after) <who> (?:ends?|makes?|has (?:made|ended)|"
    r"finishes|completes) a charge move(?: this turn)?",
    "Each time this unit ends a Charge move, select one enemy unit within Engagement Range of it. "
    "That unit suffers D3 mortal wounds.",
)
def _after_charge(match: re.Match[str], frame: Frame) -> Said | None:
    meant = who(match["who"], frame)
    if meant is None or meant.also:
        return None
    return goes_on(replace(frame.when(one("charged", meant.of)), it=meant))


@production(
    "event.set-up",
    "lead",
    r"(?:each time|when(?:ever)?|after|if|the first time) <who> (?:is|are) set up(?: on the "
    r"battlefield)?(?: (?:from|as) [^,;:]+?| using the (?P<by>[A-Z][\w' ]+?) ability)?(?: this turn)?",
    "Each time this unit is set up on the battlefield, you can re-roll charge rolls made for it.",
)
def _after_setup(match: re.Match[str], frame: Frame) -> Said | None:
    meant = who(match["who"], frame)
    if meant is None or meant.also:
        return None
    word = f"used {match['by']}" if match["by"] else "set_up"
    return goes_on(replace(frame.when(one(word, meant.of)), it=meant))


@production(
    "event.pact",
    "lead",
    r"(?:each time|when(?:ever)?|if|after) <who> makes? a Dark Pact",
    "Each time this unit makes a Dark Pact, add 1 to Hit rolls made for it.",
)
def _pact(match: re.Match[str], frame: Frame) -> Said | None:
    meant = who(match["who"], frame)
    return None if meant is None else goes_on(replace(frame.when(one("used Dark Pact", meant.of)), it=meant))


@production(
    "event.shot",
    "lead",
    r"(?:each time|just after|after|when) <who> (?:has |have )?(?P<how>shot|fought|finished "
    r"(?:making its attacks|resolving its attacks|shooting|fighting))(?: this phase)?(?: or "
    r"(?:fought|shot))?",
    "After the bearer has shot, select one enemy unit hit by any of those attacks. That unit suffers "
    "4 mortal wounds.",
)
def _shot(match: re.Match[str], frame: Frame) -> Said | None:
    meant = who(match["who"], frame)
    return None if meant is None or meant.side != "self" else goes_on(frame)


@production(
    "event.after-attacks",
    "lead",
    r"(?:after (?:it|this (?:unit|model)|that "
    r"unit) has (?:resolved|finished) (?:its|those|making its) attacks|after (?:those|its) attacks "
    r"(?:have been|are) resolved|after the (?:fight|shoot|attack) ability has been resolved|after "
    r"(?:that|the attacking) unit has finished making its attacks)",
    "After those attacks have been resolved, this unit suffers 1 mortal wound.",
    soft=True,
)
def _after_attacks(match: re.Match[str], frame: Frame) -> Said:
    return goes_on(frame)


@production(
    "event.move-enemy",
    "lead",
    r"each time (?P<foe>an enemy unit[^,;:]*?|that enemy unit|that unit|the target) (?:ends|makes|"
    r"uses|starts or ends|starts) (?:an? |any type of )?(?:(?:normal|advance|fall back|charge)(?:, | "
    r"or |, or )?)* ?(?:move|moves|move abilities)(?: within (?P<n>\d+)\" of (?P<who>[^,;:]+?))?",
    'Each time an enemy unit ends a Normal move within 6" of this unit, it suffers 1 mortal wound.',
)
def _enemy_moves(match: re.Match[str], frame: Frame) -> Said | None:
    foe = who(match["foe"], frame)
    if foe is None or foe.side != "foes":
        return None
    word = (
        "target_retreated"
        if "fall back" in match[0].lower() and "normal" not in match[0].lower()
        else "target_moved"
    )
    moved = frame.when(one(word))
    if match["n"]:
        near = who(match["who"], frame)
        if near is None or near.side != "self":
            return None
        foe = foe.that(one(f"within {match['n']}"))
    return goes_on(replace(moved, it=foe, foe=foe))


@production(
    "event.falls-back",
    "lead",
    r"(?:each time|when(?:ever)?) (?P<foe>an enemy unit[^,;:]*?) (?:falls back|is (?:selected|"
    r"chosen) to fall back|is selected to make a fall back move)",
    "Each time an enemy unit within Engagement Range of this unit falls back, it suffers D3 mortal wounds.",
)
def _falls_back(match: re.Match[str], frame: Frame) -> Said | None:
    foe = who(match["foe"], frame)
    if foe is None:
        return None
    return goes_on(replace(frame.when(one("target_retreated")), it=foe, foe=foe))


@production(
    "event.destroyed",
    "lead",
    r"(?:each time|when|if|the first time) <who> (?:is|are|would be) destroyed(?: by an? "
    r"(?P<kind>melee|ranged)? ?attack)?(?:,? before removing (?:it|them) from play| and before it is "
    r"removed)?",
    'When this unit is destroyed, roll a dice: on a 4+, each enemy unit within 6" suffers D3 mortal wounds.',
)
def _destroyed(match: re.Match[str], frame: Frame) -> Said | None:
    meant = who(match["who"], frame)
    if meant is None or meant.also or meant.side == "foes":
        return None
    single = match["who"].lower().startswith(("a model in", "one or more models", "each model", "a friendly"))
    moved = frame.when(
        one("model_slain" if single and "model" in match["who"].lower() else "destroyed", meant.of)
    )
    if match["kind"]:
        moved = moved.when(one(match["kind"].lower()))
    return goes_on(replace(moved, it=meant, against=meant, foe=Who("foes", reach="attacker")))


@production(
    "event.slain",
    "lead",
    r"each time (?:a |any )?models? in <who> (?:is|are) slain by an? (?P<kind>combat|shooting)? "
    r"?attack(?P<close>(?: and|,) (?:that|the slain) model was in combat with the attacking "
    r"unit)?(?:,? roll a dice)?",
    "Each time a model in this unit is slain by a shooting attack, roll a dice. On a 2+, inflict 4 "
    "mortal damage on the attacking unit.",
    family="sigmar",
)
def _slain(match: re.Match[str], frame: Frame) -> Said | None:
    meant = who(match["who"], frame)
    if meant is None or meant.also or meant.side == "foes":
        return None
    moved = frame.when(one("model_slain", meant.of))
    if match["kind"]:
        moved = moved.when(one(KINDS[match["kind"].lower()]))
    if match["close"]:
        moved = moved.when(one("in_combat", meant.of))
    moved = replace(moved, it=meant, against=meant, foe=Who("foes", reach="attacker"))
    if match[0].lower().endswith("roll a dice"):
        moved = replace(moved, roll=Roll(number=frame.rolls + 1), on="", rolls=frame.rolls + 1)
    return goes_on(moved)


@production(
    "event.charges",
    "lead",
    r"(?:each time|when|if) <who> charges",
    "Each time this unit charges, add 1 to the Attacks characteristic of its melee weapons.",
    family="sigmar",
)
def _charges(match: re.Match[str], frame: Frame) -> Said | None:
    meant = who(match["who"], frame)
    if meant is None or meant.also or meant.side == "foes":
        return None
    return goes_on(replace(frame.when(one("charged", meant.of)), it=meant))


@production(
    "event.damaged",
    "lead",
    r"(?:if|each time) any damage points (?:are|were) allocated to (?P<foe>an enemy [^,;:]*?) by "
    r"(?:attacks made with <arms>|this unit's (?P<kind>combat|shooting)? ?attacks)(?: this (?:turn|"
    r"phase))?",
    "If any damage points are allocated to an enemy unit by attacks made with this unit's Nets, "
    "subtract 2 from hit rolls for that enemy unit's combat attacks.",
    family="sigmar",
)
def _hurt(match: re.Match[str], frame: Frame) -> Said | None:
    foe = who(match["foe"], frame)
    if foe is None:
        return None
    moved = frame
    if match["arms"]:
        armed = arms(match["arms"], frame)
        if armed is None:
            return None
        moved = replace(frame, weapon=armed[0].weapon)
    foe = foe.that(one("damaged_by_this"))
    return goes_on(replace(moved, it=foe, foe=foe))


@production(
    "event.wounded",
    "lead",
    r"(?:just )?(?:after|when) (?:a mortal wound is|an attack is|one or more (?:attacks|mortal "
    r"wounds) are) allocated to <who>",
    "Once per battle, just after a mortal wound is allocated to a model in this unit, it can use "
    "this ability. If it does, it has a 4+ invulnerable save.",
    family="wh40k",
)
def _wounded(match: re.Match[str], frame: Frame) -> Said | None:
    if "mortal" not in match[0].lower():
        return None
    return goes_on(frame)
