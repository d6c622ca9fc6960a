"""Services: the functions that verify credentials: their kinds, the time and the number of their calls."""

from __future__ import annotations

import asyncio
import threading
from typing import Any, Callable, Dict, List

import pytest
import routable
from slowness import SLOWNESS
from test_service import asgi, wsgi
from test_service_handlers import JSON, asked, made


async def verified_later(token: str) -> Any:
    await asyncio.sleep(0)
    return "ann" if token == "good" else None


@pytest.mark.parametrize("verify", [
    verified_later,
    lambda token: token == "good",
    lambda token: "" if token == "good" else None,
    lambda token: 0 if token == "good" else False,
])
def test_a_verified_credential_is_the_identity(verify: Callable[[str], Any]) -> None:
    service = made()
    service.credential("session")(verify)
    service.handle("secret")(lambda received, identity: {"identity": identity})
    wrong = asked(service, "POST", "/secret", {"Authorization": "Bearer wrong", **JSON}, b'{"text": "a"}')
    assert (wrong[0], wrong[1]["WWW-Authenticate"]) == (401, 'Bearer realm="service", error="invalid_token"')
    assert b"the credential is not valid" in wrong[2]
    assert asked(service, "POST", "/secret", {"Authorization": "Bearer good", **JSON}, b'{"text": "a"}')[0] == 200


def test_a_client_that_may_not_call_learns_nothing_of_the_operation() -> None:
    service = made()
    service.credential("session")(lambda token: "ann" if token == "good" else None)
    service.handle("secret")(lambda received: {})
    for headers in ({}, {"Authorization": "Bearer wrong"}):
        status, _, body = asked(service, "POST", "/secret", {**headers, **JSON}, b'{"text": 1}')
        assert status == 401 and b"text" not in body and body.count(b"detail") == 2, body
    assert asked(service, "POST", "/secret", {"Authorization": "Bearer good", **JSON}, b'{"text": 1}')[0] == 422


def test_one_good_credential_of_several_is_enough() -> None:
    service = made()
    service.credential("app")(lambda key: "app" if key == "good" else None)
    service.credential("login")(lambda login: login.split(":")[0] if login == "ann:b" else None)
    service.handle("either")(lambda received, identity: [identity, dict(received.credentials)])
    basic, bad = {"Authorization": "Basic YW5uOmI="}, {"X-Key": "wrong"}
    assert asked(service, "GET", "/either", {**basic, **bad})[2] == b'["ann",{"login":"ann:b"}]'
    assert asked(service, "GET", "/either", {"X-Key": "good", **basic})[2] == b'["app",{"app":"good"}]'
    status, headers, _ = asked(service, "GET", "/either", bad)
    assert (status, headers["WWW-Authenticate"]) == (401, 'ApiKey realm="service", Basic realm="service", charset="UTF-8"')


def test_a_credential_that_is_optional() -> None:
    service = made()
    service.credential("session")(lambda token: "ann" if token == "good" else None)
    service.handle("optional")(lambda received, identity: {"identity": identity})
    assert asked(service, "GET", "/optional")[2] == b'{"identity":null}'
    assert asked(service, "GET", "/optional", {"Authorization": "Bearer good"})[2] == b'{"identity":"ann"}'
    assert asked(service, "GET", "/optional", {"Authorization": "Bearer wrong"})[0] == 401


def test_schemes_outside_the_request_are_verified_with_an_empty_string() -> None:
    service = made()
    service.handle("inside")(lambda received, identity: {"identity": identity})
    assert asked(service, "GET", "/inside")[0] == 401
    assert asked(service, "GET", "/inside", {"Authorization": "Bearer wrong"})[0] == 401
    service.credential("mtls")(lambda nothing: "the proxy has verified it" if nothing == "" else None)
    # A parameter of the request is never the identity.
    assert asked(service, "GET", "/inside?identity=admin")[2] == b'{"identity":"the proxy has verified it"}'


def test_the_identity_is_that_of_the_alternative() -> None:
    service = made()
    service.credential("app")(lambda key: "the app")
    service.credential("session")(lambda token: "ann" if token == "good" else None)
    service.handle("both")(lambda received, identity: [identity, list(received.credentials)])
    headers = {"X-Key": "k", "Authorization": "Bearer good"}
    assert asked(service, "GET", "/both", headers)[2] == b'["ann",["session"]]'
    assert asked(service, "GET", "/both", {"X-Key": "k"})[0] == 401


def test_an_exception_of_a_verifying_function_is_a_500(caplog: Any) -> None:
    service = made()

    @service.credential("session")
    def session(token: str) -> Any:
        raise RuntimeError("the database is down")

    service.handle("secret")(lambda received: {})
    status, _, body = asked(service, "POST", "/secret", {"Authorization": "Bearer t", **JSON}, b'{"text": "a"}')
    assert status == 500 and b"database" not in body
    assert "the database is down" in caplog.text and "Bearer" not in caplog.text


def test_a_scheme_that_the_description_does_not_have() -> None:
    with pytest.raises(routable.UnknownError, match='has no "sesion"; did you mean "session"'):
        made().credential("sesion")


# --- Time and number of calls ---

SHARED: Dict[str, Any] = {
    "openapi": "3.1.0", "info": {"title": "t", "version": "1"},
    "components": {"securitySchemes": {
        "app": {"type": "apiKey", "in": "header", "name": "X-Key"}, "session": {"type": "http", "scheme": "bearer"},
        "login": {"type": "http", "scheme": "basic"}}},
    "paths": {
        "/both": {"get": {"operationId": "both", "responses": {"200": {"description": "r"}},
                          "security": [{"app": [], "login": []}, {"app": [], "session": []}]}},
        # A request for the first path also matches the second one: the first operation that accepts it is used.
        "/places/{number}": {"get": {
            "operationId": "byNumber", "responses": {"200": {"description": "r"}}, "security": [{"app": []}],
            "parameters": [{"name": "number", "in": "path", "required": True, "schema": {"type": "integer"}}]}},
        "/places/{name}": {"get": {
            "operationId": "byName", "responses": {"200": {"description": "r"}}, "security": [{"app": []}],
            "parameters": [{"name": "name", "in": "path", "required": True, "schema": {"type": "string"}}]}},
    },
}


def counted(verified: List[str]) -> routable.Service:
    """A service that records each credential that it verifies."""
    service = routable.Service(routable.open(SHARED))

    def counts(scheme: str) -> None:
        @service.credential(scheme)
        def verify(credential: str) -> Any:
            verified.append(f"{scheme} {credential}")
            return scheme if credential in ("k", "t") else None

    for scheme in ("app", "session", "login"):
        counts(scheme)
    for name in ("both", "byNumber", "byName"):
        service.handle(name)(lambda received, identity: [received.operation, identity, sorted(received.credentials)])
    return service


@pytest.mark.parametrize("application", [wsgi, asgi])
@pytest.mark.parametrize("path, headers, status, body, expected", [
    ("/both", {"X-Key": "k", "Authorization": "Bearer t"}, 200, b'["both","app",["app","session"]]', ["app k", "session t"]),
    ("/both", {"X-Key": "k"}, 401, None, ["app k"]),
    ("/both", {"X-Key": "wrong", "Authorization": "Bearer t"}, 401, None, ["app wrong", "session t"]),
    ("/both", {}, 401, None, []),
    ("/places/7", {"X-Key": "k"}, 200, b'["byNumber","app",["app"]]', ["app k"]),
    ("/places/seven", {"X-Key": "k"}, 200, b'["byName","app",["app"]]', ["app k"]),
    ("/places/seven", {"X-Key": "wrong"}, 401, None, ["app wrong"]),
])
def test_a_credential_is_verified_once_per_request(
    application: Any, path: str, headers: Dict[str, str], status: int, body: Any, expected: List[str]
) -> None:
    verified: List[str] = []
    response = application(counted(verified), "GET", path, dict(headers), b"")
    assert response[0] == status, response
    assert body is None or response[2] == body
    assert sorted(verified) == expected


def test_a_synchronous_function_does_not_block_the_event_loop() -> None:
    """The function waits for an event that the event loop sets: if it blocked the loop, it would wait in vain."""
    loop_has_run = threading.Event()
    service = made()
    service.handle("secret")(lambda received, identity: {"identity": identity})

    async def main() -> Any:
        loop, is_called = asyncio.get_running_loop(), asyncio.Event()

        @service.credential("session")
        def session(token: str) -> Any:
            loop.call_soon_threadsafe(is_called.set)
            return "ann" if loop_has_run.wait(20 * SLOWNESS) else None

        async def other_request() -> None:
            await is_called.wait()
            loop_has_run.set()

        sent: List[Any] = []

        async def receive() -> Any:
            return {"type": "http.request", "body": b'{"text": "a"}'}

        async def send(message: Any) -> None:
            sent.append(message)

        scope = {"type": "http", "method": "POST", "path": "/secret", "query_string": b"",
                 "headers": [(b"authorization", b"Bearer t"), (b"content-type", b"application/json")]}
        await asyncio.gather(service.asgi(scope, receive, send), other_request())
        return sent

    sent = asyncio.run(main())
    assert (sent[0]["status"], sent[-1]["body"]) == (200, b'{"identity":"ann"}')


def test_the_threads_of_functions_have_the_context_of_the_request() -> None:
    from contextvars import ContextVar

    number: "ContextVar[int]" = ContextVar("number", default=0)
    service = made()
    service.credential("session")(lambda token: f"ann {number.get()}")
    service.handle("secret")(lambda received, identity: [identity, number.get()])

    async def main() -> Any:
        number.set(7)
        sent: List[Any] = []

        async def receive() -> Any:
            return {"type": "http.request", "body": b'{"text": "a"}'}

        async def send(message: Any) -> None:
            sent.append(message)

        await service.asgi({"type": "http", "method": "POST", "path": "/secret", "query_string": b"",
                            "headers": [(b"authorization", b"Bearer t"), (b"content-type", b"application/json")]}, receive, send)
        return sent

    assert asyncio.run(main())[-1]["body"] == b'["ann 7",7]'
