"""Hostile values, raw and once percent-decoded, in each place that can have a value.

Either the value is read back exactly, or it is refused with a sentence, and only if the rules require this.  It never
adds a segment, an item, a header, a host, or a word of the shell.
"""

from __future__ import annotations

import json
import re
import shlex
from typing import Any, Callable, Dict, List, Optional, Tuple
from urllib.parse import unquote_to_bytes

from harness import Suite, expect
from library import Arguments, Built, Refusal, Result, Router

BASE = b"https://api.example.com/v1"
DOCUMENT = {
    "routable": 1,
    "base": BASE.decode(),
    "headers": {"Accept": "application/json"},
    "resources": {"user": {"path": "users", "can": ["read"], "has": ["status"]}, "status": {"path": "statuses", "can": ["read"]}},
    "operations": {
        "search": {"get": "/search", "query": {"q": {"required": True}, "page": {"type": "integer", "default": 1}}},
        "find": {"get": "/find"},
        "file": {"get": "/files/{name}.json"},
        "tree": {"get": "/tree/{rest*}"},
        "ping": {"get": "/ping", "header": {"X-Trace": {}}, "cookie": {"session": {}}},
        "form": {"post": "/form"},
    },
}
ACCEPT = (b"Accept", b"application/json")
FORM = (b"Content-Type", b"application/x-www-form-urlencoded")
UNRESERVED = re.compile(rb"([A-Za-z0-9._~-]|%[0-9A-F]{2})*")
FREE = re.compile(rb"([A-Za-z0-9._~/?-]|%[0-9A-F]{2})*")

_router: Optional[Router] = None


def router() -> Router:
    global _router
    if _router is None:
        _router = Router.opened(DOCUMENT)
    return _router


def is_utf8(value: bytes) -> bool:
    try:
        value.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def check(vector: Any, data: Any) -> None:
    text: str = vector["value"] if isinstance(vector, dict) else vector
    raw = text.encode("utf-8", "surrogatepass")
    for value in sorted({raw, unquote_to_bytes(raw)}):
        for place in PLACES:
            place(value)


# --- One function for each place: the call, whether the value must be refused, and the expected request ---


def both(
    value: bytes, operation: str, route: Optional[str], place: str, refused: Optional[str], accept: Callable[[Built], None],
    given: Dict[str, Any], call: Dict[str, Any],
) -> None:
    """Builds with the bytes through the object tier, and with the same string, if they are UTF-8, through the JSON tier: the results are equal."""
    label = f"{value!r} as {place}"
    result = router().build(operation, route, **given)
    judge(label, result, refused, accept)
    if is_utf8(value):
        call = {"operation": operation, **({"route": route} if route else {}), **call}
        again = router().build_json(json.dumps(call).encode("ascii"))
        expect(f"{label}, JSON tier", result, again)


def judge(label: str, result: Result, refused: Optional[str], accept: Callable[[Built], None]) -> None:
    if isinstance(result, Refusal):
        expect(label, refused or "a request", result.status)
        expect(label, True, len(result.message) > 0)
        return
    expect(label, refused or "a request", "a request")
    accept(result)
    # The curl line is split as a shell would split it.
    words = shlex.split(result.curl.decode("utf-8", "surrogateescape"))
    # curl's own spelling of a header without a value is "Name;".
    wanted = [(name + (b": " + text if text else b";")).decode("utf-8", "surrogateescape") for name, text in result.headers]
    expect(f"{label}, curl line", wanted, [words[at + 1] for at, word in enumerate(words) if word in ("-H", "--header")])
    expect(f"{label}, curl line", 1, sum(result.url.decode() == word for word in words))


def in_path(value: bytes, place: str, operation: str, route: Optional[str], before: bytes, after: bytes, ids: Any, call: Any) -> None:
    def accept(built: Built) -> None:
        expect(f"{value!r} as {place}", (BASE + before, after), (built.url[: len(BASE + before)], built.url[len(built.url) - len(after) :]))
        segment = built.url[len(BASE + before) : len(built.url) - len(after)]
        expect(f"{value!r} as {place}", True, UNRESERVED.fullmatch(segment) is not None)
        expect(f"{value!r} as {place}", value, unquote_to_bytes(segment))

    is_whole = not after.startswith(b".")
    refused = "value" if not value or not is_utf8(value) or (is_whole and value in (b".", b"..")) else None
    both(value, operation, route, place, refused, accept, {"ids": ids}, {"ids": call})


def as_id(value: bytes) -> None:
    in_path(value, "an id", "read", "user.status", b"/users/", b"/statuses/3", [value, b"3"], [text(value), "3"])


def as_last_id(value: bytes) -> None:
    in_path(value, "the last id", "read", "user", b"/users/", b"", [value], [text(value)])


def as_piece(value: bytes) -> None:
    in_path(value, "a piece of a segment", "file", None, b"/files/", b".json", [value], [text(value)])


def as_rest(value: bytes) -> None:
    def accept(built: Built) -> None:
        expect(f"{value!r} as a catch-all", BASE + b"/tree/", built.url[: len(BASE + b"/tree/")])
        pieces = built.url[len(BASE + b"/tree/") :].split(b"/")
        expect(f"{value!r} as a catch-all", True, all(UNRESERVED.fullmatch(piece) for piece in pieces))
        expect(f"{value!r} as a catch-all", value.split(b"/"), [unquote_to_bytes(piece) for piece in pieces])

    refused = "value" if not is_utf8(value) or any(piece in (b"", b".", b"..") for piece in value.split(b"/")) else None
    both(value, "tree", None, "a catch-all", refused, accept, {"ids": [value]}, {"ids": [text(value)]})


def as_query(value: bytes) -> None:
    def accept(built: Built) -> None:
        path, _, query = built.url.partition(b"?")
        items = [item.split(b"=") for item in query.split(b"&")]
        expect(f"{value!r} in a query", BASE + b"/search", path)
        expect(f"{value!r} in a query", [[b"q", value], [b"page", b"1"]], [[unquote_to_bytes(part) for part in item] for item in items])
        expect(f"{value!r} in a query", True, UNRESERVED.fullmatch(items[0][1]) is not None)

    refused = None if is_utf8(value) else "value"
    both(value, "search", None, "a query parameter", refused, accept, {"query": [(b"q", value)]}, {"query": {"q": text(value)}})


def pairs(value: bytes, written: bytes, item: List[bytes], place: str) -> None:
    """Checks for two items: the hostile one, and `~z=1`, in either order."""
    items = [piece.split(b"=") for piece in written.split(b"&")]
    expect(f"{value!r} {place}", [2, 2], [len(parts) for parts in items])
    expect(f"{value!r} {place}", True, all(FREE.fullmatch(part) for parts in items for part in parts))
    decoded = sorted([unquote_to_bytes(part) for part in parts] for parts in items)
    expect(f"{value!r} {place}", sorted([item, [b"~z", b"1"]]), decoded)


def as_form(value: bytes) -> None:
    def accept(built: Built) -> None:
        expect(f"{value!r} in a form", (BASE + b"/form", (ACCEPT, FORM)), (built.url, built.headers))
        pairs(value, built.body or b"", [b"f", value], "in a form")

    given: Arguments = [(b"f", value), (b"~z", b"1")]
    refused = None if is_utf8(value) else "value"
    both(value, "form", None, "a form value", refused, accept, {"parameters": given}, {"parameters": {"f": text(value), "~z": "1"}})


def as_free_query(value: bytes) -> None:
    def accept(built: Built) -> None:
        path, _, query = built.url.partition(b"?")
        expect(f"{value!r} as a free parameter", (BASE + b"/find", None), (path, built.body))
        pairs(value, query, [b"f", value], "as a free parameter")

    given: Arguments = [(b"f", value), (b"~z", b"1")]
    refused = None if is_utf8(value) else "value"
    both(value, "find", None, "a free parameter", refused, accept, {"parameters": given}, {"parameters": {"f": text(value), "~z": "1"}})


def as_form_key(value: bytes) -> None:
    def accept(built: Built) -> None:
        pairs(value, built.body or b"", [value, b"1"], "as a form key")

    if b"\0" in value or value == b"~z":
        return  # a name is a C string
    given: Arguments = [(value, b"1"), (b"~z", b"1")]
    refused = None if is_utf8(value) else "value"
    both(value, "form", None, "a form key", refused, accept, {"parameters": given}, {"parameters": {text(value): "1", "~z": "1"}})


def as_header(value: bytes) -> None:
    def accept(built: Built) -> None:
        expect(f"{value!r} as a header", (ACCEPT, (b"X-Trace", value)), built.headers)
        expect(f"{value!r} as a header", (BASE + b"/ping", None), (built.url, built.body))

    refused = None
    if any(byte < 0x20 and byte != 0x09 or byte == 0x7F for byte in value):
        refused = "header" if is_utf8(value) else "value"
    elif not is_utf8(value):
        refused = "value"
    elif value != value.strip(b" \t"):
        refused = "header"  # white space around a value is not part of it (RFC 9110 section 5.5): the receiver drops it
    both(value, "ping", None, "a header", refused, accept, {"headers": [(b"X-Trace", value)]}, {"headers": {"X-Trace": text(value)}})


def as_header_name(value: bytes) -> None:
    def accept(built: Built) -> None:
        expect(f"{value!r} as a header name", True, re.fullmatch(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+", value) is not None)
        expect(f"{value!r} as a header name", (ACCEPT, (value, b"1")), built.headers)

    if b"\0" in value or value.lower() == b"accept":
        return  # a name is a C string; Accept replaces the default header
    result = router().build("ping", headers=[(value, b"1")])
    if isinstance(result, Refusal):
        expect(f"{value!r} as a header name", "header", result.status)
    else:
        accept(result)


def as_cookie(value: bytes) -> None:
    def accept(built: Built) -> None:
        name, _, cookie = built.headers[-1][1].partition(b"=")
        expect(f"{value!r} as a cookie", (2, b"Cookie", b"session"), (len(built.headers), built.headers[-1][0], name))
        expect(f"{value!r} as a cookie", (True, value), (UNRESERVED.fullmatch(cookie) is not None, unquote_to_bytes(cookie)))

    refused = None if is_utf8(value) else "value"
    both(value, "ping", None, "a cookie", refused, accept, {"cookies": [(b"session", value)]}, {"cookies": {"session": text(value)}})


def as_names(value: bytes) -> None:
    """An unknown name is refused, whatever its bytes are."""
    if b"\0" in value or not is_utf8(value) or value in (b"user", b"ping", b"q", b"page", b"session"):
        return
    for place, result in (
        ("a route", router().build("read", text(value), ids=[b"1"])),
        ("an operation", router().build(text(value))),
        ("a query name", router().build("search", query=[(value, b"1")])),
        ("a cookie name", router().build("ping", cookies=[(value, b"1")])),
    ):
        expect(f"{value!r} as {place}", "a refusal", "a refusal" if isinstance(result, Refusal) else result)


def text(value: bytes) -> str:
    """A string for the JSON tier, which is called only if the bytes are UTF-8."""
    return value.decode("utf-8", "replace")


PLACES: Tuple[Callable[[bytes], None], ...] = (
    as_id, as_last_id, as_piece, as_rest, as_query, as_form, as_free_query, as_form_key, as_header, as_header_name,
    as_cookie, as_names,
)

SUITES = [Suite("hostile/*.json", check)]
