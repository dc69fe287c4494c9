"""Lists of other editions and in other languages: recognised by their marks, and refused by name."""

from __future__ import annotations

import re

from mathhammer.errors import BadInputError
from mathhammer.games.discovery import current_editions, listed_games
from mathhammer.lists.documents import Document

EXPORTS = "export it in English, or as .ros, .rosz or .json from New Recruit"
MOST_LINES = 2000  # that are looked at
# edition -> marks, of which so many different ones are needed
_EDITIONS: tuple[tuple[str, str, int, tuple[re.Pattern[str], ...]], ...] = (
    (
        "Warhammer 40,000, 9th edition or older",
        "lists of the 10th and 11th edition are read",
        1,
        (
            re.compile(r".*(?:\[\d{1,3} PL\b|\b\d{1,3} ?PL,|\[\d{1,2} CP).*", re.IGNORECASE),
            re.compile(
                r".*\b(?:battalion|patrol|brigade|spearhead|vanguard|outrider) detachment\b.*\dCP.*",
                re.IGNORECASE,
            ),
        ),
    ),
    (
        "Age of Sigmar, 3rd edition or older",
        "lists of the 4th edition are read",
        2,
        (
            re.compile(r"(?:- )?allegiance: .*", re.IGNORECASE),
            re.compile(r"(?:- )?grand strategy: .*", re.IGNORECASE),
            re.compile(r"(?:- )?triumphs?: .*", re.IGNORECASE),
            re.compile(r"(?:- )?mortal realm: .*", re.IGNORECASE),
            re.compile(r"(?:core )?battalions?:?", re.IGNORECASE),
            re.compile(r"endless spells(?: (?:&|and) invocations)?:?", re.IGNORECASE),
        ),
    ),
)
# what the official apps write in other languages: footers, headings, the warlord, the word for points
_LANGUAGES: dict[str, re.Pattern[str]] = {
    "French": re.compile(
        r"export[ée]e? avec\b.*|cr[ée][ée] avec\b.*|personnages|autres fiches techniques|"
        r"unit[ée]s alli[ée]es|transports assign[ée]s|\W{0,3}seigneur de guerre|"
        r"\W{0,3}optimisations? ?: .*|force de frappe \(.*",
        re.IGNORECASE,
    ),
    "German": re.compile(
        r"exportiert mit\b.*|erstellt mit\b.*|charaktermodelle|charaktere|andere datenbl[äa]tter|"
        r"verb[üu]ndete einheiten|\W{0,3}kriegsherr|\W{0,3}verbesserung(?:en)?: .*|"
        r".{1,80}[(\[][\d., ]{1,7} ?punkte[)\]].*",
        re.IGNORECASE,
    ),
    "Spanish": re.compile(
        r"exportad[oa] con\b.*|cread[oa] con\b.*|personajes|otras hojas de datos|unidades aliadas|"
        r"\W{0,3}se[ñn]or de la guerra|\W{0,3}mejoras?: .*|.{1,80}[(\[][\d., ]{1,7} ?puntos[)\]].*",
        re.IGNORECASE,
    ),
    "Italian": re.compile(
        r"esportat[oa] con\b.*|creat[oa] con\b.*|personaggi|altre schede dati|unit[àa] alleate|"
        r"\W{0,3}signore della guerra|\W{0,3}potenziament[oi]: .*|.{1,80}[(\[][\d., ]{1,7} ?punti[)\]].*",
        re.IGNORECASE,
    ),
    "Polish": re.compile(r".{1,80}[(\[][\d., ]{1,7} ?(?:pkt|punkt[óo]w)\.?[)\]].*", re.IGNORECASE),
    "Russian": re.compile(r".{1,80}[(\[][\d., ]{1,7} ?[а-яё]{2,12}\.?[)\]].*", re.IGNORECASE),
    "Chinese or Japanese": re.compile(r".{1,80}[(\[（【][\d., ]{1,7} ?(?:分|点|點|ポイント)[)\]）】].*"),
}


def edition_of(document: Document, family: str) -> str:
    """The game of a text, by the marks of its editions: the newest whose marks are there, else the newest
    that has none.

    >>> from mathhammer.lists.documents import open_document
    >>> edition_of(open_document("Boyz (75 points)\\nTake and Hold (3 Detachment Points)\\n"), "wh40k")
    'wh40k11'
    """
    plain: list[str] = []
    marked: list[str] = []
    for key, lists in listed_games().items():
        if lists.family == family:
            seen = any(mark.fullmatch(line) for mark in lists.marks for line in document.plain[:MOST_LINES])
            (marked if seen else plain if not lists.marks else []).append(key)
    return current_editions(marked or plain)[-1]


def refuse_others(document: Document) -> None:
    """An error that says so where a text is of another edition, or of an app in another language."""
    lines = document.plain[:MOST_LINES]
    for edition, instead, needed, marks in _EDITIONS:
        found = sum(any(mark.fullmatch(line) for line in lines) for mark in marks)
        if found >= needed:
            raise BadInputError(f"{document.where}: is for {edition} ({instead})")
    for language, mark in _LANGUAGES.items():
        if any(mark.fullmatch(line) for line in lines):
            raise BadInputError(f"{document.where}: is in {language} ({EXPORTS})")
