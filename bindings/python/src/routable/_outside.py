"""Work that would block an event loop: large bodies are received, validated, copied and written in a thread."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any, Callable

from . import _capi as c
from .errors import RoutableError

if TYPE_CHECKING:
    from ._handle import Handle
    from ._hub import Hub

#: Seconds; if a turn of the client takes longer, the next turns run in a thread.
LONG = 0.003
#: Seconds after which the event loop runs turns itself again.
PERIOD = 1.0
#: One wait of the thread, in milliseconds.
MOMENT = 20


class Outside:
    """A period in which a thread drives a client; sinks are still called in the loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, hub: "Hub", client: "Handle", back: Callable[["Outside"], None]) -> None:
        self._loop = loop
        self._hub = hub
        self._back = back
        self.is_over = False
        self.returned: "asyncio.Future[None]" = loop.create_future()
        hub.post = self._post
        loop.run_in_executor(None, self._run, client)

    def end(self, client: "Handle") -> None:
        """Makes the thread return; `returned` is done when it has returned."""
        self.is_over = True
        c.routable_client_interrupt(client)

    def _run(self, client: "Handle") -> None:
        end = time.monotonic() + PERIOD
        try:
            while not self.is_over and time.monotonic() < end:
                if self._hub.take(client, MOMENT) == c.ROUTABLE_IDLE:
                    break
        except RoutableError:
            pass  # the loop's own turn raises it as well
        finally:
            self._post(self._back, self)

    def _post(self, function: Callable[[Any], None], value: Any) -> None:
        try:
            self._loop.call_soon_threadsafe(function, value)
        except RuntimeError:  # the loop is closed, and has no waiting tasks
            pass
