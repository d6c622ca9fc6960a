"""Matches in the form that the routing suites compare."""

from __future__ import annotations

from ctypes import byref
from dataclasses import dataclass
from typing import Optional, Tuple
from urllib.parse import unquote

from library import Router, c, status_name, str_of, text_of

ANY_SLASH = c.ROUTABLE_MATCH_IGNORE_SLASH
FOLD_CASE = c.ROUTABLE_MATCH_IGNORE_CASE
MERGE_SLASHES = c.ROUTABLE_MATCH_MERGE_SLASHES
SUGGEST_SLASH = c.ROUTABLE_MATCH_SUGGEST_SLASH


@dataclass(frozen=True)
class Matched:
    """The result of a match; the captures are start and end offsets in the path."""

    status: str
    operation: Optional[str]
    captures: Tuple[Tuple[int, int], ...]
    methods: Tuple[str, ...]
    slash: int


def match(router: Router, path: bytes, method: Optional[bytes] = None, flags: int = 0) -> Matched:
    result = c.routable_match()
    status = c.routable_router_match(router._handle, method, str_of(path), flags, byref(result))
    operation = c.routable_match_operation(router._handle, byref(result))
    count = c.routable_match_method_count(router._handle, byref(result))
    captures = (result.captures[index] for index in range(result.capture_count))
    return Matched(
        status_name(status),
        text_of(c.routable_operation_name(operation)).decode("utf-8") if operation else None,
        tuple((capture.offset, capture.offset + capture.length) for capture in captures),
        tuple(text_of(c.routable_match_method_at(router._handle, byref(result), index)).decode() for index in range(count)),
        result.slash,
    )


def decoded(value: str) -> str:
    return unquote(value, errors="strict")
