"""One request of a Service, from reading it to its response.  The WSGI and the ASGI application differ only in how they call the
functions of the program: `answer` and `answer_async`."""

from __future__ import annotations

from dataclasses import dataclass, field
from logging import Logger
from typing import Any, AsyncIterable, Callable, Dict, List, Optional, Tuple

from . import _answer
from ._answer import Answer, Content, Slot
from ._handler import Handler, Handlers, call, call_async
from ._incoming import Incoming
from ._pieces import Pieces
from .errors import RoutableError
from .received import Received
from .reply import Refusal, as_reply, header_pairs
from .router import PlainRouter


@dataclass
class Shared:
    """What all requests of a service have in common."""

    api: PlainRouter
    handlers: Handlers
    base_path: Optional[str]
    max_body: int
    #: ROUTABLE_PROBLEM_400, or 0.
    flags: int
    logger: Logger
    #: The functions that verify credentials, by the names of their schemes.
    credentials: Dict[str, Callable[[str], Any]] = field(default_factory=dict)


class Exchange:
    """One request and its response."""

    def __init__(self, shared: Shared, incoming: Incoming) -> None:
        self._shared = shared
        self._incoming = incoming
        self._received: Optional[Received] = None
        #: The iterator of the items of the response, and the file, which must stay open.
        self._items: Any = None
        self._file: Any = None
        self._has_built_location = False

    # --- The two ways to call the functions of the program ---

    def answer(self) -> Answer:
        """The response, also to a request that is refused, and for an exception of the program."""
        try:
            identities = {scheme: call(verify, credential) for scheme, verify, credential in self._to_verify()}
            handler, arguments = self._begin(identities)
            return self._end(call(handler.function, self._received, **arguments))
        except Exception as error:
            return self._failed(error)

    async def answer_async(self) -> Answer:
        """Like `answer`, without blocking the event loop."""
        try:
            identities = {scheme: await call_async(verify, credential) for scheme, verify, credential in self._to_verify()}
            handler, arguments = self._begin(identities)
            return self._end(await call_async(handler.function, self._received, **arguments))
        except Exception as error:
            return self._failed(error)

    # --- Before the handler ---

    def _read(self, verify: Callable[[str, str], bool]) -> Received:
        shared, incoming = self._shared, self._incoming
        return shared.api._receive(
            incoming.method, incoming.target, incoming.headers, incoming.body, shared.base_path, shared.max_body, shared.flags, verify
        )

    def _to_verify(self) -> List[Tuple[str, Callable[[str], Any], str]]:
        """The credentials of the request, each scheme once, with the functions that verify them.  A request that needs none was read
        after this."""
        found: Dict[str, str] = {}

        def collect(scheme: str, credential: str) -> bool:
            found[scheme] = credential
            return False

        try:
            self._received = self._read(collect)
        except RoutableError:
            if not found:
                raise
        functions = self._shared.credentials
        for scheme, credential in found.items():
            if credential and scheme not in functions:
                self._shared.logger.error("no function verifies the credentials of the scheme %s", scheme)
        return [(scheme, functions[scheme], credential) for scheme, credential in found.items() if scheme in functions]

    def _begin(self, identities: Dict[str, Any]) -> Tuple[Handler, Dict[str, Any]]:
        """The handler and its keyword arguments."""
        good = {scheme: identity for scheme, identity in identities.items() if identity is not None and identity is not False}
        received = self._received
        if received is None or identities:
            received = self._received = self._read(lambda scheme, _: scheme in good)
        handler = self._shared.handlers.of(received)
        if handler is None:
            raise Refusal(501, f"{' '.join(each for each in (received.route, received.operation) if each)} has no handler")
        # The library has kept the credentials of the first alternative that is satisfied.
        scheme = next(iter(received.credentials), "")
        return handler, handler.arguments(received, good.get(scheme))

    # --- After the handler ---

    def _end(self, result: Any) -> Answer:
        received = self._received
        assert received is not None
        reply = as_reply(result)
        items = reply.lines if reply.events is None else reply.events
        if sum(each is not None for each in (reply.value, reply.file, reply.lines, reply.events)) > 1:
            raise TypeError("a Reply has one of value, file, lines and events")
        self._has_built_location = isinstance(reply.location, tuple)
        content = Content(
            reply.value, list(header_pairs(reply.headers)), reply.content_type, reply.etag, reply.location, reply.file,
            None if items is None else Slot(reply.events is not None),
        )
        answer = _answer.make(received, self._incoming.method, reply.status, content, self._shared.flags)
        self._file = reply.file
        if answer.status >= 500:
            self._log(RuntimeError(f"the handler has returned the status {answer.status}"))
        if items is not None and answer.slot is not None:
            self._items = items.__aiter__() if isinstance(items, AsyncIterable) else iter(items)
        return answer

    def fields(self, answer: Answer) -> List[Tuple[str, str]]:
        """The headers.  A location that was built is below the path that the application is mounted at."""
        root = self._incoming.root.rstrip(b"/").decode("latin-1")
        if not self._has_built_location or not root:
            return answer.headers
        return [(name, root + value if name == "Location" else value) for name, value in answer.headers]

    def content(self, answer: Answer) -> Optional[bytes]:
        """The body, or None for pieces."""
        # The library does not know the method of a request that was not read.
        return b"" if self._incoming.method == "HEAD" else answer.body

    def pieces(self, answer: Answer) -> Pieces:
        """The body that is not in memory."""
        return Pieces(answer, self._items, self._log)

    # --- Failures ---

    def _failed(self, error: Exception) -> Answer:
        answer: Optional[Answer] = getattr(error, "answer", None) if isinstance(error, RoutableError) else None
        if answer is None:
            try:
                answer = self._refused(error) if isinstance(error, Refusal) else self._problem(500)
            except Exception as wrong:  # a header, a detail or a status of a Refusal
                error, answer = wrong, self._problem(500)
        if answer.status >= 500:
            self._log(error)
        return answer

    def _refused(self, refusal: Refusal) -> Answer:
        headers = list(header_pairs(refusal.headers))
        if refusal.status >= 400 or self._received is None:
            return self._problem(refusal.status, refusal.detail, headers)
        return _answer.make(self._received, self._incoming.method, refusal.status, Content(headers=headers), self._shared.flags)

    def _problem(self, status: int, detail: str = "", headers: "List[Tuple[str, str]]" = []) -> Answer:
        return _answer.problem(self._received, status, detail, headers)

    def _log(self, error: Exception) -> None:
        received = self._received
        names = " ".join([self._incoming.method] if received is None else [each for each in (received.route, received.operation) if each])
        message = str(error)
        self._shared.logger.error(
            "%s", message if message.startswith(f"{names}: ") else f"{names}: {message}", exc_info=None if isinstance(error, Refusal) else error,
        )
