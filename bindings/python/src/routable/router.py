"""Router: an opened description."""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from ctypes import POINTER, byref

from . import _capi as c
from . import _described, _json
from . import _names as names
from ._check import check, new_error, take_string
from ._handle import Owned
from ._text import data, name, natural, optional_name, to_text, utf8
from ._using import Places, Target, Using, split
from .errors import ArgumentError, NotAllowedError, UnknownAttributeError, UnknownError, as_attribute
from .match import Match, Matcher, closed, finder, read_value
from .plan import Plan
from .request import Request, new_request
from .walk import BoundOperation, Collection, Operations, spelled, unknown

TYPE_CHECKING = False  # True for type checkers; the module typing takes longer to import than this package
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterable, Iterator, List, Literal, NoReturn, Optional, Tuple, Union, overload

    from . import describe
    from .aio import AsyncClient
    from .client import Client
    from .received import Received
    from .response import Mapper, Response
    from .schema import Schema

    _Headers = Union[Mapping[str, str], Iterable[Tuple[str, str]]]
else:

    def overload(function):
        return function


_MATCH = """Matches a path or a URL; returns a Match, or None if no route has this path.

path           the path after the base, with its leading slash: "/users/initFabian", not "/v1/users/initFabian" (see
               whole_path); or a URL that begins with the base.  The query and the fragment are ignored
method         "GET"; None: any method, preferably GET, otherwise the first by name
any_slash      ignore a trailing slash; see Match.slash
fold_case      ignore the case of ASCII letters in literals; an exact match is preferred
merge_slashes  treat consecutive slashes as one
whole_path     the path begins with the path of the base, as a server receives it: "/v1/users/..."

Raises MethodNotAllowedError, with `allowed`, if the path is known but the method is not; HEAD has no special meaning.
Literals take precedence over parameters, and parameters with a type over those without.  The order of declaration does not
matter.
"""


class PlainRouter(Owned):
    """The methods and properties of a router, without the names of the description; `routable.router` returns it.

    Immutable: any number of threads may use one router at the same time.
    """

    # `match` is a function of this router alone, which Python finds in the slot: a method of the class would cost half as
    # much again as the call of the library, because of `__getattr__`.
    __slots__ = {
        "_resources": None, "_is_derived": None, "_operations": None, "_matcher": None, "_mapper": None, "_twin": None, "match": _MATCH,
    }

    # A name of the description can hide each public name of a subclass: the code below uses names with an underscore.

    def __init__(self, pointer: Any) -> None:
        super().__init__(pointer, c.routable_router_free)
        handle = self._live()
        self._resources = _described.read_resources(handle)
        #: Whether the resources are derived from the paths of the operations, which happens on first use.
        self._is_derived = _described.derives_resources(handle)
        self._operations = _described.read_operations(handle)
        self._matcher: Matcher = Matcher(handle)
        self._mapper: Optional[Mapper] = None
        #: Of a Router: its PlainRouter, if there is one; of a PlainRouter: a weak reference to its Router.
        self._twin: Any = None
        _set_match(self, finder(self._matcher))

    def close(self) -> None:
        """Frees the router.  A second call does nothing; any other use raises ValueError."""
        twin, self._twin = self._twin, None
        self._close()
        twin = twin() if isinstance(twin, weakref.ref) else twin
        if twin is not None:
            twin._twin = None
            twin._close()

    def _close(self) -> None:
        Owned.close(self)
        if not TYPE_CHECKING:
            self._matcher = None  # what matched before has it
            self._mapper = None
            _set_match(self, closed)

    def __exit__(self, *exception: object) -> None:
        PlainRouter.close(self)

    @property
    def _resource_map(self) -> Mapping[str, describe.Resource]:
        self._live()
        return self._resources

    # --- Introspection ---

    @property
    def name(self) -> str:
        """The name of the description, or ""."""
        handle = self._live()
        return to_text(c.routable_router_name(handle))

    @property
    def base(self) -> str:
        """The base to which paths are appended, or ""."""
        handle = self._live()
        return to_text(c.routable_router_base(handle))

    @property
    def resources(self) -> Mapping[str, describe.Resource]:
        """The resources by name: capabilities, children, operations, ids, type, user data.  The resources of an OpenAPI document
        are derived from its paths, and their keys are routes: `api.resources["repos.issues"]`."""
        return self._resource_map

    @property
    def operations(self) -> Operations:
        """The standalone operations: `api.operations.search(q="x")`, `api.operations["search"].description`."""
        self._live()
        return Operations(_Free(self, self._operations))

    @property
    def types(self) -> Mapping[str, Any]:
        """The JSON Schemas of the named types, by name."""
        return _described.read_types(self._live())

    def schema(self, type: str) -> Schema:
        """The compiled schema of a named type, which outlives the router.  Raises UnknownError."""
        from .schema import Schema

        out, error = POINTER(c.routable_schema)(), new_error()
        check(c.routable_schema_of_type(self._live(), name("type", type), byref(out), byref(error)), error)
        return Schema._of(out)

    @property
    def user_data(self) -> describe.UserData:
        """The `x-` keys of the document."""
        from functools import partial

        from .describe import UserData

        handle = self._live()
        return UserData(handle, partial(c.routable_router_user_data, handle))

    @property
    def document(self) -> Dict[str, Any]:
        """The description as a route document, or the OpenAPI document that was opened, with its overlays applied."""
        text = take_string(c.routable_router_document, self._live())
        document: Dict[str, Any] = _json.loads("document", text)
        return document

    @property
    def warnings(self) -> Tuple[str, ...]:
        """Warnings about the description, as sentences: for example, that no path can reach a route."""
        handle = self._live()
        count = c.routable_router_warning_count(handle)
        found = [to_text(c.routable_router_warning_at(handle, index)) for index in range(count)]
        return tuple(found + names.warnings({} if self._is_derived else self._resources, self._operations, dir(Router)))

    @property
    def match_bytes(self) -> int:
        """The size of the table for `match`, in bytes."""
        return int(c.routable_router_match_bytes(self._live()))

    # --- The API map and the route table ---

    def map(self) -> str:
        """The map of the resources: one line for each, with its capabilities, children and type.  `routes` also lists the
        operations that belong to no resource, such as those of an OpenAPI document."""
        return take_string(c.routable_router_map, self._live())

    @overload
    def routes(self, *, as_json: Literal[False] = False) -> str: ...

    @overload
    def routes(self, *, as_json: Literal[True]) -> List[Dict[str, Any]]: ...

    def routes(self, *, as_json: bool = False) -> Union[str, List[Dict[str, Any]]]:
        """The route table as a str, or with `as_json` as a list of dicts (docs/schema/routes.schema.json)."""
        if not as_json:
            return take_string(c.routable_router_routes, self._live())
        text = take_string(c.routable_router_routes_json, self._live())
        rows: List[Dict[str, Any]] = _json.loads("routes", text)
        return rows

    # --- Building ---

    @overload
    def build(self, free_operation: Optional[str], options: Optional[Using] = None, /, **named: object) -> Request: ...

    @overload
    def build(self, route: Optional[str], operation: str, options: Optional[Using] = None, /, **named: object) -> Request: ...

    def build(self, first: Optional[str], /, *given: Any, **named: object) -> Request:
        """Builds a request from names: `api.build("user.status", "read", using(ids=["a", "3"]))`.

        With one name it builds a request of a standalone operation: `api.build("search", q="x")`.  `using` takes the ids in the
        order of the route, or by name: {"user_id": "a", "id": "3"}.  It also takes the body and the other options.  Keywords are
        declared parameters, as in the call of a BoundOperation, and ids by name.

        Raises a RefusedError if the description does not allow the call.  Nothing is sent.
        """
        names_given, options = split((first, *given))
        if len(names_given) > 2 or not all(isinstance(each, str) for each in names_given[1:]):
            raise ArgumentError(
                "build accepts the names of a route and an operation, and using(...), in which the body stands: using(body=...)",
                parameter="body",
            )
        route: Any = names_given[0] if len(names_given) == 2 else None
        operation: Any = names_given[-1]
        call = {} if options is None and not named else self._target(route, operation).arranged((), None, options, named)
        return self._build(route, operation, call)

    def _target(self, route: Optional[str], operation: Any) -> Target:
        """The places of the parameters of an operation, with the ids of its route."""
        described = self._described(route, operation)
        if described is None:
            return Target(route, operation, _Anywhere())  # the library refuses the operation
        return Target(route, operation, names.places(self._resources, route, described), described)

    @overload
    def plan(self, free_operation: str, /) -> Plan: ...

    @overload
    def plan(self, route: str, operation: str, /) -> Plan: ...

    def plan(self, first: str, second: Optional[str] = None, /) -> Plan:
        """Resolves a route and an operation once, to build many URLs: `plan("initFabian", "3")`.

        With one name it resolves a standalone operation.  Raises UnknownError, NotAllowedError.  See `Plan`.
        """
        route, operation = (None, first) if second is None else (first, second)
        return Plan(self._live(), route, operation, self._target)

    # --- Matching ---

    if TYPE_CHECKING:

        def match(
            self,
            path: Union[str, bytes],
            method: Optional[str] = None,
            *,
            any_slash: bool = False,
            fold_case: bool = False,
            merge_slashes: bool = False,
            whole_path: bool = False,
        ) -> Optional[Match]: ...

    def read_parameter(
        self, operation: str, parameter: str, text: Union[str, bytes], *, location: Optional[str] = None
    ) -> Any:
        """Parses the value of a declared parameter of a standalone operation, by its style and type; None if it is absent.

        For a path parameter, pass the segment as it was matched; for a query parameter, the whole query without the "?"; for
        a header, its value; for a cookie, the Cookie header.  `location` is required if the operation declares the name in
        several places: "path", "query", "header" or "cookie".  Raises UnknownError, ParameterError, ValueRefusedError.
        """
        found = self._operations.get(operation)
        if found is None:
            raise unknown(operation, "the description", None, self._operations)
        index = names.index(found, parameter, location)
        handle = self._live()
        pointer = c.routable_router_operation(handle, name("operation", operation))
        content = utf8("text", text) if isinstance(text, str) else bytes(text)
        return read_value(handle, pointer, index, content)

    # --- Requests that a service receives ---

    def read(
        self,
        first: Union[Request, str],
        target: Union[str, bytes, None] = None,
        headers: Union[_Headers, Iterable[Tuple[bytes, bytes]]] = (),
        body: bytes = b"",
        *,
        base_path: Optional[str] = None,
        max_errors: int = 16,
        max_body_bytes: int = 64 << 20,
        refuse_undeclared: bool = False,
        require_credentials: bool = False,
    ) -> Received:
        """Reads a request to its call, the inverse of building: `api.read("GET", "/v1/users/ann?page=2", headers, body)`, or
        `api.read(request)` for a request that was built.

        base_path            the path in front of the paths of the API; None: that of the base of the description
        max_errors           the maximum number of reasons
        max_body_bytes       the maximum size of the body
        refuse_undeclared    query parameters that the call cannot hold are refused, not listed in `Received.ignored`
        require_credentials  the credentials that the operation requires must be there; they are not verified

        If the request is no call, raises the first reason, with the others in `next`: each has its `pointer` in the JSON of the
        call, and the `http_status` of the response that a service should send.  The status of the error is "no_match" if no route
        has the path; MethodNotAllowedError has the methods in `allowed`.
        """
        from .received import read

        return read(
            self, self._live(), first, target, headers, body, base_path, max_errors, max_body_bytes, refuse_undeclared,
            require_credentials,
        )

    def _receive(
        self, method: str, target: bytes, headers: Iterable[Tuple[bytes, bytes]], body: bytes, base_path: Optional[str], max_body_bytes: int,
        flags: int, verify: Callable[[str, str], bool],
    ) -> Received:
        """What a Service reads: with credentials, and with the response to send in the exception."""
        from .received import read

        return read(self, self._live(), method, target, headers, body, base_path, 16, max_body_bytes, False, True, flags, verify)

    # --- Links ---

    def follow(
        self,
        source: Union[Response, str],
        *,
        rel: Optional[str] = None,
        pointer: Optional[str] = None,
        values: Optional[Mapping[str, object]] = None,
        method: str = "GET",
        base: "Union[str, Client, AsyncClient, None]" = None,
    ) -> Request:
        """The request for a URL, or for one that a response contains: its Location header, or the Link header with the
        relation `rel`, or the string at the JSON `pointer` of its body.

        A relative URL is relative to the URL of the response, or to the base if there is none.  With `values` the URL is a URI
        template (RFC 6570).  If the URL matches a route, the request belongs to its operation, otherwise to the operation
        "follow".  `base` replaces the base of the router: a base, or the client that performs the request.  Only a request
        within the origin of the base is sent with credentials.

        Raises ResponseError if the response does not have the link; URLError, DocumentError, ValueRefusedError.
        """
        from .links import follow

        return follow(self, source, rel=rel, pointer=pointer, values=values, method=method, base=base)

    # --- Answers ---

    def map_response(
        self,
        route: Optional[str],
        operation: str,
        status: int,
        headers: _Headers = (),
        body: bytes = b"",
    ) -> Response:
        """Maps a response of another client to the declared type; `route` is None for a standalone operation.

        Raises HTTPStatusError, with the response, for a status that the operation does not declare as a success; ArgumentError
        for an invalid status; HeaderError, ResponseError, UnknownError, NotAllowedError.
        """
        mapper = self._mapper
        if mapper is None:
            from .response import Mapper

            mapper = self._mapper = Mapper(self._live())
        pairs = headers.items() if headers and isinstance(headers, Mapping) else headers
        return mapper.map(self._result_type, route, operation, status, pairs, body)

    def __repr__(self) -> str:
        if self._handle is None:
            return f"<routable.{type(self).__name__} closed>"
        handle = self._live()
        count = len(self._operations)
        if not self._is_derived:
            count += sum(len(each.operations) for each in self._resources.values())
        title = to_text(c.routable_router_name(handle))
        return f"<routable.{type(self).__name__} {title!r}: {len(self._resources)} resources, {count} operations>"

    def _build(self, route: Optional[str], operation: str, call: Dict[str, Any]) -> Request:
        expected = call.pop("expect", None)
        body = call.get("body")
        if isinstance(body, (bytes, bytearray, memoryview)):
            call["body"] = b""  # without the content, which is sent unchanged, and would be copied as base64
        else:
            body = None
        message = _json.call(route, operation, **call)
        made = new_request(self._live(), message, self._result_type(route, operation))
        if body:
            made.set_body(body)
        if expected is not None:
            made._expected = expected
        return made

    def _described(self, route: Optional[str], operation: str) -> Optional[describe.Operation]:
        if route is None:
            return self._operations.get(operation)
        resource = self._resources.get(route if self._is_derived else route.rpartition(".")[2])
        if resource is None and self._is_derived:
            pointer = c.routable_router_resource(self._live(), optional_name("route", route))  # written in another way
            resource = self._resources.get(to_text(c.routable_resource_route(pointer)))
        return resource.operations.get(operation) if resource is not None else None

    def _result_type(self, route: Optional[str], operation: str) -> Optional[str]:
        """The named type that the operation declares, if there is such an operation."""
        found = self._described(route, operation)
        return found.result_type if found is not None else None

    def _refuse(self, route: str, operation: str) -> NoReturn:
        """Raises the library's error for a missing route or operation as an AttributeError."""
        out, error = POINTER(c.routable_plan)(), new_error()
        arguments = name("route", route), name("operation", operation)
        try:
            check(c.routable_plan_new(self._live(), *arguments, byref(out), byref(error)), error)
        except (NotAllowedError, UnknownError) as refused:
            raise as_attribute(refused) from None
        c.routable_plan_free(out)
        raise AttributeError(f"{route}: the router has the operation {operation}, but the API does not declare it")


class Router(PlainRouter):
    """An opened description of an API; `routable.open` and `routable.loads` return it.

    Its resources at the root and its standalone operations are attributes, or items if a name is not an identifier:

        api.user("initFabian").status("3").read()        api["x-y"]("1").list()

    The resources of an OpenAPI document are derived from its paths: `api.repos("octocat", "hello").issues(5).comments.list()` is
    the request of `api.operations["issues/list-comments"](owner="octocat", ...)`.  A `-` in a name may be written as `_`.

    The methods of a router are attributes, too, except those with the name of a resource or of an operation: there, the
    description takes precedence, and `warnings` lists the names.  `routable.router(api)` has all methods.

    Immutable: any number of threads may use one router at the same time.
    """

    __slots__ = ()

    def __init__(self, pointer: Any) -> None:
        super().__init__(pointer)
        hidden = names.hidden({} if self._is_derived else self._resources, self._operations, _PUBLIC)
        if hidden:  # a class for this description, because Python finds the methods of a class before `__getattr__`
            own = {each: _named(each) for each in hidden}
            self.__class__ = type(type(self).__name__, (type(self),), {"__slots__": (), "__module__": __name__, **own})

    def __getattr__(self, name: str) -> Collection:
        if name.startswith("_"):
            raise AttributeError(name)
        free = self._operations.get(name)
        # Resources that are derived from paths do not hide the operations of a document.
        if (free is None or not self._is_derived) and name in self._resource_map:
            return self[name]
        if free is not None:
            # Typed as what most attributes are, a collection; `.operations` has the true type.
            return BoundOperation(self, None, (), free)  # type: ignore[return-value]
        near = spelled(name, (*self._operations, *self._roots()))
        if near is not None:
            return self.__getattr__(near)
        raise unknown(name, "the description", None, [*self._roots(), *self._operations])

    def __getitem__(self, name: str) -> Collection:
        """The resource with this name, also if the name is not an identifier."""
        found = self._resource_map.get(name)
        if found is None:
            if self._is_derived:
                self._refuse(name, "read")
            raise unknown(name, "the description", None, self._roots())
        if not found.is_root:
            if self._is_derived:
                parents: Tuple[str, ...] = (name[: max(name.rfind("."), name.rfind("/"))],)
            else:
                parents = tuple(sorted(each for each, parent in self._resources.items() if name in parent.children))
            raise UnknownAttributeError(
                f"{name} is only available below another resource: {', '.join(parents)}", parameter=name, allowed=parents
            )
        return Collection(self, (name,), ())

    def _roots(self) -> List[str]:
        return [name for name, each in self._resources.items() if each.is_root]

    def __dir__(self) -> List[str]:
        return sorted({*super().__dir__(), *self._roots(), *self._operations})


def _named(name: str) -> property:
    return property(lambda router: Router.__getattr__(router, name))


#: The names that a description may hide.
_PUBLIC = frozenset(each for each in dir(Router) if not each.startswith("_"))


def router(api: PlainRouter) -> PlainRouter:
    """The methods and properties of a router without the names of its description, which can hide none of them:

        routable.router(api).match("/users/ann"), routable.router(api).close()

    Closing one of the two closes both.
    """
    if not isinstance(api, Router):
        if isinstance(api, PlainRouter):
            return api
        raise TypeError(f"router requires a Router, not {type(api).__name__}")
    known: Optional[PlainRouter] = api._twin
    if known is None:
        known = PlainRouter.__new__(PlainRouter)
        for each in ("_handle", "_resources", "_is_derived", "_operations", "_matcher", "_mapper"):
            setattr(known, each, getattr(api, each))
        known._twin = weakref.ref(api)
        if api._handle is None:
            _set_match(known, closed)
        else:
            _set_match(known, finder(api._matcher))
            api._twin = known
    return known


class _Free(Mapping[str, BoundOperation]):
    """The standalone operations, each bound on access: an OpenAPI document has hundreds."""

    __slots__ = ("_router", "_described")

    def __init__(self, router: PlainRouter, described: Mapping[str, describe.Operation]) -> None:
        self._router = router
        self._described = described

    def __getitem__(self, name: str) -> BoundOperation:
        return BoundOperation(self._router, None, (), self._described[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._described)

    def __len__(self) -> int:
        return len(self._described)


class _Anywhere(Places):
    """Every name is that of a query parameter."""

    def get(self, name: str, default: Any = None) -> Any:
        return ("query",)


#: The setter of the slot, because a subclass may have its own `match`.
_set_match = PlainRouter.__dict__["match"].__set__
