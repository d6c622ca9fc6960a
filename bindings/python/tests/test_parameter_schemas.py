"""Values of parameters are validated against the whole schema of the parameter, when they are built and when they are read."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Tuple

import pytest
import routable

TEXTS: Dict[str, Any] = {"type": "array", "items": {"type": "string"}}
POINT: Dict[str, Any] = {
    "type": "object", "required": ["x"], "additionalProperties": False,
    "properties": {"x": {"type": "integer"}, "name": {"type": "string", "maxLength": 3}, "on": {"type": "boolean"}, "tags": TEXTS}}  # fmt: skip


def opened(parameter: Dict[str, Any], version: str = "3.0.3") -> routable.Router:
    parameter = {"name": "q", "in": "query", **parameter}
    path = "/p/{q}" if parameter["in"] == "path" else "/p"
    if parameter["in"] == "path":
        parameter["required"] = True
    return routable.loads(json.dumps({
        "openapi": version, "info": {"title": "t", "version": "1"}, "servers": [{"url": "https://h.example"}],
        "paths": {path: {"get": {"operationId": "a", "parameters": [parameter], "responses": {"200": {"description": "x"}}}}}}))  # fmt: skip


def of(schema: Dict[str, Any], **more: Any) -> Dict[str, Any]:
    return {"schema": schema, **more}


def content(schema: Any) -> Dict[str, Any]:
    return {"content": {"application/json": {"schema": schema}}}


#: the parameter, accepted values with their query, and refused values
CHECKED: List[Tuple[Dict[str, Any], List[Tuple[Any, str]], List[Any]]] = [
    (of({**TEXTS, "maxItems": 1}), [(["a"], "q=a"), ("a", "q=a"), ([], "")], [["a", "b"]]),
    (of({**TEXTS, "minItems": 2}, explode=False), [(["a", "b"], "q=a,b")], [["a"], "a"]),
    (of({**TEXTS, "uniqueItems": True}), [(["a", "b"], "q=a&q=b")], [["a", "a"]]),
    (of({"type": "array", "uniqueItems": True, "items": {"type": "integer"}}), [([1, "2"], "q=1&q=2")], [[1, "1"], [1, "x"]]),
    (of({"type": "array", "items": {"type": "string"}, "prefixItems": [{"enum": ["asc", "desc"]}]}), [(["asc", "x"], "q=asc&q=x")], []),
    (of({"type": "array", "items": {"oneOf": [{"type": "integer"}, {"enum": ["all"]}]}}), [([1, "all"], "q=1&q=all")], [["x"], [1.5]]),
    (content({"type": "object", "required": ["a"]}), [({"a": 1}, "q=%7B%22a%22%3A1%7D")], [{"b": 1}, [1], "a"]),
    (content({"type": "array", "items": {"type": "integer"}}), [([1], "q=%5B1%5D")], [["x"], ["1"]]),
    (content({"type": "integer"}), [(5, "q=5")], ["5", 5.5]),
    (of(POINT, style="deepObject"), [({"x": 1, "name": 12}, "q%5Bx%5D=1&q%5Bname%5D=12"), ({"x": "1", "on": "true"}, "q%5Bx%5D=1&q%5Bon%5D=true"),
                                     ({"x": 1, "tags": ["1", 2]}, "q%5Bx%5D=1&q%5Btags%5D=1&q%5Btags%5D=2")],
     [{}, {"name": "a"}, {"x": "a"}, {"x": 1, "zz": 1}, {"x": 1, "name": "abcd"}, {"x": 1, "on": "yes"}]),
    (of(POINT), [({"x": 1, "name": "a"}, "x=1&name=a")], [{"x": "a"}, {"name": "a"}]),
    (of({"type": "object", "additionalProperties": {"type": "integer"}}, style="deepObject"), [({"a": 1, "b": "2"}, "q%5Ba%5D=1&q%5Bb%5D=2")], [{"a": "x"}]),
    (of({"type": "integer", "format": "int32"}), [(2**31 - 1, f"q={2**31 - 1}"), (-2**31, f"q={-2**31}"), ("7", "q=7")], [2**31, -2**31 - 1, str(2**31), "x"]),
    (of({"type": "integer", "format": "int64"}), [(2**63 - 1, f"q={2**63 - 1}"), (-2**63, f"q={-2**63}")], [str(2**63), "1.0"]),
    (of({"type": "integer", "format": "int32", "minimum": 1}), [(1, "q=1")], [0, 2**31]),
    (of({"type": "array", "items": {"type": "integer", "format": "int32"}}), [([1], "q=1")], [[2**31]]),
    (of({"oneOf": [{"type": "integer", "maximum": 5}, {"type": "string", "enum": ["all"]}]}), [(5, "q=5"), ("3", "q=3"), ("all", "q=all")], [6, "6", "zz"]),
    (of({"anyOf": [{"type": "boolean"}, {"type": "string", "pattern": "^[0-9]{4}$"}]}), [(True, "q=true"), ("2024", "q=2024"), (2024, "q=2024")], ["x", 99999]),
    (of({"allOf": [{"type": "string", "minLength": 2}, {"maxLength": 3}]}), [("ab", "q=ab"), (123, "q=123")], ["a", "abcd"]),
    (of({"type": "string", "not": {"enum": ["root"]}}), [("ann", "q=ann")], ["root"]),
    (of({"type": ["integer", "string"], "minimum": 3, "maxLength": 2}), [(3, "q=3"), ("ab", "q=ab"), (2, "q=2")], ["abc"]),
    (of({"type": "boolean", "enum": [True]}), [(True, "q=true"), ("true", "q=true")], [False]),
    (of({"oneOf": [POINT, {"type": "string"}]}), [("text", "q=text")], []),
]  # fmt: skip


@pytest.mark.parametrize("parameter, right, wrong", CHECKED, ids=[json.dumps(each[0]) for each in CHECKED])
def test_a_value_that_the_schema_refuses_is_not_sent(parameter: Dict[str, Any], right: List[Tuple[Any, str]], wrong: List[Any]) -> None:
    api = opened(parameter, "3.1.0")
    for value, query in right:
        assert api.operations["a"](q=value).url == "https://h.example/p" + (f"?{query}" if query else ""), value
    for value in wrong:
        with pytest.raises(routable.RoutableError) as caught:
            api.operations["a"](q=value)
        assert caught.value.parameter == "q" and "q" in caught.value.message, (value, caught.value)


ELSEWHERE: List[Tuple[Dict[str, Any], Any, str, Any]] = [
    ({"in": "path", "schema": {**TEXTS, "maxItems": 2}}, ["a", "b"], "https://h.example/p/a,b", ["a", "b", "c"]),
    ({"in": "path", "schema": {"oneOf": [{"type": "integer"}, {"enum": ["me"]}]}}, "me", "https://h.example/p/me", "you"),
    ({"in": "path", "schema": {"type": "integer", "format": "int32"}}, 5, "https://h.example/p/5", 2**31),
    ({"in": "path", "schema": {"type": "integer", "format": "int64"}}, 2**40, f"https://h.example/p/{2**40}", str(2**63)),
]


@pytest.mark.parametrize("parameter, right, url, wrong", ELSEWHERE, ids=[json.dumps(each[0]) for each in ELSEWHERE])
def test_a_path_value_that_the_schema_refuses_is_not_sent(parameter: Dict[str, Any], right: Any, url: str, wrong: Any) -> None:
    api = opened(parameter)
    assert api.operations["a"](q=right).url == url
    with pytest.raises(routable.RoutableError):
        api.operations["a"](q=wrong)


@pytest.mark.parametrize("place", ["header", "cookie"])
def test_headers_and_cookies_that_the_schema_refuses_are_not_sent(place: str) -> None:
    api = opened({"in": place, "schema": {**TEXTS, "uniqueItems": True}, "explode": False})
    assert any("a,b" in value for value in dict(api.operations["a"](q=["a", "b"]).headers).values())
    with pytest.raises(routable.RoutableError):
        api.operations["a"](q=["a", "a"])


#: a path parameter, a segment, its value, and a refused segment
READ: List[Tuple[Dict[str, Any], str, Any, str]] = [
    (of({**TEXTS, "maxItems": 2}), "a,b", ["a", "b"], "a,b,c"),
    (of({**TEXTS, "uniqueItems": True}), "a,b", ["a", "b"], "a,a"),
    (content({"type": "object", "required": ["a"]}), "%7B%22a%22%3A1%7D", {"a": 1}, "%7B%7D"),
    (of({"type": "integer", "format": "int32"}), "5", 5, str(2**31)),
    (of({"type": "integer", "format": "int64"}), "5", 5, str(2**63)),
    (of(POINT, explode=True), "x=1,name=ab", {"x": "1", "name": "ab"}, "x=a"),
    (of({"oneOf": [{"type": "integer", "maximum": 5}, {"enum": ["all"]}]}), "all", "all", "6"),
]


@pytest.mark.parametrize("parameter, right, value, wrong", READ, ids=[json.dumps(each[0]) for each in READ])
def test_reading_checks_the_same_schema(parameter: Dict[str, Any], right: str, value: Any, wrong: str) -> None:
    api = opened({"in": "path", **parameter})
    found = api.match(f"/p/{right}", "GET")
    assert found is not None and found.values == {"q": value}
    refused = api.match(f"/p/{wrong}", "GET")
    assert refused is not None
    with pytest.raises(routable.ValueRefusedError):
        refused.values


def test_a_reason_names_the_schema() -> None:
    with pytest.raises(routable.RoutableError) as caught:
        opened(of(POINT, style="deepObject")).operations["a"](q={"x": 1, "nam": "a"})
    assert caught.value.suggestion == "name" and caught.value.pointer == "/query/q"
    assert caught.value.schema_pointer == "/additionalProperties"


def test_swagger_parameters() -> None:
    def value(**more: Any) -> routable.Router:
        return routable.loads(json.dumps({
            "swagger": "2.0", "info": {"title": "t", "version": "1"}, "host": "h.example", "schemes": ["https"],
            "paths": {"/p": {"get": {"operationId": "a", "responses": {}, "parameters": [{"name": "q", "in": "query", "required": True, **more}]}}}}))  # fmt: skip

    api = value(type="array", items={"type": "integer"}, maxItems=2, collectionFormat="csv")
    assert api.warnings == () and api.operations["a"](q=[1, 2]).url == "https://h.example/p?q=1,2"
    with pytest.raises(routable.RoutableError):
        api.operations["a"](q=[1, 2, 3])
    with pytest.raises(routable.RoutableError):
        value(type="integer", format="int32").operations["a"](q=2**31)
