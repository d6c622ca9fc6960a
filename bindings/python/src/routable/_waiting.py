"""Performs one request for a caller that waits in the main thread, so that signal handlers run during the request."""

from __future__ import annotations

from ctypes import POINTER, byref, c_int64, c_void_p, cast, sizeof
from typing import TYPE_CHECKING, Any

from . import _capi as c
from ._check import check
from ._direct import cancel as _cancel, free as _free, submit as _submit, undeclared
from ._hub import MOMENT
from .errors import CancelledError, RoutableError

if TYPE_CHECKING:
    from ._client import ClientBase
    from .request import Request

_wait = undeclared("routable_transfer_wait")
_result = undeclared("routable_transfer_result")
_drive = undeclared("routable_client_drive")


def unqueued(policy: Any) -> Any:
    """A copy of the policy with ROUTABLE_POLICY_UNQUEUED."""
    made = c.routable_policy(size=sizeof(c.routable_policy))
    if policy is not None:
        made = type(policy._obj).from_buffer_copy(policy._obj)
        made._kept = policy
    made.flags |= c.ROUTABLE_POLICY_UNQUEUED
    return byref(made)


def perform_submitted(client: "ClientBase", request: "Request", policy: Any) -> c_void_p:
    """Performs the request and returns the response, which the caller must free.  `policy` has ROUTABLE_POLICY_UNQUEUED."""
    handle, sent = client._live(), request._live()
    transfer, out, error = c_void_p(), c_void_p(), c_void_p()
    try:
        status = _submit(handle._as_parameter_, sent._as_parameter_, policy, None, None, None, byref(transfer), byref(error))
        while not status:
            status = _wait(transfer, c_int64(MOMENT), byref(error))
            if status == c.ROUTABLE_PENDING or status == c.ROUTABLE_INTERRUPTED:
                status = 0  # handlers of signals run between two waits
            elif not status:
                status = _result(transfer, byref(out), byref(error))
                break
        if status == c.ROUTABLE_CANCELLED:
            raise CancelledError("the client was closed")
        if status:
            try:
                check(status, cast(error, POINTER(c.routable_error)))
            except RoutableError as failure:
                raise request._raised(client._functions.explain(failure))
        return out
    except BaseException:
        _cancel(transfer)  # an exception of a signal handler ends the request
        _drive(handle._as_parameter_, c_int64(0), None, None)  # and closes its files
        raise
    finally:
        _free(transfer)
