"""Text from files of strangers, made fit to show and to compare."""

from __future__ import annotations

import re

LONGEST = 2_000  # characters of a line that are kept

# what no name needs: control characters, marks that turn the direction of text, invisible spaces
_UNSEEN = "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]"


def clean(text: str) -> str:
    """Text as one printable line: no control characters, no marks that turn its direction, single spaces.

    >>> clean("Khorne\\u202e\\x1b[31m\\nBerzerkers")
    'Khorne [31m Berzerkers'
    """
    plain = " ".join(re.sub(_UNSEEN, " ", text[:LONGEST]).split())
    return (
        plain
        if plain.isprintable()
        else " ".join("".join(mark if mark.isprintable() else " " for mark in plain).split())
    )


DASHES = ("", "-", "–", "—", "n/a")
_FOLDED = str.maketrans(
    {
        "\u00a0": " ",
        "\u2010": "-",
        "\u2011": "-",
        "\u2212": "-",
        "’": "'",
        "‘": "'",
        "“": '"',
        "”": '"',
        "″": '"',
    }
)


def fold(text: str) -> str:
    """Text without the odd spaces, hyphens and quotes of typesetting.

    >>> fold("Anti\\u2011Hero\\u00a0")
    'Anti-Hero'
    """
    return " ".join(text.translate(_FOLDED).split())


def is_dash(text: str) -> bool:
    """Whether a value says that there is none.

    >>> is_dash("N/A"), is_dash("0")
    (True, False)
    """
    return fold(text).lower() in DASHES


def clip(text: str) -> str:
    """A text as a message quotes it: in quotes, and never longer than 40 characters.

    >>> clip("x" * 100)
    "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…'"
    """
    return repr(text if len(text) <= 40 else text[:40] + "…")


def percent(chance: float, digits: int = 1) -> str:
    """A chance as people read it: one that is small, or nearly sure, is never rounded to 0 or 100 %.

    >>> percent(0.137), percent(0.0004), percent(0.0), percent(0.9999), percent(1.0)
    ('13.7%', '<0.1%', '0.0%', '>99.9%', '100.0%')
    """
    least = 0.01 * 0.1**digits
    if 0.0 < chance < least / 2:
        return f"<{least:.{digits}%}"
    if 1.0 - least / 2 < chance < 1.0:
        return f">{1.0 - least:.{digits}%}"
    return f"{chance:.{digits}%}"
