"""Faults that must not be silent: delimiters in values, bytes sent as JSON, blanks in headers, credentials of a call,
numbers beyond 64 bits, and responses with an ambiguous length."""

from __future__ import annotations

import json
from typing import Any, Dict

import pytest
import routable
from loopback import Loopback, raw, whole


def styled(place: str, style: str, explode: bool, **more: object) -> routable.Router:
    path = "/x/{v}" if place == "path" else "/x"
    parameter: Dict[str, Any] = {
        "name": "v", "in": place, "required": True, "style": style, "explode": explode, "schema": {"type": "array", "items": {"type": "string"}}, **more,
    }
    return routable.loads(json.dumps({
        "openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "servers": [{"url": "https://h"}],
        "paths": {path: {"get": {"operationId": "get", "parameters": [parameter], "responses": {"200": {"description": ""}}}}},
    }))


@pytest.mark.parametrize(("place", "style", "explode", "value"), [
    ("header", "simple", False, ["a,b", "c"]),
    ("header", "simple", True, ["a,b", "c"]),
    ("query", "pipeDelimited", False, ["a|b", "c"]),
    ("query", "spaceDelimited", False, ["a b", "c"]),
    ("path", "label", True, ["a.b", "c"]),
])
def test_a_value_that_contains_its_delimiter_is_refused(place: str, style: str, explode: bool, value: Any) -> None:
    router = styled(place, style, explode)
    given: Dict[str, Any] = {"header": {"headers": {"v": value}}, "query": {"query": {"v": value}}, "path": {"ids": [value]}}[place]
    with pytest.raises(routable.ValueRefusedError) as caught:
        router.build("get", routable.using(**given))
    assert "the delimiter of the parameter's style" in str(caught.value)


@pytest.mark.parametrize(("place", "style", "explode", "value", "url"), [
    ("query", "form", False, ["a,b", "c"], "https://h/x?v=a%2Cb,c"),
    ("query", "form", True, ["a,b", "c"], "https://h/x?v=a%2Cb&v=c"),
    ("query", "pipeDelimited", True, ["a|b", "c"], "https://h/x?v=a%7Cb&v=c"),
    ("path", "simple", False, ["a,b", "c"], "https://h/x/a%2Cb,c"),
    ("path", "matrix", True, ["a;b", "c"], "https://h/x/;v=a%3Bb;v=c"),
])
def test_a_delimiter_with_an_encoding_is_encoded(place: str, style: str, explode: bool, value: Any, url: str) -> None:
    given: Dict[str, Any] = {"query": {"query": {"v": value}}, "path": {"ids": [value]}}[place]
    assert styled(place, style, explode).build("get", routable.using(**given)).url == url


BYTES = routable.loads(json.dumps({
    "routable": 1, "base": "https://h",
    "types": {"Price": {"type": "object", "required": ["price"], "properties": {"price": {"type": "number"}}}},
    "auth": {"session": {"scheme": "bearer"}, "other": {"scheme": "bearer"}},
    "operations": {
        "put": {"put": "/bytes", "body_as": "bytes"},
        "price": {"post": "/price", "body": {"$ref": "#/types/Price"}},
        "open": {"get": "/open"},
        "closed": {"get": "/closed", "auth": "session"},
    },
}))


def test_bytes_are_sent_as_bytes() -> None:
    request = BYTES.build("put", routable.using(body="a \"text\"\n"))
    assert (request.body, request.headers["Content-Type"]) == (b'a "text"\n', "application/octet-stream")
    assert BYTES.build("put", routable.using(body=b"\0\xff")).body == b"\0\xff"
    assert BYTES.build("put", routable.using(body="x", content_type="text/plain")).headers["Content-Type"] == "text/plain"
    for value in ({"a": 1}, ["a"]):
        with pytest.raises(routable.BodyError, match="must be bytes or a string") as caught:
            BYTES.build("put", routable.using(body=value))
        assert caught.value.pointer == "/body"


@pytest.mark.parametrize("value", [" a", "a ", "\ta", "a\t", " "])
def test_blanks_around_a_header_value_are_refused(value: str) -> None:
    with pytest.raises(routable.HeaderError, match="begins or ends with a space"):
        BYTES.build("open", routable.using(headers={"X-A": value}))
    request = BYTES.build("open", routable.using(headers={"X-A": "a b"}))
    with pytest.raises(routable.HeaderError, match="begins or ends with a space"):
        request.set_header("X-A", value)
    assert request.headers["X-A"] == "a b"


def test_a_credential_in_the_headers_of_a_call_is_used(loopback: Loopback, client: routable.Client) -> None:
    loopback.answers["/open"] = loopback.answers["/closed"] = whole("200 OK", b"", "Content-Type: text/plain")
    router = routable.loads(json.dumps({
        "routable": 1, "base": loopback.base, "auth": {"session": {"scheme": "bearer"}, "other": {"scheme": "bearer"}},
        "operations": {"open": {"get": "/open"}, "closed": {"get": "/closed", "auth": "session"}},
    }))
    for operation, scheme in (("open", "session"), ("closed", "session"), ("closed", "other")):
        loopback.seen.clear()
        client.perform(router.build(operation), auth={scheme: routable.Credential("t")})
        assert loopback.seen[0].headers["authorization"] == "Bearer t"
    with pytest.raises(routable.CredentialError, match="no scheme \"sesion\"; did you mean \"session\"") as caught:
        client.perform(router.build("open"), auth={"sesion": routable.Credential("t")})
    assert list(caught.value.allowed) == ["other", "session"]


@pytest.mark.parametrize(("schema", "text", "fits"), [
    ({"multipleOf": 2}, "95071870518265434373", False),
    ({"multipleOf": 2}, "95071870518265434374", True),
    ({"multipleOf": 3}, "1" + "0" * 40 + "2", True),
    ({"multipleOf": 3}, "1" + "0" * 40 + "1", False),
    ({"multipleOf": 0.01}, "123456789012345678901234567890.12", True),
    ({"multipleOf": 7}, "7e300", True),
    ({"multipleOf": 8}, "1e3", True),
    ({"multipleOf": 16}, "1e3", False),
    ("{\"multipleOf\": 100000000000000000000000000007}", "300000000000000000000000000021", True),
    ("{\"multipleOf\": 100000000000000000000000000007}", "300000000000000000000000000022", False),
    ("{\"maximum\": -9223372036854775809}", "-9223372036854775808", False),
    ("{\"maximum\": -9223372036854775809}", "-9223372036854775809", True),
    ("{\"exclusiveMaximum\": -9223372036854775808}", "-9223372036854775808", False),
    ("{\"minimum\": 9223372036854775808}", "9223372036854775807", False),
    ("{\"maximum\": 9223372036854775807.5}", "9223372036854775807", True),
    ("{\"maximum\": 9999999999999999999}", "1e19", False),
    ("{\"minimum\": 1.5}", "1", False), ("{\"minimum\": -1.5}", "-1", True), ("{\"maximum\": -1.5}", "-1", False),
    ("{\"exclusiveMinimum\": 2.0}", "2", False), ("{\"exclusiveMinimum\": 2.0}", "3", True),
    ("{\"enum\": [18446744073709551615]}", "18446744073709551615", True),
    ("{\"enum\": [18446744073709551615]}", "1.8446744073709552e19", False),
])
def test_numbers_are_exact_beyond_64_bits(schema: Any, text: str, fits: bool) -> None:
    compiled = routable.Schema(schema if isinstance(schema, dict) else json.loads(schema))
    if fits:
        compiled.check(text.encode())
    else:
        with pytest.raises(routable.BodyError):
            compiled.check(text.encode())


@pytest.mark.parametrize("lengths", [("2", "3"), ("99999999999999999999",), ("2", "99999999999999999999")])
def test_a_response_with_an_ambiguous_length_is_an_error(
    named: routable.Router, loopback: Loopback, client: routable.Client, lengths: Any
) -> None:
    head = "HTTP/1.1 200 OK\r\n" + "".join(f"Content-Length: {length}\r\n" for length in lengths) + "Connection: close\r\n\r\n"
    loopback.answers["/ping"] = raw(head.encode() + b"{}")
    with pytest.raises(routable.TransferError):
        client.perform(named.build("ping"))
