"""The branches into the blocks that call the trap function, for checks.c: from the machine code of x86-64."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from toolchain import tool

TRAP = "csystem_trap"
# Functions that do not return.
ENDS = rf"<(?:{TRAP}|__stack_chk_fail|abort)\b"


def branches(library: Path) -> list[tuple[int, int, int, int, int]]:
    """Branch, its length, whether it leads to the block, the block, and the address behind the call; sorted by branch."""
    listing = subprocess.Popen(
        [tool("llvm-objdump"), "-d", "--no-show-raw-insn", "--no-leading-headers", str(library)], stdout=subprocess.PIPE, text=True)
    assert listing.stdout is not None
    found: list[tuple[int, int, int, int, int]] = []
    function: list[tuple[int, str, str]] = []
    name = ""

    def close() -> None:
        if name != TRAP and any(TRAP in operands for _, _, operands in function):
            found.extend(of_function(function))
        function.clear()

    for line in listing.stdout:
        head = re.match(r"[0-9a-f]+ <(.+)>:$", line)
        if head:
            close()
            name = head[1]
            continue
        part = re.match(r"\s*([0-9a-f]+):\s+(\S+)\s*(.*)$", line)
        if part:
            function.append((int(part[1], 16), part[2], part[3]))
    close()
    if listing.wait() != 0:
        raise SystemExit("llvm-objdump failed")
    return sorted(set(found))


def of_function(code: list[tuple[int, str, str]]) -> list[tuple[int, int, int, int, int]]:
    targets: dict[int, list[int]] = {}
    for index, (_, word, operands) in enumerate(code):
        to = re.match(r"0x([0-9a-f]+)", operands)
        if to and word.startswith("j"):
            targets.setdefault(int(to[1], 16), []).append(index)
    result = []
    for index, (address, word, operands) in enumerate(code):
        if TRAP not in operands or not word.startswith(("call", "j")):
            continue
        behind = code[index + 1][0] if index + 1 < len(code) else address + 5
        # A jump has no address behind it: the line names the caller's caller.
        if not word.startswith("call"):
            continue
        # Up to where the block begins: a place that is jumped to, or behind a branch.
        first = index
        known = 0
        while first >= 0:
            at = code[first][0]
            for source in targets.get(at, []):
                if code[source][1] != "jmp":
                    result.append((code[source][0], length(code, source), 1, at, behind))
                    known += 1
            if first == 0:
                break
            before = code[first - 1][1]
            if before.startswith("j") and before != "jmp":
                result.append((code[first - 1][0], length(code, first - 1), 0, at, behind))
                known += 1
                break
            if before in ("jmp", "ret", "retq", "ud2", "int3") or re.search(ENDS, code[first - 1][2]):
                break
            first -= 1
        if known == 0:
            result.append((code[first][0], 0, 1, code[first][0], behind))
    return result


def length(code: list[tuple[int, str, str]], index: int) -> int:
    return code[index + 1][0] - code[index][0]
