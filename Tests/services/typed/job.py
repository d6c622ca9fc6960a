"""Performs the typed calls of a job, and prints the result of each: a value, a value of a response with deviations, the error
that the job provokes, or a failure.

    job = Job()
    job.open(api.router)
    user = job("A user", lambda: api.get_user("ada"))
    job("A user that is not there", lambda: api.get_user("nobody"), 404)

The last line counts these kinds.
"""

import sys
from typing import Any, Callable, Dict, List, Optional, Tuple

import routable
from routable.typed import Call

#: Maximum number of printed names of an object.
MOST_NAMES = 8


class Job:
    def __init__(self) -> None:
        self.counts: Dict[str, int] = {"value": 0, "deviations": 0, "error": 0, "failure": 0}
        self._deviating: List[routable.Response] = []
        self.client: Optional[routable.Client] = None

    def open(self, *arguments: Any, **options: Any) -> routable.Client:
        """A client whose deviations this job collects."""
        self.client = routable.Client(*arguments, on_deviation=lambda request, response: self._deviating.append(response), **options)
        return self.client

    def __call__(self, title: str, build: Callable[[], Any], status: Optional[int] = None) -> Any:
        """Builds and performs a call.  `status` is the status of the error that it provokes."""
        print(title)
        self._deviating.clear()
        value: Any = None
        call: Optional[Call[Any]] = None
        try:
            call = build()
            print(f"  {call.method} {call.url}")
            value = call.perform(self.client)  # type: ignore[arg-type]
        except routable.RoutableError as error:
            self._error(call, error, status)
        else:
            self._value(value, status)
        print()
        return value

    def _value(self, value: Any, status: Optional[int]) -> None:
        if status is not None:
            self.counts["failure"] += 1
            print(f"  !! {status} was expected, and the call succeeded")
            return
        kind = "deviations" if self._deviating else "value"
        self.counts[kind] += 1
        print(f"  {shape(value)}")
        for response in self._deviating:
            for line in said(response):
                print(f"  deviates {line}")

    def _error(self, call: Optional[Call[Any]], error: routable.RoutableError, status: Optional[int]) -> None:
        if error.http_status is None or error.http_status != status:
            self.counts["failure"] += 1
            print(f"  !! {type(error).__name__}{' at ' + error.pointer if error.pointer else ''}: {error}")
            return
        self.counts["error"] += 1
        typed = call.error(error) if call is not None and hasattr(call, "error") else None
        print(f"  {status} {'typed ' + shape(typed) if typed is not None else str(error)}")
        for line in said(error.response):
            print(f"  deviates {line}")

    def end(self) -> int:
        """Prints the counts, and returns the exit status of the program."""
        counts = self.counts
        print(f"{sum(counts.values())} typed calls: {counts['value']} values, {counts['deviations']} values of responses with deviations, "
              f"{counts['error']} expected errors, {counts['failure']} failures")
        if self.client is not None:
            self.client.close()
        return 1 if counts["failure"] else 0


def said(response: Optional[routable.Response]) -> List[str]:
    """The deviations of a response, without indexes of elements, each once."""
    lines: Dict[Tuple[str, str], None] = {}
    for each in response.deviations if response is not None else ():
        place = "/".join("*" if step.isdigit() else step for step in each.pointer.split("/"))
        lines[place, each.message.replace(each.pointer, place) if each.pointer else each.message] = None
    return [message if place in message else f"{place}: {message}" for place, message in lines]


def shape(value: Any) -> str:
    """The type of a value and the names of its members, which are the same in each run."""
    if isinstance(value, dict):
        names = sorted(value)
        more = f", and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
        return "{" + ", ".join(names[:MOST_NAMES]) + more + "}"
    if isinstance(value, list):
        return f"[{len(value)} of {shape(value[0])}]" if value else "[]"
    if isinstance(value, routable.Response):
        return f"response {value.status} {value.outcome}, {value.headers.get('Content-Type') or 'no media type'}"
    if isinstance(value, (str, bytes)):
        return f"{len(value)} {'characters' if isinstance(value, str) else 'bytes'}"
    return "no value" if value is None else repr(value)


def argument(number: int, name: str) -> str:
    """An argument of the program."""
    if len(sys.argv) <= number:
        sys.exit(f"usage: {sys.argv[0]} ... {name} ...")
    return sys.argv[number]
