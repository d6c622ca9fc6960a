"""Typed calls return the value of each response as far as they can, and the response lists its deviations."""

import json
from typing import Any, List

import pytest
import routable
from routable.testing import Responses
from routable.typed import Api

DOCUMENT = {
    "openapi": "3.1.0", "info": {"title": "Shelf", "version": "1"}, "servers": [{"url": "https://shelf.test"}],
    "paths": {
        "/list": {"get": {"operationId": "list", "responses": {"200": {"description": "all", "content": {
            "application/json": {"schema": {"type": "array", "items": {"type": "object"}}}}}}}},
        "/make": {"post": {"operationId": "make", "responses": {"201": {"description": "made", "content": {
            "application/json": {"schema": {"type": "object"}}}}, "4XX": {"description": "no"}}}},
        "/mount": {"get": {"operationId": "mount", "responses": {"200": {"description": "a folder", "content": {
            "application/json": {"schema": {"type": "string"}}}}}}},
        "/export": {"get": {"operationId": "export", "responses": {"200": {"description": "a file", "content": {
            "application/json": {"schema": {"type": "string", "format": "binary"}}}}}}},
        "/any": {"get": {"operationId": "any", "responses": {"200": {"description": "a file", "content": {
            "application/*": {"schema": {"type": "string", "format": "binary"}}}}}}}}}
SWAGGER = {
    "swagger": "2.0", "info": {"title": "Shelf", "version": "1"}, "host": "shelf.test", "schemes": ["https"],
    "paths": {"/export": {"get": {"operationId": "export", "produces": ["application/json"], "responses": {
        "200": {"description": "a file", "schema": {"type": "string", "format": "binary"}}}}}}}


class Shelf(Api):
    """The module that `routable generate python` writes for the document, without its types."""

    def call(self, operation: str, kind: str = "json") -> Any:
        return self._call(operation, kind)


def performed(operation: str, status: int, media_type: str, body: bytes, kind: str = "json", document: Any = DOCUMENT) -> Any:
    """The value of a typed call, and the messages of the deviations of its response."""
    seen: List[str] = []
    with Responses() as responses:
        responses.add(operation, status, headers={"Content-Type": media_type}, body=body)
        with routable.Client(transport=responses, on_deviation=lambda _, got: seen.extend(each.message for each in got.deviations)) as client:
            value = Shelf(routable.open(document)).call(operation, kind).perform(client)
    return value, seen


def test_a_value_of_another_type_is_returned_unchanged() -> None:
    value, seen = performed("list", 200, "application/json", b'{"a": {"name": "x"}}')
    assert value == {"a": {"name": "x"}}
    assert seen == ["the value does not match its type: array is expected, not an object"]


def test_an_undeclared_success_has_a_value_and_a_deviation() -> None:
    value, seen = performed("make", 200, "application/json", b'{"id": 7}')
    assert value == {"id": 7}
    assert seen == ["the status 200 is not declared; declared: 201"]
    with Responses() as responses:
        responses.add("make", 200, json={})
        with routable.Client(transport=responses, deviations="raise") as client, pytest.raises(routable.ResponseError, match="status 200"):
            Shelf(routable.open(DOCUMENT)).call("make").perform(client)


def test_a_declared_success_has_no_deviation() -> None:
    assert performed("make", 201, "application/json", b'{"id": 7}') == ({"id": 7}, [])


def test_text_is_the_value_if_a_string_is_declared() -> None:
    value, seen = performed("mount", 200, "text/plain", b"/srv/box")
    assert value == "/srv/box"
    assert seen == ["the media type text/plain is not declared for the status 200; declared: application/json"] or seen == [
        "the body is text/plain, where JSON is declared"]
    assert performed("mount", 200, "application/json", b'"/srv/box"') == ("/srv/box", [])


def test_text_is_not_a_value_if_an_array_is_declared() -> None:
    with pytest.raises(routable.ResponseError) as caught:
        performed("list", 200, "text/html", b"<html>maintenance</html>")
    assert caught.value.response is not None and caught.value.response.text == "<html>maintenance</html>"
    assert "text/html" in caught.value.message and "object" not in caught.value.message


@pytest.mark.parametrize("operation", ["export", "any"])
@pytest.mark.parametrize("body", [b"[1, 2]", b"\x00\xff", b'"x"'])
def test_a_binary_string_is_bytes_and_not_json(operation: str, body: bytes) -> None:
    assert performed(operation, 200, "application/json", body, "bytes") == (body, [])
    assert routable.open(DOCUMENT).operations[operation].description.result_schema() is None


def test_a_binary_string_with_another_media_type() -> None:
    value, seen = performed("export", 200, "application/.json", b"[1]", "bytes")
    assert value == b"[1]"
    assert seen == ["the media type application/.json is not declared for the status 200; declared: application/json"]


def test_a_binary_string_of_swagger() -> None:
    value, seen = performed("export", 200, "application/x-tar", b"\x00", "", SWAGGER)
    assert (value.body, value.outcome, seen) == (b"\x00", "raw", [])


def test_open_file_applies_overlays(tmp_path: Any) -> None:
    (tmp_path / "shelf.json").write_text(json.dumps(DOCUMENT))
    other = {"overlay": "1.0.0", "info": {"title": "Base", "version": "1"}, "actions": [
        {"target": "$.paths['/list'].get", "update": {"parameters": [{"name": "page", "in": "query", "schema": {"type": "integer"}}]}}]}
    shelf = Shelf.open_file(tmp_path / "shelf.json", base="https://other.test", overlays=[other])
    assert shelf.router.build("list", page=2).url == "https://other.test/list?page=2"


def test_found_is_a_prefix_of_the_value() -> None:
    """The found value may have any length: a deviation contains its beginning."""
    for length in range(75, 170):
        body = b'"' + b"x" * (length - 2) + b'"'
        response = routable.open(DOCUMENT).map_response(None, "list", 200, {"Content-Type": "application/json"}, body)
        assert response.deviations[0].found == (body.decode() if length <= 80 else body[:80].decode() + "..."), length


