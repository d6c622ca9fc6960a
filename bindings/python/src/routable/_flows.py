"""Middleware that is a generator function: it runs wherever requests are performed, one or many."""

from __future__ import annotations

from collections import deque
from inspect import isasyncgenfunction, isgeneratorfunction, signature
from typing import TYPE_CHECKING, Any, Callable, Deque, Dict, Generator, Iterable, List, Optional, Tuple

from .completion import Completion
from .request import Request
from .response import Response

if TYPE_CHECKING:
    from ._client import ClientBase
    from .middleware import Call

Steps = Generator[Request, Response, Response]
#: Yields requests, is sent responses or thrown exceptions, and returns the response.
Flow = Callable[[Request, "ClientBase"], Steps]


def flow_of(given: Any) -> Optional[Flow]:
    """The generator function of a middleware; None if the middleware is not a generator function."""
    found: Any = getattr(given, "flow", None) or given
    if not _is(isgeneratorfunction, found):
        if not callable(given) or _is(isasyncgenfunction, given):
            raise TypeError(f"the middleware {name_of(found)} must be a generator function: `def`, not `async def`, with `response = yield request`")
        return None
    if "client" in signature(found).parameters:
        _take(found, 2)
        return found  # type: ignore[no-any-return]
    _take(found, 1)
    return lambda request, client: found(request)


def _is(check: Callable[[Any], bool], function: Any) -> bool:
    return check(function) or check(getattr(function, "__call__", None))


def _take(function: Any, count: int) -> None:
    """Raises TypeError unless the function accepts a request, or a request and a second value."""
    try:
        parameters = signature(function, follow_wrapped=False)
    except ValueError:  # a function without a signature
        return
    try:
        parameters.bind(*range(count))
    except TypeError:
        raise TypeError(
            f"the middleware {name_of(function)}{parameters} must be a generator function of a request: `response = yield request`, "
            "or a function of a request and a call: `return call(request)`"
        ) from None


def taken(function: Any) -> Any:
    """A function of a request and a call."""
    _take(function, 2)
    return function


class Called:
    """A generator function as a function around `perform`."""

    __slots__ = ("flow",)

    def __init__(self, flow: Flow) -> None:
        self.flow = flow

    def __call__(self, request: Request, call: "Call") -> Any:
        return self._later(request, call) if call.is_async else self._now(request, call)

    def _now(self, request: Request, call: "Call") -> Any:
        steps = self.flow(request, call.client)
        try:
            wanted = next(steps)
            while True:
                try:
                    response = call(_wanted(steps, wanted))
                except Exception as error:
                    wanted = steps.throw(error)
                else:
                    wanted = steps.send(response)
        except StopIteration as end:
            return returned(steps, end.value)
        finally:
            steps.close()

    async def _later(self, request: Request, call: "Call") -> Any:
        steps = self.flow(request, call.client)
        try:
            wanted = next(steps)
            while True:
                try:
                    response = await call(_wanted(steps, wanted))
                except Exception as error:
                    wanted = steps.throw(error)
                else:
                    wanted = steps.send(response)
        except StopIteration as end:
            return returned(steps, end.value)
        finally:
            steps.close()


def returned(function: Any, value: Any) -> Response:
    """The Response that a middleware returned.  Raises TypeError if it returned another value or none."""
    if not isinstance(value, Response):
        raise no_response(function, value)
    return value


def _wanted(steps: Steps, value: Any) -> Request:
    if not isinstance(value, Request):
        raise _no_request(steps, value)
    return value


def no_response(function: Any, value: Any) -> TypeError:
    hint = ": end it with `return response`" if value is None else ""
    return TypeError(f"the middleware {name_of(function)} must return a Response, not {type(value).__name__}{hint}")


def _no_request(steps: Steps, value: Any) -> TypeError:
    return TypeError(f"the middleware {name_of(steps)} must yield a Request, not {type(value).__name__}")


def name_of(function: Any) -> str:
    found: str = getattr(function, "__qualname__", type(function).__qualname__)
    return found


class Run:
    """One request on its way through all generators."""

    __slots__ = ("request", "_client", "_flows", "_stack")

    def __init__(self, flows: Tuple[Flow, ...], request: Request, client: "ClientBase") -> None:
        self.request = request
        self._client = client
        self._flows = flows
        self._stack: List[Steps] = []

    def begin(self, request: Request) -> Tuple[Optional[Request], Any, Optional[BaseException]]:
        """The request to perform now; or None with the outcome, a response or an exception."""
        return self._go(request, None, None)

    def resume(self, response: Any, error: Optional[BaseException]) -> Tuple[Optional[Request], Any, Optional[BaseException]]:
        """Like `begin`, after the outcome of the last request."""
        return self._go(None, response, error)

    def _go(
        self, wanted: Optional[Request], response: Any, error: Optional[BaseException]
    ) -> Tuple[Optional[Request], Any, Optional[BaseException]]:
        stack, flows = self._stack, self._flows
        while True:
            if wanted is not None:
                if len(stack) == len(flows):
                    return wanted, None, None
                stack.append(flows[len(stack)](wanted, self._client))
            elif not stack:
                return None, response, error
            steps = stack[-1]
            try:
                # To send None begins a generator.
                wanted = steps.send(response) if error is None else steps.throw(error)
                response = error = None
                if not isinstance(wanted, Request):
                    wanted, error = None, _no_request(steps, wanted)
                continue
            except StopIteration as end:
                response, error = end.value, None
                if not isinstance(response, Response):
                    response, error = None, no_response(steps, response)
            except Exception as raised:
                response, error = None, raised
            stack.pop()
            wanted = None

    def close(self) -> None:
        """Ends the generators, inner ones first, without an outcome."""
        if self._stack:
            try:
                self._stack.pop().close()
            finally:
                self.close()


class Runs:
    """Many requests in progress: which requests to submit, and which have completed."""

    def __init__(self, flows: Tuple[Flow, ...], client: "ClientBase") -> None:
        self._flows = flows
        self._client = client
        self._runs: Dict[int, List[Run]] = {}  # by the request that is performed
        self.ended: Deque[Completion] = deque()

    def begin(self, requests: Iterable[Request]) -> List[Request]:
        """The requests to submit for these requests, after the first part of their middleware."""
        found: List[Request] = []
        for request in requests:
            run = Run(self._flows, request, self._client)
            self._take(run, found, *run.begin(request))
        return found

    def resume(self, completions: Iterable[Completion]) -> List[Request]:
        """The requests to submit after these completions."""
        found: List[Request] = []
        for request, response, error in completions:
            place = id(request)
            runs = self._runs[place]
            run = runs.pop()
            if not runs:
                del self._runs[place]
            self._take(run, found, *run.resume(response, error))
        return found

    def submit(self, batch: List[Request], send: Callable[[List[Request]], Any]) -> int:
        """Sends the requests, and returns the number that are in progress.  If a request is rejected, its middleware receives the
        exception at its yield.
        """
        while batch:
            try:
                send(batch)
                return len(batch)
            except Exception as refused:  # then none of them was sent
                if len(batch) > 1:
                    return sum([self.submit([each], send) for each in batch])
                batch = self.resume([_made(Completion, (batch[0], None, refused))])
        return 0

    def _take(
        self, run: Run, found: List[Request], wanted: Optional[Request], response: Any, error: Optional[BaseException]
    ) -> None:
        if wanted is None:
            self.ended.append(_made(Completion, (run.request, response, error)))
            return
        self._runs.setdefault(id(wanted), []).append(run)
        found.append(wanted)


_made: Any = tuple.__new__  # what Completion(...) does, in half the time
