"""Middleware that yields nothing, is interrupted, waits for its own client or never ends, with each function that sends."""

from __future__ import annotations

import asyncio
import signal
import threading
from typing import Any, Callable, Dict, Iterator, List

import pytest
import routable
from loopback import Loopback, raw, whole
from loopback import json as json_answer
from slowness import SLOWNESS

DOCUMENT: Dict[str, Any] = {
    "routable": 1,
    "operations": {
        "ping": {"get": "/ping"}, "lines": {"get": "/lines"}, "endless": {"get": "/endless"},
        "list": {"get": "/list", "pagination": {"by": "link"}},
    },
}


def plain(request: routable.Request) -> Any:
    return (yield request)


@pytest.fixture
def api(loopback: Loopback) -> routable.Router:
    loopback.answers["/ping"] = json_answer('{"a":1}')
    loopback.answers["/lines"] = whole("200 OK", b"one\ntwo\n", "Content-Type: text/plain")
    loopback.answers["/endless"] = raw(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", stays=True)
    loopback.answers["/list"] = whole("200 OK", b"[1]", "Content-Type: application/json", "Link: <more>; rel=next")
    loopback.answers["/more"] = json_answer("[2]")
    return routable.open(DOCUMENT, base=loopback.base)


def ways(client: routable.Client, api: routable.Router) -> Iterator[Callable[[], Any]]:
    """All functions that send requests."""
    of = api.operations
    yield lambda: client.perform(of.ping())
    yield lambda: client.submit(of.ping()).result(20 * SLOWNESS)
    yield lambda: [each.result() for each in client.perform_all([of.ping()])]
    yield lambda: list(client.pages(of.list()))
    yield lambda: list(client.items(of.list()))
    yield lambda: list(client.lines(of.lines()))
    yield lambda: client.pieces(of.lines()).response


def forgets(request: routable.Request) -> Any:
    yield request


def answers_text(request: routable.Request) -> Any:
    return "text"
    yield request


def yields_nothing(request: routable.Request) -> Any:
    return (yield None)


@pytest.mark.parametrize(("middleware", "message"), [
    (forgets, "the middleware forgets must return a Response, not NoneType: end it with `return response`"),
    (answers_text, "the middleware answers_text must return a Response, not str"),
    (yields_nothing, "the middleware yields_nothing must yield a Request, not NoneType"),
])
def test_what_it_hands_over_is_checked(api: routable.Router, middleware: Any, message: str) -> None:
    for chain in ([middleware], [plain, middleware, plain]):
        with routable.Client(middleware=chain) as client:
            for way in ways(client, api):
                with pytest.raises(TypeError, match=message):
                    way()

    async def run() -> None:
        async with routable.AsyncClient(middleware=[middleware]) as client:
            with pytest.raises(TypeError, match=message):
                await client.perform(api.operations.ping())
            with pytest.raises(TypeError, match=message):
                async for each in client.perform_all([api.operations.ping()]):
                    each.result()
            with pytest.raises(TypeError, match=message):
                async for _ in client.lines(api.operations.lines()):
                    pass

    asyncio.run(run())


async def generator(request: Any) -> Any:
    yield request


class NoGenerator:
    def flow(self, request: Any) -> Any:
        return request


@pytest.mark.parametrize(("middleware", "message"), [
    (generator, "generator must be a generator function: `def`, not `async def`"),
    (NoGenerator(), "NoGenerator.flow must be a generator function"),
    (lambda request: request, "must be a generator function of a request: .*, or a function of a request and a call"),
    (lambda: (yield), "must be a generator function of a request"),
])
def test_invalid_middleware_is_refused(middleware: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        routable.Client(middleware=[middleware])


def test_functions_of_the_other_client(api: routable.Router) -> None:
    async def waits(request: routable.Request, call: routable.Call) -> Any:
        return await call(request)

    def answers(request: routable.Request, call: routable.Call) -> Any:
        return routable.Response(200, "raw", routable.Headers(), b"canned")

    def wrong(request: routable.Request, call: routable.Call) -> Any:
        return 3

    with routable.Client(middleware=[waits]) as client, pytest.raises(TypeError, match="waits is a coroutine function, which only an AsyncClient"):
        client.perform(api.operations.ping())
    with routable.Client(middleware=[wrong]) as client, pytest.raises(TypeError, match="wrong must return a Response, not int"):
        client.perform(api.operations.ping())

    async def run() -> None:
        async with routable.AsyncClient(middleware=[waits, answers]) as client:
            assert (await client.perform(api.operations.ping())).body == b"canned"
        async with routable.AsyncClient(middleware=[wrong]) as client:
            with pytest.raises(TypeError, match="wrong must return a Response, not int"):
                await client.perform(api.operations.ping())

    asyncio.run(run())


def test_middleware_may_yield_a_thousand_times(api: routable.Router) -> None:
    def often(request: routable.Request) -> Any:
        for _ in range(1_000):
            response = yield request
        return response

    def canned(request: routable.Request) -> Any:
        return routable.Response(200, "raw", routable.Headers(), b"[1]")
        yield request

    with routable.Client(middleware=[often, canned]) as client:
        for way in ways(client, api):
            way()


def interrupting(request: routable.Request) -> Any:
    response = yield request
    if "X-Interrupt" in request.headers:
        raise KeyboardInterrupt
    return response


def test_an_interruption_ends_only_its_own_request(api: routable.Router) -> None:
    marked = api.operations.ping()
    marked.set_header("X-Interrupt", "1")
    with routable.Client(middleware=[interrupting]) as client:
        interrupted, others = client.submit(marked), [client.submit(api.operations.ping()) for _ in range(20)]
        with pytest.raises(KeyboardInterrupt):
            while client.drive(None):
                pass
        assert [each.result(20 * SLOWNESS).status for each in others] == [200] * 20
        with pytest.raises(routable.CancelledError, match="the middleware raised KeyboardInterrupt"):
            interrupted.result()
        lines = api.operations.lines()
        lines.set_header("X-Interrupt", "1")
        with client.lines(lines) as stream:
            with pytest.raises(KeyboardInterrupt):
                next(stream)
            with pytest.raises(routable.CancelledError, match="KeyboardInterrupt"):
                next(stream)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # a signal in a finalizer
def test_signals_lose_no_request(api: routable.Router) -> None:
    """Ctrl-C at any point, many times: every request ends."""
    seen: List[int] = []

    def interrupt(number: int, frame: Any) -> None:
        seen.append(number)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        for number in range(40):
            with routable.Client(middleware=[plain, plain]) as client:
                transfers: List[routable.Transfer] = []
                del seen[:]
                try:
                    signal.setitimer(signal.ITIMER_REAL, 0.0005 * (number + 1))
                    for _ in range(20):
                        transfers.append(client.submit(api.operations.ping()))
                    for transfer in transfers:
                        transfer.result()
                    while not seen:  # the signal arrives within 20 ms
                        pass
                except KeyboardInterrupt:
                    pass
                for transfer in transfers:
                    try:
                        assert transfer.result(20 * SLOWNESS).status == 200
                    except routable.CancelledError:
                        pass
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_another_thread_cancels_while_others_are_in_progress(api: routable.Router) -> None:
    with routable.Client(middleware=[plain]) as client:
        left, waited = client.submit(api.operations.endless()), client.submit(api.operations.endless())
        threading.Timer(0.05, waited.cancel).start()
        with pytest.raises(routable.CancelledError):
            waited.result(20 * SLOWNESS)
        assert not left.done
        threading.Timer(0.05, client.close).start()
        with pytest.raises(routable.CancelledError, match="the client was closed"):
            left.result(20 * SLOWNESS)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # of the stubborn generator
def test_generators_that_never_end_are_closed(api: routable.Router) -> None:
    def retries(request: routable.Request) -> Any:
        while True:
            try:
                return (yield request)
            except Exception:
                pass

    def stubborn(request: routable.Request) -> Any:
        while True:
            try:
                yield request
            except BaseException:
                pass

    client = routable.Client(middleware=[retries])
    first, second = client.submit(api.operations.endless()), client.submit(api.operations.endless())
    assert first.cancel() and first.done
    client.close()
    with pytest.raises(routable.CancelledError, match="the client was closed"):
        second.result()
    client = routable.Client(middleware=[stubborn])
    transfers = [client.submit(api.operations.endless()) for _ in range(3)]
    with pytest.raises(RuntimeError, match="ignored GeneratorExit"):
        transfers[0].cancel()
    with pytest.raises(RuntimeError, match="ignored GeneratorExit"):
        client.close()
    assert all(each.done for each in transfers)


def test_middleware_cannot_wait_for_its_own_client(api: routable.Router) -> None:
    wait: "List[Callable[[routable.Client], Any]]" = [
        lambda client: client.submit(marked()).result(),
        lambda client: list(client.perform_all([marked()])),
    ]

    def marked() -> routable.Request:
        request: routable.Request = api.operations.ping()
        request.set_header("X-Inner", "1")
        return request

    def waits(request: routable.Request, client: routable.Client) -> Any:
        response = yield request
        if "X-Inner" not in request.headers:
            assert client.perform(marked()).status == 200
            wait[0](client)
        return response

    while wait:
        with routable.Client(middleware=[waits]) as client:
            assert client.perform(api.operations.ping()).status == 200
            with pytest.raises(RuntimeError, match="cannot wait for other requests of the same client"):
                client.submit(api.operations.ping()).result()
        del wait[0]


def test_a_refused_request_is_raised_at_its_yield(api: routable.Router) -> None:
    closed = api.operations.ping()
    closed.close()
    told: List[str] = []

    def replaces(request: routable.Request) -> Any:
        try:
            return (yield closed if "X-Closed" in request.headers else request)
        except ValueError as error:
            told.append(str(error))
            raise

    def requests() -> List[routable.Request]:
        made: List[routable.Request] = [api.operations.ping() for _ in range(4)]
        made[1].set_header("X-Closed", "1")
        return made

    with routable.Client(middleware=[replaces]) as client:
        assert sorted(type(each.error).__name__ for each in client.perform_all(requests())) == ["NoneType"] * 3 + ["ValueError"]

    async def run() -> None:
        async with routable.AsyncClient(middleware=[replaces]) as client:
            found = [type(each.error).__name__ async for each in client.perform_all(requests())]
            assert sorted(found) == ["NoneType"] * 3 + ["ValueError"]

    asyncio.run(run())
    assert told == ["this Request is closed"] * 2


@pytest.mark.parametrize("middleware", [[], [plain]])
def test_nothing_is_sent_after_close(api: routable.Router, loopback: Loopback, middleware: Any) -> None:
    client = routable.Client(middleware=middleware)
    with pytest.raises(ValueError, match="this Client is closed"):
        for _ in client.perform_all((api.operations.ping() for _ in range(100)), concurrency=4):
            client.close()
    assert len(loopback.seen) <= 4


def test_pages_of_a_client_with_a_base(loopback: Loopback, api: routable.Router, caplog: pytest.LogCaptureFixture) -> None:
    def own(request: routable.Request) -> Any:
        response = yield request
        return routable.Response(response.status, "raw", response.headers, response.body)

    away = routable.open(DOCUMENT, base="https://example.com")
    with caplog.at_level("INFO", "routable"), routable.Client(base=loopback.base, middleware=[own]) as client:
        assert list(client.items(away.operations.list())) == [1, 2]
    assert len(caplog.records) == 2  # a reply of the middleware has no log line
