"""Every name of Tests/golden/names.json as an operation, an id, a query parameter, a header, a cookie and a member of the body at
the same time: Python, the JSON tier and the object tier put each value into its place (docs/calls.md)."""

from __future__ import annotations

import json
from ctypes import POINTER, byref, sizeof
from typing import Any, Dict, Iterator, List, Tuple
from urllib.parse import quote

import names
import pytest
import routable
from routable import using
from routable import _capi as c
from routable._capi import request as requests
from routable._check import check, new_error, take_string
from routable._text import data

NAMES = names.every()
#: The sent request: method, URL, headers by name, body.
Sent = Tuple[str, str, Dict[str, str], bytes]


def expected(name: str, media_type: str = "application/json") -> Sent:
    headers = {name: "h", "Cookie": f"{name}=c", "Content-Type": media_type}
    if name.lower() == "cookie":  # the header and the cookie are one header
        headers = {"cookie": f"h; {name}=c", "Content-Type": media_type}
    body = json.dumps({name: "b"}, separators=(",", ":")) if media_type.endswith("json") else f"{name}=b"
    return "POST", f"https://h.test/n{NAMES.index(name)}/i?{name}=q", headers, body.encode()


def sent(request: routable.Request) -> Sent:
    return request.method, request.url, dict(request.headers.items()), request.body or b""


def same(name: str, got: Sent, media_type: str = "application/json") -> None:
    wanted = expected(name, media_type)
    lower = lambda sent: (*sent[:2], {key.lower(): value for key, value in sent[2].items()}, sent[3])  # noqa: E731
    assert lower(got) == lower(wanted), name


@pytest.fixture(scope="module")
def api() -> Iterator[routable.Router]:
    with routable.open(names.document(NAMES)) as opened:
        yield opened


def by_place(name: str) -> Any:
    return using(ids={name: "i"}, query={name: "q"}, headers={name: "h"}, cookies={name: "c"})


def test_the_file_has_todays_names() -> None:
    assert len(NAMES) > 350
    found, recorded = names.collected(), names.recorded()
    for group in ("c", "swift", "options"):
        assert recorded[group] == found[group], "run bindings/python/tests/names.py"
    # Other versions of Python have fewer keywords and attributes.
    assert set(found["attributes"]) <= set(recorded["attributes"]) and set(found["python"]) <= set(recorded["python"]), "run bindings/python/tests/names.py"


def test_names_are_usable_in_python(api: routable.Router) -> None:
    own = routable.router(api)
    for name in NAMES:
        for operation in (own.operations[name], getattr(own.operations, name), getattr(api, name)):
            same(name, sent(operation({name: "b"}, by_place(name))))
        same(name, sent(own.build(name, using(body={name: "b"}, ids=["i"], query={name: "q"}, headers={name: "h"}, cookies={name: "c"}))))
        url = expected(name)[1]
        assert own.plan(name)("i", **{name: "q"}) == url and own.plan(name)(using(ids={name: "i"}, query={name: "q"})) == url
        with pytest.raises(routable.ParameterError, match="ambiguous"):
            own.operations[name]({name: "b"}, **{name: "x"})


@pytest.mark.parametrize("place", ["path", "query", "header", "cookie"])
def test_a_keyword_is_a_parameter(place: str) -> None:
    for name in NAMES:
        path = f"/p/{{{name}}}" if place == "path" else "/p"
        parameter = {"name": name, "in": place, "required": place == "path", "schema": {"type": "string"}}
        api = routable.open({"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "servers": [{"url": "https://h.test"}],
                             "paths": {path: {"get": {"operationId": "op", "parameters": [parameter], "responses": {}}}}})
        method, url, headers, body = sent(api.operations.op(**{name: "v"}))
        wanted = {"path": ("https://h.test/p/v", {}), "query": (f"https://h.test/p?{name}=v", {}), "header": ("https://h.test/p", {name: "v"}),
                  "cookie": ("https://h.test/p", {"Cookie": f"{name}=v"})}[place]
        assert (url, headers) == wanted and api.build("op", **{name: "v"}).url == url, name
        if place in ("path", "query"):
            assert api.plan("op")(**{name: "v"}) == url


def test_names_are_usable_in_forms() -> None:
    operations = routable.router(routable.open(names.document(NAMES, "application/x-www-form-urlencoded"))).operations
    for name in NAMES:
        same(name, sent(operations[name]({name: "b"}, by_place(name))), "application/x-www-form-urlencoded")


def test_names_are_usable_as_resources() -> None:
    """The names as resources with an id of the same name, at the root and below another resource."""
    resources = {each: {"path": f"r/{each}", "id": each, "can": ["read", "list"], "has": ["list" if each != "list" else "read"]} for each in NAMES}
    api = routable.open({"routable": 1, "base": "https://h.test", "resources": resources})
    own = routable.router(api)
    for name in NAMES:
        for resource in (api[name], getattr(api, name)):
            assert resource("7").read().url == resource(**{name: "7"}).read().url == f"https://h.test/r/{name}/7", name
            child = "list" if name != "list" else "read"
            assert resource("7")[child]("8").read().url == f"https://h.test/r/{name}/7/r/{child}/8", name
        assert own.build(name, "read", **{name: "7"}).url == f"https://h.test/r/{name}/7"
        assert own.plan(name, "read")(**{name: "7"}) == f"https://h.test/r/{name}/7"
        found = own.match(f"/r/{name}/7")
        assert found is not None and (found.route, found.operation, found.captures) == (name, "read", {name: "7"}), name


# --- C ---


def test_names_are_usable_in_the_json_tier(api: routable.Router) -> None:
    handle = api._live()
    for name in NAMES:
        call = json.dumps({"operation": name, "ids": {name: "i"}, "query": {name: "q"}, "headers": {name: "h"}, "cookies": {name: "c"},
                           "body": {name: "b"}}).encode()
        out, error = POINTER(requests.routable_request)(), new_error()
        check(c.routable_request_new_json(handle, call, len(call), byref(out), byref(error)), error)
        same(name, sent(routable.Request(out, None)))
        built = json.loads(take_string(c.routable_build_json, handle, call, len(call)))
        same(name, (built["method"], built["url"], dict(built["headers"]), built["body"].encode()))


def test_names_are_usable_in_the_object_tier(api: routable.Router) -> None:
    handle = api._live()
    for name in NAMES:
        arguments: List[Any] = []
        for value in (b"i", b"q", b"h", b"c"):
            given = (c.routable_argument * 1)()
            given[0].name = name.encode()
            given[0].value.kind = c.ROUTABLE_KIND_STRING
            given[0].value.as_.string = data(value)
            arguments.append(given)
        body = data(json.dumps({name: "b"}, separators=(",", ":")).encode())
        call = requests.routable_call(
            size=sizeof(requests.routable_call), operation=name.encode(), ids=arguments[0], id_count=1, query=arguments[1], query_count=1,
            headers=arguments[2], header_count=1, cookies=arguments[3], cookie_count=1)
        call.body.kind = c.ROUTABLE_KIND_JSON
        call.body.as_.string = body
        out, error = POINTER(requests.routable_request)(), new_error()
        check(requests.routable_request_new(handle, byref(call), byref(out), byref(error)), error)
        same(name, sent(routable.Request(out, None)))
