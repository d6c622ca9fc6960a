"""Services: statuses of handlers and of refusals, and numbers that Python cannot represent."""

from __future__ import annotations

import math
from enum import IntEnum
from http import HTTPStatus
from typing import Any, Dict

import pytest
import routable
from test_service_handlers import JSON, asked

DOCUMENT: Dict[str, Any] = {
    "routable": 1, "base": "https://h.example",
    "types": {"Size": {"type": "object", "properties": {"size": {"type": "number"}}}},
    "operations": {
        "make": {"post": "/make", "results": {"201": {"type": "object"}}},
        "get": {"get": "/get"},
        "moved": {"get": "/moved", "results": {"302": None}},
        "size": {"post": "/size", "body": {"$ref": "#/types/Size"}},
    },
}


class Status(IntEnum):
    TEAPOT = 418


def answered(name: str, function: Any, headers: Dict[str, str] = {}, body: bytes = b"") -> Any:
    service = routable.Service(routable.open(DOCUMENT))
    service.handle(name)(function)
    return asked(service, "POST" if name in ("make", "size") else "GET", f"/{name}", headers, body)


@pytest.mark.parametrize("result, status, body, header", [
    ((HTTPStatus.CREATED, {"a": 1}), 201, b'{"a":1}', None),
    ((HTTPStatus.CREATED, {"a": 1}, {"X-A": "b"}), 201, b'{"a":1}', "b"),
    ((Status.TEAPOT, {"a": 1}), 418, b'{"a":1}', None),
    (routable.Reply(HTTPStatus.CREATED, {"a": 1}), 201, b'{"a":1}', None),
    ((201, {"a": 1}), 201, b'{"a":1}', None),
])
def test_a_status_is_an_int_or_an_int_enum(result: Any, status: int, body: bytes, header: Any) -> None:
    response = answered("make", lambda received: result)
    assert (response[0], response[2], response[1].get("X-A")) == (status, body, header)


@pytest.mark.parametrize("result", [
    (True, {"a": 1}), (False, {"a": 1}), (True, {"a": 1}, {"X-A": "b"}), routable.Reply(True, {"a": 1}), routable.Reply(False, {"a": 1}),
])
def test_a_bool_is_not_a_status(result: Any, caplog: Any) -> None:
    assert answered("make", lambda received: result)[0] == 500
    assert "is not an HTTP status" in caplog.text


def test_a_tuple_without_a_status_is_a_value() -> None:
    assert answered("get", lambda received: ("a", 1))[::2] == (200, b'["a",1]')


# --- Refusals ---


def refusing(*refusal: Any) -> Any:
    def handler(received: Any) -> Any:
        raise routable.Refusal(*refusal)

    return handler


@pytest.mark.parametrize("status", [304, HTTPStatus.NOT_MODIFIED])
def test_a_refusal_with_304_has_no_body(status: int) -> None:
    assert answered("get", refusing(status, "it has not changed")) == (304, {}, b"")
    assert answered("get", refusing(status, "", {"ETag": '"1"'})) == (304, {"ETag": '"1"'}, b"")


def test_the_precondition_of_a_get_request() -> None:
    def handler(received: Any) -> Any:
        status = received.precondition('"1"')
        if status:
            raise routable.Refusal(status, "it has not changed")
        return {}

    assert answered("get", handler, {"If-None-Match": '"1"'}) == (304, {}, b"")
    assert answered("get", handler, {"If-None-Match": '"2"'})[0] == 200
    assert answered("get", handler, {"If-Match": '"2"'})[0] == 412


def test_a_refusal_with_a_redirect_that_is_declared() -> None:
    assert answered("moved", refusing(302, "", {"Location": "/get"})) == (302, {"Location": "/get", "Content-Length": "0"}, b"")


def test_a_refusal_with_a_redirect_that_is_not_declared(caplog: Any) -> None:
    assert answered("get", refusing(302, "", {"Location": "/moved"}))[0] == 500
    assert "302" in caplog.text


@pytest.mark.parametrize("status", [200, 299, 600, 0, -1, True, 404.0, "404", None])
def test_invalid_statuses_of_refusals_raise_value_error(status: Any) -> None:
    with pytest.raises(ValueError, match="a refusal has a status from 300 to 599, not "):
        routable.Refusal(status)


@pytest.mark.parametrize("status", [300, 304, 400, 599, HTTPStatus.CONFLICT])
def test_a_refusal_has_its_status(status: int) -> None:
    assert routable.Refusal(status).status == status


# --- Numbers ---


def test_a_number_beyond_a_double_is_infinite_as_in_responses() -> None:
    sent = b'{"size":1e400}'
    seen: Dict[str, Any] = {}

    def handler(received: Any) -> Any:
        seen.update(body=received.body, content=received.content, again=received.request().body)
        return {}

    assert answered("size", handler, JSON, sent)[0] == 200
    with routable.Client(transport=lambda request: routable.TransportResponse(body=sent, headers={"Content-Type": "application/json"})) as client:
        response = client.perform(routable.open(DOCUMENT).operations.get())
    assert seen == {"body": {"size": math.inf}, "content": sent, "again": sent}
    assert response.json() == seen["body"]


def test_an_infinite_number_in_a_reply_is_refused(caplog: Any) -> None:
    assert answered("size", lambda received: received.body, JSON, b'{"size":1e400}')[0] == 500
    assert "not JSON compliant" in caplog.text
