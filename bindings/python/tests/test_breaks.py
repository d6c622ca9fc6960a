"""Responses that break off, have a wrong length, or never end: a failure or the complete body, never a part of it."""

from __future__ import annotations

import resource
import socket
import threading
from pathlib import Path
from random import Random, SystemRandom
from typing import Any, Callable, List, Tuple

import pytest
import routable
from loopback import Answer, Loopback, whole
from slowness import SLOWNESS

EVENTS = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
FILE = bytes(range(20))


def opened(base: str) -> routable.Router:
    return routable.open({"routable": 1, "base": base, "operations": {"fetch": {"get": "/{path}"}}})


# --- Event streams ---


def held(content: bytes) -> Answer:
    """Sends these bytes, and then nothing until the test ends."""

    def answer(connection: socket.socket, ended: threading.Event) -> bool:
        connection.sendall(content)
        ended.wait()
        return False

    return answer


@pytest.mark.parametrize("reconnects", [0, 3])
def test_a_deadline_ends_an_endless_stream(loopback: Loopback, client: routable.Client, reconnects: int) -> None:
    loopback.answers["/events"] = held(EVENTS + b"data: a\n\n")
    request = opened(loopback.base).operations.fetch(path="events")
    with client.events(request, deadline=0.3, reconnects=reconnects, retry=0.01) as stream:
        assert next(stream).data == "a"
        with pytest.raises(routable.RoutableError, match="within 300 ms") as caught:
            next(stream)
    assert caught.value.status == "timeout" and isinstance(caught.value, TimeoutError)


def test_a_refused_connection_of_a_stream_is_a_transfer_error(client: routable.Client) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        request = opened(f"http://127.0.0.1:{unused.getsockname()[1]}").operations.fetch(path="events")
        with client.events(request, deadline=0.5, reconnects=3) as stream, pytest.raises(routable.RoutableError) as caught:
            next(stream)
    assert caught.value.status == "transfer", str(caught.value)


def test_a_broken_stream_is_an_error_if_no_reconnect_fits_the_deadline(loopback: Loopback, client: routable.Client) -> None:
    def answer(connection: socket.socket, ended: threading.Event) -> bool:
        connection.sendall(EVENTS.replace(b"\r\n\r\n", b"\r\nContent-Length: 100\r\n\r\n") + b"data: a\n\n")
        return False

    loopback.answers["/events"] = answer
    request = opened(loopback.base).operations.fetch(path="events")
    with client.events(request, deadline=5, reconnects=3, retry=60) as stream:  # the wait exceeds the deadline
        assert next(stream).data == "a"
        with pytest.raises(routable.RoutableError, match="ended early") as caught:
            next(stream)
    assert caught.value.status == "transfer"


@pytest.mark.parametrize("first, events", [(b"id: " + b"x" * (1 << 20) + b"\n", 300), (b"", 3_000_000)])
def test_events_without_data_fill_the_buffer_too(loopback: Loopback, client: routable.Client, first: bytes, events: int) -> None:
    sent: List[int] = []
    blocked = threading.Event()

    def answer(connection: socket.socket, ended: threading.Event) -> bool:
        connection.sendall(EVENTS + first)
        connection.settimeout(1)
        try:
            for _ in range(events // 300):
                connection.sendall(b"data\n\n" * 300)
                sent.append(300)
        except OSError:  # the client does not read them
            pass
        blocked.set()
        ended.wait()
        return False

    def once_blocked(connection: socket.socket, ended: threading.Event) -> bool:
        blocked.wait(60)
        return whole("204 No Content")(connection, ended)

    loopback.answers.update({"/events": answer, "/blocked": once_blocked})
    fetch = opened(loopback.base).operations.fetch
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with client.events(fetch(path="events")) as stream:
        assert next(stream).id == first[4:-1].decode()
        assert client.submit(fetch(path="blocked")).result().status == 204  # this call drives the stream, too
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        assert grown < 40_000, f"{sum(sent)} events made {grown} KB of memory"
        for _ in range(10):
            assert next(stream).data == ""


# --- Resumed downloads ---


def part(first: int, last: int, content: bytes, total: str = "20", *headers: str) -> Answer:
    return whole("206 Partial Content", content, f"Content-Range: bytes {first}-{last}/{total}", 'ETag: "a"', *headers)


def chunked(first: int, last: int, content: bytes) -> Answer:
    head = f'HTTP/1.1 206 Partial Content\r\nContent-Range: bytes {first}-{last}/20\r\nETag: "a"\r\nTransfer-Encoding: chunked\r\n\r\n'
    body = f"{len(content):x}\r\n".encode() + content + b"\r\n0\r\n\r\n"

    def answer(connection: socket.socket, ended: threading.Event) -> bool:
        connection.sendall(head.encode() + body)
        return True

    return answer


#: The response to the request for the rest of a file after 8 bytes, and whether it is the rest.
RESTS: List[Tuple[str, Callable[[], Answer], bool]] = [
    ("all that is left", lambda: part(8, 19, FILE[8:]), True),
    ("in chunks", lambda: chunked(8, 19, FILE[8:]), True),
    ("less than was requested", lambda: part(8, 11, FILE[8:12]), False),
    ("all, as far as is known", lambda: part(8, 11, FILE[8:12], "*"), False),
    ("less than it says", lambda: chunked(8, 19, FILE[8:12]), False),
    ("more than it says", lambda: chunked(8, 19, FILE[8:] + b"more"), False),
    ("another place", lambda: part(9, 19, FILE[9:]), False),
    ("another version", lambda: whole("206 Partial Content", b"y" * 12, "Content-Range: bytes 8-19/20", 'ETag: "b"'), False),
    ("no range", lambda: whole("206 Partial Content", FILE[8:], 'ETag: "a"'), False),
    ("several ranges", lambda: whole("206 Partial Content", b"--x--", "Content-Type: multipart/byteranges; boundary=x"), False),
    ("coded", lambda: part(8, 19, b"x" * 12, "20", "Content-Encoding: x-own"), False),
]


@pytest.mark.parametrize("name, rest, is_rest", RESTS, ids=[name for name, _, _ in RESTS])
def test_a_resumed_download_accepts_only_the_rest_of_the_file(
    loopback: Loopback, client: routable.Client, tmp_path: Path, name: str, rest: Callable[[], Answer], is_rest: bool
) -> None:
    answers: List[Answer] = [rest(), whole("200 OK", FILE, 'ETag: "a"')]
    ranges: List[Any] = []

    def first(connection: socket.socket, ended: threading.Event) -> bool:
        connection.sendall(b'HTTP/1.1 200 OK\r\nContent-Length: 20\r\nETag: "a"\r\n\r\n' + FILE[:8])
        return False

    def answer(connection: socket.socket, ended: threading.Event) -> bool:
        headers = loopback.seen[-1].headers
        ranges.append((headers.get("range"), headers.get("if-range")))
        return (first if len(ranges) == 1 else answers.pop(0))(connection, ended)

    loopback.answers["/file"] = answer
    request = opened(loopback.base).operations.fetch(path="file")
    with pytest.raises(routable.RoutableError, match="ended early"):
        client.download(request, tmp_path / "file", resume=True)
    assert (tmp_path / "file.part").read_bytes() == FILE[:8] and not (tmp_path / "file").exists()
    assert client.download(request, tmp_path / "file", resume=True).status == 200
    assert (tmp_path / "file").read_bytes() == FILE, name
    assert ranges == [(None, None), ("bytes=8-", '"a"')] + ([] if is_rest else [(None, None)])
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def misbehaving(random: Random, loopback: Loopback, size: int) -> Answer:
    """A service that breaks off, ignores ranges, sends less or another range, and changes the file meanwhile."""
    version = 0
    weak = random.choice(["", "", "W/", None])

    def answer(connection: socket.socket, ended: threading.Event) -> bool:
        nonlocal version
        version += random.random() < 0.15
        content = versioned(version, size)
        headers = loopback.seen[-1].headers
        tag = None if weak is None else f'{weak}"{version}"'
        first, last, shown, total = 0, size - 1, 0, str(size)
        if "range" in headers and random.random() < 0.1:
            return whole("416 Range Not Satisfiable", b"416")(connection, ended)
        is_part = "range" in headers and headers.get("if-range") == tag and random.random() < 0.8
        if is_part:
            shown = first = int(headers["range"][len("bytes="):-1])
            last = random.choice([last, last, random.randint(first, last)])
            shown = max(0, first + random.choice([0, 0, 0, 0, -1, 5]))
            total = random.choice([total, total, total, "*"])
        body = content[shown:last + 1][:random.choice([None, None, None, size // 3])]
        lines = [f"HTTP/1.1 {206 if is_part else 200} x", *([f"ETag: {tag}"] if tag else [])]
        if is_part:
            lines.append(f"Content-Range: bytes {shown}-{last}/{total}")
        else:
            body = content
        if random.random() < 0.5:
            lines.append(f"Content-Length: {len(body)}")
        else:
            lines.append("Transfer-Encoding: chunked")
            cuts = [body[place:place + 37] for place in range(0, len(body), 37)]
            body = b"".join(b"%x\r\n%s\r\n" % (len(cut), cut) for cut in [*cuts, b""])
        sent = len(body) if random.random() < 0.5 else random.randint(0, len(body))
        connection.sendall("\r\n".join([*lines, "", ""]).encode() + body[:sent])
        return sent == len(body)

    return answer


def versioned(version: int, size: int) -> bytes:
    return bytes((37 * version + place * (version + 1)) % 251 for place in range(size))


def test_a_download_never_mixes_versions_of_a_file(loopback: Loopback, tmp_path: Path) -> None:
    seed = SystemRandom().getrandbits(32)
    random = Random(seed)
    request = opened(loopback.base).operations.fetch(path="file")
    with routable.Client(deadline=20 * SLOWNESS, retries=2, retry_delay=0.0001) as client:
        for number in range(300):
            size = random.choice([1, 2, 10, 100, 3000])
            loopback.answers["/file"] = misbehaving(random, loopback, size)
            path = tmp_path / str(number)
            for _ in range(50):
                try:
                    assert client.download(request, path, resume=True).status == 200
                    break
                except routable.RoutableError:
                    assert not path.exists(), f"file {number} of seed {seed}"
            content = path.read_bytes()
            assert any(content == versioned(version, size) for version in range(200)), f"file {number} of seed {seed}: {content[:40]!r}"
            assert not list(tmp_path.glob("*.part*")), f"file {number} of seed {seed}"


# --- Waits ---


@pytest.mark.parametrize("value, requests", [
    ("0", 3), ("99999999999999999999", 1), ("9223372036854775807", 1), ("9223372036854775", 1),
    ("Fri, 31 Dec 9999 23:59:59 GMT", 1), ("Sunday, 06-Nov-94 08:49:37 GMT", 3), ("Sun Nov  6 08:49:37 1994", 3), ("soon", 3),
])
def test_retry_after_delays_or_prevents_a_retry(loopback: Loopback, value: str, requests: int) -> None:
    """A time beyond the maximum wait: the response is the result.  A time in the past, or an invalid value: the default wait."""
    loopback.answers["/busy"] = whole("503 Service Unavailable", b"", f"Retry-After: {value}")
    with routable.Client(deadline=20 * SLOWNESS, retries=2, retry_delay=0.01) as client:
        with pytest.raises(routable.HTTPStatusError):
            client.perform(opened(loopback.base).operations.fetch(path="busy"))
    assert len(loopback.seen) == requests


# --- A reused connection that is closed instead of a response ---


#: A method with headers, and the number of requests that the service receives if it never responds.
REPEATED = [("post", {}, 1), ("patch", {}, 1), ("post", {"Idempotency-Key": "7"}, 2), ("put", {}, 2), ("get", {}, 2)]


@pytest.mark.parametrize("how", ["perform", "submit"])
@pytest.mark.parametrize("method, headers, times", REPEATED)
def test_a_request_that_may_have_an_effect_is_sent_once(
    loopback: Loopback, client: routable.Client, how: str, method: str, headers: dict, times: int
) -> None:
    # libcurl repeats a request of any method if a reused connection is closed before a response begins.
    loopback.answers["/warm"] = whole("200 OK")
    loopback.answers["/lost"] = lambda connection, ended: False
    api = routable.open({"routable": 1, "base": loopback.base, "operations": {
        "warm": {"get": "/warm"}, "lost": {method: "/lost", "body_as": "bytes", "body_required": False}}})

    def perform(request: Any) -> None:
        client.perform(request) if how == "perform" else client.submit(request).result()

    perform(api.operations.warm())
    body = () if method == "get" else (b"x",)
    with pytest.raises(routable.RoutableError, match="closed the connection without a response") as caught:
        perform(api.operations.lost(*body, routable.using(headers=headers)))
    assert caught.value.status == "transfer"
    assert [seen.line.split()[0] for seen in loopback.seen] == ["GET"] + [method.upper()] * times
