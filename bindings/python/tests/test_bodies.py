"""Bodies that are not in memory: sent, received, and read piece by piece."""

from __future__ import annotations

import asyncio
import hashlib
import io
from pathlib import Path
from typing import Any, Iterator, List, Optional

import pytest
import routable
from faults import api, base  # noqa: F401  (fixtures)
from routable import Event, File, Progress
from slowness import SLOWNESS

TEXT = bytes(range(256)) * 1000
SHA = hashlib.sha256(TEXT).hexdigest()


class Again:
    """An iterable that is not an iterator, so that it can be read again."""

    def __iter__(self) -> Iterator[bytes]:
        return iter([TEXT[:100], b"", TEXT[100:200_000], TEXT[200_000:]])


def sources(tmp_path: Path) -> List[Any]:
    file = tmp_path / "body.bin"
    file.write_bytes(TEXT)
    rest = [TEXT[:1000], TEXT[1000:]]
    return [file, file.open("rb"), io.BytesIO(TEXT), Again(), iter([TEXT]), lambda size: rest.pop(0) if rest else b""]


@pytest.mark.parametrize("number", range(6))
@pytest.mark.parametrize("way", ["perform", "submit", "all", "await"])
def test_each_kind_of_source_is_sent(api: routable.Router, tmp_path: Path, number: int, way: str) -> None:  # noqa: F811
    source = sources(tmp_path)[number]
    request = api.operations.put(path="hash")
    if number == 0:
        request.set_body_file(source)
    else:
        request.set_body_from(source, content_type="application/octet-stream")
    report = outcome(request, way).json()
    asks = {"expect": "100-continue"} if number > 2 else {}  # for a body whose length is not known
    assert report == {"length": len(TEXT), "sha256": SHA, "chunked": number > 2, "method": "PUT",
                      "type": "application/octet-stream", **asks}


@pytest.mark.parametrize("again", [True, False])
@pytest.mark.parametrize("way", ["perform", "submit", "all", "await"])
def test_json_lines_are_sent(api: routable.Router, way: str, again: bool) -> None:  # noqa: F811
    values: List[Any] = [{"a": 1}, "é\n", None, [1.5]]
    request = api.operations.put(path="hash")
    request.set_json_lines(values if again else iter(values))
    written = '{"a":1}\n"é\\n"\nnull\n[1.5]\n'.encode()
    report = outcome(request, way).json()
    assert (report["sha256"], report["type"]) == (hashlib.sha256(written).hexdigest(), "application/x-ndjson"), report


def test_a_body_that_was_read_is_not_sent_as_nothing(api: routable.Router) -> None:  # noqa: F811
    request = api.operations.put(path="hash")
    request.set_body_from([b"abc"])
    assert [outcome(request, "perform").json()["length"] for _ in range(2)] == [3, 3]
    request.set_body_from(iter([b"abc"]))
    assert outcome(request, "perform").json()["length"] == 3
    with pytest.raises(routable.BodyError, match="an earlier transfer read the body, which cannot be read a second time"):
        outcome(request, "perform")


def test_a_line_that_cannot_be_json_is_refused(api: routable.Router) -> None:  # noqa: F811
    request = api.operations.put(path="hash")
    request.set_json_lines([1, float("nan")])
    with pytest.raises(routable.ArgumentError, match="value: "):
        outcome(request, "perform")


def outcome(request: routable.Request, way: str, **options: Any) -> routable.Response:
    """Performs the request in one of four ways, and returns the response."""
    if way == "await":
        async def run() -> routable.Response:
            async with routable.AsyncClient(deadline=20 * SLOWNESS, **options) as client:
                return await client.perform(request)

        return asyncio.run(run())
    with routable.Client(deadline=20 * SLOWNESS, **options) as client:
        if way == "perform":
            return client.perform(request)
        if way == "submit":
            return client.submit(request).result()
        return [ended.result() for ended in client.perform_all([request])][0]


class Broken(Exception):
    """The exception that callables of these tests raise."""


def fails(*_: object) -> Any:
    raise Broken("here")


@pytest.mark.parametrize("way", ["perform", "submit", "all", "await"])
@pytest.mark.parametrize("what", ["source", "rewind", "target", "progress"])
def test_an_exception_of_a_callable_is_raised(api: routable.Router, way: str, what: str) -> None:  # noqa: F811
    request = api.operations.put(path="moved/307/hash" if what == "rewind" else "hash")
    if what == "source":
        request.set_body_from(fails)
    elif what == "rewind":
        class Once(io.BytesIO):
            def seek(self, *arguments: int) -> int:
                return super().seek(*arguments) if self.tell() in (0, 3) and not self.closed and self.fresh() else fails()

            def fresh(self) -> bool:
                self.seeks = getattr(self, "seeks", 0) + 1
                return self.seeks <= 2

        request.set_body_from(Once(b"abc"))
    elif what == "target":
        request.write_to(fails)
    else:
        request.set_body(b"abc")
        request.on_progress(fails)
    with pytest.raises(Broken, match="here"):
        outcome(request, way)


def test_a_source_can_pause_and_resume(api: routable.Router) -> None:  # noqa: F811
    given: List[Optional[bytes]] = [b"ab", None, b"c", b""]
    request = api.operations.put(path="hash")
    request.set_body_from(lambda size: given.pop(0))
    with routable.Client(deadline=20 * SLOWNESS) as client:
        transfer = client.submit(request)
        while len(given) > 2:
            client.drive(0.1)
        with pytest.raises(routable.TimeoutError):
            transfer.result(0.05)
        assert transfer.resume()
        assert transfer.result().json()["length"] == 3
        assert not transfer.resume() and not transfer.pause()
    request = api.operations.put(path="hash")
    request.set_body_from(lambda size: None)
    with routable.Client(deadline=20 * SLOWNESS) as client, pytest.raises(routable.CallbackError, match="only a submitted transfer can pause"):
        client.perform(request)


class Later:
    """An asynchronous iterable, which can be read again, with pieces in several iterations of the loop."""

    def __init__(self, fails: bool = False) -> None:
        self.fails = fails

    async def __aiter__(self) -> Any:
        for start in range(0, len(TEXT), 50_000):
            await asyncio.sleep(0)
            yield TEXT[start : start + 50_000]
            if self.fails and start:
                raise Broken("here")
        yield b""


@pytest.mark.parametrize("path", ["hash", "moved/307/hash", "flaky-hash/later/1"])
def test_an_asynchronous_source(api: routable.Router, path: str) -> None:  # noqa: F811
    async def run() -> None:
        async with routable.AsyncClient(deadline=20 * SLOWNESS, retries=2, retry_delay=0.01) as client:
            def request(fails: bool = False, generator: bool = False) -> routable.Request:
                made, source = api.operations.put(path=path), Later(fails)
                made.set_body_from(source.__aiter__() if generator else source, content_type="text/plain")
                return made

            assert (await client.perform(request())).json()["sha256"] == SHA
            if path == "hash":
                assert (await client.perform(request(generator=True))).json()["sha256"] == SHA
                ended = [each async for each in client.perform_all([request() for _ in range(5)], concurrency=2)]
                assert [each.result().json()["sha256"] for each in ended] == [SHA] * 5
                with pytest.raises(Broken, match="here"):
                    await client.perform(request(fails=True))

    asyncio.run(run())


def test_an_asynchronous_source_needs_a_loop(api: routable.Router) -> None:  # noqa: F811
    request = api.operations.put(path="hash")
    request.set_body_from(Later())
    with pytest.raises(TypeError, match="an asynchronous iterable can be a body only for an AsyncClient"):
        outcome(request, "perform")


def test_cancelling_while_a_source_waits(api: routable.Router) -> None:  # noqa: F811
    async def run() -> None:
        is_read = asyncio.Event()
        has_ended = []

        async def never() -> Any:
            yield b"a"
            is_read.set()
            try:
                await asyncio.Event().wait()
            finally:
                has_ended.append(True)

        async with routable.AsyncClient(deadline=20 * SLOWNESS) as client:
            request = api.operations.put(path="hash")
            request.set_body_from(never())
            task = asyncio.ensure_future(client.perform(request))
            await is_read.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await asyncio.sleep(0)
            assert has_ended == [True]

    asyncio.run(run())


def test_paths_and_bytes_are_sources(api: routable.Router, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "a").write_bytes(TEXT)
    for source in (tmp_path / "a", TEXT, bytearray(TEXT)):
        request = api.operations.put(path="hash")
        request.set_body_from(source)
        assert outcome(request, "perform").json()["sha256"] == SHA
    with pytest.raises(TypeError, match="pathlib.Path names a file"):
        request.set_body_from(str(tmp_path / "a"))


def test_a_binary_file_is_a_part(api: routable.Router, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "a.txt").write_bytes(b"content")
    request = api.operations.put(path="echo")
    with (tmp_path / "a.txt").open("rb") as file:
        request.set_multipart({"one": file, "two": io.BytesIO(b"more")})
        text = "\n".join(parts_of(outcome(request, "perform")))
    assert 'name="one"; filename="a.txt"' in text and "content" in text and 'name="two"; filename="two"' in text and "more" in text


def test_a_body_can_be_sent_repeatedly(api: routable.Router) -> None:  # noqa: F811
    for path in ("moved/307/hash", "flaky-hash/python/2"):
        request = api.operations.put(path=path)
        request.set_body_from(Again())
        assert outcome(request, "perform", retries=2, retry_delay=0.01).json()["sha256"] == SHA
    request = api.operations.put(path="moved/307/hash")
    request.set_body_from(iter([TEXT]))
    with pytest.raises(routable.BodyError, match="cannot be read a second time"):
        outcome(request, "perform")


# --- Forms ---


def parts_of(response: routable.Response) -> List[str]:
    """The parts between the boundaries of an echoed body."""
    echoed = response.json()
    kind = dict(echoed["headers"])["Content-Type"]
    boundary = kind.partition("; boundary=")[2]
    pieces = echoed["body"].split(f"--{boundary}")
    assert pieces[0] == "" and pieces[-1] == "--\r\n"
    return [piece[2:-2] for piece in pieces[1:-1]]


FILE = 'Content-Disposition: form-data; name="f"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n'


def test_parts_of_a_form_are_sent(api: routable.Router, tmp_path: Path) -> None:  # noqa: F811
    path = tmp_path / "a.txt"
    path.write_text("hello")
    request = api.operations.post(path="echo")
    request.set_multipart({
        "a": "x\ny", "n": [1, True, 1.5],
        "f": [path, File(path), File(content=b"hello", filename="a.txt"), File(content=io.BytesIO(b"hello"), filename="a.txt"),
              File(path, filename='q".png', content_type="image/png")],
    })
    with routable.Client(deadline=20 * SLOWNESS) as client:
        field = 'Content-Disposition: form-data; name="{}"\r\n\r\n{}'.format
        assert parts_of(client.perform(request)) == [
            field("a", "x\ny"), field("n", "1"), field("n", "true"), field("n", "1.5"), *[FILE + "hello"] * 4,
            'Content-Disposition: form-data; name="f"; filename="q%22.png"\r\nContent-Type: image/png\r\n\r\nhello',
        ]
        request.set_multipart([("a", "x\ny")], html=True)
        assert parts_of(client.perform(request)) == [field("a", "x\r\ny")]


def test_files_of_a_call_are_sent_as_multipart(api: routable.Router, tmp_path: Path) -> None:  # noqa: F811
    path = tmp_path / "a.txt"
    path.write_text("hello")
    form = api.operations.form
    with routable.Client(deadline=20 * SLOWNESS) as client:
        request = form({"a": [1, "b"], "j": {"k": 1}}, routable.using(files={"f": [path, File(path, content_type="text/plain")]}), path="x")
        assert parts_of(client.perform(request)) == [
            'Content-Disposition: form-data; name="a"\r\n\r\n1', 'Content-Disposition: form-data; name="a"\r\n\r\nb',
            'Content-Disposition: form-data; name="j"\r\nContent-Type: application/json\r\n\r\n{"k":1}', *[FILE + "hello"] * 2]
        # A value of a user is sent as a value, even if it looks like a file.
        request = form({"f": {"path": "/etc/passwd"}}, path="x")
        assert parts_of(client.perform(request)) == [
            'Content-Disposition: form-data; name="f"\r\nContent-Type: application/json\r\n\r\n{"path":"/etc/passwd"}']
    with pytest.raises(routable.BodyError, match="the operation does not declare one"):
        api.operations.post(routable.using(files={"f": path}), path="x")
    with pytest.raises(routable.BodyError, match="both a body as bytes and files"):
        form(b"x", routable.using(files={"f": path}), path="x")


def test_files_mean_what_they_mean_in_requests_and_httpx(api: routable.Router, tmp_path: Path) -> None:  # noqa: F811
    secret = tmp_path / "secret.txt"
    secret.write_text("top secret")
    field = 'Content-Disposition: form-data; name="f"{}\r\n\r\n{}'.format
    plain = '; filename="a.txt"\r\nContent-Type: text/plain'
    with secret.open("rb") as opened, routable.Client(deadline=20) as client:
        rows = [
            (("a.txt", b"hello"), field(plain, "hello")),
            (("a.txt", "hello"), field(plain, "hello")),
            (("a.txt", io.BytesIO(b"hello")), field(plain, "hello")),
            (("a.txt", "hello", "image/png"), field('; filename="a.txt"\r\nContent-Type: image/png', "hello")),
            ((None, "hello"), field("", "hello")),
            # Content that is the path of a file remains content.
            (("a.txt", str(secret)), field(plain, str(secret))),
            (b"hello", field('; filename="f"\r\nContent-Type: application/octet-stream', "hello")),
            (opened, field('; filename="secret.txt"\r\nContent-Type: text/plain', "top secret")),
            (File(content=b"hello", filename="a.txt"), field(plain, "hello")),
        ]
        for given, wanted in rows:
            request = api.operations.form(None, routable.using(files={"f": given}), path="x")
            assert parts_of(client.perform(request)) == [wanted], given
        request.set_multipart({"f": ("a.txt", str(secret))})
        assert parts_of(client.perform(request)) == [field(plain, str(secret))]
    for wrong in (str(secret), ("a.txt",), ("a.txt", "x", "text/plain", {}), (1, "x"), ("a.txt", secret), 1, None):
        with pytest.raises(TypeError, match="the file 'f'"):
            api.operations.form(None, routable.using(files={"f": wrong}), path="x")


# --- Received ---


@pytest.mark.parametrize("way", ["perform", "submit", "all", "await"])
def test_a_body_is_written_to_files_and_functions(api: routable.Router, tmp_path: Path, way: str) -> None:  # noqa: F811
    got: List[bytes] = []
    path = f"file/python-{way}/100000/strong"
    request = api.operations.fetch(path=f"{path}/0")
    request.write_to(got.append)
    response = outcome(request, way)
    assert (response.status, response.outcome, response.body) == (200, "empty", b"")
    whole = b"".join(got)
    assert len(whole) == 100_000
    with (tmp_path / "b").open("wb", buffering=0) as file:
        for target in (file, file.fileno()):
            request.write_to(target)
            outcome(request, way)
    assert (tmp_path / "b").read_bytes() == whole * 2
    request.write_to(None)
    assert outcome(request, way).body == whole


def test_a_download_resumes(api: routable.Router, tmp_path: Path) -> None:  # noqa: F811
    told: List[Progress] = []
    path = tmp_path / "got"
    with routable.Client(deadline=20 * SLOWNESS) as client:
        with pytest.raises(routable.TransferError):
            client.download(api.operations.fetch(path="file/download/100000/strong/1"), path, resume=True)
        assert not path.exists()
        response = client.download(
            api.operations.fetch(path="file/download/100000/strong/1"), path, resume=True, progress=told.append)
        # Status and headers are those of one complete response with the whole file.
        assert response.status == 200
        assert response.headers["Content-Length"] == "100000" and "Content-Range" not in response.headers
        assert [each[0] for each in client.perform(api.operations.fetch(path="seen/download")).json()] == ["", "bytes=50000-"]
    assert told[-1] == Progress(0, None, 100_000, 100_000)
    assert path.stat().st_size == 100_000
    assert [each.name for each in tmp_path.iterdir()] == ["got"]

    async def again() -> None:
        async with routable.AsyncClient(deadline=20 * SLOWNESS) as client:
            await client.download(api.operations.fetch(path="file/async/1000/none/0"), path)
            with pytest.raises(routable.FileError):
                await client.download(api.operations.fetch(path="faults/ok"), "/nowhere/a")

    asyncio.run(again())
    assert path.stat().st_size == 1000


# --- Streams ---

EVENTS = [Event("one", "message", ""), Event("two\nthree", "add", ""), Event("", "message", "7")]
LINES = ['{"n":0,"pad":"x"}', '{"n":1,"pad":"x"}']


def test_streams_return_lines_values_events_and_pieces(api: routable.Router) -> None:  # noqa: F811
    get = api.operations.fetch
    with routable.Client(deadline=20 * SLOWNESS) as client:
        with client.events(get(path="events/plain")) as events:
            assert events.response.headers["content-type"] == "text/event-stream; charset=utf-8"
            assert list(events) == EVENTS
            assert not events.cancel()
        assert list(client.lines(get(path="lines/2/1"))) == LINES
        assert list(client.values(get(path="lines/2/1"))) == [{"n": 0, "pad": "x"}, {"n": 1, "pad": "x"}]
        assert b"".join(client.pieces(get(path="file/pieces/100000/none/0"))) != b""
        with pytest.raises(routable.HTTPStatusError) as caught:
            next(client.pieces(get(path="faults/not-found")))
        assert caught.value.response is not None and caught.value.response.json() == {"name": "gone"}
        with pytest.raises(routable.ResponseError):
            next(client.events(get(path="events/json")))
        with pytest.raises(routable.LimitError):
            next(client.lines(get(path="lines/2/100"), max_line_bytes=10))
        endless = client.pieces(get(path="endless"))
        next(endless)
        assert endless.cancel()
        with pytest.raises(routable.CancelledError):
            for _ in endless:
                pass
        endless.close()
        with pytest.raises(ValueError, match="closed"):
            next(endless)


def test_streams_of_an_async_client(api: routable.Router) -> None:  # noqa: F811
    get = api.operations.fetch

    async def run() -> None:
        async with routable.AsyncClient(deadline=20 * SLOWNESS) as client:
            async with client.events(get(path="events/plain")) as events:
                assert (await events.response()).status == 200
                assert [event async for event in events] == EVENTS
            assert [line async for line in client.lines(get(path="lines/2/1"))] == LINES

            with pytest.raises(routable.TimeoutError):
                [line async for line in client.lines(get(path="faults/never"), deadline=0.2)]

            async def count(limit: int) -> int:
                total = 0
                async with client.pieces(get(path="endless"), max_buffered_bytes=65536) as pieces:
                    async for piece in pieces:
                        total += len(piece)
                        if total > limit:
                            return total
                return total

            # Several streams at the same time, with other requests, each at its own pace.
            totals = await asyncio.gather(
                count(1 << 20), count(3 << 20), count(5 << 20), *(client.perform(get(path="faults/ok")) for _ in range(20)))
            assert all(total > bound << 20 for total, bound in zip(totals[:3], (1, 3, 5)))
            assert [each.status for each in totals[3:]] == [200] * 20
            with pytest.raises(routable.HTTPStatusError):
                await client.values(get(path="faults/not-found")).__anext__()

            waiting = asyncio.ensure_future(client.pieces(get(path="faults/never")).__anext__())
            await asyncio.sleep(0.05)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
        with pytest.raises(ValueError, match="closed"):
            client.pieces(get(path="endless"))

    asyncio.run(run())


def test_event_streams_reconnect_after_the_last_event(api: routable.Router) -> None:  # noqa: F811
    with routable.Client(deadline=20 * SLOWNESS) as client:
        events = client.events(api.operations.fetch(path="events/again"), reconnects=2, retry=0.01, last_event_id="z")
        assert [(each.event, each.data) for each in events] == [
            ("from", "z"), ("message", "1"), ("from", "a"), ("message", "2"), ("from", "b"), ("message", "3")]


def test_a_splitter_splits_events_and_lines() -> None:
    splitter = routable.Splitter("events")
    splitter.take(b"data: hello\n")
    assert list(splitter) == []
    splitter.take(b"\n")
    assert list(splitter) == [Event("hello", "message", "")]
    lines = routable.Splitter("lines", max_item_bytes=3)
    lines.take(b"a\nb")
    lines.end()
    assert list(lines) == ["a", "b"]
    with pytest.raises(routable.LimitError):
        lines.take(b"abcd")
    with pytest.raises(ValueError):
        routable.Splitter("bytes")


def test_released_bodies_are_freed(api: routable.Router) -> None:  # noqa: F811
    """The package holds no objects that the library has released."""
    from routable._bodies import _records

    _records.clear()
    for _ in range(3):
        request = api.operations.put(path="hash")
        request.set_body_from(Again())
        request.on_progress(lambda progress: None)
        request.write_to(io.BytesIO())
        assert len(_records) == 3
        outcome(request, "submit")
        request.close()
        assert len(_records) == 0
