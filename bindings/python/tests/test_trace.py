"""Timings, attempts, redirects, and the events of `on_event`."""

from __future__ import annotations

import asyncio
import pickle
import sys
from typing import Any, Callable, Dict, List, Tuple

import pytest
import routable
from faults import api, base  # noqa: F401  (fixtures)
from routable import Attempt, Redirect, TransferEvent
from slowness import SLOWNESS
from test_faults import closed_port

OPTIONS: Dict[str, Any] = {"deadline": 5 * SLOWNESS, "proxy": "", "retry_delay": 0.01}


def came_to(way: str, request: routable.Request, **options: Any) -> Any:
    """Performs the request in one of four ways; returns the response or the exception."""
    if way == "await":
        async def run() -> routable.Response:
            async with routable.AsyncClient(**OPTIONS, **options) as client:
                return await client.perform(request)

        call: Callable[[], Any] = lambda: asyncio.run(run())  # noqa: E731
    else:
        def call() -> Any:
            with routable.Client(**OPTIONS, **options) as client:
                if way == "perform":
                    return client.perform(request)
                if way == "submit":
                    return client.submit(request).result()
                return next(iter(client.perform_all([request]))).result()

    try:
        return call()
    except routable.RoutableError as error:
        return error


every_way = pytest.mark.parametrize("way", ["perform", "submit", "all", "await"])


@every_way
def test_timings_are_measured_on_request(api: routable.Router, way: str) -> None:  # noqa: F811
    request = api.operations.fetch(path="faults/slow/20")
    assert came_to(way, request).timings is None
    timings = came_to(way, request, timings=True).timings
    assert 0 <= timings.name_lookup <= timings.connect <= timings.first_byte <= timings.attempt <= timings.elapsed < 5
    assert timings.first_byte >= 0.02 and timings.connect > 0 and timings.tls == 0 and timings.connections == 1
    assert 0 <= timings.queued < timings.elapsed


@every_way
def test_attempts_and_redirects(api: routable.Router, base: str, way: str) -> None:  # noqa: F811
    plain = came_to(way, api.operations.fetch(path="faults/ok"))
    assert (plain.attempts, plain.redirects) == ((), ())
    response = came_to(way, api.operations.fetch(path=f"faults/flaky/trace-{way}/2/503"), retries=2)
    assert [(each.reason, each.status, each.curl_code) for each in response.attempts] == [("retry", 503, None)] * 2
    assert 0.01 <= response.attempts[0].wait < 0.02 <= response.attempts[1].wait < 0.03
    moved = came_to(way, api.operations.fetch(path="faults/redirect"))
    assert moved.attempts == (Attempt("redirect", 302, None, 0.0),)
    assert moved.redirects == (Redirect(f"{base}/faults/ok", 302, False),)
    again = pickle.loads(pickle.dumps(moved))
    assert again == moved and again.redirects == moved.redirects


@every_way
def test_exceptions_have_timings_and_attempts(api: routable.Router, way: str) -> None:  # noqa: F811
    refused = routable.open({"routable": 1, "base": closed_port(), "operations": {"fetch": {"get": "/"}}}).build("fetch")
    error = came_to(way, refused, retries=1, timings=True)
    assert isinstance(error, routable.TransferError) and error.curl_code == 7
    assert [(each.reason, each.status, each.curl_code) for each in error.attempts] == [("retry", None, 7)]
    assert error.timings is not None and error.timings.elapsed >= 0.008 and error.timings.first_byte == 0
    assert error.redirects == ()
    lost = came_to(way, api.operations.fetch(path="moved/302/faults/not-found"))
    assert isinstance(lost, routable.HTTPStatusError) and lost.response is not None
    assert [each.status for each in lost.redirects] == [each.status for each in lost.response.redirects] == [302]
    with pytest.raises(routable.URLError) as caught:
        routable.Client(base="\n")
    assert (caught.value.timings, caught.value.attempts, caught.value.redirects) == (None, (), ())


def shown(events: List[TransferEvent]) -> List[Tuple[Any, ...]]:
    return [(each.kind, each.attempt, each.http_status or each.status) for each in events]


@every_way
def test_on_event(api: routable.Router, base: str, way: str) -> None:  # noqa: F811
    events: List[TransferEvent] = []
    request = api.operations.fetch(path=f"faults/flaky/event-{way}/1/503")
    response = came_to(way, request, retries=1, timings=True, on_event=events.append)
    # In the main thread, perform waits for a submitted transfer, so that signal handlers run.
    assert shown(events) == [("queued", 0, None), ("attempt", 1, None), ("retry", 1, 503), ("attempt", 2, None), ("end", 2, 200)]
    assert {(each.transfer, each.route, each.operation) for each in events} == {(events[0].transfer, None, "fetch")}
    attempt, retry, end = events[-2], events[-3], events[-1]
    assert (attempt.method, attempt.url) == ("GET", f"{base}/faults/flaky/event-{way}/1/503")
    assert retry.wait >= 0.01 and end.status == "ok"
    assert end.timings == response.timings and end.attempts == response.attempts and attempt.timings is None


def test_on_event_of_failures_and_cancelled(api: routable.Router) -> None:  # noqa: F811
    events: List[TransferEvent] = []
    with routable.Client(**OPTIONS, on_event=events.append) as client:
        with pytest.raises(routable.TimeoutError):
            client.perform(api.operations.fetch(path="faults/never"), deadline=0.05)
        transfer = client.submit(api.operations.fetch(path="faults/never"))
        client.drive(0)
        transfer.cancel()
        client.drive(0)
    assert [each.status for each in events if each.kind == "end"] == ["timeout", "cancelled"]
    assert len({each.transfer for each in events}) == 2


@every_way
def test_exceptions_of_on_event_are_reported(api: routable.Router, way: str, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    """Each exception is reported, and does not change the transfer."""
    seen: List[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda problem: seen.append(problem.exc_value))
    calls: List[str] = []

    def hook(event: TransferEvent) -> None:
        calls.append(event.kind)
        raise ValueError(event.kind)

    assert came_to(way, api.operations.fetch(path="faults/ok"), on_event=hook).status == 200
    assert [str(each) for each in seen] == calls and calls[-2:] == ["attempt", "end"]


def test_on_event_that_calls_back(api: routable.Router) -> None:  # noqa: F811
    """The hook calls perform, submit, cancel, and close of the client itself."""
    statuses: List[int] = []

    def hook(event: TransferEvent) -> None:
        if event.kind == "attempt" and not statuses:
            statuses.append(0)
            statuses[0] = client.perform(api.operations.fetch(path="faults/ok")).status
            assert client.submit(api.operations.fetch(path="faults/never")).cancel()
            client.close()

    client = routable.Client(**OPTIONS, on_event=hook)
    assert client.perform(api.operations.fetch(path="faults/ok")).status == 200
    assert statuses == [200]
    with pytest.raises(ValueError, match="closed"):
        client.perform(api.operations.fetch(path="faults/ok"))


def test_a_hook_is_released(api: routable.Router) -> None:  # noqa: F811
    from routable import _observe

    before = len(_observe._hooks)
    with routable.Client(**OPTIONS, on_event=lambda event: None) as client:
        assert len(_observe._hooks) == before + 1
        client.perform(api.operations.fetch(path="faults/ok"))
    del client
    assert len(_observe._hooks) == before
    with pytest.raises(TypeError, match="on_event must be a function"):
        routable.Client(on_event=3)  # type: ignore[arg-type]


def test_a_completed_stream_has_timings(api: routable.Router) -> None:  # noqa: F811
    with routable.Client(**OPTIONS, timings=True) as client:
        with client.lines(api.operations.fetch(path="lines/2/1")) as stream:
            head = stream.response
            assert len(list(stream)) == 2
            whole = stream.response
            assert head.status == whole.status == 200
            assert whole.timings is not None and 0 < whole.timings.first_byte <= whole.timings.elapsed
            assert whole.attempts == () and whole.body == b""
