"""An exception of a signal can occur between any two steps of the client's Python code: no later request waits forever, and each
transfer ends. The tests raise KeyboardInterrupt at every fifth step, until a run has no further step; with ROUTABLE_STRIDE=1, at every step."""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path
from types import FrameType
from typing import Any, Callable, Iterator, List, Optional

import pytest
import routable
from routable.testing import Responses

PACKAGE = str(Path(routable.__file__).parent)
API = routable.open({"routable": 1, "base": "http://h", "operations": {"ping": {"get": "/ping"}}})
LIMIT = 30
STRIDE = int(os.environ.get("ROUTABLE_STRIDE", "5"))

pytestmark = [
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),  # an interruption in a finalizer
    pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning"),
]


class Steps:
    """Runs a function, and raises KeyboardInterrupt at one step of the package's code."""

    def __init__(self, at: int) -> None:
        self.left, self.place = at, ""

    def run(self, function: Callable[[], Any]) -> bool:
        """Runs the function; returns whether the step was reached."""
        sys.settrace(self._enter)
        try:
            function()
        except (KeyboardInterrupt, routable.CancelledError):
            pass
        finally:
            sys.settrace(None)
        return bool(self.place)

    def _enter(self, frame: FrameType, event: str, argument: Any) -> Optional[Callable[..., Any]]:
        if not frame.f_code.co_filename.startswith(PACKAGE):
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return self._step

    def _step(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "opcode" and not self.place:
            if self.left == 0:
                self.place = f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno} {frame.f_code.co_name}+{frame.f_lasti}"
                raise KeyboardInterrupt
            self.left -= 1
        return self._step


def plain(request: routable.Request) -> Any:
    response = yield request
    return response


def around(request: routable.Request, call: Any) -> Any:
    return call(request)


def finish(client: routable.Client, transfers: List[routable.Transfer], place: str) -> None:
    """Checks that the client works and that the submitted transfers end within the limit, also in another thread."""
    failures: List[str] = []

    def use() -> None:
        try:
            for transfer in transfers:
                try:
                    assert transfer.result(LIMIT).status == 200
                except routable.CancelledError:
                    pass
            assert client.submit(API.ping()).result(LIMIT).status == 200
            assert client.perform(API.ping()).status == 200
            assert [each.result().status for each in client.perform_all([API.ping(), API.ping()])] == [200, 200]
        except BaseException as error:
            failures.append(f"{type(error).__name__}: {error}")

    start = time.monotonic()
    other = threading.Thread(target=use, daemon=True)
    other.start()
    other.join(LIMIT)
    assert not other.is_alive() and failures == [], (place, failures, time.monotonic() - start)


def each_step(middleware: List[Any], work: Callable[[routable.Client, List[routable.Transfer]], None]) -> int:
    """Runs the work with an interruption at each step; returns the number of steps."""
    with Responses() as responses:
        responses.add("ping", 200, times=None)

        def once(at: int) -> bool:
            with routable.Client(transport=responses, middleware=middleware) as client:
                transfers: List[routable.Transfer] = []
                steps = Steps(at)
                is_reached = steps.run(lambda: work(client, transfers))
                finish(client, transfers, steps.place)
                return is_reached

        once(1 << 30)  # imports and objects of the first use
        at = 0
        while once(at):
            at += STRIDE
    return at


def submitted(client: routable.Client, transfers: List[routable.Transfer]) -> None:
    transfers.append(client.submit(API.ping()))
    transfers.append(client.submit(API.ping()))
    for transfer in transfers:
        transfer.result(LIMIT)


def performed(client: routable.Client, transfers: List[routable.Transfer]) -> None:
    client.perform(API.ping())


def many(client: routable.Client, transfers: List[routable.Transfer]) -> None:
    for each in client.perform_all([API.ping(), API.ping()]):
        each.result()


def driven(client: routable.Client, transfers: List[routable.Transfer]) -> None:
    ended: List[Any] = []
    transfers.append(client.submit(API.ping(), on_end=ended.append))
    while client.drive(None):
        pass


@pytest.mark.parametrize("middleware", [[], [plain]], ids=["plain", "middleware"])
@pytest.mark.parametrize("work", [submitted, performed, many, driven], ids=lambda each: each.__name__)
def test_an_interruption_at_any_step_stops_nothing_else(middleware: List[Any], work: Callable[..., None]) -> None:
    assert each_step(middleware, work) > 100


def test_an_interruption_of_one_thread_stops_no_other(request: pytest.FixtureRequest) -> None:
    """A thread waits for completions that the interrupted thread receives."""
    with Responses() as responses:
        responses.add("ping", 200, times=None)
        for at in range(0, 2000, 7):
            with routable.Client(transport=responses, middleware=[plain]) as client:
                transfers = [client.submit(API.ping()) for _ in range(8)]
                failures: List[str] = []

                def wait() -> None:
                    for transfer in transfers:
                        try:
                            transfer.result(LIMIT)
                        except routable.CancelledError:
                            pass
                        except BaseException as error:
                            failures.append(f"{type(error).__name__}: {error}")

                other = threading.Thread(target=wait, daemon=True)
                other.start()
                steps = Steps(at)
                is_reached = steps.run(lambda: [each.result(LIMIT) for each in transfers])
                other.join(2 * LIMIT)
                assert not other.is_alive() and failures == [], (steps.place, failures)
                if not is_reached:
                    break
