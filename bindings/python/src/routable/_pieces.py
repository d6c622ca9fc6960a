"""Sends the bodies that are not in memory: the pieces of a file, or of the items of an iterator that a handler has returned.

The iterator is closed however the response ends: after its last item, by an error, or because the client has disconnected.
"""

from __future__ import annotations

import asyncio
from typing import Any, AsyncIterator, Awaitable, Callable, Iterator, Optional

from ._answer import Answer

_END = object()


class Pieces:
    """The pieces of the body of an answer.

    items   the iterator, which may be asynchronous; None for a file
    log     is called with each exception of the iterator
    """

    def __init__(self, answer: Answer, items: Any, log: Callable[[Exception], None]) -> None:
        self._answer = answer
        self._items = items
        self._log = log

    def __iter__(self) -> Iterator[bytes]:
        """The pieces for a WSGI server, which closes this generator if the client disconnects."""
        loop = asyncio.new_event_loop() if isinstance(self._items, AsyncIterator) else None
        try:
            while True:
                if self._needs_item:
                    self._give(next(self._items, _END) if loop is None else loop.run_until_complete(_next_of(self._items)))
                piece = self._answer.next()
                if piece is None:
                    return
                yield piece
        except Exception as error:
            self._log(error)
            raise
        finally:
            if loop is None:
                self._close()
            else:
                loop.run_until_complete(self._close_async())
                loop.close()

    async def send(self, receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]) -> bool:
        """Sends the pieces to an ASGI server.  False if the client has disconnected before the end."""
        sending = asyncio.ensure_future(self._send_all(send))
        waiting = asyncio.ensure_future(_disconnected(receive))
        try:
            await asyncio.wait({sending, waiting}, return_when=asyncio.FIRST_COMPLETED)
            is_complete = sending.done()
        finally:  # also if the server cancels the request
            sending.cancel()
            waiting.cancel()
            await asyncio.wait({sending, waiting})
        if is_complete:
            sending.result()  # raises an exception of the iterator
        else:
            waiting.result()
        return is_complete

    async def _send_all(self, send: Callable[[Any], Awaitable[None]]) -> None:
        try:
            while True:
                piece = await self._next_async()
                if piece is None:
                    return
                await send({"type": "http.response.body", "body": piece, "more_body": True})
        finally:
            await self._close_async()

    async def _next_async(self) -> Optional[bytes]:
        try:
            if not self._needs_item:
                piece: Optional[bytes] = await _in_thread(self._answer.next)
                return piece
            if isinstance(self._items, AsyncIterator):
                await asyncio.sleep(0)  # so that a client that disconnects is noticed, also if the iterator never waits
                self._give(await _next_of(self._items))
            else:
                self._give(await _in_thread(next, self._items, _END))
            return self._answer.next()
        except Exception as error:
            self._log(error)
            raise

    @property
    def _needs_item(self) -> bool:
        return self._answer.slot is not None and self._answer.slot.item is None

    def _give(self, item: Any) -> None:
        slot = self._answer.slot
        assert slot is not None
        if item is _END:
            slot.is_ended = True
        else:
            slot.put(item)

    def _close(self) -> None:
        try:
            if hasattr(self._items, "close"):
                self._items.close()
        except Exception as error:
            self._log(error)

    async def _close_async(self) -> None:
        if not isinstance(self._items, AsyncIterator):
            await _in_thread(self._close)
            return
        try:
            if hasattr(self._items, "aclose"):
                await self._items.aclose()
        except Exception as error:
            self._log(error)


async def _in_thread(function: Callable[..., Any], *values: Any) -> Any:
    """The result of the function.  A thread cannot be interrupted: a cancelled task ends after the function."""
    future = asyncio.get_running_loop().run_in_executor(None, function, *values)
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        await asyncio.wait({future})
        future.exception()  # otherwise asyncio logs that it was not retrieved
        raise


async def _next_of(items: "AsyncIterator[Any]") -> Any:
    try:
        return await items.__anext__()
    except StopAsyncIteration:
        return _END


async def _disconnected(receive: Callable[[], Awaitable[Any]]) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
