"""The web application: what it gives, what it refuses, and that nothing but sentences comes of bad input."""

from __future__ import annotations

import json
import random
import time
from importlib import import_module
from typing import Any

import anyio
import pytest
from asking_page import ask, get, post, upload
from roster_files import ROSTERS

from mathhammer.serve import app as application
from mathhammer.serve import duels, lists
from mathhammer.serve.app import MOST_BODY, page_files, schema
from mathhammer.serve.guard import HEADERS
from mathhammer.serve.limits import time_limit
from mathhammer.serve.lists import MOST_BYTES

QUESTION = {"attackers": ["Liberators"], "targets": ["Clanrats"], "system": "aos4"}
EVIL = "<img src=x onerror=alert(1)>\"';--"


def test_the_page_and_its_files() -> None:
    page = ask("GET", "/")
    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "://" not in page.text
    for name in page_files():
        found = ask("GET", f"/static/{name}")
        assert found.status_code == 200
        assert f'"/static/{name}"' in page.text or name.endswith((".js", ".svg", ".html"))
        assert "https://" not in found.text
        assert "innerHTML" not in found.text
        assert "style=" not in found.text or not name.endswith(".html")
    assert ask("GET", "/favicon.ico").status_code == 200


@pytest.mark.parametrize("path", ["/", "/api/games", "/api/answer", "/nowhere"])
def test_every_answer_has_its_headers(path: str) -> None:
    found = ask("GET", path)
    for name, value in HEADERS.items():
        assert found.headers[name] == value
    policy = found.headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy


def test_games_units_and_switches() -> None:
    games = get("/api/games").json()
    assert "aos4" in {one["key"] for one in games["games"]}
    assert get("/api/units", system="aos4", q="rat og").json()["units"][0]["name"] == "Rat Ogors"
    assert get("/api/units", system="aos4", q="skaven hero").json()["found"] > 1
    shown = get("/api/unit", text="10 Liberators: charged").json()
    assert (shown["models"], shown["points"], shown["words"]) == (10, 180, ["charged"])
    assert get("/api/game", system="aos4").json()["targets"]


def test_the_answer_over_the_wire() -> None:
    found = post("/api/answer", QUESTION)
    assert found.status_code == 200
    assert found.headers["content-type"] == "application/json"
    assert found.json()["rows"][0]["slain"] == pytest.approx(6.0556, abs=1e-3)


def test_the_schema_fits_what_is_taken() -> None:
    found = get("/api/schema").json()
    assert found == json.loads(json.dumps(schema()))
    fields = found["questions"]["/api/answer"]
    assert set(QUESTION) <= set(fields["properties"])
    assert fields["required"] == ["attackers"]
    assert not fields["additionalProperties"]


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8765",
        "10.0.0.1",
        "localhost.evil.example",
        "",
        "a b",
        "[::1",
        "127.0.0.1.nip.io",
    ],
)
def test_foreign_hosts_are_refused(host: str) -> None:
    found = ask("GET", "/api/games", headers={"host": host})
    assert found.status_code == 403
    assert found.json()["error"].startswith("host: ")


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.0.0.1:8765", "[::1]:8765"])
def test_own_hosts_are_served(host: str) -> None:
    assert ask("GET", "/api/games", headers={"host": host}).status_code == 200


def test_on_a_network_addresses_are_served_and_foreign_names_are_not() -> None:
    assert (
        ask("GET", "/api/games", served_on="0.0.0.0", headers={"host": "192.168.1.5:8765"}).status_code == 200
    )
    assert ask("GET", "/api/games", served_on="0.0.0.0", headers={"host": "evil.example"}).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://localhost:9999"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_other_sites_may_not_ask(headers: dict[str, str]) -> None:
    found = post("/api/answer", QUESTION, headers=headers)
    assert found.status_code == 403
    assert found.json()["error"].startswith("origin: ")


def test_the_page_itself_may() -> None:
    headers = {"origin": "http://localhost:8765", "sec-fetch-site": "same-origin"}
    assert post("/api/answer", QUESTION, headers=headers).status_code == 200
    assert ask("GET", "/", headers={"sec-fetch-site": "cross-site"}).status_code == 200  # a link to it


@pytest.mark.parametrize(
    ("content", "status", "words"),
    [
        (b"", 400, "not JSON"),
        (b"{", 400, "not JSON"),
        (b"\xff", 400, "not UTF-8"),
        (b"[" * 50_000, 400, "nested too deeply"),
        (b'{"seed": NaN}', 400, "NaN is no number"),
        (b'{"seed": ' + b"9" * 5000 + b"}", 400, "thousands of digits"),
        (b" " * (MOST_BODY + 1), 413, "larger than"),
        (b'"text"', 400, "give an object"),
        (b"null", 400, "give an object"),
    ],
)
def test_broken_questions(content: bytes, status: int, words: str) -> None:
    found = ask("POST", "/api/answer", content=content, headers={"content-type": "application/json"})
    assert found.status_code == status
    assert words in found.json()["error"]


def test_other_addresses_methods_and_kinds_of_content() -> None:
    assert ask("GET", "/static/../app.py").status_code == 404
    assert ask("GET", "/static/%2e%2e/app.py").status_code == 404
    assert ask("GET", "/etc/passwd").json() == {"error": "address: there is nothing here (see /api/schema)"}
    assert ask("GET", "/api/answer").status_code == 405
    assert ask("DELETE", "/").status_code == 405
    plain = ask("POST", "/api/answer", content=b"{}", headers={"content-type": "text/plain"})
    assert (plain.status_code, plain.json()["error"][:8]) == (415, "request:")
    assert get("/api/unit", text="Liberators", system="aos4", nonsense="1").status_code == 400


def test_too_much_work_is_refused_with_a_sentence() -> None:
    found = post("/api/answer", {"attackers": ["500 Clanrats"], "system": "aos4"})
    assert (found.status_code, found.json()["error"]) == (
        422,
        "answer: Clanrats: 500 models (at most 200 on the page)",
    )
    wide = post("/api/answer", {"attackers": ["Boyz"], "targets": ["T4 3+ W30 x60"], "system": "wh40k11"})
    assert (wide.status_code, wide.json()["error"]) == (
        422,
        "answer: T4 3+ W30 x60: 1800 wounds (at most 300 on the page)",
    )
    pool = post("/api/answer", {"attackers": ["Liberators"], "targets": ["3+ health 30 x60"]})
    assert pool.status_code == 200  # damage that pools is no more work for many wounds
    duel = post("/api/duel", {"a": "200 Liberators", "b": "200 Clanrats", "system": "aos4"})
    assert duel.status_code == 422


def test_what_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    from time import sleep

    monkeypatch.setattr(application, "WORKING", 0.05)

    async def slow() -> int:
        return (await application.worked_on(lambda: sleep(0.5) or {})).status_code  # type: ignore[func-returns-value]

    assert anyio.run(slow) == 503


def test_work_that_is_given_up_keeps_its_turn_until_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(application, "WORKING", 0.05)
    monkeypatch.setattr(application, "WAITING", 0.05)
    monkeypatch.setattr(application, "AT_ONCE", 1)

    def slow() -> dict[str, Any]:
        time.sleep(0.4)
        return {}

    async def main() -> list[tuple[int, bytes]]:
        found = []
        for pause, work in ((0.0, slow), (0.6, dict), (0.0, dict)):
            answered = await application.worked_on(work)
            found.append((answered.status_code, bytes(answered.body)))
            await anyio.sleep(pause)
        return found

    given_up, behind, after = anyio.run(main)
    assert after == (200, b"{}")
    assert given_up[0] == 503
    assert b"took longer than 0.05 seconds" in given_up[1]
    assert behind == (503, b'{"error":"answer: 0.05 seconds behind other questions (ask again later)"}')


@pytest.mark.parametrize(
    ("path", "question"),
    [
        ("/api/answer", QUESTION),
        ("/api/list", {"list": upload((ROSTERS / "kilns.ros").read_bytes())}),
    ],
)
def test_work_ends_between_fights_once_its_time_is_over(
    path: str, question: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("answer", "lists"):  # by name: `mathhammer.serve.answer` is also the function
        monkeypatch.setattr(import_module(f"mathhammer.serve.{module}"), "time_limit", lambda: time_limit(-1))
    found = post(path, question)
    assert (found.status_code, found.json()["error"]) == (
        422,
        "answer: more than -1 seconds of work (ask for fewer or smaller units)",
    )


def test_a_list_of_too_many_wounds_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "MOST_LIST_WOUNDS", 5)
    found = post("/api/list", {"list": upload((ROSTERS / "kilns.ros").read_bytes())})
    assert found.status_code == 422
    assert found.json()["error"].endswith("wounds (at most 5 on the page)")


def test_a_fault_of_ours_is_a_sentence_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_given: Any) -> dict[str, Any]:
        raise ZeroDivisionError("a secret")

    monkeypatch.setattr(duels, "answer_duel", broken)
    found = post("/api/duel", {"a": "Liberators", "b": "Clanrats"})
    assert found.status_code == 500
    assert "secret" not in found.text
    assert "ZeroDivisionError" in found.json()["error"]


@pytest.mark.parametrize("path", ["/api/answer", "/api/duel", "/api/unit"])
def test_hostile_names_come_back_as_text_only(path: str) -> None:
    if path == "/api/unit":
        found = get(path, text=EVIL)
    else:
        found = post(path, {"attackers": [EVIL]} if path == "/api/answer" else {"a": EVIL, "b": EVIL})
    assert found.status_code == 400
    assert found.headers["content-type"] == "application/json"
    assert found.headers["x-content-type-options"] == "nosniff"


def test_a_duel_with_its_rounds() -> None:
    found = post("/api/duel", {"a": "Liberators", "b": "Clanrats", "rounds": 3, "distance": 9}).json()
    assert [one["round"] for one in found["rounds"]] == [1, 2, 3]
    assert found["command"] == "mathhammer duel Liberators Clanrats --rounds 3 --distance 9 --system aos4"
    assert found["rounds"][-1]["p_win"] == pytest.approx(found["answer"]["p_win"], abs=1e-12)


# --- lists ----------------------------------------------------------------------------------------------------------------


def test_a_list_has_its_coverage_and_a_heat_map() -> None:
    found = post("/api/list", {"list": upload((ROSTERS / "kilns.ros").read_bytes())})
    assert found.status_code == 200, found.text
    (one,) = found.json()["lists"]
    assert "have a datasheet" in one["known"][0]
    (heat,) = found.json()["maps"]
    cell = heat["cells"][0][0]
    assert sum(cell["chances"]) == pytest.approx(1.0, abs=0.01)
    assert cell["kind"] in ("melee", "ranged")


def test_two_lists_against_each_other() -> None:
    kilns = upload((ROSTERS / "kilns.ros").read_bytes())
    found = post("/api/lists", {"list": kilns, "other": kilns, "situation": ["charged"]}).json()
    assert len(found["maps"]) == 2
    assert "strikes first" in found["verdict"][0]
    assert "charged" in found["conditions"]


def test_lists_of_two_games_are_refused() -> None:
    one, other = (upload((ROSTERS / name).read_bytes()) for name in ("kilns.ros", "glass.ros"))
    found = post("/api/lists", {"list": one, "other": other})
    assert found.status_code == 400
    assert "give two lists of one game" in found.json()["error"]


@pytest.mark.parametrize(
    ("data", "status"),
    [
        ("", 400),
        ("!!", 400),
        (upload(b"   "), 400),
        (upload(b"PK\x03\x04" + b"\0" * 100), 400),
        (upload(b"<roster>" * 1000), 400),
        (upload(b"/etc/passwd"), 400),
        (upload(b"\0" * (MOST_BYTES + 1)), 422),
        (upload(bytes(range(256)) * 20), 400),
        (5, 400),
    ],
)
def test_broken_uploads(data: Any, status: int) -> None:
    found = post("/api/list", {"list": data})
    assert found.status_code == status
    assert found.json()["error"]


def test_an_oversized_upload_is_not_read() -> None:
    assert post("/api/list", {"list": "A" * 7_000_000}).status_code == 413


def test_mutilated_uploads_are_sentences() -> None:
    chance = random.Random(5)
    for name in ("kilns.ros", "wh40k_app.txt", "listforge.json", "army.toml"):
        content = bytearray((ROSTERS / name).read_bytes())
        for _ in range(6):
            broken = bytearray(content[: chance.randrange(1, len(content))])
            for _ in range(20):
                broken[chance.randrange(len(broken))] = chance.randrange(256)
            found = post("/api/list", {"list": upload(bytes(broken))})
            assert found.status_code in (200, 400, 422)
            assert found.status_code == 200 or found.json()["error"]


def test_who_waits_behind_others_keeps_the_time_for_the_own_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(application, "WORKING", 0.5)
    monkeypatch.setattr(application, "AT_ONCE", 1)

    def work() -> dict[str, Any]:
        time.sleep(0.2)
        return {}

    async def main() -> list[int]:
        found: list[int] = []

        async def one() -> None:
            found.append((await application.worked_on(work)).status_code)

        async with anyio.create_task_group() as group:
            for _ in range(5):
                group.start_soon(one)
        return found

    assert anyio.run(main) == [200] * 5
