"""Measures the cost of a request from Python, compared with pycurl, aiohttp and httpx in the same run.

    python clients.py BASE PATH REQUESTS ROUNDS [JOB]

Jobs alternate, round after round; a ratio is computed within a round.  A client that is not installed is left out.  With a JOB, only that
job runs, once, without times, so that another program can count its instructions.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from io import BytesIO
from typing import Any, Callable, Dict, List, Optional, Tuple

import routable

BASE, PATH, REQUESTS, ROUNDS = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
URL = f"{BASE}/{PATH}"
FLIGHT = 64

api = routable.open({"routable": 1, "base": BASE, "operations": {"fetch": {"get": f"/{PATH}"}}})
client = routable.Client()
request = api.operations.fetch()
LENGTH = len(client.perform(request).body)


def ours(count: int) -> None:
    for _ in range(count):
        response = client.perform(request)
        assert response.status == 200 and len(response.body) == LENGTH


def ours_all(count: int) -> None:
    for ended in client.perform_all((request for _ in range(count)), concurrency=FLIGHT):
        response = ended.response
        assert response is not None and response.status == 200 and len(response.body) == LENGTH


def middleware(each: Any) -> Any:
    response = yield each
    return response


behind = routable.Client(middleware=[middleware])


def ours_behind(count: int) -> None:
    for ended in behind.perform_all((request for _ in range(count)), concurrency=FLIGHT):
        response = ended.response
        assert response is not None and response.status == 200 and len(response.body) == LENGTH


loop = asyncio.new_event_loop()
async_client = routable.AsyncClient()


async def spread(count: int, one: Callable[[], Any]) -> None:
    """Performs requests concurrently, as programs do: in this number of tasks, each of which performs one request after another."""

    async def worker(share: int) -> None:
        for _ in range(share):
            await one()

    await asyncio.gather(*(worker(count // FLIGHT) for _ in range(FLIGHT)))


async def ours_one() -> None:
    response = await async_client.perform(request)
    assert response.status == 200 and len(response.body) == LENGTH


def ours_await(count: int) -> None:
    loop.run_until_complete(spread(count, ours_one))


JOBS: Dict[str, Tuple[Callable[[int], None], Optional[str], int]] = {}
JOBS["routable perform"] = (ours, "pycurl", 1)
JOBS["routable perform_all, 64"] = (ours_all, "pycurl CurlMulti, 64", 1)
JOBS["routable perform_all, middleware"] = (ours_behind, "pycurl CurlMulti, 64", 1)
JOBS["routable await, 64"] = (ours_await, "pycurl CurlMulti, 64", 1)

try:
    import pycurl
except ImportError:
    pass
else:
    easy = pycurl.Curl()

    def setup(handle: Any) -> None:
        handle.setopt(pycurl.NOSIGNAL, 1)
        handle.setopt(pycurl.BUFFERSIZE, 65536)
        handle.setopt(pycurl.ACCEPT_ENCODING, "")

    setup(easy)

    def by_pycurl(count: int) -> None:
        for _ in range(count):
            body = BytesIO()
            easy.setopt(pycurl.URL, URL)
            easy.setopt(pycurl.WRITEDATA, body)
            easy.perform()
            assert easy.getinfo(pycurl.RESPONSE_CODE) == 200 and len(body.getvalue()) == LENGTH

    multi = pycurl.CurlMulti()
    multi.setopt(pycurl.M_MAXCONNECTS, 256)
    handles = [pycurl.Curl() for _ in range(FLIGHT)]
    for handle in handles:
        setup(handle)

    def by_multi(count: int) -> None:
        left, ended = count, 0
        idle = list(handles)
        while ended < count:
            while idle and left:
                handle = idle.pop()
                handle.body = BytesIO()
                handle.setopt(pycurl.URL, URL)
                handle.setopt(pycurl.WRITEDATA, handle.body)
                multi.add_handle(handle)
                left -= 1
            while multi.perform()[0] == pycurl.E_CALL_MULTI_PERFORM:
                pass
            while True:
                waiting, good, bad = multi.info_read()
                assert not bad
                for handle in good:
                    multi.remove_handle(handle)
                    assert handle.getinfo(pycurl.RESPONSE_CODE) == 200 and len(handle.body.getvalue()) == LENGTH
                    idle.append(handle)
                    ended += 1
                if not waiting:
                    break
            if ended < count and not idle:
                multi.select(1.0)

    JOBS["pycurl"] = (by_pycurl, None, 1)
    JOBS["pycurl CurlMulti, 64"] = (by_multi, None, 1)

try:
    import aiohttp
except ImportError:
    pass
else:
    session: Any = None

    async def aio_one() -> None:
        async with session.get(URL) as response:
            assert response.status == 200 and len(await response.read()) == LENGTH

    async def aio_all(count: int) -> None:
        global session
        if session is None:
            session = aiohttp.ClientSession()
        await spread(count, aio_one)

    JOBS["aiohttp, 64"] = (lambda count: loop.run_until_complete(aio_all(count)), None, 2)

try:
    import httpx
except ImportError:
    pass
else:
    hx: Any = None

    async def hx_one() -> None:
        response = await hx.get(URL)
        assert response.status_code == 200 and len(response.content) == LENGTH

    async def hx_all(count: int) -> None:
        global hx
        if hx is None:
            hx = httpx.AsyncClient()
        await spread(count, hx_one)

    JOBS["httpx, 64"] = (lambda count: loop.run_until_complete(hx_all(count)), None, 8)

if len(sys.argv) > 5:
    JOBS[sys.argv[5]][0](REQUESTS)
    sys.exit()

cpu: Dict[str, List[float]] = {name: [] for name in JOBS}
wall: Dict[str, List[float]] = {name: [] for name in JOBS}
for round_number in range(ROUNDS + 1):  # the first round is not counted
    for name, (job, _, divisor) in JOBS.items():
        if divisor > 4 and round_number > 3:
            continue
        count = max(FLIGHT, REQUESTS // divisor // FLIGHT * FLIGHT)
        start, cpu_start = time.perf_counter(), time.process_time()
        job(count)
        if round_number:
            cpu[name].append((time.process_time() - cpu_start) / count * 1e6)
            wall[name].append((time.perf_counter() - start) / count * 1e6)

if "aiohttp, 64" in JOBS:
    loop.run_until_complete(session.close())
if "httpx, 64" in JOBS:
    loop.run_until_complete(hx.aclose())
async_client.close()
print(f"{LENGTH} bytes, {ROUNDS} rounds of {REQUESTS} requests; us, medians")
print(f"{'':34} {'CPU':>8} {'wall':>8} {'CPU ratio':>11} {'of'}")
for name, (_, beside, _) in JOBS.items():
    row = f"{name:34} {statistics.median(cpu[name]):8.1f} {statistics.median(wall[name]):8.1f}"
    if beside in JOBS:
        ratio = statistics.median(own / other for own, other in zip(cpu[name], cpu[beside]))
        row += f" {ratio:11.3f} {beside}"
    print(row)
for other in ("aiohttp, 64", "httpx, 64"):
    if other in JOBS:
        times = statistics.median(wall[other]) / statistics.median(wall["routable perform_all, 64"])
        awaited = statistics.median(wall[other]) / statistics.median(wall["routable await, 64"])
        print(f"throughput beside {other}: perform_all {times:.1f} times, await {awaited:.1f} times")
