"""OpenAPI documents: they are opened, each of their operations is built by its name, and paths are matched as the standard requires."""

from __future__ import annotations

import json
from ctypes import POINTER, byref, string_at
from functools import lru_cache
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

import equal_walks
from equal_bytes import differences, names
from harness import Difference, Suite, expect
from library import ROOT, Built, Refusal, Router, str_of, text_of
from routable import _capi as c

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
#: Documents that must open; the others must open or be refused with a sentence.
MUST_OPEN = ("real/", "apis-guru-3.1/", "features/", "oai-examples/", "swagger2/")


def documents(data: Any) -> Iterator[Tuple[str, Any]]:
    """`data` is the manifest; the files are in the same folder."""
    entries = data["documents"] if isinstance(data, dict) and "documents" in data else data.get("files", [])
    for index, entry in enumerate(entries):
        yield f"/files/{index}", entry


@lru_cache(maxsize=4)
def content(folder: str, file: str) -> bytes:
    return (Path(folder) / file).read_bytes()


def folder() -> str:
    """The folder of the documents, next to the vectors that the harness is given."""
    import sys

    given = [each for each in sys.argv[1:] if Path(each).is_dir()]
    return str((Path(given[0]) if given else ROOT.parent / "shared" / "conformance") / "openapi-docs")


def check_document(entry: Any, data: Any) -> None:
    text = content(folder(), entry["file"])
    opened = Router.open(text)
    if isinstance(opened, Refusal):
        if entry["file"].startswith(MUST_OPEN) or not opened.message:
            raise Difference(entry["file"], "a router", opened)
        return
    if not entry["file"].startswith(MUST_OPEN):
        return
    document = json.loads(text)
    paths = document.get("paths", {})
    declared = sum(
        isinstance(item.get(method), dict)
        for path, item in paths.items() if path.startswith("/") and isinstance(item, dict) for method in METHODS
    )
    handle = opened._handle
    expect(f"{entry['file']}: operations", declared, c.routable_router_operation_count(handle))
    for index in range(c.routable_router_operation_count(handle)):
        operation = c.routable_router_operation_at(handle, index)
        build(opened, operation, entry["file"])


SAMPLES = {"integer": [7, 3, 1, 0, 50], "number": [7, 1.5], "boolean": [True], "array": [["a"], [1], []], "object": [{"a": "b"}]}


def build(opened: Router, operation: Any, file: str) -> None:
    """Builds an operation by its name, with a value for each required parameter; the value may be refused, the name may not."""
    name = text_of(c.routable_operation_name(operation)).decode()
    call: Dict[str, Any] = {"operation": name, "base": "http://h.test", "ids": [], "query": {}, "headers": {}, "cookies": {}}
    for index in range(c.routable_operation_parameter_count(operation)):
        parameter = c.routable_operation_parameter_at(operation, index)
        key = text_of(c.routable_parameter_name(parameter)).decode()
        kind = text_of(c.routable_parameter_type(parameter)).decode()
        value = SAMPLES.get(kind, ["x"])[0]
        place = c.routable_parameter_location(parameter)
        if place == c.ROUTABLE_IN_PATH:
            call["ids"].append(value)
        elif c.routable_parameter_is_required(parameter):
            call[{1: "query", 2: "headers", 3: "cookies"}[place]][key] = value
    if c.routable_operation_media_type_count(operation):
        call["body_text"] = "{}"
    result = opened.build_json(call)
    if isinstance(result, Refusal) and result.status not in ("value", "body"):
        raise Difference((file, call), "a request", result)
    if isinstance(result, Built):
        expect((file, name), text_of(c.routable_operation_method(operation)), result.method)


@lru_cache(maxsize=4)
def router(file: str) -> Router:
    return Router.opened(content(folder(), file))


def check_match(vector: Any, data: Any) -> None:
    opened, wanted = router(vector["document"]), vector["expect"]
    path, match = vector["path"].encode(), c.routable_match()
    status = c.routable_router_match(opened._handle, vector["method"].encode(), str_of(path), 0, byref(match))
    given = f"{vector['document']}: {vector['method']} {vector['path']}"
    if wanted.get("not_found"):
        return expect(given, c.ROUTABLE_NO_MATCH, status)
    if "method_not_allowed" in wanted:
        expect(given, c.ROUTABLE_METHOD_NOT_ALLOWED, status)
        count = c.routable_match_method_count(opened._handle, byref(match))
        methods = [text_of(c.routable_match_method_at(opened._handle, byref(match), each)).decode() for each in range(count)]
        return expect(given, sorted(wanted["method_not_allowed"]), methods)
    expect(given, c.ROUTABLE_OK, status)
    operation = c.routable_match_operation(opened._handle, byref(match))
    got = {"template": text_of(c.routable_operation_path(operation)).decode(), "args": captures(opened, match, path)}
    options: List[Any] = wanted.get("any_of") or [wanted]
    plain = [{"template": each["template"].split("#")[0], "args": each["args"]} for each in options]
    if got not in plain:
        raise Difference(given, plain, got)


def captures(opened: Router, match: Any, path: bytes) -> Dict[str, str]:
    result: Dict[str, str] = {}
    for index in range(match.capture_count):
        parameter = c.routable_match_parameter(opened._handle, byref(match), index)
        value = c.routable_string()
        expect(path, c.ROUTABLE_OK, c.routable_match_value(byref(match), str_of(path), index, byref(value)))
        result[text_of(c.routable_parameter_name(parameter)).decode()] = string_at(value.ptr, value.len).decode()
        c.routable_string_free(byref(value))
    return result


#: Documents of Swagger 2.0, and twenty of their operations written by hand as OpenAPI 3.0.
BY_HAND = {"swagger2/petstore.json": "petstore-3.0.json", "swagger2/kinto-swagger2.json": "kinto-3.0.json"}


def swagger_operations(data: Any) -> Iterator[Tuple[str, Any]]:
    """Each operation that two documents have: the manifest names the second document, or it is in `documents`."""
    for _, entry in documents(data):
        file = entry["file"]
        own = entry.get("equal_to") or BY_HAND.get(file)
        for name in names(by_hand(own)) if own else ():
            yield f"/{file}/{name}", (file, own, name)


@lru_cache(maxsize=4)
def by_hand(file: str) -> Router:
    return router(file) if "/" in file else Router.opened((Path(__file__).parent.parent / "documents" / file).read_bytes())


def check_swagger(vector: Any, data: Any) -> None:
    """Equal requests, and equal mappings of the same responses."""
    file, own, name = vector
    found = list(differences(router(file), by_hand(own), name))
    expect(vector, [], found[:3])
    for status in (200, 201, 304, 404):
        for body in (b"", b"{}", b"[]", b'{"data":[{"id":"a"}]}', b'{"code":1,"errno":2,"error":"no","message":"x"}'):
            expect((vector, status, body), *(mapped(each, name, status, body) for each in (by_hand(own), router(file))))


def check_walks(entry: Any, data: Any) -> None:
    """A walk through the graph of a document builds the same bytes as the name of its operation."""
    opened = Router.open(content(folder(), entry["file"]))
    if isinstance(opened, Refusal):
        return
    for name in names(opened):
        if equal_walks.walk(opened, name)[0]:
            expect((entry["file"], name), [], list(equal_walks.differences(opened, name))[:3])


def mapped(opened: Router, name: str, status: int, body: bytes) -> Tuple[int, int]:
    response, error = POINTER(c.routable_response)(), POINTER(c.routable_error)()
    result = c.routable_response_map(
        opened._handle, None, name.encode(), status, None, 0, str_of(body), byref(response), byref(error))
    outcome = c.routable_response_outcome(response) if result == c.ROUTABLE_OK else -1
    c.routable_response_free(response)
    c.routable_error_free(error)
    return result, outcome


SUITES = [
    Suite("openapi-docs/manifest.json", check_document, documents),
    Suite("openapi-docs/manifest.json", check_walks, documents),
    Suite("openapi-docs/manifest.json", check_swagger, swagger_operations),
    Suite("openapi-docs/path-match-vectors.json", check_match),
]
