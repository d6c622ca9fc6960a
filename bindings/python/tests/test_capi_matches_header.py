"""_capi/ and the headers: every function, type, constant and struct, in both directions, with the types of ctypes; sizes, offsets
and values are compared with a C compiler, which does not depend on the description."""

from __future__ import annotations

import ctypes
import importlib
import shutil
import subprocess
from pathlib import Path
from typing import Any, Dict, List, Tuple

import c_header
import pytest
import routable._capi as base

SCALARS = {
    "int32_t": ctypes.c_int32,
    "uint32_t": ctypes.c_uint32,
    "int64_t": ctypes.c_int64,
    "uint64_t": ctypes.c_uint64,
    "size_t": ctypes.c_size_t,
    "double": ctypes.c_double,
    "const char*": ctypes.c_char_p,
    "const char**": ctypes.POINTER(ctypes.c_char_p),
    "char*": ctypes.POINTER(ctypes.c_char),
    "void": None,
    "void*": ctypes.c_void_p,
    "int*": ctypes.POINTER(ctypes.c_int),
}
# Bytes with a separate length: a c_char_p would end at the first NUL.
DATA = {("routable_str", 0)}
FOLDER = Path(str(base.__file__)).parent
for _each in dir(base):  # a name is defined on its first use
    getattr(base, _each)
#: The headers with prototypes: routable.h with the headers that it includes, and the others.
INCLUDED = c_header.names_of(c_header.HEADER)
ALONE = [each["name"] for each in c_header.DESCRIBED["headers"] if each["name"] not in INCLUDED and not each["foreign"]
         and c_header.functions(c_header.HEADER.parent / each["name"])]
HEADERS = [c_header.HEADER, *(c_header.HEADER.parent / name for name in ALONE)]


def bound(header: Path) -> Any:
    if header == c_header.HEADER:
        return base
    return importlib.import_module(f"routable._capi.{header.stem[len('routable_') :]}")


def expected(header: Path, kind: str, data: bool = False) -> Any:
    """The ctypes type for a C type of a header."""
    if data:
        return ctypes.POINTER(ctypes.c_char)
    if kind in SCALARS:
        return SCALARS[kind]
    if kind.endswith("]"):
        element, size = kind[:-1].split("[")
        return expected(header, element) * int(size)
    if kind.endswith("*"):
        return ctypes.POINTER(expected(header, kind[:-1]))
    return getattr(bound(header), kind, None) or getattr(base, kind)


def each_of(read: Any) -> List[Tuple[Path, Any]]:
    return [(header, item) for header in HEADERS for item in read(header)]


def own(header: Path, kind: Any) -> "set[str]":
    """The types of that kind that the modules of a header define."""
    modules = {f"routable._capi.{Path(name).stem.replace('routable_', '', 1)}" for name in INCLUDED} if header == c_header.HEADER \
        else {bound(header).__name__}
    return {name for name, each in vars(bound(header)).items()
            if isinstance(each, type) and issubclass(each, kind) and name.startswith("routable_")
            and (each.__module__ in modules or kind is not ctypes.Structure)}


@pytest.mark.parametrize("header, function", each_of(c_header.functions), ids=lambda each: getattr(each, "name", ""))
def test_types_of_functions_match_the_headers(header: Path, function: c_header.Function) -> None:
    found = getattr(bound(header), function.name)
    assert found.__name__ == function.name
    assert found.restype is expected(header, function.result)
    assert found.argtypes == [expected(header, kind) for kind in function.parameters]


@pytest.mark.parametrize("header, callback", each_of(c_header.callbacks), ids=lambda each: getattr(each, "name", ""))
def test_types_of_callbacks_match_the_headers(header: Path, callback: c_header.Function) -> None:
    found = getattr(bound(header), callback.name)
    assert found._restype_ is expected(header, callback.result)
    assert list(found._argtypes_) == [expected(header, kind, (callback.name, index) in DATA)
                                      for index, kind in enumerate(callback.parameters)]


def test_each_declaration_stands_above_its_function() -> None:
    for header, function in each_of(c_header.functions):
        source = "\n".join((FOLDER / f"{Path(name).stem.replace('routable_', '', 1)}.py").read_text(encoding="utf-8")
                           for name in c_header.names_of(header) if name != c_header.HEADER.name)
        above = source[: source.index(f"\n{function.name} = _function(")].split("\n\n")[-1]
        assert " ".join(above.replace("#", " ").split()) == function.declaration + ";"


def test_every_type_and_constant_is_bound() -> None:
    """The description and the modules have the same types and constants, so that the other tests cover all of them."""
    for header in HEADERS:
        assert own(header, ctypes.Structure) == {*c_header.handles(header), *c_header.structs(header)}, header
        callbacks = {name for name in own(header, ctypes._CFuncPtr) if header == c_header.HEADER or not hasattr(base, name)}  # type: ignore[attr-defined]
        assert callbacks == {each.name for each in c_header.callbacks(header)}, header
        constants = {name for name in vars(bound(header)) if name.startswith("ROUTABLE_")}
        assert constants == {*c_header.constants(header), *c_header.numbers(header)}, header


def test_integer_types_match_the_headers() -> None:
    for header in HEADERS:
        for name, kind in c_header.integers(header).items():
            assert getattr(bound(header), name) is SCALARS[kind], name


def test_handles_are_distinct_types() -> None:
    for header, name in each_of(c_header.handles):
        handle = getattr(bound(header), name)
        assert issubclass(handle, ctypes.Structure) and handle is not ctypes.Structure, name
    request = ctypes.POINTER(base.routable_request)()
    with pytest.raises(ctypes.ArgumentError):
        base.routable_router_name(request)


def test_members_of_structs_match_the_headers() -> None:
    for header in HEADERS:
        for name, members in c_header.structs(header).items():
            fields = [(field[0].rstrip("_"), field[1]) for field in getattr(bound(header), name)._fields_]
            assert [field for field, _ in fields] == [member for member, _ in members], name
            for index, ((field, kind), (_, declared)) in enumerate(zip(fields, members)):
                if declared != "union":
                    assert kind is expected(header, declared, (name, index) in DATA), f"{name}.{field}"


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs a C compiler")
def test_layout_and_constants_are_those_of_the_compiler(tmp_path: Path) -> None:
    lines = [f'#include "{header.name}"' for header in HEADERS]
    lines += ["#include <stddef.h>", "#include <stdio.h>", "int main(void) {"]
    wanted: List[int] = []
    for header in HEADERS:
        capi = bound(header)
        for name, members in c_header.structs(header).items():
            lines.append(f'printf("%zu\\n", sizeof({name}));')
            wanted.append(ctypes.sizeof(getattr(capi, name)))
            for field, _ in members:
                lines.append(f'printf("%zu\\n", offsetof({name}, {field}));')
                wanted.append(getattr(getattr(capi, name), "as_" if field == "as" else field).offset)
        for name in c_header.constants(header):
            lines.append(f'printf("%lld\\n", (long long){name});')
            wanted.append(ctypes.c_longlong(getattr(capi, name)).value)
        for name in c_header.numbers(header):
            lines.append(f'printf("%lld\\n", (long long){name});')
            wanted.append(ctypes.c_longlong(getattr(capi, name)).value)
    lines.append("return 0; }")
    program = tmp_path / "layout.c"
    program.write_text("\n".join(lines))
    include = str(c_header.HEADER.parent)
    subprocess.run(["gcc", "-std=c99", "-I", include, "-o", str(tmp_path / "layout"), str(program)], check=True)
    printed = subprocess.run([str(tmp_path / "layout")], check=True, capture_output=True, text=True).stdout
    assert [int(line) for line in printed.split()] == wanted


def test_the_description_has_the_layout_of_ctypes() -> None:
    """docs/interface.json is for bindings in other languages: its sizes and offsets equal those of ctypes."""
    for header in HEADERS:
        described: Dict[str, Any] = {each["name"]: each for each in c_header.items(header, "struct")}
        for name, struct in described.items():
            kind = getattr(bound(header), name)
            assert struct["size"] == ctypes.sizeof(kind), name
            for field in struct["fields"]:
                assert field["offset"] == getattr(kind, "as_" if field["name"] == "as" else field["name"]).offset


def test_every_status_has_its_name_and_no_other_number_has_one() -> None:
    described = {each["value"]: each["name"] for each in c_header.DESCRIBED["statuses"]}
    named = {code: base.routable_status_name(code).decode() for code in range(-2, 1000)}
    assert {code: name for code, name in named.items() if name != "unknown_status"} == described


def test_every_failure_has_a_class() -> None:
    import routable
    from routable.errors import CLASS_OF_CODE, RoutableError

    failures = {each["value"]: each["name"] for each in c_header.DESCRIBED["statuses"] if each["failure"]}
    wanted = {*failures} - {base.ROUTABLE_ERR_BUFFER}  # only plans write into a caller's buffer
    assert {*CLASS_OF_CODE} == wanted | {base.ROUTABLE_METHOD_NOT_ALLOWED}
    for code in wanted:
        kind = CLASS_OF_CODE[code]
        assert issubclass(kind, RoutableError) and (kind.code, kind.status) == (code, failures[code])
        assert kind.__doc__ and kind.__module__ == "routable.errors"
        assert getattr(routable, kind.__name__) is getattr(routable.errors, kind.__name__) is kind
        assert kind.__name__ in routable.__all__
