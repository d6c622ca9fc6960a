"""Descriptions whose names and strings try to become code: the code that is generated from them compiles, and contains none of it."""

from __future__ import annotations

import io
import json
import keyword
import random
import re
import sys
import tokenize
from pathlib import Path
from typing import Any, Dict, List

from harness import ROOT, Tools, fail, require

#: No generated identifier has five capitals in a row: a match outside of literals and comments has escaped from them.
MARK = "PWNED"
NASTY = [
    f"*/ int {MARK}; /*", f"// {MARK}\\", f'"; int {MARK}; char x[] = "', f"\\\"; int {MARK};//", f'"""\n{MARK} = 1\n"""',
    f"'''\n{MARK}\n'''", f"\"\"\"+{MARK}+\"\"\"", f"\\({MARK})", f"\n{MARK}\n", f"\r{MARK}\r", f"\u2028{MARK}\u2029", f"??/\n{MARK}",
    f"??/\" {MARK}", f"*??/\n/ int {MARK};", "trailing\\", "\\", "\\\\", '"', "'", '"""', "'''", "`", "#define x", f"\n#define {MARK} 1\n",
    f"%:define {MARK}", f"<% {MARK} %>", f"_Pragma(\"{MARK}\")", f"__attribute__(({MARK}))", f"/* {MARK}", f"*/{MARK}/*", f"{{{MARK}}}",
    "${x}", "%s%n", "\t", " ", "  ", "-", "--", "...", "!", "é", "e\u0301", "日本語", "😃", "\u202eevil\u2066", "\ufeff", "\x7f", "\x85",
    "a b", "a-b", "a_b", "aB", "A_B", "a.b", "A b", "ab", "AB", "Ab", "a  b", "a__b", "_a_b", "__ab__", "__init__", "__private",
    "1", "1a", "007", "9" * 60, "x" * 300, "x" * 299 + "y", "nil", "null", "NULL", "None", "True", "self", "Self", "Type", "mro",
    "list", "dict", "str", "int", "print", "open", "close", "router", "place", "typed", "api", "id", "ids", "body", "at", "out",
    "error", "status", "client", "buffer", "capacity", "length", "input", "bytes", "arguments", "result", "value", "count",
    "items", "keys", "is", "maybe", "data", "set", "root", "operation", "shape", "request", "take", "url", "use", "open_file",
    "names", "main", "printf", "errno", "stdin", "stdout", "assert", "EOF", "INT_MAX", "bool", "true", "false", "offsetof",
    "unix", "linux", "major", "minor", "st_mtime", "sa_handler", "s6_addr", "isnan", "I", "complex", "noreturn", "_Bool", "min",
    "routable", "routable_str", "Routable", "Any", "Dict", "List", "Optional", "Literal", "TypedDict", "NewType", "Call", "Api",
    "Place", "present", "annotations", "Codable", "String", "Int", "Never", "Error", "Result", "Sendable", "init", "deinit",
    "description", "hashValue", "encode", "CodingKeys", "default", "hash", "_DOCUMENT", "DOCUMENT", "object", "property", "type",
]
C_WORDS = (
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t class compl concept const consteval "
    "constexpr constinit const_cast continue co_await co_return co_yield decltype default delete do double dynamic_cast else "
    "enum explicit export extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq "
    "nullptr operator or or_eq private protected public register reinterpret_cast requires restrict return short signed sizeof "
    "static static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename typeof "
    "union unsigned using virtual void volatile wchar_t while xor xor_eq").split()
SWIFT_WORDS = (
    "actor any as associatedtype async await borrowing break case catch class consuming continue convenience default defer deinit "
    "didSet do dynamic each else enum extension fallthrough false fileprivate final for func get guard if import in indirect infix "
    "init inout internal is isolated lazy let macro mutating nil none nonisolated nonmutating open operator optional override "
    "package postfix precedencegroup prefix private protocol Protocol public repeat required rethrows return self Self sending "
    "set some static struct subscript super switch throw throws true try Type typealias unowned var weak where while willSet"
).split()
WORDS = sorted({*C_WORDS, *SWIFT_WORDS, *keyword.kwlist, *keyword.softkwlist})
CHUNK = 48
ROUNDS = 2
#: Number of type-checked Swift files: each takes seconds.
SWIFT_FILES = 2


def type_of(names: List[str], chance: random.Random) -> Dict[str, Any]:
    """An object with members of these names."""
    kinds: List[Dict[str, Any]] = [
        {"type": "string"}, {"type": "integer"}, {"type": ["number", "null"]}, {"type": "boolean"}, {},
        {"type": "string", "enum": chance.sample(NASTY, 5)}, {"type": "array", "items": {"type": "string"}},
        {"type": "object", "properties": {name: {"type": "string"} for name in chance.sample(NASTY, 3)}},
        {"type": "object", "additionalProperties": {"type": "integer"}}, {"$ref": "#/types/x~1y"}]
    return {
        "type": "object", "description": chance.choice(NASTY), "required": [each for each in names if chance.random() < 0.4],
        "properties": {each: {**chance.choice(kinds), "description": chance.choice(NASTY)} if chance.random() < 0.8
                       else chance.choice(kinds) for each in names}}


def allowed(name: str) -> bool:
    """Whether a resource or an operation of a route document may have this name."""
    return name.strip() != "" and "." not in name and not re.search("[\x00-\x1f\x7f]", name)


def route_document(chance: random.Random, names: List[str]) -> Dict[str, Any]:
    good = [name for name in names if allowed(name)]
    plain = [name for name in good if re.fullmatch(r"[\w-]+", name)] or ["id"]
    tokens = [name for name in names if re.fullmatch(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+", name)]
    verbs = ["list", "read", "create", "update", "patch", "delete"]
    types = {name: type_of(chance.sample(names, min(len(names), 12)), chance) for name in names if name}
    types["x/y"] = {"type": "object", "properties": {"again": {"$ref": "#/types/x~1y"}, "~": {"type": "integer"}}}
    references = [{"$ref": f"#/types/{name.replace('~', '~0').replace('/', '~1')}"} for name in types if "%" not in name]

    def parameters(pool: List[str]) -> Dict[str, Any]:
        some = chance.sample(pool, min(len(pool), 6))
        return {name: {"type": chance.choice(["string", "integer", "number", "boolean"]), "description": chance.choice(NASTY),
                       "required": chance.random() < 0.3} for name in some}

    extra = [name for name in good if name not in verbs]
    return {
        "routable": 1, "name": chance.choice(names), "description": chance.choice(NASTY), "base": "https://h.test",
        "x-note": chance.choice(NASTY), "types": types,
        "resources": {name: {
            "path": f"r{number}", "id": {"name": chance.choice(plain), "type": chance.choice(["string", "integer"])},
            "description": chance.choice(NASTY), "can": verbs, "has": chance.sample(good, 3), "type": chance.choice(list(types)),
            "member": {each: {"post": f"m{order}/{{p{order}}}", "body": chance.choice(references)}
                       for order, each in enumerate(chance.sample(extra, 3))},
        } for number, name in enumerate(good)},
        "operations": {name: {
            chance.choice(["get", "post", "put"]): f"/o{number}/{{a}}/{{b}}", "query": parameters(names),
            "header": parameters(tokens), "description": chance.choice(NASTY), "results": {"200": chance.choice(references)},
        } for number, name in enumerate(good)},
    }


def openapi_document(chance: random.Random, names: List[str]) -> Dict[str, Any]:
    schemas = {name: json.loads(json.dumps(type_of(chance.sample(names, min(8, len(names))), chance)).replace("#/types/", "#/components/schemas/"))
               for name in names}
    schemas["x/y"] = {"type": "object", "properties": {"again": {"$ref": "#/components/schemas/x~1y"}}}
    return {
        "openapi": "3.1.0", "info": {"title": chance.choice(names), "version": "1", "description": chance.choice(NASTY)},
        "servers": [{"url": "https://h.test"}], "components": {"schemas": schemas},
        "paths": {f"/p{number}/{{id}}": {"put": {
            "operationId": name, "summary": chance.choice(NASTY), "parameters": [
                {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}},
                *({"name": each, "in": "query", "description": chance.choice(NASTY), "schema": {"type": "array", "items": {
                    "type": "string"}}} for each in chance.sample(names, 3))],
            "requestBody": {"content": {"application/json": {"schema": {"type": "object", "properties": {
                each: {"type": "string"} for each in chance.sample(names, 3)}}}}},
            "responses": {"200": {"description": "", "content": {"application/json": {"schema": {"type": "array", "items": {
                "type": "object", "properties": {each: {"type": "integer"} for each in chance.sample(names, 3)}}}}}}},
        }} for number, name in enumerate(names)},
    }


def hostile(tools: Tools) -> str:
    """All names in each language, then random combinations of them."""
    chance = random.Random(20261121)
    documents = []
    everything = [*dict.fromkeys([*NASTY, *WORDS])]
    chance.shuffle(everything)
    chunks = [everything[start::len(everything) // CHUNK] for start in range(len(everything) // CHUNK)]
    chunks += [[*dict.fromkeys("".join(chance.sample(NASTY, chance.randint(1, 3))) for _ in range(CHUNK))] for _ in range(ROUNDS)]
    for names in chunks:
        for kind in (route_document, openapi_document):
            path = tools.work / f"document{len(documents)}.json"
            path.write_text(json.dumps(kind(chance, names)))
            documents.append(path)
    modules: List[Path] = []
    swift: List[Path] = []
    for number, path in enumerate(documents):
        header, module = tools.work / f"h{number}.h", tools.work / f"m{number}.py"
        tools.generate("c", path, header)
        tools.generate("python", path, module)
        user = tools.work / f"u{number}.c"
        user.write_text(
            "#include <curl/curl.h>\n#include <math.h>\n#include <complex.h>\n#include <sys/stat.h>\n#include <sys/sysmacros.h>\n"
            f"#include <signal.h>\n#include <netinet/in.h>\n#include <netdb.h>\n#include <assert.h>\n#include \"{header.name}\"\n"
            "int main(void) { return 0; }\n")
        tools.succeed(tools.c("-D_GNU_SOURCE", "-fsyntax-only", user))
        tools.succeed(tools.cxx("-include", header, "/dev/null"))
        c_is_clean(header.read_text(), path)
        python_is_clean(module.read_text(), path)
        modules.append(module)
        loads(tools, module)
        classes = tools.work / f"d{number}.py"
        tools.generate("python", path, classes, "--dataclasses")
        python_is_clean(classes.read_text(), path)
        modules.append(classes)
        loads(tools, classes)
    for number, path in enumerate(documents):
        if number % 2 == 0:  # route documents
            file = tools.work / f"s{number}.swift"
            tools.generate("swift", path, file)
            swift_is_clean(file.read_text(), path)
            swift.append(file)
    for file in swift[:SWIFT_FILES]:
        tools.succeed(tools.swiftc("-typecheck", file))
    tools.succeed(tools.mypy(*modules))
    return f"{len(documents)} documents with {len(NASTY) + len(WORDS)} names: compiled in C and C++, imported, clean in mypy, {SWIFT_FILES} of them type-checked in Swift"


def loads(tools: Tools, module: Path) -> None:
    program = ("import sys, typing; sys.path.insert(0, '.'); import {0} as m\n"
               "for each in list(vars(m).values()):\n"
               "    if isinstance(each, type) and issubclass(each, dict): typing.get_type_hints(each)\n"
               "    if '_d' in '_{0}' and isinstance(each, type) and issubclass(each, m.DataRecord):\n"
               "        import dataclasses; dataclasses.fields(each); each.from_json.__doc__\n")
    tools.succeed([sys.executable, "-W", "error", "-c", program.format(module.stem)])


def c_is_clean(text: str, document: Path) -> None:
    """Removes comments and literals as a compiler reads them, trigraphs included; the rest does not contain the mark."""
    require("??" not in text, f"{document}: a trigraph in C")
    require(all(" " <= each <= "~" or each == "\n" or ord(each) > 0xA0 for each in text), f"{document}: a control byte in C")
    left = re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"', "", text, flags=re.DOTALL)
    if re.search(rf"\b{MARK}\b", left) or '"' in left or "\\" in left:
        fail(f"{document}: got out in C: {left[max(0, left.find(MARK) - 200):][:400]}")


def swift_is_clean(text: str, document: Path) -> None:
    require(all(" " <= each <= "~" or each == "\n" or ord(each) > 0xA0 for each in text), f"{document}: a control byte in Swift")
    left = re.sub(r'^ *//.*$', "", text, flags=re.MULTILINE)
    left = re.sub(r'"""\n.*?"""|"(?:\\.|[^"\\\n])*"', "", left, flags=re.DOTALL)
    if re.search(rf"\b{MARK}\b", left) or '"' in left:
        fail(f"{document}: got out in Swift: {left[max(0, left.find(MARK) - 200):][:400]}")


def python_is_clean(text: str, document: Path) -> None:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in (tokenize.STRING, tokenize.COMMENT) and re.search(rf"\b{MARK}\b", token.string):
            fail(f"{document}: got out in Python: {token.line}")
