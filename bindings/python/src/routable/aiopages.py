"""AsyncPages: the pages of a request in an event loop."""

from __future__ import annotations

from ctypes import POINTER, byref, c_void_p, cast
from typing import TYPE_CHECKING, Any, AsyncIterator, Iterator, Optional, Type, TypeVar

from . import _capi as base
from ._check import check, new_error
from .completion import Completion
from .errors import HTTPStatusError
from .middleware import Call
from .pages import PageState, Received
from .request import Request
from .response import Response

if TYPE_CHECKING:
    import asyncio

    from ._loop import InLoop
    from .pages import Pages

T = TypeVar("T")


class AsyncPages(PageState):
    """The pages of a request, each a Response; AsyncClient.pages returns it.

        async for page in client.pages(request):
            ...

    If a page fails, the iteration raises the exception of AsyncClient.perform; the next step requests the same page again.
    Only one task at a time may iterate; cancelling it cancels its request.
    """

    __slots__ = ("_owner",)

    def __init__(self, owner: "InLoop", pages: "Pages") -> None:
        self._share(pages)
        self._owner = owner

    def __aiter__(self) -> "AsyncPages":
        return self

    async def __anext__(self) -> Response:
        following = self._follow(None)
        if following is None:
            raise StopAsyncIteration
        client = self._client

        async def fetch(request: Request) -> Response:
            return await self._fetch(request, received)

        with Received() as received:
            try:
                if client._middleware:
                    response: Response = await Call(client, True, client._middleware, fetch)(following)
                else:
                    response = await fetch(following)
            except HTTPStatusError as failure:
                if self._ends_with(failure):
                    raise StopAsyncIteration from None
                raise
            self._tell(received.find(client, following, response))
            return response

    async def _fetch(self, request: Request, received: Received) -> Response:
        future: "asyncio.Future[None]" = self._owner._attached().create_future()

        def sink(ended: Completion) -> None:
            if future.done():
                return
            if ended.error is None:
                future.set_result(None)
            else:
                future.set_exception(self.request._raised(ended.error))

        hub = self._client._hub
        key, address = hub.submit(self._client._live(), request, self._policy, sink, keeps=False)
        transfer = cast(c_void_p(address), POINTER(base.routable_transfer))
        try:
            await future
            out, error = POINTER(base.routable_response)(), new_error()
            check(base.routable_transfer_result(transfer, byref(out), byref(error)), error)
            return received.add(out, self.request, self._client)
        except self._owner._cancelled:
            if hub.withdraw(key) is not None:
                base.routable_transfer_cancel(transfer)
            raise
        finally:
            base.routable_transfer_free(transfer)


class AsyncItems(AsyncIterator[T]):
    """The items of all pages of a request in an event loop; AsyncClient.items returns it.  Its members are those of Items."""

    __slots__ = ("pages", "page", "_into", "_rest")

    def __init__(self, pages: AsyncPages, into: Optional[Type[T]]) -> None:
        self.pages = pages
        self.page: Optional[Response] = None
        self._into = into
        self._rest: Iterator[Any] = iter(())

    async def __anext__(self) -> T:
        while True:
            for item in self._rest:
                return item  # type: ignore[no-any-return]
            self.page = await self.pages.__anext__()
            self._rest = self.pages._filled(self._into)
