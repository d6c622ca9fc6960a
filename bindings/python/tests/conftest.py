"""Fixtures: the library of `make`, the example graph, and a server on loopback."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import Any, Dict, Iterator

import pytest

ROOT = Path(__file__).resolve().parents[3]
BUILT = ROOT / "build" / "embedded" / "libroutable.so.0"
if "ROUTABLE_LIBRARY" not in os.environ and BUILT.exists():
    os.environ["ROUTABLE_LIBRARY"] = str(BUILT)

import routable  # noqa: E402  (the environment selects the library that it opens)
from loopback import Loopback  # noqa: E402
from slowness import SLOWNESS


def has_libyaml() -> bool:
    try:
        ctypes.CDLL("libyaml-0.so.2")
    except OSError:
        return False
    return True


#: Tests that take ten seconds or more with an unoptimized library; `make check-all` runs them.
needs_optimization = pytest.mark.skipif(
    "-draft" in os.environ.get("ROUTABLE_LIBRARY", ""), reason="it takes too long with a library that is not optimized")
needs_libyaml = pytest.mark.skipif(not has_libyaml(), reason="libyaml is not installed")


@pytest.fixture(scope="session")
def social() -> routable.Router:
    """The RoutableApp graph."""
    return routable.open(ROOT / "examples" / "social.json")


@pytest.fixture
def loopback() -> Iterator[Loopback]:
    """A server whose responses a test writes byte by byte."""
    with Loopback() as server:
        yield server


@pytest.fixture
def client() -> Iterator[routable.Client]:
    with routable.Client(deadline=20 * SLOWNESS) as made:
        yield made


NAMED: Dict[str, Any] = {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}


@pytest.fixture
def named(loopback: Loopback) -> routable.Router:
    """One resource whose type requires a `name`, on the loopback server."""
    return routable.open(named_document(loopback.base))


def named_document(base: str) -> Dict[str, Any]:
    return {
        "routable": 1,
        "name": "named",
        "base": base,
        "types": {"Model": NAMED},
        "resources": {
            "model": {"path": "models", "can": ["list", "read", "create", "update", "delete"], "type": "Model"},
            "article": {
                "path": "articles", "can": ["read"], "type": "Model", "operations": {"read": {"outcome": "any"}},
            },
        },
        "operations": {"ping": {"get": "/ping"}, "peek": {"head": "/ping"}},
    }
