#!/usr/bin/env python3
"""A loopback service that fails on request, so that tests of a client cover each way in which a response can fail.

The path selects the behavior (`/faults/NAME`); every other path echoes the request as JSON. The first line on stdout
is the port. The service ends when its standard input is closed, and therefore never outlives the test that started it.

    GET /faults/ok              200 {"name":"a"}
    GET /faults/json/TEXT       200 with TEXT (percent-decoded) as application/json
    GET /faults/not-found       404 {"name":"gone"}
    GET /faults/status/N        status N with {"name":"a"}
    GET /faults/no-content      204
    GET /faults/reset-content   205
    GET /faults/empty           200, Content-Length: 0
    GET /faults/bytes           200, bytes that are not UTF-8, with NUL
    GET /faults/text            200, text/plain "hello"
    GET /faults/close-early     half of the body that Content-Length announces, then the connection ends
    GET /faults/close-chunked   one chunk, then the connection ends without the last chunk
    GET /faults/bad-chunk       a chunk size that is not a number
    GET /faults/length-long     a Content-Length larger than the body, then the connection ends
    GET /faults/length-short    a Content-Length smaller than the body
    GET /faults/length-huge     a Content-Length of 10^18
    GET /faults/length-negative a Content-Length of -1
    GET /faults/length-twice    two Content-Lengths that differ
    GET /faults/length-same-twice   two Content-Lengths that agree
    GET /faults/length-beyond   a Content-Length that exceeds 64 bits
    GET /faults/garbage         bytes that are not HTTP
    GET /faults/nothing         the connection ends without a response
    GET /faults/never           no response until the client closes the connection
    GET /faults/half            headers and half of a body, and no more until the client closes the connection
    GET /faults/big             a body without an end
    GET /faults/gzip            gzip of {"name":"a"}
    GET /faults/gzip-bomb       64 MiB of zeroes in 64 KiB of gzip
    GET /faults/gzip-count      gzip of the numbers from 0 to 499,999, each in eight digits
    GET /faults/coded/CODING/HEX    these bytes with this Content-Encoding, each written alone: libcurl gets them in any pieces
    GET /faults/kept/KEY        200 {"name":"a"}, and the service stores the connection under KEY
    GET /faults/stuff/KEY       200 {"name":"a"}, after an unsolicited response {"name":"wrong"} over the stored connection
    GET /faults/reset-head      half of the headers, then a reset
    GET /faults/reset-body      half of a body, then a reset
    GET /faults/drip            a byte of a body every 20 ms, without an end
    GET /faults/slow/MS         200 {"name":"a"} after MS milliseconds
    *   /faults/flaky/KEY/N/STATUS[/RETRY-AFTER]   STATUS to the first N requests of KEY, then 200 {"name":"a"}
    GET /count/KEY              the number of requests of KEY
    GET /busiest                the maximum number of concurrent /faults/slow since the last call
    GET /faults/redirect-file   302 to file:///etc/passwd
    GET /faults/redirect-ftp    302 to ftp://127.0.0.1/
    GET /faults/redirect        302 to /faults/ok
    GET /faults/redirect-loop   302 to itself
    GET /faults/redirect-see    303 to /echo
    GET /faults/many-headers    200 with 300 headers
    GET /faults/cookie          204, and sets the cookie id=tea for an hour
    further paths               bodies.py
    GET /connections            {"connections": N, "requests": M} since the start
"""
import base64
import gzip
import http.server
import itertools
import json
import os
import sys
import socket
import struct
import threading
import time
import urllib.parse

import bodies

NAME = b'{"name":"a"}'
counter = itertools.count(1)
lock = threading.Lock()
seen = {"connections": 0, "requests": 0}
keys = {}
busy = {"now": 0, "most": 0}
kept = {}


class Service(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 1024

    def handle_error(self, request, client_address):
        """Ignores the closed connections, which many tests provoke."""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server_version = "fault"
    sys_version = ""

    def setup(self):
        super().setup()
        self.connection_number = next(counter)
        with lock:
            seen["connections"] += 1

    def log_message(self, *_):
        pass

    def __getattr__(self, name):
        if name.startswith("do_"):
            return self.answer
        raise AttributeError(name)

    def send(self, status, body=b"", content_type="application/json", headers=()):
        self.send_response(status)
        if content_type and body:
            self.send_header("Content-Type", content_type)
        for name, value in headers:
            self.send_header(name, value)
        if status not in (204, 304):
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def raw(self, data):
        self.wfile.write(data)
        self.wfile.flush()
        self.close_connection = True

    def until_client_leaves(self):
        self.close_connection = True
        try:
            while self.connection.recv(4096):
                pass
        except OSError:
            pass

    def reset(self):
        self.wfile.flush()
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True

    def flaky(self, key, number, status, after=None):
        with lock:
            keys[key] = keys.get(key, 0) + 1
            fails = keys[key] <= int(number)
        if fails:
            return self.send(int(status), b'{"name":"later"}', headers=[("Retry-After", after)] if after else ())
        return self.send(200, NAME)

    def coded(self, coding, digits):
        data = bytes.fromhex(digits)
        self.send_response(200)
        for name, value in [("Content-Type", "application/json"), ("Content-Encoding", coding), ("Content-Length", str(len(data)))]:
            self.send_header(name, value)
        self.end_headers()
        for place in range(len(data)):
            self.wfile.write(data[place : place + 1])

    def slow(self, milliseconds):
        with lock:
            busy["now"] += 1
            busy["most"] = max(busy["most"], busy["now"])
        time.sleep(milliseconds / 1000)
        with lock:
            busy["now"] -= 1
        self.send(200, NAME)

    def handle_expect_100(self):
        if self.path.startswith(("/silent/", "/early/")):
            return True
        if self.path.startswith("/unfulfilled/"):
            self.send(417)
            return False
        return super().handle_expect_100()

    def read_body(self):
        if "chunked" in self.headers.get("Transfer-Encoding", ""):
            body = b""
            while True:
                size = int(self.rfile.readline().split(b";")[0], 16)
                body += self.rfile.read(size)
                self.rfile.readline()
                if size == 0:
                    return body
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def answer(self):
        with lock:
            seen["requests"] += 1
        path = self.path.split("?", 1)[0]
        if path.startswith("/early/"):
            self.close_connection = True
            # A client that waits for 100 (Continue) gets no Connection: close, because libcurl would send the body nevertheless.
            return self.send(int(path[7:]), NAME, headers=[] if "Expect" in self.headers else [("Connection", "close")])
        body = self.read_body()
        if bodies.answer(self, path, body):
            return None
        if path == "/connections":
            return self.send(200, json.dumps(seen).encode())
        if path.startswith("/count/"):
            return self.send(200, str(keys.get(path[7:], 0)).encode())
        if path == "/busiest":
            most, busy["most"] = busy["most"], busy["now"]
            return self.send(200, str(most).encode())
        if path.startswith("/faults/"):
            return self.fault(path[len("/faults/"):])
        return self.echo(body)

    def echo(self, body):
        """Responds with the request as it arrived."""
        report = {"method": self.command, "target": self.path,
                  "headers": [[name, value] for name, value in self.headers.items()],
                  "connection": self.connection_number}
        try:
            report["body"] = body.decode("utf-8")
        except UnicodeDecodeError:
            report["body_base64"] = base64.b64encode(body).decode()
        self.send(200, json.dumps(report).encode())

    def fault(self, name):
        plain = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
        if name == "ok":
            self.send(200, NAME)
        elif name.startswith("json/"):
            self.send(200, urllib.parse.unquote_to_bytes(name[5:]))
        elif name.startswith("status/"):
            self.send(int(name[7:]), NAME)
        elif name == "not-found":
            self.send(404, b'{"name":"gone"}')
        elif name == "no-content":
            self.send(204)
        elif name == "reset-content":
            self.send(205)
        elif name == "empty":
            self.send(200)
        elif name == "bytes":
            self.send(200, b"\x00\xff\xfe\x00a", "application/octet-stream")
        elif name == "text":
            self.send(200, b"hello", "text/plain")
        elif name in ("close-early", "length-long"):
            self.raw(plain + b"Content-Length: 24\r\n\r\n" + NAME)
        elif name == "close-chunked":
            self.raw(plain + b"Transfer-Encoding: chunked\r\n\r\nc\r\n" + NAME + b"\r\n")
        elif name == "bad-chunk":
            self.raw(plain + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n" + NAME + b"\r\n0\r\n\r\n")
        elif name == "length-short":
            self.raw(plain + b"Content-Length: 5\r\n\r\n" + NAME)
        elif name == "length-huge":
            self.raw(plain + b"Content-Length: 1000000000000000000\r\n\r\n" + NAME)
        elif name == "length-negative":
            self.raw(plain + b"Content-Length: -1\r\n\r\n" + NAME)
        elif name == "length-twice":
            self.raw(plain + b"Content-Length: 12\r\nContent-Length: 3\r\n\r\n" + NAME)
        elif name == "length-same-twice":
            self.raw(plain + b"Content-Length: 12\r\nContent-Length: 12\r\n\r\n" + NAME)
        elif name == "length-beyond":
            self.raw(plain + b"Content-Length: 99999999999999999999\r\n\r\n" + NAME)
        elif name == "garbage":
            self.raw(b"\x16\x03\x01 not http at all \x00\xff\r\n\r\n" * 4)
        elif name == "nothing":
            self.close_connection = True
        elif name == "reset-head":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-")
            self.reset()
        elif name == "reset-body":
            self.wfile.write(plain + b"Content-Length: 24\r\n\r\n" + NAME)
            self.reset()
        elif name == "drip":
            self.wfile.write(plain + b"Connection: close\r\n\r\n")
            self.close_connection = True
            while True:
                self.wfile.write(b" ")
                time.sleep(0.02)
        elif name.startswith("slow/"):
            self.slow(int(name[5:]))
        elif name.startswith("flaky/"):
            self.flaky(*urllib.parse.unquote(name[6:]).split("/", 3))
        elif name == "never":
            self.until_client_leaves()
        elif name == "half":
            self.wfile.write(plain + b"Content-Length: 24\r\n\r\n" + NAME)
            self.until_client_leaves()
        elif name == "big":
            self.wfile.write(plain + b"Connection: close\r\n\r\n")
            self.close_connection = True
            while True:
                self.wfile.write(b" " * 65536)
        elif name == "gzip":
            self.send(200, gzip.compress(NAME), headers=[("Content-Encoding", "gzip")])
        elif name == "gzip-count":
            self.send(200, gzip.compress(b"".join(b"%08d" % n for n in range(500_000))), headers=[("Content-Encoding", "gzip")])
        elif name.startswith("coded/"):
            self.coded(*urllib.parse.unquote(name[6:]).split("/", 1))
        elif name.startswith("kept/"):
            kept[name[5:]] = self.connection
            self.send(200, NAME)
        elif name.startswith("stuff/"):
            kept[name[6:]].sendall(plain + b'Content-Length: 16\r\n\r\n{"name":"wrong"}')
            self.send(200, NAME)
        elif name == "gzip-bomb":
            self.send(200, gzip.compress(bytes(64 << 20)), headers=[("Content-Encoding", "gzip")])
        elif name == "redirect-file":
            self.send(302, headers=[("Location", "file:///etc/passwd")])
        elif name == "redirect-ftp":
            self.send(302, headers=[("Location", "ftp://127.0.0.1/")])
        elif name == "redirect":
            self.send(302, headers=[("Location", "/faults/ok")])
        elif name == "redirect-loop":
            self.send(302, headers=[("Location", "/faults/redirect-loop")])
        elif name == "redirect-see":
            self.send(303, headers=[("Location", "/echo")])
        elif name == "cookie":
            self.send(204, headers=[("Set-Cookie", "id=tea; Path=/; Max-Age=3600")])
        elif name == "many-headers":
            self.send(200, NAME, headers=[(f"X-{n}", "v" * 100) for n in range(300)])
        else:
            self.send(404, b'{"error":"no such fault"}')


def end_with_standard_input():
    while os.read(0, 4096):
        pass
    os._exit(0)


def main():
    service = Service(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 0), Handler)
    print(service.server_address[1], flush=True)
    threading.Thread(target=end_with_standard_input, daemon=True).start()
    service.serve_forever()


if __name__ == "__main__":
    main()
