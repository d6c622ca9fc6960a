"""A declaration in Swift as a C library (docs/swift-to-c.md): `make ROUTES=examples/Social.swift`."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from checks import HERE, json_tier, walked
from harness import ROOT, Tools, require

DECLARATION = ROOT / "examples/Social.swift"


def declared(tools: Tools) -> str:
    """R7 to R14 from one declaration, built, matched and performed: the library in C and Python, its document, and Swift build equal bytes."""
    start = time.monotonic()
    folder = build(tools, DECLARATION, "social")
    seconds = time.monotonic() - start
    document = folder / "social.json"
    described, wanted_graph = json.loads(document.read_text()), json.loads((HERE / "routableapp.json").read_text())
    require(graph(described) == graph(wanted_graph), f"R14: the declared graph is\n{graph(described)}")
    wanted = walked(described["base"])

    program = tools.work / "walks"
    tools.succeed(tools.c(f"-I{folder / 'include'}", HERE / "walks.c", "-o", program, f"-L{folder}", "-lsocial"))
    tools.environment["LD_LIBRARY_PATH"] = str(folder)
    results = {"C": tools.succeed([program])}
    linked = tools.succeed(["readelf", "-d", program])
    require("libsocial.so.0" in linked and "libroutable" not in linked, f"the program is linked with\n{linked}")

    tools.environment["PYTHONPATH"] += f":{folder}"
    results["Python over libroutable"] = tools.succeed([sys.executable, "-W", "error", HERE / "walks.py"])
    tools.environment["ROUTABLE_LIBRARY"] = str(folder / "libsocial.so.0")
    results["Python over libsocial"] = tools.succeed([sys.executable, "-W", "error", HERE / "walks.py"])
    results["the document"] = json_tier(document)

    program = tools.work / "declared"
    tools.succeed(tools.swiftc(DECLARATION, HERE / "walks_declared.swift", HERE / "walks_shown.swift", *tools.swift_objects(), "-o", program))
    results["Swift"] = tools.succeed([program])
    for name, printed in results.items():
        require(printed == wanted, f"{name} gives\n{printed}and not\n{wanted}")

    refused(tools, folder)
    broken(tools)
    return f"R7 to R14, built, matched and performed: the same {len(wanted)} bytes from {', '.join(results)}; from edit to library in {seconds:.0f} s"


def graph(description: "dict[str, object]") -> object:
    """The resources with their paths, verbs and children, in sorted order."""
    resources = description["resources"]
    assert isinstance(resources, dict)
    return {name: (each["path"], sorted(each["can"]), sorted(each["has"])) for name, each in sorted(resources.items())}


def build(tools: Tools, declaration: Path, name: str) -> Path:
    tools.succeed(["make", f"ROUTES={declaration}", f"COMMAND={tools.command.parent}"], ROOT)
    return ROOT / "build/routes" / name


def refused(tools: Tools, folder: Path) -> None:
    """`update`, which statuses do not have, compiles in no language."""
    wrong = tools.work / "wrong"
    wrong.with_suffix(".c").write_text(
        '#include "social.h"\nint main(void) { social_status at; routable_request *request;\n'
        "return (int)social_status_update_request(at, NULL, &request, NULL); }\n")
    tools.refuse(tools.c(f"-I{folder / 'include'}", "-fsyntax-only", wrong.with_suffix(".c")), "social_status_update_request")
    wrong.with_suffix(".py").write_text('from social import Social, StatusId\nSocial.open().status(StatusId("3")).update({})\n')
    tools.environment["MYPYPATH"] += f":{folder}"
    tools.refuse(tools.mypy(wrong.with_suffix(".py")), "StatusMember", "update")
    wrong.with_suffix(".swift").write_text("import RoutableCore\nlet wrong = Social.status(\"3\").update(body: .null)\n")
    tools.refuse(
        tools.swiftc("-typecheck", DECLARATION, wrong.with_suffix(".swift")), "requires that 'Status' conform to 'Updatable'")


def broken(tools: Tools) -> None:
    """A file that declares no API, two APIs, or one with another name: one sentence for each, and no library."""
    for name, source, said in (
        ("none", "import Routable\n", "declares no API"),
        ("two", "import Routable\nenum A: API {}\nenum B: API {}\n", "several APIs, A, B"),
        ("other", DECLARATION.read_text(), 'called "social" and the library "other"'),
        ("unlisted", DECLARATION.read_text().replace("AnyResource(Picture.self), ", ""),
         'User.pictures returns the resource "picture", which is not in the children of "user"'),
    ):
        path = tools.work / f"{name}.swift"
        path.write_text(source)
        ran = tools.run(["make", f"ROUTES={path}", f"COMMAND={tools.command.parent}"], ROOT)
        require(ran.returncode != 0 and said in ran.stderr, f"{name}.swift: {ran.stdout + ran.stderr}")
        require(not (ROOT / "build/routes" / name / f"{name}.h").exists(), f"{name}.swift has a header")
