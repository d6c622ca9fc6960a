"""Every name of Tests/golden/names.json as an operation, an id, a query parameter, a header, a cookie and a member of the body at
the same time, through generated code (docs/calls.md)."""

from __future__ import annotations

import inspect
import json
import re
import sys
from typing import Any, List, Tuple

from harness import ROOT, Tools, fail, require

sys.path.insert(0, str(ROOT / "bindings/python/tests"))

#: The values by position: the id, then the query parameter, the header, the cookie, and the member of the body.
VALUES = "iqhcb"


def expected(names: List[str]) -> List[str]:
    """A line for each name: method, URL, headers and body."""
    lines = []
    for index, name in enumerate(names):
        headers = f"{name}: h; Cookie: {name}=c;" if name.lower() != "cookie" else f"{name}: h; {name}=c;"
        lines.append(f"POST https://h.test/n{index}/i?{name}=q {headers} Content-Type: application/json; {json.dumps({name: 'b'}, separators=(',', ':'))}")
    return lines


def compare(language: str, names: List[str], got: List[str]) -> None:
    require(len(got) == len(names), f"{language}: {len(got)} requests for {len(names)} names")
    for name, line, wanted in zip(names, got, expected(names)):
        require(line.lower() == wanted.lower(), f"{language}: {name} is sent as\n{line}\nand not as\n{wanted}")


def named(tools: Tools) -> str:
    """All names in generated Python and C; the reserved words of Swift, and the options of calls, in generated Swift."""
    import names as table

    every = table.every()
    some = sorted({*table.recorded()["swift"], *table.recorded()["options"]} - {"_"})
    for part, title in ((every, "words"), (some, "some")):
        (tools.work / f"{title}.json").write_text(json.dumps(table.document(part)))
    in_python(tools, every)
    in_c(tools, every)
    in_swift(tools, some)
    return f"{len(every)} names in Python and C, {len(some)} in Swift: as ids, parameters, headers, cookies and members of bodies"


def in_python(tools: Tools, names: List[str]) -> None:
    for words in ([], ["--dataclasses"]):
        module = tools.work / f"words{len(words)}.py"
        tools.generate("python", tools.work / "words.json", module, "--name", "words", *words)
        if not words:
            tools.succeed(tools.mypy(module))
        lines = tools.succeed([sys.executable, __file__, module, tools.work / "words.json"]).splitlines()
        compare("Python", names, lines)


def show_python(path: str, document: str) -> None:
    """Runs in a separate process, and prints the request of each operation of a generated module."""
    import importlib.util

    spec = importlib.util.spec_from_file_location("words", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["words"] = module
    spec.loader.exec_module(module)
    api = module.Words.open_file(document)
    for name, function in vars(module.Words).items():
        if not inspect.isfunction(function):
            continue
        parameters = list(inspect.signature(function).parameters.values())
        positional = [each for each in parameters if each.kind is each.POSITIONAL_ONLY]
        keywords = [each for each in parameters if each.kind is each.KEYWORD_ONLY]
        assert (len(positional), len(keywords)) == (4, 3), f"{name}: {parameters}"
        member = re.search(r"\{(\w+)\}", function.__doc__ or "")
        assert member is not None, function.__doc__
        given: Any = {member[1]: "b"}
        shape = positional[2].annotation
        if hasattr(getattr(module, str(shape), None), "from_json"):
            given = getattr(module, str(shape)).from_json(given)
        request = function(api, "i", given, **{each.name: value for each, value in zip(keywords, VALUES[1:])}).request
        headers = " ".join(f"{key}: {value};" for key, value in request.headers.items())
        print(f"{request.method} {request.url} {headers} {request.body.decode()}")


C_PROGRAM = """#include "words.h"
#include <stdio.h>

static void show(routable_status status, routable_request *request, routable_error *error)
{
    if (status != ROUTABLE_OK) {
        printf("%s\\n", routable_error_message(error).ptr);
    } else {
        printf("%s %s", routable_request_method(request).ptr, routable_request_url(request).ptr);
        for (size_t index = 0; index < routable_request_header_count(request); index++) {
            routable_header header = routable_request_header_at(request, index);
            printf(" %.*s: %.*s;", (int)header.name.len, header.name.ptr, (int)header.value.len, header.value.ptr);
        }
        printf(" %s\\n", routable_request_body(request).ptr);
    }
    routable_request_free(request);
    routable_error_free(error);
}

int main(void)
{
    words api = WORDS_INIT;
    routable_error *error = NULL;
    if (words_open_file(&api, "words.json", NULL, &error) != ROUTABLE_OK)
        return 1;
CALLS    words_close(&api);
    return 0;
}
"""
C_CALL = """    {
        NAME_arguments arguments = { routable_str_from("i"), routable_some_string("q"), routable_some_string("h"), routable_some_string("c") };
        BODY body = { routable_str_from("b") };
        routable_request *request = NULL;
        routable_status status = NAME_request(&api, &arguments, &body, &request, &error);
        show(status, request, error);
    }
"""


def in_c(tools: Tools, names: List[str]) -> None:
    header = tools.work / "words.h"
    tools.generate("c", tools.work / "words.json", header, "--name", "words")
    found: List[Tuple[str, str]] = re.findall(
        r"static inline routable_status (\w+)_request\(\s+words \*api, const \w+ \*arguments,\s+const (\w+) \*body,\s+routable_request \*\*out",
        header.read_text().split("/* --- Operations by their resources")[0])
    calls = "".join(C_CALL.replace("NAME", name).replace("BODY", body) for name, body in found)
    (tools.work / "words.c").write_text(C_PROGRAM.replace("CALLS", calls))
    program = tools.work / "words"
    tools.succeed(tools.linked(f"-I{tools.work}", tools.work / "words.c", "-o", program))
    tools.succeed(tools.cxx(f"-I{tools.work}", "-include", "words.h", "/dev/null"))
    compare("C", names, tools.succeed([program]).splitlines())


SWIFT_PROGRAM = """import Foundation
import Routable

@main
struct Program {
    static func main() throws {
CALLS    }

    static func body<Model: Decodable>(_ name: String, _ type: Model.Type) throws -> Model {
        try JSONDecoder().decode(type, from: JSONEncoder().encode([name: "b"]))
    }

    static func show<Output>(_ endpoint: Endpoint<Output>) throws {
        let request = try endpoint.makeRequest()
        let headers = request.headerFields.map { " \\($0.name): \\($0.value);" }.joined()
        print("\\(request.method.bytes) \\(request.url.bytes)\\(headers) \\(request.body?.bytes.string ?? "")")
    }
}
"""


def in_swift(tools: Tools, names: List[str]) -> None:
    source = tools.work / "Words.swift"
    tools.generate("swift", tools.work / "some.json", source, "--name", "words")
    functions = re.findall(r"public static func (\w+)\(\s*(_ \w+: \w+[^)]*?)\) throws", source.read_text())
    require(len(functions) == len(names), f"Swift: {len(functions)} functions for {len(names)} names")
    calls = ""
    for name, (function, text) in zip(names, functions):
        parameters = [each.strip() for each in text.split(",")]
        kind = parameters[0].split(": ")[1]
        labels = [each.split(":")[0].split()[0] for each in parameters[1:]]
        if len(labels) != 4:
            fail(f"Swift: {function} has the labels {labels}")
        given = ", ".join(f'{label}: "{value}"' for label, value in zip(labels, VALUES))
        calls += f'        try show(Words.{function}(try body("{name}", Words.{kind}.self), {given}))\n'
    program = tools.work / "Program.swift"
    program.write_text(SWIFT_PROGRAM.replace("CALLS", calls))
    tools.succeed(tools.swiftc(source, program, *tools.swift_objects(), "-o", tools.work / "swift-words"), seconds=600)
    compare("Swift", names, tools.succeed([tools.work / "swift-words"]).splitlines())


if __name__ == "__main__":
    show_python(sys.argv[1], sys.argv[2])
