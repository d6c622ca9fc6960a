"""Directions and discriminators: vectors from public discussions of other tools, which each of them cites.

Tests/directions/vectors.json has for each thread schemas, the schema of a body, and values with the expected results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict, Iterator, Tuple

import pytest
import routable

VECTORS = json.loads((Path(__file__).parents[3] / "Tests/directions/vectors.json").read_text(encoding="utf-8"))


def opened(group: Dict[str, Any], version: str) -> routable.Router:
    content = {"application/json": {"schema": group["body"]}}
    return routable.loads(json.dumps({
        "openapi": version,
        "info": {"title": "vectors", "version": "1"},
        "servers": [{"url": "https://h"}],
        "paths": {"/x": {"post": {
            "operationId": "send",
            "requestBody": {"required": True, "content": content},
            "responses": {"200": {"description": "", "content": content}},
        }}},
        "components": {"schemas": group["schemas"]},
    }))


def cases() -> Iterator[Tuple[Dict[str, Any], str, Dict[str, Any]]]:
    for group in VECTORS:
        for version in group["openapi"]:
            for case in group["cases"]:
                yield group, version, case


def test_there_are_sixty_vectors() -> None:
    assert sum(len(group["cases"]) for group in VECTORS) >= 60
    assert all(group["thread"].startswith("https://github.com/") for group in VECTORS)


@pytest.mark.parametrize(("group", "version", "case"), list(cases()), ids=lambda part: "")
def test_each_vector_has_the_expected_validity(group: Dict[str, Any], version: str, case: Dict[str, Any]) -> None:
    router, where = opened(group, version), f"{group['thread']} {version} {case}"
    if case["direction"] == "request":
        try:
            router.build("send", routable.using(body=case["value"]))
        except routable.BodyError as error:
            told = (error.pointer.replace("/body", "", 1), error.schema_pointer, str(error))
        else:
            told = None
    else:
        response = router.map_response(None, "send", 200, {"Content-Type": "application/json"}, json.dumps(case["value"]).encode())
        first = response.deviations[0] if response.deviations else None
        told = None if first is None else (first.pointer, first.schema_pointer, first.message)
    assert (told is None) == case["fits"], f"{where}: {told}"
    if told is not None:
        assert told[0] == case["pointer"], f"{where}: {told}"
        assert case.get("says", "") in told[2], f"{where}: {told}"
        if "schema_pointer" in case:
            assert told[1].endswith(case["schema_pointer"]), f"{where}: {told}"
