"""Service: functions that answer the requests of a description, as an ASGI and a WSGI application (docs/service.md).

    service = routable.Service(api)

    @service.handle("user.note.create")
    def create(received, user_id):
        return 201, {"number": 7, "text": received.body["text"]}

    app = service.asgi        # uvicorn module:app
    app = service.wsgi        # gunicorn module:app
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Awaitable, Callable, Iterable, Mapping, Optional, Set, Tuple

from . import _capi as c
from . import _incoming
from ._exchange import Exchange, Shared
from ._handler import Handlers
from .errors import RoutableError, UnknownError
from .reply import Refusal, Reply
from .router import PlainRouter, router
from .walk import unknown

if TYPE_CHECKING:
    from .reply import Fields as Fields

    Handler = Callable[..., Any]
    Receive = Callable[[], Awaitable[Any]]
    Send = Callable[[Any], Awaitable[None]]

__all__ = ["Refusal", "Reply", "Service"]

_LOGGER = logging.getLogger("routable.service")


class Service:
    """The handlers of a description.

    base_path   the path in front of the paths of the API; None: the path of its base
    strict      `start` raises if an operation has no handler; otherwise it logs them, and they are answered with 501
    plain_400   what is answered with 422 is answered with 400
    max_body    the maximum size of a body in bytes; a larger body is answered with 413

    Each response of a handler is validated against the description before it is sent: a status under 400 that the operation does not
    declare, or a value that is not valid, is answered with 500 and logged.
    """

    def __init__(
        self, api: PlainRouter, *, base_path: Optional[str] = None, strict: bool = False, plain_400: bool = False,
        max_body: int = 1 << 20, logger: logging.Logger = _LOGGER,
    ) -> None:
        api = router(api)
        flags = c.ROUTABLE_PROBLEM_400 if plain_400 else 0
        self._shared = Shared(api, Handlers(api), base_path, max_body, flags, logger)
        self._strict = strict
        self._is_started = False
        if base_path is not None:
            _check_base_path(api, base_path)
        #: The ASGI application, for HTTP; mount it below any path.
        self.asgi = _Application(self)

    # --- Handlers ---

    def handle(self, name: str) -> "Callable[[Handler], Handler]":
        """A decorator for the handler of an operation: "user.note.create", or the name of a standalone operation.  An operation of an
        OpenAPI document has two names, its operationId and its place: "getPet" and "pets.read".

        The function, which may be asynchronous, takes the Received.  It may also take the ids, the declared query parameters and
        `identity` as keyword arguments; a character that a Python name cannot have is `_`, as in `page_size` for `page-size`.  It
        returns a value, (status, value), (status, value, headers) or a Reply.

        Raises UnknownError or NotAllowedError for a name that the description does not have, ValueError for an operation that has a
        handler already, and TypeError for a parameter without a default that is none of these.
        """
        if not isinstance(name, str):
            raise TypeError('handle requires the name of an operation: @service.handle("user.read")')
        handlers = self._shared.handlers
        handlers.key(name)  # raises

        def add(function: "Handler") -> "Handler":
            handlers.add(name, function)
            return function

        return add

    def credential(self, scheme: str) -> "Callable[[Callable[[str], Any]], Callable[[str], Any]]":
        """A decorator for the function that verifies the credentials of a scheme: it takes the token, the key or "name:password",
        and returns an identity, or None or False for a credential that is not good.  The function may be asynchronous.  It is called
        once for a request.

        A request is answered with 401, and nothing else of it is read, unless it has the credentials that its operation requires,
        and they are good.
        """
        if not isinstance(scheme, str):
            raise TypeError('credential requires the name of a scheme: @service.credential("session")')
        known = _schemes(self._shared.api.document)
        if scheme not in known:
            raise unknown(scheme, "the description", None, known, UnknownError)

        def add(function: Callable[[str], Any]) -> Callable[[str], Any]:
            self._shared.credentials[scheme] = function
            return function

        return add

    @property
    def missing(self) -> Tuple[str, ...]:
        """The operations without a handler, in the order and at the places of the route table (`PlainRouter.routes`)."""
        return self._shared.handlers.missing

    def start(self) -> None:
        """Verifies that all operations have handlers.  The applications call it before the first request."""
        if self._is_started:
            return
        missing = self.missing
        if missing and self._strict:
            raise RuntimeError(f"these operations have no handler: {', '.join(missing)}")
        if missing:
            self._shared.logger.warning("these operations have no handler and are answered with 501: %s", ", ".join(missing))
        self._is_started = True

    # --- Applications ---

    def wsgi(self, environ: Mapping[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """The WSGI application; mount it below any path."""
        self.start()
        exchange = Exchange(self._shared, _incoming.of_environ(environ, self._shared.max_body))
        answer = exchange.answer()
        fields = [(name, value.encode("utf-8").decode("latin-1")) for name, value in exchange.fields(answer)]
        start_response(f"{answer.status} {_incoming.phrase(answer.status)}", fields)
        content = exchange.content(answer)
        return iter(exchange.pieces(answer)) if content is None else [content]

    async def _asgi(self, scope: Mapping[str, Any], receive: "Receive", send: "Send") -> None:
        if scope["type"] == "lifespan":
            return await self._lifespan(receive, send)
        if scope["type"] != "http":
            raise RuntimeError(f"the service answers HTTP, not {scope['type']}")
        self.start()
        body = await self._body(scope, receive)
        if body is None:
            return
        exchange = Exchange(self._shared, _incoming.of_scope(scope, body))
        answer = await exchange.answer_async()
        await send({"type": "http.response.start", "status": answer.status,
                    "headers": [(name.lower().encode("latin-1"), value.encode("utf-8")) for name, value in exchange.fields(answer)]})
        content = exchange.content(answer)
        if content is None and not await exchange.pieces(answer).send(receive, send):
            return
        await send({"type": "http.response.body", "body": content or b""})

    async def _body(self, scope: Mapping[str, Any], receive: "Receive") -> Optional[bytes]:
        """The body; of one that is too large, only as much as is needed to refuse it.  None if the client has disconnected."""
        max_body = self._shared.max_body
        if (_incoming.content_length(scope["headers"]) or 0) > max_body:
            return b""  # the library refuses the Content-Length
        body, is_whole = bytearray(), False
        while not is_whole:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            body += message.get("body", b"")
            is_whole = not message.get("more_body", False) or len(body) > max_body
        return bytes(body)

    async def _lifespan(self, receive: "Receive", send: "Send") -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                try:
                    self.start()
                except RuntimeError as error:
                    await send({"type": "lifespan.startup.failed", "message": str(error)})
                    return
                await send({"type": "lifespan.startup.complete"})
            elif message["type"] == "lifespan.shutdown":
                await send({"type": "lifespan.shutdown.complete"})
                return


class _Application:
    """An ASGI application.  Servers recognize its version by the coroutine function of its class."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def __call__(self, scope: Mapping[str, Any], receive: "Receive", send: "Send") -> None:
        await self._service._asgi(scope, receive, send)


def _check_base_path(api: PlainRouter, path: str) -> None:
    """Raises for a string that is not a path."""
    try:
        api.read("GET", "/", base_path=path)
    except RoutableError as error:
        if not error.http_status:
            raise


def _schemes(document: Mapping[str, Any]) -> Set[str]:
    """The names of the schemes of a description."""
    parts = (document.get("auth"), document.get("securityDefinitions"), (document.get("components") or {}).get("securitySchemes"))
    return {name for part in parts if isinstance(part, dict) for name in part}
