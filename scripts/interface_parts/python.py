"""The prototypes of the Python package: one generated module of _capi/ for each header.

The package imports the module of a header that routable.h includes when one of its names is first used; others are imported
where they are used.  Headers with
types of other libraries (json_t, CURL *), and those without an exported function, have no module."""

from __future__ import annotations

import re
import textwrap
from typing import Any, Dict, List, Optional

Item = Dict[str, Any]
WRITTEN = "# Written by scripts/interface from include/{}: change the header, then run scripts/interface.\n"
FOLDER = "bindings/python/src/routable/_capi"
TYPES = ("TYPE_CHECKING = False  # True for type checkers; the module typing takes longer to import than this package\n"
         "if TYPE_CHECKING:\n    from typing import {}\n")
SCALARS = {
    "int": "c_int", "int32_t": "c_int32", "uint32_t": "c_uint32", "int64_t": "c_int64", "uint64_t": "c_uint64", "size_t": "c_size_t",
    "double": "c_double", "uint8_t": "c_uint8", "char": "c_char",
}
LENGTHS = ("len", "length", "count")
WIDTH = 120
LATE = '''
    }

    def __getattr__(name):
        for module, names in _NAMES.items():
            if f" {name} " in names:
                found = vars(__import__(f"{__name__}.{module}", fromlist=(name,)))
                globals().update((each, found[each]) for each in names.split())
                return found[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__():
        return sorted({*globals(), *(name for names in _NAMES.values() for name in names.split())})
'''


def files(described: Item) -> Dict[str, str]:
    headers = [header for header in described["headers"] if not header["foreign"]]
    base = _closure("routable.h", {header["name"]: header for header in headers})
    exporting = [header for header in headers if header["name"] in base or any(
        item["kind"] == "function" for section in header["sections"] for item in section["items"])]
    home: Dict[str, str] = {}
    found: Dict[str, str] = {}
    names: Dict[str, List[str]] = {}
    for header in exporting:
        if any(section["items"] for section in header["sections"]):
            name = module(header["name"])
            text = found[f"{FOLDER}/{name}.py"] = Module(header, home).text()
            if header["name"] in base:
                names[name] = re.findall(r"^(?:class )?([A-Za-z]\w*)(?: = |\(\w+\):)", text, re.MULTILINE)
    lines = [WRITTEN.format("*.h") + '"""The prototypes of routable.h and what it includes, a module for each header, and nothing else: no logic lives here.',
             "", "The C declaration stands above each function; each handle is a type of its own, so that a request cannot be passed",
             'where a router is expected.  A module is imported when one of its names is first used."""', "",
             "TYPE_CHECKING = False  # True for type checkers", "if TYPE_CHECKING:"]
    lines += [f"    from .{each} import *  # noqa: F403" for each in names] + ["else:", "    _NAMES = {"]
    for each, own in names.items():
        wrapped = textwrap.wrap(" ".join(own), WIDTH - 14, break_long_words=False)
        lines += [f'        "{each}": (', *(f'            " {line} "' for line in wrapped), "        ),"]
    found[f"{FOLDER}/__init__.py"] = "\n".join(lines) + LATE
    number = ", ".join(described["version"].split("."))
    found["bindings/python/src/routable/_version.py"] = (
        WRITTEN.format("routable.h") + '"""The version of the headers that the prototypes in _capi/ were written from."""\n\n'
        f"VERSION = ({number})\nVERSION_TEXT = \"{described['version']}\"\n")
    return found


def module(header: str) -> str:
    return re.sub(r"^routable[_/]", "", header[: -len(".h")])


def _closure(name: str, headers: Dict[str, Item]) -> List[str]:
    return [name, *(inner for each in headers[name]["includes"] for inner in _closure(each, headers))]


class Module:
    """The module of one header.  `home` maps each type to its module, for the modules that follow."""

    def __init__(self, header: Item, home: Dict[str, str]) -> None:
        self.header, self.home = header, home
        self.name = module(header["name"])
        self.items = [item for section in header["sections"] for item in section["items"]]
        self.ctypes: "set[str]" = set()
        self.foreign: "set[str]" = set()

    def text(self) -> str:
        body: List[str] = []
        for section in self.header["sections"]:
            written = [text for text in (self._item(item) for item in section["items"]) if text]
            title = ": ".join(filter(None, (section["title"], section["part"])))
            if written and title:
                body += [f"\n# {'-' * 98}\n" + "\n".join(textwrap.wrap(title, 98, initial_indent="# ", subsequent_indent="# ")) + "\n"]
            body += written
        names = sorted(self.ctypes, key=lambda name: (not name.isupper(), not name[0].isupper(), name))
        lines = [WRITTEN.format(self.header["name"]) + f'"""The prototypes of include/{self.header["name"]}, in its order."""', "",
                 "from __future__ import annotations", ""]
        lines += _import("ctypes", names) + [""] if names else []
        if any(item["kind"] == "function" for item in self.items):
            self.foreign.add("function._function")
        where: Dict[str, List[str]] = {}
        for each in sorted(self.foreign):
            where.setdefault(each.split(".")[0], []).append(each.split(".")[1])
        for name in sorted(where):
            lines += _import(f".{name}", where[name])
        return "\n".join(lines) + "\n\n" + re.sub(r"\n{4,}", "\n\n\n", "\n".join(body)).rstrip() + "\n"

    def _item(self, item: Item) -> Optional[str]:
        kind, name = item["kind"], item["name"]
        if kind == "handle":
            if name in self.home:
                return None
            self._define(name)
            self._use("Structure")
            return f'\nclass {name}(Structure):\n    """`typedef struct {name} {name};`"""\n\n'
        if kind == "enum":
            return self._enum(item)
        if kind == "struct":
            return self._struct(item)
        if kind == "macro":
            return f"{name} = {item['value']}\n" if "value" in item and not name.startswith("ROUTABLE_VERSION_") else None
        if kind == "callback":
            return self._callback(item)
        return self._function(item) if kind == "function" else None

    def _define(self, name: str) -> None:
        self.home[name] = self.name

    def _use(self, name: str) -> str:
        self.ctypes.add(name)
        return name

    def _named(self, name: str) -> str:
        """A type of the headers, imported from the module that defines it."""
        if name not in self.home:
            raise SystemExit(f"include/{self.header['name']}: {name} has no type in Python")
        if self.home[name] != self.name:
            self.foreign.add(f"{self.home[name]}.{name}")
        return name

    def _type(self, kind: str, data: bool = False) -> str:
        """The ctypes type of a C type; `data`: bytes with a separate length, which a c_char_p would cut at the first NUL."""
        words = " ".join(kind.replace("*", " * ").split())
        array = re.fullmatch(r"(.*?)\s*\[(\d+)\]", words)
        if array:
            return f"{self._type(array[1])} * {array[2]}"
        if words == "void":
            return "None"
        if words in ("void *", "const void *"):
            return self._use("c_void_p")
        if words == "const char *" and not data:
            return self._use("c_char_p")
        if words.endswith("*"):
            return f"{self._use('POINTER')}({self._type(words[:-1])})"
        if words.endswith("const") and "*" in words:
            return self._type(words[: -len("const")])
        plain = words.replace("const ", "").replace("struct ", "").strip()
        return self._use(SCALARS[plain]) if plain in SCALARS else self._named(plain)

    def _enum(self, item: Item) -> str:
        lines = []
        if item["name"]:
            self._define(item["name"])
            lines.append(f"{item['name']} = {self._use(SCALARS[item['type']])}")
        lines += [f"{each['name']} = {each['value']}" for each in item["constants"]]
        return "\n".join(lines) + "\n"

    def _struct(self, item: Item) -> str:
        name = item["name"]
        before = "".join(self._union(name, field) for field in item["fields"] if field["type"] == "union")
        fields = [f'("{_python(field["name"])}", {self._field(name, item["fields"], index)}),' for index, field in enumerate(item["fields"])]
        listed = "\n".join(f"        {line}" for line in fields)
        if name in self.home:  # already named, such as a handle
            return f"\n{self._named(name)}._fields_ = [\n" + "\n".join(f"    {line}" for line in fields) + "\n]\n"
        self._define(name)
        self._use("Structure")
        return f'{before}\nclass {name}(Structure):\n    """`typedef struct {name} {{ ... }} {name};`"""\n\n    _fields_ = [\n{listed}\n    ]\n\n'

    def _union(self, struct: str, field: Item) -> str:
        members = ", ".join(f'("{each["name"]}", {self._type(each["type"])})' for each in field["members"])
        return (f'\nclass {struct}_{field["name"]}({self._use("Union")}):\n    """The union `{field["name"]}` of {struct}."""\n\n'
                f"    _fields_ = [{members}]\n\n")

    def _field(self, struct: str, fields: List[Item], index: int) -> str:
        field = fields[index]
        return f"{struct}_{field['name']}" if field["type"] == "union" else self._type(field["type"], _is_data(fields, index))

    def _callback(self, item: Item) -> str:
        self._define(item["name"])
        kinds = [self._type(each["type"], _is_data(item["parameters"], index)) for index, each in enumerate(item["parameters"])]
        # A type of integers is itself an integer, because ctypes accepts only this as the result of a Python function.
        result = self._type(item["result"]["type"])
        return f"{_comment(item['declaration'])}\n{item['name']} = {self._use('CFUNCTYPE')}({', '.join([result, *kinds])})\n"

    def _function(self, item: Item) -> str:
        kinds = ", ".join(self._type(each["type"]) for each in item["parameters"])
        result = self._type(item["result"]["type"])
        line = f'{item["name"]} = _function("{item["name"]}", {result}, [{kinds}])'
        if len(line) > WIDTH:
            wrapped = "\n".join(textwrap.wrap(f"[{kinds}],", WIDTH - 4, initial_indent="    ", subsequent_indent="     ", break_long_words=False))
            line = f'{item["name"]} = _function(\n    "{item["name"]}", {result},\n{wrapped}\n)'
        return f"{_comment(item['declaration'])}\n{line}\n"


def _is_data(members: List[Item], index: int) -> bool:
    following = members[index + 1]["name"] if index + 1 < len(members) else ""
    return following in LENGTHS or following.startswith(members[index]["name"] + "_len")


def _python(name: str) -> str:
    return name + "_" if name in ("as", "from", "in", "is", "class", "import") else name


def _comment(declaration: str) -> str:
    return "\n".join(textwrap.wrap(declaration + ";", WIDTH - 2, initial_indent="# ", subsequent_indent="#     ", break_long_words=False,
                                   break_on_hyphens=False))


def _import(place: str, names: List[str]) -> List[str]:
    line = f"from {place} import {', '.join(names)}"
    if len(line) <= WIDTH:
        return [line]
    return [f"from {place} import (", *(f"    {name}," for name in names), ")"]
