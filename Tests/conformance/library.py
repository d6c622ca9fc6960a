"""The shipped library as the suites use it: routers, calls and requests over the C prototypes alone.

A value of type bytes is passed as ROUTABLE_KIND_STRING, so that the library also gets bytes that are not UTF-8.
"""

from __future__ import annotations

import json
import os
import sys
from ctypes import POINTER, byref, c_char, c_char_p, cast, sizeof, string_at
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple, Union

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bindings" / "python" / "src"))
os.environ.setdefault("ROUTABLE_LIBRARY", str(ROOT / "build" / "embedded" / "libroutable.so.0"))

from routable import _capi as c  # noqa: E402  (the environment selects the library that it opens)

Arguments = Sequence[Tuple[Optional[bytes], Any]]


class Json(str):
    """JSON text, which is passed as ROUTABLE_KIND_JSON."""


@dataclass(frozen=True)
class Refusal:
    """A reported refusal: the name of the status ("value") and the sentence that explains it."""

    status: str
    message: str


@dataclass(frozen=True)
class Built:
    """A request as it would be sent."""

    method: bytes
    url: bytes
    headers: Tuple[Tuple[bytes, bytes], ...]
    body: Optional[bytes]
    curl: bytes

    def header(self, name: bytes) -> Optional[bytes]:
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)

    @property
    def query(self) -> Optional[bytes]:
        return self.url.split(b"?", 1)[1] if b"?" in self.url else None


Result = Union[Built, Refusal]


def text_of(borrowed: c.routable_str) -> bytes:
    return string_at(borrowed.ptr, borrowed.len) if borrowed.len else b""


def str_of(content: bytes) -> c.routable_str:
    return c.routable_str(cast(c_char_p(content), POINTER(c_char)), len(content))


def status_name(status: int) -> str:
    return str(c.routable_status_name(status), "ascii")


def _refusal(status: int, error: Any) -> Refusal:
    """Reads and frees the error object; a failure without one breaks the contract of the header."""
    if not error:
        raise AssertionError(f"{status_name(status)} came without an error object")
    try:
        return Refusal(status_name(status), text_of(c.routable_error_message(error)).decode("utf-8", "backslashreplace"))
    finally:
        c.routable_error_free(error)


def _value(value: Any) -> c.routable_value:
    result = c.routable_value()
    if value is None:
        result.kind = c.ROUTABLE_KIND_NULL
    elif isinstance(value, bool):
        result.kind, result.as_.integer = c.ROUTABLE_KIND_BOOLEAN, int(value)
    elif isinstance(value, int):
        result.kind, result.as_.integer = c.ROUTABLE_KIND_INTEGER, value
    elif isinstance(value, float):
        result.kind, result.as_.real = c.ROUTABLE_KIND_REAL, value
    elif isinstance(value, Json):
        result.kind, result.as_.string = c.ROUTABLE_KIND_JSON, str_of(value.encode("utf-8"))
    elif isinstance(value, bytes):
        result.kind, result.as_.string = c.ROUTABLE_KIND_STRING, str_of(value)
    else:
        raise TypeError(f"{type(value).__name__} has no kind")
    return result


def _arguments(arguments: Iterable[Tuple[Optional[bytes], Any]]) -> Any:
    listed = [c.routable_argument(name, _value(value)) for name, value in arguments]
    return (c.routable_argument * len(listed))(*listed)


class Router:
    """An opened route document."""

    def __init__(self, handle: Any) -> None:
        self._handle = handle

    def __del__(self) -> None:
        c.routable_router_free(self._handle)

    @staticmethod
    def open(document: Union[bytes, Dict[str, Any]]) -> Union["Router", Refusal]:
        text = document if isinstance(document, bytes) else json.dumps(document).encode("ascii")
        handle, error = POINTER(c.routable_router)(), POINTER(c.routable_error)()
        status = c.routable_router_open(text, len(text), None, byref(handle), byref(error))
        return Router(handle) if status == c.ROUTABLE_OK else _refusal(status, error)

    @staticmethod
    def opened(document: Union[bytes, Dict[str, Any]]) -> "Router":
        """A router of a document that must open."""
        result = Router.open(document)
        if isinstance(result, Refusal):
            raise AssertionError(f"the document was refused: {result.status}: {result.message}")
        return result

    def build(
        self,
        operation: str,
        route: Optional[str] = None,
        *,
        ids: Sequence[Any] = (),
        query: Arguments = (),
        parameters: Optional[Arguments] = None,
        headers: Arguments = (),
        cookies: Arguments = (),
        body: Any = None,
    ) -> Result:
        """Builds a request through the object tier."""
        call = c.routable_call()
        call.size = sizeof(call)
        call.route = route.encode("utf-8") if route is not None else None
        call.operation = operation.encode("utf-8")
        kept: List[Any] = []
        for field, count, given in (
            ("ids", "id_count", [(None, value) for value in ids]),
            ("query", "query_count", query),
            ("parameters", "parameter_count", parameters),
            ("headers", "header_count", headers),
            ("cookies", "cookie_count", cookies),
        ):
            if given is None:
                continue
            array = _arguments(given)
            kept.append(array)
            if len(array) or field == "parameters":
                # An empty array has an address, because NULL would mean no form instead of an empty one.
                held = array if len(array) else (c.routable_argument * 1)()
                kept.append(held)
                setattr(call, field, cast(held, POINTER(c.routable_argument)))
                setattr(call, count, len(array))
        call.body = _value(body)
        handle, error = POINTER(c.routable_request)(), POINTER(c.routable_error)()
        return _request(c.routable_request_new(self._handle, byref(call), byref(handle), byref(error)), handle, error)

    def build_json(self, call: Union[bytes, Dict[str, Any]]) -> Result:
        """Builds a request through the JSON tier."""
        text = call if isinstance(call, bytes) else json.dumps(call).encode("ascii")
        handle, error = POINTER(c.routable_request)(), POINTER(c.routable_error)()
        status = c.routable_request_new_json(self._handle, text, len(text), byref(handle), byref(error))
        return _request(status, handle, error)


def _request(status: int, handle: Any, error: Any) -> Result:
    if status != c.ROUTABLE_OK:
        return _refusal(status, error)
    try:
        curl = c.routable_string()
        if c.routable_request_to_curl(handle, c.ROUTABLE_SHOW_SECRETS, byref(curl), None) != c.ROUTABLE_OK:
            raise AssertionError("a request was built that has no curl line")
        line = string_at(curl.ptr, curl.len)
        c.routable_string_free(byref(curl))
        headers = []
        for index in range(c.routable_request_header_count(handle)):
            header = c.routable_request_header_at(handle, index)
            headers.append((text_of(header.name), text_of(header.value)))
        return Built(
            text_of(c.routable_request_method(handle)),
            text_of(c.routable_request_url(handle)),
            tuple(headers),
            text_of(c.routable_request_body(handle)) if c.routable_request_has_body(handle) else None,
            line,
        )
    finally:
        c.routable_request_free(handle)
