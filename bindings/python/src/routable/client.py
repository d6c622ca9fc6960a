"""Client: performs requests over libcurl."""

from __future__ import annotations

from ctypes import POINTER, byref, sizeof
from os import PathLike, fsdecode
from typing import Dict, List, Optional, Type, TypeVar, Union, overload

from . import _capi as c
from ._check import check, new_error
from ._handle import Owned
from ._text import name, natural, optional_name
from .errors import ArgumentError
from .request import Request
from .response import Response, read_response

T = TypeVar("T")


class Client(Owned):
    """Performs requests and keeps connections for the next one.

    Any number of threads may perform with one client at once; each call blocks its own thread, and other
    Python threads run meanwhile.  Closing waits for nobody: a running perform ends as it would have.

        with routable.Client(deadline=5) as client:
            response = client.perform(api.user("x").read())
    """

    __slots__ = ()

    def __init__(
        self,
        *,
        base: Optional[str] = None,
        user_agent: Optional[str] = None,
        ca_file: Union[str, "PathLike[str]", None] = None,
        deadline: Optional[float] = 60.0,
        connect_timeout: float = 10.0,
        max_response_bytes: int = 64 * 1024 * 1024,
        max_redirects: int = 10,
        follow_redirects: bool = True,
    ) -> None:
        """
        base                instead of the base of each request
        user_agent          instead of "routable/VERSION"
        ca_file             a PEM file, instead of the system's certificates
        deadline            seconds for a whole perform; None: no deadline
        connect_timeout     seconds until a connection stands
        max_response_bytes  of one body, after content decoding; more is a LimitError
        max_redirects, follow_redirects   a redirect that is not followed is the answer

        CurlMissingError when libcurl is not installed; URLError, HeaderError, ArgumentError.
        """
        options = c.routable_client_options(
            size=sizeof(c.routable_client_options),
            base=optional_name("base", base),
            user_agent=optional_name("user_agent", user_agent),
            ca_file=None if ca_file is None else name("ca_file", fsdecode(ca_file)),
            deadline_ms=-1 if deadline is None else _milliseconds("deadline", deadline),
            connect_timeout_ms=_milliseconds("connect_timeout", connect_timeout),
            max_response_bytes=natural("max_response_bytes", max_response_bytes, 1),
            max_redirects=natural("max_redirects", max_redirects, 1, 2**31 - 1) if follow_redirects else 0,
            flags=0 if follow_redirects else c.ROUTABLE_CLIENT_NO_REDIRECTS,
        )
        out, error = POINTER(c.routable_client)(), new_error()
        check(c.routable_client_new(byref(options), byref(out), byref(error)), error)
        super().__init__(out, c.routable_client_free)

    @overload
    def perform(self, request: Request) -> Response: ...

    @overload
    def perform(self, request: Request, *, into: Type[T]) -> Union[T, Dict[str, T], List[T], None]: ...

    def perform(
        self, request: Request, *, into: Optional[Type[T]] = None
    ) -> Union[Response, T, Dict[str, T], List[T], None]:
        """Sends the request and waits for the whole answer.

        Returns a Response; with `into`, what `Response.into` gives.  Raises HTTPStatusError for a status
        that the operation does not declare (with the response and its body), TransferError, TLSError,
        TimeoutError, LimitError for an answer that is too large, ResponseError.
        """
        if not isinstance(request, Request):
            raise TypeError(f"perform takes a Request, not {type(request).__name__}")
        out, error = POINTER(c.routable_response)(), new_error()
        check(c.routable_client_perform(self._live(), request._live(), byref(out), byref(error)), error)
        try:
            response = read_response(out, request._result_type)
        finally:
            c.routable_response_free(out)
        return response if into is None else response.into(into)

    def __repr__(self) -> str:
        return f"<routable.Client{' closed' if self.closed else ''}>"


def _milliseconds(what: str, seconds: float) -> int:
    if not 0 < seconds < 2**40:
        raise ArgumentError(f"{what}: {seconds!r} is no number of seconds above 0", parameter=what)
    return max(1, round(seconds * 1000))
