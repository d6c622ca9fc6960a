#!/usr/bin/env python3
"""A mock of each OpenAPI document: all of its bodies are valid by another validator, and collections work without options.

usage: documents.py [--verbose] FILE...

For each document: every operation gets a request, and the body of each success is validated by the package jsonschema against the schema
in the document.  Then each collection with POST and with a member that can be read is tried: create, read, change, list, delete.
Exits with 1 if a body is not valid, or if a document has no collection that works although it has some.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import re
import sys
import time
import urllib.parse
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bindings" / "python" / "src"))
os.environ.setdefault("ROUTABLE_LIBRARY", str(ROOT / "build" / "embedded" / "libroutable.so.0"))

import jsonschema  # noqa: E402
import routable  # noqa: E402
from jsonschema import Draft4Validator, Draft202012Validator  # noqa: E402
from referencing import Registry, Resource  # noqa: E402
from referencing.jsonschema import DRAFT4, DRAFT202012  # noqa: E402
from routable.testing import Mock  # noqa: E402

METHODS = ("get", "put", "post", "patch", "delete")


def _nullable(keyword: str) -> Any:
    """A keyword of OpenAPI 3.0 that accepts null if `nullable` is true; documents rely on this with allOf, too."""
    def check(validator: Any, value: Any, instance: Any, schema: Any) -> Iterator[Any]:
        if instance is None and schema.get("nullable"):
            return iter(())
        return Draft4Validator.VALIDATORS[keyword](validator, value, instance, schema) or iter(())

    return check


def _required_30(validator: Any, names: Any, instance: Any, schema: Any) -> Iterator[Any]:
    """`required` for responses, which may lack writeOnly members."""
    if not isinstance(instance, dict):
        return
    properties = schema.get("properties", {})
    for name in names:
        if name not in instance and not properties.get(name, {}).get("writeOnly"):
            yield jsonschema.ValidationError(f"{name!r} is required")


Validator30: Any = jsonschema.validators.extend(Draft4Validator, {
    **{keyword: _nullable(keyword) for keyword in ("type", "enum", "allOf", "anyOf", "oneOf")}, "required": _required_30})
Validator31: Any = jsonschema.validators.extend(Draft202012Validator, {"required": _required_30})


class Document:
    """A document, with a validator for the schemas in it."""

    def __init__(self, file: Path) -> None:
        self.json: Dict[str, Any] = json.loads(file.read_text())
        is_31 = self.json.get("openapi", "").startswith(("3.1", "3.2"))
        self.validator = Validator31 if is_31 else Validator30
        resource = Resource(contents=self.json, specification=DRAFT202012 if is_31 else DRAFT4)
        self.registry: Any = Registry().with_resource("urn:document", resource)

    def at(self, pointer: str) -> Any:
        value: Any = self.json
        for token in pointer.lstrip("#").split("/")[1:]:
            token = urllib.parse.unquote(token).replace("~1", "/").replace("~0", "~")
            value = value[int(token)] if isinstance(value, list) else value[token]
        return value

    def followed(self, value: Any) -> Any:
        while isinstance(value, dict) and "$ref" in value:
            value = self.at(value["$ref"])
        return value

    def schema_pointer(self, path: str, method: str, status: int, media_type: str) -> Optional[str]:
        """The pointer of the schema of a response; None if it has none."""
        def escaped(token: str) -> str:
            return urllib.parse.quote(token.replace("~", "~0").replace("/", "~1"), safe="~$&+,;=:@!'()*")

        def resolved(pointer: str) -> str:
            value = self.at(pointer)
            return resolved(value["$ref"]) if isinstance(value, dict) and "$ref" in value else pointer

        responses = resolved(f"#/paths/{escaped(path)}") + f"/{method}/responses"
        declared = self.at(responses)
        for key in (str(status), f"{status // 100}XX", f"{status // 100}xx", "default"):
            if key not in declared:
                continue
            response = resolved(f"{responses}/{key}")
            if "swagger" in self.json:
                return f"{response}/schema" if "schema" in self.at(response) else None
            content = self.at(response).get("content", {})
            for name in content:
                if name.split(";")[0].strip().lower() == media_type and "schema" in self.followed(content[name]):
                    return resolved(f"{response}/content/{escaped(name)}") + "/schema"
            return None
        return None

    def errors(self, pointer: str, value: Any) -> List[str]:
        validator = self.validator({"$ref": f"urn:document{pointer}"}, registry=self.registry)
        return [f"{list(error.absolute_path)}: {error.message[:150]}" for error in validator.iter_errors(value)]


class Tried:
    """A mock of a document, and the requests that are sent to it."""

    def __init__(self, file: Path) -> None:
        self.document = Document(file)
        start = time.monotonic()
        self.api = routable.open(file)
        self.mock = Mock(self.api, anonymous=True, base_path="")
        self.ready = time.monotonic() - start
        self.seed = 0
        self.operations: Dict[Tuple[str, str], Any] = {}
        for name in self.api.operations:
            described = self.api._described(None, name)  # the description of the operation
            self.operations.setdefault((described.method, "/" + described.path.lstrip("/")), described)

    def body(self, operation: Any) -> Tuple[Optional[bytes], Optional[str]]:
        """A generated body and its media type."""
        for media_type in operation.media_types:
            essence = media_type.split(";")[0].strip().lower()
            is_form = essence == "application/x-www-form-urlencoded"
            if essence == "multipart/form-data":
                try:
                    value = operation.sample_body(seed=self.seed, content_type=media_type)
                except (routable.UnknownError, routable.UnsupportedError):
                    value = {"file": "text"}
                parts = "".join(f'--b\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{each if isinstance(each, str) else json.dumps(each)}\r\n'
                                for key, each in value.items())
                return f"{parts}--b--\r\n".encode(), "multipart/form-data; boundary=b"
            if not is_form and ("json" not in essence or "json-patch" in essence or "strategic" in essence):
                continue
            try:
                value = operation.sample_body(seed=self.seed, content_type=media_type)
            except (routable.UnknownError, routable.UnsupportedError):
                continue
            if not is_form:
                return json.dumps(value).encode(), media_type
            pairs = [(key, each) for key, each in value.items() if not isinstance(each, (dict, list))]
            return urllib.parse.urlencode([(key, str(each).lower() if isinstance(each, bool) else each) for key, each in pairs]).encode(), media_type
        for media_type in operation.media_types:
            if "json" not in media_type and "form" not in media_type:
                return b"text", "text/plain" if "*" in media_type else media_type
        return None, None

    def sample(self, schema: Any) -> Any:
        """A value of a schema without references."""
        try:
            return routable.Schema({key: each for key, each in schema.items() if key not in ("nullable", "$ref")}).sample(seed=1)
        except routable.RoutableError:
            return "a"

    def send(self, method: str, path: str, target: str) -> Any:
        """Sends a request of an operation of the document."""
        self.seed += 1
        operation = self.operations.get((method, path))
        query: List[Tuple[str, str]] = []
        headers: List[Tuple[bytes, bytes]] = []
        body: Optional[bytes] = None
        if operation is not None:
            body, media_type = self.body(operation)
            if body is not None and media_type:
                headers.append((b"Content-Type", media_type.encode()))
            for parameter in operation.parameters:
                if parameter.required and parameter.location in ("query", "header"):
                    value = self.value(path, method, parameter)
                    if parameter.location == "query":
                        query.append((parameter.name, value))
                    else:
                        headers.append((parameter.name.encode(), value.encode()))
        full = target + ("?" + urllib.parse.urlencode(query) if query else "")
        return self.mock.respond(method, full, headers, body or b"")

    def value(self, path: str, method: str, parameter: Any) -> str:
        """A value of a parameter, from its schema."""
        return self.declared_value(path, method, parameter.name) or {"integer": "1", "number": "1", "boolean": "true"}.get(parameter.type, "a")

    def declared_value(self, path: str, method: str, name: str) -> Optional[str]:
        """A value of a parameter of the document, or None."""
        item = self.document.followed(self.document.json["paths"][path])
        declarations = [*item.get("parameters", ()), *item.get(method.lower(), {}).get("parameters", ())]
        for declared in declarations:
            declared = self.document.followed(declared)
            if declared.get("name") == name:
                if "content" in declared:
                    content = next(iter(declared["content"].values()))
                    example = content.get("example")
                    return json.dumps(example if isinstance(example, dict) else self.sample(self.document.followed(content.get("schema", {}))))
                schema = self.document.followed(declared.get("schema", declared))
                while schema.get("type") == "array" or "allOf" in schema:
                    schema = self.document.followed(schema["items"] if "items" in schema else schema["allOf"][0])
                for key in ("enum", "examples"):
                    if schema.get(key):
                        return str(schema[key][0])
                if "example" in declared and isinstance(declared["example"], (str, int)):
                    return str(declared["example"])
                found = self.sample(schema)
                return json.dumps(found) if not isinstance(found, str) else found
        return None


def bodies(tried: Tried, counts: Dict[str, int]) -> List[str]:
    """Requests each operation, and returns the bodies that are not valid."""
    found: List[str] = []
    for path, item in tried.document.json["paths"].items():
        item = tried.document.followed(item)
        if "#" in path:
            continue  # a request path cannot contain "#"
        for method in METHODS:
            if method not in item:
                continue
            tried.mock.reset()
            target = create(tried, path)
            response = tried.send(method.upper(), path, target)
            # PUT changes a member that POST with the same id in the body, or PUT, has created.
            before = "post" if method == "put" else "put"
            if response.status == 404 and before in item:
                tried.seed -= 1
                tried.send(before.upper(), path, target)
                tried.seed -= 1
                response = tried.send(method.upper(), path, target)
            counts["2xx" if response.status < 300 else str(response.status)] += 1
            if response.status >= 400:
                reason = json.loads(response.body or b"{}")
                refused.append(f"{method.upper()} {path}: {response.status} {str(reason.get('detail'))[:200]}")
            media_type = dict((name.lower(), value) for name, value in response.headers).get("content-type", "").split(";")[0]
            if response.status >= 300 or not response.body or "json" not in media_type:
                continue
            pointer = tried.document.schema_pointer(path, method, response.status, media_type)
            if pointer is None:
                counts["without a schema"] += 1
                continue
            counts["validated"] += 1
            errors = tried.document.errors(pointer, json.loads(response.body))
            if errors:
                found.append(f"{method.upper()} {path} {response.status}: {errors[:2]}")
    return found


refused: List[str] = []


def create(tried: Tried, path: str) -> str:
    """Creates the members of the path that requests can create, and returns the path with their ids."""
    paths = tried.document.json["paths"]
    current = ""
    segments = path.split("/")
    for index, segment in enumerate(segments):
        if not segment:
            continue
        found = re.search(r"\{([^{}]*)\}(\.\w+)?$", segment)
        if not found:
            current += "/" + segment
            continue
        collection, ending = "/".join(segments[:index]), found[2] or ""
        for other in ("/", ".json"):
            if collection + ending not in paths and collection + other in paths:
                ending = other
        if "post" in paths.get(collection + ending, {}):
            response = tried.send("POST", collection + ending, current + ending)
            location = dict((name.lower(), value) for name, value in response.headers).get("location")
            if location:
                current = location if index == len(segments) - 1 else location.rstrip("/").removesuffix(ending)
                continue
        template = "/".join(segments[: index + 1])
        names = re.findall(r"\{([^{}]*)\}", segment)
        method = next(each for each in METHODS if each in paths[path])
        for name in names:
            segment = segment.replace("{%s}" % name, urllib.parse.quote(tried.declared_value(path, method, name) or "1", safe=""))
        current += "/" + segment
        # Only PUT creates this member.
        if "put" in paths.get(template, {}) and index < len(segments) - 1:
            tried.send("PUT", template, current)
    return current + ("/" if path.endswith("/") and not current.endswith("/") else "")


def collection(tried: Tried, path: str, member: str) -> None:
    """Creates, reads, changes, lists and deletes a member; raises AssertionError."""
    paths = tried.document.json["paths"]
    tried.mock.reset()
    target = create(tried, path)

    def expect(response: Any, *allowed: int) -> Any:
        assert response.status in allowed, f"{response.status} {response.body[:200]!r}"
        return response

    created = expect(tried.send("POST", path, target), 200, 201, 202, 204)
    location = dict((name.lower(), value) for name, value in created.headers)["location"]
    expect(tried.send("GET", member, location), 200)
    for method in ("put", "patch", "post"):
        if method in paths[member]:
            expect(tried.send(method.upper(), member, location), 200, 201, 202, 204)
            break
    if "get" in paths[path]:
        expect(tried.send("GET", path, target), 200)
    if "delete" in paths[member]:
        expect(tried.send("DELETE", member, location), 200, 202, 204)
        expect(tried.send("GET", member, location), 404)


def collections_of(paths: Dict[str, Any]) -> Iterator[Tuple[str, str]]:
    for path in paths:
        stem, suffix = re.fullmatch(r"(.*?)(\.\w+|/)?", path).groups()  # type: ignore[union-attr]
        if "post" not in paths[path]:
            continue
        for member in paths:
            if re.fullmatch(re.escape(stem) + r"/\{[^{}/]+\}" + re.escape(suffix or "") + "/?", member) and "get" in paths[member]:
                yield path, member
                break


def run(file: Path, verbose: bool) -> bool:
    tried = Tried(file)
    counts: Dict[str, int] = collections.Counter()
    refused.clear()
    invalid = bodies(tried, counts)
    worked, failed = 0, []
    for path, member in collections_of(tried.document.json["paths"]):
        try:
            collection(tried, path, member)
            worked += 1
        except (AssertionError, KeyError) as error:
            failed.append(f"{path}: {error}")
    print(f"{file.stem}: ready in {tried.ready * 1000:.0f} ms; {dict(sorted(counts.items()))}; {len(invalid)} not valid; "
          f"{worked} of {worked + len(failed)} collections work", flush=True)
    for line in invalid[: 99 if verbose else 5] + failed[: 99 if verbose else 5] + (refused if verbose else []):
        print("   ", line)
    return not invalid and (worked > 0 or not failed)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("files", nargs="+", type=Path)
    options = parser.parse_args()
    results = [run(file, options.verbose) for file in options.files]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
