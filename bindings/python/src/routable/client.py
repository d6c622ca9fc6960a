"""Client: performs requests over libcurl."""

from __future__ import annotations

from collections import deque
from ctypes import POINTER, byref, c_int32, c_void_p, cast, pointer, sizeof
from itertools import islice
from os import PathLike, fsdecode
from typing import (
    TYPE_CHECKING, Any, Callable, Deque, Dict, Iterable, Iterator, List, Mapping, Optional, Tuple, Type, TypeVar, Union, overload,
)

from . import _capi as c
from ._check import check, new_error, take_string
from ._handle import Handle, Owned
from ._text import name, natural, optional_name, take
from .credential import AnyCredential, Functions, override, set_credential
from .errors import ArgumentError, RoutableError
from .request import Request
from .response import Response, read_response
from .transfer import CancelledError, Ended, Hub, Transfer, _direct, milliseconds

if TYPE_CHECKING:
    from .files import Event, Progress
    from .pages import Pages
    from .stream import Stream
    from .trace import TransferEvent

T = TypeVar("T")

#: What one request goes out with: False for no credentials, or a scheme with its credential.
Auth = Union[bool, Mapping[str, AnyCredential], None]

# Without declared types, as in transfer.py.
_perform = _direct["routable_client_perform_with"]
_perform.restype = c_int32
_response_free = _direct["routable_response_free"]


class Client(Owned):
    """Performs requests and keeps connections for the next one.

    Any number of threads may use one client at once.  `perform` blocks its own thread, and other Python threads run
    meanwhile; `submit` and `perform_all` have many requests under way at once.  Closing cancels what was submitted and
    waits for no `perform`: it ends as it would have.

        with routable.Client(deadline=5, retries=2) as client:
            response = client.perform(api.user("x").read())
            for ended in client.perform_all(api.user(name).read() for name in names):
                print(ended.request.url, ended.result().status)
    """

    __slots__ = ("_hub", "_due", "_functions")

    def __init__(
        self,
        *,
        base: Optional[str] = None,
        user_agent: Optional[str] = None,
        ca_file: Union[str, "PathLike[str]", None] = None,
        certificate_file: Union[str, "PathLike[str]", None] = None,
        key_file: Union[str, "PathLike[str]", None] = None,
        proxy: Optional[str] = None,
        no_proxy: Optional[str] = None,
        deadline: Optional[float] = 60.0,
        connect_timeout: float = 10.0,
        max_response_bytes: int = 64 * 1024 * 1024,
        max_redirects: int = 10,
        follow_redirects: bool = True,
        compression: bool = True,
        retries: int = 0,
        retry_delay: float = 0.5,
        longest_retry_delay: float = 60.0,
        max_active: int = 256,
        max_active_per_host: int = 64,
        max_pending: int = 1_000_000,
        credentials: Optional[Mapping[str, AnyCredential]] = None,
        timings: bool = False,
        on_event: "Optional[Callable[[TransferEvent], None]]" = None,
    ) -> None:
        """
        base                instead of the base of each request
        user_agent          instead of "routable/VERSION"
        ca_file             a PEM file, instead of the system's certificates
        certificate_file, key_file   the client's own certificate, PEM
        proxy, no_proxy     instead of what the environment says (https_proxy, no_proxy); "" for none
        deadline            seconds for a whole perform with its retries; None: no deadline
        connect_timeout     seconds until a connection stands
        max_response_bytes  of one body, after content decoding; more is a LimitError
        max_redirects, follow_redirects   a redirect that is not followed is the answer
        compression         whether answers may come compressed
        retries             how often a request that failed is sent again (docs/client.md says which)
        retry_delay         seconds before the first retry, doubled for each that follows
        longest_retry_delay no wait is longer, also when Retry-After asks for it
        max_active, max_active_per_host   submitted requests that run at once, in all and to one origin
        max_pending         submitted requests that have not ended; more are a LimitError
        credentials         by the scheme that they serve (`set_credential`)
        timings             whether responses and exceptions have `timings`
        on_event            is told what happens, in the thread that performs or drives.  What it raises goes to
                            sys.unraisablehook, and the transfer goes on

        CurlMissingError when libcurl is not installed; URLError, HeaderError, ArgumentError.
        """
        options = c.routable_client_options(
            size=sizeof(c.routable_client_options),
            base=optional_name("base", base),
            user_agent=optional_name("user_agent", user_agent),
            ca_file=_file("ca_file", ca_file),
            certificate_file=_file("certificate_file", certificate_file),
            key_file=_file("key_file", key_file),
            proxy=optional_name("proxy", proxy),
            no_proxy=optional_name("no_proxy", no_proxy),
            deadline_ms=-1 if deadline is None else _milliseconds("deadline", deadline),
            connect_timeout_ms=_milliseconds("connect_timeout", connect_timeout),
            max_response_bytes=natural("max_response_bytes", max_response_bytes, 1),
            max_redirects=natural("max_redirects", max_redirects, 1, 2**31 - 1) if follow_redirects else 0,
            retries=natural("retries", retries, 0, 100),
            retry_delay_ms=_milliseconds("retry_delay", retry_delay),
            retry_longest_ms=_milliseconds("longest_retry_delay", longest_retry_delay),
            max_active=natural("max_active", max_active, 1, 65536),
            max_active_per_host=natural("max_active_per_host", max_active_per_host, 1, 65536),
            max_pending=natural("max_pending", max_pending, 1, 2**31 - 1),
            flags=(0 if follow_redirects else c.ROUTABLE_CLIENT_NO_REDIRECTS)
            | (0 if compression else c.ROUTABLE_CLIENT_NO_COMPRESSION)
            | (c.ROUTABLE_CLIENT_TIMINGS if timings else 0),
        )
        out, error = POINTER(c.routable_client)(), new_error()
        check(c.routable_client_new(byref(options), byref(out), byref(error)), error)
        super().__init__(out, c.routable_client_free)
        self._functions = Functions()
        self._hub = Hub(self._functions.explain)
        self._due: Deque[Callable[[], None]] = deque()
        if on_event is not None:
            from . import _observe

            _observe.set_hook(self._live(), on_event)
        for scheme, given in (credentials or {}).items():
            self.set_credential(scheme, given)

    def close(self) -> None:
        """Cancels what was submitted; a `perform` of another thread ends as it would have.  A second call does nothing."""
        super().close()
        self._hub.close()

    # --- Credentials ---

    def set_credential(self, scheme: str, credential: AnyCredential) -> None:
        """Sets what is shown for a scheme that descriptions name, or another one: a Credential, a token or key, a pair of
        user and password, or a function that gets a token.  Any time, from any thread.  ArgumentError, URLError.
        """
        set_credential(self._live(), self._functions, scheme, credential)

    def remove_credential(self, scheme: str) -> None:
        """None is fine."""
        c.routable_client_remove_credential(self._live(), name("scheme", scheme))

    def tokens(self, scheme: str) -> Tuple[Optional[str], Optional[str]]:
        """The token and the refresh token at hand, to keep them for the next start.  UnknownError."""
        token, refresh, error = c.routable_string(), c.routable_string(), new_error()
        key = name("scheme", scheme)
        check(c.routable_client_tokens(self._live(), key, byref(token), byref(refresh), byref(error)), error)
        return take(token) or None, take(refresh) or None

    def to_curl(self, request: Request, *, show_secrets: bool = False) -> str:
        """As Request.to_curl: what this client makes of the request, with its base, user agent and credentials."""
        flags = c.ROUTABLE_SHOW_SECRETS if show_secrets else 0
        return take_string(c.routable_client_to_curl, self._live(), request._live(), flags)

    # --- One at a time ---

    @overload
    def perform(
        self,
        request: Request,
        *,
        deadline: Optional[float] = None,
        retries: Optional[int] = None,
        auth: Auth = None,
    ) -> Response: ...

    @overload
    def perform(
        self,
        request: Request,
        *,
        into: Type[T],
        deadline: Optional[float] = None,
        retries: Optional[int] = None,
        auth: Auth = None,
    ) -> Union[T, Dict[str, T], List[T], None]: ...

    def perform(
        self,
        request: Request,
        *,
        into: Optional[Type[T]] = None,
        deadline: Optional[float] = None,
        retries: Optional[int] = None,
        auth: Auth = None,
    ) -> Union[Response, T, Dict[str, T], List[T], None]:
        """Sends the request and waits for the whole answer.

        Returns a Response; with `into`, what `Response.into` gives.  `deadline` in seconds and `retries` hold instead of
        the client's.  `auth` False: no credentials go out; a scheme with a credential: that one instead of the client's.
        CredentialError when the operation needs a credential that is not there.  Raises HTTPStatusError for a status that the operation does not declare (with the response and its
        body), TransferError, TLSError, TimeoutError, LimitError for an answer that is too large, ResponseError.
        """
        if not isinstance(request, Request):
            raise TypeError(f"perform takes a Request, not {type(request).__name__}")
        policy = self._policy(deadline, retries, auth)
        client, sent = self._live(), request._live()
        out, error = c_void_p(), c_void_p()
        status = _perform(client._as_parameter_, sent._as_parameter_, policy, byref(out), byref(error))
        if status:
            try:
                check(status, cast(error, POINTER(c.routable_error)))
            except RoutableError as failure:
                raise request._raised(self._functions.explain(failure))
        response = read_response(out, request._result_type)
        _response_free(out)
        return response if into is None else response.into(into)

    # --- Many at once ---

    def submit(
        self,
        request: Request,
        *,
        on_end: Optional[Callable[[Ended], None]] = None,
        deadline: Optional[float] = None,
        retries: Optional[int] = None,
        auth: Auth = None,
    ) -> Transfer:
        """Queues a request and returns at once; `result` of the Transfer waits for its end.

        It is sent by whatever drives the client: `drive`, `result` of any Transfer, `perform_all`.  With `on_end` the
        end is told to that function once, by `drive`: `while client.drive(None): pass`.  A transfer that was
        cancelled has no end to tell.
        """
        if not isinstance(request, Request):
            raise TypeError(f"submit takes a Request, not {type(request).__name__}")
        policy = make_policy(
            deadline, retries, 0 if on_end else c.ROUTABLE_POLICY_UNQUEUED, *override(self._functions, auth)
        )
        client = self._live()
        if on_end is not None:
            return self._submit_with_call(client, request, policy, on_end)
        out, error = POINTER(c.routable_transfer)(), new_error()
        no_call = c.routable_transfer_fn()
        check(
            c.routable_client_submit(
                client, request._live(), byref(policy), no_call, None, byref(out), byref(error)
            ),
            error,
        )
        return Transfer(out, self, request)

    def _submit_with_call(
        self, client: Handle, request: Request, policy: Any, on_end: Callable[[Ended], None]
    ) -> Transfer:
        due = self._due

        def sink(ended: Ended) -> None:
            due.append(lambda: on_end(ended))

        key, address = self._hub.submit(client, request, byref(policy), sink, keeps=False)
        return Transfer(cast(c_void_p(address), POINTER(c.routable_transfer)), self, request, key)

    def drive(self, timeout: Optional[float] = 0) -> bool:
        """Lets what was submitted go on, waits up to so many seconds (None: any time) for an end, and calls `on_end`
        functions.  An exception of one of them comes out of here; those that are left are called the next time.

        Returns whether anything is still under way.
        """
        client = self._live()
        status = c.ROUTABLE_OK if self._due else self._hub.take(client, milliseconds(timeout))
        while self._due:
            self._due.popleft()()
        return status != c.ROUTABLE_IDLE

    def perform_all(
        self,
        requests: Iterable[Request],
        *,
        at_once: int = 64,
        deadline: Optional[float] = None,
        retries: Optional[int] = None,
        auth: Auth = None,
    ) -> Iterator[Ended]:
        """Performs many requests, so many at once, and gives each as it ends: `ended.request` and `ended.result()`, or
        `ended.response` and `ended.error`.

        Requests are taken from the iterable when their turn comes.  Leaving the loop cancels what is under way.
        """
        natural("at_once", at_once, 1)
        policy = self._policy(deadline, retries, auth)
        hub, client = self._hub, self._live()
        ended: Deque[Ended] = deque()
        sink = ended.append
        source = iter(requests)
        left, under_way = True, 0
        try:
            while True:
                if left:
                    # After all that has ended was given: so many at once cost little more than one.
                    room = at_once - under_way
                    batch = list(islice(source, room))
                    left = len(batch) == room
                    if batch:
                        hub.submit_many(client, batch, policy, sink)
                        under_way += len(batch)
                if under_way == 0:
                    return
                if not ended and hub.take(client, -1) == c.ROUTABLE_IDLE and not ended:
                    raise CancelledError("the client was closed")
                while ended:
                    under_way -= 1
                    yield ended.popleft()
        finally:
            if under_way:
                hub.cancel(sink)

    # --- Answers in pages (docs/pagination.md) ---

    def pages(
        self,
        request: Request,
        *,
        pagination: Optional[Mapping[str, object]] = None,
        max_pages: Optional[int] = None,
        max_items: Optional[int] = None,
        page_size: Optional[int] = None,
        other_origins: bool = False,
        deadline: Optional[float] = None,
        retries: Optional[int] = None,
        auth: Auth = None,
    ) -> "Pages":
        """The pages of a request, one after the other: each a Response (docs/pagination.md).

        How they follow each other is what the description says, or `pagination` as it would stand there.  `max_pages` and
        `max_items` end them; `page_size` asks for so large ones.  With `other_origins` a page that is elsewhere is read
        too, without credentials.  `deadline`, `retries` and `auth` are as in `perform`, for each page.

        ArgumentError, DocumentError, ValueRefusedError, ParameterError at once; then what `perform` raises, ResponseError
        for a page that does not say what it should or leads back, URLError for one that is elsewhere, LimitError.
        """
        from .pages import Pages

        policy = self._policy(deadline, retries, auth)
        return Pages(self, request, policy, pagination, max_pages, max_items, page_size, other_origins)

    @overload
    def items(
        self,
        request: Request,
        *,
        pagination: Optional[Mapping[str, object]] = None,
        max_pages: Optional[int] = None,
        max_items: Optional[int] = None,
        page_size: Optional[int] = None,
        other_origins: bool = False,
        deadline: Optional[float] = None,
        retries: Optional[int] = None,
        auth: Auth = None,
    ) -> "Iterator[Any]": ...

    @overload
    def items(
        self,
        request: Request,
        *,
        into: Type[T],
        pagination: Optional[Mapping[str, object]] = None,
        max_pages: Optional[int] = None,
        max_items: Optional[int] = None,
        page_size: Optional[int] = None,
        other_origins: bool = False,
        deadline: Optional[float] = None,
        retries: Optional[int] = None,
        auth: Auth = None,
    ) -> "Iterator[T]": ...

    def items(
        self,
        request: Request,
        *,
        into: Optional[Type[T]] = None,
        pagination: Optional[Mapping[str, object]] = None,
        max_pages: Optional[int] = None,
        max_items: Optional[int] = None,
        page_size: Optional[int] = None,
        other_origins: bool = False,
        deadline: Optional[float] = None,
        retries: Optional[int] = None,
        auth: Auth = None,
    ) -> "Iterator[Any]":
        """The items of all pages, as `pages` reads them: Python values, or with `into` a model each.

        ResponseError where a page has no array of them, and for an item that does not fit the model.
        """
        from .pages import Pages, read_items

        policy = self._policy(deadline, retries, auth)
        pages = Pages(self, request, policy, pagination, max_pages, max_items, page_size, other_origins)
        return read_items(pages, into)

    # --- Bodies that are not in memory (docs/bodies.md) ---

    def download(
        self,
        request: Request,
        path: Union[str, "PathLike[str]"],
        *,
        resume: bool = False,
        progress: Optional[Callable[[Progress], None]] = None,
        deadline: Optional[float] = None,
        retries: Optional[int] = None,
        auth: Auth = None,
    ) -> Response:
        """Performs the request and writes the body of a success to a file, which is whole or not there.

        With `resume` what an earlier download of the same path left is gone on with, if it is of the same version.
        The request keeps the file as its target.  FileError for a file that cannot be written.
        """
        request.save_to(path, resume=resume)
        if progress is not None:
            request.on_progress(progress)
        return self.perform(request, deadline=deadline, retries=retries, auth=auth)

    def pieces(
        self, request: Request, *, max_buffered_bytes: int = 256 << 10, deadline: Optional[float] = None, auth: Auth = None,
    ) -> "Stream[bytes]":
        """Begins a request whose body is taken as it comes; without a `deadline` there is none, here and below.  `auth` is
        that of `perform`."""
        return self._stream(request, 0, "to_piece", 1, max_buffered_bytes, deadline, auth)

    def lines(
        self,
        request: Request,
        *,
        max_line_bytes: int = 16 << 20,
        max_buffered_bytes: int = 256 << 10,
        deadline: Optional[float] = None,
        auth: Auth = None,
    ) -> "Stream[str]":
        """Its lines, without their ends; empty ones are left out."""
        return self._stream(request, 1, "to_line", max_line_bytes, max_buffered_bytes, deadline, auth)

    def values(
        self,
        request: Request,
        *,
        max_line_bytes: int = 16 << 20,
        max_buffered_bytes: int = 256 << 10,
        deadline: Optional[float] = None,
        auth: Auth = None,
    ) -> "Stream[Any]":
        """The values of JSON lines.  ValueError for a line that is not JSON; the next call goes on behind it."""
        return self._stream(request, 1, "to_value", max_line_bytes, max_buffered_bytes, deadline, auth)

    def events(
        self,
        request: Request,
        *,
        reconnects: int = 0,
        retry: float = 3.0,
        last_event_id: str = "",
        max_event_bytes: int = 16 << 20,
        max_buffered_bytes: int = 256 << 10,
        deadline: Optional[float] = None,
        auth: Auth = None,
    ) -> "Stream[Event]":
        """Server-sent events.  With `reconnects` a connection that breaks off is made again, so often in a row, after
        `retry` seconds or what the service says, from the last event on.  ResponseError when it sends something else."""
        return self._stream(
            request, 2, "to_event", max_event_bytes, max_buffered_bytes, deadline, auth, reconnects, retry, last_event_id
        )

    def _stream(
        self,
        request: Request,
        kind: int,
        convert: str,
        max_item_bytes: int,
        max_buffered_bytes: int,
        deadline: Optional[float],
        auth: Auth,
        reconnects: int = 0,
        retry: float = 3.0,
        last_event_id: str = "",
    ) -> "Stream[Any]":
        from . import stream

        policy = self._policy(deadline, None, auth)
        return stream.Stream(
            self, request, policy, kind, getattr(stream, convert), max_item_bytes, max_buffered_bytes, reconnects, retry,
            last_event_id,
        )

    def _policy(self, deadline: Optional[float], retries: Optional[int], auth: Auth) -> Any:
        """A pointer to a policy, or None for a request that says nothing of its own."""
        if deadline is None and retries is None and auth is None:
            return None
        return byref(make_policy(deadline, retries, 0, *override(self._functions, auth)))

    def __repr__(self) -> str:
        return f"<routable.Client{' closed' if self.closed else ''}>"


def make_policy(
    deadline: Optional[float], retries: Optional[int], flags: int = 0, more_flags: int = 0, credential: Any = None
) -> Any:
    """What one request says instead of its client."""
    return c.routable_policy(
        size=sizeof(c.routable_policy),
        deadline_ms=0 if deadline is None else _milliseconds("deadline", deadline),
        retries=0 if retries is None else natural("retries", retries, 0, 100) or -1,
        flags=flags | more_flags,
        credential=None if credential is None else pointer(credential),
    )


def _file(what: str, path: Union[str, "PathLike[str]", None]) -> Optional[bytes]:
    return None if path is None else name(what, fsdecode(path))


def _milliseconds(what: str, seconds: float) -> int:
    if not 0 < seconds < 2**40:
        raise ArgumentError(f"{what}: {seconds!r} is no number of seconds above 0", parameter=what)
    return max(1, round(seconds * 1000))
