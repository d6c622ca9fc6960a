# Written by scripts/interface from include/*.h: change the header, then run scripts/interface.
"""A class for each status that is a failure: what errors.py exports."""

from __future__ import annotations

import builtins

from ._error import PerformError, RefusedError, RoutableError

TYPE_CHECKING = False  # True for type checkers; the module typing takes longer to import than this package
if TYPE_CHECKING:
    from typing import Dict, Type

    from .response import Response

__all__ = [
    "ArgumentError",
    "BodyError",
    "CallbackError",
    "ConflictError",
    "CredentialError",
    "CurlMissingError",
    "DocumentError",
    "ExcessiveRefreshError",
    "FileError",
    "HTTPStatusError",
    "HeaderError",
    "IdError",
    "InternalError",
    "JSONError",
    "LimitError",
    "MethodNotAllowedError",
    "NotAllowedError",
    "OutOfMemoryError",
    "ParameterError",
    "ResponseError",
    "ShadowedError",
    "TLSError",
    "TimeoutError",
    "TransferError",
    "URLError",
    "UnknownError",
    "UnsupportedError",
    "ValueRefusedError",
]


class MethodNotAllowedError(RoutableError):
    """Routes match the path, but none has this method. A server should respond with 405;
    routable_match_method_at lists the methods for the Allow header."""

    code, status = 2, "method_not_allowed"


class ArgumentError(RoutableError, ValueError):
    """An argument is not valid: for example, a required pointer is NULL, a struct has a wrong size, a flag is
    unknown, or the client is closed. Correct the call; initialize each struct with its _INIT macro."""

    code, status = 16, "argument"


class JSONError(RoutableError, ValueError):
    """The input is not valid JSON. Correct the JSON at the offset, line and column of the error."""

    code, status = 18, "json"


class DocumentError(RoutableError, ValueError):
    """A document, a schema, a call in JSON, or a template is not valid: for example, it has an unknown or
    duplicate key, or a value of a wrong type. Correct the place at the pointer or the offset of the error, which
    may suggest the nearest key."""

    code, status = 19, "document"


class UnsupportedError(RoutableError, NotImplementedError):
    """The description, the options or the call require a feature that this version does not implement. Remove
    the key or the option, or use a newer version."""

    code, status = 21, "unsupported"


class FileError(RoutableError, OSError):
    """A file cannot be read or written, or is not a valid cookie file. The message states the reason; correct
    the path, the permissions or the content."""

    code, status = 32, "file"


class UnknownError(RefusedError, LookupError):
    """No resource, route, standalone operation, type, presenter or credential has this name, no operation has a
    name in `only` or `except`, or the operation declares no schema for the body or for the status. If the error
    lists allowed names, use one of them; the error may also suggest the nearest name."""

    code, status = 22, "unknown"


class NotAllowedError(RefusedError):
    """The resource does not have this operation, or the operation requires another route. Use one of the
    operations or resources that the error lists as allowed."""

    code, status = 23, "not_allowed"


class IdError(RefusedError, ValueError):
    """An id is missing, superfluous, ambiguous or given twice, or has an unknown name. Correct the ids that the
    message names; if a resource occurs twice in the route, pass all ids by position."""

    code, status = 24, "id"


class ValueRefusedError(RefusedError, ValueError):
    """A value is not allowed: for example, an empty string or ".." as a path segment, a value of a wrong type,
    or invalid UTF-8. Correct the value; the error names the parameter, if the value belongs to one."""

    code, status = 25, "value"


class ParameterError(RefusedError, ValueError):
    """A required query, header or cookie parameter is missing, a query or cookie parameter is unknown, or the
    pagination declares no parameter for the page size. Correct the parameter that the error names; for an
    unknown parameter, the error lists the parameters that the operation declares."""

    code, status = 27, "parameter"


class BodyError(RefusedError, ValueError):
    """A body is missing, not allowed, not valid against its type, or shorter than its stated length, or the
    request must be sent again and the body cannot be read a second time. Correct the body; if it is not valid
    against its type, the error has pointers into the body and into the schema."""

    code, status = 28, "body"


class HeaderError(RefusedError, ValueError):
    """HTTP does not allow the name or the value of a header, or only the client can set the header. Remove the
    header, or remove control characters such as CR, LF and NUL from the header."""

    code, status = 30, "header"


class CurlMissingError(PerformError, OSError):
    """The library libcurl.so.4 is not installed, or is too old. Install the package that the message names, or
    send the request with another HTTP client and map its response with routable_response_map."""

    code, status = 33, "no_curl"


class TransferError(PerformError, ConnectionError):
    """No complete response was received: for example, the host was not found, the connection was refused, reset
    or closed early, the response is not valid HTTP, or a redirect is not allowed (too many, from https to http,
    or to a scheme other than http and https). The error has the CURLcode, if there is one; the calling program
    decides whether to repeat the request."""

    code, status = 34, "transfer"


class TimeoutError(PerformError, builtins.TimeoutError):
    """The deadline, the connect timeout or the stall timeout passed. Repeat the request only if this is safe:
    the service may have processed it."""

    code, status = 35, "timeout"


class HTTPStatusError(PerformError):
    """The operation does not declare the status of the response as a success; if the operation declares no
    success, 200 to 299 are successes. Read the response with its headers and body from the error."""

    code, status = 37, "http_status"
    response: Response  # every HTTP status error has one


class ResponseError(PerformError, ValueError):
    """The response is not what the operation declares: for example, the body is empty, has another media type,
    or is not valid although the call requires a valid body; a page has no array of items; or a link or cursor
    leads to a page that was already read. Compare the response with the description; the error contains the
    response, if there is one."""

    code, status = 38, "response"


class CredentialError(PerformError):
    """The client does not have a credential that the operation requires, the refresh of the credential failed,
    the credential is for another origin, or the description does not declare the scheme. The parameter of the
    error is the scheme: set its credential on the client."""

    code, status = 39, "credential"


class URLError(RoutableError, ValueError):
    """A URL is missing, not valid or not allowed: for example, the base is not an http or https URL, or the next
    page has another origin. Correct the URL that the message names, usually the base of the document, of the
    options or of the call. To follow pages to another origin, set ROUTABLE_PAGES_OTHER_ORIGINS."""

    code, status = 29, "url"


class LimitError(RoutableError, ValueError):
    """The input, a response or a computation is over a limit (docs/embedding.md, "Limits"), too many transfers
    are in progress, the process has no file descriptor or thread left, or the thread has too little stack. Pass
    less data, wait until transfers have completed, or raise the limit."""

    code, status = 31, "limit"


class CallbackError(RoutableError, RuntimeError):
    """A callback failed, a required callback is NULL, there is no canned response for a request, or a canned
    response was used fewer times than expected. In a presentation, the route of the error is the name of the
    presenter. Python raises the exception of the callback itself."""

    code, status = 41, "callback"


class OutOfMemoryError(RoutableError, MemoryError):
    """Memory could not be allocated, or the limit of routable_set_memory_limit is reached. Free memory or raise
    the limit; then call again."""

    code, status = 43, "memory"


class InternalError(RoutableError, RuntimeError):
    """A bug in the library. Please report it with the error as JSON."""

    code, status = 40, "internal"


class ConflictError(DocumentError):
    """Two operations match the same requests, a name is already used, or a declaration in Swift code differs
    from the document. Change a path or a name, or give an operation a `priority`."""

    code, status = 20, "conflict"


class ShadowedError(ValueRefusedError):
    """With this value, the URL would match another route or no route: for example, /gists/{id} with the id
    "public" is the URL of the route /gists/public. Use another value, or set `"shadowed": true` on the operation
    to allow the request; the error names the other route."""

    code, status = 26, "shadowed"


class TLSError(TransferError):
    """The TLS handshake failed, the certificate of the service was rejected, or the file of trusted certificates
    cannot be read. Set `ca_file` for a certificate authority of your own."""

    code, status = 36, "tls"


class ExcessiveRefreshError(CredentialError):
    """A credential was refreshed 5 times in 30 s and requires another refresh. The service rejects its own
    tokens, or they expire at once: set another credential."""

    code, status = 42, "excessive_refresh"


#: Status number -> class.  A status without a class is a RoutableError.
CLASS_OF_CODE: Dict[int, Type[RoutableError]] = {
    2: MethodNotAllowedError,
    16: ArgumentError,
    18: JSONError,
    19: DocumentError,
    20: ConflictError,
    21: UnsupportedError,
    22: UnknownError,
    23: NotAllowedError,
    24: IdError,
    25: ValueRefusedError,
    26: ShadowedError,
    27: ParameterError,
    28: BodyError,
    29: URLError,
    30: HeaderError,
    31: LimitError,
    32: FileError,
    33: CurlMissingError,
    34: TransferError,
    35: TimeoutError,
    36: TLSError,
    37: HTTPStatusError,
    38: ResponseError,
    39: CredentialError,
    40: InternalError,
    41: CallbackError,
    42: ExcessiveRefreshError,
    43: OutOfMemoryError,
}
