"""The colours of the page and of the report can be read: contrast as WCAG 2 AA asks, in light and in dark."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from mathhammer.report.heat import DARK_INK_UP_TO, LIGHT_INK_UP_TO

TEXT, SHAPE = 4.5, 3.0  # least contrast of text, and of borders of fields and of lines in charts
PAGE = files("mathhammer.serve").joinpath("static/page.css").read_text(encoding="utf-8")
REPORT = files("mathhammer.report").joinpath("templates/report.css").read_text(encoding="utf-8")


def themes(sheet: str) -> dict[str, dict[str, str]]:
    """The colours of each theme by name: a sheet's first block is light, and each other one changes it."""
    blocks = re.findall(r":root[^{]*\{([^}]*)\}", sheet.partition("@media print")[0])
    named = [dict(re.findall(r"--(\w+): (#[0-9a-f]+)", block)) for block in blocks]
    return {"light": named[0], "dark": named[0] | named[1]}


def channels(colour: str) -> list[float]:
    digits = colour.removeprefix("#")
    digits = "".join(2 * digit for digit in digits) if len(digits) == 3 else digits
    return [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]


def luminance(rgb: list[float]) -> float:
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: list[float], other: list[float]) -> float:
    dark, light = sorted([luminance(one), luminance(other)])
    return (light + 0.05) / (dark + 0.05)


def test_the_measure_itself() -> None:
    assert contrast(channels("#000"), channels("#fff")) == pytest.approx(21.0)
    assert contrast(channels("#777777"), channels("#fff")) == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_and_shapes_of_the_page(theme: str) -> None:
    colours = {name: channels(colour) for name, colour in themes(PAGE)[theme].items()}
    for ground in ("paper", "card", "best"):
        for ink in ("ink", "muted", "link", "bad"):
            assert contrast(colours[ink], colours[ground]) >= TEXT, (ink, ground)
    for ink in ("c1", "c2", "c3", "c4", "c5", "c6"):
        assert contrast(colours[ink], colours["paper"]) >= TEXT, ink
    for ground in ("paper", "card"):
        assert contrast(colours["field"], colours[ground]) >= SHAPE
    for ground in ("link", "c1", "c2", "muted"):  # where paper is the ink
        assert contrast(colours["paper"], colours[ground]) >= TEXT


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_of_the_report(theme: str) -> None:
    colours = {name: channels(colour) for name, colour in themes(REPORT)[theme].items()}
    for ground in ("paper", "card"):
        for ink in ("ink", "muted", "link"):
            assert contrast(colours[ink], colours[ground]) >= TEXT, (ink, ground)


@pytest.mark.parametrize("sheet", [PAGE, REPORT], ids=["page", "report"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_numbers_in_heat_maps_at_every_share(theme: str, sheet: str) -> None:
    colours = {name: channels(colour) for name, colour in themes(sheet)[theme].items()}
    black, white = [0.0] * 3, [1.0] * 3
    for share in (n / 100 for n in range(101)):
        mixed = zip(colours["heat"], colours["paper"], strict=True)
        ground = [share * heat + (1 - share) * paper for heat, paper in mixed]
        if theme == "light":
            ink = black if share <= DARK_INK_UP_TO else white
        else:
            ink = white if share <= LIGHT_INK_UP_TO else black
        assert contrast(ink, ground) >= TEXT, share


def test_the_page_changes_ink_where_the_report_does() -> None:
    script = files("mathhammer.serve").joinpath("static/lists.js").read_text(encoding="utf-8")
    assert f"cell.share > {DARK_INK_UP_TO} ?" in script
    assert f"cell.share > {LIGHT_INK_UP_TO} ?" in script
