"""AsyncClient: performs requests in an event loop of asyncio or trio, with one descriptor, and a thread only for large bodies."""

from __future__ import annotations

from functools import partial
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING, Any, AsyncIterator, Awaitable, Callable, Iterable, List, Optional, Tuple, Type, TypeVar, Union, overload

from ._client import Auth, Seconds
from ._flows import Runs
from ._loop import InLoop
from ._text import natural
from ._twin import items_twin_of, twin_of
from .client import Client
from .cookies import Cookie
from .credential import AnyCredential, own
from .completion import Completion
from .middleware import Call, refuse
from .request import Request, no_request
from .response import Response

if TYPE_CHECKING:
    import asyncio

    from .aiopages import AsyncItems, AsyncPages
    from .aiostream import AsyncStream
    from .files import Event
    from .login import AsyncLogin
    from .router import PlainRouter
    from .stream import Stream

T = TypeVar("T")


class AsyncClient(InLoop):
    """A Client for asyncio and trio.

        async with routable.AsyncClient(deadline=5, retries=2) as client:
            response = await client.perform(api.user("x").read())
            async for completion in client.perform_all(requests, concurrency=20):
                ...

    A client belongs to the event loop in which it is first used.  Cancelling a task cancels its request.
    """

    __slots__ = ("__dict__",)  # as Client

    @twin_of(Client.__init__)
    def __init__(self, router: Any = None, **options: Any) -> None:
        super().__init__(Client(router, **options))

    # --- Credentials ---

    def set_credential(self, scheme: str, credential: AnyCredential, *, router: Optional[PlainRouter] = None) -> None:
        """Like Client.set_credential; the function that refreshes may be a coroutine function."""
        self._client.set_credential(scheme, credential, router=router)

    def remove_credential(self, scheme: str) -> None:
        """Removes the credentials of a scheme of all descriptions, if any."""
        self._client.remove_credential(scheme)

    def tokens(self, scheme: str) -> Tuple[Optional[str], Optional[str]]:
        """Like Client.tokens."""
        return self._client.tokens(scheme)

    @twin_of(Client.login)
    async def login(self, scheme: str, **options: Any) -> AsyncLogin:
        """Like Client.login, awaited; the requests of the login run in a thread of the loop."""
        from .login import open_login

        return await open_login(self, scheme, **options)

    def save_cookies(self) -> None:
        """Like Client.save_cookies."""
        self._client.save_cookies()

    @property
    def cookies(self) -> List[Cookie]:
        """Like Client.cookies."""
        return self._client.cookies

    def set_cookie(self, cookie: Cookie) -> None:
        """Like Client.set_cookie."""
        self._client.set_cookie(cookie)

    def clear_cookies(self) -> None:
        """Like Client.clear_cookies."""
        self._client.clear_cookies()

    # --- One ---

    @overload
    async def perform(
        self, request: Request, *, deadline: Optional[Seconds] = None, retries: Optional[int] = None,
        auth: Auth = None,
        stall_timeout: Optional[Seconds] = None,
        max_redirects: Optional[int] = None,
    ) -> Response: ...

    @overload
    async def perform(
        self, request: Request, *, into: Type[T], deadline: Optional[Seconds] = None, retries: Optional[int] = None,
        auth: Auth = None,
        stall_timeout: Optional[Seconds] = None,
        max_redirects: Optional[int] = None,
    ) -> T: ...

    async def perform(
        self,
        request: Request,
        *,
        into: Optional[Type[T]] = None,
        deadline: Optional[Seconds] = None,
        retries: Optional[int] = None,
        auth: Auth = None,
        stall_timeout: Optional[Seconds] = None,
        max_redirects: Optional[int] = None,
    ) -> Union[Response, T]:
        """Like Client.perform."""
        if not isinstance(request, Request):
            raise no_request("perform", request)
        if self._client._middleware:
            def last(each: Request) -> Awaitable[Response]:
                return self._perform(each, own(self._client._policy(deadline, retries, auth, stall_timeout, max_redirects), request))

            response: Response = await Call(self._client, True, tuple(self._client._middleware), last)(request)
        else:
            response = await self._perform(request, self._client._policy(deadline, retries, auth, stall_timeout, max_redirects))
        return response if into is None else response._exactly(into)

    async def _perform(self, request: Request, policy: Any) -> Response:
        future: "asyncio.Future[Response]" = self._attached().create_future()

        def sink(ended: Completion) -> None:
            if future.done():
                return
            if ended.error is None:
                future.set_result(ended.response)  # type: ignore[arg-type]
            else:
                future.set_exception(request._raised(ended.error))

        if (request._records or self._client._calls_back) and self._outside is not None:
            await self._inside()
        key, _ = self._client._hub.submit(self._client._live(), request, policy, sink)
        self._wake(request, key)
        began = monotonic()
        try:
            response = await future
            response.__dict__["_elapsed"] = monotonic() - began
            return response
        except self._cancelled:
            self._client._hub.cancel(sink)
            raise
        finally:
            self._wake(request, None)

    @twin_of(Client.download)
    async def download(
        self, request: Request, path: Any, *, resume: bool = False, progress: Any = None, **policy: Any
    ) -> Response:
        request._download_to(path, resume, progress)
        response: Response = await self.perform(request, **policy)
        return response

    def _wake(self, request: Request, key: Optional[int]) -> None:
        """Asynchronous sources of the request continue the transfer of that key; None: it has ended."""
        if request._records:
            from . import _bodies

            if key is None:
                _bodies.sleep(request)
            else:
                _bodies.wake(request, partial(self._client._hub.resume, key))

    # --- Many ---

    @twin_of(Client.perform_all)
    async def perform_all(
        self, requests: Iterable[Request], *, concurrency: int = 64, **policy: Any
    ) -> AsyncIterator[Completion]:
        natural("concurrency", concurrency, 1)
        runs = None
        if self._client._middleware:
            refuse(self._client, "perform_all")
            runs = Runs(self._client._flows, self._client)
        loop = self._attached()
        policy_of_each = self._client._policy(**policy)
        hub = self._client._hub
        ended: List[Completion] = []
        waiter: Optional["asyncio.Future[None]"] = None

        def sink(each: Completion) -> None:
            ended.append(each)
            if waiter is not None and not waiter.done():
                waiter.set_result(None)

        def send(batch: List[Request]) -> None:
            for request, key in zip(batch, hub.submit_many(self._client._live(), batch, policy_of_each, sink)):
                self._wake(request, key)

        async def submit(batch: List[Request]) -> int:
            if batch and self._outside is not None and any(each._records for each in batch):
                await self._inside()
            self._client._live()
            if runs is not None:
                return runs.submit(batch, send)
            if batch:
                send(batch)
            return len(batch)

        source, left, under_way = iter(requests), True, 0
        try:
            while True:
                if left:
                    room = concurrency - under_way
                    batch = list(islice(source, room))
                    left = len(batch) == room
                    if batch:
                        own(policy_of_each, batch[0])
                    under_way += await submit(batch if runs is None else runs.begin(batch))
                if runs is not None:
                    while runs.ended:
                        yield runs.ended.popleft()
                if not ended:
                    if under_way == 0:
                        if left:  # the middleware has answered all of them
                            continue
                        return
                    waiter = loop.create_future()
                    await waiter
                    waiter = None
                given, ended[:] = list(ended), []
                under_way -= len(given)
                for each in given:
                    self._wake(each.request, None)
                if runs is not None:
                    under_way += await submit(runs.resume(given))
                    continue
                for each in given:
                    yield each
        finally:
            if under_way:
                hub.cancel(sink)

    # --- In parts ---

    @twin_of(Client.pages)
    def pages(self, *given: Any, **options: Any) -> AsyncPages:
        from .aiopages import AsyncItems, AsyncPages

        return AsyncPages(self, self._client.pages(*given, **options))

    @items_twin_of(Client.items)
    def items(self, request: Request, *, into: Optional[Type[Any]] = None, **paging: Any) -> AsyncItems[T]:
        from .aiopages import AsyncItems

        return AsyncItems(self.pages(request, **paging), into)

    @twin_of(Client.pieces)
    def pieces(self, *given: Any, **options: Any) -> AsyncStream[bytes]:
        return self._stream(Client.pieces, *given, **options)

    @twin_of(Client.lines)
    def lines(self, *given: Any, **options: Any) -> AsyncStream[str]:
        return self._stream(Client.lines, *given, **options)

    @twin_of(Client.values)
    def values(self, *given: Any, **options: Any) -> AsyncStream[Any]:
        return self._stream(Client.values, *given, **options)

    @twin_of(Client.events)
    def events(self, *given: Any, **options: Any) -> AsyncStream[Event]:
        return self._stream(Client.events, *given, **options)

    def _stream(self, begin: Callable[..., Stream[T]], *given: Any, **options: Any) -> AsyncStream[T]:
        from .aiostream import AsyncStream

        self._attached()
        self._has_streams = True  # whose items wait for turns of the loop
        return AsyncStream(self, begin(self._client, *given, **options))

    def __repr__(self) -> str:
        return f"<routable.AsyncClient{' closed' if self.closed else ''}>"
