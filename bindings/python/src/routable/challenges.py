"""Challenges: the WWW-Authenticate headers of a 401 response, and middleware that obtains the token that they require."""

from __future__ import annotations

import base64
import re
import time
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, NamedTuple, Optional, Tuple
from urllib.parse import parse_qsl, urlsplit

from ._error import NO_SUCCESS
from ._loops import shielded, spawn
from .errors import CredentialError, HTTPStatusError, RoutableError

if TYPE_CHECKING:
    from .middleware import Call
    from .request import Request
    from .response import Response

_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_PARAMETER = re.compile(rf'\s*({_TOKEN})\s*=\s*(?:"((?:[^"\\]|\\.)*)"|({_TOKEN}))\s*(?:,|$)')
_SCHEME = re.compile(rf"[\s,]*({_TOKEN})(?:\s+|(?=,)|$)")
_TOKEN68 = re.compile(r"([A-Za-z0-9\-._~+/]+=*)\s*(?:,|$)")
_MAXIMUM = 16 * 1024


class Challenge(NamedTuple):
    """One challenge of a WWW-Authenticate header (RFC 9110, section 11.6.1).

    scheme      in lower case: "bearer"
    parameters  by name in lower case: {"realm": "...", "service": "...", "scope": "..."}
    token       the single value of schemes without parameters, or None
    """

    scheme: str
    parameters: Dict[str, str]
    token: Optional[str] = None


def parse_challenges(headers: Iterable[str]) -> List[Challenge]:
    """Parses the values of WWW-Authenticate headers: `parse_challenges(response.headers.get_all("WWW-Authenticate"))`.

    Parsing of a header stops at text that is not a challenge, or after 16 KiB.
    """
    found: List[Challenge] = []
    for text in headers:
        text, place = text[:_MAXIMUM], 0
        while True:
            scheme = _SCHEME.match(text, place)
            if scheme is None:
                break
            place, token = scheme.end(), None
            parameters: Dict[str, str] = {}
            first = True
            while True:
                each = _PARAMETER.match(text, place)
                if each is None:
                    break
                value = each[3] if each[2] is None else re.sub(r"\\(.)", r"\1", each[2])
                parameters.setdefault(each[1].lower(), value)
                place, first = each.end(), False
            if first and text[scheme.end() - 1 : scheme.end()].isspace():
                single = _TOKEN68.match(text, place)
                if single is not None:
                    token, place = single[1], single.end()
            found.append(Challenge(scheme[1].lower(), parameters, token))
    return found


class BearerChallenge:
    """Middleware that obtains the token that a 401 with the challenge `Bearer realm, service, scope` requires, for example the
    401 of a container registry.

        client = routable.Client(middleware=[routable.challenges.BearerChallenge("user", "password")])

    It runs in `perform`, `download`, `pages` and `items`; the other methods that send requests raise UnsupportedError.

    It sends one token request for each realm, service and scope, even if many requests wait.  A token is used for 90 % of its
    lifetime: `expires_in` of the token response, at most a day, or 60 s if the response does not state it.  Without user and
    password it requests anonymous tokens.  User and password are sent only to a realm on the service's own origin, or on an
    origin in `realms`.  A realm with the scheme http must be on the service's own origin.

    The user, the password and the tokens belong to one service: the origin `origin` or, without it, the origin of the first
    request.  A challenge of another origin receives none of them.

    Raises CredentialError for a challenge without a valid realm, for a realm that must not receive the password, for a challenge of
    another service than that of the password, and for a failed token request.  A request with a source, or with a function as its target or for its progress, is not sent again: the 401 is
    raised.
    """

    def __init__(
        self, user: Optional[str] = None, password: Optional[str] = None, *, realms: Iterable[str] = (),
        origin: Optional[str] = None,
    ) -> None:
        self._login = None if user is None else (user, password or "")
        self._service: Dict[int, str] = {} if origin is None else {0: _origin(origin)}
        self._realms = frozenset(_origin(each) for each in realms)
        self._tokens: Dict[Tuple[str, ...], Tuple[str, float]] = {}
        self._waiting: Dict[Tuple[str, ...], Any] = {}

    def __call__(self, request: "Request", call: "Call") -> Any:
        if self._login is not None and not self._service:
            self._service.setdefault(0, _origin(request.url))
        return self._later(request, call) if call.is_async else self._now(request, call)

    # --- Blocking ---

    def _now(self, request: "Request", call: "Call") -> "Response":
        refused: Optional[RoutableError] = None
        try:
            response: Response = call(request)
            if response.status != 401:
                return response
        except HTTPStatusError as error:
            if error.http_status != 401 or error.response is None:
                raise
            refused, response = error, error.response
        asked = self._asked(request, response)
        if asked is None:
            return _unchanged(refused, response)
        key, wanted = asked
        token = self._known(key)
        if token is None:
            # Without a lock, which the exception of a signal could leave locked.
            own: "Future[str]" = Future()
            try:
                waiting = self._waiting.setdefault(key, own)
                if waiting is own:
                    token = self._keep(key, call.directly(wanted))
                    own.set_result(token)
                else:
                    token = str(waiting.result())
            except BaseException as error:
                if self._waiting.get(key) is not own:
                    raise
                failure = _failed(error, key)
                if not own.done():
                    own.set_exception(failure)
                raise failure from _shown(error)
            finally:
                if self._waiting.get(key) is own:
                    self._waiting.pop(key, None)
        assert token is not None
        with _Authorized(request, token, self, key):
            answer: Response = call(request)
            return answer

    # --- In an event loop ---

    async def _later(self, request: "Request", call: "Call") -> "Response":
        refused: Optional[RoutableError] = None
        try:
            response: Response = await call(request)
            if response.status != 401:
                return response
        except HTTPStatusError as error:
            if error.http_status != 401 or error.response is None:
                raise
            refused, response = error, error.response
        asked = self._asked(request, response)
        if asked is None:
            return _unchanged(refused, response)
        key, wanted = asked
        token = self._known(key)
        if token is None:
            task = self._waiting.get(key)
            if task is None:
                task = self._waiting[key] = spawn(self._fetch(key, wanted, call))
            token = str(await shielded(task))
        with _Authorized(request, token, self, key):
            answer: Response = await call(request)
            return answer

    async def _fetch(self, key: Tuple[str, ...], wanted: "Request", call: "Call") -> str:
        try:
            return self._keep(key, await call.directly(wanted))
        except Exception as error:
            raise _failed(error, key) from _shown(error)
        finally:
            del self._waiting[key]

    # --- What both do ---

    def _asked(self, request: "Request", response: "Response") -> "Optional[Tuple[Tuple[str, ...], Request]]":
        """The key of the token that the response requires, and the request for that token; None if the response requires none."""
        challenges = parse_challenges(response.headers.get_all("WWW-Authenticate"))
        challenge = next((each for each in challenges if each.scheme == "bearer"), None)
        if challenge is None or request._records:
            return None
        realm = challenge.parameters.get("realm", "")
        place = urlsplit(realm)
        if not realm or place.scheme not in ("http", "https") or not place.hostname or "@" in place.netloc:
            raise CredentialError(f"the challenge of {_origin(response.url)} has no realm that is an http or https URL: no token can be requested")
        origin = _origin(realm)
        is_own = origin == _origin(response.url) and origin == _origin(request.url)
        if not is_own and place.scheme == "http":
            raise CredentialError(f"the challenge of {_origin(response.url)} contains a realm of http, {origin}; only https is allowed for another origin")
        if self._login is not None and not is_own and origin not in self._realms:
            raise CredentialError(
                f"the challenge of {_origin(response.url)} contains a realm of another origin, {origin}; if it may receive the password, "
                f"list it: BearerChallenge(..., realms=[{origin!r}])")
        if self._login is not None and _origin(request.url) != self._service.get(0):
            raise CredentialError(
                f"the user and the password belong to {self._service.get(0)}, and {_origin(request.url)} requires a token: "
                "use a client with a BearerChallenge of its own for that service")
        names = ("service", "scope")
        # A token is stored for the service that requires it: another service could name the same realm, service and scope.
        key = (realm, _origin(request.url), *(challenge.parameters.get(each, "") for each in names))
        return key, self._request(realm, {each: challenge.parameters[each] for each in names if each in challenge.parameters})

    def _request(self, realm: str, query: Dict[str, str]) -> "Request":
        from ._using import using
        from .documents import open

        place = urlsplit(realm)
        if not re.fullmatch(r"[A-Za-z0-9._~/-]*", place.path):
            raise CredentialError(f"the realm of {_origin(realm)} has a path with other characters than letters, digits and ._~/-")
        api = open({"routable": 1, "base": f"{place.scheme}://{place.netloc}", "operations": {"token": {"get": place.path or "/"}}})
        parameters = {**dict(parse_qsl(place.query)), **query}
        headers = {}
        if self._login is not None:
            parameters["account"] = self._login[0]
            headers["Authorization"] = "Basic " + base64.b64encode(":".join(self._login).encode()).decode()
        return api.operations.token(using(parameters=parameters, headers=headers))

    def _known(self, key: Tuple[str, ...]) -> Optional[str]:
        token, end = self._tokens.get(key, ("", 0.0))
        return token if time.monotonic() < end else None

    def _keep(self, key: Tuple[str, ...], response: "Response") -> str:
        found = response.json()
        token = found.get("token") or found.get("access_token") if isinstance(found, dict) else None
        if not isinstance(token, str) or not token:
            raise CredentialError(f"the token response of {_origin(key[0])} has neither token nor access_token")
        life = found.get("expires_in")
        seconds = min(float(life), 86_400.0) if isinstance(life, (int, float)) and life > 0 else 60.0
        if len(self._tokens) >= 1000:  # the oldest token, whose scope may no longer be used
            self._tokens.pop(next(iter(self._tokens)))
        self._tokens[key] = (token, time.monotonic() + seconds * 0.9)
        return token


class _Authorized:
    """The request with a token, which it does not keep."""

    def __init__(self, request: "Request", token: str, owner: BearerChallenge, key: Tuple[str, ...]) -> None:
        self._request = request
        self._tokens, self._key = owner._tokens, key
        self._before = request.headers.get("Authorization")
        request.set_header("Authorization", f"Bearer {token}")

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if isinstance(error, HTTPStatusError) and error.http_status == 401:
            self._tokens.pop(self._key, None)  # the next request gets a new token
        if self._before is None:
            self._request.remove_header("Authorization")
        else:
            self._request.set_header("Authorization", self._before)


def _unchanged(refused: Optional[RoutableError], response: "Response") -> "Response":
    if refused is not None:
        raise refused
    return response


def _shown(error: BaseException) -> Optional[BaseException]:
    """The cause for a traceback, without a response of the token service, whose text may contain a token."""
    return None if isinstance(error, HTTPStatusError) else error


def _failed(error: BaseException, key: Tuple[str, ...]) -> BaseException:
    if isinstance(error, CredentialError) or not isinstance(error, RoutableError):
        return error
    # Without the beginning of the body, which may contain the secret.
    message = error.message.partition(NO_SUCCESS)[0]
    return CredentialError(f"no token from {_origin(key[0])}: {message}", http_status=error.http_status, response=error.response)


def _origin(url: str) -> str:
    """Scheme, host and port, without parts that may be secret."""
    place = urlsplit(url)
    try:
        port = place.port
    except ValueError:
        port = None
    default = {"http": 80, "https": 443}.get(place.scheme)
    return f"{place.scheme}://{place.hostname or ''}" + (f":{port}" if port not in (None, default) else "")
