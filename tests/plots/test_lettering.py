"""The font, and where texts break."""

from __future__ import annotations

import pytest
from matplotlib.font_manager import FontProperties, findfont
from matplotlib.ft2font import FT2Font

from mathhammer.plots.lettering import FONTS, NAME, family, shortened, width_of, wrapped

SIGNS = "×±−…’‘“”–·≥≤½°āēīōūÄÖÜäöüßéèêëíñóøúŁłŠšŽžÅåÆæŒœ$%+•→"


@pytest.mark.parametrize("weight", [400, 700])
def test_letters_come_from_the_package(weight: int) -> None:
    path = findfont(FontProperties(family=family(), weight=weight), fallback_to_default=False)
    assert path.startswith(str(FONTS))
    assert family()[0] == NAME
    known = FT2Font(path).get_charmap()
    assert [sign for sign in SIGNS if ord(sign) not in known] == []


def test_lines_fit_and_are_about_as_long() -> None:
    text = "Rats, Ogors and Brutes against the whole of the line: models slain in eight of ten rolls"
    lines = wrapped(text, 3.0, 12.0, bold=True).split("\n")
    wide = [width_of(line, 12.0, True) for line in lines]
    assert len(lines) > 1
    assert " ".join(lines) == text
    assert max(wide) <= 3.0
    assert min(wide) > 0.6 * max(wide)


def test_a_word_that_is_too_long_is_split_and_none_is_lost() -> None:
    text = "A" * 90 + " and B"
    lines = wrapped(text, 1.5, 10.0).split("\n")
    assert max(width_of(line, 10.0) for line in lines) <= 1.5
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_hyphens_are_places_to_break() -> None:
    assert wrapped("Mega-gargant", 0.62, 9.5) == "Mega-\ngargant"
    assert wrapped("Mega-gargant", 2.0, 9.5) == "Mega-gargant"
    assert wrapped("10 - 20 half-range", 5.0, 9.5) == "10 - 20 half-range"


def test_what_is_cut_says_so() -> None:
    assert wrapped("one two three four five", 0.5, 10.0, most=2).endswith("…")
    assert wrapped("one two three four five", 0.5, 10.0, most=2).count("\n") == 1
    assert shortened("Rats", 5.0, 10.0) == "Rats"
