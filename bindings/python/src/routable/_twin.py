"""Methods of AsyncClient that take what a method of Client takes: names, types, defaults and text stand there alone.

A checker sees the parameters of the one with the result of the other, and so does `help`.
"""

from __future__ import annotations

from inspect import signature
from typing import TYPE_CHECKING, Any, AsyncIterator, Callable, Iterator, TypeVar

if TYPE_CHECKING:
    from typing_extensions import Concatenate, ParamSpec

    from .streaming import T

    Taken = ParamSpec("Taken")

Result = TypeVar("Result")


def twin_of(
    method: Callable[Concatenate[Any, Taken], Any]
) -> Callable[[Callable[..., Result]], Callable[Concatenate[Any, Taken], Result]]:
    """What is decorated takes what that method takes, and gives what it says itself."""

    def with_its_signature(own: Callable[..., Result]) -> Callable[Concatenate[Any, Taken], Result]:
        result = signature(own).return_annotation
        shown: Any = own
        shown.__signature__ = signature(method).replace(return_annotation=result)
        shown.__annotations__ = {**method.__annotations__, "return": result}
        shown.__doc__ = own.__doc__ or method.__doc__
        return own

    return with_its_signature


def iterated_twin_of(
    method: Callable[Concatenate[Any, Taken], Iterator[T]]
) -> Callable[[Callable[..., AsyncIterator[Any]]], Callable[Concatenate[Any, Taken], AsyncIterator[T]]]:
    """The same for a method whose items depend on what it is given."""
    return twin_of(method)
