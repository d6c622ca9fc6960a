"""A service over TLS that sends single HTTP/2 frames, so that a test determines where a connection breaks."""

from __future__ import annotations

import socket
import ssl
import threading
from pathlib import Path
from typing import Any, Dict

import h2.config
import h2.connection
import h2.errors
import h2.events
import trustme

BODY = b'{"name":"a"}'


class Service:
    """The path of a request selects the response:

    /ok              200
    /goaway          GOAWAY that accepts none of the streams, then the end of the connection
    /goaway-after    a response and GOAWAY with it: pending requests get responses, the next request needs another connection
    /refused         the stream is refused (REFUSED_STREAM)
    /reset-head      the stream is reset before the head of the response (INTERNAL_ERROR)
    /reset-body      the stream is reset in the middle of the body (CANCEL)
    /close-body      the connection ends in the middle of the body
    """

    def __init__(self, folder: Path) -> None:
        authority = trustme.CA()
        self.ca_file = folder / "ca.pem"
        authority.cert_pem.write_to_path(str(self.ca_file))
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.set_alpn_protocols(["h2"])
        authority.issue_cert("127.0.0.1").configure_cert(self._context)
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.base = f"https://127.0.0.1:{self._socket.getsockname()[1]}"
        self.connections = 0
        self.requests: Dict[str, int] = {}
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._socket.close()

    def _accept(self) -> None:
        while True:
            try:
                plain, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(plain,), daemon=True).start()

    def _serve(self, plain: socket.socket) -> None:
        try:
            with self._context.wrap_socket(plain, server_side=True) as secure:
                self.connections += 1
                connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
                connection.initiate_connection()
                secure.sendall(connection.data_to_send())
                while True:
                    data = secure.recv(65536)
                    if not data:
                        return
                    goes_on = all([self._answer(connection, event) for event in connection.receive_data(data)])
                    secure.sendall(connection.data_to_send())
                    if not goes_on:
                        return
        except (OSError, h2.exceptions.ProtocolError):
            pass  # the client has closed the connection

    def _answer(self, connection: Any, event: Any) -> bool:
        """Responds to a request; returns whether the connection remains open."""
        if not isinstance(event, h2.events.RequestReceived):
            return True
        headers = {bytes(name): bytes(value) for name, value in
                   ((n.encode() if isinstance(n, str) else n, v.encode() if isinstance(v, str) else v) for n, v in event.headers)}
        path, stream = headers[b":path"].decode(), event.stream_id
        self.requests[path] = self.requests.get(path, 0) + 1
        head = [(":status", "200"), ("content-type", "application/json"), ("content-length", str(len(BODY)))]
        if path == "/goaway":
            connection.close_connection(last_stream_id=0)
            return False
        if path == "/refused":
            connection.reset_stream(stream, h2.errors.ErrorCodes.REFUSED_STREAM)
        elif path == "/reset-head":
            connection.reset_stream(stream, h2.errors.ErrorCodes.INTERNAL_ERROR)
        elif path == "/reset-body":
            connection.send_headers(stream, head)
            connection.send_data(stream, BODY[:4])
            connection.reset_stream(stream, h2.errors.ErrorCodes.CANCEL)
        elif path == "/close-body":
            connection.send_headers(stream, head)
            connection.send_data(stream, BODY[:4])
            return False
        else:
            connection.send_headers(stream, head)
            connection.send_data(stream, BODY, end_stream=True)
            if path == "/goaway-after":
                connection.close_connection(last_stream_id=stream)  # the client then closes it
        return True
