"""AsyncClient: performs requests in an asyncio loop, by one descriptor and without a thread."""

from __future__ import annotations

import asyncio
from ctypes import byref, c_int
from types import TracebackType
from typing import Any, AsyncIterator, Dict, Iterable, List, Optional, Type, TypeVar, Union, overload

from . import _capi as c
from ._check import check, new_error
from .client import Client, make_policy
from .request import Request
from .response import Response
from .transfer import Ended

T = TypeVar("T")


class AsyncClient:
    """A Client whose `perform` is awaited.

        async with routable.AsyncClient(deadline=5, retries=2) as client:
            response = await client.perform(api.user("x").read())
            async for ended in client.perform_all(requests, at_once=20):
                ...

    It belongs to the loop in which it is used first.  A task that is cancelled cancels its request.
    """

    __slots__ = ("_client", "_loop", "_descriptor")

    def __init__(self, **options: Any) -> None:
        """Takes what Client takes."""
        self._client = Client(**options)
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._descriptor = -1

    # --- One ---

    @overload
    async def perform(
        self, request: Request, *, deadline: Optional[float] = None, retries: Optional[int] = None
    ) -> Response: ...

    @overload
    async def perform(
        self, request: Request, *, into: Type[T], deadline: Optional[float] = None, retries: Optional[int] = None
    ) -> Union[T, Dict[str, T], List[T], None]: ...

    async def perform(
        self,
        request: Request,
        *,
        into: Optional[Type[T]] = None,
        deadline: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> Union[Response, T, Dict[str, T], List[T], None]:
        """As Client.perform."""
        if not isinstance(request, Request):
            raise TypeError(f"perform takes a Request, not {type(request).__name__}")
        policy = None if deadline is None and retries is None else byref(make_policy(deadline, retries))
        future: "asyncio.Future[Response]" = self._attached().create_future()

        def sink(ended: Ended) -> None:
            if future.done():
                return
            if ended.error is None:
                future.set_result(ended.response)  # type: ignore[arg-type]
            else:
                future.set_exception(ended.error)

        self._client._hub.submit(self._client._live(), request, policy, sink)
        try:
            response = await future
        except asyncio.CancelledError:
            self._client._hub.cancel(sink)
            raise
        return response if into is None else response.into(into)

    # --- Many ---

    async def perform_all(
        self,
        requests: Iterable[Request],
        *,
        at_once: int = 64,
        deadline: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> AsyncIterator[Ended]:
        """As Client.perform_all."""
        loop = self._attached()
        policy = None if deadline is None and retries is None else byref(make_policy(deadline, retries))
        hub = self._client._hub
        ended: List[Ended] = []
        waiter: Optional["asyncio.Future[None]"] = None

        def sink(each: Ended) -> None:
            ended.append(each)
            if waiter is not None and not waiter.done():
                waiter.set_result(None)

        source, left, under_way = iter(requests), True, 0
        try:
            while True:
                while left and under_way < at_once:
                    request = next(source, None)
                    if request is None:
                        left = False
                        break
                    hub.submit(self._client._live(), request, policy, sink)
                    under_way += 1
                if not ended:
                    if under_way == 0:
                        return
                    waiter = loop.create_future()
                    await waiter
                    waiter = None
                batch, ended[:] = list(ended), []
                for each in batch:
                    under_way -= 1
                    yield each
        finally:
            if under_way:
                hub.cancel(sink)

    # --- The loop ---

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
        self._loop = loop
        return loop

    def _ready(self) -> None:
        client = self._client._handle
        while client is not None and self._client._hub.take(client, 0) == c.ROUTABLE_OK:
            pass

    def close(self) -> None:
        """Cancels what is under way.  A second call does nothing."""
        if self._loop is not None and self._descriptor >= 0:
            if not self._loop.is_closed():
                self._loop.remove_reader(self._descriptor)
            self._descriptor = -1
        self._client.close()

    @property
    def closed(self) -> bool:
        """Whether close() was called."""
        return self._client.closed

    async def __aenter__(self) -> "AsyncClient":
        self._attached()
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<routable.AsyncClient{' closed' if self.closed else ''}>"
