"""Timings, attempts and redirects of a transfer, and the events of `on_event` (docs/observe.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Tuple

from ._traced import Traced


@dataclass(frozen=True)
class Timings:
    """Times in seconds.  The times of the last attempt count from its start, and each includes the phases before it.  With a
    reused connection, `connect` and `tls` are 0, and `name_lookup` is 0 or a few microseconds.

    queued       from the call until the first attempt starts
    name_lookup, connect, tls, first_byte, attempt   of the last attempt
    elapsed      from the call until completion, with all attempts and delays
    connections  number of connections opened by the last attempt; 0: it reused one
    """

    queued: float
    name_lookup: float
    connect: float
    tls: float
    first_byte: float
    attempt: float
    elapsed: float
    connections: int


@dataclass(frozen=True)
class Attempt:
    """An attempt that was followed by another one.

    reason "retry", "redirect", "refused" (401, and newer credentials were available), "resumed" (a broken event stream, or a
               partial file)
    status     the HTTP status of its response, or None
    curl_code  libcurl's code of a retry after an incomplete response, or None
    wait       seconds before the next attempt
    """

    reason: str
    status: Optional[int]
    curl_code: Optional[int]
    wait: float


@dataclass(frozen=True)
class Redirect:
    """A redirect that was followed: its target, its HTTP status, and whether credentials were dropped."""

    url: str
    status: int
    credentials_dropped: bool


@dataclass(frozen=True)
class Trace:
    """Timings, attempts and redirects."""

    timings: Optional[Timings]
    attempts: Tuple[Attempt, ...]
    redirects: Tuple[Redirect, ...]


@dataclass(frozen=True)
class TransferEvent(Traced):
    """An event for `on_event`.  It contains no secrets that the library knows.  Members that do not apply are None,
    `credentials_dropped` is then False, and `wait` is 0.

    kind         "queued", "attempt", "retry", "redirect", "refused", "resumed", "refresh", "end"
    transfer     a number that is unique for each transfer
    attempt      number of attempts that have started
    method, url  of an attempt; the target of a redirect
    path_template  of an attempt: "/users/:username", relative to the base; the same for all requests of the route and operation
    scheme       of the credential that is refreshed
    status       of an end: "ok" for every response, "cancelled", or the name of the failure
    http_status, curl_code   of the completed attempt
    wait         seconds before the next attempt

    An end also has `timings`, `attempts` and `redirects`.
    """

    kind: str
    transfer: int
    attempt: int
    route: Optional[str]
    operation: Optional[str]
    method: Optional[str]
    url: Optional[str]
    path_template: Optional[str]
    scheme: Optional[str]
    status: Optional[str]
    http_status: Optional[int]
    curl_code: Optional[int]
    credentials_dropped: bool
    wait: float
