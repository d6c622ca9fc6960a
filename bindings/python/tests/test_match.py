"""Matching: from a path to the route, the operation and the values; None, and a method that is not allowed."""

from __future__ import annotations

import gc
import random
import weakref
from typing import Any, Dict, List, Optional

import pytest
import routable
from test_hostile import VALUES
from test_threads import together

BASE = "https://api.example.com/v1"
WALKS = ["user", "user.status", "user.picture", "user.status.comment", "user.status.comment.user",
         "user.post.comment.user.status", "user.status.comment.user.picture.comment"]


def found(router: routable.Router, path: Any, method: Optional[str] = None, **options: bool) -> routable.Match:
    match = router.match(path, method, **options)
    assert match is not None
    return match


def test_a_match_has_its_route_operation_and_ids(social: routable.Router) -> None:
    match = found(social, "/users/initFabian/statuses/3", "GET")
    assert (match.route, match.operation, match.method) == ("user.status", "read", "GET")
    assert match.ids == ("initFabian", "3")
    assert match.captures == {"user_id": "initFabian", "id": "3"}
    assert [each.name for each in match.parameters] == ["username", "id"]
    assert match.description == social.resources["status"].operations["read"]
    assert match.slash == 0
    assert repr(match) == "<routable.Match user.status.read ('initFabian', '3')>"


def test_standalone_operations_and_collections_are_matched(social: routable.Router) -> None:
    match = found(social, "/search?q=x#y")
    assert (match.route, match.operation, match.ids, match.captures) == (None, "search", (), {})
    match = found(social, "/users/a/statuses", "POST")
    assert (match.route, match.operation, match.captures) == ("user.status", "create", {"user_id": "a"})


def test_no_match_is_none(social: routable.Router) -> None:
    others = "http://other/v1/users/a", BASE + "x/users/a"
    for path in ("", "/", "users/a", "/users/", "/users//", "/nope", "/v1/users/a", *others):
        assert social.match(path) is None
        assert social.match(path.encode(), "GET") is None


def test_a_method_that_is_not_allowed(social: routable.Router) -> None:
    for method in ("PUT", "HEAD", "get", "", "X-LONGER-THAN-EIGHT"):
        with pytest.raises(routable.MethodNotAllowedError) as caught:
            social.match("/users/a/statuses/3", method)
        assert caught.value.allowed == ("DELETE", "GET")
        assert (caught.value.code, caught.value.status) == (2, "method_not_allowed")
    assert isinstance(caught.value, routable.RoutableError)


def test_paths_and_methods_are_strings_or_bytes(social: routable.Router) -> None:
    whole = "https://api.example.com/v1/users/a"
    assert found(social, whole) == found(social, b"/users/a", "GET")
    wrong: List[Any] = [None, 3, bytearray(b"/users/a"), ["/users/a"]]
    for path in wrong:
        with pytest.raises(TypeError):
            social.match(path)
    for method in (3, b"GET", ["GET"]):
        with pytest.raises(TypeError):
            social.match("/users/a", method)  # type: ignore[arg-type]
    with pytest.raises(routable.ArgumentError):
        social.match("/users/a", "GET\0")
    with pytest.raises(routable.ArgumentError):
        social.match("/users/\udcff")


def test_options_relax_slashes_and_case(social: routable.Router) -> None:
    assert social.match("/users/a/") is None
    assert found(social, "/users/a/", any_slash=True).slash == -1
    assert found(social, "/users/a", any_slash=True).slash == 0
    assert social.match("/USERS/A") is None
    assert found(social, "/USERS/A", fold_case=True).ids == ("A",)
    assert social.match("//users//a") is None
    assert found(social, "//users//a", merge_slashes=True).ids == ("a",)
    assert social.match("/v1/users/a") is None
    assert found(social, "/v1/users/a", whole_path=True).ids == ("a",)
    every = found(social, "/v1//USERS/a//", fold_case=True, any_slash=True, merge_slashes=True, whole_path=True)
    assert (every.ids, every.slash) == (("a",), -1)


@pytest.mark.parametrize("value", VALUES)
def test_built_urls_are_matched(social: routable.Router, value: str) -> None:
    for walk in WALKS:
        ids = [value] * len(walk.split("."))
        request = social.build(walk, "read", routable.using(ids=ids))
        match = found(social, request.url, request.method)
        assert (match.route, match.operation, match.ids) == (walk, "read", tuple(ids))
        assert match == found(social, request.url[len(BASE):], request.method)


def test_every_operation_round_trips(social: routable.Router) -> None:
    seed = random.randrange(2**32)
    chance = random.Random(seed)
    matched = built = 0
    for _ in range(2000):
        walk = chance.choice(WALKS)
        operation = chance.choice(list(social.resources[walk.rpartition(".")[2]].operations.values()))
        count = walk.count(".") + (operation.place == "member")
        ids = ["".join(chance.choices("ab/%é😃 .\0?#&\r{}", k=chance.randint(3, 9))) for _ in range(count)]
        try:
            url = social.plan(walk, operation.name)(*ids)
        except routable.ValueRefusedError:
            continue
        match = found(social, url, operation.method)
        assert (match.route, match.operation, list(match.ids)) == (walk, operation.name, ids), f"seed {seed}"
        matched += 1
        if len(set(walk.split("."))) == len(walk.split(".")):
            body = {"text": "x"} if operation.name in ("create", "update") else None
            assert social.build(walk, operation.name, routable.using(ids=match.captures, body=body)).url == url, f"seed {seed}"
            built += 1
    assert matched > 1500 and built > 500, f"seed {seed}: {matched} matched, {built} built"


@pytest.mark.parametrize(("raw", "value"), [
    (b"%00", "\0"), (b"\0", "\0"), (b"a%2Fb", "a/b"), (b"%zz", "%zz"), (b"%", "%"), (b"..", ".."), (b"a+b", "a+b"),
    ("é😃".encode(), "é😃"), (b"%C3%A9", "é"), (b"\xff", "\udcff"), (b"%ff%41", "\udcffA"), (b"\r\n", "\r\n"),
    (b"x" * 1_000_000, "x" * 1_000_000), (b"%41" * 100_000, "A" * 100_000),
])
def test_hostile_segments_are_captured_exactly(social: routable.Router, raw: bytes, value: str) -> None:
    assert found(social, b"/users/" + raw).ids == (value,)


def test_hostile_paths(social: routable.Router) -> None:
    walk = b"/users/a/statuses/b/comments/c"
    for path in (b"/" * 100_000, b"/users" * 10_000, walk * 2_000, b"x" * 1_000_000, b"\0", b"%"):
        assert social.match(path) is None
        assert social.match(path, any_slash=True, fold_case=True, merge_slashes=True, whole_path=True) is None
    deep = "/users/u/statuses/s/comments/c" * 10 + "/users/u"
    match = found(social, deep)
    assert len(match.ids) == 31 and match.route is not None and match.route.count(".") == 30


def test_types_select_between_routes() -> None:
    document: Dict[str, Any] = {
        "routable": 1, "base": "http://h",
        "operations": {
            "number": {"get": "/x/{n}", "ids": {"n": {"type": "integer"}}},
            "text": {"get": "/x/{t}"},
            "file": {"get": "/x/{name}.json"},
        },
    }
    api = routable.open(document)
    assert [(m.operation, m.ids) for m in (found(api, "/x/12"), found(api, "/x/ab"), found(api, "/x/ab.json"))] == [
        ("number", ("12",)), ("text", ("ab",)), ("file", ("ab",))]
    assert found(api, "/x/12").captures == {"n": "12"}
    assert found(api, "/x/12").parameters[0].type == "integer"
    assert api.warnings == () and api.match_bytes > 0


def test_parameters_of_the_own_path_of_an_operation() -> None:
    document: Dict[str, Any] = {
        "routable": 1, "base": "http://h",
        "resources": {
            "repo": {"path": "repos", "id": "name", "can": [], "has": ["branch"]},
            "branch": {
                "path": "branches", "can": ["read"],
                "member": {"compare": {"get": "compare/{base}...{head}"}},
                "collection": {"file": {"get": "at/{ref}/{path*}"}},
            },
        },
    }
    api = routable.open(document)
    match = found(api, "/repos/r/branches/b/compare/v1...v%2e2")
    assert (match.route, match.operation) == ("repo.branch", "compare")
    assert match.captures == {"repo_id": "r", "id": "b", "base": "v1", "head": "v.2"}
    assert api.plan("repo.branch", "compare")(*match.ids) == "http://h/repos/r/branches/b/compare/v1...v.2"
    match = found(api, "/repos/r/branches/at/x/a/b%20c/d")
    assert (match.operation, match.captures) == ("file", {"repo_id": "r", "ref": "x", "path": "a/b c/d"})
    assert api.plan("repo.branch", "file")(*match.ids) == "http://h/repos/r/branches/at/x/a/b%20c/d"


def test_warnings() -> None:
    operations: Dict[str, Any] = {
        "some": {"get": "/a/{x}", "ids": {"x": {"enum": ["on", "off"]}}},
        "on": {"get": "/a/on"},
        "off": {"get": "/a/off"},
    }
    (warning,) = routable.open({"routable": 1, "operations": operations}).warnings
    assert "some" in warning


def test_a_match_is_immutable_and_outlives_the_router(social: routable.Router) -> None:
    match = found(social, "/users/a")
    for name in ("route", "ids", "operation", "other"):
        with pytest.raises(AttributeError):
            setattr(match, name, "x")
    assert match == found(social, BASE + "/users/%61") and hash(match) == hash(found(social, "/users/a?q"))
    assert match != found(social, "/users/b") and match != found(social, "/users/a", "PUT") and match != "x"
    api = routable.open(social.document)
    match = found(api, "/users/%61/statuses/3")
    assert match != found(social, "/users/a/statuses/3")
    api.close()
    with pytest.raises(ValueError, match="closed"):
        api.match("/users/a")
    del api
    assert (match.route, match.ids) == ("user.status", ("a", "3"))


def test_many_routes_of_a_graph_with_cycles(social: routable.Router) -> None:
    api = routable.open(social.document)
    chance = random.Random(7)
    for _ in range(1500):
        walk = ["user", chance.choice(["status", "picture", "post"]), "comment"] * 8
        for index in range(1, 24, 3):
            walk[index] = chance.choice(["status", "picture", "post"])
        path = {"user": "users", "status": "statuses", "picture": "pictures", "comment": "comments", "post": "posts"}
        assert found(api, "".join(f"/{path[each]}/1" for each in walk)).route == ".".join(walk)
    assert len(api._matcher.routes) == 1024


def test_a_subclass_may_override_match(social: routable.Router) -> None:
    class Named(routable.Router):
        __slots__ = ()

        def match(self, *arguments: Any, **options: Any) -> Any:
            match = super().match(*arguments, **options)
            return match and (match.route, match.ids)

    api = routable.open(social.document)
    api.__class__ = Named
    assert api.match("/users/a", "GET") == ("user", ("a",))
    assert api.match("/nothing") is None


def test_a_closed_router_matches_nothing_more(social: routable.Router) -> None:
    api = routable.open(social.document)
    held, match = api.match, found(api, "/users/a")
    api.close()
    with pytest.raises(ValueError, match="this Router is closed"):
        api.match("/users/a")
    assert held("/users/b").ids == ("b",)  # a match that another thread has begun is completed
    assert (match.route, match.ids) == ("user", ("a",))


def test_a_router_is_freed_at_once(social: routable.Router) -> None:
    api = routable.open(social.document)
    there = weakref.ref(api)
    gc.disable()
    try:
        del api
        assert there() is None, "a cycle keeps it"
    finally:
        gc.enable()


def test_eight_threads(social: routable.Router) -> None:
    def work(index: int) -> None:
        for turn in range(500):
            match = found(social, f"/users/u{index}/statuses/{turn}", "GET")
            assert (match.route, match.operation, match.ids) == ("user.status", "read", (f"u{index}", str(turn)))

    together(work)


def test_values_have_the_types_of_their_ids() -> None:
    api = routable.open({
        "routable": 1,
        "resources": {
            "shop": {"path": "shops", "id": {"name": "open", "type": "boolean"}, "has": ["item"]},
            "item": {"path": "items", "id": {"name": "number", "type": "integer"}, "has": ["price"]},
            "price": {"path": "prices", "id": {"name": "amount", "type": "number"}, "has": ["tag"]},
            "tag": {"path": "tags", "can": ["read"]},
        },
    })
    match = api.match("/shops/true/items/-7/prices/1.5/tags/7", "GET")
    assert match is not None
    assert match.values == {"shop_id": True, "item_id": -7, "price_id": 1.5, "id": "7"}
    assert match.captures == {"shop_id": "true", "item_id": "-7", "price_id": "1.5", "id": "7"}
