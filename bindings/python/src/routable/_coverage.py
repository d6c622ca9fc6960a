"""Coverage: which parts of a description requests and responses have used (docs/coverage.md)."""

from __future__ import annotations

import json
from ctypes import POINTER, byref, sizeof
from io import BytesIO
from typing import TYPE_CHECKING, Any, Awaitable, Callable, Dict, Iterable, List, Mapping, MutableMapping, Optional, Tuple, Union

from ._capi import coverage as c
from ._check import check, new_error, take_string
from ._handle import Owned
from ._incoming import of_environ, of_scope
from ._text import data, optional_name
from .errors import RoutableError
from .received import incoming_struct

if TYPE_CHECKING:
    from ._client import ClientBase
    from ._flows import Steps
    from .received import _Headers
    from .request import Request
    from .response import Response
    from .router import PlainRouter

    Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
    Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class Coverage(Owned):
    """Counts which operations, statuses, parameters, media types, values and branches of a description were used.

        coverage = routable.testing.Coverage(api)
        client = routable.Client(middleware=[coverage])     # of a client
        app = coverage.asgi(service.asgi)                   # of a service
        print(coverage.report())

    Any thread may use it.  Its memory depends on the description, and not on the number of requests.
    """

    __slots__ = ("_router",)

    def __init__(self, api: "PlainRouter", *, base_path: Optional[str] = None) -> None:
        """base_path   the path in front of the paths of the API; None: that of the description"""
        options = c.routable_coverage_options(size=sizeof(c.routable_coverage_options), base_path=optional_name("base_path", base_path))
        self._router = api
        out, error = POINTER(c.routable_coverage)(), new_error()
        check(c.routable_coverage_new(api._live(), byref(options), byref(out), byref(error)), error)
        super().__init__(out, c.routable_coverage_free)

    # --- Counting ---

    def add(
        self, method: str, target: Union[str, bytes], headers: "_Headers" = (), body: bytes = b"", *, status: int = 0,
        content_type: Optional[str] = None, response: bytes = b"",
    ) -> None:
        """Counts a request and its response.  The first arguments are those of `Router.read`.

        status         that of the response; 0: there was none
        content_type   that of the response
        response       the body of the response without its content coding
        """
        incoming, keep = incoming_struct(method, target, headers, body)
        kept, text = optional_name("content_type", content_type), bytes(response)
        error = new_error()
        check(c.routable_coverage_add(self._live(), byref(incoming), status, kept, data(text), byref(error)), error)

    def flow(self, request: "Request", client: "ClientBase") -> "Steps":
        """The middleware of a client."""
        try:
            response = yield request
        except RoutableError as error:
            self._count(request, None if error.status == "credential" else error.response)
            raise
        self._count(request, response)
        return response

    def _count(self, request: "Request", response: "Optional[Response]") -> None:
        body = b"" if request._records else request.body or b""
        if response is None:
            return self.add(request.method, request.url, request.headers.pairs, body)
        self.add(
            request.method, request.url, request.headers.pairs, body, status=response.status,
            content_type=response.headers.get("Content-Type"), response=b"" if "_is_head" in response.__dict__ else response.body,
        )

    def wsgi(self, app: Callable[..., Iterable[bytes]]) -> Callable[..., List[bytes]]:
        """A WSGI application that counts the requests of another one, and what that answers."""

        def counted(environ: Dict[str, Any], start_response: Callable[..., Any]) -> List[bytes]:
            incoming = of_environ(environ, 64 << 20)
            environ["wsgi.input"] = BytesIO(incoming.body)
            began: List[Tuple[str, List[Tuple[str, str]]]] = []

            def start(status: str, fields: List[Tuple[str, str]], *rest: Any) -> Any:
                began.append((status, fields))
                return start_response(status, fields, *rest)

            answered = app(environ, start)
            try:
                pieces = list(answered)
            finally:
                getattr(answered, "close", int)()
            status, fields = began[-1]
            self.add(
                incoming.method, incoming.root + incoming.target, incoming.headers, incoming.body, status=int(status.split()[0]),
                content_type=next((value for name, value in fields if name.lower() == "content-type"), None), response=b"".join(pieces),
            )
            return pieces

        return counted

    def asgi(self, app: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
        """An ASGI application that counts the requests of another one, and what that answers."""

        async def counted(scope: Mapping[str, Any], receive: "Receive", send: "Send") -> None:
            if scope["type"] != "http":
                return await app(scope, receive, send)
            body, answered = bytearray(), bytearray()
            began: List[Mapping[str, Any]] = []

            async def received() -> MutableMapping[str, Any]:
                message = await receive()
                body.extend(message.get("body", b""))
                return message

            async def sent(message: MutableMapping[str, Any]) -> None:
                if message["type"] == "http.response.start":
                    began.append(message)
                answered.extend(message.get("body", b""))
                await send(message)

            await app(scope, received, sent)
            incoming = of_scope(scope, bytes(body))
            fields = {bytes(name).lower(): bytes(value) for name, value in began[0]["headers"]} if began else {}
            content_type = fields.get(b"content-type")
            self.add(
                incoming.method, incoming.root + incoming.target, incoming.headers, incoming.body,
                status=began[0]["status"] if began else 0, content_type=None if content_type is None else content_type.decode("latin-1"),
                response=bytes(answered),
            )

        return counted

    # --- Reports ---

    @property
    def percent(self) -> float:
        """The used part of all that is counted, from 0 to 100, in steps of 0.1 and rounded down."""
        return float(self.to_dict()["percent"])

    def to_dict(self) -> Dict[str, Any]:
        """The counts (docs/coverage.md, "JSON")."""
        found: Dict[str, Any] = json.loads(take_string(c.routable_coverage_to_json, self._live()))
        return found

    def report(self, *, missing: bool = False) -> str:
        """The counts as a table; with `missing`, each part that was never used is in a line below it."""
        return take_string(c.routable_coverage_to_text, self._live(), c.ROUTABLE_COVERAGE_MISSING if missing else 0)

    def __repr__(self) -> str:
        return "<routable.testing.Coverage>"
