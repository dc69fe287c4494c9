"""The web application: the page, its files, and the questions it asks. It keeps nothing between requests."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from importlib.resources import files
from threading import Lock
from typing import Any

import anyio
import anyio.from_thread
import anyio.lowlevel
import anyio.to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from mathhammer.errors import BadInputError, MathhammerError, TooLargeError
from mathhammer.serve import catalogue, question
from mathhammer.serve.answer import answer
from mathhammer.serve.fields import object_schema
from mathhammer.serve.guard import App, Guard
from mathhammer.serve.wording import page_words

MOST_BODY = 100_000  # bytes of a question
MOST_UPLOAD = 6_000_000  # of one with two lists
READING, WORKING, WAITING = 15.0, 30.0, 120.0  # seconds
AT_ONCE = 4  # questions that are worked on; the others wait
TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
Ask = Callable[[Any], dict[str, Any]]
Endpoint = Callable[[Request], Awaitable[Response]]
SIMULATING = Lock()  # one simulation at a time has all cores


def make_app(host: str = "127.0.0.1") -> App:
    """The application, for the names of that host only.

    >>> callable(make_app("127.0.0.1"))
    True
    """
    routes = [
        Route("/", _file("index.html", page_files()["index.html"])),
        *(Route(f"/static/{name}", _file(name, content)) for name, content in page_files().items()),
        Route("/favicon.ico", _file("icon.svg", page_files()["icon.svg"])),
        Route("/api/schema", asked_by_get(lambda _: schema())),
        Route("/api/games", asked_by_get(lambda _: catalogue.games())),
        Route("/api/game", asked_by_get(lambda given: catalogue.game_words(str(given.get("system", ""))))),
        Route("/api/units", asked_by_get(catalogue.search)),
        Route("/api/unit", asked_by_get(catalogue.unit)),
        Route("/api/answer", asked_by_post(one_simulation(answer)), methods=["POST"]),
        Route("/api/duel", asked_by_post(ask_duel), methods=["POST"]),
        Route("/api/list", asked_by_post(ask_lists, MOST_UPLOAD), methods=["POST"]),
        Route("/api/lists", asked_by_post(ask_lists, MOST_UPLOAD), methods=["POST"]),
    ]
    app = Starlette(routes=routes, exception_handlers={HTTPException: refused, Exception: failed})
    app.router.redirect_slashes = False
    return Guard(app, host)


def ask_duel(given: Any) -> dict[str, Any]:
    """A duel; what it needs is loaded with the first one."""
    from mathhammer.serve import duels

    return duels.answer_duel(given)


def ask_lists(given: Any) -> dict[str, Any]:
    """One list or two; what they need is loaded with the first one."""
    from mathhammer.serve import lists

    return lists.answer_lists(given)


def one_simulation(ask: Ask) -> Ask:
    """The same question, where only one simulation runs at a time: it takes all cores."""

    def asked(given: Any) -> dict[str, Any]:
        if isinstance(given, Mapping) and given.get("method") == "simulate":
            with SIMULATING:
                return ask(given)
        return ask(given)

    return asked


def page_files() -> dict[str, bytes]:
    """The files of the page by name; nothing else can be asked for.

    >>> "index.html" in page_files()
    True
    """
    folder = files("mathhammer.serve").joinpath("static")
    return {one.name: one.read_bytes() for one in folder.iterdir() if one.name.rpartition(".")[2] in TYPES}


def _file(name: str, content: bytes) -> Endpoint:
    async def give(_request: Request) -> Response:
        return Response(content, media_type=TYPES[name.rpartition(".")[2]])

    return give


def schema() -> dict[str, Any]:
    """The questions that can be asked, as JSON Schema, with the addresses that take them.

    >>> schema()["questions"]["/api/answer"]["required"]
    ['attackers']
    """
    from mathhammer.serve import duels, lists  # as above

    both = object_schema("One list, or two against each other", lists.FIELDS, lists.REQUIRED)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "schema": "mathhammer-serve/1",
        "questions": {
            "/api/answer": object_schema("Units against targets", question.FIELDS, question.REQUIRED),
            "/api/duel": object_schema("Two units fight it out", duels.FIELDS, duels.REQUIRED),
            "/api/list": both,
            "/api/lists": both,
        },
        "parameters": {
            "/api/games": object_schema("The games", (), ()),
            "/api/units": object_schema("Units by a part of their name", catalogue.SEARCH, ()),
            "/api/unit": object_schema("A unit and its switches", catalogue.UNIT, ("text",)),
        },
        "error": {"type": "object", "properties": {"error": {"type": "string"}}, "required": ["error"]},
    }


def asked_by_get(ask: Ask) -> Endpoint:
    """A question whose fields are in the address."""

    async def endpoint(request: Request) -> Response:
        return await worked_on(partial(ask, dict(request.query_params)))

    return endpoint


def asked_by_post(ask: Ask, most: int = MOST_BODY) -> Endpoint:
    """A question as JSON."""

    async def endpoint(request: Request) -> Response:
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            return sentence("request: not JSON (send content-type: application/json)", 415)
        try:
            with anyio.fail_after(READING):
                body = await _read(request, most)
        except TimeoutError:
            return sentence(f"request: took longer than {READING:g} seconds to arrive (send it again)", 408)
        if body is None:
            return sentence(f"request: larger than {most} bytes (send less)", 413)
        return await worked_on(lambda: ask(parsed(body)))

    return endpoint


async def _read(request: Request, most: int) -> bytes | None:
    """The body, or None where it is too large; no more than that is ever kept."""
    length = request.headers.get("content-length", "")
    if length.isascii() and length.isdigit() and (len(length) > 9 or int(length) > most):
        return None
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            return None
    return bytes(body)


def parsed(body: bytes) -> Any:
    """A question from its bytes, or one sentence.

    >>> parsed(b'{"seed": NaN}')
    Traceback (most recent call last):
    mathhammer.errors.BadInputError: request: not JSON: NaN is no number (write a plain number)
    """

    def no_number(word: str) -> Any:
        raise BadInputError(f"request: not JSON: {word} is no number (write a plain number)")

    try:
        return json.loads(body.decode("utf-8"), parse_constant=no_number)
    except UnicodeDecodeError:
        raise BadInputError("request: not UTF-8 (send JSON as UTF-8)") from None
    except json.JSONDecodeError as error:
        raise BadInputError(f"request: not JSON: {error.msg} in line {error.lineno} (send JSON)") from None
    except RecursionError:
        raise BadInputError("request: nested too deeply (a question has two levels)") from None
    except BadInputError:
        raise
    except ValueError:  # Python's limit on the digits of a number
        raise BadInputError("request: a number of thousands of digits (write a plain number)") from None


async def worked_on(work: Callable[[], dict[str, Any]]) -> Response:
    """The answer of a piece of work, in time, after its turn has come; what is wrong with the question is a
    sentence. Work that is given up keeps its turn until it has ended, so that never more than `AT_ONCE`
    are worked on.
    """
    turns = _turns()
    with anyio.move_on_after(WAITING) as waiting:
        await turns.acquire()  # who waits behind others does not lose the time for the own question
    if waiting.cancelled_caught:
        return sentence(f"answer: {WAITING:g} seconds behind other questions (ask again later)", 503)

    def and_free_the_turn() -> dict[str, Any]:
        try:
            return work()
        finally:
            anyio.from_thread.run_sync(turns.release)

    try:
        with anyio.fail_after(WORKING):
            found = await anyio.to_thread.run_sync(and_free_the_turn, abandon_on_cancel=True)
    except TooLargeError as error:
        return sentence(str(error), 422)
    except MathhammerError as error:
        return sentence(str(error), 400)
    except TimeoutError:
        return sentence(f"answer: took longer than {WORKING:g} seconds (ask for smaller units)", 503)
    return JSONResponse(found)


_TURNS: anyio.lowlevel.RunVar[anyio.Semaphore] = anyio.lowlevel.RunVar("turns")


def _turns() -> anyio.Semaphore:
    """How many questions are worked on at once, for the loop that runs."""
    try:
        return _TURNS.get()
    except LookupError:
        turns = anyio.Semaphore(AT_ONCE)
        _TURNS.set(turns)
        return turns


def sentence(text: str, status: int) -> Response:
    """What is wrong, in the words of the page, as JSON."""
    return JSONResponse({"error": page_words(text)}, status)


async def refused(_request: Request, error: Exception) -> Response:
    """An address or a method that is not there."""
    status = error.status_code if isinstance(error, HTTPException) else 400
    words = {404: "address: there is nothing here (see /api/schema)", 405: "method: not for this address"}
    return sentence(words.get(status, "request: cannot be answered"), status)


async def failed(_request: Request, error: Exception) -> Response:
    """What nobody thought of: a sentence, and never a traceback."""
    if isinstance(error, ClientDisconnect):
        return sentence("request: broken off", 400)
    return sentence(f"answer: something is wrong here ({type(error).__name__}); please report it", 500)
