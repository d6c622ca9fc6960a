"""Received: a request that a service has received, read to its call."""

from __future__ import annotations

from collections.abc import Mapping
from ctypes import POINTER, byref, c_int32, sizeof
from typing import NamedTuple

from . import _capi as c
from . import _json
from ._check import check, new_error, take_string
from ._handle import Handle, Owned
from ._text import data, name, natural, optional_name, take, to_bytes, to_text, utf8
from .errors import RoutableError
from .headers import Headers
from .request import Request, new_request

TYPE_CHECKING = False  # True for type checkers; the module typing takes longer to import than this package
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterable, Optional, Tuple, Union

    from .router import PlainRouter

    _Headers = Union[Mapping[str, str], Iterable[Tuple[str, str]], Iterable[Tuple[bytes, bytes]]]


class Problem(NamedTuple):
    """The response to a request that was refused (RFC 9457)."""

    status: int
    #: The header that the status requires: Allow, WWW-Authenticate or Accept.
    headers: Mapping[str, str]
    #: The body, with the Content-Type application/problem+json.
    json: bytes


class ReceivedFile(NamedTuple):
    """A part of a multipart body that is a file."""

    name: str
    filename: Optional[str]
    content_type: Optional[str]
    content: bytes


class Received(Owned):
    """A request that was read by `router.read`.

        received = api.read("POST", "/v1/users/ann/statuses?page=2", {"Content-Type": "application/json"}, b'{"text": "hi"}')
        received.route, received.operation          # "user.status", "create"
        received.ids, received.query                # {"user_id": "ann"}, {"page": 2}
        received.body                               # {"text": "hi"}
        received.request()                          # the same request, built from `received.call`

    It holds a reference to its router.  Immutable.
    """

    __slots__ = ("_call", "_router")

    def __init__(self, pointer: Any, router: "PlainRouter") -> None:
        super().__init__(pointer, c.routable_received_free)
        self._router = router
        self._call: Optional[Dict[str, Any]] = None

    @property
    def call(self) -> Dict[str, Any]:
        """The call as JSON values, as docs/json-tier.md describes it.  Do not change it."""
        if self._call is None:
            self._call = _json.loads("call", take_string(c.routable_received_to_json, self._live()))
        return self._call

    @property
    def route(self) -> Optional[str]:
        """The route, "user.status"; None for a standalone operation."""
        return self.call.get("route")

    @property
    def operation(self) -> str:
        """The name of the operation, "create"."""
        found: str = self.call["operation"]
        return found

    @property
    def ids(self) -> Mapping[str, Any]:
        """The ids by the names that calls use.  If a resource occurs twice in the route, `call["ids"]` lists the ids by position."""
        return self._items(c.ROUTABLE_IN_PATH)

    @property
    def query(self) -> Mapping[str, Any]:
        """The declared query parameters, with their defaults."""
        return self._part("query")

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The parameters of the query or of a form body that are not declared."""
        return self._part("parameters")

    @property
    def headers(self) -> Mapping[str, Any]:
        """The declared headers by their declared names, then other headers, without those of the connection and the credentials."""
        return self._part("headers")

    @property
    def cookies(self) -> Mapping[str, Any]:
        """The declared cookies."""
        return self._part("cookies")

    @property
    def body(self) -> Any:
        """The body: the value of JSON, of a form, or of the fields of a multipart body; bytes for any other body; None for none."""
        call = self.call
        if "body_text" in call or "body_base64" in call:
            return self.content
        return call.get("body")

    @property
    def files(self) -> Tuple[ReceivedFile, ...]:
        """The files of a multipart body, by their names."""
        from base64 import b64decode

        found = []
        for name, values in self.call.get("files", {}).items():
            for each in values if isinstance(values, list) else [values]:
                content = each["content"].encode() if "content" in each else b64decode(each["content_base64"])
                found.append(ReceivedFile(name, each.get("filename"), each.get("content_type"), content))
        return tuple(found)

    @property
    def content(self) -> bytes:
        """The bytes of the body, without its content coding."""
        handle = self._live()
        return to_bytes(c.routable_received_body(handle))

    @property
    def content_type(self) -> Optional[str]:
        """The Content-Type of the body, or None."""
        handle = self._live()
        return to_text(c.routable_received_content_type(handle)) or None

    @property
    def credentials(self) -> Mapping[str, str]:
        """The credentials by the names of their schemes: a token, a key, or "name:password".  They are not verified."""
        handle = self._live()
        return {
            to_text(c.routable_received_credential_scheme_at(handle, index)): to_text(c.routable_received_credential_at(handle, index))
            for index in range(c.routable_received_credential_count(handle))
        }

    @property
    def ignored(self) -> Tuple[str, ...]:
        """The names of query parameters and headers that the call does not hold."""
        handle = self._live()
        return tuple(
            to_text(c.routable_received_ignored_at(handle, index)) for index in range(c.routable_received_ignored_count(handle))
        )

    def precondition(self, etag: Optional[str]) -> int:
        """Evaluates If-Match and If-None-Match for the current ETag of the resource, before the program changes it: 0 to continue, or
        the HTTP status of the response, 304 or 412.  Pass None if the resource does not exist or has no ETag."""
        from ._answer import precondition

        return precondition(self, etag)

    def request(self) -> Request:
        """Builds the request from `call`."""
        message = take_string(c.routable_received_to_json, self._live()).encode()
        return new_request(self._router._live(), message, self._router._result_type(self.route, self.operation))

    def __repr__(self) -> str:
        if self._handle is None:
            return "<routable.Received closed>"
        return f"<routable.Received {self.route + ' ' if self.route else ''}{self.operation}>"

    def _part(self, key: str) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.call.get(key, {})
        return found

    def _items(self, location: int) -> Dict[str, Any]:
        ids = self.call.get("ids", {})
        if isinstance(ids, Mapping) or location != c.ROUTABLE_IN_PATH:
            return dict(ids)
        handle, found = self._live(), {}
        for index in range(c.routable_received_value_count(handle)):
            item = c.routable_received_value_at(handle, index)
            if item.location == location:
                found[to_text(item.name)] = ids[index]
        return found


def read(
    router: "PlainRouter", handle: Handle, first: "Union[Request, str]", target: "Union[str, bytes, None]", headers: "_Headers",
    body: bytes, base_path: Optional[str], max_errors: int, max_body_bytes: int, refuse_undeclared: bool, require_credentials: bool,
    answering: Optional[int] = None, verify: "Optional[Callable[[str, str], bool]]" = None,
) -> Received:
    """What `router.read` does.  With the flags of a problem, an exception has the response to send as `answer`.  `verify` takes the
    name of a scheme and a credential, and must not raise."""
    if isinstance(first, Request):
        if target is not None:
            raise TypeError("read accepts a Request alone, or a method, a target, headers and a body")
        method, target, headers, body = first.method, first.url, first.headers.pairs, first.body or b""
    else:
        method = first
    if target is None:
        raise TypeError("read requires a target, such as \"/v1/users?page=2\"")
    incoming, keep = incoming_struct(method, target, headers, body)
    flags = (c.ROUTABLE_RECEIVE_REFUSE_UNDECLARED if refuse_undeclared else 0) | (
        c.ROUTABLE_RECEIVE_REQUIRE_CREDENTIALS if require_credentials else 0
    )
    options = c.routable_receive_options(
        sizeof(c.routable_receive_options), optional_name("base_path", base_path), natural("max_errors", max_errors, 1, 256),
        natural("max_body_bytes", max_body_bytes, 1), flags,
    )
    if verify is not None:
        options.verify = c.routable_verify_fn(
            lambda scheme, credential, _: c.ROUTABLE_OK if verify(to_text(scheme), to_text(credential)) else c.ROUTABLE_ERR_CREDENTIAL)
    out, error = POINTER(c.routable_received)(), new_error()
    status = c.routable_received_new(handle, byref(incoming), byref(options), byref(out), byref(error))
    if status == c.ROUTABLE_OK:
        return Received(out, router)
    if answering is not None:
        from ._answer import raise_refused

        raise_refused(status, error, method, answering)
    problem = _problem(error) if error else None
    try:
        check(status, error)
    except RoutableError as raised:
        raised.problem = problem
        raise
    raise AssertionError("an error raises")


def incoming_struct(method: str, target: "Union[str, bytes]", headers: "_Headers", body: bytes) -> "Tuple[Any, Tuple[Any, ...]]":
    """A routable_incoming, and the objects that its pointers lead to."""
    if not isinstance(body, (bytes, bytearray, memoryview)):
        raise TypeError(f"a body must be bytes, not {type(body).__name__}")
    pairs = [(_bytes("header", key), _bytes("header", value)) for key, value in _pairs(headers)]
    lines = (c.routable_header * len(pairs))(*(c.routable_header(data(key), data(value)) for key, value in pairs))
    content, path, word = bytes(body), _bytes("target", target), name("method", method)
    made = c.routable_incoming(sizeof(c.routable_incoming), word, data(path), lines, len(pairs), data(content))
    return made, (pairs, content, path, word)


def _problem(error: Any) -> Optional[Problem]:
    number, key, value, json = c_int32(), c.routable_string(), c.routable_string(), c.routable_string()
    check(c.routable_error_problem(error, 0, byref(number), byref(key), byref(value), byref(json)), None)
    field, text = take(key), take(value)
    return Problem(number.value, {field: text} if text else {}, take(json).encode())


def _pairs(headers: "_Headers") -> "Union[Iterable[Tuple[str, str]], Iterable[Tuple[bytes, bytes]]]":
    if isinstance(headers, Headers):
        return headers.pairs
    return headers.items() if isinstance(headers, Mapping) else headers


def _bytes(what: str, text: "Union[str, bytes]") -> bytes:
    return bytes(text) if isinstance(text, (bytes, bytearray)) else utf8(what, text)
