"""`mathhammer serve`: the page where one clicks, on this machine."""

from __future__ import annotations

import errno
import socket
import sys

import click

from mathhammer.cli.output import remark, say
from mathhammer.cli.registering import command
from mathhammer.errors import BadInputError

INSTALL = "serve: needs starlette and uvicorn (pip install 'mathhammer[serve]')"
OPEN_TO_ALL = (
    "anyone who can reach this machine over the network can use the page, without a password; it reads lists "
    "that are sent to it and your datasheets, and writes nothing"
)


@command("serve", "The page where one clicks: units, lists and duels in the browser.", rank=12)
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Where to listen.")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, metavar="N")
@click.option("--open", "open_page", is_flag=True, help="Also open the page in the browser.")
def serve(host: str, port: int, open_page: bool) -> None:
    """A page on this machine: pick units, switch what they do, compare, drop lists, let two units duel.

    Only programs on this machine can see it, unless --host says otherwise. Ctrl-C ends it.

    \b
    Examples:
      mathhammer serve --open
      mathhammer serve --host 0.0.0.0 --port 8000
    """
    try:
        import uvicorn

        from mathhammer.serve.app import make_app
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.partition(".")[0] == "mathhammer":
            raise
        raise BadInputError(INSTALL) from None
    from mathhammer.serve.guard import is_loopback

    app = make_app(host)
    listening = listen(host, port)
    with listening:
        address = f"http://{shown(host)}:{listening.getsockname()[1]}/"
        if not is_loopback(host):
            remark(f"serve: {host} is not this machine alone: {OPEN_TO_ALL}")
        say(f"mathhammer: {address} (Ctrl-C ends it)")
        sys.stdout.flush()
        config = uvicorn.Config(
            app,
            log_level="critical",
            access_log=False,
            server_header=False,
            lifespan="off",
            limit_concurrency=500,
            timeout_keep_alive=5,
            timeout_graceful_shutdown=2,
        )
        if open_page:
            import webbrowser

            webbrowser.open(address)
        try:
            uvicorn.Server(config).run(sockets=[listening])
        except KeyboardInterrupt:  # the server has ended its work: nothing more is to be said
            return


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there, or one sentence why there is none."""
    try:
        family, kind, protocol, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, protocol)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(where)
        listening.listen(256)
    except socket.gaierror:
        raise BadInputError(
            f"serve: {host!r} is no address (give 127.0.0.1, or 0.0.0.0 for all networks)"
        ) from None
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise BadInputError(
                f"serve: port {port} is in use (give another with --port, or --port 0 for any)"
            ) from None
        raise BadInputError(f"serve: cannot listen on {host}:{port} ({error.strerror})") from None
    return listening


def shown(host: str) -> str:
    """The address as a browser takes it."""
    if host in ("0.0.0.0", "::"):
        return socket.gethostname()
    return f"[{host}]" if ":" in host else host
