"""Graphs of real APIs: resources without a literal, several ids in one step, ids of several segments, empty values, bases
without a host."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Dict, Iterator, Tuple

import pytest

import routable

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


def opened(resources: Dict[str, Any], **rest: Any) -> routable.Router:
    return routable.open({"routable": 1, "base": "http://h", "resources": resources, **rest})


@pytest.fixture()
def code() -> Iterator[routable.Router]:
    with opened({
        "repository": {"path": "repos", "id": ["owner", "repo"], "can": ["list", "create", "read"], "has": ["issue"]},
        "issue": {"path": "issues", "id": {"name": "number", "type": "integer"}, "can": ["list", "read"], "nested": True},
        "image": {"path": "v2", "id": "name...", "has": ["manifest"], "member": {"tags": {"get": "tags/list"}}},
        "manifest": {"path": "manifests", "id": "reference", "can": ["read", "update"], "nested": True},
    }) as router:
        yield router


def test_several_ids_bind_one_by_one(code: routable.Router) -> None:
    issue = code.build("repository.issue", "read", routable.using(ids=["o", "r/x", 7]))
    assert issue.url == "http://h/repos/o/r%2Fx/issues/7"
    named = {"repository_owner": "o", "repository_repo": "r/x", "number": 7}
    assert code.build("repository.issue", "read", routable.using(ids=named)).url == issue.url
    assert code.build("repository", "read", routable.using(ids={"owner": "o", "repo": "r"})).url == "http://h/repos/o/r"
    # A collection has all ids except the last.
    assert code.build("repository", "list", routable.using(ids=["o"])).url == "http://h/repos/o"
    assert code.build("repository", "create", routable.using(ids={"owner": "o"})).url == "http://h/repos/o"
    with pytest.raises(routable.IdError) as caught:
        code.build("repository", "read", routable.using(ids={"id": "o"}))
    assert caught.value.allowed == ("owner", "repo")
    with pytest.raises(routable.IdError, match="id missing: repo"):
        code.build("repository", "read", routable.using(ids=["o"]))


def test_walks_by_attributes(code: routable.Router) -> None:
    assert code.repository("o", "r").issue(7).read().url == "http://h/repos/o/r/issues/7"
    assert code.repository(owner="o", repo="r").read().url == "http://h/repos/o/r"
    assert code.repository("o").list().url == "http://h/repos/o"
    assert code.repository("o")("r").read() is not None
    assert repr(code.repository("o", "r").issue) == "<routable repository('o', 'r').issue: list>"
    with pytest.raises(routable.IdError, match="expected: repo"):
        code.repository("o")("r", "s")
    with pytest.raises(AttributeError, match="the id repo is missing"):
        code.repository("o").issue


def test_matches_return_ids_and_names(code: routable.Router) -> None:
    match = code.match("/repos/o/r%2Fx/issues/7", "GET")
    assert match is not None and (match.route, match.operation) == ("repository.issue", "read")
    assert match.ids == ("o", "r/x", "7")
    assert match.captures == {"repository_owner": "o", "repository_repo": "r/x", "number": "7"}
    assert match.values["number"] == 7
    listed = code.match("/repos/o", "GET")
    assert listed is not None and (listed.route, listed.operation, listed.captures) == ("repository", "list", {"owner": "o"})


@pytest.mark.parametrize(
    "path, name",
    [
        ("/v2/busybox/tags/list", "busybox"),
        ("/v2/library/busybox/tags/list", "library/busybox"),
        ("/v2/a%2Fb/c/tags/list", "a/b/c"),
        ("/v2/a/tags/list/tags/list", "a/tags/list"),
        ("/v2/tags/list/tags/list", "tags/list"),
    ],
)
def test_an_id_of_several_segments_ends_at_the_last_place(code: routable.Router, path: str, name: str) -> None:
    match = code.match(path, "GET")
    assert match is not None and (match.route, match.operation, match.ids) == ("image", "tags", (name,))
    if "%2F" not in path:
        assert code.build("image", "tags", routable.using(ids=[name])).url == "http://h" + path


def test_values_that_would_match_differently_are_refused() -> None:
    api = opened({
        "folder": {"path": "f", "id": "path...", "can": ["read"], "has": ["version"]},
        "version": {"path": "v", "id": "n", "can": ["read"], "nested": True},
    })
    assert api.build("folder", "read", routable.using(ids=["a/b"])).url == "http://h/f/a/b"
    # A route that continues after a value has precedence over one that ends with it.
    with pytest.raises(routable.ShadowedError) as caught:
        api.build("folder", "read", routable.using(ids=["a/v/1"]))
    assert caught.value.allowed == ("version read",)
    match = api.match("/f/a/v/1")
    assert match is not None and (match.route, match.ids) == ("folder.version", ("a", "1"))
    for value in ("", "a//b", "/a", "a/", "a/../b", "."):
        with pytest.raises(routable.ValueRefusedError):
            api.build("folder", "read", routable.using(ids=[value]))
    two = opened({"pair": {"path": "", "id": ["a...", "b..."], "can": ["read"]}})
    assert two.build("pair", "read", routable.using(ids=["x/y", "z"])).url == "http://h/x/y/z"
    with pytest.raises(routable.ValueRefusedError, match="which matches with other values"):
        two.build("pair", "read", routable.using(ids=["x", "y/z"]))


def test_resources_without_a_literal_are_matched() -> None:
    api = opened({
        "account": {"path": "", "can": ["read"], "has": ["project", "file"]},
        "project": {"path": "", "id": "project", "can": ["read", "delete"], "nested": True},
        "file": {"path": "files", "id": "path...", "can": ["read"], "nested": True},
    })
    assert api.build("account", "read", routable.using(ids=["a"])).url == "http://h/a"
    assert api.build("account.project", "read", routable.using(ids=["a", "p"])).url == "http://h/a/p"
    found = {path: api.match(path, "GET") for path in ("/a", "/a/p", "/a/files", "/a/files/x/y")}
    assert [(path, each.route, each.ids) for path, each in found.items() if each] == [
        ("/a", "account", ("a",)), ("/a/p", "account.project", ("a", "p")), ("/a/files", "account.project", ("a", "files")),
        ("/a/files/x/y", "account.file", ("a", "x/y")),
    ]


def test_two_walks_of_one_path_are_both_named() -> None:
    resources = {
        "user": {"path": "u", "has": ["note"]},
        "group": {"path": "", "id": ["kind", "id"], "has": ["note"]},
        "note": {"path": "notes", "can": ["read"], "nested": True},
    }
    with opened(resources):
        pass  # a literal has precedence over a parameter
    resources["user"] = {"path": "", "id": [{"name": "kind", "pattern": "[a-z]+"}, "id"], "has": ["note"]}
    resources["group"]["id"] = [{"name": "kind", "pattern": "[a-y]+"}, "id"]
    with pytest.raises(routable.ConflictError) as caught:
        opened(resources)
    assert caught.value.allowed == ("group.note read", "user.note read")
    with pytest.raises(routable.ConflictError, match="have the same path and nested resource"):
        opened({"a": {"path": "x", "has": ["c"]}, "b": {"path": "x", "has": ["c"]}, "c": {"path": "c", "can": ["read"]}})
    with pytest.raises(routable.ConflictError, match="have the same method and path"):
        opened({"a": {"path": "", "can": ["read"], "has": ["b"]}, "b": {"path": "", "can": ["list"], "nested": True}})


def test_the_limit_counts_ids() -> None:
    api = opened({"pair": {"path": "p", "id": ["a", "b"], "can": ["list", "read"], "has": ["pair"]}})
    route = ".".join(["pair"] * 16)
    ids = [str(number) for number in range(32)]
    url = api.build(route, "read", routable.using(ids=ids)).url
    match = api.match(url)
    assert match is not None and (match.route, list(match.ids)) == (route, ids)
    with pytest.raises(routable.LimitError):
        api.plan(route + ".pair", "list")
    one = opened({"one": {"path": "p", "can": ["list"], "has": ["one"]}})
    route = ".".join(["one"] * 33)  # 32 ids, and the collection after them
    match = one.match(one.build(route, "list", routable.using(ids=ids)).url)
    assert match is not None and match.route == route
    with pytest.raises(routable.LimitError):
        one.plan(route + ".one", "list")


def test_the_route_table_shows_several_ids(code: routable.Router) -> None:
    table = code.routes()
    for pattern in ("/repos/:owner ", "/repos/:owner/:repo ", "/repos/:repository_owner/:repository_repo/issues/:number ",
                    "/v2/*name/tags/list ", "/v2/*image_id/manifests/:reference "):
        assert pattern in table, (pattern, table)
    document = code.document
    assert document["resources"]["repository"]["id"] == ["owner", "repo"]
    assert document["resources"]["image"]["id"] == "name..."
    with routable.open(document) as again:
        assert again.document == document and again.routes() == table


@pytest.mark.parametrize(
    "id, message",
    [
        ("path*", 'written "path..."'), ("a b", "a space"), ("a/b", "templates reserve"), ([], "at least one"),
        (["a", "a"], "two ids are named"), (["a"] * 33, "named|at most 32"), ([1], "an id must be"),
        ({"name": "a...", "allow_empty": True}, "several segments"),
        ({"name": "a", "type": "integer", "allow_empty": True}, "only a string"),
    ],
)
def test_invalid_ids_are_refused(id: Any, message: str) -> None:
    with pytest.raises(routable.RoutableError, match=message) as caught:
        opened({"a": {"path": "a", "id": id, "can": ["read"]}})
    assert (caught.value.pointer or "").startswith("/resources/a/id")


@pytest.mark.parametrize("template", ["{a...}.json", "x{a...}", "{a*}/x", "{...}", "{a...}{b}"])
def test_invalid_templates_are_refused(template: str) -> None:
    with pytest.raises(routable.DocumentError):
        routable.open({"routable": 1, "operations": {"x": {"get": template}}})


def test_a_blank_at_the_end_of_a_path_is_a_warning_and_seen() -> None:
    api = opened({"a": {"path": "notes ", "can": ["read"]}}, operations={"b": {"get": "/x/ y"}, "c": {"get": "/x y"}})
    assert [each.split(":")[0] for each in api.warnings] == ["#/resources/a/path", "#/operations/b"]
    assert '"/notes /:id"' in api.routes() and '"/x/ y"' in api.routes()
    assert api.build("a", "read", routable.using(ids=["1"])).url == "http://h/notes%20/1"


# --- Empty values ---


def test_an_empty_value_where_the_parameter_allows_it() -> None:
    key = {"get": "state/{type}/{key}", "ids": {"key": {"allow_empty": True}}}
    api = opened({"room": {"path": "rooms", "id": "room", "member": {"state": key, "types": {"get": "state/{type}"}}}})
    assert api.build("room", "state", routable.using(ids=["r", "m.name", ""])).url == "http://h/rooms/r/state/m.name/"
    assert api.plan("room", "state")("r", "m.name", "") == "http://h/rooms/r/state/m.name/"
    match = api.match("/rooms/r/state/m.name/")
    assert match is not None and (match.operation, match.ids) == ("state", ("r", "m.name", ""))
    assert api.match("/rooms/r/state/m.name").operation == "types"  # type: ignore[union-attr]
    with pytest.raises(routable.ValueRefusedError, match="empty"):
        api.build("room", "state", routable.using(ids=["r", "", ""]))
    assert api.document["resources"]["room"]["member"]["state"]["ids"] == {"key": {"type": "string", "allow_empty": True}}
    assert api.resources["room"].operations["state"].parameters[2].allows_empty


def test_an_empty_value_where_the_call_allows_it(code: routable.Router) -> None:
    api = routable.open({"routable": 1, "base": "http://h", "operations": {
        "state": {"put": "/state/{type}/{key}"}, "list": {"get": "/list/"}, "item": {"get": "/list/{id}"}}})
    with pytest.raises(routable.ValueRefusedError):
        api.build("state", routable.using(ids=["t", ""]))
    assert api.build("state", routable.using(ids=["t", ""], allow_empty_ids=True)).url == "http://h/state/t/"
    with pytest.raises(routable.ShadowedError) as caught:
        api.build("item", routable.using(ids=[""], allow_empty_ids=True))
    assert caught.value.allowed == ("list",)
    with pytest.raises(routable.ValueRefusedError):
        code.build("image", "tags", routable.using(ids=["a//b"], allow_empty_ids=True))


# --- A base that is a path alone ---


def test_a_base_without_a_host_matches_and_links() -> None:
    api = routable.open({"routable": 1, "base": "/v3", "resources": {"user": {"path": "users", "can": ["read"]}}})
    request = api.build("user", "read", routable.using(ids=["a b"]))
    assert request.url == "/v3/users/a%20b"
    match = api.match(request.url, "GET", whole_path=True)
    assert match is not None and match.ids == ("a b",)
    assert api.match("/users/a") is not None and api.match("http://h/v3/users/a") is not None
    assert api.match("http://h/v4/users/a") is None
    with routable.Client() as client, pytest.raises(routable.URLError, match="no host"):
        client.perform(request)
    assert api.build("user", "read", routable.using(ids=["a"], base="http://h")).url == "http://h/users/a"


def test_the_base_that_is_a_slash() -> None:
    root = {"root": {"get": ""}, "any": {"get": "/{a}/{b}", "ids": {"a": {"allow_empty": True}}}}
    api = routable.open({"routable": 1, "base": "/", "operations": root})
    assert (api.build("root").url, api.plan("root")()) == ("/", "/")
    assert api.build("any", routable.using(ids=["x", "y"])).url == "/x/y"
    # After two slashes, the segment would be a host.
    with pytest.raises(routable.ValueRefusedError, match="two slashes"):
        api.build("any", routable.using(ids=["", "evil.example"]))


@pytest.mark.parametrize("base", ["//h/x", "v3", "", "/a/../b", "/a b", "/v3#x", "/%zz"])
def test_invalid_bases_are_refused(base: str) -> None:
    with pytest.raises(routable.URLError):
        routable.open({"routable": 1, "base": base, "operations": {"a": {"get": "/a"}}})


# --- Real APIs ---


def routes(router: routable.Router) -> Iterator[Tuple[str, "routable.describe.Operation"]]:
    """Every route that does not contain a resource twice."""
    waiting = [name for name, each in router.resources.items() if each.is_root]
    while waiting:
        route = waiting.pop()
        resource = router.resources[route.rpartition(".")[2]]
        for operation in resource.operations.values():
            yield route, operation
        waiting += [f"{route}.{child}" for child in resource.children if child not in route.split(".")]


def test_github_below_a_repository() -> None:
    api = routable.open(EXAMPLES / "github/repository.json")
    operations = 0
    for route, operation in routes(api):
        plan = api.plan(route, operation.name)
        names = [each for step in route.split(".") for each in api.resources[step].ids]
        ids = ["7" if each.type == "integer" else f"v{index}" for index, each in enumerate(names)][: plan.id_count]
        ids += [f"p{index}" for index in range(len(ids), plan.id_count)]
        match = api.match(plan(*ids), operation.method)
        assert match is not None and (match.route, match.operation, list(match.ids)) == (route, operation.name, ids), route
        assert api.build(route, operation.name, routable.using(ids=match.captures)).url == plan(*ids)
        operations += 1
    assert operations >= 60
    assert api.build("repository.issue", "read", routable.using(ids=["octocat", "hello-world", 1347])).url == (
        "https://api.github.com/repos/octocat/hello-world/issues/1347")
    assert api.build("repository.content", "read", routable.using(ids=["o", "r", "docs/a b.md"])).url == (
        "https://api.github.com/repos/o/r/contents/docs/a%20b.md")
    assert api.build("repository", "compare", routable.using(ids=["o", "r", "v1", "v2"])).url.endswith("/repos/o/r/compare/v1...v2")
    comment = api.match("/repos/o/r/issues/comments/9", "GET")
    assert comment is not None and comment.route == "repository.issue_comment"


def test_a_container_registry() -> None:
    api = routable.open(EXAMPLES / "registry/registry.json")
    digest = "sha256:" + "0" * 64
    for method, path, route, operation, ids in [
        ("GET", "/v2/", None, "version", ()),
        ("GET", "/v2/_catalog", None, "catalog", ()),
        ("GET", "/v2/library/debian/tags/list", "repository", "tags", ("library/debian",)),
        ("PUT", "/v2/a/b/c/manifests/latest", "repository.manifest", "update", ("a/b/c", "latest")),
        ("HEAD", f"/v2/a/blobs/{digest.replace(':', '%3A')}", "repository.blob", "exists", ("a", digest)),
        ("POST", "/v2/a/b/blobs/uploads/", "repository", "start", ("a/b",)),
        ("PATCH", "/v2/a/b/blobs/uploads/some-id", "repository.upload", "patch", ("a/b", "some-id")),
    ]:
        match = api.match(path, method)
        assert match is not None and (match.route, match.operation, match.ids) == (route, operation, ids), path
        names = (operation,) if route is None else (route, operation)
        query = {"digest": digest} if operation == "update" and route == "repository.upload" else None
        assert api.build(*names, routable.using(ids=ids, query=query)).url == path
    with pytest.raises(routable.ValueRefusedError):
        api.build("repository", "tags", routable.using(ids=["Library/Debian"]))
