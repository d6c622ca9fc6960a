"""Resources, operations and parameters of a router, as immutable values."""

from __future__ import annotations

from ctypes import byref, sizeof
from dataclasses import dataclass, field
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any, Callable, Dict, Mapping, Optional, Tuple

from . import _capi as c
from . import _json
from ._check import check_value, new_error, take_string
from ._handle import Handle
from ._using import places_of
from ._text import name as c_name
from ._text import natural, optional_name, static, to_bytes, to_text
from .errors import UnknownError

_CAPABILITIES = (
    ("list", c.ROUTABLE_CAN_LIST),
    ("read", c.ROUTABLE_CAN_READ),
    ("create", c.ROUTABLE_CAN_CREATE),
    ("update", c.ROUTABLE_CAN_UPDATE),
    ("patch", c.ROUTABLE_CAN_PATCH),
    ("delete", c.ROUTABLE_CAN_DELETE),
)
_PLACES = ("collection", "member", "root")
_WAYS = ("", "link", "cursor", "page", "offset")
_LOCATIONS = ("path", "query", "header", "cookie")


class UserData:
    """The `x-` keys of a description by name: `user_data["x-owner"]`, `user_data.get("x-owner")`."""

    __slots__ = ("_owner", "_function")

    def __init__(self, owner: Handle, function: Callable[[bytes], c.routable_str]) -> None:
        self._owner = owner  # the function reads memory of this object
        self._function = function

    def _read(self, key: str) -> bytes:
        return to_bytes(self._function(c_name("key", key)))

    def get(self, key: str, default: Any = None) -> Any:
        """The value of the key, or `default`."""
        text = self._read(key)
        return _json.loads(key, text) if text else default

    def __getitem__(self, key: str) -> Any:
        text = self._read(key)
        if not text:
            raise KeyError(key)
        return _json.loads(key, text)

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and bool(self._read(key))


@dataclass(frozen=True)
class Parameter:
    """A declared parameter of a path, a query, a header or a cookie."""

    name: str
    location: str  #: "path", "query", "header", "cookie"
    type: str  #: "string", "integer", "number", "boolean", "array", "object", "any"
    required: bool
    description: str
    style: str  #: the serialization style: "simple", "form", "deepObject", ... (docs/openapi.md, "Styles")
    takes_segments: bool = False  #: of a path: a value is one or more segments
    allows_empty: bool = False  #: of a path: a value may be ""


@dataclass(frozen=True)
class Pagination:
    """The pagination of an operation (docs/pagination.md)."""

    by: str  #: "link", "cursor", "page", "offset"
    parameter: Optional[str]  #: the query parameter with the page, offset or cursor
    size: Optional[str]  #: the query parameter with the page size
    at: Optional[str]  #: JSON pointer to the cursor or the link in the body; None: the Link header
    items: str  #: JSON pointer to the items of a page; "": the body itself
    start: int  #: the number of the first page


@dataclass(frozen=True)
class Policy:
    """The policy that a description declares for an operation; None for values that it does not declare."""

    deadline: Optional[float]  #: seconds for all attempts
    retries: Optional[int]
    retry_delay: Optional[float]  #: seconds before the first retry
    idempotency_header: Optional[str]  #: the header with a random key, the same for all attempts


@dataclass(frozen=True)
class Operation:
    """An operation of a collection or a member, or a standalone operation."""

    name: str
    method: str  #: "GET"
    path: str  #: the path template, relative to its place: "users/{username}"
    place: str  #: "collection", "member", "root"
    parameters: Tuple[Parameter, ...]
    body_type: Optional[str]
    result_type: Optional[str]
    description: str
    media_types: Tuple[str, ...]  #: media types accepted for the request body, preferred first; () if none are listed
    #: Of a resource that is derived from paths: the name of the same operation without a route, its `operationId`
    standalone_name: Optional[str]
    user_data: UserData = field(repr=False, compare=False)
    _source: Callable[[], bytes] = field(repr=False, compare=False)
    _router: Handle = field(repr=False, compare=False)  # the pointer refers to memory of this object
    _pointer: Any = field(repr=False, compare=False)
    _policy: Callable[[], Policy] = field(repr=False, compare=False)
    _pagination: Callable[[], Optional[Pagination]] = field(repr=False, compare=False)

    @cached_property
    def _places(self) -> Dict[str, Tuple[str, ...]]:
        """The locations of its parameters by name."""
        return places_of(self.parameters)

    @property
    def policy(self) -> Policy:
        """The policy of the operation, including the document's defaults."""
        return self._policy()

    @property
    def pagination(self) -> Optional[Pagination]:
        """The pagination of the operation, or None."""
        return self._pagination()

    @property
    def source(self) -> Optional[Dict[str, Any]]:
        """The operation in its OpenAPI document; None for a route document."""
        text = self._source()
        found: Optional[Dict[str, Any]] = _json.loads(self.name, text) if text else None
        return found

    def body_schema(self, content_type: Optional[str] = None) -> Any:
        """The JSON Schema of the request body, named or inline; None if none is declared.  A `$ref` in it refers to the document
        of the router; `check_body` resolves it.

        `content_type` selects one of several declared bodies; None: the preferred one.  Raises BodyError if it is not declared.
        """
        return self._schema(c.routable_operation_body_schema, optional_name("content_type", content_type))

    def result_schema(self, status: int = 200) -> Any:
        """The JSON Schema of the response body for a status, which may be an error status; None if none is declared."""
        return self._schema(c.routable_operation_result_schema, natural("status", status, 100, 999))

    def check_body(self, value: object, *, content_type: Optional[str] = None, max_errors: int = 1) -> None:
        """Validates a request body, in which members that are readOnly are not required.

        bytes are JSON; any other value is converted to JSON first.  Raises BodyError with up to `max_errors` errors, linked by
        `.next`; UnknownError if no schema is declared; JSONError, LimitError.
        """
        self._check(c.routable_operation_check_body, optional_name("content_type", content_type), value, max_errors)

    def check_result(self, value: object, status: int = 200, *, max_errors: int = 1) -> None:
        """Validates a response body for a status; members that are writeOnly are not required.  See check_body."""
        self._check(c.routable_operation_check_result, natural("status", status, 100, 999), value, max_errors)

    def sample_body(self, *, seed: int = 0, varied: bool = False, content_type: Optional[str] = None) -> Any:
        """A generated request body that is valid, without members that are readOnly: the same for the same seed.

        `varied` prefers edges: empty and long strings, Unicode, large numbers, null.  Raises UnsupportedError if no valid value was
        found; UnknownError if no schema is declared; BodyError.
        """
        return self._sample(c.routable_operation_sample_body, optional_name("content_type", content_type), seed, varied)

    def sample_result(self, status: int = 200, *, seed: int = 0, varied: bool = False) -> Any:
        """A generated response body that is valid for a status, without members that are writeOnly.  See sample_body."""
        return self._sample(c.routable_operation_sample_result, natural("status", status, 100, 999), seed, varied)

    def _sample(self, function: Any, which: Any, seed: int, varied: bool) -> Any:
        flags = c.ROUTABLE_SAMPLE_VARIED if varied else 0
        text = take_string(function, self._router, self._pointer, which, natural("seed", seed, 0, (1 << 64) - 1), flags)
        return _json.loads(self.name, text)

    def _schema(self, function: Any, which: Any) -> Any:
        try:
            text = take_string(function, self._router, self._pointer, which)
        except UnknownError:
            return None
        return _json.loads(self.name, text)

    def _check(self, function: Any, which: Any, value: object, max_errors: int) -> None:
        content, error = _json.text("value", value), new_error()
        status = function(
            self._router, self._pointer, which, content, len(content), natural("max_errors", max_errors, 1), byref(error)
        )
        check_value(status, error, value)


@dataclass(frozen=True)
class Resource:
    """A resource.  Its children are names, because the graph may have cycles; a resource of an OpenAPI document is derived from
    paths and has one route, which is its key in `Router.resources`."""

    name: str
    path: str
    capabilities: Tuple[str, ...]  #: from list, read, create, update, patch, delete
    children: Tuple[str, ...]
    ids: Tuple[Parameter, ...]  #: of a member, from left to right
    type: Optional[str]
    is_root: bool  #: False: reachable only through a parent
    route: Optional[str]  #: the only route that leads to it; None: declared as nested, so that several may
    place: str  #: where it is reached from: "root", or the "collection" or a "member" of its parent
    operations: Mapping[str, Operation] = field(repr=False)
    description: str
    user_data: UserData = field(repr=False, compare=False)
    #: The keys of its children in `Router.resources`, by place and name.
    _below: Mapping[Tuple[str, str], str] = field(repr=False, compare=False)


def _children(router: Handle, pointer: Any) -> Dict[Tuple[str, str], str]:
    is_derived = bool(c.routable_router_derives_resources(router))
    found: Dict[Tuple[str, str], str] = {}
    for index in range(c.routable_resource_child_count(pointer)):
        child = c.routable_resource_child_at(pointer, index)
        name = to_text(c.routable_resource_name(child))
        if is_derived:
            found[_PLACES[c.routable_resource_place(child)], name] = to_text(c.routable_resource_route(child))
        else:
            found["member", name] = name
    return found


def read_resource(router: Handle, pointer: Any) -> Resource:
    below = _children(router, pointer)
    bits = c.routable_resource_capabilities(pointer)
    operations: Dict[str, Operation] = {}
    for index in range(c.routable_resource_operation_count(pointer)):
        operation = read_operation(router, c.routable_resource_operation_at(pointer, index))
        operations[operation.name] = operation
    return Resource(
        name=to_text(c.routable_resource_name(pointer)),
        path=to_text(c.routable_resource_path(pointer)),
        capabilities=tuple(name for name, bit in _CAPABILITIES if bits & bit),
        children=tuple(dict.fromkeys(name for _, name in below)),
        ids=tuple(
            read_parameter(c.routable_resource_id_at(pointer, index)) for index in range(c.routable_resource_id_count(pointer))
        ),
        type=to_text(c.routable_resource_type(pointer)) or None,
        is_root=bool(c.routable_resource_is_root(pointer)),
        route=to_text(c.routable_resource_route(pointer)) or None,
        place=_PLACES[c.routable_resource_place(pointer)],
        operations=MappingProxyType(operations),
        description=to_text(c.routable_resource_description(pointer)),
        user_data=UserData(router, partial(c.routable_resource_user_data, pointer)),
        _below=MappingProxyType(below),
    )


def read_operation(router: Handle, pointer: Any) -> Operation:
    """Reads an operation of the router."""
    return Operation(
        name=to_text(c.routable_operation_name(pointer)),
        method=to_text(c.routable_operation_method(pointer)),
        path=to_text(c.routable_operation_path(pointer)),
        place=_PLACES[c.routable_operation_place(pointer)],
        parameters=tuple(
            read_parameter(c.routable_operation_parameter_at(pointer, index))
            for index in range(c.routable_operation_parameter_count(pointer))
        ),
        body_type=to_text(c.routable_operation_body_type(pointer)) or None,
        result_type=to_text(c.routable_operation_result_type(pointer)) or None,
        description=to_text(c.routable_operation_description(pointer)),
        media_types=tuple(
            to_text(c.routable_operation_media_type_at(pointer, index))
            for index in range(c.routable_operation_media_type_count(pointer))
        ),
        standalone_name=to_text(c.routable_operation_standalone_name(pointer)) or None,
        _source=partial(_source, router, pointer),
        _router=router,
        _pointer=pointer,
        _policy=partial(_policy, router, pointer),
        _pagination=partial(_pagination, router, pointer),
        user_data=UserData(router, partial(c.routable_operation_user_data, pointer)),
    )


def read_parameter(pointer: Any) -> Parameter:
    """Reads a parameter of a router, which must still be alive."""
    return Parameter(
        name=to_text(c.routable_parameter_name(pointer)),
        location=_LOCATIONS[c.routable_parameter_location(pointer)],
        type=to_text(c.routable_parameter_type(pointer)),
        required=bool(c.routable_parameter_is_required(pointer)),
        description=to_text(c.routable_parameter_description(pointer)),
        style=static(c.routable_parameter_style(pointer)),
        takes_segments=bool(c.routable_parameter_takes_segments(pointer)),
        allows_empty=bool(c.routable_parameter_allows_empty(pointer)),
    )


def _source(router: Handle, pointer: Any) -> bytes:
    """`router` keeps the object of the pointer alive."""
    return to_bytes(c.routable_operation_source(pointer))


def _policy(router: Handle, pointer: Any) -> Policy:
    """`router` keeps the object of the pointer alive."""
    stated = c.routable_policy(size=sizeof(c.routable_policy))
    c.routable_operation_policy(pointer, byref(stated))
    return Policy(
        deadline=stated.deadline_ms / 1000 if stated.deadline_ms else None,
        retries=max(0, stated.retries) if stated.retries else None,
        retry_delay=max(0, stated.retry_delay_ms) / 1000 if stated.retry_delay_ms else None,
        idempotency_header=to_text(stated.idempotency_header) or None,
    )


def _pagination(router: Handle, pointer: Any) -> Optional[Pagination]:
    """`router` keeps the object of the pointer alive."""
    stated = c.routable_pagination(size=sizeof(c.routable_pagination))
    if not c.routable_operation_pagination(pointer, byref(stated)):
        return None
    return Pagination(
        by=_WAYS[stated.by],
        parameter=to_text(stated.page_parameter) or None,
        size=to_text(stated.size_parameter) or None,
        at=to_text(stated.cursor) or None,
        items=to_text(stated.items),
        start=stated.first_page,
    )
