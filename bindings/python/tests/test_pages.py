"""Pages: every kind of pagination, limits, models, failures, and asyncio."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from dataclasses import dataclass
from typing import Any, Dict, Iterator, List

import pytest
import routable
from conftest import ROOT
from slowness import SLOWNESS

DOCUMENT: Dict[str, Any] = {
    "routable": 1,
    "deadline": 20 * SLOWNESS,
    "operations": {
        "link": {"get": "/link", "query": {"per_page": {"type": "integer"}}, "pagination": {"by": "link", "size": "per_page"}},
        "cursor": {
            "get": "/cursor", "query": {"cursor": {}},
            "pagination": {"by": "cursor", "at": "/meta/next", "parameter": "cursor", "items": "/data"},
        },
        "page": {"get": "/page", "query": {"page": {}}, "pagination": {"by": "page", "parameter": "page"}},
        "offset": {
            "get": "/offset", "query": {"offset": {}, "limit": {}},
            "pagination": {"by": "offset", "parameter": "offset", "size": "limit", "items": "/items"},
        },
        "stuck": {
            "get": "/stuck", "query": {"cursor": {}},
            "pagination": {"by": "cursor", "at": "/meta/next", "parameter": "cursor", "items": "/data"},
        },
        "elsewhere": {"get": "/elsewhere", "pagination": {"by": "link"}},
        "flaky": {"get": "/flaky/{key}", "pagination": {"by": "link"}},
        "plain": {"get": "/page-from-0", "query": {"page": {}}},
        "body": {"get": "/body", "query": {"value": {}}, "pagination": {"by": "link"}},
        "order": {"post": "/orders/{key}/{fails}", "idempotency": True, "retry": {"times": 3, "delay": 0.01}},
    },
}


@dataclass
class Thing:
    id: int
    name: str


@pytest.fixture(scope="module")
def api() -> Iterator[routable.Router]:
    """The API of Tests/service/pages_service.py."""
    command = [sys.executable, str(ROOT / "Tests" / "service" / "pages_service.py")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stdin is not None
        yield routable.open(DOCUMENT, base=f"http://127.0.0.1:{int(process.stdout.readline())}")
        process.stdin.close()


WAYS = ["link", "cursor", "page", "offset"]


@pytest.mark.parametrize("way", WAYS)
def test_each_kind_of_pagination_returns_all_items(api: routable.Router, client: routable.Client, way: str) -> None:
    request = api.operations[way]()
    assert [item["id"] for item in client.items(request)] == [1, 2, 3, 4, 5, 6, 7]
    pages = client.pages(request)
    found = [[item["id"] for item in pages.items()] for page in pages if page.status == 200]
    assert found == [[1, 2], [3, 4], [5, 6], [7]] + ([[]] if way in ("page", "offset") else [])
    assert next(pages, None) is None


def test_limits_and_models_of_pages(api: routable.Router, client: routable.Client) -> None:
    assert list(client.items(api.operations.link(), into=Thing, max_items=3)) == [
        Thing(1, "thing 1"), Thing(2, "thing 2"), Thing(3, "thing 3")]
    assert len(list(client.pages(api.operations.page(), max_pages=2))) == 2
    urls = [page.url.partition("?")[2] for page in client.pages(api.operations.offset(), page_size=3)]
    assert urls == ["limit=3", "limit=3&offset=3", "limit=3&offset=6", "limit=3&offset=7"]
    with pytest.raises(routable.ResponseError, match="item 0 of the page does not match str") as caught:
        list(client.items(api.operations.link(), into=str))
    assert caught.value.status == "response"


def test_pagination_of_the_host(api: routable.Router, client: routable.Client) -> None:
    request = api.operations.plain()
    with pytest.raises(routable.ArgumentError, match="the operation has no pagination"):
        client.pages(request)
    rule = {"by": "page", "parameter": "page", "start": 0}
    assert [item["id"] for item in client.items(request, pagination=rule)] == [1, 2, 3, 4, 5, 6, 7]
    with pytest.raises(routable.DocumentError) as caught:
        client.pages(request, pagination={"by": "page", "parameter": "pgae"})
    assert caught.value.suggestion == "page"
    assert caught.value.offset is None
    with pytest.raises(routable.ParameterError):
        client.pages(request, pagination=rule, page_size=3)
    with pytest.raises(TypeError):
        client.pages("request")  # type: ignore[arg-type, unused-ignore]


def test_a_failed_page_is_read_again(api: routable.Router, client: routable.Client) -> None:
    pages = client.pages(api.operations.flaky(key="python"))
    seen: List[int] = []
    with pytest.raises(routable.HTTPStatusError) as caught:
        for _ in pages:
            seen += [item["id"] for item in pages.items()]
    assert caught.value.http_status == 503 and seen == [1, 2]
    for _ in pages:  # the same page again
        seen += [item["id"] for item in pages.items()]
    assert seen == [1, 2, 3, 4, 5, 6, 7]
    with pytest.raises(routable.ResponseError, match=r"already read: .*/stuck\?cursor=same"):
        list(client.pages(api.operations.stuck()))
    with pytest.raises(routable.URLError, match="localhost"):
        list(client.pages(api.operations.elsewhere()))
    assert len(list(client.pages(api.operations.elsewhere(), other_origins=True))) == 4
    with pytest.raises(routable.ResponseError, match="the page is not an array"):
        list(client.items(api.operations.body(value="{}")))
    pages.close()
    with pytest.raises(ValueError):
        next(pages)


def test_closed_client(api: routable.Router) -> None:
    client = routable.Client()
    pages = client.pages(api.operations.link())
    next(pages)
    client.close()
    with pytest.raises(ValueError):
        next(pages)


def test_async(api: routable.Router) -> None:
    async def main() -> None:
        async with routable.AsyncClient() as client:
            async def ids(way: str) -> List[int]:
                return [item["id"] async for item in client.items(api.operations[way]())]

            assert await asyncio.gather(*(ids(way) for way in WAYS)) == [[1, 2, 3, 4, 5, 6, 7]] * 4
            things = [thing async for thing in client.items(api.operations.cursor(), into=Thing, max_items=2)]
            assert things == [Thing(1, "thing 1"), Thing(2, "thing 2")]
            pages = client.pages(api.operations.flaky(key="async"))
            seen: List[int] = []
            for wanted in ([1, 2], [], [3, 4]):
                try:
                    page = await pages.__anext__()
                    seen = [item["id"] for item in pages.items()]
                    assert page.status == 200
                except routable.HTTPStatusError:
                    seen = []
                assert seen == wanted
            with pytest.raises(routable.ResponseError, match="already read"):
                async for _ in client.pages(api.operations.stuck()):
                    pass
            left = client.pages(api.operations.link())
            waiting = asyncio.ensure_future(left.__anext__())
            await asyncio.sleep(0)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            assert (await left.__anext__()).status == 200  # the cancelled page

    asyncio.run(main())


def test_one_key_for_all_attempts(api: routable.Router, client: routable.Client) -> None:
    keys = client.perform(api.operations.order(key="python-order", fails="2")).json()
    assert len(keys) == 3 and len(set(keys)) == 1 and keys[0][14] == "4"


def test_descriptions_have_policies_and_paginations(api: routable.Router) -> None:
    found = {name: api.operations[name].description for name in ("link", "cursor", "order")}
    assert found["link"].policy == routable.Policy(20.0 * SLOWNESS, None, None, None)
    assert found["link"].pagination == routable.Pagination("link", None, "per_page", None, "", 1)
    assert found["cursor"].pagination == routable.Pagination("cursor", "cursor", None, "/meta/next", "/data", 1)
    assert found["order"].policy == routable.Policy(20.0 * SLOWNESS, 3, 0.01, "Idempotency-Key")
