"""Credentials of a client, and the functions that refresh them."""

from __future__ import annotations

import itertools
from ctypes import POINTER, byref, cast, sizeof
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, Awaitable, Callable, Dict, Mapping, NamedTuple, Optional, Set, Tuple, Union

from . import _capi as c
from . import _json
from ._check import check, new_error, no_positions
from ._handle import Handle
from ._text import data, name, optional_name, to_text, utf8
from ._threads import called_back
from .errors import ArgumentError, RoutableError

if TYPE_CHECKING:
    import asyncio  # 30 ms that few need

    from .request import Request
    from .router import PlainRouter

#: A new token, or a pair of a new token and its lifetime in seconds.
NewToken = Union[str, Tuple[str, float]]
#: Returns a new token for the old one, or for None.  A function with a parameter `renewal` gets a Renewal as well.
Refresh = Callable[..., Union[NewToken, Awaitable[NewToken]]]
#: A Credential, a token or key, a pair of user and password, or a function that refreshes.
AnyCredential = Union["Credential", str, Tuple[str, str], Refresh]


class Renewal(NamedTuple):
    """The reason for a refresh, passed to a function that refreshes: `def renew(old, renewal): ...`.

    scheme      the name of the scheme in the description
    url         the URL of the request that requires the token
    route, operation   of that request
    challenges  the WWW-Authenticate headers of the 401; parse them with challenges.parse_challenges.  Empty if nothing was sent
    """

    scheme: str
    url: str
    route: Optional[str]
    operation: Optional[str]
    challenges: Tuple[str, ...]


class Tokens(NamedTuple):
    """The tokens of a credential after a refresh.  Its repr contains no secret.

    scheme         the name of the scheme
    token          the new token
    refresh_token  for the next refresh, or None
    expires_in     lifetime of the token in seconds, or None if it is unknown
    has_rotated    whether the service replaced the refresh token, and may no longer accept the old one
    """

    scheme: str
    token: str
    refresh_token: Optional[str]
    expires_in: Optional[float]
    has_rotated: bool

    def __repr__(self) -> str:
        return f"<routable.Tokens of {self.scheme}>"


class Credential:
    """A credential for one scheme of a description.  Its repr contains no secret.

    user, password    for basic; for OAuth 2, sent to the token endpoint and never to the service
    token             the token or the key; without it, `user` and `sign`, the first request waits for a refresh
    expires_in        lifetime of the token in seconds, if known
    refresh           returns a new token, and replaces all other ways to get one: a function, or a coroutine function for
                      AsyncClient
    client_id, client_secret, refresh_token, token_url, scope, audience, resource   for OAuth 2
    secret_in_body    send the client secret in the body of a token request instead of its header
    refresh_body      the JSON body of the refresh operation
    sign              a function that adds headers to each request, before its first attempt, and again after a 401 if the request
                      is sent with a newer token: sign(Signing)
    refreshed         a function that receives the Tokens of each refresh, to store them, in the thread that performs the refresh
    origin            "https://api.example.com": the only origin that receives the credential

    A credential belongs to one description: requests of another description never receive it.
    """

    __slots__ = ("_texts", "_values", "refresh", "refreshed", "sign")

    def __init__(
        self,
        token: Optional[str] = None,
        *,
        user: Optional[str] = None,
        password: Optional[str] = None,
        expires_in: Optional[float] = None,
        refresh: Optional[Refresh] = None,
        client_id: Optional[str] = None,
        client_secret: Optional[str] = None,
        refresh_token: Optional[str] = None,
        token_url: Optional[str] = None,
        scope: Optional[str] = None,
        secret_in_body: bool = False,
        refresh_body: object = None,
        sign: Optional[Callable[["Signing"], None]] = None,
        origin: Optional[str] = None,
        audience: Optional[str] = None,
        resource: Optional[str] = None,
        refreshed: Optional[Callable[[Tokens], object]] = None,
    ) -> None:
        for what, function in (("refresh", refresh), ("sign", sign), ("refreshed", refreshed)):
            if function is not None and not callable(function):
                raise TypeError(f"{what} must be a function, not {type(function).__name__}")
        texts = {
            "user": user, "password": password, "token": token, "client_id": client_id,
            "client_secret": client_secret, "refresh_token": refresh_token,
        }
        self._texts = {what: utf8(what, text) for what, text in texts.items() if text is not None}
        if refresh_body is not None:
            self._texts["refresh_body"] = _json.dumps("refresh_body", refresh_body)
        self._values: Dict[str, Any] = {
            "token_url": optional_name("token_url", token_url),
            "scope": optional_name("scope", scope),
            "origin": optional_name("origin", origin),
            "audience": optional_name("audience", audience),
            "resource": optional_name("resource", resource),
            "flags": c.ROUTABLE_CREDENTIAL_SECRET_IN_BODY if secret_in_body else 0,
            "expires_in_ms": 0 if expires_in is None else _lifetime(expires_in),
        }
        self.refresh = refresh
        self.refreshed = refreshed
        self.sign = sign

    def __repr__(self) -> str:
        given = [*self._texts, *(what for what in ("refresh", "refreshed", "sign") if getattr(self, what))]
        return f"<routable.Credential of {', '.join(given)}>"


class Signing:
    """A request that is about to be sent, for a function that signs it.  Valid only during the call."""

    __slots__ = ("_pointer",)

    def __init__(self, pointer: Any) -> None:
        self._pointer: Any = pointer

    def _live(self) -> Any:
        if self._pointer is None:
            raise ValueError("a Signing is valid only during the call of the function that signs")
        return self._pointer

    @property
    def method(self) -> str:
        """The method, "GET"."""
        return to_text(c.routable_signing_method(self._live()))

    @property
    def url(self) -> str:
        """The whole URL."""
        return to_text(c.routable_signing_url(self._live()))

    @property
    def body(self) -> bytes:
        """The body; empty if there is none, or if it is not in memory."""
        text = c.routable_signing_body(self._live())
        return bytes(text.ptr[: text.len])

    def header(self, header: str) -> str:
        """The value of the first header with this name, or ""."""
        return to_text(c.routable_signing_header(self._live(), name("header", header)))

    def set_header(self, header: str, value: str) -> None:
        """Sets a header, whose value is treated as a secret from then on.  Raises HeaderError."""
        content, error = utf8("value", value), new_error()
        check(c.routable_signing_set_header(self._live(), name("header", header), data(content), byref(error)), error)


def credential(given: AnyCredential) -> Credential:
    """Converts an accepted value to a Credential."""
    if isinstance(given, Credential):
        return given
    if isinstance(given, str):
        return Credential(given)
    if isinstance(given, tuple) and len(given) == 2:
        return Credential(user=given[0], password=given[1])
    if callable(given):
        return Credential(refresh=given)
    raise TypeError(f"a Credential, a token, a pair of user and password or a function is expected, not {type(given).__name__}")


class Functions:
    """The functions of one client's credentials, and the exceptions that they raised last."""

    __slots__ = ("loop", "raised", "_tasks", "__weakref__")

    def __init__(self) -> None:
        self.loop: Optional[asyncio.AbstractEventLoop] = None
        self.raised: Dict[str, BaseException] = {}
        self._tasks: Set["asyncio.Task[None]"] = set()

    def explain(self, error: RoutableError) -> RoutableError:
        """The error, caused by the exception of a function of these credentials if there is one."""
        key = error.parameter if error.status in ("credential", "callback") and error.parameter in self.raised else error.message
        if key in self.raised and error.__cause__ is None:
            error.__cause__ = cause = self.raised[key]
            # A transport that performs requests with another client has its response.
            if error.response is None and isinstance(cause, RoutableError):
                error.response, error.http_status = cause.response, cause.http_status
        return error

    def run(self, scheme: str, function: Refresh, old: Optional[str], renewal: Renewal, answer: "_Answer") -> None:
        try:
            result = function(old, renewal=renewal) if _wants_renewal(function) else function(old)
            if hasattr(result, "__await__"):
                self._schedule(scheme, result, answer)
            else:
                answer.give(result)
                self.raised.pop(scheme, None)
        except BaseException as error:  # it comes back to those that wait
            self.raised[scheme] = error
            answer.fail(_reason(error))

    def _schedule(self, scheme: str, result: Any, answer: "_Answer") -> None:
        def give(token: Any) -> None:
            answer.give(token)
            self.raised.pop(scheme, None)

        def fail(error: BaseException) -> None:
            self.raised[scheme] = error
            answer.fail(_reason(error))

        self.schedule(result, give, fail, "a coroutine function can refresh only for an AsyncClient")

    def schedule(
        self, result: Any, give: Callable[[Any], None], fail: Callable[[BaseException], None], otherwise: str
    ) -> None:
        """Awaits something in the loop of the client; TypeError for a client without one."""
        loop = self.loop
        if loop is None or loop.is_closed():
            if hasattr(result, "close"):
                result.close()
            raise TypeError(otherwise)

        async def wait() -> None:
            try:
                give(await result)
            except BaseException as error:
                fail(error)

        def begin() -> None:
            task = loop.create_task(wait())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

        loop.call_soon_threadsafe(begin)


def _reason(error: BaseException) -> str:
    """Why a function failed.  The messages of the library contain no secrets; those of other exceptions might."""
    return f"{type(error).__name__}: {error.message}" if isinstance(error, RoutableError) else type(error).__name__


def _wants_renewal(function: Refresh) -> bool:
    try:
        found = signature(function).parameters.get("renewal")
    except (TypeError, ValueError):
        return False
    return found is not None and found.kind in (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)


class _Answer:
    """A refresh that is completed once."""

    __slots__ = ("_pointer",)

    def __init__(self, pointer: Any) -> None:
        self._pointer: Any = pointer

    def give(self, result: Any) -> None:
        token, lifetime = result if isinstance(result, tuple) else (result, 0)
        if not isinstance(token, str):
            raise TypeError(f"a refresh must return a str, or a str with seconds, not {type(token).__name__}")
        content, milliseconds = utf8("token", token), _lifetime(lifetime, "the lifetime of the token") if lifetime else 0
        pointer, self._pointer = self._pointer, None
        error = new_error()
        check(c.routable_refresh_finish(pointer, data(content), milliseconds, byref(error)), error)

    def fail(self, message: str) -> None:
        if self._pointer is not None:
            pointer, self._pointer = self._pointer, None
            c.routable_refresh_fail(pointer, data(message.encode()))


# The library stores a number; the functions themselves are stored here until the library releases it.
_bound: Dict[int, Tuple[Functions, str, Credential]] = {}
_numbers = itertools.count(1)


def _refresh(pointer: Any, number: Optional[int]) -> None:
    # The pointer that ctypes hands over ends with the call.
    answer = _Answer(cast(pointer, POINTER(c.routable_refresh)))
    found = _bound.get(number or 0)
    if found is None or found[2].refresh is None:
        answer.fail("the function is gone")
        return
    old = to_text(c.routable_refresh_token(pointer)) or None
    challenge = to_text(c.routable_refresh_challenge(pointer))
    renewal = Renewal(
        found[1], to_text(c.routable_refresh_url(pointer)), to_text(c.routable_refresh_route(pointer)) or None,
        to_text(c.routable_refresh_operation(pointer)) or None, (challenge,) if challenge else (),
    )
    found[0].run(found[1], found[2].refresh, old, renewal, answer)


def _sign(pointer: Any, number: Optional[int]) -> int:
    found = _bound.get(number or 0)
    if found is None or found[2].sign is None:
        return c.ROUTABLE_ERR_CALLBACK
    signing = Signing(pointer)
    try:
        found[2].sign(signing)
        return c.ROUTABLE_OK
    except BaseException as error:  # it comes back as the cause of a CallbackError
        found[0].raised[found[1]] = error
        return c.ROUTABLE_ERR_CALLBACK
    finally:
        signing._pointer = None


def _refreshed(pointer: Any, number: Optional[int]) -> None:
    found = _bound.get(number or 0)
    if found is None or found[2].refreshed is None:
        return
    told = pointer.contents
    tokens = Tokens(
        to_text(told.scheme), to_text(told.token), to_text(told.refresh_token) or None,
        told.expires_in_ms / 1000 if told.expires_in_ms else None, bool(told.has_rotated),
    )
    found[2].refreshed(tokens)  # an exception goes to sys.unraisablehook


def _release(number: Optional[int]) -> None:
    _bound.pop(number or 0, None)


_refresh_fn = c.routable_refresh_fn(called_back(_refresh))
_sign_fn = c.routable_sign_fn(called_back(_sign))
_refreshed_fn = c.routable_tokens_fn(called_back(_refreshed))
_release_fn = c.routable_release_fn(_release)


def struct(functions: Functions, scheme: str, given: AnyCredential, router: Optional["PlainRouter"] = None) -> Any:
    """The credential as a C struct; its strings live as long as the struct."""
    it = credential(given)
    made = c.routable_credential(size=sizeof(c.routable_credential), scheme=name("scheme", scheme), **it._values)
    if router is not None:
        made._router = live_router(router)
        made.router = cast(made._router._as_parameter_, POINTER(c.routable_router))
    for what, text in it._texts.items():
        setattr(made, what, data(text))
    if it.refresh is not None or it.sign is not None or it.refreshed is not None:
        number = next(_numbers)
        _bound[number] = (functions, scheme, it)
        made.user_data = number
        made.release = _release_fn
        if it.refresh is not None:
            made.refresh = _refresh_fn
        if it.sign is not None:
            made.sign = _sign_fn
        if it.refreshed is not None:
            made.refreshed = _refreshed_fn
    made._kept = it
    return made


def set_credential(
    client: Any, functions: Functions, scheme: str, given: AnyCredential, router: Optional["PlainRouter"] = None
) -> None:
    error = new_error()
    with no_positions():
        check(c.routable_client_set_credential(client, byref(struct(functions, scheme, given, router)), byref(error)), error)
    functions.raised.pop(scheme, None)


def live_router(router: Any) -> Handle:
    """The handle of the router that a client or a credential names: a Router, or the API of a generated module."""
    from .router import PlainRouter

    found = router if isinstance(router, PlainRouter) else getattr(router, "_router", None)
    if not isinstance(found, PlainRouter):
        raise TypeError(f"router must be a Router, as routable.open returns it, not {type(router).__name__}")
    return found._live()


def own(policy: Any, request: "Request") -> Any:
    """The policy, whose credential is for the description of this request only, also if a middleware performs another request."""
    if policy is not None and policy._obj.credential and not policy._obj.credential_request:
        handle = policy._obj._request = request._live()
        policy._obj.credential_request = cast(handle._as_parameter_, POINTER(c.routable_request))
    return policy


def override(functions: Functions, auth: Union[bool, Mapping[str, AnyCredential], None]) -> Tuple[int, Any]:
    """The flag and the credential of a per-request policy."""
    if auth is None or auth is True:
        return 0, None
    if auth is False:
        return c.ROUTABLE_POLICY_NO_AUTH, None
    if len(auth) != 1:
        raise ArgumentError("auth: one scheme with its credential is expected, or False", parameter="auth")
    scheme, given = next(iter(auth.items()))
    return 0, struct(functions, scheme, given)


def _lifetime(seconds: float, name: str = "expires_in") -> int:
    if not 0 < seconds < 2**40:
        raise ArgumentError(f"{name}: {seconds!r} is not a number of seconds above 0", parameter=name)
    return max(1, round(seconds * 1000))
