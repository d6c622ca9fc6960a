"""Methods of AsyncClient with the parameters of a method of Client, which alone declares their names, types, defaults and text.

Type checkers and `help` show the parameters of the Client's method with the result of the AsyncClient's method.
"""

from __future__ import annotations

from inspect import signature
from typing import TYPE_CHECKING, Any, Callable, TypeVar

if TYPE_CHECKING:
    from typing_extensions import Concatenate, ParamSpec

    from .aiopages import AsyncItems
    from .pages import Items
    from .streaming import T

    Taken = ParamSpec("Taken")

Result = TypeVar("Result")


def twin_of(
    method: Callable[Concatenate[Any, Taken], Any]
) -> Callable[[Callable[..., Result]], Callable[Concatenate[Any, Taken], Result]]:
    """Decorates a method with the parameters of the given method, and keeps its own result."""

    def with_its_signature(own: Callable[..., Result]) -> Callable[Concatenate[Any, Taken], Result]:
        result = signature(own).return_annotation
        shown: Any = own
        shown.__signature__ = signature(method).replace(return_annotation=result)
        shown.__annotations__ = {**method.__annotations__, "return": result}
        shown.__doc__ = own.__doc__ or method.__doc__
        return own

    return with_its_signature


def items_twin_of(
    method: Callable[Concatenate[Any, Taken], Items[T]]
) -> Callable[[Callable[..., AsyncItems[Any]]], Callable[Concatenate[Any, Taken], AsyncItems[T]]]:
    """Like `twin_of`, for a method whose items depend on its arguments."""
    return twin_of(method)
