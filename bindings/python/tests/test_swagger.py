"""Swagger 2.0: opened without conversion, with pointers into the user's file."""

from __future__ import annotations

import json
from typing import Any, Dict, List

import pytest
import routable

PHOTOS: Dict[str, Any] = {
    "swagger": "2.0",
    "info": {"title": "Photos", "version": "1"},
    "host": "photos.test",
    "basePath": "/v1",
    "schemes": ["http", "https"],
    "consumes": ["application/json"],
    "produces": ["application/json"],
    "securityDefinitions": {
        "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
        "login": {"type": "basic"},
        "app": {"type": "oauth2", "flow": "application", "tokenUrl": "https://photos.test/token", "scopes": {}},
    },
    "security": [{"key": []}],
    "definitions": {"Photo": {"type": "object", "required": ["title"], "properties": {"title": {"type": "string"}}}},
    "parameters": {"tags": {"name": "tags", "in": "query", "type": "array", "items": {"type": "string"}}},
    "responses": {"wrong": {"description": "", "schema": {"type": "object", "required": ["code"]}}},
    "paths": {
        "/photos": {
            "get": {
                "operationId": "list",
                "parameters": [
                    {"$ref": "#/parameters/tags"},
                    {"name": "size", "in": "query", "type": "array", "items": {"type": "integer"}, "collectionFormat": "multi"},
                    {"name": "by", "in": "query", "type": "array", "items": {"type": "string"}, "collectionFormat": "pipes"},
                    {"name": "old", "in": "query", "type": "array", "items": {"type": "string"}, "collectionFormat": "tsv"},
                ],
                "responses": {
                    "200": {"description": "", "schema": {"type": "array", "items": {"$ref": "#/definitions/Photo"}}},
                    "default": {"$ref": "#/responses/wrong"},
                },
            },
            "post": {
                "operationId": "add",
                "parameters": [{"name": "photo", "in": "body", "required": True, "schema": {"$ref": "#/definitions/Photo"}}],
                "responses": {"201": {"description": "", "schema": {"$ref": "#/definitions/Photo"}}},
            },
        },
        "/photos/{id}": {
            "parameters": [{"name": "id", "in": "path", "required": True, "type": "integer"}],
            "put": {
                "operationId": "label",
                "parameters": [
                    {"name": "title", "in": "formData", "type": "string", "required": True, "maxLength": 5},
                    {"name": "tags", "in": "formData", "type": "array", "items": {"type": "string"}},
                ],
                "responses": {},
            },
            "post": {
                "operationId": "upload",
                "schemes": ["http"],
                "consumes": ["multipart/form-data", "application/x-www-form-urlencoded"],
                "parameters": [{"name": "file", "in": "formData", "type": "file", "required": True}],
                "responses": {},
            },
        },
    },
}


def changed(path: List[Any], value: Any) -> Dict[str, Any]:
    document = json.loads(json.dumps(PHOTOS))
    place = document
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return document


@pytest.fixture
def photos() -> routable.Router:
    return routable.open(PHOTOS)


def test_the_base_is_made_of_scheme_host_and_path(photos: routable.Router) -> None:
    assert photos.base == "https://photos.test/v1"
    assert photos.build("upload", routable.using(ids=[7], body={"file": "x"})).url == "http://photos.test/v1/photos/7"
    assert routable.open({**PHOTOS, "host": None}, uri="https://a.test/docs/api.json").base == "https://a.test/v1"
    assert "host" in str(routable.open({**PHOTOS, "host": None}).warnings)


def test_collection_formats_are_styles(photos: routable.Router) -> None:
    request = photos.build("list", routable.using(query={"tags": ["a", "b,c"], "size": [1, 2], "by": ["x", "y"], "old": "1\t2"}))
    assert request.url == "https://photos.test/v1/photos?tags=a,b%2Cc&size=1&size=2&by=x%7Cy&old=1%092"
    assert photos.warnings == (
        "#/paths/~1photos/get/parameters/3/collectionFormat: the collectionFormat \"tsv\" is not supported here: "
        "pass the value as one string",
    )


def test_bodies_and_forms_are_parameters(photos: routable.Router) -> None:
    assert photos.build("add", routable.using(body={"title": "a"})).headers["Content-Type"] == "application/json"
    with pytest.raises(routable.BodyError, match='"title" is missing'):
        photos.build("add", routable.using(body={}))
    assert photos.build("label", routable.using(ids=[7], body={"title": "a b", "tags": ["x", "y"]})).body == b"title=a+b&tags=x,y"
    with pytest.raises(routable.BodyError, match='"title" is missing'):
        photos.build("label", routable.using(ids=[7], body={"tags": []}))
    with pytest.raises(routable.BodyError) as raised:
        photos.build("label", routable.using(ids=[7], body={"title": "longer"}))
    assert raised.value.schema_pointer == "/properties/title/maxLength"
    request = photos.build("upload", routable.using(ids=[7], body={"file": {"text": "...", "filename": "a.png"}}))
    assert request.headers["Content-Type"].startswith("multipart/form-data; boundary=")
    assert b'filename="a.png"' in request.body


def test_results_have_the_types_of_their_responses(photos: routable.Router) -> None:
    assert photos.map_response(None, "add", 201, body=b'{"title":"a"}').type == "Photo"
    with pytest.raises(routable.HTTPStatusError) as raised:
        photos.map_response(None, "list", 500, body=b'{"code":1}').raise_for_status()
    assert raised.value.response.json() == {"code": 1}


@pytest.mark.parametrize(
    "path, value, pointer, words",
    [
        (["swagger"], "1.2", "/swagger", "Swagger 2.0 and OpenAPI"),
        (["paths", "/photos", "post", "parameters", 0, "in"], "bodi", "/paths/~1photos/post/parameters/0/in", '"body"'),
        (["paths", "/photos", "post", "consumes"], "json", "/paths/~1photos/post/consumes", "an array"),
        (["paths", "/photos", "post", "consumes"], [""], "/paths/~1photos/post/consumes/0", "a media type"),
        (["definitions"], [], "/definitions", "an object"),
        (["parameters", "tags", "in"], "cookie", "/parameters/tags/in", "query"),
    ],
)
def test_errors_point_into_the_document_of_the_user(path: List[Any], value: Any, pointer: str, words: str) -> None:
    with pytest.raises(routable.RoutableError) as raised:
        routable.open(changed(path, value))
    assert (raised.value.pointer, words in raised.value.message) == (pointer, True), raised.value.message


def test_a_body_and_a_form_exclude_each_other() -> None:
    both = changed(["paths", "/photos/{id}", "parameters"], [{"name": "b", "in": "body", "schema": {}}])
    with pytest.raises(routable.DocumentError, match="both a body parameter and"):
        routable.open(both)
