"""Letters: the font that comes with the package, how wide a text is, and where it breaks into lines."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from matplotlib import font_manager
from matplotlib.font_manager import FontEntry, FontProperties
from matplotlib.textpath import text_to_path

if TYPE_CHECKING:
    from matplotlib.text import Text

FONTS = Path(__file__).parent / "fonts"
NAME = "mathhammer Inter"  # a name of its own: an installed Inter of another version is never taken for it
WEIGHTS = {"Inter-Regular.otf": 400, "Inter-SemiBold.otf": 700}  # half bold is bold enough
PIECES = re.compile(r"\S+?\w-(?=\w)|\S+")  # words, and the parts of words with hyphens
FAMILY = (NAME, "DejaVu Sans")  # the second has the rare signs that the first lacks


@cache
def family() -> list[str]:
    """The families of every text, after the fonts of the package are known to matplotlib.

    >>> family()
    ['mathhammer Inter', 'DejaVu Sans']
    """
    known = {entry.name for entry in font_manager.fontManager.ttflist}
    if NAME not in known:
        font_manager.fontManager.ttflist += [
            FontEntry(
                fname=str(FONTS / file),
                name=NAME,
                style="normal",
                variant="normal",
                weight=weight,
                stretch="normal",
                size="scalable",
            )
            for file, weight in WEIGHTS.items()
        ]
    return list(FAMILY)


def letter(text: Text) -> Text:
    """The text in the package's font, every sign as it stands: `$` begins no formula."""
    text.set_parse_math(False)
    text.set_fontfamily(family())
    return text


@lru_cache(maxsize=4096)
def width_of(text: str, size: float, bold: bool = False) -> float:
    """How wide a line of text is, in inches.

    >>> width_of("WWW", 10.0) > 2 * width_of("iii", 10.0)
    True
    """
    properties = FontProperties(family=family(), weight=700 if bold else 400, size=size)
    wide, _, _ = text_to_path.get_text_width_height_descent(text, properties, ismath=False)
    return float(wide) / 72.0


def wrapped(text: str, inches: float, size: float, *, bold: bool = False, most: int | None = None) -> str:
    """The text in as few lines as fit, all about as long as each other, so that no word stands alone. It
    breaks at spaces and hyphens; beyond `most` lines it is cut with an ellipsis.

    >>> wrapped("Liberators against Clanrats: models slain", 2.4, 12.0, bold=True)
    'Liberators against\\nClanrats: models slain'
    """
    lines = _filled(text, inches, size, bold)
    if most is not None and len(lines) > most:
        kept = [*lines[: most - 1], shortened(" ".join(lines[most - 1 :]), inches, size, bold=bold)]
        return "\n".join(kept)
    low, high = 0.0, inches
    for _ in range(12 if len(lines) > 1 else 0):  # the narrowest column that takes no more lines
        middle = (low + high) / 2
        fewer = _filled(text, middle, size, bold, split=False)
        fits = len(fewer) <= len(lines) and max(width_of(line, size, bold) for line in fewer) <= middle
        low, high = (low, middle) if fits else (middle, high)
    return "\n".join(_filled(text, high, size, bold))


def shortened(text: str, inches: float, size: float, *, bold: bool = False) -> str:
    """The text, cut with an ellipsis where it is too wide.

    >>> shortened("Lord-Celestant on Dracothion", 1.0, 10.0)
    'Lord-Celesta…'
    """
    if width_of(text, size, bold) <= inches:
        return text
    while text and width_of(f"{text}…", size, bold) > inches:
        text = text[:-1].rstrip()
    return f"{text}…"


def shortened_within(text: str, inches: float, size: float, *, most: int = 1) -> str:
    """The text in at most so many lines, cut in its middle where it is too long: beginning and end are kept.

    >>> shortened_within("Lord-Celestant on Dracothion against Rats", 1.8, 10.0)
    'Lord-Celest… against Rats'
    """
    lines = _filled(text, inches, size, False)
    if len(lines) <= most:
        return "\n".join(lines)
    room = inches if most > 1 else 0.55 * inches
    words = text.split(" ")
    fits = (" ".join(words[-many:]) for many in range(len(words) - 1, 0, -1))
    end = next((one for one in fits if width_of(one, size) <= room), words[-1][-4:])
    if most == 1:
        return f"{shortened(text, inches - width_of(f' {end}', size), size)} {end}"
    begun = [*lines[: most - 2], shortened(" ".join(lines[most - 2 :]), inches, size)]
    return "\n".join([*begun, end])


def _filled(text: str, inches: float, size: float, bold: bool, split: bool = True) -> list[str]:
    """Lines filled one after the other; a word that is too wide for any line is split."""
    lines: list[str] = []
    line = ""
    for word in PIECES.findall(text):
        glue = "" if line.endswith("-") and f"{line}{word}" in text else " "
        longer = f"{line}{glue}{word}".strip()
        if not line or width_of(longer, size, bold) <= inches:
            line = longer
        else:
            lines.append(line)
            line = word
        while split and len(line) > 1 and width_of(line, size, bold) > inches:
            cut = max(1, _fitting(line, inches, size, bold))
            lines.append(line[:cut])
            line = line[cut:]
    return [*lines, line] if line or not lines else lines


def _fitting(word: str, inches: float, size: float, bold: bool) -> int:
    """How many letters of a word fit."""
    return next((cut for cut in range(len(word) - 1, 0, -1) if width_of(word[:cut], size, bold) <= inches), 1)
