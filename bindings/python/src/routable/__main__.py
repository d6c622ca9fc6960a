"""Runs the command `routable`, which the wheel contains: `python -m routable`, and the script `routable` of the wheel."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import NoReturn, Optional

BUNDLED = Path(__file__).resolve().parent / "bin" / "routable"


def command() -> Optional[str]:
    """The path of the command: the one of the wheel, or the one of another package on PATH; None if there is none."""
    if BUNDLED.exists():
        return str(BUNDLED)
    found = shutil.which("routable")
    if found is not None:
        with open(found, "rb") as file:  # a script may be this module again
            if file.read(4) == b"\x7fELF":
                return found
    return None


def main() -> NoReturn:
    path = command()
    if path is None:
        sys.exit(
            "routable: this installation of the Python package does not contain the command. It is in the wheel for x86-64, "
            "in the Debian package routable, and `make command` builds it.")
    os.execv(path, ["routable", *sys.argv[1:]])


if __name__ == "__main__":
    main()
