"""Services: handlers, statuses, problem documents, credentials; as ASGI and WSGI applications, also with real servers."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

import pytest
import routable

NOTES: Dict[str, Any] = {
    "routable": 1,
    "base": "https://api.example.com/v1",
    "auth": {"session": {"scheme": "bearer"}},
    "types": {
        "Note": {
            "type": "object",
            "required": ["text"],
            "properties": {"text": {"type": "string", "minLength": 1}, "number": {"type": "integer"}},
        }
    },
    "resources": {
        "user": {"path": "users", "id": "name", "can": ["read"], "has": ["note"]},
        "note": {"path": "notes", "id": {"name": "number", "type": "integer"}, "nested": True, "type": "Note",
                 "can": ["list", "read", "create", "delete"]},
    },
    "operations": {
        "search": {"get": "/search", "query": {"q": {"type": "string", "required": True}, "limit": {"type": "integer", "default": 10}}},
        "secret": {"get": "/secret", "auth": "session"},
        "broken": {"get": "/broken", "results": {"200": {"type": "object", "required": ["a"]}}},
        "missing": {"get": "/missing"},
        "body": {"get": "/body/{kind}"},
    },
}

Answer = Tuple[int, Dict[str, str], bytes]


def make() -> routable.Service:
    service = routable.Service(routable.open(NOTES))
    notes: Dict[Tuple[str, int], Dict[str, Any]] = {("ann", 1): {"text": "first", "number": 1}}

    @service.handle("user.note.list")
    def all_notes(received: Any, user_id: str) -> Any:
        return [note for (name, _), note in notes.items() if name == user_id]

    @service.handle("user.note.read")
    async def read(received: Any, user_id: str, number: int) -> Any:
        await asyncio.sleep(0)
        note = notes.get((user_id, number))
        if note is None:
            raise routable.Refusal(404, "there is no such note")
        return routable.Reply(value=note, etag=f'"{number}"')

    @service.handle("user.note.create")
    def create(received: Any, user_id: str) -> Any:
        number = len(notes) + 1
        notes[(user_id, number)] = {**received.body, "number": number}
        return routable.Reply(201, notes[(user_id, number)], {"Location": f"/v1/users/{user_id}/notes/{number}"})

    @service.handle("user.note.delete")
    def delete(received: Any, **values: Any) -> None:
        assert values == {"user_id": "ann", "number": 1}
        status = received.precondition('"1"')
        if status:
            raise routable.Refusal(status, "it has changed")

    @service.handle("body")
    async def body(received: Any, kind: str) -> Any:
        return bodies(kind)

    @service.handle("search")
    def search(received: Any, q: str, limit: int) -> Any:
        return {"q": q, "limit": limit}

    @service.handle("secret")
    def secret(received: Any, identity: Any) -> Any:
        return {"identity": identity}

    @service.handle("broken")
    def broken(received: Any) -> Any:
        mode = received.parameters.get("mode")
        if mode == "raise":
            raise RuntimeError("a secret text")
        return (201, {"a": 1}) if mode == "status" else (200, {"b": 1})

    @service.credential("session")
    def session(token: str) -> Optional[str]:
        return {"good": "ann"}.get(token)

    return service


async def slow_items(fails: bool = False) -> Any:
    for number in range(3):
        await asyncio.sleep(0)
        yield {"number": number}
    if fails:
        raise RuntimeError("a secret text")


def bodies(kind: str) -> Any:
    note = ("user.note.read", {"user_id": "b/c", "number": 2})
    return {
        "lines": lambda: routable.Reply(lines=[{"a": 1}, "b\n"]),
        "slow": lambda: routable.Reply(lines=slow_items()),
        "broken": lambda: routable.Reply(lines=slow_items(True)),
        "events": lambda: routable.Reply(events=["a\nb", routable.Event("c", "note", "7")]),
        "path": lambda: routable.Reply(file=Path(__file__)),
        "file": lambda: routable.Reply(file=open(__file__, "rb"), content_type="text/plain"),
        "location": lambda: routable.Reply(201, {}, location=note),
        "position": lambda: routable.Reply(201, {}, location=("user.note.read", ["a", 3])),
        "url": lambda: routable.Reply(201, {}, location="/else"),
        "twice": lambda: routable.Reply(201, {}, lines=[]),
        "split": lambda: routable.Reply(200, {}, {"X-A": "1\r\nX-B: 2"}),
        "text": lambda: routable.Reply(value="hi", content_type="text/plain"),
        "bytes": lambda: b"\xff",
        "null": lambda: routable.Reply(value=None, content_type="application/json"),
        "nothing": lambda: None,
        "teapot": lambda: (418, {"short": True}),
        "header": lambda: _raise(routable.Refusal(429, "slow down", {"Retry-After": "5"})),
        "bad": lambda: _raise(routable.Refusal(429, "slow down", {"Retry-After": "5\n"})),
    }[kind]()


def _raise(error: Exception) -> Any:
    raise error


def wsgi(service: routable.Service, method: str, path: str, headers: Dict[str, str], body: bytes, root: str = "") -> Answer:
    answer: List[Any] = []
    route, _, query = path.partition("?")
    environ: Dict[str, Any] = {
        "REQUEST_METHOD": method, "SCRIPT_NAME": root, "PATH_INFO": urllib.parse.unquote(route, "latin-1"), "QUERY_STRING": query,
        "RAW_URI": root + path, "wsgi.input": io.BytesIO(body), "CONTENT_LENGTH": str(len(body)) if body else "", "CONTENT_TYPE": headers.pop("Content-Type", ""),
    }
    environ.update({f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()})
    content = b"".join(service.wsgi(environ, lambda status, pairs: answer.extend([int(status[:3]), dict(pairs)])))
    return answer[0], answer[1], content


def asgi(service: routable.Service, method: str, path: str, headers: Dict[str, str], body: bytes, root: str = "") -> Answer:
    route, _, query = path.partition("?")
    scope = {"type": "http", "method": method, "path": urllib.parse.unquote(root + route), "raw_path": (root + route).encode(),
             "query_string": query.encode(), "root_path": root,
             "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()]}
    parts = [{"type": "http.request", "body": body[:5], "more_body": True}, {"type": "http.request", "body": body[5:]}]
    sent: List[Any] = []

    async def receive() -> Any:
        return parts.pop(0) if parts else await asyncio.Future()  # a client that remains connected

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(service.asgi(scope, receive, send))
    names = {name.decode().title().replace("Www-", "WWW-").replace("Etag", "ETag"): value.decode() for name, value in sent[0]["headers"]}
    assert [each["more_body"] for each in sent[1:-1]] == [True] * len(sent[1:-1]) and not sent[-1].get("more_body")
    return sent[0]["status"], names, b"".join(each["body"] for each in sent[1:])


@pytest.fixture(params=[wsgi, asgi], ids=["wsgi", "asgi"])
def call(request: Any) -> Callable[..., Answer]:
    service = make()

    def run(method: str, path: str, headers: Optional[Dict[str, str]] = None, body: bytes = b"", root: str = "") -> Answer:
        answer: Answer = request.param(service, method, path, dict(headers or {}), body, root)
        return answer

    return run


JSON = {"Content-Type": "application/json"}


def test_results_of_handlers_become_responses(call: Any) -> None:
    status, headers, body = call("GET", "/v1/users/ann/notes/1")
    assert (status, headers["Content-Type"], json.loads(body)) == (200, "application/json", {"text": "first", "number": 1})
    assert headers["Content-Length"] == str(len(body))
    status, headers, body = call("POST", "/v1/users/b%2Fc/notes", JSON, b'{"text": "hi"}')
    assert (status, headers["Location"]) == (201, "/v1/users/b/c/notes/2")
    assert json.loads(call("GET", "/v1/search?q=a%20b")[2]) == {"q": "a b", "limit": 10}
    assert call("DELETE", "/v1/users/ann/notes/1") == (204, {}, b"")
    assert json.loads(call("GET", "/v1/users/ann/notes", root="/mounted")[2])[0]["number"] == 1


def test_head_options_and_undeclared_methods(call: Any) -> None:
    status, headers, body = call("HEAD", "/v1/users/ann/notes/1")
    assert (status, body) == (200, b"") and int(headers["Content-Length"]) > 10
    assert call("OPTIONS", "/v1/users/ann/notes/1") == (204, {"Allow": "DELETE, GET, HEAD"}, b"")
    status, headers, body = call("PATCH", "/v1/users/ann/notes/1")
    assert (status, headers["Allow"], headers["Content-Type"]) == (405, "DELETE, GET, HEAD", "application/problem+json")


def test_refusals_are_problem_documents(call: Any) -> None:
    status, headers, body = call("POST", "/v1/users/ann/notes", JSON, b'{"text": "", "number": "x"}')
    problem = json.loads(body)
    assert status == 422 and headers["Content-Type"] == "application/problem+json"
    assert (problem["type"], problem["title"], problem["status"]) == ("about:blank", "Unprocessable Content", 422)
    assert [each["pointer"] for each in problem["errors"]] == ["/text", "/number"]
    status, _, body = call("GET", "/v1/search?limit=x")
    assert [(each.get("parameter"), each.get("in")) for each in json.loads(body)["errors"]] == [("q", "query"), ("limit", "query")]
    assert call("GET", "/v1/nothing")[0] == 404
    assert call("POST", "/v1/users/ann/notes", {"Content-Type": "text/csv"}, b"a")[0] == 415
    assert call("POST", "/v1/users/ann/notes", JSON, b"{")[0] == 400
    assert json.loads(call("GET", "/v1/users/ann/notes/99")[2]) == {
        "type": "about:blank", "title": "Not Found", "status": 404, "detail": "there is no such note"}


def test_failures_of_handlers(call: Any, caplog: Any) -> None:
    with caplog.at_level(logging.ERROR):
        status, _, body = call("GET", "/v1/broken?mode=raise")
    assert status == 500 and b"secret" not in body and "a secret text" in caplog.text and "broken" in caplog.text
    assert call("GET", "/v1/broken?mode=status")[0] == 500  # an undeclared status
    assert call("GET", "/v1/broken")[0] == 500  # an undeclared value
    assert call("GET", "/v1/missing")[0] == 501


def test_credentials_are_required_and_verified(call: Any) -> None:
    status, headers, _ = call("GET", "/v1/secret")
    assert (status, headers["WWW-Authenticate"]) == (401, 'Bearer realm="service"')
    assert call("GET", "/v1/secret", {"Authorization": "Bearer bad"})[0] == 401
    assert json.loads(call("GET", "/v1/secret", {"Authorization": "Bearer good"})[2]) == {"identity": "ann"}


def test_accept_and_conditions(call: Any) -> None:
    path = "/v1/users/ann/notes/1"
    assert call("GET", path, {"Accept": "text/html, application/*;q=0.5"})[0] == 200
    assert call("GET", path, {"Accept": "application/json;q=0, */*"})[0] == 406
    assert call("GET", path, {"Accept": "text/html"})[0] == 406
    status, headers, body = call("GET", path, {"If-None-Match": 'W/"1", "x"'})
    assert (status, body, headers["ETag"]) == (304, b"", '"1"')
    assert call("GET", path, {"If-None-Match": '"2"'})[0] == 200


def test_preconditions_are_compared_with_the_etag(call: Any) -> None:
    path = "/v1/users/ann/notes/1"
    assert call("GET", path, {"If-Match": '"2"'})[0] == 412
    assert call("GET", path, {"If-Match": '"2", "1"'})[0] == 200
    status, headers, body = call("DELETE", path, {"If-Match": 'W/"1"'})
    assert (status, headers["Content-Type"]) == (412, "application/problem+json")
    assert json.loads(body) == {"type": "about:blank", "title": "Precondition Failed", "status": 412, "detail": "it has changed"}
    assert call("DELETE", path, {"If-Match": "*"})[0] == 204


def test_streams_events_and_files_are_sent(call: Any, caplog: Any) -> None:
    status, headers, body = call("GET", "/v1/body/lines")
    assert (status, headers, body) == (200, {"Content-Type": "application/jsonl"}, b'{"a":1}\n"b\\n"\n')
    assert call("GET", "/v1/body/slow")[2] == b'{"number":0}\n{"number":1}\n{"number":2}\n'
    with pytest.raises(RuntimeError, match="a secret text"):
        call("GET", "/v1/body/broken")
    assert "a secret text" in caplog.text
    status, headers, body = call("GET", "/v1/body/events")
    assert (headers["Content-Type"], body) == ("text/event-stream", b"data: a\ndata: b\n\nid: 7\nevent: note\ndata: c\n\n")
    own = Path(__file__).read_bytes()
    for kind, media in (("path", "application/octet-stream"), ("file", "text/plain")):
        assert call("GET", f"/v1/body/{kind}") == (200, {"Content-Type": media, "Content-Length": str(len(own))}, own)
        assert call("HEAD", f"/v1/body/{kind}") == (200, {"Content-Type": media, "Content-Length": str(len(own))}, b"")
    assert call("GET", "/v1/body/text") == (200, {"Content-Type": "text/plain", "Content-Length": "2"}, b"hi")
    assert call("GET", "/v1/body/bytes") == (200, {"Content-Type": "application/octet-stream", "Content-Length": "1"}, b"\xff")
    assert call("GET", "/v1/body/null")[2] == b"null"
    assert call("GET", "/v1/body/nothing") == (204, {}, b"")
    assert call("GET", "/v1/body/teapot") == (418, {"Content-Type": "application/json", "Content-Length": "14"}, b'{"short":true}')
    for kind in ("twice", "split", "bad"):
        status, headers, body = call("GET", f"/v1/body/{kind}")
        assert (status, body) == (500, b'{"type":"about:blank","title":"Internal Server Error","status":500}'), kind
    status, headers, body = call("GET", "/v1/body/header")
    assert (status, headers["Retry-After"]) == (429, "5")
    assert body == b'{"type":"about:blank","title":"Too Many Requests","status":429,"detail":"slow down"}'


def test_locations_are_built_from_operations(call: Any) -> None:
    assert call("GET", "/v1/body/location")[1]["Location"] == "/v1/users/b%2Fc/notes/2"
    assert call("GET", "/v1/body/position")[1]["Location"] == "/v1/users/a/notes/3"
    assert call("GET", "/v1/body/location", root="/mounted")[1]["Location"] == "/mounted/v1/users/b%2Fc/notes/2"
    assert call("GET", "/v1/body/url", root="/mounted")[1]["Location"] == "/else"


def test_media_types() -> None:
    service = routable.Service(routable.open({
        "openapi": "3.1.0", "info": {"title": "t", "version": "1"},
        "paths": {"/r": {"get": {"operationId": "r", "responses": {
            "201": {"description": "r", "content": {"application/json": {"schema": {"type": "object"}}, "application/vnd.b+json": {}, "text/csv": {}}},
        }}}},
    }))

    @service.handle("r")
    def handler(received: Any) -> Any:
        return received.parameters.get("csv", "").encode() or {"a": 1}

    for application in (wsgi, asgi):
        assert application(service, "GET", "/r", {}, b"")[:2] == (
            201, {"Content-Type": "application/json", "Vary": "Accept", "Content-Length": "7"})
        status, headers, body = application(service, "GET", "/r", {"Accept": "application/json;q=0.1, */*;q=0.2"}, b"")
        assert (status, headers["Content-Type"], body) == (201, "application/vnd.b+json", b'{"a":1}')
        assert application(service, "GET", "/r", {"Accept": "text/csv"}, b"")[0] == 406
        assert application(service, "GET", "/r?csv=a,b", {"Accept": "text/csv"}, b"")[2] == b"a,b"


def test_a_large_body() -> None:
    service = routable.Service(routable.open(NOTES), max_body=10)
    for application in (wsgi, asgi):
        assert application(service, "POST", "/v1/users/ann/notes", dict(JSON), b'{"text": "long"}')[0] == 413


def test_options_of_a_service(caplog: Any) -> None:
    api = routable.open(NOTES)
    service = routable.Service(api, base_path="/other", plain_400=True)
    assert wsgi(service, "GET", "/other/search?limit=x", {}, b"")[0] == 400
    assert "missing" in caplog.text and service.missing
    with pytest.raises(RuntimeError, match="note.create"):
        routable.Service(api, strict=True).start()
    with pytest.raises(routable.UnknownError):
        service.handle("nothing")
    with pytest.raises(routable.NotAllowedError):
        service.handle("user.note.update")
    service.handle("search")(lambda received: {})
    with pytest.raises(ValueError, match="already"):
        service.handle("search")


# --- Real servers ---

APPLICATION = '''
import sys
sys.path.insert(0, {folder!r})
import test_service
service = test_service.make()
asgi, wsgi = service.asgi, service.wsgi

def mounted_asgi():
    from starlette.applications import Starlette
    from starlette.responses import PlainTextResponse
    from starlette.routing import Mount, Route
    return Starlette(routes=[Route("/own", lambda request: PlainTextResponse("own")), Mount("/api", app=service.asgi)])

def mounted_wsgi():
    from flask import Flask
    from werkzeug.middleware.dispatcher import DispatcherMiddleware
    own = Flask("own")
    own.route("/own")(lambda: "own")
    return DispatcherMiddleware(own, {{"/api": service.wsgi}})
'''


@pytest.fixture(params=["uvicorn", "gunicorn", "starlette", "flask"])
def server(request: Any, tmp_path: Path) -> Iterator[Tuple[str, str]]:
    for module in {"starlette": ["starlette", "uvicorn"], "flask": ["flask", "gunicorn"]}.get(request.param, [request.param]):
        pytest.importorskip(module)
    (tmp_path / "application.py").write_text(APPLICATION.format(folder=str(Path(__file__).parent)))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    uvicorn = [sys.executable, "-m", "uvicorn", "--port", str(port), "--log-level", "warning"]
    gunicorn = [sys.executable, "-m", "gunicorn", "--bind", f"127.0.0.1:{port}", "--log-level", "warning"]
    command = {
        "uvicorn": [*uvicorn, "application:asgi"], "starlette": [*uvicorn, "--factory", "application:mounted_asgi"],
        "gunicorn": [*gunicorn, "application:wsgi"], "flask": [*gunicorn, "application:mounted_wsgi()"],
    }[request.param]
    process = subprocess.Popen(command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    base = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                assert process.poll() is None and time.monotonic() < deadline, f"{request.param} does not start"
                time.sleep(0.05)
        yield base, "/api/v1" if request.param in ("starlette", "flask") else "/v1"
    finally:
        process.terminate()
        process.wait(20)


def fetch(url: str, method: str = "GET", body: Optional[bytes] = None, headers: Optional[Dict[str, str]] = None) -> Tuple[int, bytes]:
    request = urllib.request.Request(url, body, headers or {}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def test_a_server(server: Tuple[str, str]) -> None:
    base, prefix = server
    status, body = fetch(base + prefix + "/users/a%2Fb/notes", "POST", b'{"text": "\xc3\xa9"}', JSON)
    assert status == 201, body
    number = json.loads(body)["number"]
    assert fetch(f"{base}{prefix}/users/a%2Fb/notes/{number}")[0] == 200
    assert json.loads(fetch(base + prefix + "/search?q=%C3%A9+1")[1]) == {"q": "\u00e9 1", "limit": 10}
    assert fetch(base + prefix + "/users/ann/notes", "POST", b"{}", JSON)[0] == 422
    assert fetch(base + prefix + "/secret")[0] == 401
    assert fetch(base + prefix + "/broken?mode=raise")[0] == 500
    if prefix.startswith("/api"):
        assert fetch(base + "/own") == (200, b"own")
