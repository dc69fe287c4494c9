"""Every production reads the sentence that shows it, whole; every predicate holds for its own."""

from __future__ import annotations

import pytest

from mathhammer.rulestext.conditions import condition
from mathhammer.rulestext.frame import SELF, Frame, Who
from mathhammer.rulestext.grammar import productions, starting_with
from mathhammer.rulestext.predicates import PREDICATES, Predicate
from mathhammer.rulestext.productions import Production, first_word, heads
from mathhammer.rulestext.reader import read
from mathhammer.rulestext.reading import RulesText

FAMILIES = ("wh40k", "sigmar")


@pytest.mark.parametrize("rule", productions(), ids=lambda rule: rule.id)
def test_a_production_reads_its_example(rule: Production) -> None:
    families = (rule.family,) if rule.family else FAMILIES
    readings = [read(RulesText(rule.example), family) for family in families]
    whole = [reading for reading in readings if not reading.rest and rule.id in reading.productions]
    assert whole, [(reading.productions, reading.rest) for reading in readings]


def test_examples_are_told_once() -> None:
    assert len({rule.id for rule in productions()}) == len(productions())
    assert len({rule.id for rule in PREDICATES}) == len(PREDICATES)


FRAMES = (
    Frame(by=SELF, foe=Who("foes"), attack=True),
    Frame(it=Who("foes"), by=SELF, attack=True),
    Frame(it=Who("friends")),
)


@pytest.mark.parametrize("rule", PREDICATES, ids=lambda rule: rule.id)
def test_a_predicate_holds_for_its_example(rule: Predicate) -> None:
    assert any(condition(rule.example, frame) is not None for frame in FRAMES)
    subject, _, said = rule.example.partition(" ")
    assert subject == "it"
    assert rule.pattern.fullmatch(said), rule.example


def test_the_index_leaves_no_production_out() -> None:
    """What a clause begins with is found by its first word: the index must let the right ones through."""
    for rule in productions():
        for family in (rule.family,) if rule.family else FAMILIES:
            found = {one.id for one in starting_with("each", family)}
            assert rule.id in found or heads(rule.pattern.pattern) is not None
    assert first_word("Each time") == "each"
