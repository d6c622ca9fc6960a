"""Links: URLs of responses as typed requests, with credentials within the origin, and without them elsewhere."""

from __future__ import annotations

import asyncio
from typing import Any, Dict, Optional

import pytest
import routable
from routable.testing import Responses

DOCUMENT: Dict[str, Any] = {
    "routable": 1,
    "base": "https://api.test/v1",
    "auth": {"session": {"scheme": "bearer", "default": True}},
    "types": {"User": {"type": "object", "required": ["name"]}},
    "resources": {"user": {"path": "users", "can": ["list", "read", "create"], "type": "User"}},
}


@pytest.fixture(scope="module")
def api() -> routable.Router:
    return routable.open(DOCUMENT)


def response(api: routable.Router, body: bytes = b"", **headers: str) -> routable.Response:
    made = api.map_response("user", "create", 201, headers, body or b'{"name":"x"}')
    return made


@pytest.mark.parametrize("given, options, expected", [
    ({"Location": "/v1/users/3"}, {}, ("GET https://api.test/v1/users/3", "user", "read")),
    ({"Link": '<users/4>; rel="a", <https://api.test/v1/users?page=2>; rel=next'}, {"rel": "next"},
     ("GET https://api.test/v1/users?page=2", "user", "list")),
    ({}, {"pointer": "/links/0/href~1x"}, ("GET https://api.test/v1/users/5", "user", "read")),
    ({}, {"pointer": "/find", "values": {"id": "a/b"}}, ("GET https://api.test/v1/users/a%2Fb", "user", "read")),
    ({"Location": "https://cdn.test/blob"}, {}, ("GET https://cdn.test/blob", None, "follow")),
    ({"Location": "/v1/users"}, {"method": "POST"}, ("POST https://api.test/v1/users", "user", "create")),
    ({"Location": "/users/3"}, {"base": "http://127.0.0.1:8080"}, ("GET http://127.0.0.1:8080/users/3", "user", "read")),
])
def test_links_become_typed_requests(api: routable.Router, given: Dict[str, str], options: Dict[str, Any], expected: Any) -> None:
    found = response(api, b'{"name":"x","links":[{"href/x":"/v1/users/5"}],"find":"/v1/users/{id}"}', **given)
    request = api.follow(found, **options)
    assert (str(request), request.route, request.operation) == expected


@pytest.mark.parametrize("source, options, error, message", [
    ("", {}, routable.ResponseError, "the response has no Location header"),
    ("", {"rel": "next"}, routable.ResponseError, 'no Link header with the relation "next"'),
    ("", {"pointer": "/next"}, routable.ResponseError, "no URL at /next"),
    ("", {"rel": "a", "pointer": "/b"}, routable.ArgumentError, "not both"),
    ("ftp://x", {}, routable.URLError, "not an http or https URL"),
    ("/a", {"rel": "next"}, routable.ArgumentError, "require a response"),
    ("/{a", {"values": {}}, routable.DocumentError, "is not closed"),
    (3, {}, TypeError, "not int"),
    ("/a", {"base": 3}, TypeError, "not int"),
])
def test_links_that_cannot_be_followed_are_refused(api: routable.Router, source: Any, options: Dict[str, Any], error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        api.follow(source or response(api), **options)


@pytest.mark.parametrize("base", [None, "http://127.0.0.1:9/api"])
def test_a_created_resource_is_read(api: routable.Router, base: Optional[str]) -> None:
    place = f"{base or 'https://api.test/v1'}/users/9"
    with Responses() as responses:
        responses.add("create", 201, route="user", json={"name": "x"}, headers={"Location": place})
        responses.add("read", route="user", json={"name": "x"})
        responses.add("follow", body=b"blob")
        with routable.Client(transport=responses, base=base, credentials={"session": "s3cret"}) as client:
            created = client.perform(api.user.create({"name": "x"}))
            assert client.perform(api.follow(created, base=client)).outcome == "self"
            assert client.perform(api.follow("https://cdn.test/9", base=client)).body == b"blob"
        assert [each.url for each in responses.requests] == [place.rpartition("/")[0], place, "https://cdn.test/9"]
        assert ["authorization" in each.headers for each in responses.requests] == [True, True, False]


def test_links_are_followed_in_an_event_loop(api: routable.Router) -> None:
    async def main() -> None:
        with Responses() as responses:
            responses.add("read", json={"name": "x"})
            async with routable.AsyncClient(transport=responses, base="http://a.test", credentials={"session": "x"}) as client:
                assert (await client.perform(api.follow("/users/3", base=client))).url == "http://a.test/users/3"

    asyncio.run(main())


def test_a_followed_link_has_the_rules_of_its_method() -> None:
    document = {**DOCUMENT, "idempotency": True, "deadline": 7}
    with routable.open(document) as api, Responses() as responses:
        responses.add("follow", times=2)
        with routable.Client(transport=responses, credentials={"session": "s3cret"}) as client:
            client.perform(api.follow("https://api.test/elsewhere/1"))
            client.perform(api.follow("https://api.test/elsewhere/1", method="POST"))
        assert ["idempotency-key" in each.headers for each in responses.requests] == [False, True]
