"""Digest, netrc, cookies, clients without credentials, and redirects that are results."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import http.server
import re
import threading
from pathlib import Path
from typing import Any, Iterator, List

import pytest
import routable
from routable import Cookie
from slowness import SLOWNESS

NONCE = "0123456789"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        pass

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        given = self.headers.get("Authorization") or ""
        self.server.seen.append((self.path, given, self.headers.get("Cookie"), body))  # type: ignore[attr-defined]
        if self.path.startswith("/digest") and not self.is_known(given):
            return self.reply(401, ("WWW-Authenticate", f'Digest realm="r", qop="auth", algorithm=SHA-256, nonce="{NONCE}"'))
        if given and self.server.closes_known:  # type: ignore[attr-defined]
            self.close_connection = True
            return None
        if self.path.startswith("/away"):
            return self.reply(302, ("Location", "/plain"))
        if self.path == "/login":
            return self.reply(200, ("Set-Cookie", "sid=abc; Path=/; HttpOnly; Max-Age=3600"))
        return self.reply(200)

    do_POST = do_GET

    def is_known(self, given: str) -> bool:
        def hashed(text: str) -> str:
            return hashlib.sha256(text.encode()).hexdigest()

        values = {key: one or other for key, one, other in re.findall(r'(\w+)=(?:"([^"]*)"|([^,\s]+))', given)}
        if not given.startswith("Digest ") or values.get("username") != "ann":
            return False
        path = hashed(f"{self.command}:{values['uri']}")
        return values["response"] == hashed(
            f"{hashed('ann:r:pass word')}:{NONCE}:{values['nc']}:{values['cnonce']}:{values['qop']}:{path}")

    def reply(self, status: int, *headers: Any) -> None:
        body = b'{"a": 1}'
        self.send_response(status)
        for name, value in (("Content-Type", "application/json"), ("Content-Length", str(len(body))), *headers):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def service() -> Iterator[Any]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.seen, server.closes_known = [], False  # type: ignore[attr-defined]
    server.base = f"http://127.0.0.1:{server.server_address[1]}"  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def opened(service: Any) -> routable.Router:
    return routable.open({
        "routable": 1, "base": service.base,
        "auth": {"digest": {"scheme": "digest"}, "key": {"scheme": "key", "name": "X-Key"}},
        "operations": {
            "digest": {"get": "/digest", "auth": "digest"}, "send": {"post": "/digest", "auth": "digest", "body": {"type": "object"}},
            "plain": {"get": "/plain"}, "login": {"get": "/login"}, "keyed": {"get": "/plain/keyed", "auth": "key"},
            "away": {"get": "/away"}, "result": {"get": "/away/result", "results": {"302": None}},
            "both": {"get": "/away/both", "results": {"200": None, "302": None}},
        }})


def test_digest(service: Any) -> None:
    api = opened(service)
    with routable.Client(api, credentials={"digest": ("ann", "pass word")}, deadline=20 * SLOWNESS) as client:
        assert client.perform(api.operations.digest()).json() == {"a": 1}
        assert client.perform(api.operations.send({"b": [1] * 100})).status == 200
        assert service.seen[-1][3].startswith(b'{"b"')
        # Another request over the same connection has no credential.
        client.perform(api.operations.plain())
        assert service.seen[-1][1] == ""
        done = [each.result().status for each in client.perform_all(api.operations.digest() for _ in range(20))]
        assert done == [200] * 20
        client.set_credential("digest", ("ann", "wrong"))
        with pytest.raises(routable.HTTPStatusError) as caught:
            client.perform(api.operations.digest())
        assert caught.value.http_status == 401
    assert not any("pass word" in repr(each) for each in service.seen)
    with routable.Client(api, credentials={"digest": ("ann", "pass word")}, transport=lambda request: None) as client:
        with pytest.raises(routable.UnsupportedError, match="digest"):
            client.perform(api.operations.digest())
    with routable.Client(api, credentials={"digest": "a token"}) as client, pytest.raises(routable.CredentialError, match="digest requires"):
        client.perform(api.operations.digest())


@pytest.mark.parametrize("submits", (False, True))
def test_a_challenged_post_is_sent_again_once(service: Any, submits: bool) -> None:
    """The first POST is answered by a challenge and is sent again.  A closed connection instead of a second response is a failure."""
    def post(client: routable.Client) -> routable.Response:
        call = api.operations.send({"b": 1})
        return client.submit(call).result() if submits else client.perform(call)

    api = opened(service)
    with routable.Client(api, credentials={"digest": ("ann", "pass word")}, deadline=20 * SLOWNESS) as client:
        assert post(client).status == 200
    assert [bool(given) for _, given, _, _ in service.seen] == [False, True]
    service.seen.clear()
    service.closes_known = True
    with routable.Client(api, credentials={"digest": ("ann", "pass word")}, deadline=20 * SLOWNESS) as client:
        with pytest.raises(routable.TransferError):
            post(client)
    assert [bool(given) for _, given, _, _ in service.seen] == [False, True]


def test_digest_of_openapi(service: Any) -> None:
    api = routable.open({
        "openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "servers": [{"url": service.base}], "security": [{"d": []}],
        "components": {"securitySchemes": {"d": {"type": "http", "scheme": "Digest"}}},
        "paths": {"/digest": {"get": {"operationId": "get", "responses": {"200": {"description": "x"}}}}}})
    with routable.Client(api, credentials={"d": ("ann", "pass word")}) as client:
        assert client.perform(api.operations["get"]()).status == 200


def test_netrc(service: Any, tmp_path: Path) -> None:
    api = opened(service)
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login ann password secret\nmachine other.test login x password y\n")
    with routable.Client(netrc=tmp_path / "netrc") as client:
        client.perform(api.operations.plain())
        assert service.seen[-1][1] == "Basic " + base64.b64encode(b"ann:secret").decode()
        client.perform(api.operations.plain(routable.using(headers={"Authorization": "Bearer own"})))
        assert service.seen[-1][1] == "Bearer own"
    with routable.Client() as client:
        client.perform(api.operations.plain())
        assert service.seen[-1][1] == ""


def test_cookies_are_read_set_and_cleared(service: Any) -> None:
    api = opened(service)
    with routable.Client(cookies=True) as client:
        assert client.cookies == []
        client.perform(api.operations.login())
        found, = client.cookies
        assert (found.name, found.value, found.domain, found.path, found.http_only, found.secure) == (
            "sid", "abc", "127.0.0.1", "/", True, False) and found.expires
        assert "abc" not in repr(found)
        client.set_cookie(Cookie("theme", "dark", "127.0.0.1"))
        client.perform(api.operations.plain())
        assert sorted((service.seen[-1][2] or "").split("; ")) == ["sid=abc", "theme=dark"]
        client.set_cookie(found._replace(value="new"))
        assert {each.name: each.value for each in client.cookies} == {"sid": "new", "theme": "dark"}
        client.clear_cookies()
        client.perform(api.operations.plain())
        assert client.cookies == [] and service.seen[-1][2] is None
        for wrong in (Cookie("", "a", "b"), Cookie("a", "b\tc", "d"), Cookie("a", "b", "c\nd")):
            with pytest.raises(routable.ArgumentError):
                client.set_cookie(wrong)
    with routable.Client() as client, pytest.raises(routable.ArgumentError, match="cookies"):
        client.cookies


def test_a_client_without_credentials(service: Any) -> None:
    api = opened(service)
    with routable.Client(api, credentials={"key": "k"}, auth=False) as client:
        assert client.perform(api.operations.keyed()).status == 200
        assert "k" not in client.to_curl(api.operations.keyed(), show_secrets=True).replace("127.0.0.1", "").split("'")
        seen: List[Any] = []
    with routable.Client(api, auth=False, transport=lambda request: (seen.append(request), routable.TransportResponse(200))[1]) as client:
        client.perform(api.operations.keyed())
        client.perform(api.operations.keyed(), auth={"key": "own"})
    assert [each.headers.get("X-Key") for each in seen] == [None, "own"]


def test_a_declared_redirect_is_a_result(service: Any) -> None:
    api = opened(service)
    with routable.Client() as client:
        assert client.perform(api.operations.away()).url.endswith("/plain")
        response = client.perform(api.operations.result())
        assert response.status == 302 and response.headers["Location"] == "/plain"
        assert client.perform(api.operations.both()).url.endswith("/plain")  # a 200 is declared as well


def test_max_redirects_applies_to_one_request(service: Any) -> None:
    """`max_redirects` of one call, with each function that performs, whether or not the client follows redirects."""
    api = opened(service)

    def found(call: Any) -> int:
        with pytest.raises(routable.HTTPStatusError) as caught:
            call()
        assert caught.value.response is not None and caught.value.response.headers["Location"] == "/plain"
        return caught.value.http_status or 0

    async def asynchronous() -> None:
        async with routable.AsyncClient() as client:
            with pytest.raises(routable.HTTPStatusError):
                await client.perform(api.operations.away(), max_redirects=0)
            with pytest.raises(routable.HTTPStatusError):
                [each.result() async for each in client.perform_all([api.operations.away()], max_redirects=0)]
            assert (await client.perform(api.operations.away(), max_redirects=1)).status == 200

    with routable.Client() as client:
        for call in [
            lambda: client.perform(api.operations.away(), max_redirects=0),
            lambda: client.submit(api.operations.away(), max_redirects=0).result(),
            lambda: next(iter(client.perform_all([api.operations.away()], max_redirects=0))).result(),
            lambda: client.perform(api.operations.away(), max_redirects=0, into=dict),
            lambda: list(client.lines(api.operations.away(), max_redirects=0)),
        ]:
            assert found(call) == 302
        assert client.perform(api.operations.away()).url.endswith("/plain")
        with pytest.raises(routable.ArgumentError, match="max_redirects"):
            client.perform(api.operations.away(), max_redirects=-1)
    with routable.Client(follow_redirects=False) as client:
        assert found(lambda: client.perform(api.operations.away())) == 302
        assert client.perform(api.operations.away(), max_redirects=3).url.endswith("/plain")
    asyncio.run(asynchronous())
