"""The requests of Tests/golden/service.json have the recorded responses, which are also those of a service in Swift."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from typing import Any

import service_cases


def test_the_responses() -> None:
    recorded = service_cases.recorded()
    assert recorded["document"] == service_cases.DOCUMENT and recorded["maximum"] == service_cases.MAXIMUM
    service = service_cases.make()
    logging.getLogger("routable.service").disabled = True
    loop = asyncio.new_event_loop()
    try:
        different = []
        for case in recorded["cases"]:
            expected = case["response"]
            got = service_cases.asked(service, case, loop.run_until_complete)
            if got != expected:
                different.append((case, got))
        assert different == []
    finally:
        loop.close()
        logging.getLogger("routable.service").disabled = False


def test_the_requests() -> None:
    recorded = service_cases.recorded()["cases"]
    assert [{name: value for name, value in case.items() if name != "response"} for case in recorded] == service_cases.requests()
    statuses: Any = Counter(case["response"]["status"] for case in recorded)
    # Each kind of response occurs.
    assert set(statuses) >= {200, 201, 204, 304, 400, 401, 403, 404, 405, 406, 409, 412, 413, 415, 422, 500, 501}, statuses
