"""docs/client.md, "Features": each test that a row names is there, and a row without a test says that there is no feature."""

from __future__ import annotations

import re
from pathlib import Path
from typing import List

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
