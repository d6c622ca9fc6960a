"""AsyncClient has the methods of Client, with the same `help`."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any, Dict

import pytest

import routable

#: The results of methods of AsyncClient, by those of the methods of Client.
TWINS = {
    "Pages": "AsyncPages", "Items[T]": "AsyncItems[T]", "Iterator[Completion]": "AsyncIterator[Completion]",
    "Stream[bytes]": "AsyncStream[bytes]", "Stream[str]": "AsyncStream[str]", "Stream[Any]": "AsyncStream[Any]",
    "Stream[Event]": "AsyncStream[Event]", "Response": "Response", "None": "None",
    "Union[Response, T]": "Union[Response, T]",
    "Tuple[Optional[str], Optional[str]]": "Tuple[Optional[str], Optional[str]]",
}
#: Methods that are not needed with an event loop, or that need none.
OF_CLIENT_ALONE = {"submit", "drive", "to_curl"}


def methods(kind: type) -> Dict[str, Any]:
    return {name: each for name, each in inspect.getmembers(kind, inspect.isfunction) if not name.startswith("_")}


def test_both_clients_have_the_same_methods() -> None:
    assert set(methods(routable.Client)) - set(methods(routable.AsyncClient)) == OF_CLIENT_ALONE
    assert set(methods(routable.AsyncClient)) <= set(methods(routable.Client))


@pytest.mark.parametrize("name", [
    "__init__", "perform", "download", "perform_all", "pages", "items", "pieces", "lines", "values", "events",
    "set_credential", "remove_credential", "tokens", "close",
])
def test_help_names_the_same_parameters(name: str) -> None:
    ours, twins = (inspect.signature(getattr(kind, name)) for kind in (routable.Client, routable.AsyncClient))
    assert list(twins.parameters.values()) == list(ours.parameters.values())
    assert twins.return_annotation == TWINS[ours.return_annotation]
    assert getattr(routable.AsyncClient, name).__doc__
    assert getattr(routable.AsyncClient, name).__name__ == name


def test_signatures_have_the_keywords_and_not_a_dictionary_of_them() -> None:
    checked = 0
    for kind in (routable.Client, routable.AsyncClient):
        for name, method in {**methods(kind), "__init__": kind.__init__}.items():
            for parameter in inspect.signature(method).parameters.values():
                assert parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY), f"{name}: {parameter}"
                assert parameter.name == "self" or parameter.annotation is not parameter.empty, f"{name}: {parameter}"
                checked += 1
    assert checked > 140, "so many parameters have the methods of both"


def test_unknown_options_are_refused() -> None:
    request = routable.open({"routable": 1, "base": "http://127.0.0.1:9", "operations": {"a": {"get": "/"}}}).operations.a()
    with pytest.raises(TypeError, match="retry"):
        routable.AsyncClient(retry=3)  # type: ignore[call-arg]

    async def program() -> None:
        async with routable.AsyncClient() as client:
            with pytest.raises(TypeError, match="max_page"):
                client.pages(request, max_page=3)  # type: ignore[call-arg]
            with pytest.raises(TypeError, match="max_line"):
                client.lines(request, max_line=3)  # type: ignore[call-arg]
            for concurrency, expected in ((0, routable.ArgumentError), ("3", TypeError)):
                with pytest.raises(expected, match="concurrency"):
                    async for _ in client.perform_all([request], concurrency=concurrency):  # type: ignore[arg-type]
                        pass

    asyncio.run(program())
