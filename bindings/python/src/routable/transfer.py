"""Transfer: a submitted request."""

from __future__ import annotations

from ctypes import POINTER, byref
from typing import TYPE_CHECKING, Any, Optional

from . import _capi as c
from ._check import check, new_error
from ._deviations import report
from ._handle import Owned
from ._hub import moments
from .completion import Completion, transfer_result
from .errors import ArgumentError, CancelledError, RoutableError, TimeoutError
from .response import Response

if TYPE_CHECKING:
    from ._client import ClientBase
    from .request import Request


class Transfer(Owned):
    """A submitted request; `Client.submit` returns it.  Any thread may use it.

    A transfer has one result: a response, an error, or a cancellation.  Deleting the object does not cancel the transfer.
    """

    __slots__ = ("request", "_client", "_key")

    def __init__(self, pointer: Any, client: "ClientBase", request: "Request", key: int = 0) -> None:
        super().__init__(pointer, c.routable_transfer_free)
        self._client = client  # without this reference, the client could be freed, which would cancel the transfer
        self._key = key  # of its sink in the client's hub, or 0
        #: The request that was submitted.
        self.request = request

    def result(self, timeout: Optional[float] = None) -> Response:
        """Waits for completion and returns the response, or raises the exception that `Client.perform` would raise.

        Raises CancelledError if the transfer was cancelled, and TimeoutError after `timeout` seconds; the transfer then
        continues.
        """
        handle, error = self._live(), new_error()
        status = c.ROUTABLE_PENDING
        for moment in moments(waited(timeout)):
            status = c.routable_transfer_wait(handle, moment, byref(error))
            if status not in (c.ROUTABLE_PENDING, c.ROUTABLE_INTERRUPTED):
                break
        if status in (c.ROUTABLE_PENDING, c.ROUTABLE_INTERRUPTED):
            raise TimeoutError(f"the transfer has not completed after {timeout} s", code=35, status="timeout")
        if status == c.ROUTABLE_CANCELLED:
            raise CancelledError("the transfer was cancelled")
        check(status, error)
        try:
            response = transfer_result(handle, self.request._result_type)
        except RoutableError as failure:
            awaited = self.request._awaited(failure)
            if awaited is not None:
                self._tell(awaited, None)
                return awaited
            explained = self._client._functions.explain(failure)
            self._tell(None, explained)
            raise self.request._raised(explained)
        response.__dict__["_request"] = self.request
        if response.deviations:
            report(self.request, response, self._client._hub.on_deviation)
        self._tell(response, None)
        return response

    def _tell(self, response: Optional[Response], failure: Optional[RoutableError]) -> None:
        """Passes the completion to the sink of `on_end`, unless the hub has done so."""
        found = self._client._hub.withdraw(self._key)
        if found is not None:
            request, sink = found
            sink(Completion(request, response, failure))

    @property
    def done(self) -> bool:
        """Whether the transfer has completed or was cancelled."""
        out = POINTER(c.routable_response)()
        status = c.routable_transfer_result(self._live(), byref(out), None)
        c.routable_response_free(out)
        return bool(status != c.ROUTABLE_PENDING)

    def cancel(self) -> bool:
        """Cancels the transfer.  True: it is cancelled, and `on_end` is not called.  False: it had completed before."""
        is_outcome = bool(c.routable_transfer_cancel(self._live()))
        if is_outcome:
            self._client._hub.withdraw(self._key)
        return is_outcome

    def pause(self) -> bool:
        """Pauses the transfer in both directions until `resume`.  Returns whether it is in progress."""
        from ._bodies import pause

        return pause(self._live(), True)

    def resume(self) -> bool:
        """Continues after `pause`, or after a source that had no data.  Returns whether the transfer is in progress."""
        from ._bodies import pause

        return pause(self._live(), False)

    def __repr__(self) -> str:
        return f"<routable.Transfer {self.request.operation}>"


def waited(timeout: Optional[float]) -> int:
    """Seconds as milliseconds; None is no limit."""
    if timeout is None:
        return -1
    if not 0 <= timeout < 2**31:
        raise ArgumentError(f"timeout: {timeout!r} is not a number of seconds", parameter="timeout")
    return -(-round(timeout * 1e6) // 1000)
