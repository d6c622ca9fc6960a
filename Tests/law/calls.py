"""Generates calls of the operations of a description: values that the declared types allow, from a seed."""

from __future__ import annotations

import json
import random
import re
from typing import Any, Dict, Iterator, List, Optional, Set, Tuple

import routable
from routable.request import new_request

ATTEMPTS = 40
TEXTS = ["a", "op:cancel", "1,2", "@me", "x y", "\u00e9", "a/b", "(1)", "k=v;w", "100%", "a%3Ab", "7", "v1+2", "true", "a&b", "\"q\"", "A.json"]
OTHERS = ["3fa85f64-5717-4562-b3fc-2c963f66afa6", "2024-02-29", "2024-02-29T10:00:00Z", "user@example.com", "https://x.test",
          "abcdefghijkl", "ABCDEF0123456789ABCDEF01", "a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4", "123456789012"]
NUMBERS = [1, 7, 42, 100, 12345, 2, 3, 10, 50, 0]
KEYS = {"path": "ids", "query": "query", "header": "headers", "cookie": "cookies"}
FORMATS = {"date": "2024-02-29", "date-time": "2024-02-29T10:00:00Z", "uuid": OTHERS[0], "email": "user@example.com",
           "uri": "https://x.test", "ipv4": "192.0.2.1", "byte": "YQ==", "binary": "a"}
#: Headers that OpenAPI documents declare although the client or the credential sets them.
LEFT_OUT = {"authorization", "content-type", "accept", "cookie", "host", "content-length"}


class Values:
    """Values of JSON Schemas of one document."""

    def __init__(self, document: Any, seed: random.Random) -> None:
        self.document = document
        self.random = seed

    def resolved(self, schema: Any, depth: int = 0) -> Dict[str, Any]:
        while isinstance(schema, dict) and isinstance(schema.get("$ref"), str) and depth < 20:
            found: Any = self.document
            for token in schema["$ref"].partition("#")[2].split("/")[1:]:
                name = token.replace("~1", "/").replace("~0", "~")
                found = found.get(name) if isinstance(found, dict) else None
            schema, depth = found, depth + 1
        return schema if isinstance(schema, dict) else {}

    def of(self, schema: Any, depth: int = 0) -> Any:
        schema = self.resolved(schema)
        for key in ("const", "example"):
            if key in schema and (key == "const" or self.random.random() < 0.5):
                return schema[key]
        if schema.get("enum"):
            return self.random.choice(schema["enum"])
        for key in ("oneOf", "anyOf"):
            if schema.get(key):
                rest = {name: value for name, value in schema.items() if name not in ("oneOf", "anyOf")}
                return self.merged(self.of(rest, depth + 1) if set(rest) - {"description", "title"} else None,
                                   self.of(self.random.choice(schema[key]), depth + 1))
        if schema.get("allOf"):
            rest = {name: value for name, value in schema.items() if name != "allOf"}
            value: Any = self.of(rest, depth + 1) if "properties" in rest else None
            for part in schema["allOf"]:
                value = self.merged(value, self.of(part, depth + 1))
            return value
        kind = schema.get("type")
        if isinstance(kind, list):
            kind = self.random.choice(kind)
        if kind is None:
            kind = "object" if "properties" in schema else "array" if "items" in schema else "string"
        return getattr(self, "_" + str(kind), self._string)(schema, depth)

    @staticmethod
    def merged(left: Any, right: Any) -> Any:
        if isinstance(left, dict) and isinstance(right, dict):
            return {**left, **right}
        return right if right is not None else left

    def _null(self, schema: Dict[str, Any], depth: int) -> None:
        return None

    def _boolean(self, schema: Dict[str, Any], depth: int) -> bool:
        return self.random.random() < 0.5

    def _integer(self, schema: Dict[str, Any], depth: int) -> int:
        low = int(schema.get("minimum", 0))
        high = int(schema.get("maximum", low + 1000))
        step = schema.get("multipleOf") or 1
        return self.random.randint(low, max(low, high)) // int(step or 1) * int(step or 1) if step >= 1 else low

    def _number(self, schema: Dict[str, Any], depth: int) -> Any:
        return self.random.choice([self._integer(schema, depth), self._integer(schema, depth) + 0.5])

    def _string(self, schema: Dict[str, Any], depth: int) -> str:
        if schema.get("format") in FORMATS:
            return FORMATS[schema["format"]]
        sid = re.fullmatch(r"\^([A-Z]{2})\[0-9a-fA-F\]\{32\}\$", schema.get("pattern") or "")
        if sid:  # an identifier with a prefix
            return sid[1] + "0123456789abcdef" * 2
        text = self.random.choice(TEXTS + OTHERS)
        low, high = schema.get("minLength", 0), schema.get("maxLength")
        text = text.ljust(low, "x") if isinstance(low, int) and low < 10000 else text
        return text[:high] if isinstance(high, int) else text

    def _array(self, schema: Dict[str, Any], depth: int) -> List[Any]:
        low = schema.get("minItems", 0)
        count = max(low, 0 if depth > 6 else self.random.randint(0, 3)) if isinstance(low, int) and low < 100 else 1
        return [self.of(schema.get("items", {}), depth + 1) for _ in range(count)]

    def _object(self, schema: Dict[str, Any], depth: int) -> Dict[str, Any]:
        required = set(schema.get("required") or ())
        found = {}
        for name, value in (schema.get("properties") or {}).items():
            if self.resolved(value).get("readOnly"):
                continue
            if name in required or depth < 4 and self.random.random() < 0.4:
                found[name] = self.of(value, depth + 1)
        for name in required - set(found) - set(schema.get("properties") or ()):
            found[name] = "a"
        return found


def scalar(parameter: routable.describe.Parameter, schema: Any, values: Values) -> Any:
    if schema is not None:
        return values.of(schema)
    kind = parameter.type
    seed = values.random
    if kind in ("integer", "number"):
        return seed.choice(NUMBERS)
    if kind == "boolean":
        return seed.random() < 0.5
    if kind == "array":
        return [seed.choice(TEXTS[:3]) for _ in range(seed.randint(1, 3))]
    if kind == "object":
        return {"k": seed.choice(["a", "b"])}
    return seed.choice(TEXTS + OTHERS + [str(each) for each in NUMBERS])


def schemas_of(operation: routable.describe.Operation, values: Values) -> Dict[Tuple[str, str], Any]:
    """The schemas of the parameters that an OpenAPI operation declares itself."""
    found = {}
    for parameter in (operation.source or {}).get("parameters", ()):
        parameter = values.resolved(parameter)
        schema = parameter.get("schema")
        if schema is None:
            for media in (parameter.get("content") or {}).values():
                schema = media.get("schema")
        if schema is not None:
            found[(str(parameter.get("in")), str(parameter.get("name")))] = schema
    return found


def body(operation: routable.describe.Operation, values: Values) -> Dict[str, Any]:
    """The members of a call that describe its body; empty if it has no body."""
    seed = values.random
    if operation.method in ("GET", "HEAD", "TRACE") and not operation.media_types:
        return {}
    if not operation.media_types and operation.body_type is None and operation.source is not None:
        return {}
    types: List[Optional[str]] = [*operation.media_types] or [None]
    chosen = seed.choice(types)
    if chosen is not None and "*" in chosen:
        chosen = None
    try:
        schema = operation.body_schema(chosen)
    except routable.RoutableError:
        return {}
    if schema is None:
        schema = {}
    essence = (chosen or types[0] or "application/json").partition(";")[0].strip()
    given: Dict[str, Any] = {"content_type": chosen} if chosen else {}
    if essence.endswith("json") or essence in ("application/x-www-form-urlencoded", "multipart/form-data"):
        value = values.of(schema)
        if not essence.endswith("json"):
            if not isinstance(value, dict):
                return {}
            given.pop("content_type", None)
            if chosen != types[0]:
                given["content_type"] = chosen
        return {"body": value, **given}
    return {"body": seed.choice(TEXTS), **given}


def calls(router: routable.Router, document: Any, count: int, seed: int) -> Iterator[Tuple[Optional[str], str, Any, List[Dict[str, Any]], str]]:
    """For each operation: its route, its name, its description, the accepted calls, and the reason of the last refusal."""
    for route, operation in operations(router, isinstance(document, dict) and "routable" not in document):
        generator = random.Random(f"{seed} {route} {operation.name}")
        found: List[Dict[str, Any]] = []
        reason = ""
        for _ in range(count):
            call, reason = accepted(router, route, operation, Values(document, generator))
            if call is not None:
                found.append(call)
        yield route, operation.name, operation, found, reason


def operations(router: routable.Router, is_of_paths: bool) -> Iterator[Tuple[Optional[str], routable.describe.Operation]]:
    """The operations with their routes.  The operations of an OpenAPI document's resources are left out, because they equal those
    without a route (Tests/conformance/equal_walks.py)."""
    for each in router.operations:
        yield None, router.operations[each].description
    if is_of_paths:
        return
    seen = set()
    queue: List[Tuple[str, ...]] = [(name,) for name, each in router.resources.items() if each.is_root]
    while queue:
        path = queue.pop(0)
        if len(path) > 3 or len(seen) > 200 or path in seen:
            continue
        seen.add(path)
        resource = router.resources[path[-1]]
        for operation in resource.operations.values():
            yield ".".join(path), operation
        queue += [(*path, child) for child in resource.children]


def keys_of(document: Any) -> Set[Tuple[str, str]]:
    """The locations and names of the API keys of an OpenAPI document's security schemes: a call may pass them as parameters."""
    components = document.get("components") if isinstance(document, dict) else None
    schemes = (components or {}).get("securitySchemes") or (document or {}).get("securityDefinitions") or {}
    return {(str(each.get("in")), str(each.get("name"))) for each in schemes.values() if isinstance(each, dict) and each.get("type") == "apiKey"}


def accepted(
    router: routable.Router, route: Optional[str], operation: routable.describe.Operation, values: Values
) -> Tuple[Optional[Dict[str, Any]], str]:
    """A call that the library builds, whose refused values were replaced."""
    schemas = schemas_of(operation, values)
    seed = values.random
    ids: List[Any] = []
    if route is not None:
        for name in route.split(".")[:-1]:
            ids += router.resources[name].ids
    own = [each for each in operation.parameters if each.location == "path"]
    ids += own
    keys = keys_of(values.document)
    chosen: Dict[Tuple[str, str], Any] = {}
    for each in operation.parameters:
        if each.location == "path" or each.location == "header" and each.name.lower() in LEFT_OUT:
            continue
        if (each.location, each.name) in keys and not each.required:  # read as a credential
            continue
        if each.required or seed.random() < 0.4:
            chosen[(each.location, each.name)] = each
    reason = ""
    texts: Dict[Any, Any] = {}
    for attempt in range(ATTEMPTS):
        call: Dict[str, Any] = {"operation": operation.name}
        if route is not None:
            call["route"] = route
        if ids:
            call["ids"] = [texts.get(("path", each.name, index)) if ("path", each.name, index) in texts else
                           scalar(each, schemas.get(("path", each.name)), values) for index, each in enumerate(ids)]
        for (location, name), parameter in chosen.items():
            value = texts.get((location, name), scalar(parameter, schemas.get((location, name)), values))
            call.setdefault(KEYS[location], {})[name] = value
        if attempt < ATTEMPTS // 2 or attempt % 2:
            call.update(body(operation, values))
        # An object in the query may have any names.
        objects = [each for each in operation.parameters if each.location == "query" and each.type in ("object", "any")]
        if operation.method == "GET" and not objects and seed.random() < 0.3:
            call["parameters"] = {"free": seed.choice(TEXTS), "list": ["1", "x y"]}
        try:
            router_build(router, call)
            return call, ""
        except routable.RoutableError as error:
            reason = error.message
            allowed = list(error.allowed or ())
            if allowed and error.parameter:
                for location, name in [*chosen, *(("path", each.name) for each in ids)]:
                    if name == error.parameter and location != "path":
                        texts[(location, name)] = seed.choice(allowed)
                for index, each in enumerate(ids):
                    if each.name == error.parameter or error.parameter.endswith("_" + each.name):
                        texts[("path", each.name, index)] = seed.choice(allowed)
    return None, reason


#: The base URL for documents without a server.
HOST = "https://law.example"


def router_build(router: routable.Router, call: Dict[str, Any]) -> routable.Request:
    """Builds the request of a JSON call."""
    if "//" not in (router.base or "") and "base" not in call:
        call = {**call, "base": HOST + (router.base or "")}
    return new_request(router._live(), json.dumps(call, ensure_ascii=False).encode(), None)
