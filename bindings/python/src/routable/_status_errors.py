# Written by scripts/interface from include/*.h: change the header, then run scripts/interface.
"""A class for each status that is a failure: what errors.py exports."""

from __future__ import annotations

import builtins
from typing import Dict, Type

from ._error import PerformError, RefusedError, RoutableError

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
    """The path is known, the method is not. A server responds with 405; routable_match_method_at lists what its
    Allow header contains."""

    code, status = 2, "method_not_allowed"


class ArgumentError(RoutableError, ValueError):
    """NULL where something is required, a wrong struct size, an unknown flag. Correct the call; start each
    struct from its _INIT macro."""

    code, status = 16, "argument"


class JSONError(RoutableError, ValueError):
    """The string is not JSON. Offset, line and column say where."""

    code, status = 18, "json"


class DocumentError(RoutableError, ValueError):
    """JSON, but not what is expected there: an unknown key, a wrong type, a key twice. The pointer says where,
    the suggestion names the nearest key."""

    code, status = 19, "document"


class UnsupportedError(RoutableError, NotImplementedError):
    """A feature that this version does not implement. Leave the key out, or use a newer version."""

    code, status = 21, "unsupported"


class FileError(RoutableError, OSError):
    """A file cannot be read or written. The message has the system's reason."""

    code, status = 32, "file"


class UnknownError(RefusedError, LookupError):
    """No resource, route or standalone operation has that name. The allowed names and the suggestion name those
    that exist."""

    code, status = 22, "unknown"


class NotAllowedError(RefusedError):
    """The resource exists and does not have that operation. The allowed names are those of the operations that
    it has."""

    code, status = 23, "not_allowed"


class IdError(RefusedError, ValueError):
    """An id is missing, surplus, ambiguous, or has an unknown name. The message lists what is expected; a
    resource that occurs twice binds by position."""

    code, status = 24, "id"


class ValueRefusedError(RefusedError, ValueError):
    """A value that its parameter does not allow: empty or ".." as a path segment, a wrong type, not UTF-8. The
    parameter is named; do not send such a value."""

    code, status = 25, "value"


class ParameterError(RefusedError, ValueError):
    """A query, header or cookie parameter is missing or unknown. The allowed names are those that the operation
    declares."""

    code, status = 27, "parameter"


class BodyError(RefusedError, ValueError):
    """A body is missing, not allowed, or not valid against its type. The pointer and the schema pointer say
    where."""

    code, status = 28, "body"


class HeaderError(RefusedError, ValueError):
    """A header name or value that HTTP does not allow. Remove CR, LF, NUL and the like."""

    code, status = 30, "header"


class CurlMissingError(PerformError, OSError):
    """Libcurl.so.4 is not installed. Install the package that the message names, or send with a client of your
    own and use routable_response_map."""

    code, status = 33, "no_curl"


class TransferError(PerformError, ConnectionError):
    """The network failed: refused, reset, closed early. The curl code has libcurl's reason; your program decides
    whether to try again."""

    code, status = 34, "transfer"


class TimeoutError(PerformError, builtins.TimeoutError):
    """A deadline passed. The service may have processed the request."""

    code, status = 35, "timeout"


class HTTPStatusError(PerformError):
    """A response with a status that the operation does not declare. The error has the response with its headers
    and body."""

    code, status = 37, "http_status"


class ResponseError(PerformError, ValueError):
    """A response that is empty or not valid against its type where it must be; a page without items, or whose
    next page was read before. The error has the response, if any."""

    code, status = 38, "response"


class CredentialError(PerformError):
    """The operation requires a credential that the client does not have, or its refresh failed. The parameter
    names the scheme: set its credential on the client."""

    code, status = 39, "credential"


class URLError(RoutableError, ValueError):
    """A base that is not an http or https URL, or no base at all; a next page at another origin. Correct the
    base of the document, of the options or of the call."""

    code, status = 29, "url"


class LimitError(RoutableError, ValueError):
    """Larger or deeper than a stated limit (docs/embedding.md, "Limits"). Pass less data, or raise the limit in
    the options."""

    code, status = 31, "limit"


class CallbackError(RoutableError, RuntimeError):
    """A callback failed, or is required and was not given. The route names the presenter; in Python the
    exception of the callback is raised itself."""

    code, status = 41, "callback"


class InternalError(RoutableError, RuntimeError):
    """A bug of the library. Please report it with the error as JSON."""

    code, status = 40, "internal"


class ConflictError(DocumentError):
    """Two routes that cannot be told apart. Change one path, or give an operation a `priority`."""

    code, status = 20, "conflict"


class ShadowedError(ValueRefusedError):
    """With this value another route would match: /gists/{id} with the id "public". The error names that route;
    `"shadowed": true` on the operation builds the request anyway."""

    code, status = 26, "shadowed"


class TLSError(TransferError):
    """The peer's certificate or the handshake was rejected. Set `ca_file` for a certificate of your own."""

    code, status = 36, "tls"


class ExcessiveRefreshError(CredentialError):
    """A credential was refreshed 5 times in 30 s and is still rejected. The service rejects what its own token
    endpoint issues: set another credential."""

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
}
