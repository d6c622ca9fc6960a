"""A tape records the exchanges of a client in a file, and replays them by their calls (docs/tape.md)."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import resource
import threading
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

import pytest
import routable
from routable.testing import Mock, Responses, Tape

NOTES: Dict[str, Any] = {
    "routable": 1, "base": "https://api.example.com/v1",
    "types": {"Note": {"type": "object", "required": ["text"], "properties": {
        "number": {"type": "integer", "readOnly": True}, "text": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}},
        "pin": {"type": "string", "writeOnly": True}}}},
    "resources": {"note": {"path": "notes", "id": {"name": "number", "type": "integer"}, "type": "Note",
                           "can": ["list", "read", "create", "update", "delete"]}},
    "operations": {
        "search": {"get": "/search", "query": {"q": {"type": "string"}, "page": {"type": "integer"}, "tag": {"type": "string"}}},
        "blob": {"get": "/blob"}, "old": {"get": "/old"}, "send": {"post": "/send", "body_as": "multipart"}},
}
Service = Callable[[routable.TransportRequest], routable.TransportResponse]


@pytest.fixture(scope="module")
def api() -> routable.Router:
    return routable.open(NOTES)


@pytest.fixture(autouse=True)
def not_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "notes.har"


def counted() -> Service:
    """A service that numbers its responses."""
    numbers = iter(range(1, 1_000_000))
    return lambda request: routable.TransportResponse(200, json={"text": f"{request.method} {next(numbers)}"})


def never(request: routable.TransportRequest) -> routable.TransportResponse:
    raise AssertionError(f"the service was asked for {request.url}")


def record(api: routable.Router, path: Path, use: Callable[[routable.Client], Any], over: object = None, **options: Any) -> Any:
    with Tape(api, path, mode="record", over=counted() if over is None else over, **options) as tape, routable.Client(transport=tape) as client:
        return use(client)


def replay(api: routable.Router, path: Path, use: Callable[[routable.Client], Any], mode: str = "replay", **options: Any) -> Any:
    with Tape(api, path, mode=mode, over=never, **options) as tape, routable.Client(transport=tape) as client:
        return use(client)


def entries(path: Path) -> List[Dict[str, Any]]:
    found: List[Dict[str, Any]] = json.loads(path.read_text())["log"]["entries"]
    return found


def test_the_nth_equal_call_gets_the_nth_response(api: routable.Router, path: Path) -> None:
    def use(client: routable.Client) -> List[str]:
        return [client.perform(request).value["text"] for request in (api.note(1).read(), api.note(2).read(), api.note(1).read())]

    assert record(api, path, use) == ["GET 1", "GET 2", "GET 3"]
    assert replay(api, path, use) == ["GET 1", "GET 2", "GET 3"]
    assert [each["_operation"] for each in entries(path)] == ["note.read"] * 3

    # The order matters only among equal calls.
    def other(client: routable.Client) -> List[str]:
        return [client.perform(request).value["text"] for request in (api.note(2).read(), api.note(1).read(), api.note(1).read())]

    assert replay(api, path, other) == ["GET 2", "GET 1", "GET 3"]


def test_equal_calls_match_despite_their_spelling(api: routable.Router, path: Path) -> None:
    def sent(first: bool) -> Callable[[routable.Client], Any]:
        note = {"text": "hé", "tags": ["a", "b"]} if first else {"tags": ["a", "b"], "text": "hé"}

        def use(client: routable.Client) -> List[Any]:
            search = api.operations.search(q="a b", page=2) if first else api.operations.search(page=2, q="a b")
            form = api.operations.send({"x": "1", "y": "2"} if first else {"y": "2", "x": "1"}, routable.using(files={"f": b"\x00\xff"}))
            return [client.perform(each).value for each in (search, api.note.create(note), form)]

        return use

    recorded = record(api, path, sent(True))
    assert replay(api, path, sent(False)) == recorded
    # The tape has a fixed boundary instead of that of the request.
    body = entries(path)[2]["request"]["postData"]
    assert body["_encoding"] == "base64" and "boundary=routable-boundary" in body["mimeType"]
    # An edited tape: other bytes for the same calls.
    text = path.read_text()
    text = text.replace("q=a%20b&page=2", "page=2&q=a+b").replace('"q=a', '"q=a')
    assert "page=2&q=a+b" in text
    path.write_text(text)
    assert replay(api, path, sent(False)) == recorded


def test_another_base_is_the_same_call(api: routable.Router, path: Path) -> None:
    def at(base: Optional[str]) -> Callable[[routable.Client], Any]:
        return lambda client: client.perform(api.note(1).read(routable.using(base=base)) if base else api.note(1).read()).value

    recorded = record(api, path, at("http://127.0.0.1:81/other/v2"))
    assert entries(path)[0]["_base"] == "/other/v2"
    assert replay(api, path, at("http://127.0.0.1:90")) == recorded
    assert replay(api, path, at(None)) == recorded


def test_an_unrecorded_call_fails(api: routable.Router, path: Path) -> None:
    record(api, path, lambda client: [client.perform(api.operations.search(q="a", page=1)), client.perform(api.operations.search(q="b", page=3))])

    def message(request: routable.Request, *before: routable.Request) -> str:
        with pytest.raises(routable.CallbackError) as ended:
            with Tape(api, path, mode="replay") as tape, routable.Client(transport=tape) as client:
                for each in before:
                    client.perform(each)
                with pytest.raises(routable.CallbackError) as caught:
                    client.perform(request)
        # The test fails even if the program catches the error.
        assert ended.value.message == caught.value.message
        return caught.value.message

    assert message(api.operations.search(q="b", page=4)).endswith(
        'no exchange for search; the nearest is entry 2 (GET https://api.example.com/v1/search?***, search), which differs: '
        '/query/page is 4 and 3 on the tape')
    assert "/query/page is absent and 1 on the tape" in message(api.operations.search(q="a"))
    assert '/query/tag is "x" and absent from the tape' in message(api.operations.search(q="a", page=1, tag="x"))
    assert "; it has: search" in message(api.operations.old())
    again = api.operations.search(q="a", page=1)
    assert "is used up: the call was recorded 1 times, and made again" in message(again, again)


def test_unused_entries_fail_the_test(api: routable.Router, path: Path) -> None:
    record(api, path, lambda client: [client.perform(api.note(number).read()) for number in (1, 2, 3)])
    with pytest.raises(routable.CallbackError, match=r"entry 1 \(GET https://api.example.com/v1/notes/1, note.read\), and 1 further entries was not used"):
        replay(api, path, lambda client: client.perform(api.note(2).read()))
    replay(api, path, lambda client: client.perform(api.note(2).read()), allow_unused=True)
    # An exception of the test has precedence.
    with pytest.raises(ZeroDivisionError), Tape(api, path, mode="replay"):
        1 / 0  # noqa: B018


def test_auto_records_missing_calls(api: routable.Router, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def perform(mode: str, over: object, *numbers: int) -> List[str]:
        with Tape(api, path, mode=mode, over=over) as tape, routable.Client(transport=tape) as client:
            return [client.perform(api.note(number).read()).value["text"] for number in numbers]

    service = counted()
    assert perform("auto", service, 1, 2) == ["GET 1", "GET 2"]
    before = path.read_bytes()
    assert perform("auto", never, 2, 1) == ["GET 2", "GET 1"]
    assert path.read_bytes() == before
    assert perform("auto", service, 1, 2, 1) == ["GET 1", "GET 2", "GET 3"]
    assert path.read_bytes().startswith(before[: before.rindex(b"\n  ]")])
    monkeypatch.setenv("CI", "true")
    with pytest.raises(routable.CallbackError, match="no exchange for note.read"):
        perform("auto", never, 1, 2, 1, 3)
    with pytest.raises(routable.FileError, match="nothing is recorded while the environment variable CI is set"):
        Tape(api, path.with_name("none.har"))
    monkeypatch.delenv("CI")
    with pytest.raises(routable.FileError, match="record it first"):
        Tape(api, path.with_name("none.har"), mode="replay")


def test_a_recording_is_the_same_bytes_again_and_private(api: routable.Router, path: Path) -> None:
    def use(client: routable.Client) -> None:
        client.perform(api.note.create({"text": "a", "pin": "1234"}))

    record(api, path, use)
    first = path.read_bytes()
    path.chmod(0o644)
    record(api, path, use)
    assert path.read_bytes() == first
    assert path.stat().st_mode & 0o777 == 0o600
    assert sorted(path.parent.iterdir()) == [path]
    # A change of one member changes one line.
    record(api, path, lambda client: client.perform(api.note.create({"text": "b", "pin": "1234"})))
    changed = [line for line in path.read_text().splitlines() if line not in first.decode().splitlines()]
    assert changed == ['       "text": "b",']


def test_network_failures_retries_and_delays(api: routable.Router, path: Path) -> None:
    def use(client: routable.Client) -> Tuple[int, str]:
        with routable.Client(transport=client._transport, retries=3, retry_delay=0.001) as retrying:
            response = retrying.perform(api.note(1).read())
            return len(response.attempts), response.value["text"]

    with Responses() as responses:
        responses.add(fault="reset")
        responses.add(status=503, headers=[("Retry-After", "0")])
        responses.add(json={"text": "done"})
        assert record(api, path, use, over=responses) == (2, "done")
    assert [each.get("_curl_code") for each in entries(path)] == [56, None, None]
    assert replay(api, path, use) == (2, "done")

    def late(client: routable.Client) -> str:
        with pytest.raises(routable.TimeoutError) as caught:
            client.perform(api.note(1).read())
        return caught.value.message

    with Responses() as responses:
        responses.add(fault="timeout")
        recorded = record(api, path, late, over=responses)
    assert replay(api, path, late) == recorded


def test_redirects_pages_and_refreshes(path: Path) -> None:
    api = routable.open({
        "routable": 1, "base": "https://api.example.com", "auth": {"app": {"scheme": "oauth2", "token_url": "https://login.example.com/token", "default": True}},
        "operations": {"items": {"get": "/items", "query": {"page": {"type": "integer"}}, "pagination": {"by": "link"}}, "old": {"get": "/old"}}})
    rejected: List[str] = []

    def service(request: routable.TransportRequest) -> routable.TransportResponse:
        if request.url.endswith("/token"):
            return routable.TransportResponse(200, json={"access_token": f"token-number-{len(rejected)}", "refresh_token": "renewed-token", "expires_in": 3600})
        if request.headers.get("Authorization") != f"Bearer token-number-{len(rejected)}" or not rejected:
            rejected.append(request.url)
            return routable.TransportResponse(401)
        if "/old" in request.url:
            return routable.TransportResponse(307, headers=[("Location", "/items?page=7")])
        if "page=2" in request.url:
            return routable.TransportResponse(200, json=[3])
        return routable.TransportResponse(200, headers=[("Link", "</items?page=2>; rel=next")], json=[1, 2])

    def use(tape: Tape, secret: str) -> List[Any]:
        credential = routable.Credential(client_id="me", client_secret=secret)
        with routable.Client(api, transport=tape, credentials={"app": credential}) as client:
            old = client.perform(api.operations.old())
            return [list(client.items(api.operations.items())), old.value, old.status]

    with Tape(api, path, mode="record", over=service) as tape:
        recorded = use(tape, "the-first-secret")
    assert recorded == [[1, 2, 3], [1, 2], 200]
    with Tape(api, path, mode="check") as tape:
        assert use(tape, "another") == recorded
    text = path.read_text()
    assert "token-number" not in text and "the-first-secret" not in text and "renewed" not in text
    assert [each.get("_operation") for each in entries(path)] == [None, "old", None, "old", "items", "items", "items"]


def test_bodies_of_each_kind_are_replayed(api: routable.Router, path: Path) -> None:
    bodies: List[Tuple[int, bytes, str]] = [
        (200, b"\x00\xff\x80", "application/octet-stream"), (200, b'{"a": 1.50}', "application/json"), (200, b'{"a":1}', "application/json"),
        (200, b"", "text/plain"), (204, b"", "text/plain"), (200, "é\n\"\\\u0000".encode(), "text/plain"), (200, b"[", "application/json"),
        (200, b'{"a":1,"a":2}', "application/json"), (200, os.urandom(300_000), "image/png"), (404, b"<p>", "text/html"), (200, b"0", "application/json")]
    left = iter(bodies)

    def service(request: routable.TransportRequest) -> routable.TransportResponse:
        status, body, media = next(left)
        return routable.TransportResponse(status, headers=[("Content-Type", media), ("X-Latin", b"caf\xe9".decode("latin-1"))], body=body)

    def use(client: routable.Client) -> List[Tuple[int, bytes, Optional[str]]]:
        seen = []
        for _ in bodies:
            try:
                response = client.perform(api.operations.blob())
            except routable.HTTPStatusError as error:
                assert error.response is not None
                response = error.response
            seen.append((response.status, response.body, response.headers.get("Content-Type")))
        return seen

    recorded = record(api, path, use, over=service)
    assert recorded == [(status, body, media) for status, body, media in bodies]
    assert replay(api, path, use) == recorded


def test_many_threads_record_and_replay(api: routable.Router, path: Path) -> None:
    def use(client: routable.Client) -> List[str]:
        with ThreadPoolExecutor(8) as pool:
            return sorted(pool.map(lambda index: client.perform(api.note(index % 5).read()).value["text"], range(200)))

    recorded = record(api, path, use)
    assert replay(api, path, use) == recorded

    async def many(tape: Tape) -> List[str]:
        async with routable.AsyncClient(transport=tape) as client:
            responses = await asyncio.gather(*(client.perform(api.note(index % 5).read()) for index in range(200)))
            return sorted(response.value["text"] for response in responses)

    with Tape(api, path, mode="replay") as tape:
        assert asyncio.run(many(tape)) == recorded


def test_a_mock_is_recorded(api: routable.Router, path: Path) -> None:
    def use(client: routable.Client) -> Any:
        made = client.perform(api.note.create({"text": "a"})).value
        return made, client.perform(api.note.list()).value

    with Mock(api) as mock:
        recorded = record(api, path, use, over=mock)
    assert replay(api, path, use, mode="check") == recorded


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        route = self.path.partition("?")[0]
        body, headers, status = b'{"text":"plain"}', {"Content-Type": "application/json"}, 200
        if route == "/v1/old":
            status, headers, body = 302, {"Location": "/v1/notes/7"}, b""
        elif route == "/v1/notes/8":
            body = gzip.compress(b'{"text":"' + b"x" * 1000 + b'"}')
            headers["Content-Encoding"] = "gzip"
        elif route == "/v1/notes/9":
            headers["Set-Cookie"] = "session=cookie-secret; Path=/"
            body = json.dumps({"text": self.headers.get("Cookie", "none")}).encode()
        elif route == "/v1/blob":
            body, headers["Content-Type"] = b"x" * (65 << 20), "application/octet-stream"
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_HEAD = do_GET

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[str]:
    made = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{made.server_address[1]}/v1"
    made.shutdown()
    made.server_close()


def test_a_tape_over_libcurl_records_and_replays(api: routable.Router, path: Path, server: str) -> None:
    def use(tape: Tape, base: str) -> List[Any]:
        with routable.Client(api, base=base, transport=tape, cookies=True, proxy="") as client:
            seen: List[Any] = [client.perform(api.note(number).read()).value for number in (7, 8, 9, 9)]
            seen.append(client.perform(api.operations.old()).value)
            return seen

    with Tape(api, path, mode="record") as tape:
        recorded = use(tape, server)
    assert recorded == [{"text": "plain"}, {"text": "x" * 1000}, {"text": "none"}, {"text": "session=cookie-secret"}, {"text": "plain"}]
    text = path.read_text()
    assert "cookie-secret" not in text
    with Tape(api, path, mode="replay") as tape:
        replayed = use(tape, "http://127.0.0.1:1/v1")
    assert replayed[3] != recorded[3] and replayed[:3] + replayed[4:] == recorded[:3] + recorded[4:]

    async def together(tape: Tape, base: str) -> List[Any]:
        async with routable.AsyncClient(api, base=base, transport=tape, proxy="") as client:
            return [each.value for each in await asyncio.gather(*(client.perform(api.note(7).read()) for _ in range(20)))]

    with Tape(api, path, mode="record") as tape:
        assert asyncio.run(together(tape, server)) == [{"text": "plain"}] * 20
    assert len(entries(path)) == 20

    # A response over the limit of the client is not recorded, and the request fails as without a tape.
    with Tape(api, path, mode="record") as tape, routable.Client(api, base=server, transport=tape, proxy="") as client:
        with pytest.raises(routable.LimitError):
            client.perform(api.operations.blob())
    assert entries(path) == []
    # A service that does not run: the failure is recorded.
    with Tape(api, path, mode="record") as tape, routable.Client(api, base="http://127.0.0.1:1/v1", transport=tape, proxy="") as client:
        with pytest.raises(routable.TransferError) as failed:
            client.perform(api.operations.old())
    with Tape(api, path, mode="replay") as tape, routable.Client(api, base="http://127.0.0.1:1/v1", transport=tape) as client:
        with pytest.raises(routable.TransferError) as again:
            client.perform(api.operations.old())
    assert again.value.curl_code == failed.value.curl_code == 7


def test_a_head_request(path: Path) -> None:
    api = routable.open({"routable": 1, "base": "https://api.example.com/v1", "operations": {"probe": {"head": "/blob"}, "blob": {"get": "/blob"}}})
    request = api.operations["probe"]()

    def service(sent: routable.TransportRequest) -> routable.TransportResponse:
        return routable.TransportResponse(200, headers={"Content-Length": "5", "ETag": f'"{sent.method}"'})

    record(api, path, lambda client: client.perform(request), service)
    with Tape(api, path, mode="replay") as tape, routable.Client(transport=tape) as client:
        response = client.perform(request)
        assert (response.status, response.headers["ETag"], response.body) == (200, '"HEAD"', b"")
    tape = Tape(api, path, mode="replay")
    with routable.Client(transport=tape) as client, pytest.raises(routable.CallbackError):
        client.perform(api.operations["blob"]())    # a GET of the same path is another call


def test_a_changed_description_is_detected(api: routable.Router, path: Path) -> None:
    record(api, path, lambda client: [client.perform(api.note.create({"text": "a"})), client.perform(api.operations.old())])

    def changed(change: Callable[[Dict[str, Any]], object]) -> routable.Router:
        document = json.loads(json.dumps(NOTES))
        change(document)
        return routable.open(document)

    with pytest.raises(routable.DocumentError, match=r"entry 2 \(GET https://api.example.com/v1/old, old\): the description no longer allows it: no route") as caught:
        Tape(changed(lambda document: document["operations"].pop("old")), path, mode="replay")
    assert caught.value.pointer == "/log/entries/1"
    with pytest.raises(routable.DocumentError, match="the request is now one of former"):
        Tape(changed(lambda document: document["operations"].update(former=document["operations"].pop("old"))), path)
    stricter = changed(lambda document: document["types"]["Note"]["required"].append("tags"))
    with pytest.raises(routable.DocumentError, match=r"entry 1 .*no longer allows it.*tags") as caught:
        Tape(stricter, path, mode="check")
    # Only `check` validates the responses of the tape; in other modes, the client validates them.
    narrower = changed(lambda document: document["types"]["Note"]["properties"]["text"].update(maxLength=1))
    assert Tape(narrower, path, mode="replay")
    with pytest.raises(routable.DocumentError, match=r"entry 1 .*the response is not valid.*at most 1"):
        Tape(narrower, path, mode="check")
    both = changed(lambda document: (document["operations"].pop("old"), document["types"]["Note"]["required"].append("tags")))
    with pytest.raises(routable.DocumentError) as caught:
        Tape(both, path, mode="check")
    assert caught.value.next is not None and "entry 2" in caught.value.next.message


def test_invalid_tape_files_are_refused(api: routable.Router, path: Path) -> None:
    record(api, path, lambda client: client.perform(api.note(1).read()))
    good = path.read_text()

    def refused(text: str) -> routable.RoutableError:
        path.write_text(text)
        with pytest.raises(routable.RoutableError) as caught:
            Tape(api, path, mode="replay")
        assert str(path) in caught.value.message
        return caught.value

    assert isinstance(refused(good[: len(good) // 2]), routable.JSONError)
    assert refused(good[: len(good) // 2]).line
    assert isinstance(refused(""), routable.JSONError)
    assert refused("[" * 100_000).message
    assert 'requires the member "log" here' in refused("{}").message
    assert "must be an array" in refused('{"log":{"entries":{}}}').message
    assert refused('{"log":{"entries":[{}]}}').pointer == "/log/entries/0"
    assert "0 is not a final HTTP status" in refused(good.replace('"status": 200', '"status": 0')).message
    assert "out of range" in refused(good.replace('"status": 200', '"status": 99999999999')).message
    assert refused(good.replace('"Content-Type"', '"Content Type"')).pointer == "/log/entries/0/response/headers/0"
    assert "base64" in refused(good.replace('"_json": {', '"encoding": "base64", "text": "%%%", "x": {')).message
    assert "must be a string" in refused(good.replace('"_json": {', '"text": {')).message
    # A HAR file of a browser is a tape, too.
    path.write_text(json.dumps({"log": {"entries": [{
        "request": {"method": "GET", "url": "https://api.example.com/v1/notes/1", "headers": [{"name": ":authority", "value": "x"}]},
        "response": {"status": 200, "headers": [{"name": "content-type", "value": "application/json"}], "content": {"text": "{\"text\": \"hand\"}"}}}]}}))
    assert replay(api, path, lambda client: client.perform(api.note(1).read()).value) == {"text": "hand"}


def test_files_that_cannot_be_written(api: routable.Router, path: Path) -> None:
    def saved(path: Path) -> None:
        record(api, path, lambda client: client.perform(api.note(1).read()))

    for place in (path.parent / "none" / "x.har", Path("/dev/full"), Path("/proc/x.har"), path.parent):
        with pytest.raises(routable.FileError):
            saved(place)
    saved(path)
    before = path.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))  # behaves like a full disk
    try:
        with pytest.raises(routable.FileError, match="cannot be written"):
            saved(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == before and sorted(path.parent.iterdir()) == [path]
    blocked = Path(f"{path}.part-{os.getpid()}")
    blocked.write_text("")
    with pytest.raises(routable.FileError, match="cannot be written"):
        saved(path)
    blocked.unlink()
    assert path.read_bytes() == before
    # Two tapes of one file: the second would overwrite the first.
    with pytest.raises(routable.FileError, match="was changed since the tape was opened"):
        with Tape(api, path, mode="record", over=counted()) as tape, routable.Client(transport=tape) as client:
            client.perform(api.note(1).read())
            record(api, path, lambda client: client.perform(api.note(2).read()))
    assert "notes/2" in path.read_text()
    # The tape is not saved after an exception, nor without `finish`.
    before = path.read_bytes()
    with pytest.raises(ZeroDivisionError), Tape(api, path, mode="record", over=counted()) as tape, routable.Client(transport=tape) as client:
        client.perform(api.note(3).read())
        1 / 0  # noqa: B018
    assert path.read_bytes() == before


def test_invalid_arguments_of_a_tape_are_refused(api: routable.Router, path: Path) -> None:
    with pytest.raises(routable.ArgumentError, match="mode must be one of auto, check, record, replay"):
        Tape(api, path, mode="play")
    with pytest.raises(TypeError, match="sequences"):
        Tape(api, path, redact="token")
    with Tape(api, path, mode="record") as tape:
        assert repr(tape) == f"<routable.testing.Tape: {path}>"
        with pytest.raises(TypeError, match="cannot record another tape"):
            Tape(api, path, over=tape)
