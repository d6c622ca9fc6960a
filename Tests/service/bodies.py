"""The paths of the fault service for bodies: it accepts large ones, and sends files, lines and events.

    *   /hash                       {"length", "sha256", "chunked", "type", "method", "expect"} of the body of the request
    *   /silent/hash, /unfulfilled/hash   as /hash, but an `Expect: 100-continue` is not answered, or answered with 417
    *   /moved/STATUS/PATH          a redirect to /PATH with this status
    *   /flaky-hash/KEY/N           503 to the first N requests of KEY, then as /hash
    *   /early/STATUS               this status at once, without reading the body
    GET /file/KEY/SIZE/MODE/BREAKS  SIZE bytes; the first BREAKS responses break off in the middle.  MODE selects the
                                    validator: strong, weak, date, none.  "changing" sends another version, with
                                    another strong tag, to each request; "ignores" ignores Range, "lies" has a
                                    Content-Range that begins a byte too late, "unsatisfied" is 416 to every range
    GET /seen/KEY                   [[Range, If-Range, Accept-Encoding], ...] of the requests of KEY
    GET /lines/COUNT/SIZE           COUNT lines of JSON, each of about SIZE bytes
    GET /trickle/TEXT               TEXT, a byte at a time
    GET /events/NAME                an event stream: each connection gets the next element of EVENTS[NAME].  "again" and
                                    "locked" begin with an event "from", which has the Last-Event-ID of the request (and
                                    its Authorization, if "locked"), and end with 204; the second request of "locked" is 401
    GET /version/TAG                304 if If-None-Match is TAG, 412 if If-Match is another tag, else 200, with TAG as
                                    ETag; "date" has a Last-Modified instead, and "none" has no validator
    GET /endless                    bytes without an end, as fast as the client reads; GET /taken is the number of bytes sent
"""
from __future__ import annotations

import hashlib
import json
import urllib.parse
from typing import Any, Dict, List

#: The Last-Modified date, which is old enough to be a strong validator (RFC 9110, section 8.8.2.2).
MODIFIED = "Sun, 06 Nov 1994 08:49:37 GMT"
EVENTS: Dict[str, List[bytes]] = {
    "plain": [b"\xef\xbb\xbf: a comment\ndata: one\n\nevent: add\rdata: two\rdata:three\r\rid: 7\r\ndata\r\n\r\nretry: 20\n\ndata: cut off"],
    "again": [b"retry: 10\nid: a\ndata: 1\n\n", b"id: b\ndata: 2\n\n", b"data: 3\n\n"],
    "locked": [b"retry: 10\nid: a\ndata: 1\n\n", b"", b"id: b\ndata: 2\n\n"],
    "json": [b"data: {}\n\n"],
}
requests: Dict[str, List[List[str]]] = {}
count: Dict[str, int] = {}
taken = {"bytes": 0}


def content(size: int, version: int = 0) -> bytes:
    """Bytes that differ from version to version, with a period that is not a power of two."""
    block = bytes((index * 7 + version) % 251 for index in range(251))
    return (block * (size // 251 + 1))[:size]


def answer(handler: Any, path: str, body: bytes) -> bool:
    """Whether the path is one of this module; if so, the response is sent."""
    name, _, rest = path.lstrip("/").partition("/")
    parts = [urllib.parse.unquote(part) for part in rest.split("/")]
    if name in ("hash", "silent", "unfulfilled"):
        hashed(handler, body)
    elif name == "version":
        version(handler, "/".join(parts))
    elif name == "moved":
        handler.send(int(parts[0]), headers=[("Location", "/" + "/".join(parts[1:]))])
    elif name == "flaky-hash":
        count[parts[0]] = count.get(parts[0], 0) + 1
        if count[parts[0]] <= int(parts[1]):
            handler.send(503, b'{"name":"later"}')
        else:
            hashed(handler, body)
    elif name == "file":
        file(handler, parts[0], int(parts[1]), parts[2], int(parts[3]))
    elif name == "seen":
        handler.send(200, json.dumps(requests.get(parts[0], [])).encode())
    elif name == "lines":
        text = b"".join(b'{"n":%d,"pad":"%s"}\n' % (n, b"x" * int(parts[1])) for n in range(int(parts[0])))
        handler.send(200, text, "application/jsonl")
    elif name == "trickle":
        trickle(handler, parts[0].encode(), "application/jsonl")
    elif name == "events":
        events(handler, parts[0])
    elif name == "endless":
        endless(handler)
    elif name == "taken":
        handler.send(200, str(taken["bytes"]).encode())
    else:
        return False
    return True


def hashed(handler: Any, body: bytes) -> None:
    report = {"length": len(body), "sha256": hashlib.sha256(body).hexdigest(),
              "chunked": "chunked" in handler.headers.get("Transfer-Encoding", ""),
              "type": handler.headers.get("Content-Type"), "method": handler.command}
    if "Expect" in handler.headers:
        report["expect"] = handler.headers["Expect"]
    handler.send(200, json.dumps(report).encode())


def version(handler: Any, tag: str) -> None:
    mine, headers = (MODIFIED, handler.headers) if tag == "date" else (tag, handler.headers)
    known = headers.get("If-Modified-Since" if tag == "date" else "If-None-Match")
    wanted = headers.get("If-Unmodified-Since" if tag == "date" else "If-Match", mine)
    told = [("Last-Modified" if tag == "date" else "ETag", mine)] if tag != "none" else []
    status = 304 if known == mine else 200 if wanted == mine else 412
    handler.send(status, b"" if status == 304 else b'{"name":"a"}', headers=told)


def file(handler: Any, key: str, size: int, mode: str, breaks: int) -> None:
    asked, condition = handler.headers.get("Range", ""), handler.headers.get("If-Range", "")
    requests.setdefault(key, []).append([asked, condition, handler.headers.get("Accept-Encoding", "")])
    number = len(requests[key])
    version = number if mode == "changing" else 0
    whole = content(size, version)
    tag = {"weak": 'W/"0"', "date": "", "none": ""}.get(mode, f'"{version}"')
    headers = [("ETag", tag)] if tag else []
    if mode == "date":
        headers.append(("Last-Modified", MODIFIED))
    start, status = 0, 200
    if asked and mode == "unsatisfied":
        return handler.send(416, b'{"name":"416"}', headers=[("Content-Range", f"bytes */{size}")])
    if asked and mode != "ignores" and condition in (tag or None, MODIFIED if mode == "date" else None):
        start, status = int(asked[len("bytes=") : -1]), 206
    shown = start + 1 if mode == "lies" and status == 206 else start
    part = whole[start:]
    handler.send_response(status)
    for name, value in headers:
        handler.send_header(name, value)
    if status == 206:
        handler.send_header("Content-Range", f"bytes {shown}-{size - 1}/{size}")
    handler.send_header("Content-Type", "application/octet-stream")
    handler.send_header("Content-Length", str(len(part)))
    handler.end_headers()
    if number <= breaks:
        handler.wfile.write(part[: len(part) // 2])
        handler.close_connection = True
    else:
        handler.wfile.write(part)


def trickle(handler: Any, text: bytes, kind: str) -> None:
    handler.raw(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: " + kind.encode() + b"\r\n\r\n")
    for byte in text:
        handler.wfile.write(bytes([byte]))
        handler.wfile.flush()


def events(handler: Any, name: str) -> None:
    count[name] = count.get(name, 0) + 1
    pieces = EVENTS[name]
    if name in ("again", "locked") and count[name] > len(pieces):
        return handler.send(204)
    if name == "locked" and count[name] == 2:
        return handler.send(401, headers=[("WWW-Authenticate", "Bearer")])
    kind = "application/json" if name == "json" else "text/event-stream; charset=utf-8"
    last = handler.headers.get("Last-Event-ID", "")
    text = pieces[(count[name] - 1) % len(pieces)]
    if name in ("again", "locked"):
        token = " " + handler.headers.get("Authorization", "") if name == "locked" else ""
        text = b"event: from\ndata: " + (last + token).encode() + b"\n\n" + text
    trickle(handler, text, kind)


def endless(handler: Any) -> None:
    taken["bytes"] = 0
    handler.raw(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: application/octet-stream\r\n\r\n")
    piece = content(65536)
    while True:
        handler.wfile.write(piece)
        taken["bytes"] += len(piece)
