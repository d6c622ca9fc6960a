"""A server of the Model Context Protocol for a description: `python -m routable.mcp FILE` (docs/agents.md).

It requires the official SDK: pip install 'routable[mcp]'.  Every call is refused or built by the library before anything is sent."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import sys
from typing import Any, AsyncIterator, Dict, List, Mapping, Optional, Sequence, Union
from urllib.parse import quote, unquote

try:
    import mcp.types as types
    from mcp.server.lowlevel import Server as Protocol
    from mcp.server.lowlevel.helper_types import ReadResourceContents
except ImportError as missing:  # pragma: no cover
    raise ImportError("routable.mcp requires the package mcp: pip install 'routable[mcp]'") from missing

from . import _json
from ._tool_result import CONTINUE, Answer, Kept, Secrets, answer, part, text
from ._version import VERSION_TEXT
from .aio import AsyncClient
from .client import Client
from .errors import RoutableError
from .files import Progress
from .toolset import BUDGET, CALL, DESCRIBE, SEARCH, Tool, Tools, explain, open_tools, read_tools

__all__ = ["Server", "main"]

#: The default size of a result, in bytes.
RESULT_BYTES = 24 * 1024
#: Seconds between two notifications of progress.
_INTERVAL = 0.25


class Server:
    """Tools over the Model Context Protocol.

    tools          what `routable.tools` or `open_tools` returns
    credentials    by scheme, as for `routable.Client`: a token, a pair of user and password, or a function
    base           replaces the base of the description; a model can change neither
    budget         the size of the listing in bytes; a longer one becomes three tools: search, describe and call
    result_bytes   the size of a result; a longer one is cut, and can be continued
    confirm        asks the user before each call that is not read-only; without a client that can ask, it is refused
    secrets        texts that no result may contain, besides the credentials that are strings
    options        further options of AsyncClient; redirects are not followed unless `follow_redirects` is True
    """

    def __init__(
        self, tools: Tools, *, credentials: Optional[Mapping[str, Any]] = None, base: Optional[str] = None, budget: int = BUDGET,
        result_bytes: int = RESULT_BYTES, confirm: bool = False, secrets: Sequence[str] = (), **options: Any,
    ) -> None:
        self.tools = tools
        self.result_bytes = max(result_bytes, 1024)
        self.confirm = confirm
        self._secrets = Secrets(secrets)
        for given in (credentials or {}).values():
            self._keep_secret(given)
        self._options = {"follow_redirects": False, **options, "base": base}
        self._credentials = {scheme: self._watched(given) for scheme, given in (credentials or {}).items()}
        Client(tools.api, credentials=self._credentials, **self._options).close()  # refuses options and schemes that are not valid
        self._client: Optional[AsyncClient] = None
        self._users = 0
        self._active = 0
        self._kept = Kept()
        entries = tools.listing("mcp", budget)
        self.is_searched = bool(entries) and entries[0]["name"] == SEARCH and SEARCH not in tools
        entries.append({
            "name": CONTINUE, "description": "Returns more of a result that was cut: pass the object \"continue\" of its \"cut\".",
            "inputSchema": {
                "type": "object", "additionalProperties": False, "required": ["result", "pointer"],
                "properties": {"result": {"type": "string"}, "pointer": {"type": "string"}, "start": {"type": "integer", "minimum": 0}}},
            "annotations": {"readOnlyHint": True}})
        self._listed = [types.Tool.model_validate(each) for each in entries]
        name = tools.api.name or "routable"
        self.protocol: "Protocol[Any, Any]" = Protocol(name, VERSION_TEXT, lifespan=self._lifespan)
        self._register()

    def _keep_secret(self, given: Any) -> None:
        for each in (given,) if isinstance(given, str) else given if isinstance(given, tuple) else ():
            if isinstance(each, str):
                self._secrets.add(each)
        if isinstance(given, tuple) and len(given) == 2 and all(isinstance(each, str) for each in given):
            self._secrets.add(":".join(given))

    def _watched(self, given: Any) -> Any:
        """A function whose tokens become secrets, too."""
        if isinstance(given, (str, tuple)) or not callable(given):
            return given

        def refreshed(old: Optional[str]) -> Any:
            made = given(old)
            token = made[0] if isinstance(made, tuple) else made
            if isinstance(token, str):
                self._secrets.add(token)
            return made

        return refreshed

    @contextlib.asynccontextmanager
    async def _lifespan(self, _: Any) -> AsyncIterator[Dict[str, Any]]:
        # Sessions of HTTP share the client.
        self._users += 1
        try:
            yield {}
        finally:
            self._users -= 1
            if not self._users and self._client is not None:
                client, self._client = self._client, None
                client.close()

    def _performer(self) -> AsyncClient:
        if self._client is None:
            self._client = AsyncClient(self.tools.api, credentials=self._credentials, **self._options)
        return self._client

    # --- The protocol ---

    def _register(self) -> None:
        server: Any = self.protocol

        @server.list_tools()  # type: ignore[untyped-decorator, unused-ignore]
        async def list_tools() -> List[types.Tool]:
            return self._listed

        # The library validates the arguments, and says what is allowed.
        @server.call_tool(validate_input=False)  # type: ignore[untyped-decorator, unused-ignore]
        async def call_tool(name: str, arguments: Dict[str, Any]) -> types.CallToolResult:
            return await self.call(name, arguments)

        @server.list_resources()  # type: ignore[untyped-decorator, unused-ignore]
        async def list_resources() -> List[types.Resource]:
            return self._resources()

        @server.list_resource_templates()  # type: ignore[untyped-decorator, unused-ignore]
        async def list_resource_templates() -> List[types.ResourceTemplate]:
            return [types.ResourceTemplate(
                uriTemplate="routable://operations/{name}", name="operation", mimeType="application/json",
                description="The documentation of an operation and the schema of its arguments")]

        @server.read_resource()  # type: ignore[untyped-decorator, unused-ignore]
        async def read_resource(uri: Any) -> List[ReadResourceContents]:
            return [self._resource(str(uri))]

    def _resources(self) -> List[types.Resource]:
        made = [types.Resource.model_validate({"uri": "routable://map", "name": "map", "description": "The map of the API", "mimeType": "text/plain"})]
        if not self.is_searched:
            for tool in self.tools.values():
                made.append(types.Resource.model_validate({
                    "uri": f"routable://operations/{quote(tool.name)}", "name": tool.name, "description": tool.title,
                    "mimeType": "application/json"}))
        return made

    def _resource(self, uri: str) -> ReadResourceContents:
        if uri.rstrip("/") == "routable://map":
            # The map of a router has operations that are not among the tools.
            is_whole = len(read_tools(self.tools.api)) == len(self.tools)
            listed = self.tools.api.map() if is_whole else "\n".join(f"{each.method} {each.path}  {each.name}" for each in self.tools.values())
            return ReadResourceContents(listed, "text/plain")
        kind, _, name = uri.partition("routable://operations/")
        if kind or not name:
            raise ValueError(f"there is no resource {uri}; there are: routable://map, routable://operations/NAME")
        return ReadResourceContents(text(self.tools[unquote(name)].entry("json")), "application/json")

    async def call(self, name: str, arguments: Mapping[str, Any]) -> types.CallToolResult:
        """The result of a tool; a failure is an error of the tool, with what is allowed."""
        try:
            made = await self._answer(name, arguments)
        except (RoutableError, LookupError, ValueError) as error:
            return self._failed(error)
        structured = made.structured
        return types.CallToolResult(content=[types.TextContent(type="text", text=made.text)], structuredContent=structured)

    def _failed(self, error: Exception) -> types.CallToolResult:
        said = explain(error) if isinstance(error, RoutableError) else str(error)
        response = getattr(error, "response", None)
        if response is not None and response.body:
            said = f"{said.partition(', which is not a success')[0]}\n{answer(response, self.result_bytes, self._kept, self._secrets).text}"
        said = self._secrets.clean(said)
        if len(said.encode()) > self.result_bytes * 2:
            said = said.encode()[: self.result_bytes].decode("utf-8", "ignore") + "..."
        return types.CallToolResult(content=[types.TextContent(type="text", text=said)], isError=True)

    async def _answer(self, name: str, arguments: Mapping[str, Any]) -> Answer:
        if name == CONTINUE and name not in self.tools:
            value = self._kept.get(str(arguments.get("result")))
            start = arguments.get("start", 0)
            if not isinstance(start, int) or start < 0:
                raise ValueError("start must be an integer from 0")
            return Answer(text(part(value, str(arguments.get("pointer", "")), start, self.result_bytes, str(arguments.get("result")))))
        if self.is_searched and name in (SEARCH, DESCRIBE):
            return Answer(text(self.tools.respond(name, arguments)))
        if self.is_searched and name == CALL:
            name, given = str(arguments.get("name", "")), arguments.get("arguments", {})
            if not isinstance(given, dict):
                raise ValueError("arguments must be an object")
            arguments = given
        tool = self.tools[name]
        request = self.tools.request(name, arguments)
        if self.confirm and not tool.read_only:
            await self._ask(tool, request.method, request.url)
        latest: List[Progress] = []
        token = self._progress_token()
        if token is not None:
            request.on_progress(lambda now: latest.__setitem__(slice(None), [now]))
        task = asyncio.ensure_future(self._tell(token, latest)) if token is not None else None
        self._active += 1
        try:
            # The end of this task, because the client cancelled it, ends the transfer.
            response = await self._performer().perform(request)
        finally:
            self._active -= 1
            if task is not None:
                task.cancel()
        return answer(response, self.result_bytes, self._kept, self._secrets)

    def _progress_token(self) -> "Union[str, int, None]":
        try:
            meta = self.protocol.request_context.meta
        except LookupError:
            return None
        return meta.progressToken if meta is not None else None

    async def _tell(self, token: "Union[str, int, None]", latest: List[Progress]) -> None:
        context = self.protocol.request_context
        told = -1
        while token is not None:
            await asyncio.sleep(_INTERVAL)
            if latest and latest[0].sent + latest[0].received > told:
                now = latest[0]
                told = now.sent + now.received
                total = None if now.to_receive is None else now.to_receive + (now.to_send or 0)
                await context.session.send_progress_notification(token, told, total, related_request_id=str(context.request_id))

    async def _ask(self, tool: Tool, method: str, url: str) -> None:
        refusal = ValueError(f"{tool.name} was not called: the user did not confirm it")
        try:
            context = self.protocol.request_context
            capability = types.ClientCapabilities(elicitation=types.ElicitationCapability())
            can_ask = context.session.check_client_capability(capability)
        except LookupError:
            raise refusal from None
        if not can_ask:
            raise ValueError(f"{tool.name} was not called: it changes something, and this client cannot ask the user for a confirmation")
        question = self._secrets.clean(f"Call {tool.name}? {method} {url}")
        result = await context.session.elicit(question, {"type": "object", "properties": {}}, context.request_id)
        if result.action != "accept":
            raise refusal

    # --- Transports ---

    async def run_stdio(self) -> None:
        """Serves one client on standard input and output."""
        from mcp.server.stdio import stdio_server

        async with stdio_server() as (reader, writer):
            await self.protocol.run(reader, writer, self.protocol.create_initialization_options())

    def app(self, path: str = "/mcp", *, hosts: Sequence[str] = ()) -> Any:
        """An ASGI application that serves clients over streamable HTTP.

        hosts   the allowed values of the header Host, besides those of loopback: a page in a browser cannot call the server
        """
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
        from mcp.server.transport_security import TransportSecuritySettings
        from starlette.applications import Starlette
        from starlette.routing import Mount

        local = ["127.0.0.1", "localhost", "[::1]"]
        allowed = [*hosts, *(each for name in local for each in (name, f"{name}:*"))]
        settings = TransportSecuritySettings(allowed_hosts=allowed, allowed_origins=[f"http://{each}" for each in allowed])
        manager = StreamableHTTPSessionManager(self.protocol, security_settings=settings)

        async def handle(scope: Any, receive: Any, send: Any) -> None:
            await manager.handle_request(scope, receive, send)

        @contextlib.asynccontextmanager
        async def lifespan(_: Any) -> AsyncIterator[None]:
            async with manager.run():
                yield

        class Exact:
            """Without the redirect of a mount to its path with a slash."""

            async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
                if scope["type"] == "http" and scope["path"].rstrip("/") == path.rstrip("/"):
                    await handle(scope, receive, send)
                else:
                    from starlette.responses import PlainTextResponse

                    await PlainTextResponse("the server is at " + path, 404)(scope, receive, send)

        return Starlette(routes=[Mount("/", app=Exact())], lifespan=lifespan)


def _credential(argument: str) -> "tuple[str, Any]":
    """SCHEME=env:NAME or SCHEME=file:PATH; the credential of a scheme `basic` is USER:PASSWORD."""
    scheme, _, source = argument.partition("=")
    kind, _, place = source.partition(":")
    if not scheme or kind not in ("env", "file") or not place:
        raise argparse.ArgumentTypeError("expected SCHEME=env:NAME or SCHEME=file:PATH")
    if kind == "env":
        if place not in os.environ:
            raise argparse.ArgumentTypeError(f"the environment has no {place}")
        return scheme, os.environ[place]
    try:
        with open(place, encoding="utf-8") as file:
            return scheme, file.read().strip()
    except OSError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _bytes(argument: str) -> int:
    number, unit = (argument[:-1], 1024) if argument[-1:] in "kK" else (argument, 1)
    if not number.isdecimal():
        raise argparse.ArgumentTypeError("expected a number of bytes, such as 30k")
    return int(number) * unit


def _address(argument: str) -> "tuple[str, int]":
    host, _, port = argument.rpartition(":")
    if not port.isdecimal() or not 0 < int(port) < 65536:
        raise argparse.ArgumentTypeError("expected [HOST:]PORT")
    return host or "127.0.0.1", int(port)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m routable.mcp", description="Serves the operations of a description as tools (docs/agents.md).")
    parser.add_argument("file", help="the description: a route document or an OpenAPI document")
    parser.add_argument("--base", help="replaces the base of the description")
    parser.add_argument("--only", action="append", metavar="NAME", help="only this tool or operation; * stands for any characters")
    parser.add_argument("--except", dest="except_", action="append", metavar="NAME", help="not this tool or operation")
    parser.add_argument("--route", action="append", metavar="ROUTE", help="only the operations of this route, such as user.status")
    parser.add_argument("--read-only", action="store_true", help="only operations that change nothing")
    parser.add_argument("--budget", type=_bytes, default=BUDGET, help="size of the listing, such as 30k; a longer one becomes search, describe and call")
    parser.add_argument("--result-bytes", type=_bytes, default=RESULT_BYTES, help="size of a result; a longer one is cut, and can be continued")
    parser.add_argument("--credential", type=_credential, action="append", default=[], metavar="SCHEME=env:NAME|file:PATH", help="a credential for a scheme")
    parser.add_argument("--confirm", action="store_true", help="ask the user before each call that is not read-only")
    parser.add_argument("--follow-redirects", action="store_true", help="follow redirects; credentials are sent to the origin of the base only")
    parser.add_argument("--deadline", type=float, default=60.0, metavar="SECONDS", help="maximum duration of a request")
    parser.add_argument("--http", type=_address, metavar="[HOST:]PORT", help="serve streamable HTTP at /mcp instead of standard input and output")
    return parser


def main(arguments: Optional[Sequence[str]] = None) -> None:
    parser = _parser()
    given = parser.parse_args(arguments)
    try:
        tools = open_tools(
            given.file, only=given.only, except_=given.except_, routes=given.route, read_only=given.read_only,
            **({"base": given.base} if given.base else {}))
        schemes = {scheme: secret for scheme, secret in given.credential}
        server = Server(
            tools, credentials=schemes, budget=given.budget, result_bytes=given.result_bytes, confirm=given.confirm,
            follow_redirects=given.follow_redirects, deadline=given.deadline)
    except (RoutableError, OSError, ValueError) as error:
        parser.exit(2, f"routable.mcp: {error}\n")
    if given.http is None:
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(server.run_stdio())
        return
    import uvicorn

    host, port = given.http
    uvicorn.run(server.app(hosts=[f"{host}:{port}"]), host=host, port=port, log_level="warning")


if __name__ == "__main__":
    main()
