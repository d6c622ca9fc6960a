#!/usr/bin/env python3
"""Generates code in three languages, compiles it, and runs it (docs/generate.md).

    Tests/generate/run.py [--command build/command/routable] [--library build/embedded] [--swift .build/debug] [--data FOLDER] [CHECK ...]

Without a CHECK, those of `make check` run.  The check "long" selects those that take minutes (`make check-all`).  --data names another
folder of documents with the layout of Tests/conformance/own/openapi-docs; the check "of-data" selects the checks that need it.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / "build/venv/bin/python"
if VENV.exists() and Path(sys.prefix) != VENV.parent.parent:
    os.execv(VENV, [str(VENV), *sys.argv])
sys.path.insert(0, str(ROOT / "Tests/generate"))
sys.path.insert(0, str(ROOT / "bindings/python/src"))

import checks  # noqa: E402
import clean_root  # noqa: E402
import classes  # noqa: E402
import contrary  # noqa: E402
import declared  # noqa: E402
import deviating  # noqa: E402
import hostile  # noqa: E402
import lenient  # noqa: E402
import mutations  # noqa: E402
import named  # noqa: E402
import performing  # noqa: E402
import plans  # noqa: E402
import real  # noqa: E402
import strict  # noqa: E402
import trips  # noqa: E402
import walked  # noqa: E402
import walked_compiled  # noqa: E402
from harness import OWN, Tools  # noqa: E402

CHECKS = {
    "committed": checks.committed, "requests": checks.requests, "refused": checks.refused, "answers": checks.answers,
    "feed": checks.feed, "classes": classes.classes, "large": checks.large, "real": real.real, "selected": contrary.selected,
    "mutations": mutations.mutations, "plans": plans.plans, "lenient": lenient.lenient, "deviating": deviating.deviating, "walked": walked.walked,
    "walked-compiled": walked_compiled.walked,
}
LONG = {
    "wide": checks.wide, "hostile": hostile.hostile, "named": named.named, "declared": declared.declared, "trips": trips.trips,
    "contrary": contrary.contrary, "deviating-swift": deviating.deviating_swift,
}
#: Checks that need the documents of --data,
OF_DATA = {"real": real.real, "trips": trips.trips, "large-real": checks.large_real, "imported": classes.imported,
           "mutations": mutations.mutations, "performing": performing.performing, "walked": walked.walked}
#: and those that only `make check-generated` runs.
MORE = {"every": real.every, "every-trip": trips.every, "valgrind": trips.valgrind, "every-schema": contrary.every, "pyright": strict.pyright,
        "every-performing": performing.every, "every-walk-compiled": walked_compiled.walked, "declared-root": clean_root.declared_root}


def main() -> int:
    words = argparse.ArgumentParser(description="Checks generated code.")
    words.add_argument("--command", type=Path, default=ROOT / "build/command/routable")
    words.add_argument("--library", type=Path, default=ROOT / "build/embedded")
    words.add_argument("--swift", type=Path, default=ROOT / ".build/debug")
    words.add_argument("--data", type=Path, default=OWN)
    words.add_argument("checks", nargs="*", choices=[*CHECKS, *LONG, *OF_DATA, *MORE, "long", "of-data", []])
    given = words.parse_args()
    os.environ["ROUTABLE_LIBRARY"] = str(given.library.resolve() / "libroutable.so.0")
    data = given.data.resolve()
    groups = {"long": LONG, "of-data": OF_DATA}
    chosen = [name for each in given.checks or CHECKS for name in groups.get(each, [each])]
    if data == OWN and (needing := [name for name in chosen if name not in {**CHECKS, **LONG} and name != "declared-root"]):
        words.error(f"--data FOLDER is missing, for {', '.join(needing)}")
    for name in chosen:
        start = time.monotonic()
        with tempfile.TemporaryDirectory() as work:
            said = {**CHECKS, **LONG, **OF_DATA, **MORE}[name](Tools(given.command, given.library, given.swift, Path(work), data))
        print(f"{name}: {said} ({time.monotonic() - start:.1f} s)", flush=True)
    print(f"{len(chosen)} passed, 0 failed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
