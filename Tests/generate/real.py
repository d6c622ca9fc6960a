"""Whole documents: the generated code compiles without warnings in every language (docs/generate.md)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import List

from harness import OWN, Tools
from measure import documents, measured, share, GOAL
from harness import require

THREE = ["openai-3.0.json", "redocly-museum-3.1.json", "oxide-nexus.json"]
#: The documents that a Swift compiler checks, which takes seconds each.
LARGE = ["github-api.json", "box.json", "openai-3.0.json", "twilio-api-v2010.json", "kubernetes-core-v1.json", "kubernetes-apps-v1.json",
         "adyen.com_ManagementService_1.json", "oxide-nexus.json", "star-trek.json", "chroma-3.1.json", "discourse.local_latest.json"]
CLANG = [os.path.join(folder, "clang") for folder in os.environ.get("PATH", "").split(os.pathsep)
         if os.access(os.path.join(folder, "clang"), os.X_OK)][:1]


def some(data: Path) -> List[Path]:
    """The documents of this repository, or three of another folder; `make check-generated` tests all of that folder."""
    return [path for path in documents(data) if data == OWN or path.name in THREE]


def real(tools: Tools) -> str:
    return compiled(tools, some(tools.data), must_have_types=True)


def every(tools: Tools) -> str:
    return compiled(tools, documents(tools.data), must_have_types=False)


def compiled(tools: Tools, found: List[Path], must_have_types: bool) -> str:
    require(bool(found), f"no documents in {tools.data}")
    empty = tools.work / "empty.c"
    empty.write_text("int main(void)\n{\n    return 0;\n}\n")
    modules: List[Path] = []
    swift = 0
    for number, document in enumerate(found):
        module, header = tools.work / f"api{number}.py", tools.work / f"api{number}.h"
        tools.generate("python", document, module, "--name", f"api{number}")
        tools.generate("c", document, header, "--name", f"api{number}")
        modules.append(module)
        modules.append(tools.work / f"classes{number}.py")
        tools.generate("python", document, modules[-1], "--name", f"api{number}", "--dataclasses")
        include = ["-Wconversion", "-include", header, "-fsyntax-only"]
        tools.succeed(tools.c(*include, empty))
        tools.succeed(tools.cxx("-Wconversion", "-include", header, "/dev/null"))
        for clang in CLANG:
            tools.succeed([clang, *tools.c(*include, empty)[1:]])
        if document.name in LARGE or tools.data == OWN:
            source = tools.work / f"Api{number}.swift"
            tools.generate("swift", document, source, "--name", f"Api{number}")
            tools.succeed(tools.swiftc("-typecheck", source))
            swift += 1
        report = measured(tools.command, document)
        again = measured(tools.command, document)
        require(report == again, f"{document.name}: two reports differ")
        if must_have_types:
            require(min(share(report, "results"), share(report, "bodies")) >= GOAL, f"{document.name}: {report}")
    tools.succeed(tools.mypy(*modules))
    compilers = "gcc, g++" + (", clang" if CLANG else "")
    return f"{len(found)} documents compile in {compilers} with -Wconversion and pass mypy --strict, {swift} of them in Swift 6"
