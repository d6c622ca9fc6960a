#!/usr/bin/env python3
"""The share of real documents that `routable generate` gives types to: a table with a row for each document (docs/generate.md).

    Tests/generate/measure.py [--command build/command/routable] --documents FOLDER [--untyped]

A result is typed if its type is not any JSON.  Objects and arrays that the document describes no further are counted separately
("open"), and so are successes without a body ("empty") and operations that declare no success ("undeclared").  Exits with 1
if less than 98 % of the results or of the bodies have a type.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("real", "apis-guru-3.1", "features")
GOAL = 0.98
COLUMNS = ("results", "typed_results", "open_results", "empty_results", "undeclared_results", "bodies", "typed_bodies", "open_bodies",
           "types", "enums", "unions")


def documents(folder: Path) -> List[Path]:
    return [path for each in FOLDERS for path in sorted((folder / each).glob("*.json"))]


def measured(command: Path, document: Path) -> Dict[str, Any]:
    ran = subprocess.run([str(command), "generate", "c", str(document), "--report", "--json"], capture_output=True, text=True, timeout=120)
    if ran.returncode != 0:
        sys.exit(f"FAILED: {document.name}: exit status {ran.returncode}\n{ran.stderr}")
    return dict(json.loads(ran.stdout))


def share(report: Dict[str, Any], what: str) -> float:
    """The share of the declared results or bodies that have a type."""
    whole = report[what] - report.get(f"undeclared_{what}", 0)
    has = report[f"typed_{what}"] + report[f"open_{what}"] + report.get(f"empty_{what}", 0)
    return has / whole if whole else 1.0


def main() -> int:
    words = argparse.ArgumentParser(description="Measures how much of real documents has types.")
    words.add_argument("--command", type=Path, default=ROOT / "build/command/routable")
    words.add_argument("--documents", type=Path, required=True, help="laid out as Tests/conformance/own/openapi-docs")
    words.add_argument("--untyped", action="store_true", help="list what has no type, and why")
    given = words.parse_args()
    found = documents(given.documents)
    if not found:
        print(f"no documents in {given.documents}", file=sys.stderr)
        return 2
    total = dict.fromkeys(COLUMNS, 0)
    untyped: List[str] = []
    print(f"{'':48}" + "".join(f"{each.replace('_results', '').replace('_bodies', ''):>11}" for each in COLUMNS))
    for document in found:
        report = measured(given.command, document)
        for each in COLUMNS:
            total[each] += report[each]
        print(f"{document.name[:47]:48}" + "".join(f"{report[each]:>11}" for each in COLUMNS))
        untyped += [f"{document.name}: {each['of']}: {each['reason']}  ({each['pointer']})" for each in report["untyped"]]
    print(f"{len(found)} documents".ljust(48) + "".join(f"{total[each]:>11}" for each in COLUMNS))
    if given.untyped:
        print("\n".join(untyped))
    results, bodies = share(total, "results"), share(total, "bodies")
    print(f"{results:.1%} of the results and {bodies:.1%} of the bodies that are declared have a type; the rest is listed by --untyped")
    if min(results, bodies) < GOAL:
        print(f"FAILED: less than {GOAL:.0%}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
