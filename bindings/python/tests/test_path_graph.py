"""The resources that are derived from the paths of an OpenAPI document: walks, names, refusals and introspection."""

from __future__ import annotations

from typing import Any, Dict

import pytest
import routable
from routable import errors, using


def _operation(name: str, *path: str) -> Dict[str, Any]:
    return {
        "operationId": name,
        "parameters": [{"name": each, "in": "path", "required": True, "schema": {"type": "string"}} for each in path]
        + [{"name": "page", "in": "query", "schema": {"type": "integer"}}],
        "responses": {"200": {"description": "", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}}},
    }


DESK: Dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "Desk", "version": "1"},
    "servers": [{"url": "https://desk.test"}],
    "components": {"schemas": {"Thing": {"type": "object"}}},
    "paths": {
        "/repos/{owner}/{repo}": {"get": _operation("repos/get", "owner", "repo")},
        "/repos/{owner}/{repo}/issues": {
            "get": _operation("issues/list", "owner", "repo"),
            "post": {**_operation("issues/create", "owner", "repo"), "requestBody": {"content": {"application/json": {}}}},
        },
        "/repos/{owner}/{repo}/issues/comments": {"get": _operation("comments/all", "owner", "repo")},
        "/repos/{owner}/{repo}/issues/comments/{id}": {"get": _operation("comments/get", "owner", "repo", "id")},
        "/repos/{owner}/{repo}/issues/{number}": {"get": _operation("issues/get", "owner", "repo", "number")},
        "/repos/{owner}/{repo}/issues/{number}/comments": {"get": _operation("comments/list", "owner", "repo", "number")},
        "/repos/{owner}/{repo}/issues/{number}/close": {"post": _operation("close", "owner", "repo", "number")},
        "/museum-hours": {"get": _operation("hours")},
        "/search": {"get": _operation("search")},
        "/map": {"get": _operation("showMap")},
        "/{tenant}": {"get": _operation("tenant", "tenant")},
    },
}


@pytest.fixture
def desk() -> routable.Router:
    return routable.open(DESK)


def test_walks_build_what_the_names_build(desk: routable.Router) -> None:
    repo: Any = desk.repos("octocat", "hello")
    names: Any = desk.operations
    own = {"owner": "octocat", "repo": "hello"}
    for walked, named in (
        (repo.read(), names["repos/get"](**own)),
        (repo.issues.list(page=2), names["issues/list"](page=2, **own)),
        (repo.issues.create({"title": "a"}), names["issues/create"]({"title": "a"}, **own)),
        (repo.issues(5).read(), names["issues/get"](number=5, **own)),
        (repo.issues(5).comments.read(), names["comments/list"](number=5, **own)),
        (repo.issues.comments.list(), names["comments/all"](**own)),
        (repo.issues.comments(9).read(using(headers={"X-A": "1"})), names["comments/get"](using(headers={"X-A": "1"}), id=9, **own)),
        (repo.issues(5).close(), names["close"](number=5, **own)),
        (desk.museum_hours.read(), names["hours"]()),
        (desk["museum-hours"].read(), names["hours"]()),
        (desk["tenant"]("a").read(), names["tenant"](tenant="a")),
        (desk.build("repos.issues", "read", owner="octocat", repo="hello", number=5), names["issues/get"](number=5, **own)),
        (desk.build("repos.issues/comments", "list", using(ids=["octocat", "hello"])), names["comments/all"](**own)),
    ):
        assert (walked.method, walked.url, walked.body, dict(walked.headers)) == (
            named.method, named.url, named.body, dict(named.headers))
    plan = desk.plan("repos.issues.comments", "read")
    assert plan("octocat", "hello", "5") == "https://desk.test/repos/octocat/hello/issues/5/comments"


def test_ids_are_given_one_by_one_or_by_name(desk: routable.Router) -> None:
    assert desk.repos("o")("r").read().url == "https://desk.test/repos/o/r"
    assert desk.repos(owner="o", repo="r").issues(number=3).read().url == "https://desk.test/repos/o/r/issues/3"
    assert repr(desk.repos("o", "r").issues) == "<routable repos('o', 'r').issues: list, create; has comments>"
    assert repr(desk.repos("o", "r").issues(5)) == "<routable repos('o', 'r').issues(5): read, close; has comments>"
    assert repr(desk.repos("o", "r").issues.comments(7)) == "<routable repos('o', 'r').issues.comments(7): read>"


def test_an_operation_of_the_document_keeps_its_name(desk: routable.Router) -> None:
    """If a resource has the name of an operation, or of a method of the router, `[]` returns the resource."""
    assert desk.search(page=1).url == "https://desk.test/search?page=1"  # type: ignore[call-arg]
    assert desk["search"].read(page=1).url == "https://desk.test/search?page=1"
    assert isinstance(desk.map(), str)
    assert desk["map"].read().url == "https://desk.test/map"


@pytest.mark.parametrize("walk, kind, part", [
    (lambda api: api.repo, errors.UnknownAttributeError, "repos"),
    (lambda api: api.issues, errors.UnknownAttributeError, "issues"),
    (lambda api: api["issues"], AttributeError, "only available below another resource: repos.issues"),
    (lambda api: api.repos("o", "r").isues, errors.UnknownAttributeError, "issues"),
    (lambda api: api.repos("o", "r").delete, AttributeError, "delete not allowed; allowed: read"),
    (lambda api: api.repos.issues, errors.IdAttributeError, "the ids owner, repo are missing before issues"),
    (lambda api: api.repos("o", "r", "x"), routable.IdError, "3 ids are given"),
    (lambda api: api["museum-hours"]("x"), routable.IdError, "it has no ids"),
    (lambda api: api.repos("o", "r").issues.read(), routable.IdError, "number"),
    (lambda api: api.repos("o", "r").issues(""), None, ""),
    (lambda api: api.repos("o", "r").issues("").read(), routable.ValueRefusedError, "number"),
])
def test_wrong_steps_of_a_walk_are_refused(desk: routable.Router, walk: Any, kind: Any, part: str) -> None:
    if kind is None:
        walk(desk)  # values are validated when a request is built
        return
    with pytest.raises(kind) as raised:
        walk(desk)
    assert part in str(raised.value)


def test_resources_are_described_by_their_routes(desk: routable.Router) -> None:
    assert list(desk.resources) == [
        "tenant", "repos", "repos.issues", "repos.issues/comments", "repos.issues.comments", "museum-hours", "search", "map"]
    issues = desk.resources["repos.issues"]
    assert (issues.name, issues.route, issues.place, issues.is_root) == ("issues", "repos.issues", "member", False)
    assert issues.capabilities == ("list", "read", "create")
    assert issues.children == ("comments",)
    assert [each.name for each in issues.ids] == ["number"]
    assert issues.type == "Thing"
    assert issues.operations["close"].standalone_name == "close"
    assert issues.operations["list"].standalone_name == "issues/list"
    assert desk.operations["issues/list"].description.standalone_name is None
    assert desk.resources["repos.issues/comments"].place == "collection"
    assert repr(desk) == "<routable.Router 'Desk': 8 resources, 12 operations>"
    assert not [each for each in desk.warnings if "map" in each]


def test_map_and_routes_show_the_walks(desk: routable.Router) -> None:
    assert "repos.issues           list read create close  has /comments comments" in desk.map()
    rows = {row["pattern"]: row for row in desk.routes(as_json=True) if row["verb"] == "GET"}
    row = rows["/repos/:owner/:repo/issues/:number"]
    assert row == {
        "prefix": "issues/get", "verb": "GET", "pattern": "/repos/:owner/:repo/issues/:number", "route": "repos.issues",
        "resource": "issues", "operation": "read", "operation_id": "issues/get"}
    assert "repos.issues#read" in desk.routes()


def _document(*operations: str, schema: Any = None) -> Dict[str, Any]:
    """A document of lines such as `GET /pets/{id} readPet`."""
    paths: Dict[str, Any] = {}
    for line in operations:
        method, path, *name = line.split()
        made: Dict[str, Any] = {
            "responses": {"200": {"description": "", "content": {"application/json": {"schema": schema or {"type": "object"}}}}},
            "parameters": [
                {"name": each[1:-1], "in": "path", "required": True, "schema": {"type": "string"}}
                for each in path.partition("#")[0].replace(":", "/").split("/") if each.startswith("{")]}
        if name:
            made["operationId"] = name[0]
        paths.setdefault(path, {})[method.lower()] = made
    return {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "servers": [{"url": "https://t.test"}], "paths": paths}


def _mapped(document: Dict[str, Any]) -> Dict[str, str]:
    with routable.open(document) as router:
        lines = [line.split(None, 1) for line in router.map().splitlines()]
        return {line[0]: " ".join(line[1].partition("->")[0].split()) if line[1:] else "" for line in lines}


@pytest.mark.parametrize("operations, expected", [
    # A segment with only a POST or a PUT is an action.
    (("GET /w/{id} w", "PUT /w/{id}/enable on", "POST /w/{id}/run r"), {"w": "read enable run"}),
    (("POST /ai/ask ask", "POST /ai/stop stop"), {"ai": "ask stop"}),
    (("GET /w/{id} w", "POST /w/{id}/tokens createToken"), {"w": "read has tokens", "w.tokens": "create"}),
    (("GET /w/{id} w", "POST /w/{id}/replies c/create-reply-for-w"), {"w": "read has replies", "w.replies": "create"}),
    (("GET /w/{id} w", "POST /w/{id}/generate w/create-from-w"), {"w": "read generate"}),
    (("GET /w/{id} w", "POST /w/{id}/add addToW"), {"w": "read add"}),
    (("GET /w/{id} w", "POST /w/createWithList createWithList"), {"w": "read createWithList"}),
    (("GET /f/{id} f", "GET /f/up/{u} u", "POST /f/{id}/up p"), {"f": "read has /up up", "f/up": "read", "f.up": "create"}),
    (("GET /f/{id} f", "GET /ups/{u} u", "POST /f/{id}/ups p"), {"f": "read has ups", "f.ups": "create", "ups": "read"}),
    (("POST /reset reset",), {"reset": "create"}),
    # Operations on whole collections.
    (("GET /w l", "DELETE /w d", "GET /w/{id} w"), {"w": "list read delete_all"}),
    (("GET /w l", "PUT /w changeW", "GET /w/{id} w"), {"w": "list read changeW"}),
    # POST on a member.
    (("GET /w/{id} w", "POST /w/{id} changeW"), {"w": "read update"}),
    (("PUT /w/{id} w", "POST /w/{id} restoreW"), {"w": "update restoreW"}),
    (("POST /w createW", "POST /w/{id} UpdateW"), {"w": "create update"}),
    (("POST /w/{id} w/create-w",), {"w": "create"}),
    # Names.
    (("GET /w/{id} w", "PUT /w/{id} get_w_id", "POST /w/{id} post_w_id"), {"w": "read update post"}),
    (("GET /w l", "GET /w/{id} w", "PUT /w w/set-all"), {"w": "list read set-all"}),
    (("PUT /w/{id} put_w", "PUT /w/{id}#share put_w_id#share"), {"w": "update share"}),
    # API keys, literal ids and verbs before a path.
    (("GET /w/{id} w", "GET /w/by-name/{name} n"), {"w": "read by-name"}),
    (("GET /w/{id} w", "PUT /u/{id}/w/0 root"), {"w": "read", "u": "has w", "u.w": "update"}),
    (("GET /m/{a}/{b} r", "PUT /m/{a}/{b} u", "GET /m/x/y r2", "PUT /m/x/y u2"), {"m": "read update has /y", "m/y": "read update"}),
    (("GET /m/{a}/{b} r", "GET /m/x/y r2"), {"m": "read has /x", "m/x": "has y", "m/x.y": "read"}),
    (("GET /p l", "GET /p/{id} r", "GET /watch/p watchP", "GET /watch/p/{id} watchOne"), {"p": "list read watch_list watch"}),
    (("GET /p l", "GET /p/{id} r", "GET /watch/p watchP", "GET /watch/q watchQ"),
     {"p": "list read", "watch": "has p q", "watch.p": "read", "watch.q": "read"}),
    (("GET /p l", "GET /p/{id} r", "GET /admin/p listAll"), {"p": "list read", "admin": "has p", "admin.p": "read"}),
    # A member with another id, and a resource below it.
    (("GET /t/{id} r", "GET /t/{scope}/{key}/schema s"), {"t": "read has schema", "t.schema": "read"}),
    (("GET /g/{id} r", "GET /g/{id}/{sha} s"), {"g": "read has sha", "g.sha": "read"}),
])
def test_paths_become_resources_by_rules(operations: Any, expected: Dict[str, str]) -> None:
    assert _mapped(_document(*operations)) == expected


OBJECT = {"type": "object"}
OBJECTS = {"type": "array", "items": OBJECT}


def _members(**properties: Any) -> Dict[str, Any]:
    return {"type": "object", "properties": properties}


@pytest.mark.parametrize("schema, expected", [
    (OBJECTS, "list"),
    (OBJECT, "read"),
    (_members(pets=OBJECTS), "list"),
    (_members(others=OBJECTS), "read"),
    (_members(others=OBJECTS, total_count={"type": "integer"}), "list"),
    (_members(items={"type": "array", "items": {"allOf": [{"$ref": "#/components/schemas/P"}]}}, metadata=OBJECT), "list"),
    (_members(entries=OBJECTS, order=OBJECTS), "list"),
    (_members(entries=OBJECTS, others=OBJECTS), "read"),
    (_members(pets=OBJECTS, id={"type": "string"}), "read"),
    (_members(pets=OBJECTS, owner=OBJECT), "read"),
    (_members(pets=OBJECTS, **{f"m{number}": {"type": "string"} for number in range(15)}), "read"),
    ({"oneOf": [OBJECTS, _members(pets=OBJECTS)]}, "list"),
    ({"anyOf": [OBJECTS, {"type": "null"}]}, "list"),
    ({"oneOf": [OBJECTS, OBJECT]}, "read"),
])
def test_the_result_of_a_path_decides_between_list_and_read(schema: Any, expected: str) -> None:
    assert _mapped(_document("GET /pets get", schema=schema)) == {"pets": expected}


@pytest.mark.parametrize("schema, expected", [
    ({"type": "integer"}, {"w": "read size"}),
    (_members(size={"type": "integer"}), {"w": "read size"}),
    (OBJECT, {"w": "read has size", "w.size": "read"}),
])
def test_a_segment_with_a_scalar_result_is_an_operation(schema: Any, expected: Dict[str, str]) -> None:
    assert _mapped(_document("GET /w/{id} w", "GET /w/{id}/size s", schema=schema)) == expected


def test_walks_with_ids_that_do_not_belong_to_a_member() -> None:
    with routable.open(_document("GET /t l", "GET /t/{id} r", "GET /t/{scope}/{key}/schema s", "GET /t/by-name/{name} n")) as api:
        assert api.t.read(id="5").url == api.t("5").read().url == "https://t.test/t/5"
        assert api.t("a", "b").schema.read().url == "https://t.test/t/a/b/schema"
        assert api.t.by_name(name="x").url == "https://t.test/t/by-name/x"


def test_a_resource_has_precedence_over_an_operation_of_another_place() -> None:
    document = _document("GET /f/{id} getF", "POST /f/up/open openUp", "DELETE /f/up dropUp", "POST /f/{id}/up go")
    with routable.open(document) as api:
        assert api.f.up.open().url == "https://t.test/f/up/open"
        assert api.f(1).up().url == "https://t.test/f/1/up"


def test_the_type_is_that_of_an_element_of_a_list() -> None:
    document = _document("GET /w l", "POST /w c")
    document["components"] = {"schemas": {"W": OBJECT, "Made": OBJECT}}
    replies = [document["paths"]["/w"][each]["responses"]["200"]["content"]["application/json"] for each in ("get", "post")]
    replies[0]["schema"] = {"type": "array", "items": {"$ref": "#/components/schemas/W"}}
    replies[1]["schema"] = {"$ref": "#/components/schemas/Made"}
    with routable.open(document) as api:
        assert api.resources["w"].type == "W"


def test_a_post_may_be_named_update() -> None:
    document = _document("POST /w/{id}/change changeW", "GET /w/{id} w")
    document["paths"]["/w/{id}/change"]["post"]["x-routable-name"] = "update"
    with routable.open(document) as api:
        assert api.resources["w"].capabilities == ("read", "update")
        assert api.build("w", "update", id="1").method == "POST"
    document["paths"]["/w/{id}/change"]["post"]["x-routable-name"] = "patch"
    with pytest.raises(routable.DocumentError, match='"patch" is the name of a PATCH'):
        routable.open(document)
