"""Hostile values in each place of a request that a service receives: refused with 400 to 499, or read exactly and built again.

Tests/law/hostile.py does the same with public lists of values and suites: `make check-hostile DATA=FOLDER`."""

from __future__ import annotations

import base64
import gzip
import json
import re
from typing import Any, Callable, Dict, Optional, Tuple
from urllib.parse import quote_from_bytes, unquote_to_bytes

import pytest
import routable

SECRET = "Zq7hunter2secretXw"
VALUES = [
    b"", b"a", b"-0", b"1", b"1.0", b"1e400", b"+1", b"007", b" 1", b"NaN", b"null", b"true", b"9223372036854775808", b"1" * 100,
    "\u0661".encode(), b".", b"..", b"/", b"a/b", b"../", b"..%2f", b"%2e%2e", b"%252e", b"\\..", b"%", b"%zz", b"%00", b"%c0%ae", b"%ff",
    b"\0", b"a\0b", b"\x1b[0m", b"\x7f", b"a\tb", b" ", b"a b", b"\r\n", b"a\r\nX-Own: 1", b"a\n", b"\r\n\r\nGET / HTTP/1.1", b"a?b=c",
    b"#", b"&", b"a&b=c", b"=", b"a=b", b"; b=c", b",", b"|", b"a+b", b"'", b'"', b'a"b', b'\\"', b"<script>", b"{}", b"[", b"[]", b"a[b]",
    b"a]b", b"javascript:alert(1)", b"$(id)", b"__proto__", b"--XbX", b"\r\n--XbX--", b"W/", b"\xc3\xa9", b"\xe9", b"\xff", b"\xc0\xae",
    b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xef\xbb\xbfa", "\u2028".encode(), "\u202ea".encode(), "\U0001f600\u200d".encode(),
    b"a" * 3000, b"%41" * 300, b"[" * 600, b"a=b&" * 100,
]
MEMBERS = {"s": {"type": "string"}, "i": {"type": "integer"}, "e": {"type": "string", "enum": ["a", "../"]}, "p": {"type": "string", "pattern": "^[a-z]+$"}}
BODY = {"type": "object", "properties": MEMBERS}


def openapi() -> Dict[str, Any]:
    def parameters(where: str) -> Any:
        return [{"name": name, "in": where, "schema": schema} for name, schema in MEMBERS.items()]

    query = [*parameters("query"), {"name": "deep", "in": "query", "style": "deepObject", "explode": True, "schema": {"type": "object"}},
             {"name": "list", "in": "query", "explode": False, "schema": {"type": "array", "items": {"type": "string"}}}]
    paths: Dict[str, Any] = {f"/p/{name}/{{v}}": {"get": {"operationId": f"p_{name}", "parameters": [
        {"name": "v", "in": "path", "required": True, "schema": schema}]}} for name, schema in MEMBERS.items()}
    paths["/r"] = {"get": {"operationId": "r", "parameters": [*query, *parameters("header"), *parameters("cookie")]}}
    for name, media in (("f", "application/x-www-form-urlencoded"), ("j", "application/json"), ("t", "text/plain")):
        paths[f"/{name}"] = {"post": {"operationId": name, "requestBody": {"content": {media: {"schema": BODY} if name != "t" else {}}}}}
    for path in paths.values():
        for operation in path.values():
            operation["responses"] = {"200": {"description": ""}}
    return {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "servers": [{"url": "https://h.example"}], "paths": paths,
            "security": [{"token": []}, {"basic": []}], "components": {"securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"}, "basic": {"type": "http", "scheme": "basic"}}}}


ROUTES: Dict[str, Any] = {
    "routable": 1, "base": "https://h.example", "auth": {"token": {"scheme": "bearer", "default": True}, "basic": {"scheme": "basic"}},
    "operations": {
        **{f"p_{name}": {"get": f"/p/{name}/{{v}}", "ids": {"v": schema}} for name, schema in MEMBERS.items()},
        "r": {"get": "/r", "query": MEMBERS, "header": MEMBERS, "cookie": MEMBERS},
        "f": {"post": "/f", "body_as": "form", "body": BODY}, "m": {"post": "/m", "body_as": "multipart", "body": BODY},
        "j": {"post": "/j", "body": BODY}, "t": {"post": "/t", "body_as": "bytes"},
        "basic": {"get": "/basic", "auth": "basic"}},
}


@pytest.fixture(scope="module", params=["routes", "openapi"])
def api(request: Any) -> routable.Router:
    return routable.open(ROUTES if request.param == "routes" else openapi())


@pytest.fixture(scope="module")
def routes() -> routable.Router:
    return routable.open(ROUTES)


@pytest.fixture(scope="module")
def described() -> routable.Router:
    return routable.open(openapi())


def encoded(value: bytes) -> bytes:
    return quote_from_bytes(value, safe="").encode()


def utf8(value: bytes) -> Optional[str]:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return None


def is_field(value: bytes) -> bool:
    return re.search(rb"[\x00-\x08\x0a-\x1f\x7f]", value.strip(b" \t")) is None


def typed(name: str, value: Optional[bytes]) -> Tuple[bool, Any]:
    """Whether a string is valid for a member, and its value."""
    text = None if value is None else utf8(value)
    if text is None:
        return False, None
    if name == "i":
        return (True, int(text)) if re.fullmatch("-?(0|[1-9][0-9]*)", text) else (False, None)
    return name == "s" or name == "e" and text in ("a", "../") or name == "p" and re.fullmatch("[a-z]+", text) is not None, text


def read(
    api: routable.Router, target: bytes, headers: Any = (), body: bytes = b"", method: str = "GET",
    credential: bytes = b"Bearer " + SECRET.encode(),
) -> Optional[routable.Received]:
    """The request as it is read, or None; asserts the properties of every request."""
    try:
        received = api.read(method, target, [(b"Authorization", credential), *headers], body, require_credentials=True)
    except routable.RoutableError as error:
        assert error.http_status is not None and 400 <= error.http_status <= 499, error
        assert error.problem is not None and error.problem.status == error.http_status
        assert json.loads(error.problem.json.decode())["status"] == error.http_status
        shown = error.problem.json.decode() + "".join(error.problem.headers.values())
        assert not re.search(r"[\x00-\x1f\x7f]", shown) and SECRET not in shown and SECRET not in str(error)
        return None
    assert api.read(received.request()).call == received.call
    return received


def expect(received: Optional[routable.Received], is_valid: bool, value: Any, found: Callable[[routable.Received], Any]) -> None:
    assert (received is not None) == is_valid
    if received is not None:
        assert found(received) == value


@pytest.mark.parametrize("name", MEMBERS)
def test_hostile_paths_are_read_exactly_or_refused(api: routable.Router, name: str) -> None:
    for value in VALUES:
        is_valid, expected = typed(name, value)
        received = read(api, f"/p/{name}/".encode() + encoded(value))
        expect(received, is_valid and value not in (b"", b".", b".."), expected, lambda received: received.ids["v"])
        received = read(api, f"/p/{name}/".encode() + value)
        if received is not None:
            assert not re.search(rb"[\x00-\x20\x7f#/]", value.partition(b"?")[0])
            assert received.ids["v"] == typed(name, unquote_to_bytes(value.partition(b"?")[0]))[1]


@pytest.mark.parametrize("name", MEMBERS)
def test_hostile_queries_are_read_exactly_or_refused(api: routable.Router, name: str) -> None:
    for value in VALUES:
        is_valid, expected = typed(name, value)
        received = read(api, f"/r?{name}=".encode() + encoded(value))
        expect(received, is_valid, expected, lambda received: received.query[name])
        received = read(api, f"/r?{name}=".encode() + value)
        if received is not None:
            assert not re.search(rb"[\x00-\x20\x7f#]", value)
            first = unquote_to_bytes(value.partition(b"&")[0].replace(b"+", b" "))
            assert received.query[name] == typed(name, first)[1]


def test_hostile_names_of_queries_are_read_exactly_or_refused(described: routable.Router) -> None:
    for value in VALUES:
        if b"\0" in value:
            continue  # names in JSON have no U+0000 here
        text = utf8(value)
        received = read(described, b"/r?x" + encoded(value) + b"=1")
        name = "x" + (text or "")
        is_array = name.endswith("[]")
        expect(received, text is not None, ["1"] if is_array else "1",
               lambda received: received.parameters[name[:-2] if is_array else name])  # noqa: B023
        expect(read(described, b"/r?deep[k]=" + encoded(value)), text is not None, {"k": text}, lambda received: received.query["deep"])
        expect(read(described, b"/r?list=x," + encoded(value)), text is not None, ["x", text], lambda received: received.query["list"])
        if not re.search(rb"[][]|^$", value):
            received = read(described, b"/r?deep[" + encoded(value) + b"]=1")
            expect(received, text is not None, {text: "1"}, lambda received: received.query["deep"])


@pytest.mark.parametrize("name", MEMBERS)
def test_hostile_headers_and_cookies_are_read_exactly_or_refused(api: routable.Router, name: str) -> None:
    for value in VALUES:
        is_valid, expected = typed(name, value.strip(b" \t"))
        received = read(api, b"/r", [(name.encode(), value)])
        expect(received, is_valid and is_field(value), expected, lambda received: received.headers[name])
        is_valid, expected = typed(name, value)
        received = read(api, b"/r", [(b"Cookie", name.encode() + b"=" + encoded(value))])
        expect(received, is_valid, expected, lambda received: received.cookies[name])
        received = read(api, b"/r", [(b"Cookie", name.encode() + b"=" + value)])
        if received is not None:
            assert is_field(value)
            assert received.cookies[name] == typed(name, unquote_to_bytes(value.rstrip(b" \t").partition(b";")[0]))[1]


def test_hostile_special_headers_are_read_or_refused(api: routable.Router) -> None:
    for value in VALUES:
        for name in (b"X-Free", b"If-None-Match"):
            received = read(api, b"/r", [(name, value)])
            assert (received is not None) == is_field(value)
            if received is not None and utf8(value) is not None:
                assert received.headers[name.decode()] == (utf8(value) or "").strip(" \t")
        tag = utf8(value)
        if tag is not None and re.fullmatch(r"[\x21\x23-\x7e\x80-\U0010ffff]*", tag):
            received = read(api, b"/r", [(b"If-None-Match", b'"zz", W/"' + value + b'"')])
            assert received is not None and [received.precondition(each) for each in (f'"{tag}"', f'"{tag}x"')] == [304, 0]
        if value.lower() not in (b"s", b"i", b"e", b"p"):
            received = read(api, b"/r", [(value, b"x")])
            assert (received is not None) == bool(re.fullmatch(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+", value))


@pytest.mark.parametrize("name", ["s", "p"])
def test_hostile_forms_are_read_exactly_or_refused(api: routable.Router, name: str) -> None:
    headers = [(b"Content-Type", b"application/x-www-form-urlencoded")]
    for value in VALUES:
        is_valid, expected = typed(name, value)
        received = read(api, b"/f", headers, name.encode() + b"=" + encoded(value), "POST")
        expect(received, is_valid, expected, lambda received: received.body[name])
        if b"&" not in value:
            is_valid, expected = typed(name, unquote_to_bytes(value.replace(b"+", b" ")))
            received = read(api, b"/f", headers, name.encode() + b"=" + value, "POST")
            expect(received, is_valid, expected, lambda received: received.body[name])
        if b"\0" not in unquote_to_bytes(value):
            read(api, b"/f", headers, value, "POST")


def test_hostile_multipart_is_read_exactly_or_refused(routes: routable.Router) -> None:
    headers = [(b"Content-Type", b"multipart/form-data; boundary=XbX")]

    def body(head: bytes, content: bytes) -> bytes:
        return b"--XbX\r\nContent-Disposition: form-data; " + head + b"\r\n\r\n" + content + b"\r\n--XbX--\r\n"

    for value in VALUES:
        text = utf8(value)
        if b"\r\n--XbX" in b"\r\n" + value:
            read(routes, b"/m", headers, body(b'name="s"', value), "POST")
            continue
        if text is not None and b"\0" not in value:
            for name in ("s", "e", "p"):
                is_valid, expected = typed(name, value)
                received = read(routes, b"/m", headers, body(f'name="{name}"'.encode(), value), "POST")
                expect(received, is_valid, expected, lambda received: received.body[name])  # noqa: B023
            received = read(routes, b"/m", headers, body(b'name="f"; filename="f"\r\nContent-Type: a/b', value), "POST")
            assert received is not None and [each.content for each in received.files] == [value]
        escaped = value.replace(b'"', b"%22").replace(b"\r", b"%0D").replace(b"\n", b"%0A")
        if text is None or is_field(escaped) and b"\\" not in value and text not in MEMBERS:
            received = read(routes, b"/m", headers, body(b'name="' + escaped + b'"', b"x"), "POST")
            expect(received, text is not None, "x", lambda received: received.body[text])  # noqa: B023
            received = read(routes, b"/m", headers, body(b'name="f"; filename="' + escaped + b'"\r\nContent-Type: a/b', b"x"), "POST")
            expect(received, text is not None, text, lambda received: received.files[0].filename)
        boundary = [(b"Content-Type", b'multipart/form-data; boundary="' + value.replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"')]
        one = b"--" + value + b'\r\nContent-Disposition: form-data; name="s"\r\n\r\nx\r\n--' + value + b"--\r\n"
        received = read(routes, b"/m", boundary, one, "POST")
        if re.fullmatch(rb"[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]", value):
            assert received is not None
        if received is not None:
            assert received.body == {"s": "x"}


@pytest.mark.parametrize("name", ["s", "p"])
def test_hostile_json_is_read_exactly_or_refused(api: routable.Router, name: str) -> None:
    headers = [(b"Content-Type", b"application/json")]
    for value in VALUES:
        text = utf8(value)
        if text is not None:
            is_valid, expected = typed(name, value)
            for is_ascii in (True, False):
                received = read(api, b"/j", headers, json.dumps({name: text}, ensure_ascii=is_ascii).encode(), "POST")
                expect(received, is_valid, expected, lambda received: received.body[name])
            assert read(api, b"/j", headers, b"{%s:1,%s:2}" % ((json.dumps(text).encode(),) * 2), "POST") is None
        for body in (b'{"' + name.encode() + b'":"' + value + b'"}', b'{"' + name.encode() + b'":' + value + b"}"):
            received = read(api, b"/j", headers, body, "POST")
            if received is not None:
                assert received.body == json.loads(body, parse_constant=pytest.fail)


def test_hostile_media_types_and_codings_are_read_or_refused(api: routable.Router) -> None:
    for value in VALUES:
        text = utf8(value)
        received = read(api, b"/j", [(b"Content-Type", value)], b"{}", "POST")
        assert received is None or value.strip(b" \t") == b""
        plain = [(b"Content-Type", b"text/plain")]
        received = read(api, b"/t", [*plain, (b"Content-Encoding", value)], b"hello", "POST")
        assert received is None or value.strip(b" \t") == b"" and received.content == b"hello"
        received = read(api, b"/t", [*plain, (b"Content-Encoding", b"gzip")], gzip.compress(value, 1), "POST")
        assert received is not None and received.content == value
        assert read(api, b"/t", [*plain, (b"Content-Encoding", b"gzip")], b"x" + value, "POST") is None
        del text


def test_hostile_credentials_are_read_or_refused(api: routable.Router, routes: routable.Router) -> None:
    secret = SECRET.encode()
    for value in VALUES:
        for sent in (value + secret, secret + value):
            received = read(api, b"/r", credential=b"Bearer " + sent)
            assert (received is not None) == is_field(b"Bearer " + sent)
            if received is not None and utf8(sent) is not None:
                assert received.credentials["token"] == (utf8(sent) or "").lstrip(" ").rstrip(" \t")
        read(api, b"/r", credential=value + b" " + secret)
        read(api, b"https://u:" + secret + b"@" + value + b"/r")
        user = value + b":" + secret
        received = read(routes, b"/basic", credential=b"Basic " + base64.b64encode(user))
        assert (received is not None) == (utf8(user) is not None)
        if received is not None:
            assert received.credentials["basic"] == utf8(user)
