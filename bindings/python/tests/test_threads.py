"""Eight threads with shared objects: routers and clients need no lock, and the library releases the GIL."""

from __future__ import annotations

import threading
from typing import Any, Callable, List

import routable
from loopback import Loopback, json, never
from slowness import SLOWNESS

THREADS = 8


def together(work: Callable[[int], Any]) -> List[Any]:
    """Runs work(0) ... work(7) concurrently; raises an exception of one of them."""
    start, results = threading.Barrier(THREADS), [None] * THREADS
    failures: List[BaseException] = []

    def run(index: int) -> None:
        start.wait()
        try:
            results[index] = work(index)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=run, args=(index,)) for index in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    return results


def test_one_router_builds_in_many_threads(social: routable.Router) -> None:
    def work(index: int) -> int:
        for turn in range(300):
            request = social.user(f"u{index}").status(turn).comment("c").read()
            assert request.url.endswith(f"/users/u{index}/statuses/{turn}/comments/c")
        return index

    assert together(work) == list(range(THREADS))


def test_errors_belong_to_their_thread(social: routable.Router) -> None:
    def work(index: int) -> None:
        for turn in range(300):
            try:
                social.build("user", f"op{index}x{turn}")
            except routable.RoutableError as error:
                assert error.operation == f"op{index}x{turn}"
            else:
                raise AssertionError("it was not refused")

    together(work)


def test_routers_open_and_close_concurrently() -> None:
    def work(index: int) -> None:
        for _ in range(50):
            with routable.open({"routable": 1, "base": "http://h", "resources": {f"r{index}": {"path": "p"}}}) as api:
                assert list(api.resources) == [f"r{index}"]

    together(work)


def test_one_client_performs_in_many_threads(named: routable.Router, loopback: Loopback, client: routable.Client) -> None:
    for index in range(THREADS):
        loopback.answers[f"/models/{index}"] = json(f'{{"name":"n{index}"}}')

    def work(index: int) -> None:
        for _ in range(20):
            assert client.perform(named.model(index).read()).value == {"name": f"n{index}"}

    together(work)


def test_python_runs_while_a_thread_waits(named: routable.Router, loopback: Loopback, client: routable.Client) -> None:
    """The waiting thread is inside the library; this thread must get the GIL to respond to it."""
    answered = threading.Event()

    def answer(connection: Any, ended: threading.Event) -> bool:
        answered.wait(10 * SLOWNESS)
        return json('{"name":"late"}')(connection, ended)

    loopback.answers["/models/1"] = answer
    got: List[routable.Response] = []
    thread = threading.Thread(target=lambda: got.append(client.perform(named.model(1).read())))
    thread.start()
    answered.set()
    thread.join(15 * SLOWNESS)
    assert got and got[0].value == {"name": "late"}


def test_closing_a_client_while_it_performs(named: routable.Router, loopback: Loopback) -> None:
    arrived = threading.Event()

    def answer(connection: Any, ended: threading.Event) -> bool:
        arrived.set()
        return never()(connection, ended)

    loopback.answers["/models/1"] = answer
    client = routable.Client(deadline=0.5)
    raised: List[BaseException] = []

    def perform() -> None:
        try:
            client.perform(named.model(1).read())
        except routable.RoutableError as error:
            raised.append(error)

    thread = threading.Thread(target=perform)
    thread.start()
    assert arrived.wait(10 * SLOWNESS)
    client.close()
    thread.join(15 * SLOWNESS)
    assert [type(error) for error in raised] == [routable.TimeoutError]
