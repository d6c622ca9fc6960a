"""A client in an event loop: it uses one descriptor, and a thread only while its turns take long (_outside.py)."""

from __future__ import annotations

import time
from ctypes import byref, c_int32
from types import TracebackType
from typing import TYPE_CHECKING, Optional, Set, Type, TypeVar

from . import _capi as c
from ._check import check, new_error
from ._loops import cancelled, running, shielded
from ._outside import LONG, Outside
from .client import Client

if TYPE_CHECKING:
    import asyncio

Self = TypeVar("Self", bound="InLoop")


class InLoop:
    """A Client that is driven by the event loop in which it is first used."""

    __slots__ = ("_client", "_loop", "_descriptor", "_waiters", "_outside", "_has_streams", "_cancelled")

    def __init__(self, client: Client) -> None:
        self._client = client
        self._loop: "Optional[asyncio.AbstractEventLoop]" = None
        #: The exception that is raised in a cancelled task.
        self._cancelled: Type[BaseException] = GeneratorExit
        self._descriptor = -1
        self._waiters: "Set[asyncio.Future[None]]" = set()
        self._outside: Optional[Outside] = None
        self._has_streams = False

    def _attached(self) -> "asyncio.AbstractEventLoop":
        loop: "asyncio.AbstractEventLoop" = running()
        if self._loop is not None and self._loop == loop:
            return self._loop
        if self._loop is not None:
            raise RuntimeError("this AsyncClient is already used in another loop")
        client, out, error = self._client._live(), c_int32(-1), new_error()
        check(c.routable_client_descriptor(client, byref(out), byref(error)), error)
        self._descriptor = out.value
        loop.add_reader(self._descriptor, self._ready)
        self._loop = self._client._functions.loop = loop
        self._cancelled = cancelled(loop)
        return loop

    def _ready(self) -> None:
        client, begun = self._client._handle, time.monotonic()
        while client is not None and self._client._hub.take(client, 0) == c.ROUTABLE_OK:
            pass
        if time.monotonic() - begun > LONG and client is not None and self._may_leave():
            assert self._loop is not None
            self._loop.remove_reader(self._descriptor)
            self._outside = Outside(self._loop, self._client._hub, client, self._back)
        for waiter in list(self._waiters):
            if not waiter.done():
                waiter.set_result(None)

    def _may_leave(self) -> bool:
        """Whether a thread may drive: no function of the program would be called there."""
        idle = not self._client._hub._waiting
        return not (idle or self._outside or self._has_streams or self._client._calls_back or self._client._hub.calls_back)

    def _back(self, outside: Outside) -> None:
        self._outside = self._client._hub.post = None
        if self._loop is not None and self._descriptor >= 0:
            self._loop.add_reader(self._descriptor, self._ready)
            self._ready()
        if not outside.returned.done():
            outside.returned.set_result(None)

    async def _inside(self) -> None:
        """After this the loop drives: for a request whose functions belong to it."""
        while self._outside is not None:
            self._outside.end(self._client._live())
            await shielded(self._outside.returned)

    def _something(self) -> "asyncio.Future[None]":
        """Done at the loop's next turn for this client."""
        future: "asyncio.Future[None]" = self._attached().create_future()
        self._waiters.add(future)
        future.add_done_callback(self._waiters.discard)
        return future

    def close(self) -> None:
        """Cancels the requests in progress.  A second call does nothing."""
        client = self._client._handle
        if self._outside is not None and client is not None:
            self._outside.end(client)
        if self._loop is not None and self._descriptor >= 0:
            if not self._loop.is_closed():
                self._loop.remove_reader(self._descriptor)
            self._descriptor = -1
        self._client.close()
        for waiter in list(self._waiters):
            if not waiter.done():
                waiter.set_result(None)

    @property
    def closed(self) -> bool:
        """Whether close() was called."""
        return self._client.closed

    async def __aenter__(self: Self) -> Self:
        self._attached()
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()
