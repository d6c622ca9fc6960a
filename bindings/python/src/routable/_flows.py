"""Middleware that is a generator function: it runs wherever requests are performed, one or many."""

from __future__ import annotations

from collections import deque
from inspect import isgeneratorfunction, signature
from typing import TYPE_CHECKING, Any, Callable, Deque, Dict, Generator, Iterable, Iterator, List, Optional, Tuple

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


class _Run:
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
        while len(self._stack) < len(self._flows):
            steps = self._flows[len(self._stack)](request, self._client)
            self._stack.append(steps)
            try:
                request = next(steps)
            except StopIteration as end:
                response = end.value
            except Exception as raised:
                error = raised
            else:
                continue
            self._stack.pop()
            return self.resume(response, error)
        return request, None, None

    def resume(self, response: Any, error: Optional[BaseException]) -> "Tuple[Optional[Request], Any, Optional[BaseException]]":
        """The same after an outcome."""
        while self._stack:
            steps = self._stack[-1]
            try:
                wanted = steps.send(response) if error is None else steps.throw(error)
            except StopIteration as end:
                response, error = end.value, None
            except Exception as raised:
                response, error = None, raised
            else:
                return self.begin(wanted)
            self._stack.pop()
        return None, response, error


class Runs:
    """Many requests on their way: what is to be submitted, and what has ended."""

    def __init__(self, flows: Tuple[Flow, ...], client: "ClientBase") -> None:
        self._flows = flows
        self._client = client
        self._runs: Dict[int, List[_Run]] = {}  # by the request that is performed
        self.ended: Deque[Completion] = deque()

    def begin(self, requests: "Iterable[Request]") -> "Iterator[Request]":
        """What is to be submitted for these requests."""
        for request in requests:
            run = _Run(self._flows, request, self._client)
            yield from self._took(run, run.begin(request))

    def resume(self, completion: Completion) -> "Iterator[Request]":
        """The same after one of those has ended."""
        runs = self._runs[id(completion.request)]
        run = runs.pop()
        if not runs:
            del self._runs[id(completion.request)]
        yield from self._took(run, run.resume(completion.response, completion.error))

    def _took(self, run: _Run, step: "Tuple[Optional[Request], Any, Optional[BaseException]]") -> "Iterator[Request]":
        wanted, response, error = step
        if wanted is not None:
            self._runs.setdefault(id(wanted), []).append(run)
            yield wanted
        else:
            self.ended.append(Completion(run.request, response, error))  # type: ignore[arg-type]  # what a program raised
