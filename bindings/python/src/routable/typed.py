"""The base of the modules that `routable generate python` writes (docs/generate.md).

A program imports its generated module, whose operations return a `Call`:

    call = api.user(UserId("initFabian")).status(StatusId("3")).read()     # nothing is sent
    call.url, call.method, call.request
    status = call.perform(client)                # a Status, as the description declares; client is a routable.Client
    problem = call.error(exception)              # the body of an error response, if the description declares its type
    status = await call.perform_async(client)    # the same with a routable.AsyncClient
    for each in api.user.list().items(client): ...           # the items of all pages
    for done in perform_all(client, calls): done.value()     # many calls at the same time
"""

from __future__ import annotations

from os import PathLike
from typing import (
    TYPE_CHECKING, Any, AsyncIterator, Callable, Dict, Generic, Iterable, Iterator, Mapping, Optional, Sequence, Tuple, Type, TypeVar,
    Union,
)

from ._using import Target, Using
from ._walked import below, walked

if TYPE_CHECKING:
    from typing import TypedDict as _TypedDict

    from typing_extensions import Unpack

    from ._client import Auth, Seconds
    from ._error import RoutableError
    from ._shapes import Reader
    from .aio import AsyncClient
    from .client import Client
    from .completion import Completion
    from .documents import Document
    from .files import AnyFile as FileLike
    from .request import Request
    from .response import Response
    from .router import Router

    class Paging(_TypedDict, total=False):
        """The options of Client.pages."""

        pagination: Mapping[str, object]
        max_pages: int
        max_items: int
        page_size: int
        other_origins: bool
        backwards: bool
        position: str
        deadline: Seconds
        retries: int
        auth: Auth
        stall_timeout: Seconds
        max_redirects: int
else:  # a generated module is imported before anything is sent: what sends is imported when it is needed
    FileLike = object

__all__ = [
    "Api", "Call", "CallWithErrors", "Done", "FileLike", "PagedCall", "PagedCallWithErrors", "Place", "StreamedCall",
    "StreamedCallWithErrors", "TypedDict", "Using", "below", "perform_all", "perform_all_async", "walked",
]

T = TypeVar("T")
E = TypeVar("E")
Item = TypeVar("Item")
Own = TypeVar("Own", bound="Call[Any]")
Step = TypeVar("Step", bound="Place")
Made = TypeVar("Made", bound="Api")


class Call(Generic[T]):
    """A request with the type of its response.  Nothing is sent until it is performed."""

    __slots__ = ("request", "_kind", "_may_be_empty", "_stream", "_again", "_router", "_reader")

    request: Request  #: the request; headers and body may still be edited

    def __init__(
        self, request: Request, kind: str, may_be_empty: bool, stream: str = "",
        again: Optional[Callable[..., Request]] = None, router: Optional[Router] = None, reader: Optional[Reader] = None,
    ) -> None:
        self.request = request
        self._kind = kind  # "json", "text", "bytes", "empty", or "" for the response itself
        self._may_be_empty = may_be_empty
        self._stream = stream  # "events", "values", or "" for a response that is no stream
        self._again = again
        self._router = router
        self._reader = reader  # of a module with dataclasses

    @property
    def method(self) -> str:
        """The method, "GET"."""
        return self.request.method

    @property
    def url(self) -> str:
        """The whole URL."""
        return self.request.url

    def with_headers(self: Own, headers: Mapping[str, str]) -> Own:
        """The same call with these headers, which replace those of the same names."""
        made = self._with(self.request.copy())
        for name, value in headers.items():
            made.request.set_header(name, value)
        return made

    def with_base(self: Own, base: str) -> Own:
        """The same call below another base, without the changes that were made to its request."""
        if self._again is None:
            raise TypeError("with_base requires a call of a generated module")
        return self._with(self._again(base))

    def follow(
        self: Own, source: Union[Response, str], *, rel: Optional[str] = None, pointer: Optional[str] = None,
        values: Optional[Mapping[str, object]] = None, base: Optional[str] = None,
    ) -> Own:
        """The same operation at a URL of a response: its Location, a Link header, or a member of its body (docs/links.md).

            made = api.order.create(order).respond(client)
            order = api.order(OrderId(0)).read().follow(made).perform(client)     # an Order, from the Location of the response

        `source` may also be the URL.  The other parameters are those of Router.follow.  Raises ResponseError if the response has
        no such URL, or if the URL is that of another operation.
        """
        if self._router is None:
            raise TypeError("follow requires a call of a generated module")
        from .router import PlainRouter

        request = PlainRouter.follow(self._router, source, rel=rel, pointer=pointer, values=values, method=self.method, base=base)
        own = (self.request.route, self.request.operation)
        if (request.route, request.operation) != own:
            from .errors import ResponseError

            names = [".".join(name for name in each if name) for each in ((request.route, request.operation), own)]
            raise ResponseError(f"{request.url} is a URL of {names[0]}, not of {names[1]}")
        return self._with(request)

    def _with(self: Own, request: Request) -> Own:
        return type(self)(request, self._kind, self._may_be_empty, self._stream, self._again, self._router, self._reader)

    def perform(
        self, client: Client, *, deadline: Optional[Seconds] = None, retries: Optional[int] = None, auth: Auth = None,
        stall_timeout: Optional[Seconds] = None,
        max_redirects: Optional[int] = None,
    ) -> T:
        """Sends the request, waits for the response and returns its value.  Raises the exceptions of Client.perform, and
        ResponseError for a body that is not valid against the description.
        """
        return self.read(self.respond(
            client, deadline=deadline, retries=retries, auth=auth, stall_timeout=stall_timeout, max_redirects=max_redirects))

    async def perform_async(
        self, client: AsyncClient, *, deadline: Optional[Seconds] = None, retries: Optional[int] = None, auth: Auth = None,
        stall_timeout: Optional[Seconds] = None,
        max_redirects: Optional[int] = None,
    ) -> T:
        """Like `perform`, with an AsyncClient."""
        return self.read(await client.perform(
            self.request, deadline=deadline, retries=retries, auth=auth, stall_timeout=stall_timeout, max_redirects=max_redirects))

    def respond(
        self, client: Client, *, deadline: Optional[Seconds] = None, retries: Optional[int] = None, auth: Auth = None,
        stall_timeout: Optional[Seconds] = None,
        max_redirects: Optional[int] = None,
    ) -> Response:
        """Like `perform`, but returns the response with its status and headers, which `read` takes."""
        return client.perform(
            self.request, deadline=deadline, retries=retries, auth=auth, stall_timeout=stall_timeout, max_redirects=max_redirects)

    def read(self, response: Response) -> T:
        """The value of a response to this request, from any client.  Raises ResponseError."""
        failure = response.__dict__.get("_failure")
        if failure is not None:  # a status that the call expects has no value of the declared type
            raise failure
        value: Any = response
        if self._kind == "empty" or (self._may_be_empty and response.outcome == "empty"):
            value = None
        elif self._kind == "text":
            value = response.text
        elif self._kind == "bytes":
            value = response.body
        elif self._kind == "json":
            value = _json(response, self._is_string)
            if self._reader is not None and value is not None:
                value = _read(self._reader.value, value, response)
        return value  # type: ignore[no-any-return]

    def _is_string(self, status: int) -> bool:
        """Whether the description declares a string for the status."""
        request = self.request
        operation = None if self._router is None else self._router._described(request.route, request.operation)
        schema = None if operation is None else operation.result_schema(status)
        return isinstance(schema, dict) and schema.get("type") == "string"

    def __repr__(self) -> str:
        return f"<routable.typed.Call {self.method} {self.url}>"


class CallWithErrors(Call[T], Generic[T, E]):
    """A call whose description declares the types of error bodies."""

    __slots__ = ()

    def error(self, failure: RoutableError) -> Optional[E]:
        """The body of the error response, for an exception of `perform`; None if the exception has no response, or one
        whose body does not have the kind that the description declares for its status.  `misfit` distinguishes the two.
        """
        response = failure.response
        if response is None or response.outcome in ("empty", "raw"):
            return None
        value = response.json()
        if self._reader is None:
            return value  # type: ignore[no-any-return]
        from ._misfit import Misfit

        try:
            return self._reader.error(response.status, value, bool(response.deviations))  # type: ignore[no-any-return]
        except Misfit:
            return None

    def misfit(self, failure: RoutableError) -> Optional[str]:
        """Why the body of the error response does not have the type that the description declares for its status; None if
        it has, or if there is no response.
        """
        response = failure.response
        if response is None:
            return None
        if response.deviations:
            first = response.deviations[0]
            return f"{first.pointer}: {first.message}" if first.pointer else first.message
        if response.outcome == "empty":
            return "the body is empty"
        if response.outcome == "raw":
            return f"no type is declared for the status {response.status}"
        return None if self._reader is None else self._reader.misfit(response.status, response.json())


class PagedCall(Call[T], Generic[T, Item]):
    """A call whose response is one page of a list (docs/pagination.md)."""

    __slots__ = ()

    def pages(self, client: Client, **paging: Unpack[Paging]) -> Iterator[T]:
        """Performs the call page by page.  The options and exceptions are those of Client.pages and of `perform`.  A description
        without a pagination requires one: `pagination={"by": "link"}`.
        """
        for page in client.pages(self.request, **paging):
            yield self.read(page)

    def items(self, client: Client, **paging: Unpack[Paging]) -> Iterator[Item]:
        """The items of all pages."""
        pages = client.pages(self.request, **paging)
        for page in pages:
            _json(page)
            for item in pages.items():
                yield item if self._reader is None else _read(self._reader.item, item, page)

    async def pages_async(self, client: AsyncClient, **paging: Unpack[Paging]) -> AsyncIterator[T]:
        """Like `pages`, with an AsyncClient."""
        async for page in client.pages(self.request, **paging):
            yield self.read(page)

    async def items_async(self, client: AsyncClient, **paging: Unpack[Paging]) -> AsyncIterator[Item]:
        """Like `items`, with an AsyncClient."""
        pages = client.pages(self.request, **paging)
        async for page in pages:
            _json(page)
            for item in pages.items():
                yield item if self._reader is None else _read(self._reader.item, item, page)


class PagedCallWithErrors(PagedCall[T, Item], CallWithErrors[T, E], Generic[T, Item, E]):
    """A PagedCall whose description declares the types of error bodies."""

    __slots__ = ()


class StreamedCall(Call[T], Generic[T, Item]):
    """A call whose response can be many values, one after another: server-sent events or JSON Lines (docs/bodies.md)."""

    __slots__ = ()

    def _one(self, value: Any) -> Any:
        return value if self._reader is None else _read(self._reader.checked_item, value, None)

    def values(
        self, client: Client, *, end: str = "[DONE]", deadline: Optional[Seconds] = None, auth: Auth = None,
        stall_timeout: Optional[Seconds] = None,
        max_redirects: Optional[int] = None,
    ) -> Iterator[Item]:
        """Performs the call, and yields the values as they arrive: the data of each event, or each line.  An event whose data is
        `end` ends the iteration, and is not yielded.  Unlike bodies, the values are not validated.  With dataclasses, one that
        does not have the declared type raises ResponseError.

        Raises the exceptions of Client.events and Client.values, and ValueError for a value that is not JSON.
        """
        if self._stream == "values":
            with client.values(self.request, deadline=deadline, auth=auth, stall_timeout=stall_timeout, max_redirects=max_redirects) as lines:
                for value in lines:
                    yield self._one(value)
            return
        with client.events(self.request, deadline=deadline, auth=auth, stall_timeout=stall_timeout, max_redirects=max_redirects) as events:
            for event in events:
                if event.data == end:
                    return
                yield self._one(_event(event.data))

    async def values_async(
        self, client: AsyncClient, *, end: str = "[DONE]", deadline: Optional[Seconds] = None, auth: Auth = None,
        stall_timeout: Optional[Seconds] = None,
        max_redirects: Optional[int] = None,
    ) -> AsyncIterator[Item]:
        """Like `values`, with an AsyncClient."""
        if self._stream == "values":
            async with client.values(self.request, deadline=deadline, auth=auth, stall_timeout=stall_timeout, max_redirects=max_redirects) as lines:
                async for value in lines:
                    yield self._one(value)
            return
        async with client.events(self.request, deadline=deadline, auth=auth, stall_timeout=stall_timeout, max_redirects=max_redirects) as events:
            async for event in events:
                if event.data == end:
                    return
                yield self._one(_event(event.data))


class StreamedCallWithErrors(StreamedCall[T, Item], CallWithErrors[T, E], Generic[T, Item, E]):
    """A StreamedCall whose description declares the types of error bodies."""

    __slots__ = ()


class _AnyCall(PagedCallWithErrors[Any, Any, Any], StreamedCallWithErrors[Any, Any, Any]):
    """The class of all calls at run time.  Type checkers see only the methods for which the operation is declared."""

    __slots__ = ()


class Done(Generic[T]):
    """A completed call of `perform_all`."""

    __slots__ = ("call", "completion")

    def __init__(self, call: Call[T], completion: Completion) -> None:
        self.call = call
        self.completion = completion  #: with its `response` and its `error`

    def value(self) -> T:
        """The value of the call; raises its exception, as `Call.perform` does."""
        return self.call.read(self.completion.result())


def _requests(calls: Iterable[Call[T]], waiting: Dict[int, Call[T]]) -> Iterator[Request]:
    """Copies of the requests of the calls, each recorded in `waiting`; copies, so that a call may occur twice."""
    for call in calls:
        request = call.request.copy()
        waiting[id(request)] = call
        yield request


def perform_all(
    client: Client, calls: Iterable[Call[T]], *, concurrency: int = 64, deadline: Optional[Seconds] = None,
    retries: Optional[int] = None, auth: Auth = None, stall_timeout: Optional[Seconds] = None, max_redirects: Optional[int] = None,
) -> Iterator[Done[T]]:
    """Performs many calls, up to `concurrency` at the same time, and yields each as it completes (Client.perform_all)."""
    waiting: Dict[int, Call[T]] = {}
    for done in client.perform_all(
        _requests(calls, waiting), concurrency=concurrency, deadline=deadline, retries=retries, auth=auth,
        stall_timeout=stall_timeout, max_redirects=max_redirects,
    ):
        yield Done(waiting.pop(id(done.request)), done)


async def perform_all_async(
    client: AsyncClient, calls: Iterable[Call[T]], *, concurrency: int = 64, deadline: Optional[Seconds] = None,
    retries: Optional[int] = None, auth: Auth = None, stall_timeout: Optional[Seconds] = None, max_redirects: Optional[int] = None,
) -> AsyncIterator[Done[T]]:
    """Like `perform_all`, with an AsyncClient."""
    waiting: Dict[int, Call[T]] = {}
    async for done in client.perform_all(
        _requests(calls, waiting), concurrency=concurrency, deadline=deadline, retries=retries, auth=auth,
        stall_timeout=stall_timeout, max_redirects=max_redirects,
    ):
        yield Done(waiting.pop(id(done.request)), done)


def _event(text: str) -> Any:
    from ._json import loads

    return loads("event", text)


def _read(read: Callable[..., Any], value: Any, response: Optional[Response]) -> Any:
    """Converts the value to the dataclasses of a module, as far as they can hold it if the response deviates.  Raises
    ResponseError if the value does not have the declared type otherwise."""
    from ._misfit import Misfit

    try:
        return read(value, True) if response is not None and response.deviations else read(value)
    except Misfit as misfit:
        from .errors import ResponseError

        status = None if response is None else response.status
        raise ResponseError(
            f"the value does not have its declared type: {misfit}", pointer=misfit.pointer, response=response, http_status=status) from None


def _json(response: Response, is_string: Optional[Callable[[int], bool]] = None) -> Any:
    """The JSON of a response, also if it is of another kind than the description declares; None if the body is empty or null.
    Text is the value where the description declares a string.  Raises ResponseError for any other body that is not JSON.
    """
    if response.outcome == "empty":
        return None
    try:
        return response.json()
    except ValueError as error:
        if is_string is not None and is_string(response.status):
            return response.text
        from .errors import ResponseError

        first = response.deviations[0].message if response.deviations else str(error)
        raise ResponseError(first, response=response, http_status=response.status) from None


class _Model:
    """A type of a generated module at run time.  It does no more than a TypedDict does: it makes dicts.  A TypedDict of `typing`
    takes fifty times as long to create, and a large description has thousands.
    """

    def __init__(self, name: str, members: Mapping[str, Any], body: Mapping[str, Any]) -> None:
        self.__name__ = name
        self.__module__ = body.get("__module__", "")
        self.__doc__ = body.get("__doc__")
        self.__annotations__ = members  # type: ignore[assignment]

    def __call__(self, *given: Any, **members: Any) -> Dict[str, Any]:
        return dict(*given, **members)

    def __or__(self, other: Any) -> Any:
        return Union[self, other]

    def __ror__(self, other: Any) -> Any:
        return Union[other, self]

    @property
    def __required_keys__(self) -> "frozenset[str]":
        return frozenset(name for name, hint in self.__annotations__.items() if not str(hint).startswith("NotRequired["))

    def __repr__(self) -> str:
        return f"{self.__module__}.{self.__name__}"


class _MakesModels(type):
    def __new__(cls, name: str, bases: Tuple[type, ...], body: Dict[str, Any]) -> Any:
        if not bases:
            return super().__new__(cls, name, bases, body)
        return _Model(name, body.get("__annotations__", {}), body)

    def __call__(cls, name: str, members: Mapping[str, Any]) -> Any:
        return _Model(name, members, {})


class TypedDict(metaclass=_MakesModels):
    """For generated code: what typing.TypedDict is to a type checker."""


class Place:
    """A position in the graph; immutable."""

    __slots__ = ("_router", "_walk", "_ids")

    def __init__(self, router: Router, walk: Tuple[str, ...] = (), ids: Tuple[object, ...] = ()) -> None:
        self._router = router
        self._walk = walk
        self._ids = ids

    def _below(self, kind: Type[Step], name: str) -> Step:
        return kind(self._router, (*self._walk, name), self._ids)

    def _at(self, kind: Type[Step], *ids: object) -> Step:
        return kind(self._router, self._walk, (*self._ids, *ids))

    def _call(
        self, operation: str, kind: str = "", may_be_empty: bool = False, *, ids: Tuple[object, ...] = (), stream: str = "",
        returns: str = "", each: str = "", errors: Mapping[Tuple[int, int], str] = {}, body: object = None,
        options: Optional[Using] = None, **places: Mapping[str, object],
    ) -> _AnyCall:
        """The call of an operation; `places` are the parameters by place: query, headers, cookies, files."""
        route = ".".join(self._walk) or None
        if isinstance(body, Using) and options is None:
            body, options = None, body
        call = Target(route, operation, {}).arranged((*self._ids, *ids), body, options, {})
        for place, values in places.items():
            given = present(values)
            if given:
                call[place] = joined(place, given, call.get(place))

        def again(base: Optional[str] = None) -> Request:
            return self._router._build(route, operation, call if base is None else {**call, "base": base})

        reader: Optional[Reader] = None
        if returns or each or errors:  # of a module with dataclasses
            from ._shapes import Reader

            reader = Reader(type(self).__module__, returns, each, errors)
        return _AnyCall(again(), kind, may_be_empty, stream, again, self._router, reader)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {'.'.join(self._walk)} {self._ids!r}>"


class Api(Place):
    """An opened description."""

    __slots__ = ()

    def __init__(self, router: Router) -> None:
        super().__init__(router)

    @property
    def router(self) -> Router:
        """The router, for calls and properties that are not typed."""
        return self._router

    @classmethod
    def open_file(
        cls: Type[Made], path: "Union[str, PathLike[str]]", *, base: Optional[str] = None, overlays: Sequence[Document] = (),
    ) -> Made:
        """Opens a description from a file, which should be the one that the module was generated from, with overlays."""
        from .documents import open as open_router

        return cls(open_router(path, base=base, overlays=overlays))

    @classmethod
    def _loads(cls: Type[Made], text: str, base: Optional[str]) -> Made:
        from .documents import loads

        return cls(loads(text, base=base))

    @classmethod
    def _declared(cls: Type[Made], library: str, module: str, base: Optional[str]) -> Made:
        from ._declared import open_declared

        return cls(open_declared(library, module, base))

    def close(self) -> None:
        """Frees the router; requests and responses remain valid."""
        from .router import PlainRouter

        PlainRouter.close(self._router)


def present(values: Mapping[str, object]) -> Optional[Mapping[str, object]]:
    """The values that are not None; None if there are none."""
    return {name: value for name, value in values.items() if value is not None} or None


def joined(place: str, given: Mapping[str, object], more: Optional[Mapping[str, object]]) -> Mapping[str, object]:
    """The parameters of one place from the arguments of a call, and from its options.  Raises ParameterError for a name in both."""
    twice = sorted(given.keys() & (more or {}).keys())
    if twice:
        from .errors import ParameterError

        raise ParameterError(f"{twice[0]} is given as an argument and in using({place}=...)", parameter=twice[0])
    return {**given, **(more or {})}
