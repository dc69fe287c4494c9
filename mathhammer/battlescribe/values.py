"""The values of a profile: counts, rolls and distances as people type them, with the usual slips mended."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

from mathhammer.dice.notation import parse_dice
from mathhammer.errors import BadInputError, MathhammerError
from mathhammer.text import clip, fold, is_dash

MOST_POINTS = 1_000_000


class UnreadableError(BadInputError):
    """A value that stands for no number, such as `*` or a reference to an ability.

    >>> count("*")
    Traceback (most recent call last):
    mathhammer.battlescribe.values.UnreadableError: '*' is not a number or dice text
    """


def count(text: str) -> int | str:
    """Attacks or Damage: a number or dice text in its plain form.

    >>> count("2d6+2"), count("D6+0"), count(" 3 "), count("8+")
    ('2D6+2', 'D6', 3, 8)
    """
    plain = fold(text).rstrip("+").replace("*", "") if re.fullmatch(r"\d+\+", fold(text)) else fold(text)
    try:
        dice = parse_dice(plain)
    except MathhammerError:
        raise UnreadableError(f"{clip(text)} is not a number or dice text") from None
    return dice.plus if dice.fixed else str(dice)


def number(text: str) -> int:
    """A plain number, with or without a plus, inch mark or sign: `8+`, `18"`, `-2`; a dash is 0.

    >>> number("8+"), number("-2"), number("-"), number('20+"'), number("7")
    (8, -2, 0, 20, 7)
    """
    if is_dash(text):
        return 0
    match = re.fullmatch(r'([+-]?\d{1,5})\+?"?\+?', fold(text).replace(" ", ""))
    if match is None:
        raise UnreadableError(f"{clip(text)} is not a number")
    return int(match[1])


def roll(text: str) -> int | None:
    """A roll such as `3+` or a bare `3`; None where there is none (a dash, or 7+).

    >>> roll("3+"), roll("4"), roll("7+"), roll("N/A")
    (3, 4, None, None)
    """
    if is_dash(text):
        return None
    value = number(text)
    if value == 1:
        raise UnreadableError(f"{clip(text)} is not a roll of a D6")
    return value if 2 <= value <= 6 else None


def inches(text: str) -> int | str | None:
    """A distance: a number, dice text, or None for a dash.

    >>> inches('6"'), inches('20+"'), inches('20"+'), inches('D6+8"'), inches("-")
    (6, 20, 20, 'D6+8', None)
    """
    if is_dash(text):
        return None
    return count(fold(text).replace('"', "").replace("''", "").strip().rstrip("+"))


def points(text: str) -> int:
    """Points as whole numbers, from `965`, `965.0` or `1,995`; anything beyond reason is refused.

    >>> points("965.0"), points("1,995")
    (965, 1995)
    """
    try:
        value = Decimal(text.replace(",", "").strip() or "0") if len(text) < 40 else Decimal("NaN")
    except InvalidOperation:
        value = Decimal("NaN")
    if not value.is_finite() or abs(value) > MOST_POINTS or value != value.to_integral_value():
        raise UnreadableError(f"{clip(text)} are not points")
    return int(value)


def whole(text: str, high: int, default: int = 0) -> int:
    """A number of models or items from 0 to `high`; `default` where nothing is said.

    >>> whole("5", 100), whole("5.0", 100), whole("", 100, 1)
    (5, 5, 1)
    """
    if not text:
        return default
    try:
        value = Decimal(text) if len(text) < 40 else Decimal("NaN")
    except InvalidOperation:
        value = Decimal("NaN")
    if not value.is_finite() or not 0 <= value <= high or value != value.to_integral_value():
        raise UnreadableError(f"{clip(text)} is not a number from 0 to {high}")
    return int(value)
