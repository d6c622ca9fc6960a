"""`routable coverage`: its counts are those of an independent script, and hostile archives do no harm."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any, Dict, List, Tuple

import pytest
import routable
from conftest import ROOT, SOCIAL, run
from counted import Counted, text
from routable.testing import Mock

sys.path.append(str(ROOT / "Tests/law"))
import calls as generator  # noqa: E402

OWN = ROOT / "Tests/conformance/own"
DATA = Path(os.environ.get("ROUTABLE_DATA", OWN))
DOCUMENTS = sorted((OWN / "openapi-docs/real").glob("*.json")) if DATA == OWN else [
    DATA / f"openapi-docs/real/{name}.json" for name in ("github-api", "box", "redocly-museum-3.1")]


def entry(method: str, url: str, headers: Any = (), body: bytes = b"", status: int = 200, kind: str = "", answer: bytes = b"") -> Dict[str, Any]:
    made: Dict[str, Any] = {
        "request": {"method": method, "url": url, "headers": [{"name": name, "value": value} for name, value in headers]},
        "response": {"status": status, "headers": [], "content": {"mimeType": kind, "text": answer.decode("utf-8", "replace")}},
    }
    if body:
        made["request"]["postData"] = {"mimeType": "", "text": body.decode("utf-8", "replace")}
    return made


def archive(path: Path, entries: List[Any]) -> Path:
    path.write_text(json.dumps({"log": {"version": "1.2", "entries": entries}}))
    return path


def recorded(document: Path, calls: int) -> List[Dict[str, Any]]:
    """Calls of each operation, which a mock has answered."""
    api, found = routable.open(document), []
    mock = Mock(api, anonymous=True)
    for _, _, _, made, _ in generator.calls(api, json.loads(document.read_text()), calls, 7):
        for call in made:
            request = generator.router_build(api, call)
            answer = mock.respond(request.method, request.url, request.headers, request.body or b"")
            kinds = [value for name, value in answer.headers if name.lower() == "content-type"]
            found.append(entry(request.method, request.url, request.headers.pairs, request.body or b"", answer.status, "".join(kinds), answer.body))
    return found


def items(found: Dict[str, Any]) -> Dict[Tuple[str, ...], int]:
    made: Dict[Tuple[str, ...], int] = {}
    for each in found["operations"]:
        made[each["operation"], "operation", "", ""] = each["requests"]
        for item in each["items"]:
            if item["kind"] not in ("value", "branch"):
                made[each["operation"], item["kind"], item["place"], item["name"]] = item["count"]
    for item in found["schemas"]:
        made["", item["kind"], item["place"], text(item["name"]) if item["kind"] == "value" else item["name"]] = item["count"]
    return made


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_the_counts_are_those_of_an_independent_script(document: Path, tmp_path: Path) -> None:
    entries = recorded(document, 3)
    ended = run("coverage", document, archive(tmp_path / "a.har", entries), "--json")
    assert (ended.status, ended.err) == (0, "")
    by_hand = Counted(json.loads(document.read_text()))
    for each in entries:
        by_hand.count(each)
    found = items(ended.json)
    assert set(found) == by_hand.declared
    assert {name: count for name, count in found.items() if count} == dict(by_hand.used)
    print(f"{document.stem}: {len(entries)} exchanges, {len(by_hand.used)} of {len(found)} parts")
