"""The base class of all exceptions, and its two families.  The classes for statuses derive from them."""

from __future__ import annotations

from ._traced import Traced

TYPE_CHECKING = False  # True for type checkers; the module typing takes longer to import than this package
if TYPE_CHECKING:
    from typing import Any, Optional, Tuple

    from .received import Problem
    from .response import Response


#: The part of the message of an HTTPStatusError before the beginning of the body.
NO_SUCCESS = ", which is not a success"


class RoutableError(Exception, Traced):
    """The base class of all exceptions of the library.

    status          the name of the status: "not_allowed"
    code            its number in routable.h
    message         one sentence, which contains no secret; str(error) adds line and column
    pointer         JSON pointer (RFC 6901) into the JSON that was passed in or received; "" for its root or if there is none
    schema_pointer  JSON pointer into the schema that a value is not valid against, or ""
    offset          byte offset in the document that was passed in, or None; line and column count from 1
    route, operation, parameter   the names that the error is about, or None
    allowed         the names that would have been allowed, sorted
    suggestion      the allowed name nearest to the one given, or None
    http_status, curl_code        the HTTP status of the response, and libcurl's code, or None
    response        the response with its body, or None
    next            a further error of the same call, or None
    problem         of `router.read`: the response that a service should send
    timings, attempts, redirects  what happened during the transfer (docs/observe.md)
    """

    code: int = 0
    status: str = "error"
    problem: Optional[Problem] = None

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

    @property
    def excerpt(self) -> str:
        """The beginning of the body of `response` in the form that the message of an HTTPStatusError ends with; "" without a response."""
        return self.message.partition(NO_SUCCESS)[2].partition(": ")[2] if self.status == "http_status" else ""

    def __str__(self) -> str:
        return f"{self.message} (line {self.line}, column {self.column})" if self.line else self.message

    def __reduce__(self) -> Tuple[Any, ...]:
        # Keyword-only details do not travel in `args`; the instance's own dictionary has them all.
        state = dict(self.__dict__)
        if isinstance(self, OSError):  # whose own attributes are not in it
            state.update((each, value) for each in ("errno", "strerror", "filename") if (value := getattr(self, each)) is not None)
        return type(self), (self.message,), state


class CancelledError(Exception):
    """The transfer was cancelled, or its client was closed.  It is not a RoutableError, because nothing failed."""


class RefusedError(RoutableError):
    """The description does not allow the request.  Nothing was sent."""


class PerformError(RoutableError):
    """The request failed while it was performed."""
