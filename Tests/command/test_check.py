"""`routable check` reports every problem with line, column and a mark below it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, List, NamedTuple, Tuple

import pytest
from conftest import ROOT, SOCIAL, on_terminal, run


class Broken(NamedTuple):
    text: str
    #: line, column, marked text, words of the message
    problems: List[Tuple[int, int, str, str]]
    file: str = "-"


BROKEN = {
    "a comma too many": Broken('{"routable": 1,\n "resources": {},\n}', [(3, 1, "}", "")]),
    "unknown keys": Broken(
        '{"routable": 1, "nam": "x",\n "resources": {"a": {"path": "as", "cann": ["read"]}}}',
        [(1, 17, '"nam"', 'did you mean "name"?'), (2, 36, '"cann"', 'did you mean "can"?')]),
    "values of another kind": Broken(
        '{"routable": 1, "resources": {\n  "a": {"path": 3, "can": "read", "nested": "yes"}}}',
        [(2, 17, "3", "not an integer"), (2, 27, '"read"', "an array"), (2, 45, '"yes"', "true or false")]),
    "names that do not exist": Broken(
        '{"routable": 1, "types": {"T": {"type": "object"}}, "resources": {\n'
        '  "user": {"path": "users", "can": ["lst"], "has": ["stat"], "type": "U"},\n'
        '  "status": {"path": "statuses"}}}',
        [(2, 37, '"lst"', 'did you mean "list"?'), (2, 53, '"stat"', 'no resource "stat"'), (2, 70, '"U"', 'no type "U"')]),
    "a key twice": Broken(
        '{"routable": 1, "resources": {"a": {"path": "as"},\n\t"a": {"path": "bs"}}}', [(2, 2, '"a"', "twice")]),
    "routes that are one": Broken(
        '{"routable": 1, "operations": {\n "a": {"get": "/x/{id}"},\n "b": {"get": "/x/{name}"}}}',
        [(3, 7, "{", "same method and path")]),
    "paths and patterns": Broken(
        '{"routable": 1, "operations": {\n "a": {"get": "/x/{"},\n'
        ' "b": {"get": "/y", "query": {"q": {"pattern": "("}}}, "c": {}}}',
        [(2, 15, '"/x/{"', "is not closed"), (3, 48, '"("', "pattern"), (3, 61, "{", "no method")]),
    "a base and a header": Broken(
        '{"routable": 1, "base": "ftp://x",\n "headers": {"X Y": "1", "B": "a\\nb"}}',
        [(1, 25, '"ftp://x"', "http or https"), (2, 21, '"1"', "not a valid HTTP token"), (2, 31, '"a\\nb"', "control character")]),
    "schemas": Broken(
        '{"routable": 1, "types": {\n  "é": {"type": "objct"},\n  "B": {"$ref": "#/types/C"}, "D": 7}}',
        [(2, 18, '"objct"', 'did you mean "object"?'), (3, 17, '"#/types/C"', "#/types/C"), (3, 36, "7", "an object or a boolean")]),
    "rules, and parameters": Broken(
        '{"routable": 1, "pagination": {},\n "operations": {"a": {"get": "/a", "query": {\n'
        '    "n": {"type": "integer", "default": "x"}, "m": {"minimum": 3}}}}}',
        [(1, 31, "{", 'no "by"'), (3, 41, '"x"', "integer is expected, not a string"), (3, 64, "3", "a bound is for integers")]),
    "a version of the future": Broken('{"routable": 9, "resources": {}}', [(1, 14, "9", "version 9")]),
    "OpenAPI in YAML": Broken(
        'openapi: 3.1.0\npaths:\n  /pets/{id}:\n    get:\n      parameters:\n'
        '        - {name: id, in: pth, schema: {type: integer}}\n        - name: 7\n          in: query\n      responses: []\n',
        [(6, 26, "pth", "cannot be in \"pth\"; did you mean \"path\"?"), (7, 11, "name", "no \"name\""), (9, 18, "[", "an object")]),
    "not YAML": Broken("a: [b\nc: d\n", [(2, 2, ":", "expected ',' or ']'")]),
}


def marked(out: str) -> List[Tuple[int, int, str, str]]:
    """The line, the column, the marked text and the message of each reported problem."""
    found, lines = [], out.splitlines()
    for number, line in enumerate(lines):
        place = re.match(r".*?:(\d+):(\d+): error: (.*)", line)
        if place is None:
            continue
        source, mark = lines[number + 1], lines[number + 2]
        assert source.split("|")[0].strip() == place[1]
        start, length = mark.index("^"), len(mark[mark.index("^"):])
        found.append((int(place[1]), int(place[2]), source[start:start + length], place[3]))
    return found


@pytest.mark.parametrize("name", BROKEN)
def test_each_fault_is_marked_in_its_line(name: str) -> None:
    broken = BROKEN[name]
    ended = run("check", broken.file, stdin=broken.text)
    assert ended.status == 1, ended
    found = marked(ended.out)
    assert [each[:2] for each in found] == [each[:2] for each in broken.problems], ended.out
    for got, wanted in zip(found, broken.problems):
        assert got[2] == wanted[2], ended.out
        assert wanted[3] in got[3], ended.out
    count = len(found)
    assert ended.out.splitlines()[-1] == f"<stdin>: {count} problem{'s' if count > 1 else ''}"


def test_ten_documents_at_least() -> None:
    assert len(BROKEN) >= 10


def test_a_wide_letter_does_not_shift_the_mark() -> None:
    text = '{"routable": 1, "operations": {"日本": {"gt": "/x"}}}'
    ended = run("check", "-", stdin=text)
    source, mark = next((a, b) for a, b in zip(ended.out.splitlines(), ended.out.splitlines()[1:]) if "^" in b)
    assert mark.index("^") == source.index('"gt"') + 2  # two characters, each two columns wide


def test_consequences_of_a_problem_are_not_reported() -> None:
    """References to something broken are not reported, nor are members that it lacks without the faulty part."""
    text = ('{"routable": 1, "types": {"T": 5}, "resources": {"a": {"path": "as", "can": ["read"], "type": "T", "has": ["b"]},'
            '"b": {"path": 5, "can": ["read"]}}}')
    assert [each[1] for each in marked(run("check", "-", stdin=text).out)] == [32, 128]


def test_json_has_the_errors_and_their_pointers() -> None:
    found = run("check", "--json", "-", stdin='{"routable": 1,\n "nam": "x", "resources": {"a": {"path": 2}}}').json
    assert found["file"] == "<stdin>" and found["warnings"] == []
    assert [(each["status"], each["pointer"], each["line"], each["column"]) for each in found["problems"]] == [
        ("document", "/nam", 2, 2), ("document", "/resources/a/path", 2, 42)]
    assert found["problems"][0]["suggestion"] == "name"


def test_pointers_refer_to_the_original_text() -> None:
    text = '{"routable":1,"resources":{"a":{"path":"as","can":["x1","read","y2"]}}}'
    found = run("check", "--json", "-", stdin=text).json["problems"]
    assert [each["pointer"] for each in found] == ["/resources/a/can/0", "/resources/a/can/2"]


def test_max_errors_limits_the_problems() -> None:
    text = '{"routable":1,' + ",".join(f'"k{n}":1' for n in range(50)) + "}"
    ended = run("check", "--max-errors", "7", "-", stdin=text)
    assert len(marked(ended.out)) == 7 and "there may be more" in ended.err
    assert len(marked(run("check", "-", stdin=text).out)) == 50


def test_a_valid_document_has_no_problems() -> None:
    ended = run("check", SOCIAL)
    assert (ended.status, ended.err) == (0, "")
    assert ended.out == f"{SOCIAL}: a route document, 5 resources, 20 operations: no problem\n"


def test_swagger_is_named(tmp_path: Path) -> None:
    document = tmp_path / "swagger.json"
    document.write_text(json.dumps({"swagger": "2.0", "info": {"title": "t", "version": "1"}, "host": "h", "paths": {}, "servers": []}))
    ended = run("check", document)
    assert "swagger.json: Swagger 2.0, 0 resources" in ended.out
    assert '"servers" is not a member of a Swagger document' in ended.out + ended.err


def test_warnings_are_problems_with_strict() -> None:
    text = '{"openapi":"3.1.0","paths":{"/a":{"get":{"operationId":"a"}},"/b":{"get":{"operationId":"a"}}}}'
    ended = run("check", "-", stdin=text)
    assert ended.status == 0 and "<stdin>:1:89: warning:" in ended.out
    assert run("check", "--strict", "-", stdin=text).status == 1


#: a schema with `nullable`, and the warning of `--strict`; None if OpenAPI 3.0.3 reads the schema in the same way
NULLABLE = [
    ({"$ref": "#/components/schemas/B", "nullable": True}, 'ignores the members beside "$ref"'),
    ({"nullable": True, "allOf": [{"$ref": "#/components/schemas/B"}]}, 'no effect without "type"'),
    ({"nullable": True, "enum": ["a"]}, 'no effect without "type"'),
    ({"nullable": True, "type": "string", "enum": ["a"]}, 'only if "enum" contains null'),
    ({"nullable": True, "type": "object", "oneOf": [{"$ref": "#/components/schemas/B"}]}, "also allow null"),
    ({"nullable": True, "type": "string"}, None),
    ({"nullable": True, "type": "string", "enum": ["a", None]}, None),
    ({"nullable": False, "enum": ["a"]}, None),
]


@pytest.mark.parametrize("schema, words", NULLABLE, ids=[json.dumps(each[0]) for each in NULLABLE])
def test_strict_lists_keywords_that_openapi_3_0_3_reads_differently(schema: object, words: str) -> None:
    document = {
        "openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "servers": [{"url": "https://h.example"}], "paths": {},
        "components": {"schemas": {"A": {"properties": {"value": schema}}, "B": {"type": "object"}}}}  # fmt: skip
    text = json.dumps(document)
    assert run("check", "-", "--json", stdin=text).json["warnings"] == []
    ended = run("check", "--strict", "-", "--json", stdin=text)
    assert ended.status == (0 if words is None else 1)
    found = ended.json["warnings"]
    assert [each["pointer"] for each in found] == ([] if words is None else ["/components/schemas/A/properties/value/nullable"])
    assert all(words in each["message"] for each in found), found


def test_a_terminal_gets_colour_and_a_window_of_a_long_line() -> None:
    path = ROOT / "build" / "long.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text('{"routable":1,' + '"x-pad":"' + "y" * 5000 + '","nam":1}')
    seen = on_terminal("check", path, columns=80).out
    assert "\x1b[31merror\x1b[0m" in seen
    plain = re.sub("\x1b\\[[0-9;]*m", "", seen).splitlines()
    assert max(map(len, plain[1:3])) <= 80
    assert plain[1][plain[2].index("^"):].startswith('"nam"')


def test_other_subcommands_show_the_first_problem_the_same_way() -> None:
    ended = run("map", "-", stdin='{"routable": 1,\n "nam": 1}')
    assert (ended.status, ended.out) == (4, "")
    assert ended.err.startswith("routable: <stdin>:2:2: error: ") and ended.err.endswith("|  ^~~~~\n")


def test_an_unresolved_reference_in_a_schema_is_a_warning() -> None:
    schema = {"type": "object", "example": {"$ref": "#/not/a/reference"}, "properties": {
        "$ref": {"type": "string"}, "good": {"$ref": "#/components/schemas/Good"},
        "missing": {"$ref": "#/components/schemas/Missing"}, "other": {"items": {"$ref": "other.json#/Pet"}}}}  # fmt: skip
    content = {"application/json": {"schema": schema}}
    document = {
        "openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "servers": [{"url": "https://h.example"}],
        "paths": {"/a": {"get": {"operationId": "a", "responses": {"200": {"description": "d", "content": content}}}}},
        "components": {"schemas": {"Good": {"type": "string"}}}}  # fmt: skip
    warnings = run("check", "-", "--json", stdin=json.dumps(document)).json["warnings"]
    place = "/paths/~1a/get/responses/200/content/application~1json/schema/properties"
    assert [each["pointer"] for each in warnings] == [f"{place}/missing/$ref", f"{place}/other/items/$ref"]
    assert warnings[0]["message"] == 'the reference "#/components/schemas/Missing" leads to nothing'


MISSING = {"items": {"$ref": "#/components/schemas/Missing"}}
FOUND = {
    "a response with the name of a keyword": ({"default": {"description": "d", "content": {"application/json": {"schema": MISSING}}}}, {}, 1),
    "a definition with the name of a keyword": ({}, {"$defs": {"value": MISSING}}, 1),
    "a header with x-": ({"200": {"description": "d", "headers": {"x-rate": {"schema": MISSING}}}}, {}, 1),
    "an anchor that does not exist": ({}, {"items": {"$ref": "#bar"}}, 1),
    "an anchor": ({}, {"$defs": {"a": {"$anchor": "bar"}}, "items": {"$ref": "#bar"}}, 0),
    "the id of a schema": ({}, {"$defs": {"a": {"$id": "https://x.example/a"}}, "items": {"$ref": "https://x.example/a"}}, 0),
    "data": ({}, {"const": MISSING, "discriminator": {"propertyName": "x", "mapping": {"$ref": "A"}}}, 0),
    "the document itself": ({}, {"items": {"$ref": "#"}}, 0),
}  # fmt: skip


@pytest.mark.parametrize("name", FOUND)
def test_unresolved_references_are_listed(name: str) -> None:
    more, schema, count = FOUND[name]
    responses = {"201": {"description": "d", "content": {"application/json": {"schema": schema}}}, **more}
    other = {"get": {"operationId": "b", "responses": {"200": {"description": "d", "content": {"application/json": {"schema": MISSING}}}}}}
    document = {
        "openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "servers": [{"url": "https://h.example"}],
        "paths": {"/a": {"get": {"operationId": "a", "responses": responses}}, "/b": other}}  # fmt: skip
    for only, expected in (("a", count), ("b", 1)):
        warnings = run("check", "-", "--json", "--only", only, stdin=json.dumps(document)).json["warnings"]
        assert [each["message"][-16:] for each in warnings] == ["leads to nothing"] * expected, warnings


def test_warnings_are_limited() -> None:
    schema = {"properties": {f"p{number}": {"$ref": f"other.json#/S{number}"} for number in range(30)}}
    content = {"application/json": {"schema": schema}}
    document = {
        "openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "servers": [{"url": "https://h.example"}],
        "paths": {"/a": {"get": {"operationId": "a", "responses": {"200": {"description": "d", "content": content}}}}}}  # fmt: skip
    warnings = run("check", "-", "--json", "--max-errors", "10", stdin=json.dumps(document)).json["warnings"]
    assert len(warnings) == 11 and warnings[-1]["message"].startswith("there are 20 more warnings")


def test_paginations_are_proposed(tmp_path: Path) -> None:
    def operation(query: Any, schema: Any, **more: Any) -> Any:
        content = {"application/json": {"schema": schema}}
        return {"get": {
            "parameters": [{"name": name, "in": "query", "schema": {"type": "string"}} for name in query],
            "responses": {"200": {"description": "x", "content": content, **more}}}}

    array = {"type": "array", "items": {}}

    def page(**properties: Any) -> Any:
        return {"type": "object", "properties": properties}

    (tmp_path / "api.json").write_text(json.dumps({
        "openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "servers": [{"url": "https://api.test"}],
        "paths": {
            "/django": operation(["page"], page(count={}, next={"type": "string"}, results=array)),
            "/tokens": operation(["pageToken", "pageSize"], {"$ref": "#/components/schemas/Tokens"}),
            "/stripe": operation(["starting_after", "limit"], page(has_more={"type": "boolean"}, data=array)),
            "/github": operation(["per_page", "page"], array, headers={"Link": {"schema": {"type": "string"}}}),
            "/pages": operation(["page", "per_page"], page(total={}, total_pages={}, items=array)),
            "/offsets": operation(["offset", "limit"], page(count={}, values=array)),
            "/plain": operation(["q"], array), "/one": operation(["page"], page(name={})),
        },
        "components": {"schemas": {"Tokens": {"allOf": [page(nextPageToken={"type": "string"}), page(files=array)]}}}}))
    ended = run("check", "api.json", "--pagination", "--json", cwd=tmp_path)
    assert ended.status == 0, ended
    assert {each["pointer"]: each["x-routable-pagination"] for each in ended.json["paginations"]} == {
        "/paths/~1django/get": {"by": "link", "at": "/next", "items": "/results"},
        "/paths/~1tokens/get": {
            "by": "cursor", "at": "/nextPageToken", "parameter": "pageToken", "size": "pageSize", "items": "/files"},
        "/paths/~1stripe/get": {
            "by": "cursor", "last_item": "/id", "parameter": "starting_after", "more": "/has_more", "size": "limit", "items": "/data"},
        "/paths/~1github/get": {"by": "link", "size": "per_page"},
        "/paths/~1pages/get": {
            "by": "page", "parameter": "page", "total": "/total", "pages": "/total_pages", "size": "per_page", "items": "/items"},
        "/paths/~1offsets/get": {"by": "offset", "parameter": "offset", "total": "/count", "size": "limit", "items": "/values"},
    }
    # Each proposed pagination is accepted in its place.
    document = json.loads((tmp_path / "api.json").read_text())
    for each in ended.json["paginations"]:
        document["paths"][each["pointer"].split("/")[2].replace("~1", "/")]["get"]["x-routable-pagination"] = each["x-routable-pagination"]
    (tmp_path / "again.json").write_text(json.dumps(document))
    assert run("check", "again.json", "--pagination", "--json", cwd=tmp_path).json["paginations"] == []
    assert 'note: the operation looks paginated' in run("check", "api.json", "--pagination", cwd=tmp_path).out
