"""Lines of a stream, which are split in Python: the same as those of the library, wherever the pieces begin."""

from __future__ import annotations

import random
from typing import Any, List

import pytest
import routable
from loopback import Loopback, whole
from routable import _json
from routable._lines import Lines, TooLong
from routable.stream import Splitter


def by_library(pieces: List[bytes], limit: int) -> List[Any]:
    splitter, found = Splitter("lines", max_item_bytes=limit), []
    try:
        for piece in pieces:
            splitter.take(piece)
        splitter.end()
    except routable.LimitError:
        return [*splitter, "too long"]
    return [*splitter, *found]


def here(pieces: List[bytes], limit: int, is_json: bool) -> List[Any]:
    convert = (lambda line: _json.loads("value", line)) if is_json else (lambda line: line.decode("utf-8", "replace"))
    lines, found = Lines(is_json, convert, limit), []
    for piece in [*pieces, None]:
        lines.end() if piece is None else lines.take(piece)
        while lines:
            try:
                found.append(lines.pop())
            except TooLong:
                return [*found, "too long"]
            except routable.JSONError as error:
                found.append(str(error))
    return found


def test_random_lines() -> None:
    draw = random.Random(47)
    words = [b"a", b"\n", b"\r", b"\r\n", b"\n\n", b"\xef\xbb\xbf", b"\xef", b"\xbb", b"\xe6\x97", b"\xe6\x97\xa5", b"x" * 9, b"\x00", b"\x0b", b"\xc2\x85"]
    for _ in range(4000):
        pieces = [b"".join(draw.choice(words) for _ in range(draw.randrange(1, 6))) for _ in range(draw.randrange(5))]
        for limit in (1000, 10):
            assert here(pieces, limit, False) == by_library(pieces, limit), (pieces, limit)


def test_random_values() -> None:
    """Each line is read as a document of its own, whatever the lines beside it are."""
    draw = random.Random(48)
    words = [b"1", b"[1", b"2]", b"2],3", b"{}", b'"a"', b'"\xe6\x97\xa5"', b'"\xff"', b" ", b"", b"\r", b",", b"[", b"]", b"1 ", b" 1", b"NaN", b"-"]
    for _ in range(4000):
        body = b"".join(draw.choice(words) + draw.choice([b"\n", b"\n", b"\r\n", b""]) for _ in range(draw.randrange(8)))
        cut = draw.randrange(len(body) + 1)
        lines = [line[:-1] if line.endswith(b"\r") else line for line in body.split(b"\n")]
        expected: List[Any] = []
        for line in filter(None, lines):
            try:
                expected.append(_json.loads("value", line))
            except routable.JSONError as error:
                expected.append(str(error))
        assert here([body[:cut], body[cut:]], 1000, True) == expected, body


def test_a_line_that_is_too_long(named: routable.Router, loopback: Loopback, client: routable.Client) -> None:
    loopback.answers["/models"] = whole("200 OK", b"a\nbc\n" + b"x" * 50 + b"\nq\n")
    stream, found = client.lines(named.model.list(), max_line_bytes=20), []
    with pytest.raises(routable.LimitError, match="a line of the body is over 20 bytes") as caught:
        for line in stream:
            found.append(line)
    assert found == ["a", "bc"]
    assert (caught.value.status, caught.value.route, caught.value.operation) == ("limit", "model", "list")
    with pytest.raises(routable.LimitError):
        next(stream)
    stream.close()
    with pytest.raises(ValueError, match="closed"):
        next(stream)
