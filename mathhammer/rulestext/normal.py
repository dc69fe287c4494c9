"""The sentences of an ability, in one spelling: mark-up, odd quotes, notes and slips of typing are gone."""

from __future__ import annotations

import re

from mathhammer.dataclass import dataclass

LONGEST = 6_000  # characters of one ability that are read
LONGEST_SENTENCE = 900

_SIGNS = str.maketrans(
    {
        "’": "'",
        "‘": "'",
        "`": "'",
        "“": '"',
        "”": '"',
        "″": '"',
        "–": "-",
        "—": "-",
        "‑": "-",
        "−": "-",
        "‐": "-",
        "\u00a0": " ",
        "\u200b": " ",
        "\t": " ",
        "\r": "\n",
        "{": "[",
        "}": "]",
    }
)
_MARKUP = re.compile(r"\*\*|\^\^|__|~~|<[^<>]{0,40}>")
_NOTE = re.compile(
    r"\s*\(?(?:designers?'?s? ?(?:'s)? notes?|data authors? notes?|author'?s? notes?|note|example|"
    r"for example)\s*:.*?"
    r"(?=\n\s*\n|$)",
    re.IGNORECASE | re.DOTALL,
)
_BULLET = re.compile(r"\s*(?:[•■●▪◦‣·*]+|-(?=\s?[A-Z\"'\[])|\d\)|\d\. )\s*")
_ONLY = re.compile(r"[^.:]{0,120}\bonly\s*[.:]", re.IGNORECASE)
_END = re.compile(r"(?<=[a-z0-9)\]'\"+][.!?])\s+(?=[\"'(\[]?[A-Z])|(?<=[.!?][)'\"])\s+(?=[A-Z])")
_OF_SEVERAL = re.compile(r"\b(?:of the )?following(?: \w+)?:$", re.IGNORECASE)
_ONE_OF = re.compile(
    r"\b(?:select|pick|choose|apply) (?:up to )?(?:one|1|\w+) (?:different )?(?:of the (?:following|"
    r"effects)|effects?\b)",
    re.IGNORECASE,
)
_NAMED = re.compile(r"[A-Z][^.:]{2,40}: ")
_SPACES = re.compile(r" +")
# Long gaps are made short before any pattern looks for what stands behind white space.
_GAPS = ((re.compile(r"[^\S\n]+"), " "), (re.compile(r"\n(?: ?\n)+"), "\n\n"))
# Slips that real catalogues have again and again.
_SLIPS = tuple(
    (re.compile(wrong, re.IGNORECASE), right)
    for wrong, right in (
        (r"\bre ?rolls?(?=\b(?!-))(?<!re-roll)", "re-roll"),
        (r"\b(add|subtract) (\d+|one) (?:to )?the (?=(?:hit|wound) roll)", r"\1 \2 to the "),
        (r"\b(add) (\d+) the (?=\w+ characteristic)", r"\1 \2 to the "),
        (r"\bone(?: single)? D6\b", "a dice"),
        (r"\b(?:a|one|1) (?:dice|die|D6)\b(?! each)", "a dice"),
        (r"\broll D6\b", "roll a dice"),
        (r"\bon (?=\d\+)", "on a "),
        (r"\bsaving throws?\b", "save"),
        (r"\bvisibleenemy\b", "visible enemy"),
        (r"\byout\b", "your"),
        (r"\bmodoel\b", "model"),
        (r"\babilitie\b", "abilities"),
        (r"\b(unmodified|modified) (hit|wound) (\d)", r"\1 \2 roll of \3"),
        (r"(\d) (?=inch(?:es)?\b)", r"\1"),
        (r"(\d)-?inch(?:es)?\b", r'\1"'),
        (r"''", '"'),
        (r"\bArmou?r Penetration\b", "Armour Penetration"),
        (r"\bbattleshock", "Battle-shock"),
        (r"\bbattle shock", "Battle-shock"),
        (r"\bhalf strength\b", "Half-strength"),
        (r"\bStarting-strength\b", "Starting Strength"),
        (r"\b(unit|units|model|models) (?=Below Half-strength|below its Starting)", r"\1 that is "),
        (r"\bin (?=your army'?s army)", "in "),
        (r'within (\d+)" of,? and (?:is |are )?visible to ', r'within \1" of '),
        (r'visible to (?:and|or) (within \d+" of )', r"\1"),
        (r" ?\(treat them as regular hits instead\)", ""),
        (r"\bmodel's in\b", "models in"),
        (r'\b(is|are) with (\d+")', r"\1 within \2"),
        (r'(?<=\d)"of\b', '" of'),
        (r"\bstrike-(first|last)\b", lambda match: "Strike-" + match[1].lower()),
        (r"\b(is|are) also\b", r"\1"),
        (r"\.\s+(?=to a (?:maximum|minimum))", ", "),
        (r"\btarget\(s\)'?s?", "targets"),
        (r"\bthe targets (?=(?:melee|ranged|Companion|combat|shooting|weapons|attacks))", "the targets' "),
        (r"\brange attack", "ranged attack"),
        (r"\bunmodifed\b", "unmodified"),
        (r"\bselect on (?=enemy|friendly)", "select one "),
        (r"\bin Engagement Range of\b", "within Engagement Range of"),
        (r"\bif a target is\b", "if the target is"),
        (r"\bviisble\b", "visible"),
        (r"\bpicka\b", "pick a"),
        (r"\bot be the\b", "to be the"),
        (r"\b(Wizard|Priest)to cast\b", r"\1 to cast"),
        (r"\bset-up on\b", "set up on"),
        (r"\((?:e\.g\.|i\.e\.|for example)[^)]*\)", ""),
        (r"\s+([.,;:])", r"\1"),
        (r"\.\s*\.", "."),
    )
)


@dataclass(frozen=True, slots=True)
class Passage:
    """One sentence, and the points of a list that belongs to it."""

    text: str
    points: tuple[str, ...] = ()


def normal(text: str) -> str:
    """The text in one spelling, its lines kept.

    >>> normal("Add 1 the Wound roll;  roll one D6")
    'Add 1 to the Wound roll; roll a dice'
    """
    text = _MARKUP.sub("", text[:LONGEST].translate(_SIGNS))
    for gap, short in _GAPS:
        text = gap.sub(short, text)
    text = _NOTE.sub("", text)
    for wrong, right in _SLIPS:
        text = wrong.sub(right, text)
    return "\n".join(_SPACES.sub(" ", line).strip() for line in text.split("\n"))


def passages(text: str) -> list[Passage]:
    """Sentences in order; the points of a list stand with the sentence that opens it.

    >>> passages("It has Ward (5+). For the rest of the turn:\\n- Add 1 to hit rolls.\\n- Heal it.")[1].points
    ('Add 1 to hit rolls.', 'Heal it.')
    """
    found: list[Passage] = []
    for line, point in _lines(normal(text)):
        if not point and _NAMED.match(line) and (several := _several(found)) is not None:
            found[several:] = [
                Passage(found[several].text, (*found[several].points, line)),
                *found[several + 1 :],
            ]
            continue
        if (
            point
            and found
            and (found[-1].points or found[-1].text.endswith(":") or _ONE_OF.search(found[-1].text))
        ):
            last = found[-1]
            found[-1] = Passage(last.text, (*last.points, line))
            continue
        found += [Passage(part) for part in _END.split(line) if part]
    while found and _ONLY.fullmatch(found[0].text) and not found[0].points:
        found.pop(0)
    if found and found[0].points and _ONLY.fullmatch(found[0].text):
        found[:1] = [Passage(point) for point in found[0].points]
    return found


def _several(found: list[Passage]) -> int | None:
    """Where a choice was opened in the last sentences, so that named lines are its points."""
    for place in range(len(found) - 1, max(-1, len(found) - 3), -1):
        if _OF_SEVERAL.search(found[place].text) or _ONE_OF.search(found[place].text):
            return place
    return None


def split_sentences(text: str) -> list[str]:
    """The sentences of one line.

    >>> split_sentences("Heal it. Then, it has Ward (5+).")
    ['Heal it.', 'Then, it has Ward (5+).']
    """
    return [part for part in _END.split(text) if part]


def _lines(text: str) -> list[tuple[str, bool]]:
    """Whole lines, and whether each is a point of a list; broken lines are put together again."""
    found: list[tuple[str, bool]] = []
    for raw in text.split("\n"):
        line = raw.strip()
        if not line:
            found.append(("", False))
            continue
        mark = _BULLET.match(line)
        if mark and mark.end() < len(line):
            found.append((line[mark.end() :], True))
        elif found and found[-1][0] and found[-1][0][-1] not in ".:;!?" and not line.isupper():
            before, point = found[-1]
            found[-1] = (f"{before} {line}", point) if not before.isupper() else (line, False)
        else:
            found.append((line, False))
    return [(line, point) for line, point in found if line]
