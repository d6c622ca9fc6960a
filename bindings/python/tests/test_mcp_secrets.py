"""Credentials of the server of the Model Context Protocol: a service that returns everything that it was sent gives no model a secret."""

from __future__ import annotations

import asyncio
import base64
import json
import random
from typing import Any, Dict
from urllib.parse import quote

import pytest

pytest.importorskip("mcp")
import routable  # noqa: E402
from conftest import needs_optimization  # noqa: E402
from mcp.shared.memory import create_connected_server_and_client_session as connected  # noqa: E402
from routable.mcp import Server  # noqa: E402
from slowness import SLOWNESS  # noqa: E402

LETTERS = "abcdefghijklmnopqrstuvwxyzABC0123456789+/=&%"


@pytest.mark.parametrize("count", [300, pytest.param(12000, marks=needs_optimization)])
def test_no_result_has_a_secret(count: int) -> None:
    made = random.Random(7)
    schemes: Dict[str, Any] = {}
    operations: Dict[str, Any] = {}
    secrets: Dict[str, Any] = {}
    for number in range(20):
        name, kind = f"s{number}", ["bearer", "key", "basic", "key"][number % 4]
        place = {"in": ["header", "query"][number // 4 % 2], "name": f"X-K{number}"} if kind == "key" else {}
        schemes[name] = {"scheme": kind, **place}
        secret = "".join(made.choice(LETTERS) for _ in range(24))
        secrets[name] = (f"user{number}", secret) if kind == "basic" else secret
        operations[f"get{number}"] = {"get": f"/get{number}", "auth": [name], "query": {"q": {}}}
        operations[f"post{number}"] = {"post": f"/post{number}", "auth": [name], "query": {"q": {}}, "body": {"type": "object"}}
    api = routable.open({"routable": 1, "base": "http://h.test", "auth": schemes, "operations": operations})
    plain = [each if isinstance(each, str) else each[1] for each in secrets.values()]
    forms = {form for each in plain for form in (
        each, quote(each, safe=""), json.dumps(each)[1:-1], base64.b64encode(each.encode()).decode().rstrip("="))}
    forms.update(base64.b64encode(":".join(each).encode()).decode() for each in secrets.values() if isinstance(each, tuple))
    exchanges = []

    def transport(request: Any) -> routable.TransportResponse:
        told = json.dumps({"url": request.url, "headers": [list(each) for each in request.headers.items()], "all": plain})
        exchanges.append(told)
        kind = "text/plain" if len(exchanges) % 4 == 1 else "application/json"
        return routable.TransportResponse(500 if len(exchanges) % 4 == 0 else 200, headers={"Content-Type": kind}, body=told.encode())

    async def use() -> None:
        server = Server(routable.tools(api), credentials=secrets, transport=transport, budget=10**6)
        async with connected(server.protocol) as client:
            said = [(await client.list_tools()).model_dump_json()]
            for each in (await client.list_resources()).resources:
                said.append((await client.read_resource(each.uri)).model_dump_json())
            assert not any(form in text for text in said for form in forms)
            for number in range(count):
                name = f"{['get', 'post'][number // 20 % 2]}{number % 20}"
                arguments: Dict[str, Any] = {"q": "x", "body": {}} if name.startswith("post") else {"q": "x"}
                result = await client.call_tool(name, arguments if number % 7 else {"q": 1, "z": 2})
                text = result.model_dump_json() + "".join(getattr(each, "text", "") for each in result.content)
                assert not any(form in text for form in forms), name

    asyncio.run(asyncio.wait_for(use(), 240 * SLOWNESS))
    assert len(exchanges) > count * 3 // 4 and any(form in exchanges[0] for form in forms)
