"""Responses read piece by piece: pages and their items, and streamed bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator, Mapping, Optional, Type

from ._client import Auth, ClientBase, Seconds
from .request import Request

if TYPE_CHECKING:
    from typing_extensions import TypeVar  # the checker's own: nothing has to be installed

    from .files import Event
    from .pages import Pages
    from .stream import Stream

    T = TypeVar("T", default=Any)


class Streaming(ClientBase):
    """Reads responses piece by piece.  The modules behind it are imported when they are first used."""

    __slots__ = ()

    # --- Pages (docs/pagination.md) ---

    def pages(
        self,
        request: Request,
        *,
        pagination: Optional[Mapping[str, object]] = None,
        max_pages: Optional[int] = None,
        max_items: Optional[int] = None,
        page_size: Optional[int] = None,
        other_origins: bool = False,
        deadline: Optional[Seconds] = None,
        retries: Optional[int] = None,
        auth: Auth = None,
    ) -> Pages:
        """The pages of a request, one after the other: each a Response (docs/pagination.md).

        How they follow each other is what the description says, or `pagination` as it would stand there.  `max_pages` and
        `max_items` end them; `page_size` asks for so large ones.  With `other_origins` a page that is elsewhere is read
        too, without credentials.  `deadline`, `retries` and `auth` are as in `perform`, for each page.

        ArgumentError, DocumentError, ValueRefusedError, ParameterError at once; then what `perform` raises, ResponseError
        for a page that does not say what it should or leads back, URLError for one that is elsewhere, LimitError.
        """
        from .pages import Pages

        policy = self._policy(deadline, retries, auth)
        return Pages(self, request, policy, pagination, max_pages, max_items, page_size, other_origins)

    def items(
        self,
        request: Request,
        *,
        into: Optional[Type[T]] = None,
        pagination: Optional[Mapping[str, object]] = None,
        max_pages: Optional[int] = None,
        max_items: Optional[int] = None,
        page_size: Optional[int] = None,
        other_origins: bool = False,
        deadline: Optional[Seconds] = None,
        retries: Optional[int] = None,
        auth: Auth = None,
    ) -> Iterator[T]:
        """The items of all pages, as `pages` reads them: Python values, or with `into` a model each.

        ResponseError where a page has no array of them, and for an item that does not fit the model.
        """
        from .pages import read_items

        pages = self.pages(
            request, pagination=pagination, max_pages=max_pages, max_items=max_items, page_size=page_size,
            other_origins=other_origins, deadline=deadline, retries=retries, auth=auth,
        )
        return read_items(pages, into)

    # --- Bodies as they come (docs/bodies.md) ---

    def pieces(
        self, request: Request, *, max_buffered_bytes: int = 256 << 10, deadline: Optional[Seconds] = None, auth: Auth = None
    ) -> Stream[bytes]:
        """Begins a request whose body is taken as it comes; without a `deadline` there is none, here and below.  `auth` is
        that of `perform`."""
        return self._stream("pieces", request, 1, max_buffered_bytes, deadline, auth)

    def lines(
        self,
        request: Request,
        *,
        max_line_bytes: int = 16 << 20,
        max_buffered_bytes: int = 256 << 10,
        deadline: Optional[Seconds] = None,
        auth: Auth = None,
    ) -> Stream[str]:
        """Its lines, without their ends; empty ones are left out."""
        return self._stream("lines", request, max_line_bytes, max_buffered_bytes, deadline, auth)

    def values(
        self,
        request: Request,
        *,
        max_line_bytes: int = 16 << 20,
        max_buffered_bytes: int = 256 << 10,
        deadline: Optional[Seconds] = None,
        auth: Auth = None,
    ) -> Stream[Any]:
        """The values of JSON lines.  ValueError for a line that is not JSON; the next call goes on behind it."""
        return self._stream("values", request, max_line_bytes, max_buffered_bytes, deadline, auth)

    def events(
        self,
        request: Request,
        *,
        reconnects: int = 0,
        retry: float = 3.0,
        last_event_id: str = "",
        max_event_bytes: int = 16 << 20,
        max_buffered_bytes: int = 256 << 10,
        deadline: Optional[Seconds] = None,
        auth: Auth = None,
    ) -> Stream[Event]:
        """Server-sent events.  With `reconnects` a connection that breaks off is made again, so often in a row, after
        `retry` seconds or what the service says, from the last event on.  ResponseError when it sends something else."""
        connecting = (reconnects, retry, last_event_id)
        return self._stream("events", request, max_event_bytes, max_buffered_bytes, deadline, auth, *connecting)

    def _stream(
        self,
        kind: str,
        request: Request,
        max_item_bytes: int,
        max_buffered_bytes: int,
        deadline: Optional[Seconds],
        auth: Auth,
        *connecting: Any,
    ) -> Stream[Any]:
        from .stream import Stream, options

        said = options(kind, max_item_bytes, max_buffered_bytes, *connecting)
        return Stream(self, request, self._policy(deadline, None, auth), kind, said)
