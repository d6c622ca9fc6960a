"""The checks of Tests/generate/run.py: each returns its measurements as a sentence."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List

from harness import ROOT, Tools, fail, require, slowness, spent

HERE = ROOT / "Tests/generate"
SOCIAL = ROOT / "examples/social.json"
COMMITTED = {"c": "social.h", "python": "social.py", "swift": "Social.swift"}


def committed(tools: Tools) -> str:
    """The generated files of examples/ equal the output for the current description; --check reports a stale file."""
    for language, name in COMMITTED.items():
        path = ROOT / "examples/generated" / name
        tools.succeed([tools.command, "generate", language, SOCIAL, "-o", path, "--check"])
        stale = tools.work / name
        stale.write_text(path.read_text().replace("statuses", "status", 1))
        ran = tools.run([tools.command, "generate", language, SOCIAL, "-o", stale, "--check"])
        require(ran.returncode == 1 and "stale from line" in ran.stderr, f"a stale {name} passes: {ran}")
        lines = [line for line in ran.stderr.splitlines() if line[:2] in ("- ", "+ ")]
        require(len(lines) == 2 and "status" in lines[0] and "statuses" in lines[1], f"what differs in {name}: {ran}")
        missing = tools.run([tools.command, "generate", language, SOCIAL, "-o", tools.work / "missing", "--check"])
        require(missing.returncode == 3, f"a missing file: {missing}")
        again = tools.run([tools.command, "generate", language, SOCIAL]).stdout
        require(again == path.read_text(), f"{name}: standard output differs")
    tools.succeed(tools.cxx(f"-I{ROOT / 'examples/generated'}", "-include", "social.h", "/dev/null"))
    return f"{len(COMMITTED)} committed files are those of the description"


# --- The same bytes (R7 to R12) ---

WALKS: List[Dict[str, Any]] = [
    {"route": "user.status", "operation": "read", "ids": ["2", "2"]},
    {"route": "post.comment", "operation": "read", "ids": ["54", "43"]},
    {"route": "user.status", "operation": "read", "ids": ["initFabian", "2"]},
    {"route": "user.picture.comment", "operation": "read", "ids": ["initFabian", "2", "3"]},
    {"route": "user.status.comment.user", "operation": "read", "ids": ["initFabian", "3", "32352", "fakeUser"]},
    {"route": "user.picture.comment.user.status.comment.user.post.comment.user.status", "operation": "read",
     "ids": ["initFabian", "3", "507f191e810c19729de860ea", "43", "firstStatus", "27", "63", "4d6e5acebcd1b3fac9000002",
             "82", "21", "1"]},
    {"route": "user.status", "operation": "create", "ids": ["initFabian"], "parameters": {"t": 1}},
]
#: The paths that the article states (docs/statements.md, R), below the base.
PATHS = [
    "users/2/statuses/2", "posts/54/comments/43", "users/initFabian/statuses/2", "users/initFabian/pictures/2/comments/3",
    "users/initFabian/statuses/3/comments/32352/users/fakeUser",
    "users/initFabian/pictures/3/comments/507f191e810c19729de860ea/users/43/statuses/firstStatus/comments/27/users/63"
    "/posts/4d6e5acebcd1b3fac9000002/comments/82/users/21/statuses/1",
    "users/initFabian/statuses t=1",
]


def requests(tools: Tools) -> str:
    """R7 to R12 by generated C, Python and Swift, the JSON tier and the handwritten declaration."""
    document = HERE / "routableapp.json"
    tools.generate("c", document, tools.work / "social.h")
    tools.generate("python", document, tools.work / "social.py")
    tools.generate("swift", document, tools.work / "Social.swift")
    program = tools.work / "walks"
    tools.succeed(tools.linked(f"-I{tools.work}", HERE / "walks.c", "-o", program))
    tools.environment["PYTHONPATH"] += f":{tools.work}"
    results = {
        "C": tools.succeed([program]),
        "Python": tools.succeed([sys.executable, "-W", "error", HERE / "walks.py"]),
        "JSON tier": json_tier(document),
    }
    by_hand = ROOT / "Tests/RoutableCoreTests/Declaration/Social.swift"
    for name, sources in (
        ("hand-written Swift", [by_hand, HERE / "walks_declared.swift", HERE / "walks_shown.swift"]),
        ("generated Swift", [tools.work / "Social.swift", HERE / "walks.swift", HERE / "walks_shown.swift"]),
    ):
        program = tools.work / name.replace(" ", "-")
        tools.succeed(tools.swiftc(*sources, *tools.swift_objects(), "-o", program))
        results[name] = tools.succeed([program])
    base = json.loads(document.read_text())["base"]
    wanted = walked(base)
    for name, printed in results.items():
        require(printed == wanted, f"{name} gives\n{printed}and not\n{wanted}")
    return f"R7 to R12, built, matched and performed: the same {len(wanted)} bytes from {', '.join(results)}"


def walked(base: str) -> str:
    """The output of each program: the request; the route, the operation and the ids that its URL matches; the performed request."""
    lines = []
    for walk, path in zip(WALKS, PATHS):
        request = f"{'POST' if 'parameters' in walk else 'GET'} {base}{path}"
        lines += [request, f"  match {walk['route']} {walk['operation']} {' '.join(walk['ids'])}", f"  perform {request}"]
    return "".join(f"{line}\n" for line in lines)


WIDE = """GET https://h/repos/o/r%2Fx
GET https://h/repos/o
GET https://h/repos/o/r%2Fx/contents/a/b%20c
GET https://h/repos/o/r%2Fx/7/k/n
GET https://h/repos/o/r%2Fx/7/k
GET https://h/repos/o/r
GET https://h/v2/a/b/tags/list
GET https://h/me
"""


def wide(tools: Tools) -> str:
    """Several ids in one step, steps without a literal, ids of several segments, by generated C, Python and Swift; mypy accepts them."""
    document = HERE / "wide.json"
    tools.generate("c", document, tools.work / "code.h")
    tools.generate("python", document, tools.work / "code_api.py")
    tools.generate("swift", document, tools.work / "Code.swift")
    tools.environment["PYTHONPATH"] += f":{tools.work}"
    program = tools.work / "wide"
    tools.succeed(tools.linked(f"-I{tools.work}", HERE / "wide.c", "-o", program))
    results = {"C": tools.succeed([program])}
    results["Python"] = tools.succeed([sys.executable, "-W", "error", HERE / "wide.py"])
    tools.succeed(tools.mypy(tools.work / "code_api.py", HERE / "wide.py"))
    wrong = tools.work / "wrong.py"
    wrong.write_text("from code_api import Code\nCode.open().repository.list()\n")
    tools.refuse(tools.mypy(tools.work / "code_api.py", wrong), "RepositoryScope", "list")
    tools.succeed(tools.swiftc(tools.work / "Code.swift", HERE / "wide.swift", *tools.swift_objects(), "-o", program))
    results["Swift"] = tools.succeed([program])
    for name, printed in results.items():
        require(printed == WIDE, f"{name} gives\n{printed}and not\n{WIDE}")
    return f"a wide graph: the same URLs from {', '.join(results)}"


def json_tier(document: Path) -> str:
    """The walks by the document alone: built by the JSON tier, matched and performed by their names."""
    from ctypes import POINTER, byref, string_at

    from routable import Client, TransportRequest, TransportResponse, using
    from routable import _capi as c
    from routable import open as open_router

    def line(method: str, url: str, body: "str | None") -> str:
        return " ".join([method, url, *([body] if body is not None else [])])

    def echo(request: TransportRequest) -> TransportResponse:
        return TransportResponse(body=line(request.method, request.url, request.body.decode() if request.body is not None else None))

    api, client = open_router(document), Client(transport=echo)

    router, error = POINTER(c.routable_router)(), POINTER(c.routable_error)()
    text = document.read_bytes()
    require(c.routable_router_open(text, len(text), None, byref(router), byref(error)) == 0, "open")
    lines = []
    for walk in WALKS:
        out = c.routable_string()
        call = json.dumps(walk).encode()
        require(c.routable_build_json(router, call, len(call), byref(out), byref(error)) == 0, str(walk))
        request = json.loads(string_at(out.ptr, out.len))
        c.routable_string_free(byref(out))
        lines.append(line(request["method"], request["url"], request.get("body")))
        match = api.match(request["url"], request["method"])
        require(match is not None, f"nothing matches {request['url']}")
        lines.append(f"  match {match.route} {match.operation} {' '.join(match.ids)}")
        performed = client.perform(api.build(walk["route"], walk["operation"], using(ids=walk["ids"], parameters=walk.get("parameters"))))
        lines.append(f"  perform {performed.body.decode()}")
    client.close()
    c.routable_router_free(router)
    return "".join(f"{line}\n" for line in lines)


# --- Undeclared operations ---

C_UPDATE = """#include "social.h"
int main(void)
{
    social api;
    social_status_data body;
    routable_request *request = NULL;
    if (social_open(&api, NULL, NULL) != ROUTABLE_OK)
        return 1;
    body.text = routable_str_from("new");
    if (social_status_update_request(social_root_status(&api, social_status_id_of("3")), &body, &request, NULL) != ROUTABLE_OK)
        return 1;
    printf("%s %s\\n", routable_request_method(request).ptr, routable_request_url(request).ptr);
    routable_request_free(request);
    social_close(&api);
    return 0;
}
"""
C_WRONG_ID = C_UPDATE.replace("social_status_update_request", "social_status_read_request").replace(
    "social_status_id_of", "social_user_id_of").replace("&body, ", "")
PYTHON_UPDATE = """from social import Social, StatusId
call = Social.open().status(StatusId("3")).update({"text": "new"})
print(call.method, call.url)
"""
PYTHON_WRONG_ID = """from social import Social, UserId
Social.open().status(UserId("3")).read()
"""
SWIFT_UPDATE = """import Routable
func program() throws {
    let call = try Social.status("3").update(Social.StatusModel(text: "new"))
    print(call.call)
}
"""
SWIFT_WRONG_ID = """import Routable
func program() { _ = Social.status(Social.User.ID("3")).read() }
"""
UPDATED = "PUT https://api.example.com/v1/statuses/3\n"


def refused(tools: Tools) -> str:
    """`update` of a status does not compile, nor does an id of another resource; `update` compiles once it is declared."""
    tools.environment["MYPYPATH"] += f":{tools.work}"
    tools.environment["PYTHONPATH"] += f":{tools.work}"
    sources = {"update.c": C_UPDATE, "wrong.c": C_WRONG_ID, "update.py": PYTHON_UPDATE, "wrong.py": PYTHON_WRONG_ID,
               "update.swift": SWIFT_UPDATE, "wrong.swift": SWIFT_WRONG_ID}
    for name, text in sources.items():
        (tools.work / name).write_text(text)
    document = tools.work / "social.json"
    document.write_text(SOCIAL.read_text())
    generate_all(tools, document)
    said = [
        tools.refuse(tools.c(f"-I{tools.work}", "-c", "update.c", "-o", "/dev/null"), "social_status_update_request"),
        tools.refuse(tools.cxx(f"-I{tools.work}", "update.c"), "social_status_update_request"),
        tools.refuse(tools.mypy("update.py"), 'has no attribute "update"', "StatusMember"),
        tools.refuse(tools.swiftc("-typecheck", "Social.swift", "update.swift"), "'Updatable'", "Status"),
    ]
    tools.refuse(tools.c(f"-I{tools.work}", "-c", "wrong.c", "-o", "/dev/null"), "social_root_status", "social_status_id")
    tools.refuse(tools.cxx(f"-I{tools.work}", "wrong.c"), "social_status_id")
    tools.refuse(tools.mypy("wrong.py"), '"UserId"; expected "StatusId"')
    tools.refuse(tools.swiftc("-typecheck", "Social.swift", "wrong.swift"), "Social.User", "Social.Status")
    described = json.loads(document.read_text())
    described["resources"]["status"]["can"].append("update")
    document.write_text(json.dumps(described))
    generate_all(tools, document)
    tools.succeed(tools.linked(f"-I{tools.work}", "update.c", "-o", "update"))
    require(tools.succeed([tools.work / "update"]) == UPDATED, "C: the update")
    tools.succeed(tools.mypy("update.py"))
    require(tools.succeed([sys.executable, "update.py"]) == UPDATED, "Python: the update")
    tools.succeed(tools.swiftc("-typecheck", "Social.swift", "update.swift"))
    return f"refused, and not when declared: {' | '.join(said)}"


def generate_all(tools: Tools, document: Path) -> None:
    for language, name in COMMITTED.items():
        tools.generate(language, document, tools.work / name)


# --- Bodies and responses ---


def answers(tools: Tools) -> str:
    """Bodies and responses as values, and performing: with the sample service, in C with gcc's address and undefined sanitizers."""
    tools.environment["MYPYPATH"] += f":{tools.work}"
    tools.environment["PYTHONPATH"] += f":{tools.work}"
    tools.generate("c", HERE / "shop.json", tools.work / "shop.h")
    tools.generate("python", HERE / "shop.json", tools.work / "shop.py")
    tools.generate("c", SOCIAL, tools.work / "service.h", "--name", "service")
    tools.generate("python", SOCIAL, tools.work / "service.py", "--name", "service")
    program = tools.work / "answers"
    tools.succeed(tools.linked(
        "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", f"-I{tools.work}", HERE / "answers.c", "-o", program))
    for standard in ("c11", "c17"):
        tools.succeed(tools.c(f"-I{tools.work}", "-fsyntax-only", HERE / "answers.c", standard=standard))
    for standard in ("c++11", "c++20"):
        tools.succeed(tools.cxx(f"-I{tools.work}", "-include", "shop.h", "-include", "service.h", "/dev/null", standard=standard))
    tools.succeed(tools.mypy(HERE / "answers.py"))
    service = subprocess.Popen(
        [sys.executable, ROOT / "examples/service/social_service.py", "--quiet"], text=True, stdout=subprocess.PIPE)
    try:
        assert service.stdout is not None
        base = f"http://127.0.0.1:{service.stdout.readline().strip()}/v1"
        tools.environment["LC_ALL"] = comma_locale(tools)
        suppressions = tools.work / "lsan.txt"
        suppressions.write_text("leak:__argz_add_sep\n")  # a leak in glibc's handling of LOCPATH
        tools.environment["LSAN_OPTIONS"] = f"suppressions={suppressions}:print_suppressions=0"
        in_c = tools.succeed([program, base])
        in_python = tools.succeed([sys.executable, "-W", "error", HERE / "answers.py", base])
    finally:
        service.kill()
        service.wait()
    wanted = 'https://shop.test/find/a%2Fb?tags%5B%5D=a%20b&tags%5B%5D=c%22&exact=true&price=0.5\n'
    require(in_python == wanted, f"Python gives {in_python}")
    body, found = in_c.splitlines(keepends=True)
    require(found == wanted, f"C gives {found}")
    order = json.loads(body)
    require(order["total"] == 0.1 and order["note"] is None and "count" not in order["parts"][0], body)
    return f"{len(body)} bytes of nested values written and read; performed in C, in Python, and concurrently"


def feed(tools: Tools) -> str:
    """Pages, streams, many calls, and errors without their declared type: in C and Python with canned responses."""
    document = HERE / "feed.json"
    (tools.work / "feed.json").write_text(document.read_text())
    tools.generate("c", document, tools.work / "feed.h")
    tools.generate("python", document, tools.work / "feed_api.py")
    tools.generate("swift", document, tools.work / "Feed.swift")
    tools.environment["MYPYPATH"] += f":{tools.work}"
    tools.environment["PYTHONPATH"] += f":{tools.work}"
    program = tools.work / "feed"
    tools.succeed(tools.linked(
        "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", f"-I{tools.work}", HERE / "feed.c", "-o", program))
    tools.succeed(tools.cxx("-include", tools.work / "feed.h", "/dev/null"))
    in_c = tools.succeed([program, document])
    require(in_c == "abc\n", f"C reads {in_c}")
    tools.succeed(tools.mypy(HERE / "feed.py"))
    tools.succeed([sys.executable, "-W", "error", HERE / "feed.py"])
    wrong = tools.work / "wrong.py"
    wrong.write_text("""import routable
from feed_api import Feed
api = Feed.open_file("feed.json")
with routable.Client() as client:
    for post in api.posts().items(client):
        print(post["words"])
    for part in api.live().items(client):
        print(part)
""")
    tools.refuse(tools.mypy(wrong), 'has no key "words"', 'has no attribute "items"')
    tools.succeed(tools.swiftc("-typecheck", tools.work / "Feed.swift"))
    return "pages and streams by item, and errors with and without their type, in C and Python"


def comma_locale(tools: Tools) -> str:
    """Makes a locale with a decimal comma, if the system can, and returns the value of LOCPATH."""
    path = tools.work / "locales"
    path.mkdir()
    made = tools.run(["localedef", "-i", "de_DE", "-f", "UTF-8", path / "de_DE.UTF-8"])
    if made.returncode != 0 and not (path / "de_DE.UTF-8").exists():
        return "C.UTF-8"
    tools.environment["LOCPATH"] = str(path)
    return "de_DE.UTF-8"


# --- Size and time ---

GENERATE_SECONDS, COMPILE_SECONDS, ADDED_BYTES = 2.0, 3.0, 12_500  # gcc 12 adds 9,826 for an OpenAPI document and 11,315 for a route document
#: The bytes for each member of the type that a call reads: its name, its row and its part of the shapes.
MEMBER_BYTES = 32
#: The bytes for each name of a table: a pointer, and the relocation record of the loader.
NAME_BYTES = 8 + 24


def large(tools: Tools) -> str:
    """A large description: the time to generate and compile, and the bytes that one call adds to a program."""
    return measured(tools, synthetic(tools.work / "synthetic.json"), "big_get_thing7", 'thing.id = routable_str_from("1");')


def large_real(tools: Tools) -> str:
    arguments = 'thing.owner = routable_str_from("o"); thing.repo = routable_str_from("r");'
    return measured(tools, tools.data / "real/github-api.json", "big_repos_get", arguments)


def measured(tools: Tools, document: Path, call: str, arguments: str) -> str:
    header = tools.work / "big.h"
    generated = []
    for _ in range(3):
        header.unlink(missing_ok=True)
        start = spent()
        tools.generate("c", document, header, "--name", "big")
        generated.append((spent() - start) / slowness(tools))
    tools.generate("c", document, tools.work / "again.h", "--name", "big")
    require(header.read_bytes() == (tools.work / "again.h").read_bytes(), "not the same bytes twice")
    without = tools.work / "without.c"
    without.write_text("""#include <routable.h>
#include <stdio.h>
int main(int count, char **words)
{
    routable_router *router = NULL;
    routable_client *client = NULL;
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    if (count < 2 || routable_router_open_file(words[1], &options, &router, NULL) || routable_client_new(NULL, &client, NULL))
        return 1;
    puts(routable_router_name(router).ptr);
    routable_client_free(client);
    routable_router_free(router);
    return 0;
}
""")
    using = tools.work / "using.c"
    using.write_text("""#include "big.h"
#include <stdio.h>
int main(int count, char **words)
{
    big api;
    routable_client *client = NULL;
    CALL_arguments thing;
    CALL_answer answer;
    if (count < 2 || big_open_file(&api, words[1], NULL, NULL) || routable_client_new(NULL, &client, NULL))
        return 1;
    memset(&thing, 0, sizeof thing);
    memset(&answer, 0, sizeof answer);
    ARGUMENTS
    if (CALL(&api, &thing, client, &answer, NULL) == ROUTABLE_OK && answer.value)
        puts(routable_response_url(answer.response).ptr);
    CALL_answer_free(&answer);
    routable_client_free(client);
    big_close(&api);
    return 0;
}
""".replace("CALL_answer", answer_of(header, call)).replace("CALL", call).replace("ARGUMENTS", arguments))
    sizes = {}
    for each in (without, using):
        times = []
        for _ in range(3):
            start = spent()
            tools.succeed(tools.linked("-Os", "-s", f"-I{tools.work}", each, "-o", each.with_suffix("")))
            times.append((spent() - start) / slowness(tools))
        compiled = min(times)
        sizes[each.stem] = loaded(tools, each.with_suffix(""))
    added = sizes["using"] - sizes["without"]
    require(min(generated) < GENERATE_SECONDS, f"generated in {generated} s")
    require(compiled < COMPILE_SECONDS, f"compiled in {compiled:.2f} s")
    members = reached(header.read_text(), answer_of(header, call).replace("_result", "_shape"))
    # The router of resources contains the names that its generated code is compared with when it is opened.
    table = re.search(r"\*const names\[\] = \{(.*?)\};", header.read_text(), re.DOTALL)
    names = re.findall(r'"(.*?)"', table[1]) if table else []
    allowed = ADDED_BYTES + MEMBER_BYTES * members + sum(NAME_BYTES + len(name) + 1 for name in names)
    require(added < allowed, f"one call adds {added} bytes, and may add {allowed} for {members} members: {sizes}")
    lines = header.read_text().count("\n")
    return (f"{document.name}: {lines} lines in {min(generated):.2f} s, compiled in {compiled:.2f} s, one call adds {added} bytes with the "
            f"{members} members of its type")


def reached(header: str, shape: str) -> int:
    """The number of members of a type and of the types that it refers to."""
    bodies = {found[1]: found[2] for found in re.finditer(r"\*(\w+_shape)\(void\)\n\{\n(.*?)\n\}\n", header, re.DOTALL)}
    seen, waiting, members = {shape}, [shape], 0
    while waiting:
        body = bodies[waiting.pop()]
        members += body.count("{ offsetof(")
        for inner in re.findall(r"^        (\w+_shape),$", body, re.MULTILINE):
            if inner not in seen:
                seen.add(inner)
                waiting.append(inner)
    return members


def answer_of(header: Path, call: str) -> str:
    """The type that a call fills."""
    found = re.search(rf"{call}\([^)]*const routable_client \*client,\s+(\w+) \*out", header.read_text())
    if found is None:
        fail(f"{call} is not there")
    return found[1]


def loaded(tools: Tools, program: Path) -> int:
    """Bytes of the text and data sections."""
    text, data = tools.succeed(["size", program]).splitlines()[1].split()[:2]
    return int(text) + int(data)


def synthetic(path: Path) -> Path:
    """200 resources with types, and as many operations."""
    types = {f"Thing{number}": {"type": "object", "required": ["id"], "properties": {
        "id": {"type": "string"}, **{f"field_{index}": {"type": "integer"} for index in range(12)},
        "next": {"$ref": f"#/types/Thing{(number + 1) % 200}"}}} for number in range(200)}
    resources = {f"thing{number}": {
        "path": f"things{number}", "can": ["list", "read", "create", "update", "patch", "delete"], "type": f"Thing{number}",
        "has": [f"thing{(number + 1) % 200}"]} for number in range(200)}
    operations = {f"getThing{number}": {"get": f"/get{number}/{{id}}", "results": {"200": {"$ref": f"#/types/Thing{number}"}}}
                  for number in range(200)}
    path.write_text(json.dumps({
        "routable": 1, "base": "https://big.test", "types": types, "resources": resources, "operations": operations}))
    return path
