"""Parameter styles of OpenAPI: each row is one operation of a document, built, and read back if possible."""

from __future__ import annotations

import json
from ctypes import POINTER, byref, string_at
from typing import Any, Dict, Iterator, List, Optional, Tuple, Union
from urllib.parse import parse_qsl, unquote, urlsplit

from harness import Difference, Skip, Suite, expect
from library import Built, Refusal, Router, _refusal, str_of
from routable import _capi as c

PLACES = {"simple": "path", "label": "path", "matrix": "path", "cookie": "cookie"}


def router(style: str, explode: bool, name: str, place: str, kind: Optional[str] = None, reserved: bool = False) -> Router:
    """One operation with one parameter; in a path it follows an `x`, so that it may be empty."""
    parameter: Dict[str, Any] = {"name": name, "in": place, "style": style, "explode": explode, "schema": {}}
    if place == "path":
        parameter["required"] = True
    if kind:
        parameter["schema"] = {"type": kind, "items": {"type": "string"}} if kind == "array" else {"type": kind}
    if reserved:
        parameter["allowReserved"] = True
    path = f"/x{{{name}}}" if place == "path" else "/x"
    operation = {"operationId": "op", "parameters": [parameter], "responses": {"200": {"description": ""}}}
    return Router.opened(
        {"openapi": "3.2.0", "info": {"title": "t", "version": "1"}, "servers": [{"url": "http://h.test"}],
         "paths": {path: {"get": operation}}}
    )


def written(opened: Router, name: str, place: str, value: Any) -> Union[str, Refusal]:
    """The string that the URL or the field has for the value, without the constant part of the URL."""
    call: Dict[str, Any] = {"operation": "op"}
    if place == "path":
        call["ids"] = [value]
    else:
        call[{"query": "query", "header": "headers", "cookie": "cookies"}[place]] = {name: value}
    result = opened.build_json(call)
    if isinstance(result, Refusal):
        return result
    if place == "path":
        prefix = "http://h.test/x"
        expect(call, prefix, result.url.decode("ascii")[: len(prefix)])
        return result.url.decode("ascii")[len(prefix) :]
    if place == "query":
        return (result.query or b"").decode("ascii")
    return (result.header(b"Cookie" if place == "cookie" else name.encode()) or b"").decode("utf-8")


def serialize(vector: Any, data: Any) -> None:
    style, value = vector["style"], vector["value"]
    place = vector.get("in") or PLACES.get(style, "query")
    if "disagrees_with_spec" in vector:
        raise Skip("the peer departs from the standard, as the row says")
    if "superseded" in vector:
        raise Skip("a later version of the standard corrected this row, as the row says")
    if vector.get("space") == "plus":
        return form_body(vector)
    if vector.get("undefined_behaviour") or vector.get("spec") == "undefined behaviour":
        # Without an expectation: the value is written, or refused with a sentence.
        got = written(router(style, vector["explode"], vector["name"], place), vector["name"], place, value)
        if isinstance(got, Refusal) and not got.message:
            raise Difference(vector, "a sentence", got)
        return
    if vector.get("value_kind") == "undefined":
        # OpenAPI 3.0.3 calls this column "empty", and its entries are those of the empty string; null is not sent.
        value = ""
    expected: Any = vector.get("expected")
    if "sorted by this peer" in vector.get("note", ""):
        value = dict(sorted(value.items()))
    got = written(
        router(style, vector["explode"], vector["name"], place, reserved=vector.get("allowReserved", False)),
        vector["name"], place, value,
    )
    if "error" in vector:
        expect(vector, True, isinstance(got, Refusal))
    elif got != expected:
        raise Difference(vector, expected, got)


def form_body(vector: Any) -> None:
    """`+` for a space occurs in forms only: the same value as a property of a body."""
    encoding: Dict[str, Any] = {}
    if not isinstance(vector["value"], (str, int, float, bool)):
        encoding = {"encoding": {vector["name"]: {"style": vector["style"], "explode": vector["explode"]}}}
    media = {"schema": {"type": "object"}, **encoding}
    operation = {"operationId": "op", "requestBody": {"content": {"application/x-www-form-urlencoded": media}}, "responses": {}}
    opened = Router.opened({"openapi": "3.1.0", "servers": [{"url": "http://h.test"}], "paths": {"/x": {"post": operation}}})
    value = vector["value"]
    if isinstance(value, dict):
        value = dict(sorted(value.items()))
    result = opened.build_json({"operation": "op", "body": {vector["name"]: value}})
    got = (result.body or b"").decode("ascii") if isinstance(result, Built) else result
    if got != vector["expected"]:
        raise Difference(vector, vector["expected"], got)


def read(opened: Router, text: str) -> Any:
    """The value of the only parameter in an encoded string; None if the string has none; a refusal otherwise."""
    operation = c.routable_router_operation_at(opened._handle, 0)
    out, error = c.routable_string(), POINTER(c.routable_error)()
    status = c.routable_parameter_read(opened._handle, operation, 0, str_of(text.encode()), byref(out), byref(error))
    if status == c.ROUTABLE_NO_MATCH:
        return None
    if status != c.ROUTABLE_OK:
        return _refusal(status, error)
    value = json.loads(string_at(out.ptr, out.len))
    c.routable_string_free(byref(out))
    return value


def parse(vector: Any, data: Any) -> None:
    place = PLACES.get(vector["style"], "query")
    got = read(router(vector["style"], vector["explode"], vector["name"], place, vector["kind"]), vector["text"])
    if vector["kind"] == "object":
        pairs = [[key, each] for key, value in (got or {}).items() for each in (value if isinstance(value, list) else [value])]
        expect(vector, vector["pairs"], pairs)
    elif vector["kind"] == "array":
        # An empty array equals an absent parameter.
        expect(vector, vector["value"] or None, got or None)
    else:
        expect(vector, vector["value"], got)


def deep_vectors(data: Any) -> Iterator[Tuple[str, Any]]:
    for key, make in (
        ("values", lambda each: ("filter", {"field": each, "inner": {"name": "safe"}})),
        ("keys", lambda each: ("filter", {each: "safe"})),
        ("param_names", lambda each: (each, {"field": "safe"})),
    ):
        for index, each in enumerate(data[key]):
            yield f"/{key}/{index}", make(each)


def deep(vector: Tuple[str, Any], data: Any) -> None:
    name, value = vector
    opened = router("deepObject", True, name, "query", "object")
    got = written(opened, name, "query", value)
    if isinstance(got, Refusal):
        raise Difference(vector, "a query", got)
    parts = urlsplit(f"http://h.test/x?{got}")
    expect(vector, ("", got), (parts.fragment, parts.query))
    pairs = parse_qsl(got, keep_blank_values=True, strict_parsing=True)
    for key, _ in pairs:
        expect((vector, key), True, key.startswith(f"{name}["))
    expect(vector, True, all(each.split("=")[0].startswith(got.split("%5B")[0]) for each in got.split("&")))
    expect(vector, value, read(opened, got))
    expect(vector, True, name in unquote(got))


def anything(vector: Any, data: Any) -> None:
    """Without an expectation: the value is written, or refused with a sentence."""
    place = PLACES.get(vector["style"], "query")
    got = written(router(vector["style"], vector["explode"], vector["name"], place), vector["name"], place, vector["value"])
    if isinstance(got, Refusal) and not got.message:
        raise Difference(vector, "a sentence", got)


SUITES = [
    Suite("openapi-params/spec-style-tables.json", serialize),
    Suite("openapi-params/oapi-codegen-serialize.json", serialize),
    Suite("openapi-params/swift-openapi-runtime-serialize.json", serialize),
    Suite("openapi-params/rfc6570-generated.json", serialize),
    Suite("openapi-params/rfc6570-disagreements.json", anything),
    Suite("openapi-params/swift-openapi-runtime-parse.json", parse),
    Suite("openapi-params/deepobject-roundtrip.json", deep, deep_vectors),
]
