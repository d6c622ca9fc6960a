"""`routable import` and `export` of whole OpenAPI documents: those of this repository, or of the folder that ROUTABLE_DATA names."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
import routable
from conftest import ROOT, run
from test_convert import request, routes

OWN = ROOT / "Tests/conformance/own"
DATA = Path(os.environ.get("ROUTABLE_DATA", OWN))
DOCUMENTS = sorted((OWN / "openapi-docs/real").glob("*.json")) if DATA == OWN else [
    DATA / "openapi-docs/real" / f"{name}.json" for name in ("swagger-petstore-3", "up-banking", "redocly-museum-3.1")]
VALUES = ("7", "123e4567-e89b-12d3-a456-426614174000", "2024-02-29")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_documents_build_the_same_requests_after_both_conversions(document: Path, tmp_path: Path) -> None:
    assert run("import", "--flat", document, "-o", tmp_path / "routes.json").status == 0
    assert run("export", tmp_path / "routes.json", "-o", tmp_path / "openapi.json").status == 0
    original, imported, exported = map(routable.open, (document, tmp_path / "routes.json", tmp_path / "openapi.json"))
    built = 0
    for operation, count in routes(document):
        for value in VALUES:
            ids = [value] * count
            before = request(original, operation, ids)
            call = operation.replace(".", "_")
            assert before == request(imported, call, ids) == request(exported, call, ids), (operation, value)
            built += before is not None
    assert built > len(routes(document))


if DATA != OWN:

    def test_github_is_imported_whole(tmp_path: Path) -> None:
        document = DATA / "openapi-docs/real/github-api.json"
        ended = run("import", "--flat", document, "-o", tmp_path / "routes.json", "--compact")
        assert ended.status == 0
        assert "routable: left out: GET /: its slash: the URL is the base\n" in ended.err
        original, imported = routable.open(document), routable.open(tmp_path / "routes.json")
        assert len(original.operations) == len(imported.operations) == 767
        for path, item in json.loads(document.read_text())["paths"].items():
            for operation in item.values():
                if path == "/" or not isinstance(operation, dict):
                    continue
                name, ids = operation["operationId"], ["7"] * path.count("{")
                assert request(original, name, ids) == request(imported, name.replace(".", "_"), ids), name
