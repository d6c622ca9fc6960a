#!/usr/bin/env python3
"""Verifies that a built URL matches the operation and the values that it was built from: match(build(call)) == call.

    run.py [DATA]

Without DATA, only the document of this folder is read, which contains each kind of template and server.  DATA is a folder with
OpenAPI documents.  For each operation of each document, ten calls are generated from the number of the call alone, and their
URLs, with the servers of the document, are matched.  Calls that match an operation with a more literal path (/users/me next to
/users/{id}) are counted separately, because OpenAPI requires that match.  Calls of paths that differ only in a fragment or a query
are counted separately, too.  The exit status is 1 if there is any other difference.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple

import routable

CALLS = 10
ATTEMPTS = 400
SHOWN = 20
TEXTS = ["a", "op:cancel", "1,2", "@me", "x y", "é", "a/b", "(1)", "k=v;w", "100%", "a%3Ab", "7", "v1+2", "$batch", "A.json"]
OTHERS: List[Any] = ["3fa85f64-5717-4562-b3fc-2c963f66afa6", "2024-02-29", "2024-02-29T10:00:00Z", "user@example.com", "https://x.test",
                     "abcdefghijkl", "ABCDEF0123456789ABCDEF01", "a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4", "123456789012", "true",
                     "1.2.3"]
NUMBERS: List[Any] = [1, 7, 42, 100, 12345, 2, 3, 10, 50, 0, 15]


def candidates(parameter: routable.describe.Parameter, allowed: List[Any], number: int) -> List[Any]:
    """The values to try, in an order that depends on the call."""
    if parameter.type in ("integer", "number"):
        found: List[Any] = NUMBERS
    elif parameter.type == "boolean":
        found = [True, False]
    else:
        found = TEXTS + OTHERS + [str(each) for each in NUMBERS]
        if parameter.style in ("label", "matrix") or parameter.type in ("array", "object"):
            found = ["a", "b", "c"] + found
    found = allowed + found if allowed else found
    start = number % (len(allowed) if allowed else len(found))
    if parameter.type == "array":
        return [[each] for each in found[start:] + found[:start]]
    if parameter.type == "object":
        return [{"k": each} for each in found[start:] + found[:start]]
    return found[start:] + found[:start]


def build(router: routable.Router, name: str, number: int) -> Optional[Tuple[str, Dict[str, Any], str]]:
    """The URL of a call and its values; None, with the reason, if no value was accepted."""
    operation = router.operations[name].description
    paths = [each for each in operation.parameters if each.location == "path"]
    queries = [each for each in operation.parameters if each.location == "query" and each.required]
    headers = [each for each in operation.parameters if each.location in ("header", "cookie") and each.required]
    pools = {(each.location, each.name): candidates(each, [], number + place)
             for place, each in enumerate(paths + queries + headers)}
    has_body = operation.body_type is not None or bool(operation.media_types)
    plan = router.plan(name) if has_body else None
    reason = ""
    for _ in range(ATTEMPTS):
        if not all(pools.values()):
            break
        chosen = {key: pool[0] for key, pool in pools.items()}
        options: Dict[str, Any] = {"ids": {}, "query": {}, "headers": {}, "cookies": {}}
        kinds = {"path": "ids", "query": "query", "header": "headers", "cookie": "cookies"}
        for (place, own), value in chosen.items():
            options[kinds[place]][own] = value
        try:
            if has_body:
                # Only the URL is built: the body is irrelevant here.
                url = plan(*options["ids"].values(), **options["query"])
            else:
                url = router.build(name, routable.using(**options)).url
            return url, options["ids"], ""
        except routable.RoutableError as error:
            reason = error.message
            allowed = list(getattr(error, "allowed", ()) or ())
            keys = [key for key in pools if key[1] == getattr(error, "parameter", None)]
            if not keys:
                break
            key = keys[0]
            # An identifier with a prefix, as in Twilio's document.
            allowed += [prefix + "0123456789abcdef" * 2 for prefix in re.findall(r"\^([A-Z]{2})\[0-9a-fA-F\]", str(operation.source))]
            again = [each for each in allowed if each not in pools[key]]
            start = number % len(again) if again else 0
            pools[key] = again[start:] + again[:start] + pools[key][1:]
    return ("", {}, reason)


def is_more_literal(other: str, own: str) -> bool:
    """Whether a path has literal text at the first position at which another has a parameter."""
    for left, right in zip(other.split("/"), own.split("/")):
        if left == right:
            continue
        if "{" not in right:
            return False
        return "{" not in left or len("".join(c for c in left if c not in "{}")) > 0 and not left.startswith("{") \
            or left.startswith("{") and not left.endswith("}")
    return False


def check(path: Path, totals: Dict[str, int], report: List[str]) -> None:
    try:
        router = routable.open(path)
    except routable.RoutableError as error:
        totals["documents refused"] += 1
        report.append(f"{path.name}: refused: {error.message}")
        return
    with router:
        totals["documents"] += 1
        for name in router.operations:
            totals["operations"] += 1
            operation = router.operations[name].description
            for number in range(CALLS):
                built = build(router, name, number)
                if built is None or not built[0]:
                    totals["calls not built"] += 1
                    if number == 0:
                        report.append(f"{path.name}: {name}: not built: {built[2] if built else ''}")
                    continue
                totals["calls"] += 1
                url, values, _ = built
                try:
                    found = router.match(url, operation.method)
                except routable.RoutableError:
                    found = None
                if found is not None and found.operation == name and same(found.values, values):
                    totals["equal"] += 1
                elif found is not None and found.operation != name and place(
                        router.operations[found.operation].description.path) == place(operation.path):
                    totals["share their place with another operation"] += 1
                elif found is not None and found.operation != name and is_more_literal(
                        router.operations[found.operation].description.path, operation.path):
                    totals["taken by a more literal path"] += 1
                else:
                    totals["differences"] += 1
                    got = "nothing" if found is None else f"{found.operation} {found.values}"
                    report.append(f"{path.name}: {name} {values} builds {url}, which matches {got}")


def place(path: str) -> str:
    """The path as it is matched: without a query and a fragment, and without the names of its parameters."""
    return re.sub(r"\{[^}]*\}", "{}", re.split("[?#]", path)[0])


def same(found: Any, given: Dict[str, Any]) -> bool:
    return dict(found) == given


def documents(data: Optional[Path]) -> Iterator[Path]:
    yield Path(__file__).with_name("own.json")
    if data is not None:
        yield from sorted(data.rglob("*.json"))
        yield from sorted(data.rglob("*.yaml"))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", nargs="?", type=Path, metavar="DATA", help="a folder with OpenAPI documents")
    data = parser.parse_args().data
    if data is not None and not data.is_dir():
        parser.error(f"{data} is not a folder")
    totals = dict.fromkeys(["documents", "documents refused", "operations", "calls", "equal", "taken by a more literal path",
                            "share their place with another operation", "differences", "calls not built"], 0)
    report: List[str] = []
    for path in documents(data):
        check(path, totals, report)
    for line in report[:SHOWN]:
        print(line)
    if len(report) > SHOWN:
        print(f"and {len(report) - SHOWN} more")
    print(", ".join(f"{name}: {count}" for name, count in totals.items()))
    return 1 if totals["differences"] or not totals["calls"] else 0


if __name__ == "__main__":
    sys.exit(main())
