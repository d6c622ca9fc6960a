"""Generated Python also passes pyright in its strict mode (docs/generate.md).

pyright is installed into build/generated-tools on the first run, with the node that its package brings.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import List

from harness import ROOT, Tools, require
from measure import documents

FOLDER = ROOT / "build/generated-tools"
WRONG = '''from api0 import Whole

api = Whole.open_file("description.json")
number: int = api.there_is_no_such_operation()
'''


def installed() -> Path:
    """The Python of a separate environment, in which pyright is installed."""
    wanted = (ROOT / "Tests/generate/requirements.txt").read_text()
    python, record = FOLDER / "bin/python", FOLDER / "requirements.txt"
    if not record.exists() or record.read_text() != wanted:
        subprocess.run([sys.executable, "-m", "venv", str(FOLDER)], check=True)
        words = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", str(ROOT / "Tests/generate/requirements.txt")]
        subprocess.run([str(python), *words], check=True, stdin=subprocess.DEVNULL)
        record.write_text(wanted)
    return python


def pyright(tools: Tools) -> str:
    """All documents; a wrong program must be refused, so that a run that checks nothing fails."""
    found: List[Path] = documents(tools.data)
    require(bool(found), f"no documents in {tools.data}")
    python = installed()
    for number, document in enumerate(found):
        tools.generate("python", document, tools.work / f"api{number}.py", "--name", "Whole")
        tools.generate("python", document, tools.work / f"classes{number}.py", "--name", "Whole", "--dataclasses")
    (tools.work / "pyrightconfig.json").write_text(json.dumps({
        "include": ["."], "extraPaths": [str(ROOT / "bindings/python/src")], "typeCheckingMode": "strict"}))
    words = [python, "-m", "pyright", "--pythonpath", python]
    tools.succeed(words)
    (tools.work / "wrong.py").write_text(WRONG)
    tools.refuse(words, "there_is_no_such_operation", "wrong.py")
    return f"{len(found)} documents pass pyright in its strict mode, with TypedDicts and with dataclasses, and a wrong program does not"
