"""The types of both clients for type checkers.  This file is checked by `scripts/check`, and never run.

A line with `type: ignore` must be refused by the checker: an unnecessary ignore is a failure.
"""

from __future__ import annotations

from typing import Any, AsyncIterator, Iterator, List, Optional, TypedDict

from typing_extensions import assert_type

import routable
from routable import AsyncClient, AsyncItems, AsyncPages, AsyncStream, Client, Event, Items, Pages, Request, Response, Router, Stream


class Status(TypedDict):
    text: str


def one_after_the_other(client: Client, request: Request) -> None:
    assert_type(client.perform(request), Response)
    assert_type(client.perform(request, into=Status, retries=2), Status)
    assert_type(client.perform(request, into=List[Status]), List[Status])
    assert_type(client.download(request, "a", resume=True, deadline=3), Response)
    assert_type(client.pages(request, max_pages=3), Pages)
    assert_type(client.items(request), Items[Any])
    assert_type(client.items(request, into=Status, max_items=9, auth=False), Items[Status])
    assert_type(client.pieces(request), Stream[bytes])
    assert_type(client.lines(request, max_line_bytes=80), Stream[str])
    assert_type(client.values(request), Stream[Any])
    assert_type(client.events(request, reconnects=1, retry=0.5), Stream[Event])
    client.items(request, into=3)  # type: ignore[arg-type]
    client.pages(request, max_page=3)  # type: ignore[call-arg]


def requests_of_a_router(api: Router, client: Client) -> None:
    assert_type(api.login({"user": "a"}), Request)
    assert_type(api.operations.login({"user": "a"}), Request)
    assert_type(api.login({"user": "a"}, routable.using(headers={"X-A": "b"})), Request)
    assert_type(api.ping(), Request)
    assert_type(api.user("x").read(), Request)
    assert_type(api.user("x").status(3).comment.list(), Request)
    assert_type(api.user.create({"name": "a"}), Request)
    client.perform(api.user("x"))  # type: ignore[call-overload]


async def in_a_loop(request: Request, path: Optional[str]) -> None:
    client = AsyncClient(base="http://127.0.0.1", retries=2, ca_file=path)
    assert_type(await client.perform(request), Response)
    assert_type(await client.perform(request, into=Status), Status)
    assert_type(await client.download(request, "a", resume=True, deadline=3), Response)
    assert_type(client.perform_all([request], concurrency=3), AsyncIterator[routable.Completion])
    assert_type(client.pages(request, max_pages=3), AsyncPages)
    assert_type(client.items(request), AsyncItems[Any])
    assert_type(client.items(request, into=Status, max_items=9, auth=False), AsyncItems[Status])
    assert_type(client.pieces(request), AsyncStream[bytes])
    assert_type(client.lines(request, max_line_bytes=80), AsyncStream[str])
    assert_type(client.values(request), AsyncStream[Any])
    assert_type(client.events(request, reconnects=1, retry=0.5), AsyncStream[Event])
    AsyncClient(retry=2)  # type: ignore[call-arg]
    client.items(request, into=3)  # type: ignore[arg-type]
    client.pages(request, max_page=3)  # type: ignore[call-arg]
    client.lines(request, max_line_bytes="80")  # type: ignore[arg-type]
    await client.download(request)  # type: ignore[call-arg]
