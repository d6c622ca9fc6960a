"""Routable: a client for HTTP APIs that are described by a document.

    import routable

    api = routable.open("social.json")                       # a file or a mapping; routable.loads for a string
    request = api.user("initFabian").status("3").read()      # nothing is sent
    print(request)                                           # GET https://api.example.com/v1/users/initFabian/...

    api.user("x").status("3").update({})                     # NotAllowedError: allowed: create, delete, read
    api.user(username="x").status.create({"text": "hello"})  # ids by position or by name; the body is JSON
    api.build("user.status", "read", using(ids=["x", "3"]))  # the same with names
    api.operations.search(q="swift", page=2)                 # a standalone operation and its declared parameters

    # A keyword of a call is always a parameter of the API; the options of the library are in routable.using(...):
    api.user("x").status.create({"text": "hello"}, using(headers={"X-Trace": "7"}, base="http://127.0.0.1:8080"))
    routable.router(api).close()                             # the methods, also where a resource has their names

    plan = api.plan("user.status", "read")                   # resolved once, called many times
    plan("initFabian", "3")                                  # the URL as a str
    match = api.match("/users/initFabian/statuses/3", "GET") # None if no route has this path
    match.route, match.operation, match.ids                  # "user.status", "read", ("initFabian", "3")

    with routable.Client(deadline=5) as client:
        response = client.perform(request)                   # .status .outcome .value .headers .body .json() .timings
        status = client.perform(request, into=Status)        # a dataclass, TypedDict or pydantic model
        for completion in client.perform_all(requests):      # many concurrently: .request, .result()

    async with routable.AsyncClient() as client:
        response = await client.perform(request)

    api = routable.open("openapi.json")                      # OpenAPI 3, Swagger 2.0; JSON or YAML
    api.operations["listPets"](limit=10)                     # operations by their operationId
    routable.expand("/search{?q*}", q=["a", "b"])            # URI templates
    api.schema("Status").check({"text": "hello"})            # validates a value; routable.Schema for any schema

    request.to_curl()      request.to_urllib()      request.to_requests()      request.to_httpx()
    api.map()              api.routes()             api.resources["user"].capabilities

The wheel contains the pages of the documentation, in the folder `docs` of this package: docs/route-document.md describes every
key of a route document.

Failures of the library are routable.RoutableErrors, which state what is wrong, where, and what is allowed; routable.errors
lists the classes.  Threads may share routers, plans, matches, clients, responses, collections and members; one thread at a
time may edit a Request.
"""

from . import _status_errors, errors
from ._capi import routable_memory_used as _memory_used
from ._capi import routable_set_memory_limit as _set_memory_limit
from ._capi import routable_version_string as _version_text
from ._error import CancelledError, PerformError, RefusedError, RoutableError
from ._status_errors import *  # noqa: F403
from ._version import VERSION_TEXT
from ._json import set_json_decoder
from .documents import loads, open
from .match import Match
from .plan import Plan
from .request import Request
from ._using import Using, using
from .router import PlainRouter, Router, router
from .walk import BoundOperation, Collection, Member

__version__ = VERSION_TEXT

TYPE_CHECKING = False  # True for type checkers; the module typing takes longer to import than this package
if TYPE_CHECKING:
    from .aio import AsyncClient
    from .aiopages import AsyncItems, AsyncPages
    from .aiostream import AsyncStream
    from .client import Client
    from .completion import Completion
    from .cookies import Cookie
    from .credential import Credential, Renewal, Signing, Tokens
    from .describe import Operation, Pagination, Parameter, Policy, Resource
    from .files import Event, File, Progress
    from .headers import Headers
    from .login import AsyncLogin, DeviceCode, Login
    from .pages import Items, Pages
    from .received import Received, ReceivedFile
    from .response import Deviation, Response
    from .schema import Schema
    from .reply import Refusal, Reply
    from .service import Service
    from . import challenges, har, testing
    from .middleware import Call
    from .stream import Splitter, Stream
    from .template import expand
    from .toolset import Tool, Tools, tools
    from .trace import Attempt, Redirect, Timings, TransferEvent
    from .transfer import Transfer
    from .transport import TransportRequest, TransportResponse
else:
    #: Names that are imported on first use, with their modules, because some import asyncio or dataclasses.
    _LATE = {
        name: module
        for module, names in {
            "aio": "AsyncClient", "aiopages": "AsyncItems AsyncPages", "aiostream": "AsyncStream", "client": "Client",
            "completion": "Completion", "cookies": "Cookie", "credential": "Credential Renewal Signing Tokens",
            "describe": "Operation Pagination Parameter Policy Resource", "files": "Event File Progress", "headers": "Headers",
            "login": "AsyncLogin DeviceCode Login", "middleware": "Call",
            "pages": "Items Pages", "received": "Received ReceivedFile", "reply": "Refusal Reply", "response": "Deviation Response",
            "schema": "Schema", "service": "Service", "stream": "Splitter Stream", "template": "expand",
            "toolset": "Tool Tools tools",
            "trace": "Attempt Redirect Timings TransferEvent", "transfer": "Transfer",
            "transport": "TransportRequest TransportResponse",
        }.items()
        for name in names.split()
    }

    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name in _LATE:
            found = getattr(import_module(f".{_LATE[name]}", __name__), name)
            globals()[name] = found
            return found
        if name in {"challenges", "har", "testing", *_LATE.values()}:
            return import_module(f".{name}", __name__)
        raise AttributeError(f"module 'routable' has no attribute {name!r}")

    def __dir__() -> "list[str]":
        return sorted({*globals(), *__all__})


def library_version() -> str:
    """The version of the loaded libroutable, "0.1.0"."""
    return str(_version_text(), "utf-8")


def set_memory_limit(limit: "int | None") -> None:
    """Limits the memory that the library, not Python, has in this process, in bytes; None removes the limit.  A call that needs
    more raises OutOfMemoryError, which is a MemoryError.  Call this function before all others: memory is counted only from the
    first call of this function on."""
    if limit is not None and not 0 < limit < 1 << 63:
        raise ValueError(f"the limit must be a positive number of bytes or None, not {limit}")
    _set_memory_limit(limit or 0)


def memory_used() -> int:
    """The bytes that the library has allocated since the first call of set_memory_limit, and not freed."""
    return int(_memory_used())


__all__ = [
    "AsyncItems",
    "Cookie",
    "Items",
    "AsyncClient",
    "AsyncLogin",
    "AsyncPages",
    "AsyncStream",
    "Attempt",
    "BoundOperation",
    "CancelledError",
    "Client",
    "Collection",
    "Credential",
    "Deviation",
    "Completion",
    "DeviceCode",
    "Event",
    "File",
    "Headers",
    "Login",
    "Match",
    "Member",
    "Operation",
    "Pages",
    "Pagination",
    "Parameter",
    "Policy",
    "PerformError",
    "PlainRouter",
    "Plan",
    "Progress",
    "Received",
    "ReceivedFile",
    "Redirect",
    "Refusal",
    "RefusedError",
    "Renewal",
    "Reply",
    "Request",
    "Resource",
    "Response",
    "RoutableError",
    "Router",
    "Schema",
    "Service",
    "Splitter",
    "Stream",
    "Signing",
    "Timings",
    "Tokens",
    "Tool",
    "Tools",
    "Transfer",
    "TransferEvent",
    "TransportRequest",
    "TransportResponse",
    "Using",
    "errors",
    "expand",
    "library_version",
    "loads",
    "memory_used",
    "open",
    "router",
    "set_json_decoder",
    "set_memory_limit",
    "testing",
    "tools",
    "using",
]
__all__ += _status_errors.__all__
