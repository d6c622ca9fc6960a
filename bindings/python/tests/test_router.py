"""Building: the statements R1-R23 and E1-E6 of the articles, each test named after its statement."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Dict

import pytest
import routable

ROOT = Path(__file__).resolve().parents[3]
BASE = "https://api.example.com/v1"


def at(path: str) -> str:
    return f"{BASE}/{path}"


def test_R1_verbs(social: routable.Router) -> None:
    comment = social.comment("1")
    assert comment.read().method == "GET"
    assert social.comment.create({}).method == "POST"
    assert comment.update({}).method == "PUT"
    assert comment.delete().method == "DELETE"


def test_R2_read(social: routable.Router) -> None:
    request = social.user("2").read()
    assert (request.method, request.url, request.body) == ("GET", at("users/2"), None)


def test_R3_create_keeps_its_parameters(social: routable.Router) -> None:
    request = social.user.create({"a": 1})
    assert (request.method, request.url, request.body) == ("POST", at("users"), b'{"a":1}')
    form = social.user.create(routable.using(parameters={"a": 1}))
    assert (form.method, form.url, form.body) == ("POST", at("users"), b"a=1")


def test_R4_update_and_delete(social: routable.Router) -> None:
    request = social.user("2").update({"a": 1})
    assert (request.method, request.url, request.body) == ("PUT", at("users/2"), b'{"a":1}')
    request = social.post("2").delete()
    assert (request.method, request.url, request.body) == ("DELETE", at("posts/2"), None)


@pytest.mark.parametrize("base", ["https://private-85a46-routable.apiary-mock.com/",
                                  "https://private-85a46-routable.apiary-mock.com"])
@pytest.mark.parametrize("path", ["users", "/users"])
def test_R5_one_slash(base: str, path: str) -> None:
    api = routable.open({"routable": 1, "base": base, "resources": {"user": {"path": path, "can": ["read"]}}})
    assert api.user("2").read().url == "https://private-85a46-routable.apiary-mock.com/users/2"


@pytest.mark.parametrize(("base", "url"), [
    ("https://h/v1", "https://h/v1/users/2"),
    ("https://h/v1/", "https://h/v1/users/2"),
    ("https://h/v1?token=x", "https://h/v1/users/2?token=x"),
])
def test_R6_base_path_and_query_are_kept(social: routable.Router, base: str, url: str) -> None:
    assert social.user("2").read(routable.using(base=base)).url == url
    assert routable.open(ROOT / "examples" / "social.json", base=base).user("2").read().url == url


def test_R7_nested(social: routable.Router) -> None:
    assert social.user("2").status("2").read().url == at("users/2/statuses/2")


def test_R8_nested(social: routable.Router) -> None:
    assert social.post("54").comment("43").read().url == at("posts/54/comments/43")
    assert social.user("initFabian").status("2").read().url == at("users/initFabian/statuses/2")


def test_R9_three_levels(social: routable.Router) -> None:
    assert social.user("initFabian").picture("2").comment("3").read().url == at("users/initFabian/pictures/2/comments/3")


def test_R10_four_levels(social: routable.Router) -> None:
    wanted = at("users/initFabian/statuses/3/comments/32352/users/fakeUser")
    request = social.user("initFabian").status("3").comment("32352").user("fakeUser").read()
    assert request.url == wanted
    assert str(request) == f"GET {wanted}"
    ids = ["initFabian", "3", "32352", "fakeUser"]
    assert social.build("user.status.comment.user", "read", routable.using(ids=ids)).url == wanted


def test_R11_deep_nesting(social: routable.Router) -> None:
    request = (
        social.user("initFabian").picture("3").comment("507f191e810c19729de860ea").user("43").status("firstStatus")
        .comment("27").user("63").post("4d6e5acebcd1b3fac9000002").comment("82").user("21").status("1").read()
    )
    assert request.url == at(
        "users/initFabian/pictures/3/comments/507f191e810c19729de860ea/users/43/statuses/firstStatus/comments/27"
        "/users/63/posts/4d6e5acebcd1b3fac9000002/comments/82/users/21/statuses/1"
    )


def test_R12_a_nested_request_keeps_verb_and_parameters(social: routable.Router) -> None:
    request = social.user("initFabian").status.create({"text": "t"})
    assert (request.method, request.url) == ("POST", at("users/initFabian/statuses"))
    assert request.body == b'{"text":"t"}'


def test_R13_steps_are_values(social: routable.Router) -> None:
    status = social.user("a").status("1")
    before = repr(status)
    first, second = status.comment("x").read().url, status.comment("y").user("z").read().url
    assert status.read().url == at("users/a/statuses/1")
    assert first == at("users/a/statuses/1/comments/x")
    assert second == at("users/a/statuses/1/comments/y/users/z")
    assert repr(status) == before
    assert status == social.user("a").status("1") and status != social.user("a").status("2")
    assert len({status, social.user("a").status("1")}) == 1


def test_R14_the_graph_with_its_cycle(social: routable.Router) -> None:
    can = {name: set(each.capabilities) for name, each in social.resources.items()}
    assert can["user"] >= {"read", "create", "update"} and "delete" not in can["user"]
    assert can["status"] == {"read", "create", "delete"}
    assert can["picture"] == can["comment"] == can["post"] == {"read", "create", "update", "delete"}
    has = {name: set(each.children) for name, each in social.resources.items()}
    assert has == {"user": {"status", "picture", "post"}, "status": {"comment"}, "picture": {"comment"},
                   "post": {"comment"}, "comment": {"user"}}
    assert social.map() and social.routes()


def test_R15_update_of_a_status_is_refused_until_it_is_allowed(social: routable.Router) -> None:
    with pytest.raises(routable.NotAllowedError) as caught:
        social.user("a").status("3").update({"text": "x"})
    error = caught.value
    assert error.allowed == ("create", "delete", "read")
    assert (error.route, error.operation) == ("user.status", "update")
    assert "status" in str(error) and "update" in str(error)
    assert not hasattr(social.status("3"), "update")

    document = social.document
    document["resources"]["status"]["can"].append("update")
    request = routable.open(document).status("3").update({"text": "x"})
    assert (request.method, request.url) == ("PUT", at("statuses/3"))


def test_R16_an_undeclared_child_is_refused(social: routable.Router) -> None:
    with pytest.raises(routable.UnknownError) as caught:
        social.user("a").comment
    assert {"picture", "post", "status"} <= set(caught.value.allowed)
    assert "comment" in str(caught.value)
    with pytest.raises(routable.UnknownError):
        social.user("a")["comment"]
    with pytest.raises(routable.UnknownError):
        social.build("user.comment", "read", routable.using(ids=["a", "1"]))


def test_R17_a_parent_without_id_is_an_error(social: routable.Router) -> None:
    with pytest.raises(routable.IdError, match="username") as caught:
        social.user.status("3").read()
    assert caught.value.parameter == "username"
    with pytest.raises(routable.IdError):
        social.build("user.status", "read", routable.using(ids=["3"]))
    with pytest.raises(routable.IdError):
        social.user()
    with pytest.raises(routable.IdError):
        social.user.read()


def test_R18_the_method_is_on_the_request(social: routable.Router) -> None:
    request = social.user("1").update(routable.using(parameters={"a": 1}))
    assert (request.method, request.url, request.body) == ("PUT", at("users/1"), b"a=1")
    assert request.to_urllib().get_method() == "PUT"


def test_R19_child_actions_come_from_the_child(social: routable.Router) -> None:
    assert social.user("1").post("2").delete().method == "DELETE"
    with pytest.raises(routable.NotAllowedError):
        social.comment("1").user("2").delete()


def test_R20_a_collection_can_be_read(social: routable.Router) -> None:
    assert str(social.user.list()) == f"GET {at('users')}"


@pytest.mark.parametrize(("value", "segment"), [
    ("a b", "a%20b"), ("é", "%C3%A9"), ("a?x=1", "a%3Fx=1"), ("a#f", "a%23f"), ("100%", "100%25"), ("%41", "%2541"),
    ("a/b", "a%2Fb"), ("a;b:c@d&e=f+g,h", "a;b:c@d&e=f+g,h"), ("a\0b", "a%00b"), ("...", "..."),
])
def test_R21_a_value_is_one_segment(social: routable.Router, value: str, segment: str) -> None:
    prefix, _, tail = social.user(value).read().url.partition("/users/")
    assert (prefix, tail) in {(BASE, segment), (BASE, _all_escaped(segment))}


def _all_escaped(segment: str) -> str:
    """The design leaves only unreserved characters unescaped; Foundation also leaves the sub-delimiters."""
    for character in ";:@&=+,":
        segment = segment.replace(character, f"%{ord(character):02X}")
    return segment


@pytest.mark.parametrize("value", [".", "..", ""])
def test_R21_dot_segments_and_empty_values_are_refused(social: routable.Router, value: str) -> None:
    with pytest.raises(routable.ValueRefusedError) as caught:
        social.user(value).read()
    assert caught.value.parameter == "username"


def test_R22_the_table_is_rails_like(social: routable.Router) -> None:
    lines = social.routes().splitlines()
    assert lines[0].split() == ["Prefix", "Verb", "URI", "Pattern", "Resource#Operation"] or "Verb" in lines[0]
    assert any("GET" in line and "/users/:username" in line and "user#read" in line for line in lines)
    nested = [line for line in lines if "status#read" in line and "user" in line]
    assert any(":user_username" in line or ":user_id" in line for line in nested), nested


def test_R23_endpoints_models_and_verbs_are_in_the_tables(social: routable.Router) -> None:
    table, api_map = social.routes(), social.map()
    for name, resource in social.resources.items():
        assert name in api_map
        for verb in resource.capabilities:
            assert verb in api_map
            assert f"{name}#{verb}" in table
    assert "Status" in api_map
    rows = social.routes(as_json=True)
    assert isinstance(rows, list) and all(isinstance(row, dict) for row in rows)
    assert social.routes() == table, "the same bytes every time"


# --- The enum router of the second article, as standalone operations ---

ENUM: Dict[str, Any] = {
    "routable": 1,
    "base": "https://h/api",
    "operations": {
        "getUserData": {"get": "/getUserDataPath/{id}", "ids": {"id": {"type": "integer"}}},
        "deleteSomething": {"delete": "/deleteSomethingPath/{id}", "ids": {"id": {"type": "integer"}}},
        "generalPost": {"post": "/generalPostPath"},
        "asJSON": {"post": "/json", "encoding": {"as": "json"}},
        "base": {"get": "/"},
    },
}


@pytest.fixture(scope="module")
def enum() -> routable.Router:
    return routable.open(ENUM)


def test_E1_verb_url_and_parameters_in_one_call(enum: routable.Router) -> None:
    request = enum.operations.generalPost(routable.using(parameters={"token": "t"}))
    assert (request.method, request.url, request.body) == ("POST", "https://h/api/generalPostPath", b"token=t")


def test_E2_relative_paths(enum: routable.Router) -> None:
    assert enum.operations.getUserData(id=5).url == "https://h/api/getUserDataPath/5"
    assert str(enum.build("deleteSomething", routable.using(ids=[7]))) == "DELETE https://h/api/deleteSomethingPath/7"
    assert enum.operations.generalPost().url == "https://h/api/generalPostPath"


def test_E3_encoding_per_operation(enum: routable.Router) -> None:
    assert enum.operations.generalPost(routable.using(parameters={"a": 1})).body == b"a=1"
    assert enum.operations.asJSON(routable.using(parameters={"a": 1})).body == b'{"a":1}'


def test_E4_parameters_are_not_the_body(enum: routable.Router) -> None:
    request = enum.operations.getUserData(routable.using(parameters={"token": "t"}), id=5)
    assert (request.url, request.body) == ("https://h/api/getUserDataPath/5?token=t", None)
    request.body = b"set by hand"
    assert (request.url, request.body) == ("https://h/api/getUserDataPath/5?token=t", b"set by hand")


def test_E5_without_parameters_nothing_is_encoded(enum: routable.Router) -> None:
    request = enum.operations.generalPost()
    assert "?" not in request.url
    assert request.body is None
    assert "Content-Type" not in request.headers


@pytest.mark.parametrize("value", [0, -1, 5, 2**63 - 1, -(2**63)])
def test_E6_integers_are_plain_decimal(enum: routable.Router, value: int) -> None:
    assert enum.operations.getUserData(id=value).url == f"https://h/api/getUserDataPath/{value}"


# --- Other functions ---


def test_ids_by_name(social: routable.Router) -> None:
    assert social.user(username="x").read().url == social.user(id="x").read().url == at("users/x")
    named = social.build("user.status", "read", routable.using(ids={"user_id": "a", "id": "3"}))
    assert named.url == at("users/a/statuses/3")
    with pytest.raises(routable.IdError) as caught:
        social.user(name="x")
    assert caught.value.suggestion == "username"
    with pytest.raises(routable.IdError):
        social.build("user.status.comment.user", "read", routable.using(ids={"user_id": "a", "status_id": "1", "comment_id": "c"}))


def test_operations_by_keywords(social: routable.Router) -> None:
    url = at("search?q=a%20b&page=2")
    assert social.operations.search(q="a b", page=2).url == url
    assert social.operations["search"](routable.using(query={"q": "a b", "page": 2})).url == url
    assert social.search(q="a b", page=2).url == url
    assert social.build("search", routable.using(query={"q": "a b", "page": 2})).url == url


def test_names_that_are_no_identifiers() -> None:
    resources = {"x-y": {"path": "xy", "can": ["list", "read"]}, "map": {"path": "maps", "can": ["read"], "has": ["x-y"]},
                 "read": {"path": "reads", "can": ["read"], "has": ["read"]}}
    api = routable.open({"routable": 1, "base": "http://h", "resources": resources})
    assert api["x-y"]("1").read().url == "http://h/xy/1"
    assert api["map"]("1")["x-y"].list().url == "http://h/maps/1/xy"
    assert api.read("1")["read"]("2").read().url == "http://h/reads/1/reads/2"
    assert isinstance(routable.router(api).map(), str)


def test_dir_lists_operations_and_resources(social: routable.Router) -> None:
    member = dir(social.user("x"))
    assert {"read", "update", "status", "picture", "post"} <= set(member)
    assert "delete" not in member and "list" not in member
    assert {"list", "create"} <= set(dir(social.user)) and "read" not in dir(social.user)
    assert {"user", "search", "map", "build"} <= set(dir(social))


def test_misspelled_attributes_have_suggestions(social: routable.Router) -> None:
    steps: Any = [(social, "usr", "user"), (social.user("x"), "staus", "status")]
    for step, name, nearest in steps:
        with pytest.raises(routable.UnknownError, match=name) as caught:
            getattr(step, name)
        assert isinstance(caught.value, AttributeError)
        assert caught.value.suggestion == nearest
    assert not hasattr(social, "usr")


def test_open_takes_paths_mappings_and_text(tmp_path: Path, social: routable.Router) -> None:
    path = ROOT / "examples" / "social.json"
    for api in (routable.open(str(path)), routable.open(social.document), routable.loads(path.read_text()),
                routable.loads(path.read_bytes())):
        assert api.name == "social" and api.base == BASE
        assert api.routes() == social.routes()


def test_query_null_is_absent_and_defaults_are_as_declared(social: routable.Router) -> None:
    with_null = social.operations.search(routable.using(query={"q": "x", "page": None})).url
    assert with_null == social.operations.search(q="x").url
    assert with_null in (at("search?q=x"), at("search?q=x&page=1"))


def test_what_is_nested_only_is_no_attribute_of_the_router() -> None:
    api = routable.open({
        "routable": 1,
        "base": "https://h.example",
        "resources": {
            "project": {"path": "projects", "has": ["ticket"], "can": ["read"]},
            "ticket": {"path": "tickets", "nested": True, "can": ["read"]},
        },
    })
    assert "ticket" not in dir(api) and not hasattr(api, "ticket")
    with pytest.raises(AttributeError) as caught:
        api.ticket
    assert isinstance(caught.value, routable.UnknownError)
    assert (str(caught.value), caught.value.allowed) == ("ticket is only available below another resource: project", ("project",))
    with pytest.raises(routable.UnknownError) as caught_item:
        api["ticket"]
    assert caught_item.value.allowed == ("project",)
    with pytest.raises(AttributeError) as nearest:
        api.projct
    assert nearest.value.allowed == ("project",)  # type: ignore[attr-defined]
    assert str(api.project("a").ticket("7").read()) == "GET https://h.example/projects/a/tickets/7"
