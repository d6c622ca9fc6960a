"""Documents in many files: bundle, check and generate."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import ROOT, run

import routable

FILES = {
    "api/openapi.yaml": """openapi: 3.1.0
info: {title: Shop, version: 1.10.0}
servers: [{url: "https://shop.test"}]
paths:
  /items:
    $ref: paths/items.yaml
    get:
      operationId: listItems
      responses:
        200:
          description: some
          content: {application/json: {schema: {type: array, items: {$ref: schemas/item.yaml}}}}
  /items/{id}: {$ref: "paths/item.yaml#/byId"}
components:
  schemas: {$ref: schemas.json}
  securitySchemes: {token: {type: http, scheme: bearer}}
""",
    "api/paths/items.yaml": """post:
  operationId: addItem
  requestBody: {$ref: ../bodies.json#/Item}
  responses: {201: {description: added}}
""",
    "api/paths/item.yaml": """byId:
  parameters: [{$ref: "../parameters.yaml#/id"}]
  get:
    operationId: readItem
    responses: {200: {description: one, content: {application/json: {schema: {$ref: "../openapi.yaml#/components/schemas/Box"}}}}}
""",
    "api/parameters.yaml": "id: {name: id, in: path, required: true, schema: {type: integer}}\n",
    "api/bodies.json": json.dumps({"Item": {"required": True, "content": {"application/json": {"schema": {
        "$ref": "schemas/item.yaml"}}}}}),
    "api/schemas/item.yaml": "type: object\nrequired: [name]\nproperties:\n  name: {type: string}\n  price: {type: number, minimum: 0.10}\n",
    "api/schemas.json": json.dumps({"Box": {"type": "object", "properties": {"items": {
        "type": "array", "items": {"$ref": "schemas/item.yaml"}}}}}),
}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_bundle_equals_the_golden_file(shop: Path) -> None:
    ended = run("bundle", "api/openapi.yaml", cwd=shop)
    assert ended.status == 0, ended
    stored = ROOT / "Tests" / "golden" / "bundle.json"
    assert ended.out == stored.read_text(), f"expected the text of {stored}, got:\n{ended.out}"
    assert ended.err.splitlines() == [
        "routable: bundled: #/components/schemas/item from api/schemas/item.yaml",
        "routable: bundled: #/components/parameters/id from api/parameters.yaml#/id",
        "routable: bundled: #/components/requestBodies/Item from api/bodies.json#/Item",
    ], ended.err
    assert run("bundle", "api/openapi.yaml", cwd=shop).out == ended.out


def test_bundle_describes_the_same(shop: Path) -> None:
    """The bundle, the folder and the package open as the same document, byte for byte."""
    compact = run("bundle", "api/openapi.yaml", "--compact", "-o", "one.json", cwd=shop)
    assert compact.status == 0, compact
    whole, one = routable.open(shop / "api/openapi.yaml"), routable.open(shop / "one.json")
    assert whole.routes() == one.routes()
    assert json.dumps(whole.document) == json.dumps(one.document)
    again = run("bundle", "one.json", "--compact", cwd=shop)
    assert again.out == (shop / "one.json").read_text(), "a bundle of a bundle is the same"


def test_all_subcommands_follow_files(shop: Path) -> None:
    for words in (["routes"], ["map"], ["check"], ["build", "addItem", "-d", '{"name":"cup"}'], ["generate", "python"],
                  ["generate", "c"], ["generate", "swift"], ["import"]):
        ended = run(words[0], *(words[1:2] if words[0] == "generate" else []), "api/openapi.yaml",
                    *(words[1:] if words[0] == "build" else []), cwd=shop)
        assert ended.status == 0, (words, ended)
    assert run("build", "api/openapi.yaml", "addItem", "-d", "{}", cwd=shop).status == 5
    assert "4 operations" not in run("check", "api/openapi.yaml", cwd=shop).out
    assert "3 operations: no problem" in run("check", "api/openapi.yaml", cwd=shop).out


def test_check_names_the_file(shop: Path) -> None:
    (shop / "api/parameters.yaml").write_text("id: {name: id, in: pth, required: true}\n")
    ended = run("check", "api/openapi.yaml", cwd=shop)
    assert ended.status == 1, ended
    assert ended.out.startswith("api/parameters.yaml:1:20: error: "), ended.out
    found = run("check", "api/openapi.yaml", "--json", cwd=shop).json["problems"][0]
    assert (found["pointer"], found["line"], found["column"]) == ("/id/in", 1, 20), found


def test_check_names_the_file_of_a_syntax_error(shop: Path) -> None:
    (shop / "api/paths/item.yaml").write_text("a: 1\nb: 1\na: 2\n")
    ended = run("check", "api/openapi.yaml", cwd=shop)
    assert ended.status == 1 and ended.out.startswith("api/paths/item.yaml:3:1: error: "), ended


def test_check_warns_of_unresolved_references(shop: Path) -> None:
    (shop / "api/bodies.json").unlink()
    ended = run("check", "--strict", "api/openapi.yaml", cwd=shop)
    assert ended.status == 1 and "api/paths/items.yaml:3:23#/post/requestBody/$ref" in ended.out, ended


def test_a_reference_that_leaves_the_folder_is_refused(shop: Path) -> None:
    (shop / "api/paths/items.yaml").write_text("post: {$ref: ../../other/post.yaml}\n")
    (shop / "other").mkdir()
    (shop / "other/post.yaml").write_text("operationId: other\nresponses: {}\n")
    ended = run("routes", "api/openapi.yaml", cwd=shop)
    assert ended.status == 4 and "../../other/post.yaml" in ended.err and "leaves the folder" in ended.err, ended
    assert "api/paths/items.yaml:1:14" in ended.err, ended
    assert run("routes", "api/openapi.yaml", "--folder", ".", cwd=shop).status == 0
