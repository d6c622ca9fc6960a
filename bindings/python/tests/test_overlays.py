"""Overlays; policy and pagination from keys that begin with x-routable; `only` and `except_`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict

import pytest
import routable
from conftest import needs_optimization

PETS: Dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "Pets", "version": "1"},
    "servers": [{"url": "https://pets.test", "description": "Live"}, {"url": "https://dev.test", "description": "Dev"}],
    "paths": {
        "/pets": {
            "get": {"operationId": "list", "x-oai-traits": ["paged"], "parameters": [
                {"name": "filter", "in": "query", "schema": {"type": "string"}},
                {"name": "dummy", "in": "query", "schema": {"type": "string"}}], "responses": {}},
            "post": {"operationId": "add", "responses": {"201": {"description": ""}, "500": {"description": "wrong"}}},
        },
        "/pets/{id}": {"get": {"operationId": "read", "responses": {"500": {"description": "wrong"}}}},
    },
}


def overlaid(*actions: Dict[str, Any], **options: Any) -> routable.Router:
    return routable.open(
        PETS, overlays=[{"overlay": "1.0.0", "info": {"title": "t", "version": "1"}, "actions": list(actions)}], **options)


def result(*actions: Dict[str, Any]) -> Dict[str, Any]:
    return json.loads(json.dumps(overlaid(*actions).document))


def test_an_update_is_merged() -> None:
    found = result({"target": "$", "update": {"info": {"x-overlaid": True}, "paths": {"/pets": {"get": {"summary": "All"}}}}})
    assert found["info"] == {"title": "Pets", "version": "1", "x-overlaid": True}
    assert found["paths"]["/pets"]["get"]["summary"] == "All"
    assert result({"target": "$.info", "update": {"title": "Other"}})["info"]["title"] == "Other"


def test_actions_add_and_remove_elements_of_arrays() -> None:
    found = result({"target": "$.paths.*.get.parameters", "update": {"name": "new", "in": "query"}},
                   {"target": "$.paths.*.get.parameters[?@.name == 'dummy']", "remove": True})
    assert [each["name"] for each in found["paths"]["/pets"]["get"]["parameters"]] == ["filter", "new"]
    assert result({"target": "$.servers[?(@.description == 'Dev')]", "remove": True})["servers"] == PETS["servers"][:1]


@pytest.mark.parametrize("target, count", [
    ("$.paths.*.get", 2), ("$.paths['/pets'].get", 1), ("$..responses['500']", 2), ("$.servers[0]", 1), ("$.servers[-1]", 1),
    ("$.servers[0:1]", 1), ("$.servers[::-1]", 2), ("$.servers[?@.url != 'https://dev.test']", 1), ("$.paths['/pets']['get','post']", 2),
    ("$.paths.*[?@.operationId]", 3), ("$.paths.*[?!@.parameters]", 2), ("$..[?@.name=='filter' && @.in=='query']", 1),
    ("$..[?@.name=='filter' || @.name=='dummy']", 2), ("$.paths.*[?length(@.operationId) > 3]", 2),
    ("$.paths[?count(@.*) == 2]", 1), ("$.paths['/pets'].get[?@ == $.paths['/pets'].get.responses]", 1), ("$", 1),
])
def test_each_target_selects_its_values(target: str, count: int) -> None:
    found = json.dumps(result({"target": target, "update": {"x-here": 1}}))
    assert found.count('"x-here"') == count


SETS = json.loads((Path(__file__).parents[3] / "Tests/conformance/documents/overlay-sets.json").read_text())["sets"]


@pytest.mark.parametrize("each", SETS, ids=[each["name"] for each in SETS])
def test_the_examples_of_the_overlay_specification(each: Dict[str, Any]) -> None:
    assert routable.open(each["openapi"], overlays=[each["overlay"]]).document == each["output"]


def test_a_target_that_matches_nothing_is_reported() -> None:
    router = overlaid({"target": "$.paths['/pest'].get", "update": {}}, {"target": "$.paths['/pets'].get", "update": {}})
    assert [each for each in router.warnings if "overlay" in each] == [
        "overlay 1#/actions/0/target: the target \"$.paths['/pest'].get\" matches nothing"]


@pytest.mark.parametrize("target, error, words", [
    ("$.paths[?match(@.x, 'a')]", routable.UnsupportedError, "match()"),
    ("$.paths[?search(@.x, 'a')]", routable.UnsupportedError, "search()"),
    ("$.paths[?value(@..x) == 1]", routable.UnsupportedError, "value()"),
    ("$.paths[?@[?@.x]]", routable.UnsupportedError, "a filter within a filter"),
    ("$.paths[?lenght(@.x) > 1]", routable.DocumentError, '"length"'),
    ("paths", routable.DocumentError, "at byte 0"),
    ("$.paths[", routable.DocumentError, "a selector"),
    ("$.paths['a", routable.DocumentError, "the end of the name"),
    ("$" + "[?(" * 60, routable.RoutableError, ""),
])
def test_targets_that_are_refused(target: str, error: Any, words: str) -> None:
    with pytest.raises(error) as raised:
        overlaid({"target": target, "remove": True})
    assert (raised.value.pointer, raised.value.message.startswith("overlay 1: ")) == ("/actions/0/target", True)
    assert words in raised.value.message


@pytest.mark.parametrize("change, pointer, words", [
    ({"overlay": "2.0.0"}, "/overlay", "1.0.0"),
    ({"actions": []}, "/actions", "at least one"),
    ({"action": []}, "/action", '"actions"'),
    ({"actions": [{"target": "$", "updat": {}}]}, "/actions/0/updat", '"update"'),
    ({"actions": [{"target": "$"}]}, "/actions/0", '"remove"'),
    ({"actions": [{"target": "$", "copy": "$.a"}]}, "/actions/0/copy", "1.1"),
    ({"actions": [{"target": "$", "update": {"servers": {}}}]}, "/actions/0/update/servers", "an array in the document"),
    ({"actions": [{"target": "$.info.title", "update": "x"}]}, "/actions/0/target", "can be updated"),
    # The additions of an overlay are read as part of the document, and an error names the overlay.
    ({"actions": [{"target": "$.paths['/pets'].get", "update": {"responses": []}}]}, "/actions/0/update/responses", "array"),
    ({"actions": [{"target": "$.paths['/pets'].get.parameters", "update": {"name": "a", "in": "bodi"}}]},
     "/actions/0/update/in", "cannot be in"),
])
def test_overlays_that_are_refused(change: Dict[str, Any], pointer: str, words: str) -> None:
    with pytest.raises(routable.RoutableError) as raised:
        routable.open(PETS, overlays=[{"overlay": "1.0.0", "info": {"title": "t", "version": "1"}, "actions": [
            {"target": "$.info", "update": {}}], **change}])
    assert (raised.value.pointer, words in raised.value.message) == (pointer, True), raised.value.message


def test_errors_after_an_overlay_point_into_the_document() -> None:
    document = {**PETS, "paths": {**PETS["paths"], "/bad": {"get": {"parameters": [{"name": "x", "in": "quer"}]}}}}
    text = json.dumps(document)
    overlay = {"overlay": "1.0.0", "actions": [{"target": "$.servers[0]", "remove": True}, {"target": "$.info", "update": {"a": 1}}]}
    with pytest.raises(routable.DocumentError) as raised:
        routable.loads(text, overlays=[overlay])
    assert raised.value.pointer == "/paths/~1bad/get/parameters/0/in" and raised.value.suggestion == "query"
    assert text[raised.value.offset :].startswith('"quer"')


def test_only_and_except_leave_nothing_else() -> None:
    router = routable.open(PETS, only=["read", "list"])
    assert list(router.operations) == ["list", "read"]
    assert list(routable.open(PETS, except_=["add"]).operations) == ["list", "read"]
    with pytest.raises(routable.MethodNotAllowedError) as raised:
        router.match("/pets", "POST")
    assert raised.value.allowed == ("GET",)
    with pytest.raises(routable.UnknownError) as unknown:
        routable.open(PETS, only=["reed"])
    assert unknown.value.suggestion == "read"
    with pytest.raises(routable.ArgumentError):
        routable.open(PETS, only=["read"], except_=["add"])
    # Faults in an operation that `only` leaves out are not reported.
    broken = {**PETS, "paths": {**PETS["paths"], "/bad": {"get": []}}}
    with pytest.raises(routable.DocumentError):
        routable.open(broken)


def test_only_narrows_a_route_document() -> None:
    document: Dict[str, Any] = {
        "routable": 1, "base": "https://h.test",
        "resources": {"user": {"path": "users", "can": ["list", "read", "create"], "member": {"ban": {"post": "ban"}}}},
        "operations": {"search": {"get": "/search"}, "renew": {"post": "/renew"}},
    }
    router = routable.open(document, only=["user.read", "user.ban", "search"])
    assert router.resources["user"].capabilities == ("read",) and list(router.operations) == ["search"]
    with pytest.raises(routable.NotAllowedError):
        router.build("user", "create", routable.using(body={}))
    assert router.build("user", "ban", routable.using(ids=["a"])).url == "https://h.test/users/a/ban"
    with pytest.raises(routable.UnknownError):
        routable.open(document, except_=["user.delete"])
    with pytest.raises(routable.DocumentError, match="refreshed by"):
        routable.open({**document, "auth": {"s": {"scheme": "bearer", "refresh": "renew"}}}, only=["search"])
    with pytest.raises(routable.ArgumentError, match="overlays are for OpenAPI"):
        routable.open(document, overlays=[{"overlay": "1.0.0", "actions": [{"target": "$", "update": {}}]}])


@needs_optimization
def test_the_work_of_overlays_is_limited() -> None:
    wide = {**PETS, "x-wide": [[{"name": each} for each in range(100)] for _ in range(100)]}
    overlay = {"overlay": "1.0.0", "actions": [{"target": "$..[?count($..*) > 1]", "update": {}}]}
    with pytest.raises(routable.LimitError, match="visit more than"):
        routable.open(wide, overlays=[overlay])
    with pytest.raises(routable.LimitError, match="bytes"):
        routable.open(PETS, max_document_bytes=40000, overlays=[
            {"overlay": "1.0.0", "actions": [{"target": "$..*[?@.responses]", "update": {"x-long": "x" * 20000}}]}])


TOKENS: Dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "Tokens", "version": "1"},
    "servers": [{"url": "https://h.test"}],
    "x-routable-deadline": 20,
    "paths": {
        "/items": {
            "get": {"operationId": "list", "parameters": [{"name": "page", "in": "query", "schema": {"type": "integer"}}], "responses": {}},
            "post": {"operationId": "add", "responses": {}},
        },
        "/token": {"post": {"operationId": "renew", "responses": {}}},
    },
    "components": {"securitySchemes": {"session": {"type": "http", "scheme": "bearer"}}},
}


def test_policies_come_from_keys_or_an_overlay() -> None:
    router = routable.open(TOKENS, overlays=[{"overlay": "1.0.0", "info": {"title": "t", "version": "1"}, "actions": [
        {"target": "$.paths['/items'].get", "update": {
            "x-routable-pagination": {"by": "page", "parameter": "page", "items": "/items"}, "x-routable-retry": {"times": 5}}},
        {"target": "$.paths['/items'].post", "update": {"x-routable-idempotency": True, "x-routable-deadline": 3}},
        {"target": "$.components.securitySchemes.session", "update": {"x-routable-refresh": "renew", "x-routable-token": "/t"}},
    ]}])
    described = routable._described.read_operations(router._live())
    listed, add = described["list"], described["add"]
    assert listed.pagination is not None and (listed.pagination.by, listed.pagination.items) == ("page", "/items")
    assert (listed.policy.deadline, listed.policy.retries, add.policy.deadline) == (20, 5, 3)
    assert add.policy.idempotency_header == "Idempotency-Key"


@pytest.mark.parametrize("place, value, pointer, words", [
    (["x-routable-deadlin"], 1, "/x-routable-deadlin", "x-routable-deadline"),
    (["x-routable-deadline"], 0, "/x-routable-deadline", "above 0"),
    (["paths", "/items", "get", "x-routable-pagination"], {"by": "pages"}, "/paths/~1items/get/x-routable-pagination/by", '"page"'),
    (["paths", "/items", "get", "x-routable-pagination"], {"by": "page", "parameter": "pag"},
     "/paths/~1items/get/x-routable-pagination/parameter", '"page"'),
    (["paths", "/items", "post", "x-routable-retry"], {"time": 3}, "/paths/~1items/post/x-routable-retry/time", '"times"'),
    (["paths", "/items", "post", "x-routable-retri"], {}, "/paths/~1items/post/x-routable-retri", "x-routable-retry"),
    (["components", "securitySchemes", "session", "x-routable-refresh"], "renewal",
     "/components/securitySchemes/session/x-routable-refresh", "renew"),
])
def test_a_fault_in_a_key_has_its_pointer(place: Any, value: Any, pointer: str, words: str) -> None:
    document = json.loads(json.dumps(TOKENS))
    node = document
    for key in place[:-1]:
        node = node[key]
    node[place[-1]] = value
    with pytest.raises(routable.DocumentError) as raised:
        routable.open(document)
    assert (raised.value.pointer, words in raised.value.message) == (pointer, True), raised.value.message
    assert raised.value.offset is None or raised.value.offset >= 0
