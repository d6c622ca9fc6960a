"""`routable import` writes resources: the resources, the list of what was left out, and that each operation builds the same bytes."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

import pytest
import routable
from conftest import ROOT, run

sys.path.append(str(ROOT / "Tests/law"))
import calls as generator  # noqa: E402

OWN = ROOT / "Tests/conformance/own"
DATA = Path(os.environ.get("ROUTABLE_DATA", OWN))
#: The minimum share of the operations of each document that become operations of resources.  A route document cannot have a verb before
#: a path, as in Kubernetes, and resources of Box have several ids.
DOCUMENTS = {path: 0.5 for path in sorted((OWN / "openapi-docs/real").glob("*.json"))} if DATA == OWN else {
    DATA / f"openapi-docs/real/{name}.json": share for name, share in (
        ("github-api", 0.95), ("box", 0.91), ("twilio-api-v2010", 0.95), ("kubernetes-core-v1", 0.8), ("chroma-3.1", 0.95),
        ("redocly-museum-3.1", 1))}
CALLS = 5


def rows(document: Path) -> Dict[Tuple[str, str], Dict[str, Any]]:
    """The rows of the route table by method and path, without the names of the ids."""
    found: Dict[Tuple[str, str], Dict[str, Any]] = {}
    for row in run("routes", document, "--json").json:
        if "operation" in row:
            pattern = re.sub(r"\{[^{}]*\}", "", row["pattern"])
            found.setdefault((row["verb"], re.sub(r"(?<=/)[:*][A-Za-z_][\w-]*", ":", pattern)), row)
    return found


def fitting(call: Dict[str, Any], operation: Any, left: str) -> Dict[str, Any]:
    """The call without the parts that the import has listed: keys of schemes, styled parameters, further media types."""
    made = dict(call)
    made.pop("parameters", None)  # undeclared parameters are written with the encoding of each document
    known = {(each.location, each.name) for each in operation.parameters}
    for location, key in (("query", "query"), ("header", "headers"), ("cookie", "cookies")):
        kept = {name: value for name, value in made.get(key, {}).items() if (location, name) in known}
        dropped = set(made.pop(key, {})) - set(kept)
        assert all("credential" in left or f"the query parameter {name}," in left for name in dropped), (operation, dropped)
        if kept:
            made[key] = kept
    return made


def differences(original: Any, imported: Any, document: Path, result: Path, left: str) -> Iterator[str]:
    """The calls that the imported document builds differently; the last line has the number of built calls."""
    before, after = rows(document), rows(result)
    text = json.loads(document.read_text())
    schemes = [each for each in text.get("components", {}).get("securitySchemes", {}).values() if each.get("type") == "apiKey"]
    places = {row.get("operation_id") or row["operation"]: key for key, row in before.items()}
    compared = 0
    for _, name, operation, made, _ in generator.calls(original, text, CALLS, 41):
        row = after.get(places.get(name, ("", "")))
        if row is None:
            if f"the operation \"{name[:40]}" not in left:  # a long name is cut in the list
                yield f"{name}: it is neither in the result nor listed"
            continue
        own = "\n".join(line for line in left.splitlines() if f": {operation.method} {operation.path}: " in line)
        own += "credential" * bool(schemes)
        route = row.get("route")
        described = (imported.resources[route.split(".")[-1]].operations[row["operation"]] if route
                     else imported.operations[row["operation"]].description)
        for call in made:
            call = fitting(call, described, own)
            if re.search("its own base|its slash|the style", own) or "the encoding of single properties" in own or "further media types" in own and "content_type" in call:
                continue
            if "the type of a multipart body with files" in own and isinstance(call.get("body"), dict):
                # Only the original declares which members are files: the call marks them.
                files = {key: {"text": value, "filename": key} for key, value in call["body"].items() if isinstance(value, str)}
                call = {**call, "body": {**call["body"], **files}}
            there = {**call, "operation": row["operation"], **({"route": route} if route else {})}
            try:
                expected: Any = generator.router_build(original, call)
            except routable.RoutableError:
                continue
            try:
                found: Any = generator.router_build(imported, there)
            except routable.RoutableError as error:
                yield f"{name}: {json.dumps(there)}: {error}"
                continue
            compared += 1
            both = [(each.method, each.url, list(each.headers.items()), each.body) for each in (expected, found)]
            if both[0] != both[1]:
                yield f"{name}: {json.dumps(there)}\n    {both[0]}\n    {both[1]}"
    yield f"{compared} calls"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_operations_of_resources_build_the_same_bytes(document: Path, tmp_path: Path) -> None:
    result = tmp_path / "routes.json"
    ended = run("import", document, "-o", result, "--compact")
    assert ended.status == 0, ended.err
    original, imported = routable.open(document), routable.open(result)
    made = json.loads(result.read_text())
    in_resources = sum(len(resource.operations) for resource in imported.resources.values())
    total = len(original.operations)
    assert made["resources"] and in_resources >= DOCUMENTS[document] * total, (in_resources, total, ended.err[:2000])
    *found, count = differences(original, imported, document, result, ended.err)
    assert not found, "\n".join([*found[:10], count])
    assert int(count.split()[0]) >= 3 * total, count
    print(f"{document.stem}: {in_resources} of {total} operations in {len(made['resources'])} resources, {count}")


def operation(name: str, *ids: str, **more: Any) -> Dict[str, Any]:
    parameters = [{"name": each.strip("+"), "in": "path", "required": True, "schema": {"type": "integer" if "+" in each else "string"}}
                  for each in ids]
    return {"operationId": name, "parameters": parameters, "responses": {"200": {"description": ""}}, **more}


def test_operations_that_a_route_document_cannot_express_are_listed(tmp_path: Path) -> None:
    shop = {
        "openapi": "3.1.0", "info": {"title": "Shop"}, "servers": [{"url": "https://shop.test"}],
        "paths": {
            "/v1": {"get": operation("root")},
            "/v1/shops": {"get": operation("listShops"), "post": operation("addShop"), "put": operation("replaceShops")},
            "/v1/shops/{shop}": {"get": operation("getShop", "shop+"), "delete": operation("dropShop", "shop")},
            "/v1/shops/{shop}/close": {"post": operation("closeShop", "shop")},
            "/v1/shops/{shop}/address": {"get": operation("getAddress", "shop")},
            "/v1/shops/{shop}/address/lines": {"post": operation("addLine", "shop")},
            "/v1/shops/{shop}/pets": {"get": operation("shop.pets", "shop")},
            "/v1/shops/{shop}/pets/{pet}.json": {"get": operation("shop.pet", "shop", "pet")},
            "/v1/shops/{shop}/pets/{pet}/tags": {"post": operation("tagPet", "shop", "pet")},
            "/v1/pets/{id}": {"get": operation("getPet", "id")},
            "/v1/pets/{id}/": {"delete": operation("dropPet", "id")},
            "/v1/{a}@{b}": {"get": operation("odd", "a", "b")},
        }}
    file = tmp_path / "shop.json"
    file.write_text(json.dumps(shop))
    ended = run("import", file, "-o", tmp_path / "routes.json")
    assert ended.status == 0
    assert ended.err.splitlines() == [f"routable: left out: {line}" for line in (
        "GET /v1: its resource: it stays the operation \"root\": the path is that of the API itself: the operation stands at the root",
        "GET /v1/{a}@{b}: its resource: it stays the operation \"odd\": a segment of the path consists of a parameter and other text",
        "resource shops: the type of the id \"shop\", which its operations declare differently",
        "GET /v1/shops/{shop}/address: its name by the path: it is \"getAddress\" of address: only a resource with an id can have \"read\"",
        "GET /v1/shops/{shop}/pets/{pet}.json: its name by the path: it is \"shop_pet\" of shops_pets: the path of a resource consists of "
        "whole segments, and has no slash at its end",
        "DELETE /v1/pets/{id}/: its name by the path: it is \"dropPet\" of pets: the path of a resource consists of whole segments, and "
        "has no slash at its end",
        "GET /v1/shops/{shop}/pets/{pet}.json: the operationId \"shop.pet\" has a dot: the name is \"shop_pet\"",
        "1 times: a resource is named after what it stands below, too, because names are unique in a route document",
    )], ended.err
    assert run("map", tmp_path / "routes.json").out.splitlines() == [
        "shops       list read create delete replaceShops close  has address lines shops_pets",
        "address     getAddress",
        "lines       create",
        "shops_pets  list shop_pet tags",
        "pets        read dropPet",
    ]
    made = json.loads((tmp_path / "routes.json").read_text())
    assert made["resources"]["shops"]["path"] == "v1/shops" and "type" not in made["resources"]["shops"]["id"]


def test_check_warns_of_keys_without_effect(tmp_path: Path) -> None:
    file = tmp_path / "shop.json"
    file.write_text(json.dumps({"openapi": "3.1.0", "info": {"title": "Shop", "version": "1"}, "servers": [{"url": "https://shop.test"}], "paths": {
        "/pets": {"get": operation("listPets"), "post": operation("addPet", **{"x-routable-name": "add"})},
        "/lost": {"get": operation("lost", **{"x-routable-resource": "pest"})},
        "/far/{a}/{b}": {"get": operation("far", "a", "b", **{"x-routable-resource": "pets"})},
        "/pets/{id}/add": {"post": operation("again", "id", **{"x-routable-name": "add"})},
        "/health": {"get": operation("health", **{"x-routable-resource": False})}}}))
    ended = run("check", file, "--verbose")
    assert ended.status == 0
    for text in ('lost: "x-routable-resource": there is no resource "pest"',
                 'far: "x-routable-resource": the path has 2 parameters, and "pets" has 0 or 1',
                 'again: "x-routable-name": "pets" has another operation named "add"'):
        assert text in ended.out + ended.err, ended.out + ended.err
    assert 'no route: health (GET /health): "x-routable-resource" is false' in ended.out
    assert run("check", file, "--strict").status == 1
