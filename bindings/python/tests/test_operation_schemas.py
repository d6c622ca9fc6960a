"""The schemas of an operation, named or inline: their JSON, and validation of values."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Tuple

import pytest
import routable

NOTE: Dict[str, Any] = {
    "type": "object", "required": ["id", "text", "secret"],
    "properties": {"id": {"type": "integer", "readOnly": True}, "text": {"type": "string"}, "secret": {"type": "string", "writeOnly": True}},
}
LIST: Dict[str, Any] = {"type": "object", "required": ["name"], "properties": {"name": {"type": "string", "maxLength": 5}}}
PROBLEM: Dict[str, Any] = {"type": "object", "required": ["detail"]}
DOCUMENT: Dict[str, Any] = {
    "routable": 1,
    "base": "https://h",
    "types": {"Note": NOTE},
    "resources": {
        "note": {"path": "notes", "can": ["list", "read", "create", "delete"], "type": "Note",
                 "collection": {"import": {"post": "import", "body": {"type": "array", "items": {"$ref": "#/types/Note"}}}}},
    },
    "operations": {
        "rename": {"post": "/rename", "body": LIST, "results": {"200": {"type": "integer"}, "4XX": PROBLEM, "204": None}},
        "ping": {"get": "/ping"},
    },
}
OPENAPI: Dict[str, Any] = {
    "openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "servers": [{"url": "https://h"}],
    "paths": {"/rename": {"post": {
        "operationId": "rename",
        "requestBody": {"content": {
            "application/json": {"schema": LIST},
            "application/merge-patch+json": {"schema": {"type": "object", "properties": {"name": {"$ref": "#/components/schemas/Name"}}}},
            "text/plain": {},
        }},
        "responses": {"200": {"description": "", "content": {"application/json": {"schema": {"type": "array", "items": NOTE}}}},
                      "default": {"description": "", "content": {"application/json": {"schema": PROBLEM}}}},
    }}},
    "components": {"schemas": {"Name": {"type": ["string", "null"], "minLength": 2}}},
}


@pytest.fixture(scope="module")
def notes() -> routable.Router:
    return routable.open(DOCUMENT)


@pytest.fixture(scope="module")
def published() -> routable.Router:
    return routable.loads(json.dumps(OPENAPI))


def reasons(error: Any) -> List[Tuple[str, str]]:
    found = []
    while error:
        found.append((error.pointer, error.schema_pointer))
        error = error.next
    return found


def test_schemas_are_returned_as_json(notes: routable.Router) -> None:
    of_note, free = notes.resources["note"].operations, notes.operations
    assert of_note["create"].body_schema() == NOTE
    assert of_note["read"].result_schema() == NOTE
    assert of_note["list"].result_schema() == {"type": "array", "items": NOTE}
    assert of_note["import"].body_schema() == {"type": "array", "items": {"$ref": "#/types/Note"}}
    assert of_note["delete"].body_schema() is None and of_note["delete"].result_schema(204) is None
    rename = free["rename"].description
    assert rename.body_type is None and rename.body_schema() == LIST
    assert rename.result_schema() == {"type": "integer"} and rename.result_schema(404) == PROBLEM
    assert rename.result_schema(204) is None and rename.result_schema(500) is None


def test_inline_schemas_of_openapi_are_returned_as_json(published: routable.Router) -> None:
    rename = published.operations["rename"].description
    assert rename.body_schema() == LIST == rename.body_schema("application/json")
    assert rename.body_schema("application/merge-patch+json")["properties"]["name"] == {"$ref": "#/components/schemas/Name"}
    assert rename.body_schema("text/plain") is None
    with pytest.raises(routable.BodyError) as refused:
        rename.body_schema("application/jsn")
    assert refused.value.suggestion == "application/json", refused.value
    assert rename.result_schema()["items"] == NOTE
    assert rename.result_schema(503) == PROBLEM


def test_check_body_validates_as_for_a_request(notes: routable.Router) -> None:
    create = notes.resources["note"].operations["create"]
    create.check_body({"text": "a", "secret": "b"})  # the id is readOnly
    with pytest.raises(routable.BodyError) as refused:
        create.check_body({"text": 1}, max_errors=9)
    assert sorted(reasons(refused.value)) == [("", "/required"), ("/text", "/properties/text/type")]
    into = notes.resources["note"].operations["import"]
    with pytest.raises(routable.BodyError) as refused:
        into.check_body([{"text": "a", "secret": "b"}, {"secret": "b"}])
    assert refused.value.pointer == "/1" and refused.value.parameter == "text", refused.value


def test_check_result_validates_as_for_a_response(notes: routable.Router) -> None:
    of_note = notes.resources["note"].operations
    of_note["read"].check_result({"id": 1, "text": "a"})  # the secret is writeOnly
    with pytest.raises(routable.BodyError) as refused:
        of_note["read"].check_result({"text": "a"})
    assert refused.value.parameter == "id"
    of_note["list"].check_result([])
    with pytest.raises(routable.BodyError) as refused:
        of_note["list"].check_result([{"id": 1, "text": "a"}, {"id": "2", "text": "a"}, {"id": 3, "text": "a"}, {"id": 4, "text": 5}], max_errors=5)
    assert reasons(refused.value) == [("/1/id", "/properties/id/type"), ("/3/text", "/properties/text/type")]
    with pytest.raises(routable.BodyError, match="an array of values is expected, not an object"):
        of_note["list"].check_result({"id": 1, "text": "a"}, max_errors=5)


def test_results_by_status(notes: routable.Router, published: routable.Router) -> None:
    rename = notes.operations["rename"].description
    rename.check_result(7)
    rename.check_result(b'{"detail": "gone"}', 410)
    with pytest.raises(routable.BodyError):
        rename.check_result({}, 410)
    with pytest.raises(routable.UnknownError) as refused:
        rename.check_result(7, 500)
    assert refused.value.allowed == ("200", "4XX"), refused.value
    assert "500" in str(refused.value) and "200, 4XX" in str(refused.value)
    published.operations["rename"].description.check_result({"detail": "x"}, 500)
    with pytest.raises(routable.BodyError) as found:
        published.operations["rename"].description.check_result([{"id": 1, "text": 2}])
    assert found.value.pointer == "/0/text" and found.value.schema_pointer == "/items/properties/text/type"


def test_bodies_by_media_type(published: routable.Router) -> None:
    rename = published.operations["rename"].description
    rename.check_body({"name": None}, content_type="application/merge-patch+json")
    with pytest.raises(routable.BodyError):
        rename.check_body({"name": None})
    with pytest.raises(routable.BodyError) as refused:
        rename.check_body({"name": "a"}, content_type="application/merge-patch+json")
    assert refused.value.schema_pointer == "/properties/name/$ref/minLength"
    with pytest.raises(routable.UnknownError, match="no schema for its body as text/plain"):
        rename.check_body("a", content_type="text/plain")


def test_invalid_arguments_of_the_checks_are_refused(notes: routable.Router) -> None:
    rename, ping = notes.operations["rename"].description, notes.operations["ping"].description
    with pytest.raises(routable.JSONError) as broken:
        rename.check_body(b'{"name":')
    assert broken.value.offset == 8, broken.value.offset
    with pytest.raises(routable.UnknownError, match="ping declares no schema for its body"):
        ping.check_body({})
    with pytest.raises(routable.UnknownError, match="ping declares no schema for the status 200; there are none for other statuses"):
        ping.check_result({})
    with pytest.raises(routable.ArgumentError):
        rename.check_result({}, 99)


def test_schemas_without_an_end_and_pages() -> None:
    endless = json.loads(json.dumps(OPENAPI))
    endless["components"]["schemas"]["Name"] = {"allOf": [{"$ref": "#/components/schemas/Name"}]}
    with pytest.raises(routable.LimitError):
        routable.loads(json.dumps(endless)).operations["rename"].description.check_body(
            {"name": ""}, content_type="application/merge-patch+json")
    paged = routable.open({**DOCUMENT, "resources": {"note": {
        "path": "notes", "can": ["list"], "type": "Note", "operations": {"list": {
            "query": {"after": {"type": "string"}},
            "pagination": {"by": "cursor", "at": "/next", "parameter": "after", "items": "/data"}}}}}})
    with pytest.raises(routable.UnknownError, match="the items at /data, but none for the page"):
        paged.resources["note"].operations["list"].check_result({"data": []})
