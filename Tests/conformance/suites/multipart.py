"""Parts of forms as Alamofire and a browser write them; and media types as browsers read them."""

from __future__ import annotations

import atexit
import http.server
import shutil
import tempfile
import threading
from ctypes import POINTER, byref, cast, memmove, sizeof, string_at
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple

from harness import Difference, Suite, expect
from library import Refusal, Router, status_name, str_of, text_of
from routable import _capi as c
from routable._capi import bodies as b

#: A part: name, content or path, filename, content type; and whether the content comes from a source.
Part = Tuple[str, bytes, Optional[str], Optional[str], bool]


class _Echo(http.server.BaseHTTPRequestHandler):
    """Responds with the body that it received: a body that is read while it is sent cannot be inspected otherwise."""

    def do_POST(self) -> None:
        chunks: List[bytes] = []
        if self.headers.get("Transfer-Encoding") == "chunked":
            while chunks[-1:] != [b""]:
                chunks.append(self.rfile.read(int(self.rfile.readline(), 16)))
                self.rfile.readline()
        else:
            chunks.append(self.rfile.read(int(self.headers["Content-Length"])))
        sent = b"".join(chunks)
        self.send_response(200)
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, *_: object) -> None:
        pass


class _Sender:
    """A service, and a client that posts to it."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        atexit.register(shutil.rmtree, self.folder)
        service = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Echo)
        service.daemon_threads = True
        threading.Thread(target=service.serve_forever, daemon=True).start()
        base = f"http://127.0.0.1:{service.server_address[1]}"
        operation = {"post": "/", "body_as": "bytes", "body_required": False}
        self.router = Router.opened({"routable": 1, "base": base, "operations": {"post": operation}})
        self.client = POINTER(c.routable_client)()
        assert c.routable_client_new(None, byref(self.client), None) == c.ROUTABLE_OK

    def post(self, parts: List[Part], flags: int) -> "Tuple[str, bytes] | Refusal":
        """The boundary and the body as it arrives."""
        request = POINTER(c.routable_request)()
        error = POINTER(c.routable_error)()
        call = b'{"operation":"post"}'
        assert c.routable_request_new_json(self.router._handle, call, len(call), byref(request), None) == c.ROUTABLE_OK
        held: List[Any] = []
        array = (b.routable_part * len(parts))(*(_part(each, held) for each in parts))
        status = b.routable_request_set_multipart(request, array, len(parts), flags, byref(error))
        try:
            if status != c.ROUTABLE_OK:
                message = text_of(c.routable_error_message(error)).decode()
                c.routable_error_free(error)
                return Refusal(status_name(status), message)
            headers = [c.routable_request_header_at(request, i) for i in range(c.routable_request_header_count(request))]
            kind = next(text_of(each.value) for each in headers if text_of(each.name) == b"Content-Type")
            response = POINTER(c.routable_response)()
            assert c.routable_client_perform(self.client, request, byref(response), None) == c.ROUTABLE_OK
            body = text_of(c.routable_response_body(response))
            c.routable_response_free(response)
            return kind.partition(b"; boundary=")[2].decode(), body
        finally:
            c.routable_request_free(request)


def _part(part: Part, held: List[Any]) -> b.routable_part:
    name, content, filename, kind, is_source = part
    encoded = name.encode("utf-8")
    result = b.routable_part(size=sizeof(b.routable_part), name=str_of(encoded))
    held.append(encoded)
    if filename is not None and "/" in filename:
        result.file = filename.encode("utf-8")
        return result
    result.filename = None if filename is None else filename.encode("utf-8")
    result.content_type = None if kind is None else kind.encode("ascii")
    if not is_source:
        result.content = str_of(content)
        held.append(content)
        return result
    left = [content]

    def read(buffer: Any, capacity: int, count: Any, _: Any) -> int:
        piece, left[0] = left[0][:capacity], left[0][capacity:]
        memmove(buffer, piece, len(piece))
        count[0] = len(piece)
        return c.ROUTABLE_OK

    source = b.routable_source(size=sizeof(b.routable_source), read=b.routable_read_fn(read), length=-1)
    held.append(source)
    result.source = cast(byref(source), POINTER(b.routable_source))
    return result


_made: List[_Sender] = []


def _sender() -> _Sender:
    if not _made:
        _made.append(_Sender())
    return _made[0]


def _check(given: object, parts: List[Part], wanted: str, flags: int, files: Dict[str, bytes]) -> None:
    result = _sender().post(parts, flags)
    if isinstance(result, Refusal):
        raise Difference(given, wanted, result)
    boundary, body = result
    pieces = wanted.replace("{boundary}", boundary).encode("utf-8")
    for name, content in files.items():
        pieces = pieces.replace(f"{{file:{name}}}".encode(), content)
    expect(given, pieces, body)


def check_alamofire(vector: Any, data: Any) -> None:
    files = {"unicorn.png": bytes(range(256)) * 300, "rainbow.jpg": b"\xff\xd8 rainbow " * 9000}
    for name, content in files.items():
        (_sender().folder / name).write_bytes(content)
    parts: List[Part] = []
    for part in vector["parts"]:
        if "file" in part:
            parts.append((part["name"], b"", str(_sender().folder / part["file"]), None, False))
        elif "stream_of" in part:
            parts.append((part["name"], files[part["stream_of"]], part["file_name"], part["mime_type"], True))
        else:
            parts.append((part["name"], part["text"].encode("utf-8"), None, part.get("mime_type"), False))
    _check(vector["test"], parts, vector["expected"], 0, files)


def check_html(vector: Any) -> None:
    """One field, or one empty text file, in the form that a browser sends."""
    name, filename = vector["name"], vector["filename"]
    if filename is not None and "\0" in filename:
        raise Difference(filename, vector["multipart_body"], "a name of a C program, which ends at the NUL")
    content = (vector.get("value") or "").encode("utf-8")
    part: Part = (name, content, filename, None if filename is None else "text/plain", False)
    _check(vector["description"], [part], vector["multipart_body"], b.ROUTABLE_MULTIPART_HTML, {})


def check_media_type(vector: Any, data: Any) -> None:
    out, error = c.routable_string(), POINTER(c.routable_error)()
    # Each character is one byte (ISO 8859-1), unless the string has characters beyond it, which are UTF-8.
    text = vector["input"].encode("utf-8" if any(each > "\xff" for each in vector["input"]) else "latin-1")
    status = b.routable_media_type_normalize(str_of(text), byref(out), byref(error))
    c.routable_error_free(error)
    got = None
    if status == c.ROUTABLE_OK:
        got = string_at(out.ptr, out.len).decode("latin-1")
        c.routable_string_free(byref(out))
    expect(vector["input"], vector["output"], got)


def each_media_type(data: Any) -> Iterator[Tuple[str, Any]]:
    for index, vector in enumerate(data["vectors"] if isinstance(data, dict) else data):
        if isinstance(vector, dict):  # the others are comments
            yield f"/{index}", vector


SUITES = [
    Suite("alamofire/multipart.json", check_alamofire),
    Suite("mime/*.json", check_media_type, each_media_type),
]
