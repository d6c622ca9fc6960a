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
import keyword
import logging
import re
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
from .errors import RoutableError, UnknownError
from .received import Received
from .router import PlainRouter, router
from .walk import unknown

if TYPE_CHECKING:
    Handler = Callable[..., Any]
    Pairs = List[Tuple[str, str]]
    #: Headers by their names, or as pairs; a list has the values of several headers with one name.
    Fields = Union[Mapping[str, Union[str, Sequence[str]]], Iterable[Tuple[str, Union[str, Sequence[str]]]]]

_LOGGER = logging.getLogger("routable.service")


@dataclass
class Reply:
    """A response: `Reply(201, value, location=("user.note.read", [user, number]))`.

    status        0: the first success that the operation declares
    value         becomes JSON; bytes are sent unchanged, and so is a str if `content_type` is not JSON
    headers       further headers; a list has the values of several headers with one name
    content_type  None: the declared media type that the request prefers
    etag          a GET or HEAD request whose If-None-Match has it is answered with 304, and one whose If-Match does not, with 412
    location      the header Location: a URL, or an operation and its ids
    file          the body is a file: a path, or an open binary file, which is not closed
    lines         the body is JSON Lines: an iterable of values, also an asynchronous one
    events        the body is server-sent events: an iterable of Event or str, also an asynchronous one
    """

    status: int = 0
    value: Any = None
    headers: "Fields" = field(default_factory=dict)
    content_type: Optional[str] = None
    etag: Optional[str] = None
    location: "Union[str, Tuple[str, Union[Sequence[Any], Mapping[str, Any]]], None]" = None
    file: "Union[str, PathLike[str], BinaryIO, None]" = None
    lines: "Union[Iterable[Any], AsyncIterable[Any], None]" = None
    events: "Union[Iterable[Any], AsyncIterable[Any], None]" = None


class Refusal(Exception):
    """Raised by a handler: the request is answered with this status and a problem document with this detail."""

    def __init__(self, status: int, detail: str = "", headers: "Fields" = ()) -> None:
        super().__init__(detail)
        if not isinstance(status, int) or not 400 <= status <= 599:
            raise ValueError(f"a refusal has a status from 400 to 599, not {status!r}")
        self.status = status
        self.detail = detail
        self.headers = headers


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
        if base_path is not None:
            _check_base_path(self._api, base_path)
        #: The ASGI application, for HTTP; mount it below any path.
        self.asgi = _Application(self)

    # --- Handlers ---

    def handle(self, name: str) -> "Callable[[Handler], Handler]":
        """A decorator for the handler of an operation: "user.note.create", or the name of a standalone operation.

        The function, which may be asynchronous, takes the Received.  It may also take the ids, the declared query parameters and
        `identity` as keyword arguments; a character that a Python name cannot have is `_`, as in `page_size` for `page-size`.  It
        returns a value, (status, value), (status, value, headers) or a Reply.  TypeError for a parameter without a default that is
        none of these.
        """
        if not isinstance(name, str):
            raise TypeError('handle requires the name of an operation: @service.handle("user.read")')
        key = self._key(name)
        if key in self._handlers:
            raise ValueError(f"{name} has a handler already")

        def add(function: "Handler") -> "Handler":
            handler = _Handler(function)
            handler.check(name, self._parameters(key))
            self._handlers[key] = handler
            return function

        return add

    def credential(self, scheme: str) -> "Callable[[Callable[[str], Any]], Callable[[str], Any]]":
        """A decorator for the function that verifies the credentials of a scheme: it takes the token, the key or "name:password",
        and returns an identity, or None or False for a credential that is not good.  The function may be asynchronous.

        A request is answered with 401, and nothing else of it is read, unless it has the credentials that its operation requires,
        and they are good.
        """
        if not isinstance(scheme, str):
            raise TypeError('credential requires the name of a scheme: @service.credential("session")')
        known = _schemes(self._api.document)
        if scheme not in known:
            raise unknown(scheme, "the description", None, known, UnknownError)

        def add(function: Callable[[str], Any]) -> Callable[[str], Any]:
            self._credentials[scheme] = function
            return function

        return add

    def _key(self, name: str) -> Tuple[Optional[str], str]:
        if name in self._api.operations:
            return None, name
        route, _, operation = name.rpartition(".")
        resource = self._api.resources.get(route)
        if resource is not None and operation in resource.operations:
            return route, operation  # at all places of the resource
        self._api.plan(route, operation) if route else self._api.plan(name)  # raises for a name that does not exist
        return route or None, operation

    def _parameters(self, key: Tuple[Optional[str], str]) -> Set[str]:
        """The names that handlers of an operation can take.  The ids above a resource depend on its place."""
        route, operation = key
        if route is None:
            return {each.name for each in self._api.operations[operation].description.parameters}
        resources = self._api.resources
        steps = route.split(".")
        own = resources.get(route) or resources[steps[-1]]
        found = {each.name for each in (*own.ids, *own.operations[operation].parameters)}
        if route in resources and len(steps) > 1:  # derived from the paths of an OpenAPI document
            above = [resources[prefix] for prefix in (".".join(steps[:count]) for count in range(1, len(steps))) if prefix in resources]
            found.update(each.name for resource in above for each in resource.ids)
        elif len(steps) > 1:
            above = [resources[step] for step in steps[:-1] if step in resources]
        else:
            above = list(resources.values()) if any(own.name in each.children for each in resources.values()) else []
        for resource in above:
            found.update([f"{resource.name}_id"], (f"{resource.name}_{each.name}" for each in resource.ids))
        return found

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
        body, is_whole = self._declared_too_large(_length(scope["headers"])), False
        is_whole = bool(body)
        while not is_whole:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body += message.get("body", b"")
            is_whole = not message.get("more_body", False) or len(body) > self._max_body
        path = scope.get("raw_path") or quote(scope["path"], safe=_PLAIN).encode()
        query = scope.get("query_string", b"")
        target = bytes(path).partition(b"?")[0] + (b"?" + query if query else b"")
        root = quote(scope.get("root_path", ""), safe=_PLAIN).encode()
        exchange = _Exchange(self, scope["method"], _below(target, root), list(scope["headers"]), bytes(body), root)
        answer = await exchange.answer_async()
        await send({"type": "http.response.start", "status": answer.status,
                    "headers": [(name.lower().encode("latin-1"), value.encode("utf-8")) for name, value in exchange.fields(answer)]})
        content = exchange.content(answer)
        if content is None:
            async for piece in exchange.pieces_async(answer):
                await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": content or b""})

    def _declared_too_large(self, length: Optional[int]) -> bytearray:
        """A body that is refused with 413 if the Content-Length is over the maximum, so that the real one is not read; or b""."""
        return bytearray(self._max_body + 1 if length is not None and length > self._max_body else 0)

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
        length = _length([(b"content-length", str(environ.get("CONTENT_LENGTH", "")).encode("latin-1", "replace"))]) or 0
        body = bytes(self._declared_too_large(length)) or (environ["wsgi.input"].read(length) if length > 0 else b"")
        if "chunked" in environ.get("HTTP_TRANSFER_ENCODING", "").lower() and environ.get("wsgi.input_terminated"):
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


#: Besides letters and digits, what a path has without an escape.
_PLAIN = "/:@!$&'()*+,;=-._~"


def _phrase(status: int) -> str:
    return HTTPStatus(status).phrase if status in HTTPStatus._value2member_map_ else "Status"


def _quoted(path: str) -> bytes:
    """A path of WSGI, whose escapes were decoded."""
    return quote(path.encode("latin-1"), safe=_PLAIN).encode()


def _origin(target: str) -> str:
    """The path and the query of a target, which may be a URL."""
    if target.startswith("/"):
        return target
    try:
        parts = urlsplit(target)
    except ValueError:
        return target  # which the library refuses
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def _below(target: bytes, root: bytes) -> bytes:
    """The target without the path that the application is mounted below."""
    root = root.rstrip(b"/")
    if root and target.startswith(root) and target[len(root) : len(root) + 1] in (b"/", b"?", b""):
        rest = target[len(root) :]
        return rest if rest.startswith(b"/") else b"/" + rest
    return target


def _check_base_path(api: PlainRouter, path: str) -> None:
    """Raises for a text that is no path."""
    try:
        api.read("GET", "/", base_path=path)
    except RoutableError as error:
        if not error.http_status:
            raise


def _schemes(document: Mapping[str, Any]) -> Set[str]:
    """The names of the schemes of a description."""
    parts = (document.get("auth"), document.get("securityDefinitions"), (document.get("components") or {}).get("securitySchemes"))
    return {name for part in parts if isinstance(part, dict) for name in part}


def _length(headers: Iterable[Tuple[bytes, bytes]]) -> Optional[int]:
    """The Content-Length, or None."""
    for name, value in headers:
        if name.lower() == b"content-length" and value.isdigit() and len(value) < 20:
            return int(value)
    return None


def _pairs(headers: "Fields") -> Iterator[Tuple[str, str]]:
    """Each header field."""
    for name, values in headers.items() if isinstance(headers, Mapping) else headers:
        for value in [values] if isinstance(values, str) else values:
            yield name, value


def _name(text: str) -> str:
    """The name of a Python parameter for a name of the description."""
    found = re.sub(r"\W", "_", text)
    return found + "_" if keyword.iskeyword(found) else found


class _Handler:
    """A function with the keyword arguments that it accepts."""

    def __init__(self, function: "Handler") -> None:
        self.function = function
        self.is_async = inspect.iscoroutinefunction(function)
        parameters = list(inspect.signature(function).parameters.values())[1:]
        self.takes_all = any(each.kind is each.VAR_KEYWORD for each in parameters)
        self.names: Set[str] = {each.name for each in parameters if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)}
        self.has_default: Set[str] = {each.name for each in parameters if each.default is not each.empty}

    def check(self, name: str, known: Set[str]) -> None:
        """Raises for a function that cannot be called."""
        if not any(each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD, each.VAR_POSITIONAL)
                   for each in inspect.signature(self.function).parameters.values()):
            raise TypeError(f"the handler of {name} must take the Received as its first parameter")
        wrong = self.names - self.has_default - {_name(each) for each in known} - {"identity"}
        for each in sorted(wrong):
            error = unknown(each, f"the operation {name}", None, {_name(other) for other in known} | {"identity"}, UnknownError)
            raise TypeError(f"the handler of {name} has the parameter {each}: {error}")

    def run(self, received: Optional[Received], arguments: Mapping[str, Any]) -> Any:
        return _run(self.function, received, **arguments)

    def arguments(self, received: Received, identity: Any) -> Dict[str, Any]:
        given = {**received.query, **received.ids}
        # A name that the function has counts before another that is only spelled like it.
        named = {_name(name): value for name, value in given.items() if name not in self.names}
        named.update((name, value) for name, value in given.items() if name in self.names)
        given = named if self.takes_all else {name: value for name, value in named.items() if name in self.names}
        # Never a parameter of the request.
        if "identity" in self.names:
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
            identities = {scheme: self.ready(self.verify(scheme, credential)) for scheme, credential in self.credentials()}
            handler, arguments = self.begin(identities)
            return self.end(self.ready(handler.run(self.received, arguments)))
        except Exception as error:
            return self.failed(error)

    async def answer_async(self) -> Answer:
        try:
            identities = {}
            for scheme, credential in self.credentials():
                identity = self.verify(scheme, credential)
                identities[scheme] = await identity if inspect.isawaitable(identity) else identity
            handler, arguments = self.begin(identities)
            if handler.is_async:
                result = await handler.run(self.received, arguments)
            else:
                import asyncio

                result = await asyncio.get_running_loop().run_in_executor(None, handler.run, self.received, arguments)
                if inspect.isawaitable(result):
                    result = await result
            return self.end(result)
        except Exception as error:
            return self.failed(error)

    # --- Before the handler ---

    @staticmethod
    def ready(result: Any) -> Any:
        """What a function has returned, which may be awaitable."""
        if inspect.isawaitable(result):
            import asyncio

            return asyncio.run(_awaited(result))
        return result

    def read(self, verify: Callable[[str, str], bool]) -> Received:
        service = self.service
        return service._api._receive(
            self.method, self.target, self.headers, self.body, service._base_path, service._max_body, self.flags, verify
        )

    def credentials(self) -> List[Tuple[str, str]]:
        """The credentials of the request.  Without one, the request was read."""
        found: List[Tuple[str, str]] = []

        def collect(scheme: str, credential: str) -> bool:
            found.append((scheme, credential))
            return False

        try:
            self.received = self.read(collect)
        except RoutableError:
            if not found:
                raise
            self.received = None
        # An operation that also accepts requests without a credential was read without it.
        return found

    def verify(self, scheme: str, credential: str) -> Any:
        """The identity, or an awaitable."""
        verify = self.service._credentials.get(scheme)
        if verify is None:
            if credential:
                self.service._logger.error("no function verifies the credentials of the scheme %s", scheme)
            return None
        return _run(verify, credential)

    def begin(self, identities: Dict[str, Any]) -> Tuple[_Handler, Dict[str, Any]]:
        service = self.service
        if identities or self.received is None:
            identities = {scheme: identity for scheme, identity in identities.items() if identity is not None and identity is not False}
            self.received = self.read(lambda scheme, _: scheme in identities)
        received = self.received
        assert received is not None
        handler = service._handlers.get((received.route, received.operation))
        if handler is None and received.route:
            handler = service._handlers.get((received.route.rpartition(".")[2], received.operation))
        if handler is None:
            raise Refusal(501, f"{' '.join(each for each in (received.route, received.operation) if each)} has no handler")
        # The library has kept the credentials of the first alternative that is satisfied.
        scheme = next(iter(received.credentials), "")
        return handler, handler.arguments(received, identities.get(scheme))

    # --- After the handler ---

    def end(self, result: Any) -> Answer:
        received = self.received
        assert received is not None
        if isinstance(result, Reply):
            reply = result
        elif isinstance(result, tuple) and len(result) == 2 and type(result[0]) is int:
            reply = Reply(result[0], result[1])
        elif isinstance(result, tuple) and len(result) == 3 and type(result[0]) is int and isinstance(result[2], Mapping):
            reply = Reply(result[0], result[1], result[2])
        else:
            reply = Reply(value=result)
        items = reply.lines if reply.events is None else reply.events
        if (reply.value is not None) + (reply.file is not None) + (reply.lines is not None) + (reply.events is not None) > 1:
            raise TypeError("a Reply has one of value, file, lines and events")
        self.has_root = isinstance(reply.location, tuple)
        content = Content(
            reply.value, list(_pairs(reply.headers)), reply.content_type, reply.etag, reply.location, reply.file,
            None if items is None else Slot(reply.events is not None),
        )
        answer = _answer.make(received, self.method, reply.status, content, self.flags)
        self.file = reply.file
        if answer.status >= 500:
            self.log(RuntimeError(f"the handler has returned the status {answer.status}"))
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
            status, detail, headers = (error.status, error.detail, error.headers) if isinstance(error, Refusal) else (500, "", ())
            try:
                answer = _answer.problem(self.received, status, detail, list(_pairs(headers)))
            except Exception as wrong:  # a header or a detail of a Refusal
                error, answer = wrong, _answer.problem(self.received, 500, "", ())
        if answer.status >= 500:
            self.log(error)
        return answer

    def log(self, error: Exception) -> None:
        received = self.received
        names = " ".join([self.method] if received is None else [each for each in (received.route, received.operation) if each])
        message = str(error)
        self.service._logger.error(
            "%s", message if message.startswith(f"{names}: ") else f"{names}: {message}", exc_info=None if isinstance(error, Refusal) else error,
        )


_END = object()


def _run(function: Callable[..., Any], *values: Any, **arguments: Any) -> Any:
    try:
        return function(*values, **arguments)
    except StopIteration as error:  # which a future cannot have
        raise RuntimeError("the function has raised StopIteration") from error


async def _awaited(result: Awaitable[Any]) -> Any:
    return await result


async def _next_of(items: "AsyncIterator[Any]") -> Any:
    try:
        return await items.__anext__()
    except StopAsyncIteration:
        return _END
