"""Performing with a loopback server: successes, refused requests, and servers that misbehave."""

from __future__ import annotations

import socket
import threading
from datetime import timedelta
from pathlib import Path
from typing import Any, Callable, Dict, List

import pytest
import routable
from conftest import named_document
from loopback import Loopback, json, never, raw, whole
from slowness import SLOWNESS


def test_a_success_is_returned(named: routable.Router, loopback: Loopback, client: routable.Client) -> None:
    loopback.answers["/models/1"] = json('{"name":"a"}')
    response = client.perform(named.model(1).read(routable.using(headers={"X-Trace": "7"})))
    assert (response.status, response.outcome) == (200, "self")
    assert response.value == {"name": "a"} == response.json()
    assert response.body == b'{"name":"a"}' and response.text == '{"name":"a"}'
    assert response.headers["content-type"] == "application/json"
    assert response.url == f"{loopback.base}/models/1"
    seen = loopback.seen[0]
    assert seen.line == "GET /models/1 HTTP/1.1"
    assert seen.headers["x-trace"] == "7"
    assert seen.headers["user-agent"].startswith("routable/")


def test_a_body_is_sent(named: routable.Router, loopback: Loopback, client: routable.Client) -> None:
    loopback.answers["/models"] = json('{"name":"é"}', "201 Created")
    response = client.perform(named.model.create({"name": "é"}))
    assert response.status == 201
    seen = loopback.seen[0]
    assert (seen.line, seen.body) == ("POST /models HTTP/1.1", '{"name":"é"}'.encode())
    assert seen.headers["content-type"] == "application/json"


def test_an_edited_request_is_sent_as_edited(
    named: routable.Router, loopback: Loopback, client: routable.Client
) -> None:
    loopback.answers["/models/1"] = json('{"name":"a"}')
    request = named.model(1).update({"name": "a"})
    request.set_header("X-A", "b")
    request.set_body(b"\0raw\xff", "application/octet-stream")
    client.perform(request)
    seen = loopback.seen[0]
    assert (seen.body, seen.headers["x-a"], seen.headers["content-type"]) == (b"\0raw\xff", "b", "application/octet-stream")


def test_one_request_can_be_performed_again(named: routable.Router, loopback: Loopback, client: routable.Client) -> None:
    loopback.answers["/models/1"] = json('{"name":"a"}')
    request = named.model(1).read()
    assert [client.perform(request).status for _ in range(3)] == [200] * 3


def test_connections_are_reused(named: routable.Router, loopback: Loopback, client: routable.Client) -> None:
    loopback.answers["/models/1"] = json('{"name":"a"}')
    for _ in range(5):
        client.perform(named.model(1).read())
    assert (len(loopback.seen), loopback.connections) == (5, 1)


@pytest.mark.parametrize("status", ["400 Bad Request", "404 Not Found", "500 Oops", "302 Found"])
def test_a_refused_status_keeps_its_body(
    named: routable.Router, loopback: Loopback, client: routable.Client, status: str
) -> None:
    loopback.answers["/models/1"] = json('{"error":"no such model"}', status)
    with pytest.raises(routable.HTTPStatusError) as caught:
        client.perform(named.model(1).read())
    error = caught.value
    assert error.http_status == int(status[:3])
    assert error.response is not None
    assert error.response.status == int(status[:3])
    assert error.response.json() == {"error": "no such model"}
    assert error.response.headers["Content-Type"] == "application/json"
    assert (error.route, error.operation) == ("model", "read")
    assert status[:3] in str(error)


def test_A1_every_2xx_is_a_success(named: routable.Router, loopback: Loopback, client: routable.Client) -> None:
    for status in (200, 201, 202, 203, 206, 299):
        loopback.answers["/models/1"] = json('{"name":"a"}', f"{status} Fine")
        assert client.perform(named.model(1).read()).status == status


@pytest.mark.parametrize("status", ["204 No Content", "205 Reset Content"])
def test_A2_an_empty_body_is_a_success_if_no_type_is_declared(
    named: routable.Router, loopback: Loopback, client: routable.Client, status: str
) -> None:
    loopback.answers["/models/1"] = raw(f"HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n".encode(), stays=True)
    response = client.perform(named.model(1).delete())
    assert (response.status, response.outcome, response.body, response.value) == (int(status[:3]), "empty", b"", None)
    loopback.answers["/ping"] = raw(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n", stays=True)
    assert client.perform(named.operations.peek()).outcome == "empty"


def test_A2_an_empty_body_deviates_if_a_type_is_declared(named: routable.Router, loopback: Loopback, client: routable.Client) -> None:
    loopback.answers["/models/1"] = whole("200 OK")
    response = client.perform(named.model(1).read())
    assert (response.status, response.outcome, response.value) == (200, "empty", None)
    assert response.deviations == (routable.Deviation("the body is empty, and the description declares a value"),)
    with routable.Client(deviations="raise") as strict:
        with pytest.raises(routable.ResponseError, match="empty body; the operation declares a value") as caught:
            strict.perform(named.model(1).read())
    assert caught.value.response is not None and caught.value.response.status == 200


def test_nobody_listens(client: routable.Client) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        api = routable.open(named_document(f"http://127.0.0.1:{unused.getsockname()[1]}"))
        with pytest.raises(routable.TransferError) as caught:
            client.perform(api.model(1).read())
    assert isinstance(caught.value, ConnectionError)
    assert caught.value.curl_code == 7
    assert caught.value.response is None


@pytest.mark.parametrize(("name", "content"), [
    ("closes at once", b""),
    ("closes in the head", b"HTTP/1.1 200 OK\r\nContent-"),
    ("closes in the body", b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"name\":"),
    ("lies about the length", b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n{\"name\":\"a\"}"),
    ("negative length", b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n{\"name\":\"a\"}"),
    ("chunked, cut", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"n"),
    ("bad chunk", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
    ("garbage", b"\0\xff\xfe not http at all\r\n\r\n"),
    ("bad gzip", b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope"),
])
def test_invalid_responses_raise_an_error(
    named: routable.Router, loopback: Loopback, client: routable.Client, name: str, content: bytes
) -> None:
    loopback.answers["/models/1"] = raw(content)
    with pytest.raises((routable.TransferError, routable.LimitError)) as caught:
        client.perform(named.model(1).read())
    assert str(caught.value)
    loopback.answers["/models/1"] = json('{"name":"a"}')
    assert client.perform(named.model(1).read()).value == {"name": "a"}, "the client lives"


def test_a_deadline_ends_a_request_without_a_response(named: routable.Router, loopback: Loopback) -> None:
    loopback.answers["/models/1"] = never()
    with routable.Client(deadline=0.2) as client, pytest.raises(routable.TimeoutError) as caught:
        client.perform(named.model(1).read())
    assert isinstance(caught.value, TimeoutError)


def test_a_response_over_the_limit_is_refused(named: routable.Router, loopback: Loopback) -> None:
    loopback.answers["/models/1"] = json('{"name":"' + "a" * 5000 + '"}')
    with routable.Client(max_response_bytes=1000) as client, pytest.raises(routable.LimitError):
        client.perform(named.model(1).read())


def test_redirects_are_followed_up_to_a_limit(named: routable.Router, loopback: Loopback, client: routable.Client) -> None:
    loopback.answers["/models/1"] = whole("302 Found", b"", "Location: /models/2")
    loopback.answers["/models/2"] = json('{"name":"b"}')
    response = client.perform(named.model(1).read())
    assert (response.value, response.url) == ({"name": "b"}, f"{loopback.base}/models/2")
    with routable.Client(follow_redirects=False) as other, pytest.raises(routable.HTTPStatusError) as caught:
        other.perform(named.model(1).read())
    assert caught.value.response is not None and caught.value.response.headers["location"] == "/models/2"
    loopback.answers["/models/1"] = whole("302 Found", b"", "Location: /models/1")
    with pytest.raises(routable.RoutableError):
        client.perform(named.model(1).read())
    loopback.answers["/models/1"] = whole("302 Found", b"", "Location: file:///etc/passwd")
    with pytest.raises(routable.TransferError):
        client.perform(named.model(1).read())


def test_headers_of_a_response_keep_repetitions_and_bytes(named: routable.Router, loopback: Loopback, client: routable.Client) -> None:
    loopback.answers["/models/1"] = whole("200 OK", b'{"name":"a"}', "Set-Cookie: a=1", "Set-Cookie: b=2", "X-L: caf\u00e9")
    headers = client.perform(named.model(1).read()).headers
    assert headers.get_all("set-cookie") == ["a=1", "b=2"]
    assert headers["x-l"] == "café"


def test_the_client_s_own_base_and_agent(social: routable.Router, loopback: Loopback) -> None:
    loopback.answers["/other/users/x"] = json('{"id":1}')
    with routable.Client(base=loopback.base + "/other", user_agent="me/1") as client:
        response = client.perform(social.user("x").read())
    assert response.status == 200
    assert loopback.seen[0].headers["user-agent"] == "me/1"


@pytest.mark.parametrize("option", [
    {"deadline": 0}, {"deadline": -1}, {"deadline": float("nan")}, {"connect_timeout": 0}, {"max_response_bytes": 0},
    {"max_redirects": 0}, {"max_response_bytes": 2**64},
])
def test_invalid_options_are_refused(option: "dict[str, float]") -> None:
    with pytest.raises(routable.ArgumentError):
        routable.Client(**option)  # type: ignore[arg-type]


def test_an_invalid_base_or_user_agent_is_refused() -> None:
    with pytest.raises(routable.URLError):
        routable.Client(base="gopher://h")
    with pytest.raises(routable.HeaderError):
        routable.Client(user_agent="a\r\nEvil: 1")


def test_a_ca_file_may_be_a_path(tmp_path: Path, named: routable.Router, loopback: Loopback) -> None:
    loopback.answers["/models/1"] = json('{"name":"a"}')
    with routable.Client(ca_file=tmp_path / "none.pem") as client:
        assert client.perform(named.model(1).read()).status == 200, "it matters for https only"


def test_tls_with_a_server_without_tls_is_an_error(client: routable.Client) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            connection, _ = server.accept()
            with connection:
                connection.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
                connection.recv(65536)

        thread = threading.Thread(target=answer)
        thread.start()
        api = routable.open(named_document(f"https://127.0.0.1:{server.getsockname()[1]}"))
        with pytest.raises(routable.TLSError) as caught:
            client.perform(api.model(1).read())
        thread.join()
    assert caught.value.curl_code == 35


def test_a_closed_client_refuses_requests(named: routable.Router) -> None:
    client = routable.Client()
    client.close()
    with pytest.raises(ValueError, match="Client is closed"):
        client.perform(named.model(1).read())


def test_a_request_is_repeated_if_a_reused_connection_was_closed(
    named: routable.Router, loopback: Loopback, client: routable.Client
) -> None:
    """The server closes a reused connection when the second request arrives: only that request is repeated."""
    first = [True]

    def once_closed(connection: socket.socket, ended: threading.Event) -> bool:
        if first:
            first.clear()
            return False
        return json('{"name":"b"}')(connection, ended)

    loopback.answers["/models/1"] = json('{"name":"a"}')
    loopback.answers["/models/2"] = once_closed
    for perform in (client.perform, lambda request: next(client.perform_all([request])).result()):
        first[:] = [True]
        loopback.seen.clear()
        assert perform(named.model(1).read()).value == {"name": "a"}
        assert perform(named.model(2).read()).value == {"name": "b"}
        assert [seen.line.split()[1] for seen in loopback.seen] == ["/models/1", "/models/2", "/models/2"]


@pytest.mark.parametrize("sets", ["an option", "the environment"])
def test_a_proxy_is_set_by_option_or_environment(named: routable.Router, loopback: Loopback, monkeypatch: pytest.MonkeyPatch, sets: str) -> None:
    for name in ("HTTP_PROXY", "REQUEST_METHOD", "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with Loopback() as proxy:
        direct = routable.Client(deadline=5 * SLOWNESS)
        if sets == "an option":
            options: Dict[str, Any] = {"proxy": proxy.base}
        else:
            options = {}
            monkeypatch.setenv("http_proxy", proxy.base)
            monkeypatch.setenv("https_proxy", proxy.base)
        url = f"{loopback.base}/models/1"
        loopback.answers["/models/1"] = json('{"name":"direct"}')
        proxy.answers[url] = json('{"name":"by proxy"}')
        with direct, routable.Client(deadline=5 * SLOWNESS, **options) as client, routable.Client(deadline=5, proxy="") as without:
            assert client.perform(named.model(1).read()).value == {"name": "by proxy"}
            # A client reads the proxy of the environment when it is created.
            assert direct.perform(named.model(1).read()).value == {"name": "direct"}
            assert without.perform(named.model(1).read()).value == {"name": "direct"}
        tunnelled = routable.Client(base="https://service.test/", deadline=5 * SLOWNESS, **options)
        with tunnelled, pytest.raises(routable.RoutableError):
            tunnelled.perform(named.model(1).read())
    lines = [seen.line for seen in proxy.seen]
    assert lines == [f"GET {url} HTTP/1.1", "CONNECT service.test:443 HTTP/1.1"]
    assert all(seen.headers["user-agent"].startswith("routable/") for seen in proxy.seen)


def test_headers_that_the_client_adds_unless_the_request_has_them(
    named: routable.Router, loopback: Loopback, client: routable.Client
) -> None:
    loopback.answers["/models/1"] = json('{"name":"a"}')
    client.perform(named.model(1).read())
    client.perform(named.model(1).read(routable.using(headers={"User-Agent": "mine", "Accept-Encoding": "identity"})))
    client.perform(named.model(1).read())
    with routable.Client(user_agent="other", compression=False) as other:
        other.perform(named.model(1).read())
    agents = [seen.headers["user-agent"] for seen in loopback.seen]
    codings = [seen.headers.get("accept-encoding") for seen in loopback.seen]
    assert agents[0].startswith("routable/") and agents == [agents[0], "mine", agents[0], "other"]
    assert codings[0] is not None and "gzip" in codings[0] and codings == [codings[0], "identity", codings[0], None]


def test_a_service_that_stalls(named: routable.Router, loopback: Loopback) -> None:
    loopback.answers["/models/1"] = raw(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nab", stays=True)
    with routable.Client(deadline=30, stall_timeout=1) as client:
        with pytest.raises(routable.errors.TimeoutError, match="no byte was sent to or received from .* for 1 s; 2 bytes"):
            client.perform(named.model(1).read())
        with pytest.raises(routable.errors.TimeoutError, match="no byte was sent to or received from"):
            list(client.lines(named.model(1).read()))
    # The same with options of one request, in each way to send it.
    with routable.Client(deadline=30) as client:
        sent = named.model(1).read()
        stalls: List[Callable[[], object]] = [
            lambda: client.perform(sent, stall_timeout=1), lambda: client.submit(sent, stall_timeout=timedelta(seconds=1)).result(),
            lambda: [each.result() for each in client.perform_all([sent], stall_timeout=1)],
            lambda: list(client.lines(sent, stall_timeout=1)),
        ]
        for send in stalls:
            with pytest.raises(routable.errors.TimeoutError, match="no byte was sent to or received from .* for 1 s"):
                send()
        with pytest.raises(routable.errors.ArgumentError, match="stall_timeout"):
            client.perform(sent, stall_timeout=0)


@pytest.mark.parametrize(("environment", "proxied"), [
    ({"HTTP_PROXY": "{}"}, True), ({"HTTP_PROXY": "{}", "REQUEST_METHOD": "GET"}, False),
    ({"HTTP_PROXY": "http://127.0.0.1:1", "http_proxy": "{}"}, True), ({"HTTP_PROXY": ""}, False),
    ({"HTTP_PROXY": "{}", "no_proxy": "127.0.0.1"}, False),
])
def test_the_variable_http_proxy_in_upper_case(
    named: routable.Router, loopback: Loopback, monkeypatch: pytest.MonkeyPatch, environment: Dict[str, str], proxied: bool
) -> None:
    for name in ("HTTP_PROXY", "REQUEST_METHOD", "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY",
                 "no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    loopback.answers["/models/1"] = json('{"name":"direct"}')
    with Loopback() as proxy:
        proxy.answers[f"{loopback.base}/models/1"] = json('{"name":"proxied"}')
        for name, value in environment.items():
            monkeypatch.setenv(name, value.replace("{}", proxy.base))
        with routable.Client(deadline=5 * SLOWNESS) as client:
            for _ in range(2):
                assert client.perform(named.model(1).read()).value == {"name": "proxied" if proxied else "direct"}
            # The variable applies to http only: no tunnel is requested from the proxy.
            with pytest.raises(routable.TransferError):
                client.perform(named.model(1).read(routable.using(base="https://127.0.0.1:1")))
        assert not [each for each in proxy.seen if each.line.startswith("CONNECT")]
        with routable.Client(deadline=5 * SLOWNESS, proxy="") as client:
            assert client.perform(named.model(1).read()).value == {"name": "direct"}
