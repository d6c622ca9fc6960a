"""Canned responses, mocks, tapes and coverage for tests (docs/testing.md, docs/mock.md, docs/tape.md, docs/coverage.md)."""

from __future__ import annotations

import json
from ctypes import POINTER, byref, c_int32, pointer, sizeof
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Union

from . import _capi as s
from ._answer import Answer

from ._capi import mock as m
from ._capi import transport as c
from ._check import check, new_error
from ._coverage import Coverage as Coverage
from ._handle import Owned
from ._incoming import of_environ, phrase
from ._tape import Tape as Tape
from ._text import natural, optional_name, take, to_bytes, to_text, utf8
from ._transport import read_exchange, reply_struct
from .errors import ArgumentError, CallbackError
from .received import incoming_struct
from .transport import HeaderFields, TransportRequest, TransportResponse

if TYPE_CHECKING:
    from .received import _Headers
    from .router import PlainRouter

#: The codes of libcurl for network failures.
FAULTS = {"name": 6, "connect": 7, "timeout": 28, "tls": 35, "empty": 52, "reset": 56, "partial": 18}


class Responses(Owned):
    """Canned responses: a transport for a Client or an AsyncClient.

        with routable.testing.Responses() as responses:
            responses.add("read", route="user", json={"name": "Fabian"})
            client = routable.Client(transport=responses, retries=2)
            ...

    Leaving the `with` block without an exception calls `check`.
    """

    __slots__ = ()

    def __init__(self) -> None:
        out, error = POINTER(c.routable_responses)(), new_error()
        check(c.routable_responses_new(byref(out), byref(error)), error)
        super().__init__(out, c.routable_responses_free)

    def add(
        self,
        operation: Optional[str] = None,
        status: int = 200,
        *,
        route: Optional[str] = None,
        url: Optional[str] = None,
        json: object = None,
        body: Union[bytes, str] = b"",
        headers: Optional[HeaderFields] = None,
        delay: float = 0,
        fault: Optional[str] = None,
        times: Optional[int] = 1,
    ) -> None:
        """Adds a response.  A request receives the first matching response that has uses left, in the order of these calls.

        operation, route   "read" and "user.status"; "" is the route of standalone operations; None: any
        url                a string that the URL contains
        json, body, headers, delay   those of a TransportResponse
        fault   a network failure instead of a response: "name", "connect", "tls", "timeout", "empty", "partial", "reset"
        times   the exact number of requests that receive the response; None: any number
        """
        held: List[Any] = []
        made = reply_struct(TransportResponse(status, headers=headers, body=body, json=json, delay=delay), held)
        if fault is not None:
            made.curl_code = _curl_code(fault)
        canned = c.routable_canned(
            size=sizeof(c.routable_canned), route=optional_name("route", route),
            operation=optional_name("operation", operation), url=optional_name("url", url),
            times=-1 if times is None else natural("times", times, 1, 2**31 - 1), reply=pointer(made),
        )
        error = new_error()
        check(c.routable_responses_add(self._live(), byref(canned), byref(error)), error)

    @property
    def requests(self) -> List[TransportRequest]:
        """All requests in order, with their headers and credentials."""
        handle = self._live()
        count = c.routable_responses_request_count(handle)
        return [read_exchange(c.routable_responses_request_at(handle, index)) for index in range(count)]

    def check(self) -> None:
        """Raises CallbackError if a request had no response, or if a response was not used as often as its `times`."""
        error = new_error()
        check(c.routable_responses_check(self._live(), byref(error)), error)

    def __exit__(self, *exception: object) -> None:
        # The responses are not closed, because a client may still use them.
        if not exception or exception[0] is None:
            self.check()

    def __repr__(self) -> str:
        return "<routable.testing.Responses>"


def _curl_code(fault: str) -> int:
    if fault not in FAULTS:
        raise ArgumentError(f"fault must be one of {', '.join(sorted(FAULTS))}, not {fault!r}", parameter="fault")
    return FAULTS[fault]


class _Removed:
    """The type of REMOVED."""

    def __repr__(self) -> str:
        return "routable.testing.REMOVED"


#: The value of a removed member.
REMOVED = _Removed()


def _change_function(changed: Callable[[str, Any], object], raised: List[BaseException]) -> Any:
    def call(path: Any, value: Any, _: Any) -> int:
        text = to_bytes(value)
        try:
            changed(to_text(path), json.loads(text) if text else REMOVED)
            return s.ROUTABLE_OK
        except BaseException as error:  # the cause of the CallbackError
            raised[:] = [error]
            return s.ROUTABLE_ERR_CALLBACK

    return m.routable_mock_change_fn(call)


class Mock(Owned):
    """A mock service: a transport for a Client or an AsyncClient that responds as the description declares.

        with routable.testing.Mock(api) as mock:
            client = routable.Client(transport=mock)
            client.perform(api.user.create({"name": "ann"}))
            client.perform(api.user("ann").read()).value     # {"name": "ann"}

    Resources that a request creates can be listed, read, changed and deleted by further requests.  The response to any other request
    is a generated value that is valid.  The same requests get the same responses for the same `seed`.
    """

    __slots__ = ("_changed", "_raised", "_router")

    def __init__(
        self,
        api: "PlainRouter",
        *,
        seed: int = 0,
        base_path: Optional[str] = None,
        id_pointer: Optional[str] = None,
        anonymous: bool = False,
        changed: Optional[Callable[[str, Any], object]] = None,
    ) -> None:
        """base_path    the path in front of the paths of the API; None: the path of the base of the description
        id_pointer   a JSON pointer to the id in each resource, such as "/metadata/name"; None: the id is found by its name
        anonymous    whether a request without the credentials that its operation requires is answered
        changed      called with each change of the store before the response: the path of a member, such as "v1/users/ann", and its
                     value, or REMOVED.  If the function raises, all changes of the request are reverted, and the request fails.  The
                     function must not use the mock
        """
        self._raised: List[BaseException] = []
        self._changed: Any = None if changed is None else _change_function(changed, self._raised)
        options = m.routable_mock_options(
            size=sizeof(m.routable_mock_options), seed=natural("seed", seed, 0, (1 << 64) - 1),
            base_path=optional_name("base_path", base_path), id_pointer=optional_name("id_pointer", id_pointer),
            flags=m.ROUTABLE_MOCK_ANONYMOUS if anonymous else 0,
        )
        if self._changed is not None:
            options.changed = self._changed
        self._router = api
        out, error = POINTER(m.routable_mock)(), new_error()
        check(m.routable_mock_new(api._live(), byref(options), byref(out), byref(error)), error)
        super().__init__(out, m.routable_mock_free)

    def fault(
        self,
        operation: Optional[str] = None,
        *,
        route: Optional[str] = None,
        status: int = 0,
        retry_after: Optional[int] = None,
        fault: Optional[str] = None,
        delay: float = 0,
        wrong_body: bool = False,
        times: Optional[int] = 1,
        rate: float = 1,
    ) -> None:
        """Adds a fault: one of a status, a network failure and a wrong body, or only a delay.  A request gets the first
        matching fault that has uses left.  Raises ArgumentError.

        operation, route   "read" and "user.status"; "" is the route of standalone operations; None: any
        status, retry_after   an HTTP status from 400, and the seconds of Retry-After
        fault        a network failure: "name", "connect", "tls", "timeout", "empty", "partial", "reset"
        delay        seconds before the response
        wrong_body   whether a JSON body is replaced by one that its schema does not allow
        times        the number of requests that get the fault; None: any number
        rate         the proportion of the requests that get the fault, above 0 and at most 1, selected by the seed
        """
        share = round(rate * 1_000_000)
        if not 0 < share <= 1_000_000:
            raise ArgumentError(f"rate must be above 0 and at most 1, not {rate}", parameter="rate")
        made = m.routable_mock_fault(
            size=sizeof(m.routable_mock_fault), route=optional_name("route", route), operation=optional_name("operation", operation),
            times=-1 if times is None else natural("times", times, 1, 2**31 - 1), rate=share,
            http_status=natural("status", status, 0, 599), retry_after=-1 if retry_after is None else natural("retry_after", retry_after, 0, 2**31 - 1),
            curl_code=0 if fault is None else _curl_code(fault), wrong_body=int(wrong_body), delay_ms=round(delay * 1000),
        )
        error = new_error()
        check(m.routable_mock_add_fault(self._live(), byref(made), byref(error)), error)

    def respond(
        self, method: str, target: Union[str, bytes], headers: "_Headers" = (), body: bytes = b""
    ) -> TransportResponse:
        """The response to a request that a server has received: `mock.respond("GET", "/v1/users/ann")`.  The arguments are those of
        `Router.read`.

        Raises ConnectionResetError if a fault ends the connection.  The function does not wait for the delay of a fault.
        """
        incoming, keep = incoming_struct(method, target, headers, body)
        out, code, error = POINTER(s.routable_answer)(), c_int32(), new_error()
        try:
            check(m.routable_mock_respond(self._live(), byref(incoming), byref(out), byref(code), None, byref(error)), error)
        except CallbackError as failure:
            raise failure from (self._raised.pop() if self._raised else None)
        answer = Answer(out)
        if code.value:
            raise ConnectionResetError(f"a fault of the mock, as code {code.value} of libcurl")
        return TransportResponse(answer.status, headers=answer.headers, body=answer.body or b"")

    def wsgi(self, environ: Dict[str, Any], start_response: Callable[..., Any]) -> List[bytes]:
        """The mock as a WSGI application, for the test clients and servers of other packages."""
        incoming = of_environ(environ, 64 << 20)
        response = self.respond(incoming.method, incoming.root + incoming.target, incoming.headers, incoming.body)
        start_response(f"{response.status} {phrase(response.status)}", response.headers)
        return [response.body]

    def put(self, path: str, value: object) -> None:
        """Stores a member, without calling `changed`.  The arguments are the path and the value (or REMOVED) that `changed` received."""
        text = b"" if value is REMOVED else json.dumps(value).encode()
        error = new_error()
        check(m.routable_mock_put(self._live(), utf8("path", path), text, len(text), byref(error)), error)

    def problems(self) -> List[Dict[str, str]]:
        """The problems of the description: invalid examples of responses, and responses that cannot be generated.  Each one has
        `operation`, `status`, `pointer` and `message`.  The function compiles the schemas of all responses."""
        out, error = s.routable_string(), new_error()
        check(m.routable_mock_problems(self._live(), byref(out), byref(error)), error)
        found: List[Dict[str, str]] = json.loads(take(out))
        return found

    def reset(self) -> None:
        """Removes all members and restarts the generator: ids and generated values repeat."""
        m.routable_mock_reset(self._live())

    def __len__(self) -> int:
        """The number of members in the store."""
        return int(m.routable_mock_count(self._live()))

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"<routable.testing.Mock: {len(self)} members>"
