"""Every name of Tests/golden/names.json as an operation, an id, a query parameter, a header, a cookie and a member of the body at
the same time: the options of `build` put each value into its place (docs/calls.md)."""

from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from conftest import run

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bindings/python/tests"))
import names  # noqa: E402


def test_every_name_is_usable_as_an_argument(tmp_path: Path) -> None:
    every = names.every()
    parts = [every[start : start + 10] for start in range(0, len(every), 10)]  # each call opens the document

    def faults(part: "list[str]") -> "list[object]":
        path, found = tmp_path / f"{part[0]}.json", []
        path.write_text(json.dumps(names.document(part)))
        for index, name in enumerate(part):
            ended = run("build", path, name, "--id", f"{name}=i", "-q", f"{name}=q", "-H", f"{name}: h", "--cookie", f"{name}=c",
                        "-d", json.dumps({name: "b"}), "--json")
            cookie = ["Cookie", f"h; {name}=c"] if name.lower() == "cookie" else ["Cookie", f"{name}=c"]
            headers = sorted([cookie, ["Content-Type", "application/json"], *([] if name.lower() == "cookie" else [[name, "h"]])])
            wanted = ("POST", f"https://h.test/n{index}/i?{name}=q", headers, json.dumps({name: "b"}, separators=(",", ":")))
            got = ended.json if ended.status == 0 else {}
            if (got.get("method"), got.get("url"), sorted(got.get("headers", [])), got.get("body")) != wanted or got["operation"] != name:
                found.append((name, got or ended.err, wanted))
        return found

    with ThreadPoolExecutor(4) as pool:
        assert [fault for part in pool.map(faults, parts) for fault in part] == []
