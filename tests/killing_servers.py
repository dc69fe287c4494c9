"""A server of the page, killed a hundred times at random moments of an answer, each time on the same port.

    python killing_servers.py FOLDER TIMES

Prints as JSON how every server ended, and whether the last one, which is let live, answers as the first one did.
"""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import sys
import time
from http.client import HTTPConnection

from mathhammer.cli import main
from mathhammer.serve.answer import answer
from mathhammer.serve.app import make_app

QUESTION = {"attackers": ["10 Liberators: charged"], "targets": ["Clanrats"], "system": "aos4"}


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def started(port: int) -> int:
    """A server in a process of its own, that listens already."""
    pid = os.fork()
    if pid == 0:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os._exit(main(["serve", "--port", str(port)]))
    until = time.monotonic() + 30
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.005)
        else:
            return pid
    raise SystemExit("the server does not listen")


def sent(port: int) -> HTTPConnection:
    asking = HTTPConnection("127.0.0.1", port, timeout=30)
    asking.request("POST", "/api/answer", json.dumps(QUESTION), {"Content-Type": "application/json"})
    return asking


def killed(folder: str, times: int) -> dict[str, object]:
    os.chdir(folder)
    make_app("127.0.0.1")
    right = json.loads(json.dumps(answer(QUESTION)))["rows"]  # from here on everything is loaded
    port, chance, ended = free_port(), random.Random(2), []
    for _ in range(times):
        pid = started(port)
        asking = sent(port)
        time.sleep(chance.uniform(0.0, 0.04))
        os.kill(pid, signal.SIGKILL)
        ended.append(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
        asking.close()
    pid = started(port)
    found = json.loads(sent(port).getresponse().read())["rows"]
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return {"ended": ended, "right": found == right, "left": os.listdir(folder)}


if __name__ == "__main__":
    print(json.dumps(killed(sys.argv[1], int(sys.argv[2]))))
