"""Compares docs/c-and-swift.md with the exported functions and with the symbols of the Swift modules."""

from __future__ import annotations

import fnmatch
import re
from pathlib import Path


def faults(root: Path, members: set[str]) -> list[str]:
    """The faults of the table: functions in no row, patterns in two rows, patterns without a function, members that do not exist."""
    functions = re.findall(r"^\s+routable_(\w+);$", (root / "Sources/RoutableABI/routable.map").read_text(), re.M)
    patterns: list[str] = []
    found: list[str] = []
    for row in re.findall(r"^\| (`.*?) \| (.*) \|$", (root / "docs/c-and-swift.md").read_text(), re.M):
        patterns += re.findall(r"`([\w*]+)`", row[0])
        for name in re.findall(r"`(\w+(?:\.\w+)?)`", row[1]):
            if name not in members:
                found.append(f"{name} is no public type or member")
        if not re.match(r"none: \w", row[1]) and "`" not in row[1]:
            found.append(f"the row of {row[0]} has neither a Swift form nor a reason")
    found += [f"{each} is in two rows" for each in sorted({each for each in patterns if patterns.count(each) > 1})]
    used: set[str] = set()
    for function in functions:
        # The most specific pattern is used: one that matches the beginning of the name rather than the end, and the longest of these.
        matching = sorted((each for each in patterns if fnmatch.fnmatchcase(function, each)),
                          key=lambda each: ("*" not in each, each == "*_free", not each.startswith("*"), len(each)))
        if not matching:
            found.append(f"routable_{function} is in no row")
        else:
            used.add(matching[-1])
    return found + [f"no function matches {each}" for each in patterns if each not in used]
