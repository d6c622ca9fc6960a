"""Which thread runs the handlers of signals, and whether it may wait for transfers."""

from __future__ import annotations

import threading
from typing import Any, Callable, TypeVar

R = TypeVar("R")
_main = threading.main_thread().ident


def is_main() -> bool:
    """Whether this thread runs the handlers of signals."""
    return threading.get_ident() == _main


_depth = 0  # how many functions of clients run in the main thread


def called_back(function: Callable[..., R]) -> Callable[..., R]:
    """A function that a client calls while it drives its transfers."""

    def count(*words: Any) -> R:
        global _depth
        if not is_main():
            return function(*words)
        _depth += 1
        try:
            return function(*words)
        finally:
            _depth -= 1

    return count


def may_drive() -> bool:
    """Whether this is the main thread, outside of any function that a client calls: a wait inside it would wait for itself."""
    return _depth == 0 and is_main()
