"""A client in an asyncio loop: by one descriptor, and without a thread."""

from __future__ import annotations

import asyncio
from ctypes import byref, c_int
from types import TracebackType
from typing import Optional, Set, Type, TypeVar

from . import _capi as c
from ._check import check, new_error
from .client import Client

Self = TypeVar("Self", bound="InLoop")


class InLoop:
    """A Client that the loop drives in which it is used first."""

    __slots__ = ("_client", "_loop", "_descriptor", "_waiters")

    def __init__(self, client: Client) -> None:
        self._client = client
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._descriptor = -1
        self._waiters: "Set[asyncio.Future[None]]" = set()

    def _attached(self) -> asyncio.AbstractEventLoop:
        loop = asyncio.get_running_loop()
        if self._loop is loop:
            return loop
        if self._loop is not None:
            raise RuntimeError("this AsyncClient is used in another loop already")
        client, out, error = self._client._live(), c_int(-1), new_error()
        check(c.routable_client_descriptor(client, byref(out), byref(error)), error)
        self._descriptor = out.value
        loop.add_reader(self._descriptor, self._ready)
        self._loop = self._client._functions.loop = loop
        return loop

    def _ready(self) -> None:
        client = self._client._handle
        while client is not None and self._client._hub.take(client, 0) == c.ROUTABLE_OK:
            pass
        for waiter in list(self._waiters):
            if not waiter.done():
                waiter.set_result(None)

    def _something(self) -> "asyncio.Future[None]":
        """Done at the loop's next turn for this client."""
        future: "asyncio.Future[None]" = self._attached().create_future()
        self._waiters.add(future)
        future.add_done_callback(self._waiters.discard)
        return future

    def close(self) -> None:
        """Cancels what is under way.  A second call does nothing."""
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
