"""A server on loopback that records requests and responds with the bytes of a test."""

from __future__ import annotations

import socket
import socketserver
import threading
from typing import Any, Callable, Dict, List, NamedTuple

#: Writes a response; True leaves the connection open for the next request.
Answer = Callable[[socket.socket, threading.Event], bool]


class Seen(NamedTuple):
    """One request as it arrived."""

    line: str
    headers: Dict[str, str]
    body: bytes


def whole(status: str, body: bytes = b"", *headers: str) -> Answer:
    """A well-formed response: whole("200 OK", b"...", "Content-Type: application/json")."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers, "", ""]
    return raw("\r\n".join(lines).encode() + body, stays=True)


def json(body: str, status: str = "200 OK") -> Answer:
    return whole(status, body.encode(), "Content-Type: application/json")


def raw(content: bytes, stays: bool = False) -> Answer:
    """Sends these bytes; then the connection closes, unless `stays` is true."""

    def answer(connection: socket.socket, ended: threading.Event) -> bool:
        connection.sendall(content)
        return stays

    return answer


def never() -> Answer:
    """Sends no response until the test ends."""

    def answer(connection: socket.socket, ended: threading.Event) -> bool:
        ended.wait()
        return False

    return answer


class Loopback:
    """`answers[path]` is the response for a path; `seen` are the requests."""

    def __init__(self) -> None:
        self.answers: Dict[str, Answer] = {}
        self.seen: List[Seen] = []
        self.connections = 0
        self._ended = threading.Event()
        outer = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                outer.connections += 1
                try:
                    while outer._serve_one(self.rfile, self.connection):
                        pass
                except OSError:
                    pass  # the client has closed the connection

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads = True
            block_on_close = False
            allow_reuse_address = True
            request_queue_size = 128

        self._server = Server(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self._server.server_address[1]}"

    def _serve_one(self, stream: Any, connection: socket.socket) -> bool:
        line = stream.readline().decode("latin-1").rstrip("\r\n")
        if not line:
            return False
        headers = {}
        for text in iter(lambda: stream.readline().decode("latin-1").rstrip("\r\n"), ""):
            key, _, value = text.partition(":")
            headers[key.lower()] = value.strip()
        body = stream.read(int(headers.get("content-length", "0")))
        self.seen.append(Seen(line, headers, body))
        answer = self.answers.get(line.split(" ")[1], whole("404 Not Found"))
        return answer(connection, self._ended)

    def __enter__(self) -> "Loopback":
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._ended.set()
        self._server.shutdown()
        self._server.server_close()
