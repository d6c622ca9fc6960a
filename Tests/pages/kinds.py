"""Twelve kinds of pagination: the responses of a service, their declaration in a description, and a handwritten loop.

The service has 2 * PAGES - 1 items, {"id": 1} and so on, two on each page, so that the last page has one item."""

from __future__ import annotations

import http.client
import json
from typing import Any, Callable, Dict, Iterator, NamedTuple, Optional, Tuple

SIZE = 2
Reply = Tuple[int, Dict[str, str], Any]
#: Performs a GET of a target, or a POST with a body.
Get = Callable[..., Tuple[int, http.client.HTTPMessage, Any]]


class Kind(NamedTuple):
    pagination: Dict[str, Any]
    #: The response for a page: from the index of its first item, the number of items, and the target of the next page.
    reply: Callable[[int, int, int], Reply]
    #: The items that a handwritten loop reads.
    loop: Callable[[Get, int], Iterator[Any]]
    #: The query of the first request.
    query: Callable[[int], Dict[str, Any]] = lambda pages: {}
    body: Optional[Dict[str, Any]] = None
    backwards: bool = False


def items(start: int, count: int) -> Any:
    return [{"id": number + 1} for number in range(start, min(start + SIZE, count))]


def more(start: int, count: int) -> bool:
    return start + SIZE < count


# --- The loops ---


def by_total(get: Get, pages: int) -> Iterator[Any]:
    page, seen = 1, 0
    while True:
        _, _, value = get(f"/total?page={page}")
        yield from value["items"]
        seen += len(value["items"])
        if seen >= value["total"]:
            return
        page += 1


def by_short(get: Get, pages: int) -> Iterator[Any]:
    page = 1
    while True:
        _, _, value = get(f"/short?page={page}")
        yield from value
        if len(value) < SIZE:
            return
        page += 1


def by_status(get: Get, pages: int) -> Iterator[Any]:
    page = 1
    while True:
        status, _, value = get(f"/status?page={page}")
        if status == 404:
            return
        yield from value["results"]
        page += 1


def by_empty(get: Get, pages: int) -> Iterator[Any]:
    page = 1
    while True:
        _, _, value = get(f"/empty?page={page}")
        if not value:
            return
        yield from value
        page += 1


def by_offset(get: Get, pages: int) -> Iterator[Any]:
    offset = 0
    while True:
        _, _, value = get(f"/offset?offset={offset}&limit={SIZE}")
        if not value["items"]:
            return
        yield from value["items"]
        offset += len(value["items"])


def by_cursor(get: Get, pages: int) -> Iterator[Any]:
    cursor = None
    while True:
        _, _, value = get("/cursor" + (f"?cursor={cursor}" if cursor else ""))
        yield from value["data"]
        cursor = value["next"]
        if not cursor:
            return


def by_url(get: Get, pages: int) -> Iterator[Any]:
    target = "/url"
    while target:
        _, _, value = get(target)
        yield from value["results"]
        target = value["next"]


def by_link(get: Get, pages: int) -> Iterator[Any]:
    target: Optional[str] = "/link"
    while target:
        _, headers, value = get(target)
        yield from value
        link = headers.get("Link")
        target = link[1 : link.index(">")] if link else None


def by_header(get: Get, pages: int) -> Iterator[Any]:
    cursor = None
    while True:
        _, headers, value = get("/header" + (f"?cursor={cursor}" if cursor else ""))
        yield from value
        cursor = headers.get("X-Next-Cursor")
        if not cursor:
            return


def by_body(get: Get, pages: int) -> Iterator[Any]:
    body: Dict[str, Any] = {"query": "all"}
    while True:
        _, _, value = get("/body", body)
        yield from value["items"]
        if not value["next"]:
            return
        body["after"] = value["next"]


def by_last(get: Get, pages: int) -> Iterator[Any]:
    last = None
    while True:
        _, _, value = get("/last" + (f"?after={last}" if last else ""))
        yield from value["data"]
        if not value.get("has_more"):
            return
        last = value["data"][-1]["id"]


def backwards(get: Get, pages: int) -> Iterator[Any]:
    for page in range(pages, 0, -1):
        _, _, value = get(f"/backwards?page={page}")
        yield from value


def page(**more: Any) -> Dict[str, Any]:
    return {"by": "page", "parameter": "page", **more}


def cursor(parameter: str = "cursor", **more: Any) -> Dict[str, Any]:
    return {"by": "cursor", "parameter": parameter, **more}


KINDS: Dict[str, Kind] = {
    "total": Kind(page(items="/items", total="/total"), lambda s, n, _: (200, {}, {"total": n, "items": items(s, n)}), by_total),
    "short": Kind(page(short=True), lambda s, n, _: (200, {}, items(s, n)), by_short),
    "status": Kind(page(items="/results", status=404), lambda s, n, _: (200, {}, {"results": items(s, n)}) if s < n else (
        404, {}, {"detail": "Invalid page."}), by_status),
    "empty": Kind(page(), lambda s, n, _: (200, {}, items(s, n)), by_empty),
    "offset": Kind({"by": "offset", "parameter": "offset", "size": "limit", "items": "/items"}, lambda s, n, _: (200, {}, {
        "items": items(s, n)}), by_offset, lambda pages: {"limit": SIZE}),
    "cursor": Kind(cursor(at="/next", items="/data"), lambda s, n, _: (200, {}, {
        "data": items(s, n), "next": f"c{s + SIZE}" if more(s, n) else None}), by_cursor),
    "url": Kind({"by": "link", "at": "/next", "items": "/results"}, lambda s, n, _: (200, {}, {
        "results": items(s, n), "next": f"/url?start={s + SIZE}" if more(s, n) else None}), by_url),
    "link": Kind({"by": "link"}, lambda s, n, _: (200, {
        "Link": f'</link?start={s + SIZE}>; rel="next"'} if more(s, n) else {}, items(s, n)), by_link),
    "header": Kind(cursor(header="X-Next-Cursor"), lambda s, n, _: (200, {
        "X-Next-Cursor": f"c{s + SIZE}"} if more(s, n) else {}, items(s, n)), by_header),
    "body": Kind(cursor("/after", **{"in": "body", "at": "/next", "items": "/items"}), lambda s, n, _: (200, {}, {
        "items": items(s, n), "next": f"c{s + SIZE}" if more(s, n) else None}), by_body, body={"query": "all"}),
    "last": Kind(cursor("after", last_item="/id", items="/data", more="/has_more"), lambda s, n, _: (200, {}, {
        "data": items(s, n), **({"has_more": True} if more(s, n) else {})}), by_last),
    "backwards": Kind(page(), lambda s, n, _: (200, {}, items(s, n)), backwards, lambda pages: {"page": pages}, backwards=True),
}


def start(query: Dict[str, str], body: Any) -> int:
    """The index of the first item of the requested page."""
    if "page" in query:
        return (int(query["page"]) - 1) * SIZE
    given = (body or {}).get("after") or query.get("cursor") or query.get("after") or query.get("start") or query.get("offset") or "0"
    return int(str(given).lstrip("c"))


def document(name: str, base: str) -> Dict[str, Any]:
    kind = KINDS[name]
    query = {each: {} for each in ("page", "offset", "limit", "cursor", "after", "start")}
    own = {"post": f"/{name}", "body": {"type": "object"}} if kind.body else {"get": f"/{name}", "query": query}
    return {"routable": 1, "base": base, "operations": {"things": {**own, "pagination": kind.pagination}}}


def call(name: str, pages: int) -> Dict[str, Any]:
    kind = KINDS[name]
    return {"operation": "things", "query": {key: str(value) for key, value in kind.query(pages).items()},
            **({"body": kind.body} if kind.body else {})}


def by_hand(name: str, base: str, pages: int) -> Iterator[Any]:
    connection = http.client.HTTPConnection(base.partition("://")[2])

    def get(target: str, body: Any = None) -> Any:
        connection.request("POST" if body is not None else "GET", target, None if body is None else json.dumps(body), {
            "Content-Type": "application/json"} if body is not None else {})
        response = connection.getresponse()
        return response.status, response.headers, json.loads(response.read())

    yield from KINDS[name].loop(get, pages)
    connection.close()
