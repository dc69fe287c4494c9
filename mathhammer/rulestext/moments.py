"""Moments and uses: until when, in which phase, once per battle, by whose choice."""

from __future__ import annotations

import re
from dataclasses import replace

from mathhammer.rulestext.aiming import with_arms
from mathhammer.rulestext.frame import Frame, one
from mathhammer.rulestext.productions import Said, goes_on, production
from mathhammer.rulestext.who import who

_PHASES = r"(?:hero|command|movement|shooting|charge|combat|fight|end of turn|battle-shock)"


@production(
    "time.rest",
    "lead",
    r"(?:(?:for|until) the (?:rest|remainder) of (?:the|that) (?:turn|phase|battle round|battle)|"
    r"until the (?:end|start) of [^,;:.]*?(?:phase|turn|round|battle|resolved|step)|until your next "
    r"[^,;:.]*?(?:phase|turn)|until that unit has (?:fought|shot)[^,:;]*|until (?:those|its) attacks "
    r"(?:are|have been) resolved|while resolving (?:those|that) attacks?)(?: or until [^,:;]+)?",
    "Until the end of the turn, add 1 to hit rolls for this unit.",
    soft=True,
)
def _lasting(match: re.Match[str], frame: Frame) -> Said:
    long = re.search(r"\b(?:turn|battle|round)\b|\bstart\b", match[0], re.IGNORECASE)
    return goes_on(replace(frame, phase="") if long else frame)


@production(
    "time.moment",
    "lead",
    rf"(?:at the (?:start|end|beginning) of (?:the|your|each|any|every|either player's|each player's|"
    rf"your opponent's|a|this|that)[^,;:]*?(?:phase|turn|round|battle|step)|in (?:your|the|either "
    rf"player's|any|each|your opponent's)(?: next| first)? ?{_PHASES} (?:phase|step)(?: of "
    rf"[^,;:]+?)?|in any phase|during (?:the|your|your opponent's|any)[^,;:]*?(?:phase|step|turn|"
    rf"round))(?: (?:or|and) (?:the|your|at the|in the)[^,:;]*?(?:phase|turn|step))?",
    "At the start of your Command phase, this model regains up to 2D3 lost wounds.",
    soft=True,
)
def _moment(match: re.Match[str], frame: Frame) -> Said:
    text = match[0].lower()
    phase = ""
    if text.startswith(("in ", "at the start of ", "during ")) and " or " not in text:
        if "fight phase" in text or "combat phase" in text:
            phase = "melee"
        elif "shooting phase" in text:
            phase = "ranged"
    if phase and frame.phase and phase != frame.phase:
        return goes_on(replace(frame, phase=""))
    return goes_on(replace(frame, phase=phase or frame.phase))


@production(
    "time.army",
    "lead",
    r"when (?:you )?(?:select|selecting|muster|mustering|choosing|selecting targets for)[^,;:]*",
    "When you select this Enhancement, select one melee weapon equipped by the bearer.",
)
def _army(match: re.Match[str], frame: Frame) -> Said | None:
    if "targets for" not in match[0].lower():
        return goes_on(frame)
    armed = with_arms(match[0].split("targets for ", 1)[1], frame)
    return None if armed is None else goes_on(armed)


@production(
    "time.targeted",
    "lead",
    r"(?:just )?(?:after|when) an enemy unit (?:has )?(?:selected|selects|declared|declares) its targets",
    "Once per battle, just after an enemy unit has selected its targets, this unit can use this "
    "ability. If it does, it has a 4+ invulnerable save.",
)
def _targeted(match: re.Match[str], frame: Frame) -> Said:
    return goes_on(frame)


@production(
    "time.after",
    "lead",
    r"(?:just )?(?:after|before) (?:selecting|rolling|making|determining|resolving)[^,;:]*",
    "Once per battle, after selecting your army's target, you can use this ability. If you do, this "
    "unit has a 2+ invulnerable save.",
)
def _after(match: re.Match[str], frame: Frame) -> Said:
    return goes_on(frame)


@production(
    "time.shoots",
    "lead",
    r"(?:each time|when) <who> (?P<how>shoots|fights|attacks)(?: in (?:your|the) \w+ phase)?",
    "Each time this unit fights, its melee weapons have the [LANCE] ability.",
)
def _shoots(match: re.Match[str], frame: Frame) -> Said | None:
    meant = who(match["who"], frame)
    if meant is None or meant.also or meant.side == "foes":
        return None
    how = match["how"].lower()
    return goes_on(
        replace(frame, it=meant, phase={"shoots": "ranged", "fights": "melee"}.get(how, frame.phase))
    )


@production(
    "use.limit",
    "lead",
    r"(?:(?:up to )?(?P<often>once|twice) per (?P<span>battle round|battle|turn|phase|round)(?: "
    r"\(army\))?(?: for each [^,]+)?(?: per army)?|the first time)",
    "Once per battle, this unit can use it. If it does, it has a 4+ invulnerable save.",
    soft=True,
)
def _limit(match: re.Match[str], frame: Frame) -> Said | None:
    if (match["often"] or "").lower() == "twice":
        return None
    span = (match["span"] or "battle").lower().replace("battle round", "round")
    return goes_on(replace(frame, limit=f"once per {span}"))


@production(
    "army.faction",
    "lead",
    r"if your Army Faction is [^,;:]+",
    "If your Army Faction is Singers, this unit has the Lone Operative ability.",
    family="wh40k",
)
def _faction(match: re.Match[str], frame: Frame) -> Said:
    return goes_on(frame)


@production(
    "use.can",
    "lead",
    r"(?:you can|it can|they can|this (?:unit|model|manifestation) can|the bearer can|that (?:unit|"
    r"model) can|your opponent must|you must)(?: choose to| decide to)?(?: use (?:this|the) "
    r"(?:ability|enhancement|relic|effect|trait|[\w' ]+? ability)| activate (?:this|it)[^,.;:]*| do "
    r"so| spend [^,.;:]+| declare [^,.;:]+| make a Dark Pact)?",
    "Once per battle, you can use this ability. If you do, this unit has Ward (4+).",
    soft=True,
)
def _can(match: re.Match[str], frame: Frame) -> Said:
    return goes_on(frame.chosen())


@production(
    "use.if-done",
    "lead",
    r"(?:if|when) (?:you|it|they|this (?:unit|model|manifestation)|the bearer|that (?:unit|model)) "
    r"do(?:es)?(?: so)?|if this (?:ability|enhancement|effect) is used|when (?:it|that unit) is used",
    "You can spend 1 token. If you do, add 1 to hit rolls for this unit.",
)
def _done(match: re.Match[str], frame: Frame) -> Said:
    return goes_on(frame.chosen())


@production(
    "use.selected",
    "lead",
    r"(?:each time|when|when(?:ever)?|if|after|in your shooting phase each time) <who> (?:is|are|has "
    r"been|have been) (?:selected|chosen|picked) to (?P<to>shoot or fight|fight or shoot|shoot|fight|"
    r"use a fight ability|use a shoot ability|make (?P<kind>ranged|melee) attacks)(?: (?:this|in "
    r"(?:the|your)) (?:\w+ )?(?:phase|turn))?(?: or (?P<to2>fight|shoot))?",
    "Each time this unit is selected to fight, add 1 to wound rolls for it.",
    soft=True,
)
def _selected(match: re.Match[str], frame: Frame) -> Said | None:
    meant = who(match["who"], frame)
    if meant is None or meant.also:
        return None
    to = match["to"].lower()
    frame = replace(frame, it=meant)
    if "or" in to.split() or match["to2"]:
        return goes_on(frame)
    return goes_on(replace(frame, phase="melee" if "fight" in to or "melee" in to else "ranged"))


@production(
    "time.first",
    "lead",
    r"after the first is used(?:, however)?",
    "Each Moss Guard can rest. After the first is used, however, this unit has Ward (2+).",
    family="sigmar",
)
def _first(match: re.Match[str], frame: Frame) -> Said:
    return goes_on(frame.when(one("if the first Fight ability was used")))


@production(
    "use.command",
    "lead",
    r"(?:if|each time|when) <who> uses the '(?P<name>[^,;:]+?)' (?:command|ability)",
    "If this unit uses the 'Rally' command, you receive 2 additional rally points.",
    family="sigmar",
)
def _uses(match: re.Match[str], frame: Frame) -> Said | None:
    meant = who(match["who"], frame)
    if meant is None or meant.also or meant.side == "foes":
        return None
    return goes_on(replace(frame.when(one(f"used {match['name']}", meant.of)), it=meant))


@production(
    "use.picked",
    "lead",
    r"if (?:it|they|that unit) (?:is|are) picked to do so",
    "If it is picked to do so, add 1 to the Attacks characteristic of its melee weapons.",
    family="sigmar",
)
def _picked_so(match: re.Match[str], frame: Frame) -> Said:
    return goes_on(frame)
