"""`routable serve`: the mock as a server, with other clients, slow or hostile ones, faults, a store, and signals."""

from __future__ import annotations

import concurrent.futures
import contextlib
import http.client
import json
import os
import random
import re
import resource
import select
import shutil
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple
from urllib.parse import urlsplit

import pytest
from conftest import SECONDS, SOCIAL, command, environment, run

SLOWNESS = float(os.environ.get("ROUTABLE_TEST_SLOWNESS", "1"))
ITEM = {"type": "object", "required": ["text"], "properties": {
    "id": {"type": "integer"}, "text": {"type": "string"}, "stars": {"type": "integer"}}}
FILE = {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, "size": {"type": "integer"}}}


def operation(name: str, result: Any = None, body: Any = None, status: str = "200", **more: Any) -> Dict[str, Any]:
    made: Dict[str, Any] = {"operationId": name, "responses": {status: {"description": ""}}, **more}
    if result:
        made["responses"][status]["content"] = {"application/json": {"schema": result}}
    if body:
        made["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
    return made


def parameter(name: str, kind: str, place: str = "path") -> Dict[str, Any]:
    return {"name": name, "in": place, "required": place == "path", "schema": {"type": kind}}


def described(title: str = "Things") -> Dict[str, Any]:
    a_list = {"type": "array", "items": ITEM}
    return {
        "openapi": "3.1.0", "info": {"title": title, "version": "1"}, "servers": [{"url": "https://things.test/v1"}],
        "paths": {
            "/things": {"get": operation("list", a_list, parameters=[parameter("text", "string", "query")]),
                        "post": operation("create", ITEM, ITEM, "201")},
            "/things/{id}": {
                "parameters": [parameter("id", "integer")], "get": operation("read", ITEM), "put": operation("replace", ITEM, ITEM),
                "patch": operation("change", ITEM, {"type": "object"}), "delete": operation("remove", status="204")},
            "/things/{id}/notes": {"parameters": [parameter("id", "integer")], "get": operation("notes", a_list),
                                   "post": operation("annotate", ITEM, ITEM, "201")},
            "/things/{id}/notes/{note}": {"parameters": [parameter("id", "integer"), parameter("note", "integer")],
                                          "get": operation("note", ITEM), "delete": operation("forget", status="204")},
            "/files": {"get": operation("files", {"type": "array", "items": FILE})},
            "/files/{name}": {"parameters": [parameter("name", "string")], "get": operation("file", FILE),
                              "put": operation("write", FILE, FILE), "delete": operation("erase", status="204")},
            "/secret": {"get": operation("secret", ITEM, security=[{"key": []}])}},
        "components": {"securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}}}}


@pytest.fixture
def things(tmp_path: Path) -> Path:
    file = tmp_path / "things.json"
    file.write_text(json.dumps(described()))
    return file


Answer = Tuple[int, Dict[str, str], bytes]


class Server:
    """A running server, whose base URL was read."""

    def __init__(self, *words: Any, stderr: Any = None) -> None:
        self.process = subprocess.Popen(
            [command(), "serve", *map(str, words), "--port", "0"], stdout=subprocess.PIPE, stderr=stderr, env=environment(),
            # A shell starts background commands with SIGINT ignored, and nohup with SIGHUP; a child would inherit this.
            preexec_fn=lambda: [signal.signal(each, signal.SIG_DFL) for each in (signal.SIGINT, signal.SIGHUP)])
        assert self.process.stdout is not None
        self.out = self.process.stdout
        self.unread = b""
        first = self.line()
        if first.startswith("{"):
            first = json.loads(first)["base"]
        assert first.startswith("http://"), (first, self.process.poll())
        self.base = first
        parts = urlsplit(first)
        self.host, self.port, self.path = str(parts.hostname), int(parts.port or 0), parts.path

    def line(self) -> str:
        while b"\n" not in self.unread:
            ready, _, _ = select.select([self.out], [], [], SECONDS)
            assert ready, "no line in time"
            part = os.read(self.out.fileno(), 65536)
            assert part, "the output has ended"
            self.unread += part
        line, _, self.unread = self.unread.partition(b"\n")
        return line.decode()

    def connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(self.host, self.port, timeout=SECONDS)

    def socket(self) -> socket.socket:
        return socket.create_connection((self.host, self.port), timeout=SECONDS)

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        with contextlib.closing(self.connection()) as connection:
            return ask(connection, method, self.path + path, body, **headers)

    def raw(self, *parts: bytes) -> bytes:
        """The bytes that the server sends until it closes the connection."""
        with self.socket() as connection:
            for part in parts:
                connection.sendall(part)
            return rest(connection)

    def end(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(SECONDS)


def rest(connection: socket.socket) -> bytes:
    seen = b""
    while True:
        try:
            part = connection.recv(65536)
        except ConnectionResetError:
            return seen
        if not part:
            return seen
        seen += part


def ask(connection: http.client.HTTPConnection, method: str, target: str, body: Any = None, **headers: str) -> Answer:
    data = None if body is None else json.dumps(body).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    if data is not None:
        named["Content-Type"] = "application/json"
    connection.request(method, target, data, named)
    response = connection.getresponse()
    return response.status, {name.lower(): value for name, value in response.getheaders()}, response.read()


@contextlib.contextmanager
def serving(*words: Any, **more: Any) -> Iterator[Server]:
    server = Server(*words, **more)
    try:
        yield server
    finally:
        server.process.kill()
        server.process.wait()
        server.out.close()


# --- The output ---


def test_the_first_line_is_the_base_and_each_request_is_a_line(things: Path) -> None:
    with serving(things) as server:
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/v1", server.base)
        server.ask("POST", "/things", {"text": "a"})
        server.ask("GET", "/nowhere")
        server.ask("GET", "/things/x")
        lines = [server.line() for _ in range(3)]
        assert [re.sub(r"[\d.]+ ms$", "ms", each) for each in lines] == [
            "201 create  ms", "404 GET /v1/nowhere  ms", "422 read  ms"], lines
    with serving(SOCIAL) as server:
        server.ask("POST", "/users", {"username": "ann"})
        server.ask("POST", "/users/ann/statuses", {"text": "hello"})
        assert [server.line().split("  ")[0] for _ in range(2)] == ["201 user.create", "201 user.status.create"]


def test_lines_of_json(things: Path) -> None:
    with serving(things, "--json", "--fail", "reset,operation=file") as server:
        server.ask("POST", "/things", {"text": "a"})
        assert server.raw(b"GET /v1/files/x HTTP/1.1\r\nHost: h\r\n\r\n") == b""
        server.raw(b"GET /\xff\"\\ HTTP/1.0\r\n\r\n")
        lines = [json.loads(server.line()) for _ in range(3)]
        assert all(each.pop("ms") >= 0 for each in lines)
        assert lines == [
            {"status": 201, "operation": "create", "method": "POST", "target": "/v1/things"},
            {"fault": "reset", "operation": "file", "method": "GET", "target": "/v1/files/x"},
            {"status": 404, "method": "GET", "target": "/\ufffd\"\\"}], lines


def test_the_coverage_is_printed_at_the_end(things: Path) -> None:
    for words in [], ["--json"]:
        with serving(things, *words, "--fail", "reset,operation=files") as server:
            server.ask("POST", "/things", {"text": "a"})
            server.ask("POST", "/things", {"text": 1})
            server.ask("GET", "/nowhere")
            with pytest.raises(OSError):
                server.ask("GET", "/files")
            assert server.end(signal.SIGINT) == 0
            said = (server.unread + server.out.read()).decode()
        if words:
            counted = json.loads(said.splitlines()[-1])["coverage"]
            assert counted["requests"] == 4, counted
        else:
            table = said.split("\n\n")[1]
            assert re.search(r"^POST /things +2 +1/1|^create +2 +", table, re.M) and re.search(r"^coverage \d+\.\d%$", table, re.M), said


def test_lines_have_colours_on_a_terminal_alone(things: Path) -> None:
    with serving(things, "--color", "always") as server:
        server.ask("GET", "/things")
        server.ask("GET", "/nowhere\u001b[31m".replace("\u001b", "%1B"))
        assert server.line().startswith("\x1b[32m200\x1b[0m list  \x1b[2m") and server.line().startswith("\x1b[33m404\x1b[0m GET")


def test_the_server_continues_without_a_reader(things: Path) -> None:
    with serving(things) as server:
        server.out.close()
        for _ in range(20):
            assert server.ask("GET", "/things")[0] == 200
        assert server.end() == 0


def test_a_slow_reader_delays_no_other_client(things: Path) -> None:
    with serving(things) as server:
        long = "/" + "x" * 30000
        with contextlib.closing(server.connection()) as connection:
            for _ in range(100):  # 3 MB of lines, which the test does not read
                assert ask(connection, "GET", long)[0] == 404
        while not re.fullmatch(r"\d+ lines are left out: they were not read in time", line := server.line()):
            assert line.startswith("404 GET /xxx")


# --- HTTP ---


def test_the_life_of_a_member(things: Path) -> None:
    with serving(things) as server:
        status, headers, body = server.ask("POST", "/things", {"text": "a"})
        assert (status, headers["location"], headers["etag"]) == (201, "/v1/things/1", '"1"'), body
        assert json.loads(body) == {"id": 1, "text": "a"}
        status, headers, head = server.ask("HEAD", "/things/1")
        assert (status, head, headers["content-length"]) == (200, b"", str(len(body)))
        assert json.loads(server.ask("PATCH", "/things/1", {"stars": 4})[2]) == {"id": 1, "text": "a", "stars": 4}
        assert server.ask("GET", "/things/1", If_None_Match='"2"')[0] == 304
        assert server.ask("PUT", "/things/1", {"text": "b"}, If_Match='"1"')[0] == 412
        assert server.ask("DELETE", "/things/1") [0] == 204
        assert server.ask("GET", "/things/1")[0] == 404
        assert json.loads(server.ask("GET", "/things")[2]) == []
        assert server.ask("POST", "/things/1")[0] == 405
        assert server.ask("POST", "/things", {"text": 7})[0] == 422
        assert server.ask("GET", "/secret")[0] == 401 and server.ask("GET", "/secret", X_Key="any")[0] == 200


def test_the_target_is_read_as_it_was_sent(things: Path) -> None:
    with serving(things) as server:
        for sent, name in [("a%2Fb", "a/b"), ("a+b", "a+b"), ("a%2Bb%20c", "a+b c"), ("%C3%A9", "é"), ("%25", "%")]:
            status, _, body = server.ask("PUT", f"/files/{sent}", {"name": "ignored", "size": 1})
            assert (status, json.loads(body)["name"]) == (200, name), sent
            assert server.ask("GET", f"/files/{sent}")[0] == 200
        server.ask("POST", "/things", {"text": "x y"})
        server.ask("POST", "/things", {"text": "x+y"})
        for query, text in [("x+y", "x y"), ("x%2By", "x+y"), ("x%20y", "x y")]:
            assert [each["text"] for each in json.loads(server.ask("GET", f"/things?text={query}")[2])] == [text]
        assert server.raw(b"GET http://other.test/v1/files/a+b HTTP/1.1\r\nHost: other.test\r\nConnection: close\r\n\r\n").startswith(
            b"HTTP/1.1 200 ")  # the host is ignored, because the server is not a proxy
        assert b" 400 " in server.raw(b"CONNECT other.test:443 HTTP/1.1\r\nHost: other.test\r\nConnection: close\r\n\r\n")


def test_the_base_path_and_addresses(things: Path) -> None:
    with serving(things, "--base-path", "/api/v2") as server:
        assert server.base.endswith("/api/v2") and server.ask("GET", "/things")[0] == 200
    with serving(things, "--base-path", "/") as server:
        assert server.path == "" and server.ask("GET", "/things")[0] == 200
    if socket.has_ipv6 and Path("/proc/net/if_inet6").exists() and "00000000000000000000000000000001" in Path("/proc/net/if_inet6").read_text():
        with serving(things, "--listen", "::1") as server:
            assert server.base.startswith("http://[::1]:") and server.ask("GET", "/things")[0] == 200
    with serving(things, "--listen", "0.0.0.0") as server:
        assert server.host == "127.0.0.1" and server.ask("GET", "/things")[0] == 200


def test_connections_persist_and_requests_can_be_sent_ahead(things: Path) -> None:
    with serving(things) as server:
        with contextlib.closing(server.connection()) as connection:
            for index in range(50):
                assert ask(connection, "POST", "/v1/things", {"text": str(index)})[0] == 201
            assert len(json.loads(ask(connection, "GET", "/v1/things")[2])) == 50
        one = b"GET /v1/things/%d HTTP/1.1\r\nHost: h\r\n\r\n"
        seen = server.raw(*[one % number for number in (1, 2, 99)], b"GET /v1/things/3 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        assert re.findall(rb"HTTP/1.1 (\d+)", seen) == [b"200", b"200", b"404", b"200"]


def test_bodies_in_chunks_and_after_100_continue(things: Path) -> None:
    with serving(things) as server:
        head = b"POST /v1/things HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nConnection: close\r\n"
        seen = server.raw(head + b"Transfer-Encoding: chunked\r\n\r\n", b"5\r\n{\"tex\r\n", b"6\r\nt\":\"a\"\r\n", b"1\r\n}\r\n0\r\n\r\n")
        assert seen.startswith(b"HTTP/1.1 201 ") and b'"text":"a"' in seen
        with server.socket() as connection:
            connection.sendall(head + b"Content-Length: 12\r\nExpect: 100-continue\r\n\r\n")
            seen = b""
            while b"\r\n\r\n" not in seen:
                seen += connection.recv(4096)
            assert seen == b"HTTP/1.1 100 Continue\r\n\r\n"
            connection.sendall(b'{"text":"b"}')
            assert rest(connection).startswith(b"HTTP/1.1 201 ")


def test_headers_that_are_repeated_or_not_utf8(things: Path) -> None:
    with serving(things) as server:
        seen = server.raw(b"GET /v1/secret HTTP/1.1\r\nHost: h\r\nX-Key: \xff\xfe\r\nX-A: 1\r\nX-A: 2\r\nX-B:\r\nConnection: close\r\n\r\n")
        assert seen.startswith(b"HTTP/1.1 "), seen
        seen = server.raw(b"GET /v1/things HTTP/1.1\r\nHost: h\r\nX-C: \xff\xfe\r\nX-A: 1\r\nX-A: 2\r\nX-B:\r\nConnection: close\r\n\r\n")
        assert seen.startswith(b"HTTP/1.1 200 "), seen
        assert server.ask("GET", "/things")[0] == 200


def test_other_clients(things: Path) -> None:
    httpx = pytest.importorskip("httpx")
    with serving(things) as server:
        with httpx.Client(base_url=server.base) as client:
            made = client.post("/things", json={"text": "a"})
            assert (made.status_code, made.headers["location"]) == (201, "/v1/things/1")
            assert client.get("/things/1", headers={"If-None-Match": made.headers["etag"]}).status_code == 304
            chunks = client.post("/things", content=iter([b'{"te', b'xt":"b"}']), headers={"Content-Type": "application/json"})
            assert chunks.json() == {"id": 2, "text": "b"} and client.options("/things").headers["allow"] == "GET, HEAD, POST"
        if shutil.which("curl"):
            words = ["curl", "-sS", "-H", "Content-Type: application/json", "-H", "Expect: 100-continue", "-d", '{"text":"c"}']
            said = subprocess.run([*words, f"{server.base}/things"], capture_output=True, text=True, timeout=SECONDS)
            assert json.loads(said.stdout) == {"id": 3, "text": "c"}, said
        # The command's own client.
        ended = run("send", things, "--base", server.base, "read", "--id", "id=3")
        assert ended.status in (0, 6), ended  # 6 without libcurl
        assert len(server.ask("GET", "/things")[2]) > 60


# --- Limits, and clients that are slow or hostile ---


def test_bodies_over_the_limit(things: Path) -> None:
    with serving(things, "--max-bytes", "1000") as server:
        assert server.ask("POST", "/things", {"text": "x" * 900})[0] == 201
        status, headers, body = server.ask("POST", "/things", {"text": "x" * 1000})
        assert (status, headers["content-type"]) == (413, "application/problem+json")
        assert json.loads(body)["detail"] == "the body is larger than 1000 bytes"
        # The server reads the body, so that its sender reads the response; the connection can be used again.
        with contextlib.closing(server.connection()) as connection:
            assert ask(connection, "POST", "/v1/things", {"text": "x" * 10_000_000})[0] == 413
            assert ask(connection, "GET", "/v1/things")[0] == 200
        head = b"POST /v1/things HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
        # A body that announces a far larger length is refused before it is sent.
        assert server.raw(head + b"Expect: 100-continue\r\nContent-Length: 99999999999\r\n\r\n").startswith(b"HTTP/1.1 413 ")
        with server.socket() as connection:  # a body without an end is cut off
            connection.sendall(head + b"Transfer-Encoding: chunked\r\n\r\n")
            with pytest.raises(OSError):
                for _ in range(400):
                    connection.sendall(b"10000\r\n" + b"x" * 65536 + b"\r\n")
        assert server.ask("GET", "/things")[0] == 200


def test_heads_over_the_limit(things: Path) -> None:
    with serving(things) as server:
        many = b"".join(b"X-%d: 1\r\n" % number for number in range(1001))
        assert re.match(rb"HTTP/1.1 431 ", server.raw(b"GET /v1/things HTTP/1.1\r\nHost: h\r\n" + many + b"Connection: close\r\n\r\n"))
        seen = server.raw(b"GET /v1/things HTTP/1.1\r\nHost: h\r\nX-Long: " + b"x" * 200_000)
        assert seen == b"" or re.match(rb"HTTP/1.1 4(13|31) ", seen), seen[:80]
        seen = server.raw(b"GET /" + b"x" * 200_000 + b" HTTP/1.1\r\nHost: h\r\n\r\n")
        assert seen == b"" or re.match(rb"HTTP/1.1 4(14|31|13) ", seen), seen[:80]
        assert server.ask("GET", "/things")[0] == 200


def test_connections_of_slow_clients_are_closed(things: Path) -> None:
    with serving(things, "--timeout", "1") as server:
        begun = [b"", b"GET /v1/things HT", b"GET /v1/things HTTP/1.1\r\nX-A: ",
                 b"POST /v1/things HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"]
        for first in begun:
            with server.socket() as connection:
                connection.sendall(first)
                connection.settimeout(0.05)
                start, seen = time.monotonic(), b"?"
                while seen and time.monotonic() - start < 5 * SLOWNESS:  # a timeout for each read would never expire
                    try:
                        if first:
                            connection.sendall(b"x")
                        seen = connection.recv(100)
                    except socket.timeout:
                        assert server.ask("GET", "/things")[0] == 200
                    except OSError:
                        break
                assert 0.8 < time.monotonic() - start < 5 * SLOWNESS, first


def test_a_thousand_connections(things: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 3000:
        pytest.skip("not enough open files are allowed")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 3000), hard))
    with serving(things) as server, contextlib.ExitStack() as stack:
        idle = [stack.enter_context(server.socket()) for _ in range(1000)]
        for connection in idle[::2]:
            connection.sendall(b"GET /v1/things HTTP/1.1\r\nX: ")
        assert server.ask("GET", "/things")[0] == 200
        for connection in idle[::2]:
            connection.sendall(b"1\r\nHost: h\r\nConnection: close\r\n\r\n")
        assert all(rest(connection).startswith(b"HTTP/1.1 200 ") for connection in idle[::2])
        # A connection over the limit closes the one that was idle for the longest time.
        for _ in range(1600):
            idle.append(stack.enter_context(server.socket()))
        assert idle[1].recv(1) == b""
        assert server.ask("GET", "/things")[0] == 200


def test_garbage_is_refused(things: Path) -> None:
    chosen = random.Random(5)
    with serving(things) as server:
        shapes = [b"GET", b" ", b"/v1/things", b"HTTP/1.1", b"\r\n", b"\n", b":", b"\0", b"Host: h", b"Content-Length: 5", b"%", b"%zz",
                  b"Transfer-Encoding: chunked", b"\xff" * 9, b"-1", b"99999999999999999999", b"POST", b"Content-Type: application/json"]
        for _ in range(300):
            sent = b"".join(chosen.choice(shapes) for _ in range(chosen.randrange(1, 30)))
            with server.socket() as connection:
                connection.sendall(sent)
                connection.shutdown(socket.SHUT_WR)
                rest(connection)
        assert server.ask("GET", "/things")[0] == 200 and server.end() == 0


# --- Faults ---


def fails(server: Server, path: str = "/things") -> str:
    """The failure of a response: its status, or the error of the connection."""
    try:
        return str(server.ask("GET", path)[0])
    except http.client.IncompleteRead:
        return "partial"
    except ConnectionResetError as error:
        return "empty" if isinstance(error, http.client.RemoteDisconnected) else "reset"


def test_each_kind_of_fault_is_injected(things: Path) -> None:
    for fault in ("reset", "empty", "partial", "418"):
        with serving(things, "--fail", f"{fault},times=2") as server:
            assert [fails(server) for _ in range(3)] == [fault, fault, "200"], fault
    with serving(things, "--fail", "429,retry-after=7,operation=list,times=1", "--fail", "500,operation=things#read") as server:
        status, headers, _ = server.ask("GET", "/things")
        assert (status, headers["retry-after"]) == (429, "7")
        assert fails(server) == "200" and fails(server, "/things/1") == "500"
    with serving(things, "--fail", "wrong-body") as server:
        assert json.loads(server.ask("GET", "/things")[2]) is None
    with serving(things, "--fail", "timeout", "--timeout", "1") as server, server.socket() as connection:
        connection.sendall(b"GET /v1/things HTTP/1.1\r\nHost: h\r\n\r\n")
        connection.settimeout(2)
        with pytest.raises(socket.timeout):
            connection.recv(1)
        assert server.end() == 0 and rest(connection) == b""


def test_a_share_of_the_requests(things: Path) -> None:
    seen = []
    for seed in (1, 1, 2):
        with serving(things, "--fail", "10%", "--seed", seed) as server, contextlib.closing(server.connection()) as connection:
            seen.append([ask(connection, "GET", "/v1/things")[0] for _ in range(500)])
    assert seen[0] == seen[1] != seen[2] and set(seen[0]) == {200, 503} and 25 < seen[0].count(503) < 80


def test_a_fault_changes_nothing(things: Path) -> None:
    with serving(things, "--fail", "reset,times=1,operation=create") as server:
        with pytest.raises(OSError):
            server.ask("POST", "/things", {"text": "a"})
        assert json.loads(server.ask("GET", "/things")[2]) == []


def test_delays_of_requests_are_concurrent(things: Path) -> None:
    with serving(things, "--fail", "503,delay=1000,operation=list", "--delay", "100") as server:
        start = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(50) as pool:
            slow = [pool.submit(server.ask, "GET", "/things") for _ in range(40)]
            assert server.ask("GET", "/files")[0] == 200
            quick = time.monotonic() - start
            assert {each.result()[0] for each in slow} == {503}
        took = time.monotonic() - start
        assert quick >= 0.1 and took >= 1.1 and took < 10 * SLOWNESS  # sequential delays would take 44 s


def test_ten_thousand_calls_with_faults(things: Path) -> None:
    """With the client's retries, no write is lost, and none happens twice: a fault replaces the request.  The client
    retries PUT and DELETE, and POST only after 429 with Retry-After, which means that it was not performed.  A POST that fails otherwise
    is an error for the caller, which repeats it here."""
    import routable

    kinds = ("429,rate=2%,retry-after=0", "503,rate=3%", "reset,rate=2%", "empty,rate=2%", "partial,rate=1%")
    count, workers = 10_000, 4
    with serving(things, *[word for kind in kinds for word in ("--fail", kind)], "--seed", "3") as server:
        server.out.close()
        api = routable.open(things, base=server.base)
        created: Dict[int, str] = {}
        written: Dict[str, int] = {}
        attempts: List[int] = []
        failed: List[str] = []

        def work(worker: int) -> None:
            name = f"w{worker}"
            with routable.Client(retries=8, retry_delay=0.001, max_retry_delay=0.01) as client:
                for index in range(worker, count, workers):
                    kind = index // workers % 5
                    if kind == 0:
                        text = f"t{index}"
                        while True:
                            try:
                                response = client.perform(api.operations.create({"text": text}))
                            except routable.PerformError:
                                failed.append(text)
                                continue
                            created[response.value["id"]] = text
                            break
                    elif kind == 3:
                        response = client.perform(api.operations.erase(name=name))
                        del written[name]
                    else:
                        response = client.perform(api.operations.write({"name": name, "size": index}, name=name))
                        written[name] = index
                    attempts.append(len(response.attempts))

        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            list(pool.map(work, range(workers)))
        with routable.Client(retries=8, retry_delay=0.001) as client:
            listed = {each["id"]: each["text"] for each in client.perform(api.operations.list()).value}
            files = {each["name"]: each["size"] for each in client.perform(api.operations.files()).value}
        assert len(attempts) == count
        assert listed == created and len(created) == len(set(created.values())) == count // 5
        assert files == written
        # The faults occurred: those of a POST reached the caller, and libcurl itself repeats a request on a reused connection
        # that ends without a response, so that some of `reset` and `empty` are not among the attempts.
        assert 0.05 * count < sum(attempts) + len(failed) < 0.14 * count and len(failed) > 50


# --- Browsers ---


def test_pages_of_other_origins(things: Path) -> None:
    with serving(things, "--cors") as server:
        status, headers, body = server.ask(
            "OPTIONS", "/things/7", Origin="http://page.test", Access_Control_Request_Method="DELETE",
            Access_Control_Request_Headers="content-type,x-key", Access_Control_Request_Private_Network="true")
        assert (status, body) == (204, b"")
        assert {name: value for name, value in headers.items() if name.startswith("access-control")} == {
            "access-control-allow-origin": "http://page.test", "access-control-allow-credentials": "true",
            "access-control-allow-methods": "DELETE", "access-control-allow-headers": "content-type,x-key",
            "access-control-allow-private-network": "true", "access-control-max-age": "600"}
        for path, method in [("/things", "GET"), ("/nowhere", "GET"), ("/things", "PUT"), ("/secret", "GET"), ("/things/x", "GET")]:
            status, headers, _ = server.ask(method, path, Origin="http://page.test")
            assert headers["access-control-allow-origin"] == "http://page.test" and headers["vary"] == "Origin", (path, status)
            assert "content-type" in headers["access-control-expose-headers"].lower()
        assert "access-control-allow-origin" not in server.ask("GET", "/things")[1]
    with serving(things) as server:
        assert not any(name.startswith("access-control") for name in server.ask("GET", "/things", Origin="http://page.test")[1])
        status, headers, _ = server.ask("OPTIONS", "/things", Origin="http://page.test", Access_Control_Request_Method="GET")
        assert (status, headers["allow"]) == (204, "GET, HEAD, POST")


# --- The life of the process ---


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_end_the_server(things: Path, number: int) -> None:
    with serving(things, "--fail", "503,delay=60000,operation=list") as server, server.socket() as waiting, server.socket() as idle:
        waiting.sendall(b"GET /v1/things HTTP/1.1\r\nHost: h\r\n\r\n")
        assert server.line().startswith("503 ")
        idle.sendall(b"GET /v1/thi")
        start = time.monotonic()
        assert server.end(number) == 0
        assert time.monotonic() - start < 1 * SLOWNESS
        assert rest(waiting).startswith(b"HTTP/1.1 503 ") and rest(idle) == b""  # the end of the server ends a delay


def test_used_ports_and_invalid_options_are_refused(things: Path, tmp_path: Path) -> None:
    with serving(things) as server:
        ended = run("serve", things, "--port", server.port)
        assert (ended.status, ended.out) == (2, "") and ended.err == (
            f"routable: another program listens at 127.0.0.1, port {server.port}: end it, or choose another port with --port (0: a free one)\n")
    for words, status, message in [
        (["--listen", "192.0.2.1"], 2, "192.0.2.1, port 8080, cannot be listened to: "),
        (["--listen", "no address"], 2, "--listen: no address is not an address of this machine"),
        (["--fail", "10"], 2, "--fail: '10' is not a status from 400 to 599, a percentage, "),
        (["--fail", "reset,rate=7"], 2, "--fail: rate must be a percentage such as 10%"),
        (["--fail", "500,operation=things#fly"], 5, 'no operation "fly"'),
        (["--base-path", "http://h/v1"], 2, "--base-path must be a path such as /v1"),
        (["--delay", "-1"], 2, ""), (["--timeout", "0"], 2, "--timeout must be from 0.1 to 3600 seconds"),
        (["--store", tmp_path / "no" / "x.db"], 3, "unable to open database file"),
    ]:
        ended = run("serve", things, *words)
        assert (ended.status, ended.out) == (status, "") and message in ended.err, ended


@pytest.mark.parametrize(("library", "package", "words"), [
    ("libmicrohttpd.so.12", "libmicrohttpd12", []), ("libsqlite3.so.0", "libsqlite3-0", ["--store", "x.db"])])
def test_a_missing_library_is_an_error(things: Path, tmp_path: Path, library: str, package: str, words: List[str]) -> None:
    (tmp_path / library).write_text("no library")
    ran = subprocess.run(
        [command(), "serve", str(things), "--port", "0", *words], env=environment(LD_LIBRARY_PATH=str(tmp_path)), capture_output=True,
        timeout=SECONDS, cwd=tmp_path)
    assert ran.returncode == 6 and ran.stdout == b""
    assert re.fullmatch(rf"routable: {re.escape(library)} cannot be opened \(.*\); install it, on Debian with: apt install {package}\n",
                        ran.stderr.decode()), ran.stderr


# --- The store ---


def test_the_store_survives_a_restart(things: Path, tmp_path: Path) -> None:
    store = tmp_path / "mock.db"
    with serving(things, "--store", store) as server:
        for text in "abc":
            server.ask("POST", "/things", {"text": text})
        server.ask("POST", "/things/2/notes", {"text": "note"})
        server.ask("POST", "/things/1/notes", {"text": "lost with its parent"})
        server.ask("PATCH", "/things/2", {"stars": 5})
        server.ask("PUT", "/files/a%2Fb", {"name": "a/b"})
        server.ask("DELETE", "/things/1")
        server.ask("DELETE", "/things/3")
        before = {path: server.ask("GET", path)[2] for path in ("/things", "/things/2/notes", "/files")}
        etag = server.ask("GET", "/things/2")[1]["etag"]
        assert server.end() == 0
    with serving(things, "--store", store) as server:
        assert {path: server.ask("GET", path)[2] for path in before} == before
        assert server.ask("GET", "/things/2")[1]["etag"] == etag == '"2"'
        assert server.ask("GET", "/things/1/notes")[0] == 404
        assert json.loads(server.ask("POST", "/things", {"text": "d"})[2])["id"] == 4  # the id 3 is not reused
        server.ask("DELETE", "/things/4")
        server.ask("DELETE", "/things/2")
    with serving(things, "--store", store) as server:  # the server was killed
        assert json.loads(server.ask("GET", "/things")[2]) == []
        assert json.loads(server.ask("POST", "/things", {"text": "e"})[2])["id"] == 5
        assert server.ask("GET", "/things/5/notes")[2] == b"[]"


def test_ids_before_a_suffix_survive_a_restart(tmp_path: Path) -> None:
    document = described()
    document["paths"] = {"/calls.json": {"get": operation("list", {"type": "array", "items": ITEM}), "post": operation("create", ITEM, ITEM, "201")},
                         "/calls/{id}.json": {"parameters": [parameter("id", "integer")], "get": operation("read", ITEM)}}
    file, store = tmp_path / "calls.json", tmp_path / "calls.db"
    file.write_text(json.dumps(document))
    with serving(file, "--store", store) as server:
        assert server.ask("POST", "/calls.json", {"text": "a"})[0] == 201
        before = server.ask("GET", "/calls/1.json")
    with serving(file, "--store", store) as server:
        after = server.ask("GET", "/calls/1.json")
    assert before[0] == after[0] == 200 and before[2] == after[2] and before[1]["etag"] == after[1]["etag"]


def test_stores_that_are_refused(things: Path, tmp_path: Path) -> None:
    import sqlite3

    def refused(store: Path, message: str, *words: Any, file: Path = things) -> None:
        before = store.read_bytes()
        ended = run("serve", file, "--store", store, "--port", "0", *words)
        assert (ended.status, ended.out) == (3, "") and message in ended.err and ended.err.count("\n") == 1, ended
        assert store.read_bytes() == before

    store = tmp_path / "mock.db"
    with serving(things, "--store", store) as server:
        for index in range(200):
            server.ask("POST", "/things", {"text": "x" * 100})
        refused(store, "mock.db: another process has opened the store: end it, or use another file")
        server.end()
    other = tmp_path / "other.json"
    other.write_text(json.dumps(described("Others")))
    refused(store, 'the store is of the description "Things", and this is "Others": use another file', file=other)
    smaller = described()
    del smaller["paths"]["/things/{id}"], smaller["paths"]["/things"]
    other.write_text(json.dumps(smaller))
    refused(store, "the store has /v1/things/1, which is no path of the description with this base path", file=other)
    refused(store, "the store has /v1/things/1, which is no path of the description with this base path", "--base-path", "/v2")
    whole = store.read_bytes()
    for damage in (whole[:4096] + bytes(4096) + whole[8192:], whole[:9000], whole[:100] + b"\xff" * 200 + whole[300:]):
        damaged = tmp_path / "damaged.db"
        damaged.write_bytes(damage)
        refused(damaged, "the store is damaged: restore a copy of it, or remove it to begin with an empty one")
    (tmp_path / "text.db").write_text("some text that is no database\n" * 100)
    refused(tmp_path / "text.db", "the file is no store of routable serve: use another file")
    with contextlib.closing(sqlite3.connect(tmp_path / "mine.db")) as mine:
        mine.execute("CREATE TABLE mine(x)")
    refused(tmp_path / "mine.db", "the file is no store of routable serve: use another file")
    with contextlib.closing(sqlite3.connect(store)) as changed:
        changed.execute("UPDATE member SET json = '{' WHERE number = 7")
        changed.commit()
    refused(store, "the store is damaged at /v1/things/7: ")
    with contextlib.closing(sqlite3.connect(store)) as changed:
        changed.execute("PRAGMA user_version=99")
    refused(store, "a later version of routable has written the store")


def test_a_change_that_cannot_be_written_does_not_happen(things: Path, tmp_path: Path) -> None:
    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    process = subprocess.Popen(
        [command(), "serve", str(things), "--store", str(tmp_path / "x.db"), "--port", "0"], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, preexec_fn=limited)
    assert process.stdout is not None
    port = int(process.stdout.readline().decode().split(":")[2].split("/")[0])
    try:
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)) as connection:
            statuses = [ask(connection, "POST", "/v1/things", {"text": "x" * 3000})[0] for _ in range(60)]
            assert set(statuses) == {201, 500}
            assert len(json.loads(ask(connection, "GET", "/v1/things")[2])) == statuses.count(201)
    finally:
        process.kill()
        _, said = process.communicate()
    assert b"x.db: the store cannot be written: " in said
    with serving(things, "--store", tmp_path / "x.db") as server:
        assert len(json.loads(server.ask("GET", "/things")[2])) == statuses.count(201)


def test_a_killed_server_loses_no_acknowledged_write(things: Path, tmp_path: Path) -> None:
    """Each writer has one file, and one thread creates members; the server is killed after a random number of responses, and restarted."""
    store = tmp_path / "mock.db"
    chosen = random.Random(11)
    writers = 6
    known: List[Optional[int]] = [None] * writers  # the size of each file, after the last response
    created: Dict[int, str] = {}
    begun: set[str] = set()

    for round in range(8):
        pending: List[Optional[Tuple[Optional[int]]]] = [None] * writers  # a write without a response
        answered = threading.Semaphore(0)
        with serving(things, "--store", store) as server:
            server.out.close()
            # The store has exactly the writes that had a response.
            for writer in range(writers):
                status, _, body = server.ask("GET", f"/files/w{writer}")
                assert (json.loads(body)["size"] if status == 200 else None) == known[writer], (round, writer)
            listed = {each["id"]: each["text"] for each in json.loads(server.ask("GET", "/things")[2])}
            assert created.items() <= listed.items() and len(set(listed.values())) == len(listed) and set(listed.values()) <= begun
            created = listed

            def write(writer: int, first: int) -> None:
                with contextlib.suppress(OSError, http.client.HTTPException), contextlib.closing(server.connection()) as connection:
                    for step in range(first, first + 100_000):
                        size = None if known[writer] is not None and step % 5 == 0 else step
                        pending[writer] = (size,)
                        body = None if size is None else {"name": "x", "size": size}
                        status, _, _ = ask(connection, "DELETE" if size is None else "PUT", f"/v1/files/w{writer}", body)
                        assert status in (200, 204)
                        known[writer], pending[writer] = size, None
                        answered.release()

            def create() -> None:
                with contextlib.suppress(OSError, http.client.HTTPException), contextlib.closing(server.connection()) as connection:
                    for step in range(100_000):
                        text = f"{round}-{step}"
                        begun.add(text)
                        status, _, body = ask(connection, "POST", "/v1/things", {"text": text})
                        assert status == 201
                        created[json.loads(body)["id"]] = text
                        answered.release()

            threads = [threading.Thread(target=write, args=(writer, round * 100_000 + 1)) for writer in range(writers)]
            threads.append(threading.Thread(target=create))
            for each in threads:
                each.start()
            for _ in range(chosen.randrange(1, 400)):
                assert answered.acquire(timeout=SECONDS)
            server.process.send_signal(signal.SIGKILL)
            server.process.wait(SECONDS)
            for each in threads:
                each.join(SECONDS)
        # A write without a response may have happened.
        with serving(things, "--store", store) as server:
            for writer in range(writers):
                status, _, body = server.ask("GET", f"/files/w{writer}")
                size = json.loads(body)["size"] if status == 200 else None
                maybe = pending[writer]
                assert size == known[writer] or maybe is not None and size == maybe[0], (round, writer)
                known[writer] = size
