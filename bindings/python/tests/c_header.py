"""Reads the headers in include/, so that the prototypes of the binding can be held against the contract itself."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Dict, List, NamedTuple, Tuple

HEADER = Path(__file__).resolve().parents[3] / "include" / "routable.h"


class Function(NamedTuple):
    """One declaration: `result name(parameters)`, types in the spelling of the header."""

    name: str
    result: str
    parameters: Tuple[str, ...]
    declaration: str


def _code(header: Path) -> str:
    """The header without comments and preprocessor lines."""
    text = re.sub(r"/\*.*?\*/", " ", header.read_text(encoding="utf-8"), flags=re.S)
    lines: List[str] = []
    continued = False
    for line in text.splitlines():
        if not continued and not line.lstrip().startswith("#"):
            lines.append(line)
            continue
        continued = line.rstrip().endswith("\\")
    return "\n".join(lines)


def _type_of(declarator: str) -> str:
    """`const routable_router *router` -> `routable_router*`; `const` is kept for text, where it tells a
    name (NUL-terminated, read) from a buffer (written)."""
    stars = declarator.count("*")
    words = declarator.replace("*", " ").split()
    plain = [word for word in words if word != "const"]
    constant = "const " if plain[0] == "char" and words[0] == "const" else ""
    return constant + plain[0] + "*" * stars


def functions(header: Path = HEADER) -> List[Function]:
    """Every exported function, in the order of the header."""
    found = []
    for match in re.finditer(r"ROUTABLE_API\s+(?:ROUTABLE_MUST_CHECK\s+)?([^;{}]*?)(\w+)\(([^;{}]*?)\);", _code(header)):
        result, name, inside = (" ".join(part.split()) for part in match.groups())
        parameters = () if inside in ("", "void") else tuple(_type_of(part) for part in inside.split(","))
        separator = "" if result.endswith("*") else " "
        declaration = f"{result}{separator}{name}({inside})"
        found.append(Function(name, _type_of(result + " x"), parameters, declaration))
    return found


def structs(header: Path = HEADER) -> Dict[str, List[Tuple[str, str]]]:
    """Every struct that has members here: its name, and its members as (name, type); an array as "type[SIZE]"."""
    found: Dict[str, List[Tuple[str, str]]] = {}
    for match in re.finditer(r"typedef struct (\w+) \{(.*?)\n?\} ?\1;", _code(header), flags=re.S):
        body = re.sub(r"union \{.*?\} (\w+);", r"union \1;", match.group(2), flags=re.S)
        members = []
        for statement in filter(None, (part.strip() for part in body.split(";"))):
            kind = _type_of(statement)
            for declarator in statement.split(","):
                name, size = re.findall(r"(\w+)(?:\[(\w+)\])?$", declarator.strip())[0]
                members.append((name, f"{kind}[{size}]" if size else kind))
        found[match.group(1)] = members
    return found


def handles(header: Path = HEADER) -> List[str]:
    """Every type that is only named."""
    return re.findall(r"typedef struct (\w+) \1;", _code(header))


def integers(header: Path = HEADER) -> Dict[str, str]:
    """Every `typedef int32_t routable_x;` as name -> C type."""
    return {name: kind for kind, name in re.findall(r"typedef (\w+) (routable_\w+);", _code(header))}


def constants(header: Path = HEADER) -> List[str]:
    """The names of all enumerators, in order."""
    return [name for body in re.findall(r"enum \{(.*?)\}", _code(header), flags=re.S)
            for name in re.findall(r"(ROUTABLE_\w+)\s*=", body)]
