"""_capi_bodies.py against routable_bodies.h: every function, function type, struct and constant."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path
from typing import Any, List

import c_header
import pytest
import routable._capi as base
import routable._capi_bodies as capi
from test_capi_matches_header import SCALARS

HEADER = c_header.HEADER.parent / "routable_bodies.h"
SOURCE = Path(capi.__file__).read_text(encoding="utf-8")
FUNCTIONS = c_header.functions(HEADER)


def expected(kind: str) -> Any:
    if kind in SCALARS:
        return SCALARS[kind]
    if kind.endswith("*"):
        return ctypes.POINTER(expected(kind[:-1]))
    return getattr(capi, kind, None) or getattr(base, kind)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda each: each.name)
def test_types(function: c_header.Function) -> None:
    bound = getattr(capi, function.name)
    assert bound.restype is expected(function.result)
    assert bound.argtypes == [expected(kind) for kind in function.parameters]


def test_order_completeness_and_declarations() -> None:
    bound = re.findall(r'^(\w+) = _function\(\s*"(\w+)"', SOURCE, flags=re.M)
    assert all(left == right for left, right in bound)
    assert [left for left, _ in bound] == [each.name for each in FUNCTIONS]
    for function in FUNCTIONS:
        above = SOURCE[: SOURCE.index(f"\n{function.name} = _function(")].split("\n\n")[-1]
        assert " ".join(above.replace("#", " ").split()) == function.declaration + ";"


def _function_types() -> "List[tuple[str, str, str]]":
    """Every `typedef result (*name)(parameters);`."""
    return re.findall(r"typedef (\w+) \(\*(\w+)\)\(([^;]*?)\);", c_header._code(HEADER))


@pytest.mark.parametrize("result, name, inside", _function_types())
def test_function_types(result: str, name: str, inside: str) -> None:
    bound = getattr(capi, name)
    kinds = [c_header._type_of(part) for part in " ".join(inside.split()).split(",")]
    wanted = [expected(kind) for kind in kinds]
    if name == "routable_write_fn":
        wanted[1] = ctypes.POINTER(ctypes.c_char)  # data: a c_char_p would end at the first NUL
    assert bound._restype_ is (None if result == "void" else ctypes.c_int32)
    assert list(bound._argtypes_) == wanted


def test_structs_handles_and_constants() -> None:
    for name, members in c_header.structs(HEADER).items():
        assert [(field, kind) for field, kind in getattr(capi, name)._fields_] == [
            (member, expected(kind)) for member, kind in members]
    for name in c_header.handles(HEADER):
        assert issubclass(getattr(capi, name), ctypes.Structure)
    text = c_header._code(HEADER)
    for name in c_header.constants(HEADER):
        found = re.search(rf"{name} = (\d+)", text)
        assert found is not None and getattr(capi, name) == int(found[1])
