#!/usr/bin/env python3
"""Compares the library with independent readers for random inputs: `make fuzz-diff`, or compare.py [--seconds N] [--seed N] [NAME...].

templates    URI templates, with the package uritemplate
forms        forms, with urllib.parse
schemas      JSON Schema, with the packages jsonschema and jsonschema-rs; if these two differ, nothing is expected
urls         URLs that the library writes, with urllib.parse and the package yarl: the same segments and items
parameters   parameter styles of OpenAPI, with a reader below that implements only the table of the specification

A difference is printed with its input and fails the run. Cases in which another reader is wrong are left out, with a comment."""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import random
import string
import sys
import time
from typing import Any, Callable, Dict, List, Optional, Tuple
from urllib.parse import parse_qsl, quote, unquote, urlsplit

import jsonschema
import jsonschema_rs
import uritemplate
import yarl

OK, NO_MATCH, JSON, DOCUMENT, VALUE, BODY, LIMIT = 0, 1, 18, 19, 25, 28, 31


# --- The library, through its C functions ---


class Text(ctypes.Structure):
    _fields_ = [("ptr", ctypes.POINTER(ctypes.c_char)), ("len", ctypes.c_size_t)]


library = ctypes.CDLL(os.environ["ROUTABLE_LIBRARY"])
library.routable_router_operation_at.restype = ctypes.c_void_p
NONE = ctypes.c_void_p(None)


def taken(out: Text) -> bytes:
    result = ctypes.string_at(out.ptr, out.len)
    library.routable_string_free(ctypes.byref(out))
    return result


def call(function: Any, *words: Any) -> Tuple[int, Optional[bytes]]:
    """The status, and the string that a function returned."""
    out = Text()
    status = function(*words, ctypes.byref(out), NONE)
    return status, taken(out) if status == OK else None


def size(data: bytes) -> ctypes.c_size_t:
    return ctypes.c_size_t(len(data))


def opened(document: Any) -> ctypes.c_void_p:
    text = json.dumps(document).encode()
    out = ctypes.c_void_p()
    status = library.routable_router_open(text, size(text), NONE, ctypes.byref(out), NONE)
    assert status == OK, f"expected that the document opens, got {status}"
    return out


def borrowed(data: bytes) -> Text:
    return Text(ctypes.cast(ctypes.c_char_p(data), ctypes.POINTER(ctypes.c_char)), len(data))


# --- Random values ---

chance = random.Random()
CHARACTERS = ["a", "b", "Z", "0", "9", "-", ".", "_", "~", " ", "%", "/", "?", "#", "[", "]", "@", "!", "$", "&", "'", "(", ")", "*", "+", ",", ";", "=", ":",
              '"', "<", ">", "\\", "^", "`", "{", "|", "}", "é", "€", "😀", "\n", "\t", "%20", "%2F"]
NAMES = ["a", "b", "var", "x_1", "list", "keys", "é".encode().hex()]


def text(most: int = 8) -> str:
    return "".join(chance.choices(CHARACTERS, k=chance.randrange(most)))


def value(depth: int = 3) -> Any:
    kind = chance.randrange(8 if depth else 6)
    if kind == 0:
        return None
    if kind == 1:
        return chance.random() < 0.5
    if kind == 2:
        return chance.choice([0, 1, -1, 2, 3, 10, 2**53, -(2**31), chance.randrange(-100, 100)])
    if kind == 3:
        return chance.choice([0.5, 1.0, -0.0, 1e10, 2.5, 0.1, 100.0])
    if kind in (4, 5):
        return chance.choice(["", "a", "b", "ab", "1", text()])
    if kind == 6:
        return [value(depth - 1) for _ in range(chance.randrange(4))]
    return {chance.choice(["a", "b", "c", text(3)]): value(depth - 1) for _ in range(chance.randrange(4))}


Found = Optional[Tuple[object, object, object]]  # input, expected, got


# --- Templates ---


def templates() -> Found:
    names = chance.sample(["a", "b", "var", "x_1", "list", "keys", "v.w"], 3)
    values: Dict[str, Any] = {}
    for name in names:
        kind = chance.randrange(5)
        if kind < 2:
            values[name] = text()
        elif kind == 2:
            values[name] = [text() for _ in range(chance.randrange(1, 4))]  # the package treats an empty list as an empty string
        elif kind == 3:
            values[name] = {chance.choice(["k", "l", text(3) or "m"]): text() for _ in range(chance.randrange(1, 3))}
    parts = []
    for _ in range(chance.randrange(1, 4)):
        parts.append(chance.choice(["", "/", "x", "%20", "a-b."]))
        variables = []
        for _ in range(chance.randrange(1, 4)):
            name = chance.choice(names)
            scalar = isinstance(values.get(name, ""), str)
            variables.append(name + chance.choice(["", "", "*", f":{chance.randrange(1, 9)}" if scalar else ""]))
        parts.append("{" + chance.choice(["", "+", "#", ".", "/", ";", "?", "&"]) + ",".join(variables) + "}")
    template = "".join(parts)
    data, given = template.encode(), json.dumps(values).encode()
    status, got = call(library.routable_template_expand_json, data, size(data), given, size(given))
    # The package sorts the keys of objects, and the standard does not define the order: compare with sorted keys.
    ordered = {name: dict(sorted(each.items())) if isinstance(each, dict) else each for name, each in values.items()}
    given = json.dumps(ordered).encode()
    status, got = call(library.routable_template_expand_json, data, size(data), given, size(given))
    expected = uritemplate.expand(template, ordered)
    if status != OK:
        return (template, values), expected, status
    return None if got == expected.encode() or known_template(template, values) else ((template, values), expected, got)


def known_template(template: str, values: Dict[str, Any]) -> bool:
    # The package escapes the percent sign of a triplet in {+a} and {#a}, and {a:3} can cut one of these triplets.
    reserved = any(part[:1] in "+#" for part in template.split("{")[1:])
    return (reserved and "%" in json.dumps(values)) or ("%" in template)


# --- Forms ---


def forms() -> Found:
    pieces = []
    for _ in range(chance.randrange(6)):
        piece = "".join(chance.choice(["a", "b", "=", "+", "%20", "%C3%A9", "%FF", "%zz", "%", "é", "%E2%82", ";", "[", "]", "%00", "?", "#", "%ED%A0%80"])
                        for _ in range(chance.randrange(6)))
        pieces.append(piece)
    data = "&".join(pieces).encode()
    status, got = call(library.routable_form_to_json, data, size(data))
    expected = [list(pair) for pair in parse_qsl(data.decode(), keep_blank_values=True, errors="replace")]
    return None if status == OK and json.loads(got or b"") == expected else (data, expected, got if status == OK else status)


# --- Schemas ---


def schema(depth: int = 3) -> Any:
    if chance.random() < 0.1:
        return chance.random() < 0.7
    made: Dict[str, Any] = {}
    below = (lambda: schema(depth - 1)) if depth else (lambda: True)
    makers: List[Callable[[], Dict[str, Any]]] = [
        lambda: {"type": chance.choice(["string", "integer", "number", "boolean", "array", "object", "null", ["string", "null"], ["integer", "array"]])},
        lambda: {"enum": [value(2) for _ in range(chance.randrange(1, 4))]},
        lambda: {"const": value(2)},
        lambda: {"minimum": chance.randrange(-5, 5)},
        lambda: {"exclusiveMaximum": chance.choice([0, 1.5, 10])},
        lambda: {"multipleOf": chance.choice([1, 2, 0.5, 5])},
        lambda: {"minLength": chance.randrange(4)},
        lambda: {"maxLength": chance.randrange(4)},
        lambda: {"minItems": chance.randrange(3)},
        lambda: {"maxProperties": chance.randrange(4)},
        lambda: {"uniqueItems": True},
        lambda: {"required": [chance.choice("abc")]},
        lambda: {"pattern": chance.choice(["^a", "b$", "^[a-z]*$", "a+b?"])},
        lambda: {"properties": {name: below() for name in chance.sample("abc", chance.randrange(3))}},
        lambda: {"patternProperties": {chance.choice(["^a", "b", "c$"]): below()}},
        lambda: {"additionalProperties": below()},
        lambda: {"propertyNames": {"maxLength": chance.randrange(3)}},
        lambda: {"items": below()},
        lambda: {"prefixItems": [below() for _ in range(chance.randrange(1, 3))]},
        lambda: {"contains": below(), "minContains": chance.randrange(3)},
        lambda: {"contains": below(), "maxContains": chance.randrange(1, 3)},
        lambda: {chance.choice(["allOf", "anyOf", "oneOf"]): [below() for _ in range(chance.randrange(1, 4))]},
        lambda: {"not": below()},
        lambda: {"if": below(), "then": below(), "else": below()},
        lambda: {"dependentRequired": {chance.choice("abc"): [chance.choice("abc")]}},
        lambda: {"dependentSchemas": {chance.choice("abc"): below()}},
        lambda: {"unevaluatedProperties": below()},
        lambda: {"unevaluatedItems": below()},
        lambda: {"$ref": chance.choice(["#", "#/$defs/d", "#/$defs/e"])},
    ]
    for _ in range(chance.randrange(1, 4)):
        made.update(chance.choice(makers)())
    return made


def schemas() -> Found:
    made = schema()
    if not isinstance(made, dict):
        made = {"items": made}
    made["$defs"] = {"d": schema(1), "e": schema(2)}
    try:
        fast, slow = jsonschema_rs.Draft202012Validator(made), jsonschema.Draft202012Validator(made)
    except Exception:
        return None
    data = json.dumps(made).encode()
    out = ctypes.c_void_p()
    status = library.routable_schema_open(data, size(data), NONE, ctypes.byref(out), NONE)
    if status == DOCUMENT and "$ref" in data.decode():  # a schema that only refers to itself is refused
        return None
    if status != OK:
        return made, "a schema", status
    try:
        for _ in range(8):
            given = value()
            sent = json.dumps(given).encode()
            got = library.routable_schema_validate(out, sent, size(sent), ctypes.c_size_t(1), NONE)
            if got == LIMIT:  # references without an end
                continue
            try:
                expected = fast.is_valid(given)
                if expected != slow.is_valid(given):
                    continue
            except (RecursionError, jsonschema_rs.ValidationError, ValueError):
                continue
            if (got == OK) != expected or got not in (OK, BODY):
                return (made, given), expected, got
    finally:
        library.routable_schema_free(out)
    return None


# --- URLs ---

SITE = {"routable": 1, "base": "http://h.test/v1", "resources": {"bucket": {"path": "buckets", "can": ["read"], "has": ["record"]},
        "record": {"path": "records", "can": ["read"]}}}
site: List[ctypes.c_void_p] = []


def urls() -> Found:
    if not site:
        site.append(opened(SITE))
    ids, query = [text() or "x", text() or "y"], {"q": text()}
    made = json.dumps({"route": "bucket.record", "operation": "read", "ids": ids, "parameters": query}).encode()
    status, got = call(library.routable_build_json, site[0], made, size(made))
    if status != OK:
        return None if any(each in (".", "..") for each in ids) else ((ids, query), "a URL", status)
    url = json.loads(got or b"")["url"]
    split = urlsplit(url)
    segments = [unquote(each, errors="strict") for each in split.path.split("/")]
    expected = ["", "v1", "buckets", ids[0], "records", ids[1]]
    if segments != expected or parse_qsl(split.query, keep_blank_values=True) != list(query.items()):
        return url, (expected, query), segments
    peer = yarl.URL(url, encoded=True)
    if peer.host != "h.test" or dict(peer.query) != query or [unquote(each) for each in peer.raw_parts[1:]] != expected[1:]:
        return url, (expected, query), (peer.raw_parts, peer.query)
    return None


# --- Parameters ---

STYLES = [("path", "simple", False), ("path", "simple", True), ("path", "label", False), ("path", "label", True), ("path", "matrix", False),
          ("path", "matrix", True), ("query", "form", False), ("query", "form", True), ("query", "spaceDelimited", False), ("query", "pipeDelimited", False),
          ("query", "deepObject", True), ("header", "simple", False), ("header", "simple", True), ("cookie", "form", False)]
services: Dict[Tuple[str, str, bool, str], Tuple[ctypes.c_void_p, int]] = {}


def service(place: str, style: str, explode: bool, shape: str) -> Tuple[ctypes.c_void_p, int]:
    key = (place, style, explode, shape)
    if key not in services:
        parameter = {"name": "p", "in": place, "required": True, "style": style, "explode": explode, "schema": {"type": shape}}
        router = opened({"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "servers": [{"url": "http://h"}],
                         "paths": {"/a/{p}" if place == "path" else "/a": {"get": {"operationId": "a", "parameters": [parameter], "responses": {}}}}})
        services[key] = (router, library.routable_router_operation_at(router, ctypes.c_size_t(0)))
    return services[key]


def written(place: str, style: str, explode: bool, given: Any) -> str:
    """The table of the specification; the values contain only characters that percent-encoding can escape."""
    def each(one: str) -> str:
        return quote(one, safe="") if place in ("path", "query") else one

    if isinstance(given, str):
        plain = each(given)
        return {"label": f".{plain}", "matrix": f";p={plain}", "form": f"p={plain}"}.get(style, plain)
    if isinstance(given, list):
        items = [each(one) for one in given]
        if style == "matrix":
            return "".join(f";p={one}" for one in items) if explode else ";p=" + ",".join(items)
        if style == "label":
            return "." + ("." if explode else ",").join(items)
        if style == "form":
            return "&".join(f"p={one}" for one in items) if explode else "p=" + ",".join(items)
        if style in ("spaceDelimited", "pipeDelimited"):
            return "p=" + ("%20" if style == "spaceDelimited" else "%7C").join(items)
        return ",".join(items)
    pairs = [(each(name), each(one)) for name, one in given.items()]
    flat = [one for pair in pairs for one in pair]
    if style == "deepObject":
        return "&".join(f"p%5B{name}%5D={one}" for name, one in pairs)
    if style == "matrix":
        return "".join(f";{name}={one}" for name, one in pairs) if explode else ";p=" + ",".join(flat)
    if style == "label":
        return "." + (".".join(f"{name}={one}" for name, one in pairs) if explode else ",".join(flat))
    if style == "form":
        return "&".join(f"{name}={one}" for name, one in pairs) if explode else "p=" + ",".join(flat)
    if style in ("spaceDelimited", "pipeDelimited"):
        return "p=" + ("%20" if style == "spaceDelimited" else "%7C").join(flat)
    return ",".join(f"{name}={one}" for name, one in pairs) if explode else ",".join(flat)


def parameters() -> Found:
    place, style, explode = chance.choice(STYLES)
    shape = chance.choice(["string", "array", "object"])
    if (style in ("spaceDelimited", "pipeDelimited") and shape == "string") or (style == "deepObject" and shape != "object"):
        return None
    # Values that an escape cannot distinguish from a delimiter are left out: names and values are ASCII without delimiters of the style.
    safe = string.ascii_letters + string.digits + "-_~" + ("é€/?@!" if place in ("path", "query") and style != "label" else "")
    word = lambda: "".join(chance.choices(safe, k=chance.randrange(1, 6)))  # noqa: E731
    given: Any = word() if shape == "string" else [word() for _ in range(chance.randrange(1, 4))]
    if shape == "object":
        given = {chance.choice("abc") + word(): word() for _ in range(chance.randrange(1, 4))}
    router, operation = service(place, style, explode, shape)
    sent = written(place, style, explode, given)
    raw = sent.encode()
    status, got = call(library.routable_parameter_read, router, ctypes.c_void_p(operation), ctypes.c_size_t(0), borrowed(raw))
    if status != OK:
        return (place, style, explode, sent), given, status
    return None if json.loads(got or b"") == given else ((place, style, explode, sent), given, got)


COMPARED: Dict[str, Callable[[], Found]] = {"templates": templates, "forms": forms, "schemas": schemas, "urls": urls, "parameters": parameters}


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--seconds", type=float, default=60, help="for each (60)")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("names", nargs="*", metavar="NAME")
    given = words.parse_args()
    different = 0
    for name in given.names or COMPARED:
        chance.seed(f"{given.seed} {name}")
        count = failed = 0
        end = time.monotonic() + given.seconds
        while time.monotonic() < end and failed < 5:
            found = COMPARED[name]()
            count += 1
            if found is not None:
                failed += 1
                print(f"{name}: input {found[0]!r}\n  expected {found[1]!r}\n  got      {found[2]!r}")
        print(f"{name}: {count} inputs, {failed} differences", flush=True)
        different += failed
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
