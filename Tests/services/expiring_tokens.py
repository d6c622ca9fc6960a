"""Many calls while tokens expire: one refresh for each expiry, and no call is lost.  A measurement, which takes one or two minutes.

    expiring_tokens.py authlib|django [CALLS] [LIFETIME]

A provider of OAuth 2 (bindings/python/tests/oauth_providers.py) runs in a separate process, and issues tokens of LIFETIME seconds
that rotate their refresh tokens.  8 threads with one Client, then 200 tasks with one AsyncClient, each perform CALLS calls.
"""

from __future__ import annotations

import asyncio
import collections
import multiprocessing
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, List, Tuple

import routable
from routable import Credential

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bindings/python/tests"))
THREADS, TASKS = 8, 200


def provide(name: str, lifetime: int, pipe: Any) -> None:
    import oauth_providers

    with tempfile.TemporaryDirectory() as folder:
        provider = oauth_providers.authlib(lifetime) if name == "authlib" else oauth_providers.django(Path(folder), lifetime)
        pipe.send((provider.base, provider.token_url))
        while pipe.recv() == "grants":
            pipe.send(list(provider.grants))
            provider.grants.clear()
        provider.close()


class Counted:
    """The results of the calls, and the tokens of the refreshes."""

    def __init__(self) -> None:
        self.outcomes: "collections.Counter[str]" = collections.Counter()
        self.told: List[routable.Tokens] = []
        self.lock = threading.Lock()

    def add(self, outcome: str) -> None:
        with self.lock:
            self.outcomes[outcome] += 1


def outcome(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error)[:100]}"


def by_threads(api: routable.Router, credential: Credential, calls: int, counted: Counted) -> None:
    with routable.Client(api, credentials={"service": credential}, deadline=120) as client:
        def work() -> None:
            for _ in range(calls // THREADS):
                try:
                    counted.add(str(client.perform(api.operations.me()).status))
                except routable.RoutableError as error:
                    counted.add(outcome(error))

        threads = [threading.Thread(target=work) for _ in range(THREADS)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()


def by_tasks(api: routable.Router, credential: Credential, calls: int, counted: Counted) -> None:
    async def run() -> None:
        async with routable.AsyncClient(api, credentials={"service": credential}, deadline=120) as client:
            async def work() -> None:
                for _ in range(calls // TASKS):
                    try:
                        counted.add(str((await client.perform(api.operations.me())).status))
                    except routable.RoutableError as error:
                        counted.add(outcome(error))

            await asyncio.gather(*(work() for _ in range(TASKS)))

    asyncio.run(run())


def main(name: str, calls: int = 10_000, lifetime: int = 1) -> int:
    here, there = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(target=provide, args=(name, lifetime, there), daemon=True)
    process.start()
    base, token_url = here.recv()
    from oauth_providers import PASSWORD

    failed = 0
    for title, run in ((f"{THREADS} threads", by_threads), (f"{TASKS} tasks", by_tasks)):
        api = routable.open({
            "routable": 1, "base": base, "auth": {"service": {"scheme": "oauth2", "token_url": token_url, "scope": "read", "default": True}},
            "operations": {"me": {"get": "/me"}}})
        counted = Counted()
        credential = Credential(
            user="ann", password=PASSWORD, client_id="app" if name == "authlib" else "app-password", refreshed=counted.told.append)
        start = time.monotonic()
        run(api, credential, calls, counted)
        seconds = time.monotonic() - start
        here.send("grants")
        grants: List[Any] = here.recv()
        kinds = collections.Counter(each["grant_type"] for each in grants)
        used = [each["refresh_token"] for each in grants if "refresh_token" in each]
        lost = calls - counted.outcomes["200"]
        tokens: Tuple[int, int] = (len(counted.told), len({each.token for each in counted.told}))
        print(f"{name}, {title}: {calls} calls in {seconds:.1f} s, tokens of {lifetime} s; {len(grants)} token requests {dict(kinds)}, "
              f"{len(used) - len(set(used))} refresh tokens used twice, {tokens[0]} refreshes told, {tokens[1]} different tokens; lost {lost} "
              f"{dict(counted.outcomes)}", flush=True)
        failed += lost != 0 or len(used) != len(set(used)) or tokens != (len(grants), len(grants))
    here.send("end")
    process.join(10)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:])))
