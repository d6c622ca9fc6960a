"""Measures reading a request, compared with openapi-core: the same POST of 300 bytes is matched, read and validated.

usage: read.py DESCRIPTION BODY
"""

from __future__ import annotations

import json
import sys
import time
from statistics import median
from typing import Callable, Dict, List

import routable
from openapi_core import OpenAPI
from openapi_core.testing import MockRequest

ROUNDS, ROUND_SECONDS = 25, 0.05
TARGET = "/v1/customers/4711/orders"


def seconds(job: Callable[[], object], count: int) -> float:
    start = time.process_time()
    for _ in range(count):
        job()
    return (time.process_time() - start) / count


def main() -> None:
    description = json.load(open(sys.argv[1], encoding="utf-8"))
    body = open(sys.argv[2], "rb").read()
    wrong = body.replace(b'"quantity":2', b'"quantity":0')
    api = routable.open(description)
    peer = OpenAPI.from_dict(description)
    headers = {"Content-Type": "application/json"}

    def ours(given: bytes = body) -> object:
        return api.read("POST", TARGET, headers, given)

    def ours_with_values() -> object:
        received = api.read("POST", TARGET, headers, body)
        return received.ids, received.body

    def request(given: bytes) -> MockRequest:
        return MockRequest("https://shop.example", "post", TARGET, headers=headers, data=given)

    def validated(given: bytes = body) -> object:
        return peer.validate_request(request(given))

    def unmarshalled() -> object:
        return peer.unmarshal_request(request(body)).body

    for name, job in (("routable", ours), ("openapi-core", validated)):
        try:
            job(wrong)
        except Exception:
            continue
        raise SystemExit(f"{name} accepts the wrong body")

    jobs: Dict[str, Callable[[], object]] = {
        "routable, read": ours, "routable, read, with ids and body": ours_with_values, "openapi-core, validate_request": validated,
        "openapi-core, unmarshal_request": unmarshalled,
    }
    counts = {name: max(1, int(ROUND_SECONDS / max(seconds(job, 3), 1e-6))) for name, job in jobs.items()}
    rounds: Dict[str, List[float]] = {name: [] for name in jobs}
    for _ in range(ROUNDS):
        for name, job in jobs.items():
            rounds[name].append(seconds(job, counts[name]))
    first = median(rounds["routable, read"])
    for name, times in rounds.items():
        print(f"{name:<36} min {min(times) * 1e6:10.1f} us  median {median(times) * 1e6:10.1f} us  {median(times) / first:8.1f} times")


main()
