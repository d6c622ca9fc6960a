#!/usr/bin/env python3
"""A loopback service whose responses are pages, in the forms that real services use and in some invalid ones.

There are seven items, {"id": 1, "name": "thing 1"} and so on.  A page has two of them, or the number in per_page or limit,
at most three.  The first line on stdout is the port; the service ends when its standard input is closed.

    GET /link                   the array, and a Link header with a relative target
    GET /link-in-body           {"results": [...], "next": URL or null}
    GET /cursor                 {"data": [...], "meta": {"next": TEXT}}, "" on the last page; the parameter is ?cursor=
    GET /numbers                as /cursor, with a number as the cursor, 0 on the last page
    GET /page, /page-from-0     the array; ?page= from 1 or 0
    GET /offset                 {"items": [...]}; ?offset= and ?limit=
    GET /left-out               {"next": TEXT}, and "data" only on the last page
    GET /links?value=TEXT       [] with TEXT as the Link header
    GET /body?value=TEXT        TEXT as the body, as application/json
    GET /stuck                  the same cursor each time; GET /circle: pages 1 and 2, each with a Link to the other one
    GET /endless                a page with one item and a Link to the next one, each time
    GET /elsewhere              a Link to "localhost", which is another name of this service, and the remaining pages of /link
    GET /moved                  302 to /link under that other name
    GET /flaky/KEY              as /link, but the first request for the second page is 503
    GET /seen/KEY               the requests with ?key=KEY: [[target, Authorization or null, X-Key or null], ...]
    POST /ANY/KEY/N             503 to the first N, then 200; the body is [the value of Idempotency-Key or X-Once, ...]
"""
from __future__ import annotations

import http.server
import json
import os
import sys
import threading
import urllib.parse
from typing import Any, Dict, List, Optional

THINGS = [{"id": number, "name": f"thing {number}"} for number in range(1, 8)]
lock = threading.Lock()
seen: Dict[str, List[Any]] = {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server_version = "pages"
    sys_version = ""

    def log_message(self, *_: Any) -> None:
        pass

    def send(self, value: Any, status: int = 200, link: Optional[str] = None, place: Optional[str] = None) -> None:
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        if link is not None:
            self.send_header("Link", link)
        if place is not None:
            self.send_header("Location", place)
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        _, _, key, fails = self.path.split("/")
        with lock:
            keys = seen.setdefault(key, [])
            keys.append(self.headers.get("Idempotency-Key") or self.headers.get("X-Once"))
            is_busy = len(keys) <= int(fails)
        self.send(keys, 503 if is_busy else 200)

    def do_GET(self) -> None:
        path, _, text = self.path.partition("?")
        query = dict(urllib.parse.parse_qsl(text, keep_blank_values=True))
        name, _, key = path[1:].partition("/")
        if "key" in query:
            with lock:
                came = [self.path, self.headers.get("Authorization"), self.headers.get("X-Key")]
                seen.setdefault(query["key"], []).append(came)
        size = min(3, int(query.get("per_page", query.get("limit", 2))))

        def rest(**changes: Any) -> str:
            return urllib.parse.urlencode({**query, **changes})

        number = int(query.get("page", 0 if name == "page-from-0" else 1))
        first = (number - (0 if name == "page-from-0" else 1)) * size
        page, is_last = THINGS[first : first + size], first + size >= len(THINGS)
        if name in ("link", "flaky"):
            if name == "flaky" and number == 2:
                with lock:
                    seen.setdefault(key, []).append(number)
                    if len(seen[key]) == 1:
                        return self.send({"error": "later"}, 503)
            links = f'<?{rest(page=1)}>; rel="first"' + ("" if is_last else f', <?{rest(page=number + 1)}>; title="a, \\"b\\""; rel="last next"')
            return self.send(page, link=links)
        if name == "link-in-body":
            url = f"http://{self.headers['Host']}/link-in-body?{rest(page=number + 1)}"
            return self.send({"results": page, "next": None if is_last else url})
        if name in ("cursor", "numbers", "left-out"):
            start = int(query.get("cursor", "0").rpartition(" ")[2])
            page, after = THINGS[start : start + size], start + size
            ends = after >= len(THINGS)
            if name == "numbers":
                return self.send({"data": page, "meta": {"next": 0 if ends else after}})
            if name == "left-out":
                return self.send({"data": page} if ends else {"next": f"{after}"})
            return self.send({"data": page, "meta": {"next": "" if ends else f"a&b= {after}"}})
        if name in ("page", "page-from-0"):
            return self.send(page)
        if name == "offset":
            start = int(query.get("offset", 0))
            return self.send({"items": THINGS[start : start + size]})
        if name == "links":
            return self.send([], link=query["value"])
        if name == "body":
            return self.send(query["value"].encode())
        if name == "stuck":
            return self.send({"data": THINGS, "meta": {"next": "same"}})
        if name == "circle":
            return self.send(THINGS, link=f"</circle?page={3 - number}&token=secret>; rel=next")
        if name == "endless":
            return self.send(THINGS[:1], link=f"<?page={number + 1}>; rel=next")
        other = f"http://localhost:{self.server.server_address[1]}/link?"
        if name == "elsewhere":
            return self.send(THINGS[:2], link=f"<{other}{rest(page=2)}>; rel=next")
        if name == "moved":
            return self.send([], 302, place=other + rest())
        if name == "seen":
            return self.send(seen.get(key, []))
        return self.send({"error": "no such page"}, 404)


class Service(http.server.ThreadingHTTPServer):
    daemon_threads = True


port = int(sys.argv[sys.argv.index("--port") + 1]) if "--port" in sys.argv else 0
service = Service(("127.0.0.1", port), Handler)
print(service.server_address[1], flush=True)
threading.Thread(target=service.serve_forever, daemon=True).start()
while sys.stdin.buffer.read(4096):
    pass
os._exit(0)
