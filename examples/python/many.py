"""A thousand nested resources at the same time with asyncio, with a limit of concurrent requests and a progress bar.

    many.py DESCRIPTION BASE [COUNT=1000] [AT_ONCE=50]      many.py examples/social.json http://127.0.0.1:8080/v1

It creates a user with that many statuses and reads each below its user, examples/service/social_service.py being what it
talks to.
"""

import asyncio
import sys

import routable


class Progress:
    """A progress bar on a terminal; elsewhere only its final state."""

    def __init__(self, title: str, total: int) -> None:
        self.title, self.total, self.done = title, total, 0

    def step(self) -> None:
        self.done += 1
        if sys.stderr.isatty():
            width = 40 * self.done // self.total
            end = "\n" if self.done == self.total else ""
            print(f"\r{self.title} [{'#' * width}{'.' * (40 - width)}] {self.done}/{self.total}", end=end, file=sys.stderr)


async def main(description: str, base: str, count: int, concurrency: int) -> None:
    api = routable.open(description, base=base)
    async with routable.AsyncClient(deadline=30, retries=2, max_active_per_host=concurrency) as client:
        user = api.user("ann")
        await client.perform(api.user.create({"username": "ann"}))

        progress, ids = Progress("create", count), []
        creates = (user.status.create({"text": f"status {number}"}) for number in range(count))
        async for ended in client.perform_all(creates, concurrency=concurrency):
            ids.append(ended.result().json()["id"])
            progress.step()

        # The same by tasks: the client lets so many run at once, however many wait.
        progress, words = Progress("read", count), 0

        async def read(status: str) -> None:
            nonlocal words
            response = await client.perform(user.status(status).read())
            words += len(response.json()["text"].split())
            progress.step()

        await asyncio.gather(*(read(status) for status in ids))
        print(f"{count} statuses, {words} words")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    numbers = [int(text) for text in sys.argv[3:]] + [1000, 50][len(sys.argv) - 3 :]
    asyncio.run(main(sys.argv[1], sys.argv[2], *numbers))
