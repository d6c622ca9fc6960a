#!/usr/bin/env python3
"""A tenth of all requests fails, and the client retries those that may be retried: no write is lost, and none happens twice.

usage: faults.py [--calls N] [--rate SHARE]
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any, Dict

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bindings" / "python" / "src"))
os.environ.setdefault("ROUTABLE_LIBRARY", str(ROOT / "build" / "embedded" / "libroutable.so.0"))

import routable  # noqa: E402
from routable.testing import Mock  # noqa: E402

NOTE: Dict[str, Any] = {"type": "object", "required": ["name", "n"], "properties": {"name": {"type": "string"}, "n": {"type": "integer"}}}
API: Dict[str, Any] = {
    "routable": 1, "base": "https://api.example.com/v1", "types": {"Note": NOTE},
    "operations": {
        "list": {"get": "/notes", "results": {"200": {"type": "array", "items": {"$ref": "#/types/Note"}}}},
        "read": {"get": "/notes/{name}", "results": {"200": {"$ref": "#/types/Note"}}},
        "set": {"put": "/notes/{name}", "body": {"$ref": "#/types/Note"}, "results": {"200": {"$ref": "#/types/Note"}, "201": {"$ref": "#/types/Note"}}},
        "remove": {"delete": "/notes/{name}"}}}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--rate", type=float, default=0.1)
    options = parser.parse_args()
    api = routable.open(API)
    changes: Dict[str, int] = {}

    def changed(path: str, value: Any) -> None:
        changes[path] = changes.get(path, 0) + 1

    with Mock(api, seed=7, changed=changed) as mock, routable.Client(transport=mock, retries=12, retry_delay=0.0001) as client:
        third = options.rate / 3
        mock.fault(status=503, retry_after=0, times=None, rate=third)
        mock.fault(fault="reset", times=None, rate=third)
        mock.fault(status=429, retry_after=0, times=None, rate=third)
        stored: Dict[str, int] = {}
        attempts = reads = 0
        for number in range(options.calls):
            name = f"n{number % 500}"
            kind = number % 5
            if kind < 3 or name not in stored:
                response = client.perform(api.operations["set"]({"name": name, "n": number}, name=name))
                stored[name] = number
            elif kind == 3:
                reads += 1
                response = client.perform(api.operations["read"](name=name))
                assert response.value == {"name": name, "n": stored[name]}, (response.value, stored[name])
            else:
                response = client.perform(api.operations["remove"](name=name))
                del stored[name]
            attempts += 1 + len(response.attempts)  # the failed attempts
        found = {each["name"]: each["n"] for each in client.perform(api.operations["list"]()).value}
        assert found == stored, "the store is not what the calls have made of it"
        assert len(mock) == len(stored)
        # Each call that changes the store was carried out once, however often it was attempted.
        assert sum(changes.values()) == options.calls - reads
        assert attempts > options.calls * (1 + options.rate / 2)
        print(f"{options.calls} calls, {attempts} attempts, {sum(changes.values())} changes, {reads} reads, {len(found)} notes: "
              "nothing lost, nothing twice")
    return 0


if __name__ == "__main__":
    sys.exit(main())
