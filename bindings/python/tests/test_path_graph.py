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


def test_ids_may_come_one_by_one_and_by_name(desk: routable.Router) -> None:
    assert desk.repos("o")("r").read().url == "https://desk.test/repos/o/r"
    assert desk.repos(owner="o", repo="r").issues(number=3).read().url == "https://desk.test/repos/o/r/issues/3"
    assert repr(desk.repos("o", "r").issues) == "<routable repos('o', 'r').issues: list, create; has comments>"
    assert repr(desk.repos("o", "r").issues(5)) == "<routable repos('o', 'r').issues(5): read, close; has comments>"
    assert repr(desk.repos("o", "r").issues.comments(7)) == "<routable repos('o', 'r').issues.comments(7): read>"


def test_an_operation_of_the_document_keeps_its_name(desk: routable.Router) -> None:
    """A resource with the name of an operation, or of a method of the router, is an item."""
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
def test_refusals(desk: routable.Router, walk: Any, kind: Any, part: str) -> None:
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
    assert "repos.issues           list read create close  has comments comments" in desk.map()
    rows = {row["pattern"]: row for row in desk.routes(as_json=True) if row["verb"] == "GET"}
    row = rows["/repos/:owner/:repo/issues/:number"]
    assert row == {
        "prefix": "issues/get", "verb": "GET", "pattern": "/repos/:owner/:repo/issues/:number", "route": "repos.issues",
        "resource": "issues", "operation": "read", "operation_id": "issues/get"}
    assert "repos.issues#read" in desk.routes()
