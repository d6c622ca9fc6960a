"""Members of responses that users of requests and httpx expect: expected statuses, `ok`, `raise_for_status`, `request`, `cookies`,
`elapsed`, and headers that occur more than once."""

from __future__ import annotations

import asyncio
import pickle
from datetime import timedelta
from typing import Any

import pytest
import routable
from routable import testing, using

DOCUMENT = {"routable": 1, "base": "https://api.example.com",
            "resources": {"user": {"path": "users", "can": ["read", "list"]}}, "operations": {"ping": {"get": "/ping"}}}


@pytest.fixture
def api() -> Any:
    return routable.open(DOCUMENT)


@pytest.fixture
def responses() -> Any:
    with testing.Responses() as made:
        yield made


def test_an_expected_status_is_a_response(api: Any, responses: Any) -> None:
    responses.add("read", 404, json={"error": "no"}, times=4)
    request = api.user("ann").read(using(expect=(200, 404)))
    with routable.Client(transport=responses) as client:
        got = [client.perform(request), client.submit(request).result(), *(each.result() for each in client.perform_all([request]))]
        with pytest.raises(routable.HTTPStatusError):
            client.perform(api.user("ann").read())
    for response in got:
        assert (response.status, response.ok, response.value, response.request) == (404, False, {"error": "no"}, request)
        with pytest.raises(routable.HTTPStatusError, match="responded with 404 to read of user") as caught:
            response.raise_for_status()
        assert caught.value.response is response


def test_a_status_that_is_not_expected_is_raised(api: Any, responses: Any) -> None:
    responses.add("read", 500)
    with routable.Client(transport=responses) as client, pytest.raises(routable.HTTPStatusError, match="500"):
        client.perform(api.user("ann").read(using(expect=404)))


def test_an_async_client_accepts_expected_statuses(api: Any, responses: Any) -> None:
    responses.add("read", 404)

    async def main() -> routable.Response:
        async with routable.AsyncClient(transport=responses) as client:
            return await client.perform(api.user("ann").read(using(expect=404)))

    response = asyncio.run(main())
    assert (response.status, response.ok) == (404, False)


def test_a_copy_of_a_request_expects_the_same(api: Any, responses: Any) -> None:
    responses.add("ping", 404)
    with routable.Client(transport=responses) as client:
        assert client.perform(api.operations.ping(using(expect=404)).copy()).status == 404


@pytest.mark.parametrize("expect", [99, 1000, True, "404", (200, None)])
def test_invalid_expected_statuses_are_refused(expect: Any) -> None:
    with pytest.raises(routable.ArgumentError, match="is not an HTTP status; numbers from 100 to 999 are expected"):
        using(expect=expect)


def test_a_success(api: Any, responses: Any) -> None:
    responses.add("ping", headers=[("Set-Cookie", "a=1; Path=/"), ("Set-Cookie", 'b="x, y"; Secure'), ("Set-Cookie", "none")])
    request = api.operations.ping()
    with routable.Client(transport=responses) as client:
        response = client.perform(request)
    assert response.ok and response.raise_for_status() is response and response.request is request
    assert response.cookies == {"a": "1", "b": "x, y"}
    assert isinstance(response.elapsed, timedelta) and timedelta(0) <= response.elapsed < timedelta(seconds=60)
    again = pickle.loads(pickle.dumps(response))
    assert again == response and again.request is None and again.cookies == response.cookies


def test_a_mapped_response(api: Any) -> None:
    response = api.map_response(None, "ping", 200)
    assert response.ok and response.request is None and response.elapsed is None and response.cookies == {}


def test_headers_that_occur_twice() -> None:
    headers = routable.Headers([("Via", "1.1 a"), ("Set-Cookie", "a=1"), ("via", "1.1 b"), ("Set-Cookie", "b=2"), ("ETag", '"x"')])
    assert (headers["VIA"], headers["set-cookie"], headers["etag"]) == ("1.1 a, 1.1 b", "a=1", '"x"')
    assert headers.get_all("Via") == ["1.1 a", "1.1 b"] and len(headers.pairs) == 5 and headers.get("X") is None
