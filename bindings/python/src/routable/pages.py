"""Pages: responses in pages (docs/pagination.md)."""

from __future__ import annotations

from ctypes import POINTER, byref, c_char, c_char_p, cast, sizeof
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Optional, Type, TypeVar

from . import _capi as base
from ._capi import pages as c
from . import _json
from ._check import check, new_error, no_positions
from ._handle import Owned
from ._threads import may_drive
from ._text import data, natural, to_bytes
from ._waiting import perform_submitted, unqueued
from .errors import ResponseError, RoutableError
from .model import Misfit, fill
from .request import Request
from .response import Response, read_response

if TYPE_CHECKING:
    from ._client import ClientBase

T = TypeVar("T")


class PageState(Owned):
    """What both kinds of pages have: where they are, and the items of the last one."""

    __slots__ = ("request", "_client", "_policy")

    def __init__(
        self,
        client: "ClientBase",
        request: Request,
        policy: Any,
        pagination: Optional[Mapping[str, object]],
        max_pages: Optional[int],
        max_items: Optional[int],
        page_size: Optional[int],
        other_origins: bool,
    ) -> None:
        if not isinstance(request, Request):
            raise TypeError(f"pages require a Request, not a {type(request).__name__}")
        text = b"" if pagination is None else _json.dumps("pagination", pagination)
        options = c.routable_pages_options(
            size=sizeof(c.routable_pages_options),
            pagination=data(text) if text else base.routable_str(cast(c_char_p(b""), POINTER(c_char)), 0),
            max_pages=0 if max_pages is None else natural("max_pages", max_pages, 1),
            max_items=0 if max_items is None else natural("max_items", max_items, 1),
            page_size=0 if page_size is None else natural("page_size", page_size, 1),
            flags=c.ROUTABLE_PAGES_OTHER_ORIGINS if other_origins else 0,
        )
        out, error = POINTER(c.routable_pages)(), new_error()
        with no_positions():
            check(
                c.routable_pages_new(client._live(), request._live(), byref(options), byref(out), byref(error)), error
            )
        super().__init__(out, c.routable_pages_free)
        self._client = client
        self._policy = policy
        #: The request of the first page.
        self.request = request

    def _share(self, other: "PageState") -> None:
        """Holds what the other holds, instead of beginning anew; the last of them gives it back."""
        self._handle, self._client, self._policy, self.request = other._handle, other._client, other._policy, other.request

    def items(self) -> Iterator[Any]:
        """The items of the last page.  Raises ResponseError if the page has no array of items."""
        for text in self._texts():
            yield _json.loads("item", text)

    def _texts(self) -> Iterator[bytes]:
        item, error = base.routable_str(), new_error()
        while True:
            handle = self._live()
            status = c.routable_pages_item(handle, byref(item), byref(error))
            if status == base.ROUTABLE_IDLE:
                return
            check(status, error)
            yield to_bytes(item)

    def _filled(self, into: Optional[Type[T]]) -> Iterator[Any]:
        """The items, each in a model where one is wanted."""
        for number, value in enumerate(self.items()):
            if into is None:
                yield value
                continue
            try:
                yield fill(into, value)
            except Misfit as misfit:
                title = getattr(into, "__name__", str(into))
                raise ResponseError(
                    f"item {number} of the page does not match {title}: {misfit}", pointer=misfit.pointer
                ) from misfit.__cause__

    def _follow(self, response: Any) -> Optional[Request]:
        """The request of the next page, after that response; None behind the last."""
        out, error = POINTER(base.routable_request)(), new_error()
        status = c.routable_pages_follow(self._live(), response, byref(out), byref(error))
        if status == base.ROUTABLE_IDLE:
            return None
        check(status, error)
        return Request(out, self.request._result_type)

    def __repr__(self) -> str:
        return f"<routable.{type(self).__name__} of {self.request.operation}{' closed' if self.closed else ''}>"


class Pages(PageState):
    """The pages of a request, each a Response; Client.pages returns it.

    If a page fails, the iteration raises the exception of Client.perform; the next step requests the same page again.  One
    thread at a time.
    """

    __slots__ = ()

    def __iter__(self) -> "Pages":
        return self

    def __next__(self) -> Response:
        if may_drive():
            return self._next_in_main()
        out, error = POINTER(base.routable_response)(), new_error()
        self._client._live()
        status = c.routable_pages_next(self._live(), self._policy, byref(out), byref(error))
        if status == base.ROUTABLE_IDLE:
            raise StopIteration
        try:
            check(status, error)
        except RoutableError as failure:
            raise self.request._raised(self._client._functions.explain(failure))
        try:
            return read_response(out, self.request._result_type)
        finally:
            base.routable_response_free(out)


    def _next_in_main(self) -> Response:
        """The same while handlers of signals run."""
        following = self._follow(None)
        if following is None:
            raise StopIteration
        out = perform_submitted(self._client, following, unqueued(self._policy))
        answer = cast(out, POINTER(base.routable_response))
        try:
            response = read_response(answer, self.request._result_type)
            # What is wrong with the page after this one is told when that is asked for.
            following_page, error = POINTER(base.routable_request)(), new_error()
            c.routable_pages_follow(self._live(), answer, byref(following_page), byref(error))
            base.routable_request_free(following_page)
            base.routable_error_free(error)
            return response
        finally:
            base.routable_response_free(answer)


def read_items(pages: Pages, into: Optional[Type[T]]) -> Iterator[Any]:
    """The items of all pages."""
    for _ in pages:
        yield from pages._filled(into)

