"""Collections and members of the graph as attributes: `api.user("x").status("3").comment.list()`.

A Collection is a resource without its id, a Member is one with it; calling a collection with an id returns the member.  Both
are immutable values that can be stored, extended and shared by threads.
"""

from __future__ import annotations

from collections.abc import Mapping

from ._using import Target, Using, split
from .errors import IdAttributeError, IdError, UnknownAttributeError, UnknownError, UnknownKeyError
from .request import Request

TYPE_CHECKING = False  # True for type checkers; the module typing takes longer to import than this package
if TYPE_CHECKING:
    from typing import Any, Dict, Iterable, Iterator, List, NoReturn, Optional, Sequence, Tuple, Type, Union, overload
    from uuid import UUID

    from inspect import Signature

    from . import describe
    from .router import PlainRouter
else:

    def overload(function):
        return function


_ABSENT = object()
_VERBS = frozenset(("list", "read", "create", "update", "patch", "delete"))


class BoundOperation:
    """An operation with its route and ids.  Calling it builds the request; nothing is sent."""

    __slots__ = ("_router", "_route", "_ids", "_description")

    def __init__(
        self, router: PlainRouter, route: Optional[str], ids: Tuple[object, ...], description: describe.Operation
    ) -> None:
        self._router = router
        self._route = route
        self._ids = ids
        self._description = description

    def __call__(self, body: object = None, options: Optional[Using] = None, /, *surplus: object, **named: object) -> Request:
        """Builds the request.

            operation(), operation(body), operation(using(...)), operation(body, using(...), q="x", page=2)

        body          a JSON value, a dataclass or a pydantic model; bytes are sent unchanged
        options       `routable.using(...)`: headers, the base, undeclared parameters, files and other options
        **named       declared parameters of the operation by name; None: absent, so that a declared default is sent.  The value
                      of an array parameter is a list or a tuple; a str is one element

        A keyword is always a parameter that the description declares.  Raises a RefusedError (UnknownError, IdError,
        ValueRefusedError, ParameterError, BodyError, HeaderError ...) if the description does not allow the call, and URLError
        if there is no base.
        """
        description = self._description
        if options is not None or surplus or isinstance(body, Using):
            given, options = split((body,) if options is None and not surplus else (body, options, *surplus))
            if len(given) > 1:
                self._surplus()
            body = given[0] if given else None
        if options is None and not named:
            call: Dict[str, Any] = {"ids": self._ids, "body": body}
        else:
            target = Target(self._route, description.name, description._places, description)
            call = target.arranged(self._ids or None, body, options, named, self._open_ids())
        if isinstance(body, (str, int)) and not call.get("ids") and any(each.location == "path" for each in description.parameters):
            self._surplus()  # an id by position
        return self._router._build(self._route, description.name, call)

    def _open_ids(self) -> Sequence[str]:
        """The names of the ids that the path of the operation has after those of its resource."""
        if self._route is None:
            return ()
        path = [each.name for each in self._description.parameters if each.location == "path"]
        if self._router._is_derived:
            return path[len(self._ids) :]
        own = len(self._router._resource_map[self._route.rpartition(".")[2]].ids)
        return path[own if self._description.place == "member" else own - 1 :]

    def _surplus(self) -> NoReturn:
        name = self._description.name
        path = [each.name for each in self._description.parameters if each.location == "path"]
        if self._route is None and path:
            how = f"its ids have names: {name}({', '.join(f'{each}=...' for each in path)})"
        else:
            how = f"pass ids before it: {self._route or name}(id).{name}(...)" if self._route else f"{name}(q=...) has parameters"
        raise IdError(
            f"{name} accepts the body and using(...) by position; {how}",
            route=self._route, operation=name, parameter=path[0] if path else None, allowed=tuple(sorted(path)),
        )

    @property
    def __signature__(self) -> "Signature":
        """The body, the options and the declared parameters, for inspect.signature and for completion."""
        from ._signature import signature_of

        return signature_of(self._description, self._open_ids())

    @property
    def description(self) -> describe.Operation:
        """The description of the operation: method, path template, parameters, types."""
        return self._description

    def __repr__(self) -> str:
        where = f"{self._route}." if self._route else ""
        return f"<routable operation {where}{self._description.name}: {self._description.method}>"


class _Documentation:
    """The documentation of an operation for an object, and of the class for the class."""

    def __init__(self, text: Optional[str]) -> None:
        self.text = text

    def __get__(self, instance: Any, owner: object) -> Optional[str]:
        if instance is None:
            return self.text
        from ._signature import documentation_of

        return documentation_of(instance._route, instance._description, instance._open_ids())


BoundOperation.__doc__ = _Documentation(BoundOperation.__doc__)  # type: ignore[assignment]


class Operations:
    """The operations of one position, by item or by attribute: `api.operations["pulls/list"]`, `api.operations.search`.

    It has no other attributes, so that no operation is hidden.  Iterating over it yields the names; `len` and `in` count and
    find them.
    """

    __slots__ = ("_found",)

    def __init__(self, found: Mapping[str, BoundOperation]) -> None:
        self._found = found

    def __getitem__(self, name: str) -> BoundOperation:
        try:
            return self._found[name]
        except KeyError:
            raise unknown(name, "operations", None, self._found, UnknownKeyError) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def __contains__(self, name: object) -> bool:
        return name in self._found

    def __getattr__(self, name: str) -> BoundOperation:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._found[name]
        except KeyError:
            raise unknown(name, "operations", None, self._found) from None

    def __dir__(self) -> List[str]:
        return sorted({*super().__dir__(), *self._found})

    def __repr__(self) -> str:
        return f"<routable operations: {', '.join(self._found) or 'none'}>"


class _Step:
    """The common part of collections and members."""

    __slots__ = ("_router", "_walk", "_ids")

    # For type checkers; the description determines which of them exist.
    list: BoundOperation
    read: BoundOperation
    create: BoundOperation
    update: BoundOperation
    patch: BoundOperation
    delete: BoundOperation
    #: The operations of this collection or member, including additional ones; see `__getattr__`.
    operations: Operations

    _place = ""

    def __init__(self, router: PlainRouter, walk: Tuple[str, ...], ids: Tuple[object, ...]) -> None:
        self._router = router
        self._walk = walk
        self._ids = ids

    def _operations(self) -> Operations:
        here = {name: each for name, each in self._resource().operations.items() if each.place == self._place}
        return Operations({name: self._bind(each) for name, each in here.items()})

    def _resource(self) -> describe.Resource:
        return self._router._resource_map[self._walk[-1]]

    def _bind(self, operation: describe.Operation) -> BoundOperation:
        return BoundOperation(self._router, self._route(), self._ids, operation)

    def _route(self) -> str:
        """The route to here.  A walk is one of names, or of the routes themselves if they are derived from paths."""
        return self._walk[-1] if self._router._is_derived else ".".join(self._walk)

    def _given(self) -> Iterator[int]:
        """How many ids belong to each resource of the walk, whose last one may have fewer than it declares."""
        rest = len(self._ids)
        for position, key in enumerate(self._walk):
            resources = self._router._resource_map
            follows = self._walk[position + 1 : position + 2]
            count = 0 if follows and resources[follows[0]].place == "collection" else len(resources[key].ids)
            yield min(count, rest)
            rest -= min(count, rest)

    def _child(self, name: str) -> Collection:
        raise NotImplementedError

    def _children(self) -> List[str]:
        """The names of the resources below here."""
        raise NotImplementedError

    def __getattr__(self, name: str) -> Collection:
        if name.startswith("_"):
            raise AttributeError(name)
        resource = self._resource()
        operation = resource.operations.get(name)
        # A resource here comes before an operation that is not: of a member on the collection, and the other way round.
        if operation is not None and (operation.place == self._place or name not in self._children()):
            # Typed as what most attributes are, a collection; `.operations` has the true type.
            return self._bind(operation)  # type: ignore[return-value]
        if name in resource.children:
            return self._child(name)
        if name == "operations":  # not a property: an operation or a child with this name takes precedence
            return self._operations()  # type: ignore[return-value]
        near = spelled(name, (*resource.operations, *resource.children))
        if near is not None:
            return self.__getattr__(near)
        route = self._route()
        if name in _VERBS:
            self._router._refuse(route, name)
        if name in self._router._resource_map:
            self._router._refuse(f"{route}.{name}", "read")
        known = {**dict.fromkeys(resource.operations), **dict.fromkeys(resource.children)}
        raise unknown(name, resource.name, route, known)

    def __getitem__(self, name: str) -> Collection:
        """The child with this name, also if the name is not an identifier or is the name of an operation."""
        resource = self._resource()
        if name in resource.children:
            return self._child(name)
        route = self._route()
        if name in self._router._resource_map:
            self._router._refuse(f"{route}.{name}", "read")
        raise unknown(name, resource.name, route, resource.children)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self) or not isinstance(other, _Step):
            return NotImplemented
        return self._router is other._router and self._walk == other._walk and self._ids == other._ids

    def __hash__(self) -> int:
        return hash((type(self), id(self._router), self._walk, self._ids))

    def _path(self) -> str:
        steps, given = [], list(self._ids)
        for key, count in zip(self._walk, self._given()):
            own, given = given[:count], given[count:]
            name = self._router._resource_map[key].name
            steps.append(f"{name}({', '.join(map(repr, own))})" if own else name)
        return ".".join(steps)


class Collection(_Step):
    """A resource without its last id: the operations `list` and `create`, and `(id)` for a member.

    If a resource has several ids, `api.repository("octocat", "hello")` is a member, and `api.repository("octocat")` is a
    collection with all ids except the last.
    """

    __slots__ = ()

    _place = "collection"

    # Standalone operations and resources are both attributes of a router, so a checker sees the call of either: ids give a
    # member, a body gives a request.  Names may be those of ids or of parameters.
    @overload
    def __call__(self, id: Union[str, int, UUID], /, *ids: object) -> Member: ...  # type: ignore[overload-overlap]

    @overload
    def __call__(self, body: object = None, options: Optional[Using] = None, /) -> Request: ...

    @overload
    def __call__(self, body: object = None, options: Optional[Using] = None, /, **named: object) -> Any: ...

    def __call__(self, /, *ids: object, **named: object) -> Any:
        """The member with these ids: `api.user("x")`, or by name `api.user(username="x")`, `api.user(id="x")`.

        With fewer ids than the resource has, by position, it is the collection below them.  Raises IdError if there are no
        ids, too many, or an unknown name.  The values are validated when a request is built.
        """
        missing = self._missing()
        if not missing:
            self._wrong_id(missing, "it has no ids", None)
        if any(isinstance(each, Using) for each in ids):
            self._wrong_id(missing, "using(...) belongs to the call of an operation", None)
        if named:
            ids = self._by_name(missing, ids, named)
        if not ids:
            self._wrong_id(missing, "one id is needed" if len(missing) == 1 else "an id is needed", None)
        if len(ids) > len(missing):
            self._wrong_id(missing, f"{len(ids)} ids are given", None)
        kind = Member if len(ids) == len(missing) else Collection
        return kind(self._router, self._walk, (*self._ids, *ids))

    def _missing(self) -> Tuple[str, ...]:
        """The names of the ids that lead from here to a member."""
        *_, given = self._given()
        return tuple(each.name for each in self._resource().ids)[given:]

    def _by_name(self, missing: Tuple[str, ...], ids: Tuple[object, ...], named: Mapping[str, object]) -> Tuple[object, ...]:
        if ids:
            self._wrong_id(missing, "ids are given by position and by name", next(iter(named)))
        given = dict(named)
        if len(missing) == 1 and len(self._resource().ids) == 1 and "id" in given and missing[0] not in given:
            given[missing[0]] = given.pop("id")
        for name in given:
            if name not in missing:
                self._wrong_id(missing, f"no id is named {name!r}", name)
        for name in missing:
            if name not in given:
                self._wrong_id(missing, f"the id {name} is missing", name)
        return tuple(given[name] for name in missing)

    def _wrong_id(self, missing: Tuple[str, ...], why: str, name: Optional[str]) -> NoReturn:
        allowed = tuple(sorted({*missing, "id"} if len(self._resource().ids) == 1 else missing))
        if not missing:
            operations = ", ".join(self._operations())
            raise IdError(f"{self._resource().name}: {why}; operations: {operations or 'none'}", route=self._route())
        raise IdError(
            f"{self._resource().name}: {why}; expected: {', '.join(missing)}",
            route=self._route(), parameter=name or missing[0], allowed=allowed, suggestion=missing[0],
        )

    def _child(self, name: str) -> Collection:
        resource = self._resource()
        here = resource.name
        key = resource._below.get(("collection", name))
        if key is not None and len(self._missing()) == len(resource.ids):
            return Collection(self._router, (*self._walk, key), self._ids)
        missing = self._missing()
        what = "the id" if len(missing) == 1 else "the ids"
        names = ", ".join(missing)
        raise IdAttributeError(
            f"{here}: {what} {names} {'is' if len(missing) == 1 else 'are'} missing before {name}; write {here}({names}).{name}",
            route=f"{self._route()}.{name}", parameter=missing[0],
        )

    def _children(self) -> List[str]:
        return [name for place, name in self._resource()._below if place == "collection"]

    def __dir__(self) -> List[str]:
        return sorted({*object.__dir__(self), *self._operations(), *self._children()})

    def __repr__(self) -> str:
        verbs, children = ", ".join(self._operations()) or "no collection verbs", ", ".join(self._children())
        return f"<routable {self._path()}: {verbs}{'; has ' + children if children else ''}>"


class Member(_Step):
    """A member of a resource: the operations `read`, `update`, `patch` and `delete`, and its children."""

    __slots__ = ()

    _place = "member"

    def _child(self, name: str) -> Collection:
        resource = self._resource()
        key = resource._below.get(("member", name))
        if key is None:
            raise UnknownAttributeError(
                f"{resource.name}: {name} stands directly below {resource.name}, not below a member; write {resource.name}.{name}",
                route=f"{self._route()}.{name}", allowed=tuple(sorted(self._children())),
            )
        return Collection(self._router, (*self._walk, key), self._ids)

    def _children(self) -> List[str]:
        return [name for place, name in self._resource()._below if place == "member"]

    def __dir__(self) -> List[str]:
        return sorted({*object.__dir__(self), *self._operations(), *self._children()})

    def __repr__(self) -> str:
        verbs, children = ", ".join(self._operations()) or "no verbs", ", ".join(self._children())
        return f"<routable {self._path()}: {verbs}{'; has ' + children if children else ''}>"


def spelled(name: str, known: Iterable[str]) -> Optional[str]:
    """The only name that is an attribute if its other characters are written as `_`, as `museum_hours` of `museum-hours`."""
    import re

    found = {each for each in known if each != name and re.sub(r"\W", "_", each) == name}
    return found.pop() if len(found) == 1 else None


def unknown(
    name: str, place: str, route: Optional[str], known: Iterable[str], kind: Type[UnknownError] = UnknownAttributeError
) -> UnknownError:
    """The error for an unknown name, with the existing names and the nearest one."""
    allowed = tuple(sorted(known))
    import difflib  # for the unlucky

    near = difflib.get_close_matches(name, allowed, n=1)
    if near:
        hint = f'did you mean "{near[0]}"?'
    else:
        # As in the messages of the library: a long list is only in `allowed`.
        hint = "there are none" if not allowed else f"there are: {', '.join(allowed)}" if len(allowed) <= 24 else f"it has {len(allowed)} names"
    return kind(
        f'{place} has no "{name}"; {hint}',
        route=route, parameter=name, allowed=allowed, suggestion=near[0] if near else None,
    )
