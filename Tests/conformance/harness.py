"""Suites of vectors, and the count of their results against the known differences."""

from __future__ import annotations

import hashlib
import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

_DOCS = Path(__file__).resolve().parents[2] / "docs"
#: The share of a suite that may differ without a statement of docs/statements.md or a section of docs/design.md that requires it.
UNRULED_SHARE = 0.02
_RULES = {
    *re.findall(r"^## (.*)$", (_DOCS / "design.md").read_text(encoding="utf-8"), re.M),
    *re.findall(r"^\| ([A-Z]\d+) \|", (_DOCS / "statements.md").read_text(encoding="utf-8"), re.M),
}


class Difference(Exception):
    """A vector whose expectation the library does not meet."""

    def __init__(self, given: object, expected: object, got: object) -> None:
        super().__init__(given)
        self.given, self.expected, self.got = given, expected, got


class Skip(Exception):
    """A vector that does not apply, with the reason."""


#: All results of the library, if run.py records them.
_results: Optional[List[str]] = [] if "ROUTABLE_CONFORMANCE_RECORD" in os.environ else None


def take_results() -> List[str]:
    """The results that were recorded since the last call."""
    taken = list(_results or ())
    if _results:
        _results.clear()
    return taken


def expect(given: object, expected: object, got: object) -> None:
    if _results is not None:
        _results.append(re.sub(r"routable-[0-9A-F]{32}", "boundary", repr(got)))  # random in each multipart body
    if expected != got:
        raise Difference(given, expected, got)


@dataclass(frozen=True)
class Suite:
    """Files of vectors and the check that each vector goes through.

    `check` raises Difference or Skip, or returns.  `vectors` yields JSON pointer and vector; without it they
    are the elements of the member "vectors".
    """

    pattern: str
    check: Callable[[Any, Any], None]
    vectors: Optional[Callable[[Any], Iterator[Tuple[str, Any]]]] = None

    def each(self, data: Any) -> Iterator[Tuple[str, Any]]:
        if self.vectors:
            yield from self.vectors(data)
        else:
            for index, vector in enumerate(data["vectors"]):
                yield f"/vectors/{index}", vector


def digest(vector: Any) -> str:
    """The hash that identifies a vector without an id, wherever it is in its file."""
    text = json.dumps(vector, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:16]


class KnownDifferences:
    """known-differences.json: {"FILE#ID": {"why", "rule"}} or {"FILE#/POINTER": {"hash", "why", "rule"}}.

    `rule` is the id in docs/statements.md or the section of docs/design.md that requires the difference; it is optional.
    """

    def __init__(self, path: Path) -> None:
        self._entries: Dict[str, Dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
        for key, entry in self._entries.items():
            file, _, place = key.partition("#")
            if not file or not place or not entry.get("why") or (place.startswith("/") and not entry.get("hash")):
                raise SystemExit(f"{path.name}: {key}: a file, an id or a pointer with a hash, and a reason are expected")
            if "rule" in entry and entry["rule"] not in _RULES:
                raise SystemExit(f"{path.name}: {key}: {entry['rule']!r} is no id of docs/statements.md and no section of docs/design.md")

    def find(self, file: str, vector: Any) -> Optional[Dict[str, Any]]:
        """The entry of this vector: by its id, otherwise by its hash."""
        if isinstance(vector, dict) and isinstance(vector.get("id"), str):
            entry = self._entries.get(f"{file}#{vector['id']}")
            if entry:
                return entry
        wanted = digest(vector)
        for key, entry in self._entries.items():
            if key.startswith(f"{file}#/") and entry["hash"] == wanted:
                return entry
        return None


@dataclass
class Count:
    """The results of the vectors of one file."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    known: int = 0
    unruled: int = 0

    @property
    def total(self) -> int:
        return self.passed + self.failed + self.skipped + self.known

    def add(self, other: "Count") -> None:
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped
        self.known += other.known
        self.unruled += other.unruled

    def line(self, name: str) -> str:
        known = f" ({self.known} known to differ)" if self.known else ""
        return f"{name}: {self.passed} passed, {self.failed} failed, {self.skipped} skipped{known}"


def run_file(suite: Suite, name: str, file: str, data: Any, known: KnownDifferences, report: Callable[[str], None]) -> Count:
    """Runs all vectors of one file; each failure is reported with its input, the expected and the actual result."""
    count = Count()
    reasons: List[str] = []
    for pointer, vector in suite.each(data):
        entry = known.find(file, vector)
        try:
            suite.check(vector, data)
        except Skip as skip:
            count.skipped += 1
            reasons.append(str(skip))
            continue
        except Difference as difference:
            given, expected, got = difference.given, difference.expected, difference.got
        except (AssertionError, LookupError, TypeError, ValueError) as error:
            given, expected, got = vector, "a vector that this suite can map", f"{type(error).__name__}: {error}"
        else:
            if entry:
                count.failed += 1
                report(f"{file}#{pointer}: passes, and is listed as a known difference: remove the entry")
            else:
                count.passed += 1
            continue
        if entry:
            count.known += 1
            count.unruled += "rule" not in entry
            continue
        count.failed += 1
        label = vector["id"] if isinstance(vector, dict) and isinstance(vector.get("id"), str) else pointer
        report(
            f"{file}#{label} (hash {digest(vector)})\n"
            f"    input:    {shown(given)}\n    expected: {shown(expected)}\n    got:      {shown(got)}"
        )
    allowed = int(count.total * UNRULED_SHARE)
    if count.unruled > allowed:
        count.failed += count.unruled - allowed
        report(f"{name}: {count.unruled} known differences without a rule; {allowed} of {count.total} are allowed")
    for reason in sorted(set(reasons)):
        report(f"{name}: skipped {reasons.count(reason)}: {reason}")
    return count


def shown(value: object, limit: int = 2000) -> str:
    text = value if isinstance(value, str) else ascii(value)
    return text if len(text) <= limit else f"{text[:limit]}... ({len(text)} characters)"
