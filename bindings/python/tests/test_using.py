"""The places of the arguments of a call: keywords are parameters of the API, and `using(...)` has all options (docs/calls.md)."""

from __future__ import annotations

import gc
import json
import weakref
from typing import Any, Dict, List, Tuple

import pytest
import routable
from routable import using

#: The names of the keywords that were options of a call before 0.2, and other names that Python uses.
OPTIONS = ("query", "headers", "cookies", "base", "body", "files", "content_type", "parameters", "allow_empty_ids", "ids", "self", "options")


def parameter(name: str, place: str, **more: Any) -> Dict[str, Any]:
    return {"name": name, "in": place, "required": place == "path", "schema": {"type": "string"}, **more}


def document(path: str, parameters: List[Dict[str, Any]], method: str = "get", **more: Any) -> Dict[str, Any]:
    operation: Dict[str, Any] = {"operationId": "a", "parameters": parameters, "responses": {"200": {"description": ""}}, **more}
    return {"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "servers": [{"url": "https://h.test"}],
            "paths": {path: {method: operation}}}


def opened(path: str, parameters: List[Dict[str, Any]], method: str = "get", **more: Any) -> routable.Router:
    return routable.open(document(path, parameters, method, **more))


@pytest.fixture(scope="module")
def graph() -> routable.Router:
    return routable.open({"routable": 1, "base": "http://h.test", "resources": {
        "user": {"path": "users", "id": "username", "can": ["read", "create"], "has": ["status"],
                 "operations": {"read": {"query": {"base": {"type": "string"}, "username": {"type": "string"}}}},
                 "member": {"publish": {"post": "publish/{version}", "query": {"version": {"type": "string"}}}}},
        "status": {"path": "statuses", "can": ["read", "list", "create"]}}})


@pytest.mark.parametrize("name", OPTIONS)
def test_the_name_of_an_option_is_that_of_a_parameter(name: str) -> None:
    api = opened("/p", [parameter(name, "query")])
    assert api.operations.a(**{name: "/v"}).url == f"https://h.test/p?{name}=%2Fv"
    assert api.build("a", **{name: "/v"}).url == f"https://h.test/p?{name}=%2Fv"
    assert api.plan("a")(**{name: "/v"}) == f"https://h.test/p?{name}=%2Fv"
    assert api.a(using(base="https://other.test"), **{name: "/v"}).url == f"https://other.test/p?{name}=%2Fv"
    path = opened(f"/p/{{{name}}}", [parameter(name, "path")])
    assert path.operations.a(**{name: "v"}).url == "https://h.test/p/v"
    assert path.plan("a")(**{name: "v"}) == "https://h.test/p/v"
    assert opened("/p", [parameter(name, "header")]).operations.a(**{name: "v"}).headers[name] == "v"
    assert opened("/p", [parameter(name, "cookie")]).operations.a(**{name: "v"}).headers["Cookie"] == f"{name}=v"


def test_a_value_never_chooses_the_host() -> None:
    document = {**globals()["document"]("/rates", [parameter("base", "query")]), "security": [{"k": []}],
                "components": {"securitySchemes": {"k": {"type": "http", "scheme": "bearer"}}}}
    api = routable.open(document)
    with routable.testing.Responses() as responses:
        responses.add("a")
        with routable.Client(transport=responses, credentials={"k": "s3cret"}) as client:
            client.perform(api.operations.a(base="http://evil.test/x"))
        [sent] = responses.requests
        assert sent.url == "https://h.test/rates?base=http%3A%2F%2Fevil.test%2Fx"
        assert sent.headers["Authorization"] == "Bearer s3cret"


@pytest.mark.parametrize("name", OPTIONS[:10])
def test_an_option_as_a_keyword_is_refused_with_its_place(name: str) -> None:
    with pytest.raises(routable.ParameterError, match=rf"no parameter '{name}'; if the option is meant, it stands in using\(\.\.\.\): using\({name}=\.\.\.\)"):
        opened("/p", [parameter("q", "query")]).operations.a(**{name: "/v"})


def test_an_unknown_keyword() -> None:
    api = opened("/p", [parameter("page", "query"), parameter("X-Trace", "header")])
    with pytest.raises(routable.ParameterError, match='a: no parameter "pagee"; did you mean "page"') as caught:
        api.operations.a(pagee=1)
    assert caught.value.allowed == ("X-Trace", "page") and caught.value.suggestion == "page" and caught.value.parameter == "pagee"


def test_all_options_in_one_argument() -> None:
    api = opened("/p/{id}", [parameter("id", "path"), parameter("q", "query"), parameter("X-A", "header"), parameter("sid", "cookie")], "post",
                 requestBody={"content": {"application/json": {}, "text/csv": {}}})
    request = api.operations.a(
        b"a,b", using(ids={"id": "7"}, query={"q": "x"}, headers={"X-A": "1", "X-B": "2"}, cookies={"sid": "s"}, base="http://o.test",
                      content_type="text/csv"))
    assert str(request) == "POST http://o.test/p/7?q=x" and request.body == b"a,b"
    assert dict(request.headers.items()) == {"X-A": "1", "X-B": "2", "Cookie": "sid=s", "Content-Type": "text/csv"}
    options = using(headers={"X-B": "2"}, body={"a": 1})
    assert "X-B" not in repr(options) and "headers" in repr(options)  # values may be secrets
    for number in (1, 2):  # the options can be used for many calls
        request = api.operations.a(options, id=number)
        assert (request.url, request.headers["X-B"], request.body) == (f"https://h.test/p/{number}", "2", b'{"a":1}')
    assert api.operations.a(using(allow_empty_ids=True), id="").url == "https://h.test/p/"


def test_a_name_with_two_meanings_must_be_given_by_using() -> None:
    api = opened("/proxy/{path}", [parameter("path", "path"), parameter("path", "query"), parameter("id", "query"), parameter("id", "header"),
                                   parameter("id", "cookie")])
    both = using(ids={"path": "a"}, query={"path": "b", "id": "1"}, headers={"id": "2"}, cookies={"id": "3"})
    for request in (api.operations.a(both), api.build("a", both)):
        assert request.url == "https://h.test/proxy/a?path=b&id=1"
        assert (request.headers["id"], request.headers["Cookie"]) == ("2", "id=3")
    plan = api.plan("a")
    assert plan("a", path="b", id="1") == plan(using(ids=["a"], query={"path": "b", "id": "1"})) == "https://h.test/proxy/a?path=b&id=1"
    for call in (api.operations.a, lambda **named: api.build("a", **named)):
        with pytest.raises(routable.ParameterError, match=r"path is declared in the path and the query, so the keyword path is ambiguous; "
                                                          r"write using\(ids=\{'path': \.\.\.\}\) or using\(query=\{'path': \.\.\.\}\)") as caught:
            call(path="x")
        assert caught.value.allowed == ("path", "query")
    with pytest.raises(routable.ParameterError, match="id is declared in the query and the header and the cookie"):
        api.operations.a(using(ids=["a"]), id="x")
    # If ids are given by position, the keyword is the other parameter of this name.
    assert api.operations.a(using(ids=["a"]), path="b").url == "https://h.test/proxy/a?path=b"
    assert [each for each in api.warnings if "ambiguous" in each] == [
        "a declares 'path' in the path and the query: using(...) passes it by place, and the keyword is ambiguous",
        "a declares 'id' in the query and the header and the cookie: using(...) passes it by place, and the keyword is ambiguous"]
    assert api.read_parameter("a", "path", "x", location="path") == "x"
    assert api.read_parameter("a", "path", "path=y", location="query") == "y"
    with pytest.raises(routable.ParameterError, match="`location` selects one"):
        api.read_parameter("a", "path", "x")


@pytest.mark.parametrize("place, given", [("ids", {"id": "x"}), ("query", {"id": "x"})])
def test_an_error_names_the_place(place: str, given: Dict[str, str]) -> None:
    both = [{**parameter("id", each), "schema": {"type": "string", "enum": ["a"]}} for each in ("path", "query")]
    api = opened("/p/{id}", both)
    with pytest.raises(routable.ValueRefusedError) as caught:
        api.operations.a(using(**{"ids": {"id": "a"}, "query": {"id": "a"}, place: given}))
    assert caught.value.pointer == f"/{place}/id"


def test_a_value_that_is_given_twice_is_refused(graph: routable.Router) -> None:
    api = opened("/p/{id}", [parameter("id", "path"), parameter("q", "query")], "post", requestBody={"content": {"application/json": {}}})
    rows: List[Tuple[Any, str]] = [
        (lambda: api.operations.a(using(query={"q": "1"}), id=1, q="2"), r"q is given as a keyword and in using\(query=\.\.\.\)"),
        (lambda: api.operations.a(using(ids={"id": "1"}), id=2), r"id is given as a keyword and in using\(ids=\.\.\.\)"),
        (lambda: api.operations.a(using(ids=["1"]), id=2), "ids are already bound by position, so id cannot"),
        (lambda: api.operations.a({}, using(body={}), id=2), r"the body is given as an argument and in using\(body"),
        (lambda: api.operations.a(using(), using(), id=2), r"using\(\.\.\.\) is the last argument of a call, and is given once"),
        (lambda: api.operations.a(using(), {}, id=2), r"using\(\.\.\.\) is the last argument"),
        (lambda: api.build("a", {}, id=1), "the body stands: using"),
        (lambda: graph.user("ann").read(using(ids=["bob"])), "ids are already bound by position"),
        (lambda: graph.user(using(ids=["bob"])), r"using\(\.\.\.\) belongs to the call of an operation"),
        (lambda: api.plan("a")(using(base="http://h")), r"a plan writes a URL, and takes ids and query of using"),
        (lambda: api.plan("a")("1", using(ids={"id": "2"})), "ids are already bound by position"),
    ]
    for call, message in rows:
        with pytest.raises(routable.RoutableError, match=message):
            call()


def test_options_and_ids_of_a_walk(graph: routable.Router) -> None:
    assert graph.user("ann").read(base="x").url == "http://h.test/users/ann?base=x"
    assert graph.user("ann").read(username="x").url == "http://h.test/users/ann?username=x"  # the id is already bound
    request = graph.user("ann").status.create({"text": "hi"}, using(headers={"X-Trace": "1"}, base="http://o.test"))
    assert (str(request), request.headers["X-Trace"]) == ("POST http://o.test/users/ann/statuses", "1")
    # The ids of an operation's own path follow the ids of the walk.
    publish = graph.user("ann").publish
    assert publish(using(ids=["2"]), version="3").url == "http://h.test/users/ann/publish/2?version=3"
    assert publish(using(ids={"version": "2"}, query={"version": "3"})).url == "http://h.test/users/ann/publish/2?version=3"
    with pytest.raises(routable.IdError, match="id missing: version"):
        publish()
    with pytest.raises(routable.ParameterError, match="version is declared in the path and the query"):
        publish(version="2")


def test_names_of_ids(graph: routable.Router) -> None:
    for build in (lambda **named: graph.build("user.status", "read", **named).url, graph.plan("user.status", "read")):
        assert build(user_username="ann", id=3) == build(user_id="ann", id=3) == "http://h.test/users/ann/statuses/3"
        with pytest.raises(routable.IdError):
            build(user_id="ann")
    with pytest.raises(routable.IdError, match="given twice"):
        graph.plan("user.status", "read")(user_id="ann", user_username="bob", id=3)
    with pytest.raises(routable.ParameterError, match='no parameter "user"'):
        graph.build("user.status", "read", user="ann", id=3)
    with pytest.raises(routable.UnknownError):
        graph.build("user.staus", "read", user_id="ann")


# --- The names of a router ---

HIDING = ("document", "match", "plan", "schema", "types", "name", "close", "routes", "operations", "build", "resources", "warnings",
          "follow", "map", "user_data", "closed", "base", "read_parameter")


def test_a_name_of_the_description_takes_precedence() -> None:
    names = sorted({*HIDING, *(each for each in dir(routable.Router) if not each.startswith("_"))})
    api = routable.open({"routable": 1, "name": "all", "base": "http://h.test",
                         "resources": {each: {"path": each, "can": ["list", "read"]} for each in names}})
    own = routable.router(api)
    for each in names:
        assert getattr(api, each)("7").read().url == api[each]("7").read().url == f"http://h.test/{each}/7"
        assert any(f"the resource {each!r} has the name of a router's attribute" in warning for warning in own.warnings), each
    assert own.match("/close/7").route == "close" and own.name == "all" and own.document["name"] == "all"
    assert own.build("map", "list").url == "http://h.test/map" and own.plan("map", "read")(1) == "http://h.test/map/1"
    assert repr(api) == f"<routable.Router 'all': {len(names)} resources, {2 * len(names)} operations>"
    assert isinstance(api, routable.Router) and not isinstance(own, routable.Router) and routable.router(own) is own is routable.router(api)
    with pytest.raises(AttributeError):
        own.user  # noqa: B018
    own.close()
    for use in (lambda: api.close, lambda: own.match("/"), lambda: own.name, lambda: api["map"]):
        with pytest.raises(ValueError, match="closed"):
            use()
    assert own.closed


def test_closing_one_closes_both() -> None:
    for first in (lambda api: api, routable.router):
        api = routable.open({"routable": 1, "base": "http://h.test", "resources": {"user": {"path": "users", "can": ["read"]}}})
        own = routable.router(api)
        first(api).close()
        assert api.closed and own.closed
        for each in (api, own):
            with pytest.raises(ValueError, match="this Router is closed"):
                each.match("/users/1")
    with routable.open({"routable": 1, "operations": {"close": {"get": "/"}}}) as api:
        own = routable.router(api)
    assert own.closed and not api._twin
    with pytest.raises(TypeError):
        routable.router(3)  # type: ignore[arg-type]


def test_the_methods_outlive_the_router() -> None:
    api = routable.open({"routable": 1, "base": "http://h.test", "resources": {"user": {"path": "users", "can": ["read"]}}})
    own, gone = routable.router(api), weakref.ref(api)
    del api
    gc.collect()
    assert gone() is None and own.match("/users/1").ids == ("1",)


def test_operations_have_no_inherited_names() -> None:
    names = ("get", "items", "keys", "values", "close", "match", "operations")
    api = routable.open({"routable": 1, "base": "http://h.test", "resources": {
        "close": {"path": "closes", "can": ["read"]}, "user": {"path": "users", "can": ["read"], "has": ["operations"], "member": {
            "operations": {"post": "ops"}}}, "operations": {"path": "operations", "can": ["list"]}},
        "operations": {each: {"get": f"/{each}-it", "query": {"key": {"type": "string"}}} for each in names}})
    operations = routable.router(api).operations
    for each in names:
        assert getattr(operations, each)(key="a").url == operations[each](key="a").url == f"http://h.test/{each}-it?key=a"
    assert list(operations) == list(names) and len(operations) == 7 and "get" in operations and "pop" not in operations
    with pytest.raises(AttributeError, match="there are|did you mean"):
        operations.pop  # noqa: B018
    assert api.close("1").read().url == "http://h.test/closes/1" and api.get(key="a").url == "http://h.test/get-it?key=a"
    assert api.user("1").operations().url == "http://h.test/users/1/ops"
    assert api.user("1")["operations"].list().url == "http://h.test/users/1/operations"
    assert any("user has an operation and a child named 'operations'" in each for each in routable.router(api).warnings)
    assert any("a resource and an operation are named 'close'" in each for each in routable.router(api).warnings)


def test_no_warning_without_a_collision(graph: routable.Router) -> None:
    assert routable.open({"routable": 1, "resources": {"user": {"path": "users", "can": ["read"], "has": ["name"]},
                                                       "name": {"path": "names", "nested": True, "can": ["read"]}}}).warnings == ()
    assert type(graph) is routable.Router
    assert json.loads(json.dumps(list(graph.warnings))) == [
        "user.publish declares 'version' in the path and the query: using(...) passes it by place, and the keyword is ambiguous"]
