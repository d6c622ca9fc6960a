"""Matching with tables of routes and paths from other routers: matchit, httprouter, wayfind, routing-kit and
path-to-regexp.

Each path with its table is one vector.  A route that the template grammar cannot express (a catch-all in the middle, an optional
group) is removed from its table; a path whose expected route was removed is skipped.
"""

from __future__ import annotations

import re
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple, Union

from harness import Skip, Suite, expect
from library import Refusal, Router
from matching import ANY_SLASH, FOLD_CASE, decoded, match

Template = Optional[str]
METHOD = "get"


class Table:
    """Routes in the syntax of their router, as standalone operations r0, r1, ..."""

    def __init__(self, routes: Sequence[str], translate: Callable[[str], Template]) -> None:
        self.routes = list(routes)
        self.templates = [spelled(translate(route)) for route in self.routes]
        operations = {
            f"r{index}": {METHOD: template} for index, template in enumerate(self.templates) if template is not None
        }
        opened = Router.open({"routable": 1, "base": "http://h", "operations": operations or {"none": {METHOD: "/none/none"}}})
        if isinstance(opened, Refusal):
            raise Skip(f"the table is refused: {opened.status}: {opened.message}")
        self.router = opened

    def has(self, route: str) -> bool:
        return route in self.routes and self.templates[self.routes.index(route)] is not None

    def match(self, path: str, flags: int = 0) -> Union[None, Tuple[str, List[str]]]:
        """The route in its original syntax, and the values as the path contains them."""
        raw = path.encode("utf-8")
        got = match(self.router, raw, flags=flags)
        if got.operation is None:
            return None
        values = [raw[start:end].decode("utf-8") for start, end in got.captures]
        return self.routes[int(got.operation[1:])], values


def spelled(template: Template) -> Template:
    """The template, or None if it is refused: an empty segment, two parameters without a literal between."""
    if template is None:
        return None
    alone = Router.open({"routable": 1, "operations": {"alone": {METHOD: template}}})
    return None if isinstance(alone, Refusal) else template


_tables: Dict[Tuple[str, ...], Union[Table, Skip]] = {}


def table_of(routes: Sequence[str], translate: Callable[[str], Template]) -> Table:
    key = (translate.__name__, *routes)
    if key not in _tables:
        try:
            _tables[key] = Table(routes, translate)
        except Skip as skip:
            _tables[key] = skip
    found = _tables[key]
    if isinstance(found, Skip):
        raise found
    return found


# --- Syntaxes ---


def braces(route: str) -> Template:
    """matchit: `{name}`, `{*rest}`, `{{`."""
    if re.search(r"\{\*[^}]*\}.", route):
        return None
    return re.sub(r"\{\*([^}]*)\}", r"{\1*}", route)


def colons(route: str) -> Template:
    """httprouter: `:name` to the end of the segment, `*name` for the rest with its slash."""
    route = re.sub(r"[{}]", lambda brace: brace[0] * 2, route)
    if re.search(r":\w+[^\w/]", route):
        return None
    return re.sub(r"\*(\w+)$", r"{\1*}", re.sub(r":(\w+)", r"{\1}", route))


def angles(route: str) -> Template:
    """wayfind: `<name>`, `<*name>`."""
    if re.search(r"[^/]<\*|<\*[^>]*>.", route):
        return None
    return re.sub(r"<(\w+)>", r"{\1}", re.sub(r"<\*(\w+)>$", r"{\1*}", route))


def stars(route: str) -> Template:
    """routing-kit: `:name`, `*` for any one segment, `**` for the rest."""
    segments = []
    for index, segment in enumerate(route.split("/")):
        if segment == "**":
            segment = "{rest*}"
        elif segment == "*":
            segment = f"{{any{index}}}"
        elif segment.startswith(":"):
            segment = f"{{{segment[1:]}}}"
        segments.append(segment)
    return "/".join(segments)


def expressions(route: str) -> Template:
    """path-to-regexp: `:name`, `*name`; groups and quoted names are not supported."""
    if not isinstance(route, str) or re.search(r'[{}"]|\*\w+.', route) or not route.startswith("/"):
        return None
    plain = re.sub(r"\\(.)", r"\1", re.sub(r"\*(\w+)$", r"{\1*}", re.sub(r":(\w+)", r"{\1}", route)))
    return None if re.search(r"[^/]\{\w+\*\}", plain) else plain


# --- Checks ---


def pairs(data: Any) -> Iterator[Tuple[str, Any]]:
    for index, vector in enumerate(data["vectors"]):
        for number, match in enumerate(vector["matches"]):
            yield f"/vectors/{index}/matches/{number}", {"routes": vector["routes"], **match}


def checking(translate: Callable[[str], Template], rest_has_slash: bool = False) -> Callable[[Any, Any], None]:
    def check(vector: Any, _: Any) -> None:
        table = table_of(vector["routes"], translate)
        wanted = vector["match"]
        if wanted and not table.has(wanted["route"]):
            raise Skip("the route has no spelling in the template grammar")
        expected = None
        if wanted:
            values = [value for _, value in wanted["params"]]
            if rest_has_slash and "*" in wanted["route"]:
                values[-1] = values[-1][1:]
            expected = (wanted["route"], values)
        got = table.match(vector["path"])
        if expected is None and any(template is None for template in table.templates):
            raise Skip("a route of the table has no spelling in the template grammar")
        expect(f"{vector['routes']} {vector['path']}", expected, got)

    return check


def check_stars(vector: Any, _: Any) -> None:
    routes = [route for route, _ in vector["routes"]]
    table = table_of(routes, stars)
    wanted, got = vector["match"], table.match(vector["path"])
    if wanted is None or got is None:
        expect(vector["path"], wanted, got)
        return
    expect(vector["path"], wanted["handler"], dict(vector["routes"])[got[0]])
    for value in wanted["params"].values():
        expect(vector["path"], True, value in got[1])


def expression_tests(data: Any) -> Iterator[Tuple[str, Any]]:
    for index, vector in enumerate(data["vectors"]):
        for number, test in enumerate(vector["tests"]):
            yield f"/vectors/{index}/tests/{number}", {**{key: vector[key] for key in ("path", "options")}, **test}


def check_expressions(vector: Any, _: Any) -> None:
    options = vector["options"]
    route = vector["path"]
    if set(options) - {"sensitive", "trailing", "decode"}:
        raise Skip("prefix matching and other delimiters are not offered")
    if not isinstance(route, str) or expressions(route) is None:
        raise Skip("the route has no spelling in the template grammar")
    flags = 0 if options.get("sensitive") else FOLD_CASE
    flags |= 0 if options.get("trailing") is False else ANY_SLASH
    got = table_of([route], expressions).match(vector["input"], flags)
    expected = vector["expected"]
    if not expected:
        expect(f"{route} {vector['input']}", None, got)
        return
    values = [value if isinstance(value, str) else "/".join(value) for value in expected["params"].values()]
    found = None if got is None else [decoded(value) if options.get("decode") is not False else value for value in got[1]]
    expect(f"{route} {vector['input']}", values, found)


SUITES = [
    Suite("routing/matchit-match.json", checking(braces), pairs),
    Suite("routing/httprouter-match.json", checking(colons, rest_has_slash=True), pairs),
    Suite("routing/wayfind-match.json", checking(angles), pairs),
    Suite("routing/vapor-routing-kit.json", check_stars, pairs),
    Suite("routing/path-to-regexp-match.json", check_expressions, expression_tests),
]
