"""The limit of the library's memory that the host sets: MemoryError, and no change of any object."""

import subprocess
import sys

import pytest

import routable

# In a separate process: the limit applies to the whole process, and memory is counted from the first call on.
PROGRAM = """
import json, routable
if "libstdc++" in open("/proc/self/maps").read():
    raise SystemExit("Swift's ordinary runtime is inside: its allocations are not counted")
routable.set_memory_limit(None)
api = routable.loads('{"routable": 1, "base": "https://h.test", "resources": {"user": {"path": "users", "can": ["read"]}}}')
before = routable.memory_used()
large = json.dumps({"routable": 1, "base": "https://h.test", "resources": {f"r{i}": {"path": f"r{i}", "can": ["read"]} for i in range(3000)}})
assert before > 0
routable.set_memory_limit(before + (256 << 10))
try:
    routable.loads(large)
    raise SystemExit("no error")
except MemoryError as error:
    assert isinstance(error, routable.OutOfMemoryError) and error.status == "memory", error
assert routable.memory_used() < before + 4096, (before, routable.memory_used())
assert api.user("a").read().url == "https://h.test/users/a"
routable.set_memory_limit(1 << 30)
assert len(routable.loads(large).resources) == 3000
routable.set_memory_limit(None)
print("ok")
"""


def test_the_limit_raises_memory_error() -> None:
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=120)
    if "ordinary runtime" in ran.stderr:
        pytest.skip(ran.stderr)
    assert (ran.returncode, ran.stdout) == (0, "ok\n"), ran.stderr


@pytest.mark.parametrize("limit", [0, -1, 1 << 63])
def test_invalid_limits_are_refused(limit: int) -> None:
    with pytest.raises(ValueError, match="positive"):
        routable.set_memory_limit(limit)
