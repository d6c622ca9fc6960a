"""The prototypes of each further header, as _capi_bodies.py for routable_bodies.h: every function, function type, struct
and constant."""

from __future__ import annotations

import ctypes
import importlib
import re
from pathlib import Path
from typing import Any, List, Tuple

import c_header
import pytest
import routable._capi as base
from test_capi_matches_header import SCALARS

PARTS = sorted(path.stem[len("_capi_") :] for path in Path(base.__file__).parent.parent.glob("_capi_*.py"))
# Data with a length beside it: a c_char_p would end at the first NUL.
DATA = {("routable_write_fn", 1), ("routable_predicate_function", 0)}


def header(part: str) -> Path:
    return c_header.HEADER.parent / f"routable_{part}.h"


def module(part: str) -> Any:
    return importlib.import_module(f"routable._capi_{part}")


def expected(part: str, kind: str) -> Any:
    if kind in SCALARS:
        return SCALARS[kind]
    if kind == "void*":
        return ctypes.c_void_p
    if kind.endswith("*"):
        return ctypes.POINTER(expected(part, kind[:-1]))
    return getattr(module(part), kind, None) or getattr(base, kind)


def functions() -> "List[Tuple[str, c_header.Function]]":
    return [(part, each) for part in PARTS for each in c_header.functions(header(part))]


def function_types() -> "List[Tuple[str, str, str, str]]":
    """Every `typedef result (*name)(parameters);`."""
    return [
        (part, *found)
        for part in PARTS
        for found in re.findall(r"typedef (\w+) \(\*(\w+)\)\(([^;]*?)\);", c_header._code(header(part)))
    ]


def test_every_header_has_a_part() -> None:
    headers = {path.stem[len("routable_") :] for path in c_header.HEADER.parent.glob("routable_*.h")}
    assert set(PARTS) == headers - {"jansson", "curl", "typed"}  # json_t, CURL *, and generated C


@pytest.mark.parametrize("part, function", functions(), ids=lambda each: getattr(each, "name", each))
def test_types(part: str, function: c_header.Function) -> None:
    bound = getattr(module(part), function.name)
    assert bound.restype is expected(part, function.result)
    assert bound.argtypes == [expected(part, kind) for kind in function.parameters]


@pytest.mark.parametrize("part", PARTS)
def test_order_completeness_and_declarations(part: str) -> None:
    source = Path(module(part).__file__).read_text(encoding="utf-8")
    bound = re.findall(r'^(\w+) = _function\(\s*"(\w+)"', source, flags=re.M)
    assert all(left == right for left, right in bound)
    assert [left for left, _ in bound] == [each.name for each in c_header.functions(header(part))]
    for function in c_header.functions(header(part)):
        above = source[: source.index(f"\n{function.name} = _function(")].split("\n\n")[-1]
        assert " ".join(above.replace("#", " ").split()) == function.declaration + ";"


def test_every_function_type_is_bound_and_read() -> None:
    """Those that ctypes knows, and those of the header."""
    assert sorted((part, name) for part, _, name, _ in function_types()) == sorted(
        (part, name) for part in PARTS for name, each in vars(module(part)).items()
        if isinstance(each, type) and issubclass(each, ctypes._CFuncPtr) and name.startswith("routable_")  # type: ignore[attr-defined]
        and not hasattr(base, name))


@pytest.mark.parametrize("part, result, name, inside", function_types())
def test_function_types(part: str, result: str, name: str, inside: str) -> None:
    bound = getattr(module(part), name)
    kinds = [c_header._type_of(each) for each in " ".join(inside.split()).split(",")]
    wanted = [ctypes.POINTER(ctypes.c_char) if (name, index) in DATA else expected(part, kind)
              for index, kind in enumerate(kinds)]
    assert bound._restype_ is SCALARS.get(result, ctypes.c_int32)  # a status or an enumeration
    assert list(bound._argtypes_) == wanted


@pytest.mark.parametrize("part", PARTS)
def test_structs_handles_and_constants(part: str) -> None:
    capi = module(part)
    assert {*c_header.structs(header(part)), *c_header.handles(header(part))} == {
        name for name, each in vars(capi).items()
        if isinstance(each, type) and issubclass(each, ctypes.Structure) and each.__module__ == capi.__name__}
    for name, members in c_header.structs(header(part)).items():
        assert [(field, kind) for field, kind in getattr(capi, name)._fields_] == [
            (member, expected(part, kind)) for member, kind in members]
    for name in c_header.handles(header(part)):
        assert issubclass(getattr(capi, name), ctypes.Structure)
    code = c_header._code(header(part))
    for name in c_header.constants(header(part)):
        found = re.search(rf"\b{name}(?: = | )(\d+)", code)
        assert found is not None and getattr(capi, name) == int(found[1])
    macros = dict(re.findall(r"define (ROUTABLE_\w+) (\d+)\s", header(part).read_text(encoding="utf-8")))
    assert {name for name in vars(capi) if name.startswith("ROUTABLE_")} == {*c_header.constants(header(part)), *macros}
    for name, value in macros.items():
        assert getattr(capi, name) == int(value)
