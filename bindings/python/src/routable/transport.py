"""Transports: functions that reply to requests instead of libcurl (docs/testing.md)."""

from __future__ import annotations

import json as _stdlib_json
from typing import Awaitable, Callable, Iterable, List, Mapping, NamedTuple, Optional, Tuple, Union

from .headers import Headers

#: Header fields, by name or as pairs.
HeaderFields = Union[Mapping[str, str], Iterable[Tuple[str, str]]]


class TransportRequest(NamedTuple):
    """One attempt of a request, with its credentials.

    route, operation    the names of both; the route is None for a standalone operation, and both are None for an OAuth 2 token
                        request
    timeout             seconds until the deadline, or None
    """

    route: Optional[str]
    operation: Optional[str]
    method: str
    url: str
    headers: Headers
    body: Optional[bytes]
    timeout: Optional[float]

    def json(self) -> object:
        """The body as JSON."""
        return _stdlib_json.loads(self.body or b"")


class TransportResponse:
    """The reply of a transport: a status, headers, and a body that is already decoded.

    TransportResponse(200, json={"id": 1}), TransportResponse(404), TransportResponse(body=b"...", headers={"ETag": '"1"'})
    """

    __slots__ = ("status", "headers", "body", "delay")

    def __init__(
        self, status: int = 200, *, headers: Optional[HeaderFields] = None, body: Union[bytes, str] = b"",
        json: object = None, delay: float = 0,
    ) -> None:
        """`json` sets the body and its Content-Type; `delay` is the time in seconds before the client receives the reply."""
        pairs: List[Tuple[str, str]] = list(headers.items() if isinstance(headers, Mapping) else headers or ())
        if json is not None:
            if body:
                raise TypeError("a response accepts either body or json")
            from . import _json

            body = _json.dumps("json", json)
            if not any(name.lower() == "content-type" for name, _ in pairs):
                pairs.append(("Content-Type", "application/json"))
        if isinstance(body, str):
            body = body.encode()
        if not isinstance(body, (bytes, bytearray, memoryview)):
            raise TypeError(f"the body of a response must be bytes or str, not {type(body).__name__}")
        self.status = status
        self.headers = pairs
        self.body = bytes(body)
        self.delay = delay

    def __repr__(self) -> str:
        return f"<routable.TransportResponse {self.status}>"


#: A function that answers a request, or raises.  For AsyncClient it may be a coroutine function.
Transport = Callable[[TransportRequest], Union[TransportResponse, Awaitable[TransportResponse]]]
