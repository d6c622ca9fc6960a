"""The places of a request that can have a hostile value, each with an oracle: whether the request must be accepted, and which value
must be read.  The oracles use Python's percent-decoding, json.loads, base64 and splitting, and no code of the library."""

from __future__ import annotations

import base64
import gzip
import json
import re
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Tuple
from urllib.parse import quote_from_bytes, unquote_to_bytes

#: The credential of every request.  No problem document may contain it.
SECRET = "Zq7hunter2secretXw"

#: Reasons for which a request with a valid value may or must be refused, and for which a value that the standard does not define
#: may be accepted.  A key is the reason of a case that is neither plainly valid nor plainly invalid.
EXCEPTIONS = {
    "target": "RFC 9112 section 3.2, RFC 3986 section 2: a target has no space, no control character and no \"#\"",
    "non-ASCII": "RFC 3986 section 2: a URI is ASCII; clients send UTF-8 unescaped, which may be read as such",
    "percent": "RFC 3986 section 2.1: \"%\" is followed by two hexadecimal digits; WHATWG URL section 1.3 keeps any other \"%\"",
    "segments": "RFC 3986 section 3.3: \"/\" separates segments, and \"?\" ends the path: the path is another one",
    "empty segment": "RFC 3986 section 3.3: an empty segment; a path parameter has at least one character (OpenAPI 3.1, 4.8.9)",
    "dot segment": "RFC 3986 sections 5.2.4 and 6.2.2.3: \".\" and \"..\", also as %2E, are removed by any intermediary",
    "UTF-8": "RFC 3986 section 2.5, RFC 8259 section 8.1: a string is UTF-8",
    "other pairs": "WHATWG URL section 5.1: \"&\" begins another pair, which may repeat the parameter or may not be UTF-8",
    "empty": "RFC 6570 section 3.2.1: an empty list or object is the same as an empty string",
    "brackets": "OpenAPI 3.1, 4.8.12.4: deepObject does not define names that contain brackets, or nested objects",
    "form brackets": "docs/encodings.md: brackets in the name of a form are levels of the value",
    "delimiter": "OpenAPI 3.1, 4.8.12.4: a delimiter in a value is ambiguous with the styles spaceDelimited and pipeDelimited",
    "declared name": "the name is that of a declared parameter, or of a credential",
    "field control": "RFC 9110 section 5.5: a field value has no CR, LF, NUL or other control character except HTAB",
    "field bytes": "RFC 9110 section 5.5: obs-text is opaque, and no string of a call",
    "field name": "RFC 9110 section 5.6.2: the name of a field is a token",
    "own field": "RFC 9110 section 7.6.1: fields of the connection and of the framing are not part of the call",
    "list": "RFC 9110 section 5.6.1: a list separates by commas, may have empty elements, and quotes commas; RFC 6570 does not quote",
    "cookie octet": "RFC 6265 section 4.1.1: a cookie value has no white space, DQUOTE, comma, semicolon, backslash or non-ASCII byte",
    "cookie name": "RFC 6265 section 4.1.1: the name of a cookie is a token",
    "other cookies": "RFC 6265 section 4.2.1: \";\" begins another cookie",
    "integer as real": "JSON Schema 2020-12, 4.2.3: 1.0 is an integer; the form of a parameter is not defined by a standard",
    "form boolean": "docs/encodings.md: a boolean in a form may be written as 1 or 0",
    "form JSON": "RFC 8259 section 2: white space around a value; the text of a form is read as JSON where no string is valid",
    "long number": "RFC 8259 section 6: an implementation may limit the digits of a number",
    "part name": "WHATWG HTML 4.10.22.8: %22, %0D and %0A in a name are escapes; RFC 7578 section 4.2 refers to RFC 2183 quoting",
    "part control": "RFC 7578 section 5.1, RFC 5322 section 2.2: a header of a part has no control character",
    "raw part": "RFC 2183 section 2: DQUOTE, backslash, CR and LF in a name are escaped; here they are not",
    "delimiter in content": "RFC 2046 section 5.1.1: the content contains the delimiter",
    "boundary": "RFC 2046 section 5.1.1: a boundary has 1 to 70 bchars and no space at its end",
    "part type": "RFC 7578 section 4.4: the Content-Type of a part that is no media type, or of which the kind of value depends",
    "NUL in a name": "RFC 8259 section 9: an implementation may limit the characters of strings; the library refuses U+0000 in names",
    "JSON text": "RFC 8259: the bytes are no JSON text",
    "JSON either": "RFC 8259 sections 4, 6, 8.1, 8.2 and 9: implementations may differ",
    "media type": "RFC 9110 section 8.3.1: the value is no media type, or one whose parameters the description does not have",
    "undeclared media type": "RFC 9110 section 15.5.16: the operation does not accept the media type",
    "content coding": "RFC 9110 section 8.4: the value is a list of codings, or the body is not in the coding",
    "bearer token": "RFC 6750 section 2.1: a bearer token is a b64token",
    "no credential": "RFC 9110 section 11.4: the value has no credential of the scheme",
    "basic credential": "RFC 7617 section 2: user-id and password have no control characters, a colon separates them, UTF-8",
    "entity tag": "RFC 9110 section 8.8.3: the value is no entity tag",
    "whole target": "RFC 9112 section 3.2: the value as a whole target names another resource, or none",
    "method": "RFC 9110 section 9.1: the method is another token, or none",
}

NOTHING = object()


class Case(NamedTuple):
    """A request with the result that the oracle expects."""

    place: str
    target: bytes
    #: True: the request must be accepted; False: it must be refused; None: either.
    must: Optional[bool]
    #: The key of EXCEPTIONS; empty if the value is plainly valid or invalid for its type.
    reason: str = ""
    #: Reads the value to compare with `value` from the Received.
    found: Optional[Callable[[Any], Any]] = None
    value: Any = NOTHING
    headers: Tuple[Tuple[bytes, bytes], ...] = ()
    body: bytes = b""
    method: str = "GET"
    #: The credential that the value is a part of.
    secret: str = ""


class Verdict(NamedTuple):
    must: Optional[bool]
    value: Any = NOTHING
    reason: str = ""

    def either(self, reason: str) -> "Verdict":
        """The same value, but the request may also be refused."""
        return self if self.must is False else Verdict(None, self.value, reason)


# --- Types ---

NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
CHOICES = ["a", "b c", "../", "%00", "null", "1/0", "\u00e9", "<script>alert(123)</script>", "NaN", "\u2060", ",", "0"]
#: Kind: the schema, and whether a string is valid.
STRINGS: Dict[str, Tuple[Dict[str, Any], Callable[[str], bool]]] = {
    "string": ({"type": "string"}, lambda text: True),
    "enum": ({"type": "string", "enum": CHOICES}, lambda text: text in CHOICES),
    "pattern": ({"type": "string", "pattern": "^[a-z0-9._-]{1,20}$"}, lambda text: bool(re.fullmatch("[a-z0-9._-]{1,20}", text))),
    # ECMA-262: \d matches ASCII digits, and "." does not match line terminators.
    "digits": ({"type": "string", "pattern": "^\\d+$"}, lambda text: bool(re.fullmatch("[0-9]+", text))),
    "line": ({"type": "string", "pattern": "^.{1,12}$"}, lambda text: 1 <= len(text) <= 12 and not set(text) & set("\n\r\u2028\u2029")),
    "short": ({"type": "string", "minLength": 2, "maxLength": 9}, lambda text: 2 <= len(text) <= 9),
}
OTHERS: Dict[str, Dict[str, Any]] = {"integer": {"type": "integer"}, "number": {"type": "number"}, "boolean": {"type": "boolean"}}
KINDS = [*STRINGS, *OTHERS]


def schema(kind: str) -> Dict[str, Any]:
    return STRINGS[kind][0] if kind in STRINGS else OTHERS[kind]


def utf8(value: bytes) -> Optional[str]:
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return None


def typed(kind: str, value: bytes, *, form: bool = False) -> Verdict:
    """A string as a value of a kind."""
    text = utf8(value)
    if text is None:
        return Verdict(False, reason="UTF-8")
    if kind in STRINGS:
        return Verdict(True, text) if STRINGS[kind][1](text) else Verdict(False)
    if kind == "boolean":
        if text in ("true", "false"):
            return Verdict(True, text == "true")
        if form and text in ("0", "1"):
            return Verdict(None, text == "1", "form boolean")
        return blank(kind, text) if form else Verdict(False)
    return number(kind, text) if NUMBER.fullmatch(text) else blank(kind, text) if form else Verdict(False)


def blank(kind: str, text: str) -> Verdict:
    """A JSON value with white space around it."""
    inner = text.strip(" \t\r\n")
    return typed(kind, inner.encode()).either("form JSON") if inner and inner != text else Verdict(False)


def number(kind: str, text: str) -> Verdict:
    if len(text) > 300:
        return Verdict(None, reason="long number")
    if kind == "number":
        return Verdict(True, json.loads(text))
    if re.fullmatch("-?[0-9]+", text):
        return Verdict(True, int(text))
    real = float(text)
    if abs(real) > 1e300:
        return Verdict(None, reason="integer as real")
    return Verdict(None, int(real), "integer as real") if real.is_integer() else Verdict(False)


# --- The descriptions ---


def route_document() -> Dict[str, Any]:
    """A route document: each kind in each place; a bearer token for every operation."""
    plain = {kind: {**schema(kind)} for kind in KINDS}
    for each in plain.values():
        if "pattern" in each:
            # The pattern is matched against the whole value by PCRE2, whose "." matches line terminators other than LF.
            each["pattern"] = each["pattern"][1:-1].replace(".{", "[^\\n\\r\\x{2028}\\x{2029}]{")
    members = {"type": "object", "properties": {**{kind: schema(kind) for kind in KINDS}, "array": {"type": "array", "items": {
        "type": "string"}}, "object": {"type": "object"}}}
    operations: Dict[str, Any] = {f"p_{kind}": {"get": f"/p/{kind}/{{v}}", "ids": {"v": each}} for kind, each in plain.items()}
    operations.update({
        "query": {"get": "/q", "query": {**plain, "array": {"type": "array", "items": {"type": "string"}}}},
        "header": {"get": "/h", "header": {f"X-{kind}": each for kind, each in plain.items()}},
        "cookie": {"get": "/c", "cookie": plain},
        "free": {"post": "/f"},
        "form": {"post": "/form", "body_as": "form", "body": members},
        "multipart": {"post": "/m", "body_as": "multipart", "body": members},
        "json": {"post": "/j", "body": members},
        "anyjson": {"post": "/ja", "body": {}},
        "bytes": {"put": "/b", "body_as": "bytes"},
        "basic": {"get": "/basic", "auth": "basic"},
        "keys": {"get": "/keys", "auth": ["hkey", "qkey", "ckey"]},
    })
    return {"routable": 1, "base": "https://h.example/v1", "operations": operations, "auth": {
        "token": {"scheme": "bearer", "default": True}, "basic": {"scheme": "basic"}, "hkey": {"scheme": "key", "in": "header", "name": "X-Key"},
        "qkey": {"scheme": "key", "in": "query", "name": "qkey"}, "ckey": {"scheme": "key", "in": "cookie", "name": "ckey"}}}


def openapi_document() -> Dict[str, Any]:
    """An OpenAPI document: each kind in each place and the styles; a key in the query for every operation."""
    def parameter(where: str, name: str, of: Dict[str, Any], **style: Any) -> Dict[str, Any]:
        return {"name": name, "in": where, "required": where == "path", "schema": of, **style}

    def operation(name: str, parameters: List[Any], **more: Any) -> Dict[str, Any]:
        return {"operationId": name, "parameters": parameters, "responses": {"200": {"description": ""}}, **more}

    texts, members = {"type": "array", "items": {"type": "string"}}, {"type": "object", "additionalProperties": {"type": "string"}}
    body = {"type": "object", "properties": {**{kind: schema(kind) for kind in KINDS}, "array": texts, "object": {"type": "object"}}}
    paths: Dict[str, Any] = {}
    for kind in KINDS:
        paths[f"/p/{kind}/{{v}}"] = {"get": operation(f"p_{kind}", [parameter("path", "v", schema(kind))])}
    for name, of, style in [("array", texts, "simple"), ("object", members, "simple"), ("label", {"type": "string"}, "label"),
                            ("matrix", {"type": "string"}, "matrix")]:
        paths[f"/p/{name}/{{v}}"] = {"get": operation(f"p_{name}", [parameter("path", "v", of, style=style)])}
    paths["/q"] = {"get": operation("query", [parameter("query", kind, schema(kind)) for kind in KINDS] + [
        parameter("query", "array", texts), parameter("query", "deep", members, style="deepObject", explode=True),
        parameter("query", "comma", texts, explode=False), parameter("query", "pairs", members, explode=False),
        parameter("query", "pipe", texts, style="pipeDelimited", explode=False),
        parameter("query", "space", texts, style="spaceDelimited", explode=False)])}
    paths["/h"] = {"get": operation("header", [parameter("header", f"X-{kind}", schema(kind)) for kind in KINDS] + [
        parameter("header", "X-array", texts), parameter("header", "X-object", members),
        parameter("header", "X-pairs", members, explode=True)])}
    paths["/c"] = {"get": operation("cookie", [parameter("cookie", kind, schema(kind)) for kind in KINDS] + [
        parameter("cookie", "comma", texts, explode=False)])}
    for path, name, media in [("/f", "free", "application/x-www-form-urlencoded"), ("/form", "form", "application/x-www-form-urlencoded"),
                              ("/m", "multipart", "multipart/form-data"), ("/j", "json", "application/json")]:
        paths[path] = {"post": operation(name, [], requestBody={"required": True, "content": {
            media: {"schema": {"type": "object"} if name == "free" else body}}})}
    paths["/ja"] = {"post": operation("anyjson", [], requestBody={"content": {"application/json": {"schema": {}}}})}
    paths["/b"] = {"put": operation("bytes", [], requestBody={"content": {"*/*": {}}})}
    paths["/basic"] = {"get": operation("basic", [], security=[{"basic": []}])}
    paths["/keys"] = {"get": operation("keys", [], security=[{"hkey": []}, {"qkey": []}, {"ckey": []}, {"token": []}])}
    schemes = {"key": {"type": "apiKey", "in": "query", "name": "key"}, "basic": {"type": "http", "scheme": "basic"},
               "token": {"type": "http", "scheme": "bearer"}, "hkey": {"type": "apiKey", "in": "header", "name": "X-Key"},
               "qkey": {"type": "apiKey", "in": "query", "name": "qkey"}, "ckey": {"type": "apiKey", "in": "cookie", "name": "ckey"}}
    return {"openapi": "3.1.0", "info": {"title": "hostile", "version": "1"}, "servers": [{"url": "https://h.example/v1"}],
            "security": [{"key": []}], "components": {"securitySchemes": schemes}, "paths": paths}


DOCUMENTS = {"route document": route_document, "OpenAPI": openapi_document}
BEARER = (b"Authorization", b"Bearer " + SECRET.encode())


class Sender:
    """Adds the credential that the operations of a description require."""

    def __init__(self, document: str) -> None:
        self.is_openapi = document == "OpenAPI"

    def target(self, path: bytes, query: bytes = b"") -> bytes:
        if self.is_openapi:
            query = b"key=" + SECRET.encode() + (b"&" + query if query else b"")
        return b"/v1" + path + (b"?" + query if query else b"")

    def headers(self, *given: Tuple[bytes, bytes]) -> Tuple[Tuple[bytes, bytes], ...]:
        return given if self.is_openapi else (BEARER, *given)


# --- Parts of requests, read by the harness ---


def encoded(value: bytes) -> bytes:
    """Encodes all characters except the unreserved ones."""
    return quote_from_bytes(value, safe="").encode()


def pairs(text: bytes) -> List[Tuple[bytes, bytes]]:
    found = []
    for item in text.split(b"&"):
        if item:
            name, _, value = item.partition(b"=")
            found.append((unquote_to_bytes(name.replace(b"+", b" ")), unquote_to_bytes(value.replace(b"+", b" "))))
    return found


def is_target(value: bytes) -> bool:
    return not re.search(rb"[\x00-\x20\x7f#]", value)


def has_bad_percent(value: bytes) -> bool:
    return re.search(rb"%(?![0-9A-Fa-f]{2})", value) is not None


def unusual(value: bytes) -> str:
    """The reason why raw bytes are not part of a URI."""
    return "non-ASCII" if re.search(rb"[\x80-\xff]", value) else "percent" if has_bad_percent(value) else ""


def is_field(value: bytes) -> bool:
    return not re.search(rb"[\x00-\x08\x0a-\x1f\x7f]", value)


TOKEN = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


def raw(verdict: Verdict, value: bytes) -> Verdict:
    reason = unusual(value)
    return verdict.either(reason) if reason else verdict


def refused(reason: str) -> Verdict:
    return Verdict(False, reason=reason)


def named(value: Any, name: Optional[str]) -> Verdict:
    """A value that is valid unless its name contains U+0000."""
    return Verdict(None, value, "NUL in a name") if "\0" in (name or "") else Verdict(True, value)


# --- Path ---


def of_path(sender: Sender, value: bytes) -> Iterator[Case]:
    for kind in KINDS:
        def found(received: Any) -> Any:
            return received.ids.get("v")

        def case(place: str, segment: bytes, verdict: Verdict) -> Case:
            return Case(place, sender.target(b"/p/" + kind.encode() + b"/" + segment), verdict.must, verdict.reason, found, verdict.value,
                        sender.headers())

        yield case("path segment, encoded", encoded(value), segment_of(kind, value))
        if not is_target(value):
            verdict = refused("target")
        elif b"/" in value or b"?" in value:
            # The value adds segments, or begins a query.
            verdict = refused("segments") if b"/" in value.partition(b"?")[0] else raw(
                segment_of(kind, unquote_to_bytes(value.partition(b"?")[0])), value).either("segments")
        else:
            verdict = raw(segment_of(kind, unquote_to_bytes(value)), value)
        if b"?" in value and sender.is_openapi:
            verdict = verdict.either("segments")
        yield case("path segment, raw", value, verdict)
    if not sender.is_openapi:
        return
    text = utf8(value)
    verdict = refused("UTF-8") if text is None else Verdict(True, ["x", text])
    base = sender.target(b"/p/array/x," + encoded(value))
    yield Case("path array", base, verdict.must, verdict.reason, lambda received: received.ids.get("v"), verdict.value)
    verdict = refused("UTF-8") if text is None else Verdict(True, {"k": text})
    base = sender.target(b"/p/object/k," + encoded(value))
    yield Case("path object", base, verdict.must, verdict.reason, lambda received: received.ids.get("v"), verdict.value)
    for name, prefix in (("label", b"."), ("matrix", b";v=")):
        verdict = refused("UTF-8") if text is None else Verdict(True, text)
        if name == "label" and value in (b"", b"."):
            verdict = verdict.either("dot segment")
        elif not value:
            verdict = verdict.either("empty")
        yield Case(f"path {name}", sender.target(b"/p/" + name.encode() + b"/" + prefix + encoded(value)), verdict.must, verdict.reason,
                   lambda received: received.ids.get("v"), verdict.value)


def segment_of(kind: str, value: bytes) -> Verdict:
    if not value:
        return refused("empty segment")
    if value in (b".", b".."):
        return refused("dot segment")
    return typed(kind, value)


# --- Query ---


def of_query(sender: Sender, value: bytes) -> Iterator[Case]:
    for kind in KINDS:
        def found(received: Any, kind: str = kind) -> Any:
            return received.query.get(kind, NOTHING)

        verdict = typed(kind, value)
        yield Case("query value, encoded", sender.target(b"/q", kind.encode() + b"=" + encoded(value)), verdict.must, verdict.reason, found,
                   verdict.value, sender.headers())
        verdict = raw_pair(kind, value)
        yield Case("query value, raw", sender.target(b"/q", kind.encode() + b"=" + value), verdict.must, verdict.reason, found,
                   verdict.value, sender.headers())
    yield from names_of_query(sender, value)
    text = utf8(value)

    def of(name: str, query: bytes, expected: Any, verdict: Optional[Verdict] = None) -> Case:
        verdict = refused("UTF-8") if text is None else verdict or Verdict(True, expected)
        return Case(f"query {name}", sender.target(b"/q", query), verdict.must, verdict.reason,
                    lambda received: received.query.get(name, NOTHING), verdict.value, sender.headers())

    if not sender.is_openapi:
        yield of("array", b"array[]=x&array[]=" + encoded(value), ["x", text])
        return
    yield of("array", b"array=x&array=" + encoded(value), ["x", text])
    yield of("comma", b"comma=x," + encoded(value), ["x", text])
    yield of("pairs", b"pairs=k," + encoded(value), {"k": text})
    for name, delimiter, escape in (("pipe", "|", b"%7C"), ("space", " ", b"%20")):
        split = ["x", *(text or "").split(delimiter)]
        yield of(name, name.encode() + b"=x" + escape + encoded(value), split, Verdict(True, split).either("delimiter") if len(split) > 2 else None)
    yield of("deep", b"deep[k]=" + encoded(value), {"k": text})
    yield of("deep", b"deep%5Bk%5D=" + encoded(value), {"k": text})
    unclear = Verdict(None, reason="brackets") if not value or set("[]") & set(text or "") else named({text: "x"}, text)
    yield of("deep", b"deep[" + encoded(value) + b"]=x", {text: "x"}, unclear)
    yield of("deep", b"deep%5B" + encoded(value) + b"%5D=x", {text: "x"}, unclear)
    yield Case("query deep, no member", sender.target(b"/q", b"deep=" + encoded(value)), None, "brackets", headers=sender.headers())
    if is_target(value):
        # The pair is not lost: it is read, refused or reported.
        yield Case("query deep, raw name", sender.target(b"/q", b"deep[" + value + b"]=x"), None, "brackets", headers=sender.headers())


def raw_pair(kind: str, value: bytes) -> Verdict:
    if not is_target(value):
        return refused("target")
    items = pairs(b"v=" + value)
    verdict = raw(typed(kind, items[0][1]), value)
    return verdict.either("other pairs") if len(items) > 1 else verdict


def names_of_query(sender: Sender, value: bytes) -> Iterator[Case]:
    yield free_name("query name, encoded", sender, b"/q", encoded(value), value, b"", "GET", ())
    if is_target(value) and b"&" not in value and b"=" not in value:
        yield free_name("query name, raw", sender, b"/q", value, unquote_to_bytes(value.replace(b"+", b" ")), b"", "GET", ())
    elif not is_target(value):
        yield Case("query name, raw", sender.target(b"/q", value + b"=x"), False, "target", headers=sender.headers())


def free_name(
    place: str, sender: Sender, path: bytes, written: bytes, value: bytes, body: bytes, method: str, headers: Tuple[Tuple[bytes, bytes], ...]
) -> Case:
    """An undeclared parameter."""
    text = utf8(value)
    query = b"" if method == "POST" else written + b"=x"
    body = written + b"=x" if method == "POST" else b""
    must: Optional[bool] = text is not None
    reason = "" if must else "UTF-8"
    expected: Any = NOTHING
    found: Optional[Callable[[Any], Any]] = None
    if text is not None:
        if method == "GET" and re.match(r"(%s|array|deep|comma|pairs|pipe|space|key)(\[.*)?$" % "|".join(KINDS), text, re.S):
            must, reason = None, "declared name"
        else:
            name = text[:-2] if text.endswith("[]") and len(text) > 2 else text
            expected = ["x"] if name != text else "x"

            def found(received: Any, name: str = name) -> Any:
                return received.parameters.get(name, NOTHING)
        if unusual(written) and must:
            must, reason = None, unusual(written)
        if "\0" in text and must:
            must, reason = None, "NUL in a name"
    return Case(place, sender.target(path, query), must, reason, found, expected, sender.headers(*headers), body, method)


# --- Headers ---


def field(verdict: Callable[[bytes], Verdict], value: bytes) -> Verdict:
    if not is_field(value.strip(b" \t")):
        return refused("field control")
    return verdict(value.strip(b" \t"))


def of_header(sender: Sender, value: bytes) -> Iterator[Case]:
    plain = value.strip(b" \t")
    for kind in KINDS:
        verdict = field(lambda text: typed(kind, text), value)  # noqa: B023
        if verdict.reason == "UTF-8":
            verdict = refused("field bytes")
        name = f"X-{kind}"
        yield Case("header value", sender.target(b"/h"), verdict.must, verdict.reason,
                   lambda received, name=name: received.headers.get(name, NOTHING), verdict.value, sender.headers((name.encode(), value)))
    verdict = field(lambda text: Verdict(True, utf8(text)), value)
    yield Case("undeclared header", sender.target(b"/h"), verdict.must, verdict.reason,
               lambda received: None if "X-Free" in received.ignored else received.headers.get("X-Free", NOTHING), verdict.value,
               sender.headers((b"X-Free", value)))
    lower = value.lower()
    if lower not in (b"cookie", b"content-type", b"authorization", b"content-encoding", b"content-length"):
        is_token = TOKEN.fullmatch(value) is not None
        text = utf8(value) or ""
        is_own = lower in (b"host", b"te", b"trailer", b"upgrade", b"connection", b"keep-alive", b"transfer-encoding", b"expect",
                           b"proxy-connection") or lower.startswith(b"x-")
        must = None if is_own else is_token
        yield Case("header name", sender.target(b"/h"), must, "own field" if is_own else "" if is_token else "field name",
                   None if is_own else lambda received: received.headers.get(text, NOTHING), "x", sender.headers((value, b"x")))
    if sender.is_openapi:
        def elements(text: bytes) -> Verdict:
            if utf8(text) is None:
                return refused("field bytes")
            items = [each.strip(" \t") for each in (utf8(text) or "").split(",")]
            verdict = Verdict(True, ["x", *items])
            return verdict.either("list") if "" in items or b'"' in text else verdict

        def member(text: bytes) -> Verdict:
            if utf8(text) is None:
                return refused("field bytes")
            return Verdict(None, reason="list") if b"," in text or not text or b'"' in text else Verdict(True, {"k": utf8(text)})

        # White space after "=" is part of the value.
        exploded = value.rstrip(b" \t")
        for name, prefix, oracle, given in (("X-array", b"x,", elements, plain), ("X-object", b"k,", member, plain),
                                            ("X-pairs", b"k=", member, exploded)):
            verdict = oracle(given) if is_field(plain) else refused("field control")
            yield Case(f"header {name[2:]}", sender.target(b"/h"), verdict.must, verdict.reason,
                       lambda received, name=name: received.headers.get(name, NOTHING), verdict.value,
                       sender.headers((name.encode(), prefix + value)))
    verdict = field(lambda text: Verdict(True, utf8(text)), value)
    yield Case("If-None-Match", sender.target(b"/h"), verdict.must, verdict.reason,
               lambda received: None if "If-None-Match" in received.ignored else received.headers.get("If-None-Match", NOTHING),
               verdict.value, sender.headers((b"If-None-Match", value)))
    is_tag = re.fullmatch(rb"[\x21\x23-\x7e\x80-\xff]*", value) is not None and utf8(value) is not None
    text = utf8(value) or ""
    if is_tag:
        yield Case("If-None-Match, as a tag", sender.target(b"/h"), True, "",
                   lambda received: [received.precondition(each) for each in (f'"{text}"', f'W/"{text}"', f'"{text}x"')], [304, 304, 0],
                   sender.headers((b"If-None-Match", b'"other", W/"' + value + b'"')))
    elif is_field(plain) and utf8(plain) is not None and b"*" not in plain:
        # The list has no tag "zz".
        yield Case("If-None-Match, as a tag", sender.target(b"/h"), None, "entity tag",
                   lambda received: received.precondition('"zz"'), 0, sender.headers((b"If-None-Match", b'"' + value + b'"')))


# --- Cookies ---

COOKIE_OCTETS = re.compile(rb"[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*")


def cookies(text: bytes) -> List[Tuple[bytes, bytes]]:
    """The pairs of a Cookie header, as RFC 6265 section 4.2 writes them."""
    found = []
    for piece in text.split(b";"):
        piece = piece.lstrip(b" ")
        if piece:
            name, _, value = piece.partition(b"=")
            found.append((name, value))
    return found


def of_cookie(sender: Sender, value: bytes) -> Iterator[Case]:
    for kind in KINDS:
        def found(received: Any, kind: str = kind) -> Any:
            return received.cookies.get(kind, NOTHING)

        verdict = typed(kind, value)
        yield Case("cookie value, encoded", sender.target(b"/c"), verdict.must, verdict.reason, found, verdict.value,
                   sender.headers((b"Cookie", kind.encode() + b"=" + encoded(value))))
        verdict = field(lambda text: raw_cookie(kind, text), b"c=" + value)  # noqa: B023
        yield Case("cookie value, raw", sender.target(b"/c"), verdict.must, verdict.reason, found, verdict.value,
                   sender.headers((b"Cookie", kind.encode() + b"=" + value)))
    for place, name in (("cookie name, encoded", encoded(value)), ("cookie name, raw", value)):
        def sent(received: Any) -> Any:
            if "Cookie" in received.ignored:
                return None
            return cookies(received.headers.get("Cookie", "").encode())

        verdict = field(lambda text: name_of_cookie(text), name + b"=x; free=y")
        yield Case(place, sender.target(b"/c"), verdict.must, verdict.reason, sent, verdict.value, sender.headers((b"Cookie", name + b"=x; free=y")))
    if sender.is_openapi:
        text = utf8(value)
        verdict = refused("UTF-8") if text is None else Verdict(True, ["x", text])
        yield Case("cookie array", sender.target(b"/c"), verdict.must, verdict.reason, lambda received: received.cookies.get("comma", NOTHING),
                   verdict.value, sender.headers((b"Cookie", b"comma=x," + encoded(value))))


def raw_cookie(kind: str, text: bytes) -> Verdict:
    items = cookies(text)
    own = items[0][1]
    verdict = typed(kind, unquote_to_bytes(own))
    if len(items) > 1:
        return verdict.either("other cookies")
    if not COOKIE_OCTETS.fullmatch(own):
        return verdict.either("cookie octet")
    return verdict.either("percent") if has_bad_percent(own) else verdict


def name_of_cookie(text: bytes) -> Verdict:
    items = cookies(text)
    if any(utf8(unquote_to_bytes(name)) in KINDS + ["comma"] for name, _ in items):
        return Verdict(None, reason="declared name")
    if utf8(text) is None:
        return Verdict(None, None, "field bytes")
    # A piece without "=" is written again as it was.
    expected = items
    verdict = Verdict(True, expected)
    if not all(TOKEN.fullmatch(name) for name, _ in items):
        return verdict.either("cookie name")
    return verdict.either("other cookies") if len(items) > 2 else verdict


# --- Forms ---

FORM = (b"Content-Type", b"application/x-www-form-urlencoded")


def of_form(sender: Sender, value: bytes) -> Iterator[Case]:
    text = utf8(value)

    def case(place: str, path: bytes, body: bytes, verdict: Verdict, found: Any) -> Case:
        return Case(place, sender.target(path), verdict.must, verdict.reason, found, verdict.value, sender.headers(FORM), body, "POST")

    for kind in KINDS:
        def member(received: Any, kind: str = kind) -> Any:
            return received.body.get(kind, NOTHING)

        yield case("form value, encoded", b"/form", kind.encode() + b"=" + encoded(value), typed(kind, value, form=True), member)
        items = pairs(b"v=" + value)
        verdict = typed(kind, items[0][1], form=True)
        if len(items) > 1:
            verdict = verdict.either("other pairs")
        elif has_bad_percent(value):
            verdict = verdict.either("percent")
        yield case("form value, raw", b"/form", kind.encode() + b"=" + value, verdict, member)
    verdict = refused("UTF-8") if text is None else Verdict(True, text)
    if sender.is_openapi:
        yield case("form value, encoded", b"/f", b"k=" + encoded(value), verdict, lambda received: received.body.get("k", NOTHING))
        yield case("form name, encoded", b"/f", encoded(value) + b"=x", refused("UTF-8") if text is None else named("x", text),
                   lambda received: received.body.get(text, NOTHING))
        yield case("form array", b"/form", b"array=x&array=" + encoded(value), refused("UTF-8") if text is None else Verdict(True, ["x", text]),
                   lambda received: received.body.get("array"))
    else:
        yield case("form value, encoded", b"/f", b"k=" + encoded(value), verdict, lambda received: received.parameters.get("k", NOTHING))
        yield free_name("form name, encoded", sender, b"/f", encoded(value), value, b"", "POST", (FORM,))
        yield case("form array", b"/form", b"array[]=x&array[]=" + encoded(value), refused("UTF-8") if text is None else
                   Verdict(True, ["x", text]), lambda received: received.body.get("array"))
        unclear = Verdict(None, reason="form brackets") if set("[]") & set(text or "") or not value else named({text: "x"}, text)
        yield case("form object", b"/form", b"object[" + encoded(value) + b"]=x", refused("UTF-8") if text is None else unclear,
                   lambda received: received.body.get("object", NOTHING))
        yield case("form object", b"/form", b"object[k]=" + encoded(value), refused("UTF-8") if text is None else Verdict(True, {"k": text}),
                   lambda received: received.body.get("object", NOTHING))
    # Any bytes as a whole form: what WHATWG reads.
    items = pairs(value)
    plain = all(utf8(side) is not None for pair in items for side in pair)
    names = [name for name, _ in items]
    simple = plain and len(set(names)) == len(names) and not any(b"[" in name or b"]" in name for name in names)
    expected = Verdict(True if simple else None, {name.decode(): each.decode() for name, each in items} if simple else NOTHING,
                       "" if simple else "other pairs")
    if simple and has_bad_percent(value):
        expected = expected.either("percent")
    if any(b"\0" in name for name in names):
        expected = expected.either("NUL in a name")
    yield case("form, raw", b"/f", value, Verdict(False, reason="UTF-8") if not plain else expected,
               (lambda received: received.body) if sender.is_openapi else (lambda received: dict(received.parameters)))


# --- Multipart ---


def of_multipart(sender: Sender, value: bytes) -> Iterator[Case]:
    text = utf8(value)
    boundary = b"XbX"

    def case(place: str, parts: List[Tuple[bytes, bytes]], verdict: Verdict, found: Any, delimiter: bytes = boundary, written: bytes = b"") -> Case:
        body = b"".join(b"--" + delimiter + b"\r\n" + head + b"\r\n\r\n" + content + b"\r\n" for head, content in parts)
        media = b"multipart/form-data; boundary=" + (written or delimiter)
        return Case(place, sender.target(b"/m"), verdict.must, verdict.reason, found, verdict.value,
                    sender.headers((b"Content-Type", media)), body + b"--" + delimiter + b"--\r\n", "POST")

    def disposition(name: bytes, *more: bytes) -> bytes:
        return b"Content-Disposition: form-data; name=\"" + name + b"\"" + b"".join(more)

    def file(received: Any) -> Any:
        return [(each.name, each.filename, each.content) for each in received.files]

    # The content.
    has_delimiter = b"\r\n--" + boundary in b"\r\n" + value
    for kind in KINDS:
        verdict = typed(kind, value, form=True)
        if verdict.reason == "UTF-8":
            verdict = Verdict(None, reason="UTF-8")  # a file, which the schema may refuse
        yield case("multipart content", [(disposition(kind.encode()), value)], verdict.either("delimiter in content") if has_delimiter else verdict,
                   lambda received, kind=kind: received.body.get(kind, NOTHING))
    verdict = Verdict(True, [("file", "f.bin", value)])
    yield case("multipart file content", [(disposition(b"file", b'; filename="f.bin"') + b"\r\nContent-Type: application/octet-stream", value)],
               verdict.either("delimiter in content") if has_delimiter else verdict, file)
    # Names, escaped as by browsers.
    escaped = value.replace(b'"', b"%22").replace(b"\r", b"%0D").replace(b"\n", b"%0A")
    verdict = Verdict(True, text)
    if text is None:
        verdict = refused("UTF-8")
    elif re.search(rb"%(22|0D|0A)", value):
        read = escaped.replace(b"%22", b'"').replace(b"%0D", b"\r").replace(b"%0A", b"\n").decode()
        verdict = Verdict(None, read, "part name")
    elif not is_field(escaped):
        verdict = verdict.either("part control")
    elif value.endswith(b"\\"):
        verdict = Verdict(None, reason="part name")
    name = verdict._replace(value="x" if verdict.value is not NOTHING else NOTHING)
    if text in KINDS:
        name = Verdict(None, reason="declared name")
    yield case("multipart name", [(disposition(escaped), b"x")], name,
               lambda received, name=verdict.value: received.body.get(name, NOTHING))
    filename = verdict._replace(value=[("file", verdict.value, b"x")] if verdict.value is not NOTHING else NOTHING)
    yield case("multipart filename", [(disposition(b"file", b'; filename="' + escaped + b'"'), b"x")], filename, file)
    # Unescaped names with characters that require an escape: no value is expected, only that the request is built again.
    if re.search(rb'["\\\r\n]|%22|%0D|%0A|^$', value) or text is None or not is_field(value):
        unclear = Verdict(None, reason="raw part")
        yield case("multipart name, raw", [(disposition(value), b"x")], unclear, None)
        yield case("multipart filename, raw", [(disposition(b"file", b'; filename="' + value + b'"'), b"x")], unclear, None)
        yield case("multipart name, raw", [(b"Content-Disposition: form-data; name=" + value, b"x")], unclear, None)
    # The Content-Type of a part, and other headers.
    yield case("multipart part type", [(disposition(b"k") + b"\r\nContent-Type: " + value, b"x")], Verdict(None, reason="part type"),
               None if b"\r" in value or b"\n" in value else lambda received: (received.body.get("k") or [each.content for each in received.files][0].decode()))
    yield case("multipart part header", [(b"X-Free: " + value + b"\r\n" + disposition(b"k"), b"x")], Verdict(
        True, "x") if is_field(value) else Verdict(None, reason="part control"), lambda received: received.body.get("k", NOTHING))
    # The boundary.
    is_valid = re.fullmatch(rb"[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]", value) is not None
    quoted = b'"' + value.replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'
    one = [(disposition(b"k"), b"x")]
    verdict = Verdict(True, "x") if is_valid else Verdict(None, "x", "boundary") if is_field(value) else refused("field control")
    yield case("multipart boundary", one, verdict, lambda received: received.body.get("k", NOTHING), value, quoted)
    if value:
        verdict = Verdict(True, "x") if is_valid and TOKEN.fullmatch(value) else Verdict(None, reason="boundary") if is_field(
            value.strip(b" \t")) else refused("field control")
        yield case("multipart boundary, unquoted", one, verdict, None if verdict.must is None else lambda received: received.body.get("k", NOTHING),
                   value, value)
    # Any bytes as a body.
    yield Case("multipart body, raw", sender.target(b"/m"), None, "raw part", headers=sender.headers(
        (b"Content-Type", b"multipart/form-data; boundary=XbX")), body=b"--XbX\r\n" + value + b"\r\n--XbX--", method="POST")


# --- JSON ---

JSON = (b"Content-Type", b"application/json")


class NotJSON(ValueError):
    pass


def strict_json(body: bytes) -> Any:
    """json.loads that refuses duplicate keys, NaN, invalid UTF-8, and lone surrogates."""
    def members(found: List[Tuple[str, Any]]) -> Dict[str, Any]:
        if len({name for name, _ in found}) < len(found):
            raise NotJSON("a key is there twice")
        return dict(found)

    def constant(name: str) -> Any:
        raise NotJSON(name)

    text = body.decode("utf-8")
    return json.loads(text, object_pairs_hook=members, parse_constant=constant)


def json_verdict(body: bytes, check: Callable[[Any], Optional[bool]]) -> Verdict:
    """The verdict on a JSON body; `check` returns whether the value is valid, None for either."""
    try:
        value = strict_json(body)
    except RecursionError:
        return Verdict(None, reason="JSON either")
    except ValueError as error:
        if isinstance(error, (NotJSON, json.JSONDecodeError, UnicodeDecodeError)):
            return refused("JSON text")
        return Verdict(None, reason="JSON either")  # the digits of an integer
    must = check(value)
    if must and has_nul_in_name(value):
        return Verdict(None, value, "NUL in a name")
    if not has_unicode(value):
        return Verdict(None, reason="JSON either") if must is not False else Verdict(False)
    return Verdict(must, value if must is not False else NOTHING, "JSON either" if must is None else "")


def has_nul_in_name(value: Any) -> bool:
    if isinstance(value, dict):
        return any("\0" in name for name in value) or any(map(has_nul_in_name, value.values()))
    return isinstance(value, list) and any(map(has_nul_in_name, value))


def has_unicode(value: Any) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def is_of(kind: str, value: Any) -> Optional[bool]:
    if kind in STRINGS:
        return isinstance(value, str) and STRINGS[kind][1](value)
    if kind == "boolean":
        return isinstance(value, bool)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    if abs(value) > 1e300:
        return None
    return kind == "number" or float(value).is_integer()


def of_json(sender: Sender, value: bytes) -> Iterator[Case]:
    text = utf8(value)

    def case(place: str, path: bytes, body: bytes, check: Callable[[Any], Optional[bool]]) -> Case:
        verdict = json_verdict(body, check) if body.strip(b" \t\r\n") else Verdict(None, reason="JSON either")
        return Case(place, sender.target(path), verdict.must, verdict.reason, lambda received: received.call.get("body", NOTHING),
                    verdict.value, sender.headers(JSON), body, "POST")

    for kind in KINDS:
        def valid(found: Any, kind: str = kind) -> Optional[bool]:
            # A raw value can add members.
            if not isinstance(found, dict):
                return False
            judged = [is_of(each, found[each]) for each in KINDS if each in found]
            judged += [isinstance(found["array"], list) and all(isinstance(each, str) for each in found["array"])] if "array" in found else []
            judged += [isinstance(found["object"], dict)] if "object" in found else []
            return False if False in judged else None if None in judged else True

        if text is not None:
            yield case("JSON string, escaped", b"/j", json.dumps({kind: text}).encode(), valid)
            yield case("JSON string", b"/j", json.dumps({kind: text}, ensure_ascii=False).encode(), valid)
        yield case("JSON string, raw", b"/j", b'{"' + kind.encode() + b'":"' + value + b'"}', valid)
        yield case("JSON value, raw", b"/j", b'{"' + kind.encode() + b'":' + value + b"}", valid)
    if text is not None:
        yield case("JSON name", b"/ja", json.dumps({text: 1, "o": {text: [text]}}).encode(), lambda found: True)
        yield case("JSON name", b"/ja", json.dumps({text: 1, "o": {text: [text]}}, ensure_ascii=False).encode(), lambda found: True)
        yield case("JSON name, duplicate", b"/ja", b"{" + json.dumps(text).encode() + b":1," + json.dumps(text, ensure_ascii=False).encode()
                   + b":2}", lambda found: True)
    yield case("JSON text", b"/ja", value, lambda found: True)
    yield case("JSON text", b"/ja", b"[" + value + b"]", lambda found: True)


def of_json_text(sender: Sender, value: bytes, expect: str = "") -> Iterator[Case]:
    """A JSON document of a parsing suite with the expectation of the suite: accept, reject, either."""
    verdict = json_verdict(value, lambda found: True) if value.strip(b" \t\r\n") else Verdict(None, reason="JSON either")
    if expect == "either" or value.startswith(b"\xef\xbb\xbf") or b"[" * 500 in value:
        verdict = verdict._replace(must=None, reason="JSON either")
    elif expect == "accept" and verdict.must is not True and verdict.reason != "JSON text":
        verdict = verdict._replace(must=None, reason="JSON either")
    yield Case("JSON suite", sender.target(b"/ja"), verdict.must, verdict.reason, lambda received: received.call.get("body", NOTHING),
               verdict.value, sender.headers(JSON), value, "POST")


# --- Content-Type and Content-Encoding ---

MEDIA_TYPE = re.compile(
    rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+/[!#$%&'*+.^_`|~0-9A-Za-z-]+)"
    rb"(?:[ \t]*;[ \t]*(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+=(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+|\"(?:[\t \x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t \x21-\x7e\x80-\xff])*\"))?)*")


def of_content_type(sender: Sender, value: bytes) -> Iterator[Case]:
    plain = value.strip(b" \t")
    lenient = plain.partition(b";")[0].strip(b" \t").lower()
    is_json = lenient == b"application/json" or lenient.endswith(b"+json")
    strict = MEDIA_TYPE.fullmatch(plain)
    if not is_field(plain):
        verdict = refused("field control")
    elif not plain:
        verdict = Verdict(None, reason="media type")
    elif strict and lenient == b"application/json":
        verdict = Verdict(None if b";" in plain else True, {"string": "x"}, "media type" if b";" in plain else "")
    else:
        verdict = Verdict(None, {"string": "x"}, "media type") if is_json or utf8(plain) is None else refused("undeclared media type")
    yield Case("Content-Type, JSON declared", sender.target(b"/j"), verdict.must, verdict.reason, lambda received: received.body,
               verdict.value, sender.headers((b"Content-Type", value)), b'{"string":"x"}', "POST")
    if not is_field(plain):
        verdict = refused("field control")
    else:
        verdict = Verdict(True, (b'{"string":"x"}', utf8(plain))) if strict and utf8(plain) is not None else Verdict(
            None, NOTHING if utf8(plain) is None or not plain else (b'{"string":"x"}', utf8(plain)), "media type")
        if b"json" in lenient or lenient in (b"multipart/form-data", b"application/x-www-form-urlencoded"):
            verdict = Verdict(None, reason="media type")
    yield Case("Content-Type, any", sender.target(b"/b"), verdict.must, verdict.reason, lambda received: (received.content, received.content_type),
               verdict.value, sender.headers((b"Content-Type", value)), b'{"string":"x"}', "PUT")
    parameter = b'application/json; charset="' + value.replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'
    verdict = Verdict(True, {"string": "x"}) if is_field(parameter) else refused("field control")
    if utf8(value) is None or value.lower() not in (b"", b"utf-8"):
        verdict = verdict.either("media type")
    yield Case("Content-Type, parameter", sender.target(b"/j"), verdict.must, verdict.reason, lambda received: received.body, verdict.value,
               sender.headers((b"Content-Type", parameter)), b'{"string":"x"}', "POST")
    verdict = refused("field control") if not is_field(plain) else Verdict(True)
    # Without a body, it is an ordinary header.
    yield Case("Content-Type without a body", sender.target(b"/q"), verdict.must if plain else None, verdict.reason or ("" if plain else "media type"),
               None, NOTHING, sender.headers((b"Content-Type", value)))


def of_content_encoding(sender: Sender, value: bytes) -> Iterator[Case]:
    plain = value.strip(b" \t").lower()
    text = (b"Content-Type", b"text/plain")
    if not is_field(plain):
        verdict = refused("field control")
    elif plain == b"identity":
        verdict = Verdict(True, b"hello")
    elif not plain or re.fullmatch(rb"[, \t]*(identity[, \t]*)*", plain):
        verdict = Verdict(None, b"hello", "content coding")
    else:
        verdict = refused("content coding")
    yield Case("Content-Encoding", sender.target(b"/b"), verdict.must, verdict.reason, lambda received: received.content, verdict.value,
               sender.headers(text, (b"Content-Encoding", value)), b"hello", "PUT")
    for coding, body, verdict in (
        (b"gzip", gzip.compress(value, 1, mtime=0), Verdict(True, value)),
        (b"gzip", value, refused("content coding") if value else Verdict(None, b"", "content coding")),
        (b"deflate", value, Verdict(None, reason="content coding")),
        (b"gzip", gzip.compress(b"x", 1, mtime=0)[:-4] + value, Verdict(None, b"x", "content coding")),
    ):
        yield Case("Content-Encoding, body", sender.target(b"/b"), verdict.must, verdict.reason, lambda received: received.content,
                   verdict.value, sender.headers(text, (b"Content-Encoding", coding)), body, "PUT")


# --- Credentials ---


def of_credential(sender: Sender, value: bytes) -> Iterator[Case]:
    """The credential contains the value and SECRET, which no problem document may contain."""
    plain = value.strip(b" \t")
    secret = SECRET.encode()
    name = "token"

    def token(received: Any) -> Any:
        return received.credentials.get(name, NOTHING)

    bearer = b"/v1/keys" if sender.is_openapi else b"/v1/q"
    for place, sent, expected in (
        ("Authorization, bearer", b"Bearer " + value + secret, (value + secret).lstrip(b" ")),
        ("Authorization, bearer", b"Bearer " + secret + value, (secret + value).rstrip(b" \t")),
    ):
        if not is_field(sent.strip(b" \t")):
            verdict = refused("field control")
        elif re.fullmatch(rb"[A-Za-z0-9._~+/-]+=*", expected):
            verdict = Verdict(True, expected.decode())
        else:
            verdict = Verdict(None, expected.decode() if utf8(expected) is not None else NOTHING, "bearer token")
        yield Case(place, bearer, verdict.must, verdict.reason, token, verdict.value, ((b"Authorization", sent),), secret=SECRET)
    # The whole value, with or without a scheme.
    match = re.fullmatch(rb"(?i:bearer) +(.+)", plain, re.S)
    verdict = refused("field control") if not is_field(plain) else Verdict(None, utf8(match[1]) or NOTHING, "bearer token") if match else refused(
        "no credential")
    yield Case("Authorization, whole", bearer, verdict.must, verdict.reason, token, verdict.value, ((b"Authorization", value),))
    yield Case("Authorization, scheme", bearer, None, "no credential", headers=((b"Authorization", value + b" " + secret),), secret=SECRET)

    def basic(received: Any) -> Any:
        return received.credentials.get("basic", NOTHING)

    for user in (value + b":" + secret, secret + b":" + value, b"u" + secret + value):
        text = utf8(user)
        valid = text is not None and b":" in user and not re.search(rb"[\x00-\x1f\x7f]|\xc2[\x80-\x9f]", user)
        verdict = Verdict(True, text) if valid else Verdict(None, text if text is not None else NOTHING, "basic credential")
        encoded_user = base64.b64encode(user)
        yield Case("Authorization, basic", b"/v1/basic", verdict.must, verdict.reason, basic, verdict.value,
                   ((b"Authorization", b"Basic " + encoded_user),), secret=SECRET)
    try:
        decoded = utf8(base64.b64decode(plain, validate=True)) if len(plain) % 4 == 0 and is_field(plain) else None
    except ValueError:
        decoded = None
    verdict = Verdict(None, decoded, "basic credential") if decoded else Verdict(None, reason="basic credential") if not plain else refused(
        "basic credential")
    yield Case("Authorization, basic raw", b"/v1/basic", verdict.must, verdict.reason, basic, verdict.value, ((b"Authorization", b"Basic " + value),))
    # API keys.
    key = value + secret
    text = utf8(key)

    def of(scheme: str) -> Callable[[Any], Any]:
        return lambda received: received.credentials.get(scheme, NOTHING)

    verdict = Verdict(True, text) if text is not None else Verdict(None, reason="UTF-8")
    yield Case("key in the query", b"/v1/keys?qkey=" + encoded(key), verdict.must if sender.is_openapi else None, verdict.reason or "no credential",
               of("qkey"), verdict.value, secret=SECRET)
    yield Case("key in a cookie", b"/v1/keys", verdict.must if sender.is_openapi else None, verdict.reason or "no credential", of("ckey"),
               verdict.value, ((b"Cookie", b"ckey=" + encoded(key)),), secret=SECRET)
    header = key.lstrip(b" \t")
    verdict = refused("field control") if not is_field(header) else Verdict(True, utf8(header)) if utf8(header) is not None else Verdict(
        None, reason="field bytes")
    yield Case("key in a header", b"/v1/keys", verdict.must if sender.is_openapi or verdict.must is False else None, verdict.reason or "no credential",
               of("hkey"), verdict.value, ((b"X-Key", key),), secret=SECRET)
    # A password before the host, and an API key in a refused target.
    yield Case("target with a password", b"https://u:" + secret + b"@" + value + b"/v1/q", None, "whole target", secret=SECRET, headers=sender.headers())
    yield Case("target with a password", value + b"://u:" + secret + b"@h/v1/q", None, "whole target", secret=SECRET, headers=sender.headers())
    yield Case("target with a key", b"/v1/keys?qkey=" + secret + b"&" + value, None, "whole target", secret=SECRET)


# --- Whole targets, methods ---


def of_target(sender: Sender, value: bytes) -> Iterator[Case]:
    must = None if is_target(value) else False
    reason = "whole target" if must is None else "target"
    yield Case("target, whole", value, must, reason, headers=sender.headers())
    yield Case("target, whole", b"/" + value, must, reason, headers=sender.headers())
    yield Case("target, authority", b"https://" + value + sender.target(b"/p/string/x"), must, reason, headers=sender.headers())
    yield Case("target, path", b"/v1" + value, must, reason, headers=sender.headers())
    text = utf8(value)
    if text is not None and "\0" not in text:
        yield Case("method", sender.target(b"/p/string/x"), text in ("GET", "HEAD"), "method", method=text, headers=sender.headers())


PLACES: Dict[str, Callable[[Sender, bytes], Iterator[Case]]] = {
    "path": of_path, "query": of_query, "header": of_header, "cookie": of_cookie, "form": of_form, "multipart": of_multipart,
    "json": of_json, "content-type": of_content_type, "content-encoding": of_content_encoding, "credential": of_credential,
    "target": of_target,
}
