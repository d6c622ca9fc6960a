"""Transports, canned responses, and signals that interrupt waits."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import threading
import time
from datetime import timedelta
from typing import Any, Callable, Dict, Iterator, List

import pytest
import routable
from routable import TransportRequest, TransportResponse
from routable.testing import Responses
from slowness import SLOWNESS

DOCUMENT: Dict[str, Any] = {
    "routable": 1,
    "base": "https://api.test/v1",
    "auth": {"session": {"scheme": "bearer"}},
    "types": {"User": {"type": "object", "required": ["name"]}},
    "resources": {"user": {"path": "users", "can": ["list", "read", "create"], "type": "User"}},
    "operations": {
        "secret": {"get": "/secret", "auth": "session"},
        "numbers": {"get": "/numbers", "pagination": {"by": "link"}},
        "lines": {"get": "/lines"},
    },
}


@pytest.fixture(scope="module")
def api() -> routable.Router:
    return routable.open(DOCUMENT)


def test_a_function_is_a_transport(api: routable.Router) -> None:
    seen: List[TransportRequest] = []

    def transport(request: TransportRequest) -> TransportResponse:
        seen.append(request)
        return TransportResponse(201, json={"name": "x"}, headers={"ETag": '"1"'})

    with routable.Client(transport=transport, deadline=5, headers={"X-Team": "blue"}) as client:
        response = client.perform(api.user.create({"name": "x"}))
        assert (response.status, response.outcome, response.headers["etag"]) == (201, "self", '"1"')
        assert client.submit(api.user(1).read()).result().json() == {"name": "x"}
        assert [each.result().status for each in client.perform_all(api.user(n).read() for n in range(3))] == [201] * 3
    first = seen[0]
    assert (first.route, first.operation, first.method, first.url) == ("user", "create", "POST", "https://api.test/v1/users")
    assert first.json() == {"name": "x"} and first.headers["x-team"] == "blue" and first.timeout is not None and first.timeout <= 5
    assert first.headers["user-agent"].startswith("routable/")
    assert seen[1].body is None and len(seen) == 5


@pytest.mark.parametrize("raised, status, wanted", [
    (ValueError("secret"), "callback", routable.errors.CallbackError),
    (TimeoutError(), "timeout", routable.errors.TimeoutError),
    (ConnectionResetError(), "transfer", routable.errors.TransferError),
    (routable.errors.TLSError("no"), "tls", routable.errors.TLSError),
    (KeyboardInterrupt(), "callback", routable.errors.CallbackError),
])
@pytest.mark.parametrize("way", ["perform", "submit", "thread"])
def test_exceptions_of_a_transport_are_the_cause(api: routable.Router, raised: BaseException, status: str, wanted: Any, way: str) -> None:
    def transport(request: TransportRequest) -> TransportResponse:
        raise raised

    with routable.Client(transport=transport) as client:
        found: List[BaseException] = []

        def run() -> None:
            request = api.user(1).read()
            with pytest.raises(wanted) as caught:
                client.submit(request).result() if way == "submit" else client.perform(request)
            found.append(caught.value)

        if way == "thread":
            thread = threading.Thread(target=run)
            thread.start()
            thread.join()
        else:
            run()
        error = found[0]
        assert isinstance(error, routable.RoutableError) and error.status == status and error.operation == "read"
        assert error.__cause__ is raised and "secret" not in error.message


@pytest.mark.parametrize("reply", [None, 200, "x", TransportResponse(99), TransportResponse(headers={"a b": "c"})])
def test_invalid_results_of_a_transport_are_refused(api: routable.Router, reply: Any) -> None:
    with routable.Client(transport=lambda request: reply) as client, pytest.raises(routable.RoutableError) as caught:
        client.perform(api.user(1).read())
    assert caught.value.status in ("callback", "argument", "header"), caught.value


def test_asynchronous_transports(api: routable.Router) -> None:
    async def transport(request: TransportRequest) -> TransportResponse:
        await asyncio.sleep(0.01)
        if request.url.endswith("/2"):
            raise ConnectionResetError
        return TransportResponse(json={"name": "x"})

    async def main() -> None:
        async with routable.AsyncClient(transport=transport, deadline=5) as client:
            responses = await asyncio.gather(*(client.perform(api.user(1).read()) for _ in range(20)))
            assert {each.status for each in responses} == {200}
            with pytest.raises(routable.errors.TransferError):
                await client.perform(api.user(2).read())

    asyncio.run(main())
    with routable.Client(transport=transport, deadline=5) as client:
        with pytest.raises(routable.errors.CallbackError) as caught:
            client.perform(api.user(1).read())
        assert isinstance(caught.value.__cause__, TypeError)


def test_canned_responses_are_returned_in_order(api: routable.Router) -> None:
    with Responses() as responses:
        responses.add("read", route="user", json={"name": "a"})
        responses.add("read", route="user", fault="reset")
        responses.add("read", 503, route="user")
        responses.add("read", route="user", json={"name": "b"}, delay=0.01)
        responses.add("secret", 401)
        responses.add("secret", body="ok")
        responses.add("numbers", json=[1, 2], headers={"Link": '<numbers?p=2>; rel="next"'})
        responses.add("numbers", json=[3], url="p=2")
        responses.add("lines", body="a\nb\n")
        tokens = iter(["new"])
        with routable.Client(
            transport=responses, retries=2, retry_delay=0.001, credentials={"session": routable.Credential("old", refresh=lambda old: next(tokens))}
        ) as client:
            assert client.perform(api.user(1).read()).json() == {"name": "a"}
            response = client.perform(api.user(1).read())
            assert response.json() == {"name": "b"} and [each.reason for each in response.attempts] == ["retry", "retry"]
            assert client.perform(api.operations.secret()).text == "ok"
            assert list(client.items(api.operations.numbers())) == [1, 2, 3]
            with client.lines(api.operations.lines()) as lines:
                assert list(lines) == ["a", "b"]
        assert [each.headers.get("authorization") for each in responses.requests if each.operation == "secret"] == ["Bearer old", "Bearer new"]


def test_missing_and_unused_responses_are_errors(api: routable.Router) -> None:
    with pytest.raises(routable.errors.CallbackError, match="no canned response for read of user"):
        with Responses() as responses, routable.Client(transport=responses) as client:
            client.perform(api.user(1).read())
    with pytest.raises(routable.errors.CallbackError, match="for list was used 1 times; expected: 2"):
        with Responses() as responses, routable.Client(transport=responses) as client:
            responses.add("list", json=[], times=2)
            client.perform(api.user.list())
    with Responses() as responses:
        responses.add("list", json=[], times=None)
    with pytest.raises(ZeroDivisionError):  # the exception has precedence over unused responses
        with Responses() as responses:
            responses.add("list")
            1 / 0
    for wrong in ({"fault": "x"}, {"times": 0}, {"status": 99}, {"headers": {"a b": "c"}}):
        with pytest.raises(routable.RoutableError):
            Responses().add("list", **wrong)
    with pytest.raises(TypeError):
        routable.Client(transport=1)  # type: ignore[arg-type]


def test_retry_after_of_any_method(api: routable.Router) -> None:
    with Responses() as responses:
        responses.add("create", 429, headers={"Retry-After": "0"})
        responses.add("create", 201, json={"name": "x"})
        responses.add("create", 429)
        with routable.Client(transport=responses, retries=1, retry_delay=0.001) as client:
            assert client.perform(api.user.create({"name": "x"})).status == 201
            with pytest.raises(routable.errors.HTTPStatusError):
                client.perform(api.user.create({"name": "x"}))


def test_redirects_from_https_to_http(api: routable.Router) -> None:
    moved = {"Location": "http://api.test/v1/users/1"}
    with Responses() as responses:
        responses.add("read", 302, headers=moved, times=2)
        responses.add("read", json={"name": "x"})
        with routable.Client(transport=responses) as client:
            with pytest.raises(routable.errors.TransferError, match="from https to http"):
                client.perform(api.user(1).read())
        with routable.Client(transport=responses, insecure_redirects=True) as client:
            assert client.perform(api.user(1).read()).status == 200


def test_headers_of_a_client_and_of_vendors_stay_within_their_origin(api: routable.Router) -> None:
    with Responses() as responses:
        responses.add("read", 307, headers={"Location": "https://elsewhere.test/"})
        responses.add("read", json={"name": "x"})
        with routable.Client(transport=responses, headers={"X-Team": "planted-1"}) as client:
            request = api.user(1).read(routable.using(headers={"X-Vault-Token": "planted-2", "DPoP": "planted-3", "X-Plain": "shown"}))
            line = client.to_curl(request)
            assert "planted" not in line and "shown" in line
            client.perform(request)
        here, there = responses.requests
        assert here.headers["x-team"] == "planted-1" and here.headers["x-vault-token"] == "planted-2"
        assert not {"x-team", "x-vault-token", "dpop"} & {name.lower() for name in there.headers} and there.headers["x-plain"] == "shown"
    for wrong in ({"a b": "c"}, {"a": "b\r\nc: d"}, {"Content-Length": "1"}):
        with pytest.raises(routable.errors.HeaderError):
            routable.Client(headers=wrong)


def test_deadlines() -> None:
    api = routable.open(DOCUMENT)
    with Responses() as responses:
        responses.add("read", json={"name": "x"}, delay=0.1, times=None)
        with routable.Client(transport=responses, deadline=timedelta(milliseconds=20)) as client:
            with pytest.raises(routable.errors.TimeoutError):
                client.perform(api.user(1).read())
            assert client.perform(api.user(1).read(), deadline=float("inf")).status == 200
            assert responses.requests[-1].timeout is None


def test_the_deadline_covers_validation() -> None:
    document = {
        "routable": 1,
        "base": "https://h.test",
        "types": {"T": {"type": "array", "items": {"type": "integer", "not": {"const": 1}}}},
        "operations": {"read": {"get": "/a", "results": {"200": {"$ref": "#/types/T"}}}},
    }
    body = b"[" + b"2," * 3_000_000 + b"2]"
    reply = TransportResponse(200, body=body, headers={"Content-Type": "application/json"})
    api = routable.open(document)
    with routable.Client(transport=lambda request: reply) as client:
        start = time.monotonic()
        with pytest.raises(routable.errors.TimeoutError, match="too short to validate the response"):
            client.perform(api.read(), deadline=0.15)
        assert time.monotonic() - start < 5 * SLOWNESS
        with pytest.raises(routable.errors.TimeoutError, match="too short to validate the response"):
            client.submit(api.read(), deadline=0.15).result()
        assert client.perform(api.read(), deadline=60).outcome == "self"


# --- Signals ---


class Interrupted(Exception):
    pass


@pytest.fixture
def alarm() -> Iterator[Callable[[float], None]]:
    def handler(number: int, frame: object) -> None:
        raise Interrupted

    before = signal.signal(signal.SIGALRM, handler)
    yield lambda seconds: signal.setitimer(signal.ITIMER_REAL, seconds)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def disarmed(alarm: Callable[[float], None]) -> Iterator[None]:
    """Removes the alarm at the end of the block, even after an exception."""
    try:
        yield
    finally:
        alarm(0)


@pytest.mark.parametrize("elsewhere", [False, True])
@pytest.mark.parametrize("way", ["perform", "result", "all", "drive", "download", "lines", "pages"])
def test_handlers_of_signals_run_at_once(
    api: routable.Router, alarm: Callable[[float], None], way: str, elsewhere: bool, tmp_path: Any
) -> None:
    late: List[float] = []
    with Responses() as responses:
        responses.add(json=[], delay=30, times=None)
        client = routable.Client(transport=responses, deadline=20)
        if elsewhere:  # another thread drives the transfers
            other = client.submit(api.user.list())
            thread = threading.Thread(target=lambda: pytest.raises(routable.CancelledError, other.result))
            thread.start()
            time.sleep(0.05)
        for _ in range(5):
            start = time.monotonic()
            alarm(0.03)
            with pytest.raises(Interrupted), disarmed(alarm):
                if way == "perform":
                    client.perform(api.user.list())
                elif way == "result":
                    client.submit(api.user.list()).result()
                elif way == "all":
                    list(client.perform_all([api.user.list()]))
                elif way == "drive":
                    client.submit(api.user.list(), on_end=print)
                    client.drive(None)
                elif way == "download":
                    client.download(api.user.list(), tmp_path / f"{len(late)}")
                elif way == "lines":
                    list(client.lines(api.operations.lines()))
                else:
                    list(client.items(api.operations.numbers()))
            late.append(time.monotonic() - start - 0.03)
        client.close()
        if elsewhere:
            thread.join()
    assert sorted(late)[2] < 0.1, late


def test_an_interrupt_cancels_its_request(api: routable.Router, alarm: Callable[[float], None]) -> None:
    with Responses() as responses:
        responses.add(json=[], delay=30, times=None)
        with routable.Client(transport=responses) as client:
            alarm(0.02)
            with pytest.raises(Interrupted):
                client.perform(api.user.list())
            assert client.drive(0) is False  # no transfer is in progress


def test_a_closed_pipe_as_target_is_an_error(api: routable.Router) -> None:
    before = signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        reader, writer = os.pipe()
        os.close(reader)
        with Responses() as responses:
            responses.add("lines", body="x" * 1000)
            with routable.Client(transport=responses) as client:
                request = api.operations.lines()
                request.write_to(writer)
                with pytest.raises(routable.errors.FileError, match="roken pipe"):
                    client.perform(request)
        os.close(writer)
    finally:
        signal.signal(signal.SIGPIPE, before)


@pytest.mark.parametrize("base", [
    "https://user:planted@host", "https://planted@host/v1", "user:planted@host", "https:user:planted@host", "ftp://user:planted@host/",
    "https://user:pla/planted@host/v1", "https://user:p?planted@host/", "https://user:p#planted@host/", "//user:planted@host", "planted:x@host",
    "https://host/?key=planted#x", "planted@host", "https://planted@@host/", "unix:planted@host",
])
def test_no_message_has_a_credential_of_a_url(api: routable.Router, base: str) -> None:
    errors: List[routable.RoutableError] = []
    for use in (
        lambda: routable.open({**DOCUMENT, "base": base}), lambda: routable.open(DOCUMENT, base=base),
        lambda: routable.Client(base=base, transport=print), lambda: api.user.list(routable.using(base=base)),
    ):
        with pytest.raises(routable.RoutableError) as caught:
            use()
        errors.append(caught.value)
    for location, operation in ((base, "list"), (f"<{base}>; rel=next", "numbers")):
        if "//" not in base:
            break  # for a service, it is a path
        responses = Responses()
        responses.add(status=302 if operation == "list" else 200, json=[], headers={"Location": location, "Link": location}, times=None)
        with routable.Client(transport=responses, max_redirects=1) as client:
            try:
                list(client.items(api.operations.numbers()) if operation == "numbers" else [client.perform(api.user.list())])
            except routable.RoutableError as error:
                errors.append(error)
    assert len(errors) >= 4
    for error in errors:
        assert "planted" not in f"{error} {error.message} {error.parameter} {error.suggestion} {error.next}", error.message


@pytest.mark.parametrize(
    "scheme, credential, why",
    [
        ({"scheme": "basic"}, "ada:secret", "basic requires a user and a password, not a token"),
        ({"scheme": "basic"}, lambda old: "secret", "basic requires a user and a password, not a token"),
        ({"scheme": "key", "name": "X-Key"}, ("ada", "s"), "a key requires a token, not a user and a password"),
    ],
)
def test_a_credential_that_its_scheme_cannot_send(scheme: Dict[str, Any], credential: Any, why: str) -> None:
    api = routable.open({"routable": 1, "base": "https://h.test", "auth": {"login": {**scheme, "default": True}}, "operations": {"o": {"get": "/o"}}})
    sent: List[Any] = []

    def transport(request: routable.TransportRequest) -> routable.TransportResponse:
        sent.append(request)
        return routable.TransportResponse(200)

    with routable.Client(transport=transport, credentials={"login": credential}) as client:
        with pytest.raises(routable.CredentialError, match=why) as caught:
            client.perform(api.operations.o())
    assert caught.value.parameter == "login" and not sent
    assert "secret" not in str(caught.value)


def test_the_response_of_an_error_in_a_transport() -> None:
    api = routable.open({"routable": 1, "base": "https://h.test", "operations": {"o": {"get": "/o"}}})
    with routable.Client(transport=lambda _: routable.TransportResponse(404, body=b"gone")) as inner:
        with routable.Client(transport=lambda _: inner.perform(api.operations.o())) as outer:  # type: ignore[arg-type, return-value]
            with pytest.raises(routable.HTTPStatusError) as caught:
                outer.perform(api.operations.o())
    assert caught.value.response.body == b"gone" and caught.value.http_status == 404


def test_the_content_type_is_given_once() -> None:
    api = routable.open({"routable": 1, "base": "https://h.test", "operations": {"o": {"post": "/o"}}})
    assert api.operations.o(b"x", routable.using(content_type="text/csv")).headers["Content-Type"] == "text/csv"
    with pytest.raises(routable.ParameterError, match="header Content-Type is given twice"):
        api.operations.o(b"x", routable.using(content_type="text/csv", headers={"Content-Type": "text/plain"}))


def test_a_credential_adds_no_cookie() -> None:
    document = {
        "routable": 1, "base": "https://api.test", "auth": {"session": {"scheme": "key", "in": "cookie", "name": "sid"}},
        "operations": {"secret": {"get": "/secret", "auth": "session"}},
    }
    api = routable.open(document)
    with Responses() as responses:
        responses.add(times=None)
        for token, good in (("abc=/+", True), ("a; admin=1", False), ("a,b", False), ('a"b', False), ("a b", False), ("a\\b", False)):
            with routable.Client(transport=responses, credentials={"session": token}) as client:
                if good:
                    client.perform(api.operations.secret())
                    assert responses.requests[-1].headers["cookie"] == f"sid={token}"
                    continue
                with pytest.raises(routable.errors.CredentialError, match="cookie cannot contain") as caught:
                    client.perform(api.operations.secret())
                assert "admin" not in caught.value.message
        assert len(responses.requests) == 1


def test_lines_of_the_logger(api: routable.Router, caplog: pytest.LogCaptureFixture) -> None:
    with Responses() as responses, caplog.at_level("INFO", logger="routable"):
        responses.add("read", 503)
        responses.add("read", json={"name": "x"})
        responses.add("list", fault="connect")
        told: List[str] = []
        with routable.Client(
            transport=responses, retries=1, retry_delay=0.001, headers={"Authorization": "planted"}, on_event=lambda event: told.append(event.kind)
        ) as client:
            client.perform(api.user(1).read(routable.using(headers={"X-Vault-Token": "planted"})))
            with pytest.raises(routable.errors.TransferError):
                client.perform(api.user.list(), retries=0)
    lines = [record.getMessage() for record in caplog.records if record.name == "routable"]
    assert [record.levelname for record in caplog.records if record.name == "routable"] == ["INFO", "INFO", "WARNING"]
    assert lines[0].startswith("user.read GET /users/:id on https://api.test: 503 in ") and "; retry after 0.0" in lines[0], lines
    assert lines[1].startswith("user.read GET /users/:id on https://api.test: 200 in ") and lines[1].endswith("(attempt 2)"), lines
    assert lines[2].startswith("user.list GET /users on https://api.test: transfer in "), lines
    assert "planted" not in "".join(lines) and told.count("end") == 2
