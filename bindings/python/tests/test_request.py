"""Requests: inspecting, editing, and conversion to the request objects of other clients."""

from __future__ import annotations

import dataclasses
import datetime
import json
import shlex
import uuid
from pathlib import Path
from typing import Any

import pytest
import routable


@dataclasses.dataclass
class Status:
    text: str


def test_a_request_has_its_method_url_route_and_body(social: routable.Router) -> None:
    request = social.user("a").status.create({"text": "hé"})
    assert request.method == "POST"
    assert request.url == "https://api.example.com/v1/users/a/statuses"
    assert (request.route, request.operation) == ("user.status", "create")
    assert request.body == '{"text":"hé"}'.encode()
    assert request.headers["content-type"] == "application/json"
    assert str(request) == "POST https://api.example.com/v1/users/a/statuses"
    assert social.operations.search(q="x").route is None


def test_headers_are_edited(social: routable.Router) -> None:
    request = social.user("a").read(routable.using(headers={"X-Trace": "7"}))
    assert request.headers == routable.Headers([("X-Trace", "7")])
    request.set_header("x-trace", "8")
    request.set_header("Accept", "application/json")
    assert request.headers.get_all("X-TRACE") == ["8"]
    assert list(request.headers.values()) == ["8", "application/json"]
    request.remove_header("X-Trace")
    request.remove_header("X-Trace")
    assert "x-trace" not in request.headers and len(request.headers) == 1


@pytest.mark.parametrize(("name", "value"), [
    ("a b", "x"), ("", "x"), ("a:", "x"), ("a", "x\r\nEvil: 1"), ("a", "x\n"), ("a", "x\0y"), ("a\r\n", "x"),
])
def test_invalid_headers_are_refused(social: routable.Router, name: str, value: str) -> None:
    request = social.user("a").read()
    before = request.headers
    with pytest.raises((routable.HeaderError, routable.ArgumentError)):
        request.set_header(name, value)
    assert request.headers == before
    with pytest.raises((routable.HeaderError, routable.DocumentError, routable.JSONError)):
        social.user("a").read(routable.using(headers={name: value}))


def test_the_body_is_edited(social: routable.Router) -> None:
    request = social.user("a").read()
    assert request.body is None
    request.body = b""
    assert request.body == b""
    request.set_body(bytearray(b"\0\xff raw"), "application/octet-stream")
    assert request.body == b"\0\xff raw"
    assert request.headers["Content-Type"] == "application/octet-stream"
    request.remove_header("content-type")
    request.set_json({"a": [1.5, None]})
    assert request.body == b'{"a":[1.5,null]}'
    assert request.headers["Content-Type"] == "application/json"
    assert "Content-Length" not in request.headers
    request.remove_body()
    assert request.body is None and request.headers["Content-Type"] == "application/json"
    request.body = b"x"
    del request.body
    del request.body  # without a body, this does nothing
    assert request.body is None
    assert '"body"' not in request.to_json()


def test_bytes_are_sent_unchanged(social: routable.Router) -> None:
    request = social.user.create(b"\0\xff", routable.using(content_type="image/png"))
    assert request.body == b"\0\xff"
    assert request.headers["Content-Type"] == "image/png"


def test_a_content_type_without_a_body_of_that_type_is_refused() -> None:
    document = {
        "routable": 1, "name": "types", "base": "https://h.example",
        "operations": {
            "form": {"post": "/form", "body_as": "form"}, "parts": {"post": "/parts", "body_as": "multipart"},
            "json": {"post": "/json"}}}
    with routable.open(document) as api:
        for operation, body in ((api.form, {"a": 1}), (api.parts, {"a": 1}), (api.json, None)):
            with pytest.raises(routable.BodyError, match="the content type \"text/plain\" cannot be sent") as caught:
                operation(body, routable.using(content_type="text/plain"))
            assert caught.value.pointer == "/content_type"
        with pytest.raises(routable.BodyError, match='the call has no "body"'):
            api.json(routable.using(parameters={"a": 1}, content_type="text/plain"))
        form = api.form({"a": 1}, routable.using(content_type="application/x-www-form-urlencoded; charset=utf-8"))
        assert form.headers["Content-Type"] == "application/x-www-form-urlencoded; charset=utf-8"
        assert api.parts(b"--x--", routable.using(content_type="multipart/form-data; boundary=x")).body == b"--x--"
        assert api.json({"a": 1}, routable.using(content_type="application/vnd.a+json")).headers["Content-Type"] == "application/vnd.a+json"


def test_python_values_as_a_body(social: routable.Router) -> None:
    assert social.user("a").status.create(Status("x")).body == b'{"text":"x"}'
    number = uuid.UUID(int=7)
    values = {"d": datetime.date(2020, 1, 2), "t": datetime.datetime(2020, 1, 2, 3), "u": number, "l": (1, 2)}
    body = json.loads(social.user.create(values).body or b"")
    assert body == {"d": "2020-01-02", "t": "2020-01-02T03:00:00", "u": str(number), "l": [1, 2]}
    assert social.user(number).read().url.endswith(str(number))


def test_pydantic_as_a_body(social: routable.Router) -> None:
    pydantic = pytest.importorskip("pydantic", minversion="2")
    model = pydantic.create_model("Model", text=(str, ...))
    assert social.user("a").status.create(model(text="x")).body == b'{"text":"x"}'


@pytest.mark.parametrize("value", [0.1, 100.10, 1.0, -0.0, 1e20, 5e-324, 2**63 - 1, -(2**63), 0, True])
def test_J4_numbers_keep_their_value(social: routable.Router, value: Any) -> None:
    body = social.user.create({"n": value}).body or b""
    back = json.loads(body)["n"]
    assert back == value and type(back) is type(value)
    assert len(body) <= len(json.dumps({"n": value}, separators=(",", ":")))


def test_integers_beyond_64_bits_are_exact_or_refused(social: routable.Router) -> None:
    try:
        body = social.user.create({"n": 2**200}).body or b""
    except routable.RoutableError:
        return
    assert json.loads(body)["n"] == 2**200


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "\ud800"])
def test_values_that_json_cannot_represent_are_refused(social: routable.Router, value: Any) -> None:
    with pytest.raises(routable.ArgumentError):
        social.user.create({"n": value})
    loop: Any = []
    loop.append(loop)
    with pytest.raises(routable.ArgumentError):
        social.user.create(loop)


def test_a_body_on_get_is_refused(social: routable.Router) -> None:
    with pytest.raises(routable.BodyError):
        social.user("a").read({"a": 1})


def test_to_json(social: routable.Router) -> None:
    message = json.loads(social.user("a").status.create({"text": "x"}).to_json())
    assert message["method"] == "POST"
    assert message["headers"] == [["Accept", "application/json"], ["Content-Type", "application/json"]]
    assert message["body"] == '{"text":"x"}'


def test_A7_to_curl_is_safe_and_masks_secrets(social: routable.Router) -> None:
    request = social.user("a").status.create({"text": "it's $HOME `id` !"})
    request.set_header("Authorization", "Bearer s3cr3t")
    command = request.to_curl()
    assert "s3cr3t" not in command and "s3cr3t" in request.to_curl(show_secrets=True)
    words = shlex.split(command)
    assert words[0] == "curl" and request.url in words
    assert words[words.index("--data-binary") + 1] == (request.body or b"").decode()
    assert words[words.index("-X") + 1] == "POST"


def edited(social: routable.Router) -> routable.Request:
    request = social.user("a/b é").status.create({"text": "x"})
    request.set_header("X-Trace", "7")
    return request


def test_to_urllib(social: routable.Router) -> None:
    request = edited(social)
    other = request.to_urllib()
    assert (other.full_url, other.get_method(), other.data) == (request.url, "POST", request.body)
    assert other.get_header("Content-type") == "application/json"
    assert other.get_header("X-trace") == "7"


def test_to_requests(social: routable.Router) -> None:
    pytest.importorskip("requests")
    request = edited(social)
    other = request.to_requests()
    assert (other.url, other.method, other.body) == (request.url, "POST", request.body)
    assert other.headers["Content-Type"] == "application/json" and other.headers["X-Trace"] == "7"
    assert social.user("a").read().to_requests().body is None


def test_a_body_outside_memory_is_not_lost_by_a_conversion(social: routable.Router, tmp_path: Path) -> None:
    request = social.build("user", "update", routable.using(ids=["ann"], body={"name": "Ann"}))
    (tmp_path / "body").write_bytes(b"a body")
    request.set_body_file(tmp_path / "body")
    for convert in (request.to_urllib, request.to_requests, request.to_httpx):
        with pytest.raises(routable.BodyError, match="not in memory"):
            convert()
    request.set_multipart({"a": "in memory"})
    assert b"in memory" in request.to_urllib().data
    request.set_body(b"bytes")
    assert request.to_urllib().data == b"bytes"


def test_to_httpx(social: routable.Router) -> None:
    pytest.importorskip("httpx")
    request = edited(social)
    other = request.to_httpx()
    assert (str(other.url), other.method, other.content) == (request.url, "POST", request.body)
    assert other.headers["Content-Type"] == "application/json" and other.headers["X-Trace"] == "7"


def test_headers_mapping() -> None:
    headers = routable.Headers([("Set-Cookie", "a"), ("X", "1"), ("set-cookie", "b")])
    assert headers["SET-COOKIE"] == "a" and headers.get_all("Set-Cookie") == ["a", "b"]
    assert len(headers) == 2 and list(headers) == ["Set-Cookie", "X"]
    assert headers.get("none") is None and "x" in headers
    assert headers.joined() == {"Set-Cookie": "a, b", "X": "1"}
    assert headers == routable.Headers(headers.pairs) and hash(headers) == hash(routable.Headers(headers.pairs))
    assert headers == {"Set-Cookie": "a", "X": "1"}
    with pytest.raises(KeyError):
        headers["none"]


def test_editing_a_copy_does_not_change_the_original(social: routable.Router) -> None:
    import copy
    import pickle

    request = social.user("a").status.create({"text": "x"})
    request.set_header("X-A", "1")
    for made in (request.copy(), copy.copy(request)):
        assert (made.method, made.url, made.route, made.operation, made.headers, made.body) == (
            request.method, request.url, request.route, request.operation, request.headers, request.body)
        made.set_header("X-A", "2")
        made.set_body(b"{}")
        made.close()
        assert request.headers["X-A"] == "1" and request.body == b'{"text":"x"}'
    made = request.copy()
    request.close()
    assert made.headers["X-A"] == "1"
    with pytest.raises(TypeError, match="send the call, or request.to_json"):
        pickle.dumps(made)
    with pytest.raises(ValueError, match="closed"):
        request.copy()


def test_arrays_in_one_value_are_read_back() -> None:
    document = {
        "routable": 1, "name": "arrays", "base": "https://h.example", "encoding": {"arrays": "comma"},
        "operations": {
            "own": {"get": "/own", "query": {"t": {"type": "array", "items": {"type": "string"}}}}}}
    with routable.open(document) as api:
        for value in (["x"], ["x", "y"], ["a,b", "c d"]):
            query = api.operations.own(t=value).url.partition("?")[2]
            assert api.read_parameter("own", "t", query) == value
