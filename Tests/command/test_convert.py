"""`routable import` and `export`: what is converted builds the same requests."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

import pytest
import routable
import yaml
from conftest import ROOT, SOCIAL, run

DATA = Path(os.environ.get("ROUTABLE_CONFORMANCE", ROOT.parent / "shared" / "conformance")) / "openapi-docs" / "real"
VALUES = ("7", "123e4567-e89b-12d3-a456-426614174000", "2024-02-29")


def request(router: Any, operation: str, ids: List[str], **more: Any) -> Optional[Tuple[Any, ...]]:
    """What is sent; None for a refusal."""
    route, _, name = operation.rpartition("#")
    words = (operation,) if router.operations.get(operation) else (route, name)
    try:
        made = router.build(*words, ids=tuple(ids), **more)
    except routable.RefusedError:
        return None
    return made.method, made.url, list(made.headers.items()), made.body


def routes(document: Path) -> List[Tuple[str, int]]:
    """Each operation as it is called, and how many ids it takes."""
    found = []
    for row in run("routes", document, "--json").json:
        if "operation" in row:
            name = f"{row['route']}#{row['operation']}" if "route" in row else row["operation"]
            found.append((name, len(re.findall(r"[:*](?=[A-Za-z_])", re.sub(r"\{.*?\}", "", row["pattern"])))))
    return found


def test_what_openapi_cannot_say_of_performing_is_told() -> None:
    text = '{"routable": 1, "operations": {"a": {"get": "/a", "pagination": {"by": "link"}}, "b": {"get": "/b"}}}'
    ended = run("export", "-", stdin=text)
    assert ended.status == 0
    assert ended.err == "routable: left out: a: how it is performed and its pages follow each other\n"


def test_social_exported_builds_the_same(tmp_path: Path) -> None:
    file = tmp_path / "openapi.json"
    ended = run("export", SOCIAL)
    assert ended.status == 0
    assert ended.err == "routable: left out: search: that the default of page is sent: in OpenAPI the service assumes it\n"
    file.write_text(ended.out)
    assert run("check", "--strict", file).status == 0
    known = routes(SOCIAL)
    assert sorted(known) == sorted(routes(file)) and len(known) == 43
    original, exported = routable.open(SOCIAL), routable.open(file)
    refused = 0
    for name, count in known:
        ids = [f"i{number} é" for number in range(count)]
        calls: List[Dict[str, Any]] = [{}, {"body": {"text": "hi"}}, {"body": {"text": 3}}, {"query": {"q": "a b", "page": 2}}]
        for call in calls:
            before, after = request(original, name, ids, **call), request(exported, name, ids, **call)
            assert before == after, (name, call)
            refused += before is None
    assert refused > 43  # bodies that do not fit, and query parameters that nobody declared


def test_social_there_and_back_builds_the_same(tmp_path: Path) -> None:
    assert run("export", SOCIAL, "-o", tmp_path / "openapi.json").status == 0
    assert run("import", tmp_path / "openapi.json", "-o", tmp_path / "routes.json").status == 0
    original, imported = routable.open(SOCIAL), routable.open(tmp_path / "routes.json")
    for name, count in routes(SOCIAL):
        ids = [str(number) for number in range(count)]
        calls: List[Dict[str, Any]] = [{}, {"body": {"text": "hi"}}, {"query": {"q": "a", "page": 2}}]
        for call in calls:
            assert request(original, name, ids, **call) == request(imported, name.replace(".", "_"), ids, **call), name


def without_data() -> None:
    if os.environ.get("ROUTABLE_REQUIRE_DATA"):
        pytest.fail(f"there is no data in {DATA}")
    pytest.skip("the conformance data are not here")


@pytest.mark.parametrize("name", ["swagger-petstore-3", "up-banking", "redocly-museum-3.1"])
def test_real_documents_there_and_back(name: str, tmp_path: Path) -> None:
    if not (DATA / f"{name}.json").exists():
        without_data()
    assert run("import", DATA / f"{name}.json", "-o", tmp_path / "routes.json").status == 0
    assert run("export", tmp_path / "routes.json", "-o", tmp_path / "openapi.json").status == 0
    original, imported, exported = map(routable.open, (DATA / f"{name}.json", tmp_path / "routes.json", tmp_path / "openapi.json"))
    built = 0
    for operation, count in routes(DATA / f"{name}.json"):
        for value in VALUES:
            ids = [value] * count
            before = request(original, operation, ids)
            call = operation.replace(".", "_")
            assert before == request(imported, call, ids) == request(exported, call, ids), (operation, value)
            built += before is not None
    assert built > len(routes(DATA / f"{name}.json"))


def test_github_is_imported_whole(tmp_path: Path) -> None:
    if not (DATA / "github-api.json").exists():
        without_data()
    ended = run("import", DATA / "github-api.json", "-o", tmp_path / "routes.json", "--compact")
    assert ended.status == 0
    assert "routable: left out: GET /: its slash: the URL is that of the base\n" in ended.err
    original, imported = routable.open(DATA / "github-api.json"), routable.open(tmp_path / "routes.json")
    assert len(original.operations) == len(imported.operations) == 767
    for path, item in json.loads((DATA / "github-api.json").read_text())["paths"].items():
        for operation in item.values():
            if path == "/" or not isinstance(operation, dict):
                continue
            name, ids = operation["operationId"], ["7"] * path.count("{")
            assert request(original, name, ids) == request(imported, name.replace(".", "_"), ids), name


PETS: Dict[str, Any] = {
    "openapi": "3.0.3",
    "servers": [{"url": "https://pets.test/v1"}],
    "paths": {
        "/pets/{id}": {
            "parameters": [{"name": "id", "in": "path", "required": True, "style": "matrix", "schema": {"type": "string"}}],
            "get": {
                "operationId": "pets.read",
                "parameters": [
                    {"name": "deep", "in": "query", "style": "deepObject", "schema": {"type": "object"}},
                    {"name": "tags", "in": "query", "explode": False, "schema": {"type": "array", "items": {"type": "string"}}}],
                "responses": {"200": {"description": "", "content": {"application/json": {
                    "schema": {"$ref": "#/components/schemas/Pet"}}}}}}}},
    "components": {"schemas": {"Pet": {
        "type": "object", "properties": {
            "age": {"type": "integer", "nullable": True, "minimum": 0, "exclusiveMinimum": True},
            "next": {"$ref": "#/components/schemas/Pet"}}}}}}


def test_what_cannot_be_said_is_listed() -> None:
    ended = run("import", "-", stdin=json.dumps(PETS))
    assert ended.status == 0
    left = [line.removeprefix("routable: left out: ") for line in ended.err.splitlines()]
    assert left == [
        'GET /pets/{id}: the operationId "pets.read" has a dot: it is "pets_read"',
        "GET /pets/{id}: the style matrix of id: its value is a text in that form",
        "GET /pets/{id}: the query parameter deep, of style deepObject"]
    assert json.loads(run("import", "-", "--json", stdin=json.dumps(PETS)).err) == {"left_out": left}
    made = ended.json
    assert made["types"]["Pet"]["properties"] == {
        "age": {"type": ["integer", "null"], "exclusiveMinimum": 0}, "next": {"$ref": "#/types/Pet"}}
    assert made["operations"]["pets_read"]["results"]["200"] == {"$ref": "#/types/Pet"}
    assert made["operations"]["pets_read"]["query"]["tags"]["encoding"]["arrays"] == "comma"


def test_yaml_is_the_same_as_json(tmp_path: Path) -> None:
    written = tmp_path / "pets.yaml"
    written.write_text(yaml.safe_dump(PETS, sort_keys=False))
    as_json = run("import", "-", stdin=json.dumps(PETS))
    assert run("import", written).out == as_json.out
    assert run("import", "-", stdin=written.read_text()).out == as_json.out


def test_yaml_of_all_kinds() -> None:
    text = """
openapi: "3.1.0"
x-a: &a {yes: no, octal: 010, hex: 0x1F, real: 1.50, big: 123456789012345678901, null: ~, 200: "200", time: 2001-01-01}
x-b: [*a, {<<: *a, octal: 2}, !!str 7, .5, -0, 1e3, +1, '', |
  line
  ]
paths: {}
"""
    # A block scalar cannot stand in a flow sequence: that is a fault of the text, and told.
    assert run("check", "-", stdin=text).status == 1
    text = text.replace(", |\n  line\n  ]", "]")
    made = json.loads(run("import", "-", "--compact", stdin=text).out)
    anchor = {"yes": "no", "octal": 10, "hex": 31, "real": 1.5, "big": 123456789012345678901, "null": None, "200": "200",
              "time": "2001-01-01"}
    assert made["x-a"] == anchor
    assert made["x-b"] == [anchor, {**anchor, "octal": 2}, "7", 0.5, 0, 1000.0, 1, ""]


def test_yaml_does_not_unfold_without_an_end() -> None:
    lines = ["openapi: 3.1.0", "x-0: &0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"x-{n}: &{n} [" + ", ".join([f"*{n - 1}"] * 10) + "]" for n in range(1, 12)]
    ended = run("map", "-", stdin="\n".join(lines))
    assert ended.status == 4 and "more than 4000000 values" in ended.err


def test_the_wrong_way_round_is_refused() -> None:
    assert run("import", SOCIAL).status == 4
    assert run("export", "-", stdin=json.dumps(PETS)).status == 4


@pytest.mark.parametrize("schema, kind", [
    ({"type": "object", "properties": {"title": {"type": "string", "maxLength": 5}}}, "typed"),
    ({"type": "object", "properties": {"title": {"type": "string"}, "photo": {"type": "string", "format": "binary"}}}, "files"),
])
def test_multipart_stays_multipart(schema: Dict[str, Any], kind: str, tmp_path: Path) -> None:
    document = {
        "openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "servers": [{"url": "https://a.test"}],
        "paths": {"/p": {"post": {"operationId": "add", "responses": {"200": {"description": "ok"}},
                                  "requestBody": {"content": {"multipart/form-data": {"schema": schema}}}}}}}
    (tmp_path / "openapi.json").write_text(json.dumps(document))
    ended = run("import", tmp_path / "openapi.json", "-o", tmp_path / "routes.json")
    assert ended.status == 0
    assert ("the type of a multipart body with files" in ended.err) == (kind == "files"), ended.err
    imported = routable.open(tmp_path / "routes.json")
    made = imported.build("add", body={"title": "x"}, files={"photo": SOCIAL} if kind == "files" else None)
    assert made.headers["Content-Type"].startswith("multipart/form-data; boundary=")
    if kind == "typed":
        assert b'name="title"\r\n\r\nx\r\n' in made.body
        with pytest.raises(routable.RefusedError):
            imported.build("add", body={"title": "too long"})
