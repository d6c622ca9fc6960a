"""Plan: a route and an operation resolved once, then called for one URL after the other."""

from __future__ import annotations

from ctypes import POINTER, byref, c_size_t
from typing import Dict, List, NoReturn, Optional, Tuple

from . import _capi as c
from ._check import check, new_error
from ._fast import LENGTHS, SCRATCH, plan_write, scratch_url
from ._frame import Frame, filler
from ._handle import Handle, Owned
from ._text import name, optional_name, to_text
from .errors import IdError, ParameterError

_LARGEST = 1 << 16  # a buffer of more bytes is not kept


class Plan(Owned):
    """Builds the URLs of one operation; calling it gives a str.  Make one with `router.plan`.

        plan = api.plan("user.status", "read")
        plan("initFabian", "3")                     # https://api.example.com/v1/users/initFabian/statuses/3
        api.plan("search")(q="swift", page=2)       # declared query parameters by their names; None: the default

    The URL is the one that `router.build` gives, and the same values are refused by the same errors; only
    that a plan takes no arrays, and asks for no body and no headers.  Text of up to 64 bytes is fastest.  Any
    number of threads may call one plan at once: each call has a frame of its own.
    """

    __slots__ = ("_frames", "_fill", "_places", "_id_count", "route", "operation", "method")

    route: Optional[str]  #: "user.status"; None for a free operation
    operation: str  #: "read"
    method: str  #: "GET"

    def __init__(self, router: Handle, route: Optional[str], operation: str) -> None:
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
        self._fill = filler(self._id_count, len(self._places))
        self._frames: List[Frame] = []

    @property
    def id_count(self) -> int:
        """How many ids a call takes."""
        return self._id_count

    @property
    def query(self) -> Tuple[str, ...]:
        """The names of the declared query parameters."""
        return tuple(self._places)

    def __call__(self, /, *ids: object, **query: object) -> str:
        """The URL for these ids, all of them from left to right, and these query parameters.

        Raises IdError, ValueRefusedError, ShadowedError, ParameterError, and URLError without a base.
        """
        handle = self._handle  # in a local, so that close() elsewhere frees nothing before the call ends
        if handle is None:
            handle = self._live()
        if SCRATCH is not None and not query and len(ids) == self._id_count:
            try:  # short texts, which are the usual case, and nothing else
                text = "\0".join(ids).encode()  # type: ignore[arg-type]
                found: Optional[bytes] = scratch_url(SCRATCH, handle._as_parameter_, text, LENGTHS[len(text)])
            except (TypeError, ValueError, IndexError):
                found = None
            if found is not None:
                return found.decode()
        frames = self._frames
        try:
            frame = frames.pop()
        except IndexError:
            frame = Frame(handle, self._id_count, len(self._places))
        held: List[bytes] = []  # texts that the values point to
        try:
            self._fill(frame.memory, frame.id_slots, ids)
        except (TypeError, ValueError):  # numbers, long texts, a wrong count
            if len(ids) != self._id_count:
                self._refuse_count(handle, len(ids))
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

    def _again(self, frame: Frame, has_query: bool) -> str:
        """After the buffer has grown to the length of the URL."""
        status = plan_write(*(frame.arguments_with_query if has_query else frame.arguments))
        check(status, None)
        url: str = frame.buffer.value.decode()
        if len(frame.buffer) <= _LARGEST:
            self._frames.append(frame)
        return url

    def _refuse_count(self, handle: Handle, count: int) -> NoReturn:
        """Raises what the library says of so many ids."""
        length, error = c_size_t(), new_error()
        ids = (c.routable_value * count)()
        check(c.routable_plan_write(handle, ids, count, None, 0, None, 0, byref(length), byref(error)), error)
        raise IdError(f"{self!r}: {count} ids", route=self.route, operation=self.operation)

    def _refuse_name(self, unknown: str) -> NoReturn:
        import difflib  # for the unlucky

        near = difflib.get_close_matches(unknown, self._places, n=1)
        hint = f'did you mean "{near[0]}"?' if near else f"there are: {', '.join(self._places) or 'none'}"
        where = " ".join((self.route, self.operation)) if self.route else self.operation
        raise ParameterError(
            f'{where}: no query parameter "{unknown}"; {hint}', route=self.route, operation=self.operation,
            parameter=unknown, allowed=tuple(sorted(self._places)), suggestion=near[0] if near else None,
        )

    def __repr__(self) -> str:
        where = f"{self.route}." if self.route else ""
        return f"<routable.Plan {where}{self.operation}{' closed' if self.closed else ''}>"
