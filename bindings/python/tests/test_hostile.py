"""Hostile input: a rejection or an exact round trip, and the process continues."""

from __future__ import annotations

import json
import random
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

import pytest
import routable

VALUES = [
    "/", "a/b", "../../etc/passwd", "..%2f", "%2e%2e", "%2e%2e%2f", "%2E", "%00", "a\r\nHost: evil", "\r\n\r\nGET / HTTP/1.1",
    "a\0b", "\0", "a?b=c", "a#b", "a&b=c", "a;b", "a b", "\t", "\x7f", "@evil", ":80", "//evil", "\\\\evil", "é", "😃",
    "\u202e", "\u2028", "\ufeff", "\uffff", "{x}", "{{", "*", "+", "%", "%%", "%zz", "'", '"', "$(id)", "`id`", "a" * 5000,
]


@pytest.mark.parametrize("value", VALUES)
def test_an_id_is_one_segment(social: routable.Router, value: str) -> None:
    request = social.user(value).status("1").read()
    parts = urlsplit(request.url)
    assert (parts.scheme, parts.netloc, parts.query, parts.fragment) == ("https", "api.example.com", "", "")
    segments = parts.path.split("/")
    assert segments[:3] == ["", "v1", "users"] and segments[4:] == ["statuses", "1"]
    assert unquote_to_bytes(segments[3]) == value.encode()
    assert request.url.isascii() and request.url.isprintable() and " " not in request.url


@pytest.mark.parametrize("value", ["", ".", ".."])
def test_values_that_are_not_a_segment_are_refused(social: routable.Router, value: str) -> None:
    with pytest.raises(routable.ValueRefusedError):
        social.user(value).status("1").read()


@pytest.mark.parametrize("value", VALUES)
def test_a_query_value_is_one_item(social: routable.Router, value: str) -> None:
    request = social.operations.search(q=value, page=2)
    first, second = urlsplit(request.url).query.split("&")
    assert first.startswith("q=") and second == "page=2"
    assert unquote_to_bytes(first[2:]) == value.encode()


@pytest.mark.parametrize("value", VALUES)
def test_a_header_value_is_one_line_or_refused(social: routable.Router, value: str) -> None:
    if set("\r\n\0\x7f") & set(value) or value != value.strip(" \t"):
        with pytest.raises(routable.HeaderError):
            social.user("a").read(routable.using(headers={"X-Value": value}))
        return
    request = social.user("a").read(routable.using(headers={"X-Value": value}))
    assert len(request.headers.pairs) == 1
    assert request.headers["X-Value"] == value


@pytest.mark.parametrize("value", VALUES)
def test_a_form_value_is_one_item(social: routable.Router, value: str) -> None:
    request = social.user.create(routable.using(parameters={"v": value, "w": "1"}))
    first, second = (request.body or b"").decode("ascii").split("&")
    assert second == "w=1" and unquote_to_bytes(first.partition("=")[2]) == value.encode()


@pytest.mark.parametrize("name", ["a b", "a\r\nb", "a:b", "", "é", "a\0b"])
def test_a_header_name_is_a_token_or_refused(social: routable.Router, name: str) -> None:
    with pytest.raises(routable.RoutableError):
        social.user("a").read(routable.using(headers={name: "x"}))


def test_values_of_a_megabyte_are_sent(social: routable.Router) -> None:
    for value in ("a" * 2**20, "é" * 2**19, "/" * 2**20):
        url = social.user(value).read().url
        assert unquote_to_bytes(url.rpartition("/")[2]) == value.encode()
    body = social.user.create({"v": "x" * 2**20}).body
    assert body is not None and len(body) == 2**20 + len('{"v":""}')


def test_lone_surrogates_are_refused(social: routable.Router) -> None:
    for call in (
        lambda: social.user("\ud800").read(),
        lambda: social.operations.search(q="a\udfff"),
        lambda: social.user("a").read(routable.using(headers={"X": "\ud800"})),
        lambda: social.user("a").read().set_header("X", "\ud800"),
        lambda: social.user("a").read().set_header("\ud800", "x"),
        lambda: social.build("us\ud800er", "read"),
        lambda: routable.loads('{"routable": 1, "name": "\ud800"}'),
        lambda: routable.open({"routable": 1, "name": "\ud800"}),
    ):
        with pytest.raises(routable.ArgumentError, match="surrogate"):
            call()


def test_escaped_surrogates_in_documents(social: routable.Router) -> None:
    # A string cannot contain surrogates, but a document with one opens (docs/openapi.md, "Irregular documents").
    assert routable.loads(b'{"routable": 1, "name": "\\ud800"}').name == "\ufffd"
    with pytest.raises(routable.RoutableError):
        routable.loads(b'{"routable": 1, "resources": {"a\\u0000": {"path": "p"}}}')


@pytest.mark.parametrize("ids", [
    [[]], [{}], [None], [True], [1.5], [["a"]], ["a", "b"], {"x": "y"}, {"id": None}, {"id": []}, {"": "x"},
])
def test_ids_that_are_no_scalars_or_not_expected(social: routable.Router, ids: Any) -> None:
    try:
        request = social.build("user", "read", routable.using(ids=ids))
    except routable.RoutableError as error:
        assert error.message
    else:
        assert request.url.startswith("https://api.example.com/v1/users/")


def document(**more: Any) -> bytes:
    return json.dumps({"routable": 1, "base": "http://h", "resources": {"a": {"path": "a", "can": ["read"]}}, **more}).encode()


def test_truncated_documents() -> None:
    whole = document()
    for end in range(len(whole)):
        with pytest.raises(routable.RoutableError):
            routable.loads(whole[:end])


@pytest.mark.parametrize("text", [
    b"", b" ", b"null", b"[]", b"1", b'"x"', b"{}", b"\xff\xfe", b"\0", b'{"routable": 1}\0', b'{"routable": 1} x',
    b'{"routable": 1, "name": "\xff"}', b'{"routable": 1, "name": "a\0b"}', b'{"routable": 1, "routable": 1}',
    b'{"routable": 1, "resources": {"a": {"path": "a"}, "a": {"path": "b"}}}', b'{"routable": 2}', b'{"routable": "1"}',
    b'{"routable": 1, "resources": {"a": {"path": "a", "can": ["fly"]}}}',
    b'{"routable": 1, "resources": {"a": {"path": "a", "has": ["b"]}}}',
    b'{"routable": 1, "resources": {"a": {"path": "../a"}}}', b'{"routable": 1, "resources": {"a": {"path": "a//b"}}}',
    b'{"routable": 1, "operations": {"a": {"get": "/{"}}}', b'{"routable": 1, "operations": {"a": {"get": "/{a}/{a}"}}}',
    b'{"routable": 1, "base": "http://h\\u0000"}', b'{"routable": 1, "base": "http://h\\r\\nx"}',
    b'{"routable": 1, "headers": {"a\\r\\nb": "c"}}', b'{"routable": 1, "headers": {"a": "c\\r\\nd: e"}}',
    b'{"routable": 1, "resources": {"a": {"path": "a", "id": {"name": "x", "pattern": "("}}}}',
    b'{"routable": 1, "x": 1e999}', b'{"routable": 12345678901234567890123}',
])
def test_invalid_documents_are_refused(text: bytes) -> None:
    with pytest.raises(routable.RoutableError) as caught:
        routable.loads(text)
    assert caught.value.message


def test_deep_documents_are_refused() -> None:
    for deep in (b"[" * 100_000, b'{"a":' * 100_000, document(**{"x-d": 0}).replace(b"0}", b"[" * 5000 + b"]" * 5000 + b"}")):
        with pytest.raises((routable.LimitError, routable.JSONError)):
            routable.loads(deep)


def test_deep_values_are_refused(social: routable.Router) -> None:
    deep: Any = 1
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(routable.LimitError):
        social.user.create(deep)
    with pytest.raises(routable.LimitError):
        routable.open({"routable": 1, "x-deep": deep})
    while isinstance(deep, list):  # in a loop: releasing the outer list would recurse in the interpreter
        deep = deep.pop()


def test_a_document_over_its_limit_is_refused() -> None:
    with pytest.raises(routable.LimitError):
        routable.loads(document(**{"x-big": "a" * 10_000}), max_document_bytes=5000)
    assert routable.loads(document(**{"x-big": "a" * 10_000}), max_document_bytes=50_000).user_data["x-big"]


def test_many_resources() -> None:
    resources = {f"r{index}": {"path": f"p{index}", "can": ["read"], "has": [f"r{(index + 1) % 2000}"]} for index in range(2000)}
    api = routable.open({"routable": 1, "base": "http://h", "resources": resources})
    assert len(api.resources) == 2000
    assert api.r1999("x").r0("y").read().url == "http://h/p1999/x/p0/y"


def test_a_walk_over_the_limit_is_refused(social: routable.Router) -> None:
    step: Any = social.user("u")
    with pytest.raises(routable.RoutableError):
        for _ in range(40):
            step = step.status("s").comment("c").user("u")
            step.read()


def test_documents_with_flipped_bytes() -> None:
    whole, chance, opened = document(**{"x-a": [1, "é", None]}), random.Random(7), 0
    for _ in range(3000):
        broken = bytearray(whole)
        for _ in range(chance.randint(1, 3)):
            broken[chance.randrange(len(broken))] = chance.randrange(256)
        try:
            routable.loads(broken).close()
            opened += 1
        except routable.RoutableError as error:
            assert error.message and error.code >= 16
    assert 5 <= opened <= 100, opened  # some changes of bytes in strings are valid, few others are
