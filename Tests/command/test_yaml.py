"""Unusual YAML: the stored fuzz inputs, and documents whose aliases expand to a large size."""

from __future__ import annotations

import resource
import subprocess
from pathlib import Path

import pytest
from conftest import ROOT, SECONDS, Ended, command, environment

KEPT = sorted(path for folder in ("corpus", "finds") for path in (ROOT / "fuzz" / folder / "yaml").glob("*"))


def check(text: bytes) -> Ended:
    """Runs `routable check` on standard input, with 4 GB of address space."""
    ran = subprocess.run(
        [command(), "check", "-"], input=b"--- " + text, capture_output=True, timeout=SECONDS, env=environment(),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30)))
    return Ended(ran.returncode, ran.stdout.decode(), ran.stderr.decode())


@pytest.mark.parametrize("path", KEPT, ids=[path.name for path in KEPT])
def test_stored_inputs_have_a_result_or_an_error(path: Path) -> None:
    ended = check(path.read_bytes())
    assert 0 <= ended.status < 64, ended
    assert ended.status == 0 or "error: " in ended.out, ended


def nested(levels: int, chains: int) -> str:
    """Aliases in aliases: each line is nested deeper than the previous one by this number of levels."""
    lines = [f"\n- &a0 {'[' * levels}1{']' * levels}"]
    lines += [f"- &a{number} {'[' * levels}*a{number - 1}{']' * levels}" for number in range(1, chains)]
    return "\n".join(lines)


@pytest.mark.parametrize("name, text, message", [
    ("levels of aliases", nested(400, 140), "more than 512 levels of nesting"),
    ("levels", "[" * 600 + "]" * 600, "more than 512 levels of nesting"),
    ("bytes of aliases", "\n- &a " + "x" * (1 << 20) + "\n" + "- *a\n" * 1000, "bytes as JSON"),
    ("values of aliases", "\n- &a0 [1,1,1,1,1,1,1,1]\n" + "".join(
        f"- &a{number} [{', '.join([f'*a{number - 1}'] * 8)}]\n" for number in range(1, 12)), "more than 4000000 values"),
    ("a key twice", "\na: 1\nb: 2\na: 3\n", 'the key "a" is given twice in one mapping'),
    ("keys of aliases", "\n- &a {? " + "k" * (1 << 20) + " : 1}\n" + "- *a\n" * 1000, "bytes as JSON"),
    ("merged", "\na: &a {x: 1}\nb: {<<: [*a, 1]}\n", "<< can only merge a mapping or a sequence of mappings"),
])
def test_documents_that_expand_over_a_limit_are_refused(name: str, text: str, message: str) -> None:
    ended = check(text.encode())
    assert ended.status == 1 and message in ended.out, (name, ended.status, (ended.out + ended.err)[:500])
