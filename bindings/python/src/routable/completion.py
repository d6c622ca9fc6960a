"""The completion of a transfer: its response or its error."""

from __future__ import annotations

from ctypes import POINTER, byref
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

from . import _capi as c
from ._check import check, new_error
from .errors import CancelledError, RoutableError
from .response import Response, read_response

if TYPE_CHECKING:
    from .request import Request


class Completion(NamedTuple):
    """A completed transfer of `Client.perform_all` or `Client.submit`: its request, and the response or the exception."""

    request: "Request"
    response: Optional[Response]
    error: Union[RoutableError, CancelledError, None]

    def result(self) -> Response:
        """Returns the response, or raises the exception."""
        if self.error is not None:
            raise self.request._raised(self.error)
        assert self.response is not None
        return self.response


def transfer_result(transfer: Any, result_type: Optional[str]) -> Response:
    """The response of a completed transfer, or its exception."""
    out, error = POINTER(c.routable_response)(), new_error()
    check(c.routable_transfer_result(transfer, byref(out), byref(error)), error)
    try:
        return read_response(out, result_type)
    finally:
        c.routable_response_free(out)
