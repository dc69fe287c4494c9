"""Random questions: an answer or one sentence, and nothing else. 500 in an ordinary run, 10,000 in a slow one."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mathhammer.errors import MathhammerError
from mathhammer.serve import answer
from mathhammer.serve.catalogue import search, unit
from mathhammer.serve.duels import answer_duel
from mathhammer.serve.lists import answer_lists
from mathhammer.serve.question import FIELDS

NAMES = (
    "Liberators",
    "Clanrats",
    "Rat Ogors",
    "Hero",
    "Intercessor Squad",
    "Boyz",
    "4+ health 2 x10",
    "T4 3+ W2 x10",
)
WORDS = (
    "charged",
    "in cover",
    "all-out attack",
    "+1 to hit",
    "ward 5+",
    "3 lost",
    "melee",
    "reinforced",
    "Crit (Mortal)",
)
ODD = (
    "",
    " ",
    ":",
    "with",
    "x",
    "9999 Clanrats",
    "0 Clanrats",
    "-1 Clanrats",
    "\ud800",
    "\0",
    "‮",
    "<script>",
    "../../etc",
    "%s%n",
    "A" * 400,
)
names = st.sampled_from([*NAMES, *ODD])
expressions = st.one_of(
    names,
    st.text(max_size=40),
    st.builds(
        lambda size, name, words: f"{size}{name}{': ' if words else ''}{', '.join(words)}",
        st.sampled_from(["", "1 ", "10 ", "200 ", "201 "]),
        names,
        st.lists(st.one_of(st.sampled_from(WORDS), st.text(max_size=12)), max_size=3),
    ),
)
anything = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20), expressions),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)
likely: dict[str, st.SearchStrategy[Any]] = {
    "targets": st.lists(expressions, max_size=2),
    "system": st.sampled_from([None, "aos4", "aos1", "wh40k10", "wh40k11", "diskwars", "uprising", "chess"]),
    "weapons": st.sampled_from([None, "best", "melee", "ranged", "all", "Warhammer", ",", "x,y"]),
    "situation": st.lists(st.one_of(st.sampled_from(WORDS), st.text(max_size=10)), max_size=2),
    "distance": st.one_of(st.none(), st.floats(), st.integers(-5, 300)),
    "method": st.sampled_from(["exact", "guess"]),
}
fields = st.sampled_from([field.name for field in FIELDS])
questions = st.one_of(
    anything,
    st.dictionaries(fields, anything, max_size=4),
    st.fixed_dictionaries({"attackers": st.lists(expressions, min_size=1, max_size=2)}, optional=likely),
)


def ask(ask_for: Any, question: Any) -> None:
    """An answer, or a sentence."""
    try:
        found = ask_for(question)
    except MathhammerError as error:
        assert str(error)
        assert "\n" not in str(error)
    else:
        assert isinstance(found, dict)


ordinary = settings(
    max_examples=150, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)


@ordinary
@given(questions)
def test_random_questions(question: Any) -> None:
    ask(answer, question)


@pytest.mark.slow
@ordinary
@given(
    st.dictionaries(st.sampled_from(["a", "b", "rounds", "distance", "system", "first"]), anything),
    expressions,
    expressions,
)
def test_random_duels(question: dict[str, Any], a: str, b: str) -> None:
    ask(answer_duel, question)
    ask(answer_duel, {"rounds": 1} | question | {"a": a, "b": b})


@pytest.mark.slow
@ordinary
@given(anything, st.text(max_size=30), expressions)
def test_random_lists_and_searches(question: Any, text: str, expression: str) -> None:
    ask(answer_lists, question)
    ask(answer_lists, {"list": text})
    ask(search, {"q": text, "system": "aos4"})
    ask(unit, {"text": expression, "side": "target"})


@pytest.mark.slow
@settings(max_examples=10_000, deadline=None, suppress_health_check=list(HealthCheck))
@given(questions)
def test_ten_thousand_random_questions(question: Any) -> None:
    ask(answer, question)
