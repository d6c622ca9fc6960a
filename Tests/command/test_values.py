"""`routable values` generates a value for each body, or lists the bodies without a value."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from conftest import run


def document(schema: Any, media: str = "application/json") -> str:
    body = {"required": True, "content": {media: {"schema": schema}}}
    operation = {"operationId": "a", "requestBody": body, "responses": {"200": {"description": "x"}}}
    return json.dumps({"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"put": operation}}})


PATTERNS = [
    "^(?![0-9]+$)[a-z0-9_-]+$", "^(?=.*[0-9])(?=.*[a-z]).{8,}$", "^(?!-)[a-z-]{1,10}(?<!-)$", "^(?=.{3,5}$)[a-z]+$", "^(?!.*--)[a-z-]+$",
    "^(?<year>[0-9]{4})-(?<month>0[1-9])$", "^(?!api$)[a-z]{3}$", "^(?:a|b(?=c))c?$", "^(?=[A-Z])[A-Z0-9]{2,4}$", "^[a-z]+(?<=[aeiou])$",
    "^(?!(admin|root)$)[a-z]+$", "^(?=.*[A-Z])(?=.*[0-9])(?=.*[a-z])[A-Za-z0-9]{6,20}$",
]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_pattern_with_assertions_has_values(pattern: str) -> None:
    schema = {"type": "object", "required": ["slug"], "properties": {"slug": {"type": "string", "pattern": pattern}}}
    ended = run("values", "-", "--count", "5", stdin=document(schema))
    assert (ended.status, ended.err) == (0, "")
    lines = [json.loads(each) for each in ended.out.splitlines()]
    assert len(lines) == 5
    for line in lines:
        assert re.search(pattern.replace("(?<year>", "(").replace("(?<month>", "("), line["value"]["slug"]), line


@pytest.mark.parametrize("schema", [
    {"type": "string", "pattern": "^(?=a)b$"}, {"type": "integer", "minimum": 5, "maximum": 4}, {"not": {}}, {"enum": []}, {"type": "string", "minLength": 200000},
    {"type": "string", "pattern": "^\\p{Lu}{3}(?!x)\\k<n>$(?<n>)"}], ids=json.dumps)  # fmt: skip
def test_a_body_without_a_value_is_reported(schema: Any) -> None:
    ended = run("values", "-", stdin=document(schema))
    assert (ended.status, ended.out, ended.err) == (1, "", "routable: no valid value was found for the body of a\n")


@pytest.mark.parametrize("media", ["multipart/form-data", "text/csv", "application/x-www-form-urlencoded"])
def test_a_body_that_is_not_json_is_reported(media: str) -> None:
    ended = run("values", "-", stdin=document({"type": "object"}, media))
    assert (ended.status, ended.out) == (0, "") and ended.err == f"routable: no value is generated, because the body of a is {media}\n"
