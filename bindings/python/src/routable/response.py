"""Response: status, headers, body, and how the body was mapped."""

from __future__ import annotations

from ctypes import (
    CDLL, CFUNCTYPE, POINTER, PYFUNCTYPE, byref, c_char, c_size_t, c_ssize_t, c_void_p, cast, py_object, pythonapi, sizeof,
)
from dataclasses import dataclass, field
from struct import Struct
from sys import maxsize
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Tuple, Type, TypeVar, Union, get_origin

from . import _capi as c
from . import _json
from ._check import check, new_error
from ._direct import undeclared
from ._fast import LENGTHS
from ._handle import Handle
from ._load import library, library_path
from ._text import data, name, natural, optional_name, to_text, utf8
from .errors import JSONError, ResponseError
from .headers import Headers
from .model import Misfit, fill, fill_body
from ._traced import Traced

T = TypeVar("T")

if TYPE_CHECKING:
    from datetime import timedelta
    from functools import cached_property as _kept

    from .request import Request
else:

    class _kept:
        """functools.cached_property without the lock that Python has there until 3.11."""

        def __init__(self, read):
            self._read, self._name, self.__doc__ = read, read.__name__, read.__doc__

        def __get__(self, instance, owner):
            if instance is None:
                return self
            value = instance.__dict__[self._name] = self._read(instance)
            return value


#: The outcomes, in the order of routable.h.
OUTCOMES = ("empty", "self", "dictionary", "array", "raw")


@dataclass(frozen=True)
class Deviation:
    """One place where a response deviates from its description.

    message         what the description states, as one sentence
    pointer         JSON pointer (RFC 6901) into the body; "" for the whole body, and for its headers
    schema_pointer  JSON pointer to the keyword of the schema; "" if no schema is involved: the body is empty, is not JSON, or
                    has another media type
    found           what the service sent: the JSON of the value, or the beginning of a long one; "" for a missing member, and if
                    the body is not JSON
    """

    message: str
    pointer: str = ""
    schema_pointer: str = ""
    found: str = ""


@dataclass(frozen=True)
class Response(Traced):
    """A response.  Immutable and self-contained: it may be kept, pickled and shared by threads.

    status   the HTTP status, 200
    outcome  how the body was mapped: "empty" (no body, a body in a target, or null), "self" (one value of the declared kind),
             "array" (an array, for a list, or with "outcome": "any" in the description), "dictionary" (an object whose values
             all have the type; only with "outcome": "any"), or "raw" (another kind, not JSON, or no type)
    deviations   the places where the response deviates from its description, at most 100; () if it deviates nowhere
    headers  Headers, with case-insensitive names
    body     the bytes as received, after decompression; empty if the body went to a target
    url      the URL of the response, after redirects; "" for a mapped response
    type     the name of the declared type, or None
    http_version   "HTTP/1.0", "HTTP/1.1", "HTTP/2" or "HTTP/3"; None with a transport, and for a mapped response

    `timings`, `attempts` and `redirects` are the record of the transfer (docs/observe.md).
    """

    status: int
    outcome: str
    headers: Headers
    body: bytes
    url: str = field(default_factory=str)  # a plain default would be an attribute of the class
    type: Optional[str] = None
    deviations: Tuple[Deviation, ...] = ()
    http_version: Optional[str] = None

    @_kept
    def value(self) -> Any:
        """The body as Python values if it is JSON, otherwise as bytes; None if it is empty."""
        if self.outcome == "empty":
            return None
        try:
            return _json.read_body(self.body)
        except JSONError:
            return self.body

    @property
    def ok(self) -> bool:
        """Whether the status is a success: not one that only `using(expect=...)` allowed."""
        return "_failure" not in self.__dict__ and self.status < 400

    def raise_for_status(self) -> "Response":
        """Returns the response if it is `ok`.  Raises HTTPStatusError otherwise."""
        if self.ok:
            return self
        failure = self.__dict__.get("_failure")
        if failure is not None:
            raise failure
        from .errors import HTTPStatusError

        raise HTTPStatusError(f"the service responded with {self.status}", response=self, http_status=self.status)

    @property
    def request(self) -> "Optional[Request]":
        """The request, with the same object that was performed; None for a mapped response, and after pickling."""
        return self.__dict__.get("_request")

    @property
    def elapsed(self) -> "Optional[timedelta]":
        """The time from the call until the complete response; None for a mapped response, and for requests that were submitted
        without `timings`."""
        from datetime import timedelta

        timings = self.timings
        seconds = self.__dict__.get("_elapsed") if timings is None else timings.elapsed
        return None if seconds is None else timedelta(seconds=seconds)

    @property
    def cookies(self) -> Dict[str, str]:
        """The cookies that this response sets, by name, without their attributes.  `Client(cookies=True)` stores them."""
        found: Dict[str, str] = {}
        for line in self.headers.get_all("Set-Cookie"):
            name, equals, value = line.partition(";")[0].partition("=")
            if equals and name.strip():
                found[name.strip()] = value.strip().strip('"')
        return found

    def __getstate__(self) -> Dict[str, Any]:
        # A request belongs to its router.
        return {name: value for name, value in self.__dict__.items() if name not in ("_request", "_failure")}

    @property
    def text(self) -> str:
        """The body as a str: UTF-8, with invalid bytes replaced."""
        return self.body.decode("utf-8", "replace")

    def json(self) -> Any:
        """Parses the body as JSON, whatever the outcome.  Raises JSONError if it is not JSON."""
        return _json.read_body(self.body)

    def into(self, model: Type[T]) -> Union[T, Dict[str, T], List[T], None]:
        """The body as a model: a dataclass, a TypedDict, a pydantic model or a type such as `int`.

        The outcome "self" returns a T, "dictionary" a dict[str, T], "array" a list[T], and "empty" None.  A generic model
        such as `list[Todo]` takes the whole body.  If the operation declares no type, the result is a T, or else a
        list[T] for an array and a dict[str, T] for an object.

        Raises ResponseError, with a JSON pointer and the response, if the body does not match.
        """
        if self.outcome == "empty":
            return None
        if get_origin(model) is not None:
            return self.as_self(model)
        if self.outcome == "array":
            return self.as_array(model)
        if self.outcome == "dictionary":
            return self.as_dictionary(model)
        if self.outcome == "raw" and not self.deviations:
            return self._first(model)
        return self.as_self(model)

    def _exactly(self, model: Type[T]) -> T:
        """The whole body as one T, for `perform(..., into=T)`."""
        title = getattr(model, "__name__", str(model))
        if self.outcome == "empty":
            try:
                return fill(model, None)  # type: ignore[no-any-return]
            except Misfit:
                raise self._misfit(f"the response is empty, which is not a {title}; perform without into returns it") from None
        try:
            return self.as_self(model)
        except ResponseError as misfit:
            if self.outcome in ("array", "dictionary") and get_origin(model) is None:
                form = f"List[{title}]" if self.outcome == "array" else f"Dict[str, {title}]"
                misfit.message += f"; the body is {'an array' if self.outcome == 'array' else 'a dictionary'}: use into={form}"
            raise

    def as_self(self, model: Type[T]) -> T:
        """The whole body as one T.  Raises ResponseError if it does not match."""
        return self._fill(model, model)  # type: ignore[no-any-return]

    def as_dictionary(self, model: Type[T]) -> Dict[str, T]:
        """The body as an object whose values are all T.  Raises ResponseError if it does not match."""
        return self._fill(Dict[str, model], model)  # type: ignore[valid-type,no-any-return]

    def as_array(self, model: Type[T]) -> List[T]:
        """The body as an array whose elements are all T.  Raises ResponseError if it does not match."""
        return self._fill(List[model], model)  # type: ignore[valid-type,no-any-return]

    def _first(self, model: Type[T]) -> Union[T, Dict[str, T], List[T]]:
        """The first form that matches.  If there is none, raises the error for the form of the body."""
        try:
            return self.as_self(model)
        except ResponseError as misfit:
            try:
                return self.as_array(model) if self.body.lstrip()[:1] == b"[" else self.as_dictionary(model)
            except ResponseError as other:
                raise (other if len(other.pointer) > len(misfit.pointer) else misfit) from other.__cause__

    def _fill(self, wanted: Any, model: Any) -> Any:
        title = getattr(model, "__name__", str(model))
        if self.outcome == "raw" and self.deviations:
            first = self.deviations[0]
            raise self._misfit(
                f"the body is not valid against its declared type, and is not converted to {title}: {first.message}",
                first.pointer,
                schema_pointer=first.schema_pointer,
            )
        try:
            return fill_body(wanted, self.body)
        except Misfit as misfit:
            raise self._misfit(f"the body does not match {title}: {misfit}", misfit.pointer) from misfit.__cause__
        except JSONError as error:
            raise self._misfit(f"the body does not match {title}: it is not JSON", offset=error.offset) from None

    def _misfit(
        self, message: str, pointer: str = "", offset: Optional[int] = None, schema_pointer: str = ""
    ) -> ResponseError:
        return ResponseError(
            message, pointer=pointer, offset=offset, schema_pointer=schema_pointer, response=self, http_status=self.status
        )

    def __repr__(self) -> str:
        return f"<routable.Response {self.status} {self.outcome}: {len(self.body)} bytes>"


if not TYPE_CHECKING:
    # Decoded on first use.  Descriptors and not __getattr__, which would make every attribute slow.
    def headers(self):
        return unpack_headers(self.__dict__["_headers"])

    def url(self):
        return self.__dict__["_url"].decode("utf-8", "backslashreplace")

    Response.headers, Response.url = _kept(headers), _kept(url)
    del headers, url


def unpack_headers(packed: bytes) -> Headers:
    """Headers from the format of `routable_response_parts`: for each header its name, NUL, its value, NUL."""
    texts = packed.split(b"\0")
    names, values = texts[0:-1:2], texts[1:-1:2]
    return Headers([(_header(name), _header(value)) for name, value in zip(names, values)])


def _header(content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("latin-1")


_VERSIONS = {10: "HTTP/1.0", 11: "HTTP/1.1", 20: "HTTP/2", 30: "HTTP/3"}


_new = object.__new__


_parts = c.routable_response_parts
HAS_DEVIATIONS, HAS_TRACE = c.ROUTABLE_RESPONSE_HAS_DEVIATIONS, c.ROUTABLE_RESPONSE_HAS_TRACE
# Without declared types: it is called for every response, with the exact types of the header.
_read = CDLL(library_path, handle=library._handle)["routable_response_read"]
_read.restype = None
_trace = CDLL(library_path, handle=library._handle)["routable_response_trace"]
_trace.restype = c_void_p
#: http_status, outcome, then pointer and length of headers, body, url and type, http_version and details.
PARTS = "iiPNPNPNPNiI"
_unpack = Struct("@" + PARTS).unpack_from
# All of memory: a slice of it is a copy as bytes, in a quarter of the time of string_at.
_memory: Any = (c_char * maxsize).from_address(0)
#: A body of this size is copied while other threads run: the copy of 60 MB takes 30 ms.
LARGE = 1 << 20
_empty_bytes = PYFUNCTYPE(py_object, c_void_p, c_ssize_t)(("PyBytes_FromStringAndSize", pythonapi))
_start_of = PYFUNCTYPE(c_void_p, py_object)(("PyBytes_AsString", pythonapi))
_copy_bytes = CFUNCTYPE(c_void_p, c_void_p, c_void_p, c_size_t)(("memcpy", CDLL(None)))


def _copy(address: int, length: int) -> bytes:
    made: bytes = _empty_bytes(None, length)  # no other code has a reference before it is filled
    _copy_bytes(_start_of(made), address, length)
    return made


def read_response(pointer: Any, type: Optional[str] = None, content: Optional[bytes] = None) -> Response:
    """Copies a routable_response, which the caller keeps alive during the call; `type` is what the operation declares, and
    `content` the body, if there is a copy already."""
    parts = _parts()
    _read(pointer, byref(parts))
    facts = _unpack(parts)
    made = response_at(type, *facts, content=content)
    details = facts[-1]
    if details:
        if details & HAS_DEVIATIONS:
            with_deviations(made, pointer)
        if details & HAS_TRACE:
            with_trace(made, _trace(pointer))
    return made


def with_deviations(made: Response, pointer: Any) -> None:
    """Adds the deviations of a routable_response."""
    response = cast(pointer, POINTER(c.routable_response))
    each, found = c.routable_deviation(size=sizeof(c.routable_deviation)), []
    for index in range(c.routable_response_deviation_count(response)):
        if c.routable_response_deviation_at(response, index, byref(each)):
            found.append(
                Deviation(to_text(each.message), to_text(each.pointer), to_text(each.schema_pointer), to_text(each.found)))
    made.__dict__["deviations"] = tuple(found)


def with_trace(made: Response, address: int) -> Response:
    """Adds the trace at the address to the response, and returns it."""
    from . import _observe
    from ._capi import trace

    made.__dict__["_trace"] = _observe.read_trace(cast(address, POINTER(trace.routable_trace)))
    return made


def response_at(
    type: Optional[str], status: int, outcome: int, headers: int, header_length: int, body: int, body_length: int, url: int,
    url_length: int, named: int, name_length: int, version: int, details: int, *, content: Optional[bytes] = None,
) -> Response:
    """A Response from the members of a routable_response_parts, whose owner the caller keeps alive during the call; without the
    details, which need the response or its transfer.  `content` is the body, if there is a copy already."""
    made = _new(Response)
    values = made.__dict__
    values["status"] = status
    values["outcome"] = OUTCOMES[outcome]
    if content is None:
        content = b"" if not body_length else _memory[body : body + body_length] if body_length < LARGE else _copy(body, body_length)
    values["body"] = content
    values["type"] = _memory[named : named + name_length].decode() if name_length else type
    values["_headers"] = _memory[headers : headers + header_length] if header_length else b""
    values["_url"] = _memory[url : url + url_length] if url_length else b""
    if version:
        values["http_version"] = _VERSIONS.get(version)
    return made


_response = POINTER(c.routable_response)
_map = undeclared("routable_response_map")
_free = undeclared("routable_response_free", None)


class Mapper:
    """Maps responses that other clients received, for one router, and caches the names and the type of each operation."""

    __slots__ = ("_router", "_known")

    def __init__(self, router: Handle) -> None:
        self._router = router
        self._known: Dict[Tuple[Optional[str], str], Tuple[Optional[bytes], bytes, Optional[str]]] = {}

    def map(
        self, result_type: Callable[[Optional[str], str], Optional[str]], route: Optional[str], operation: str, status: int,
        headers: Any, body: Any,
    ) -> Response:
        try:
            route_name, operation_name, type = self._known[route, operation]
        except (KeyError, TypeError):
            route_name, operation_name = optional_name("route", route), name("operation", operation)
            type = result_type(route, operation)
            if type is not None and len(self._known) < 1024:  # a graph with cycles has any number of routes
                self._known[route, operation] = route_name, operation_name, type
        lines, count = None, 0
        if headers:
            pairs = [(utf8("header", key), utf8("header", value)) for key, value in headers]
            count = len(pairs)
            lines = (c.routable_header * count)(*(c.routable_header(data(key), data(value)) for key, value in pairs))
        content = body if body.__class__ is bytes else bytes(body)
        length = len(content)
        if status.__class__ is not int or not 100 <= status <= 999:
            status = natural("status", status, 100, 999)
        out = _response()
        # A routable_str is passed as its two members.
        arguments = (
            self._router, route_name, operation_name, status, lines, LENGTHS[count] if count < 512 else c_size_t(count), content,
            LENGTHS[length] if length < 512 else c_size_t(length), byref(out),
        )
        if _map(*arguments, None):  # once more, for the error
            error = new_error()
            check(_map(*arguments, byref(error)), error)
        try:
            return read_response(out, type, content)
        finally:
            _free(out)
