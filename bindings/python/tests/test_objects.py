"""Objects behave as Python programs expect: exceptions of the system, cancellation, and methods that a test replaces."""

from __future__ import annotations

import asyncio
import errno
import pickle
from pathlib import Path
from typing import Any, Dict
from unittest import mock

import pytest
import routable
from loopback import Loopback, json
from routable import testing


def test_a_file_error_is_an_oserror(named: routable.Router, tmp_path: Path) -> None:
    with pytest.raises(routable.FileError) as caught:
        named.model(1).read().set_body_file(tmp_path / "none")
    assert caught.value.errno == errno.ENOENT and caught.value.filename == str(tmp_path / "none")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.errno, again.filename, str(again)) == (errno.ENOENT, str(tmp_path / "none"), str(caught.value))
    with pytest.raises(routable.FileError) as caught:
        routable.open(tmp_path)
    assert caught.value.errno == errno.EISDIR


@pytest.mark.parametrize(("body", "excerpt"), [
    (b'{"error": "no such model"}', '{"error": "no such model"}'), (b"a\n\tb\x1b[31m", "a b [31m"), (b"", ""), (b"\0\xff\xfe", ""),
    (b"x" * 300, "x" * 200 + "..."), (("é" * 300).encode(), "é" * 200 + "..."), (b"caf\xe9", "caf?"),
    ("a\u202eb\u200bc\u0085d".encode(), "a b c d"), (b" " * 5000 + b"x", ""), (b"x" + b" " * 5000 + b"y", "x..."), (b"  ", ""),
])
def test_a_refused_status_shows_the_body(named: routable.Router, body: bytes, excerpt: str) -> None:
    with pytest.raises(routable.HTTPStatusError) as caught:
        named.map_response("model", "read", 404, (), body)
    assert caught.value.excerpt == excerpt
    # The library writes the sentence, so that it is the same in each language.
    assert str(caught.value) == caught.value.message
    assert caught.value.message == "the service responded with 404 to read of model, which is not a success" + (f": {excerpt}" if excerpt else "")
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@pytest.mark.parametrize(("operation", "headers", "says"), [
    ("open", {}, True), ("optional", {}, True), ("unsaid", {}, True), ("open", {"Authorization": "Bearer mine"}, False)])
def test_a_401_says_that_no_credential_was_sent(operation: str, headers: Dict[str, str], says: bool) -> None:
    answer: Dict[str, Any] = {"responses": {"200": {"description": "all"}}}
    api = routable.open({
        "openapi": "3.1.0", "info": {"title": "Jobs", "version": "1"}, "servers": [{"url": "https://jobs.test"}],
        "components": {"securitySchemes": {"Basic": {"type": "http", "scheme": "basic"}}},
        "paths": {"/open": {"get": {"operationId": "open", "security": [], **answer}},
                  "/optional": {"get": {"operationId": "optional", "security": [{}, {"Basic": []}], **answer}},
                  "/unsaid": {"get": {"operationId": "unsaid", **answer}},
                  "/closed": {"get": {"operationId": "closed", "security": [{"Basic": []}], **answer}}}})
    responses = testing.Responses()
    responses.add(operation, 401, json={"detail": "log in"})
    request = api.operations[operation](routable.using(headers=headers))
    # A credential of the client is not sent if the description requires none.
    credentials = {} if operation == "optional" else {"Basic": ("ada", "secret")}
    with routable.Client(transport=responses, credentials=credentials) as client, pytest.raises(routable.HTTPStatusError) as caught:
        client.perform(request)
    remark = "; the description requires no credential for this operation, so the client sent none of its own" if says else ""
    assert caught.value.message == f'the service responded with 401 to {operation}, which is not a success{remark}: {{"detail":"log in"}}'
    assert caught.value.excerpt == '{"detail":"log in"}'


def test_a_401_to_a_credential_does_not(named: routable.Router) -> None:
    with pytest.raises(routable.HTTPStatusError) as caught:
        named.map_response("model", "read", 401, (), b"")
    assert caught.value.message == "the service responded with 401 to read of model, which is not a success"


def test_cancelled_error_is_an_exception_of_the_package() -> None:
    assert routable.errors.CancelledError is routable.CancelledError
    assert not issubclass(routable.CancelledError, routable.RoutableError)
    assert str(pickle.loads(pickle.dumps(routable.CancelledError("x")))) == "x"


def test_a_method_of_one_client_is_replaced(named: routable.Router, loopback: Loopback) -> None:
    loopback.answers["/ping"] = json("{}")
    made = routable.Response(200, "raw", routable.Headers(), b"1")
    with routable.Client() as client, routable.Client() as other:
        with mock.patch.object(client, "perform", return_value=made) as perform:
            assert client.perform(named.ping()) is made
            assert other.perform(named.ping()) is not made
        assert perform.call_count == 1
        assert client.perform(named.ping()).status == 200

    async def replaced() -> None:
        async with routable.AsyncClient() as client:
            with mock.patch.object(client, "perform", mock.AsyncMock(return_value=made)):
                assert await client.perform(named.ping()) is made

    asyncio.run(replaced())


def test_ids_after_an_operation(named: routable.Router) -> None:
    with pytest.raises(routable.IdError, match=r"read accepts the body and using\(...\) by position; pass ids before it: model\(id\).read"):
        named.model(1).read("a", "b")
    with pytest.raises(routable.IdError, match="ping accepts the body and using"):
        named.ping("a", "b")
    one = routable.open({"routable": 1, "base": "http://h", "operations": {"fetch": {"get": "/things/{id}"}}})
    with pytest.raises(routable.IdError, match=r"fetch accepts the body and using\(...\) by position; its ids have names: fetch\(id=...\)"):
        one.operations.fetch(3)
