"""The arguments of a call: keywords are parameters of the API, and one positional argument, `using(...)`, has the options.

No description can declare that argument, because it is positional and is recognized by its type.
"""

from __future__ import annotations

from collections.abc import Mapping

from .errors import ArgumentError, IdError, ParameterError

TYPE_CHECKING = False  # True for type checkers; the module typing takes longer to import than this package
if TYPE_CHECKING:
    from typing import Any, Dict, FrozenSet, Iterable, List, NoReturn, Optional, Sequence, Tuple, Union

    from . import describe
    from ._json import Ids

#: The keys of a call JSON for the locations of parameters.
_KEYS = {"path": "ids", "query": "query", "header": "headers", "cookie": "cookies"}


if TYPE_CHECKING:
    _Locations = Dict[str, Tuple[str, ...]]
else:
    _Locations = dict


class Using:
    """What a call has besides the parameters of the API; `routable.using` returns it.  Immutable, and used for any number of calls."""

    __slots__ = ("_options",)

    def __init__(self, options: Mapping[str, Any]) -> None:
        self._options = dict(options)

    def __repr__(self) -> str:
        return f"<routable.using {', '.join(self._options) or 'nothing'}>"  # without the values, which may be secret


def using(
    *,
    ids: Optional[Ids] = None,
    query: Optional[Mapping[str, object]] = None,
    headers: Optional[Mapping[str, object]] = None,
    cookies: Optional[Mapping[str, object]] = None,
    parameters: Optional[Mapping[str, object]] = None,
    body: object = None,
    files: Optional[Mapping[str, object]] = None,
    content_type: Optional[str] = None,
    base: Optional[str] = None,
    allow_empty_ids: bool = False,
    expect: "Union[int, Iterable[int], None]" = None,
) -> Using:
    """The options of a call.  They stand after the body, or first if there is no body:

        api.user("ann").status.create({"text": "hi"}, using(headers={"X-Trace": "7"}), limit=5)
        api.operations["pulls/list"](using(base="http://127.0.0.1:8080"), owner="o", repo="r", base="main")

    A keyword of a call is always a parameter that the description declares, so a parameter may have the name of an option.

    ids, query    declared parameters of the path and the query, by name; `ids` also from left to right
    headers, cookies    declared header and cookie parameters, and other headers
    parameters    undeclared parameters, sent with the operation's encoding
    body          the body; a call also takes the body as its first argument, except `router.build`
    files         parts of a multipart body by name: pathlib.Path, bytes, binary files, routable.File, tuples (filename,
                  content[, type]) as in requests and httpx, or lists of them.  Content is read at once
    content_type  replaces that of the operation
    base          replaces that of the router
    allow_empty_ids    an id that is a whole segment may be ""
    expect        statuses, such as 404 or (404, 409), whose responses are returned instead of raised.  `response.ok` distinguishes
                  them, and `response.raise_for_status()` raises the exception

    If the operation declares a name in two places, such as the path and the query, the keyword is ambiguous, and
    `ids`, `query`, `headers` and `cookies` select the place.  None: absent, so that a declared default is sent.
    """
    given = dict(
        ids=ids, query=query, headers=headers, cookies=cookies, parameters=parameters, body=body, files=files,
        content_type=content_type, base=base, allow_empty_ids=allow_empty_ids or None,
        expect=None if expect is None else _statuses(expect),
    )
    return Using({name: value for name, value in given.items() if value is not None})


def _statuses(expect: "Union[int, Iterable[int]]") -> "FrozenSet[int]":
    found = frozenset((expect,) if isinstance(expect, int) else expect)
    for each in found:
        if isinstance(each, bool) or not isinstance(each, int) or not 100 <= each <= 999:
            raise ArgumentError(f"expect: {each!r} is not an HTTP status; numbers from 100 to 999 are expected", parameter="expect")
    return found


#: The names that `using` takes.
OPTIONS = (*(using.__kwdefaults__ or ()),)


class Target:
    """The operation of a call, for its errors, and the places of its parameters by name."""

    __slots__ = ("route", "operation", "places", "description")

    def __init__(
        self, route: Optional[str], operation: str, places: Mapping[str, Tuple[str, ...]],
        description: "Optional[describe.Operation]" = None,
    ) -> None:
        self.route = route
        self.operation = operation
        self.places = places
        self.description = description

    @property
    def label(self) -> str:
        return f"{self.route} {self.operation}" if self.route else self.operation

    def refuse(self, message: str, name: Optional[str] = None, **fields: Any) -> NoReturn:
        raise ParameterError(
            f"{self.label}: {message}", route=self.route, operation=self.operation, parameter=name, **fields
        )

    def arranged(
        self, bound: Optional[Tuple[object, ...]], body: object, options: Optional[Using], named: Mapping[str, object],
        open_ids: Sequence[str] = (),
    ) -> Dict[str, Any]:
        """The arguments of `_json.call`.  `bound` are the ids that are given by position, to which those named `open_ids` are
        added; None: no ids are."""
        call: Dict[str, Any] = {} if options is None else dict(options._options)
        if body is not None:
            if "body" in call:
                self.refuse("the body is given as an argument and in using(body=...)")
            call["body"] = body
        ids = call.pop("ids", None)
        if bound and ids is not None and not open_ids:
            self._bound("using(ids=...)")
        if ids is not None and not isinstance(ids, Mapping):
            bound, ids, open_ids = (*(bound or ()), *_sequence(ids)), None, ()
        path: Dict[str, object] = dict(ids or {})
        for name, value in named.items():
            place = self._place(name, bool(bound), open_ids)
            key = _KEYS[place]
            known: Any = path if place == "path" else call.get(key) or {}
            if name in known:
                self.refuse(f"{name} is given as a keyword and in using({key}=...)", name)
            if place == "path":
                path[name] = value
            else:
                call[key] = {**known, name: value}
        if bound:
            call["ids"] = (*bound, *self._added(path, open_ids))
        elif path:
            call["ids"] = path
        return call

    def _place(self, name: str, is_bound: bool, open_ids: Sequence[str]) -> str:
        """The only location that a keyword can mean."""
        places = self.places.get(name)
        if places is None:
            self._unknown(name)
        if is_bound and "path" in places and name not in open_ids:
            places = tuple(each for each in places if each != "path")
            if not places:
                self._bound(name)
        if len(places) > 1:
            self._ambiguous(name, places)
        return places[0]

    def _added(self, path: Mapping[str, object], open_ids: Sequence[str]) -> Iterable[object]:
        """The ids that follow those of the walk."""
        for name in path:
            if name not in open_ids:
                self._bound(name)
        for name in open_ids if path else ():
            if name not in path:
                raise IdError(
                    f"{self.label}: the id {name} is missing; expected: {', '.join(open_ids)}", route=self.route,
                    operation=self.operation, parameter=name, allowed=tuple(sorted(open_ids)),
                )
            yield path[name]

    def _bound(self, name: str) -> NoReturn:
        raise IdError(
            f"{self.label}: ids are already bound by position, so {name} cannot bind them by name", route=self.route,
            operation=self.operation, parameter=name,
        )

    def _ambiguous(self, name: str, places: Sequence[str]) -> NoReturn:
        ways = [f"using({_KEYS[each]}={{{name!r}: ...}})" for each in places]
        self.refuse(
            f"{name} is declared in the {' and the '.join(places)}, so the keyword {name} is ambiguous; write {' or '.join(ways)}",
            name, allowed=tuple(sorted(places)),
        )

    def _unknown(self, name: str) -> NoReturn:
        schema = None if self.description is None else self.description.body_schema()
        if schema is not None:
            members = schema.get("properties") if isinstance(schema, dict) else None
            names = tuple(sorted(self.places))
            if isinstance(members, dict) and name in members:
                self.refuse(
                    f"{name} is a member of the body, which is the first argument: {self.operation}({{{name!r}: ...}})", name,
                    allowed=names)
            if name in ("json", "body", "data"):
                self.refuse(
                    f"it has no parameter {name!r}; the body is the first argument: {self.operation}(value)", name, allowed=names)
        if name in OPTIONS:
            self.refuse(
                f"it has no parameter {name!r}; if the option is meant, it stands in using(...): using({name}=...)", name,
                allowed=tuple(sorted(self.places)),
            )
        refuse_name(self, name, self.places, "parameter")


def _sequence(ids: Any) -> Tuple[object, ...]:
    if isinstance(ids, (str, bytes)):
        raise TypeError("ids must be a sequence or a mapping of ids, not a str")
    return tuple(ids)


def refuse_name(target: Target, name: str, known: Iterable[str], what: str) -> NoReturn:
    """Raises the error for a keyword that the operation does not declare."""
    import difflib  # for the unlucky

    allowed = tuple(sorted(known))
    near = difflib.get_close_matches(name, allowed, n=1)
    hint = f'did you mean "{near[0]}"?' if near else f"there are: {', '.join(allowed)}" if allowed else "there are none"
    target.refuse(
        f'no {what} "{name}"; {hint}; {_further(target)}' if what == "parameter" else f'no {what} "{name}"; {hint}',
        name, allowed=allowed, suggestion=near[0] if near else None,
    )


def _further(target: Target) -> str:
    """The place of values that are not parameters."""
    if target.description is not None and (target.description.body_type or target.description.body_schema() is not None):
        return "the body is the first argument"
    return "undeclared parameters stand in using(parameters=...)"


def split(given: Tuple[object, ...]) -> "Tuple[Tuple[object, ...], Optional[Using]]":
    """The arguments before the options, and the options, if the last argument is one.  Raises ArgumentError for others."""
    options: Optional[Using] = None
    last = given[-1] if given else None
    if isinstance(last, Using):
        given, options = given[:-1], last
    if any(isinstance(each, Using) for each in given):
        raise ArgumentError("using(...) is the last argument of a call, and is given once", parameter="using")
    return given, options


class Places(_Locations):
    """The locations of parameters by name, and the names of each id of the path, from left to right."""

    __slots__ = ("ids",)

    ids: List[Tuple[str, ...]]


def places_of(parameters: Iterable[describe.Parameter]) -> Places:
    """The locations of the parameters of an operation."""
    found = Places()
    for each in parameters:
        known = found.get(each.name, ())
        if each.location not in known:
            found[each.name] = (*known, each.location)
    found.ids = [(name,) for name, locations in found.items() if "path" in locations]
    return found
