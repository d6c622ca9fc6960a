"""Responses as services send them: empty bodies, byte order marks, JSON with another media type or none, other character sets, a body
with another media type than the requested one, and items of pages before a page was read."""

from __future__ import annotations

from typing import Any, Dict, List, Optional

import pytest
import routable
from routable.testing import Responses

MARK = b"\xef\xbb\xbf"


def result(media: str, schema: Dict[str, Any], status: str = "200") -> Dict[str, Any]:
    return {"responses": {status: {"description": "x", "content": {media: {"schema": schema}}}}}


DOCUMENT = {
    "openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "servers": [{"url": "http://h"}],
    "paths": {
        "/json": {"get": {"operationId": "json", **result("application/json", {"type": "object", "properties": {"a": {"type": "integer"}}})}},
        "/text": {"get": {"operationId": "text", **result("text/plain", {"type": "string"})}},
        "/bytes": {"get": {"operationId": "bytes", **result("application/octet-stream", {"type": "string", "format": "binary"})}},
        "/gone": {"delete": {"operationId": "gone", "responses": {"204": {"description": "x"}}}}}}

UNDECLARED = "the media type {} is not declared for the status 200; declared: {}"


@pytest.fixture(scope="module")
def api() -> routable.Router:
    return routable.open(DOCUMENT)


@pytest.mark.parametrize(("operation", "status", "media", "body", "outcome", "value", "deviations"), [
    ("json", 200, "application/json", b'{"a":1}', "self", {"a": 1}, []),
    ("json", 200, None, b'{"a":1}', "self", {"a": 1}, []),
    ("json", 200, "text/plain", b'{"a":1}', "self", {"a": 1}, [UNDECLARED.format("text/plain", "application/json")]),
    ("json", 200, "text/html; charset=utf-8", b'{"a":1}', "self", {"a": 1},
     [UNDECLARED.format("text/html; charset=utf-8", "application/json")]),
    ("json", 200, "application/json", MARK + b'{"a":1}', "self", {"a": 1},
     ["the body begins with a byte order mark, which JSON does not allow"]),
    ("json", 200, "text/plain", MARK + b'{"a":1}', "self", {"a": 1},
     [UNDECLARED.format("text/plain", "application/json"), "the body begins with a byte order mark, which JSON does not allow"]),
    ("json", 200, "application/json", b"", "empty", None, ["the body is empty, and the description declares a value"]),
    ("json", 200, "application/json; charset=latin-1", b'{"b":"\xe9"}', "raw", b'{"b":"\xe9"}', ["the input is not UTF-8"]),
    ("json", 200, "text/plain", b"hello", "raw", b"hello", ["the body is text/plain, where JSON is declared"]),
    ("text", 200, "text/plain", b"", "empty", None, []),
    ("text", 200, None, b"", "empty", None, []),
    ("bytes", 200, "application/octet-stream", b"", "empty", None, []),
    ("gone", 204, None, b"", "empty", None, []),
    ("gone", 200, None, b"", "empty", None, ["the status 200 is not declared; declared: 204"]),
])
def test_bodies(
    api: routable.Router, operation: str, status: int, media: Optional[str], body: bytes, outcome: str, value: object,
    deviations: List[str],
) -> None:
    headers = {"Content-Type": media} if media else {}
    response = api.map_response(None, operation, status, headers, body)
    assert (response.outcome, response.value, [each.message for each in response.deviations]) == (outcome, value, deviations)
    # The same with a client, which does not raise by default.
    with Responses() as responses, routable.Client(transport=responses) as client:
        responses.add(operation, status, body=body, headers=headers)
        performed = client.perform(api.operations[operation]())
        assert (performed.outcome, performed.value) == (outcome, value)


@pytest.mark.parametrize("accept", ["application/json", "application/json, text/csv;q=0.5"])
@pytest.mark.parametrize(("media", "body"), [("application/xml", b"<a/>"), ("text/html", b"<p>"), ("application/xml", b'{"a":1}')])
def test_accept_never_makes_an_error_of_a_success(api: routable.Router, accept: str, media: str, body: bytes) -> None:
    with Responses() as responses, routable.Client(transport=responses, headers={"Accept": accept}) as client:
        responses.add("json", 200, body=body, headers={"Content-Type": media})
        response = client.perform(api.operations["json"]())
    assert response.status == 200 and response.body == body and response.deviations, response


def test_items_before_the_first_page(api: routable.Router) -> None:
    listed = routable.open({"routable": 1, "base": "http://h", "operations": {
        "list": {"get": "/list", "query": {"page": {"type": "integer"}}, "pagination": {"by": "page", "parameter": "page"}}}})
    with Responses() as responses, routable.Client(transport=responses) as client:
        responses.add("list", json=[1, 2])
        pages = client.pages(listed.operations.list())
        with pytest.raises(routable.ArgumentError, match="no page was read yet: read a page before its items"):
            list(pages.items())
        next(pages)
        assert list(pages.items()) == [1, 2]


@pytest.mark.parametrize("swagger", [False, True])
@pytest.mark.parametrize("method", ["put", "delete", "post", "patch", "get"])
def test_a_body_without_declared_content_is_returned_and_deviates(method: str, swagger: bool) -> None:
    operation = {"operationId": "change", "responses": {"200": {"description": "changed"}, "202": {"description": "later"}}}
    document: Dict[str, Any] = {"info": {"title": "t", "version": "1"}, "paths": {"/thing": {method: operation}}}
    document.update({"swagger": "2.0", "host": "h", "schemes": ["http"]} if swagger else {"openapi": "3.0.3", "servers": [{"url": "http://h"}]})
    api = routable.open(document)
    for status in (200, 202):
        response = api.map_response(None, "change", status, {"Content-Type": "application/json"}, b'{"id": 7}')
        assert (response.outcome, response.json()) == ("raw", {"id": 7})
        # A GET without content is incompletely described: a typed call returns the response.
        told = [f"the body has 9 bytes, and the description declares none for the status {status}"] if method != "get" else []
        assert [each.message for each in response.deviations] == told
        assert api.map_response(None, "change", status).deviations == ()
