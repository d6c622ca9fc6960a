"""The declarations of the headers as clang reports them: types, positions, values of constants and layouts of structs."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

Node = Dict[str, Any]
FLAGS = ["-std=c11", "-fsyntax-only", "-ferror-limit=0", "-w"]


def clang() -> str:
    """The clang in the folder of swiftc, as in the Makefile."""
    swiftc = os.environ.get("SWIFTC", "swiftc")
    said = subprocess.run([swiftc, "-print-target-info"], check=True, capture_output=True, text=True).stdout
    return str(Path(json.loads(said)["paths"]["runtimeResourcePath"]).parent.parent / "bin/clang")


class Compiler:
    """Runs clang over all headers at once, in an order in which a header follows the headers that it includes."""

    def __init__(self, include: Path) -> None:
        self.include = include.resolve()
        self.clang = clang()
        first = [self.include / "routable.h"]
        self.headers = first + [path for path in sorted(self.include.rglob("*.h")) if path not in first]
        words = subprocess.run(["pkg-config", "--cflags", "jansson", "libcurl"], check=True, capture_output=True, text=True)
        self.flags = [*FLAGS, f"-I{self.include}", *words.stdout.split()]
        self.lines = [f'#include "{path}"' for path in self.headers]

    def _run(self, lines: List[str], *flags: str, strict: bool = True) -> str:
        with tempfile.TemporaryDirectory() as work:
            source = Path(work) / "headers.c"
            source.write_text("\n".join([*self.lines, *lines]) + "\n", encoding="utf-8")
            ran = subprocess.run([self.clang, *self.flags, *flags, str(source)], capture_output=True, text=True)
            if strict and ran.returncode != 0:
                raise SystemExit(f"clang does not read include/*.h:\n{ran.stderr}")
            return ran.stdout

    def declarations(self) -> List[Node]:
        """Each declaration of include/*.h, with `path` and `at`, the offset in its header."""
        tree = json.loads(self._run([], "-Xclang", "-ast-dump=json", "-Xclang", "-skip-function-bodies"))
        _place(tree, {})
        return [node for node in tree["inner"] if self._is_ours(node)]

    def _is_ours(self, node: Node) -> bool:
        return str(node.get("path", "")).startswith(f"{self.include}{os.sep}") and not node.get("isImplicit")

    def macros(self) -> Dict[str, List[Tuple[str, str]]]:
        """For each header the macros that it defines: the name, with its parameters, and the replacement text."""
        found: Dict[str, List[Tuple[str, str]]] = {}
        path = ""
        for line in self._run([], "-E", "-dD").splitlines():
            place = re.match(r'# \d+ "((?:[^"\\]|\\.)*)"', line)
            if place:
                path = _unescaped(place[1])
            macro = re.match(r"#define (ROUTABLE_\w+(?:\([^)]*\))?) ?(.*)", line)
            if macro and path.startswith(f"{self.include}{os.sep}"):
                found.setdefault(path, []).append((macro[1], macro[2]))
        return found

    def values(self, expressions: List[str]) -> List[Optional[int]]:
        """The value of each constant expression; None for an expression that is not a constant integer."""
        lines = [f"enum {{ routable_probe_{index} = ({each}) }};" for index, each in enumerate(expressions)]
        tree = json.loads(self._run(lines, "-Xclang", "-ast-dump=json", "-Xclang", "-skip-function-bodies", strict=False))
        found: Dict[str, int] = {}
        for node in tree["inner"]:
            for constant in node.get("inner", []) if node["kind"] == "EnumDecl" else []:
                value = _constant(constant) if str(constant.get("name", "")).startswith("routable_probe_") else None
                if value is not None:
                    found[constant["name"]] = value
        return [found.get(f"routable_probe_{index}") for index in range(len(expressions))]


def _unescaped(text: str) -> str:
    """The path in a line marker, in which clang escapes quotes, backslashes and all bytes that are not ASCII."""
    def byte(found: re.Match[bytes]) -> bytes:
        return bytes([int(found[1], 8)]) if found[1].isdigit() else found[1]

    return re.sub(rb"\\([0-7]{3}|.)", byte, text.encode()).decode()


def _constant(node: Node) -> Optional[int]:
    """The number of an enumerator, below any conversions."""
    for inner in node.get("inner", []):
        if inner["kind"] == "ConstantExpr" and "value" in inner:
            return int(inner["value"])
        found = _constant(inner)
        if found is not None:
            return found
    return None


def _place(node: Any, state: Dict[str, str]) -> None:
    """Writes the file and the offset into each node.  clang names a file only if it differs from that of the previous node in the
    order of its output, so that all nodes are visited in that order."""
    if isinstance(node, list):
        for each in node:
            _place(each, state)
        return
    if not isinstance(node, dict):
        return
    if "offset" in node and "tokLen" in node:
        state["file"] = node.get("file", state.get("file", ""))
        node["file"] = state["file"]
        return
    for key, each in node.items():
        if key != "includedFrom":
            _place(each, state)
    place = node.get("loc")
    if place:
        place = place.get("expansionLoc", place)
        if "offset" in place:
            node["path"], node["at"] = place["file"], place["offset"]
