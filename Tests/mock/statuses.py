#!/usr/bin/env python3
"""A mock refuses undeclared requests with the corresponding status of HTTP.

usage: statuses.py [--least N] [--made N] [FILE...]

The expected statuses are computed from the JSON of the document alone.  For each path, each undeclared method is 405 with
exactly the declared methods in Allow; a path that matches no template is 404; an Accept without a declared media type is 406 for GET,
and an undeclared Content-Type is 415; a JSON body that the package jsonschema refuses is 422.  Exits with 1 if a status is different, or
if there are fewer than N of them.  --made: the number of documents that the script makes, with random methods.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import tempfile
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple

from documents import METHODS, Tried, create

Expected = Tuple[str, str, str, List[Tuple[bytes, bytes]], bytes, int, Optional[frozenset]]  # type: ignore[type-arg]


def segments_of(path: str) -> List[str]:
    return path.split("/")


def matches(template: str, path: str) -> bool:
    pattern = "".join("[^/]+" if piece.startswith("{") else re.escape(piece) for piece in re.split(r"(\{[^{}]*\})", template))
    return re.fullmatch(pattern, path) is not None


class Vectors:
    """The requests for one document, and the expected results."""

    def __init__(self, file: Path) -> None:
        self.tried = Tried(file)
        self.paths: Dict[str, Any] = {
            path: self.tried.document.followed(item) for path, item in self.tried.document.json["paths"].items() if "#" not in path and "?" not in path}

    def declared(self, target: str) -> List[str]:
        """The paths of the document that match a target."""
        return [path for path in self.paths if matches(path, target)]

    def headers(self, method: str, path: str) -> Tuple[str, List[Tuple[bytes, bytes]], Optional[bytes], Optional[str]]:
        """The query and the headers that are required, and a body with its media type."""
        operation = self.tried.operations[(method, path)]
        query, lines = "", []
        for parameter in operation.parameters:
            if parameter.required and parameter.location in ("query", "header"):
                value = self.tried.value(path, method, parameter)
                if parameter.location == "query":
                    query += ("&" if query else "?") + f"{parameter.name}={value}"
                else:
                    lines.append((parameter.name.encode(), value.encode()))
        body, media_type = self.tried.body(operation)
        return query, lines, body, media_type

    def __iter__(self) -> Iterator[Expected]:
        for path, item in self.paths.items():
            methods = [method for method in METHODS if method in item]
            if not methods:
                continue
            self.tried.mock.reset()
            target = create(self.tried, path)
            if self.declared(target) == [path]:
                allowed = {method.upper() for method in item if method in (*METHODS, "head", "options", "trace")}
                if "GET" in allowed:
                    allowed.add("HEAD")
                for method in METHODS:
                    if method not in item:
                        yield path, method.upper(), target, [], b"", 405, frozenset(allowed)
            nothing = target.rstrip("/") + "/no/such/path"
            if not self.declared(nothing):
                yield path, "GET", nothing, [], b"", 404, None
            for method in methods:
                yield from self.of_operation(path, method, item[method], target)

    def of_operation(self, path: str, method: str, operation: Any, target: str) -> Iterator[Expected]:
        name = method.upper()
        if (name, path) not in self.tried.operations:
            return
        query, lines, body, media_type = self.headers(name, path)
        typed = [*lines, (b"Content-Type", media_type.encode())] if body is not None and media_type else lines
        successes = [self.tried.document.followed(response) for status, response in operation.get("responses", {}).items() if status.startswith("2")]
        types = {each.split(";")[0] for response in successes for each in response.get("content", {})}
        # A response to a request that has changed the store is sent even if it is not acceptable.
        if method == "get" and types and all("json" in each for each in types):
            if self.tried.mock.respond(name, target + query, typed, body or b"").status == 200:
                self.tried.mock.reset()
                again = create(self.tried, path)
                yield path, name, again + query, [*typed, (b"Accept", b"application/x-nothing")], body or b"", 406, None
        request = self.tried.document.followed(operation.get("requestBody"))
        if not request:
            return
        content = request.get("content", {})
        # An id that no created member has, because the description does not allow it, is refused first.
        if b'"in":"path"' in self.tried.mock.respond(name, target + query, typed, body or b"").body:
            return
        if content and not any("*" in each for each in content):
            yield path, name, target + query, [*lines, (b"Content-Type", b"application/x-nothing")], b"x", 415, None
        schema = content.get("application/json", {}).get("schema")
        if schema is None:
            return
        pointer = "#/paths/" + path.replace("~", "~0").replace("/", "~1").replace("%", "%25").replace("{", "%7B").replace("}", "%7D")
        if "$ref" in operation["requestBody"] or "$ref" in self.tried.document.json["paths"][path]:
            return
        pointer += f"/{method}/requestBody/content/application~1json/schema"
        for wrong in (None, 0, "wrong", [], {}):
            if self.tried.document.errors(pointer, wrong):
                yield path, name, target + query, [*lines, (b"Content-Type", b"application/json")], json.dumps(wrong).encode(), 422, None


def made(seed: int) -> Dict[str, Any]:
    """A document of collections, members and singletons with random methods."""
    choice = random.Random(seed)
    item = {"type": "object", "required": ["name"], "properties": {
        "id": {"type": "string"}, "name": {"type": "string"}, "count": {"type": "integer", "minimum": choice.randrange(5)}}}

    def operation(method: str, schema: Any) -> Dict[str, Any]:
        result: Dict[str, Any] = {"responses": {"200": {"description": "d", "content": {"application/json": {"schema": schema}}}}}
        if method == "delete":
            result = {"responses": {"204": {"description": "d"}}}
        if method in ("post", "put", "patch"):
            types = choice.choice([["application/json"], ["application/json", "application/x-www-form-urlencoded"]])
            result["requestBody"] = {"required": True, "content": {each: {"schema": item} for each in types}}
        return result

    def some(of: Any) -> Any:
        return {method: operation(method, item if method != "get" else of) for method in METHODS if choice.random() < 0.5} or {"get": operation("get", of)}

    paths: Dict[str, Any] = {}
    for number in range(12):
        above = f"/things{choice.randrange(number)}/{{id}}" if number > 2 and choice.random() < 0.3 else ""
        parameters = [{"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in ("id", "other")]
        paths[f"{above}/things{number}"] = {"parameters": parameters[:1] if above else [], **some({"type": "array", "items": item})}
        last = "other" if above else "id"
        paths[f"{above}/things{number}/{{{last}}}"] = {"parameters": parameters[: 2 if above else 1], **some(item)}
        paths[f"/single{number}"] = some(item)
    return {"openapi": "3.1.0", "info": {"title": f"made {seed}", "version": "1"}, "paths": paths}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--least", type=int, default=1)
    parser.add_argument("--made", type=int, default=0)
    parser.add_argument("files", nargs="*", type=Path)
    options = parser.parse_args()
    folder = tempfile.TemporaryDirectory()
    for seed in range(options.made):
        file = Path(folder.name) / f"made-{seed}.json"
        file.write_text(json.dumps(made(seed)))
        options.files.append(file)
    count, wrong, by_status = 0, 0, {405: 0, 404: 0, 406: 0, 415: 0, 422: 0}
    for file in options.files:
        vectors = Vectors(file)
        for path, method, target, headers, body, expected, allowed in vectors:
            response = vectors.tried.mock.respond(method, target, headers, body)
            count += 1
            by_status[expected] += 1
            allow = frozenset(each.strip() for each in dict(response.headers).get("Allow", "").split(",") if each.strip())
            if response.status != expected or allowed is not None and allow != allowed:
                wrong += 1
                print(f"{file.stem}: {method} {target[:120]} {body[:40]!r}: {expected} {sorted(allowed or ())} is expected, "
                      f"not {response.status} {sorted(allow)} {response.body[:160]!r}")
    print(f"{count} statuses of {len(options.files)} documents: {by_status}; {wrong} different")
    return 0 if wrong == 0 and count >= options.least else 1


if __name__ == "__main__":
    sys.exit(main())
