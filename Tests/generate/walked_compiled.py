"""The walk through the resources of an OpenAPI document in generated C and Swift builds the same requests as the operationId."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Dict, Iterator, List, NamedTuple, Optional, Tuple

from harness import OWN, ROOT, Tools, fail, require
from measure import documents

DESK = ROOT / "Tests/generate/desk.json"
#: The documents that a Swift compiler links, which takes seconds each.
SWIFT = ["redocly-museum-3.1.json", "swagger-petstore-3.json", "chroma-3.1.json", "star-trek.json", "discourse.local_latest.json",
         "3.0_parameters-style.json"]


def walked(tools: Tools) -> str:
    """Compares each operation of a walk: of each document in C, and of some in Swift."""
    found = [DESK, *documents(tools.data)]
    in_c = [c(tools, document, number) for number, document in enumerate(found)]
    some = [DESK, *(path for path in found if path.name in SWIFT)]
    in_swift = [swift(tools, document, number) for number, document in enumerate(some)]
    for language, counts in (("C", in_c), ("Swift", in_swift)):
        compared, refused = (sum(each[index] for each in counts) for index in (0, 1))
        require(compared > refused, f"{language}: {compared} requests are built, and {refused} refused")
    return (f"{len(found)} documents with {sum(map(sum, in_c))} walks in C, {len(some)} with {sum(map(sum, in_swift))} in Swift: "
            f"{sum(each[0] for each in in_c)} and {sum(each[0] for each in in_swift)} requests")


#: Routes and operations with such names have names in C by a single rule: the words are joined by "_".
PLAIN = re.compile(r"[a-z][a-z0-9]*([-._/][a-z][a-z0-9]*)*")


def expected(document: Path) -> List[Tuple[str, str]]:
    """The routes of the resources, with the names of their operations."""
    import routable

    api = routable.open(document)
    return [(route, name) for route, resource in api.resources.items() for name in resource.operations]


def counted(printed: str, language: str, document: Path) -> Tuple[int, int]:
    lines = [line.split(" ", 1) for line in printed.splitlines()]
    for kind, rest in lines:
        if kind not in ("same", "refused"):
            fail(f"{document.name}: {language}: {kind} {rest}")
    return sum(kind == "same" for kind, _ in lines), sum(kind == "refused" for kind, _ in lines)


# --- C ---

C_PROGRAM = """#include "HEADER"
#include <stdio.h>

static int is_same(routable_str one, routable_str other)
{
    return one.len == other.len && (one.len == 0 || memcmp(one.ptr, other.ptr, one.len) == 0);
}

static int differ(const routable_request *one, const routable_request *other)
{
    size_t count = routable_request_header_count(one);
    if (!is_same(routable_request_method(one), routable_request_method(other)) ||
        !is_same(routable_request_url(one), routable_request_url(other)) ||
        !is_same(routable_request_body(one), routable_request_body(other)) || count != routable_request_header_count(other))
        return 1;
    for (size_t index = 0; index < count; index++) {
        routable_header a = routable_request_header_at(one, index), b = routable_request_header_at(other, index);
        if (!is_same(a.name, b.name) || !is_same(a.value, b.value))
            return 1;
    }
    return 0;
}

static void compare(const char *name, routable_status first, routable_request *one, routable_status second, routable_request *other)
{
    if (first != second || (first == ROUTABLE_OK && differ(one, other)))
        printf("different %s\\n", name);
    else if (first != ROUTABLE_OK)
        printf("refused %s\\n", name);
    else
        printf("same %s %s %s\\n", name, routable_request_method(one).ptr, routable_request_url(one).ptr);
    routable_request_free(one);
    routable_request_free(other);
}

static char urls[2][4096];
static size_t lengths[2];

static void compare_urls(const char *name, routable_status first, routable_status second)
{
    if (first != second || (first == ROUTABLE_OK && (lengths[0] != lengths[1] || memcmp(urls[0], urls[1], lengths[0]) != 0)))
        printf("different %s_url\\n", name);
}

int main(int count, char **words)
{
    static const int64_t integer_item = 7;
    const routable_str string_item = routable_str_from("7");
    API api;
    routable_error *error = NULL;
    if (count < 2 || API_open_file(&api, words[1], NULL, &error) != ROUTABLE_OK) {
        fprintf(stderr, "%s\\n", routable_error_message(error).ptr);
        return 1;
    }
CALLS    API_close(&api);
    (void)integer_item;
    (void)string_item;
    return 0;
}
"""
#: Values of required parameters; optional ones are absent.
C_VALUES = {"routable_str": 'routable_str_from("7")', "int64_t": "7", "double": "7", "bool": "true"}
C_CALL = """    {
LINES        first = NAME_request(&api, GIVEN&one, NULL);
        second = CALLED_request(&api, GIVEN&other, NULL);
        compare("NAME", first, one, second, other);
URL        (void)&NAME;
    }
"""
C_URL = """        first = NAME_url(&api, ARGUMENTSurls[0], sizeof urls[0], &lengths[0], NULL);
        second = CALLED_url(&api, ARGUMENTSurls[1], sizeof urls[1], &lengths[1], NULL);
        compare_urls("NAME", first, second);
"""


def c(tools: Tools, document: Path, number: int) -> Tuple[int, int]:
    header, source, program = (tools.work / f"walked{number}{ending}" for ending in (".h", ".c", ""))
    tools.generate("c", document, header, "--name", "walked")
    text = header.read_text()
    calls, names = [], []
    structs = {found[1]: found[2] for found in re.finditer(r"^(?:typedef )?struct (\w+) \{\n(.*?)^\}", text, re.DOTALL | re.MULTILINE)}
    for found in re.finditer(r"^/\* (\w+), by its resource\. \*/\n(.*?)(?=^/\* |^#ifdef)", text, re.DOTALL | re.MULTILINE):
        called, section = found[1], found[2]
        request = re.search(r"^static inline routable_status (\w+)_request\(\s*(.*?)\)\n\{", section, re.DOTALL | re.MULTILINE)
        require(request is not None, f"{document.name}: {called} has no request")
        assert request is not None
        name, parameters = request[1], re.split(r",\s+", request[2])
        names.append(name)
        lines, given = [], ""
        for parameter in parameters[1:-2]:
            kind, own = re.fullmatch(r"(?:const )?(\w+) \*(\w+)", parameter).groups()  # type: ignore[union-attr]
            lines += [f"{kind} {own};", f"memset(&{own}, 0, sizeof {own});"]
            members = structs.get(f"{called}_arguments" if own == "arguments" else kind, "")
            lines += [f"{own}.{member} = {C_VALUES[type]};" for type, member in
                      re.findall(r"^    (\w+) (\w+);$", members, re.MULTILINE) if type in C_VALUES]
            lines += [f"{own}.{member}.count = 1;\n        {own}.{member}.items = &{type}_item;" for type, member in
                      re.findall(r"^    routable_(string|integer)_list (\w+);$", members, re.MULTILINE)]
            given += f"&{own}, "
        url = C_URL if f" {name}_url(" in section else ""
        lines = ["routable_request *one = NULL, *other = NULL;", "routable_status first, second;", *lines]
        call = C_CALL.replace("LINES", "".join(f"        {line}\n" for line in lines)).replace("URL", url)
        calls.append(call.replace("GIVEN", given).replace("ARGUMENTS", "&arguments, " if "&arguments" in given else "")
                     .replace("NAME", name).replace("CALLED", called))
    functions = set(re.findall(r"^static inline (?:\w+ )+(\w+)\(", text, re.MULTILINE))
    for route, operation in expected(document):
        if PLAIN.fullmatch(route) and PLAIN.fullmatch(operation) and len(route) < 100:
            # A number is appended if two members or two operations have the same name.
            wanted = r"(_\d+)?_".join("_".join(re.findall("[a-z0-9]+", name)) for name in (f"walked.{route}", operation)) + r"(_\d+)?"
            require(any(re.fullmatch(wanted, name) for name in functions), f"{document.name}: no function {wanted} for {route} {operation}")
    source.write_text(C_PROGRAM.replace("HEADER", header.name).replace("CALLS", "".join(calls)).replace("API", "walked"))
    tools.succeed(tools.linked(f"-I{tools.work}", "-O0", "-Wno-unused-function", source, "-o", program))
    printed = tools.succeed([program, document])
    require(document != DESK or printed == DESK_C, f"{document.name}: in C, the walk builds\n{printed}")
    counts = counted(printed, "C", document)
    require(sum(counts) == len(names), f"{document.name}: {counts} of {len(names)} functions are compared")
    return counts


DESK_C = """\
same walked_repos_issues_list GET https://desk.test/v2/repos/7/7/issues?ids=7
same walked_repos_issues_create POST https://desk.test/v2/repos/7/7/issues
same walked_repos_issues_read GET https://desk.test/v2/repos/7/7/issues/7
same walked_repos_issues_comments_2_list GET https://desk.test/v2/repos/7/7/issues/comments
same walked_repos_issues_comments_2_read GET https://desk.test/v2/repos/7/7/issues/comments/7
same walked_repos_issues_comments_list GET https://desk.test/v2/repos/7/7/issues/7/comments
same walked_repos_issues_labels_delete DELETE https://desk.test/v2/repos/7/7/issues/7/labels/7
same walked_jobs_read GET https://desk.test/v2/jobs/7
same walked_jobs_log_read GET https://desk.test/v2/jobs/7/log
same walked_jobs_retry_create POST https://desk.test/v2/jobs/7/retry
same walked_jobs_retry_read GET https://desk.test/v2/jobs/7/retries
same walked_points_update PUT https://desk.test/v2/points/7
same walked_me_read GET https://desk.test/v2/me
same walked_me_patch PATCH https://desk.test/v2/me
"""


# --- Swift ---

SWIFT_PROGRAM = """import Foundation
import Routable

@main
struct Program {
    /// The request, and its method and URL; the failure, and nil.
    static func shown<Output>(_ make: () throws -> Endpoint<Output>) -> (String, String?) {
        do {
            let request = try make().makeRequest()
            let body = request.body.map { $0.bytes.string } ?? ""
            let headers = request.headers.fields.map { "\\($0.name.string): \\($0.value.string)" }.joined(separator: "; ")
            let line = "\\(request.method.bytes.string) \\(request.url.bytes.string)"
            return ("\\(line) \\(headers) \\(body)", line)
        } catch { return ("\\(error)", nil) }
    }

    /// A body of JSON that its type can hold, if one of these is.
    static func body<Model: Decodable>() throws -> Model {
        let decoder = JSONDecoder()
        for text in [#"{"title": "7"}"#, "[]", "\\"7\\"", "7"] {
            if let value = try? decoder.decode(Model.self, from: Data(text.utf8)) { return value }
        }
        throw Failure(.argument, "no body")
    }

    /// Both must have one type.
    static func compare<Output>(
        _ name: String, _ walk: () throws -> Endpoint<Output>, _ operation: () throws -> Endpoint<Output>
    ) {
        let one = shown(walk), other = shown(operation)
        if one != other {
            print("different", name, one, other)
        } else if let line = one.1 {
            print("same", name, line)
        } else {
            print("refused", name)
        }
    }

    static func main() {
CALLS    }
}
"""
DESK_SWIFT = """\
same Walked.repos('71', '72').read() GET https://desk.test/v2/repos/71/72
same Walked.repos('71', '72').issues.list(ids: '7') GET https://desk.test/v2/repos/71/72/issues?ids=7
same Walked.repos('71', '72').issues.create(try body()) POST https://desk.test/v2/repos/71/72/issues
same Walked.repos('71', '72').issues.comments.list() GET https://desk.test/v2/repos/71/72/issues/comments
same Walked.repos('71', '72').issues.comments('73').read() GET https://desk.test/v2/repos/71/72/issues/comments/73
same Walked.repos('71', '72').issues(73).read() GET https://desk.test/v2/repos/71/72/issues/73
same Walked.repos('71', '72').issues(73).comments.list() GET https://desk.test/v2/repos/71/72/issues/73/comments
same Walked.repos('71', '72').issues(73).labels('74').delete() DELETE https://desk.test/v2/repos/71/72/issues/73/labels/74
same Walked.jobs('71').read() GET https://desk.test/v2/jobs/71
same Walked.jobs('71').log.read() GET https://desk.test/v2/jobs/71/log
same Walked.jobs('71').retry.create() POST https://desk.test/v2/jobs/71/retry
same Walked.jobs('71').retry.read() GET https://desk.test/v2/jobs/71/retries
refused Walked.points([71]).update()
same Walked.me2.read() GET https://desk.test/v2/me
same Walked.me2.patch() PATCH https://desk.test/v2/me
"""
SWIFT_VALUES = {"String": '"7"', "Int64": "7", "Double": "7", "Bool": "true", "[String]": '["7"]', "[Int64]": "[7]", "Value": '"7"'}


class Function(NamedTuple):
    name: str
    parameters: List[Tuple[str, str]]
    #: For a function of a walk, the function that it calls; None if it makes the endpoint itself.
    called: Optional[str]
    #: The literal with the operation's name.
    operation: Optional[str]


class Place(NamedTuple):
    """A struct of the walk."""

    ids: List[str]
    member: Optional[str]
    functions: List[Function]
    below: List[Tuple[str, str]]


FUNCTION = re.compile(r"public (?:static )?func (\w+)\((.*?)\)(?: throws\(Failure\))? -> ([^{]*) \{\n(.*?)^( *)\}$", re.DOTALL | re.MULTILINE)


def parsed(text: str) -> Tuple[Dict[str, Function], Dict[str, Place], List[Tuple[str, str]]]:
    """The functions of the API, the structs of the walk by their names, and the members of the API that lead to them."""
    structs: Dict[str, Place] = {}
    for found in re.finditer(r"^    public struct (\w+(?:Resource|Member)): Sendable \{\n(.*?)^    \}$", text, re.DOTALL | re.MULTILINE):
        member, functions = None, []
        ids: List[str] = []
        for each in FUNCTION.finditer(found[2]):
            if each[1] == "callAsFunction":
                member, ids = each[3], [kind for _, kind in parameters(each[2])]
            else:
                functions.append(function(each))
        below = re.findall(r"public var (\w+): (\w+) \{ \2\(", found[2])
        structs[found[1]] = Place(ids, member, functions, below)
    own = {each[1]: function(each) for each in FUNCTION.finditer(text) if each[0].startswith("public static func") and "Endpoint<" in each[3]}
    return own, structs, [(name, kind) for name, kind in re.findall(r"^    public static var (\w+): (\w+) \{ \2\(\) \}$", text, re.MULTILINE)]


def function(found: "re.Match[str]") -> Function:
    called = re.match(r"\s*(?:try )?Walked\.(\w+)\(", found[4])
    operation = re.search(r"endpoint\((\"(?:[^\"\\]|\\.)*\")", found[4])
    return Function(found[1], parameters(found[2]), called[1] if called and called[1] != "endpoint" else None, operation[1] if operation else None)


def parameters(text: str) -> List[Tuple[str, str]]:
    """The label and the type of each parameter."""
    return [(name, kind) for name, kind in re.findall(r"(_ \w+|\w+): ([^,\n]+)", text)]


def walks(structs: Dict[str, Place], kind: str, walk: str, ids: List[str]) -> Iterator[Tuple[str, List[str], Function]]:
    place = structs[kind]
    for each in place.functions:
        yield walk, ids, each
    for name, below in place.below:
        yield from walks(structs, below, f"{walk}.{name}", ids)
    if place.member is not None:
        # The values differ, so that their order matters.
        values = [value(kind, len(ids) + order + 1) for order, kind in enumerate(place.ids)]
        yield from walks(structs, place.member, f"{walk}({', '.join(values)})", ids + values)


def swift(tools: Tools, document: Path, number: int) -> Tuple[int, int]:
    source, main, program = tools.work / f"Walked{number}.swift", tools.work / f"main{number}.swift", tools.work / f"program{number}"
    tools.generate("swift", document, source, "--name", "Walked")
    own, structs, roots = parsed(source.read_text())
    by_operation = {each.operation: each for each in own.values()}
    lines: List[str] = []
    steps = [step for name, kind in roots for step in walks(structs, kind, f"Walked.{name}", [])]
    require(len(steps) == len(expected(document)), f"{document.name}: {len(steps)} walks in Swift, {len(expected(document))} expected")
    for walk, ids, step in steps:
        target = own[step.called] if step.called is not None else by_operation[step.operation]
        here = [value for value in map(argument, step.parameters) if value]
        there, order = [], 0
        labels = {name for name, _ in step.parameters}
        for name, kind in target.parameters:
            if name not in labels:
                order += 1
                there.append(f"{name}: {value(kind, order)}")
            elif (given := argument((name, kind))) is not None:
                there.append(given)
        require(order == len(ids), f"{document.name}: {walk}.{step.name} has {len(ids)} ids, and {target.name} {order}")
        effect = "try " if any(name.startswith("_ ") for name, _ in target.parameters) else ""
        one, other = f"{walk}.{step.name}({', '.join(here)})", f"Walked.{target.name}({', '.join(there)})"
        label = one.replace("\\", "").replace('"', "'")
        lines.append(f'        compare("{label}", {{ {effect}{one} }}, {{ {effect}{other} }})\n')
    main.write_text(SWIFT_PROGRAM.replace("CALLS", "".join(lines)))
    tools.succeed(tools.swiftc(source, main, *tools.swift_objects(), "-o", program), seconds=1200)
    printed = tools.succeed([program])
    require(document != DESK or printed == DESK_SWIFT, f"{document.name}: in Swift, the walk builds\n{printed}")
    counts = counted(printed, "Swift", document)
    require(sum(counts) == len(steps), f"{document.name}: {counts} of {len(steps)} walks are compared")
    return counts


def argument(parameter: Tuple[str, str]) -> Optional[str]:
    """The argument for a required parameter; a body is decoded, if possible."""
    name, kind = parameter
    if kind.endswith("= nil"):
        return None
    if name.startswith("_ "):
        return "try body()"
    return f"{name}: {value(kind)}"


def value(kind: str, order: int = 0) -> str:
    return SWIFT_VALUES[kind].replace("7", f"7{order}" if order else "7")
