"""A template is sent as it is written, a value never becomes literal text, and a server is used as its URL states."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Optional

import pytest
import routable
from routable import using

HOST = "https://h.test"


def parameter(name: str, place: str = "path", **more: Any) -> Dict[str, Any]:
    return {"name": name, "in": place, "required": place == "path", "schema": {"type": "string"}, **more}


def document(paths: Dict[str, Any], servers: Optional[List[Any]] = None) -> routable.Router:
    return routable.loads(json.dumps({
        "openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": paths,
        "servers": [{"url": HOST}] if servers is None else servers}))


def operation(name: str, *parameters: Dict[str, Any], **more: Any) -> Dict[str, Any]:
    return {"operationId": name, "parameters": list(parameters), "responses": {"200": {"description": ""}}, **more}


def build(router: routable.Router, name: str, **ids: Any) -> str:
    return router.build(name, using(ids=ids)).url


LITERALS = [
    "/v2/{n}:undelete", "/Orders({n})", "/Orders(Key='{n}')", "/@{n}", "/x/$metadata", "/x/$count/{n}", "/a;v={n}", "/c++/{n}",
    "/what!", "/all*", "/r&d/{n}", "/k={n}", "/{n}:a:b", "/urn:isbn:{n}", "/~{n}", "/a%3Ab/{n}", "/%40me", "/100%25/{n}",
    "/a%2Cb", "/x%253A/{n}",
]


@pytest.mark.parametrize("template", LITERALS)
def test_literal_text_of_openapi_is_sent_as_written_and_matches(template: str) -> None:
    own = [parameter("n")] if "{n}" in template else []
    router = document({template: {"get": operation("a", *own)}})
    ids = {"n": "5:@(x)"} if own else {}
    url = build(router, "a", **ids)
    assert url == HOST + template.replace("{n}", "5%3A%40%28x%29")
    found = router.match(url, "GET")
    assert found is not None and (found.operation, found.values) == ("a", ids)


@pytest.mark.parametrize("template", LITERALS)
def test_literal_text_of_a_route_document_is_sent_as_written_and_matches(template: str) -> None:
    router = routable.open({"routable": 1, "base": HOST, "operations": {"a": {"method": "GET", "path": template}}})
    ids = {"n": "a b"} if "{n}" in template else {}
    url = build(router, "a", **ids)
    assert url == HOST + template.replace("{n}", "a%20b")
    found = router.match(url, "GET")
    assert found is not None and (found.operation, found.values) == ("a", ids)


@pytest.mark.parametrize("template, sent", [
    ("/a b", "/a%20b"), ("/é", "/%C3%A9"), ("/a|b", "/a%7Cb"), ("/a%41", "/aA"), ("/a%3ab", "/a%3Ab"), ("/50%", "/50%25")])
def test_characters_that_a_segment_cannot_contain_are_escaped(template: str, sent: str) -> None:
    router = document({template: {"get": operation("a")}})
    assert build(router, "a") == HOST + sent
    assert router.match(HOST + sent, "GET")


def test_a_resource_is_sent_as_written() -> None:
    router = routable.open({"routable": 1, "base": HOST, "resources": {"thing": {"path": "a:b/(c)", "id": "id", "can": ["read"]}}})
    url = router.build("thing", "read", using(ids={"id": ":"})).url
    assert url == HOST + "/a:b/(c)/%3A"
    found = router.match(url, "GET")
    assert found is not None and found.values == {"id": ":"}


VALUES = ["op:cancel", "a,b", "@me", "x:y:cancel", ":cancel", "a:", "(1)", "a=b;c", "!", "*", "$1", "it's", "a%3Ab", "50%", "a&b+c"]


@pytest.mark.parametrize("value", VALUES)
def test_a_delimiter_in_a_value_is_never_literal_text(value: str) -> None:
    router = document({
        "/v/{n}": {"post": operation("start", parameter("n"))},
        "/v/{n}:cancel": {"post": operation("cancel", parameter("n"))},
        "/v/@me": {"post": operation("me")},
        "/p/{a},{b}": {"get": operation("pair", parameter("a"), parameter("b"))},
        "/d/{a}:{b}({c})": {"get": operation("three", parameter("a"), parameter("b"), parameter("c"))}})
    for name, method, ids in (
        ("start", "POST", {"n": value}), ("cancel", "POST", {"n": value}), ("pair", "GET", {"a": value, "b": value}),
        ("three", "GET", {"a": value, "b": "1", "c": value})):
        url = build(router, name, **ids)
        found = router.match(url, method)
        assert found is not None and (found.operation, found.values) == (name, ids), url


def test_route_documents_build_what_cannot_be_read_otherwise() -> None:
    router = routable.open({"routable": 1, "base": HOST, "operations": {
        "pair": {"method": "GET", "path": "/p/{a},{b}"}, "dash": {"method": "GET", "path": "/d/{a}-{b}"},
        "one": {"method": "GET", "path": "/u/{n}"}, "me": {"method": "GET", "path": "/u/@me"}}})
    assert build(router, "pair", a="1,2", b="3") == HOST + "/p/1%2C2,3"
    assert build(router, "one", n="@me") == HOST + "/u/%40me"
    assert router.match("/u/%40me", "GET").operation == "one" and router.match("/u/@me", "GET").operation == "me"
    # An unreserved character is never escaped, so that the URL would be read as other values.
    with pytest.raises(routable.RoutableError, match="matches with other values"):
        build(router, "dash", a="1-2", b="3")


RESERVED = ["a&b", "a=b", "a+b", "a#b", "a[b]", "?/:@!$'()*,;", "&x=1", "x&", "a b", "é&", "&&", "a&b=c#d"]


@pytest.mark.parametrize("value", RESERVED)
@pytest.mark.parametrize("explode", [True, False])
def test_no_value_with_allow_reserved_adds_an_item(value: str, explode: bool) -> None:
    query = parameter("q", "query", allowReserved=True, explode=explode)
    router = document({"/f": {"get": operation("a", query)}})
    url = router.build("a", using(query={"q": value})).url
    text = url.split("?", 1)[1]
    assert text.count("&") == 0 and not set("#[]+") & set(text), url
    assert router.read_parameter("a", "q", text) == value


@pytest.mark.parametrize("key", ["a=b", "a&b", "a+b", "a#b", "a[b]"])
def test_no_name_with_allow_reserved_ends_early(key: str) -> None:
    query = {"name": "q", "in": "query", "allowReserved": True, "schema": {"type": "object"}}
    router = document({"/f": {"get": operation("a", query)}})
    text = router.build("a", using(query={"q": {key: "x=y&z"}})).url.split("?", 1)[1]
    assert text.count("&") == 0 and text.count("=") == 2
    assert router.read_parameter("a", "q", text) == {key: "x=y&z"}


@pytest.mark.parametrize("template, declared, expected", [
    ("/f?x={x}", [parameter("x", "query")], "/f?x=1"),
    ("/f?x={x}", [parameter("x")], "/f?x=1"),
    ("/f?x={x}", [], "/f?x=1"),
    ("/f?a=1&x={x}", [parameter("x", "query")], "/f?a=1&x=1"),
    ("/f?x={x}&a=1", [parameter("x", "query")], "/f?a=1&x=1"),
    ("/f?x={x}&y={y}", [parameter("x", "query"), parameter("y", "query")], "/f?x=1&y=1"),
    ("/f?x={x}&y={y}", [parameter("x"), parameter("y")], "/f?x=1&y=1"),
    ("/f/?x={x}", [parameter("x", "query", required=True)], "/f/?x=1"),
    ("/f?x={n}", [parameter("n", "query")], "/f?x=1"),
    ("/f?a%5B%5D={x}", [parameter("x", "query")], "/f?a%5B%5D=1"),
])
def test_a_parameter_in_the_query_of_a_path_is_substituted(
    template: str, declared: List[Dict[str, Any]], expected: str,
) -> None:
    router = document({template: {"get": operation("a", *declared)}})
    keys = [each.split("=")[0].replace("%5B%5D", "[]") for each in template.split("?")[1].split("&") if "{" in each]
    url = router.build("a", using(query={key: "1" for key in keys})).url
    assert url == HOST + expected
    assert any("query in the path" in str(each) for each in router.warnings)


def test_such_a_parameter_may_be_given_as_the_id_that_it_is_declared_as() -> None:
    router = document({"/f?x={x}": {"get": operation("a", parameter("x"))}})
    assert build(router, "a", x="a&b") == HOST + "/f?x=a%26b"


@pytest.mark.parametrize("template", ["/f?{x}", "/f?x=a{x}", "/f?{x}=1", "/f?x={x", "/f?x={}"])
def test_other_braces_in_the_query_of_a_path_are_refused(template: str) -> None:
    router = document({template: {"get": operation("a", parameter("x", "query"))}})
    assert "a" not in router.operations and any("cannot be built" in str(each) for each in router.warnings)


@pytest.mark.parametrize("template, value, expected", [
    ("{+x:1}", "%2Fabc", "%2F"), ("{+x:2}", "%2Fabc", "%2Fa"), ("{+x:1}", "%C3%A9llo", "%C3%A9"),
    ("{+x:2}", "%C3%A9llo", "%C3%A9l"), ("{#x:2}", "a%20b", "#a%20"), ("{+x:3}", "ab%2Fc", "ab%2F"),
    ("{+x:1}", "%E2%82%AC5", "%E2%82%AC"), ("{+x:1}", "%F0%9F%98%80z", "%F0%9F%98%80"), ("{+x:2}", "%%41b", "%25%41"),
    ("{+x:1}", "é%20", "%C3%A9"), ("{+x:3}", "%4", "%254"), ("{x:2}", "%2Fa", "%252"), ("{+x:1}", "%C3x", "%C3"),
])
def test_a_prefix_does_not_cut_a_triplet(template: str, value: str, expected: str) -> None:
    assert routable.expand(template, x=value) == expected


@pytest.mark.parametrize("server, url, matches", [
    ("https://h.test/v1", "https://h.test:443/v1/a", True), ("http://h.test:80/v1", "http://h.test/v1/a", True),
    ("https://h.test:443", "https://h.test/a", True), ("https://h.test:443", "HTTPS://H.TEST:443/a", True),
    ("https://h.test", "https://h.test:80/a", False), ("http://h.test", "http://h.test:443/a", False),
    ("https://h.test:8443", "https://h.test/a", False), ("https://h.test", "https://h.test:4430/a", False),
    ("https://h.test", "https://h.test.evil/a", False), ("https://h.test", "https://h.test@evil/a", False),
    ("https://[::1]:443", "https://[::1]/a", True), ("https://h.test", "http://h.test/a", False),
    ("/v1", "http://localhost/v1/a", True), ("/v1", "https://any.test:8080/v1/a?x#y", True), ("/v1", "https://any.test/a", False),
    ("/v1", "ftp://any.test/v1/a", False), ("/", "https://any.test/a", True), ("/v1", "https://any.test/v12/a", False),
])
def test_default_ports_and_servers_without_a_host(server: str, url: str, matches: bool) -> None:
    router = document({"/a": {"get": operation("a")}}, [{"url": server}])
    assert bool(router.match(url, "GET")) == matches


UNUSABLE: List[Any] = [
    {"url": "wss://h.test"}, {"url": " https://h.test"}, {"url": "https://h.test "}, {"url": "https://{host}.test"},
    {"url": "https://h.test:{port}", "variables": {"port": {"default": 8443}}}, {"url": "v1"},
    {"url": "ftp://h.test"}, {"url": "https://h.test/#x"}, {"url": "//h.test"},
    {"url": "https://{a}", "variables": {"a": {"enum": ["b"]}}}, {"url": "https://user:secret@h.test"},
]


@pytest.mark.parametrize("server", UNUSABLE)
def test_a_server_that_cannot_be_used_is_named_by_the_call(server: Dict[str, Any]) -> None:
    for router in (document({"/a": {"get": operation("a")}}, [server]),
                   document({"/a": {"get": operation("a", servers=[server])}})):
        with pytest.raises(routable.RoutableError, match="no server can be used") as raised:
            router.build("a")
        assert "secret" not in raised.value.message
        assert router.build("a", using(base="https://other.test")).url == "https://other.test/a"


@pytest.mark.parametrize("server", UNUSABLE)
def test_the_first_usable_server_is_used_with_a_warning(server: Dict[str, Any]) -> None:
    router = document({"/a": {"get": operation("a")}}, [server, {"url": "https://second.test"}])
    assert router.build("a").url == "https://second.test/a"
    assert any("another server is used" in str(each) for each in router.warnings)
