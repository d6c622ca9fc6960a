"""Services: iterators of a response are closed when it ends: by its end, by an error, or by a disconnect of the client."""

from __future__ import annotations

import asyncio
import threading
from typing import Any, AsyncIterator, Callable, Dict, Iterator, List, Optional

import pytest
import routable
from slowness import SLOWNESS
from test_service_handlers import made

SCOPE = {"type": "http", "method": "GET", "path": "/any", "query_string": b"", "headers": []}
#: Items after which the client disconnects.
COUNT = 3


class Client:
    """A client of ASGI that disconnects after the given number of pieces, or remains connected."""

    def __init__(self, pieces: Optional[int] = None, *, fails: bool = False) -> None:
        self.sent: List[Any] = []
        self._is_asked = False
        self._pieces = pieces
        self._fails = fails
        self._disconnected = asyncio.Event()

    async def receive(self) -> Any:
        if not self._is_asked:
            self._is_asked = True
            return {"type": "http.request"}
        await self._disconnected.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        self.sent.append(message)
        if len(self.bodies) == self._pieces:
            if self._fails:
                raise OSError("the client has disconnected")
            self._disconnected.set()

    @property
    def bodies(self) -> List[bytes]:
        return [each["body"] for each in self.sent if each["type"] == "http.response.body" and each["body"]]

    @property
    def is_complete(self) -> bool:
        return bool(self.sent) and self.sent[-1]["type"] == "http.response.body" and not self.sent[-1].get("more_body", False)


def run(reply: Callable[[], Any], act: Callable[[routable.Service], Any]) -> Any:
    """Runs the coroutine, and verifies that it leaves no task behind."""
    service = made()
    service.handle("any")(lambda received: reply())

    async def main() -> Any:
        found = await asyncio.wait_for(act(service), 20 * SLOWNESS)
        await asyncio.sleep(0)
        assert [each for each in asyncio.all_tasks() if each is not asyncio.current_task()] == []
        return found

    return asyncio.run(main())


class Numbers:
    """Iterators over the numbers from 0 on, as ints or as strings, which record whether they were closed."""

    def __init__(self, end: Optional[int] = None, item: Callable[[int], Any] = int) -> None:
        self.end = end
        self.item = item
        self.closed: List[str] = []

    def __iter__(self) -> Iterator[Any]:
        number = 0
        try:
            while number != self.end:
                yield self.item(number)
                number += 1
        except GeneratorExit:
            self.closed.append("exit")
            raise
        finally:
            self.closed.append("finally")

    async def each(self, wait: Callable[[int], Any]) -> AsyncIterator[Any]:
        number = 0
        try:
            while number != self.end:
                await wait(number)
                yield self.item(number)
                number += 1
        finally:
            self.closed.append("finally")


async def at_once(number: int) -> None:
    """Returns without yielding to the event loop."""


async def turn(number: int) -> None:
    await asyncio.sleep(0)


async def forever_at_the_end(number: int) -> None:
    if number == COUNT:
        await asyncio.Future()


@pytest.mark.parametrize("fails", [False, True], ids=["receive", "send"])
@pytest.mark.parametrize("kind", ["lines", "events"])
@pytest.mark.parametrize("items", [
    lambda numbers: iter(numbers),
    lambda numbers: numbers.each(at_once),
    lambda numbers: numbers.each(turn),
    lambda numbers: numbers.each(forever_at_the_end),
], ids=["generator", "asynchronous", "waiting", "endless"])
def test_a_client_that_disconnects_ends_the_iterator(items: Any, kind: str, fails: bool) -> None:
    numbers = Numbers(item=int if kind == "lines" else str)

    async def act(service: routable.Service) -> Client:
        client = Client(COUNT, fails=fails)
        if fails:
            with pytest.raises(OSError, match="the client has disconnected"):
                await service.asgi(SCOPE, client.receive, client.send)
        else:
            await service.asgi(SCOPE, client.receive, client.send)
        return client

    client = run(lambda: routable.Reply(**{kind: items(numbers)}), act)
    expected = [b"0\n", b"1\n", b"2\n"] if kind == "lines" else [b"data: 0\n\n", b"data: 1\n\n", b"data: 2\n\n"]
    assert client.bodies[:COUNT] == expected
    assert not client.is_complete
    assert numbers.closed[-1:] == ["finally"] and numbers.closed.count("finally") == 1


def test_a_client_that_remains_connected_receives_all_items() -> None:
    for items in (lambda numbers: iter(numbers), lambda numbers: numbers.each(turn)):
        numbers = Numbers(end=5)

        async def act(service: routable.Service) -> Client:
            client = Client()
            await service.asgi(SCOPE, client.receive, client.send)
            return client

        client = run(lambda: routable.Reply(lines=items(numbers)), act)
        assert (b"".join(client.bodies), client.is_complete) == (b"0\n1\n2\n3\n4\n", True)
        assert numbers.closed == ["finally"]


def test_a_running_generator_is_closed_after_its_next_item() -> None:
    """A thread cannot be interrupted, and a generator that is running cannot be closed: close() waits for it."""
    is_busy, may_continue = threading.Event(), threading.Event()
    seen: List[str] = []

    def items() -> Iterator[int]:
        try:
            yield 0
            is_busy.set()
            assert may_continue.wait(20 * SLOWNESS)
            seen.append("continued")
            yield 1
        finally:
            seen.append("closed")

    async def act(service: routable.Service) -> Client:
        client = Client()
        answering = asyncio.ensure_future(service.asgi(SCOPE, client.receive, client.send))
        await asyncio.get_running_loop().run_in_executor(None, is_busy.wait, 20 * SLOWNESS)
        client._disconnected.set()
        await asyncio.sleep(0)
        may_continue.set()
        await answering
        return client

    client = run(lambda: routable.Reply(lines=items()), act)
    assert client.bodies == [b"0\n"] and seen == ["continued", "closed"]


def test_a_request_that_the_server_cancels() -> None:
    numbers = Numbers()

    async def act(service: routable.Service) -> Client:
        client = Client()
        answering = asyncio.ensure_future(service.asgi(SCOPE, client.receive, client.send))
        while not client.bodies:
            await asyncio.sleep(0)
        answering.cancel()
        with pytest.raises(asyncio.CancelledError):
            await answering
        return client

    client = run(lambda: routable.Reply(lines=numbers.each(forever_at_the_end)), act)
    assert client.bodies and not client.is_complete
    assert numbers.closed == ["finally"]


@pytest.mark.parametrize("is_async", [False, True])
def test_an_item_that_cannot_be_json_closes_the_iterator(is_async: bool, caplog: Any) -> None:
    closed: List[bool] = []

    def items() -> Iterator[Any]:
        try:
            yield object()
        finally:
            closed.append(True)

    async def later() -> AsyncIterator[Any]:
        try:
            yield object()
        finally:
            closed.append(True)

    async def act(service: routable.Service) -> None:
        client = Client()
        with pytest.raises(TypeError, match="is not a JSON value"):
            await service.asgi(SCOPE, client.receive, client.send)
        assert not client.is_complete

    run(lambda: routable.Reply(lines=later() if is_async else items()), act)
    assert closed == [True] and "any: object is not a JSON value" in caplog.text


def test_an_iterator_that_fails_to_close_is_logged(caplog: Any) -> None:
    class Items:
        def __iter__(self) -> "Items":
            return self

        def __next__(self) -> int:
            return 7

        def close(self) -> None:
            raise RuntimeError("it cannot be closed")

    async def act(service: routable.Service) -> Client:
        client = Client(COUNT)
        await service.asgi(SCOPE, client.receive, client.send)
        return client

    assert run(lambda: routable.Reply(lines=Items()), act).bodies[:COUNT] == [b"7\n"] * COUNT
    assert "any: it cannot be closed" in caplog.text


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("end", [None, 2])
def test_wsgi(is_async: bool, end: Optional[int]) -> None:
    """A server of WSGI calls close() when the client has disconnected (PEP 3333)."""
    numbers = Numbers(end)
    service = made()
    service.handle("any")(lambda received: routable.Reply(lines=numbers.each(turn) if is_async else iter(numbers)))
    environ: Dict[str, Any] = {"REQUEST_METHOD": "GET", "PATH_INFO": "/any", "wsgi.input": None}
    pieces: Any = service.wsgi(environ, lambda status, headers: None)
    assert [next(pieces), next(pieces)] == [b"0\n", b"1\n"]
    if end is not None:
        assert list(pieces) == []
    pieces.close()
    assert numbers.closed == (["exit", "finally"] if end is None and not is_async else ["finally"])
