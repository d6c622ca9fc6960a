"""The faults of the engine with a transport and with libcurl: each has the same outcome, in every way to wait for it."""

from __future__ import annotations

import asyncio
import socket
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Tuple

import pytest
import routable
from loopback import Answer, Loopback, never, raw, whole
from loopback import json as json_answer
from routable.testing import Responses
from slowness import SLOWNESS

DOCUMENT: Dict[str, Any] = {
    "routable": 1, "auth": {"session": {"scheme": "bearer"}}, "types": {"N": {"type": "object", "required": ["n"]}},
    "operations": {
        "get": {"get": "/get", "results": {"200": {"$ref": "#/types/N"}}}, "post": {"post": "/post", "body_as": "bytes", "body_required": False},
        "head": {"head": "/head"}, "secret": {"get": "/secret", "auth": "session"},
    },
}


class Row(NamedTuple):
    """The responses of the service, as bytes and as canned responses, one after another; the last one is repeated."""

    name: str
    wire: List[Answer]
    canned: List[Dict[str, Any]]
    operation: str = "get"
    options: Dict[str, Any] = {}


def answers(status: int, body: bytes = b"", **headers: str) -> "Tuple[Answer, Dict[str, Any]]":
    """One response in both forms."""
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    reason = {200: "OK", 302: "Found"}.get(status, "Answer")
    return whole(f"{status} {reason}", body, *(f"{name}: {value}" for name, value in given.items())), {"status": status, "body": body, "headers": given}


def row(name: str, *steps: "Tuple[Answer, Dict[str, Any]]", operation: str = "get", **options: Any) -> Row:
    return Row(name, [each[0] for each in steps], [each[1] for each in steps], operation, options)


OK = answers(200, b'{"n":1}')
CLOSED: "Tuple[Answer, Dict[str, Any]]" = (raw(b""), {"fault": "empty"})
PARTIAL: "Tuple[Answer, Dict[str, Any]]" = (raw(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"), {"fault": "partial"})
SILENT: "Tuple[Answer, Dict[str, Any]]" = (never(), {"delay": 600.0})
ROWS = [
    row("ok", OK),
    row("404", answers(404, b"no")),
    row("500 is not repeated without retries", answers(500)),
    row("503 and then 200", answers(503), OK, retries=2),
    row("503 for ever", answers(503), retries=2),
    row("429 with Retry-After, also of POST", answers(429, Retry_After="0"), answers(200), operation="post", retries=1),
    row("503 of POST is not repeated", answers(503), operation="post", retries=2),
    row("a Retry-After beyond the maximum", answers(503, Retry_After="100"), retries=2, max_retry_delay=1),
    row("closed without an answer", CLOSED),
    row("closed, and then an answer", CLOSED, OK, retries=1),
    row("closed for POST", CLOSED, operation="post", retries=2),
    row("cut short", PARTIAL),
    row("cut short, and then an answer", PARTIAL, OK, retries=1),
    row("no answer in time", SILENT, deadline=0.2),
    row("a redirect", answers(302, Location="/get"), OK),
    row("303 after POST", answers(303, Location="/get"), OK, operation="post"),
    row("a redirect for ever", answers(302, Location="/get"), max_redirects=3),
    row("a redirect to another scheme", answers(302, Location="ftp://x/")),
    row("a redirect that is not followed", answers(302, Location="/get"), follow_redirects=False),
    row("a redirect without a place", answers(302)),
    row("too large", answers(200, b"x" * 2000), max_response_bytes=1000),
    row("as large as allowed", answers(200, b'"' + b"x" * 998 + b'"'), max_response_bytes=1000),
    row("no JSON", answers(200, b"{")),
    row("another type, checked", answers(200, b"[]"), deviations="raise"),
    row("no content", answers(204)),
    row("HEAD", answers(200), operation="head"),
    row("401 and a new token", answers(401), answers(200), operation="secret", credentials=("old", "new")),
    row("401 for ever", answers(401), operation="secret", credentials=("old", "new")),
    row("401 without a refresh", answers(401), operation="secret", credentials=("old",)),
]
Outcome = Tuple[str, Any, Any, List[Tuple[str, Optional[int], bool]], Optional[bytes]]


def told(response: Optional[routable.Response], error: Any) -> Outcome:
    found = response if error is None else error.response
    attempts = [(each.reason, each.status, each.curl_code is None) for each in (response if error is None else error).attempts]
    return (
        "ok" if error is None else error.status, found and found.status, found and found.outcome, attempts, None if found is None else found.body)


def perform(request: routable.Request, options: Dict[str, Any]) -> Outcome:
    with routable.Client(**options) as client:
        try:
            return told(client.perform(request), None)
        except routable.RoutableError as error:
            return told(None, error)


def perform_all(request: routable.Request, options: Dict[str, Any]) -> Outcome:
    with routable.Client(**options) as client:
        (ended,) = client.perform_all([request])
        return told(ended.response, ended.error)


def in_a_loop(request: routable.Request, options: Dict[str, Any]) -> Outcome:
    async def main() -> Outcome:
        async with routable.AsyncClient(**options) as client:
            try:
                return told(await client.perform(request), None)
            except routable.RoutableError as error:
                return told(None, error)

    return asyncio.run(main())


def given(of: Row) -> Dict[str, Any]:
    options: Dict[str, Any] = {"deadline": 20 * SLOWNESS, "retry_delay": 0.001, "proxy": "", **of.options}
    if "credentials" in options:
        first, *more = options["credentials"]
        options["credentials"] = {"session": routable.Credential(first, refresh=lambda old: more[0] if more else old) if more else first}
    return options


def over_the_wire(of: Row, way: Callable[..., Outcome], loopback: Loopback) -> Outcome:
    left = list(of.wire)

    def answer(connection: socket.socket, ended: Any) -> bool:
        return (left.pop(0) if len(left) > 1 else left[0])(connection, ended)

    for path in ("/get", "/post", "/head", "/secret"):
        loopback.answers[path] = answer
    return way(routable.open(DOCUMENT, base=loopback.base).operations[of.operation](), given(of))


def over_a_transport(of: Row, way: Callable[..., Outcome], base: str) -> Outcome:
    responses = Responses()
    for index, each in enumerate(of.canned):
        responses.add(**each, times=1 if index + 1 < len(of.canned) else None)
    return way(routable.open(DOCUMENT, base=base).operations[of.operation](), {**given(of), "transport": responses})


@pytest.mark.parametrize("way", [perform, perform_all, in_a_loop])
@pytest.mark.parametrize("of", ROWS, ids=[each.name for each in ROWS])
def test_a_fault_has_the_same_outcome_over_each_transport(loopback: Loopback, of: Row, way: Callable[..., Outcome]) -> None:
    wire, canned = over_the_wire(of, way, loopback), over_a_transport(of, way, loopback.base)
    assert wire == canned
    if of.name == "ok":
        assert wire == ("ok", 200, "self", [], b'{"n":1}')


def test_a_refused_connection_has_the_same_outcome() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        base = f"http://127.0.0.1:{free.getsockname()[1]}"
    request = routable.open(DOCUMENT, base=base).operations["get"]()
    with Responses() as responses:
        responses.add(fault="connect")
        assert perform(request, {"proxy": ""}) == perform(request, {"transport": responses})
