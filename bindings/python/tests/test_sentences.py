"""Messages that once gave wrong advice: a missing socket, an operation that was not called, a URL as a file, values that are not JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import routable
from routable.testing import Responses
from routable.typed import _AnyCall

API = routable.open({
    "routable": 1, "base": "http://localhost",
    "resources": {"user": {"path": "users", "can": ["read", "create"], "type": "User"}},
    "operations": {"ping": {"get": "/ping"}},
    "types": {"User": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}}})


def test_a_missing_socket_is_named(tmp_path: Path) -> None:
    socket = tmp_path / "no.sock"
    with routable.Client(unix_socket=socket) as client, pytest.raises(routable.TransferError) as caught:
        client.perform(API.ping())
    assert str(caught.value).startswith(f"the socket {socket} cannot be reached; is the service running, and is the path correct?")
    assert "host" not in str(caught.value).partition(" (libcurl")[0]


@pytest.mark.parametrize(("given", "message"), [
    (lambda: API.ping, "perform requires a Request, not an operation: call the operation, which builds the request"),
    (lambda: API.user("a").read, "perform requires a Request, not an operation: call the operation, which builds the request"),
    (lambda: API.user, "perform requires a Request, not a resource: call one of its operations, which builds the request"),
    (lambda: _AnyCall(API.ping(), "", False), "perform requires a Request, not a typed call: use call.perform(client), or pass call.request"),
])
def test_an_operation_that_was_not_called_is_explained(given: Any, message: str) -> None:
    with Responses() as responses, routable.Client(transport=responses) as client, pytest.raises(TypeError) as caught:
        client.perform(given())
    assert str(caught.value) == message


def test_values_that_are_not_json() -> None:
    with Responses() as responses, routable.Client(transport=responses) as client:
        responses.add("ping", 200, body=b'{"a":1}\n<html>\n', headers={"Content-Type": "text/html"})
        values = client.values(API.ping())
        assert next(values) == {"a": 1}
        with pytest.raises(routable.JSONError, match="Expecting value"):
            next(values)


def test_messages_have_correct_articles() -> None:
    """The messages have no "a object" or "a array"."""
    seen = []
    for body in ([], {}, 1, 1.5, True, "x"):
        for value in (body, {"id": body}):
            try:
                API.user.create(value)
            except routable.RoutableError as error:
                seen.append(str(error))
    assert len(seen) >= 8, seen
    assert not [each for each in seen if any(wrong in each for wrong in ("a object", "a array", "a integer", "an string", "an number", "an boolean"))], seen
