"""Event loops: asyncio, and trio behind the functions of an asyncio loop that a client needs."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Any, Awaitable, Callable, Coroutine, Dict, Generator, List, Optional, Tuple, Type

if TYPE_CHECKING:
    import trio


def running() -> Any:
    """The running loop.  Raises RuntimeError if no loop is running."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        if "trio" not in sys.modules:
            raise
    import trio

    return TrioLoop(trio.lowlevel.current_trio_token())


def cancelled(loop: Any) -> Type[BaseException]:
    """The exception that is raised in a cancelled task."""
    return loop.cancelled if isinstance(loop, TrioLoop) else asyncio.CancelledError


def shielded(future: Any) -> Awaitable[Any]:
    """The future, which lives on when the task that waits is cancelled."""
    return future if isinstance(future, TrioFuture) else asyncio.shield(future)


def spawn(work: Coroutine[Any, Any, Any]) -> Any:
    """Starts a task in the running loop and returns its future."""
    try:
        loop = running()
    except BaseException:
        work.close()
        raise
    return loop.spawn(work) if isinstance(loop, TrioLoop) else asyncio.ensure_future(work)


class TrioFuture:
    """A result that is waited for; any number of tasks may wait."""

    def __init__(self) -> None:
        self._event: "Optional[trio.Event]" = None
        self._scope: "Optional[trio.CancelScope]" = None
        self._is_done = self._is_cancelled = False
        self._result: Any = None
        self._error: Optional[BaseException] = None
        self._calls: List[Callable[[Any], Any]] = []

    def done(self) -> bool:
        return self._is_done

    def cancelled(self) -> bool:
        return self._is_cancelled

    def result(self) -> Any:
        if self._error is not None:
            raise self._error
        return self._result

    def exception(self) -> Optional[BaseException]:
        return self._error

    def set_result(self, result: Any) -> None:
        self._result = result
        self._end()

    def set_exception(self, error: BaseException) -> None:
        self._error = error
        self._end()

    def cancel(self) -> None:
        if self._scope is not None:
            self._scope.cancel()

    def add_done_callback(self, call: Callable[[Any], Any]) -> None:
        self._calls.append(call)

    def _end(self) -> None:
        self._is_done = True
        if self._event is not None:
            self._event.set()
        self._tell()

    def _tell(self) -> None:
        calls, self._calls = self._calls, []
        for call in calls:
            call(self)

    async def _wait(self) -> Any:
        import trio

        if self._is_done:
            await trio.lowlevel.checkpoint()
        else:
            self._event = self._event or trio.Event()
            try:
                await self._event.wait()
            except BaseException:
                self._tell()
                raise
        return self.result()

    def __await__(self) -> Generator[Any, Any, Any]:
        return self._wait().__await__()


class TrioLoop:
    """The run of trio that a task is in."""

    def __init__(self, token: "trio.lowlevel.TrioToken") -> None:
        import trio

        self._token = token
        self._is_closed = False
        self._readers: "Dict[int, trio.CancelScope]" = {}
        self.cancelled: Type[BaseException] = trio.Cancelled

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TrioLoop) and self._token is other._token

    def __hash__(self) -> int:
        return hash(self._token)

    def is_closed(self) -> bool:
        try:
            self._token.run_sync_soon(int)
        except RuntimeError:
            return True
        return False

    def create_future(self) -> TrioFuture:
        return TrioFuture()

    def add_reader(self, descriptor: int, call: Callable[[], Any]) -> None:
        import trio

        scope = self._readers[descriptor] = trio.CancelScope()

        async def read() -> None:
            with scope:
                while True:
                    await trio.lowlevel.wait_readable(descriptor)
                    try:
                        call()
                    except Exception:  # as in asyncio, the loop continues
                        sys.excepthook(*sys.exc_info())

        trio.lowlevel.spawn_system_task(read)

    def remove_reader(self, descriptor: int) -> None:
        scope = self._readers.pop(descriptor, None)
        if scope is not None:
            scope.cancel()

    def call_soon_threadsafe(self, call: Callable[..., Any], *given: Any) -> None:
        self._token.run_sync_soon(call, *given)

    def run_in_executor(self, executor: None, call: Callable[..., Any], *given: Any) -> None:
        import trio

        async def run() -> None:
            await trio.to_thread.run_sync(call, *given, abandon_on_cancel=False)

        trio.lowlevel.spawn_system_task(run)

    def spawn(self, work: Coroutine[Any, Any, Any]) -> TrioFuture:
        import trio

        future = TrioFuture()
        scope = future._scope = trio.CancelScope()

        async def run() -> None:
            with scope:
                try:
                    result = await work
                except trio.Cancelled as error:
                    future._is_cancelled = True
                    future.set_exception(asyncio.CancelledError(str(error)))
                    raise
                except BaseException as error:
                    future.set_exception(error)
                else:
                    future.set_result(result)

        trio.lowlevel.spawn_system_task(run)
        return future

    create_task = spawn
