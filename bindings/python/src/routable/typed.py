"""The base of the modules that `routable generate python` writes (docs/generate.md).

A program imports its generated module, whose operations return a `Call`:

    call = api.user(UserId("initFabian")).status(StatusId("3")).read()     # nothing is sent
    call.url, call.method, call.request
    status = call.perform(client)                # a Status, as the description declares; client is a routable.Client
    status = await call.perform_async(client)    # the same with a routable.AsyncClient
"""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any, Callable, Generic, Mapping, Optional, Tuple, Type, TypeVar, Union

from .client import Client
from .documents import loads
from .documents import open as open_router
from .request import Request
from .response import Response
from .router import Router

if TYPE_CHECKING:
    from .aio import AsyncClient

T = TypeVar("T")
Step = TypeVar("Step", bound="Place")
Made = TypeVar("Made", bound="Api")


class Call(Generic[T]):
    """A request with the type of its response.  Nothing is sent until it is performed."""

    __slots__ = ("request", "_model", "_may_be_empty")

    request: Request  #: the request; headers and body may still be edited

    def __init__(self, request: Request, model: Any, may_be_empty: bool) -> None:
        self.request = request
        self._model = model
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
        return self.read(client.perform(self.request, deadline=deadline, retries=retries))

    async def perform_async(
        self, client: AsyncClient, *, deadline: Optional[float] = None, retries: Optional[int] = None
    ) -> T:
        """Like `perform`, with an AsyncClient."""
        return self.read(await client.perform(self.request, deadline=deadline, retries=retries))

    def read(self, response: Response) -> T:
        """The value of a response to this request, from any client.  Raises ResponseError."""
        if self._model is None:
            return response  # type: ignore[return-value]
        if self._may_be_empty and response.outcome == "empty":
            return None  # type: ignore[return-value]
        return response.as_self(self._model)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return f"<routable.typed.Call {self.method} {self.url}>"


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
        self, operation: str, model: Any = None, may_be_empty: bool = False, *, ids: Tuple[object, ...] = (), **call: Any
    ) -> Call[Any]:
        build: Callable[..., Request] = self._router.build
        names = (".".join(self._walk), operation) if self._walk else (operation,)
        return Call(build(*names, ids=(*self._ids, *ids), **call), model, may_be_empty)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {'.'.join(self._walk)} {self._ids!r}>"


class Api(Place):
    """An opened description."""

    __slots__ = ()

    def __init__(self, router: Router) -> None:
        super().__init__(router)

    @property
    def router(self) -> Router:
        """The router, for everything that has no type."""
        return self._router

    @classmethod
    def open_file(cls: Type[Made], path: "Union[str, PathLike[str]]", *, base: Optional[str] = None) -> Made:
        """Opens a description from a file, which should be the one that the module was generated from."""
        return cls(open_router(path, base=base))

    @classmethod
    def _loads(cls: Type[Made], text: str, base: Optional[str]) -> Made:
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
