"""Service: functions that answer the requests of a description, as an ASGI and a WSGI application (docs/service.md).

    service = routable.Service(api)

    @service.handle("user.note.create")
    def create(received, user_id):
        return 201, {"number": 7, "text": received.body["text"]}

    app = service.asgi        # uvicorn module:app
    app = service.wsgi        # gunicorn module:app
"""

from __future__ import annotations

import inspect
import logging
from dataclasses import dataclass, field
from os import PathLike
from http import HTTPStatus
from typing import (
    TYPE_CHECKING, Any, AsyncIterable, AsyncIterator, Awaitable, BinaryIO, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Set,
    Tuple, Union,
)
from urllib.parse import quote, urlsplit

from . import _answer
from . import _capi as c
from ._answer import Answer, Content, Slot
from .errors import RoutableError
from .received import Received
from .router import PlainRouter, router

if TYPE_CHECKING:
    Handler = Callable[..., Any]
    Pairs = List[Tuple[str, str]]

_LOGGER = logging.getLogger("routable.service")


@dataclass
class Reply:
    """A response: `Reply(201, value, location=("user.note.read", [user, number]))`.

    status        0: the first success that the operation declares
    value         becomes JSON; bytes and str are sent unchanged, with `content_type`
    content_type  None: the declared media type that the request prefers
    etag          a GET or HEAD request whose If-None-Match has it is answered with 304, and one whose If-Match does not, with 412
    location      the header Location: a URL, or an operation and its ids
    file          the body is a file: a path, or an open binary file, which is not closed
    lines         the body is JSON Lines: an iterable of values, also an asynchronous one
    events        the body is server-sent events: an iterable of Event or str, also an asynchronous one
    """

    status: int = 0
    value: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: Optional[str] = None
    etag: Optional[str] = None
    location: "Union[str, Tuple[str, Union[Sequence[Any], Mapping[str, Any]]], None]" = None
    file: "Union[str, PathLike[str], BinaryIO, None]" = None
    lines: "Union[Iterable[Any], AsyncIterable[Any], None]" = None
    events: "Union[Iterable[Any], AsyncIterable[Any], None]" = None


class Refusal(Exception):
    """Raised by a handler: the request is answered with this status and a problem document with this detail."""

    def __init__(self, status: int, detail: str = "", headers: Optional[Mapping[str, str]] = None) -> None:
        super().__init__(detail)
        if not 400 <= status <= 599:
            raise ValueError(f"a refusal has a status from 400 to 599, not {status}")
        self.status = status
        self.detail = detail
        self.headers = dict(headers or {})


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
        self._api = router(api)
        own = urlsplit(self._api.base).path.rstrip("/")
        self._base_path = base_path
        self._mount = own if base_path is None else base_path.rstrip("/")
        self._strict = strict
        self._plain = plain_400
        self._max_body = max_body
        self._logger = logger
        self._handlers: Dict[Tuple[Optional[str], str], _Handler] = {}
        self._credentials: Dict[str, Callable[[str], Any]] = {}
        self._is_started = False
        #: The ASGI application, for HTTP; mount it below any path.
        self.asgi = _Application(self)

    # --- Handlers ---

    def handle(self, name: str) -> "Callable[[Handler], Handler]":
        """A decorator for the handler of an operation: "user.note.create", or the name of a standalone operation.

        The function, which may be asynchronous, takes the Received.  It may also take the ids, the declared query parameters and
        `identity` as keyword arguments.  It returns a value, (status, value) or a Reply.
        """
        key = self._key(name)
        if key in self._handlers:
            raise ValueError(f"{name} has a handler already")

        def add(function: "Handler") -> "Handler":
            self._handlers[key] = _Handler(function)
            return function

        return add

    def credential(self, scheme: str) -> "Callable[[Callable[[str], Any]], Callable[[str], Any]]":
        """A decorator for the function that verifies the credentials of a scheme: it takes the token, the key or "name:password",
        and returns an identity, or None for a credential that is not good.

        A request is answered with 401 unless it has the credentials that its operation requires, and all of them are good.
        """

        def add(function: Callable[[str], Any]) -> Callable[[str], Any]:
            self._credentials[scheme] = function
            return function

        return add

    def _key(self, name: str) -> Tuple[Optional[str], str]:
        if name in self._api.operations:
            return None, name
        route, _, operation = name.rpartition(".")
        self._api.plan(route, operation) if route else self._api.plan(name)  # raises for a name that does not exist
        return route or None, operation

    @property
    def missing(self) -> Tuple[str, ...]:
        """The operations without a handler."""
        found = [name for name in self._api.operations if (None, name) not in self._handlers]
        for resource in self._api.resources.values():
            for operation in resource.operations:
                if not any(op == operation and (route or "").rpartition(".")[2] == resource.name for route, op in self._handlers):
                    found.append(f"{resource.name}.{operation}")
        return tuple(found)

    def start(self) -> None:
        """Verifies that all operations have handlers.  The applications call it before the first request."""
        if self._is_started:
            return
        missing = self.missing
        if missing and self._strict:
            raise RuntimeError(f"these operations have no handler: {', '.join(missing)}")
        if missing:
            self._logger.warning("these operations have no handler and are answered with 501: %s", ", ".join(missing))
        self._is_started = True

    # --- Applications ---

    async def _asgi(self, scope: Mapping[str, Any], receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]) -> None:
        if scope["type"] == "lifespan":
            return await self._lifespan(receive, send)
        if scope["type"] != "http":
            raise RuntimeError(f"the service answers HTTP, not {scope['type']}")
        self.start()
        body, is_whole = bytearray(), False
        while not is_whole:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body += message.get("body", b"")
            is_whole = not message.get("more_body", False) or len(body) > self._max_body
        path = scope.get("raw_path") or quote(scope["path"], safe="/%:@!$&'()*+,;=-._~").encode()
        query = scope.get("query_string", b"")
        target = bytes(path).partition(b"?")[0] + (b"?" + query if query else b"")
        root = quote(scope.get("root_path", ""), safe="/%:@!$&'()*+,;=-._~").encode()
        exchange = _Exchange(self, scope["method"], _below(target, root), list(scope["headers"]), bytes(body), root)
        answer = await exchange.answer_async()
        await send({"type": "http.response.start", "status": answer.status,
                    "headers": [(name.lower().encode("latin-1"), value.encode("utf-8")) for name, value in exchange.fields(answer)]})
        content = exchange.content(answer)
        if content is None:
            async for piece in exchange.pieces_async(answer):
                await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": content or b""})

    async def _lifespan(self, receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]) -> None:
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

    def wsgi(self, environ: Mapping[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """The WSGI application; mount it below any path."""
        self.start()
        length = int(environ.get("CONTENT_LENGTH") or 0)
        body = environ["wsgi.input"].read(min(length, self._max_body + 1)) if length else b""
        if environ.get("HTTP_TRANSFER_ENCODING", "").lower() == "chunked" and environ.get("wsgi.input_terminated"):
            body = environ["wsgi.input"].read(self._max_body + 1)
        headers = [(name[5:].replace("_", "-").title().encode(), value.encode("latin-1")) for name, value in environ.items()
                   if name.startswith("HTTP_")]
        headers += [(name.encode(), str(environ[key]).encode("latin-1"))
                    for key, name in (("CONTENT_TYPE", "Content-Type"), ("CONTENT_LENGTH", "Content-Length")) if environ.get(key)]
        root = _quoted(environ.get("SCRIPT_NAME", ""))
        raw = environ.get("RAW_URI") or environ.get("REQUEST_URI")
        if raw:
            target = _below(_origin(raw).encode("latin-1"), root)
        else:
            query = environ.get("QUERY_STRING", "")
            target = _quoted(environ.get("PATH_INFO", "")) + (b"?" + query.encode("latin-1") if query else b"")
        exchange = _Exchange(self, environ["REQUEST_METHOD"], target, headers, body, root)
        answer = exchange.answer()
        status = answer.status
        fields = [(name, value.encode("utf-8").decode("latin-1")) for name, value in exchange.fields(answer)]
        start_response(f"{status} {_phrase(status)}", fields)
        content = exchange.content(answer)
        return exchange.pieces(answer) if content is None else [content]


class _Application:
    """An ASGI application.  Servers recognize its version by the coroutine function of its class."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def __call__(
        self, scope: Mapping[str, Any], receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]
    ) -> None:
        await self._service._asgi(scope, receive, send)


def _phrase(status: int) -> str:
    return HTTPStatus(status).phrase if status in HTTPStatus._value2member_map_ else "Status"


def _quoted(path: str) -> bytes:
    """A path of WSGI, whose escapes were decoded."""
    return quote(path.encode("latin-1"), safe="/:@!$&'()*+,;=-._~").encode()


def _origin(target: str) -> str:
    """The path and the query of a target, which may be a URL."""
    if target.startswith("/"):
        return target
    parts = urlsplit(target)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def _below(target: bytes, root: bytes) -> bytes:
    """The target without the path that the application is mounted below."""
    root = root.rstrip(b"/")
    if root and target.startswith(root) and target[len(root) : len(root) + 1] in (b"/", b"?", b""):
        return target[len(root) :] or b"/"
    return target


class _Handler:
    """A function with the keyword arguments that it accepts."""

    def __init__(self, function: "Handler") -> None:
        self.function = function
        self.is_async = inspect.iscoroutinefunction(function)
        parameters = list(inspect.signature(function).parameters.values())[1:]
        self.takes_all = any(each.kind is each.VAR_KEYWORD for each in parameters)
        self.names: Set[str] = {each.name for each in parameters if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)}
        self.has_default: Set[str] = {each.name for each in parameters if each.default is not each.empty}

    def arguments(self, received: Received, identity: Any) -> Dict[str, Any]:
        given = {**received.query, **received.ids}
        given = given if self.takes_all else {name: value for name, value in given.items() if name in self.names}
        if "identity" in self.names and "identity" not in given:
            given["identity"] = identity
        # An optional parameter without a value is None, unless the function has a default.
        for name in self.names - set(given) - self.has_default:
            given[name] = None
        return given


class _Exchange:
    """One request and its response."""

    def __init__(
        self, service: Service, method: str, target: bytes, headers: List[Tuple[bytes, bytes]], body: bytes, root: bytes
    ) -> None:
        self.service = service
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        self.root = root
        self.flags = c.ROUTABLE_PROBLEM_400 if service._plain else 0
        self.received: Optional[Received] = None
        #: The iterator of the items of the response, and the file, which must stay open.
        self.items: Any = None
        self.file: Any = None
        self.has_root = False

    # --- The two ways to call a handler ---

    def answer(self) -> Answer:
        try:
            handler, arguments = self.begin()
            result = handler.function(self.received, **arguments)
            if inspect.isawaitable(result):
                import asyncio

                result = asyncio.run(_awaited(result))
            return self.end(result)
        except Exception as error:
            return self.failed(error)

    async def answer_async(self) -> Answer:
        try:
            handler, arguments = self.begin()
            if handler.is_async:
                result = await handler.function(self.received, **arguments)
            else:
                import asyncio
                from functools import partial

                result = await asyncio.get_running_loop().run_in_executor(None, partial(handler.function, self.received, **arguments))
                if inspect.isawaitable(result):
                    result = await result
            return self.end(result)
        except Exception as error:
            return self.failed(error)

    # --- Before the handler ---

    def begin(self) -> Tuple[_Handler, Dict[str, Any]]:
        service = self.service
        self.received = received = service._api._receive(
            self.method, self.target, self.headers, self.body, service._base_path, service._max_body, self.flags
        )
        identities: Dict[str, Any] = {}
        for scheme, credential in received.credentials.items():
            verify = service._credentials.get(scheme)
            if verify is None:
                service._logger.error("no function verifies the credentials of the scheme %s", scheme)
            identity = verify(credential) if verify is not None else None
            if identity is None:
                raise Refusal(401, "the credential is not valid")
            identities[scheme] = identity
        handler = service._handlers.get((received.route, received.operation))
        if handler is None and received.route:
            handler = service._handlers.get((received.route.rpartition(".")[2], received.operation))
        if handler is None:
            raise Refusal(501, f"{received.operation} has no handler")
        return handler, handler.arguments(received, next(iter(identities.values()), None))

    # --- After the handler ---

    def end(self, result: Any) -> Answer:
        received = self.received
        assert received is not None
        if isinstance(result, Reply):
            reply = result
        elif isinstance(result, tuple) and len(result) == 2 and isinstance(result[0], int) and not isinstance(result[0], bool):
            reply = Reply(result[0], result[1])
        else:
            reply = Reply(value=result)
        items = reply.lines if reply.events is None else reply.events
        if (reply.value is not None) + (reply.file is not None) + (reply.lines is not None) + (reply.events is not None) > 1:
            raise TypeError("a Reply has one of value, file, lines and events")
        self.has_root = isinstance(reply.location, tuple)
        content = Content(
            reply.value, reply.headers.items(), reply.content_type, reply.etag, reply.location, reply.file,
            None if items is None else Slot(reply.events is not None),
        )
        answer = _answer.make(received, self.method, reply.status, content, self.flags)
        self.file = reply.file
        if items is not None and answer.slot is not None:
            self.items = items.__aiter__() if isinstance(items, AsyncIterable) else iter(items)
        return answer

    def fields(self, answer: Answer) -> "Pairs":
        """The headers.  A location that was built is below the path that the application is mounted at."""
        if not self.has_root or not self.root:
            return answer.headers
        root = self.root.rstrip(b"/").decode("latin-1")
        return [(name, root + value if name == "Location" else value) for name, value in answer.headers]

    def content(self, answer: Answer) -> Optional[bytes]:
        """The body, or None for pieces."""
        # The library does not know the method of a request that was not read.
        return b"" if self.method == "HEAD" else answer.body

    # --- Bodies in pieces ---

    def pieces(self, answer: Answer) -> Iterator[bytes]:
        loop: Any = None
        try:
            while True:
                if answer.slot is not None and answer.slot.item is None:
                    if isinstance(self.items, AsyncIterator):
                        import asyncio

                        loop = loop or asyncio.new_event_loop()
                        item = loop.run_until_complete(_next_of(self.items))
                    else:
                        item = next(self.items, _END)
                    self.give(answer.slot, item)
                piece = answer.next()
                if piece is None:
                    return
                yield piece
        except Exception as error:
            self.log(error)
            raise
        finally:
            if loop is not None:
                loop.close()

    async def pieces_async(self, answer: Answer) -> AsyncIterator[bytes]:
        import asyncio

        loop = asyncio.get_running_loop()
        try:
            while True:
                if answer.slot is not None and answer.slot.item is None:
                    if isinstance(self.items, AsyncIterator):
                        item = await _next_of(self.items)
                    else:
                        item = await loop.run_in_executor(None, next, self.items, _END)
                    self.give(answer.slot, item)
                    piece = answer.next()
                else:
                    piece = await loop.run_in_executor(None, answer.next)
                if piece is None:
                    return
                yield piece
        except Exception as error:
            self.log(error)
            raise

    @staticmethod
    def give(slot: Slot, item: Any) -> None:
        if item is _END:
            slot.is_ended = True
        else:
            slot.put(item)

    # --- Failures ---

    def failed(self, error: Exception) -> Answer:
        answer: Optional[Answer] = getattr(error, "answer", None) if isinstance(error, RoutableError) else None
        if answer is None:
            status, detail, headers = (error.status, error.detail, error.headers) if isinstance(error, Refusal) else (500, "", {})
            try:
                answer = _answer.problem(self.received, status, detail, headers.items())
            except RoutableError as wrong:  # a header of a Refusal
                error, answer = wrong, _answer.problem(self.received, 500, "", ())
        if answer.status >= 500:
            self.log(error)
        return answer

    def log(self, error: Exception) -> None:
        received = self.received
        self.service._logger.error(
            "%s %s: %s", (received.route if received is not None else None) or "", received.operation if received is not None else self.method,
            error, exc_info=None if isinstance(error, Refusal) else error,
        )


_END = object()


async def _awaited(result: Awaitable[Any]) -> Any:
    return await result


async def _next_of(items: "AsyncIterator[Any]") -> Any:
    try:
        return await items.__anext__()
    except StopAsyncIteration:
        return _END
