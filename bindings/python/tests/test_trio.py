"""AsyncClient in trio: the same behavior as in asyncio, with cancel scopes and nurseries."""

from __future__ import annotations

from typing import Any, Awaitable, Callable, List
from unittest import mock

import pytest
import routable
from loopback import Loopback, never, raw
from loopback import json as json_answer
from routable.testing import Responses
from slowness import SLOWNESS

trio = pytest.importorskip("trio")

DOCUMENT: Any = {
    "routable": 1, "base": "https://api.test", "auth": {"session": {"scheme": "bearer"}},
    "operations": {"small": {"get": "/small"}, "send": {"post": "/send", "body_as": "bytes"}, "secret": {"get": "/secret", "auth": "session"},
                   "numbers": {"get": "/numbers", "pagination": {"by": "link"}}, "lines": {"get": "/lines"}},
}


def run(main: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        with trio.fail_after(60 * SLOWNESS):
            await main()

    trio.run(bounded)


@pytest.fixture
def api(loopback: Loopback) -> routable.Router:
    for path in ("/small", "/secret", "/send"):
        loopback.answers[path] = json_answer('{"a":1}')
    return routable.open(DOCUMENT, base=loopback.base)


def test_requests_run_in_nurseries(api: routable.Router) -> None:
    async def main() -> None:
        found: List[int] = []

        async def one(client: routable.AsyncClient) -> None:
            found.append((await client.perform(api.operations.small())).status)

        async with routable.AsyncClient() as client:
            async with trio.open_nursery() as nursery:
                for _ in range(10):
                    nursery.start_soon(one, client)
            assert found == [200] * 10
            ended = [each.result().status async for each in client.perform_all(api.operations.small() for _ in range(30))]
            assert ended == [200] * 30
            with pytest.raises(routable.HTTPStatusError, match="404"):
                await client.perform(api.operations.lines())
        assert client.closed

    run(main)


def test_cancelling_a_scope_cancels_its_requests(api: routable.Router, loopback: Loopback) -> None:
    loopback.answers["/small"] = never()

    async def main() -> None:
        async with routable.AsyncClient() as client:
            with trio.CancelScope() as scope:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(client.perform, api.operations.small())
                    while not loopback.seen:
                        await trio.lowlevel.checkpoint()
                    scope.cancel()
            assert scope.cancelled_caught and not client._client._hub._waiting
            with pytest.raises(routable.TimeoutError):
                await client.perform(api.operations.small(), deadline=0.05)

    run(main)


def test_bodies_functions_pages_and_streams(api: routable.Router, loopback: Loopback) -> None:
    loopback.answers["/numbers"] = raw(b'HTTP/1.1 200 OK\r\nLink: </more>; rel="next"\r\nContent-Length: 5\r\n\r\n[1,2]', stays=True)
    loopback.answers["/more"] = raw(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n[3]", stays=True)
    loopback.answers["/lines"] = raw(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\na\nb\n", stays=True)

    async def token(old: Any) -> str:
        await trio.lowlevel.checkpoint()
        return "fresh"

    async def pieces() -> Any:
        for piece in (b"ab", b"cd"):
            await trio.lowlevel.checkpoint()
            yield piece

    async def main() -> None:
        async with routable.AsyncClient(credentials={"session": token}) as client:
            await client.perform(api.operations.secret())
            assert loopback.seen[-1].headers["authorization"] == "Bearer fresh"
            request = api.operations.send(b"")
            request.set_body_from(pieces(), length=4)
            await client.perform(request)
            assert loopback.seen[-1].body == b"abcd"
            assert [item async for item in client.items(api.operations.numbers())] == [1, 2, 3]
            async with client.lines(api.operations.lines()) as lines:
                assert [line async for line in lines] == ["a", "b"]

    run(main)


def test_a_transport_and_middleware() -> None:
    api = routable.open(DOCUMENT)
    seen: List[str] = []

    async def transport(request: routable.TransportRequest) -> routable.TransportResponse:
        await trio.lowlevel.checkpoint()
        return routable.TransportResponse(json=request.operation)

    async def middleware(request: routable.Request, call: routable.Call) -> Any:
        seen.append(request.operation)
        return await call(request)

    async def main() -> None:
        async with routable.AsyncClient(transport=transport, middleware=[middleware]) as client:
            assert (await client.perform(api.operations.small())).json() == "small"
        with Responses() as responses:
            responses.add("lines", fault="reset")
            async with routable.AsyncClient(transport=responses) as client:
                with pytest.raises(routable.TransferError):
                    await client.perform(api.operations.lines())

    run(main)
    assert seen == ["small"]


def test_a_thread_drives_large_responses(api: routable.Router) -> None:
    async def main() -> None:
        async with routable.AsyncClient() as client:
            with mock.patch("routable._loop.LONG", -1.0):
                for _ in range(3):
                    assert (await client.perform(api.operations.small())).status == 200
        assert client.closed

    run(main)


def test_a_client_belongs_to_one_run(api: routable.Router) -> None:
    client = routable.AsyncClient()

    async def main() -> None:
        await client.perform(api.operations.small())

    run(main)
    with pytest.raises(RuntimeError, match="another loop"):
        run(main)
    client.close()
