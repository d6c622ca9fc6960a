"""`routable coverage`: its counts equal those of an independent script, and hostile archives are refused or counted."""

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
    DATA / f"openapi-docs/real/{name}.json" for name in ("github-api", "openai-3.0", "redocly-museum-3.1")]


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
    """Calls of each operation with the responses of a mock."""
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
    entries = recorded(document, 3 if document.stat().st_size < 2 << 20 else 1)
    ended = run("coverage", document, archive(tmp_path / "a.har", entries), "--json")
    assert (ended.status, ended.err) == (0, "")
    by_hand = Counted(json.loads(document.read_text()))
    for each in entries:
        by_hand.count(each)
    found = items(ended.json)
    assert set(found) == by_hand.declared
    assert {name: count for name, count in found.items() if count} == dict(by_hand.used)
    print(f"{document.stem}: {len(entries)} exchanges, {len(by_hand.used)} of {len(found)} parts")


def test_a_table_a_picture_and_a_minimum(tmp_path: Path) -> None:
    one = archive(tmp_path / "a.har", [entry("GET", "https://api.example.com/v1/users/ann", status=200)])
    two = archive(tmp_path / "b.har", [entry("GET", "https://api.example.com/v1/search?q=a", status=404)])
    ended = run("coverage", SOCIAL, one, two, "--svg", tmp_path / "a.svg", "--missing", "--fail-under", 10)
    assert (ended.status, ended.err) == (0, "")
    lines = ended.out.splitlines()
    assert lines[0].split() == ["operation", "requests", "statuses", "parameters", "media", "types", "values", "branches"]
    assert "all 2/20               2       0/2        2/15            -       -         -" in lines
    assert "coverage 10.8%" in lines and "never used: user.list" in lines and "never used: search query page" in lines
    picture = (tmp_path / "a.svg").read_text()
    assert '<tspan class="unused">create</tspan>' in picture and "never used" in picture
    assert '<g class="unused"><rect' in picture and '<tspan class="unused">read</tspan>' in picture  # of other resources
    user = next(line for line in picture.splitlines() if ">user {username}<" in line)
    assert '<g class="first">' in user and '<tspan class="unused">list</tspan> read ' in user
    ended = run("coverage", SOCIAL, one, two, "--fail-under", "10.9")
    assert (ended.status, ended.err) == (1, "routable: the coverage of 10.8% is below 10.9%\n")


def test_a_map_of_a_document_of_paths(tmp_path: Path) -> None:
    document = DOCUMENTS[0] if DATA == OWN else sorted((OWN / "openapi-docs/real").glob("*.json"))[0]
    entries = recorded(document, 1)
    ended = run("coverage", document, archive(tmp_path / "a.har", entries), "--svg", tmp_path / "a.svg", "--json")
    assert ended.status == 0 and ended.json["total"]["operation"]["used"] > 10
    assert '<tspan class="unused">' not in (tmp_path / "a.svg").read_text() or ended.json["total"]["operation"]["used"] < len(ended.json["operations"])
    ended = run("coverage", document, archive(tmp_path / "b.har", []), "--svg", tmp_path / "b.svg")
    assert ended.status == 0 and "coverage 0.0%" in ended.out
    assert (tmp_path / "b.svg").read_text().count('class="unused"') > 10


def test_entries_that_cannot_be_read_are_reported_and_the_others_are_counted(tmp_path: Path) -> None:
    good = entry("GET", "https://api.example.com/v1/users/ann")
    broken: List[Any] = [5, {}, {"request": []}, {"request": {"method": 1, "url": "/"}}, {"request": {"method": "GET"}},
                         {"request": {"method": "GET", "url": "/v1/users/a", "headers": {}}},
                         {"request": {"method": "GET", "url": "/v1/users/a", "headers": [{"name": "a"}]}},
                         {**good, "response": 3}, {**good, "response": {"status": "200"}}, {**good, "response": {"status": 12}},
                         {**good, "response": {"status": 1e300}}, {**good, "response": {"status": 200, "content": {"text": []}}},
                         {**good, "response": {"status": 200, "content": {"text": "%", "encoding": "base64"}}}]
    ended = run("coverage", SOCIAL, archive(tmp_path / "a.har", [good, *broken, good]), "--json")
    assert ended.status == 1
    lines = ended.err.splitlines()
    assert [line.split(": ")[2] for line in lines] == [f"entry {number}" for number in range(1, len(broken) + 1)]
    assert ended.json["requests"] == 2
    ended = run("coverage", SOCIAL, archive(tmp_path / "a.har", broken * 10))
    assert len(ended.err.splitlines()) == 21 and ended.err.endswith("routable: ... and 110 more entries cannot be read\n")


@pytest.mark.parametrize("text", ["", "{", "[]", '{"log": {}}', '{"log": {"entries": {}}}', '{"log": []}', "[" * 100000, '"' + "x" * 1000000, "\0"])
def test_files_that_are_not_archives_are_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.har").write_text(text)
    ended = run("coverage", SOCIAL, tmp_path / "a.har")
    assert ended.status == 3 and ended.out == "" and f"{tmp_path}/a.har: the file is " in ended.err and ended.err.count("\n") == 1
    assert run("coverage", SOCIAL, tmp_path / "none.har").status == 3


def test_invalid_arguments_are_refused(tmp_path: Path) -> None:
    for words in (["--fail-under", "101"], ["--fail-under", "x"], ["--base-path", "v1"], ["-"]):
        assert run("coverage", SOCIAL, "-", *words).status == 2, words


def test_hosts_base_paths_forms_and_secrets(tmp_path: Path) -> None:
    params = {"mimeType": "application/x-www-form-urlencoded; charset=utf-8", "params": [{"name": "text", "value": "a b&c"}]}
    posted = entry("POST", "http://127.0.0.1:8080/gateway/users/ann/statuses", status=201)
    posted["request"]["postData"] = params
    entries = [posted, entry("GET", "https://user:secret@elsewhere.example/gateway/users?token=secret#part"),
               entry("GET", "https://user:secret@elsewhere.example/none?token=secret")]
    ended = run("coverage", SOCIAL, archive(tmp_path / "a.har", entries), "--base-path", "/gateway/")
    assert ended.status == 0 and "secret" not in ended.out and "no operation: GET https://***@elsewhere.example/none" in ended.out
    ended = run("coverage", SOCIAL, tmp_path / "a.har", "--base-path", "/gateway", "--host", "127.0.0.1:8080", "--json")
    assert ended.json["requests"] == 1
    assert [each["operation"] for each in ended.json["operations"] if each["requests"]] == ["status.create"]


def test_a_hundred_thousand_unusual_exchanges_are_counted(tmp_path: Path) -> None:
    entries = [entry("GET", f"https://api.example.com/v1/{'search?x' if number % 2 else 'none/'}{number}", status=100 + number % 900)
               for number in range(100_000)]
    ended = run("coverage", SOCIAL, archive(tmp_path / "a.har", entries), "--json")
    assert ended.status == 0 and ended.json["requests"] == 100_000 and len(ended.out) < 40_000
    assert ended.json["unmatched"]["further"] == 50_000 - 20
