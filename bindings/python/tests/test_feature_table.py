"""docs/client.md, "Features": each test that a row names exists, and a row without a test states that the feature is missing."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import List

import pytest

ROOT = Path(__file__).resolve().parents[3]


def rows() -> List[List[str]]:
    text = (ROOT / "docs/client.md").read_text(encoding="utf-8").partition("## Features")[2].partition("\n## ")[0]
    lines = [line for line in text.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def sources(name: str) -> List[str]:
    folders = ("bindings/python/tests", "Tests")
    return [path.read_text(encoding="utf-8") for folder in folders for path in (ROOT / folder).rglob(name)]


def test_each_row_names_its_test() -> None:
    assert len(rows()) >= 25
    for feature, by, tests in rows():
        named = re.findall(r"`([^`]+)`", tests)
        assert named or by.startswith("not supported"), f"{feature}: no test is named"
        for each in named:
            file, _, function = each.partition(": ")
            found = sources(file)
            assert found, f"{feature}: there is no {file}"
            assert any(re.search(rf"\b{function}\b", text) for text in found), f"{feature}: {file} has no {function}"


def table(page: str, heading: str) -> List[List[str]]:
    text = (ROOT / page).read_text(encoding="utf-8").partition(f"## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in text.splitlines() if line.startswith("|")][2:]
    found = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines]
    return [row for row in found if not row[0].startswith("**")]


def test_every_option_of_libcurl_has_an_answer() -> None:
    """docs/from-libcurl.md, "Options of libcurl", compared with the header of the installed libcurl."""
    named: List[str] = []
    for options, answer in table("docs/from-libcurl.md", "Options of libcurl"):
        named += re.findall(r"`([A-Z0-9_]+)`", options)
        assert len(answer) > len("`setup`") - 1 and (not answer.startswith("no") or answer.startswith("no: ")), options
    assert sorted(named) == sorted(set(named)) and len(named) > 290
    headers = [path for folder in Path("/usr/include").glob("*") for path in [folder / "curl/curl.h", folder / "curl.h"] if path.is_file()]
    if not headers:
        pytest.skip("the header of libcurl is not installed")
    text = headers[0].read_text(encoding="utf-8")
    known = set(re.findall(r"CURLOPT(?:DEPRECATED)?\(\s*CURLOPT_([A-Z0-9_]+)\s*,", text))
    assert len(known) > 250
    missing = {name for name in known if not name.startswith("OBSOLETE")} - set(named)
    assert not missing, sorted(missing)


def names_of(cell: str) -> List[str]:
    return re.findall(r"[A-Za-z_0-9]+", " ".join(re.findall(r"`([^`]+)`", cell)))


def test_every_feature_of_httpx_and_requests_has_an_answer() -> None:
    """docs/from-httpx.md, "All features", compared with the signatures of the installed versions."""
    httpx, requests = pytest.importorskip("httpx"), pytest.importorskip("requests")
    rows = table("docs/from-httpx.md", "All features")
    for row in rows:
        assert len(row) == 3 and row[2] and (not row[2].startswith("no") or row[2].startswith(("no: ", "not needed: "))), row
    adapter = requests.adapters.HTTPAdapter
    for column, functions, kinds, exported in [
        (0, [httpx.Client.__init__, httpx.AsyncClient.__init__, httpx.Client.request, httpx.Client.stream, httpx.Client.send,
             httpx.Client.build_request, httpx.HTTPTransport.__init__, httpx.Limits.__init__, httpx.Timeout.__init__, httpx.Request.__init__],
         [httpx.Client, httpx.AsyncClient, httpx.Request, httpx.Response, httpx.HTTPTransport],
         [name for name in httpx.__all__ if not name.startswith("_") and name != "main"]),
        (1, [requests.Session.request, requests.Request.__init__, adapter.__init__],
         [requests.Session, requests.Request, requests.PreparedRequest, requests.Response, adapter],
         [name for name, each in vars(requests.exceptions).items() if isinstance(each, type) and issubclass(each, Exception) and name != "BaseHTTPError"]),
    ]:
        named = {name for row in rows for name in names_of(row[column])}
        wanted = {name for function in functions for name in inspect.signature(function).parameters if name != "self"}
        wanted |= {name for kind in kinds for name in dir(kind) if not name.startswith("_")} | set(exported)
        if column:
            wanted |= set(requests.Session.__attrs__) | {name for name in requests.Response.__attrs__ if not name.startswith("_")}
        assert not wanted - named, (column, sorted(wanted - named))
