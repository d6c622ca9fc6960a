"""Match: the route, operation and values of a path or URL."""

from __future__ import annotations

from ctypes import byref, c_size_t, c_uint32
from operator import itemgetter
from struct import Struct

from . import _capi as c
from . import _json
from ._check import check, new_error
from ._fast import LENGTHS, WORKSPACE, prepared, router_match, workspace_match
from ._handle import Handle
from ._text import data, optional_name, take, to_text, utf8
from .errors import MethodNotAllowedError

TYPE_CHECKING = False  # True for type checkers; the module typing takes longer to import than this package
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterator, NoReturn, Optional, Tuple, Union

    from . import describe

#: Methods as C takes them, so that the usual ones are not encoded at each match.
METHODS: Dict[Optional[str], Optional[bytes]] = {
    None: None,
    **{each: each.encode() for each in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")},
}

#: Flags as C takes them, by their numbers: a new object at each match takes longer than the match.
FLAGS = tuple(c_uint32.from_param(flags) for flags in range(2 * c.ROUTABLE_MATCH_WHOLE_PATH))

_NO_FLAGS = FLAGS[0]

#: One routable_match: as an array, which ctypes passes by its address.
Record = c.routable_match * 1

# A routable_match with so many captures: its four numbers, and four of each capture, in the order of routable.h.
_LAYOUTS = tuple(Struct("=IIIi" + "IIii" * count) for count in range(c.ROUTABLE_MAX_CAPTURES + 1))

_OF_TYPE: Dict[str, Callable[[str], Any]] = {"integer": int, "number": float, "boolean": "true".__eq__}

_ROUTES = 1024  # so many routes of a router are kept; one in a graph with cycles has any number
_PLACES = 4096  # so many results of a router are kept with the places of their values, which depend on the lengths


class Matcher:
    """The data that all matches of one router share."""

    __slots__ = ("router", "pointer", "descriptions", "routes", "names", "values", "places")

    def __init__(self, router: Handle) -> None:
        self.router = router
        self.pointer = prepared(router._as_parameter_)
        self.descriptions: Dict[int, describe.Operation] = {}  # of operations that matched before, by their numbers
        self.routes: Dict[Tuple[int, ...], Optional[str]] = {}  # by the operation and the resources of the captures
        #: By the same key: the names of the captures, and what converts each of them; None for no conversion, and instead of all
        #: if the library reads one of them.
        self.names: Dict[Tuple[int, ...], Tuple[Tuple[str, ...], Optional[Tuple[Optional[Callable[[str], Any]], ...]]]] = {}
        #: What takes the values from a path, by the layout that routable_workspace_match returned.
        self.values: Dict[bytes, Callable[[str], Tuple[str, ...]]] = {}
        #: The same, and the entry of `names`.
        self.places: Dict[bytes, Any] = {}


class Match:
    """The result of `router.match`.  Immutable; it outlives the router.

        match = api.match("/users/initFabian/statuses/3", "GET")
        match.route, match.operation, match.ids      # "user.status", "read", ("initFabian", "3")
        api.build(match.route, match.operation, ids=match.ids)

    `ids` and `captures` are strings; `values` are converted to the types of their parameters.  Values are decoded on first
    use. A byte that is not UTF-8 becomes a surrogate escape, as in os.fsdecode; a URL cannot be built from such a string.
    """

    # Whoever makes one fills it: with a method for that, it would take half as long again.
    __slots__ = ("_matcher", "_text", "_found", "_ids")

    _matcher: Matcher
    _text: bytes
    _found: Union[bytes, Tuple[int, ...]]  # the numbers, or the text of them that routable_workspace_match gave
    _ids: Optional[Tuple[str, ...]]  # None until somebody asks

    @property
    def _record(self) -> Any:
        """The numbers as C takes them."""
        record, numbers = Record(), self._numbers()
        _LAYOUTS[numbers[1]].pack_into(record, 0, *numbers)
        return record

    @property
    def description(self) -> describe.Operation:
        """The description of the operation: method, path template, parameters, types."""
        number = self._numbers()[0]
        known, router = self._matcher.descriptions, self._matcher.router
        found = known.get(number)
        if found is None:
            from .describe import read_operation

            pointer = c.routable_match_operation(router, self._record)
            found = known.setdefault(number, read_operation(router, pointer))
        return found

    @property
    def alternatives(self) -> Tuple[str, ...]:
        """The other operations with this path and method, in declaration order: a declared constant of the request tells them apart
        ("Operations that share a path" in docs/matching.md)."""
        from .describe import read_operation

        router, record = self._matcher.router, self._record
        return tuple(
            read_operation(router, c.routable_match_alternative_at(router, record, index)).name
            for index in range(c.routable_match_alternative_count(router, record))
        )

    @property
    def operation(self) -> str:
        """The operation, "read"."""
        return self.description.name

    @property
    def method(self) -> str:
        """The method of the operation, "GET"."""
        return self.description.method

    @property
    def route(self) -> Optional[str]:
        """The route, "user.status"; None for a standalone operation."""
        numbers, routes = self._numbers(), self._matcher.routes
        key = (numbers[0], *numbers[6::4], *numbers[7::4])
        try:
            return routes[key]
        except KeyError:
            out = c.routable_string()
            check(c.routable_match_route(self._matcher.router, self._record, byref(out)), None)
            route = take(out) or None
            if len(routes) < _ROUTES:
                routes[key] = route
            return route

    @property
    def ids(self) -> Tuple[str, ...]:
        """The decoded values of the path from left to right: the ids, and the parameters of the operation's path."""
        ids = self._ids
        if ids is None:
            path, found = self._text, self._found
            if found.__class__ is bytes and path.isascii() and b"%" not in path:
                self._ids = ids = (self._matcher.values.get(found) or self._taker(found))(path.decode())
            else:
                self._ids = ids = tuple(self._decoded(self._numbers()))
        return ids

    @property
    def parameters(self) -> Tuple[describe.Parameter, ...]:
        """The parameter of each value in `ids`: name, type, description.  A name may occur twice; the names of `captures` are
        unique.
        """
        from .describe import read_parameter

        router, record = self._matcher.router, self._record
        return tuple(
            read_parameter(c.routable_match_parameter(router, record, index))
            for index in range(self._numbers()[1])
        )

    @property
    def captures(self) -> Dict[str, str]:
        """The values by the names that `ids` of `router.build` takes: {"user_id": "initFabian", "id": "3"}.

        The id of the last resource has its own name.  The id of another resource is named <resource>_id, or <resource>_<name>
        if the resource has several.  If a resource occurs twice in the route, this mapping has the inner value; `ids` has both.
        """
        path, found = self._text, self._found
        if found.__class__ is bytes and path.isascii() and b"%" not in path:
            values, names, _ = self._matcher.places.get(found) or self._places(found)
            return dict(zip(names, values(path.decode())))
        return dict(zip(self._names()[0], self.ids))

    @property
    def values(self) -> Dict[str, Any]:
        """The values by the names of `captures`, parsed by the type and style of their parameters: numbers, arrays, objects.

        Raises ValueRefusedError for a segment that its parameter does not allow; a path of an OpenAPI document matches any
        segment.
        """
        found = self._found
        if found.__class__ is bytes:
            _, names, converters = self._matcher.places.get(found) or self._places(found)
        else:
            names, converters = self._names()
        if converters is not None:
            return {
                name: text if convert is None else convert(text) for name, text, convert in zip(names, self.ids, converters)
            }
        numbers = self._numbers()
        router, operation = self._matcher.router, c.routable_match_operation(self._matcher.router, self._record)
        result: Dict[str, Any] = {}
        places = zip(names, self.ids, self.parameters, numbers[4::4], numbers[5::4], numbers[6::4], numbers[7::4])
        for name, text, declared, offset, length, resource, parameter in places:
            if resource >= 0:  # the id of a resource: a text of its type, or it would not have matched
                result[name] = _OF_TYPE.get(declared.type, str)(text)
            else:
                result[name] = read_value(router, operation, parameter, self._text[offset : offset + length])
        return result

    @property
    def slash(self) -> int:
        """With `any_slash`: 1 if the path lacks the trailing slash of the route, -1 if it has an additional one, otherwise 0."""
        return self._numbers()[3]

    def _numbers(self) -> Tuple[int, ...]:
        """The record: operation, count, node, slash, and for each capture offset, length, resource, parameter."""
        found = self._found
        if isinstance(found, bytes):
            found = self._found = tuple(map(int, found.split()))
        return found

    def _taker(self, found: bytes) -> Callable[[str], Tuple[str, ...]]:
        """What takes the values from the path."""
        known = self._matcher.values
        taker = known.get(found)
        if taker is None:
            numbers = self._found = tuple(map(int, found.split()))
            slices = [slice(offset, offset + length) for offset, length in zip(numbers[4::4], numbers[5::4])]
            taker = itemgetter(*slices) if len(slices) > 1 else lambda text: tuple([text[each] for each in slices])
            if len(known) >= _PLACES:
                known.clear()
            known[found] = taker
        return taker

    def _decoded(self, numbers: Tuple[int, ...]) -> Iterator[str]:
        for index, (offset, length) in enumerate(zip(numbers[4::4], numbers[5::4])):
            text = self._text[offset : offset + length]
            if b"%" in text:
                out = c.routable_string()
                check(c.routable_match_value(self._record, data(self._text), index, byref(out)), None)
                yield take(out, "surrogateescape")
            else:
                yield text.decode("utf-8", "surrogateescape")

    def _places(self, found: bytes) -> Any:
        """What takes the values from the path, their names, and what converts them."""
        known, taker = self._matcher.places, self._taker(found)
        if len(known) >= _PLACES:
            known.clear()
        places = known[found] = taker, *self._names()
        return places

    def _names(self) -> Tuple[Tuple[str, ...], Optional[Tuple[Optional[Callable[[str], Any]], ...]]]:
        """The names of the captures, and what converts them."""
        numbers, known = self._numbers(), self._matcher.names
        key = (numbers[0], *numbers[6::4], *numbers[7::4])
        names = known.get(key)
        if names is None:
            converters = None
            if all(each >= 0 for each in numbers[6::4]):  # ids of resources have the form of their types, or the path would not have matched
                converters = tuple(_OF_TYPE.get(declared.type) for declared in self.parameters)
            names = tuple(self._read_names()), converters
            if len(known) < _ROUTES:
                known[key] = names
        return names

    def _read_names(self) -> Iterator[str]:
        parameters, resources = self.parameters, self._numbers()[6::4]
        places = self._numbers()[7::4]
        own = self._own_start(resources, places)
        for index, each in enumerate(resources):
            if each < 0 or index >= own:
                yield parameters[index].name
            else:
                resource = c.routable_router_resource_at(self._matcher.router, each)
                is_only = c.routable_resource_id_count(resource) == 1
                yield f"{to_text(c.routable_resource_name(resource))}_{'id' if is_only else parameters[index].name}"

    def _own_start(self, resources: Tuple[int, ...], places: Tuple[int, ...]) -> int:
        """Where the ids of the last resource of the walk begin; a collection has all of them but the last."""
        starts = [index for index, each in enumerate(resources) if each >= 0 and places[index] == 0]
        if not starts:
            return 0
        end = sum(each >= 0 for each in resources)
        if self.description.place == "collection":
            last = c.routable_router_resource_at(self._matcher.router, resources[starts[-1]])
            if end - starts[-1] == c.routable_resource_id_count(last):
                return end  # they are its parent's
        return starts[-1]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Match):
            return NotImplemented
        return self._matcher is other._matcher and self._key() == other._key()

    def __hash__(self) -> int:
        return hash((id(self._matcher), self._key()))

    def _key(self) -> Tuple[int, Optional[str], Tuple[str, ...]]:
        return self._numbers()[0], self.route, self.ids

    def __repr__(self) -> str:
        where = f"{self.route}." if self.route else ""
        return f"<routable.Match {where}{self.operation} {self.ids!r}>"


def _new_match(matcher: Matcher, text: bytes, found: Union[bytes, Tuple[int, ...]]) -> Match:
    match = Match()
    match._matcher, match._text, match._found, match._ids = matcher, text, found, None
    return match


def finder(matcher: Matcher) -> Callable[..., Optional[Match]]:
    """The `match` of one router.  Its data are in local variables, because a method would have to read them from the router.

    For type checkers the options are keyword-only; here they are not, because Python fills keyword-only parameters in three
    times as slowly.
    """
    pointer, new = matcher.pointer, Match
    scratch, find, methods, no_flags = WORKSPACE, workspace_match, METHODS, _NO_FLAGS
    lengths = () if scratch is None else LENGTHS  # without a scratch no text is short enough

    def match(
        path: Any, method: Any = None, any_slash: bool = False, fold_case: bool = False, merge_slashes: bool = False,
        whole_path: bool = False,
    ) -> Optional[Match]:
        if not (any_slash or fold_case or merge_slashes or whole_path):
            try:
                text = path.encode()
                found = find(scratch, pointer, methods[method], text, lengths[len(text)], no_flags)
                if found:
                    match = new()
                    match._matcher = matcher
                    match._text = text
                    match._found = found
                    match._ids = None
                    return match
                if found is not None:
                    return None
            except (AttributeError, KeyError, TypeError, ValueError, IndexError):
                pass
        flags = c.ROUTABLE_MATCH_IGNORE_SLASH if any_slash else 0
        flags |= c.ROUTABLE_MATCH_IGNORE_CASE if fold_case else 0
        flags |= c.ROUTABLE_MATCH_MERGE_SLASHES if merge_slashes else 0
        flags |= c.ROUTABLE_MATCH_WHOLE_PATH if whole_path else 0
        return _match(matcher, path, method, flags)

    return match


def closed(*arguments: object, **options: object) -> NoReturn:
    """The `match` of a router that was closed."""
    raise ValueError("this Router is closed")


def _match(matcher: Matcher, path: Any, method: Any, flags: int) -> Optional[Match]:
    """Matches any path with any method and flags.  Raises the exceptions of `Router.match`."""
    try:
        text = path.encode()
    except (AttributeError, UnicodeEncodeError):
        if isinstance(path, bytes):
            text = path
        else:
            text = utf8("path", path) if isinstance(path, str) else _wrong_path(path)
    try:
        verb = METHODS[method]
    except (KeyError, TypeError):
        verb = optional_name("method", method)
    count = len(text)
    length = LENGTHS[count] if count < len(LENGTHS) else c_size_t(count)
    if WORKSPACE is not None:
        found: Optional[bytes] = workspace_match(WORKSPACE, matcher.pointer, verb, text, length, FLAGS[flags])
        if found:
            return _new_match(matcher, text, found)
        if found is not None:
            return None
    record = Record()
    status = router_match(matcher.pointer, verb, text, length, FLAGS[flags], record)
    if status == 0:
        return _new_match(matcher, text, _numbers_of(record))
    if status == c.ROUTABLE_METHOD_NOT_ALLOWED:
        raise _method_not_allowed(matcher, record, method)
    if status != c.ROUTABLE_NO_MATCH:
        check(status, None)
    return None


def _wrong_path(path: object) -> NoReturn:
    raise TypeError(f"path must be a str or bytes, not {type(path).__name__}")


def _numbers_of(record: Any) -> Tuple[int, ...]:
    """The numbers of a record, as a Match keeps them."""
    layout: Struct = _LAYOUTS[record[0].capture_count]
    return layout.unpack_from(record)


def read_value(router: Handle, operation: Any, index: int, text: bytes) -> Any:
    """Parses the value of a parameter of an operation; None if it is absent."""
    out, error = c.routable_string(), new_error()
    status = c.routable_parameter_read(router, operation, index, data(text), byref(out), byref(error))
    if status == c.ROUTABLE_NO_MATCH:
        return None
    check(status, error)
    return _json.loads("value", take(out))


def _method_not_allowed(matcher: Matcher, record: Any, method: Optional[str]) -> MethodNotAllowedError:
    """The error for a path that matches only with other methods, which it lists like an Allow header."""
    allowed = tuple(
        to_text(c.routable_match_method_at(matcher.router, record, index))
        for index in range(c.routable_match_method_count(matcher.router, record))
    )
    return MethodNotAllowedError(f"the path does not allow {method}; allowed: {', '.join(allowed)}", allowed=allowed)
