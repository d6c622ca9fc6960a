"""_capi/ against routable.h: every function, type, constant and struct, in both directions and in order."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import c_header
import pytest
import routable._capi as capi

SCALARS = {
    "int32_t": ctypes.c_int32,
    "uint32_t": ctypes.c_uint32,
    "int64_t": ctypes.c_int64,
    "size_t": ctypes.c_size_t,
    "double": ctypes.c_double,
    "const char*": ctypes.c_char_p,
    "const char**": ctypes.POINTER(ctypes.c_char_p),
    "char*": ctypes.POINTER(ctypes.c_char),
    "void": None,
    "void*": ctypes.c_void_p,
    "int*": ctypes.POINTER(ctypes.c_int),
}
FOLDER = Path(capi.__file__).parent
#: The parts, in the order in which they are imported.
PARTS = re.findall(r"^from \.(\w+) import \*", Path(capi.__file__).read_text(encoding="utf-8"), flags=re.M)
SOURCE = "\n".join((FOLDER / f"{part}.py").read_text(encoding="utf-8") for part in PARTS)


def expected(kind: str) -> Any:
    """The ctypes type for a C type of the header."""
    if kind in SCALARS:
        return SCALARS[kind]
    if kind.endswith("]"):
        element, size = kind[:-1].split("[")
        return expected(element) * int(getattr(capi, size))
    if kind.endswith("*"):
        return ctypes.POINTER(expected(kind[:-1]))
    return getattr(capi, kind)


@pytest.mark.parametrize("function", c_header.functions(), ids=lambda each: each.name)
def test_types(function: c_header.Function) -> None:
    bound = getattr(capi, function.name)
    assert bound.restype is expected(function.result)
    assert bound.argtypes == [expected(kind) for kind in function.parameters]


def test_order_and_completeness() -> None:
    bound = re.findall(r'^(\w+) = _function\(\s*"(\w+)"', SOURCE, flags=re.M)
    assert all(left == right for left, right in bound)
    assert [left for left, _ in bound] == [each.name for each in c_header.functions()]


def test_each_declaration_stands_above_its_function() -> None:
    for function in c_header.functions():
        above = SOURCE[: SOURCE.index(f"\n{function.name} = _function(")].split("\n\n")[-1]
        assert " ".join(above.replace("#", " ").split()) == function.declaration + ";"


def structures() -> "set[str]":
    """The structs and handles that are bound."""
    return {name for name, each in vars(capi).items()
            if isinstance(each, type) and issubclass(each, ctypes.Structure) and each is not ctypes.Structure}


def test_every_type_and_constant_is_bound_and_read() -> None:
    """What the tests below go through is all that there is, here and there."""
    assert structures() == {*c_header.handles(), *c_header.structs()}
    macros = {"ROUTABLE_NO_OFFSET", "ROUTABLE_MAX_CAPTURES", "ROUTABLE_NO_OPERATION"}
    assert {name for name in vars(capi) if name.startswith("ROUTABLE_")} == {*c_header.constants(), *macros}
    assert len(c_header.integers()) == len(re.findall(r"^typedef int32_t \w", c_header.HEADER.read_text(encoding="utf-8"), flags=re.M)) > 0


def test_integer_types() -> None:
    for name, kind in c_header.integers().items():
        assert getattr(capi, name) is SCALARS[kind], name


def test_handles_are_types_of_their_own() -> None:
    for name in c_header.handles():
        handle = getattr(capi, name)
        assert issubclass(handle, ctypes.Structure) and handle is not ctypes.Structure, name
    request = ctypes.POINTER(capi.routable_request)()
    with pytest.raises(ctypes.ArgumentError):
        capi.routable_router_name(request)


def test_struct_members() -> None:
    for name, members in c_header.structs().items():
        fields = [(field[0].rstrip("_"), field[1]) for field in getattr(capi, name)._fields_]
        assert [field for field, _ in fields] == [member for member, _ in members], name
        for (field, kind), (_, declared) in zip(fields, members):
            if name == "routable_str" and field == "ptr":
                assert kind is ctypes.POINTER(ctypes.c_char)  # data: a c_char_p would end at the first NUL
            elif declared != "union":
                assert kind is expected(declared), f"{name}.{field}"


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs a C compiler")
def test_layout_and_constants_are_those_of_the_compiler(tmp_path: Path) -> None:
    structs, constants = c_header.structs(), c_header.constants()
    lines = ['#include "routable.h"', "#include <stdio.h>", "int main(void) {"]
    wanted = []
    for name, members in structs.items():
        lines.append(f'printf("%zu\\n", sizeof({name}));')
        wanted.append(ctypes.sizeof(getattr(capi, name)))
        for field, _ in members:
            lines.append(f'printf("%zu\\n", offsetof({name}, {field}));')
            wanted.append(getattr(getattr(capi, name), "as_" if field == "as" else field).offset)
    for name in constants:
        lines.append(f'printf("%lld\\n", (long long){name});')
        wanted.append(getattr(capi, name))
    for name in ("ROUTABLE_NO_OFFSET", "ROUTABLE_NO_OPERATION", "ROUTABLE_MAX_CAPTURES"):
        lines.append(f'printf("%zu\\n", (size_t){name});')
        wanted.append(getattr(capi, name))
    lines.append("return 0; }")
    program = tmp_path / "layout.c"
    program.write_text("\n".join(lines))
    include = str(c_header.HEADER.parent)
    subprocess.run(["gcc", "-std=c99", "-I", include, "-o", str(tmp_path / "layout"), str(program)], check=True)
    printed = subprocess.run([str(tmp_path / "layout")], check=True, capture_output=True, text=True).stdout
    assert [int(line) for line in printed.split()] == wanted


def test_every_status_has_a_class_and_its_name() -> None:
    from routable.errors import CLASS_OF_CODE, RoutableError

    failures = [constant for constant in c_header.constants() if constant.startswith("ROUTABLE_ERR_")]
    codes = {getattr(capi, constant) for constant in failures}
    assert codes - {capi.ROUTABLE_ERR_BUFFER} == {*CLASS_OF_CODE} - {capi.ROUTABLE_METHOD_NOT_ALLOWED}
    for constant in failures:
        code = getattr(capi, constant)
        name = capi.routable_status_name(code).decode()
        assert name == constant[len("ROUTABLE_ERR_"):].lower()
        if constant != "ROUTABLE_ERR_BUFFER":  # only plans write into a caller's buffer
            kind = CLASS_OF_CODE[code]
            assert issubclass(kind, RoutableError)
            assert (kind.code, kind.status) == (code, name)
