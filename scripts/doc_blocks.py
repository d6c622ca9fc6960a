"""The fenced code blocks of a Markdown page, with the words of their fences, which define how each is checked."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

COMMENT = re.compile(r"<!--\s*check:")
FENCE = re.compile(r"^(\s*)(`{3,}|~{3,})[ \t]*([\w+-]*)(?:[ \t]+([^`]*?))?[ \t]*$")
WITHOUT_VALUE = {"continue", "output", "service"}
WITH_VALUE = {"file", "golden", "inside", "raises", "schema"}


class Fault(Exception):
    """A fault of a block at `line`, from 1."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(what)
        self.line = line


@dataclass
class Block:
    """A fenced block.  `line` is the line of its fence, `says` are the words after the language."""

    line: int
    language: str
    text: str
    says: dict[str, str] = field(default_factory=dict)


def words_of(line: int, text: str) -> dict[str, str]:
    """The words of a fence: `file=x.c`, `continue`, `skip because ...`."""
    said: dict[str, str] = {}
    while text:
        word, _, rest = text.partition(" ")
        name, equals, value = word.partition("=")
        if name == "skip":
            if not re.match(r"because \S", rest):
                raise Fault(line, "skip wants a reason: skip because ...")
            return {**said, "skip": rest}
        if not (name in WITHOUT_VALUE and not equals or name in WITH_VALUE and value):
            known = [*sorted(WITHOUT_VALUE), *(f"{each}=..." for each in sorted(WITH_VALUE)), "skip because ..."]
            raise Fault(line, f"{word}: a fence says {', '.join(known)}")
        said[name] = value
        text = rest.strip()
    return said


def read_page(page: Path) -> list[Block]:
    found: list[Block] = []
    lines = page.read_text(encoding="utf-8").splitlines()
    number = 0
    while number < len(lines):
        line, number = lines[number], number + 1
        fence = FENCE.match(line)
        if COMMENT.search(line):
            raise Fault(number, "what is checked stands on the fence of the block: ```c file=hello.c")
        if fence:
            start, body = number, []
            while number < len(lines) and lines[number].strip() != fence[2]:
                body.append(lines[number].removeprefix(fence[1]))
                number += 1
            if number == len(lines):
                raise Fault(start, "the block has no end")
            number += 1
            found.append(Block(start, fence[3], "".join(f"{each}\n" for each in body), words_of(start, fence[4] or "")))
        elif line.lstrip().startswith(("```", "~~~")):
            raise Fault(number, f"{line.strip()!r} is no fence that is understood")
    return found


def expected_lines(text: str) -> str:
    """The output that the comments `prints: ...` of a program state, in order."""
    found = re.findall(r"(?://|#|/\*|\*)\s*prints:\s*(.*?)\s*(?:\*/)?$", text, re.MULTILINE)
    return "".join(f"{each}\n" for each in found)


def same(expected: str, got: str) -> bool:
    """Whether the outputs are equal; a line `...` matches any number of lines, and trailing white space is ignored."""
    pattern = ""
    for line in expected.rstrip().split("\n"):
        pattern += r"(?:.*\n)*" if line.strip() == "..." else re.escape(line.rstrip()) + r"[ \t]*\n"
    return re.fullmatch(pattern, got.rstrip() + "\n") is not None
