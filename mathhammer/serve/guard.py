"""Who may ask: names of the host, origins of the page, and the headers that keep it to itself."""

from __future__ import annotations

import ipaddress
import platform
import re
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

from starlette.responses import JSONResponse

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-cache",
}
_HOST = re.compile(r"(\[[0-9a-f:.]{2,45}\]|[a-z0-9.-]{1,253})(?::\d{1,5})?", re.IGNORECASE)


def own_names(host: str) -> frozenset[str]:
    """The names under which the page may be asked for, besides addresses: this machine's own.

    A foreign name that leads to this machine is refused: that is how other sites would read the page.

    >>> sorted(own_names("127.0.0.1"))
    ['localhost']
    """
    if is_loopback(host):
        return frozenset({"localhost"})
    name = platform.node().lower()
    return frozenset({"localhost", host.lower(), name, f"{name}.local"})


def is_loopback(host: str) -> bool:
    """Whether only programs on this machine can ask.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("0.0.0.0"), is_loopback("localhost")
    (True, True, False, True)
    """
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def may_be_asked(host: str, names: frozenset[str], *, loopback: bool) -> bool:
    """Whether a `Host` header names this machine: by an address, or by one of its own names.

    >>> [may_be_asked(host, frozenset({"localhost"}), loopback=True)
    ...  for host in ("localhost:8765", "127.0.0.1", "evil.example", "10.0.0.1", "")]
    [True, True, False, False, False]
    """
    match = _HOST.fullmatch(host)
    if match is None:
        return False
    name = match[1].strip("[]").lower()
    if name in names:
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    return address.is_loopback if loopback else True


class Guard:
    """Refuses what does not come from the page itself, and gives every answer its headers."""

    def __init__(self, app: App, host: str) -> None:
        self.app, self.names, self.loopback = app, own_names(host), is_loopback(host)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                kept = [pair for pair in message["headers"] if pair[0].decode("latin-1") not in HEADERS]
                ours = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message["headers"] = [*kept, *ours]
            await send(message)

        refused = self.refusal(_headers(scope), str(scope["path"]))
        if refused:
            await JSONResponse({"error": refused}, 403)(scope, receive, with_headers)
        else:
            await self.app(scope, receive, with_headers)

    def refusal(self, headers: Mapping[str, str], path: str) -> str:
        """Why a request is refused; empty where it is not."""
        host = headers.get("host", "")
        if not may_be_asked(host, self.names, loopback=self.loopback):
            return "host: this page is not served under that name (open it by the address that was printed)"
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in (f"http://{host.lower()}", f"https://{host.lower()}"):
            return "origin: another site may not ask here (open the page itself)"
        if path.startswith("/api/") and headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return "origin: another site may not ask here (open the page itself)"
        return ""


def _headers(scope: Scope) -> dict[str, str]:
    """The headers by name; of several the first, and two hosts are none."""
    found: dict[str, str] = {}
    for name, value in scope["headers"]:
        key = name.decode("latin-1").lower()
        if key == "host" and key in found:
            found[key] = ""
        found.setdefault(key, value.decode("latin-1"))
    return found
