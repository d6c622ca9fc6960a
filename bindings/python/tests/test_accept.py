"""A10: the header Accept of requests, which lists the media types that the operation declares for its successes."""

from __future__ import annotations

from typing import Any, Dict, List, Optional

import pytest
import routable
from loopback import Loopback, raw, whole
from routable import using
from routable.testing import Responses

BASE = "https://api.example.com"
JSON = "application/json"
EVENTS = "text/event-stream"
PROBLEM = "application/problem+json"


def content(*types: str) -> Dict[str, Any]:
    return {"description": "d", "content": {each: {"schema": {"type": "object"}} for each in types}}


def opened(responses: Dict[str, Any], method: str = "get", **more: Any) -> routable.Router:
    return routable.open({
        "openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "servers": [{"url": BASE}],
        "paths": {"/x": {method: {"operationId": "x", "responses": responses, **more}}}})


def accept(router: routable.Router) -> Optional[str]:
    return router.operations.x().headers.get("Accept")


def weighted(*types: str) -> str:
    """The types in this order as the value of the header."""
    return ", ".join(each if index == 0 else f"{each};q=0.{max(1, 10 - index)}" for index, each in enumerate(types))


# --- OpenAPI ---


@pytest.mark.parametrize(("responses", "expected"), [
    ({"200": content(JSON)}, JSON),
    ({"200": content("application/vnd.shop.v2+json")}, "application/vnd.shop.v2+json"),
    ({"200": content("application/xml", JSON)}, "application/json, application/xml;q=0.9"),
    ({"200": content("text/csv", "application/hal+json", "text/html", JSON)},
     weighted("application/hal+json", JSON, "text/csv", "text/html")),
    # Ranges are last, whatever precedes them.
    ({"200": content("*/*", "image/*", "text/csv", JSON)}, weighted(JSON, "text/csv", "*/*", "image/*")),
    ({"200": content("*/*")}, "*/*"),
    ({"200": content("image/png", "image/*")}, "image/png, image/*;q=0.9"),
    # Each type once, in the order of the document.
    ({"201": content("text/csv"), "200": content("text/plain", "text/csv")}, "text/csv, text/plain;q=0.9"),
    ({"2XX": content(JSON), "200": content(JSON)}, JSON),
    # Streams.
    ({"200": content(EVENTS)}, EVENTS),
    ({"200": content("application/x-ndjson")}, "application/x-ndjson"),
    ({"200": content("application/jsonl")}, "application/jsonl"),
    ({"200": content(EVENTS, JSON)}, f"{JSON}, {EVENTS};q=0.9"),
])
def test_A10_accept_lists_the_media_types_of_successes(responses: Dict[str, Any], expected: str) -> None:
    assert accept(opened(responses)) == expected


@pytest.mark.parametrize(("responses", "expected"), [
    # Types of errors are not listed, whatever the successes are.
    ({"200": content(JSON), "404": content(PROBLEM), "5XX": content("text/html")}, JSON),
    ({"200": content(JSON), "default": content(PROBLEM)}, JSON),
    ({"204": {"description": "d"}, "default": content(PROBLEM)}, None),
    ({"404": content(PROBLEM)}, None),
    # A redirect or `default` is used if no success is declared.
    ({"default": content("text/csv")}, "text/csv"),
    ({"302": content("text/html")}, "text/html"),
    ({"200": {"description": "d"}, "302": content("text/html")}, "text/html"),
    ({"200": content("text/csv"), "302": content("text/html")}, "text/csv"),
    # Nothing is declared, or only a status without a body.
    ({}, None),
    ({"200": {"description": "d"}}, None),
    ({"200": {"description": "d", "content": {}}}, None),
    ({"204": content(JSON)}, None),
    ({"205": content(JSON)}, None),
    ({"304": content(JSON)}, None),
    ({"101": content(JSON)}, None),
    ({"204": content(JSON), "200": content("text/csv")}, "text/csv"),
])
def test_A10_accept_leaves_out_errors(responses: Dict[str, Any], expected: Optional[str]) -> None:
    assert accept(opened(responses)) == expected


@pytest.mark.parametrize(("types", "expected"), [
    (["application/json; charset=utf-8"], JSON),
    (["application/json;charset=utf-8", "application/json"], JSON),
    (["APPLICATION/JSON"], JSON),
    (["application/json; version=2"], "application/json;version=2"),
    (["application/json; version=2; charset=\"UTF-8\""], "application/json;version=2"),
    (["application/json;version=1", "application/json;version=2"], "application/json;version=1, application/json;version=2;q=0.9"),
    (["application/json;version=1", "application/json;Version=1"], "application/json;version=1"),
    (["application/ld+json;profile=\"http://a/b c\""], "application/ld+json;profile=\"http://a/b c\""),
    (["application/ld+json;profile=\"a,b\"", "text/csv"], "application/ld+json;profile=\"a,b\", text/csv;q=0.9"),
    (["a/b;c=\"d\\\"e\\\\\""], "a/b;c=\"d\\\"e\\\\\""),
    # Weights and boundaries of the document are left out.
    (["text/csv;q=0.1", "text/html"], "text/csv, text/html;q=0.9"),
    (["multipart/mixed; boundary=gc0p4Jq0M2Yt08j34c0p"], "multipart/mixed"),
    # Types that are not valid.
    (["json", "text/csv"], "text/csv"),
    (["application/", "/json", "a b/c", "text/html, text/csv", "", "*/json", "t\u00e4xt/csv", "text/csv\r\nX-Evil: 1"], None),
    (["a/b;c=\u00e4", "a/b;c=\"d\r\ne\"", "text/csv"], "a/b, text/csv;q=0.9"),
    (["a/" + "b" * 253], "a/" + "b" * 253),
    (["a/" + "b" * 254, "text/csv"], "text/csv"),
])
def test_A10_invalid_media_types_and_parameters_are_left_out(types: List[str], expected: Optional[str]) -> None:
    assert accept(opened({"200": content(*types)})) == expected


def test_A10_a_document_with_a_thousand_media_types() -> None:
    names = [f"application/vnd.t{number}" for number in range(1000)]
    assert accept(opened({"200": content(*names)})) == weighted(*names[:16])
    # Many statuses; JSON is first even if it is declared last.
    responses: Dict[str, Any] = {str(200 + index): content(*names[index * 20:index * 20 + 20]) for index in range(50) if index not in (4, 5)}
    assert accept(opened({**responses, "299": content(JSON)})) == weighted(JSON, *names[:15])


@pytest.mark.parametrize(("document", "operation", "expected"), [
    (["application/xml", "application/json"], None, "application/json, application/xml;q=0.9"),
    (["application/json"], None, JSON),
    (["application/json; charset=utf-8"], None, JSON),
    (["application/json"], ["text/csv"], "text/csv"),
    (["application/json"], [], JSON),
    (None, None, JSON),
])
def test_A10_accept_lists_produces_of_swagger(document: Optional[List[str]], operation: Optional[List[str]], expected: str) -> None:
    def router(response: Dict[str, Any]) -> routable.Router:
        described: Dict[str, Any] = {"operationId": "x", "responses": {"200": {"description": "d", **response}, "404": {
            "description": "e", "schema": {"type": "object"}}}}
        root: Dict[str, Any] = {"swagger": "2.0", "info": {"title": "t", "version": "1"}, "host": "h", "schemes": ["https"],
                                "paths": {"/x": {"get": described}}}
        if document is not None:
            root["produces"] = document
        if operation is not None:
            described["produces"] = operation
        return routable.open(root)

    assert accept(router({"schema": {"type": "object"}})) == expected
    # A response without a schema has no body; that of a file has the types of `produces`.
    assert accept(router({})) is None
    assert accept(router({"schema": {"type": "file"}})) == (None if document is None or operation == [] else expected)


# --- Route documents ---

ROUTES: Dict[str, Any] = {
    "routable": 1, "base": BASE,
    "types": {"Note": {"type": "object"}},
    "resources": {
        "note": {"path": "notes", "type": "Note", "can": ["list", "read", "create", "update", "patch", "delete"],
                 "operations": {"patch": {"results": {"200": {"$ref": "#/types/Note"}}}}},
        "bare": {"path": "bare", "can": ["list", "read", "create", "delete"]},
    },
    "operations": {
        "typed": {"get": "/typed", "results": {"200": {"$ref": "#/types/Note"}}},
        "all": {"get": "/all", "results": {"default": {"$ref": "#/types/Note"}}},
        "head": {"head": "/head", "results": {"200": {"$ref": "#/types/Note"}}},
        "open": {"get": "/open", "results": {"200": True}},
        "none": {"get": "/none", "results": {"204": None}},
        "errors": {"get": "/errors", "results": {"4XX": {"$ref": "#/types/Note"}}},
        "plain": {"get": "/plain"},
        "asked": {"get": "/asked", "header": {"Accept": {}}, "results": {"200": {"$ref": "#/types/Note"}}},
        "fixed": {"get": "/fixed", "header": {"Accept": {"default": "text/csv"}}, "results": {"200": {"$ref": "#/types/Note"}}},
    },
}


def test_A10_operations_that_return_json_accept_json() -> None:
    api = routable.open(ROUTES)
    note = api.note
    asked = [note.list(), note("1").read(), note.create({}), note("1").update({}), note("1").patch({}),
             api.operations.typed(), api.operations["all"](), api.operations.head()]
    assert [request.headers.get("Accept") for request in asked] == [JSON] * len(asked)
    others = [note("1").delete(), api.bare.list(), api.bare("1").read(), api.bare.create({}), api.bare("1").delete(),
              api.operations.open(), api.operations.none(), api.operations.errors(), api.operations.plain()]
    assert [request.headers.get("Accept") for request in others] == [None] * len(others)
    # The description declares the header itself.
    assert api.operations.asked().headers.get("Accept") is None
    assert api.operations.asked(Accept="a/b").headers["Accept"] == "a/b"
    assert api.operations.fixed().headers.get_all("Accept") == ["text/csv"]


def test_A10_headers_have_one_order_on_the_fast_and_the_general_path() -> None:
    api = routable.open({**ROUTES, "headers": {"X-Api": "1"}})
    expected = (("X-Api", "1"), ("Accept", JSON), ("Content-Type", JSON))
    for _ in range(3):
        assert api.note.create({}).headers.pairs == expected
        assert api.note.create({}, using(base=BASE)).headers.pairs == expected
        assert api.note("1").read().headers.pairs == expected[:2]
        assert api.note("1").read(using(base=BASE)).headers.pairs == expected[:2]
        more = api.note("1").read(using(headers={"X-Own": "2"}))
        assert more.headers.pairs == (expected[0], expected[1], ("X-Own", "2"))
    # An edit of a request does not change others.
    edited = api.note("1").read()
    edited.set_header("Accept", "text/csv")
    assert api.note("1").read().headers["Accept"] == JSON


# --- Other values ---


def test_A10_a_header_of_the_call_or_the_description_wins() -> None:
    api = routable.open(ROUTES)
    for given in ("text/csv", "*/*", JSON):
        assert api.operations.typed(using(headers={"accept": given})).headers.get_all("Accept") == [given]
    # Null means absent, as for each header.
    assert api.operations.typed(using(headers={"Accept": None})).headers.get_all("Accept") == [JSON]
    request = api.operations.typed()
    request.remove_header("accept")
    assert "Accept" not in request.headers
    other = routable.open({**ROUTES, "headers": {"ACCEPT": "application/hal+json"}})
    assert other.operations.typed().headers.get_all("Accept") == ["application/hal+json"]
    assert other.operations.typed(using(headers={"Accept": "a/b"})).headers.get_all("Accept") == ["a/b"]


def test_A10_a_client_sends_one_header(loopback: Loopback) -> None:
    api = routable.open(ROUTES, base=loopback.base)
    loopback.answers["/typed"] = loopback.answers["/plain"] = whole("200 OK", b"{}", "Content-Type: application/json")

    def sent(client: routable.Client, request: routable.Request) -> str:
        client.perform(request)
        assert list(loopback.seen[-1].headers).count("accept") == 1
        return loopback.seen[-1].headers["accept"]

    typed, plain = api.operations.typed, api.operations.plain
    edited, removed = typed(), typed()
    edited.set_header("Accept", JSON)
    removed.remove_header("Accept")
    with routable.Client(api) as client:
        assert [sent(client, each) for each in (typed(), plain(), removed)] == [JSON, "*/*", "*/*"]
        assert "application/json" in typed().to_curl()
    for headers in ({"Accept": "a/b"}, {"accept": "a/b"}):
        with routable.Client(api, headers=headers) as client:
            requests = (typed(), plain(), typed(using(headers={"Accept": JSON})), edited, removed, typed())
            assert [sent(client, each) for each in requests] == ["a/b", "a/b", JSON, JSON, "a/b", "a/b"]
    with routable.Client(api, origin_headers={loopback.base: {"Accept": "c/d"}}) as client:
        assert sent(client, typed()) == "c/d"
    with routable.Client(api, headers={"Accept": "a/b"}, origin_headers={loopback.base: {"Accept": "c/d"}}) as client:
        assert sent(client, typed()) == "a/b"


def test_A10_streams_ask_for_what_they_read(loopback: Loopback) -> None:
    loopback.answers["/x"] = raw(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n")

    def sent(types: List[str], headers: Dict[str, str], own: Dict[str, str], kind: str = "events") -> str:
        router = opened({"200": content(*types)} if types else {})
        with routable.Client(router, headers=headers) as client:
            request = router.operations.x(using(headers=own, base=loopback.base))
            with getattr(client, kind)(request) as stream:
                assert list(stream)
        assert list(loopback.seen[-1].headers).count("accept") == 1
        return loopback.seen[-1].headers["accept"]

    for types in ([], [JSON], [EVENTS], [JSON, EVENTS], [EVENTS, JSON], ["*/*"]):
        assert sent(types, {}, {}) == EVENTS
        assert sent(types, {"Accept": "a/b"}, {}) == "a/b"
        assert sent(types, {"Accept": "a/b"}, {"Accept": "c/d"}) == "c/d"
        assert sent(types, {}, {"Accept": JSON}) == JSON
    assert sent([EVENTS + ";v=1"], {}, {}) == EVENTS + ";v=1"
    assert sent([JSON], {}, {}, "pieces") == JSON
    assert sent(["application/jsonl"], {}, {}, "lines") == "application/jsonl"


def test_A10_followed_urls() -> None:
    api = routable.open({**ROUTES, "base": BASE})
    assert api.follow("/typed").headers.get_all("Accept") == [JSON]
    assert api.follow("/notes/1").headers.get_all("Accept") == [JSON]
    for url in ("/plain", "/fixed/other", "https://other.example/typed"):
        assert api.follow(url).headers.get("Accept") is None
    assert api.follow("/fixed").headers.get_all("Accept") == ["text/csv"]


def test_A10_a_response_of_another_media_type_is_accepted() -> None:
    router = opened({"200": content(JSON), "404": content("text/plain")})
    undeclared = "the status 202 is not declared; declared: 200"
    with Responses() as responses, routable.Client(transport=responses) as client:
        responses.add("x", 202, body=b"later", headers={"Content-Type": "text/plain"})
        response = client.perform(router.operations.x())
        assert (response.outcome, [each.message for each in response.deviations]) == ("raw", [undeclared])
        responses.add("x", 404, body=b"no", headers={"Content-Type": "text/plain"})
        with pytest.raises(routable.HTTPStatusError) as caught:
            client.perform(router.operations.x())
        assert caught.value.response is not None and not caught.value.response.deviations
    # A header of the call has precedence over the declared types.
    with Responses() as responses, routable.Client(transport=responses) as client:
        responses.add("x", 202, body=b"later", headers={"Content-Type": "text/plain"})
        response = client.perform(router.operations.x(using(headers={"Accept": "text/csv"})))
        assert [each.message for each in response.deviations] == [
            "the service responded with text/plain where text/csv was requested", undeclared]


# --- Reading is the inverse ---


def test_A10_read_leaves_out_what_building_sets() -> None:
    api = routable.open(ROUTES)
    for request in (api.note.create({}), api.note("1").read(), api.operations.typed()):
        for _ in range(3):  # the first time in general, then by the fast path
            received = api.read(request)
            assert "headers" not in received.call
            assert received.request().headers == request.headers

    def headers(target: str, *given: str, method: str = "GET") -> Dict[str, Any]:
        for _ in range(3):
            call = api.read(method, target, [("Accept", each) for each in given]).call
        found: Dict[str, Any] = call.get("headers", {})
        return found

    assert headers("/typed", JSON) == {} and headers("/typed") == {}
    assert headers("/typed", "text/csv") == {"Accept": "text/csv"}
    assert headers("/typed", JSON, "text/csv") == {"Accept": f"{JSON}, text/csv"}
    assert headers("/typed", JSON, method="HEAD") == {}
    assert headers("/plain", JSON) == {"Accept": JSON}
    assert headers("/asked", JSON) == {"Accept": JSON}
    assert headers("/fixed", "text/csv") == {"Accept": "text/csv"}
    several = opened({"200": content("text/csv", JSON)})
    value = f"{JSON}, text/csv;q=0.9"
    for _ in range(3):
        assert "headers" not in several.read("GET", "/x", {"Accept": value}).call
        assert several.read("GET", "/x", {"Accept": JSON}).call["headers"] == {"Accept": JSON}
    # Reading returns the call that was built, with or without the header.
    for given in ({}, {"Accept": value}, {"Accept": "text/csv"}):
        own = {"headers": given} if given == {"Accept": "text/csv"} else {}
        assert several.read(several.operations.x(using(headers=given))).call == {"operation": "x", **own}
