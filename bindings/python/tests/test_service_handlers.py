"""Services: the kinds of handlers, and mistakes in them."""

from __future__ import annotations

import asyncio
import logging
import os
from typing import Any, Callable, Dict, List, Tuple

import pytest
import routable
from test_service import Answer, asgi, wsgi

DOCUMENT: Dict[str, Any] = {
    "routable": 1,
    "base": "https://h.example",
    "auth": {"session": {"scheme": "bearer"}, "app": {"scheme": "key", "in": "header", "name": "X-Key"}, "login": {"scheme": "basic"},
             "mtls": {"scheme": "custom"}},
    "types": {"Item": {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}},
    "resources": {"item": {"path": "items", "id": {"name": "number", "type": "integer"}, "type": "Item", "can": ["list", "read", "create", "delete"]}},
    "operations": {
        "secret": {"post": "/secret", "auth": "session", "body": {"$ref": "#/types/Item"}},
        "either": {"get": "/either", "auth": ["app", "login"]},
        "optional": {"get": "/optional", "auth": ["session", []]},
        "page": {"get": "/page", "query": {"page-size": {"type": "integer", "default": 10}, "class": {"type": "string"}}},
        "any": {"get": "/any"},
        "gone": {"get": "/gone", "results": {"204": None}},
        "upload": {"post": "/upload", "body_as": "multipart"},
        "inside": {"get": "/inside", "auth": ["session", "mtls"], "query": {"identity": {"type": "string"}}},
        "both": {"get": "/both", "auth": [["app", "login"], "session"]},
        "named": {"get": "/named/{name}"},
    },
}
JSON = {"Content-Type": "application/json"}


def made(**options: Any) -> routable.Service:
    return routable.Service(routable.open(DOCUMENT), **options)


def asked(service: routable.Service, method: str, path: str, headers: Dict[str, str] = {}, body: bytes = b"") -> Answer:
    """The response, which must be the same for WSGI and ASGI."""
    one = wsgi(service, method, path, dict(headers), body)
    other = asgi(service, method, path, dict(headers), body)
    assert one[0] == other[0] and one[2] == other[2], (one, other)
    return one


def mistakes() -> List[Tuple[str, Any, str]]:
    return [
        ("item.read", lambda received, nummber: {}, "nummber.*did you mean \"number\""),
        ("item.read", lambda received, item_id: {}, "has the parameter item_id"),
        ("any", lambda received, page: {}, "has the parameter page"),
        ("any", lambda: {}, "must take the Received"),
    ]


@pytest.mark.parametrize("name, handler, message", mistakes())
def test_a_handler_that_cannot_be_called(name: str, handler: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        made().handle(name)(handler)


def test_decorators_without_their_argument() -> None:
    with pytest.raises(TypeError, match="requires the name of an operation"):
        made().handle(lambda received: {})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="requires the name of a scheme"):
        made().credential(lambda token: None)  # type: ignore[arg-type, return-value]


def test_an_invalid_base_path_is_refused() -> None:
    with pytest.raises(routable.RoutableError):
        made(base_path="x")


def test_names_that_python_does_not_have() -> None:
    service = made()

    @service.handle("page")
    def page(received: Any, page_size: int, class_: Any, database: str = "main") -> Any:
        return [page_size, class_, database]

    assert asked(service, "GET", "/page")[2] == b'[10,null,"main"]'
    assert asked(service, "GET", "/page?page-size=3&class=a")[2] == b'[3,"a","main"]'


def test_a_handler_that_raises_stop_iteration(caplog: Any) -> None:
    service = made()
    service.handle("any")(lambda received: next(iter(())))
    assert asked(service, "GET", "/any")[0] == 500
    assert "StopIteration" in caplog.text


def test_headers_of_a_response() -> None:
    service = made()
    service.handle("any")(lambda received: (200, {}, {"X-A": "b"}))
    assert asked(service, "GET", "/any")[1]["X-A"] == "b"

    service = made()
    service.handle("any")(lambda received: routable.Reply(value={}, headers={"Set-Cookie": ["a=1", "b=2"]}))
    pairs: List[Tuple[str, str]] = []
    environ = {"REQUEST_METHOD": "GET", "PATH_INFO": "/any", "wsgi.input": None}
    list(service.wsgi(environ, lambda status, headers: pairs.extend(headers)))
    assert [value for name, value in pairs if name == "Set-Cookie"] == ["a=1", "b=2"]


def test_head_has_the_status_of_get() -> None:
    service = made()
    service.handle("gone")(lambda received: None)
    service.handle("any")(lambda received: None)
    for path in ("/gone", "/any"):
        assert asked(service, "GET", path)[0] == asked(service, "HEAD", path)[0] == 204


def test_a_completed_change_is_not_refused_with_406() -> None:
    service = made()
    service.handle("item.create")(lambda received: (201, received.body))
    service.handle("item.list")(lambda received: [])
    html = {"Accept": "text/html"}
    assert asked(service, "POST", "/items", {**JSON, **html}, b'{"text": "a"}')[:3:2] == (201, b'{"text":"a"}')
    assert asked(service, "GET", "/items", html)[0] == 406


def test_a_status_of_a_failure_is_logged(caplog: Any) -> None:
    service = made()
    service.handle("any")(lambda received: (503, None))
    assert asked(service, "GET", "/any")[0] == 503
    assert "any: the handler has returned the status 503" in caplog.text


def test_files() -> None:
    service = made()
    service.handle("upload")(lambda received: [[each.name, each.filename, each.content_type, len(each.content)] for each in received.files])
    body = (b'--b\r\nContent-Disposition: form-data; name="photo"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n\xff\x00\r\n'
            b'--b\r\nContent-Disposition: form-data; name="photo"; filename="b.txt"\r\nContent-Type: text/plain\r\n\r\nhi!\r\n--b--\r\n')
    found = asked(service, "POST", "/upload", {"Content-Type": "multipart/form-data; boundary=b"}, body)
    assert found[2] == b'[["photo","a.png","image/png",2],["photo","b.txt","text/plain",3]]'


def test_a_body_that_is_declared_too_large_is_not_read() -> None:
    service = made(max_body=10)
    service.handle("upload")(lambda received: {})
    sent: List[Any] = []

    async def receive() -> Any:
        raise AssertionError("the body is not read")

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/upload", "query_string": b"", "root_path": "", "headers": [(b"content-length", b"11")]}
    asyncio.run(service.asgi(scope, receive, send))  # type: ignore[arg-type]
    assert sent[0]["status"] == 413


@pytest.mark.parametrize("path", ["/etc/passwd\0.txt", b"/etc/passwd\0"])
def test_a_path_with_nul_as_a_reply_is_refused(path: Any) -> None:
    service = made()
    service.handle("any")(lambda received: routable.Reply(file=path))
    assert asked(service, "GET", "/any")[0] == 500


def test_a_pipe_as_a_reply_is_refused(tmp_path: Any) -> None:
    os.mkfifo(tmp_path / "pipe")
    service = made()
    service.handle("any")(lambda received: routable.Reply(file=tmp_path / "pipe"))
    assert asked(service, "GET", "/any")[0] == 500


def test_a_file_that_was_read_begins_where_it_is(tmp_path: Any) -> None:
    (tmp_path / "a").write_bytes(b"0123456789")

    def handler(received: Any) -> Any:
        file = open(tmp_path / "a", "rb")
        assert file.read(3) == b"012"
        return routable.Reply(file=file)

    service = made()
    service.handle("any")(handler)
    assert asked(service, "GET", "/any")[2] == b"3456789"


@pytest.mark.parametrize("answer", [
    lambda: raised(routable.Refusal(404, None)),  # type: ignore[arg-type]
    lambda: raised(routable.Refusal(404.5)),  # type: ignore[arg-type]
    lambda: (2**40 + 200, {}),
    lambda: routable.Reply(headers={"X-A": 3}),  # type: ignore[dict-item]
])
def test_mistakes_of_a_handler_are_500(answer: Callable[[], Any]) -> None:
    service = made()
    service.handle("any")(lambda received: answer())
    assert asked(service, "GET", "/any")[0] == 500


def raised(error: Exception) -> Any:
    raise error


def test_a_path_without_its_escapes() -> None:
    service = made()
    service.handle("named")(lambda received, name: name)
    sent: List[Any] = []

    async def receive() -> Any:
        return {"type": "http.request"}

    async def send(message: Any) -> None:
        sent.append(message)

    # The client has sent /named/a%252Fb.
    asyncio.run(service.asgi({"type": "http", "method": "GET", "path": "/named/a%2Fb", "query_string": b"", "headers": []}, receive, send))
    assert sent[-1]["body"] == b'"a%2Fb"'


@pytest.mark.parametrize("environ, status", [
    ({"CONTENT_LENGTH": "abc"}, 200), ({"CONTENT_LENGTH": "-5"}, 200), ({"RAW_URI": "http://[x"}, 404),
])
def test_an_invalid_wsgi_environment_is_refused(environ: Dict[str, str], status: int) -> None:
    service = made()
    service.handle("any")(lambda received: {})
    statuses: List[str] = []
    list(service.wsgi({"REQUEST_METHOD": "GET", "PATH_INFO": "/any", "wsgi.input": None, **environ}, lambda code, _: statuses.append(code)))
    assert statuses[0].startswith(str(status)) or status == 404 and statuses[0][:3] in ("400", "404"), statuses


def test_a_mount_without_a_path() -> None:
    api = routable.open({"routable": 1, "base": "https://h.example", "operations": {"root": {"get": "/"}}})
    service = routable.Service(api)
    service.handle("root")(lambda received: {})
    scope = {"type": "http", "method": "GET", "path": "/app", "raw_path": b"/app", "query_string": b"x=1", "root_path": "/app", "headers": []}
    sent: List[Any] = []

    async def receive() -> Any:
        return {"type": "http.request"}

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(service.asgi(scope, receive, send))
    assert sent[0]["status"] == 200


def test_a_request_whose_content_type_is_not_utf_8(caplog: Any) -> None:
    service = made()
    service.handle("any")(lambda received, **all: {})
    statuses: List[str] = []
    environ = {"REQUEST_METHOD": "GET", "PATH_INFO": "/any", "wsgi.input": None, "CONTENT_TYPE": "\xff"}
    list(service.wsgi(environ, lambda code, _: statuses.append(code)))
    assert statuses == ["200 OK"]


def test_messages_name_the_operation(caplog: Any) -> None:
    caplog.set_level(logging.ERROR, "routable.service")
    service = made()
    service.handle("item.list")(lambda received: [{"text": 1}])
    asked(service, "GET", "/items")
    assert "item list: the response is not valid: /0/text does not match its type" in caplog.text
