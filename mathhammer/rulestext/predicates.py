"""What a unit is or did: "charged this turn", "is below half strength", "has the Psyker keyword"."""

from __future__ import annotations

import re
from collections.abc import Callable

from mathhammer.dataclass import dataclass
from mathhammer.rulestext.frame import Alts, Frame, Of, both, one
from mathhammer.rulestext.keywords import any_of, none_of
from mathhammer.rulestext.predicate_kinds import (
    a_unit,
    all_of,
    engaged,
    in_combat,
    kind_of,
    leading_kind,
    led_by,
    models,
    status,
    within,
)

Build = Callable[[re.Match[str], Of, Frame], Alts | None]


@dataclass(frozen=True, slots=True)
class Predicate:
    """What a unit is or did: a pattern, and the condition that it stands for."""

    id: str
    pattern: re.Pattern[str]
    build: Build
    example: str


PREDICATES: list[Predicate] = []


THIS_TURN = (
    r"(?: (?:earlier )?(?:this|in the same|during this|that|in that|the same|in the current) (?:turn|"
    r"phase|battle round))?"
)


def says(id: str, pattern: str, word: str | Build, example: str, no: bool = False) -> None:
    """One more predicate; `word` is the condition, of whoever is spoken of."""

    def build(match: re.Match[str], of: Of, frame: Frame) -> Alts | None:
        negated = no != bool(match.groupdict().get("no"))
        return one(str(word), of, negated)

    PREDICATES.append(
        Predicate(id, re.compile(pattern, re.IGNORECASE), build if isinstance(word, str) else word, example)
    )


# Abilities that a unit did not use, and the condition that says so.
_NOT_USED: dict[str, Callable[[Of], tuple[str, Of, bool]]] = {
    "move": lambda of: ("stationary", of, False),
    "run": lambda of: ("ran", of, True),
    "retreat": lambda of: ("retreated", of, True),
    "charge": lambda of: ("charged", of, True),
}
BE = r"(?:is|are|was|were|has been|have been)"


NOT = r"(?P<no> not|n't)?"


says(
    "if.charged",
    rf"(?:(?:has |have )?made a charge move|(?:has |have )?charged|ended a charge move|makes a "
    rf"charge move|used a charge ability){THIS_TURN}",
    "charged",
    "it charged this turn",
)
says(
    "if.not-charged",
    rf"(?:did not|has not|have not) (?:charged?|made? a charge move){THIS_TURN}",
    "charged",
    "it did not charge this turn",
    no=True,
)
says(
    "if.stationary",
    rf"(?:remained stationary|(?:has|have|did) not moved?){THIS_TURN}",
    "stationary",
    "it has not moved this turn",
)
says("if.advanced", rf"(?:has |have )?advanced{THIS_TURN}", "advanced", "it advanced this turn")
says("if.ran", rf"(?:used|has used) a run ability{THIS_TURN}|ran{THIS_TURN}", "ran", "it ran this turn")
says(
    "if.fell-back",
    rf"(?:has |have )?(?:fell back|fallen back|used a retreat ability|retreated){THIS_TURN}",
    "retreated",
    "it fell back this turn",
)
says(
    "if.disembarked",
    rf"(?:has |have )?disembarked(?: from (?:a|this|that|its) (?:transport|model|vehicle))?{THIS_TURN}",
    "disembarked",
    "it disembarked this turn",
)
says(
    "if.set-up",
    rf"(?:{BE}|arrived){NOT} ?(?:set up(?: on the battlefield| as reinforcements| from reserves?| "
    rf"from strategic reserves)*|from (?:strategic )?reserves){THIS_TURN}",
    "set_up",
    "it was set up this turn",
)
says(
    "if.not-set-up",
    rf"(?:has|have|was|were) not been set up(?: on the battlefield)?{THIS_TURN}",
    "set_up",
    "it has not been set up this turn",
    no=True,
)
says("if.below-half", rf"{BE}{NOT} below half[- ]strength", "below_half", "it is Below Half-strength")
says(
    "if.below-starting",
    rf"{BE}{NOT} below (?:its|their|the)? ?starting strength",
    "below_starting",
    "it is below its Starting Strength",
)
says(
    "if.starting",
    rf"{BE} at (?:its|their)? ?starting strength",
    "below_starting",
    "it is at its Starting Strength",
    no=True,
)
says("if.shocked", rf"{BE}{NOT} battle-shocked", "battle_shocked", "it is Battle-shocked")
says(
    "if.not-used-move",
    rf"(?:has|have) not used (?:an?|any) (?P<what>move|run|retreat|charge) abilit(?:y|ies){THIS_TURN}",
    lambda m, of, f: one(*_NOT_USED[m["what"].lower()](of)),
    "it has not used a Run ability this turn",
)
says(
    "if.done",
    r"(?:has|have) not (?:already |yet )?(?:fought|shot|been (?:picked|selected|chosen)|used|been "
    r"used)\b[^,]*",
    lambda m, of, f: ((),),
    "it has not used a Fight ability this turn",
)
says(
    "if.a-unit",
    rf"{BE} (?P<what>(?:an?|the) (?:enemy |friendly |visible )*(?:(?-i:[A-Z])[\w' ,-]*? )?"
    r"(?:unit|model)s? .+)",
    lambda m, of, f: a_unit(m["what"], of, f),
    "it is an enemy unit within range of an objective marker",
)
says(
    "if.damaged",
    rf"{BE}{NOT} damaged|has (?:any|1 or more|one or more) damage points|(?:has|have) lost (?:one or "
    rf"more|1 or more|any) wounds",
    "damaged",
    "it is damaged",
)
says(
    "if.objective",
    rf"(?:{BE}|remains?){NOT} (?:wholly )?(?:within (?:range|\d\") of|in range of|contesting|holding) "
    rf"(?:an?|one or more|any|1 or more|the|that|at least one) objectives?(?: markers?)?(?: (?:that )?(?:you|"
    rf"your army|your opponent|they|either player) (?:control|do not control)s?)?(?: that "
    rf"[^,]{{3,40}} control)?",
    "on_objective",
    "it is within range of an objective marker",
)
says(
    "if.closest",
    rf"{BE}{NOT} the closest (?:eligible |visible )?(?:enemy )?(?:target|unit)(?: (?:for|to) [^,]{{3,60}})?",
    lambda m, of, f: one("closest_target", no=bool(m["no"])),
    "it is the closest eligible target",
)
says(
    "if.half-range",
    rf"{BE} within half (?:the )?(?:weapon's )?range(?: of that weapon)?",
    lambda m, of, f: one("half_range"),
    "it is within half range",
)
says(
    "if.engaged",
    rf"{BE}{NOT} within Engagement Range(?: of (?P<whom>.+))?",
    lambda m, of, f: engaged(m, of, f),
    "it is within Engagement Range of one or more enemy units",
)
says(
    "if.facing",
    rf"{BE} in combat with (?:an?|any|1 or more|one or more) enemy units? that charged{THIS_TURN}",
    "facing_charge",
    "it is in combat with an enemy unit that charged this turn",
)
says(
    "if.combat",
    rf"{BE}{NOT} in combat(?: with (?P<whom>.+))?",
    lambda m, of, f: in_combat(m, of, f),
    "it is in combat",
)
says(
    "if.own-territory",
    rf"{BE}{NOT} (?:wholly )?(?:within|in) (?:your|friendly) (?:territory|deployment zone)",
    "in_territory",
    "it is wholly within friendly territory",
)
says(
    "if.enemy-territory",
    rf"{BE}{NOT} (?:wholly )?(?:within|in) (?:enemy|your opponent's) (?:territory|deployment zone)",
    "in_enemy_territory",
    "it is within enemy territory",
)
says(
    "if.within",
    rf'{BE}(?P<no> not|n\'t|)? (?:wholly )?within (?P<n>\d+)"(?: horizontally)? of (?P<whom>.+)',
    lambda m, of, f: within(m, of, f, bool(m["no"].strip())),
    'it is within 6" of this unit',
)
says(
    "if.beyond",
    rf'{BE} (?:more|further) than (?P<n>\d+)"(?: away)? from (?P<whom>.+)',
    lambda m, of, f: within(m, of, f, True),
    'it is more than 12" from the target',
)
says(
    "if.keyword",
    r"(?:has|have) the (?P<what>.+?) keywords?",
    lambda m, of, f: any_of(m["what"], of),
    "it has the Psyker keyword",
)
says(
    "if.no-keyword",
    r"(?:does|do) not have the (?P<what>.+?) keywords?",
    lambda m, of, f: all_of(none_of(m["what"], of)),
    "it does not have the Psyker keyword",
)
says("if.fly", r"(?:can|has|have) fly", lambda m, of, f: one("has FLY", of), "it can Fly")
says(
    "if.kind",
    rf"{BE} (?:an? |the )?(?P<what>(?:non-)?(?-i:[A-Z]).*?)(?: units?| models?)?(?: \((?:excluding|except) "
    rf"(?P<but>[^)]+)\))?",
    lambda m, of, f: kind_of(m, of),
    "it is a Monster or Vehicle unit",
)
says(
    "if.not-kind",
    rf"{BE} not (?:an? |the )?(?P<what>(?:non-)?(?-i:[A-Z]).*?)(?: units?| models?)?",
    lambda m, of, f: all_of(none_of(m["what"], of)),
    "it is not a Monster",
)
says(
    "if.no-fly",
    r"(?:does|do) not have fly|cannot fly",
    lambda m, of, f: one("has FLY", of, True),
    "it does not have Fly",
)
says(
    "if.wounds-left",
    r"(?:has|have) (?:1 ?- ?)?(?P<n>\d+)(?: or (?:fewer|less))? wounds remaining",
    lambda m, of, f: one(f"wounds <= {m['n']}", of),
    "it has 1-6 wounds remaining",
)
says(
    "if.damage-points",
    r"(?:has|have) (?P<n>\d+) or more damage points",
    lambda m, of, f: one(f"lost >= {m['n']}", of),
    "it has 10 or more damage points",
)
says(
    "if.damage-point",
    r"(?:has|have) (?:exactly )?(?P<n>\d+) damage points?",
    lambda m, of, f: one(f"lost == {m['n']}", of),
    "it has 1 damage point",
)
says(
    "if.models",
    r"(?:has|have|contains?) (?P<n>\d+|five|ten|six|three) or more models",
    lambda m, of, f: models(m, of, ">="),
    "it contains 10 or more models",
)
says(
    "if.few-models",
    r"(?:has|have|contains?) (?P<n>\d+|five|ten|six|three) or (?:fewer|less) models",
    lambda m, of, f: models(m, of, "<="),
    "it has 5 or fewer models",
)
says(
    "if.contains",
    r"contains (?:an?|one or more|at least one|any|1 or more) (?P<name>(?-i:[A-Z])[\w' -]+?)"
    r"(?: models?| tokens?)?",
    lambda m, of, f: one(f"contains {m['name']}", of),
    "it contains a Standard Bearer",
)
says(
    "if.includes-name",
    r"(?:includes|contains) (?P<name>(?-i:[A-Z])[\w' -]+?)",
    lambda m, of, f: one(f"contains {m['name']}", of),
    "it includes Ugrug",
)
says(
    "if.within-bare",
    rf"{BE}{NOT} within (?P<n>\d+)\"",
    lambda m, of, f: (
        one(f"target_within {m['n']}", "", bool(m["no"]))
        if f.against is not None or f.by is not None
        else None
    ),
    'it is within 12"',
)
says(
    "if.warlord",
    r"contains (?:the enemy|an enemy|your opponent's) Warlord",
    lambda m, of, f: one("contains WARLORD", of),
    "it contains the enemy Warlord",
)
says(
    "if.includes",
    r"(?:includes|has) (?:one or more|at least one|1 or more) (?P<name>(?-i:[A-Z])[\w' -]+?) models",
    lambda m, of, f: one(f"contains {m['name']}", of),
    "it includes one or more Heralds models",
)
says(
    "if.led",
    rf"{BE} (?:being )?led by (?:an?|one or more|any) ?(?P<what>(?-i:[A-Z]).*?)(?: models?| units?)?",
    lambda m, of, f: led_by(m["what"]),
    "it is led by a Captain",
)
says(
    "if.leading-kind",
    rf"{BE} leading (?:an? )?(?P<what>(?-i:[A-Z]).*?)(?: unit)?",
    lambda m, of, f: leading_kind(m["what"]),
    "it is leading a Guard unit",
)
says("if.leading", rf"{BE}{NOT} (?:leading|attached to) a unit", "leading", "it is leading a unit")
says(
    "if.pact",
    r"(?:made|makes|has made) a Dark Pact(?: this (?:phase|turn))?",
    lambda m, of, f: one("used Dark Pact", of),
    "it made a Dark Pact",
)
says(
    "if.deep-strike",
    rf"{BE} set up(?: on the battlefield)? using the (?P<what>(?-i:[A-Z])[\w' -]+?) ability{THIS_TURN}",
    lambda m, of, f: one(f"used {m['what']}", of),
    "it was set up using the Deep Strike ability this turn",
)
says(
    "if.used",
    rf"(?:has )?used the '(?P<what>[^']+(?:'s [^']+)?)' (?:ability|command){THIS_TURN}",
    lambda m, of, f: one(f"used {m['what']}", of),
    "it used the 'Brace' command this turn",
)
says(
    "if.status",
    rf"{BE}{NOT} (?P<what>under orders|Afflicted|within Contagion Range(?: of .+)?|empowered|"
    rf"suppressed|pinned|shaken|spotted|hidden among the mobs|Diseased|Acquired|Strafed|stupefied)",
    lambda m, of, f: one(f"is {status(m['what'])}", of, bool(m["no"])),
    "it is under orders",
)
says(
    "if.oath",
    r"is your Oath of Moment target",
    lambda m, of, f: one("is Oath of Moment", of),
    "it is your Oath of Moment target",
)
says(
    "if.waaagh",
    rf"{BE} under the effects? of (?P<what>[^,]+)",
    lambda m, of, f: one(f"is under the effect of {m['what']}", of),
    "it is under the effects of a Chant",
)
says(
    "if.cover",
    rf"(?:has|have|{BE} in|{BE} receiving)(?: the)?(?: benefits? of)? cover",
    "in_cover",
    "it has the Benefit of Cover",
)
says(
    "if.no-leader",
    rf"{BE} not leading a unit|{BE} not attached to a unit",
    "leading",
    "it is not leading a unit",
    no=True,
)


def predicate(text: str, of: Of, frame: Frame) -> Alts | None:
    """The condition that a predicate stands for, of whoever is spoken of; None where it is not understood.

    >>> predicate("charged this turn", "self", Frame())
    ((Cond(word='charged', of='self', no=False),),)
    """
    text = text.strip().rstrip(".,")
    for rule in PREDICATES:
        match = rule.pattern.fullmatch(text)
        if match is not None:
            found = rule.build(match, of, frame)
            if found is not None:
                return found
    for joint in (" or ", " and ", ", or "):
        head, sep, tail = text.partition(joint)
        if sep:
            first, second = predicate(head, of, frame), predicate(tail, of, frame)
            if first is not None and second is not None:
                return both(first, second) if joint == " and " else (*first, *second)
    return None
