"""Descriptions in many files: references to files and to documents of a loader, and YAML."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, Optional

import pytest

import routable
from conftest import has_libyaml, needs_libyaml
from routable import using

OK = {"200": {"description": "done"}}


def document(paths: Dict[str, Any], version: str = "3.0.3", **more: Any) -> Dict[str, Any]:
    return {"openapi": version, "info": {"title": "t", "version": "1"}, "servers": [{"url": "https://h.example"}],
            "paths": paths, **more}


def tree(folder: Path, files: Dict[str, Any]) -> Path:
    """Writes the files; the first one is the document."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))
    return folder / next(iter(files))


def body(schema: Any) -> Dict[str, Any]:
    return {"required": True, "content": {"application/json": {"schema": schema}}}


PET = {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}
POST = {"operationId": "add", "requestBody": body(PET), "responses": OK}

#: One tree for each place of a reference: the document and its files.  In each, `add` requires a body with a name.
TREES: Dict[str, Dict[str, Any]] = {
    "path item": {"api.json": document({"/a": {"$ref": "a.json"}}), "a.json": {"post": POST}},
    "operation": {"api.json": document({"/a": {"post": {"$ref": "ops/a.json"}}}), "ops/a.json": POST},
    "operation of a fragment": {
        "api.json": document({"/a": {"post": {"$ref": "ops.json#/add"}}}), "ops.json": {"add": POST}},
    "paths": {"api.json": document({"$ref": "paths.json"}), "paths.json": {"/a": {"post": POST}}},
    "request body": {
        "api.json": document({"/a": {"post": {**POST, "requestBody": {"$ref": "body.json"}}}}), "body.json": body(PET)},
    "content": {
        "api.json": document({"/a": {"post": {**POST, "requestBody": {"required": True, "content": {"$ref": "c.json"}}}}}),
        "c.json": body(PET)["content"]},
    "media type": {
        "api.json": document({"/a": {"post": {**POST, "requestBody": {
            "required": True, "content": {"application/json": {"$ref": "m.json"}}}}}}),
        "m.json": {"schema": PET}},
    "schema": {
        "api.json": document({"/a": {"post": {**POST, "requestBody": body({"$ref": "pet.json"})}}}), "pet.json": PET},
    "schema of a schema": {
        "api.json": document({"/a": {"post": {**POST, "requestBody": body({"$ref": "s/pet.json"})}}}),
        "s/pet.json": {"allOf": [{"$ref": "../base.json#/definitions/Named"}]}, "base.json": {"definitions": {"Named": PET}}},
    "all schemas": {
        "api.json": document({"/a": {"post": {**POST, "requestBody": body({"$ref": "#/components/schemas/Pet"})}}},
                             components={"schemas": {"$ref": "schemas.json"}}),
        "schemas.json": {"Pet": PET}},
    "all components": {
        "api.json": document({"/a": {"post": {**POST, "requestBody": body({"$ref": "#/components/schemas/Pet"})}}},
                             components={"$ref": "components.json"}),
        "components.json": {"schemas": {"Pet": PET}}},
    "component": {
        "api.json": document({"/a": {"post": {**POST, "requestBody": {"$ref": "#/components/requestBodies/Pet"}}}},
                             components={"requestBodies": {"Pet": {"$ref": "b.json"}}}),
        "b.json": body({"$ref": "pet.json"}), "pet.json": PET},
    "back to the document": {
        "api.json": document({"/a": {"$ref": "a.json"}}, components={"schemas": {"Pet": PET}}),
        "a.json": {"post": {**POST, "requestBody": body({"$ref": "api.json#/components/schemas/Pet"})}}},
    "within a file": {
        "api.json": document({"/a": {"$ref": "a.json#/items/one"}}),
        "a.json": {"items": {"one": {"post": {**POST, "requestBody": {"$ref": "#/bodies/Pet"}}}}, "bodies": {"Pet": body(PET)}}},
    "a name with a slash": {
        "api.json": document({"/a": {"post": {**POST, "requestBody": body({"$ref": "x.json#/a~1b%20c"})}}}),
        "x.json": {"a/b c": PET}},
    "an anchor": {
        "api.json": document({"/a": {"post": {**POST, "requestBody": body({"$ref": "x.json#named"})}}}, "3.1.0"),
        "x.json": {"$defs": {"P": {"$anchor": "named", **PET}}}},
    "version 3.1 path items": {
        "api.json": document({"/a": {"$ref": "#/components/pathItems/A"}}, "3.1.0",
                             components={"pathItems": {"A": {"$ref": "a.json"}}}),
        "a.json": {"post": POST}},
    "yaml": {
        "api.yaml": "openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths:\n  /a:\n    $ref: a.yml\n",
        "a.yml": "post:\n  operationId: add\n  requestBody:\n    required: true\n    content:\n      application/json:\n"
                 "        schema: {$ref: 'pet.json'}\n  responses: {200: {description: done}}\n",
        "pet.json": PET},
    "a cycle of files": {
        "api.json": document({"/a": {"post": {**POST, "requestBody": body({"$ref": "pet.json"})}}}),
        "pet.json": {**PET, "properties": {"name": {"type": "string"}, "owner": {"$ref": "owner.json"}}},
        "owner.json": {"type": "object", "properties": {"pet": {"$ref": "pet.json"}}}},
}


@pytest.mark.parametrize("kind", [kind for kind in TREES if has_libyaml() or kind != "yaml"])
def test_a_reference_to_a_file_is_resolved_in_each_place(kind: str, tmp_path: Path) -> None:
    api = routable.open(tree(tmp_path, TREES[kind]))
    assert list(api.operations) == ["add"], (kind, list(api.operations), api.warnings)
    assert api.build("add", using(body={"name": "a"})).method == "POST"
    with pytest.raises(routable.BodyError):
        api.build("add", using(body={}))
    assert not api.warnings, (kind, api.warnings)


@pytest.mark.parametrize("kind", [kind for kind in TREES if has_libyaml() or kind != "yaml"])
def test_a_loader_replaces_files(kind: str, tmp_path: Path) -> None:
    """A loader that returns the same files results in the same document."""
    path = tree(tmp_path, TREES[kind])
    asked = []

    def loader(uri: str) -> Optional[bytes]:
        asked.append(uri)
        return (tmp_path / uri).read_bytes()

    by_path = routable.open(path)
    by_loader = routable.loads(path.read_text(), loader=loader, uri=path.name)
    assert by_loader.document == by_path.document, kind
    assert len(asked) == len(set(asked)), f"{kind}: each document is loaded once, got {asked}"


def test_parameters_headers_examples_links_and_security(tmp_path: Path) -> None:
    path = tree(tmp_path, {
        "api.json": document({"/a/{id}": {
            "parameters": [{"$ref": "p.json#/id"}],
            "get": {"operationId": "readOne", "parameters": [{"$ref": "p.json#/limit"}], "security": [{"key": []}],
                    "responses": {"200": {"$ref": "r.json"}}}}},
            components={"securitySchemes": {"key": {"$ref": "key.json"}}}),
        "p.json": {"id": {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}},
                   "limit": {"name": "limit", "in": "query", "schema": {"$ref": "s.json#/Limit"}}},
        "s.json": {"Limit": {"type": "integer", "maximum": 9}},
        "r.json": {"description": "one", "headers": {"X-A": {"$ref": "h.json"}},
                   "links": {"next": {"$ref": "l.json"}},
                   "content": {"application/json": {"schema": PET, "examples": {"e": {"$ref": "e.json"}}}}},
        "h.json": {"schema": {"type": "string"}}, "l.json": {"operationId": "readOne"}, "e.json": {"value": {"$ref": "nothing.json"}},
        "key.json": {"type": "apiKey", "name": "X-Key", "in": "header"},
    })
    api = routable.open(path)
    assert api.build("readOne", using(headers={"X-Key": "k"}), id=7, limit=9).url == "https://h.example/a/7?limit=9"
    with pytest.raises(routable.ValueRefusedError):
        api.build("readOne", id=7, limit=10)
    text = api.document if isinstance(api.document, str) else json.dumps(api.document)
    made = json.loads(text)["components"]
    assert sorted(made) == ["examples", "headers", "links", "parameters", "responses", "schemas", "securitySchemes"], made
    assert made["examples"]["e"] == {"value": {"$ref": "nothing.json"}}, "the value of an example is not a reference"
    assert not api.warnings, api.warnings


def test_a_component_is_stored_once(tmp_path: Path) -> None:
    """A target of several references is stored once, and nested targets are named within the outer one."""
    path = tree(tmp_path, {
        "api.json": document({f"/{name}": {"post": {
            "operationId": name, "requestBody": body({"$ref": "pet.json"}), "responses": OK}} for name in "abcdef"}),
        "pet.json": {**PET, "properties": {"name": {"$ref": "#/definitions/Name"}}, "definitions": {"Name": {"type": "string"}}}})
    made = json.dumps(routable.open(path).document)
    assert made.count("required") == 6 + 1, made
    assert "#/components/schemas/pet/definitions/Name" in made, made


def test_names_of_equal_components(tmp_path: Path) -> None:
    path = tree(tmp_path, {
        "api.json": document({"/a": {"post": {
            "operationId": "a", "requestBody": body({"anyOf": [{"$ref": f"{name}.json#/Pet"} for name in ("x", "y", "z/x")]}),
            "responses": OK}}}, components={"schemas": {"Pet": {"type": "string"}}}),
        "x.json": {"Pet": PET}, "y.json": {"Pet": {"type": "integer"}}, "z/x.json": {"Pet": {"type": "array"}}})
    document_ = routable.open(path).document
    assert list(document_["components"]["schemas"]) == ["Pet", "x_Pet", "y_Pet", "x_Pet_2"], document_


def test_discriminator_mapping(tmp_path: Path) -> None:
    cat = {"type": "object", "required": ["kind", "lives"], "properties": {"kind": {"type": "string"}}}
    path = tree(tmp_path, {
        "api.json": document({"/a": {"post": {"operationId": "a", "responses": OK, "requestBody": body({
            "oneOf": [{"$ref": "cat.json"}, {"$ref": "dog.json"}],
            "discriminator": {"propertyName": "kind", "mapping": {"cat": "cat.json", "dog": "dog.json"}}})}}}),
        "cat.json": cat, "dog.json": {"type": "object", "required": ["kind", "bark"], "properties": {"kind": {"type": "string"}}}})
    api = routable.open(path)
    api.build("a", using(body={"kind": "cat", "lives": 9}))
    with pytest.raises(routable.BodyError) as error:
        api.build("a", using(body={"kind": "dog", "lives": 9}))
    assert "bark" in str(error.value), error.value


@pytest.mark.parametrize("mapped, is_file", [("cat.json", True), ("./cat.json#", True), ("#/components/schemas/Cat", False), ("Cat", False)])
def test_a_file_that_only_a_mapping_names(mapped: str, is_file: bool, tmp_path: Path) -> None:
    pet = {"type": "object", "required": ["kind"], "discriminator": {"propertyName": "kind", "mapping": {"cat": mapped}}}
    cat = {"type": "object", "required": ["kind", "lives"]}
    path = tree(tmp_path, {
        "api.json": document({"/a": {"post": {"operationId": "a", "responses": OK, "requestBody": body({
            "$ref": "#/components/schemas/Pet"})}}}, components={"schemas": {"Pet": pet, "Cat": cat}}),
        "cat.json": {"type": "object", "required": ["kind", "claws"]}})
    api = routable.open(path)
    assert len(api.document["components"]["schemas"]) == (3 if is_file else 2), api.document


# --- Fields next to a reference ---

@pytest.mark.parametrize("version, reference, more", [
    ("3.0.3", "#/paths/~1one", {}),
    ("3.1.0", "#/components/pathItems/F", {"components": {"pathItems": {"F": {"get": {"operationId": "g", "responses": OK}}}}}),
    ("3.1.0", "f.json", {}),
    ("3.0.3", "f.json#/x", {}),
])
def test_fields_next_to_the_reference_of_a_path_item_are_merged(version: str, reference: str, more: Any, tmp_path: Path) -> None:
    path = tree(tmp_path, {
        "api.json": document({
            "/one": {"get": {"operationId": "g1", "responses": OK}},
            "/two": {"$ref": reference, "post": {"operationId": "p", "responses": OK}}}, version, **more),
        "f.json": {"get": {"operationId": "f", "responses": OK}, "x": {"get": {"operationId": "fx", "responses": OK}}}})
    api = routable.open(path)
    assert "p" in api.operations and len(api.operations) >= 3, (list(api.operations), api.warnings)
    assert api.match("/two", "GET").operation and api.match("/two", "POST").operation == "p"


@pytest.mark.parametrize("target", ["#/x-one", "one.json"])
def test_a_field_on_both_sides_is_reported(target: str, tmp_path: Path) -> None:
    item = {"get": {"operationId": "theirs", "responses": OK}, "post": {"operationId": "p", "responses": OK}}
    path = tree(tmp_path, {
        "api.json": document({"/a": {"$ref": target, "get": {"operationId": "ours", "responses": OK}}}, **{"x-one": item}),
        "one.json": item})
    api = routable.open(path)
    assert sorted(api.operations) == ["ours", "p"]
    assert any('"get"' in str(each) and "beside the reference" in str(each) for each in api.warnings), api.warnings


# --- References without a target, and references that leave the folder ---

@pytest.mark.parametrize("reference", ["#/nothing", "nothing.json", "other.json#/nothing", "https://h.example/x.json"])
def test_an_operation_with_an_unresolved_reference_is_left_out_with_a_warning(reference: str, tmp_path: Path) -> None:
    path = tree(tmp_path, {
        "api.json": document({"/a": {"get": {"$ref": reference}, "post": {"operationId": "p", "responses": OK}}}),
        "other.json": {}})
    api = routable.open(path)
    assert list(api.operations) == ["p"]
    assert any("#/paths/~1a/get" in str(each) for each in api.warnings), api.warnings


@pytest.mark.parametrize("reference", [
    "../secret.json", "a/../../secret.json", "/etc/hostname", "%2e%2e/secret.json", "link.json", "folder/secret.json"])
def test_a_reference_that_leaves_the_folder(reference: str, tmp_path: Path) -> None:
    tree(tmp_path, {"secret.json": PET})
    path = tree(tmp_path / "api", {
        "api.json": document({"/a": {"post": {"operationId": "a", "requestBody": body({"$ref": reference}), "responses": OK}}})})
    os.symlink("../secret.json", tmp_path / "api" / "link.json")
    os.symlink("..", tmp_path / "api" / "folder")
    with pytest.raises(routable.DocumentError) as error:
        routable.open(path)
    assert "leaves the folder" in str(error.value) and "secret" in str(error.value) or "link" in str(error.value) \
        or "hostname" in str(error.value), error.value
    assert error.value.pointer == "/paths/~1a/post/requestBody/content/application~1json/schema/$ref", error.value.pointer
    assert str(path) in str(error.value), error.value


def test_the_folder_option_allows_a_parent_folder(tmp_path: Path) -> None:
    tree(tmp_path, {"shared/pet.json": PET})
    path = tree(tmp_path / "api", {"api.json": document({"/a": {"post": {
        "operationId": "add", "requestBody": body({"$ref": "../shared/pet.json"}), "responses": OK}}})})
    api = routable.open(path, folder=tmp_path)
    with pytest.raises(routable.BodyError):
        api.build("add", using(body={}))
    with pytest.raises(routable.ArgumentError):
        routable.open(path, folder=tmp_path / "shared")


def test_a_symbolic_link_within_the_folder_is_followed(tmp_path: Path) -> None:
    path = tree(tmp_path, {**TREES["schema"], "real/pet.json": PET})
    (tmp_path / "pet.json").unlink()
    os.symlink("real/pet.json", tmp_path / "pet.json")
    assert list(routable.open(path).operations) == ["add"]


def test_a_pipe_is_not_read(tmp_path: Path) -> None:
    path = tree(tmp_path, TREES["schema"])
    (tmp_path / "pet.json").unlink()
    os.mkfifo(tmp_path / "pet.json")
    with pytest.raises(routable.FileError):
        routable.open(path)


# --- Errors name the file ---

@needs_libyaml
def test_an_error_in_another_file_names_that_file(tmp_path: Path) -> None:
    path = tree(tmp_path, {
        "api.json": document({"/a": {"$ref": "paths/a.yaml"}}),
        "paths/a.yaml": "post:\n  operationId: a\n  parameters:\n    - in: query\n      schema: {type: string}\n"})
    with pytest.raises(routable.DocumentError) as error:
        routable.open(path)
    assert str(error.value).startswith(f"{tmp_path}/paths/a.yaml: "), error.value
    assert (error.value.pointer, error.value.line, error.value.column) == ("/post/parameters/0", 4, 7), vars(error.value)


@needs_libyaml
@pytest.mark.parametrize("name, text, line", [
    ("x.json", '{\n"a": 1,\n}', 3), ("x.yaml", "a: 1\nb: [\n", 3), ("x.yaml", "a: 1\nb: 2\na: 3\n", 3)])
def test_a_syntax_error_in_another_file_names_that_file(name: str, text: str, line: int, tmp_path: Path) -> None:
    path = tree(tmp_path, {"api.json": document({"/a": {"$ref": name}}), name: text})
    with pytest.raises(routable.JSONError) as error:
        routable.open(path)
    assert str(error.value).startswith(f"{tmp_path}/{name}: ") and error.value.line == line, (error.value, error.value.line)


@needs_libyaml
def test_a_warning_in_another_file_names_that_file(tmp_path: Path) -> None:
    path = tree(tmp_path, {
        "api.json": document({"/a": {"$ref": "a.yaml"}}),
        "a.yaml": "post:\n  operationId: a\n  requestBody:\n    $ref: nothing.yaml\n"})
    api = routable.open(path)
    assert any(str(each).startswith(f"{tmp_path}/a.yaml:4:11#/post/requestBody/$ref: ") for each in api.warnings), api.warnings


# --- Limits and loops ---

def test_path_items_in_a_circle(tmp_path: Path) -> None:
    path = tree(tmp_path, {"api.json": document({"/a": {"$ref": "a.json"}}), "a.json": {"$ref": "b.json"}, "b.json": {"$ref": "a.json"}})
    with pytest.raises(routable.DocumentError, match="leads back to itself"):
        routable.open(path)


def test_references_that_multiply_are_refused(tmp_path: Path) -> None:
    files = {"api.json": document({"/a": {"$ref": "x0.json"}})}
    for number in range(12):
        files[f"x{number}.json"] = {f"x-{letter}": {"$ref": f"x{number + 1}.json"} for letter in "abcdefghij"}
    files["x12.json"] = {"x": "y" * 1000}
    with pytest.raises(routable.LimitError):
        routable.open(tree(tmp_path, files), max_document_bytes=4 << 20)


def test_the_bytes_of_all_files_are_limited(tmp_path: Path) -> None:
    path = tree(tmp_path, {"api.json": document({"/a": {"$ref": "a.json"}}), "a.json": {"x": "y" * 10000, "post": POST}})
    assert list(routable.open(path).operations) == ["add"]
    with pytest.raises(routable.LimitError):
        routable.open(path, max_document_bytes=8000)


def test_a_chain_of_files(tmp_path: Path) -> None:
    files = {"api.json": document({"/a": {"post": {"operationId": "a", "requestBody": body({"$ref": "s0.json"}), "responses": OK}}})}
    for number in range(300):
        files[f"s{number}.json"] = {"allOf": [{"$ref": f"s{number + 1}.json"}]}
    files["s300.json"] = PET
    with pytest.raises(routable.LimitError, match="lead to one another"):
        routable.open(tree(tmp_path, files))


# --- Loaders ---

def test_loader_of_absolute_uris() -> None:
    asked = []

    def loader(uri: str) -> Optional[routable.documents.Document]:
        asked.append(uri)
        return {"https://h.example/api/pet.json": PET, "https://h.example/shared/x.json": {"Pet": {"$ref": "../api/pet.json"}}}.get(uri)

    text = json.dumps(document({"/a": {"post": {
        "operationId": "add", "requestBody": body({"$ref": "../shared/x.json#/Pet"}), "responses": OK}}}))
    api = routable.loads(text, uri="https://h.example/api/openapi.json", loader=loader)
    assert asked == ["https://h.example/shared/x.json", "https://h.example/api/pet.json"]
    with pytest.raises(routable.BodyError):
        api.build("add", using(body={}))


def test_a_loader_may_raise_or_return_none() -> None:
    text = json.dumps(document({"/a": {"$ref": "x.json"}, "/b": {"post": POST}}))

    def raises(uri: str) -> None:
        raise KeyError(uri)

    with pytest.raises(KeyError):
        routable.loads(text, loader=raises)
    api = routable.loads(text, loader=lambda uri: None)
    assert list(api.operations) == ["add"] and any("x.json" in str(each) for each in api.warnings), api.warnings
    with pytest.raises(TypeError):
        routable.loads(text, loader=7)  # type: ignore[arg-type]


def test_documents_count_before_files(tmp_path: Path) -> None:
    path = tree(tmp_path, TREES["schema"])
    api = routable.open(path, documents={"pet.json": {"type": "integer"}})
    assert api.build("add", using(body=7)).body == b"7"


# --- YAML ---

@needs_libyaml
@pytest.mark.parametrize("text, expected", [
    ("1.10", "1.10"), ("1.0", "1.0"), ("+5", "5"), ("007", "7"), ("0x1F", "31"), ("0o17", "15"), (".5", "0.5"), ("1e3", "1e3"),
    ("12345678901234567890", "12345678901234567890"), ("'1.10'", '"1.10"'), ("yes", '"yes"'), ("~", "null"),
    ("2024-01-01", '"2024-01-01"'), ("True", "true"), ("-0", "0"), ("!!str 1.10", '"1.10"'),
])
def test_yaml_scalars_keep_their_digits(text: str, expected: str) -> None:
    api = routable.loads(f"openapi: 3.1.0\ninfo: {{title: t, version: 1.10.0}}\npaths: {{}}\nx-value: {text}\n")
    assert api.user_data["x-value"] == json.loads(expected)
    assert f'"x-value":{expected}' in raw(api), raw(api)


def raw(api: routable.Router) -> str:
    """The document as the library stores it."""
    from ctypes import byref

    from routable import _capi as c
    from routable._check import check, new_error
    from routable._text import to_bytes

    out, error = c.routable_string(), new_error()
    check(c.routable_router_document(api._handle, byref(out), byref(error)), error)
    try:
        return to_bytes(c.routable_str(out.ptr, out.len)).decode()
    finally:
        c.routable_string_free(byref(out))


@needs_libyaml
def test_yaml_key_given_twice(tmp_path: Path) -> None:
    path = tree(tmp_path, {"api.yaml": "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths: {}\ninfo: {}\n"})
    with pytest.raises(routable.JSONError, match='"info" is given twice') as error:
        routable.open(path)
    assert (error.value.line, error.value.column) == (4, 1)


@needs_libyaml
def test_yaml_position_of_an_error(tmp_path: Path) -> None:
    path = tree(tmp_path, {"api.yaml": "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:\n  /a: 7\n"})
    with pytest.raises(routable.DocumentError) as error:
        routable.open(path)
    assert (error.value.pointer, error.value.line, error.value.column) == ("/paths/~1a", 4, 7), vars(error.value)


@needs_libyaml
def test_yaml_aliases_that_multiply_are_refused() -> None:
    lines = ["openapi: 3.1.0", "x-0: &x0 [1,1,1,1,1,1,1,1,1]"]
    lines += [f"x-{number}: &x{number} [{', '.join([f'*x{number - 1}'] * 9)}]" for number in range(1, 10)]
    with pytest.raises(routable.LimitError):
        routable.loads("\n".join(lines))


def test_yaml_without_libyaml_is_an_error_that_names_the_package(tmp_path: Path) -> None:
    """The error names the package."""
    (tmp_path / "libyaml-0.so.2").write_bytes(b"not a library")
    code = ("import routable\n"
            "try: routable.loads('openapi: 3.1.0\\n')\n"
            "except routable.UnsupportedError as error: assert 'install the package libyaml-0-2' in str(error), error\n"
            "else: raise AssertionError('opened')\n"
            "routable.loads('{\"openapi\": \"3.1.0\", \"paths\": {}}')\n")
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "LD_LIBRARY_PATH": str(tmp_path)})
    assert ran.returncode == 0, ran.stderr
