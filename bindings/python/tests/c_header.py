"""The headers of include/ in the form of docs/interface.json, so that tests cover all declarations.

scripts/interface writes the description; scripts/interface --check fails if it differs from the headers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Tuple

ROOT = Path(__file__).resolve().parents[3]
HEADER = ROOT / "include" / "routable.h"
DESCRIBED: Dict[str, Any] = json.loads((ROOT / "docs/interface.json").read_text(encoding="utf-8"))
_HEADERS: Dict[str, Any] = {each["name"]: each for each in DESCRIBED["headers"]}


class Function(NamedTuple):
    """One declaration: `result name(parameters)`, types in the spelling of the header."""

    name: str
    result: str
    parameters: Tuple[str, ...]
    declaration: str


def names_of(header: Path) -> List[str]:
    """The names of the header and, if it is routable.h, of the headers that it includes, whose order is that of the interface."""
    name = header.relative_to(HEADER.parent).as_posix() if HEADER.parent in header.parents else header.name
    found: List[str] = []

    def add(each: str) -> None:
        for inner in _HEADERS[each]["includes"]:
            if inner not in found:
                add(inner)
        if each not in found:
            found.append(each)

    if name == HEADER.name:
        add(name)
        return found
    return [name]


def items(header: Path, *kinds: str) -> List[Dict[str, Any]]:
    """The declarations of these kinds in the header, in its order."""
    return [item for name in names_of(header) for section in _HEADERS[name]["sections"] for item in section["items"]
            if item["kind"] in kinds]


def type_of(kind: str) -> str:
    """`const routable_router *` -> `routable_router*`; `const` is kept for text, where it distinguishes a
    name (NUL-terminated, read) from a buffer (written)."""
    stars = kind.count("*")
    words = kind.replace("*", " ").split()
    plain = [word for word in words if word != "const"]
    constant = "const " if plain[0] == "char" and words[0] == "const" else ""
    return constant + plain[0] + "*" * stars


def functions(header: Path = HEADER) -> List[Function]:
    """Every exported function."""
    return [Function(each["name"], type_of(each["result"]["type"]), tuple(type_of(part["type"]) for part in each["parameters"]),
                     each["declaration"]) for each in items(header, "function")]


def callbacks(header: Path = HEADER) -> List[Function]:
    """Every type of a host's function."""
    return [Function(each["name"], type_of(each["result"]["type"]), tuple(type_of(part["type"]) for part in each["parameters"]),
                     each["declaration"]) for each in items(header, "callback")]


def structs(header: Path = HEADER) -> Dict[str, List[Tuple[str, str]]]:
    """Every struct with members in this header: its name, and its members as (name, type); an array as "type[SIZE]"."""
    return {each["name"]: [(field["name"], type_of(field["type"])) for field in each["fields"]] for each in items(header, "struct")}


def handles(header: Path = HEADER) -> List[str]:
    """Every opaque type."""
    complete = {each["name"] for name in _HEADERS for section in _HEADERS[name]["sections"] for each in section["items"]
                if each["kind"] == "struct"}
    return [each["name"] for each in items(header, "handle") if each["name"] not in complete]


def integers(header: Path = HEADER) -> Dict[str, str]:
    """Every named type of constants as name -> C type."""
    return {each["name"]: each["type"] for each in items(header, "enum") if each["name"]}


def constants(header: Path = HEADER) -> List[str]:
    """The names of all enumerators, in order."""
    return [constant["name"] for each in items(header, "enum") for constant in each["constants"]]


def numbers(header: Path = HEADER) -> Dict[str, int]:
    """Every macro that is a number, and its value, without those of the version."""
    return {each["name"]: each["value"] for each in items(header, "macro")
            if "value" in each and not each["name"].startswith("ROUTABLE_VERSION_")}
