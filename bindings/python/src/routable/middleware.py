"""Middleware: functions around `perform` that know the operation, and may change, reply to or refuse its request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Iterable, Tuple, Union

from ._flows import Called, Flow, Steps, flow_of, name_of, returned, taken
from .errors import UnsupportedError

if TYPE_CHECKING:
    from ._client import ClientBase
    from .request import Request
    from .response import Response

#: A generator function that yields the request, receives the response, and returns it: `response = yield request`.  It runs in all
#: methods that send requests, of both clients.  Or a function that takes a request and a Call, and returns a Response:
#: `return call(request)`; for an AsyncClient a coroutine function: `return await call(request)`.  It runs in perform, download,
#: pages and items.
Middleware = Union[Callable[["Request", "Call"], Any], Callable[["Request"], Steps]]


class Call:
    """The rest of the call after a middleware: calling it performs the request; with an AsyncClient it is awaitable.

    client    the client that performs the request
    is_async  whether the client is an AsyncClient, so that a call must be awaited
    """

    __slots__ = ("client", "is_async", "_rest", "_last")

    def __init__(
        self, client: "ClientBase", is_async: bool, rest: Tuple[Middleware, ...], last: Callable[["Request"], Any]
    ) -> None:
        self.client = client
        self.is_async = is_async
        self._rest = rest
        self._last = last

    def __call__(self, request: "Request") -> Any:
        if not self._rest:
            return self._last(request)
        following: Any = self._rest[0]
        found = following(request, Call(self.client, self.is_async, self._rest[1:], self._last))
        if self.is_async:
            return _awaited(following, found)
        if hasattr(found, "__await__"):
            getattr(found, "close", int)()
            raise TypeError(f"the middleware {name_of(following)} is a coroutine function, which only an AsyncClient runs")
        return returned(following, found)

    def directly(self, request: "Request") -> Any:
        """Performs a request without the middleware that follows, for example to get a token."""
        return self._last(request)


async def _awaited(following: Any, found: Any) -> "Response":
    return returned(following, await found if hasattr(found, "__await__") else found)


def checked(given: Iterable[Middleware]) -> Tuple[Middleware, ...]:
    found = tuple(given)
    for each in found:
        if not callable(each) and not hasattr(each, "flow"):
            raise TypeError(f"middleware must be functions, not {type(each).__name__}")
    return tuple(taken(each) if flow is None else Called(flow) for each, flow in ((each, flow_of(each)) for each in found))


def flows(middleware: Iterable[Middleware]) -> Tuple[Flow, ...]:
    """The generator functions, if all are."""
    found = tuple(each.flow for each in middleware if isinstance(each, Called))
    return found if len(found) == len(tuple(middleware)) else ()


def refuse(client: Any, method: str) -> None:
    """Raises UnsupportedError if a method cannot run the middleware of the client."""
    if client._middleware and not client._flows:
        raise UnsupportedError(
            f"{method} runs only middleware that is a generator function; use perform, download or pages, or a client without middleware"
        )
