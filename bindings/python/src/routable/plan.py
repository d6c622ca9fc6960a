"""Plan: a route and an operation that are resolved once and build many URLs."""

from __future__ import annotations

from collections.abc import Mapping
from ctypes import POINTER, byref, c_size_t

from . import _capi as c
from ._check import check, new_error
from ._fast import LENGTHS, WORKSPACE, plan_write, prepared, workspace_url
from ._frame import Frame, filler, remembered
from ._handle import Handle, Owned
from ._text import name, optional_name, to_text
from ._using import Places, Target, Using, refuse_name, split
from .errors import IdError

TYPE_CHECKING = False  # True for type checkers; the module typing takes longer to import than this package
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, NoReturn, Optional, Tuple

_LARGEST = 1 << 16  # a buffer of more bytes is not kept


class Plan(Owned):
    """Builds the URLs of one operation; `router.plan` returns it.  Calling it returns a str.

        plan = api.plan("user.status", "read")
        plan("initFabian", "3")                     # https://api.example.com/v1/users/initFabian/statuses/3
        api.plan("search")(q="swift", page=2)       # declared query parameters by name; None: the default

    The URL is that of `router.build`, and the same values are rejected with the same exceptions.  Ids may also be keywords, if
    none is given by position; for a name in the path and in the query, `using(ids=..., query=...)` selects the place.  A plan
    accepts no arrays, body or headers.  Strings of up to 64 bytes are fastest.  Any number of threads may call one plan at the
    same time.
    """

    # A call goes to a function of this plan alone, which Python finds in the slot: one of the class would cost as much
    # again as the call of the library.
    __slots__ = ("__call__", "_writer", "_places", "_id_count", "route", "operation", "method")

    route: Optional[str]  #: "user.status"; None for a standalone operation
    operation: str  #: "read"
    method: str  #: "GET"

    def __init__(
        self, router: Handle, route: Optional[str], operation: str, target: Callable[[Optional[str], str], Target]
    ) -> None:
        out, error = POINTER(c.routable_plan)(), new_error()
        arguments = optional_name("route", route), name("operation", operation)
        check(c.routable_plan_new(router, *arguments, byref(out), byref(error)), error)
        super().__init__(out, c.routable_plan_free)
        handle = self._live()
        self.route, self.operation = route, operation
        self.method = to_text(c.routable_plan_method(handle))
        self._id_count: int = c.routable_plan_id_count(handle)
        self._places: Dict[str, int] = {
            to_text(c.routable_plan_query_name_at(handle, index)): index
            for index in range(c.routable_plan_query_count(handle))
        }
        writer = _Writer(handle, route, operation, self._id_count, self._places, lambda: target(route, operation))
        self._writer: Optional[_Writer] = writer
        self._set_call(_quick(self._id_count)(writer, prepared(handle._as_parameter_)) if WORKSPACE is not None else writer.write)

    if TYPE_CHECKING:

        def __call__(self, /, *ids: object, **named: object) -> str:
            """The URL for these ids, all of them from left to right, and these parameters of the query, or of the path.

            Raises IdError, ValueRefusedError, ShadowedError, ParameterError, and URLError without a base.
            """

        def _set_call(self, call: Callable[..., str]) -> None: ...

    else:

        def _set_call(self, call):
            self.__call__ = call

    def close(self) -> None:
        """Frees the plan.  A second call does nothing; any other use raises ValueError."""
        super().close()
        self._writer = None
        self._set_call(_closed)  # what a call in another thread uses lives until it has ended

    @property
    def id_count(self) -> int:
        """The number of ids of a call."""
        return self._id_count

    @property
    def query(self) -> Tuple[str, ...]:
        """The names of the declared query parameters."""
        return tuple(self._places)

    def __repr__(self) -> str:
        where = f"{self.route}." if self.route else ""
        return f"<routable.Plan {where}{self.operation}{' closed' if self.closed else ''}>"


def _closed(*ids: object, **query: object) -> str:
    raise ValueError("this Plan is closed")


@remembered
def _quick(id_count: int) -> Callable[..., Callable[..., str]]:
    """Makes a function that makes the function `__call__` of a plan with this number of ids; for two ids:

        def make(writer, plan):
            write = writer.write
            def call(t0=missing, t1=missing, /, *more, **query):
                if not more and not query:
                    try:
                        text = join((t0 if t0.__class__ is str else text_of(t0), t1 if ...)).encode()
                        return url(scratch, plan, text, lengths[len(text)]).decode()
                    except unusual: pass
                return write(*given((t0, t1)), *more, **query)
            return call

    Short strings and integers, which are written like their digits, are the usual case.  All other values raise one of `unusual`, as does a URL that is rejected, which is None;
    then the writer raises the error.
    """
    names = "".join(f"t{index}, " for index in range(id_count))
    texts = "".join(f"t{index} if t{index}.__class__ is str else text_of(t{index}), " for index in range(id_count))
    parameters = "".join(f"t{index}=missing, " for index in range(id_count)) + ("/, " if id_count else "")
    lines = [
        "def make(writer, plan):",
        " write = writer.write",
        f" def call({parameters}*more, **query):",
        "  if not more and not query:",
        "   try:",
        f"    text = join(({texts})).encode()",
        "    return url(scratch, plan, text, lengths[len(text)]).decode()",
        "   except unusual: pass",
        f"  return write(*given(({names})), *more, **query)",
        " return call",
    ]
    missing = object()
    scope: Dict[str, Any] = {
        "missing": missing, "join": "\0".join, "url": workspace_url, "scratch": WORKSPACE, "lengths": LENGTHS, "len": len,
        "unusual": (TypeError, ValueError, IndexError, AttributeError),
        "text_of": _text_of,
        "given": lambda ids: [each for each in ids if each is not missing],
    }
    exec("\n".join(lines), scope)  # a number and names of this function alone
    make: Callable[..., Callable[..., str]] = scope["make"]
    return make


def _text_of(value: Any) -> str:
    """An integer id as a string.  Raises TypeError for another value."""
    if type(value) is not int:
        raise TypeError
    return str(value)


class _Writer:
    """Writes the URLs of a plan for values of any kind, and raises the error of a value that is rejected."""

    __slots__ = ("_handle", "_frames", "_fill", "_places", "_id_count", "_target")

    def __init__(
        self, handle: Handle, route: Optional[str], operation: str, id_count: int, places: Dict[str, int],
        target: Callable[[], Target],
    ) -> None:
        self._handle, self._target = handle, target
        self._id_count, self._places = id_count, places
        self._fill = filler(id_count, len(places))
        self._frames: List[Frame] = []

    def write(self, /, *ids: object, **query: object) -> str:
        if ids and isinstance(ids[-1], Using) or len(ids) < self._id_count and query:
            return self.write_by_place(ids, query)
        frames = self._frames
        try:
            frame = frames.pop()
        except IndexError:
            frame = Frame(self._handle, self._id_count, len(self._places))
        held: List[bytes] = []  # texts that the values point to
        try:
            self._fill(frame.memory, frame.id_slots, ids)
        except (TypeError, ValueError):  # numbers, long texts, a wrong count
            if len(ids) != self._id_count:
                self._refuse_count(self._handle, len(ids))
            frame.put_ids(ids, held)
        arguments = frame.arguments
        if query:
            unknown = frame.put_query(self._places, query, held)
            if unknown is not None:
                self._refuse_name(unknown)
            arguments = frame.arguments_with_query
        status = plan_write(*arguments)
        if status:
            if status != c.ROUTABLE_ERR_BUFFER:
                error = new_error()
                check(plan_write(*arguments[:-1], byref(error)), error)
            frame.grow()
            return self._again(frame, bool(query))
        url: str = frame.buffer.value.decode()
        frames.append(frame)
        return url

    def write_by_place(self, given: Tuple[object, ...], named: Dict[str, object]) -> str:
        """The URL for ids by name, or for `using`."""
        ids, options = split(given)
        target = self._target()
        call = target.arranged(ids, None, options, named)
        other = sorted(call.keys() - {"ids", "query"})
        if other:
            target.refuse(f"a plan writes a URL, and takes ids and query of using(...), not {', '.join(other)}", other[0])
        query, found = call.get("query") or {}, call.get("ids", ())
        if isinstance(found, Mapping):
            found = self._in_order(target, found)
        if len(found) != self._id_count:
            self._refuse_count(self._handle, len(found))
        return self.write(*found, **query)

    def _in_order(self, target: Target, named: Mapping[str, object]) -> List[object]:
        """The ids from left to right."""
        ids = target.places.ids if isinstance(target.places, Places) else ()
        unknown = named.keys() - {each for names in ids for each in names}
        if unknown:
            refuse_name(target, sorted(unknown)[0], [each for names in ids for each in names], "id")
        found = [[named[each] for each in names if each in named] for names in ids]
        for names, values in zip(ids, found):
            if len(values) != 1:
                raise IdError(
                    f"{target.label}: the id {names[0]} is {'given twice' if values else 'missing'}", route=target.route,
                    operation=target.operation, parameter=names[0], allowed=tuple(sorted(names)),
                )
        return [values[0] for values in found]

    def _again(self, frame: Frame, has_query: bool) -> str:
        """After the buffer has grown to the length of the URL."""
        status = plan_write(*(frame.arguments_with_query if has_query else frame.arguments))
        check(status, None)
        url: str = frame.buffer.value.decode()
        if len(frame.buffer) <= _LARGEST:
            self._frames.append(frame)
        return url

    def _refuse_count(self, handle: Handle, count: int) -> NoReturn:
        """Raises the library's error for a wrong number of ids."""
        length, error = c_size_t(), new_error()
        ids = (c.routable_value * count)()
        check(c.routable_plan_write(handle, ids, count, None, 0, None, 0, byref(length), byref(error)), error)
        target = self._target()
        raise IdError(f"{target.label}: {count} ids", route=target.route, operation=target.operation)

    def _refuse_name(self, unknown: str) -> NoReturn:
        target = self._target()
        if unknown in target.places:
            target.arranged((None,) * self._id_count, None, None, {unknown: None})  # an id that is bound already
        refuse_name(target, unknown, self._places, "query parameter")
