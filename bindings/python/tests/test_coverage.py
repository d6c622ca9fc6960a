"""Coverage: which parts of a description were used, compared with counts by hand and by an independent script."""

import asyncio
import json
import threading

import pytest

import routable
from routable.testing import Coverage, Mock

SHOP = {
    "openapi": "3.0.3",
    "info": {"title": "Shop", "version": "1"},
    "servers": [{"url": "https://shop.example/v1"}],
    "paths": {
        "/pets": {
            "get": {
                "operationId": "listPets",
                "parameters": [
                    {"name": "status", "in": "query", "schema": {"type": "string", "enum": ["available", "pending", "sold"]}},
                    {"name": "limit", "in": "query", "schema": {"type": "integer", "default": 20}},
                    {"name": "X-Trace", "in": "header", "schema": {"type": "string"}},
                ],
                "responses": {
                    "200": {
                        "description": "all",
                        "content": {
                            "application/json": {"schema": {"type": "array", "items": {"$ref": "#/components/schemas/Pet"}}},
                            "text/csv": {"schema": {"type": "string"}},
                        },
                    },
                    "4XX": {"description": "refused", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}},
                },
            },
            "post": {
                "operationId": "createPet",
                "requestBody": {
                    "required": True,
                    "content": {
                        "application/json": {"schema": {"$ref": "#/components/schemas/Pet"}},
                        "application/x-www-form-urlencoded": {"schema": {"$ref": "#/components/schemas/Pet"}},
                    },
                },
                "responses": {"201": {"description": "created"}, "default": {"description": "error"}},
            },
        },
        "/pets/{id}": {
            "get": {
                "operationId": "getPet",
                "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}],
                "responses": {"200": {"description": "one", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}}}},
            }
        },
    },
    "components": {
        "schemas": {
            "Pet": {
                "type": "object",
                "properties": {
                    "name": {"type": "string"},
                    "kind": {"type": "string", "enum": ["cat", "dog"]},
                    "owner": {"oneOf": [{"$ref": "#/components/schemas/Person"}, {"type": "string"}]},
                    "parent": {"$ref": "#/components/schemas/Pet"},
                },
            },
            "Person": {"type": "object", "required": ["first"], "properties": {"first": {"type": "string"}}},
            "Problem": {"type": "object", "properties": {"code": {"type": "integer", "enum": [1, 2, 3]}}},
        }
    },
}


@pytest.fixture
def coverage():
    return Coverage(routable.open(SHOP))


def used(found, name):
    return found["total"][name]["used"], found["total"][name]["declared"]


def operation(found, name):
    return next(each for each in found["operations"] if each["operation"] == name)


def counts(items):
    return {(each["kind"], each["place"], each["name"]): each["count"] for each in items}


def test_a_new_coverage_has_used_nothing(coverage):
    found = coverage.to_dict()
    assert found["percent"] == 0 and found["requests"] == 0
    assert found["total"] == {
        "operation": {"used": 0, "declared": 3},
        "status": {"used": 0, "declared": 5},       # 200, 4XX; 201, default; 200
        "parameter": {"used": 0, "declared": 4},
        "media_type": {"used": 0, "declared": 6},   # 2 + 1 of listPets, 2 of createPet, 1 of getPet
        "value": {"used": 0, "declared": 8},        # 3 of the query, 2 of Pet, 3 of Problem
        "branch": {"used": 0, "declared": 2},
    }


def test_the_counts_are_those_that_a_hand_counts(coverage):
    pet = {"name": "Tom", "kind": "cat", "owner": {"first": "Ann"}, "parent": {"kind": "cat", "owner": "Bob"}}
    coverage.add("GET", "/v1/pets?status=sold&colour=red", status=200, content_type="application/json", response=json.dumps([pet, {}]).encode())
    coverage.add("GET", "/v1/pets?limit=5&status=sold", {"X-Trace": "a"}, status=404, content_type="application/json; charset=utf-8",
                 response=b'{"code": 2}')
    coverage.add("POST", "/v1/pets", {"Content-Type": "application/json"}, b'{"kind": "dog", "owner": "Eve"}', status=201)
    coverage.add("POST", "/v1/pets", {"Content-Type": "application/json"}, b'{"kind": "cow"}', status=422)
    coverage.add("DELETE", "/v1/pets/3?token=1", status=405)
    found = coverage.to_dict()
    pets = operation(found, "listPets")
    assert (pets["requests"], pets["refused"]) == (2, 0)
    assert counts(pets["items"]) == {
        ("status", "", "200"): 1, ("status", "", "4XX"): 1,
        ("parameter", "query", "status"): 2, ("parameter", "query", "limit"): 1, ("parameter", "header", "X-Trace"): 1,
        ("value", "query status", "available"): 0, ("value", "query status", "pending"): 0, ("value", "query status", "sold"): 2,
        ("media_type", "200", "application/json"): 1, ("media_type", "200", "text/csv"): 0, ("media_type", "4XX", "application/json"): 1,
    }
    assert pets["undeclared"]["parameter"] == {"names": [{"name": "colour", "count": 1}], "further": 0}
    create = operation(found, "createPet")
    assert (create["requests"], create["refused"]) == (2, 1)
    assert counts(create["items"]) == {
        ("status", "", "201"): 1, ("status", "", "default"): 1,
        ("media_type", "request", "application/json"): 2, ("media_type", "request", "application/x-www-form-urlencoded"): 0,
    }
    assert operation(found, "getPet")["requests"] == 0
    assert counts(found["schemas"]) == {
        ("value", "#/components/schemas/Pet/properties/kind/enum", "cat"): 2,
        ("value", "#/components/schemas/Pet/properties/kind/enum", "dog"): 1,
        ("branch", "#/components/schemas/Pet/properties/owner/oneOf", "Person"): 1,
        ("branch", "#/components/schemas/Pet/properties/owner/oneOf", "1"): 2,
        ("value", "#/components/schemas/Problem/properties/code/enum", 1): 0,
        ("value", "#/components/schemas/Problem/properties/code/enum", 2): 1,
        ("value", "#/components/schemas/Problem/properties/code/enum", 3): 0,
    }
    assert found["unmatched"] == {"names": [{"name": "DELETE /v1/pets/3", "count": 1}], "further": 0}
    assert found["requests"] == 5
    assert [used(found, each) for each in ("operation", "status", "parameter", "media_type", "value", "branch")] == [
        (2, 3), (4, 5), (3, 4), (3, 6), (4, 8), (2, 2)]
    assert found["percent"] == 64.2    # 18 of 28
