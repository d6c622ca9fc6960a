"""Pages: responses in pages (docs/pagination.md)."""

from __future__ import annotations

from ctypes import POINTER, byref, c_char, c_char_p, cast, sizeof
from typing import TYPE_CHECKING, Any, Iterator, List, Mapping, Optional, Tuple, Type, TypeVar

from . import _capi as base
from ._capi import pages as c
from . import _json
from ._check import check, new_error, no_positions
from ._client import ClientBase
from ._deviations import report
from ._handle import Owned
from ._threads import may_drive
from ._text import data, natural, optional_name, take, to_bytes, utf8
from ._waiting import perform_submitted, unqueued
from .credential import Functions
from .errors import HTTPStatusError, ResponseError, RoutableError
from .middleware import Call
from .model import Misfit, fill
from .request import Request, no_request
from .response import Response, read_response
from .transport import TransportResponse

T = TypeVar("T")


class PageState(Owned):
    """The common part of both kinds of pages: the position, and the items of the page that was read last."""

    __slots__ = ("request", "_client", "_policy")

    def __init__(
        self,
        client: ClientBase,
        request: Request,
        policy: Any,
        pagination: Optional[Mapping[str, object]],
        max_pages: Optional[int],
        max_items: Optional[int],
        page_size: Optional[int],
        other_origins: bool,
        backwards: bool = False,
        position: Optional[str] = None,
    ) -> None:
        if not isinstance(request, Request):
            raise no_request("pages", request)
        text = b"" if pagination is None else _json.dumps("pagination", pagination)
        options = c.routable_pages_options(
            size=sizeof(c.routable_pages_options),
            pagination=data(text) if text else base.routable_str(cast(c_char_p(b""), POINTER(c_char)), 0),
            max_pages=0 if max_pages is None else natural("max_pages", max_pages, 1),
            max_items=0 if max_items is None else natural("max_items", max_items, 1),
            page_size=0 if page_size is None else natural("page_size", page_size, 1),
            flags=(c.ROUTABLE_PAGES_OTHER_ORIGINS if other_origins else 0) | (c.ROUTABLE_PAGES_BACKWARDS if backwards else 0),
        )
        place = utf8("position", position or "")
        options.position = data(place)
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
        """Uses the pages of the other object instead of new ones; the last of both frees them."""
        self._handle, self._client, self._policy, self.request = other._handle, other._client, other._policy, other.request

    def items(self) -> Iterator[Any]:
        """The items of the page that was read last.  Raises ResponseError if the page has no array of items."""
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
        """The items, each converted to the model if one is given."""
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

    @property
    def position(self) -> Optional[str]:
        """What continues with the next page in another run, as `position` of Client.pages: the value of the parameter or, for
        pagination by link, the URL; "" if the next request is the first one; None after the last page.  It may be a secret if
        the cursors of the service are.  Raises ResponseError, URLError, LimitError.
        """
        out, error = base.routable_string(), new_error()
        status = c.routable_pages_position(self._live(), byref(out), byref(error))
        if status == base.ROUTABLE_IDLE:
            return None
        check(status, error)
        return take(out)

    def _ends_with(self, failure: BaseException) -> bool:
        """Whether the pagination declares that a request after the last page receives this status."""
        status = failure.http_status if isinstance(failure, HTTPStatusError) else 0
        return bool(status and c.routable_pages_end_with(self._live(), status))

    def _follow(self, response: Any) -> Optional[Request]:
        """The request of the next page, after that response; None after the last page."""
        out, error = POINTER(base.routable_request)(), new_error()
        status = c.routable_pages_follow(self._live(), response, byref(out), byref(error))
        if status == base.ROUTABLE_IDLE:
            return None
        check(status, error)
        return Request(out, self.request._result_type)

    def _tell(self, response: Any) -> None:
        """Passes the response to the last request to the library.  An error about the next page is raised by the next step."""
        following, error = POINTER(base.routable_request)(), new_error()
        c.routable_pages_follow(self._live(), response, byref(following), byref(error))
        base.routable_request_free(following)
        base.routable_error_free(error)

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
        following = self._follow(None)
        if following is None:
            raise StopIteration
        client = self._client
        with Received() as received:
            try:
                if client._middleware:
                    response: Response = Call(client, False, client._middleware, lambda each: self._fetch(each, received))(following)
                else:
                    response = self._fetch(following, received)
            except HTTPStatusError as failure:
                if self._ends_with(failure):
                    raise StopIteration from None
                raise
            self._tell(received.find(client, following, response))
            return response

    def _fetch(self, request: Request, received: "Received") -> Response:
        if may_drive():
            out: Any = perform_submitted(self._client, request, unqueued(self._policy))
        else:
            out, error = POINTER(base.routable_response)(), new_error()
            try:
                check(
                    base.routable_client_perform_with(
                        self._client._live(), request._live(), self._policy, byref(out), byref(error)
                    ),
                    error,
                )
            except RoutableError as failure:
                raise self.request._raised(self._client._functions.explain(failure))
        return received.add(out, self.request, self._client)


class Received:
    """The responses to the requests of one page, as objects of the library.  The middleware returns one of them or another."""

    __slots__ = ("_all",)

    def __init__(self) -> None:
        self._all: List[Tuple[Response, Any]] = []

    def add(self, pointer: Any, request: Request, client: ClientBase) -> Response:
        """Reads a response, which it frees later."""
        held = cast(pointer, POINTER(base.routable_response))
        try:
            response = read_response(held, request._result_type)
        except BaseException:
            base.routable_response_free(held)
            raise
        self._all.append((response, held))
        response.__dict__["_request"] = request
        if response.deviations:
            report(request, response, client._hub.on_deviation)
        return response

    def find(self, client: ClientBase, request: Request, response: Response) -> Any:
        """The response that the middleware returned.  A response that the middleware made is mapped like one of the service."""
        for each, held in self._all:
            if each is response:
                return held
        reply = TransportResponse(response.status, headers=response.headers.pairs, body=response.body)
        with _replying(client, reply) as other:
            out, error = POINTER(base.routable_response)(), new_error()
            policy = other._policy(auth=False)
            check(base.routable_client_perform_with(other._live(), request._live(), policy, byref(out), byref(error)), error)
        self._all.append((response, out))
        return out

    def __enter__(self) -> "Received":
        return self

    def __exit__(self, *exception: object) -> None:
        for _, held in self._all:
            base.routable_response_free(held)


def _replying(client: ClientBase, reply: Any) -> ClientBase:
    """A client with the base of another one, without its log, for a reply of the middleware."""
    from ._transport import set_transport

    functions = Functions()
    options = base.routable_client_options(
        size=sizeof(base.routable_client_options), base=optional_name("base", getattr(client, "_base", None)),
        flags=base.ROUTABLE_CLIENT_NO_REDIRECTS, max_response_bytes=2**62,
    )
    set_transport(options, functions, lambda exchange: reply)
    out, error = POINTER(base.routable_client)(), new_error()
    check(base.routable_client_new(byref(options), byref(out), byref(error)), error)
    return ClientBase(out, functions)


class Items(Iterator[T]):
    """The items of all pages of a request; Client.items returns it.

    pages  the Pages that it reads, with their `position`
    page   the Response that the last item came in; None before the first item
    """

    __slots__ = ("pages", "page", "_into", "_rest")

    def __init__(self, pages: Pages, into: Optional[Type[T]]) -> None:
        self.pages = pages
        self.page: Optional[Response] = None
        self._into = into
        self._rest: Iterator[Any] = iter(())

    def __next__(self) -> T:
        while True:
            for item in self._rest:
                return item  # type: ignore[no-any-return]
            self.page = next(self.pages)
            self._rest = self.pages._filled(self._into)
