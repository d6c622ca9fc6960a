"""Client: performs requests over libcurl."""

from __future__ import annotations

import sys
import warnings
from collections import deque
from ctypes import POINTER, byref, c_void_p, cast, sizeof
from itertools import islice
from os import PathLike, fsdecode
from time import monotonic
from typing import (
    TYPE_CHECKING, Any, Callable, Deque, Iterable, Iterator, List, Mapping, Optional, Tuple, Type, TypeVar, Union, overload,
)
from urllib.parse import urlencode

from . import _capi as c
from ._check import check, new_error, take_string
from ._client import Auth, Seconds, milliseconds
from ._deviations import report
from ._direct import undeclared
from ._flows import Runs
from ._handle import Handle
from ._threads import may_drive
from ._text import data, name, natural, optional_name, utf8
from ._waiting import perform_submitted
from .cookies import Cookie
from .credential import AnyCredential, Functions, live_router, own
from .completion import Completion
from .middleware import Call, checked, flows, refuse
from .errors import ArgumentError, CancelledError, RoutableError
from .streaming import Streaming
from .request import Request, no_request
from .response import Response, read_response
from .transfer import Transfer, waited

if TYPE_CHECKING:
    from typing_extensions import Literal

    from .files import Progress
    from .login import Login
    from .middleware import Middleware
    from .router import PlainRouter
    from .testing import Mock, Responses, Tape
    from .trace import TransferEvent
    from .transport import Transport

T = TypeVar("T")

_perform = undeclared("routable_client_perform_with")
_response_free = undeclared("routable_response_free")


class Client(Streaming):
    """Performs requests over libcurl and reuses connections for later requests.

        with routable.Client(deadline=5, retries=2) as client:
            response = client.perform(api.user("x").read())
            for completion in client.perform_all(api.user(name).read() for name in names):
                print(completion.request.url, completion.result().status)

    Any number of threads may use one client at the same time.  `perform` blocks its thread, but not other Python
    threads; `submit` and `perform_all` run many requests at the same time.  Closing the client cancels submitted requests;
    a `perform` of another thread completes normally.
    """

    # With a __dict__, so that a test can replace a method of one client: mock.patch.object(client, "perform").
    __slots__ = ("__dict__", "_base", "_due", "_flows", "_middleware", "_transport")

    def __init__(
        self,
        router: Optional[PlainRouter] = None,
        *,
        base: Optional[str] = None,
        user_agent: Optional[str] = None,
        ca_file: Union[str, "PathLike[str]", None] = None,
        certificate_file: Union[str, "PathLike[str]", None] = None,
        key_file: Union[str, "PathLike[str]", None] = None,
        proxy: Optional[str] = None,
        no_proxy: Optional[str] = None,
        deadline: Optional[Seconds] = 60.0,
        connect_timeout: Seconds = 10.0,
        max_response_bytes: int = 64 * 1024 * 1024,
        max_redirects: int = 10,
        follow_redirects: bool = True,
        compression: bool = True,
        retries: int = 0,
        retry_delay: Seconds = 0.5,
        max_retry_delay: Seconds = 60.0,
        max_active: int = 256,
        max_active_per_host: int = 64,
        max_pending: int = 1_000_000,
        credentials: Optional[Mapping[str, AnyCredential]] = None,
        timings: bool = False,
        deviations: "Literal['report', 'raise', 'ignore']" = "report",
        on_deviation: "Optional[Callable[[Request, Response], None]]" = None,
        on_event: "Optional[Callable[[TransferEvent], None]]" = None,
        transport: "Union[Transport, Responses, Mock, Tape, None]" = None,
        headers: Optional[Mapping[str, str]] = None,
        stall_timeout: Optional[Seconds] = None,
        insecure_redirects: bool = False,
        verify: bool = True,
        middleware: "Iterable[Middleware]" = (),
        origin_headers: Optional[Mapping[str, Mapping[str, str]]] = None,
        query: Union[str, Mapping[str, object], None] = None,
        unix_socket: Union[str, "PathLike[str]", None] = None,
        cookies: Union[bool, str, "PathLike[str]"] = False,
        curl_options: Optional[Mapping[int, Union[int, str]]] = None,
        auth: bool = True,
        netrc: Union[bool, str, "PathLike[str]"] = False,
    ) -> None:
        """All arguments are optional.

        router              the description of the client, as `routable.open` returns it: its requests, and no others, receive
                            `credentials`, `headers` and `query`; without it, this is the description of the first request
        base                replaces the base of each request
        user_agent          replaces "routable/VERSION"
        ca_file             the trusted certificates instead of the system's, PEM (docs/client.md, "Certificates")
        certificate_file, key_file   client certificate and its private key, PEM
        proxy, no_proxy     a proxy, or "" for none, and hosts to reach directly; default: the environment (https_proxy, ...)
        deadline            seconds, or a timedelta, for a request with all its attempts, but not for streams; None: no limit
        connect_timeout     maximum seconds until a connection is open
        max_response_bytes  maximum size of a response body in memory, after decompression; a larger one is a LimitError
        max_redirects       maximum redirects of a request; more are a TransferError
        follow_redirects    False: a redirect raises HTTPStatusError, unless the operation declares its status as a success
        compression         request compressed responses
        retries             maximum retries of a request (docs/client.md, "Retries")
        retry_delay         seconds before the first retry; the delay doubles for each further one
        max_retry_delay     maximum delay in seconds before jitter, also for Retry-After
        max_active, max_active_per_host   maximum submitted requests that run at once, in total and to one origin
        max_pending         maximum submitted requests that are not completed; more are a LimitError
        credentials         credentials by scheme of the client's description (`set_credential`)
        timings             measure `timings` for responses and exceptions
        deviations          what happens with a successful response that deviates from its description: "report" (it lists its
                            `deviations`), "raise" (ResponseError), or "ignore" (it lists none)
        on_deviation        a function that receives each request and its response if the response deviates.  An exception in it
                            is passed to sys.unraisablehook
        on_event            a function that receives each TransferEvent, in the thread that performs or waits.  An exception in
                            it is passed to sys.unraisablehook, and the transfer continues
        headers             sent with each request of the client's description that does not have them; masked, and not sent to
                            another origin by redirects and links
        stall_timeout       maximum seconds without a byte, rounded up to whole seconds; None: 120 for streams, otherwise no
                            limit; inf: no limit
        insecure_redirects  follow redirects from https to http
        verify              False: accept any certificate, with a warning; for tests only
        middleware          functions around each request, the first outermost (docs/client.md, "Middleware")
        origin_headers      headers by origin: {"https://cdn.test": {"X-Key": "..."}}; masked
        query               added to the query of each request of the client's description, except links to another origin: a
                            mapping, or percent-encoded text; not a secret
        unix_socket         the path of a socket to connect to instead of the host of the URL
        cookies             True: keep cookies in memory; a path: read them from that file, which `save_cookies` writes
        curl_options        options of libcurl's handles by number (CURLOPT_INTERFACE is 10062): an int or a str.  They must
                            not include options that the client sets itself, such as the URL, callbacks and timeouts
        auth                False: send all requests without credentials, except those with `auth` of their own
        netrc               True: send users and passwords of ~/.netrc to their hosts, with requests that have no Authorization
                            header; a path: those of that file
        transport           replies to requests instead of libcurl: a function, testing.Responses, testing.Mock or testing.Tape
                           (docs/testing.md)

        Raises CurlMissingError if libcurl is not installed; URLError, HeaderError, ArgumentError; FileError for a file of
        cookies that cannot be read; CallbackError if libcurl rejects one of `curl_options`; UnsupportedError for cookies with a
        transport.
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
            deadline_ms=-1 if deadline is None else milliseconds("deadline", deadline),
            connect_timeout_ms=milliseconds("connect_timeout", connect_timeout),
            max_response_bytes=natural("max_response_bytes", max_response_bytes, 1),
            max_redirects=natural("max_redirects", max_redirects, 1, 2**31 - 1) if follow_redirects else 0,
            retries=natural("retries", retries, 0, 100),
            retry_delay_ms=milliseconds("retry_delay", retry_delay),
            max_retry_delay_ms=milliseconds("max_retry_delay", max_retry_delay),
            max_active=natural("max_active", max_active, 1, 65536),
            max_active_per_host=natural("max_active_per_host", max_active_per_host, 1, 65536),
            max_pending=natural("max_pending", max_pending, 1, 2**31 - 1),
            stall_timeout_ms=0 if stall_timeout is None else milliseconds("stall_timeout", stall_timeout),
            flags=(0 if follow_redirects else c.ROUTABLE_CLIENT_NO_REDIRECTS)
            | (c.ROUTABLE_CLIENT_INSECURE_REDIRECTS if insecure_redirects else 0)
            | (0 if verify else c.ROUTABLE_CLIENT_NO_VERIFY)
            | (0 if auth else c.ROUTABLE_CLIENT_NO_AUTH)
            | (0 if compression else c.ROUTABLE_CLIENT_NO_COMPRESSION)
            | (c.ROUTABLE_CLIENT_TIMINGS if timings else 0),
            deviations=_deviations(deviations),
        )
        texts = _fields(headers)
        fields = (c.routable_header * len(texts))()
        for place, (key, content) in zip(fields, texts):
            place.name, place.value = data(key), data(content)
        options.headers, options.header_count = fields, len(fields)
        of_origins = [(name("origin", key), each) for key, own in (origin_headers or {}).items() for each in _fields(own)]
        pairs = (c.routable_origin_header * len(of_origins))()
        for pair, (origin, (key, content)) in zip(pairs, of_origins):
            pair.origin, pair.name, pair.value = origin, data(key), data(content)
        options.origin_headers, options.origin_header_count = pairs, len(pairs)
        options.query = optional_name("query", query if query is None or isinstance(query, str) else urlencode(query, True))
        options.unix_socket = _file("unix_socket", unix_socket)
        options.cookie_file = None if cookies is False else b"" if cookies is True else _file("cookies", cookies)
        options.netrc_file = None if netrc is False else b"" if netrc is True else _file("netrc", netrc)
        if not verify:
            warnings.warn("verify=False accepts any certificate: passwords and data can be read by others", stacklevel=2)
        if router is not None:
            named = live_router(router)
            options.router = cast(named._as_parameter_, POINTER(c.routable_router))
        functions = Functions()
        if transport is not None:
            from ._transport import set_transport

            set_transport(options, functions, transport)
        if curl_options:
            from ._setup import set_up

            set_up(options, curl_options)
        out, error = POINTER(c.routable_client)(), new_error()
        check(c.routable_client_new(byref(options), byref(out), byref(error)), error)
        super().__init__(out, functions)
        #: Whether functions of the program are called while requests are in progress, besides those of a request.
        self._calls_back = on_event is not None or callable(getattr(transport, "_over", transport))
        if on_deviation is not None and not callable(on_deviation):
            raise TypeError(f"on_deviation must be a function, not {type(on_deviation).__name__}")
        self._hub.on_deviation = on_deviation
        self._base = base
        self._transport = transport  # canned responses live as long as their clients
        self._middleware = checked(middleware)
        self._flows = flows(self._middleware)
        self._due: Deque[Callable[[], None]] = deque()
        if "logging" in sys.modules:  # otherwise no logger was configured
            from . import _logging

            if _logging.is_on():
                on_event = _logging.observer(on_event)
        if on_event is not None:
            from . import _observe

            _observe.set_hook(self._live(), on_event)
        for scheme, given in (credentials or {}).items():
            self.set_credential(scheme, given)

    def set_credential(self, scheme: str, credential: AnyCredential, *, router: Optional[PlainRouter] = None) -> None:
        self._calls_back = self._calls_back or not isinstance(credential, (str, tuple))
        super().set_credential(scheme, credential, router=router)

    set_credential.__doc__ = Streaming.set_credential.__doc__

    def login(
        self, scheme: str, *, client_id: str, client_secret: Optional[str] = None, redirect_url: Optional[str] = None,
        scope: Optional[str] = None, audience: Optional[str] = None, resource: Optional[str] = None,
        issuer: Optional[str] = None, discover: bool = False, authorization_url: Optional[str] = None,
        device_url: Optional[str] = None, token_url: Optional[str] = None, secret_in_body: bool = False,
        router: Optional[PlainRouter] = None,
    ) -> Login:
        """A login of OAuth 2 by a browser (authorization code with PKCE) or by a code (device), for a scheme of the client's
        description, or of `router`.  It sets the credential of the scheme.

        client_id, client_secret   of the program; without a secret, the client id is in the body of token requests
        redirect_url               where the browser is sent after the login; for Login.begin
        scope, audience, resource  for the token; they replace those of the description
        issuer                     reads the metadata of this issuer (OpenID Connect Discovery, RFC 8414), or at this URL
        discover                   read the metadata of the issuer that the description names
        authorization_url, device_url, token_url   replace those of the metadata and the description
        secret_in_body             send the client secret in the body of token requests

        Raises ArgumentError, URLError; CredentialError, TransferError, TimeoutError, TLSError for the metadata.
        """
        from .login import Login

        return Login(
            self, scheme, client_id=client_id, client_secret=client_secret, redirect_url=redirect_url, scope=scope,
            audience=audience, resource=resource, issuer=issuer, discover=discover, authorization_url=authorization_url,
            device_url=device_url, token_url=token_url, secret_in_body=secret_in_body, router=router,
        )

    def save_cookies(self) -> None:
        """Writes the cookies to the file that `cookies` named, atomically and with mode 0600.  Raises FileError, ArgumentError."""
        error = new_error()
        check(c.routable_client_save_cookies(self._live(), byref(error)), error)

    @property
    def cookies(self) -> List[Cookie]:
        """The cookies that the client has now.  Raises ArgumentError for a client without `cookies`."""
        return [Cookie._read(line) for line in take_string(c.routable_client_cookies, self._live()).splitlines()]

    def set_cookie(self, cookie: Cookie) -> None:
        """Sets a cookie, which replaces one with the same domain, path and name.  Raises ArgumentError."""
        text, error = utf8("cookie", cookie._line()), new_error()
        check(c.routable_client_set_cookie(self._live(), data(text), byref(error)), error)

    def clear_cookies(self) -> None:
        """Removes all cookies, but not from the file that `cookies` named.  Raises ArgumentError."""
        error = new_error()
        check(c.routable_client_clear_cookies(self._live(), byref(error)), error)

    # --- One at a time ---

    @overload
    def perform(
        self,
        request: Request,
        *,
        deadline: Optional[Seconds] = None,
        retries: Optional[int] = None,
        auth: Auth = None,
        stall_timeout: Optional[Seconds] = None,
        max_redirects: Optional[int] = None,
    ) -> Response: ...

    @overload
    def perform(
        self,
        request: Request,
        *,
        into: Type[T],
        deadline: Optional[Seconds] = None,
        retries: Optional[int] = None,
        auth: Auth = None,
        stall_timeout: Optional[Seconds] = None,
        max_redirects: Optional[int] = None,
    ) -> T: ...

    def perform(
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
        """Sends the request and waits for the complete response.

        Returns a Response, or with `into` the body as one value of that type: `into=Todo`, `into=List[Todo]` for a list.
        `deadline` and `stall_timeout` in seconds (inf: no limit), `retries`, `auth` and `max_redirects` (0: a redirect is not
        followed) override the client's options.  `auth` is False for no credentials, or a mapping of one scheme to its credential.

        Raises HTTPStatusError, which has the response, for a status that the operation does not declare as a success;
        CredentialError if a required credential is missing; TransferError, TLSError, TimeoutError, ResponseError; LimitError for
        a response that is too large.
        """
        if not isinstance(request, Request):
            raise no_request("perform", request)
        if self._middleware:
            call = Call(
                self, False, tuple(self._middleware),
                lambda each: self._perform(each, deadline, retries, auth, stall_timeout, max_redirects, request),
            )
            response: Response = call(request)
        else:
            response = self._perform(request, deadline, retries, auth, stall_timeout, max_redirects)
        return response if into is None else response._exactly(into)

    def _perform(
        self, request: Request, deadline: Optional[Seconds], retries: Optional[int], auth: Auth,
        stall_timeout: Optional[Seconds], max_redirects: Optional[int], owner: Optional[Request] = None,
    ) -> Response:
        if may_drive() and not request._records:  # functions of the request run in this thread, where handlers run as well
            # The waits of a submitted transfer let handlers of signals run.
            policy = self._policy(deadline, retries, auth, stall_timeout, max_redirects, c.ROUTABLE_POLICY_UNQUEUED)
            if owner is not None:
                own(policy, owner)
            began = monotonic()
            try:
                out = perform_submitted(self, request, policy)
            except RoutableError as failure:
                awaited = request._awaited(failure)
                if awaited is None:
                    raise
                return awaited
            return self._received(request, out, began)
        policy = self._policy(deadline, retries, auth, stall_timeout, max_redirects)
        if owner is not None:
            own(policy, owner)
        client, sent = self._live(), request._live()
        out, error = c_void_p(), c_void_p()
        began = monotonic()
        status = _perform(client._as_parameter_, sent._as_parameter_, policy, byref(out), byref(error))
        if status:
            try:
                check(status, cast(error, POINTER(c.routable_error)))
            except RoutableError as failure:
                awaited = request._awaited(failure)
                if awaited is not None:
                    return awaited
                raise request._raised(self._functions.explain(failure))
        return self._received(request, out, began)

    def _received(self, request: Request, out: Any, began: float) -> Response:
        """The response of the library, which it frees."""
        response = read_response(out, request._result_type)
        _response_free(out)
        facts = response.__dict__
        facts["_request"], facts["_elapsed"] = request, monotonic() - began
        if response.deviations:
            report(request, response, self._hub.on_deviation)
        return response

    def download(
        self,
        request: Request,
        path: Union[str, "PathLike[str]"],
        *,
        resume: bool = False,
        progress: Optional[Callable[[Progress], None]] = None,
        deadline: Optional[Seconds] = None,
        retries: Optional[int] = None,
        auth: Auth = None,
        stall_timeout: Optional[Seconds] = None,
        max_redirects: Optional[int] = None,
    ) -> Response:
        """Performs the request and writes the body of a success to a file, which appears when it is complete.

        With `resume` the client continues an earlier download of the same path, if the file has not changed on the service.
        The file remains the target of the request.  Raises FileError if the file cannot be written.
        """
        request._download_to(path, resume, progress)
        return self.perform(
            request, deadline=deadline, retries=retries, auth=auth, stall_timeout=stall_timeout, max_redirects=max_redirects)

    # --- Many at once ---

    def submit(
        self,
        request: Request,
        *,
        on_end: Optional[Callable[[Completion], None]] = None,
        deadline: Optional[Seconds] = None,
        retries: Optional[int] = None,
        auth: Auth = None,
        stall_timeout: Optional[Seconds] = None,
        max_redirects: Optional[int] = None,
    ) -> Transfer:
        """Queues a request and returns at once; `Transfer.result` waits for its completion.

        The request makes progress only while a thread drives the client, for example in `drive`, `perform_all`, or `result` of
        any Transfer.
        `drive` calls `on_end` once when the transfer has completed: `while client.drive(None): pass`.  It does not call
        `on_end` for a cancelled transfer.
        """
        if not isinstance(request, Request):
            raise no_request("submit", request)
        if self._middleware:
            from ._flow_transfer import FlowTransfer

            refuse(self, "submit")
            policy = own(self._policy(deadline, retries, auth, stall_timeout, max_redirects), request)
            return FlowTransfer(self, request, policy, on_end)
        policy = self._policy(deadline, retries, auth, stall_timeout, max_redirects, 0 if on_end else c.ROUTABLE_POLICY_UNQUEUED)
        client = self._live()
        if on_end is not None:
            return self._submit_with_call(client, request, policy, on_end)
        out, error = POINTER(c.routable_transfer)(), new_error()
        no_call = c.routable_transfer_fn()
        check(
            c.routable_client_submit(
                client, request._live(), policy, no_call, None, c.routable_release_fn(), byref(out), byref(error)
            ),
            error,
        )
        return Transfer(out, self, request)

    def _submit_with_call(
        self, client: Handle, request: Request, policy: Any, on_end: Callable[[Completion], None]
    ) -> Transfer:
        due = self._due

        def sink(ended: Completion) -> None:
            due.append(lambda: on_end(ended))

        key, address = self._hub.submit(client, request, policy, sink, keeps=False)
        return Transfer(cast(c_void_p(address), POINTER(c.routable_transfer)), self, request, key)

    def drive(self, timeout: Optional[float] = 0) -> bool:
        """Drives submitted requests, waits up to `timeout` seconds (None: no limit) for a completion, and calls `on_end`
        functions.

        An exception in such a function is raised here; the next call of `drive` continues with the other functions.  Returns
        False if no transfers were in progress and there was no function to call.
        """
        client = self._live()
        status = c.ROUTABLE_OK if self._due else self._hub.take(client, waited(timeout))
        while self._due:
            self._due.popleft()()
        return status != c.ROUTABLE_IDLE

    def perform_all(
        self,
        requests: Iterable[Request],
        *,
        concurrency: int = 64,
        deadline: Optional[Seconds] = None,
        retries: Optional[int] = None,
        auth: Auth = None,
        stall_timeout: Optional[Seconds] = None,
        max_redirects: Optional[int] = None,
    ) -> Iterator[Completion]:
        """Performs many requests, up to `concurrency` at the same time, and yields each as it completes:
        `completion.request` and `completion.result()`, or `completion.response` and `completion.error`.

        The next request is read from the iterable only while fewer than `concurrency` requests are in progress.  Leaving the loop
        cancels its requests that are in progress.
        """
        natural("concurrency", concurrency, 1)
        runs = None
        if self._middleware:
            refuse(self, "perform_all")
            runs = Runs(self._flows, self)
        policy = self._policy(deadline, retries, auth, stall_timeout, max_redirects)
        hub, client = self._hub, self._live()
        ended: Deque[Completion] = deque()
        sink = ended.append

        def send(batch: List[Request]) -> None:
            hub.submit_many(client, batch, policy, sink)

        source = iter(requests)
        left, under_way = True, 0
        try:
            while True:
                if left:
                    self._live()
                    # After all completions were returned: submitting many at once costs little more than submitting one.
                    room = concurrency - under_way
                    batch = list(islice(source, room))
                    left = len(batch) == room
                    if batch:
                        own(policy, batch[0])
                    if runs is not None:
                        under_way += runs.submit(runs.begin(batch), send)
                    elif batch:
                        send(batch)
                        under_way += len(batch)
                if runs is not None:
                    while runs.ended:
                        yield runs.ended.popleft()
                if under_way == 0:
                    if left:  # the middleware has answered all of them
                        continue
                    return
                if not ended and hub.take(client, -1) == c.ROUTABLE_IDLE and not ended:
                    raise CancelledError("the client was closed")
                if runs is not None:
                    given = [ended.popleft() for _ in range(len(ended))]  # other threads may drive, and add to it
                    under_way -= len(given)
                    self._live()  # nothing is sent after it was closed
                    under_way += runs.submit(runs.resume(given), send)
                    continue
                while ended:
                    under_way -= 1
                    yield ended.popleft()
        finally:
            if under_way:
                hub.cancel(sink)

    def __repr__(self) -> str:
        return f"<routable.Client{' closed' if self.closed else ''}>"


#: The policies for responses that deviate, in the order of routable_deviation_policy.
DEVIATIONS = ("report", "raise", "ignore")


def _deviations(policy: str) -> int:
    if policy not in DEVIATIONS:
        raise ArgumentError(
            f"deviations: {policy!r} is not a policy; 'report', 'raise' or 'ignore' is expected", parameter="deviations",
            allowed=tuple(sorted(DEVIATIONS)))
    return DEVIATIONS.index(policy) + 1


def _fields(headers: Optional[Mapping[str, str]]) -> List[Tuple[bytes, bytes]]:
    return [(utf8("the name of a header", key), utf8(f"the header {key}", value)) for key, value in (headers or {}).items()]


def _file(what: str, path: Union[str, "PathLike[str]", None]) -> Optional[bytes]:
    return None if path is None else name(what, fsdecode(path))
