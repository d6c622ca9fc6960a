"""Writes the attempts of a client as lines of the logger `routable` (docs/observe.md)."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Callable, Dict, Optional, Set, Tuple

if TYPE_CHECKING:
    from .trace import TransferEvent

_logger = logging.getLogger("routable")


def is_on() -> bool:
    """Whether the logger is enabled when a client is created."""
    return _logger.isEnabledFor(logging.INFO)


def observer(then: "Optional[Callable[[TransferEvent], None]]") -> "Callable[[TransferEvent], None]":
    """Writes a line for each attempt, then calls the program's own function."""
    begun: Dict[int, Tuple[str, float]] = {}
    redirected: Set[int] = set()

    def observe(event: "TransferEvent") -> None:
        if event.kind == "attempt":
            # Without values: they may be secrets that nobody declared.
            url = (event.url or "").partition("?")[0]
            if event.path_template and event.transfer not in redirected:
                url = f"{event.path_template} on {'/'.join(url.split('/', 3)[:3])}"
            begun[event.transfer] = (f"{event.method} {url}", time.monotonic())
        elif event.kind == "refresh":
            _logger.info("refresh of the credential %s", event.scheme)
        elif event.kind != "queued":
            if event.kind == "redirect":
                redirected.add(event.transfer)
            elif event.kind == "end":
                redirected.discard(event.transfer)
            what, start = begun.pop(event.transfer, ("", 0.0))
            name = ".".join(each for each in (event.route, event.operation) if each)
            result = event.http_status or event.status or (f"curl {event.curl_code}" if event.curl_code else "no response")
            level = logging.INFO if event.kind != "end" or event.status == "ok" else logging.WARNING
            took = f" in {(time.monotonic() - start) * 1000:.0f} ms" if what else ""
            more = "" if event.kind == "end" else f"; {event.kind}" + (f" after {event.wait:.3f} s" if event.wait else "")
            if what or event.kind == "end":
                _logger.log(level, "%s %s: %s%s%s (attempt %d)", name, what or "ended", result, took, more, event.attempt)
        if then is not None:
            then(event)

    return observe
