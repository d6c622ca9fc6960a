"""A real table of thousands of routes: each route, with values in it, matches itself."""

from __future__ import annotations

import re
from typing import Any, Dict, Iterator, Tuple

from harness import Skip, Suite, expect
from library import Router
from matching import match

PARAMETER = re.compile(r"\{\*?(\w+)\}")


class Scale:
    """The opened table; routes with the same pattern under other names are one route."""

    def __init__(self, routes: Any) -> None:
        self.index: Dict[str, int] = {}
        operations: Dict[str, Any] = {}
        for route in routes:
            pattern = PARAMETER.sub(lambda part: "{*}" if part[0][1] == "*" else "{}", route)
            if pattern in self.index or not self.is_spelled(route):
                continue
            self.index[pattern] = len(operations)
            number = iter(range(100))
            operations[f"r{len(operations)}"] = {
                "get": PARAMETER.sub(lambda part: f"{{p{next(number)}{'*' if part[0][1] == '*' else ''}}}", route)
            }
        self.router = Router.opened({"routable": 1, "operations": operations})

    @staticmethod
    def is_spelled(route: str) -> bool:
        """Whether a catch-all is a whole segment, and the last one."""
        return not re.search(r"\{\*\w+\}.|[^/]\{\*", route)

    def number(self, route: str) -> str:
        pattern = PARAMETER.sub(lambda part: "{*}" if part[0][1] == "*" else "{}", route)
        return f"r{self.index[pattern]}"


_scales: Dict[int, Scale] = {}


def vectors(data: Any) -> Iterator[Tuple[str, Any]]:
    for index, route in enumerate(data["routes"]):
        yield f"/routes/{index}", route


def check(route: Any, data: Any) -> None:
    scale = _scales.setdefault(id(data), Scale(data["routes"])) if id(data) not in _scales else _scales[id(data)]
    if not scale.is_spelled(route):
        raise Skip("a catch-all that is not the last segment")
    values = iter(f"zq{index}" for index in range(100))
    path = PARAMETER.sub(lambda part: next(values) + ("/zq/zq" if part[0][1] == "*" else ""), route)
    got = match(scale.router, path.encode("utf-8"), b"GET")
    expect(path, scale.number(route), got.operation)
    expect(path, len(PARAMETER.findall(route)), len(got.captures))


SUITES = [Suite("routing/gitlab-route-table.json", check, vectors)]
