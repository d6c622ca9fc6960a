"""Request: a request, which can be inspected and edited before it is sent."""

from __future__ import annotations

from ctypes import POINTER, byref

from . import _capi as c
from . import _json
from ._check import check, new_error, no_positions, take_string
from ._handle import Handle, Owned
from ._status_errors import BodyError, HTTPStatusError
from ._text import data, name, optional_name, to_bytes, to_header, to_text, utf8
from .headers import Headers

TYPE_CHECKING = False  # True for type checkers; the module typing takes longer to import than this package
if TYPE_CHECKING:
    from typing import Any, Callable, FrozenSet, Iterable, List, NoReturn, Optional, Union

    import urllib.request
    from os import PathLike

    import httpx
    import requests

    from ._bodies import Parts, Record
    from .files import Progress, Readable
    from .response import Response


#: The statuses that a call without `expect` expects besides the successes.
NONE_EXPECTED: "FrozenSet[int]" = frozenset()


class Request(Owned):
    """A request of a router.  `str(request)` is "GET https://...".

    A client performs it; `to_urllib`, `to_requests` and `to_httpx` convert it for another client, and raise BodyError if its body
    is not in memory.  Its headers and its body may be edited before it is sent.  One thread at a time may edit a request; any
    number may read it.
    """

    __slots__ = ("_result_type", "_records", "_streams", "_expected")

    def __init__(self, pointer: Any, result_type: Optional[str]) -> None:
        super().__init__(pointer, c.routable_request_free)
        self._result_type = result_type
        self._records: Optional[List[Record]] = None
        self._expected: FrozenSet[int] = NONE_EXPECTED
        self._streams = False  # whether the body was set by a function whose bodies need not be in memory

    @property
    def method(self) -> str:
        """The method, "GET"."""
        return self._text(c.routable_request_method)

    @property
    def url(self) -> str:
        """The whole URL."""
        return self._text(c.routable_request_url)

    @property
    def route(self) -> Optional[str]:
        """The route, "user.status"; None for a standalone operation."""
        return self._text(c.routable_request_route) or None

    @property
    def operation(self) -> str:
        """The operation, "read"."""
        return self._text(c.routable_request_operation)

    @property
    def headers(self) -> Headers:
        """The current headers, in the order in which they are sent."""
        handle, pairs = self._live(), []
        for index in range(c.routable_request_header_count(handle)):
            line = c.routable_request_header_at(handle, index)
            pairs.append((to_header(line.name), to_header(line.value)))
        return Headers(pairs)

    @property
    def body(self) -> Optional[bytes]:
        """The body, or None if there is none; b"" if it is not in memory.  Assign bytes, which are sent unchanged, or delete it
        to remove the body.
        """
        handle = self._live()
        return to_bytes(c.routable_request_body(handle)) if c.routable_request_has_body(handle) else None

    @body.setter
    def body(self, content: bytes) -> None:
        self.set_body(content)

    @body.deleter
    def body(self) -> None:
        self.remove_body()

    def remove_body(self) -> None:
        """Removes the body, if any.  Its Content-Type header remains."""
        error = new_error()
        check(c.routable_request_remove_body(self._live(), byref(error)), error)
        self._streams = False

    def set_body(self, content: Union[bytes, bytearray, memoryview], content_type: Optional[str] = None) -> None:
        """Sets the body, which is sent unchanged.  The Content-Type remains unless `content_type` is given.

        Raises TypeError unless the content is bytes, and HeaderError for a content type that HTTP does not allow.
        """
        if not isinstance(content, (bytes, bytearray, memoryview)):
            raise TypeError(f"a body must be bytes, not {type(content).__name__}; set_json accepts other values")
        copy, error = bytes(content), new_error()
        kind = optional_name("content_type", content_type)
        check(c.routable_request_set_body(self._live(), data(copy), kind, byref(error)), error)
        self._streams = False

    def set_json(self, value: object) -> None:
        """Sets the body to the value as JSON, with Content-Type application/json unless a Content-Type is set."""
        content = _json.dumps("body", value)
        self.set_body(content, None if "Content-Type" in self.headers else "application/json")

    # --- Bodies that are not in memory (docs/bodies.md) ---

    def copy(self) -> "Request":
        """A copy, to edit it or to send both at the same time.  The copy shares sources, targets and progress functions with the
        original: only one of the requests that share them may be in progress at a time.  `copy.copy` does the same.
        """
        out, error = POINTER(c.routable_request)(), new_error()
        check(c.routable_request_copy(self._live(), byref(out), byref(error)), error)
        made = Request(out, self._result_type)
        made._expected = self._expected
        made._records = None if self._records is None else list(self._records)
        return made

    __copy__ = copy

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Request belongs to its router and is not pickled; send the call, or request.to_json(), to the other process")

    def set_body_file(self, path: Union[str, "PathLike[str]"], content_type: Optional[str] = None) -> None:
        """Sets a file as the body; it is read when the request is sent.  The Content-Type is derived from the extension unless
        it is given or already set.  Raises FileError if the file cannot be read.
        """
        from . import _bodies

        _bodies.set_body_file(self, path, content_type)

    def set_body_from(self, source: "Readable", *, length: Optional[int] = None, content_type: Optional[str] = None) -> None:
        """Sets a source as the body: a binary file, a `pathlib.Path`, bytes, an iterable of bytes, or a function, which takes a
        size and returns bytes, b"" at the end, or None to pause the transfer until `Transfer.resume`.  An asynchronous generator
        or iterable is a source for an AsyncClient.  The source is read while the request is sent.

        Files that support seeking, and iterables that are not iterators, are read again for a redirect or a retry; others are
        sent only once.  Without a `length` the body is sent in chunks, unless the source is a file that supports seeking.
        """
        from . import _bodies

        _bodies.set_body_from(self, source, length, content_type)

    def set_json_lines(self, values: "Iterable[object]") -> None:
        """Sets the body to JSON Lines: each value as JSON on a line of its own.  The values are read and written while the request
        is sent, with Content-Type application/x-ndjson unless a Content-Type is set.

        An iterable that is not an iterator, such as a list, is read again for a redirect or a retry.  A value that JSON does not
        have ends the request with the exception of `set_json`.
        """
        from . import _bodies

        content_type = None if "Content-Type" in self.headers else "application/x-ndjson"
        _bodies.set_body_from(self, _json.lines(values), None, content_type)

    def set_multipart(self, parts: "Parts", *, html: bool = False) -> None:
        """Sets the body to multipart/form-data, with parts by name: strings, bytes, numbers, `pathlib.Path` or
        `routable.File`; a list is one part for each element.  With `html` line breaks in strings become CR LF, as in a
        browser.
        """
        from . import _bodies

        _bodies.set_multipart(self, parts, html)

    def save_to(self, path: Union[str, "PathLike[str]"], *, resume: bool = False) -> None:
        """Writes the body of a success to a file, which appears when it is complete (see Client.download)."""
        from . import _bodies

        _bodies.save_to(self, path, resume)

    def write_to(self, target: object) -> None:
        """Writes the body of a success to a binary file, a function that takes bytes, or a descriptor; None: to memory."""
        from . import _bodies

        _bodies.write_to(self, target)

    def on_progress(self, function: "Optional[Callable[[Progress], None]]") -> None:
        """Sets a function that receives the progress of a transfer of this request, in both directions; None removes it."""
        from . import _bodies

        _bodies.on_progress(self, function)

    def _download_to(
        self, path: Union[str, "PathLike[str]"], resume: bool, progress: "Optional[Callable[[Progress], None]]"
    ) -> None:
        self.save_to(path, resume=resume)
        if progress is not None:
            self.on_progress(progress)

    def _awaited(self, failure: BaseException) -> Optional[Response]:
        """The response of a failure whose status the call expects, as `using(expect=...)` states; None for another failure."""
        if not self._expected or not isinstance(failure, HTTPStatusError) or failure.http_status not in self._expected:
            return None
        response = failure.response
        response.__dict__.update(_request=self, _failure=failure.with_traceback(None))
        return response

    def _raised(self, error: BaseException) -> BaseException:
        """The failure, or what a callable of this request raised."""
        if self._records is None:
            return error
        from . import _bodies

        return _bodies.raised(self, error)

    def set_header(self, header: str, value: str) -> None:
        """Replaces all headers with this name, which is case-insensitive, or adds one.  Raises HeaderError, TypeError."""
        if not isinstance(value, str):
            raise TypeError(f"a header's value must be a str, not {type(value).__name__}")
        content, error = utf8("value", value), new_error()
        key = name("header", header)
        check(c.routable_request_set_header(self._live(), key, data(content), byref(error)), error)

    def if_match(self, version: "Union[Response, str]") -> None:
        """Makes the request conditional on the resource being unchanged.  `version` is an ETag, or a response, whose ETag or
        Last-Modified is used.  If the resource has changed, the service responds with 412, which is an HTTPStatusError.
        Raises ValueRefusedError for a weak ETag, for a string that is not an ETag, or if the response has neither ETag nor
        Last-Modified.
        """
        self._condition(c.routable_request_if_match, version)

    def if_none_match(self, version: "Union[Response, str]") -> None:
        """Makes the request conditional on the resource being changed.  If the resource is unchanged, the response has the
        status 304 and the outcome "empty", and is not an error.  Raises ValueRefusedError for a string that is not an ETag, or if
        the response has neither ETag nor Last-Modified.
        """
        self._condition(c.routable_request_if_none_match, version)

    def _condition(self, function: Any, version: "Union[Response, str]") -> None:
        texts = (version, "") if isinstance(version, str) else [version.headers.get(each, "") for each in ("ETag", "Last-Modified")]
        tag, modified = (utf8(what, text) for what, text in zip(("etag", "last_modified"), texts))
        error = new_error()
        check(function(self._live(), data(tag), data(modified), byref(error)), error)

    def remove_header(self, header: str) -> None:
        """Removes all headers with this name, if any."""
        error = new_error()
        check(c.routable_request_remove_header(self._live(), name("header", header), byref(error)), error)

    def to_json(self) -> str:
        """The request as JSON (docs/schema/request.schema.json)."""
        return take_string(c.routable_request_to_json, self._live())

    def to_curl(self, *, show_secrets: bool = False) -> str:
        """The request as a curl command for a POSIX shell; credentials are masked unless `show_secrets`."""
        return take_string(c.routable_request_to_curl, self._live(), c.ROUTABLE_SHOW_SECRETS if show_secrets else 0)

    def to_urllib(self) -> urllib.request.Request:
        """The request for urllib.request.urlopen.

        urllib adds a form Content-Type to a body without one, and keeps only one value for each header.
        """
        import urllib.request  # 10 ms that few need

        headers = self.headers.joined()
        return urllib.request.Request(self.url, data=self._whole_body(), headers=headers, method=self.method)

    def to_requests(self) -> requests.PreparedRequest:
        """The request for `requests.Session().send(...)`, with exactly this URL.  ImportError without requests."""
        import requests

        prepared = requests.Request(self.method, self.url, headers=self.headers.joined(), data=self._whole_body()).prepare()
        prepared.url = self.url
        return prepared

    def to_httpx(self) -> httpx.Request:
        """The request for `httpx.Client().send(...)`.  ImportError without httpx."""
        import httpx

        return httpx.Request(self.method, self.url, headers=list(self.headers.pairs), content=self._whole_body())

    def _whole_body(self) -> Optional[bytes]:
        body = self.body
        if self._streams and not body:
            raise BodyError("the body is not in memory; perform the request with a routable client, or set its bytes")
        return body

    def _text(self, function: Any) -> str:
        handle = self._live()
        return to_text(function(handle))

    def __str__(self) -> str:
        return f"{self.method} {self.url}"

    def __repr__(self) -> str:
        # Without its query, as in the log: it may hold a key.
        if self.closed:
            return "<routable.Request closed>"
        url, mark, _ = self.url.partition("?")
        return f"<routable.Request {self.method} {url}{mark and '?***'}>"


def new_request(router: Handle, call: bytes, result_type: Optional[str]) -> Request:
    """Builds a request from a call JSON; `result_type` is the named type that its operation declares."""
    out, error = POINTER(c.routable_request)(), new_error()
    with no_positions():
        check(c.routable_request_new_json(router, call, len(call), byref(out), byref(error)), error)
    return Request(out, result_type)


def no_request(function: str, given: object) -> TypeError:
    """The error for an argument that is not a Request, such as an operation that was not called."""
    kind = type(given).__name__
    if kind == "BoundOperation":
        return TypeError(f"{function} requires a Request, not an operation: call the operation, which builds the request")
    if kind in ("Collection", "Member"):
        return TypeError(f"{function} requires a Request, not a resource: call one of its operations, which builds the request")
    if kind == "_AnyCall":
        return TypeError(f"{function} requires a Request, not a typed call: use call.perform(client), or pass call.request")
    return TypeError(f"{function} requires a Request, not {kind}")
