"""`routable tools` prints the operations as tools, and says how large the listing is."""

from __future__ import annotations

import json

import pytest
from conftest import ROOT, run

SOCIAL = str(ROOT / "examples/social.json")


@pytest.mark.parametrize("format, key", [("mcp", "inputSchema"), ("anthropic", "input_schema"), ("json", "schema"), ("openai", "parameters")])
def test_formats(format: str, key: str) -> None:
    ended = run("tools", SOCIAL, "--format", format, "--route", "user.status")
    assert ended.status == 0
    listed = [each.get("function", each) for each in json.loads(ended.out)]
    assert [each["name"] for each in listed] == ["user_status_create", "user_status_read", "user_status_delete"]
    assert all(each[key]["additionalProperties"] is False for each in listed)
    assert ended.err == f"routable: 3 operations: {len(ended.out.strip().encode()) + 1} bytes\n"


def test_above_the_budget_it_searches() -> None:
    ended = run("tools", SOCIAL, "--budget", "1k")
    assert [each["name"] for each in json.loads(ended.out)] == ["search_operations", "describe_operation", "call_operation"]
    assert "more than the budget of 1024\nroutable: 3 tools that search, describe and call: " in ended.err
    assert len(json.loads(run("tools", SOCIAL, "--budget", "none").out)) > 40


def test_selections() -> None:
    read = json.loads(run("tools", SOCIAL, "--read-only", "--format", "json").out)
    assert read and all(each["read_only"] and each["method"] == "GET" for each in read)
    only = json.loads(run("tools", SOCIAL, "--only", "search").out)
    assert [each["name"] for each in only] == ["search"]
    wrong = run("tools", SOCIAL, "--route", "user.statu")
    assert wrong.status == 1 and 'did you mean "user.status"' in wrong.err
    none = run("tools", SOCIAL, "--route", "picture", "--only", "search")
    assert none.status == 1
    assert run("tools", SOCIAL, "--budget", "x").status == 2
