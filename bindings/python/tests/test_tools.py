"""Operations as tools: names, schemas, listings, and calls that are refused with all reasons."""

from __future__ import annotations

import json
import re
from typing import Any, Dict, Sequence

import pytest
import routable
from jsonschema import Draft202012Validator
from routable._tool_result import Cut, Kept, Secrets, answer, at, cut, part, size
from routable.toolset import BUDGET, CALL, DESCRIBE, SEARCH, explain, open_tools

SHOP: Dict[str, Any] = {
    "openapi": "3.0.3", "info": {"title": "Shop", "version": "1"}, "servers": [{"url": "https://shop.test/v1"}],
    "components": {
        "securitySchemes": {"key": {"type": "apiKey", "in": "query", "name": "api_key"}},
        "schemas": {
            "Item": {"type": "object", "required": ["id", "name"], "properties": {
                "id": {"type": "integer", "readOnly": True}, "name": {"type": "string", "minLength": 1},
                "parts": {"type": "array", "items": {"$ref": "#/components/schemas/Item"}}, "price": {"$ref": "#/components/schemas/Price"}}},
            "Price": {"type": "number", "minimum": 0, "exclusiveMinimum": True, "nullable": True},
            "Sale": {"allOf": [{"$ref": "#/components/schemas/Item"}, {"type": "object", "required": ["until"], "properties": {"until": {"type": "string"}}}]},
            "Either": {"oneOf": [{"type": "object", "properties": {"a": {"type": "string"}}}, {"type": "string"}]}}},
    "security": [{"key": []}],
    "paths": {
        "/items": {
            "get": {"operationId": "items/list", "summary": "List items", "parameters": [
                {"name": "sort", "in": "query", "schema": {"type": "string", "enum": ["name", "price"]}},
                {"name": "tags", "in": "query", "schema": {"type": "array", "items": {"type": "string"}}},
                {"name": "api_key", "in": "query", "schema": {"type": "string"}}], "responses": {"200": {"description": "x"}}},
            "post": {"operationId": "items/create", "requestBody": {"required": True, "content": {
                "application/json": {"schema": {"$ref": "#/components/schemas/Item"}}}}, "responses": {"201": {"description": "x"}}}},
        "/items/{id}": {
            "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}],
            "put": {"operationId": "items/put", "parameters": [{"name": "X-Id", "in": "header", "schema": {"type": "string"}}], "requestBody": {
                "required": True, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Sale"}}}}, "responses": {"204": {"description": "x"}}},
            "delete": {"operationId": "items/delete", "responses": {"204": {"description": "x"}}}},
        "/any": {"post": {"operationId": "any", "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Either"}}}},
                          "responses": {"200": {"description": "x"}}}}}}


@pytest.fixture(scope="module")
def shop() -> routable.Tools:
    return routable.tools(routable.open(SHOP))


def test_names_and_hints(shop: routable.Tools) -> None:
    assert list(shop) == ["items_list", "items_create", "items_put", "items_delete", "any"]
    hints = {name: (each.read_only, each.destructive, each.idempotent) for name, each in shop.items()}
    assert hints == {
        "items_list": (True, False, True), "items_create": (False, True, False), "items_put": (False, True, True),
        "items_delete": (False, True, True), "any": (False, True, False)}
    assert shop["items_list"].title == "List items" and shop["items_delete"].title == "DELETE /items/{id}"


def test_names_are_valid_unique_and_stable() -> None:
    names = ["a b", "a/b", "a_b", "é", "x" * 80, "x" * 81, "  ", "GET /pets/{id}"]
    document = {"routable": 1, "base": "https://h.test", "operations": {name: {"get": f"/p{index}"} for index, name in enumerate(names)}}
    made = [list(routable.tools(routable.open(document))) for _ in range(2)]
    assert made[0] == made[1] and len(set(made[0])) == len(names)
    assert all(re.fullmatch("[A-Za-z0-9_-]{1,64}", name) for name in made[0])
    narrowed = open_tools(document, only=["a/b"])
    assert list(narrowed) == [made[0][1]]


def test_a_schema_has_everything_once(shop: routable.Tools) -> None:
    assert shop["items_list"].schema["properties"].keys() == {"sort", "tags"}  # the key of the scheme is the client's
    made = shop["items_create"].schema
    assert made["required"] == ["name"] and made["additionalProperties"] is False
    assert made["properties"]["price"] == {"$ref": "#/$defs/Price"}
    assert made["$defs"]["Price"] == {"type": ["number", "null"], "exclusiveMinimum": 0}
    assert made["$defs"]["Item"]["properties"].keys() == {"name", "parts", "price"} and made["$defs"]["Item"]["required"] == ["name"]
    put = shop["items_put"].schema
    assert put["properties"].keys() == {"id", "X-Id", "name", "parts", "price", "until"} and put["required"] == ["id", "name", "until"]
    assert shop["any"].schema["properties"]["body"]["oneOf"][1] == {"type": "string"}
    assert "oneOf" not in json.dumps(shop["any"].function_schema)
    for tool in shop.values():
        Draft202012Validator.check_schema(tool.schema)
        Draft202012Validator.check_schema(tool.function_schema)


def test_members_and_parameters_with_one_name(shop: routable.Tools) -> None:
    body = {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}, "q": {"type": "string"}}}
    api = routable.open({"routable": 1, "base": "https://h.test", "operations": {
        "put": {"put": "/a/{id}", "query": {"id": {}, "q[x]": {}}, "body": body}}})
    tools = routable.tools(api)
    assert list(tools["put"].schema["properties"]) == ["id", "query_id", "q_x", "body_id", "q"]
    request = tools.request("put", {"id": "1", "query_id": "2", "q_x": "3", "body_id": "4", "q": "5"})
    assert (request.url, request.body) == ("https://h.test/a/1?id=2&q%5Bx%5D=3", b'{"id":"4","q":"5"}')


def test_a_call(shop: routable.Tools) -> None:
    request = shop.request("items_put", {"id": 7, "X-Id": "a", "name": "n", "until": "u", "price": None})
    assert (request.method, request.url, request.headers["X-Id"]) == ("PUT", "https://shop.test/v1/items/7", "a")
    assert json.loads(request.body or b"") == {"name": "n", "until": "u", "price": None}
    assert shop.request("items_list", {"sort": None, "tags": ["a", "b c"]}).url == "https://shop.test/v1/items?tags=a&tags=b%20c"
    assert shop.request("items_list", '{"sort":"name"}').url == shop.request("items_list", b'{"sort":"name"}').url
    assert shop.request("any", {}).body is None and shop.request("any", {"body": "x"}).body == b'"x"'


def test_all_reasons_at_once(shop: routable.Tools) -> None:
    with pytest.raises(routable.ParameterError) as raised:
        shop.request("items_put", {"id": "x", "nme": "n", "price": 0, "parts": [{"name": ""}]})
    lines = explain(raised.value).splitlines()
    assert lines[0] == 'items/put: no argument "nme"; did you mean "name"?; allowed: X-Id, id, name, parts, price, until'
    assert lines[1:] == [
        "items/put: /id does not match its type: integer is expected, not a string",
        "items/put: /price does not match its type: more than 0 is expected",
        "items/put: /parts/0/name does not match its type: at least 1 character is expected, not 0",
        'items/put: the value does not match its type: "name" is missing',
        'items/put: the value does not match its type: "until" is missing']
    with pytest.raises(routable.BodyError) as other:
        shop.request("items_list", {"sort": "id"})
    assert '"name", "price"' in explain(other.value)


@pytest.mark.parametrize("arguments", ["[]", "1", '{"a":1,"a":2}', "{", '{"base":"https://x.test"}', '{"__proto__":{}}'])
def test_what_is_no_object(shop: routable.Tools, arguments: str) -> None:
    with pytest.raises(routable.RoutableError):
        shop.request("items_list", arguments)


HOSTILE = ["../..", "..", ".", "a/b", "a?b", "a#b", "a%2Fb", "%2e%2e", "a\r\nX: y", "\x00", "//h.test", "https://h.test/", "a\\b", "\u2025", " ", ";a=b", "@h.test"]


@pytest.mark.parametrize("value", HOSTILE)
def test_a_value_stays_in_its_place(value: str) -> None:
    api = routable.open({"routable": 1, "base": "https://h.test/v1", "operations": {"get": {"get": "/a/{id}/b", "query": {"q": {}}, "header": {"X-A": {}}}}})
    tools = routable.tools(api)
    try:
        url = tools.request("get", {"id": value, "q": value}).url
    except routable.RoutableError:
        return
    assert re.fullmatch(r"https://h\.test/v1/a/[^/?#]+/b\?q=[^&#?/]*", url) and "/../" not in url and "/./" not in url


def test_an_unknown_tool_is_told(shop: routable.Tools) -> None:
    with pytest.raises(KeyError, match="the nearest are: items_list"):
        shop.request("item_list", {})


def test_selections() -> None:
    api = routable.open(SHOP)
    assert list(routable.tools(api, read_only=True)) == ["items_list"]
    assert list(routable.tools(api, only=["items_*"], except_=["items/delete"])) == ["items_list", "items_create", "items_put"]
    assert list(routable.tools(api, routes=["items"])) == ["items_list", "items_create", "items_put", "items_delete"]
    with pytest.raises(KeyError, match="there is no tool"):
        routable.tools(api, only=["nothing"])
    narrowed = open_tools(SHOP, read_only=True)
    with pytest.raises(routable.UnknownError):  # it does not exist in the graph
        narrowed.api.build("items/delete", routable.using(ids={"id": 1}))
    with pytest.raises(KeyError):
        narrowed.request("items_delete", {"id": 1})


def test_resources_of_a_route_document(social: routable.Router) -> None:
    tools = routable.tools(social, routes=["user.status"])
    assert list(tools) == ["user_status_create", "user_status_read", "user_status_delete"]
    assert tools["user_status_create"].destructive is False
    assert tools.request("user_status_read", {"user_id": "a/b", "id": "3"}).url.endswith("/users/a%2Fb/statuses/3")


def test_listings(shop: routable.Tools) -> None:
    for format, key in (("mcp", "inputSchema"), ("anthropic", "input_schema"), ("json", "schema")):
        listed = shop.listing(format)
        assert [each["name"] for each in listed] == list(shop) and all(key in each for each in listed)
    assert [each["function"]["name"] for each in shop.listing("openai")] == list(shop)
    small = shop.listing("openai", budget=100)
    assert [each["function"]["name"] for each in small] == [SEARCH, DESCRIBE, CALL]
    assert size(small) < BUDGET
    with pytest.raises(ValueError, match="mcp, openai"):
        shop.listing("x")


def test_search_and_describe(shop: routable.Tools) -> None:
    found = shop.respond(SEARCH, {"query": "delete item"})
    assert found["total"] == 5 and found["operations"][0]["name"] == "items_delete"
    assert shop.respond(DESCRIBE, {"name": "items_list"})["schema"] == shop["items_list"].schema


def test_call_performs(loopback: Any) -> None:
    from loopback import json as replies

    loopback.answers["/items?sort=name"] = replies("[1]")
    api = routable.open(SHOP, base=loopback.base)
    with routable.Client(api, credentials={"key": "SECRET"}) as client:
        loopback.answers["/items?sort=name&api_key=SECRET"] = replies("[1]")
        assert routable.tools(api, client=client).call("items_list", {"sort": "name"}).value == [1]
    with pytest.raises(TypeError, match="requires a client"):
        routable.tools(api).call("items_list", {})


# --- Results ---


@pytest.mark.parametrize("value", [
    list(range(5000)), {"items": [{"n": index, "t": "x" * 50} for index in range(500)], "total": 500}, "é" * 5000, {"a": {"b": ["y" * 9000]}},
    {str(index): index for index in range(4000)}, ["z" * 9000, "z" * 9000], {"a": "x" * 3000, "b": "y" * 3000}])
def test_a_cut_result_is_json_and_goes_on(value: Any) -> None:
    kept = Kept()
    name = kept.add(value, size(value))
    shown = part(value, "", 0, 2048, name)
    assert size(shown) <= 2048 + 600 and shown["cut"]
    place = shown["cut"][0]["continue"]
    more = part(kept.get(place["result"]), place["pointer"], place["start"], 2048, name)
    found = at(value, place["pointer"])
    if isinstance(found, (list, str)):
        assert more["value"] and more["value"] == found[place["start"]:][: len(more["value"])] or "cut" in more


def test_a_whole_array_is_read_by_its_pointers() -> None:
    value, seen, start = [{"n": index} for index in range(3000)], [], 0
    while True:
        shown = part({"a": value}, "" if not start else "/a", start, 4096, "r1")
        got = shown["value"]["a"] if isinstance(shown["value"], dict) else shown["value"]
        seen += got
        if "cut" not in shown:
            break
        start = shown["cut"][0]["continue"]["start"]
    assert seen == value


def test_kept_results_are_bounded() -> None:
    kept = Kept()
    names = [kept.add(index, 1) for index in range(40)]
    with pytest.raises(LookupError, match="there is no result"):
        kept.get(names[0])
    assert kept.get(names[-1]) == 39
    with pytest.raises(LookupError):
        at({"a": [1]}, "/a/7")


def test_secrets_are_in_no_result() -> None:
    secrets = Secrets(["s3cr3t/+ value"])
    response = routable.open(SHOP).map_response(None, "items/list", 200, {"Content-Type": "application/json"}, b'{"a":["x s3cr3t/+ value y"],"s3cr3t%2F%2B%20value":1}')
    assert answer(response, 4096, Kept(), secrets).text == '{"a":["x *** y"],"***":1}'
    assert Cut().places == [] and cut("abc", 100, Cut()) == "abc"


def described(schemas: Dict[str, Any], body: Dict[str, Any], parameters: Sequence[Dict[str, Any]] = ()) -> routable.Tools:
    return routable.tools(routable.open({
        "openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "servers": [{"url": "https://h.test"}], "components": {"schemas": schemas},
        "paths": {"/a": {"post": {
            "operationId": "a", "parameters": list(parameters), "responses": {"204": {"description": ""}},
            "requestBody": {"required": True, "content": {"application/json": {"schema": body}}}}}}}))


def referring(name: str) -> Dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def test_schemas_that_contain_themselves_through_all_of_have_an_end() -> None:
    """In the subset, the parts of `allOf` are merged: only a single reference can stay recursive."""
    other = {"properties": {"z": {"type": "string"}}}
    single = described({"N": {"allOf": [referring("M")]}, "M": {"type": "object", "properties": {"next": {"allOf": [referring("N")]}}}}, referring("N"))
    assert single["a"].function_schema["properties"]["next"] == {"$ref": "#/$defs/N"}
    both = described({
        "N": {"allOf": [referring("M"), {"properties": {"own": {"allOf": [referring("N"), other]}}}]},
        "M": {"type": "object", "properties": {"next": {"allOf": [referring("N"), other]}}}}, {"allOf": [referring("N")]})
    schema, depth = both["a"].function_schema, 0
    while "properties" in schema:
        assert "z" in schema["properties"] or depth == 0, schema
        schema, depth = schema["properties"]["next"], depth + 1
    assert (schema, depth) == ({"type": "object"}, 5)
    assert "next" in both["a"].schema["properties"]


def test_names_of_arguments_that_are_taken_get_a_free_number() -> None:
    names = [("a", "query"), ("header_a", "query"), ("header_a_4", "query"), ("header_a_5", "query"), ("a", "header")]
    tools = described({}, {"type": "string"}, [{"name": name, "in": place, "schema": {"type": "string"}} for name, place in names])
    assert list(tools["a"].schema["properties"]) == ["a", "header_a", "header_a_4", "header_a_5", "header_a_6", "body"]


def test_a_schema_that_many_parameters_repeat_is_limited() -> None:
    big = {"type": "object", "properties": {f"p{number}": {"type": "string", "description": "x" * 100} for number in range(2000)}}
    query = [{"name": f"q{number}", "in": "query", "style": "deepObject", "explode": True, "schema": referring("B")} for number in range(1000)]
    with pytest.raises(routable.LimitError, match="more than 16777216 bytes"):
        described({"B": big}, {"type": "object"}, query)["a"].schema
