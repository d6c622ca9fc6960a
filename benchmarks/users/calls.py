"""Calls that a program makes many times: bodies of bytes, captures of a match, URLs of a plan, verdicts on values, lines of a stream.

The peers do the same work as a user would write it with them.  The peer of a plan is the same plan with strings.
"""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Callable, Iterator

import falcon.routing
import httpx
import jsonschema_rs
import routable
from measure import growth, row

ROOT = Path(__file__).resolve().parent.parent.parent
SOCIAL = str(ROOT / "examples" / "social.json")
ITEMS = 20_000


def bodies() -> None:
    api = routable.open({
        "routable": 1, "base": "https://h.example",
        "resources": {"issue": {"path": "issues", "id": "number", "can": ["create"]}},
    })
    client = httpx.Client()
    for size in (1 << 20, 20 << 20):
        content = b"x" * size
        row(f"a request with a body of {size >> 20} MB of bytes", {
            "httpx": lambda content=content: client.build_request("POST", "https://h.example/issues", content=content),
            "a copy of the bytes": lambda content=content: bytearray(content),
            "routable": lambda content=content: api.issue.create(content),
        }, "httpx")
    value = [{"id": each, "name": f"some name {each}", "tags": ["a", "b"], "share": each / 3} for each in range(1_300)]
    row("a request with a body of 100 KB of JSON", {
        "json.dumps": lambda: json.dumps(value), "routable": lambda: api.issue.create(value),
    }, "json.dumps")
    growth("a body of bytes", lambda size: lambda content=b"x" * size: api.issue.create(content), (1 << 20, 2 << 20, 4 << 20))


def matches() -> None:
    api, peer = routable.open(SOCIAL), falcon.routing.CompiledRouter()

    class Resource:
        def on_get(self, request: object, response: object, **ids: str) -> None: ...

    peer.add_route("/users/{user_id}/statuses/{id}", Resource())
    paths = [f"/users/{'ann' * (each % 5 + 1)}/statuses/{each}" for each in range(0, 2_000, 7)]

    def each(function: Callable[[str], object]) -> Callable[[], object]:
        return lambda: [function(path) for path in paths]

    row(f"{len(paths)} paths", {
        "falcon, which gives the dict": each(peer.find),
        "routable, the match alone": each(lambda path: api.match(path, "GET")),
        "routable, .ids": each(lambda path: api.match(path, "GET").ids),  # type: ignore[union-attr]
        "routable, .captures": each(lambda path: api.match(path, "GET").captures),  # type: ignore[union-attr]
        "routable, .values": each(lambda path: api.match(path, "GET").values),  # type: ignore[union-attr]
    }, "falcon, which gives the dict")


def plans() -> None:
    api = routable.open(SOCIAL)
    plan, search = api.plan("user.status", "read"), api.plan("search")
    row("the URL of a plan", {
        "strings": lambda: plan("initFabian", "31"), "an integer": lambda: plan("initFabian", 31), "a query": lambda: search(q="swift"),
    }, "strings")


def verdicts() -> None:
    properties = {"id": {"type": "integer"}, "title": {"type": "string"}, "labels": {"items": {"required": ["id", "name"]}}}
    schema = {"type": "object", "required": ["id", "title"], "properties": properties}
    value = {"id": 1, "title": "The reader refuses a document", "open": True, "labels": [{"id": 5, "name": "bug", "color": "d73a4a"}] * 20}
    text = json.dumps(value).encode()
    ours, peer = routable.Schema(schema), jsonschema_rs.validator_for(schema)
    row(f"the verdict on a value of {len(text)} bytes of JSON", {
        "jsonschema-rs": lambda: peer.is_valid(value), "routable, from the value": lambda: ours.accepts(value),
        "routable, from text": lambda: ours.accepts(text), "json.dumps alone": lambda: json.dumps(value),
    }, "jsonschema-rs")


class Answers(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words: object) -> None: ...

    def do_GET(self) -> None:
        kind, count = self.path.strip("/").split("/")
        items = {"values": b'{"a":%d,"b":"x"}\n', "lines": b"line number %d\n", "events": b"id: %d\ndata: some data\n\n"}
        body = b"".join(items[kind] % each for each in range(int(count)))
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Type", "text/event-stream" if kind == "events" else "text/plain")
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def server() -> Iterator[str]:
    """A server in a process of its own, whose time does not count."""
    listener = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    child = os.fork()
    if child == 0:
        listener.serve_forever()
    try:
        yield f"http://127.0.0.1:{listener.server_address[1]}"
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)


def streams() -> None:
    with server() as base:
        names = [f"{kind}/{count}" for kind in ("lines", "values", "events") for count in (ITEMS, 2 * ITEMS, 4 * ITEMS)]
        operations = {name.replace("/", "_"): {"path": f"/{name}", "method": "GET"} for name in names}
        api = routable.open({"routable": 1, "base": base, "operations": operations})
        client, peer = routable.Client(), httpx.Client()

        def ours(kind: str, count: int = ITEMS) -> Callable[[], object]:
            request = api.operations[f"{kind}_{count}"]()
            return lambda: sum(1 for _ in getattr(client, kind)(request))

        def theirs(kind: str, read: Callable[[str], Any]) -> Callable[[], object]:
            def run() -> int:
                with peer.stream("GET", f"{base}/{kind}/{ITEMS}") as response:
                    return sum(1 for line in response.iter_lines() if line and (read(line) or True))

            return run

        row(f"{ITEMS} lines", {"httpx": theirs("lines", len), "routable": ours("lines")}, "httpx")
        row(f"{ITEMS} lines of JSON", {"httpx and json.loads": theirs("values", json.loads), "routable": ours("values")}, "httpx and json.loads")
        row(f"{ITEMS} events", {"httpx, lines only": theirs("events", len), "routable": ours("events")}, "httpx, lines only")
        growth("lines of JSON", lambda count: ours("values", count), (ITEMS, 2 * ITEMS, 4 * ITEMS))


def main() -> None:
    bodies()
    matches()
    plans()
    verdicts()
    streams()


if __name__ == "__main__":
    main()
