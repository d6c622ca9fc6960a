"""The description of the interface in docs/interface.json: for each header its sections with their declarations, in order."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

from . import prose, statuses
from .declarations import Compiler, Node
from .source import Source, paragraphs

Item = Dict[str, Any]
ATTRIBUTES = re.compile(r"\b(?:ROUTABLE_API|ROUTABLE_MUST_CHECK|ROUTABLE_DEPRECATED|static|inline|extern)\s+")


class Reader:
    """Reads all headers of a folder once."""

    def __init__(self, include: Path) -> None:
        self.compiler = Compiler(include)
        self.include = self.compiler.include
        self.sources = {str(path): Source(path) for path in self.compiler.headers}
        self.nodes = self.compiler.declarations()
        self.expressions: List[str] = []
        self.waiting: List[Tuple[Item, str]] = []  # items whose value is computed later, with the expressions

    def description(self) -> Item:
        macros = self.compiler.macros()
        headers = [self._header(str(path), macros.get(str(path), [])) for path in self._order()]
        for (item, key), value in zip(self.waiting, self.compiler.values(self.expressions)):
            if value is not None:
                item[key] = value
        every = [item for header in headers for section in header["sections"] for item in section["items"]]
        number = {item["name"]: item.get("value", 0) for item in every if item["kind"] == "macro"}
        prose.finish(every)
        unstated = [item["name"] for item in every if item["kind"] == "function" and item["result"]["type"] == "routable_status"
                    and item["name"] != "routable_error_status" and "Statuses:" not in item.get("comment", "")]
        if unstated:
            raise SystemExit(f"the comments do not list the statuses of {', '.join(unstated)}")
        return {
            "written": "by scripts/interface from include/*.h: change the headers, then run scripts/interface",
            "version": ".".join(str(number[f"ROUTABLE_VERSION_{part}"]) for part in ("MAJOR", "MINOR", "PATCH")),
            "statuses": statuses.listed(every),
            "headers": headers,
        }

    def _order(self) -> List[Path]:
        """The headers in an order in which each follows those that it includes."""
        found: List[Path] = []

        def add(path: Path) -> None:
            for name in self._includes(path):
                inner = self.include / name
                if str(inner) in self.sources and inner not in found:
                    add(inner)
            if path not in found:
                found.append(path)

        for path in self.compiler.headers:
            add(path)
        return found

    def _includes(self, path: Path) -> List[str]:
        return re.findall(r'^[ \t]*#[ \t]*include[ \t]+["<](\S+)[">]', self.sources[str(path)].text, flags=re.M)

    def _header(self, path: str, macros: List[Tuple[str, str]]) -> Item:
        source = self.sources[path]
        items = self._declared(source) + self._macros(source, macros)
        items.sort(key=lambda item: item["at"])
        sections: List[Item] = []
        for item in items:
            title, part = source.section(item.pop("at"))
            if not sections or (sections[-1]["title"], sections[-1]["part"]) != (title, part):
                text = next((each.text for each in source.sections if each.title == (part or title)), "")
                sections.append({"title": title, "part": part, "comment": paragraphs(text), "items": []})
            sections[-1]["items"].append(item)
        includes = self._includes(Path(path))
        return {
            "name": Path(path).relative_to(self.include).as_posix(),
            "comment": source.comments[0].text if source.comments and source.comments[0].begin == 0 else "",
            "includes": [name for name in includes if str(self.include / name) in self.sources],
            "foreign": [name for name in includes if name in ("jansson.h", "curl/curl.h")],
            "sections": sections,
        }

    # --- Declarations ---

    def _declared(self, source: Source) -> List[Item]:
        nodes = [node for node in self.nodes if node["path"] == str(source.path)]
        items: List[Item] = []
        seen: set[str] = set()
        before: Optional[Item] = None
        for index, node in enumerate(nodes):
            if node["kind"] == "StaticAssertDecl":  # a check by the compiler, without a declaration
                continue
            make = {"FunctionDecl": self._function, "RecordDecl": self._struct, "TypedefDecl": self._typedef,
                    "EnumDecl": self._enum}.get(node["kind"])
            if make is None:
                raise SystemExit(f"{source.path}: a {node['kind']} has no place in the description")
            begin, end = source.statement(node["at"])
            following = nodes[index + 1] if index + 1 < len(nodes) else None
            item = make(node, source, begin, end, following)
            if item is None or (item["kind"], item["name"]) in seen or (item["kind"] == "handle" and item["name"] in seen):
                continue
            seen |= {item["name"], (item["kind"], item["name"])} if item["name"] else set()
            last = source.line_end(end)
            self._comment(item, source, begin, end, before)
            item["at"] = begin
            items.append(item)
            before = dict(item, last=last)
        return items

    def _comment(self, item: Item, source: Source, begin: int, end: int, before: Optional[Item]) -> None:
        above, behind = source.before(begin), source.behind(end)
        text = "\n\n".join(paragraphs(each.text) for each in (above, behind) if each)
        item["comment"] = text
        shares = item["kind"] == "function" and before is not None and before["kind"] == "function"
        if not text and shares and not item["name"].endswith("_free") and source.adjacent(before["last"], begin):
            root = before.get("comment_of") or (before["name"] if before["comment"] else None)
            if root and not root.endswith("_free"):
                item["comment_of"] = root

    def _function(self, node: Node, source: Source, begin: int, end: int, _: Optional[Node]) -> Item:
        inline = bool(node.get("inline")) or node.get("storageClass") == "static"
        stop = source.code.find("{", begin, end) if inline else -1
        text = source.code[begin : stop if stop >= 0 else end]
        declaration = " ".join(ATTRIBUTES.sub("", text).split()).rstrip("; ").replace("( ", "(")
        result = node["type"]["qualType"]
        kinds = [each for each in node.get("inner", []) if each["kind"] == "ParmVarDecl"]
        return {
            "kind": "helper" if inline else "function",
            "name": node["name"],
            "declaration": declaration,
            "result": {"type": _of_function(result)},
            "parameters": [{"name": each.get("name", ""), "type": each["type"]["qualType"]} for each in kinds],
        }

    def _struct(self, node: Node, source: Source, begin: int, end: int, _: Optional[Node]) -> Optional[Item]:
        if not node.get("name") or not node.get("completeDefinition"):
            return None
        item: Item = {"kind": "struct", "name": node["name"]}
        self._measure(item, "size", f"sizeof(struct {node['name']})")
        item["fields"] = self._fields(node, source, f"struct {node['name']}", "")
        return item

    def _fields(self, node: Node, source: Source, outer: str, path: str) -> List[Item]:
        found: List[Item] = []
        unions = {each["at"]: each for each in node.get("inner", []) if each["kind"] == "RecordDecl"}
        for each in node.get("inner", []):
            if each["kind"] != "FieldDecl":
                continue
            name = each["name"]
            begin, end = source.statement(each["at"])
            field: Item = {"name": name, "type": each["type"]["qualType"]}
            if "unnamed" in field["type"] or "anonymous" in field["type"]:
                inner = max((at for at in unions if at < each["at"]), default=None)
                if inner is None:
                    raise SystemExit(f"{source.path}: no union for {name}")
                field["type"] = "union"
                begin = source.statement(inner)[0]
                field["members"] = self._fields(unions[inner], source, outer, f"{path}{name}.")
            self._measure(field, "offset", f"__builtin_offsetof({outer}, {path}{name})")
            above, behind = source.before(begin), source.behind(end)
            field["comment"] = " ".join(paragraphs(comment.text) for comment in (above, behind) if comment)
            found.append(field)
        return found

    def _typedef(self, node: Node, source: Source, begin: int, end: int, following: Optional[Node]) -> Optional[Item]:
        name, kind = node["name"], node["type"]["qualType"]
        text = " ".join(ATTRIBUTES.sub("", source.code[begin:end]).split()).rstrip("; ").replace("( ", "(")
        if re.search(r"\(\*\s*\w+\)", text):
            inside = text[text.index(")") + 1 :].strip()[1:-1]
            return {
                "kind": "callback", "name": name, "declaration": text,
                "result": {"type": kind[: kind.index("(*)")].strip()},
                "parameters": _parameters(inside),
            }
        if re.fullmatch(rf"typedef struct (\w+) {name}", text):
            return {"kind": "handle", "name": name}
        if kind in ("int32_t", "uint32_t"):
            if following is not None and following["kind"] == "EnumDecl" and not following.get("name"):
                following["named"] = name
                following["wide"] = kind
                return None
            return {"kind": "enum", "name": name, "type": kind, "constants": []}
        return None  # of a struct or an enum that is described separately

    def _enum(self, node: Node, source: Source, begin: int, end: int, following: Optional[Node]) -> Optional[Item]:
        constants = [each for each in node.get("inner", []) if each["kind"] == "EnumConstantDecl"]
        if not constants:
            return None  # a declaration without a definition
        name = node.get("named") or node.get("name") or ""
        if not name and following is not None and following["kind"] == "TypedefDecl":
            first, last = source.statement(following["at"])
            name = following["name"] if first <= node["at"] < last else ""
        wide = node.get("wide") or node.get("fixedUnderlyingType", {}).get("qualType", "int32_t")
        item: Item = {"kind": "enum", "name": name, "type": wide, "constants": []}
        group = ""
        for each in constants:
            stop = min(at for at in (source.code.find(mark, each["at"]) for mark in ",}") if at >= 0)
            start = max(source.code.rfind(mark, 0, each["at"]) for mark in ",{") + 1
            comma = stop + 1 if source.code[stop] == "," else len(source.code[:stop].rstrip())
            behind = source.behind(comma)
            lead = [comment for comment in source.comments if start <= comment.begin < each["at"] and comment.alone]
            own = "" if behind or not lead or not source.adjacent(lead[-1].end, each["at"]) else lead.pop().text
            if lead:
                group = paragraphs(lead[-1].text)
            constant = {"name": each["name"], "comment": paragraphs(behind.text if behind else own)}
            if group:
                constant["group"] = group
            self._measure(constant, "value", each["name"])
            item["constants"].append(constant)
        return item

    # --- Macros ---

    def _macros(self, source: Source, macros: List[Tuple[str, str]]) -> List[Item]:
        found: List[Item] = []
        for words, body in macros:
            name = words.split("(")[0]
            place = re.search(rf"^[ \t]*#[ \t]*define[ \t]+{name}\b", source.text, flags=re.M)
            if place is None or (not body and name.endswith("_H")):
                continue
            end = re.compile(r"(?:\\\n|[^\n])*").match(source.text, place.start())
            last = end.end() if end else place.end()
            item: Item = {"kind": "macro", "name": name, "at": place.start()}
            above = source.before(place.start())
            behind = next((each for each in source.comments if place.start() < each.begin <= last and not each.alone), None)
            item["comment"] = paragraphs(behind.text if behind else above.text if above else "")
            if name.endswith("_INIT") and "(" not in words:
                item["initializes"] = name[: -len("_INIT")].lower()
                item["body"] = " ".join(body.split())
            elif "(" in words:
                item["parameters"] = words[words.index("(") + 1 : -1]
            elif body:
                self._measure(item, "value", name)
            found.append(item)
        return found

    def _measure(self, item: Item, key: str, expression: str) -> None:
        item[key] = None
        self.waiting.append((item, key))
        self.expressions.append(expression)


def _of_function(kind: str) -> str:
    """`const char *(routable_status)` -> `const char *`."""
    return kind[: kind.index("(")].strip()


def _parameters(inside: str) -> List[Item]:
    """The parameters of a function type, whose names clang does not report."""
    found = []
    for part in [] if inside in ("", "void") else inside.split(","):
        words = re.fullmatch(r"\s*(.*?)(\w+)\s*", part)
        assert words is not None
        found.append({"name": words[2], "type": words[1].strip()})
    return found
