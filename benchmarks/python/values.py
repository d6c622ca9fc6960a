"""Measures the cost of a typed response and of a typed value in Python, compared with reading and writing JSON in the same run.

values.py [ROUNDS]      also with the readers of msgspec and orjson, if they are installed

A typed response is `map_response(...).value`: from the bytes to the Python value, which is validated.  A value is checked by
`Schema.check`, which writes it as JSON.  Medians of interleaved rounds; only the ratios are comparable.
"""

from __future__ import annotations

import importlib
import json
import random
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any, Callable, Dict

import routable

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "json"))
from documents import issues  # noqa: E402

ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 61


def timed(jobs: Dict[str, Callable[[], object]], calls: int) -> Dict[str, float]:
    """Microseconds of a call of each job."""
    taken: Dict[str, "list[float]"] = {name: [] for name in jobs}
    for turn in range(-1, ROUNDS):
        for name, job in jobs.items():
            start = time.perf_counter_ns()
            for _ in range(calls):
                job()
            if turn >= 0:
                taken[name].append((time.perf_counter_ns() - start) / calls / 1e3)
    return {name: median(each) for name, each in taken.items()}


def readers() -> Dict[str, Any]:
    found: Dict[str, Any] = {"json": None}
    for package, name in (("msgspec.json", "decode"), ("orjson", "loads")):
        try:
            found[package.partition(".")[0]] = getattr(importlib.import_module(package), name)
        except ImportError:
            print(f"{package} is not installed")
    return found


def main() -> None:
    values, schema = issues(random.Random(20261122), 100_000)
    api = routable.open({
        "routable": 1, "base": "https://h.example", "types": {"Issue": schema["items"], "Issues": schema},
        "resources": {"issue": {"path": "issues", "id": "number", "can": ["list", "read"], "type": "Issue"}},
    })
    label = values[0]["labels"][0]
    one = {**values[0], "labels": [label] * 9}
    print(f"{'':8}{'':16}{'us':>10}   of json's")
    for operation, type, value, calls in (("read", "Issue", one, 200), ("list", "Issues", values, 4)):
        body = json.dumps(value, separators=(",", ":")).encode()
        check, read = api.schema(type).check, readers()

        def response(reader: Any) -> Callable[[], object]:
            def job() -> object:
                routable.set_json_decoder(reader)
                return api.map_response("issue", operation, 200, (), body).value

            return job

        mapped = api.map_response("issue", operation, 200, (), body)
        if mapped.reason is not None or mapped.value != value:
            sys.exit(f"the response is not valid: {mapped.reason}")
        found = timed(
            {"json.loads": lambda: json.loads(body), **{f"with {name}": response(each) for name, each in read.items()},
             "json.dumps": lambda: json.dumps(value), "a value": lambda: check(value), "its bytes": lambda: check(body)}, calls)
        for name, each in found.items():
            beside = found["json.loads" if name.startswith(("with", "json.loads")) else "json.dumps"]
            print(f"{len(body):7} {name:16}{each:10.2f}{each / beside:10.2f}")


main()
