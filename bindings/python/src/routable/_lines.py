"""Splits the pieces of a stream into lines, as the library splits them, and reads lines of JSON.

A call of the library for each line would take longer than everything else: the stream gives pieces, and each piece is split, and
read, at once.  Items that cannot be read at once are read one by one, so that an exception comes at its line.
"""

from __future__ import annotations

from collections import deque
from typing import Any, Callable, Deque, List

from . import _json

_MARK = b"\xef\xbb\xbf"


class TooLong(Exception):
    """A line is longer than the limit."""


class Lines:
    """The lines of one body.

    ready   the items that were read, without the one-by-one ones
    """

    def __init__(self, is_json: bool, convert: Callable[[bytes], Any], limit: int) -> None:
        self.ready: Deque[Any] = deque()
        self._slow: Deque[bytes] = deque()  # lines that are converted when they are asked for
        self._is_json, self._convert, self._limit = is_json, convert, limit
        self._rest: List[bytes] = []  # the beginning of the line that the next piece continues
        self._length = 0
        self._is_first = True
        self._is_too_long = False

    def __bool__(self) -> bool:
        return bool(self.ready or self._slow or self._is_too_long)

    def pop(self) -> Any:
        """The next item, if there is one.  Raises TooLong instead of a line that is too long, and what the conversion raises."""
        if self.ready:
            return self.ready.popleft()
        if self._slow:
            return self._convert(self._slow.popleft())
        raise TooLong

    def take(self, piece: bytes) -> None:
        """Adds a piece of the body."""
        end = piece.rfind(b"\n") + 1
        if end == 0 or self._is_first and self._length + len(piece) < 3:
            self._keep(piece)
            return
        block = b"".join([*self._rest, piece[:end]]) if self._rest else piece[:end]
        self._rest, self._length = [], 0
        self._read(block)
        if end < len(piece):
            self._keep(piece[end:])

    def end(self) -> None:
        """Ends the body: the last line needs no line break."""
        if self._rest:
            block, self._rest, self._length = b"".join(self._rest), [], 0
            self._read(block + b"\n")

    def _keep(self, piece: bytes) -> None:
        self._rest.append(piece)
        self._length += len(piece)
        if self._length > self._limit + 3:
            self.end()

    def _read(self, block: bytes) -> None:
        """Reads whole lines."""
        if self._is_first:
            self._is_first = False
            if block.startswith(_MARK):
                block = block[3:]
        if len(block) <= self._limit and not self._slow:
            if self._is_json:
                try:
                    self.ready.extend(_values(block.decode()))
                    return
                except (ValueError, StopIteration, RecursionError):
                    pass
            else:
                lines = block.decode("utf-8", "replace").split("\n")
                if b"\r" in block:
                    lines = [each[:-1] if each.endswith("\r") else each for each in lines]
                self.ready.extend(filter(None, lines))
                return
        for line in block.split(b"\n"):
            if len(line) > self._limit:
                self._is_too_long = True
                return
            line = line[:-1] if line.endswith(b"\r") else line
            if line:
                self._slow.append(line)


def _values(text: str) -> "List[Any]":
    """The values of lines that have one value each, without other white space than the line breaks.  Raises any exception for
    other lines."""
    if _json._scan is None:
        _json._start()
    found: List[Any] = []
    scan, find, place = _json._scan, text.find, 0
    while True:
        end = find("\n", place)
        if end < 0:
            return found
        value, stop = scan(text, place)
        if stop != end and (stop != end - 1 or text[stop] != "\r"):
            raise ValueError
        found.append(value)
        place = end + 1
