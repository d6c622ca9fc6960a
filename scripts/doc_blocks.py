"""The fenced code blocks of a Markdown page and the `<!-- check: ... -->` comments that say what they are."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

COMMENT = re.compile(r"<!--\s*check:\s*(.*?)\s*-->")
FENCE = re.compile(r"^(\s*)(`{3,}|~{3,})\s*([\w+-]*)\s*$")
WORDS = {"file", "output", "continue", "skip", "inside", "raises", "schema", "golden", "service", "holds"}


class Fault(Exception):
    """Something is wrong with a block; `line` is where, from 1."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(what)
        self.line = line


@dataclass
class Block:
    """A fenced block.  `line` is the line of its fence, `says` what the comments before it say."""

    line: int
    language: str
    text: str
    says: dict[str, str] = field(default_factory=dict)


@dataclass
class Claim:
    """`<!-- check: holds COMMAND -->`: a claim of the prose, and the command that succeeds when it is true."""

    line: int
    command: str


def said(line: int, text: str) -> tuple[str, str]:
    """The first word of a comment and the rest: `file=x.c`, `skip because ...`, `continue`."""
    match = re.match(r"(\w+)(?:=|\s+|$)(.*)", text)
    if match is None or match[1] not in WORDS:
        raise Fault(line, f"check: {text}: the comment begins with one of {', '.join(sorted(WORDS))}")
    if match[1] == "skip" and not re.match(r"because \S", match[2]):
        raise Fault(line, "check: skip wants a reason: skip because ...")
    return match[1], match[2].strip()


def read_page(page: Path) -> list[Block | Claim]:
    found: list[Block | Claim] = []
    pending: dict[str, str] = {}
    lines = page.read_text(encoding="utf-8").splitlines()
    number = 0
    while number < len(lines):
        line, number = lines[number], number + 1
        comment, fence = COMMENT.fullmatch(line.strip()), FENCE.match(line)
        if comment:
            word, rest = said(number, comment[1])
            if word == "holds":
                found.append(Claim(number, rest))
            else:
                pending[word] = rest
        elif fence:
            start, body = number, []
            while number < len(lines) and lines[number].strip() != fence[2]:
                body.append(lines[number].removeprefix(fence[1]))
                number += 1
            if number == len(lines):
                raise Fault(start, "the block has no end")
            number += 1
            found.append(Block(start, fence[3], "".join(f"{each}\n" for each in body), pending))
            pending = {}
        elif line.lstrip().startswith(("```", "~~~")):
            raise Fault(number, f"{line.strip()!r} is no fence that is understood")
        elif pending and line.strip():
            raise Fault(number, f"a comment says {', '.join(pending)} and no block follows it")
    return found


def expected_lines(text: str) -> str:
    """What the comments `prints: ...` of a program promise, in order."""
    found = re.findall(r"(?://|#|/\*|\*)\s*prints:\s*(.*?)\s*(?:\*/)?$", text, re.MULTILINE)
    return "".join(f"{each}\n" for each in found)


def same(expected: str, got: str) -> bool:
    """Equal, where a line `...` stands for any number of lines, and trailing white space does not count."""
    pattern = ""
    for line in expected.rstrip().split("\n"):
        pattern += r"(?:.*\n)*" if line.strip() == "..." else re.escape(line.rstrip()) + r"[ \t]*\n"
    return re.fullmatch(pattern, got.rstrip() + "\n") is not None
