"""A mock uses the valid examples of the document, and lists invalid ones and values that it cannot generate; members whose path
continues after the id; JSON Patch; reported changes (docs/mock.md)."""

from __future__ import annotations

import json
import threading
import time
from typing import Any, Dict, List, Tuple

import pytest
import routable
from routable.testing import REMOVED, Mock


def openapi(paths: Dict[str, Any], schemas: Any = None, version: str = "3.1.0") -> routable.Router:
    return routable.open({"openapi": version, "info": {"title": "t", "version": "1"}, "servers": [{"url": "https://h.example/v1"}], "paths": paths,
                          "components": {"schemas": schemas or {}, "examples": {"shared": {"value": {"name": "shared"}}}}})


def result(schema: Any, **media: Any) -> Dict[str, Any]:
    return {"responses": {"200": {"description": "d", "content": {"application/json": {"schema": schema, **media}}}}}


def ask(mock: Mock, method: str, path: str, body: object = None, content_type: str = "application/json", **headers: str) -> Tuple[int, Any]:
    lines = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    if body is not None:
        lines.append((b"Content-Type", content_type.encode()))
    response = mock.respond(method, path, lines, b"" if body is None else json.dumps(body).encode())
    return response.status, json.loads(response.body) if response.body else None


NAMED = {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}


@pytest.mark.parametrize("media, expected", [
    ({"example": {"name": "one"}}, "one"),
    ({"examples": {"wrong": {"value": {"name": 1}}, "right": {"value": {"name": "two"}}}}, "two"),
    ({"examples": {"one": {"$ref": "#/components/examples/shared"}}}, "shared"),
])
def test_the_example_of_the_media_type_is_sent(media: Dict[str, Any], expected: str) -> None:
    with Mock(openapi({"/me": {"get": result(NAMED, **media)}})) as mock:
        assert ask(mock, "GET", "/v1/me") == (200, {"name": expected})


def test_examples_of_schemas_are_used_in_generated_values() -> None:
    schema = {"type": "object", "required": ["name", "pet", "age", "old"], "properties": {
        "name": {"type": "string", "examples": ["ann", "bob"]}, "age": {"type": "integer", "example": "seven"},
        "pet": {"$ref": "#/components/schemas/Pet"}, "old": {"type": "string", "maxLength": 2, "example": "too long"}}}
    pet = {"type": "object", "example": {"kind": "cat", "legs": 4}}
    with Mock(openapi({"/me": {"get": result(schema)}}, {"Pet": pet})) as mock:
        status, value = ask(mock, "GET", "/v1/me")
        assert status == 200 and isinstance(value["age"], int) and len(value["old"]) <= 2
        assert value["name"] in ("ann", "amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "harbor", "indigo", "juniper")
    with Mock(openapi({"/me": {"get": result({**schema, "required": ["name", "pet"], "properties": {
            name: schema["properties"][name] for name in ("name", "pet")}})}}, {"Pet": pet})) as mock:
        assert ask(mock, "GET", "/v1/me") == (200, {"name": "ann", "pet": {"kind": "cat", "legs": 4}})


def test_swagger_examples() -> None:
    api = routable.open({"swagger": "2.0", "info": {"title": "t", "version": "1"}, "host": "h.example", "paths": {"/me": {"get": {
        "produces": ["application/json"], "responses": {"200": {"description": "d", "schema": NAMED, "examples": {
            "text/plain": "x", "application/json": {"name": "swagger"}}}}}}}})
    with Mock(api) as mock:
        assert ask(mock, "GET", "/me") == (200, {"name": "swagger"})


def test_stored_members_have_precedence_over_examples() -> None:
    paths = {"/pets": {"get": result({"type": "array", "items": NAMED}, example=[{"name": "listed"}]),
                       "post": {"requestBody": {"content": {"application/json": {"schema": NAMED}}}, **result(NAMED, example={"name": "made"})}},
             "/pets/{name}": {"get": {"parameters": [{"name": "name", "in": "path", "required": True, "schema": {"type": "string"}}], **result(NAMED)}},
             "/kinds": {"get": result({"type": "array", "items": NAMED}, example=[{"name": "fixed"}])},
             "/kinds/{name}": {"get": {"parameters": [{"name": "name", "in": "path", "required": True, "schema": {"type": "string"}}],
                                       **result(NAMED, example={"name": "fixed"})}}}
    with Mock(openapi(paths)) as mock:
        assert ask(mock, "GET", "/v1/pets") == (200, [])
        assert ask(mock, "POST", "/v1/pets", {"name": "rex"})[1] == {"name": "rex"}
        assert ask(mock, "GET", "/v1/pets") == (200, [{"name": "rex"}])
        # No request can create this member.
        assert ask(mock, "GET", "/v1/kinds") == (200, [{"name": "fixed"}])
        assert ask(mock, "GET", "/v1/kinds/x") == (200, {"name": "x"})


def test_problems_are_listed() -> None:
    never = {"type": "string", "pattern": "^\\p{L}+$", "minLength": 2000000}
    api = openapi({"/me": {"get": {**result(NAMED, examples={"bad": {"value": {"name": 7}}, "good": {"value": {"name": "x"}}}), "operationId": "me"}},
                   "/no": {"get": {**result({"not": {}}), "operationId": "no"}},
                   "/deep": {"get": {**result({"type": "object", "required": ["a"], "properties": {"a": never}}), "operationId": "deep"}},
                   "/other": {"get": {**result({"$ref": "#/components/schemas/Odd"}), "operationId": "other"}}},
                  {"Odd": {"type": "integer", "example": "odd"}})
    with Mock(api) as mock:
        found = {(each["operation"], each["status"], each["pointer"]) for each in mock.problems()}
        assert found == {
            ("me", "200", "/paths/~1me/get/responses/200/content/application~1json/examples/bad/value"),
            ("no", "200", "/paths/~1no/get/responses/200/content/application~1json/schema"),
            ("deep", "200", "/paths/~1deep/get/responses/200/content/application~1json/schema"),
            ("other", "200", "/components/schemas/Odd/example")}
        status, problem = ask(mock, "GET", "/v1/no")
        assert status == 501 and "/paths/~1no/get/responses/200" in problem["detail"]
        assert ask(mock, "GET", "/v1/me")[0] == 200
    with Mock(routable.open({"routable": 1, "base": "https://h.example", "operations": {}})) as none:
        assert none.problems() == []


SID = {"name": "sid", "in": "path", "required": True, "schema": {"type": "string", "pattern": "^CA[0-9a-f]{8}$"}}
ACCOUNT = {"name": "account", "in": "path", "required": True, "schema": {"type": "string", "pattern": "^AC[0-9a-f]{4}$"}}


def test_members_whose_path_continues_after_the_id_are_stored() -> None:
    def of(name: str, identity: Any) -> Dict[str, Any]:
        return {"type": "object", "required": ["sid"], "properties": {"sid": identity["schema"], name: {"type": "string"}}}

    def form(schema: Any) -> Dict[str, Any]:
        return {"requestBody": {"content": {"application/x-www-form-urlencoded": {"schema": {"type": "object", "properties": {
            "label": {"type": "string"}, "to": {"type": "string"}}}}}}, **result(schema)}

    account, call = of("label", ACCOUNT), of("to", SID)
    api = openapi({
        "/Accounts.json": {"post": form(account), "get": result({"type": "object", "properties": {"accounts": {"type": "array", "items": account}}})},
        "/Accounts/{account}.json": {"parameters": [ACCOUNT], "get": result(account), "post": form(account), "delete": {"responses": {"204": {"description": "d"}}}},
        "/Accounts/{account}/Calls.json": {"parameters": [ACCOUNT], "post": form(call), "get": result({"type": "object", "properties": {"calls": {"type": "array", "items": call}}})},
        "/Accounts/{account}/Calls/{sid}.json": {"parameters": [ACCOUNT, SID], "get": result(call), "post": form(call), "delete": {"responses": {"204": {"description": "d"}}}}})
    with Mock(api) as mock:
        def send(method: str, path: str, body: str = "") -> Tuple[int, Any, str]:
            lines = [(b"Content-Type", b"application/x-www-form-urlencoded")] if body else []
            response = mock.respond(method, path, lines, body.encode())
            return response.status, json.loads(response.body) if response.body else None, dict(response.headers).get("Location", "")

        assert send("POST", "/v1/Accounts/AC0000/Calls.json", "to=x")[0] == 404
        status, made, place = send("POST", "/v1/Accounts.json", "label=ann")
        assert status == 200 and place == f"/v1/Accounts/{made['sid']}.json"
        assert send("GET", place)[1] == {"sid": made["sid"], "label": "ann"}
        calls = place.replace(".json", "/Calls.json")
        first, second = send("POST", calls, "to=1"), send("POST", calls, "to=2")
        assert first[2] != second[2] and first[2].endswith(".json")
        assert [each["to"] for each in send("GET", calls)[1]["calls"]] == ["1", "2"]
        assert send("POST", first[2], "to=3")[1]["to"] == "3"
        assert send("GET", first[2])[1] == {"sid": first[1]["sid"], "to": "3"}
        assert send("DELETE", first[2])[0] == 204 and send("GET", first[2])[0] == 404
        assert send("DELETE", place)[0] == 204
        assert [send("GET", each)[0] for each in (place, calls, second[2])] == [404, 404, 404]


# --- JSON Patch ---

PATCHES = routable.open({"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "servers": [{"url": "https://h.example/v1"}], "paths": {
    "/docs/{id}": {"parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}],
                   "get": result({"type": "object"}), "put": {"requestBody": {"content": {"application/json": {"schema": {"type": "object"}}}}, **result({"type": "object"})},
                   "patch": {"requestBody": {"content": {"application/json-patch+json": {"schema": {}}, "application/merge-patch+json": {"schema": {}}}},
                             **result({"type": "object"})}}}})
PATCH = "application/json-patch+json"

#: A document, a patch, and the result, or the status of the refusal.
VECTORS: List[Tuple[Any, Any, Any]] = [
    ({}, [], {}),
    ({"foo": 1}, [{"op": "add", "path": "/bar", "value": 2}], {"foo": 1, "bar": 2}),
    ({"foo": None}, [{"op": "add", "path": "/foo", "value": 1}], {"foo": 1}),
    ({"foo": ["a", "b"]}, [{"op": "add", "path": "/foo/1", "value": "x"}], {"foo": ["a", "x", "b"]}),
    ({"foo": ["a"]}, [{"op": "add", "path": "/foo/-", "value": ["x"]}], {"foo": ["a", ["x"]]}),
    ({"foo": ["a"]}, [{"op": "add", "path": "/foo/1", "value": "b"}], {"foo": ["a", "b"]}),
    ({"foo": ["a"]}, [{"op": "add", "path": "/foo/2", "value": "b"}], 409),
    ({"foo": ["a"]}, [{"op": "add", "path": "/foo/-1", "value": "b"}], 409),
    ({"foo": ["a"]}, [{"op": "add", "path": "/foo/01", "value": "b"}], 409),
    ({"foo": ["a"]}, [{"op": "add", "path": "/foo/1e0", "value": "b"}], 409),
    ({"foo": {"bar": 1}}, [{"op": "add", "path": "/no/bar", "value": 1}], 409),
    ({"foo": 1}, [{"op": "add", "path": "/foo/x", "value": 1}], 409),
    ({"": 0}, [{"op": "add", "path": "/", "value": 1}], {"": 1}),
    ({"a/b": 1, "m~n": 2}, [{"op": "replace", "path": "/a~1b", "value": 3}, {"op": "remove", "path": "/m~0n"}], {"a/b": 3}),
    ({"~01": 1}, [{"op": "test", "path": "/~001", "value": 1}], {"~01": 1}),
    ({"foo": 1}, [{"op": "remove", "path": "/foo"}], {}),
    ({"foo": [1, 2, 3]}, [{"op": "remove", "path": "/foo/1"}], {"foo": [1, 3]}),
    ({"foo": [1, 2]}, [{"op": "remove", "path": "/foo/2"}], 409),
    ({"foo": [1, 2]}, [{"op": "remove", "path": "/foo/-"}], 409),
    ({"foo": 1}, [{"op": "remove", "path": "/bar"}], 409),
    ({"foo": 1}, [{"op": "remove", "path": ""}], 400),
    ({"foo": 1}, [{"op": "replace", "path": "/foo", "value": [1]}], {"foo": [1]}),
    ({"foo": 1}, [{"op": "replace", "path": "/bar", "value": 1}], 409),
    ({"foo": 1}, [{"op": "replace", "path": "", "value": {"baz": 2}}], {"baz": 2}),
    ({"foo": 1}, [{"op": "replace", "path": "", "value": [1]}], 422),
    ({"foo": 1}, [{"op": "add", "path": "", "value": {"baz": None}}], {"baz": None}),
    ({"a": {"b": 1}, "c": {}}, [{"op": "move", "from": "/a/b", "path": "/c/d"}], {"a": {}, "c": {"d": 1}}),
    ({"a": [1, 2, 3]}, [{"op": "move", "from": "/a/0", "path": "/a/2"}], {"a": [2, 3, 1]}),
    ({"a": 1}, [{"op": "move", "from": "/a", "path": "/a"}], {"a": 1}),
    ({"a": {"b": 1}}, [{"op": "move", "from": "/a", "path": "/a/b"}], 400),
    ({"a": 1}, [{"op": "move", "from": "/b", "path": "/a"}], 409),
    ({"a": {"b": [1]}}, [{"op": "copy", "from": "/a", "path": "/c"}], {"a": {"b": [1]}, "c": {"b": [1]}}),
    ({"a": 1}, [{"op": "copy", "from": "", "path": "/b"}], {"a": 1, "b": {"a": 1}}),
    ({"a": 1}, [{"op": "copy", "from": "/x", "path": "/b"}], 409),
    ({"a": 1}, [{"op": "test", "path": "/a", "value": 1.0}], {"a": 1}),
    ({"a": 1}, [{"op": "test", "path": "/a", "value": "1"}], 409),
    ({"a": {"x": 1, "y": [2, None]}}, [{"op": "test", "path": "/a", "value": {"y": [2, None], "x": 1}}], {"a": {"x": 1, "y": [2, None]}}),
    ({"a": [1, 2]}, [{"op": "test", "path": "/a", "value": [2, 1]}], 409),
    ({"a": None}, [{"op": "test", "path": "/a", "value": None}], {"a": None}),
    ({}, [{"op": "test", "path": "/a", "value": None}], 409),
    ({"a": False}, [{"op": "test", "path": "/a", "value": 0}], 409),
    ({"a": 1}, [{"op": "replace", "path": "/a", "value": 2}, {"op": "test", "path": "/a", "value": 1}], 409),
    ({"a": 1}, [{"op": "spam", "path": "/a", "value": 2}], 400),
    ({"a": 1}, [{"op": "add", "path": "/b"}], 400),
    ({"a": 1}, [{"op": "add", "path": "b", "value": 1}], 400),
    ({"a": 1}, [{"op": "add", "path": 7, "value": 1}], 400),
    ({"a": 1}, [{"op": "add", "value": 1}], 400),
    ({"a": 1}, [{"op": "copy", "path": "/b"}], 400),
    ({"a": 1}, [7], 400),
    ({"a": 1}, {"op": "add"}, 400),
]


@pytest.mark.parametrize("before, patch, after", VECTORS, ids=lambda each: json.dumps(each)[:60])
def test_json_patch(before: Any, patch: Any, after: Any) -> None:
    with Mock(PATCHES) as mock:
        assert ask(mock, "PUT", "/v1/docs/x", before)[0] == 200
        whole = ask(mock, "GET", "/v1/docs/x")[1]
        status, value = ask(mock, "PATCH", "/v1/docs/x", patch, PATCH)
        if isinstance(after, int):
            assert status == after, value
            assert ask(mock, "GET", "/v1/docs/x")[1] == whole
        else:
            assert (status, value) == (200, after)
            assert ask(mock, "GET", "/v1/docs/x")[1] == after


def test_json_patch_keeps_the_id_and_merge_patch_stays() -> None:
    board = routable.open({"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "servers": [{"url": "https://h.example/v1"}], "paths": {
        "/users": {"post": {"requestBody": {"content": {"application/json": {"schema": NAMED}}}, **result(NAMED)}},
        "/users/{name}": {"parameters": [{"name": "name", "in": "path", "required": True, "schema": {"type": "string"}}], "get": result(NAMED),
                          "patch": {"requestBody": {"content": {PATCH: {"schema": {}}, "application/merge-patch+json": {"schema": {}}}}, **result(NAMED)}}}})
    with Mock(board) as mock:
        ask(mock, "POST", "/v1/users", {"name": "ann"})
        assert ask(mock, "PATCH", "/v1/users/ann", [{"op": "replace", "path": "/name", "value": "bea"}], PATCH)[1] == {"name": "ann"}
        merged = ask(mock, "PATCH", "/v1/users/ann", {"a": {"b": None, "c": 1}, "d": 2}, "application/merge-patch+json")
        assert merged == (200, {"name": "ann", "a": {"c": 1}, "d": 2})
        assert ask(mock, "PATCH", "/v1/users/ann", {"a": {"c": None}, "d": None}, "application/merge-patch+json") == (200, {"name": "ann", "a": {}})
        assert ask(mock, "PATCH", "/v1/users/bea", [], PATCH)[0] == 404
        assert ask(mock, "PATCH", "/v1/users/ann", [], "application/xml")[0] == 415


@pytest.mark.parametrize("patch", [
    [{"op": "add", "path": "/a", "value": ["x" * 1000]}] + [{"op": "copy", "from": "/a", "path": "/a/-"}] * 60,
    [{"op": "copy", "from": "", "path": "/a"}] * 600,
    [{"op": "copy", "from": "/s", "path": f"/{number}"} for number in range(4000)],
], ids=["doubles", "nests", "texts"])
def test_patches_that_grow_are_refused(patch: Any) -> None:
    with Mock(PATCHES) as mock:
        ask(mock, "PUT", "/v1/docs/x", {"s": "y" * 20_000})
        start = time.monotonic()
        status, problem = ask(mock, "PATCH", "/v1/docs/x", patch, PATCH)
        assert status == 413 and "too many steps" in problem["detail"]
        assert time.monotonic() - start < 20
        assert ask(mock, "GET", "/v1/docs/x")[1] == {"s": "y" * 20_000}


# --- Changes ---

USERS: Dict[str, Any] = {"routable": 1, "base": "https://h.example/v1", "types": {"User": NAMED}, "resources": {"user": {
    "path": "users", "id": "name", "type": "User", "can": ["list", "read", "create", "update", "delete"], "has": ["user"]}}}


def test_changes_are_reported_and_fill_another_store() -> None:
    api = routable.open(USERS)
    changes: List[Tuple[str, Any]] = []
    with Mock(api, changed=lambda path, value: changes.append((path, value))) as mock, Mock(api) as again:
        ask(mock, "POST", "/v1/users", {"name": "a/b"})
        ask(mock, "POST", "/v1/users/a%2Fb/users", {"name": "bea"})
        ask(mock, "POST", "/v1/users", {"name": "cat"})
        ask(mock, "DELETE", "/v1/users/cat")
        assert changes == [("v1/users/a%2Fb", {"name": "a/b"}), ("v1/users/a%2Fb/users/bea", {"name": "bea"}),
                           ("v1/users/cat", {"name": "cat"}), ("v1/users/cat", REMOVED)]
        for path, value in changes:
            again.put(path, value)
        again.put("v1/users/nobody", REMOVED)
        assert len(again) == len(mock) == 2
        assert ask(again, "GET", "/v1/users/a%2Fb/users/bea") == (200, {"name": "bea"})
        with pytest.raises(routable.ArgumentError):
            again.put("", {})
        with pytest.raises(routable.LimitError):
            again.put("a/" * 300, {})


def test_a_function_that_raises_prevents_the_change() -> None:
    def refuse(path: str, value: Any) -> None:
        raise KeyError(path)

    with Mock(routable.open(USERS), changed=refuse) as mock:
        with pytest.raises(routable.CallbackError) as caught:
            ask(mock, "POST", "/v1/users", {"name": "ann"})
        assert isinstance(caught.value.__cause__, KeyError)
        assert len(mock) == 0 and ask(mock, "GET", "/v1/users") == (200, [])


# --- Many members, deep paths and threads ---

IDS = [chr(number) for number in range(1, 0x250) if chr(number) not in ""] + ["a" * 3000, "..", ".", "%2F", "a%b", "é", "😃", " ", "a b", "null", "0"]


def test_ids_of_every_character() -> None:
    from urllib.parse import quote

    with Mock(routable.open(USERS)) as mock:
        refused = []
        for identity in IDS:
            status, value = ask(mock, "POST", "/v1/users", {"name": identity})
            assert status == 201, (identity, status, value)
            if value["name"] != identity:
                refused.append(identity)  # no path can contain it
                assert ask(mock, "DELETE", f"/v1/users/{value['name']}")[0] == 204
                continue
            place = "/v1/users/" + quote(identity, safe="")
            assert ask(mock, "GET", place) == (200, {"name": identity})
            assert ask(mock, "DELETE", place)[0] == 204
            assert ask(mock, "GET", place)[0] == 404
        assert set(refused) <= {".", ".."}


def test_deep_parents() -> None:
    with Mock(routable.open(USERS)) as mock:
        path = "/v1/users"
        # A path has at most 32 ids.
        for depth in range(32):
            assert ask(mock, "POST", path, {"name": f"u{depth}"})[0] == 201
            path += f"/u{depth}/users"
        assert len(mock) == 32 and ask(mock, "GET", path[:-6]) == (200, {"name": "u31"})
        assert ask(mock, "DELETE", "/v1/users/u0")[0] == 204
        assert len(mock) == 0 and ask(mock, "GET", path)[0] == 404
        assert ask(mock, "GET", "/v1" + "/users/a" * 200)[0] in (404, 414)


def test_one_store_from_eight_threads() -> None:
    with Mock(routable.open(USERS)) as mock:
        failures: List[object] = []

        def work(number: int) -> None:
            for index in range(100):
                name = f"t{number}x{index}"
                if ask(mock, "POST", "/v1/users", {"name": name})[0] != 201 or ask(mock, "GET", f"/v1/users/{name}") != (200, {"name": name}):
                    failures.append(name)
                if index % 2 and ask(mock, "DELETE", f"/v1/users/{name}")[0] != 204:
                    failures.append(name)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not failures and len(mock) == len(ask(mock, "GET", "/v1/users")[1]) == 400
