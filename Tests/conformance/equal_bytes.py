#!/usr/bin/env python3
"""Compares two descriptions of one API: both build the same calls to equal requests, byte for byte.

    equal_bytes.py ONE.json OTHER.json ...

Each operation of OTHER that ONE has, by its name, is called with the required parameters, with all declared ones,
with each media type of its body, and with values that must be refused.  For example, with Kubernetes' api/openapi-spec:
equal_bytes.py swagger.json v3/api__v1_openapi.json v3/apis__apps__v1_openapi.json.  The exit status is 1 for a
difference, and for a file without any comparison.

Differences of the documents themselves are reported and not compared: whether a body is required, optional parameters that
one of them lacks, and the order of the parameters of a query, which is then compared item by item.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple, Union

from library import Refusal, Result, Router, text_of
from routable import _capi as c

PLACES = {c.ROUTABLE_IN_QUERY: "query", c.ROUTABLE_IN_HEADER: "headers", c.ROUTABLE_IN_COOKIE: "cookies"}
VALUES: Dict[str, List[Any]] = {
    "integer": [7, "seven"], "number": [1.5, "one"], "boolean": [True, "yes"], "array": [["a b", "c,d"], []], "object": [{"a": "b"}],
}
BODIES = ["{}", '{"metadata":{"name":"a"},"data":{"é":[1,2.50]}}', '[{"op":"remove","path":"/a"}]', "[]", '"text"']


def names(router: Router) -> List[str]:
    handle = router._handle
    return [text_of(c.routable_operation_name(c.routable_router_operation_at(handle, index))).decode()
            for index in range(c.routable_router_operation_count(handle))]


def parameters(operation: Any) -> List[Tuple[int, str, str, bool]]:
    """The place, the name and the type of each parameter, and whether it is required; in an order independent of the document."""
    found = []
    for index in range(c.routable_operation_parameter_count(operation)):
        each = c.routable_operation_parameter_at(operation, index)
        found.append((c.routable_parameter_location(each), text_of(c.routable_parameter_name(each)).decode(),
                      text_of(c.routable_parameter_type(each)).decode(), bool(c.routable_parameter_is_required(each))))
    # The header of a security scheme is left out, because only one of the two documents may declare it.
    return [each for each in found if each[:2] != (c.ROUTABLE_IN_HEADER, "authorization")]


def calls(operation: Any, declared: List[Tuple[int, str, str, bool]]) -> Iterator[Dict[str, Any]]:
    """The calls to build with both descriptions."""
    name = text_of(c.routable_operation_name(operation)).decode()

    def call(wanted: List[str], choice: int = 0) -> Dict[str, Any]:
        made: Dict[str, Any] = {"operation": name, "base": "http://h.test/base", "ids": {}}
        for place, key, kind, required in declared:
            if place == c.ROUTABLE_IN_PATH:
                made["ids"][key] = {"integer": 7, "number": 7}.get(kind, f"{key} é/1")
            elif required or key in wanted:
                options = VALUES.get(kind, ["a b&c", "*", '"12"'])
                made.setdefault(PLACES[place], {})[key] = options[choice % len(options)]
        return made

    optional = [key for place, key, _, required in declared if place != c.ROUTABLE_IN_PATH and not required]
    plain = call([])
    yield plain
    yield call(optional)
    yield call(optional, 1)
    for key in optional:
        yield call([key])
        yield call([key], 1)
        yield call([key], 2)
    count = c.routable_operation_media_type_count(operation)
    for body in BODIES:
        yield {**plain, "body": json.loads(body)}
        for index in range(count):
            media = text_of(c.routable_operation_media_type_at(operation, index)).decode()
            yield {**plain, "content_type": media, "body_text": body}


def comparable(result: Union[Result, Refusal], ordered: bool) -> Tuple[Any, ...]:
    """The status of a refusal, because the sentences contain pointers of two documents; otherwise the request."""
    if isinstance(result, Refusal):
        return "refused", result.status
    path, _, query = result.url.partition(b"?")
    items = query.split(b"&")
    return result.method, path, items if ordered else sorted(items), result.headers, result.body


SHARED_PARAMETERS: Dict[str, Any] = {}


def opened(file: str) -> Router:
    text = Path(file).read_bytes()
    SHARED_PARAMETERS.update({f"#/parameters/{name}": each for name, each in json.loads(text).get("parameters", {}).items()})
    return Router.opened(text)


def requires_body(operation: Any) -> bool:
    source = json.loads(text_of(c.routable_operation_source(operation)))
    # Swagger 2.0 lists shared parameters below "parameters", by references that end in their names.
    named = [SHARED_PARAMETERS.get(each.get("$ref", ""), each) for each in source.get("parameters", [])]
    body = [each for each in named if each.get("in") == "body"] or [source.get("requestBody", {})]
    return bool(body[0].get("required"))


def differences(one: Router, other: Router, name: str) -> Iterator[str]:
    operation = c.routable_router_operation(other._handle, name.encode())
    own = c.routable_router_operation(one._handle, name.encode())
    shared = [each for each in parameters(operation) if each in parameters(own)]
    missing = [each for each in parameters(operation) + parameters(own) if each not in shared]
    if any(required for _, _, _, required in missing):
        yield f"{name}: parameters: {missing}"
        return
    ordered = shared == [each for each in parameters(own) if each in shared]
    says_alike = requires_body(own) == requires_body(operation)
    for call in calls(operation, shared):
        if not says_alike and "body" not in call and "body_text" not in call:
            call["body"] = {}
        left, right = comparable(one.build_json(call), ordered), comparable(other.build_json(call), ordered)
        if left != right:
            yield f"{name}: {json.dumps(call)}\n    {left}\n    {right}"


def main() -> int:
    if len(sys.argv) < 3:
        print(__doc__)
        return 2
    one = opened(sys.argv[1])
    known, failed = set(names(one)), False
    for file in sys.argv[2:]:
        other = opened(file)
        shared = [name for name in names(other) if name in known]
        found = {name: list(differences(one, other, name)) for name in shared}
        wrong = {name: lines for name, lines in found.items() if lines}
        for lines in wrong.values():
            print("\n".join(lines[:3]))
        for question, say in (("whether a body is required", requires_body), ("the parameters or their order", parameters)):
            handles = [[c.routable_router_operation(each._handle, name.encode()) for each in (one, other)] for name in shared]
            count = sum(say(left) != say(right) for left, right in handles)
            if count:
                print(f"{file}: the documents differ in {question} of {count} operations")
        print(f"{file}: {len(shared) - len(wrong)} of {len(names(other))} operations equal, {len(wrong)} differ, "
              f"{len(names(other)) - len(shared)} are not in {sys.argv[1]}")
        failed = failed or bool(wrong) or not shared
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
