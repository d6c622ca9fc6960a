"""Reports the responses that deviate from their descriptions: to the program's function, and to the logger `routable`.

A typed call returns a value alone.  So that it is not silent, each operation is logged once for a process: one record, however many
places deviate.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Callable, Dict, Optional, Set, Tuple

if TYPE_CHECKING:
    from .request import Request
    from .response import Response

    #: What `Client(on_deviation=...)` takes.
    Report = Callable[[Request, Response], None]

#: The operations that were logged.
_logged: Set[Tuple[Any, ...]] = set()
#: The maximum number of operations that are logged.
_MOST = 4096
#: The number of deviations that a record names.
_NAMED = 3


def _place(pointer: str) -> str:
    """The pointer without the numbers of elements, which are one place."""
    return "/".join("*" if step.isdigit() else step for step in pointer.split("/"))


def _log(request: "Request", response: "Response") -> None:
    import logging

    logger = logging.getLogger("routable")
    name = ".".join(each for each in (request.route, request.operation) if each)
    places: Dict[Tuple[str, str], str] = {}
    for each in response.deviations:
        places.setdefault((_place(each.pointer), each.schema_pointer), each.message)
    messages = list(places.values())
    more = len(messages) - _NAMED
    named = "; ".join(messages[:_NAMED]) + (f"; and {more} more" if more > 0 else "")
    logger.warning("%s: the response %d deviates: %s", name, response.status, named)
    if len(_logged) == _MOST:
        logger.warning("the responses of more than %d operations deviate: further ones are not logged", _MOST)


def report(request: "Request", response: "Response", function: "Optional[Report]") -> None:
    """Calls the function, and writes a record for an operation that was not logged before.  An exception of the function is passed to
    sys.unraisablehook, as for other functions that receive events."""
    from urllib.parse import urlsplit

    # Operations of two services may have one name.
    key = (urlsplit(request.url).netloc, request.route, request.operation)
    if key not in _logged and len(_logged) < _MOST:
        _logged.add(key)
        _log(request, response)
    if function is None:
        return
    try:
        function(request, response)
    except Exception:
        raised = sys.exc_info()
        sys.unraisablehook(_Unraised(raised[0], raised[1], raised[2], "the function on_deviation raised", function))  # type: ignore[arg-type]


class _Unraised:
    """The argument of sys.unraisablehook, which Python code cannot create."""

    def __init__(self, exc_type: Any, exc_value: Any, exc_traceback: Any, err_msg: str, object: Any) -> None:
        self.exc_type = exc_type
        self.exc_value = exc_value
        self.exc_traceback = exc_traceback
        self.err_msg = err_msg
        self.object = object
