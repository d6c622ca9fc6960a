"""A keyword of a schema that is not valid is ignored with a warning, and the others apply; `nullable` allows null beside any keyword."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Optional, Tuple

import pytest
import routable


def document(schema: Any, version: str = "3.0.3", types: Optional[Dict[str, Any]] = None, operation: Optional[Dict[str, Any]] = None) -> Dict[str, Any]:
    return {
        "openapi": version, "info": {"title": "t", "version": "1"}, "servers": [{"url": "https://h.example"}],
        "components": {"schemas": {"A": schema, **(types or {})}},
        "paths": {"/p": {"post": {
            "operationId": "a", "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}},
            "responses": {"200": {"description": "x"}}, **(operation or {})}}}}  # fmt: skip


def opened(given: Dict[str, Any]) -> routable.Router:
    return routable.loads(json.dumps(given))


#: version, the schema, the ignored keyword, a part of the message, a value that the rest of the schema accepts, and one that
#: it refuses
IGNORED: List[Tuple[str, Dict[str, Any], str, str, Any, Any]] = [
    ("3.1.0", {"type": "number", "minimum": 5, "exclusiveMinimum": True}, "/exclusiveMinimum", "a number, not a boolean", 5, 4),
    ("3.1.0", {"type": "number", "maximum": 5, "exclusiveMaximum": "5"}, "/exclusiveMaximum", 'a number, not "5"', 5, 6),
    ("3.0.3", {"type": "string", "maxLength": "3"}, "/maxLength", 'an integer of at least 0, not "3"', "long enough", 5),
    ("3.0.3", {"type": "string", "minLength": -1}, "/minLength", "not -1", "", 5),
    ("3.1.0", {"type": "array", "maxItems": 1.5, "items": {"type": "integer"}}, "/maxItems", "not 1.5", [1, 2], ["x"]),
    ("3.0.3", {"type": "string", "enum": "a"}, "/enum", "an array", "b", 5),
    ("3.0.3", {"type": "integer", "minimum": "5"}, "/minimum", "a number", 1, "abc"),
    ("3.0.3", {"type": "object", "required": True, "properties": {"a": {"type": "integer"}}}, "/required", "an array of strings", {"a": 1}, {"a": "x"}),
    ("3.1.0", {"required": ["a", 5], "properties": {"a": {}}}, "/required", "an array that contains an integer", {"a": 1}, {"b": 1}),
    ("3.0.3", {"type": ["string", "text"], "maxLength": 2}, "/type", 'an array that contains "text"', 5, "abc"),
    ("3.1.0", {"type": "str", "maxLength": 2}, "/type", 'not "str"', 5, "abc"),
    ("3.1.0", {"type": [], "maxLength": 2}, "/type", "an empty array", 5, "abc"),
    ("3.0.3", {"type": "array", "items": {"type": "integer"}, "uniqueItems": "true"}, "/uniqueItems", "a boolean", [1, 1], ["x"]),
    ("3.0.3", {"type": "integer", "multipleOf": 0}, "/multipleOf", "above 0, not 0", 3, "x"),
    ("3.1.0", {"type": "integer", "multipleOf": -2}, "/multipleOf", "not -2", 3, "x"),
    ("3.0.3", {"type": "string", "pattern": 5}, "/pattern", "a regular expression", "x", 7),
    ("3.1.0", {"type": "string", "pattern": "(?i)x", "maxLength": 1}, "/pattern", "the pattern is ignored", "y", "xx"),
    ("3.1.0", {"patternProperties": {"(": {}, "^n": {"type": "integer"}}}, "/patternProperties/(", "the pattern is ignored", {"(": 1}, {"n": "x"}),
    ("3.0.3", {"type": "object", "properties": [], "required": ["a"]}, "/properties", "whose members are schemas", {"a": 1}, {}),
    ("3.1.0", {"properties": {"a": 5, "b": {"type": "integer"}}}, "/properties/a", "a schema must be an object or a boolean", {"a": "x"}, {"b": "x"}),
    ("3.0.3", {"allOf": {}, "type": "string"}, "/allOf", "an array of at least one schema", "x", 1),
    ("3.1.0", {"oneOf": [], "type": "string"}, "/oneOf", "at least one schema", "x", 1),
    ("3.1.0", {"anyOf": [{"type": "string"}, "x"], "maxLength": 1}, "/anyOf/1", "a schema must be", 5, "xx"),
    ("3.1.0", {"items": [{"type": "string"}], "maxItems": 1}, "/items", "a schema must be", [1], [1, 2]),
    ("3.1.0", {"dependentRequired": {"a": "b"}, "required": ["a"]}, "/dependentRequired", "arrays of strings", {"a": 1}, {}),
    ("3.1.0", {"$ref": 5, "type": "string"}, "/$ref", "a string", "x", 1),
    ("3.0.3", {"$ref": 5, "type": "string"}, "/$ref", "a string", "x", 1),
    ("3.0.3", {"type": "string", "nullable": "true"}, "/nullable", "a boolean", "x", None),
    ("3.1.0", {"type": "string", "nullable": True}, "/nullable", "no effect since OpenAPI 3.1", "x", None),
    ("3.0.3", {"type": "object", "discriminator": "kind", "required": ["kind"]}, "/discriminator", "propertyName", {"kind": "x"}, {}),
]  # fmt: skip


@pytest.mark.parametrize("version, schema, place, words, right, wrong", IGNORED, ids=[f"{each[0]} {json.dumps(each[1])}" for each in IGNORED])
def test_only_the_invalid_keyword_is_ignored(version: str, schema: Dict[str, Any], place: str, words: str, right: Any, wrong: Any) -> None:
    api = opened(document(schema, version))
    (warning,) = api.warnings
    assert warning.startswith(f"#/components/schemas/A{place}: ") and words in warning, warning
    operation = api.operations["a"].description
    operation.check_body(right)
    with pytest.raises(routable.BodyError):
        operation.check_body(wrong)


def test_the_rest_of_a_response_applies_too() -> None:
    content = {"application/json": {"schema": {"type": "object", "required": ["id"], "maxProperties": "1"}}}
    api = opened(document({}, operation={"responses": {"200": {"description": "x", "content": content}}}))
    (warning,) = api.warnings
    assert warning.startswith("#/paths/~1p/post/responses/200/content/application~1json/schema/maxProperties: ")
    operation = api.operations["a"].description
    operation.check_result({"id": 1, "more": 2}, 200)
    with pytest.raises(routable.BodyError):
        operation.check_result({}, 200)


def test_referenced_schemas_are_checked_once() -> None:
    inner = {"type": "string", "maxLength": "3"}
    given = document({"properties": {"a": {"$ref": "#/x-more/inner"}, "b": {"$ref": "#/x-more/inner"}, "self": {"$ref": "#/components/schemas/A"}}})
    given["x-more"] = {"inner": inner}
    (warning,) = opened(given).warnings
    assert warning.startswith("#/x-more/inner/maxLength: ")


def test_valid_documents_have_no_warnings() -> None:
    everything = {
        "type": ["object", "null"], "enum": [{"a": 1}], "properties": {"type": {"type": "string"}, "required": {"type": "boolean"}},
        "required": [], "default": {"required": True}, "example": {"maxLength": "x"}, "x-limits": {"maxLength": "3"},
        "additionalProperties": False, "minProperties": 0, "maxProperties": 2.0, "not": {"multipleOf": 0.5}, "deprecated": True}  # fmt: skip
    assert opened(document(everything, "3.1.0")).warnings == ()
    old = {"type": "number", "minimum": 1, "exclusiveMinimum": True, "nullable": True, "items": {}, "readOnly": True, "xml": {"name": "n"}}
    assert opened(document(old)).warnings == ()


UNKNOWN: List[Tuple[Dict[str, Any], str, str]] = [
    ({"paths": {"/p": {"GET": {}}}}, "/paths/~1p/GET", 'of a path item and is ignored; did you mean "get"?'),
    ({"paths": {"/p": {"get": {"operation_id": "a", "responses": {}}}}}, "/paths/~1p/get/operation_id", 'did you mean "operationId"?'),
    ({"paths": {"/p": {"get": {"parameters": [{"name": "q", "in": "query", "type": "integer"}]}}}},
     "/paths/~1p/get/parameters/0/type", 'of a parameter and is ignored; it belongs into its "schema"'),
    ({"paths": {"/p": {"get": {"parameters": [{"name": "q", "in": "query", "schema": {}, "enum": ["a"]}]}}}},
     "/paths/~1p/get/parameters/0/enum", 'it belongs into its "schema"'),
    ({"paths": {"/p": {"get": {"parameters": [{"name": "q", "in": "query", "schema": {}, "requird": True}]}}}},
     "/paths/~1p/get/parameters/0/requird", 'did you mean "required"?'),
    ({"paths": {"/p": {"post": {"requestBody": {"schema": {}, "content": {}}}}}}, "/paths/~1p/post/requestBody/schema", 'a media type of its "content"'),
    ({"paths": {"/p": {"post": {"requestBody": {"content": {"application/json": {"shema": {}}}}}}}},
     "/paths/~1p/post/requestBody/content/application~1json/shema", 'did you mean "schema"?'),
    ({"paths": {"/p": {"get": {"responses": {"200": {"description": "x", "schema": {}}}}}}}, "/paths/~1p/get/responses/200/schema", 'of its "content"'),
    ({"paths": {"/p": {"get": {"responses": {"200": {"description": "x", "content": {"text/plain": {"type": "string"}}}}}}}},
     "/paths/~1p/get/responses/200/content/text~1plain/type", "of a media type and is ignored"),
    ({"paths": {"/p": {"post": {"requestBody": {"content": {"multipart/form-data": {"encoding": {"a": {"contenttype": "text/csv"}}}}}}}}},
     "/paths/~1p/post/requestBody/content/multipart~1form-data/encoding/a/contenttype", 'did you mean "contentType"?'),
    ({"paths": {}, "Security": []}, "/Security", 'did you mean "security"?'),
    ({"paths": {}, "components": {"schema": {}}}, "/components/schema", 'did you mean "schemas"?'),
]  # fmt: skip


@pytest.mark.parametrize("more, place, words", UNKNOWN, ids=[each[1] for each in UNKNOWN])
def test_undefined_members_of_openapi_are_reported(more: Dict[str, Any], place: str, words: str) -> None:
    given = {"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "servers": [{"url": "https://h.example"}], **more}
    (warning,) = opened(given).warnings
    assert warning.startswith(f"#{place}: ") and words in warning, warning


def test_a_shared_object_is_reported_once() -> None:
    response = {"$ref": "#/components/responses/R"}
    given = {
        "openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "servers": [{"url": "https://h.example"}],
        "paths": {f"/{name}": {"get": {"responses": {"200": response, "404": response}}} for name in "abc"},
        "components": {"responses": {"R": {"description": "x", "schema": {}}}}}  # fmt: skip
    (warning,) = opened(given).warnings
    assert warning.startswith("#/components/responses/R/schema: ")


def test_members_of_swagger_are_accepted() -> None:
    given = {
        "swagger": "2.0", "info": {"title": "t", "version": "1"}, "host": "h.example", "schemes": ["https"],
        "paths": {"/p": {"get": {
            "parameters": [{"name": "q", "in": "query", "type": "string", "collectionFormat": "csv", "style": "form"}], "requestBody": {},
            "responses": {"200": {"description": "x", "schema": {"type": "file"}}}}}}}  # fmt: skip
    warnings = opened(given).warnings
    assert [each.split(":")[0] for each in warnings] == ["#/paths/~1p/get/requestBody", "#/paths/~1p/get/parameters/0/style"]


PET = {"type": "object", "required": ["name"]}
#: schemas that accept null in OpenAPI 3.0, and a value that each refuses
NULLABLE: List[Tuple[Dict[str, Any], Any]] = [
    ({"$ref": "#/components/schemas/Pet", "nullable": True}, {}),
    ({"nullable": True, "allOf": [{"$ref": "#/components/schemas/Pet"}]}, {}),
    ({"nullable": True, "type": "object", "allOf": [{"$ref": "#/components/schemas/Pet"}, {"required": ["id"]}]}, {"name": 1}),
    ({"nullable": True, "oneOf": [{"$ref": "#/components/schemas/Pet"}, {"type": "integer"}]}, "x"),
    ({"nullable": True, "anyOf": [{"type": "string"}, {"type": "integer"}]}, 1.5),
    ({"nullable": True, "type": "string", "enum": ["a", "b"]}, "c"),
    ({"nullable": True, "enum": ["a", "b"]}, "c"),
    ({"nullable": True, "type": "integer", "minimum": 3}, 2),
    ({"nullable": True, "not": {"enum": [None, 5]}}, 5),
    ({"nullable": True, "type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}, {}),
    ({"nullable": True, "oneOf": [{"$ref": "#/components/schemas/Pet"}], "discriminator": {"propertyName": "kind"}}, {"kind": "Pet"}),
    ({"nullable": True, "type": "array", "items": {"nullable": True, "allOf": [{"$ref": "#/components/schemas/Pet"}]}}, [{}]),
]  # fmt: skip


@pytest.mark.parametrize("schema, wrong", NULLABLE, ids=[json.dumps(each[0]) for each in NULLABLE])
def test_nullable_allows_null_with_any_other_keyword(schema: Dict[str, Any], wrong: Any) -> None:
    given = document({"type": "object", "properties": {"value": schema}}, types={"Pet": PET})
    content = {"application/json": {"schema": schema}}
    given["paths"]["/p"]["post"]["responses"] = {"200": {"description": "x", "content": content}}
    api = opened(given)
    assert api.operations["a"]({"value": None}).body == b'{"value":null}'
    api.operations["a"].description.check_result(None, 200)
    with pytest.raises(routable.BodyError) as caught:
        api.operations["a"]({"value": wrong})
    assert caught.value.pointer.startswith("/body/value")
    with pytest.raises(routable.BodyError):
        api.operations["a"].description.check_result(wrong, 200)


@pytest.mark.parametrize("schema", [
    {"nullable": False, "allOf": [{"$ref": "#/components/schemas/Pet"}]}, {"$ref": "#/components/schemas/Pet"},
    {"nullable": False, "type": "string"}, {"type": "string", "enum": ["a"]}], ids=json.dumps)  # fmt: skip
def test_without_nullable_null_is_refused(schema: Dict[str, Any]) -> None:
    api = opened(document({"properties": {"value": schema}}, types={"Pet": PET}))
    with pytest.raises(routable.BodyError):
        api.operations["a"]({"value": None})


def test_the_dialect_for_own_schemas_reads_it_the_same_way() -> None:
    schema = routable.Schema({"nullable": True, "enum": ["a"]}, dialect="openapi-3.0")
    assert schema.accepts(None) and schema.accepts("a") and not schema.accepts("b")
    with pytest.raises(routable.DocumentError):
        routable.Schema({"type": "string", "maxLength": "3"})


DOG = {"allOf": [{"$ref": "#/components/schemas/A"}, {"type": "object", "required": ["bark"]}]}
PUPPY = {"allOf": [{"$ref": "#/components/schemas/Dog"}], "properties": {"age": {"maximum": 1}}}
CAT = {"allOf": [{"$ref": "#/components/schemas/A"}], "required": ["lives"], "properties": {"lives": {"type": "integer"}}}
PARENT: Dict[str, Any] = {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}, "id": {"type": "integer", "readOnly": True}}}

#: the discriminator, and values with their validity
HEIRS: List[Tuple[Any, List[Tuple[Any, bool]]]] = [
    ({"propertyName": "kind"}, [
        ({"kind": "Dog", "bark": 1}, True), ({"kind": "Dog"}, False), ({"kind": "Cat", "lives": 9}, True), ({"kind": "Cat", "lives": "x"}, False),
        ({"kind": "Cat", "bark": 1}, False), ({"kind": "Puppy", "bark": 1, "age": 1}, True), ({"kind": "Puppy", "age": 1}, False),
        ({"kind": "Puppy", "bark": 1, "age": 2}, False), ({"kind": "A"}, True), ({"kind": "Fish"}, True), ({"kind": 5}, False), ({}, False), ([], False)]),
    ({"propertyName": "kind", "mapping": {"d": "#/components/schemas/Dog", "c": "Cat"}}, [
        ({"kind": "d"}, False), ({"kind": "d", "bark": 1}, True), ({"kind": "c"}, False), ({"kind": "c", "lives": 9}, True), ({"kind": "Dog"}, False)]),
    ({"propertyName": "other"}, [({"kind": "x", "other": "Cat"}, False), ({"kind": "x"}, True)]),
]  # fmt: skip


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0"])
@pytest.mark.parametrize("discriminator, values", HEIRS, ids=[json.dumps(each[0]) for each in HEIRS])
def test_a_discriminator_of_a_parent_selects_the_schema_that_extends_it(version: str, discriminator: Any, values: List[Tuple[Any, bool]]) -> None:
    given = document({**PARENT, "discriminator": discriminator}, version, types={"Dog": DOG, "Puppy": PUPPY, "Cat": CAT})
    given["paths"]["/p"]["post"]["responses"]["200"]["content"] = {"application/json": {"schema": {"type": "array", "items": {"$ref": "#/components/schemas/A"}}}}
    api = opened(given)
    assert api.warnings == ()
    operation = api.operations["a"].description
    for value, is_valid in values:
        for check in (lambda: operation.check_body(value), lambda: operation.check_result([value], 200)):
            if is_valid:
                check()
            else:
                with pytest.raises(routable.BodyError):
                    check()


def test_a_value_is_validated_as_the_type_of_its_discriminator() -> None:
    given = document({"$ref": "#/components/schemas/Dog"}, types={
        "Pet": {**PARENT, "discriminator": {"propertyName": "kind"}},
        "Dog": {"allOf": [{"$ref": "#/components/schemas/Pet"}], "required": ["bark"]},
        "Puppy": {"allOf": [{"$ref": "#/components/schemas/Dog"}], "required": ["age"]}})  # fmt: skip
    operation = opened(given).operations["a"].description
    operation.check_body({"kind": "Dog", "bark": 1})
    operation.check_body({"kind": "Puppy", "bark": 1, "age": 1})
    with pytest.raises(routable.BodyError) as caught:
        operation.check_body({"kind": "Puppy", "bark": 1})
    assert "selects Puppy" in caught.value.message


def test_a_discriminator_of_swagger_is_the_name_of_the_property() -> None:
    pet = {"type": "object", "discriminator": "kind", "required": ["kind"], "properties": {"kind": {"type": "string"}}}
    api = opened({
        "swagger": "2.0", "info": {"title": "t", "version": "1"}, "host": "h.example", "schemes": ["https"],
        "definitions": {"Pet": pet, "Cat": {"allOf": [{"$ref": "#/definitions/Pet"}, {"required": ["lives"]}]}},
        "paths": {"/p": {"post": {"operationId": "a", "responses": {}, "parameters": [{"name": "b", "in": "body", "schema": {"$ref": "#/definitions/Pet"}}]}}}})  # fmt: skip
    assert api.warnings == ()
    api.operations["a"].description.check_body({"kind": "Cat", "lives": 9})
    with pytest.raises(routable.BodyError):
        api.operations["a"].description.check_body({"kind": "Cat"})
