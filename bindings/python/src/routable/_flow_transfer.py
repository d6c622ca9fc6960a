"""FlowTransfer: a submitted request of a client with middleware, which may perform several requests for it."""

from __future__ import annotations

import time
from ctypes import POINTER, c_void_p, cast
from typing import TYPE_CHECKING, Any, Callable, Optional

from . import _capi as c
from ._flows import Run
from ._handle import Handle
from .completion import Completion
from .errors import CancelledError, RoutableError, TimeoutError
from .transfer import Transfer, waited

if TYPE_CHECKING:
    from ._client import ClientBase
    from .request import Request
    from .response import Response


class FlowTransfer(Transfer):
    """A Transfer whose result is that of the middleware."""

    __slots__ = ("_run", "_policy", "_on_end", "_sink", "_ended", "_is_cancelled")

    def __init__(
        self, client: "ClientBase", request: "Request", policy: Any, on_end: Optional[Callable[[Completion], None]]
    ) -> None:
        self._handle = Handle(c_void_p(), _nothing)  # the hub holds the transfers of the library
        self._client = client
        self._key = 0
        self.request = request
        self._policy, self._on_end = policy, on_end
        self._ended: Optional[Completion] = None
        self._is_cancelled = False
        self._sink = self._take
        self._run = Run(client._flows, request, client)
        self._go(*self._run.begin(request))

    def _take(self, ended: Completion) -> None:
        """What the hub tells when a request has ended."""
        self._go(*self._run.resume(ended.response, ended.error))

    def _go(self, wanted: "Optional[Request]", response: "Optional[Response]", error: Any) -> None:
        while wanted is not None:
            try:
                if self._is_cancelled:
                    raise CancelledError("the transfer was cancelled")
                self._key, _ = self._client._hub.submit(self._client._live(), wanted, self._policy, self._sink)
                return
            except (RoutableError, CancelledError, ValueError) as refused:
                wanted, response, error = self._run.resume(None, refused)
        ended = self._ended = Completion(self.request, response, error)
        on_end = self._on_end
        if on_end is not None and not self._is_cancelled:
            self._client._due.append(lambda: on_end(ended))

    def result(self, timeout: Optional[float] = None) -> "Response":
        self._live()
        limit = waited(timeout)
        end = time.monotonic() + limit / 1000
        while self._ended is None:
            left = limit if limit < 0 else max(0, round((end - time.monotonic()) * 1000))
            self._client._hub.take(self._client._live(), left)
            if self._ended is None and limit >= 0 and time.monotonic() >= end:
                raise TimeoutError(f"the transfer has not completed after {timeout} s", code=35, status="timeout")
        return self._ended.result()

    @property
    def done(self) -> bool:
        self._live()
        return self._ended is not None

    def cancel(self) -> bool:
        self._live()
        if self._ended is not None:
            return False
        self._is_cancelled = True
        if self._client._hub.withdraw_kept(self._key):
            self._run.close()
            self._ended = Completion(self.request, None, CancelledError("the transfer was cancelled"))
        return True

    def pause(self) -> bool:
        return self._paused(True)

    def resume(self) -> bool:
        return self._paused(False)

    def _paused(self, is_paused: bool) -> bool:
        from ._bodies import pause

        self._live()
        address = self._client._hub.address(self._key)
        return address != 0 and pause(cast(c_void_p(address), POINTER(c.routable_transfer)), is_paused)


def _nothing(pointer: Any) -> None:
    """Frees the empty handle."""
