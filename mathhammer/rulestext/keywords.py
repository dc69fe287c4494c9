"""Names of keywords in a phrase: "non-Hero Skaven Infantry" is three of them."""

from __future__ import annotations

import re

from mathhammer.rulestext.frame import ALWAYS, Alts, Cond, Of, both

# Keywords that stand beside others in a phrase. What is left between them is one keyword more.
_GENERAL = """
infantry cavalry vehicle vehicles monster monsters beast beasts hero heroes wizard wizards priest priests
character characters daemon daemons psyker psykers mounted walker battleline fly titanic transport
transports aircraft artillery fortification fortifications swarm swarms officer manifestation
manifestations champion unique synapse armiger regiment platoon squadron ancient chaplain librarian
harvester phobos gravis tacticus terminator jump battlesuit kroot vespid penitent mutant towering ethereal
cultists drone skitarii squig vampire namarti akhelian isharann skyvessel magmadroth
""".split()
# Marks and peoples: keywords too, but also the first word of names of units.
_MARKS = """
chaos khorne nurgle tzeentch slaanesh undivided imperium human aelf duardin ogor orruk skink saurus
""".split()
_SEVERAL = """
war machine, war machines, jump pack, epic hero, epic heroes, adeptus astartes, heretic astartes, astra
militarum, legiones daemonica, adeptus mechanicus, thousand sons, world eaters, death guard, emperor's
children, grey knights, imperial knights, chaos knights, adeptus custodes, adepta sororitas, genestealer
cults, leagues of votann, t'au empire, anathema psykana, blood angels, dark angels, space wolves, black
templars, great devourer, endless multitude, blood legions, plague legions, scintillating legions, legions
of excess, cult mechanicus, wraith construct, destroyer cult, stormcast eternals, hedonites of slaanesh,
ossiarch bonereapers, daughters of khaine, idoneth deepkin, blades of khorne, flesh-eater courts,
maggotkin of nurgle, beasts of chaos, cities of sigmar, soulblight gravelords, gloomspite gitz, sons of
behemat, slaves to darkness, kharadron overlords, lumineth realm-lords, ogor mawtribes, disciples of
tzeentch, helsmiths of hashut, legions of nagash, faction terrain, warriors of chaos, swords of chaos,
ruination chamber, warrior chamber, vanguard chamber, extremis chamber, sacrosanct chamber, gardeners of
nurgle
""".replace("\n", " ").strip()
_FACTIONS = """
aeldari drukhari asuryani ynnari harlequins necrons orks tyranids skaven sylvaneth seraphon kruleboyz
ironjawz fyreslayers nighthaunt bonesplitterz sigmarite bloodbound moonclan gitmob darkoath troggoth
""".split()
_KNOWN = sorted([*_GENERAL, *_SEVERAL.split(", "), *_FACTIONS], key=len, reverse=True)
_WORD = re.compile(
    r"(?<![\w'-])(non-|not )?(" + "|".join(re.escape(word) for word in _KNOWN) + r")(?![\w'-])", re.IGNORECASE
)
_PLURAL = {**dict.fromkeys(_GENERAL), "heroes": "hero", "epic heroes": "epic hero", "swarms": "swarm"}
_SINGULAR = re.compile(r"(?<=[a-z])(?:(?<!s)s)$", re.IGNORECASE)
_NOUN = re.compile(r"\s*\b(?:units?|models?|weapons?)\s*$", re.IGNORECASE)
_NAME = re.compile(
    r"(?:the )?[A-Z][\w'!.-]*(?:[ -](?:of|the|to|and|on|in|with|da|von|de|[A-Z][\w'!.-]*))*", re.UNICODE
)
_SPLIT = re.compile(r"\s*,\s*(?:or |and )?|\s+(?:or|and/or)\s+")
_AND = re.compile(r"\s*,\s*(?:and |or )?|\s+(?:and|or)\s+")
_LOWER = re.compile(r"\b(?:of|the|to|and|on|in|with|da|or)\b|[a-z]+-|\bnon-")


def _plain(word: str) -> str:
    """A general keyword in the singular."""
    low = word.lower()
    if low in ("heroes", "epic heroes"):
        return low.removesuffix("es").upper()
    if low.endswith("s") and low[:-1] in _KNOWN:
        return low[:-1].upper()
    return low.upper()


def keywords(phrase: str, of: Of, plural: bool = False) -> tuple[Cond, ...] | None:
    """The keywords of a phrase without "or"; None where it does not look like keywords.

    `plural`: the phrase stands for units itself ("friendly Awakened Wyldwoods"), so the last name is plural.
    """
    found: list[Cond] = []
    rest = phrase.strip()
    while rest:
        match = _WORD.search(rest)
        before = rest[: match.start()].strip() if match else rest
        if before:
            cond = _name(before, of, plural and match is None)
            if cond is None:
                return None
            found.append(cond)
        if match is None:
            break
        found.append(Cond(f"has {_plain(match[2])}", of, bool(match[1])))
        rest = rest[match.end() :].strip(" -")
    return tuple(found)


def _name(text: str, of: Of, plural: bool) -> Cond | None:
    """A keyword that is a name of its own."""
    no = text.lower().startswith("non-")
    text = text[4:] if no else text
    if text.startswith(("The ", "the ")):
        text = text[4:]
    bare = _LOWER.sub("", text).strip()
    if not text or not bare or not all(part[:1].isupper() or part[:1].isdigit() for part in bare.split()):
        return None
    if not _NAME.fullmatch(text) or len(text) > 48:
        return None
    if plural and text.lower() not in _MARKS:
        text = _SINGULAR.sub("", text)
    return Cond(f"has {text.upper()}", of, no)


def any_of(phrase: str, of: Of, plural: bool = False) -> Alts | None:
    """The keywords of "A or B" phrases: one way for each. "Skaven Infantry or Cavalry" shares its first word.

    >>> any_of("Monster or Vehicle", "foe")
    ((Cond(word='has MONSTER', of='foe', no=False),), (Cond(word='has VEHICLE', of='foe', no=False),))
    """
    phrase = _NOUN.sub("", phrase.strip())
    if not phrase:
        return ALWAYS
    parts = [_NOUN.sub("", part) for part in _SPLIT.split(phrase) if part.strip()]
    ways: list[tuple[Cond, ...]] = []
    for part in parts:
        way = keywords(_article(part), of, plural)
        if way is None:
            return None
        ways.append(way)
    if len(ways) > 1 and len(ways[0]) > 1 and all(len(way) == 1 for way in ways[1:]):
        shared = ways[0][:-1]
        if all(way[0].word.removeprefix("has ").lower() in (*_GENERAL, *_MARKS) for way in ways[1:]):
            ways = [ways[0], *((*shared, *way) for way in ways[1:])]
    return tuple(ways)


def none_of(phrase: str, of: Of) -> tuple[Cond, ...] | None:
    """The keywords of "excluding A and B": each lacks.

    >>> none_of("Monsters and Vehicles", "foe")[1]
    Cond(word='has VEHICLE', of='foe', no=True)
    """
    found: list[Cond] = []
    for part in _AND.split(phrase.strip()):
        part = _NOUN.sub("", part).strip()
        if not part:
            continue
        conds = keywords(_article(part), of, plural=True)
        if conds is None or len(conds) != 1:
            return None
        found.append(Cond(conds[0].word, of, not conds[0].no))
    return tuple(found) or None


def _article(part: str) -> str:
    for word in ("a ", "an ", "one ", "the "):
        if part.lower().startswith(word):
            return part[len(word) :]
    return part


__all__ = ["any_of", "both", "keywords", "none_of"]
