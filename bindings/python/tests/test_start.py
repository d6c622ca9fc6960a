"""Modules that a program does not use are not imported."""

import os
import subprocess
import sys
from pathlib import Path

import routable

SOURCE = str(Path(routable.__file__).resolve().parent.parent)
PROGRAM = f"""
import sys
sys.path.insert(0, {SOURCE!r})
import routable
api = routable.loads('{{"routable": 1, "base": "https://h.test", "resources": {{"user": {{"path": "users", "id": "name", "can": ["read"]}}}}}}')
assert api.plan("user", "read")("a") == "https://h.test/users/a"
assert api.match("/users/a", "GET").ids == ("a",)
print(*sorted(sys.modules))
"""


def test_a_plan_and_a_match_need_few_modules() -> None:
    # -S: the site packages of this machine may import any modules at startup.
    done = subprocess.run([sys.executable, "-S", "-c", PROGRAM], capture_output=True, text=True, env=dict(os.environ), check=True)
    imported = set(done.stdout.split())
    heavy = {"asyncio", "base64", "binascii", "contextlib", "dataclasses", "datetime", "enum", "functools", "inspect", "json", "logging",
             "pathlib", "re", "threading", "typing", "urllib", "uuid"}
    assert not imported & heavy
    assert not imported & {f"routable.{name}" for name in ("client", "credential", "describe", "response", "schema", "trace", "transport")}
    assert not imported & {f"routable._capi.{name}" for name in ("bodies", "client", "credentials", "presentation", "transfers", "transport")}


def test_all_public_names_are_imported_on_use() -> None:
    for name in routable.__all__:
        assert getattr(routable, name) is not None
        assert name in dir(routable)
