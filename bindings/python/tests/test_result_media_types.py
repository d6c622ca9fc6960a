"""The media type of a response selects its schema, the most specific declaration first; an undeclared media type is reported."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Optional, Tuple

import pytest
import routable

ID: Dict[str, Any] = {"type": "object", "required": ["id"]}
UUID: Dict[str, Any] = {"type": "object", "required": ["uuid"]}
PROBLEM: Dict[str, Any] = {"type": "object", "required": ["title"]}
WITH_ID, WITH_UUID, WITH_TITLE = b'{"id":1}', b'{"uuid":1}', b'{"title":"x"}'


def opened(content: Dict[str, Any], status: str = "200") -> routable.Router:
    responses = {status: {"description": "x", "content": {name: {} if schema is None else {"schema": schema} for name, schema in content.items()}}}
    return routable.loads(json.dumps({
        "openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "servers": [{"url": "https://h.example"}],
        "paths": {"/r": {"get": {"operationId": "a", "responses": responses}}}}))  # fmt: skip


def mapped(content: Dict[str, Any], given: Optional[str], body: bytes, status: int = 200) -> routable.Response:
    headers = {} if given is None else {"Content-Type": given}
    return opened(content).map_response(None, "a", status, headers, body)


VERSIONS = {"application/vnd.shop.v1+json": ID, "application/vnd.shop.v2+json": UUID}
PARAMETERS = {"application/json": ID, "application/json;version=2": UUID}
RANGES = {"*/*": ID, "application/*": UUID, "application/json": PROBLEM}

#: declared media types; media type and body of the response; expected outcome; expected part of the reason
SELECTED: List[Tuple[Dict[str, Any], Optional[str], bytes, str, Optional[str]]] = [
    (VERSIONS, "application/vnd.shop.v1+json", WITH_ID, "self", None),
    (VERSIONS, "application/vnd.shop.v2+json", WITH_UUID, "self", None),
    (VERSIONS, "application/vnd.shop.v2+json", WITH_ID, "self", "uuid"),
    (VERSIONS, "Application/VND.Shop.V2+JSON; charset=utf-8", WITH_UUID, "self", None),
    (VERSIONS, "application/json", WITH_ID, "self", None),
    (VERSIONS, "application/vnd.shop.v3+json", WITH_ID, "raw", "application/vnd.shop.v3+json is not declared for the status 200; declared: "),
    (VERSIONS, None, WITH_ID, "self", None),
    (PARAMETERS, "application/json", WITH_ID, "self", None),
    (PARAMETERS, "application/json; version=2", WITH_UUID, "self", None),
    (PARAMETERS, 'application/json;charset=utf-8;version="2"', WITH_UUID, "self", None),
    (PARAMETERS, "application/json;version=3", WITH_ID, "self", None),
    (PARAMETERS, "application/json;version=2", WITH_ID, "self", "uuid"),
    ({"application/json; charset=utf-8": ID}, "application/json", WITH_ID, "self", None),
    ({"application/json; charset=utf-8": ID}, "application/json;charset=UTF-8", WITH_ID, "self", None),
    ({"application/json; charset=utf-8": ID}, "application/json;charset=UTF-8", WITH_UUID, "self", "id"),
    ({"application/json;version=2": ID}, "application/json;version=1", WITH_ID, "raw", "is not declared"),
    ({"application/problem+json": PROBLEM, "application/json": ID}, "application/json", WITH_ID, "self", None),
    ({"application/problem+json": PROBLEM, "application/json": ID}, "application/problem+json", WITH_TITLE, "self", None),
    ({"application/problem+json": PROBLEM, "application/json": ID}, "application/problem+json", WITH_ID, "self", "title"),
    (RANGES, "application/json", WITH_TITLE, "self", None),
    (RANGES, "application/vnd.x+json", WITH_UUID, "self", None),
    (RANGES, "application/vnd.x+json", WITH_ID, "self", "uuid"),
    (RANGES, "text/json", WITH_ID, "self", None),
    (RANGES, "image/png", b"\x89PNG", "raw", None),
    ({"application/json": ID}, "application/vnd.x+json", WITH_ID, "self", None),
    ({"application/vnd.x+json": ID}, "application/json", WITH_ID, "self", None),
    ({"application/json": ID}, "text/html", b"<p>", "raw", "the body is text/html, where JSON is declared"),
    ({"application/json": ID}, "text/plain", WITH_ID, "self", "text/plain is not declared for the status 200; declared: application/json"),
    ({"application/json": ID}, "text/plain", WITH_UUID, "self", "text/plain is not declared"),
    ({"application/json": ID, "text/csv": {"type": "string"}}, "text/csv", b"a,b", "raw", None),
    ({"application/json": ID, "text/csv": {"type": "string"}}, "application/xml", b"<a/>", "raw", "application/xml"),
    ({"text/csv": {"type": "string"}}, "application/pdf", b"%PDF", "raw", "application/pdf is not declared for the status 200; declared: text/csv"),
    ({"application/json": None}, "application/json", b"[1]", "raw", None),
    ({"image/*": {"type": "string"}}, "image/png", b"\x89PNG", "raw", None),
]  # fmt: skip


@pytest.mark.parametrize("content, given, body, outcome, words", SELECTED, ids=[f"{each[1]} of {', '.join(each[0])}: {each[2]!r}" for each in SELECTED])
def test_the_media_type_selects_the_schema(content: Dict[str, Any], given: Optional[str], body: bytes, outcome: str, words: Optional[str]) -> None:
    response = mapped(content, given, body)
    assert response.outcome == outcome, response.deviations
    assert (not response.deviations) == (words is None), response.deviations
    if words is not None:
        assert words in response.deviations[0].message


def test_a_value_of_an_undeclared_media_type_is_returned() -> None:
    response = mapped({"application/json": ID}, "text/plain", WITH_ID)
    assert response.into(dict) == {"id": 1}


def test_the_media_type_of_an_error_selects_the_schema() -> None:
    api = opened({"application/problem+json": PROBLEM, "application/json": ID}, "4XX")
    for given, body, outcome in (("application/json", WITH_ID, "self"), ("application/problem+json", WITH_TITLE, "self"), ("application/json", WITH_TITLE, "self")):
        with pytest.raises(routable.HTTPStatusError) as caught:
            api.map_response(None, "a", 404, {"Content-Type": given}, body)
        assert caught.value.response is not None and caught.value.response.outcome == outcome
