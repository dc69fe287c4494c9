"""How a clause opens: when, by whose choice, whose attacks, against whom, on which roll."""

from __future__ import annotations

import re
from dataclasses import replace

from mathhammer.rulestext import amounts
from mathhammer.rulestext.conditions import condition, predicate, switch, target_of
from mathhammer.rulestext.frame import ALWAYS, SELF, Alts, Frame, Roll, Who, both, one
from mathhammer.rulestext.placing import after_roll
from mathhammer.rulestext.productions import Said, production
from mathhammer.rulestext.who import weapon_words, who

_PHASES = r"(?:hero|command|movement|shooting|charge|combat|fight|end of turn|battle-shock)"
_KIND = {"melee": "melee", "ranged": "ranged", "combat": "melee", "shooting": "ranged"}


def _on(frame: Frame) -> Said:
    return Said(frame=frame)


def under(text: str, frame: Frame, switches: bool = True) -> Frame | None:
    """The frame under a condition in words; a switch where it is not understood and may be one."""
    alts = condition(text, frame)
    if alts is None and switches:
        alts = switch(text)
    return None if alts is None else frame.when(alts)


# ---- time: the moment of use is not written, its phase may say which attacks are meant


@production("time.rest", "lead", r"(?:(?:for|until) the (?:rest|remainder) of (?:the|that) (?:turn|phase|battle round|battle)|until the (?:end|start) of [^,;:.]*?(?:phase|turn|round|battle|resolved|step)|until your next [^,;:.]*?(?:phase|turn)|until that unit has (?:fought|shot)[^,:;]*|until (?:those|its) attacks (?:are|have been) resolved|while resolving (?:those|that) attacks?)(?: or until [^,:;]+)?", "Until the end of the turn, add 1 to hit rolls for this unit.", soft=True)
def _lasting(match: re.Match[str], frame: Frame) -> Said:
    long = re.search(r"\b(?:turn|battle|round)\b|\bstart\b", match[0], re.IGNORECASE)
    return _on(replace(frame, phase="") if long else frame)


@production("time.moment", "lead", rf"(?:at the (?:start|end|beginning) of (?:the|your|each|any|every|either player's|each player's|your opponent's|a|this|that)[^,;:]*?(?:phase|turn|round|battle|step)|in (?:your|the|either player's|any|each|your opponent's)(?: next| first)? ?{_PHASES} (?:phase|step)(?: of [^,;:]+?)?|in any phase|during (?:the|your|your opponent's|any)[^,;:]*?(?:phase|step|turn|round))(?: (?:or|and) (?:the|your|at the|in the)[^,:;]*?(?:phase|turn|step))?", "At the start of your Command phase, this model regains 1 lost wound.", soft=True)
def _moment(match: re.Match[str], frame: Frame) -> Said:
    text = match[0].lower()
    phase = ""
    if text.startswith(("in ", "at the start of ", "during ")) and " or " not in text:
        if "fight phase" in text or "combat phase" in text:
            phase = "melee"
        elif "opponent's shooting phase" in text or ("shooting phase" in text and not text.startswith("at")):
            phase = "ranged"
    if phase and frame.phase and phase != frame.phase:
        return _on(replace(frame, phase=""))
    return _on(replace(frame, phase=phase or frame.phase))


@production("time.army", "lead", r"when (?:you )?(?:select|selecting|muster|mustering|choosing|selecting targets for)[^,;:]*", "When you select this Enhancement, select one melee weapon equipped by the bearer.")
def _army(match: re.Match[str], frame: Frame) -> Said | None:
    if "targets for" not in match[0].lower():
        return _on(frame)
    armed = with_arms(match[0].split("targets for ", 1)[1], frame)
    return None if armed is None else _on(armed)


@production("time.targeted", "lead", r"(?:just )?(?:after|when) an enemy unit (?:has )?(?:selected|selects|declared|declares) its targets", "Once per battle, just after an enemy unit has selected its targets, this unit can use this ability. If it does, it has a 4+ invulnerable save.")
def _targeted(match: re.Match[str], frame: Frame) -> Said:
    return _on(frame)


@production("time.after", "lead", r"(?:just )?(?:after|before) (?:selecting|rolling|making|determining|resolving)[^,;:]*", "Once per battle, after selecting your army's target, you can use this ability. If you do, this unit has a 4+ invulnerable save.")
def _after(match: re.Match[str], frame: Frame) -> Said:
    return _on(frame)


@production("time.shoots", "lead", r"(?:each time|when) <who> (?P<how>shoots|fights|attacks)(?: in (?:your|the) \w+ phase)?", "Each time this unit fights, its melee weapons have the [LANCE] ability.")
def _shoots(match: re.Match[str], frame: Frame) -> Said | None:
    meant = who(match["who"], frame)
    if meant is None or meant.also or meant.side == "foes":
        return None
    how = match["how"].lower()
    return _on(replace(frame, it=meant, phase={"shoots": "ranged", "fights": "melee"}.get(how, frame.phase)))


@production("test.taken", "lead", r"(?:each time|when|if) (?:you take (?:an? )?(?:battle-shock|leadership)(?: or leadership)? tests? for <who>|<who2> takes an? (?:battle-shock|leadership)(?: or (?:leadership|battle-shock))? test|an? (?:battle-shock|leadership)(?: or leadership)? test is taken for <who3>)", "Each time you take a Battle-shock test for this unit, add 1 to that test.", family="wh40k")
def _taken(match: re.Match[str], frame: Frame) -> Said | None:
    meant = who(match["who"] or match["who2"] or match["who3"], frame)
    return None if meant is None or meant.also else _on(replace(frame, test=meant, it=meant))


@production("chanted", "lead", r"(?:in addition, )?if the (?P<kind>chanting|casting) roll was (?:an? )?(?:unmodified )?(?P<n>\d+)\+", "Inflict 1 mortal damage on the target. If the chanting roll was 8+, inflict D3 mortal damage on the target instead.", family="sigmar")
def _chanted(match: re.Match[str], frame: Frame) -> Said:
    word = "chant" if match["kind"].lower() == "chanting" else "cast"
    return _on(replace(frame, needs=f"{word} {match['n']}", own_needs=True))


@production("status.given", "lead", r"<who> (?:is|are) (?P<what>suppressed|stupefied|pinned|shaken|marked|disrupted|tagged|cursed|hexed|blinded|dazed|weakened|distracted|[a-z]+ed)", "Until the end of the turn, that enemy unit is pinned. While a unit is pinned, subtract 1 from hit rolls for it.")
def _given(match: re.Match[str], frame: Frame) -> Said | None:
    meant = who(match["who"], frame)
    if meant is None or meant.side == "self" or match["what"].lower() in ("destroyed", "removed", "selected", "picked", "allocated", "healed", "affected", "used", "required", "attached", "banished", "damaged"):
        return None
    base = after_roll(frame)
    if base is None:
        return None
    return _on(replace(frame, status=match["what"].lower(), bearers=meant, given=base.needs))


@production("status.while", "lead", r"while (?:a|an enemy|the|that|an? \w+) (?:unit|model|target) is (?P<what>[a-z]+ed)", "Until the end of the turn, that enemy unit is pinned. While a unit is pinned, subtract 1 from hit rolls for it.")
def _while_status(match: re.Match[str], frame: Frame) -> Said | None:
    if frame.bearers is None or match["what"].lower() != frame.status:
        return None
    meant = frame.bearers
    moved = replace(frame, it=meant, foe=meant if meant.side == "foes" else frame.foe, roll=None)
    return _on(replace(moved, needs=frame.given) if frame.given else moved)


@production("status.empowered", "lead", r"while (?:it is |this (?:unit|model) is )?empowered", "You can spend 1 Pain token to Empower this unit. While Empowered, each time a model in this unit makes an attack, add 1 to the Hit roll.", family="wh40k")
def _empowered(match: re.Match[str], frame: Frame) -> Said | None:
    return _on(frame.chosen()) if frame.use else None


@production("while.leading", "lead", r"while leading an? (?P<what>.+?) ?unit", "While leading a Guard unit, it has the Stealth ability.", family="wh40k")
def _while_leading(match: re.Match[str], frame: Frame) -> Said | None:
    alts = condition(f"this model is leading a {match['what']} unit", frame)
    return None if alts is None else _on(frame.when(alts))


@production("status.affected", "lead", r"while (?:a|an?) (?:friendly )?(?:unit|model) is (?P<what>affected by (?:this ability|[A-Z][\w' ]+))", "While a model is affected by this ability, add 1 to Hit rolls made for it.")
def _affected(match: re.Match[str], frame: Frame) -> Said:
    return _on(replace(frame, it=Who("friends", one(f"if {match['what']}"))))


@production("use.limit", "lead", r"(?:(?:up to )?(?P<often>once|twice) per (?P<span>battle round|battle|turn|phase|round)(?: \(army\))?(?: for each [^,]+)?(?: per army)?|the first time)", "Once per battle, this unit can use it. If it does, it has a 4+ invulnerable save.", soft=True)
def _limit(match: re.Match[str], frame: Frame) -> Said | None:
    if (match["often"] or "").lower() == "twice":
        return None
    span = (match["span"] or "battle").lower().replace("battle round", "round")
    return _on(replace(frame, limit=f"once per {span}"))


@production("use.can", "lead", r"(?:you can|it can|they can|this (?:unit|model|manifestation) can|the bearer can|that (?:unit|model) can|your opponent must|you must)(?: choose to| decide to)?(?: use (?:this|the) (?:ability|enhancement|relic|effect|trait|[\w' ]+? ability)| activate (?:this|it)[^,.;:]*| do so| spend [^,.;:]+| declare [^,.;:]+)?", "Once per battle, you can use this ability. If you do, this unit has Ward (4+).", soft=True)
def _can(match: re.Match[str], frame: Frame) -> Said:
    return _on(frame.chosen())


@production("use.if-done", "lead", r"(?:if|when) (?:you|it|they|this (?:unit|model|manifestation)|the bearer|that (?:unit|model)) do(?:es)?(?: so)?|if this (?:ability|enhancement|effect) is used|when (?:it|that unit) is used", "You can spend 1 token. If you do, add 1 to hit rolls for this unit.")
def _done(match: re.Match[str], frame: Frame) -> Said:
    return _on(frame.chosen())


@production("use.selected", "lead", r"(?:each time|when|when(?:ever)?|if|after|in your shooting phase each time) <who> (?:is|are|has been|have been) (?:selected|chosen|picked) to (?P<to>shoot or fight|fight or shoot|shoot|fight|use a fight ability|use a shoot ability|make (?P<kind>ranged|melee) attacks)(?: (?:this|in (?:the|your)) (?:\w+ )?(?:phase|turn))?(?: or (?P<to2>fight|shoot))?", "Each time this unit is selected to fight, add 1 to wound rolls for it.", soft=True)
def _selected(match: re.Match[str], frame: Frame) -> Said | None:
    meant = who(match["who"], frame)
    if meant is None or meant.also:
        return None
    to = match["to"].lower()
    frame = replace(frame, it=meant)
    if "or" in to.split() or match["to2"]:
        return _on(frame)
    return _on(replace(frame, phase="melee" if "fight" in to or "melee" in to else "ranged"))


# ---- conditions


@production("unless", "lead", r"unless <words>", "Unless it is leading a unit, this model has the Lone Operative ability.")
def _unless(match: re.Match[str], frame: Frame) -> Said | None:
    alts = condition(match["words"], frame)
    if alts is None or len(alts) != 1 or len(alts[0]) != 1:
        return None
    held = alts[0][0]
    return _on(frame.when(((replace(held, no=not held.no),),)))


@production("if", "lead", r"(?:if|provided(?: that)?|while|as long as|when|where|unless) <words>", "If this unit charged this turn, it has Ward (5+).")
def _if(match: re.Match[str], frame: Frame) -> Said | None:
    if match[0].lower().startswith("unless"):
        return None
    text = match["words"]
    if lead := _leading(text, frame):
        return _on(lead)
    if (aura := _aura(text, frame)) is not None:
        return _on(aura)
    alts = condition(text, frame)
    return None if alts is None else _on(replace(frame.when(alts), last=alts))


_LEADING = re.compile(r"(?P<who>this model|the bearer|this unit|this psyker|your hero|it) is leading (?:a|an|any|its) (?P<what>.*?) ?unit(?P<tail>.*)", re.IGNORECASE)


def _leading(text: str, frame: Frame) -> Frame | None:
    """The frame of what happens while this model leads a unit: "that unit" is the unit it leads."""
    match = _LEADING.fullmatch(text.strip())
    if match is None:
        return None
    led = Who("led")
    if match["what"].strip():
        from mathhammer.rulestext import keywords

        has = keywords.any_of(match["what"], "friend")
        if has is None:
            return None
        led = led.that(has)
    if match["tail"].strip():
        alts = condition("that unit" + match["tail"].replace(" that ", " ", 1), replace(frame, it=led))
        if alts is None:
            return None
        led = led.that(alts)
    return replace(frame, it=led, led=True)


_AURA = re.compile(r'(?P<who>.+?) (?:is|are) (?P<tail>(?:wholly )?within \d+" of .+|in combat with .+|within Engagement Range of .+)', re.IGNORECASE)


def _aura(text: str, frame: Frame) -> Frame | None:
    """While friends or enemies are near: they are who "that unit" means from here on."""
    match = _AURA.fullmatch(text.strip())
    if match is None:
        return None
    from mathhammer.rulestext.who import tails

    meant = who(match["who"], frame)
    if meant is None or meant.side not in ("friends", "foes") or meant is frame.it:
        return None
    meant = tails(match["tail"], meant, frame)
    if meant is None:
        return None
    return replace(frame, it=meant, foe=meant if meant.side == "foes" else frame.foe)


# ---- attacks


_GOES_ON = re.compile(r" (?:that|which|with|against|and|or)\b", re.IGNORECASE)


@production("attack.makes", "lead", r"(?:each time|when(?:ever)?|if) <who> (?:makes?|resolves?|made) (?:an? |(?:its|their|any|one or more|those) )?(?P<kind>melee|ranged|psychic|combat|shooting)?\b ?attacks?(?: (?:made )?with <arms>)?(?: (?:that|which) (?:targets?|is allocated to|are allocated to) (?P<whom>[^;:]+?)| against (?P<whom2>[^;:]+?)| (?:this|that) phase)?(?: (?:while|if) (?P<cond>[^,;:]+?))?", "Each time a model in this unit makes a melee attack that targets a Monster unit, add 1 to the Wound roll.", soft=True)
def _makes(match: re.Match[str], frame: Frame) -> Said | None:
    by = who(match["who"], frame)
    if by is None or by.also or by.reach == "attacker":
        return None
    if by.side == "foes" and (match["whom"] or match["whom2"]) or _GOES_ON.match(match.string, match.end()):
        return None
    return _attacks(match, frame, by)


@production("attack.targets", "lead", r"each time <who> (?:targets|attacks) (?P<whom>[^;:]+?) with (?:an? )?(?P<kind>melee|ranged)? ?(?:attack|weapon)(?P<arms>)(?P<whom2>)(?P<cond>)", "Each time this unit targets an enemy unit with a melee attack, re-roll a Wound roll of 1.", soft=True)
def _targets(match: re.Match[str], frame: Frame) -> Said | None:
    by = who(match["who"], frame)
    return None if by is None or by.also else _attacks(match, frame, by)


@production("attack.made-by", "lead", r"each time an? (?P<kind>melee|ranged|psychic)? ?attack made by <who>(?: with <arms>)? (?:targets|is allocated to) (?P<whom>[^;:]+?)(?P<whom2>)(?P<cond>)", "Each time a melee attack made by this unit is allocated to a Vehicle model, add 1 to the Damage characteristic of that attack.", soft=True)
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
        moved = moved.when(one("weapon has Psychic") if kind == "psychic" else one(_KIND[kind]))
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
    return _on(moved)


_CLOSEST = re.compile(r"the closest (?:eligible |visible )?(?:enemy )?(?:target|unit)(?: [^,]{0,60})?", re.IGNORECASE)
_KINDS = re.compile(r"(?:an?|one or more|any)? ?(?P<what>(?:non-)?[A-Z].*?)(?: units?| models?)?(?: \((?:excluding|except) (?P<but>[^)]+)\))?$")
_OR_CLOSEST = re.compile(r"(?P<one>the closest (?:eligible )?target) or (?:an?|that) (?P<two>.+)", re.IGNORECASE)
_A_UNIT = re.compile(r"(?:an?|one or more|any) (?:(?:enemy )?(?:units?|models?|targets?))(?P<tail> .*|)$", re.IGNORECASE)


def aimed(text: str, frame: Frame) -> Frame | None:
    """The frame of attacks at this target."""
    text = text.strip()
    if match := _OR_CLOSEST.fullmatch(text):
        second = aimed("a " + match["two"], replace(frame, alts=ALWAYS))
        return None if second is None else frame.when((*one("closest_target"), *second.alts))
    if _CLOSEST.fullmatch(text):
        return frame.when(one("closest_target"))
    if frame.mark and frame.foe is not None and frame.mark in text.lower() and "," not in text:
        return frame.when(one(f"target_picked {frame.foe.reach}".strip()))
    if (match := re.fullmatch(r"your Oath of Moment target|the target of .{3,40}|(?:a|an) (?P<what>Afflicted|Spotted|stupefied|marked) (?:enemy )?unit", text, re.IGNORECASE)) is not None:
        if text.lower().startswith("your oath"):
            return frame.when(one("is Oath of Moment", "foe"))
        return frame.when(one(f"is {match['what']}", "foe")) if match["what"] else None
    if match := _A_UNIT.fullmatch(text):
        text = f"an enemy unit{match['tail']}"
    whom = who(text, frame)
    if whom is None and text.lower() in ("that unit", "it", "the target", "them"):
        whom = frame.foe
    if whom is not None and whom.side != "foes" and text.lower().startswith(("that", "the target", "it")):
        whom = frame.foe
    if whom is None and (match := _KINDS.fullmatch(text)):
        from mathhammer.rulestext.conditions import _kind

        alts = _kind(match, "foe")
        if alts is not None:
            return replace(frame.when(alts), foe=frame.foe or Who("foes", alts))
    if whom is None and " or " in text:
        for place in [found.start() for found in re.finditer(" or ", text)]:
            first, second = who(f"enemy {text[:place]}", frame), who(f"enemy {text[place + 4 :]}", frame)
            if first is not None and second is not None:
                return frame.when((*first.alts, *second.alts))
    if whom is None:
        whom = who(f"enemy {text}", frame)
    if whom is None or whom.side != "foes":
        return None
    alts = target_of(whom)
    if alts is None:
        return None
    alts = _as_target(alts)
    return replace(frame.when(alts), foe=whom)


def _as_target(alts: Alts) -> Alts:
    """Conditions of an enemy that is the target of an attack: near this unit is `target_within`."""
    return tuple(
        tuple(replace(cond, word="target_" + cond.word) if cond.word.startswith("within ") else cond for cond in way) for way in alts
    )


_WEAPON_NAME = re.compile(r"(?:(?:an?|its|their|the bearer's|this model's|this unit's|that|the) )(?P<name>(?:[\w'’-]+ ?){1,6}?)(?: weapons?)?(?: equipped by .+)?$", re.IGNORECASE)
_THAT_WEAPON = re.compile(r"(?:that|this|those) weapons?|it", re.IGNORECASE)


def with_arms(text: str, frame: Frame) -> Frame | None:
    """The frame of attacks with these weapons."""
    text = text.strip()
    alts = weapon_words(text)
    if alts is not None:
        return frame.when(alts)
    if _THAT_WEAPON.fullmatch(text):
        return frame if frame.weapon or frame.attack else None
    if text.lower() in ("a weapon", "weapons", "its weapons", "any weapon", "any of its weapons"):
        return frame
    if (match := _WEAPON_NAME.fullmatch(text)) is not None:
        from mathhammer.rulestext.arms import weapon_names

        named = weapon_names(match["name"])
        return None if named is None else replace(frame, weapon=named)
    return None


@production("attack.against", "lead", r"(?:each time|when(?:ever)?|if) (?:an?|one or more) (?P<kind>melee|ranged|psychic|combat|shooting)? ?attacks?(?: (?:made )?with (?P<stat>an? (?:Strength|Damage) characteristic of \d(?: or (?:less|more))?|an Armour Penetration characteristic of -?\d(?: or (?:-\d|less|worse))?))?(?: made by (?P<foe>an? enemy [^;:,]+?))? (?:targets?|is allocated to|is made (?:against|that targets)|would be allocated to|are allocated to) <who>(?: (?:while|if) (?P<cond>[^,;:]+?))?", "Each time a ranged attack targets this unit, subtract 1 from the Hit roll.", soft=True)
def _against(match: re.Match[str], frame: Frame) -> Said | None:
    meant = who(match["who"], frame)
    if meant is None or meant.also:
        return None
    moved = replace(frame, against=meant, attack=True, by=None)
    if meant.side != "foes":
        moved = replace(moved, it=meant if meant.side != "self" else frame.it)
    kind = (match["kind"] or "").lower()
    if kind:
        moved = moved.when(one("weapon has Psychic") if kind == "psychic" else one(_KIND[kind]))
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
    return _on(moved)


@production("attack.by-enemy", "lead", r"each time (?P<foe>(?:an?|that) enemy (?:unit|model)[^,;:]*?) (?:makes an? (?P<kind>melee|ranged)? ?attack that targets|targets) <who>(?: with an? (?P<kind2>melee|ranged)? ?attack)?", "Each time an enemy unit within 12\" of this unit makes an attack that targets this unit, subtract 1 from the Hit roll.", soft=True)
def _by_enemy(match: re.Match[str], frame: Frame) -> Said | None:
    meant, foe = who(match["who"], frame), who(match["foe"], frame)
    if meant is None or foe is None or meant.side == "foes":
        return None
    kind = match["kind"] or match["kind2"]
    moved = replace(frame, against=meant, attack=True, by=None, foe=foe).when(foe.alts)
    return _on(moved.when(one(kind.lower())) if kind else moved)


@production("attack.weapon", "lead", r"(?:each time|when) an attack is made with (?:such a|that|this|those) weapons?", "Select one melee weapon equipped by the bearer. Each time an attack is made with that weapon, add 1 to the Wound roll.", soft=True)
def _made_with(match: re.Match[str], frame: Frame) -> Said | None:
    chosen = any(cond.word == "if the chosen weapon" for way in frame.alts for cond in way)
    return _on(replace(frame, by=frame.it, attack=True)) if chosen or frame.weapon else None


@production("event.uses", "lead", r"(?:each time|when|if) <who> uses a (?P<what>fight|shoot|charge) ability(?: this (?:turn|phase))?(?:,? after (?:that|the) (?:\w+ )?ability has been resolved)?", "Each time this unit uses a Fight ability, after that Fight ability has been resolved, Heal (1) this unit.", family="sigmar")
def _uses_attack(match: re.Match[str], frame: Frame) -> Said | None:
    meant = who(match["who"], frame)
    if meant is None or meant.also or meant.side == "foes":
        return None
    what = match["what"].lower()
    if what == "charge":
        return _on(replace(frame.when(one("charged", meant.of)), it=meant))
    return _on(replace(frame, it=meant, phase="melee" if what == "fight" else "ranged"))


@production("event.own-move", "lead", r"(?:each time|after|when) <who> (?:ends|makes|has made) an? (?:normal|advance|fall back)(?:(?:, | or |, or )(?:normal|advance|fall back|charge))* move", "Each time this unit ends a Normal move, you can select one enemy unit that it moved over during that move. That unit suffers D3 mortal wounds.", family="wh40k")
def _own_move(match: re.Match[str], frame: Frame) -> Said | None:
    meant = who(match["who"], frame)
    if meant is None or meant.side != "self":
        return None
    rest = match.string[match.end() :].lower()
    if "moved over" in rest or "moved across" in rest or "moved through" in rest:
        return _on(frame)
    return _on(frame.when(one("moved", "self")))


@production("event.save-roll", "lead", r"(?:each time you make|for each) an? ?unmodified save roll of (?P<n>\d) for (?:an? )?<arms>", "Each time you make an unmodified save roll of 6 for a combat attack that targets this unit, inflict 1 mortal damage on the attacking unit.", family="sigmar")
def _save_roll(match: re.Match[str], frame: Frame) -> Said | None:
    from mathhammer.rulestext.arms import arms

    armed = arms(match["arms"], frame)
    if armed is None or armed[0].against is None:
        return None
    return _on(armed[0].when(one(f"save_roll {match['n']}")))


@production("time.first", "lead", r"after the first is used(?:, however)?", "This unit can use 2 Fight abilities this phase. After the first is used, this unit has Strike-last for the rest of the turn.", family="sigmar")
def _first(match: re.Match[str], frame: Frame) -> Said:
    return _on(frame.when(one("if the first Fight ability was used")))


@production("companion.too", "lead", r"this (?:ability )?also affects Companion weapons", "Add 1 to the Rend characteristic of this unit's melee weapons. This ability also affects Companion weapons.", family="sigmar")
def _companion_too(match: re.Match[str], frame: Frame) -> Said:
    return _on(frame)


@production("options", "lead", r"(?:you can )?(?:select|choose|pick) (?:either|one|1)(?: of the following)?(?: weapon)?(?: abilities)?(?: for [^;:]*?)?:? (?:the )?(?P<names>\[[^.]+?\](?:(?:;|,|,? or|,? and)? (?:the )?\[[^.]+?\])*)(?: abilit(?:y|ies))?", "Each time this unit is selected to fight, select one of the following abilities: [LETHAL HITS]; [LANCE]. Until the end of the phase, melee weapons equipped by models in this unit have that ability.", soft=True)
def _options(match: re.Match[str], frame: Frame) -> Said:
    names = tuple(name.strip() for name in re.findall(r"\[([^\]]+)\]", match["names"]))
    return _on(replace(frame.chosen(), options=names))


# ---- choosing somebody


@production("pick.again", "lead", r"each time [^,;:]* is destroyed, (?:you can )?(?:select|pick|choose) (?:one|a|another) new [^;:]*", "Each time this unit's prey is destroyed, select one new enemy unit to be its prey.")
def _pick_again(match: re.Match[str], frame: Frame) -> Said:
    return _on(frame)


@production("use.command", "lead", r"(?:if|each time|when) <who> uses the '(?P<name>[^,;:]+?)' (?:command|ability)", "If this unit uses the 'Rally' command, you receive 2 additional rally points.", family="sigmar")
def _uses(match: re.Match[str], frame: Frame) -> Said | None:
    meant = who(match["who"], frame)
    if meant is None or meant.also or meant.side == "foes":
        return None
    return _on(replace(frame.when(one(f"used {match['name']}", meant.of)), it=meant))


@production("use.picked", "lead", r"if (?:it|they|that unit) (?:is|are) picked to do so", "If it is picked to do so, add 1 to the Attacks characteristic of its melee weapons.", family="sigmar")
def _picked_so(match: re.Match[str], frame: Frame) -> Said:
    return _on(frame)


@production("event.crit", "lead", r"(?:each time|if|for each) <arms> scores? (?:an?|one or more|any) critical (?P<what>hits?|wounds?)(?: (?:against|on) [^,;:]+)?", "Each time this unit's attack scores a critical hit, inflict 1 mortal damage on the target in addition to any normal damage.")
def _crits(match: re.Match[str], frame: Frame) -> Said | None:
    from mathhammer.rulestext.arms import arms

    armed = arms(re.sub(r"^(?:an?|one of) ", "", match["arms"]), frame)
    if armed is None or armed[0].by is None:
        return None
    return _on(replace(armed[0], crit="mortal_on_crit" if match["what"].lower().startswith("hit") else "mortal_on_crit_wound"))


@production("per.slain", "lead", r"for each (?:enemy )?model slain by this (?:ability|spell|prayer)", "For each model slain by this ability, Heal (1) this unit.", family="sigmar")
def _per_slain(match: re.Match[str], frame: Frame) -> Said:
    return _on(replace(frame, per="slain"))


@production("pick", "lead", r"(?:then,? )?(?:you (?:can|must|may) |this (?:model|unit|psyker) can |the bearer can )?(?:select|pick|choose) (?:up to )?(?P<whom>(?:one|an?|another|1|2|3|two|three|each|all|this|any number of|one or more|every|that|visible|friendly|enemy|\d)\b[^;:.]*?)(?:,? to be (?:(?:the|its|a|their|this (?:model|unit)'s|your)(?: second)? )?(?P<mark>targets?|[\w' ]+?))?", "Select one enemy unit within 12\" of this unit. Until the end of the turn, subtract 1 from hit rolls for attacks made by that unit.", soft=True)
def _pick(match: re.Match[str], frame: Frame) -> Said | None:
    return _picked(match, frame, lenient=False)


def _picked(match: re.Match[str], frame: Frame, lenient: bool) -> Said | None:
    picked = picking(match["whom"], frame, lenient)
    if picked is None:
        return None
    mark = (match["mark"] or "").lower()
    return _on(replace(picked, mark="" if mark.startswith("target") else mark))


_ROSTER = re.compile(r"(?:one|a) (?:of|objective|point|terrain|area|weapon|ranged weapon|melee weapon|battlefield).*", re.IGNORECASE)
_YOURS = re.compile(r"(?P<head>(?:one|an?|up to \w+) )(?:unit|model) from your opponent's army(?P<tail>.*)", re.IGNORECASE)
_ENEMY_OR = re.compile(r"(?:one|an?|each) unit(?P<tail> .+)?", re.IGNORECASE)


def picking(text: str, frame: Frame, lenient: bool = True) -> Frame | None:
    """The frame after somebody was picked; `lenient`: a relative clause that is not understood is a switch."""
    text = text.strip()
    text = re.sub(r"^(one|an?|each) unit(?= (?:\([^)]*\) )?(?:that was )?hit by)", r"\1 enemy unit", text, flags=re.IGNORECASE)
    if match := _YOURS.fullmatch(text):
        text = f"{match['head']}enemy unit{match['tail']}"
    if match := re.fullmatch(r"(?:one|a) of (?:those|them|the enemy) ?(?:units|enemy units)?.*", text, re.IGNORECASE):
        return frame.chosen() if frame.foe else None
    if match := _PICKED_WEAPON.fullmatch(text):
        chosen = frame.chosen().when(one("if the chosen weapon"))
        return chosen.when(one(match["kind"].lower())) if match["kind"] else chosen
    meant = who(text, frame, lenient)
    if meant is None:
        return None
    chosen = frame.chosen()
    if meant.side == "foes":
        reach = next((cond.word.removeprefix("within ") for way in meant.alts for cond in way if cond.word.startswith("within ")), "")
        meant = replace(meant, picked=True, reach=reach)
        return replace(chosen, it=meant, foe=meant)
    return replace(chosen, it=meant)


_PICKED_WEAPON = re.compile(r"(?:one|1|a) (?:of (?:this unit's|its|the bearer's|your hero's) (?:non-Companion )?)?(?P<kind>melee|ranged)? ?weapons?(?: (?:equipped by|used by) (?:the bearer|this model|this unit))?(?: \([^)]*\))?(?: and .*)?", re.IGNORECASE)


# ---- dice of the ability itself


@production("roll.adding", "lead", r"(?:you can |then,? )?roll a dice,? (?:and )?add(?:ing)? (?P<clause>\d to the (?:result|roll|dice roll) if [^;:.]+?)", "Roll a dice, adding 1 to the result if this unit charged this turn. On a 4+, that enemy unit suffers D3 mortal wounds.")
def _roll_adding(match: re.Match[str], frame: Frame) -> Said | None:
    chosen = frame.chosen() if match[0].lower().startswith("you can") else frame
    return _added(match["clause"], replace(chosen, roll=Roll(number=frame.rolls + 1), on="", rolls=frame.rolls + 1))


@production("roll", "lead", r"(?:you can |you must |then,? |that player )?roll(?:s|ing)? (?:a(?: single)? dice|(?P<kind>D3|2D6|a D3|a D6|one D3|one D6|one 2D6)|(?P<n>\d{1,2}|two|three|four|five|six|D3|D6|2D6|three D6|six D6|\w+ D6) ?(?:dice|D6)?)(?P<each> for (?:each|every) <words>)?", "Roll a dice. On a 3+, inflict D3 mortal damage on the target.", soft=True)
def _roll(match: re.Match[str], frame: Frame) -> Said | None:
    if re.match(r"\s*instead\b", match.string[match.end() :], re.IGNORECASE):
        return None
    chosen = frame.chosen() if match[0].lower().startswith("you can") else frame
    kind = (match["kind"] or "").upper().removeprefix("A ").removeprefix("ONE ").replace("D6", "", 1) if match["kind"] and not match["kind"].upper().endswith("2D6") else ("2D6" if match["kind"] else "")
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
    return _on(rolled)


_ADDED = re.compile(r"(?P<n>\d) (?:to the (?:result|roll|dice roll))? ?(?:if|for each|while) (?P<cond>.+)", re.IGNORECASE)


def _added(text: str, frame: Frame) -> Said | None:
    """"Adding 1 to the result if ...": a modifier of the roll that was just told."""
    from mathhammer.rulestext.productions import effect

    match = _ADDED.fullmatch(text.strip())
    if match is None:
        return None
    alts = condition(match["cond"], frame)
    if alts is None:
        alts = switch(match["cond"])
    if alts is None:
        return None
    foes = any(cond.of == "foe" for way in alts for cond in way)
    scope = "unit" if not foes else "attacker" if frame.foe is not None and frame.foe.reach == "attacker" else "enemies"
    bare = Frame(alts=alts)
    return Said(tuple(effect(bare, scope, {"own_roll": f"+{match['n']}"})), frame)


_COUNTED = re.compile(r"(?:the )?(?:number of )?(?P<what>models in (?P<who>.+)|damage points (?P<who2>.+?) has|damage points allocated to (?P<who3>.+))", re.IGNORECASE)


@production("roll.number", "lead", r"(?:you can |then,? )?(?:roll a number of dice|make a number of (?P<kind>D3|D6) rolls) equal to (?:the )?<words>", "Roll a number of dice equal to the number of models in the target unit. For each 5+, inflict 1 mortal damage on the target.")
def _roll_number(match: re.Match[str], frame: Frame) -> Said | None:
    counted = _COUNTED.fullmatch(match["words"].strip())
    if counted is None:
        words = match["words"].strip()
        words, _, most = words.partition(", to a maximum of ")
        words = f"{words} limit {most}" if most else words
        words = "round" if words.lower() == "current battle round number" else words
        roll = Roll(f"1 per {words}", kind="D3" if (match["kind"] or "").upper() == "D3" else "", number=frame.rolls + 1)
        return _on(replace(frame, roll=roll, on="", rolls=frame.rolls + 1))
    meant = who(counted["who"] or counted["who2"] or counted["who3"], frame)
    if meant is None:
        return None
    foes = meant.side == "foes"
    if counted["who"]:
        dice = "target models" if foes else "models"
    else:
        dice = "1 per target lost" if foes else "1 per lost"
    return _on(replace(frame, roll=Roll(dice, number=frame.rolls + 1), on="", rolls=frame.rolls + 1))


_ITS_MODELS = re.compile(r"(?:other )?model(?:s)?(?: in| from)? (?P<who>this unit|this model's unit|the bearer's unit|that unit|the target unit|the target|it|that enemy unit|your unit|this unit's)(?P<tail> .*)?", re.IGNORECASE)
_MODELS_OF = re.compile(r"(?:of (?:its|their) models|model)(?P<tail> that is within Engagement Range of .+| within Engagement Range of .+| in this unit .*)?", re.IGNORECASE)


def _dice_for(text: str, count: str, frame: Frame) -> tuple[Roll, Frame] | None:
    """How many dice "for each ..." means: by models, or one for each of several units."""
    text = text.strip()
    if match := _ITS_MODELS.fullmatch(text):
        meant = who(match["who"], frame)
        if meant is None:
            return None
        moved = frame
        if tail := (match["tail"] or "").strip():
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


@production("roll.band", "lead", r"(?:and )?(?:on|if the (?:roll|result) (?:is|was)|if you roll) (?:an? |an unmodified )?(?:roll of |result of )?(?:an? )?<band>(?: or more)?", "Roll a dice. On a 4+, this unit has Ward (4+).", soft=True)
def _band(match: re.Match[str], frame: Frame) -> Said | None:
    if frame.roll is None:
        return None
    return _on(replace(frame, on=amounts.band(match["band"])))


@production("roll.each", "lead", r"(?:and )?for (?:each|every) (?:dice |roll )?(?:that (?:is|was) |result of |roll of |roll that is |dice that rolls )?(?:an? |unmodified )?<band>(?: rolled)?", "Roll 6 dice. For each 4+, inflict 1 mortal damage on the target.")
def _each(match: re.Match[str], frame: Frame) -> Said | None:
    return None if frame.roll is None else _on(replace(frame, on=amounts.band(match["band"])))


_LIMITS = {"save": "save", "health": "health", "control": "control", "wounds": "health", "toughness": "toughness"}


@production("roll.beats", "lead", r"(?:if|for each|each time|on|for every) (?:the|a|that|roll|dice roll)?(?: ?(?:roll|result|dice))?(?: that)? ?(?P<how>exceeds|equals or exceeds|is (?:equal to or greater|greater|higher|less|lower|equal to or higher) than|is equal to or greater than|is (?:equal to or less|less) than|equals or is less than) (?:or equal to )?(?P<whose>the target's|that (?:enemy )?(?:unit|hero|monster|model)'s|its|their|the target unit's|the (?:Save|Health|Control) characteristic of (?:the target|that unit|that enemy unit)) ?(?P<stat>Save|Health|Control|Wounds|Toughness)?(?: characteristic)?|if the (?:roll|result) (?P<how2>equals or exceeds|exceeds|is equal to or greater than) the banishment value of (?:the|that) target", "Roll a dice. If the roll exceeds the target's Save characteristic, inflict D3 mortal damage on the target.")
def _beats(match: re.Match[str], frame: Frame) -> Said | None:
    if frame.roll is None:
        return None
    if match["how2"]:
        return _on(replace(frame, on=">= banishment" if "equal" in match["how2"].lower() else "> banishment"))
    how = match["how"].lower()
    low = "less" in how or "lower" in how
    sign = ("<" if low else ">") + ("=" if "equal" in how else "")
    stat = match["stat"] or match["whose"].split(" ")[1]
    if stat.lower() not in _LIMITS:
        return None
    return _on(replace(frame, on=f"{sign} {_LIMITS[stat.lower()]}"))


@production("test.result", "lead", r"if (?:that|the|it|this) ?(?:battle-shock|leadership)? ?(?:test )?(?:is |was )?(?P<how>failed|passed|fails|passes)(?: (?:that|the|this) (?:\w+ )?test)?", "That unit must take a Battle-shock test. If that test is failed, it suffers D3 mortal wounds.")
def _tested(match: re.Match[str], frame: Frame) -> Said:
    return _on(frame.when(one("passed test" if match["how"].lower().startswith("pass") else "failed test")))


# ---- events


@production("event.charge", "lead", r"(?:each time|when(?:ever)?|after|if|just after) <who> (?:ends?|makes?|has (?:made|ended)|finishes|completes) a charge move(?: this turn)?", "Each time this unit ends a Charge move, select one enemy unit within Engagement Range of it. That unit suffers D3 mortal wounds.")
def _after_charge(match: re.Match[str], frame: Frame) -> Said | None:
    meant = who(match["who"], frame)
    if meant is None or meant.also:
        return None
    return _on(replace(frame.when(one("charged", meant.of)), it=meant))


@production("event.set-up", "lead", r"(?:each time|when(?:ever)?|after|if|the first time) <who> (?:is|are) set up(?: on the battlefield)?(?: (?:from|as) [^,;:]+?| using the (?P<by>[A-Z][\w' ]+?) ability)?(?: this turn)?", "Each time this unit is set up on the battlefield, you can re-roll charge rolls made for it.")
def _after_setup(match: re.Match[str], frame: Frame) -> Said | None:
    meant = who(match["who"], frame)
    if meant is None or meant.also:
        return None
    word = f"used {match['by']}" if match["by"] else "set_up"
    return _on(replace(frame.when(one(word, meant.of)), it=meant))


@production("event.pact", "lead", r"(?:each time|when(?:ever)?|if|after) <who> makes? a Dark Pact", "Each time this unit makes a Dark Pact, add 1 to Hit rolls made for it.")
def _pact(match: re.Match[str], frame: Frame) -> Said | None:
    meant = who(match["who"], frame)
    return None if meant is None else _on(replace(frame.when(one("used Dark Pact", meant.of)), it=meant))


@production("event.shot", "lead", r"(?:each time|just after|after|when) <who> (?:has |have )?(?P<how>shot|fought|finished (?:making its attacks|resolving its attacks|shooting|fighting))(?: this phase)?(?: or (?:fought|shot))?", "After this unit has shot, select one enemy unit hit by one or more of those attacks. That unit suffers 1 mortal wound.")
def _shot(match: re.Match[str], frame: Frame) -> Said | None:
    meant = who(match["who"], frame)
    return None if meant is None or meant.side != "self" else _on(frame)


@production("event.after-attacks", "lead", r"(?:after resolving (?:its|those|that unit's) attacks|after (?:it|this (?:unit|model)|that unit) has (?:resolved|finished) (?:its|those|making its) attacks|after (?:those|its) attacks (?:have been|are) resolved|after the (?:fight|shoot|attack) ability has been resolved|after (?:that|the attacking) unit has finished making its attacks)", "Each time this unit is selected to fight, after resolving its attacks, it suffers 1 mortal wound.", soft=True)
def _after_attacks(match: re.Match[str], frame: Frame) -> Said:
    return _on(frame)


@production("event.move-enemy", "lead", r"each time (?P<foe>an enemy unit[^,;:]*?|that enemy unit|that unit|the target) (?:ends|makes|uses|starts or ends|starts) (?:an? |any type of )?(?:(?:normal|advance|fall back|charge)(?:, | or |, or )?)* ?(?:move|moves|move abilities)(?: within (?P<n>\d+)\" of (?P<who>[^,;:]+?))?", "Each time an enemy unit ends a Normal move within 6\" of this unit, it suffers 1 mortal wound.")
def _enemy_moves(match: re.Match[str], frame: Frame) -> Said | None:
    foe = who(match["foe"], frame)
    if foe is None or foe.side != "foes":
        return None
    word = "target_retreated" if "fall back" in match[0].lower() and "normal" not in match[0].lower() else "target_moved"
    moved = frame.when(one(word))
    if match["n"]:
        near = who(match["who"], frame)
        if near is None or near.side != "self":
            return None
        foe = foe.that(one(f"within {match['n']}"))
    return _on(replace(moved, it=foe, foe=foe))


@production("event.falls-back", "lead", r"(?:each time|when(?:ever)?) (?P<foe>an enemy unit[^,;:]*?) (?:falls back|is (?:selected|chosen) to fall back|is selected to make a fall back move)", "Each time an enemy unit within Engagement Range of this unit falls back, it suffers D3 mortal wounds.")
def _falls_back(match: re.Match[str], frame: Frame) -> Said | None:
    foe = who(match["foe"], frame)
    if foe is None:
        return None
    return _on(replace(frame.when(one("target_retreated")), it=foe, foe=foe))


@production("event.destroyed", "lead", r"(?:each time|when|if|the first time) <who> (?:is|are|would be) destroyed(?: by an? (?P<kind>melee|ranged)? ?attack)?(?:,? before removing (?:it|them) from play| and before it is removed)?", "When this unit is destroyed, roll a dice: on a 4+, each enemy unit within 6\" suffers D3 mortal wounds.")
def _destroyed(match: re.Match[str], frame: Frame) -> Said | None:
    meant = who(match["who"], frame)
    if meant is None or meant.also or meant.side == "foes":
        return None
    single = match["who"].lower().startswith(("a model in", "one or more models", "each model", "a friendly"))
    moved = frame.when(one("model_slain" if single and "model" in match["who"].lower() else "destroyed", meant.of))
    if match["kind"]:
        moved = moved.when(one(match["kind"].lower()))
    return _on(replace(moved, it=meant, against=meant, foe=Who("foes", reach="attacker")))


@production("event.slain", "lead", r"each time (?:a |any )?models? in <who> (?:is|are) slain by an? (?P<kind>combat|shooting)? ?attack(?P<close>(?: and|,) (?:that|the slain) model was in combat with the attacking unit)?(?:,? roll a dice)?", "Each time a model in this unit is slain by a combat attack and that model was in combat with the attacking unit, roll a dice. On a 5+, inflict 1 mortal damage on the attacking unit.", family="sigmar")
def _slain(match: re.Match[str], frame: Frame) -> Said | None:
    meant = who(match["who"], frame)
    if meant is None or meant.also or meant.side == "foes":
        return None
    moved = frame.when(one("model_slain", meant.of))
    if match["kind"]:
        moved = moved.when(one(_KIND[match["kind"].lower()]))
    if match["close"]:
        moved = moved.when(one("in_combat", meant.of))
    moved = replace(moved, it=meant, against=meant, foe=Who("foes", reach="attacker"))
    if match[0].lower().endswith("roll a dice"):
        moved = replace(moved, roll=Roll(number=frame.rolls + 1), on="", rolls=frame.rolls + 1)
    return _on(moved)


@production("event.hit-roll", "lead", r"(?:for each unmodified hit roll of (?P<n>\d) for <arms>|each time (?:an|the) unmodified hit roll for <arms2> is (?:a )?(?P<n2>\d))", "For each unmodified hit roll of 1 for a combat attack that targets this unit, inflict 1 mortal damage on the attacking unit.")
def _hit_roll(match: re.Match[str], frame: Frame) -> Said | None:
    from mathhammer.rulestext.arms import arms

    armed = arms(re.sub(r"^an? ", "", match["arms"] or match["arms2"]), frame)
    if armed is None or armed[0].against is None:
        return None
    return _on(armed[0].when(one(f"hit_roll {match['n'] or match['n2']}")))


@production("event.charges", "lead", r"(?:each time|when|if) <who> charges", "Each time this unit charges, add 1 to the Attacks characteristic of its melee weapons.", family="sigmar")
def _charges(match: re.Match[str], frame: Frame) -> Said | None:
    meant = who(match["who"], frame)
    if meant is None or meant.also or meant.side == "foes":
        return None
    return _on(replace(frame.when(one("charged", meant.of)), it=meant))


@production("event.damaged", "lead", r"(?:if|each time) any damage points (?:are|were) allocated to (?P<foe>an enemy [^,;:]*?) by (?:attacks made with <arms>|this unit's (?P<kind>combat|shooting)? ?attacks)(?: this (?:turn|phase))?", "If any damage points are allocated to an enemy unit by attacks made with this unit's Nets, subtract 1 from hit rolls for that enemy unit's attacks.", family="sigmar")
def _hurt(match: re.Match[str], frame: Frame) -> Said | None:
    from mathhammer.rulestext.arms import arms

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
    return _on(replace(moved, it=foe, foe=foe))


@production("event.wounded", "lead", r"(?:just )?(?:after|when) (?:a mortal wound is|an attack is|one or more (?:attacks|mortal wounds) are) allocated to <who>", "Once per battle, just after a mortal wound is allocated to a model in this unit, it can use this ability. If it does, it has a 4+ invulnerable save.", family="wh40k")
def _wounded(match: re.Match[str], frame: Frame) -> Said | None:
    if "mortal" not in match[0].lower():
        return None
    return _on(frame)


@production("pick.lenient", "lead", r"(?:then,? )?(?:you (?:can|must|may) |this (?:model|unit|psyker) can |the bearer can )?(?:select|pick|choose) (?:up to )?(?P<whom>(?:one|an?|another|1|2|3|two|three|each|all|any number of|one or more|every|visible|friendly|enemy|\d)\b[^;:.,]*? that [^;:.,]*?)(?:,? to be (?:(?:the|its|a|their|this (?:model|unit)'s|your)(?: second)? )?(?P<mark>targets?|[\w' ]+?))?", "Select one enemy unit that nobody likes. Until the end of the turn, that enemy unit has Strike-last.", soft=True)
def _pick_lenient(match: re.Match[str], frame: Frame) -> Said | None:
    return _picked(match, frame, lenient=True)


@production("otherwise", "lead", r"otherwise", "If this unit charged this turn, roll 6 dice. Otherwise, roll 3 dice. For each 4+, this unit suffers 1 mortal wound.")
def _otherwise(match: re.Match[str], frame: Frame) -> Said | None:
    if frame.last is None or any(len(way) != 1 for way in frame.last):
        return None
    never = tuple(replace(way[0], no=not way[0].no) for way in frame.last)
    kept = tuple(tuple(c for c in way if c not in [w[0] for w in frame.last]) for way in frame.alts)
    return _on(replace(frame, alts=both(tuple(dict.fromkeys(kept)), (never,)), last=None))


@production("if.switch", "lead", r"(?:if|provided(?: that)?|while|as long as) <words>", "If the moon is full, this unit has Ward (5+).")
def _if_switch(match: re.Match[str], frame: Frame) -> Said | None:
    alts = switch(match["words"])
    return None if alts is None else _on(replace(frame.when(alts), last=alts))


def carry(alts: Alts) -> Frame:
    """A frame that only has conditions."""
    return replace(Frame(), alts=both(alts, ALWAYS), it=SELF)


__all__ = ["predicate", "under", "with_arms"]
