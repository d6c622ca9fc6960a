"""Kinds of pagination of real services: the place of the next page, the end, backward pages, and positions."""

from __future__ import annotations

import asyncio
import json
import urllib.parse
from typing import Any, Callable, Dict, List, Optional, Tuple

import pytest
import routable
from conftest import needs_optimization
from routable import TransportRequest, TransportResponse

COUNT = 7
SIZE = 3
Answer = Tuple[int, Dict[str, str], Any]
Service = Callable[[Dict[str, str], Any], Answer]
THINGS = [{"id": number, "sort": [number, "x"]} for number in range(1, COUNT + 1)]


def slice_of(start: int, size: int = SIZE) -> List[Dict[str, Any]]:
    return THINGS[max(0, start) : max(0, start) + size]


def after(identity: Optional[str]) -> List[Dict[str, Any]]:
    return slice_of(int(identity or 0))


def django(query: Dict[str, str], _: Any) -> Answer:
    """Django REST framework: 404 after the last page, and no total."""
    found = slice_of((int(query.get("page", 1)) - 1) * SIZE)
    return (200, {}, {"results": found}) if found else (404, {}, {"detail": "Invalid page."})


def django_links(query: Dict[str, str], _: Any) -> Answer:
    page = int(query.get("page", 1))
    url = "https://api.test/things?page="
    return 200, {}, {
        "count": COUNT, "results": slice_of((page - 1) * SIZE), "next": f"{url}{page + 1}" if page < 3 else None,
        "previous": f"{url}{page - 1}" if page > 1 else None}


def total(query: Dict[str, str], _: Any) -> Answer:
    start = int(query.get("offset", 0))
    assert start < COUNT, "a page after the last one was requested"
    return 200, {}, {"total": COUNT, "items": slice_of(start, int(query.get("limit", SIZE)))}


def numbered(query: Dict[str, str], _: Any) -> Answer:
    page = int(query.get("page", 1))
    assert page <= 3, "a page after the last one was requested"
    return 200, {}, {"pages": 3, "total": str(COUNT), "items": slice_of((page - 1) * SIZE)}


def short(query: Dict[str, str], _: Any) -> Answer:
    page = int(query.get("page", 0))
    assert page < 3, "a page after the last one was requested"
    return 200, {}, slice_of(page * SIZE)


def stripe(query: Dict[str, str], _: Any) -> Answer:
    found = after(query.get("starting_after"))
    return 200, {}, {"data": found, "has_more": not found or found[-1]["id"] < COUNT}


def omitted(query: Dict[str, str], _: Any) -> Answer:
    """proto3 JSON and Go's omitempty leave out false; the cursor is that of the last item, after which the next page begins."""
    found = after(query.get("starting_after"))
    return 200, {}, {"data": found, **({"has_more": True} if found[-1]["id"] < COUNT else {})}


def keyset(query: Dict[str, str], _: Any) -> Answer:
    return 200, {}, after(query.get("id_after"))


def in_header(query: Dict[str, str], _: Any) -> Answer:
    found = after(query.get("cursor"))
    return 200, {"X-Next-Cursor": str(found[-1]["id"])} if found[-1]["id"] < COUNT else {}, found


def url_in_header(query: Dict[str, str], _: Any) -> Answer:
    found = after(query.get("cursor"))
    return 200, {"X-Next": f"/things?cursor={found[-1]['id']}"} if found[-1]["id"] < COUNT else {}, found


def elasticsearch(_: Dict[str, str], body: Any) -> Answer:
    assert body["query"] == {"all": {}} and body["size"] == SIZE
    start = body["search_after"][0] if "search_after" in body else 0
    return 200, {}, {"hits": {"hits": slice_of(start)}}


def graphql(_: Dict[str, str], body: Any) -> Answer:
    found = after(body["variables"].get("after"))
    more = found[-1]["id"] < COUNT
    return 200, {}, {"data": {"nodes": found, "page": {"more": more, "end": str(found[-1]["id"]) if more else "a cursor that is not used"}}}


def numbered_in_body(_: Dict[str, str], body: Any) -> Answer:
    return 200, {}, slice_of((body.get("page", 1) - 1) * SIZE)


def empty_link(query: Dict[str, str], _: Any) -> Answer:
    """Every page has a next link; the last page is empty."""
    start = int(query.get("start", 0))
    return 200, {"Link": f'</things?start={start + SIZE}>; rel="next"'}, slice_of(start)


KINDS: Dict[str, Tuple[Service, Dict[str, Any], int, Any]] = {
    # service, pagination, requests, body
    "status": (django, {"by": "page", "parameter": "page", "items": "/results", "status": 404}, 4, None),
    "url in the body": (django_links, {"by": "link", "at": "/next", "items": "/results", "previous": "/previous"}, 3, None),
    "total and offset": (total, {"by": "offset", "parameter": "offset", "size": "limit", "items": "/items", "total": "/total"}, 3, None),
    "number of pages": (numbered, {"by": "page", "parameter": "page", "items": "/items", "pages": "/pages"}, 3, None),
    "total and page": (numbered, {"by": "page", "parameter": "page", "items": "/items", "total": "/total"}, 3, None),
    "short page": (short, {"by": "page", "parameter": "page", "start": 0, "short": True}, 3, None),
    "has_more": (stripe, {"by": "cursor", "last_item": "/id", "parameter": "starting_after", "items": "/data", "more": "/has_more"}, 3, None),
    "has_more, or nothing": (omitted, {"by": "cursor", "last_item": "/id", "parameter": "starting_after", "items": "/data", "more": "/has_more"}, 3, None),
    "key of the last item": (keyset, {"by": "cursor", "last_item": "/id", "parameter": "id_after"}, 4, None),
    "cursor in a header": (in_header, {"by": "cursor", "header": "X-Next-Cursor", "parameter": "cursor"}, 3, None),
    "URL in a header": (url_in_header, {"by": "link", "header": "X-Next"}, 3, None),
    "search_after": (
        elasticsearch,
        {"by": "cursor", "in": "body", "last_item": "/sort", "parameter": "/search_after", "items": "/hits/hits"}, 4,
        {"query": {"all": {}}, "size": SIZE}),
    "graphql": (
        graphql,
        {"by": "cursor", "in": "body", "at": "/data/page/end", "more": "/data/page/more", "parameter": "/variables/after",
         "items": "/data/nodes"}, 3, {"query": "...", "variables": {}}),
    "page in the body": (numbered_in_body, {"by": "page", "in": "body", "parameter": "/page"}, 4, {"a": 1}),
    "empty page of links": (empty_link, {"by": "link", "empty": True}, 4, None),
}
NAMES = ("page", "offset", "limit", "starting_after", "id_after", "cursor", "start")


def opened(pagination: Dict[str, Any], has_body: bool) -> routable.Router:
    own = {"body": {"type": "object"}} if has_body else {"query": {name: {} for name in NAMES}}
    return routable.open({
        "routable": 1, "base": "https://api.test",
        "operations": {"things": {"post" if has_body else "get": "/things", **own, "pagination": pagination}}})


def client_of(service: Service, sent: List[Any]) -> routable.Client:
    def transport(request: TransportRequest) -> TransportResponse:
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(request.url).query))
        sent.append(request.url)
        status, headers, value = service(query, json.loads(request.body) if request.body else None)
        return TransportResponse(status, headers=headers, json=value)

    return routable.Client(transport=transport)


def request_of(api: routable.Router, body: Any) -> routable.Request:
    return api.operations.things(body) if body is not None else api.operations.things()


@pytest.mark.parametrize("kind", KINDS)
def test_each_item_is_returned_once(kind: str) -> None:
    service, pagination, requests, body = KINDS[kind]
    sent: List[Any] = []
    api = opened(pagination, body is not None)
    with client_of(service, sent) as client:
        items = client.items(request_of(api, body))
        assert [item["id"] for item in items] == list(range(1, COUNT + 1)), sent
        assert len(sent) == requests, sent
        assert items.page is not None and items.pages.position is None
        assert [item["id"] for item in client.items(request_of(api, body), max_items=4)] == [1, 2, 3, 4]


@pytest.mark.parametrize("kind", KINDS)
def test_a_position_continues(kind: str) -> None:
    service, pagination, _, body = KINDS[kind]
    api = opened(pagination, body is not None)
    with client_of(service, []) as client:
        pages = client.pages(request_of(api, body))
        assert pages.position in ("", "https://api.test/things")
        found = [item["id"] for item in (next(pages), pages)[1].items()]
        position = pages.position
        assert found == [1, 2, 3] and position
        again = client.items(request_of(api, body), position=position)
        assert [item["id"] for item in again] == [4, 5, 6, 7], position


@pytest.mark.parametrize("kind, first", [
    ("url in the body", {"page": "3"}), ("total and offset", {"offset": "6", "limit": "3"}), ("number of pages", {"page": "3"}),
])
def test_pages_are_read_backwards(kind: str, first: Dict[str, Any]) -> None:
    service, pagination, _, _ = KINDS[kind]
    api = opened(pagination, False)
    with client_of(service, []) as client:
        found = [item["id"] for item in client.items(api.operations.things(**first), backwards=True)]
        assert found == [7, 4, 5, 6, 1, 2, 3]


def test_a_cursor_cannot_be_read_backwards() -> None:
    api = opened(KINDS["has_more"][1], False)
    with client_of(stripe, []) as client, pytest.raises(routable.ArgumentError, match="previous"):
        client.pages(api.operations.things(), backwards=True)


def test_the_first_page_does_not_end_by_its_status() -> None:
    api = opened(KINDS["status"][1], False)
    with client_of(lambda query, body: (404, {}, {}), []) as client, pytest.raises(routable.HTTPStatusError):
        list(client.items(api.operations.things()))


def test_a_status_ends_async_pages() -> None:
    api = opened(KINDS["status"][1], False)

    async def run() -> List[int]:
        async def transport(request: TransportRequest) -> TransportResponse:
            status, headers, value = django(dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(request.url).query)), None)
            return TransportResponse(status, json=value)

        async with routable.AsyncClient(transport=transport) as client:
            return [item["id"] async for item in client.items(api.operations.things())]

    assert asyncio.run(run()) == list(range(1, COUNT + 1))


def test_a_cycle_in_the_body_is_found() -> None:
    api = opened(KINDS["graphql"][1], True)

    def stuck(_: Dict[str, str], body: Any) -> Answer:
        return 200, {}, {"data": {"nodes": [1], "page": {"more": True, "end": "the same"}}}

    with client_of(stuck, []) as client, pytest.raises(routable.ResponseError, match="already read"):
        list(client.items(api.operations.things({"variables": {}})))


@pytest.mark.parametrize("pagination, message", [
    ({"by": "cursor", "parameter": "cursor"}, "requires"),
    ({"by": "cursor", "parameter": "cursor", "at": "/a", "header": "X"}, "only one"),
    ({"by": "link", "last_item": "/a"}, "cannot have"),
    ({"by": "link", "in": "body"}, "cannot have"),
    ({"by": "page", "parameter": "page", "total": ""}, "empty"),
    ({"by": "page", "parameter": "page", "status": [99]}, "status"),
    ({"by": "page", "parameter": "page", "previous": "/a"}, "cannot have"),
    ({"by": "cursor", "parameter": "cursor", "at": "/a", "previous_parameter": "cursor"}, "requires"),
    ({"by": "cursor", "parameter": "cursor", "at": "/a", "previous": "/b", "previous_parameter": "curso"}, "cursor"),
    ({"by": "cursor", "parameter": "cursor", "in": "body", "at": "/a"}, "JSON pointer"),
    ({"by": "cursor", "parameter": "/cursor", "in": "body", "at": "/a"}, "GET"),
])
def test_refused_descriptions(pagination: Dict[str, Any], message: str) -> None:
    with pytest.raises(routable.RoutableError, match=message):
        opened(pagination, False)


@pytest.mark.parametrize("kind", KINDS)
def test_the_description_is_written_as_it_was_read(kind: str) -> None:
    service, pagination, _, body = KINDS[kind]
    api = opened(pagination, body is not None)
    written = json.loads(api.to_json()) if hasattr(api, "to_json") else None
    if written is not None:
        again = routable.open(written)
        with client_of(service, []) as client:
            assert len(list(client.items(request_of(again, body)))) == COUNT


@needs_optimization
def test_ten_thousand_pages_in_little_memory() -> None:
    def endless(query: Dict[str, str], _: Any) -> Answer:
        start = int(query.get("cursor", 0))
        return 200, {"X-Next-Cursor": str(start + 1)} if start < 9_999 else {}, [{"id": start}]

    api = opened(KINDS["cursor in a header"][1], False)
    routable.set_memory_limit(1 << 40)  # the memory is counted from here
    with client_of(endless, []) as client:
        items = client.items(api.operations.things(), max_pages=20_000)
        used = []
        for count, _ in enumerate(items, 1):
            if count in (1_000, 10_000):
                used.append(routable.memory_used())
        assert count == 10_000
        assert used[1] - used[0] < 2_000_000, used
    routable.set_memory_limit(None)
