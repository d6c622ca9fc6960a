"""Lifetimes of objects: closing, closing twice, and releasing in any order."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
import threading
import weakref
from pathlib import Path

import pytest
import routable
from slowness import SLOWNESS

DOCUMENT = {"routable": 1, "base": "http://h", "resources": {"user": {"path": "users", "can": ["read"], "x-k": 7}}}


def test_close_twice_is_fine_and_use_after_close_is_a_value_error() -> None:
    api = routable.open(DOCUMENT)
    request = api.user("1").read()
    for owned in (request, api):
        assert not owned.closed
        owned.close()
        owned.close()
        assert owned.closed
        assert "closed" in repr(owned)
    with pytest.raises(ValueError, match="Request is closed"):
        request.url
    with pytest.raises(ValueError, match="Request is closed"):
        request.set_header("a", "b")
    with pytest.raises(ValueError, match="Router is closed"):
        api.map()
    with pytest.raises(ValueError, match="Router is closed"):
        api.user


def test_a_step_of_a_closed_router_refuses() -> None:
    api = routable.open(DOCUMENT)
    member = api.user("1")
    api.close()
    with pytest.raises(ValueError, match="closed"):
        member.read()


def test_with_closes_the_object() -> None:
    with routable.open(DOCUMENT) as api, api.user("1").read() as request:
        assert request.url == "http://h/users/1"
    assert api.closed and request.closed
    with pytest.raises(ValueError):
        api.__enter__()


def test_a_request_outlives_its_router() -> None:
    api = routable.open(DOCUMENT)
    request = api.user("1").read()
    api.close()
    gc.collect()
    assert str(request) == "GET http://h/users/1"


def test_user_data_outlives_its_router() -> None:
    api = routable.open(DOCUMENT)
    user = api.resources["user"]
    api.close()
    del api
    gc.collect()
    assert user.user_data["x-k"] == 7


def test_the_last_reference_frees_the_object() -> None:
    api = routable.open(DOCUMENT)
    handle = weakref.ref(api._handle)
    member = api.user("1")
    del api
    gc.collect()
    assert handle() is not None, "a step keeps its router"
    del member
    gc.collect()
    assert handle() is None


def test_closing_while_another_thread_reads() -> None:
    """A running call holds a reference to the object, so that closing it concurrently frees nothing that the call uses."""
    for _ in range(50):
        api = routable.open(DOCUMENT)
        started, ends = threading.Event(), []

        def read() -> None:
            try:
                while api.user("1").read().url == "http://h/users/1":
                    started.set()
                ends.append("another URL")
            except Exception as error:
                ends.append(f"{type(error).__name__}: {error}")

        thread = threading.Thread(target=read)
        thread.start()
        assert started.wait(10 * SLOWNESS), ends
        api.close()
        thread.join(10 * SLOWNESS)
        assert ends == ["ValueError: this Router is closed"]


def test_no_pointer_is_taken_for_another_type() -> None:
    with routable.Client() as client, pytest.raises(TypeError):
        client.perform(routable.open(DOCUMENT))  # type: ignore[call-overload]


def run_python(code: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    source = str(Path(routable.__file__).resolve().parents[1])
    env = {**os.environ, "PYTHONPATH": source, **environment}
    return subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)


def test_the_process_ends_cleanly_with_objects_alive() -> None:
    ended = run_python(
        f"import routable; api = routable.open({DOCUMENT!r}); c = routable.Client(); r = api.user('1').read(); print(r)"
    )
    assert (ended.returncode, ended.stdout.strip()) == (0, "GET http://h/users/1"), ended.stderr


def test_a_missing_library_is_one_import_error_with_every_path() -> None:
    ended = run_python("import routable", ROUTABLE_LIBRARY="/nowhere/libroutable.so.0")
    assert ended.returncode == 1
    assert "ImportError" in ended.stderr and "/nowhere/libroutable.so.0" in ended.stderr
    assert "ROUTABLE_LIBRARY" in ended.stderr


def test_another_library_is_an_import_error() -> None:
    ended = run_python("import routable", ROUTABLE_LIBRARY="libc.so.6")
    assert "ImportError" in ended.stderr and "not libroutable" in ended.stderr


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs a C compiler")
@pytest.mark.parametrize(("version", "fine"), [(0x000200, True), (0x000000, False), (0x010100, False)])
def test_only_a_library_of_the_same_interface_version_is_loaded(tmp_path: Path, version: int, fine: bool) -> None:
    program = tmp_path / "other.c"
    program.write_text(f"unsigned routable_version(void) {{ return {version}u; }}")
    library = tmp_path / "libother.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", str(library), str(program)], check=True)
    ended = run_python("import routable._load", ROUTABLE_LIBRARY=str(library))
    assert "ImportError" in ended.stderr
    named = "is " + ".".join(str(version >> shift & 0xFF) for shift in (16, 8, 0))
    assert (named not in ended.stderr) is fine
    assert ("has no function" in ended.stderr) is fine


FAULTS = """
import resource, routable
client = routable.Client()
def bodies(rounds):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(rounds):
        kept = [b"x" * 100_000 + b"%d" % number for number in range(32)]
        while kept:
            kept.pop()
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
bodies(5)
print(bodies(20))
"""


@pytest.mark.skipif(
    not hasattr(os, "confstr") or "CS_GNU_LIBC_VERSION" not in os.confstr_names or "LD_PRELOAD" in os.environ,
    reason="of glibc's own allocation",
)
def test_freed_memory_of_bodies_is_reused() -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MALLOC_", "GLIBC_TUNABLES"))}
    told = subprocess.run([sys.executable, "-c", FAULTS], env=environment, check=True, capture_output=True, text=True).stdout
    # Otherwise, each of the 640 bodies causes 24 page faults.
    assert int(told) < 640
