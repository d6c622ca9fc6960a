"""Manual pages of section 3: one for each header, and a link to it for each function."""

from __future__ import annotations

import re
import textwrap
from typing import Any, Dict, List

Item = Dict[str, Any]
# The name of the handwritten overview, which is also the page of routable.h.
OVERVIEW = "routable"
GENERATED_ONLY = ("routable_typed_write.h", "routable_typed_read.h", "routable_typed_call.h")


def files(described: Item, date: str) -> Dict[str, str]:
    """Names of pages, and their text."""
    found: Dict[str, str] = {}
    headers = [header for header in described["headers"] if header["name"] not in GENERATED_ONLY
               and any(item["kind"] in ("function", "helper") for section in header["sections"] for item in section["items"])]
    names = sorted(_name(header) for header in headers)
    for header in headers:
        page = _name(header)
        found[f"{page}.3"] = Page(header, date, [other for other in names if other != page]).text()
        for name in _functions(header):
            if f"{name}.3" in found:
                raise SystemExit(f"{name} is the name of a page and of a function")
            found[f"{name}.3"] = f".so man3/{page}.3\n"
    return found


def _name(header: Item) -> str:
    stem = re.sub(r"\W", "_", header["name"][: -len(".h")])
    return stem if stem != OVERVIEW else f"{OVERVIEW}_h"


def _functions(header: Item) -> List[str]:
    return [item["name"] for section in header["sections"] for item in section["items"] if item["kind"] in ("function", "helper")]


class Page:
    """One page, in mdoc."""

    def __init__(self, header: Item, date: str, others: List[str]) -> None:
        self.header, self.date, self.others = header, date, others

    def text(self) -> str:
        header, name = self.header, _name(self.header)
        first, _, rest = header["comment"].partition("\n\n")
        about = re.sub(rf"^{re.escape(header['name'])} - ", "", " ".join(first.split())).split(".  ")[0].split(". ")[0].rstrip(".")
        names = _functions(header)
        lines = [f'.\\" Written by scripts/man_pages from docs/interface.json, which is written from include/{header["name"]}.',
                 f".Dd {self.date}", f".Dt {name.upper()} 3", ".Os", ".Sh NAME"]
        lines += [f".Nm {each} ," for each in [name, *names[:-1]]] + [f".Nm {names[-1]}", f".Nd {_line(about)}"]
        # A line of one long name cannot be justified, and groff of Debian 13 warns about it.
        lines += [".Sh SYNOPSIS", ".ad l", f".In {header['name']}"]
        for section in header["sections"]:
            for item in section["items"]:
                if item["kind"] == "function":
                    lines += self._synopsis(item)
        if rest.strip():
            lines += [".Sh DESCRIPTION", *self._literal(rest.split("\n"))]
        else:
            lines += [".Sh DESCRIPTION", "The conventions are those of", f".Xr {OVERVIEW} 3 ."]
        for section in header["sections"]:
            written = [line for item in section["items"] for line in self._item(item)]
            title = section["part"] or section["title"]
            if written and title:
                lines += [f".Ss {_line(title.split(': ')[0].rstrip('.'))}", *self._prose(section["comment"])]
            lines += written
        lines += [".Sh SEE ALSO", f".Xr {OVERVIEW} 3" + (" ," if self.others else "")]
        lines += [f".Xr {other} 3 ," for other in self.others[:-1]] + [f".Xr {other} 3" for other in self.others[-1:]]
        return "\n".join(_spaced(lines)) + "\n"

    def _synopsis(self, item: Item) -> List[str]:
        arguments = [f'.Fa "{_quoted(_declared(each["type"], each["name"]))}"' for each in item["parameters"]] or [".Fa void"]
        return [f'.Ft "{item["result"]["type"]}"', f".Fo {item['name']}", *arguments, ".Fc"]

    def _item(self, item: Item) -> List[str]:
        kind = item["kind"]
        if kind in ("function", "helper"):
            shared = item.get("comment_of")
            text = item.get("comment", "") or (f"As {shared}: its description is that of both." if shared else "")
            return [".Bl -tag -width Ds", f".It Fn {item['name']}", *self._prose(text), *self._facts(item, text), ".El"]
        if kind == "callback":
            return [".Pp", *self._literal(textwrap.wrap(item["declaration"] + ";", 90, subsequent_indent="    ")),
                    ".Pp", *self._prose(item.get("comment", ""))]
        if kind == "struct":
            return [".Pp", *self._literal(_struct(item)), ".Pp", *self._prose(item.get("comment", ""))]
        if kind == "enum":
            rows = [(f"{each['name']} = {each['value']}", each["comment"]) for each in item["constants"]]
            lines = [".Bl -tag -width Ds"]
            for name, comment in rows:
                lines += [f".It Dv {_line(name)}", *self._prose(comment)]
            head = [".Pp", f"Values of {item['name']}:"] if item["name"] else [".Pp"]
            return [*head, *self._prose(item.get("comment", "")), *lines, ".El"]
        if kind == "macro" and ("value" in item or "initializes" in item):
            text = item.get("comment", "") or (f"An initial {item['initializes']}." if "initializes" in item else "")
            value = f" = {item['value']}" if "value" in item else ""
            return [".Bl -tag -width Ds", f".It Dv {item['name']}{value}", *self._prose(text), ".El"]
        return []

    def _facts(self, item: Item, text: str) -> List[str]:
        """The facts that follow from the conventions and are not in the comment."""
        said = []
        given = [f"{each['name']}" for each in item["parameters"] if each.get("owned") == "yours" and each["name"] != "error"]
        if given:
            said.append(f"On success the caller owns {' and '.join(given)}.")
        if item.get("statuses") and "Statuses" not in text:
            said.append(f"Statuses: {', '.join(item['statuses'])}.")
        if item.get("since", "0.1.0") != "0.1.0" and "Since" not in text:
            said.append(f"Since {item['since']}.")
        return [".Pp", *self._prose(" ".join(said))] if said and text else self._prose(" ".join(said))

    def _prose(self, text: str) -> List[str]:
        lines: List[str] = []
        for block in filter(None, re.split(r"\n\n", text)):
            lines += [".Pp"] if lines else []
            if "\n    " in f"\n{block}":
                lines += self._literal(block.split("\n"))
            else:
                # Each sentence begins a line, as mdoc recommends.
                for sentence in re.split(r"(?<=[.:;?])\s+(?=[A-Z`])", " ".join(block.split())):
                    lines += [_line(part) for part in textwrap.wrap(sentence, 120, break_long_words=False, break_on_hyphens=False)]
        return lines

    def _literal(self, lines: List[str]) -> List[str]:
        return [".Bd -literal", *(_line(line) for line in lines if line.strip() or line == ""), ".Ed"]


def _struct(item: Item) -> List[str]:
    lines = [f"typedef struct {item['name']} {{"]
    for field in item["fields"]:
        members = "; ".join(_declared(each["type"], each["name"]) for each in field.get("members", []))
        text = f"    union {{ {members}; }} {field['name']};" if members else f"    {_declared(field['type'], field['name'])};"
        lines += textwrap.wrap(f"{text} /* {field['comment']} */" if field["comment"] else text, 84,
                               initial_indent="    ", subsequent_indent="        ")
    return [*lines, f"}} {item['name']};"]


def _declared(kind: str, name: str) -> str:
    array = re.fullmatch(r"(.*?)\s*(\[\d+\])", kind)
    if array:
        return f"{array[1]} {name}{array[2]}"
    return f"{kind}{'' if kind.endswith('*') else ' '}{name}"


def _spaced(lines: List[str]) -> List[str]:
    """The lines without paragraph macros next to a heading, a display or a list."""
    found: List[str] = []
    for index, line in enumerate(lines):
        following = lines[index + 1] if index + 1 < len(lines) else ".Sh"
        before = found[-1] if found else ""
        if line != ".Pp" or not (following.startswith((".Bd", ".Bl", ".Pp", ".Sh", ".Ss", ".El")) or before.startswith((".Ss", ".Sh", ".It"))):
            found.append(line)
    return found


def _line(text: str) -> str:
    """Text with the escapes of roff."""
    text = text.replace("\\", "\\e")
    return f"\\&{text}" if text.startswith((".", "'")) else text


def _quoted(text: str) -> str:
    return _line(text).replace('"', "\\(dq")
