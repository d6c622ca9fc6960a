"""The base of the modules that `routable generate python` writes (docs/generate.md).

A program imports its generated module, whose operations return a `Call`:

    call = api.user(UserId("initFabian")).status(StatusId("3")).read()     # nothing is sent
    call.url, call.method, call.request
    status = call.perform(client)                # a Status, as the description declares; client is a routable.Client
    problem = call.error(exception)              # the body of an error of the service, where the description declares it
    status = await call.perform_async(client)    # the same with a routable.AsyncClient
"""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any, Callable, Dict, Generic, Mapping, Optional, Tuple, Type, TypeVar, Union

if TYPE_CHECKING:
    from ._error import RoutableError
    from .aio import AsyncClient
    from .client import Client
    from .files import AnyFile as FileLike
    from .request import Request
    from .response import Response
    from .router import Router
else:  # a generated module is imported before anything is sent: what sends is imported when it is needed
    FileLike = object

__all__ = ["Api", "Call", "CallWithErrors", "FileLike", "Place", "TypedDict", "present"]

T = TypeVar("T")
E = TypeVar("E")
Step = TypeVar("Step", bound="Place")
Made = TypeVar("Made", bound="Api")


class Call(Generic[T]):
    """A request with the type of its response.  Nothing is sent until it is performed."""

    __slots__ = ("request", "_kind", "_may_be_empty")

    request: Request  #: the request; headers and body may still be edited

    def __init__(self, request: Request, kind: str, may_be_empty: bool) -> None:
        self.request = request
        self._kind = kind  # "json", "text", "bytes", "empty", or "" for the response itself
        self._may_be_empty = may_be_empty

    @property
    def method(self) -> str:
        """The method, "GET"."""
        return self.request.method

    @property
    def url(self) -> str:
        """The whole URL."""
        return self.request.url

    def perform(self, client: Client, *, deadline: Optional[float] = None, retries: Optional[int] = None) -> T:
        """Sends the request, waits for the response and returns its value.  Raises the exceptions of Client.perform, and
        ResponseError for a body that is not valid against the description.
        """
        return self.read(self.respond(client, deadline=deadline, retries=retries))

    async def perform_async(
        self, client: AsyncClient, *, deadline: Optional[float] = None, retries: Optional[int] = None
    ) -> T:
        """Like `perform`, with an AsyncClient."""
        return self.read(await client.perform(self.request, deadline=deadline, retries=retries))

    def respond(self, client: Client, *, deadline: Optional[float] = None, retries: Optional[int] = None) -> Response:
        """Like `perform`, but returns the response with its status and headers, which `read` takes."""
        return client.perform(self.request, deadline=deadline, retries=retries)

    def read(self, response: Response) -> T:
        """The value of a response to this request, from any client.  Raises ResponseError."""
        value: Any = response
        if self._kind == "empty" or (self._may_be_empty and response.outcome == "empty"):
            value = None
        elif self._kind == "text":
            value = response.text
        elif self._kind == "bytes":
            value = response.body
        elif self._kind == "json":
            value = _value(response)
        return value  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return f"<routable.typed.{type(self).__name__} {self.method} {self.url}>"


class CallWithErrors(Call[T], Generic[T, E]):
    """A call whose description declares the types of error bodies."""

    __slots__ = ()

    def error(self, failure: RoutableError) -> Optional[E]:
        """The body of an error of the service, for an exception of `perform`; None if the exception has no response, or one
        whose body is not valid against the type that the description declares for its status.
        """
        response = failure.response
        if response is None or response.outcome in ("empty", "raw"):
            return None
        return response.json()  # type: ignore[no-any-return]


def _value(response: Response) -> Any:
    """The JSON of a response that was found valid against the description."""
    if response.outcome in ("self", "array", "dictionary"):
        return response.json()
    if response.outcome == "empty":
        problem = f"the service responded with {response.status} with an empty body where JSON is declared"
    elif response.reason is None:
        problem = f"the response with status {response.status} is not one for which the description declares JSON"
    else:
        return response.as_self(object)  # raises
    from .errors import ResponseError

    raise ResponseError(problem, response=response, http_status=response.status)


class _Model:
    """A type of a generated module at run time.  It does no more than a TypedDict does: it makes dicts.  A TypedDict of `typing`
    takes fifty times as long to create, and a large description has thousands.
    """

    def __init__(self, name: str, members: Mapping[str, Any], body: Mapping[str, Any]) -> None:
        self.__name__ = name
        self.__module__ = body.get("__module__", "")
        self.__doc__ = body.get("__doc__")
        self.__annotations__ = members  # type: ignore[assignment]

    def __call__(self, *given: Any, **members: Any) -> Dict[str, Any]:
        return dict(*given, **members)

    def __or__(self, other: Any) -> Any:
        return Union[self, other]

    def __ror__(self, other: Any) -> Any:
        return Union[other, self]

    @property
    def __required_keys__(self) -> "frozenset[str]":
        return frozenset(name for name, hint in self.__annotations__.items() if not str(hint).startswith("NotRequired["))

    def __repr__(self) -> str:
        return f"{self.__module__}.{self.__name__}"


class _MakesModels(type):
    def __new__(cls, name: str, bases: Tuple[type, ...], body: Dict[str, Any]) -> Any:
        if not bases:
            return super().__new__(cls, name, bases, body)
        return _Model(name, body.get("__annotations__", {}), body)

    def __call__(cls, name: str, members: Mapping[str, Any]) -> Any:
        return _Model(name, members, {})


class TypedDict(metaclass=_MakesModels):
    """For generated code: what typing.TypedDict is to a type checker."""


class Place:
    """A position in the graph; immutable."""

    __slots__ = ("_router", "_walk", "_ids")

    def __init__(self, router: Router, walk: Tuple[str, ...] = (), ids: Tuple[object, ...] = ()) -> None:
        self._router = router
        self._walk = walk
        self._ids = ids

    def _below(self, kind: Type[Step], name: str) -> Step:
        return kind(self._router, (*self._walk, name), self._ids)

    def _at(self, kind: Type[Step], *ids: object) -> Step:
        return kind(self._router, self._walk, (*self._ids, *ids))

    def _call(
        self, operation: str, kind: str = "", may_be_empty: bool = False, *, ids: Tuple[object, ...] = (), **call: Any
    ) -> CallWithErrors[Any, Any]:
        build: Callable[..., Request] = self._router.build
        names = (".".join(self._walk), operation) if self._walk else (operation,)
        return CallWithErrors(build(*names, ids=(*self._ids, *ids), **call), kind, may_be_empty)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {'.'.join(self._walk)} {self._ids!r}>"


class Api(Place):
    """An opened description."""

    __slots__ = ()

    def __init__(self, router: Router) -> None:
        super().__init__(router)

    @property
    def router(self) -> Router:
        """The router, for calls and properties that are not typed."""
        return self._router

    @classmethod
    def open_file(cls: Type[Made], path: "Union[str, PathLike[str]]", *, base: Optional[str] = None) -> Made:
        """Opens a description from a file, which should be the one that the module was generated from."""
        from .documents import open as open_router

        return cls(open_router(path, base=base))

    @classmethod
    def _loads(cls: Type[Made], text: str, base: Optional[str]) -> Made:
        from .documents import loads

        return cls(loads(text, base=base))

    @classmethod
    def _declared(cls: Type[Made], library: str, module: str, base: Optional[str]) -> Made:
        from ._declared import open_declared

        return cls(open_declared(library, module, base))

    def close(self) -> None:
        """Frees the router; requests and responses remain valid."""
        self._router.close()


def present(values: Mapping[str, object]) -> Optional[Mapping[str, object]]:
    """For generated code: those that are not None, None for none."""
    return {name: value for name, value in values.items() if value is not None} or None
