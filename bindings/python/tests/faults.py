"""The service with faults on request (Tests/service/fault_service.py), in a separate process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Iterator

import pytest
import routable

SERVICE = Path(__file__).resolve().parents[3] / "Tests" / "service" / "fault_service.py"


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    """The base URL of the service."""
    with subprocess.Popen([sys.executable, str(SERVICE)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdin is not None
        yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        process.stdin.close()


@pytest.fixture(scope="module")
def api(base: str) -> routable.Router:
    """An operation with any path, for each method: `api.operations.fetch(path="a/b")`."""
    return routable.open({
        "routable": 1, "base": base,
        "operations": {
            "fetch": {"get": "/{path*}"},
            "head": {"head": "/{path*}"},
            "put": {"put": "/{path*}", "body_as": "bytes", "body_required": False},
            "post": {"post": "/{path*}", "body_as": "bytes", "body_required": False},
            "form": {"post": "/form/{path*}", "body_as": "multipart", "shadowed": True},
        },
    })
