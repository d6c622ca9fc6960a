"""The base of all clients: credentials, the policy of a request, and the waiting for outcomes."""

from __future__ import annotations

from ctypes import byref, pointer, sizeof
from datetime import timedelta
from math import inf
from typing import TYPE_CHECKING, Any, Callable, Deque, Mapping, Optional, Tuple, Union

from . import _capi as c
from ._check import check, new_error, take_string
from ._handle import Owned
from ._hub import Hub
from ._text import name, natural, take
from .credential import AnyCredential, Functions, override, set_credential
from .errors import ArgumentError
from .request import Request

if TYPE_CHECKING:
    from ._flows import Flow
    from .middleware import Middleware
    from .router import PlainRouter

#: A time: seconds, or a timedelta.
Seconds = Union[float, timedelta]
#: The credentials of one request: False for none, or a mapping of a scheme to its credential.
Auth = Union[bool, Mapping[str, AnyCredential], None]


class ClientBase(Owned):
    """The part of a client that its requests use: their credentials and their completions."""

    __slots__ = ("_hub", "_functions", "_calls_back")

    if TYPE_CHECKING:
        _middleware: Tuple[Middleware, ...]
        _flows: Tuple[Flow, ...]  # the same functions, if all are generator functions
        _due: Deque[Callable[[], None]]  # what drive calls next

    def __init__(self, pointer: Any, functions: Functions) -> None:
        super().__init__(pointer, c.routable_client_free)
        self._functions = functions
        self._calls_back = False  # whether the library may call functions of the program, which belong to its thread
        self._hub = Hub(self._functions.explain)

    def close(self) -> None:
        """Cancels submitted requests; a `perform` of another thread completes normally.  A second call does nothing."""
        super().close()
        self._hub.close()

    def set_credential(self, scheme: str, credential: AnyCredential, *, router: Optional[PlainRouter] = None) -> None:
        """Sets or replaces the credential of a scheme: a Credential, a token or key, a pair of user and password, or a
        function that returns a token.  Any thread may call this at any time.

        `router` is the description that declares the scheme; only its requests receive the credential.  Without it, this is the
        description of the client: the first argument of Client or, if it has none, the description of its first request.
        Raises ArgumentError, URLError.
        """
        set_credential(self._live(), self._functions, scheme, credential, router)

    def remove_credential(self, scheme: str) -> None:
        """Removes the credentials of a scheme of all descriptions, if any."""
        c.routable_client_remove_credential(self._live(), name("scheme", scheme))

    def tokens(self, scheme: str) -> Tuple[Optional[str], Optional[str]]:
        """The current token and refresh token, to store them for the next start; None for one that does not exist.  They are of the
        client's description or, if this has no such credential, of the only description that has one.  Raises UnknownError if
        the scheme has no credential; ArgumentError if several other descriptions have one.
        """
        token, refresh, error = c.routable_string(), c.routable_string(), new_error()
        key = name("scheme", scheme)
        check(c.routable_client_tokens(self._live(), key, byref(token), byref(refresh), byref(error)), error)
        return take(token) or None, take(refresh) or None

    def to_curl(self, request: Request, *, show_secrets: bool = False) -> str:
        """Like Request.to_curl, with the base, headers, query, user agent and current credentials of this client.  If a required
        credential is not set, the command has none.
        """
        flags = c.ROUTABLE_SHOW_SECRETS if show_secrets else 0
        return take_string(c.routable_client_to_curl, self._live(), request._live(), flags)

    def _policy(
        self, deadline: Optional[Seconds] = None, retries: Optional[int] = None, auth: Auth = None,
        stall_timeout: Optional[Seconds] = None, max_redirects: Optional[int] = None, flags: int = 0,
    ) -> Any:
        """The per-request overrides as a struct of the library; None if there are none."""
        if deadline is None and retries is None and auth is None and stall_timeout is None and max_redirects is None and not flags:
            return None
        more_flags, credential = override(self._functions, auth)
        if credential is not None and not self._calls_back:
            self._calls_back = not all(isinstance(given, (str, tuple)) for given in auth.values())  # type: ignore[union-attr]
        return byref(
            c.routable_policy(
                size=sizeof(c.routable_policy),
                deadline_ms=0 if deadline is None else milliseconds("deadline", deadline),
                stall_timeout_ms=0 if stall_timeout is None else milliseconds("stall_timeout", stall_timeout),
                retries=0 if retries is None else natural("retries", retries, 0, 100) or -1,
                max_redirects=0 if max_redirects is None else natural("max_redirects", max_redirects, 0, 2**31 - 1) or -1,
                flags=flags | more_flags,
                credential=None if credential is None else pointer(credential),
            )
        )


def milliseconds(what: str, seconds: Seconds) -> int:
    """A time above 0 in milliseconds; infinity is no limit.  Raises ArgumentError."""
    if isinstance(seconds, timedelta):
        seconds = seconds.total_seconds()
    if seconds == inf:
        return -1
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not 0 < seconds < 2**40:
        raise ArgumentError(f"{what}: {seconds!r} is not a number of seconds above 0", parameter=what)
    return max(1, round(seconds * 1000))
