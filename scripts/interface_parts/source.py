"""The text of one header: its comments, and the ranges of declarations.

clang reports the declarations and their types (declarations.py), but does not attach plain comments.  This module attaches a comment
before a declaration, after it on the same line, or before a group of declarations."""

from __future__ import annotations

import re
from pathlib import Path
from typing import List, NamedTuple, Optional, Tuple

TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:\\\n|/\*.*?\*/|[^\n])*', re.S | re.M)


class Comment(NamedTuple):
    begin: int
    end: int
    text: str  # without the marks, in lines as in the header
    alone: bool  # only white space precedes it on its line


class Section(NamedTuple):
    begin: int
    title: str
    text: str
    level: int


class Source:
    """One header.  Offsets are those of characters; headers are ASCII, so they are those of bytes, too."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.text = path.read_text(encoding="ascii")
        self.comments: List[Comment] = []
        self.sections: List[Section] = []
        # The code alone: comments become blanks, and the end of a preprocessor line ends a declaration as `;` does.
        code = list(self.text)
        for found in TOKEN.finditer(self.text):
            word = found.group()
            begin, end = found.span()
            if word.startswith(("/*", "//")):
                self._add_comment(begin, end, word)
                code[begin:end] = ["\n" if c == "\n" else " " for c in word]
            elif word.lstrip().startswith("#"):
                code[begin:end] = ["\n" if c == "\n" else " " for c in word]
                code[end - 1] = ";"
                for inner in re.finditer(r"/\*.*?\*/", word, re.S):
                    self._add_comment(begin + inner.start(), begin + inner.end(), inner.group())
        self.code = "".join(code)

    def _add_comment(self, begin: int, end: int, word: str) -> None:
        line = self.text.rfind("\n", 0, begin) + 1
        text = _without_marks(word)
        rule = re.match(r"-{20,}\n+(.*)", text, re.S)
        if rule:
            title, _, rest = rule[1].strip().partition("\n\n")
            self.sections.append(Section(begin, " ".join(title.split()), rest, 1))
        elif re.fullmatch(r"--- .* ---", " ".join(text.split())):
            self.sections.append(Section(begin, " ".join(text.split())[4:-4], "", 2))
        else:
            self.comments.append(Comment(begin, end, text, not self.text[line:begin].strip()))

    def statement(self, inside: int) -> Tuple[int, int]:
        """The range of the declaration around an offset, which ends after its `;` or `}`."""
        begin = max(self.code.rfind(mark, 0, inside) for mark in ";{}") + 1
        begin += len(self.code[begin:]) - len(self.code[begin:].lstrip())
        depth, at = 0, inside
        while at < len(self.code):
            letter = self.code[at]
            if letter == "{":
                depth += 1
            elif letter == "}":
                depth -= 1
            if depth < 0 or (letter == ";" and depth == 0):
                break
            at += 1
        return begin, min(at + 1, len(self.code))

    def before(self, begin: int) -> Optional[Comment]:
        """The comment that ends on the line above, or earlier on the line."""
        for comment in reversed(self.comments):
            if comment.end <= begin:
                between = self.text[comment.end : begin]
                return comment if comment.alone and not between.strip() and between.count("\n") <= 1 else None
        return None

    def behind(self, end: int) -> Optional[Comment]:
        """The comment that begins on the line where a declaration ends."""
        for comment in self.comments:
            if comment.begin >= end:
                between = self.code[end : comment.begin]
                return comment if not between.strip(" ,;") and not comment.alone else None
        return None

    def line_end(self, end: int) -> int:
        """The end of the declaration with the comment after it."""
        comment = self.behind(end)
        return comment.end if comment else end

    def adjacent(self, end: int, begin: int) -> bool:
        """Whether a declaration follows another one directly."""
        return not self.text[end:begin].strip() and self.text[end:begin].count("\n") <= 1

    def section(self, at: int) -> Tuple[str, str]:
        """The titles of the section and of the subsection at an offset."""
        title = part = ""
        for each in self.sections:
            if each.begin < at:
                title, part = (each.title, "") if each.level == 1 else (title, each.title)
        return title, part


def _without_marks(word: str) -> str:
    if word.startswith("//"):
        return word[2:].strip()
    lines = word[2:-2].split("\n")
    rest = [re.sub(r"^[ \t]*\*? ?", "", line).rstrip() for line in lines[1:]]
    return "\n".join([lines[0].strip(), *rest]).strip("\n").rstrip()


def paragraphs(text: str) -> str:
    """Prose with one line for each paragraph; lines that are indented by four or more spaces are not changed."""
    blocks: List[str] = []
    for block in re.split(r"\n\s*\n", text):
        lines: List[str] = []
        for line in block.split("\n"):
            if line.startswith("    ") or not lines or lines[-1].startswith("    "):
                lines.append(line)
            else:
                lines[-1] = f"{lines[-1]} {line.strip()}"
        blocks.append("\n".join(lines))
    return re.sub(r"(?<=\S)  +(?=\S)", " ", "\n\n".join(blocks)) if "    " not in text else "\n\n".join(blocks)
