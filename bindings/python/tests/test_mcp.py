"""The server of the Model Context Protocol, with the client of the official SDK, over stdio and over streamable HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import sys
from typing import Any, AsyncIterator, Awaitable, Callable, Dict, List

import pytest

pytest.importorskip("mcp")
import mcp.types as types  # noqa: E402
from loopback import Loopback, never, whole  # noqa: E402
from loopback import json as replies  # noqa: E402
from mcp import ClientSession, StdioServerParameters  # noqa: E402
from mcp.client.stdio import stdio_client  # noqa: E402
from mcp.shared.memory import create_connected_server_and_client_session as connected  # noqa: E402
from routable.mcp import Server, _credential, main  # noqa: E402
from routable.toolset import open_tools  # noqa: E402
from slowness import SLOWNESS  # noqa: E402

DOCUMENT: Dict[str, Any] = {
    "routable": 1, "name": "notes", "auth": {"session": {"scheme": "bearer", "default": True}},
    "types": {"Note": {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "maxLength": 20}}}},
    "resources": {"note": {"path": "notes", "can": ["list", "read", "create", "delete"], "type": "Note"}},
    "operations": {"search": {"get": "/search", "query": {"q": {"type": "string", "enum": ["a", "b"], "required": True}}}}}
SECRET = "tok-3n-of-the-server"


def text(result: types.CallToolResult) -> str:
    assert isinstance(result.content[0], types.TextContent)
    return result.content[0].text


def server(loopback: Loopback, **options: Any) -> Server:
    return Server(open_tools(DOCUMENT, base=loopback.base), credentials={"session": SECRET}, **options)


def run(use: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(use(), 30 * SLOWNESS))


@contextlib.asynccontextmanager
async def session(made: Server, **options: Any) -> AsyncIterator[ClientSession]:
    async with connected(made.protocol, **options) as client:
        yield client


async def check(client: ClientSession, loopback: Loopback) -> None:
    """What every transport does."""
    listed = (await client.list_tools()).tools
    assert [each.name for each in listed] == ["note_list", "note_create", "note_read", "note_delete", "search", "continue_result"]
    assert listed[0].annotations is not None and listed[0].annotations.readOnlyHint is True
    loopback.answers["/notes/7"] = replies('{"text": "hi"}')
    made = await client.call_tool("note_read", {"id": "7"})
    assert (made.isError, made.structuredContent, text(made)) == (False, {"text": "hi"}, '{"text":"hi"}')
    assert loopback.seen[-1].headers["authorization"] == f"Bearer {SECRET}"
    before = len(loopback.seen)
    refused = await client.call_tool("search", {"q": "c", "x": 1})
    assert refused.isError and text(refused).splitlines() == [
        'search: no argument "x"; did you mean "q"?; allowed: q', 'search: /q does not match its type: one of these is expected: "a", "b"']
    assert (await client.call_tool("note_update", {})).isError and len(loopback.seen) == before
    loopback.answers["/notes"] = replies(json.dumps([{"text": f"note {index}"} for index in range(3000)]))
    cut = json.loads(text(await client.call_tool("note_list", {})))
    place = cut["cut"][0]["continue"]
    assert cut["value"][0] == {"text": "note 0"} and place["start"] == len(cut["value"])
    more = json.loads(text(await client.call_tool("continue_result", place)))
    assert more["value"][0] == {"text": f"note {place['start']}"}
    loopback.answers["/notes/8"] = replies(json.dumps({"error": f"no token {SECRET}"}), "403 Forbidden")
    failed = await client.call_tool("note_read", {"id": "8"})
    assert failed.isError and "403" in text(failed) and "no token ***" in text(failed) and SECRET not in text(failed)


def test_in_memory(loopback: Loopback) -> None:
    async def use() -> None:
        async with session(server(loopback)) as client:
            await check(client, loopback)
            names = [str(each.uri) for each in (await client.list_resources()).resources]
            assert names[:2] == ["routable://map", "routable://operations/note_list"]
            map_ = (await client.read_resource(names[0])).contents[0]  # type: ignore[arg-type, unused-ignore]
            assert isinstance(map_, types.TextResourceContents) and "note" in map_.text
            page = (await client.read_resource(names[1])).contents[0]  # type: ignore[arg-type, unused-ignore]
            assert isinstance(page, types.TextResourceContents) and json.loads(page.text)["path"] == "/notes"
            assert SECRET not in map_.text + page.text

    run(use)


def test_stdio(loopback: Loopback, tmp_path: Any) -> None:
    path = tmp_path / "notes.json"
    path.write_text(json.dumps(DOCUMENT))
    words = ["-m", "routable.mcp", str(path), "--base", loopback.base, "--credential", "session=env:NOTES_TOKEN"]
    parameters = StdioServerParameters(command=sys.executable, args=words, env={**os.environ, "NOTES_TOKEN": SECRET})

    async def use() -> None:
        async with stdio_client(parameters) as (reader, writer), ClientSession(reader, writer) as client:
            await client.initialize()
            await check(client, loopback)

    run(use)


def test_http(loopback: Loopback) -> None:
    import uvicorn
    from mcp.client.streamable_http import streamablehttp_client

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    async def use() -> None:
        serving = uvicorn.Server(uvicorn.Config(server(loopback).app(), host="127.0.0.1", port=port, log_level="error"))
        task = asyncio.create_task(serving.serve())
        while not serving.started:
            await asyncio.sleep(0.01)
        async with streamablehttp_client(f"http://127.0.0.1:{port}/mcp") as (reader, writer, _), ClientSession(reader, writer) as client:
            await client.initialize()
            await check(client, loopback)
        reader_, writer_ = await asyncio.open_connection("127.0.0.1", port)
        writer_.write(b"POST /mcp HTTP/1.1\r\nHost: evil.test\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
        assert b" 421 " in await reader_.readline()  # a name that leads to loopback
        writer_.close()
        serving.should_exit = True
        await task

    run(use)


def test_cancellation_ends_the_transfer(loopback: Loopback) -> None:
    loopback.answers["/notes/9"] = never()

    async def use() -> None:
        made = server(loopback)
        async with session(made) as client:
            task = asyncio.create_task(client.call_tool("note_read", {"id": "9"}))
            while not any("/notes/9" in each.line for each in loopback.seen):
                await asyncio.sleep(0.01)
            number = client._request_id - 1
            await client.send_notification(types.ClientNotification(types.CancelledNotification(params=types.CancelledNotificationParams(requestId=number))))
            with pytest.raises(Exception, match="cancel"):
                await task
            loopback.answers["/notes/7"] = replies('{"text": "hi"}')
            assert not (await client.call_tool("note_read", {"id": "7"})).isError  # the server goes on
            assert not made._active

    run(use)


def test_progress(loopback: Loopback) -> None:
    def slow(connection: Any, ended: Any) -> bool:
        body = b'"' + b"x" * 8998 + b'"'
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n")
        for start in range(0, 9000, 3000):
            connection.sendall(body[start:start + 3000])
            ended.wait(0.4)
        return True

    loopback.answers["/search?q=a"] = slow
    told: List[float] = []

    async def use() -> None:
        async def on_progress(progress: float, total: Any, message: Any) -> None:
            told.append(progress)

        async with session(server(loopback)) as client:
            await client.call_tool("search", {"q": "a"}, progress_callback=on_progress)

    run(use)
    assert told and told == sorted(told) and told[-1] <= 9000


@pytest.mark.parametrize("action", ["accept", "decline", "cancel", None])
def test_confirmation(loopback: Loopback, action: Any) -> None:
    loopback.answers["/notes/7"] = whole("204 No Content")
    asked: List[str] = []

    async def answers(context: Any, given: types.ElicitRequestParams) -> types.ElicitResult:
        asked.append(given.message)
        return types.ElicitResult(action=action, content={} if action == "accept" else None)

    async def use() -> None:
        options = {"elicitation_callback": answers} if action else {}
        async with session(server(loopback, confirm=True), **options) as client:
            result = await client.call_tool("note_delete", {"id": "7"})
            assert result.isError is (action != "accept")
            assert len(loopback.seen) == (1 if action == "accept" else 0)
            assert (asked == [f"Call note_delete? DELETE {loopback.base}/notes/7"]) is (action is not None)
            loopback.answers["/search?q=a"] = replies("[]")
            assert not (await client.call_tool("search", {"q": "a"})).isError and len(asked) <= 1

    run(use)


def test_a_small_budget_searches(loopback: Loopback) -> None:
    loopback.answers["/search?q=a"] = replies("[]")

    async def use() -> None:
        async with session(server(loopback, budget=500)) as client:
            assert [each.name for each in (await client.list_tools()).tools] == ["search_operations", "describe_operation", "call_operation", "continue_result"]
            found = json.loads(text(await client.call_tool("search_operations", {"query": "search"})))
            assert found["operations"][0]["name"] == "search"
            described = json.loads(text(await client.call_tool("describe_operation", {"name": "search"})))
            assert described["schema"]["required"] == ["q"]
            assert text(await client.call_tool("call_operation", {"name": "search", "arguments": {"q": "a"}})) == "[]"
            assert "allowed: q" in text(await client.call_tool("call_operation", {"name": "search", "arguments": {"z": 1}}))

    run(use)


def test_redirects_are_not_followed(loopback: Loopback) -> None:
    loopback.answers["/notes/7"] = whole("302 Found", b"", f"Location: {loopback.base}/other")

    async def use() -> None:
        async with session(server(loopback)) as client:
            assert (await client.call_tool("note_read", {"id": "7"})).isError
            assert [each.line.split()[1] for each in loopback.seen] == ["/notes/7"]

    run(use)


def test_arguments_of_the_module(tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setenv("A_TOKEN", "abc")
    secret = tmp_path / "token"
    secret.write_text("def\n")
    assert _credential("s=env:A_TOKEN") == ("s", "abc") and _credential(f"s=file:{secret}") == ("s", "def")
    path = tmp_path / "notes.json"
    path.write_text(json.dumps(DOCUMENT))
    for words in (["--credential", "s=abc"], ["--credential", "s=env:NO_SUCH"], ["--budget", "x"], ["--only", "nothing"], ["--credential", "nothing=env:A_TOKEN"]):
        with pytest.raises(SystemExit) as ended:
            main([str(path), *words])
        assert ended.value.code == 2
        assert "abc" not in capsys.readouterr().err.replace("s=abc", "")
