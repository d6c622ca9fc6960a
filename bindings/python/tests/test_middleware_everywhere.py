"""Middleware of submitted requests, pages and streams."""

from __future__ import annotations

import asyncio
import json as stdlib_json
from pathlib import Path
from typing import Any, Dict, List, Optional

import pytest
import routable
from loopback import Loopback, raw, whole
from loopback import json as json_answer

DOCUMENT: Dict[str, Any] = {
    "routable": 1,
    "operations": {
        "lines": {"get": "/lines"}, "events": {"get": "/events"}, "missing": {"get": "/missing"}, "endless": {"get": "/endless"},
        "list": {"get": "/list", "query": {"after": {}}, "pagination": {"by": "cursor", "parameter": "after", "at": "/next", "items": "/items"}},
    },
}


class Seen:
    """Middleware whose behavior the header X-Do of the request selects."""

    def __init__(self) -> None:
        self.told: List[str] = []
        self.other: Optional[routable.Request] = None

    def flow(self, request: routable.Request) -> Any:
        wish = request.headers.get("X-Do", "")
        request.set_header("X-Seen", "1")
        if wish == "answer":
            return routable.Response(200, "raw", routable.Headers([("Content-Type", "text/event-stream")]), b'{"a":1}\n\ndata: canned\n\n')
        if wish == "refuse":
            raise KeyError("refused")
        try:
            response = yield request
        except routable.HTTPStatusError as error:
            self.told.append(f"{request.operation} {error.http_status}")
            if wish != "again":
                raise
            assert self.other is not None
            response = yield self.other
        self.told.append(f"{request.operation} {response.status}")
        if wish == "twice":
            response = yield request
        if wish == "replace":
            return routable.Response(200, "raw", routable.Headers(), b'{"items":[7]}')
        if wish == "fail":
            raise KeyError("failed")
        return response


@pytest.fixture
def api(loopback: Loopback) -> routable.Router:
    loopback.answers["/lines"] = whole("200 OK", b"one\ntwo\n", "Content-Type: text/plain")
    loopback.answers["/events"] = whole("200 OK", b"data: first\n\ndata: second\n\n", "Content-Type: text/event-stream")
    loopback.answers["/endless"] = raw(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", stays=True)
    loopback.answers["/list"] = json_answer('{"items":[1,2],"next":"b"}')
    loopback.answers["/list?after=b"] = json_answer('{"items":[3]}')
    return routable.open(DOCUMENT, base=loopback.base)


def asked(api: routable.Router, operation: str, wish: str = "") -> routable.Request:
    request: routable.Request = getattr(api.operations, operation)()
    if wish:
        request.set_header("X-Do", wish)
    return request


def test_streams(api: routable.Router, loopback: Loopback) -> None:
    seen = Seen()
    with routable.Client(middleware=[seen]) as client:
        with client.lines(asked(api, "lines")) as stream:
            assert list(stream) == ["one", "two"] and stream.response.status == 200
        assert seen.told == ["lines 200"] and loopback.seen[-1].headers["x-seen"] == "1"
        with client.lines(asked(api, "lines", "twice")) as stream:
            assert stream.response.status == 200 and list(stream) == ["one", "two"]
        assert len(loopback.seen) == 3
        # The middleware's own reply: the items are those of its body.
        assert list(client.lines(asked(api, "lines", "answer"))) == ['{"a":1}', "data: canned"]
        assert list(client.events(asked(api, "events", "answer"))) == [routable.Event("canned", "message", "")]
        assert list(client.pieces(asked(api, "lines", "replace"))) == [b'{"items":[7]}']
        values = client.values(asked(api, "lines", "answer"))
        assert next(values) == {"a": 1} and values.response.body.startswith(b'{"a":1}')
        with pytest.raises(ValueError):
            next(values)
        assert list(values) == [] and values.cancel() is False
        with pytest.raises(KeyError, match="refused"):
            client.lines(asked(api, "lines", "refuse"))
        stream = client.lines(asked(api, "lines", "fail"))
        for _ in range(2):  # the stream does not continue after the failure
            with pytest.raises(KeyError, match="failed"):
                next(stream)
        with pytest.raises(routable.HTTPStatusError):
            next(client.lines(asked(api, "missing")))
        assert seen.told[-1] == "missing 404"
        seen.other = asked(api, "lines")
        assert list(client.lines(asked(api, "missing", "again"))) == ["one", "two"]
        unread = client.lines(asked(api, "lines"))
        unread.close()
        with pytest.raises(ValueError, match="closed"):
            next(unread)


def test_streams_in_a_loop(api: routable.Router, loopback: Loopback) -> None:
    seen = Seen()

    async def run() -> None:
        async with routable.AsyncClient(middleware=[seen]) as client:
            assert [each async for each in client.lines(asked(api, "lines"))] == ["one", "two"]
            assert [each async for each in client.lines(asked(api, "lines", "twice"))] == ["one", "two"]
            assert [each.data async for each in client.events(asked(api, "events"))] == ["first", "second"]
            stream = client.pieces(asked(api, "lines", "replace"))
            assert (await stream.response()).body == b'{"items":[7]}'
            assert [each async for each in stream] == [b'{"items":[7]}']
            with pytest.raises(KeyError, match="failed"):
                async for _ in client.lines(asked(api, "lines", "fail")):
                    pass

    asyncio.run(run())
    assert seen.told == ["lines 200", "lines 200", "events 200", "lines 200", "lines 200"]


def test_middleware_runs_for_each_page(api: routable.Router, loopback: Loopback) -> None:
    def called(request: routable.Request, call: routable.Call) -> Any:
        return call(request)

    seen = Seen()
    for middleware in ([seen], [called, seen]):
        seen.told.clear()
        with routable.Client(middleware=middleware) as client:  # type: ignore[arg-type]
            assert list(client.items(asked(api, "list"))) == [1, 2, 3]
            assert seen.told == ["list 200"] * 2
            # A reply of the middleware is the page, and determines whether there is another one.
            assert list(client.items(asked(api, "list", "replace"))) == [7]
            with pytest.raises(KeyError, match="refused"):
                next(client.pages(asked(api, "list", "refuse")))

    def broken(request: routable.Request) -> Any:
        yield request
        return routable.Response(500, "raw", routable.Headers(), b"")

    with routable.Client(middleware=[broken]) as client:
        with pytest.raises(routable.HTTPStatusError):  # otherwise the same page would be requested forever
            list(client.items(asked(api, "list")))

    async def run() -> None:
        async with routable.AsyncClient(middleware=[seen]) as client:
            assert [each async for each in client.items(asked(api, "list"))] == [1, 2, 3]
            assert [each async for each in client.items(asked(api, "list", "replace"))] == [7]

    asyncio.run(run())


def test_middleware_runs_for_submitted_requests(api: routable.Router, loopback: Loopback) -> None:
    seen = Seen()
    ended: List[routable.Completion] = []
    with routable.Client(middleware=[seen]) as client:
        transfer = client.submit(asked(api, "lines", "twice"))
        assert not transfer.done and transfer.result().text == "one\ntwo\n" and transfer.done
        assert transfer.result().status == 200 and not transfer.cancel() and not transfer.pause()
        assert len(loopback.seen) == 2
        client.submit(asked(api, "lines", "answer"), on_end=ended.append)
        client.submit(asked(api, "lines"), on_end=ended.append)
        client.submit(asked(api, "lines", "fail"), on_end=ended.append)
        while client.drive(None):
            pass
        assert len(ended) == 3 and [type(each.error) for each in ended if each.error] == [KeyError]
        refused = client.submit(asked(api, "lines", "refuse"))
        with pytest.raises(KeyError, match="refused"):
            refused.result()
        for error in (routable.HTTPStatusError, routable.HTTPStatusError):
            with pytest.raises(error):
                client.submit(asked(api, "missing")).result()
        del ended[:]
        cancelled = client.submit(asked(api, "lines"), on_end=ended.append)
        assert cancelled.pause() and cancelled.resume() and cancelled.cancel() and not cancelled.cancel() and cancelled.done
        with pytest.raises(routable.CancelledError):
            cancelled.result()
        while client.drive(None):
            pass
        assert ended == []
        with pytest.raises(routable.TimeoutError):
            client.submit(asked(api, "endless")).result(timeout=0.01)
        left = client.submit(asked(api, "endless"))
    with pytest.raises(routable.CancelledError):
        left.result()
    left.close()
    with pytest.raises(ValueError, match="closed"):
        left.result()


def test_har_of_a_stream(api: routable.Router, tmp_path: Path) -> None:
    path = tmp_path / "client.har"
    with routable.har.Har(path, bodies=True) as har, routable.Client(middleware=[har]) as client:
        assert list(client.lines(asked(api, "lines"))) == ["one", "two"]
        assert list(client.items(asked(api, "list"))) == [1, 2, 3]
        client.submit(asked(api, "events")).result()
    entries = stdlib_json.loads(path.read_bytes())["log"]["entries"]
    assert [each["_operation"] for each in entries] == ["lines", "list", "list", "events"]
    content = [each["response"]["content"] for each in entries]
    assert content[0]["comment"] == "a stream: the body is not recorded" and "text" not in content[0]
    assert content[1]["text"].startswith('{"items"')


def test_an_unused_scheme_is_reported() -> None:
    document: Dict[str, Any] = {
        "routable": 1, "auth": {"key": {"scheme": "bearer"}, "all": {"scheme": "basic", "default": True}, "own": {"scheme": "bearer"}},
        "operations": {"ping": {"get": "/ping"}, "pay": {"get": "/pay", "auth": "own"}},
    }
    assert routable.open(document).warnings == ("#/auth/key: no operation requires this scheme, so its credential is never sent",)


@pytest.mark.parametrize("given", ["3", True, 0, float("nan"), [1]])
def test_invalid_deadlines_are_refused(api: routable.Router, loopback: Loopback, given: Any) -> None:
    with routable.Client() as client:
        with pytest.raises(routable.ArgumentError, match="is not a number of seconds above 0"):
            client.perform(asked(api, "lines"), deadline=given)
    assert loopback.seen == []
