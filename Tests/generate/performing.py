"""Generated Swift opens its own document and performs: real documents, with generated responses from a test transport."""

from __future__ import annotations

import json
import os
from typing import Dict, List, NamedTuple

from harness import Tools, require


class Call(NamedTuple):
    """A call, the request that it sends, and a case of its error responses."""

    operation: str
    swift: str
    sent: str
    other: int
    case: str


SMALL: Dict[str, List[Call]] = {
    "redocly-museum-3.1.json": [
        Call("getSpecialEvent", 'Api.getSpecialEvent(eventId: "3f2504e0-4f89-41d3-9a0c-0305e82c3301")', "GET https://redocly.com/_mock/docs/openapi/museum-api/special-events/3f2504e0-4f89-41d3-9a0c-0305e82c3301", 404, "s404")],
    "swagger-petstore-3.json": [
        Call("getPetById", "Api.getPetById(petId: 7)", "GET https://petstore3.swagger.io/api/v3/pet/7", 404, "s404")],
}
LARGE: Dict[str, List[Call]] = {
    "github-api.json": [
        Call("repos/get", 'Api.reposGet(owner: "octo cat", repo: "hello")', "GET https://api.github.com/repos/octo%20cat/hello", 404, "s404"),
        Call("issues/get", 'Api.issuesGet(owner: "o", repo: "r", issueNumber: 7)', "GET https://api.github.com/repos/o/r/issues/7", 410, "s410")],
    "box.json": [
        Call("get_users_me", 'Api.getUsersMe(fields: ["id", "name"])', "GET https://api.box.com/2.0/users/me?fields=id,name", 500, "other")],
    "twilio-api-v2010.json": [
        Call("FetchAccount", 'Api.fetchAccount(sid: "AC" + String(repeating: "0", count: 32))',
             "GET https://api.twilio.com/2010-04-01/Accounts/AC" + "0" * 32 + ".json", 500, "undocumented")],
    "kubernetes-core-v1.json": [
        Call("readCoreV1NamespacedPod", 'Api.readCoreV1NamespacedPod(namespace: "default", name: "web")',
             "GET https://cluster.test/api/v1/namespaces/default/pods/web", 401, "undocumented")],
}

PROGRAM = """import Routable

@main
struct Program {
    static func main() async throws {
        let (status, body) = (Int(CommandLine.arguments[1])!, CommandLine.arguments[2])
        let transport = TestTransport { _ in Answer(status: status, headers: [json], body: body) }
        let client = Client(BASEtransport: transport, credential: .header("Authorization", "secret"))
        let calls: [any RequestConvertible] = [CALLS]
        let results: [() async throws -> String] = [
            RESULTS
        ]
        let which = Int(CommandLine.arguments[3])!
        print(try await results[which]())
        let sent = transport.requests[0]
        print(sent.method, sent.url, try calls[which].makeRequest(base: client.base).url.bytes == Bytes(sent.url))
    }

    static let json = try! HeaderField.checked("Content-Type", "application/json", isReceived: true)
    /// The name of a case.
    static func name(_ value: some Any) -> String { Mirror(reflecting: value).children.first?.label ?? "\\(value)" }
}
"""


def performing(tools: Tools) -> str:
    """Small documents; `make check-generated` also tests the large ones."""
    return performed(tools, SMALL)


def every(tools: Tools) -> str:
    return performed(tools, {**LARGE, **SMALL})


def performed(tools: Tools, found: Dict[str, List[Call]]) -> str:
    said: List[str] = []
    for number, (name, calls) in enumerate(found.items()):
        document = tools.data / "real" / name
        source, main, program = tools.work / f"Api{number}.swift", tools.work / f"main{number}.swift", tools.work / f"perform{number}"
        tools.generate("swift", document, source, "--name", "Api")
        base = calls[0].sent.split(" ")[1].split("/api/v1")[0] if name.startswith("kubernetes") else ""
        results = []
        for call in calls:
            own = call.swift.split("(")[0].removeprefix("Api.")
            result = f"Api.{own[0].upper()}{own[1:]}Result"
            results.append(f"{{ let call = {call.swift}; if status < 300 {{ _ = try await client.perform(call) }}; "
                           f"return name(try await client.perform(call, as: {result}.self)) }},")
        main.write_text(PROGRAM.replace("BASE", f'base: "{base}", ' if base else "")
                        .replace("CALLS", ", ".join(call.swift for call in calls)).replace("RESULTS", "\n            ".join(results)))
        start = os.times()
        tools.succeed(tools.swiftc(source, main, *tools.swift_objects(), "-o", program), seconds=1200)
        now = os.times()
        took = now.children_user + now.children_system - start.children_user - start.children_system
        stripped = tools.work / f"stripped{number}"
        tools.succeed(["strip", "-o", stripped, program])
        said.append(f"{name} {took:.0f} s of work, {program.stat().st_size / 1e6:.1f} MB, {stripped.stat().st_size / 1e6:.1f} MB stripped")
        for which, call in enumerate(calls):
            lines = tools.succeed([tools.command, "values", document, "--only", call.operation, "--count", "40"]).splitlines()
            values = [value for value in map(json.loads, lines) if value.get("status", 0) // 100 == 2]
            answer = json.dumps(values[0]["value"], ensure_ascii=False)
            got = tools.succeed([program, values[0]["status"], answer, which])
            require(got.splitlines()[0].startswith("s2") and got.splitlines()[1] == f"{call.sent} true", f"{name}: {call.swift}: {got}")
            got = tools.succeed([program, call.other, "{}", which])
            require(got.startswith(call.case + "\n"), f"{name}: {call.swift}: {got}")
    return "opened and performed: " + "; ".join(said)
