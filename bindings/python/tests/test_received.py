"""Requests that a service receives: read as calls, or refused with all reasons."""

from __future__ import annotations

import gzip
import zlib
from typing import Any, Dict, List, Tuple

import pytest
import routable

NOTES: Dict[str, Any] = {
    "routable": 1,
    "base": "https://api.example.com/v1",
    "auth": {"session": {"scheme": "bearer"}},
    "types": {
        "Note": {
            "type": "object",
            "required": ["text"],
            "properties": {"text": {"type": "string", "minLength": 1}, "stars": {"type": "integer", "maximum": 5}},
        }
    },
    "resources": {
        "user": {"path": "users", "id": "name", "can": ["read"], "has": ["note", "user"]},
        "note": {"path": "notes", "id": {"name": "number", "type": "integer"}, "nested": True, "type": "Note", "can": ["read", "create"]},
    },
    "operations": {
        "search": {"get": "/search", "query": {"q": {"type": "string", "required": True}, "limit": {"type": "integer", "default": 10}}},
        "secret": {"get": "/secret", "auth": ["session"]},
        "upload": {"post": "/upload", "body_as": "multipart"},
        "typed": {"post": "/typed", "body_as": "multipart", "body": {
            "type": "object", "required": ["n", "file"], "properties": {"n": {"type": "integer", "minimum": 3}, "file": {"type": "string"}}}},
        "bytes": {"put": "/bytes", "body_as": "bytes"},
    },
}

OPENAPI: Dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "t", "version": "1"},
    "servers": [{"url": "https://h.example/api"}],
    "paths": {
        "/items/{id}": {
            "servers": [{"url": "https://other.example/items-api"}],
            "post": {
                "operationId": "item",
                "parameters": [
                    {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}},
                    {"name": "filter", "in": "query", "style": "deepObject", "explode": True, "schema": {"type": "object"}},
                    {"name": "ids", "in": "query", "style": "pipeDelimited", "explode": False,
                     "schema": {"type": "array", "items": {"type": "integer"}}},
                    {"name": "any", "in": "query", "schema": {}},
                    {"name": "X-List", "in": "header", "schema": {"type": "array", "items": {"type": "string"}}},
                ],
                "requestBody": {"content": {
                    "application/json": {"schema": {"type": "object", "properties": {"a": {"type": "number"}}}},
                    "application/x-www-form-urlencoded": {"schema": {
                        "type": "object", "additionalProperties": False,
                        "properties": {"n": {"type": "integer"}, "list": {"type": "array", "items": {"type": "number"}},
                                       "o": {"type": "object", "properties": {"b": {"type": "boolean"}}}, "s": {"type": "string"}}}},
                    "multipart/form-data": {"schema": {"type": "object", "properties": {"file": {"type": "string", "format": "binary"}}}},
                    "text/plain": {},
                }},
                "responses": {},
            },
        }
    },
}


@pytest.fixture(scope="module")
def api() -> routable.Router:
    return routable.open(NOTES)


@pytest.fixture(scope="module")
def items() -> routable.Router:
    return routable.open(OPENAPI)


def reasons(error: Any) -> List[Tuple[Any, Any]]:
    found = []
    while error is not None:
        found.append((error.http_status, error.pointer))
        error = error.next
    return found


def refused(api: routable.Router, *request: Any, **options: Any) -> List[Tuple[Any, Any]]:
    with pytest.raises(routable.RoutableError) as raised:
        api.read(*request, **options)
    return reasons(raised.value)


def test_a_built_request_is_read_as_its_call(api: routable.Router) -> None:
    request = api.user("ann b").note.create({"text": "hi", "stars": 4}, routable.using(headers={"X-Trace": "7"}))
    received = api.read(request)
    assert received.route == "user.note" and received.operation == "create"
    assert received.ids == {"user_id": "ann b"}
    assert received.body == {"text": "hi", "stars": 4}
    assert received.headers == {"X-Trace": "7"}
    assert received.content == b'{"text":"hi","stars":4}'
    assert received.content_type == "application/json"
    assert received.ignored == () and received.credentials == {} and received.cookies == {} and received.query == {}
    again = received.request()
    assert (again.method, again.url, again.body) == (request.method, request.url, request.body)
    assert repr(received) == "<routable.Received user.note create>"


def test_bytes_and_mappings(api: routable.Router) -> None:
    received = api.read("GET", b"/v1/search?q=%C3%A9&x=1", [(b"X-A", b"1"), (b"x-a", b"2")])
    assert received.query == {"q": "\u00e9", "limit": 10}
    assert received.parameters == {"x": "1"}
    assert received.headers == {"X-A": "1, 2"}
    assert received.body is None
    assert api.read("GET", "/v1/search?q=a", {"A": "b"}).headers == {"A": "b"}


@pytest.mark.parametrize("query, read", [("=x&=y", {"": ["x", "y"]}), ("[]=x", {"": ["x"]}), ("a[]=1", {"a": ["1"]}), ("[]b=1", {"[]b": "1"})])
def test_empty_names_and_brackets_are_read_as_they_are_written(api: routable.Router, query: str, read: Dict[str, Any]) -> None:
    received = api.read("GET", f"/v1/search?q=a&{query}")
    assert received.parameters == read
    assert api.read(received.request()).call == received.call


def test_cookies_are_read_without_the_blanks_before_them() -> None:
    api = routable.open({"routable": 1, "base": "https://h.example", "operations": {"o": {"get": "/o", "cookie": {"c": {"type": "string"}}}}})
    received = api.read("GET", "/o", {"Cookie": "\tx=1 ;\tc=2\t; y=3\t"})
    assert (received.cookies, received.headers) == ({"c": "2\t"}, {"Cookie": "x=1 ; y=3"})
    assert api.read(received.request()).call == received.call


def test_a_resource_that_occurs_twice_is_read(api: routable.Router) -> None:
    received = api.read("GET", "/v1/users/a/users/b")
    assert received.route == "user.user"
    assert received.call["ids"] == ["a", "b"]
    assert received.request().url == "https://api.example.com/v1/users/a/users/b"


def test_invalid_requests_are_refused_with_all_reasons(api: routable.Router) -> None:
    assert refused(api, "GET", "/v1/nothing") == [(404, "")]
    assert refused(api, "DELETE", "/v1/users/a") == [(405, "")]
    assert refused(api, "GET", "/v1/search?limit=x") == [(422, "/query"), (422, "/query/limit")]
    json = {"Content-Type": "application/json"}
    assert refused(api, "POST", "/v1/users/a/notes", json, b'{"text": "", "stars": 9}') == [(422, "/body/text"), (422, "/body/stars")]
    assert refused(api, "POST", "/v1/users/a/notes", json, b"{") == [(400, "/body")]
    assert refused(api, "GET", "/v1/search?limit=x", max_errors=1) == [(422, "/query")]
    assert refused(api, "PUT", "/v1/bytes", {}, b"four", max_body_bytes=3) == [(413, "/body")]
    with pytest.raises(routable.MethodNotAllowedError) as raised:
        api.read("DELETE", "/v1/users/a")
    assert raised.value.allowed == ("GET", "HEAD")


def test_invalid_arguments_of_read_are_refused(api: routable.Router) -> None:
    with pytest.raises(TypeError, match="target"):
        api.read("GET")
    with pytest.raises(TypeError, match="alone"):
        api.read(api.build("search", q="a"), "/x")
    with pytest.raises(TypeError, match="bytes"):
        api.read("PUT", "/v1/bytes", {}, "text")  # type: ignore[arg-type]
    with pytest.raises(routable.ArgumentError):
        api.read("GET", "/v1/search?q=a", max_errors=0)
    with pytest.raises(routable.ArgumentError):
        api.read("GET", "/v1/search?q=a", base_path="https://h.example/")


def test_credentials_are_read_and_required(api: routable.Router) -> None:
    headers = {"Authorization": "Bearer abc"}
    received = api.read("GET", "/v1/secret", headers, require_credentials=True)
    assert received.credentials == {"session": "abc"}
    assert received.headers == {}
    assert refused(api, "GET", "/v1/secret", require_credentials=True) == [(401, "")]
    assert api.read("GET", "/v1/search?q=a", headers).headers == headers  # not a credential of this operation


def test_files_of_a_form_are_read(api: routable.Router) -> None:
    files = {"a": routable.File(content=b"\xff\r\n--", filename="a b.png"), "c": routable.File(content=b"d", filename='"x"', content_type="text/csv")}
    request = api.build("upload", routable.using(body={"text": "\u00e9", "list": ["1", "2"]}, files=files))
    received = api.read(request)
    assert received.body == {"text": "\u00e9", "list": ["1", "2"]}
    assert received.call["files"] == {
        "a": {"content_base64": "/w0KLS0=", "filename": "a b.png", "content_type": "image/png"},
        "c": {"content": "d", "filename": '"x"', "content_type": "text/csv"},
    }
    assert received.request().body == request.body


def test_the_path_of_the_base_is_required_or_set(items: routable.Router) -> None:
    headers = {"Content-Type": "text/plain"}
    assert items.read("POST", "/items-api/items/7", headers, b"a").ids == {"id": 7}
    assert refused(items, "POST", "/api/items/7", headers, b"a") == [(404, "")]
    assert items.read("POST", "/items/7", headers, b"a", base_path="").ids == {"id": 7}
    assert items.read("POST", "/x/y/items/7", headers, b"a", base_path="/x/y").ids == {"id": 7}
    assert items.read("POST", "https://any.example/items-api/items/7", headers, b"a").ids == {"id": 7}


def test_parameter_styles_are_read(items: routable.Router) -> None:
    received = items.read("POST", "/items-api/items/7?filter[a][b]=1&filter[c]=x&ids=1%7C2&any=1&any=2", {"X-List": "a,b"})
    assert received.query == {"filter": {"a": {"b": "1"}, "c": "x"}, "ids": [1, 2], "any": ["1", "2"]}
    assert received.headers == {"X-List": ["a", "b"]}
    assert refused(items, "POST", "/items-api/items/x?ids=1%7Cx") == [(422, "/ids/id"), (422, "/query/ids")]


FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.mark.parametrize(
    "text, expected",
    [
        ("n=1&s=1", {"n": 1, "s": "1"}),
        ("list=1.5", {"list": [1.5]}),
        ("list=1&list=2", {"list": [1, 2]}),
        ('o={"b":true}&s=true', {"o": {"b": True}, "s": "true"}),
        ("s=null", {"s": "null"}),
        ("", {}),
    ],
)
def test_forms_are_read_as_their_calls(items: routable.Router, text: str, expected: Any) -> None:
    received = items.read("POST", "/items-api/items/7", FORM, text.encode())
    assert received.body == expected
    assert items.read(received.request()).call == received.call


def test_invalid_forms_are_refused_with_all_reasons(items: routable.Router) -> None:
    assert refused(items, "POST", "/items-api/items/7", FORM, b"n=x&list=1&other=2") == [(422, "/body/other"), (422, "/body/n")] or refused(
        items, "POST", "/items-api/items/7", FORM, b"n=x&list=1&other=2") == [(422, "/body/n"), (422, "/body/other")]
    assert refused(items, "POST", "/items-api/items/7", FORM, b"s=%FF") == [(422, "/body")]


def test_parts_are_read_and_validated(api: routable.Router) -> None:
    headers = {"Content-Type": "multipart/form-data; boundary=b"}
    part = b'--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\nx\r\n'
    field = b'--b\r\nContent-Disposition: form-data; name="n"\r\n\r\n%s\r\n--b--\r\n'
    received = api.read("POST", "/v1/typed", headers, part + field % b"5")
    assert received.body == {"n": 5}
    # RFC 7578 section 4.4: without a Content-Type, a part is text.
    assert received.call["files"] == {"file": {"content": "x", "filename": "f", "content_type": "text/plain"}}
    assert refused(api, "POST", "/v1/typed", headers, part + field % b"2") == [(422, "/body/n")]
    assert refused(api, "POST", "/v1/typed", headers, part + b"--b--\r\n") == [(422, "/body")]
    # A field is validated, even if a file has its name.
    file = b'--b\r\nContent-Disposition: form-data; name="n"; filename="f"\r\n\r\nx\r\n'
    assert refused(api, "POST", "/v1/typed", headers, part + file + field % b"2") == [(422, "/body/n")]
    assert api.read("POST", "/v1/typed", headers, part + file + field % b"5").body == {"n": 5}
    with pytest.raises(routable.BodyError) as raised:
        api.build("typed", routable.using(body={"n": 2}, files={"file": routable.File(content=b"x"), "n": routable.File(content=b"y")}))
    assert raised.value.pointer == "/body/n"


def test_styles_of_a_form() -> None:
    properties = {"list": {"type": "array", "items": {"type": "integer"}}, "deep": {"type": "object", "properties": {"n": {"type": "integer"}}},
                  "pairs": {"type": "object", "additionalProperties": {"type": "boolean"}}}
    encoding = {"list": {"style": "spaceDelimited", "explode": False}, "deep": {"style": "deepObject"}, "pairs": {"style": "form", "explode": False}}
    form = {"schema": {"type": "object", "properties": properties, "additionalProperties": False}, "encoding": encoding}
    api = routable.open({
        "openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "servers": [{"url": "https://h.example"}],
        "paths": {"/f": {"post": {
            "operationId": "f", "responses": {}, "requestBody": {"content": {"application/x-www-form-urlencoded": form}}}}}})
    body = {"list": [1, 2], "deep": {"n": 5}, "pairs": {"a": True, "b": False}}
    request = api.build("f", routable.using(body=body))
    assert request.body == b"list=1%202&deep%5Bn%5D=5&pairs=a,true,b,false"
    assert api.read(request).body == body


@pytest.mark.parametrize(
    "body",
    [b"", b"--b", b"--b\r\n\r\nx\r\n--b--", b"--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--",
     b'--b\r\nContent-Disposition: form-data; name="a\r\n\r\nx\r\n--b--', b"--bx\r\n\r\n\r\n--b--",
     b'--b\r\nContent-Disposition: form-data; name="a"; name="b"\r\n\r\nx\r\n--b--',
     b'--b\r\nContent-Disposition: form-data; name="\xff"\r\n\r\nx\r\n--b--',
     b'--b\r\nContent-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: base64\r\n\r\nx\r\n--b--'],
)
def test_invalid_parts_are_refused(api: routable.Router, body: bytes) -> None:
    assert refused(api, "POST", "/v1/upload", {"Content-Type": "multipart/form-data; boundary=b"}, body) == [(422, "/body")]


def test_names_of_parts_are_unescaped(api: routable.Router) -> None:
    for name in ["a", '"', "\\", 'a\\"b', "a;b", "\r\n", "a%b", " x ", "\u00e9"]:
        request = api.build("upload", routable.using(body={name: "1"}))
        assert api.read(request).body == {name: "1"}, name


def test_a_closed_object(api: routable.Router) -> None:
    received = api.read("GET", "/v1/search?q=a")
    assert received.call["operation"] == "search"
    received.close()
    with pytest.raises(ValueError, match="closed"):
        received.content


# --- Content codings ---

TEXT = b'{"text": "' + b"a" * 5000 + b'"}'


def deflated(data: bytes, bits: int) -> bytes:
    compressor = zlib.compressobj(wbits=bits)
    return compressor.compress(data) + compressor.flush()


@pytest.mark.parametrize("coding, body", [
    ("gzip", gzip.compress(TEXT)),
    ("GZip", gzip.compress(TEXT)),
    ("x-gzip", gzip.compress(TEXT[:700]) + gzip.compress(TEXT[700:])),
    ("deflate", deflated(TEXT, 15)),
    ("deflate", deflated(TEXT, -15)),
    ("identity", TEXT),
], ids=range(6))
def test_a_content_coding_is_decoded(coding: str, body: bytes) -> None:
    api = routable.open(NOTES)
    headers = {"Content-Type": "application/json", "Content-Encoding": coding}
    received = api.read("POST", "/v1/users/ann/notes", headers, body)
    assert received.body == {"text": "a" * 5000}
    assert received.call == api.read("POST", "/v1/users/ann/notes", {"Content-Type": "application/json"}, TEXT).call
    # The limit of the body also applies to the decoded bytes, exactly.
    with pytest.raises(routable.LimitError) as raised:
        api.read("PUT", "/v1/bytes", headers, body, max_body_bytes=len(TEXT) - 1)
    assert raised.value.http_status == 413
    assert api.read("PUT", "/v1/bytes", headers, body, max_body_bytes=len(TEXT)).content == TEXT


@pytest.mark.parametrize("coding, body", [
    ("gzip", gzip.compress(TEXT)[:-1]),
    ("gzip", gzip.compress(TEXT)[:30]),
    ("gzip", gzip.compress(TEXT) + b"more"),
    ("gzip", gzip.compress(TEXT) + gzip.compress(TEXT)[:5]),
    ("gzip", gzip.compress(TEXT)[:-6] + b"\0\0" + gzip.compress(TEXT)[-4:]),  # another checksum
    ("gzip", deflated(TEXT, 15)),
    ("gzip", TEXT),
    ("deflate", deflated(TEXT, 15) + b"\0"),
    ("deflate", TEXT),
], ids=range(9))
def test_a_body_that_is_invalid_in_its_coding_is_refused(coding: str, body: bytes) -> None:
    with pytest.raises(routable.BodyError) as raised:
        routable.open(NOTES).read("PUT", "/v1/bytes", {"Content-Encoding": coding}, body)
    assert (raised.value.http_status, raised.value.pointer) == (400, "/body")
    assert raised.value.message == f"bytes: the body is not in the content coding {coding}"


@pytest.mark.parametrize("coding", ["br", "zstd", "gzip, gzip", "compress", "gzip;q=1"])
def test_other_content_codings_are_refused(coding: str) -> None:
    with pytest.raises(routable.BodyError) as raised:
        routable.open(NOTES).read("PUT", "/v1/bytes", {"Content-Encoding": coding}, b"abc")
    assert (raised.value.http_status, raised.value.pointer, raised.value.allowed) == (415, "/content_encoding", ("gzip", "deflate"))
    assert raised.value.problem.headers == {"Accept-Encoding": "gzip, deflate"}


def test_a_compressed_body_over_the_limit_is_refused() -> None:
    bomb = gzip.compress(bytes(100 << 20))
    assert len(bomb) < 200_000
    with pytest.raises(routable.LimitError):
        routable.open(NOTES).read("PUT", "/v1/bytes", {"Content-Encoding": "gzip"}, bomb)  # 64 MiB by default


# --- Headers, forms and paths ---

LISTS: Dict[str, Any] = {
    "routable": 1,
    "base": "https://h.example",
    "auth": {"token": {"scheme": "key", "in": "header", "name": "X-Token", "word": "Tok"}},
    "operations": {
        "any": {"get": "/any"},
        "tagged": {"get": "/v2/{name...}/tags"},
        "form": {"post": "/form", "body_as": "form", "encoding": {"arrays": "index"}, "body": {"type": "object", "properties": {
            "a": {"type": "array", "items": {"type": "string"}}, "s": {"type": "string"}, "t": {"type": "array", "items": {"type": "string"}},
            **{f"i{n}": {"type": "integer"} for n in range(600)}}}},
        "secret": {"get": "/secret", "auth": "token"},
    },
}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def test_white_space_in_lists_of_headers() -> None:
    api = routable.open(OPENAPI)
    for values in (["a ,\tb"], ["a", "b"], ["a,b", ""], ["", "a,b"]):
        received = api.read("POST", "/items-api/items/3", [(b"X-List", value.encode()) for value in values])
        assert received.headers["X-List"] == ["a", "b"]


def test_a_field_that_repeats_many_times() -> None:
    api = routable.open(LISTS)
    received = api.read("GET", "/any", [(b"X-A", b"b" * 1000)] * 200)
    assert len(received.headers["X-A"]) == 200 * 1002 - 2
    with pytest.raises(routable.LimitError):
        api.read("GET", "/any", [(b"X-A", b"b" * 100_000)] * 100)
    with pytest.raises(routable.HeaderError, match="content-type twice") as raised:
        api.read("POST", "/form", [(b"Content-Type", b"application/x-www-form-urlencoded"), (b"content-type", b"text/html")], b"s=1")
    assert raised.value.http_status == 400


@pytest.mark.parametrize("path", ["%2fetc", "a%2f%2fb", "a%2f", "a%2f..%2fb"])
def test_empty_segments_in_an_id_of_several_segments(path: str) -> None:
    with pytest.raises(routable.RoutableError) as raised:
        routable.open(LISTS).read("GET", f"/v2/{path}/tags")
    assert raised.value.http_status == 422


def test_a_form_of_many_numbers_and_a_text() -> None:
    body = "&".join(f"i{n}={n}" for n in range(600)) + "&s=1&t[0]=1&t[1]=0"
    found = routable.open(LISTS).read("POST", "/form", FORM, body.encode()).body
    assert found == {**{f"i{n}": n for n in range(600)}, "s": "1", "t": ["1", "0"]}


def test_indexes_of_a_form_become_arrays() -> None:
    api = routable.open(LISTS)
    assert api.read("POST", "/form", FORM, b"a[1]=x&a[0]=y").body == {"a": ["y", "x"]}
    for body in (b"a[7]=x", b"a[0]=x&a[00]=y", b"a[1]=x", b"s=a&s[x]=b", b"s[x]=b&s=a", b"a[0][b]=1&a[0]=2"):
        with pytest.raises(routable.BodyError):
            api.read("POST", "/form", FORM, body)


def test_a_form_of_too_many_values() -> None:
    with pytest.raises(routable.LimitError, match="more than 100000 values"):
        routable.open(LISTS).read("POST", "/form", FORM, b"&" * 200_000)


def test_the_prefix_of_an_api_key_is_required_and_removed() -> None:
    api = routable.open(LISTS)
    assert api.read("GET", "/secret", {"X-Token": "Tok abc"}).credentials == {"token": "abc"}
    with pytest.raises(routable.CredentialError):
        api.read("GET", "/secret", {"X-Token": "abc"}, require_credentials=True)


def test_names_that_a_call_cannot_contain_are_refused(api: routable.Router) -> None:
    assert refused(api, "POST", "/v1/upload", {"Content-Type": "multipart/form-data; boundary=b"},
                   b'--b\r\nContent-Disposition: form-data; name="k\0"\r\n\r\nx\r\n--b--') == [(422, "/body")]
    assert refused(api, "GET", "/v1/search?q=a&x%00=1") == [(400, "/query")]
    with pytest.raises(routable.BodyError, match="U\\+0000"):
        routable.open(LISTS).read("POST", "/form", FORM, b"s=a&x%00=1")


@pytest.mark.parametrize("written,name", [('"a%22b"', 'a"b'), ("a%22b", 'a"b'), ('"a%2fb"', "a%2fb"), ("a", "a")])
def test_escapes_in_the_name_of_a_part(api: routable.Router, written: str, name: str) -> None:
    body = f"--b\r\nContent-Disposition: form-data; name={written}\r\n\r\nx\r\n--b--".encode()
    received = api.read("POST", "/v1/upload", {"Content-Type": "multipart/form-data; boundary=b"}, body)
    assert received.body == {name: "x"}
    assert api.read(received.request()).call == received.call


def test_a_file_with_nul_bytes(api: routable.Router) -> None:
    body = b'--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\nContent-Type: a/b\r\n\r\na\0b\r\n--b--'
    received = api.read("POST", "/v1/upload", {"Content-Type": "multipart/form-data; boundary=b"}, body)
    assert received.call["files"] == {"f": {"content_base64": "YQBi", "filename": "f", "content_type": "a/b"}}
    assert api.read(received.request()).call == received.call


KINDS: Dict[str, Any] = {
    "openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "servers": [{"url": "https://h.example"}],
    "components": {"securitySchemes": {"query": {"type": "apiKey", "in": "query", "name": "key"},
                                       "header": {"type": "apiKey", "in": "header", "name": "X-Key"}}},
    "paths": {
        "/parts": {"post": {"operationId": "parts", "responses": {}, "requestBody": {"content": {"multipart/form-data": {"schema": {
            "type": "object", "required": ["i"], "properties": {
                "i": {"type": "integer"}, "e": {"type": "string", "enum": ["a"]}, "f": {"type": "string", "format": "binary"}}}}}}}},
        "/any": {"put": {"operationId": "any", "responses": {}, "requestBody": {"content": {"*/*": {}}}}},
        "/deep": {"get": {"operationId": "deep", "responses": {}, "parameters": [
            {"name": "d", "in": "query", "style": "deepObject", "explode": True, "schema": {"type": "object"}}]}},
        "/keys": {"get": {"operationId": "keys", "security": [{"query": []}, {"header": []}], "responses": {}}},
        "/key": {"get": {"operationId": "key", "security": [{"header": []}], "responses": {}}}}}


def test_parts_of_an_openapi_document_are_validated() -> None:
    api = routable.open(KINDS)
    headers = {"Content-Type": "multipart/form-data; boundary=b"}

    def body(**parts: str) -> bytes:
        return b"".join(f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{text}\r\n'.encode() for name, text in parts.items()) + b"--b--"

    assert api.read("POST", "/parts", headers, body(i="7", e="a")).body == {"i": 7, "e": "a"}
    assert refused(api, "POST", "/parts", headers, body(i="x")) == [(422, "/body/i")]
    assert refused(api, "POST", "/parts", headers, body(i="7", e="zz")) == [(422, "/body/e")]
    assert refused(api, "POST", "/parts", headers, body(e="a")) == [(422, "/body")]
    with pytest.raises(routable.BodyError) as raised:
        api.build("parts", routable.using(body={"i": 7, "e": "zz"}))
    assert raised.value.pointer == "/body/e"
    assert api.build("parts", routable.using(body={"i": 7, "f": "bytes"})).body


@pytest.mark.parametrize("content_type", ["text/plain", "image/png", "application/octet-stream"])
def test_a_body_of_any_media_type(content_type: str) -> None:
    api = routable.open(KINDS)
    received = api.read("PUT", "/any", {"Content-Type": content_type}, b"hello")
    assert received.call == {"operation": "any", "body_text": "hello", "content_type": content_type}
    assert api.read(received.request()).call == received.call
    for headers in ({}, {"Content-Type": " "}, {"Content-Type": "application/json"}):
        received = api.read("PUT", "/any", headers, b'{"a": 1}')
        assert received.call == {"operation": "any", "body": {"a": 1}, "content_type": "application/json"}
        assert api.read(received.request()).call == received.call


def test_the_name_of_an_object_of_the_query_is_another_parameter() -> None:
    api = routable.open(KINDS)
    received = api.read("GET", "/deep?d[k]=1&d=1")
    assert (received.query, received.parameters) == ({"d": {"k": "1"}}, {"d": "1"})
    assert api.read(received.request()).call == received.call
    assert (api.read("GET", "/deep?d=1").query, api.read("GET", "/deep?d=1").parameters) == ({}, {"d": "1"})


def test_keys_are_credentials_only() -> None:
    api = routable.open(KINDS)
    received = api.read("GET", "/keys?key=S", {"X-Key": "T"})
    assert (received.call, received.credentials) == ({"operation": "keys"}, {"query": "S", "header": "T"})
    assert "S" not in received.request().url
    for _ in range(2):  # the second time by the fast path
        received = api.read("GET", "/key", {"X-Key": "T"})
        assert (received.call, received.headers, received.credentials) == ({"operation": "key"}, {}, {"header": "T"})


@pytest.mark.parametrize("body,expected", [
    (b"id=459&name=a", {"id": 459, "name": "a", "list": []}),
    (b"id=1&name=1", {"id": 1, "name": "1", "list": []}),
    (b"id=1&name=1&any=7", {"id": 1, "name": "1", "any": "7", "list": []}),
    (b"name=a&object=%7B%7D", {"name": "a", "object": {}, "list": []}),
    (b"name=a&object=%7B%22b%22%3Atrue%7D&list=1", {"name": "a", "object": {"b": True}, "list": ["1"]})])
def test_an_empty_array_beside_values_that_are_converted(body: bytes, expected: Any) -> None:
    api = routable.open({"routable": 1, "base": "https://h.example", "operations": {"form": {"post": "/form", "body_as": "form", "body": {
        "type": "object", "required": ["name", "list"], "properties": {
            "any": {}, "id": {"type": "integer"}, "name": {"type": "string"}, "object": {"type": "object"}, "list": {"type": "array", "items": {"type": "string"}}}}}}})
    assert api.read("POST", "/form", FORM, body).body == expected


@pytest.mark.parametrize("number", [1, 459])
def test_a_value_that_is_refused_at_two_places_has_each_conversion(number: int) -> None:
    """The integer is refused at its own pointer and by `oneOf` of the form."""
    one_of = [{"properties": {"id": {"const": number}}}, {"properties": {"id": {"const": -1}}}]
    api = routable.open({"routable": 1, "base": "https://h.example", "operations": {"form": {"post": "/form", "body_as": "form", "body": {
        "type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}, "oneOf": one_of}}}})
    assert api.read("POST", "/form", FORM, f"id={number}&name=a".encode()).body == {"id": number, "name": "a"}
