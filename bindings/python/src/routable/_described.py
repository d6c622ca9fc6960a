"""The descriptions of a router by name, each read on first use, which also imports describe.py."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from . import _capi as c
from . import _json
from ._handle import Handle
from ._text import to_bytes, to_text

TYPE_CHECKING = False  # True for type checkers; the module typing takes longer to import than this package
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterable, Iterator, Optional, TypeVar

    from .describe import Operation, Resource

    T = TypeVar("T")
else:
    T = object


class Described(Mapping[str, T]):
    """Descriptions by name, in declaration order, each read on first use; so are the names themselves."""

    __slots__ = ("_find", "_known", "_read", "_found")

    def __init__(self, find: Callable[[], Dict[str, Any]], read: Callable[[Any], T]) -> None:
        self._find = find
        self._known: Optional[Dict[str, Any]] = None
        self._read = read
        self._found: Dict[str, T] = {}

    @property
    def _pointers(self) -> Dict[str, Any]:
        known = self._known
        if known is None:
            known = self._known = self._find()
        return known

    def __getitem__(self, name: str) -> T:
        found = self._found.get(name)
        return found if found is not None else self._found.setdefault(name, self._read(self._pointers[name]))

    def __contains__(self, name: object) -> bool:
        return name in self._pointers

    def __iter__(self) -> Iterator[str]:
        return iter(self._pointers)

    def __len__(self) -> int:
        return len(self._pointers)

    def __repr__(self) -> str:
        return repr(dict(self))


def _by_name(name_of: Callable[[Any], Any], pointers: Iterable[Any]) -> Dict[str, Any]:
    return {to_text(name_of(pointer)): pointer for pointer in pointers}


def read_resources(router: Handle) -> Mapping[str, Resource]:
    """Every resource of the router, by name, in declaration order; those that are derived from paths by their route."""
    name_of = c.routable_resource_route if derives_resources(router) else c.routable_resource_name

    def find() -> Dict[str, Any]:
        count = c.routable_router_resource_count(router)
        return _by_name(name_of, (c.routable_router_resource_at(router, index) for index in range(count)))

    return Described(find, lambda pointer: _resource(router, pointer))


def derives_resources(router: Handle) -> bool:
    """Whether the resources are derived from the paths of an OpenAPI document."""
    return bool(c.routable_router_derives_resources(router))


def read_operations(router: Handle) -> Mapping[str, Operation]:
    """The standalone operations of the router, by name."""
    pointers = (c.routable_router_operation_at(router, index) for index in range(c.routable_router_operation_count(router)))
    found = _by_name(c.routable_operation_name, pointers)
    return Described(lambda: found, lambda pointer: _operation(router, pointer))


def read_types(router: Handle) -> Mapping[str, Any]:
    """The JSON Schemas of the named types, by name."""
    found: Dict[str, Any] = {}
    for index in range(c.routable_router_type_count(router)):
        schema = to_bytes(c.routable_router_type_schema_at(router, index))
        found[to_text(c.routable_router_type_name_at(router, index))] = _json.loads("type", schema)
    return MappingProxyType(found)


def _resource(router: Handle, pointer: Any) -> Resource:
    from .describe import read_resource

    return read_resource(router, pointer)


def _operation(router: Handle, pointer: Any) -> Operation:
    from .describe import read_operation

    return read_operation(router, pointer)
