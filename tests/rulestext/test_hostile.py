"""Texts of strangers: whatever they hold, a reading comes back, soon, and datasheets take its effects."""

from __future__ import annotations

import random
import signal
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathhammer import make_unit
from mathhammer.rulestext import RulesText, read_rule
from mathhammer.rulestext.grammar import productions
from mathhammer.rulestext.normal import LONGEST, LONGEST_SENTENCE

SYSTEMS = {"aos4": {"health": 2}, "wh40k10": {"toughness": 4, "wounds": 2}}
PIECES = (
    " ", "\n", "a", "A ", "1", "(", ")", "[", "- ", "• ", ", ", "; ", ": ", "and ", "or ", "that ", "a friendly ", "enemy ", "each time ",
    "if ", "while ", "within 6\" of ", "this unit ", "the target ", "add 1 to ", "roll ", "on a 4+, ", "models in ", "excluding ", "non-", "'s ",
)  # fmt: skip
LIMIT = 6.0  # seconds of the processor for one text of the greatest length


class LateError(Exception):
    """The time is up."""


def late(*_: object) -> None:
    raise LateError


def nasty() -> Iterator[str]:
    for piece in PIECES:
        yield (piece * LONGEST)[:LONGEST]
        for head in (
            "Each time this unit makes an attack that targets ",
            "If ",
            "Pick ",
            "Add 1 to hit rolls for ",
        ):
            yield (head + piece * LONGEST)[: LONGEST_SENTENCE - 2]


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="a clock for the processor's time")
@pytest.mark.parametrize("system", SYSTEMS)
def test_no_text_takes_long(system: str) -> None:
    before = signal.signal(signal.SIGVTALRM, late)
    try:
        for text in nasty():
            signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT)
            read_rule(RulesText(text, declare=text, kind="Ability (Activated)"), system)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


WORDS = sorted(
    {word for rule in productions() for word in rule.example.replace("\n", " ").split(" ") if word}
)


def accepted(system: str, text: str) -> None:
    """The reading of a text stands in a datasheet as it is."""
    reading = read_rule(RulesText(text), system)
    assert reading.state in ("whole", "part", "unread", "none")
    ability = {
        "name": "Rule",
        "about": reading.about,
        "rest": list(reading.rest),
        "effect": [dict(effect) for effect in reading.effects],
    }
    make_unit(system, {"name": "Unit", **SYSTEMS[system], "ability": [ability]})


@pytest.mark.parametrize("system", SYSTEMS)
@settings(max_examples=150, deadline=None)
@given(words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=40))
def test_words_in_any_order(system: str, words: list[str]) -> None:
    accepted(system, " ".join(words))


@pytest.mark.parametrize("system", SYSTEMS)
def test_examples_cut_and_put_together(system: str) -> None:
    dice = random.Random(7)
    examples = [rule.example for rule in productions()]
    for _ in range(300):
        first, second = dice.choice(examples), dice.choice(examples)
        accepted(system, first[: dice.randrange(len(first))] + second[dice.randrange(len(second)) :])


@pytest.mark.parametrize("system", SYSTEMS)
@settings(max_examples=100, deadline=None)
@given(text=st.text(max_size=200))
def test_any_text(system: str, text: str) -> None:
    accepted(system, text)
