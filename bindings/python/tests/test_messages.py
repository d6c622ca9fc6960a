"""The output of the JSON tier is valid against the schemas of docs/schema: requests, responses, errors and route tables of
the stored fuzz inputs and of the examples; and a call that is accepted is valid against the schema of calls."""

from __future__ import annotations

import json
import re
from ctypes import POINTER, byref
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

import pytest
import routable
from routable import _capi as c
from routable._text import data, to_bytes

jsonschema = pytest.importorskip("jsonschema")
referencing = pytest.importorskip("referencing")

ROOT = Path(__file__).resolve().parents[3]
SCHEMAS = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in (ROOT / "docs/schema").glob("*.schema.json")}


@pytest.fixture(scope="module")
def fits() -> Callable[[str, Any], None]:
    registry = referencing.Registry().with_resources(
        (schema["$id"], referencing.Resource.from_contents(schema)) for schema in SCHEMAS.values())
    validators = {name: jsonschema.Draft202012Validator({"$ref": f"{name}.schema.json"}, registry=registry)
                  for name in ("call", "request", "response", "error", "routes", "route-document")}

    def check(name: str, value: Any) -> None:
        faults = sorted(validators[name].iter_errors(value), key=lambda fault: list(map(str, fault.absolute_path)))
        assert not faults, f"{json.dumps(value)[:500]}\n{name}: {faults[0].json_path}: {faults[0].message}"

    return check


def said(function: Callable[..., int], *arguments: Any) -> Tuple[int, Any]:
    """The status of a call, and the JSON that it writes; for a failure, the JSON of its error."""
    out, error = c.routable_string(), POINTER(c.routable_error)()
    status = function(*arguments, byref(out), byref(error))
    if error:
        return status, refused(error)
    text = to_bytes(out)
    c.routable_string_free(byref(out))
    return status, json.loads(text) if text else None


def refused(error: Any) -> Any:
    """The JSON of an error, which is freed afterwards."""
    text = c.routable_string()
    assert c.routable_error_to_json(error, byref(text)) == 0
    c.routable_error_free(error)
    message = json.loads(to_bytes(text))
    c.routable_string_free(byref(text))
    return message


def kept(*targets: str) -> List[Path]:
    return sorted(path for target in targets for folder in ("corpus", "finds") for path in (ROOT / "fuzz" / folder / target).glob("*"))


def described(target: str) -> routable.Router:
    """The description that a fuzz target uses for its inputs."""
    source = (ROOT / "fuzz/targets" / f"{target}.c").read_text(encoding="utf-8")
    literal = re.search(rf"{target}_document\[\] =(.*?);\n", source, flags=re.S)
    assert literal
    return routable.loads("".join(json.loads(part) for part in re.findall(r'"(?:[^"\\]|\\.)*"', literal[1])))


def json_of(content: bytes) -> Optional[Any]:
    try:
        return json.loads(content)
    except ValueError:
        return None


def test_calls_requests_and_their_errors(fits: Callable[[str, Any], None]) -> None:
    api = described("call")
    counts: Dict[bool, int] = {True: 0, False: 0}
    for path in kept("call"):
        call = path.read_bytes()
        status, message = said(c.routable_build_json, api._live(), call, len(call))
        fits("error" if status else "request", message)
        if status == 0:
            fits("call", json_of(call))
        counts[status == 0] += 1
    assert counts[True] >= 5 and counts[False] >= 5, counts


def responses() -> Iterator[Tuple[int, List[Tuple[str, str]], bytes]]:
    for http_status in (200, 201, 204, 304, 404, 500):
        for headers in ([], [("Content-Type", "application/json")], [("X-A", "\u00e9"), ("X-A", "2")]):
            for body in (b"", b"{}", b'{"id":"3","text":"a"}', b'[{"text":"a"}]', b'{"x":{"text":"a"}}', b"plain", b"\xff\x00",
                         b'{"n":123456789012345678901234567890,"r":1e999}', b"[100.10]", b'"text"', b"null"):
                yield http_status, headers, body


def test_responses_and_their_errors(fits: Callable[[str, Any], None], social: routable.Router) -> None:
    counts = {"response": 0, "error": 0}
    for http_status, headers, body in responses():
        fields = (c.routable_header * max(len(headers), 1))(
            *(c.routable_header(data(name.encode()), data(value.encode())) for name, value in headers))
        for route, operation in ((b"status", b"read"), (b"user", b"list"), (b"status", b"delete")):
            answer, error = POINTER(c.routable_response)(), POINTER(c.routable_error)()
            status = c.routable_response_map(
                social._live(), route, operation, http_status, fields, len(headers), data(body), byref(answer), byref(error))
            if status == 0:
                ended, message = said(c.routable_response_to_json, answer)
                assert ended == 0
                fits("response", message)
                counts["response"] += 1
            else:
                fits("error", refused(error))
                counts["error"] += 1
            c.routable_response_free(answer)
    assert min(counts.values()) > 50, counts


def test_documents_tables_and_their_errors(fits: Callable[[str, Any], None]) -> None:
    counts = {"opened": 0, "refused": 0, "route documents": 0}
    for path in [*kept("document", "openapi"), ROOT / "examples/social.json"]:
        text = path.read_bytes().split(b"\xff")[0]
        router, error = POINTER(c.routable_router)(), POINTER(c.routable_error)()
        if c.routable_router_open(text, len(text), None, byref(router), byref(error)) == 0:
            status, routes = said(c.routable_router_routes_json, router)
            assert status == 0
            fits("routes", routes)
            status, document = said(c.routable_router_document, router)
            assert status == 0
            if "routable" in document:
                fits("route-document", document)
                counts["route documents"] += 1
            counts["opened"] += 1
        else:
            fits("error", refused(error))
            counts["refused"] += 1
        c.routable_router_free(router)
    assert min(counts.values()) >= 5, counts
