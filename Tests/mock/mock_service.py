#!/usr/bin/env python3
"""A mock of a description on loopback, in place of the service that examples and tests start.

    mock_service.py [--port N] [--quiet] [--seed N] DESCRIPTION     the first line on stdout is the port; 0, the default, selects a free one

POST /reset empties the store, as the sample service of the examples does.
"""

from __future__ import annotations

import argparse
import http.server
import os
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bindings" / "python" / "src"))
os.environ.setdefault("ROUTABLE_LIBRARY", str(ROOT / "build" / "embedded" / "libroutable.so.0"))

import routable  # noqa: E402
from routable.testing import Mock  # noqa: E402


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Service

    def answer(self) -> None:
        body = self.read_body()
        if self.path == "/reset" and self.command == "POST":
            self.server.mock.reset()
            self.send_response(204)
            self.end_headers()
            return
        headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in self.headers.items()]
        try:
            response = self.server.mock.respond(self.command, self.path, headers, body)
        except ConnectionResetError:
            self.close_connection = True
            return
        if response.delay:
            time.sleep(response.delay)
        self.send_response(response.status)
        for name, value in response.headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(response.body)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = answer

    def read_body(self) -> bytes:
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = b""
        while True:
            size = int(self.rfile.readline().split(b";")[0], 16)
            body += self.rfile.read(size)
            self.rfile.readline()
            if size == 0:
                return body

    def log_message(self, text: str, *values: Any) -> None:
        if not self.server.quiet:
            super().log_message(text, *values)


class Service(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, port: int, mock: Mock, quiet: bool) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.mock, self.quiet = mock, quiet

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def main() -> None:
    parser = argparse.ArgumentParser(description="A mock of a description on loopback.")
    parser.add_argument("--port", type=int, default=0, help="0, the default, takes a free one")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quiet", action="store_true", help="print no line per request")
    parser.add_argument("description")
    options = parser.parse_args()
    mock = Mock(routable.open(Path(options.description)), seed=options.seed, anonymous=True)
    service = Service(options.port, mock, options.quiet)
    print(service.server_address[1], flush=True)
    try:
        service.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
