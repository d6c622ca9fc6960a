"""What leads from a place of a generated module to its resources and operations: descriptors that generated classes have as attributes.

    class PetsResource(Place):
        toys = below(PetsToysResource, "toys")      # api.pets(id).toys
        read = walked(Api.get_pet, 1)               # api.pets(id).read(): an operation of the API with the ids of the place

routable.typed, which generated modules import them from, has them as well.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Callable, Generic, Optional, Type, TypeVar

if TYPE_CHECKING:
    from typing import Literal, overload

    from typing_extensions import Concatenate, ParamSpec

    from .typed import Place

__all__ = ["below", "walked"]

T = TypeVar("T")
Step = TypeVar("Step", bound="Place")


class below(Generic[Step]):
    """For generated code: the resource below a place."""

    __slots__ = ("_kind", "_name")

    def __init__(self, kind: Type[Step], name: str) -> None:
        self._kind = kind
        self._name = name

    def __get__(self, place: Optional[Place], owner: object = None) -> Step:
        if place is None:
            return self  # type: ignore[return-value]
        return place._below(self._kind, self._name)


if TYPE_CHECKING:
    P = ParamSpec("P")

    class _Walked(Generic[P, T]):
        def __get__(self, place: object, owner: object = None) -> Callable[P, T]: ...

    @overload
    def walked(function: Callable[Concatenate[Any, P], T], ids: Literal[0]) -> _Walked[P, T]: ...
    @overload
    def walked(function: Callable[Concatenate[Any, Any, P], T], ids: Literal[1]) -> _Walked[P, T]: ...
    @overload
    def walked(function: Callable[Concatenate[Any, Any, Any, P], T], ids: Literal[2]) -> _Walked[P, T]: ...
    @overload
    def walked(function: Callable[Concatenate[Any, Any, Any, Any, P], T], ids: Literal[3]) -> _Walked[P, T]: ...
    @overload
    def walked(function: Callable[Concatenate[Any, Any, Any, Any, Any, P], T], ids: Literal[4]) -> _Walked[P, T]: ...
    @overload
    def walked(function: Callable[Concatenate[Any, Any, Any, Any, Any, Any, P], T], ids: Literal[5]) -> _Walked[P, T]: ...
    @overload
    def walked(function: Callable[..., T], ids: Literal[6]) -> _Walked[..., T]: ...  # and more
    def walked(function: Any, ids: int) -> Any: ...
else:

    class walked:
        """For generated code: an operation of the API, which has the ids of a place as its first arguments."""

        __slots__ = ("_function",)

        def __init__(self, function: Callable[..., Any], ids: int) -> None:
            self._function = function

        def __get__(self, place: Optional[Place], owner: object = None) -> Any:
            if place is None:
                return self
            # A place without a walk calls the operation by its operationId.
            return partial(self._function, type(place)(place._router), *place._ids)
