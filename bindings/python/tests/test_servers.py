"""Servers of OpenAPI documents: a URL is of an operation if it is below one of the servers of the operation (OpenAPI 4.8.5)."""

import json
from typing import Any, Dict, List, Optional

import pytest

import routable

OK = {"200": {"description": "done"}}
Servers = List[Dict[str, Any]]


def server(url: str, **variables: Any) -> Dict[str, Any]:
    return {"url": url, "variables": variables} if variables else {"url": url}


def api(
    servers: Servers, paths: Optional[Dict[str, Any]] = None, of_path: Optional[Servers] = None, of_operation: Optional[Servers] = None
) -> routable.Router:
    item: Dict[str, Any] = {"get": {"operationId": "list", "responses": OK}, "post": {"operationId": "add", "responses": OK}}
    if of_path is not None:
        item["servers"] = of_path
    if of_operation is not None:
        item["post"]["servers"] = of_operation
    return routable.loads(
        json.dumps(
            {
                "openapi": "3.0.3",
                "info": {"title": "t", "version": "1"},
                "servers": servers,
                "paths": paths if paths is not None else {"/files": item, "/users/{id}": {"get": {"operationId": "user", "responses": OK}}},
            }
        )
    )


def name(router: routable.Router, url: str, method: str = "GET") -> Optional[str]:
    try:
        match = router.match(url, method)
    except routable.RoutableError as error:
        return type(error).__name__
    return match.operation if match else None


API = server("https://api.example/v1")
UPLOAD = server("https://upload.example/v2")


def test_an_operation_is_found_below_its_own_servers_only() -> None:
    router = api([API], of_operation=[UPLOAD])
    assert name(router, router.operations["list"]().url) == "list"
    assert router.operations["add"]().url == "https://upload.example/v2/files"
    assert name(router, "https://upload.example/v2/files", "POST") == "add"
    assert name(router, "https://api.example/v1/files", "POST") == name(router, "https://api.example/v1/files", "PUT")
    assert name(router, "https://upload.example/v2/files") == "MethodNotAllowedError"
    assert name(router, "https://upload.example/v1/files", "POST") is None
    assert name(router, "https://upload.example/v2/users/7") is None
    assert router.match("/files", "POST").operation == "add", "a path without a host is relative to every server"


def test_the_servers_of_a_path_are_those_of_its_operations() -> None:
    router = api([API], of_path=[UPLOAD])
    for method, operation in (("GET", "list"), ("POST", "add")):
        assert name(router, router.operations[operation]().url, method) == operation
        assert name(router, "https://api.example/v1/files", method) is None
    assert name(router, "https://api.example/v1/users/7") == "user"


def test_all_servers_of_a_description_match() -> None:
    router = api([API, server("https://eu.example/v1"), server("http://localhost:8080")])
    for base in ("https://api.example/v1", "https://EU.example:443/v1", "http://localhost:8080"):
        match = router.match(base + "/users/ann", "GET")
        assert match and match.operation == "user"
        assert match.values == {"id": "ann"}
    for base in ("https://us.example/v1", "http://eu.example/v1", "http://localhost", "https://eu.example"):
        assert name(router, base + "/users/ann") is None, base


@pytest.mark.parametrize(
    "url, variables, found, missed",
    [
        (
            "https://{region}.api.example/v1",
            {"region": {"enum": ["eu", "us"], "default": "us"}},
            ["https://eu.api.example/v1", "https://us.api.example/v1", "https://EU.API.example/v1"],
            ["https://cn.api.example/v1", "https://api.example/v1", "https://eu.us.api.example/v1", "https://eu.api.example/v2"],
        ),
        (
            "https://{tenant}.api.example/v1",
            {"tenant": {"default": "demo"}},
            ["https://demo.api.example/v1", "https://acme.api.example/v1", "https://a.b.api.example/v1"],
            ["https://.api.example/v1", "https://api.example/v1", "https://acme.api.example.evil/v1", "https://evil/.api.example/v1"],
        ),
        (
            "https://api.example/{version}",
            {"version": {"default": "v1"}},
            ["https://api.example/v1", "https://api.example/v2"],
            ["https://api.example", "https://api.example/v1/x", "https://api.example/"],
        ),
        (
            "https://api.example/{a}-{b}/x",
            {"a": {"default": "1"}, "b": {"default": "2"}},
            ["https://api.example/1-2/x", "https://api.example/1--2/x", "https://api.example/---/x"],
            ["https://api.example/12/x", "https://api.example/-2/x", "https://api.example/1-/x", "https://api.example/1-2/y"],
        ),
        (
            "{scheme}://api.example",
            {"scheme": {"enum": ["http", "https"], "default": "https"}},
            ["http://api.example", "https://api.example"],
            ["ftp://api.example"],
        ),
        (
            "{server}/v1",
            {"server": {"default": "https://api.example"}},
            ["https://api.example/v1"],
            ["https://other.example/v1"],
        ),
        (
            "https://api.example:{port}",
            {"port": {"enum": ["443", "8443"], "default": "8443"}},
            ["https://api.example:8443", "https://api.example:443", "https://api.example"],
            ["https://api.example:80"],
        ),
        ("/{version}", {"version": {"enum": ["v1", "v2"], "default": "v1"}}, ["https://any.example/v1", "http://other/v2"], ["http://other/v3"]),
    ],
)
def test_servers_with_variables(url: str, variables: Dict[str, Any], found: List[str], missed: List[str]) -> None:
    router = api([server(url, **variables)])
    for base in found:
        assert name(router, base + "/users/7") == "user", base
    for base in missed:
        assert name(router, base + "/users/7") is None, base


def test_a_more_literal_path_of_another_server_does_not_match() -> None:
    router = api(
        [API],
        {
            "/users/{id}": {"get": {"operationId": "user", "responses": OK}},
            "/users/me": {"get": {"operationId": "me", "servers": [UPLOAD], "responses": OK}},
        },
    )
    assert name(router, "https://api.example/v1/users/me") == "user"
    assert name(router, "https://upload.example/v2/users/me") == "me"
    assert name(router, "https://upload.example/v2/users/you") is None


def test_without_a_method_an_operation_of_the_server_is_found() -> None:
    router = api([API], of_operation=[UPLOAD])
    match = router.match("https://upload.example/v2/files", None)
    assert match and match.operation == "add"
    match = router.match("https://api.example/v1/files", None)
    assert match and match.operation == "list"


def test_options_apply_below_every_server() -> None:
    router = api([API], of_operation=[UPLOAD])
    match = router.match("https://upload.example/v2/files/", "POST", any_slash=True)
    assert match and match.operation == "add"
    match = router.match("/v2/files", "POST", whole_path=True)
    assert match and match.operation == "add"


def test_a_base_that_is_given_replaces_all_servers() -> None:
    text = json.dumps(
        {
            "openapi": "3.0.3",
            "info": {"title": "t", "version": "1"},
            "servers": [API],
            "paths": {"/files": {"post": {"operationId": "add", "servers": [UPLOAD], "responses": OK}}},
        }
    )
    router = routable.loads(text, base="https://mine.example")
    assert name(router, router.operations["add"]().url, "POST") == "add"
    assert name(router, "https://upload.example/v2/files", "POST") is None


def test_many_servers_have_a_limit_and_a_warning() -> None:
    paths = {
        f"/p{number}": {"get": {"operationId": f"p{number}", "servers": [server(f"https://h{number}.example")], "responses": OK}}
        for number in range(1500)
    }
    router = api([API], paths)
    assert name(router, "https://h3.example/p3") == "p3"
    assert name(router, "https://h3.example/p4") is None
    assert router.operations["p1400"]().url == "https://h1400.example/p1400"
    assert any("URLs below 501 servers are not matched" in warning for warning in router.warnings)



@pytest.mark.parametrize("count, unlisted", [(64, False), (65, True)])
def test_a_long_enum_of_a_server_variable_matches_any_text(count: int, unlisted: bool) -> None:
    values = [f"r{number}" for number in range(count)]
    router = api([server("https://{region}.example", region={"enum": values, "default": "r0"})])
    assert name(router, "https://r0.example/users/7") == "user"
    assert name(router, f"https://r{count - 1}.example/users/7") == "user"
    assert (name(router, "https://other.example/users/7") == "user") is unlisted


@pytest.mark.parametrize("of_description, of_operation", [
    (None, None), ([], None), (["/"], None), (["https://h.example"], ["/"]), (None, ["/"]),
])
def test_a_server_that_is_a_slash_matches_any_host(
    of_description: Optional[List[str]], of_operation: Optional[List[str]]
) -> None:
    operation: Dict[str, object] = {"operationId": "one", "responses": {"200": {"description": "done"}}}
    document: Dict[str, object] = {
        "openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"get": operation}}}
    for target, servers in ((document, of_description), (operation, of_operation)):
        if servers is not None:
            target["servers"] = [{"url": url} for url in servers]
    api = routable.loads(json.dumps(document))
    for url in ("/a", "https://h.example/a", "http://other.example:8080/a"):
        found = api.match(url)
        assert found is not None and found.operation == "one", (of_description, of_operation, url, found)
    assert api.match("https://h.example/v1/a") is None
    assert not [each for each in api.warnings if "not matched" in each], api.warnings
