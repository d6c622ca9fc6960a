"""Python with dataclasses: a program that uses them, the errors of type checkers and of the classes, and the time of an import."""

from __future__ import annotations

import statistics
import sys

from harness import ROOT, Tools, require, slowness

HERE = ROOT / "Tests/generate"
WRONG = """from pets_api import Cat, Dog, Node
Cat(kind="cat", name="a", lives="9")
Dog(kind="dog")
Node("a")
Node(valeu="a")
print(Node(value="a").valeu)
print(Node(value="a").note.upper())
if mark := Node(value="a").note:
    print(mark.upper())
Node(value="a").note = 1
"""
#: Maximum, without the library's modules, which IMPORT imports first: they have no bytecode here (PYTHONDONTWRITEBYTECODE).
IMPORT_MILLISECONDS = 50
IMPORT = """import routable.records, routable.typed, time
start = time.process_time()
import github_api
print((time.process_time() - start) * 1000)
"""


def classes(tools: Tools) -> str:
    tools.environment["MYPYPATH"] += f":{tools.work}"
    tools.environment["PYTHONPATH"] += f":{tools.work}"
    (tools.work / "feed.json").write_text((HERE / "feed.json").read_text())
    for document, module in (("shop.json", "shop.py"), ("feed.json", "feed_api.py"), ("pets.json", "pets_api.py")):
        tools.generate("python", HERE / document, tools.work / module, "--dataclasses")
    (tools.work / "pets.json").write_text((HERE / "pets.json").read_text())
    tools.succeed(tools.mypy(HERE / "classes_program.py"))
    tools.succeed([sys.executable, "-W", "error", HERE / "classes_program.py"])
    wrong = tools.work / "wrong.py"
    wrong.write_text(WRONG)
    said = tools.run(tools.mypy(wrong)).stdout
    lines = {line.split(":")[1] for line in said.splitlines() if ": error" in line}
    require(lines == {"2", "3", "4", "5", "6", "7", "10"}, f"mypy refuses the lines {sorted(lines)}:\n{said}")
    ran = tools.run([tools.command, "generate", "c", HERE / "pets.json", "--dataclasses"])
    require(ran.returncode == 2 and "--dataclasses" in ran.stderr, f"dataclasses in C: {ran}")
    return "dataclasses read, written and refused"


def imported(tools: Tools) -> str:
    """Measures the import of a large module from its bytecode."""
    document = tools.data / "real/github-api.json"
    module = tools.work / "github_api.py"
    tools.generate("python", document, module, "--name", "github", "--dataclasses")
    tools.succeed([sys.executable, "-m", "py_compile", module])
    took = [float(tools.succeed([sys.executable, "-c", IMPORT])) / slowness(tools) for _ in range(7)]
    median = statistics.median(took)
    require(median < IMPORT_MILLISECONDS, f"{module.name} is imported in {median:.0f} ms, and at most {IMPORT_MILLISECONDS} are allowed")
    return f"{module.read_text().count('(DataRecord):')} of them imported in {median:.0f} ms"
