"""How a chart looks and what stands around it: theme, size, headline, conditions, source and credit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypedDict

import mathhammer
from mathhammer.compare.answering import skipped_lines
from mathhammer.dataclass import dataclass
from mathhammer.errors import BadInputError, UnknownNameError
from mathhammer.units.circumstances import not_counted_text, shared

if TYPE_CHECKING:
    from mathhammer.engine.result import Result


@dataclass(frozen=True, slots=True)
class Preset:
    """The size of a picture: width and height in inches, dots to an inch, whether it may grow longer."""

    size: tuple[float, float]
    dots: int
    grows: bool
    line: str


PRESETS: dict[str, Preset] = {
    "blog": Preset((8.0, 4.5), 200, True, "1600 dots wide, the column of a blog"),
    "phone": Preset((4.5, 5.625), 240, True, "1080 x 1350, upright, large letters"),
    "card": Preset((6.25, 3.28125), 192, False, "1200 x 630, the preview of a link"),
}


class LookWords(TypedDict, total=False):
    """The keywords that every plot function takes besides `ax`, with the types of `Look`."""

    theme: str
    title: str | None
    subtitle: str
    conditions: str | None
    source: str | None
    credit: str
    preset: str
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Look:
    """How a chart looks; what is None is made from what the chart shows.

    `title` is the headline, `subtitle` a line of your own below it; `conditions` say what the numbers hold
    under, `remarks` what a reader should know; `source` and `credit` stand at the bottom.

    >>> Look(theme="dark", credit="Chart: Anna").credit
    'Chart: Anna'
    """

    theme: str = "light"
    title: str | None = None
    subtitle: str = ""
    conditions: str | None = None
    source: str | None = None
    credit: str = ""
    preset: str = "blog"
    remarks: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("title", "subtitle", "conditions", "source", "credit"):
            given = getattr(self, name)
            if given is not None:
                object.__setattr__(self, name, checked_words(name, given))
        if self.preset not in PRESETS:
            raise UnknownNameError("chart", "preset", str(self.preset), PRESETS)

    def about(self, results: Sequence[Result]) -> Look:
        """The same, with the conditions, the source line and the remarks of results where none are given."""
        told = self.remarks or (
            *(line for one in results for line in skipped_lines(one.attacker, one.target, one)),
            *left_out(results),
        )
        return replace(
            self,
            conditions=conditions_line(results) if self.conditions is None else self.conditions,
            source=source_of(results) if self.source is None else self.source,
            remarks=tuple(dict.fromkeys(told)),
        )


def checked_words(name: str, given: object) -> str:
    """A text for a chart in one line; an error for what is no text, or cannot be shown.

    >>> checked_words("title", "two  lines\\nof words")
    'two lines of words'
    """
    if not isinstance(given, str):
        raise BadInputError(f"chart: {name} {given!r} is not a text (write it in quotes)")
    text = " ".join(given.split())
    if not text.isprintable():
        raise BadInputError(
            f"chart: {name} {given!r} has signs that cannot be shown (use letters and digits)"
        )
    return text


def left_out(results: Sequence[Result]) -> list[str]:
    """The rules that the numbers leave out, as one remark; an empty list where there is none."""
    rules = list(dict.fromkeys(rule for result in results for rule in result.not_counted))
    return [not_counted_text(rules)] if rules else []


def source_line(
    edition: str = "", method: str = "exact", trials: int | None = None, seed: int | None = None
) -> str:
    """Where the numbers of a chart come from: rules edition, method, version.

    >>> source_line("Some game, 4th edition").rpartition(" ")[0]
    'Some game, 4th edition · exact · mathhammer'
    """
    if trials is not None:
        method = f"simulated, {trials:,} trials" + ("" if seed is None else f", seed {seed}")
    return " · ".join(part for part in (edition, method, f"mathhammer {mathhammer.__version__}") if part)


def source_of(results: Sequence[Result]) -> str:
    """The source line of results; every game and every method among them is named once."""
    lines = [
        source_line(result.edition, result.method, result.trials, result.seed).split(" · ")
        for result in results
    ]
    return " · ".join(dict.fromkeys(part for parts in zip(*lines, strict=True) for part in parts))


def conditions_line(results: Sequence[Result]) -> str:
    """What all results hold under."""
    pairs = {(result.attacker, result.target) for result in results}
    return str(shared([result.conditions for result in results], apart=len(pairs) < len(results)))
