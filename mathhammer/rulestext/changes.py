"""What changes in attacks: modifiers of rolls, re-rolls, criticals, characteristics."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from mathhammer.rulestext import amounts
from mathhammer.rulestext.amounts import ROLLS, STATS, WEAPON_STATS, signed
from mathhammer.rulestext.arms import arms, whose
from mathhammer.rulestext.frame import Frame, Who, one
from mathhammer.rulestext.placing import after_roll, attacks, said, theirs
from mathhammer.rulestext.productions import Said, production
from mathhammer.rulestext.who import who

OF_ATTACKS = ("hit", "wound")
_SIGN = {"add": 1, "subtract": -1, "improve": 1, "worsen": -1, "increase": 1, "reduce": -1, "added": 1, "subtracted": -1}
_ROLL_NAMES = re.compile(r"\b(?:rolls?|tests?|the|each|any|that|made|taken|of its)\b", re.IGNORECASE)


def _roll_names(text: str) -> tuple[str, ...] | None:
    found = amounts.names(re.sub(r" +", " ", _ROLL_NAMES.sub("", text)).strip(), ROLLS)
    return None if found is None else tuple(dict.fromkeys(found))


def _spread(frame: Frame, rolls: tuple[str, ...], meant: Who | None, make: Any) -> Said | None:
    """Changes of several rolls: those of attacks follow the attacks, the others are the unit's."""
    base = after_roll(frame)
    if base is None:
        return None
    found = []
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


@production("roll.modifier", "change", r"(?P<verb>add|subtract) <n> (?:to|from) (?:the |that |any |each |its |their )?<rolls> ?(?:rolls?|tests?|it)(?: and (?:the |any )?<rolls2> (?:rolls?|tests?))?(?: (?:made|taken|rolled))?(?: (?:for|by) <arms>)?(?: (?:this|that) phase)?", "Add 1 to hit rolls for this unit.")
def _modifier(match: re.Match[str], frame: Frame) -> Said | None:
    rolls = _roll_names(match["rolls"] + (f" and {match['rolls2']}" if match["rolls2"] else ""))
    value = amounts.number(match["n"])
    if rolls is None or value is None or "damage" in rolls:
        return None
    placed = _for(match["arms"], frame, rolls)
    if placed is None:
        return None
    change = signed(value * _SIGN[match["verb"].lower()])
    return _spread(placed[0], rolls, placed[1], lambda name: {f"{name}_roll": change})


@production("reroll.that-test", "change", r"(?:you can )?re-roll (?:that|the) test", "Each time you take a Battle-shock test for this unit, you can re-roll that test.", family="wh40k")
def _reroll_test(match: re.Match[str], frame: Frame) -> Said | None:
    return None if frame.test is None else said(theirs(frame, frame.test, {"reroll_battleshock": "any"}, timed=False))


@production("roll.that-test", "change", r"(?P<verb>add|subtract) <n> (?:to|from) (?:that|the|this) (?:test|result)(?: result)?", "While this model is leading a unit, each time you take a Battle-shock test for that unit, add 1 to that test.")
def _that_test(match: re.Match[str], frame: Frame) -> Said | None:
    value = amounts.number(match["n"])
    if value is None or frame.test is None:
        return None
    return said(theirs(frame, frame.test, {"battleshock_roll": signed(value * _SIGN[match["verb"].lower()])}, timed=False))


@production("reroll", "change", r"(?:you (?:can|may|must) |your opponent (?:can|must) )?re-roll (?:the |a |any |all |each |that |one |one of the |its )?<rolls> ?(?:rolls?|tests?|saves)?(?: and (?:you can |re-roll )*(?:the |a )?<rolls2> (?:rolls?|tests?))?(?P<ones> of 1)?(?: (?:made|taken))?(?: (?:for|by) <arms>)?(?P<one> per (?:phase|turn))?", "You can re-roll charge rolls made for this unit.")
def _reroll(match: re.Match[str], frame: Frame) -> Said | None:
    names = match["rolls"] + (f" and {match['rolls2']}" if match["rolls2"] else "")
    rolls = _roll_names(names)
    low = match[0].lower()
    if rolls is None or match["one"] or "must" in low.split("re-roll")[0] and "opponent" in low:
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


@production("reroll.ones-both", "change", r"re-roll (?:a |any )?(?P<a>Hit|Wound|Damage) rolls? of 1 and (?:re-roll )?(?:a |any )?(?P<b>Wound|Damage|Hit) rolls? of 1", "Each time this unit makes an attack, re-roll a Hit roll of 1 and re-roll a Wound roll of 1.")
def _ones_both(match: re.Match[str], frame: Frame) -> Said | None:
    return _spread(frame, (ROLLS[match["a"].lower()], ROLLS[match["b"].lower()]), None, lambda name: {f"reroll_{name}": "ones"})


@production("reroll.one-of-each", "change", r"(?:you can )?re-roll one (?P<names>(?:(?:Hit|Wound|Damage|save) rolls?(?:, |,? (?:and/or|and|or) )?(?:one )?)+)(?: made for <arms>)?(?: when resolving (?:those|its|that unit's) attacks)?", "Each time this unit is selected to shoot, you can re-roll one Hit roll and one Wound roll.")
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


@production("no-reroll", "change", r"(?:you )?cannot re-roll (?:the )?<rolls>(?: rolls?| saves)?(?: (?:made|taken) for <arms>)?", "You cannot re-roll invulnerable saves made for this unit.")
def _no_reroll(match: re.Match[str], frame: Frame) -> Said | None:
    text = match["rolls"].lower().removesuffix("s").removesuffix(" save") if "invuln" in match["rolls"].lower() else match["rolls"]
    rolls = ("invuln",) if "invuln" in text.lower() else _roll_names(text)
    if rolls is None:
        return None
    meant = whose(match["arms"], frame) if match["arms"] else frame.it
    return None if meant is None else said(theirs(frame, meant, {"no_reroll": list(rolls)}))


@production("crit", "change", r"(?:an? |that attack scores |any )?(?:successful )?(?:unmodified )?(?P<roll>hit|wound) rolls? of (?P<n>[2-6])\+? ?(?:\+|or more|or better)?(?: (?:made )?for <arms>)? (?:always )?(?:scores?|is|are|counts? as) (?:an? |always )?(?:critical (?:hits?|wounds?))", "Each time this unit makes an attack, an unmodified Hit roll of 5+ scores a Critical Hit.")
def _crit(match: re.Match[str], frame: Frame) -> Said | None:
    return _critical(match, frame, match["roll"].lower())


@production("crit.is-scored", "change", r"(?:an? |that attack scores an? )?critical (?P<roll>hit|wound)s? (?:is|are)? ?(?:scored )?on (?:an? )?(?:successful )?(?:unmodified )?(?:successful )?(?:hit |wound )?rolls? of (?P<n>[2-6])\+?(?P<arms>)", "Each time this unit makes an attack, a Critical Hit is scored on an unmodified Hit roll of 5+.")
def _crit_scored(match: re.Match[str], frame: Frame) -> Said | None:
    return _critical(match, frame, match["roll"].lower())


@production("crit.score", "change", r"<arms> scores? (?:an? )?critical hits?(?: on)? (?:on )?(?:an? )?(?:unmodified )?(?:hit )?rolls? of (?P<n>[2-6])(?:\+| or more)(?P<roll>)", "This unit's attacks score critical hits on unmodified hit rolls of 5+.")
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


@production("no-crit", "change", r"<arms> (?:do not|cannot|never) score critical hits|critical hits cannot be scored (?:by|for) <arms2>", "Attacks that target this unit cannot score critical hits.")
def _no_crit(match: re.Match[str], frame: Frame) -> Said | None:
    armed = arms(match["arms"] or match["arms2"], frame)
    return None if armed is None else said(attacks(armed[0], {"no_crit": True}))


@production("fails", "change", r"(?:an? |that attack's )?unmodified (?P<roll>hit|wound) rolls? of 1-(?P<n>[2-5]) (?:always )?fails?(?:[^,;:]*)", "Each time an attack targets this unit, an unmodified Wound roll of 1-3 fails.")
def _fails(match: re.Match[str], frame: Frame) -> Said | None:
    return said(attacks(frame, {f"{match['roll'].lower()}_fails_up_to": int(match["n"])}))


@production("fails.aos", "change", r"if the unmodified (?P<roll>hit|wound) roll for <arms> is (?:a )?1-(?P<n>[2-5])(?: and <clause>)?, (?:the|that) attack fails and the attack sequence ends", "If the unmodified wound roll for an attack that targets this unit is 1-3, the attack fails and the attack sequence ends.")
def _fails_aos(match: re.Match[str], frame: Frame) -> Said | None:
    armed = arms(re.sub(r"^an? ", "", match["arms"]), frame)
    if armed is None:
        return None
    base = armed[0]
    if match["clause"]:
        from mathhammer.rulestext.leads import under

        held = under(match["clause"], replace(base, attack=True), switches=False)
        if held is None:
            return None
        base = held
    return said(attacks(base, {f"{match['roll'].lower()}_fails_up_to": int(match["n"])}))


# ---- characteristics


def value_of(verb: str, stat: str, text: str) -> str | None:
    """A change of a characteristic as numbers are written: improving a save or AP lowers the number."""
    plain = amounts.dice(text)
    sign = _SIGN[verb.lower()]
    if verb.lower() in ("improve", "worsen", "improved", "worsened") and stat in amounts.LOW_IS_GOOD:
        sign = -sign
    if plain.isdigit():
        return signed(int(plain) * sign)
    return f"+{plain}" if sign > 0 else None


def change_stats(frame: Frame, stats: tuple[str, ...], text: str, make: Any) -> Said | None:
    """Changes of characteristics of weapons, attacks or units that a phrase names."""
    base = after_roll(frame)
    if base is None:
        return None
    ours = all(stat in WEAPON_STATS for stat in stats)
    armed = arms(text, base) if ours else None
    if armed is not None:
        moved, meant = armed
        return _weapon_stats(moved, meant, stats, make)
    meant = whose(text, base)
    if meant is None or meant.reach == "attacker":
        return None
    if any(stat in WEAPON_STATS for stat in stats) and not all(stat in ("hit", "wound") or stat not in WEAPON_STATS for stat in stats):
        return None
    change = {stat: make(stat) for stat in stats}
    if any(value is None for value in change.values()):
        return None
    return said(theirs(base, meant, change))


def _weapon_stats(frame: Frame, meant: Who, stats: tuple[str, ...], make: Any) -> Said | None:
    change = {stat: make(stat) for stat in stats}
    if any(value is None for value in change.values()):
        return None
    if frame.by is None and frame.against is None:
        frame = replace(frame, by=meant)
    if frame.against is not None and "damage" in change:
        return _less_damage(frame, change)
    return said(attacks(frame, change), replace(frame, by=None, weapon=frame.weapon) if frame.weapon else None)


def _less_damage(frame: Frame, change: dict[str, Any]) -> Said | None:
    """Damage of attacks against a unit is what the unit takes less."""
    value = change.pop("damage")
    if change or frame.against is None or frame.against.side == "foes":
        return None
    amount = str(value).removeprefix("-")
    key: dict[str, Any]
    if str(value).startswith("-") and amount.isdigit():
        key = {"damage_reduction": int(amount)}
    elif str(value) == "/2":
        key = {"halve_damage": True}
    elif str(value) == "=0" and (frame.limit or frame.use):
        key = {"damage_zero_uses": 1}
    elif str(value).startswith("=") and amount[1:].isdigit():
        key = {"damage_set": int(amount[1:])}
    else:
        return None
    return said(theirs(frame, frame.against, key))


def _stats(text: str) -> tuple[str, ...] | None:
    return amounts.names(re.sub(r" characteristics?\b", "", text, flags=re.IGNORECASE), STATS)


LIMIT = (
    r"(?: for (?:each|every) (?P<per>[^,;:()]+?))?(?:,? ?\(?to a (?P<end>minimum|maximum) of \+?(?P<limit>\d+)(?:\+|\")?\)?)?"
)


_PER = (
    (re.compile(r"(?:(?P<n>\d+|two|three|five|ten) )?(?:other )?models? in (?:this unit|the bearer's unit|that unit|it)", re.IGNORECASE), "model"),
    (re.compile(r"(?:(?P<n>\d+|two|three|five|ten) )?(?:enemy )?models? in (?:the target(?: unit)?|that enemy unit)", re.IGNORECASE), "target model"),
    (re.compile(r"(?P<n>)damage points? (?:allocated to )?(?:this unit|it)(?: has)?|(?P<n2>)damage point this unit has", re.IGNORECASE), "lost"),
    (re.compile(r"(?P<n>)battle rounds?(?: .*)?", re.IGNORECASE), "round"),
    (re.compile(r"(?P<n>)(?:other )?friendly .+", re.IGNORECASE), "friend"),
    (re.compile(r"(?P<n>)(?:other )?enemy units? .+", re.IGNORECASE), "enemy"),
)


def _counted(text: str) -> str:
    """What a change is counted by: a word that fights know, or the words of the text."""
    for pattern, word in _PER:
        if match := pattern.fullmatch(text.strip()):
            number = match["n"]
            value = None if not number else amounts.number(number) or {"ten": 10}.get(number)
            return f"{value} {word}s" if value else word
    return text.strip()


def _limited(value: str | None, match: re.Match[str]) -> str | None:
    parts = match.groupdict()
    if value is not None and parts.get("per"):
        value = f"{value} per {_counted(parts['per'])}"
    if value is None or not parts.get("limit"):
        return value
    if parts["end"].lower() == "minimum" and parts["limit"] in ("0", "1"):
        return value
    return f"{value} limit {parts['limit']}"


@production("stat.add", "change", rf"(?P<verb>add|subtract) <dice>\"? (?:to|from) (?:the )?<stats> characteristics? (?:of|for) <arms>{LIMIT}", "Add 1 to the Attacks characteristic of melee weapons equipped by models in this unit.")
def _stat_add(match: re.Match[str], frame: Frame) -> Said | None:
    stats = _stats(match["stats"])
    if stats is None:
        return None
    return change_stats(frame, stats, match["arms"], lambda stat: _limited(value_of(match["verb"], stat, match["dice"]), match))


@production("stat.add-two", "change", r"(?P<verb>add) (?P<a>\d) to the (?P<stat>[A-Za-z ]+?) (?:characteristic )?and (?:add )?(?P<b>\d) to the (?P<stat2>[A-Za-z ]+?) characteristics? of <arms>", "Add 2 to the Strength and add 1 to the Attacks characteristics of the bearer's melee weapons.")
def _stat_two(match: re.Match[str], frame: Frame) -> Said | None:
    first, second = STATS.get(match["stat"].lower()), STATS.get(match["stat2"].lower())
    if first is None or second is None or first == second:
        return None
    values = {first: match["a"], second: match["b"]}
    return change_stats(frame, (first, second), match["arms"], lambda stat: value_of("add", stat, values[stat]))


@production("stat.add-own", "change", rf"(?P<verb>add|subtract) <dice>\"? (?:to|from) (?P<whose>.+?(?:'s|s')|its|their) <stats> characteristics?{LIMIT}", "Add 2 to your hero's Health characteristic.")
def _stat_add_own(match: re.Match[str], frame: Frame) -> Said | None:
    return _own_stats(match, frame, lambda stat: _limited(value_of(match["verb"], stat, match["dice"]), match))


_POSSESSIVE = re.compile(r"(?:'s|')$")


def _own_stats(match: re.Match[str], frame: Frame, make: Any) -> Said | None:
    stats = _stats(match["stats"])
    if stats is None:
        return None
    return change_stats(frame, stats, _POSSESSIVE.sub("", match["whose"]), make)


@production("stat.improve", "change", rf"(?P<verb>improve|worsen|increase|reduce) (?:the )?<stats>(?: characteristics?)? (?:of|for) <arms> by <dice>\"?{LIMIT}", "Improve the Armour Penetration characteristic of this unit's ranged weapons by 1.")
def _stat_improve(match: re.Match[str], frame: Frame) -> Said | None:
    stats = _stats(match["stats"])
    if stats is None:
        return None
    return change_stats(frame, stats, match["arms"], lambda stat: _limited(value_of(match["verb"], stat, match["dice"]), match))


@production("stat.improve-own", "change", rf"(?P<verb>improve|worsen|increase|reduce) (?P<whose>.+?(?:'s|s')|its|their) <stats> characteristics? by <dice>\"?{LIMIT}", "Improve this unit's Save characteristic by 1.")
def _stat_improve_own(match: re.Match[str], frame: Frame) -> Said | None:
    return _own_stats(match, frame, lambda stat: _limited(value_of(match["verb"], stat, match["dice"]), match))


@production("stat.is-improved", "change", r"the <stats> characteristics? of <arms> (?:is|are) (?P<verb>improved|worsened|increased|reduced) by <dice>\"?", "The Strength characteristic of this unit's melee weapons is increased by 1.")
def _stat_is_improved(match: re.Match[str], frame: Frame) -> Said | None:
    stats = _stats(match["stats"])
    verb = match["verb"].lower().removesuffix("d")
    if stats is None:
        return None
    verb = {"improve": "improve", "worsene": "worsen", "increase": "increase", "reduce": "reduce"}[verb]
    return change_stats(frame, stats, match["arms"], lambda stat: value_of(verb, stat, match["dice"]))


@production("stat.change", "change", r"(?:you (?:can )?)?change (?:the )?<stats> characteristics? of <arms> to (?P<value>\d{1,2}|D3|D6|2D6|D3\+\d)[+\"]?", "Change the Damage characteristic of this unit's Claws to 3.")
def _stat_change(match: re.Match[str], frame: Frame) -> Said | None:
    stats = _stats(match["stats"])
    if stats is None:
        return None
    moved = frame.chosen() if match[0].lower().startswith("you can") else frame
    return change_stats(moved, stats, match["arms"], lambda stat: f"={match['value']}")


@production("stat.change-that", "change", r"(?:you (?:can )?)?change the Damage characteristic to 0", "Once per battle, when an attack is allocated to this model, you can change the Damage characteristic to 0.")
def _stat_change_that(match: re.Match[str], frame: Frame) -> Said | None:
    return change_stats(frame, ("damage",), "that attack", lambda stat: "=0")


@production("stat.is", "change", r"(?:the )?<stats> characteristics? of <arms> (?:is|are|becomes?) (?:changed to )?(?P<value>\d{1,2}|D3|D6|2D6|D3\+\d|D6\+\d)[+\"]?(?: instead of [^,;:]+)?", "The Damage characteristic of this unit's Spears is 3.")
def _stat_is(match: re.Match[str], frame: Frame) -> Said | None:
    stats = _stats(match["stats"])
    if stats is None:
        return None
    return change_stats(frame, stats, match["arms"], lambda stat: f"={match['value']}")


@production("stat.multiply", "change", r"(?P<verb>double|halve|half|multiply by 2) (?:the )?<stats> characteristics? of <arms>(?: \(round(?:ing)? (?:up|down)\))?", "Each time an attack is allocated to this unit, halve the Damage characteristic of that attack.")
def _stat_multiply(match: re.Match[str], frame: Frame) -> Said | None:
    stats = _stats(match["stats"])
    if stats is None:
        return None
    value = "/2" if match["verb"].lower().startswith("hal") else "x2"
    return change_stats(frame, stats, match["arms"], lambda stat: value)


# ---- ignoring modifiers


@production("ignore", "change", r"(?:you (?:can|may) )?ignore (?:any(?: or all| and all)? |all |any or all )?(?P<sign>negative |positive )?modifiers (?:to|of) <words>", "Each time this unit makes an attack, you can ignore any or all modifiers to the Hit roll.")
def _ignore(match: re.Match[str], frame: Frame) -> Said | None:
    positive = (match["sign"] or "").strip().lower() == "positive"
    text = match["words"].lower()
    text, _, whom = text.partition(" for ")
    words = []
    for part in re.split(r",? and/or |,? and |, ", text.replace("any or all modifiers to", "").replace("any modifiers to", "")):
        part = part.replace("modifiers to", "").strip().removeprefix("the ").removeprefix("that ").removeprefix("its ")
        part = re.sub(r"^(?:that )?attack'?s? ", "", part)
        if re.fullmatch(r"hit rolls?|(?:the )?hit roll", part):
            words.append("hit_penalties")
        elif re.fullmatch(r"wound rolls?", part):
            words.append("wound_penalties")
        elif re.fullmatch(r"save rolls?|saves?(?: made)?", part):
            words.append("save_bonuses" if positive else "save_penalties")
        elif re.fullmatch(r"(?:ballistic skill|weapon skill)(?: or weapon skill)?(?: characteristics?)?(?: (?:of|on) .+)?|ballistic skill or weapon skill characteristics?.*", part):
            words.append("skill_penalties")
        else:
            return None
    if positive and words != ["save_bonuses"]:
        return None
    words = list(dict.fromkeys(words))
    if whom:
        placed = _for(match["words"][len(text) + 5 :], frame, ("save",) if "save_penalties" in words or positive else ("hit",))
        if placed is None:
            return None
        moved, meant = placed
        if meant is not None:
            return said(theirs(moved, meant, {"ignore": words}))
        return said(attacks(moved, {"ignore": words}))
    return said(attacks(frame, {"ignore": words}))


@production("auto-hit", "change", r"(?:that attack |those attacks |<arms> )automatically (?P<what>hits?|wounds?)(?: the target)?", "Each time this unit makes a ranged attack, that attack automatically hits.")
def _auto(match: re.Match[str], frame: Frame) -> Said | None:
    moved = frame
    if match["arms"]:
        armed = arms(match["arms"], frame)
        if armed is None:
            return None
        moved = armed[0]
    return said(attacks(moved, {"auto_hit" if match["what"].startswith("hit") else "auto_wound": True}))


__all__ = ["one", "who"]
