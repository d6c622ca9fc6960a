#!/usr/bin/env python3
"""Compares the walk to an operation of an OpenAPI document with its name: both build the same requests, byte for byte.

    equal_walks.py DOCUMENT.json ...
    equal_walks.py --data FOLDER      every document that FOLDER/openapi-docs/manifest.json lists

Each operation of a walk is called by its name and by its walk, five times with its ids by name and once by position.
One line for each document has the number of operations with a walk, and the reasons of the others; the last line is the total.  The
exit status is 1 for a difference.
"""

from __future__ import annotations

import json
import sys
from itertools import islice
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

from equal_bytes import calls, names, parameters
from library import Refusal, Router, text_of
from routable import _capi as c

CALLS = 5


def walk(router: Router, name: str) -> Tuple[str, str]:
    """The route and the operation of the walk to a standalone operation; both empty if it has none."""
    operation = c.routable_router_resource_operation(router._handle, name.encode())
    if not operation:
        return "", ""
    return routes(router)[name], text_of(c.routable_operation_name(operation)).decode()


_ROUTES: Dict[int, Tuple[Router, Dict[str, str]]] = {}


def routes(router: Router) -> Dict[str, str]:
    """The route of each operation of a derived resource, by its standalone name."""
    known = _ROUTES.get(id(router))
    if known is None or known[0] is not router:
        found: Dict[str, str] = {}
        for index in range(c.routable_router_resource_count(router._handle)):
            resource = c.routable_router_resource_at(router._handle, index)
            for number in range(c.routable_resource_operation_count(resource)):
                operation = c.routable_resource_operation_at(resource, number)
                found[text_of(c.routable_operation_standalone_name(operation)).decode()] = (
                    text_of(c.routable_resource_route(resource)).decode())
        _ROUTES.clear()
        known = _ROUTES[id(router)] = (router, found)
    return known[1]


def differences(router: Router, name: str) -> Iterator[str]:
    """Calls that the walk builds differently from the name."""
    operation = c.routable_router_operation(router._handle, name.encode())
    route, verb = walk(router, name)
    made = list(islice(calls(operation, parameters(operation)), CALLS))
    for number, call in enumerate(made + made[:1]):
        if number == len(made):  # by position, in the order of the path
            path = [text_of(c.routable_parameter_name(c.routable_operation_parameter_at(operation, each))).decode()
                    for each in range(c.routable_operation_parameter_count(operation))]
            call = {**call, "ids": [call["ids"][each] for each in path if each in call["ids"]]}
        by_name, by_walk = router.build_json(call), router.build_json({**call, "route": route, "operation": verb})
        if isinstance(by_name, Refusal) or isinstance(by_walk, Refusal):
            same = isinstance(by_name, Refusal) and isinstance(by_walk, Refusal) and by_name.status == by_walk.status
        else:
            same = by_name == by_walk
        if not same:
            yield f"{name}: {route} {verb}: {json.dumps(call)}\n    {by_name}\n    {by_walk}"


def check(file: Path, title: str) -> Tuple[int, int, List[str]]:
    """The number of operations, the number of those with a walk, and the differences."""
    router = Router.open(file.read_bytes())
    if isinstance(router, Refusal):
        return 0, 0, []
    every = names(router)
    walked = [name for name in every if walk(router, name)[0]]
    found = [line for name in walked for line in differences(router, name)]
    share = 100 * len(walked) / len(every) if every else 100
    rest = [name for name in every if name not in set(walked)]
    print(f"{title}: {len(walked)} of {len(every)} operations have a walk ({share:.1f} %)"
          + (f"; without: {', '.join(rest[:8])}" if rest else ""))
    print("".join(f"{line}\n" for line in found[:3]), end="")
    return len(every), len(walked), found


def main() -> int:
    given = sys.argv[1:]
    if not given:
        print(__doc__)
        return 2
    files = [(Path(each), each) for each in given]
    if given[0] == "--data" and len(given) == 2:
        folder = Path(given[1]) / "openapi-docs"
        listed = json.loads((folder / "manifest.json").read_text())["documents"]
        files = [(folder / each["file"], each["file"]) for each in listed]
    results = [check(*file) for file in files]
    operations, walked = sum(each[0] for each in results), sum(each[1] for each in results)
    wrong = sum(len(each[2]) for each in results)
    print(f"{len(results)} documents, {operations} operations, {walked} with a walk "
          f"({100 * walked / max(operations, 1):.1f} %), {wrong} differences")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
