"""Requests as servers pass them to a Service: the environment of WSGI and the scope of ASGI, in the form that the library reads."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, Iterable, List, Mapping, NamedTuple, Optional, Tuple
from urllib.parse import quote, urlsplit

#: Besides letters and digits, the characters of a path that need no escape.
_PLAIN = "/:@!$&'()*+,;=-._~"


class Incoming(NamedTuple):
    """A request that was received."""

    method: str
    #: The path and the query, below `root`.
    target: bytes
    headers: List[Tuple[bytes, bytes]]
    body: bytes
    #: The path that the application is mounted at.
    root: bytes


def of_environ(environ: Mapping[str, Any], max_body: int) -> Incoming:
    """The request of WSGI, with its body."""
    headers = [(name[5:].replace("_", "-").title().encode(), value.encode("latin-1")) for name, value in environ.items()
               if name.startswith("HTTP_")]
    headers += [(name.encode(), str(environ[key]).encode("latin-1"))
                for key, name in (("CONTENT_TYPE", "Content-Type"), ("CONTENT_LENGTH", "Content-Length")) if environ.get(key)]
    root = _quoted(environ.get("SCRIPT_NAME", ""))
    raw = environ.get("RAW_URI") or environ.get("REQUEST_URI")
    if raw:
        target = _below(_origin(raw).encode("latin-1"), root)
    else:
        query = environ.get("QUERY_STRING", "")
        target = _quoted(environ.get("PATH_INFO", "")) + (b"?" + query.encode("latin-1") if query else b"")
    return Incoming(environ["REQUEST_METHOD"], target, headers, _body(environ, max_body), root)


def _body(environ: Mapping[str, Any], max_body: int) -> bytes:
    """The body; of one that is too large, only as much as is needed to refuse it."""
    length = _parsed_length(str(environ.get("CONTENT_LENGTH", "")).encode("latin-1", "replace")) or 0
    if "chunked" in environ.get("HTTP_TRANSFER_ENCODING", "").lower() and environ.get("wsgi.input_terminated"):
        size = max_body + 1
    else:
        size = length if length <= max_body else 0  # the library refuses the Content-Length
    body: bytes = environ["wsgi.input"].read(size) if size else b""
    return body


def of_scope(scope: Mapping[str, Any], body: bytes) -> Incoming:
    """The request of ASGI."""
    path = scope.get("raw_path") or quote(scope["path"], safe=_PLAIN).encode()
    query = scope.get("query_string", b"")
    target = bytes(path).partition(b"?")[0] + (b"?" + query if query else b"")
    root = quote(scope.get("root_path", ""), safe=_PLAIN).encode()
    return Incoming(scope["method"], _below(target, root), list(scope["headers"]), body, root)


def content_length(headers: Iterable[Tuple[bytes, bytes]]) -> Optional[int]:
    """The Content-Length, or None."""
    return next((_parsed_length(value) for name, value in headers if name.lower() == b"content-length"), None)


def phrase(status: int) -> str:
    """The reason phrase of a status line."""
    return HTTPStatus(status).phrase if status in HTTPStatus._value2member_map_ else "Status"


def _parsed_length(text: bytes) -> Optional[int]:
    return int(text) if text.isdigit() and len(text) < 20 else None


def _quoted(path: str) -> bytes:
    """A path of WSGI, whose escapes were decoded."""
    return quote(path.encode("latin-1"), safe=_PLAIN).encode()


def _origin(target: str) -> str:
    """The path and the query of a target, which may be a URL."""
    if target.startswith("/"):
        return target
    try:
        parts = urlsplit(target)
    except ValueError:
        return target  # which the library refuses
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def _below(target: bytes, root: bytes) -> bytes:
    """The target without the path that the application is mounted at."""
    root = root.rstrip(b"/")
    if root and target.startswith(root) and target[len(root) : len(root) + 1] in (b"/", b"?", b""):
        rest = target[len(root) :]
        return rest if rest.startswith(b"/") else b"/" + rest
    return target
