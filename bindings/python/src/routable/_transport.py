"""Transports in Python: converts exchanges, replies and exceptions of a transport."""

from __future__ import annotations

import itertools
from ctypes import POINTER, byref, c_void_p, cast, sizeof
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple

from . import _capi as base
from ._capi import mock
from ._capi import transport as c
from ._check import check, new_error
from ._text import data, natural, to_bytes, to_header, to_text, utf8
from ._threads import called_back
from .errors import RoutableError
from .headers import Headers
from .transport import Transport, TransportRequest, TransportResponse

if TYPE_CHECKING:
    from .credential import Functions

# The library stores a number; the functions themselves are stored here until the library releases it.
_transports: Dict[int, Tuple["Functions", Transport]] = {}
_numbers = itertools.count(1)


def read_exchange(pointer: Any) -> TransportRequest:
    """Copies a routable_exchange, which the library keeps alive during the call."""
    pairs = []
    for index in range(c.routable_exchange_header_count(pointer)):
        line = c.routable_exchange_header_at(pointer, index)
        pairs.append((to_header(line.name), to_header(line.value)))
    timeout = c.routable_exchange_timeout_ms(pointer)
    return TransportRequest(
        route=to_text(c.routable_exchange_route(pointer)) or None,
        operation=to_text(c.routable_exchange_operation(pointer)) or None,
        method=to_text(c.routable_exchange_method(pointer)),
        url=to_text(c.routable_exchange_url(pointer)),
        headers=Headers(pairs),
        body=to_bytes(c.routable_exchange_body(pointer)) if c.routable_exchange_has_body(pointer) else None,
        timeout=None if timeout < 0 else timeout / 1000,
    )


def reply_struct(response: TransportResponse, held: List[Any]) -> Any:
    """The response as a C struct; `held` keeps the objects that it refers to."""
    if not isinstance(response, TransportResponse):
        raise TypeError(f"a transport must return a TransportResponse, not {type(response).__name__}")
    fields = (base.routable_header * len(response.headers))()
    for place, (name, value) in zip(fields, response.headers):
        texts = utf8("the name of a header", name), utf8("the value of a header", value)
        held.extend(texts)
        place.name, place.value = data(texts[0]), data(texts[1])
    held.extend((fields, response.body))
    return c.routable_reply(
        size=sizeof(c.routable_reply), http_status=natural("status", response.status, 0, 2**31 - 1), headers=fields,
        header_count=len(fields), body=data(response.body), delay_ms=round(response.delay * 1000),
    )


def _failure(error: BaseException, functions: "Functions", held: List[Any]) -> Any:
    """The failure for an exception of a transport: an unchanged error of the library, a timeout, a lost connection, or a failed
    callback."""
    status = base.ROUTABLE_ERR_CALLBACK
    message = f"the transport raised {type(error).__name__}"
    if isinstance(error, RoutableError) and error.code >= base.ROUTABLE_ERR_ARGUMENT:
        status, message = error.code, error.message or message
    elif isinstance(error, TimeoutError):
        status = base.ROUTABLE_ERR_TIMEOUT
    elif isinstance(error, ConnectionError):
        status = base.ROUTABLE_ERR_TRANSFER
    functions.raised[message] = error
    text = utf8("message", message)
    held.append(text)
    return c.routable_reply(size=sizeof(c.routable_reply), failure=status, message=data(text))


class _Exchange:
    """An exchange that is replied to once."""

    __slots__ = ("_pointer", "_functions")

    def __init__(self, pointer: Any, functions: "Functions") -> None:
        self._pointer: Any = pointer
        self._functions = functions

    def give(self, response: TransportResponse) -> None:
        held: List[Any] = []
        try:
            made = reply_struct(response, held)
        except BaseException as error:
            return self.fail(error)
        pointer, self._pointer, error_out = self._pointer, None, new_error()
        # If the library refuses the reply, its error is that of the request.
        c.routable_exchange_reply(pointer, byref(made), byref(error_out))
        base.routable_error_free(error_out)

    def fail(self, error: BaseException) -> None:
        if self._pointer is None:
            return
        held: List[Any] = []
        made = _failure(error, self._functions, held)
        pointer, self._pointer, error_out = self._pointer, None, new_error()
        c.routable_exchange_reply(pointer, byref(made), byref(error_out))
        base.routable_error_free(error_out)


def _on_exchange(pointer: Any, number: Optional[int]) -> None:
    # The pointer that ctypes hands over ends with the call.
    pointer = cast(pointer, POINTER(base.routable_exchange))
    functions, transport = _transports[number or 0]
    exchange = _Exchange(pointer, functions)
    try:
        result: Any = transport(read_exchange(pointer))
        if hasattr(result, "__await__"):
            functions.schedule(result, exchange.give, exchange.fail, "a coroutine function can be a transport only for an AsyncClient")
        else:
            exchange.give(result)
    except BaseException as error:  # it comes back as the request's error
        exchange.fail(error)


def _on_release(number: Optional[int]) -> None:
    _transports.pop(number or 0, None)


#: The functions of the library itself, by their addresses.
_answer: Any = c.routable_responses_answer
_mock_answer: Any = mock.routable_mock_answer
_send = base.routable_transport_fn(called_back(_on_exchange))
_release = base.routable_release_fn(_on_release)


def set_transport(options: Any, functions: "Functions", transport: Any) -> None:
    """Fills the options of a client."""
    from .testing import Mock, Responses, Tape

    if isinstance(transport, Tape):
        if transport._over is not None:
            set_transport(options, functions, transport._over)
        options.tape = cast(transport._live()._as_parameter_, POINTER(base.routable_tape))
        return
    if isinstance(transport, (Mock, Responses)):
        function = _mock_answer if isinstance(transport, Mock) else _answer
        options.transport = base.routable_transport_fn(cast(function, c_void_p).value or 0)
        options.transport_user_data = cast(transport._live()._as_parameter_, c_void_p)
        return
    if not callable(transport):
        raise TypeError(f"a transport must be a function, not {type(transport).__name__}")
    number = next(_numbers)
    _transports[number] = (functions, transport)
    options.transport = _send
    options.transport_user_data = number
    options.transport_release = _release
