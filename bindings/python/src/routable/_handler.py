"""The handlers of a Service: which operation a name means, which parameters a function may have, and how they are filled in."""

from __future__ import annotations

import asyncio
import inspect
import keyword
import re
from contextvars import copy_context
from difflib import get_close_matches
from functools import partial
from typing import TYPE_CHECKING, Any, Awaitable, Callable, Dict, Iterator, Mapping, Optional, Set, Tuple

from .errors import NotAllowedError, RoutableError, UnknownError
from .received import Received
from .router import PlainRouter
from .walk import unknown

if TYPE_CHECKING:
    Function = Callable[..., Any]
    #: A route and an operation; no route for a standalone operation, as are all of an OpenAPI document.  The name of a resource
    #: instead of its route: the operation at all places of the resource.
    Key = Tuple[Optional[str], str]


class Handlers:
    """The handlers of a description by their operations."""

    def __init__(self, api: PlainRouter) -> None:
        self._api = api
        self._found: Dict[Key, Handler] = {}

    def key(self, name: str) -> "Key":
        """The operation of a name.  Raises UnknownError or NotAllowedError for a name that the description does not have, and
        ValueError for an operation that has a handler already."""
        key = self._named(name)
        other = self._found.get(key)
        if other is not None:
            raise ValueError(f"{name} has a handler already" + (f", as {other.name}" if other.name != name else ""))
        return key

    def add(self, name: str, function: "Function") -> None:
        """Raises TypeError for a function that cannot be called; and the exceptions of `key`."""
        key = self.key(name)
        self._found[key] = Handler(name, function, self._parameters(key))

    def of(self, received: Received) -> "Optional[Handler]":
        """The handler of the place of the request, or of all places of its resource."""
        route, operation = received.route, received.operation
        found = self._found.get((route, operation))
        return self._found.get((route.rpartition(".")[2], operation)) if found is None and route else found

    @property
    def missing(self) -> Tuple[str, ...]:
        """The operations of the route table without a handler."""
        found: Dict[str, None] = {}  # a dict for its order
        for name, (route, operation) in self._table():
            keys = {(route, operation), (route.rpartition(".")[2] if route else None, operation)}
            if not keys & self._found.keys():
                found[name] = None
        return tuple(found)

    def _table(self) -> "Iterator[Tuple[str, Key]]":
        """The operations of the route table, with the names that handlers are registered by."""
        for row in self._api.routes(as_json=True):
            standalone = row.get("operation_id")  # of a resource that is derived from paths
            if standalone is not None:
                yield standalone, (None, standalone)
            elif "operation" in row:  # not the end of a cycle
                route, operation = row.get("route"), row["operation"]
                yield f"{route}.{operation}" if route else operation, (route, operation)

    def _named(self, name: str) -> "Key":
        if name in self._api.operations:
            return None, name
        route, _, operation = name.rpartition(".")
        resource = self._api.resources.get(route)
        if resource is None or operation not in resource.operations:
            try:
                self._api.plan(route, operation) if route else self._api.plan(name)
            except (UnknownError, NotAllowedError) as error:
                raise (error if error.suggestion else self._with_suggestion(name, error)) from None
        described = self._api._described(route or None, operation)
        if described is not None and described.standalone_name:
            return None, described.standalone_name
        return route or None, operation

    def _with_suggestion(self, name: str, error: RoutableError) -> RoutableError:
        """The error with the nearest of all names, if there is one; the library compares only one part of the name."""
        near = get_close_matches(name, {*self._api.operations, *(each for each, _ in self._table())}, n=1)
        if not near:
            return error
        message = f'{error.message}; did you mean "{near[0]}"?'
        return type(error)(message, route=error.route, operation=error.operation, allowed=error.allowed, suggestion=near[0])

    def _parameters(self, key: "Key") -> Set[str]:
        """The names that handlers of an operation can take.  The ids above a resource depend on its place."""
        route, operation = key
        if route is None:
            return {each.name for each in self._api.operations[operation].description.parameters}
        resources = self._api.resources
        *parents, name = route.split(".")
        own = resources[name]
        found = {each.name for each in (*own.ids, *own.operations[operation].parameters)}
        if parents:
            above = [resources[each] for each in parents]
        else:
            above = list(resources.values()) if any(name in each.children for each in resources.values()) else []
        for resource in above:
            found.update([f"{resource.name}_id"], (f"{resource.name}_{each.name}" for each in resource.ids))
        return found


class Handler:
    """A function with the keyword arguments that it accepts.

    name    the name that it was registered by
    known   the names of the ids and parameters of its operation
    """

    def __init__(self, name: str, function: "Function", known: Set[str]) -> None:
        self.name = name
        self.function = function
        parameters = list(inspect.signature(function).parameters.values())
        if not any(each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD, each.VAR_POSITIONAL) for each in parameters):
            raise TypeError(f"the handler of {name} must take the Received as its first parameter")
        del parameters[0]
        self._takes_all = any(each.kind is each.VAR_KEYWORD for each in parameters)
        self._names: Set[str] = {each.name for each in parameters if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)}
        self._has_default: Set[str] = {each.name for each in parameters if each.default is not each.empty}
        allowed = {_python_name(each) for each in known} | {"identity"}
        for wrong in sorted(self._names - self._has_default - allowed):
            error = unknown(wrong, f"the operation {name}", None, allowed, UnknownError)
            raise TypeError(f"the handler of {name} has the parameter {wrong}: {error}")

    def arguments(self, received: Received, identity: Any) -> Dict[str, Any]:
        """The keyword arguments for a request."""
        names = self._names
        given = {**received.query, **received.ids}
        # A name that the function has counts before another that is only spelled like it.
        named = {_python_name(name): value for name, value in given.items() if name not in names}
        named.update((name, value) for name, value in given.items() if name in names)
        given = named if self._takes_all else {name: value for name, value in named.items() if name in names}
        # Never a parameter of the request.
        if "identity" in names:
            given["identity"] = identity
        # An optional parameter without a value is None, unless the function has a default.
        for name in names - set(given) - self._has_default:
            given[name] = None
        return given


def _python_name(text: str) -> str:
    """The name of a Python parameter for a name of the description."""
    found = re.sub(r"\W", "_", text)
    return found + "_" if keyword.iskeyword(found) else found


# --- Calling functions of the program ---


def call(function: "Function", *values: Any, **arguments: Any) -> Any:
    """The result of a function, which may be asynchronous."""
    result = _called(function, values, arguments)
    return asyncio.run(_awaited(result)) if inspect.isawaitable(result) else result


async def call_async(function: "Function", *values: Any, **arguments: Any) -> Any:
    """Like `call`.  A function that is not asynchronous runs in a thread, so that it does not block the event loop."""
    if inspect.iscoroutinefunction(function):
        return await function(*values, **arguments)
    run = partial(copy_context().run, _called, function, values, arguments)
    result = await asyncio.get_running_loop().run_in_executor(None, run)
    return await result if inspect.isawaitable(result) else result


def _called(function: "Function", values: Tuple[Any, ...], arguments: Mapping[str, Any]) -> Any:
    try:
        return function(*values, **arguments)
    except StopIteration as error:  # which a future cannot have
        raise RuntimeError("the function has raised StopIteration") from error


async def _awaited(result: Awaitable[Any]) -> Any:
    return await result
