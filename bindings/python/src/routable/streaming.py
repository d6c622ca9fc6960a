"""The methods of a client that read responses in parts: pages, items and streams."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator, Mapping, Optional, Type

from ._client import Auth, ClientBase, Seconds
from .credential import own
from .request import Request

if TYPE_CHECKING:
    from typing_extensions import TypeVar  # the checker's own: nothing has to be installed

    from .files import Event
    from .pages import Items, Pages
    from .stream import Stream

    T = TypeVar("T", default=Any)


class Streaming(ClientBase):
    """Reads responses in parts.  The modules that implement it are imported on first use."""

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
        backwards: bool = False,
        position: Optional[str] = None,
        deadline: Optional[Seconds] = None,
        retries: Optional[int] = None,
        auth: Auth = None,
        stall_timeout: Optional[Seconds] = None,
        max_redirects: Optional[int] = None,
    ) -> Pages:
        """Performs a request page by page, and iterates over the pages, each a Response (docs/pagination.md).

        `pagination` replaces the pagination of the description.  `max_pages` and `max_items` limit the pages and items that are
        read; `page_size` is the requested page size.  `position` continues where `Pages.position` was; `backwards` reads the page
        before each page, until the first one.  With `other_origins` links to another origin are followed, without
        credentials.  `deadline`, `retries`, `auth`, `stall_timeout` and `max_redirects` apply to each page, as in `perform`.

        Raises ArgumentError, DocumentError, ValueRefusedError, ParameterError at once.  While iterating it raises the
        exceptions of `perform`; ResponseError for a page without the expected data, or a cycle; URLError for a link to
        another origin; LimitError.
        """
        from .pages import Pages

        policy = own(self._policy(deadline, retries, auth, stall_timeout, max_redirects), request)
        return Pages(
            self, request, policy, pagination, max_pages, max_items, page_size, other_origins, backwards, position)

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
        backwards: bool = False,
        position: Optional[str] = None,
        deadline: Optional[Seconds] = None,
        retries: Optional[int] = None,
        auth: Auth = None,
        stall_timeout: Optional[Seconds] = None,
        max_redirects: Optional[int] = None,
    ) -> Items[T]:
        """The items of all pages (see `pages`): Python values, or with `into` a model each.  `Items.page` is the response that the
        last item came in.

        Raises ResponseError for a page without an array of items, and for an item that does not match the model.
        """
        from .pages import Items

        pages = self.pages(
            request, pagination=pagination, max_pages=max_pages, max_items=max_items, page_size=page_size,
            other_origins=other_origins, backwards=backwards, position=position, deadline=deadline, retries=retries,
            auth=auth, stall_timeout=stall_timeout, max_redirects=max_redirects,
        )
        return Items(pages, into)

    # --- Streams (docs/bodies.md) ---

    def pieces(
        self, request: Request, *, max_buffered_bytes: int = 256 << 10, deadline: Optional[Seconds] = None, auth: Auth = None,
        stall_timeout: Optional[Seconds] = None,
        max_redirects: Optional[int] = None,
    ) -> Stream[bytes]:
        """Streams the body of a response as bytes.  Streams have no deadline unless `deadline` is given; `auth` is that of
        `perform`.
        """
        return self._stream("pieces", request, 1, max_buffered_bytes, deadline, auth, stall_timeout, max_redirects)

    def lines(
        self,
        request: Request,
        *,
        max_line_bytes: int = 16 << 20,
        max_buffered_bytes: int = 256 << 10,
        deadline: Optional[Seconds] = None,
        auth: Auth = None,
        stall_timeout: Optional[Seconds] = None,
        max_redirects: Optional[int] = None,
    ) -> Stream[str]:
        """Streams the lines of a response, without line breaks; empty lines are skipped."""
        return self._stream("lines", request, max_line_bytes, max_buffered_bytes, deadline, auth, stall_timeout, max_redirects)

    def values(
        self,
        request: Request,
        *,
        max_line_bytes: int = 16 << 20,
        max_buffered_bytes: int = 256 << 10,
        deadline: Optional[Seconds] = None,
        auth: Auth = None,
        stall_timeout: Optional[Seconds] = None,
        max_redirects: Optional[int] = None,
    ) -> Stream[Any]:
        """Streams the values of JSON Lines.  Raises ValueError for a line that is not JSON; after it, `next` of the stream returns
        the value of the following line.
        """
        return self._stream("values", request, max_line_bytes, max_buffered_bytes, deadline, auth, stall_timeout, max_redirects)

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
        stall_timeout: Optional[Seconds] = None,
        max_redirects: Optional[int] = None,
    ) -> Stream[Event]:
        """Streams server-sent events.  If `reconnects` is not 0, a connection that ends or breaks is opened again, at most this
        many times in a row, after `retry` seconds or the delay that the service set, and continues after the last event.  Raises
        ResponseError if the response is not text/event-stream.
        """
        connecting = (reconnects, retry, last_event_id)
        return self._stream("events", request, max_event_bytes, max_buffered_bytes, deadline, auth, stall_timeout, max_redirects, *connecting)

    def _stream(
        self,
        kind: str,
        request: Request,
        max_item_bytes: int,
        max_buffered_bytes: int,
        deadline: Optional[Seconds],
        auth: Auth,
        stall_timeout: Optional[Seconds],
        max_redirects: Optional[int],
        *connecting: Any,
    ) -> Stream[Any]:
        from .middleware import refuse
        from .stream import Stream, options

        refuse(self, kind)
        said = options(kind, max_item_bytes, max_buffered_bytes, *connecting)
        return Stream(self, request, own(self._policy(deadline, None, auth, stall_timeout, max_redirects), request), kind, said)
