"""Middleware, and the classes that use it: challenges and HAR."""

from __future__ import annotations

import asyncio
import base64
import json as stdlib_json
import os
import socket
import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Dict, List
from urllib.parse import parse_qs, urlsplit

import pytest
import routable
from loopback import Loopback, whole
from loopback import json as json_answer
from routable.challenges import BearerChallenge, Challenge, parse_challenges
from slowness import SLOWNESS

DOCUMENT: Dict[str, Any] = {
    "routable": 1,
    "operations": {
        "pull": {"get": "/v2/{name...}/blobs/{digest}"}, "ping": {"get": "/ping"},
    },
}


@pytest.fixture
def api(loopback: Loopback) -> routable.Router:
    loopback.answers["/ping"] = json_answer('{"a":1}')
    return routable.open(DOCUMENT, base=loopback.base)


def test_order_change_answer_and_fail(api: routable.Router, loopback: Loopback) -> None:
    seen: List[str] = []

    def outer(request: routable.Request, call: routable.Call) -> Any:
        seen.append(f"outer {request.operation} {call.is_async}")
        request.set_header("X-Outer", "1")
        try:
            return call(request)
        finally:
            seen.append("outer ends")

    def inner(request: routable.Request, call: routable.Call) -> Any:
        seen.append("inner " + request.headers["X-Outer"])
        if "X-Canned" in request.headers:
            return routable.Response(200, "raw", routable.Headers(), b'{"canned":true}')
        return call(request)

    with routable.Client(middleware=[outer, inner]) as client:
        assert client.perform(api.ping()).json() == {"a": 1}
        assert loopback.seen[-1].headers["x-outer"] == "1"
        request = api.ping()
        request.set_header("X-Canned", "1")
        assert client.perform(request, into=dict) == {"canned": True}
        assert seen == ["outer ping False", "inner 1", "outer ends"] * 2 and len(loopback.seen) == 1
        for method in (client.submit, client.lines, client.events, client.values, client.pieces):
            with pytest.raises(routable.UnsupportedError, match="runs only middleware that is a generator function"):
                method(api.ping())
        with pytest.raises(routable.UnsupportedError, match="perform_all runs only middleware that is a generator function"):
            next(client.perform_all([api.ping()]))
    with pytest.raises(TypeError, match="middleware must be functions, not int"):
        routable.Client(middleware=[3])  # type: ignore[list-item]

    async def twice(request: routable.Request, call: routable.Call) -> Any:
        await call(request)
        return await call(request)

    async def fails(request: routable.Request, call: routable.Call) -> Any:
        raise KeyError("mine")

    async def run() -> None:
        async with routable.AsyncClient(middleware=[twice]) as client:
            assert (await client.perform(api.ping())).json() == {"a": 1}
        async with routable.AsyncClient(middleware=[fails]) as client:
            with pytest.raises(KeyError, match="mine"):
                await client.perform(api.ping())

    asyncio.run(run())
    assert len(loopback.seen) == 3


def test_generators_run_everywhere(api: routable.Router, loopback: Loopback) -> None:
    seen: List[str] = []

    def outer(request: routable.Request) -> Any:
        seen.append("outer")
        try:
            response = yield request
        except routable.HTTPStatusError as error:  # returns a response instead of the error
            return error.response
        return response

    def inner(request: routable.Request) -> Any:
        if "X-Canned" in request.headers:
            return routable.Response(200, "raw", routable.Headers(), b"canned")
        request.set_header("X-Inner", "1")
        response = yield request
        if "X-Twice" in request.headers:
            response = yield request
        if "X-Fails" in request.headers:
            raise KeyError("mine")
        return response

    def requests() -> List[routable.Request]:
        made = [api.ping() for _ in range(4)] + [api.operations.pull(name="a", digest="b")]
        for request, header in zip(made[1:], ("X-Canned", "X-Twice", "X-Fails")):
            request.set_header(header, "1")
        return made

    def check(ended: List[routable.Completion], count: int) -> None:
        assert sorted((each.response.status if each.response else 0) for each in ended) == [0, 200, 200, 200, 404]
        assert [type(each.error) for each in ended if each.error] == [KeyError]
        assert count == 5 and seen == ["outer"] * 5
        del loopback.seen[:], seen[:]

    middleware = [outer, inner]
    with routable.Client(middleware=middleware) as client:
        given = requests()
        ended = list(client.perform_all(given, concurrency=2))
        assert {id(each.request) for each in ended} == {id(each) for each in given}
        check(ended, len(loopback.seen))
        assert client.perform(api.operations.pull(name="a", digest="b")).status == 404
        assert [each.response and each.response.body for each in client.perform_all(requests()[1:2] * 3, concurrency=1)] == [b"canned"] * 3
        del loopback.seen[:], seen[:]

    async def run() -> None:
        async with routable.AsyncClient(middleware=middleware) as client:
            check([each async for each in client.perform_all(requests(), concurrency=2)], len(loopback.seen))
            assert (await client.perform(api.operations.pull(name="a", digest="b"))).status == 404

    asyncio.run(run())


def test_har_of_many(api: routable.Router, tmp_path: Path) -> None:
    har = routable.har.Har(tmp_path / "a.har")
    with routable.Client(middleware=[har]) as client:
        assert len(list(client.perform_all(api.ping() for _ in range(20)))) == 20
    assert len(har.entries) == 20 and har.entries[0]["response"]["httpVersion"] == "HTTP/1.1"


@pytest.mark.parametrize(("headers", "found"), [
    (['Bearer realm="https://a/t",service="r", scope="repository:x:pull"'],
     [Challenge("bearer", {"realm": "https://a/t", "service": "r", "scope": "repository:x:pull"})]),
    (['Basic realm="a, \\"b\\" = c", charset=UTF-8 , NewAuth p1=1'],
     [Challenge("basic", {"realm": 'a, "b" = c', "charset": "UTF-8"}), Challenge("newauth", {"p1": "1"})]),
    (["Negotiate", "NTLM TlRMTVNT=="], [Challenge("negotiate", {}), Challenge("ntlm", {}, "TlRMTVNT==")]),
    (["Negotiate, Basic realm=x"], [Challenge("negotiate", {}), Challenge("basic", {"realm": "x"})]),
    (["Digest REALM = \"x\" , realm=\"y\""], [Challenge("digest", {"realm": "x"})]),
    ([""], []), ([", ,"], []), (['"'], []), (["Bearer realm=\"unterminated"], [Challenge("bearer", {})]),
])
def test_challenges(headers: List[str], found: List[Challenge]) -> None:
    got = parse_challenges(headers)
    assert got[: len(found)] == found, got
    if found and found[-1].scheme != "bearer":
        assert len(got) == len(found)


def test_challenges_take_linear_time() -> None:
    for text in ('Bearer ' + 'a="' * 50_000, "a " * 50_000, "Bearer a=b," * 20_000, 'Bearer a="' + "\\" * 100_000):
        assert len(parse_challenges([text])) < 20_000


class Registry:
    """A registry and its token service at one origin: 401 without a token for the scope."""

    def __init__(self, loopback: Loopback) -> None:
        self.loopback = loopback
        self.token_requests: List[Dict[str, List[str]]] = []
        self.logins: List[str] = []
        self.lock = threading.Lock()
        self.lasts = 300
        outer = loopback._serve_one

        def serve(stream: Any, connection: socket.socket) -> bool:
            line = stream.readline().decode("latin-1").rstrip("\r\n")
            if not line:
                return False
            headers = {}
            for text in iter(lambda: stream.readline().decode("latin-1").rstrip("\r\n"), ""):
                key, _, value = text.partition(":")
                headers[key.lower()] = value.strip()
            return self.answer(line.split(" ")[1], headers)(connection, loopback._ended)

        assert outer is not None
        loopback._serve_one = serve  # type: ignore[method-assign]

    def answer(self, target: str, headers: Dict[str, str]) -> Any:
        place = urlsplit(target)
        if place.path == "/token":
            with self.lock:
                self.token_requests.append(parse_qs(place.query))
                self.logins.append(headers.get("authorization", ""))
            scope = self.token_requests[-1]["scope"][0]
            return json_answer(stdlib_json.dumps({"token": f"for-{scope}", "expires_in": self.lasts}))
        name = place.path.split("/")[2]
        if headers.get("authorization") == f"Bearer for-repository:{name}:pull":
            return json_answer('{"ok":true}')
        challenge = f'Bearer realm="{self.loopback.base}/token",service="registry",scope="repository:{name}:pull"'
        return whole("401 Unauthorized", b"{}", f"WWW-Authenticate: {challenge}")


def pulls(api: routable.Router) -> List[routable.Request]:
    return [api.operations.pull(name=f"image{number % 4}", digest=str(number)) for number in range(64)]


def test_64_pulls_make_one_token_request_per_scope(api: routable.Router, loopback: Loopback) -> None:
    registry = Registry(loopback)
    with routable.Client(deadline=30 * SLOWNESS, middleware=[BearerChallenge("user", "pass:word")]) as client:
        with ThreadPoolExecutor(64) as pool:
            responses = list(pool.map(client.perform, pulls(api)))
    assert [response.json() for response in responses] == [{"ok": True}] * 64
    assert sorted(each["scope"][0] for each in registry.token_requests) == [f"repository:image{n}:pull" for n in range(4)]
    assert registry.token_requests[0]["service"] == ["registry"] and registry.token_requests[0]["account"] == ["user"]
    assert set(registry.logins) == {"Basic " + base64.b64encode(b"user:pass:word").decode()}

    async def run() -> None:
        del registry.token_requests[:]
        async with routable.AsyncClient(deadline=30 * SLOWNESS, middleware=[BearerChallenge()]) as client:
            requests = pulls(api)
            responses = await asyncio.gather(*(client.perform(request) for request in requests))
            assert [response.json() for response in responses] == [{"ok": True}] * 64
            assert all("Authorization" not in request.headers for request in requests)  # the request object does not store the token
            assert (await client.perform(requests[0])).json() == {"ok": True}
        assert len(registry.token_requests) == 4

    asyncio.run(run())


@pytest.mark.parametrize(("challenge", "message"), [
    ('Bearer service="x"', "has no realm that is an http or https URL"),
    ('Bearer realm="file:///etc/passwd"', "has no realm that is an http or https URL"),
    ('Bearer realm="https://u:p@evil.example/t"', "has no realm that is an http or https URL"),
    ('Bearer realm="http://evil.example/t"', "only https is allowed for another origin"),
    ('Bearer realm="https://evil.example/t"', r"realms=\['https://evil.example'\]"),
    ('Bearer realm="{base}/t%0a"', "other characters"),
    ('Bearer realm="{base}/none",scope=s', "no token from .*401 to token"),
    ('Bearer realm="{base}/empty"', "neither token nor access_token"),
])
def test_a_challenge_that_cannot_be_met(api: routable.Router, loopback: Loopback, challenge: str, message: str) -> None:
    refused = whole("401 Unauthorized", b"{}", "WWW-Authenticate: " + challenge.replace("{base}", loopback.base))
    loopback.answers["/ping"] = loopback.answers["/none?account=user&scope=s"] = refused
    loopback.answers["/empty?account=user"] = json_answer("[]")
    with routable.Client(deadline=20 * SLOWNESS, middleware=[BearerChallenge("user", "secret")]) as client:
        with pytest.raises(routable.CredentialError, match=message) as caught:
            client.perform(api.ping())
    assert "secret" not in str(caught.value)
    assert all("authorization" not in each.headers for each in loopback.seen if each.line.startswith("GET /ping"))


def test_a_401_without_a_bearer_challenge_is_not_changed(api: routable.Router, loopback: Loopback) -> None:
    loopback.answers["/ping"] = whole("401 Unauthorized", b"no", 'WWW-Authenticate: Basic realm="x"')
    with routable.Client(middleware=[BearerChallenge()]) as client, pytest.raises(routable.HTTPStatusError, match="401 to ping"):
        client.perform(api.ping())


def test_har_without_secrets(api: routable.Router, loopback: Loopback, tmp_path: Path) -> None:
    loopback.answers["/ping"] = whole("200 OK", b'{"token":"s3cret"}', "Content-Type: application/json",
                                      "Set-Cookie: id=s3cret", "Location: http://h/a?sig=s3cret")
    path = tmp_path / "a.har"
    path.write_text("old")
    with routable.har.Har(path, max_entries=2) as har, routable.Client(
        middleware=[har], headers={"X-Client": "s3cret"}, deadline=20 * SLOWNESS
    ) as client:
        request = api.ping()
        request.set_header("Authorization", "Bearer s3cret")
        request.set_header("X-Vault-Token", "s3cret")
        request.set_header("X-Plain", "shown")
        client.perform(request)
        with pytest.raises(routable.HTTPStatusError):
            client.perform(api.operations.pull(name="a/b", digest="c"))
        client.perform(api.ping())
        assert path.read_text() == "old"
    text = path.read_text()
    assert "s3cret" not in text and stat.S_IMODE(os.stat(path).st_mode) == 0o600
    log = stdlib_json.loads(text)["log"]
    assert log["version"] == "1.2" and log["comment"] == "1 further requests were not recorded"
    first, second = log["entries"]
    assert first["request"]["url"] == f"{loopback.base}/ping" and first["_operation"] == "ping"
    headers = {each["name"]: each["value"] for each in first["request"]["headers"]}
    assert headers["X-Plain"] == "shown" and headers["Authorization"] == "***" and headers["X-Vault-Token"] == "***"
    answered = {each["name"]: each["value"] for each in first["response"]["headers"]}
    assert answered["Set-Cookie"] == "***" and answered["Location"] == "http://h/a?***"
    assert second["response"]["status"] == 404 and second["_error"].startswith("http_status: ")
    assert [each.name for each in tmp_path.iterdir()] == ["a.har"]

    async def run() -> None:
        har = routable.har.Har(path, bodies=True)
        async with routable.AsyncClient(middleware=[har]) as client:
            await client.perform(api.ping())
        assert har.entries[0]["response"]["content"]["text"] == '{"token":"s3cret"}'

    asyncio.run(run())
