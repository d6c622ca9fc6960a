"""Statements about performing for whole sets: each method, each status, each order of functions."""

from __future__ import annotations

from typing import List, Tuple

import pytest
import routable
from loopback import Loopback, whole

METHODS = ["DELETE", "GET", "HEAD", "OPTIONS", "PUT", "TRACE", "PATCH", "POST"]


def described(base: str) -> routable.Router:
    operations = {method.lower(): {"method": method, "path": "/{path}"} for method in METHODS}
    return routable.open({"routable": 1, "base": base, "operations": operations})


@pytest.mark.parametrize("method", METHODS)
def test_A3_idempotent_methods_are_retried_after_some_statuses(loopback: Loopback, method: str) -> None:
    """Each method except POST and PATCH is repeated after the statuses 408, 500, 502, 503 and 504."""
    build = described(loopback.base).operations[method.lower()]
    attempts = {}
    with routable.Client(retries=2, retry_delay=0.001) as client:
        for status in (200, 204, 400, 401, 403, 404, 405, 408, 409, 410, 425, 429, 500, 501, 502, 503, 504, 505, 507, 511):
            loopback.seen.clear()
            loopback.answers[f"/{status}"] = whole(f"{status} x")
            try:
                client.perform(build(path=str(status)))
            except routable.HTTPStatusError as error:
                assert error.http_status == status
            assert {seen.line.split()[0] for seen in loopback.seen} == {method}
            attempts[status] = len(loopback.seen)
    again = {} if method in ("PATCH", "POST") else dict.fromkeys((408, 500, 502, 503, 504), 3)
    assert {status: count for status, count in attempts.items() if count > 1} == again


def test_A4_functions_that_sign_run_in_order_until_one_fails(loopback: Loopback) -> None:
    calls: List[Tuple[str, str]] = []
    fails: List[str] = []

    def signer(name: str) -> routable.Credential:
        def sign(request: routable.Signing) -> None:
            calls.append((name, request.header("X-Signed") or ""))  # the header that the previous functions have set
            if name in fails:
                raise OSError(f"no key for {name}")
            request.set_header("X-Signed", (request.header("X-Signed") or "") + name)

        return routable.Credential(sign=sign)

    names = ["c", "a", "b"]
    api = routable.open({
        "routable": 1, "base": loopback.base, "auth": {name: {"scheme": "custom"} for name in sorted(names)},
        "operations": {"fetch": {"get": "/signed", "auth": [names]}}})
    loopback.answers["/signed"] = whole("204 No Content")
    with routable.Client(credentials={name: signer(name) for name in names}) as client:
        assert client.perform(api.operations.fetch()).status == 204
        assert calls == [("c", ""), ("a", "c"), ("b", "ca")]
        assert loopback.seen[-1].headers["x-signed"] == "cab"
        calls.clear()
        fails.append("a")
        with pytest.raises(routable.CallbackError) as caught:
            client.perform(api.operations.fetch())
    assert calls == [("c", ""), ("a", "c")] and str(caught.value.__cause__) == "no key for a"
    assert len(loopback.seen) == 1, "a request went out that a function refused"


@pytest.mark.parametrize("base", ["http://h", "http://h/", "http://h/v1", "http://h/v1/"])
@pytest.mark.parametrize("path", ["users/{id}", "/users/{id}"])
def test_R5_R6_a_slash_in_the_base_and_one_in_the_route(base: str, path: str) -> None:
    api = routable.open({"routable": 1, "base": base, "operations": {"fetch": {"get": path}}})
    assert api.operations.fetch(id="2").url == base.rstrip("/") + "/users/2"
