"""Measures the delay of a signal handler during a blocking call, and the pauses of an event loop while a large body arrives.

    python waits.py BASE [ROUNDS]

A handler raises an exception while the service sends nothing; the time is from the signal until the exception has left the call.  A
pause of the loop is the longest time between two iterations of a task that sleeps 1 ms, while a body of 60 MB arrives, compared with httpx.
"""

from __future__ import annotations

import asyncio
import os
import signal
import statistics
import sys
import tempfile
import threading
import time
from typing import Any, Awaitable, Callable, Dict, List

import routable

BASE = sys.argv[1]
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 20
api = routable.open({"routable": 1, "base": BASE, "operations": {"slow": {"get": "/slow"}, "huge": {"get": "/huge"}, "small": {"get": "/small"}}})


class Interrupted(Exception):
    """The exception that the handler raises."""


def handler(number: int, frame: Any) -> None:
    raise Interrupted


def perform(client: routable.Client) -> None:
    client.perform(api.operations.slow())


def result(client: routable.Client) -> None:
    client.submit(api.operations.slow()).result()


def perform_all(client: routable.Client) -> None:
    for _ in client.perform_all([api.operations.slow()]):
        pass


def drive(client: routable.Client) -> None:
    client.submit(api.operations.slow(), on_end=lambda ended: None)
    while client.drive(None):
        pass


def download(client: routable.Client) -> None:
    with tempfile.TemporaryDirectory() as folder:
        client.download(api.operations.slow(), os.path.join(folder, "file"))


def stream(client: routable.Client) -> None:
    for _ in client.lines(api.operations.slow()):
        pass


def interrupted(call: Callable[[routable.Client], None]) -> float:
    sent: List[float] = []

    def send() -> None:
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGUSR1)

    with routable.Client(deadline=None) as client:
        client.perform(api.operations.small())
        timer = threading.Timer(0.05, send)
        timer.start()
        try:
            call(client)
        except Interrupted:
            took = time.perf_counter() - sent[0]
        timer.join()
        return took * 1000


async def pause(fetch: Callable[[], Awaitable[Any]]) -> float:
    longest, is_over = 0.0, False

    async def tick() -> None:
        nonlocal longest
        last = time.perf_counter()
        while not is_over:
            await asyncio.sleep(0.001)
            now = time.perf_counter()
            longest, last = max(longest, now - last - 0.001), now

    ticking = asyncio.ensure_future(tick())
    await asyncio.sleep(0.01)
    await fetch()
    is_over = True
    await ticking
    return longest * 1000


async def pauses() -> "Dict[str, List[float]]":
    found: Dict[str, List[float]] = {"nothing": [], "routable": []}
    async with routable.AsyncClient(deadline=60) as own:
        jobs: Dict[str, Callable[[], Awaitable[Any]]] = {
            "nothing": lambda: asyncio.sleep(0.1), "routable": lambda: own.perform(api.operations.huge())}
        try:
            import httpx
        except ImportError:
            other = None
        else:
            other = httpx.AsyncClient()
            found["httpx"] = []
            jobs["httpx"] = lambda: other.get(f"{BASE}/huge")
        for _ in range(ROUNDS):
            for name, job in jobs.items():
                found[name].append(await pause(job))
        if other is not None:
            await other.aclose()
    return found


signal.signal(signal.SIGUSR1, handler)
print(f"from a signal until its exception has left the call, ms, of {ROUNDS}: median (largest)")
for call in (perform, result, perform_all, drive, download, stream):
    times = [interrupted(call) for _ in range(ROUNDS)]
    print(f"{call.__name__:12} {statistics.median(times):8.2f} ({max(times):.2f})")
print(f"longest pause of the loop while 60 MB arrive, ms, of {ROUNDS}: median (largest)")
for name, times in asyncio.run(pauses()).items():
    print(f"{name:12} {statistics.median(times):8.2f} ({max(times):.2f})")
