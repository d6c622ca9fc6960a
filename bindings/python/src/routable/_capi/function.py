"""How every prototype is bound."""

from __future__ import annotations

from .._load import library, library_path

TYPE_CHECKING = False  # True for type checkers
if TYPE_CHECKING:
    from typing import Any, Callable, Sequence


def _function(name: str, result: Any, arguments: Sequence[Any]) -> Callable[..., Any]:
    try:
        function = getattr(library, name)
    except AttributeError as error:
        raise ImportError(f"routable: {library_path} has no function {name}") from error
    function.argtypes = list(arguments)
    function.restype = result
    return function  # type: ignore[no-any-return]
