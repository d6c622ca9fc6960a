"""What happened on the way to an answer: times, attempts that were not the last, redirects; and what a client's `on_event`
is told meanwhile (docs/observe.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Tuple


@dataclass(frozen=True)
class Timings:
    """In seconds.  Those of the last attempt count from its begin, each with those before it; 0 for what it did without:
    a kept connection needs no lookup, connect or TLS.

    queued       from the call until the first attempt began
    name_lookup, connect, tls, first_byte, attempt   of the last attempt
    elapsed      from the call until the end, with all attempts and waits
    connections  that the last attempt made; 0: it used a kept one
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

    reason     "retry", "redirect", "refused" (401, and there were newer credentials), "resumed" (an event stream went on)
    status     of its answer, or None
    curl_code  why there was none, or None
    wait       seconds before the next attempt
    """

    reason: str
    status: Optional[int]
    curl_code: Optional[int]
    wait: float


@dataclass(frozen=True)
class Redirect:
    """A redirect that was followed: where it leads, its status, and whether credentials did not go there."""

    url: str
    status: int
    credentials_dropped: bool


@dataclass(frozen=True)
class Trace:
    """All three."""

    timings: Optional[Timings]
    attempts: Tuple[Attempt, ...]
    redirects: Tuple[Redirect, ...]


class Traced:
    """What responses and exceptions tell of their way."""

    __slots__ = ()

    @property
    def timings(self) -> Optional[Timings]:
        """How long each part took; None unless the client was made with `timings=True`."""
        trace: Optional[Trace] = self.__dict__.get("_trace")
        return None if trace is None else trace.timings

    @property
    def attempts(self) -> Tuple[Attempt, ...]:
        """The attempts that were followed by another one: one less than there were."""
        trace: Optional[Trace] = self.__dict__.get("_trace")
        return () if trace is None else trace.attempts

    @property
    def redirects(self) -> Tuple[Redirect, ...]:
        """The redirects that were followed."""
        trace: Optional[Trace] = self.__dict__.get("_trace")
        return () if trace is None else trace.redirects


@dataclass(frozen=True)
class TransferEvent(Traced):
    """What `on_event` is told.  No text has a secret in it that the library knows of; what does not apply is None.

    kind         "queued", "attempt", "retry", "redirect", "refused", "resumed", "refresh", "end"
    transfer     a number: events of one transfer have the same
    attempt      how many attempts have begun
    method, url  of an attempt; of a redirect where it leads
    scheme       of the credential that is refreshed
    status       of an end: "ok" when an answer came, whatever it says, "cancelled", or the name of the failure
    http_status, curl_code   of the attempt that is over
    wait         seconds before the next attempt
    An end has `timings`, `attempts` and `redirects` too.
    """

    kind: str
    transfer: int
    attempt: int
    route: Optional[str]
    operation: Optional[str]
    method: Optional[str]
    url: Optional[str]
    scheme: Optional[str]
    status: Optional[str]
    http_status: Optional[int]
    curl_code: Optional[int]
    credentials_dropped: bool
    wait: float
