"""Published examples and mutations of them, validated against the schemas of their documents as a router does it: request
bodies when a request is built; and every instance with a separate schema that refers to the document."""

from __future__ import annotations

import json
from ctypes import POINTER, byref, sizeof
from functools import lru_cache
from typing import Any, Dict, Optional, Tuple

from harness import Difference, Suite
from library import Built, Refusal, Router, status_name, str_of, text_of
from routable import _capi as c

from .openapi_docs import content, folder


@lru_cache(maxsize=4)
def document(file: str) -> Tuple[Router, Dict[str, Any]]:
    text = content(folder(), file)
    return Router.opened(text), json.loads(text)


def operation_of(opened: Router, method: str, path: str) -> Optional[Any]:
    for index in range(c.routable_router_operation_count(opened._handle)):
        operation = c.routable_router_operation_at(opened._handle, index)
        if text_of(c.routable_operation_method(operation)).decode() == method:
            if text_of(c.routable_operation_path(operation)).decode() == path.split("#")[0]:
                return operation
    return None


def by_request(opened: Router, operation: Any, media: str, instance: Any) -> Optional[bool]:
    """Whether a request with this body is built; None if it is refused for another reason than its body."""
    call: Dict[str, Any] = {"operation": text_of(c.routable_operation_name(operation)).decode(), "base": "http://h.test", "ids": []}
    for index in range(c.routable_operation_parameter_count(operation)):
        parameter = c.routable_operation_parameter_at(operation, index)
        if c.routable_parameter_location(parameter) == c.ROUTABLE_IN_PATH:
            call["ids"].append(7 if text_of(c.routable_parameter_type(parameter)) in (b"integer", b"number") else "x")
        elif c.routable_parameter_is_required(parameter):
            return None
    call["content_type"], call["body"] = media, instance
    result = opened.build_json(call)
    if isinstance(result, Refusal) and result.status != "body":
        return None
    return isinstance(result, Built)


def by_schema(source: Dict[str, Any], pointer: str, instance: Any) -> bool:
    """Whether the instance is valid for a schema that is a reference into the document."""
    options = c.routable_schema_options()
    options.size = sizeof(options)
    text = json.dumps(source).encode("ascii")
    supplied = (c.routable_document * 1)(c.routable_document(str_of(b"http://d/doc"), str_of(text)))
    options.documents, options.document_count = supplied, 1
    is30 = source["openapi"].startswith("3.0")
    options.dialect = c.ROUTABLE_DIALECT_OPENAPI_30 if is30 else c.ROUTABLE_DIALECT_OPENAPI_31
    schema, error = POINTER(c.routable_schema)(), POINTER(c.routable_error)()
    reference = json.dumps({"$ref": "http://d/doc#" + pointer.replace("%", "%25")}).encode("ascii")
    status = c.routable_schema_open(reference, len(reference), byref(options), byref(schema), byref(error))
    if status != c.ROUTABLE_OK:
        raise Difference(pointer, "a schema", text_of(c.routable_error_message(error)))
    value = json.dumps(instance).encode("ascii")
    status = c.routable_schema_validate(schema, value, len(value), 1, byref(error))
    c.routable_schema_free(schema)
    if status not in (c.ROUTABLE_OK, c.ROUTABLE_ERR_BODY):
        raise Difference(pointer, "a verdict", status_name(status))
    c.routable_error_free(error)
    return bool(status == c.ROUTABLE_OK)


def check(vector: Any, data: Any) -> None:
    opened, source = document(vector["document"])
    given = f"{vector['document']}: {vector['operation']}, {vector['what']}: {json.dumps(vector['instance'])[:300]}"
    got: Optional[bool] = None
    method, _, path = vector["operation"].partition(" ")
    operation = operation_of(opened, method, path)
    if vector["what"] == "request" and operation is not None:
        media = vector["schema"].split("/content/")[1].split("/schema")[0].replace("~1", "/").replace("~0", "~")
        if media == "application/json" and "requestBody/content" in vector["schema"]:
            got = by_request(opened, operation, media, vector["instance"])
            if got is not None and got != vector["valid"]:
                raise Difference(f"{given} (a request)", vector["valid"], got)
    if by_schema(source, vector["schema"], vector["instance"]) != vector["valid"]:
        raise Difference(f"{given} (the schema)", vector["valid"], not vector["valid"])


SUITES = [Suite("openapi-docs/example-validation-vectors.json", check)]
