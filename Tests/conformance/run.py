#!/usr/bin/env python3
"""Compares the shipped library with vectors that others wrote.

    run.py DATA_DIR [--suite NAME] [--jobs N]

DATA_DIR is Tests/conformance/own, or a folder with the same layout.  NAME is a file without its extension
("alamofire/parameter-encoding") or the folder of several files ("hostile").  Prints one line per suite, `name: N passed, N failed,
N skipped`, and the totals as the last line; the exit status is 1 if a vector failed that known-differences.json does not explain.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
from pathlib import Path
from typing import List, Tuple

from harness import Count, KnownDifferences, Suite, run_file, take_results
from suites import SUITES

REPORTED = 20
#: The file to which all results of the library are written, for a comparison with those of another processor.
RECORD = os.environ.get("ROUTABLE_CONFORMANCE_RECORD")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Holds the shipped library against vectors that others wrote.")
    parser.add_argument("data", type=Path, metavar="DATA_DIR")
    parser.add_argument("--suite", metavar="NAME", help="only this file, or the files of this folder")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="take N files at a time, each in a process of its own")
    parser.add_argument("--all", action="store_true", help=f"print every failure, not the first {REPORTED} of a suite")
    return parser.parse_args()


def wanted(name: str, suite: str) -> bool:
    return not suite or name == suite or name.startswith(f"{suite}/")


def main() -> int:
    given = arguments()
    data = given.data
    if not data.is_dir():
        print(f"{data} is not a directory", file=sys.stderr)
        return 2
    os.environ["ROUTABLE_CONFORMANCE"] = str(data.resolve())  # for suites that read more than their own files
    tasks = [(index, file) for index, suite in enumerate(SUITES) for file in files(data, suite) if wanted(name_of(file), given.suite)]
    total = Count()
    results: List[str] = []
    with multiprocessing.get_context("fork").Pool(max(1, given.jobs)) as pool:
        # Large files first, so that none of them is the last one to run; results are printed in the order of the suites.
        begun = {task: pool.apply_async(run_task, (data, *task)) for task in sorted(tasks, key=lambda task: -(data / task[1]).stat().st_size)}
        for task in tasks:
            count, reports, given_back = begun[task].get()
            limit = len(reports) if given.all else REPORTED
            for report in reports[:limit]:
                print(report)
            if len(reports) > limit:
                print(f"... {len(reports) - limit} more (--all)")
            print(count.line(name_of(task[1])), flush=True)
            total.add(count)
            results += given_back
    if RECORD:
        Path(RECORD).write_text("".join(f"{line}\n" for line in results), encoding="utf-8")
    if not tasks:
        print(f"no data for {given.suite or 'any suite'} in {data}", file=sys.stderr)
        return 2
    print(total.line(f"{len(tasks)} files, {total.total} vectors"))
    return 1 if total.failed else 0


def run_task(data: Path, index: int, file: str) -> Tuple[Count, List[str], List[str]]:
    """Runs one file of the suite with this index; returns the count, the reports, and all results if they are recorded."""
    known = KnownDifferences(Path(__file__).resolve().parent / "known-differences.json")
    reports: List[str] = []
    count = run_file(SUITES[index], name_of(file), file, json.loads((data / file).read_text(encoding="utf-8")), known, reports.append)
    return count, reports, take_results()


def name_of(file: str) -> str:
    return file[: -len(".json")]


def files(data: Path, suite: Suite) -> List[str]:
    return sorted(path.relative_to(data).as_posix() for path in data.glob(suite.pattern))


if __name__ == "__main__":
    sys.exit(main())
