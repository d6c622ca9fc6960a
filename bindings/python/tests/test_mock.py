"""A mock stores the resources that requests create, and responds to all other requests as the description declares (docs/mock.md)."""

from __future__ import annotations

import json
from typing import Any, Dict, Iterator, List, Tuple

import pytest
import routable
from routable.testing import Mock

BOARD = {
    "routable": 1, "base": "https://api.example.com/v1",
    "types": {
        "User": {"type": "object", "required": ["name"], "properties": {
            "name": {"type": "string"}, "email": {"type": "string", "format": "email"}, "age": {"type": "integer", "minimum": 0}}},
        "Note": {"type": "object", "required": ["text"], "properties": {
            "number": {"type": "integer", "readOnly": True}, "text": {"type": "string", "minLength": 1},
            "secret": {"type": "string", "writeOnly": True}, "done": {"type": "boolean"}}}},
    "resources": {
        "user": {"path": "users", "id": "name", "type": "User", "can": ["list", "read", "create", "update", "delete"], "has": ["note"]},
        "note": {"path": "notes", "id": {"name": "number", "type": "integer"}, "nested": True, "type": "Note",
                 "can": ["list", "read", "create", "update", "delete"]}},
    "operations": {"health": {"get": "/health", "results": {"200": {"type": "object", "required": ["ok"], "properties": {
        "ok": {"type": "boolean"}}}}}},
}


@pytest.fixture(scope="module")
def api() -> routable.Router:
    return routable.open(BOARD)


@pytest.fixture
def mock(api: routable.Router) -> Iterator[Mock]:
    with Mock(api, seed=1) as made:
        yield made


@pytest.fixture
def client(mock: Mock) -> Iterator[routable.Client]:
    with routable.Client(transport=mock, deviations="raise") as made:
        yield made


def ask(mock: Mock, method: str, path: str, body: object = None, **headers: str) -> Tuple[int, Any, Dict[str, str]]:
    lines = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    if body is not None:
        lines.append((b"Content-Type", b"application/json"))
    response = mock.respond(method, "/v1" + path, lines, b"" if body is None else json.dumps(body).encode())
    return response.status, json.loads(response.body) if response.body else None, dict(response.headers)


def test_created_members_are_read_listed_changed_and_deleted(api: routable.Router, client: routable.Client, mock: Mock) -> None:
    created = client.perform(api.user.create({"name": "ann", "age": 3}))
    assert (created.status, created.headers["Location"]) == (201, "/v1/users/ann")
    assert client.perform(api.user("ann").read()).value == {"name": "ann", "age": 3}
    assert client.perform(api.user.list()).value == [{"name": "ann", "age": 3}]
    client.perform(api.user("ann").update({"name": "ann", "age": 4}))
    assert client.perform(api.user("ann").read()).value == {"name": "ann", "age": 4}
    note = client.perform(api.user("ann").note.create({"text": "tea", "secret": "s"}))
    assert note.value == {"text": "tea", "number": 1}
    assert len(mock) == 2
    client.perform(api.user("ann").delete())
    for gone in (api.user("ann").read(), api.user("ann").note(1).read(), api.user("ann").note.create({"text": "x"})):
        with pytest.raises(routable.HTTPStatusError) as caught:
            client.perform(gone)
        assert caught.value.response.status == 404


def test_members_are_found_below_their_parents_only(mock: Mock) -> None:
    assert ask(mock, "POST", "/users/ann/notes", {"text": "x"})[0] == 404
    for name in ("ann", "bob"):
        ask(mock, "POST", "/users", {"name": name})
    ask(mock, "POST", "/users/ann/notes", {"text": "x"})
    assert [ask(mock, "GET", f"/users/{name}/notes/1")[0] for name in ("ann", "bob")] == [200, 404]
    ask(mock, "DELETE", "/users/ann")
    ask(mock, "POST", "/users", {"name": "ann"})
    assert ask(mock, "GET", "/users/ann/notes")[1] == []


def test_a_change_that_fails_keeps_the_members_below(api: routable.Router) -> None:
    fails: List[bool] = []

    def changed(path: str, value: object) -> None:
        if fails:
            raise OSError("the disk is full")

    with Mock(api, changed=changed) as mock:
        ask(mock, "POST", "/users", {"name": "ann"})
        ask(mock, "POST", "/users/ann/notes", {"text": "x"})
        fails.append(True)
        for method, path, body in (("DELETE", "/users/ann", None), ("POST", "/users", {"name": "bob"}), ("POST", "/users/ann/notes", {"text": "y"})):
            with pytest.raises(routable.CallbackError):
                ask(mock, method, path, body)
        fails.clear()
        assert ask(mock, "GET", "/users")[1] == [{"name": "ann"}]
        assert [note["number"] for note in ask(mock, "GET", "/users/ann/notes")[1]] == [1]
        assert len(mock) == 2 and ask(mock, "POST", "/users/ann/notes", {"text": "z"})[1]["number"] == 2


def test_invalid_requests_are_refused_as_by_a_service(mock: Mock) -> None:
    ask(mock, "POST", "/users", {"name": "ann"})
    assert ask(mock, "POST", "/users", {"name": "ann"})[0] == 409
    assert ask(mock, "POST", "/users", {"age": -1})[0] == 422
    status, _, headers = ask(mock, "PATCH", "/users/ann", {})
    assert (status, headers["Allow"]) == (405, "DELETE, GET, HEAD, PUT")
    assert mock.respond("POST", "/v1/users", [(b"Content-Type", b"text/plain")], b"x").status == 415
    assert ask(mock, "GET", "/nothing")[0] == 404
    assert ask(mock, "GET", "/users/ann", Accept="text/csv")[0] == 406


def test_put_creates_only_where_nothing_else_does(mock: Mock) -> None:
    assert ask(mock, "PUT", "/users/zoe", {"name": "zoe"})[0] == 404
    by_key = routable.open({"routable": 1, "base": "https://h.example/v1", "operations": {
        "list": {"get": "/flags"}, "read": {"get": "/flags/{key}"}, "set": {"put": "/flags/{key}", "body": {"type": "object"}, "results": {"200": True, "201": True}}}})
    with Mock(by_key) as other:
        assert [ask(other, "PUT", "/flags/a", {"on": on})[0] for on in (True, False)] == [201, 200]
        assert ask(other, "GET", "/flags/a")[1] == {"on": False, "key": "a"} or ask(other, "GET", "/flags/a")[1] == {"on": False}
        assert ask(other, "GET", "/flags/b")[0] == 404


#: Declarations of a list in pages, and the query of the request.
PAGES = [
    ({"by": "page", "parameter": "page", "size": "per_page", "items": "/items", "total": "/total"}, {"per_page": 2}),
    ({"by": "page", "parameter": "page", "size": "per_page", "start": 0, "items": "/items", "more": "/more"}, {"per_page": 3}),
    ({"by": "offset", "parameter": "offset", "size": "limit", "items": "/items", "total": "/total"}, {"limit": 2}),
    ({"by": "cursor", "parameter": "cursor", "at": "/next", "items": "/items"}, {"limit": 2}),
    ({"by": "link", "items": "/items"}, {"limit": 2}),
    ({"by": "link", "at": "/next", "items": "/items"}, {"limit": 3}),
]


@pytest.mark.parametrize("pagination, query", PAGES, ids=lambda each: json.dumps(each))
def test_lists_come_in_pages_as_they_are_declared(pagination: Dict[str, Any], query: Dict[str, int]) -> None:
    names = {"page", "per_page", "offset", "limit", "cursor"}
    api = routable.open({
        "routable": 1, "base": "https://h.example/v1",
        "types": {"User": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}},
                  "Page": {"type": "object", "required": ["items"], "properties": {
                      "items": {"type": "array", "items": {"$ref": "#/types/User"}}, "total": {"type": "integer"}, "more": {"type": "boolean"},
                      "next": {"type": ["string", "null"]}}}},
        "operations": {
            "create": {"post": "/users", "body": {"$ref": "#/types/User"}}, "read": {"get": "/users/{name}", "results": {"200": {"$ref": "#/types/User"}}},
            "list": {"get": "/users", "query": {name: {"type": "string" if name == "cursor" else "integer"} for name in names},
                     "results": {"200": {"$ref": "#/types/Page"}}, "pagination": pagination}}})
    with Mock(api) as mock, routable.Client(transport=mock, deviations="raise") as client:
        for number in range(5):
            client.perform(api.operations["create"]({"name": f"n{number}"}))
        request = api.operations["list"](**query)
        pages = [len(page.value["items"]) for page in client.pages(request)]
        assert pages[0] == next(iter(query.values())) and sum(pages) == 5
        assert [item["name"] for item in client.items(request)] == [f"n{number}" for number in range(5)]


def test_an_item_is_found_by_its_status_and_replaced_by_its_body() -> None:
    pet = {"type": "object", "required": ["name"], "properties": {"id": {"type": "integer"}, "name": {"type": "string"}, "status": {"type": "string"}}}
    result = {"200": pet}
    api = routable.open({"routable": 1, "base": "https://h.example/v1", "operations": {
        "add": {"post": "/pets", "body": pet, "results": result}, "replace": {"put": "/pets", "body": pet, "results": result},
        "read": {"get": "/pets/{petId}", "results": result},
        "find": {"get": "/pets/find", "query": {"status": {"type": "string"}, "limit": {"type": "integer"}},
                 "results": {"200": {"type": "array", "items": pet}}}}})
    with Mock(api) as mock:
        for status in ("free", "sold", "free"):
            ask(mock, "POST", "/pets", {"name": "a", "status": status})
        assert [each["id"] for each in ask(mock, "GET", "/pets/find?status=free")[1]] == [1, 3]
        assert len(ask(mock, "GET", "/pets/find?limit=2")[1]) == 2
        assert ask(mock, "PUT", "/pets", {"id": 2, "name": "b"})[1] == {"id": 2, "name": "b"}
        assert ask(mock, "GET", "/pets/2")[1] == {"id": 2, "name": "b"}
        assert [ask(mock, "PUT", "/pets", each)[0] for each in ({"id": 9, "name": "b"}, {"name": "b"})] == [404, 422]


def test_a_fault_applies_to_its_route_and_operation(mock: Mock) -> None:
    mock.fault("list", route="user.note", status=503)
    mock.fault("create", status=500)
    assert ask(mock, "GET", "/users")[0] == 200
    assert [ask(mock, "POST", "/users", {"name": "ann"})[0] for _ in range(2)] == [500, 201]
    assert [ask(mock, "GET", "/users/ann/notes")[0] for _ in range(2)] == [503, 200]


def test_a_mock_issues_oauth2_tokens() -> None:
    api = routable.open({"routable": 1, "base": "https://h.example", "auth": {"login": {
        "scheme": "oauth2", "token_url": "https://h.example/token"}}, "operations": {"me": {"get": "/me", "auth": ["login"]}}})
    with Mock(api) as mock, routable.Client(transport=mock) as client:
        client.set_credential("login", routable.Credential(client_id="robot", client_secret="secret"))
        assert client.perform(api.operations["me"]()).status in (200, 204)


def test_preconditions_are_compared_with_the_stored_member(mock: Mock) -> None:
    ask(mock, "POST", "/users", {"name": "ann"})
    etag = ask(mock, "GET", "/users/ann")[2]["ETag"]
    assert ask(mock, "PUT", "/users/ann", {"name": "ann", "age": 1}, If_Match=etag)[0] == 200
    assert ask(mock, "PUT", "/users/ann", {"name": "ann", "age": 2}, If_Match=etag)[0] == 412
    assert ask(mock, "GET", "/users/ann", If_None_Match=ask(mock, "GET", "/users/ann")[2]["ETag"])[0] == 304
    assert ask(mock, "DELETE", "/users/ann", If_Match=etag)[0] == 412


def test_the_same_requests_give_the_same_responses(api: routable.Router) -> None:
    def run(seed: int) -> List[Any]:
        with Mock(api, seed=seed) as mock:
            return [ask(mock, "POST", "/users", {"name": "ann"}), ask(mock, "GET", "/health"), ask(mock, "POST", "/users/ann/notes", {"text": "x"})]

    assert run(7) == run(7)
    with Mock(api) as mock:
        first = ask(mock, "POST", "/users", {"name": "ann"}), ask(mock, "GET", "/health")
        mock.reset()
        assert len(mock) == 0
        assert (ask(mock, "POST", "/users", {"name": "ann"}), ask(mock, "GET", "/health")) == first


def test_faults_apply_to_their_operation(api: routable.Router, mock: Mock) -> None:
    mock.fault("list", route="user", status=503, retry_after=0, times=2)
    with routable.Client(transport=mock, retries=3, retry_delay=0.001) as client:
        assert client.perform(api.user.list()).attempts[1:]
        client.perform(api.user.create({"name": "ann"}))
        mock.fault("read", fault="reset")
        assert client.perform(api.user("ann").read()).attempts
        mock.fault("read", wrong_body=True)
        response = client.perform(api.user("ann").read())
        assert response.deviations
    wrong: List[Dict[str, Any]] = [
        {}, {"status": 200}, {"status": 503, "rate": 2}, {"retry_after": 1}, {"status": 503, "fault": "reset"}, {"status": 503, "wrong_body": True},
        {"fault": "nothing"}, {"delay": -1}]
    for each in wrong:
        with pytest.raises(routable.ArgumentError):
            mock.fault(**each)
    assert ask(mock, "GET", "/users/ann")[0] == 200


def test_id_pointer_selects_the_member_with_the_id(api: routable.Router) -> None:
    for wrong in ("id", "/"):
        with pytest.raises(routable.ArgumentError):
            Mock(api, id_pointer=wrong)
    with Mock(api, id_pointer="/email") as mock:
        assert ask(mock, "POST", "/users", {"name": "ann", "email": "a@example.com"})[2]["Location"] == "/v1/users/a%40example.com"


def test_deleting_returns_the_member_only_if_declared(mock: Mock) -> None:
    ask(mock, "POST", "/users", {"name": "ann"})
    assert ask(mock, "DELETE", "/users/ann")[:2] == (204, None)


def test_a_share_of_the_requests_fails(api: routable.Router) -> None:
    def statuses(seed: int) -> List[int]:
        with Mock(api, seed=seed) as mock:
            mock.fault(status=500, times=None, rate=0.1)
            return [ask(mock, "GET", "/health")[0] for _ in range(1000)]

    found = statuses(3)
    assert 60 < found.count(500) < 140
    assert found == statuses(3)
    assert found != statuses(4)


OPENAPI = {
    "openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "servers": [{"url": "https://pets.test/v1"}],
    "paths": {
        "/pets": {
            "get": {"operationId": "listPets", "parameters": [
                {"name": "status", "in": "query", "schema": {"type": "string"}},
                {"name": "limit", "in": "query", "schema": {"type": "integer"}},
                {"name": "offset", "in": "query", "schema": {"type": "integer"}}],
                "responses": {"200": {"description": "p", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Page"}}}}}},
            "post": {"operationId": "addPet", "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}}},
                     "responses": {"201": {"description": "c", "content": {"application/json": {"schema": {"type": "object", "required": ["data"], "properties": {
                         "data": {"$ref": "#/components/schemas/Pet"}}}}}}}}},
        "/pets/{petId}": {
            "parameters": [{"name": "petId", "in": "path", "required": True, "schema": {"type": "string", "format": "uuid"}}],
            "get": {"operationId": "getPet", "responses": {"200": {"description": "p", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}}}}},
            "patch": {"operationId": "changePet", "requestBody": {"content": {"application/json": {"schema": {"type": "object"}}}},
                      "responses": {"200": {"description": "p", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}}}}},
            "delete": {"operationId": "removePet", "responses": {"204": {"description": "d"}}}},
        "/settings": {
            "get": {"operationId": "settings", "responses": {"200": {"description": "s", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Settings"}}}}}},
            "put": {"operationId": "set", "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Settings"}}}},
                    "responses": {"204": {"description": "s"}}}}},
    "components": {"schemas": {
        "Pet": {"type": "object", "required": ["name", "id", "createdAt"], "properties": {
            "id": {"type": "string", "format": "uuid", "readOnly": True}, "name": {"type": "string"}, "status": {"enum": ["free", "sold"]},
            "createdAt": {"type": "string", "format": "date-time", "readOnly": True}}},
        "Page": {"type": "object", "required": ["items", "total"], "properties": {
            "items": {"type": "array", "items": {"$ref": "#/components/schemas/Pet"}}, "total": {"type": "integer"}}},
        "Settings": {"type": "object", "required": ["theme"], "properties": {"theme": {"enum": ["dark", "light"]}}}}},
}


@pytest.fixture
def pets() -> Iterator[Tuple[routable.Router, routable.Client]]:
    api = routable.open(OPENAPI)
    with Mock(api) as mock, routable.Client(transport=mock, deviations="raise") as client:
        yield api, client


def test_ids_envelopes_pages_and_filters_of_openapi(pets: Tuple[routable.Router, routable.Client]) -> None:
    api, client = pets
    names = [f"pet{number}" for number in range(5)]
    made = [client.perform(api.operations["addPet"]({"name": name, "status": "sold" if name == "pet3" else "free"})).value["data"] for name in names]
    assert len({pet["id"] for pet in made}) == 5 and all(len(pet["id"]) == 36 for pet in made)
    assert client.perform(api.operations["getPet"](petId=made[1]["id"])).value == made[1]
    page = client.perform(api.operations["listPets"](limit=2))
    assert ([pet["name"] for pet in page.value["items"]], page.value["total"]) == (["pet0", "pet1"], 5)
    assert page.headers["Link"] == '</v1/pets?limit=2&offset=2>; rel="next"'
    last = client.perform(api.operations["listPets"](limit=2, offset=4))
    assert [pet["name"] for pet in last.value["items"]] == ["pet4"] and "Link" not in last.headers
    assert [pet["name"] for pet in client.perform(api.operations["listPets"](status="sold")).value["items"]] == ["pet3"]
    changed = client.perform(api.operations["changePet"]({"status": None, "name": "rex"}, petId=made[0]["id"])).value
    assert changed == {"id": made[0]["id"], "name": "rex", "createdAt": made[0]["createdAt"]}
    assert client.perform(api.operations["removePet"](petId=made[0]["id"])).status == 204


def test_a_singleton_exists_and_is_stored(pets: Tuple[routable.Router, routable.Client]) -> None:
    api, client = pets
    before = client.perform(api.operations["settings"]()).value["theme"]
    other = "light" if before == "dark" else "dark"
    client.perform(api.operations["set"]({"theme": other}))
    assert client.perform(api.operations["settings"]()).value == {"theme": other}


def test_credentials_are_required_and_never_verified() -> None:
    closed = {**BOARD, "auth": {"session": {"scheme": "bearer"}}, "resources": {
        "user": {"path": "users", "id": "name", "type": "User", "can": ["list"], "auth": ["session"]}}}
    api = routable.open(closed)
    with Mock(api) as mock, Mock(api, anonymous=True) as open_mock:
        assert ask(mock, "GET", "/users")[0] == 401
        assert ask(mock, "GET", "/users", Authorization="Bearer anything")[0] == 200
        assert ask(open_mock, "GET", "/users")[0] == 200


def test_a_mock_is_a_wsgi_application(mock: Mock) -> None:
    seen: List[Any] = []
    environ = {"REQUEST_METHOD": "GET", "PATH_INFO": "/v1/users", "SCRIPT_NAME": "", "QUERY_STRING": ""}
    body = b"".join(mock.wsgi(environ, lambda status, headers: seen.append((status, dict(headers)))))
    assert (body, seen[0][0], seen[0][1]["Content-Type"]) == (b"[]", "200 OK", "application/json")


def test_respond_accepts_strings_and_bytes(mock: Mock) -> None:
    assert mock.respond("POST", "/v1/users", {"Content-Type": "application/json"}, b'{"name": "ann"}').status == 201
    assert mock.respond("GET", b"/v1/users/ann", [("Accept", "text/csv")]).status == 406
    with pytest.raises(TypeError):
        mock.respond("GET", "/v1/users", (), "text")  # type: ignore[arg-type]


def test_samples_are_valid_and_repeat() -> None:
    schema = routable.Schema({"type": "object", "required": ["id", "tags", "kind"], "properties": {
        "id": {"type": "string", "pattern": "^[A-Z]{2}-[0-9]{4,6}$"}, "tags": {"type": "array", "minItems": 2, "uniqueItems": True, "items": {"enum": ["a", "b", "c"]}},
        "kind": {"oneOf": [{"const": "x"}, {"type": "integer", "multipleOf": 5, "minimum": 11}]},
        "when": {"type": "string", "format": "date-time"}, "next": {"$ref": "#"}}, "additionalProperties": False})
    for seed in range(200):
        for varied in (False, True):
            value = schema.sample(seed=seed, varied=varied)
            schema.check(value)
            assert value == schema.sample(seed=seed, varied=varied)
    with pytest.raises(routable.UnsupportedError):
        routable.Schema(False).sample()
    for schema_of_much in ({"type": "array", "minItems": 100_000_000}, {"type": "string", "minLength": 10**9},
                           {"type": "array", "minItems": 1000, "items": {"type": "array", "minItems": 1000, "items": {"type": "array", "minItems": 1000}}}):
        with pytest.raises(routable.UnsupportedError):
            routable.Schema(schema_of_much).sample()




def test_a_put_that_creates_has_a_status_that_is_declared() -> None:
    item = {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}
    content = {"content": {"application/json": {"schema": item}}}
    for declared, expected in (["200"], 200), (["200", "201"], 201), (["2XX"], 201), (["204"], 204):
        responses = {status: {"description": "", **({} if status == "204" else content)} for status in declared}
        api = routable.open({
            "openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "servers": [{"url": "https://h.test"}], "paths": {
                "/files": {"get": {"responses": {"200": {"description": ""}}}},
                "/files/{name}": {
                    "parameters": [{"name": "name", "in": "path", "required": True, "schema": {"type": "string"}}],
                    "get": {"responses": {"200": {"description": "", **content}}},
                    "put": {"requestBody": {"required": True, **content}, "responses": responses}}}})
        with Mock(api) as mock:
            reply = mock.respond("PUT", "/files/a", {"Content-Type": "application/json"}, b'{"name":"a"}')
            assert reply.status == expected, (declared, reply)
