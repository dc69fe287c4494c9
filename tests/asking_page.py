"""Requests to the page of `mathhammer serve`, without a network."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import anyio
import httpx

from mathhammer.serve.app import make_app

BASE = "http://localhost:8765"


def ask(method: str, path: str, *, served_on: str = "127.0.0.1", **rest: Any) -> httpx.Response:
    """One request and its answer; an error of the application is an answer too."""

    async def go() -> httpx.Response:
        transport = httpx.ASGITransport(app=make_app(served_on), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url=BASE) as client:
            return await client.request(method, path, **rest)

    return anyio.run(go)


def get(path: str, **fields: Any) -> httpx.Response:
    return ask("GET", path, params=fields)


def post(path: str, question: Any, **rest: Any) -> httpx.Response:
    return ask("POST", path, json=question, **rest)


def upload(content: bytes) -> str:
    return b64encode(content).decode()
