"""AsyncStream: a streamed response in an event loop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Generic, Optional, Type, TypeVar

from . import _capi as base
from .response import Response
from .stream import Opened

if TYPE_CHECKING:
    from types import TracebackType

    from ._loop import InLoop
    from .stream import Stream

T = TypeVar("T")
U = TypeVar("U")


class AsyncStream(Opened, Generic[T]):
    """The items of a response as they arrive; AsyncClient.pieces, lines, values and events return it.

        async with client.events(request) as stream:
            async for event in stream:
                ...

    While the program does not read items, the client stops reading from the connection.  Only one task at a time may iterate;
    cancelling it does not close the stream.
    """

    __slots__ = ("_owner",)

    def __init__(self, owner: "InLoop", stream: "Stream[T]") -> None:
        self._share(stream)
        self._owner = owner

    async def response(self) -> Response:
        """The status and headers of the response, as soon as they arrive."""
        return await self._until(lambda: self._head(0))

    async def _until(self, look: Callable[[], Optional[U]]) -> U:
        while True:
            found = look()
            if found is not None:
                return found
            await self._owner._something()

    def __aiter__(self) -> "AsyncStream[T]":
        return self

    async def __anext__(self) -> T:
        def look() -> "Optional[tuple[int, Any]]":
            status, item = self._take(0)
            return None if status == base.ROUTABLE_PENDING else (status, item)

        status, item = await self._until(look)
        if status == base.ROUTABLE_IDLE:
            raise StopAsyncIteration
        return item  # type: ignore[no-any-return]

    async def __aenter__(self) -> "AsyncStream[T]":
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: "Optional[TracebackType]"
    ) -> None:
        self.close()

