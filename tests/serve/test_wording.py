"""What the page says is in the words of the page: its switches, not options of the command line or of Python."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from asking_page import ask, get, post, upload

from mathhammer.report.parts import UNJUDGED
from mathhammer.serve.wording import ON_THE_PAGE, page_words

ELSEWHERE = re.compile(r"(?<![\w-])--[a-z]|\b[a-z_]+=[\"']")
PARTLY = b"""system = "aos4"
name = "Partly"
[[regiment]]
[[regiment.unit]]
name = "Stormvermin"
[[regiment.unit]]
name = "Fnord Engines"
"""


def said(found: Any) -> Iterator[str]:
    """Every text of an answer but the lines for the command line and for Python, which are meant for these."""
    if isinstance(found, str):
        yield found
    elif isinstance(found, dict):
        yield from (text for name in found.keys() - {"command", "python"} for text in said(found[name]))
    elif isinstance(found, list):
        yield from (text for value in found for text in said(value))


def test_a_list_without_a_verdict_names_the_switch() -> None:
    found = post("/api/lists", {"list": upload(PARTLY)}).json()
    assert found["verdict"][0].startswith("No verdict: 1 of 2 units")
    assert found["verdict"][0].endswith("(the switch 'a verdict anyway' gives one for what is known)")
    assert found["lasting"][0]["lacks"] == [UNJUDGED.replace("--anyway", "the switch 'a verdict anyway'")]
    known = found["lists"][0]["known"]
    assert any(line.endswith("(the switch 'auras reach all friends' leaves them out)") for line in known)
    assert any(line.endswith("(write one into its file)") for line in found["lists"][0]["remarks"])
    told = [
        text.replace("import FOLDER --system aos4", "") for text in said(found)
    ]  # there is no switch for that
    assert [text for text in told if ELSEWHERE.search(text)] == []


def test_two_units_that_never_meet_are_told_which_field_helps() -> None:
    asked = {"a": "Liberators", "b": "Clanrats", "distance": 90, "rounds": 1}
    told = post("/api/duel", asked).json()["error"]
    assert told.endswith("nobody shoots so far (give a smaller distance, or let both move closer)")


def test_what_is_too_large_for_exact_names_the_method() -> None:
    assert page_words('fight: exact needs much (use method="simulate")') == (
        "fight: exact needs much (choose the method simulate)"
    )


def test_the_names_are_those_that_stand_on_the_page() -> None:
    page = "".join(ask("GET", path).text for path in ("/", "/static/lists.js"))
    for label in ("a verdict anyway", "auras reach all friends", "Who moves closer", ">simulate<"):
        assert label in page
    named = {name for there in ON_THE_PAGE.values() for name in re.findall("'(.+)'", there)}
    assert named == {"a verdict anyway", "auras reach all friends"}


@pytest.mark.parametrize(
    "more",
    [{}, {"attackers": ["Castigators"], "distance": 40}, {"trials": 5}, {"attackers": ["Liberatrs"]}],
    ids=["plain", "out of reach", "trials", "typo"],
)
def test_answers_name_no_options(more: dict[str, Any]) -> None:
    asked = {"attackers": ["Liberators", "Rat Ogors"], "targets": ["Clanrats"], "system": "aos4"} | more
    told = list(said(post("/api/answer", asked).json()))
    assert told
    assert [text for text in told if ELSEWHERE.search(text)] == []


def test_a_duel_names_no_options() -> None:
    found = post("/api/duel", {"a": "Liberators", "b": "Rat Ogors", "distance": 9, "rounds": 2}).json()
    assert "error" not in found
    assert [text for text in said(found) if ELSEWHERE.search(text)] == []
    assert "error" in get("/api/units", system="aos5", q="").json()
