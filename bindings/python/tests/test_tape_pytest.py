"""The plugin for pytest: the fixture routable_tape, and the option --routable-tape (docs/tape.md)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Tuple

SUITE = """
import pytest
import routable

api = routable.open({"routable": 1, "base": "https://api.example.com", "operations": {"time": {"get": "/time"}}})
other = routable.open({"routable": 1, "base": "https://other.example.com", "operations": {"time": {"get": "/time"}}})
numbers = iter(range(100))

def service(request):
    return routable.TransportResponse(200, json={"number": next(numbers)})

def asked(tape):
    with routable.Client(transport=tape) as client:
        return client.perform(api.operations.time()).value["number"]

def test_one(routable_tape):
    assert asked(routable_tape(api, over=service)) >= 0
    assert routable_tape(api) is routable_tape(api)

class TestMany:
    @pytest.mark.parametrize("name", ["a", "b/../c", "d" * 300])
    def test_two(self, routable_tape, name):
        asked(routable_tape(api, over=service))

def test_two_services(routable_tape):
    asked(routable_tape(api, over=service))
    with routable.Client(transport=routable_tape(other, over=service)) as client:
        client.perform(other.operations.time())

def test_none(routable_tape):
    pass
"""


def run(folder: Path, *arguments: str, **environment: str) -> Tuple[int, str]:
    variables = {name: value for name, value in os.environ.items() if name != "CI"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "routable.pytest_tape", *arguments],
        cwd=folder, env={**variables, **environment}, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def tapes(folder: Path) -> "dict[str, bytes]":
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.glob("**/*.har"))}


def test_each_test_has_a_tape_beside_its_module(tmp_path: Path) -> None:
    (tmp_path / "test_time.py").write_text(SUITE)
    status, text = run(tmp_path)
    assert status == 0 and "6 passed" in text, text
    made = tapes(tmp_path)
    names = list(made)
    assert len(names) == 6
    assert {"tapes/test_time/test_one.har", "tapes/test_time/test_two_services.har", "tapes/test_time/test_two_services-2.har"} < set(names)
    assert all(name.startswith("tapes/test_time/") and name.count("/") == 2 and len(name) < 200 for name in names)
    # The same tests without the service, in all modes; a recording replaces the tapes.
    (tmp_path / "test_time.py").write_text(SUITE.replace("next(numbers)", "1 / 0"))
    for option in ("auto", "replay", "check"):
        status, text = run(tmp_path, f"--routable-tape={option}")
        assert status == 0, text
    assert tapes(tmp_path) == made
    status, text = run(tmp_path, "--routable-tape=record")
    assert status == 1 and "5 failed" in text
    assert tapes(tmp_path) == made  # the tape of a failed test is not changed
    (tmp_path / "test_time.py").write_text(SUITE.replace("range(100)", "range(7, 100)"))
    status, text = run(tmp_path, "--routable-tape=record")
    assert status == 0 and tapes(tmp_path) != made, text


def test_a_tape_that_lacks_a_call_fails_the_test(tmp_path: Path) -> None:
    (tmp_path / "test_time.py").write_text(SUITE)
    status, text = run(tmp_path, CI="1")
    assert status == 1 and "nothing is recorded while the environment variable CI is set" in text
    assert tapes(tmp_path) == {} and not (tmp_path / "tapes").exists()
    assert run(tmp_path, "-k", "test_one")[0] == 0
    # A test with one more call, and one without calls.
    (tmp_path / "test_time.py").write_text(SUITE.replace("assert asked(routable_tape(api, over=service)) >= 0", "asked(routable_tape(api)); asked(routable_tape(api))"))
    status, text = run(tmp_path, "-k", "test_one", CI="1")
    assert status == 1 and "is used up" in text
    (tmp_path / "test_time.py").write_text(SUITE.replace("assert asked(routable_tape(api, over=service)) >= 0", "routable_tape(api)"))
    status, text = run(tmp_path, "-k", "test_one", CI="1")
    assert status == 1 and "was not used" in text and "1 passed, " in text
