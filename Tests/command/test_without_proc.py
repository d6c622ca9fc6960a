"""Without /proc, as in a bare chroot, the command cannot read its arguments, and reports that."""

from __future__ import annotations

import subprocess

import pytest
from conftest import ROOT, SECONDS, command, environment

#: A mount namespace where /proc is empty; root rights are not needed where user namespaces are allowed.
WITHOUT = ["unshare", "--map-root-user", "--mount", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"]


def test_a_missing_proc_is_reported() -> None:
    if subprocess.run([*WITHOUT, "true"], capture_output=True).returncode != 0:
        pytest.skip("no namespaces here")
    ended = subprocess.run([*WITHOUT, command(), "routes", ROOT / "examples" / "social.json"], capture_output=True, timeout=SECONDS, env=environment())
    assert ended.returncode == 2
    assert ended.stdout == b""
    assert ended.stderr == b"routable: the command line cannot be read: /proc is not mounted\n"
