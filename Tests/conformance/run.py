#!/usr/bin/env python3
"""Holds the shipped library against vectors that others wrote.

    run.py [DATA_DIR] [--suite NAME]

DATA_DIR is laid out like shared/conformance; without one, ../shared/conformance beside the repository is taken.
NAME is a file without its ending ("alamofire/parameter-encoding") or the folder of several ("hostile").  One line
per suite, `name: N passed, N failed, N skipped`; the exit status is 1 when anything failed that
known-differences.json does not explain, and 77 when the data are missing and nothing was run: that is "skipped" for
scripts/check.  With ROUTABLE_REQUIRE_DATA=1 missing data are a failure.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import List

from harness import KnownDifferences, Suite, run_file
from library import ROOT
from suites import SUITES

REPORTED = 20
SKIPPED = 1 if os.environ.get("ROUTABLE_REQUIRE_DATA") else 77


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Holds the shipped library against vectors that others wrote.")
    parser.add_argument("data", nargs="?", type=Path, metavar="DATA_DIR")
    parser.add_argument("--suite", metavar="NAME", help="only this file, or the files of this folder")
    parser.add_argument("--all", action="store_true", help=f"print every failure, not the first {REPORTED} of a suite")
    return parser.parse_args()


def wanted(name: str, suite: str) -> bool:
    return not suite or name == suite or name.startswith(f"{suite}/")


def main() -> int:
    given = arguments()
    data = given.data or ROOT.parent / "shared" / "conformance"
    if not data.is_dir():
        if given.data:
            print(f"{data} is not a directory", file=sys.stderr)
            return 2
        print("skipped: no conformance data; give a DATA_DIR, or put it at ../shared/conformance")
        return SKIPPED
    os.environ["ROUTABLE_CONFORMANCE"] = str(data.resolve())  # for suites that read more than their own files
    known = KnownDifferences(Path(__file__).resolve().parent / "known-differences.json")
    failed = ran = 0
    for suite in SUITES:
        for file in files(data, suite):
            name = file[: -len(".json")]
            if not wanted(name, given.suite):
                continue
            reports: List[str] = []
            count = run_file(suite, name, file, json.loads((data / file).read_text(encoding="utf-8")), known, reports.append)
            limit = len(reports) if given.all else REPORTED
            for report in reports[:limit]:
                print(report)
            if len(reports) > limit:
                print(f"... {len(reports) - limit} more (--all)")
            print(count.line(name), flush=True)
            failed += count.failed
            ran += 1
    if not ran:
        print(f"skipped: no data for {given.suite or 'any suite'} in {data}")
        return 2 if given.suite else SKIPPED
    return 1 if failed else 0


def files(data: Path, suite: Suite) -> List[str]:
    return sorted(path.relative_to(data).as_posix() for path in data.glob(suite.pattern))


if __name__ == "__main__":
    sys.exit(main())
