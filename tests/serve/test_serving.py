"""`mathhammer serve` as a program: it starts, answers many at once with bounded memory, and ends quietly."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

QUESTION = {"attackers": ["10 Liberators: charged", "Rat Ogors"], "targets": [], "system": "aos4"}
# asks 200 times at once, in a process of its own
CLIENT = """
import asyncio, json, sys, httpx
async def main(base, count, question):
    async with httpx.AsyncClient(base_url=base, timeout=60, limits=httpx.Limits(max_connections=count)) as client:
        found = await asyncio.gather(*(client.post("/api/answer", json=question) for _ in range(count)))
        print(json.dumps([[one.status_code, len(one.content)] for one in found]))
asyncio.run(main(sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3])))
"""


@contextmanager
def serving(*words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The program, and the address that it prints."""
    program = subprocess.Popen(
        [sys.executable, "-m", "mathhammer", "serve", "--port", "0", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert program.stdout is not None
        line = program.stdout.readline()
        found = re.search(r"http://[^/]+:(\d+)/", line)
        assert found, line
        yield program, f"http://127.0.0.1:{found[1]}"
    finally:
        program.kill()
        program.wait()
        for stream in (program.stdout, program.stderr):
            if stream is not None:
                stream.close()


def memory_of(pid: int) -> int:
    """Megabytes in use."""
    text = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    found = re.search(r"VmRSS:\s+(\d+) kB", text)
    assert found
    return int(found[1]) // 1024


def asked(address: str, count: int) -> list[list[int]]:
    done = subprocess.run(
        [sys.executable, "-c", CLIENT, address, str(count), json.dumps(QUESTION)],
        capture_output=True,
        text=True,
        check=True,
    )
    found: list[list[int]] = json.loads(done.stdout)
    return found


def test_it_answers_and_ctrl_c_ends_it_quietly() -> None:
    with serving() as (program, address):
        assert [status for status, _ in asked(address, 1)] == [200]
        program.send_signal(signal.SIGINT)
        assert program.wait(timeout=20) in (0, 130)
        assert program.stderr is not None
        assert "Traceback" not in program.stderr.read()


@pytest.mark.slow
@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="memory is read from /proc")
def test_two_hundred_at_once_and_memory_stays_bounded() -> None:
    with serving() as (program, address):
        asked(address, 20)
        before = memory_of(program.pid)
        for _ in range(3):
            found = asked(address, 200)
            assert {status for status, _ in found} == {200}
            assert len({size for _, size in found}) == 1
        assert memory_of(program.pid) < before + 150


def test_a_port_in_use_is_a_sentence() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = subprocess.run(
            [sys.executable, "-m", "mathhammer", "serve", "--port", str(port)],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
    assert done.returncode == 2
    assert done.stderr == f"serve: port {port} is in use (give another with --port, or --port 0 for any)\n"


def test_an_address_that_is_none() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mathhammer", "serve", "--host", "999.1.1.1"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 2
    assert done.stderr == "serve: '999.1.1.1' is no address (give 127.0.0.1, or 0.0.0.0 for all networks)\n"


def test_for_a_network_it_says_what_that_means() -> None:
    with serving("--host", "0.0.0.0") as (program, _):
        program.send_signal(signal.SIGINT)
        program.wait(timeout=20)
        assert program.stderr is not None
        assert "anyone who can reach this machine over the network can use the page" in program.stderr.read()


def test_without_its_libraries_it_says_how_to_install_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from mathhammer.cli import main

    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert main(["serve"]) == 2
    assert capsys.readouterr().err == "serve: needs starlette and uvicorn (pip install 'mathhammer[serve]')\n"


@pytest.mark.slow
def test_a_slow_sender_is_given_up() -> None:
    with serving() as (_, address):
        host, port = address.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=40) as wire:
            head = f"POST /api/answer HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n"
            wire.sendall(head.encode() + b"{")
            begun = time.monotonic()
            said = wire.recv(4000).decode()
            assert " 408 " in said.splitlines()[0]
            assert time.monotonic() - begun < 30
