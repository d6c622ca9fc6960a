"""Middleware: functions around `perform`, which know the operation and may change, answer or refuse it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Iterable, Tuple

from .errors import UnsupportedError

if TYPE_CHECKING:
    from ._client import ClientBase
    from .request import Request

#: A function that takes a request and a Call, and returns a Response: `return call(request)`.  For an AsyncClient it is a
#: coroutine function: `return await call(request)`.
Middleware = Callable[["Request", "Call"], Any]


class Call:
    """What follows a middleware: calling it performs the request, with an AsyncClient as an awaitable.

    client    the client that performs
    is_async  whether it is in an event loop, so that a call is awaited
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
        return self._rest[0](request, Call(self.client, self.is_async, self._rest[1:], self._last))

    def directly(self, request: "Request") -> Any:
        """Performs a request without the middleware that follows, for example to get a token."""
        return self._last(request)


def checked(given: Iterable[Middleware]) -> Tuple[Middleware, ...]:
    found = tuple(given)
    for each in found:
        if not callable(each):
            raise TypeError(f"middleware must be functions, not {type(each).__name__}")
    return found


def refuse(client: Any, method: str) -> None:
    """Middleware is never left out in silence."""
    if client._middleware:
        raise UnsupportedError(
            f"{method} does not run the middleware of this client; use perform or download, or a client without middleware")
