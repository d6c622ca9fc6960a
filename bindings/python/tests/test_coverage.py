"""Coverage: the used parts of a description, compared with manual counts and with an independent script."""

import asyncio
import json
import sys

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


def test_the_counts_equal_manual_counts(coverage):
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


def test_a_client_is_counted_with_its_errors(coverage):
    api = routable.open(SHOP)
    with Mock(api) as mock, routable.Client(transport=mock, middleware=[coverage]) as client:
        client.perform(api.operations.listPets(status="sold"))
        mock.fault(status=404)
        with pytest.raises(routable.HTTPStatusError):
            client.perform(api.operations.listPets())
        mock.fault(fault="reset")
        with pytest.raises(routable.RoutableError):
            client.perform(api.operations.getPet(id=3))
    found = coverage.to_dict()
    assert found["requests"] == 3 and operation(found, "getPet")["requests"] == 1
    assert counts(operation(found, "listPets")["items"])["status", "", "4XX"] == 1
    assert counts(operation(found, "getPet")["items"])["status", "", "200"] == 0
    assert repr(coverage) == "<routable.testing.Coverage>" and 0 < coverage.percent < 100


def test_an_asynchronous_client_is_counted(coverage):
    api = routable.open(SHOP)

    async def main():
        async with routable.AsyncClient(transport=Mock(api), middleware=[coverage]) as client:
            await client.perform(api.operations.listPets())

    asyncio.run(main())
    assert operation(coverage.to_dict(), "listPets")["requests"] == 1


def service():
    made = routable.Service(routable.open(SHOP))

    @made.handle("createPet")
    def create(received):
        return 201

    @made.handle("listPets")
    def pets(received, status=None):
        return [{"kind": "cat"}]

    return made


def test_a_wsgi_application_is_counted(coverage):
    import io

    app, started = coverage.wsgi(service().wsgi), []

    def ask(method, path, query="", body=b"", kind=""):
        environ = {"REQUEST_METHOD": method, "SCRIPT_NAME": "", "PATH_INFO": path, "QUERY_STRING": query, "CONTENT_TYPE": kind,
                   "CONTENT_LENGTH": str(len(body)), "wsgi.input": io.BytesIO(body)}
        return b"".join(app(environ, lambda status, fields, *rest: started.append(status)))

    assert ask("GET", "/v1/pets", "status=sold") == b'[{"kind":"cat"}]'
    ask("POST", "/v1/pets", body=b'{"kind": "dog"}', kind="application/json")
    ask("POST", "/v1/pets", body=b'{"kind": "cow"}', kind="application/json")
    assert started == ["200 OK", "201 Created", "422 Unprocessable Entity"] or started[:2] == ["200 OK", "201 Created"]
    found = coverage.to_dict()
    assert [(each["name"], each["count"]) for each in found["schemas"][:2]] == [("cat", 1), ("dog", 1)] or {
        (each["name"], each["count"]) for each in found["schemas"]} >= {("cat", 1), ("dog", 1)}
    assert (operation(found, "createPet")["requests"], operation(found, "createPet")["refused"]) == (2, 1)


def test_an_asgi_application_is_counted(coverage):
    app = coverage.asgi(service().asgi)

    async def main():
        messages = iter([{"type": "http.request", "body": b'{"kind"', "more_body": True}, {"type": "http.request", "body": b': "dog"}'}])
        sent = []

        async def receive():
            return next(messages)

        async def send(message):
            sent.append(message)

        await app({"type": "http", "method": "POST", "path": "/v1/pets", "query_string": b"", "root_path": "",
                   "headers": [(b"content-type", b"application/json")]}, receive, send)
        return sent

    assert asyncio.run(main())[0]["status"] == 201
    found = coverage.to_dict()
    assert ("dog", 1) in {(each["name"], each["count"]) for each in found["schemas"]}
    assert counts(operation(found, "createPet")["items"])["status", "", "201"] == 1


def test_recursion_a_thousand_branches_and_ten_thousand_values():
    api = routable.open({
        "openapi": "3.1.0", "info": {"title": "t", "version": "1"},
        "paths": {"/a": {"get": {"responses": {"200": {"description": "", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/T"}}}}}}}},
        "components": {"schemas": {
            "T": {"type": "object", "properties": {
                "next": {"$ref": "#/components/schemas/T"}, "one": {"$ref": "#/components/schemas/One"}, "many": {"enum": list(range(10_000))},
                "self": {"allOf": [{"$ref": "#/components/schemas/Loop"}]}}},
            "One": {"oneOf": [{"type": "object", "required": [f"p{number}"], "properties": {"t": {"$ref": "#/components/schemas/T"}}} for number in range(1000)]},
            "Loop": {"allOf": [{"$ref": "#/components/schemas/Loop"}, {"anyOf": [{"$ref": "#/components/schemas/Loop"}]}]},
        }}})
    coverage = Coverage(api)
    assert coverage.to_dict()["total"]["value"]["declared"] == 10_000 and coverage.to_dict()["total"]["branch"]["declared"] == 1001
    value = {"many": 9999}
    for number in range(20):
        value = {"next": value, "one": {f"p{number}": 1, "t": {"many": number}}}
    coverage.add("GET", "/a", status=200, content_type="application/json", response=json.dumps(value).encode())
    found = coverage.to_dict()
    assert found["total"]["value"]["used"] == 21 and found["total"]["branch"]["used"] == 20 and found["unread"] == 0
    coverage.add("GET", "/a", status=200, content_type="application/json", response=b'{"self": {}}')
    assert coverage.to_dict()["unread"] == 1    # a schema that applies to itself without an end
    deep = b'{"next":' * 500 + b"{}" + b"}" * 500
    coverage.add("GET", "/a", status=200, content_type="application/json", response=deep)
    assert coverage.to_dict()["requests"] == 3


def test_values_are_compared_as_json_schema_says():
    kinds = [1, "1", 1.5, None, True, [1, {"a": 2}], {"x": 1, "y": 2}, "\u00e9", ""]
    api = routable.open({"routable": 1, "types": {"T": {"enum": kinds}}, "operations": {"a": {"get": "/a", "results": {"200": {"$ref": "#/types/T"}}}}})
    coverage = Coverage(api)
    for text in ("1.0", '"1"', "15e-1", "null", "true", '[1.0, {"a": 2}]', '{"y": 2, "x": 1}', '"\\u00e9"', '""', "2", "false", "[]"):
        coverage.add("GET", "/a", status=200, content_type="application/json", response=text.encode())
    assert [(each["name"], each["count"]) for each in coverage.to_dict()["schemas"]] == [(kind, 1) for kind in kinds]


def test_null_among_the_values_of_a_nullable_enum():
    schema = {"type": "string", "nullable": True, "enum": ["a", None]}
    api = routable.open({"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"get": {"responses": {
        "200": {"description": "", "content": {"application/json": {"schema": schema}}}}}}}})
    coverage = Coverage(api)
    coverage.add("GET", "/a", status=200, content_type="application/json", response=b"null")
    found = coverage.to_dict()
    assert [(each["name"], each["count"]) for each in found["schemas"]] == [("a", 0), (None, 1)]


def test_a_schema_is_applied_to_a_value_once():
    tree = {"allOf": [{"$ref": "#/types/Tree"}, {"$ref": "#/types/Kind"}, {"$ref": "#/types/Kind"}], "properties": {"below": {"$ref": "#/types/Tree"}}}
    kind = {"properties": {"kind": {"enum": ["a", "b"]}}}
    api = routable.open({"routable": 1, "types": {"Tree": tree, "Kind": kind},
                         "operations": {"a": {"get": "/a", "results": {"200": {"$ref": "#/types/Tree"}}}}})
    coverage = Coverage(api)
    value = b'{"kind": "a", "below": {"kind": "b", "below": {"kind": "a"}}}'
    coverage.add("GET", "/a", status=200, content_type="application/json", response=value)
    found = coverage.to_dict()
    assert [(each["name"], each["count"]) for each in found["schemas"]] == [("a", 2), ("b", 1)]
    assert found["unread"] == 0    # a schema that refers to itself without an end


def test_invalid_arguments_are_refused(coverage):
    with pytest.raises(routable.ArgumentError):
        coverage.add("GET", "/v1/pets", status=7)
    with pytest.raises(routable.RoutableError):
        Coverage(routable.open(SHOP), base_path="gateway")
    coverage.close()
    with pytest.raises(ValueError):
        coverage.report()
