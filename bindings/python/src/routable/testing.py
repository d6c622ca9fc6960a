"""Canned responses for tests without a network (docs/testing.md)."""

from __future__ import annotations

from ctypes import POINTER, byref, pointer, sizeof
from typing import Any, List, Optional, Union

from ._capi import transport as c
from ._check import check, new_error
from ._handle import Owned
from ._text import natural, optional_name
from ._transport import read_exchange, reply_struct
from .errors import ArgumentError
from .transport import HeaderFields, TransportRequest, TransportResponse

#: Network failures, as libcurl's codes.
FAULTS = {"name": 6, "connect": 7, "timeout": 28, "tls": 35, "empty": 52, "reset": 56, "partial": 18}


class Responses(Owned):
    """Canned responses: a transport for a Client or an AsyncClient.

        with routable.testing.Responses() as responses:
            responses.add("read", route="user", json={"name": "Fabian"})
            client = routable.Client(transport=responses, retries=2)
            ...

    Leaving the `with` block without an exception calls `check`.
    """

    __slots__ = ()

    def __init__(self) -> None:
        out, error = POINTER(c.routable_responses)(), new_error()
        check(c.routable_responses_new(byref(out), byref(error)), error)
        super().__init__(out, c.routable_responses_free)

    def add(
        self,
        operation: Optional[str] = None,
        status: int = 200,
        *,
        route: Optional[str] = None,
        url: Optional[str] = None,
        json: object = None,
        body: Union[bytes, str] = b"",
        headers: Optional[HeaderFields] = None,
        delay: float = 0,
        fault: Optional[str] = None,
        times: Optional[int] = 1,
    ) -> None:
        """Adds a response.  A request receives the first matching response that has uses left, in the order of these calls.

        operation, route   "read" and "user.status"; "" is the route of standalone operations; None: any
        url                a string that the URL contains
        json, body, headers, delay   those of a TransportResponse
        fault   a network failure instead of a response: "name", "connect", "tls", "timeout", "empty", "partial", "reset"
        times   the exact number of requests that receive the response; None: any number
        """
        held: List[Any] = []
        made = reply_struct(TransportResponse(status, headers=headers, body=body, json=json, delay=delay), held)
        if fault is not None:
            if fault not in FAULTS:
                raise ArgumentError(f"fault must be one of {', '.join(sorted(FAULTS))}, not {fault!r}", parameter="fault")
            made.curl_code = FAULTS[fault]
        canned = c.routable_canned(
            size=sizeof(c.routable_canned), route=optional_name("route", route),
            operation=optional_name("operation", operation), url=optional_name("url", url),
            times=-1 if times is None else natural("times", times, 1, 2**31 - 1), reply=pointer(made),
        )
        error = new_error()
        check(c.routable_responses_add(self._live(), byref(canned), byref(error)), error)

    @property
    def requests(self) -> List[TransportRequest]:
        """All requests in order, with their headers and credentials."""
        handle = self._live()
        count = c.routable_responses_request_count(handle)
        return [read_exchange(c.routable_responses_request_at(handle, index)) for index in range(count)]

    def check(self) -> None:
        """Raises CallbackError if a request had no response, or if a response was not used as often as its `times`."""
        error = new_error()
        check(c.routable_responses_check(self._live(), byref(error)), error)

    def __exit__(self, *exception: object) -> None:
        # Not closed: a client may still use them.
        if not exception or exception[0] is None:
            self.check()

    def __repr__(self) -> str:
        return "<routable.testing.Responses>"
