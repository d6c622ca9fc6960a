"""Operations as tools of a language model: names, schemas, and calls that only the description allows (docs/agents.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

from . import _capi as c
from . import _json
from ._check import take_string
from ._text import name as text_of
from ._text import natural, optional_name
from .errors import UnknownKeyError
from .request import Request, new_request
from .router import PlainRouter, router

if TYPE_CHECKING:
    from os import PathLike

    from .client import Client
    from .errors import RoutableError
    from .response import Response

#: The forms of a listing.
FORMATS = ("mcp", "openai", "anthropic", "json")
#: The default size of a listing, in bytes.
BUDGET = 30 * 1024


@dataclass(frozen=True)
class Tool:
    """An operation as a tool.

    name         at most 64 characters of [A-Za-z0-9_-], unique in the document
    route, operation   those of a call; `route` is None for a standalone operation
    method, path       of its requests
    description        what the description says, or ""
    read_only, destructive, idempotent   hints
    """

    name: str
    route: Optional[str]
    operation: str
    method: str
    path: str
    description: str
    read_only: bool
    destructive: bool
    idempotent: bool
    _api: PlainRouter = field(repr=False, compare=False)

    @property
    def schema(self) -> Dict[str, Any]:
        """The JSON Schema (draft 2020-12) of the arguments."""
        return self._schema(0)

    @property
    def function_schema(self) -> Dict[str, Any]:
        """The schema of the arguments in the subset of JSON Schema that function-calling interfaces accept."""
        return self._schema(c.ROUTABLE_SCHEMA_FUNCTION_SUBSET)

    def _schema(self, flags: int) -> Dict[str, Any]:
        found: Dict[str, Any] = _json.loads("schema", self._schema_text(flags))
        return found

    def _schema_text(self, flags: int) -> str:
        handle, operation = self._api._live(), text_of("operation", self.operation)
        return take_string(c.routable_operation_call_schema, handle, optional_name("route", self.route), operation, flags)

    @property
    def title(self) -> str:
        """The description, or the method and the path without one."""
        return self.description or f"{self.method} {self.path}"

    def entry(self, format: str = "mcp") -> Dict[str, Any]:
        """The tool in one of the forms "mcp", "openai", "anthropic" and "json"."""
        if format == "openai":
            function = {"name": self.name, "description": self.title, "parameters": self.function_schema}
            return {"type": "function", "function": function}
        if format == "anthropic":
            return {"name": self.name, "description": self.title, "input_schema": self.function_schema}
        if format == "mcp":
            return {
                "name": self.name, "description": self.title, "inputSchema": self.schema,
                "annotations": {
                    "readOnlyHint": self.read_only, "destructiveHint": self.destructive, "idempotentHint": self.idempotent}}
        if format != "json":
            raise ValueError(f"the format must be one of {', '.join(FORMATS)}, not {format!r}")
        return {**self.summary(), "operation": self.operation, **({"route": self.route} if self.route else {}),
                "destructive": self.destructive, "idempotent": self.idempotent, "schema": self.schema}

    def summary(self) -> Dict[str, Any]:
        """The entry of a search: without the schema."""
        return {"name": self.name, "description": self.description, "method": self.method, "path": self.path, "read_only": self.read_only}


class Tools(Mapping[str, Tool]):
    """The tools of a router by name; `routable.tools` returns it.  Any number of threads may use it.

        tools = routable.tools(api, client=client)
        tools.listing("openai")                                    # for the request to the model
        response = tools.call("createNote", {"text": "hello"})     # what the model asks for
    """

    def __init__(self, api: PlainRouter, found: Iterable[Tool], client: Optional[Client]) -> None:
        self.api = router(api)
        self._tools = {each.name: each for each in found}
        self._client = client

    def __getitem__(self, name: str) -> Tool:
        found = self._tools.get(name)
        if found is None:
            raise _unknown(name, self._tools)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._tools)

    def __len__(self) -> int:
        return len(self._tools)

    def __repr__(self) -> str:
        return f"<routable.Tools: {len(self)} tools>"

    def request(self, name: str, arguments: Union[Mapping[str, Any], str, bytes], *, max_errors: int = 16) -> Request:
        """The request of a tool: nothing is sent.  `arguments` is an object, or its JSON.

        Arguments that the description does not allow are refused: the exception has the first reason, and `next` the others, up
        to `max_errors`.  `explain(error)` is the text for the model.  Raises UnknownKeyError for a tool that does not exist;
        ParameterError, BodyError and other RefusedErrors.
        """
        tool = self[name]
        given = arguments if isinstance(arguments, bytes) else arguments.encode() if isinstance(arguments, str) else _json.dumps("arguments", arguments)
        call = take_string(
            c.routable_call_from_object, tool._api._live(), optional_name("route", tool.route), text_of("operation", tool.operation), given,
            len(given), natural("max_errors", max_errors, 1, 256))
        return new_request(tool._api._live(), call.encode(), tool._api._result_type(tool.route, tool.operation))

    def call(self, name: str, arguments: Union[Mapping[str, Any], str, bytes], *, client: Optional[Client] = None) -> Response:
        """Performs the request of a tool with the client.  Raises what `request` and `Client.perform` raise."""
        performer = client or self._client
        if performer is None:
            raise TypeError("call requires a client: routable.tools(api, client=client)")
        return performer.perform(self.request(name, arguments))

    def search(self, words: str, limit: int = 20) -> List[Tool]:
        """The tools whose names, paths and descriptions have the most of these words."""
        wanted = [each for each in _words(words) if each]
        scored: List[Tuple[int, int, Tool]] = []
        for place, tool in enumerate(self._tools.values()):
            name, text = _words(tool.name), _words(f"{tool.path} {tool.method} {tool.description}")
            score = sum(4 if each in name else 2 if each in text else 1 if any(each in other for other in (*name, *text)) else 0 for each in wanted)
            if score:
                scored.append((-score, place, tool))
        return [tool for _, _, tool in sorted(scored, key=lambda each: each[:2])[:limit]]

    def listing(self, format: str = "mcp", budget: Optional[int] = BUDGET) -> List[Dict[str, Any]]:
        """All tools in one of the forms "mcp", "openai", "anthropic" and "json"; if their JSON is longer than `budget` bytes, the
        three tools of `search_listing` instead."""
        if format not in FORMATS:
            raise ValueError(f"the format must be one of {', '.join(FORMATS)}, not {format!r}")
        entries: List[Dict[str, Any]] = []
        size = 2
        for tool in self._tools.values():
            entry = tool.entry(format)
            size += len(_json.dumps("entry", entry)) + 1
            if budget is not None and size > budget:
                return self.search_listing(format)
            entries.append(entry)
        return entries

    def search_listing(self, format: str = "mcp") -> List[Dict[str, Any]]:
        """Three tools with which a model finds, reads and calls all others: SEARCH, DESCRIBE and CALL.  `respond` answers the
        first two, and `called` reads the third."""
        texts = _meta(self)
        if format == "openai":
            return [{"type": "function", "function": {"name": name, "description": text, "parameters": schema}} for name, text, schema, _ in texts]
        key = {"mcp": "inputSchema", "anthropic": "input_schema", "json": "schema"}[format]
        made: List[Dict[str, Any]] = []
        for name, text, schema, hints in texts:
            made.append({"name": name, "description": text, key: schema, **({"annotations": hints} if format == "mcp" else {})})
        return made

    def respond(self, name: str, arguments: Mapping[str, Any]) -> Any:
        """The JSON value that answers SEARCH or DESCRIBE."""
        if name == SEARCH:
            found = self.search(str(arguments.get("query", "")))
            return {"operations": [each.summary() for each in found], "total": len(self)}
        if name == DESCRIBE:
            return self[str(arguments.get("name", ""))].entry("json")
        raise _unknown(name, (SEARCH, DESCRIBE))


SEARCH, DESCRIBE, CALL = "search_operations", "describe_operation", "call_operation"


def _meta(tools: Tools) -> List[Tuple[str, str, Dict[str, Any], Dict[str, bool]]]:
    title = tools.api.name or "the API"
    name = {"type": "string", "description": f"The name of an operation, as {SEARCH} returns it"}
    is_read = all(each.read_only for each in tools.values())
    read = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True}
    call = {
        "readOnlyHint": is_read, "destructiveHint": any(each.destructive for each in tools.values()),
        "idempotentHint": all(each.idempotent for each in tools.values())}

    def closed(properties: Dict[str, Any], required: List[str]) -> Dict[str, Any]:
        return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}

    return [
        (SEARCH, f"Finds operations of {title}, which has {len(tools)}, by words of their names, paths and descriptions.",
         closed({"query": {"type": "string", "description": "Words, such as: list issues"}}, ["query"]), read),
        (DESCRIBE, f"Returns one operation of {title} with the JSON Schema of its arguments.  Use it before {CALL}.",
         closed({"name": name}, ["name"]), read),
        (CALL, f"Calls one operation of {title}.  Arguments that its schema does not allow are refused, with all reasons.",
         closed({"name": name, "arguments": {"type": "object", "description": f"The arguments, as {DESCRIBE} returns their schema"}},
                ["name", "arguments"]), call),
    ]


def _words(text: str) -> List[str]:
    made, word = [], ""
    for letter in text:
        if letter.isalnum():
            if word and letter.isupper() and word[-1].islower():
                made.append(word.lower())
                word = ""
            word += letter
        elif word:
            made.append(word.lower())
            word = ""
    return [*made, word.lower()] if word else made


def _unknown(name: str, known: Iterable[str]) -> UnknownKeyError:
    from difflib import get_close_matches

    names = list(known)
    near = get_close_matches(name, names, 3, 0.5)
    rest = f"the nearest are: {', '.join(near)}" if near else f"there are: {', '.join(names)}" if len(names) <= 24 else f"{SEARCH} finds the names"
    return UnknownKeyError(f"there is no tool {name!r}; {rest}", parameter=name, allowed=tuple(sorted(names)), suggestion=near[0] if near else None)


def explain(error: RoutableError) -> str:
    """All reasons of a refused call, one line each, with the allowed names or values: from which a model repairs its call."""
    lines = []
    following: Optional[RoutableError] = error
    while following is not None:
        line = following.message
        missing = [each for each in following.allowed if each not in line]
        if missing and len(following.allowed) <= 64:
            line += f"; allowed: {', '.join(following.allowed)}"
        lines.append(line)
        following = following.next
    return "\n".join(lines)


def read_tools(api: PlainRouter) -> List[Tool]:
    """All tools of a router, in the order of the document."""
    plain = router(api)
    return [
        Tool(each["name"], each.get("route"), each["operation"], each["method"], each["path"], each.get("description", ""),
             each["read_only"], each["destructive"], each["idempotent"], plain)
        for each in _json.loads("tools", take_string(c.routable_tools_json, plain._live()))
    ]


def tools(
    api: PlainRouter, *, client: Optional[Client] = None, only: Optional[Sequence[str]] = None, except_: Optional[Sequence[str]] = None,
    routes: Optional[Sequence[str]] = None, read_only: bool = False,
) -> Tools:
    """The operations of a description as tools of a language model.

    client           performs the requests of `Tools.call`
    only, except_    names of tools or operations that the list has, or has not; a `*` stands for any characters
    routes           routes of the list, such as "user.status"; for a derived graph, those of its resources
    read_only        only operations that change nothing

    A tool that is not in the list cannot be called with it.  Raises UnknownKeyError for a name that no tool has.
    """
    return Tools(api, selected(read_tools(api), router(api), only, except_, routes, read_only), client)


def selected(
    found: List[Tool], api: PlainRouter, only: Optional[Sequence[str]], except_: Optional[Sequence[str]],
    routes: Optional[Sequence[str]], read_only: bool,
) -> List[Tool]:
    def chosen(patterns: Sequence[str], what: Callable[[Tool], Tuple[str, ...]]) -> List[Tool]:
        result: Dict[str, Tool] = {}
        for pattern in patterns:
            matching = [each for each in found if any(fnmatchcase(name, pattern) for name in what(each))]
            if not matching:
                raise _unknown(pattern, [name for each in found for name in what(each)[:1]])
            result.update((each.name, each) for each in matching)
        return list(result.values())

    def names(tool: Tool) -> Tuple[str, ...]:
        return (tool.name, tool.operation if tool.route is None else f"{tool.route}.{tool.operation}")

    kept = set(found)
    if only is not None:
        kept &= set(chosen(only, names))
    if except_:
        kept -= set(chosen(except_, names))
    if routes is not None:
        ways: Dict[str, str] = {}
        if api._is_derived:
            ways = {each.standalone_name: route for route, each in _walks(api)}
        kept &= set(chosen(routes, lambda each: (each.route or ways.get(each.operation, ""),)))
    return [each for each in found if each in kept and (each.read_only or not read_only)]


def _walks(api: PlainRouter) -> Iterator[Tuple[str, Any]]:
    for route, resource in api.resources.items():
        for operation in resource.operations.values():
            yield route, operation


def open_tools(
    source: "Union[str, PathLike[str], Mapping[str, Any]]", *, only: Optional[Sequence[str]] = None, except_: Optional[Sequence[str]] = None,
    routes: Optional[Sequence[str]] = None, read_only: bool = False, client: Optional[Client] = None, **options: Any,
) -> Tools:
    """Opens a description and narrows it: the operations that are not selected do not exist in its graph.  `options` are those of
    `routable.open`; the other arguments are those of `tools`."""
    from .documents import open

    api = open(source, **options)
    found = read_tools(api)
    kept = selected(found, router(api), only, except_, routes, read_only)
    if len(kept) == len(found):
        return Tools(api, kept, client)
    if not kept:
        raise ValueError("no operation is selected")
    wanted = [each.operation if each.route is None else f"{each.route.rpartition('.')[2]}.{each.operation}" for each in kept]
    narrowed = router(open(source, **{**options, "only": sorted(set(wanted))}))
    router(api).close()
    from dataclasses import replace

    # The names are those of the whole document.
    return Tools(narrowed, [replace(each, _api=narrowed) for each in kept], client)
