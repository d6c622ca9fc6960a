"""An AsyncClient that receives large bodies in a thread: the event loop continues, and functions of the loop run in it."""

from __future__ import annotations

import asyncio
import threading
from typing import Any
from unittest import mock

import pytest
import routable
from loopback import Loopback, never, raw
from routable import _outside
from slowness import SLOWNESS


def test_a_large_body_does_not_hold_the_loop(loopback: Loopback) -> None:
    """A thread drives the transfers meanwhile; functions of the loop are called in the loop, and small requests continue."""
    body = b"[" + b",".join(b'{"name":"%032d"}' % number for number in range(300_000)) + b"]"
    loopback.answers["/large"] = raw(
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body, stays=True)
    loopback.answers["/small"] = raw(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", stays=True)
    api = routable.open({
        "routable": 1, "base": loopback.base, "types": {"N": {"type": "object", "required": ["name"]}},
        "operations": {"large": {"get": "/large", "results": {"200": {"type": "array", "items": {"$ref": "#/types/N"}}}},
                       "small": {"get": "/small"}, "send": {"post": "/small", "body_as": "bytes"}}})
    made = []

    class Watched(_outside.Outside):
        def __init__(self, *given: Any) -> None:
            made.append(threading.current_thread())
            super().__init__(*given)

    async def run() -> None:
        async with routable.AsyncClient(deadline=60 * SLOWNESS) as client:
            threads = set()
            large = [asyncio.ensure_future(client.perform(api.operations.large())) for _ in range(2)]
            while not made and not all(each.done() for each in large):
                await asyncio.sleep(0)
            assert (await client.perform(api.operations.small())).body == b"{}"

            async def pieces() -> Any:
                threads.add(threading.current_thread())
                yield b"a"

            request = api.operations.send(b"")
            request.set_body_from(pieces())
            assert (await client.perform(request)).body == b"{}"
            for each in await asyncio.gather(*large):
                assert each.body == body
            assert threads <= {threading.main_thread()}
        assert client.closed

    with mock.patch("routable._loop.Outside", Watched), mock.patch("routable._loop.LONG", 0.0):
        asyncio.run(run())
    assert made and set(made) == {threading.main_thread()}


def test_the_function_of_a_credential_runs_in_the_loop(loopback: Loopback) -> None:
    """A thread drives the transfers when the request is sent; the function of its credential runs in the loop."""
    body = b"[" + b",".join(b'{"name":"%032d"}' % number for number in range(300_000)) + b"]"
    loopback.answers["/large"] = raw(
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body, stays=True)
    loopback.answers["/small"] = raw(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", stays=True)
    api = routable.open({
        "routable": 1, "base": loopback.base, "auth": {"session": {"scheme": "bearer"}},
        "operations": {"large": {"get": "/large", "results": {"200": {"type": "array"}}}, "small": {"get": "/small"}}})
    made, threads = [], []

    class Watched(_outside.Outside):
        def __init__(self, *given: Any) -> None:
            made.append(None)
            super().__init__(*given)

    def token(*_: Any) -> str:
        threads.append(threading.current_thread())
        return "secret"

    async def run() -> None:
        async with routable.AsyncClient(deadline=60 * SLOWNESS) as client:
            large = [asyncio.ensure_future(client.perform(api.operations.large())) for _ in range(4)]
            while not made and not all(each.done() for each in large):
                await asyncio.sleep(0)
            response = await client.perform(api.operations.small(), auth={"session": token})
            assert response.body == b"{}"
            await asyncio.gather(*large)

    with mock.patch("routable._loop.Outside", Watched), mock.patch("routable._loop.LONG", 0.0):
        asyncio.run(run())
    assert made and threads == [threading.main_thread()]


def test_closing_and_cancelling_while_a_thread_drives(loopback: Loopback) -> None:
    loopback.answers["/small"] = never()
    api = routable.open({"routable": 1, "base": loopback.base, "operations": {"small": {"get": "/small"}}})

    async def run() -> None:
        client = routable.AsyncClient()
        with mock.patch("routable._loop.LONG", -1.0):
            tasks = [asyncio.ensure_future(client.perform(api.operations.small())) for _ in range(3)]
            while client._outside is None:
                await asyncio.sleep(0)
            tasks[0].cancel()
            with pytest.raises(asyncio.CancelledError):
                await tasks[0]
            outside = client._outside
            client.close()
            for task in tasks[1:]:
                with pytest.raises(routable.CancelledError):
                    await task
            await outside.returned

    asyncio.run(run())
