"""The coordinator example, in Python and in C, run in a pseudo-terminal: the screens are compared with
examples/presentation/screens/*.txt."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Iterator, List

import pytest
import routable
from routable._load import library_path
from slowness import SLOWNESS

ROOT = Path(__file__).resolve().parents[3]
EXAMPLE = ROOT / "examples" / "presentation"
ROWS, COLUMNS = 14, 60
SECONDS = 20 * SLOWNESS

#: The typed input, and the expected screen.
STEPS = [
    (None, "login"),
    ("back", "welcome"),
    ("welcome/register", "register"),
    ("about", "about"),
    ("nowhere", "lost"),
    ("welcome/login", "login"),
]


class Terminal:
    """A program in a pseudo-terminal, and its screen."""

    def __init__(self, command: List[str]) -> None:
        try:
            main, inner = pty.openpty()
        except OSError as error:  # a root without /dev/pts
            pytest.skip(f"needs a pseudo-terminal: {error}")
        package = str(Path(routable.__file__).resolve().parents[1])
        self.process = subprocess.Popen(
            command, stdin=inner, stdout=inner, stderr=inner, env=dict(os.environ, PYTHONPATH=package))
        os.close(inner)
        self.main = main
        self.cells = [[" "] * COLUMNS for _ in range(ROWS)]
        self.row = self.column = 0

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.main)

    def type(self, line: str) -> None:
        os.write(self.main, line.encode() + b"\n")

    def see(self, wanted: str) -> str:
        """The screen, once it is `wanted` or the time is over."""
        end = time.monotonic() + SECONDS
        while self.text() != wanted and time.monotonic() < end:
            if select.select([self.main], [], [], 0.2)[0]:
                try:
                    self._show(os.read(self.main, 65536).decode())
                except OSError:  # the program has ended
                    break
        return self.text()

    def text(self) -> str:
        """The screen without the input after the prompt, which may be echoed a moment later."""
        lines = ["".join(line).rstrip() for line in self.cells]
        return "\n".join(re.sub(r"^go to:.*", "go to:", line) for line in lines).rstrip() + "\n"

    def _show(self, output: str) -> None:
        for escape, character in re.findall(r"\x1b\[([0-9;]*[A-Za-z])|([^\x1b])", output):
            if escape == "2J":
                self.cells = [[" "] * COLUMNS for _ in range(ROWS)]
            elif escape == "H":
                self.row = self.column = 0
            elif escape:
                raise AssertionError(f"an escape that this terminal does not have: {escape}")
            elif character == "\r":
                self.column = 0
            elif character == "\n":
                self.row = min(self.row + 1, ROWS - 1)
            else:
                self.cells[self.row][min(self.column, COLUMNS - 1)] = character
                self.column += 1


@pytest.fixture(params=["python", "c"])
def terminal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Terminal]:
    if request.param == "python":
        command = [sys.executable, str(EXAMPLE / "coordinator.py"), "welcome/login"]
    else:
        compiler = shutil.which("gcc")
        if compiler is None:
            pytest.skip("needs a C compiler")
        program = tmp_path / "coordinator"
        if "/" in library_path:
            library = Path(library_path).resolve()
            (tmp_path / "libroutable.so.0").symlink_to(library)
            linked = [str(library), f"-Wl,-rpath,{tmp_path}"]
        else:  # the installed library, which linker and loader find by its name
            linked = [f"-l:{library_path}"]
        subprocess.run(
            [compiler, "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{ROOT / 'include'}", "-o", str(program),
             str(EXAMPLE / "coordinator.c"), *linked], check=True)
        command = [str(program), "welcome/login"]
    made = Terminal(command)
    yield made
    made.close()


def test_F20_what_a_person_sees(terminal: Terminal) -> None:
    for typed, name in STEPS:
        if typed is not None:
            terminal.type(typed)
        wanted = (EXAMPLE / "screens" / f"{name}.txt").read_text(encoding="utf-8")
        assert terminal.see(wanted) == wanted, f"after typing {typed!r}"
    terminal.type("quit")
    assert terminal.process.wait(SECONDS) == 0
