#!/usr/bin/env python3
"""Generates code in three languages, compiles it, and runs it (docs/generate.md).

    Tests/generate/run.py [--command build/command/routable] [--library build/embedded] [--swift .build/debug] [CHECK ...]
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
import hostile  # noqa: E402
import mutations  # noqa: E402
import named  # noqa: E402
import performing  # noqa: E402
import plans  # noqa: E402
import real  # noqa: E402
import strict  # noqa: E402
import trips  # noqa: E402
from harness import Tools  # noqa: E402

CHECKS = {
    "committed": checks.committed, "requests": checks.requests, "wide": checks.wide, "refused": checks.refused,
    "answers": checks.answers, "feed": checks.feed, "classes": classes.classes,
    "large": checks.large, "hostile": hostile.hostile, "named": named.named, "declared": declared.declared,
    "real": real.real, "trips": trips.trips,
    "contrary": contrary.contrary, "selected": contrary.selected, "mutations": mutations.mutations, "plans": plans.plans,
    "performing": performing.performing,
}
#: `make check-generated`, and not part of the others.
MORE = {"every": real.every, "every-trip": trips.every, "valgrind": trips.valgrind, "every-schema": contrary.every, "pyright": strict.pyright,
        "every-performing": performing.every, "declared-root": clean_root.declared_root}


def main() -> int:
    words = argparse.ArgumentParser(description="Checks generated code.")
    words.add_argument("--command", type=Path, default=ROOT / "build/command/routable")
    words.add_argument("--library", type=Path, default=ROOT / "build/embedded")
    words.add_argument("--swift", type=Path, default=ROOT / ".build/debug")
    words.add_argument("checks", nargs="*", choices=[*CHECKS, *MORE, []])
    given = words.parse_args()
    os.environ["ROUTABLE_LIBRARY"] = str(given.library.resolve() / "libroutable.so.0")
    chosen = given.checks or list(CHECKS)
    for name in chosen:
        start = time.monotonic()
        with tempfile.TemporaryDirectory() as work:
            said = {**CHECKS, **MORE}[name](Tools(given.command, given.library, given.swift, Path(work)))
        print(f"{name}: {said} ({time.monotonic() - start:.1f} s)", flush=True)
    print(f"{len(chosen)} checks of generated code passed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
