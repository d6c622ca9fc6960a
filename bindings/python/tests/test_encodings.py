"""Encodings: statements U1 to U18 and J1 to J4 with the vectors of the C tests, and every row of docs/encodings.md."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Dict, List, Tuple

import pytest
import routable
from conftest import needs_optimization

ROOT = Path(__file__).resolve().parents[3]
VECTORS: List[Dict[str, Any]] = json.loads((ROOT / "Tests" / "golden" / "encodings.json").read_text(encoding="utf-8"))


def opened(operation: Dict[str, Any], base: str = "https://h.test") -> routable.Router:
    return routable.open({"routable": 1, "base": base, "operations": {"op": operation}})


def built(operation: Dict[str, Any], base: str = "https://h.test", **values: Any) -> routable.Request:
    return opened(operation, base).build("op", routable.using(**values))


@pytest.mark.parametrize("vector", VECTORS, ids=[f"{vector['id']}-{at}" for at, vector in enumerate(VECTORS)])
def test_each_vector_is_encoded_as_expected(vector: Dict[str, Any]) -> None:
    operation = {"method": vector["method"], "path": "/p", "encoding": vector.get("encoding", {})}
    values: Dict[str, Any] = {"headers": vector.get("headers", {})}
    if "parameters" in vector:
        values["parameters"] = json.loads(vector["parameters"])
    request = built(operation, vector["base"].replace("/p", "", 1), **values)
    body = None if request.body is None else request.body.decode()
    assert (request.url, body, request.headers.get("Content-Type")) == (vector["url"], vector["body"], vector["type"])


def test_every_statement_has_a_vector() -> None:
    here = {vector["id"] for vector in VECTORS}
    assert {f"U{number}" for number in range(1, 19)} | {"J1", "J4"} <= here


def test_U14_twenty_thousand_characters() -> None:
    request = built({"get": "/p"}, parameters={"chinese": "一二三四五六七八九十" * 2000})
    assert request.url == "https://h.test/p?chinese=" + "%E4%B8%80%E4%BA%8C%E4%B8%89%E5%9B%9B%E4%BA%94%E5%85%AD%E4%B8%83%E5%85%AB%E4%B9%9D%E5%8D%81" * 2000


@pytest.mark.parametrize("body", [{"a": 1}, [1, {"a": None}], [], {}])
def test_J2_the_root_is_an_object_or_an_array(body: object) -> None:
    request = built({"post": "/p"}, body=body)
    assert json.loads(request.body or b"") == body
    assert request.headers["Content-Type"] == "application/json"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "\ud800", object()])
def test_J2_values_that_json_cannot_represent_are_refused(value: object) -> None:
    each: List[Dict[str, Any]] = [{"body": {"a": value}}, {"parameters": {"a": value}}]
    for values in each:
        with pytest.raises((routable.RoutableError, TypeError)):
            built({"post": "/p", "encoding": {"as": "json"}}, **values)


def test_J3_a_body_on_get_is_refused_unless_declared() -> None:
    each: List[Dict[str, Any]] = [{"body": {"a": 1}}, {"parameters": {"a": 1}}]
    for values in each:
        operation = {"get": "/p", "encoding": {"to": "body", "as": "json"}}
        with pytest.raises(routable.BodyError):
            built(operation, **values)
        assert built({**operation, "body_required": False}, **values).body == b'{"a":1}'


@pytest.mark.parametrize(("encoding", "message"), [
    ({"arrays": "bracket"}, "brackets"), ({"arrays": "{index}"}, "{key} once"), ({"arrays": "{key}{key}"}, "{key} once"),
    ({"arrays": "{key}{other}"}, "{key} once"), ({"array": "none"}, "arrays"), ({"booleans": 1}, "a string"),
    ({"first_index": -1}, "from 0"), ({"first_index": 1000001}, "1000000"), ({"key_case": "Snake"}, "snake"),
    ({"spaces": "+"}, "plus"), ("sorted", "object"),
])
def test_invalid_encodings_are_refused(encoding: object, message: str) -> None:
    for operation in ({"get": "/p", "encoding": encoding}, {"get": "/p", "query": {"q": {"encoding": encoding}}}):
        with pytest.raises(routable.DocumentError) as caught:
            opened(operation)
        assert message in str(caught.value) or "key_case" in str(caught.value)
        assert (caught.value.pointer or "").startswith("/operations/op/")


def test_a_parameter_can_have_its_own_encoding() -> None:
    items = {"type": "array", "items": {}}
    operation = {
        "get": "/p", "encoding": {"arrays": "none", "booleans": "literal"},
        "query": {
            "a": items, "b": {**items, "encoding": {"arrays": "comma", "spaces": "plus"}},
            "c": {"type": "boolean"}, "d": {"type": "boolean", "encoding": {"booleans": "numeric"}},
            "e": {**items, "encoding": {"arrays": "index", "first_index": 1}},
            "f": {**items, "encoding": {"empty_arrays": "empty", "arrays": "none"}},
            "g": {"encoding": {"escape": "whatwg"}},
        },
    }
    values = {"a": ["x", "y/z"], "b": ["x,1", "y z"], "c": True, "d": True, "e": ["x", "y"], "f": [], "g": "~ *"}
    request = built(operation, query=values)
    assert request.url == "https://h.test/p?a=x&a=y%2Fz&b=x%2C1,y+z&c=true&d=1&e%5B1%5D=x&e%5B2%5D=y&f=&g=%7E+*"


def test_written_documents_open_with_the_same_encodings() -> None:
    every = {
        "to": "query", "as": "json", "arrays": "{key}-{index}", "booleans": "literal", "nulls": "null",
        "empty_arrays": "empty", "order": "given", "key_paths": "dots", "key_case": "lower", "spaces": "plus",
        "escape": "whatwg", "newlines": "crlf", "first_index": 7,
    }
    of_one = {key: every[key] for key in ("arrays", "booleans", "empty_arrays", "spaces", "escape", "newlines", "first_index")}
    operation = {"get": "/p", "query": {"q": {"type": "string", "encoding": of_one}}, "encoding": every}
    document = opened(operation).document
    assert document["operations"]["op"] == operation
    assert routable.open(document).document == document


@pytest.mark.parametrize("key", ["to", "as", "nulls", "order", "key_paths", "key_case"])
def test_encodings_of_the_whole_operation_are_refused_for_one_parameter(key: str) -> None:
    with pytest.raises(routable.DocumentError):
        opened({"get": "/p", "query": {"q": {"encoding": {key: "x"}}}})
    with pytest.raises(routable.DocumentError):
        opened({"get": "/p", "header": {"q": {"encoding": {}}}})


def test_a_form_of_pairs() -> None:
    operation = {"post": "/p", "body_as": "form"}
    assert built(operation, body=[["a", 1], ["b", [True, None]], ["a", "x\0"], ["", ""]]).body == b"a=1&b%5B%5D=1&a=x%00&="
    assert built(operation, body=[]).body == b""
    for wrong in ([["a"]], [["a", 1, 2]], [[1, 2]], ["ab"], "ab", 1):
        with pytest.raises(routable.BodyError):
            built(operation, body=wrong)


@pytest.mark.parametrize("arrays", [[[1]], [{"a": 1}], [1, []]])
def test_commas_join_single_values(arrays: object) -> None:
    with pytest.raises(routable.ValueRefusedError):
        built({"get": "/p", "encoding": {"arrays": "comma"}}, parameters={"a": arrays})


@needs_optimization
def test_values_over_the_limits_are_refused() -> None:
    long = "k" * (1 << 20)
    for parameters in ({long + "k": 1}, {long: {"k": 1}}, {"k" * (1 << 19): [1] * 200}, {"a": "x" * (17 << 20)}):
        with pytest.raises(routable.LimitError):
            built({"get": "/p"}, parameters=parameters)
    deep: Any = 1
    for _ in range(600):
        deep = [deep]
    with pytest.raises(routable.LimitError):
        built({"get": "/p"}, parameters={"a": deep})


# --- docs/encodings.md ---


def rows(title: str) -> List[Tuple[str, ...]]:
    """The rows of the table under a heading, without the backquotes of their cells."""
    text = (ROOT / "docs" / "encodings.md").read_text(encoding="utf-8")
    section = text.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]
    found = [tuple(cell.strip().strip("`") for cell in line.strip("|").split(" | ")) for line in section.splitlines() if line.startswith("|")]
    return found[2:]


ROWS = [row for title in ("Arrays and nesting", "Values", "Keys", "Escapes") for row in rows(title)]


@pytest.mark.parametrize(("encoding", "parameters", "expected"), ROWS)
def test_a_row_of_the_page(encoding: str, parameters: str, expected: str) -> None:
    given = json.loads(parameters)
    operation = {"post": "/p", "encoding": json.loads(encoding)}
    assert (built(operation, parameters=given).body or b"").decode() == expected


def test_the_page_has_every_word() -> None:
    schema = json.loads((ROOT / "docs" / "schema" / "route-document.schema.json").read_text(encoding="utf-8"))
    text = "".join(" ".join(row) for row in [*ROWS, *rows("Where parameters are written")])
    words = 0
    for name, rule in schema["$defs"]["encoding"]["properties"].items():
        for word in rule.get("enum") or rule.get("anyOf", [{}])[0].get("enum", []):
            is_default = word == rule["default"]
            assert is_default or re.search(rf'"{name}": "{word}"', text), f"{name}: {word}"
            words += 1
    assert words >= 20 and len(ROWS) >= 20, (words, len(ROWS))


@pytest.mark.parametrize("definition", ["encoding", "parameterEncoding"])
def test_the_schema_has_the_words_of_the_library(definition: str) -> None:
    schema = json.loads((ROOT / "docs" / "schema" / "route-document.schema.json").read_text(encoding="utf-8"))
    for name, rule in schema["$defs"][definition]["properties"].items():
        words = rule.get("enum") or rule.get("anyOf", [{}])[0].get("enum")
        if words:
            with pytest.raises(routable.DocumentError) as caught:
                built({"get": "/p", "encoding": {name: "no such word"}})
            assert sorted(words) == list(caught.value.allowed), name
