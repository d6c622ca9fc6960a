"""Exceptions: one family, and for each status of the library one class.

Everything that the library refuses is a RoutableError.  Its attributes say what happened, where, and
what would have been allowed; where a builtin exception says the same thing the class is also that.

    RoutableError
        ArgumentError (ValueError)          a wrong argument, text that C would cut
        JSONError (ValueError)              text that is not JSON: offset, line, column
        DocumentError (ValueError)          JSON, but not what is expected there: pointer, suggestion
            ConflictError                   two routes that cannot be told apart
        UnsupportedError (NotImplementedError)
        LimitError (ValueError)             larger or deeper than a stated limit
        FileError (OSError)                 a file that cannot be read
        URLError (ValueError)               a base that is not an http or https URL
        RefusedError                        a request that the description does not allow: nothing was sent
            UnknownError (LookupError)      no resource, route or operation of that name: suggestion, allowed
            NotAllowedError                 the resource does not offer that operation: allowed
            IdError (ValueError)            an id is missing, surplus, ambiguous or of an unknown name
            ValueRefusedError (ValueError)  a value that its parameter refuses
                ShadowedError               with this value another route would answer
            ParameterError (ValueError)     a parameter is missing or unknown
            BodyError (ValueError)          a body is missing, not allowed, or does not fit its type
            HeaderError (ValueError)        a header that HTTP does not allow
        MethodNotAllowedError               a path that is matched is known, its method is not: allowed
        PerformError                        it was sent, or was about to be
            CurlMissingError (OSError)      libcurl is not installed
            TransferError (ConnectionError) the network failed
                TLSError                    the peer's certificate or the handshake was refused
            TimeoutError (TimeoutError)     a deadline passed
            HTTPStatusError                 an answer with a status that is no success, such as 404: response
            ResponseError (ValueError)      an answer that does not fit its type where it must: response
            CredentialError                 the operation requires a credential, or its refresh failed
                ExcessiveRefreshError       it was refreshed too often
        CallbackError (RuntimeError)        a function of the host failed, or is needed and was not given
        InternalError (RuntimeError)        a fault of the library: please report

A missing attribute (`api.usr`, `api.user("x").status("3").update`) raises the class above that fits and
is an AttributeError as well, so that hasattr() answers.
"""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Any, Dict, Optional, Tuple, Type

from .trace import Traced

if TYPE_CHECKING:
    from .response import Response


class RoutableError(Exception, Traced):
    """Base of all; `except routable.RoutableError` catches whatever the library refuses.

    status          the name of the status: "not_allowed"
    code            its number, as in routable.h
    message         one sentence, without a secret in it; str(error) adds line and column
    pointer         where in the JSON that was passed in or received (RFC 6901), "" for its root or none
    schema_pointer  where in the schema that a value did not fit, or ""
    offset          byte offset in the text that was passed in, or None; line and column count from 1
    route, operation, parameter   what it is about, or None
    allowed         the names that would have been allowed, sorted
    suggestion      the allowed name nearest to the one given, or None
    http_status, curl_code        of a perform, or None
    response        the answer itself, with its body, or None
    next            a further error of the same call, or None
    timings, attempts, redirects  of a perform, what happened on the way (docs/observe.md)
    """

    code: int = 0
    status: str = "error"

    def __init__(
        self,
        message: str = "",
        *,
        code: Optional[int] = None,
        status: Optional[str] = None,
        pointer: str = "",
        schema_pointer: str = "",
        offset: Optional[int] = None,
        line: Optional[int] = None,
        column: Optional[int] = None,
        route: Optional[str] = None,
        operation: Optional[str] = None,
        parameter: Optional[str] = None,
        allowed: Tuple[str, ...] = (),
        suggestion: Optional[str] = None,
        http_status: Optional[int] = None,
        curl_code: Optional[int] = None,
        response: Optional[Response] = None,
        next: Optional[RoutableError] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        if code is not None:
            self.code = code
        if status is not None:
            self.status = status
        self.pointer = pointer
        self.schema_pointer = schema_pointer
        self.offset = offset
        self.line = line
        self.column = column
        self.route = route
        self.operation = operation
        self.parameter = parameter
        self.allowed = allowed
        self.suggestion = suggestion
        self.http_status = http_status
        self.curl_code = curl_code
        self.response = response
        self.next = next

    def __str__(self) -> str:
        return f"{self.message} (line {self.line}, column {self.column})" if self.line else self.message

    def __reduce__(self) -> Tuple[Any, ...]:
        # Keyword-only details do not travel in `args`; the instance's own dictionary has them all.
        return type(self), (self.message,), dict(self.__dict__)


class ArgumentError(RoutableError, ValueError):
    """A wrong argument: text that C would cut, an empty name, a value that JSON cannot hold."""

    code, status = 16, "argument"


class JSONError(RoutableError, ValueError):
    """The text is not JSON; `offset`, `line` and `column` say where."""

    code, status = 18, "json"


class DocumentError(RoutableError, ValueError):
    """JSON, but not what is expected there; `pointer` says where, `suggestion` the nearest name."""

    code, status = 19, "document"


class ConflictError(DocumentError):
    """Two routes that cannot be told apart."""

    code, status = 20, "conflict"


class UnsupportedError(RoutableError, NotImplementedError):
    """Known to the grammar, without an engine in this version."""

    code, status = 21, "unsupported"


class LimitError(RoutableError, ValueError):
    """Larger or deeper than a stated limit."""

    code, status = 31, "limit"


class FileError(RoutableError, OSError):
    """A file cannot be read."""

    code, status = 32, "file"


class URLError(RoutableError, ValueError):
    """A base that is not an http or https URL."""

    code, status = 29, "url"


class RefusedError(RoutableError):
    """A request that the description does not allow; nothing was sent."""


class UnknownError(RefusedError, LookupError):
    """No resource, route or operation of that name."""

    code, status = 22, "unknown"


class NotAllowedError(RefusedError):
    """The resource exists and does not offer that operation; `allowed` lists those that it does."""

    code, status = 23, "not_allowed"


class IdError(RefusedError, ValueError):
    """An id is missing, surplus, ambiguous, or of an unknown name."""

    code, status = 24, "id"


class ValueRefusedError(RefusedError, ValueError):
    """A value that its parameter refuses: empty, "..", of a wrong type."""

    code, status = 25, "value"


class ShadowedError(ValueRefusedError):
    """With this value another route would answer."""

    code, status = 26, "shadowed"


class ParameterError(RefusedError, ValueError):
    """A query, header or cookie parameter is missing or unknown."""

    code, status = 27, "parameter"


class BodyError(RefusedError, ValueError):
    """A body is missing, not allowed, or does not fit its type."""

    code, status = 28, "body"


class HeaderError(RefusedError, ValueError):
    """A header name or value that HTTP does not allow."""

    code, status = 30, "header"


class MethodNotAllowedError(RoutableError):
    """The path is known and the method is not; `allowed` lists the methods, as an Allow header does."""

    code, status = 2, "method_not_allowed"


class PerformError(RoutableError):
    """Performing a request failed."""


class CurlMissingError(PerformError, OSError):
    """libcurl is not installed; the message names the package."""

    code, status = 33, "no_curl"


class TransferError(PerformError, ConnectionError):
    """The network failed: refused, reset, closed early.  `curl_code` has the CURLcode."""

    code, status = 34, "transfer"


class TLSError(TransferError):
    """The peer's certificate or the handshake was refused."""

    code, status = 36, "tls"


class TimeoutError(PerformError, builtins.TimeoutError):
    """A deadline passed."""

    code, status = 35, "timeout"


class HTTPStatusError(PerformError):
    """An answer with a status that the operation does not declare; without any declared: that is not 200 to 299.

    `http_status` is the status, `response.json()` or `response.body` what came with it.
    """

    code, status = 37, "http_status"


class ResponseError(PerformError, ValueError):
    """An answer that is empty, or does not fit its type where it must."""

    code, status = 38, "response"


class CredentialError(PerformError):
    """The operation requires a credential that the client does not have, or its refresh failed; `parameter` names the
    scheme."""

    code, status = 39, "credential"


class ExcessiveRefreshError(CredentialError):
    """A credential was refreshed too often within a short time, and is refused still."""

    code, status = 42, "excessive_refresh"


class CallbackError(RoutableError, RuntimeError):
    """A function of the host failed, or is needed and was not given; `route` names the presenter."""

    code, status = 41, "callback"


class InternalError(RoutableError, RuntimeError):
    """A fault of the library: please report."""

    code, status = 40, "internal"


def _leaves(family: Type[RoutableError]) -> Dict[int, Type[RoutableError]]:
    found = {family.code: family} if "code" in vars(family) and family.code else {}
    for child in family.__subclasses__():
        found.update(_leaves(child))
    return found


#: Status number -> class, the one place where the two meet.  A status without a class is a RoutableError.
CLASS_OF_CODE: Dict[int, Type[RoutableError]] = _leaves(RoutableError)


class UnknownAttributeError(UnknownError, AttributeError):
    """UnknownError from an attribute."""


class NotAllowedAttributeError(NotAllowedError, AttributeError):
    """NotAllowedError from an attribute."""


class IdAttributeError(IdError, AttributeError):
    """IdError from an attribute: a child was asked of a resource whose own id is missing."""


def as_attribute(error: RoutableError) -> RoutableError:
    """The same error as an AttributeError, where an attribute was asked for."""
    kind = NotAllowedAttributeError if isinstance(error, NotAllowedError) else UnknownAttributeError
    raised = kind(error.message)
    raised.__dict__.update(error.__dict__)
    return raised
