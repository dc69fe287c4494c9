"""Small pieces of HTML: how results show themselves in notebooks and reports. Colours
follow the page's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

MOST_BARS = 60
BOX = "display:inline-block;margin:0 1.2em 0.6em 0;vertical-align:top;font-family:sans-serif"


def bars_svg(
    chances: Sequence[float], *, label: str, width: int = 240, height: int = 64, most: int = MOST_BARS
) -> str:
    """A distribution as a little picture: a step for each value, or for several, where there are more than
    `most`.

    >>> 'd="M0 50V0h120V0h120V50z"' in bars_svg([0.5, 0.5], label="a coin")
    True
    """
    shown = max((value for value, chance in enumerate(chances) if chance > 0.0005), default=0) + 1
    each = -(-shown // most)
    sums = [sum(chances[start : start + each]) for start in range(0, shown, each)]
    step, peak, floor = width / len(sums), max(sums) or 1.0, height - 14
    path = (
        f"M0 {floor}"
        + "".join(f"V{round((1 - share / peak) * floor)}h{round(step, 1):g}" for share in sums)
        + f"V{floor}z"
    )
    last = (len(sums) - 1) * each
    ends = "" if not last else f'<text x="{width - step / 2:.0f}" y="{height - 2}">{last}</text>'
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        f'aria-label="{escape(label)}" '
        f'font-size="10" fill="currentColor" text-anchor="middle"><path d="{path}" '
        f'opacity=".7"/><path d="M0 {floor}h{width}v1H0z"/>'
        f'<text x="{step / 2:.0f}" y="{height - 2}">0</text>{ends}</svg>'
    )


def distribution_card(
    title: str, chances: Sequence[float], mean: float, sd: float, tenths: tuple[int, int, int], note: str
) -> str:
    """A distribution with its numbers: mean, spread, what one roll in ten, the middle and
    nine in ten stay at or below.
    """
    low, middle, high = tenths
    words = f"{title}: {mean:.3g} on average, {low} to {high} in eight of ten rolls"
    return (
        f'<div style="{BOX}"><b>{escape(title)}</b><br>{bars_svg(chances, label=words)}<br>'
        f"mean {mean:.2f}, spread {sd:.2f}<br>10/50/90 %: "
        f"{low}/{middle}/{high}<br><small>{escape(note)}</small></div>"
    )


def result_card(title: str, cards: Sequence[str], lines: Sequence[str]) -> str:
    """A result: its title, the cards of its distributions, and a few lines."""
    below = "<br>".join(escape(line) for line in lines)
    return (
        "<div "
        f'style="font-family:sans-serif"><b>{escape(title)}</b><br>{"".join(cards)}<div>{below}</div></div>'
    )


def unit_card(title: str, lines: Sequence[str], weapons: Sequence[Sequence[object]]) -> str:
    """A unit: its title, a few lines, and its weapons.

    >>> "<td>Axe</td>" in unit_card("Orcs", ["10 models"], [("Axe", "melee", 10, "2", "1", "Crit (Mortal)")])
    True
    """
    return _table_card(title, lines, ("Weapon", "Kind", "Models", "Attacks", "Damage", ""), weapons)


def rows_card(title: str, lines: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A list of things with their numbers; the first row holds the headings."""
    return _table_card(title, lines, rows[0], rows[1:])


def _table_card(
    title: str, lines: Sequence[str], headings: Sequence[object], rows: Sequence[Sequence[object]]
) -> str:
    head = "".join(f"<th>{escape(str(cell))}</th>" for cell in headings)
    body = "".join(f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in row)}</tr>" for row in rows)
    table = f"<table><tr>{head}</tr>{body}</table>" if rows else ""
    below = "<br>".join(escape(line) for line in lines if line)
    return f'<div style="font-family:sans-serif"><b>{escape(title)}</b><br>{below}{table}</div>'
