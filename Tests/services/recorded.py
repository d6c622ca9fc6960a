"""A run of typed calls to a real service: the result of each one, as lines that can be compared from run to run, and their count.

A result is a value of the declared type, a value with listed deviations, an error whose body has its declared type, an error that states
why it has no body of this type, or a refusal before anything is sent.  Anything else is an exception, and makes the run fail.
"""

from __future__ import annotations

import collections
import sys
from typing import Any, Callable, Iterable, Optional

import routable


class Run:
    def __init__(self, name: str, client: routable.Client) -> None:
        self.name, self.client = name, client
        self.counts: "collections.Counter[str]" = collections.Counter()
        self.surprises = 0

    def call(self, title: str, build: Callable[[], Any], show: Optional[Callable[[Any], object]] = None, status: int = 200) -> Any:
        """Performs the request or the iterable of values that `build` returns, and prints one line.  Returns the value, also that of an error."""
        try:
            made = build()
        except routable.RoutableError as error:
            is_refused = not isinstance(error, (routable.HTTPStatusError, routable.TransferError, routable.TimeoutError, routable.ResponseError))
            return self.told(title, "refused" if is_refused else "exception", str(error), is_refused and status == 0)
        if not isinstance(made, routable.Request):
            return self.values(title, made, show)
        response: Optional[routable.Response] = None
        try:
            response = self.client.perform(made)
            kind = "deviations" if response.deviations else "value"
        except routable.HTTPStatusError as error:
            response = error.response
            is_typed = response is not None and response.outcome == "self" and not response.deviations
            kind = "typed error" if is_typed else "explained error"
        except routable.RoutableError as error:
            return self.told(title, "exception", f"{error.status}: {error}", False)
        assert response is not None
        text = f"{response.status} {response.outcome}"
        is_json = response.outcome != "raw" or response.headers.get("content-type", "").startswith("application/json")
        value = response.value if is_json else response.text
        if show is not None:
            try:
                text += f" {show(value)}"
            except (KeyError, IndexError, TypeError) as error:
                text += f" {type(error).__name__} {error}"
        self.told(title, kind, text, response.status == status)
        for each in response.deviations:
            print(f"    {each.message}{': ' + each.found if each.found else ''}")
        return value

    def values(self, title: str, values: Iterable[Any], show: Optional[Callable[[Any], object]] = None) -> Any:
        """Items of pages or of a stream."""
        try:
            got = list(values)
        except routable.RoutableError as error:
            return self.told(title, "exception", f"{error.status}: {error}", False)
        self.told(title, "value", str(show(got) if show else got), True)
        return got

    def told(self, title: str, kind: str, text: str, is_expected: bool) -> None:
        self.counts[kind] += 1
        self.surprises += kind == "exception" or not is_expected
        print(f"{title}: {kind}, {text}{'' if is_expected else '   <-- not expected'}")

    def end(self) -> int:
        parts = ", ".join(f"{self.counts[kind]} {kind}" for kind in sorted(self.counts))
        print(f"{self.name}: {sum(self.counts.values())} calls: {parts}")
        sys.stdout.flush()
        return 1 if self.surprises else 0
