"""The declared media types of the parts of a multipart body: accepted values, the type that is sent, and the headers of a part."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Optional, Tuple

import pytest
import routable

OBJECT: Dict[str, Any] = {"a": 1}


def opened(encoding: Dict[str, Any]) -> routable.Router:
    media = {"schema": {"type": "object", "properties": {"p": {}}}, "encoding": {"p": encoding}}
    return routable.loads(json.dumps({
        "openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "servers": [{"url": "https://h.example"}],
        "paths": {"/p": {"post": {"operationId": "a", "requestBody": {"content": {"multipart/form-data": media}}, "responses": {}}}}}))  # fmt: skip


def part(encoding: Dict[str, Any], value: Any) -> Tuple[Dict[str, str], str]:
    body = opened(encoding).operations["a"]({"p": value}).body
    assert body is not None
    head, _, content = body.decode().partition("\r\n\r\n")
    headers = dict(line.split(": ", 1) for line in head.split("\r\n")[1:])
    return headers, content.rsplit("\r\n--", 1)[0]


#: the declared media types, a value, and the media type and the text of the part
SENT: List[Tuple[str, Any, Optional[str], str]] = [
    ("text/csv", "a,b", "text/csv", "a,b"),
    ("application/xml", "<a/>", "application/xml", "<a/>"),
    ("application/json", OBJECT, "application/json", '{"a":1}'),
    ("application/vnd.x+json", OBJECT, "application/vnd.x+json", '{"a":1}'),
    ("text/plain, application/json", OBJECT, "application/json", '{"a":1}'),
    ("text/plain, application/json", "x", "text/plain", "x"),
    ("application/json, text/csv", "a,b", "text/csv", "a,b"),
    ("image/png, image/jpeg", {"text": "....", "filename": "a.jpg"}, "image/jpeg", "...."),
    ("image/png, image/jpeg", {"text": "....", "filename": "a.bin"}, "image/png", "...."),
    ("image/png, image/jpeg", {"text": "....", "filename": "a", "content_type": "image/jpeg"}, "image/jpeg", "...."),
    ("*/*", OBJECT, "application/json", '{"a":1}'),
    ("image/*, application/json", OBJECT, "application/json", '{"a":1}'),
]


@pytest.mark.parametrize("declared, value, sent, text", SENT, ids=[f"{each[0]}: {json.dumps(each[1])}" for each in SENT])
def test_the_value_selects_one_of_the_media_types(declared: str, value: Any, sent: Optional[str], text: str) -> None:
    headers, content = part({"contentType": declared}, value)
    assert (headers.get("Content-Type"), content) == (sent, text)


@pytest.mark.parametrize("declared", ["text/csv", "application/xml", "image/svg+xml", "text/plain, text/html", "application/yaml", "image/*"])
def test_a_value_that_the_media_type_cannot_represent_is_refused(declared: str) -> None:
    with pytest.raises(routable.BodyError, match="must be bytes or a string; an object was given") as caught:
        opened({"contentType": declared}).operations["a"]({"p": OBJECT})
    assert caught.value.pointer == "/body/p"


HEADERS = {
    "X-Kind": {"schema": {"const": "a"}}, "X-Version": {"schema": {"enum": [2]}}, "X-Mode": {"schema": {"type": "string", "default": "fast"}},
    "X-Id": {"schema": {"type": "string"}}, "Content-Type": {"schema": {"const": "text/html"}}, "X-Many": {"schema": {"enum": ["a", "b"]}}}  # fmt: skip


def test_declared_headers_are_sent() -> None:
    headers, _ = part({"contentType": "text/csv", "headers": HEADERS}, "a")
    assert headers == {
        "Content-Disposition": 'form-data; name="p"', "Content-Type": "text/csv", "X-Kind": "a", "X-Version": "2", "X-Mode": "fast"}  # fmt: skip


def test_a_call_sets_headers_of_a_part() -> None:
    value = {"text": "x", "filename": "f.csv", "headers": {"X-Id": 7, "X-Mode": "slow", "Content-Disposition": "attachment"}}
    headers, _ = part({"contentType": "text/csv", "headers": HEADERS}, value)
    assert headers["X-Id"] == "7" and headers["X-Mode"] == "slow"
    assert headers["Content-Disposition"] == 'form-data; name="p"; filename="f.csv"'
    with pytest.raises(routable.RoutableError):
        part({}, {"text": "x", "filename": "f", "headers": {"X-Id": "a\r\nX-Evil: 1"}})
