"""The tools of the Swift toolchain, and the processor of a library, which may be another one than this machine's."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

if not os.environ.get("TMPDIR", "").isascii():  # as in scripts/environment.sh
    os.environ["TMPDIR"] = "/tmp"
MACHINES = {62: "x86_64", 183: "aarch64"}
#: Debian's names of processors.
DEBIAN = {"x86_64": "amd64", "aarch64": "arm64"}


def tool(name: str) -> str:
    """A tool by its path."""
    info = subprocess.run(["swiftc", "-print-target-info"], check=True, capture_output=True, text=True).stdout
    match = re.search(r'"runtimeResourcePath": *"([^"]+)"', info)
    if match is None:
        sys.exit("swiftc -print-target-info names no runtimeResourcePath")
    return str(Path(match[1]).parent.parent / "bin" / name)


def machine_of(library: Path) -> str:
    """The processor that an ELF file is for, by its name in uname."""
    with library.open("rb") as file:
        number = int.from_bytes(file.read(20)[18:20], "little")
    if number not in MACHINES:
        sys.exit(f"{library} is for a processor that is not known here ({number})")
    return MACHINES[number]
