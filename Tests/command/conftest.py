"""Runs the command as a process, with a pipe or a terminal."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bindings/python/src"))  # the library, which builds the requests of converted documents
SOCIAL = ROOT / "examples" / "social.json"
SECONDS = 60


def command() -> str:
    """The path of the tested command: $ROUTABLE_COMMAND, or the result of `make command`, preferably the unoptimized one."""
    given = os.environ.get("ROUTABLE_COMMAND")
    built = [ROOT / "build/command-draft/routable", ROOT / "build/command/routable"]
    return given or next((str(each) for each in built if each.exists()), "routable")


@dataclass
class Ended:
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def environment(**more: str) -> Dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "TERM")}
    return {**kept, "LC_ALL": "C.UTF-8", "TERM": "xterm", **more}


def run(*words: Any, stdin: str = "", cwd: Optional[Path] = None) -> Ended:
    """Runs the command with its streams on pipes."""
    ran = subprocess.run(
        [command(), *map(str, words)], input=stdin.encode(), capture_output=True, timeout=SECONDS, cwd=cwd, env=environment())
    return Ended(ran.returncode, ran.stdout.decode(), ran.stderr.decode())


def on_terminal(*words: Any, columns: int = 200, stream: str = "stdout", **more: str) -> Ended:
    """Runs the command with one of its streams on a pseudo-terminal of this width."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    streams: Dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stream: theirs}
    process = subprocess.Popen([command(), *map(str, words)], stdin=subprocess.DEVNULL, env=environment(**more), **streams)
    os.close(theirs)
    seen, end = b"", time.monotonic() + SECONDS
    while time.monotonic() < end:
        ready, _, _ = select.select([ours], [], [], 1)
        if not ready:
            continue
        try:
            part = os.read(ours, 65536)
        except OSError:  # the other side is closed
            break
        if not part:
            break
        seen += part
    out, err = process.communicate(timeout=SECONDS)
    os.close(ours)
    texts = {"stdout": out or b"", "stderr": err or b"", stream: seen.replace(b"\r\n", b"\n")}
    return Ended(process.returncode, texts["stdout"].decode(), texts["stderr"].decode())


def service(words: List[str]) -> Iterator[str]:
    """A service that prints its port, and ends with the test."""
    process = subprocess.Popen([sys.executable, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
    finally:
        process.kill()
        process.communicate()


@pytest.fixture(scope="module")
def social_service() -> Iterator[str]:
    yield from service([str(ROOT / "examples/service/social_service.py"), "--port", "0", "--quiet"])


@pytest.fixture(scope="module")
def pages_service() -> Iterator[str]:
    yield from service([str(ROOT / "Tests/service/pages_service.py")])


@pytest.fixture(scope="module")
def fault_service() -> Iterator[str]:
    yield from service([str(ROOT / "Tests/service/fault_service.py")])


@pytest.fixture(scope="module")
def auth_service() -> Iterator[str]:
    yield from service([str(ROOT / "Tests/service/auth_service.py")])
