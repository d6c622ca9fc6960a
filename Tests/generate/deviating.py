"""Responses that deviate from their description, performed by generated code of each language (docs/generate.md, "Responses that
deviate"): the value as far as the type can represent it, or an error with the whole response.  Each response lists its deviations."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Dict, List, NamedTuple, Tuple

from harness import Tools, require

HERE = Path(__file__).resolve().parent
BOX = {"id": 1, "name": "a", "note": None, "size": 2, "tags": ["x"], "lid": {"color": "red"}}
ERROR, NONE = "error", "no value"


class Case(NamedTuple):
    """A response, and the result in each language: a box as `id name note size tags lid`, `error`, or `no value`."""

    operation: str
    status: int
    body: str
    c: str
    python: str
    classes: str
    swift: str
    #: The results with --lenient, in C and in Swift.
    lenient_c: str = ""
    lenient_swift: str = ""


def case(operation: str, status: int, body: object, c: str, python: str, classes: str, swift: str, lenient: Tuple[str, str] = ("", "")) -> Case:
    return Case(operation, status, body if isinstance(body, str) else json.dumps(body), c, python, classes, swift, *lenient)


def without(name: str) -> Dict[str, object]:
    return {key: value for key, value in BOX.items() if key != name}


def same(words: str) -> Tuple[str, str, str, str]:
    return words, words, words, words


CASES: Dict[str, Case] = {
    # The value of a member with another type is absent in C, None in the classes, nil in Swift.
    "null": case("readBox", 200, {**BOX, "size": None}, *same("1 a - - x red")),
    "another scalar": case("readBox", 200, {**BOX, "size": "big"}, "1 a - - x red", "1 a - big x red", "1 a - - x red", "1 a - - x red"),
    "an element of another kind": case("readBox", 200, {**BOX, "tags": ["x", 7]}, "1 a - 2 - red", "1 a - 2 x,7 red", "1 a - 2 x,None red", "1 a - 2 - red"),
    "another scalar that may be null": case("readBox", 200, {**BOX, "note": 7}, "1 a - 2 x red", "1 a 7 2 x red", "1 a - 2 x red", "1 a - 2 x red"),
    "an object without a member": case("readBox", 200, {**BOX, "lid": {}}, *same("1 a - 2 x -")),
    "a member that may be null is missing": case("readBox", 200, without("note"), "1 a - 2 x red", "1 a - 2 x red", "1 a - 2 x red", "1 a - 2 x red"),
    # Values that only --lenient can represent.
    "a required member is missing": case(
        "readBox", 200, without("name"), ERROR, "1 - - 2 x red", "1 - - 2 x red", ERROR, ("1 - - 2 x red", "1 - - 2 x red")),
    "a required member is null": case(
        "readBox", 200, {**BOX, "id": None}, ERROR, "- a - 2 x red", "- a - 2 x red", ERROR, ("- a - 2 x red", "- a - 2 x red")),
    "a required member is another scalar": case(
        "readBox", 200, {**BOX, "id": "1"}, ERROR, "1 a - 2 x red", "- a - 2 x red", ERROR, ("- a - 2 x red", "- a - 2 x red")),
    # Another kind of value: C has no value, but has the response.
    "an array for an object": case("readBox", 200, [BOX], NONE, "[...]", ERROR, ERROR),
    "an object for an array": case("listBoxes", 200, BOX, NONE, "1 a - 2 x red", ERROR, ERROR),
    "a string for an object": case("readBox", 200, '"box"', NONE, "box", ERROR, ERROR),
    "null for an object": case("readBox", 200, "null", NONE, NONE, NONE, ERROR),
    "no body": case("readBox", 200, "", NONE, NONE, NONE, ERROR),
    # An undeclared status is a deviation, and its body is read as far as it has the type.
    "a status that is not declared": case("makeBox", 200, BOX, *same("1 a - 2 x red")),
    "a status that is not declared, and a null": case("makeBox", 202, {**BOX, "size": None}, *same("1 a - - x red")),
    "a status that is not declared, and another kind": case("makeBox", 200, '"made"', NONE, "made", ERROR, ERROR),
    "a status that is not declared, and no body": case("makeBox", 204, "", NONE, NONE, NONE, ERROR),
    # The body is not JSON.
    "no JSON": case("readBox", 200, "<p>", ERROR, ERROR, ERROR, ERROR),
}

C = r"""
#include "boxes.h"
#include <routable_transport.h>
#include <stdio.h>
static void text(const char *before, int is, routable_str value) { printf("%s%s", before, is == ROUTABLE_PRESENT && value.ptr ? value.ptr : "-"); }
static void number(const char *before, int is, int64_t value) { if (is == ROUTABLE_PRESENT) printf("%s%d", before, (int)value); else printf("%s-", before); }
static void show(const boxes_box_data *box)
{
    @ID@
    @NAME@
    text(" ", box->note.is, box->note.value);
    number(" ", box->size.is, box->size.value);
    if (box->tags.is != ROUTABLE_PRESENT)
        printf(" -");
    for (size_t i = 0; box->tags.is == ROUTABLE_PRESENT && i < box->tags.value.count; i++)
        printf("%s%s", i ? "," : " ", box->tags.value.items[i].ptr);
    @LID@
}
int main(int argc, char **argv)
{
    boxes api;
    routable_responses *responses = NULL;
    routable_client *client = NULL;
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    if (argc < 2 || boxes_open_file(&api, argv[1], NULL, NULL) != ROUTABLE_OK || routable_responses_new(&responses, NULL) != ROUTABLE_OK)
        return 1;
    options.transport = routable_responses_answer;
    options.transport_user_data = responses;
    if (routable_client_new(&options, &client, NULL) != ROUTABLE_OK)
        return 2;
    for (int i = 2; i + 2 < argc; i += 3) {
        const routable_response *response;
        routable_error *error = NULL;
        routable_canned canned = ROUTABLE_CANNED_INIT;
        routable_reply reply = ROUTABLE_REPLY_INIT;
        routable_header type = { ROUTABLE_STR("Content-Type"), ROUTABLE_STR("application/json") };
        boxes_box_data_result one = BOXES_BOX_DATA_RESULT_INIT;
        boxes_box_data_list_result all = BOXES_BOX_DATA_LIST_RESULT_INIT;
        routable_status status;
        reply.http_status = atoi(argv[i + 1]);
        reply.body = routable_str_from(argv[i + 2]);
        reply.headers = &type;
        reply.header_count = 1;
        canned.operation = argv[i];
        canned.reply = &reply;
        if (routable_responses_add(responses, &canned, NULL) != ROUTABLE_OK)
            return 3;
        if (strcmp(argv[i], "listBoxes") == 0)
            status = boxes_list_boxes(&api, client, &all, &error);
        else if (strcmp(argv[i], "makeBox") == 0)
            status = boxes_make_box(&api, client, &one, &error);
        else
            status = boxes_read_box(&api, client, &one, &error);
        response = status != ROUTABLE_OK ? routable_error_response(error) : all.response ? all.response : one.response;
        if (status != ROUTABLE_OK)
            printf(status == ROUTABLE_ERR_RESPONSE && response ? "error" : "%s", routable_error_message(error).ptr);
        else if (one.value)
            show(one.value);
        else
            printf("no value");
        printf(" | %d %s\n", (int)routable_response_deviation_count(response), routable_response_body(response).ptr);
        routable_error_free(error);
        boxes_box_data_result_free(&one);
        boxes_box_data_list_result_free(&all);
    }
    routable_client_free(client);
    routable_responses_free(responses);
    boxes_close(&api);
    return 0;
}
"""
STRICT_C = {"@ID@": 'number("", ROUTABLE_PRESENT, box->id);', "@NAME@": 'text(" ", ROUTABLE_PRESENT, box->name);',
            "@LID@": 'text(" ", box->lid.is, box->lid.is == ROUTABLE_PRESENT ? box->lid.value->color : routable_str_from("-"));'}
LENIENT_C = {"@ID@": 'number("", box->id.is, box->id.value);', "@NAME@": 'text(" ", box->name.is, box->name.value);',
             "@LID@": 'if (box->lid.is == ROUTABLE_PRESENT) text(" ", box->lid.value->color.is, box->lid.value->color.value); else printf(" -");'}

PYTHON = """
import json, sys
import routable
from routable.testing import Responses
from MODULE import Boxes

def show(value):
    if value is None:
        return "no value"
    if isinstance(value, list):
        return "[...]"
    if isinstance(value, str):
        return value
    get = (lambda name: value.get(name)) if isinstance(value, dict) else (lambda name: getattr(value, name) or None)
    lid = get("lid")
    words = [get("id"), get("name"), get("note"), get("size"), ",".join(map(str, get("tags") or [])) or None,
             lid and (lid.get("color") if isinstance(lid, dict) else lid.color)]
    return " ".join("-" if word is None or word == {} else str(word) for word in words)

api = Boxes.open_file(sys.argv[1])
for operation, status, body in zip(*[iter(sys.argv[2:])] * 3):
    seen = []
    responses = Responses()
    responses.add(operation, int(status), headers={"Content-Type": "application/json"}, body=body.encode())
    with routable.Client(transport=responses, on_deviation=lambda request, response: seen.append(response)) as client:
        try:
            shown = show({"readBox": api.read_box, "listBoxes": api.list_boxes, "makeBox": api.make_box}[operation]().perform(client))
            response = seen[0] if seen else None
        except routable.ResponseError as error:
            shown, response = "error", error.response
    print(shown, "|", len(response.deviations) if response else 0, response.body.decode() if response else body)
"""

SWIFT = """
import Routable

@main
struct Program {
    static func show(_ box: Boxes.Box) -> String {
        let words = ["\\(@ID@)", @NAME@, box.note ?? "-", box.size.map { "\\($0)" } ?? "-", box.tags?.joined(separator: ",") ?? "-", @LID@]
        return words.joined(separator: " ")
    }

    static func main() async throws {
        var words = CommandLine.arguments.dropFirst()
        while words.count >= 3 {
            let (operation, status, body) = (words.removeFirst(), Int(words.removeFirst())!, words.removeFirst())
            let json = try HeaderField.checked("Content-Type", "application/json", isReceived: true)
            let transport = TestTransport { _ in Answer(status: status, headers: [json], body: body) }
            let client = Client(transport: transport)
            let seen = Seen()
            try client.observeDeviations { response, _ in seen.response = response }
            var shown = ""
            var response: APIResponse?
            do throws(Failure) {
                switch operation {
                case "listBoxes": shown = "\\(try await client.perform(Boxes.listBoxes()).count)"
                case "makeBox": shown = show(try await client.perform(Boxes.makeBox()))
                default: shown = show(try await client.perform(Boxes.readBox()))
                }
                response = seen.response
            } catch {
                shown = error.status == .response ? "error" : "\\(error)"
                response = error.fields.response
            }
            print(shown, "|", response?.deviations.count ?? 0, response?.text ?? body)
        }
        // A status that is not declared has a case of its own.
        let transport = TestTransport { _ in Answer(status: 202, body: "[1]") }
        switch try await Client(transport: transport).perform(Boxes.makeBox(), as: Boxes.MakeBoxResult.self) {
        case .s201: print("201")
        case .undocumented(let response): print(response.status, response.text, response.deviations.count)
        }
    }
}

final class Seen: @unchecked Sendable { var response: APIResponse? }
"""
STRICT_SWIFT = {"@ID@": "box.id", "@NAME@": "box.name", "@LID@": 'box.lid?.color ?? "-"'}
LENIENT_SWIFT = {"@ID@": 'box.id.map { "\\($0)" } ?? "-"', "@NAME@": 'box.name ?? "-"', "@LID@": 'box.lid?.color ?? "-"'}


def filled(text: str, words: Dict[str, str]) -> str:
    for word, value in words.items():
        text = text.replace(word, value)
    return text


def compare(language: str, told: str, expected: List[str]) -> None:
    for (name, each), line, wanted in zip(CASES.items(), told.splitlines(), expected):
        shown, _, rest = line.partition(" | ")
        require(shown == wanted, f"{language}, {name}: expected {wanted}, got {line}")
        count, _, body = rest.partition(" ")
        # The body of a response without a body is the empty string.
        require(body == each.body, f"{language}, {name}: the response has {body}")
        require(int(count) > 0, f"{language}, {name}: no deviation is listed")
    require(len(told.splitlines()) >= len(CASES), f"{language}: {told}")


def deviating(tools: Tools) -> str:
    document, work = HERE / "boxes.json", tools.work
    words = [word for each in CASES.values() for word in (each.operation, each.status, each.body)]
    for name, options, pieces, of in (("strict", (), STRICT_C, "c"), ("lenient", ("--lenient",), LENIENT_C, "lenient_c")):
        tools.generate("c", document, work / "boxes.h", *options)
        (work / "boxes.c").write_text(filled(C, pieces))
        tools.succeed(tools.linked(f"-I{work}", work / "boxes.c", "-o", work / name))
        compare(f"C, {name}", tools.succeed([work / name, document, *words]), [getattr(each, of) or each.c for each in CASES.values()])
    tools.environment["PYTHONPATH"] += f":{work}"
    for name, options, of in (("python", (), "python"), ("classes", ("--dataclasses",), "classes")):
        tools.generate("python", document, work / f"boxes_{name}.py", *options)
        (work / f"{name}.py").write_text(PYTHON.replace("MODULE", f"boxes_{name}"))
        compare(name, tools.succeed([sys.executable, work / f"{name}.py", document, *words]), [getattr(each, of) for each in CASES.values()])
    return f"{len(CASES)} responses that deviate in C and Python"


def deviating_swift(tools: Tools) -> str:
    document, work = HERE / "boxes.json", tools.work
    words = [word for each in CASES.values() for word in (each.operation, each.status, each.body)]
    for name, options, pieces, of in (("strict", (), STRICT_SWIFT, "swift"), ("lenient", ("--lenient",), LENIENT_SWIFT, "lenient_swift")):
        tools.generate("swift", document, work / "Boxes.swift", *options)
        (work / "main.swift").write_text(filled(SWIFT, pieces))
        tools.succeed(tools.swiftc(work / "Boxes.swift", work / "main.swift", *tools.swift_objects(), "-o", work / name), seconds=600)
        told = tools.succeed([work / name, *words])
        compare(f"Swift, {name}", told, [getattr(each, of) or each.swift for each in CASES.values()])
        require(told.splitlines()[len(CASES)] == "202 [1] 1", f"Swift, by status: {told.splitlines()[-1]}")
    return f"{len(CASES)} responses that deviate in Swift"
