"""FlowTransfer: a submitted request of a client with middleware, which may perform several requests for it."""

from __future__ import annotations

import time
from ctypes import POINTER, c_void_p, cast
from functools import partial
from typing import TYPE_CHECKING, Any, Callable, Dict, Optional

from . import _capi as c
from ._flows import Run
from ._handle import Handle
from ._hub import MOMENT
from .completion import Completion
from .errors import CancelledError, TimeoutError
from .transfer import Transfer, waited

if TYPE_CHECKING:
    from ._client import ClientBase
    from .request import Request
    from .response import Response


#: After this number of turns without a request in progress, no thread will end the transfer: the exception of a signal interrupted it.
_LOST = 100


class FlowTransfer(Transfer):
    """A Transfer whose result is the result of the middleware."""

    # Without a lock, which the exception of a signal could leave locked (_turns.py): one thread drives, another may cancel.
    __slots__ = ("_run", "_policy", "_on_end", "_outcome", "_keys", "_step")

    def __init__(
        self, client: "ClientBase", request: "Request", policy: Any, on_end: Optional[Callable[[Completion], None]]
    ) -> None:
        self._handle = Handle(c_void_p(), _nothing)  # the hub holds the transfers of the library
        self._client = client
        self._key = 0
        self.request = request
        self._policy, self._on_end = policy, on_end
        self._outcome: Dict[int, Completion] = {}  # the first one that is set
        self._keys: Dict[int, int] = {}  # of the requests by their steps
        self._step = 0
        self._run = Run(client._flows, request, client)
        self._go(*self._run.begin(request))

    @property
    def _ended(self) -> Optional[Completion]:
        return self._outcome.get(0)

    def _take(self, step: int, ended: Completion) -> None:
        """Receives the completion of a request from the hub; once for each request, also if an exception interrupts the call."""
        if step != self._step or self._outcome:
            return
        try:
            self._go(*self._run.resume(ended.response, ended.error))
        except BaseException as raised:  # such as KeyboardInterrupt: the transfer ends, too, so that no thread waits forever
            self._end(None, CancelledError(f"the middleware raised {type(raised).__name__}"))
            self._run.close()
            raise

    def _go(self, wanted: "Optional[Request]", response: "Optional[Response]", error: Any) -> None:
        while wanted is not None:
            if self._outcome or self._client.closed:
                self._end(None, None)
                self._run.close()
                return
            step = self._step = self._step + 1
            try:
                key, _ = self._client._hub.submit(
                    self._client._live(), wanted, self._policy, partial(self._take, step))
            except Exception as refused:
                wanted, response, error = self._run.resume(None, refused)
                continue
            self._keys[step] = key
            self._keys.pop(step - 1, None)
            if self._outcome:  # cancelled before it had the key
                self._withdraw(step)
            return
        self._end(response, error)

    def _end(self, response: "Optional[Response]", error: Any) -> None:
        """Sets the outcome, unless it is set; a transfer of a closed client has none."""
        if response is None and error is None:
            error = CancelledError("the client was closed")
        ended = Completion(self.request, response, error)
        on_end = self._on_end
        if self._outcome.setdefault(0, ended) is ended and on_end is not None:
            self._client._due.append(lambda: on_end(ended))

    def _withdraw(self, step: int) -> None:
        if self._client._hub.withdraw_kept(self._keys.get(step, 0)):
            self._run.close()

    def result(self, timeout: Optional[float] = None) -> "Response":
        self._live()
        limit = waited(timeout)
        end = time.monotonic() + limit / 1000
        idle = 0
        while self._ended is None:
            client = self._client._handle
            if client is None:
                self._end(None, None)
                break
            left = MOMENT if limit < 0 else max(0, min(MOMENT, round((end - time.monotonic()) * 1000)))
            # In short waits: another thread may end or cancel this transfer while others are in progress.
            if self._client._hub.take(client, left) == c.ROUTABLE_IDLE and self._ended is None:
                time.sleep(0.001)  # another thread is about to end it
                idle += 1
                if idle == _LOST:
                    self._end(None, CancelledError("an interruption ended the request"))
            if self._ended is None and limit >= 0 and time.monotonic() >= end:
                raise TimeoutError(f"the transfer has not completed after {timeout} s", code=35, status="timeout")
        return self._outcome[0].result()

    @property
    def done(self) -> bool:
        self._live()
        return self._ended is not None

    def cancel(self) -> bool:
        self._live()
        ended = Completion(self.request, None, CancelledError("the transfer was cancelled"))
        if self._outcome.setdefault(0, ended) is not ended:
            return False
        self._withdraw(self._step)
        return True

    def pause(self) -> bool:
        return self._paused(True)

    def resume(self) -> bool:
        return self._paused(False)

    def _paused(self, is_paused: bool) -> bool:
        from ._bodies import pause

        self._live()
        address = self._client._hub.address(self._keys.get(self._step, 0))
        return address != 0 and pause(cast(c_void_p(address), POINTER(c.routable_transfer)), is_paused)


def _nothing(pointer: Any) -> None:
    """Frees the empty handle."""
