"""Reports the responses that deviate from their descriptions: to the program's function, and to the logger `routable`.

A typed call returns a value alone.  So that it is not silent, each place of an operation is logged once for a process.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Callable, Optional, Set, Tuple

if TYPE_CHECKING:
    from .request import Request
    from .response import Response

    #: What `Client(on_deviation=...)` takes.
    Report = Callable[[Request, Response], None]

#: The places that were logged.
_logged: Set[Tuple[Any, ...]] = set()
#: The maximum number of places that are logged.
_MOST = 4096


def _place(pointer: str) -> str:
    """The pointer without the numbers of elements, which are one place."""
    return "/".join("*" if step.isdigit() else step for step in pointer.split("/"))


def report(request: "Request", response: "Response", function: "Optional[Report]") -> None:
    """Calls the function, and writes the places that were not logged before.  What the function raises is passed to
    sys.unraisablehook, as for other functions that receive events."""
    import logging
    from urllib.parse import urlsplit

    name = ".".join(each for each in (request.route, request.operation) if each)
    # Operations of two services may have one name.
    host = urlsplit(request.url).netloc
    for each in response.deviations:
        key = (host, request.route, request.operation, response.status, _place(each.pointer), each.schema_pointer)
        if key in _logged or len(_logged) >= _MOST:
            continue
        _logged.add(key)
        logging.getLogger("routable").warning("%s: the response %d deviates: %s", name, response.status, each.message)
        if len(_logged) == _MOST:
            logging.getLogger("routable").warning("deviations in more than %d places: further ones are not logged", _MOST)
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
