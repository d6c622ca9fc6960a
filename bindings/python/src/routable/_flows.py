"""Middleware that is a generator function: it runs wherever requests are performed, one or many."""

from __future__ import annotations

from collections import deque
from inspect import isgeneratorfunction, signature
from typing import TYPE_CHECKING, Any, Callable, Deque, Dict, Generator, Iterable, List, Optional, Tuple

from .completion import Completion

if TYPE_CHECKING:
    from ._client import ClientBase
    from .middleware import Call
    from .request import Request
    from .response import Response

Steps = Generator["Request", "Response", "Response"]
#: Yields requests, is sent responses or thrown exceptions, and returns the response.
Flow = Callable[["Request", "ClientBase"], Steps]


def flow_of(given: Any) -> Optional[Flow]:
    """The generator function of a middleware; None for one that is none."""
    found: Any = getattr(given, "flow", None) or given
    if not isgeneratorfunction(found) and not isgeneratorfunction(getattr(found, "__call__", None)):
        return None
    if "client" in signature(found).parameters:
        return found  # type: ignore[no-any-return]
    return lambda request, client: found(request)


class Called:
    """A generator function as a function around `perform`."""

    __slots__ = ("flow",)

    def __init__(self, flow: Flow) -> None:
        self.flow = flow

    def __call__(self, request: "Request", call: "Call") -> Any:
        return self._later(request, call) if call.is_async else self._now(request, call)

    def _now(self, request: "Request", call: "Call") -> Any:
        steps = self.flow(request, call.client)
        try:
            wanted = next(steps)
            while True:
                try:
                    response = call(wanted)
                except Exception as error:
                    wanted = steps.throw(error)
                else:
                    wanted = steps.send(response)
        except StopIteration as end:
            return end.value
        finally:
            steps.close()

    async def _later(self, request: "Request", call: "Call") -> Any:
        steps = self.flow(request, call.client)
        try:
            wanted = next(steps)
            while True:
                try:
                    response = await call(wanted)
                except Exception as error:
                    wanted = steps.throw(error)
                else:
                    wanted = steps.send(response)
        except StopIteration as end:
            return end.value
        finally:
            steps.close()


class Run:
    """One request on its way through all generators."""

    __slots__ = ("request", "_client", "_flows", "_stack")

    def __init__(self, flows: Tuple[Flow, ...], request: "Request", client: "ClientBase") -> None:
        self.request = request
        self._client = client
        self._flows = flows
        self._stack: List[Steps] = []

    def begin(self, request: "Request") -> "Tuple[Optional[Request], Any, Optional[BaseException]]":
        """The request to perform now; or None with the outcome, a response or an exception."""
        response: Any = None
        error: Optional[BaseException] = None
        for flow in self._flows[len(self._stack) :]:
            steps = flow(request, self._client)
            try:
                request = next(steps)
            except StopIteration as end:
                response = end.value
            except Exception as raised:
                error = raised
            else:
                self._stack.append(steps)
                continue
            return self.resume(response, error)
        return request, None, None

    def resume(self, response: Any, error: Optional[BaseException]) -> "Tuple[Optional[Request], Any, Optional[BaseException]]":
        """The same after an outcome."""
        stack = self._stack
        while stack:
            steps = stack[-1]
            try:
                wanted = steps.send(response) if error is None else steps.throw(error)
            except StopIteration as end:
                response, error = end.value, None
            except Exception as raised:
                response, error = None, raised
            else:
                return self.begin(wanted)
            stack.pop()
        return None, response, error

    def close(self) -> None:
        """Ends the generators, inner ones first, without an outcome."""
        while self._stack:
            self._stack.pop().close()


class Runs:
    """Many requests on their way: what is to be submitted, and what has ended."""

    def __init__(self, flows: Tuple[Flow, ...], client: "ClientBase") -> None:
        self._flows = flows
        self._client = client
        self._runs: Dict[int, List[Run]] = {}  # by the request that is performed
        self.ended: Deque[Completion] = deque()

    def begin(self, requests: "Iterable[Request]") -> "List[Request]":
        """What is to be submitted for these requests."""
        found: List[Request] = []
        for request in requests:
            run = Run(self._flows, request, self._client)
            self._take(run, found, *run.begin(request))
        return found

    def resume(self, completions: "Iterable[Completion]") -> "List[Request]":
        """The same after these have ended."""
        found: List[Request] = []
        for request, response, error in completions:
            place = id(request)
            runs = self._runs[place]
            run = runs.pop()
            if not runs:
                del self._runs[place]
            self._take(run, found, *run.resume(response, error))
        return found

    def _take(
        self, run: Run, found: "List[Request]", wanted: "Optional[Request]", response: Any, error: Optional[BaseException]
    ) -> None:
        if wanted is None:
            self.ended.append(_made(Completion, (run.request, response, error)))
            return
        self._runs.setdefault(id(wanted), []).append(run)
        found.append(wanted)


_made: Any = tuple.__new__  # what Completion(...) does, in half the time
