"""The facts that comments state in fixed phrases: statuses, since, optional parameters and ownership.

Reads `Statuses: JSON, LIMIT.`, `Since 0.2.0` and "`options` may be NULL" in comments, and applies the conventions at the
beginning of routable.h to the rest."""

from __future__ import annotations

import re
from typing import Any, Dict, List

Item = Dict[str, Any]
FIRST_RELEASE = "0.1.0"


def finish(items: List[Item]) -> None:
    """Completes the functions and callbacks of all headers, and drops empty facts."""
    handles = {item["name"] for item in items if item["kind"] == "handle"}
    names = _status_names(items)
    functions = [item for item in items if item["kind"] in ("function", "helper")]
    comments = {item["name"]: item["comment"] for item in functions}
    for item in items:
        for key in [key for key in ("value", "comment") if item.get(key, 0) in (None, "")]:
            del item[key]
        if item["kind"] in ("function", "callback"):
            text = comments.get(item.get("comment_of", ""), "") or item.get("comment", "")
            since = re.search(r"\bSince (\d+\.\d+\.\d+)", text)
            item["since"] = since[1] if since else FIRST_RELEASE
            _own(item, text, handles)
    before: Item = {}
    for item in functions:
        if item["result"]["type"] == "routable_status" and item["kind"] == "function":
            text = comments.get(item.get("comment_of", ""), "") or item.get("comment", "")
            item["statuses"] = _statuses(item, text, names, before, functions)
            before = item


def _status_names(items: List[Item]) -> List[str]:
    constants = [each["name"] for item in items if item["name"] == "routable_status" for each in item["constants"]]
    return [re.sub("^ROUTABLE_(ERR_)?", "", name) for name in constants]


def _statuses(item: Item, text: str, names: List[str], before: Item, functions: List[Item]) -> List[str]:
    """The statuses in the order of their numbers.  OK, which all functions have, is left out."""
    said = re.findall(r"(?:^|(?<=[.\s(]))(?:Statuses[^:.]*|Also):(.*?)(?:\n\n|$)", text, flags=re.S)
    found = {name for part in said for name in re.findall(r"\b(?:ROUTABLE_)?(?:ERR_)?([A-Z][A-Z_]+)\b", part) if name in names}
    for part in said:
        for other in re.findall(r"\b(?:those of|as) (routable_\w+)", part):
            found |= {name for each in functions if each["name"] == other for name in each.get("statuses", [])}
        without = re.findall(r"\bwithout ([A-Z][A-Z_]+)", part)
        found -= set(without)
    if re.search(r"\bStatuses: also\b|\bAlso:", text):
        found |= set(before.get("statuses", []))
    return [name for name in names if name in found and name != "OK"]


def _own(item: Item, text: str, handles: "set[str]") -> None:
    result = item["result"]
    result["owned"] = _result(result["type"], text, handles)
    for parameter in item["parameters"]:
        kind, name = parameter["type"], parameter["name"]
        parameter["owned"] = _handed(kind, name) if item["kind"] == "callback" else _parameter(item["name"], kind, name, handles)
        if name == "error" or re.search(rf"`{name}`[^.;:]*?(?:,| and `\w+`)? may be NULL", text):
            parameter["optional"] = True


def _result(kind: str, text: str, handles: "set[str]") -> str:
    if kind == "void":
        return "nothing"
    if re.search(r"\bStatic\b", text) and kind == "const char *":
        return "static"
    if kind.startswith("const ") or kind in ("routable_str", "routable_header"):
        return "borrowed"
    return "borrowed" if kind.rstrip("* ") in handles else "value"  # the caller never frees the result of a function


def _handed(kind: str, name: str) -> str:
    """The ownership of a parameter of the caller's functions: borrowed for the call."""
    if name == "user_data":
        return "handed on"
    if "*" not in kind:
        return "value"
    return "borrowed" if kind.startswith("const") else "written"


def _parameter(function: str, kind: str, name: str, handles: "set[str]") -> str:
    """borrowed: used during the call, or kept alive.  copied: if it is kept.  taken: its ownership passes to the library.  changed: an
    object that one thread at a time uses.  yours: an output that the caller frees.  lent: an output that belongs to another object.
    written: memory of the caller.  handed on: an argument that the library passes to functions of the caller."""
    plain = kind.replace("const", "").replace("*", "").strip()
    stars = kind.count("*")
    if name == "user_data":
        return "handed on"
    if plain == "routable_string" and stars == 1:
        return "taken" if function.endswith("_free") else "yours"
    if plain in handles or plain == "json_t":
        if stars == 2 and "*const" not in kind.replace(" ", ""):
            return "lent" if kind.startswith("const") else "yours"
        if kind.startswith("const"):
            return "borrowed"
        return "taken" if function.endswith(("_free", "_free_many", "_finish", "_fail")) else "changed"
    if stars == 0 and plain not in ("routable_str", "routable_value"):
        return "value"
    if stars == 0 or kind.startswith("const"):
        return "copied"
    return "lent" if plain == "routable_str" else "written"
