"""Many requests at the same time: submitted, received as they complete, awaited, cancelled."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Dict, Iterator, List

import pytest
import routable
from slowness import SLOWNESS

SERVICE = Path(__file__).resolve().parents[3] / "Tests" / "service" / "fault_service.py"
DOCUMENT: Dict[str, Any] = {
    "routable": 1,
    "operations": {
        "fault": {"get": "/faults/{name*}"},
        "post": {"post": "/faults/{name*}", "body": {}},
        "count": {"get": "/count/{key}"},
        "busiest": {"get": "/busiest"},
    },
}


@pytest.fixture(scope="module")
def faults() -> Iterator[routable.Router]:
    service = subprocess.Popen([sys.executable, str(SERVICE)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert service.stdout is not None and service.stdin is not None
    yield routable.open(DOCUMENT, base=f"http://127.0.0.1:{int(service.stdout.readline())}")
    service.stdin.close()
    service.wait()
    service.stdout.close()


def get(faults: routable.Router, name: str) -> routable.Request:
    return faults.build("fault", routable.using(ids=[name]))


def test_submit_and_result(faults: routable.Router) -> None:
    with routable.Client() as client:
        transfers = [client.submit(get(faults, name)) for name in ("ok", "text", "not-found", "nothing")]
        assert transfers[0].result().json() == {"name": "a"}
        assert transfers[0].result().json() == {"name": "a"}  # again
        assert transfers[1].result().text == "hello"
        with pytest.raises(routable.HTTPStatusError) as caught:
            transfers[2].result()
        assert caught.value.response is not None and caught.value.response.json() == {"name": "gone"}
        with pytest.raises(routable.TransferError):
            transfers[3].result()
        assert all(each.done for each in transfers)


def test_a_timeout_of_result_does_not_end_the_transfer(faults: routable.Router) -> None:
    with routable.Client() as client:
        transfer = client.submit(get(faults, "slow/100"))
        with pytest.raises(TimeoutError):
            transfer.result(timeout=0.01)
        assert not transfer.done
        assert transfer.result(timeout=5 * SLOWNESS).status == 200


def test_a_cancelled_transfer_raises_cancelled_error(faults: routable.Router) -> None:
    with routable.Client() as client:
        transfer = client.submit(get(faults, "never"))
        assert transfer.cancel() and transfer.cancel() and transfer.done
        with pytest.raises(routable.CancelledError):
            transfer.result()
        ended = client.submit(get(faults, "ok"))
        ended.result()
        assert not ended.cancel() and ended.result().status == 200


def test_closing_a_client_cancels_its_transfers(faults: routable.Router) -> None:
    client = routable.Client()
    transfer = client.submit(get(faults, "never"))
    ended = client.submit(get(faults, "ok"))
    assert ended.result().status == 200
    client.close()
    with pytest.raises(routable.CancelledError):
        transfer.result()
    assert ended.result().status == 200
    # A client without a reference lives as long as its transfers.
    assert routable.Client().submit(get(faults, "ok")).result().status == 200


def test_closing_in_another_thread(faults: routable.Router) -> None:
    client = routable.Client()
    threading.Timer(0.1, client.close).start()
    assert [type(each.error) for each in client.perform_all([get(faults, "never")] * 3)] == [routable.CancelledError] * 3


def test_callbacks_run_in_drive_and_their_exceptions_come_out(faults: routable.Router) -> None:
    seen: List[int] = []

    def note(ended: routable.Completion) -> None:
        seen.append(ended.result().status)
        if len(seen) == 2:
            raise KeyError("mine")
        if len(seen) < 6:
            client.submit(get(faults, "ok"), on_end=note)  # the function may call the client

    with routable.Client() as client:
        client.submit(get(faults, "ok"), on_end=note)
        client.submit(get(faults, "ok"), on_end=note)
        with pytest.raises(KeyError, match="mine"):
            while client.drive(5):
                pass
        while client.drive(5):
            pass
    assert seen == [200] * 6


def test_on_end_is_called_once_in_every_way_to_wait(faults: routable.Router) -> None:
    seen: List[object] = []
    with routable.Client() as client:
        answered = client.submit(get(faults, "ok"), on_end=seen.append)
        failed = client.submit(get(faults, "not-found"), on_end=seen.append)
        cancelled = client.submit(get(faults, "never"), on_end=seen.append)
        assert answered.result().status == 200 and answered.result().status == 200
        with pytest.raises(routable.HTTPStatusError):
            failed.result()
        assert cancelled.cancel()
        assert seen == []  # only `drive` calls the function
        while client.drive(5):
            pass
        assert [each.request for each in seen] == [answered.request, failed.request]  # type: ignore[attr-defined]
        assert not client._hub._waiting


def test_perform_all_returns_requests_as_they_complete(faults: routable.Router) -> None:
    names = ["ok", "not-found", "nothing", "text", "slow/30"] * 20
    with routable.Client() as client:
        outcomes = list(client.perform_all((get(faults, name) for name in names), concurrency=10))
        assert client.perform(faults.operations.busiest()).json() <= 10
    assert sorted(each.request.url.split("/faults/")[1] for each in outcomes) == sorted(names)
    for each in outcomes:
        name = each.request.url.split("/faults/")[1]
        if name == "not-found":
            assert isinstance(each.error, routable.HTTPStatusError) and each.error.http_status == 404
        elif name == "nothing":
            assert isinstance(each.error, routable.TransferError)
            with pytest.raises(routable.TransferError):
                each.result()
        else:
            assert each.error is None and each.result().status == 200


def test_perform_all_reads_requests_when_there_is_capacity(faults: routable.Router) -> None:
    made = 0

    def requests() -> Iterator[routable.Request]:
        nonlocal made
        while True:
            made += 1
            yield get(faults, "ok")

    with routable.Client() as client:
        for index, ended in enumerate(client.perform_all(requests(), concurrency=4)):
            assert ended.result().status == 200 and made <= index + 4
            if index == 20:
                break
        assert made < 30
        assert client.perform(get(faults, "ok")).status == 200


def test_perform_all_in_threads_each_gets_its_own(faults: routable.Router) -> None:
    failures: List[object] = []

    def work(number: int) -> None:
        names = [f"json/{number}{index:03}" for index in range(1, 60)]
        got = [each.result().text for each in client.perform_all([get(faults, name) for name in names], concurrency=7)]
        if sorted(got) != sorted(name[5:] for name in names):
            failures.append((number, got))

    with routable.Client() as client:
        threads = [threading.Thread(target=work, args=(number,)) for number in range(1, 7)]
        for each in threads:
            each.start()
        for each in threads:
            each.join(30 * SLOWNESS)
    assert not failures and not any(each.is_alive() for each in threads)


def test_A3_retries_and_deadline_of_one_request(faults: routable.Router) -> None:
    with routable.Client(retries=2, retry_delay=0.01) as client:
        assert client.perform(get(faults, "flaky/py1/2/503")).status == 200
        with pytest.raises(routable.HTTPStatusError):
            client.perform(get(faults, "flaky/py2/2/503"), retries=0)
        assert client.perform(faults.build("count", routable.using(ids=["py2"]))).json() == 1
        with pytest.raises(routable.HTTPStatusError):
            client.perform(faults.build("post", routable.using(ids=["flaky/py3/1/503"], body={})))
        begun = time.monotonic()
        with pytest.raises(routable.TimeoutError):
            client.perform(get(faults, "never"), deadline=0.2)
        assert 0.15 < time.monotonic() - begun < 3 * SLOWNESS


def test_options_are_checked() -> None:
    for wrong in (
        {"retries": 101}, {"retries": -1}, {"retry_delay": 0}, {"max_active": 0}, {"proxy": "a b"}, {"proxy": "a\0"},
        {"certificate_file": ""}, {"max_pending": 0},
    ):
        with pytest.raises((routable.ArgumentError, routable.URLError)):
            routable.Client(**wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        routable.Client().submit("x")  # type: ignore[arg-type]


# --- asyncio ---


def test_await(faults: routable.Router) -> None:
    async def work() -> None:
        async with routable.AsyncClient() as client:
            assert (await client.perform(get(faults, "ok"))).json() == {"name": "a"}
            responses = await asyncio.gather(*(client.perform(get(faults, "ok")) for _ in range(100)))
            assert [each.status for each in responses] == [200] * 100
            with pytest.raises(routable.HTTPStatusError):
                await client.perform(get(faults, "not-found"))
            with pytest.raises(routable.TimeoutError):
                await client.perform(get(faults, "never"), deadline=0.1)
            assert await client.perform(get(faults, "json/[1]"), into=List[int]) == [1]

    asyncio.run(work())


def test_the_event_loop_runs_during_requests(faults: routable.Router) -> None:
    async def work() -> None:
        ticks = 0
        async with routable.AsyncClient() as client:
            waiting = asyncio.ensure_future(client.perform(get(faults, "slow/200")))
            while not waiting.done():
                await asyncio.sleep(0.01)
                ticks += 1
            assert waiting.result().status == 200
        assert ticks > 5

    asyncio.run(work())


def test_a_cancelled_task_cancels_its_request(faults: routable.Router) -> None:
    async def work() -> None:
        async with routable.AsyncClient(max_active=1) as client:
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(client.perform(get(faults, "never")), 0.1)
            # With one request at a time, this request shows that the other one has ended.
            assert (await asyncio.wait_for(client.perform(get(faults, "ok")), 5)).status == 200

    asyncio.run(work())


def test_closing_ends_waits(faults: routable.Router) -> None:
    async def work() -> None:
        client = routable.AsyncClient()
        waiting = asyncio.ensure_future(client.perform(get(faults, "never")))
        await asyncio.sleep(0.05)
        client.close()
        client.close()
        with pytest.raises(routable.CancelledError):
            await waiting
        with pytest.raises(ValueError):
            await client.perform(get(faults, "ok"))

    asyncio.run(work())


def test_async_perform_all(faults: routable.Router) -> None:
    async def work() -> None:
        async with routable.AsyncClient() as client:
            requests = (get(faults, name) for name in ["ok", "not-found", "text"] * 30)
            got = [ended.error is None async for ended in client.perform_all(requests, concurrency=8)]
            assert len(got) == 90 and got.count(True) == 60
            async for _ in client.perform_all((get(faults, "ok") for _ in range(100)), concurrency=5):
                break
            assert (await client.perform(get(faults, "ok"))).status == 200

    asyncio.run(work())


def test_a_client_belongs_to_one_event_loop(faults: routable.Router) -> None:
    client = routable.AsyncClient()

    async def work() -> int:
        return (await client.perform(get(faults, "ok"))).status

    assert asyncio.run(work()) == 200
    with pytest.raises(RuntimeError):
        asyncio.run(work())
    client.close()
