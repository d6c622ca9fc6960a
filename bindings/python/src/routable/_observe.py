"""Converts traces of the library to Python, and sets the hook of a client."""

from __future__ import annotations

import itertools
from ctypes import byref, sizeof
from typing import Any, Callable, Dict, List, Optional

from . import _capi as base
from ._capi import trace as c
from ._text import static, to_text
from ._threads import called_back
from .errors import RoutableError
from .trace import Attempt, Redirect, Timings, Trace, TransferEvent

_KINDS = ("queued", "attempt", "retry", "redirect", "refused", "resumed", "refresh", "end")


def read_trace(pointer: Any) -> Optional[Trace]:
    """Copies a routable_trace, whose owner the caller keeps alive during the call; None for NULL."""
    if not pointer:
        return None
    attempts: List[Attempt] = []
    redirects: List[Redirect] = []
    attempt = c.routable_attempt(size=sizeof(c.routable_attempt))
    for index in range(c.routable_trace_attempt_count(pointer)):
        c.routable_trace_attempt_at(pointer, index, byref(attempt))
        kind = _KINDS[attempt.kind]
        attempts.append(Attempt(kind, attempt.http_status or None, attempt.curl_code or None, attempt.wait_ms / 1000))
        if kind == "redirect":
            redirects.append(Redirect(to_text(attempt.url), attempt.http_status, bool(attempt.drops_credentials)))
    times = c.routable_timings(size=sizeof(c.routable_timings))
    timings = None
    if c.routable_trace_timings(pointer, byref(times)):
        seconds = {name: getattr(times, f"{name}_us") / 1e6 for name in Timings.__dataclass_fields__ if name != "connections"}
        timings = Timings(connections=times.connections, **seconds)
    return Trace(timings, tuple(attempts), tuple(redirects))


# The library stores a number; the functions themselves are stored here until the library releases it.
_hooks: Dict[int, Callable[[TransferEvent], None]] = {}
_numbers = itertools.count(1)


def _on_event(pointer: Any, number: Optional[int]) -> None:
    hook = _hooks.get(number or 0)
    if hook is None:
        return
    event = pointer[0]
    made = TransferEvent(
        kind=_KINDS[event.kind],
        transfer=event.transfer,
        attempt=event.attempt,
        route=to_text(event.route) or None,
        operation=to_text(event.operation) or None,
        method=to_text(event.method) or None,
        url=to_text(event.url) or None,
        path_template=to_text(event.path_template) or None,
        scheme=to_text(event.scheme) or None,
        status=static(base.routable_status_name(event.status)) if event.kind == c.ROUTABLE_EVENT_END else None,
        http_status=event.http_status or None,
        curl_code=event.curl_code or None,
        credentials_dropped=bool(event.drops_credentials),
        wait=event.wait_ms / 1000,
    )
    if event.trace:
        made.__dict__["_trace"] = read_trace(event.trace)
    hook(made)  # ctypes passes an exception to sys.unraisablehook


def _on_release(number: Optional[int]) -> None:
    _hooks.pop(number or 0, None)


_event = c.routable_event_fn(called_back(_on_event))
_release = base.routable_release_fn(_on_release)


def set_hook(client: Any, hook: Callable[[TransferEvent], None]) -> None:
    from ._check import check, new_error

    if not callable(hook):
        raise TypeError(f"on_event must be a function, not {type(hook).__name__}")
    number, error = next(_numbers), new_error()
    _hooks[number] = hook
    check(c.routable_client_set_hook(client, _event, number, _release, byref(error)), error)


def add_trace(error: RoutableError, pointer: Any) -> RoutableError:
    """The error with the trace of its routable_error."""
    trace = read_trace(c.routable_error_trace(pointer))
    if trace is not None:
        error.__dict__["_trace"] = trace
    return error
