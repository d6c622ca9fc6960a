"""A plugin for pytest: the fixture `routable_tape` and the option `--routable-tape` (docs/tape.md)."""

from __future__ import annotations

import hashlib
import os
import re
from typing import TYPE_CHECKING, Any, Dict, Generator, Iterator, List

import pytest

if TYPE_CHECKING:
    from typing import Protocol

    from .router import PlainRouter
    from .testing import Tape

    class TapeFactory(Protocol):
        """Opens the tape of the test."""

        def __call__(self, api: PlainRouter, **options: Any) -> Tape: ...


_REPORTS = pytest.StashKey[Dict[str, pytest.TestReport]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("routable").addoption(
        "--routable-tape", choices=("auto", "record", "replay", "check"), default="auto",
        help="what the tapes of the fixture routable_tape do: record what they lack (auto, the default; replay if the environment "
        "variable CI is set), record everything, only replay, or replay and validate them against the description (check)",
    )


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> "Generator[None, Any, None]":
    outcome = yield
    report = outcome.get_result()
    item.stash.setdefault(_REPORTS, {})[report.when] = report


def tape_path(node: pytest.Item, number: int = 1) -> str:
    """The file of a test: tapes/MODULE/TEST.har in the folder of the module.  If the name of the test is not a valid filename on every
    system, it is changed, and a digest is appended."""
    parts = [part for part in node.nodeid.split("::")[1:] if part]
    whole = ".".join(parts) or node.name
    name = re.sub(r"[^A-Za-z0-9._\[\]-]+", "-", whole)[:120].strip("-.")
    if name != whole:
        name += "-" + hashlib.sha256(whole.encode()).hexdigest()[:8]
    if number > 1:
        name += f"-{number}"
    return os.path.join(os.path.dirname(node.path), "tapes", node.path.stem, f"{name}.har")


@pytest.fixture
def routable_tape(request: pytest.FixtureRequest) -> "Iterator[TapeFactory]":
    """A function that opens the tape of the test for an API: `routable_tape(api)`.  The keyword arguments are those of
    routable.testing.Tape.  A second API in the same test has a separate file."""
    from .testing import Tape

    opened: "List[tuple[PlainRouter, Tape]]" = []

    def open_tape(api: "PlainRouter", **options: Any) -> Tape:
        for known, tape in opened:
            if known is api:
                return tape
        path = tape_path(request.node, len(opened) + 1)
        options.setdefault("mode", request.config.getoption("--routable-tape"))
        if options["mode"] == "record" or options["mode"] == "auto" and not os.environ.get("CI"):
            os.makedirs(os.path.dirname(path), exist_ok=True)
        tape = Tape(api, path, **options)
        opened.append((api, tape))
        return tape

    yield open_tape
    report = request.node.stash.get(_REPORTS, {}).get("call")
    # A test that failed may not have made all of its requests: its tape is not saved, and unused entries are not reported.
    if report is not None and report.passed:
        for _, tape in opened:
            tape.finish()
