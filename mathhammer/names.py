"""Names compared as people mean them: accents, apostrophes, plurals and prefixes do not matter, guesses are
only suggested.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Generic, TypeVar

from mathhammer.dataclass import dataclass

Thing = TypeVar("Thing")
NEAR = 0.9  # how alike a suggestion must be, and by how much it must beat the next
CLEAR = 0.05
MOST_LOOKUPS = 3000
TELLING = frozenset({"on", "with", "in", "scourge", "mob"})  # words that make another unit of the same name
_SCOURGE = r"scourge of (\w+)(?:: ?| )(.+)"
_SCOURGE_BEHIND = r"(.+?) ?\(scourge of (\w+)\)"
_SOG = r"(.+?) ?[\[(]so([ga])[\])]|so([ga]):? (.+)"
_REALMS = {"g": "ghyran", "a": "aqshy"}
_COUNT = r"^\d{1,3} ?[x×]? "
_MODELS = r" ?\(\d{1,3} models?\)$"


@lru_cache(maxsize=16384)
def normal(name: str) -> str:
    """The key under which two spellings of one name meet.

    >>> (normal("Khârn the Betrayer") == normal("KHARN  THE BETRAYER"),
    ...  normal("T\\u2019au flamer") == normal("T'au flamer"))
    (True, True)
    >>> (normal("Scourge of Aqshy: Megaboss") == normal("Megaboss (Scourge of Aqshy)"),
    ...  normal("Scourge of Ghyran Megaboss") == normal("Megaboss [SoG]"))
    (True, True)
    >>> normal("3 x Crypt Horrors (2 models)"), normal("➤ Monsta-killaz [Legends]")
    ('crypt horrors', 'monsta killaz')
    """
    text = unicodedata.normalize("NFKD", name[:300])
    text = "".join(mark for mark in text if not unicodedata.combining(mark)).casefold()
    text = re.sub(_MODELS, "", " ".join(text.replace("[legends]", " ").replace("➤", " ").split()))
    if match := re.fullmatch(_SCOURGE, text):
        text = f"{match[2]} scourge of {match[1]}"
    elif match := re.fullmatch(_SCOURGE_BEHIND, text):
        text = f"{match[1]} scourge of {match[2]}"
    elif match := re.fullmatch(_SOG, text):
        text = f"{match[1] or match[4]} scourge of {_REALMS[match[2] or match[3]]}"
    text = re.sub(_COUNT, "", text).replace(" w/", " with ")
    text = re.sub("['’‘`´]", "", text)
    return " ".join(re.sub(r"[^\w]+", " ", text).split())


def singular(key: str) -> str:
    """A key with every word in the singular, as far as endings tell.

    >>> singular(normal("Hobgrotz Vandalz")) == singular(normal("Hobgrot Vandalz")), singular("furies")
    (True, 'fury')
    """
    return " ".join(_one(word) for word in key.split())


def _one(word: str) -> str:
    if len(word) < 4:
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith("ss"):
        return word
    return word[:-1] if word.endswith(("s", "z")) else word


@dataclass(frozen=True, slots=True)
class Match(Generic[Thing]):
    """What a name was found to mean, and how; or nothing, perhaps with a suggestion."""

    thing: Thing | None = None
    how: str = ""
    suggestion: str = ""


class Names(Generic[Thing]):
    """Names of things, searched exactly, then by plural, then by a subset of words; a likeness is only
    suggested.

    >>> names = Names([("Kruleboyz Monsta-killaz", 1), ("Gutrippaz", 2)])
    >>> names.find("gutrippa").how, names.find("Monsta-killaz").thing, names.find("Gutripperz").thing
    ('plural', 1, None)
    """

    def __init__(self, things: Iterable[tuple[str, Thing]]) -> None:
        self.exact: dict[str, tuple[str, Thing]] = {}
        self.plural: dict[str, tuple[str, Thing] | None] = {}
        for name, thing in things:
            self.exact.setdefault(normal(name), (name, thing))
        for key, named in self.exact.items():
            one = singular(key)
            # two names with one singular decide nothing
            self.plural[one] = named if one not in self.plural else None
        self.found: dict[str, Match[Thing]] = {}
        self.words = [(frozenset(singular(key).split()), named) for key, named in self.exact.items()]

    def find(self, name: str) -> Match[Thing]:
        """The thing of that name."""
        if name not in self.found:
            self.found[name] = self._find(normal(name))
        return self.found[name]

    def _find(self, key: str) -> Match[Thing]:
        if key in self.exact:
            return Match(self.exact[key][1], "exact")
        one = singular(key)
        if (named := self.plural.get(one)) is not None:
            return Match(named[1], "plural")
        wanted = frozenset(one.split())
        inside = [
            (words, named)
            for words, named in self.words
            if words and wanted and (wanted <= words or words < wanted)
        ]
        same = [pair for pair in inside if pair[0] == wanted]  # a word told twice
        inside = same or inside
        if len(inside) == 1:
            words, named = inside[0]
            if not (wanted ^ words) & TELLING:
                return Match(named[1], "words")
            return Match(suggestion=named[0])
        return Match(suggestion=self.suggest(key))

    def suggest(self, key: str) -> str:
        """The one name that is clearly the nearest, or nothing; after many lists of
        nonsense it no longer looks.
        """
        if len(self.found) > MOST_LOOKUPS:
            return ""
        scored = sorted(
            ((_likeness(key, known), named[0]) for known, named in self.exact.items()), reverse=True
        )[:2]
        if not scored or scored[0][0] < NEAR - 0.1:
            return ""
        return (
            scored[0][1]
            if len(scored) == 1 or scored[0][0] - scored[1][0] >= CLEAR or scored[0][0] >= NEAR
            else ""
        )


def _likeness(one: str, other: str) -> float:
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    if matcher.real_quick_ratio() < NEAR - 0.1 or matcher.quick_ratio() < NEAR - 0.1:
        return 0.0
    return matcher.ratio()


def find_in(tiers: Sequence[Names[Thing]], name: str) -> Match[Thing]:
    """The thing of that name, exact in any tier before inexact in any: the faction, then the whole game."""
    matches = [names.find(name) for names in tiers]
    for how in ("exact", "plural", "words"):
        for match in matches:
            if match.thing is not None and match.how == how:
                return match
    return Match(suggestion=next((match.suggestion for match in matches if match.suggestion), ""))
