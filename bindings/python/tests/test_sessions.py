"""Sessions: cookies, query and headers of a client, Unix sockets, options of libcurl, versions of HTTP."""

from __future__ import annotations

import os
import socket
import stat
import threading
from pathlib import Path
from typing import Any, Dict, Iterator

import pytest
import routable
from loopback import Loopback, whole
from loopback import json as json_answer
from routable.testing import Responses

DOCUMENT: Dict[str, Any] = {
    "routable": 1,
    "operations": {
        "login": {"get": "/login"}, "me": {"get": "/me"}, "away": {"get": "/away"},
        "named": {"get": "/named", "cookie": {"own": {}}}, "search": {"get": "/search", "query": {"q": {}}},
    },
}


@pytest.fixture
def api(loopback: Loopback) -> routable.Router:
    loopback.answers["/login"] = whole("200 OK", b"", "Set-Cookie: id=s3cret; Path=/; HttpOnly", "Set-Cookie: far=x; Domain=other.test")
    loopback.answers["/me"] = loopback.answers["/named"] = json_answer("{}")
    return routable.open(DOCUMENT, base=loopback.base)


def test_cookies(api: routable.Router, loopback: Loopback, tmp_path: Path) -> None:
    with routable.Client() as client:
        client.perform(api.operations.login())
        client.perform(api.operations.me())
        assert "cookie" not in loopback.seen[-1].headers  # off by default
        with pytest.raises(routable.ArgumentError, match="no file for cookies"):
            client.save_cookies()
    path = tmp_path / "cookies.txt"
    with routable.Client(cookies=path) as client:  # the file does not exist yet
        client.perform(api.operations.login())
        assert client.submit(api.operations.me()).result().status == 200  # another handle, the same jar
        assert loopback.seen[-1].headers["cookie"] == "id=s3cret"
        client.perform(api.operations.named(routable.using(cookies={"own": "1"})))
        assert sorted(loopback.seen[-1].headers["cookie"].split("; ")) == ["id=s3cret", "own=1"]
        client.perform(api.operations.me())
        assert loopback.seen[-1].headers["cookie"] == "id=s3cret"
        client.save_cookies()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600 and [each.name for each in tmp_path.iterdir()] == ["cookies.txt"]
    with routable.Client(cookies=path) as client:
        client.perform(api.operations.me())
        assert loopback.seen[-1].headers["cookie"] == "id=s3cret"
        assert "s3cret" not in client.to_curl(api.operations.me())
    with routable.Client(cookies=True) as client:
        client.perform(api.operations.me())
        assert "cookie" not in loopback.seen[-1].headers


def test_cookies_stay_with_their_host(api: routable.Router, loopback: Loopback) -> None:
    port = loopback.base.rpartition(":")[2]
    loopback.answers["/away"] = whole("302 Found", b"", f"Location: http://localhost:{port}/me")
    with routable.Client(cookies=True) as client:
        client.perform(api.operations.login())
        client.perform(api.operations.away())
        assert loopback.seen[-1].line.startswith("GET /me") and "cookie" not in loopback.seen[-1].headers
        assert loopback.seen[-2].headers["cookie"] == "id=s3cret"


@pytest.mark.parametrize("content, message", [
    (b"not a cookie\n", "line 1 is not a cookie"),
    (b"# comment\n\nh\tFALSE\t/\tFALSE\tx\ta\tb\n", "line 3 is not a cookie"),
    (b"\0" * 100, "line 1 is not a cookie"),
    (None, "cannot be read"),
])
def test_a_cookie_file_that_cannot_be_read(tmp_path: Path, content: Any, message: str) -> None:
    path = tmp_path / "cookies"
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    with pytest.raises(routable.FileError, match=message):
        routable.Client(cookies=path)
    with pytest.raises(routable.FileError, match="cannot be written"), routable.Client(cookies=tmp_path / "none" / "x") as client:
        client.save_cookies()
    with Responses() as responses, pytest.raises(routable.UnsupportedError, match="a transport does not use"):
        routable.Client(cookies=True, transport=responses)


def test_query_and_headers_of_origins(api: routable.Router, loopback: Loopback) -> None:
    with Responses() as responses:
        responses.add(times=None)
        with routable.Client(
            transport=responses, query={"key": "a b", "list": ["x", "y"]}, headers={"X-All": "1"},
            origin_headers={"https://CDN.test:443": {"X-Key": "s3cret", "Authorization": "Bearer s3cret"}},
        ) as client:
            known = routable.open(DOCUMENT, base="https://api.test")
            client.perform(known.operations.search(q="z"))
            client.perform(known.follow("https://cdn.test/blob"))
            client.perform(known.follow("https://cdn.test:8443/blob"))
            curl = client.to_curl(known.follow("https://cdn.test/blob"))
        first, second, third = responses.requests
    assert first.url == "https://api.test/search?q=z&key=a+b&list=x&list=y" and first.headers["x-all"] == "1"
    assert "x-key" not in first.headers and "authorization" not in first.headers
    assert second.headers["x-key"] == "s3cret" and second.headers["authorization"] == "Bearer s3cret"
    assert second.url == "https://cdn.test/blob" and "x-all" not in second.headers and "x-key" not in third.headers
    assert "s3cret" not in curl
    for options, error, message in (
        ({"origin_headers": {"cdn.test": {"X": "1"}}}, routable.URLError, "is not an http or https URL"),
        ({"origin_headers": {"https://a.test": {"X Y": "1"}}}, routable.HeaderError, "is not a valid HTTP token"),
        ({"query": "a b"}, routable.URLError, "percent-encoded"),
    ):
        with pytest.raises(error, match=message):
            routable.Client(**options)  # type: ignore[arg-type]


def test_the_version_of_http(api: routable.Router, loopback: Loopback) -> None:
    with routable.Client() as client:
        assert client.perform(api.operations.me()).http_version == "HTTP/1.1"
        assert [each.result().http_version for each in client.perform_all([api.operations.me()])] == ["HTTP/1.1"]
    with Responses() as responses:
        responses.add()
        with routable.Client(transport=responses) as client:
            assert client.perform(api.operations.me()).http_version is None
    assert api.map_response(None, "me", 200).http_version is None


@pytest.fixture
def unix(tmp_path: Path) -> Iterator[Path]:
    """A service on a Unix socket that responds with the request line."""
    path = tmp_path / "service.sock"
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(os.fspath(path))
    listener.listen()

    def serve() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection, connection.makefile("rb") as stream:
                lines = list(iter(stream.readline, b"\r\n"))
                body = lines[0].strip() + b" " + next(each for each in lines if each.lower().startswith(b"host:")).strip()
                connection.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield path
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()
    thread.join()


def test_a_unix_socket(unix: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    api = routable.open(DOCUMENT, base="http://docker/v1.43")
    with routable.Client(unix_socket=unix) as client:
        assert client.perform(api.operations.me()).body == b"GET /v1.43/me HTTP/1.1 Host: docker"
        assert client.submit(api.operations.login()).result().status == 200
    with routable.Client(unix_socket=unix.parent / "none") as client, pytest.raises(routable.TransferError):
        client.perform(api.operations.me())


def test_options_of_libcurl(api: routable.Router, loopback: Loopback) -> None:
    user_agent, follow = 10018, 52
    with routable.Client(curl_options={10016: "https://from.test/", follow: 0}) as client:  # CURLOPT_REFERER
        client.perform(api.operations.me())
        assert loopback.seen[-1].headers["referer"] == "https://from.test/"
        assert client.submit(api.operations.me()).result().status == 200
        assert loopback.seen[-1].headers["referer"] == "https://from.test/"
    with pytest.raises(routable.CallbackError, match="sets options of libcurl returned 48"):
        routable.Client(curl_options={9999: 1})
    with pytest.raises(TypeError, match="must be an int or a str"):
        routable.Client(curl_options={user_agent: 1.5})  # type: ignore[dict-item]


def test_without_verifying_there_is_a_warning() -> None:
    with pytest.warns(UserWarning, match="any certificate"):
        routable.Client(verify=False).close()


@pytest.mark.parametrize("way", ["perform", "submit"])
def test_the_challenge_is_told_to_the_refresh(loopback: Loopback, way: str) -> None:
    told = []

    def renew(old: Any, renewal: routable.Renewal) -> str:
        told.append((old, renewal))
        return "fresh"

    loopback.answers["/secret"] = whole("401 Unauthorized", b"", 'WWW-Authenticate: Bearer realm="r", scope="a"', "WWW-Authenticate: Basic realm=x")
    api = routable.open({"routable": 1, "base": loopback.base, "auth": {"session": {"scheme": "bearer", "default": True}},
                         "resources": {"thing": {"path": "secret", "can": ["list"]}}})
    with routable.Client(credentials={"session": routable.Credential("old", refresh=renew)}) as client:
        with pytest.raises(routable.ExcessiveRefreshError):
            client.perform(api.thing.list()) if way == "perform" else client.submit(api.thing.list()).result()
    (old, renewal), *_ = told
    assert old == "old" and (renewal.scheme, renewal.route, renewal.operation) == ("session", "thing", "list")
    assert renewal.url == f"{loopback.base}/secret"
    challenges = routable.challenges.parse_challenges(renewal.challenges)
    assert [each.scheme for each in challenges] == ["bearer", "basic"] and challenges[0].parameters == {"realm": "r", "scope": "a"}
