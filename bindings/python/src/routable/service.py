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
from typing import TYPE_CHECKING, Any, Awaitable, Callable, Dict, Iterable, List, Mapping, Optional, Set, Tuple, Union
from urllib.parse import quote, urlsplit

from . import _json, describe
from .errors import HTTPStatusError, MethodNotAllowedError, RoutableError
from .received import Received
from .router import PlainRouter, router

if TYPE_CHECKING:
    Handler = Callable[..., Any]
    Pairs = List[Tuple[str, str]]

_LOGGER = logging.getLogger("routable.service")
_PROBLEM = "application/problem+json"
_TITLES = {404: "Not Found", 406: "Not Acceptable", 409: "Conflict", 412: "Precondition Failed", 401: "Unauthorized", 403: "Forbidden",
           500: "Internal Server Error", 501: "Not Implemented"}


@dataclass
class Reply:
    """A response: `Reply(201, value, {"Location": "/notes/7"})`.

    `value` becomes JSON; bytes and str are sent unchanged, with `content_type`.  With an `etag`, a GET or HEAD request whose
    If-None-Match has it is answered with 304.
    """

    status: int = 200
    value: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: Optional[str] = None
    etag: Optional[str] = None


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

    Each response of a handler is validated against the description before it is sent: a status that the operation does not declare as
    a success, or a value that is not valid, is answered with 500 and logged.
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
        exchange = _Exchange(self, scope["method"], _below(target, root), list(scope["headers"]), bytes(body))
        status, headers, content = await exchange.answer_async()
        await send({"type": "http.response.start", "status": status,
                    "headers": [(name.lower().encode("latin-1"), value.encode("utf-8")) for name, value in headers]})
        await send({"type": "http.response.body", "body": content})

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
        status, answered, content = _Exchange(self, environ["REQUEST_METHOD"], target, headers, body).answer()
        start_response(f"{status} {_TITLES.get(status, 'Status')}", [(name, value.encode("utf-8").decode("latin-1")) for name, value in answered])
        return [content]


class _Application:
    """An ASGI application.  Servers recognize its version by the coroutine function of its class."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def __call__(
        self, scope: Mapping[str, Any], receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]
    ) -> None:
        await self._service._asgi(scope, receive, send)


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

    def __init__(self, service: Service, method: str, target: bytes, headers: List[Tuple[bytes, bytes]], body: bytes) -> None:
        self.service = service
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        self.received: Optional[Received] = None

    def header(self, name: bytes) -> str:
        return b", ".join(value for key, value in self.headers if key.lower() == name).decode("latin-1")

    # --- The two ways to call a handler ---

    def answer(self) -> "Tuple[int, Pairs, bytes]":
        try:
            handler, arguments = self.begin()
            result = handler.function(self.received, **arguments)
            if inspect.isawaitable(result):
                import asyncio

                result = asyncio.run(_awaited(result))
            return self.end(result)
        except Exception as error:
            return self.failed(error)

    async def answer_async(self) -> "Tuple[int, Pairs, bytes]":
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
        self.received = received = service._api.read(
            self.method, self.target, self.headers, self.body, base_path=service._base_path, max_body_bytes=service._max_body,
            require_credentials=True,
        )
        identities: Dict[str, Any] = {}
        for scheme, credential in received.credentials.items():
            verify = service._credentials.get(scheme)
            if verify is None:
                service._logger.error("no function verifies the credentials of the scheme %s", scheme)
            identity = verify(credential) if verify is not None else None
            if identity is None:
                raise Refusal(401, "the credential is not valid", {"WWW-Authenticate": "Bearer"})
            identities[scheme] = identity
        handler = service._handlers.get((received.route, received.operation))
        if handler is None and received.route:
            handler = service._handlers.get((received.route.rpartition(".")[2], received.operation))
        if handler is None:
            raise Refusal(501, f"{received.operation} has no handler")
        return handler, handler.arguments(received, next(iter(identities.values()), None))

    # --- After the handler ---

    def end(self, result: Any) -> "Tuple[int, Pairs, bytes]":
        received = self.received
        assert received is not None
        if isinstance(result, Reply):
            reply = result
        elif isinstance(result, tuple) and len(result) == 2 and isinstance(result[0], int) and not isinstance(result[0], bool):
            reply = Reply(result[0], result[1])
        else:
            reply = Reply(self.usual(received, result), result)
        headers: "Pairs" = [(name, str(value)) for name, value in reply.headers.items()]
        value, kind, content = reply.value, reply.content_type, b""
        if isinstance(value, (bytes, bytearray, memoryview)):
            content, kind = bytes(value), kind or "application/octet-stream"
        elif isinstance(value, str) and kind is not None and "json" not in kind:
            content = value.encode()
        elif value is not None or kind is not None:
            content, kind = _json.dumps("the value of the response", value), kind or "application/json"
        if kind is not None and not _accepts(self.header(b"accept"), kind):
            raise Refusal(406, f"the response is available as {kind.partition(';')[0]}")
        if kind is not None:
            headers.append(("Content-Type", kind))
        self.verify(received, reply.status, headers, content)
        if reply.etag is not None:
            headers.append(("ETag", reply.etag))
            if self.method in ("GET", "HEAD") and 200 <= reply.status < 300 and _has_etag(self.header(b"if-none-match"), reply.etag):
                return 304, [each for each in headers if each[0] not in ("Content-Type",)], b""
        if reply.status not in (204, 304):
            headers.append(("Content-Length", str(len(content))))
        return reply.status, headers, b"" if self.method == "HEAD" or reply.status in (204, 304) else content

    def usual(self, received: Received, value: Any) -> int:
        """The status of a value that came without one: of those that the operation declares as a success, the first."""
        candidates: Tuple[int, ...] = (204, 200, 202, 201) if value is None else (200, 201, 202, 203)
        source = self.description(received).source
        if source is not None:
            declared = sorted(int(each) for each in source.get("responses", {}) if str(each).isdigit() and 200 <= int(each) <= 299)
            candidates = (*declared, *candidates)
        for status in candidates:
            try:
                self.service._api.map_response(received.route, received.operation, status)
            except HTTPStatusError:
                continue
            except RoutableError:
                pass
            return status
        return candidates[0]

    def description(self, received: Received) -> describe.Operation:
        found = self.service._api._described(received.route, received.operation)
        assert found is not None
        return found

    def verify(self, received: Received, status: int, headers: "Pairs", content: bytes) -> None:
        """What a client makes of the response.  Raises for a response that the operation does not declare."""
        try:
            mapped = self.service._api.map_response(received.route, received.operation, status, headers, content)
        except HTTPStatusError:
            if status >= 400:
                return
            raise
        if mapped.deviations:
            raise ValueError(f"the value of the response is not valid: {mapped.deviations[0].message}")

    # --- Failures ---

    def failed(self, error: Exception) -> "Tuple[int, Pairs, bytes]":
        headers: "Pairs" = []
        if isinstance(error, Refusal):
            status, headers = error.status, list(error.headers.items())
            problem = {"type": "about:blank", "title": _TITLES.get(status, "Error"), "status": status}
            if error.detail:
                problem["detail"] = error.detail
            content = _json.dumps("problem", problem)
        elif self.received is None and isinstance(error, RoutableError) and error.problem is not None:
            if self.method == "OPTIONS" and isinstance(error, MethodNotAllowedError):
                return 204, [("Allow", ", ".join(error.allowed))], b""
            status, content = error.problem.status, error.problem.json
            if status == 422 and self.service._plain:
                status, content = 400, content.replace(b'"title":"Unprocessable Content","status":422', b'"title":"Bad Request","status":400', 1)
            headers = list(error.problem.headers.items())
        else:
            status, content = 500, _json.dumps("problem", {"type": "about:blank", "title": _TITLES[500], "status": 500})
        if status >= 500:
            received = self.received
            self.service._logger.error(
                "%s %s: %s", (received.route if received is not None else None) or "", received.operation if received is not None else self.method,
                error, exc_info=None if isinstance(error, Refusal) else error,
            )
        headers = [*headers, ("Content-Type", _PROBLEM), ("Content-Length", str(len(content)))]
        return status, headers, b"" if self.method == "HEAD" else content


async def _awaited(result: Awaitable[Any]) -> Any:
    return await result


def _accepts(accept: str, kind: str) -> bool:
    """Whether a header Accept allows a media type (RFC 9110 section 12.5.1): the most specific range decides."""
    if not accept:
        return True
    essence = kind.partition(";")[0].strip().lower()
    best, quality = -1, 0.0
    for part in accept.split(","):
        words = [each.strip() for each in part.split(";")]
        name = words[0].lower()
        rank = 2 if name == essence else 1 if name == essence.partition("/")[0] + "/*" else 0 if name == "*/*" else -1
        if rank > best:
            best, quality = rank, 1.0
            for word in words[1:]:
                if word.lower().startswith("q="):
                    try:
                        quality = float(word[2:])
                    except ValueError:
                        quality = 0.0
    return best >= 0 and quality > 0


def _has_etag(header: str, etag: str) -> bool:
    """The weak comparison of RFC 9110 section 8.8.3.2."""
    plain = etag.removeprefix("W/")
    return any(each.strip() == "*" or each.strip().removeprefix("W/") == plain for each in header.split(",") if each.strip())
