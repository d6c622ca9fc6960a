"""Schemas that contradict themselves, refer to nothing, or are very many: the generated code compiles, and the report lists the gaps."""

from __future__ import annotations

import json
import re
import resource
import sys
import time
from pathlib import Path
from typing import Any, Dict, List

from harness import Tools, require

S = {"type": "string"}
R = "#/components/schemas/"
#: For each schema, the words of the report about it; None if it has a type.
SCHEMAS: Dict[str, Any] = {
    "two types": ({"allOf": [{"type": "string"}, {"type": "integer"}]}, "no value has the types"),
    "no value": ({"type": "integer", "enum": ["a", "b"]}, "no value of its enum"),
    "never": ({"type": "object", "properties": {"a": False}}, "accepts no value"),
    "nothing": ({}, "has no type"),
    "only null": ({"type": "null"}, "only null is valid"),
    "nowhere": ({"$ref": R + "missing"}, "leads to nothing"),
    "outside": ({"$ref": "other.json#/x"}, "leads to nothing"),
    "no type": ({"type": "strnig"}, "not a JSON type"),
    "itself": ({"$ref": R + "itself"}, "leads back to itself"),
    "ping": ({"$ref": R + "pong"}, None), "pong": ({"$ref": R + "ping"}, "leads back to itself"),
    "own part": ({"allOf": [{"$ref": R + "own part"}]}, "leads back to itself"),
    "own list": ({"type": "array", "items": {"$ref": R + "own list"}}, "leads back to itself"),
    "own map": ({"type": "object", "additionalProperties": {"$ref": R + "own map"}}, "leads back to itself"),
    "own choice": ({"oneOf": [{"$ref": R + "own choice"}, S, {"type": "array", "items": {"$ref": R + "own choice"}}]}, None),
    "ring a": ({"oneOf": [{"$ref": R + "ring b"}, S]}, None), "ring b": ({"oneOf": [{"$ref": R + "ring a"}, {"type": "integer"}]}, None),
    "own member": ({"type": "object", "required": ["again"], "properties": {"again": {"$ref": R + "own member"}}}, None),
    "merged with itself": ({"allOf": [{"$ref": R + "merged with itself"}, {"properties": {"a": S}}]}, None),
    # Alternatives that are an allOf of the oneOf that lists them.
    "circle": ({"oneOf": [{"$ref": R + "circle part"}, {"$ref": R + "told a"}], "discriminator": {"propertyName": "kind"}}, None),
    "circle part": ({"allOf": [{"$ref": R + "circle"}, {"type": "object", "required": ["kind"], "properties": {"kind": S}}]}, None),
    "own alternative": ({"type": "object", "properties": {"a": S}, "oneOf": [{"$ref": R + "own alternative"}]}, None),
    "own inline": ({"type": "object", "properties": {"a": S}, "anyOf": [{"allOf": [{"$ref": R + "own inline"}]}, {"properties": {"b": S}}]}, None),
    "empty choice": ({"oneOf": []}, "has no type"),
    "many lists": ({"allOf": [{"oneOf": [{"required": ["a"], "properties": {f"m{n}": S}} for n in range(5)]} for _ in range(4)],
                    "properties": {"a": S}}, "combinations"),
    "wide enum": ({"type": "string", "enum": [f"value {n}" for n in range(3000)]}, None),
    "near enum": ({"type": "string", "enum": ["a-b", "a_b", "aB", "A B", "", "1", "é", "e\u0301", "other", "init", "\x00", "a\x00b"]}, None),
    "near members": ({"type": "object", "required": ["not described"], "properties": {
        **{name: S for name in ["a-b", "a_b", "aB", "A B", "", "1", "is", "as", "json", "fits", "other", "class"]}}}, "required but not declared"),
    "wide union": ({"oneOf": [{"type": "object", "required": [f"m{n}"], "properties": {f"m{n}": S}} for n in range(300)]}, None),
    "all kinds": ({"type": ["string", "integer", "number", "boolean", "array", "object", "null"]}, None),
    "mixed enum": ({"enum": ["a", 1, 1.5, True, None, [1], {"a": 1}]}, None),
    "tuple": ({"type": "array", "prefixItems": [S, {"type": "integer"}], "items": False}, None),
    "nested lists": ({"type": "array", "items": {"type": "array", "items": {"type": "array", "items": {"type": ["integer", "null"]}}}}, None),
    "map of lists": ({"type": "object", "additionalProperties": {"type": "array", "items": {"type": "object", "additionalProperties": {"type": ["boolean", "null"]}}}}, None),
    "told": ({"oneOf": [{"$ref": R + "told a"}, {"$ref": R + "told b"}], "discriminator": {"propertyName": "kind", "mapping": {"x": R + "told a", "\"": R + "told b"}}}, None),
    "told a": ({"type": "object", "required": ["kind"], "properties": {"kind": S, "a": {"type": "integer"}}}, None),
    "told b": ({"type": "object", "required": ["kind"], "properties": {"kind": S, "b": {"type": "integer"}}}, None),
    "a-b": ({"type": "object", "properties": {"x": S}}, None), "a_b": ({"type": "object", "properties": {"y": S}}, None),
    "aB": ({"type": "string", "enum": ["q"]}, None), "A B": ({"oneOf": [S, {"type": "integer"}]}, None),
}


#: Reads the type expression of every class and every union of the module, and checks a value of each.
READ_ALL = """
import contrary_classes as module
from routable._misfit import Misfit
from routable._shapes import shape_of
for name, each in list(vars(module).items()):
    if isinstance(each, str) and name[0].isupper() or isinstance(each, type) and issubclass(each, module.DataRecord) and each is not module.DataRecord:
        try:
            shape_of(name, module.__name__).checked({})
        except Misfit:
            pass
"""


def document(schemas: Dict[str, Any]) -> Dict[str, Any]:
    return {"openapi": "3.1.0", "info": {"title": "contrary", "version": "1"}, "servers": [{"url": "https://h.test"}],
            "components": {"schemas": schemas},
            "paths": {f"/p{number}": {"put": {
                "operationId": f"put {name}", "requestBody": {"content": {"application/json": {"schema": {"$ref": R + name}}}},
                "responses": {"200": {"description": "", "content": {"application/json": {"schema": {"$ref": R + name}}}},
                              "4XX": {"description": "", "content": {"application/json": {"schema": {"$ref": R + name}}}}}}}
                for number, name in enumerate(schemas)}}


def deep(levels: int) -> Dict[str, Any]:
    schema: Dict[str, Any] = {"type": "object", "properties": {"end": S}}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"next": schema, "list": {"type": "array", "items": {"$ref": R + "told a"}}}}
    return schema


def contrary(tools: Tools) -> str:
    schemas = {name: schema for name, (schema, _) in SCHEMAS.items()}
    schemas["deep"] = deep(90)
    schemas["chain 0"] = {"type": "object", "properties": {"a": S}}
    for number in range(1, 200):
        schemas[f"chain {number}"] = {"allOf": [{"$ref": f"{R}chain {number - 1}"}]}
    path = tools.work / "contrary.json"
    path.write_text(json.dumps(document(schemas)))
    compile_all(tools, path)
    report = json.loads(tools.succeed([tools.command, "generate", "c", path, "--report", "--json"]))
    gaps = [f"{gap['pointer']}: {gap['reason']}" for gap in report["gaps"]]
    for name, (_, wanted) in SCHEMAS.items():
        if wanted is not None:
            place = f"/{name}"
            require(any(wanted in gap and place in gap for gap in gaps), f"the report does not say \"{wanted}\" of {name}:\n" + "\n".join(gaps[:60]))
    # The names do not depend on the order of the document.
    turned = document(dict(reversed(list(schemas.items()))))
    path.write_text(json.dumps(turned))
    again = json.loads(tools.succeed([tools.command, "generate", "c", path, "--report", "--json"]))
    require(report["types"] == again["types"] and report["unions"] == again["unions"], f"another order gives other types: {report} {again}")
    return f"{len(schemas)} contrary schemas compile, and {len(gaps)} values are listed; {many(tools, 10_000)}"


def selected(tools: Tools) -> str:
    """--only with a pattern, and names from the document."""
    schemas = {"Issue": {"type": "object", "properties": {"title": S, "inner": {"x-routable-name": "IssueInside", "type": "object", "properties": {"a": S}}}},
               "Repository": {"type": "object", "properties": {"name": S}}}
    path = tools.work / "selected.json"
    path.write_text(json.dumps({
        "openapi": "3.1.0", "info": {"title": "selected", "version": "1"}, "servers": [{"url": "https://h.test"}], "components": {"schemas": schemas},
        "paths": {f"/{number}": {"get": {"operationId": name, **({} if name == "issues/list" else {"tags": [name.split("/")[0]]}), "responses": {"200": {"description": "", "content": {"application/json": {"schema": {
            "$ref": R + kind}}}}}}} for number, (name, kind) in enumerate([("issues/get", "Issue"), ("issues/list", "Issue"), ("repos/get", "Repository")])}}))
    code = tools.succeed([tools.command, "generate", "python", path, "--only", "issues/*"])
    for name, is_there in (("def issues_get", True), ("def issues_list", True), ("repos", False), ("class Issue(", True), ("class IssueInside(", True),
                           ("Repository", False)):
        require((name in code) is is_there, f"--only 'issues/*': {name} is {'missing' if is_there else 'there'}:\n{code}")
    for words, wanted in ((["--tag", "issues"], {"issues_get"}), (["--tag", "issues", "--tag", "repos"], {"issues_get", "repos_get"}),
                          (["--tag", "repos", "--only", "issues/l*"], {"issues_list", "repos_get"})):
        code = tools.succeed([tools.command, "generate", "python", path, *words])
        require(set(re.findall(r"def (\w+)\(\s*self,", code)) == wanted, f"{words}: {code}")
    ran = tools.run([tools.command, "generate", "python", path, "--tag", "pulls"])
    require(ran.returncode == 2 and "--tag pulls" in ran.stderr, f"a tag that no operation has: {ran}")
    ran = tools.run([tools.command, "generate", "python", path, "--only", "pulls/*"])
    require(ran.returncode == 2 and "pulls/*" in ran.stderr, f"a pattern that matches nothing: {ran}")
    swagger(tools)
    return "two of three operations by a pattern, with their types alone; inline types and tags of Swagger 2.0"


def swagger(tools: Tools) -> None:
    """Inline schemas of Swagger 2.0 have types, and its operations have tags."""
    path = tools.work / "swagger.json"
    path.write_text(json.dumps({
        "swagger": "2.0", "info": {"title": "swagger", "version": "1"}, "host": "h.test", "definitions": {"Zone": {"type": "object", "properties": {"name": S}}},
        "paths": {"/zones": {
            "get": {"operationId": "listZones", "tags": ["zones"], "responses": {
                "200": {"description": "", "schema": {"type": "array", "items": {"$ref": "#/definitions/Zone"}}},
                "404": {"description": "", "schema": {"type": "object", "properties": {"why": S}}}}},
            "post": {"operationId": "createZone", "responses": {"201": {"description": ""}}, "parameters": [
                {"name": "zone", "in": "body", "schema": {"type": "object", "properties": {"kind": S}}}]}}}}))
    code = tools.succeed([tools.command, "generate", "swift", path])
    for expected in ("-> Endpoint<[Zone]>", "public var why: String?", "public struct CreateZoneBody", "public var kind: String?"):
        require(expected in code, f"Swagger 2.0: {expected} is missing:\n{code}")
    code = tools.succeed([tools.command, "generate", "python", path, "--tag", "zones"])
    require(set(re.findall(r"def (\w+)\(\s*self,", code)) == {"list_zones"}, f"Swagger 2.0, --tag: {code}")


def every(tools: Tools) -> str:
    return many(tools, 100_000)


def many(tools: Tools, count: int) -> str:
    """Schemas of this number and of a tenth of it: the time is proportional."""
    few, all_of_them = generated(tools, count // 10), generated(tools, count)
    require(all_of_them < few * 25 + 2, f"{count} schemas take {all_of_them:.1f} s, and {count // 10} take {few:.1f} s")
    return f"{count} schemas in {all_of_them:.1f} s, a tenth of them in {few:.1f} s"


def compile_all(tools: Tools, path: Path) -> None:
    header, module, source = tools.work / "contrary.h", tools.work / "contrary_api.py", tools.work / "Contrary.swift"
    tools.generate("c", path, header, "--name", "contrary")
    tools.generate("python", path, module, "--name", "contrary")
    tools.generate("swift", path, source, "--name", "contrary")
    empty = tools.work / "empty.c"
    empty.write_text("int main(void)\n{\n    return 0;\n}\n")
    tools.succeed(tools.c("-Wconversion", "-include", header, "-fsyntax-only", empty))
    tools.succeed(tools.cxx("-Wconversion", "-include", header, "/dev/null"))
    classes = tools.work / "contrary_classes.py"
    tools.generate("python", path, classes, "--name", "contrary", "--dataclasses")
    tools.succeed(tools.mypy(module, classes))
    tools.succeed([sys.executable, "-W", "error", "-c", READ_ALL])
    tools.succeed(tools.swiftc("-typecheck", source))


def generated(tools: Tools, count: int) -> float:
    schemas = {f"Type{number}": {"type": "object", "properties": {"id": {"type": "integer"}, "kind": {"enum": ["a", f"b{number}"]},
                                                                  "next": {"$ref": f"{R}Type{(number * 7 + 1) % count}"}}} for number in range(count)}
    path = tools.work / "many.json"
    path.write_text(json.dumps({"openapi": "3.1.0", "info": {"title": "many", "version": "1"}, "servers": [{"url": "https://h.test"}],
                                "components": {"schemas": schemas}, "paths": {"/p": {"get": {"operationId": "p", "responses": {"200": {
                                    "description": "", "content": {"application/json": {"schema": {"$ref": R + "Type0"}}}}}}}}}))
    slowest = 0.0
    for language in ("c", "python", "swift"):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        tools.generate(language, path, tools.work / "many.out", "--name", "many")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        slowest = max(slowest, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return slowest
