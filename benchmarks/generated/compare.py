#!/usr/bin/env python3
"""`routable generate python` compared with openapi-python-client (docs/generate.md): types, files, import times, and ten tasks.

    benchmarks/generated/compare.py --documents FOLDER [--command build/command/routable] [--library build/embedded/libroutable.so.0]

FOLDER has the three documents of CHOSEN.  Both generate code for them.  A success is typed if it is a class, or a list of one, and not any JSON.
openapi-python-client and pyright are installed into build/generated-tools on the first run.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Set

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "Tests/generate"))

from strict import installed  # noqa: E402

#: The name of each document, and an operation whose module is imported.
CHOSEN = {"github": ("github-api", "repos.reposget"), "openai": ("openai-3.0", "chat.create_chat_completion"),
          "nexus": ("oxide-nexus", "projects.project_list_v1")}
METHODS = ("get", "put", "post", "patch", "delete", "head", "options")
ROUNDS = 11


def json_successes(document: Dict[str, Any]) -> Set[str]:
    """The ids of the operations whose success is declared as JSON."""
    def target(value: Any) -> Any:
        while "$ref" in value:
            found: Any = document
            for step in value["$ref"][2:].split("/"):
                found = found[step.replace("~1", "/").replace("~0", "~")]
            value = found
        return value

    def is_json(response: Any) -> bool:
        return any("json" in media or media == "*/*" for media in target(response).get("content", {}))

    return {operation["operationId"] for item in document["paths"].values() for method, operation in item.items()
            if method in METHODS and any(status[0] == "2" and is_json(each) for status, each in operation["responses"].items())}


def typed_here(module: str, wanted: Set[str]) -> int:
    calls = re.finditer(r'-> \w*Call\w*\[(.*?)\]:\n(?:.*?)return self\._call\(\s*"([^"]+)"', module, re.DOTALL)
    results = {each[2]: each[1] for each in calls}
    return sum(not results.get(name, "Any").startswith(("Any", "routable.Response", "None", "Dict[str, Any]")) for name in wanted)


def typed_there(package: Path) -> int:
    count = 0
    for path in (package / "api").rglob("*.py"):
        body = re.search(r"def _parse_response.*?\n(.*?)\ndef ", path.read_text(), re.DOTALL)
        cases = re.split(r"    if response\.status_code == |    if \d+ <= response", body[1])[1:] if body else []
        count += any(re.match(r"2\d\d", case) and "cast(Any" not in case and re.search(r"from_dict|cast\(|check_|response\.json\(\)", case)
                     for case in cases)
    return count


def import_time(python: Path, module: str, environment: Dict[str, str]) -> float:
    code = f"import time; start = time.perf_counter(); import {module}; print((time.perf_counter() - start) * 1000)"
    times = [float(subprocess.run([str(python), "-c", code], env=environment, check=True, capture_output=True, text=True).stdout)
             for _ in range(ROUNDS + 1)]
    return statistics.median(times[1:])  # the first import writes the bytecode


def lines(paths: List[Path]) -> int:
    return sum(1 for path in paths for line in path.read_text().splitlines() if line.strip())


def main() -> int:
    words = argparse.ArgumentParser(description="Compares generated Python with that of openapi-python-client.")
    words.add_argument("--command", type=Path, default=ROOT / "build/command/routable")
    words.add_argument("--library", type=Path, default=ROOT / "build/embedded/libroutable.so.0")
    words.add_argument("--documents", type=Path, required=True)
    given = words.parse_args()
    python = installed()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        (work / "config.yml").write_text("literal_enums: true\n")  # otherwise it cannot read GitHub's document
        environment = dict(os.environ, ROUTABLE_LIBRARY=str(given.library.resolve()), PYTHONPATH=f"{ROOT / 'bindings/python/src'}:{work}")
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        environment["PYTHONPYCACHEPREFIX"] = str(work / "cache")
        for name, (file, operation) in CHOSEN.items():
            path, module, package = given.documents / f"{file}.json", work / f"{name}_api.py", work / f"{name}_client"
            subprocess.run([str(given.command), "generate", "python", str(path), "--name", name, "-o", str(module)], check=True)
            ran = subprocess.run(
                [str(python.parent / "openapi-python-client"), "generate", "--path", str(path), "--config", str(work / "config.yml"),
                 "--meta", "none", "--output-path", str(package)], capture_output=True, text=True)
            said = ran.stdout + ran.stderr
            wanted = json_successes(json.loads(path.read_text()))
            files = list(package.rglob("*.py"))
            print(f"{name}: {len(wanted)} operations have a success of JSON; typed: {typed_here(module.read_text(), wanted)}, "
                  f"openapi-python-client {typed_there(package)}, which does not generate "
                  f"{said.count('Endpoint will not be generated')} operations and omits {said.count('Cannot parse response')} responses")
            print(f"{name}: import {import_time(python, module.stem, environment):.0f} ms, openapi-python-client "
                  f"{import_time(python, f'{package.name}.api.{operation}', environment):.0f} ms for one operation; "
                  f"{lines([module])} lines in 1 file, {lines(files)} in {len(files)}")
        tasks = [HERE / "tasks_routable.py", HERE / "tasks_openapi_python_client.py"]
        for path in tasks:
            (work / path.name).write_text(path.read_text())
        (work / "pyrightconfig.json").write_text(json.dumps({
            "include": [path.name for path in tasks], "extraPaths": [".", str(ROOT / "bindings/python/src")]}))
        subprocess.run([str(python), "-m", "pyright", "--pythonpath", str(python)], cwd=work, check=True)
        print(f"ten tasks, both without an error of pyright: {lines(tasks[:1])} lines, openapi-python-client {lines(tasks[1:])}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
