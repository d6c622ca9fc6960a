"""Round trips: values of `routable values` through generated code, read and written again, are equal."""

from __future__ import annotations

import importlib.util
import inspect
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List, Tuple

from harness import Tools, fail, require
from measure import documents
from real import THREE, some

COUNT = 1000
HERE = Path(__file__).resolve().parent
TEXTS = ["a", "3f2504e0-4f89-41d3-9a0c-0305e82c3301", "1", "2026-11-23T12:00:00Z", "2026-11-23", "AC" + "0" * 32]


def trips(tools: Tools) -> str:
    return through(tools, [HERE / "shop.json", HERE / "pets.json", *some(tools.data)], 200, swift=False)


def every(tools: Tools) -> str:
    return through(tools, [HERE / "shop.json", HERE / "pets.json", *documents(tools.data)], COUNT, swift=True)


def valgrind(tools: Tools) -> str:
    """Some documents again, without the sanitizers: valgrind also checks the library."""
    found = [HERE / "shop.json", HERE / "pets.json", *(path for path in documents(tools.data) if path.name in [*THREE, "github-api.json"])]
    done = 0
    for number, document in enumerate(found):
        text = tools.succeed([tools.command, "values", document, "--count", "200"])
        done += in_c(tools, document, [json.loads(line) for line in text.splitlines()], f"trip{number}", valgrind=True)
    return f"{len(found)} documents, {done} trips through C without an error or a leak"


def through(tools: Tools, found: List[Path], count: int, swift: bool) -> str:
    total: Dict[str, int] = {}
    raw = empty = 0
    for number, document in enumerate(found):
        text = tools.succeed([tools.command, "values", document, "--count", str(count)])
        values = [json.loads(line) for line in text.splitlines()]
        if not values:  # the document has no bodies and no results
            empty += 1
            continue
        require(len(values) == count, f"{document.name}: {len(values)} values, and {count} were asked for")
        require(text == tools.succeed([tools.command, "values", document, "--count", str(count)]), f"{document.name}: the same seed, other values")
        done = in_c(tools, document, values, f"trip{number}")
        total["C"] = total.get("C", 0) + done
        done = in_python(tools, document, values, f"trip{number}")
        total["Python"] = total.get("Python", 0) + done
        done = in_python(tools, document, values, f"trip{number}_classes", dataclasses=True)
        total["Python with dataclasses"] = total.get("Python with dataclasses", 0) + done
        if swift:
            total["Swift"] = total.get("Swift", 0) + in_swift(tools, document, values, f"trip{number}")
        raw += len(values)
    return f"{len(found) - empty} documents with bodies or results, {raw} values: equal after " + ", ".join(f"{done} trips through {name}" for name, done in total.items())


def same(one: Any, other: Any) -> bool:
    """Equality of JSON values: 1 and 1.0 are one number, true is not a number; a double has 53 bits."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return one == other or float(one) == float(other)
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def compare(document: Path, language: str, value: Dict[str, Any], got: Any) -> None:
    if not same(value["value"], got):
        fail(f"{document.name}: {language}: {value['operation']} {value.get('status', 'body')}:\ninput    {json.dumps(value['value'])[:3000]}\n"
             f"got      {json.dumps(got)[:3000]}")


# --- C ---


SANITIZED = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
VALGRIND = ["valgrind", "--quiet", "--error-exitcode=99", "--leak-check=full", "--show-leak-kinds=all", "--errors-for-leak-kinds=definite,indirect,possible"]


def in_c(tools: Tools, document: Path, values: List[Dict[str, Any]], name: str, valgrind: bool = False) -> int:
    """Compiled with the sanitizers, or run by valgrind."""
    header = tools.work / f"{name}.h"
    tools.generate("c", document, header, "--name", name)
    code = header.read_text()
    # The function and the name of each operation; operations of resources may have the names of others.
    found = re.findall(r"static inline const routable_typed_operation \*(\w+)_operation\(void\)\n\{(.*?)\n\}\n", code, re.DOTALL)
    functions: Dict[str, List[int]] = {}
    typed: List[Tuple[bool, bool]] = []
    for index, (function, body) in enumerate(found):
        row = re.search(r'operation = \{\n\s*"((?:[^"\\]|\\.)*)",.* (\d+), (ROUTABLE_\w+(?: \| ROUTABLE_\w+)*), (ROUTABLE_\w+(?: \| ROUTABLE_\w+)*)\n', body)
        if row is None:
            fail(f"{header}: {function} has no table")
        functions.setdefault(row[1], []).append(index)
        typed.append((row[3] not in ("ROUTABLE_TYPED_NONE", "ROUTABLE_TYPED_OPEN", "ROUTABLE_TYPED_BYTES"), row[4] != "ROUTABLE_TYPED_NONE"))
    program = tools.work / name
    source = HERE / "trips.c"
    table = tools.work / f"{name}_table.h"
    table.write_text("#define OPERATIONS " + ", ".join(f"{function}_operation" for function, _ in found) + "\n")
    tools.succeed(tools.linked(
        "-g", *([] if valgrind else SANITIZED), f'-DHEADER="{header}"', "-include", table, source, "-o", program))
    lines, sent = [], []
    for value in values:
        indexes = functions.get(json.dumps(value["operation"])[1:-1], [])
        # A null document is a NULL pointer.
        if len(indexes) != 1 or value.get("status", 200) >= 300 or value["value"] is None:
            continue
        if not typed[indexes[0]][1 if "status" in value else 0]:
            continue
        lines.append(f"{indexes[0]}\t{value.get('status', 0)}\t{value.get('route', '')}\t{json.dumps(value['value'])}\n")
        sent.append(value)
    ran = subprocess.run([*(VALGRIND if valgrind else []), program, document], input="".join(lines), env=tools.environment, text=True, capture_output=True, timeout=300)
    require(ran.returncode == 0, f"{document.name}: {ran.stderr[-3000:]}")
    printed = ran.stdout.splitlines()
    require(len(printed) == len(sent), f"{document.name}: {len(printed)} lines of {len(sent)}")
    for value, line in zip(sent, printed):
        if line == "-":
            fail(f"{document.name}: C does not read {value['operation']} {value.get('status', 'body')}: {json.dumps(value['value'])[:3000]}")
        compare(document, "C", value, json.loads(line))
    return len(sent)


# --- Python ---


def in_python(tools: Tools, document: Path, values: List[Dict[str, Any]], name: str, dataclasses: bool = False) -> int:
    from routable import errors
    from routable._json import dumps
    from routable._shapes import shape_of

    module = tools.work / f"{name}.py"
    tools.generate("python", document, module, "--name", f"{name} api", *(["--dataclasses"] if dataclasses else []))
    spec = importlib.util.spec_from_file_location(name, module)
    if spec is None or spec.loader is None:
        fail(f"{module} is no module")
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[name] = loaded
    spec.loader.exec_module(loaded)
    kind = getattr(loaded, re.findall(r"^class (\w+)\(Api\):", module.read_text(), re.MULTILINE)[0])
    api = kind.open_file(document, base="https://h.test")
    methods = {}
    for each in dir(kind):
        function = inspect.getattr_static(kind, each)
        if inspect.isfunction(function) and (called := [text for text in function.__code__.co_consts if isinstance(text, str)]):
            for text in called[:3]:
                methods.setdefault(text, function)
    done = 0
    for value in values:
        function = methods.get(value["operation"])
        if function is None or (function.__doc__ or "").startswith("HEAD ") or "route" in value or value.get("status", 200) >= (1000 if dataclasses else 300):
            continue
        signature = inspect.signature(function)
        takes = "body" in signature.parameters
        if "status" not in value and (not takes or value["value"] is None):  # None means no body
            continue
        if "status" not in value and "bytes" in str(signature.parameters["body"].annotation):  # the document has no shape for bodies of bytes
            continue
        if "status" in value and takes and signature.parameters["body"].default is inspect.Parameter.empty:
            continue
        call = None
        for text in TEXTS:  # a pattern may refuse some of these strings
            body = value["value"]
            if dataclasses and takes and "status" not in value:  # converted to an object of its class
                body = shape_of(str(signature.parameters["body"].annotation), name).checked(body)
            needed = [each for each in list(signature.parameters.values())[1:]
                      if each.default is each.empty or each.name == "body" and "status" not in value]
            given = {each: body if each.name == "body" and each.kind is each.POSITIONAL_ONLY else argument(str(each.annotation), text)
                     for each in needed}
            try:
                call = function(api, *(given[each] for each in needed if each.kind is each.POSITIONAL_ONLY),
                                **{each.name: given[each] for each in needed if each.kind is each.KEYWORD_ONLY})
                break
            except errors.ValueRefusedError:
                continue
        if call is None:
            continue
        if "status" not in value:
            compare(document, "Python", value, json.loads(call.request.body))
            done += 1
            continue
        if value.get("status", 200) >= 300:
            if call._reader is not None and call._reader.errors:
                compare(document, "Python", value, json.loads(dumps("error", call._reader.error(value["status"], value["value"]))))
                done += 1
            continue
        response = api.router.map_response(None, value["operation"], value["status"], body=json.dumps(value["value"]).encode())
        try:
            got = call.read(response)
        except errors.ResponseError as error:
            fail(f"{document.name}: Python does not read {value['operation']} {value['status']}: {error}\n{json.dumps(value['value'])[:3000]}")
        if got is not response and not isinstance(got, (str, bytes)) or isinstance(value["value"], str):
            if dataclasses:
                wanted = getattr(loaded, call._reader.returns, None) if call._reader else None
                require(not isinstance(wanted, type) or isinstance(got, wanted), f"{document.name}: {value['operation']} returns {got!r:.300}")
                got = json.loads(dumps("result", got))
            compare(document, "Python", value, got)
            done += 1
    return done


def argument(hint: str, text: str) -> Any:
    """A value for a required argument with a type hint."""
    chosen = re.match(r"Literal\[(\"(?:[^\"\\]|\\.)*\"|-?\d+)", hint)
    if chosen:
        return json.loads(chosen[1])
    for word, value in (("FileLike", b"content"), ("List[FileLike]", [b"content"]), ("int", 1), ("float", 1.5), ("bool", True), ("List[int]", [1]), ("List", [text]), ("str", text)):
        if hint.startswith(word):
            return value
    return {}


# --- Swift ---


def in_swift(tools: Tools, document: Path, values: List[Dict[str, Any]], name: str) -> int:
    source = tools.work / f"{name}Api.swift"
    api = f"{name.capitalize()}Api"
    tools.generate("swift", document, source, "--name", api)
    code = source.read_text()
    outputs = dict(re.findall(r'endpoint\("((?:[^"\\]|\\.)*)".*returning: (.*)\.self\)', code))
    inputs: Dict[str, str] = {}
    for function in code.split("    public static func ")[1:]:
        body, operation = re.match(r"\S+\(\s*_ body: (.+?)(?: = nil)?(?:,|\)? throws|\)? ->|\n)", function), re.search(r'endpoint\("((?:[^"\\]|\\.)*)"', function)
        if body and operation and body[1].rstrip("?") not in ("Body", "Data"):
            inputs[operation[1]] = body[1].rstrip("?)")
    types = sorted({kind for kind in [*outputs.values(), *inputs.values()] if kind not in ("Untyped", "NoBody")})
    lines, sent = [], []
    for value in values:
        output = (outputs if "status" in value else inputs).get(json.dumps(value["operation"])[1:-1])
        if output in types and 200 <= value.get("status", 200) < 300 and value["value"] is not None:
            lines.append(f"{types.index(output)} {json.dumps(value['value'])}\n")
            sent.append(value)
    cases = "\n".join(f"        case {index}: return try trip({api}.{kind}.self, data)" if re.match(r"\w+\??$", kind) and f" {kind.rstrip('?')}:" in code
                      else f"        case {index}: return try trip(({qualified(kind, api, code)}).self, data)" for index, kind in enumerate(types))
    program = tools.work / f"{name}.swift"
    program.write_text(f"""import Foundation
import Routable

@main struct Trips {{
    static func trip<Model: Codable>(_ type: Model.Type, _ data: Data) throws -> Data {{
        try JSONEncoder().encode(try JSONDecoder().decode(type, from: data))
    }}

    static func line(_ number: Int, _ data: Data) throws -> Data {{
        switch number {{
{cases}
        default: return data
        }}
    }}

    static func main() {{
        while let text = readLine() {{
            let words = text.split(separator: " ", maxSplits: 1)
            do {{ print(String(decoding: try line(Int(words[0]) ?? -1, Data(words[1].utf8)), as: UTF8.self)) }} catch {{ print("- \\(error)") }}
        }}
    }}
}}
""")
    tools.succeed(tools.swiftc(source, program, *tools.swift_objects(), "-o", tools.work / f"{name}-swift"))
    ran = subprocess.run([tools.work / f"{name}-swift"], input="".join(lines), env=tools.environment, text=True, capture_output=True, timeout=300)
    printed = ran.stdout.splitlines()
    require(ran.returncode == 0 and len(printed) == len(sent), f"{document.name}: Swift: {len(printed)} lines of {len(sent)}: {ran.stderr[-2000:]}")
    for value, line in zip(sent, printed):
        require(not line.startswith("- "), f"{document.name}: Swift does not read {value['operation']}: {line}\n{json.dumps(value['value'])[:3000]}")
        # nil is both null and absent, if the member may be either.
        compare(document, "Swift", {**value, "value": present(value["value"])}, present(json.loads(line)))
    return len(sent)


def present(value: Any) -> Any:
    """The value without members that are null."""
    if isinstance(value, dict):
        return {name: present(member) for name, member in value.items() if member is not None}
    return [present(each) for each in value] if isinstance(value, list) else value


def qualified(kind: str, api: str, code: str) -> str:
    """The same type as code outside of the API names it."""
    return re.sub(r"\b(?!String\b|Int64\b|Double\b|Bool\b)([A-Z]\w*)", rf"{api}.\1", kind)
